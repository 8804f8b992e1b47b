//===- ExpandMath.h - Math ops that upstream has no lowering of -*- C++ -*-===//
//
// What every target needs: an expansion is of arith and simpler math ops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H
#define MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Expands, of scalars and vectors:
///
/// - `math.clampf` to min(max(x, low), high), as its lowering to SPIR-V does;
///   upstream's expansion (22.1.8) takes the minimum with the lower bound;
/// - `math.isinf` and `math.isnormal` to comparisons of |x|, in f32 of what has
///   less than 32 bits.
void populateExpandMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXPANDMATH_H
