//===- PendingRoots.h - Roots that are not fused yet ------------*- C++ -*-===//
//
// A list of roots to fuse one after another. Fusing one root may erase a later
// one, which it fuses as a producer or as a sibling. The list drops erased
// roots.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_PENDINGROOTS_H
#define MLIR_EXT_FUSION_APPLY_PENDINGROOTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// The roots that are not fused yet. Listens to `rewriter` and drops a root
/// when it is erased. The original listener is restored at the end of the
/// lifetime.
class PendingRoots : public RewriterBase::ForwardingListener {
public:
  PendingRoots(RewriterBase &rewriter, ArrayRef<Operation *> roots)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outerListener(rewriter.getListener()), roots(roots) {
    rewriter.setListener(this);
  }
  ~PendingRoots() override { rewriter.setListener(outerListener); }

  void notifyOperationErased(Operation *op) override {
    llvm::replace(roots, op, static_cast<Operation *>(nullptr));
    ForwardingListener::notifyOperationErased(op);
  }
  /// Returns the next root, or null if none is left.
  Operation *next() {
    while (index < roots.size())
      if (Operation *root = roots[index++])
        return root;
    return nullptr;
  }

private:
  RewriterBase &rewriter;
  OpBuilder::Listener *outerListener;
  SmallVector<Operation *> roots;
  size_t index = 0;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_PENDINGROOTS_H
