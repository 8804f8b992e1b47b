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
          "Columns of that tile, where nothing is reduced online; 0 chooses, "
          "at most 128 for products of 16-bit elements and 64 for others"),
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
          "Parts of the subgroups of a workgroup that share the keys of a row: "
          "each reduces 'keys' of its own in each iteration, and the results "
          "are merged through shared memory after the loop; 0 chooses, with "
          "'rows', 'keys' and 'split', where these are left to be chosen and "
          "all sizes are known"),
      llvm::cl::init(defaults.keySubgroups)};
  Option<std::string> recompute{
      *this, "recompute",
      llvm::cl::desc(
          "Elementwise operands of contractions that workgroups may "
          "compute again, each of them: all, cheap or none; others are "
          "computed once and stored"),
      llvm::cl::init("cheap")};
  Option<int64_t> reduction{
      *this, "reduction",
      llvm::cl::desc("Elements that other contractions sum in each iteration; "
                     "0 chooses 32"),
      llvm::cl::init(defaults.reduction)};
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_GPUTILEOPTIONS_H
