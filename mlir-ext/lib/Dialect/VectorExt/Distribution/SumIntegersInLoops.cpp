//===- SumIntegersInLoops.cpp - Zero points of caches ---------------------===//
//
// Attention to a cache of 4 bits is a loop over keys with two products. Its
// threads have no registers for sums of another operand in each iteration, but
// need none if zero points are a constant z:
//
//   scores = sum of q (n - z)          = (sum of q n) - z (sum of q)
//   O = O factor + sum of p (n - z)
//   l = l factor + sum of p        ->  O = (O' - z l)
//
// Queries are the same in all iterations. So are sums of them, from which the
// first product starts. The loop carries the second product without z, and the
// sum of the weights, which the softmax needs in any case: here, of the weights
// as they are rounded. z times it is subtracted behind the loop.
//
// Integers of the second product are multiplied where they are in a byte: those
// in its upper half are 16 times as large, and so is what their columns sum,
// until it is divided behind the loop.
//
//===----------------------------------------------------------------------===//

#include "IntegersOfSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Says whether `op` is a product in the body of a loop that has another one,
/// by an instruction that multiplies bits of integers as they are.
static bool isProductOfLoop(vector::ContractionOp op) {
  const MmaIntrinsic *intrinsic = getIntrinsicOfSum(op);
  return intrinsic && intrinsic->keepsSubnormals &&
         !intrinsic->isAsynchronous && hasFewParts(op) && isChained(op) &&
         isa<scf::ForOp>(op->getParentOp());
}

namespace {
/// Starts sums of x (n - z), where x are the same in all iterations, from
/// -z (sum of x).
struct StartFromZeroPoints : public OpRewritePattern<vector::ContractionOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isProductOfLoop(op) || !matchPattern(op.getAcc(), m_AnyZeroFloat()))
      return rewriter.notifyMatchFailure(
          op, "expected a product of a loop that starts from zeros");
    auto loop = cast<scf::ForOp>(op->getParentOp());
    for (unsigned number : {0, 1}) {
      Value other = op->getOperand(1 - number);
      std::optional<Integers> integers = matchFewRowsOfIntegers(op, number);
      if (!integers || integers->zero || !loop.isDefinedOutsideOfLoop(other))
        continue;
      Location loc = op.getLoc();
      bool isF16 = integers->type.getElementType().isF16();
      double start =
          isF16 ? integers->offset * kOfF16 : integers->offset + kOfBF16;
      Value acc;
      if (start != 0) {
        rewriter.setInsertionPoint(loop);
        Value ones =
            buildFloats(rewriter, loc, op->getOperand(number).getType(), 1);
        acc = arith::MulFOp::create(
            rewriter, loc, buildSumOf(rewriter, op, number, ones),
            buildFloats(rewriter, loc, op.getResultType(), -start));
      }
      rewriter.setInsertionPoint(op);
      Value sum = buildSumOf(rewriter, op, number,
                             buildBits(rewriter, loc, *integers), acc);
      if (isF16)
        sum = arith::MulFOp::create(
            rewriter, loc, sum,
            buildFloats(rewriter, loc, op.getResultType(), 1 / kOfF16));
      rewriter.replaceOp(op, sum);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "expected integers of 4 bits with a constant zero point, "
            "times what all iterations have");
  }
};

/// What a loop carries and multiplies by a factor in each iteration, before it
/// adds to it.
struct Carried {
  unsigned number;
  Value factor;
};
} // namespace

/// Returns what `loop` carries that `acc` is the product of, if it starts from
/// zeros, `sum` is what the loop yields for it, and nothing else reads either.
static std::optional<Carried> matchCarried(scf::ForOp loop, Value acc,
                                           Value sum) {
  auto scaled = acc.getDefiningOp<arith::MulFOp>();
  Operation *yield = loop.getBody()->getTerminator();
  if (!scaled || !scaled->hasOneUse() || !sum.hasOneUse() ||
      *sum.user_begin() != yield)
    return std::nullopt;
  Carried result;
  result.number = sum.use_begin()->getOperandNumber();
  BlockArgument argument = loop.getRegionIterArg(result.number);
  if (!argument.hasOneUse() || *argument.user_begin() != scaled ||
      !matchPattern(loop.getInits()[result.number], m_AnyZeroFloat()))
    return std::nullopt;
  result.factor =
      scaled.getLhs() == argument ? scaled.getRhs() : scaled.getLhs();
  return result;
}

/// Says whether element i of `value` is element `i[dims]` of `source`.
static bool isRepeated(Value value, Value source, SmallVector<int64_t> dims) {
  while (value != source) {
    if (auto transpose = value.getDefiningOp<vector::TransposeOp>()) {
      // Dimension d of the result is dimension order[d] of the source.
      for (int64_t &dim : dims)
        dim = transpose.getPermutation()[dim];
      value = transpose.getVector();
      continue;
    }
    auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
    if (!broadcast || !isa<VectorType>(broadcast.getSourceType()) ||
        !broadcast.computeBroadcastedUnitDims().empty())
      return false;
    int64_t added = broadcast.getResultVectorType().getRank() -
                    cast<VectorType>(broadcast.getSourceType()).getRank();
    for (int64_t &dim : dims)
      dim -= added;
    if (llvm::any_of(dims, [](int64_t dim) { return dim < 0; }))
      return false;
    value = broadcast.getSource();
  }
  return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size())) &&
         cast<VectorType>(source.getType()).getRank() ==
             static_cast<int64_t>(dims.size());
}

/// Returns by how many bits bytes are shifted for each element of the last
/// dimension of `integers`, as a vector of bytes that is defined outside of the
/// loop. In `op`, operand `number` of which has the integers, it must be a part
/// of the columns, which are the last dimension of that operand. Null if there
/// is none.
static Value getShifts(vector::ContractionOp op, unsigned number,
                       const Integers &integers) {
  Value masked = integers.numbers;
  if (auto flip = masked.getDefiningOp<arith::XOrIOp>())
    masked = flip.getLhs();
  auto mask = masked.getDefiningOp<arith::AndIOp>();
  auto shift =
      mask ? mask.getLhs().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  auto repeated = shift ? shift.getRhs().getDefiningOp<vector::BroadcastOp>()
                        : vector::BroadcastOp();
  auto type =
      repeated ? dyn_cast<VectorType>(repeated.getSourceType()) : VectorType();
  if (!type || type.getRank() != 1 || !type.getElementType().isInteger(8) ||
      !cast<scf::ForOp>(op->getParentOp())
           .isDefinedOutsideOfLoop(repeated.getSource()))
    return nullptr;
  AffineMap map = op.getIndexingMapsArray()[number];
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  if (!op.getIndexingMapsArray()[2].getResultPosition(last))
    return nullptr;
  // The operand has all other dimensions of the integers as they are.
  ArrayRef<int64_t> from = integers.type.getShape(),
                    to = cast<VectorType>(op->getOperand(number).getType())
                             .getShape();
  bool merges =
      from.size() == to.size() + 1 && from.drop_back(2) == to.drop_back();
  return from == to || merges ? repeated.getSource() : Value();
}

/// Builds `value` repeated along the dimensions of `type` that are not in
/// `dims`.
static Value buildRepeated(OpBuilder &b, Value value, VectorType type,
                           ArrayRef<int64_t> dims) {
  SmallVector<int64_t> order, shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      order.push_back(dim);
  llvm::append_range(order, dims);
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value wide = vector::BroadcastOp::create(
      b, value.getLoc(), VectorType::get(shape, type.getElementType()), value);
  return b.createOrFold<vector::TransposeOp>(value.getLoc(), wide,
                                             invertPermutationVector(order));
}

/// Builds a constant vector of `type` whose integers all are `value`.
static Value buildIntegers(OpBuilder &b, Location loc, VectorType type,
                           int64_t value) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(type,
                             b.getIntegerAttr(type.getElementType(), value)));
}

/// Builds `integers` times 2^-24 2^a for each number a of `shifts`: these are
/// the bits 1 << a of subnormal numbers.
static Value buildBitsInPlace(OpBuilder &b, Location loc,
                              const Integers &integers, Value shifts) {
  auto bits = cast<VectorType>(shifts.getType()).clone(b.getI16Type());
  Value units =
      arith::ShLIOp::create(b, loc, buildIntegers(b, loc, bits, 1),
                            arith::ExtUIOp::create(b, loc, bits, shifts));
  units = arith::BitcastOp::create(b, loc, bits.clone(b.getF16Type()), units);
  units = vector::BroadcastOp::create(b, loc, integers.type, units);
  Value numbers =
      arith::UIToFPOp::create(b, loc, integers.type, integers.numbers);
  return arith::MulFOp::create(b, loc, numbers, units);
}

/// Builds what sums of such integers are multiplied by, 2^24 2^-a, for each
/// element of `type`. Its dimension `column` has the numbers of `shifts`
/// repeatedly.
static Value buildFactorsInPlace(OpBuilder &b, Location loc, Value shifts,
                                 VectorType type, int64_t column) {
  constexpr int64_t kLarge = 0x4b800000, kExponent = 1 << 23;
  auto bits = cast<VectorType>(shifts.getType()).clone(b.getI32Type());
  Value exponents = arith::MulIOp::create(
      b, loc, arith::ExtUIOp::create(b, loc, bits, shifts),
      buildIntegers(b, loc, bits, kExponent));
  Value factors = arith::SubIOp::create(
      b, loc, buildIntegers(b, loc, bits, kLarge), exponents);
  factors =
      arith::BitcastOp::create(b, loc, bits.clone(b.getF32Type()), factors);
  int64_t parts = bits.getNumElements(), columns = type.getDimSize(column);
  auto of = [&](ArrayRef<int64_t> shape) {
    return VectorType::get(shape, b.getF32Type());
  };
  if (parts != columns) {
    factors = vector::BroadcastOp::create(b, loc, of({columns / parts, parts}),
                                          factors);
    factors = vector::ShapeCastOp::create(b, loc, of({columns}), factors);
  }
  return buildRepeated(b, factors, type, {column});
}

namespace {
/// The second product of a loop, and the sum of its weights.
struct WeightedSum {
  vector::ContractionOp product;
  /// The number of its operand that has integers, and these.
  unsigned number;
  Integers integers;
  /// Rounded weights, what they are rounded from, and the factor of these.
  arith::TruncFOp rounded;
  Value weights;
  double scale = 1;
  vector::MultiDimReductionOp sum;
  Carried ofProduct, ofSum;
  /// The dimensions of the product that the sum has.
  SmallVector<int64_t> rows;
  /// How bytes are shifted for parts of the dimension `column` of the product,
  /// or null (`getShifts`).
  Value shifts;
  int64_t column = 0;
};

/// Subtracts the zero points of values behind the loop.
struct SubtractBehindLoop : public OpRewritePattern<vector::ContractionOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isProductOfLoop(op))
      return rewriter.notifyMatchFailure(op, "expected a product of a loop");
    std::optional<WeightedSum> found;
    for (unsigned number : {0, 1})
      if (!found)
        found = match(op, number);
    if (!found)
      return rewriter.notifyMatchFailure(
          op, "expected integers of 4 bits in f16 with a constant zero point, "
              "times weights that the loop sums");
    rewrite(*found, rewriter);
    return success();
  }

private:
  static std::optional<WeightedSum> match(vector::ContractionOp op,
                                          unsigned number) {
    auto loop = cast<scf::ForOp>(op->getParentOp());
    WeightedSum result;
    result.product = op;
    result.number = number;
    std::optional<Integers> integers = matchFewRowsOfIntegers(op, number);
    std::optional<Carried> carried =
        matchCarried(loop, op.getAcc(), op.getResult());
    result.rounded =
        op->getOperand(1 - number).getDefiningOp<arith::TruncFOp>();
    if (!integers || integers->zero ||
        !integers->type.getElementType().isF16() || !carried || !result.rounded)
      return std::nullopt;
    result.integers = *integers;
    result.ofProduct = *carried;
    result.weights = result.rounded.getIn();
    APFloat scale(1.0f);
    if (auto scaled = result.weights.getDefiningOp<arith::MulFOp>();
        scaled && matchPattern(scaled.getRhs(), m_ConstantFloat(&scale)) &&
        scale.getExactLog2() != INT_MIN && !scale.isNegative()) {
      result.weights = scaled.getLhs();
      result.scale = scale.convertToFloat();
    }
    if (!matchSum(loop, result))
      return std::nullopt;
    return result;
  }

  /// Sets the sum of the weights. Fails if the loop has none.
  static bool matchSum(scf::ForOp loop, WeightedSum &found) {
    vector::ContractionOp op = found.product;
    AffineMap map = op.getIndexingMapsArray()[1 - found.number],
              ofResult = op.getIndexingMapsArray()[2];
    SmallVector<bool> isSummed;
    for (AffineExpr expr : map.getResults()) {
      std::optional<unsigned> position = ofResult.getResultPosition(expr);
      isSummed.push_back(!position);
      if (position)
        found.rows.push_back(*position);
    }
    for (Operation *user : found.weights.getUsers()) {
      auto sum = dyn_cast<vector::MultiDimReductionOp>(user);
      if (!sum || sum.isMasked() ||
          sum.getKind() != vector::CombiningKind::ADD ||
          sum.getSource() != found.weights ||
          sum.getReductionMask() != isSummed)
        continue;
      std::optional<Carried> carried =
          matchCarried(loop, sum.getAcc(), sum.getResult());
      if (!carried ||
          !isRepeated(found.ofProduct.factor, carried->factor, found.rows))
        continue;
      found.sum = sum;
      found.ofSum = *carried;
      return true;
    }
    return false;
  }

  static void rewrite(WeightedSum &found, PatternRewriter &rewriter) {
    vector::ContractionOp op = found.product;
    Location loc = op.getLoc();
    auto loop = cast<scf::ForOp>(op->getParentOp());
    // 1. Multiply bits of integers.
    found.shifts = getShifts(op, found.number, found.integers);
    AffineMap map = op.getIndexingMapsArray()[found.number];
    if (found.shifts)
      found.column = *op.getIndexingMapsArray()[2].getResultPosition(
          map.getResult(map.getNumResults() - 1));
    rewriter.setInsertionPoint(op);
    Value bits = found.shifts ? buildBitsInPlace(rewriter, loc, found.integers,
                                                 found.shifts)
                              : buildBits(rewriter, loc, found.integers);
    rewriter.replaceOp(
        op, buildSumOf(rewriter, op, found.number, bits, op.getAcc()));

    // 2. Sum the weights as they are rounded: others, times z, are not what the
    // product has too much.
    Value total = loop.getResult(found.ofSum.number);
    if (found.integers.offset != 0) {
      // Only the end of the iteration reads the sum: it may be behind the
      // rounding.
      if (found.sum->getBlock() == found.rounded->getBlock() &&
          found.sum->isBeforeInBlock(found.rounded))
        rewriter.moveOpAfter(found.sum, found.rounded);
      rewriter.setInsertionPoint(found.sum);
      Value rounded = found.rounded.getOut();
      Value exact = arith::ExtFOp::create(rewriter, loc,
                                          found.weights.getType(), rounded);
      rewriter.modifyOpInPlace(
          found.sum, [&] { found.sum.getSourceMutable().assign(exact); });
      rewriter.setInsertionPointAfter(loop);
      auto divided = arith::MulFOp::create(
          rewriter, loc, total,
          buildFloats(rewriter, loc, total.getType(), 1 / found.scale));
      rewriter.replaceAllUsesExcept(total, divided, divided);
    }

    // 3. Subtract behind the loop, from parts of the product if only these are
    // read: another layout of all of it would have to be exchanged.
    Value values = loop.getResult(found.ofProduct.number);
    SmallVector<vector::ExtractOp> parts = getParts(values, found);
    for (vector::ExtractOp part : parts)
      subtract(rewriter, found, part, total, part.getStaticPosition());
    if (parts.empty())
      subtract(rewriter, found, values, total, {});
  }

  /// Returns the ops that read `values` at a position of leading dimensions
  /// which the sum of the weights has as well. Returns none if others read it.
  static SmallVector<vector::ExtractOp> getParts(Value values,
                                                 const WeightedSum &found) {
    SmallVector<vector::ExtractOp> result;
    for (Operation *user : values.getUsers()) {
      auto part = dyn_cast<vector::ExtractOp>(user);
      size_t count = part ? part.getStaticPosition().size() : 0;
      if (!part || part.hasDynamicPosition() || count >= found.rows.size() ||
          !llvm::equal(ArrayRef(found.rows).take_front(count),
                       llvm::seq<int64_t>(0, count)))
        return {};
      result.push_back(part);
    }
    return result;
  }

  /// Replaces `part`, what `position` of the product of the loop is, by what it
  /// is without z times `total`, the sum of the weights, at this position.
  static void subtract(PatternRewriter &rewriter, const WeightedSum &found,
                       Value part, Value total, ArrayRef<int64_t> position) {
    Location loc = part.getLoc();
    auto type = cast<VectorType>(part.getType());
    int64_t dropped = position.size();
    rewriter.setInsertionPointAfterValue(part);
    Value factors = found.shifts
                        ? buildFactorsInPlace(rewriter, loc, found.shifts, type,
                                              found.column - dropped)
                        : buildFloats(rewriter, loc, type, 1 / kOfF16);
    auto scaled = arith::MulFOp::create(rewriter, loc, part, factors);
    Value result = scaled;
    if (found.integers.offset != 0) {
      if (dropped != 0)
        total = vector::ExtractOp::create(rewriter, loc, total, position);
      Value zeros = arith::MulFOp::create(
          rewriter, loc, total,
          buildFloats(rewriter, loc, total.getType(), found.integers.offset));
      auto rows =
          llvm::map_to_vector(ArrayRef(found.rows).drop_front(dropped),
                              [&](int64_t dim) { return dim - dropped; });
      result = arith::SubFOp::create(
          rewriter, loc, scaled, buildRepeated(rewriter, zeros, type, rows));
    }
    rewriter.replaceAllUsesExcept(part, result, scaled);
  }
};
} // namespace

void mlir::vector_ext::populateSumIntegersInLoopsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<StartFromZeroPoints, SubtractBehindLoop>(patterns.getContext());
}
