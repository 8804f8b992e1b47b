//===- MaxByIntegers.h - The maximum of three numbers at a time -*- C++ -*-===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_MAXBYINTEGERS_H
#define MLIR_EXT_LIB_TARGET_GPU_MAXBYINTEGERS_H

#include "mlir/IR/Builders.h"

namespace mlir::linalg_ext {

/// Builds whether a condition is true in all threads of a subgroup.
using VoteAll = Value (*)(OpBuilder &, Location, Value);

/// Computes long chains of maxima of scores in `scope` as those of integers, where
/// the maximum before is not negative.
void maxByIntegers(Operation *scope, VoteAll all);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_MAXBYINTEGERS_H
