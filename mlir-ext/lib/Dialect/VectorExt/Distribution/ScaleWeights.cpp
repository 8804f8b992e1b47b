//===- ScaleWeights.cpp - Powers of two of weights are exponents ----------===//
//
// Weights of an online softmax that are rounded to few bits are multiplied by a
// power of two first, so that more of them are normal numbers. The factor is
// added to their exponents, where it costs one sum for each row instead of one
// product for each weight:
//
//   p = exp2(s - m)                      q = exp2(s - (m - n))
//   sum = old * factor + sum of p   ->   sum = old * factor + sum of q
//   f8(2^n p)                            f8(q)
//
// All loops that continue a sum then carry 2^n times it, and it is divided
// behind them. Products with powers of two are exact, and so is the quotient,
// as sums are at least 1 and are far from the largest number. Scores that may
// be huge keep the product: m - n would be rounded.
//
//===----------------------------------------------------------------------===//

#include "GuardedMaxima.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Exponents that are added. Larger ones may overflow.
static constexpr int kMostExponent = 16;

/// Returns n if `value` is a constant 2^n, all of whose elements are equal.
static std::optional<int> getExponent(Value value) {
  APFloat constant(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return std::nullopt;
  int exponent = constant.getExactLog2();
  if (exponent == INT_MIN || exponent == 0 ||
      std::abs(exponent) > kMostExponent)
    return std::nullopt;
  return exponent;
}

/// The product of weights and a power of two, if all users of it round it to 8
/// bits, or to f16. Null if it is none.
static arith::MulFOp getScaledWeights(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  if (!product || !getElementTypeOrSelf(product.getType()).isF32() ||
      !isa<VectorType>(product.getType()) || !getExponent(product.getRhs()) ||
      product->use_empty())
    return {};
  bool isRounded = llvm::all_of(product->getUsers(), [](Operation *user) {
    auto round = dyn_cast<arith::TruncFOp>(user);
    Type type = round ? getElementTypeOrSelf(round.getType()) : Type();
    return type && (type.getIntOrFloatBitWidth() == 8 || type.isF16());
  });
  return isRounded ? product : arith::MulFOp();
}

namespace {
/// A loop that adds weights to a sum which it carries.
struct SummingLoop {
  scf::ForOp loop;
  /// The number of the sum among the results of the loop.
  unsigned number;
  arith::MulFOp product;
  /// The powers that are the weights, or those that a mask leaves.
  math::Exp2Op power;
};
} // namespace

/// Returns the power that `value` is, perhaps with zeros where a mask hides it.
static math::Exp2Op getPower(Value value) {
  if (auto select = value.getDefiningOp<arith::SelectOp>();
      select && matchPattern(select.getFalseValue(), m_AnyZeroFloat()) &&
      select.getTrueValue().hasOneUse())
    value = select.getTrueValue();
  return value.getDefiningOp<math::Exp2Op>();
}

/// Matches the loop whose weights `product` scales.
static std::optional<SummingLoop> matchLoop(arith::MulFOp product) {
  SummingLoop result;
  result.product = product;
  Value weights = product.getLhs();
  result.power = getPower(weights);
  result.loop = dyn_cast<scf::ForOp>(product->getParentOp());
  if (!result.power || !result.loop || !result.power.getOperand().hasOneUse() ||
      (result.power.getResult() != weights && !result.power->hasOneUse()))
    return std::nullopt;
  auto difference = result.power.getOperand().getDefiningOp<arith::SubFOp>();
  // Huge maxima, as of rows that a mask of -1e9 hides, would lose the exponent:
  // m - n is rounded to m, and other tiles of the row have the factor.
  if (!difference || !getMoved(difference.getRhs()) ||
      mayBeHuge(difference.getLhs()))
    return std::nullopt;
  // The weights are also summed, and nothing else.
  vector::MultiDimReductionOp sum;
  for (Operation *user : weights.getUsers()) {
    if (user == product)
      continue;
    auto reduction = dyn_cast<vector::MultiDimReductionOp>(user);
    if (sum || !reduction || reduction.isMasked() ||
        reduction.getKind() != vector::CombiningKind::ADD ||
        reduction.getSource() != weights || !reduction->hasOneUse())
      return std::nullopt;
    sum = reduction;
  }
  if (!sum || *sum->user_begin() != result.loop.getBody()->getTerminator())
    return std::nullopt;
  result.number = sum->use_begin()->getOperandNumber();
  // It adds to the carried sum, perhaps times a factor.
  BlockArgument carried = result.loop.getRegionIterArg(result.number);
  Value acc = sum.getAcc();
  if (auto scaled = acc.getDefiningOp<arith::MulFOp>();
      scaled && acc.hasOneUse() &&
      (scaled.getLhs() == carried) != (scaled.getRhs() == carried))
    acc = carried;
  if (acc != carried || !carried.hasOneUse())
    return std::nullopt;
  return result;
}

/// The loop that computes the initial value of the sum of `one`. Null if there
/// is none.
static scf::ForOp getLoopInFront(SummingLoop one) {
  return one.loop.getInits()[one.number].getDefiningOp<scf::ForOp>();
}

/// Collects the loops that continue the sum of `first`, and those it continues,
/// in order. Fails if not all of them scale their weights by the same factor.
static FailureOr<SmallVector<SummingLoop>> collectLoops(SummingLoop first,
                                                        int exponent) {
  auto find = [&](scf::ForOp loop,
                  unsigned number) -> std::optional<SummingLoop> {
    for (Operation &op : *loop.getBody())
      if (arith::MulFOp product = getScaledWeights(&op);
          product && getExponent(product.getRhs()) == exponent)
        if (std::optional<SummingLoop> found = matchLoop(product);
            found && found->number == number)
          return found;
    return std::nullopt;
  };
  while (scf::ForOp loop = getLoopInFront(first)) {
    Value init = first.loop.getInits()[first.number];
    std::optional<SummingLoop> found =
        find(loop, cast<OpResult>(init).getResultNumber());
    if (!found || !init.hasOneUse())
      return failure();
    first = *found;
  }
  if (!matchPattern(first.loop.getInits()[first.number], m_AnyZeroFloat()))
    return failure();
  SmallVector<SummingLoop> loops{first};
  while (true) {
    Value sum = loops.back().loop.getResult(loops.back().number);
    if (!sum.hasOneUse())
      break;
    OpOperand &use = *sum.use_begin();
    auto next = dyn_cast<scf::ForOp>(use.getOwner());
    OpResult result = next ? next.getTiedLoopResult(&use) : OpResult();
    if (!result)
      break;
    std::optional<SummingLoop> found = find(next, result.getResultNumber());
    if (!found)
      return failure();
    loops.push_back(*found);
  }
  return loops;
}

/// Builds `value`, which is moved, with `build` applied to what is moved.
static Value buildInside(OpBuilder &b, Value value,
                         function_ref<Value(Value)> build) {
  Value moved = getMoved(value);
  if (!moved)
    return build(value);
  IRMapping mapping;
  mapping.map(moved, buildInside(b, moved, build));
  return b.clone(*value.getDefiningOp(), mapping)->getResult(0);
}

/// Builds a constant of `type` with the elements `value`.
static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           double value) {
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

namespace {
struct ScaleWeights : public OpRewritePattern<arith::MulFOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getScaledWeights(op))
      return rewriter.notifyMatchFailure(
          op, "expected a power of two as factor of what is rounded to 8 bits, "
              "or to f16");
    std::optional<SummingLoop> one = matchLoop(op);
    if (!one)
      return rewriter.notifyMatchFailure(
          op, "expected powers that a loop sums and nothing else reads");
    int exponent = *getExponent(op.getRhs());
    FailureOr<SmallVector<SummingLoop>> loops = collectLoops(*one, exponent);
    if (failed(loops))
      return rewriter.notifyMatchFailure(
          op, "another loop of the sum has other weights");
    // 1. Divide the sum behind the loops.
    SummingLoop last = loops->back();
    Value sum = last.loop.getResult(last.number);
    rewriter.setInsertionPointAfter(last.loop);
    Value divided = arith::MulFOp::create(
        rewriter, sum.getLoc(), sum,
        buildConstant(rewriter, sum.getLoc(), sum.getType(),
                      std::ldexp(1.0, -exponent)));
    rewriter.replaceAllUsesExcept(sum, divided, divided.getDefiningOp());
    // 2. Add the exponent.
    for (SummingLoop &each : *loops) {
      Operation *difference = each.power.getOperand().getDefiningOp();
      rewriter.setInsertionPoint(difference);
      Value less = buildInside(rewriter, difference->getOperand(1),
                               [&](Value inner) -> Value {
                                 return arith::SubFOp::create(
                                     rewriter, inner.getLoc(), inner,
                                     buildConstant(rewriter, inner.getLoc(),
                                                   inner.getType(), exponent));
                               });
      rewriter.modifyOpInPlace(difference,
                               [&] { difference->setOperand(1, less); });
      rewriter.replaceOp(each.product, each.product.getLhs());
    }
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateScaleWeightsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ScaleWeights>(patterns.getContext());
}
