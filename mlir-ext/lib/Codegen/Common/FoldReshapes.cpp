//===- FoldReshapes.cpp - Reshapes next to ops ----------------------------===//
//
// Importers merge dimensions (batch and heads) to use a matrix multiplication
// of a fixed rank, and split them again after it. The dimension that a repair
// needs is then no dimension of the merged tensor. These patterns fold the
// reshapes into contractions and elementwise ops, which then have the original
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether an operand of `op` has just been collapsed or its result is
/// about to be expanded.
static bool isBetweenReshapes(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(),
                      [](Value input) {
                        return input.getDefiningOp<tensor::CollapseShapeOp>() !=
                               nullptr;
                      }) ||
         llvm::any_of(op->getUsers(), llvm::IsaPred<tensor::ExpandShapeOp>);
}

namespace {
/// Upstream's expansion knows generic ops.
struct GeneralizeBetweenReshapes
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op) ||
        !op.hasPureTensorSemantics() || !isBetweenReshapes(op))
      return rewriter.notifyMatchFailure(op, "is not between reshapes");
    if (!linalg::isaContractionOpInterface(op) && !op.isAllParallelLoops() &&
        !isa<linalg::ReduceOp>(op))
      return rewriter.notifyMatchFailure(op, "is no contraction or reduction");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Online reductions
//===----------------------------------------------------------------------===//

/// Returns `groups` without the group of `dimension`, for a tensor that has all
/// dimensions but this one.
static SmallVector<ReassociationIndices>
dropGroup(ArrayRef<ReassociationIndices> groups, int64_t dimension) {
  SmallVector<ReassociationIndices> rest;
  for (auto [position, group] : llvm::enumerate(groups)) {
    if (static_cast<int64_t>(position) == dimension)
      continue;
    ReassociationIndices &moved = rest.emplace_back(group);
    if (static_cast<int64_t>(position) > dimension)
      for (int64_t &dim : moved)
        --dim;
  }
  return rest;
}

/// Builds `op` on `input`. `input` has the dimensions `groups[d]` in place of
/// dimension `d` of the operand of `op`. The new results have the same groups
/// of dimensions. Fails if the reduced dimension would be split.
static FailureOr<SoftmaxOp>
expandSoftmax(PatternRewriter &rewriter, SoftmaxOp op, Value input,
              ArrayRef<ReassociationIndices> groups) {
  int64_t dimension = op.getDimension();
  if (groups[dimension].size() != 1)
    return failure();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input);
  SmallVector<OpFoldResult> stateSizes(sizes);
  stateSizes.erase(stateSizes.begin() + groups[dimension].front());
  SmallVector<ReassociationIndices> stateGroups = dropGroup(groups, dimension);
  auto getShape = [](ArrayRef<OpFoldResult> mixed) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(mixed, dynamic, shape);
    return shape;
  };
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    bool isState = number != 0;
    ArrayRef<OpFoldResult> mixed = isState ? stateSizes : sizes;
    inits.push_back(tensor::ExpandShapeOp::create(
        rewriter, loc,
        RankedTensorType::get(getShape(mixed), getElementTypeOrSelf(init)),
        init, isState ? stateGroups : SmallVector<ReassociationIndices>(groups),
        mixed));
  }
  auto expanded =
      SoftmaxOp::create(rewriter, loc, input, inits, groups[dimension].front());
  expanded->setAttrs(op->getAttrs());
  expanded.setDimension(groups[dimension].front());
  return expanded;
}

/// The results of `expanded`, made by expandSoftmax, in the shapes of `op`'s.
static SmallVector<Value>
collapseResults(PatternRewriter &rewriter, SoftmaxOp op, SoftmaxOp expanded,
                ArrayRef<ReassociationIndices> groups) {
  SmallVector<Value> results;
  for (auto [number, result] : llvm::enumerate(expanded->getResults()))
    results.push_back(tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), op->getResultTypes()[number], result,
        number == 0 ? SmallVector<ReassociationIndices>(groups)
                    : dropGroup(groups, op.getDimension())));
  return results;
}

namespace {
/// softmax(collapse(x)) = collapse(softmax(x)), where the dimension that is
/// reduced is not merged.
struct SoftmaxOfCollapsed : public OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || op->getNumResults() == 0 || isUnitReshape(collapse))
      return rewriter.notifyMatchFailure(op, "is not of a collapsed tensor");
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    FailureOr<SoftmaxOp> expanded =
        expandSoftmax(rewriter, op, collapse.getSrc(), groups);
    if (failed(expanded))
      return rewriter.notifyMatchFailure(op, "the reduced dimension is merged");
    rewriter.replaceOp(op, collapseResults(rewriter, op, *expanded, groups));
    return success();
  }
};

/// expand(softmax(x)) = softmax(expand(x)), likewise.
struct ExpandedSoftmax : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp expand,
                                PatternRewriter &rewriter) const override {
    auto op = expand.getSrc().getDefiningOp<SoftmaxOp>();
    if (!op || expand.getSrc() != op->getResult(0) || isUnitReshape(expand))
      return rewriter.notifyMatchFailure(expand, "is not of a softmax");
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    if (groups[op.getDimension()].size() != 1)
      return rewriter.notifyMatchFailure(op, "the reduced dimension is split");
    // Its sizes must be known before the op.
    SmallVector<OpFoldResult> sizes = getOutputShape(expand);
    DominanceInfo dominance;
    if (llvm::any_of(sizes, [&](OpFoldResult size) {
          auto value = dyn_cast<Value>(size);
          return value && !dominance.properlyDominates(value, op);
        }))
      return rewriter.notifyMatchFailure(op, "a size is not known in front");
    rewriter.setInsertionPoint(op);
    Value input = tensor::ExpandShapeOp::create(
        rewriter, expand.getLoc(),
        RankedTensorType::get(expand.getResultType().getShape(),
                              getElementTypeOrSelf(op.getInput())),
        op.getInput(), groups, sizes);
    FailureOr<SoftmaxOp> expanded = expandSoftmax(rewriter, op, input, groups);
    rewriter.replaceOp(op, collapseResults(rewriter, op, *expanded, groups));
    return success();
  }
};
} // namespace

/// Returns whether `groups` splits only batch dimensions of the contraction
/// `op`: dimensions that all operands have.
static bool splitsBatches(linalg::LinalgOp op, OpOperand *operand,
                          ArrayRef<ReassociationIndices> groups) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [position, group] : llvm::enumerate(groups)) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(position));
    if (group.size() > 1 &&
        (!dim || llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap other) {
          return !other.isFunctionOfDim(dim.getPosition());
        })))
      return false;
  }
  return true;
}

/// Returns whether the reshape between producer and consumer is folded into one
/// of them. A reshape that splits or merges dimensions is folded. One that only
/// adds or drops dimensions of size 1 is folded only together with a batch.
/// Elsewhere it would put a dimension between those of the scores, for example
/// a dimension that is kept for a reduced row. The result of an elementwise op
/// is folded, because the op is fused with its user. It is not folded into a
/// contraction, where it would split the keys. Nor is it folded into a
/// broadcast or a transpose, which are folded into their users themselves.
static bool isFoldable(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp(),
            *consumer = operand->getOwner();
  if (auto op = dyn_cast_or_null<linalg::LinalgOp>(producer);
      op && isUnitReshape(consumer)) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(consumer);
    if (!expand)
      return true;
    if (isReducedRow(operand->get()))
      return false;
    unsigned number = cast<OpResult>(operand->get()).getResultNumber();
    return splitsBatches(op, op.getDpsInitOperand(number),
                         expand.getReassociationIndices());
  }
  auto op = dyn_cast<linalg::LinalgOp>(consumer);
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(producer);
  if (!op || !collapse || !isUnitReshape(collapse))
    return true;
  if (getMovement(op))
    return false;
  auto source = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
  if (source && source.isAllParallelLoops() && !isa<linalg::FillOp>(source) &&
      !linalg::isaContractionOpInterface(op) &&
      op.getMatchingIndexingMap(operand).getNumResults() > 1)
    return true;
  return splitsBatches(op, operand, collapse.getReassociationIndices());
}

void mlir::linalg_ext::populateFoldReshapesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<GeneralizeBetweenReshapes, SoftmaxOfCollapsed, ExpandedSoftmax>(
      patterns.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isFoldable);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       patterns.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     patterns.getContext());
  linalg::FillOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  linalg_ext::populateFoldTensorEmptyPatterns(patterns);
}
