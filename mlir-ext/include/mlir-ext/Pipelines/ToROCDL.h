//===- ToROCDL.h - From linalg to code for AMD GPUs -------------*- C++ -*-===//
//
// The pipelines linalg-ext-to-rocdl and linalg-ext-gpu-to-rocdl, and their
// parts in order: launches, kernels, device kernels, ROCDL or assembly.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TOROCDL_H
#define MLIR_EXT_PIPELINES_TOROCDL_H

#include "mlir-ext/Pipelines/GPUOptions.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::linalg_ext {

struct ToROCDLPipelineOptions
    : public PassPipelineOptions<ToROCDLPipelineOptions>,
      public GPUPipelineOptions {
  /// With 0 threads, a workgroup has four subgroups, one for each SIMD of a CU
  /// or WGP. Masks are not merged, because merged masks take more registers,
  /// and so fewer waves run (docs/AMD.md).
  ToROCDLPipelineOptions() {
    threads = 0;
    mergeMasks = false;
  }

  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to compile for: gfx90a, gfx942, ..., gfx1201"),
      llvm::cl::init("gfx942")};
  Option<bool> transposeLoads{
      *this, "transpose-loads",
      llvm::cl::desc("Transpose 16-bit elements where they are loaded from LDS "
                     "(ds_read_b64_tr_b16), not in registers on their way "
                     "there: gfx950 only"),
      llvm::cl::init(false)};
  Option<bool> laneCopies{
      *this, "lane-copies",
      llvm::cl::desc("Copy tiles to LDS without registers, 16 bytes a lane "
                     "(buffer_load_dwordx4 with lds): gfx950 only"),
      llvm::cl::init(false)};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("Format of the kernels: rocdl (a gpu.module in the ROCDL "
                     "dialect), llvm (a gpu.binary with the bitcode of LLVM) "
                     "or isa (a gpu.binary with assembly)"),
      llvm::cl::init("isa")};
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToROCDLPipelineOptions &options,
                           std::string &error);

/// These are as in ToNVVM.h.
void buildLinalgToConfigsPipeline(OpPassManager &pm,
                                  const ToROCDLPipelineOptions &options);
void buildLinalgToLaunchesPipeline(OpPassManager &pm,
                                   const ToROCDLPipelineOptions &options);
void buildGPUKernelsPipeline(OpPassManager &pm,
                             const ToROCDLPipelineOptions &options);
void buildDeviceKernelsPipeline(OpPassManager &pm,
                                const ToROCDLPipelineOptions &options);

/// Lowers device kernels to ROCDL or assembly. Leaves the host functions
/// unchanged.
void buildDeviceKernelsToROCDLPipeline(OpPassManager &pm,
                                       const ToROCDLPipelineOptions &options);

/// linalg-ext-gpu-to-rocdl: from gpu.launch to ROCDL or assembly. Runs the
/// three pipelines above, and creates the manifest after the first one.
void buildGPUToROCDLPipeline(OpPassManager &pm,
                             const ToROCDLPipelineOptions &options);

/// linalg-ext-to-rocdl: from linalg on tensors to ROCDL or assembly.
void buildToROCDLPipeline(OpPassManager &pm,
                          const ToROCDLPipelineOptions &options);

void registerToROCDLPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TOROCDL_H
