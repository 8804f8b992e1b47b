//===- FusionOptions.h - Fusion options of the pipelines --------*- C++ -*-===//
//
// The options that linalg-ext-to-llvm, linalg-ext-to-gpu-tiles,
// linalg-ext-to-nvvm and linalg-ext-to-rocdl have in common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_FUSIONOPTIONS_H
#define MLIR_EXT_PIPELINES_FUSIONOPTIONS_H

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

struct FusionPipelineOptions : public virtual mlir::detail::PassOptions {
  Option<std::string> levels{
      *this, "levels",
      llvm::cl::desc("Tiling levels for every root, as in "
                     "linalg-ext-tile-and-fuse; empty chooses them"),
      llvm::cl::init("")};
  Option<std::string> normalization{
      *this, "normalization",
      llvm::cl::desc("When to normalise results: eager (in every tile) or "
                     "delayed (once, after the loops)"),
      llvm::cl::init("delayed")};
  Option<std::string> rescaleThreshold{
      *this, "rescale-threshold",
      llvm::cl::desc("Rescale accumulators only where a term would grow by "
                     "more than e^threshold; empty rescales in every tile"),
      llvm::cl::init("")};
  Option<std::string> report{
      *this, "report",
      llvm::cl::desc("Remarks to emit: none, missed (tensors that stay in "
                     "memory although one loop could compute and use them, and "
                     "kernels of scalar code) or all (also what is fused)"),
      llvm::cl::init("missed")};
  Option<bool> reportData{
      *this, "report-data",
      llvm::cl::desc("Also emit remarks for programs: the plan of each fusion, "
                     "and the layouts of each kernel, as JSON"),
      llvm::cl::init(false)};
  Option<bool> requireFusion{*this, "require-fusion",
                             llvm::cl::desc("Make each missed fusion an error"),
                             llvm::cl::init(false)};
};

/// Copies `fusion` to the options of a pass or of another pipeline.
template <typename OptionsT>
void setFusionOptions(OptionsT &options, const FusionPipelineOptions &fusion) {
  options.levels = fusion.levels;
  options.normalization = fusion.normalization;
  options.rescaleThreshold = fusion.rescaleThreshold;
  options.report = fusion.report;
  options.reportData = fusion.reportData;
  options.requireFusion = fusion.requireFusion;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_FUSIONOPTIONS_H
