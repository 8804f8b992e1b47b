//===- GPUStages.cpp - Stages of the pipelines for GPUs -------------------===//
//
// The stages of linalg-ext-to-nvvm and linalg-ext-to-rocdl. They differ only in
// a few passes, which the vendor adds:
//
//   0. Lower linalg to gpu.launch ops with code for one thread. Try the chosen
//      tile sizes first, then small tiles, then scalar code.
//   1. Outline kernels.
//   2. Lower kernels to ops that the device has instructions for.
//
//===----------------------------------------------------------------------===//

#include "GPUStages.h"
#include "CleanUp.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Pipelines/ToGPUTiles.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/SmallTiles.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::checkGPUOptions(const GPUPipelineOptions &options,
                                  const GPUTarget &target, std::string &error) {
  if (options.indexBitwidth != 32 && options.indexBitwidth != 64)
    return refuseOption("index-bitwidth",
                        "expected 32 or 64, got " +
                            Twine(options.indexBitwidth.getValue()),
                        error);
  if (failed(checkOneOf("f8-products", options.f8Products, getF8ProductKinds(),
                        error)))
    return failure();
  int64_t threads = options.threads;
  if (threads < target.lanes || threads > target.maxThreads ||
      threads % target.lanes != 0)
    return refuseOption("threads",
                        "expected a multiple of " + Twine(target.lanes) +
                            " up to " + Twine(target.maxThreads) + ", got " +
                            Twine(threads),
                        error);
  if (failed(checkBetween("rows", options.rows, 0, kMostTileSize, error)) ||
      failed(
          checkBetween("columns", options.columns, 0, kMostTileSize, error)) ||
      failed(checkBetween("keys", options.keys, 0, kMostTileSize, error)) ||
      failed(checkBetween("split", options.split, -1, kMostTileSize, error)) ||
      failed(checkAtLeast("key-subgroups", options.keySubgroups, 0, error)) ||
      failed(checkBetween("reduction", options.reduction, 0, kMostTileSize,
                          error)) ||
      failed(checkBetween("stages", options.stages, 0, kMostStages, error)) ||
      failed(checkAtLeast("processors", options.processors, 0, error)))
    return failure();
  // Each part must have the same number of subgroups.
  if (int64_t subgroups = threads / target.lanes;
      options.keySubgroups > 0 && subgroups % options.keySubgroups != 0)
    return refuseOption("key-subgroups",
                        "expected a divisor of " + Twine(subgroups) +
                            ", the subgroups of " + Twine(threads) +
                            " threads, got " +
                            Twine(options.keySubgroups.getValue()),
                        error);
  std::string text;
  if (failed(parseRecompute(options.recompute, text)))
    return refuseOption("recompute", text, error);
  return checkFusionOptions(options, error);
}

namespace {
/// The kinds of tiles that a pipeline makes.
enum class TileKind {
  /// Tiles of the given or chosen sizes. Each kernel multiplies in the way that
  /// is chosen for it.
  OfKernels,
  /// The same tiles, without asynchronous products.
  Sync,
  /// Small tiles, for programs that would become too much code otherwise.
  Small,
  /// Like Sync, but without fusing roots.
  OpByOp
};
} // namespace

static void addAttachTarget(OpPassManager &pm, const GPUVendor &vendor) {
  LinalgExtAttachTargetPassOptions attach;
  attach.chip = vendor.chip;
  attach.processors = vendor.processors;
  pm.addPass(createLinalgExtAttachTargetPass(attach));
}

/// Returns the settings of the pipeline that makes vectors of tiles, for tiles
/// of `kind`.
static GPUTileSettings getTileSettings(const GPUPipelineOptions &options,
                                       const GPUVendor &vendor, TileKind kind) {
  bool small = kind == TileKind::Small;
  GPUTileSettings settings;
  if (kind == TileKind::OfKernels) {
    for (const std::string &way : vendor.ways)
      settings.ways.push_back(way);
    if (!vendor.ways.empty())
      settings.f8Products = options.f8Products;
    settings.rotateLoops = vendor.rotateLoops;
  }
  settings.weightsInF16 = options.excessPrecision;
  settings.opByOp = kind == TileKind::OpByOp;
  settings.numThreads = options.threads;
  settings.band = 8;
  // Rows take 32 or 64 registers of a thread. Longer rows are read from a cache
  // again.
  settings.maxRow = small ? SmallTiles::kMaxRow : 64 * options.threads;
  settings.rowTile = small ? SmallTiles::kRowTile : 32 * options.threads;
  settings.rowElements =
      small ? SmallTiles::kRowElements : 16 * options.threads;
  if (!small) {
    for (int64_t elements : {64, 256, 512, 1024, 2048, 3072, 4096, 6144, 8192,
                             12288, 16384, 24576, 32768})
      settings.versionsByRowLength.push_back(elements);
    for (int64_t rows : {16, 64})
      settings.versionsByM.push_back(rows);
  }
  // The instructions of tensor cores have this multiple in common.
  settings.multipleOf = 16;
  // Lanes load 16 bytes of f32 each.
  settings.rowMultipleOf = small ? 0 : 4 * vendor.target.lanes;
  // Remainders get separate loops, so that the other iterations need no masks.
  settings.peel = !small;
  // Small tiles are for programs that would become too much code.
  settings.splitFullBlocks = !small;
  // If each product is an instruction, a loop is a large part of the code that
  // a processor's instruction cache holds. Its mask costs less than a copy of
  // the loop.
  settings.splitWideProducts = options.f32Products != "fma";
  return settings;
}

/// Adds the passes that make vectors of tiles.
static void addVectorsInTiles(OpPassManager &pm,
                              const GPUPipelineOptions &options,
                              const GPUVendor &vendor, TileKind kind) {
  bool small = kind == TileKind::Small;
  auto atMost = [&](int64_t size, int64_t bound) {
    return small ? (size == 0 ? bound : std::min(size, bound)) : size;
  };
  ToGPUTilesPipelineOptions tiles;
  tiles.rows = small ? SmallTiles::kRows : options.rows;
  tiles.columns = atMost(options.columns, SmallTiles::kColumns);
  tiles.keys = small ? SmallTiles::kKeys : options.keys;
  tiles.split = small ? -1 : options.split;
  // The choice is made for as many threads as products have.
  bool mayChoose =
      vendor.choosesKeySubgroups && options.threads == kProductThreads;
  tiles.keySubgroups = small || (options.keySubgroups == 0 && !mayChoose)
                           ? 1
                           : options.keySubgroups.getValue();
  tiles.reduction = atMost(options.reduction, SmallTiles::kReduction);
  tiles.recompute = options.recompute;
  setFusionOptions(tiles, options);
  buildToGPUTilesPipeline(pm, tiles, getTileSettings(options, vendor, kind));
}

/// Adds passes for cheaper arithmetic on these vectors, and for versions of
/// launches.
static void addSimplifiedTiles(OpPassManager &pm,
                               const GPUPipelineOptions &options,
                               const GPUVendor &vendor, TileKind kind) {
  vector_ext::VectorExtSimplifyPassOptions simplify;
  if (options.excessPrecision)
    simplify.patterns.push_back("excess-precision");
  for (const char *patterns :
       {"fold-exp2", "factor-out-of-max", "scale-weights", "narrow-comparisons",
        "small-differences", "widen-stores"})
    simplify.patterns.push_back(patterns);
  // Scaled weights are not rounded either.
  if (options.excessPrecision)
    simplify.patterns.push_back("factor-out-of-sums");
  pm.addPass(vector_ext::createVectorExtSimplifyPass(simplify));
  pm.addPass(memref::createFoldMemRefAliasOpsPass());
  addCleanUp(pm);
  // By now, conditions that mask a score twice are one value.
  vector_ext::VectorExtSimplifyPassOptions masks;
  if (options.mergeMasks)
    masks.patterns.push_back("merge-masks");
  if (options.approximateExponents)
    for (const char *patterns : {"approximate-exponents", "start-from-bias"})
      masks.patterns.push_back(patterns);
  if (!masks.patterns.empty())
    pm.addPass(vector_ext::createVectorExtSimplifyPass(masks));
  // Small tiles are for programs that would become too much code.
  LinalgExtGPUPrepareLaunchesPassOptions versions, loops;
  loops.steps = {"coalesce-loops"};
  if (kind != TileKind::Small) {
    versions.steps = {"version-launches"};
    // A tile of 256 such rows has offsets of 32 bits.
    if (vendor.hasBufferLoads)
      versions.maxBytes = 4 << 20;
    pm.addPass(createLinalgExtGPUPrepareLaunchesPass(versions));
    pm.addPass(createCSEPass());
    loops.steps = {"assume-branches", "coalesce-loops"};
  }
  pm.addPass(createLinalgExtGPUPrepareLaunchesPass(loops));
  addCleanUp(pm);
}

/// Adds the pass that gives each of their contractions a config.
static void addConfig(OpPassManager &pm, const GPUPipelineOptions &options,
                      const GPUVendor &vendor, TileKind kind) {
  LinalgExtSelectConfigPassOptions config;
  config.buffers = options.stages;
  config.f32Products = options.f32Products;
  config.f8Products = options.f8Products;
  config.maxBuffers = kind == TileKind::Small ? 2 : 4;
  // One buffer is read, and one is copied to. Registers hold the next tiles if
  // all copies go through them.
  if (vendor.hasLaneCopies)
    config.buffers = options.stages == 1 ? 1 : 2;
  else if (vendor.target.asyncCopies == 0)
    config.buffers = 1;
  if (kind == TileKind::OfKernels)
    for (const std::string &name : vendor.asyncIntrinsics)
      config.first.push_back(name);
  pm.addPass(createLinalgExtSelectConfigPass(config));
}

/// Adds the passes that make vectors of tiles, with a config for each
/// contraction.
static void addConfiguredTiles(OpPassManager &pm,
                               const GPUPipelineOptions &options,
                               const GPUVendor &vendor, TileKind kind) {
  addVectorsInTiles(pm, options, vendor, kind);
  addSimplifiedTiles(pm, options, vendor, kind);
  addConfig(pm, options, vendor, kind);
  if (!options.excessPrecision)
    return;
  vector_ext::VectorExtSimplifyPassOptions integers;
  integers.patterns = {"sum-integers"};
  pm.addPass(vector_ext::createVectorExtSimplifyPass(integers));
}

/// Adds the same passes, and distributes the vectors.
static void addTiles(OpPassManager &pm, const GPUPipelineOptions &options,
                     const GPUVendor &vendor, TileKind kind) {
  addConfiguredTiles(pm, options, vendor, kind);
  bool mayBeAsync =
      kind == TileKind::OfKernels && !vendor.asyncIntrinsics.empty();
  if (mayBeAsync) {
    LinalgExtGPUPrepareLaunchesPassOptions stored;
    stored.steps = {"permute-sums"};
    pm.addPass(createLinalgExtGPUPrepareLaunchesPass(stored));
    vector_ext::VectorExtPipelineProductsPassOptions stage, schedule;
    stage.steps = {"stage-tiles",  "share-tiles",        "persist-workgroups",
                   "assign-roles", "multiply-positions", "hold-operands"};
    stage.slots = options.stages;
    pm.addPass(vector_ext::createVectorExtPipelineProductsPass(stage));
    schedule.steps = {"lower-rings"};
    if (vendor.rotateLoops != "false") {
      addCleanUp(pm);
      schedule.steps.insert(schedule.steps.begin(), "rotate-loops");
    }
    pm.addPass(vector_ext::createVectorExtPipelineProductsPass(schedule));
    vector_ext::VectorExtSimplifyPassOptions first;
    first.patterns = {"fold-first-factors"};
    pm.addPass(vector_ext::createVectorExtSimplifyPass(first));
    addCleanUp(pm);
  }
  vector_ext::VectorExtDistributePassOptions distribute;
  const GPUTarget &target = vendor.target;
  distribute.matrixLoads = target.matrixLoads != 0;
  distribute.asyncCopies = target.asyncCopies != 0;
  distribute.bufferLoads = vendor.hasBufferLoads;
  distribute.transposeLoads = vendor.hasTransposeLoads;
  distribute.laneCopies = vendor.hasLaneCopies;
  distribute.wideWrites = vendor.hasWideWrites;
  distribute.reportData = options.reportData;
  pm.addPass(vector_ext::createVectorExtDistributePass(distribute));
  vector_ext::VectorExtSimplifyPassOptions simplify;
  simplify.patterns = {"split-positions"};
  pm.addPass(vector_ext::createVectorExtSimplifyPass(simplify));
  LinalgExtGPUOptimizeThreadsPassOptions workgroups, threads;
  workgroups.steps = {"split-workgroups", "prefetch-rows"};
  workgroups.workgroupThreads = options.threads;
  threads.steps = {"branch-over-updates", "unroll-reads", "sum-in-parts",
                   "sink-loads"};
  // This is for loads that run ahead in registers
  // (linalg-ext-gpu-pipeline-loops).
  if (target.asyncCopies)
    threads.steps.insert(threads.steps.begin() + 1, "spread-loads");
  // Accumulators of asynchronous products leave few registers.
  if (mayBeAsync) {
    threads.steps.insert(threads.steps.begin(), "branch-over-signs");
    for (const char *step : {"await-behind-loops", "compute-in-parts"})
      threads.steps.insert(threads.steps.end() - 1, step);
  }
  pm.addPass(createLinalgExtGPUOptimizeThreadsPass(workgroups));
  // Kernels of these loops are already code of single threads.
  LinalgExtMapToLaunchesPassOptions scalars;
  scalars.steps = {"scalars"};
  scalars.numThreads = options.threads;
  scalars.report = options.report;
  scalars.requireFusion = options.requireFusion;
  pm.addPass(createLinalgExtMapToLaunchesPass(scalars));
  LinalgExtGPULowerVectorExtPassOptions mma, roles;
  mma.steps = {"mma"};
  roles.steps = {"roles"};
  pm.addPass(createLinalgExtGPULowerVectorExtPass(mma));
  vector_ext::VectorExtSimplifyPassOptions leaves;
  leaves.patterns = {"canonicalize-leaves"};
  pm.addPass(vector_ext::createVectorExtSimplifyPass(leaves));
  addCleanUp(pm);
  pm.addPass(createLinalgExtGPUOptimizeThreadsPass(threads));
  pm.addPass(createLinalgExtGPUPipelineLoopsPass());
  // Copies that run ahead divide the positions of later iterations.
  LinalgExtGPUOptimizeThreadsPassOptions divisions;
  divisions.steps = {"step-divisions"};
  pm.addPass(createLinalgExtGPUOptimizeThreadsPass(divisions));
  if (mayBeAsync)
    pm.addPass(createLinalgExtGPULowerVectorExtPass(roles));
  LinalgExtGPUPlaceMemoryPassOptions check;
  check.steps = {"check-workgroup-memory"};
  pm.addPass(createLinalgExtGPUPlaceMemoryPass(check));
}

void mlir::linalg_ext::addLinalgToConfigs(OpPassManager &pm,
                                          const GPUPipelineOptions &options,
                                          const GPUVendor &vendor) {
  addAttachTarget(pm, vendor);
  addConfiguredTiles(pm, options, vendor, TileKind::OfKernels);
}

/// Adds passes that accept any shape: a kernel for each op, of scalar code.
static void addScalars(OpPassManager &pm, const GPUPipelineOptions &options) {
  pm.addPass(createLinalgExtNormalizePass());
  LinalgExtFusePassOptions fuse;
  fuse.target = "none";
  fuse.report = options.report;
  fuse.requireFusion = options.requireFusion;
  pm.addPass(createLinalgExtFusePass(fuse));
  pm.addPass(createLinalgExtDecomposePass());
  addCleanUp(pm);
  // Sums are those of the other attempts, in f32.
  LinalgExtNormalizePassOptions elementwise;
  elementwise.patterns = {"widen-accumulators", "fuse-elementwise"};
  pm.addPass(createLinalgExtNormalizePass(elementwise));
  LinalgExtPrepareDestinationsPassOptions destinations;
  destinations.steps = {"write-into"};
  pm.addPass(createLinalgExtPrepareDestinationsPass(destinations));
  addCleanUp(pm);
  buildGPUBufferPipeline(pm);
  LinalgExtMapToLaunchesPassOptions scalars;
  scalars.steps = {"scalars"};
  scalars.numThreads = options.threads;
  scalars.report = options.report;
  scalars.requireFusion = options.requireFusion;
  pm.addPass(createLinalgExtMapToLaunchesPass(scalars));
  addCleanUp(pm);
}

/// 0. Lower linalg to launches with code for threads: in tiles of the given or
///    chosen sizes, in small tiles, or without tiles.
void mlir::linalg_ext::addLinalgToLaunches(OpPassManager &pm,
                                           const GPUPipelineOptions &options,
                                           const GPUVendor &vendor) {
  OpPassManager ofKernels(ModuleOp::getOperationName()),
      tiles(ModuleOp::getOperationName()),
      smallTiles(ModuleOp::getOperationName()),
      opByOp(ModuleOp::getOperationName()),
      scalars(ModuleOp::getOperationName());
  addTiles(ofKernels, options, vendor, TileKind::OfKernels);
  addTiles(tiles, options, vendor, TileKind::Sync);
  addTiles(smallTiles, options, vendor, TileKind::Small);
  addTiles(opByOp, options, vendor, TileKind::OpByOp);
  addScalars(scalars, options);
  LinalgExtCheckOpsPassOptions check;
  check.indexBitwidth = options.indexBitwidth;
  pm.addPass(createLinalgExtCheckOpsPass(check));
  addAttachTarget(pm, vendor);
  // Functions that launchers call launch the kernels. Nothing is folded before
  // the normal form, which avoids upstream's faults.
  pm.addPass(createInlinerPass(/*opPipelines=*/{}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  pm.addNestedPass<func::FuncOp>(createLinalgExtGPUUseArgumentsPass());
  LinalgExtTryPipelinesPassOptions firstOf;
  // Unfused kernels do not satisfy `require-fusion`, so the other attempts have
  // to explain why.
  if (options.requireFusion)
    firstOf.pipelines = {tiles, smallTiles};
  else
    firstOf.pipelines = {tiles, smallTiles, opByOp, scalars};
  if (!vendor.asyncIntrinsics.empty())
    firstOf.pipelines.insert(firstOf.pipelines.begin(), ofKernels);
  firstOf.report = options.report != "none";
  pm.addPass(createLinalgExtTryPipelinesPass(firstOf));
}

/// 1. Outline launches to kernels.
void mlir::linalg_ext::addKernels(OpPassManager &pm, const GPUVendor &vendor) {
  pm.addPass(createLinalgExtCheckOpsPass());
  addCleanUp(pm);
  LinalgExtGPUOutlineKernelsPassOptions flatten, outline, arguments;
  flatten.steps = {"flatten-branches"};
  outline.steps = {"outline"};
  arguments.steps = {"abi", "merge"};
  pm.addPass(createLinalgExtGPUOutlineKernelsPass(flatten));
  addCanonicalizer(pm);
  pm.addPass(createLinalgExtGPUOutlineKernelsPass(outline));
  addCleanUp(pm);
  addAttachTarget(pm, vendor);
  pm.addPass(createLinalgExtGPUOutlineKernelsPass(arguments));
  LinalgExtGPUPlaceMemoryPassOptions memory;
  memory.steps = {"share-temporaries", "pool-workgroup-memory"};
  pm.addPass(createLinalgExtGPUPlaceMemoryPass(memory));
  addCleanUp(pm);
  if (!vendor.beginsEarly)
    return;
  LinalgExtGPUOutlineKernelsPassOptions wait;
  wait.steps = {"wait"};
  pm.addPass(createLinalgExtGPUOutlineKernelsPass(wait));
}

/// 2. Lower kernels to ops for which the device has instructions.
void mlir::linalg_ext::addDeviceKernels(OpPassManager &kernels,
                                        const GPUPipelineOptions &options) {
  VectorTransferToSCFOptions toSCF;
  toSCF.enableFullUnroll();
  kernels.addPass(createConvertVectorToSCFPass(toSCF));
  LinalgExtGPUNarrowIntegersPassOptions blockIds, values;
  blockIds.steps = {"block-ids"};
  values.steps = {"values"};
  kernels.addPass(createLinalgExtGPUNarrowIntegersPass(blockIds));
  kernels.addPass(createLowerAffinePass());
  LinalgExtLegalizeBuffersPassOptions reshapes;
  reshapes.steps = {"resolve-expand-shape"};
  kernels.addPass(createLinalgExtLegalizeBuffersPass(reshapes));
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  LinalgExtGPULowerMathPassOptions math;
  math.contract = options.contract;
  math.exactDivision = options.exactDivision;
  kernels.addPass(createLinalgExtGPULowerMathPass(math));
  if (options.narrowLoops) {
    LinalgExtGPUNarrowIntegersPassOptions loops;
    loops.steps = {"loops"};
    kernels.addPass(createLinalgExtGPUNarrowIntegersPass(loops));
    // Sizes are known to be small here. Positions of a thread become one scalar
    // and constants, and are compared and converted to floats in this form.
    vector_ext::VectorExtSimplifyPassOptions positions;
    positions.patterns = {"split-positions"};
    kernels.addPass(vector_ext::createVectorExtSimplifyPass(positions));
    values.steps = {"floats", "values"};
  }
  // Values that depend on the index of a thread do not need 64 bits.
  addCanonicalizer(kernels);
  kernels.addPass(createLinalgExtGPUNarrowIntegersPass(values));
  vector_ext::VectorExtSimplifyPassOptions facts;
  facts.patterns = {"drop-assumes"};
  kernels.addPass(vector_ext::createVectorExtSimplifyPass(facts));
}

void mlir::linalg_ext::addDeviceKernelsToLLVM(
    OpPassManager &pm, const GPUPipelineOptions &options, StringRef dialect,
    StringRef format,
    function_ref<void(OpPassManager &kernels)> addConversion) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  LinalgExtGPUConvertKernelsPassOptions convert;
  convert.indexBitwidth = options.indexBitwidth;
  kernels.addPass(createLinalgExtGPUConvertKernelsPass(convert));
  if (addConversion)
    addConversion(kernels);
  kernels.addPass(createReconcileUnrealizedCastsPass());
  // LLVM simplifies the rest.
  LinalgExtCheckOpsPassOptions check;
  check.dialects = {"llvm", dialect.str(), "gpu"};
  kernels.addPass(createLinalgExtCheckOpsPass(check));
  if (format == dialect)
    return;
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = format.str();
  pm.addPass(createGpuModuleToBinaryPass(binary));
}
