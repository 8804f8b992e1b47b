//===- FollowRoot.h - What may come after a root ----------------*- C++ -*-===//
//
// Loops leave final values behind the root. Users of those may stand before it;
// the plan counts on their being moved, and application moves them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H
#define MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::linalg_ext {

/// Returns the ops before `root` in its block that it does not wait for: pure
/// ones that neither it nor its `siblings` nor an op with effects uses. They
/// may as well come after it, and do where they use results that are final only
/// then. With `first` none in front of that is looked at.
llvm::DenseSet<Operation *> getOpsThatMayFollow(Operation *root,
                                                ArrayRef<Operation *> siblings,
                                                Operation *first = nullptr);

/// Moves the users of `producers`, and theirs, behind `root` if they may follow
/// it.
void moveUsersAfterRoot(RewriterBase &rewriter, Operation *root,
                        ArrayRef<Operation *> siblings,
                        ArrayRef<Operation *> producers);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_FOLLOWROOT_H
