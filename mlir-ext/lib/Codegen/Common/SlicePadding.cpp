//===- SlicePadding.cpp - Padding that cuts elements off ------------------===//
//
// Rewrites padding by negative numbers as a slice and padding that is not
// negative. Upstream (22.1.8) handles such padding incorrectly: when it
// decomposes the op, it inserts the whole source, and its folder removes
// padding that shifts a tensor (patches/0017).
//
//===----------------------------------------------------------------------===//

#include "SlicePadding.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::hasNegativePadding(tensor::PadOp op, int64_t dim) {
  std::optional<int64_t> low = getConstantIntValue(op.getMixedLowPad()[dim]),
                         high = getConstantIntValue(op.getMixedHighPad()[dim]);
  if ((low && *low < 0) || (high && *high < 0))
    return true;
  int64_t source = op.getSourceType().getDimSize(dim),
          result = op.getResultType().getDimSize(dim);
  return ShapedType::isStatic(source) && ShapedType::isStatic(result) &&
         source + std::max(low.value_or(0), high.value_or(0)) > result;
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

/// Rewrites padding by dynamic numbers of which at least one is negative,
/// because the result is no larger than the source. Which side is negative may
/// be known only at run time. So both sides are padded by at least 0, and the
/// result is a slice of that.
static LogicalResult sliceShift(RewriterBase &rewriter, tensor::PadOp op) {
  if (op.getNofold())
    return rewriter.notifyMatchFailure(op, "it must not be folded");
  RankedTensorType type = op.getSourceType(), result = op.getResultType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  IndexAnalysis analysis;
  SmallVector<bool> cuts;
  auto isCut = [&](OpFoldResult padding) {
    return !getConstantIntValue(padding) &&
           analysis.isNonNegative(IndexPolynomial(0) - analysis.get(padding));
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isOneSided = isZeroInteger(low[dim]) || isZeroInteger(high[dim]);
    bool isShift =
        type.isDynamicDim(dim) || result.isDynamicDim(dim)
            ? !(getConstantIntValue(low[dim]) &&
                getConstantIntValue(high[dim])) &&
                  analysis.isNonNegative(IndexPolynomial(0) -
                                         analysis.get(low[dim]) -
                                         analysis.get(high[dim]))
            : type.getDimSize(dim) == result.getDimSize(dim) && !isOneSided;
    cuts.push_back(hasNegativePadding(op, dim) || isShift || isCut(low[dim]) ||
                   isCut(high[dim]));
  }
  if (!llvm::is_contained(cuts, true))
    return rewriter.notifyMatchFailure(op, "nothing is known to be cut off");

  Location loc = op.getLoc();
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
      strides(type.getRank(), rewriter.getIndexAttr(1)), sizes;
  SmallVector<int64_t> shape(result.getShape());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto atLeastZero = [&](Value number) -> Value {
    return arith::MaxSIOp::create(rewriter, loc, number, zero);
  };
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(rewriter, loc, lhs, rhs);
  };
  auto subtract = [&](Value lhs, Value rhs) -> Value {
    return arith::SubIOp::create(rewriter, loc, lhs, rhs);
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value before = getValueOrCreateConstantIndexOp(rewriter, loc, low[dim]),
          behind = getValueOrCreateConstantIndexOp(rewriter, loc, high[dim]);
    Value more = add(before, behind);
    if (result.isDynamicDim(dim)) {
      OpFoldResult size =
          tensor::getMixedSize(rewriter, loc, op.getSource(), dim);
      sizes.push_back(
          add(getValueOrCreateConstantIndexOp(rewriter, loc, size), more));
    } else {
      sizes.push_back(rewriter.getIndexAttr(result.getDimSize(dim)));
    }
    if (!cuts[dim])
      continue;
    shape[dim] = ShapedType::kDynamic;
    // Negative constants are slices already.
    Value padded = before, offset = zero;
    if (!getConstantIntValue(low[dim])) {
      low[dim] = padded = atLeastZero(before);
      offsets[dim] = offset = atLeastZero(subtract(zero, before));
    }
    high[dim] = atLeastZero(subtract(add(offset, more), padded));
  }
  auto padded = tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      op.getSource(), low, high);
  moveRegion(rewriter, op, padded, offsets);
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, result, padded,
                                                      offsets, sizes, strides);
  return success();
}

void mlir::linalg_ext::slicePadding(RewriterBase &rewriter, Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  // The second rewrite handles padding that the first one leaves.
  for (auto slice : {sliceNegativePadding, sliceShift}) {
    SmallVector<tensor::PadOp> pads;
    scope->walk([&](tensor::PadOp op) { pads.push_back(op); });
    for (tensor::PadOp op : pads) {
      rewriter.setInsertionPoint(op);
      (void)slice(rewriter, op);
    }
  }
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
