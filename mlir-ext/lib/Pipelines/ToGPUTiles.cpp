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
                          error)))
    return failure();
  std::string text;
  if (failed(parseRecompute(options.recompute, text)))
    return refuseOption("recompute", text, error);
  return checkFusionOptions(options, error);
}

void mlir::linalg_ext::buildWorkgroupPipeline(
    OpPassManager &pm, const GPUTilePipelineOptions &options,
    const GPUTileSettings &settings) {
  // 1. Fuse online reductions with other ops. Kernels of short loops are
  //    launched without a loop, and may be fused across iterations.
  LinalgExtNormalizePassOptions normalize;
  normalize.unrollLoops = kMostUnrolledLayers;
  pm.addPass(createLinalgExtNormalizePass(normalize));
  LinalgExtSplitConcatenationsPassOptions reduceParts, readParts;
  reduceParts.steps = {"reduce-parts", "split-gates"};
  readParts.steps = {"read-parts"};
  // Reshapes of the parts are now before a concatenation, and may follow
  // another one.
  for (int round = 0; round < 2; ++round) {
    pm.addPass(createLinalgExtSplitConcatenationsPass(reduceParts));
    pm.addPass(createLinalgExtNormalizePass());
  }
  LinalgExtNormalizePassOptions words;
  words.patterns = {"sum-windows", "merge-words", "split-all-zero-points"};
  pm.addPass(createLinalgExtNormalizePass(words));
  LinalgExtFusePassOptions fuse;
  fuse.target = "gpu";
  fuse.rows = options.rows;
  fuse.keys = options.keys;
  fuse.split = options.split;
  fuse.keySubgroups = options.keySubgroups;
  fuse.opByOp = settings.opByOp;
  fuse.markReported = true;
  fuse.ways.assign(settings.ways.begin(), settings.ways.end());
  fuse.f8Products = settings.f8Products;
  fuse.weightsInF16 = settings.weightsInF16;
  if (settings.numThreads > 0)
    fuse.threads = settings.numThreads;
  fuse.rotateLoops = settings.rotateLoops;
  fuse.recompute = options.recompute;
  setFusionOptions(fuse, options);
  pm.addPass(createLinalgExtFusePass(fuse));
  LinalgExtTightenLoopBoundsPassOptions tighten;
  tighten.splitFullBlocks = settings.splitFullBlocks;
  tighten.wholeTiles = settings.peel;
  tighten.splitWideProducts = settings.splitWideProducts;
  pm.addPass(createLinalgExtTightenLoopBoundsPass(tighten));
  pm.addPass(createLinalgExtSplitConcatenationsPass(readParts));
  pm.addPass(createLinalgExtDecomposePass());
  addCleanUp(pm);
  // Chunks of a reduced dimension get separate workgroups.
  LinalgExtScheduleForallPassOptions fission;
  fission.steps = {"fission"};
  pm.addPass(createLinalgExtScheduleForallPass(fission));
  addCleanUp(pm);
  LinalgExtNormalizePassOptions elementwise;
  elementwise.patterns = {"compute-tables", "fuse-elementwise"};
  pm.addPass(createLinalgExtNormalizePass(elementwise));
  addCleanUp(pm);

  // 2. Tile all other ops.
  LinalgExtTileToWorkgroupsPassOptions tile;
  tile.rows = options.rows;
  tile.columns = options.columns;
  tile.reduction = options.reduction;
  tile.maxRow = settings.maxRow;
  tile.rowTile = settings.rowTile;
  tile.rowElements = settings.rowElements;
  tile.versionsByRowLength.assign(settings.versionsByRowLength.begin(),
                                  settings.versionsByRowLength.end());
  if (options.rows == 0)
    tile.versionsByM.assign(settings.versionsByM.begin(),
                            settings.versionsByM.end());
  tile.ways.assign(settings.ways.begin(), settings.ways.end());
  tile.asyncF8 = settings.f8Products != "f16";
  if (settings.numThreads > 0)
    tile.threads = settings.numThreads;
  tile.report = options.report == "all";
  LinalgExtSplitConcatenationsPassOptions selectParts;
  selectParts.steps = {"select-parts"};
  pm.addPass(createLinalgExtSplitConcatenationsPass(selectParts));
  LinalgExtPrepareDestinationsPassOptions destinations;
  // If only loops over tiles read the parts of a concatenation or padding, they
  // are read in place. The rest is written.
  for (StringRef step : {"write-unread", "write-into"}) {
    destinations.steps = {step.str()};
    pm.addPass(createLinalgExtPrepareDestinationsPass(destinations));
    pm.addPass(createLinalgExtTileToWorkgroupsPass(tile));
    // This must run before a slice of the whole tensor is folded away.
    pm.addPass(createLinalgExtSplitConcatenationsPass(readParts));
    // Otherwise, sizes of ops that are now fused into loops would keep these
    // ops alive.
    pm.addPass(memref::createResolveShapedTypeResultDimsPass());
    addCleanUp(pm);
  }
  // Create chunks of sums.
  pm.addPass(createLinalgExtScheduleForallPass(fission));
  addCleanUp(pm);
  LinalgExtFusePassOptions traffic;
  traffic.target = "gpu";
  traffic.steps = {"traffic"};
  setFusionOptions(traffic, options);
  pm.addPass(createLinalgExtFusePass(traffic));
}

void mlir::linalg_ext::buildTileVectorPipeline(
    OpPassManager &pm, const GPUTileSettings &settings) {
  // 3. Make vectors.
  if (settings.peel) {
    LinalgExtTightenLoopBoundsPassOptions peel;
    peel.remainders = true;
    peel.splitWideProducts = settings.splitWideProducts;
    pm.addPass(createLinalgExtTightenLoopBoundsPass(peel));
    addCleanUp(pm);
  }
  LinalgExtVectorizeTilesPassOptions vectorize;
  vectorize.multipleOf = settings.multipleOf;
  vectorize.rowMultipleOf = settings.rowMultipleOf;
  pm.addPass(createLinalgExtVectorizeTilesPass(vectorize));
  addCleanUp(pm);
}

void mlir::linalg_ext::buildGPUBufferPipeline(OpPassManager &pm) {
  // 4. Make buffers.
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
    OpPassManager &pm, const GPUTileSettings &settings) {
  buildGPUBufferPipeline(pm);

  // 5. Make kernels.
  LinalgExtScheduleForallPassOptions order;
  order.steps = {"order-by-work"};
  pm.addPass(createLinalgExtScheduleForallPass(order));
  if (settings.numThreads > 0) {
    LinalgExtMapToLaunchesPassOptions launch;
    launch.steps = {"workgroups"};
    launch.numThreads = settings.numThreads;
    launch.band = settings.band;
    pm.addPass(createLinalgExtMapToLaunchesPass(launch));
    addCleanUp(pm);
  }
}

void mlir::linalg_ext::buildToGPUTilesPipeline(
    OpPassManager &pm, const GPUTilePipelineOptions &options,
    const GPUTileSettings &settings) {
  buildWorkgroupPipeline(pm, options, settings);
  buildTileVectorPipeline(pm, settings);
  buildTileBufferPipeline(pm, settings);
}

void mlir::linalg_ext::registerToGPUTilesPipelines() {
  registerCheckedPipeline<ToGPUTilesPipelineOptions>(
      "linalg-ext-to-gpu-tiles",
      "Lower linalg on tensors to loops over workgroups, on vectors",
      [](OpPassManager &pm, const ToGPUTilesPipelineOptions &options) {
        buildToGPUTilesPipeline(pm, options);
      });
}
