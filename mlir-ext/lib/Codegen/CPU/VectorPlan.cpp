//===- VectorPlan.cpp - Vectorisation plan of an op -----------------------===//
//
// See VectorPlan.h. Makes three choices for an op:
//
//   1. Choose the lane dimension with the least cost. Strided operands, a
//      reduction over the lanes and empty lanes have a cost.
//   2. Choose a register tile with as many accumulators as fit into registers.
//      A contraction with few rows follows the order of the other operand in
//      memory (docs/Rationale/CPU.md).
//   3. Choose the order of the loops.
//
//===----------------------------------------------------------------------===//

#include "VectorPlan.h"
#include "InvariantFactor.h"

#include "mlir-ext/Selection/CPUTileSizes.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

int64_t mlir::linalg_ext::getElementBits(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

/// Returns the most lanes along `laneDim` for which no vector of the payload is
/// larger than a register. What is the same in all lanes stays a scalar.
static int64_t getLanes(linalg::LinalgOp op, int64_t vectorBits,
                        unsigned laneDim) {
  unsigned bits = 8;
  auto visit = [&](Type type) {
    type = getElementTypeOrSelf(type);
    if (type.isIntOrFloat())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  };
  llvm::SmallPtrSet<Value, 16> vectors;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand) ||
        getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform) {
      vectors.insert(op.getMatchingBlockArgument(&operand));
      visit(operand.get().getType());
    }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!(index && index.getDim() == laneDim) &&
        llvm::none_of(inner.getOperands(),
                      [&](Value value) { return vectors.contains(value); }))
      continue;
    vectors.insert_range(inner.getResults());
    llvm::for_each(inner.getResultTypes(), visit);
  }
  return vectorBits / bits;
}

/// Returns the most elements that dimension `dim` of `buffer` may have. A view
/// is no larger than the buffer that it views.
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

/// Returns the largest number of iterations of each dimension, where it is
/// known. A register tile is chosen for a whole tile; a tile at the border is
/// computed vector by vector.
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

/// Returns whether every output has all parallel dimensions and no reduction
/// dimension.
static bool hasPlainOutputs(linalg::LinalgOp op) {
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (map.isFunctionOfDim(dim) != linalg::isParallelIterator(iterator))
        return false;
  }
  return true;
}

Operation *mlir::linalg_ext::getLaneCombiner(linalg::LinalgOp op,
                                             unsigned number) {
  // No other output may be read, since it is a partial result, too.
  std::optional<CombinedReduction> reduction = getReduction(op, number);
  return reduction ? reduction->combiner : nullptr;
}

int64_t mlir::linalg_ext::getMostFewRows(int64_t numRegisters) {
  return numRegisters / 4;
}

/// Returns how many bytes to prefetch ahead for `rows` rows of elements of
/// `bytes` bytes. With many rows, memory waits for the products at times. It
/// makes up for this if the prefetches go twice as far ahead.
static int64_t getBytesAhead(int64_t rows, int64_t bytes) {
  return rows >= 4 * bytes ? 2 * CPUTarget::kBytesAhead
                           : CPUTarget::kBytesAhead;
}

/// The fewest bytes for which columns that are read together are streams of
/// their own. Fewer are in the second cache.
static constexpr int64_t kLeastBytesOfStream = 1 << 16;

/// The most iterations of a dimension that is unrolled: the number of integers
/// of 4 bits in a word.
static constexpr int64_t kMostUnrolled = 8;

/// The fewest rows of bytes that are copied. Fewer are one block of rows.
static constexpr int64_t kLeastRowsOfPanel = 2;

/// Of how many registers one holds a vector that an elementwise op keeps for a
/// long column. The others hold what is computed of it in a row.
static constexpr int64_t kRegistersOfVectorOfRow = 8;

/// The fewest rows of a block of strips for which it pays to load the
/// accumulators again.
static constexpr int64_t kLeastStreamBlock = 8;

/// The same if a factor multiplies the sums of a block.
static constexpr int64_t kLeastScaledBlock = 16;

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

/// Returns whether `op` is a contraction, or sums products of which it also
/// computes a factor.
static bool sumsProducts(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return true;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return false;
  SmallVector<Operation *> combiners;
  BlockArgument sum = op.getRegionOutputArgs().front();
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || !sum.hasOneUse() ||
      !isa<arith::AddFOp, arith::AddIOp>(combiners.front()))
    return false;
  unsigned side = combiners.front()->getOperand(0) == sum ? 1 : 0;
  return isa_and_nonnull<arith::MulFOp, arith::MulIOp>(
      combiners.front()->getOperand(side).getDefiningOp());
}

namespace {
/// A product of few rows of bytes, fours of which an instruction multiplies.
struct BytesOfLanes {
  StepDot dot = StepDot::None;
  OpOperand *streamed = nullptr, *row = nullptr;
  /// See VectorPlan.
  bool invertsStream = false;
};
} // namespace

/// Returns how to multiply fours of bytes along `laneDim`, the only sum of
/// `op`. Returns std::nullopt if there is no instruction for it, if the bytes
/// of a factor do not follow each other, or if what makes up for inverted bits
/// would not be the same in all loops.
static std::optional<BytesOfLanes>
getBytesOfLanes(linalg::LinalgOp op, unsigned laneDim, ArrayRef<int64_t> ranges,
                const VectorizeBuffersOptions &options) {
  auto factors = matchProductOfBytes(op);
  if (!factors || op.getNumReductionLoops() != 1 ||
      !linalg::isReductionIterator(op.getIteratorTypesArray()[laneDim]))
    return std::nullopt;
  BytesOfLanes result;
  if (options.byteProducts == ByteProducts::Fours)
    result.dot = StepDot::MixedBytes;
  else if (options.byteProducts == ByteProducts::SignedFours)
    result.dot = StepDot::SignedBytes;
  else
    return std::nullopt;
  for (OpOperand *operand : {factors->first, factors->second}) {
    if (getLaneAccess(op, *operand, laneDim) != LaneAccess::Contiguous)
      return std::nullopt;
    if (!result.streamed && meetsFewRows(op, op.getMatchingIndexingMap(operand),
                                         ranges, kFewRowsOfBytes))
      result.streamed = operand;
    else
      result.row = operand;
  }
  if (!result.streamed || !result.row)
    return std::nullopt;
  bool isStreamUnsigned = isUnsignedFactor(op, *result.streamed),
       isRowUnsigned = isUnsignedFactor(op, *result.row);
  // Rows of other signedness would take a sum for each column.
  if (result.dot == StepDot::SignedBytes && isRowUnsigned)
    return std::nullopt;
  result.invertsStream = result.dot == StepDot::SignedBytes
                             ? isStreamUnsigned
                             : isStreamUnsigned == isRowUnsigned;
  AffineMap ofStream = op.getMatchingIndexingMap(result.streamed),
            ofRow = op.getMatchingIndexingMap(result.row);
  for (unsigned dim = 0; result.invertsStream && dim < op.getNumLoops(); ++dim)
    if (dim != laneDim && ranges[dim] != 1 && ofStream.isFunctionOfDim(dim) &&
        ofRow.isFunctionOfDim(dim))
      return std::nullopt;
  return result;
}

static std::optional<FewRows> getFewRows(linalg::LinalgOp op, unsigned laneDim,
                                         ArrayRef<int64_t> ranges,
                                         int64_t mostRows) {
  if (!sumsProducts(op))
    return std::nullopt;
  // If there is only one row, any dimension of it will do.
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
          !meetsFewRows(op, map, ranges, mostRows) ||
          (getLaneAccess(op, *operand, laneDim) != LaneAccess::Contiguous &&
           !getPartOfWord(op, *operand, laneDim)))
        continue;
      // A dimension of one element does not separate rows of the operand, such
      // as the head of a page that has the heads inside of rows.
      ArrayRef<AffineExpr> outer = map.getResults().drop_back(
          getPartOfWord(op, *operand, laneDim) ? 2 : 1);
      if (outer.empty())
        continue;
      auto next = dyn_cast<AffineDimExpr>(outer.back());
      while (next && ranges[next.getPosition()] == 1 && outer.size() > 1) {
        outer = outer.drop_back();
        next = dyn_cast<AffineDimExpr>(outer.back());
      }
      if (next && next.getPosition() != laneDim)
        return FewRows{dim, operand, next.getPosition()};
    }
  }
  return std::nullopt;
}

std::optional<Extremum> mlir::linalg_ext::getExtremum(linalg::LinalgOp op) {
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

/// Returns the dimension of the few rows of a contraction of pairs of bf16 that
/// multiply the same elements of `operand`, if transposing blocks of the
/// operand is cheaper than combining the lanes of the sums of the rows. With W
/// lanes, a block of W by W pairs takes W log2 W shuffles. W sums of a row take
/// 2 W shuffles and W additions at the end. Blocks are not read in the order of
/// memory, so they must take at most a third as many instructions
/// (docs/Decisions/0022).
static std::optional<unsigned>
getRowsToTransposeFor(linalg::LinalgOp op, OpOperand &operand, unsigned laneDim,
                      unsigned stepDim, ArrayRef<int64_t> ranges,
                      const VectorizeBuffersOptions &options) {
  int64_t lanes = getLanes(op, options.vectorBits, laneDim);
  auto factors = matchProductOfHalves(op);
  if (!factors || !options.dotBF16 || lanes != 16 ||
      !getElementTypeOrSelf(operand.get()).isBF16() ||
      !linalg::isaContractionOpInterface(op) || op.getNumReductionLoops() != 1)
    return std::nullopt;
  OpOperand *row =
      factors->first == &operand ? factors->second : factors->first;
  int64_t range = op.getStaticLoopRanges()[stepDim], steps = 2 * lanes;
  if (getLaneAccess(op, *row, laneDim) != LaneAccess::Uniform ||
      getLaneAccess(op, *row, stepDim) != LaneAccess::Contiguous ||
      ShapedType::isDynamic(range) || range % steps != 0)
    return std::nullopt;
  int64_t least = range / steps * llvm::Log2_64(lanes);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && dim != laneDim &&
        !map.isFunctionOfDim(dim) && !ShapedType::isDynamic(ranges[dim]) &&
        ranges[dim] >= std::max<int64_t>(least, 2) &&
        ranges[dim] <= getMostFewRows(options.numRegisters))
      return dim;
  return std::nullopt;
}

/// Returns the cost of lanes along `dim`, where lower is better, or
/// std::nullopt if `op` cannot be vectorised along it.
static std::optional<double>
getLaneCost(linalg::LinalgOp op, unsigned dim, ArrayRef<int64_t> ranges,
            const VectorizeBuffersOptions &options) {
  if (!canLoadInPayload(op, dim))
    return std::nullopt;
  int64_t lanes = getLanes(op, options.vectorBits, dim);
  int64_t fewRows = getMostFewRows(options.numRegisters);
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
    // This is the cost of combining the lanes. An instruction that multiplies
    // four bytes of each leaves few of them.
    bool isOfBytes = getBytesOfLanes(op, dim, ranges, options) &&
                     getFewRows(op, dim, ranges, kFewRowsOfBytes);
    cost += isOfBytes ? 0 : 0.5;
  }
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (getLaneAccess(op, *operand, dim) != LaneAccess::Strided)
      continue;
    // Transposed blocks pay if several rows use them.
    bool transposable = false, reused = false;
    for (auto [other, iterator] : llvm::enumerate(iterators)) {
      bool parallel = linalg::isParallelIterator(iterator);
      bool isBlock = (!parallel || op.getNumReductionLoops() == 0) &&
                     linalg::isParallelIterator(iterators[dim]) &&
                     isTransposable(op, *operand, dim, other);
      transposable |= isBlock;
      reused |=
          isBlock && !parallel &&
          getRowsToTransposeFor(op, *operand, dim, other, ranges, options);
      reused |=
          parallel && other != dim &&
          !op.getMatchingIndexingMap(operand).isFunctionOfDim(other) &&
          (ShapedType::isDynamic(ranges[other]) || ranges[other] > fewRows);
    }
    cost += transposable ? (reused ? 0.25 : 1.0) : 2.0;
  }
  // Lanes that stay empty cost as well.
  if (!ShapedType::isDynamic(ranges[dim]) && ranges[dim] < lanes)
    cost += 3.0 * (lanes - ranges[dim]) / lanes;
  return cost;
}

/// If some inputs of an elementwise op are strided along the lanes, returns the
/// dimension along which they are contiguous. It must have enough elements for
/// a block.
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

/// Returns a dimension of an elementwise op along which an operand that varies
/// along the lanes does not change. Values that are computed from this operand
/// alone are kept for the whole loop along it.
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

/// Whether the payload computes a vector along `laneDim` that does not change
/// along `dim`. Loads alone are not worth that it is kept.
static bool keepsResults(linalg::LinalgOp op, unsigned laneDim, unsigned dim) {
  // What changes along neither dimension is in no set.
  llvm::SmallPtrSet<Value, 16> changing, vectors;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument arg = op.getMatchingBlockArgument(&operand);
    if (op.isDpsInit(&operand) ||
        op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim))
      changing.insert(arg);
    else if (getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform)
      vectors.insert(arg);
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto reads = [&](const llvm::SmallPtrSet<Value, 16> &values) {
      return llvm::any_of(inner.getOperands(),
                          [&](Value value) { return values.contains(value); });
    };
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if ((index && index.getDim() == dim) || reads(changing))
      changing.insert_range(inner.getResults());
    else if (reads(vectors))
      return true;
    else if (index && index.getDim() == laneDim)
      vectors.insert_range(inner.getResults());
  }
  return false;
}

/// Whether a column of lines that an elementwise op reads or writes, one line
/// of each iteration of `dim`, may be larger than `cacheBytes`. The lines are
/// in different pages then, and none stays in the cache for its other vectors.
static bool isColumnLarge(linalg::LinalgOp op, unsigned laneDim, unsigned dim,
                          ArrayRef<int64_t> ranges, int64_t cacheBytes) {
  if (ShapedType::isDynamic(ranges[dim]))
    return true;
  int64_t lines = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim) &&
        getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform)
      lines += ranges[dim];
  return lines > cacheBytes / CPUTarget::kLineBytes;
}

/// If possible, lets a streamed contraction of few rows multiply fours of
/// bytes.
static void planByteDot(linalg::LinalgOp op, VectorPlan &plan,
                        ArrayRef<int64_t> ranges,
                        const VectorizeBuffersOptions &options) {
  unsigned laneDim = plan.shape.laneDim;
  auto bytes = getBytesOfLanes(op, laneDim, ranges, options);
  if (!bytes || bytes->streamed != plan.streamed ||
      plan.shape.lanes * 32 != options.vectorBits)
    return;
  // What is prepared in front of all loops does not change in them.
  AffineMap map = op.getMatchingIndexingMap(bytes->row);
  bool isInvariant = true;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    isInvariant &= dim == laneDim || dim == plan.shape.rowDim ||
                   ranges[dim] == 1 || !map.isFunctionOfDim(dim);
  if (bytes->invertsStream && !isInvariant)
    return;
  plan.packsRow = isInvariant && plan.rows >= kLeastRowsOfPanel;
  plan.invertsStream = bytes->invertsStream;
  plan.dotRow = bytes->row;
  plan.byteDot = bytes->dot;
}

/// If possible, lets a streamed contraction of few rows multiply pairs of bf16.
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
  if (!plan.transposed.empty()) {
    plan.dotRow = row;
    plan.steps = 2 * plan.shape.lanes;
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

namespace {
/// Plans the vectorisation of an op. Each method makes one decision.
class VectorPlanner {
public:
  VectorPlanner(linalg::LinalgOp op, const VectorizeBuffersOptions &options)
      : op(op), options(options), iterators(op.getIteratorTypesArray()) {}

  FailureOr<VectorPlan> plan(Refusal &refusal);

private:
  /// Chooses the lane dimension and the number of lanes.
  LogicalResult chooseLanes(Refusal &refusal);
  /// Chooses the dimensions of the register tile, and its size.
  void chooseTileDims();
  void chooseTileSize();
  /// Decides which operands are transposed in registers.
  void planTransposed();
  /// Decides the order of a product of few rows, which waits for an operand.
  void planFewRows();
  /// With `reducesLanes`: unrolls a short reduction dimension as well.
  void unroll();
  void planDigits();
  /// With lanes along a parallel dimension: the same, block by block of rows.
  void planColumnDigits();
  /// Moves short reduction dimensions, of which `streamed` does not have an
  /// element for each iteration, from the loops to the unrolled dimensions.
  void moveToUnrolled();
  /// With lanes along a parallel dimension: unrolls the parts of an integer,
  /// and finds a factor of the sums.
  void unrollParts();
  /// With `reducesLanes`: chooses how many sums are reduced over lanes at once.
  void chooseRowsTogether();
  /// Lets the columns that are read together be streams of their own.
  void spreadSteps();
  /// Bounds the tile by the sizes of the op.
  void boundTile();
  /// Without reductions: chooses how many blocks are transposed together, and
  /// how many vectors of a row are computed together.
  void chooseBlocks();
  void chooseInvariantDim();
  void chooseVectorsOfRow();
  /// Chooses the order of the loops, and whether packed operands are used.
  void chooseLoops();

  linalg::LinalgOp op;
  const VectorizeBuffersOptions &options;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> ranges;
  VectorPlan result;
  unsigned laneDim = 0;
  int64_t lanes = 0;
  /// The size of the lane dimension.
  int64_t range = 0;
  /// Whether sums of lanes are accumulated in registers.
  bool accumulates = false;
};
} // namespace

LogicalResult VectorPlanner::chooseLanes(Refusal &refusal) {
  ranges = getMaxRanges(op);
  std::optional<double> best;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    std::optional<double> cost = getLaneCost(op, dim, ranges, options);
    if (cost && (!best || *cost <= *best)) {
      best = cost;
      result.shape.laneDim = dim;
    }
  }
  if (!best)
    return refusal.set(
        RefusalKind::Other, op,
        "no dimension is contiguous in the outputs, or reduced by a known "
        "combiner");
  laneDim = result.shape.laneDim;
  lanes = getLanes(op, options.vectorBits, laneDim);
  range = ranges[laneDim];
  if (!ShapedType::isDynamic(range))
    lanes = std::min<int64_t>(lanes,
                              llvm::PowerOf2Ceil(std::max<int64_t>(range, 1)));
  if (lanes < 2)
    return refusal.set(RefusalKind::Other, op, "vectors would have one lane");
  result.shape.lanes = lanes;
  result.shape.shuffleBits = options.shuffleBits;
  result.shape.broadcastF16 = options.broadcastF16;
  result.reducesLanes = linalg::isReductionIterator(iterators[laneDim]);
  return success();
}

void VectorPlanner::chooseTileDims() {
  for (auto [dim, iterator] : llvm::enumerate(iterators))
    if (linalg::isReductionIterator(iterator) && dim != laneDim)
      result.reductionDims.push_back(dim);
  accumulates = !result.reducesLanes && !result.reductionDims.empty();
  if (accumulates)
    for (OpOperand *operand : op.getDpsInputOperands())
      for (unsigned &dim : result.reductionDims)
        if (result.transposed.empty() &&
            isTransposable(op, *operand, laneDim, dim)) {
          result.transposed.push_back(operand);
          result.shape.stepDim = dim;
          result.steps = lanes;
          std::swap(dim, result.reductionDims.back());
          break;
        }
  // One unordered comparison tests two numbers for NaN.
  if (accumulates && result.transposed.empty() && getExtremum(op)) {
    result.shape.stepDim = result.reductionDims.back();
    result.steps = 2;
  }
  if (accumulates || result.reducesLanes) {
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
      if (reuses || result.reducesLanes)
        result.shape.rowDim = dim;
    }
  }
}

void VectorPlanner::chooseTileSize() {
  if (result.reducesLanes) {
    result.rows = 4;
  } else if (accumulates && !result.shape.rowDim) {
    // There must be enough accumulators to hide the latency of one.
    result.vectors = options.numRegisters / 4;
    if (!ShapedType::isDynamic(range))
      result.vectors = std::clamp<int64_t>(range / lanes, 1, result.vectors);
  } else if (accumulates) {
    bool transposes = !result.transposed.empty();
    result.vectors = transposes ? 1 : 2;
    // The loaded values take one register for each vector, and one for the row.
    result.rows =
        transposes ? options.numRegisters / 2
                   : std::clamp<int64_t>((options.numRegisters - 3) / 2, 1, 8);
  }
}

void VectorPlanner::planTransposed() {
  if (result.transposed.empty())
    return;
  OpOperand &operand = *result.transposed.front();
  if (std::optional<unsigned> rowDim = getRowsToTransposeFor(
          op, operand, laneDim, *result.shape.stepDim, ranges, options)) {
    result.shape.rowDim = rowDim;
    result.streamed = &operand;
    result.streamDim = laneDim;
    planDot(op, result);
    int64_t row = ranges[*result.shape.stepDim];
    result.strips = row / result.steps;
    int64_t bytes = llvm::divideCeil(getElementBits(operand.get()), 8);
    result.ahead =
        llvm::divideCeil(getBytesAhead(ranges[*rowDim], bytes), bytes * row);
  }
}

void VectorPlanner::planFewRows() {
  int64_t mostRows = getMostFewRows(options.numRegisters);
  if (getBytesOfLanes(op, laneDim, ranges, options))
    mostRows = kFewRowsOfBytes;
  std::optional<FewRows> fewRows = getFewRows(op, laneDim, ranges, mostRows);
  if (!fewRows || (!accumulates && !result.reducesLanes) ||
      !result.transposed.empty())
    return;
  result.shape.rowDim = fewRows->rowDim;
  result.rows = ranges[fewRows->rowDim];
  // There are at most as many vectors as registers that can accumulate them.
  int64_t most = options.numRegisters / 2 / result.rows;
  for (result.vectors = 1; accumulates && result.vectors * 2 <= most &&
                           range % (result.vectors * 2 * lanes) == 0;)
    result.vectors *= 2;
  result.streamed = fewRows->streamed;
  result.streamDim = fewRows->streamDim;
  if (accumulates)
    unrollParts();
  int64_t elementBytes =
      llvm::divideCeil(getElementBits(result.streamed->get()), 8);
  // This is the number of bytes of each lane.
  int64_t bytes = getPartOfWord(op, *result.streamed, laneDim) ? kWordBits / 8
                                                               : elementBytes;
  bool isRow = result.reducesLanes && !ShapedType::isDynamic(range);
  int64_t stripLanes = result.vectors * lanes;
  if (accumulates && !ShapedType::isDynamic(range) && range > stripLanes &&
      range % stripLanes == 0 && !result.reductionDims.empty() &&
      result.reductionDims.back() == result.streamDim &&
      (result.reductionDims.size() == 1 ||
       (result.factor &&
        result.factorLoops + 1 == result.reductionDims.size()))) {
    result.strips = range / stripLanes;
    result.streamBlock = std::max<int64_t>(
        CPUTarget::kBytesAhead / (bytes * range),
        result.factor ? kLeastScaledBlock : kLeastStreamBlock);
    isRow = true;
  }
  result.ahead = llvm::divideCeil(getBytesAhead(result.rows, elementBytes),
                                  bytes * (isRow ? range : stripLanes));
  if (options.dotBF16 && lanes == 16 && result.unrolledDims.empty())
    planDot(op, result);
  if (!result.reducesLanes)
    return planColumnDigits();
  planByteDot(op, result, ranges, options);
  if (!result.dotRow)
    unroll();
  if (op.getNumDpsInits() == 1)
    chooseRowsTogether();
}

void VectorPlanner::moveToUnrolled() {
  AffineMap map = op.getMatchingIndexingMap(result.streamed);
  std::optional<unsigned> part = getPartOfWord(op, *result.streamed, laneDim);
  int64_t unrolled = 1;
  llvm::erase_if(result.reductionDims, [&](unsigned dim) {
    if ((map.isFunctionOfDim(dim) && dim != part) ||
        ShapedType::isDynamic(ranges[dim]) ||
        unrolled * ranges[dim] > kMostUnrolled ||
        ranges[dim] != op.getStaticLoopRanges()[dim])
      return false;
    unrolled *= ranges[dim];
    result.unrolledDims.push_back(dim);
    return true;
  });
}

void VectorPlanner::unrollParts() {
  if (op.getNumDpsInits() != 1 || getExtremum(op))
    return;
  SmallVector<unsigned> loops(result.reductionDims);
  moveToUnrolled();
  // Without a loop it would be no sum: `streamed` may be the same in all terms.
  if (result.reductionDims.empty()) {
    result.reductionDims = loops;
    result.unrolledDims.clear();
    return;
  }
  Type element = getElementTypeOrSelf(op.getDpsInits().front());
  if (!element.isF32() && !element.isF64())
    return;
  auto isScale = [&](OpOperand &operand) {
    return &operand != result.streamed &&
           getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform;
  };
  for (unsigned first = result.unrolledDims.empty() ? 1 : 0;
       first < result.reductionDims.size(); ++first) {
    SmallVector<unsigned> inner(result.unrolledDims);
    llvm::append_range(inner, ArrayRef(result.reductionDims).drop_front(first));
    Value factor = getInvariantFactor(op, 0, inner, isScale);
    if (!factor || factor.getType() != element)
      continue;
    result.factor = factor;
    result.factorLoops = first;
    // There are two sums for each vector. Registers need not hold those of the
    // outer loops at the same time, but the integers of the inner ones.
    result.vectors = std::min(result.vectors, options.numRegisters / 4);
    return;
  }
}

void VectorPlanner::unroll() {
  moveToUnrolled();
  if (result.unrolledDims.empty())
    planDigits();
  Type element = getElementTypeOrSelf(op.getDpsInits().front());
  if (op.getNumDpsInits() != 1 || result.unrolledDims.empty() ||
      !(element.isF32() || element.isF64()))
    return;
  // The streamed operand alone saves no product, and sums of the other one
  // could overflow.
  Value factor =
      getInvariantFactor(op, 0, result.unrolledDims, [&](OpOperand &operand) {
        return &operand != result.streamed &&
               getLaneAccess(op, operand, laneDim) != LaneAccess::Uniform;
      });
  if (factor && factor.getType() == element)
    result.factor = factor;
  std::optional<unsigned> byte = getPartOfWord(op, *result.streamed, laneDim);
  if (!byte || !options.looksUp || !options.excessPrecision)
    return;
  int64_t rows =
      result.shape.rowDim ? op.getStaticLoopRanges()[*result.shape.rowDim] : 1;
  if (ShapedType::isDynamic(rows))
    return;
  result.fourBits = matchFourBitProduct(op, *result.streamed, laneDim, *byte,
                                        result.unrolledDims, rows);
  if (result.fourBits)
    planDigits();
  // The products of several rows take longer than the look-ups.
  if (rows > 1)
    result.fourBits.reset();
  if (result.fourBits && result.fourBits->extendsRow && !result.digits)
    result.fourBits.reset();
  // A table may have a factor that is the same in all lanes, but a converted
  // word has none.
  if (result.fourBits && !result.factor) {
    Value uniform =
        getInvariantFactor(op, 0, result.unrolledDims, [&](OpOperand &operand) {
          return &operand != result.streamed &&
                 &operand != result.fourBits->row;
        });
    if (uniform && uniform.getType() == element)
      result.factor = uniform;
  }
}

void VectorPlanner::planDigits() {
  if (options.byteProducts == ByteProducts::Fours && options.looksUp &&
      options.excessPrecision && lanes == 16)
    result.digits =
        matchDigitProduct(op, *result.streamed, result.fourBits, laneDim,
                          result.shape.rowDim, result.reductionDims);
}

void VectorPlanner::planColumnDigits() {
  if (!accumulates || result.dotRow || lanes != 16 ||
      options.byteProducts != ByteProducts::Fours || !options.looksUp ||
      !options.excessPrecision || result.reductionDims.empty() ||
      result.reductionDims.back() != result.streamDim)
    return;
  result.columnDigits =
      matchColumnDigits(op, *result.streamed, laneDim, result.shape.rowDim,
                        result.reductionDims, result.unrolledDims);
  if (!result.columnDigits)
    return;
  // All rows have the same codes.
  result.rows = result.columnDigits->rows;
  result.factor = {};
  result.factorLoops = 0;
  result.vectors = result.columnDigits->getVectors();
  result.strips = range / (result.vectors * kColumnLanes);
  result.streamBlock = result.columnDigits->block;
}

void VectorPlanner::chooseRowsTogether() {
  if (result.digits && result.digits->rows > 1) {
    result.shape.stepDim = result.digits->columnDim;
    result.steps = kColumnsOfRows;
    return;
  }
  // One call of combineLanes reduces as many sums as there are lanes, or as
  // half of the registers hold. Pairs take half as long to load. A square tile
  // loads the least, but its rows can share the prefetches only if the number
  // of lanes is known.
  int64_t sums = std::min(lanes, options.numRegisters / 2);
  int64_t side = int64_t(1) << llvm::divideCeil(llvm::Log2_64(sums), 2);
  bool isSquare = result.dotRow &&
                  !ShapedType::isDynamic(op.getStaticLoopRanges()[laneDim]);
  result.rowsTogether = isSquare ? std::min(result.rows, side) : result.rows;
  int64_t steps = sums / int64_t(llvm::PowerOf2Ceil(result.rowsTogether));
  // If a row has several sums, the vectors that follow each other may belong to
  // one result: groups with one scale, for example.
  std::optional<unsigned> stepDim;
  for (AffineExpr expr :
       op.getMatchingIndexingMap(result.streamed).getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr);
        dim && getLaneAccess(op, *op.getDpsInitOperand(0), dim.getPosition()) ==
                   LaneAccess::Contiguous)
      stepDim = dim.getPosition();
  if (steps > 1 && stepDim) {
    result.shape.stepDim = stepDim;
    // Words allow more steps: they are looked up as fast as memory delivers
    // them, and all steps share what is loaded of a row.
    // Scales and zero points of several groups in a vector take registers.
    int64_t repeated =
        llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
          return getLaneAccess(op, *operand, laneDim) == LaneAccess::Repeated;
        });
    int64_t most = result.rows == 1 && repeated < 2 &&
                           getPartOfWord(op, *result.streamed, laneDim)
                       ? 8
                       : 4;
    // The codes and digits of four steps fill the registers.
    if (result.digits)
      most = 4;
    result.steps = isSquare ? steps : std::min<int64_t>(steps, most);
    // What a block of steps reads itself does not count as ahead.
    int64_t run = stepDim == result.streamDim ? 1 : ranges[result.streamDim];
    spreadSteps();
    if (!ShapedType::isDynamic(run) && result.shape.stepsApart == 1)
      result.ahead = std::max(result.ahead, result.steps * run);
  }
}

/// Columns that follow each other share pages, in which their lines are read in
/// turn. The processor recognizes no stream in that, so memory is as fast as
/// the prefetches that can be under way. Columns that are a part of all columns
/// apart are a stream each.
void VectorPlanner::spreadSteps() {
  auto type = dyn_cast<MemRefType>(result.streamed->get().getType());
  // A panel of rows takes the lines of all columns in turn.
  if (result.steps == 1 || result.packsRow || !type || !type.hasStaticShape())
    return;
  AffineMap map = op.getMatchingIndexingMap(result.streamed);
  auto outermost = dyn_cast<AffineDimExpr>(map.getResults().front());
  int64_t columns = op.getStaticLoopRanges()[*result.shape.stepDim],
          bits = type.getNumElements() * getElementBits(result.streamed->get());
  if (!outermost || outermost.getPosition() != *result.shape.stepDim ||
      type.getShape().front() != columns || columns < 2 * result.steps ||
      bits / 8 < result.steps * kLeastBytesOfStream)
    return;
  result.shape.stepsApart = columns / result.steps;
  result.ahead = llvm::divideCeil(result.ahead, result.steps);
}

void VectorPlanner::boundTile() {
  if (!result.shape.rowDim) {
    result.rows = 1;
  } else if (int64_t size = ranges[*result.shape.rowDim];
             !ShapedType::isDynamic(size)) {
    result.rows = std::min(result.rows, std::max<int64_t>(size, 1));
    result.restRows = size % result.rows;
  }
  if (!ShapedType::isDynamic(range) && range < result.vectors * lanes)
    result.vectors = 1;

  if (result.reductionDims.empty() && !result.reducesLanes) {
    result.shape.stepDim = getBlockDim(op, laneDim, lanes, ranges);
    if (result.shape.stepDim) {
      for (OpOperand *operand : op.getDpsInputOperands())
        if (isTransposable(op, *operand, laneDim, *result.shape.stepDim))
          result.transposed.push_back(operand);
      chooseBlocks();
    } else {
      chooseInvariantDim();
      chooseVectorsOfRow();
    }
  }
}

/// As many blocks of narrow elements are transposed together as a register
/// holds. With rows of one line each line is then loaded once. Parts that are
/// unpacked from such an element are computed together.
void VectorPlanner::chooseBlocks() {
  unsigned stepDim = *result.shape.stepDim;
  int64_t steps = ranges[stepDim];
  result.steps = lanes;
  for (OpOperand *operand : result.transposed) {
    int64_t bits = getElementBits(operand->get()), blocks = 1;
    // A shuffle can interleave whole blocks only.
    while (!ShapedType::isDynamic(steps) &&
           lanes * bits % options.shuffleBits == 0 &&
           2 * blocks * lanes * bits <= options.vectorBits &&
           steps % (2 * blocks * lanes) == 0)
      blocks *= 2;
    result.blocks.push_back(blocks);
    result.steps = std::max(result.steps, blocks * lanes);
  }
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (dim != laneDim && dim != stepDim && size > 1 && size <= kMostUnrolled &&
        llvm::none_of(result.transposed, [&, d = dim](OpOperand *operand) {
          return op.getMatchingIndexingMap(operand).isFunctionOfDim(d);
        })) {
      result.unrolledDims.push_back(dim);
      break;
    }
  }
}

/// Lets rows be the inner loop if vectors can be kept for all of them. If they
/// are so many that the loop would go down a column of lines of which none is
/// in the first cache at the next vector, it takes all vectors of short rows,
/// and some vectors of long ones if something is computed once for the column.
/// Otherwise a row is computed at a time.
void VectorPlanner::chooseInvariantDim() {
  std::optional<unsigned> dim = getInvariantDim(op, laneDim, ranges);
  if (dim && isColumnLarge(op, laneDim, *dim, ranges, options.cacheBytes)) {
    int64_t most = options.numRegisters / kRegistersOfVectorOfRow;
    if (!ShapedType::isDynamic(range) && range <= most * lanes)
      result.vectors = std::max<int64_t>(range / lanes, 1);
    else if (keepsResults(op, laneDim, *dim))
      result.vectors = most;
    else
      return;
  }
  result.shape.rowDim = dim;
}

/// For rows of narrow elements, chooses as many vectors as the elements of one
/// register give. Each line is then read once.
void VectorPlanner::chooseVectorsOfRow() {
  if (!result.shape.rowDim || ShapedType::isDynamic(range))
    return;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (getLaneAccess(op, *operand, laneDim) == LaneAccess::Contiguous &&
        op.getMatchingIndexingMap(operand).isFunctionOfDim(
            *result.shape.rowDim))
      while (2 * result.vectors * lanes * getElementBits(operand->get()) <=
                 options.vectorBits &&
             range % (2 * result.vectors * lanes) == 0)
        result.vectors *= 2;
}

void VectorPlanner::chooseLoops() {
  for (auto [dim, iterator] : llvm::enumerate(iterators))
    if (linalg::isParallelIterator(iterator) && dim != laneDim &&
        dim != result.shape.rowDim &&
        !llvm::is_contained(result.unrolledDims, dim) &&
        (dim != result.shape.stepDim || result.reducesLanes))
      result.outerDims.push_back(dim);
  if (accumulates && result.transposed.empty() && !result.streamed)
    result.packed = planPackedContraction(op, result.shape, result.rows,
                                          result.vectors, ranges, options);
  else if (accumulates && !result.streamed && matchProductOfBytes(op))
    result.packed = planPackedContraction(op, result.shape, /*rows=*/8,
                                          /*vectors=*/2, ranges, options);
}

FailureOr<VectorPlan> VectorPlanner::plan(Refusal &refusal) {
  if (!op.hasPureBufferSemantics())
    return refusal.set(RefusalKind::Other, op, "it is not on buffers");
  if (op.getNumLoops() == 0)
    return refusal.set(RefusalKind::Other, op, "it has no dimension");
  if (failed(verifyPayloadIsElementwise(op, refusal)))
    return failure();
  if (!hasPlainOutputs(op))
    return refusal.set(
        RefusalKind::Other, op,
        "an output is not indexed by exactly the parallel dimensions");
  if (failed(chooseLanes(refusal)))
    return failure();
  chooseTileDims();
  chooseTileSize();
  planTransposed();
  planFewRows();
  boundTile();
  chooseLoops();
  return std::move(result);
}

FailureOr<VectorPlan>
mlir::linalg_ext::planVectors(linalg::LinalgOp op,
                              const VectorizeBuffersOptions &options,
                              Refusal &refusal) {
  return VectorPlanner(op, options).plan(refusal);
}
