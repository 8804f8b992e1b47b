//===- Transforms.h - Transformations for NVIDIA GPUs -----------*- C++ -*-===//
//
// What linalg-ext-gpu-pipeline-loops does for NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H

#include "mlir/IR/Operation.h"

namespace mlir::nvgpu_ext {

/// Lets the loops in `scope` issue asynchronous copies (`nvgpu`) some iterations
/// ahead, so that they run while threads compute. Loops that fit no scheme stay
/// as they are. Fails, with an error, if upstream's pipeliner refuses a loop.
LogicalResult pipelineCopies(Operation *scope);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
