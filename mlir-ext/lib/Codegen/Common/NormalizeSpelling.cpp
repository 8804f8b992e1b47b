//===- NormalizeSpelling.cpp - One spelling of scalars, fills and sizes ---===//
//
// The patterns of step 1 of Normalize.cpp: constants and positions are in the
// payloads of the ops that use them, and fills are linalg.fill. Those of other
// files are listed at the end.
//
//===----------------------------------------------------------------------===//

#include "BroadcastBranches.h"
#include "ConcatOfBranches.h"
#include "Concatenation.h"
#include "CumulativeWindows.h"
#include "Distances.h"
#include "KnownSizes.h"
#include "Quotients.h"
#include "RefineReshapes.h"
#include "RestateOps.h"
#include "Rolls.h"
#include "ScalarLoops.h"
#include "SlicePadding.h"
#include "SplitResults.h"
#include "StopAtNaN.h"
#include "TieBreaks.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/SliceOfGather.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A generic that only writes a constant is a fill.
struct SpecializeFill : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Value> value = linalg::isaFillOpInterface(op);
    if (!op.hasPureTensorSemantics() || !value)
      return rewriter.notifyMatchFailure(op, "is not a fill on tensors");
    if (Operation *constant = value->getDefiningOp();
        constant && constant->getBlock() == op.getBody()) {
      Operation *copy = rewriter.clone(*constant);
      value = copy->getResult(0);
    }
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, *value, op.getDpsInits());
    return success();
  }
};
} // namespace

namespace {
/// Reads an operand whose elements are all one number as this number.
struct InlineSplats : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    // A contraction keeps an operand that is a splat. An op that only moves
    // data has no payload that could use the number.
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        isa<linalg::FillOp>(op) || op->getNumRegions() != 1)
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (!isa<RankedTensorType>(operand->get().getType()) ||
          argument.use_empty())
        continue;
      Value scalar = getSplat(operand->get(), rewriter);
      if (!scalar)
        continue;
      // The payload of a named op is not to be changed.
      if (!isa<linalg::GenericOp>(op))
        return linalg::generalizeNamedOp(rewriter, op);
      rewriter.modifyOpInPlace(
          op, [&] { rewriter.replaceAllUsesWith(argument, scalar); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no splat");
  }

private:
  /// The scalar that all elements of `value` are, or null.
  static Value getSplat(Value value, PatternRewriter &rewriter) {
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      return fill.hasPureTensorSemantics() ? fill.value() : Value();
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                          : SplatElementsAttr();
    // Of complex numbers it is an array of two.
    auto scalar = splat ? dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>())
                        : TypedAttr();
    if (!scalar)
      return Value();
    return arith::ConstantOp::create(rewriter, constant.getLoc(), scalar);
  }
};
} // namespace

/// Returns whether `op` computes its elements from their positions and from
/// scalars.
static bool isOfPositions(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
         op->getNumResults() == 1 && op->getNumRegions() == 1 &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::none_of(op.getDpsInputs(), [](Value input) {
           return isa<ShapedType>(input.getType());
         });
}

/// Returns whether the payload of `op` reads elements of tensors.
static bool readsElementsOfTensors(linalg::LinalgOp op) {
  return op->getRegion(0)
      .walk([](Operation *nested) {
        return llvm::any_of(nested->getOperandTypes(),
                            llvm::IsaPred<ShapedType>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `op` may compute what it reads of positions: it is
/// elementwise, or an arg-max, on tensors.
static bool mayInline(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumRegions() == 1 &&
         (op.isAllParallelLoops() || op.getNumDpsInits() > 1);
}

/// Returns whether `op` reads elements of tensors, and is computed in any case:
/// a user, such as a maximum, does not compute it. Others would read the
/// elements again, and a softmax would be one of two tensors.
static bool isReadOnce(linalg::LinalgOp op) {
  return readsElementsOfTensors(op) &&
         !llvm::all_of(op->getUsers(), [](Operation *user) {
           auto reader = dyn_cast<linalg::LinalgOp>(user);
           return !reader || mayInline(reader);
         });
}

namespace {
/// Computes values that depend on the position alone where they are used: masks
/// of positions, the counts that importers compare to make masks, and those
/// among which an arg-max chooses.
struct InlinePositions : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!mayInline(op))
      return rewriter.notifyMatchFailure(
          op, "is neither elementwise nor an arg-max on tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || isa<linalg::FillOp>(producer) ||
          !isOfPositions(producer) || isReadOnce(producer))
        continue;
      // It becomes a concatenation.
      if (auto generic = dyn_cast<linalg::GenericOp>(producer.getOperation());
          generic && branchesOnPosition(generic))
        continue;
      // Upstream's fusion knows generic ops.
      if (!isa<linalg::GenericOp>(producer))
        return linalg::generalizeNamedOp(rewriter, producer);
      if (!isa<linalg::GenericOp>(op))
        return linalg::generalizeNamedOp(rewriter, op);
      if (!linalg::areElementwiseOpsFusable(operand))
        continue;
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        continue;
      for (auto [result, replacement] : fused->replacements)
        if (result.getDefiningOp() == op.getOperation())
          rewriter.replaceAllUsesWith(result, replacement);
      rewriter.eraseOp(op);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads nothing of positions");
  }
};
} // namespace

/// Ops that become of one, by all its short dimensions: matrices of 4 x 4.
/// Longer dimensions are selected by position.
static constexpr int64_t kMostStacked = 16;

namespace {
/// concat(f(i), g(i)) = select(i < n, f(i), g(i - n)): masks of positions for a
/// window of keys and for what is kept of those before it.
struct ConcatOfPositions : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    // 1. All parts are computed from positions, and may be anywhere.
    SmallVector<linalg::LinalgOp> parts;
    for (Value input : op.getInputs()) {
      auto part = input.getDefiningOp<linalg::LinalgOp>();
      if (!part || !isOfPositions(part) ||
          !part.getMatchingIndexingMap(part.getDpsInitOperand(0))
               .isIdentity() ||
          !mayRunAnywhere(part))
        return rewriter.notifyMatchFailure(op, "a part is read or computed");
      parts.push_back(part);
    }
    int64_t length = op.getResultType().getDimSize(op.getDim());
    if (llvm::all_of(parts, llvm::IsaPred<linalg::FillOp>) ||
        (!ShapedType::isDynamic(length) && length <= kMostStacked))
      return rewriter.notifyMatchFailure(op, "is better put together");
    // 2. Where they begin.
    Location loc = op.getLoc();
    int64_t rank = op.getRank();
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < rank; ++dim)
      sizes.push_back(
          tensor::getMixedSize(rewriter, loc, op.getInputs().front(), dim));
    AffineExpr lhs, rhs;
    bindSymbols(rewriter.getContext(), lhs, rhs);
    SmallVector<Value> seams;
    OpFoldResult end = rewriter.getIndexAttr(0);
    for (Value input : op.getInputs()) {
      seams.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, end));
      end = affine::makeComposedFoldedAffineApply(
          rewriter, loc, lhs + rhs,
          {end, tensor::getMixedSize(rewriter, loc, input, op.getDim())});
    }
    sizes[op.getDim()] = end;
    // 3. Each element is that of its part.
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          op.getResultType().getElementType());
    auto build = [&](OpBuilder &b, Location loc, ValueRange) {
      Value position = linalg::IndexOp::create(b, loc, op.getDim());
      Value result, next;
      for (auto [part, seam] : llvm::reverse(llvm::zip_equal(parts, seams))) {
        Value inPart = arith::SubIOp::create(b, loc, position, seam);
        IRMapping mapping;
        for (OpOperand *input : part.getDpsInputOperands())
          mapping.map(part.getMatchingBlockArgument(input), input->get());
        for (Operation &nested : part.getBlock()->without_terminator()) {
          auto index = dyn_cast<linalg::IndexOp>(nested);
          if (index && index.getDim() == op.getDim())
            mapping.map(index.getResult(), inPart);
          else
            b.clone(nested, mapping);
        }
        Value value = mapping.lookupOrDefault(
            part.getBlock()->getTerminator()->getOperand(0));
        if (result) {
          Value isBefore = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ult, position, next);
          value = arith::SelectOp::create(b, loc, isBefore, value, result);
        }
        result = value;
        next = seam;
      }
      linalg::YieldOp::create(b, loc, result);
    };
    Value result =
        linalg::GenericOp::create(rewriter, loc, empty.getType(), ValueRange(),
                                  empty, rewriter.getMultiDimIdentityMap(rank),
                                  SmallVector<utils::IteratorType>(
                                      rank, utils::IteratorType::parallel),
                                  build)
            .getResult(0);
    if (result.getType() != op.getResultType())
      result =
          tensor::CastOp::create(rewriter, loc, op.getResultType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

namespace {
/// Values of positions, without dimensions of size 1 or with more of them, are
/// computed in this shape.
template <typename ReshapeOp>
struct ReshapePositions : public OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSrc().template getDefiningOp<linalg::GenericOp>();
    if (!producer || !isUnitReshape(op) || !isOfPositions(producer) ||
        !producer.getIndexingMapsArray().back().isIdentity())
      return rewriter.notifyMatchFailure(op,
                                         "changes no unit dims of positions");
    // 1. The dimension of the result for each one of the source, or -1.
    constexpr bool isCollapse =
        std::is_same_v<ReshapeOp, tensor::CollapseShapeOp>;
    ArrayRef<int64_t> source = op.getSrcType().getShape(),
                      result = op.getResultType().getShape();
    ArrayRef<int64_t> longer = isCollapse ? source : result;
    SmallVector<int64_t> resultDim(source.size(), -1);
    SmallVector<OpFoldResult> sizes(result.size(), rewriter.getIndexAttr(1));
    Location loc = op.getLoc();
    for (auto [number, group] : llvm::enumerate(op.getReassociationIndices()))
      for (int64_t dim : group) {
        if (longer[dim] == 1)
          continue;
        int64_t from = isCollapse ? dim : number,
                to = isCollapse ? number : dim;
        resultDim[from] = to;
        sizes[to] = tensor::getMixedSize(rewriter, loc,
                                         producer.getDpsInits().front(), from);
      }
    // 2. The same payload.
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          op.getResultType().getElementType());
    SmallVector<AffineMap> maps;
    for (Value input : producer.getDpsInputs()) {
      (void)input;
      maps.push_back(AffineMap::get(result.size(), 0, rewriter.getContext()));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(result.size()));
    auto built = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), producer.getDpsInputs(), empty, maps,
        SmallVector<utils::IteratorType>(result.size(),
                                         utils::IteratorType::parallel));
    rewriter.cloneRegionBefore(producer.getRegion(), built.getRegion(),
                               built.getRegion().begin());
    SmallVector<linalg::IndexOp> indices;
    built.walk([&](linalg::IndexOp index) { indices.push_back(index); });
    for (linalg::IndexOp index : indices) {
      int64_t dim = resultDim[index.getDim()];
      if (dim >= 0) {
        rewriter.modifyOpInPlace(index, [&] { index.setDim(dim); });
        continue;
      }
      rewriter.setInsertionPoint(index);
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(index, 0);
    }
    Value value = built.getResult(0);
    rewriter.setInsertionPointAfter(built);
    if (value.getType() != op.getResultType())
      value = tensor::CastOp::create(rewriter, loc, op.getResultType(), value);
    rewriter.replaceOp(op, value);
    return success();
  }
};
} // namespace

/// The only input of an op that converts it, element by element, to a wider
/// type; null if `op` is none.
static Value getNarrowInput(linalg::GenericOp op) {
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumResults() != 1 || op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      !llvm::hasSingleElement(op.getBody()->without_terminator()))
    return {};
  Operation *extension = &op.getBody()->front();
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extension) &&
                 extension->getOperand(0) == op.getBody()->getArgument(0) &&
                 op.getBody()->getTerminator()->getOperand(0) ==
                     extension->getResult(0)
             ? op.getDpsInputs().front()
             : Value();
}

namespace {
/// slice(widened(x)) = widened(slice(x)): rotations in f32 read what they
/// extend as a whole and by halves, for which it would be stored.
struct SliceOfWidened : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto op = slice.getSource().getDefiningOp<linalg::GenericOp>();
    Value input = getNarrowInput(op);
    if (!input)
      return rewriter.notifyMatchFailure(slice, "is not of what is widened");
    Location loc = slice.getLoc();
    Value part = tensor::ExtractSliceOp::create(
        rewriter, loc,
        slice.getType().clone(getElementTypeOrSelf(input.getType())), input,
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
    SmallVector<OpFoldResult> sizes;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(dim))
        sizes.push_back(size);
    int64_t rank = slice.getType().getRank();
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          slice.getType().getElementType());
    auto widened = linalg::GenericOp::create(
        rewriter, op.getLoc(), empty.getType(), part, empty,
        SmallVector<AffineMap>(2, rewriter.getMultiDimIdentityMap(rank)),
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
    rewriter.cloneRegionBefore(op.getRegion(), widened.getRegion(),
                               widened.getRegion().begin());
    rewriter.replaceOp(slice, widened);
    return success();
  }
};
} // namespace

namespace {
/// A slice of a gather is a gather of a slice, which loops can compute tile by
/// tile: values that are the first columns of the keys, for example, or every
/// second head.
struct SliceOfGather : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto gather = op.getSource().getDefiningOp<PagedGatherOp>();
    if (!gather || op.getDroppedDims().any() ||
        !gather.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "no part of a gather");
    Value value;
    if (op.hasUnitStride()) {
      FailureOr<TilingResult> tile =
          cast<TilingInterface>(gather.getOperation())
              .generateResultTileValue(rewriter, 0, op.getMixedOffsets(),
                                       op.getMixedSizes());
      if (failed(tile))
        return rewriter.notifyMatchFailure(op, "the gather has no such tile");
      value = tile->tiledValues.front();
    } else {
      value = sliceOfGatheredRows(rewriter, gather, op);
      if (!value)
        return rewriter.notifyMatchFailure(op, "rows are left out");
    }
    if (value.getType() != op.getType())
      value =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Rounds a constant; upstream's folder leaves what is inexact, such as the
/// scale of attention, which PyTorch has in f64.
struct RoundConstant : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0);
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || !matchPattern(op.getIn(), m_ConstantFloat(&value)))
      return rewriter.notifyMatchFailure(op, "not of a constant number");
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "not rounded to nearest");
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(type, value));
    return success();
  }
};
} // namespace

namespace {
/// An elementwise op whose operands are the same along a short dimension, and
/// whose payload asks for the position in it, stacks what it computes for each
/// position: pairs of numbers are written so.
struct StackOfPositions : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumResults() != 1 || op.getNumDpsInputs() == 0 ||
        op.getNumLoops() < 2 ||
        cast<RankedTensorType>(op.getResult(0).getType()).getEncoding() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return rewriter.notifyMatchFailure(op, "is no elementwise op");
    std::optional<unsigned> stacked = findStacked(op);
    if (!stacked)
      return rewriter.notifyMatchFailure(op, "stacks nothing");
    // 1. The op without the dimension.
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    SmallVector<AffineExpr> dims;
    SmallVector<utils::IteratorType> iterators(op.getNumLoops() - 1,
                                               utils::IteratorType::parallel);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      dims.push_back(loop == *stacked
                         ? getAffineConstantExpr(0, context)
                         : getAffineDimExpr(loop - (loop > *stacked), context));
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(
          dims, {}, iterators.size(), 0));
    maps.push_back(rewriter.getMultiDimIdentityMap(iterators.size()));
    Value init = op.getDpsInitOperand(0)->get();
    Type type = getElementTypeOrSelf(init);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, init);
    auto length = *getConstantIntValue(sizes[*stacked]);
    SmallVector<OpFoldResult> partSizes(sizes);
    partSizes.erase(partSizes.begin() + *stacked);
    Value empty = tensor::EmptyOp::create(rewriter, loc, partSizes, type);
    // 2. What it computes for each position, with a dimension of size 1.
    sizes[*stacked] = rewriter.getIndexAttr(1);
    SmallVector<ReassociationIndices> groups;
    for (unsigned loop = 0, dim = 0; loop < iterators.size(); ++loop) {
      groups.push_back({dim++});
      if (loop + 1 == std::max(*stacked, 1u))
        groups.back().push_back(dim++);
    }
    SmallVector<int64_t> shape = decomposeMixedValues(sizes).first;
    SmallVector<Value> parts;
    for (int64_t position = 0; position < length; ++position) {
      auto part = linalg::GenericOp::create(
          rewriter, loc, empty.getType(), op.getDpsInputs(), empty, maps,
          iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
            IRMapping mapping;
            mapping.map(op.getBody()->getArguments(), args);
            for (Operation &nested : op.getBody()->without_terminator())
              if (auto index = dyn_cast<linalg::IndexOp>(nested);
                  index && index.getDim() == *stacked)
                mapping.map(index.getResult(),
                            arith::ConstantIndexOp::create(b, loc, position)
                                .getResult());
              else if (index)
                mapping.map(
                    index.getResult(),
                    linalg::IndexOp::create(
                        b, loc, index.getDim() - (index.getDim() > *stacked))
                        .getResult());
              else
                b.clone(nested, mapping);
            linalg::YieldOp::create(
                b, loc,
                mapping.lookupOrDefault(
                    op.getBody()->getTerminator()->getOperand(0)));
          });
      parts.push_back(tensor::ExpandShapeOp::create(
          rewriter, loc, RankedTensorType::get(shape, type), part.getResult(0),
          groups, sizes));
    }
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(
        op, cast<RankedTensorType>(op.getResult(0).getType()), *stacked, parts);
    return success();
  }

private:
  /// Whether `index` is compared with constants, only to choose by the results.
  static bool choosesOnly(linalg::IndexOp index) {
    SmallVector<Value> positions{index.getResult()};
    while (!positions.empty())
      for (Operation *user : positions.pop_back_val().getUsers()) {
        if (isa<arith::IndexCastOp>(user)) {
          positions.push_back(user->getResult(0));
          continue;
        }
        auto compare = dyn_cast<arith::CmpIOp>(user);
        if (!compare ||
            (!matchPattern(compare.getLhs(), m_Constant()) &&
             !matchPattern(compare.getRhs(), m_Constant())) ||
            !llvm::all_of(compare->getUses(), [](OpOperand &use) {
              return isa<arith::SelectOp>(use.getOwner()) &&
                     use.getOperandNumber() == 0;
            }))
          return false;
      }
    return true;
  }

  /// A loop of few iterations that no operand is read along, but whose position
  /// the payload asks for. None if all such loops have more than kMostStacked.
  static std::optional<unsigned> findStacked(linalg::GenericOp op) {
    llvm::SmallSetVector<unsigned, 4> loops;
    int64_t parts = 1;
    for (linalg::IndexOp index : op.getBody()->getOps<linalg::IndexOp>()) {
      unsigned loop = index.getDim();
      int64_t length = op.getStaticLoopRanges()[loop];
      if (ShapedType::isStatic(length) && length > 1 && length <= 4 &&
          choosesOnly(index) &&
          llvm::none_of(
              op.getDpsInputOperands(),
              [&](OpOperand *input) {
                return op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
              }) &&
          llvm::any_of(op.getDpsInputs(),
                       [](Value input) {
                         return isa<RankedTensorType>(input.getType());
                       }) &&
          loops.insert(loop))
        parts *= length;
    }
    if (loops.empty() || parts > kMostStacked)
      return std::nullopt;
    return loops.front();
  }
};
} // namespace

void mlir::linalg_ext::populateNormalizeSpellingPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  patterns
      .add<SpecializeFill, InlineSplats, InlinePositions, ConcatOfPositions>(
          context);
  populateKnownSizesPatterns(patterns);
  patterns.add<SliceOfGather, SliceOfWidened, StackOfPositions, RoundConstant,
               ReshapePositions<tensor::CollapseShapeOp>,
               ReshapePositions<tensor::ExpandShapeOp>>(context);
  populateBroadcastBranchesPatterns(patterns);
  populateConcatOfBranchesPatterns(patterns);
  populateCumulativeWindowsPatterns(patterns);
  populateDistancePatterns(patterns);
  populateQuotientPatterns(patterns);
  populateRefineReshapesPatterns(patterns);
  populateRestateOpsPatterns(patterns);
  populateRollsPatterns(patterns);
  populateScalarLoopsPatterns(patterns);
  populateSelectFromTablePatterns(patterns);
  arith::populateExpandScalingExtTruncPatterns(patterns);
  populateSlicePaddingPatterns(patterns);
  populateSplitResultsPatterns(patterns);
  populateStopAtNaNPatterns(patterns);
  populateTieBreakPatterns(patterns);
}
