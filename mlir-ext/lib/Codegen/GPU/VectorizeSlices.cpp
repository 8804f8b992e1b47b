//===- VectorizeSlices.cpp - Slices, casts and copies of tiles ------------===//
//
// A slice, cast or copy of a whole tile is the same vector. A smaller tile that
// is inserted into a larger one is a vector of the larger size, with a mask.
//
//===----------------------------------------------------------------------===//

#include "TileVectorizer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult TileVectorizer::visitExtractSlice(tensor::ExtractSliceOp op) {
  if (!isTile(op.getSource()))
    return success(); // Read where it is used.
  TileShape shape = *getShape(op.getSource());
  if (slots.contains(op.getSource()) && op.hasUnitStride() &&
      succeeded(extractSlot(op, shape)))
    return success();
  if (!op.hasUnitStride() || !llvm::all_of(op.getMixedOffsets(), isZeroInteger))
    return failure();
  TileValue vector = tiles[op.getSource()];
  // The slice has the first elements of the tile, so it is the same vector.
  if (!isWhole(op.getMixedOffsets(), op.getMixedSizes(), shape)) {
    vector.isZeroPadded = false;
    shape.sizes = op.getMixedSizes();
  }
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TileShape result;
  SmallVector<int64_t> numbers(shape.bounds.size(), -1);
  for (auto [dim, bound] : llvm::enumerate(shape.bounds)) {
    if (dropped.test(dim))
      continue;
    numbers[dim] = result.bounds.size();
    result.bounds.push_back(bound);
    result.sizes.push_back(shape.sizes[dim]);
  }
  for (int64_t &dim : vector.dims)
    dim = numbers[dim];
  setTile(op.getResult(), vector, result);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitInsertSlice(tensor::InsertSliceOp op) {
  bool isInTile =
      isTile(op.getDest()) || op.getDest().getDefiningOp<tensor::EmptyOp>();
  if (!isTile(op.getSource()) && !isInTile)
    return success();
  FailureOr<TileShape> shape = getShape(op.getDest());
  if (failed(shape) || !op.hasUnitStride())
    return success(!isTile(op.getSource()) && !isTile(op.getDest()));
  // The other elements of the tile keep their values.
  if (!isWhole(op.getMixedOffsets(), op.getMixedSizes(), *shape))
    return isInTile ? insertPart(op, *shape) : failure();
  if (!isTile(op.getSource()) && !isTile(op.getDest()))
    return success();
  if (failed(getShape(op.getSource())))
    return failure();
  SmallVector<int64_t> kept;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> bounds;
  for (auto [dim, bound] : llvm::enumerate(shape->bounds))
    if (!dropped.test(dim)) {
      kept.push_back(dim);
      bounds.push_back(bound);
    }
  TileValue vector = getTile(op.getSource(), bounds);
  for (int64_t &dim : vector.dims)
    dim = kept[dim];
  setTile(op.getResult(), vector, *shape);
  replaced.push_back(op);
  return success();
}

/// Inserts the source of `op`, which is in memory, into a part of a tile of
/// `shape`. Reads a vector as large as the tile, under a mask that is true for
/// the elements of the source.
LogicalResult TileVectorizer::insertPart(tensor::InsertSliceOp op,
                                         const TileShape &shape) {
  Location loc = op.getLoc();
  bool isNew = !isTile(op.getDest());
  int64_t numElements = 1;
  for (int64_t bound : shape.bounds)
    numElements *= bound;
  if (numElements > options.maxElements || op.getDroppedDims().any())
    return success(isNew && !isTile(op.getSource()));
  Value source = op.getSource();
  if (isTile(source))
    source = materialize(source);
  TensorView view = getTensorView(rewriter, loc, source,
                                  [&](Value value) { return !isTile(value); });
  // 1. Compute the positions of the part: from `start`, and below `end`.
  TileShape end = shape;
  SmallVector<int64_t> ended, started;
  TileShape start = shape;
  AffineExpr sum = rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
  AffineExpr difference =
      rewriter.getAffineDimExpr(0) - rewriter.getAffineDimExpr(1);
  for (auto [dim, offset, size] :
       llvm::zip_equal(llvm::seq<int64_t>(0, shape.bounds.size()),
                       op.getMixedOffsets(), op.getMixedSizes())) {
    end.sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(2, 0, sum), {offset, size});
    start.sizes[dim] = offset;
    OpFoldResult &at = view.offsets[view.dims[dim]];
    at = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(2, 0, difference), {at, offset});
    if (shape.bounds[dim] == 1) {
      // Along a dimension of one element, the part has the element or is empty.
      end.sizes[dim] = size;
      continue;
    }
    if (end.isMasked(dim))
      ended.push_back(dim);
    if (getConstantIntValue(offset) != 0)
      started.push_back(dim);
  }
  SmallVector<int64_t> dims = shape.getVectorDims();
  Value inside = hasSingleElements(rewriter, loc, end);
  if (inside && !dims.empty()) {
    end = emptyUnless(rewriter, loc, inside, end, dims.front());
    if (!llvm::is_contained(ended, dims.front()))
      ended.push_back(dims.front());
    for (auto [bound, size] : llvm::zip_equal(end.bounds, end.sizes))
      if (bound == 1)
        size = rewriter.getIndexAttr(1);
    inside = nullptr;
  }
  auto require = [&](Value mask) {
    inside = inside ? arith::AndIOp::create(rewriter, loc, inside, mask) : mask;
  };
  if (!ended.empty())
    require(createTileMask(rewriter, loc, dims, end, ended));
  for (int64_t dim : started) {
    Value before = createTileMask(rewriter, loc, dims, start, {dim});
    Value all = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(cast<ShapedType>(before.getType()), true));
    require(arith::XOrIOp::create(rewriter, loc, before, all));
  }

  // 2. Read the part.
  TileValue vector = readTile(rewriter, loc, view, end);
  if (auto read = vector.value.getDefiningOp<vector::TransferReadOp>();
      read && !started.empty())
    read.getMaskMutable().assign(inside);
  if (!isNew) {
    TileValue dest = tiles[op.getDest()];
    Value old = broadcastTo(rewriter, loc, dest, dims, shape.bounds);
    if (inside)
      vector = {
          arith::SelectOp::create(rewriter, loc, inside, vector.value, old),
          dims, dest.isZeroPadded};
  }
  setTile(op.getResult(), vector, shape);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitCast(tensor::CastOp op) {
  if (!isTile(op.getSource()))
    return success();
  if (!isa<RankedTensorType>(op.getType()))
    return failure();
  TileShape shape = *getShape(op.getSource());
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(op.getType()).getShape()))
    if (!ShapedType::isDynamic(size))
      shape.sizes[dim] = rewriter.getIndexAttr(size);
  setTile(op.getResult(), tiles[op.getSource()], shape);
  replaced.push_back(op);
  return success();
}

/// Handles `op`, whose only result is a separate copy of `source`.
LogicalResult TileVectorizer::visitCopy(Operation *op, Value source) {
  if (!isTile(source))
    return failure();
  setTile(op->getResult(0), tiles[source], *getShape(source));
  replaced.push_back(op);
  return success();
}

/// Handles a reshape that adds and drops dimensions of one element, or that
/// merges or splits dimensions whose sizes equal those of the vectors.
LogicalResult TileVectorizer::visitReshape(Operation *op, Value source,
                                           Value result) {
  if (!isTile(source))
    return success();
  TileShape from = *getShape(source);
  FailureOr<TileShape> to = getShape(result);
  if (failed(to))
    return failure();
  SmallVector<int64_t> fromDims = from.getVectorDims(),
                       toDims = to->getVectorDims();
  bool isSame = fromDims.size() == toDims.size();
  for (auto [fromDim, toDim] : llvm::zip(fromDims, toDims))
    isSame &= from.bounds[fromDim] == to->bounds[toDim];
  if (isSame) {
    TileValue vector = tiles[source];
    for (int64_t &dim : vector.dims)
      dim = toDims[llvm::find(fromDims, dim) - fromDims.begin()];
    for (auto [fromDim, toDim] : llvm::zip(fromDims, toDims))
      to->sizes[toDim] = from.sizes[fromDim];
    setTile(result, vector, *to);
    replaced.push_back(op);
    return success();
  }
  // A dimension that may be smaller than that of the vector is not merged or
  // split.
  SmallVector<ReassociationIndices> groups;
  bool isExpand = isa<tensor::ExpandShapeOp>(op);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    groups = expand.getReassociationIndices();
  else
    groups = cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  TileShape &larger = isExpand ? *to : from;
  TileShape &smaller = isExpand ? from : *to;
  // The bounds of merged dimensions, before they are padded.
  SmallVector<int64_t> bounds(to->bounds);
  for (auto [dim, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> kept;
    for (int64_t at : group)
      if (larger.bounds[at] != 1 || larger.isMasked(at))
        kept.push_back(at);
    if (kept.size() == 1 && larger.bounds[kept[0]] == smaller.bounds[dim]) {
      to->sizes[isExpand ? kept[0] : dim] =
          from.sizes[isExpand ? dim : kept[0]];
      continue;
    }
    int64_t size = 1;
    for (int64_t at : group)
      size *= larger.bounds[at];
    // The elements of fewer groups, each of which is whole, come first.
    bool hasFewer =
        !isExpand && !kept.empty() && larger.isMasked(kept.front()) &&
        llvm::none_of(ArrayRef(kept).drop_front(),
                      [&](int64_t at) { return larger.isMasked(at); });
    if (!hasFewer &&
        llvm::any_of(group, [&](int64_t at) { return larger.isMasked(at); }))
      return failure();
    if (hasFewer)
      to->sizes[dim] = affine::makeComposedFoldedAffineApply(
          rewriter, op->getLoc(),
          rewriter.getAffineSymbolExpr(0) * (size / larger.bounds[kept[0]]),
          {larger.sizes[kept[0]]});
    else if (isExpand ? size != smaller.bounds[dim] || smaller.isMasked(dim)
                      : getConstantIntValue(smaller.sizes[dim]) != size)
      return failure();
    if (!isExpand)
      bounds[dim] = size;
  }
  if (fromDims.empty() || toDims.empty())
    return failure();
  auto type = cast<VectorType>(
      getTileValueType(toDims, bounds, getElementTypeOrSelf(result.getType())));
  Value vector = vector::ShapeCastOp::create(rewriter, op->getLoc(), type,
                                             getWholeVector(source, from));
  setTile(result,
          resize(rewriter, op->getLoc(), {vector, toDims}, bounds, to->bounds),
          *to);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitDim(tensor::DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  if (!isTile(op.getSource()))
    return success();
  if (!dim)
    return failure();
  OpFoldResult size = getShape(op.getSource())->sizes[*dim];
  rewriter.replaceOp(
      op, getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
  return success();
}

/// Handles the extraction of an element from a tile with the same element
/// everywhere, such as the only element of a list of lengths, which bounds a
/// loop.
LogicalResult TileVectorizer::visitExtract(tensor::ExtractOp op) {
  auto it = tiles.find(op.getTensor());
  if (it == tiles.end())
    return success(); // Read from memory.
  if (!it->second.dims.empty())
    return failure();
  rewriter.replaceOp(op, it->second.value);
  return success();
}
