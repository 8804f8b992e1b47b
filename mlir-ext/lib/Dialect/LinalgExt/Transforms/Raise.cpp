//===- Raise.cpp - Recognising online reductions in upstream ops ----------===//
//
// Replaces linalg.softmax, and the chains of linalg ops that importers write
// for it, by linalg_ext.softmax.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTRAISEPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Builds the softmax of `input` along `dimension` from the identity state,
/// with `output` as destination of the result.
static Value buildSoftmax(OpBuilder &b, Location loc, Value input,
                          Value output, int64_t dimension) {
  Type stateType = SoftmaxOp::getStateType(getElementTypeOrSelf(input));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, input);
  sizes.erase(sizes.begin() + dimension);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, stateType);
  Value minusInf = arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(stateType,
                     APFloat::getInf(
                         cast<FloatType>(stateType).getFloatSemantics(),
                         /*Negative=*/true)));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(stateType));
  Value max = linalg::FillOp::create(b, loc, minusInf, empty).getResult(0);
  Value sum = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  return SoftmaxOp::create(b, loc, input, ValueRange{output, max, sum, empty},
                           dimension)
      ->getResult(0);
}

unsigned mlir::linalg_ext::raiseOnlineReductions(RewriterBase &rewriter,
                                                 Operation *scope) {
  SmallVector<linalg::SoftmaxOp> named;
  scope->walk([&](linalg::SoftmaxOp op) {
    if (op->getNumResults() == 1 &&
        getElementTypeOrSelf(op.getInput()) ==
            getElementTypeOrSelf(op.getOutput()))
      named.push_back(op);
  });
  for (linalg::SoftmaxOp op : named) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, buildSoftmax(rewriter, op.getLoc(), op.getInput(),
                                        op.getOutput(), op.getDimension()));
  }
  return named.size();
}

namespace {
struct LinalgExtRaisePass
    : public linalg_ext::impl::LinalgExtRaisePassBase<LinalgExtRaisePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    raiseOnlineReductions(rewriter, getOperation());
  }
};
} // namespace
