//===- SumsOfProducts.cpp - Products of blocks of what is summed ----------===//
//
// Quantised products may have a scale for each block of the summed dimension,
// on both sides. Their operands are bytes that instructions multiply as they
// are, so the scales apply to the results. Importers therefore write one
// product for each block, as a batch, scale its results, and sum these over the
// blocks. If the results of all blocks were stored, they would take as many
// times the memory of the result as there are blocks. Here the sum becomes the
// root of a loop over blocks, which computes the product of one block at a
// time. Other examples of such blocks are heads whose products with the same
// keys are rectified, weighted and summed.
//
// Asynchronous products start each block from zero, as products of f8 do in any
// case. Threads scale and add its results while the next ones are copied. The
// kernel is that of a product whose threads add sums (ProductTiles.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/SelectLevels.h"
#include "mlir-ext/Selection/TileOperands.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The contraction whose results a root sums. For each dimension of its result,
/// `map` has the loop of the root.
struct SummedProduct {
  linalg::LinalgOp product;
  AffineMap map;
};

/// The tiles of a workgroup. The sums of the loop, and beside them the products
/// of a block, are in registers.
struct SumTiles {
  int64_t rows = 128, columns = 64;
};

/// The roles of the loops of a root that sums blocks.
struct SumLoops {
  unsigned row, column;
  /// Whether each block has its own part of both operands.
  bool isBatch;
};

/// The sizes by which the tiles of a block are chosen.
struct BlockSizes {
  /// The number of products that a block sums, 0 if it is unknown, and the last
  /// of the product's dimensions that it sums.
  int64_t depth = 1;
  std::optional<unsigned> sumDim;
  /// The bytes of an element of the wider operand.
  int64_t bytes = 1;
};
} // namespace

/// The fewest products that a block may sum. The scales of its results cost the
/// same for any number.
static constexpr int64_t kFewestSummed = 16;

/// With so few rows, products of blocks are small. As many workgroups as there
/// are blocks then compute them at the same time.
static constexpr int64_t kRowsOfManyWorkgroups = 16;

/// The most columns of a tile with asynchronous products, because the scales of
/// columns are in registers, too.
static constexpr int64_t kMostColumns = 128;

/// The most elementwise ops between a product and the sum.
static constexpr unsigned kMostOps = 8;

/// Follows `value` to a contraction. The dimensions of `value` are the loops
/// `map` of a root. Only this root may read the values in between.
static std::optional<SummedProduct> findProduct(Value value, AffineMap map,
                                                unsigned depth) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !value.hasOneUse() || op->getNumResults() != 1 ||
      !op.hasPureTensorSemantics() || depth == 0)
    return std::nullopt;
  if (linalg::isaContractionOpInterface(op))
    return SummedProduct{op, map};
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!op.isAllParallelLoops() || !result.isPermutation())
    return std::nullopt;
  AffineMap loops = inversePermutation(result).compose(map);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap read = op.getMatchingIndexingMap(input);
    if (!read.isPermutation())
      continue;
    if (std::optional<SummedProduct> found =
            findProduct(input->get(), read.compose(loops), depth - 1))
      return found;
  }
  return std::nullopt;
}

static std::optional<SummedProduct> getSummedProduct(Operation *root) {
  auto op = dyn_cast<linalg::LinalgOp>(root);
  auto repairable = dyn_cast<RepairableOpInterface>(root);
  if (!op || !repairable || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  FailureOr<Accumulation> accumulation = repairable.getAccumulation();
  if (failed(accumulation) || accumulation->kind != AccumulationKind::Sum)
    return std::nullopt;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isPermutation())
      continue;
    if (std::optional<SummedProduct> found =
            findProduct(input->get(), map, kMostOps))
      return found;
  }
  return std::nullopt;
}

/// Returns whether asynchronous products may read the operands of `product` in
/// place. The last dimension that it sums is `dim`.
static bool mayBeAsync(linalg::LinalgOp product, unsigned dim, bool asyncF8) {
  Type type = getTileElementType(product.getDpsInputs().front());
  bool hasF8 = asyncF8 && isTileTypeOf8Bits(type);
  bool hasI8 = type && type.isInteger(8) &&
               getElementTypeOrSelf(product->getResult(0)).isInteger(32);
  // Both operands of an instruction have the same signedness.
  bool isSigned = false, isUnsigned = false;
  for (Operation &op : product.getBlock()->without_terminator()) {
    isSigned |= isa<arith::ExtSIOp>(op);
    isUnsigned |= isa<arith::ExtUIOp>(op);
  }
  if (hasI8 && isSigned && isUnsigned)
    return false;
  return llvm::all_of(product.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = product.getMatchingIndexingMap(operand);
    // Elements of 16 bits are transposed while they are read.
    return getTileElementType(operand->get()) == type &&
           explainNoTiles(operand->get(), hasF8 || hasI8).empty() &&
           (!(hasF8 || hasI8) ||
            map.getResults().back() ==
                getAffineDimExpr(dim, product.getContext()));
  });
}

/// Returns a kernel with asynchronous products that takes less time than
/// `tiles`, and replaces `tiles` by its tiles. Unset if there is none.
static std::optional<OnlineKernel>
chooseAsyncKernel(linalg::LinalgOp product,
                  const std::optional<ProductSizes> &shape,
                  std::optional<int64_t> depth, const GPUTileSizes &sizes,
                  const GPUTarget &target, SumTiles &tiles) {
  ProductKernel sync;
  sync.rows = tiles.rows;
  sync.columns = tiles.columns;
  sync.threads = kProductThreads;
  ProductLimits limits;
  limits.ways = sizes.ways;
  limits.threads = sizes.threads;
  limits.bits = getTileElementType(product.getDpsInputs().front())
                    .getIntOrFloatBitWidth();
  limits.hasShortSums = true;
  ProductKernel chosen =
      chooseProductKernel(shape, depth, /*products=*/1, sync, limits, target);
  if (chosen.way == vector_ext::ProductWay::Sync)
    return std::nullopt;
  tiles.rows = chosen.rows;
  tiles.columns = std::min(chosen.columns, kMostColumns);
  OnlineKernel kernel;
  kernel.way = chosen.way;
  kernel.rows = chosen.rows;
  kernel.threads = chosen.threads;
  kernel.persist = chosen.persist;
  kernel.reason = chosen.reason;
  return kernel;
}

/// Returns the roles of the loops of `op`. Blocks are summed, and are a batch
/// of the product, or rows or columns of it.
static std::optional<SumLoops> getSumLoops(linalg::LinalgOp op,
                                           const SummedProduct &summed) {
  linalg::LinalgOp product = summed.product;
  AffineMap lhs = product.getMatchingIndexingMap(product.getDpsInputOperand(0)),
            rhs = product.getMatchingIndexingMap(product.getDpsInputOperand(1)),
            out = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::optional<unsigned> row, column;
  bool isBatch = true;
  for (auto [dim, expr] : llvm::enumerate(summed.map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    unsigned of = cast<AffineDimExpr>(out.getResult(dim)).getPosition();
    bool isLeft = lhs.isFunctionOfDim(of), isRight = rhs.isFunctionOfDim(of);
    bool isSummed =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    if (isSummed && !isLeft && !isRight)
      return std::nullopt;
    if (isSummed)
      isBatch &= isLeft && isRight;
    if (ranges[loop] == 1 || isSummed)
      continue;
    if (isLeft && !isRight)
      row = loop;
    else if (isRight && !isLeft)
      column = loop;
  }
  if (!row || !column)
    return std::nullopt;
  return SumLoops{*row, *column, isBatch};
}

static BlockSizes getBlockSizes(linalg::LinalgOp product) {
  BlockSizes block;
  for (auto [dim, range, iterator] : llvm::enumerate(
           product.getStaticLoopRanges(), product.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction) {
      block.depth = ShapedType::isDynamic(range) ? 0 : block.depth * range;
      block.sumDim = dim;
    }
  for (Value input : product.getDpsInputs())
    if (Type type = getElementTypeOrSelf(input); type.isIntOrFloat())
      block.bytes = std::max<int64_t>(
          block.bytes, llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  return block;
}

/// Makes `tile` no larger than `range` needs, and no smaller than `least`.
static void fitTile(int64_t &tile, int64_t range, int64_t least) {
  if (!ShapedType::isDynamic(range))
    tile = std::min<int64_t>(
        tile, std::max<int64_t>(llvm::PowerOf2Ceil(range), least));
}

/// Returns whether two buffers for a block of `tiles` fit into shared memory.
static bool hasRoom(const SumTiles &tiles, const BlockSizes &block,
                    const GPUTarget &target) {
  constexpr int64_t kBuffers = 2;
  return kBuffers * block.bytes * block.depth * (tiles.rows + tiles.columns) <=
         target.sharedBytes;
}

/// Chooses a kernel with asynchronous products for the sum `op`, and adapts its
/// `tiles`. If there is none, or no room, returns none and leaves the tiles
/// unchanged.
static std::optional<OnlineKernel>
chooseAsyncTiles(linalg::LinalgOp op, linalg::LinalgOp product,
                 const SumLoops &loops, const BlockSizes &block,
                 const GPUTileSizes &sizes, const GPUTarget &target,
                 SumTiles &tiles) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SumTiles sync = tiles;
  std::optional<ProductSizes> shape;
  int64_t all = block.depth;
  if (!ShapedType::isDynamicShape(ranges)) {
    shape = ProductSizes{1, ranges[loops.row], ranges[loops.column], 1};
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
        all *= range;
      else if (loop != loops.row && loop != loops.column)
        shape->batch *= range;
  }
  std::optional<OnlineKernel> kernel =
      chooseAsyncKernel(product, shape, all, sizes, target, tiles);
  if (kernel) {
    fitTile(tiles.rows, ranges[loops.row], target.asyncRows);
    fitTile(tiles.columns, ranges[loops.column], 16);
  }
  if (!hasRoom(tiles, block, target)) {
    kernel.reset();
    tiles = sync;
  }
  return kernel;
}

/// Returns the number of tiles along those dimensions of `op` whose sizes are
/// known.
static int64_t countTiles(linalg::LinalgOp op, const SumLoops &loops,
                          const SumTiles &tiles) {
  int64_t count = 1;
  for (auto [loop, range] : llvm::enumerate(op.getStaticLoopRanges()))
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        !ShapedType::isDynamic(range))
      count *= llvm::divideCeil(range, loop == loops.row      ? tiles.rows
                                       : loop == loops.column ? tiles.columns
                                                              : 1);
  return count;
}

/// Builds levels for workgroups of `tiles`, each of which sums one block after
/// the other.
static std::vector<TilingLevel>
buildLevels(linalg::LinalgOp op, const SumLoops &loops, const SumTiles &tiles) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::vector<TilingLevel> levels(2);
  levels[0].kind = LoopKind::Forall;
  levels[1].kind = LoopKind::For;
  for (TilingLevel &level : levels)
    level.tileSizes.assign(ranges.size(), 0);
  unsigned numLoops = 0;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (iterator == utils::IteratorType::reduction) {
      levels[1].tileSizes[loop] = 1;
      continue;
    }
    if (ranges[loop] == 1)
      continue;
    levels[0].tileSizes[loop] = loop == loops.row      ? tiles.rows
                                : loop == loops.column ? tiles.columns
                                                       : 1;
    ++numLoops;
  }
  levels[0].mapping = getWorkgroupMapping(op->getContext(), numLoops);
  return levels;
}

FailureOr<std::vector<TilingLevel>> mlir::linalg_ext::selectGPULevelsOfSum(
    Operation *root, const GPUTileSizes &sizes, const GPUTarget &target,
    std::optional<OnlineKernel> *kernel) {
  std::optional<SummedProduct> summed = getSummedProduct(root);
  if (!summed)
    return failure();
  linalg::LinalgOp product = summed->product;
  auto op = cast<linalg::LinalgOp>(root);
  std::optional<SumLoops> loops = getSumLoops(op, *summed);
  if (!loops)
    return failure();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t rows = ranges[loops->row], columns = ranges[loops->column];
  // A tile reads the whole of a block.
  BlockSizes block = getBlockSizes(product);
  bool isUnknown =
      ShapedType::isDynamic(rows) || ShapedType::isDynamic(columns);
  if (block.depth < kFewestSummed ||
      (!ShapedType::isDynamic(rows) && rows <= kRowsOfManyWorkgroups))
    return failure();
  SumTiles tiles;
  fitTile(tiles.rows, rows, 16);
  fitTile(tiles.columns, columns, 8);
  if (kernel && loops->isBatch && sizes.ways.anyAsync() && block.sumDim &&
      mayBeAsync(product, *block.sumDim, sizes.asyncF8))
    *kernel =
        chooseAsyncTiles(op, product, *loops, block, sizes, target, tiles);
  bool isAsync = kernel && *kernel;
  // Few tiles leave processors idle. An unknown number of rows is assumed to be
  // large.
  while (!isAsync && !isUnknown &&
         countTiles(op, *loops, tiles) < target.processors &&
         (tiles.rows > 64 || tiles.columns > 32))
    (tiles.rows > 64 ? tiles.rows : tiles.columns) /= 2;
  if (!hasRoom(tiles, block, target))
    return failure();
  return buildLevels(op, *loops, tiles);
}
