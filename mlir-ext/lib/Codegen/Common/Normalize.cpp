//===- Normalize.cpp - The normal form for fusion -------------------------===//
//
// Importers write the same computation in many ways. Fusion expects one normal
// form, which the description of the pass defines. This file has the order of
// the steps. Each step is a pattern set:
//
//   0. Parts of complex numbers.
//   1. One spelling of scalars, fills and sizes.
//   2. No kept dimensions of size 1, and no computation in the payloads of
//      contractions.
//   3. Online reductions become ops.
//   4. Reshapes are folded into ops.
//   5. Transposes are folded into ops.
//   6. Look-ups of rows become gathers, before all others and after them.
//
//===----------------------------------------------------------------------===//

#include "BroadcastBranches.h"
#include "GuardDivisions.h"
#include "RefineReshapes.h"
#include "RestateOps.h"
#include "ScalarLoops.h"
#include "SlicePadding.h"
#include "SplitResults.h"
#include "mlir-ext/Codegen/Common/CollapseElementwise.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExtractElements.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/SliceOfGather.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Support/PatternSets.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNORMALIZEPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Spelling
//===----------------------------------------------------------------------===//

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

namespace {
/// Computes values that depend on the position alone where they are used: masks
/// of positions, and the counts that importers compare to make masks.
struct InlinePositions : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumRegions() != 1)
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || isa<linalg::FillOp>(producer) ||
          !isOfPositions(producer))
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

namespace {
/// After an assertion that two sizes are equal, replaces one by the other.
struct UseAssertedSizes : public OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(cf::AssertOp op,
                                PatternRewriter &rewriter) const override {
    auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
        !compare.getLhs().getType().isIndex())
      return rewriter.notifyMatchFailure(op, "does not compare sizes");
    Value kept = compare.getLhs(), dropped = compare.getRhs();
    if (kept == dropped)
      return rewriter.notifyMatchFailure(op, "compares a value with itself");
    // A constant is kept. Otherwise the value that is defined first is kept.
    DominanceInfo dominance;
    Operation *keptOp = kept.getDefiningOp(),
              *droppedOp = dropped.getDefiningOp();
    bool droppedIsFirst =
        keptOp &&
        (!droppedOp || dominance.properlyDominates(droppedOp, keptOp));
    if (matchPattern(dropped, m_Constant()) ||
        (droppedIsFirst && !matchPattern(kept, m_Constant())))
      std::swap(kept, dropped);
    bool changed = false;
    rewriter.replaceUsesWithIf(dropped, kept, [&](OpOperand &use) {
      bool isBehind = dominance.properlyDominates(op, use.getOwner());
      changed |= isBehind;
      return isBehind;
    });
    return success(changed);
  }
};
} // namespace

namespace {
/// If one operand has a static size along a loop, all operands get this size.
/// Upstream's pattern skips ops that read an operand at a constant position.
struct InferStaticSizes : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
    for (OpOperand &operand : op->getOpOperands())
      for (auto [expr, size] :
           llvm::zip(op.getMatchingIndexingMap(&operand).getResults(),
                     op.getShape(&operand)))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && ShapedType::isStatic(size))
          sizes[loop.getPosition()] = size;
    SmallVector<RankedTensorType> types;
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      types.push_back(type);
      if (!type)
        continue;
      SmallVector<int64_t> shape(type.getShape());
      for (auto [expr, size] :
           llvm::zip(op.getMatchingIndexingMap(&operand).getResults(), shape))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && ShapedType::isDynamic(size))
          size = sizes[loop.getPosition()];
      types.back() = type.clone(shape);
      changed |= types.back() != type;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no size is known from others");

    SmallVector<Value> operands(op->getOperands());
    for (auto [operand, type] : llvm::zip_equal(operands, types))
      if (type && type != operand.getType())
        operand = tensor::CastOp::create(rewriter, op.getLoc(), type, operand);
    SmallVector<Type> resultTypes;
    for (OpOperand &init : op.getDpsInitsMutable())
      resultTypes.push_back(types[init.getOperandNumber()]);
    Operation *built = clone(rewriter, op, resultTypes, operands);
    SmallVector<Value> results(built->getResults());
    for (auto [result, old] : llvm::zip_equal(results, op->getResultTypes()))
      if (result.getType() != old)
        result = tensor::CastOp::create(rewriter, op.getLoc(), old, result);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

namespace {
/// The same of a softmax, whose result has the shape of its input.
struct InferStaticSoftmax : public OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto output = dyn_cast<RankedTensorType>(op.getOutput().getType());
    if (!input || !output)
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<int64_t> shape(input.getShape());
    for (auto [size, other] : llvm::zip_equal(shape, output.getShape()))
      if (ShapedType::isDynamic(size))
        size = other;
    RankedTensorType newInput = input.clone(shape),
                     newOutput = output.clone(shape);
    if (newInput == input && newOutput == output)
      return rewriter.notifyMatchFailure(op, "no size is known from the other");
    auto cast = [&](Value value, Type type) -> Value {
      if (value.getType() == type)
        return value;
      return tensor::CastOp::create(rewriter, op.getLoc(), type, value);
    };
    Value source = cast(op.getInput(), newInput),
          init = cast(op.getOutput(), newOutput);
    auto built = linalg::SoftmaxOp::create(rewriter, op.getLoc(), newOutput,
                                           source, init, op.getDimension());
    rewriter.replaceOp(op, cast(built->getResult(0), output));
    return success();
  }
};
} // namespace

namespace {
/// Makes the result type of an expansion and its list of sizes agree. If only
/// one of them knows a size, the other one gets it. If they differ, the type is
/// right: upstream (22.1.8) does not verify this, and its pattern for a cast
/// before the expansion crashes.
struct ExpandToKnownSizes : public OpRewritePattern<tensor::ExpandShapeOp> {
  explicit ExpandToKnownSizes(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape(op.getResultType().getShape());
    bool changed = false;
    for (auto [known, said] : llvm::zip_equal(shape, op.getStaticOutputShape()))
      if (known != said) {
        changed = true;
        if (ShapedType::isDynamic(known))
          known = said;
      }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "both say the same");
    if (llvm::any_of(shape, [](int64_t size) {
          return size < 0 && !ShapedType::isDynamic(size);
        }))
      return rewriter.notifyMatchFailure(op, "a size is negative");
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    for (auto [size, known] : llvm::zip_equal(sizes, shape))
      if (ShapedType::isStatic(known))
        size = rewriter.getIndexAttr(known);

    RankedTensorType type = op.getResultType().clone(shape);
    RankedTensorType collapsed =
        op.getSrcType().clone(tensor::CollapseShapeOp::inferCollapsedType(
                                  type, op.getReassociationIndices())
                                  .getShape());
    Location loc = op.getLoc();
    Value source = op.getSrc();
    if (source.getType() != collapsed)
      source = tensor::CastOp::create(rewriter, loc, collapsed, source);
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, loc, type, source, op.getReassociationIndices(), sizes);
    if (type != op.getResultType())
      expanded =
          tensor::CastOp::create(rewriter, loc, op.getResultType(), expanded);
    rewriter.replaceOp(op, expanded);
    return success();
  }
};
} // namespace

namespace {
/// If the source of a cast has static sizes, an expansion of the result gets
/// them too. Upstream does this for collapses.
struct ExpandOfCast : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto castOp = op.getSrc().getDefiningOp<tensor::CastOp>();
    auto source = castOp
                      ? dyn_cast<RankedTensorType>(castOp.getSource().getType())
                      : RankedTensorType();
    if (!source)
      return rewriter.notifyMatchFailure(op, "is not of a cast");
    // The cast may only forget.
    SmallVector<int64_t> shape(op.getResultType().getShape());
    bool changed = false;
    for (auto [size, old, group] :
         llvm::zip_equal(source.getShape(), op.getSrcType().getShape(),
                         op.getReassociationIndices())) {
      if (size == old)
        continue;
      if (ShapedType::isDynamic(size))
        return rewriter.notifyMatchFailure(op, "the cast tells a size");
      int64_t others = 1, unknown = -1;
      for (int64_t dim : group) {
        if (ShapedType::isStatic(shape[dim]))
          others *= shape[dim];
        else if (unknown < 0)
          unknown = dim;
        else
          return rewriter.notifyMatchFailure(op, "two sizes are not known");
      }
      if (unknown < 0 || others == 0 || size % others != 0)
        return rewriter.notifyMatchFailure(op, "the sizes do not match");
      shape[unknown] = size / others;
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "the cast forgets no size");
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    for (auto [size, known] : llvm::zip_equal(sizes, shape))
      if (ShapedType::isStatic(known))
        size = rewriter.getIndexAttr(known);
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), op.getResultType().clone(shape),
        castOp.getSource(), op.getReassociationIndices(), sizes);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getResultType(),
                                                expanded);
    return success();
  }
};

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
  /// Ops that become of one, by all its short dimensions: matrices of 4 x 4.
  static constexpr int64_t kMostParts = 16;

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
  /// the payload asks for. None if all such loops have more than kMostParts.
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
          llvm::any_of(op.getDpsInputs(), [](Value input) {
            return isa<RankedTensorType>(input.getType());
          }) &&
          loops.insert(loop))
        parts *= length;
    }
    if (loops.empty() || parts > kMostParts)
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
  patterns.add<SpecializeFill, InlineSplats, InlinePositions, UseAssertedSizes,
               InferStaticSizes, InferStaticSoftmax, ExpandToKnownSizes,
               ExpandOfCast, SliceOfGather, StackOfPositions,
               RoundConstant,
               ReshapePositions<tensor::CollapseShapeOp>,
               ReshapePositions<tensor::ExpandShapeOp>>(context);
  populateBroadcastBranchesPatterns(patterns);
  populateRefineReshapesPatterns(patterns);
  populateRestateOpsPatterns(patterns);
  populateScalarLoopsPatterns(patterns);
  populateSelectFromTablePatterns(patterns);
  arith::populateExpandScalingExtTruncPatterns(patterns);
  populateSlicePaddingPatterns(patterns);
  populateSplitResultsPatterns(patterns);
}

namespace {
/// Remembers the generic ops that a rewrite creates.
struct CreatedGenerics : public RewriterBase::ForwardingListener {
  using ForwardingListener::ForwardingListener;

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    ForwardingListener::notifyOperationInserted(op, previous);
    if (isa<linalg::GenericOp>(op))
      created.insert(op);
  }
  void notifyOperationErased(Operation *op) override {
    ForwardingListener::notifyOperationErased(op);
    created.remove(op);
  }

  llvm::SetVector<Operation *> created;
};
} // namespace

/// Rewrites ops of arith and math on tensors as linalg.generic. Upstream's
/// pattern writes to an operand of the same type, which may be an argument of
/// the function; here the destination is a tensor of its own.
static LogicalResult convertElementwise(Operation *scope,
                                        RewriterBase::Listener *listener) {
  CreatedGenerics generics(listener);
  RewritePatternSet patterns(scope->getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(&generics).enableFolding(false).enableConstantCSE(false);
  if (failed(applyPatternsGreedily(scope, std::move(patterns), config)))
    return failure();
  IRRewriter rewriter(scope->getContext(), listener);
  for (Operation *op : generics.created) {
    auto generic = cast<linalg::GenericOp>(op);
    rewriter.setInsertionPoint(generic);
    for (OpOperand &init : generic.getDpsInitsMutable()) {
      if (init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      Value empty = tensor::EmptyOp::create(
          rewriter, generic.getLoc(),
          tensor::getMixedSizes(rewriter, generic.getLoc(), init.get()),
          getElementTypeOrSelf(init.get()));
      rewriter.modifyOpInPlace(generic, [&] { init.set(empty); });
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Applies the patterns below `scope`, and sets `changed` if anything does.
static LogicalResult apply(Operation *scope, RewriterBase::Listener *listener,
                           function_ref<void(RewritePatternSet &)> populate,
                           bool &changed) {
  RewritePatternSet patterns(scope->getContext());
  populate(patterns);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(listener);
  bool changedHere = false;
  LogicalResult result =
      applyPatternsGreedily(scope, std::move(patterns), config, &changedHere);
  changed |= changedHere;
  return result;
}

/// A step may make another step possible, so the steps are repeated. After two
/// or three rounds nothing changes.
static constexpr unsigned kMaxRounds = 8;

static LogicalResult applySpelling(Operation *scope,
                                   RewriterBase::Listener *listener) {
  IRRewriter rewriter(scope->getContext(), listener);
  // Patterns may match what CSE merges: two casts of a pad, a sum of one size.
  bool isMerged = true;
  for (unsigned round = 0; isMerged && round < kMaxRounds; ++round) {
    bool changed = false;
    if (failed(
            apply(scope, listener, populateNormalizeSpellingPatterns, changed)))
      return failure();
    isMerged = false;
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, scope, &isMerged);
  }
  return success();
}

Operation *mlir::linalg_ext::findEncodedTensor(Operation *scope) {
  auto isEncoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  Operation *found = nullptr;
  scope->walk([&](Operation *op) {
    // Functions may hand such tensors on.
    if (op->hasTrait<OpTrait::ReturnLike>() || isa<CallOpInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), isEncoded) &&
         llvm::none_of(op->getResultTypes(), isEncoded)))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Fails with an error at an op on tensors with encodings.
static LogicalResult refuseEncodings(Operation *scope) {
  if (Operation *op = findEncodedTensor(scope))
    return op->emitOpError("expected tensors without encodings, which the "
                           "normal form does not keep");
  return success();
}

LogicalResult
mlir::linalg_ext::normalizeProgram(Operation *scope,
                                   RewriterBase::Listener *listener) {
  IRRewriter rewriter(scope->getContext(), listener);
  // 0. No negative padding, before anything folds it. No complex numbers.
  slicePadding(rewriter, scope);
  if (failed(convertElementwise(scope, listener)) ||
      failed(splitComplex(scope, listener)))
    return failure();
  // Before patterns move reshapes and transposes across them. Those of short
  // constants are selects.
  bool changed = false;
  if (failed(apply(scope, listener, populateSelectFromTablePatterns, changed)))
    return failure();
  raisePagedGathers(rewriter, scope);
  // 1. One spelling of scalars, fills and sizes.
  if (failed(applySpelling(scope, listener)))
    return failure();
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    // 2. Drop kept dimensions of size 1, move zero points and computation out
    //    of the payloads of contractions, compute only those elements that are
    //    read one by one, and unpack integers in one op. Then compute on merged
    //    dimensions what is reduced along them, but not what is unpacked.
    if (failed(apply(
            scope, listener,
            [](RewritePatternSet &patterns) {
              populateDropKeptDimsPatterns(patterns);
              populateSplitZeroPointsPatterns(patterns);
              populateExtractContractionOperandsPatterns(patterns);
              populateExtractElementsPatterns(patterns);
              populateUnpackElementsPatterns(patterns);
            },
            changed)) ||
        failed(apply(scope, listener, populateCollapseElementwisePatterns,
                     changed)))
      return failure();
    // 3. Find online reductions, also across the reshapes that are still there.
    changed |= raiseOnlineReductions(rewriter, scope) > 0;
    // 4. Restore dimensions that were merged.
    if (failed(apply(scope, listener, populateFoldReshapesPatterns, changed)))
      return failure();
    changed |= raiseOnlineReductions(rewriter, scope) > 0;
    // 5. Read data where it lies. An op whose result is transposed writes it
    //    transposed.
    if (failed(
            apply(scope, listener, populateFoldTransposePatterns, changed)) ||
        failed(apply(scope, listener, populateFoldTransposeIntoProducerPatterns,
                     changed)))
      return failure();
    // 6. Steps before may have made a gather of what was none.
    if (!changed && raisePagedGathers(rewriter, scope) == 0)
      return success();
    if (failed(applySpelling(scope, listener)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static constexpr PatternSet kPatternSets[] = {
    {"spelling", populateNormalizeSpellingPatterns},
    {"drop-kept-dims", populateDropKeptDimsPatterns},
    {"extract-contraction-operands",
     populateExtractContractionOperandsPatterns},
    {"extract-elements", populateExtractElementsPatterns},
    {"compute-tables", populateComputeTablesPatterns},
    {"unpack-elements", populateUnpackElementsPatterns},
    {"collapse-elementwise", populateCollapseElementwisePatterns},
    {"fold-reshapes", populateFoldReshapesPatterns},
    {"fold-transpose", populateFoldTransposePatterns},
    {"fold-transpose-into-producer", populateFoldTransposeIntoProducerPatterns},
    // A long chain takes many iterations. Each leaves fewer ops.
    {"fuse-elementwise", populateFuseElementwisePatterns,
     GreedyRewriteConfig::kNoLimit},
    {"factor-out-of-max", populateFactorOutOfMaxPatterns},
    {"split-sums", populateSplitSumsPatterns},
    {"split-words", populateSplitWordsPatterns},
    {"split-zero-points", populateSplitZeroPointsPatterns},
    {"scale-after-contraction", populateScaleAfterContractionPatterns},
    {"fuse-dequantization", populateFuseDequantizationPatterns}};

namespace {
struct LinalgExtNormalizePass
    : public linalg_ext::impl::LinalgExtNormalizePassBase<
          LinalgExtNormalizePass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    LinalgExtNormalizePassBase::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (failed(refuseEncodings(getOperation())))
      return signalPassFailure();
    if (unrollLoops < 0) {
      emitError(getOperation()->getLoc())
          << "expected 'unroll-loops' to be at least 0, got "
          << int64_t(unrollLoops);
      return signalPassFailure();
    }
    if (patterns.empty()) {
      if (failed(normalizeProgram(getOperation())) ||
          (unrollTensorLoops(getOperation(), unrollLoops) > 0 &&
           failed(normalizeProgram(getOperation()))))
        return signalPassFailure();
      IRRewriter rewriter(&getContext());
      if (guardDivisions(rewriter, getOperation()) > 0 &&
          failed(normalizeProgram(getOperation())))
        signalPassFailure();
      return;
    }
    SmallVector<std::string> names(patterns.begin(), patterns.end());
    // Patterns fold what they meet. An unknown name leaves the IR as it is.
    IRRewriter rewriter(&getContext());
    if (llvm::all_of(names, [](StringRef name) {
          return llvm::any_of(kPatternSets, [&](const PatternSet &set) {
            return set.name == name;
          });
        }))
      slicePadding(rewriter, getOperation());
    if (failed(applyPatternSets(getOperation(), kPatternSets, names)))
      signalPassFailure();
  }
};
} // namespace
