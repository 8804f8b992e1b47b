//===- SlicePadding.cpp - Padding that cuts elements off ------------------===//
//
// Negative padding is a slice, and padding that is not negative. Upstream
// (22.1.8) inserts the whole source all the same where it decomposes padding,
// and folds padding that shifts a tensor away (patches/0017).
//
//===----------------------------------------------------------------------===//

#include "SlicePadding.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Moves the region of `op` to `padded`, of whose result the elements from
/// `offsets` on are the result of `op`.
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

/// Rewrites padding by negative constants. The slice comes first where only
/// elements of the source are cut off.
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
  // Padding of a side may be cut off from the other one.
  bool isOfSource = true;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (cut[dim] > 0)
      isOfSource &= ShapedType::isStatic(type.getDimSize(dim))
                        ? type.getDimSize(dim) >= cut[dim]
                        : isZeroInteger(low[dim]) && isZeroInteger(high[dim]);

  Location loc = op.getLoc();
  auto cutOff = [&](Value source, RankedTensorType result) -> Value {
    SmallVector<OpFoldResult> offsets, sizes,
        strides(type.getRank(), rewriter.getIndexAttr(1));
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      offsets.push_back(rewriter.getIndexAttr(first[dim]));
      // The type of a result may know more than that of the source.
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

/// Padding of both sides that keeps a static size shifts the source: one side
/// is cut off by as much as the other side is padded. Which one it is may be
/// known only at run time: then both sides are padded by what is not negative,
/// and the result is a slice of that.
static LogicalResult sliceShift(RewriterBase &rewriter, tensor::PadOp op) {
  RankedTensorType type = op.getSourceType();
  if (op.getNofold() || !type.hasStaticShape() || type != op.getResultType())
    return rewriter.notifyMatchFailure(op, "the size changes");
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
      strides(type.getRank(), rewriter.getIndexAttr(1)), sizes;
  SmallVector<int64_t> shape(type.getShape());
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto atLeastZero = [&](Value number) -> Value {
    return arith::MaxSIOp::create(rewriter, loc, number, zero);
  };
  bool anyShifted = false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    sizes.push_back(rewriter.getIndexAttr(shape[dim]));
    if (isZeroInteger(low[dim]) || isZeroInteger(high[dim]))
      continue;
    anyShifted = true;
    shape[dim] = ShapedType::kDynamic;
    Value before = getValueOrCreateConstantIndexOp(rewriter, loc, low[dim]);
    low[dim] = atLeastZero(before);
    high[dim] = offsets[dim] =
        atLeastZero(arith::SubIOp::create(rewriter, loc, zero, before));
  }
  if (!anyShifted)
    return rewriter.notifyMatchFailure(op, "nothing is shifted");
  auto padded = tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      op.getSource(), low, high);
  moveRegion(rewriter, op, padded, offsets);
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, type, padded, offsets,
                                                      sizes, strides);
  return success();
}

void mlir::linalg_ext::slicePadding(RewriterBase &rewriter, Operation *scope) {
  SmallVector<tensor::PadOp> pads;
  scope->walk([&](tensor::PadOp op) { pads.push_back(op); });
  OpBuilder::InsertionGuard guard(rewriter);
  for (tensor::PadOp op : pads) {
    rewriter.setInsertionPoint(op);
    if (failed(sliceNegativePadding(rewriter, op)))
      (void)sliceShift(rewriter, op);
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
