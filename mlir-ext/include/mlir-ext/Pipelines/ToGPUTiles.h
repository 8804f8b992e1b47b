//===- ToGPUTiles.h - From linalg to programs of workgroups -----*- C++ -*-===//
//
// The vendor-neutral front of the GPU pipelines: one `scf.forall` over
// workgroups for each kernel, whose body computes on vectors as large as its
// tiles.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TOGPUTILES_H
#define MLIR_EXT_PIPELINES_TOGPUTILES_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::linalg_ext {

struct ToGPUTilesPipelineOptions
    : public PassPipelineOptions<ToGPUTilesPipelineOptions>,
      public FusionPipelineOptions {
  Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc("Rows of the tile that a workgroup computes; 0 chooses"),
      llvm::cl::init(64)};
  Option<int64_t> columns{
      *this, "columns",
      llvm::cl::desc(
          "Columns of that tile, of contractions that reduce nothing "
          "online, and of elementwise ops; 0 chooses"),
      llvm::cl::init(64)};
  Option<int64_t> keys{
      *this, "keys",
      llvm::cl::desc(
          "Elements of the dimension that is reduced online, in each "
          "iteration"),
      llvm::cl::init(64)};
  Option<int64_t> split{
      *this, "split",
      llvm::cl::desc("Elements of the dimension that is reduced online, of a "
                     "workgroup: those of a row are shared by several; 0 "
                     "chooses, -1 is all"),
      llvm::cl::init(-1)};
  Option<int64_t> reduction{
      *this, "reduction",
      llvm::cl::desc(
          "Elements that other contractions sum in each iteration; 0 "
          "chooses"),
      llvm::cl::init(64)};
  Option<int64_t> maxRow{
      *this, "max-row",
      llvm::cl::desc("Elements of a row that is reduced within one tile"),
      llvm::cl::init(1024)};
  Option<int64_t> rowTile{
      *this, "row-tile",
      llvm::cl::desc("Elements of a longer row in each iteration"),
      llvm::cl::init(256)};
  Option<int64_t> rowElements{
      *this, "row-elements",
      llvm::cl::desc(
          "Elements of the rows of a workgroup that reduces them; "
          "longer rows are reduced where they are read again; 0 sets "
          "no bound"),
      llvm::cl::init(0)};
  ListOption<int64_t> shortRows{
      *this, "short-rows",
      llvm::cl::desc("Rows of dynamic length that are read again have kernels "
                     "of their own up to so many elements")};
  ListOption<int64_t> fewRows{
      *this, "few-rows",
      llvm::cl::desc(
          "Products of 16 bits have kernels of their own, with "
          "sums split, up to so many rows (unless 'rows' is given)")};
  Option<bool> tighten{
      *this, "tighten",
      llvm::cl::desc("Leave out the tiles that a mask hides; false visits them "
                     "all"),
      llvm::cl::init(true)};
  Option<bool> splitFullBlocks{
      *this, "split-full-blocks",
      llvm::cl::desc(
          "Give the tiles that no mask touches a loop without masks"),
      llvm::cl::init(true)};
  Option<bool> peel{
      *this, "peel",
      llvm::cl::desc("Compute the last tile of a loop behind it, if it may be "
                     "smaller: in the loop nothing is masked then"),
      llvm::cl::init(false)};
  Option<int64_t> maxElements{
      *this, "max-elements",
      llvm::cl::desc("Elements that a vector has at most"),
      llvm::cl::init(65536)};
  Option<int64_t> multipleOf{
      *this, "multiple-of",
      llvm::cl::desc("What the size of a vector is a multiple of, in each "
                     "dimension of more than one element"),
      llvm::cl::init(1)};
  Option<int64_t> rowMultipleOf{
      *this, "row-multiple-of",
      llvm::cl::desc("The same in workgroups that contract nothing, of longer "
                     "dimensions; shorter ones have a power of two; 0 is "
                     "multiple-of"),
      llvm::cl::init(0)};
  Option<int64_t> numThreads{
      *this, "num-threads",
      llvm::cl::desc(
          "Threads of a workgroup: makes each loop over workgroups a "
          "gpu.launch; 0 leaves the loops"),
      llvm::cl::init(0)};
  Option<int64_t> band{
      *this, "band",
      llvm::cl::desc("Rows of tiles whose workgroups follow each other, where "
                     "rows and columns of them share what they read"),
      llvm::cl::init(1)};
  Option<int64_t> processors{
      *this, "processors",
      llvm::cl::desc("Processors of the device, which tiles of contractions of "
                     "known sizes are chosen for; 0 chooses none"),
      llvm::cl::init(132)};
};

/// Fails with the option that cannot be and what was expected.
LogicalResult checkOptions(const ToGPUTilesPipelineOptions &options,
                           std::string &error);

/// linalg on tensors to loops over workgroups, of structured ops on tensors.
void buildWorkgroupPipeline(OpPassManager &pm,
                            const ToGPUTilesPipelineOptions &options);

/// These to loops over workgroups that compute on vectors, and read and write
/// tensors.
void buildTileVectorPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// These to functions on buffers, with one for each result at the end of the
/// arguments, and to kernels where the options say so.
void buildTileBufferPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// linalg-ext-to-gpu-tiles: all three.
void buildToGPUTilesPipeline(OpPassManager &pm,
                             const ToGPUTilesPipelineOptions &options);

/// Tensors to buffers, of functions of which nothing need be in a workgroup;
/// results become arguments.
void buildGPUBufferPipeline(OpPassManager &pm);

void registerToGPUTilesPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TOGPUTILES_H
