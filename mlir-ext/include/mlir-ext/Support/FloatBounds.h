//===- FloatBounds.h - Lower bounds of floats -------------------*- C++ -*-===//
//
// What ops say of the elements that they compute, such as the divisor of an
// activation: 1 + exp(x) is no small number.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_FLOATBOUNDS_H
#define MLIR_EXT_SUPPORT_FLOATBOUNDS_H

#include "mlir/IR/Value.h"

namespace mlir::linalg_ext {

/// Returns whether no element of `value` is less than 0, as far as at most
/// `depth` ops say. (Elements may be NaN.)
bool isNonNegative(Value value, unsigned depth = 8);

/// Returns whether no element of `value` is less than 2^-32: it is a constant,
/// or the sum of one and a value that is not negative.
bool isLarge(Value value, unsigned depth = 8);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_FLOATBOUNDS_H
