//===- BoundTensorEmpty.cpp - Static temporaries in loops -----------------===//
//
// A tile at the border of an iteration space has a dynamic size, and so have
// the tensors that are computed in it. They would bufferize to an allocation in
// each iteration. The tile sizes are upper bounds of their sizes. This step
// therefore replaces such a tensor.empty by a slice of a static tensor.empty of
// the largest size, whose buffer can be hoisted out of the loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Support/OutputShapes.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct BoundTensorEmpty : public OpRewritePattern<tensor::EmptyOp> {
  BoundTensorEmpty(MLIRContext *context, int64_t maxBytes)
      : OpRewritePattern(context), maxBytes(maxBytes) {}

  LogicalResult matchAndRewrite(tensor::EmptyOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "is static");
    if (!op->getParentOfType<LoopLikeOpInterface>())
      return rewriter.notifyMatchFailure(op, "is not in a loop");
    if (!op.getType().getElementType().isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "the element size is not known");

    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    SmallVector<int64_t> bounds;
    int64_t bytes = llvm::divideCeil(op.getType().getElementTypeBitWidth(), 8);
    for (OpFoldResult size : sizes) {
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
          kClosedUpperBound);
      if (failed(bound))
        return rewriter.notifyMatchFailure(op, "a size has no constant bound");
      bounds.push_back(std::max<int64_t>(*bound, 1));
      if (bounds.back() > maxBytes / bytes)
        return rewriter.notifyMatchFailure(op, "the bound is too large");
      bytes *= bounds.back();
    }

    auto empty = tensor::EmptyOp::create(rewriter, op.getLoc(), bounds,
                                         op.getType().getElementType(),
                                         op.getType().getEncoding());
    SmallVector<OpFoldResult> offsets(bounds.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(bounds.size(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, op.getType(), empty, offsets, sizes, strides);
    return success();
  }

  int64_t maxBytes;
};
} // namespace

void mlir::linalg_ext::populateBoundTensorEmptyPatterns(
    RewritePatternSet &patterns, int64_t maxBytes) {
  patterns.add<BoundTensorEmpty>(patterns.getContext(), maxBytes);
}

LogicalResult mlir::linalg_ext::boundTensorEmpty(Operation *scope,
                                                 int64_t maxBytes) {
  // First shrink tensors to the slices that are used. In the same set,
  // upstream's pattern for this would undo ours.
  RewritePatternSet shrink(scope->getContext());
  linalg_ext::populateFoldTensorEmptyPatterns(shrink);
  RewritePatternSet bound(scope->getContext());
  populateBoundTensorEmptyPatterns(bound, maxBytes);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  if (failed(applyPatternsGreedily(scope, std::move(shrink), config)))
    return failure();
  return applyPatternsGreedily(scope, std::move(bound), config);
}
