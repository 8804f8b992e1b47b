//===- VectorizeBuffers.cpp - Structured ops as loops over vectors
//---------===//
//
// Rewrites a structured op on buffers as loops over register tiles of
// one-dimensional vectors, for targets whose vectors have one dimension.
// Working on buffers makes a tile a view and a remainder a mask, whatever is
// dynamic; accumulators are loop-carried values from the start, so that nothing
// has to be hoisted.
//
//   1. Choose the dimension along which the lanes lie: parallel, or a reduction
//      whose partial results are combined across lanes at the end.
//   2. Choose the register tile: rows, along a parallel dimension that lets an
//      operand be used again, times vectors along the lanes.
//   3. Emit loops: the other parallel dimensions, blocks of lanes, blocks of
//      rows, reductions. What does not fill a block is done vector by vector,
//      row by row; what does not fill a vector is masked.
//
//===----------------------------------------------------------------------===//

#include "CombineLanes.h"
#include "LoopNest.h"
#include "PackedContraction.h"
#include "VectorTile.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-vectorize-buffers"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTVECTORIZEBUFFERSPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {
struct VectorPlan {
  VectorTileShape shape;
  bool reducesLanes = false;
  /// Rows, vectors and, along shape.stepDim, steps of the register tile.
  int64_t rows = 1, vectors = 1, steps = 1;
  /// Rows of what a whole tile leaves.
  int64_t restRows = 0;
  /// Operands that are loaded in transposed blocks, along shape.stepDim.
  SmallVector<OpOperand *> transposed;
  /// An operand that is read `ahead` iterations of `streamDim` before it is
  /// used.
  OpOperand *streamed = nullptr;
  unsigned streamDim = 0;
  int64_t ahead = 0;
  /// If a row of that operand takes more than one register tile, `strips` of
  /// them: so many rows of it are passed over strip by strip. What comes next
  /// is asked for in the order of memory all the while.
  int64_t strips = 1, streamBlock = 0;
  /// The factors of a streamed product of pairs of bf16, of the row and of the
  /// operand that is streamed: pairs along the lanes, where these are reduced,
  /// else along streamDim, where the row has them side by side.
  OpOperand *dotRow = nullptr;
  /// In the order of the loops.
  SmallVector<unsigned> outerDims, reductionDims;
  /// Of halves; takes the place of all of the above.
  std::optional<PackedContraction> packed;
};
} // namespace

/// The most lanes such that no value of the payload exceeds a register.
static int64_t getLanes(linalg::LinalgOp op, int64_t vectorBits) {
  unsigned bits = 8;
  auto visit = [&](Type type) {
    type = getElementTypeOrSelf(type);
    if (type.isIntOrFloat())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  };
  for (Value operand : op->getOperands())
    visit(operand.getType());
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isa<arith::ConstantOp>(inner))
      llvm::for_each(inner.getResultTypes(), visit);
  return vectorBits / bits;
}

/// The most elements that dimension `dim` of `buffer` may have: a view is no
/// larger than the buffer it looks at.
static int64_t getMaxSize(Value buffer, int64_t dim) {
  while (cast<MemRefType>(buffer.getType()).isDynamicDim(dim)) {
    auto view = buffer.getDefiningOp<memref::SubViewOp>();
    if (!view)
      return ShapedType::kDynamic;
    llvm::SmallBitVector dropped = view.getDroppedDims();
    int64_t source = 0;
    for (int64_t left = dim; dropped[source] || left > 0; ++source)
      if (!dropped[source])
        --left;
    buffer = view.getSource();
    dim = source;
  }
  return cast<MemRefType>(buffer.getType()).getDimSize(dim);
}

/// The most iterations of each dimension, where that is known. Register tiles
/// are chosen for a whole tile; one at the border is done vector by vector.
static SmallVector<int64_t> getMaxRanges(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || !ShapedType::isDynamic(ranges[dim.getPosition()]))
        continue;
      ranges[dim.getPosition()] = getMaxSize(operand.get(), position);
    }
  }
  return ranges;
}

/// Every output must have each parallel dimension, and no reduction.
static bool hasPlainOutputs(linalg::LinalgOp op) {
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (map.isFunctionOfDim(dim) != linalg::isParallelIterator(iterator))
        return false;
  }
  return true;
}

/// The op that combines partial results of output `number`, if lanes may keep
/// partial results of their own.
static Operation *getLaneCombiner(linalg::LinalgOp op, unsigned number) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), number, combiners) ||
      combiners.size() != 1 || !linalg::getCombinerOpKind(combiners.front()) ||
      !arith::getNeutralElement(combiners.front()))
    return nullptr;
  // Other outputs must not be read: they are partial too.
  return combiners.front();
}

/// A contraction of so few rows reads its other operand from memory once, and
/// is as fast as that comes in: in the order in which it lies there, for all
/// rows at a time.
static int64_t getMostFewRows(const VectorizeBuffersOptions &options) {
  return options.numRegisters / 4;
}

/// What is on its way at any time: what memory delivers in the time that it
/// takes to answer (35 GB/s, 150 ns), and a half.
static constexpr int64_t kBytesAhead = 8192;
/// Rows of a block of strips that are worth loading the accumulators for.
static constexpr int64_t kLeastStreamBlock = 8;

namespace {
/// A contraction of few rows.
struct FewRows {
  /// The dimension of the rows.
  unsigned rowDim = 0;
  /// The other operand, contiguous along the lanes, and the dimension along
  /// which vectors of lanes follow each other in it.
  OpOperand *streamed = nullptr;
  unsigned streamDim = 0;
};
} // namespace

static std::optional<FewRows> getFewRows(linalg::LinalgOp op, unsigned laneDim,
                                         ArrayRef<int64_t> ranges,
                                         int64_t mostRows) {
  if (!linalg::isaContractionOpInterface(op))
    return std::nullopt;
  // Any dimension of one row will do if there are no more.
  SmallVector<unsigned> dims;
  for (int64_t least : {2, 1})
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
      if (dim != laneDim && ranges[dim] >= least &&
          ranges[dim] <= (least == 1 ? 1 : mostRows) &&
          linalg::isParallelIterator(op.getIteratorTypesArray()[dim]))
        dims.push_back(dim);
  for (unsigned dim : dims) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (map.getNumResults() < 2 || map.isFunctionOfDim(dim) ||
          getLaneAccess(op, *operand, laneDim) != LaneAccess::Contiguous)
        continue;
      auto next = dyn_cast<AffineDimExpr>(map.getResults().drop_back().back());
      if (next && next.getPosition() != laneDim)
        return FewRows{dim, operand, next.getPosition()};
    }
  }
  return std::nullopt;
}

namespace {
/// A maximum or minimum of floating-point numbers in which NaN wins.
struct Extremum {
  Operation *combiner = nullptr;
  /// What is combined with the accumulator.
  Value term;
  bool isMax = false;
};
} // namespace

/// The extremum that `op` computes, if it computes nothing else.
static std::optional<Extremum> getExtremum(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 ||
      !isa<arith::MaximumFOp, arith::MinimumFOp>(combiners.front()))
    return std::nullopt;
  Extremum result;
  result.combiner = combiners.front();
  result.isMax = isa<arith::MaximumFOp>(result.combiner);
  BlockArgument accumulator = op.getRegionOutputArgs().front();
  bool isFirst = result.combiner->getOperand(0) == accumulator;
  result.term = result.combiner->getOperand(isFirst);
  if (result.term == accumulator || !accumulator.hasOneUse())
    return std::nullopt;
  return result;
}

/// Lower is better; nullopt cannot be vectorised along `dim`.
static std::optional<double> getLaneCost(linalg::LinalgOp op, unsigned dim,
                                         int64_t lanes, int64_t fewRows,
                                         ArrayRef<int64_t> ranges) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  double cost = 0;
  if (linalg::isParallelIterator(iterators[dim])) {
    for (OpOperand &operand : op.getDpsInitsMutable())
      if (getLaneAccess(op, operand, dim) != LaneAccess::Contiguous)
        return std::nullopt;
  } else {
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      if (!getLaneCombiner(op, i))
        return std::nullopt;
    // Combining the lanes.
    cost += 0.5;
  }
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (getLaneAccess(op, *operand, dim) != LaneAccess::Strided)
      continue;
    // Transposed blocks pay off where rows use them again.
    bool transposable = false, reused = false;
    for (auto [other, iterator] : llvm::enumerate(iterators)) {
      bool parallel = linalg::isParallelIterator(iterator);
      transposable |= (!parallel || op.getNumReductionLoops() == 0) &&
                      linalg::isParallelIterator(iterators[dim]) &&
                      isTransposable(op, *operand, dim, other);
      reused |=
          parallel && other != dim &&
          !op.getMatchingIndexingMap(operand).isFunctionOfDim(other) &&
          (ShapedType::isDynamic(ranges[other]) || ranges[other] > fewRows);
    }
    cost += transposable ? (reused ? 0.25 : 1.0) : 2.0;
  }
  // Lanes that stay empty.
  if (!ShapedType::isDynamic(ranges[dim]) && ranges[dim] < lanes)
    cost += 3.0 * (lanes - ranges[dim]) / lanes;
  return cost;
}

/// The dimension along which inputs of an elementwise op lie that are strided
/// along the lanes, if it has enough elements for a block.
static std::optional<unsigned> getBlockDim(linalg::LinalgOp op,
                                           unsigned laneDim, int64_t lanes,
                                           ArrayRef<int64_t> ranges) {
  for (OpOperand *operand : op.getDpsInputOperands())
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
      if (dim != laneDim && isTransposable(op, *operand, laneDim, dim) &&
          (ShapedType::isDynamic(ranges[dim]) || ranges[dim] >= lanes))
        return dim;
  return std::nullopt;
}

/// The dimension of an elementwise op along which an operand that differs from
/// lane to lane stays the same, so that what is computed from it alone is to be
/// kept over a loop.
static std::optional<unsigned> getInvariantDim(linalg::LinalgOp op,
                                               unsigned laneDim,
                                               ArrayRef<int64_t> ranges) {
  std::optional<unsigned> result;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    if (dim == laneDim || ranges[dim] == 1)
      continue;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (getLaneAccess(op, *operand, laneDim) != LaneAccess::Uniform &&
          !op.getMatchingIndexingMap(operand).isFunctionOfDim(dim))
        result = dim;
  }
  return result;
}

/// Lets a streamed contraction of few rows multiply pairs of bf16.
static void planDot(linalg::LinalgOp op, VectorPlan &plan) {
  auto factors = matchProductOfHalves(op);
  if (!factors || !getElementTypeOrSelf(plan.streamed->get()).isBF16())
    return;
  OpOperand *row =
      factors->first == plan.streamed ? factors->second : factors->first;
  if (plan.reducesLanes) {
    if (getLaneAccess(op, *row, plan.shape.laneDim) == LaneAccess::Contiguous)
      plan.dotRow = row;
    return;
  }
  if (plan.reductionDims != SmallVector<unsigned>{plan.streamDim} ||
      getLaneAccess(op, *row, plan.shape.laneDim) != LaneAccess::Uniform ||
      getLaneAccess(op, *row, plan.streamDim) != LaneAccess::Contiguous)
    return;
  plan.dotRow = row;
  plan.shape.stepDim = plan.streamDim;
  plan.steps = 2;
}

static FailureOr<VectorPlan> planVectors(linalg::LinalgOp op,
                                         const VectorizeBuffersOptions &options,
                                         std::string &reason) {
  if (!op.hasPureBufferSemantics()) {
    reason = "it is not on buffers";
    return failure();
  }
  if (op.getNumLoops() == 0) {
    reason = "it has no dimension";
    return failure();
  }
  if (!isVectorizablePayload(op, reason))
    return failure();
  if (!hasPlainOutputs(op)) {
    reason = "an output is not indexed by exactly the parallel dimensions";
    return failure();
  }

  // 1. Lanes.
  VectorPlan plan;
  int64_t lanes = getLanes(op, options.vectorBits);
  SmallVector<int64_t> ranges = getMaxRanges(op);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  std::optional<double> best;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    std::optional<double> cost =
        getLaneCost(op, dim, lanes, getMostFewRows(options), ranges);
    if (cost && (!best || *cost <= *best)) {
      best = cost;
      plan.shape.laneDim = dim;
    }
  }
  if (!best) {
    reason = "no dimension is contiguous in the outputs, or reduced by a known "
             "combiner";
    return failure();
  }
  unsigned laneDim = plan.shape.laneDim;
  int64_t range = ranges[laneDim];
  if (!ShapedType::isDynamic(range))
    lanes = std::min<int64_t>(lanes,
                              llvm::PowerOf2Ceil(std::max<int64_t>(range, 1)));
  if (lanes < 2) {
    reason = "vectors would have one lane";
    return failure();
  }
  plan.shape.lanes = lanes;
  plan.reducesLanes = linalg::isReductionIterator(iterators[laneDim]);

  // 2. The register tile.
  for (auto [dim, iterator] : llvm::enumerate(iterators))
    if (linalg::isReductionIterator(iterator) && dim != laneDim)
      plan.reductionDims.push_back(dim);
  bool accumulates = !plan.reducesLanes && !plan.reductionDims.empty();
  if (accumulates)
    for (OpOperand *operand : op.getDpsInputOperands())
      for (unsigned &dim : plan.reductionDims)
        if (plan.transposed.empty() &&
            isTransposable(op, *operand, laneDim, dim)) {
          plan.transposed.push_back(operand);
          plan.shape.stepDim = dim;
          plan.steps = lanes;
          std::swap(dim, plan.reductionDims.back());
          break;
        }
  // One unordered test sees two numbers.
  if (accumulates && plan.transposed.empty() && getExtremum(op)) {
    plan.shape.stepDim = plan.reductionDims.back();
    plan.steps = 2;
  }
  if (accumulates || plan.reducesLanes) {
    for (auto [dim, iterator] : llvm::enumerate(iterators)) {
      if (dim == laneDim || !linalg::isParallelIterator(iterator) ||
          ranges[dim] == 1)
        continue;
      bool reuses = llvm::any_of(
          op.getDpsInputOperands(), [&, d = unsigned(dim)](OpOperand *operand) {
            return getLaneAccess(op, *operand, laneDim) !=
                       LaneAccess::Uniform &&
                   !op.getMatchingIndexingMap(operand).isFunctionOfDim(d);
          });
      if (reuses || plan.reducesLanes)
        plan.shape.rowDim = dim;
    }
  }
  if (plan.reducesLanes) {
    plan.rows = 4;
  } else if (accumulates && !plan.shape.rowDim) {
    // Enough of them to hide the latency of one.
    plan.vectors = options.numRegisters / 4;
    if (!ShapedType::isDynamic(range))
      plan.vectors = std::clamp<int64_t>(range / lanes, 1, plan.vectors);
  } else if (accumulates) {
    bool transposes = !plan.transposed.empty();
    plan.vectors = transposes ? 1 : 2;
    // What is loaded takes a register for each vector, and one for the row.
    plan.rows = transposes
                    ? options.numRegisters / 2
                    : std::clamp<int64_t>((options.numRegisters - 3) / 2, 1, 8);
  }
  std::optional<FewRows> fewRows =
      getFewRows(op, laneDim, ranges, getMostFewRows(options));
  if (fewRows && (accumulates || plan.reducesLanes) &&
      plan.transposed.empty()) {
    plan.shape.rowDim = fewRows->rowDim;
    plan.rows = ranges[fewRows->rowDim];
    // As many vectors as there are registers to accumulate them.
    int64_t most = options.numRegisters / 2 / plan.rows;
    for (plan.vectors = 1; accumulates && plan.vectors * 2 <= most &&
                           range % (plan.vectors * 2 * lanes) == 0;)
      plan.vectors *= 2;
    plan.streamed = fewRows->streamed;
    plan.streamDim = fewRows->streamDim;
    // Lanes of as many sums are combined as there are lanes, or registers.
    if (plan.reducesLanes && op.getNumDpsInits() == 1) {
      int64_t sums = std::min(lanes, options.numRegisters / 2);
      int64_t steps = sums / int64_t(llvm::PowerOf2Ceil(plan.rows));
      if (steps > 1 && getLaneAccess(op, *op.getDpsInitOperand(0),
                                     plan.streamDim) == LaneAccess::Contiguous) {
        plan.shape.stepDim = plan.streamDim;
        plan.steps = std::min<int64_t>(steps, 4);
      }
    }
    int64_t bytes = llvm::divideCeil(
        getElementTypeOrSelf(plan.streamed->get()).getIntOrFloatBitWidth(), 8);
    bool isRow = plan.reducesLanes && !ShapedType::isDynamic(range);
    int64_t stripLanes = plan.vectors * lanes;
    if (accumulates && !ShapedType::isDynamic(range) && range > stripLanes &&
        range % stripLanes == 0 &&
        plan.reductionDims == SmallVector<unsigned>{plan.streamDim}) {
      plan.strips = range / stripLanes;
      plan.streamBlock =
          std::max<int64_t>(kBytesAhead / (bytes * range), kLeastStreamBlock);
      isRow = true;
    }
    plan.ahead =
        llvm::divideCeil(kBytesAhead, bytes * (isRow ? range : stripLanes));
    if (options.dotBF16 && lanes == 16)
      planDot(op, plan);
  }
  if (!plan.shape.rowDim) {
    plan.rows = 1;
  } else if (int64_t size = ranges[*plan.shape.rowDim];
             !ShapedType::isDynamic(size)) {
    plan.rows = std::min(plan.rows, std::max<int64_t>(size, 1));
    plan.restRows = size % plan.rows;
  }
  if (!ShapedType::isDynamic(range) && range < plan.vectors * lanes)
    plan.vectors = 1;

  if (plan.reductionDims.empty() && !plan.reducesLanes) {
    plan.shape.stepDim = getBlockDim(op, laneDim, lanes, ranges);
    if (plan.shape.stepDim) {
      plan.steps = lanes;
      for (OpOperand *operand : op.getDpsInputOperands())
        if (isTransposable(op, *operand, laneDim, *plan.shape.stepDim))
          plan.transposed.push_back(operand);
    } else {
      plan.shape.rowDim = getInvariantDim(op, laneDim, ranges);
    }
  }

  // 3. Loops.
  for (auto [dim, iterator] : llvm::enumerate(iterators))
    if (linalg::isParallelIterator(iterator) && dim != laneDim &&
        dim != plan.shape.rowDim &&
        (dim != plan.shape.stepDim || plan.reducesLanes))
      plan.outerDims.push_back(dim);
  if (accumulates && plan.transposed.empty() && !plan.streamed)
    plan.packed = planPackedContraction(op, plan.shape, plan.rows, plan.vectors,
                                        ranges, options.dotBF16);
  return plan;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
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
  Values
  emitReductionLoops(unsigned position, ValueRange carried,
                     function_ref<Values(int64_t steps, ValueRange)> body);
  /// Blocks of `plan.steps` steps along shape.stepDim; returns their end.
  OpFoldResult emitSteps(OpFoldResult from, OpFoldResult to, Values &values,
                         function_ref<Values(int64_t steps, ValueRange)> body);

  void emitElementwise();
  void emitAccumulations();
  void emitStreamBlocks();
  void emitAccumulation(int64_t rows, int64_t vectors, Value mask);
  void prefetchStream(VectorTile &tile, int64_t vectors, int64_t steps);
  Values emitDots(VectorTile &tile, ArrayRef<TilePoint> points, int64_t vectors,
                  ValueRange sums);
  void emitLaneReduction(int64_t rows);
  Values emitLaneDots(ArrayRef<TilePoint> points, ValueRange sums);
  void storeTogether(ArrayRef<TilePoint> points, ArrayRef<Value> accumulators);

  /// Adds one accumulator for each of those of an extremum, which are numbers:
  /// -0.0, or NaN if a term was.
  void addNaNTests(Values &accumulators);
  /// Combines `terms` with `accumulator`, and tests them for NaN.
  void combineExtremum(Value &accumulator, Value &test, ArrayRef<Value> terms);
  /// The accumulators after addNaNTests, each combined with its test.
  Values resolveNaNTests(ValueRange accumulators);

  VectorTile makeTile(Value mask = {}) {
    return VectorTile(b, op, plan.shape, ivs, mask,
                      mask ? getValueOrCreateConstantIndexOp(
                                 b, loc, sizes[plan.shape.laneDim])
                           : Value());
  }

  const VectorPlan &plan;
  std::optional<Extremum> extremum;
  /// For each output, what it is known to be filled with.
  SmallVector<Value> fills;
  /// Steps along a parallel plan.shape.stepDim of the tile at hand.
  int64_t blockSteps = 1;
  /// The part of plan.streamDim that is passed over strip by strip.
  std::optional<std::pair<Value, Value>> streamBlock;
};
} // namespace

void LoopEmitter::emitOuterLoops(unsigned position) {
  if (position < plan.outerDims.size()) {
    unsigned dim = plan.outerDims[position];
    OpFoldResult from = b.getIndexAttr(0);
    if (plan.reducesLanes && dim == plan.shape.stepDim) {
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
  if (plan.reducesLanes)
    return emitRowBlocks(plan.shape.rowDim, plan.rows, plan.restRows,
                         [&](int64_t rows) { emitLaneReduction(rows); });
  if (plan.reductionDims.empty())
    return emitElementwise();
  if (plan.streamBlock > 0)
    return emitStreamBlocks();
  emitAccumulations();
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

/// The accumulators stay in memory from one block to the next.
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
             return emitBlock(ivs[dim],
                              affine::makeComposedFoldedAffineApply(
                                  b, loc, b.getAffineDimExpr(0) +
                                              plan.streamBlock,
                                  OpFoldResult(ivs[dim])));
           });
  if (getConstantIntValue(whole) && whole == sizes[dim])
    return;
  emitBlock(whole, sizes[dim]);
}

/// What a block of strips asks for while it passes over a strip row by row is
/// one row after another, in as many parts as there are strips.
void LoopEmitter::prefetchStream(VectorTile &tile, int64_t vectors,
                                 int64_t steps) {
  auto prefetch = [&](VectorTile &at, int64_t step) {
    for (int64_t vector = 0; vector < vectors; ++vector)
      at.prefetch(*plan.streamed, {0, vector, step}, plan.streamDim,
                  plan.ahead);
  };
  if (!streamBlock) {
    for (int64_t step = 0; step < steps; ++step)
      prefetch(tile, step);
    return;
  }
  unsigned laneDim = plan.shape.laneDim;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value width = constant(plan.vectors * plan.shape.lanes);
  Value rows =
      arith::SubIOp::create(b, loc, streamBlock->second, streamBlock->first);
  Value first = arith::AddIOp::create(
      b, loc,
      arith::MulIOp::create(
          b, loc, arith::DivUIOp::create(b, loc, ivs[laneDim], width), rows),
      arith::SubIOp::create(b, loc, ivs[plan.streamDim], streamBlock->first));
  for (int64_t step = 0; step < steps; ++step) {
    Value part = arith::AddIOp::create(b, loc, first, constant(step));
    Values at(ivs);
    at[plan.streamDim] = arith::AddIOp::create(
        b, loc, streamBlock->first,
        arith::DivUIOp::create(b, loc, part, constant(plan.strips)));
    at[laneDim] = arith::MulIOp::create(
        b, loc, arith::RemUIOp::create(b, loc, part, constant(plan.strips)),
        width);
    VectorTile ahead(b, op, plan.shape, at);
    prefetch(ahead, 0);
  }
}

SmallVector<Value> LoopEmitter::emitReductionLoops(
    unsigned position, ValueRange carried,
    function_ref<Values(int64_t, ValueRange)> body) {
  if (position == plan.reductionDims.size())
    return body(1, carried);
  unsigned dim = plan.reductionDims[position];
  OpFoldResult from = b.getIndexAttr(0), to = sizes[dim];
  Values values(carried);
  if (streamBlock)
    std::tie(from, to) = *streamBlock;
  if (dim == plan.shape.stepDim)
    from = emitSteps(from, to, values, body);
  return emitLoop(dim, from, to, 1, values, [&](ValueRange args) {
    return emitReductionLoops(position + 1, args, body);
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

// The maximum that keeps NaN takes four dependent instructions on x86. One that
// ignores it takes one, and a test for NaN of two terms another two.

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
  // False for NaN: the accumulator stays.
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

/// No reduction: what all lanes share, or all rows, is computed in front of
/// their loop. Inputs that are strided along the lanes are loaded in blocks.
void LoopEmitter::emitElementwise() {
  std::optional<unsigned> innerDim =
      plan.shape.stepDim ? plan.shape.stepDim : plan.shape.rowDim;
  IRMapping uniform;
  if (!innerDim)
    uniform = makeTile().evaluateUniform({});
  emitLaneBlocks(
      plan.shape.laneDim, plan.shape.lanes, plan.vectors, {},
      [&](int64_t, Value mask, ValueRange) {
        IRMapping invariant =
            innerDim ? makeTile(mask).evaluateInvariant(*innerDim) : uniform;
        auto emitVectors = [&](int64_t steps, ValueRange = {}) {
          VectorTile tile = makeTile(mask);
          if (steps > 1)
            for (OpOperand *operand : plan.transposed)
              tile.loadTransposed(*operand, {});
          for (int64_t step = 0; step < steps; ++step) {
            TilePoint point{0, 0, step};
            Values results =
                tile.evaluate(point, Values(op.getNumDpsInits()), &invariant);
            for (auto [number, value] : llvm::enumerate(results))
              tile.store(*op.getDpsInitOperand(number), point, value);
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

/// Adds two products of bf16 at a time: pairs of neighbours of a row, and two
/// vectors of the streamed operand whose lanes take turns.
SmallVector<Value> LoopEmitter::emitDots(VectorTile &tile,
                                         ArrayRef<TilePoint> points,
                                         int64_t vectors, ValueRange sums) {
  int64_t lanes = plan.shape.lanes;
  Values pairs, results(sums);
  for (int64_t vector = 0; vector < vectors; ++vector)
    pairs.push_back(vector::InterleaveOp::create(
        b, loc, tile.load(*plan.streamed, {0, vector, 0}),
        tile.load(*plan.streamed, {0, vector, 1})));
  VectorTile alongSteps(
      b, op, {plan.streamDim, plan.shape.rowDim, std::nullopt, /*lanes=*/2},
      ivs);
  auto word = VectorType::get({1}, b.getI32Type()),
       words = VectorType::get({lanes}, b.getI32Type()),
       halves = VectorType::get({2 * lanes}, b.getBF16Type());
  for (auto [number, point] : llvm::enumerate(points)) {
    Value bits = vector::ExtractOp::create(
        b, loc,
        vector::BitCastOp::create(
            b, loc, word, alongSteps.load(*plan.dotRow, {point.row, 0, 0})),
        0);
    Value factor = vector::BitCastOp::create(
        b, loc, halves, vector::BroadcastOp::create(b, loc, words, bits));
    Value &sum = results[number];
    sum = x86vector::DotBF16Op::create(b, loc, sum.getType(), sum,
                                       pairs[point.vector], factor);
  }
  return results;
}

/// Lanes along a parallel dimension; each vector of the tile accumulates in a
/// register of its own.
void LoopEmitter::emitAccumulation(int64_t rows, int64_t vectors, Value mask) {
  SmallVector<TilePoint> points;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t vector = 0; vector < vectors; ++vector)
      points.push_back({row, vector, 0});
  unsigned numOutputs = op.getNumDpsInits();

  // What a sum starts from may be that of many tiles before, to whose magnitude
  // each term would be rounded: it is added at the end.
  SmallVector<TypedAttr> zeros;
  for (unsigned i = 0; i < numOutputs; ++i) {
    auto add = dyn_cast_or_null<arith::AddFOp>(getLaneCombiner(op, i));
    zeros.push_back(add && !fills[i] ? *arith::getNeutralElement(add)
                                     : TypedAttr());
  }

  VectorTile outside = makeTile(mask);
  Values accumulators;
  for (TilePoint point : points)
    for (auto [number, output] : llvm::enumerate(op.getDpsInitsMutable())) {
      Value start = fills[number];
      if (zeros[number])
        start = arith::ConstantOp::create(b, loc, zeros[number]);
      accumulators.push_back(
          outside.toVector(start ? start : outside.load(output, point)));
    }
  if (extremum)
    addNaNTests(accumulators);
  accumulators =
      emitReductionLoops(0, accumulators, [&](int64_t steps, ValueRange args) {
        Values values(args);
        VectorTile tile = makeTile(mask);
        if (steps > 1)
          for (OpOperand *operand : plan.transposed)
            for (int64_t vector = 0; vector < vectors; ++vector)
              tile.loadTransposed(*operand, {0, vector, 0});
        if (plan.streamed && !mask)
          prefetchStream(tile, vectors, steps);
        if (plan.dotRow && steps > 1)
          return emitDots(tile, points, vectors, values);
        if (extremum) {
          for (auto [number, point] : llvm::enumerate(points)) {
            Values terms;
            for (int64_t step = 0; step < steps; ++step)
              terms.push_back(tile.toVector(
                  tile.evaluateTerm({point.row, point.vector, step},
                                    extremum->combiner, extremum->term)));
            combineExtremum(values[number], values[points.size() + number],
                            terms);
          }
          return values;
        }
        for (int64_t step = 0; step < steps; ++step)
          for (auto [number, point] : llvm::enumerate(points)) {
            MutableArrayRef<Value> outputs =
                MutableArrayRef<Value>(values).slice(number * numOutputs,
                                                     numOutputs);
            Values results =
                tile.evaluate({point.row, point.vector, step}, outputs);
            for (auto [output, result] : llvm::zip_equal(outputs, results))
              output = tile.toVector(result);
          }
        return values;
      });
  if (extremum)
    accumulators = resolveNaNTests(accumulators);
  VectorTile after = makeTile(mask);
  for (auto [number, point] : llvm::enumerate(points))
    for (unsigned i = 0; i < numOutputs; ++i) {
      OpOperand &output = *op.getDpsInitOperand(i);
      Value value = accumulators[number * numOutputs + i];
      if (zeros[i])
        value = arith::AddFOp::create(
            b, loc, after.toVector(after.load(output, point)), value);
      after.store(output, point, value);
    }
}

/// Adds two products of bf16 at a time, which are side by side in both factors.
SmallVector<Value> LoopEmitter::emitLaneDots(ArrayRef<TilePoint> points,
                                             ValueRange sums) {
  VectorTileShape shape = plan.shape;
  shape.lanes *= 2;
  return emitLaneBlocks(
      shape.laneDim, shape.lanes, 1, sums,
      [&](int64_t, Value mask, ValueRange args) {
        VectorTile tile(b, op, shape, ivs, mask,
                        mask ? getValueOrCreateConstantIndexOp(
                                   b, loc, sizes[shape.laneDim])
                             : Value());
        if (!mask)
          for (int64_t step = 0; step < blockSteps; ++step)
            tile.prefetch(*plan.streamed, {0, 0, step}, plan.streamDim,
                          plan.ahead);
        Values results(args);
        // Lanes that are not there are 0 in both.
        for (auto [number, point] : llvm::enumerate(points))
          results[number] = x86vector::DotBF16Op::create(
              b, loc, results[number].getType(), results[number],
              tile.load(*plan.streamed, point), tile.load(*plan.dotRow, point));
        return results;
      });
}

/// Lanes along a reduction: each accumulates its share from the neutral
/// element, and they are combined at the end.
void LoopEmitter::emitLaneReduction(int64_t rows) {
  unsigned numOutputs = op.getNumDpsInits();
  // In the order in which combineLanes puts steps of a row side by side: as many
  // rows as a vector has 128 bits, steps, further rows.
  int64_t bits = getElementTypeOrSelf(op.getDpsInits().front())
                     .getIntOrFloatBitWidth(),
          apart = std::max<int64_t>(plan.shape.lanes * bits / 128, 1);
  SmallVector<TilePoint> points;
  for (int64_t base = 0; base < rows; base += apart)
    for (int64_t step = 0; step < blockSteps; ++step)
      for (int64_t row = base; row < std::min(base + apart, rows); ++row)
        points.push_back({row, 0, step});
  Values accumulators;
  for (size_t point = 0; point < points.size(); ++point)
    for (unsigned i = 0; i < numOutputs; ++i) {
      TypedAttr neutral = *arith::getNeutralElement(getLaneCombiner(op, i));
      auto type = VectorType::get({plan.shape.lanes}, neutral.getType());
      accumulators.push_back(arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, Attribute(neutral))));
    }

  if (extremum)
    addNaNTests(accumulators);
  accumulators =
      emitReductionLoops(0, accumulators, [&](int64_t, ValueRange args) {
        if (plan.dotRow)
          return emitLaneDots(points, args);
        VectorTile shared = makeTile();
        SmallVector<IRMapping> uniform;
        for (TilePoint point : points)
          uniform.push_back(shared.evaluateUniform(point));
        return emitLaneBlocks(
            plan.shape.laneDim, plan.shape.lanes, plan.vectors, args,
            [&](int64_t, Value mask, ValueRange args) {
              VectorTile tile = makeTile(mask);
              if (plan.streamed && !mask)
                for (int64_t step = 0; step < blockSteps; ++step)
                  tile.prefetch(*plan.streamed, {0, 0, step}, plan.streamDim,
                                plan.ahead);
              Values values(args);
              for (auto [number, point] : llvm::enumerate(points)) {
                if (extremum) {
                  Value term = tile.toVector(
                      tile.evaluateTerm(point, extremum->combiner,
                                        extremum->term, &uniform[number]));
                  // A lane that is not there changes nothing.
                  if (mask)
                    term = arith::SelectOp::create(b, loc, mask, term,
                                                   values[number]);
                  combineExtremum(values[number],
                                  values[points.size() + number], term);
                  continue;
                }
                MutableArrayRef<Value> outputs =
                    MutableArrayRef<Value>(values).slice(number * numOutputs,
                                                         numOutputs);
                Values results =
                    tile.evaluate(point, outputs, &uniform[number]);
                for (auto [output, result] :
                     llvm::zip_equal(outputs, results)) {
                  result = tile.toVector(result);
                  output = mask ? arith::SelectOp::create(b, loc, mask, result,
                                                          output)
                                : result;
                }
              }
              return values;
            });
      });
  if (extremum)
    accumulators = resolveNaNTests(accumulators);
  if (blockSteps > 1)
    return storeTogether(points, accumulators);

  VectorTile after = makeTile();
  for (auto [number, point] : llvm::enumerate(points))
    for (unsigned i = 0; i < numOutputs; ++i) {
      Operation *combiner = getLaneCombiner(op, i);
      vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
      Value lanes = accumulators[number * numOutputs + i];
      // The order is given up already.
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
  Value lanes = combineLanes(b, loc, kind, accumulators, sources);
  llvm::SmallBitVector stored(points.size());
  VectorTile tile = makeTile();
  for (int64_t lane = 0, end = sources.size(); lane < end; ++lane) {
    // Results may be in several lanes.
    TilePoint first = points[sources[lane]];
    int64_t count = 0;
    for (; lane + count < end && !stored[sources[lane + count]]; ++count) {
      TilePoint next = points[sources[lane + count]];
      if (next.row != first.row || next.step != first.step + count)
        break;
      stored.set(sources[lane + count]);
    }
    if (count == 0)
      continue;
    Value value = vector::ExtractStridedSliceOp::create(
        b, loc, lanes, ArrayRef<int64_t>{lane}, ArrayRef<int64_t>{count},
        ArrayRef<int64_t>{1});
    auto type = cast<VectorType>(value.getType());
    Value start = fills[0]
                      ? vector::BroadcastOp::create(b, loc, type, fills[0])
                      : tile.loadSteps(*output, first, type);
    value = vector::makeArithReduction(b, loc, kind, value, start);
    tile.storeSteps(*output, first, value);
    lane += count - 1;
  }
}

void LoopEmitter::run() { emitOuterLoops(0); }

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
    // Fills of other outputs may lie between.
    if (fill &&
        !llvm::is_contained(op.getDpsInits(), fill.getDpsInits().front()))
      return nullptr;
  }
  return nullptr;
}

LogicalResult
mlir::linalg_ext::vectorizeBuffers(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const VectorizeBuffersOptions &options) {
  std::string reason;
  FailureOr<VectorPlan> plan = planVectors(op, options, reason);
  if (failed(plan))
    return rewriter.notifyMatchFailure(op, reason);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<linalg::FillOp> fills;
  for (Value output : op.getDpsInits())
    fills.push_back(plan->streamBlock > 0 ? linalg::FillOp()
                                          : getAbsorbedFill(op, output));
  if (plan->packed)
    emitPackedContraction(rewriter, op, *plan->packed,
                          fills.front() ? fills.front().value() : Value());
  else
    LoopEmitter(rewriter, op, *plan, fills).run();
  rewriter.eraseOp(op);
  for (linalg::FillOp fill : fills)
    if (fill)
      rewriter.eraseOp(fill);
  return success();
}

namespace {
struct LinalgExtVectorizeBuffersPass
    : public linalg_ext::impl::LinalgExtVectorizeBuffersPassBase<
          LinalgExtVectorizeBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    VectorizeBuffersOptions options;
    options.vectorBits = vectorBits;
    options.numRegisters = numRegisters;
    options.dotBF16 = dotBF16;
    if (options.vectorBits < 64 || !llvm::isPowerOf2_64(options.vectorBits) ||
        options.numRegisters < 4) {
      emitError(getOperation()->getLoc())
          << "expected 'vector-bits' to be a power of 2 of at least 64 and "
             "'num-registers' to be at least 4, got "
          << options.vectorBits << " and " << options.numRegisters;
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    // A copy between views would become a call to a runtime library.
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp op) {
      if (isa<MemRefType>(op.getSource().getType()) &&
          isa<MemRefType>(op.getTarget().getType()))
        copies.push_back(op);
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    }
    // Fills last: reductions absorb them.
    for (bool isFill : {false, true}) {
      SmallVector<linalg::LinalgOp> ops;
      getOperation()->walk([&](linalg::LinalgOp op) {
        if (isa<linalg::FillOp>(op) == isFill)
          ops.push_back(op);
      });
      for (linalg::LinalgOp op : ops)
        if (failed(vectorizeBuffers(rewriter, op, options)))
          LDBG() << "not vectorised: " << op;
    }
  }
};
} // namespace
