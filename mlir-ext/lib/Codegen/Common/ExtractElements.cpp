//===- ExtractElements.cpp - Single elements of results -------------------===//
//
// A loss reads one element of each row of a log-softmax, with a tensor.extract
// in a payload. Computing the whole log-softmax first would store as many
// elements as there are scores. If few elements of an elementwise result are
// read, this file computes them where they are read, from elements of the
// operands. Elements that are read at the position of the iteration become an
// operand.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExtractElements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `reader` is known to read at most 1 / `fewer` as many
/// elements as `producer` computes. It reads an element of a result of
/// `producer` in each iteration.
static bool readsFew(linalg::LinalgOp reader, linalg::LinalgOp producer,
                     int64_t fewer) {
  int64_t reads = fewer, elements = 1;
  for (int64_t range : reader.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return reader.getNumLoops() < producer.getNumLoops();
    reads *= range;
  }
  for (int64_t range : producer.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return reader.getNumLoops() < producer.getNumLoops();
    elements *= range;
  }
  return reads <= elements;
}

/// Returns whether all users of `producer` read single elements, so that no
/// other op needs its result.
static bool isOnlyExtracted(linalg::LinalgOp producer) {
  return llvm::all_of(producer->getUsers(), [](Operation *user) {
    return isa<tensor::ExtractOp, tensor::DimOp>(user);
  });
}

namespace {
/// An element of an elementwise result is computed from elements of operands.
struct ComputeExtracted : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getTensor().getDefiningOp<linalg::LinalgOp>();
    auto reader = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    if (!producer || !reader || !producer.hasPureTensorSemantics() ||
        !producer.isAllParallelLoops() || producer->getNumRegions() != 1 ||
        isa<linalg::FillOp>(producer))
      return rewriter.notifyMatchFailure(op, "is of no elementwise result");
    auto result = cast<OpResult>(op.getTensor());
    AffineMap map = producer.getIndexingMapMatchingResult(result);
    if (!map.isPermutation())
      return rewriter.notifyMatchFailure(op, "its place is not one iteration");
    if (!readsFew(reader, producer, isOnlyExtracted(producer) ? 1 : 2))
      return rewriter.notifyMatchFailure(op, "too many elements are read");

    // 1. The iteration, and what its payload is given.
    Location loc = op.getLoc();
    SmallVector<Value> iteration =
        applyPermutationMap<Value>(inversePermutation(map),
                                   llvm::to_vector_of<Value>(op.getIndices()));
    IRMapping mapping;
    for (OpOperand &operand : producer->getOpOperands()) {
      BlockArgument arg = producer.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      Value value = operand.get();
      if (isa<RankedTensorType>(value.getType())) {
        AffineMap map = producer.getMatchingIndexingMap(&operand);
        SmallVector<Value> indices;
        for (AffineExpr expr : map.getResults()) {
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            indices.push_back(iteration[dim.getPosition()]);
          else
            indices.push_back(affine::AffineApplyOp::create(
                rewriter, loc,
                AffineMap::get(map.getNumDims(), 0, expr), iteration));
        }
        value = tensor::ExtractOp::create(rewriter, loc, value, indices);
      }
      mapping.map(arg, value);
    }

    // 2. The payload.
    for (Operation &scalar : producer.getBlock()->without_terminator())
      if (auto index = dyn_cast<linalg::IndexOp>(scalar))
        mapping.map(index.getResult(), iteration[index.getDim()]);
      else
        rewriter.clone(scalar, mapping);
    Value yielded = producer.getBlock()->getTerminator()->getOperand(
        result.getResultNumber());
    rewriter.replaceOp(op, mapping.lookupOrDefault(yielded));
    return success();
  }
};
} // namespace

/// Whether dimension `dim` of `table` is known to be as long as `loop` of `op`.
static bool isAsLong(Value table, int64_t dim, linalg::LinalgOp op,
                     unsigned loop) {
  int64_t size = cast<RankedTensorType>(table.getType()).getDimSize(dim);
  int64_t range = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(size) || !ShapedType::isDynamic(range))
    return size == range;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [position, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (expr != getAffineDimExpr(loop, op->getContext()))
        continue;
      FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
          {table, dim}, {operand.get(), static_cast<int64_t>(position)});
      if (succeeded(equal) && *equal)
        return true;
    }
  }
  return false;
}

namespace {
/// An element at the position of the iteration is one of an operand.
struct ReadExtracted : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto reader = dyn_cast<linalg::GenericOp>(op->getParentOp());
    if (!reader || !reader.hasPureTensorSemantics() ||
        op.getTensor().getParentRegion() == op->getParentRegion())
      return rewriter.notifyMatchFailure(op, "is in no generic op on tensors");
    SmallVector<AffineExpr> exprs;
    for (auto [dim, value] : llvm::enumerate(op.getIndices())) {
      auto index = value.getDefiningOp<linalg::IndexOp>();
      if (!index || index->getParentOp() != reader.getOperation())
        return rewriter.notifyMatchFailure(op, "is not read by position");
      AffineExpr expr = rewriter.getAffineDimExpr(index.getDim());
      if (llvm::is_contained(exprs, expr) ||
          !isAsLong(op.getTensor(), dim, reader, index.getDim()))
        return rewriter.notifyMatchFailure(op, "reads a part only");
      exprs.push_back(expr);
    }
    unsigned number = reader.getNumDpsInputs();
    SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
    maps.insert(maps.begin() + number,
                AffineMap::get(reader.getNumLoops(), 0, exprs,
                               rewriter.getContext()));
    rewriter.modifyOpInPlace(reader, [&] {
      reader.getInputsMutable().append(op.getTensor());
      reader.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      reader.getBody()->insertArgument(number, op.getType(), op.getLoc());
    });
    rewriter.replaceOp(op, reader.getBody()->getArgument(number));
    return success();
  }
};
} // namespace

namespace {
/// Dimensions of size 1 have no part in where an element is.
struct ExtractFromExpanded : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getTensor().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand)
      return rewriter.notifyMatchFailure(op, "is of nothing that is expanded");
    SmallVector<Value> indices;
    for (const ReassociationIndices &group :
         expand.getReassociationIndices()) {
      SmallVector<int64_t> dims = llvm::filter_to_vector(
          group,
          [&](int64_t dim) { return expand.getType().getDimSize(dim) != 1; });
      if (dims.size() > 1)
        return rewriter.notifyMatchFailure(op, "a dimension is split");
      indices.push_back(op.getIndices()[dims.empty() ? group[0] : dims[0]]);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, expand.getSrc(),
                                                   indices);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateExtractElementsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ComputeExtracted, ReadExtracted, ExtractFromExpanded>(
      patterns.getContext());
}
