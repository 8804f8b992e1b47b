//===- ResolveExpandShape.cpp - Lowering of expand_shape ------------------===//
//
// A reshape may split a tiled dimension into several dynamic sizes: the
// remaining rows and a dynamic head dimension. Upstream's
// `expand-strided-metadata` (22.1.8) crashes on such a `memref.expand_shape`,
// although the op states its sizes. This file lowers it to
// `memref.reinterpret_cast` first.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ResolveExpandShape.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::resolveExpandShape(RewriterBase &rewriter,
                                          memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  auto [typeStrides, typeOffset] = type.getStridesAndOffset();
  Value buffer = op.getSrc();
  OpFoldResult offset;
  SmallVector<OpFoldResult> strides(sizes.size());
  if (ShapedType::isDynamic(typeOffset) ||
      llvm::any_of(typeStrides, ShapedType::isDynamic)) {
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, buffer);
    buffer = source.getBaseBuffer();
    offset = source.getConstifiedMixedOffset();
    AffineExpr lhs, rhs;
    bindSymbols(rewriter.getContext(), lhs, rhs);
    for (auto [group, stride] :
         llvm::zip_equal(op.getReassociationIndices(),
                         source.getConstifiedMixedStrides())) {
      OpFoldResult current = stride;
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = current;
        current = affine::makeComposedFoldedAffineApply(
            rewriter, loc, lhs * rhs, {current, sizes[dim]});
      }
    }
  }
  // Static sizes of the type must also be static in the op.
  for (auto [values, known] : {std::pair(&strides, ArrayRef(typeStrides)),
                               std::pair(&sizes, type.getShape())})
    for (auto [value, number] : llvm::zip_equal(*values, known))
      if (!ShapedType::isDynamic(number))
        value = rewriter.getIndexAttr(number);
  if (!ShapedType::isDynamic(typeOffset))
    offset = rewriter.getIndexAttr(typeOffset);
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, buffer, offset, sizes, strides);
}

namespace {
struct ResolveExpandShape : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    auto isDynamic = [&](int64_t dim) { return type.isDynamicDim(dim); };
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    if (llvm::none_of(groups, [&](ArrayRef<int64_t> group) {
          return llvm::count_if(group, isDynamic) > 1;
        }))
      return rewriter.notifyMatchFailure(
          op,
          "expected a dimension that is split into several of dynamic size");
    resolveExpandShape(rewriter, op);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateResolveExpandShapePatterns(
    RewritePatternSet &patterns) {
  patterns.add<ResolveExpandShape>(patterns.getContext());
}
