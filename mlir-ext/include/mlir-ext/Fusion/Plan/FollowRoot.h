//===- FollowRoot.h - Ops that may move after a root ------------*- C++ -*-===//
//
// The final values of fused producers exist only after the loops, that is,
// after the root. Some users of these values may stand before the root. The
// plan relies on moving them after the root, and applying the plan moves them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H
#define MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::linalg_ext {

/// Returns the ops before `root` in its block that may move after it: pure ops
/// that `root`, its `siblings` and ops with side effects do not use, directly
/// or not. If `first` is given, looks only at ops from `first` on.
llvm::DenseSet<Operation *> getOpsThatMayFollow(Operation *root,
                                                ArrayRef<Operation *> siblings,
                                                Operation *first = nullptr);

/// Moves the users of `producers`, and the users of these, after `root` if they
/// may move there.
void moveUsersAfterRoot(RewriterBase &rewriter, Operation *root,
                        ArrayRef<Operation *> siblings,
                        ArrayRef<Operation *> producers);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H
