//===- PrivatizeDestinations.cpp - One buffer for each destination ---------===//
//
// CSE merges uninitialised tensors of one type, and fills of them with one
// value, whatever they are for. Two ops that write to such a tensor then
// conflict, and bufferization resolves the conflict with a copy, in the loop if
// one of them is there. Computing such a tensor again costs less than copying
// it.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPRIVATIZEDESTINATIONSPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the ops that compute `value` from nothing, last one first: a slice
/// of, or a fill of, an uninitialised tensor. Empty if it is something else.
static SmallVector<Operation *> getUninitialisedChain(Value value) {
  SmallVector<Operation *> chain;
  while (Operation *op = value.getDefiningOp()) {
    chain.push_back(op);
    if (isa<tensor::EmptyOp>(op))
      return chain;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      value = slice.getSource();
    else if (auto fill = dyn_cast<linalg::FillOp>(op))
      value = fill.getDpsInits().front();
    else if (auto cast = dyn_cast<tensor::CastOp>(op))
      value = cast.getSource();
    else
      break;
  }
  return {};
}

/// Returns whether the owner of `operand` may write to its buffer.
static bool isDestination(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.isDpsInit(&operand);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return llvm::is_contained(llvm::make_pointer_range(loop.getInitsMutable()),
                              &operand);
  return false;
}

void mlir::linalg_ext::privatizeDestinations(RewriterBase &rewriter,
                                             Operation *scope) {
  SmallVector<OpOperand *> destinations;
  scope->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          isDestination(operand))
        destinations.push_back(&operand);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  for (OpOperand *operand : destinations) {
    SmallVector<Operation *> chain = getUninitialisedChain(operand->get());
    // What only this op uses, in its own block, is private already. The chain of
    // a fill is visited when its own destination is.
    bool shared = llvm::any_of(chain, [&](Operation *op) {
      return !op->hasOneUse() ||
             op->getBlock() != operand->getOwner()->getBlock();
    });
    if (!shared || isa<linalg::FillOp>(operand->getOwner()))
      continue;
    rewriter.setInsertionPoint(operand->getOwner());
    IRMapping mapping;
    for (Operation *op : llvm::reverse(chain))
      rewriter.clone(*op, mapping);
    rewriter.modifyOpInPlace(operand->getOwner(), [&] {
      operand->set(mapping.lookup(operand->get()));
    });
    for (Operation *op : chain)
      if (op->use_empty())
        rewriter.eraseOp(op);
  }
}

namespace {
struct LinalgExtPrivatizeDestinationsPass
    : public linalg_ext::impl::LinalgExtPrivatizeDestinationsPassBase<
          LinalgExtPrivatizeDestinationsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    privatizeDestinations(rewriter, getOperation());
  }
};
} // namespace
