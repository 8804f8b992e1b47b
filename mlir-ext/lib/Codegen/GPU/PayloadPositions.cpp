//===- PayloadPositions.cpp - Positions, and what is read at them ---------===//
//
// The part of the PayloadBuilder that computes positions (affine expressions of
// linalg.index) and reads tensors at them (tensor.extract). If an index counts
// along one dim, whole rows are read. Otherwise elements are read one at a
// time, under the guard of a branch.
//
// Where a word has integers of several neighbours, a quotient of the position
// is the same for each run of them, and the remainder the same for each of the
// runs. So words are read as a row of fewer elements, each of which is then
// repeated.
//
//===----------------------------------------------------------------------===//

#include "PayloadBuilder.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallBitVector.h"

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

/// Returns the dimensions of `op` that `value`, in its payload, depends on.
static llvm::SmallBitVector getDimsOf(Value value, linalg::LinalgOp op) {
  llvm::SmallBitVector dims(op.getNumLoops());
  for (Value from : getPayloadSlice(op, value)) {
    auto arg = dyn_cast<BlockArgument>(from);
    if (arg && arg.getOwner() == op.getBlock()) {
      AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(arg));
      for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
        if (map.isFunctionOfDim(dim))
          dims.set(dim);
    }
    auto index = from.getDefiningOp<linalg::IndexOp>();
    if (index && isIn(index, op))
      dims.set(index.getDim());
  }
  return dims;
}

bool mlir::linalg_ext::looksUpAlongDiagonals(linalg::LinalgOp op) {
  return op->getRegion(0)
      .walk([&](tensor::ExtractOp extract) {
        llvm::SmallBitVector before(op.getNumLoops());
        for (Value index : extract.getIndices()) {
          llvm::SmallBitVector dims = getDimsOf(index, op);
          if (dims.anyCommon(before))
            return WalkResult::interrupt();
          before |= dims;
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Repeats each element of `vector` `length` times.
static Value repeatElements(OpBuilder &b, Location loc, Value vector,
                            int64_t length) {
  auto type = cast<VectorType>(vector.getType());
  int64_t count = type.getDimSize(0);
  auto getType = [&](ArrayRef<int64_t> shape) {
    return VectorType::get(shape, type.getElementType());
  };
  vector =
      vector::BroadcastOp::create(b, loc, getType({length, count}), vector);
  vector = vector::TransposeOp::create(b, loc, vector, ArrayRef<int64_t>{1, 0});
  return vector::ShapeCastOp::create(b, loc, getType({count * length}), vector);
}

/// Repeats `vector` `count` times.
static Value repeatVector(OpBuilder &b, Location loc, Value vector,
                          int64_t count) {
  auto type = cast<VectorType>(vector.getType());
  int64_t length = type.getDimSize(0);
  auto getType = [&](ArrayRef<int64_t> shape) {
    return VectorType::get(shape, type.getElementType());
  };
  vector =
      vector::BroadcastOp::create(b, loc, getType({count, length}), vector);
  return vector::ShapeCastOp::create(b, loc, getType({count * length}), vector);
}

namespace {
/// A vector with one dim whose elements are repeated: each of them or, if
/// `isWhole`, all of them one after another.
struct Repeated {
  Value vector;
  bool isWhole = false;
};
} // namespace

/// Matches what the functions above build.
static std::optional<Repeated> getRepeated(Value value) {
  auto merge = value.getDefiningOp<vector::ShapeCastOp>();
  if (!merge || merge.getResultVectorType().getRank() != 1)
    return std::nullopt;
  auto transpose = merge.getSource().getDefiningOp<vector::TransposeOp>();
  Value source = transpose ? transpose.getVector() : merge.getSource();
  auto broadcast = source.getDefiningOp<vector::BroadcastOp>();
  if (!broadcast || broadcast.getResultVectorType().getRank() != 2)
    return std::nullopt;
  auto type = dyn_cast<VectorType>(broadcast.getSourceType());
  if (!type || type.getRank() != 1)
    return std::nullopt;
  return Repeated{broadcast.getSource(), !transpose};
}

/// Adds `scalar` to `vector` before each of its elements is repeated. Returns
/// null if these are something else.
static Value addToRepeated(OpBuilder &b, Location loc, const TileValue &scalar,
                           const TileValue &vector) {
  std::optional<Repeated> repeated;
  if (scalar.dims.empty() && vector.dims.size() == 1)
    repeated = getRepeated(vector.value);
  if (!repeated || repeated->isWhole)
    return nullptr;
  auto type = cast<VectorType>(repeated->vector.getType());
  Value first = scalar.value, words = repeated->vector, from;
  if (!isCount({words, vector.dims}, from))
    return nullptr;
  if (from)
    first = b.createOrFold<arith::AddIOp>(loc, first, from);
  words = arith::AddIOp::create(
      b, loc, vector::BroadcastOp::create(b, loc, type, first),
      vector::StepOp::create(b, loc, type));
  int64_t size = cast<VectorType>(vector.value.getType()).getDimSize(0);
  return repeatElements(b, loc, words, size / type.getDimSize(0));
}

/// Evaluates a quotient or remainder by a power of two. Both are shifts and
/// masks, which also round negative numbers down. If all of a tile has the same
/// quotient, the quotient is a scalar, and the remainders count up. If the tile
/// has whole runs with the same quotient, the quotients are repeated, and so
/// are the remainders.
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
  int64_t run = divisor.getValue();
  bool hasRuns = repeatsRuns && size > 0 && run > 1 && run < size &&
                 size % run == 0 && isCount(lhs, from) &&
                 (!from || vector_ext::getKnownDivisor(from) % run == 0);
  auto count = [&](int64_t length) -> Value {
    return vector::StepOp::create(b, loc,
                                  VectorType::get({length}, b.getIndexType()));
  };
  if (hasRuns && expr.getKind() == AffineExprKind::Mod)
    return TileValue{repeatVector(b, loc, count(run), size / run), lhs.dims};
  if (hasRuns && expr.getKind() == AffineExprKind::FloorDiv) {
    Value words = count(size / run);
    if (from) {
      Value first = b.createOrFold<arith::ShRSIOp>(loc, from, bits.value);
      words = arith::AddIOp::create(
          b, loc, vector::BroadcastOp::create(b, loc, words.getType(), first),
          words);
    }
    return TileValue{repeatElements(b, loc, words, run), lhs.dims};
  }
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
    for (auto [scalar, vector] : {std::pair(&lhs, &rhs), {&rhs, &lhs}})
      if (Value sum = addToRepeated(b, loc, *scalar, *vector))
        return {sum, vector->dims};
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
  return llvm::any_of(getPayloadSlice(op, value), [&](Value from) {
    if (auto arg = dyn_cast<BlockArgument>(from))
      return arg.getOwner() == op.getBlock() &&
             isa<ShapedType>(op.getMatchingOpOperand(arg)->get().getType());
    Operation *def = from.getDefiningOp();
    return isa<tensor::ExtractOp>(def) && isIn(def, op);
  });
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

/// Reads a tile of `shape` with `dims`, whose elements are at `offsets` plus
/// `position`, as a vector of `type`. Returns null if it is no tile of `table`.
Value PayloadBuilder::readRows(Value table, ArrayRef<Value> offsets,
                               ArrayRef<AffineExpr> position,
                               ArrayRef<int64_t> dims, VectorType type,
                               const TileShape &shape) {
  // The map of the read is from the dimensions of the memory.
  SmallVector<AffineExpr> map(dims.size());
  SmallVector<int64_t> inMemory, masked;
  for (auto [number, expr] : llvm::enumerate(position)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    map[dim.getPosition()] = b.getAffineDimExpr(number);
    inMemory.push_back(dims[dim.getPosition()]);
    if (shape.isMasked(inMemory.back()))
      masked.push_back(inMemory.back());
  }
  if (llvm::is_contained(map, AffineExpr()))
    return nullptr;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  Value mask;
  if (!masked.empty())
    mask = createTileMask(b, loc, inMemory, shape, masked);
  auto read = vector::TransferReadOp::create(
      b, loc, type, table, offsets, zero,
      AffineMapAttr::get(
          AffineMap::get(offsets.size(), 0, map, b.getContext())),
      b.getBoolArrayAttr(SmallVector<bool>(dims.size(), true)));
  if (mask)
    read.getMaskMutable().assign(mask);
  return read;
}

/// Reads the elements of `table` at `offsets` plus `indices`, of a tile of
/// `shape`. An index that counts up needs no vector.
TileValue PayloadBuilder::gatherRows(Value table, SmallVector<Value> offsets,
                                     ArrayRef<TileValue> indices,
                                     std::optional<TileValue> guard,
                                     const TileShape &shape) {
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
  SmallVector<int64_t> masked = llvm::filter_to_vector(
      dims, [&](int64_t dim) { return shape.isMasked(dim); });
  if (!masked.empty()) {
    mask = {createTileMask(b, loc, masked, shape, masked), masked};
    if (guard)
      mask = createIndexOp<arith::AndIOp>(*mask, *guard);
  }
  Value bits;
  if (mask) {
    if (mask->dims.empty())
      mask = {broadcastTo(b, loc, *mask, dims.front(), shape.bounds),
              {dims.front()}};
    bits = mask->value;
    maps.push_back(
        AffineMap::get(dims.size(), 0, getExprs(mask->dims), context));
  }
  auto type = cast<VectorType>(getTileValueType(
      dims, shape.bounds, getElementTypeOrSelf(table.getType())));
  if (!guard && vectors.empty())
    if (Value read = readRows(table, offsets, position, dims, type, shape))
      return {read, dims, /*isZeroPadded=*/true};
  return {vector_ext::TransferGatherOp::create(b, loc, type, table, offsets,
                                               vectors, bits,
                                               b.getAffineMapArrayAttr(maps)),
          dims, /*isZeroPadded=*/true};
}

/// Reads the elements of `table` at `offsets` plus `indices`, some of which are
/// repeated along dims of their own. Reads each element once, and repeats what
/// was read. Returns std::nullopt if there are none, or the last index does not
/// count up.
std::optional<TileValue>
PayloadBuilder::gatherRepeated(Value table, const SmallVector<Value> &offsets,
                               SmallVector<TileValue> indices) {
  // 1. Read a tile with fewer elements along these dims.
  TileShape shape = plan.shape;
  SmallVector<std::pair<int64_t, bool>> repeatedDims;
  for (TileValue &index : indices) {
    std::optional<Repeated> repeated;
    if (index.dims.size() == 1)
      repeated = getRepeated(index.value);
    if (!repeated || llvm::any_of(indices, [&](const TileValue &other) {
          return &other != &index &&
                 llvm::is_contained(other.dims, index.dims.front());
        }))
      continue;
    int64_t dim = index.dims.front(), size = plan.shape.bounds[dim],
            count = cast<VectorType>(repeated->vector.getType()).getDimSize(0);
    index.value = repeated->vector;
    shape.bounds[dim] = count;
    // A tile with fewer elements than are repeated may need fewer of them.
    AffineExpr inTile = getAffineSymbolExpr(0, b.getContext()),
               all = getAffineConstantExpr(count, b.getContext());
    if (!plan.shape.isMasked(dim))
      shape.sizes[dim] = b.getIndexAttr(count);
    else if (repeated->isWhole)
      shape.sizes[dim] = affine::makeComposedFoldedAffineMin(
          b, loc, AffineMap::get(0, 1, {inTile, all}, b.getContext()),
          {plan.shape.sizes[dim]});
    else
      shape.sizes[dim] = affine::makeComposedFoldedAffineApply(
          b, loc, inTile.ceilDiv(size / count), {plan.shape.sizes[dim]});
    repeatedDims.emplace_back(dim, repeated->isWhole);
  }
  Value from;
  if (repeatedDims.empty() || indices.back().dims.empty() ||
      !isCount(indices.back(), from))
    return std::nullopt;
  TileValue result = readConstant(table, offsets, indices);
  if (!result.value)
    result = gatherRows(table, offsets, indices, std::nullopt, shape);

  // 2. Repeat it. The new dimension is in front of the one that is repeated, or
  // behind it.
  for (auto [dim, isWhole] : repeatedDims) {
    auto type = cast<VectorType>(result.value.getType());
    auto getType = [&](ArrayRef<int64_t> shape) {
      return VectorType::get(shape, type.getElementType());
    };
    int64_t at = llvm::find(result.dims, dim) - result.dims.begin(),
            size = plan.shape.bounds[dim];
    SmallVector<int64_t> whole(type.getShape()), wide(type.getShape()), order;
    wide.insert(wide.begin(), size / shape.bounds[dim]);
    whole[at] = size;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i == at && isWhole)
        order.push_back(0);
      order.push_back(i + 1);
      if (i == at && !isWhole)
        order.push_back(0);
    }
    Value value =
        vector::BroadcastOp::create(b, loc, getType(wide), result.value);
    value = b.createOrFold<vector::TransposeOp>(loc, value, order);
    result.value = vector::ShapeCastOp::create(b, loc, getType(whole), value);
    result.isZeroPadded = false;
  }
  return result;
}

/// Returns the elements of `table`, a constant of one dimension, at `offsets`
/// plus `indices`, which count up from 0. Returns null if it is something else.
TileValue PayloadBuilder::readConstant(Value table, ArrayRef<Value> offsets,
                                       ArrayRef<TileValue> indices) {
  DenseElementsAttr elements;
  Value from;
  if (indices.size() != 1 || !matchPattern(table, m_Constant(&elements)) ||
      !isConstantIntValue(offsets.front(), 0) ||
      !isCount(indices.front(), from) || from)
    return {};
  auto type = cast<VectorType>(indices.front().value.getType())
                  .clone(elements.getElementType());
  if (elements.getNumElements() != type.getNumElements())
    return {};
  return {arith::ConstantOp::create(b, loc, elements.reshape(type)),
          indices.front().dims};
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
  if (!guard && !varying.empty())
    if (std::optional<TileValue> repeated =
            gatherRepeated(table, offsets, varying))
      return *repeated;
  Value from;
  if (!varying.empty() && !varying.back().dims.empty() &&
      isCount(varying.back(), from))
    return gatherRows(table, offsets, varying, guard, plan.shape);

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
