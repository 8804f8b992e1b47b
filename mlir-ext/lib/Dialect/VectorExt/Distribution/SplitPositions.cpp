//===- SplitPositions.cpp - Positions as a scalar and constants -----------===//
//
// The elements of a thread have constant distances from each other. So its
// positions are one scalar plus a constant for each register. Comparisons then
// compare one scalar with constants. Otherwise a thread would compute a
// difference for each register, and keep all of them over a loop that does not
// change them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;

/// Whatever is larger may overflow, and is not looked at.
constexpr static int64_t maxMagnitude = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// A vector of integers: a sum of scalars, added or subtracted, which is the
/// same for all elements, and a constant for each element.
struct Split {
  SmallVector<std::pair<Value, bool>> scalars;
  SmallVector<int64_t> constants;
};
} // namespace

/// Of what is added up at most so many scalars.
constexpr static size_t maxScalars = 8;

static std::optional<Split> split(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.isScalable() || type.getRank() != 1 ||
      !type.getElementType().isIntOrIndex() || type.getElementType().isInteger(1))
    return std::nullopt;
  Split result;
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    for (const APInt &element : constant.getValues<APInt>()) {
      if (!element.isSignedIntN(32))
        return std::nullopt;
      result.constants.push_back(element.getSExtValue());
    }
    return result;
  }
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op)) {
    if (isa<VectorType>(broadcast.getSourceType()))
      return std::nullopt;
    result.constants.assign(type.getNumElements(), 0);
    result.scalars.emplace_back(broadcast.getSource(), true);
    return result;
  }
  if (auto slice = dyn_cast_or_null<vector::ExtractStridedSliceOp>(op)) {
    std::optional<Split> source = split(slice.getSource());
    if (!source || slice.hasNonUnitStrides())
      return std::nullopt;
    SmallVector<int64_t> offsets;
    slice.getOffsets(offsets);
    ArrayRef<int64_t> all(source->constants);
    result.scalars = source->scalars;
    llvm::append_range(result.constants,
                       all.slice(offsets[0], type.getNumElements()));
    return result;
  }
  if (auto shuffle = dyn_cast_or_null<vector::ShuffleOp>(op)) {
    std::optional<Split> source = split(shuffle.getV1());
    if (!source || shuffle.getV1() != shuffle.getV2())
      return std::nullopt;
    int64_t size = source->constants.size();
    result.scalars = source->scalars;
    for (int64_t at : shuffle.getMask()) {
      if (at < 0)
        return std::nullopt;
      result.constants.push_back(source->constants[at % size]);
    }
    return result;
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Split> lhs = split(op->getOperand(0)),
                       rhs = split(op->getOperand(1));
  if (!lhs || !rhs || lhs->scalars.size() + rhs->scalars.size() > maxScalars)
    return std::nullopt;
  bool isSum = isa<arith::AddIOp>(op);
  result = *lhs;
  for (auto [scalar, isAdded] : rhs->scalars)
    result.scalars.emplace_back(scalar, isAdded == isSum);
  for (auto [sum, other] : llvm::zip_equal(result.constants, rhs->constants)) {
    sum += isSum ? other : -other;
    if (std::abs(sum) > maxMagnitude)
      return std::nullopt;
  }
  return result;
}

/// What `value`, a scalar, is at most and at least, from the ops around it.
static ConstantIntRanges getRange(Value value, unsigned depth = 12) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges result = ConstantIntRanges::maxRange(width);
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return ConstantIntRanges::constant(constant.getValue());
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op || depth == 0)
    return result;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return result;
    operands.push_back(getRange(operand, depth - 1));
  }
  op.inferResultRanges(operands, [&](Value of, const ConstantIntRanges &range) {
    if (of == value)
      result = range;
  });
  return result;
}

/// True if the sums of `lhs` and `rhs`, their parts and their difference are
/// what they are without bounds of integers.
static bool isExact(const Split &lhs, const Split &rhs) {
  int64_t most = 0;
  auto add = [&](const APInt &number) {
    if (!number.isSignedIntN(32))
      return false;
    most += std::abs(number.getSExtValue());
    return most <= maxMagnitude;
  };
  for (const Split *side : {&lhs, &rhs}) {
    int64_t constant = 0;
    for (int64_t one : side->constants)
      constant = std::max(constant, std::abs(one));
    most += constant;
    for (auto [scalar, isAdded] : side->scalars) {
      ConstantIntRanges range = getRange(scalar);
      if (!add(range.smin()) || !add(range.smax()))
        return false;
    }
  }
  return most <= maxMagnitude;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The sum of `scalars`, of `type`; null if there are none.
static Value buildSum(OpBuilder &b, Location loc,
                      ArrayRef<std::pair<Value, bool>> scalars, Type type) {
  Value sum;
  for (auto [scalar, isAdded] : scalars) {
    if (!sum && !isAdded)
      sum = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    if (!sum)
      sum = scalar;
    else if (isAdded)
      sum = b.createOrFold<arith::AddIOp>(loc, sum, scalar);
    else
      sum = b.createOrFold<arith::SubIOp>(loc, sum, scalar);
  }
  return sum;
}

static Value buildConstants(OpBuilder &b, Location loc, VectorType type,
                            ArrayRef<int64_t> constants) {
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(type.getElementType());
  SmallVector<APInt> values;
  for (int64_t constant : constants)
    values.emplace_back(width, constant, /*isSigned=*/true);
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, values));
}

/// The signed comparison, or equality, of the sides the other way round.
static arith::CmpIPredicate swapSides(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sle;
  default:
    return predicate;
  }
}

namespace {
/// s + a < t + b, with constants a and b, is t - s > a - b.
struct CompareWithConstants : public OpRewritePattern<arith::CmpIOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Split> lhs = split(op.getLhs()), rhs = split(op.getRhs());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "not of scalars and constants");
    bool isSplit = op.getLhs().getDefiningOp<vector::BroadcastOp>() &&
                   matchPattern(op.getRhs(), m_Constant());
    if (isSplit || (lhs->scalars.empty() && rhs->scalars.empty()))
      return rewriter.notifyMatchFailure(op, "is one with constants");
    arith::CmpIPredicate predicate = op.getPredicate();
    bool isEquality = predicate == arith::CmpIPredicate::eq ||
                      predicate == arith::CmpIPredicate::ne;
    if (predicate > arith::CmpIPredicate::sge)
      return rewriter.notifyMatchFailure(op, "is unsigned");
    if (!isEquality && !isExact(*lhs, *rhs))
      return rewriter.notifyMatchFailure(op, "may overflow");
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getLhs().getType());
    SmallVector<std::pair<Value, bool>> scalars = rhs->scalars;
    for (auto [scalar, isAdded] : lhs->scalars)
      scalars.emplace_back(scalar, !isAdded);
    SmallVector<int64_t> constants;
    for (auto [l, r] : llvm::zip_equal(lhs->constants, rhs->constants))
      constants.push_back(l - r);
    Value difference = vector::BroadcastOp::create(
        rewriter, loc, type,
        buildSum(rewriter, loc, scalars, type.getElementType()));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, swapSides(predicate), difference,
        buildConstants(rewriter, loc, type, constants));
    return success();
  }
};

/// The low bits of s + a are those of s plus those of a.
struct TruncateScalar : public RewritePattern {
  TruncateScalar(StringRef name, MLIRContext *context)
      : RewritePattern(name, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op->getOperand(0).getType());
    auto to = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!from || !to)
      return rewriter.notifyMatchFailure(op, "not of vectors");
    unsigned width = ConstantIntRanges::getStorageBitwidth(to.getElementType());
    if (width >= ConstantIntRanges::getStorageBitwidth(from.getElementType()) ||
        width < 32)
      return rewriter.notifyMatchFailure(op, "does not truncate to 32 bits");
    std::optional<Split> source = split(op->getOperand(0));
    if (!source || source->scalars.empty())
      return rewriter.notifyMatchFailure(op, "not of scalars and constants");
    Location loc = op->getLoc();
    Value sum = buildSum(rewriter, loc, source->scalars, from.getElementType());
    OperationState state(loc, op->getName(), sum, to.getElementType());
    Value low = rewriter.create(state)->getResult(0);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        op, vector::BroadcastOp::create(rewriter, loc, to, low),
        buildConstants(rewriter, loc, to, source->constants));
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateSplitPositionsPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<CompareWithConstants>(context);
  patterns.add<TruncateScalar>(arith::IndexCastOp::getOperationName(), context);
  patterns.add<TruncateScalar>(arith::TruncIOp::getOperationName(), context);
}
