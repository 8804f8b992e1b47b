//===- AddedZeros.cpp - Sums with zero ------------------------------------===//
//
// A mask may be added to scores: x + select(visible, 0, -inf). In a tile where
// everything is visible, this is x + 0. The sum equals x, except that -0
// becomes +0. Because of this exception, the op does not fold, and it costs an
// instruction for each score.
//
// x + 0 may be replaced by x if no result depends on the sign of a zero. Call
// two numbers similar if they are equal, both NaN, or zeros of any sign. Then x
// and x + 0 are similar, and
//
//   - sums, differences, products, maxima, minima, negations, conversions,
//     selections and quotients (by the same divisor) of similar numbers are
//     similar. IEEE 754 computes a non-zero result from the values of the
//     operands alone, and +0 and -0 have one value. A zero times infinity is
//     NaN for either sign, and so is a zero divided by zero;
//   - exponentials, absolute values and comparisons of similar numbers are
//     equal: exp(+0) = exp(-0) = 1, and +0 = -0.
//
// Divisors are in neither group: 1/+0 and 1/-0 differ. So the analysis follows
// x + 0 to all its users, through payloads, slices and loops. The replacement
// is allowed if each path ends at an op of the second group. The scores of a
// softmax end at its exponentials. Its maximum is a state, and ends at the
// exponentials of later iterations.
//
//===----------------------------------------------------------------------===//

#include "AddedZeros.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Finds out whether a result depends on the signs of zeros in a value.
class SignOfZero {
public:
  /// Returns whether a result may depend on them. `value` is a tensor, or a
  /// scalar in a payload.
  bool matters(Value value) {
    return seen.insert(value).second &&
           llvm::any_of(value.getUses(), [&](OpOperand &use) {
             return isa<RankedTensorType>(value.getType())
                        ? mattersToOp(use)
                        : mattersToScalar(use);
           });
  }

private:
  bool mattersToScalar(OpOperand &use);
  bool mattersToOp(OpOperand &use);

  /// Values that were visited. A loop leads back to an earlier value.
  llvm::SmallPtrSet<Value, 16> seen;
};
} // namespace

bool SignOfZero::mattersToScalar(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<math::ExpOp, math::Exp2Op, math::AbsFOp, arith::CmpFOp>(op))
    return false;
  if (isa<linalg::YieldOp>(op))
    return matters(op->getParentOp()->getResult(use.getOperandNumber()));
  bool isFollowed =
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
          arith::ExtFOp, arith::TruncFOp, arith::MaximumFOp, arith::MaxNumFOp,
          arith::MinimumFOp, arith::MinNumFOp, arith::SelectOp>(op) ||
      (isa<arith::DivFOp>(op) && use.getOperandNumber() == 0);
  return !isFollowed || matters(op->getResult(0));
}

bool SignOfZero::mattersToOp(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<tensor::DimOp>(op))
    return false;
  if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
    // The other results are exponentials, and sums and quotients of these.
    constexpr unsigned kMaximum = 1;
    if (softmax->getNumResults() <= kMaximum)
      return true;
    bool isRead = softmax.isDpsInput(&use) ||
                  &use == softmax.getDpsInitOperand(kMaximum);
    return isRead && matters(softmax->getResult(kMaximum));
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      linalgOp && linalgOp.hasPureTensorSemantics() &&
      op->getNumRegions() == 1) {
    // An op that overwrites an init only uses its shape.
    if (linalgOp.isDpsInit(&use) && !linalgOp.payloadUsesValueFromOperand(&use))
      return false;
    return matters(linalgOp.getMatchingBlockArgument(&use));
  }
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::CastOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return matters(op->getResult(0));
  if (isa<bufferization::MaterializeInDestinationOp>(op))
    return number != 0 || op->getNumResults() != 1 || matters(op->getResult(0));
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    BlockArgument arg = loop.getTiedLoopRegionIterArg(&use);
    return !arg || matters(arg) || matters(loop.getTiedLoopResult(&use));
  }
  if (isa<scf::YieldOp>(op)) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    return !loop || matters(loop.getRegionIterArg(number)) ||
           matters(loop.getResult(number));
  }
  return true;
}

/// Returns whether `value`, in a payload, is a constant zero. It may also be
/// selected by a constant condition, or converted.
static bool isConstantZero(Value value) {
  if (matchPattern(value, m_AnyZeroFloat()))
    return true;
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    APInt chosen;
    return matchPattern(select.getCondition(), m_ConstantInt(&chosen)) &&
           isConstantZero(chosen.isOne() ? select.getTrueValue()
                                         : select.getFalseValue());
  }
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(op) &&
         isConstantZero(op->getOperand(0));
}

void mlir::linalg_ext::dropAddedZeros(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<arith::AddFOp> sums;
  scope->walk([&](arith::AddFOp op) {
    if (isa<linalg::LinalgOp>(op->getParentOp()))
      sums.push_back(op);
  });
  for (arith::AddFOp op : sums)
    for (unsigned side : {0, 1})
      if (isConstantZero(op->getOperand(side))) {
        if (!SignOfZero().matters(op.getResult()))
          rewriter.replaceAllUsesWith(op.getResult(), op->getOperand(1 - side));
        break;
      }
}
