//===- PayloadAnalysis.cpp - Degrees of payload values --------------------===//
//
// Visits the ops of a payload in order. There is one rule for each op that a
// payload may contain. docs/Rationale/Fusion.md ("Degrees") has the theory.
//
//===----------------------------------------------------------------------===//

#include "PayloadAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

static bool isSame(double lhs, double rhs) {
  return std::abs(lhs - rhs) <= 1e-6 * std::max(std::abs(lhs), std::abs(rhs));
}

std::string Degree::explain() const {
  if (!culprit)
    return "";
  return llvm::formatv("; '{0}' makes no polynomial of degree {1} or less of "
                       "a polynomial in the state",
                       culprit->getName(), kMaxPolynomialDegree);
}

/// Returns the degree of a sum, or of a choice that depends on a condition, of
/// two values.
static Degree joinDegrees(const Degree &lhs, const Degree &rhs) {
  if (lhs.isPolynomial() || rhs.isPolynomial() || lhs.isAffine() ||
      rhs.isAffine())
    return Degree::other();
  if (rhs.form == Degree::Any && !lhs.isAdd())
    return lhs;
  if (lhs.form == Degree::Any && !rhs.isAdd())
    return rhs;
  if (lhs.isInvariant() && rhs.isInvariant())
    return {Degree::Invariant, {}};
  if (lhs.form == Degree::StateDependent &&
      rhs.form == Degree::StateDependent &&
      lhs.repair.kind == rhs.repair.kind &&
      isSame(lhs.repair.coefficient, rhs.repair.coefficient))
    return lhs;
  return Degree::other();
}

/// Returns the degree of a value that is one of two values, without knowing
/// which.
static Degree chooseDegrees(const Degree &lhs, const Degree &rhs) {
  Degree joined = joinDegrees(lhs, rhs);
  if (joined.form != Degree::Other || lhs.isMultiplied() || rhs.isMultiplied())
    return joined;
  return Degree::polynomial(
      std::max(lhs.getPolynomialDegree(), rhs.getPolynomialDegree()));
}

std::optional<double> mlir::linalg_ext::getConstant(Value value) {
  // A constant may have been widened in the payload.
  while (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

void PayloadAnalysis::addOperand(LinalgOp op,
                                 const StateDependentOperand &operand) {
  Degree degree = Degree::stateDependent(operand.value.degree.kind,
                                         operand.value.degree.coefficient);
  degree.isRounded = operand.value.isRounded;
  degree.isCompared = operand.value.isCompared;
  degree.isSigned = operand.value.isSigned;
  if (degree.isAffine()) {
    AffineMap map =
        op.getMatchingIndexingMap(&op->getOpOperand(operand.number));
    degree.constantDims.resize(numLoops);
    for (int64_t dim : operand.value.constantDims)
      for (unsigned loop = 0; loop < numLoops; ++loop)
        if (map.getResult(dim).isFunctionOfDim(loop))
          degree.constantDims.set(loop);
  }
  degrees[op.getBlock()->getArgument(operand.number)] = degree;
}

PayloadAnalysis::PayloadAnalysis(LinalgOp op,
                                 ArrayRef<StateDependentOperand> stateDependent,
                                 Operation *skipped)
    : numLoops(op.getNumLoops()) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    llvm::SmallBitVector varying(numLoops);
    for (unsigned dim = 0; dim < varying.size(); ++dim)
      varying[dim] = map.isFunctionOfDim(dim);
    dims[op.getMatchingBlockArgument(&operand)] = varying;
  }
  for (const StateDependentOperand &operand : stateDependent)
    addOperand(op, operand);
  for (Operation &nested : op.getBlock()->without_terminator()) {
    llvm::SmallBitVector varying(numLoops);
    nested.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        varying |= getDims(operand);
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        varying.set(index.getDim());
    });
    for (Value result : nested.getResults())
      dims[result] = varying;
    if (&nested == skipped || nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    Degree degree = compute(&nested);
    for (Value operand : nested.getOperands()) {
      degree.isRounded |= get(operand).isRounded;
      degree.isCompared |= get(operand).isCompared;
      degree.isSigned |= get(operand).isSigned;
    }
    for (Value result : nested.getResults())
      degrees[result] = degree;
  }
}

Degree PayloadAnalysis::get(Value value) const {
  auto it = degrees.find(value);
  if (it != degrees.end())
    return it->second;
  // The value is defined outside of the payload, or is a constant in it.
  return {matchPattern(value, m_AnyZeroFloat()) ? Degree::Any
                                                : Degree::Invariant,
          {}};
}

llvm::SmallBitVector PayloadAnalysis::getDims(Value value) const {
  auto it = dims.find(value);
  return it == dims.end() ? llvm::SmallBitVector(numLoops) : it->second;
}

/// Returns the degree of a sum or choice of two values, of which at least one
/// is scaled, in whole or in part.
Degree PayloadAnalysis::addConstants(Value lhs, Value rhs) const {
  std::optional<double> coefficient;
  llvm::SmallBitVector constantDims(numLoops);
  for (Value value : {lhs, rhs}) {
    Degree degree = get(value);
    if (degree.form == Degree::Invariant)
      constantDims |= getDims(value);
    if (degree.isInvariant())
      continue;
    if (!degree.isMultiplied() ||
        (coefficient && !isSame(*coefficient, degree.repair.coefficient)))
      return Degree::other();
    coefficient = degree.repair.coefficient;
    if (degree.isAffine())
      constantDims |= degree.constantDims;
  }
  return Degree::affine(*coefficient, constantDims);
}

/// Computes the degree of the result of `op` from those of its operands.
Degree PayloadAnalysis::compute(Operation *op) const {
  auto isInvariant = [&](Value value) { return get(value).isInvariant(); };
  bool invariant = llvm::all_of(op->getOperands(), isInvariant);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      invariant &= llvm::all_of(nested->getOperands(), isInvariant);
    });
  if (invariant)
    return isMemoryEffectFree(op) ? Degree{Degree::Invariant, {}}
                                  : Degree::other();
  bool isPolynomial = false;
  for (Value operand : op->getOperands()) {
    Degree degree = get(operand);
    if (degree.form == Degree::Other)
      return degree;
    isPolynomial |= degree.isPolynomial();
  }
  Degree degree = computeStateDependent(op);
  if (degree.form == Degree::Other && isPolynomial)
    degree.culprit = op;
  return degree;
}

/// Returns whether `value` is a quotient whose divisor is scaled.
bool PayloadAnalysis::isQuotient(Value value) const {
  Operation *op = value.getDefiningOp();
  while (op && isa<arith::ExtFOp, arith::TruncFOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::DivFOp>(op) && get(op->getOperand(1)).isScale();
}

static Degree makeScale(double coefficient) {
  return Degree::stateDependent(RepairKind::Scale, coefficient);
}

static Degree makeAdd(double coefficient) {
  return Degree::stateDependent(RepairKind::Add, coefficient);
}

/// Adds coefficients. A result that is only a rounding error becomes 0.
static double combineCoefficients(double lhs, double rhs) {
  return isSame(lhs, -rhs) ? 0.0 : lhs + rhs;
}

/// Sums: of values that scale in the same way, of shifts, and of polynomials.
Degree PayloadAnalysis::computeSum(Operation *op, double sign) const {
  Degree lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (lhs.isMultiplied() || rhs.isMultiplied()) {
    Degree joined = joinDegrees(lhs, rhs);
    return joined.form != Degree::Other
               ? joined
               : addConstants(op->getOperand(0), op->getOperand(1));
  }
  if (lhs.isPolynomial() || rhs.isPolynomial())
    return Degree::polynomial(
        std::max(lhs.getPolynomialDegree(), rhs.getPolynomialDegree()));
  return makeAdd(
      combineCoefficients(lhs.getCoefficient(), sign * rhs.getCoefficient()));
}

/// Products: of scalings, of a shift and a constant, and of polynomials. With a
/// negative `sign`, quotients.
Degree PayloadAnalysis::computeProduct(Operation *op, double sign) const {
  Degree lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (lhs.isAffine() || rhs.isAffine()) {
    // A multiple of it.
    unsigned number = lhs.isAffine() ? 0 : 1;
    Degree affine = number == 0 ? lhs : rhs;
    if (!get(op->getOperand(1 - number)).isInvariant() ||
        (number == 1 && sign < 0))
      return Degree::other();
    return Degree::affine(affine.repair.coefficient,
                          affine.constantDims |=
                          getDims(op->getOperand(1 - number)));
  }
  if (!lhs.isShift() && !rhs.isShift())
    return makeScale(
        combineCoefficients(lhs.getCoefficient(), sign * rhs.getCoefficient()));
  if (std::optional<double> factor = getConstant(op->getOperand(1));
      factor && lhs.isAdd() && *factor != 0.0)
    return makeAdd(lhs.getCoefficient() * (sign > 0 ? *factor : 1.0 / *factor));
  if (std::optional<double> factor = getConstant(op->getOperand(0));
      factor && rhs.isAdd() && sign > 0)
    return makeAdd(rhs.getCoefficient() * *factor);
  if (lhs.isScale() || rhs.isScale() || (sign < 0 && !rhs.isInvariant()))
    return Degree::other();
  return Degree::polynomial(lhs.getPolynomialDegree() +
                            rhs.getPolynomialDegree());
}

/// Returns `degree` if scalings are by a positive factor, which it requires.
Degree PayloadAnalysis::requirePositive(Operation *op, Degree degree) const {
  for (Value value : op->getOperands())
    if (get(value).isScale() && get(value).isSigned)
      return Degree::other();
  return degree;
}

Degree PayloadAnalysis::computePower(Operation *op, double exponent) const {
  Degree base = get(op->getOperand(0));
  if (base.isScale())
    return requirePositive(op, makeScale(base.getCoefficient() * exponent));
  if (!base.isShift() || exponent < 2.0 || std::fmod(exponent, 1.0) != 0.0)
    return Degree::other();
  return Degree::polynomial(base.getPolynomialDegree() * exponent);
}

Degree PayloadAnalysis::computeSelect(arith::SelectOp select) const {
  if (!get(select.getCondition()).isInvariant())
    return Degree::other();
  Degree ofTrue = get(select.getTrueValue()),
         ofFalse = get(select.getFalseValue());
  Degree chosen = chooseDegrees(ofTrue, ofFalse);
  // The program replaces a quotient that may be NaN by zero, for example in a
  // hidden row. No factor can describe such a replaced value.
  chosen.isCompared |=
      (ofTrue.form == Degree::Any && isQuotient(select.getFalseValue())) ||
      (ofFalse.form == Degree::Any && isQuotient(select.getTrueValue()));
  if (chosen.form != Degree::Other ||
      (!ofTrue.isMultiplied() && !ofFalse.isMultiplied()))
    return chosen;
  chosen = addConstants(select.getTrueValue(), select.getFalseValue());
  if (chosen.isAffine())
    chosen.constantDims |= getDims(select.getCondition());
  return chosen;
}

/// Returns whether `round` rounds the product of 1 and a constant to infinity.
/// Weights of a softmax are divided by their sum in front of such a product.
/// Before that, each row has one that is 1.
static bool overflowsAtOne(arith::TruncFOp round) {
  auto product = round.getIn().getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  double largest =
      APFloat::getLargest(cast<FloatType>(getElementTypeOrSelf(round.getType()))
                              .getFloatSemantics())
          .convertToDouble();
  return llvm::any_of(product->getOperands(), [&](Value factor) {
    std::optional<double> constant = getConstant(factor);
    return constant && std::abs(*constant) > largest;
  });
}

Degree PayloadAnalysis::computeStateDependent(Operation *op) const {
  auto operand = [&](unsigned number) { return get(op->getOperand(number)); };
  // e^(a x) of a shift is a scaling, and the logarithm of a scaling is a shift.
  auto exponential = [&](double factor) {
    return operand(0).isAdd() ? makeScale(operand(0).getCoefficient() * factor)
                              : Degree::other();
  };
  auto logarithm = [&](double divisor) {
    return operand(0).isScale()
               ? requirePositive(op,
                                 makeAdd(operand(0).getCoefficient() / divisor))
               : Degree::other();
  };
  return TypeSwitch<Operation *, Degree>(op)
      .Case<arith::AddFOp>([&](Operation *) { return computeSum(op, 1.0); })
      .Case<arith::SubFOp>([&](Operation *) { return computeSum(op, -1.0); })
      .Case<arith::MulFOp>([&](Operation *) { return computeProduct(op, 1.0); })
      .Case<arith::DivFOp>(
          [&](Operation *) { return computeProduct(op, -1.0); })
      .Case<arith::NegFOp>([&](Operation *) {
        return operand(0).isAdd() ? makeAdd(-operand(0).getCoefficient())
                                  : operand(0);
      })
      // Scalings are by positive factors.
      .Case<math::AbsFOp>([&](Operation *) { return computePower(op, 1.0); })
      .Case<math::SqrtOp>([&](Operation *) { return computePower(op, 0.5); })
      .Case<math::RsqrtOp>([&](Operation *) { return computePower(op, -0.5); })
      .Case<math::PowFOp>([&](Operation *) {
        std::optional<double> exponent = getConstant(op->getOperand(1));
        return exponent ? computePower(op, *exponent) : Degree::other();
      })
      .Case<math::FPowIOp>([&](Operation *) {
        APInt exponent;
        return matchPattern(op->getOperand(1), m_ConstantInt(&exponent))
                   ? computePower(op, exponent.getSExtValue())
                   : Degree::other();
      })
      .Case<math::ExpOp>([&](Operation *) { return exponential(1.0); })
      .Case<math::Exp2Op>(
          [&](Operation *) { return exponential(llvm::numbers::ln2); })
      .Case<math::LogOp>([&](Operation *) { return logarithm(1.0); })
      .Case<math::Log2Op>(
          [&](Operation *) { return logarithm(llvm::numbers::ln2); })
      .Case<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
            arith::MinNumFOp>([&](Operation *) {
        return requirePositive(op, joinDegrees(operand(0), operand(1)));
      })
      .Case<arith::CmpFOp>([&](Operation *) {
        if (requirePositive(op, joinDegrees(operand(0), operand(1))).form ==
            Degree::Other)
          return Degree::other();
        Degree degree;
        degree.isCompared = true;
        return degree;
      })
      .Case<arith::SelectOp>(
          [&](arith::SelectOp select) { return computeSelect(select); })
      .Case<arith::ExtFOp>([&](Operation *) { return operand(0); })
      // Rounding commutes with the repair, except for rounding errors.
      .Case<arith::TruncFOp>([&](Operation *) {
        Degree degree = operand(0);
        // The operand of a shift may be large where the difference is small, so
        // rounding it loses the difference.
        if ((degree.isAdd() && isa<BlockArgument>(op->getOperand(0))) ||
            (degree.isScale() && overflowsAtOne(cast<arith::TruncFOp>(op))))
          return Degree::other();
        degree.isRounded = true;
        return degree;
      })
      .Default([](Operation *) { return Degree::other(); });
}
