//===- OutputShapes.cpp - The sizes of expanded tensors -------------------===//
//
// See OutputShapes.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static void takeStaticSizes(Builder &b, ArrayRef<int64_t> shape,
                            MutableArrayRef<OpFoldResult> sizes) {
  for (auto [size, known] : llvm::zip_equal(sizes, shape))
    if (ShapedType::isStatic(known))
      size = b.getIndexAttr(known);
}

SmallVector<OpFoldResult>
mlir::linalg_ext::getOutputShape(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  Builder b(op.getContext());
  takeStaticSizes(b, op.getResultType().getShape(), sizes);
  return sizes;
}

LogicalResult
mlir::linalg_ext::reifyTypedResultShapes(OpBuilder &b, Operation *op,
                                         ReifiedRankedShapedTypeDims &shapes) {
  if (failed(reifyResultShapes(b, op, shapes)))
    return failure();
  for (auto [sizes, type] : llvm::zip_equal(shapes, op->getResultTypes()))
    takeStaticSizes(b, cast<ShapedType>(type).getShape(), sizes);
  return success();
}

namespace {
struct TakeSizesOfType : public OpRewritePattern<tensor::ExpandShapeOp> {
  explicit TakeSizesOfType(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> said(op.getStaticOutputShape());
    for (auto [size, known] :
         llvm::zip_equal(said, op.getResultType().getShape()))
      if (ShapedType::isStatic(size) && ShapedType::isStatic(known))
        size = known;
    if (ArrayRef(said) == op.getStaticOutputShape())
      return rewriter.notifyMatchFailure(op, "both say the same");
    rewriter.modifyOpInPlace(op, [&] { op.setStaticOutputShape(said); });
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateFoldTensorEmptyPatterns(
    RewritePatternSet &patterns) {
  patterns.add<TakeSizesOfType>(patterns.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
}
