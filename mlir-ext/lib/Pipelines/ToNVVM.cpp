//===- ToNVVM.cpp - From launches to PTX ----------------------------------===//
//
// The end of the GPU pipeline for NVIDIA: kernels whose bodies are code for one
// thread, to PTX.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Target/GPU/Passes.h"
#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// 1. Launches to kernels.
void mlir::linalg_ext::buildGPUKernelsPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLinalgExtGPUOutlineKernelsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  LinalgExtNVGPUAttachTargetPassOptions attach;
  attach.chip = options.chip;
  pm.addPass(createLinalgExtNVGPUAttachTargetPass(attach));
  pm.addPass(createLinalgExtGPUKernelABIPass());
  LinalgExtGPUPoolWorkgroupMemoryPassOptions pool;
  if (const NVIDIAChip *chip = lookupNVIDIAChip(options.chip))
    pool.maxBytes = chip->sharedMemoryBytes;
  pm.addPass(createLinalgExtGPUPoolWorkgroupMemoryPass(pool));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// 2. Kernels to NVVM, all in gpu.modules.
void mlir::linalg_ext::buildKernelsToNVVMPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  VectorTransferToSCFOptions toSCF;
  toSCF.enableFullUnroll();
  kernels.addPass(createConvertVectorToSCFPass(toSCF));
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  LinalgExtNVGPULowerMathPassOptions math;
  math.contract = options.contract;
  math.exactDivision = options.exactDivision;
  kernels.addPass(createLinalgExtNVGPULowerMathPass(math));
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  LinalgExtNVGPUToNVVMPassOptions toNVVM;
  toNVVM.indexBitwidth = options.indexBitwidth;
  kernels.addPass(createLinalgExtNVGPUToNVVMPass(toNVVM));
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  if (options.format == "nvvm")
    return;
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = options.format;
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

void mlir::linalg_ext::buildGPUToNVVMPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  buildGPUKernelsPipeline(pm, options);
  pm.addPass(createLinalgExtGPUManifestPass());
  buildKernelsToNVVMPipeline(pm, options);
}

void mlir::linalg_ext::registerToNVVMPipelines() {
  PassPipelineRegistration<ToNVVMPipelineOptions>(
      "linalg-ext-gpu-to-nvvm",
      "Functions that launch the code of threads to PTX for an NVIDIA GPU, "
      "with a manifest of the launches",
      buildGPUToNVVMPipeline);
}
