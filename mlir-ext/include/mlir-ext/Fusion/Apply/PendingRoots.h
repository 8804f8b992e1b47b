//===- PendingRoots.h - Roots still to be fused -----------------*- C++ -*-===//
//
// Whoever fuses several roots one after another must know which are left: a
// fusion may take a later root with it, as a producer or as a sibling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_PENDINGROOTS_H
#define MLIR_EXT_FUSION_APPLY_PENDINGROOTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Roots still to be fused with `rewriter`, to which it listens; one that
/// another fusion takes with it is none any more.
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
  /// The next root, null if there is none left.
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
