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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
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

/// Returns `tensor` with its dimensions in `order`. The op that computes it for
/// one reader writes it so.
static Value reorder(PatternRewriter &rewriter, Value tensor,
                     ArrayRef<int64_t> order) {
  auto source = tensor.getDefiningOp<linalg::GenericOp>();
  bool isComputed = source && source.hasPureTensorSemantics() &&
                    source->getNumResults() == 1 &&
                    source.isAllParallelLoops() && tensor.hasOneUse() &&
                    source.getRegionOutputArgs()[0].use_empty();
  Location loc = tensor.getLoc();
  MLIRContext *context = rewriter.getContext();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(tensor);
  if (isComputed)
    rewriter.setInsertionPoint(source);
  SmallVector<OpFoldResult> all = tensor::getMixedSizes(
      rewriter, loc, isComputed ? source.getDpsInits()[0] : tensor);
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : order)
    sizes.push_back(all[dim]);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, sizes,
      cast<RankedTensorType>(tensor.getType()).getElementType());
  SmallVector<unsigned> permutation(order.begin(), order.end());
  AffineMap permute = AffineMap::getPermutationMap(permutation, context);
  if (isComputed) {
    SmallVector<AffineMap> maps = source.getIndexingMapsArray();
    maps.back() = permute.compose(maps.back());
    auto written = linalg::GenericOp::create(rewriter, loc, empty.getType(),
                                             source.getDpsInputs(), empty, maps,
                                             source.getIteratorTypesArray());
    rewriter.cloneRegionBefore(source.getRegion(), written.getRegion(),
                               written.getRegion().begin());
    return written.getResult(0);
  }
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
