//===- FloatBounds.cpp - Lower bounds of floats ---------------------------===//
//
// See FloatBounds.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/FloatBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

bool mlir::linalg_ext::isNonNegative(Value value, unsigned depth) {
  if (FloatAttr scalar; matchPattern(value, m_Constant(&scalar)))
    return !scalar.getValue().isNegative();
  if (DenseFPElementsAttr elements; matchPattern(value, m_Constant(&elements)))
    return llvm::none_of(elements.getValues<APFloat>(),
                         [](const APFloat &x) { return x.isNegative(); });
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<math::ExpOp, math::Exp2Op, math::AbsFOp>(op))
    return true;
  return isa<arith::AddFOp, arith::MulFOp, arith::DivFOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isNonNegative(operand, depth - 1);
         });
}

bool mlir::linalg_ext::isLarge(Value value, unsigned depth) {
  constexpr double kLeast = 0x1p-32;
  if (FloatAttr scalar; matchPattern(value, m_Constant(&scalar)))
    return scalar.getValueAsDouble() >= kLeast;
  if (DenseFPElementsAttr elements; matchPattern(value, m_Constant(&elements)))
    return llvm::all_of(elements.getValues<APFloat>(), [](const APFloat &x) {
      return x.convertToDouble() >= kLeast;
    });
  auto sum = value.getDefiningOp<arith::AddFOp>();
  return sum && depth != 0 && isNonNegative(sum) &&
         llvm::any_of(sum->getOperands(), [&](Value operand) {
           return isLarge(operand, depth - 1);
         });
}
