//===- RowsOfDigits.cpp - Several rows times integers, digit by digit -----===//
//
// The digits of DigitProduct.cpp for a few rows, and integers that follow each
// other along the sum. With lanes along the sum, each row would shift,
// convert and scale what it sums of each vector: ten instructions for
// six products. So the words of 64 bytes of sixteen columns are transposed, by
// four shuffles for each vector, which all rows share. Lanes are then columns,
// and the words of a vector follow each other:
//
//   columns    c0: w0 w1 .. w15            w0: c0 c1 .. c15
//              c1: w0 w1 .. w15    ->      w1: c0 c1 .. c15
//              ..                          ..
//
// One instruction multiplies four integers of sixteen columns by four bytes of
// a row, its digits. There is one sum for each row and digit, which lasts for
// the words that share a unit. It starts from the offset of the codes times the
// sum of the digits. Then it becomes a float:
//
//   unit scale (2^16 sum d2[k] c[k] + 2^8 sum d1[k] c[k] + sum d0[k] c[k])
//
// A few vectors are transposed to a buffer, and then multiplied. If both were
// done vector by vector, the products would fill the queue of the processor,
// and the shuffles of the next vector would wait for the last of them.
//
//===----------------------------------------------------------------------===//

#include "DigitProduct.h"

#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr int64_t kDigits = 3, kLanes = 16, kBytes = 64;

/// The most vectors of each column that are in the buffer, which is a part of
/// the first cache.
static constexpr int64_t kVectorsInPanel = 8;

/// Copies the digits of the vector number `vector` of the row at `ivs`. Those
/// of a word lie side by side for all rows, in the order in which they are
/// read.
void LoopEmitter::copyDigitsByWords(Value vector) {
  const DigitProduct &product = *plan.digits;
  Value first = arith::MulIOp::create(b, loc, vector, getIndex(kLanes));
  emitRange(getIndex(0), getIndex(kLanes), {}, [&](Value lane, ValueRange) {
    Value word = arith::AddIOp::create(b, loc, first, lane);
    for (int64_t part = 0; part < product.getParts(); ++part)
      for (int64_t digit = 0; digit < kDigits; ++digit) {
        Value four = memref::LoadOp::create(
            b, loc, rowDigits,
            ValueRange{getIndex(0), getIndex(digit), getIndex(part), lane});
        memref::StoreOp::create(b, loc, four, wordDigits,
                                ValueRange{word, ivs[*product.rowDim],
                                           getIndex(part), getIndex(digit)});
      }
    return Values();
  });
}

/// Stores where the sums of each digit start, for the units of the vector
/// `vector` of the row.
void LoopEmitter::storeStartsOfUnits(Value vector) {
  const DigitProduct &product = *plan.digits;
  auto ints = VectorType::get({kLanes}, b.getI32Type()),
       bytes = VectorType::get({kBytes}, b.getI8Type());
  Value codes = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          bytes, APInt(8, std::abs(product.offset), /*isSigned=*/false)));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(ints));
  Value firstUnit =
      arith::MulIOp::create(b, loc, vector, getIndex(product.getUnits()));
  for (int64_t digit = 0; digit < kDigits; ++digit) {
    Value sum = zero;
    for (int64_t part = 0; part < product.getParts(); ++part) {
      Value row =
          vector::LoadOp::create(b, loc, ints, rowDigits,
                                 ValueRange{getIndex(0), getIndex(digit),
                                            getIndex(part), getIndex(0)});
      sum = buildByteDot(b, loc, StepDot::MixedBytes, sum, codes,
                         vector::BitCastOp::create(b, loc, bytes, row));
    }
    if (product.offset < 0)
      sum = arith::SubIOp::create(b, loc, zero, sum);
    for (int64_t unit = 0; unit < product.getUnits(); ++unit) {
      Value lanes = vector::ExtractStridedSliceOp::create(
          b, loc, sum, ArrayRef<int64_t>{unit * product.unitLanes},
          ArrayRef<int64_t>{product.unitLanes}, ArrayRef<int64_t>{1});
      memref::StoreOp::create(
          b, loc,
          vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD,
                                      lanes),
          rowStarts,
          ValueRange{arith::AddIOp::create(b, loc, firstUnit, getIndex(unit)),
                     getIndex(digit)});
    }
  }
}

/// Writes the words of the vectors from number `from` to `to` of `count`
/// columns to the panel, with columns as lanes. Lanes behind the last column
/// repeat it.
void LoopEmitter::transposeColumns(Value from, Value to, int64_t count) {
  const DigitProduct &product = *plan.digits;
  auto words = VectorType::get({kLanes}, b.getI32Type());
  emitRange(from, to, {}, [&](Value vector, ValueRange) {
    RegisterTile tile = getTileOfVector(vector);
    Values columns;
    for (int64_t column = 0; column < kLanes; ++column) {
      TilePoint point{0, 0, std::min(column, count - 1)};
      if (product.fourBits) {
        columns.push_back(tile.loadWords(*plan.streamed, point));
        continue;
      }
      Value bytes = tile.load(*plan.streamed, point);
      if (product.invertsBytes)
        bytes = arith::XOrIOp::create(b, loc, bytes, getHighestBits(kBytes));
      columns.push_back(vector::BitCastOp::create(b, loc, words, bytes));
    }
    transposeVectors(b, loc, columns, plan.shape.shuffleBits / 32);
    Value place = arith::SubIOp::create(b, loc, vector, from);
    for (auto [lane, word] : llvm::enumerate(columns))
      vector::StoreOp::create(b, loc, word, wordPanel,
                              ValueRange{place, getIndex(lane), getIndex(0)});
    return Values();
  });
}

/// Returns a tile of the columns at `ivs` at their vector number `vector`.
RegisterTile LoopEmitter::getTileOfVector(Value vector, Value column) {
  const DigitProduct &product = *plan.digits;
  unsigned laneDim = plan.shape.laneDim;
  Value inLoop = getIndex(*getConstantIntValue(sizes[laneDim]) / product.width);
  Values at(ivs);
  if (product.loopDim)
    at[*product.loopDim] = arith::DivUIOp::create(b, loc, vector, inLoop);
  at[laneDim] = arith::MulIOp::create(
      b, loc, arith::RemUIOp::create(b, loc, vector, inLoop),
      getIndex(product.width));
  if (column)
    at[*product.columnDim] =
        arith::AddIOp::create(b, loc, at[*product.columnDim], column);
  RegisterTileShape shape = plan.shape;
  shape.lanes = product.width;
  return RegisterTile(b, op, shape, at);
}

/// Returns the codes of `words`, of bytes or of the lower and the upper halves
/// of bytes.
SmallVector<Value> LoopEmitter::getCodesOfWords(Value words) {
  auto bytes = VectorType::get({kBytes}, b.getI8Type());
  auto splat = [&](int8_t value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(bytes, value));
  };
  Value codes = vector::BitCastOp::create(b, loc, bytes, words);
  if (!plan.digits->fourBits)
    return {codes};
  return {arith::AndIOp::create(b, loc, codes, splat(15)),
          arith::ShRUIOp::create(b, loc, codes, splat(4))};
}

/// Returns the sums of all digits of unit `unit` of the vector `number`, whose
/// words are in the panel at `place`, for all rows, which have the numbers
/// `vectors`: those of the first row come first.
SmallVector<Value> LoopEmitter::sumUnit(ArrayRef<Value> vectors, Value number,
                                        Value place, Value unit) {
  const DigitProduct &product = *plan.digits;
  auto ints = VectorType::get({kLanes}, b.getI32Type()),
       bytes = VectorType::get({kBytes}, b.getI8Type());
  Values sums;
  for (Value vector : vectors)
    for (int64_t digit = 0; digit < kDigits; ++digit) {
      Value start = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
      if (rowStarts)
        start = memref::LoadOp::create(
            b, loc, rowStarts,
            ValueRange{getUnitOfRow(vector, unit), getIndex(digit)});
      sums.push_back(vector::BroadcastOp::create(b, loc, ints, start));
    }
  Value first =
            arith::MulIOp::create(b, loc, unit, getIndex(product.unitLanes)),
        end = arith::AddIOp::create(b, loc, first, getIndex(product.unitLanes));
  return emitRange(first, end, sums, [&](Value lane, ValueRange args) {
    Values results(args);
    // A line of the next columns for each word. Sixteen columns may share a set
    // of the first cache, so that it goes to the second one.
    if (!isInCache && !viewsAhead)
      getTileOfVector(number, lane)
          .prefetch(*plan.streamed, {}, *product.columnDim, kColumnsOfRows, {},
                    /*size=*/0, /*first=*/{}, /*isFar=*/true);
    Value words = vector::LoadOp::create(b, loc, ints, wordPanel,
                                         ValueRange{place, lane, getIndex(0)});
    Value word = arith::AddIOp::create(
        b, loc, arith::MulIOp::create(b, loc, number, getIndex(kLanes)), lane);
    for (auto [part, codes] : llvm::enumerate(getCodesOfWords(words)))
      for (int64_t row = 0; row < product.rows; ++row)
        for (int64_t digit = 0; digit < kDigits; ++digit) {
          Value four = memref::LoadOp::create(
              b, loc, wordDigits,
              ValueRange{word, getIndex(row), getIndex(part), getIndex(digit)});
          Value &sum = results[row * kDigits + digit];
          sum = buildByteDot(
              b, loc, StepDot::MixedBytes, sum, codes,
              vector::BitCastOp::create(
                  b, loc, bytes,
                  vector::BroadcastOp::create(b, loc, ints, four)));
        }
    return results;
  });
}

/// Returns the number of unit `unit` of the vector `vector`.
Value LoopEmitter::getUnitOfRow(Value vector, Value unit) {
  return arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(b, loc, vector, getIndex(plan.digits->getUnits())),
      unit);
}

/// Adds the products of all rows with the vector number `vector`, whose words
/// are in the panel at `place`, to the output.
void LoopEmitter::addRowsOfDigits(Value vector, Value place, Value mask) {
  const DigitProduct &product = *plan.digits;
  auto floats = VectorType::get({kLanes}, b.getF32Type());
  Value base = arith::MulIOp::create(b, loc, vector, getIndex(product.rows));
  Values vectors;
  for (int64_t row = 0; row < product.rows; ++row)
    vectors.push_back(arith::AddIOp::create(b, loc, base, getIndex(row)));
  Value scale =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(floats, 256.0f));
  OpOperand &output = *op.getDpsInitOperand(0);
  emitRange(getIndex(0), getIndex(product.getUnits()), {},
            [&](Value unit, ValueRange) {
              Values sums = sumUnit(vectors, vector, place, unit);
              Value factor = vector::LoadOp::create(
                  b, loc, floats, columnFactors,
                  ValueRange{getUnitOfRow(vector, unit), getIndex(0)});
              RegisterTile tile = getTileOfRows(mask);
              for (auto [row, ofRow] : llvm::enumerate(vectors)) {
                Value sum;
                for (int64_t digit = kDigits - 1; digit >= 0; --digit) {
                  Value next = arith::SIToFPOp::create(
                      b, loc, floats, sums[row * kDigits + digit]);
                  sum = sum ? vector::FMAOp::create(b, loc, sum, scale, next)
                                  .getResult()
                            : next;
                }
                Value unitOfRow = vector::BroadcastOp::create(
                    b, loc, floats,
                    memref::LoadOp::create(b, loc, rowUnits,
                                           getUnitOfRow(ofRow, unit)));
                TilePoint point{int64_t(row), 0, 0};
                tile.store(output, point,
                           vector::FMAOp::create(
                               b, loc, sum,
                               arith::MulFOp::create(b, loc, factor, unitOfRow),
                               tile.load(output, point)));
              }
              return Values();
            });
}

/// Returns a tile of the output at the columns of `ivs`.
RegisterTile LoopEmitter::getTileOfRows(Value mask) {
  const DigitProduct &product = *plan.digits;
  RegisterTileShape shape = plan.shape;
  shape.laneDim = *product.columnDim;
  shape.lanes = kLanes;
  shape.rowDim = product.rowDim;
  shape.stepDim.reset();
  Values at(ivs);
  at[*product.rowDim] = getIndex(0);
  return RegisterTile(
      b, op, shape, at, mask,
      mask ? getValueOrCreateConstantIndexOp(b, loc, sizes[shape.laneDim])
           : Value());
}

/// Adds the products of all rows with `count` columns at `ivs`.
void LoopEmitter::emitColumnsOfRows(int64_t count) {
  const DigitProduct &product = *plan.digits;
  blockSteps = count;
  prepareFactors();
  Value mask;
  if (count < kLanes)
    mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({kLanes}, b.getI1Type()), getIndex(count));
  int64_t blocks = llvm::divideCeil(product.vectors, kVectorsInPanel);
  emitRange(getIndex(0), getIndex(blocks), {}, [&](Value block, ValueRange) {
    Value from =
              arith::MulIOp::create(b, loc, block, getIndex(kVectorsInPanel)),
          to = arith::MinSIOp::create(
              b, loc,
              arith::AddIOp::create(b, loc, from, getIndex(kVectorsInPanel)),
              getIndex(product.vectors));
    transposeColumns(from, to, count);
    emitRange(from, to, {}, [&](Value vector, ValueRange) {
      addRowsOfDigits(vector, arith::SubIOp::create(b, loc, vector, from),
                      mask);
      return Values();
    });
    return Values();
  });
  blockSteps = 1;
}

/// Emits a loop from `from` to `to`, which carries `values`.
SmallVector<Value>
LoopEmitter::emitRange(Value from, Value to, ValueRange values,
                       function_ref<Values(Value, ValueRange)> body) {
  auto loop =
      scf::ForOp::create(b, loc, from, to, getIndex(1), values,
                         [&](OpBuilder &, Location, Value iv, ValueRange args) {
                           // The body shares the builder.
                           scf::YieldOp::create(b, loc, body(iv, args));
                         });
  return Values(loop.getResults());
}

void LoopEmitter::emitRowsOfDigits() {
  unsigned dim = *plan.digits->columnDim;
  {
    OpBuilder::InsertionGuard guard(b);
    Operation *scope =
        op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
    b.setInsertionPointToStart(&scope->getRegion(0).front());
    wordPanel = memref::AllocaOp::create(
        b, loc,
        MemRefType::get({kVectorsInPanel, kLanes, kLanes}, b.getI32Type()),
        b.getI64IntegerAttr(CPUTarget::kLineBytes));
  }
  int64_t columns = *getConstantIntValue(sizes[dim]),
          whole = columns / kColumnsOfRows * kColumnsOfRows;
  emitLoop(dim, b.getIndexAttr(0), b.getIndexAttr(whole), kColumnsOfRows, {},
           [&](ValueRange) {
             emitColumnsOfRows(kColumnsOfRows);
             return Values();
           });
  if (whole == columns)
    return;
  ivs[dim] = getIndex(whole);
  emitColumnsOfRows(columns - whole);
}
