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
      if (!isUnpackedFrom(op, *operand) || map.getNumResults() != rank - 1)
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

/// Lets an op read a small operand, such as scales, in the order in which it
/// writes its dimensions: they are `order` of the loops. Adds the operand and
/// its map to `inputs` and `maps`.
static void readInOrder(PatternRewriter &rewriter, Location loc, Value value,
                        AffineMap read, ArrayRef<int64_t> order,
                        SmallVectorImpl<Value> &inputs,
                        SmallVectorImpl<AffineMap> &maps) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !read.isProjectedPermutation()) {
    inputs.push_back(value);
    maps.push_back(read);
    return;
  }
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  llvm::sort(dims, [&](int64_t a, int64_t b) {
    return llvm::find(order, read.getDimPosition(a)) <
           llvm::find(order, read.getDimPosition(b));
  });
  if (!llvm::is_sorted(dims)) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    applyPermutationToVector(sizes, dims);
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    value = linalg::TransposeOp::create(rewriter, loc, value, empty, dims)
                ->getResult(0);
    SmallVector<AffineExpr> results(read.getResults());
    applyPermutationToVector(results, dims);
    read = AffineMap::get(read.getNumDims(), 0, results, read.getContext());
  }
  inputs.push_back(value);
  maps.push_back(read);
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
      if (Value known = permuted.lookup(operand->get())) {
        inputs.push_back(known);
        maps.push_back(map.compose(read));
      } else {
        readInOrder(rewriter, loc, operand->get(), read, order, inputs, maps);
      }
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
/// A contraction of which the merged dimension of an operand becomes those that
/// `collapse` merges.
class SplitContraction {
public:
  SplitContraction(PatternRewriter &rewriter, linalg::LinalgOp op,
                   OpOperand &unpacked, tensor::CollapseShapeOp collapse,
                   std::optional<int64_t> position)
      : rewriter(rewriter), op(op), unpacked(unpacked), collapse(collapse),
        position(position) {}
  /// Says which loop becomes several. Fails if there is none.
  LogicalResult plan();
  /// Replaces the contraction. The ops between the words and `collapse` are
  /// `ops`.
  void build(ArrayRef<linalg::LinalgOp> ops);

private:
  /// A value with the dimensions that were merged, of which the first is
  /// `first`; -1 if it has none of them.
  struct Expanded {
    RankedTensorType type;
    SmallVector<OpFoldResult> sizes;
    SmallVector<ReassociationIndices> groups;
    int64_t first;
  };
  Expanded describe(OpOperand &operand);
  AffineMap getMap(AffineMap map);
  SmallVector<int64_t> getOrder(int64_t rank, int64_t first);
  Value expand(OpOperand &operand);
  Value buildInit(OpOperand &init, Value &destination);
  Value restore(Value result, const Expanded &init, Value destination);

  PatternRewriter &rewriter;
  linalg::LinalgOp op;
  OpOperand &unpacked;
  tensor::CollapseShapeOp collapse;
  /// The dimension of the source of `collapse` that says which part of a word
  /// an element is.
  std::optional<int64_t> position;
  /// The sizes of the dimensions, the first of them in the source, the one that
  /// they are merged to, and the loop that they become.
  ArrayRef<int64_t> shape;
  int64_t firstMerged = 0, number = 0;
  unsigned loop = 0;
  /// If the position moves, it is the last one of the loops, and the first one
  /// in tensors.
  bool moves = false;
};
} // namespace

LogicalResult SplitContraction::plan() {
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  SmallVector<int64_t> merges;
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.size() > 1)
      merges.push_back(i);
  if (merges.empty())
    return rewriter.notifyMatchFailure(op, "no dimensions are merged");
  // The position is the last one to be split.
  bool isLast = merges.size() == 1;
  const auto *chosen = llvm::find_if(merges, [&](int64_t i) {
    return isLast || !position || !llvm::is_contained(groups[i], *position);
  });
  number = *chosen;
  ArrayRef<int64_t> group = groups[number];
  firstMerged = group[0];
  shape = collapse.getSrcType().getShape().slice(firstMerged, group.size());
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return rewriter.notifyMatchFailure(op, "merges unknown sizes");
  auto merged = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(&unpacked).getResult(number));
  if (!merged || (isLast && position && !llvm::is_contained(group, *position)))
    return rewriter.notifyMatchFailure(op, "the position is not merged");
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return rewriter.notifyMatchFailure(op, "reads at constant positions");
  // Where the words are along the last dimension, it need not move.
  moves =
      isLast && position && *position == collapse.getSrcType().getRank() - 1;
  loop = merged.getPosition();
  return success();
}

/// `map`, of the loops of the contraction, with several in place of one.
AffineMap SplitContraction::getMap(AffineMap map) {
  int64_t count = shape.size();
  SmallVector<AffineExpr> split, results;
  for (int64_t i = 0; i < count; ++i)
    split.push_back(rewriter.getAffineDimExpr(loop + i));
  if (moves)
    std::rotate(split.begin(), split.end() - 1, split.end());
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == loop)
      llvm::append_range(results, split);
    else
      results.push_back(
          rewriter.getAffineDimExpr(dim < loop ? dim : dim + count - 1));
  }
  return AffineMap::get(op.getNumLoops() + count - 1, 0, results,
                        rewriter.getContext());
}

/// The order of the dimensions of a tensor whose merged ones begin at `first`.
SmallVector<int64_t> SplitContraction::getOrder(int64_t rank, int64_t first) {
  return moves ? moveToFront(rank, first, first + shape.size() - 1)
               : llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

SplitContraction::Expanded SplitContraction::describe(OpOperand &operand) {
  Expanded result;
  result.first = -1;
  int64_t next = 0;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    bool isMerged = cast<AffineDimExpr>(expr).getPosition() == loop;
    if (isMerged)
      result.first = next;
    ReassociationIndices &group = result.groups.emplace_back();
    for (size_t i = 0; i < (isMerged ? shape.size() : 1); ++i)
      group.push_back(next++);
  }
  result.type = cast<RankedTensorType>(operand.get().getType());
  if (result.first < 0)
    return result;
  result.sizes = tensor::getMixedSizes(rewriter, op.getLoc(), operand.get());
  SmallVector<int64_t> expanded(result.type.getShape());
  result.sizes.erase(result.sizes.begin() + result.first);
  expanded.erase(expanded.begin() + result.first);
  expanded.insert(expanded.begin() + result.first, shape.begin(), shape.end());
  for (auto [i, size] : llvm::enumerate(shape))
    result.sizes.insert(result.sizes.begin() + result.first + i,
                        rewriter.getIndexAttr(size));
  result.type = result.type.clone(expanded);
  return result;
}

/// `operand` with the dimensions that were merged, in their new order.
Value SplitContraction::expand(OpOperand &operand) {
  Expanded expanded = describe(operand);
  if (expanded.first < 0)
    return operand.get();
  Location loc = op.getLoc();
  Value split =
      tensor::ExpandShapeOp::create(rewriter, loc, expanded.type, operand.get(),
                                    expanded.groups, expanded.sizes);
  if (!moves)
    return split;
  SmallVector<int64_t> order =
      getOrder(expanded.type.getRank(), expanded.first);
  applyPermutationToVector(expanded.sizes, order);
  Value empty = tensor::EmptyOp::create(rewriter, loc, expanded.sizes,
                                        expanded.type.getElementType());
  return linalg::TransposeOp::create(rewriter, loc, split, empty, order)
      ->getResult(0);
}

/// What the contraction adds to. `destination` is where its result is, if that
/// is given, such as by an argument.
Value SplitContraction::buildInit(OpOperand &init, Value &destination) {
  Expanded expanded = describe(init);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  if (!fill || expanded.first < 0)
    return expand(init);
  // A fill of the other shape.
  Location loc = op.getLoc();
  if (!fill.output().getDefiningOp<tensor::EmptyOp>())
    destination = tensor::ExpandShapeOp::create(rewriter, loc, expanded.type,
                                                fill.output(), expanded.groups,
                                                expanded.sizes);
  applyPermutationToVector(expanded.sizes,
                           getOrder(expanded.sizes.size(), expanded.first));
  Value filled = destination;
  if (!filled || moves)
    filled = tensor::EmptyOp::create(rewriter, loc, expanded.sizes,
                                     expanded.type.getElementType());
  return linalg::FillOp::create(rewriter, loc, fill.value(), filled)
      .getResult(0);
}

/// The result of the new contraction, in the former order and shape.
Value SplitContraction::restore(Value result, const Expanded &init,
                                Value destination) {
  if (init.first < 0)
    return result;
  Location loc = op.getLoc();
  if (moves) {
    SmallVector<int64_t> order =
        invertPermutationVector(getOrder(init.type.getRank(), init.first));
    if (!destination)
      destination = tensor::EmptyOp::create(rewriter, loc, init.sizes,
                                            init.type.getElementType());
    result =
        linalg::TransposeOp::create(rewriter, loc, result, destination, order)
            ->getResult(0);
  }
  return tensor::CollapseShapeOp::create(
      rewriter, loc, cast<RankedTensorType>(op->getResult(0).getType()), result,
      init.groups);
}

void SplitContraction::build(ArrayRef<linalg::LinalgOp> ops) {
  // 1. The operands.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    maps.push_back(getMap(op.getMatchingIndexingMap(operand)));
    if (operand == &unpacked) {
      Value source = collapse.getSrc();
      SmallVector<ReassociationIndices> others;
      for (auto [i, group] :
           llvm::enumerate(collapse.getReassociationIndices()))
        if (static_cast<int64_t>(i) == number)
          for (int64_t inner : group)
            others.push_back({inner});
        else
          others.push_back(group);
      if (others.size() <
          static_cast<size_t>(collapse.getSrcType().getRank())) {
        rewriter.setInsertionPoint(op);
        source = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), source,
                                                 others);
      }
      if (moves)
        source = permuteChain(
            rewriter, source, ops,
            getOrder(collapse.getSrcType().getRank(), firstMerged));
      inputs.push_back(source);
    } else {
      rewriter.setInsertionPoint(op);
      inputs.push_back(expand(*operand));
    }
  }
  rewriter.setInsertionPoint(op);
  OpOperand &init = *op.getDpsInitOperand(0);
  maps.push_back(getMap(op.getMatchingIndexingMap(&init)));
  Value destination, start = buildInit(init, destination);

  // 2. The contraction, and its result in the former order.
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, shape.size() - 1, iterators[loop]);
  auto built = linalg::GenericOp::create(rewriter, op.getLoc(),
                                         TypeRange{start.getType()}, inputs,
                                         ValueRange{start}, maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), built.getRegion(),
                             built.getRegion().begin());
  built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op,
                     restore(built->getResult(0), describe(init), destination));
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
      SmallVector<linalg::LinalgOp> ops;
      std::optional<int64_t> position;
      if (isUnpacked(collapse.getSrc())) {
        ops = getDequantization(collapse.getSrc(), ElementReads::OfRows);
        position = getPosition(collapse.getSrc(), ops);
        if (!position || !canPermute(ops))
          continue;
      } else if (!isInGroups(collapse)) {
        continue;
      }
      SplitContraction split(rewriter, op, *operand, collapse, position);
      if (failed(split.plan()))
        return failure();
      split.build(ops);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is unpacked");
  }
};
} // namespace

void mlir::linalg_ext::populateSplitWordsPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitWords>(patterns.getContext());
}
