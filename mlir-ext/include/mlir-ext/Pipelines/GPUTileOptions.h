//===- GPUTileOptions.h - Options for tiles of workgroups -------*- C++ -*-===//
//
// The options that linalg-ext-to-gpu-tiles has in common with the pipelines
// that it is a part of: linalg-ext-to-nvvm and linalg-ext-to-rocdl.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_GPUTILEOPTIONS_H
#define MLIR_EXT_PIPELINES_GPUTILEOPTIONS_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassOptions.h"

#include <cstdint>
#include <string>

namespace mlir::linalg_ext {

/// The values of options that the user does not give. In whole pipelines, 0
/// lets the pipeline choose.
struct GPUTileDefaults {
  int64_t rows = 0, columns = 0, keys = 0, split = 0, keySubgroups = 0,
          reduction = 0;
};

struct GPUTilePipelineOptions : public FusionPipelineOptions {
  explicit GPUTilePipelineOptions(const GPUTileDefaults &defaults)
      : defaults(defaults) {}

private:
  // Declared before the options, whose initialisers read it.
  const GPUTileDefaults defaults;

public:
  Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc(
          "Rows of the tile that a workgroup computes; 0 chooses, at most 128"),
      llvm::cl::init(defaults.rows)};
  Option<int64_t> columns{
      *this, "columns",
      llvm::cl::desc(
          "Columns of the tile that a workgroup computes, if nothing is "
          "reduced "
          "online; 0 chooses: at most 64 if elements have more than 16 bits"),
      llvm::cl::init(defaults.columns)};
  Option<int64_t> keys{
      *this, "keys",
      llvm::cl::desc(
          "Elements of the dimension that is reduced online in each iteration; "
          "0 chooses 16 to 128, by the rows and columns of the result"),
      llvm::cl::init(defaults.keys)};
  Option<int64_t> split{
      *this, "split",
      llvm::cl::desc(
          "Elements of the dimension that is reduced online in each workgroup; "
          "several workgroups then share a row; 0 chooses, -1 does not split"),
      llvm::cl::init(defaults.split)};
  Option<int64_t> keySubgroups{
      *this, "key-subgroups",
      llvm::cl::desc(
          "Parts into which the subgroups of a workgroup are divided; each "
          "reduces 'keys' keys of its own in each iteration, and the results "
          "are merged through shared memory after the loop; 0 chooses, "
          "together with 'rows', 'keys' and 'split', if these are 0, too, and "
          "all sizes are known"),
      llvm::cl::init(defaults.keySubgroups)};
  Option<std::string> recompute{
      *this, "recompute",
      llvm::cl::desc(
          "Elementwise operands of contractions that each workgroup may "
          "compute again: all, cheap (those that cost less to compute again "
          "than to store) or none; the others are computed once and stored"),
      llvm::cl::init("cheap")};
  Option<int64_t> reduction{
      *this, "reduction",
      llvm::cl::desc("Elements that a contraction sums in each iteration, if "
                     "nothing is reduced online; 0 chooses"),
      llvm::cl::init(defaults.reduction)};
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_GPUTILEOPTIONS_H
