//===- GuardDivisions.cpp - Divisors that are never 0 ---------------------===//
//
// A valid program does not divide integers by 0. But vectors have lanes behind
// the end of a row, which read 0, and CPUs trap if such a lane divides by it.
// The quotients of these lanes are not used, so any other divisor is right.
//
//===----------------------------------------------------------------------===//

#include "GuardDivisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool dividesIntegers(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp>(op);
}

/// Returns whether `value`, in the payload of `op`, may differ between lanes.
static bool variesInLanes(linalg::LinalgOp op, Value value) {
  if (!op->getRegion(0).isAncestor(value.getParentRegion()))
    return false;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == op.getBlock())
    return !op.isScalar(op.getMatchingOpOperand(argument));
  Operation *source = value.getDefiningOp();
  return !source || source->getNumRegions() > 0 ||
         isa<linalg::IndexOp>(source) || !isPure(source) ||
         llvm::any_of(source->getOperands(), [&](Value operand) {
           return variesInLanes(op, operand);
         });
}

/// Returns whether `value` is a divisor that this step has guarded.
static bool isGuarded(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         compare.getLhs() == select.getFalseValue() &&
         matchPattern(compare.getRhs(), m_Zero()) &&
         matchPattern(select.getTrueValue(), m_NonZero());
}

unsigned mlir::linalg_ext::guardDivisions(RewriterBase &rewriter,
                                          Operation *scope) {
  SmallVector<linalg::LinalgOp> ops;
  scope->walk([&](linalg::LinalgOp op) {
    if (op->walk([](Operation *nested) {
            return dividesIntegers(nested) ? WalkResult::interrupt()
                                           : WalkResult::advance();
          }).wasInterrupted())
      ops.push_back(op);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  unsigned number = 0;
  for (linalg::LinalgOp op : ops) {
    SmallVector<Operation *> divisions;
    op->walk([&](Operation *nested) {
      if (!dividesIntegers(nested))
        return;
      Value divisor = nested->getOperand(1);
      if (divisor.getType().isIntOrIndex() && !isGuarded(divisor) &&
          variesInLanes(op, divisor))
        divisions.push_back(nested);
    });
    if (divisions.empty())
      continue;
    // The payload of a named op is fixed.
    if (isa<linalg::DivOp, linalg::DivUnsignedOp>(op)) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      divisions.clear();
      (*generic)->walk([&](Operation *nested) {
        if (dividesIntegers(nested))
          divisions.push_back(nested);
      });
    }
    for (Operation *division : divisions) {
      rewriter.setInsertionPoint(division);
      Location loc = division->getLoc();
      Value divisor = division->getOperand(1);
      auto getNumber = [&](int64_t number) -> Value {
        return arith::ConstantOp::create(
            rewriter, loc, rewriter.getIntegerAttr(divisor.getType(), number));
      };
      Value isZero = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, divisor, getNumber(0));
      Value guarded =
          arith::SelectOp::create(rewriter, loc, isZero, getNumber(1), divisor);
      rewriter.modifyOpInPlace(division,
                               [&] { division->setOperand(1, guarded); });
      ++number;
    }
  }
  return number;
}
