//===- CollapseElementwise.cpp - Merged dimensions that are reduced -------===//
//
// Vision models add the biases of rows and of columns of an image to scores, in
// five dimensions, and reduce the scores along all keys, which are one
// dimension again. Masks of blocks are repeated for the rows and columns of a
// block. Folded into the product of the scores, the reshape would leave keys of
// two dimensions in front of a reduction along one, and a tile of one is no
// tile of the other. So the elementwise ops between are computed on merged
// dimensions, and biases and blocks, which are small, are read where they are.
//
// So are words of which each has integers of several columns of a product: a
// tile of columns is then computed as any other one.
//
//===----------------------------------------------------------------------===//

#include "ReadGatheredRows.h"

#include "mlir-ext/Codegen/Common/CollapseElementwise.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExtractElements.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

linalg::GenericOp
mlir::linalg_ext::getElementwiseSource(tensor::CollapseShapeOp reshape) {
  auto op = reshape.getSrc().getDefiningOp<linalg::GenericOp>();
  if (!op || !op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op->getNumResults() != 1 || !op->hasOneUse() ||
      !op.getIndexingMapMatchingResult(op->getOpResult(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return nullptr;
  return op;
}

/// Whether `op` reduces dimension `dim` of `value`.
static bool reducesDim(Operation *op, Value value, int64_t dim) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  if (!maps || (!structured && !online))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != value)
      continue;
    AffineMap map = maps.getMatchingIndexingMap(&operand);
    auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!expr)
      continue;
    if (online ? llvm::is_contained(online.getOnlineDims(), expr.getPosition())
               : structured.getIteratorTypesArray()[expr.getPosition()] ==
                     utils::IteratorType::reduction)
      return true;
  }
  return false;
}

/// A dimension of a tensor.
using Dim = std::pair<Value, int64_t>;

/// Adds to `dims` the dimensions of the results of `op` along which it goes on
/// with dimension `dim` of `value`: `op` is elementwise, which may repeat
/// `value` along others, or a reshape that adds or drops dimensions of size 1.
static void follow(Operation *op, Value value, int64_t dim,
                   llvm::SetVector<Dim> &dims) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    ReassociationIndices group = expand.getReassociationIndices()[dim];
    auto kept =
        llvm::find_if(group, [&](int64_t inner) { return shape[inner] != 1; });
    if (isUnitReshape(op) && kept != group.end())
      dims.insert({expand.getResult(), *kept});
    return;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [number, group] :
         llvm::enumerate(collapse.getReassociationIndices()))
      if (isUnitReshape(op) && llvm::is_contained(group, dim))
        dims.insert({collapse.getResult(), static_cast<int64_t>(number)});
    return;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      !structured.isAllParallelLoops())
    return;
  for (OpOperand *input : structured.getDpsInputOperands()) {
    if (input->get() != value)
      continue;
    AffineExpr loop = structured.getMatchingIndexingMap(input).getResult(dim);
    for (OpResult result : op->getResults())
      if (std::optional<unsigned> position =
              structured.getIndexingMapMatchingResult(result).getResultPosition(
                  loop);
          position && isa<AffineDimExpr>(loop))
        dims.insert({result, static_cast<int64_t>(*position)});
  }
}

/// Adds to `dims` the dimensions of the results of `op` along which it goes on
/// with dimension `dim` of `value`, also where it reads single elements of
/// `value`, and where a reshape merges or splits the dimension.
static void followParts(Operation *op, Value value, int64_t dim,
                        llvm::SetVector<Dim> &dims) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (int64_t inner : expand.getReassociationIndices()[dim])
      dims.insert({expand.getResult(), inner});
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (auto [number, group] :
         llvm::enumerate(collapse.getReassociationIndices()))
      if (llvm::is_contained(group, dim))
        dims.insert({collapse.getResult(), static_cast<int64_t>(number)});
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    auto reader = dyn_cast<linalg::GenericOp>(extract->getParentOp());
    if (!reader || reader->getNumResults() != 1)
      return;
    llvm::SetVector<Value> values;
    values.insert(extract.getIndices()[dim]);
    AffineMap map = reader.getIndexingMapsArray().back();
    for (unsigned i = 0; i < values.size(); ++i) {
      Operation *def = values[i].getDefiningOp();
      if (!def || !reader->isProperAncestor(def))
        continue;
      values.insert_range(def->getOperands());
      auto index = dyn_cast<linalg::IndexOp>(def);
      if (!index)
        continue;
      if (std::optional<unsigned> position = map.getResultPosition(
              getAffineDimExpr(index.getDim(), map.getContext())))
        dims.insert({reader->getResult(0), static_cast<int64_t>(*position)});
    }
  } else {
    follow(op, value, dim, dims);
  }
}

/// Whether dimension `dim` of `value` is reduced, also behind elementwise ops
/// and, with `alsoParts`, behind ops that merge or split the dimension, or read
/// single elements.
static bool isReducedLater(Value value, int64_t dim, bool alsoParts) {
  llvm::SetVector<Dim> dims;
  dims.insert({value, dim});
  for (unsigned i = 0; i < dims.size(); ++i) {
    auto [current, at] = dims[i];
    for (Operation *user : current.getUsers()) {
      if (reducesDim(user, current, at))
        return true;
      if (alsoParts)
        followParts(user, current, at, dims);
      else
        follow(user, current, at, dims);
    }
  }
  return false;
}

/// The groups of `groups` that an operand with `map` has, in order; unset if it
/// has some dimensions of a group and not all, or has them in another order.
static std::optional<SmallVector<int64_t>>
getWholeGroups(AffineMap map, ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> whole;
  ArrayRef<AffineExpr> results = map.getResults();
  while (!results.empty()) {
    auto dim = dyn_cast<AffineDimExpr>(results.front());
    const auto *group =
        dim ? llvm::find_if(groups,
                            [&](const ReassociationIndices &g) {
                              return g.front() == dim.getPosition();
                            })
            : groups.end();
    bool isWhole = group != groups.end() && results.size() >= group->size();
    for (size_t i = 0; isWhole && i < group->size(); ++i)
      isWhole = results[i] == getAffineDimExpr((*group)[i], map.getContext());
    if (!isWhole)
      return std::nullopt;
    whole.push_back(group - groups.begin());
    results = results.drop_front(group->size());
  }
  return whole;
}

/// Merges the dimensions of `value`, which are those of the groups `whole`.
/// Returns it and its map in the merged loops.
static std::pair<Value, AffineMap>
mergeDims(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> whole,
          ArrayRef<ReassociationIndices> groups) {
  SmallVector<AffineExpr> exprs;
  SmallVector<ReassociationIndices> merged;
  int64_t next = 0;
  for (int64_t group : whole) {
    exprs.push_back(b.getAffineDimExpr(group));
    ReassociationIndices &dims = merged.emplace_back();
    for (size_t i = 0; i < groups[group].size(); ++i)
      dims.push_back(next++);
  }
  if (next > static_cast<int64_t>(whole.size()))
    value = tensor::CollapseShapeOp::create(b, loc, value, merged);
  return {value, AffineMap::get(groups.size(), 0, exprs, b.getContext())};
}

/// In the body of an op with merged loops: the position in each dimension of
/// `shape`, of which `groups` were merged.
static SmallVector<Value> getPositions(OpBuilder &b, Location loc,
                                       ArrayRef<ReassociationIndices> groups,
                                       ArrayRef<int64_t> shape) {
  SmallVector<Value> position(shape.size());
  for (auto [number, group] : llvm::enumerate(groups)) {
    Value index = linalg::IndexOp::create(b, loc, number);
    AffineExpr rest = b.getAffineDimExpr(0);
    int64_t stride = 1;
    for (int64_t dim : llvm::reverse(group)) {
      AffineExpr expr = rest.floorDiv(stride);
      if (dim != group.front())
        expr = expr % shape[dim];
      position[dim] = affine::AffineApplyOp::create(
          b, loc, AffineMap::get(1, 0, expr), index);
      if (dim != group.front())
        stride *= shape[dim];
    }
  }
  return position;
}

/// Reads the element of `value` that `map` has at `position`.
static Value readElement(OpBuilder &b, Location loc, Value value, AffineMap map,
                         ArrayRef<Value> position) {
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    indices.push_back(
        constant ? arith::ConstantIndexOp::create(b, loc, constant.getValue())
                       .getResult()
                 : position[cast<AffineDimExpr>(expr).getPosition()]);
  }
  return tensor::ExtractOp::create(b, loc, value, indices);
}

/// Whether elementwise ops compute `value` from the result of an op that
/// reduces online.
static bool isReducedOnline(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (isa_and_nonnull<OnlineReductionOpInterface>(def))
      return true;
    auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
    if (op && op.isAllParallelLoops())
      values.insert_range(op.getDpsInputs());
  }
  return false;
}

/// Whether contractions read `value`, or what elementwise ops and reshapes
/// compute from it, in tiles of columns. Elementwise ops may also read single
/// elements of it, such as zero points of groups. Attention, whose weights are
/// reduced online, has all columns of its values in a tile.
static bool isMultiplied(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  bool isInTiles = false;
  for (unsigned i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<tensor::ExtractOp>(user))
        user = user->getParentOp();
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
        values.insert(user->getResult(0));
      auto op = dyn_cast<linalg::LinalgOp>(user);
      if (op && linalg::isaContractionOpInterface(op)) {
        if (llvm::any_of(op.getDpsInputs(), isReducedOnline))
          return false;
        isInTiles = true;
      } else if (op && op.isAllParallelLoops() && op->getNumResults() == 1) {
        values.insert(op->getResult(0));
      }
    }
  return isInTiles;
}

/// Whether an op that is not elementwise computes `value`, such as a gather. An
/// op that reads single elements of it would have it stored.
static bool isTiledResult(Value value) {
  Operation *def = value.getDefiningOp();
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::ExtractSliceOp, tensor::CastOp>(def))
    def = def->getOperand(0).getDefiningOp();
  auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
  return isa_and_nonnull<TilingInterface>(def) &&
         !(op && op.isAllParallelLoops());
}

namespace {
struct CollapseElementwise : public OpRewritePattern<tensor::CollapseShapeOp> {
  /// Merges dimensions that are reduced or, if `ofWords`, columns of products
  /// that are unpacked.
  CollapseElementwise(MLIRContext *context, bool ofWords)
      : OpRewritePattern(context), ofWords(ofWords) {}

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    linalg::GenericOp generic = getElementwiseSource(op);
    if (!generic)
      return rewriter.notifyMatchFailure(op, "its source is not elementwise");
    if (!ofWords && mergesParts(op))
      return rewriter.notifyMatchFailure(
          op, "what is dequantized keeps positions in words and groups");
    if (ofWords && (!isUnpacked(op.getSrc()) || !isMultiplied(op.getResult())))
      return rewriter.notifyMatchFailure(op, "no product of what is unpacked");

    // 1. Merged dimensions, one of which is reduced. Those of words are not.
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    ArrayRef<int64_t> shape = op.getSrcType().getShape();
    bool isReduced = false;
    for (auto [dim, group] : llvm::enumerate(groups)) {
      for (int64_t inner : ArrayRef(group).drop_front())
        if (ShapedType::isDynamic(shape[inner]))
          return rewriter.notifyMatchFailure(op, "merges unknown sizes");
      isReduced |=
          llvm::count_if(
              group, [&](int64_t inner) { return shape[inner] != 1; }) > 1 &&
          isReducedLater(op.getResult(), dim, /*alsoParts=*/ofWords);
    }
    if (isReduced == ofWords)
      return rewriter.notifyMatchFailure(op, "other dimensions are reduced");

    // 2. The groups that each operand has; one that has parts of them is read
    // element by element.
    SmallVector<std::optional<SmallVector<int64_t>>> groupsOf;
    bool anyPart = generic.hasIndexSemantics();
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      groupsOf.push_back(getWholeGroups(map, groups));
      if (groupsOf.back() || !isa<RankedTensorType>(input->get().getType()))
        continue;
      anyPart = true;
      if (!llvm::all_of(map.getResults(),
                        llvm::IsaPred<AffineDimExpr, AffineConstantExpr>))
        return rewriter.notifyMatchFailure(op, "an operand is read elsewhere");
      if (ofWords && isTiledResult(input->get()))
        return rewriter.notifyMatchFailure(op, "words would be stored first");
    }
    if (!anyPart && !ofWords)
      return rewriter.notifyMatchFailure(op, "no operand lacks a part");

    // 3. Operands with merged dimensions.
    Location loc = generic.getLoc();
    rewriter.setInsertionPoint(generic);
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (auto [input, whole] :
         llvm::zip_equal(generic.getDpsInputOperands(), groupsOf)) {
      if (!whole)
        continue;
      auto [value, map] =
          mergeDims(rewriter, loc, input->get(), *whole, groups);
      inputs.push_back(value);
      maps.push_back(map);
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(groups.size()));
    Value empty = tensor::CollapseShapeOp::create(
        rewriter, loc, generic.getDpsInits().front(), groups);

    // 4. The payload, which reads the others.
    auto collapsed = linalg::GenericOp::create(
        rewriter, loc, op.getResultType(), inputs, empty, maps,
        SmallVector<utils::IteratorType>(groups.size(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          SmallVector<Value> position = getPositions(b, loc, groups, shape);
          unsigned next = 0;
          for (auto [input, whole] :
               llvm::zip_equal(generic.getDpsInputOperands(), groupsOf))
            mapping.map(generic.getMatchingBlockArgument(input),
                        whole
                            ? args[next++]
                            : readElement(b, loc, input->get(),
                                          generic.getMatchingIndexingMap(input),
                                          position));
          for (Operation &scalar : *generic.getBody())
            if (auto index = dyn_cast<linalg::IndexOp>(scalar))
              mapping.map(index.getResult(), position[index.getDim()]);
            else
              b.clone(scalar, mapping);
        });
    rewriter.replaceOp(op, collapsed.getResult(0));
    return success();
  }

private:
  bool ofWords;
};
} // namespace

void mlir::linalg_ext::populateCollapseElementwisePatterns(
    RewritePatternSet &patterns) {
  patterns.add<CollapseElementwise>(patterns.getContext(), /*ofWords=*/false);
}

void mlir::linalg_ext::populateMergeWordsPatterns(RewritePatternSet &patterns) {
  patterns.add<CollapseElementwise>(patterns.getContext(), /*ofWords=*/true);
  populateReadGatheredRowsPatterns(patterns);
  populateUnpackExtractedPatterns(patterns);
}
