//===- LoopSlice.h - What an op of a loop needs -----------------*- C++ -*-===//
//
// Loads that move to another iteration take along what computes their indices.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_LOOPSLICE_H
#define MLIR_EXT_SUPPORT_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// Returns the ops of the body of `loop` that `op`, one of them, needs, in
/// their order, and `op` as the last one. Fails if one of them does more than
/// compute, has a region, or needs what the loop carries.
FailureOr<SmallVector<Operation *>> getNeededInIteration(scf::ForOp loop,
                                                         Operation *op);

/// Returns the ops of the body of `loop` that `branch`, one of them, needs, in
/// their order, without `branch`. Fails if it reads nothing (`isRead`), if
/// it does something else than this and compute, or if it needs what the loop
/// carries.
FailureOr<SmallVector<Operation *>>
getNeededByBranch(scf::ForOp loop, scf::IfOp branch,
                  llvm::function_ref<bool(Operation *)> isRead);

/// Clones the ops of `loop` that compute `value` to where `b` is, and returns
/// the clone of `value`. `mapping` has the number of the iteration and what the
/// loop carries into it, if these are used; clones are added to it. A value
/// from outside of the loop is returned as it is.
Value cloneForIteration(OpBuilder &b, scf::ForOp loop, Value value,
                        IRMapping &mapping);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LOOPSLICE_H
