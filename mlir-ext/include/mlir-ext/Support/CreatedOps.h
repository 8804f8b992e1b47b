//===- CreatedOps.h - Undo list of created ops ------------------*- C++ -*-===//
//
// Some rewrites create ops before they know whether they will succeed. On
// failure they must leave the IR unchanged. This listener records the ops that
// a rewriter creates, so that the rewrite can erase them again.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_CREATEDOPS_H
#define MLIR_EXT_SUPPORT_CREATEDOPS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// Records the ops that `rewriter` creates during the lifetime of this object.
/// Forwards all notifications to the previous listener of `rewriter`.
class CreatedOps : public RewriterBase::ForwardingListener {
public:
  explicit CreatedOps(RewriterBase &rewriter)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outer(rewriter.getListener()) {
    rewriter.setListener(this);
  }
  ~CreatedOps() override { rewriter.setListener(outer); }

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    ForwardingListener::notifyOperationInserted(op, previous);
    if (!previous.isSet())
      ops.insert(op);
  }
  void notifyOperationErased(Operation *op) override {
    ForwardingListener::notifyOperationErased(op);
    ops.remove(op);
  }

  /// Erases the recorded ops that have no uses, the latest one first. Repeats
  /// this until every recorded op has a use. Keeps terminators.
  void eraseUnused() {
    while (true) {
      auto unused = llvm::find_if(llvm::reverse(ops), [](Operation *op) {
        return op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>();
      });
      if (unused == ops.rend())
        return;
      rewriter.eraseOp(*unused);
    }
  }

private:
  RewriterBase &rewriter;
  OpBuilder::Listener *outer;
  llvm::SetVector<Operation *> ops;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_CREATEDOPS_H
