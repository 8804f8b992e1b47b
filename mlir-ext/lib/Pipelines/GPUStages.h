//===- GPUStages.h - Stages of the pipelines for GPUs -----------*- C++ -*-===//
//
// The stages that pipelines for all GPUs share. Each vendor adds its own passes
// to them (`GPUVendor`).
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
  /// The name of the chip, and the processors that the device has, if these are
  /// not those of the chip's description.
  std::string chip;
  int64_t processors = 0;
  /// Asynchronous instructions, best first. None if products are not to be
  /// asynchronous.
  SmallVector<std::string> asyncIntrinsics;
  /// Tiles are read through descriptors of buffers.
  bool hasBufferLoads = false;
  /// Elements are transposed where they are loaded from shared memory.
  bool hasTransposeLoads = false;
  /// Tiles are copied from buffers to shared memory without registers, those of
  /// the next iteration while one computes.
  bool hasLaneCopies = false;
  /// Large results go through shared memory, since instructions leave them in
  /// runs of less than 16 bytes.
  bool hasWideWrites = true;
  /// Whether `key-subgroups=0` chooses. What it chooses by was measured on this
  /// vendor's chips.
  bool choosesKeySubgroups = false;
  /// Whether loops order these across iterations.
  std::string rotateLoops = "false";
  /// How kernels may multiply (`ways` of linalg-ext-fuse). None if
  /// products are not to be asynchronous.
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
/// with ops of `dialect` (nvvm, rocdl), and compiles them to `format`, one of
/// those of gpu-module-to-binary, or not at all if that is `dialect`.
/// `addConversion` adds what the vendor's ops need after the conversion, if
/// anything.
void addDeviceKernelsToLLVM(
    OpPassManager &pm, const GPUPipelineOptions &options, StringRef dialect,
    StringRef format,
    function_ref<void(OpPassManager &kernels)> addConversion = nullptr);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_GPUSTAGES_H
