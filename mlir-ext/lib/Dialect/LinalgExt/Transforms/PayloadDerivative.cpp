//===- PayloadDerivative.cpp - Derivatives of payloads --------------------===//
//
// Has one rule for each op for which PayloadAnalysis finds a polynomial or an
// affine value.
//
//===----------------------------------------------------------------------===//

#include "PayloadDerivative.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

static double getConstantOf(const Tangent &tangent) {
  return cast<FloatAttr>(tangent.constant).getValueAsDouble();
}

static SmallVector<StateDependentOperand>
getStateDependentOperands(ArrayRef<OperandTangent> operands) {
  SmallVector<StateDependentOperand> stateDependent;
  for (const OperandTangent &operand : operands) {
    RepairDegree degree{RepairKind::Polynomial, 1.0};
    if (operand.tangent.constant)
      degree = {RepairKind::Add, getConstantOf(operand.tangent)};
    stateDependent.push_back({operand.number, {degree, {}}});
  }
  return stateDependent;
}

static SmallVector<StateDependentOperand>
getStateDependentOperands(ArrayRef<OperandPart> operands) {
  return llvm::map_to_vector(
      operands, [](const OperandPart &operand) { return operand.operand; });
}

PayloadDerivative::PayloadDerivative(LinalgOp op, Operation *combiner,
                                     ArrayRef<OperandTangent> operands)
    : analysis(op, getStateDependentOperands(operands), combiner),
      loc(op.getLoc()), b(op.getContext()) {
  b.setInsertionPointToEnd(&block);
  for (const OperandTangent &operand : operands)
    addArgument(op.getBlock()->getArgument(operand.number), operand.tangent);
}

PayloadDerivative::PayloadDerivative(LinalgOp op, Operation *combiner,
                                     AffinePart part,
                                     ArrayRef<OperandPart> operands)
    : analysis(op, getStateDependentOperands(operands), combiner), part(part),
      loc(op.getLoc()), b(op.getContext()) {
  b.setInsertionPointToEnd(&block);
  for (const OperandPart &operand : operands) {
    BlockArgument of = op.getBlock()->getArgument(operand.operand.number);
    if (operand.part) {
      addArgument(of, *operand.part);
      continue;
    }
    arguments.push_back({});
    derivatives[of] = {};
  }
}

/// Adds an argument for the derivative, or the part, of the argument `of`.
void PayloadDerivative::addArgument(BlockArgument of, const Tangent &tangent) {
  if (tangent.constant) {
    arguments.push_back({});
    derivatives[of] = {getConstantOf(tangent), {}};
    return;
  }
  Value argument = block.addArgument(getElementTypeOrSelf(tangent.value), loc);
  arguments.push_back(argument);
  derivatives[of] = {0.0, convertScalarToDtype(b, loc, argument, of.getType(),
                                               /*isUnsignedCast=*/false)};
}

Value PayloadDerivative::materialize(Derivative derivative, Type type) {
  if (derivative.value)
    return derivative.value;
  return arith::ConstantOp::create(b, loc,
                                   b.getFloatAttr(type, derivative.constant));
}

Derivative PayloadDerivative::get(Value value) {
  Degree degree = analysis.get(value);
  if (part) {
    assert(degree.isInvariant() || degree.isMultiplied());
    if (!degree.isAffine())
      return degree.isScale() == (*part == AffinePart::Scaled)
                 ? Derivative{0.0, value}
                 : Derivative();
  } else {
    assert(degree.form != Degree::Other && !degree.isMultiplied());
    if (!degree.isPolynomial())
      return {degree.getCoefficient(), {}};
  }
  auto it = derivatives.find(value);
  if (it != derivatives.end())
    return it->second;
  Derivative derivative = compute(value.getDefiningOp());
  derivatives[value] = derivative;
  return derivative;
}

Derivative PayloadDerivative::add(Derivative lhs, Derivative rhs, double sign) {
  if (rhs.isZero())
    return lhs;
  if (lhs.isZero())
    return multiply(rhs, sign);
  if (!lhs.value && !rhs.value)
    return {lhs.constant + sign * rhs.constant, {}};
  Type type = (lhs.value ? lhs : rhs).value.getType();
  Value left = materialize(lhs, type), right = materialize(rhs, type);
  if (sign > 0)
    return {0.0, arith::AddFOp::create(b, loc, left, right)};
  return {0.0, arith::SubFOp::create(b, loc, left, right)};
}

Derivative PayloadDerivative::multiply(Derivative lhs, double rhs) {
  if (!lhs.value)
    return {lhs.constant * rhs, {}};
  return multiply(Derivative{rhs, {}}, lhs.value);
}

Derivative PayloadDerivative::multiply(Derivative lhs, Value rhs) {
  if (lhs.isZero())
    return lhs;
  if (!lhs.value && lhs.constant == 1.0)
    return {0.0, rhs};
  if (!lhs.value && lhs.constant == -1.0)
    return {0.0, arith::NegFOp::create(b, loc, rhs)};
  Value factor = materialize(lhs, rhs.getType());
  return {0.0, arith::MulFOp::create(b, loc, factor, rhs)};
}

/// The derivative is n x' x^(n - 1).
Derivative PayloadDerivative::power(Value base, int64_t exponent) {
  Value rest = base;
  for (int64_t i = 2; i < exponent; ++i)
    rest = arith::MulFOp::create(b, loc, rest, base);
  return multiply(multiply(get(base), static_cast<double>(exponent)), rest);
}

/// Returns the derivative of an op whose result is a polynomial, or the part of
/// an op whose result is affine.
Derivative PayloadDerivative::compute(Operation *op) {
  auto operand = [&](unsigned number) { return op->getOperand(number); };
  auto cast = [&](auto create) -> Derivative {
    Derivative derivative = get(operand(0));
    if (derivative.value)
      derivative.value = create(derivative.value);
    return derivative;
  };
  Type type = op->getResult(0).getType();
  return TypeSwitch<Operation *, Derivative>(op)
      .Case<arith::AddFOp>(
          [&](Operation *) { return add(get(operand(0)), get(operand(1)), 1); })
      .Case<arith::SubFOp>([&](Operation *) {
        return add(get(operand(0)), get(operand(1)), -1);
      })
      .Case<arith::NegFOp>(
          [&](Operation *) { return multiply(get(operand(0)), -1.0); })
      .Case<arith::MulFOp>([&](Operation *) {
        if (operand(0) == operand(1))
          return power(operand(0), 2);
        // One factor is affine. The other one does not depend on the state.
        if (part) {
          unsigned number = analysis.get(operand(0)).isAffine() ? 0 : 1;
          return multiply(get(operand(number)), operand(1 - number));
        }
        return add(multiply(get(operand(0)), operand(1)),
                   multiply(get(operand(1)), operand(0)), 1);
      })
      .Case<arith::DivFOp>([&](Operation *) -> Derivative {
        Derivative dividend = get(operand(0));
        if (dividend.isZero())
          return {};
        Value numerator = materialize(dividend, type);
        return {0.0, arith::DivFOp::create(b, loc, numerator, operand(1))};
      })
      .Case<math::PowFOp>([&](Operation *) {
        return power(operand(0),
                     static_cast<int64_t>(*getConstant(operand(1))));
      })
      .Case<math::FPowIOp>([&](Operation *) {
        APInt exponent;
        matchPattern(operand(1), m_ConstantInt(&exponent));
        return power(operand(0), exponent.getSExtValue());
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) -> Derivative {
        Value ifTrue = materialize(get(select.getTrueValue()), type);
        Value ifFalse = materialize(get(select.getFalseValue()), type);
        return {0.0, arith::SelectOp::create(b, loc, select.getCondition(),
                                             ifTrue, ifFalse)};
      })
      .Case<arith::ExtFOp>([&](Operation *) {
        return cast([&](Value value) -> Value {
          return arith::ExtFOp::create(b, loc, type, value);
        });
      })
      .Case<arith::TruncFOp>([&](Operation *) {
        return cast([&](Value value) -> Value {
          return arith::TruncFOp::create(b, loc, type, value);
        });
      })
      .Default([](Operation *) -> Derivative {
        llvm_unreachable("neither a polynomial nor affine");
      });
}
