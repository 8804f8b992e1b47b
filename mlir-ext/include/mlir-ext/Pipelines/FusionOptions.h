//===- FusionOptions.h - Options of all pipelines that fuse -----*- C++ -*-===//
//
// What linalg-ext-to-llvm, linalg-ext-to-gpu-tiles and linalg-ext-to-nvvm have
// in common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_FUSIONOPTIONS_H
#define MLIR_EXT_PIPELINES_FUSIONOPTIONS_H

#include "mlir/Pass/PassOptions.h"

namespace mlir::linalg_ext {

struct FusionPipelineOptions : public virtual mlir::detail::PassOptions {
  Option<std::string> levels{
      *this, "levels",
      llvm::cl::desc("Loops to tile every root with, as in "
                     "linalg-ext-tile-and-fuse; empty chooses them"),
      llvm::cl::init("")};
  Option<std::string> normalization{
      *this, "normalization",
      llvm::cl::desc("When results are normalised: eager (in every tile) or "
                     "delayed"),
      llvm::cl::init("delayed")};
  Option<std::string> rescaleThreshold{
      *this, "rescale-threshold",
      llvm::cl::desc("Leave accumulators alone while no term grows by more "
                     "than e^threshold; empty rescales in every tile"),
      llvm::cl::init("")};
  Option<std::string> report{
      *this, "report",
      llvm::cl::desc("What to say, a remark each: none, missed (what is stored "
                     "though a reduction and what depends on it could be one "
                     "loop; kernels of scalar code) or all (what is fused, "
                     "too)"),
      llvm::cl::init("missed")};
  Option<bool> requireFusion{*this, "require-fusion",
                             llvm::cl::desc("Make what was missed an error"),
                             llvm::cl::init(false)};
};

/// Copies `fusion` to the options of a pass or of another pipeline.
template <typename OptionsT>
void setFusionOptions(OptionsT &options, const FusionPipelineOptions &fusion) {
  options.levels = fusion.levels;
  options.normalization = fusion.normalization;
  options.rescaleThreshold = fusion.rescaleThreshold;
  options.report = fusion.report;
  options.requireFusion = fusion.requireFusion;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_FUSIONOPTIONS_H
