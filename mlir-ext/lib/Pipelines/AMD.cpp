//===- AMD.cpp - From linalg to code for AMD GPUs -------------------------===//
//
// The pipelines for AMD GPUs: the stages that all GPUs share (GPUStages.h) with
// AMD's passes, then kernels to ROCDL and assembly.
//
//===----------------------------------------------------------------------===//

#include "GPUStages.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns what the stages need to know of the chip that `options` name. For an
/// unknown name, returns the default: attach-target reports the error.
static GPUVendor getVendor(const ToROCDLPipelineOptions &options) {
  GPUVendor vendor;
  vendor.chip = options.chip;
  vendor.processors = options.processors;
  if (const AMDChip *chip = lookupAMDChip(options.chip))
    vendor.target = chip->target;
  vendor.hasBufferLoads = true;
  vendor.hasTransposeLoads = options.transposeLoads;
  vendor.hasLaneCopies = options.laneCopies;
  // On other chips, a thread has four or eight columns of a result.
  vendor.hasWideWrites = StringRef(options.chip).starts_with("gfx11");
  return vendor;
}

/// Calls `build` with a copy of `options` in which the number of threads is
/// set.
template <typename BuildFn>
static void withThreads(const ToROCDLPipelineOptions &options, BuildFn build) {
  ToROCDLPipelineOptions resolved;
  resolved.copyOptionValuesFrom(options);
  const AMDChip *chip = lookupAMDChip(options.chip);
  if (resolved.threads == 0)
    resolved.threads = 4 * (chip ? chip->target.lanes : GPUTarget().lanes);
  build(resolved);
}

LogicalResult
mlir::linalg_ext::checkOptions(const ToROCDLPipelineOptions &options,
                               std::string &error) {
  const AMDChip *chip = lookupAMDChip(options.chip);
  if (!chip)
    return refuseOption("chip", explainUnknownAMDChip(options.chip), error);
  if (failed(checkOneOf("format", options.format, {"rocdl", "llvm", "isa"},
                        error)))
    return failure();
  // No chip has instructions of TF32.
  if (options.f32Products != "fma")
    return refuseOption("f32-products",
                        "expected fma, got '" + options.f32Products + "'",
                        error);
  if (options.transposeLoads && !chip->hasTransposeLoads)
    return refuseOption("transpose-loads",
                        "expected false: " + chip->name + " has no such loads",
                        error);
  if (options.laneCopies && !chip->hasLaneCopies)
    return refuseOption("lane-copies",
                        "expected false: " + chip->name + " has no such copies",
                        error);
  LogicalResult result = success();
  withThreads(options, [&](const ToROCDLPipelineOptions &resolved) {
    result = checkGPUOptions(resolved, chip->target, error);
  });
  return result;
}

void mlir::linalg_ext::buildLinalgToConfigsPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  withThreads(options, [&](const ToROCDLPipelineOptions &resolved) {
    addLinalgToConfigs(pm, resolved, getVendor(resolved));
  });
}

void mlir::linalg_ext::buildLinalgToLaunchesPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  withThreads(options, [&](const ToROCDLPipelineOptions &resolved) {
    addLinalgToLaunches(pm, resolved, getVendor(resolved));
  });
}

void mlir::linalg_ext::buildGPUKernelsPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  addKernels(pm, getVendor(options));
}

void mlir::linalg_ext::buildDeviceKernelsPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  addDeviceKernels(pm.nest<gpu::GPUModuleOp>(), options);
}

void mlir::linalg_ext::buildDeviceKernelsToROCDLPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  addDeviceKernelsToLLVM(pm, options, "rocdl", options.format);
}

void mlir::linalg_ext::buildGPUToROCDLPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  buildGPUKernelsPipeline(pm, options);
  pm.addPass(createLinalgExtGPUManifestPass());
  buildDeviceKernelsPipeline(pm, options);
  buildDeviceKernelsToROCDLPipeline(pm, options);
}

void mlir::linalg_ext::buildToROCDLPipeline(
    OpPassManager &pm, const ToROCDLPipelineOptions &options) {
  buildLinalgToLaunchesPipeline(pm, options);
  buildGPUToROCDLPipeline(pm, options);
}

void mlir::linalg_ext::registerToROCDLPipelines() {
  registerCheckedPipeline<ToROCDLPipelineOptions>(
      "linalg-ext-gpu-to-rocdl",
      "Compile gpu.launch to assembly and a manifest for an AMD GPU",
      buildGPUToROCDLPipeline);
  registerCheckedPipeline<ToROCDLPipelineOptions>(
      "linalg-ext-to-rocdl",
      "Compile linalg on tensors to assembly and a manifest for an AMD GPU",
      buildToROCDLPipeline);
}
