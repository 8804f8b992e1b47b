//===- SplitWords.cpp - Positions in words as dimensions ------------------===//
//
// Vectors of a CPU are along one dimension. Along integers that are unpacked
// from words, neighbours come from one word, and would have to be interleaved.
// So the position in a word becomes a dimension of its own, outside of the
// words: a vector has one position of consecutive words. The other operand and
// the result of the contraction, which are smaller, are transposed.
//
// What is dequantized in groups, with a scale each, is summed by groups and in
// them, so that a scale is read once for each.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The dimension of `value` that is the position in a word: words have all
/// others.
static std::optional<int64_t> getPosition(Value value,
                                          ArrayRef<linalg::LinalgOp> ops) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  std::optional<int64_t> position;
  for (linalg::LinalgOp op : ops) {
    if (static_cast<int64_t>(op.getNumLoops()) != rank ||
        !isa<linalg::GenericOp>(op.getOperation()) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return std::nullopt;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!getElementTypeOrSelf(operand->get()).isSignlessInteger() ||
          map.getNumResults() != rank - 1)
        continue;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (!map.isFunctionOfDim(dim))
          position = dim;
    }
  }
  return position;
}

/// Whether the ops can write another order: they read each other as they are.
static bool canPermute(ArrayRef<linalg::LinalgOp> ops) {
  return llvm::all_of(ops, [&](linalg::LinalgOp op) {
    return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      return !producer || !llvm::is_contained(ops, producer) ||
             op.getMatchingIndexingMap(operand).isIdentity();
    });
  });
}

/// Moves `dim` of the tensor in front of the dimensions from `first` on.
static SmallVector<int64_t> moveToFront(int64_t rank, int64_t first,
                                        int64_t dim) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + dim);
  order.insert(order.begin() + first, dim);
  return order;
}

static RankedTensorType permute(RankedTensorType type,
                                ArrayRef<int64_t> order) {
  return type.clone(applyPermutation(type.getShape(), order));
}

/// Lets the ops that compute a tensor write it in another order.
static Value permuteChain(PatternRewriter &rewriter, Value value,
                          ArrayRef<linalg::LinalgOp> ops,
                          ArrayRef<int64_t> order) {
  auto map = AffineMap::getPermutationMap(order, rewriter.getContext());
  llvm::DenseMap<Value, Value> permuted;
  // The last op is the first one of the list.
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    auto generic = cast<linalg::GenericOp>(op.getOperation());
    rewriter.setInsertionPoint(generic);
    Location loc = generic.getLoc();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      AffineMap read = generic.getMatchingIndexingMap(operand);
      Value known = permuted.lookup(operand->get());
      inputs.push_back(known ? known : operand->get());
      maps.push_back(known ? map.compose(read) : read);
    }
    maps.push_back(map);
    auto type = cast<RankedTensorType>(generic->getResult(0).getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, generic.getDpsInits().front());
    applyPermutationToVector(sizes, order);
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    auto built = linalg::GenericOp::create(
        rewriter, loc, TypeRange{permute(type, order)}, inputs,
        ValueRange{empty}, maps, generic.getIteratorTypesArray());
    rewriter.cloneRegionBefore(generic.getRegion(), built.getRegion(),
                               built.getRegion().begin());
    permuted[generic->getResult(0)] = built->getResult(0);
  }
  return permuted.lookup(value);
}

namespace {
struct SplitWords : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
        !linalg::isaContractionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse || !collapse->hasOneUse())
        continue;
      if (!isUnpacked(collapse.getSrc())) {
        if (isInGroups(collapse))
          return split(rewriter, op, *operand, collapse, {}, std::nullopt);
        continue;
      }
      SmallVector<linalg::LinalgOp> ops = getDequantization(collapse.getSrc());
      std::optional<int64_t> position = getPosition(collapse.getSrc(), ops);
      if (!position || !canPermute(ops))
        continue;
      return split(rewriter, op, *operand, collapse, ops, position);
    }
    return rewriter.notifyMatchFailure(op, "no operand is unpacked");
  }

private:
  /// The merged dimension of the contraction becomes those of `collapse`.
  static LogicalResult split(PatternRewriter &rewriter, linalg::LinalgOp op,
                             OpOperand &unpacked,
                             tensor::CollapseShapeOp collapse,
                             ArrayRef<linalg::LinalgOp> ops,
                             std::optional<int64_t> position) {
    Location loc = op.getLoc();
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    auto isMerged = [](const ReassociationIndices &group) {
      return group.size() > 1;
    };
    if (llvm::count_if(groups, isMerged) != 1)
      return rewriter.notifyMatchFailure(op, "other dimensions are merged");
    int64_t number = llvm::find_if(groups, isMerged) - groups.begin();
    ArrayRef<int64_t> group = groups[number];
    auto shape = collapse.getSrcType().getShape().slice(group[0], group.size());
    if (llvm::any_of(shape, ShapedType::isDynamic))
      return rewriter.notifyMatchFailure(op, "merges unknown sizes");
    auto merged = dyn_cast<AffineDimExpr>(
        op.getMatchingIndexingMap(&unpacked).getResult(number));
    if (!merged || (position && !llvm::is_contained(group, *position)))
      return rewriter.notifyMatchFailure(op, "the position is not merged");
    // Where the words are along the last dimension, it need not move.
    bool moves = position && *position == collapse.getSrcType().getRank() - 1;
    unsigned loop = merged.getPosition();
    int64_t count = group.size(), rank = op.getNumLoops();

    // 1. The loops: the merged one becomes `count`. If the position moves, it
    // is the last one of them, and the first one in tensors.
    SmallVector<AffineExpr> split;
    for (int64_t i = 0; i < count; ++i)
      split.push_back(rewriter.getAffineDimExpr(loop + i));
    auto getOrder = [&](int64_t rank, int64_t first) {
      return moves ? moveToFront(rank, first, first + count - 1)
                   : llvm::to_vector(llvm::seq<int64_t>(0, rank));
    };
    if (moves)
      std::rotate(split.begin(), split.end() - 1, split.end());
    auto getMap = [&](AffineMap map) {
      SmallVector<AffineExpr> results;
      for (AffineExpr expr : map.getResults()) {
        unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        if (dim == loop)
          llvm::append_range(results, split);
        else
          results.push_back(
              rewriter.getAffineDimExpr(dim < loop ? dim : dim + count - 1));
      }
      return AffineMap::get(rank + count - 1, 0, results,
                            rewriter.getContext());
    };
    for (AffineMap map : op.getIndexingMapsArray())
      if (!map.isProjectedPermutation())
        return rewriter.notifyMatchFailure(op, "reads at constant positions");
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.insert(iterators.begin() + loop, count - 1, iterators[loop]);

    // 2. The operands.
    /// The dimensions of `operand` that take the place of the merged one, and
    /// the first of them.
    auto getGroups = [&](OpOperand &operand)
        -> std::pair<SmallVector<ReassociationIndices>, int64_t> {
      SmallVector<ReassociationIndices> result;
      int64_t next = 0, first = -1;
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
        bool isMerged = cast<AffineDimExpr>(expr).getPosition() == loop;
        if (isMerged)
          first = next;
        ReassociationIndices &group = result.emplace_back();
        for (int64_t i = 0; i < (isMerged ? count : 1); ++i)
          group.push_back(next++);
      }
      return {result, first};
    };
    auto expand = [&](OpOperand &operand) -> Value {
      auto [groups, first] = getGroups(operand);
      if (first < 0)
        return operand.get();
      auto type = cast<RankedTensorType>(operand.get().getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(rewriter, loc, operand.get());
      SmallVector<int64_t> expanded(type.getShape());
      sizes.erase(sizes.begin() + first);
      expanded.erase(expanded.begin() + first);
      expanded.insert(expanded.begin() + first, shape.begin(), shape.end());
      for (auto [i, size] : llvm::enumerate(shape))
        sizes.insert(sizes.begin() + first + i, rewriter.getIndexAttr(size));
      Value split = tensor::ExpandShapeOp::create(
          rewriter, loc, type.clone(expanded), operand.get(), groups, sizes);
      if (!moves)
        return split;
      SmallVector<int64_t> order = getOrder(expanded.size(), first);
      applyPermutationToVector(sizes, order);
      Value empty =
          tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
      return linalg::TransposeOp::create(rewriter, loc, split, empty, order)
          ->getResult(0);
    };
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      maps.push_back(getMap(op.getMatchingIndexingMap(operand)));
      if (operand == &unpacked) {
        Value source = collapse.getSrc();
        if (moves)
          source =
              permuteChain(rewriter, source, ops,
                           getOrder(collapse.getSrcType().getRank(), group[0]));
        inputs.push_back(source);
      } else {
        rewriter.setInsertionPoint(op);
        inputs.push_back(expand(*operand));
      }
    }
    rewriter.setInsertionPoint(op);
    OpOperand &init = *op.getDpsInitOperand(0);
    maps.push_back(getMap(op.getMatchingIndexingMap(&init)));
    auto [resultGroups, first] = getGroups(init);
    Value start = init.get();
    // Where the result is, if that is given, such as by an argument.
    Value destination;
    if (auto fill = start.getDefiningOp<linalg::FillOp>(); fill && first >= 0) {
      // A fill of the other shape.
      auto type = cast<RankedTensorType>(start.getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(rewriter, loc, start);
      SmallVector<int64_t> expanded(type.getShape());
      sizes.erase(sizes.begin() + first);
      expanded.erase(expanded.begin() + first);
      expanded.insert(expanded.begin() + first, shape.begin(), shape.end());
      for (auto [i, size] : llvm::enumerate(shape))
        sizes.insert(sizes.begin() + first + i, rewriter.getIndexAttr(size));
      if (!fill.output().getDefiningOp<tensor::EmptyOp>())
        destination =
            tensor::ExpandShapeOp::create(rewriter, loc, type.clone(expanded),
                                          fill.output(), resultGroups, sizes);
      applyPermutationToVector(sizes, getOrder(sizes.size(), first));
      Value filled = destination;
      if (!filled || moves)
        filled = tensor::EmptyOp::create(rewriter, loc, sizes,
                                         type.getElementType());
      start = linalg::FillOp::create(rewriter, loc, fill.value(), filled)
                  .getResult(0);
    } else {
      start = expand(init);
    }

    // 3. The contraction, and its result in the former order.
    auto built =
        linalg::GenericOp::create(rewriter, loc, TypeRange{start.getType()},
                                  inputs, ValueRange{start}, maps, iterators);
    rewriter.cloneRegionBefore(op->getRegion(0), built.getRegion(),
                               built.getRegion().begin());
    built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Value result = built->getResult(0);
    if (first >= 0) {
      auto type = cast<RankedTensorType>(result.getType());
      if (moves) {
        SmallVector<int64_t> order =
            invertPermutationVector(getOrder(type.getRank(), first));
        SmallVector<OpFoldResult> sizes =
            tensor::getMixedSizes(rewriter, loc, start);
        applyPermutationToVector(sizes, order);
        if (!destination)
          destination = tensor::EmptyOp::create(rewriter, loc, sizes,
                                                type.getElementType());
        result = linalg::TransposeOp::create(rewriter, loc, result, destination,
                                             order)
                     ->getResult(0);
      }
      result = tensor::CollapseShapeOp::create(
          rewriter, loc, cast<RankedTensorType>(op->getResult(0).getType()),
          result, resultGroups);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateSplitWordsPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitWords>(patterns.getContext());
}
