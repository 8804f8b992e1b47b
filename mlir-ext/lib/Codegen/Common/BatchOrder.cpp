//===- BatchOrder.cpp - Operands whose batches are adjacent ---------------===//
//
// The triangle multiplication of AlphaFold multiplies channels by channels:
// `ikc, jkc -> ijc`. Channels are batches, and adjacent in memory. A tile of
// one batch has an element of each line, so that all tiles together read each
// line once for each of its elements.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/BatchOrder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns whether `op`, a contraction with `dims`, has enough rows and columns
/// for its operands to be read several times.
static bool isLarge(LinalgOp op, const linalg::ContractionDimensions &dims) {
  constexpr int64_t kLeast = 16;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto hasMany = [&](ArrayRef<unsigned> loops) {
    int64_t size = 1;
    for (unsigned loop : loops) {
      if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] >= kLeast)
        return true;
      size *= ranges[loop];
      if (size >= kLeast)
        return true;
    }
    return false;
  };
  return hasMany(dims.m) && hasMany(dims.n) && hasMany(dims.k);
}

/// Returns the dimensions of an operand with `map`, those of the loops
/// `batches` in front of the others. Empty if the last one is none of them.
static SmallVector<int64_t> getOrder(AffineMap map, ArrayRef<unsigned> batches,
                                     ArrayRef<int64_t> ranges) {
  auto getLoop = [&](unsigned position) {
    return cast<AffineDimExpr>(map.getResult(position)).getPosition();
  };
  unsigned rank = map.getNumResults();
  if (rank == 0 || !map.isProjectedPermutation() ||
      !llvm::is_contained(batches, getLoop(rank - 1)) ||
      ranges[getLoop(rank - 1)] == 1)
    return {};
  SmallVector<int64_t> order, others;
  for (unsigned position = 0; position < rank; ++position)
    (llvm::is_contained(batches, getLoop(position)) ? order : others)
        .push_back(position);
  order.append(others);
  return order;
}

/// Builds `op` with other `inputs`, indexed by `maps`, and the result
/// `written`. Orders the loops as the result, and behind them those that it
/// sums. In a product, exchanges the operands if the rows of the result are
/// then those of the first one.
static Value buildInOrder(PatternRewriter &rewriter, linalg::GenericOp op,
                          SmallVector<Value> inputs,
                          SmallVector<AffineMap> maps, Value written,
                          bool isProduct) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : maps.back().getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(loops, loop))
      loops.push_back(loop);
  bool isExchanged = isProduct && !maps[0].isFunctionOfDim(loops[0]) &&
                     maps[1].isFunctionOfDim(loops[0]);
  if (isExchanged) {
    std::swap(maps[0], maps[1]);
    std::swap(inputs[0], inputs[1]);
  }
  auto result = linalg::GenericOp::create(
      rewriter, op.getLoc(), written.getType(), inputs, written, maps,
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location, ValueRange args) {
        SmallVector<Value> values(args);
        if (isExchanged)
          std::swap(values[0], values[1]);
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments(), values);
        for (Operation &nested : *op.getBody())
          b.clone(nested, mapping);
      });
  (void)linalg::interchangeGenericOp(rewriter, result, loops);
  return result.getResult(0);
}

/// Builds a tensor with the dimensions of `tensor` in `order`.
static Value buildEmpty(OpBuilder &b, Location loc, Value tensor,
                        ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> all = tensor::getMixedSizes(b, loc, tensor);
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : order)
    sizes.push_back(all[dim]);
  return tensor::EmptyOp::create(b, loc, sizes,
                                 getElementTypeOrSelf(tensor.getType()));
}

/// Returns `tensor` with its dimensions in `order`, or null if it must be
/// copied for that. The op that computes it for one reader writes it so, and so
/// do the ops in front of it. In a product, rows and columns change places:
/// lanes store neighbouring columns, which then are adjacent in memory.
static Value rewriteInOrder(PatternRewriter &rewriter, Value tensor,
                            ArrayRef<int64_t> order, unsigned depth) {
  constexpr unsigned kMostOps = 8;
  auto source = tensor.getDefiningOp<linalg::GenericOp>();
  if (!source || !source.hasPureTensorSemantics() || depth == kMostOps ||
      source->getNumResults() != 1 || !tensor.hasOneUse())
    return Value();
  Value init = source.getDpsInits()[0];
  auto fill = init.getDefiningOp<linalg::FillOp>();
  bool isProduct =
      source.getNumReductionLoops() > 0 && fill &&
      linalg::isaContractionOpInterface(cast<LinalgOp>(source.getOperation()));
  if (!isProduct && !(source.isAllParallelLoops() &&
                      source.getRegionOutputArgs()[0].use_empty()))
    return Value();
  if (!source.getIndexingMapsArray().back().isProjectedPermutation())
    return Value();
  Location loc = source.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(source);
  Value written = buildEmpty(rewriter, loc, init, order);
  if (isProduct)
    written = linalg::FillOp::create(rewriter, loc, fill.value(), written)
                  .getResult(0);
  AffineMap permute = AffineMap::getPermutationMap(
      SmallVector<unsigned>(order.begin(), order.end()), rewriter.getContext());
  SmallVector<AffineMap> maps = source.getIndexingMapsArray();
  SmallVector<Value> inputs = source.getDpsInputs();
  if (!isProduct)
    for (auto [input, map] : llvm::zip_first(inputs, maps))
      if (map == maps.back())
        if (Value ordered = rewriteInOrder(rewriter, input, order, depth + 1)) {
          input = ordered;
          map = permute.compose(map);
        }
  maps.back() = permute.compose(maps.back());
  return buildInOrder(rewriter, source, inputs, maps, written, isProduct);
}

/// Returns `tensor` with its dimensions in `order`.
static Value reorder(PatternRewriter &rewriter, Value tensor,
                     ArrayRef<int64_t> order) {
  if (Value computed = rewriteInOrder(rewriter, tensor, order, /*depth=*/0))
    return computed;
  Location loc = tensor.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(tensor);
  Value empty = buildEmpty(rewriter, loc, tensor, order);
  AffineMap permute = AffineMap::getPermutationMap(
      SmallVector<unsigned>(order.begin(), order.end()), rewriter.getContext());
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  AffineMap identity = rewriter.getMultiDimIdentityMap(order.size());
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), tensor, empty,
             ArrayRef<AffineMap>{inversePermutation(permute), identity},
             iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args[0]);
             })
      .getResult(0);
}

namespace {
struct PutBatchesInFront : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<LinalgOp>(op.getOperation());
    if (!op.hasPureTensorSemantics() ||
        !linalg::isaContractionOpInterface(linalgOp))
      return rewriter.notifyMatchFailure(op, "no contraction of tensors");
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(linalgOp);
    if (failed(dims) || dims->batch.empty() || !isLarge(linalgOp, *dims))
      return rewriter.notifyMatchFailure(op, "reads no operand several times");
    SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getDpsInputs();
    bool changed = false;
    for (auto [input, map] : llvm::zip_first(inputs, maps)) {
      SmallVector<int64_t> order = getOrder(map, dims->batch, ranges);
      if (order.empty())
        continue;
      input = reorder(rewriter, input, order);
      SmallVector<unsigned> permutation(order.begin(), order.end());
      map = AffineMap::getPermutationMap(permutation, rewriter.getContext())
                .compose(map);
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "batches are not adjacent");
    rewriter.setInsertionPoint(op);
    auto ordered = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getDpsInits(),
        maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op.getRegion(), ordered.getRegion(),
                               ordered.getRegion().begin());
    rewriter.replaceOp(op, ordered);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateBatchOrderPatterns(RewritePatternSet &patterns) {
  patterns.add<PutBatchesInFront>(patterns.getContext());
}
