//===- LoopSlice.h - What an op of a loop needs -----------------*- C++ -*-===//
//
// Loads that move to another iteration take along what computes their indices.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_LOOPSLICE_H
#define MLIR_EXT_SUPPORT_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
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

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LOOPSLICE_H
