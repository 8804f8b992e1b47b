//===- Transforms.h - Transformations for AMD GPUs --------------*- C++ -*-===//
//
// What the passes that each vendor implements (Pipelines/GPUTargetPasses.cpp) do
// for AMD GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Operation.h"

namespace mlir::amdgpu_ext {

/// Lets the loops in `scope` load tiles, through descriptors of buffers, into
/// registers while products run: at most `maxBytes` bytes a thread. Loops whose
/// tiles are larger stay as they are. Fails, with an error, if upstream's
/// pipeliner refuses a loop.
LogicalResult pipelineLoads(Operation *scope, int64_t maxBytes);

/// Returns the first target of `module` that is an AMD GPU, or null.
ROCDL::ROCDLTargetAttr getROCDLTarget(gpu::GPUModuleOp module);

/// Converts the kernels of `module` to ROCDL and LLVM for the chip of `target`,
/// with indices of `indexBitwidth` bits (32 or 64). Fails, with an error, if the
/// chip is unknown, if an op is left unconverted, or if a kernel calls an external
/// function.
LogicalResult convertToROCDL(gpu::GPUModuleOp module,
                             ROCDL::ROCDLTargetAttr target,
                             unsigned indexBitwidth);

} // namespace mlir::amdgpu_ext

#endif // MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H
