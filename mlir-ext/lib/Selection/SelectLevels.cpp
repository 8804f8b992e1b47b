//===- SelectLevels.cpp - Tile sizes for a root ---------------------------===//
//
// 1. Find the operand of the root that depends on the nearest reduction, or on
//    a given contraction.
// 2. Classify the dimensions of the root by its indexing maps: keys, rows,
//    batches, columns. No op is matched by name.
// 3. Choose tile sizes from the static sizes of these dimensions (for a CPU in
//    CPUTileSizes.cpp).
// 4. Build the tiling levels.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/SelectLevels.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Selection/KeySharing.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/StaticSize.h"
#include "mlir-ext/Selection/TileOperands.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <deque>

using namespace mlir;
using namespace mlir::linalg_ext;

/// True of online reductions, and of a maximum or minimum that one is made of
/// where it is no op of its own (with a sink in its sum, for example).
static bool isOnlineReduction(Operation *op) {
  if (isa<OnlineReductionOpInterface>(op))
    return true;
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  if (!repairable)
    return false;
  FailureOr<Accumulation> accumulation = repairable.getAccumulation();
  return succeeded(accumulation) && accumulation->kind != AccumulationKind::Sum;
}

/// Returns how many ops lie between `value` and the nearest op that it depends
/// on and `isSought`, or -1 if there is none.
static int64_t getDistance(Value value,
                           function_ref<bool(Operation *)> isSought) {
  std::deque<std::pair<Operation *, int64_t>> worklist;
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto push = [&](Value value, int64_t distance) {
    Operation *op = value.getDefiningOp();
    if (op && isa<ShapedType>(value.getType()) && seen.insert(op).second)
      worklist.emplace_back(op, distance);
  };
  push(value, 0);
  while (!worklist.empty()) {
    auto [op, distance] = worklist.front();
    worklist.pop_front();
    if (isSought(op))
      return distance;
    for (Value operand : op->getOperands())
      push(operand, distance + 1);
  }
  return -1;
}

namespace {
/// Dimensions of a root by the roles they play.
struct RootDims {
  /// The dimension that is reduced online.
  unsigned keys = 0;
  /// The other dimensions of the operand that it feeds: parallel ones, and
  /// further ones that the root reduces.
  SmallVector<unsigned> rows, otherReductions;
  /// Those of `rows` that other operands have too: batches.
  SmallVector<unsigned> batches;
  /// Parallel dimensions that this operand lacks.
  SmallVector<unsigned> columns;
  SmallVector<int64_t> ranges;
  OpOperand *online = nullptr;
};
} // namespace

/// The roles of the dimensions of a root, one operand of which depends on the
/// nearest op that `isSource`.
static FailureOr<RootDims>
getRootDims(Operation *root, function_ref<bool(Operation *)> isSource) {
  auto tiling = dyn_cast<TilingInterface>(root);
  auto maps = dyn_cast<IndexingMapOpInterface>(root);
  auto dps = dyn_cast<DestinationStyleOpInterface>(root);
  if (!tiling || !maps || !dps)
    return failure();

  // 1. The operand that the nearest source feeds.
  OpOperand *online = nullptr;
  int64_t nearest = -1;
  for (OpOperand *operand : dps.getDpsInputOperands()) {
    int64_t distance = getDistance(operand->get(), isSource);
    if (distance >= 0 && (!online || distance < nearest)) {
      online = operand;
      nearest = distance;
    }
  }
  if (!online)
    return failure();

  // 2. Its parallel dimensions are the rows, its innermost reduction dimension
  //    the keys.
  RootDims dims;
  dims.online = online;
  AffineMap map = maps.getMatchingIndexingMap(online);
  dims.ranges = maps.getStaticLoopRanges();
  for (auto [dim, iterator] : llvm::enumerate(tiling.getLoopIteratorTypes())) {
    if (!map.isFunctionOfDim(dim)) {
      if (iterator == utils::IteratorType::parallel)
        dims.columns.push_back(dim);
      continue;
    }
    if (iterator == utils::IteratorType::reduction) {
      dims.otherReductions.push_back(dim);
      continue;
    }
    dims.rows.push_back(dim);
    if (llvm::any_of(dps.getDpsInputOperands(), [&, dim = dim](auto *operand) {
          return operand != online &&
                 maps.getMatchingIndexingMap(operand).isFunctionOfDim(dim);
        }))
      dims.batches.push_back(dim);
  }
  if (dims.otherReductions.empty())
    return failure();
  dims.keys = dims.otherReductions.pop_back_val();
  return dims;
}

/// The roles of the dimensions of a root that reads what is computed from
/// `chained` or, if that is null, from an online reduction.
static FailureOr<RootDims> getRootDims(Operation *root, Operation *chained) {
  if (!chained)
    return getRootDims(root, isOnlineReduction);
  return getRootDims(root, [&](Operation *op) { return op == chained; });
}

/// The contractions that `value` is computed from, the nearest first. Behind a
/// contraction, only those to whose results it adds.
static SmallVector<linalg::LinalgOp> getContractions(Value value) {
  SmallVector<linalg::LinalgOp> contractions;
  std::deque<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.front().getDefiningOp();
    worklist.pop_front();
    if (!op || !seen.insert(op).second)
      continue;
    auto contraction = dyn_cast<linalg::LinalgOp>(op);
    if (contraction && linalg::isaContractionOpInterface(contraction)) {
      contractions.push_back(contraction);
      llvm::append_range(worklist, contraction.getDpsInits());
      continue;
    }
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        worklist.push_back(operand);
  }
  return contractions;
}

/// The nearest contraction that `value` is computed from; null if there is
/// none.
static linalg::LinalgOp getContraction(Value value) {
  SmallVector<linalg::LinalgOp> contractions = getContractions(value);
  return contractions.empty() ? nullptr : contractions.front();
}

/// The size of the sums that `value` is computed from: 0 if there are none,
/// unset if it is not known. A sum may have parts in several contractions, such
/// as the halves of rotated heads. Parts have results of the same shape as the
/// nearest contraction, and are added.
static std::optional<int64_t> getDepth(Value value) {
  SmallVector<linalg::LinalgOp> contractions = getContractions(value);
  auto getShape = [](linalg::LinalgOp contraction) {
    return cast<ShapedType>(contraction->getResult(0).getType()).getShape();
  };
  int64_t depth = 0;
  for (linalg::LinalgOp contraction : contractions) {
    if (getShape(contraction) != getShape(contractions.front()))
      continue;
    int64_t size = 1;
    SmallVector<unsigned> dims;
    contraction.getReductionDims(dims);
    for (unsigned dim : dims) {
      int64_t range = contraction.getStaticLoopRanges()[dim];
      if (ShapedType::isDynamic(range))
        return std::nullopt;
      size *= range;
    }
    depth += size;
  }
  return depth;
}

/// Whether one loop for two contractions is faster than one after the other.
/// `depth` is the size of the sums of the first one, `columns` the number of
/// columns of the second one. An element between them takes
/// 2 * (depth + columns) FLOPs, and one loop saves to write it and to read it.
/// Attention has heads of at most 256 elements. Beyond, the contractions are
/// bound by FLOPs, and each has better tiles alone: of its result and with
/// parts of its sums. The two of a feed-forward block are an example.
static bool isChainWorthFusing(std::optional<int64_t> depth,
                               std::optional<int64_t> columns) {
  constexpr int64_t kMaxWork = 512;
  return depth && columns && *depth + *columns <= kMaxWork;
}

static CPULoopShape getLoopShape(Operation *root, const RootDims &dims) {
  CPULoopShape shape;
  SmallVector<unsigned> rows;
  for (unsigned dim : dims.rows)
    if (!llvm::is_contained(dims.batches, dim))
      rows.push_back(dim);
  shape.rows = getStaticSize(rows, dims.ranges);
  shape.batches = getStaticSize(dims.batches, dims.ranges);
  shape.keys = getStaticSize(dims.keys, dims.ranges);
  shape.columns = getStaticSize(dims.columns, dims.ranges);
  shape.depth = getDepth(dims.online->get());
  for (Value input : cast<DestinationStyleOpInterface>(root).getDpsInputs())
    if (Type element = getElementTypeOrSelf(input);
        input != dims.online->get() && element.isIntOrFloat())
      shape.elementBytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return shape;
}

/// Returns how many ops lie between `value` and the nearest reduction that it
/// depends on, or -1 if there is none. Contractions are none of those.
static int64_t getDistanceToRowReduction(Value value) {
  return getDistance(value, [](Operation *op) {
    auto reduction = dyn_cast<linalg::LinalgOp>(op);
    return reduction && reduction.getNumReductionLoops() > 0 &&
           !linalg::isaContractionOpInterface(reduction);
  });
}

/// The roles of the dimensions of a root whose operand is computed from
/// reductions of rows that are not online, such as norms.
static FailureOr<RootDims> getRowRootDims(Operation *root) {
  auto linalgRoot = dyn_cast<linalg::LinalgOp>(root);
  if (!linalgRoot || linalgRoot.getNumReductionLoops() == 0)
    return failure();
  OpOperand *online = nullptr;
  int64_t nearest = -1;
  for (OpOperand *operand : linalgRoot.getDpsInputOperands()) {
    int64_t distance = getDistanceToRowReduction(operand->get());
    if (distance >= 0 && (!online || distance < nearest)) {
      online = operand;
      nearest = distance;
    }
  }
  if (!online)
    return failure();
  RootDims dims;
  dims.online = online;
  dims.ranges = linalgRoot.getStaticLoopRanges();
  AffineMap map = linalgRoot.getMatchingIndexingMap(online);
  SmallVector<unsigned> reductions;
  linalgRoot.getReductionDims(reductions);
  dims.keys = reductions.pop_back_val();
  dims.otherReductions = reductions;
  for (auto [dim, iterator] :
       llvm::enumerate(linalgRoot.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      (map.isFunctionOfDim(dim) ? dims.rows : dims.columns).push_back(dim);
  // Batches are what a matrix of these columns has, too.
  for (unsigned dim : dims.rows)
    if (llvm::any_of(linalgRoot.getDpsInputOperands(), [&](auto *operand) {
          AffineMap other = linalgRoot.getMatchingIndexingMap(operand);
          return other.isFunctionOfDim(dim) &&
                 llvm::any_of(dims.columns, [&](unsigned column) {
                   return other.isFunctionOfDim(column);
                 });
        }))
      dims.batches.push_back(dim);
  return dims;
}

/// An outer level of `tiles.rows` rows that share keys, from the inside out,
/// until there are enough of them; batches one by one.
static TilingLevel makeRowLevel(const RootDims &dims, const CPUTiles &tiles) {
  TilingLevel outer;
  outer.kind = LoopKind::Forall;
  outer.tileSizes.assign(dims.ranges.size(), 0);
  int64_t missing = tiles.rows;
  for (unsigned dim : llvm::reverse(dims.rows)) {
    int64_t range = dims.ranges[dim];
    outer.tileSizes[dim] = 1;
    if (llvm::is_contained(dims.batches, dim))
      continue;
    int64_t tile =
        ShapedType::isDynamic(range) ? missing : std::min(range, missing);
    outer.tileSizes[dim] = std::max<int64_t>(tile, 1);
    missing /= outer.tileSizes[dim];
  }
  return outer;
}

/// Levels that cut what is reduced online.
static std::vector<TilingLevel> makeOnlineLevels(const RootDims &dims,
                                                 const CPUTiles &tiles) {
  std::vector<TilingLevel> levels;
  SmallVector<int64_t> none(dims.ranges.size(), 0);
  TilingLevel outer = makeRowLevel(dims, tiles);
  if (tiles.columns != 0 && !dims.columns.empty())
    outer.tileSizes[dims.columns.back()] = tiles.columns;
  if (outer.tileSizes != none)
    levels.push_back(outer);
  if (tiles.split != 0 && !levels.empty()) {
    TilingLevel &chunks = levels.emplace_back();
    chunks.kind = LoopKind::Split;
    chunks.tileSizes = none;
    chunks.tileSizes[dims.keys] = tiles.split;
  }
  TilingLevel &inner = levels.emplace_back();
  inner.kind = LoopKind::For;
  inner.tileSizes = none;
  inner.tileSizes[dims.keys] = tiles.keys;
  return levels;
}

/// Levels that reduce rows whole, and cut the product behind them. The loop
/// over columns indexes no reduction of rows, so that these stay in front of
/// it.
static std::vector<TilingLevel> makeRowLevels(const RootDims &dims,
                                              const CPUTiles &tiles) {
  std::vector<TilingLevel> levels;
  if (!dims.rows.empty())
    levels.push_back(makeRowLevel(dims, tiles));
  if (tiles.columns == 0 || dims.columns.empty())
    return levels;
  for (auto [dim, size] : {std::pair(dims.columns.back(), tiles.columns),
                           std::pair(dims.keys, tiles.keys)}) {
    TilingLevel &level = levels.emplace_back();
    level.kind = LoopKind::For;
    level.tileSizes.assign(dims.ranges.size(), 0);
    level.tileSizes[dim] = size;
  }
  return levels;
}

FailureOr<std::vector<TilingLevel>>
mlir::linalg_ext::selectCPULevels(Operation *root, const CPUTarget &core,
                                  const CPUTileOptions &options,
                                  Operation *chained) {
  FailureOr<RootDims> dims = getRootDims(root, chained);
  if (succeeded(dims)) {
    CPULoopShape shape = getLoopShape(root, *dims);
    CPUTiles tiles = chooseCPUTiles(shape, core, options);
    if (chained &&
        (!isChainWorthFusing(shape.depth, shape.columns) || tiles.columns != 0))
      return failure();
    return makeOnlineLevels(*dims, tiles);
  }
  if (chained)
    return failure();
  dims = getRowRootDims(root);
  if (failed(dims))
    return failure();
  CPURowTiles tiles =
      chooseCPURowTiles(getLoopShape(root, *dims), core, options);
  std::vector<TilingLevel> levels = tiles.wholeRows
                                        ? makeRowLevels(*dims, tiles)
                                        : makeOnlineLevels(*dims, tiles);
  if (levels.empty())
    return failure();
  return levels;
}

/// True of gathers: of an input that no dimension of the loops indexes, or of
/// what a payload reads at indices of its own.
static bool isGather(Operation *op) {
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!maps || !dps)
    return false;
  for (OpOperand *input : dps.getDpsInputOperands()) {
    auto type = dyn_cast<ShapedType>(input->get().getType());
    bool isOneElement =
        !type || (type.hasStaticShape() && type.getNumElements() == 1);
    if (!isOneElement && maps.getMatchingIndexingMap(input).isConstant())
      return true;
  }
  return op->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Calls `fn` for each gather that `value` is computed from without a reduction
/// in between.
static void forEachGather(Value value, function_ref<void(Operation *)> fn) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isGather(op)) {
      fn(op);
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && linalgOp.getNumReductionLoops() > 0)
      continue;
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        worklist.push_back(operand);
  }
}

/// Whether an input of `root` that no online reduction feeds is gathered.
static bool readsGathered(Operation *root, const RootDims &dims) {
  return llvm::any_of(
      cast<DestinationStyleOpInterface>(root).getDpsInputOperands(),
      [&](OpOperand *operand) {
        return operand != dims.online &&
               getDistance(operand->get(), isGather) >= 0;
      });
}

/// The columns of the accumulator; many, if that is not known.
static int64_t countColumns(const RootDims &dims) {
  int64_t columns = 1;
  for (unsigned dim = 0; dim < dims.ranges.size(); ++dim) {
    if (dim == dims.keys || llvm::is_contained(dims.rows, dim) ||
        llvm::is_contained(dims.otherReductions, dim))
      continue;
    columns *= ShapedType::isDynamic(dims.ranges[dim]) ? 512 : dims.ranges[dim];
  }
  return columns;
}

/// The rows of a batch, if they are known.
static std::optional<int64_t> countRows(const RootDims &dims) {
  SmallVector<unsigned> rows;
  for (unsigned dim : dims.rows)
    if (!llvm::is_contained(dims.batches, dim))
      rows.push_back(dim);
  return getStaticSize(rows, dims.ranges);
}

/// Fills in the sizes that are to be chosen, by the columns of the accumulator.
/// More rows use each key more often: two tiles of 16 rows a subgroup are
/// needed for shared memory to keep up with tensor cores. An accumulator of
/// more than 128 columns leaves registers for one, of more than 256 also for
/// fewer scores (docs/Decisions/0010). So does one of more than 96 columns
/// beside two such tiles, and one of a single column, which no instruction
/// computes: then threads hold rows of scores. Few rows wait for memory, the
/// less the more keys are on their way. If keys are gathered, their positions
/// are on their way as well: two buffers of 64 keys wait less than one of 128
/// (docs/Decisions/0038). Where threads multiply, each product being an
/// instruction, tiles are smaller.
static GPUTileSizes chooseSizes(const RootDims &dims, int64_t depth,
                                bool isByThreads, bool isGathered,
                                const GPUTarget &target, GPUTileSizes sizes) {
  int64_t columns = countColumns(dims);
  std::optional<int64_t> numRows = countRows(dims);
  // Few rows are few products.
  if (isByThreads && !(numRows && *numRows <= sizes.fewRows)) {
    // Each product is code: so many of both contractions, of 128 threads.
    constexpr int64_t kProducts = 4096;
    if (sizes.rows == 0)
      sizes.rows = columns + depth <= 512 ? 64 : 32;
    if (sizes.keys == 0) {
      int64_t most = kProducts * 128 / (sizes.rows * (columns + depth));
      sizes.keys = std::clamp<int64_t>(llvm::bit_floor<uint64_t>(most), 16, 64);
    }
    return sizes;
  }
  if (sizes.rows == 0)
    sizes.rows = columns <= 128 ? 128 : 64;
  if (sizes.keys == 0) {
    int64_t rows = std::min(sizes.rows, numRows.value_or(sizes.rows));
    // Columns that are none of a whole product take masks as well.
    // Threads of CDNA, with accumulation registers, hold more.
    bool isRoomy = rows <= 64 || target.threadRegisters >= 512;
    int64_t most = isRoomy ? 256 : columns % 16 == 0 ? 96 : 80;
    bool isFew = numRows && *numRows <= sizes.fewRows &&
                 columns <= (*numRows == 1 || isGathered ? 64 : 128);
    sizes.keys = columns <= 1 || columns > most ? 32 : isFew ? 128 : 64;
  }
  return sizes;
}

/// Why asynchronous products cannot read the operands of `root` and those of
/// the scores, as far as this can be seen. Empty if they can. The weights are
/// in registers. Sets `isGathered` if an operand is gathered.
static std::string explainNoTilesOf(Operation *root, const RootDims &dims,
                                    bool &isGathered) {
  linalg::LinalgOp scores = getContraction(dims.online->get());
  if (!scores)
    return "no contraction computes the scores";
  SmallVector<Value> operands(scores.getDpsInputs());
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(root).getDpsInputOperands())
    if (operand != dims.online)
      operands.push_back(operand->get());
  std::string reason;
  for (Value operand : operands) {
    forEachGather(operand, [&](Operation *gather) {
      isGathered = true;
      if (reason.empty())
        reason = explainNoParts(gather);
    });
    if (reason.empty())
      reason = explainNoTiles(operand);
  }
  return reason;
}

/// The number of comparisons of positions in what the online operand is computed
/// from, up to the scores: 1 for a causal mask, 2 for a window.
static int64_t countPositionMasks(const RootDims &dims) {
  int64_t count = 0;
  std::deque<Value> worklist{dims.online->get()};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.front().getDefiningOp();
    worklist.pop_front();
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!op || !seen.insert(op).second ||
        (linalgOp && linalg::isaContractionOpInterface(linalgOp)))
      continue;
    llvm::SmallDenseSet<uint64_t> indices;
    int64_t comparisons = 0;
    op->walk([&](linalg::IndexOp index) { indices.insert(index.getDim()); });
    op->walk([&](arith::CmpIOp) { ++comparisons; });
    if (indices.size() > 1)
      count += std::max<int64_t>(comparisons, 1);
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        worklist.push_back(operand);
  }
  return count;
}

/// Whether the other operand of `root`, such as values, is converted from elements
/// of 8 bits, or from integers in bytes.
static bool readsBytes(Operation *root, const RootDims &dims) {
  std::deque<Value> worklist;
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(root).getDpsInputOperands())
    if (operand != dims.online)
      worklist.push_back(operand->get());
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.front();
    worklist.pop_front();
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type || type.getRank() < 2)
      continue;
    if (type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() == 8)
      return true;
    // Integers that are unpacked are merged.
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      worklist.push_back(collapse.getSrc());
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (op && seen.insert(op).second && op.getNumReductionLoops() == 0)
      llvm::append_range(worklist, op.getDpsInputs());
  }
  return false;
}

/// Whether the scores are combined with a tensor of rank 2 or more in memory, such
/// as a mask or a bias.
static bool readsMask(const RootDims &dims) {
  std::deque<Value> worklist{dims.online->get()};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Value value = worklist.front();
    worklist.pop_front();
    Operation *op = value.getDefiningOp();
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!op) {
      if (cast<ShapedType>(value.getType()).getRank() >= 2)
        return true;
      continue;
    }
    if (!seen.insert(op).second ||
        (linalgOp && linalg::isaContractionOpInterface(linalgOp)))
      continue;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType, MemRefType>(operand.getType()))
        worklist.push_back(operand);
  }
  return false;
}

/// Replaces `sizes`, which are those for synchronous products, by what
/// `chooseOnlineKernel` chooses. Returns it, and in `part` its estimated time as
/// a part of that of `sizes`.
static OnlineKernel chooseWay(Operation *root, const RootDims &dims,
                              int64_t depth, bool isGathered,
                              const GPUTileSizes &given,
                              const GPUTarget &target, GPUTileSizes &sizes,
                              double &part) {
  OnlineSizes shape;
  shape.batches = getStaticSize(dims.batches, dims.ranges);
  shape.rows = countRows(dims);
  if (int64_t keys = dims.ranges[dims.keys]; !ShapedType::isDynamic(keys))
    shape.keys = keys;
  shape.depth = depth;
  shape.columns = countColumns(dims);
  shape.elementBytes = getLoopShape(root, dims).elementBytes;
  int64_t masks = countPositionMasks(dims);
  shape.isMaskedByPosition = masks > 0;
  OnlineKernel sync;
  sync.rows = getTileRows(sizes.rows, shape.rows, target);
  sync.keys = sizes.keys;
  sync.threads = sizes.threads;
  OnlineLimits limits;
  limits.ways = sizes.ways;
  // The thread that copies looks up the places of gathered rows ahead. It has no
  // registers left for a loop over tiles, unless only such kernels are wanted
  // (docs/Decisions/0047).
  limits.ways.async &= !isGathered;
  // Elements of a mask, beside a wide accumulator, take what the threads that
  // multiply would lose to it; so do the bounds of a window, where tiles of keys
  // are as long as they can be.
  constexpr int64_t kWideColumns = 128, kFewColumns = 64;
  if (limits.ways.contains(vector_ext::ProductWay::Roles))
    limits.ways.persistent &=
        !isGathered && (shape.columns < kWideColumns || !readsMask(dims)) &&
        (shape.columns > kFewColumns || masks < 2);
  limits.rows = given.rows;
  limits.keys = given.keys;
  limits.threads = given.threads;
  limits.rotate = given.rotate;
  OnlineKernel chosen = chooseOnlineKernel(shape, sync, limits, target);
  if (chosen.way != vector_ext::ProductWay::Sync) {
    sizes.rows = chosen.rows;
    sizes.keys = chosen.keys;
    part = double(estimateOnlineKernel(shape, chosen, target)) /
           std::max<int64_t>(estimateOnlineKernel(shape, sync, target), 1);
  }
  return chosen;
}

/// At most `sizes.keys`, such that a tile of keys (of `depth` elements each)
/// and one of values fit into the shared memory of a workgroup; 16 if no such
/// tiles fit.
static int64_t boundKeys(Operation *root, const RootDims &dims, int64_t depth,
                         const GPUTileSizes &sizes, const GPUTarget &target) {
  uint64_t columns = 1;
  for (unsigned dim : dims.columns) {
    int64_t range = dims.ranges[dim];
    columns = llvm::SaturatingMultiply<uint64_t>(
        columns, ShapedType::isDynamic(range)
                     ? sizes.columns
                     : std::min(range, sizes.maxColumns));
  }
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(
      llvm::SaturatingAdd<uint64_t>(depth, columns),
      getLoopShape(root, dims).elementBytes);
  int64_t keys = sizes.keys;
  // Padding, and what threads exchange, takes the rest.
  while (keys > 16 && llvm::SaturatingMultiply<uint64_t>(keys, bytes) >
                          uint64_t(target.sharedBytes) / 8 * 7)
    keys /= 2;
  return keys;
}

/// Whether `root` reduces what a contraction computes and has no columns of its
/// own, such as the log-sum-exp of a product. A tile of it then is a tile of
/// that product.
static bool isReducedProduct(const RootDims &dims,
                             std::optional<int64_t> depth) {
  return dims.columns.empty() && dims.otherReductions.empty() && depth != 0;
}

/// The roles of the dimensions of a root that is a maximum or minimum of what a
/// contraction computes, such as the nearest of some vectors.
static FailureOr<RootDims> getExtremumDims(Operation *root) {
  if (!isOnlineReduction(root) || isa<OnlineReductionOpInterface>(root))
    return failure();
  FailureOr<RootDims> dims = getRowRootDims(root);
  if (failed(dims) || !isReducedProduct(*dims, getDepth(dims->online->get())))
    return failure();
  return dims;
}

/// Fills in the sizes that are to be chosen for a reduced product: those of the
/// tiles of products.
static GPUTileSizes chooseReducedSizes(bool isByThreads, GPUTileSizes sizes) {
  int64_t size = isByThreads ? 64 : 128;
  if (sizes.rows == 0)
    sizes.rows = size;
  if (sizes.keys == 0)
    sizes.keys = size;
  return sizes;
}

/// Elements of the keys that a workgroup treats; 0 is all. With few rows there
/// is nothing but keys to share between workgroups, and they wait for memory:
/// as many have to read as it takes to use all of its bandwidth.
/// The same holds for a reduced product, which takes as long as its busiest
/// processor, while its states are next to nothing.
static int64_t chooseSplit(const RootDims &dims, const GPUTileSizes &sizes,
                           ArrayRef<int64_t> tileSizes, bool isReduced,
                           const GPUTarget &target) {
  if (sizes.split != 0)
    return std::max<int64_t>(sizes.split, 0);
  std::optional<int64_t> rows = countRows(dims);
  if (!isReduced && (!rows || *rows > sizes.fewRows))
    return 0;
  int64_t workgroups = 1;
  for (unsigned dim : dims.rows) {
    int64_t range = dims.ranges[dim];
    // Not known: as if there were too few.
    int64_t tile = std::max<int64_t>(tileSizes[dim], 1);
    if (!ShapedType::isDynamic(range))
      workgroups *= llvm::divideCeil(range, tile);
  }
  int64_t keys = dims.ranges[dims.keys];
  int64_t chunk = llvm::alignTo<int64_t>(isReduced ? 4096 : 1024, sizes.keys);
  if (!ShapedType::isDynamic(keys)) {
    int64_t chunks = llvm::divideCeil(target.keyWorkgroups, workgroups);
    // No more than run at the same time.
    if (isReduced)
      chunks = std::max<int64_t>(2 * target.processors / workgroups, 1);
    int64_t longest = llvm::alignTo(llvm::divideCeil(keys, chunks), sizes.keys);
    chunk = std::max(longest, 4 * sizes.keys);
    if (chunk >= keys)
      return 0;
  }
  return chunk;
}

/// Whether `dim`, of the rows of `dims`, is the one that a tile has several of:
/// the innermost with more than one element that is no batch.
static std::optional<unsigned> getRowDim(const RootDims &dims) {
  for (unsigned dim : llvm::reverse(dims.rows))
    if (dims.ranges[dim] != 1 && !llvm::is_contained(dims.batches, dim))
      return dim;
  return std::nullopt;
}

/// Shared keys are taken where their estimated time is at most this part of that
/// of asynchronous products (docs/Decisions/0048).
static constexpr double kSharingMargin = 0.78;

namespace {
/// Sizes of a launch whose subgroups share keys or whose workgroups have fewer
/// rows, and its estimated time as a part of that of the usual sizes.
struct SharedKeys {
  GPUTileSizes sizes;
  double part = 1;
};
} // namespace

/// What `chooseKeySharing` chooses in place of `sizes`, which have no parts, if
/// all that it needs is known and something else than these takes less time.
static std::optional<SharedKeys> shareKeys(Operation *root,
                                           const RootDims &dims, int64_t depth,
                                           const GPUTarget &target,
                                           const GPUTileSizes &sizes) {
  std::optional<unsigned> rowDim = getRowDim(dims);
  std::optional<int64_t> all = getStaticSize(dims.rows, dims.ranges),
                         columns = getStaticSize(dims.columns, dims.ranges);
  int64_t keys = dims.ranges[dims.keys];
  bool hasOtherReductions =
      llvm::any_of(dims.otherReductions,
                   [&](unsigned dim) { return dims.ranges[dim] != 1; });
  if (!rowDim || !all || !columns || *columns > sizes.maxColumns ||
      ShapedType::isDynamic(keys) || hasOtherReductions)
    return std::nullopt;
  KeySharingSizes shape;
  shape.rows = dims.ranges[*rowDim];
  shape.batches = *all / shape.rows;
  shape.keys = keys;
  shape.depth = depth;
  shape.columns = *columns;
  shape.elementBytes = getLoopShape(root, dims).elementBytes;
  KeySharing usual;
  usual.rows = sizes.rows;
  usual.keys = sizes.keys;
  SmallVector<int64_t> tile(dims.ranges.size(), 1);
  tile[*rowDim] = std::min(sizes.rows, shape.rows);
  usual.split = chooseSplit(dims, sizes, tile, /*isReduced=*/false, target);
  int64_t subgroups = std::max<int64_t>(kProductThreads / target.lanes, 1);
  KeySharing chosen = chooseKeySharing(shape, subgroups, usual, target);
  int64_t time = estimateKeySharing(shape, chosen, subgroups, target),
          usualTime = estimateKeySharing(shape, usual, subgroups, target);
  if (time >= usualTime)
    return std::nullopt;
  SharedKeys shared{sizes, double(time) / usualTime};
  shared.sizes.rows = chosen.rows;
  shared.sizes.keys = chosen.keys;
  shared.sizes.keySubgroups = chosen.parts;
  shared.sizes.split = chosen.split > 0 ? chosen.split : -1;
  return shared;
}

/// Why a kernel has the sizes of `shared`.
static std::string describe(const SharedKeys &shared) {
  std::string text = llvm::formatv("sync, {0} rows x {1} keys",
                                   shared.sizes.rows, shared.sizes.keys);
  if (shared.sizes.keySubgroups > 1)
    text += llvm::formatv(", {0} parts of the subgroups share keys",
                          shared.sizes.keySubgroups);
  return text + llvm::formatv(": {0:F2} of the time of the usual sizes",
                              shared.part)
                    .str();
}

FailureOr<std::vector<TilingLevel>>
mlir::linalg_ext::selectGPULevels(Operation *root, const GPUTileSizes &given,
                                  const GPUTarget &target, Operation *chained,
                                  std::optional<OnlineKernel> *kernel) {
  FailureOr<RootDims> dims = getRootDims(root, chained);
  if (failed(dims) && !chained)
    dims = getExtremumDims(root);
  if (failed(dims) || llvm::is_contained(dims->ranges, 0))
    return failure();
  std::optional<int64_t> depth = getDepth(dims->online->get());
  std::optional<int64_t> numColumns =
      getStaticSize(dims->columns, dims->ranges);
  if (chained && (!isChainWorthFusing(depth, numColumns) ||
                  *numColumns > given.maxColumns))
    return failure();
  bool isReduced = !chained && isReducedProduct(*dims, depth);
  // Tensor cores take 16 bits.
  Operation *product =
      isReduced ? getContraction(dims->online->get()).getOperation() : root;
  bool isByThreads = llvm::all_of(
      cast<DestinationStyleOpInterface>(product).getDpsInputs(),
      [](Value input) { return getElementTypeOrSelf(input).isF32(); });
  GPUTileSizes sizes =
      isReduced ? chooseReducedSizes(isByThreads, given)
                : chooseSizes(*dims, depth.value_or(128), isByThreads,
                              readsGathered(root, *dims), target, given);
  if (given.keys == 0 && !isReduced)
    sizes.keys = boundKeys(root, *dims, depth.value_or(0), sizes, target);
  bool isGiven = given.rows != 0 || given.keys != 0 || given.split > 0;
  std::optional<SharedKeys> shared;
  if (given.keySubgroups == 0 && !isGiven && !isByThreads && depth &&
      !isReduced)
    shared = shareKeys(root, *dims, *depth, target, sizes);
  if (given.ways.anyAsync() && !isReduced && !dims->rows.empty()) {
    OnlineKernel chosen;
    chosen.threads = given.threads;
    bool isGathered = false;
    chosen.reason = given.keySubgroups > 1
                        ? "subgroups share keys"
                        : explainNoTilesOf(root, *dims, isGathered);
    double part = 1;
    if (chosen.reason.empty())
      chosen = chooseWay(root, *dims, depth.value_or(128), isGathered, given,
                         target, sizes, part);
    else
      chosen.reason = "sync: " + chosen.reason;
    // Both parts are of the same usual sizes, by different models.
    if (shared && chosen.way != vector_ext::ProductWay::Sync &&
        shared->part > kSharingMargin * part)
      shared.reset();
    if (shared) {
      chosen = OnlineKernel();
      chosen.threads = given.threads;
      chosen.reason = describe(*shared);
    }
    if (kernel)
      *kernel = std::move(chosen);
  }
  if (shared)
    sizes = shared->sizes;
  // Few rows of bytes wait for conversions more than for memory: two parts of the
  // subgroups, each with tiles of its own (docs/Decisions/0050).
  std::optional<int64_t> numRows = countRows(*dims);
  if (given.keySubgroups == 0 && !shared && !isGiven && !isByThreads &&
      !isReduced && numRows && *numRows <= sizes.fewRows &&
      readsBytes(root, *dims) && !readsGathered(root, *dims)) {
    sizes.keys = 32;
    sizes.keySubgroups = 2;
  }
  std::vector<TilingLevel> levels;
  if (!dims->rows.empty()) {
    TilingLevel &outer = levels.emplace_back();
    outer.kind = LoopKind::Forall;
    outer.tileSizes.assign(dims->ranges.size(), 0);
    // Loops of one iteration are none, but one there must be.
    unsigned numLoops = 0;
    bool hasRows = false;
    for (unsigned dim : llvm::reverse(dims->rows)) {
      int64_t range = dims->ranges[dim];
      if (range == 1 && (numLoops > 0 || dim != dims->rows.front()))
        continue;
      bool isRow =
          !hasRows && range != 1 && !llvm::is_contained(dims->batches, dim);
      int64_t tile = isRow ? sizes.rows : 1;
      hasRows |= isRow;
      if (!ShapedType::isDynamic(range))
        tile = std::clamp<int64_t>(range, 1, tile);
      outer.tileSizes[dim] = tile;
      ++numLoops;
    }
    for (unsigned dim : dims->columns) {
      int64_t range = dims->ranges[dim];
      bool isDynamic = ShapedType::isDynamic(range);
      if (!isDynamic && range <= sizes.maxColumns)
        continue;
      outer.tileSizes[dim] = isDynamic ? sizes.columns : sizes.maxColumns;
      ++numLoops;
    }
    outer.mapping = getWorkgroupMapping(root->getContext(), numLoops);
    if (int64_t split =
            chooseSplit(*dims, sizes, outer.tileSizes, isReduced, target)) {
      TilingLevel chunks;
      chunks.kind = LoopKind::Split;
      chunks.tileSizes.assign(dims->ranges.size(), 0);
      chunks.tileSizes[dims->keys] = split;
      levels.push_back(std::move(chunks));
    }
  }
  TilingLevel &inner = levels.emplace_back();
  inner.kind = LoopKind::For;
  inner.tileSizes.assign(dims->ranges.size(), 0);
  for (unsigned dim : dims->otherReductions)
    inner.tileSizes[dim] = dims->ranges[dim] == 1 ? 0 : 1;
  inner.tileSizes[dims->keys] = sizes.keys;
  int64_t keys = dims->ranges[dims->keys];
  // Parts share one dimension of keys.
  bool isOneDim = llvm::count_if(inner.tileSizes,
                                 [](int64_t size) { return size != 0; }) == 1;
  if (sizes.keySubgroups > 1 && isOneDim &&
      (ShapedType::isDynamic(keys) ||
       keys / sizes.keys >= sizes.keySubgroups)) {
    inner.parts = sizes.keySubgroups;
    inner.mapping = {gpu::GPUWarpMappingAttr::get(root->getContext(),
                                                  gpu::MappingId::LinearDim0)};
  }
  return levels;
}
