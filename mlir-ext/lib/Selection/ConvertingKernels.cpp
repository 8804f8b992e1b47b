//===- ConvertingKernels.cpp - Operands that threads convert --------------===//
//
// See ConvertedProduct in ProductTiles.h. Chooses tiles of products whose
// right operand threads convert in front of asynchronous products: their sums
// are whole, or chunks that another kernel merges, or shared by processors.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::ProductWay;

namespace {
/// A tile of so many columns: elements that an iteration sums, cycles for one
/// of a workgroup that is alone on its processor, and for each of two.
struct ConvertedTile {
  int64_t columns, step, alone, beside;
};
} // namespace

/// Rates on an H200 (docs/Decisions/0132, 0145): cycles of a launch, of one
/// that merges chunks, of each of these, and of the result of a rest of a sum.
/// Without asynchronous products, a processor converts so many elements in a
/// cycle, more where rows are few or very few, and fewer of these where
/// workgroups have few columns, since each reads all rows (docs/Decisions/0152,
/// 0166). An iteration takes so many percent longer for each more scale of 128
/// elements (docs/Decisions/0146), and so many percent of its time with few
/// rows.
static constexpr int64_t kConvertingLaunch = 5500, kMerging = 4000,
                         kMergingChunk = 350, kStoredRest = 2100,
                         kConvertedBySync = 8, kConvertedOfSomeRows = 10,
                         kConvertedOfFewColumns = 14,
                         kConvertedOfShortGroups = 16,
                         kConvertedOfShortSums = 16, kScalePercent = 5,
                         kFewRowsPercent = 94;
/// Where workgroups have 32 columns: cycles of a launch, and for 1000 elements
/// with few rows or very few, if as many subgroups have a part as run at a time
/// (docs/Decisions/0166).
static constexpr int64_t kSummingLaunch = 6800, kSummedOfFewRows = 32,
                         kSummedOfVeryFewRows = 29;
/// Fewer rows than this have no asynchronous products, and up to the other
/// number only those of packed elements have.
static constexpr int64_t kLeastConvertingRows = 2, kVeryFewConvertingRows = 4,
                         kFewConvertingRows = 8, kSomeConvertingRows = 12;
static constexpr ConvertedTile kPackedTiles[] = {{256, 256, 2650, 2650},
                                                 {128, 256, 1750, 1500}},
                               kByteTiles[] = {{128, 128, 1580, 1000}};

/// Synchronous products whose threads load both operands from shared memory
/// (docs/Decisions/0190): the columns of a tile, elements that an iteration
/// sums, its cycles for each of two workgroups on a processor, and the rows that
/// such a tile has.
static constexpr int64_t kLoadedColumns = 128, kLoadedStep = 256,
                         kLoadedCycles = 940, kLeastLoadedRows = 6,
                         kMostLoadedRows = 8;

/// The chunks that a sum of `steps` iterations may have, by their iterations:
/// at most `most`. One is the whole sum.
static SmallVector<int64_t> getChunkSteps(int64_t steps, int64_t most) {
  SmallVector<int64_t> all{steps};
  for (int64_t chunks = 2; chunks <= std::min(most, steps); ++chunks)
    if (int64_t length = llvm::divideCeil(steps, chunks); length < all.back())
      all.push_back(length);
  return all;
}

namespace {
/// The iterations of the long part of each sum, and the cycles until all
/// processors have had their share. No iterations: there are too few tiles, or
/// too many.
struct SharedSums {
  int64_t steps = 0, cycles = 0;
};
} // namespace

/// Shares sums of `steps` iterations of `cycles` each: each of `tiles` has a
/// processor for its long part, and processors without one have the rests.
static SharedSums shareSums(int64_t tiles, int64_t steps, int64_t cycles,
                            int64_t processors) {
  SharedSums best;
  if (tiles >= processors || 2 * tiles <= processors)
    return best;
  int64_t rests = llvm::divideCeil(tiles, processors - tiles);
  // A rest is no longer than the long part: there are two parts.
  for (int64_t length = steps - 1; 2 * length >= steps; --length) {
    int64_t time = std::max(length * cycles,
                            rests * ((steps - length) * cycles + kStoredRest));
    if (best.steps == 0 || time < best.cycles)
      best = {length, time};
  }
  return best;
}

/// Describes `kernel`, whose threads convert its right operand.
static std::string describeConverting(const ProductKernel &kernel) {
  std::string sums;
  if (kernel.hasShares)
    sums = llvm::formatv(", equal shares of sums, chunks of {0}", kernel.chunk);
  else if (kernel.chunk > 0)
    sums = llvm::formatv(", chunks of {0}", kernel.chunk);
  return llvm::formatv("roles, {0} x {1} x {2}, whose threads convert the "
                       "right operand{3}{4}",
                       kernel.rows, kernel.columns, kernel.reduction,
                       kernel.isLoaded ? " for synchronous products" : "",
                       sums);
}

/// The columns of a tile whose sum the subgroups of a workgroup share, the most
/// parts of a sum, and those of workgroups of the usual size and of small ones
/// (WorkgroupVersions.cpp).
static constexpr int64_t kSumColumns = 32, kMostSumParts = 16,
                         kLeastSumParts = 4, kFewSumParts = 2;

int64_t mlir::linalg_ext::getPartsOfTiles(int64_t tiles,
                                          const GPUTarget &target) {
  int64_t parts =
      target.loadingSubgroups * target.processors / std::max<int64_t>(tiles, 1);
  return llvm::bit_floor<uint64_t>(
      std::clamp<int64_t>(parts, 1, kMostSumParts));
}

bool mlir::linalg_ext::hasWideSumTiles(int64_t columns, int64_t depth,
                                       int64_t reduction,
                                       const GPUTarget &target) {
  constexpr int64_t kLeastSteps = 4, kMostSteps = 16;
  int64_t tiles = llvm::divideCeil(columns, kSumColumns),
          part = reduction * getPartsOfTiles(tiles, target);
  return 20 * tiles >= 19 * target.processors && depth % part == 0 &&
         depth >= kLeastSteps * part && depth <= kMostSteps * part;
}

/// Estimates the cycles of `product`, if it has few rows, without asynchronous
/// products: subgroups sum parts.
static int64_t getCyclesBySync(const ConvertedProduct &product,
                               const GPUTarget &target) {
  int64_t elements =
      product.products * product.columns * product.depth / target.processors;
  // Scales of half of the elements are loaded in time.
  if (2 * product.scaled < product.group)
    return kConvertingLaunch / 2 + elements / kConvertedOfShortGroups;
  int64_t tiles = llvm::divideCeil(product.columns, kSumColumns);
  if (tiles < 2 * target.processors &&
      !hasWideSumTiles(product.columns, product.depth, product.group, target))
    return kConvertingLaunch / 2 + elements / kConvertedOfFewColumns;
  int64_t resident = target.loadingSubgroups * target.processors;
  // Small workgroups have two parts.
  int64_t parts =
      resident / tiles == kFewSumParts
          ? kFewSumParts
          : std::max(getPartsOfTiles(tiles, target), kLeastSumParts);
  // The last round of subgroups takes as long as a full one. Where all of them
  // run at the same time, fewer have less to wait for.
  int64_t subgroups = product.products * tiles * parts;
  double rounds =
      llvm::divideCeil(subgroups, resident) * double(resident) / subgroups;
  if (subgroups <= resident)
    rounds = (1 + rounds) / 2;
  int64_t cycles = *product.allRows <= kVeryFewConvertingRows
                       ? kSummedOfVeryFewRows
                       : kSummedOfFewRows;
  return std::min<int64_t>(
      kSummingLaunch + static_cast<int64_t>(1e-3 * cycles * elements * rounds),
      kConvertingLaunch / 2 + elements / kConvertedOfShortSums);
}

/// Considers tiles of `product` whose subgroups load both operands of
/// synchronous products from shared memory. Sets `chosen` and `best`, the
/// cycles, if that is faster. A workgroup sums all elements of a tile. Tiles
/// divide the columns: behind an end, threads read few scales at a time.
static void considerLoaded(const ConvertedProduct &product,
                           const GPUTarget &target, int64_t &best,
                           std::optional<ProductKernel> &chosen) {
  if (!product.isPacked || !product.isF16 || !product.allRows ||
      *product.allRows < kLeastLoadedRows ||
      *product.allRows > kMostLoadedRows || product.scaled < product.group ||
      product.columns % kLoadedColumns != 0 ||
      product.depth % kLoadedStep != 0)
    return;
  int64_t tiles = product.products * (product.columns / kLoadedColumns),
          time = kConvertingLaunch +
                 llvm::divideCeil(tiles, target.processors) *
                     (product.depth / kLoadedStep) * kLoadedCycles;
  // With one tile for a processor, nothing else runs while threads wait.
  if (tiles <= target.processors || time >= best)
    return;
  best = time;
  ProductKernel &kernel = chosen.emplace();
  kernel.way = ProductWay::Roles;
  kernel.isLoaded = true;
  kernel.rows = product.rows;
  kernel.columns = kLoadedColumns;
  kernel.reduction = product.group;
  kernel.threads = target.groupThreads;
}

std::optional<ProductKernel>
mlir::linalg_ext::chooseConvertingKernel(const ConvertedProduct &product,
                                         const GPUTarget &target) {
  bool areFew = product.allRows && *product.allRows <= kFewConvertingRows;
  if (areFew && (*product.allRows < kLeastConvertingRows || !product.isPacked))
    return std::nullopt;
  // 9 to 12 rows were measured only with scales of fewer elements.
  bool areSome = product.allRows && *product.allRows <= kSomeConvertingRows &&
                 product.scaled < product.group;
  // Without a sum, there is nothing to convert.
  if (product.products == 0 || product.depth == 0)
    return std::nullopt;
  int64_t bySync = areSome ? kConvertedOfSomeRows : kConvertedBySync;
  int64_t best = areFew ? getCyclesBySync(product, target)
                        : kConvertingLaunch / 2 +
                              product.products * product.columns *
                                  product.depth / (bySync * target.processors);
  std::optional<ProductKernel> chosen;
  ArrayRef<ConvertedTile> tiles(kByteTiles);
  if (product.isPacked)
    tiles = kPackedTiles;
  int64_t percent = areFew ? kFewRowsPercent : 100;
  if (product.scaled < product.group)
    percent += kScalePercent * (product.group / product.scaled - 1);
  for (ConvertedTile tile : tiles) {
    if (product.columns < tile.columns)
      continue;
    tile.alone = tile.alone * percent / 100;
    tile.beside = tile.beside * percent / 100;
    int64_t numTiles =
        product.products * llvm::divideCeil(product.columns, tile.columns);
    // Iterations of several groups, where they are none of a whole number, are
    // not merged: then there are no chunks.
    bool isWhole = product.depth % tile.step == 0;
    int64_t steps = llvm::divideCeil(product.depth, tile.step);
    auto consider = [&](int64_t length, int64_t cycles, bool hasShares) {
      int64_t chunks = llvm::divideCeil(steps, length);
      int64_t time = kConvertingLaunch + cycles;
      if (chunks > 1)
        time += kMerging + chunks * kMergingChunk;
      if (time >= best)
        return;
      best = time;
      ProductKernel &kernel = chosen.emplace();
      kernel.way = ProductWay::Roles;
      kernel.rows = product.rows;
      kernel.columns = tile.columns;
      kernel.reduction = product.group;
      kernel.threads = tile.columns / target.asyncRows * target.groupThreads;
      kernel.chunk = chunks > 1 ? length * tile.step : 0;
      kernel.hasShares = kernel.persist = hasShares;
    };
    // Two workgroups with tiles of 128 columns fit on a processor.
    int64_t resident = 256 / tile.columns * target.processors;
    for (int64_t length :
         getChunkSteps(steps, isWhole ? resident / numTiles : 1)) {
      int64_t most = llvm::divideCeil(
          numTiles * llvm::divideCeil(steps, length), target.processors);
      consider(length, length * (most == 1 ? tile.alone : most * tile.beside),
               /*hasShares=*/false);
    }
    if (!isWhole || tile.columns != 256 || !product.mayShare)
      continue;
    if (SharedSums shared =
            shareSums(numTiles, steps, tile.alone, target.processors);
        shared.steps > 0)
      consider(shared.steps, shared.cycles, /*hasShares=*/true);
  }
  considerLoaded(product, target, best, chosen);
  if (chosen)
    chosen->reason = describeConverting(*chosen);
  return chosen;
}

/// The cycles of an iteration of a tile of many rows, which has 256 or 128
/// columns: of 256 elements of a sum, or of 128 bytes (docs/Decisions/0146).
static int64_t getCyclesOfManyRows(int64_t rows, int64_t columns,
                                   bool isPacked) {
  if (columns == 256)
    return isPacked ? 2300 + 21 * rows : 1900 + 10 * rows;
  return isPacked ? 1350 + 12 * rows : 1120 + 5 * rows;
}

std::optional<ProductKernel> mlir::linalg_ext::chooseConvertingKernelOfManyRows(
    const ConvertedProduct &product, const GPUTarget &target) {
  // Cycles of the launch in front, and bytes of parts that are stored and
  // merged in a cycle.
  constexpr int64_t kPermuting = 3000, kMergedBytes = 1800, kMostRows = 128;
  // Cycles for a million weights that are stored, and for each more row that
  // they are multiplied with.
  constexpr double kStoring = 2200, kMoreRows = 3.3, kTwoLaunches = 11500;
  // There is nothing to convert without a sum.
  if (product.products == 0 || product.depth == 0)
    return std::nullopt;
  std::optional<ProductKernel> chosen;
  int64_t best = std::numeric_limits<int64_t>::max(),
          step = product.isPacked ? 256 : 128;
  if (product.rows > target.asyncRows)
    best = static_cast<int64_t>(
        kTwoLaunches +
        1e-6 * product.products * product.columns * product.depth *
            (kStoring +
             kMoreRows * std::max<int64_t>(product.rows - kMostRows, 0)));
  bool isWhole = product.depth % step == 0;
  int64_t steps = llvm::divideCeil(product.depth, step);
  for (int64_t columns : {256, 128}) {
    int64_t rows = std::min(product.rows, kMostRows);
    if (product.columns < columns || (columns == 256 && rows > 64))
      continue;
    int64_t tiles = product.products * llvm::divideCeil(product.rows, rows) *
                    llvm::divideCeil(product.columns, columns);
    int64_t cycles = getCyclesOfManyRows(rows, columns, product.isPacked);
    for (int64_t length :
         getChunkSteps(steps, isWhole ? target.processors / tiles : 1)) {
      int64_t chunks = llvm::divideCeil(steps, length);
      // With fewer tiles than this, nothing was measured (docs/Decisions/0153).
      if (2 * tiles * chunks < target.processors)
        continue;
      int64_t time = kPermuting + kConvertingLaunch +
                     llvm::divideCeilSigned(tiles * chunks, target.processors) *
                         length * cycles;
      if (chunks > 1)
        time += kMerging + chunks * product.products * product.rows *
                               product.columns * 8 / kMergedBytes;
      if (time >= best)
        continue;
      best = time;
      ProductKernel &kernel = chosen.emplace();
      kernel.way = ProductWay::Roles;
      kernel.rows = rows;
      kernel.columns = columns;
      kernel.reduction = product.group;
      kernel.threads = columns / target.asyncRows * target.groupThreads;
      kernel.chunk = chunks > 1 ? length * step : 0;
    }
  }
  if (chosen)
    chosen->reason = describeConverting(*chosen);
  return chosen;
}
