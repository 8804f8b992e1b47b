//===- ToGPUTiles.cpp - From linalg to workgroups -------------------------===//
//
// On a GPU the tiles of a loop stay in registers. Vectorisation therefore works
// on tensors, which are values, and only memory accesses remain for
// bufferization. On a CPU the order is reversed (docs/Rationale/CPU.md).
//
//   1. Normalise, tile and fuse online reductions, tighten loop bounds.
//   2. Tile all other ops to workgroups.
//   3. Vectorise the tiles.
//   4. Bufferize.
//   5. Order the workgroups, and create launches.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/ToGPUTiles.h"
#include "CleanUp.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"

#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most iterations of a loop over layers that is unrolled.
static constexpr int64_t kMostUnrolledLayers = 128;

LogicalResult
mlir::linalg_ext::checkOptions(const ToGPUTilesPipelineOptions &options,
                               std::string &error) {
  if (failed(checkBetween("rows", options.rows, 0, kMostTileSize, error)) ||
      failed(
          checkBetween("columns", options.columns, 0, kMostTileSize, error)) ||
      failed(checkBetween("keys", options.keys, 0, kMostTileSize, error)) ||
      failed(checkBetween("split", options.split, -1, kMostTileSize, error)) ||
      failed(checkAtLeast("key-subgroups", options.keySubgroups, 0, error)) ||
      failed(checkBetween("reduction", options.reduction, 0, kMostTileSize,
                          error)) ||
      failed(checkAtLeast("max-row", options.maxRow, 1, error)) ||
      failed(
          checkBetween("row-tile", options.rowTile, 1, kMostTileSize, error)) ||
      failed(checkAtLeast("row-elements", options.rowElements, 0, error)) ||
      failed(checkAtLeast("max-elements", options.maxElements, 1, error)) ||
      failed(checkAtLeast("multiple-of", options.multipleOf, 1, error)) ||
      failed(
          checkAtLeast("row-multiple-of", options.rowMultipleOf, 0, error)) ||
      failed(checkAtLeast("num-threads", options.numThreads, 0, error)) ||
      failed(checkAtLeast("band", options.band, 1, error)))
    return failure();
  std::string text;
  if (failed(parseRecompute(options.recompute, text)))
    return refuseOption("recompute", text, error);
  SmallVector<std::string> ways(options.ways.begin(), options.ways.end());
  if (!vector_ext::ProductWays::parse(ways, text))
    return refuseOption("ways", text, error);
  if (failed(checkBetween("async-rows", options.asyncRows, 0, kMostTileSize,
                          error)) ||
      failed(checkAtLeast("async-columns", options.asyncColumns, 0, error)) ||
      failed(checkAtLeast("async-reduction", options.asyncReduction, 0, error)))
    return failure();
  return checkFusionOptions(options, error);
}

void mlir::linalg_ext::buildWorkgroupPipeline(
    OpPassManager &pm, const ToGPUTilesPipelineOptions &options) {
  // 1. Online reductions and what is fused with them. A manifest has no loops
  // around kernels.
  LinalgExtNormalizePassOptions normalize;
  normalize.unrollLoops = kMostUnrolledLayers;
  pm.addPass(createLinalgExtNormalizePass(normalize));
  LinalgExtSplitConcatenationsPassOptions reduceParts, readParts;
  reduceParts.steps = {"reduce-parts"};
  readParts.steps = {"read-parts"};
  // Reshapes of the parts are no longer behind a concatenation, and may be of
  // another.
  for (int round = 0; round < 2; ++round) {
    pm.addPass(createLinalgExtSplitConcatenationsPass(reduceParts));
    pm.addPass(createLinalgExtNormalizePass());
  }
  LinalgExtFusePassOptions fuse;
  fuse.target = "gpu";
  fuse.rows = options.rows;
  fuse.keys = options.keys;
  fuse.split = options.split;
  fuse.keySubgroups = options.keySubgroups;
  fuse.opByOp = options.opByOp;
  fuse.markReported = true;
  fuse.ways.assign(options.ways.begin(), options.ways.end());
  fuse.asyncF8 = options.asyncF8;
  fuse.roundWeights = options.roundWeights;
  if (options.numThreads > 0)
    fuse.threads = options.numThreads;
  fuse.rotateLoops = options.rotateLoops;
  fuse.recompute = options.recompute;
  setFusionOptions(fuse, options);
  pm.addPass(createLinalgExtFusePass(fuse));
  if (options.tighten) {
    LinalgExtTightenLoopBoundsPassOptions tighten;
    tighten.splitFullBlocks = options.splitFullBlocks;
    tighten.wholeTiles = options.peel;
    tighten.splitWideProducts = options.splitWideProducts;
    pm.addPass(createLinalgExtTightenLoopBoundsPass(tighten));
  }
  pm.addPass(createLinalgExtSplitConcatenationsPass(readParts));
  pm.addPass(createLinalgExtDecomposePass());
  addCleanUp(pm);
  // Chunks of what is reduced get workgroups of their own.
  LinalgExtScheduleForallPassOptions fission;
  fission.steps = {"fission"};
  pm.addPass(createLinalgExtScheduleForallPass(fission));
  addCleanUp(pm);
  LinalgExtNormalizePassOptions elementwise;
  elementwise.patterns = {"compute-tables", "fuse-elementwise"};
  pm.addPass(createLinalgExtNormalizePass(elementwise));
  addCleanUp(pm);

  // 2. Everything else.
  LinalgExtTileToWorkgroupsPassOptions tile;
  tile.rows = options.rows == 0 ? 64 : options.rows;
  tile.columns = options.columns == 0 ? 64 : options.columns;
  tile.reduction = options.reduction == 0 ? 32 : options.reduction;
  // Those that are given are for all.
  tile.narrowRows = options.rows == 0 ? 128 : options.rows;
  tile.narrowColumns = options.columns == 0 ? 128 : options.columns;
  tile.smallReduction = options.reduction == 0 ? 64 : options.reduction;
  tile.useProcessors =
      options.useProcessors && options.rows == 0 && options.columns == 0;
  tile.maxRow = options.maxRow;
  tile.rowTile = options.rowTile;
  tile.rowElements = options.rowElements;
  tile.versionsByRowLength.assign(options.versionsByRowLength.begin(),
                                  options.versionsByRowLength.end());
  if (options.rows == 0)
    tile.versionsByM.assign(options.versionsByM.begin(),
                            options.versionsByM.end());
  tile.ways.assign(options.ways.begin(), options.ways.end());
  tile.asyncRows = options.asyncRows;
  tile.asyncColumns = options.asyncColumns;
  tile.asyncReduction = options.asyncReduction;
  tile.asyncF8 = options.asyncF8;
  if (options.numThreads > 0)
    tile.threads = options.numThreads;
  tile.report = options.report == "all";
  LinalgExtSplitConcatenationsPassOptions selectParts;
  selectParts.steps = {"select-parts"};
  pm.addPass(createLinalgExtSplitConcatenationsPass(selectParts));
  LinalgExtPrepareDestinationsPassOptions destinations;
  // Concatenations and padding of which only loops over tiles read parts are
  // read there. What is left is written.
  for (StringRef step : {"write-unread", "write-into"}) {
    destinations.steps = {step.str()};
    pm.addPass(createLinalgExtPrepareDestinationsPass(destinations));
    pm.addPass(createLinalgExtTileToWorkgroupsPass(tile));
    // Before a slice that takes all is folded away.
    pm.addPass(createLinalgExtSplitConcatenationsPass(readParts));
    // Sizes of what is fused into loops by now would keep it alive.
    pm.addPass(memref::createResolveShapedTypeResultDimsPass());
    addCleanUp(pm);
  }
  // Chunks of sums.
  pm.addPass(createLinalgExtScheduleForallPass(fission));
  addCleanUp(pm);
  LinalgExtFusePassOptions traffic;
  traffic.target = "gpu";
  traffic.steps = {"traffic"};
  setFusionOptions(traffic, options);
  pm.addPass(createLinalgExtFusePass(traffic));
}

void mlir::linalg_ext::buildTileVectorPipeline(
    OpPassManager &pm, const ToGPUTilesPipelineOptions &options) {
  // 3. Vectors.
  if (options.peel) {
    LinalgExtTightenLoopBoundsPassOptions peel;
    peel.remainders = true;
    peel.splitWideProducts = options.splitWideProducts;
    pm.addPass(createLinalgExtTightenLoopBoundsPass(peel));
    addCleanUp(pm);
  }
  LinalgExtVectorizeTilesPassOptions vectorize;
  vectorize.maxElements = options.maxElements;
  vectorize.multipleOf = options.multipleOf;
  vectorize.rowMultipleOf = options.rowMultipleOf;
  pm.addPass(createLinalgExtVectorizeTilesPass(vectorize));
  addCleanUp(pm);
}

void mlir::linalg_ext::buildGPUBufferPipeline(OpPassManager &pm) {
  // 4. Buffers.
  LinalgExtPrepareDestinationsPassOptions privatize;
  privatize.steps = {"privatize"};
  pm.addPass(createLinalgExtPrepareDestinationsPass(privatize));
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanUp(pm);
  LinalgExtPrepareCInterfacePassOptions results;
  results.requestWrappers = false;
  pm.addPass(createLinalgExtPrepareCInterfacePass(results));
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.hoistDynamicAllocs = true;
  outParams.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  bufferization::buildBufferDeallocationPipeline(pm, {});
  pm.addPass(createConvertBufferizationToMemRefPass());
  addCleanUp(pm);
}

void mlir::linalg_ext::buildTileBufferPipeline(
    OpPassManager &pm, const ToGPUTilesPipelineOptions &options) {
  buildGPUBufferPipeline(pm);

  // 5. Kernels.
  LinalgExtScheduleForallPassOptions order;
  order.steps = {"order-by-work"};
  pm.addPass(createLinalgExtScheduleForallPass(order));
  if (options.numThreads > 0) {
    LinalgExtMapToLaunchesPassOptions launch;
    launch.steps = {"workgroups"};
    launch.numThreads = options.numThreads;
    launch.band = options.band;
    pm.addPass(createLinalgExtMapToLaunchesPass(launch));
    addCleanUp(pm);
  }
}

void mlir::linalg_ext::buildToGPUTilesPipeline(
    OpPassManager &pm, const ToGPUTilesPipelineOptions &options) {
  buildWorkgroupPipeline(pm, options);
  buildTileVectorPipeline(pm, options);
  buildTileBufferPipeline(pm, options);
}

void mlir::linalg_ext::registerToGPUTilesPipelines() {
  registerCheckedPipeline<ToGPUTilesPipelineOptions>(
      "linalg-ext-to-gpu-tiles",
      "Lower linalg on tensors to loops over workgroups, on vectors",
      buildToGPUTilesPipeline);
}
