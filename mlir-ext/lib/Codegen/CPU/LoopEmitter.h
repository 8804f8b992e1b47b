//===- LoopEmitter.h - Loops over register tiles ----------------*- C++ -*-===//
//
// Emits the loops of VectorizeBuffers.cpp for a plan (VectorPlan.h). Its
// prefetches are in LoopPrefetches.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_LOOPEMITTER_H
#define MLIR_EXT_LIB_CODEGEN_CPU_LOOPEMITTER_H

#include "CombineLanes.h"
#include "LoopNest.h"
#include "VectorPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <utility>

namespace mlir::linalg_ext {

class LoopEmitter : public LoopNest {
public:
  LoopEmitter(OpBuilder &b, linalg::LinalgOp op, const VectorPlan &plan,
              ArrayRef<linalg::FillOp> fillOps)
      : LoopNest(b, op), plan(plan), extremum(getExtremum(op)) {
    for (linalg::FillOp fill : fillOps)
      fills.push_back(fill ? fill.value() : Value());
  }

  void run();

private:
  void emitOuterLoops(unsigned position);
  /// Emits the loops plan.reductionDims from number `position` to `end`.
  Values
  emitReductionLoops(unsigned position, unsigned end, ValueRange carried,
                     function_ref<Values(int64_t steps, ValueRange)> body);
  Values
  emitReductionLoops(ValueRange carried,
                     function_ref<Values(int64_t steps, ValueRange)> body) {
    return emitReductionLoops(0, plan.reductionDims.size(), carried, body);
  }
  /// Emits blocks of `plan.steps` steps along shape.stepDim. Returns where they
  /// end.
  OpFoldResult emitSteps(OpFoldResult from, OpFoldResult to, Values &values,
                         function_ref<Values(int64_t steps, ValueRange)> body);

  void emitElementwise();
  void emitAccumulations();
  void emitOuterReductions(unsigned position);
  void emitStreamBlocks();
  void emitAccumulation(int64_t rows, int64_t vectors, Value mask);
  void storeSums(ArrayRef<TilePoint> points, ArrayRef<TypedAttr> zeros,
                 Value mask, ArrayRef<Value> accumulators);
  void unrollDims(function_ref<void(int64_t)> body);
  Values emitUnrolled(ArrayRef<TilePoint> points, int64_t vectors, Value mask,
                      ValueRange sums);
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  RegisterTile getPart(Value from, Value part, unsigned dim, int64_t parts,
                       int64_t width);
  /// How many iterations of shape.stepDim the next block of steps is ahead.
  int64_t getStepsAhead() const {
    return plan.shape.stepsApart > 1 ? 1 : blockSteps;
  }
  void findViewsAhead();
  void findNextTile();
  Value getFirstLine();
  void prefetchNextTile(Value first);
  void prefetchInputs();
  void prefetchCopied(int64_t steps);
  Value getFirstOfBlock(int64_t distance);
  void prefetch(RegisterTile &tile, TilePoint point);
  int64_t getStreamedBits();
  void prefetchTransposed(int64_t i);
  void prefetchStream(RegisterTile &tile, int64_t vectors, int64_t steps);
  bool prefetchShare(int64_t rows);
  bool prefetchSpread(int64_t rows, int64_t lanes);
  bool prefetchLines();
  void prefetchScales();
  void prefetchRepeated();
  void prefetchSteps(RegisterTile &tile, int64_t lanes);
  void keepApart();
  Values emitDots(RegisterTile &tile, ArrayRef<TilePoint> points,
                  int64_t vectors, ValueRange sums);
  void addLanes(ArrayRef<TilePoint> points, ArrayRef<IRMapping> uniform,
                Value mask, MutableArrayRef<Value> values);
  void addVector(ArrayRef<TilePoint> points,
                 ArrayRef<SmallVector<IRMapping>> uniform, Value mask,
                 MutableArrayRef<Value> values);
  void addScaledLanes(ArrayRef<TilePoint> points,
                      ArrayRef<SmallVector<IRMapping>> uniform,
                      function_ref<void(function_ref<void(int64_t)>)> unroll,
                      MutableArrayRef<Value> values);
  void multiplyByFactor(ArrayRef<TilePoint> points, ArrayRef<IRMapping> uniform,
                        ArrayRef<Value> sums, MutableArrayRef<Value> values);
  void moveToFourBits(int64_t byte, bool isLow);
  void prepareRowOfFourBits();
  void addFourBitProducts(ArrayRef<TilePoint> points,
                          ArrayRef<SmallVector<IRMapping>> uniform,
                          MutableArrayRef<Value> values);
  /// Returns the number of the vector at `ivs` along the sum, and its number
  /// among those of all rows.
  Value getVector();
  Value getVectorOfRow();
  Value multiplyDigits(Value vector, ArrayRef<Value> codes, Value sum);
  Values loadRowForDigits();
  void storeDigits(Value vector, Values integers);
  void prepareVectorOfDigits();
  /// Allocates a buffer, and frees it behind `place`.
  Value allocateUntil(Operation *place, ArrayRef<int64_t> shape, Type element);
  void prepareRowOfDigits();
  Value getViewForFactors(OpOperand &operand, AffineMap &map);
  void prepareFactors();
  Values emitVectorsOfUnits(
      ValueRange carried,
      function_ref<Values(Value unit, Value mask, ValueRange)> body);
  Value loadUnits(Value buffer, ValueRange at, Value mask);
  Values addRests(ArrayRef<TilePoint> points, ValueRange accumulators);
  /// Returns a tile of the op that adds zero points, for the current columns
  /// and the groups from `unit` on.
  RegisterTile getTileOfOffsets(Value unit, Value mask);
  /// Writes the sums of the row over units, divided by these.
  void prepareOffsets();
  /// Returns the zero points of `tile` at `point` times `sums`, plus `rest`,
  /// which may be null.
  Value getOffset(RegisterTile &tile, TilePoint point, Value sums, Value rest);
  /// Prefetches the zero points of the next columns.
  void prefetchOffsets();
  void addDigitProducts(ArrayRef<TilePoint> points,
                        MutableArrayRef<Value> values);
  void copyDigitsByWords(Value vector);
  void storeStartsOfUnits(Value vector);
  void transposeColumns(Value from, Value to, int64_t count);
  Values getCodesOfWords(Value words);
  RegisterTile getTileOfVector(Value vector, Value column = {});
  Values sumUnit(ArrayRef<Value> vectors, Value number, Value place,
                 Value unit);
  Value getUnitOfRow(Value vector, Value unit);
  void addRowsOfDigits(Value vector, Value place, Value mask);
  RegisterTile getTileOfRows(Value mask);
  void emitColumnsOfRows(int64_t count);
  Values emitRange(Value from, Value to, ValueRange values,
                   function_ref<Values(Value, ValueRange)> body);
  void emitRowsOfDigits();
  void prepareRowForColumns();
  Value getPlaceInRow(int64_t size);
  void prefetchStrip();
  SmallVector<Values> loadCodesOfColumns();
  Values addColumnDigits(ValueRange values);
  Values addColumnDigitsOfRows(Value block, ValueRange values);
  Values sumRowsOfWords(ArrayRef<Value> blocks);
  Values sumRowsOfBytes(ArrayRef<Value> blocks);
  Value getPlaceInBlock();
  void addFours(Value block, Value at, Value codes,
                MutableArrayRef<Value> sums);
  Values loadStarts(Value block, int64_t vectors);
  Value mergeDigits(ArrayRef<Value> sums);
  Values scaleColumns(Value block, int64_t row, ArrayRef<Value> sums,
                      ValueRange values);
  Value createVectors(ArrayRef<int64_t> shape, Type element);
  Value multiplyBytes(Value sum, Value streamed, Value row);
  /// Returns a vector of `lanes` bytes with only the highest bit each.
  Value getHighestBits(int64_t lanes);
  Value createBuffer(int64_t size, Type element);
  Value getPlaceInPanel(int64_t row);
  void prepareRowsOfBytes();
  void emitLaneReduction(int64_t rows);
  Values emitLaneDots(ArrayRef<TilePoint> points, int64_t rows, bool isShared,
                      ValueRange sums);
  void storeTogether(ArrayRef<TilePoint> points, ArrayRef<Value> accumulators);

  /// Adds a second accumulator for each one of an extremum. The first ones
  /// ignore NaN. The second ones are -0.0, or NaN if a term was NaN.
  void addNaNTests(Values &accumulators);
  /// Combines `terms` with `accumulator`, and updates `test`, which finds NaN
  /// among the terms.
  void combineExtremum(Value &accumulator, Value &test, ArrayRef<Value> terms);
  /// Returns the accumulators without the tests that addNaNTests added: each
  /// one is combined with its test.
  Values resolveNaNTests(ValueRange accumulators);

  RegisterTile makeTile(Value mask = {}) {
    return RegisterTile(b, op, plan.shape, ivs, mask,
                        mask ? getValueOrCreateConstantIndexOp(
                                   b, loc, sizes[plan.shape.laneDim])
                             : Value());
  }

  const VectorPlan &plan;
  std::optional<Extremum> extremum;
  /// For each output, the value that it is filled with before the op, or null.
  SmallVector<Value> fills;
  /// The number of steps of the current tile along a parallel
  /// plan.shape.stepDim.
  int64_t blockSteps = 1;
  /// The views of the streamed operand that follow the current one, with the
  /// size of each along plan.streamDim. Empty if what follows lies behind the
  /// operand in memory.
  ViewsAhead viewsAhead;
  /// Whether the streamed operand is in the first cache, so that it needs no
  /// prefetches.
  bool isInCache = false;
  /// The loop before the op that copied the streamed operand row by row, and
  /// what one iteration copied. Null if there is no such loop.
  scf::ForOp copyLoop;
  Value copiedRow;
  int64_t viewSize = 0;
  /// What the next iteration of the loops around reads of the operand along the
  /// lanes, or reads to copy it there. Null if it is not prefetched.
  Value nextTile;
  /// The lines of `nextTile` along each dimension, and how many are prefetched
  /// at a time.
  SmallVector<int64_t> nextLines;
  int64_t linesAtOnce = 0;
  /// With plan.invertsStream: a buffer of what the sums of each row start from,
  /// lane by lane.
  Value rowSums;
  /// With plan.digits: for each vector of the row, three digits of the elements
  /// for each part of a byte, the units of these, where sums start for codes
  /// without a sign, and what the starts lack; and for each of the current
  /// columns its factors times the units. With several rows: where the sums of
  /// each digit start for each unit, and for each unit the factors of the
  /// current columns. With plan.columnDigits: for each block the digits of its
  /// elements, the unit, and where the sums of each digit start.
  Value rowDigits, rowUnits, rowStarts, rowRests, columnFactors;
  /// With several rows: words of columns that are transposed, and for each word
  /// the digits of all rows. `rowDigits` has those of one vector.
  Value wordPanel, wordDigits;
  /// With several rows of bytes [K, N]: the interleaved bytes of a strip of
  /// columns are in `wordPanel`, and the sums of each row here.
  Value columnSums;
  /// With zero points beside digits: for each unit the sum of the row, divided
  /// by the unit.
  Value rowSumsOfUnits;
  /// A copy of the rows of bytes, and how many rows it has; null if they are
  /// read in place.
  Value rowPanel;
  int64_t panelRows = 0;
  /// The range of plan.streamDim that is computed strip by strip.
  std::optional<std::pair<Value, Value>> streamBlock;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_LOOPEMITTER_H
