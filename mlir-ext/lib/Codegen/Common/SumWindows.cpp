//===- SumWindows.cpp - Windows of few elements ---------------------------===//
//
// A depthwise convolution reduces a window for each element of its result. If a
// loop reduced it, a tile would be gathered element by element, or have few
// elements in the dimension of the window. If the window has few elements, the
// op is elementwise instead, on slices of the tensor:
//
//   y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2]
//
// Its tiles are contiguous, it is fused with elementwise ops on either side,
// and reads what is in front of the first element of a sequence where it is:
// padding and a state of earlier elements are not stored next to the sequence.
//
//===----------------------------------------------------------------------===//

#include "SumWindows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most elements of a window: 3 x 3. Each is an operand, and an
/// instruction.
static constexpr int64_t kMostElements = 9;

namespace {
/// Where an operand is read for one element of the windows: at `offsets`, and
/// from there on along the loops of `map`.
struct ReadSlice {
  SmallVector<int64_t> offsets;
  AffineMap map;
};
} // namespace

/// Returns where `map` reads if its loops are `loops`: new loops, and constants
/// for those of the window. Fails unless each dimension is read by one loop
/// from an offset on, or at one position.
static FailureOr<ReadSlice> getSlice(AffineMap map, ArrayRef<AffineExpr> loops,
                                     unsigned numLoops) {
  MLIRContext *context = map.getContext();
  AffineMap at = map.replaceDimsAndSymbols(loops, {}, numLoops, 0);
  ReadSlice slice;
  SmallVector<AffineExpr> exprs;
  llvm::SmallBitVector seen(numLoops);
  for (AffineExpr expr : at.getResults()) {
    expr = simplifyAffineExpr(expr, numLoops, 0);
    auto offset = dyn_cast<AffineConstantExpr>(expr);
    AffineExpr loop = getAffineConstantExpr(0, context);
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
        sum && sum.getKind() == AffineExprKind::Add) {
      offset = dyn_cast<AffineConstantExpr>(sum.getRHS());
      loop = sum.getLHS();
    } else if (!offset) {
      offset = cast<AffineConstantExpr>(loop);
      loop = expr;
    }
    auto dim = dyn_cast<AffineDimExpr>(loop);
    if (!offset || offset.getValue() < 0 ||
        (!dim && !isa<AffineConstantExpr>(loop)) ||
        (dim && seen.test(dim.getPosition())))
      return failure();
    if (dim)
      seen.set(dim.getPosition());
    slice.offsets.push_back(offset.getValue());
    exprs.push_back(loop);
  }
  slice.map = AffineMap::get(numLoops, 0, exprs, context);
  return slice;
}

namespace {
struct SumFewElements : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// Returns the positions of the elements of a window: values for all loops of
/// `op` along which it reduces, from the first element to the last. Returns
/// none if there are too many, or one.
static SmallVector<SmallVector<int64_t>> getElements(linalg::LinalgOp op) {
  SmallVector<SmallVector<int64_t>> elements{{}};
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned loop : reductions) {
    if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] > kMostElements)
      return {};
    SmallVector<SmallVector<int64_t>> longer;
    for (ArrayRef<int64_t> element : elements)
      for (int64_t at = 0; at < ranges[loop]; ++at)
        llvm::append_range(longer.emplace_back(element), ArrayRef(at));
    elements = std::move(longer);
    if (elements.size() > kMostElements)
      return {};
  }
  if (elements.size() < 2)
    return {};
  return elements;
}

/// Returns where `op` reads its operands `used` for each of `elements`. Fails
/// if these are no slices, or if none is a window that all parallel loops read:
/// in a product of matrices, windows are read for several columns.
static FailureOr<SmallVector<SmallVector<ReadSlice>>>
getSlices(linalg::LinalgOp op, ArrayRef<OpOperand *> used,
          ArrayRef<SmallVector<int64_t>> elements) {
  unsigned numLoops = op.getNumParallelLoops();
  bool hasWindow = false;
  SmallVector<SmallVector<ReadSlice>> slices;
  for (ArrayRef<int64_t> element : elements) {
    SmallVector<AffineExpr> loops;
    unsigned next = 0, reduced = 0;
    for (utils::IteratorType iterator : op.getIteratorTypesArray())
      loops.push_back(
          linalg::isReductionIterator(iterator)
              ? getAffineConstantExpr(element[reduced++], op.getContext())
              : getAffineDimExpr(next++, op.getContext()));
    SmallVector<ReadSlice> &ofElement = slices.emplace_back();
    for (OpOperand *operand : used) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      FailureOr<ReadSlice> slice = getSlice(map, loops, numLoops);
      if (failed(slice))
        return failure();
      hasWindow |=
          llvm::any_of(map.getResults(), llvm::IsaPred<AffineBinaryOpExpr>) &&
          llvm::all_of(llvm::seq(0u, numLoops), [&](unsigned loop) {
            return slice->map.isFunctionOfDim(loop);
          });
      ofElement.push_back(*slice);
    }
  }
  if (!hasWindow)
    return failure();
  return slices;
}

/// Returns a tensor that is the slice of `tensor` at `offsets` of the sizes
/// `sizes`: `tensor`, or what it pads. Returns null if the slice is neither.
static Value getWhole(Value tensor, ArrayRef<int64_t> offsets,
                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> from(offsets.size(),
                                 Builder(tensor.getContext()).getIndexAttr(0));
  if (auto pad = tensor.getDefiningOp<tensor::PadOp>();
      pad && !pad.getNofold()) {
    tensor = pad.getSource();
    from = pad.getMixedLowPad();
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) ||
        getConstantIntValue(from[dim]) != offsets[dim] ||
        getConstantIntValue(sizes[dim]) != type.getDimSize(dim))
      return {};
  return tensor;
}

LogicalResult SumFewElements::matchAndRewrite(linalg::LinalgOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.hasIndexSemantics() || op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "reduces nothing");
  OpOperand *output = op.getDpsInitOperand(0);
  AffineMap outputMap = op.getMatchingIndexingMap(output);
  SmallVector<OpOperand *> used =
      llvm::filter_to_vector(op.getDpsInputOperands(), [&](OpOperand *operand) {
        return !op.getMatchingBlockArgument(operand).use_empty();
      });
  SmallVector<SmallVector<int64_t>> elements = getElements(op);
  if (elements.empty() ||
      outputMap.getNumResults() != op.getNumParallelLoops() ||
      llvm::any_of(used, [](OpOperand *operand) {
        auto type = dyn_cast<RankedTensorType>(operand->get().getType());
        return !type || type.getEncoding();
      }))
    return rewriter.notifyMatchFailure(op, "windows are not small");
  FailureOr<SmallVector<SmallVector<ReadSlice>>> slices =
      getSlices(op, used, elements);
  if (failed(slices))
    return rewriter.notifyMatchFailure(op, "reads no windows, or columns");

  // 1. The sizes of the loops are those of the result.
  Location loc = op.getLoc();
  unsigned numLoops = op.getNumParallelLoops();
  SmallVector<AffineExpr> loops;
  unsigned next = 0;
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    loops.push_back(linalg::isReductionIterator(iterator)
                        ? rewriter.getAffineConstantExpr(0)
                        : rewriter.getAffineDimExpr(next++));
  AffineMap resultMap = outputMap.replaceDimsAndSymbols(loops, {}, numLoops, 0);
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(rewriter, loc, output->get());
  auto getSize = [&](AffineExpr expr) -> OpFoldResult {
    std::optional<unsigned> dim = resultMap.getResultPosition(expr);
    return dim ? shape[*dim] : OpFoldResult(rewriter.getIndexAttr(1));
  };

  // 2. Read the slices. The first element is combined with the output, or with
  //    the number that fills it.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (ArrayRef<ReadSlice> ofElement : *slices)
    for (auto [operand, slice] : llvm::zip_equal(used, ofElement)) {
      SmallVector<OpFoldResult> sizes,
          strides(slice.offsets.size(), rewriter.getIndexAttr(1));
      for (AffineExpr expr : slice.map.getResults())
        sizes.push_back(getSize(expr));
      if (Value whole = getWhole(operand->get(), slice.offsets, sizes))
        inputs.push_back(whole);
      else
        inputs.push_back(tensor::ExtractSliceOp::create(
            rewriter, loc, operand->get(),
            getAsIndexOpFoldResult(getContext(), slice.offsets), sizes,
            strides));
      maps.push_back(slice.map);
    }
  auto fill = output->get().getDefiningOp<linalg::FillOp>();
  Value destination = fill ? fill.getOutputs().front() : output->get();
  if (!fill) {
    inputs.push_back(output->get());
    maps.push_back(resultMap);
  }
  maps.push_back(resultMap);

  // 3. Compute one element after the other.
  Block *body = op.getBlock();
  auto sum = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), inputs, destination, maps,
      SmallVector<utils::IteratorType>(numLoops, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value combined = fill ? fill.value() : args[inputs.size() - 1];
        for (size_t i = 0; i < elements.size(); ++i) {
          IRMapping mapping;
          for (auto [number, operand] : llvm::enumerate(used))
            mapping.map(op.getMatchingBlockArgument(operand),
                        args[i * used.size() + number]);
          mapping.map(op.getMatchingBlockArgument(output), combined);
          for (Operation &nested : body->without_terminator())
            b.clone(nested, mapping);
          combined =
              mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
        }
        linalg::YieldOp::create(b, loc, combined);
      });
  rewriter.replaceOp(op, sum);
  return success();
}

void mlir::linalg_ext::populateSumWindowsPatterns(RewritePatternSet &patterns) {
  patterns.add<SumFewElements>(patterns.getContext());
}
