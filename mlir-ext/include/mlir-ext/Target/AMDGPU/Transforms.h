//===- Transforms.h - Transformations for AMD GPUs --------------*- C++ -*-===//
//
// What linalg-ext-gpu-pipeline-loops does for AMD GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H

#include "mlir/IR/Operation.h"

namespace mlir::amdgpu_ext {

/// Lets the loops in `scope` load tiles, through descriptors of buffers, into
/// registers while products run: at most `maxBytes` bytes a thread. Loops whose
/// tiles are larger stay as they are. Fails, with an error, if upstream's
/// pipeliner refuses a loop.
LogicalResult pipelineLoads(Operation *scope, int64_t maxBytes);

} // namespace mlir::amdgpu_ext

#endif // MLIR_EXT_TARGET_AMDGPU_TRANSFORMS_H
