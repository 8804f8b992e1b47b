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
};

/// Settings that are no options of the pipeline. The pipelines of a vendor
/// choose them by the chip and by their own options.
struct GPUTileSettings {
  /// The options of linalg-ext-fuse and linalg-ext-tile-to-workgroups with the
  /// same names.
  SmallVector<std::string> ways;
  std::string f8Products = "f16";
  bool weightsInF16 = false;
  bool opByOp = false;
  std::string rotateLoops = "auto";
  int64_t maxRow = 1024;
  int64_t rowTile = 256;
  int64_t rowElements = 0;
  SmallVector<int64_t> versionsByRowLength;
  /// Ignored if `rows` is given.
  SmallVector<int64_t> versionsByM;
  /// The options of linalg-ext-tighten-loop-bounds with the same names.
  bool splitFullBlocks = true;
  bool splitWideProducts = true;
  /// Compute the last tile of a loop after it, if it may be smaller, so that
  /// the loop needs no masks for it.
  bool peel = false;
  /// The options of linalg-ext-vectorize-tiles with the same names.
  int64_t multipleOf = 1;
  int64_t rowMultipleOf = 0;
  /// The options of linalg-ext-map-to-launches with the same names. With 0
  /// threads, loops over workgroups stay loops.
  int64_t numThreads = 0;
  int64_t band = 1;
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToGPUTilesPipelineOptions &options,
                           std::string &error);

/// First part: lowers linalg on tensors to loops over workgroups with
/// structured ops on tensors.
void buildWorkgroupPipeline(OpPassManager &pm,
                            const GPUTilePipelineOptions &options,
                            const GPUTileSettings &settings = {});

/// Second part: rewrites the bodies of these loops to compute on vectors. They
/// still read and write tensors.
void buildTileVectorPipeline(OpPassManager &pm,
                             const GPUTileSettings &settings = {});

/// Third part: bufferizes the functions (buildGPUBufferPipeline). If there are
/// `numThreads`, rewrites the loops over workgroups as gpu.launch.
void buildTileBufferPipeline(OpPassManager &pm,
                             const GPUTileSettings &settings = {});

/// linalg-ext-to-gpu-tiles: all three parts.
void buildToGPUTilesPipeline(OpPassManager &pm,
                             const GPUTilePipelineOptions &options,
                             const GPUTileSettings &settings = {});

/// Bufferizes functions on tensors, with or without loops over workgroups.
/// Appends a buffer argument for each result.
void buildGPUBufferPipeline(OpPassManager &pm);

void registerToGPUTilesPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TOGPUTILES_H
