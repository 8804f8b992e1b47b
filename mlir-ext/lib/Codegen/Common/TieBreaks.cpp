//===- TieBreaks.cpp - Comparisons of positions that never hold -----------===//
//
// A reduction of StableHLO has no order. So JAX's arg-max takes the smaller one
// of two positions of equal terms. A linalg op has an order, in which positions
// grow: the new one is never smaller than the one that it carries. Without this
// comparison the op is an arg-max as others write it.
//
//===----------------------------------------------------------------------===//

#include "TieBreaks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `value`, in the payload of `op`, is the position along its
/// only reduction loop, `loop`, as an integer that holds it.
static bool isPosition(Value value, unsigned loop) {
  while (Operation *def = value.getDefiningOp()) {
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      return index.getDim() == loop;
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp>(def))
      return false;
    // An integer of fewer bits may not hold positions.
    if (auto type = dyn_cast<IntegerType>(value.getType());
        type && type.getWidth() < 32)
      return false;
    value = def->getOperand(0);
  }
  return false;
}

/// Returns whether selections make `value` from positions and from `carried`.
static bool isCarriedOrPosition(Value value, Value carried, unsigned loop) {
  SmallVector<Value> left{value};
  constexpr unsigned kMostValues = 16;
  for (unsigned i = 0; i < left.size(); ++i) {
    if (i == kMostValues)
      return false;
    if (left[i] == carried || isPosition(left[i], loop))
      continue;
    auto select = left[i].getDefiningOp<arith::SelectOp>();
    if (!select)
      return false;
    left.append({select.getTrueValue(), select.getFalseValue()});
  }
  return true;
}

/// Returns the number with which `init` is filled, if it is known.
static std::optional<APInt> getFilled(Value init) {
  APInt number;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.value(), m_ConstantInt(&number))
               ? std::optional(number)
               : std::nullopt;
  return matchPattern(init, m_ConstantInt(&number)) ? std::optional(number)
                                                    : std::nullopt;
}

namespace {
struct DropTieBreak : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 1 ||
        op.getNumDpsInits() < 2)
      return rewriter.notifyMatchFailure(op, "carries no positions");
    SmallVector<unsigned> loops;
    op.getReductionDims(loops);
    for (auto compare : op.getBody()->getOps<arith::CmpIOp>())
      if (!compare->use_empty() && neverHolds(op, compare, loops.front())) {
        rewriter.setInsertionPoint(compare);
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(
            compare, rewriter.getBoolAttr(false));
        return success();
      }
    return rewriter.notifyMatchFailure(op, "compares no positions");
  }

private:
  /// Whether `compare` asks if a position is less than the carried one.
  static bool neverHolds(linalg::GenericOp op, arith::CmpIOp compare,
                         unsigned loop) {
    using Predicate = arith::CmpIPredicate;
    Value position = compare.getLhs(), carried = compare.getRhs();
    Predicate predicate = compare.getPredicate();
    if (predicate == Predicate::sgt || predicate == Predicate::ugt)
      std::swap(position, carried);
    else if (predicate != Predicate::slt && predicate != Predicate::ult)
      return false;
    bool isUnsigned =
        predicate == Predicate::ult || predicate == Predicate::ugt;
    auto argument = dyn_cast<BlockArgument>(carried);
    if (!argument || argument.getOwner() != op.getBody() ||
        argument.getArgNumber() < op.getNumDpsInputs() ||
        !isPosition(position, loop))
      return false;
    unsigned number = argument.getArgNumber() - op.getNumDpsInputs();
    std::optional<APInt> first = getFilled(op.getDpsInits()[number]);
    if (!first || !(first->isZero() || (!isUnsigned && first->isNegative())))
      return false;
    return isCarriedOrPosition(
        op.getBody()->getTerminator()->getOperand(number), carried, loop);
  }
};
} // namespace

void mlir::linalg_ext::populateTieBreakPatterns(RewritePatternSet &patterns) {
  patterns.add<DropTieBreak>(patterns.getContext());
}
