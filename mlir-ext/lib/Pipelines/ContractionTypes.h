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

/// If the operands of `contract` are extended from two different 8-bit formats,
/// extends them to 16 bits only, because the operands of a contraction have one
/// type.
void narrowExtensions(RewriterBase &rewriter, vector::ContractionOp contract);

/// Removes extensions of operands of `contract` from 8-bit types, if an
/// instruction of `names` multiplies these types. Two types are only multiplied
/// by instructions that read tiles in place: the bits of the right operand get
/// the type of the left one, and `vector_ext.formats` says which they have.
void foldF8(RewriterBase &rewriter, vector::ContractionOp contract,
            ArrayRef<StringRef> names);

/// Extends operands of `contract` that are floats of 8 bits to 16 bits, unless
/// an instruction of `names` multiplies them as they are.
void extendF8(RewriterBase &rewriter, vector::ContractionOp contract,
              ArrayRef<StringRef> names);

/// Clamps values that are rounded to f8 for the left operand of `contract`.
/// Instructions that round also clamp, so they need no further code for larger
/// numbers.
void clampRounded(RewriterBase &rewriter, vector::ContractionOp contract);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_CONTRACTIONTYPES_H
