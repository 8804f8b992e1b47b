//===- ReshapeTilingInterfaceImpl.cpp - Fusing through reshapes -----------===//
//
// TilingInterface of tensor.expand_shape and tensor.collapse_shape, so that
// fusion reaches the producers of their sources. It accepts a tile if the tile
// is one slice of the source, or if one slice covers it at a bounded cost (see
// ReshapeTiles.h). It refuses every other tile.
//
//===----------------------------------------------------------------------===//

#include "ResultTiling.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/ReshapeTiles.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/StructuredTiling.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-reshape-tiling"

using namespace mlir;
using namespace mlir::linalg_ext;

using OpFoldResults = SmallVector<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

static OpFoldResult apply(OpBuilder &b, Location loc, AffineExpr expr,
                          ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(0, operands.size(), expr), operands);
}

static OpFoldResult multiply(OpBuilder &b, Location loc, OpFoldResult lhs,
                             OpFoldResult rhs) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  return apply(b, loc, s0 * s1, {lhs, rhs});
}

/// Returns `size` as a divisor, at least 1. A dynamic size may be 0, and a
/// later pass may move the division to a place where its quotient is not used.
static OpFoldResult getDivisor(OpBuilder &b, Location loc, OpFoldResult size) {
  if (getConstantIntValue(size))
    return size;
  AffineMap map = AffineMap::get(
      0, 1, {b.getAffineSymbolExpr(0), b.getAffineConstantExpr(1)},
      b.getContext());
  return affine::makeComposedFoldedAffineMax(b, loc, map, {size});
}

/// Replaces constants by attributes, so that types have static sizes.
static OpFoldResults normalize(OpBuilder &b, ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) -> OpFoldResult {
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return b.getIndexAttr(*constant);
    return size;
  });
}

static ArrayRef<OpFoldResult> ofGroup(ArrayRef<OpFoldResult> values,
                                      ReassociationIndicesRef group) {
  return values.slice(group.front(), group.size());
}

namespace {
/// A tile of the split dimensions, and the offset in it of the part that is
/// wanted.
struct SplitTile {
  OpFoldResults offsets, sizes;
};
} // namespace

/// Returns the range of the flat dimension that a tile of a group covers.
static std::pair<OpFoldResult, OpFoldResult>
flattenTile(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> extents,
            ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  AffineExpr s0, s1, s2;
  bindSymbols(b.getContext(), s0, s1, s2);
  OpFoldResult offset = b.getIndexAttr(0), size = b.getIndexAttr(1);
  OpFoldResult stride = b.getIndexAttr(1);
  for (auto [extent, tileOffset, tileSize] :
       llvm::reverse(llvm::zip_equal(extents, offsets, sizes))) {
    offset = apply(b, loc, s0 + s1 * s2, {offset, tileOffset, stride});
    size = multiply(b, loc, size, tileSize);
    stride = multiply(b, loc, stride, extent);
  }
  return {offset, size};
}

/// Builds the smallest tile of a group that covers the range [offset, offset +
/// size). The range must stay within one index of the dimensions outside of
/// `cut.dim`.
static SplitTile coverRange(OpBuilder &b, Location loc, const ReshapeCut &cut,
                            ArrayRef<OpFoldResult> extents,
                            OpFoldResult &offset, OpFoldResult size) {
  SplitTile tile;
  tile.offsets.assign(extents.size(), b.getIndexAttr(0));
  tile.sizes.assign(extents.size(), b.getIndexAttr(1));
  AffineExpr s0, s1, s2, s3;
  bindSymbols(b.getContext(), s0, s1, s2, s3);
  OpFoldResult start = offset, inner = b.getIndexAttr(1);
  OpFoldResult last = apply(b, loc, s0 + s1 - 1, {start, size});
  offset = b.getIndexAttr(0);
  for (unsigned dim = extents.size(); dim-- > 0;) {
    OpFoldResult extent = extents[dim];
    if (isOneInteger(extent))
      continue;
    bool outermost = llvm::all_of(extents.take_front(dim), isOneInteger);
    OpFoldResult divisor = getDivisor(b, loc, inner);
    OpFoldResult stride = inner;
    inner = multiply(b, loc, inner, extent);
    OpFoldResult index = apply(b, loc, s0.floorDiv(s1), {start, divisor});
    OpFoldResult touched =
        apply(b, loc, s0.floorDiv(s1) - s2 + 1, {last, divisor, index});
    if (!outermost)
      index = apply(b, loc, s0 % s1, {index, getDivisor(b, loc, extent)});
    tile.offsets[dim] = index;
    if (dim == cut.dim)
      tile.sizes[dim] = touched;
    if (dim <= cut.dim)
      continue;
    // 1 if the range crosses the end of the dimension. The tile then has all of
    // it.
    OpFoldResult leaves = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(
            0, 3,
            {b.getAffineConstantExpr(1), s0.floorDiv(s2) - s1.floorDiv(s2)},
            b.getContext()),
        {last, start, getDivisor(b, loc, inner)});
    tile.offsets[dim] = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 3, {b.getAffineConstantExpr(0), s0 - s1 * s2},
                       b.getContext()),
        {index, leaves, extent});
    tile.sizes[dim] = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 3, {s0, s1 + s2 * s0}, b.getContext()),
        {extent, touched, leaves});
    offset = apply(b, loc, s0 + (s1 - s2) * s3,
                   {offset, index, tile.offsets[dim], stride});
  }
  return tile;
}

/// Builds the tile of a group that equals or covers the range [offset, offset +
/// size). Sets `offset` to the offset of the range in the tile.
static SplitTile splitRange(OpBuilder &b, Location loc, const ReshapeCut &cut,
                            ArrayRef<OpFoldResult> extents,
                            OpFoldResult &offset, OpFoldResult size) {
  SplitTile tile;
  tile.offsets.assign(extents.size(), b.getIndexAttr(0));
  tile.sizes.assign(extents.begin(), extents.end());
  OpFoldResult start = offset;
  offset = b.getIndexAttr(0);
  if (cut.whole) {
    // A group of one dimension keeps the tile of the loop.
    if (extents.size() == 1) {
      tile.offsets.front() = start;
      tile.sizes.front() = size;
    }
    return tile;
  }
  if (cut.smallest) {
    offset = start;
    return coverRange(b, loc, cut, extents, offset, size);
  }
  AffineExpr s0, s1, s2;
  bindSymbols(b.getContext(), s0, s1, s2);
  OpFoldResult inner = b.getIndexAttr(1);
  for (unsigned dim = extents.size(); dim-- > 0;) {
    OpFoldResult divisor = getDivisor(b, loc, inner);
    if (dim <= cut.dim && !isOneInteger(extents[dim])) {
      bool outermost = llvm::all_of(extents.take_front(dim), isOneInteger);
      OpFoldResult index =
          cut.offsets.empty() ? OpFoldResult() : cut.offsets[dim];
      if (!index) {
        index = apply(b, loc, s0.floorDiv(s1), {start, divisor});
        if (!outermost)
          index =
              apply(b, loc, s0 % s1, {index, getDivisor(b, loc, extents[dim])});
      }
      tile.offsets[dim] = index;
      tile.sizes[dim] = b.getIndexAttr(1);
    }
    if (dim == cut.dim && cut.covering) {
      tile.sizes[dim] =
          apply(b, loc, (s0 + s1 + s2 - 1).floorDiv(s2) - s0.floorDiv(s2),
                {start, size, divisor});
      offset = apply(b, loc, s0 % s1, {start, divisor});
    } else if (dim == cut.dim) {
      tile.sizes[dim] =
          cut.size ? cut.size : apply(b, loc, s0.floorDiv(s1), {size, divisor});
    }
    inner = multiply(b, loc, inner, extents[dim]);
  }
  return tile;
}

namespace {
/// The part that both reshapes share. The iteration domain is that of the
/// result.
template <typename Model, typename OpTy>
struct ReshapeTiling : public ResultTiling<Model, OpTy> {
  // LLVM 23 overloads these. What is defined below must not hide that.
  using Base = ResultTiling<Model, OpTy>;
  using Base::getIterationDomainTileFromOperandTiles;
  using Base::getTiledImplementationFromOperandTiles;

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  static FailureOr<SmallVector<ReshapeCut>>
  getCuts(Operation *op, bool ofSource, ArrayRef<OpFoldResult> offsets,
          ArrayRef<OpFoldResult> sizes) {
    Refusal refusal;
    FailureOr<SmallVector<ReshapeCut>> cuts =
        cutReshape(op, ofSource, offsets, sizes, refusal);
    if (failed(cuts))
      LDBG() << op->getName() << " refuses a tile: " << refusal.text;
    return cuts;
  }

  /// Returns the type that drivers expect for a tile of `sizes`.
  static RankedTensorType getTileType(OpTy op, ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
    return RankedTensorType::get(shape, op.getResultType().getElementType());
  }

  /// Returns `tiled`, a tile of `op`, with the type of a tile of `sizes`. If
  /// `wanted` is given, returns the slice that starts there.
  static Value takeTile(OpTy op, OpBuilder &b, Value tiled,
                        ArrayRef<OpFoldResult> sizes,
                        ArrayRef<OpFoldResult> wanted) {
    Location loc = op.getLoc();
    RankedTensorType type = getTileType(op, sizes);
    if (!wanted.empty())
      return tensor::ExtractSliceOp::create(
          b, loc, type, tiled, wanted, sizes,
          OpFoldResults(wanted.size(), b.getIndexAttr(1)));
    return tiled.getType() == type
               ? tiled
               : tensor::CastOp::create(b, loc, type, tiled).getResult();
  }

  //===--------------------------------------------------------------------===//
  // TilingInterface
  //===--------------------------------------------------------------------===//

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(
        cast<OpTy>(op).getResultType().getRank(),
        utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    ReifiedRankedShapedTypeDims shapes;
    SmallVector<Range> domain;
    if (failed(reifyTypedResultShapes(b, op, shapes)))
      return domain;
    for (OpFoldResult size : shapes.front())
      domain.push_back(Range{b.getIndexAttr(0), size, b.getIndexAttr(1)});
    return domain;
  }

  //===--------------------------------------------------------------------===//
  // Fusing as a consumer
  //===--------------------------------------------------------------------===//

  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
      ArrayRef<OpFoldResults> allOffsets, ArrayRef<OpFoldResults> allSizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    if (operandNumbers != ArrayRef<unsigned>(0))
      return failure();
    FailureOr<SmallVector<ReshapeCut>> cuts =
        getCuts(op, /*ofSource=*/true, allOffsets.front(), allSizes.front());
    if (failed(cuts))
      return failure();
    auto reshape = cast<OpTy>(op);
    Location loc = op->getLoc();
    OpFoldResults extents = Model::getExtents(reshape, b);
    // Result dimensions that no group has are of size 1.
    domainOffsets.assign(reshape.getResultType().getRank(), b.getIndexAttr(0));
    domainSizes.assign(reshape.getResultType().getRank(), b.getIndexAttr(1));
    OpFoldResults sizes = normalize(b, allSizes.front());
    ArrayRef<OpFoldResult> offsets = allOffsets.front();
    for (auto [flat, group, cut] :
         llvm::enumerate(reshape.getReassociationIndices(), *cuts)) {
      if constexpr (std::is_same_v<OpTy, tensor::CollapseShapeOp>) {
        std::tie(domainOffsets[flat], domainSizes[flat]) =
            flattenTile(b, loc, ofGroup(extents, group),
                        ofGroup(offsets, group), ofGroup(sizes, group));
      } else {
        OpFoldResult offset = offsets[flat];
        SplitTile tile = splitRange(b, loc, cut, ofGroup(extents, group),
                                    offset, sizes[flat]);
        // The sizes on both sides must be static, or dynamic on both sides.
        if (isa<Attribute>(sizes[flat]) !=
            llvm::all_of(tile.sizes, llvm::IsaPred<Attribute>))
          return failure();
        llvm::copy(tile.offsets, domainOffsets.begin() + group.front());
        llvm::copy(tile.sizes, domainSizes.begin() + group.front());
      }
    }
    return success();
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
      ArrayRef<OpFoldResults> allOffsets,
      ArrayRef<OpFoldResults> allSizes) const {
    OpFoldResults domainOffsets, domainSizes;
    // A consumer must not read partial results.
    if (operandNumbers != ArrayRef<unsigned>(0) ||
        isCompleteOnlyAfterLoop(op->getOpOperand(0), allOffsets.front()) ||
        failed(getIterationDomainTileFromOperandTiles(
            op, b, operandNumbers, allOffsets, allSizes, domainOffsets,
            domainSizes)))
      return failure();
    return getModel().buildTile(cast<OpTy>(op), b, allOffsets.front(),
                                allSizes.front(), domainSizes);
  }

private:
  const Model &getModel() const { return *static_cast<const Model *>(this); }
};

struct ExpandShapeTiling
    : public ReshapeTiling<ExpandShapeTiling, tensor::ExpandShapeOp> {
  using ReshapeTiling::getTiledImplementation;

  static OpFoldResults getExtents(tensor::ExpandShapeOp op, OpBuilder &) {
    return getOutputShape(op);
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    FailureOr<SmallVector<ReshapeCut>> cuts =
        getCuts(op, /*ofSource=*/false, offsets, sizes);
    if (failed(cuts))
      return failure();
    auto expand = cast<tensor::ExpandShapeOp>(op);
    OpFoldResults extents = getOutputShape(expand), sourceOffsets,
                  sourceSizes;
    // The tile that covers the requested one, and the offset of the latter in
    // it.
    OpFoldResults tileOffsets(offsets), tileSizes = normalize(b, sizes), wanted;
    bool isCovering = false;
    for (auto [group, cut] :
         llvm::zip_equal(expand.getReassociationIndices(), *cuts)) {
      for (int64_t dim : cut.covering ? ArrayRef(group).drop_front(cut.dim + 1)
                                      : ArrayRef<int64_t>()) {
        tileOffsets[dim] = b.getIndexAttr(0);
        tileSizes[dim] = extents[dim];
        isCovering = true;
      }
      auto [offset, size] =
          flattenTile(b, op->getLoc(), ofGroup(extents, group),
                      ofGroup(tileOffsets, group), ofGroup(tileSizes, group));
      sourceOffsets.push_back(offset);
      // The sizes on both sides must be static, or dynamic on both sides.
      if (!llvm::all_of(ofGroup(tileSizes, group), llvm::IsaPred<Attribute>))
        size = getValueOrCreateConstantIndexOp(b, op->getLoc(), size);
      sourceSizes.push_back(size);
    }
    if (isCovering)
      for (auto [offset, tileOffset] : llvm::zip_equal(offsets, tileOffsets))
        wanted.push_back(offset == tileOffset ? b.getIndexAttr(0) : offset);
    return buildTile(expand, b, sourceOffsets, sourceSizes, tileSizes, sizes,
                     wanted);
  }

  TilingResult buildTile(tensor::ExpandShapeOp expand, OpBuilder &b,
                         ArrayRef<OpFoldResult> sourceOffsets,
                         ArrayRef<OpFoldResult> sourceSizes,
                         ArrayRef<OpFoldResult> sizes) const {
    return buildTile(expand, b, sourceOffsets, sourceSizes, normalize(b, sizes),
                     sizes);
  }

  /// Builds the tile of `tileSizes`. If `wanted` is given, returns the slice of
  /// it that starts there and has `sizes`.
  TilingResult buildTile(tensor::ExpandShapeOp expand, OpBuilder &b,
                         ArrayRef<OpFoldResult> sourceOffsets,
                         ArrayRef<OpFoldResult> sourceSizes,
                         ArrayRef<OpFoldResult> tileSizes,
                         ArrayRef<OpFoldResult> sizes,
                         ArrayRef<OpFoldResult> wanted = {}) const {
    Location loc = expand.getLoc();
    OpFoldResults strides(sourceOffsets.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        b, loc, expand.getSrc(), sourceOffsets, sourceSizes, strides);
    auto tiled = tensor::ExpandShapeOp::create(
        b, loc, getTileType(expand, tileSizes), slice,
        expand.getReassociationIndices(), tileSizes);
    return TilingResult{
        {tiled}, {takeTile(expand, b, tiled, sizes, wanted)}, {slice}};
  }
};

struct CollapseShapeTiling
    : public ReshapeTiling<CollapseShapeTiling, tensor::CollapseShapeOp> {
  using ReshapeTiling::getTiledImplementation;

  static OpFoldResults getExtents(tensor::CollapseShapeOp op, OpBuilder &b) {
    return tensor::getMixedSizes(b, op.getLoc(), op.getSrc());
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    FailureOr<SmallVector<ReshapeCut>> cuts =
        getCuts(op, /*ofSource=*/false, offsets, sizes);
    if (failed(cuts))
      return failure();
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    Location loc = op->getLoc();
    OpFoldResults extents = getExtents(collapse, b);
    OpFoldResults sourceOffsets(extents.size(), b.getIndexAttr(0));
    OpFoldResults sourceSizes(extents), wanted(offsets);
    for (auto [dim, group, cut] :
         llvm::enumerate(collapse.getReassociationIndices(), *cuts)) {
      SplitTile tile =
          splitRange(b, loc, cut, ofGroup(extents, group), wanted[dim],
                     normalize(b, sizes[dim]).front());
      llvm::copy(tile.offsets, sourceOffsets.begin() + group.front());
      llvm::copy(tile.sizes, sourceSizes.begin() + group.front());
    }
    bool isCovering =
        llvm::any_of(*cuts, [](ReshapeCut cut) { return cut.covering; });
    return buildTile(collapse, b, sourceOffsets, sourceSizes, sizes,
                     isCovering ? wanted : OpFoldResults());
  }

  /// If `wanted` is given, slices the tile of the source there.
  TilingResult buildTile(tensor::CollapseShapeOp collapse, OpBuilder &b,
                         ArrayRef<OpFoldResult> sourceOffsets,
                         ArrayRef<OpFoldResult> sourceSizes,
                         ArrayRef<OpFoldResult> sizes,
                         ArrayRef<OpFoldResult> wanted = {}) const {
    Location loc = collapse.getLoc();
    OpFoldResults strides(sourceOffsets.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        b, loc, collapse.getSrc(), sourceOffsets, sourceSizes, strides);
    auto tiled = tensor::CollapseShapeOp::create(
        b, loc, slice, collapse.getReassociationIndices());
    return TilingResult{
        {tiled}, {takeTile(collapse, b, tiled, sizes, wanted)}, {slice}};
  }
};
} // namespace

void mlir::linalg_ext::registerReshapeTilingInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExpandShapeOp::attachInterface<ExpandShapeTiling>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseShapeTiling>(*context);
  });
}

void mlir::linalg_ext::registerAllExternalModels(DialectRegistry &registry) {
  registerTilingInterfaceExternalModels(registry);
  registerPagedGatherTilingInterfaceExternalModels(registry);
  registerReshapeTilingInterfaceExternalModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerOnlineReductionExternalModels(registry);
  registerRepairableOpInterfaceExternalModels(registry);
}
