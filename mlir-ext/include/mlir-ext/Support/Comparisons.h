//===- Comparisons.h - Predicates of comparisons ----------------*- C++ -*-===//
//
// What upstream has no function for: arith::invertPredicate negates one.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_COMPARISONS_H
#define MLIR_EXT_SUPPORT_COMPARISONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::linalg_ext {

/// Returns the predicate q with which `b q a` is `a predicate b`.
arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate);

/// Returns the signed predicate that is the same for numbers that are not
/// negative.
arith::CmpIPredicate makeSigned(arith::CmpIPredicate predicate);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_COMPARISONS_H
