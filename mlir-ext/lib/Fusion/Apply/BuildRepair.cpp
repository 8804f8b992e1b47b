//===- BuildRepair.cpp - Builds the IR of repairs -------------------------===//
//
// Builds repairs. Let s be the old value of a source, s' the new one, and c the
// coefficient of the factor. A source is regular if a repair from it is finite.
// Let g(s) be s if s is regular, and a constant otherwise.
//
//   difference, scale   exp(c (g(s') - g(s)))
//   difference, add     c (g(s') - g(s))
//   ratio, scale        (g(s') / g(s))^c
//   ratio, add          c log(g(s') / g(s))
//   difference, polynomial of degree c
//                       sum_i A_i (g(s') - g(s))^i / i!, A_i the derivatives
//
// rho is first computed along the dimensions of the state. It is then reshaped
// and sliced to the dimensions of the accumulator, in the way in which the ops
// between the state and the accumulator do it (TileRows.h). A scaling is
// clamped to the largest finite number. It overflows only if nothing was
// accumulated before: the accumulator is 0, and must stay 0.
//
//===----------------------------------------------------------------------===//

#include "BuildRepair.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;

static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

static Value buildInfinity(OpBuilder &b, Location loc, Type type,
                           bool isNegative) {
  auto floatType = cast<FloatType>(type);
  return arith::ConstantOp::create(
      b, loc,
      FloatAttr::get(
          type, APFloat::getInf(floatType.getFloatSemantics(), isNegative)));
}

/// Returns the type in which repairs of `value` are computed.
static FloatType getWideType(OpBuilder &b, Value value) {
  auto type = cast<FloatType>(getElementTypeOrSelf(value));
  return type.getWidth() < 32 ? b.getF32Type() : type;
}

/// Builds the condition that a source is regular: repairs from its value and to
/// its value are finite. The state of a part of a row may be irregular: the
/// maximum of no elements, a sum that happens to be 0, or the root of a sum
/// that is negative so far.
static Value buildIsRegular(OpBuilder &b, Location loc,
                            const PlannedFactor &factor, Value value) {
  Type type = value.getType();
  double coefficient = factor.value.degree.coefficient;
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs,
                     Value rhs) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
  };
  // exp(x - max) with a maximum of -inf, or exp(min - x) with a minimum of inf.
  // (NaN is regular, so that it spreads: the row has one. But a quotient of
  // sums is NaN as long as they are 0.)
  if (factor.measure == Measure::Difference)
    return compare(factor.isComputed ? arith::CmpFPredicate::ONE
                                     : arith::CmpFPredicate::UNE,
                   math::AbsFOp::create(b, loc, value),
                   buildInfinity(b, loc, type, false));
  Value magnitude = coefficient == std::round(coefficient)
                        ? math::AbsFOp::create(b, loc, value).getResult()
                        : value;
  Value isPositive = compare(arith::CmpFPredicate::OGT, magnitude,
                             buildConstant(b, loc, type, 0.0));
  Value isFinite = compare(arith::CmpFPredicate::OLT, magnitude,
                           buildInfinity(b, loc, type, false));
  return arith::AndIOp::create(b, loc, isPositive, isFinite);
}

/// Builds g: the source where it is regular, and a regular constant elsewhere.
static Value buildGuard(OpBuilder &b, Location loc, const PlannedFactor &factor,
                        Value value) {
  Value other =
      buildConstant(b, loc, value.getType(),
                    factor.measure == Measure::Difference ? 0.0 : 1.0);
  return arith::SelectOp::create(b, loc, buildIsRegular(b, loc, factor, value),
                                 value, other);
}

/// Builds value^exponent. `value` must be positive unless the exponent is an
/// integer.
static Value buildPower(OpBuilder &b, Location loc, Value value,
                        double exponent) {
  if (exponent < 0) {
    Value one = buildConstant(b, loc, value.getType(), 1.0);
    value = arith::DivFOp::create(b, loc, one, value);
    exponent = -exponent;
  }
  if (exponent == 1.0)
    return value;
  if (exponent == 2.0)
    return arith::MulFOp::create(b, loc, value, value);
  if (exponent == 0.5)
    return math::SqrtOp::create(b, loc, value);
  return math::PowFOp::create(b, loc, value,
                              buildConstant(b, loc, value.getType(), exponent));
}

/// Builds the number of rows of the value that belong to one row of the state:
/// the quotient of the sizes of a group in which the value has more rows.
static OpFoldResult buildRepeatedSize(OpBuilder &b, Location loc,
                                      ArrayRef<OpFoldResult> stateSizes,
                                      ArrayRef<OpFoldResult> valueSizes) {
  auto multiply = [&](ArrayRef<OpFoldResult> sizes) {
    AffineExpr product = b.getAffineConstantExpr(1);
    for (size_t i = 0; i < sizes.size(); ++i)
      product = product * b.getAffineSymbolExpr(i);
    return getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, product, sizes));
  };
  // The maximum avoids a division by 0. If a size is 0, the quotient does not
  // matter.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value known = b.createOrFold<arith::MaxUIOp>(loc, multiply(stateSizes), one);
  return getAsOpFoldResult(
      b.createOrFold<arith::DivUIOp>(loc, multiply(valueSizes), known));
}

static SmallVector<OpFoldResult>
getSizes(OpBuilder &b, Location loc, Value tensor, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) {
    return tensor::getMixedSize(b, loc, tensor, dim);
  });
}

/// Reshapes `rho` so that it acts along dimensions of `accumulated`. The
/// dimensions of `rho` are the state's dimensions of `groups`, in their order.
static BuiltRepair reshapeRows(OpBuilder &b, Location loc, Value rho,
                               ArrayRef<RowGroup> groups, Value accumulated) {
  BuiltRepair built{rho, {}};
  SmallVector<ReassociationIndices> merged, split;
  SmallVector<OpFoldResult> sizes;
  int64_t numMerged = 0, numSplit = 0;
  auto append = [](auto &reassociation, int64_t &next, size_t number) {
    auto indices = llvm::seq<int64_t>(next, next + number);
    reassociation.emplace_back(indices.begin(), indices.end());
    next += number;
  };
  for (const RowGroup &group : groups) {
    append(merged, numMerged, group.stateDims.size());
    append(split, numSplit, group.valueDims.size());
    built.accDims.append(group.valueDims);
  }
  int64_t numGroups = groups.size();
  if (numMerged != numGroups)
    built.rho = tensor::CollapseShapeOp::create(b, loc, built.rho, merged);
  if (numSplit == numGroups)
    return built;

  // On both sides of a group, either all sizes are static or none is.
  auto type = cast<RankedTensorType>(built.rho.getType());
  SmallVector<int64_t> flatShape(type.getShape());
  for (auto [flat, group] : llvm::enumerate(groups)) {
    if (group.valueDims.size() == 1) {
      sizes.push_back(tensor::getMixedSize(b, loc, built.rho, flat));
      continue;
    }
    int64_t product = 1;
    for (OpFoldResult size : getSizes(b, loc, accumulated, group.valueDims)) {
      sizes.push_back(size);
      std::optional<int64_t> constant = getConstantIntValue(size);
      product = constant && !ShapedType::isDynamic(product)
                    ? product * *constant
                    : ShapedType::kDynamic;
    }
    flatShape[flat] = product;
  }
  auto flatType = RankedTensorType::get(flatShape, type.getElementType());
  if (flatType != type)
    built.rho = tensor::CastOp::create(b, loc, flatType, built.rho);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  built.rho = tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), built.rho,
      split, sizes);
  return built;
}

/// Builds an elementwise op on `inputs`, which have the dimensions of the state.
/// The dimensions of its result are the state's dimensions of `groups`, in their
/// order, so that a reshape leads to dimensions of `accumulated`.
static Value
buildOnRows(OpBuilder &b, Location loc, ArrayRef<RowGroup> groups,
            ValueRange inputs, Value accumulated, Type elementType,
            function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value state = inputs.front();
  int64_t stateRank = cast<RankedTensorType>(state.getType()).getRank();
  // Dimensions that are in no group have size 1.
  SmallVector<AffineExpr> exprs(stateRank, b.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> sizes;
  for (const RowGroup &group : groups) {
    SmallVector<int64_t> stateDims = llvm::filter_to_vector(
        group.stateDims, [](int64_t dim) { return dim != kRepeated; });
    SmallVector<OpFoldResult> stateSizes = getSizes(b, loc, state, stateDims);
    const OpFoldResult *next = stateSizes.begin();
    for (int64_t dim : group.stateDims) {
      if (dim == kRepeated) {
        sizes.push_back(
            buildRepeatedSize(b, loc, stateSizes,
                              getSizes(b, loc, accumulated, group.valueDims)));
        continue;
      }
      exprs[dim] = b.getAffineDimExpr(sizes.size());
      sizes.push_back(*next++);
    }
  }
  int64_t rank = sizes.size();
  AffineMap map = AffineMap::get(rank, 0, exprs, b.getContext());
  SmallVector<AffineMap> maps(inputs.size(), map);
  maps.push_back(b.getMultiDimIdentityMap(rank));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, elementType);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, body(b, loc, args.drop_back()));
             })
      .getResult(0);
}

/// Returns whether the dimensions of `rho` are the state's dimensions of `groups`,
/// in their order, and no others.
static bool isInOrder(Value rho, ArrayRef<RowGroup> groups) {
  SmallVector<int64_t> stateDims;
  for (const RowGroup &group : groups)
    stateDims.append(group.stateDims);
  int64_t rank = cast<RankedTensorType>(rho.getType()).getRank();
  return llvm::equal(stateDims, llvm::seq<int64_t>(0, rank));
}

/// Returns `rho` as a repair along dimensions of `accumulated`. The dimensions of
/// `rho` are the state's dimensions of the rows of `factor`, in their order.
static BuiltRepair followRows(OpBuilder &b, Location loc, Value rho,
                              const TileFactor &factor, Value accumulated) {
  ArrayRef<RowGroup> groups = factor.value.rows;
  for (auto [index, part] : llvm::enumerate(factor.parts)) {
    BuiltRepair whole = reshapeRows(b, loc, rho, groups, part.tile);
    auto take = [&](ArrayRef<OpFoldResult> values) {
      return llvm::map_to_vector(whole.accDims,
                                 [&](int64_t dim) { return values[dim]; });
    };
    SmallVector<OpFoldResult> strides(whole.accDims.size(), b.getIndexAttr(1));
    rho = tensor::ExtractSliceOp::create(b, loc, whole.rho, take(part.offsets),
                                         take(part.sizes), strides);
    groups = part.rows;
    bool isLast = index + 1 == factor.parts.size();
    if (!isInOrder(rho, groups))
      rho = buildOnRows(
          b, loc, groups, rho,
          isLast ? accumulated : factor.parts[index + 1].tile,
          getElementTypeOrSelf(rho),
          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  }
  return reshapeRows(b, loc, rho, groups, accumulated);
}

/// Builds an elementwise op on `inputs`, which have the shape of the source of
/// `factor`. Returns its result as a repair along dimensions of `accumulated`.
static BuiltRepair
buildRowwise(OpBuilder &b, Location loc, const TileFactor &factor,
             ValueRange inputs, Value accumulated, Type elementType,
             function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value meets = factor.parts.empty() ? accumulated : factor.parts.front().tile;
  Value rho =
      buildOnRows(b, loc, factor.value.rows, inputs, meets, elementType, body);
  return followRows(b, loc, rho, factor, accumulated);
}

/// Builds the minimum of `value`, a scaling, and the largest finite number of
/// `accType`, the type of the accumulator. There is no lower bound because no
/// scaling is negative: the plan refuses ratios of values that may be negative
/// (`checkRatio`).
static Value buildFinite(OpBuilder &b, Location loc, Value value,
                         FloatType accType) {
  auto type = cast<FloatType>(value.getType());
  FloatType narrow = accType.getWidth() < type.getWidth() ? accType : type;
  Value largest = buildConstant(
      b, loc, type,
      APFloat::getLargest(narrow.getFloatSemantics()).convertToDouble());
  return arith::MinimumFOp::create(b, loc, value, largest);
}

BuiltRepair mlir::linalg_ext::buildRepair(OpBuilder &b, Location loc,
                                          const TileFactor &factor,
                                          Value oldValue, Value newValue,
                                          Value accumulated) {
  FloatType type = getWideType(b, newValue);
  auto accType = cast<FloatType>(getElementTypeOrSelf(accumulated));
  double coefficient = factor.value.degree.coefficient;
  bool scales = factor.value.degree.kind == RepairKind::Scale;
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    auto guard = [&](Value value) {
      return convertScalarToDtype(b, loc, buildGuard(b, loc, factor, value),
                                  type, /*isUnsignedCast=*/false);
    };
    Value before = guard(args[0]), after = guard(args[1]);
    auto multiply = [&](Value value, double by) -> Value {
      if (by == 1.0)
        return value;
      return arith::MulFOp::create(b, loc, value,
                                   buildConstant(b, loc, type, by));
    };
    if (factor.measure == Measure::Difference) {
      // A negative coefficient swaps the operands. So a coefficient of -1, the
      // most frequent one, needs no multiplication.
      if (coefficient < 0)
        std::swap(before, after);
      Value shift = multiply(arith::SubFOp::create(b, loc, after, before),
                             std::abs(coefficient));
      return scales ? buildFinite(b, loc, math::ExpOp::create(b, loc, shift),
                                  accType)
                    : shift;
    }
    Value isSame =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, before, after);
    if (coefficient < 0)
      std::swap(before, after);
    Value ratio = arith::DivFOp::create(b, loc, after, before);
    ratio = arith::SelectOp::create(b, loc, isSame,
                                    buildConstant(b, loc, type, 1.0), ratio);
    if (!scales)
      return multiply(math::LogOp::create(b, loc, ratio),
                      std::abs(coefficient));
    return buildFinite(b, loc, buildPower(b, loc, ratio, std::abs(coefficient)),
                       accType);
  };
  return buildRowwise(b, loc, factor, {oldValue, newValue}, accumulated, type,
                      body);
}

BuiltRepair mlir::linalg_ext::buildGivenRepair(OpBuilder &b, Location loc,
                                               const TileFactor &factor,
                                               Value rho, Value accumulated) {
  double coefficient = factor.value.degree.coefficient;
  if (coefficient == 1.0 && isInOrder(rho, factor.value.rows))
    return followRows(b, loc, rho, factor, accumulated);
  Type type = getElementTypeOrSelf(rho);
  return buildRowwise(
      b, loc, factor, rho, accumulated, type,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        if (factor.value.degree.kind == RepairKind::Scale)
          return buildPower(b, loc, args[0], coefficient);
        return arith::MulFOp::create(b, loc, args[0],
                                     buildConstant(b, loc, type, coefficient));
      });
}

BuiltRepair mlir::linalg_ext::buildDeferredRepair(OpBuilder &b, Location loc,
                                                  const TileFactor &factor,
                                                  Value value,
                                                  Value accumulated) {
  FloatType type = getWideType(b, value);
  double coefficient = factor.value.degree.coefficient;
  return buildRowwise(
      b, loc, factor, value, accumulated, type,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value wide = convertScalarToDtype(b, loc, args[0], type, false);
        if (factor.value.degree.kind == RepairKind::Scale)
          return buildPower(b, loc, wide, coefficient);
        return arith::MulFOp::create(b, loc, math::LogOp::create(b, loc, wide),
                                     buildConstant(b, loc, type, coefficient));
      });
}

BuiltRepair mlir::linalg_ext::buildFinalCorrection(OpBuilder &b, Location loc,
                                                   const TileFactor &factor,
                                                   Value value,
                                                   Value accumulated) {
  FloatType type = getWideType(b, value);
  return buildRowwise(
      b, loc, factor, value, accumulated, type,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value wide = convertScalarToDtype(b, loc, args[0], type, false);
        // If the mean is infinite, x - mean is NaN. wide - wide is NaN in the
        // same cases, and 0 otherwise.
        if (factor.value.degree.kind == RepairKind::Polynomial)
          return arith::SubFOp::create(b, loc, wide, wide);
        Value power = buildPower(b, loc, wide, factor.value.degree.coefficient);
        Value isKept = buildIsRegular(b, loc, factor, wide);
        // If tiles compare the value, they have handled infinities and NaN
        // already. But a power of 0 must still be applied: terms that it makes
        // vanish also vanish after the comparison.
        if (factor.value.isCompared)
          isKept = arith::OrIOp::create(
              b, loc, isKept,
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, power,
                                    buildConstant(b, loc, type, 0.0)));
        return arith::SelectOp::create(b, loc, isKept,
                                       buildConstant(b, loc, type, 1.0), power);
      });
}

TileFactor mlir::linalg_ext::getFactorOfSource(const TileFactor &factor) {
  TileFactor ofSource = factor;
  if (factor.value.degree.kind == RepairKind::Polynomial)
    ofSource.value.degree = {RepairKind::Add, 1.0};
  return ofSource;
}

Value mlir::linalg_ext::buildPolynomialRepair(OpBuilder &b, Location loc,
                                              const PlannedFactor &factor,
                                              Value accumulated,
                                              ValueRange derivatives,
                                              const BuiltRepair &shift) {
  auto type = cast<RankedTensorType>(accumulated.getType());
  int64_t rank = type.getRank();
  auto getMap = [&](ArrayRef<int64_t> dims) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : dims)
      exprs.push_back(b.getAffineDimExpr(dim));
    return AffineMap::get(rank, 0, exprs, b.getContext());
  };
  SmallVector<Value> inputs(derivatives);
  SmallVector<AffineMap> maps;
  for (const PlannedTerm &derivative : factor.derivatives)
    maps.push_back(getMap(derivative.dims));
  inputs.push_back(shift.rho);
  maps.push_back(getMap(shift.accDims));
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    FloatType wide = getWideType(b, accumulated);
    auto convert = [&](Value value) {
      return convertScalarToDtype(b, loc, value, wide, false);
    };
    Value dt = convert(args[derivatives.size()]);
    // Horner's rule, from the highest derivative down.
    Value sum;
    double factorial = std::tgamma(derivatives.size() + 1.0);
    for (unsigned i = derivatives.size(); i > 0; factorial /= i--) {
      Value term = convert(args[i - 1]);
      if (factorial != 1.0)
        term = arith::MulFOp::create(
            b, loc, term, buildConstant(b, loc, wide, 1.0 / factorial));
      sum = sum ? arith::AddFOp::create(b, loc, sum, term).getResult() : term;
      sum = arith::MulFOp::create(b, loc, sum, dt);
    }
    sum = arith::AddFOp::create(b, loc, convert(args.back()), sum);
    linalg::YieldOp::create(
        b, loc,
        convertScalarToDtype(b, loc, sum, type.getElementType(), false));
  };
  return linalg::GenericOp::create(b, loc, type, inputs, accumulated, maps,
                                   iterators, body)
      .getResult(0);
}

Value mlir::linalg_ext::buildSum(OpBuilder &b, Location loc, Value accumulated,
                                 const PlannedTerm &planned, Value term) {
  auto type = cast<RankedTensorType>(accumulated.getType());
  int64_t rank = type.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : planned.dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  SmallVector<AffineMap> maps{AffineMap::get(rank, 0, exprs, b.getContext()),
                              b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, term, accumulated, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value rhs = convertScalarToDtype(b, loc, args[0],
                                                args[1].getType(), false);
               Value sum = arith::AddFOp::create(b, loc, args[1], rhs);
               linalg::YieldOp::create(b, loc, sum);
             })
      .getResult(0);
}

FinalFactors mlir::linalg_ext::getFinalFactors(const FusionPlan &plan,
                                               const PlannedRepair &ofRoot) {
  FinalFactors factors{ofRoot.factors, ofRoot.factors.size(), std::nullopt};
  for (const PlannedFactor &factor : factors.all)
    if (factor.unscaled)
      factors.unscaled = factor.unscaled;
  const PlannedRepair *ofUnscaled =
      factors.unscaled ? plan.lookupRepair(factors.unscaled->op) : nullptr;
  if (!ofUnscaled)
    return factors;
  auto others = std::stable_partition(
      factors.all.begin(), factors.all.end(), [&](const PlannedFactor &factor) {
        return llvm::none_of(ofUnscaled->factors,
                             [&](const PlannedFactor &other) {
                               return other.source == factor.source &&
                                      other.resultNumber == factor.resultNumber;
                             });
      });
  factors.numOfPart = std::distance(factors.all.begin(), others);
  return factors;
}

std::optional<BuiltRepair> mlir::linalg_ext::combineRepairs(
    OpBuilder &b, Location loc, RepairKind kind, const BuiltRepair &lhs,
    const BuiltRepair &rhs, Value accumulated) {
  bool swaps = lhs.accDims.size() < rhs.accDims.size();
  const BuiltRepair &all = swaps ? rhs : lhs, &some = swaps ? lhs : rhs;
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : some.accDims) {
    const int64_t *it = llvm::find(all.accDims, dim);
    if (it == all.accDims.end())
      return std::nullopt;
    exprs.push_back(b.getAffineDimExpr(std::distance(all.accDims.begin(), it)));
  }
  int64_t rank = all.accDims.size();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps{
      identity, AffineMap::get(rank, 0, exprs, b.getContext()), identity};
  FloatType type = getWideType(b, all.rho), other = getWideType(b, some.rho);
  if (other.getWidth() > type.getWidth())
    type = other;
  auto accType = cast<FloatType>(getElementTypeOrSelf(accumulated));
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, all.rho), type);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto combined = linalg::GenericOp::create(
      b, loc, empty.getType(), ValueRange{all.rho, some.rho}, empty, maps,
      iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        auto convert = [&](Value value) {
          return convertScalarToDtype(b, loc, value, type, false);
        };
        Value x = convert(args[0]), y = convert(args[1]);
        Value value =
            kind == RepairKind::Add
                ? arith::AddFOp::create(b, loc, x, y).getResult()
                : buildFinite(b, loc, arith::MulFOp::create(b, loc, x, y),
                              accType);
        linalg::YieldOp::create(b, loc, value);
      });
  return BuiltRepair{combined.getResult(0), all.accDims};
}

/// Repairs `value` for `factors`. They either all scale it or all add to it.
FailureOr<Value> mlir::linalg_ext::RepairStages::repairTogether(
    const PlannedRepair &repair, ArrayRef<const PlannedFactor *> factors,
    Value value) {
  Location loc = value.getLoc();
  RepairKind kind = factors.front()->value.degree.kind;
  // The combination of the factors so far, and a factor that describes it.
  PlannedFactor factor = *factors.front();
  FailureOr<BuiltRepair> built = build(repair, factor, value);
  if (failed(built))
    return failure();
  for (const PlannedFactor *next : factors.drop_front()) {
    FailureOr<BuiltRepair> builtNext = build(repair, *next, value);
    if (failed(builtNext))
      return failure();
    if (std::optional<BuiltRepair> combined =
            combineRepairs(b, loc, kind, *built, *builtNext, value)) {
      built = *combined;
      factor.conditional &= next->conditional;
      factor.ofElements &= next->ofElements;
      continue;
    }
    value = apply(repair, factor, *built, value, {});
    factor = *next;
    built = *builtNext;
  }
  return apply(repair, factor, *built, value, {});
}

FailureOr<Value> mlir::linalg_ext::RepairStages::get(Operation *planned,
                                                     unsigned resultNumber,
                                                     unsigned numStages) {
  const PlannedRepair *repair = plan.lookupRepair(planned);
  SmallVector<const PlannedFactor *> factors;
  if (repair && repair->resultNumber == resultNumber)
    for (const PlannedFactor &factor : repair->factors)
      if (!factor.deferred && factor.stage < numStages)
        factors.push_back(&factor);
  if (factors.empty())
    return accumulated(planned, resultNumber);
  const PlannedFactor *last = factors.back();
  auto it = known.find({planned, last->stage});
  if (it != known.end())
    return it->second;

  // 1. Find the factors that are applied together.
  auto getKind = [](const PlannedFactor *factor) {
    return factor->value.degree.kind;
  };
  RepairKind kind = getKind(last);
  bool mayCombine = kind == RepairKind::Scale || kind == RepairKind::Add;
  size_t first = factors.size() - 1;
  while (mayCombine && first > 0 && getKind(factors[first - 1]) == kind)
    --first;
  auto together = ArrayRef(factors).drop_front(first);
  FailureOr<Value> value = get(planned, resultNumber, together.front()->stage);
  if (failed(value))
    return failure();
  if (mayCombine) {
    value = repairTogether(*repair, together, *value);
    if (failed(value))
      return failure();
    return known[{planned, last->stage}] = *value;
  }

  // 2. If they are polynomials, get the derivatives.
  SmallVector<Value> derivatives;
  for (const PlannedTerm &derivative : last->derivatives) {
    FailureOr<Value> term =
        get(derivative.op, derivative.resultNumber, last->stage);
    if (failed(term))
      return failure();
    derivatives.push_back(*term);
  }
  if (kind != RepairKind::Polynomial || !derivatives.empty()) {
    FailureOr<BuiltRepair> built = build(*repair, *last, *value);
    if (failed(built))
      return failure();
    value = apply(*repair, *last, *built, *value, derivatives);
  }
  return known[{planned, last->stage}] = *value;
}

Value mlir::linalg_ext::buildGuardedSource(OpBuilder &b, Location loc,
                                           const PlannedFactor &factor,
                                           Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), type.getElementType());
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, value, empty, ArrayRef<AffineMap>{map, map},
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc,
                                       buildGuard(b, loc, factor, args[0]));
             })
      .getResult(0);
}

Value mlir::linalg_ext::buildOnes(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value one = buildConstant(b, loc, type.getElementType(), 1.0);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), type.getElementType());
  return linalg::FillOp::create(b, loc, one, empty).getResult(0);
}

bool mlir::linalg_ext::isUsedOnTheWayOnly(Value value, Operation *op) {
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (user == op)
      return true;
    if (user->getNumResults() != 1)
      return false;
    value = user->getResult(0);
  }
  return false;
}
