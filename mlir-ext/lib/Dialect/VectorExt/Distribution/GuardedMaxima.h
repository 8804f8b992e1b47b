//===- GuardedMaxima.h - Maxima that are not -infinity ----------*- C++ -*-===//
//
// Private to patterns on the powers of an online softmax.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GUARDEDMAXIMA_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GUARDEDMAXIMA_H

#include "mlir/IR/Value.h"

namespace mlir::vector_ext {

/// Returns whether `value` is a constant, all of whose elements are -infinity.
bool isMinusInfinity(Value value);

/// Returns the operand of an op that only moves elements, or null.
Value getMoved(Value value);

/// Returns whether `value` is a constant that is positive and finite, or one of
/// several.
bool isPositiveFinite(Value value);

/// Returns whether no element of `value` is -infinity, as for a row's maximum
/// that is guarded for rows without scores. (If the product of a score is
/// -infinity, the power is NaN with and without a mask.)
bool isGuarded(Value value);

/// Returns whether `value` may be at least 2^27: too large for a rounded
/// product with log2(e), and for a difference from a small number. Sums of
/// contractions are assumed not to be, except for their initial values. The
/// same holds for values that were f16.
bool mayBeHuge(Value value, unsigned depth = 0);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GUARDEDMAXIMA_H
