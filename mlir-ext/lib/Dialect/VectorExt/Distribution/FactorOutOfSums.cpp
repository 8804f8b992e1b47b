//===- FactorOutOfSums.cpp - Moves factors out of contractions ------------===//
//
// Quantised weights have a scale for each group. A tile of a product has one or
// a few groups of each column, so the scale is a factor of the value that the
// tile adds to the sum. With few rows, multiplying these values takes fewer
// multiplications than multiplying each weight.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using llvm::SmallBitVector;

/// The most rows that use an element whose factor is moved out of the sum, as
/// in `scale-after-contraction` (docs/Decisions/0057).
static constexpr int64_t kFewRows = 16;

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
    AffineMap map = op.getIndexingMapsArray()[number];
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    Value operand = op->getOperand(number);
    // 1. Few results use an element, and sums are long.
    int64_t rows = 1, sums = 1;
    SmallBitVector dims(map.getNumResults());
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
        dims.set(*position);
    }
    if (rows > kFewRows || 2 * rows > sums)
      return std::nullopt;
    // 2. The operand is a product whose dimensions a reshape may merge.
    if (auto cast = operand.getDefiningOp<vector::ShapeCastOp>()) {
      std::optional<SmallBitVector> left = getSourceDims(cast, dims);
      if (!left || !cast->hasOneUse())
        return std::nullopt;
      operand = cast.getSource();
      dims = *left;
    }
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
    auto type = cast<VectorType>(op.getResultType());
    // 1. Build the sum without the factor.
    Value operand = factored.summed;
    if (auto cast = op->getOperand(number).getDefiningOp<vector::ShapeCastOp>())
      operand = vector::ShapeCastOp::create(
          rewriter, loc, cast.getResultVectorType(), operand);
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    auto sum = cast<vector::ContractionOp>(rewriter.clone(*op));
    rewriter.modifyOpInPlace(sum, [&] {
      sum->setOperand(number, operand);
      sum.getAccMutable().assign(zero);
    });

    // 2. Build the factor, with the dimensions of the operand that are not
    //    summed.
    FailureOr<Value> built = buildWithoutDims(
        &*static_cast<OpBuilder *>(&rewriter), factored.factor, factored.dims);
    Value factor = *built;
    AffineMap map = op.getIndexingMapsArray()[number],
              ofResult = op.getIndexingMapsArray()[2];
    SmallVector<int64_t> kept, shape;
    for (AffineExpr expr : map.getResults())
      if (std::optional<unsigned> position = ofResult.getResultPosition(expr)) {
        kept.push_back(*position);
        shape.push_back(type.getDimSize(*position));
      }
    auto narrow = VectorType::get(
        shape, cast<VectorType>(factor.getType()).getElementType());
    factor = rewriter.createOrFold<vector::ShapeCastOp>(loc, narrow, factor);
    if (!narrow.getElementType().isF32())
      factor = arith::ExtFOp::create(
          rewriter, loc, VectorType::get(shape, type.getElementType()), factor);

    // 3. Give the factor the dimensions of the result: others in front, then in
    //    order.
    SmallVector<int64_t> order, wide;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(kept, dim))
        order.push_back(dim);
    llvm::append_range(order, kept);
    for (int64_t dim : order)
      wide.push_back(type.getDimSize(dim));
    factor = vector::BroadcastOp::create(
        rewriter, loc, VectorType::get(wide, type.getElementType()), factor);
    factor = rewriter.createOrFold<vector::TransposeOp>(
        loc, factor, invertPermutationVector(order));
    Value scaled =
        arith::MulFOp::create(rewriter, loc, sum.getResult(), factor);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getAcc(), scaled);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateFactorOutOfSumsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FactorOutOfSum>(patterns.getContext());
}
