//===- ResolveViewRows.cpp - Loads of listed rows -------------------------===//
//
// A view of rows that a list names has no strides, so a pointer and strides
// cannot describe it. A load from it reads the coordinates of the row from the
// list, and then loads from the buffer that has the row.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

static MutableOperandRange getBuffer(memref::LoadOp op) {
  return op.getMemrefMutable();
}
static MutableOperandRange getBuffer(memref::PrefetchOp op) {
  return op.getMemrefMutable();
}
static MutableOperandRange getBuffer(vector::LoadOp op) {
  return op.getBaseMutable();
}
static MutableOperandRange getBuffer(vector::MaskedLoadOp op) {
  return op.getBaseMutable();
}

/// Returns whether vectors along the last dimension of `view` are vectors of
/// its source.
static bool hasContiguousRows(ViewRowsOp view) {
  int64_t rank = cast<MemRefType>(view.getSource().getType()).getRank();
  return !llvm::is_contained(view.getDims(), rank - 1);
}

namespace {
/// Reads the source of a view instead of the view.
template <typename OpTy>
struct ReadSource : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    MutableOperandRange buffer = getBuffer(op);
    Value read = buffer[0].get();
    auto view = read.getDefiningOp<ViewRowsOp>();
    if (!view)
      return rewriter.notifyMatchFailure(op, "it does not read listed rows");
    if (!std::is_same_v<OpTy, memref::LoadOp> &&
        !std::is_same_v<OpTy, memref::PrefetchOp> && !hasContiguousRows(view))
      return rewriter.notifyMatchFailure(op, "a vector crosses rows");
    Location loc = op.getLoc();
    SmallVector<Value> from(op.getIndices()),
        to(cast<MemRefType>(view.getSource().getType()).getRank());
    for (auto [number, dim] : llvm::enumerate(view.getDims())) {
      Value column = arith::ConstantIndexOp::create(rewriter, loc, number);
      to[dim] = memref::LoadOp::create(rewriter, loc, view.getList(),
                                       ValueRange{from.front(), column});
    }
    for (auto [number, dim] : llvm::enumerate(view.getDimsOfRow()))
      to[dim] = from[number + 1];
    rewriter.modifyOpInPlace(op, [&] {
      buffer.assign(view.getSource());
      op.getIndicesMutable().assign(to);
    });
    return success();
  }
};

/// A slice of a view becomes a view of slices: of the list, and of the source.
/// A slice of one row that drops the dimension of rows becomes a slice of the
/// source.
struct SliceViewRows : public OpRewritePattern<memref::SubViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::SubViewOp op,
                                PatternRewriter &rewriter) const override {
    auto view = op.getSource().getDefiningOp<ViewRowsOp>();
    if (!view)
      return rewriter.notifyMatchFailure(op, "it does not view listed rows");
    Location loc = op.getLoc();
    OpFoldResults offsets = op.getMixedOffsets(), sizes = op.getMixedSizes(),
                  strides = op.getMixedStrides();
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    llvm::SmallBitVector dropped = op.getDroppedDims();
    bool isOneRow = dropped.test(0);

    // 1. Slice the source.
    auto type = cast<MemRefType>(view.getSource().getType());
    OpFoldResults ofSizes =
        memref::getMixedSizes(rewriter, loc, view.getSource());
    OpFoldResults ofOffsets(ofSizes.size(), zero),
        ofStrides(ofSizes.size(), one);
    llvm::SmallBitVector ofDropped(ofSizes.size());
    for (auto [number, dim] : llvm::enumerate(view.getDimsOfRow())) {
      ofOffsets[dim] = offsets[number + 1];
      ofSizes[dim] = sizes[number + 1];
      ofStrides[dim] = strides[number + 1];
      ofDropped[dim] = dropped.test(number + 1);
    }
    if (isOneRow) {
      Value row =
          getValueOrCreateConstantIndexOp(rewriter, loc, offsets.front());
      for (auto [number, dim] : llvm::enumerate(view.getDims())) {
        Value column = arith::ConstantIndexOp::create(rewriter, loc, number);
        ofOffsets[dim] = memref::LoadOp::create(rewriter, loc, view.getList(),
                                                ValueRange{row, column})
                             .getResult();
        ofSizes[dim] = one;
        ofDropped.set(dim);
      }
    }
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(ofSizes))
      if (!ofDropped.test(dim))
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
    Value source = memref::SubViewOp::create(
        rewriter, loc,
        memref::SubViewOp::inferRankReducedResultType(shape, type, ofOffsets,
                                                      ofSizes, ofStrides),
        view.getSource(), ofOffsets, ofSizes, ofStrides);
    if (isOneRow) {
      rewriter.replaceOp(op, source);
      return success();
    }

    // 2. Slice the list.
    Value list = memref::SubViewOp::create(
        rewriter, loc, view.getList(), OpFoldResults{offsets.front(), zero},
        OpFoldResults{sizes.front(),
                      rewriter.getIndexAttr(view.getDims().size())},
        OpFoldResults{strides.front(), one});
    SmallVector<int64_t> dims;
    for (int64_t dim : view.getDims())
      dims.push_back(
          dim - llvm::count_if(ofDropped.set_bits(), [dim](unsigned other) {
            return int64_t(other) < dim;
          }));
    rewriter.replaceOp(op,
                       ViewRowsOp::create(rewriter, loc, source, list, dims));
    return success();
  }
};

/// A size of a view is a size of its list or of its source.
struct SizeOfViewRows : public OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto view = op.getSource().getDefiningOp<ViewRowsOp>();
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!view || !dim)
      return rewriter.notifyMatchFailure(op, "it is no size of listed rows");
    ReifiedRankedShapedTypeDims sizes;
    if (failed(view.reifyResultShapes(rewriter, sizes)))
      return failure();
    rewriter.replaceOp(op, getValueOrCreateConstantIndexOp(
                               rewriter, op.getLoc(), sizes.front()[*dim]));
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateResolveViewRowsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ReadSource<memref::LoadOp>, ReadSource<memref::PrefetchOp>,
               ReadSource<vector::LoadOp>, ReadSource<vector::MaskedLoadOp>,
               SliceViewRows, SizeOfViewRows>(patterns.getContext());
}
