//===- FoldFirstFactors.cpp - Factors of an empty state -------------------===//
//
// An online softmax multiplies its state by e^(old - new) when the maximum of a
// row changes. Where a loop has been peeled, the old maximum of the first
// iteration is -infinity, and the factor is 0. The products with it then fold,
// and sums start from constants:
//
//   exp2((-infinity - m) * c)  ->  0
//
// Nothing folds this for all m: it is NaN if m is. But then a weight of the row
// is NaN, and so are its sums.
//
//===----------------------------------------------------------------------===//

#include "GuardedMaxima.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Returns whether `value`, multiplied by a constant and moved, is subtracted
/// from the exponents of a larger vector: those of weights.
static bool isOfWeights(Value value, int64_t rank, unsigned depth = 4) {
  return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (auto difference = dyn_cast<arith::SubFOp>(user)) {
             auto type = dyn_cast<VectorType>(difference.getType());
             return difference.getRhs() == value && type &&
                    type.getRank() > rank &&
                    llvm::all_of(difference->getUsers(),
                                 llvm::IsaPred<math::Exp2Op>);
           }
           bool isMoved = user->getNumResults() == 1 &&
                          getMoved(user->getResult(0)) == value;
           auto product = dyn_cast<arith::MulFOp>(user);
           return (isMoved || (product && product.getLhs() == value &&
                               isPositiveFinite(product.getRhs()))) &&
                  isOfWeights(user->getResult(0), rank, depth - 1);
         });
}

namespace {
struct FoldFirstFactor : public OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    Value power = op.getOperand();
    auto product = power.getDefiningOp<arith::MulFOp>();
    if (product && isPositiveFinite(product.getRhs()))
      power = product.getLhs();
    auto difference = power.getDefiningOp<arith::SubFOp>();
    if (!type || !difference || !isMinusInfinity(difference.getLhs()))
      return rewriter.notifyMatchFailure(op, "no difference from -infinity");
    if (!isGuarded(difference.getRhs()) ||
        !isOfWeights(difference.getRhs(), type.getRank()))
      return rewriter.notifyMatchFailure(
          op, "expected a maximum of weights that is not -infinity");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getZeroAttr(type));
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateFoldFirstFactorsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldFirstFactor>(patterns.getContext());
}
