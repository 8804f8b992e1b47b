//===- ToNVVM.h - From launches to PTX --------------------------*- C++ -*-===//
//
// The pipeline linalg-ext-gpu-to-nvvm, and its two parts.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TONVVM_H
#define MLIR_EXT_PIPELINES_TONVVM_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::linalg_ext {

struct ToNVVMPipelineOptions
    : public PassPipelineOptions<ToNVVMPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The chip: sm_80, ..., sm_90a, ..."),
                           llvm::cl::init("sm_80")};
  Option<unsigned> indexBitwidth{
      *this, "index-bitwidth",
      llvm::cl::desc("The width of index in kernels: 64, or 32 where no offset "
                     "needs more"),
      llvm::cl::init(64)};
  Option<bool> contract{*this, "contract",
                        llvm::cl::desc("Allow fused multiply-adds"),
                        llvm::cl::init(true)};
  Option<bool> exactDivision{
      *this, "exact-division",
      llvm::cl::desc("Round quotients of f32 correctly, at several times the "
                     "cost"),
      llvm::cl::init(false)};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What the kernels become: nvvm (a gpu.module of the NVVM "
                     "dialect) or isa (a gpu.binary with PTX)"),
      llvm::cl::init("isa")};
};

/// Kernels out of gpu.launch, with their final arguments and one block of
/// workgroup memory. What is launched can be read off the functions afterwards.
void buildGPUKernelsPipeline(OpPassManager &pm,
                             const ToNVVMPipelineOptions &options);

/// The kernels to NVVM or PTX; the functions stay as they are.
void buildKernelsToNVVMPipeline(OpPassManager &pm,
                                const ToNVVMPipelineOptions &options);

/// linalg-ext-gpu-to-nvvm: both, and the manifest between them.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const ToNVVMPipelineOptions &options);

void registerToNVVMPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TONVVM_H
