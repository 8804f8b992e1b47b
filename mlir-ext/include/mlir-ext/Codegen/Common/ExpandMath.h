//===- ExpandMath.h - Math ops without a lowering upstream ------*- C++ -*-===//
//
// Expands math ops to arith ops and simpler math ops, for all targets.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H
#define MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds patterns that expand math ops on scalars and vectors of floats:
///
/// - `math.clampf` becomes min(max(x, low), high), as in its lowering to
///   SPIR-V. Upstream's expansion (22.1.8) takes the minimum with the wrong
///   bound, `low`;
/// - `math.isinf` and `math.isnormal` become comparisons of |x|. Types of less
///   than 32 bits are compared in f32.
void populateExpandMathPatterns(RewritePatternSet &patterns);

/// Rounds `x`, scalars or vectors of f64, to f32 so that rounding the result to
/// at most 22 bits gives the same as rounding `x`: if the f32 number is inexact,
/// it is the odd one of the two neighbours of `x`.
Value roundToOddF32(ImplicitLocOpBuilder &b, Value x);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H
