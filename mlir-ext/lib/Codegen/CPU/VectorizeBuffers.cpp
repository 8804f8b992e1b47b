//===- VectorizeBuffers.cpp - Loops over register tiles -------------------===//
//
// Rewrites a structured op on buffers as loops over register tiles of
// one-dimensional vectors, for targets with one-dimensional vector registers.
// On buffers a tile is a view and a remainder is a mask, even if sizes are
// dynamic. Accumulators are iter_args from the start, so no pass has to hoist
// them.
//
//   1. Choose the lane dimension: a parallel dimension, or a reduction
//      dimension whose lanes are combined at the end.
//   2. Choose the register tile: rows along a parallel dimension in which an
//      operand is reused, times vectors along the lanes.
//   3. Emit loops over the other parallel dimensions, blocks of lanes, blocks
//      of rows, and reductions. Remainders of blocks use single vectors and
//      single rows, and a remainder of a vector is masked.
//
//===----------------------------------------------------------------------===//

#include "CopyOps.h"
#include "LoopEmitter.h"

#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/DebugLog.h"

#include MLIR_EXT_X86_DIALECT_HEADER

#define DEBUG_TYPE "linalg-ext-vectorize-buffers"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTVECTORIZEBUFFERSPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LoopEmitter::emitOuterLoops(unsigned position) {
  if (position < plan.outerDims.size()) {
    unsigned dim = plan.outerDims[position];
    OpFoldResult from = b.getIndexAttr(0);
    int64_t apart = plan.shape.stepsApart;
    if (plan.reducesLanes && dim == plan.shape.stepDim && apart > 1) {
      blockSteps = plan.steps;
      emitLoop(dim, from, b.getIndexAttr(apart), 1, {}, [&](ValueRange) {
        emitOuterLoops(position + 1);
        return Values();
      });
      blockSteps = 1;
      from = b.getIndexAttr(plan.steps * apart);
    } else if (plan.reducesLanes && dim == plan.shape.stepDim) {
      Values none;
      from = emitSteps(from, sizes[dim], none, [&](int64_t steps, ValueRange) {
        blockSteps = steps;
        emitOuterLoops(position + 1);
        blockSteps = 1;
        return Values();
      });
    }
    emitLoop(dim, from, sizes[dim], 1, {}, [&](ValueRange) {
      emitOuterLoops(position + 1);
      return Values();
    });
    return;
  }
  if (plan.reducesLanes) {
    bool isTogether = blockSteps > 1;
    return emitRowBlocks(
        plan.shape.rowDim, isTogether ? plan.rowsTogether : plan.rows,
        isTogether ? plan.rows % plan.rowsTogether : plan.restRows,
        [&](int64_t rows) { emitLaneReduction(rows); });
  }
  if (plan.reductionDims.empty())
    return emitElementwise();
  if (plan.streamBlock > 0)
    return emitOuterReductions(0);
  emitAccumulations();
}

/// Emits the reduction loops around the blocks of the streamed operand, such as
/// that over groups.
void LoopEmitter::emitOuterReductions(unsigned position) {
  if (position + 1 == plan.reductionDims.size())
    return emitStreamBlocks();
  unsigned dim = plan.reductionDims[position];
  emitLoop(dim, b.getIndexAttr(0), sizes[dim], 1, {}, [&](ValueRange) {
    emitOuterReductions(position + 1);
    return Values();
  });
}

void LoopEmitter::emitAccumulations() {
  emitLaneBlocks(plan.shape.laneDim, plan.shape.lanes, plan.vectors, {},
                 [&](int64_t vectors, Value mask, ValueRange) {
                   emitRowBlocks(plan.shape.rowDim, plan.rows, plan.restRows,
                                 [&](int64_t rows) {
                                   emitAccumulation(rows, vectors, mask);
                                 });
                   return Values();
                 });
}

/// Emits blocks of rows of the streamed operand. The accumulators are in memory
/// between two blocks.
void LoopEmitter::emitStreamBlocks() {
  unsigned dim = plan.streamDim;
  OpFoldResult whole = roundDown(sizes[dim], plan.streamBlock);
  auto emitBlock = [&](OpFoldResult from, OpFoldResult to) {
    streamBlock = {getValueOrCreateConstantIndexOp(b, loc, from),
                   getValueOrCreateConstantIndexOp(b, loc, to)};
    emitAccumulations();
    streamBlock.reset();
    return Values();
  };
  emitLoop(dim, b.getIndexAttr(0), whole, plan.streamBlock, {},
           [&](ValueRange) {
             return emitBlock(
                 ivs[dim], affine::makeComposedFoldedAffineApply(
                               b, loc, b.getAffineDimExpr(0) + plan.streamBlock,
                               OpFoldResult(ivs[dim])));
           });
  if (getConstantIntValue(whole) && whole == sizes[dim])
    return;
  emitBlock(whole, sizes[dim]);
}

/// Returns part number `part` of the rows of the streamed operand that begin at
/// `from`, counted in the order of memory. A row has `parts` parts of `width`
/// elements along `dim`.
RegisterTile LoopEmitter::getPart(Value from, Value part, unsigned dim,
                                  int64_t parts, int64_t width) {
  Values at(ivs);
  Value row = arith::DivUIOp::create(b, loc, part, getIndex(parts));
  if (plan.shape.stepsApart > 1)
    row = arith::MulIOp::create(b, loc, row, getIndex(plan.shape.stepsApart));
  at[plan.streamDim] = arith::AddIOp::create(b, loc, from, row);
  at[dim] = arith::MulIOp::create(
      b, loc, arith::RemUIOp::create(b, loc, part, getIndex(parts)),
      getIndex(width));
  return RegisterTile(b, op, plan.shape, at);
}

SmallVector<Value> LoopEmitter::emitReductionLoops(
    unsigned position, unsigned end, ValueRange carried,
    function_ref<Values(int64_t, ValueRange)> body) {
  // The loops around the block are there.
  if (streamBlock)
    position = std::max<unsigned>(position, plan.reductionDims.size() - 1);
  if (position >= end)
    return body(1, carried);
  unsigned dim = plan.reductionDims[position];
  OpFoldResult from = b.getIndexAttr(0), to = sizes[dim];
  Values values(carried);
  if (streamBlock)
    std::tie(from, to) = *streamBlock;
  if (dim == plan.shape.stepDim)
    from = emitSteps(from, to, values, body);
  return emitLoop(dim, from, to, 1, values, [&](ValueRange args) {
    return emitReductionLoops(position + 1, end, args, body);
  });
}

OpFoldResult
LoopEmitter::emitSteps(OpFoldResult from, OpFoldResult to, Values &values,
                       function_ref<Values(int64_t, ValueRange)> body) {
  unsigned dim = *plan.shape.stepDim;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      b, loc,
      AffineMap::get(2, 0, d0 + (d1 - d0).floorDiv(plan.steps) * plan.steps),
      {from, to});
  values = emitLoop(dim, from, blocks, plan.steps, values,
                    [&](ValueRange args) { return body(plan.steps, args); });
  return blocks;
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

// On x86, the maximum that keeps NaN takes four dependent instructions. The
// maximum that ignores NaN takes one, and a test of two terms for NaN takes two
// more.

void LoopEmitter::addNaNTests(Values &accumulators) {
  for (Value accumulator : Values(accumulators)) {
    auto type = cast<VectorType>(accumulator.getType());
    accumulators.push_back(arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(
            type,
            Attribute(b.getFloatAttr(
                type.getElementType(),
                APFloat::getZero(
                    cast<FloatType>(type.getElementType()).getFloatSemantics(),
                    /*Negative=*/true))))));
  }
}

void LoopEmitter::combineExtremum(Value &accumulator, Value &test,
                                  ArrayRef<Value> terms) {
  auto type = cast<VectorType>(accumulator.getType());
  auto element = cast<FloatType>(type.getElementType());
  Value nan = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          type, Attribute(b.getFloatAttr(
                    element, APFloat::getQNaN(element.getFloatSemantics())))));
  // The comparison is false for NaN, so the accumulator stays.
  auto predicate =
      extremum->isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  for (Value term : terms)
    accumulator = arith::SelectOp::create(
        b, loc, arith::CmpFOp::create(b, loc, predicate, term, accumulator),
        term, accumulator);
  for (size_t i = 0; i < terms.size(); i += 2) {
    Value other = terms[std::min(i + 1, terms.size() - 1)];
    Value unordered = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO,
                                            terms[i], other);
    test = arith::SelectOp::create(b, loc, unordered, nan, test);
  }
}

SmallVector<Value> LoopEmitter::resolveNaNTests(ValueRange accumulators) {
  size_t count = accumulators.size() / 2;
  Values results;
  for (size_t i = 0; i < count; ++i)
    results.push_back(arith::AddFOp::create(b, loc, accumulators[i],
                                            accumulators[count + i]));
  return results;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Emits an op without reductions. Values that are the same in all lanes or in
/// all rows are computed before the loop over these. Inputs that are strided
/// along the lanes are loaded in blocks.
void LoopEmitter::emitElementwise() {
  std::optional<unsigned> innerDim =
      plan.shape.stepDim ? plan.shape.stepDim : plan.shape.rowDim;
  IRMapping uniform;
  if (!innerDim)
    uniform = makeTile().evaluateUniform({});
  int64_t unrolled = 1;
  std::optional<unsigned> unrolledDim;
  if (!plan.unrolledDims.empty()) {
    unrolledDim = plan.unrolledDims.front();
    unrolled = *getConstantIntValue(sizes[*unrolledDim]);
  }
  emitLaneBlocks(
      plan.shape.laneDim, plan.shape.lanes, plan.vectors, {},
      [&](int64_t vectors, Value mask, ValueRange) {
        SmallVector<IRMapping> invariant;
        for (int64_t i = 0; i < unrolled; ++i) {
          if (unrolledDim)
            ivs[*unrolledDim] = getIndex(i);
          RegisterTile outside = makeTile(mask);
          for (int64_t vector = 0; vector < vectors; ++vector)
            invariant.push_back(
                innerDim ? outside.evaluateInvariant({0, vector, 0}, *innerDim)
                         : uniform);
        }
        auto emitVectors = [&](int64_t steps, ValueRange = {}) {
          RegisterTile tile = makeTile(mask);
          if (steps > 1)
            for (auto [operand, blocks] :
                 llvm::zip_equal(plan.transposed, plan.blocks))
              for (int64_t first = 0; first < steps;
                   first += blocks * plan.shape.lanes)
                tile.loadTransposed(*operand, {0, 0, first}, /*pack=*/1,
                                    blocks);
          for (int64_t number = 0, end = invariant.size(); number < end;
               ++number) {
            if (unrolledDim)
              tile.moveTo(*unrolledDim, getIndex(number / vectors));
            for (int64_t step = 0; step < steps; ++step) {
              TilePoint point{0, number % vectors, step};
              Values results = tile.evaluate(point, Values(op.getNumDpsInits()),
                                             &invariant[number]);
              for (auto [output, value] : llvm::enumerate(results))
                tile.store(*op.getDpsInitOperand(output), point, value);
            }
          }
          return Values();
        };
        if (!innerDim)
          return emitVectors(1);
        Values none;
        OpFoldResult from = b.getIndexAttr(0);
        if (plan.shape.stepDim)
          from = emitSteps(from, sizes[*innerDim], none, emitVectors);
        return emitLoop(*innerDim, from, sizes[*innerDim], 1, {},
                        [&](ValueRange) { return emitVectors(1); });
      });
}

/// Adds products of bf16 two at a time. The row operand has pairs of
/// neighbours. The streamed operand has pairs, too, or two vectors whose lanes
/// are interleaved.
SmallVector<Value> LoopEmitter::emitDots(RegisterTile &tile,
                                         ArrayRef<TilePoint> points,
                                         int64_t vectors, ValueRange sums) {
  int64_t lanes = plan.shape.lanes;
  RegisterTile alongSteps(
      b, op,
      {*plan.shape.stepDim, plan.shape.rowDim, std::nullopt, /*lanes=*/2}, ivs);
  auto word = VectorType::get({1}, b.getI32Type()),
       words = VectorType::get({lanes}, b.getI32Type()),
       halves = VectorType::get({2 * lanes}, b.getBF16Type());
  Values results(sums);
  for (int64_t step = 0; step < plan.steps; step += 2) {
    // There are as many pairs as lanes.
    if (!plan.transposed.empty() && !tile.getMask())
      prefetchTransposed(step / 2);
    Values pairs;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value pair = tile.load(*plan.streamed, {0, vector, step});
      if (plan.transposed.empty())
        pair = vector::InterleaveOp::create(
            b, loc, pair, tile.load(*plan.streamed, {0, vector, step + 1}));
      pairs.push_back(pair);
    }
    for (auto [number, point] : llvm::enumerate(points)) {
      Value bits = vector::ExtractOp::create(
          b, loc,
          vector::BitCastOp::create(
              b, loc, word,
              alongSteps.load(*plan.dotRow, {point.row, step / 2, 0})),
          0);
      Value factor = vector::BitCastOp::create(
          b, loc, halves, vector::BroadcastOp::create(b, loc, words, bits));
      Value &sum = results[number];
      sum = X86DotBF16Op::create(b, loc, sum.getType(), sum,
                                 pairs[point.vector], factor);
    }
  }
  return results;
}

/// Calls `body` for each iteration of the unrolled dimensions, with its number.
void LoopEmitter::unrollDims(function_ref<void(int64_t)> body) {
  int64_t unrolled = 1;
  for (unsigned dim : plan.unrolledDims)
    unrolled *= *getConstantIntValue(sizes[dim]);
  for (int64_t i = 0; i < unrolled; ++i) {
    int64_t rest = i;
    for (unsigned dim : plan.unrolledDims) {
      int64_t size = *getConstantIntValue(sizes[dim]);
      ivs[dim] = getIndex(rest % size);
      rest /= size;
    }
    body(i);
  }
}

/// Adds to `sums` the terms of `points`, with lanes along a parallel dimension,
/// for all iterations of the unrolled dimensions. If the terms have a factor
/// that does not change along the inner loops, it multiplies the sums of these.
SmallVector<Value> LoopEmitter::emitUnrolled(ArrayRef<TilePoint> points,
                                             int64_t vectors, Value mask,
                                             ValueRange sums) {
  Value one, zero;
  if (plan.factor) {
    auto type = cast<VectorType>(sums.front().getType());
    auto make = [&](double value) {
      return arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(
              type, Attribute(b.getFloatAttr(type.getElementType(), value))));
    };
    one = make(1.0);
    zero = make(-0.0);
  }
  auto addTerms = [&](int64_t, ValueRange args) {
    Values values(args);
    RegisterTile tile = makeTile(mask);
    if (plan.streamed && !mask)
      prefetchStream(tile, vectors, /*steps=*/1);
    unrollDims([&](int64_t) {
      for (unsigned dim : plan.unrolledDims)
        tile.moveTo(dim, ivs[dim]);
      for (auto [value, point] : llvm::zip_equal(values, points)) {
        IRMapping mapping;
        if (plan.factor)
          mapping.map(plan.factor, one);
        value = tile.toVector(tile.evaluate(point, value, &mapping).front());
      }
    });
    return values;
  };
  if (!plan.factor)
    return emitReductionLoops(sums, addTerms);
  return emitReductionLoops(
      0, plan.factorLoops, sums, [&](int64_t, ValueRange args) {
        Values inner =
            emitReductionLoops(plan.factorLoops, plan.reductionDims.size(),
                               Values(points.size(), zero), addTerms);
        RegisterTile tile = makeTile(mask);
        Values values(args);
        for (auto [value, sum, point] :
             llvm::zip_equal(values, inner, points)) {
          Value factor = tile.toVector(tile.evaluateTerm(point, plan.factor));
          value = vector::FMAOp::create(b, loc, sum, factor, value);
        }
        return values;
      });
}

/// Stores the sums of `points`. Adds the initial values of the outputs of which
/// `zeros` has a number: their sums started from it.
void LoopEmitter::storeSums(ArrayRef<TilePoint> points,
                            ArrayRef<TypedAttr> zeros, Value mask,
                            ArrayRef<Value> accumulators) {
  unsigned numOutputs = op.getNumDpsInits();
  RegisterTile after = makeTile(mask);
  for (auto [number, point] : llvm::enumerate(points))
    for (unsigned i = 0; i < numOutputs; ++i) {
      OpOperand &output = *op.getDpsInitOperand(i);
      Value value = accumulators[number * numOutputs + i];
      if (zeros[i]) {
        Value start = fills[i] ? fills[i] : after.load(output, point);
        value = arith::AddFOp::create(b, loc, after.toVector(start), value);
      }
      after.store(output, point, value);
    }
}

/// Emits lanes along a parallel dimension. Each vector of the tile accumulates
/// in a register of its own.
void LoopEmitter::emitAccumulation(int64_t rows, int64_t vectors, Value mask) {
  SmallVector<TilePoint> points;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t vector = 0; vector < vectors; ++vector)
      points.push_back({row, vector, 0});
  unsigned numOutputs = op.getNumDpsInits();

  // The initial value of a sum may be the sum of many earlier tiles, and each
  // term would be rounded to its magnitude. So the sum starts from zero, and
  // the initial value is added at the end. The same holds for a value that the
  // output is filled with.
  SmallVector<TypedAttr> zeros;
  for (unsigned i = 0; i < numOutputs; ++i) {
    auto add = dyn_cast_or_null<arith::AddFOp>(getLaneCombiner(op, i));
    bool startsFromZero = fills[i] && matchPattern(fills[i], m_AnyZeroFloat());
    zeros.push_back(add && !startsFromZero ? *arith::getNeutralElement(add)
                                           : TypedAttr());
  }

  RegisterTile outside = makeTile(mask);
  Values accumulators;
  for (TilePoint point : points)
    for (auto [number, output] : llvm::enumerate(op.getDpsInitsMutable())) {
      Value start = fills[number];
      if (zeros[number])
        start = arith::ConstantOp::create(b, loc, zeros[number]);
      accumulators.push_back(
          outside.toVector(start ? start : outside.load(output, point)));
    }
  if (plan.columnDigits)
    return storeSums(points, zeros, mask, addColumnDigits(accumulators));
  if (!plan.unrolledDims.empty() || plan.factor)
    return storeSums(points, zeros, mask,
                     emitUnrolled(points, vectors, mask, accumulators));
  if (extremum)
    addNaNTests(accumulators);
  // Remainders leave the prefetches of the next tile to whole tiles.
  bool sharesNextTile = nextTile && !mask && vectors == plan.vectors &&
                        (rows == plan.rows || rows == plan.restRows);
  Value firstLine = sharesNextTile ? getFirstLine() : Value();
  accumulators = emitReductionLoops(accumulators, [&](int64_t steps,
                                                      ValueRange args) {
    Values values(args);
    if (firstLine)
      prefetchNextTile(firstLine);
    RegisterTile tile = makeTile(mask);
    if (steps > 1)
      for (OpOperand *operand : plan.transposed)
        for (int64_t vector = 0; vector < vectors; ++vector)
          tile.loadTransposed(*operand, {0, vector, 0}, plan.dotRow ? 2 : 1);
    if (plan.streamed && !mask && plan.transposed.empty())
      prefetchStream(tile, vectors, steps);
    if (plan.dotRow && steps > 1)
      return emitDots(tile, points, vectors, values);
    if (extremum) {
      for (auto [number, point] : llvm::enumerate(points)) {
        Values terms;
        for (int64_t step = 0; step < steps; ++step)
          terms.push_back(tile.toVector(tile.evaluateTerm(
              {point.row, point.vector, step}, extremum->term)));
        combineExtremum(values[number], values[points.size() + number], terms);
      }
      return values;
    }
    for (int64_t step = 0; step < steps; ++step)
      for (auto [number, point] : llvm::enumerate(points)) {
        MutableArrayRef<Value> outputs = MutableArrayRef<Value>(values).slice(
            number * numOutputs, numOutputs);
        Values results =
            tile.evaluate({point.row, point.vector, step}, outputs);
        for (auto [output, result] : llvm::zip_equal(outputs, results))
          output = tile.toVector(result);
      }
    return values;
  });
  if (extremum)
    accumulators = resolveNaNTests(accumulators);
  storeSums(points, zeros, mask, accumulators);
}

/// Builds `sum` plus the products of four bytes for each lane. `streamed` has
/// other bits in place of the highest ones if the plan inverts them.
Value LoopEmitter::multiplyBytes(Value sum, Value streamed, Value row) {
  // One operand of this instruction is unsigned. It is the first one.
  bool isFirst = plan.byteDot == StepDot::SignedBytes ||
                 isUnsignedFactor(op, *plan.streamed) != plan.invertsStream;
  return buildByteDot(b, loc, plan.byteDot, sum, isFirst ? streamed : row,
                      isFirst ? row : streamed);
}

Value LoopEmitter::getHighestBits(int64_t lanes) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get({lanes}, b.getI8Type()),
                             APInt::getSignMask(8)));
}

Value LoopEmitter::createBuffer(int64_t size, Type element) {
  // It is in the frame of the function, not in that of a loop.
  OpBuilder::InsertionGuard guard(b);
  Operation *scope =
      op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  b.setInsertionPointToStart(&scope->getRegion(0).front());
  return memref::AllocaOp::create(b, loc, MemRefType::get({size}, element),
                                  b.getI64IntegerAttr(CPUTarget::kLineBytes));
}

/// Returns where the panel of rows has the bytes of row `ivs` + `row` that
/// begin at `ivs` along the lanes. Blocks of all rows follow each other.
Value LoopEmitter::getPlaceInPanel(int64_t row) {
  int64_t bytes = 4 * plan.shape.lanes;
  AffineExpr k = b.getAffineDimExpr(0), m = b.getAffineDimExpr(1);
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc,
          AffineMap::get(2, 0,
                         k.floorDiv(bytes) * (bytes * panelRows) +
                             (m + row) * bytes),
          {OpFoldResult(ivs[plan.shape.laneDim]),
           OpFoldResult(ivs[*plan.shape.rowDim])}));
}

/// Prepares the rows of a product of bytes. If there are several blocks of
/// rows, copies them to a panel, in the order in which they are read: rows of a
/// power of two of bytes would share a few sets of the first cache. If the bits
/// of the streamed operand are inverted, computes what makes up for it: for
/// each row, 128 times its elements, or less 128 times these, lane by lane.
void LoopEmitter::prepareRowsOfBytes() {
  unsigned rowDim = *plan.shape.rowDim, laneDim = plan.shape.laneDim;
  int64_t lanes = plan.shape.lanes;
  RegisterTileShape shape = plan.shape;
  shape.lanes *= 4;
  int64_t rows = getConstantIntValue(sizes[rowDim]).value_or(plan.rows);
  std::optional<int64_t> size = getConstantIntValue(sizes[laneDim]);
  int64_t bytes =
      size ? llvm::alignTo(std::max<int64_t>(*size, 1), shape.lanes) * rows : 0;
  if (plan.packsRow && bytes > 0 && bytes <= CPUTarget::kPanelBytesOfIntegers) {
    panelRows = rows;
    rowPanel = createBuffer(bytes, b.getI8Type());
  }
  if (!plan.invertsStream && !rowPanel)
    return;
  // Other dimensions of the rows have one iteration.
  for (Value &iv : ivs)
    iv = getIndex(0);
  auto type = VectorType::get({lanes}, b.getI32Type());
  if (plan.invertsStream)
    rowSums = createBuffer(rows * lanes, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  emitLoop(rowDim, b.getIndexAttr(0), sizes[rowDim], 1, {}, [&](ValueRange) {
    Values sums = emitLaneBlocks(
        laneDim, shape.lanes, 1, zero,
        [&](int64_t, Value mask, ValueRange args) {
          RegisterTile tile(
              b, op, shape, ivs, mask,
              mask ? getValueOrCreateConstantIndexOp(b, loc, sizes[laneDim])
                   : Value());
          Value row = tile.load(*plan.dotRow, {});
          if (rowPanel)
            vector::StoreOp::create(b, loc, row, rowPanel, getPlaceInPanel(0));
          if (!plan.invertsStream)
            return Values(args);
          return Values{
              multiplyBytes(args.front(), getHighestBits(shape.lanes), row)};
        });
    if (plan.invertsStream)
      vector::StoreOp::create(
          b, loc, arith::SubIOp::create(b, loc, zero, sums.front()), rowSums,
          arith::MulIOp::create(b, loc, ivs[rowDim], getIndex(lanes))
              .getResult());
    return Values();
  });
  ivs.assign(ivs.size(), Value());
}

/// Adds products of bf16 two at a time, or of bytes four at a time. They are
/// adjacent in both factors.
SmallVector<Value> LoopEmitter::emitLaneDots(ArrayRef<TilePoint> points,
                                             int64_t rows, bool isShared,
                                             ValueRange sums) {
  RegisterTileShape shape = plan.shape;
  shape.lanes *= plan.byteDot == StepDot::None ? 2 : 4;
  return emitLaneBlocks(
      shape.laneDim, shape.lanes, 1, sums,
      [&](int64_t, Value mask, ValueRange args) {
        RegisterTile tile(
            b, op, shape, ivs, mask,
            mask ? getValueOrCreateConstantIndexOp(b, loc, sizes[shape.laneDim])
                 : Value());
        if (!mask && !isShared &&
            !(rowPanel && prefetchSpread(rows, shape.lanes)))
          prefetchSteps(tile, shape.lanes);
        Values results(args);
        // Lanes behind the end are 0 in the row.
        for (auto [number, point] : llvm::enumerate(points)) {
          Value streamed = tile.load(*plan.streamed, point), row;
          if (rowPanel)
            row = vector::LoadOp::create(
                b, loc, VectorType::get({shape.lanes}, b.getI8Type()), rowPanel,
                getPlaceInPanel(point.row));
          else
            row = tile.load(*plan.dotRow, point);
          if (plan.invertsStream)
            streamed = arith::XOrIOp::create(b, loc, streamed,
                                             getHighestBits(shape.lanes));
          Value &sum = results[number];
          sum = plan.byteDot == StepDot::None
                    ? X86DotBF16Op::create(b, loc, sum.getType(), sum, streamed,
                                           row)
                          .getResult()
                    : multiplyBytes(sum, streamed, row);
        }
        return results;
      });
}

/// Combines each accumulator in `values` with the vector of lanes at its point
/// in `points`.
void LoopEmitter::addLanes(ArrayRef<TilePoint> points,
                           ArrayRef<IRMapping> uniform, Value mask,
                           MutableArrayRef<Value> values) {
  unsigned numOutputs = op.getNumDpsInits();
  RegisterTile tile = makeTile(mask);
  for (auto [number, point] : llvm::enumerate(points)) {
    if (extremum) {
      Value term = tile.toVector(
          tile.evaluateTerm(point, extremum->term, &uniform[number]));
      // A lane behind the end leaves the accumulator unchanged.
      if (mask)
        term = arith::SelectOp::create(b, loc, mask, term, values[number]);
      combineExtremum(values[number], values[points.size() + number], term);
      continue;
    }
    MutableArrayRef<Value> outputs =
        values.slice(number * numOutputs, numOutputs);
    Values results = tile.evaluate(point, outputs, &uniform[number]);
    for (auto [output, result] : llvm::zip_equal(outputs, results)) {
      result = tile.toVector(result);
      output =
          mask ? arith::SelectOp::create(b, loc, mask, result, output) : result;
    }
  }
}

/// Adds to the accumulators `values` of `points` the sums of products over the
/// unrolled dimensions, along which their factor `plan.factor` does not change:
/// it multiplies the sums. `unroll` calls a function for each iteration.
void LoopEmitter::addScaledLanes(
    ArrayRef<TilePoint> points, ArrayRef<SmallVector<IRMapping>> uniform,
    function_ref<void(function_ref<void(int64_t)>)> unroll,
    MutableArrayRef<Value> values) {
  auto type = cast<VectorType>(values.front().getType());
  Value one = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          type, Attribute(b.getFloatAttr(type.getElementType(), 1.0))));
  Value term = getReduction(op, 0)->term;
  Values sums(points.size());
  unroll([&](int64_t i) {
    RegisterTile tile = makeTile();
    for (auto [number, point] : llvm::enumerate(points)) {
      IRMapping mapping = uniform[i][number];
      mapping.map(plan.factor, one);
      Value &sum = sums[number];
      sum = tile.toVector(sum ? tile.evaluate(point, sum, &mapping).front()
                              : tile.evaluateTerm(point, term, &mapping));
    }
  });
  multiplyByFactor(points, uniform.front(), sums, values);
}

/// Adds `sums` of `points` times `plan.factor` to the accumulators `values`.
void LoopEmitter::multiplyByFactor(ArrayRef<TilePoint> points,
                                   ArrayRef<IRMapping> uniform,
                                   ArrayRef<Value> sums,
                                   MutableArrayRef<Value> values) {
  RegisterTile tile = makeTile();
  for (auto [number, point] : llvm::enumerate(points)) {
    Value factor =
        tile.toVector(tile.evaluateTerm(point, plan.factor, &uniform[number]));
    values[number] =
        vector::FMAOp::create(b, loc, sums[number], factor, values[number]);
  }
}

/// Adds what the vectors at `points` have to the accumulators `values`.
/// `uniform` has what is the same in all lanes for each iteration of the
/// unrolled loops.
void LoopEmitter::addVector(ArrayRef<TilePoint> points,
                            ArrayRef<SmallVector<IRMapping>> uniform,
                            Value mask, MutableArrayRef<Value> values) {
  if (plan.digits)
    return addDigitProducts(points, values);
  if (plan.fourBits)
    return addFourBitProducts(points, uniform, values);
  auto unroll = [&](function_ref<void(int64_t)> body) { unrollDims(body); };
  if (plan.factor && !mask)
    return addScaledLanes(points, uniform, unroll, values);
  unroll([&](int64_t i) { addLanes(points, uniform[i], mask, values); });
}

/// Emits an op whose lanes are along a reduction. Each lane starts from the
/// neutral element and accumulates its share. The lanes are combined at the
/// end.
void LoopEmitter::emitLaneReduction(int64_t rows) {
  unsigned numOutputs = op.getNumDpsInits();
  // In this order, combineLanes puts the steps of a row side by side: one step
  // for each part of a vector, in turn.
  int64_t bits = getElementBits(op.getDpsInits().front()),
          count = rows * blockSteps,
          apart = std::max<int64_t>(
              plan.shape.lanes * bits / plan.shape.shuffleBits, 1),
          stride = llvm::divideCeil(count, apart);
  SmallVector<TilePoint> points;
  for (int64_t first = 0; first < stride; ++first)
    for (int64_t number = first; number < count; number += stride)
      points.push_back({number / blockSteps, 0, number % blockSteps});
  Values accumulators;
  for (size_t point = 0; point < points.size(); ++point)
    for (unsigned i = 0; i < numOutputs; ++i) {
      TypedAttr neutral = *arith::getNeutralElement(getLaneCombiner(op, i));
      auto type = VectorType::get({plan.shape.lanes}, neutral.getType());
      if (rowSums) {
        Value row = arith::AddIOp::create(b, loc, ivs[*plan.shape.rowDim],
                                          getIndex(points[point].row));
        accumulators.push_back(vector::LoadOp::create(
            b, loc, type, rowSums,
            arith::MulIOp::create(b, loc, row, getIndex(plan.shape.lanes))
                .getResult()));
        continue;
      }
      accumulators.push_back(arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, Attribute(neutral))));
    }

  if (plan.digits) {
    prepareFactors();
    // A loop around the lanes prefetches a share in each iteration.
    if (!plan.digits->loopDim)
      prefetchRepeated();
    if (plan.digits->offsets)
      prefetchOffsets();
    if (rowRests || rowSumsOfUnits)
      accumulators = addRests(points, accumulators);
  }
  if (extremum)
    addNaNTests(accumulators);
  if (copyLoop)
    prefetchCopied(blockSteps);
  bool isShared =
      plan.streamed && (copyLoop || (!rowPanel && prefetchShare(rows)));
  accumulators =
      emitReductionLoops(accumulators, [&](int64_t, ValueRange args) {
        if (plan.dotRow)
          return emitLaneDots(points, rows, isShared, args);
        SmallVector<SmallVector<IRMapping>> uniform;
        // Digits have what is the same in all lanes in their buffers.
        if (!plan.digits)
          unrollDims([&](int64_t i) {
            RegisterTile shared = makeTile();
            uniform.emplace_back();
            for (TilePoint point : points)
              uniform[i].push_back(shared.evaluateUniform(point));
          });
        bool isAhead = isShared || (plan.streamed && prefetchLines());
        int64_t width = plan.digits ? plan.digits->width : plan.shape.lanes;
        return emitLaneBlocks(plan.shape.laneDim, width, plan.vectors, args,
                              [&](int64_t, Value mask, ValueRange args) {
                                if (plan.streamed && !mask && !isAhead) {
                                  RegisterTile tile = makeTile(mask);
                                  prefetchSteps(tile, width);
                                }
                                Values values(args);
                                addVector(points, uniform, mask, values);
                                return values;
                              });
      });
  if (extremum)
    accumulators = resolveNaNTests(accumulators);
  if (blockSteps > 1)
    return storeTogether(points, accumulators);

  RegisterTile after = makeTile();
  for (auto [number, point] : llvm::enumerate(points))
    for (unsigned i = 0; i < numOutputs; ++i) {
      Operation *combiner = getLaneCombiner(op, i);
      vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
      Value lanes = accumulators[number * numOutputs + i];
      // Accumulating by lanes has already changed the order of the sum.
      auto fastMath = isa<FloatType>(getElementTypeOrSelf(lanes))
                          ? arith::FastMathFlags::reassoc
                          : arith::FastMathFlags::none;
      OpOperand *output = op.getDpsInitOperand(i);
      Value value = vector::ReductionOp::create(b, loc, kind, lanes, fastMath);
      value = vector::makeArithReduction(b, loc, kind, value,
                                         fills[i] ? fills[i]
                                                  : after.load(*output, point));
      after.store(*output, point, value);
    }
}

/// Combines the lanes of all accumulators of the only output, which is
/// contiguous along the steps, and stores those of a row together.
void LoopEmitter::storeTogether(ArrayRef<TilePoint> points,
                                ArrayRef<Value> accumulators) {
  OpOperand *output = op.getDpsInitOperand(0);
  vector::CombiningKind kind =
      *linalg::getCombinerOpKind(getLaneCombiner(op, 0));
  SmallVector<int64_t> sources;
  Value lanes =
      combineLanes(b, loc, kind, accumulators, plan.shape.shuffleBits, sources);
  llvm::SmallBitVector stored(points.size());
  RegisterTile tile = makeTile();
  for (int64_t lane = 0, end = sources.size(); lane < end; ++lane) {
    // Several lanes may have the same result.
    TilePoint first = points[sources[lane]];
    int64_t count = 0;
    for (; lane + count < end && !stored[sources[lane + count]]; ++count) {
      TilePoint next = points[sources[lane + count]];
      if (next.row != first.row || next.step != first.step + count ||
          (count > 0 && plan.shape.stepsApart > 1))
        break;
      stored.set(sources[lane + count]);
    }
    if (count == 0)
      continue;
    Value value = vector::ExtractStridedSliceOp::create(
        b, loc, lanes, ArrayRef<int64_t>{lane}, ArrayRef<int64_t>{count},
        ArrayRef<int64_t>{1});
    auto type = cast<VectorType>(value.getType());
    Value start = fills[0] ? vector::BroadcastOp::create(b, loc, type, fills[0])
                           : tile.loadSteps(*output, first, type);
    value = vector::makeArithReduction(b, loc, kind, value, start);
    tile.storeSteps(*output, first, value);
    lane += count - 1;
  }
}

void LoopEmitter::run() {
  if (op.getNumReductionLoops() == 0)
    prefetchInputs();
  findViewsAhead();
  findNextTile();
  if (plan.byteDot != StepDot::None)
    prepareRowsOfBytes();
  if (plan.columnDigits)
    prepareRowForColumns();
  if (plan.digits)
    prepareRowOfDigits();
  if (plan.digits && plan.digits->offsets)
    prepareOffsets();
  if (plan.fourBits && !plan.digits)
    prepareRowOfFourBits();
  if (plan.digits && plan.digits->rows > 1)
    return emitRowsOfDigits();
  emitOuterLoops(0);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

linalg::FillOp mlir::linalg_ext::getAbsorbedFill(linalg::LinalgOp op,
                                                 Value output) {
  if (op.getNumReductionLoops() == 0)
    return nullptr;
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(previous);
    if (fill && fill.getDpsInits().front() == output)
      return fill.value().getType() == getElementTypeOrSelf(output) ? fill
                                                                    : nullptr;
    if (!fill && !isMemoryEffectFree(previous))
      return nullptr;
    // Fills of other outputs may lie between the fill and the op.
    if (fill &&
        !llvm::is_contained(op.getDpsInits(), fill.getDpsInits().front()))
      return nullptr;
  }
  return nullptr;
}

/// If digits multiply the integers of `op` when its groups are one dimension,
/// replaces `op` by that and returns the plan. Otherwise leaves the IR as it
/// was.
static FailureOr<VectorPlan>
planMerged(RewriterBase &rewriter, linalg::LinalgOp &op,
           const VectorizeBuffersOptions &options) {
  if (options.byteProducts != ByteProducts::Fours || !options.looksUp ||
      !options.excessPrecision)
    return failure();
  linalg::GenericOp merged = mergeGroups(rewriter, op);
  if (!merged)
    return failure();
  Refusal refusal;
  FailureOr<VectorPlan> plan = planVectors(merged, options, refusal);
  if (succeeded(plan) && plan->digits) {
    rewriter.eraseOp(op);
    op = merged;
    rewriter.setInsertionPoint(op);
    return plan;
  }
  SmallVector<Operation *> views;
  for (Value operand : merged->getOperands())
    if (operand.hasOneUse() && operand.getDefiningOp<memref::CollapseShapeOp>())
      views.push_back(operand.getDefiningOp());
  rewriter.eraseOp(merged);
  for (Operation *view : views)
    rewriter.eraseOp(view);
  return failure();
}

LogicalResult
mlir::linalg_ext::vectorizeBuffers(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const VectorizeBuffersOptions &options) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Refusal refusal;
  FailureOr<VectorPlan> plan = planMerged(rewriter, op, options);
  if (failed(plan))
    plan = planVectors(op, options, refusal);
  if (failed(plan))
    return rewriter.notifyMatchFailure(op, refusal.text);
  // What adds zero points in front of the op, and becomes a part of it.
  linalg::LinalgOp offsets;
  if (plan->digits && plan->digits->offsets)
    offsets = plan->digits->offsets->op;
  bool storesParts =
      plan->streamBlock > 0 || (plan->digits && plan->digits->rows > 1);
  SmallVector<linalg::FillOp> fills;
  for (Value output : op.getDpsInits())
    fills.push_back(storesParts
                        ? linalg::FillOp()
                        : getAbsorbedFill(offsets ? offsets : op, output));
  if (plan->packed)
    emitPackedContraction(rewriter, op, *plan->packed,
                          fills.front() ? fills.front().value() : Value());
  else
    LoopEmitter(rewriter, op, *plan, fills).run();
  rewriter.eraseOp(op);
  if (offsets)
    rewriter.eraseOp(offsets);
  for (linalg::FillOp fill : fills)
    if (fill)
      rewriter.eraseOp(fill);
  return success();
}

/// Reverses each run of sums in `ops` that add to the same result: digits may
/// add what the sum before them adds, and erase it.
static void orderSums(SmallVectorImpl<linalg::LinalgOp> &ops) {
  for (auto first = ops.begin(); first != ops.end();) {
    auto last = std::find_if(first, ops.end(), [&](linalg::LinalgOp op) {
      return op->getBlock() != (*first)->getBlock() ||
             op.getDpsInits() != first->getDpsInits();
    });
    std::reverse(first, last);
    first = last;
  }
}

namespace {
/// The ops that have been erased.
struct ErasedOps : public RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { ops.insert(op); }
  llvm::SmallPtrSet<Operation *, 16> ops;
};

struct LinalgExtVectorizeBuffersPass
    : public linalg_ext::impl::LinalgExtVectorizeBuffersPassBase<
          LinalgExtVectorizeBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<CPUTarget> target = getCPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    VectorizeBuffersOptions options;
    options.vectorBits = target->vectorBits;
    options.numRegisters = target->vectorRegisters;
    options.dotBF16 = target->dotBF16 != 0;
    options.byteProducts = static_cast<ByteProducts>(target->byteDot);
    options.shuffleBits = target->shuffleBits;
    options.broadcastF16 = target->broadcastsF16 != 0;
    options.cacheBytes = target->l1Bytes;
    options.looksUp = target->looksUp();
    options.excessPrecision = excessPrecision;
    ErasedOps erased;
    IRRewriter rewriter(&getContext(), &erased);
    // A copy between views would become a call to a runtime library.
    replaceCopies(rewriter, getOperation(),
                  [](memref::CopyOp) { return true; });
    // Reductions come first, because they prefetch what copies before them
    // read. Fills come last, because reductions absorb them.
    for (int turn : {0, 1, 2}) {
      SmallVector<linalg::LinalgOp> ops;
      getOperation()->walk([&](linalg::LinalgOp op) {
        int ofOp = isa<linalg::FillOp>(op)          ? 2
                   : op.getNumReductionLoops() == 0 ? 1
                                                    : 0;
        if (ofOp == turn)
          ops.push_back(op);
      });
      orderSums(ops);
      erased.ops.clear();
      for (linalg::LinalgOp op : ops)
        if (!erased.ops.contains(op) &&
            failed(vectorizeBuffers(rewriter, op, options)))
          LDBG() << "not vectorised: " << op;
    }
  }
};
} // namespace
