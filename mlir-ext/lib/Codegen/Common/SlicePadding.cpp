//===- SlicePadding.cpp - Padding that cuts elements off ------------------===//
//
// Rewrites padding by numbers that are negative, or may be, as a slice and
// padding that is not negative. Upstream (22.1.8) handles such padding
// incorrectly: when it decomposes the op, it inserts the whole source, so that
// the program writes out of bounds, and its folder removes padding that shifts
// a tensor (patches/0017).
//
//===----------------------------------------------------------------------===//

#include "SlicePadding.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using Variable = ValueBoundsConstraintSet::Variable;

bool mlir::linalg_ext::isNonNegativePadding(tensor::PadOp op, int64_t dim,
                                            IndexAnalysis &analysis) {
  return llvm::all_of(
      ArrayRef{op.getMixedLowPad()[dim], op.getMixedHighPad()[dim]},
      [&](OpFoldResult number) {
        if (std::optional<int64_t> constant = getConstantIntValue(number))
          return *constant >= 0;
        // Bounds know quotients that are rounded up, polynomials products.
        return analysis.isNonNegative(analysis.get(number)) ||
               ValueBoundsConstraintSet::compare(
                   Variable(number), ValueBoundsConstraintSet::GE,
                   Variable(OpFoldResult(
                       IntegerAttr::get(IndexType::get(op.getContext()), 0))));
      });
}

/// Moves the region of `op` to `padded`. The result of `op` is the slice at
/// `offsets` of the result of `padded`.
static void moveRegion(RewriterBase &rewriter, tensor::PadOp op,
                       tensor::PadOp padded, ArrayRef<OpFoldResult> offsets) {
  Location loc = op.getLoc();
  rewriter.inlineRegionBefore(op.getRegion(), padded.getRegion(),
                              padded.getRegion().end());
  OpBuilder::InsertionGuard guard(rewriter);
  Block *body = &padded.getRegion().front();
  rewriter.setInsertionPointToStart(body);
  for (auto [position, offset] :
       llvm::zip_equal(body->getArguments(), offsets)) {
    if (position.use_empty() || isZeroInteger(offset))
      continue;
    auto before = arith::SubIOp::create(
        rewriter, loc, position,
        getValueOrCreateConstantIndexOp(rewriter, loc, offset));
    rewriter.replaceAllUsesExcept(position, before, before);
  }
}

/// Rewrites padding by negative constants. If only elements of the source are
/// cut off, the slice comes first.
static LogicalResult sliceNegativePadding(RewriterBase &rewriter,
                                          tensor::PadOp op) {
  RankedTensorType type = op.getSourceType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  auto takeNegative = [&](OpFoldResult &padding) -> int64_t {
    std::optional<int64_t> number = getConstantIntValue(padding);
    if (!number || *number >= 0)
      return 0;
    padding = rewriter.getIndexAttr(0);
    return -*number;
  };
  SmallVector<int64_t> first, cut;
  for (auto [before, behind] : llvm::zip_equal(low, high)) {
    first.push_back(takeNegative(before));
    cut.push_back(first.back() + takeNegative(behind));
  }
  if (llvm::all_of(cut, [](int64_t number) { return number == 0; }))
    return rewriter.notifyMatchFailure(op, "no padding is negative");
  // A slice with no elements may be invalid, because its offset is not inside.
  Location loc = op.getLoc();
  if (llvm::is_contained(op.getResultType().getShape(), 0)) {
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return rewriter.notifyMatchFailure(op, "its size is not known");
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, sizes.front(),
                                                 type.getElementType());
    return success();
  }
  // The padding of one side may be cut off from the other side.
  bool isOfSource = !llvm::is_contained(type.getShape(), 0);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (cut[dim] > 0)
      isOfSource &= ShapedType::isStatic(type.getDimSize(dim))
                        ? type.getDimSize(dim) > cut[dim]
                        : isZeroInteger(low[dim]) && isZeroInteger(high[dim]);

  auto cutOff = [&](Value source, RankedTensorType result) -> Value {
    SmallVector<OpFoldResult> offsets, sizes,
        strides(type.getRank(), rewriter.getIndexAttr(1));
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      offsets.push_back(rewriter.getIndexAttr(first[dim]));
      // The type of a result may have more static sizes than that of the
      // source.
      if (result && !result.isDynamicDim(dim)) {
        sizes.push_back(rewriter.getIndexAttr(result.getDimSize(dim)));
        continue;
      }
      sizes.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, size - cut[dim],
          {tensor::getMixedSize(rewriter, loc, source, dim)}));
    }
    if (result)
      return tensor::ExtractSliceOp::create(rewriter, loc, result, source,
                                            offsets, sizes, strides);
    return tensor::ExtractSliceOp::create(rewriter, loc, source, offsets, sizes,
                                          strides);
  };
  auto pad = [&](Value source, RankedTensorType result,
                 ArrayRef<int64_t> offsets) -> Value {
    auto padded = tensor::PadOp::create(rewriter, loc, result, source, low,
                                        high, op.getNofold());
    moveRegion(rewriter, op, padded,
               getAsIndexOpFoldResult(rewriter.getContext(), offsets));
    return padded;
  };
  if (isOfSource) {
    Value slice = cutOff(op.getSource(), nullptr);
    SmallVector<int64_t> noOffsets(type.getRank(), 0);
    rewriter.replaceOp(op, pad(slice, op.getResultType(), noOffsets));
    return success();
  }
  RankedTensorType padded = tensor::PadOp::inferResultType(
      type, decomposeMixedValues(low).first, decomposeMixedValues(high).first);
  rewriter.replaceOp(
      op, cutOff(pad(op.getSource(), padded, first), op.getResultType()));
  return success();
}

namespace {
/// What one dimension of a padding has: elements of the padding, a slice of the
/// source, elements of the padding.
struct ClippedDim {
  OpFoldResult low, offset, size, high;
};
} // namespace

/// Returns what is in the result of `op` along `dim`, for numbers of any sign.
/// Nothing returned is negative.
static ClippedDim clipDim(RewriterBase &rewriter, tensor::PadOp op,
                          int64_t dim) {
  Location loc = op.getLoc();
  OpFoldResult zero = rewriter.getIndexAttr(0), low = op.getMixedLowPad()[dim],
               high = op.getMixedHighPad()[dim],
               source =
                   tensor::getMixedSize(rewriter, loc, op.getSource(), dim);
  AffineExpr a = rewriter.getAffineSymbolExpr(0),
             b = rewriter.getAffineSymbolExpr(1),
             c = rewriter.getAffineSymbolExpr(2),
             none = rewriter.getAffineConstantExpr(0);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, operands);
  };
  auto getMin = [&](OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineMin(
        rewriter, loc, AffineMap::get(0, 2, {a, b}, op.getContext()),
        {lhs, rhs});
  };
  auto atLeastZero = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMax(
        rewriter, loc,
        AffineMap::get(0, operands.size(), {none, expr}, op.getContext()),
        operands);
  };
  // Of a number that is cut off, there are at most `most`.
  auto clip = [&](OpFoldResult number, OpFoldResult most) -> OpFoldResult {
    if (std::optional<int64_t> constant = getConstantIntValue(number);
        constant && *constant <= 0)
      return zero;
    return atLeastZero(a, {getMin(number, most)});
  };
  auto result = op.getResultType();
  OpFoldResult size =
      result.isDynamicDim(dim)
          ? apply(a + b + c, {low, source, high})
          : OpFoldResult(rewriter.getIndexAttr(result.getDimSize(dim)));
  ClippedDim clipped;
  clipped.low = clip(low, size);
  clipped.high = clip(high, size);
  clipped.offset = clip(apply(-a, {low}), source);
  OpFoldResult end =
      isZeroInteger(high) ? size : getMin(apply(a + b, {low, source}), size);
  OpFoldResult begin = isZeroInteger(low) ? zero : atLeastZero(a, {low});
  clipped.size = atLeastZero(a - b, {end, begin});
  // Three numbers and the size of the result say the fourth one.
  auto derive = [&](OpFoldResult &number, OpFoldResult other) {
    if (getConstantIntValue(other) && getConstantIntValue(clipped.size) &&
        getConstantIntValue(size))
      number = apply(a - b - c, {size, other, clipped.size});
  };
  derive(clipped.high, clipped.low);
  derive(clipped.low, clipped.high);
  return clipped;
}

tensor::PadOp mlir::linalg_ext::clipPadding(RewriterBase &rewriter,
                                            tensor::PadOp op) {
  RankedTensorType type = op.getSourceType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad(),
                            offsets(type.getRank(), rewriter.getIndexAttr(0)),
                            strides(type.getRank(), rewriter.getIndexAttr(1)),
                            sizes = tensor::getMixedSizes(rewriter, op.getLoc(),
                                                          op.getSource());
  IndexAnalysis analysis;
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!isNonNegativePadding(op, dim, analysis))
      dims.push_back(dim);
  if (dims.empty())
    return op;
  for (int64_t dim : dims) {
    ClippedDim clipped = clipDim(rewriter, op, dim);
    low[dim] = clipped.low;
    high[dim] = clipped.high;
    offsets[dim] = clipped.offset;
    sizes[dim] = clipped.size;
  }
  // A slice of no elements, or of a tensor that has none, may be invalid.
  Value slice;
  if (llvm::is_contained(type.getShape(), 0) ||
      llvm::any_of(sizes, isZeroInteger))
    slice = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                    type.getElementType());
  else
    slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), op.getSource(), offsets, sizes, strides);
  auto clipped =
      tensor::PadOp::create(rewriter, op.getLoc(), op.getResultType(), slice,
                            low, high, op.getNofold());
  // An element keeps its position.
  rewriter.inlineRegionBefore(op.getRegion(), clipped.getRegion(),
                              clipped.getRegion().end());
  rewriter.replaceOp(op, clipped);
  return clipped;
}

void mlir::linalg_ext::slicePadding(RewriterBase &rewriter, Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto forEach = [&](function_ref<void(tensor::PadOp)> rewrite) {
    SmallVector<tensor::PadOp> pads;
    scope->walk([&](tensor::PadOp op) { pads.push_back(op); });
    for (tensor::PadOp op : pads) {
      rewriter.setInsertionPoint(op);
      rewrite(op);
    }
  };
  forEach([&](tensor::PadOp op) { (void)sliceNegativePadding(rewriter, op); });
  forEach([&](tensor::PadOp op) { clipPadding(rewriter, op); });
}

namespace {
struct SliceOfNegativePadding : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    return sliceNegativePadding(rewriter, op);
  }
};
} // namespace

void mlir::linalg_ext::populateSlicePaddingPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SliceOfNegativePadding>(patterns.getContext());
}
