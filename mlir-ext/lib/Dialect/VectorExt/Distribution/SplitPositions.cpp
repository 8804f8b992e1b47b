//===- SplitPositions.cpp - Positions as a scalar and constants -----------===//
//
// The elements of a thread have constant distances from each other. So its
// positions are one scalar plus a constant for each register. Comparisons then
// compare one scalar with constants. Otherwise a thread would compute a
// difference for each register, and keep all of them over a loop that does not
// change them. The same holds for the pages of positions, and their rows in
// them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Support/Comparisons.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

/// The largest magnitude that is looked at. Larger numbers may overflow.
constexpr static int64_t maxMagnitude = int64_t(1) << 30;
/// The same for indices, which have 64 bits.
constexpr static int64_t maxIndex = int64_t(1) << 40;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

namespace {
/// A vector of integers as a sum: scalars that are added or subtracted, which
/// are the same for all elements, and a constant for each element. The vector
/// may also be such a sum extended to more bits.
struct Split {
  SmallVector<std::pair<Value, bool>> scalars;
  SmallVector<int64_t> constants;
  /// If the vector extends the sum, the type of the sum, and null otherwise.
  /// `isUnsigned` then tells how it is extended.
  Type extendedFrom;
  bool isUnsigned = false;
};
} // namespace

/// The most scalars of a sum.
constexpr static size_t maxScalars = 8;

static std::optional<Split> split(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type || type.isScalable() || type.getRank() != 1 ||
      !type.getElementType().isIntOrIndex() ||
      // Sums of narrower integers may wrap around even if they are small.
      ConstantIntRanges::getStorageBitwidth(type.getElementType()) < 32)
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
    result = *source;
    result.constants =
        llvm::to_vector(all.slice(offsets[0], type.getNumElements()));
    return result;
  }
  if (auto shuffle = dyn_cast_or_null<vector::ShuffleOp>(op)) {
    std::optional<Split> source = split(shuffle.getV1());
    if (!source || shuffle.getV1() != shuffle.getV2())
      return std::nullopt;
    int64_t size = source->constants.size();
    result = *source;
    result.constants.clear();
    for (int64_t at : shuffle.getMask()) {
      if (at < 0)
        return std::nullopt;
      result.constants.push_back(source->constants[at % size]);
    }
    return result;
  }
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    std::optional<Split> source = split(op->getOperand(0));
    if (!source || source->extendedFrom)
      return std::nullopt;
    source->extendedFrom = getElementTypeOrSelf(op->getOperand(0));
    source->isUnsigned = isa<arith::ExtUIOp>(op);
    return source;
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  // If the sum is too long, the analysis gives up at its first part.
  std::optional<Split> lhs = split(op->getOperand(0));
  std::optional<Split> rhs = lhs ? split(op->getOperand(1)) : std::nullopt;
  if (!lhs || !rhs || lhs->extendedFrom || rhs->extendedFrom ||
      lhs->scalars.size() + rhs->scalars.size() > maxScalars)
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

static ConstantIntRanges getRange(Value value, unsigned depth = 12);

/// Returns bounds of `value` that do not follow from an op, for example bounds
/// of the index of a loop.
static ConstantIntRanges getBounds(Value value, unsigned depth) {
  using presburger::BoundType;
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges all = ConstantIntRanges::maxRange(width);
  if (depth == 0)
    return all;
  // The bounds of a loop may be computed by ops with known ranges.
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  if (loop && loop.getInductionVar() == value) {
    APInt least = getRange(loop.getLowerBound(), depth - 1).smin();
    APInt end = getRange(loop.getUpperBound(), depth - 1).smax();
    return least.slt(end) ? ConstantIntRanges::fromSigned(least, end - 1) : all;
  }
  if (!value.getType().isIndex())
    return all;
  FailureOr<int64_t> least =
      ValueBoundsConstraintSet::computeConstantBound(BoundType::LB, value);
  if (failed(least))
    return all;
  FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
      BoundType::UB, value, /*stopCondition=*/nullptr,
      linalg_ext::kClosedUpperBound);
  if (failed(most)) // of memory, for example
    return ConstantIntRanges::fromSigned(APInt(width, *least, true),
                                         APInt::getSignedMaxValue(width));
  if (*most < *least)
    return all;
  return ConstantIntRanges::fromSigned(APInt(width, *least, true),
                                       APInt(width, *most, true));
}

/// Returns bounds of `value`, a scalar, from the ops that compute it.
static ConstantIntRanges getRange(Value value, unsigned depth) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges result = ConstantIntRanges::maxRange(width);
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return ConstantIntRanges::constant(constant.getValue());
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op)
    return getBounds(value, depth);
  if (depth == 0)
    return result;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return getBounds(value, depth);
    operands.push_back(getRange(operand, depth - 1));
  }
  op.inferResultRanges(operands, [&](Value of, const ConstantIntRanges &range) {
    if (of == value)
      result = range;
  });
  return result;
}

/// Returns whether the sums of `lhs` and `rhs`, their parts and their
/// difference do not wrap around, and are at most `bound`.
static bool isExact(const Split &lhs, const Split &rhs,
                    int64_t bound = maxMagnitude) {
  int64_t most = 0;
  auto add = [&](const APInt &number) {
    if (!number.isSignedIntN(40))
      return false;
    most += std::abs(number.getSExtValue());
    return most <= bound;
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
  return most <= bound;
}

/// Returns whether no sum is negative, provided that none wraps around.
static bool isNonNegative(const Split &sums) {
  int64_t least = *llvm::min_element(sums.constants);
  for (auto [scalar, isAdded] : sums.scalars) {
    ConstantIntRanges range = getRange(scalar);
    least +=
        isAdded ? range.smin().getSExtValue() : -range.smax().getSExtValue();
  }
  return least >= 0;
}

/// Returns a lower and an upper bound of the sum of the scalars of `sums`.
static std::pair<int64_t, int64_t> getBoundsOfScalars(const Split &sums) {
  int64_t least = 0, most = 0;
  for (auto [scalar, isAdded] : sums.scalars) {
    ConstantIntRanges range = getRange(scalar);
    int64_t low = range.smin().getSExtValue(),
            high = range.smax().getSExtValue();
    least += isAdded ? low : -high;
    most += isAdded ? high : -low;
  }
  return {least, most};
}

/// Returns a lower and an upper bound of all elements of `value`, a vector, if
/// it is a sum, or a minimum or maximum of sums, that does not wrap around.
static std::optional<std::pair<int64_t, int64_t>>
getElementBounds(Value value, unsigned depth = 4) {
  Split none;
  none.constants = {0};
  if (std::optional<Split> sums = split(value)) {
    if (sums->extendedFrom || !isExact(*sums, none))
      return std::nullopt;
    auto [least, most] = getBoundsOfScalars(*sums);
    return std::pair(least + *llvm::min_element(sums->constants),
                     most + *llvm::max_element(sums->constants));
  }
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MinSIOp, arith::MaxSIOp>(op) || depth == 0)
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>>
      lhs = getElementBounds(op->getOperand(0), depth - 1),
      rhs = getElementBounds(op->getOperand(1), depth - 1);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::MinSIOp>(op))
    return std::pair(std::min(lhs->first, rhs->first),
                     std::min(lhs->second, rhs->second));
  return std::pair(std::max(lhs->first, rhs->first),
                   std::max(lhs->second, rhs->second));
}

/// Returns whether the difference of the scalars of `rhs` and of `lhs` fits
/// into 32 bits, with room for constants, provided that it is exact.
static bool hasNarrowDifference(const Split &lhs, const Split &rhs) {
  auto [leastLeft, mostLeft] = getBoundsOfScalars(lhs);
  auto [leastRight, mostRight] = getBoundsOfScalars(rhs);
  return llvm::isInt<32>(leastRight - mostLeft) &&
         llvm::isInt<32>(mostRight - leastLeft);
}

/// Returns whether no sum wraps around in its type: all scalars except one are
/// small and not negative, and the value that is added to that one is less than
/// a power of 2 that divides it.
static bool staysInRange(const Split &sums) {
  int64_t rest = *llvm::max_element(sums.constants);
  if (*llvm::min_element(sums.constants) < 0)
    return false;
  int64_t divisor = maxMagnitude;
  unsigned numOthers = 0;
  for (auto [scalar, isAdded] : sums.scalars) {
    ConstantIntRanges range = getRange(scalar);
    if (!isAdded)
      return false;
    if (range.smin().isNonNegative() && range.smax().sle(maxMagnitude)) {
      rest += range.smax().getSExtValue();
      continue;
    }
    if (!scalar.getType().isIndex() || ++numOthers > 1)
      return false;
    int64_t known = vector_ext::getKnownDivisor(scalar);
    divisor = std::min<int64_t>(divisor, known & -known);
  }
  return rest < divisor;
}

/// Returns whether `value`, a scalar, is not negative. If it is a sum, no part
/// may be negative, and the sum must stay in range.
static bool isNonNegative(Value value, unsigned depth = 4) {
  if (getRange(value).smin().isNonNegative())
    return true;
  if (depth == 0)
    return false;
  APInt by;
  if (auto shift = value.getDefiningOp<arith::ShRSIOp>();
      shift && matchPattern(shift.getRhs(), m_ConstantInt(&by)))
    return isNonNegative(shift.getLhs(), depth - 1);
  if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
    Split parts;
    parts.constants = {0};
    for (Value part : sum->getOperands()) {
      if (!isNonNegative(part, depth - 1))
        return false;
      parts.scalars.emplace_back(part, true);
    }
    return staysInRange(parts);
  }
  return false;
}

/// Returns whether `value`, a scalar, is at most half of the largest number of
/// its type.
static bool isAtMostHalf(Value value) {
  APInt by;
  auto shift = value.getDefiningOp<arith::ShRSIOp>();
  if (shift && matchPattern(shift.getRhs(), m_ConstantInt(&by)) && !by.isZero())
    return true;
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  return getRange(value).smax().sle(APInt::getSignedMaxValue(width).lshr(1));
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Builds the sum of `scalars`, of type `type`. Returns null if there are none.
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
  unsigned width = ConstantIntRanges::getStorageBitwidth(type.getElementType());
  SmallVector<APInt> values;
  for (int64_t constant : constants)
    values.emplace_back(width, constant, /*isSigned=*/true);
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, values));
}

namespace {
/// Replaces s + a < t + b, with constants a and b, by t - s > a - b. Sums that
/// are extended in the same way are compared in their original type. Indices
/// whose difference is known to fit are compared in 32 bits.
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
    if (lhs->extendedFrom != rhs->extendedFrom ||
        lhs->isUnsigned != rhs->isUnsigned)
      return rewriter.notifyMatchFailure(op, "is extended in different ways");
    bool isIndex =
        !lhs->extendedFrom && getElementTypeOrSelf(op.getLhs()).isIndex();
    if (!isEquality && !isExact(*lhs, *rhs, isIndex ? maxIndex : maxMagnitude))
      return rewriter.notifyMatchFailure(op, "may overflow");
    if (predicate > arith::CmpIPredicate::sge) {
      if (lhs->extendedFrom || !isNonNegative(*lhs) || !isNonNegative(*rhs))
        return rewriter.notifyMatchFailure(op, "is unsigned, of numbers that "
                                               "may be negative");
      predicate = linalg_ext::makeSigned(predicate);
    }
    // In this case it does not matter how they are extended.
    if (!isEquality && lhs->isUnsigned &&
        !(isNonNegative(*lhs) && isNonNegative(*rhs)))
      return rewriter.notifyMatchFailure(op, "may be negative");
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getLhs().getType());
    if (lhs->extendedFrom)
      type = type.clone(lhs->extendedFrom);
    SmallVector<std::pair<Value, bool>> scalars = rhs->scalars;
    for (auto [scalar, isAdded] : lhs->scalars)
      scalars.emplace_back(scalar, !isAdded);
    SmallVector<int64_t> constants;
    for (auto [l, r] : llvm::zip_equal(lhs->constants, rhs->constants))
      constants.push_back(l - r);
    Value sum = buildSum(rewriter, loc, scalars, type.getElementType());
    if (isIndex && !isEquality && hasNarrowDifference(*lhs, *rhs) &&
        llvm::all_of(constants, llvm::isInt<32>)) {
      type = type.clone(rewriter.getI32Type());
      sum =
          arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), sum);
    }
    Value difference = vector::BroadcastOp::create(rewriter, loc, type, sum);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, linalg_ext::swapOperands(predicate), difference,
        buildConstants(rewriter, loc, type, constants));
    return success();
  }
};

/// Replaces s + a < t, with constants a, by a < t - s, where t is a vector of
/// few elements that are repeated, such as the bounds of rows. There is one
/// difference for each of them, and none for each a.
struct CompareWithRepeated : public OpRewritePattern<arith::CmpIOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getLhs().getType());
    std::optional<Split> sums = split(op.getLhs());
    auto repeated = op.getRhs().getDefiningOp<vector::ShuffleOp>();
    if (!type || !type.getElementType().isInteger(32) || !sums ||
        sums->scalars.empty() || sums->extendedFrom || !repeated ||
        repeated.getV1() != repeated.getV2())
      return rewriter.notifyMatchFailure(
          op, "expected a sum with a scalar, and elements that are repeated");
    Value bounds = repeated.getV1();
    auto fewer = cast<VectorType>(bounds.getType());
    if (fewer.getRank() != 1 ||
        fewer.getNumElements() > type.getNumElements() / 2)
      return rewriter.notifyMatchFailure(op, "too many elements are different");
    std::optional<std::pair<int64_t, int64_t>> range = getElementBounds(bounds);
    auto [least, most] = getBoundsOfScalars(*sums);
    Split none;
    none.constants = {0};
    if (!range || op.getPredicate() > arith::CmpIPredicate::sge ||
        !isExact(*sums, none) || range->first - most < -maxMagnitude ||
        range->second - least > maxMagnitude)
      return rewriter.notifyMatchFailure(op, "may overflow");
    Location loc = op.getLoc();
    Value sum = buildSum(rewriter, loc, sums->scalars, type.getElementType());
    Value difference = arith::SubIOp::create(
        rewriter, loc, bounds,
        vector::BroadcastOp::create(rewriter, loc, fewer, sum));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, op.getPredicate(),
        buildConstants(rewriter, loc, type, sums->constants),
        vector::ShuffleOp::create(rewriter, loc, difference, difference,
                                  repeated.getMask()));
    return success();
  }
};

/// Replaces s + a < t, with constants a >= 0 and s >= 0, by t - s > a. The
/// difference t - s only matters up to the largest constant, so 32 bits are
/// enough for any index. Then one register has the compared value, instead of
/// two registers for each s + a.
struct CompareIndexWithConstants : public OpRewritePattern<arith::CmpIOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    arith::CmpIPredicate predicate = op.getPredicate();
    bool isUnsigned = predicate == arith::CmpIPredicate::ult;
    if (!isUnsigned && predicate != arith::CmpIPredicate::slt)
      return rewriter.notifyMatchFailure(op, "is not a test for less");
    if (!getElementTypeOrSelf(op.getLhs()).isIndex())
      return rewriter.notifyMatchFailure(op, "not of indices");
    std::optional<Split> lhs = split(op.getLhs()), rhs = split(op.getRhs());
    auto isOneScalar = [](const std::optional<Split> &side) {
      return side && !side->extendedFrom && side->scalars.size() == 1 &&
             side->scalars.front().second;
    };
    if (!isOneScalar(lhs) || !isOneScalar(rhs) ||
        !llvm::all_of(rhs->constants, [](int64_t one) { return one == 0; }))
      return rewriter.notifyMatchFailure(op, "not of a scalar and constants, "
                                             "and a scalar");
    int64_t most = *llvm::max_element(lhs->constants);
    Value start = lhs->scalars.front().first, end = rhs->scalars.front().first;
    if (*llvm::min_element(lhs->constants) < 0 || most >= maxMagnitude ||
        !isNonNegative(start) || !isAtMostHalf(start) ||
        (isUnsigned && !isNonNegative(end)))
      return rewriter.notifyMatchFailure(op, "may be negative");
    Location loc = op.getLoc();
    auto getIndex = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    // After this, the difference does not overflow.
    if (!isUnsigned)
      end = rewriter.createOrFold<arith::MaxSIOp>(loc, end, getIndex(-1));
    Value left = rewriter.createOrFold<arith::SubIOp>(loc, end, start);
    left = arith::MinSIOp::create(rewriter, loc, left, getIndex(most + 1));
    left = arith::MaxSIOp::create(rewriter, loc, left, getIndex(-1));
    Type i32 = rewriter.getI32Type();
    left = arith::IndexCastOp::create(rewriter, loc, i32, left);
    auto type = cast<VectorType>(op.getLhs().getType()).clone(i32);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, arith::CmpIPredicate::sgt,
        vector::BroadcastOp::create(rewriter, loc, type, left),
        buildConstants(rewriter, loc, type, lhs->constants));
    return success();
  }
};

/// The terms of a sum of vectors: those that are split, and the others
/// unchanged.
struct Terms {
  SmallVector<std::pair<Value, bool>> scalars;
  SmallVector<Value> vectors;
  SmallVector<int64_t> constants;

  /// Adds `value`, or returns false.
  bool add(Value value) {
    if (std::optional<Split> sums = split(value)) {
      if (sums->extendedFrom)
        return false;
      scalars.append(sums->scalars);
      constants.resize(sums->constants.size());
      for (auto [constant, more] : llvm::zip_equal(constants, sums->constants))
        constant += more;
      return scalars.size() <= maxScalars &&
             llvm::all_of(constants, [](int64_t constant) {
               return std::abs(constant) <= maxMagnitude;
             });
    }
    if (auto sum = value.getDefiningOp<arith::AddIOp>())
      return add(sum.getLhs()) && add(sum.getRhs());
    vectors.push_back(value);
    return vectors.size() <= maxScalars;
  }
};

/// Replaces one element of s + t + a, an index, by (s + t) + a. The addresses
/// of all registers are then one sum plus constants, which loads add. This also
/// works if s is a vector that cannot be split, such as the pages of rows.
struct ExtractSum : public OpRewritePattern<vector::ExtractOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isIndex() || op.hasDynamicPosition() ||
        op.getNumIndices() != 1 || op.getSourceVectorType().getRank() != 1)
      return rewriter.notifyMatchFailure(op, "not an index at a constant");
    Terms terms;
    if (!terms.add(op.getSource()) || terms.constants.empty() ||
        terms.scalars.size() + terms.vectors.size() < 2)
      return rewriter.notifyMatchFailure(op, "not of several terms");
    int64_t at = op.getStaticPosition().front();
    if (!terms.vectors.empty() && terms.constants[at] == 0)
      return rewriter.notifyMatchFailure(op, "adds no constant");
    Location loc = op.getLoc();
    SmallVector<std::pair<Value, bool>> scalars(terms.scalars);
    for (Value vector : terms.vectors)
      scalars.emplace_back(vector::ExtractOp::create(rewriter, loc, vector, at),
                           true);
    Value sum = buildSum(rewriter, loc, scalars, op.getType());
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        op, sum,
        arith::ConstantIndexOp::create(rewriter, loc, terms.constants[at]));
    return success();
  }
};

/// Scalars in two groups: those that a divisor divides, and the rest, none of
/// which is negative. Sums of scalars are split.
struct DividedScalars {
  SmallVector<std::pair<Value, bool>> multiples, rest;
  /// An upper bound of the sum of the rest.
  int64_t most = 0;

  /// Adds `scalar`. Returns false if it belongs to the rest and may be negative
  /// or large.
  bool add(Value scalar, bool isAdded, int64_t divisor, unsigned depth = 6) {
    if (vector_ext::getKnownDivisor(scalar) % divisor == 0) {
      multiples.emplace_back(scalar, isAdded);
      return true;
    }
    ConstantIntRanges range = getRange(scalar);
    if (!isAdded || range.smin().isNegative() || range.smax().sgt(maxMagnitude))
      return false;
    auto sum = scalar.getDefiningOp<arith::AddIOp>();
    if (sum && depth != 0)
      return add(sum.getLhs(), isAdded, divisor, depth - 1) &&
             add(sum.getRhs(), isAdded, divisor, depth - 1);
    rest.emplace_back(scalar, isAdded);
    most += range.smax().getSExtValue();
    return true;
  }
};

/// Splits quotients and remainders by d, a power of 2; / rounds down. If d
/// divides a, (s + a) / d becomes s / d + a / d, and (s + a) mod d becomes s
/// mod d. If d divides s, and 0 <= t + a mod d < d, (s + t + a) / d becomes s /
/// d + a / d, and (s + t + a) mod d becomes t + a mod d.
template <typename OpTy>
struct DivideScalar : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isShift = std::is_same_v<OpTy, arith::ShRSIOp>;
    auto type = dyn_cast<VectorType>(op.getType());
    APInt by;
    if (!type || !matchPattern(op.getRhs(), m_ConstantInt(&by)))
      return rewriter.notifyMatchFailure(op, "not of a vector and a constant");
    if (isShift ? !by.ult(30)
                : !(by.ult(maxMagnitude) && (by + 1).isPowerOf2()))
      return rewriter.notifyMatchFailure(op, "no division by a power of 2");
    int64_t divisor =
        isShift ? int64_t(1) << by.getZExtValue() : by.getSExtValue() + 1;
    std::optional<Split> source = split(op.getLhs());
    if (!source || source->extendedFrom || source->scalars.empty())
      return rewriter.notifyMatchFailure(op, "not of scalars and constants");
    if (isShift && !staysInRange(*source))
      return rewriter.notifyMatchFailure(op, "may overflow");
    SmallVector<int64_t> quotients, remainders;
    for (int64_t constant : source->constants) {
      remainders.push_back(constant & (divisor - 1));
      quotients.push_back((constant - remainders.back()) / divisor);
    }
    // The scalars that are divided, and those that are remainders already.
    SmallVector<std::pair<Value, bool>> divided = source->scalars, added;
    if (int64_t most = *llvm::max_element(remainders); most != 0) {
      DividedScalars parts;
      if (!llvm::all_of(source->scalars,
                        [&](auto scalar) {
                          return parts.add(scalar.first, scalar.second,
                                           divisor);
                        }) ||
          parts.most + most >= divisor)
        return rewriter.notifyMatchFailure(
            op, "divides neither the constants nor the scalars");
      divided.clear();
      (isShift ? divided : added) = isShift ? parts.multiples : parts.rest;
    }
    Location loc = op.getLoc();
    Type element = type.getElementType();
    SmallVector<Value> sums;
    if (Value sum = buildSum(rewriter, loc, divided, element))
      sums.push_back(rewriter.createOrFold<OpTy>(
          loc, sum,
          arith::ConstantOp::create(
              rewriter, loc,
              rewriter.getIntegerAttr(element, by.getSExtValue()))));
    if (Value sum = buildSum(rewriter, loc, added, element))
      sums.push_back(sum);
    Value result =
        buildConstants(rewriter, loc, type, isShift ? quotients : remainders);
    for (Value sum : sums)
      result = rewriter.createOrFold<arith::AddIOp>(
          loc, vector::BroadcastOp::create(rewriter, loc, type, sum), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// If d, a power of 2, divides c > 0 and s, and 0 <= t + a mod d < d, replaces
/// (s + t + a) / c by (s + a - a mod d) / c. Rows of one page then divide the
/// same number.
struct DivideByScalar : public OpRewritePattern<arith::FloorDivSIOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::FloorDivSIOp op,
                                PatternRewriter &rewriter) const override {
    auto by = op.getRhs().getDefiningOp<vector::BroadcastOp>();
    if (!by || !by.getSourceType().isIndex())
      return rewriter.notifyMatchFailure(op, "not of a vector and a scalar");
    // For a negative number, the terms that are left out would change the
    // quotient.
    if (!isNonNegative(by.getSource()))
      return rewriter.notifyMatchFailure(op, "by what may be negative");
    int64_t divisor = vector_ext::getKnownDivisor(by.getSource());
    divisor = std::min<int64_t>(divisor & -divisor, maxMagnitude);
    std::optional<Split> source = split(op.getLhs());
    if (divisor < 2 || !source || source->extendedFrom ||
        source->scalars.empty() || !staysInRange(*source))
      return rewriter.notifyMatchFailure(
          op, "not of scalars and constants, or by an odd number");
    DividedScalars parts;
    int64_t most = 0;
    for (int64_t &constant : source->constants) {
      most = std::max(most, constant & (divisor - 1));
      constant -= constant & (divisor - 1);
    }
    if (!llvm::all_of(source->scalars,
                      [&](auto scalar) {
                        return parts.add(scalar.first, scalar.second, divisor);
                      }) ||
        parts.most + most >= divisor || (most == 0 && parts.rest.empty()) ||
        parts.multiples.empty())
      return rewriter.notifyMatchFailure(op, "has nothing to leave out");
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getType());
    Value sum = buildSum(rewriter, loc, parts.multiples, type.getElementType());
    if (llvm::all_equal(source->constants)) {
      Value first = arith::ConstantIndexOp::create(rewriter, loc,
                                                   source->constants.front());
      rewriter.replaceOpWithNewOp<vector::BroadcastOp>(
          op, type,
          arith::FloorDivSIOp::create(
              rewriter, loc,
              rewriter.createOrFold<arith::AddIOp>(loc, sum, first),
              by.getSource()));
      return success();
    }
    Value sums = arith::AddIOp::create(
        rewriter, loc, vector::BroadcastOp::create(rewriter, loc, type, sum),
        buildConstants(rewriter, loc, type, source->constants));
    rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, sums, op.getRhs());
    return success();
  }
};

/// Replaces a cast of s + a by the sum of the casts: the low bits of s + a are
/// those of the sum of their low bits. A cast to a type of the same width keeps
/// all bits.
struct CastScalar : public RewritePattern {
  CastScalar(StringRef name, MLIRContext *context)
      : RewritePattern(name, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op->getOperand(0).getType());
    auto to = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!from || !to)
      return rewriter.notifyMatchFailure(op, "not of vectors");
    unsigned width = ConstantIntRanges::getStorageBitwidth(to.getElementType());
    if (width > ConstantIntRanges::getStorageBitwidth(from.getElementType()) ||
        width < 32)
      return rewriter.notifyMatchFailure(op,
                                         "extends, or to less than 32 bits");
    std::optional<Split> source = split(op->getOperand(0));
    if (!source || source->extendedFrom || source->scalars.empty())
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
  patterns.add<CompareWithConstants, CompareWithRepeated,
               CompareIndexWithConstants, ExtractSum, DivideByScalar,
               DivideScalar<arith::ShRSIOp>, DivideScalar<arith::AndIOp>>(
      context);
  patterns.add<CastScalar>(arith::IndexCastOp::getOperationName(), context);
  patterns.add<CastScalar>(arith::IndexCastUIOp::getOperationName(), context);
  patterns.add<CastScalar>(arith::TruncIOp::getOperationName(), context);
}
