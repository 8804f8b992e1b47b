//===- LoopSlice.h - What an op of a loop needs -----------------*- C++ -*-===//
//
// Some passes move a load to another iteration of its loop. The ops that
// compute its indices must move with it; these functions find them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_LOOPSLICE_H
#define MLIR_EXT_SUPPORT_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// Returns `op`, an op of the body of `loop`, and before it the ops of the body
/// that compute its operands, in program order. Fails if one of these is not
/// pure, has a region, or uses a value that the loop carries.
FailureOr<SmallVector<Operation *>> getNeededInIteration(scf::ForOp loop,
                                                         Operation *op);

/// Returns the ops of the body of `loop` that compute what `branch`, an op of
/// the body, uses, in program order. `branch` itself is not returned. Fails if
/// `branch` has no op for which `isRead` is true, if it has an op that is
/// neither such a read nor pure, or if a value that the loop carries is needed.
FailureOr<SmallVector<Operation *>>
getNeededByBranch(scf::ForOp loop, scf::IfOp branch,
                  llvm::function_ref<bool(Operation *)> isRead);

/// Clones the ops of `loop` that compute `value` at the insertion point of `b`,
/// and returns the clone of `value`. `mapping` must map the induction variable
/// and the iter_args of the loop that are used; the clones are added to it.
/// Returns a value from outside of the loop as it is.
Value cloneForIteration(OpBuilder &b, scf::ForOp loop, Value value,
                        IRMapping &mapping);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LOOPSLICE_H
