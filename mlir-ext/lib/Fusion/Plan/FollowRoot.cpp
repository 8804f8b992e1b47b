//===- FollowRoot.cpp - Ops that may move after a root --------------------===//
//
// Walks backwards from the root. An op must stay if it has side effects, or if
// the root, a sibling or an op that must stay uses it. See FollowRoot.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/FollowRoot.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

llvm::DenseSet<Operation *> mlir::linalg_ext::getOpsThatMayFollow(
    Operation *root, ArrayRef<Operation *> siblings, Operation *first) {
  llvm::DenseSet<Operation *> needed(siblings.begin(), siblings.end());
  llvm::DenseSet<Operation *> mayFollow;
  needed.insert(root);
  Operation *end = first ? first->getPrevNode() : nullptr;
  for (Operation *op = root->getPrevNode(); op != end; op = op->getPrevNode()) {
    bool isNeeded = needed.contains(op) || !isMemoryEffectFree(op) ||
                    llvm::any_of(op->getUsers(), [&](Operation *user) {
                      return needed.contains(
                          root->getBlock()->findAncestorOpInBlock(*user));
                    });
    (isNeeded ? needed : mayFollow).insert(op);
  }
  return mayFollow;
}

void mlir::linalg_ext::moveUsersAfterRoot(RewriterBase &rewriter,
                                          Operation *root,
                                          ArrayRef<Operation *> siblings,
                                          ArrayRef<Operation *> producers) {
  if (producers.empty())
    return;
  auto first = llvm::min_element(producers, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  llvm::DenseSet<Operation *> mayFollow =
      getOpsThatMayFollow(root, siblings, *first);
  SmallPtrSet<Operation *, 16> users(producers.begin(), producers.end());
  SmallVector<Operation *> between;
  for (Operation *op = *first; op != root; op = op->getNextNode())
    between.push_back(op);
  Operation *after = root;
  for (Operation *op : between) {
    bool uses = false;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        uses |= users.contains(operand.getDefiningOp());
    });
    if (!uses || !mayFollow.contains(op))
      continue;
    users.insert(op);
    rewriter.moveOpAfter(op, after);
    after = op;
  }
}
