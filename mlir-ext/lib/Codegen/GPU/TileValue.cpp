//===- TileValue.cpp - A tile of a tensor in one vector -------------------===//
//
// See TileValue.h. Builds elementwise ops, broadcasts, masks, reads and writes
// of TileValues.
//
//===----------------------------------------------------------------------===//

#include "TileValue.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

SmallVector<int64_t> TileShape::getVectorDims() const {
  SmallVector<int64_t> dims;
  for (auto [dim, bound] : llvm::enumerate(bounds))
    if (bound != 1)
      dims.push_back(dim);
  return dims;
}

Type mlir::linalg_ext::getTileValueType(ArrayRef<int64_t> dims,
                                        ArrayRef<int64_t> bounds,
                                        Type elementType) {
  if (dims.empty())
    return elementType;
  SmallVector<int64_t> shape;
  for (int64_t dim : dims)
    shape.push_back(bounds[dim]);
  return VectorType::get(shape, elementType);
}

void mlir::linalg_ext::unite(SmallVector<int64_t> &dims,
                             ArrayRef<int64_t> more) {
  for (int64_t dim : more)
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
}

Value mlir::linalg_ext::broadcastTo(OpBuilder &b, Location loc,
                                    const TileValue &vector,
                                    ArrayRef<int64_t> dims,
                                    ArrayRef<int64_t> bounds) {
  if (ArrayRef<int64_t>(vector.dims) == dims)
    return vector.value;
  // Vectors are broadcast along leading dimensions.
  SmallVector<int64_t> current;
  for (int64_t dim : dims)
    if (!llvm::is_contained(vector.dims, dim))
      current.push_back(dim);
  bool isBroadcast = !current.empty();
  llvm::append_range(current, vector.dims);
  Value value = vector.value;
  if (isBroadcast)
    value = b.createOrFold<vector::BroadcastOp>(
        loc,
        getTileValueType(current, bounds,
                         getElementTypeOrSelf(value.getType())),
        value);
  if (ArrayRef<int64_t>(current) == dims)
    return value;
  SmallVector<int64_t> permutation;
  for (int64_t dim : dims)
    permutation.push_back(llvm::find(current, dim) - current.begin());
  return b.createOrFold<vector::TransposeOp>(loc, value, permutation);
}

SmallVector<int64_t>
mlir::linalg_ext::getCommonDims(ArrayRef<TileValue> vectors) {
  SmallVector<int64_t> dims;
  for (const TileValue &vector : vectors)
    unite(dims, vector.dims);
  llvm::sort(dims);
  auto isWhole = [&](const TileValue &vector) {
    return vector.dims.size() == dims.size();
  };
  if (llvm::any_of(vectors, [&](const TileValue &vector) {
        return vector.dims == dims;
      }))
    return dims;
  const TileValue *whole = llvm::find_if(vectors, isWhole);
  return whole == vectors.end() ? dims : whole->dims;
}

bool mlir::linalg_ext::isElementwisePayload(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0;
}

SmallVector<TileValue>
mlir::linalg_ext::createElementwise(OpBuilder &b, Operation *like,
                                    ArrayRef<TileValue> operands,
                                    ArrayRef<int64_t> bounds) {
  SmallVector<int64_t> dims = getCommonDims(operands);

  bool isZeroPadded = like->getNumOperands() == 1 &&
                      isa<CastOpInterface>(like) && operands[0].isZeroPadded;
  SmallVector<Value> values;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    // A condition may be the same for all elements.
    bool isUniformCondition =
        isa<arith::SelectOp>(like) && number == 0 && operand.dims.empty();
    values.push_back(isUniformCondition ? operand.value
                                        : broadcastTo(b, like->getLoc(),
                                                      operand, dims, bounds));
  }
  SmallVector<Type> types;
  for (Type type : like->getResultTypes())
    types.push_back(getTileValueType(dims, bounds, type));
  Operation *op = b.create(like->getLoc(), like->getName().getIdentifier(),
                           values, types, like->getAttrs());
  SmallVector<TileValue> results;
  for (Value result : op->getResults())
    results.push_back({result, dims, isZeroPadded});
  return results;
}

Value mlir::linalg_ext::createTileMask(OpBuilder &b, Location loc,
                                       ArrayRef<int64_t> dims,
                                       const TileShape &shape,
                                       ArrayRef<int64_t> maskedDims) {
  SmallVector<Value> sizes;
  for (int64_t dim : dims) {
    OpFoldResult size = b.getIndexAttr(shape.bounds[dim]);
    if (llvm::is_contained(maskedDims, dim))
      size = shape.sizes[dim];
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  }
  auto type =
      cast<VectorType>(getTileValueType(dims, shape.bounds, b.getI1Type()));
  return vector::CreateMaskOp::create(b, loc, type, sizes);
}

TileValue mlir::linalg_ext::selectInside(OpBuilder &b, Location loc,
                                         const TileValue &vector,
                                         const TileShape &shape,
                                         ArrayRef<int64_t> maskedDims,
                                         TypedAttr outside) {
  // Select before a truncation, which one instruction does for two elements.
  // Selected afterwards, each element would occupy a register.
  if (auto truncate = vector.value.getDefiningOp<arith::TruncFOp>()) {
    TileValue wide = {truncate.getIn(), vector.dims, vector.isZeroPadded};
    APFloat constant = cast<FloatAttr>(outside).getValue();
    auto type = cast<FloatType>(getElementTypeOrSelf(wide.value.getType()));
    bool losesInfo;
    constant.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
    wide = selectInside(b, loc, wide, shape, maskedDims,
                        b.getFloatAttr(type, constant));
    Type result = cast<VectorType>(wide.value.getType())
                      .clone(getElementTypeOrSelf(vector.value.getType()));
    return {arith::TruncFOp::create(b, truncate.getLoc(), TypeRange(result),
                                    ValueRange(wide.value),
                                    truncate->getAttrs()),
            wide.dims, false};
  }
  SmallVector<int64_t> dims = vector.dims;
  unite(dims, maskedDims);
  Value value = broadcastTo(b, loc, vector, dims, shape.bounds);
  Value mask = createTileMask(b, loc, dims, shape, maskedDims);
  Value constant = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<ShapedType>(value.getType()),
                             Attribute(outside)));
  return {arith::SelectOp::create(b, loc, mask, value, constant), dims, false};
}

TileValue mlir::linalg_ext::resize(OpBuilder &b, Location loc,
                                   const TileValue &vector,
                                   ArrayRef<int64_t> from,
                                   ArrayRef<int64_t> to) {
  SmallVector<int64_t> common, target, strides(vector.dims.size(), 1),
      offsets(vector.dims.size(), 0);
  bool isCut = false, isFilled = false;
  for (int64_t dim : vector.dims) {
    common.push_back(std::min(from[dim], to[dim]));
    target.push_back(to[dim]);
    isCut |= to[dim] < from[dim];
    isFilled |= to[dim] > from[dim];
  }
  TileValue result = vector;
  if (isCut)
    result.value = vector::ExtractStridedSliceOp::create(
        b, loc, result.value, offsets, common, strides);
  if (isFilled) {
    auto type = VectorType::get(target, getElementTypeOrSelf(result.value));
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    result.value = vector::InsertStridedSliceOp::create(
        b, loc, result.value, zeros, offsets, strides);
  }
  // Drop a dimension of which one element is left.
  SmallVector<int64_t> kept;
  for (int64_t dim : vector.dims)
    if (to[dim] != 1)
      kept.push_back(dim);
  if (kept.size() != vector.dims.size()) {
    Type type = getTileValueType(kept, to, getElementTypeOrSelf(result.value));
    if (isa<VectorType>(type))
      result.value = vector::ShapeCastOp::create(b, loc, cast<VectorType>(type),
                                                 result.value);
    else
      result.value = vector::ExtractOp::create(
          b, loc, result.value, SmallVector<int64_t>(vector.dims.size(), 0));
    result.dims = kept;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Changes `view`, of the result of `reshape`, to a view of its source, if both
/// have the same dimensions except for those of one element. An expansion adds
/// such dimensions, a collapse drops them.
static LogicalResult lookThroughReshape(Operation *reshape, TensorView &view,
                                        OpBuilder &b) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape);
  if (!expand && !collapse)
    return failure();
  auto groups = expand ? expand.getReassociationIndices()
                       : collapse.getReassociationIndices();
  auto larger = expand ? expand.getResultType() : collapse.getSrcType();
  // For each group, its dimension with more than one element, or its first
  // dimension.
  SmallVector<int64_t> kept(groups.size()), groupOf(larger.getRank());
  for (auto [i, group] : llvm::enumerate(groups)) {
    auto hasElements = [&](int64_t dim) { return larger.getDimSize(dim) != 1; };
    if (llvm::count_if(group, hasElements) > 1)
      return failure();
    auto it = llvm::find_if(group, hasElements);
    kept[i] = it == group.end() ? group.front() : *it;
    for (int64_t dim : group)
      groupOf[dim] = i;
  }
  SmallVector<OpFoldResult> offsets(
      expand ? groups.size() : size_t(larger.getRank()), b.getIndexAttr(0));
  for (auto [i, dim] : llvm::enumerate(kept))
    (expand ? offsets[i] : offsets[dim]) = view.offsets[expand ? dim : i];
  for (int64_t &dim : view.dims)
    dim = expand ? groupOf[dim] : kept[dim];
  view.offsets = std::move(offsets);
  view.source = reshape->getOperand(0);
  return success();
}

TensorView mlir::linalg_ext::getTensorView(OpBuilder &b, Location loc,
                                           Value tensor,
                                           function_ref<bool(Value)> isMemory) {
  TensorView view;
  view.source = tensor;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  view.offsets.assign(rank, b.getIndexAttr(0));
  view.dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
  while (true) {
    if (auto cast = view.source.getDefiningOp<tensor::CastOp>()) {
      if (!isa<RankedTensorType>(cast.getSource().getType()) ||
          !isMemory(cast.getSource()))
        return view;
      view.source = cast.getSource();
      continue;
    }
    Operation *def = view.source.getDefiningOp();
    if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(def) &&
        isMemory(def->getOperand(0)) &&
        succeeded(lookThroughReshape(def, view, b)))
      continue;
    auto slice = view.source.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.hasUnitStride() || !isMemory(slice.getSource()))
      return view;
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    SmallVector<int64_t> keptDims;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, offset] : llvm::enumerate(offsets)) {
      if (dropped.test(dim))
        continue;
      offset = affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(2, 0, sum),
          {offset, view.offsets[keptDims.size()]});
      keptDims.push_back(dim);
    }
    for (int64_t &dim : view.dims)
      dim = keptDims[dim];
    view.offsets = offsets;
    view.source = slice.getSource();
  }
}

Value mlir::linalg_ext::hasSingleElements(OpBuilder &b, Location loc,
                                          const TileShape &shape) {
  Value result;
  for (auto [dim, bound] : llvm::enumerate(shape.bounds)) {
    if (bound != 1 || !shape.isMasked(dim))
      continue;
    Value size = getValueOrCreateConstantIndexOp(b, loc, shape.sizes[dim]);
    Value isThere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, size,
                              arith::ConstantIndexOp::create(b, loc, 0));
    result = result ? arith::AndIOp::create(b, loc, result, isThere) : isThere;
  }
  return result;
}

TileShape mlir::linalg_ext::emptyUnless(OpBuilder &b, Location loc,
                                        Value condition, TileShape shape,
                                        int64_t dim) {
  if (!condition)
    return shape;
  Value size = getValueOrCreateConstantIndexOp(b, loc, shape.sizes[dim]);
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  shape.sizes[dim] =
      arith::SelectOp::create(b, loc, condition, size, none).getResult();
  return shape;
}

TileValue mlir::linalg_ext::readTile(OpBuilder &b, Location loc,
                                     const TensorView &view,
                                     const TileShape &tileShape) {
  auto tensorType = cast<RankedTensorType>(view.source.getType());
  Type elementType = tensorType.getElementType();
  SmallVector<Value> indices =
      getValueOrCreateConstantIndexOp(b, loc, view.offsets);
  SmallVector<int64_t> dims = tileShape.getVectorDims();
  Value exists = hasSingleElements(b, loc, tileShape);
  if (dims.empty()) {
    auto read = [&](OpBuilder &b, Location loc) -> Value {
      return tensor::ExtractOp::create(b, loc, view.source, indices);
    };
    if (!exists)
      return {read(b, loc), {}, true};
    auto branch = scf::IfOp::create(
        b, loc, exists,
        [&](OpBuilder &b, Location loc) {
          scf::YieldOp::create(b, loc, read(b, loc));
        },
        [&](OpBuilder &b, Location loc) {
          Value zero =
              arith::ConstantOp::create(b, loc, b.getZeroAttr(elementType));
          scf::YieldOp::create(b, loc, zero);
        });
    return {branch.getResult(0), {}, true};
  }

  TileShape shape = emptyUnless(b, loc, exists, tileShape, dims.front());
  SmallVector<unsigned> sourceDims;
  SmallVector<int64_t> masked;
  for (int64_t dim : dims) {
    sourceDims.push_back(view.dims[dim]);
    if (shape.isMasked(dim))
      masked.push_back(dim);
  }
  AffineMap map = AffineMap::getMultiDimMapWithTargets(
      tensorType.getRank(), sourceDims, b.getContext());
  auto type =
      cast<VectorType>(getTileValueType(dims, shape.bounds, elementType));
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(elementType));
  SmallVector<bool> inBounds(dims.size(), true);
  Value mask;
  if (!masked.empty())
    mask = createTileMask(b, loc, dims, shape, masked);
  auto read = vector::TransferReadOp::create(b, loc, type, view.source, indices,
                                             padding, map, inBounds);
  if (mask)
    read.getMaskMutable().assign(mask);
  return {read, dims, true};
}

Value mlir::linalg_ext::writeTile(OpBuilder &b, Location loc,
                                  const TileValue &vector, Value tensor,
                                  const TileShape &tileShape) {
  auto tensorType = cast<RankedTensorType>(tensor.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> indices(tensorType.getRank(), zero);
  SmallVector<int64_t> dims = tileShape.getVectorDims();
  if (vector.dims.size() == dims.size())
    dims = vector.dims;
  Value value = broadcastTo(b, loc, vector, dims, tileShape.bounds);
  Value exists = hasSingleElements(b, loc, tileShape);
  if (dims.empty()) {
    auto write = [&](OpBuilder &b, Location loc) -> Value {
      return tensor::InsertOp::create(b, loc, value, tensor, indices);
    };
    if (!exists)
      return write(b, loc);
    return scf::IfOp::create(
               b, loc, exists,
               [&](OpBuilder &b, Location loc) {
                 scf::YieldOp::create(b, loc, write(b, loc));
               },
               [&](OpBuilder &b, Location loc) {
                 scf::YieldOp::create(b, loc, tensor);
               })
        .getResult(0);
  }
  TileShape shape = emptyUnless(b, loc, exists, tileShape, dims.front());
  SmallVector<int64_t> masked;
  for (int64_t dim : dims)
    if (shape.isMasked(dim))
      masked.push_back(dim);
  AffineMap map = AffineMap::getMultiDimMapWithTargets(
      tensorType.getRank(), llvm::to_vector_of<unsigned>(dims), b.getContext());
  SmallVector<bool> inBounds(dims.size(), true);
  // The dimensions of the mask are in the order of memory.
  Value mask;
  if (!masked.empty())
    mask = createTileMask(b, loc, shape.getVectorDims(), shape, masked);
  auto write = vector::TransferWriteOp::create(b, loc, value, tensor, indices,
                                               map, inBounds);
  if (mask)
    write.getMaskMutable().assign(mask);
  return write.getResult();
}
