//===- SliceMovements.cpp - Slices of what is only moved ------------------===//
//
// Queries, keys and values come out of one product, as slices of it; importers
// transpose all of it at once. What is transposed once for all slices would be
// moved before anything is computed.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/SliceMovements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Where the elements come from of `op`, if all it does is to move them: for
/// each dimension of the source that of the result. Empty otherwise.
static std::optional<SmallVector<int64_t>> getMovement(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return std::nullopt;
  auto yield = dyn_cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  if (!yield || yield.getOperand(0) != op.getBlock()->getArgument(0) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  SmallVector<int64_t> dims;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(dims, dim.getPosition()))
      return std::nullopt;
    dims.push_back(dim.getPosition());
  }
  return dims;
}

namespace {
struct SliceMovement : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSource().getDefiningOp<linalg::LinalgOp>();
    std::optional<SmallVector<int64_t>> movement =
        producer ? getMovement(producer) : std::nullopt;
    if (!movement)
      return rewriter.notifyMatchFailure(op, "not of what is only moved");
    auto reassociation = getReassociationIndicesForCollapse(
        tensor::ExtractSliceOp::inferResultType(op.getSourceType(),
                                                op.getStaticSizes())
            .getShape(),
        op.getType().getShape());
    bool isReduced = op.getType().getRank() != op.getSourceType().getRank();
    if (isReduced && !reassociation)
      return rewriter.notifyMatchFailure(op, "drops dimensions somehow");

    // 1. The slice of the source.
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (int64_t dim : *movement) {
      offsets.push_back(op.getMixedOffsets()[dim]);
      sizes.push_back(op.getMixedSizes()[dim]);
      strides.push_back(op.getMixedStrides()[dim]);
    }
    Location loc = op.getLoc();
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, loc, producer.getDpsInputs()[0], offsets, sizes, strides);

    // 2. It is moved as the whole was.
    Value empty = tensor::EmptyOp::create(rewriter, loc, op.getMixedSizes(),
                                          op.getSourceType().getElementType());
    auto moved = linalg::GenericOp::create(
        rewriter, producer.getLoc(), empty.getType(), slice, empty,
        producer.getIndexingMapsArray(), producer.getIteratorTypesArray());
    rewriter.cloneRegionBefore(producer->getRegion(0), moved.getRegion(),
                               moved.getRegion().begin());
    Value result = moved.getResult(0);
    if (isReduced)
      result = tensor::CollapseShapeOp::create(rewriter, loc, op.getType(),
                                               result, *reassociation);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateSliceMovementPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SliceMovement>(patterns.getContext());
}
