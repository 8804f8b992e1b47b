//===- ToLLVM.cpp - From linalg to the LLVM dialect -----------------------===//
//
// The CPU pipeline. Fusion works on tensors. Vectorisation works on buffers,
// where a tile is a view and a remainder is a mask (docs/Rationale/CPU.md).
//
//   1. Tensors: normalise, tile and fuse, decompose LinalgExt ops.
//   2. Bufferize, without allocations in loops and without copies.
//   3. Vectorise structured ops on buffers, and expand math ops.
//   4. Lower loops and vectors to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/ToLLVM.h"
#include "CleanUp.h"
#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/Processor.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Target/X86/VectorUnit.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Invalid options have been reported before. Here they fall back to the
/// generic unit, and the last pass of the pipeline reports them again.
static VectorUnit getVectorUnit(const ToLLVMPipelineOptions &options) {
  std::string error;
  FailureOr<Processor> processor = lookupProcessor(options.cpu, error);
  return succeeded(processor) ? processor->unit
                              : *lookupX86VectorUnit("generic");
}

LogicalResult
mlir::linalg_ext::checkOptions(const ToLLVMPipelineOptions &options,
                               std::string &error) {
  std::string text;
  if (failed(lookupProcessor(options.cpu, text)))
    return refuseOption("cpu", text, error);
  if (failed(checkFusionOptions(options, error)) ||
      failed(checkBetween("rows", options.rows, 0, kMostTileSize, error)) ||
      failed(checkBetween("keys", options.keys, 0, kMostTileSize, error)) ||
      failed(checkBetween("split", options.split, -1, kMostTileSize, error)) ||
      failed(checkAtLeast("max-stack-bytes", options.maxStackBytes, 0, error)))
    return failure();
  VectorUnit unit = getVectorUnit(options);
  if (options.l1Bytes != 0 &&
      failed(checkAtLeast("l1-bytes", options.l1Bytes, 1024, error)))
    return failure();
  int64_t l1Bytes = options.l1Bytes > 0 ? options.l1Bytes : unit.l1Bytes;
  int64_t l2Bytes = options.l2Bytes != 0 ? options.l2Bytes : unit.l2Bytes;
  return checkAtLeast("l2-bytes", l2Bytes, l1Bytes, error);
}

static void addAttachTarget(OpPassManager &pm,
                            const ToLLVMPipelineOptions &options) {
  LinalgExtAttachTargetPassOptions attach;
  attach.chip = options.cpu;
  attach.l1Bytes = options.l1Bytes;
  attach.l2Bytes = options.l2Bytes;
  pm.addPass(createLinalgExtAttachTargetPass(attach));
}

/// 1. Lower linalg on tensors to loops over tiles of linalg on tensors.
void mlir::linalg_ext::buildFusionPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  pm.addPass(createLinalgExtCheckOpsPass());
  addAttachTarget(pm, options);
  LinalgExtNormalizePassOptions program;
  program.inlinePrivate = true;
  pm.addPass(createLinalgExtNormalizePass(program));
  if (options.returnLogSumExp) {
    LinalgExtRaisePassOptions raise;
    raise.returnLogSumExp = true;
    pm.addPass(createLinalgExtRaisePass(raise));
  }
  LinalgExtSplitConcatenationsPassOptions reduceParts, readParts;
  reduceParts.steps = {"reduce-parts"};
  readParts.steps = {"read-parts"};
  // Reshapes of the parts are now before a concatenation, and may follow
  // another one.
  for (int round = 0; round < 2; ++round) {
    pm.addPass(createLinalgExtSplitConcatenationsPass(reduceParts));
    pm.addPass(createLinalgExtNormalizePass());
  }
  if (options.vectorize) {
    LinalgExtNormalizePassOptions words;
    words.patterns = {"read-gathered-rows", "split-groups", "fold-reshapes",
                      "split-words"};
    pm.addPass(createLinalgExtNormalizePass(words));
  }
  if (options.fuse) {
    LinalgExtFusePassOptions fuse;
    setFusionOptions(fuse, options);
    fuse.force = options.forceFusion;
    fuse.markReported = true;
    fuse.rows = options.rows;
    fuse.keys = options.keys;
    fuse.split = options.split;
    // A single thread does not share rows or keys.
    fuse.shared = options.threads != ThreadsKind::None;
    if (!fuse.shared && options.split == 0)
      fuse.split = -1;
    pm.addPass(createLinalgExtFusePass(fuse));
    if (options.tighten)
      pm.addPass(createLinalgExtTightenLoopBoundsPass());
  }
  pm.addPass(createLinalgExtSplitConcatenationsPass(readParts));
  LinalgExtDecomposePassOptions decompose;
  decompose.keepGathers = options.vectorize;
  pm.addPass(createLinalgExtDecomposePass(decompose));
  addCleanUp(pm);
  if (options.threads != ThreadsKind::None) {
    // Chunks of a reduced dimension can be shared by threads, too.
    LinalgExtScheduleForallPassOptions fission;
    fission.steps = {"fission"};
    pm.addPass(createLinalgExtScheduleForallPass(fission));
    addCleanUp(pm);
  }
  LinalgExtNormalizePassOptions elementwise;
  elementwise.patterns = {"fuse-elementwise", "factor-out-of-max",
                          "fuse-elementwise"};
  if (options.vectorize)
    elementwise.patterns.push_back("fuse-dequantization");
  pm.addPass(createLinalgExtNormalizePass(elementwise));
  addCleanUp(pm);
  if (options.vectorize) {
    // Tiles are chosen for the type of the weights.
    LinalgExtPrepareOperandsPassOptions weights;
    weights.steps = {"weights"};
    weights.excessPrecision = options.excessPrecision;
    pm.addPass(createLinalgExtPrepareOperandsPass(weights));
  }
  if (options.fuse) {
    LinalgExtFusePassOptions rows;
    rows.steps = {"rows", "traffic"};
    rows.shared = options.threads != ThreadsKind::None;
    setFusionOptions(rows, options);
    pm.addPass(createLinalgExtFusePass(rows));
    addCleanUp(pm);
  }
  if (options.vectorize) {
    LinalgExtPrepareOperandsPassOptions operands;
    operands.excessPrecision = options.excessPrecision;
    pm.addPass(createLinalgExtPrepareOperandsPass(operands));
    pm.addPass(createLinalgExtDecomposePass());
    addCleanUp(pm);
  }
}

/// 2. Lower tensors to buffers, without allocations in loops and without
///    copies.
static void buildBufferizationPipeline(OpPassManager &pm,
                                       const ToLLVMPipelineOptions &options) {
  LinalgExtPrepareDestinationsPassOptions bound, privatize;
  bound.steps = {"bound-empty"};
  privatize.steps = {"privatize"};
  pm.addPass(createLinalgExtPrepareDestinationsPass(bound));
  addCleanUp(pm);
  pm.addPass(createLinalgExtPrepareDestinationsPass(privatize));
  // A tile that is stored is computed in place.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanUp(pm);

  // Buffers move out of loops, except for loops that threads share.
  if (options.threads == ThreadsKind::None)
    pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  LinalgExtPrepareCInterfacePassOptions results;
  results.dropResults = options.dropAliasedResults ? "all" : "private";
  results.requestWrappers = false;
  pm.addPass(createLinalgExtPrepareCInterfacePass(results));
  if (options.outParams) {
    bufferization::BufferResultsToOutParamsPassOptions outParams;
    outParams.hoistStaticAllocs = true;
    outParams.hoistDynamicAllocs = true;
    outParams.modifyPublicFunctions = true;
    pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  }
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = options.maxStackBytes;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(stack));
  bufferization::buildBufferDeallocationPipeline(pm, {});
  pm.addPass(createConvertBufferizationToMemRefPass());
  if (options.threads != ThreadsKind::None) {
    addCanonicalizer(pm);
    LinalgExtShareAmongThreadsPassOptions tile;
    tile.steps = {"tile"};
    pm.addPass(createLinalgExtShareAmongThreadsPass(tile));
    LinalgExtScheduleForallPassOptions order;
    order.steps = {"order-by-work"};
    pm.addPass(createLinalgExtScheduleForallPass(order));
    addCleanUp(pm);
  }
}

/// Adds the clean-up after vectorisation. Upstream's pass visits ops from the
/// top by default.
static void addVectorCleanUp(OpPassManager &pm,
                             GreedySimplifyRegionLevel level) {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(level);
  pm.addPass(createCanonicalizerPass(config));
  pm.addPass(createCSEPass());
}

/// 3. Lower linalg on buffers to loops over vectors.
static void buildVectorPipeline(OpPassManager &pm,
                                const ToLLVMPipelineOptions &options) {
  LinalgExtLegalizeBuffersPassOptions copies;
  copies.steps = {"copies-to-linalg"};
  pm.addPass(createLinalgExtLegalizeBuffersPass(copies));
  if (options.vectorize) {
    // This is for payloads, where tiling leaves the coordinates in the whole
    // tensor.
    pm.addPass(createLowerAffinePass());
    LinalgExtVectorizeBuffersPassOptions vectors;
    vectors.excessPrecision = options.excessPrecision;
    pm.addPass(createLinalgExtVectorizeBuffersPass(vectors));
  }
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  LinalgExtLegalizeBuffersPassOptions views;
  views.steps = {"resolve-view-rows"};
  pm.addPass(createLinalgExtLegalizeBuffersPass(views));
  pm.addPass(createLinalgExtLowerMathPass());
  if (!getVectorUnit(options).fma) {
    // Otherwise each would become a call.
    math::MathExpandOpsPassOptions expand;
    expand.opMnemonics = {"fma"};
    pm.addPass(math::createMathExpandOpsPass(expand));
  }
  // Only integer powers are left. Those of floats have been lowered.
  pm.addPass(createConvertMathToFuncs());
  addVectorCleanUp(pm, GreedySimplifyRegionLevel::Disabled);
}

/// 4. Lower loops over vectors to the LLVM dialect.
static void buildLoweringPipeline(OpPassManager &pm,
                                  const ToLLVMPipelineOptions &options) {
  if (options.shareTemporaries)
    pm.addPass(createLinalgExtShareTemporariesPass());
  vector_ext::VectorExtSimplifyPassOptions facts;
  facts.patterns = {"drop-assumes"};
  pm.addPass(vector_ext::createVectorExtSimplifyPass(facts));
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createLowerAffinePass());
  LinalgExtLegalizeBuffersPassOptions reshapes;
  reshapes.steps = {"resolve-expand-shape"};
  pm.addPass(createLinalgExtLegalizeBuffersPass(reshapes));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  if (options.threads == ThreadsKind::OpenMP) {
    LinalgExtShareAmongThreadsPassOptions loops;
    loops.steps = {"parallel", "convert", "finish"};
    pm.addPass(createLinalgExtShareAmongThreadsPass(loops));
  }
  pm.addPass(createSCFToControlFlowPass());
  // If the processor has instructions for bf16, LLVM selects them. Otherwise
  // LLVM would call functions that few libraries have.
  VectorUnit unit = getVectorUnit(options);
  if (!unit.dotBF16) {
    arith::ArithEmulateUnsupportedFloatsOptions emulate;
    emulate.sourceTypeStrs = {"bf16"};
    pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  }
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = !unit.dotBF16;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  ConvertVectorToLLVMPassOptions vectors;
  setLowersX86Dialect(vectors, unit.dotBF16);
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  if (options.threads == ThreadsKind::OpenMP)
    pm.addPass(createConvertOpenMPToLLVMPass());
  // Convert all other dialects at once, because a pass for each one would walk
  // the program each time.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createLinalgExtFinishLLVMPass());
  addVectorCleanUp(pm, GreedySimplifyRegionLevel::Normal);
  LinalgExtCheckOpsPassOptions check;
  check.dialects = {"llvm"};
  if (options.threads == ThreadsKind::OpenMP)
    check.dialects.push_back("omp");
  pm.addPass(createLinalgExtCheckOpsPass(check));
}

void mlir::linalg_ext::buildToBuffersPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  buildFusionPipeline(pm, options);
  buildBufferizationPipeline(pm, options);
}

void mlir::linalg_ext::buildBuffersToLLVMPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  addAttachTarget(pm, options);
  buildVectorPipeline(pm, options);
  LinalgExtPrepareCInterfacePassOptions wrappers;
  wrappers.dropResults = "none";
  pm.addPass(createLinalgExtPrepareCInterfacePass(wrappers));
  buildLoweringPipeline(pm, options);
}

void mlir::linalg_ext::buildToLLVMPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  buildToBuffersPipeline(pm, options);
  buildBuffersToLLVMPipeline(pm, options);
}

void mlir::linalg_ext::registerToLLVMPipelines() {
  registerCheckedPipeline<ToLLVMPipelineOptions>(
      "linalg-ext-to-buffers",
      "Run linalg-ext-to-llvm up to structured ops on buffers",
      buildToBuffersPipeline);
  registerCheckedPipeline<ToLLVMPipelineOptions>(
      "linalg-ext-to-llvm",
      "Lower linalg on tensors to the LLVM dialect, with fused reductions",
      buildToLLVMPipeline);
}
