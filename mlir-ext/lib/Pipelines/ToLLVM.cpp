//===- ToLLVM.cpp - From linalg to the LLVM dialect
//------------------------===//
//
// The CPU pipeline. Fusion works on tensors; vectors are made on buffers, where
// a tile is a view and a remainder is a mask (docs/Rationale/CPU.md says why).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/ToLLVM.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Target/X86/VectorUnit.h"

#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/Passes.h"
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

static const VectorUnit &getVectorUnit(CPUKind cpu) {
  switch (cpu) {
  case CPUKind::Host:
    return getHostVectorUnit();
  case CPUKind::Generic:
    return *lookupX86VectorUnit("generic");
  case CPUKind::AVX2:
    return *lookupX86VectorUnit("avx2");
  case CPUKind::AVX512:
    return *lookupX86VectorUnit("avx512");
  case CPUKind::AVX512BF16:
    return *lookupX86VectorUnit("avx512bf16");
  }
  llvm_unreachable("unknown CPU");
}

/// 1. Linalg on tensors to loops over tiles of linalg on tensors.
void mlir::linalg_ext::buildFusionPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  pm.addPass(createLinalgExtCheckVectorsPass());
  pm.addPass(createLinalgExtNormalizePass());
  if (options.returnLogSumExp)
    pm.addPass(createLinalgExtReturnLogSumExpPass());
  if (options.fuse) {
    LinalgExtFuseForCPUPassOptions fuse;
    fuse.levels = options.levels;
    fuse.force = options.forceFusion;
    fuse.normalization = options.normalization;
    fuse.rescaleThreshold = options.rescaleThreshold;
    const VectorUnit &unit = getVectorUnit(options.cpu);
    fuse.rows = options.rows;
    fuse.keys = options.keys;
    fuse.split = options.split;
    fuse.vectorBits = unit.bits;
    fuse.l1Bytes = options.l1Bytes > 0 ? options.l1Bytes : unit.l1Bytes;
    fuse.l2Bytes = options.l2Bytes > 0 ? options.l2Bytes : unit.l2Bytes;
    // One thread has nobody to share rows or keys with.
    fuse.shared = options.threads != ThreadsKind::None;
    if (!fuse.shared && options.split == 0)
      fuse.split = -1;
    pm.addPass(createLinalgExtFuseForCPUPass(fuse));
    if (options.tighten)
      pm.addPass(createLinalgExtTightenLoopBoundsPass());
  }
  pm.addPass(createLinalgExtDecomposePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.threads != ThreadsKind::None) {
    // Chunks of what is reduced are for threads to share, too.
    pm.addPass(createLinalgExtFissionForallPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(createLinalgExtFuseElementwisePass());
  pm.addPass(createLinalgExtFactorOutOfMaxPass());
  pm.addPass(createLinalgExtFuseElementwisePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.vectorize) {
    LinalgExtTransposeTilesPassOptions transpose;
    transpose.minLanes = getVectorUnit(options.cpu).bits / 32;
    pm.addPass(createLinalgExtTransposeTilesPass(transpose));
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
}

/// 2. Tensors to buffers: none is allocated in a loop, none is copied.
static void buildBufferizationPipeline(OpPassManager &pm,
                                       const ToLLVMPipelineOptions &options) {
  pm.addPass(createLinalgExtBoundTensorEmptyPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLinalgExtPrivatizeDestinationsPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Buffers go outside the loops, but not of those that threads share.
  if (options.threads == ThreadsKind::None)
    pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addPass(createLinalgExtDropAliasedResultsPass());
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
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createLinalgExtTileToThreadsPass());
    pm.addPass(createLinalgExtLongestFirstPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
}

/// 3. Linalg on buffers to loops over vectors.
static void buildVectorPipeline(OpPassManager &pm,
                                const ToLLVMPipelineOptions &options) {
  if (options.vectorize) {
    // In payloads, where tiling leaves the coordinates of the whole.
    pm.addPass(createLowerAffinePass());
    const VectorUnit &unit = getVectorUnit(options.cpu);
    LinalgExtVectorizeBuffersPassOptions vectorize;
    vectorize.vectorBits = unit.bits;
    vectorize.numRegisters = unit.registers;
    vectorize.dotBF16 = unit.dotBF16;
    pm.addPass(createLinalgExtVectorizeBuffersPass(vectorize));
  }
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  LinalgExtApproximateMathPassOptions math;
  math.avx512 = options.vectorize && getVectorUnit(options.cpu).avx512;
  pm.addPass(createLinalgExtApproximateMathPass(math));
  if (!getVectorUnit(options.cpu).fma) {
    // Else each would be a call.
    math::MathExpandOpsPassOptions expand;
    expand.opMnemonics = {"fma"};
    pm.addPass(math::createMathExpandOpsPass(expand));
  }
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// 4. Loops over vectors to the LLVM dialect.
static void buildLoweringPipeline(OpPassManager &pm,
                                  const ToLLVMPipelineOptions &options) {
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createLinalgExtResolveExpandShapePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  if (options.threads == ThreadsKind::OpenMP) {
    pm.addPass(createLinalgExtForallToThreadsPass());
    pm.addPass(createConvertSCFToOpenMPPass());
    pm.addPass(createLinalgExtFinishOpenMPPass());
  }
  pm.addPass(createSCFToControlFlowPass());
  // Where there are instructions for bf16, LLVM selects them; elsewhere it
  // would call functions that few libraries have.
  const VectorUnit &unit = getVectorUnit(options.cpu);
  if (!unit.dotBF16) {
    arith::ArithEmulateUnsupportedFloatsOptions emulate;
    emulate.sourceTypeStrs = {"bf16"};
    pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  }
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = !unit.dotBF16;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  ConvertVectorToLLVMPassOptions vectors;
  vectors.x86Vector = unit.dotBF16;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  if (options.threads == ThreadsKind::OpenMP)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (!unit.dotBF16)
    pm.addPass(createLinalgExtStoreBF16AsBitsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::linalg_ext::buildToBuffersPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  buildFusionPipeline(pm, options);
  buildBufferizationPipeline(pm, options);
}

void mlir::linalg_ext::buildBuffersToLLVMPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  buildVectorPipeline(pm, options);
  pm.addNestedPass<func::FuncOp>(createLinalgExtRequestCInterfacePass());
  buildLoweringPipeline(pm, options);
}

void mlir::linalg_ext::buildToLLVMPipeline(
    OpPassManager &pm, const ToLLVMPipelineOptions &options) {
  buildToBuffersPipeline(pm, options);
  buildBuffersToLLVMPipeline(pm, options);
}

void mlir::linalg_ext::registerToLLVMPipelines() {
  PassPipelineRegistration<ToLLVMPipelineOptions>(
      "linalg-ext-to-buffers",
      "The part of linalg-ext-to-llvm up to structured ops on buffers",
      buildToBuffersPipeline);
  PassPipelineRegistration<ToLLVMPipelineOptions>(
      "linalg-ext-to-llvm",
      "Functions of linalg on tensors to the LLVM dialect, online reductions "
      "fused",
      buildToLLVMPipeline);
}
