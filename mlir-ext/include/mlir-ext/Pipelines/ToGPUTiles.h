//===- ToGPUTiles.h - From linalg to workgroups -----------------*- C++ -*-===//
//
// The first part of the GPU pipelines, which does not depend on the vendor. It
// creates one `scf.forall` over workgroups for each kernel. The body computes
// on vectors, and each vector holds a whole tile.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TOGPUTILES_H
#define MLIR_EXT_PIPELINES_TOGPUTILES_H

#include "mlir-ext/Pipelines/GPUTileOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

struct ToGPUTilesPipelineOptions
    : public PassPipelineOptions<ToGPUTilesPipelineOptions>,
      public GPUTilePipelineOptions {
  ToGPUTilesPipelineOptions()
      : GPUTilePipelineOptions({/*rows=*/64, /*columns=*/64, /*keys=*/64,
                                /*split=*/-1, /*keySubgroups=*/1,
                                /*reduction=*/64}) {}

  ListOption<std::string> ways{
      *this, "ways",
      llvm::cl::desc("How kernels may multiply elements of 16 bits: sync, async, "
                     "roles, persistent (roles, and workgroups compute "
                     "several tiles); sync if none is given")};
  Option<bool> opByOp{
      *this, "op-by-op",
      llvm::cl::desc("Leave what would be fused into the loops of a root unfused, "
                     "and report it"),
      llvm::cl::init(false)};
  Option<int64_t> asyncRows{
      *this, "async-rows",
      llvm::cl::desc("Rows of the tile of asynchronous products; 0 chooses"),
      llvm::cl::init(0)};
  Option<int64_t> asyncColumns{
      *this, "async-columns",
      llvm::cl::desc("Columns of that tile, where nothing is reduced online; 0 "
                     "chooses"),
      llvm::cl::init(0)};
  Option<int64_t> asyncReduction{
      *this, "async-reduction",
      llvm::cl::desc(
          "Elements of the sums of asynchronous products in each "
          "iteration, where nothing is reduced online; 0 chooses 128 "
          "bytes"),
      llvm::cl::init(0)};
  Option<bool> asyncF8{*this, "async-f8",
                       llvm::cl::desc("Asynchronous products may read f8"),
                       llvm::cl::init(false)};
  Option<bool> roundWeights{
      *this, "round-weights",
      llvm::cl::desc("With async-f8, weights of a softmax may be rounded to f8"),
      llvm::cl::init(false)};
  Option<std::string> rotateLoops{
      *this, "rotate-loops",
      llvm::cl::desc("Whether loops with roles order their products across "
                     "iterations: auto (in kernels that are faster so), true or false"),
      llvm::cl::init("auto")};
  Option<int64_t> maxRow{*this, "max-row",
                         llvm::cl::desc("Number of elements of the longest row "
                                        "that is reduced within one tile"),
                         llvm::cl::init(1024)};
  Option<int64_t> rowTile{
      *this, "row-tile",
      llvm::cl::desc("Elements of a longer row in each iteration"),
      llvm::cl::init(256)};
  Option<int64_t> rowElements{
      *this, "row-elements",
      llvm::cl::desc("Elements of all rows that one workgroup reduces, if it "
                     "reduces several; rows longer than max-row are then "
                     "reduced in the workgroup that reads them again; 0 sets "
                     "no bound, and does not fuse longer rows"),
      llvm::cl::init(0)};
  ListOption<int64_t> versionsByRowLength{
      *this, "versions-by-row-length",
      llvm::cl::desc(
          "Lengths in elements: rows of dynamic length that are read again get "
          "one kernel for rows of up to each length")};
  ListOption<int64_t> versionsByM{
      *this, "versions-by-m",
      llvm::cl::desc(
          "Numbers of rows: products of 16-bit elements get one kernel, with "
          "split sums, for up to each number; ignored if 'rows' is given")};
  Option<bool> tighten{
      *this, "tighten",
      llvm::cl::desc(
          "Skip tiles that a mask hides completely; false computes all tiles"),
      llvm::cl::init(true)};
  Option<bool> splitFullBlocks{
      *this, "split-full-blocks",
      llvm::cl::desc(
          "Compute tiles that no mask touches in a loop without masks"),
      llvm::cl::init(true)};
  Option<bool> splitWideProducts{
      *this, "split-wide-products",
      llvm::cl::desc("Give tiles that are whole, or that no mask touches, a "
                     "loop of their own also where elements of more than 16 "
                     "bits are multiplied"),
      llvm::cl::init(true)};
  Option<bool> peel{
      *this, "peel",
      llvm::cl::desc("Compute the last tile of a loop after it, if it may be "
                     "smaller, so that the loop needs no masks for it"),
      llvm::cl::init(false)};
  Option<int64_t> maxElements{
      *this, "max-elements",
      llvm::cl::desc("Number of elements of the largest vector"),
      llvm::cl::init(65536)};
  Option<int64_t> multipleOf{
      *this, "multiple-of",
      llvm::cl::desc("Number that each dimension of a vector is a multiple of, "
                     "unless it has one element"),
      llvm::cl::init(1)};
  Option<int64_t> rowMultipleOf{
      *this, "row-multiple-of",
      llvm::cl::desc(
          "The same for workgroups without contractions, in longer dimensions; "
          "shorter ones become powers of two; 0 uses multiple-of"),
      llvm::cl::init(0)};
  Option<int64_t> numThreads{
      *this, "num-threads",
      llvm::cl::desc("Threads of a workgroup; makes each loop over workgroups "
                     "a gpu.launch; 0 keeps the loops"),
      llvm::cl::init(0)};
  Option<int64_t> band{
      *this, "band",
      llvm::cl::desc(
          "Rows of tiles whose workgroups follow each other in the grid, where "
          "the rows and the columns of tiles share what they read"),
      llvm::cl::init(1)};
  Option<bool> useProcessors{
      *this, "use-processors",
      llvm::cl::desc("Choose tiles of contractions of known sizes for the "
                     "number of processors of the target"),
      llvm::cl::init(true)};
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToGPUTilesPipelineOptions &options,
                           std::string &error);

/// First part: lowers linalg on tensors to loops over workgroups with
/// structured ops on tensors.
void buildWorkgroupPipeline(OpPassManager &pm,
                            const ToGPUTilesPipelineOptions &options);

/// Second part: rewrites the bodies of these loops to compute on vectors. They
/// still read and write tensors.
void buildTileVectorPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// Third part: bufferizes the functions (buildGPUBufferPipeline). If
/// `num-threads` is not 0, rewrites the loops over workgroups as gpu.launch.
void buildTileBufferPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// linalg-ext-to-gpu-tiles: all three parts.
void buildToGPUTilesPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// Bufferizes functions on tensors, with or without loops over workgroups.
/// Appends a buffer argument for each result.
void buildGPUBufferPipeline(OpPassManager &pm);

void registerToGPUTilesPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TOGPUTILES_H
