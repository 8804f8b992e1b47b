//===- FoldTranspose.cpp - Transposes as indexing maps --------------------===//
//
// Importers transpose K (and, for grouped heads, broadcast K and V) before a
// matrix multiplication of a fixed form, and transpose its result. These
// patterns fold such movements of data into the indexing maps of the ops, so
// that no data is moved.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/AffineMaps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

std::optional<AffineMap> mlir::linalg_ext::getMovement(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::hasSingleElement(*op.getBlock()) ||
      op.getBlock()->getTerminator()->getOperand(0) !=
          op.getBlock()->getArgument(0))
    return std::nullopt;
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isPermutation() || !isProjection(input) ||
      !isa<RankedTensorType>(op.getDpsInputOperand(0)->get().getType()))
    return std::nullopt;
  return input.compose(inversePermutation(output));
}

/// Builds a movement into `destination`: each element is the one of `input` at
/// `exprs` of its coordinates.
static Value buildMovement(OpBuilder &b, Location loc, Value input,
                           ArrayRef<AffineExpr> exprs, Value destination) {
  auto type = cast<RankedTensorType>(destination.getType());
  int64_t rank = type.getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, input, destination,
             ArrayRef<AffineMap>{AffineMap::get(rank, 0, exprs, b.getContext()),
                                 b.getMultiDimIdentityMap(rank)},
             iterators,
             [](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc, args.front());
             })
      .getResult(0);
}

namespace {
/// Lets an op read the input of a transpose or a broadcast instead of its
/// result.
struct FoldMovementIntoUser
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->getNumRegions() != 1)
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getDpsInputs();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      std::optional<AffineMap> movement =
          producer ? getMovement(producer) : std::nullopt;
      unsigned number = operand->getOperandNumber();
      if (!movement || !isProjection(maps[number]))
        continue;
      AffineMap composed = movement->compose(maps[number]);
      // Contractions read no constant places.
      if (linalg::isaContractionOpInterface(op) &&
          !composed.isProjectedPermutation())
        continue;
      maps[number] = composed;
      inputs[number] = producer.getDpsInputOperand(0)->get();
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no operand is only moved");
    // Every dimension must still have an operand to take its size from.
    if (!inversePermutation(concatAffineMaps(maps, rewriter.getContext())))
      return rewriter.notifyMatchFailure(op, "a dimension would have no size");

    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
        maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().begin());
    generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, generic);
    return success();
  }
};
} // namespace

namespace {
/// op(broadcast(x)) = broadcast(op(x)): if all inputs of an elementwise op are
/// broadcast along a dimension, the op computes the same for each index of it.
/// Once is enough.
struct SwapBroadcastAndElementwise
    : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() || getMovement(op))
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    AffineMap outputMap = op.getIndexingMapsArray().back();
    if (!outputMap.isPermutation() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return rewriter.notifyMatchFailure(op, "reads its destination");
    // The payload then runs once for all indices, even if there is no index.
    if (llvm::any_of(
            op.getBlock()->without_terminator(), [](Operation &nested) {
              return !isMemoryEffectFree(&nested) || !isSpeculatable(&nested);
            }))
      return rewriter.notifyMatchFailure(op, "may not run more or less often");
    // The users must be able to take the broadcast in.
    if (llvm::any_of(op->getUses(), [](OpOperand &use) {
          auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
          return !(user && user.isDpsInput(&use)) &&
                 !isUnitReshape(use.getOwner());
        }))
      return rewriter.notifyMatchFailure(op, "is not only read by linalg ops");
    // Positions are computed where they are used.
    if (llvm::none_of(op.getDpsInputs(), [](Value input) {
          return isa<ShapedType>(input.getType());
        }))
      return rewriter.notifyMatchFailure(op, "reads no tensor");

    // 1. The dimensions that the payload depends on.
    llvm::SmallBitVector kept(op.getNumLoops());
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!isProjection(map))
        return rewriter.notifyMatchFailure(op, "an operand is not a tile");
      for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
        if (map.isFunctionOfDim(dim))
          kept.set(dim);
    }
    op.walk([&](linalg::IndexOp index) { kept.set(index.getDim()); });
    // Nothing is gained along dimensions of one element.
    for (auto [dim, range] : llvm::enumerate(op.getStaticLoopRanges()))
      if (range == 1)
        kept.set(dim);
    if (kept.all() || kept.none())
      return rewriter.notifyMatchFailure(op, "no dimension is broadcast");

    // 2. The op without the others.
    SmallVector<AffineExpr> renamed(op.getNumLoops(),
                                    rewriter.getAffineConstantExpr(0));
    unsigned rank = 0;
    for (unsigned dim : kept.set_bits())
      renamed[dim] = rewriter.getAffineDimExpr(rank++);
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
          renamed, {}, rank, 0));
    Location loc = op.getLoc();
    Value init = op.getDpsInits().front();
    SmallVector<OpFoldResult> sizes;
    SmallVector<AffineExpr> outputs, read;
    for (auto [position, size] :
         llvm::enumerate(tensor::getMixedSizes(rewriter, loc, init))) {
      unsigned dim = outputMap.getDimPosition(position);
      if (!kept[dim])
        continue;
      sizes.push_back(size);
      outputs.push_back(renamed[dim]);
      read.push_back(rewriter.getAffineDimExpr(position));
    }
    maps.push_back(AffineMap::get(rank, 0, outputs, rewriter.getContext()));
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          getElementTypeOrSelf(init.getType()));
    auto smaller = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), op.getInputs(), empty, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
    rewriter.cloneRegionBefore(op.getRegion(), smaller.getRegion(),
                               smaller.getRegion().begin());
    smaller.walk([&](linalg::IndexOp index) {
      rewriter.modifyOpInPlace(index, [&] {
        index.setDim(
            cast<AffineDimExpr>(renamed[index.getDim()]).getPosition());
      });
    });
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());

    // 3. Its result, broadcast.
    Value broadcast =
        buildMovement(rewriter, loc, smaller.getResult(0), read, init);
    if (broadcast.getType() != op->getResult(0).getType())
      broadcast = tensor::CastOp::create(rewriter, loc,
                                         op->getResult(0).getType(), broadcast);
    rewriter.replaceOp(op, broadcast);
    return success();
  }
};
} // namespace

namespace {
/// transpose(contraction) is a contraction that writes transposed, and
/// transpose(collapse(contraction)) = collapse(transpose(contraction)).
struct FoldTransposeIntoProducer
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<AffineMap> movement =
        op.hasPureTensorSemantics() ? getMovement(op) : std::nullopt;
    if (!movement || !movement->isPermutation())
      return rewriter.notifyMatchFailure(op, "is not a transpose");
    Value source = op.getDpsInputOperand(0)->get();
    auto collapse = source.getDefiningOp<tensor::CollapseShapeOp>();
    if (collapse &&
        (!collapse->hasOneUse() ||
         cast<RankedTensorType>(op->getResult(0).getType()).getEncoding()))
      return rewriter.notifyMatchFailure(op, "the reshape is used elsewhere");
    Value computed = collapse ? collapse.getSrc() : source;
    auto producer = computed.getDefiningOp<linalg::LinalgOp>();
    if (!producer || !computed.hasOneUse() || producer->getNumResults() != 1 ||
        !linalg::isaContractionOpInterface(producer))
      return rewriter.notifyMatchFailure(op, "is not all a contraction is for");
    OpOperand *init = producer.getDpsInitOperand(0);
    auto fill = init->get().getDefiningOp<linalg::FillOp>();
    Value destination = op.getDpsInitOperand(0)->get();
    if (!fill || destination.getType() != op->getResult(0).getType() ||
        getElementTypeOrSelf(destination) != getElementTypeOrSelf(source))
      return rewriter.notifyMatchFailure(
          op, "the contraction does not start from a fill");
    SmallVector<ReassociationIndices> groups;
    if (collapse)
      groups = permuteGroups(rewriter, collapse.getReassociationIndices(),
                             *movement, destination, fill);
    SmallVector<AffineMap> maps = producer.getIndexingMapsArray();
    maps.back() = inversePermutation(*movement).compose(maps.back());
    Value filled = linalg::FillOp::create(rewriter, fill.getLoc(), fill.value(),
                                          destination)
                       .getResult(0);
    auto generic = linalg::GenericOp::create(
        rewriter, producer.getLoc(), TypeRange{destination.getType()},
        producer.getDpsInputs(), ValueRange{filled}, maps,
        producer.getIteratorTypesArray());
    rewriter.cloneRegionBefore(producer->getRegion(0), generic.getRegion(),
                               generic.getRegion().begin());
    generic->setDiscardableAttrs(producer->getDiscardableAttrDictionary());
    if (!collapse) {
      rewriter.replaceOp(op, generic);
      return success();
    }
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), generic.getResult(0), groups);
    // The type of the result may know more than that of the contraction.
    if (collapsed.getType() != op->getResult(0).getType())
      collapsed = tensor::CastOp::create(rewriter, op.getLoc(),
                                         op->getResult(0).getType(), collapsed);
    rewriter.replaceOp(op, collapsed);
    return success();
  }

private:
  /// Moves the `groups` of dimensions of what `fill` makes as `movement` moves
  /// what they are collapsed to. Sets `movement` to that of the dimensions and
  /// `destination` to a tensor of them, and returns the groups behind it.
  static SmallVector<ReassociationIndices>
  permuteGroups(PatternRewriter &rewriter,
                ArrayRef<ReassociationIndices> groups, AffineMap &movement,
                Value &destination, linalg::FillOp fill) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(
        rewriter, fill.getLoc(), fill.getDpsInitOperand(0)->get());
    // `movement` maps places behind it to places in front of it.
    SmallVector<int64_t> from(groups.size());
    for (auto [dim, expr] : llvm::enumerate(movement.getResults()))
      from[cast<AffineDimExpr>(expr).getPosition()] = dim;
    SmallVector<ReassociationIndices> moved;
    SmallVector<OpFoldResult> movedSizes;
    SmallVector<AffineExpr> places(sizes.size());
    for (int64_t group : from) {
      moved.emplace_back();
      for (int64_t dim : groups[group]) {
        moved.back().push_back(movedSizes.size());
        places[dim] = rewriter.getAffineDimExpr(movedSizes.size());
        movedSizes.push_back(sizes[dim]);
      }
    }
    movement = AffineMap::get(sizes.size(), 0, places, rewriter.getContext());
    destination = tensor::EmptyOp::create(rewriter, fill.getLoc(), movedSizes,
                                          getElementTypeOrSelf(destination));
    return moved;
  }
};
} // namespace

namespace {
/// A movement that reads dimensions of size 1 at 0 reads its input without
/// them, or is its input without them.
struct DropUnitDimsOfMovement
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<AffineMap> movement =
        op.hasPureTensorSemantics() ? getMovement(op) : std::nullopt;
    if (!movement || movement->isProjectedPermutation())
      return rewriter.notifyMatchFailure(op, "reads no place at 0");
    Value input = op.getDpsInputOperand(0)->get();
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices pending;
    for (auto [dim, expr] : llvm::enumerate(movement->getResults())) {
      pending.push_back(dim);
      if (isa<AffineConstantExpr>(expr)) {
        if (type.getDimSize(dim) != 1)
          return rewriter.notifyMatchFailure(op, "of many elements reads one");
        continue;
      }
      shape.push_back(type.getDimSize(dim));
      exprs.push_back(expr);
      groups.push_back(std::move(pending));
      pending.clear();
    }
    if (groups.empty())
      return rewriter.notifyMatchFailure(op, "is a scalar");
    llvm::append_range(groups.back(), pending);
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(shape, type.getElementType()), input, groups);
    if (collapsed.getType() == op->getResult(0).getType() &&
        AffineMap::get(shape.size(), 0, exprs, rewriter.getContext())
            .isIdentity()) {
      rewriter.replaceOp(op, collapsed);
      return success();
    }
    rewriter.replaceOp(op, buildMovement(rewriter, op.getLoc(), collapsed,
                                         exprs, op.getDpsInits().front()));
    return success();
  }
};
} // namespace

namespace {
/// slice(movement(x)) = movement(slice(x)): of packed tensors that are
/// transposed before they are taken apart nothing is copied.
struct SwapMovementAndSlice : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto op = slice.getSource().getDefiningOp<linalg::LinalgOp>();
    std::optional<AffineMap> movement =
        op && op.hasPureTensorSemantics() ? getMovement(op) : std::nullopt;
    if (!movement || !movement->isProjectedPermutation())
      return rewriter.notifyMatchFailure(slice, "is not of what is only moved");

    // 1. The slice of the input, without the dimensions that the slice drops.
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    Value input = op.getDpsInputOperand(0)->get();
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> exprs;
    // Dimensions of the source of the slice as dimensions of its result.
    SmallVector<int64_t> kept(dropped.size(), -1);
    int64_t rank = 0;
    for (unsigned dim = 0; dim < dropped.size(); ++dim)
      if (!dropped[dim])
        kept[dim] = rank++;
    for (AffineExpr expr : movement->getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      offsets.push_back(slice.getMixedOffsets()[dim]);
      sizes.push_back(slice.getMixedSizes()[dim]);
      strides.push_back(slice.getMixedStrides()[dim]);
      if (dropped[dim])
        continue;
      shape.push_back(slice.getType().getDimSize(kept[dim]));
      exprs.push_back(rewriter.getAffineDimExpr(kept[dim]));
    }
    Location loc = slice.getLoc();
    auto type = RankedTensorType::get(shape, slice.getType().getElementType());
    if (getElementTypeOrSelf(input) != type.getElementType())
      return rewriter.notifyMatchFailure(op, "the element type changes");
    Value sliced = tensor::ExtractSliceOp::create(rewriter, loc, type, input,
                                                  offsets, sizes, strides);

    // 2. It is moved.
    SmallVector<OpFoldResult> resultSizes;
    for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[dim])
        resultSizes.push_back(size);
    Value empty = tensor::EmptyOp::create(rewriter, loc, resultSizes,
                                          type.getElementType());
    Value result = buildMovement(rewriter, loc, sliced, exprs, empty);
    if (result.getType() != slice.getType())
      result = tensor::CastOp::create(rewriter, loc, slice.getType(), result);
    rewriter.replaceOp(slice, result);
    return success();
  }
};
} // namespace

namespace {
/// concat(movement(x), movement(y)) = movement(concat(x, y)): heads of two
/// streams are transposed before the streams are one. A filled part, such as a
/// row of zeros behind the keys, is a transpose of a filled one.
struct SwapMovementAndConcat : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    // 1. All parts are moved in the same way.
    SmallVector<Value> inputs;
    std::optional<AffineMap> movement;
    auto getFill = [](Value part) {
      return part.getDefiningOp<linalg::FillOp>();
    };
    for (Value part : op.getInputs()) {
      if (getFill(part)) {
        inputs.push_back(part);
        continue;
      }
      auto producer = part.getDefiningOp<linalg::LinalgOp>();
      std::optional<AffineMap> here =
          producer && producer.hasPureTensorSemantics() && part.hasOneUse()
              ? getMovement(producer)
              : std::nullopt;
      if (!here || !here->isProjectedPermutation() ||
          (movement && *movement != *here))
        return rewriter.notifyMatchFailure(op, "a part is not moved alike");
      movement = here;
      inputs.push_back(producer.getDpsInputOperand(0)->get());
      if (getElementTypeOrSelf(inputs.back()) !=
          op.getResultType().getElementType())
        return rewriter.notifyMatchFailure(op, "the element type changes");
    }
    // 2. The dimension is one of the inputs.
    if (!movement)
      return rewriter.notifyMatchFailure(op, "no part is moved");
    std::optional<unsigned> dim =
        movement->getResultPosition(rewriter.getAffineDimExpr(op.getDim()));
    if (!dim)
      return rewriter.notifyMatchFailure(op, "the parts are broadcast");
    if (llvm::any_of(op.getInputs(), getFill) && !movement->isPermutation())
      return rewriter.notifyMatchFailure(op,
                                         "a filled part is not moved alike");
    Location loc = op.getLoc();
    for (auto [part, input] : llvm::zip_equal(op.getInputs(), inputs)) {
      auto fill = getFill(part);
      if (!fill)
        continue;
      SmallVector<OpFoldResult> sizes(op.getRank());
      for (auto [number, expr] : llvm::enumerate(movement->getResults()))
        sizes[number] = tensor::getMixedSize(
            rewriter, loc, part, cast<AffineDimExpr>(expr).getPosition());
      Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                            getElementTypeOrSelf(part));
      input = linalg::FillOp::create(rewriter, loc, fill.getInputs(), empty)
                  .getResult(0);
    }
    SmallVector<OpFoldResult> sizes;
    for (int64_t d = 0; d < op.getRank(); ++d) {
      OpFoldResult size =
          tensor::getMixedSize(rewriter, loc, op.getInputs().front(), d);
      if (d == static_cast<int64_t>(op.getDim())) {
        AffineExpr sum = rewriter.getAffineConstantExpr(0);
        SmallVector<OpFoldResult> parts;
        for (auto [number, part] : llvm::enumerate(op.getInputs())) {
          sum = sum + rewriter.getAffineSymbolExpr(number);
          parts.push_back(tensor::getMixedSize(rewriter, loc, part, d));
        }
        size = affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(0, parts.size(), sum), parts);
      }
      sizes.push_back(size);
    }
    Value concat =
        tensor::ConcatOp::create(rewriter, loc, *dim, inputs).getResult();
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          op.getResultType().getElementType());
    Value result =
        buildMovement(rewriter, loc, concat, movement->getResults(), empty);
    if (result.getType() != op.getResultType())
      result =
          tensor::CastOp::create(rewriter, loc, op.getResultType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

namespace {
/// collapse(transpose(x)) = transpose(collapse(x)), where the dimensions that
/// are collapsed are neighbours, in this order, before the transpose as well;
/// those of size 1 may be anywhere. Importers collapse batch and heads between
/// the transpose and the contraction.
struct SwapTransposeAndCollapse
    : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getSrc().getDefiningOp<linalg::LinalgOp>();
    std::optional<AffineMap> movement =
        producer ? getMovement(producer) : std::nullopt;
    if (!movement || !movement->isPermutation())
      return rewriter.notifyMatchFailure(op, "is not of a transpose");
    if (!producer->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the transpose is used elsewhere");

    // 1. The group of each dimension of the input. Dimensions of size 1 that a
    // group loses are of none.
    Value input = producer.getDpsInputOperand(0)->get();
    auto inputType = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> groupOf(inputType.getRank(), -1);
    for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
      SmallVector<int64_t> dims;
      for (int64_t dim : group)
        dims.push_back(
            *movement->getResultPosition(rewriter.getAffineDimExpr(dim)));
      int64_t first = dims.front();
      if (dims.size() > 1)
        llvm::erase_if(
            dims, [&](int64_t dim) { return inputType.getDimSize(dim) == 1; });
      if (dims.empty())
        dims.push_back(first);
      if (!llvm::is_sorted(dims))
        return rewriter.notifyMatchFailure(op, "a group is torn apart");
      for (int64_t dim : dims)
        groupOf[dim] = number;
    }

    // 2. The groups in the order of the input.
    SmallVector<ReassociationIndices> collapsedGroups;
    SmallVector<int64_t> order;
    ReassociationIndices pending;
    for (auto [dim, number] : llvm::enumerate(groupOf)) {
      if (number >= 0 && (order.empty() || order.back() != number)) {
        if (llvm::is_contained(order, number))
          return rewriter.notifyMatchFailure(op, "a group is torn apart");
        order.push_back(number);
        collapsedGroups.push_back(std::exchange(pending, {}));
      }
      (order.empty() ? pending : collapsedGroups.back()).push_back(dim);
    }
    if (order.empty())
      return rewriter.notifyMatchFailure(op, "is a scalar");
    SmallVector<int64_t> permutation(order.size());
    for (auto [position, number] : llvm::enumerate(order))
      permutation[number] = position;

    Location loc = op.getLoc();
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(op.getType()))
      return rewriter.notifyMatchFailure(op, "the element type changes");
    Value collapsed = collapse(rewriter, loc, input, collapsedGroups);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, collapsed);
    SmallVector<OpFoldResult> permuted;
    for (int64_t position : permutation)
      permuted.push_back(sizes[position]);
    Value empty = tensor::EmptyOp::create(rewriter, loc, permuted,
                                          op.getType().getElementType());
    Value result = linalg::TransposeOp::create(rewriter, loc, collapsed, empty,
                                               permutation)
                       ->getResult(0);
    if (result.getType() != op.getType())
      result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// Collapses `groups` of `input`. A slice drops dimensions of size 1 itself:
  /// a reshape would be folded into its users, and give them these dimensions.
  static Value collapse(PatternRewriter &rewriter, Location loc, Value input,
                        ArrayRef<ReassociationIndices> groups) {
    auto type = cast<RankedTensorType>(input.getType());
    RankedTensorType collapsed =
        type.clone(tensor::CollapseShapeOp::inferCollapsedType(
                       type, SmallVector<ReassociationIndices>(groups))
                       .getShape());
    bool dropsOnly = llvm::all_of(groups, [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t dim) {
               return type.getDimSize(dim) != 1;
             }) <= 1;
    });
    // A slice of no elements is out of bounds.
    if (dropsOnly && input.getDefiningOp<tensor::ExtractSliceOp>() &&
        !llvm::is_contained(type.getShape(), 0))
      return tensor::createCanonicalRankReducingExtractSliceOp(
          rewriter, loc, input, collapsed);
    return tensor::CollapseShapeOp::create(rewriter, loc, input, groups);
  }
};
} // namespace

void mlir::linalg_ext::populateFoldTransposePatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropUnitDimsOfMovement, FoldMovementIntoUser,
               SwapBroadcastAndElementwise, SwapMovementAndSlice,
               SwapMovementAndConcat, SwapTransposeAndCollapse>(
      patterns.getContext());
}

void mlir::linalg_ext::populateFoldTransposeIntoProducerPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldTransposeIntoProducer>(patterns.getContext());
}
