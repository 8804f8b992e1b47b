//===- Transforms.h - Transformations for NVIDIA GPUs -----------*- C++ -*-===//
//
// What linalg-ext-gpu-pipeline-loops and linalg-ext-gpu-lower-math do for NVIDIA
// GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::nvgpu_ext {

/// Lets the loops in `scope` issue asynchronous copies (`nvgpu`) some iterations
/// ahead, so that they run while threads compute. Loops that fit no scheme stay
/// as they are. Fails, with an error, if upstream's pipeliner refuses a loop.
LogicalResult pipelineCopies(Operation *scope);

/// Adds patterns that convert scalars and vectors of f8E4M3FN and f8E5M2 by
/// instructions of sm_89 and later, two elements at a time: `arith.extf` to any
/// wider type, and `arith.truncf` from f16, bf16 and f32. The instructions make
/// the largest number of what is too large. Unless the operand is clamped, an
/// addition then makes it what MLIR has: infinity, or NaN in f8E4M3FN.
void populateConvertF8Patterns(RewritePatternSet &patterns);

/// Adds patterns that convert vectors of i8 to f16, signed or not, by moving
/// bytes and a subtraction for two elements at a time. The results are exact.
void populateConvertI8Patterns(RewritePatternSet &patterns);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
