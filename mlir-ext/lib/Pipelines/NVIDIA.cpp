//===- NVIDIA.cpp - From linalg to PTX ------------------------------------===//
//
// The pipelines for NVIDIA GPUs: the stages that all GPUs share (GPUStages.h)
// with NVIDIA's passes, then kernels to NVVM and PTX.
//
//===----------------------------------------------------------------------===//

#include "GPUStages.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Target/GPU/Passes.h"
#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns what the stages need to know of the chip that `options` name. For an
/// unknown name, returns the default: attach-target reports the error.
static GPUVendor getVendor(const ToNVVMPipelineOptions &options) {
  GPUVendor vendor;
  vendor.choosesKeySubgroups = true;
  vendor.beginsEarly = options.programmaticLaunch;
  vendor.chip = options.chip;
  vendor.processors = options.processors;
  if (const NVIDIAChip *chip = lookupNVIDIAChip(options.chip))
    vendor.target = chip->target;
  if (vendor.target.asyncRows != 0 && options.asyncProducts != "false") {
    bool others = options.clusters != "true";
    if (options.asyncProducts == "auto" && others)
      vendor.ways.push_back("sync");
    if (options.roles != "true" && others)
      vendor.ways.push_back("async");
    if (options.roles != "false" && options.persistentKernels != "true" &&
        others)
      vendor.ways.push_back("roles");
    if (options.roles != "false" && options.persistentKernels != "false" &&
        others)
      vendor.ways.push_back("persistent");
    bool isAuto = options.roles == "auto" && options.persistentKernels == "auto";
    if (options.clusters == "true" || (options.clusters == "auto" && isAuto))
      vendor.ways.push_back("clusters");
    if (options.exchangeOperands != "false")
      vendor.ways.push_back(
          options.exchangeOperands == "true" ? "exchange-always" : "exchange");
    vendor.rotateLoops = options.rotateLoops;
    for (const auto &intrinsic : nvgpu_ext::getWgmmaIntrinsics())
      vendor.asyncIntrinsics.push_back(intrinsic.name);
    for (const auto &intrinsic : nvgpu_ext::getWgmmaI8Intrinsics())
      vendor.asyncIntrinsics.push_back(intrinsic.name);
    if (options.f8Products != "f16")
      for (const auto &intrinsic : nvgpu_ext::getWgmmaF8Intrinsics())
        vendor.asyncIntrinsics.push_back(intrinsic.name);
    // Instructions with the most columns need the fewest reads of shared
    // memory.
    std::reverse(vendor.asyncIntrinsics.begin(), vendor.asyncIntrinsics.end());
  }
  return vendor;
}

LogicalResult
mlir::linalg_ext::checkOptions(const ToNVVMPipelineOptions &options,
                               std::string &error) {
  const NVIDIAChip *chip = lookupNVIDIAChip(options.chip);
  if (!chip)
    return refuseOption("chip", explainUnknownNVIDIAChip(options.chip), error);
  if (failed(checkOneOf("format", options.format, {"nvvm", "isa"}, error)) ||
      failed(checkOneOf("f32-products", options.f32Products,
                        getF32ProductKinds(), error)))
    return failure();
  if (failed(checkOneOf("async-products", options.asyncProducts,
                        {"auto", "true", "false"}, error)) ||
      failed(checkOneOf("roles", options.roles, {"auto", "true", "false"},
                        error)) ||
      failed(checkOneOf("rotate-loops", options.rotateLoops,
                        {"auto", "true", "false"}, error)) ||
      failed(checkOneOf("persistent-kernels", options.persistentKernels,
                        {"auto", "true", "false"}, error)) ||
      failed(checkOneOf("clusters", options.clusters, {"auto", "true", "false"},
                        error)) ||
      failed(checkOneOf("exchange-operands", options.exchangeOperands,
                        {"auto", "true", "false"}, error)))
    return failure();
  if (options.asyncProducts == "true" && chip->target.asyncRows == 0)
    return refuseOption("async-products",
                        "expected the chip sm_90a, got " +
                            Twine(options.chip.getValue()),
                        error);
  return checkGPUOptions(options, chip->target, error);
}

void mlir::linalg_ext::buildLinalgToConfigsPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  addLinalgToConfigs(pm, options, getVendor(options));
}

void mlir::linalg_ext::buildLinalgToLaunchesPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  addLinalgToLaunches(pm, options, getVendor(options));
}

void mlir::linalg_ext::buildGPUKernelsPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  addKernels(pm, getVendor(options));
}

void mlir::linalg_ext::buildDeviceKernelsPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addDeviceKernels(kernels, options);
  if (options.registerWorkarounds)
    kernels.addPass(createLinalgExtNVGPURegisterWorkaroundsPass());
}

void mlir::linalg_ext::buildDeviceKernelsToNVVMPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  addDeviceKernelsToLLVM(pm, options, "nvvm", options.format,
                         [](OpPassManager &kernels) {
                           kernels.addPass(createConvertNVVMToLLVMPass());
                         });
}

void mlir::linalg_ext::buildGPUToNVVMPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  buildGPUKernelsPipeline(pm, options);
  pm.addPass(createLinalgExtGPUManifestPass());
  buildDeviceKernelsPipeline(pm, options);
  buildDeviceKernelsToNVVMPipeline(pm, options);
}

void mlir::linalg_ext::buildToNVVMPipeline(
    OpPassManager &pm, const ToNVVMPipelineOptions &options) {
  buildLinalgToLaunchesPipeline(pm, options);
  buildGPUToNVVMPipeline(pm, options);
}

void mlir::linalg_ext::registerToNVVMPipelines() {
  registerCheckedPipeline<ToNVVMPipelineOptions>(
      "linalg-ext-gpu-to-nvvm",
      "Compile gpu.launch to PTX and a manifest for an NVIDIA GPU",
      buildGPUToNVVMPipeline);
  registerCheckedPipeline<ToNVVMPipelineOptions>(
      "linalg-ext-to-nvvm",
      "Compile linalg on tensors to PTX and a manifest for an NVIDIA GPU",
      buildToNVVMPipeline);
}
