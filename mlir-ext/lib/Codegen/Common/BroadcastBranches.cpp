//===- BroadcastBranches.cpp - Branches that repeat nothing ---------------===//
//
// Operands of an elementwise op in TOSA have equal sizes, or a size is 1. Where
// sizes are not in types, tosa-to-linalg asks for each one whether it is 1, and
// repeats the operand in a branch if it is. No op is fused across such a
// branch. Mostly both sizes are that of one tensor, so nothing is ever
// repeated.
//
//===----------------------------------------------------------------------===//

#include "BroadcastBranches.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The size that `condition` says is 1; null if it says something else.
static Value getSizeOfOne(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  if (isOneInteger(compare.getRhs()))
    return compare.getLhs();
  return isOneInteger(compare.getLhs()) ? compare.getRhs() : Value();
}

namespace {
struct FoldBroadcastBranch : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || !op.elseBlock())
      return rewriter.notifyMatchFailure(op, "has no two branches");
    // 1. What is repeated, and otherwise yielded.
    Value source = op.elseYield().getOperand(0);
    auto repeat =
        op.thenYield().getOperand(0).getDefiningOp<linalg::GenericOp>();
    if (!repeat || repeat.getNumDpsInputs() != 1 ||
        repeat.getInputs().front() != source ||
        source.getType() != op.getType(0) ||
        repeat.getNumReductionLoops() > 0 ||
        repeat.getBlock()->getTerminator()->getOperand(0) !=
            repeat.getBlock()->getArgument(0) ||
        !repeat.getIndexingMapsArray().back().isIdentity())
      return rewriter.notifyMatchFailure(op, "repeats no tensor");
    // 2. Along one dimension, which has one element in this branch. As the
    // result has the same size, it is the same there.
    Value one = getSizeOfOne(op.getCondition());
    auto empty = repeat.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
    if (!one || !empty)
      return rewriter.notifyMatchFailure(op, "asks for no size of 1");
    IndexAnalysis analysis;
    std::optional<unsigned> repeated;
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    for (auto [dim, expr] :
         llvm::enumerate(repeat.getIndexingMapsArray().front().getResults())) {
      auto position = dyn_cast<AffineDimExpr>(expr);
      if (position ? position.getPosition() != dim
                   : !isa<AffineConstantExpr>(expr) || repeated)
        return rewriter.notifyMatchFailure(op, "moves elements");
      if (!position)
        repeated = dim;
      if (!(analysis.get(sizes[dim]) == analysis.getSize(source, dim)))
        return rewriter.notifyMatchFailure(op, "the size may change");
    }
    if (!repeated ||
        !(analysis.get(one) == analysis.getSize(source, *repeated)))
      return rewriter.notifyMatchFailure(op, "asks for another size");
    rewriter.replaceOp(op, source);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateBroadcastBranchesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldBroadcastBranch>(patterns.getContext());
}
