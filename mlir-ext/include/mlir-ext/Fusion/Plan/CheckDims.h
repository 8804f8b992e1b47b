//===- CheckDims.h - Sizes of dimensions that there are ---------*- C++ -*-===//
//
// What is undefined in a program may be anything, but no crash of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_CHECKDIMS_H
#define MLIR_EXT_FUSION_PLAN_CHECKDIMS_H

#include "mlir/IR/Operation.h"

namespace mlir::linalg_ext {

/// Emits an error at the first op in `scope` that asks for the size of a
/// dimension, a constant, that its operand does not have: upstream's analysis
/// of bounds (22.1.8) takes it that there is none.
LogicalResult checkDims(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_CHECKDIMS_H
