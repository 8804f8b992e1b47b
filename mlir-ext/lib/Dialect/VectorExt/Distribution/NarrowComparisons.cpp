//===- NarrowComparisons.cpp - Comparisons of positions in 32 bits --------===//
//
// Masks compare positions. A position is the start of a tile, which is the same
// for all elements, plus the small offset of the element in the tile. This file
// moves the starts to one side as a scalar. The rest fits into 32 bits.
//
// Importers compare positions as i64 or i32. These are casts of indices, which
// keep their values: a position is less than a size of memory.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Comparisons.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A bound for which sums of a few numbers cannot overflow, neither in 64 nor
/// in 32 bits.
constexpr static int64_t maxVarying = int64_t(1) << 24;
constexpr static int64_t maxScalar = int64_t(1) << 48;

/// Returns a lower bound of `expr`, if it has one where none of its operands is
/// negative.
static std::optional<int64_t> getLeast(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue()) < maxScalar
               ? std::optional<int64_t>(constant.getValue())
               : std::nullopt;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  std::optional<int64_t> lhs = getLeast(binary.getLHS());
  std::optional<int64_t> rhs = getLeast(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  // Factors and divisors that are not negative.
  if (*rhs < 0)
    return std::nullopt;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    if (*lhs >= 0)
      return 0;
    return divisor && *lhs > -maxScalar / std::max<int64_t>(*rhs, 1)
               ? std::optional<int64_t>(*lhs * *rhs)
               : std::nullopt;
  case AffineExprKind::FloorDiv:
    return divisor && *rhs > 0 ? llvm::divideFloorSigned(*lhs, *rhs)
                               : std::min<int64_t>(*lhs, 0);
  case AffineExprKind::CeilDiv:
    return divisor && *rhs > 0 ? llvm::divideCeilSigned(*lhs, *rhs)
                               : std::min<int64_t>(*lhs, 0);
  default:
    return 0;
  }
}

/// Returns whether `expr` is not negative if none of its operands is.
static bool isNonNegative(AffineExpr expr) {
  return getLeast(expr).value_or(-1) >= 0;
}

namespace {
/// The known properties of a scalar: whether it is so small that sums of a few
/// such numbers do not overflow, and whether it is not negative.
struct Bounds {
  bool isSmall = false, isNonNegative = false;
};
} // namespace

static Bounds getBounds(Value value, unsigned depth = 24);

/// Returns the index, or the vector of indices, that is cast to `value`, an
/// integer of 32 or 64 bits, or null.
static Value getPosition(Value value) {
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  if (!cast || !getElementTypeOrSelf(cast.getIn()).isIndex() ||
      getElementTypeOrSelf(value).getIntOrFloatBitWidth() < 32)
    return {};
  return cast.getIn();
}

/// How far the operands of a minimum are looked through that take its place.
constexpr static unsigned maxReplaced = 8;

/// Returns whether no result of `map` is negative, if `operands` have `bounds`.
/// An operand that is a minimum may be negative by itself, as the size of the
/// last tile seems to be. So each of its operands is put in its place: the end
/// of the last tile is the end of the buffer. Minima of minima multiply what is
/// looked at, so that these are at most `maxReplaced` deep.
static bool isNonNegative(AffineMap map, ValueRange operands,
                          ArrayRef<Bounds> bounds, unsigned depth) {
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (bounds[number].isNonNegative)
      continue;
    auto min = operand.getDefiningOp<affine::AffineMinOp>();
    if (!min || depth == 0)
      return false;
    AffineMap least = min.getAffineMap();
    bool isDim = number < map.getNumDims();
    unsigned ofKind = isDim ? number : number - map.getNumDims();
    MLIRContext *context = map.getContext();
    AffineExpr replaced = isDim ? getAffineDimExpr(ofKind, context)
                                : getAffineSymbolExpr(ofKind, context);
    SmallVector<Value> all(operands.take_front(map.getNumDims()));
    llvm::append_range(all, min.getDimOperands());
    llvm::append_range(all, operands.drop_front(map.getNumDims()));
    llvm::append_range(all, min.getSymbolOperands());
    return llvm::all_of(least.getResults(), [&](AffineExpr expr) {
      AffineMap with = map.replace(
          replaced,
          expr.shiftDims(least.getNumDims(), map.getNumDims())
              .shiftSymbols(least.getNumSymbols(), map.getNumSymbols()),
          map.getNumDims() + least.getNumDims(),
          map.getNumSymbols() + least.getNumSymbols());
      SmallVector<Value> ofWith = all;
      affine::canonicalizeMapAndOperands(&with, &ofWith);
      unsigned rest = std::min(depth - 1, maxReplaced);
      auto boundsOfWith = llvm::map_to_vector(
          ofWith, [&](Value value) { return getBounds(value, rest); });
      return isNonNegative(simplifyAffineMap(with), ofWith, boundsOfWith, rest);
    });
  }
  return llvm::all_of(map.getResults(),
                      [](AffineExpr expr) { return isNonNegative(expr); });
}

/// Returns the bounds of `value`. Sizes of memory, numbers that count its
/// elements, and results of a few operations on these are small, because an
/// address space has far less than 2^61 bytes.
static Bounds getBounds(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {-maxScalar < *constant && *constant < maxScalar, *constant >= 0};
  if (depth == 0)
    return {};
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (isa<gpu::LaunchOp>(parent))
      return {value.getType().isIndex(), value.getType().isIndex()};
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || arg != loop.getInductionVar())
      return {};
    Bounds lower = getBounds(loop.getLowerBound(), depth - 1);
    Bounds upper = getBounds(loop.getUpperBound(), depth - 1);
    return {lower.isSmall && upper.isSmall, lower.isNonNegative};
  }
  Operation *op = value.getDefiningOp();
  if (isa<memref::DimOp, gpu::BlockIdOp, gpu::ThreadIdOp, gpu::GridDimOp>(op))
    return {true, true};
  if (Value position = getPosition(value))
    return getBounds(position, depth - 1);
  if (auto type = dyn_cast<IntegerType>(value.getType()))
    return {type.getWidth() <= 32, false};
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    return {cast.getIn().getType().getIntOrFloatBitWidth() <= 32, false};
  if (auto cast = dyn_cast<arith::IndexCastUIOp>(op))
    if (cast.getIn().getType().getIntOrFloatBitWidth() <= 32)
      return {true, true};
  if (auto assume = dyn_cast<vector_ext::AssumeOp>(op))
    if (std::optional<int64_t> most = assume.getAtMost())
      if (assume.getAtLeast() >= 0 && *most < maxScalar)
        return {true, true};
  if (!isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
           affine::AffineDelinearizeIndexOp, arith::AddIOp, arith::SubIOp,
           arith::MinSIOp, arith::MaxSIOp, arith::SelectOp,
           vector_ext::AssumeOp>(op))
    return {};
  Bounds all = {true, true};
  bool anyNonNegative = false;
  SmallVector<Bounds> ofOperands;
  for (Value operand : op->getOperands()) {
    if (operand.getType().isInteger(1))
      continue;
    Bounds bounds = getBounds(operand, depth - 1);
    ofOperands.push_back(bounds);
    all.isSmall &= bounds.isSmall;
    all.isNonNegative &= bounds.isNonNegative;
    anyNonNegative |= bounds.isNonNegative;
  }
  auto ofMap = [&](AffineMap map) {
    return isNonNegative(map, op->getOperands(), ofOperands, depth - 1);
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    all.isNonNegative = ofMap(apply.getAffineMap());
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    all.isNonNegative = ofMap(min.getAffineMap());
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    all.isNonNegative = ofMap(max.getAffineMap());
  else if (isa<arith::SubIOp>(op))
    all.isNonNegative = false;
  else if (isa<arith::MaxSIOp>(op))
    all.isNonNegative = anyNonNegative;
  return all;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

namespace {
/// Positions: the sum of scalars, each added or subtracted, and a value that
/// varies between `-below` (or 0) and `above`.
struct Positions {
  SmallVector<std::pair<Value, bool>> added;
  int64_t constant = 0;
  int64_t below = 0, above = 0;
  bool isUniform = true, isNonNegative = true;
  /// Whether the scalars are positions, so that sums of a few do not overflow
  /// in 32 bits; and whether others than those of lanes have been cast.
  bool isOfPositions = true, isCast = false;
};
} // namespace

static bool isMove(Operation *op) {
  return isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(op);
}

static std::optional<Positions> analyze(Value value) {
  Positions result;
  // The value is a scalar, or is the same for all elements.
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    if (*constant <= -maxScalar || *constant >= maxScalar)
      return std::nullopt;
    result.constant = *constant;
    result.isNonNegative = *constant >= 0;
    return result;
  }
  if (!isa<VectorType>(value.getType())) {
    Bounds bounds = getBounds(value);
    if (!bounds.isSmall)
      return std::nullopt;
    result.added.emplace_back(value, true);
    result.isNonNegative = bounds.isNonNegative;
    result.isOfPositions = value.getType().isIndex() || getPosition(value);
    return result;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isMove(op))
    return analyze(op->getOperand(0));
  if (Value positions = getPosition(value)) {
    std::optional<Positions> cast = analyze(positions);
    if (cast)
      cast->isCast |= !positions.getDefiningOp<vector::StepOp>();
    return cast;
  }
  if (auto step = dyn_cast<vector::StepOp>(op)) {
    result.above = step.getType().getNumElements();
    result.isUniform = false;
    return result;
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  // If the sum is too long, the analysis gives up at its first part.
  std::optional<Positions> lhs = analyze(op->getOperand(0));
  std::optional<Positions> rhs =
      lhs ? analyze(op->getOperand(1)) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  bool isSum = isa<arith::AddIOp>(op);
  result = *lhs;
  for (auto [scalar, isAdded] : rhs->added)
    result.added.emplace_back(scalar, isAdded == isSum);
  result.constant += isSum ? rhs->constant : -rhs->constant;
  result.above += isSum ? rhs->above : rhs->below;
  result.below += isSum ? rhs->below : rhs->above;
  result.isUniform &= rhs->isUniform;
  result.isNonNegative &= isSum && rhs->isNonNegative;
  result.isOfPositions &= rhs->isOfPositions;
  result.isCast |= rhs->isCast;
  if (getElementTypeOrSelf(value).isInteger(32) &&
      (!result.isOfPositions || std::abs(result.constant) > maxVarying))
    return std::nullopt;
  if (result.above + result.below > maxVarying || result.added.size() > 8)
    return std::nullopt;
  return result;
}

/// Builds the varying part of `value` in 32 bits, plus `uniform` unless that is
/// null.
static Value buildVarying(OpBuilder &b, Location loc, Value value,
                          Value uniform) {
  Type type = b.getI32Type();
  if (auto vectorType = dyn_cast<VectorType>(value.getType()))
    type = vectorType.clone(b.getI32Type());
  auto broadcast = [&](Value scalar) -> Value {
    if (scalar.getType() == type)
      return scalar;
    return vector::BroadcastOp::create(b, loc, type, scalar);
  };
  Operation *op = value.getDefiningOp();
  if (analyze(value)->isUniform) {
    if (uniform)
      return broadcast(uniform);
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  }
  if (isMove(op)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0),
                buildVarying(b, loc, op->getOperand(0), uniform));
    Operation *clone = b.clone(*op, mapping);
    clone->getResult(0).setType(type);
    return clone->getResult(0);
  }
  if (Value positions = getPosition(value))
    return buildVarying(b, loc, positions, uniform);
  if (isa<vector::StepOp>(op)) {
    Value step = arith::IndexCastOp::create(b, loc, type, value);
    if (!uniform)
      return step;
    return arith::AddIOp::create(b, loc, step, broadcast(uniform));
  }
  // The scalar is added to one side, if possible to one that varies.
  Value sides[2] = {op->getOperand(0), op->getOperand(1)};
  bool isSum = isa<arith::AddIOp>(op);
  if (analyze(sides[1])->isUniform)
    return buildVarying(b, loc, sides[0], uniform);
  if (isSum && analyze(sides[0])->isUniform)
    return buildVarying(b, loc, sides[1], uniform);
  Value lhs = buildVarying(b, loc, sides[0], uniform);
  Value rhs = buildVarying(b, loc, sides[1], nullptr);
  if (isSum)
    return arith::AddIOp::create(b, loc, lhs, rhs);
  return arith::SubIOp::create(b, loc, lhs, rhs);
}

namespace {
/// Replaces l + a < r + b, if l and r are the same for all elements, by a < (r
/// - l) + b. The difference r - l is clamped to the range that matters.
struct NarrowComparison : public OpRewritePattern<arith::CmpIOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getLhs().getType());
    Type element = type ? type.getElementType() : Type();
    if (!type || type.isScalable() ||
        !(element.isIndex() || element.isInteger(64) || element.isInteger(32)))
      return rewriter.notifyMatchFailure(op, "not of vectors of positions");
    std::optional<Positions> lhs = analyze(op.getLhs()),
                             rhs = analyze(op.getRhs());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "not of positions in a tile");
    if (!element.isIndex() && !lhs->isCast && !rhs->isCast)
      return rewriter.notifyMatchFailure(op, "casts no positions");
    arith::CmpIPredicate predicate = linalg_ext::makeSigned(op.getPredicate());
    if (predicate != op.getPredicate() &&
        (!lhs->isNonNegative || !rhs->isNonNegative))
      return rewriter.notifyMatchFailure(op, "of what may be negative");

    Location loc = op.getLoc();
    auto addTo = [&](Value sum, Value value, bool isAdded) -> Value {
      if (Value position = getPosition(value))
        value = position;
      else if (!value.getType().isIndex())
        value = arith::IndexCastOp::create(rewriter, loc,
                                           rewriter.getIndexType(), value);
      if (isAdded)
        return arith::AddIOp::create(rewriter, loc, sum, value);
      return arith::SubIOp::create(rewriter, loc, sum, value);
    };
    Value difference = arith::ConstantIndexOp::create(
        rewriter, loc, rhs->constant - lhs->constant);
    for (auto [scalar, isAdded] : rhs->added)
      difference = addTo(difference, scalar, isAdded);
    for (auto [scalar, isAdded] : lhs->added)
      difference = addTo(difference, scalar, !isAdded);
    // The varying parts differ by less than this.
    int64_t most = lhs->above + rhs->below + 1;
    int64_t least = -(lhs->below + rhs->above + 1);
    difference = arith::MinSIOp::create(
        rewriter, loc, difference,
        arith::ConstantIndexOp::create(rewriter, loc, most));
    difference = arith::MaxSIOp::create(
        rewriter, loc, difference,
        arith::ConstantIndexOp::create(rewriter, loc, least));
    difference = arith::IndexCastOp::create(rewriter, loc,
                                            rewriter.getI32Type(), difference);
    Value left = buildVarying(rewriter, loc, op.getLhs(), nullptr);
    Value right = buildVarying(rewriter, loc, op.getRhs(), difference);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, predicate, left, right);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateNarrowComparisonsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<NarrowComparison>(patterns.getContext());
}
