//===- PayloadPositions.cpp - Positions, and what is read at them ---------===//
//
// The part of the PayloadBuilder that computes positions (affine expressions of
// linalg.index) and reads tensors at them (tensor.extract). If an index counts
// along one dim, whole rows are read. Otherwise elements are read one at a
// time, under the guard of a branch.
//
//===----------------------------------------------------------------------===//

#include "PayloadBuilder.h"

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `index` counts up by one along its only dim. Sets `from` to
/// the scalar that it starts from, or to null for 0.
static bool isCount(const TileValue &index, Value &from) {
  from = Value();
  if (index.value.getDefiningOp<vector::StepOp>())
    return true;
  auto add = index.value.getDefiningOp<arith::AddIOp>();
  for (unsigned i : {0, 1}) {
    if (!add || !add->getOperand(i).getDefiningOp<vector::StepOp>())
      continue;
    auto start = add->getOperand(1 - i).getDefiningOp<vector::BroadcastOp>();
    if (start && !isa<VectorType>(start.getSourceType())) {
      from = start.getSource();
      return true;
    }
  }
  return false;
}

/// Evaluates a quotient or remainder by a power of two. Both are shifts and
/// masks, which also round negative numbers down. If all of a tile has the same
/// quotient, the quotient is a scalar, and the remainders count up.
std::optional<TileValue> PayloadBuilder::evaluateByBits(AffineBinaryOpExpr expr,
                                                        const TileValue &lhs) {
  auto divisor = dyn_cast<AffineConstantExpr>(expr.getRHS());
  if (!divisor || divisor.getValue() <= 0 ||
      !llvm::isPowerOf2_64(divisor.getValue()))
    return std::nullopt;
  auto getConstant = [&](int64_t value) -> TileValue {
    return {arith::ConstantIndexOp::create(b, loc, value), {}};
  };
  TileValue bits = getConstant(llvm::Log2_64(divisor.getValue())),
            low = getConstant(divisor.getValue() - 1);
  Value from;
  int64_t size = lhs.dims.size() == 1 ? plan.shape.bounds[lhs.dims[0]] : 0;
  bool isOne = size > 0 && isCount(lhs, from) &&
               divisor.getValue() % size == 0 &&
               (!from || vector_ext::getKnownDivisor(from) % size == 0);
  TileValue start = from ? TileValue{from, {}} : getConstant(0);
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return createIndexOp<arith::ShRSIOp>(isOne ? start : lhs, bits);
  case AffineExprKind::Mod: {
    if (!isOne)
      return createIndexOp<arith::AndIOp>(lhs, low);
    Value step = vector::StepOp::create(
        b, loc, VectorType::get({size}, b.getIndexType()));
    if (!from)
      return TileValue{step, lhs.dims};
    return createIndexOp<arith::AddIOp>(
        {step, lhs.dims}, createIndexOp<arith::AndIOp>(start, low));
  }
  default:
    return std::nullopt;
  }
}

TileValue PayloadBuilder::evaluateAffine(AffineExpr expr,
                                         ArrayRef<TileValue> dims,
                                         ArrayRef<TileValue> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {arith::ConstantIndexOp::create(b, loc, constant.getValue()), {}};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  TileValue lhs = evaluateAffine(binary.getLHS(), dims, symbols);
  TileValue rhs = evaluateAffine(binary.getRHS(), dims, symbols);
  if (std::optional<TileValue> bits = evaluateByBits(binary, lhs))
    return *bits;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return createIndexOp<arith::AddIOp>(lhs, rhs);
  case AffineExprKind::Mul:
    return createIndexOp<arith::MulIOp>(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return createIndexOp<arith::FloorDivSIOp>(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return createIndexOp<arith::CeilDivSIOp>(lhs, rhs);
  default: {
    // The remainder is not negative, because the divisor is positive.
    TileValue quotient = createIndexOp<arith::FloorDivSIOp>(lhs, rhs);
    return createIndexOp<arith::SubIOp>(
        lhs, createIndexOp<arith::MulIOp>(quotient, rhs));
  }
  }
}

/// Returns whether `value`, in the payload of `op`, depends on elements of
/// tensors.
static bool isOfElements(Value value, linalg::LinalgOp op) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (auto arg = dyn_cast<BlockArgument>(values[i])) {
      if (arg.getOwner() == op.getBlock() &&
          isa<ShapedType>(op.getMatchingOpOperand(arg)->get().getType()))
        return true;
      continue;
    }
    Operation *def = values[i].getDefiningOp();
    if (!isIn(def, op))
      continue;
    if (isa<tensor::ExtractOp>(def))
      return true;
    values.insert_range(def->getOperands());
    for (Region &region : def->getRegions())
      values.insert_range(region.front().getTerminator()->getOperands());
  }
  return false;
}

/// Returns index `number` of `extract` into its table. If the index is read
/// from memory, clamps it to the table: it may have any value where a mask
/// later hides the element, such as in a table of pages behind the last page.
/// The guard masks the read.
TileValue PayloadBuilder::evaluateTableIndex(tensor::ExtractOp extract,
                                              unsigned number, Value index) {
  TileValue result = evaluate(index);
  if (extract->getBlock() != op.getBlock() || !isOfElements(index, op))
    return result;
  Value size = getValueOrCreateConstantIndexOp(
      b, loc, tensor::getMixedSize(b, loc, extract.getTensor(), number));
  Value last = b.createOrFold<arith::SubIOp>(
      loc, size, arith::ConstantIndexOp::create(b, loc, 1));
  return createIndexOp<arith::MinUIOp>(result, {last, {}});
}

/// Builds the element of `table` at `indices` if `guard` is true, and 0
/// otherwise.
TileValue PayloadBuilder::readGuarded(tensor::ExtractOp extract, Value table,
                                       ValueRange indices, Value guard) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(extract.getType()));
  auto type = cast<RankedTensorType>(table.getType());
  if (type.hasStaticShape() && type.getNumElements() > 0) {
    // Do not branch: if `guard` is false, read an element that exists.
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> guarded;
    for (Value index : indices)
      guarded.push_back(arith::SelectOp::create(b, loc, guard, index, first));
    Value element = tensor::ExtractOp::create(b, loc, table, guarded);
    return {arith::SelectOp::create(b, loc, guard, element, zero), {}};
  }
  auto branch = scf::IfOp::create(
      b, loc, guard,
      [&](OpBuilder &b, Location loc) {
        Value element = tensor::ExtractOp::create(b, loc, table, indices);
        scf::YieldOp::create(b, loc, element);
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, zero); });
  return {branch.getResult(0), {}};
}

/// Reads the elements of `table` at `offsets` plus `indices`. An index that
/// counts up needs no vector.
TileValue PayloadBuilder::gatherRows(Value table, SmallVector<Value> offsets,
                                     ArrayRef<TileValue> indices,
                                     std::optional<TileValue> guard) {
  SmallVector<int64_t> dims;
  for (const TileValue &index : indices)
    unite(dims, index.dims);
  if (guard)
    unite(dims, guard->dims);
  llvm::sort(dims);
  MLIRContext *context = b.getContext();
  auto getExprs = [&](ArrayRef<int64_t> some) {
    return llvm::map_to_vector(some, [&](int64_t dim) {
      return getAffineDimExpr(llvm::find(dims, dim) - dims.begin(), context);
    });
  };
  // Each dim counts up along one dimension of the table, the innermost one of
  // its indices.
  SmallVector<AffineExpr> position(indices.size(),
                                   getAffineConstantExpr(0, context));
  llvm::SmallDenseSet<int64_t> counted;
  for (int64_t dim = indices.size() - 1; dim >= 0; --dim) {
    const TileValue &index = indices[dim];
    Value from;
    if (index.dims.empty() || !isCount(index, from) ||
        !counted.insert(index.dims.front()).second)
      continue;
    position[dim] = getExprs(index.dims).front();
    if (from)
      offsets[dim] = b.createOrFold<arith::AddIOp>(loc, offsets[dim], from);
  }
  SmallVector<Value> vectors;
  SmallVector<AffineMap> maps(1);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (index.dims.empty() || isa<AffineDimExpr>(position[dim]))
      continue;
    position[dim] = getAffineSymbolExpr(vectors.size(), context);
    vectors.push_back(index.value);
    maps.push_back(
        AffineMap::get(dims.size(), 0, getExprs(index.dims), context));
  }
  maps.front() = AffineMap::get(dims.size(), vectors.size(), position, context);

  // Elements beyond the tile are not read.
  std::optional<TileValue> mask = guard;
  if (SmallVector<int64_t> masked = getMaskedDims(dims); !masked.empty()) {
    mask = {createTileMask(b, loc, masked, plan.shape, masked), masked};
    if (guard)
      mask = createIndexOp<arith::AndIOp>(*mask, *guard);
  }
  Value bits;
  if (mask) {
    if (mask->dims.empty())
      mask = {broadcastTo(b, loc, *mask, dims.front(), plan.shape.bounds),
              {dims.front()}};
    bits = mask->value;
    maps.push_back(
        AffineMap::get(dims.size(), 0, getExprs(mask->dims), context));
  }
  Type type = getTileValueType(dims, plan.shape.bounds,
                               getElementTypeOrSelf(table.getType()));
  return {vector_ext::TransferGatherOp::create(b, loc, type, table, offsets,
                                               vectors, bits,
                                               b.getAffineMapArrayAttr(maps)),
          dims, /*isZeroPadded=*/true};
}

/// Reads a table at indices that may be different for each element.
TileValue PayloadBuilder::gather(tensor::ExtractOp op) {
  TensorView view =
      getTensorView(b, loc, op.getTensor(), [](Value) { return true; });
  Value table = view.source;
  // 1. Compute indices into the memory that the table is a view of.
  SmallVector<Value> offsets =
      getValueOrCreateConstantIndexOp(b, loc, view.offsets);
  SmallVector<TileValue> varying(offsets.size());
  for (auto [number, index] : llvm::enumerate(op.getIndices())) {
    TileValue part = evaluateTableIndex(op, number, index);
    int64_t dim = view.dims[number];
    if (part.dims.empty())
      offsets[dim] =
          b.createOrFold<arith::AddIOp>(loc, offsets[dim], part.value);
    else
      varying[dim] = part;
  }
  std::optional<TileValue> guard = getGuard(op->getBlock());
  bool isUniform = (!guard || guard->dims.empty()) &&
                   llvm::all_of(varying, [](const TileValue &index) {
                     return index.dims.empty();
                   });
  if (isUniform) {
    if (guard)
      return readGuarded(op, table, offsets, guard->value);
    return {tensor::ExtractOp::create(b, loc, table, offsets), {}};
  }

  // 2. The elements of a row are contiguous.
  Value from;
  if (!varying.empty() && !varying.back().dims.empty() &&
      isCount(varying.back(), from))
    return gatherRows(table, offsets, varying, guard);

  // 3. Otherwise compute one row-major index, into the table as one row.
  TileValue linear;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    TileValue index = {offset, {}};
    if (!varying[dim].dims.empty())
      index = createIndexOp<arith::AddIOp>(index, varying[dim]);
    if (dim == 0) {
      linear = index;
      continue;
    }
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, table, dim));
    linear = createIndexOp<arith::AddIOp>(
        createIndexOp<arith::MulIOp>(linear, {size, {}}), index);
  }
  if (guard) {
    SmallVector<int64_t> dims = getCommonDims({linear, *guard});
    linear = {broadcastTo(b, loc, linear, dims, plan.shape.bounds), dims};
  }
  Type elementType = op.getType();
  auto type = cast<VectorType>(
      getTileValueType(linear.dims, plan.shape.bounds, elementType));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  // Mask elements beyond the tile, which have no index.
  Value mask = createTileMask(b, loc, linear.dims, plan.shape,
                              getMaskedDims(linear.dims));
  if (guard)
    mask = b.createOrFold<arith::AndIOp>(
        loc, mask, broadcastTo(b, loc, *guard, linear.dims, plan.shape.bounds));
  Value others = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  if (offsets.size() > 1) {
    SmallVector<ReassociationIndices> all(1);
    llvm::append_range(all[0], llvm::seq<int64_t>(offsets.size()));
    table = tensor::CollapseShapeOp::create(b, loc, table, all);
  }
  return {vector::GatherOp::create(b, loc, type, table, zero, linear.value,
                                   mask, others),
          linear.dims};
}
