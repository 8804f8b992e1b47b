//===- ProductTiles.cpp - Tiles of products on a GPU ----------------------===//
//
// See ProductTiles.h. Tries all tiles of a fixed list of sizes, estimates the
// time of the processor with the most tiles for each, and takes the least.
//
// For 64 elements of its sums, a workgroup with asynchronous products takes
//
//   alone    1.25 times the cycles of its products, and 188 that it waits; 13
//            if two groups of threads fill the waits of each other
//   beside   1.33 times the cycles of its products, or the time of its copies:
//            64 bytes a cycle, fewer if the operands do not fit into the cache
//
// times the workgroups of the processor that has most of them. It takes 690
// cycles besides, and its result 81 elements a cycle. The rates are a fit to 22
// shapes with five tiles each on an H100 (docs/Decisions/0041).
//
// A persistent kernel with roles takes 1.1 times the cycles of its products,
// and 166 for the wait, and 2000 cycles once (docs/Decisions/0046). If two
// groups of its threads have tiles of their own, it takes 1.22 times the cycles
// of its products: one multiplies while the other one stores
// (docs/Decisions/0124).
//
// A workgroup that is alone on its processor has iterations of 128 elements and
// all of its shared memory. It takes 36 cycles besides its products.
//
// What is read behind a product, such as a residual, is copied to shared memory
// during the last iterations, if that leaves room for three slots. These copies
// take the time of others: 17 bytes a cycle, or 28 in turns. Threads of a
// persistent kernel read 10. Its groups compute at the same time, while nothing
// is multiplied, unless they take turns (docs/Decisions/0158).
//
// If operands are exchanged, rows of a tile are columns of instructions, and
// may be any multiple of 8: tiles of two groups in turns have 64 to 192 of
// them, so that few of the last ones do not exist, and all processors have as
// many (docs/Decisions/0173).
//
// A workgroup with roles that is alone on its processor leaves its products
// open, and its slots take all shared memory. For 64 elements of its sums, it
// takes 1.17 times the cycles of its products, or the time of its copies: 92
// bytes a cycle, or 64 on the average of all processors, and 84 in longer
// iterations. Iterations of 64 elements take 205 cycles at least, longer ones
// fewer for as many elements (docs/Decisions/0189).
//
// If rows of operands are no whole lines of the cache, copies are the limit: 30
// bytes a cycle. Two workgroups of a cluster, whose tiles are below or beside
// each other, copy one operand once for both (docs/Decisions/0151).
//
// Elements of 8 bits are multiplied at twice the rate, and have half of the
// bytes: they take the time of half as many of 16 bits. Threads add the sums of
// each iteration: one element in 32 cycles where all wait for the same barrier.
// A persistent kernel hides that, and is limited by its copies: 40 bytes a
// cycle (docs/Decisions/0084).
//
// These are numbers of kernels with asynchronous products, and the 3800 cycles
// of a launch with others are only compared with them. For a chip without such
// products, numbers of its GPUTarget choose alone.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/ProductTiles.h"
#include "ProductCandidates.h"
#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Support/RoleRegisters.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::ProductWay;

/// Constants for a workgroup that is alone on its processor: the cycles for 64
/// elements of sums besides those of its products, a lower bound of all of
/// these, and the cycles for each further workgroup of the processor. Two
/// workgroups had 0.77 to 0.87 of the rate of other kernels, for reasons that
/// are unknown. The last constant is so large that they are not chosen
/// (docs/Decisions/0102).
static constexpr double kLoneWait = 36, kLoneLeast = 250, kFill = 30000;

/// The same for a workgroup with roles: the cycles of a launch, the factor of
/// its products, that of tiles of more than 128 x 192, the least cycles for 64
/// elements of sums, and those of an iteration besides (docs/Decisions/0189).
static constexpr double kLoneRolesLaunch = 3500, kLoneFactor = 1.17,
                        kLoneFactorOfLarge = 1.25, kLoneRolesLeast = 85,
                        kLoneRolesWait = 120;

/// Bytes that a workgroup that is alone copies in a cycle, where copies of
/// others are no limit, and on the average of all processors: with iterations
/// of 64 elements and with longer ones, with so many columns that there are
/// three slots for the latter, and if two groups of threads share a tile.
static constexpr double kMostCopiedAlone = 92, kCopiedAlone = 64,
                        kCopiedInLongIterations = 84, kCopiedInThreeSlots = 60,
                        kCopiedByTwoGroups = 50;

/// Cycles that copies of 64 elements of a column that does not exist take
/// longer than those of one that does, and the same in tiles of a multiple of
/// 64 columns or of two groups of threads (docs/Decisions/0196).
static constexpr double kMissingColumn = 2.3, kMissingInMultiples = 0.5;

/// The rows and columns of the largest tiles whose iterations have 256 and 128
/// elements, since threads then wait less often. There is room for five of these.
static constexpr int64_t kMostOfLongestIterations = 88,
                         kMostOfLongIterations = 144;

/// A synchronous workgroup that is alone takes longer than one beside others, by
/// this factor, and at least so many cycles for 64 elements of sums.
static constexpr double kSyncAlone = 1.15, kSyncLeast = 240;

/// Three groups of rows with more than 128 columns take longer than their
/// products, by this factor (docs/Decisions/0102).
static constexpr double kLargeFactor = 1.05;

/// kTurnFactor: groups that take turns take longer than their products, by this
/// factor. The other constants: if operands are several times as large as the
/// cache, fewer bytes are copied in a cycle. Tiles of 128 x 128 have more bytes
/// for each product (docs/Decisions/0124).
static constexpr double kTurnFactor = 1.22, kFarBytesPerCycle = 48;
static constexpr int64_t kFarCaches = 4;

/// Bytes of residuals in a cycle of a persistent kernel: those of tiles that
/// are copied, the same in turns, and those that threads read; and the slots of
/// operands that the former have to leave (docs/Decisions/0158).
static constexpr double kCopiedBehind = 17, kCopiedInTurns = 28,
                        kReadBehind = 10;
static constexpr int64_t kLeastSlots = 3;

/// Bytes that a processor copies in a cycle, and cycles of a tile until its
/// products fill the queue, where operands are exchanged.
static constexpr double kCopiedPerCycle = 64;
static constexpr int64_t kTurn = 200;

/// Elements to which a processor applies an instruction in a cycle.
static constexpr double kAppliedPerCycle = 128;

int64_t mlir::linalg_ext::getProductTileCycles(int64_t rows, int64_t columns,
                                               int64_t products,
                                               const GPUTarget &target) {
  // Of the ways to share a tile, take the one that loads least, which is chosen
  // later as well. A matrix load has the columns of two instructions.
  int64_t subgroups = std::max<int64_t>(kProductThreads / target.lanes, 1);
  int64_t all = products * columns, loads = 0, own = 0;
  for (int64_t byRows = subgroups; byRows > 0; --byRows) {
    int64_t byColumns = subgroups / byRows;
    if (subgroups % byRows != 0 || rows % (target.matrixRows * byRows) != 0 ||
        columns % (target.matrixColumns * byColumns) != 0)
      continue;
    int64_t here = rows * byColumns + all * byRows;
    if (loads == 0 || here < loads) {
      loads = here;
      own = columns / byColumns;
    }
  }
  int64_t loaded = (target.matrixLoads ? 2 : 1) * target.matrixColumns;
  if (loads == 0 || own % loaded != 0)
    return 0;
  // Copies write to shared memory and loads read it, with 2 bytes for each
  // element.
  int64_t multiplied = kStepsOfTime * rows * all / target.matrixProducts;
  int64_t moved =
      kStepsOfTime * 2 * (loads + rows + all) / target.sharedBytesPerCycle;
  // Each of the two waits for the other a little.
  return (target.productPercent * multiplied + target.sharedPercent * moved) /
         100;
}

ProductTile mlir::linalg_ext::chooseProductTile(const ProductSizes &sizes,
                                                const ProductTile &largest,
                                                const GPUTarget &target) {
  ProductTile best;
  std::pair<int64_t, int64_t> least;
  for (int64_t rows : {128, 96, 64, 48, 32, 16})
    for (int64_t columns : {128, 96, 64, 48, 32, 16}) {
      int64_t cycles =
          getProductTileCycles(rows, columns, sizes.products, target);
      if (cycles == 0 || rows > largest.rows ||
          columns * sizes.products > largest.columns)
        continue;
      int64_t tiles = sizes.batch * llvm::divideCeil(sizes.rows, rows) *
                      llvm::divideCeil(sizes.columns, columns);
      int64_t most = llvm::divideCeil(tiles, target.processors);
      std::pair<int64_t, int64_t> cost(most * cycles, tiles);
      if (best.rows > 0 && cost >= least)
        continue;
      least = cost;
      best = {rows, columns, most <= 1};
    }
  return best;
}

/// Returns the cycles of `iterations` iterations of `workgroups` workgroups of
/// a processor that runs `resident` of them at a time.
static double getAsyncCycles(double iterations, int64_t workgroups,
                             int64_t resident, double alone, double beside) {
  int64_t full = workgroups / resident, rest = workgroups % resident;
  return iterations * (full * std::max(alone, resident * beside) +
                       (rest == 0 ? 0 : std::max(alone, rest * beside)));
}

/// Returns the cycles for 64 elements of sums of a workgroup that is alone on
/// its processor.
static double getLoneCycles(double products, double copies) {
  return std::max({kLoneWait + products, kLoneLeast, copies});
}

/// Those of a persistent kernel, with `isFar` if its operands are much larger
/// than the cache.
static double getPersistentCycles(const ProductKernel &kernel, double products,
                                  double copied, bool hasLines, bool isFar,
                                  const GPUTarget &target) {
  double cycles =
      kernel.groups > 1 ? kTurnFactor * products : 166 + 1.1 * products;
  if (kernel.rows > 2 * target.asyncRows && kernel.columns > 128)
    cycles *= kLargeFactor;
  return std::max({cycles, kernel.hasShortSums ? copied / 40 : 0,
                   kernel.groups > 1 && isFar ? copied / kFarBytesPerCycle : 0,
                   hasLines ? 0 : copied / target.splitBytesPerCycle});
}

/// Returns whether shared memory of a kernel with roles, of `products`
/// products, has room for all tiles that are read behind the products.
static bool hasRoom(const ProductKernel &kernel, int64_t products,
                    const GPUTarget &target) {
  int64_t slot = (kernel.rows + kernel.columns * products) * kernel.reduction *
                 kernel.bits / 8;
  int64_t tile = kernel.rows * kernel.columns * kernel.epilogue.copiedBits / 8;
  return kLeastSlots * slot + tile <=
         target.processorSharedBytes - 2 * target.reservedSharedBytes;
}

/// The cycles for what is computed of a tile behind its products.
static double getCyclesBehind(const ProductKernel &kernel, int64_t products,
                              const GPUTarget &target) {
  double elements = kernel.rows * kernel.columns;
  double copied = elements * kernel.epilogue.copiedBits / 8,
         read = elements * kernel.epilogue.readBits / 8;
  // Without a loop over tiles, other workgroups multiply meanwhile.
  if (!kernel.persist)
    return copied / kCopiedBehind + read / kReadBehind;
  if (!hasRoom(kernel, products, target))
    read += std::exchange(copied, 0);
  if (kernel.groups > 1)
    return copied / kCopiedInTurns + read / kReadBehind;
  return copied / kCopiedBehind + read / kReadBehind +
         elements * kernel.epilogue.instructions / kAppliedPerCycle;
}

/// Returns whether `kernel` has roles and workgroups that are alone, without
/// clusters.
static bool isLoneWithRoles(const ProductKernel &kernel) {
  return kernel.way == ProductWay::Roles && kernel.isAlone &&
         kernel.cluster == 1;
}

/// Returns the cycles in which each of `tiles` workgroups of `kernel`, on
/// processors of their own, copies `copied` bytes.
static double getLoneCopies(const ProductKernel &kernel, int64_t tiles,
                            double copied, const GPUTarget &target) {
  bool isLong = kernel.reduction > kStepsOfTime;
  double average = kernel.threads > target.groupThreads ? kCopiedByTwoGroups
                   : isLong && kernel.columns > 2 * target.asyncRows
                       ? kCopiedInThreeSlots
                   : isLong ? kCopiedInLongIterations
                            : kCopiedAlone;
  double share = double(target.processors) / std::min(tiles, target.processors);
  return copied / std::min(kMostCopiedAlone, average * share);
}

/// Returns the cycles by which copies of `kernel`, whose workgroups are alone
/// on their processors, take longer because its tiles have more columns than
/// there are.
static double getMissingCycles(const ProductKernel &kernel, int64_t columns,
                               const GPUTarget &target) {
  bool isLittle = kernel.threads > target.groupThreads ||
                  kernel.columns % target.asyncRows == 0;
  return (isLittle ? kMissingInMultiples : kMissingColumn) *
         (llvm::alignTo(columns, kernel.columns) - columns);
}

/// Returns the cycles of `kernel`, whose workgroups have roles and are alone on
/// their processors. For 64 elements of sums, each takes `products` cycles, and
/// copies for `copies` cycles.
static double getLoneRolesCycles(const ProductKernel &kernel, int64_t depth,
                                 double products, double copies,
                                 const GPUTarget &target) {
  double elements = kernel.rows * kernel.columns;
  bool isLarge = elements > 6 * target.asyncRows * target.asyncRows;
  double cycles = std::max(
      {kLoneRolesLeast + kLoneRolesWait * kStepsOfTime / kernel.reduction,
       (isLarge ? kLoneFactorOfLarge : kLoneFactor) * products, copies});
  return kLoneRolesLaunch + 690 + elements / 81 +
         cycles * depth / kStepsOfTime +
         elements * kernel.epilogue.instructions / kAppliedPerCycle +
         getCyclesBehind(kernel, /*products=*/1, target);
}

/// Returns whether a thread of an asynchronous kernel, which has `registers`,
/// holds the results of `products` products and what it reads behind them.
/// Without roles, it reads that in front of the loop, and elements of other
/// rows one by one.
static bool holdsResults(const ProductKernel &kernel, int64_t products,
                         int64_t registers, const GPUTarget &target) {
  bool hasRoles = kernel.way == ProductWay::Roles;
  int64_t bits = (hasRoles ? 1 : 2) * kernel.epilogue.readBits;
  if (!hasRoles || !hasRoom(kernel, products, target))
    bits += kernel.epilogue.copiedBits;
  int64_t left = registers - (hasRoles ? 0 : target.asyncOtherRegisters);
  return bits == 0 || kernel.rows * kernel.columns * (32 * products + bits) <=
                          32 * kernel.threads * left;
}

/// Returns whether the workgroups of a cluster have tiles below each other, so
/// that they share the right operand.
static bool isDividedByRows(const ProductSizes &sizes,
                            const ProductKernel &kernel) {
  return llvm::divideCeil(sizes.rows, kernel.rows) % kernel.cluster == 0;
}

int64_t mlir::linalg_ext::estimateProductKernel(const ProductSizes &sizes,
                                                int64_t depth,
                                                const ProductKernel &kernel,
                                                const GPUTarget &target) {
  int64_t tiles = sizes.batch * llvm::divideCeil(sizes.rows, kernel.rows) *
                  llvm::divideCeil(sizes.columns, kernel.columns);
  int64_t most = llvm::divideCeil(tiles, target.processors);
  double iterations = double(depth) / kStepsOfTime;
  if (kernel.way == ProductWay::Sync) {
    double cycles = getProductTileCycles(kernel.rows, kernel.columns,
                                         sizes.products, target);
    // No other workgroup computes while this one waits.
    if (most == 1)
      cycles = std::max(kSyncLeast, kSyncAlone * cycles);
    return static_cast<int64_t>(
        3800 + (sizes.hasLines ? 1 : target.splitPercent / 100.0) * most *
                   iterations * cycles);
  }
  double all = kernel.columns * sizes.products;
  double products = kStepsOfTime * kernel.rows * all / target.asyncProducts;
  double copied = 2 * kStepsOfTime * (kernel.rows + all);
  if (kernel.cluster > 1)
    copied = 2 * kStepsOfTime *
             (isDividedByRows(sizes, kernel)
                  ? kernel.rows + all / kernel.cluster
                  : double(kernel.rows) / kernel.cluster + all);
  double added = kernel.hasShortSums ? kernel.rows * all / 32 : 0;
  double operands =
      2.0 * depth * sizes.batch * (sizes.rows + sizes.columns * sizes.products);
  if (kernel.persist && (most > 1 || kernel.isExchanged)) {
    // Of groups in turns, one waits alone if its processor has one tile.
    ProductKernel timed = kernel;
    if (most == 1)
      timed.groups = 1;
    double cycles =
        getPersistentCycles(timed, products, copied, sizes.hasLines,
                            operands > kFarCaches * target.cacheBytes, target);
    double behind = getCyclesBehind(timed, sizes.products, target);
    if (kernel.isExchanged) {
      if (most == 1)
        cycles = std::min(cycles, kTurnFactor * products);
      cycles = std::max(cycles, copied / kCopiedPerCycle);
      behind += most == 1 ? 690 + kernel.rows * all / 81 : kTurn;
    }
    return static_cast<int64_t>(5000 + most * (iterations * cycles + behind));
  }
  double rate =
      std::max(36.0, 64 * std::min(1.0, target.cacheBytes / operands));
  if (!sizes.hasLines)
    rate = target.splitBytesPerCycle;
  double copies = getLoneCopies(kernel, tiles, copied, target) +
                  getMissingCycles(kernel, sizes.columns, target);
  if (isLoneWithRoles(kernel))
    return static_cast<int64_t>(
        kFill * (most - 1) +
        most * getLoneRolesCycles(kernel, depth, products, copies, target));
  if (kernel.isAlone) {
    copies = sizes.hasLines ? kLoneWait + copies : copied / rate;
    return static_cast<int64_t>(
        3000 - kFill +
        most * (kFill + iterations * getLoneCycles(products, copies) + 690 +
                kernel.rows * all / 81 +
                kernel.rows * all * kernel.epilogue.instructions /
                    kAppliedPerCycle +
                getCyclesBehind(kernel, sizes.products, target)));
  }
  bool isOneGroup = kernel.threads <= target.groupThreads;
  double alone = (isOneGroup ? 188 : 13) + 1.25 * products + added;
  double beside = std::max(products / 0.75, copied / rate);
  // The results of the smallest tile leave room for more workgroups.
  int64_t resident =
      std::max<int64_t>(target.waitingThreads / kernel.threads, 1);
  if (kernel.rows * all <= 64 * 64)
    resident *= 2;
  return static_cast<int64_t>(
      3000 + getAsyncCycles(iterations, most, resident, alone, beside) +
      most * (690 + kernel.rows * all / 81 +
              getCyclesBehind(kernel, sizes.products, target)));
}

ProductTime mlir::linalg_ext::getProductTime(const ProductKernel &kernel,
                                             const GPUTarget &target,
                                             std::optional<int64_t> columns) {
  int64_t elements = kernel.rows * kernel.columns;
  double products = double(kStepsOfTime) * elements / target.asyncProducts;
  double copied = 2 * kStepsOfTime * (kernel.rows + kernel.columns);
  int64_t behind =
      static_cast<int64_t>(getCyclesBehind(kernel, /*products=*/1, target));
  ProductTime time;
  time.steps = kStepsOfTime * 16 / kernel.bits;
  if (kernel.persist) {
    time.fixed = 5000;
    time.ofTile = behind;
    auto getCycles = [&](bool hasLines, bool isFar) {
      return static_cast<int64_t>(getPersistentCycles(kernel, products, copied,
                                                      hasLines, isFar, target));
    };
    time.alone = time.beside = getCycles(/*hasLines=*/true, /*isFar=*/false);
    // A processor with one tile has one group that waits (docs/Decisions/0165).
    if (kernel.groups > 1 && !llvm::isPowerOf2_64(kernel.columns))
      time.alone = static_cast<int64_t>(166 + 1.1 * products);
    time.split = getCycles(/*hasLines=*/false, /*isFar=*/false);
    time.far = getCycles(/*hasLines=*/true, /*isFar=*/true);
    time.farBytes = kFarCaches * target.cacheBytes;
    if (!kernel.isExchanged)
      return time;
    // As in estimateProductKernel. A processor with one tile stores it behind
    // all products.
    time.fixed += 690 + elements / 81 - kTurn;
    time.ofTile += kTurn;
    double least = copied / kCopiedPerCycle;
    time.alone = static_cast<int64_t>(std::max(
        least, std::min(166 + 1.1 * products, kTurnFactor * products)));
    time.beside = std::max<int64_t>(time.beside, least);
    return time;
  }
  if (kernel.isAlone) {
    // One workgroup copies faster than all of them on the average.
    double missing = columns ? getMissingCycles(kernel, *columns, target) : 0.0;
    double fastest =
               missing + getLoneCopies(kernel, /*tiles=*/1, copied, target),
           all = missing +
                 getLoneCopies(kernel, target.processors, copied, target);
    if (isLoneWithRoles(kernel)) {
      auto getCycles = [&](int64_t depth, double copies) {
        return getLoneRolesCycles(kernel, depth, products, copies, target);
      };
      time.fixed = -kFill;
      time.ofTile = kFill + getCycles(/*depth=*/0, /*copies=*/0);
      time.alone = time.beside = getCycles(kStepsOfTime, fastest) -
                                 getCycles(/*depth=*/0, /*copies=*/0);
      time.copies = all;
      return time;
    }
    time.fixed = 3000 - kFill;
    time.ofTile = kFill + 690 + elements / 81 + behind +
                  elements * kernel.epilogue.instructions / kAppliedPerCycle;
    time.alone = time.beside = getLoneCycles(products, kLoneWait + fastest);
    time.copies = kLoneWait + all;
    return time;
  }
  double added = kernel.hasShortSums ? elements / 32.0 : 0;
  time.fixed = 3000;
  time.ofTile = 690 + elements / 81 + behind;
  time.alone = static_cast<int64_t>(188 + 1.25 * products + added);
  time.beside = static_cast<int64_t>(
      std::max(products / 0.75, copied / (kernel.bits == 8 ? 48 : 64)));
  time.split = static_cast<int64_t>(
      std::max(products / 0.75, copied / double(target.splitBytesPerCycle)));
  return time;
}

int64_t mlir::linalg_ext::getTileRows(int64_t rows,
                                      std::optional<int64_t> allRows,
                                      const GPUTarget &target) {
  return allRows ? llvm::alignTo(std::clamp<int64_t>(*allRows, 1, rows),
                                 target.matrixRows)
                 : rows;
}

std::string mlir::linalg_ext::describe(const ProductKernel &kernel) {
  std::string text = llvm::formatv(
      "{0}, {1} x {2} x {3}{4}", vector_ext::getWayName(kernel.way),
      kernel.rows, kernel.columns, kernel.reduction,
      kernel.groups > 1 ? ", persistent, in turns"
      : kernel.persist  ? ", persistent"
                        : "");
  if (isLoneWithRoles(kernel))
    text += ", alone";
  if (kernel.isExchanged)
    text += ", operands exchanged";
  if (kernel.cluster > 1)
    text += llvm::formatv(", clusters of {0}", kernel.cluster);
  return text;
}

/// The workgroups of a cluster. Clusters of three and four do not run on all
/// processors (docs/Decisions/0143).
static constexpr int64_t kCluster = 2;

/// Returns whether kernels without clusters may be chosen.
static bool hasOtherWays(const vector_ext::ProductWays &ways) {
  return ways.sync || ways.async || ways.anyRoles();
}

/// The estimates of wide tiles have to be less than those of others by so many
/// percent of them.
static constexpr int64_t kWidePercent = 103;

bool mlir::linalg_ext::isWideTile(const ProductKernel &kernel,
                                  const ProductLimits &limits,
                                  const GPUTarget &target) {
  return kernel.rows == 2 * target.asyncRows && kernel.columns > 128 &&
         !llvm::isPowerOf2_64(kernel.columns) && limits.columns == 0 &&
         !limits.hasShortSums && limits.bits == 16;
}

/// The columns of instructions are a multiple of this.
static constexpr int64_t kColumnsOfInstructions = 8;

/// Returns whether `kernel` may compute products of `sizes` with sums of
/// `depth` elements of 16 bits. The workgroups of a cluster have tiles below or
/// beside each other. They are only taken where they were faster, or if they
/// are asked for: rows of both operands cut sectors of the cache, and either
/// the operands are larger than the cache, or most processors have one small
/// tile (docs/Decisions/0151). Columns of exchanged operands are filled up to
/// rows of instructions, while other tiles have as few as the product.
static bool mayCompute(const ProductSizes &sizes, int64_t depth,
                       const ProductKernel &kernel, const ProductLimits &limits,
                       const GPUTarget &target) {
  if (isWideTile(kernel, limits, target) && !isLoneWithRoles(kernel))
    return sizes.hasLines && sizes.columns % kernel.columns == 0 &&
           (kernel.persist ||
            sizes.batch * llvm::divideCeilSigned(sizes.rows, kernel.rows) *
                    (sizes.columns / kernel.columns) <=
                target.processors);
  if (isLoneWithRoles(kernel) &&
      (!sizes.hasLines ||
       sizes.batch * llvm::divideCeilSigned(sizes.rows, kernel.rows) *
               llvm::divideCeilSigned(sizes.columns, kernel.columns) >
           target.processors))
    return false;
  if (kernel.isExchanged &&
      limits.ways.exchange != vector_ext::OperandExchange::Always)
    return sizes.hasLines && depth >= kStepsOfTime &&
           kernel.rows < sizes.rows + kColumnsOfInstructions &&
           (kernel.columns <= sizes.columns ||
            sizes.columns % target.asyncRows == 0);
  if (kernel.cluster == 1)
    return true;
  int64_t byRows = llvm::divideCeil(sizes.rows, kernel.rows),
          byColumns = llvm::divideCeil(sizes.columns, kernel.columns);
  if (byRows % kernel.cluster != 0 && byColumns % kernel.cluster != 0)
    return false;
  if (!hasOtherWays(limits.ways))
    return true;
  double operands = 2.0 * depth * sizes.batch * (sizes.rows + sizes.columns);
  int64_t tiles = sizes.batch * byRows * byColumns;
  return !sizes.hasSectors &&
         (kernel.persist ? operands > target.cacheBytes
                         : 4 * tiles >= 3 * target.processors);
}

/// Whether the user gives a size of the tile.
static bool hasGivenTile(const ProductLimits &limits) {
  return limits.rows != 0 || limits.columns != 0 || limits.reduction != 0;
}

/// Calls `add` for the kernels of one product with clusters that `limits`
/// allow: way, rows, columns, whether they are persistent and alone on their
/// processors, and the workgroups of a cluster. Operands of 8 bits and other
/// tiles were not timed, and are only taken if they are asked for.
static void addClusters(
    const ProductLimits &limits, const GPUTarget &target,
    llvm::function_ref<void(ProductWay, int64_t, int64_t, bool, bool, int64_t)>
        add) {
  if (!limits.ways.clusters || limits.bits != 16 ||
      (hasGivenTile(limits) && hasOtherWays(limits.ways)))
    return;
  int64_t least = target.asyncRows;
  add(ProductWay::Roles, least, 2 * least, /*persist=*/false, /*isAlone=*/true,
      kCluster);
  for (int64_t columns : {3 * least - 16, 3 * least})
    if (columns % limits.columnStep == 0)
      add(ProductWay::Roles, 3 * least, columns, /*persist=*/true,
          /*isAlone=*/false, kCluster);
}

/// The registers of a thread of `kernel` that computes.
static int64_t getComputingRegisters(const ProductKernel &kernel,
                                     const GPUTarget &target) {
  if (kernel.way != ProductWay::Roles)
    return target.threadRegisters;
  // In a loop over tiles, those that were timed: three groups have as many only
  // where tiles are dealt in pairs (docs/Decisions/0130).
  return shareRegisters(kernel.groups * kernel.threads / target.groupThreads,
                        /*numPlaces=*/1,
                        kernel.persist ? vector_ext::kDealtInPairs : 0, target)
      .computing;
}

/// The columns of the widest tiles of two groups of rows that are computed in
/// turns. With residuals, wider ones spill. Exchanged tiles of more than 96
/// rows spill up to 1140 bytes if an activation follows residuals of more than
/// 16 bits.
static constexpr int64_t kMostColumnsInTurns = 192,
                         kMostColumnsOfResiduals = 144,
                         kMostRowsOfWideResiduals = 96;

/// Returns the columns of tiles that have more than 128: one of them may fit
/// all tiles into a round. Those of 8 bits were not timed.
static SmallVector<int64_t> getWideColumns(int64_t products,
                                           const ProductLimits &limits) {
  SmallVector<int64_t> wide;
  for (int64_t columns : {144, 160, 176, 192})
    if (products == 1 && !hasGivenTile(limits) && !limits.hasShortSums &&
        limits.bits == 16 && columns % limits.columnStep == 0)
      wide.push_back(columns);
  return wide;
}

/// Returns the most columns of tiles of two groups of rows in turns. Tiles that
/// are given were not timed with more than 128.
static int64_t getMostColumnsInTurns(const ProductLimits &limits) {
  if (hasGivenTile(limits))
    return 128;
  return limits.epilogue.copiedBits + limits.epilogue.readBits > 0
             ? kMostColumnsOfResiduals
             : kMostColumnsInTurns;
}

/// Sets the groups and the threads of `kernel`, whose tile has `columns` of all
/// `products` products.
static void setThreads(ProductKernel &kernel, int64_t columns, int64_t products,
                       const ProductLimits &limits, const GPUTarget &target) {
  constexpr int64_t kColumns = 128;
  int64_t least = target.asyncRows, copies = limits.hasShortSums ? 2 : 1;
  kernel.threads = target.groupThreads;
  if (kernel.way == ProductWay::Roles)
    kernel.threads *= std::clamp<int64_t>(kernel.rows / least, 1, 3);
  else if (copies * kernel.rows * columns > 2 * least * kColumns)
    kernel.threads *= 2;
  // Each group has registers for a tile, and adds no sums beside it.
  if (kernel.persist && products == 1 && copies == 1 && limits.ways.groups &&
      limits.threads <= target.groupThreads && kernel.rows <= 2 * least &&
      columns <= getMostColumnsInTurns(limits)) {
    kernel.groups = 2;
    kernel.threads = target.groupThreads;
  }
  kernel.threads = std::max(kernel.threads, limits.threads);
}

/// Returns the columns of large tiles of products with short sums: two widths,
/// so that processors have work in the last round.
static SmallVector<int64_t> getColumnsOfShortSums(const ProductLimits &limits) {
  SmallVector<int64_t> columns;
  for (int64_t each : {192, 176})
    if (limits.hasShortSums && each % limits.columnStep == 0)
      columns.push_back(each);
  return columns;
}

/// Returns the kernels of one product whose operands are exchanged, two groups
/// of threads in turns. Other kernels were slower (docs/Decisions/0173), and
/// tiles that the user gives were not timed: they are only taken if they are
/// asked for.
static SmallVector<ProductKernel>
getExchangedKernels(const ProductLimits &limits, const GPUTarget &target) {
  constexpr int64_t kLeastRows = 64, kMostColumns = 256;
  bool isAskedFor = limits.ways.exchange == vector_ext::OperandExchange::Always;
  SmallVector<ProductKernel> kernels;
  if (!limits.mayExchange || limits.bits != 16 || limits.hasShortSums ||
      (!isAskedFor &&
       (limits.ways.exchange == vector_ext::OperandExchange::Never ||
        hasGivenTile(limits) || limits.threads > target.groupThreads ||
        !limits.ways.groups)))
    return kernels;
  // A sum of a bias and a residual has a few instructions, an activation more.
  constexpr int64_t kFewInstructions = 6;
  int64_t bits = limits.epilogue.copiedBits + limits.epilogue.readBits;
  bool isSimple =
      bits <= 16 || limits.epilogue.instructions <= kFewInstructions;
  int64_t mostRows = bits == 0  ? kMostColumnsInTurns
                     : isSimple ? kMostColumnsOfResiduals
                                : kMostRowsOfWideResiduals;
  auto add = [&](ProductWay way, int64_t rows, bool persist) {
    ProductKernel kernel;
    kernel.way = way;
    kernel.isExchanged = true;
    kernel.persist = persist;
    kernel.epilogue = limits.epilogue;
    kernel.rows = limits.rows != 0 ? limits.rows : rows;
    kernel.columns =
        limits.columns != 0 ? limits.columns : 2 * target.asyncRows;
    kernel.reduction = limits.reduction != 0 ? limits.reduction : kStepsOfTime;
    kernel.threads = target.groupThreads;
    int64_t parts =
        std::clamp<int64_t>(kernel.columns / target.asyncRows, 1, 3);
    bool takesTurns = persist && limits.ways.groups &&
                      limits.threads <= kernel.threads && parts <= 2 &&
                      kernel.rows <= mostRows;
    kernel.groups = takesTurns ? 2 : 1;
    kernel.threads = std::max(
        takesTurns ? kernel.threads : parts * kernel.threads, limits.threads);
    if (kernel.columns % target.asyncRows == 0 && kernel.rows <= kMostColumns &&
        kernel.rows % kColumnsOfInstructions == 0 &&
        (takesTurns || isAskedFor) &&
        holdsResults(kernel, /*products=*/1,
                     getComputingRegisters(kernel, target), target))
      kernels.push_back(kernel);
  };
  for (int64_t rows = kLeastRows; rows <= kMostColumnsInTurns;
       rows += kColumnsOfInstructions) {
    if (limits.ways.persistent)
      add(ProductWay::Roles, rows, /*persist=*/true);
    if (limits.ways.roles && isAskedFor)
      add(ProductWay::Roles, rows, /*persist=*/false);
    if (limits.ways.async && isAskedFor)
      add(ProductWay::Async, rows, /*persist=*/false);
  }
  return kernels;
}

/// Returns the kernels of one product with roles whose workgroups are alone on
/// their processors: tiles of 64 or 128 rows and a multiple of 16 columns; with
/// exchanged operands, those of 64 or 128 columns and a multiple of 8 rows.
/// Others were not timed.
static SmallVector<ProductKernel>
getLoneKernelsWithRoles(const ProductLimits &limits, const GPUTarget &target) {
  constexpr int64_t kLeast = 16, kMost = 192, kMostOfTwoGroups = 224;
  SmallVector<ProductKernel> kernels;
  if (!limits.ways.roles || !limits.ways.async || limits.bits != 16 ||
      limits.hasShortSums || hasGivenTile(limits) ||
      limits.threads > target.groupThreads)
    return kernels;
  auto add = [&](int64_t rows, int64_t columns, bool isExchanged) {
    ProductKernel kernel;
    kernel.way = ProductWay::Roles;
    kernel.isAlone = true;
    kernel.isExchanged = isExchanged;
    kernel.rows = rows;
    kernel.columns = columns;
    kernel.reduction =
        (rows + columns <= kMostOfLongestIterations ? 4
         : rows + columns <= kMostOfLongIterations  ? 2
                                                    : 1) *
        kStepsOfTime;
    kernel.epilogue = limits.epilogue;
    int64_t ofInstructions = isExchanged ? columns : rows;
    kernel.threads = ofInstructions / target.asyncRows * target.groupThreads;
    if (holdsResults(kernel, /*products=*/1,
                     getComputingRegisters(kernel, target), target))
      kernels.push_back(kernel);
  };
  for (int64_t parts : {1, 2}) {
    int64_t size = parts * target.asyncRows;
    for (int64_t columns = target.asyncRows;
         columns <= (parts > 1 ? kMostOfTwoGroups : kMost);
         columns += std::max(kLeast, limits.columnStep))
      add(size, columns, /*isExchanged=*/false);
    if (!limits.mayExchange ||
        limits.ways.exchange == vector_ext::OperandExchange::Never)
      continue;
    // Two groups of threads find their parts of a residual that is copied only
    // in pairs of 8 rows, and none of 32 bits.
    bool hasPairs = parts > 1 && limits.epilogue.copiedBits > 0;
    if (parts > 1 && limits.epilogue.copiedBits > 16)
      continue;
    for (int64_t rows = kLeast; rows <= kMost;
         rows += (hasPairs ? 2 : 1) * kColumnsOfInstructions)
      add(rows, size, /*isExchanged=*/true);
  }
  return kernels;
}

SmallVector<ProductKernel>
mlir::linalg_ext::getCandidates(std::optional<int64_t> allRows,
                                int64_t products, const ProductLimits &limits,
                                const GPUTarget &target) {
  SmallVector<ProductKernel> candidates;
  if (target.asyncRows == 0)
    return candidates;
  if (limits.ways.exchange == vector_ext::OperandExchange::Always)
    return products == 1 ? getExchangedKernels(limits, target) : candidates;
  constexpr int64_t kColumns = 128;
  int64_t least = target.asyncRows, copies = limits.hasShortSums ? 2 : 1;
  SmallVector<int64_t> wide = getWideColumns(products, limits);
  auto add = [&](ProductWay way, int64_t rows, int64_t columns,
                 bool persist = false, bool isAlone = false,
                 int64_t cluster = 1) {
    ProductKernel kernel;
    kernel.way = way;
    kernel.persist = persist;
    kernel.isAlone = isAlone;
    kernel.cluster = cluster;
    kernel.hasShortSums = limits.hasShortSums;
    kernel.bits = limits.bits;
    kernel.epilogue = limits.epilogue;
    kernel.rows = limits.rows != 0 ? limits.rows : rows;
    columns = limits.columns != 0 ? limits.columns : columns;
    kernel.columns = columns / llvm::PowerOf2Ceil(products);
    kernel.reduction = limits.reduction != 0
                           ? limits.reduction
                           : (isAlone && cluster == 1 ? 2 : 1) * kStepsOfTime *
                                 16 / limits.bits;
    setThreads(kernel, columns, products, limits, target);
    int64_t registers = getComputingRegisters(kernel, target);
    if (copies > 1 && copies * kernel.rows * columns / kernel.threads +
                              target.asyncOtherRegisters >
                          registers)
      return;
    if (!holdsResults(kernel, products, registers, target))
      return;
    // Instructions compute whole groups of rows, and here at least 16 columns.
    int64_t tile = getTileRows(kernel.rows, allRows, target);
    if (limits.fillsRows && tile > target.matrixRows && kernel.rows == least)
      tile = least;
    if (tile % least == 0 && kernel.columns > 0 && kernel.columns % 16 == 0)
      candidates.push_back(kernel);
  };
  if (products > 1 && limits.ways.roles) {
    // Without roles, several products of an iteration wait for each other.
    add(ProductWay::Roles, 2 * least, 2 * kColumns);
  } else if (limits.ways.async) {
    // With one group of rows, 256 columns make threads wait for shared memory.
    for (int64_t columns : {kColumns / 2, kColumns})
      add(ProductWay::Async, least, columns);
    for (int64_t columns : {kColumns / 2, kColumns, 2 * kColumns})
      add(ProductWay::Async, 2 * least, columns);
    for (int64_t columns : wide)
      add(ProductWay::Async, 2 * least, columns);
    // Other tiles were not measured this way.
    if (products == 1 && !hasGivenTile(limits) && !limits.hasShortSums)
      for (int64_t columns : {kColumns / 2, kColumns})
        add(ProductWay::Async, least, columns, /*persist=*/false,
            /*isAlone=*/true);
    for (int64_t columns : wide)
      add(ProductWay::Async, least, columns, /*persist=*/false,
          /*isAlone=*/true);
  } else if (limits.ways.roles && !limits.ways.sync) {
    // If other ways are allowed, roles are slower here.
    for (int64_t columns : {kColumns, 2 * kColumns})
      add(ProductWay::Roles, 2 * least, columns);
  }
  if (limits.ways.persistent) {
    for (int64_t groups : {2, 3})
      if (products == 1)
        add(ProductWay::Roles, groups * least, kColumns, /*persist=*/true);
    for (int64_t columns : wide)
      if (limits.ways.groups && limits.threads <= target.groupThreads &&
          columns <= getMostColumnsInTurns(limits))
        add(ProductWay::Roles, 2 * least, columns, /*persist=*/true);
    for (int64_t columns : getColumnsOfShortSums(limits))
      if (products == 1)
        add(ProductWay::Roles, 2 * least, columns, /*persist=*/true);
    add(ProductWay::Roles, 2 * least, 2 * kColumns, /*persist=*/true);
    if (products == 1 && !limits.hasShortSums)
      add(ProductWay::Roles, 3 * least, 3 * kColumns / 2, /*persist=*/true);
  }
  if (products == 1) {
    addClusters(limits, target, add);
    llvm::append_range(candidates, getExchangedKernels(limits, target));
    llvm::append_range(candidates, getLoneKernelsWithRoles(limits, target));
  }
  return candidates;
}

ProductKernel mlir::linalg_ext::chooseProductKernel(
    const std::optional<ProductSizes> &sizes, std::optional<int64_t> depth,
    int64_t products, const ProductKernel &sync, const ProductLimits &limits,
    const GPUTarget &target) {
  SmallVector<ProductKernel> candidates =
      getCandidates(sizes ? std::optional(sizes->rows) : std::nullopt, products,
                    limits, target);
  ProductKernel best = sync;
  best.reason = describe(sync);
  if (candidates.empty())
    return best;
  if ((!sizes || !depth) && limits.hasShortSums) {
    constexpr int64_t kUsual = 4096;
    best = chooseProductKernel(ProductSizes{1, kUsual, kUsual, products},
                               kUsual, products, sync, limits, target);
    best.reason = describe(best) + ": sizes are not known, as of 4096";
    return best;
  }
  if (!sizes || !depth) {
    // The same tile is faster.
    const ProductKernel *same = nullptr;
    // Whether there are whole clusters is not known.
    llvm::erase_if(candidates, [](const ProductKernel &kernel) {
      return kernel.cluster > 1;
    });
    if (candidates.empty())
      return best;
    for (const ProductKernel &kernel : candidates)
      if (!same || (!kernel.persist && !kernel.isAlone &&
                    kernel.rows <= std::max(sync.rows, target.asyncRows) &&
                    kernel.columns <= std::max<int64_t>(sync.columns, 16)))
        same = &kernel;
    best = *same;
    best.reason = describe(best) + ": sizes are not known, as large as the "
                                   "tile of synchronous products";
    return best;
  }
  int64_t syncTime = estimateProductKernel(*sizes, *depth, sync, target);
  int64_t least = limits.ways.sync ? static_cast<int64_t>(0.95 * syncTime)
                                   : std::numeric_limits<int64_t>::max();
  for (const ProductKernel &kernel : candidates) {
    if (!mayCompute(*sizes, *depth, kernel, limits, target))
      continue;
    int64_t time = estimateProductKernel(*sizes, *depth * limits.bits / 16,
                                         kernel, target);
    if (isWideTile(kernel, limits, target) ||
        (kernel.isExchanged && kernel.reduction == kStepsOfTime))
      time = time * kWidePercent / 100;
    if (time >= least)
      continue;
    least = time;
    best = kernel;
  }
  best.reason = describe(best);
  if (best.way == ProductWay::Sync)
    best.reason += ": no other way is faster";
  else
    best.reason += llvm::formatv(": {0:F2} of the time of {1}",
                                 double(least) / std::max<int64_t>(syncTime, 1),
                                 describe(sync));
  return best;
}
