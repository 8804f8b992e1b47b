//===- GuardedMaxima.cpp - Maxima that are not -infinity ------------------===//
//
// See GuardedMaxima.h.
//
//===----------------------------------------------------------------------===//

#include "GuardedMaxima.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

bool mlir::vector_ext::isMinusInfinity(Value value) {
  return matchPattern(value, m_NegInfFloat());
}

Value mlir::vector_ext::getMoved(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                         vector::ShapeCastOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// Returns an upper bound of `value` if it is a positive number: `value` is a
/// constant, or one of two.
static std::optional<APFloat> getFactor(Value value, unsigned depth = 6) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant.isFiniteNonZero() && !constant.isNegative()
               ? std::optional(constant)
               : std::nullopt;
  if (depth == 0)
    return std::nullopt;
  if (Value moved = getMoved(value))
    return getFactor(moved, depth - 1);
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  std::optional<APFloat> a = getFactor(select.getTrueValue(), depth - 1),
                         b = getFactor(select.getFalseValue(), depth - 1);
  return a && b ? std::optional(maximum(*a, *b)) : std::nullopt;
}

bool mlir::vector_ext::isPositiveFinite(Value value) {
  return getFactor(value).has_value();
}

/// Returns whether no element of `value` times `factor` is -infinity.
static bool isGuarded(Value value, std::optional<APFloat> factor,
                      unsigned depth) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return (factor ? constant * *factor : constant).isFinite();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (Value moved = getMoved(value))
    return isGuarded(moved, factor, depth - 1);
  if (isa<arith::MulFOp>(op)) {
    std::optional<APFloat> by = getFactor(op->getOperand(1));
    return by && isGuarded(op->getOperand(0), factor ? *by * *factor : *by,
                           depth - 1);
  }
  // The value is a maximum with a finite number.
  if (isa<arith::MaximumFOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isGuarded(operand, factor, depth - 1);
    });
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return false;
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
         compare.getLhs() == select.getFalseValue() &&
         isMinusInfinity(compare.getRhs()) &&
         isGuarded(select.getTrueValue(), factor, depth - 1);
}

bool mlir::vector_ext::isGuarded(Value value) {
  return ::isGuarded(value, /*factor=*/std::nullopt, /*depth=*/8);
}
