//===- ContractionTypes.h - Narrow floats of contractions -------*- C++ -*-===//
//
// Private to SelectConfig. Lets contractions of floats of at most 8 bits have
// operands of types that an instruction multiplies.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_CONTRACTIONTYPES_H
#define MLIR_EXT_LIB_PIPELINES_CONTRACTIONTYPES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Lets operands of `contract` that are extended from two formats of 8 bits be
/// extended to 16 bits only: a contraction has operands of one type.
void narrowExtensions(RewriterBase &rewriter, vector::ContractionOp contract);

/// Removes extensions of operands of `contract` from one type of 8 bits to any
/// other, if an instruction of `names` multiplies it.
void foldF8(RewriterBase &rewriter, vector::ContractionOp contract,
            ArrayRef<StringRef> names);

/// Extends operands of `contract` that are floats of 8 bits to 16 bits, unless
/// an instruction of `names` multiplies them as they are.
void extendF8(RewriterBase &rewriter, vector::ContractionOp contract,
              ArrayRef<StringRef> names);

/// Clamps what is rounded to f8 for the left operand of `contract`:
/// instructions that round clamp as well, and need no code for larger numbers
/// then.
void clampRounded(RewriterBase &rewriter, vector::ContractionOp contract);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_CONTRACTIONTYPES_H
