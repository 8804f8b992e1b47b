//===- ColumnDigits.cpp - Digits of rows for lanes of columns -------------===//
//
// The digits of DigitProduct.cpp for integers of which those of one row lie
// side by side, [K, N]: bytes, or words of 32 bits with eight integers of 4
// bits of a column (GPTQ). The lanes of a vector are columns. One instruction
// multiplies four integers of each column by the same four bytes, the digits of
// four elements of the row.
//
// There are three sums for each column, one for each digit. They are small
// integers, so they last for a whole block of rows, such as that of a group.
// Then they become floats, which are multiplied by the unit of the elements of
// the block and by the scales of the columns:
//
//   unit scale (2^16 sum d2[k] c[k] + 2^8 sum d1[k] c[k] + sum d0[k] c[k])
//
// Codes have no sign. For integers c + offset, the sums start from `offset`
// times the sums of digits, which are the same for all columns.
//
// A word has four integers in the lower halves of its bytes, and four in the
// upper ones. Four rows of bytes are interleaved: a vector has 4 columns of
// each 16, so that what is computed for a block of 64 columns is put in order
// at its end.
//
//===----------------------------------------------------------------------===//

#include "ColumnDigits.h"

#include "DigitProduct.h"
#include "FourBitProduct.h"
#include "LoopEmitter.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr int64_t kDigits = 3, kLanes = kColumnLanes,
                         kVectors = kColumnVectors, kBytes = kDigitColumns,
                         kParts = 8;

/// The bits of integers behind the highest one: the largest digit has no place
/// for what would be rounded up to a power of two.
static constexpr int32_t kBits = 22;

/// The most iterations along the columns that share a unit, and are computed
/// for a strip of columns, for one row and for several, each of which converts
/// and scales what it has summed. Rows are often a multiple of 4096 bytes, so
/// that their lines share a set of the first cache.
static constexpr int64_t kMost = 8, kMostWordsOfRows = 16,
                         kMostBytesOfRows = 32;

/// The fewest such iterations of bytes for several rows.
static constexpr int64_t kLeastBytesOfRows = 16;

/// The fewest rows of words that read a word once for all of them, and the
/// fewest that have `kMostWordsOfRows`.
static constexpr int64_t kLeastRowsThatShareWords = 3, kLeastRowsOfWords = 4;

/// The most rows of bytes.
static constexpr int64_t kMostRowsOfBytes = 3;

/// The fewest columns for which it pays to prepare the row, if this is not done
/// in front of a loop.
static constexpr int64_t kLeastColumns = 128;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Sets what `product` multiplies the words `word` by, if `number` is linear in
/// each of their integers of 4 bits. The only op that reads a word shifts it,
/// and the next one leaves 4 bits.
static bool findPartsOfWords(linalg::LinalgOp op, Value number,
                             BlockArgument word, ColumnDigits &product) {
  auto getOnlyUser = [](Value value) {
    return value.hasOneUse() ? *value.user_begin() : nullptr;
  };
  Operation *shift = getOnlyUser(word);
  if (!isa_and_nonnull<arith::ShRUIOp, arith::ShRSIOp>(shift) ||
      shift->getOperand(0) != word)
    return false;
  auto mask = dyn_cast_or_null<arith::AndIOp>(getOnlyUser(shift->getResult(0)));
  APInt bits;
  if (!mask || mask->getBlock() != op.getBlock() ||
      !matchPattern(mask.getRhs(), m_ConstantInt(&bits)) || bits != 15)
    return false;
  Builder b(op.getContext());
  llvm::SmallBitVector found(kParts);
  for (int64_t part = 0; part < kParts; ++part) {
    std::optional at(std::pair(*product.partDim, part));
    auto amount = dyn_cast_or_null<IntegerAttr>(foldInPayload(
        op, shift->getOperand(1), llvm::SmallDenseMap<Value, Attribute>(), at));
    if (!amount || amount.getInt() % 4 != 0 || amount.getInt() < 0 ||
        amount.getInt() >= 4 * kParts || found.test(amount.getInt() / 4))
      return false;
    product.places.push_back(amount.getInt() / 4);
    found.set(product.places.back());
    double numbers[16];
    for (int64_t code = 0; code < 16; ++code) {
      auto value = dyn_cast_or_null<FloatAttr>(foldInPayload(
          op, number,
          {{mask.getResult(), b.getIntegerAttr(mask.getType(), code)}}, at));
      if (!value)
        return false;
      numbers[code] = value.getValueAsDouble();
    }
    double scale = numbers[1] - numbers[0], offset = numbers[0] / scale;
    if (!std::isfinite(scale) || scale == 0 || std::rint(offset) != offset ||
        std::fabs(offset) > 16 ||
        (part > 0 && (scale != product.scale || offset != product.offset)))
      return false;
    product.scale = scale;
    product.offset = int64_t(offset);
    for (int64_t code = 0; code < 16; ++code)
      if (numbers[code] != scale * double(code + product.offset))
        return false;
  }
  return true;
}

/// Whether nothing that `factor` is computed of changes along `dims`.
static bool isInvariantFactor(linalg::LinalgOp op, Value factor,
                              ArrayRef<unsigned> dims) {
  for (Value value : getPayloadSlice(op, factor)) {
    auto arg = dyn_cast<BlockArgument>(value);
    Operation *inner = value.getDefiningOp();
    if (inner && inner->getBlock() == op.getBlock() &&
        (isa<linalg::IndexOp>(inner) || !isPure(inner)))
      return false;
    if (!arg || arg.getOwner() != op.getBlock())
      continue;
    OpOperand &operand = op->getOpOperand(arg.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!op.isDpsInput(&operand) || llvm::any_of(dims, [&](unsigned dim) {
          return map.isFunctionOfDim(dim);
        }))
      return false;
  }
  return true;
}

/// Whether the elements of `row` follow each other in the order of its
/// dimensions, of which those of `product` are the last ones, the rows are the
/// first one, and only `loops` go along the others.
static bool isRowInOrder(linalg::LinalgOp op, OpOperand &row,
                         const ColumnDigits &product,
                         ArrayRef<unsigned> loops) {
  auto type = dyn_cast<MemRefType>(row.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&row);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // Rows of a tile begin anywhere.
  if (!type || !type.hasStaticShape() || !map.isProjectedPermutation() ||
      type.getNumContiguousTrailingDims() != type.getRank())
    return false;
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return false;
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults())
    if (unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        ranges[dim] != 1)
      dims.push_back(dim);
  SmallVector<unsigned> last{product.streamDim};
  if (product.partDim)
    last.push_back(*product.partDim);
  if (dims.size() < last.size() ||
      ArrayRef(dims).take_back(last.size()) != ArrayRef(last) ||
      (product.rowDim && dims.front() != *product.rowDim))
    return false;
  return llvm::all_of(ArrayRef(dims).drop_back(last.size()), [&](unsigned dim) {
    return llvm::is_contained(loops, dim);
  });
}

std::optional<ColumnDigits> mlir::linalg_ext::matchColumnDigits(
    linalg::LinalgOp op, OpOperand &streamed, unsigned laneDim,
    std::optional<unsigned> rowDim, ArrayRef<unsigned> loops,
    ArrayRef<unsigned> unrolled) {
  ColumnDigits result;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Type element = getElementTypeOrSelf(streamed.get());
  bool isWord = element.isSignlessInteger(32);
  if (loops.empty() || unrolled.size() != (isWord ? 1 : 0) ||
      !(isWord || element.isSignlessInteger(8)) ||
      getLaneAccess(op, streamed, laneDim) != LaneAccess::Contiguous ||
      op.getNumDpsInits() != 1 ||
      !getElementTypeOrSelf(op.getDpsInits().front()).isF32())
    return std::nullopt;
  result.streamDim = loops.back();
  SmallVector<unsigned> inner{result.streamDim};
  if (isWord) {
    result.partDim = unrolled.front();
    inner.push_back(unrolled.front());
    if (ranges[unrolled.front()] != kParts)
      return std::nullopt;
  }
  SmallVector<unsigned> ofRow(loops);
  if (rowDim && ranges[*rowDim] != 1) {
    ofRow.push_back(*rowDim);
    if (ShapedType::isDynamic(ranges[*rowDim]))
      return std::nullopt;
    // Two rows of words are two products of one row.
    if (!isWord || ranges[*rowDim] >= kLeastRowsThatShareWords) {
      result.rowDim = rowDim;
      result.rows = ranges[*rowDim];
    }
  }
  int64_t size = ranges[result.streamDim], columns = ranges[laneDim];
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(columns) ||
      columns % kDigitColumns != 0 || columns < kLeastColumns)
    return std::nullopt;
  int64_t most = kMost;
  if (isWord && result.rows >= kLeastRowsOfWords)
    most = kMostWordsOfRows;
  else if (!isWord && result.rows > 1)
    most = kMostBytesOfRows;
  for (int64_t rows = result.getStep(); rows <= std::min(size, most);
       rows += result.getStep())
    if (size % rows == 0)
      result.block = rows;
  // In f32, bytes are converted once for all rows. Sums of digits are converted
  // for each row, and take as long with four rows, or with a few bytes.
  if (!isWord && result.rows > 1 &&
      (result.rows > kMostRowsOfBytes || result.block < kLeastBytesOfRows))
    return std::nullopt;
  std::optional<SmallVector<Value>> factors = getFactorsOfSum(op);
  if (result.block < 4 || !factors)
    return std::nullopt;
  BlockArgument code = op.getMatchingBlockArgument(&streamed);
  Value number;
  for (Value factor : *factors) {
    if (getPayloadSlice(op, factor).contains(code)) {
      if (number || !factor.hasOneUse())
        return std::nullopt;
      number = factor;
      continue;
    }
    OpOperand *row = getOperandOfFactor(op, factor);
    if (row && op.isDpsInput(row) && isRowInOrder(op, *row, result, ofRow)) {
      if (result.row)
        return std::nullopt;
      result.row = row;
      continue;
    }
    if (!isInvariantFactor(op, factor, inner))
      return std::nullopt;
    result.factors.push_back(factor);
  }
  if (!number || !result.row)
    return std::nullopt;
  if (isWord)
    return findPartsOfWords(op, number, code, result) ? std::optional(result)
                                                      : std::nullopt;
  std::optional<LinearBytes> bytes = findLinearBytes(op, number, code);
  if (!bytes)
    return std::nullopt;
  result.scale = bytes->scale;
  result.offset = bytes->offset;
  result.invertsBytes = bytes->isInverted;
  return result;
}

//===----------------------------------------------------------------------===//
// The row
//===----------------------------------------------------------------------===//

namespace {
/// Builds the digits of a row block by block.
class RowOfDigits {
public:
  RowOfDigits(OpBuilder &b, Location loc, const ColumnDigits &product,
              Value row)
      : b(b), loc(loc), product(product), row(row),
        elements(product.block * product.getParts()),
        width(std::gcd(elements, kLanes)),
        ints(VectorType::get({width}, b.getI32Type())),
        floats(VectorType::get({width}, b.getF32Type())) {}

  /// Writes the digits, the unit and the starts of block `block` as number
  /// `place`.
  void emit(Value block, Value place, Value digits, Value units, Value starts);

private:
  Value splat(int32_t value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(ints, value));
  }
  Value getInt(int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value toBits(Value value) {
    return vector::BitCastOp::create(b, loc, ints, value);
  }
  void loadElements(Value block);
  Value makeIntegers(Value element, Value inverse, Value isFinite);
  void storeDigit(Value integers, Value place, int64_t at, Value digits,
                  int64_t digit);

  OpBuilder &b;
  Location loc;
  const ColumnDigits &product;
  Value row;
  /// The elements of a block, and those of a vector.
  int64_t elements, width;
  VectorType ints, floats;
  SmallVector<Value> values;
};
} // namespace

void RowOfDigits::loadElements(Value block) {
  Type element = getElementTypeOrSelf(row);
  auto type = VectorType::get({width}, element);
  Value first = arith::MulIOp::create(b, loc, block, getIndex(elements));
  for (int64_t at = 0; at < elements; at += width) {
    Value place = arith::AddIOp::create(b, loc, first, getIndex(at));
    Value value = vector::LoadOp::create(b, loc, type, row, place);
    values.push_back(
        element.isF32()
            ? value
            : arith::ExtFOp::create(b, loc, floats, value).getResult());
  }
}

/// Returns `element` times `inverse`, rounded to integers.
Value RowOfDigits::makeIntegers(Value element, Value inverse, Value isFinite) {
  Value quotient = arith::MulFOp::create(b, loc, element, inverse);
  // Half of one, with the sign of the element.
  Value half = arith::OrIOp::create(
      b, loc, arith::AndIOp::create(b, loc, toBits(element), splat(INT32_MIN)),
      splat(0x3f000000));
  quotient = arith::AddFOp::create(
      b, loc, quotient, vector::BitCastOp::create(b, loc, floats, half));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(floats));
  return arith::FPToSIOp::create(
      b, loc, ints, arith::SelectOp::create(b, loc, isFinite, quotient, zero));
}

/// Stores the lowest bytes of `integers`, those of the elements from `at` on of
/// block `place`. Those of a word are in the order in which its lower halves, and then its
/// upper ones, have their integers.
void RowOfDigits::storeDigit(Value integers, Value place, int64_t at,
                             Value digits, int64_t digit) {
  Value bytes = arith::TruncIOp::create(
      b, loc, VectorType::get({width}, b.getI8Type()), integers);
  if (product.partDim) {
    SmallVector<int64_t> sources(width);
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t place = product.places[lane % kParts];
      sources[lane / kParts * kParts + place % 2 * 4 + place / 2] = lane;
    }
    bytes = vector::ShuffleOp::create(b, loc, bytes, bytes, sources);
  }
  vector::StoreOp::create(
      b, loc,
      vector::BitCastOp::create(
          b, loc, VectorType::get({width / 4}, b.getI32Type()), bytes),
      digits, ValueRange{place, getIndex(digit), getIndex(at / 4)});
}

void RowOfDigits::emit(Value block, Value place, Value digits, Value units,
                       Value starts) {
  loadElements(block);
  Value largest;
  for (Value value : values) {
    Value magnitude =
        arith::AndIOp::create(b, loc, toBits(value), splat(0x7fffffff));
    largest =
        largest ? arith::MaxUIOp::create(b, loc, largest, magnitude).getResult()
                : magnitude;
  }
  largest = vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXUI,
                                        largest);
  Value isFinite = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         largest, getInt(0x7f800000));
  Value exponent = arith::ShRUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, largest, getInt(1 << 17)),
      getInt(23));
  exponent = arith::SubIOp::create(
      b, loc, arith::MaxSIOp::create(b, loc, exponent, getInt(kBits + 1)),
      getInt(kBits));
  auto toPower = [&](Value exponent) -> Value {
    return arith::BitcastOp::create(
        b, loc, b.getF32Type(),
        arith::ShLIOp::create(b, loc, exponent, getInt(23)));
  };
  auto getFloat = [&](float value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  };
  Value unit = toPower(exponent),
        inverse = vector::BroadcastOp::create(
            b, loc, floats,
            toPower(arith::SubIOp::create(b, loc, getInt(254), exponent)));
  unit = arith::MulFOp::create(b, loc, unit, getFloat(float(product.scale)));
  unit = arith::SelectOp::create(
      b, loc, isFinite, unit,
      getFloat(std::numeric_limits<float>::quiet_NaN()));
  memref::StoreOp::create(b, loc, unit, units, place);
  Value sums[kDigits];
  for (auto [number, value] : llvm::enumerate(values)) {
    Value rest = makeIntegers(value, inverse, isFinite);
    for (int64_t digit = 0; digit < kDigits; ++digit) {
      storeDigit(rest, place, number * width, digits, digit);
      Value upper = arith::ShRSIOp::create(
          b, loc, arith::AddIOp::create(b, loc, rest, splat(128)), splat(8));
      Value lower = arith::SubIOp::create(
          b, loc, rest, arith::ShLIOp::create(b, loc, upper, splat(8)));
      sums[digit] =
          sums[digit]
              ? arith::AddIOp::create(b, loc, sums[digit], lower).getResult()
              : lower;
      rest = upper;
    }
  }
  for (int64_t digit = 0; digit < kDigits; ++digit)
    memref::StoreOp::create(
        b, loc,
        arith::MulIOp::create(
            b, loc,
            vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD,
                                        sums[digit]),
            getInt(product.offset)),
        starts, ValueRange{place, getIndex(digit)});
}

/// Writes the digits of the row for columns in front of the outermost loop that
/// only reads the row.
void LoopEmitter::prepareRowForColumns() {
  const ColumnDigits &product = *plan.columnDigits;
  OpBuilder::InsertionGuard guard(b);
  Value row = product.row->get();
  Operation *place = getPlaceOfCopy(op, row);
  b.setInsertionPoint(place);
  auto type = cast<MemRefType>(row.getType());
  if (type.getRank() > 1) {
    ReassociationIndices all(type.getRank());
    std::iota(all.begin(), all.end(), 0);
    row = memref::CollapseShapeOp::create(b, loc, row,
                                          ArrayRef<ReassociationIndices>{all});
  }
  int64_t elements = product.block * product.getParts(),
          blocks = type.getNumElements() / elements,
          ofRow = blocks / product.rows;
  rowDigits =
      allocateUntil(place, {blocks, kDigits, elements / 4}, b.getI32Type());
  rowUnits = allocateUntil(place, {blocks}, b.getF32Type());
  rowStarts = allocateUntil(place, {blocks, kDigits}, b.getI32Type());
  scf::ForOp::create(b, loc, getIndex(0), getIndex(blocks), getIndex(1),
                     ValueRange{},
                     [&](OpBuilder &inner, Location, Value block, ValueRange) {
                       // A block of all rows follows that of the first one.
                       Value at = getValueOrCreateConstantIndexOp(
                           inner, loc,
                           affine::makeComposedFoldedAffineApply(
                               inner, loc,
                               inner.getAffineDimExpr(0) % ofRow * product.rows +
                                   inner.getAffineDimExpr(0).floorDiv(ofRow),
                               OpFoldResult(block)));
                       RowOfDigits(inner, loc, product, row)
                           .emit(block, at, rowDigits, rowUnits, rowStarts);
                       scf::YieldOp::create(inner, loc);
                     });
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Returns the number of the element of the row at `ivs`, divided by `size`.
/// Those of a word count as one.
Value LoopEmitter::getPlaceInRow(int64_t size) {
  const ColumnDigits &product = *plan.columnDigits;
  AffineMap map = op.getMatchingIndexingMap(product.row);
  auto type = cast<MemRefType>(product.row->get().getType());
  AffineExpr place = b.getAffineConstantExpr(0);
  for (auto [expr, count] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        dim != product.partDim && count != 1)
      place = place * count + expr;
  SmallVector<OpFoldResult> at;
  for (Value iv : ivs)
    at.push_back(iv ? OpFoldResult(iv) : b.getIndexAttr(0));
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(ivs.size(), 0, place.floorDiv(size)), at));
}

/// Prefetches what the strips of the block after the next ones read of the row
/// at `ivs`. Behind the last strip come those of the next block of rows.
void LoopEmitter::prefetchStrip() {
  if (isInCache)
    return;
  // Pages, or rows that are copied, are not where the next strips are.
  if (viewsAhead || copyLoop) {
    RegisterTile tile = makeTile();
    return prefetchStream(tile, plan.vectors, /*steps=*/1);
  }
  const ColumnDigits &product = *plan.columnDigits;
  unsigned laneDim = plan.shape.laneDim;
  int64_t bytes = getElementBits(plan.streamed->get()) / 8,
          columns = plan.vectors * kLanes,
          ahead = std::min<int64_t>(
                      llvm::divideCeil(CPUTarget::kBytesAhead,
                                       columns * bytes * product.block),
                      plan.strips) *
                  columns,
          size = plan.strips * columns;
  Value isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                       ivs[laneDim], getIndex(size - ahead));
  // The same for all rows of a strip.
  auto shift = [&](unsigned dim, int64_t here, int64_t next) {
    Value by =
        arith::SelectOp::create(b, loc, isHere, getIndex(here), getIndex(next));
    return arith::AddIOp::create(b, loc, ivs[dim], by).getResult();
  };
  Values at(ivs);
  at[laneDim] = shift(laneDim, ahead, ahead - size);
  at[product.streamDim] = shift(product.streamDim, 0, product.block);
  RegisterTile tile(b, op, plan.shape, at);
  int64_t perLine = CPUTarget::kLineBytes / (bytes * kLanes);
  for (int64_t vector = 0; vector < plan.vectors; vector += perLine)
    tile.prefetch(*plan.streamed, {0, vector, 0}, product.streamDim,
                  /*distance=*/0);
}

/// Interleaves the lanes of parts of 128 bits: the lower halves of these, or
/// the upper ones, `size` bytes in turn.
static Value interleaveBytes(OpBuilder &b, Location loc, Value first,
                             Value second, int64_t size, bool isUpper) {
  SmallVector<int64_t> sources;
  for (int64_t part = 0; part < kBytes; part += 16)
    for (int64_t at = 0; at < 8; at += size)
      for (int64_t from : {int64_t(0), kBytes})
        for (int64_t byte = 0; byte < size; ++byte)
          sources.push_back(from + part + (isUpper ? 8 : 0) + at + byte);
  return vector::ShuffleOp::create(b, loc, first, second, sources);
}

/// Returns bytes for each vector of columns at `ivs`: of words, the integers in
/// the lower and the upper halves of their bytes; of bytes, those of four rows.
SmallVector<SmallVector<Value>> LoopEmitter::loadCodesOfColumns() {
  const ColumnDigits &product = *plan.columnDigits;
  auto bytes = VectorType::get({kBytes}, b.getI8Type());
  auto splat = [&](int8_t value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(bytes, value));
  };
  SmallVector<Values> codes;
  if (product.partDim) {
    RegisterTile tile = makeTile();
    for (int64_t vector = 0; vector < plan.vectors; ++vector) {
      Value words = vector::BitCastOp::create(
          b, loc, bytes, tile.load(*plan.streamed, {0, vector, 0}));
      codes.push_back({arith::AndIOp::create(b, loc, words, splat(15)),
                       arith::ShRUIOp::create(b, loc, words, splat(4))});
    }
    return codes;
  }
  Values rows;
  RegisterTileShape shape = plan.shape;
  shape.lanes = kBytes;
  Value first = ivs[product.streamDim];
  for (int64_t row = 0; row < product.getStep(); ++row) {
    ivs[product.streamDim] =
        arith::AddIOp::create(b, loc, first, getIndex(row));
    prefetchStrip();
    rows.push_back(RegisterTile(b, op, shape, ivs).load(*plan.streamed, {}));
    if (product.invertsBytes)
      rows.back() =
          arith::XOrIOp::create(b, loc, rows.back(), getHighestBits(kBytes));
  }
  ivs[product.streamDim] = first;
  for (bool isUpper : {false, true}) {
    Value even = interleaveBytes(b, loc, rows[0], rows[1], 1, isUpper),
          odd = interleaveBytes(b, loc, rows[2], rows[3], 1, isUpper);
    for (bool isUpperPair : {false, true})
      codes.push_back({interleaveBytes(b, loc, even, odd, 2, isUpperPair)});
  }
  return codes;
}

/// Puts the lanes of `vectors` in the order of the columns. Each has four
/// columns of each sixteen.
static SmallVector<Value> orderColumns(OpBuilder &b, Location loc,
                                       ArrayRef<Value> vectors) {
  // Fours of lanes number `a` and `b` of the first vector, then `c` and `d` of
  // the second one.
  auto pick = [&](Value first, Value second, std::array<int64_t, 4> fours) {
    SmallVector<int64_t> sources;
    for (auto [number, four] : llvm::enumerate(fours))
      for (int64_t lane = 0; lane < 4; ++lane)
        sources.push_back((number < 2 ? 0 : kLanes) + four * 4 + lane);
    return vector::ShuffleOp::create(b, loc, first, second, sources)
        .getResult();
  };
  SmallVector<Value> results;
  for (int64_t half : {0, 2}) {
    Value low = pick(vectors[0], vectors[1], {half, half + 1, half, half + 1}),
          high = pick(vectors[2], vectors[3], {half, half + 1, half, half + 1});
    results.push_back(pick(low, high, {0, 2, 0, 2}));
    results.push_back(pick(low, high, {1, 3, 1, 3}));
  }
  return results;
}

/// Adds the products of `codes`, bytes of columns, with the four bytes number
/// `at` of each digit of block `block` to `sums`, one for each digit.
void LoopEmitter::addFours(Value block, Value at, Value codes,
                           MutableArrayRef<Value> sums) {
  auto ints = VectorType::get({kLanes}, b.getI32Type()),
       bytes = VectorType::get({kBytes}, b.getI8Type());
  for (auto [digit, sum] : llvm::enumerate(sums)) {
    Value row = memref::LoadOp::create(b, loc, rowDigits,
                                       ValueRange{block, getIndex(digit), at});
    row = vector::BitCastOp::create(
        b, loc, bytes, vector::BroadcastOp::create(b, loc, ints, row));
    sum = buildByteDot(b, loc, StepDot::MixedBytes, sum, codes, row);
  }
}

/// Returns what the sums of block `block` start from, `vectors` of each digit.
SmallVector<Value> LoopEmitter::loadStarts(Value block, int64_t vectors) {
  auto ints = VectorType::get({kLanes}, b.getI32Type());
  Values sums;
  for (int64_t digit = 0; digit < kDigits; ++digit) {
    Value start = memref::LoadOp::create(b, loc, rowStarts,
                                         ValueRange{block, getIndex(digit)});
    sums.append(vectors,
                vector::BroadcastOp::create(b, loc, ints, start).getResult());
  }
  return sums;
}

/// Returns the sums of the digits, the first of which is the lowest, as floats.
Value LoopEmitter::mergeDigits(ArrayRef<Value> sums) {
  auto floats = VectorType::get({kLanes}, b.getF32Type());
  Value factor = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(floats, 256.0f));
  Value result;
  for (Value sum : llvm::reverse(sums)) {
    Value next = arith::SIToFPOp::create(b, loc, floats, sum);
    result = result ? vector::FMAOp::create(b, loc, result, factor, next)
                          .getResult()
                    : next;
  }
  return result;
}

/// Adds `sums`, the products of row number `row` with a block of vectors of the
/// columns at `ivs`, times the unit of block `block` and the scales, to
/// `values`.
SmallVector<Value> LoopEmitter::scaleColumns(Value block, int64_t row,
                                             ArrayRef<Value> sums,
                                             ValueRange values) {
  auto floats = VectorType::get({kLanes}, b.getF32Type());
  Value unit = vector::BroadcastOp::create(
      b, loc, floats, memref::LoadOp::create(b, loc, rowUnits, block));
  RegisterTile tile = makeTile();
  Values results;
  for (auto [vector, sum] : llvm::enumerate(sums)) {
    Value factor = unit;
    for (Value other : plan.columnDigits->factors)
      factor = arith::MulFOp::create(
          b, loc, factor,
          tile.toVector(tile.evaluateTerm({row, int64_t(vector), 0}, other)));
    results.push_back(
        vector::FMAOp::create(b, loc, sum, factor, values[vector]));
  }
  return results;
}

/// Adds the products of the row with a block of rows of the columns at `ivs` to
/// the accumulators `values` of their vectors.
SmallVector<Value> LoopEmitter::addColumnDigits(ValueRange values) {
  const ColumnDigits &product = *plan.columnDigits;
  unsigned dim = product.streamDim;
  auto [from, to] = *streamBlock;
  ivs[dim] = from;
  if (product.partDim)
    ivs[*product.partDim] = getIndex(0);
  Value block = getPlaceInRow(product.block);
  if (product.rows > 1)
    return addColumnDigitsOfRows(block, values);
  int64_t parts = product.partDim ? 2 : 1;
  // All sums of the last digit, then those of the others.
  Values sums = loadStarts(block, kVectors);
  sums = emitLoop(dim, from, to, product.getStep(), sums, [&](ValueRange args) {
    if (product.partDim)
      prefetchStrip();
    SmallVector<Values> codes = loadCodesOfColumns();
    Value place = getPlaceInBlock();
    Values results(args);
    for (int64_t part = 0; part < parts; ++part) {
      Value at = arith::AddIOp::create(b, loc, place, getIndex(part));
      for (int64_t vector = 0; vector < kVectors; ++vector) {
        Values ofVector;
        for (int64_t digit = 0; digit < kDigits; ++digit)
          ofVector.push_back(results[digit * kVectors + vector]);
        addFours(block, at, codes[vector][part], ofVector);
        for (int64_t digit = 0; digit < kDigits; ++digit)
          results[digit * kVectors + vector] = ofVector[digit];
      }
    }
    return results;
  });
  ivs[dim] = from;
  Values ofBlock;
  for (int64_t vector = 0; vector < kVectors; ++vector) {
    Values ofVector;
    for (int64_t digit = 0; digit < kDigits; ++digit)
      ofVector.push_back(sums[digit * kVectors + vector]);
    ofBlock.push_back(mergeDigits(ofVector));
  }
  if (!product.partDim)
    ofBlock = orderColumns(b, loc, ofBlock);
  return scaleColumns(block, /*row=*/0, ofBlock, values);
}

/// Returns the number of the first four bytes of each digit at `ivs` in their
/// block.
Value LoopEmitter::getPlaceInBlock() {
  const ColumnDigits &product = *plan.columnDigits;
  AffineExpr place = b.getAffineDimExpr(0) - b.getAffineDimExpr(1);
  place = product.partDim ? place * 2 : place.floorDiv(product.getStep());
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(2, 0, place),
          {OpFoldResult(ivs[product.streamDim]),
           OpFoldResult(streamBlock->first)}));
}

/// Does the same for all rows, which have the same codes. `block` is the number
/// of the block of the first row among those of a row. The accumulators of the
/// first row come first.
SmallVector<Value> LoopEmitter::addColumnDigitsOfRows(Value block,
                                                      ValueRange values) {
  const ColumnDigits &product = *plan.columnDigits;
  int64_t vectors = plan.vectors;
  Values blocks;
  Value first = arith::MulIOp::create(b, loc, block, getIndex(product.rows));
  for (int64_t row = 0; row < product.rows; ++row)
    blocks.push_back(arith::AddIOp::create(b, loc, first, getIndex(row)));
  Values sums =
      product.partDim ? sumRowsOfWords(blocks) : sumRowsOfBytes(blocks);
  ivs[product.streamDim] = streamBlock->first;
  Values results;
  for (auto [row, ofRow] : llvm::enumerate(blocks))
    llvm::append_range(
        results, scaleColumns(ofRow, row,
                              ArrayRef(sums).slice(row * vectors, vectors),
                              values.slice(row * vectors, vectors)));
  return results;
}

/// Returns the sums of the rows, whose blocks are `blocks`, over the words of
/// their block of the columns at `ivs`.
SmallVector<Value> LoopEmitter::sumRowsOfWords(ArrayRef<Value> blocks) {
  const ColumnDigits &product = *plan.columnDigits;
  auto [from, to] = *streamBlock;
  Values sums;
  for (Value block : blocks)
    llvm::append_range(sums, loadStarts(block, /*vectors=*/1));
  sums = emitLoop(
      product.streamDim, from, to, /*step=*/1, sums, [&](ValueRange args) {
        prefetchStrip();
        Values codes = loadCodesOfColumns().front();
        Value place = getPlaceInBlock();
        Values results(args);
        for (auto [part, ofPart] : llvm::enumerate(codes)) {
          Value at = arith::AddIOp::create(b, loc, place, getIndex(part));
          for (auto [row, block] : llvm::enumerate(blocks))
            addFours(block, at, ofPart,
                     MutableArrayRef(results).slice(row * kDigits, kDigits));
        }
        return results;
      });
  Values results;
  for (size_t row = 0; row < blocks.size(); ++row)
    results.push_back(
        mergeDigits(ArrayRef(sums).slice(row * kDigits, kDigits)));
  return results;
}

/// Does the same for bytes. They are interleaved to a panel, which all rows
/// read, vector by vector.
SmallVector<Value> LoopEmitter::sumRowsOfBytes(ArrayRef<Value> blocks) {
  const ColumnDigits &product = *plan.columnDigits;
  auto ints = VectorType::get({kLanes}, b.getI32Type()),
       floats = VectorType::get({kLanes}, b.getF32Type()),
       bytes = VectorType::get({kBytes}, b.getI8Type());
  auto [from, to] = *streamBlock;
  int64_t fours = product.block / product.getStep(), rows = blocks.size();
  if (!wordPanel) {
    wordPanel = createVectors({fours, kVectors, kLanes}, b.getI32Type());
    columnSums = createVectors({rows, kVectors, kLanes}, b.getF32Type());
  }
  Value zero = getIndex(0);
  emitLoop(product.streamDim, from, to, product.getStep(), {}, [&](ValueRange) {
    SmallVector<Values> codes = loadCodesOfColumns();
    Value place = getPlaceInBlock();
    for (auto [vector, ofVector] : llvm::enumerate(codes))
      vector::StoreOp::create(
          b, loc, vector::BitCastOp::create(b, loc, ints, ofVector.front()),
          wordPanel, ValueRange{place, getIndex(vector), zero});
    return Values();
  });
  emitRange(zero, getIndex(kVectors), {}, [&](Value vector, ValueRange) {
    Values sums;
    for (Value block : blocks)
      llvm::append_range(sums, loadStarts(block, /*vectors=*/1));
    sums = emitRange(
        zero, getIndex(fours), sums, [&](Value four, ValueRange args) {
          Values results(args);
          Value codes = vector::BitCastOp::create(
              b, loc, bytes,
              vector::LoadOp::create(b, loc, ints, wordPanel,
                                     ValueRange{four, vector, zero}));
          for (auto [row, block] : llvm::enumerate(blocks))
            addFours(block, four, codes,
                     MutableArrayRef(results).slice(row * kDigits, kDigits));
          return results;
        });
    for (int64_t row = 0; row < rows; ++row)
      vector::StoreOp::create(
          b, loc, mergeDigits(ArrayRef(sums).slice(row * kDigits, kDigits)),
          columnSums, ValueRange{getIndex(row), vector, zero});
    return Values();
  });
  Values results;
  for (int64_t row = 0; row < rows; ++row) {
    Values ofRow;
    for (int64_t vector = 0; vector < kVectors; ++vector)
      ofRow.push_back(vector::LoadOp::create(
          b, loc, floats, columnSums,
          ValueRange{getIndex(row), getIndex(vector), zero}));
    llvm::append_range(results, orderColumns(b, loc, ofRow));
  }
  return results;
}

/// Returns a buffer of vectors in the frame of the function.
Value LoopEmitter::createVectors(ArrayRef<int64_t> shape, Type element) {
  OpBuilder::InsertionGuard guard(b);
  Operation *scope =
      op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  b.setInsertionPointToStart(&scope->getRegion(0).front());
  return memref::AllocaOp::create(b, loc, MemRefType::get(shape, element),
                                  b.getI64IntegerAttr(CPUTarget::kLineBytes));
}
