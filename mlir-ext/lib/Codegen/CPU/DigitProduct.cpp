//===- DigitProduct.cpp - Rows times integers, digit by digit -------------===//
//
// A vector of f32 holds 16 integers, one of bytes 64. So elements of the row
// become integers of 24 bits and a common unit, which is a power of two. They
// have three digits of 8 bits with a sign. For codes c of 4 or 8 bits,
//
//   sum_k x[k] c[k] = unit (256 (256 sum d2[k] c[k] + sum d1[k] c[k])
//                           + sum d0[k] c[k])
//
// One instruction sums four products of bytes for each lane of 32 bits. The sum
// of a lane is exact. It is converted once, and multiplied by the unit and by
// what the scales of the columns are there. These products are computed for a
// few columns at a time.
//
// Codes have no sign. If the integers are c + offset, `offset` times the sum of
// the row is added. This is an integer, too. Sums start from its upper 16 bits,
// which the digits shift to their place. The lower ones, summed for each unit,
// are multiplied by the same factors, in f32. So integers that are all 0 have a
// sum of a few units times their scale.
//
// With the largest element of what shares a unit in [2^e, 2^(e+1)), the unit is
// at most 2^(e-22+1), and each element is rounded by at most half of it.
// Elements of 16 bits are exact if they are in a range of 2^11.
//
//===----------------------------------------------------------------------===//

#include "DigitProduct.h"

#include "LoopEmitter.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr int64_t kDigits = 3, kLanes = 16, kBytes = 64;

/// The bits by which a sum is shifted from its first digit to the last one.
static constexpr int32_t kStartBits = 8 * (kDigits - 1);

/// The largest magnitude of integers of 8 bits, and of those of 4 bits.
static constexpr int64_t kMostInteger = 128, kMostOfFourBits = 16;

/// The fewest columns for which it pays to prepare the row, if this is not done
/// in front of a loop.
static constexpr int64_t kLeastColumns = 128;

/// The most rows. More rows share weights that are dequantized.
static constexpr int64_t kMostRows = 8;

/// The fewest rows of bytes. Two rows convert bytes to floats as fast as they
/// are transposed.
static constexpr int64_t kLeastRowsOfBytes = 3;

/// The most bytes of a buffer of units and scales for each column.
static constexpr int64_t kMostFactorBytes = 4096;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

std::optional<LinearBytes>
mlir::linalg_ext::findLinearBytes(linalg::LinalgOp op, Value number,
                                  BlockArgument arg) {
  double numbers[256];
  for (int64_t code = 0; code < 256; ++code) {
    std::optional<double> value = evaluateCode(op, number, arg, code, {});
    if (!value)
      return std::nullopt;
    numbers[code] = *value;
  }
  LinearBytes result;
  result.scale = numbers[1] - numbers[0];
  result.isInverted = numbers[128] - numbers[0] == -128 * result.scale;
  double offset = numbers[0] / result.scale;
  if (!std::isfinite(result.scale) || result.scale == 0 ||
      std::rint(offset) != offset || std::fabs(offset) > kMostInteger)
    return std::nullopt;
  result.offset = int64_t(offset) - (result.isInverted ? 128 : 0);
  for (int64_t code = 0; code < 256; ++code) {
    int64_t integer = (result.isInverted ? code ^ 128 : code) + result.offset;
    if (std::abs(integer) > kMostInteger ||
        numbers[code] != result.scale * integer)
      return std::nullopt;
  }
  return result;
}

/// Finds the factors of a sum of products with the bytes `streamed`.
static bool findFactors(linalg::LinalgOp op, OpOperand &streamed,
                        unsigned laneDim, DigitProduct &product) {
  BlockArgument byte = op.getMatchingBlockArgument(&streamed);
  Value number;
  std::optional<SmallVector<Value>> leaves = getFactorsOfSum(op);
  if (!leaves)
    return false;
  for (Value factor : *leaves) {
    if (getPayloadSlice(op, factor).contains(byte)) {
      if (number || !factor.hasOneUse())
        return false;
      number = factor;
      continue;
    }
    OpOperand *operand = getOperandOfFactor(op, factor);
    if (operand &&
        getLaneAccess(op, *operand, laneDim) == LaneAccess::Contiguous) {
      if (product.row)
        return false;
      product.row = operand;
      continue;
    }
    product.factors.push_back(factor);
  }
  if (!number || !product.row)
    return false;
  std::optional<LinearBytes> bytes = findLinearBytes(op, number, byte);
  if (!bytes)
    return false;
  product.scale = bytes->scale;
  product.offset = bytes->offset;
  product.invertsBytes = bytes->isInverted;
  return true;
}

/// Whether the factors of `product` change along the lanes only from unit to
/// unit, so that they can be computed in front of the loops. Sets how many
/// lanes have one.
static bool findUnits(linalg::LinalgOp op, unsigned laneDim,
                      DigitProduct &product) {
  int64_t perLane = product.width / kLanes;
  product.unitLanes = kLanes;
  SmallVector<unsigned> inner{laneDim};
  if (product.loopDim)
    inner.push_back(*product.loopDim);
  for (Value factor : product.factors)
    for (Value value : getPayloadSlice(op, factor)) {
      auto arg = dyn_cast<BlockArgument>(value);
      if (Operation *inner = value.getDefiningOp();
          inner && inner->getBlock() == op.getBlock() &&
          (isa<linalg::IndexOp>(inner) || !isPure(inner)))
        return false;
      if (!arg || arg.getOwner() != op.getBlock())
        continue;
      OpOperand &operand = op->getOpOperand(arg.getArgNumber());
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!op.isDpsInput(&operand))
        return false;
      if (!type)
        continue;
      for (auto [expr, size] :
           llvm::zip_equal(map.getResults(), type.getShape())) {
        bool isInner = false, isOuter = false;
        for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
          if (expr.isFunctionOfDim(dim))
            (llvm::is_contained(inner, dim) ? isInner : isOuter) = true;
        // The columns of a block have a view, so each has an element of its
        // own, or all have one.
        if ((isInner && (isOuter || ShapedType::isDynamic(size))) ||
            (isOuter && !isa<AffineDimExpr>(expr)))
          return false;
      }
      if (!map.isFunctionOfDim(laneDim))
        continue;
      std::optional<int64_t> times = getRepetitions(op, operand, laneDim);
      if (!times || *times < perLane)
        return false;
      product.unitLanes = std::min(product.unitLanes, *times / perLane);
    }
  return true;
}

/// Finds the rows along `rowDim`, and the columns if there are several rows.
/// Returns false if `streamed` has no columns that can be lanes.
static bool findRows(linalg::LinalgOp op, OpOperand &streamed,
                     std::optional<unsigned> rowDim, DigitProduct &product) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!rowDim || ranges[*rowDim] == 1)
    return true;
  product.rowDim = rowDim;
  product.rows = ranges[*rowDim];
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
            bytes = op.getMatchingIndexingMap(&streamed);
  if (ShapedType::isDynamic(product.rows) || product.rows > kMostRows ||
      (!product.fourBits && product.rows < kLeastRowsOfBytes) ||
      !result.isProjectedPermutation() || result.getNumResults() == 0)
    return false;
  unsigned column = result.getDimPosition(result.getNumResults() - 1);
  product.columnDim = column;
  if (column == *rowDim || !result.isFunctionOfDim(*rowDim) ||
      ShapedType::isDynamic(ranges[column]) || ranges[column] < kLeastColumns ||
      !bytes.getResultPosition(getAffineDimExpr(column, op.getContext())) ||
      getLaneAccess(op, *op.getDpsInitOperand(0), column) !=
          LaneAccess::Contiguous)
    return false;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && dim != column &&
        dim != *rowDim && ranges[dim] != 1)
      return false;
  // All rows have the same factors.
  for (Value factor : product.factors)
    for (Value value : getPayloadSlice(op, factor))
      if (auto arg = dyn_cast<BlockArgument>(value);
          arg && arg.getOwner() == op.getBlock() &&
          op.getMatchingIndexingMap(&op->getOpOperand(arg.getArgNumber()))
              .isFunctionOfDim(*rowDim))
        return false;
  return true;
}

std::optional<DigitProduct> mlir::linalg_ext::matchDigitProduct(
    linalg::LinalgOp op, OpOperand &streamed,
    const std::optional<FourBitProduct> &fourBits, unsigned laneDim,
    std::optional<unsigned> rowDim, ArrayRef<unsigned> loops) {
  DigitProduct result;
  result.width = fourBits ? kLanes : kBytes;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (loops.size() > 1 || ShapedType::isDynamic(ranges[laneDim]) ||
      ranges[laneDim] % result.width != 0 || op.getNumDpsInits() != 1 ||
      !getElementTypeOrSelf(op.getDpsInits().front()).isF32() ||
      !getElementTypeOrSelf(streamed.get()).isSignlessInteger(8))
    return std::nullopt;
  int64_t range = 1;
  if (!loops.empty()) {
    result.loopDim = loops.front();
    range = ranges[loops.front()];
  }
  if (ShapedType::isDynamic(range))
    return std::nullopt;
  result.vectors = range * (ranges[laneDim] / result.width);
  if (fourBits) {
    result.fourBits = fourBits;
    result.row = fourBits->row;
    result.factors = fourBits->others;
    result.scale = fourBits->scale;
    double offset = fourBits->offset / fourBits->scale;
    if (std::rint(offset) != offset || std::fabs(offset) > kMostOfFourBits ||
        offset * fourBits->scale != fourBits->offset)
      return std::nullopt;
    result.offset = int64_t(offset);
  } else if (getLaneAccess(op, streamed, laneDim) != LaneAccess::Contiguous ||
             !findFactors(op, streamed, laneDim, result)) {
    return std::nullopt;
  }
  if (!findUnits(op, laneDim, result) ||
      !findRows(op, streamed, rowDim, result) ||
      result.vectors * result.getUnits() * 4 > kMostFactorBytes ||
      result.vectors * kBytes * kDigits * result.getParts() >
          CPUTarget::kPanelBytesOfIntegers)
    return std::nullopt;
  int64_t columns = 1; // 0 if unknown: there may be few
  for (auto [size, iterator] :
       llvm::zip_equal(ranges, op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator))
      columns *= ShapedType::isDynamic(size) ? 0 : size;
  if (getPlaceOfCopy(op, result.row->get()) == op && columns < kLeastColumns)
    return std::nullopt;
  Type row = getElementTypeOrSelf(result.row->get());
  if (!row.isF32() && !row.isF16() && !row.isBF16())
    return std::nullopt;
  // The row has no other dimension of several iterations.
  AffineMap map = op.getMatchingIndexingMap(result.row);
  if (!map.isProjectedPermutation() ||
      (result.loopDim && !map.isFunctionOfDim(*result.loopDim)))
    return std::nullopt;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (map.isFunctionOfDim(dim) && dim != laneDim && dim != result.loopDim &&
        !(result.rows > 1 && dim == result.rowDim) &&
        !(fourBits && (dim == fourBits->byteDim || dim == fourBits->partDim)) &&
        ranges[dim] != 1)
      return std::nullopt;
  if (result.rows == 1)
    result.offsets = findGroupOffsets(op, result, laneDim);
  return result;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

namespace {
/// Builds ops on vectors of 32 bits with constants.
struct Lanes {
  OpBuilder &b;
  Location loc;
  VectorType ints = VectorType::get({kLanes}, b.getI32Type()),
             floats = VectorType::get({kLanes}, b.getF32Type());

  Value splat(int32_t value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(ints, value));
  }
  Value splat(float value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(floats, value));
  }
  template <typename Op>
  Value make(Value lhs, int32_t rhs) {
    return Op::create(b, loc, lhs, splat(rhs));
  }
  Value toBits(Value value) {
    return vector::BitCastOp::create(b, loc, ints, value);
  }
  Value toFloats(Value value) {
    return vector::BitCastOp::create(b, loc, floats, value);
  }
  Value toBytes(Value value) {
    return vector::BitCastOp::create(
        b, loc, VectorType::get({kBytes}, b.getI8Type()), value);
  }
};
} // namespace

Value LoopEmitter::getVectorOfRow() {
  const DigitProduct &product = *plan.digits;
  Value vector = getVector();
  if (product.rows == 1)
    return vector;
  return arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, vector, getIndex(product.rows)),
      ivs[*product.rowDim]);
}

Value LoopEmitter::getVector() {
  const DigitProduct &product = *plan.digits;
  int64_t inLoop =
      *getConstantIntValue(sizes[plan.shape.laneDim]) / product.width;
  AffineExpr loop = b.getAffineDimExpr(0), lane = b.getAffineDimExpr(1);
  auto get = [&](std::optional<unsigned> dim) -> OpFoldResult {
    return dim && ivs[*dim] ? OpFoldResult(ivs[*dim]) : b.getIndexAttr(0);
  };
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc,
          AffineMap::get(2, 0, loop * inLoop + lane.floorDiv(product.width)),
          {get(product.loopDim), get(plan.shape.laneDim)}));
}

/// Returns `sum` shifted by all digits but one, plus the sum of the digits of
/// the row at `vector` times the bytes `codes`, which has one vector for each
/// part.
Value LoopEmitter::multiplyDigits(Value vector, ArrayRef<Value> codes,
                                  Value sum) {
  Lanes lanes{b, loc};
  for (int64_t digit = kDigits - 1; digit >= 0; --digit) {
    if (digit + 1 < kDigits)
      sum = lanes.make<arith::ShLIOp>(sum, 8);
    for (auto [part, code] : llvm::enumerate(codes)) {
      Value row = vector::LoadOp::create(
          b, loc, lanes.ints, rowDigits,
          ValueRange{vector, getIndex(digit), getIndex(part), getIndex(0)});
      sum = buildByteDot(b, loc, StepDot::MixedBytes, sum, code,
                         lanes.toBytes(row));
    }
  }
  return sum;
}

/// Returns the elements of the row at `ivs` for each part of each byte, in
/// lanes: vector number `part` x 4 + `byte`. If integers are bytes, four
/// vectors that follow each other.
SmallVector<Value> LoopEmitter::loadRowForDigits() {
  const DigitProduct &product = *plan.digits;
  Values elements;
  auto load = [&](int64_t vector) {
    Value value = makeTile().load(*product.row, {0, vector, 0});
    auto type = VectorType::get({kLanes}, b.getF32Type());
    elements.push_back(
        value.getType() == type
            ? value
            : arith::ExtFOp::create(b, loc, type, value).getResult());
  };
  if (!product.fourBits) {
    for (int64_t vector = 0; vector < 4; ++vector)
      load(vector);
    return elements;
  }
  const FourBitProduct &words = *product.fourBits;
  for (int64_t part = 0; part < 2; ++part)
    for (int64_t byte = 0; byte < 4; ++byte) {
      ivs[words.byteDim] = getIndex(byte);
      ivs[words.partDim] =
          getIndex(part == 0 ? words.lowPart : 1 - words.lowPart);
      load(0);
    }
  return elements;
}

/// Returns `value` with each lane where that is whose number differs in `bit`.
static Value swapLanes(Lanes &lanes, Value value, int64_t bit) {
  SmallVector<int64_t> swapped;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    swapped.push_back(lane ^ bit);
  return vector::ShuffleOp::create(lanes.b, lanes.loc, value, value, swapped);
}

/// Returns the bits of the largest magnitude of `elements` in each lane, for
/// all lanes that share a unit.
static Value getLargest(Lanes &lanes, ArrayRef<Value> elements,
                        const DigitProduct &product) {
  OpBuilder &b = lanes.b;
  Location loc = lanes.loc;
  SmallVector<Value> largest;
  for (Value element : elements)
    largest.push_back(
        lanes.make<arith::AndIOp>(lanes.toBits(element), 0x7fffffff));
  auto mergeLanes = [&](Value value, int64_t bit) -> Value {
    return arith::MaxUIOp::create(b, loc, value, swapLanes(lanes, value, bit));
  };
  // The four vectors of a row of bytes follow each other, so lane i of the
  // unit has elements 4 i to 4 i + 3.
  if (!product.fourBits) {
    for (Value &value : largest)
      for (int64_t bit : {1, 2})
        value = mergeLanes(value, bit);
    SmallVector<int64_t> pairs;
    for (int64_t lane = 0; lane < 2 * kLanes; lane += 4)
      pairs.push_back(lane);
    SmallVector<int64_t> all;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      all.push_back(lane);
    Value low =
              vector::ShuffleOp::create(b, loc, largest[0], largest[1], pairs),
          high =
              vector::ShuffleOp::create(b, loc, largest[2], largest[3], pairs);
    largest = {vector::ShuffleOp::create(b, loc, low, high, all)};
  }
  Value result = largest.front();
  for (Value value : ArrayRef(largest).drop_front())
    result = arith::MaxUIOp::create(b, loc, result, value);
  for (int64_t bit = 1; bit < product.unitLanes; bit *= 2)
    result = mergeLanes(result, bit);
  return result;
}

/// Stores the digits of `integers` for the vector `vector` of the row.
void LoopEmitter::storeDigits(Value vector, Values integers) {
  Lanes lanes{b, loc};
  for (int64_t digit = 0; digit < kDigits; ++digit) {
    for (int64_t part = 0; part < plan.digits->getParts(); ++part) {
      Values bytes(integers.begin() + 4 * part,
                   integers.begin() + 4 * part + 4);
      if (!plan.digits->fourBits) {
        auto narrow = VectorType::get({kLanes}, b.getI8Type());
        for (auto [number, value] : llvm::enumerate(bytes))
          vector::StoreOp::create(
              b, loc,
              vector::BitCastOp::create(
                  b, loc, VectorType::get({kLanes / 4}, b.getI32Type()),
                  arith::TruncIOp::create(b, loc, narrow, value)),
              rowDigits,
              ValueRange{vector, getIndex(digit), getIndex(part),
                         getIndex(number * kLanes / 4)});
        continue;
      }
      Value word;
      for (auto [byte, value] : llvm::enumerate(bytes)) {
        value = lanes.make<arith::ShLIOp>(lanes.make<arith::AndIOp>(value, 255),
                                          8 * byte);
        word = word ? arith::OrIOp::create(b, loc, word, value).getResult()
                    : value;
      }
      vector::StoreOp::create(
          b, loc, word, rowDigits,
          ValueRange{vector, getIndex(digit), getIndex(part), getIndex(0)});
    }
    // What remains without the digit, which has a sign.
    for (Value &value : integers)
      value =
          lanes.make<arith::ShRSIOp>(lanes.make<arith::AddIOp>(value, 128), 8);
  }
}

/// Writes digits, units and corrections of the vector of the row at `ivs`.
void LoopEmitter::prepareVectorOfDigits() {
  const DigitProduct &product = *plan.digits;
  Lanes lanes{b, loc};
  Value vector = getVectorOfRow();
  Values elements = loadRowForDigits();
  Value largest = getLargest(lanes, elements, product);
  Value isFinite = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         largest, lanes.splat(0x7f800000));
  // A sum of eight integers up to 16, or of four up to 128, has 32 bits. The
  // largest digit has no place for what would be rounded up to a power of two.
  int32_t bits = product.fourBits ? 22 : 21;
  Value exponent = lanes.make<arith::ShRUIOp>(
      lanes.make<arith::AddIOp>(largest, 1 << 17), 23);
  exponent = arith::SubIOp::create(
      b, loc, lanes.make<arith::MaxSIOp>(exponent, bits + 1),
      lanes.splat(bits));
  Value unit = lanes.toFloats(lanes.make<arith::ShLIOp>(exponent, 23)),
        inverse = lanes.toFloats(lanes.make<arith::ShLIOp>(
            arith::SubIOp::create(b, loc, lanes.splat(254), exponent), 23));
  // Lanes of a unit, one for each lane of the elements.
  auto getUnitOf = [&](int64_t number, Value value) -> Value {
    if (product.fourBits)
      return value;
    SmallVector<int64_t> sources;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      sources.push_back((number * kLanes + lane) / 4);
    return vector::ShuffleOp::create(b, loc, value, value, sources);
  };
  Values integers;
  for (auto [number, element] : llvm::enumerate(elements)) {
    Value quotient =
        arith::MulFOp::create(b, loc, element, getUnitOf(number, inverse));
    // Half of one, with the sign of the element.
    Value half = lanes.make<arith::OrIOp>(
        lanes.make<arith::AndIOp>(lanes.toBits(element), INT32_MIN),
        0x3f000000);
    quotient = arith::AddFOp::create(b, loc, quotient, lanes.toFloats(half));
    quotient = arith::SelectOp::create(b, loc, getUnitOf(number, isFinite),
                                       quotient, lanes.splat(0.0f));
    integers.push_back(arith::FPToSIOp::create(b, loc, lanes.ints, quotient));
  }
  storeDigits(product.rows > 1 ? getIndex(0) : vector, integers);
  if (product.rows > 1)
    copyDigitsByWords(getVector());
  Value scaled = unit;
  if (product.scale != 1)
    scaled =
        arith::MulFOp::create(b, loc, unit, lanes.splat(float(product.scale)));
  scaled = arith::SelectOp::create(
      b, loc, isFinite, scaled,
      lanes.splat(std::numeric_limits<float>::quiet_NaN()));
  // Stores the first lane of each unit.
  auto storeUnits = [&](Value value, Value buffer) {
    SmallVector<int64_t> first;
    for (int64_t lane = 0; lane < kLanes; lane += product.unitLanes)
      first.push_back(lane);
    vector::StoreOp::create(
        b, loc, vector::ShuffleOp::create(b, loc, value, value, first), buffer,
        arith::MulIOp::create(b, loc, vector, getIndex(product.getUnits()))
            .getResult());
  };
  storeUnits(scaled, rowUnits);
  if (product.offset == 0)
    return;
  if (product.rows > 1)
    return storeStartsOfUnits(vector);
  auto bytes = VectorType::get({kBytes}, b.getI8Type());
  Value codes = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          bytes, APInt(8, std::abs(product.offset), /*isSigned=*/false)));
  Value sum =
      multiplyDigits(vector, Values(product.getParts(), codes), lanes.splat(0));
  if (product.offset < 0)
    sum = arith::SubIOp::create(b, loc, lanes.splat(0), sum);
  Value upper = lanes.make<arith::ShRSIOp>(
      lanes.make<arith::AddIOp>(sum, 1 << (kStartBits - 1)), kStartBits);
  vector::StoreOp::create(b, loc, upper, rowStarts,
                          ValueRange{vector, getIndex(0)});
  Value rest = arith::SubIOp::create(
      b, loc, sum, lanes.make<arith::ShLIOp>(upper, kStartBits));
  for (int64_t bit = 1; bit < product.unitLanes; bit *= 2)
    rest = arith::AddIOp::create(b, loc, rest, swapLanes(lanes, rest, bit));
  storeUnits(arith::SIToFPOp::create(b, loc, lanes.floats, rest), rowRests);
}

Value LoopEmitter::allocateUntil(Operation *place, ArrayRef<int64_t> shape,
                                 Type element) {
  // On the stack, a function of many products would overflow it.
  Value buffer =
      memref::AllocOp::create(b, loc, MemRefType::get(shape, element),
                              b.getI64IntegerAttr(CPUTarget::kLineBytes));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(place);
  memref::DeallocOp::create(b, loc, buffer);
  return buffer;
}

/// Writes the digits of the row, their units, and what makes up for codes
/// without a sign, in front of the outermost loop that only reads the row.
void LoopEmitter::prepareRowOfDigits() {
  const DigitProduct &product = *plan.digits;
  OpBuilder::InsertionGuard guard(b);
  Operation *place = getPlaceOfCopy(op, product.row->get());
  b.setInsertionPoint(place);
  int64_t vectors = product.rows * product.vectors,
          units = vectors * product.getUnits();
  bool isRow = product.rows == 1;
  rowDigits = allocateUntil(
      place, {isRow ? vectors : 1, kDigits, product.getParts(), kLanes},
      b.getI32Type());
  if (!isRow)
    wordDigits = allocateUntil(
        place,
        {product.vectors * kLanes, product.rows, product.getParts(), kDigits},
        b.getI32Type());
  rowUnits = allocateUntil(place, {units}, b.getF32Type());
  if (product.offset != 0 && !isRow) {
    rowStarts = allocateUntil(place, {units, kDigits}, b.getI32Type());
  } else if (product.offset != 0) {
    rowStarts = allocateUntil(place, {vectors, kLanes}, b.getI32Type());
    rowRests = allocateUntil(place, {units}, b.getF32Type());
  }
  auto emitLanes = [&](ValueRange) {
    unsigned laneDim = plan.shape.laneDim;
    emitLoop(laneDim, b.getIndexAttr(0), sizes[laneDim], product.width, {},
             [&](ValueRange) {
               prepareVectorOfDigits();
               return Values();
             });
    return Values();
  };
  auto emitRow = [&](ValueRange) {
    if (!product.loopDim)
      return emitLanes({});
    return emitLoop(*product.loopDim, b.getIndexAttr(0),
                    sizes[*product.loopDim], 1, {}, emitLanes);
  };
  if (product.rows > 1)
    emitLoop(*product.rowDim, b.getIndexAttr(0), sizes[*product.rowDim], 1, {},
             emitRow);
  else
    emitRow({});
  ivs.assign(ivs.size(), Value());
}

/// Returns the elements of `operand` that the factors of the current columns
/// read, as a view, and sets `map` to where it has those of (column, iteration
/// of the loop, unit).
Value LoopEmitter::getViewForFactors(OpOperand &operand, AffineMap &map) {
  const DigitProduct &product = *plan.digits;
  AffineMap original = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  MLIRContext *context = b.getContext();
  map = AffineMap::get(3, 0, {}, context);
  if (!type)
    return operand.get();
  SmallVector<AffineExpr> replacements(original.getNumDims(),
                                       b.getAffineConstantExpr(0)),
      results;
  if (product.loopDim)
    replacements[*product.loopDim] = b.getAffineDimExpr(1);
  replacements[plan.shape.laneDim] =
      b.getAffineDimExpr(2) * (product.unitLanes * (product.width / kLanes));
  SmallVector<OpFoldResult> offsets, lengths, at;
  for (Value iv : ivs)
    at.push_back(iv ? OpFoldResult(iv) : b.getIndexAttr(0));
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> strides;
  for (auto [expr, size] :
       llvm::zip_equal(original.getResults(), type.getShape())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isStep = dim && dim.getPosition() == plan.shape.stepDim,
         isInner = expr.isFunctionOfDim(plan.shape.laneDim) ||
                   (product.loopDim && expr.isFunctionOfDim(*product.loopDim));
    offsets.push_back(
        isInner
            ? b.getIndexAttr(0)
            : affine::makeComposedFoldedAffineApply(
                  b, loc, AffineMap::get(original.getNumDims(), 0, expr), at));
    int64_t length = isInner ? size : isStep ? blockSteps : 1;
    lengths.push_back(b.getIndexAttr(length));
    strides.push_back(b.getIndexAttr(isStep ? plan.shape.stepsApart : 1));
    if (!isInner && !isStep)
      continue;
    shape.push_back(length);
    results.push_back(
        isStep ? b.getAffineDimExpr(0)
               : simplifyAffineExpr(expr.replaceDims(replacements), 3, 0));
  }
  map = AffineMap::get(3, 0, results, context);
  auto viewType =
      cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
          shape, type, offsets, lengths, strides));
  return memref::SubViewOp::create(b, loc, viewType, operand.get(), offsets,
                                   lengths, strides);
}

/// Merges the last two dimensions of `view`, if `map` has iterations of the
/// loop and units there, in this order. Returns false if they are elsewhere.
static bool mergeUnits(OpBuilder &b, Location loc, Value &view, AffineMap &map,
                       int64_t units) {
  auto type = dyn_cast<MemRefType>(view.getType());
  AffineExpr loop = b.getAffineDimExpr(1), unit = b.getAffineDimExpr(2);
  unsigned rank = map.getNumResults();
  if (!type || !(map.isFunctionOfDim(1) || map.isFunctionOfDim(2)))
    return true;
  if (units == 1 && map.getResults().back() == loop)
    return true;
  if (rank < 2 || map.getResult(rank - 2) != loop ||
      map.getResult(rank - 1) != unit)
    return false;
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank - 1);
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
    return false;
  view = memref::CollapseShapeOp::create(b, loc, view, groups);
  map = map.getMajorSubMap(rank - 1);
  return true;
}

/// Yields the product of `start`, which may be null, and the factors of
/// `product`, with operands as in `mapping`.
static void yieldFactors(OpBuilder &b, linalg::LinalgOp op,
                         const DigitProduct &product, IRMapping &mapping,
                         Value start) {
  Location loc = op.getLoc();
  llvm::SetVector<Value> slice;
  for (Value factor : product.factors)
    slice.insert_range(getPayloadSlice(op, factor));
  for (Operation &inner : op.getBlock()->without_terminator())
    if (slice.contains(inner.getResult(0)))
      b.clone(inner, mapping);
  Value result = start;
  for (Value factor : product.factors) {
    Value next = mapping.lookupOrDefault(factor);
    result =
        result ? arith::MulFOp::create(b, loc, result, next).getResult() : next;
  }
  if (!result)
    result = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1.0f));
  linalg::YieldOp::create(b, loc, result);
}

/// Multiplies the units by the factors of the current columns, as an op that is
/// vectorised later. Its loop is over all units of a column, if the factors lie
/// in that order. Several rows have units of their own, and read the factors of
/// all columns for each unit.
void LoopEmitter::prepareFactors() {
  const DigitProduct &product = *plan.digits;
  int64_t units =
              product.getUnits() *
              (*getConstantIntValue(sizes[plan.shape.laneDim]) / product.width),
          loops = product.vectors * product.getUnits() / units,
          most = plan.shape.stepDim ? plan.steps : 1;
  bool ofRows = product.rows > 1;
  if (!columnFactors) {
    OpBuilder::InsertionGuard guard(b);
    Operation *scope =
        op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    b.setInsertionPointToStart(&scope->getRegion(0).front());
    columnFactors = memref::AllocaOp::create(
        b, loc,
        MemRefType::get(ofRows ? ArrayRef<int64_t>{loops * units, most}
                               : ArrayRef<int64_t>{most, loops * units},
                        b.getF32Type()),
        b.getI64IntegerAttr(CPUTarget::kLineBytes));
  }
  llvm::SetVector<Value> slice;
  for (Value factor : product.factors)
    slice.insert_range(getPayloadSlice(op, factor));
  Values inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> args;
  bool merges = true;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (BlockArgument arg = op.getMatchingBlockArgument(operand);
        slice.contains(arg)) {
      args.push_back(arg);
      inputs.push_back(getViewForFactors(*operand, maps.emplace_back()));
    }
  Values merged(inputs);
  SmallVector<AffineMap> mergedMaps(maps);
  for (auto [view, map] : llvm::zip_equal(merged, mergedMaps))
    merges = merges && mergeUnits(b, loc, view, map, units);
  AffineExpr column = b.getAffineDimExpr(0), loop = b.getAffineDimExpr(1),
             unit = b.getAffineDimExpr(2);
  Value ofUnits = rowUnits, target = columnFactors;
  if (blockSteps < most) {
    SmallVector<OpFoldResult> lengths{b.getIndexAttr(blockSteps),
                                      b.getIndexAttr(loops * units)};
    if (ofRows)
      std::swap(lengths[0], lengths[1]);
    target = memref::SubViewOp::create(
        b, loc, target, SmallVector<OpFoldResult>(2, b.getIndexAttr(0)),
        lengths, SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
  }
  SmallVector<utils::IteratorType> iterators(merges ? 2 : 3,
                                             utils::IteratorType::parallel);
  MLIRContext *context = b.getContext();
  if (merges) {
    inputs = merged;
    maps.clear();
    for (AffineMap map : mergedMaps) {
      SmallVector<AffineExpr> results;
      for (AffineExpr expr : map.getResults())
        results.push_back(expr.replaceDims({column, loop, loop}));
      maps.push_back(AffineMap::get(2, 0, results, context));
    }
    if (!ofRows)
      maps.push_back(AffineMap::get(2, 0, {loop}, context));
    maps.push_back(AffineMap::get(2, 0, {column, loop}, context));
    if (ofRows)
      maps.back() = AffineMap::get(2, 0, {loop, column}, context);
  } else if (ofRows) {
    target = memref::ExpandShapeOp::create(
        b, loc, ArrayRef<int64_t>{loops, units, blockSteps}, target,
        ArrayRef<ReassociationIndices>{{0, 1}, {2}});
    maps.push_back(AffineMap::get(3, 0, {loop, unit, column}, context));
  } else {
    ofUnits = memref::ExpandShapeOp::create(
        b, loc, ArrayRef<int64_t>{loops, units}, ofUnits,
        ArrayRef<ReassociationIndices>{{0, 1}});
    target = memref::ExpandShapeOp::create(
        b, loc, ArrayRef<int64_t>{blockSteps, loops, units}, target,
        ArrayRef<ReassociationIndices>{{0}, {1, 2}});
    maps.push_back(AffineMap::get(3, 0, {loop, unit}, context));
    maps.push_back(AffineMap::get(3, 0, {column, loop, unit}, context));
  }
  if (!ofRows)
    inputs.push_back(ofUnits);
  linalg::GenericOp::create(
      b, loc, inputs, ValueRange{target}, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange values) {
        IRMapping mapping;
        for (auto [arg, value] : llvm::zip(args, values))
          mapping.map(arg, value);
        yieldFactors(nested, op, product, mapping,
                     ofRows ? Value() : values[args.size()]);
      });
}

/// Calls `body` for each vector of units, with the number of the first one and
/// a mask if it is cut off, and values that it carries on.
SmallVector<Value> LoopEmitter::emitVectorsOfUnits(
    ValueRange carried,
    function_ref<Values(Value, Value mask, ValueRange)> body) {
  int64_t count = plan.digits->vectors * plan.digits->getUnits(),
          whole = count / kLanes * kLanes;
  Values values(carried);
  if (whole > 0) {
    auto loop = scf::ForOp::create(
        b, loc, getIndex(0), getIndex(whole), getIndex(kLanes), values,
        [&](OpBuilder &, Location, Value iv, ValueRange args) {
          // The body shares the builder.
          scf::YieldOp::create(b, loc, body(iv, Value(), args));
        });
    values.assign(loop.result_begin(), loop.result_end());
  }
  if (whole == count)
    return values;
  Value mask = vector::CreateMaskOp::create(
      b, loc, VectorType::get({kLanes}, b.getI1Type()),
      getIndex(count - whole));
  return body(getIndex(whole), mask, values);
}

/// Returns the vector of `buffer` at `at`.
Value LoopEmitter::loadUnits(Value buffer, ValueRange at, Value mask) {
  auto floats = VectorType::get({kLanes}, b.getF32Type());
  if (!mask)
    return vector::LoadOp::create(b, loc, floats, buffer, at);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(floats));
  return vector::MaskedLoadOp::create(b, loc, floats, buffer, at, mask, zero);
}

/// Adds what the starts of the sums of the row lack to the accumulators of
/// `points`, and zero points: for each unit, times the factors of the current
/// columns.
SmallVector<Value> LoopEmitter::addRests(ArrayRef<TilePoint> points,
                                         ValueRange accumulators) {
  return emitVectorsOfUnits(accumulators, [&](Value unit, Value mask,
                                              ValueRange args) {
    Value rest, sums;
    if (rowRests)
      rest = loadUnits(rowRests, unit, mask);
    std::optional<RegisterTile> tile;
    if (rowSumsOfUnits) {
      sums = loadUnits(rowSumsOfUnits, unit, mask);
      tile.emplace(getTileOfOffsets(unit, mask));
    }
    Values results;
    for (auto [point, sum] : llvm::zip_equal(points, args))
      results.push_back(vector::FMAOp::create(
          b, loc, tile ? getOffset(*tile, point, sums, rest) : rest,
          loadUnits(columnFactors, {getIndex(point.step), unit}, mask), sum));
    return results;
  });
}

/// Adds the products of the row with the codes of the vector at `ivs` to the
/// accumulators `values` of `points`.
void LoopEmitter::addDigitProducts(ArrayRef<TilePoint> points,
                                   MutableArrayRef<Value> values) {
  const DigitProduct &product = *plan.digits;
  Lanes lanes{b, loc};
  Value vector = getVectorOfRow();
  RegisterTileShape shape = plan.shape;
  shape.lanes = product.width;
  Value firstUnit =
      arith::MulIOp::create(b, loc, vector, getIndex(product.getUnits()));
  SmallVector<int64_t> sources;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    sources.push_back(lane / product.unitLanes);
  for (auto [number, point] : llvm::enumerate(points)) {
    RegisterTile tile(b, op, shape, ivs);
    Values codes;
    if (product.fourBits) {
      Value words = tile.loadWords(*plan.streamed, point);
      codes.push_back(
          lanes.toBytes(lanes.make<arith::AndIOp>(words, 0x0f0f0f0f)));
      // One instruction shifts bytes if the processor has GFNI. LLVM knows.
      auto bytes = VectorType::get({kBytes}, b.getI8Type());
      codes.push_back(arith::ShRUIOp::create(
          b, loc, lanes.toBytes(words),
          arith::ConstantOp::create(b, loc,
                                    DenseElementsAttr::get(bytes, int8_t(4)))));
    } else {
      codes.push_back(tile.load(*plan.streamed, point));
      if (product.invertsBytes)
        codes[0] =
            arith::XOrIOp::create(b, loc, codes[0], getHighestBits(kBytes));
    }
    Value start = product.offset == 0
                      ? lanes.splat(0)
                      : vector::LoadOp::create(b, loc, lanes.ints, rowStarts,
                                               ValueRange{vector, getIndex(0)})
                            .getResult();
    Value sum = multiplyDigits(vector, codes, start);
    Values at{getIndex(point.step), firstUnit};
    Value factor;
    if (product.getUnits() == 1) {
      factor = vector::BroadcastOp::create(
          b, loc, lanes.floats,
          memref::LoadOp::create(b, loc, columnFactors, at));
    } else {
      factor = vector::LoadOp::create(
          b, loc, VectorType::get({product.getUnits()}, b.getF32Type()),
          columnFactors, at);
      factor = vector::ShuffleOp::create(b, loc, factor, factor, sources);
    }
    values[number] = vector::FMAOp::create(
        b, loc, arith::SIToFPOp::create(b, loc, lanes.floats, sum), factor,
        values[number]);
  }
}
