//===- ApproximateTanh.h - tanh within 2^-21 --------------------*- C++ -*-===//
//
// Lowers tanh of f32 with the flag `afn`, and what is computed from it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_APPROXIMATETANH_H
#define MLIR_EXT_LIB_TARGET_GPU_APPROXIMATETANH_H

#include "mlir-ext/Target/GPU/LowerMath.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// The number of elements of a thread from which on a branch pays.
constexpr int64_t kBranchElements = 16;

/// Replaces `op` within 2^-21, which near 0 is more than the last bits.
void lowerApproximateTanh(RewriterBase &rewriter, math::TanhOp op,
                          const MathInstructions &instructions);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_APPROXIMATETANH_H
