//===- FactorOutOfSums.cpp - Moves factors out of contractions ------------===//
//
// Quantised weights have a scale for each group. A tile of a product has one or
// a few groups of each column, so the scale is a factor of the value that the
// tile adds to the sum. With few rows, multiplying these values takes fewer
// multiplications than multiplying each weight.
//
// In the same way, a zero point of a group is subtracted behind the sum, times
// the sum of the other operand. What is left are integers of few bits, which
// are subnormal numbers of f16 as they are.
//
//===----------------------------------------------------------------------===//

#include "IntegersOfSums.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::vector_ext;
using llvm::SmallBitVector;

/// The most rows that use an element whose factor is moved out of the sum, as
/// in `scale-after-contraction` (docs/Decisions/0057).
static constexpr int64_t kFewRows = 16;

/// The most rows of integers that are multiplied as they are. With 16 rows,
/// sums of rows took registers that 512 threads do not have
/// (docs/Decisions/0152).
static constexpr int64_t kRowsOfIntegers = 8;

/// With more parts, workgroups have so many threads that a thread has few
/// registers.
static constexpr int64_t kMostParts = 8;

/// Differences of integers and zero points are multiplied times this number.
/// It is so small that an integer as a subnormal number times a power of two of
/// f16 is a product with it, and so large that differences lose no bits
/// (docs/Decisions/0174).
static constexpr double kOfDifference = 0x1p-9;

/// Returns `type` without the dimensions `dims`. If no dimension is left, the
/// vector is not scalable.
static VectorType dropDims(VectorType type, const SmallBitVector &dims) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!dims.test(dim))
      shape.push_back(size);
  return VectorType::get(shape, type.getElementType());
}

/// Returns the dimensions of the source of `cast` that become `dims` of its
/// result. Returns none if other dimensions become these as well.
static std::optional<SmallBitVector> getSourceDims(vector::ShapeCastOp cast,
                                                   const SmallBitVector &dims) {
  VectorType from = cast.getSourceVectorType(), to = cast.getResultVectorType();
  bool merges = from.getRank() > to.getRank();
  auto groups = getReassociationIndicesForReshape(
      MemRefType::get(from.getShape(), from.getElementType()),
      MemRefType::get(to.getShape(), to.getElementType()));
  if (!groups)
    return std::nullopt;
  SmallBitVector result(from.getRank());
  for (auto [number, group] : llvm::enumerate(*groups)) {
    if (merges) {
      for (int64_t dim : group)
        if (dims.test(number))
          result.set(dim);
      continue;
    }
    bool any = llvm::any_of(group, [&](int64_t dim) { return dims.test(dim); });
    bool all = llvm::all_of(group, [&](int64_t dim) { return dims.test(dim); });
    if (any != all)
      return std::nullopt;
    if (any)
      result.set(number);
  }
  return result;
}

/// Returns `value` without the dimensions `dims`, along which all of its
/// elements must be equal. Fails if they may differ. Without a builder, builds
/// nothing and returns `value` if it can be built.
static FailureOr<Value> buildWithoutDims(OpBuilder *b, Value value,
                                         const SmallBitVector &dims,
                                         unsigned depth = 8) {
  auto type = cast<VectorType>(value.getType());
  if (depth == 0 || type.isScalable())
    return failure();
  VectorType result = dropDims(type, dims);
  Location loc = value.getLoc();
  bool areOfOne = llvm::all_of(
      dims.set_bits(), [&](unsigned dim) { return type.getDimSize(dim) == 1; });
  if (areOfOne) {
    if (!b || dims.none())
      return value;
    return vector::ShapeCastOp::create(*b, loc, result, value).getResult();
  }
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat))) {
    if (!b)
      return value;
    return arith::ConstantOp::create(
               *b, loc,
               DenseElementsAttr::get(result, splat.getSplatValue<Attribute>()))
        .getResult();
  }
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op)) {
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    if (!source) {
      if (!b)
        return value;
      return vector::BroadcastOp::create(*b, loc, result, broadcast.getSource())
          .getResult();
    }
    int64_t added = type.getRank() - source.getRank();
    SmallBitVector left(source.getRank());
    for (unsigned dim : dims.set_bits())
      if (int64_t(dim) >= added)
        left.set(dim - added);
    FailureOr<Value> without =
        buildWithoutDims(b, broadcast.getSource(), left, depth - 1);
    if (failed(without) || !b)
      return without;
    return vector::BroadcastOp::create(*b, loc, result, *without).getResult();
  }
  if (auto transpose = dyn_cast_or_null<vector::TransposeOp>(op)) {
    ArrayRef<int64_t> order = transpose.getPermutation();
    SmallBitVector left(type.getRank());
    for (unsigned dim : dims.set_bits())
      left.set(order[dim]);
    FailureOr<Value> without =
        buildWithoutDims(b, transpose.getVector(), left, depth - 1);
    if (failed(without) || !b)
      return without;
    SmallVector<int64_t> rest;
    for (int64_t to = 0; to < type.getRank(); ++to)
      if (!dims.test(to))
        rest.push_back(order[to] -
                       llvm::count_if(left.set_bits(), [&](unsigned dim) {
                         return int64_t(dim) < order[to];
                       }));
    return b->createOrFold<vector::TransposeOp>(loc, *without, rest);
  }
  if (auto cast = dyn_cast_or_null<vector::ShapeCastOp>(op)) {
    std::optional<SmallBitVector> left = getSourceDims(cast, dims);
    if (!left)
      return failure();
    FailureOr<Value> without =
        buildWithoutDims(b, cast.getSource(), *left, depth - 1);
    if (failed(without) || !b)
      return without;
    return b->createOrFold<vector::ShapeCastOp>(loc, result, *without);
  }
  if (!op || op->getNumResults() != 1 ||
      !OpTrait::hasElementwiseMappableTraits(op) || !isPure(op))
    return failure();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> without =
        isa<VectorType>(operand.getType())
            ? buildWithoutDims(b, operand, dims, depth - 1)
            : FailureOr<Value>(operand);
    if (failed(without))
      return failure();
    operands.push_back(*without);
  }
  if (!b)
    return value;
  OperationState state(loc, op->getName(), operands, TypeRange{result},
                       op->getAttrs());
  return b->create(state)->getResult(0);
}

/// Returns operand `number` of `op`, if at most `mostRows` results use each of
/// its elements, and sums are long.
static std::optional<Summed> matchSummed(vector::ContractionOp op,
                                         unsigned number, int64_t mostRows) {
  AffineMap map = op.getIndexingMapsArray()[number];
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  int64_t rows = 1, sums = 1;
  Summed summed{op->getOperand(number), SmallBitVector(map.getNumResults())};
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isSum = iterator == vector::IteratorType::reduction;
    if (isSum)
      sums *= bounds[dim];
    else if (!map.isFunctionOfDim(dim))
      rows *= bounds[dim];
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (isSum && !position)
      return std::nullopt;
    if (isSum)
      summed.dims.set(*position);
  }
  if (rows > mostRows || 2 * rows > sums)
    return std::nullopt;
  auto cast = summed.operand.getDefiningOp<vector::ShapeCastOp>();
  if (!cast)
    return summed;
  std::optional<SmallBitVector> left = getSourceDims(cast, summed.dims);
  if (!left || !cast->hasOneUse())
    return std::nullopt;
  return Summed{cast.getSource(), *left};
}

Value vector_ext::buildSumOf(RewriterBase &rewriter, vector::ContractionOp op,
                             unsigned number, Value operand, Value acc) {
  auto type = cast<VectorType>(op->getOperand(number).getType());
  operand =
      rewriter.createOrFold<vector::ShapeCastOp>(op.getLoc(), type, operand);
  if (!acc)
    acc = buildFloats(rewriter, op.getLoc(), op.getResultType(), 0);
  auto sum = cast<vector::ContractionOp>(rewriter.clone(*op));
  rewriter.modifyOpInPlace(sum, [&] {
    sum->setOperand(number, operand);
    sum.getAccMutable().assign(acc);
  });
  return sum;
}

Value vector_ext::buildFloats(OpBuilder &b, Location loc, Type type,
                              double value) {
  auto vector = cast<VectorType>(type);
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(vector,
                             b.getFloatAttr(vector.getElementType(), value)));
}

Value vector_ext::buildBits(OpBuilder &b, Location loc,
                            const Integers &integers) {
  VectorType type = integers.type;
  Value numbers = arith::UIToFPOp::create(b, loc, type, integers.numbers);
  if (type.getElementType().isF16())
    return arith::MulFOp::create(b, loc, numbers,
                                 buildFloats(b, loc, type, kOfF16));
  return arith::AddFOp::create(b, loc, numbers,
                               buildFloats(b, loc, type, kOfBF16));
}

/// Builds `value`, which is constant along the dimensions `dims` of operand
/// `number` of `op` in front of its reshape, as f32 for each element of the
/// result of `op`.
static Value buildForResult(RewriterBase &rewriter, vector::ContractionOp op,
                            unsigned number, Value value,
                            const SmallBitVector &dims) {
  Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getResultType());
  // 1. Build it with the dimensions of the operand that are not summed.
  FailureOr<Value> built =
      buildWithoutDims(&*static_cast<OpBuilder *>(&rewriter), value, dims);
  AffineMap map = op.getIndexingMapsArray()[number],
            ofResult = op.getIndexingMapsArray()[2];
  SmallVector<int64_t> kept, shape;
  for (AffineExpr expr : map.getResults())
    if (std::optional<unsigned> position = ofResult.getResultPosition(expr)) {
      kept.push_back(*position);
      shape.push_back(type.getDimSize(*position));
    }
  auto narrow = VectorType::get(
      shape, cast<VectorType>(built->getType()).getElementType());
  value = rewriter.createOrFold<vector::ShapeCastOp>(loc, narrow, *built);
  if (!narrow.getElementType().isF32())
    value = arith::ExtFOp::create(
        rewriter, loc, VectorType::get(shape, type.getElementType()), value);

  // 2. Give it the dimensions of the result: others in front, then in order.
  SmallVector<int64_t> order, wide;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(kept, dim))
      order.push_back(dim);
  llvm::append_range(order, kept);
  for (int64_t dim : order)
    wide.push_back(type.getDimSize(dim));
  value = vector::BroadcastOp::create(
      rewriter, loc, VectorType::get(wide, type.getElementType()), value);
  return rewriter.createOrFold<vector::TransposeOp>(
      loc, value, invertPermutationVector(order));
}

namespace {
/// An operand that is a product with a factor that does not depend on the
/// summed dimension.
struct Factored {
  /// The product, its other operand, and the factor.
  arith::MulFOp product;
  Value summed, factor;
  /// The dimensions of the product along which the factor must be constant.
  SmallBitVector dims;
};

/// Replaces sum of x (w s) by (sum of x w) s, if s does not depend on the
/// summed dimension.
struct FactorOutOfSum : public OpRewritePattern<vector::ContractionOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getResultType());
    if (op.getKind() != vector::CombiningKind::ADD || op.isMasked() || !type ||
        !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not a sum of f32");
    for (unsigned number : {0, 1})
      if (std::optional<Factored> factored = match(op, number))
        return rewrite(op, number, *factored, rewriter);
    return rewriter.notifyMatchFailure(
        op, "no operand has a factor that few results need");
  }

private:
  static std::optional<Factored> match(vector::ContractionOp op,
                                       unsigned number) {
    std::optional<Summed> found = matchSummed(op, number, kFewRows);
    if (!found)
      return std::nullopt;
    auto [operand, dims] = *found;
    auto product = operand.getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse() ||
        product->getBlock() != op->getBlock())
      return std::nullopt;
    // A product that is the same in all iterations is computed only once in any
    // case.
    auto loop = op->getParentOfType<LoopLikeOpInterface>();
    for (unsigned side : {1, 0}) {
      Value factor = product->getOperand(side),
            summed = product->getOperand(1 - side);
      if ((loop && loop.isDefinedOutsideOfLoop(summed)) ||
          failed(buildWithoutDims(nullptr, factor, dims)) ||
          succeeded(buildWithoutDims(nullptr, summed, dims)))
        continue;
      return Factored{product, summed, factor, dims};
    }
    return std::nullopt;
  }

  static LogicalResult rewrite(vector::ContractionOp op, unsigned number,
                               const Factored &factored,
                               PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    // 1. Build the sum without the factor.
    Value sum = buildSumOf(rewriter, op, number, factored.summed);

    // 2. Build the factor for each element of the result.
    Value factor =
        buildForResult(rewriter, op, number, factored.factor, factored.dims);
    Value scaled = arith::MulFOp::create(rewriter, loc, sum, factor);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getAcc(), scaled);
    return success();
  }
};

} // namespace

/// Returns the integers of which `operand`, of `op` in the same block, has the
/// differences with zero points, or as which it is converted. Sets no `dims`.
static std::optional<Integers> matchIntegers(Value operand, Operation *op) {
  Integers result;
  if (auto sub = operand.getDefiningOp<arith::SubFOp>()) {
    result.zero = sub.getRhs();
    operand = sub.getLhs();
    if (!sub->hasOneUse())
      return std::nullopt;
  }
  Operation *conversion = operand.getDefiningOp();
  if (!isa_and_nonnull<arith::UIToFPOp, arith::SIToFPOp>(conversion) ||
      !conversion->hasOneUse() || conversion->getBlock() != op->getBlock())
    return std::nullopt;
  result.type = dyn_cast<VectorType>(operand.getType());
  if (!result.type || !(result.type.getElementType().isF16() ||
                        result.type.getElementType().isBF16()))
    return std::nullopt;
  result.numbers = conversion->getOperand(0);
  // No difference wraps.
  APInt constant;
  if (auto sub = result.numbers.getDefiningOp<arith::SubIOp>();
      sub && isa<arith::SIToFPOp>(conversion) &&
      matchPattern(sub.getRhs(), m_ConstantInt(&constant)) &&
      constant.sge(-64) && constant.sle(64)) {
    result.offset = static_cast<double>(constant.getSExtValue());
    result.numbers = sub.getLhs();
  }
  Value masked = result.numbers;
  if (auto flip = masked.getDefiningOp<arith::XOrIOp>();
      flip && matchPattern(flip.getRhs(), m_ConstantInt(&constant)) &&
      constant.ule(15))
    masked = flip.getLhs();
  auto mask = masked.getDefiningOp<arith::AndIOp>();
  if (!mask || !matchPattern(mask.getRhs(), m_ConstantInt(&constant)) ||
      constant.ugt(15) || constant.getBitWidth() < 8)
    return std::nullopt;
  return result;
}

bool vector_ext::isChained(vector::ContractionOp op) {
  BackwardSliceOptions options;
  options.filter = [&](Operation *other) {
    return other->getBlock() == op->getBlock();
  };
  auto collectFactors = [&](vector::ContractionOp of) {
    SetVector<Operation *> slice;
    for (Value factor : {of.getLhs(), of.getRhs()})
      (void)getBackwardSlice(factor, &slice, options);
    return slice;
  };
  if (llvm::any_of(collectFactors(op), llvm::IsaPred<vector::ContractionOp>))
    return true;
  return llvm::any_of(op->getBlock()->getOps<vector::ContractionOp>(),
                      [&](vector::ContractionOp other) {
                        return other != op &&
                               collectFactors(other).contains(op);
                      });
}

const MmaIntrinsic *vector_ext::getIntrinsicOfSum(vector::ContractionOp op) {
  auto type = dyn_cast<VectorType>(op.getResultType());
  auto config = op->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  if (op.getKind() != vector::CombiningKind::ADD || op.isMasked() || !type ||
      !type.getElementType().isF32() || !config)
    return nullptr;
  return op->getContext()
      ->getLoadedDialect<VectorExtDialect>()
      ->lookupIntrinsic(config.getIntrinsic());
}

bool vector_ext::hasFewParts(vector::ContractionOp op) {
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  int64_t parts = 1;
  for (unsigned dim = 0; dim < bounds.size(); ++dim)
    if (llvm::all_of(op.getIndexingMapsArray(),
                     [&](AffineMap map) { return map.isFunctionOfDim(dim); }))
      parts *= bounds[dim];
  return parts <= kMostParts;
}

std::optional<Integers>
vector_ext::matchFewRowsOfIntegers(vector::ContractionOp op, unsigned number) {
  std::optional<Summed> summed = matchSummed(op, number, kRowsOfIntegers);
  std::optional<Integers> result =
      summed ? matchIntegers(summed->operand, op) : std::nullopt;
  if (!result || (result->zero && failed(buildWithoutDims(nullptr, result->zero,
                                                          summed->dims))))
    return std::nullopt;
  result->dims = summed->dims;
  return result;
}

namespace {
/// Replaces sum of x (n - z) by (sum of x n) - z (sum of x), if z does not
/// depend on the summed dimension, and n are integers of 4 bits. These are
/// multiplied as n 2^-24 in f16, which are their bits, or as 128 + n in bf16.
struct SumIntegers : public OpRewritePattern<vector::ContractionOp> {
  SumIntegers(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    const MmaIntrinsic *intrinsic = getIntrinsicOfSum(op);
    if (!intrinsic)
      return rewriter.notifyMatchFailure(op, "not a configured sum of f32");
    if (!intrinsic->keepsSubnormals || intrinsic->isAsynchronous)
      return rewriter.notifyMatchFailure(
          op, "the instruction may not multiply subnormal numbers, or is "
              "asynchronous");
    // The loop of a chain holds the sums of both, and has no registers for
    // another one.
    if (!hasFewParts(op) || isChained(op))
      return rewriter.notifyMatchFailure(op, "threads have few registers");
    for (unsigned number : {0, 1})
      if (std::optional<Integers> integers = matchFewRowsOfIntegers(op, number))
        return rewrite(op, number, *integers, rewriter);
    return rewriter.notifyMatchFailure(op, "no operand has integers of 4 bits");
  }

private:
  static LogicalResult rewrite(vector::ContractionOp op, unsigned number,
                               const Integers &integers,
                               PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getResultType());
    auto splat = [&](VectorType type, double value) {
      return buildFloats(rewriter, loc, type, value);
    };
    bool isF16 = integers.type.getElementType().isF16();
    // 1. Sum the other operand, if something is subtracted from the numbers.
    double offset = integers.offset + (isF16 ? 0 : kOfBF16);
    bool subtracts = integers.zero || offset != 0;
    Value ofOther;
    if (subtracts)
      ofOther = buildSumOf(
          rewriter, op, number,
          splat(cast<VectorType>(op->getOperand(number).getType()), 1));
    // 2. Sum the numbers.
    Value sum =
        buildSumOf(rewriter, op, number, buildBits(rewriter, loc, integers));
    if (isF16)
      sum = arith::MulFOp::create(rewriter, loc, sum, splat(type, 1 / kOfF16));

    // 3. Subtract what they are too large by.
    if (subtracts) {
      Value zero;
      if (integers.zero)
        zero =
            buildForResult(rewriter, op, number, integers.zero, integers.dims);
      if (!zero)
        zero = splat(type, offset);
      else if (offset != 0)
        zero = arith::AddFOp::create(rewriter, loc, zero, splat(type, offset));
      Value product = arith::MulFOp::create(rewriter, loc, ofOther, zero);
      sum = arith::SubFOp::create(rewriter, loc, sum, product);
    }
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getAcc(), sum);
    return success();
  }
};

/// Replaces sum of x (n - z) by 2^9 (sum of x ((n - z) 2^-9)), if n are
/// integers of 4 bits. In f16, the difference is then one fma of the bits of
/// two integers. With more rows than `SumIntegers` takes, sums of x take too
/// many registers, and each tile of columns of an asynchronous instruction
/// would sum them again.
struct SubtractIntegers : public OpRewritePattern<vector::ContractionOp> {
  SubtractIntegers(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/1) {}

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    const MmaIntrinsic *intrinsic = getIntrinsicOfSum(op);
    if (!intrinsic)
      return rewriter.notifyMatchFailure(op, "not a configured sum of f32");
    auto type = cast<VectorType>(op.getResultType());
    bool startsAtZero = matchPattern(op.getAcc(), m_AnyZeroFloat());
    if (!intrinsic->keepsSubnormals)
      return rewriter.notifyMatchFailure(
          op, "the instruction may not multiply subnormal numbers");
    if (isChained(op) || (intrinsic->isAsynchronous && !startsAtZero))
      return rewriter.notifyMatchFailure(
          op, "threads have few registers, or an asynchronous product goes on "
              "in the next iteration");
    for (OpOperand &operand : op->getOpOperands().take_front(2)) {
      OpOperand *moved = &operand;
      while (
          isa_and_nonnull<ToLayoutOp, vector::ShapeCastOp, vector::TransposeOp>(
              moved->get().getDefiningOp()) &&
          moved->get().hasOneUse())
        moved = &moved->get().getDefiningOp()->getOpOperand(0);
      std::optional<Integers> integers = matchIntegers(moved->get(), op);
      if (!integers || !integers->type.getElementType().isF16() ||
          !moved->get().hasOneUse() || !integers->zero)
        continue;
      rewriter.setInsertionPoint(moved->getOwner());
      Value numbers = buildDifference(rewriter, op.getLoc(), *integers);
      rewriter.modifyOpInPlace(moved->getOwner(), [&] { moved->set(numbers); });
      rewriter.setInsertionPoint(op);
      Value sum =
          buildSumOf(rewriter, op, operand.getOperandNumber(), operand.get());
      sum = arith::MulFOp::create(
          rewriter, op.getLoc(), sum,
          buildFloats(rewriter, op.getLoc(), type, 1 / kOfDifference));
      if (startsAtZero)
        rewriter.replaceOp(op, sum);
      else
        rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getAcc(), sum);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand has differences of integers of 4 bits in f16");
  }

private:
  /// Builds the differences of `integers`, times `kOfDifference`.
  static Value buildDifference(OpBuilder &b, Location loc,
                               const Integers &integers) {
    VectorType type = integers.type;
    Value zero = arith::MulFOp::create(
        b, loc, integers.zero, buildFloats(b, loc, type, -kOfDifference));
    if (integers.offset != 0)
      zero = arith::AddFOp::create(
          b, loc, zero,
          buildFloats(b, loc, type, -integers.offset * kOfDifference));
    Value numbers = arith::UIToFPOp::create(b, loc, type, integers.numbers);
    return math::FmaOp::create(b, loc, numbers,
                               buildFloats(b, loc, type, kOfDifference), zero);
  }
};
} // namespace

void mlir::vector_ext::populateSumIntegersPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SumIntegers, SubtractIntegers>(patterns.getContext());
  populateSumIntegersInLoopsPatterns(patterns);
}

void mlir::vector_ext::populateFactorOutOfSumsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FactorOutOfSum>(patterns.getContext());
}
