//===- CheckDims.h - Rejects dimensions out of range ------------*- C++ -*-===//
//
// A `dim` op with an index out of range is undefined behaviour at run time. It
// must not crash the compiler, so tile-and-fuse rejects it first.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_CHECKDIMS_H
#define MLIR_EXT_FUSION_PLAN_CHECKDIMS_H

#include "mlir/IR/Operation.h"

namespace mlir::linalg_ext {

/// Emits an error at the first op in `scope` that takes the size of a constant
/// dimension that its operand does not have, and fails. Upstream's bounds
/// analysis (22.1.8) assumes that these dimensions are in range.
LogicalResult checkDims(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_CHECKDIMS_H
