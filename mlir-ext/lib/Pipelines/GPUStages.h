//===- GPUStages.h - Stages of the pipelines for GPUs -----------*- C++ -*-===//
//
// Declares the stages that the pipelines for all GPUs share. Each vendor adds
// its own passes to them (`GPUVendor`).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_GPUSTAGES_H
#define MLIR_EXT_LIB_PIPELINES_GPUSTAGES_H

#include "mlir-ext/Pipelines/GPUOptions.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlir::linalg_ext {

/// What the stages take from a vendor.
struct GPUVendor {
  GPUTarget target;
  /// The name of the chip, and the number of processors of the device if it
  /// differs from the chip's description.
  std::string chip;
  int64_t processors = 0;
  /// The asynchronous instructions, best first. Empty if products are not to be
  /// asynchronous.
  SmallVector<std::string> asyncIntrinsics;
  /// Whether tiles are read through buffer descriptors.
  bool hasBufferLoads = false;
  /// Whether elements can be transposed while they are loaded from shared
  /// memory.
  bool hasTransposeLoads = false;
  /// Whether tiles are copied from buffers to shared memory without registers,
  /// those of the next iteration during the current one.
  bool hasLaneCopies = false;
  /// Whether large results go through shared memory, because instructions leave
  /// them in runs of less than 16 bytes.
  bool hasWideWrites = true;
  /// Whether `key-subgroups=0` chooses. The model by which it chooses was
  /// measured on this vendor's chips.
  bool choosesKeySubgroups = false;
  /// Whether loops order waits and products across iterations.
  std::string rotateLoops = "false";
  /// Whether kernels wait for earlier launches themselves, if the chip can.
  bool beginsEarly = false;
  /// The ways in which kernels may multiply (`ways` of linalg-ext-fuse). Empty
  /// if products are not to be asynchronous.
  SmallVector<std::string> ways;
};

/// Fails, with a message in `error`, if an option has a value that is invalid
/// for `target`.
LogicalResult checkGPUOptions(const GPUPipelineOptions &options,
                              const GPUTarget &target, std::string &error);

/// Lowers linalg on tensors to gpu.launch ops on vectors, with a config on each
/// contraction.
void addLinalgToConfigs(OpPassManager &pm, const GPUPipelineOptions &options,
                        const GPUVendor &vendor);

/// Lowers linalg on tensors to gpu.launch ops with code for one thread.
void addLinalgToLaunches(OpPassManager &pm, const GPUPipelineOptions &options,
                         const GPUVendor &vendor);

/// Outlines gpu.launch ops to kernels, with their final arguments and one block
/// of workgroup memory each.
void addKernels(OpPassManager &pm, const GPUVendor &vendor);

/// Lowers kernels to ops that the device has instructions for. `kernels` runs
/// on gpu.modules.
void addDeviceKernels(OpPassManager &kernels,
                      const GPUPipelineOptions &options);

/// Converts the kernels of `pm`, which runs on a module, to the LLVM dialect
/// with ops of `dialect` (nvvm or rocdl). Compiles them to `format`, a format
/// of gpu-module-to-binary, unless it is `dialect` itself. `addConversion` adds
/// passes that the vendor's ops need after the conversion, if any.
void addDeviceKernelsToLLVM(
    OpPassManager &pm, const GPUPipelineOptions &options, StringRef dialect,
    StringRef format,
    function_ref<void(OpPassManager &kernels)> addConversion = nullptr);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_GPUSTAGES_H
