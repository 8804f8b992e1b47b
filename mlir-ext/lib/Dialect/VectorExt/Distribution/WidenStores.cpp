//===- WidenStores.cpp - Stores of unpacked elements ----------------------===//
//
// Two integers of 4 bits of each byte are a dimension of their own. A thread
// that stores such pairs stores 4 bytes at a time, and loads single bytes.
// Where rows of them are contiguous in memory, the dimension is merged with the
// one in front until an access has 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::getElementBits;

/// Returns `index` times `factor`.
static Value multiply(OpBuilder &b, Location loc, Value index, int64_t factor) {
  OpFoldResult product = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) * factor, {OpFoldResult(index)});
  return getValueOrCreateConstantIndexOp(b, loc, product);
}

/// Whether `write` has no mask, or one of the first rows along each dimension
/// but the last one.
static bool writesWholeRows(vector::TransferWriteOp write) {
  if (!write.getMask())
    return true;
  auto create = write.getMask().getDefiningOp<vector::CreateMaskOp>();
  return create && getConstantIntValue(create.getOperands().back()) ==
                       write.getVectorType().getShape().back();
}

namespace {
/// Merges the last two dimensions of what a write stores.
struct MergeLastDims : public OpRewritePattern<vector::TransferWriteOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::TransferWriteOp write,
                                PatternRewriter &rewriter) const override {
    VectorType type = write.getVectorType();
    auto memref = dyn_cast<MemRefType>(write.getBase().getType());
    int64_t rank = type.getRank();
    if (!memref || rank < 2 || write.hasOutOfBoundsDim() ||
        !writesWholeRows(write) ||
        type.getShape().back() * getElementBits(type) >= kAccessBits ||
        !storesUnpacked(write))
      return rewriter.notifyMatchFailure(
          write, "stores no rows of unpacked elements that are all inside");
    int64_t last = memref.getRank() - 1;
    if (memref.getDimSize(last) != type.getShape().back() ||
        getConstantIntValue(write.getIndices().back()) != 0)
      return rewriter.notifyMatchFailure(write, "stores a part of the rows");
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < last; ++dim)
      groups.push_back({dim});
    groups.back().push_back(last);
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(memref, groups))
      return rewriter.notifyMatchFailure(write, "the rows are not contiguous");
    Location loc = write.getLoc();
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.back() *= type.getShape().back();
    Value stored = write.getVector();
    // Merged dimensions are one reshape.
    if (auto merge = stored.getDefiningOp<vector::ShapeCastOp>())
      stored = merge.getSource();
    stored = vector::ShapeCastOp::create(
        rewriter, loc, VectorType::get(shape, type.getElementType()), stored);
    Value merged =
        memref::CollapseShapeOp::create(rewriter, loc, write.getBase(), groups);
    int64_t row = type.getShape().back();
    SmallVector<Value> indices(write.getIndices().drop_back());
    indices.back() = multiply(rewriter, loc, indices.back(), row);
    Value mask;
    if (auto create =
            write.getMask()
                ? write.getMask().getDefiningOp<vector::CreateMaskOp>()
                : nullptr) {
      SmallVector<Value> sizes(create.getOperands().drop_back());
      sizes.back() = multiply(rewriter, loc, sizes.back(), row);
      mask = vector::CreateMaskOp::create(
          rewriter, loc, VectorType::get(shape, rewriter.getI1Type()), sizes);
    }
    SmallVector<bool> inBounds(shape.size(), true);
    rewriter.replaceOpWithNewOp<vector::TransferWriteOp>(
        write, stored, merged, indices,
        AffineMapAttr::get(
            rewriter.getMultiDimIdentityMap(last).getMinorSubMap(shape.size())),
        mask, rewriter.getBoolArrayAttr(inBounds));
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateWidenStoresPatterns(
    RewritePatternSet &patterns) {
  patterns.add<MergeLastDims>(patterns.getContext());
}
