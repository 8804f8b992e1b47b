//===- FoldTranspose.cpp - Data is read where it lies ---------------------===//
//
// Importers transpose K (and, for grouped heads, repeat K and V) in front of a
// matrix multiplication of a fixed form, and transpose its result. Indexing
// maps say the same without moving data.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// If `op` only moves the elements of its input, returns the map from the
/// coordinates of its result to those of its input.
static std::optional<AffineMap> getMovement(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::hasSingleElement(*op.getBlock()) ||
      op.getBlock()->getTerminator()->getOperand(0) !=
          op.getBlock()->getArgument(0))
    return std::nullopt;
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isPermutation() || !input.isProjectedPermutation() ||
      !isa<RankedTensorType>(op.getDpsInputOperand(0)->get().getType()))
    return std::nullopt;
  return input.compose(inversePermutation(output));
}

namespace {
/// An op reads what is only transposed or broadcast where it comes from.
struct FoldMovementIntoUser
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->getNumRegions() != 1)
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getDpsInputs();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      std::optional<AffineMap> movement =
          producer ? getMovement(producer) : std::nullopt;
      unsigned number = operand->getOperandNumber();
      if (!movement || !maps[number].isProjectedPermutation(true))
        continue;
      maps[number] = movement->compose(maps[number]);
      inputs[number] = producer.getDpsInputOperand(0)->get();
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no operand is only moved");
    // Every dimension must still have an operand to take its size from.
    if (!inversePermutation(concatAffineMaps(maps, rewriter.getContext())))
      return rewriter.notifyMatchFailure(op, "a dimension would have no size");

    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
        maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().begin());
    generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, generic);
    return success();
  }
};
} // namespace

namespace {
/// transpose(contraction) is a contraction that writes transposed.
struct FoldTransposeIntoProducer
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<AffineMap> movement =
        op.hasPureTensorSemantics() ? getMovement(op) : std::nullopt;
    if (!movement || !movement->isPermutation())
      return rewriter.notifyMatchFailure(op, "is not a transpose");
    Value source = op.getDpsInputOperand(0)->get();
    auto producer = source.getDefiningOp<linalg::LinalgOp>();
    if (!producer || !source.hasOneUse() || producer->getNumResults() != 1 ||
        !linalg::isaContractionOpInterface(producer))
      return rewriter.notifyMatchFailure(op, "is not all a contraction is for");
    OpOperand *init = producer.getDpsInitOperand(0);
    auto fill = init->get().getDefiningOp<linalg::FillOp>();
    Value destination = op.getDpsInitOperand(0)->get();
    if (!fill || destination.getType() != op->getResult(0).getType() ||
        getElementTypeOrSelf(destination) != getElementTypeOrSelf(source))
      return rewriter.notifyMatchFailure(
          op, "the contraction does not start from a fill");
    SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
    maps.back() = inversePermutation(*movement).compose(maps.back());
    Value filled = linalg::FillOp::create(rewriter, fill.getLoc(), fill.value(),
                                          destination)
                       .getResult(0);
    auto generic = linalg::GenericOp::create(
        rewriter, producer.getLoc(), TypeRange{destination.getType()},
        producer.getDpsInputs(), ValueRange{filled}, maps,
        producer.getIteratorTypesArray());
    rewriter.cloneRegionBefore(producer->getRegion(0), generic.getRegion(),
                               generic.getRegion().begin());
    generic->setDiscardableAttrs(producer->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, generic);
    return success();
  }
};
} // namespace

namespace {
/// collapse(transpose(x)) = transpose(collapse(x)), where the dimensions that
/// are collapsed are neighbours, in this order, before the transpose as well.
/// Importers collapse batch and heads between the transpose and the
/// contraction.
struct SwapTransposeAndCollapse
    : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSrc().getDefiningOp<linalg::LinalgOp>();
    std::optional<AffineMap> movement =
        producer ? getMovement(producer) : std::nullopt;
    if (!movement || !movement->isPermutation())
      return rewriter.notifyMatchFailure(op, "is not of a transpose");
    if (!producer->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the transpose is used elsewhere");

    // The groups as dimensions of the input, in its order.
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    for (ReassociationIndices &group : groups) {
      for (int64_t &dim : group)
        dim = *movement->getResultPosition(rewriter.getAffineDimExpr(dim));
      for (auto [first, second] : llvm::zip(group, llvm::drop_begin(group)))
        if (second != first + 1)
          return rewriter.notifyMatchFailure(op, "a group is torn apart");
    }
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, groups.size()));
    llvm::sort(order, [&](int64_t lhs, int64_t rhs) {
      return groups[lhs].front() < groups[rhs].front();
    });
    SmallVector<ReassociationIndices> collapsedGroups;
    SmallVector<int64_t> permutation(groups.size());
    for (auto [position, group] : llvm::enumerate(order)) {
      collapsedGroups.push_back(groups[group]);
      permutation[group] = position;
    }

    Location loc = op.getLoc();
    Value input = producer.getDpsInputOperand(0)->get();
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(op.getType()))
      return rewriter.notifyMatchFailure(op, "the element type changes");
    Value collapsed =
        tensor::CollapseShapeOp::create(rewriter, loc, input, collapsedGroups);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, collapsed);
    SmallVector<OpFoldResult> permuted;
    for (int64_t position : permutation)
      permuted.push_back(sizes[position]);
    Value empty = tensor::EmptyOp::create(rewriter, loc, permuted,
                                          op.getType().getElementType());
    Value result = linalg::TransposeOp::create(rewriter, loc, collapsed, empty,
                                               permutation)
                       ->getResult(0);
    if (result.getType() != op.getType())
      result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFoldTransposePatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldMovementIntoUser, SwapTransposeAndCollapse>(
      patterns.getContext());
}

void mlir::linalg_ext::populateFoldTransposeIntoProducerPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldTransposeIntoProducer>(patterns.getContext());
}
