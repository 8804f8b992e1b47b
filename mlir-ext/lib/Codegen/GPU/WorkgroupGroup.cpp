//===- WorkgroupGroup.cpp - The ops of one workgroup ----------------------===//
//
// See WorkgroupGroup.h. Plans tile-and-fuse of the root with a loop over
// workgroups. The plan tells which producers can be fused, and which of their
// loops the workgroups cut. For each of these producers, users first:
//
//   1. Reject it if ops outside of the group need it. What is no epilogue of a
//      contraction is yielded to ops behind the root: the scales of quantized
//      rows to what scales a product of these, and the sum that a norm is of.
//   2. If it is a reduction, exclude the loops that it lacks from tiling, and
//      plan again.
//   3. Reject it if several workgroups would compute the same elements and each
//      element needs a reduction or a contraction.
//
// The tile sizes follow from the sizes of the contractions
// (WorkgroupProducts.cpp), or from the length of the rows.
//
//===----------------------------------------------------------------------===//

#include "WorkgroupGroup.h"
#include "GatherOperands.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Fusion/Plan/PlanForall.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// One loop computes at most this many contractions, such as those of queries,
/// keys, values and a gate. Registers hold the sums of all of them, so the tile
/// of each has fewer columns: with four contractions, a quarter.
static constexpr size_t kMaxContractions = 4;

bool mlir::linalg_ext::isContraction(LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  return !dims.m.empty() || !dims.n.empty();
}

bool mlir::linalg_ext::isEmpty(LinalgOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), 0);
}

bool mlir::linalg_ext::reducesWholeRows(LinalgOp op, int64_t maxRow) {
  int64_t size = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return false;
    size *= range;
  }
  return size <= maxRow;
}

WorkgroupGroup::WorkgroupGroup(LinalgOp root,
                               const TileToWorkgroupsOptions &options)
    : ForallGroup(root, root.getIteratorTypesArray()), root(root),
      options(options) {
  reset();
}

void WorkgroupGroup::reset() {
  clear();
  contractions.clear();
  yields.clear();
  if (isContraction(root))
    contractions.push_back(root);
  hasReduction = root.getNumReductionLoops() > 0;
}

/// Returns whether `op`, elementwise, is computed by elementwise ops from the
/// result of an op for which `isWanted` is true.
static bool follows(LinalgOp op, function_ref<bool(LinalgOp)> isWanted) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (unsigned i = 0; i < ops.size(); ++i)
    for (Value input : cast<LinalgOp>(ops[i]).getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer)
        continue;
      if (isWanted(producer))
        return true;
      if (producer.getNumReductionLoops() == 0)
        ops.insert(producer);
    }
  return false;
}

/// Returns whether the elementwise op `op` depends on a reduction of a row.
static bool followsReduction(LinalgOp op) {
  return follows(op, [](LinalgOp producer) {
    return producer.getNumReductionLoops() > 0 && !isContraction(producer);
  });
}

/// Returns whether the elementwise op `op` can be computed with a contraction.
static bool followsContraction(LinalgOp op) {
  return follows(op, isContraction);
}

/// Returns whether `a` and `b`, two contractions, read an operand in the same
/// way. `loopsOfA` and `loopsOfB` map their loops to loops of a root, or to -1.
static bool shareOperand(LinalgOp a, ArrayRef<int64_t> loopsOfA, LinalgOp b,
                         ArrayRef<int64_t> loopsOfB) {
  auto getRead = [](LinalgOp op, OpOperand *operand, ArrayRef<int64_t> loops) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
          return loops[cast<AffineDimExpr>(expr).getPosition()];
        });
  };
  return llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *first) {
    return llvm::any_of(b.getDpsInputOperands(), [&](OpOperand *second) {
      return first->get() == second->get() &&
             getRead(a, first, loopsOfA) == getRead(b, second, loopsOfB);
    });
  });
}

/// Returns whether `op` computes rows: it reduces them, or depends on such a
/// reduction.
static bool followsRows(LinalgOp op) {
  return op.getNumReductionLoops() > 0 || followsReduction(op);
}

bool mlir::linalg_ext::hasBytes(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8;
}

/// The bytes of an element of the widest input of `op`, if all inputs of more
/// than one dimension are contiguous along `loop`, which is not reduced; else
/// 0.
static int64_t getBytesAlong(LinalgOp op, unsigned loop) {
  int64_t bytes = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() < 2)
      continue;
    Type element = getElementTypeOrSelf(operand->get());
    if (!element.isIntOrFloat() ||
        map.getResults().back() != getAffineDimExpr(loop, map.getContext()))
      return 0;
    bytes = std::max<int64_t>(
        bytes, llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  }
  return bytes;
}

/// Whether `op` reduces columns: all of its inputs are contiguous along a loop
/// that it does not reduce.
static bool reducesColumns(LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return op.getNumReductionLoops() > 0 &&
         llvm::any_of(parallel, [&](unsigned loop) {
           return getBytesAlong(op, loop) > 0;
         });
}

/// Returns whether `op` reduces columns in chunks, whose results its user
/// reduces: a loop over the chunks is not cut (`mapping`, -1).
static bool reducesChunks(LinalgOp op, ArrayRef<int64_t> mapping) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return reducesColumns(op) && llvm::any_of(parallel, [&](unsigned loop) {
           return mapping[loop] < 0 && ranges[loop] != 1;
         });
}

/// Bytes that memory moves at once. A column of elements that are not adjacent
/// moves so many for each.
static constexpr int64_t kLeastBytes = 32;

/// The number of adjacent columns that a workgroup has at least if `op` reduces
/// columns, for memory to move no more than is read. 1 if it reduces rows.
static int64_t getLeastColumns(LinalgOp op) {
  int64_t columns = 1;
  if (!reducesColumns(op))
    return columns;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop : parallel)
    if (int64_t bytes = getBytesAlong(op, loop))
      columns =
          std::max(columns, ShapedType::isDynamic(ranges[loop])
                                ? kLeastBytes / bytes
                                : std::min(ranges[loop], kLeastBytes / bytes));
  return columns;
}

/// The number of iterations of `op`. One that is not known counts as many.
static int64_t getElements(LinalgOp op) {
  int64_t elements = 1;
  for (int64_t range : op.getStaticLoopRanges())
    elements = std::min<uint64_t>(
        llvm::SaturatingMultiply<uint64_t>(
            elements, ShapedType::isDynamic(range) ? int64_t(1) << 31 : range),
        std::numeric_limits<int64_t>::max());
  return elements;
}

/// Returns whether `op`, elementwise, reads whole tensors in different orders.
/// Each tile of a loop would be transposed for some of them. That costs less
/// than a kernel for few elements (docs/Decisions/0177).
static bool mixesOrders(LinalgOp op) {
  constexpr int64_t kFewElements = 1 << 14;
  if (getElements(op) <= kFewElements)
    return false;
  std::optional<AffineExpr> last;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() < 2 || !map.isPermutation())
      continue;
    if (last && *last != map.getResults().back())
      return true;
    last = map.getResults().back();
  }
  return false;
}

/// Returns whether `op` reads a tensor from which elementwise ops and another
/// reduction compute an operand of it, as of a norm. It cannot be in one loop
/// over pieces of a row with this reduction.
static bool readsRowsAgain(LinalgOp op) {
  llvm::SmallPtrSet<Value, 4> inputs;
  for (Value input : op.getDpsInputs())
    inputs.insert(input);
  return follows(op, [&](LinalgOp producer) {
    return producer.getNumReductionLoops() > 0 &&
           llvm::any_of(producer.getDpsInputs(),
                        [&](Value input) { return inputs.contains(input); });
  });
}

bool WorkgroupGroup::holdsTooMuch(LinalgOp op, ArrayRef<int64_t> mapping) {
  int64_t columns = 1, held = 1;
  for (auto &entry : loops)
    if (auto other = dyn_cast<LinalgOp>(entry.first))
      columns = std::max(columns, getLeastColumns(other));
  if (columns == 1 || reducesColumns(op) || !readsRowsAgain(op))
    return false;
  for (auto [range, loop] : llvm::zip_equal(op.getStaticLoopRanges(), mapping))
    if (!isCut(loop) && !ShapedType::isDynamic(range))
      held = llvm::SaturatingMultiply<uint64_t>(held, range);
  return held > options.maxRow / columns;
}

bool WorkgroupGroup::leavesFewWorkgroups(LinalgOp op,
                                         const llvm::SmallBitVector &left) {
  // The root reads results of `op` that often, and a workgroup computes so many
  // elements that it takes longer than another kernel.
  constexpr int64_t kRepeats = 16, kElements = 1 << 16;
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  int64_t workgroups = 1;
  for (unsigned loop : left.set_bits()) {
    if (ShapedType::isDynamic(ranges[loop]))
      return false;
    workgroups = llvm::SaturatingMultiply<uint64_t>(workgroups, ranges[loop]);
  }
  return left != cut && workgroups < options.target.processors &&
         getElements(root) / workgroups >= kElements &&
         getElements(op) <= getElements(root) / kRepeats;
}

unsigned WorkgroupGroup::countKeptLoops(LinalgOp op,
                                        ArrayRef<int64_t> mapping) {
  unsigned count = 0;
  for (auto [loop, range, iterator] :
       llvm::enumerate(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    count += range != 1 && linalg::isParallelIterator(iterator) &&
             !isCut(mapping[loop]);
  return count;
}

bool WorkgroupGroup::holdsRowsAndColumns(LinalgOp op, ArrayRef<int64_t> mapping,
                                         const llvm::SmallBitVector &left) {
  // 1. What a workgroup holds: the loops of the root that are not cut.
  int64_t held = 1;
  unsigned numReduced = 0;
  bool isKnown = true, reducesOthers = false;
  for (auto [loop, range, iterator] : llvm::enumerate(
           root.getStaticLoopRanges(), root.getIteratorTypesArray())) {
    bool isReduced = linalg::isReductionIterator(iterator);
    if (range == 1 || (!isReduced && left.test(loop)))
      continue;
    numReduced += isReduced;
    reducesOthers |= !isReduced && !cut.test(loop);
    if (ShapedType::isDynamic(range))
      isKnown = false;
    else
      held = llvm::SaturatingMultiply<uint64_t>(held, range);
  }
  // Threads exchange what is reduced both ways.
  int64_t most = std::min<int64_t>(options.maxRow,
                                   options.target.sharedBytes / sizeof(float));
  if (left == cut || !reducesOthers || (isKnown && held <= most))
    return false;
  // 2. A reduction of rows of several dimensions, as of a norm, has no loop
  //    along those that another one reduces.
  return countKeptLoops(op, mapping) > numReduced;
}

bool WorkgroupGroup::mayReduceFor(LinalgOp op, ArrayRef<int64_t> mapping) {
  // The epilogue of a contraction stays with it, and is not computed with sums
  // of integers that zero points multiply. More workgroups reduce chunks of
  // columns than their results.
  if (!contractions.empty() ||
      (root.getNumReductionLoops() > 0 && reducesChunks(op, mapping)) ||
      (getElementTypeOrSelf(op->getResult(0)).isInteger() &&
       followsContraction(root) && !followsContraction(op)))
    return false;
  // A workgroup with several columns has a row for each of their elements. If
  // rows are read again, it may hold too many.
  if (holdsTooMuch(op, mapping))
    return false;
  // Columns that are known to be too long for a tile of several are summed
  // before: one column at a time would be read, and read again, in parts of
  // lines. If these are few bytes, that costs less than a kernel
  // (docs/Decisions/0177).
  int64_t columns = getLeastColumns(op), length = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction &&
        !ShapedType::isDynamic(range))
      length *= range;
  constexpr int64_t kFewBytes = 8 << 20;
  return columns == 1 || length <= options.maxRow / columns ||
         getElements(op) <= kFewBytes / kLeastBytes;
}

bool WorkgroupGroup::accept(const PlannedProducer &producer, bool mayYield) {
  // 1. No other op may need it, except ops behind the root if all users read
  //    the same tile: each workgroup then yields its tile. Who asks for its
  //    size does not need it. A reshape before a contraction merges the
  //    dimensions of unpacked weights.
  if (llvm::is_contained(options.stored, producer.op) ||
      llvm::is_contained(options.patches, producer.op))
    return false;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(producer.op)) {
    if (producer.severalTiles || !collapse->hasOneUse() ||
        !contains(*collapse->user_begin()) ||
        getDequantization(collapse.getSrc(), ElementReads::Any).empty())
      return false;
    loops[collapse] = CutLoops(producer, cut.size()).mapping;
    return true;
  }
  auto op = dyn_cast<LinalgOp>(producer.op);
  if (!op || !readsElements(op) || !hasVectorElements(op) ||
      (!isFill(op) && producer.severalTiles))
    return false;
  // Operands of 8 bits are transposed before asynchronous products, which
  // cannot do that (`getOperandsToTranspose`).
  if (isa<linalg::TransposeOp>(producer.op) && !contractions.empty() &&
      options.ways.anyAsync() && hasBytes(op->getResult(0)))
    return false;
  // Weights of windows would be read with a stride (`gatherOperands`).
  if (isa<linalg::TransposeOp>(producer.op) &&
      llvm::any_of(contractions, [&](LinalgOp contraction) {
        return contraction.getNumReductionLoops() > 1 &&
               llvm::is_contained(op->getUsers(), contraction.getOperation());
      }))
    return false;
  bool isYielded = false;
  for (Operation *user : op->getUsers()) {
    if (isFill(op) || contains(user) || isa<tensor::DimOp>(user))
      continue;
    Operation *other = root->getBlock()->findAncestorOpInBlock(*user);
    if (!mayYield || !other || !root->isBeforeInBlock(other))
      return false;
    isYielded = true;
  }
  // The epilogue of a contraction stays with it.
  if (isYielded && (!contractions.empty() || isContraction(op) ||
                    (followsContraction(op) && !followsRows(op))))
    return false;
  CutLoops cutLoops(producer, cut.size());
  const llvm::SmallBitVector &left = cutLoops.all;
  if (isYielded && !followsRows(op) && left != cut)
    return false;

  // 2. Loops that a reduction lacks are not cut. A contraction that lacks a
  //    loop of the root sums rows, unless it is a matrix product.
  bool isProduct = isContraction(op) && (left == cut || isMatrixProduct(op));
  if (isProduct) {
    if (left != cut || (contractions.empty() && hasReduction))
      return false;
    // All contractions come before the root, and share an operand with the
    // first.
    LinalgOp first = contractions.empty() ? op : contractions.front();
    if (first != op &&
        (first == root || contractions.size() == kMaxContractions ||
         !shareOperand(first, loops.find(first)->second, op, cutLoops.mapping)))
      return false;
    contractions.push_back(op);
  } else if (op.getNumReductionLoops() > 0) {
    if (left.none() || !mayReduceFor(op, cutLoops.mapping) ||
        leavesFewWorkgroups(op, left) ||
        holdsRowsAndColumns(op, cutLoops.mapping, left))
      return false;
    bool isWhole = reducesWholeRows(op, options.maxRow) &&
                   reducesWholeRows(root, options.maxRow);
    int64_t whole = 1;
    for (auto [loop, range] : llvm::enumerate(root.getStaticLoopRanges())) {
      if (!cut.test(loop) || left.test(loop))
        continue;
      isWhole &= !ShapedType::isDynamic(range);
      whole *= isWhole ? range : 1;
    }
    isWhole &= whole <= options.maxRow;
    // Pieces of rows are reduced to one number, not to several for a root.
    if (!isWhole &&
        (!options.fuseLongRows || countKeptLoops(op, cutLoops.mapping) > 0))
      return false;
    isLong |= !isWhole;
    cut = left;
  } else if (!contractions.empty() && left != cut && op.getNumLoops() > 0 &&
             (followsReduction(op) || followsContraction(op))) {
    // 3. Refuse if several workgroups would compute this operand of a
    //    contraction, and each of its elements needs a reduction or another
    //    contraction.
    return false;
  } else if (!contractions.empty() && left != cut && mixesOrders(op)) {
    return false;
  }
  hasReduction |= op.getNumReductionLoops() > 0;
  if (isYielded)
    yields.push_back(op);
  loops[op] = std::move(cutLoops.mapping);
  return true;
}

void WorkgroupGroup::growOnce(bool mayYield) {
  planUntilStable([&] {
    reset();
    // If a reduction excludes a loop, plan again with all producers.
    Refusal refusal; // The loops are tiled later, or refused again.
    (void)plan(
        mayYield,
        [&](const PlannedProducer &producer) {
          return accept(producer, mayYield);
        },
        refusal);
  });
}

bool WorkgroupGroup::holdsLongRows() const {
  if (options.versionsByRowLength.empty())
    return false;
  int64_t most = *llvm::max_element(options.versionsByRowLength);
  for (auto &[op, mapping] : loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    unsigned numWhole = 0;
    for (auto [loop, range] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
      if (isCut(mapping[loop]) || range == 1)
        continue;
      if (++numWhole > 1 || ShapedType::isDynamic(range) || range > most)
        return false;
    }
  }
  return true;
}

bool WorkgroupGroup::canYield() const {
  if (!contractions.empty() || (isLong && !holdsLongRows()))
    return false;
  return llvm::all_of(yields, [&](LinalgOp op) {
    llvm::SmallBitVector own(cut.size());
    for (int64_t loop : loops.find(op)->second)
      if (isCut(loop))
        own.set(loop);
    return own == cut;
  });
}

void WorkgroupGroup::grow() {
  llvm::SmallBitVector parallel = cut;
  growOnce(/*mayYield=*/true);
  if (yields.empty() || (cut.any() && canYield()))
    return;
  cut = parallel;
  isLong = false;
  growOnce(/*mayYield=*/false);
}

std::optional<std::pair<unsigned, int64_t>>
WorkgroupGroup::chooseColumnsOfSums() {
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  if (root.getNumReductionLoops() == 0 || !contractions.empty() || isLong ||
      !llvm::all_of(loops, [&](auto &entry) {
        auto op = dyn_cast<LinalgOp>(entry.first);
        return op && (op == root || op.getNumReductionLoops() == 0);
      }))
    return std::nullopt;
  for (unsigned loop : cut.set_bits()) {
    int64_t bytes = getBytesAlong(root, loop), others = 1;
    if (bytes == 0 || ranges[loop] == 1)
      continue;
    for (unsigned other : cut.set_bits())
      if (other != loop && !ShapedType::isDynamic(ranges[other]))
        others = llvm::SaturatingMultiply<uint64_t>(others, ranges[other]);
    // A line, or a part of it that memory moves as one, to have workgroups for
    // all processors.
    int64_t columns = std::max<int64_t>(options.target.lineBytes / bytes, 1);
    while (!ShapedType::isDynamic(ranges[loop]) && columns > 1 &&
           columns * bytes > kLeastBytes &&
           llvm::divideCeil(ranges[loop], columns) * others <
               uint64_t(options.target.processors))
      columns /= 2;
    // A piece has as many bytes as one of a row of f32.
    sumRows = std::max<int64_t>(
        options.maxRow * int64_t(sizeof(float)) / (bytes * columns), 1);
    return std::pair(loop, columns);
  }
  return std::nullopt;
}

int64_t WorkgroupGroup::getNumRows() {
  if (options.rowElements == 0)
    return options.rows;
  // Long rows are read again, so all rows that are computed at a time must fit
  // into a cache.
  if (isLong)
    return shortRow == 0 ? 1
                         : std::clamp<int64_t>(options.rowElements / shortRow,
                                               1, options.rows);
  // The longest row of the group decides. Rows of unknown length are computed
  // in pieces.
  int64_t longest = 1, columns = 1;
  for (auto &[op, mapping] : loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    columns = std::max(columns, getLeastColumns(linalgOp));
    int64_t size = 1;
    for (auto [range, loop] :
         llvm::zip_equal(linalgOp.getStaticLoopRanges(), mapping))
      if (!isCut(loop))
        size *= ShapedType::isDynamic(range) ? options.rowTile : range;
    longest = std::max(longest, size);
  }
  return std::clamp<int64_t>(
      llvm::bit_floor<uint64_t>(options.rowElements / longest),
      std::min(columns, options.rows), options.rows);
}

/// Returns whether `group`, of elementwise ops, writes wider elements than it
/// reads, from tensors with the same number of elements.
static bool widens(const WorkgroupGroup &group) {
  auto getBits = [](Value value) -> int64_t {
    Type element = getElementTypeOrSelf(value);
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  };
  int64_t written = getBits(group.root->getResult(0)), read = 0;
  for (auto &[op, mapping] : group.loops)
    if (auto linalgOp = dyn_cast<LinalgOp>(op))
      for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
        Operation *producer = operand->get().getDefiningOp();
        if (linalgOp.getMatchingIndexingMap(operand).isPermutation() &&
            !(producer && group.contains(producer)))
          read = std::max(read, getBits(operand->get()));
      }
  return read > 0 && read < written;
}

/// Returns whether `contraction` is no matrix product, but a sum over gathered
/// windows for each of its elements, as a depthwise convolution is.
static bool sumsWindows(LinalgOp contraction) {
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  if (!dims.m.empty() && !dims.n.empty())
    return false;
  return llvm::any_of(contraction.getDpsInputs(), [](Value input) {
    auto windows = input.getDefiningOp<linalg::GenericOp>();
    return windows && windows.getNumDpsInputs() == 0 &&
           windows.isAllParallelLoops() &&
           !windows.getBody()->getOps<tensor::ExtractOp>().empty();
  });
}

SmallVector<int64_t> WorkgroupGroup::getTileSizes() {
  if (!contractions.empty())
    chooseContractionTile();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<int64_t> tiles(ranges.size(), 0);
  for (unsigned loop : cut.set_bits())
    tiles[loop] = 1;
  // Cuts the innermost of `candidates` that has more than one iteration.
  auto setInnermost = [&](ArrayRef<int64_t> candidates, int64_t tile) {
    for (int64_t loop : llvm::reverse(candidates)) {
      if (!isCut(loop) || ranges[loop] == 1 || tiles[loop] > 1)
        continue;
      tiles[loop] = ShapedType::isDynamic(ranges[loop])
                        ? tile
                        : std::clamp<int64_t>(ranges[loop], 1, tile);
      return;
    }
  };
  SmallVector<int64_t> all;
  for (unsigned loop : cut.set_bits())
    all.push_back(loop);
  if (!contractions.empty()) {
    LinalgOp contraction = contractions.front();
    linalg::ContractionDimensions dims =
        *linalg::inferContractionDims(contraction);
    const SmallVector<int64_t> &names = loops.find(contraction)->second;
    auto getLoops = [&](ArrayRef<unsigned> dims) {
      SmallVector<int64_t> result;
      for (unsigned dim : dims)
        result.push_back(names[dim]);
      return result;
    };
    if (sumsWindows(contraction)) {
      // Each thread sums a few elements over the windows.
      constexpr int64_t kElements = 1024, kInnermost = 256;
      tile.reduction = 1;
      SmallVector<int64_t> elements = getLoops(dims.m);
      llvm::append_range(elements, getLoops(dims.n));
      int64_t left = kInnermost;
      for (size_t i = 0; i < elements.size() && left > 1; ++i) {
        setInnermost(elements, left);
        int64_t size = 1;
        for (int64_t each : tiles)
          size *= std::max<int64_t>(each, 1);
        left = kElements / size;
      }
    } else {
      setInnermost(getLoops(dims.m), tile.rows);
      setInnermost(getLoops(dims.n), tile.columns);
    }
  } else if (auto columns = chooseColumnsOfSums()) {
    setInnermost({int64_t(columns->first)}, columns->second);
  } else if (hasReduction) {
    setInnermost(all, getNumRows());
  } else {
    // A thread gets few elements if writing takes longer than reading
    // (docs/Decisions/0097).
    constexpr int64_t kWidenedRows = 16;
    int64_t rows =
        widens(*this) ? std::min(options.rows, kWidenedRows) : options.rows;
    setInnermost(all, options.columns);
    setInnermost(all, rows);
    // Short dimensions, as of words and positions in them, leave some for
    // others.
    auto getSize = [&] {
      int64_t size = 1;
      for (int64_t tile : tiles)
        size *= std::max<int64_t>(tile, 1);
      return size;
    };
    for (int64_t i = 2, e = all.size(); i < e; ++i)
      if (int64_t left = rows * options.columns / getSize(); left > 1)
        setInnermost(all, left);
  }
  // Do not tile a loop of one iteration, unless no other loop is left.
  unsigned numLeft = cut.count();
  for (unsigned loop : cut.set_bits())
    if (ranges[loop] == 1 && numLeft > 1) {
      tiles[loop] = 0;
      --numLeft;
    }
  return tiles;
}
