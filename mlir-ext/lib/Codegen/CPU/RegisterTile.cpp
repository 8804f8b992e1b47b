//===- RegisterTile.cpp - A register tile of a structured op --------------===//
//
// See RegisterTile.h. Emits the loads, the payload and the stores at the points
// of a register tile.
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// What can be vectorised
//===----------------------------------------------------------------------===//

/// Vectors of sub-byte elements have another layout in memory than scalars.
static bool hasByteElements(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0 &&
         llvm::isPowerOf2_32(element.getIntOrFloatBitWidth());
}

/// Returns whether `map` advances by one element when dimension `dim` does.
static bool isUnitStride(AffineMap map, MemRefType type, unsigned dim) {
  if (map.getNumResults() == 0 || !type.isLastDimUnitStride())
    return false;
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(dim))
      return false;
  AffineExpr d = getAffineDimExpr(dim, map.getContext());
  AffineExpr last = map.getResults().back();
  AffineExpr difference = simplifyAffineExpr(
      last.replace(d, d + 1) - last, map.getNumDims(), map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(difference);
  return constant && constant.getValue() == 1;
}

LaneAccess mlir::linalg_ext::getLaneAccess(linalg::LinalgOp op,
                                           OpOperand &operand,
                                           unsigned laneDim) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isFunctionOfDim(laneDim))
    return LaneAccess::Uniform;
  if (hasByteElements(type) && isUnitStride(map, type, laneDim))
    return LaneAccess::Contiguous;
  if (getPartOfWord(op, operand, laneDim))
    return LaneAccess::Words;
  if (getRepetitions(op, operand, laneDim))
    return LaneAccess::Repeated;
  return LaneAccess::Strided;
}

std::optional<int64_t> mlir::linalg_ext::getRepetitions(linalg::LinalgOp op,
                                                        OpOperand &operand,
                                                        unsigned laneDim) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || map.getNumResults() == 0 || !hasByteElements(type) ||
      !type.isLastDimUnitStride())
    return std::nullopt;
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(laneDim))
      return std::nullopt;
  auto division = dyn_cast<AffineBinaryOpExpr>(map.getResults().back());
  if (!division || division.getKind() != AffineExprKind::FloorDiv ||
      division.getLHS() != getAffineDimExpr(laneDim, map.getContext()))
    return std::nullopt;
  auto by = dyn_cast<AffineConstantExpr>(division.getRHS());
  return by && by.getValue() > 1 && llvm::isPowerOf2_64(by.getValue())
             ? std::optional(by.getValue())
             : std::nullopt;
}

int64_t mlir::linalg_ext::getTileMultiple(linalg::LinalgOp op, unsigned dim) {
  int64_t multiple = 1;
  for (AffineMap map : op.getIndexingMapsArray())
    map.walkExprs([&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!binary || binary.getKind() == AffineExprKind::Add ||
          binary.getKind() == AffineExprKind::Mul ||
          !binary.isFunctionOfDim(dim))
        return;
      if (auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
          by && by.getValue() > 0)
        multiple = std::lcm(multiple, by.getValue());
    });
  return multiple;
}

std::optional<unsigned> mlir::linalg_ext::getPartOfWord(linalg::LinalgOp op,
                                                        OpOperand &operand,
                                                        unsigned laneDim) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isProjectedPermutation() || map.getNumResults() < 2 ||
      !hasByteElements(type) || !type.getElementType().isSignlessInteger() ||
      map.getDimPosition(map.getNumResults() - 2) != laneDim)
    return std::nullopt;
  unsigned part = map.getDimPosition(map.getNumResults() - 1);
  int64_t bits = type.getElementTypeBitWidth();
  // The parts are different results if their dimension is parallel.
  if (bits >= kWordBits || type.getShape().back() != kWordBits / bits ||
      !linalg::isReductionIterator(op.getIteratorTypesArray()[part]))
    return std::nullopt;
  auto [strides, offset] = type.getStridesAndOffset();
  if (strides.back() != 1 ||
      strides[strides.size() - 2] != type.getShape().back())
    return std::nullopt;
  return part;
}

bool mlir::linalg_ext::isTransposable(linalg::LinalgOp op, OpOperand &operand,
                                      unsigned laneDim, unsigned stepDim) {
  if (getLaneAccess(op, operand, laneDim) != LaneAccess::Strided)
    return false;
  auto type = cast<MemRefType>(operand.get().getType());
  return hasByteElements(type) &&
         isUnitStride(op.getMatchingIndexingMap(&operand), type, stepDim);
}

/// Whether `value` is the position along `laneDim`.
static bool isPositionOfLane(Value value, unsigned laneDim) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == laneDim;
}

bool mlir::linalg_ext::canLoadInPayload(linalg::LinalgOp op, unsigned laneDim) {
  // What differs between lanes.
  llvm::SmallPtrSet<Value, 16> varying;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand) ||
        getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform)
      varying.insert(op.getMatchingBlockArgument(&operand));
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto isVarying = [&](Value value) { return varying.contains(value); };
    if (isPositionOfLane(inner.getResult(0), laneDim) ||
        llvm::any_of(inner.getOperands(), isVarying))
      varying.insert(inner.getResult(0));
    auto load = dyn_cast<memref::LoadOp>(inner);
    if (!load || llvm::none_of(load.getIndices(), isVarying))
      continue;
    if (!load.getMemRefType().isLastDimUnitStride() ||
        !isPositionOfLane(load.getIndices().back(), laneDim) ||
        llvm::any_of(load.getIndices().drop_back(), isVarying))
      return false;
  }
  return true;
}

LogicalResult mlir::linalg_ext::verifyPayloadIsElementwise(linalg::LinalgOp op,
                                                           Refusal &refusal) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  for (OpOperand &operand : op->getOpOperands())
    if (!isScalar(getElementTypeOrSelf(operand.get())) ||
        (isa<ShapedType>(operand.get().getType()) &&
         !isa<MemRefType>(operand.get().getType())))
      return refusal.set(RefusalKind::Other, op,
                         "an operand is neither a ranked buffer of, nor a "
                         "number");
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    // The planner chooses lanes along which it can load.
    if (auto load = dyn_cast<memref::LoadOp>(inner);
        load && load.getMemRef().getParentBlock() != op.getBlock() &&
        hasByteElements(load.getMemRefType()))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        inner.getNumResults() != 1 ||
        !llvm::all_of(inner.getOperandTypes(), isScalar) ||
        !llvm::all_of(inner.getResultTypes(), isScalar))
      return refusal.set(RefusalKind::Other, &inner,
                         "'" + inner.getName().getStringRef() +
                             "' in its payload is not elementwise");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

RegisterTile::RegisterTile(OpBuilder &b, linalg::LinalgOp op,
                           const RegisterTileShape &shape, ArrayRef<Value> ivs,
                           Value mask, Value laneEnd)
    : b(b), op(op), loc(op.getLoc()), shape(shape), ivs(ivs.begin(), ivs.end()),
      mask(mask), laneEnd(laneEnd) {}

Value RegisterTile::toVector(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({shape.lanes}, value.getType());
  // The scalar extension stays for its other users, or is dead.
  auto extend = value.getDefiningOp<arith::ExtFOp>();
  if (shape.broadcastF16 && extend && extend.getIn().getType().isF16())
    return arith::ExtFOp::create(b, loc, type, toVector(extend.getIn()));
  return vector::BroadcastOp::create(b, loc, type, value);
}

/// Returns the indexing map of `operand` as a function of the iteration
/// dimensions at the tile's origin.
AffineMap RegisterTile::getMapAt(OpOperand &operand, TilePoint point) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  MLIRContext *context = b.getContext();
  auto shift = [&](std::optional<unsigned> dim, int64_t by) {
    if (!dim || by == 0)
      return;
    AffineExpr d = getAffineDimExpr(*dim, context);
    map = map.replace(d, d + by, map.getNumDims(), map.getNumSymbols());
  };
  shift(shape.laneDim, point.vector * shape.lanes);
  shift(shape.rowDim, point.row);
  shift(shape.stepDim, point.step * shape.stepsApart);
  return map;
}

SmallVector<Value> RegisterTile::getIndices(AffineMap map, ArrayRef<Value> at) {
  SmallVector<OpFoldResult> operands;
  for (Value iv : at)
    operands.push_back(iv ? OpFoldResult(iv) : b.getIndexAttr(0));
  SmallVector<Value> indices;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    indices.push_back(getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, map.getSubMap(i),
                                              operands)));
  return indices;
}

Value RegisterTile::load(OpOperand &operand, TilePoint point) {
  Value buffer = operand.get();
  if (!isa<MemRefType>(buffer.getType()))
    return buffer;
  // Points share a load if they differ only in a dimension on which the operand
  // does not depend.
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto has = [&](std::optional<unsigned> dim) {
    return dim && map.isFunctionOfDim(*dim);
  };
  std::array<int64_t, 4> key{operand.getOperandNumber(),
                             has(shape.rowDim) ? point.row : 0,
                             has(shape.laneDim) ? point.vector : 0,
                             has(shape.stepDim) ? point.step : 0};
  Value &value = loaded[key];
  if (value)
    return value;
  Type element = getElementTypeOrSelf(buffer);
  switch (getLaneAccess(op, operand, shape.laneDim)) {
  case LaneAccess::Uniform:
    value = memref::LoadOp::create(b, loc, buffer,
                                   getIndices(getMapAt(operand, point), ivs));
    break;
  case LaneAccess::Contiguous: {
    auto type = VectorType::get({shape.lanes}, element);
    SmallVector<Value> indices = getIndices(getMapAt(operand, point), ivs);
    if (mask) {
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
      value = vector::MaskedLoadOp::create(b, loc, type, buffer, indices, mask,
                                           zero);
    } else {
      value = vector::LoadOp::create(b, loc, type, buffer, indices);
    }
    break;
  }
  case LaneAccess::Words:
    value =
        mask ? loadStrided(operand, point) : loadPartsOfWords(operand, point);
    break;
  case LaneAccess::Repeated:
    value = loadRepeated(operand, point);
    break;
  case LaneAccess::Strided:
    value = loadStrided(operand, point);
    break;
  }
  return value;
}

void RegisterTile::prefetch(OpOperand &operand, TilePoint point, unsigned dim,
                            int64_t distance, const ViewsAhead &next,
                            int64_t size, Value first, bool isFar) {
  auto getIndex = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value buffer = operand.get();
  SmallVector<Value> at(ivs);
  if (next.numStreams > 1) {
    int64_t shift = 0;
    auto take = [&](std::optional<unsigned> of, int64_t &number, int64_t by) {
      if (of != dim)
        return;
      shift += number * by;
      number = 0;
    };
    take(shape.laneDim, point.vector, shape.lanes);
    take(shape.rowDim, point.row, 1);
    take(shape.stepDim, point.step, shape.stepsApart);
    std::tie(buffer, at[dim]) = buildRowAhead(
        b, loc, next, arith::AddIOp::create(b, loc, ivs[dim], getIndex(shift)),
        size);
  } else if (next && distance == size) {
    buffer = next.views.front();
  } else {
    at[dim] = arith::AddIOp::create(b, loc, ivs[dim], getIndex(distance));
    if (next) {
      Value ahead = at[dim];
      if (first)
        ahead = arith::AddIOp::create(b, loc, first, getIndex(distance));
      Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           ahead, getIndex(size));
      Value before =
          arith::SelectOp::create(b, loc, isHere, getIndex(0), getIndex(size));
      buffer = selectView(b, loc, isHere, buffer, next.views.front());
      at[dim] = arith::SubIOp::create(b, loc, at[dim], before);
    }
  }
  // The processor cannot guess the order of pages. More of their lines can be
  // under way at a time if they go to the second cache.
  memref::PrefetchOp::create(b, loc, buffer,
                             getIndices(getMapAt(operand, point), at),
                             /*isWrite=*/false,
                             /*localityHint=*/next || isFar ? 2 : 3,
                             /*isDataCache=*/true);
}

Value RegisterTile::loadSteps(OpOperand &operand, TilePoint point,
                              VectorType type) {
  return vector::LoadOp::create(b, loc, type, operand.get(),
                                getIndices(getMapAt(operand, point), ivs));
}

void RegisterTile::storeSteps(OpOperand &operand, TilePoint point,
                              Value value) {
  vector::StoreOp::create(b, loc, value, operand.get(),
                          getIndices(getMapAt(operand, point), ivs));
}

Value RegisterTile::loadWords(OpOperand &operand, TilePoint point) {
  auto type = cast<MemRefType>(operand.get().getType());
  int64_t rank = type.getRank(), parts = type.getShape().back();
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank - 1);
  Value buffer = memref::CollapseShapeOp::create(b, loc, operand.get(), groups);
  SmallVector<Value> indices = getIndices(getMapAt(operand, point), ivs);
  indices.pop_back();
  indices.back() = arith::MulIOp::create(
      b, loc, indices.back(), arith::ConstantIndexOp::create(b, loc, parts));
  Value loaded = vector::LoadOp::create(
      b, loc, VectorType::get({shape.lanes * parts}, type.getElementType()),
      buffer, indices);
  auto words = VectorType::get({shape.lanes}, b.getIntegerType(kWordBits));
  return vector::BitCastOp::create(b, loc, words, loaded);
}

/// Loads whole words; each lane then takes its part.
Value RegisterTile::loadPartsOfWords(OpOperand &operand, TilePoint point) {
  auto type = cast<MemRefType>(operand.get().getType());
  Value word = loadWords(operand, point);
  Value part = getIndices(getMapAt(operand, point), ivs).back();
  Value shift = arith::MulIOp::create(
      b, loc, part,
      arith::ConstantIndexOp::create(b, loc, type.getElementTypeBitWidth()));
  shift =
      arith::IndexCastOp::create(b, loc, b.getIntegerType(kWordBits), shift);
  word = arith::ShRUIOp::create(b, loc, word, toVector(shift));
  return arith::TruncIOp::create(
      b, loc, VectorType::get({shape.lanes}, type.getElementType()), word);
}

/// Loads fewer elements than lanes, each for several of them. The first lane of
/// a vector is the first of those of an element, since both are powers of two.
Value RegisterTile::loadRepeated(OpOperand &operand, TilePoint point) {
  int64_t times = *getRepetitions(op, operand, shape.laneDim);
  SmallVector<Value> indices = getIndices(getMapAt(operand, point), ivs);
  if (times >= shape.lanes)
    return toVector(memref::LoadOp::create(b, loc, operand.get(), indices));
  auto type = VectorType::get({shape.lanes / times},
                              getElementTypeOrSelf(operand.get()));
  Value elements;
  if (mask) {
    // Elements behind the end may lie outside of the buffer.
    AffineExpr end = b.getAffineDimExpr(0), at = b.getAffineDimExpr(1);
    Value rest = affine::makeComposedAffineApply(
        b, loc,
        AffineMap::get(2, 0,
                       (end - at - point.vector * shape.lanes).ceilDiv(times)),
        {OpFoldResult(laneEnd), OpFoldResult(ivs[shape.laneDim])});
    Value some = vector::CreateMaskOp::create(
        b, loc, VectorType::get(type.getShape(), b.getI1Type()), rest);
    elements = vector::MaskedLoadOp::create(
        b, loc, type, operand.get(), indices, some,
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  } else {
    elements = vector::LoadOp::create(b, loc, type, operand.get(), indices);
  }
  SmallVector<int64_t> sources;
  for (int64_t lane = 0; lane < shape.lanes; ++lane)
    sources.push_back(lane / times);
  return vector::ShuffleOp::create(b, loc, elements, elements, sources);
}

/// Returns the position of `lane`, or that of the last one if `lane` is behind
/// the end.
Value RegisterTile::getLanePosition(int64_t lane) {
  Value position = arith::AddIOp::create(
      b, loc, ivs[shape.laneDim], arith::ConstantIndexOp::create(b, loc, lane));
  if (!laneEnd)
    return position;
  Value last = arith::SubIOp::create(b, loc, laneEnd,
                                     arith::ConstantIndexOp::create(b, loc, 1));
  return arith::MinSIOp::create(b, loc, position, last);
}

/// Loads lane by lane. Lanes behind the end repeat the last one.
Value RegisterTile::loadStrided(OpOperand &operand, TilePoint point) {
  SmallVector<Value> elements;
  SmallVector<Value> at(ivs);
  AffineMap map = getMapAt(operand, point);
  for (int64_t lane = 0; lane < shape.lanes; ++lane) {
    at[shape.laneDim] = getLanePosition(lane);
    elements.push_back(
        memref::LoadOp::create(b, loc, operand.get(), getIndices(map, at)));
  }
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({shape.lanes}, elements.front().getType()),
      elements);
}

// In a block, each row lies along the steps and belongs to one lane. log2(W)
// rounds of two-input shuffles transpose the block. The first P rounds
// interleave the lanes of two rows in each part of `shuffleBits`, which is
// cheapest: they transpose blocks of 2^P by 2^P lanes, with rows i and i + 2^P
// / 2. The other rounds swap blocks on both sides of the diagonal.
void mlir::linalg_ext::transposeVectors(OpBuilder &b, Location loc,
                                        MutableArrayRef<Value> rows,
                                        int64_t part, int64_t blocks) {
  int64_t lanes = rows.size();
  part = std::clamp<int64_t>(part, 1, lanes);
  // The mask is the same for all blocks.
  auto shuffle = [&](Value first, Value second, ArrayRef<int64_t> mask) {
    SmallVector<int64_t> all;
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t from : mask)
        all.push_back(from % lanes + block * lanes +
                      (from < lanes ? 0 : blocks * lanes));
    return vector::ShuffleOp::create(b, loc, first, second, all);
  };
  for (int64_t round = 1; round < part; round *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t base = lane / part * part,
              from = lane % 2 * lanes + base + (lane - base) / 2;
      low.push_back(from);
      high.push_back(from + part / 2);
    }
    SmallVector<Value> next;
    for (int64_t base = 0; base < lanes; base += part)
      for (int64_t i = base; i < base + part / 2; ++i) {
        next.push_back(shuffle(rows[i], rows[i + part / 2], low));
        next.push_back(shuffle(rows[i], rows[i + part / 2], high));
      }
    llvm::copy(next, rows.begin());
  }
  for (int64_t s = part; s < lanes; s *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool odd = lane & s;
      int64_t of = odd ? lanes : 0;
      low.push_back(of + (odd ? lane - s : lane));
      high.push_back(of + (odd ? lane : lane + s));
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & s)
        continue;
      Value first = rows[i], second = rows[i + s];
      rows[i] = shuffle(first, second, low);
      rows[i + s] = shuffle(first, second, high);
    }
  }
}

void RegisterTile::loadTransposed(OpOperand &operand, TilePoint point,
                                  int64_t pack, int64_t blocks) {
  int64_t lanes = shape.lanes;
  Type element = getElementTypeOrSelf(operand.get());
  auto type = VectorType::get({lanes * pack * blocks}, element);
  auto packed = VectorType::get(
      {lanes}, pack > 1
                   ? b.getIntegerType(pack * element.getIntOrFloatBitWidth())
                   : element);
  SmallVector<Value> rows;
  SmallVector<Value> at(ivs);
  AffineMap map = getMapAt(operand, point);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    at[shape.laneDim] = getLanePosition(lane);
    Value row = vector::LoadOp::create(b, loc, type, operand.get(),
                                       getIndices(map, at));
    rows.push_back(pack > 1 ? vector::BitCastOp::create(b, loc, packed, row)
                            : row);
  }
  transposeVectors(b, loc, rows,
                   shape.shuffleBits / packed.getElementTypeBitWidth(), blocks);
  AffineMap original = op.getMatchingIndexingMap(&operand);
  int64_t row =
      shape.rowDim && original.isFunctionOfDim(*shape.rowDim) ? point.row : 0;
  for (auto [step, value] : llvm::enumerate(rows))
    for (int64_t block = 0; block < blocks; ++block) {
      Value part = value;
      if (pack > 1)
        part = vector::BitCastOp::create(b, loc, type, value);
      else if (blocks > 1)
        part = vector::ExtractStridedSliceOp::create(
            b, loc, value, ArrayRef<int64_t>{block * lanes},
            ArrayRef<int64_t>{lanes}, ArrayRef<int64_t>{1});
      loaded[{operand.getOperandNumber(), row, point.vector,
              point.step + (block * lanes + int64_t(step)) * pack}] = part;
    }
}

void RegisterTile::moveTo(unsigned dim, Value value) {
  ivs[dim] = value;
  for (auto it = loaded.begin(); it != loaded.end();) {
    OpOperand &operand = op->getOpOperand(it->first[0]);
    bool changes = op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim);
    it = changes ? loaded.erase(it) : std::next(it);
  }
}

void RegisterTile::store(OpOperand &operand, TilePoint point, Value value) {
  SmallVector<Value> indices = getIndices(getMapAt(operand, point), ivs);
  if (getLaneAccess(op, operand, shape.laneDim) == LaneAccess::Uniform) {
    memref::StoreOp::create(b, loc, value, operand.get(), indices);
    return;
  }
  value = toVector(value);
  if (mask)
    vector::MaskedStoreOp::create(b, loc, operand.get(), indices, mask, value);
  else
    vector::StoreOp::create(b, loc, value, operand.get(), indices);
}

//===----------------------------------------------------------------------===//
// Payload
//===----------------------------------------------------------------------===//

/// Returns the multiplication that `op`, an addition to an output of a
/// reduction, can absorb: a fused multiply-add rounds once.
static arith::MulFOp getFusedProduct(linalg::LinalgOp op, Operation *inner) {
  auto add = dyn_cast<arith::AddFOp>(inner);
  if (!add || op.getNumReductionLoops() == 0 ||
      !(add.getType().isF32() || add.getType().isF64()))
    return nullptr;
  for (auto [lhs, rhs] : {std::make_pair(add.getLhs(), add.getRhs()),
                          std::make_pair(add.getRhs(), add.getLhs())}) {
    auto arg = dyn_cast<BlockArgument>(lhs);
    auto product = rhs.getDefiningOp<arith::MulFOp>();
    if (arg && arg.getOwner() == op.getBlock() &&
        arg.getArgNumber() >= op.getNumDpsInputs() && product &&
        product->getBlock() == op.getBlock() && product->hasOneUse())
      return product;
  }
  return nullptr;
}

/// Loads one element for all lanes, or adjacent elements from the position of
/// the first lane on.
Value RegisterTile::evaluateLoad(memref::LoadOp load, TilePoint point,
                                 const IRMapping &mapping) {
  SmallVector<Value> indices;
  bool isOfLanes = false;
  for (Value index : load.getIndices()) {
    isOfLanes = isPositionOfLane(index, shape.laneDim);
    if (isOfLanes && point.vector > 0)
      indices.push_back(arith::AddIOp::create(
          b, loc, ivs[shape.laneDim],
          arith::ConstantIndexOp::create(b, loc, point.vector * shape.lanes)));
    else
      indices.push_back(isOfLanes ? ivs[shape.laneDim]
                                  : mapping.lookupOrDefault(index));
  }
  if (!isOfLanes)
    return memref::LoadOp::create(b, loc, load.getMemRef(), indices);
  auto type = VectorType::get({shape.lanes}, load.getType());
  if (!mask)
    return vector::LoadOp::create(b, loc, type, load.getMemRef(), indices);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, type, load.getMemRef(), indices,
                                      mask, zero);
}

/// Builds `inner` on the values in `mapping`. It stays scalar if all operands
/// are scalars.
Value RegisterTile::evaluateOp(Operation *inner, TilePoint point,
                               IRMapping &mapping) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    unsigned dim = index.getDim();
    int64_t offset = 0;
    if (dim == shape.laneDim)
      offset = point.vector * shape.lanes;
    else if (dim == shape.rowDim)
      offset = point.row;
    else if (dim == shape.stepDim)
      offset = point.step * shape.stepsApart;
    Value value = ivs[dim];
    if (offset)
      value = arith::AddIOp::create(
          b, loc, value, arith::ConstantIndexOp::create(b, loc, offset));
    if (dim != shape.laneDim)
      return value;
    auto type = VectorType::get({shape.lanes}, b.getIndexType());
    Value steps = vector::StepOp::create(b, loc, type);
    return arith::AddIOp::create(b, loc, toVector(value), steps);
  }

  // Positions of lanes are computed in the narrow type where they are used as
  // such.
  if (auto cast = dyn_cast<arith::IndexCastOp>(inner))
    if (auto index = cast.getIn().getDefiningOp<linalg::IndexOp>();
        index && index.getDim() == shape.laneDim &&
        isa<IntegerType>(cast.getType())) {
      Value first = ivs[shape.laneDim];
      if (point.vector > 0)
        first = arith::AddIOp::create(
            b, loc, first,
            arith::ConstantIndexOp::create(b, loc, point.vector * shape.lanes));
      auto type = VectorType::get({shape.lanes}, cast.getType());
      SmallVector<Attribute> steps;
      for (int64_t lane = 0; lane < shape.lanes; ++lane)
        steps.push_back(b.getIntegerAttr(cast.getType(), lane));
      return arith::AddIOp::create(
          b, loc,
          toVector(arith::IndexCastOp::create(b, loc, cast.getType(), first)),
          arith::ConstantOp::create(b, loc,
                                    DenseElementsAttr::get(type, steps)));
    }

  if (auto load = dyn_cast<memref::LoadOp>(inner))
    return evaluateLoad(load, point, mapping);

  if (arith::MulFOp product = getFusedProduct(op, inner)) {
    auto add = cast<arith::AddFOp>(inner);
    Value accumulator =
        add.getLhs() == product.getResult() ? add.getRhs() : add.getLhs();
    Value acc = mapping.lookupOrDefault(accumulator);
    if (isa<VectorType>(acc.getType()))
      return vector::FMAOp::create(
          b, loc, toVector(mapping.lookupOrDefault(product.getLhs())),
          toVector(mapping.lookupOrDefault(product.getRhs())), acc);
    Value value = evaluateOp(product, point, mapping);
    mapping.map(product.getResult(), value);
  }

  SmallVector<Value> operands;
  bool anyVector = false;
  for (Value operand : inner->getOperands()) {
    operands.push_back(mapping.lookupOrDefault(operand));
    anyVector |= isa<VectorType>(operands.back().getType());
  }
  SmallVector<Type> types(inner->getResultTypes());
  if (anyVector) {
    // A condition may be the same for all lanes.
    for (auto [number, operand] : llvm::enumerate(operands))
      if (number > 0 || !isa<arith::SelectOp>(inner))
        operand = toVector(operand);
    for (Type &type : types)
      type = VectorType::get({shape.lanes}, type);
  }
  Operation *result = b.clone(*inner);
  result->setOperands(operands);
  for (auto [value, type] : llvm::zip_equal(result->getResults(), types))
    value.setType(type);
  return result->getResult(0);
}

/// Evaluates the ops of the payload that depend neither on outputs, nor on
/// operands that vary along `dim`, nor on the index of `dim`.
IRMapping
RegisterTile::evaluateWithout(TilePoint point, unsigned dim,
                              function_ref<bool(OpOperand &)> varies) {
  IRMapping mapping;
  llvm::SmallPtrSet<Value, 8> varying;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(&operand);
    if (op.isDpsInit(&operand) || varies(operand))
      varying.insert(arg);
    else if (!arg.use_empty())
      mapping.map(arg, load(operand, point));
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if ((index && index.getDim() == dim) ||
        llvm::any_of(inner.getOperands(),
                     [&](Value value) { return varying.contains(value); }))
      varying.insert(inner.getResult(0));
    else
      mapping.map(inner.getResult(0), evaluateOp(&inner, point, mapping));
  }
  return mapping;
}

IRMapping RegisterTile::evaluateUniform(TilePoint point) {
  return evaluateWithout(point, shape.laneDim, [&](OpOperand &operand) {
    return getLaneAccess(op, operand, shape.laneDim) != LaneAccess::Uniform;
  });
}

IRMapping RegisterTile::evaluateInvariant(TilePoint point, unsigned dim) {
  return evaluateWithout(point, dim, [&](OpOperand &operand) {
    return op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim);
  });
}

void RegisterTile::mapInputs(TilePoint point, IRMapping &mapping) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(operand);
    if (!arg.use_empty() && !mapping.contains(arg))
      mapping.map(arg, load(*operand, point));
  }
}

Value RegisterTile::evaluateTerm(TilePoint point, Value term,
                                 const IRMapping *uniform) {
  IRMapping mapping;
  if (uniform)
    mapping = *uniform;
  llvm::SmallSetVector<Value, 8> needed;
  needed.insert(term);
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *inner = needed[i].getDefiningOp();
        inner && inner->getBlock() == op.getBlock() &&
        !mapping.contains(needed[i]))
      needed.insert_range(inner->getOperands());
  for (OpOperand *operand : op.getDpsInputOperands())
    if (BlockArgument arg = op.getMatchingBlockArgument(operand);
        needed.contains(arg) && !mapping.contains(arg))
      mapping.map(arg, load(*operand, point));
  for (Operation &inner : op.getBlock()->without_terminator())
    if (Value result = inner.getResult(0);
        needed.contains(result) && !mapping.contains(result))
      mapping.map(result, evaluateOp(&inner, point, mapping));
  return mapping.lookupOrDefault(term);
}

SmallVector<Value> RegisterTile::evaluate(TilePoint point,
                                          ArrayRef<Value> outputs,
                                          const IRMapping *uniform) {
  IRMapping mapping;
  if (uniform)
    mapping = *uniform;
  mapInputs(point, mapping);
  for (auto [number, output] : llvm::enumerate(outputs)) {
    OpOperand *operand = op.getDpsInitOperand(number);
    BlockArgument arg = op.getMatchingBlockArgument(operand);
    if (output)
      mapping.map(arg, output);
    else if (!arg.use_empty())
      mapping.map(arg, load(*operand, point));
  }
  llvm::SmallPtrSet<Operation *, 4> fused;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (arith::MulFOp product = getFusedProduct(op, &inner))
      fused.insert(product);
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!fused.contains(&inner) && !mapping.contains(inner.getResult(0)))
      mapping.map(inner.getResult(0), evaluateOp(&inner, point, mapping));
  SmallVector<Value> results;
  for (Value yielded : op.getBlock()->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(yielded));
  return results;
}
