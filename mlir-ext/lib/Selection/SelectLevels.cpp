//===- SelectLevels.cpp - Tiling levels of a root -------------------------===//
//
// 1. Find the roles of the dimensions of the root (RootDims.cpp).
// 2. Choose tile sizes: for a CPU in CPUTileSizes.cpp, for a GPU in
//    GPUKernelChoice.cpp.
// 3. Build the tiling levels.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/SelectLevels.h"
#include "GPUKernelChoice.h"
#include "RootOperands.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Selection/StaticSize.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

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

/// Whether tiles of rows of a chain of contractions would be mostly empty: a
/// tile has rows of one dimension, such as those of an image, which is short.
/// Products alone have tiles of both dimensions (Codegen/GPU/MergeLoops.cpp).
static bool hasShortRows(const RootDims &dims) {
  constexpr int64_t kShortest = 48;
  for (unsigned dim : llvm::reverse(dims.rows)) {
    int64_t range = dims.ranges[dim];
    if (range == 1 || llvm::is_contained(dims.batches, dim))
      continue;
    std::optional<int64_t> rows = dims.countRows();
    return !ShapedType::isDynamic(range) && range < kShortest && rows &&
           *rows >= 4 * kShortest;
  }
  return false;
}

/// The number of contiguous bytes in a page of a cache from which on its heads
/// are read one by one. If a page has fewer, heads read a tile in turn, which
/// is faster (docs/Decisions/0095).
static constexpr int64_t kBytesOfHead = 128 << 10;
/// The most heads that read a tile in turn.
static constexpr int64_t kMostHeads = 8;

static CPULoopShape getLoopShape(Operation *root, const RootDims &dims) {
  CPULoopShape shape;
  shape.rows = dims.countRows();
  shape.batches = getStaticSize(dims.batches, dims.ranges);
  shape.keys = getStaticSize(dims.keys, dims.ranges);
  shape.columns = getStaticSize(dims.columns, dims.ranges);
  shape.depth = getDepth(dims.online->get());
  shape.elementBytes = dims.getElementBytes(root);
  return shape;
}

/// Returns how many of `heads` read a tile of keys in turn. What they read of a
/// page is adjacent, so the first one loads the address for all.
static int64_t countHeads(const HeadsOfPages &heads, const RootDims &dims) {
  int64_t range = dims.ranges[heads.dim],
          most = std::clamp<int64_t>(
              llvm::divideCeil(kBytesOfHead, std::max<int64_t>(heads.bytes, 1)),
              1, kMostHeads);
  if (ShapedType::isDynamic(range))
    return most;
  return llvm::divideCeil(range, llvm::divideCeil(range, most));
}

/// Makes an outer level of `tiles.rows` rows that share keys. Dimensions are
/// taken from the inside out until there are enough rows; batches are taken one
/// by one.
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

/// Makes the levels that tile the dimension that is reduced online.
static std::vector<TilingLevel>
makeOnlineLevels(const RootDims &dims, const CPUTiles &tiles,
                 std::optional<HeadsOfPages> heads = {}, int64_t numHeads = 1) {
  std::vector<TilingLevel> levels;
  SmallVector<int64_t> none(dims.ranges.size(), 0);
  TilingLevel outer = makeRowLevel(dims, tiles);
  if (numHeads > 1)
    outer.tileSizes[heads->dim] = numHeads;
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
  // Heads are taken one by one, so that each has the code of a single head.
  if (numHeads > 1) {
    TilingLevel &inTurn = levels.emplace_back();
    inTurn.kind = LoopKind::For;
    inTurn.tileSizes = none;
    inTurn.tileSizes[heads->dim] = 1;
  }
  return levels;
}

/// Makes levels that reduce whole rows, and tile the product after them. The
/// loop over columns indexes no reduction of rows, so these stay before it.
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
    std::optional<HeadsOfPages> heads;
    // More rows reuse what they have read.
    if (shape.rows && *shape.rows <= kFewRows)
      heads = getHeadsOfPages(root, *dims);
    if (heads)
      shape.heads = countHeads(*heads, *dims);
    CPUTiles tiles = chooseCPUTiles(shape, core, options);
    if (chained &&
        (!isChainWorthFusing(shape.depth, shape.columns) || tiles.columns != 0))
      return failure();
    return makeOnlineLevels(*dims, tiles, heads, shape.heads);
  }
  if (chained)
    return failure();
  dims = getRowRootDims(root);
  if (failed(dims)) {
    dims = getReducedProductDims(root);
    if (failed(dims))
      return failure();
    return makeOnlineLevels(
        *dims, chooseCPUTiles(getLoopShape(root, *dims), core, options));
  }
  CPURowTiles tiles =
      chooseCPURowTiles(getLoopShape(root, *dims), core, options);
  std::vector<TilingLevel> levels = tiles.wholeRows
                                        ? makeRowLevels(*dims, tiles)
                                        : makeOnlineLevels(*dims, tiles);
  if (levels.empty())
    return failure();
  return levels;
}

/// Makes the loop over workgroups: tiles of rows, and tiles of columns if these
/// are dynamic or more than a workgroup has.
static TilingLevel makeWorkgroupLevel(MLIRContext *context,
                                      const RootDims &dims,
                                      const GPUTileSizes &sizes) {
  TilingLevel outer;
  outer.kind = LoopKind::Forall;
  outer.tileSizes.assign(dims.ranges.size(), 0);
  // Loops with a single iteration are left out, but there must be at least one
  // loop.
  unsigned numLoops = 0;
  bool hasRows = false;
  for (unsigned dim : llvm::reverse(dims.rows)) {
    int64_t range = dims.ranges[dim];
    if (range == 1 && (numLoops > 0 || dim != dims.rows.front()))
      continue;
    bool isRow =
        !hasRows && range != 1 && !llvm::is_contained(dims.batches, dim);
    int64_t tile = isRow ? sizes.rows : 1;
    hasRows |= isRow;
    if (!ShapedType::isDynamic(range))
      tile = std::clamp<int64_t>(range, 1, tile);
    outer.tileSizes[dim] = tile;
    ++numLoops;
  }
  for (unsigned dim : dims.columns) {
    int64_t range = dims.ranges[dim];
    bool isDynamic = ShapedType::isDynamic(range);
    if (!isDynamic && range <= sizes.maxColumns)
      continue;
    outer.tileSizes[dim] = isDynamic ? sizes.columns : sizes.maxColumns;
    ++numLoops;
  }
  outer.mapping = getWorkgroupMapping(context, numLoops);
  return outer;
}

/// Makes the loop over tiles of keys. Each part of the subgroups may have its
/// own tile.
static TilingLevel makeKeyLevel(MLIRContext *context, const RootDims &dims,
                                const GPUTileSizes &sizes) {
  TilingLevel inner;
  inner.kind = LoopKind::For;
  inner.tileSizes.assign(dims.ranges.size(), 0);
  for (unsigned dim : dims.otherReductions)
    inner.tileSizes[dim] = dims.ranges[dim] == 1 ? 0 : 1;
  inner.tileSizes[dims.keys] = sizes.keys;
  int64_t keys = dims.ranges[dims.keys];
  // Parts share one dimension of keys.
  bool isOneDim = llvm::count_if(inner.tileSizes,
                                 [](int64_t size) { return size != 0; }) == 1;
  if (sizes.keySubgroups > 1 && isOneDim &&
      (ShapedType::isDynamic(keys) ||
       keys / sizes.keys >= sizes.keySubgroups)) {
    inner.parts = sizes.keySubgroups;
    inner.mapping = {
        gpu::GPUWarpMappingAttr::get(context, gpu::MappingId::LinearDim0)};
  }
  return inner;
}

bool mlir::linalg_ext::reducesRowsInMemory(Operation *root) {
  FailureOr<RootDims> dims = getRootDims(root, /*chained=*/nullptr);
  return succeeded(dims) && dims->columns.empty() &&
         getDepth(dims->online->get()) == 0;
}

/// Returns whether `root`, which reduces a product, reduces groups of its
/// columns that are shorter than the smallest tile, such as a pool of 4. The
/// loop would have padded tiles of one row. The stored product has whole ones.
static bool reducesShortGroups(Operation *root, const RootDims &dims) {
  constexpr int64_t kShortest = 16;
  AffineMap map =
      cast<IndexingMapOpInterface>(root).getMatchingIndexingMap(dims.online);
  int64_t keys = dims.ranges[dims.keys];
  return !ShapedType::isDynamic(keys) && keys < kShortest &&
         map.getResults().back() ==
             getAffineDimExpr(dims.keys, root->getContext()) &&
         llvm::count_if(dims.rows, [&](unsigned dim) {
           return dims.ranges[dim] != 1;
         }) > 1;
}

namespace {
/// Finds the products that a workgroup of a root would compute in tiles of a
/// few rows, although there are many rows. An example are experts that are
/// weighted by a softmax: each row of the root combines what a product computes
/// for this row, rather than values that rows share.
class ShortTiles {
public:
  ShortTiles(linalg::LinalgOp root, const RootDims &dims);

  /// Returns the ops to store before the root: such products, with the
  /// elementwise op behind it if there is one.
  SmallVector<Operation *> find();

private:
  /// The loops of the root that the dimensions of a value, or the loops of an
  /// op, are.
  using RootLoops = SmallVector<std::optional<unsigned>>;

  void visit(Value value, const RootLoops &dims, Operation *behind,
             unsigned depth);
  bool isShort(linalg::LinalgOp product, ArrayRef<unsigned> side,
               const RootLoops &loops) const;

  linalg::LinalgOp root;
  /// How many iterations of each loop of the root a tile has, at most
  /// `kFewestRows`: one of batches, and of rows in front of others, and keys. 0
  /// for other loops.
  SmallVector<int64_t> tile;
  SmallVector<Operation *> found;

  /// Fewer rows are no tile anyway, and shorter sums are cheap to repeat.
  static constexpr int64_t kFewestRows = 16, kShortestSum = 32;
};
} // namespace

ShortTiles::ShortTiles(linalg::LinalgOp root, const RootDims &dims)
    : root(root) {
  tile.assign(dims.ranges.size(), 0);
  int64_t keys = dims.ranges[dims.keys];
  tile[dims.keys] =
      ShapedType::isDynamic(keys) ? kFewestRows : std::min(keys, kFewestRows);
  // Of the rows, a tile has several iterations of one loop
  // (`makeWorkgroupLevel`).
  bool hasRows = false;
  for (unsigned dim : llvm::reverse(dims.rows)) {
    bool isRow = !hasRows && dims.ranges[dim] != 1 &&
                 !llvm::is_contained(dims.batches, dim);
    hasRows |= isRow;
    if (!isRow)
      tile[dim] = 1;
  }
}

/// Whether a tile of `product` has few of the many iterations of the loops
/// `side`, those of one operand alone.
bool ShortTiles::isShort(linalg::LinalgOp product, ArrayRef<unsigned> side,
                         const RootLoops &loops) const {
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  int64_t all = 1, inTile = 1;
  for (unsigned loop : side) {
    if (ranges[loop] == 1)
      continue;
    if (!loops[loop] || tile[*loops[loop]] == 0)
      return false;
    all *= ShapedType::isDynamic(ranges[loop])
               ? kFewestRows
               : std::min(ranges[loop], kFewestRows);
    inTile *= tile[*loops[loop]];
  }
  return all >= kFewestRows && inTile < kFewestRows;
}

void ShortTiles::visit(Value value, const RootLoops &dims, Operation *behind,
                       unsigned depth) {
  constexpr unsigned kMostOps = 8;
  if (depth == kMostOps)
    return;
  // What an online reduction makes of scores has their dimensions.
  if (auto online = value.getDefiningOp<OnlineReductionOpInterface>()) {
    Value scores = online->getOperand(0);
    auto type = dyn_cast<RankedTensorType>(scores.getType());
    if (type && value == online->getResult(0) &&
        type.getShape() == cast<RankedTensorType>(value.getType()).getShape())
      visit(scores, dims, /*behind=*/nullptr, depth + 1);
    return;
  }
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1)
    return;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isProjectedPermutation())
    return;
  RootLoops loops(op.getNumLoops());
  for (auto [dim, expr] : llvm::enumerate(output.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = dims[dim];
  if (linalg::isaContractionOpInterface(op)) {
    FailureOr<linalg::ContractionDimensions> kinds =
        linalg::inferContractionDims(op);
    int64_t sum = 1;
    if (succeeded(kinds))
      for (unsigned loop : kinds->k) {
        int64_t range = op.getStaticLoopRanges()[loop];
        sum *= ShapedType::isDynamic(range) ? kShortestSum : range;
      }
    if (succeeded(kinds) && sum >= kShortestSum &&
        (isShort(op, kinds->m, loops) || isShort(op, kinds->n, loops)))
      found.push_back(behind ? behind : op);
    return;
  }
  if (!op.isAllParallelLoops())
    return;
  SmallVector<OpOperand *> tensors = op.getDpsInputOperands();
  llvm::erase_if(tensors, [](OpOperand *input) {
    return !isa<RankedTensorType>(input->get().getType());
  });
  bool isOnly = tensors.size() == 1;
  for (OpOperand *input : tensors) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isProjectedPermutation())
      continue;
    RootLoops ofInput;
    for (AffineExpr expr : map.getResults())
      ofInput.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
    // Others would read the product as well.
    bool isLast = isOnly && input->get().hasOneUse();
    Operation *last = !isLast ? nullptr : behind ? behind : op.getOperation();
    visit(input->get(), ofInput, last, depth + 1);
  }
}

SmallVector<Operation *> ShortTiles::find() {
  for (OpOperand *operand : root.getDpsInputOperands()) {
    AffineMap map = root.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation())
      continue;
    RootLoops loops;
    for (AffineExpr expr : map.getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    visit(operand->get(), loops, /*behind=*/nullptr, /*depth=*/0);
  }
  return found;
}

/// Returns whether workgroups for more than two tiles of columns would each
/// compute the same scores, sums over at least as many elements as there are
/// keys: attention between channels, whose columns are the tokens that are
/// summed. To store the scores then takes less time than to compute them again
/// (docs/Decisions/0185), unless the scores of a workgroup are so few products
/// that another kernel takes longer: few queries, or few and short keys. That
/// holds while all workgroups run at the same time (docs/Decisions/0193).
static bool repeatsLongScores(const RootDims &dims,
                              std::optional<int64_t> depth,
                              std::optional<int64_t> columns,
                              int64_t maxColumns, int64_t processors) {
  constexpr int64_t kRows = 128, kProducts = 1 << 22;
  int64_t keys = dims.ranges[dims.keys];
  if (!columns || *columns <= 2 * maxColumns || !depth ||
      ShapedType::isDynamic(keys) || keys > *depth)
    return false;
  int64_t rows = std::min(dims.countRows().value_or(kRows), kRows);
  int64_t batches = getStaticSize(dims.batches, dims.ranges).value_or(1);
  return llvm::SaturatingMultiply<uint64_t>(rows * keys, *depth) >= kProducts ||
         llvm::SaturatingMultiply<uint64_t>(
             batches, llvm::divideCeil(*columns, maxColumns)) >
             static_cast<uint64_t>(processors);
}

FailureOr<std::vector<TilingLevel>> mlir::linalg_ext::selectGPULevels(
    Operation *root, const GPUTileSizes &given, const GPUTarget &target,
    Operation *chained, std::optional<OnlineKernel> *kernel,
    std::optional<FewKeys> *few, std::optional<ConvertingLevels> *converting,
    SmallVectorImpl<Operation *> *stored) {
  FailureOr<RootDims> dims = getRootDims(root, chained);
  if (failed(dims) && !chained) {
    dims = getReducedProductDims(root);
    if (succeeded(dims) && reducesShortGroups(root, *dims))
      return failure();
  }
  if (failed(dims) || llvm::is_contained(dims->ranges, 0))
    return failure();
  std::optional<int64_t> depth = getDepth(dims->online->get());
  std::optional<int64_t> numColumns =
      getStaticSize(dims->columns, dims->ranges);
  if (chained && (!isChainWorthFusing(depth, numColumns) ||
                  *numColumns > given.maxColumns || hasShortRows(*dims)))
    return failure();
  bool isReduced = !chained && isReducedProduct(*dims, depth);
  if (!chained && !isReduced &&
      repeatsLongScores(*dims, depth, numColumns, given.maxColumns,
                        target.processors))
    return failure();
  GPUKernelChoice choice =
      chooseGPUKernel(root, *dims, isReduced, given, target);
  if (kernel && choice.kernel)
    *kernel = std::move(*choice.kernel);
  if (stored)
    stored->assign(choice.stored.begin(), choice.stored.end());
  if (auto op = dyn_cast<linalg::LinalgOp>(root); op && stored && !chained)
    llvm::append_range(*stored, ShortTiles(op, *dims).find());
  if (stored)
    llvm::append_range(*stored, findReducedWindows(root));
  MLIRContext *context = root->getContext();
  std::vector<TilingLevel> levels;
  if (!dims->rows.empty()) {
    levels.push_back(makeWorkgroupLevel(context, *dims, choice.sizes));
    if (int64_t split = chooseSplit(
            *dims, choice.sizes, levels.back().tileSizes, isReduced, target)) {
      TilingLevel chunks;
      chunks.kind = LoopKind::Split;
      chunks.tileSizes.assign(dims->ranges.size(), 0);
      chunks.tileSizes[dims->keys] = split;
      levels.push_back(std::move(chunks));
    }
  }
  levels.push_back(makeKeyLevel(context, *dims, choice.sizes));
  auto makeOthers = [&](const OnlineVersion &version) {
    GPUTileSizes sizes = choice.sizes;
    sizes.rows = version.kernel.rows;
    sizes.keys = version.kernel.keys;
    return std::vector<TilingLevel>{makeWorkgroupLevel(context, *dims, sizes),
                                    makeKeyLevel(context, *dims, sizes)};
  };
  if (few && choice.few && levels.size() == 2)
    *few =
        FewKeys{makeOthers(*choice.few), dims->keys, *choice.few, *choice.many};
  if (converting && choice.converting && levels.size() == 2)
    *converting =
        ConvertingLevels{makeOthers(*choice.converting), dims->keys,
                         *choice.converting, *choice.many, choice.stored};
  return levels;
}
