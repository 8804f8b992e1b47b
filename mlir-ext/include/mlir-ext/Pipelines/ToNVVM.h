//===- ToNVVM.h - From linalg to PTX ----------------------------*- C++ -*-===//
//
// The pipelines linalg-ext-to-nvvm and linalg-ext-gpu-to-nvvm, and their parts
// in order: launches, kernels, device kernels, NVVM or PTX.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TONVVM_H
#define MLIR_EXT_PIPELINES_TONVVM_H

#include "mlir-ext/Pipelines/GPUOptions.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::linalg_ext {

struct ToNVVMPipelineOptions
    : public PassPipelineOptions<ToNVVMPipelineOptions>,
      public GPUPipelineOptions {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to compile for: sm_80, ..., sm_90a, ..."),
      llvm::cl::init("sm_80")};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("Format of the kernels: nvvm (a gpu.module in the NVVM "
                     "dialect) or isa (a gpu.binary with PTX)"),
      llvm::cl::init("isa")};
  Option<std::string> asyncProducts{
      *this, "async-products",
      llvm::cl::desc("On sm_90a, multiply tiles that TMA copies to shared "
                     "memory by wgmma: auto (in kernels that are estimated to "
                     "be faster so), true (in all that can) or false"),
      llvm::cl::init("auto")};
  Option<std::string> rotateLoops{
      *this, "rotate-loops",
      llvm::cl::desc(
          "Let loops of kernels with roles overlap their products "
          "with what other iterations compute "
          "(vector-ext-pipeline-products): auto (in kernels that are "
          "faster so), true (in all) or false"),
      llvm::cl::init("auto")};
  Option<std::string> roles{
      *this, "roles",
      llvm::cl::desc("Have a separate thread copy the tiles of asynchronous "
                     "products: auto (in kernels that are faster so), true (in "
                     "all that can) or false"),
      llvm::cl::init("auto")};
  Option<std::string> persistentKernels{
      *this, "persistent-kernels",
      llvm::cl::desc(
          "Let workgroups with roles compute several tiles, so that "
          "those of the next one are copied while the result of one "
          "is stored: auto (in kernels that are faster so), true (in "
          "all that can) or false"),
      llvm::cl::init("auto")};
  Option<std::string> clusters{
      *this, "clusters",
      llvm::cl::desc(
          "On sm_90a, let the two workgroups of a cluster share the "
          "copies of tiles that both read: auto (in products that are "
          "faster so), true (in all products that can, and no other "
          "asynchronous products) or false"),
      llvm::cl::init("auto")};
  Option<std::string> exchangeOperands{
      *this, "exchange-operands",
      llvm::cl::desc(
          "On sm_90a, let rows of a product be columns of asynchronous "
          "instructions, of which there may be any multiple of 8: auto (in "
          "products that are faster so), true (in all products that can, "
          "and no other asynchronous products) or false"),
      llvm::cl::init("auto")};
  Option<bool> programmaticLaunch{
      *this, "programmatic-launch",
      llvm::cl::desc(
          "On sm_90 and later, let kernels wait for earlier launches "
          "themselves, so that a launcher may begin them early"),
      llvm::cl::init(true)};
  Option<bool> registerWorkarounds{
      *this, "register-workarounds",
      llvm::cl::desc("Work around choices of LLVM and ptxas that spill "
                     "registers (linalg-ext-nvgpu-register-workarounds)"),
      llvm::cl::init(true)};
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToNVVMPipelineOptions &options,
                           std::string &error);

/// Lowers linalg on tensors to gpu.launch ops with code for one thread. The
/// loops over tiles are fused and distributed to the lanes and subgroups of
/// workgroups. If a program cannot be compiled with tiles of the chosen sizes,
/// the pipeline tries small tiles, and then scalar code.
void buildLinalgToLaunchesPipeline(OpPassManager &pm,
                                   const ToNVVMPipelineOptions &options);

/// The first part of buildLinalgToLaunchesPipeline, without its fallbacks. The
/// result is gpu.launch ops on vectors, with a config on each contraction.
void buildLinalgToConfigsPipeline(OpPassManager &pm,
                                  const ToNVVMPipelineOptions &options);

/// Outlines gpu.launch ops to kernels, with their final arguments and one block
/// of workgroup memory each. After it, buildManifestEntries can read the
/// launches from the functions.
void buildGPUKernelsPipeline(OpPassManager &pm,
                             const ToNVVMPipelineOptions &options);

/// Lowers the kernels to ops that the device has instructions for. The result
/// is the last form with loops, memrefs and vectors. The SIMT interpreter of
/// the tests executes it.
void buildDeviceKernelsPipeline(OpPassManager &pm,
                                const ToNVVMPipelineOptions &options);

/// Lowers device kernels to NVVM or PTX. Leaves the host functions unchanged.
void buildDeviceKernelsToNVVMPipeline(OpPassManager &pm,
                                      const ToNVVMPipelineOptions &options);

/// linalg-ext-gpu-to-nvvm: from gpu.launch to NVVM or PTX. Runs the three
/// pipelines above, and creates the manifest after the first one.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const ToNVVMPipelineOptions &options);

/// linalg-ext-to-nvvm: from linalg on tensors to NVVM or PTX.
void buildToNVVMPipeline(OpPassManager &pm,
                         const ToNVVMPipelineOptions &options);

void registerToNVVMPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TONVVM_H
