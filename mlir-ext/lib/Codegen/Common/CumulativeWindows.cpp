//===- CumulativeWindows.cpp - Sums up to a position ----------------------===//
//
// StableHLO has no op for cumulative sums. XLA's importers write them as
// reductions of windows, as long as the tensor, of a tensor that is padded in
// front (behind for reversed ones):
//
//   y[i] = sum of padded[i + w] over w < N,  padded = 0, ..., 0, x[0], ...
//
// Padding would be stored, and no loop over tiles reads windows. With j for
// i + w - low, each window combines the same elements as
//
//   y[i] = sum of (i <= j + low < i + N ? x[j] : 0) over j < N
//
// in another order: those of x that are in the window, and padding for the rest
// of its N elements. This is a sum of rows with a causal mask.
//
//===----------------------------------------------------------------------===//

#include "CumulativeWindows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The windows of an op: what is padded, along which dimension, and which loops
/// are the position of a window and that in a window.
struct Windows {
  OpOperand *operand = nullptr;
  tensor::PadOp pad;
  unsigned dim = 0, position = 0, inner = 0;
  int64_t low = 0, length = 0;
};

struct ReduceUpToPosition : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// Returns whether the order in which `op` combines elements does not matter: a
/// commutative op combines a number that follows from inputs with the result so
/// far. The high word of a product is commutative, but not associative.
static bool isUnordered(linalg::LinalgOp op) {
  Operation *combine =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument result = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  return combine && combine->getBlock() == op.getBlock() &&
         combine->hasTrait<OpTrait::IsCommutative>() &&
         combine->getNumOperands() == 2 && combine->getNumResults() == 1 &&
         result.hasOneUse() && *result.user_begin() == combine;
}

/// Returns the windows of `op` if it reads one padded operand, in windows as
/// long as what is padded. Its other operands may only give sizes.
static FailureOr<Windows> getWindows(linalg::LinalgOp op) {
  Windows windows;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty())
      continue;
    if (windows.operand)
      return failure();
    windows.operand = input;
  }
  if (!windows.operand)
    return failure();
  windows.pad = windows.operand->get().getDefiningOp<tensor::PadOp>();
  if (!windows.pad || windows.pad.getNofold() ||
      !windows.pad.getConstantPaddingValue() ||
      windows.pad.getSourceType().getEncoding())
    return failure();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool hasWindows = false;
  for (auto [dim, expr] : llvm::enumerate(
           op.getMatchingIndexingMap(windows.operand).getResults())) {
    std::optional<int64_t> low =
        getConstantIntValue(windows.pad.getMixedLowPad()[dim]);
    if (isa<AffineDimExpr>(expr)) {
      if (low != 0 ||
          getConstantIntValue(windows.pad.getMixedHighPad()[dim]) != 0)
        return failure();
      continue;
    }
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (hasWindows || !low || *low < 0 || !sum ||
        sum.getKind() != AffineExprKind::Add)
      return failure();
    auto left = dyn_cast<AffineDimExpr>(sum.getLHS()),
         right = dyn_cast<AffineDimExpr>(sum.getRHS());
    if (!left || !right)
      return failure();
    if (linalg::isReductionIterator(iterators[left.getPosition()]))
      std::swap(left, right);
    hasWindows = true;
    windows.dim = dim;
    windows.position = left.getPosition();
    windows.inner = right.getPosition();
    windows.low = *low;
  }
  if (!hasWindows || !linalg::isParallelIterator(iterators[windows.position]) ||
      !linalg::isReductionIterator(iterators[windows.inner]))
    return failure();
  // A position in a window that another dimension is read at, too, is not one
  // of what is padded.
  AffineMap read = op.getMatchingIndexingMap(windows.operand);
  for (auto [dim, expr] : llvm::enumerate(read.getResults()))
    if (dim != windows.dim && expr.isFunctionOfDim(windows.inner))
      return failure();
  windows.length = windows.pad.getSourceType().getDimSize(windows.dim);
  // Windows that are shorter, or whose positions are strided, are no sums up to
  // a position.
  if (ShapedType::isDynamic(windows.length) ||
      windows.length != op.getStaticLoopRanges()[windows.inner])
    return failure();
  return windows;
}

/// Builds a condition: whether the window of the loop `position` has the
/// element of the loop `inner`, of `positions` windows. Returns null if all do.
static Value buildIsInWindow(OpBuilder &b, Location loc, const Windows &windows,
                             int64_t positions) {
  Value at = linalg::IndexOp::create(b, loc, windows.position),
        element = linalg::IndexOp::create(b, loc, windows.inner), condition;
  auto require = [&](arith::CmpIPredicate predicate, int64_t offset) {
    Value bound = at;
    if (offset != 0)
      bound = arith::AddIOp::create(
          b, loc, at, arith::ConstantIndexOp::create(b, loc, offset));
    Value is = arith::CmpIOp::create(b, loc, predicate, element, bound);
    condition = condition ? arith::AndIOp::create(b, loc, condition, is) : is;
  };
  // Not before the window, and not behind it.
  if (ShapedType::isDynamic(positions) || positions - 1 > windows.low)
    require(arith::CmpIPredicate::sge, -windows.low);
  if (windows.low > 0)
    require(arith::CmpIPredicate::sle, windows.length - windows.low - 1);
  return condition;
}

LogicalResult
ReduceUpToPosition::matchAndRewrite(linalg::LinalgOp op,
                                    PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.hasIndexSemantics() || !isUnordered(op))
    return rewriter.notifyMatchFailure(op, "is no reduction in any order");
  FailureOr<Windows> windows = getWindows(op);
  if (failed(windows))
    return rewriter.notifyMatchFailure(
        op, "reads no windows as long as what is padded");
  // 1. The loop in a window becomes one along what is padded. Operands that
  //    give sizes are not needed, unless no other operand tells that of a loop.
  AffineMap read = op.getMatchingIndexingMap(windows->operand);
  SmallVector<AffineExpr> exprs(read.getResults());
  exprs[windows->dim] = rewriter.getAffineDimExpr(windows->inner);
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<AffineMap> maps{
      AffineMap::get(op.getNumLoops(), 0, exprs, op.getContext()),
      op.getMatchingIndexingMap(init)};
  if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
    return rewriter.notifyMatchFailure(op, "repeats what it reads");
  // 2. Elements outside of a window are those of the padding.
  int64_t positions = op.getStaticLoopRanges()[windows->position];
  Block *body = op.getBlock();
  Value padding = windows->pad.getConstantPaddingValue();
  if (Operation *constant = padding.getDefiningOp();
      constant && windows->pad->isProperAncestor(constant))
    padding = rewriter.clone(*constant)->getResult(0);
  auto sum = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), windows->pad.getSource(),
      init->get(), maps, op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value element = args[0];
        if (Value isIn = buildIsInWindow(b, loc, *windows, positions))
          element = arith::SelectOp::create(b, loc, isIn, element, padding);
        IRMapping mapping;
        mapping.map(op.getMatchingBlockArgument(windows->operand), element);
        mapping.map(op.getMatchingBlockArgument(init), args[1]);
        for (Operation &nested : *body)
          b.clone(nested, mapping);
      });
  rewriter.replaceOp(op, sum);
  return success();
}

void mlir::linalg_ext::populateCumulativeWindowsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReduceUpToPosition>(patterns.getContext());
}
