//===- ExcessPrecision.cpp - Skips roundings between ops ------------------===//
//
// Importers round the result of each op to the type of the program. If the
// reader could compute in f32 too, the rounding costs two conversions for each
// element, and digits. (Upstream folds extf(truncf(x)) only if both ops have
// the fast-math flag `contract`, which importers do not set. It never widens
// ops between the two.)
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// Returns the f32 vector that `op` rounds to halves. Returns null if it does
/// not round, or if it has a rounding mode, because its author wants that
/// rounding.
static Value getRounded(Operation *op) {
  auto rounding = dyn_cast_or_null<arith::TruncFOp>(op);
  if (!rounding || rounding.getRoundingmode() ||
      !isa<VectorType>(rounding.getType()) || !isHalf(rounding.getType()) ||
      !getElementTypeOrSelf(rounding.getIn().getType()).isF32())
    return nullptr;
  return rounding.getIn();
}

/// Returns whether `op` compares two numbers of the program, neither of which
/// is a constant. A number may be found by such comparisons, as the maximum of
/// a row is. Then both numbers must be rounded, or neither.
static bool comparesNumbers(Operation *op) {
  auto compare = dyn_cast<arith::CmpFOp>(op);
  return compare && !matchPattern(compare.getLhs(), m_Constant()) &&
         !matchPattern(compare.getRhs(), m_Constant());
}

namespace {
/// Replaces extf(truncf(x)) by x, except for operands of contractions: there
/// the rounding makes an operand that matrix instructions take.
struct DropRounding : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Value wide = getRounded(op.getIn().getDefiningOp());
    if (!wide || wide.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "it extends nothing rounded");
    auto mayBeWide = [](OpOperand &use) {
      auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
      return contract ? use.get() == contract.getAcc()
                      : !comparesNumbers(use.getOwner());
    };
    if (llvm::none_of(op->getUses(), mayBeWide))
      return rewriter.notifyMatchFailure(
          op, "only contractions and comparisons read it");
    rewriter.replaceUsesWithIf(op, wide, mayBeWide);
    return success();
  }
};

/// Replaces extf(c ? a : b), for constants a and b, by a choice of their
/// extensions.
struct ExtendConstants : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto select = op.getIn().getDefiningOp<arith::SelectOp>();
    if (!select || !isa<VectorType>(op.getType()) ||
        !isHalf(select.getType()) ||
        !matchPattern(select.getTrueValue(), m_Constant()) ||
        !matchPattern(select.getFalseValue(), m_Constant()))
      return rewriter.notifyMatchFailure(op,
                                         "it extends no choice of constants");
    Value chosen[] = {select.getTrueValue(), select.getFalseValue()};
    for (Value &value : chosen)
      value = rewriter.createOrFold<arith::ExtFOp>(op.getLoc(), op.getType(),
                                                   value);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, select.getCondition(),
                                                 chosen[0], chosen[1]);
    return success();
  }
};

/// Replaces op(truncf(x), y) by the rounding of op(x, extf(y)).
struct RoundResult : public RewritePattern {
  explicit RoundResult(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    // 1. The op must be elementwise, with one type of halves beside flags.
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        op->getNumResults() != 1 || isa<CastOpInterface>(op) ||
        !OpTrait::hasElementwiseMappableTraits(op))
      return rewriter.notifyMatchFailure(op, "not elementwise arithmetic");
    if (comparesNumbers(op))
      return rewriter.notifyMatchFailure(op, "it compares two numbers");
    Operation *rounding = nullptr;
    for (Value operand : op->getOperands())
      if (getRounded(operand.getDefiningOp()))
        rounding = operand.getDefiningOp();
    if (!rounding)
      return rewriter.notifyMatchFailure(op, "it reads nothing rounded");
    Type halves = rounding->getResult(0).getType();
    Value result = op->getResult(0);
    for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
      if (isa<FloatType>(getElementTypeOrSelf(value.getType())) &&
          value.getType() != halves)
        return rewriter.notifyMatchFailure(op, "of several types of floats");

    // 2. Build the op in f32.
    Type wide = cast<VectorType>(halves).clone(rewriter.getF32Type());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (operand.getType() == halves)
        operand =
            rewriter.createOrFold<arith::ExtFOp>(op->getLoc(), wide, operand);
      operands.push_back(operand);
    }
    bool isOfHalves = result.getType() == halves;
    Operation *widened =
        clone(rewriter, op, isOfHalves ? wide : result.getType(), operands);
    if (isOfHalves)
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, halves,
                                                   widened->getResult(0));
    else
      rewriter.replaceOp(op, widened);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateExcessPrecisionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropRounding, ExtendConstants, RoundResult>(
      patterns.getContext());
}
