//===- CreatedOps.h - Ops to be taken back ----------------------*- C++ -*-===//
//
// A rewrite that builds ops before it knows whether it can be done has to leave
// the IR as it was if it cannot.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_CREATEDOPS_H
#define MLIR_EXT_SUPPORT_CREATEDOPS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// The ops that a rewriter creates while this exists.
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

  /// Erases those that nobody uses, the last ones first.
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
