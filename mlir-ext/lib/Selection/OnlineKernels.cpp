//===- OnlineKernels.cpp - How a GPU reduces online -----------------------===//
//
// See OnlineKernels.h. A workgroup takes a fixed time, for its first tiles and
// its result, and a time for each iteration. Rates are a fit to 96 shapes with
// up to five kernels each on an H100 (docs/Decisions/0041):
//
//   sync    0.8 of its products and 0.57 of its accesses of shared memory, as
//           other products (ProductTiles.cpp), and 0.0435 cycles for each score
//   async   all products, and 0.062 cycles for each score, while the other
//           workgroups of the processor fill the waits; an iteration takes 1.5
//           times as long alone, and no less than copies at 39 bytes a cycle
//   roles   all products, and 0.065 cycles for each score; if the loop is
//           rotated 13 % less, but 1000 cycles for the iteration in front of it
//           (docs/Decisions/0053). A persistent kernel takes the fixed time
//           once, and for each further tile only a cycle for 20 bytes of rows
//           and result, and 500 for the iteration in front; an iteration takes
//           5 % less where products take longer than threads, if there is room
//           for the rows of the next tile (rotated: 3 %), and 6 % more if there
//           is none; with three groups 8 % less, if not rotated. If products
//           take less than 1.5 times as long as threads, groups overlap without
//           rotated loops: 16 % less. With 64 keys, and room for the next rows,
//           rotated loops gain nothing, and waits take 10 % more
//           (docs/Decisions/0080). Two groups that take longer than products
//           take 15 % more if they convert a bias (docs/Decisions/0103)
//
// Cycles are those of a processor. The numbers of synchronous kernels are only
// compared with those of others: for a chip without asynchronous products, none
// of this file chooses anything.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/OnlineKernels.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Support/RoleRegisters.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::ProductWay;

/// The cycles for each score of a kernel with roles.
static constexpr double kScoreCycles = 0.065;
/// Cycles for a function of a score, such as a soft cap, with roles, and
/// without: workgroups that are not synchronised overlap better
/// (docs/Decisions/0069).
static constexpr double kFunctionCycles = 0.045, kAsyncFunctionCycles = 0.06;
/// In front of a diagonal and of an end, an iteration takes so much longer
/// where workgroups have no roles and products limit; and where threads limit,
/// a workgroup with roles so many cycles more (docs/Decisions/0104).
static constexpr double kAsyncEnd = 1.15, kRolesEnd = 4700;
/// The lengths that are assumed for unknown sizes. The number of batches is
/// such that the result has this number of elements.
static constexpr int64_t kAssumedLengths[] = {512,  1024, 2048,
                                              4096, 8192, 16384};
static constexpr int64_t kAssumedElements = 16384 * 2048;
/// The least gain of separate versions for few and for many keys, as a sum of
/// logarithms over the assumed lengths.
static constexpr double kVersionGain = 0.06;
/// The same for a version with more keys an iteration, at the longest of these
/// lengths alone (docs/Decisions/0170).
static constexpr double kGainOfMany = 0.015;
/// The time of an iteration with more than `kMaxKeys` keys, of that of as many
/// keys in iterations of `kMaxKeys`: groups change turns less often, and
/// results are multiplied less often.
static constexpr double kManyKeys = 0.935;
/// The least gain of a version whose threads hold the rows of a tile, at each
/// of the assumed lengths for which it is chosen. An iteration takes this part
/// of the time, a tile so many cycles more, and a thread needs so many
/// registers beside those of products and rows (docs/Decisions/0178).
static constexpr double kGainOfHeldRows = 0.01, kHeldRows = 0.976;
static constexpr int64_t kCyclesOfHeldRows = 800, kRegistersBesideRows = 36;
/// The multiple of keys that instructions sum, and bounds of the keys of an
/// iteration.
static constexpr int64_t kMultiple = 16, kMaxKeys = 128, kEnoughKeys = 64;
/// The longest window for which tiles have few keys, whatever the number of
/// columns (docs/Decisions/0075).
static constexpr int64_t kShortWindow = 2 * kMaxKeys;

/// Returns the number of groups of threads that compute `rows`.
static int64_t countGroups(int64_t rows, const GPUTarget &target) {
  return std::max<int64_t>(rows / std::max<int64_t>(target.asyncRows, 1), 1);
}

/// The elements of f8 that instructions sum before threads add the sums
/// (docs/Decisions/0084).
static constexpr int64_t kShortSum = 128;

/// Returns a quarter of the words that threads hold for each key of a row:
/// scores, and weights of half or a quarter of their width. For f8, there is
/// one score for each short sum.
static int64_t getQuarterWords(const OnlineSizes &sizes) {
  int64_t sums =
      sizes.scoreBytes == 1
          ? std::max<int64_t>(llvm::divideCeilSigned(sizes.depth, kShortSum), 1)
          : 1;
  return 4 * sums + (sizes.elementBytes == 1 ? 1 : 2);
}

/// Returns the words that threads hold for each row of the result. With weights
/// of f8, the sums of an iteration are added to sums of the same size.
static int64_t getResultWords(const OnlineSizes &sizes) {
  return llvm::alignTo(sizes.columns, kMultiple) *
         (sizes.elementBytes == 1 ? 2 : 1);
}

/// Returns the time of the products of a score and a weight, in products of 16
/// bits.
static double getWidth(const OnlineSizes &sizes) {
  return (sizes.getScoreBytes(1) == 1 ? 0.5 : 1.0) * sizes.depth +
         (sizes.elementBytes == 1 ? 0.5 : 1.0) * sizes.columns;
}

AsyncKeys mlir::linalg_ext::getAsyncKeys(const OnlineSizes &sizes, int64_t rows,
                                         const GPUTarget &target) {
  int64_t columns = llvm::alignTo(sizes.columns, kMultiple);
  int64_t depth = llvm::alignTo(sizes.depth, kMultiple);
  int64_t groups = countGroups(rows, target);
  int64_t threads = groups * target.groupThreads;
  int64_t results = rows * getResultWords(sizes) / threads;
  AsyncKeys chosen;
  for (int64_t workgroups = groups == 1 ? 3 : 1; workgroups > 0; --workgroups) {
    int64_t registers =
        std::min(target.processorRegisters / (workgroups * threads),
                 target.threadRegisters) /
        target.registerStep * target.registerStep;
    int64_t ofRegisters = (registers - target.asyncOtherRegisters - results) *
                          4 * threads / (getQuarterWords(sizes) * rows);
    // Other workgroups compute while tiles arrive.
    int64_t slots = workgroups == 1 ? 2 : 1;
    int64_t shared =
        std::min(target.sharedBytes, target.processorSharedBytes / workgroups -
                                         target.reservedSharedBytes) -
        target.reservedSharedBytes - sizes.getScoreBytes(rows * depth);
    int64_t keyBytes =
        sizes.getScoreBytes(depth) + columns * sizes.elementBytes;
    int64_t keys =
        std::min({ofRegisters, shared / (slots * keyBytes), kMaxKeys});
    chosen = {std::max(keys / kMultiple * kMultiple, kMultiple), workgroups};
    if (workgroups > 1 && keys >= kEnoughKeys) {
      chosen.keys = llvm::bit_floor<uint64_t>(keys);
      break;
    }
  }
  return chosen;
}

/// The registers of a thread that a mask in memory takes: for addresses, and
/// for half of the words of a tile that it reads, which are under way at a
/// time. This fits what ptxas spills for masks of 8, 16 and 32 bits
/// (docs/Decisions/0056). A rotated loop reads a mask while more values are
/// alive.
static constexpr int64_t kMaskAddresses = 12, kRotatedMask = 8;
/// Returns whether a mask in memory that is copied consists of booleans, which
/// are bits of a few words from the load on (docs/Decisions/0171).
static bool hasBooleans(const OnlineSizes &sizes) {
  return sizes.isMaskCopied && sizes.maskBytes == 1;
}

/// kRotated: further registers of a rotated loop, in which scores and weights
/// of different iterations are alive. kNotRotated: other loops turn scores into
/// weights one by one, which saves registers. kFunction: the registers of a
/// function of scores in a rotated loop (docs/Decisions/0061, 0131).
static constexpr int64_t kRotated = 16, kNotRotated = -8, kFunction = 16;

bool mlir::linalg_ext::hasRoleRegisters(const OnlineSizes &sizes, int64_t rows,
                                        int64_t keys, bool persist, bool rotate,
                                        const GPUTarget &target, bool copied) {
  int64_t parts = countGroups(rows, target);
  int64_t threads = parts * target.groupThreads;
  // Count the accumulator, scores and weights.
  int64_t words =
      rows * getResultWords(sizes) + rows * keys * getQuarterWords(sizes) / 4;
  int64_t registers =
      target.asyncOtherRegisters + (rotate ? kRotated : kNotRotated);
  // The registers of scores first hold their initial values and addresses. In a
  // rotated loop, weights are alive at that time.
  if (sizes.maskBytes != 0 && !(sizes.isMaskAdded && (copied || !rotate)) &&
      !(copied && hasBooleans(sizes))) {
    words += rows * keys * sizes.maskBytes / 4 / 2;
    if (!copied)
      registers += kMaskAddresses + (rotate ? kRotatedMask : 0);
  }
  if (sizes.hasFunction && rotate)
    registers += kFunction;
  registers += llvm::divideCeil(words, threads);
  int64_t directions = !persist ? 0 : sizes.isMaskedByPosition ? 2 : 1;
  return registers <=
         shareRegisters(parts, /*numPlaces=*/1, directions, target).computing;
}

/// Returns at most `keys`: a number with which a loop that is not rotated and
/// reads a mask needs no more registers than there are. The mask is read early,
/// before the wait for the keys: all words for up to 16 bits a score, half of
/// the words for 32 bits. This fits what ptxas spills for 160 to 256 columns
/// (docs/Decisions/0080).
static int64_t getMaskedKeys(const OnlineSizes &sizes, int64_t rows,
                             int64_t keys, const GPUTarget &target) {
  int64_t parts = countGroups(rows, target);
  int64_t threads = parts * target.groupThreads;
  int64_t most =
      shareRegisters(parts, /*numPlaces=*/1, /*persist=*/0, target).computing -
      target.asyncOtherRegisters - kNotRotated;
  if (!sizes.isMaskAdded)
    most -= kMaskAddresses;
  auto needs = [&](int64_t keys) {
    int64_t words = getResultWords(sizes) + keys * getQuarterWords(sizes) / 4;
    if (!sizes.isMaskAdded)
      words += keys * std::min<int64_t>(sizes.maskBytes, 2) / 4;
    return llvm::divideCeilSigned(rows * words, threads);
  };
  while (sizes.maskBytes != 0 && keys > kEnoughKeys && needs(keys) > most)
    keys -= kMultiple;
  return keys;
}

/// Returns whether the products of `others` groups take longer than the
/// computations of one group's threads.
static bool isBoundByProducts(const OnlineSizes &sizes, const GPUTarget &target,
                              int64_t others = 1) {
  return others * getWidth(sizes) >= kScoreCycles * target.asyncProducts;
}

/// Returns whether two groups of a rotated loop hide the loads of a copied mask
/// that is added behind the product of scores. At 64 columns they are 1.03 to
/// 1.09 times as fast (32 bits), at 48 0.92 to 0.95 times
/// (docs/Decisions/0150). Functions and diagonals beside it were not measured.
static bool hidesLoads(const OnlineSizes &sizes, const GPUTarget &target) {
  constexpr double kLeastShare = 0.8;
  return sizes.maskBytes != 0 && !sizes.isMaskAdded && !sizes.hasFunction &&
         !sizes.isMaskedByPosition &&
         getWidth(sizes) >= kLeastShare * kScoreCycles * target.asyncProducts;
}

/// What a row of a mask of 32 bits has room for besides its keys, so that loads
/// have no bank conflicts.
static constexpr int64_t kRoomOfRow = 8;

/// The bytes of tiles of an iteration: keys, values, and a mask that is copied,
/// if there is room for two of each.
static int64_t getTileBytes(const OnlineSizes &sizes,
                            const OnlineKernel &kernel,
                            const GPUTarget &target) {
  int64_t bytes = kernel.keys * sizes.getKeyBytes();
  int64_t room = sizes.maskBytes == 4 ? kRoomOfRow : 0;
  int64_t all = bytes + kernel.rows * (kernel.keys + room) * sizes.maskBytes;
  return sizes.isMaskCopied && kernel.way == ProductWay::Roles &&
                 sizes.getScoreBytes(kernel.rows * sizes.depth) + 2 * all +
                         2 * target.reservedSharedBytes <=
                     target.sharedBytes
             ? all
             : bytes;
}

/// Returns whether tiles of a mask are copied.
static bool copiesMask(const OnlineSizes &sizes, const OnlineKernel &kernel,
                       const GPUTarget &target) {
  return getTileBytes(sizes, kernel, target) >
         kernel.keys * sizes.getKeyBytes();
}

/// Returns at most the keys of `kernel`, in whose roles a loop that reads a
/// mask has enough registers (`getMaskedKeys`). If fewer keys let a mask of 32
/// bits or of booleans be copied, returns that number: threads that load the
/// mask from global memory take longer (docs/Decisions/0131, 0171).
static int64_t getRoleKeys(const OnlineSizes &sizes, OnlineKernel kernel,
                           const GPUTarget &target) {
  // Booleans that are copied take no registers.
  int64_t keys = getMaskedKeys(sizes, kernel.rows, kernel.keys, target);
  if (!hasBooleans(sizes))
    kernel.keys = keys;
  if (!hasBooleans(sizes) && (!sizes.isMaskCopied || sizes.maskBytes != 4))
    return keys;
  // Rows of boxes have a multiple of 32 bytes.
  constexpr int64_t kRowBytes = 32;
  while (kernel.keys > kEnoughKeys &&
         (kernel.keys * sizes.maskBytes % kRowBytes != 0 ||
          !copiesMask(sizes, kernel, target)))
    kernel.keys -= kMultiple;
  return copiesMask(sizes, kernel, target) ? kernel.keys : keys;
}

/// Whether there is room for the rows of the next tile, with two slots of keys
/// and values.
static bool isAhead(const OnlineSizes &sizes, const OnlineKernel &kernel,
                    const GPUTarget &target) {
  int64_t bytes = 2 * (sizes.getScoreBytes(kernel.rows * sizes.depth) +
                       getTileBytes(sizes, kernel, target));
  return bytes + target.reservedSharedBytes <= target.sharedBytes;
}

/// Returns whether there is room for rows, two slots of keys and values, and
/// the result of a persistent kernel. If the result has a power of two of
/// columns, lanes exchange it. If threads have few columns, they write words.
/// Other results go through memory of their own.
static bool hasRoom(const OnlineSizes &sizes, const OnlineKernel &kernel,
                    const GPUTarget &target) {
  int64_t bytes = sizes.getScoreBytes(kernel.rows * sizes.depth) +
                  2 * getTileBytes(sizes, kernel, target);
  if (sizes.columns > kMaxKeys && !llvm::isPowerOf2_64(sizes.columns))
    bytes += sizes.elementBytes * kernel.rows * sizes.columns;
  return bytes + 2 * target.reservedSharedBytes <= target.sharedBytes;
}

/// Returns whether `kernel` is persistent, and nothing but a diagonal masks it,
/// and a bias that instructions compute.
static bool hasDiagonalOnly(const OnlineSizes &sizes,
                            const OnlineKernel &kernel) {
  return kernel.persist != 0 && sizes.isMaskedByPosition &&
         (!sizes.isBiasedByPosition ||
          (sizes.isBiasOfProducts && kernel.rotate)) &&
         !sizes.isGathered && !sizes.isWindow && !sizes.hasEnd &&
         !sizes.hasFunction && sizes.maskBytes == 0 && sizes.elementBytes == 2;
}

/// Returns whether the tiles of `kernel`, in two groups, begin on their
/// diagonals, and early, if its loops are rotated although threads take longer
/// than products (docs/Decisions/0149).
static bool beginsOnDiagonals(const OnlineSizes &sizes,
                              const OnlineKernel &kernel,
                              const GPUTarget &target) {
  return hasDiagonalOnly(sizes, kernel) && kernel.rows <= kernel.keys &&
         countGroups(kernel.rows, target) == 2 &&
         !isBoundByProducts(sizes, target);
}

/// Returns whether `kernel` is that of `getMoreKeys`.
static bool isForManyKeys(const OnlineKernel &kernel) {
  return kernel.way == ProductWay::Roles && kernel.rotate &&
         kernel.persist == 0 && kernel.keys > kMaxKeys;
}

/// Returns the cycles of an iteration, and the further cycles of a workgroup.
/// For a persistent kernel, the latter are those of a tile.
static std::pair<double, double> getCycles(const OnlineSizes &sizes,
                                           const OnlineKernel &kernel,
                                           const GPUTarget &target) {
  double scores = double(kernel.rows) * kernel.keys;
  double width = sizes.depth + sizes.columns;
  // These are the bytes of the rows and of the result.
  double bytes = double(kernel.rows) * sizes.getKeyBytes();
  double copied = double(kernel.keys) * sizes.getKeyBytes();
  double function =
      kernel.way == ProductWay::Async ? kAsyncFunctionCycles : kFunctionCycles;
  function *= sizes.hasFunction ? scores : 0;
  if (kernel.way == ProductWay::Sync) {
    int64_t subgroups = std::max<int64_t>(kernel.threads / target.lanes, 1);
    double multiplied = scores * width / target.matrixProducts;
    double moved = (subgroups + 1) * copied / target.sharedBytesPerCycle;
    return {
        (target.productPercent * multiplied + target.sharedPercent * moved) /
                100 +
            0.0435 * scores + function,
        1320 + bytes / 37};
  }
  width = getWidth(sizes);
  double products = scores * width / target.asyncProducts;
  bool hasDiagonalAndEnd = sizes.isMaskedByPosition && sizes.hasEnd;
  if (kernel.way == ProductWay::Async) {
    double each = std::max(0.062 * scores + function + products, copied / 39);
    if (hasDiagonalAndEnd && isBoundByProducts(sizes, target))
      each *= kAsyncEnd;
    return {each, 1040 + bytes / 16.4};
  }
  double each = kScoreCycles * scores + function + products;
  if (kernel.rotate && beginsOnDiagonals(sizes, kernel, target))
    return {each * 1.1, std::max(bytes / 20 - 1100, 0.0)};
  if (kernel.rotate && hasDiagonalOnly(sizes, kernel) &&
      countGroups(kernel.rows, target) > 2)
    return {each * 0.79, bytes / 20 + 2200};
  if (kernel.rotate)
    each *= 0.87;
  if (isForManyKeys(kernel))
    each *= kManyKeys;
  if (kernel.persist == 0)
    return {each, 4000 + bytes / 27.5 + (kernel.rotate ? 1000 : 0) +
                      (hasDiagonalAndEnd && !sizes.isGathered &&
                               !isBoundByProducts(sizes, target)
                           ? kRolesEnd
                           : 0)};
  if (countGroups(kernel.rows, target) > 2)
    each *= kernel.rotate ? 1.0 : 0.92;
  else if ((sizes.isMaskAdded ||
            (hasBooleans(sizes) && copiesMask(sizes, kernel, target))) &&
           !isBoundByProducts(sizes, target))
    each *= 1.15;
  else if (isBoundByProducts(sizes, target)) {
    // Groups with scores of f8 wait for each other less (docs/Decisions/0085).
    // So do groups that convert a bias (docs/Decisions/0103).
    bool isBalanced = sizes.scoreBytes != 1 && !sizes.isMaskAdded &&
                      2 * width < 3 * kScoreCycles * target.asyncProducts;
    if (!isAhead(sizes, kernel, target))
      each *= copiesMask(sizes, kernel, target) ? 1.0 : 1.06;
    else if (kernel.keys <= kEnoughKeys)
      each *= kernel.rotate ? 1.26 : 1.1;
    else if (kernel.rotate)
      each *= 0.97;
    else
      each *= isBalanced ? 0.84 : 0.95;
  }
  double ofTile = bytes / 20 + (kernel.rotate ? 500 : 0);
  if (kernel.holdsRows)
    return {each * kHeldRows, ofTile + kCyclesOfHeldRows};
  return {each, ofTile};
}

/// Returns `sizes` with `length` for unknown numbers of keys and rows.
static OnlineSizes getAssumedSizes(const OnlineSizes &sizes, int64_t length) {
  OnlineSizes assumed = sizes;
  assumed.rows = sizes.rows.value_or(length);
  assumed.keys = sizes.keys.value_or(length);
  assumed.batches = sizes.batches.value_or(
      std::max<int64_t>(kAssumedElements / (*assumed.rows * sizes.columns), 1));
  return assumed;
}

/// Returns the geometric mean over the assumed lengths.
static int64_t estimateUnknown(const OnlineSizes &sizes,
                               const OnlineKernel &kernel,
                               const GPUTarget &target) {
  double sum = 0;
  for (int64_t length : kAssumedLengths)
    sum += std::log(static_cast<double>(
        estimateOnlineKernel(getAssumedSizes(sizes, length), kernel, target)));
  return static_cast<int64_t>(std::exp(sum / std::size(kAssumedLengths)));
}

/// If a mask follows from positions, returns the iterations of a tile beyond
/// half of those for all keys: half of a row's on average, and those at the
/// diagonal. If tiles have more rows than keys, more of these are masked
/// (docs/Decisions/0103).
static double getDiagonal(const OnlineKernel &kernel) {
  return std::max(double(kernel.rows) / kernel.keys, 1.0) / 2 + 1.07 +
         (kernel.rows > kMaxKeys ? 1.2 : 0);
}

/// Returns the cycles for the start and the end of a launch. For a persistent
/// kernel, these include the time in which no group computes, while the first
/// tile arrives and the last result is stored.
static double getLaunchCycles(const OnlineSizes &sizes,
                              const OnlineKernel &kernel,
                              const GPUTarget &target) {
  double launch = kernel.way == ProductWay::Sync    ? 7300
                  : kernel.way == ProductWay::Async ? 5000
                                                    : 3700;
  if (kernel.way != ProductWay::Sync && sizes.storedBytes > 0)
    launch += target.launchCycles +
              double(sizes.storedBytes) / target.convertedBytesPerCycle;
  if (kernel.persist == 0)
    return launch;
  OnlineKernel once = kernel;
  once.persist = 0;
  return launch + getCycles(sizes, once, target).second;
}

OnlineCost mlir::linalg_ext::getOnlineCost(const OnlineSizes &sizes,
                                           const OnlineKernel &kernel,
                                           const GPUTarget &target) {
  auto [each, first] = getCycles(sizes, kernel, target);
  OnlineCost cost;
  cost.launch = std::lround(getLaunchCycles(sizes, kernel, target));
  cost.tile = std::lround(first);
  cost.iteration = std::lround(each);
  cost.keys = kernel.keys;
  cost.processors = std::max<int64_t>(target.processors, 1);
  cost.isSlowAlone = kernel.way == ProductWay::Async;
  if (sizes.isMaskedByPosition)
    cost.eighths = std::lround(8 * getDiagonal(kernel));
  return cost;
}

int64_t mlir::linalg_ext::estimateOnlineKernel(const OnlineSizes &sizes,
                                               const OnlineKernel &kernel,
                                               const GPUTarget &target) {
  if (!sizes.batches || !sizes.rows || !sizes.keys)
    return estimateUnknown(sizes, kernel, target);
  int64_t rows = *sizes.rows, keys = *sizes.keys;
  int64_t tiles = *sizes.batches * llvm::divideCeil(rows, kernel.rows);
  int64_t most = llvm::divideCeil(tiles, target.processors);
  if (kernel.persist != 0 && most <= 1) {
    // No other tile follows the first ones.
    OnlineKernel once = kernel;
    once.persist = 0;
    return estimateOnlineKernel(sizes, once, target);
  }
  double iterations = llvm::divideCeil(keys, kernel.keys);
  if (sizes.isMaskedByPosition)
    iterations = std::min(iterations / 2 + getDiagonal(kernel), iterations);
  // The tiles at both ends count as whole tiles.
  if (sizes.window)
    iterations = std::min(double(*sizes.window + kernel.rows) / kernel.keys + 1,
                          iterations);
  auto [each, first] = getCycles(sizes, kernel, target);
  // Nothing runs while a workgroup that is alone waits.
  if (kernel.way == ProductWay::Async && most == 1)
    each *= 1.5;
  return static_cast<int64_t>(getLaunchCycles(sizes, kernel, target) +
                              most * (first + iterations * each));
}

/// Returns whether a mask in memory takes no registers of threads: there is
/// none, or it is copied, and the registers of scores hold a bias, or booleans
/// are bits.
static bool isMaskFree(const OnlineSizes &sizes, const OnlineKernel &kernel,
                       const GPUTarget &target) {
  return sizes.maskBytes == 0 || ((sizes.isMaskAdded || hasBooleans(sizes)) &&
                                  copiesMask(sizes, kernel, target));
}

/// Returns whether threads of `kernel` that compute have as many registers in
/// its loop over tiles as they would have without one, and read no mask to
/// them. Pairs of tiles are taken with nothing but a diagonal.
static bool keepsRegisters(const OnlineSizes &sizes, const OnlineKernel &kernel,
                           const GPUTarget &target) {
  auto getComputing = [&](int64_t persist) {
    return shareRegisters(countGroups(kernel.rows, target), /*numPlaces=*/1,
                          persist, target)
        .computing;
  };
  return !sizes.isWindow && isMaskFree(sizes, kernel, target) &&
         (kernel.persist < 2 || hasDiagonalOnly(sizes, kernel)) &&
         getComputing(kernel.persist) == getComputing(/*persist=*/0);
}

/// Returns whether threads of `kernel` may hold the rows of a tile, so that
/// products of scores read less from shared memory: tiles begin early, products
/// take much longer than threads, and these have registers left. Measured with
/// a diagonal alone, for 128 columns; without one, it takes 1.02 of the time,
/// and with groups of heads, or for 112 columns, 1.01 (docs/Decisions/0178).
static bool mayHoldRows(const OnlineSizes &sizes, const OnlineKernel &kernel,
                        const GPUTarget &target) {
  int64_t groups = countGroups(kernel.rows, target);
  if (!kernel.rotate || kernel.persist != 2 || groups != 2 ||
      !hasDiagonalOnly(sizes, kernel) || sizes.isBiasedByPosition ||
      sizes.hasGroups || sizes.columns < kMaxKeys ||
      sizes.scoreBytes.value_or(2) != 2 || !isAhead(sizes, kernel, target) ||
      !isBoundByProducts(sizes, target))
    return false;
  // Of scores, weights, results and rows, four threads share a row.
  int64_t used =
      kernel.keys / 2 + kernel.keys / 4 + sizes.columns / 2 + sizes.depth / 4;
  return shareRegisters(groups, /*numPlaces=*/1, kernel.persist, target)
                 .computing -
             used >=
         kRegistersBesideRows;
}

/// Returns the keys of a tile of a version of `kernel` for few keys, 0 if there
/// is none. A small number of keys is often a multiple of a power of two. With
/// half as many keys, there may be room for the rows of the next tile.
static int64_t getFewerKeys(const OnlineSizes &sizes,
                            const OnlineKernel &kernel,
                            const GPUTarget &target) {
  int64_t fewer = llvm::bit_floor<uint64_t>(kernel.keys);
  if (fewer == kernel.keys && !isAhead(sizes, kernel, target))
    fewer /= 2;
  return fewer == kernel.keys || fewer < kEnoughKeys ? 0 : fewer;
}

/// Returns the keys of a tile of a version of `kernel` for many keys, 0 if
/// there is none: as many as threads have registers for in a rotated loop, and
/// shared memory has room for two slots of, beside the rows of one tile.
/// Measured without masks, for 128 columns, whose products take much longer
/// than threads (docs/Decisions/0170).
static int64_t getMoreKeys(const OnlineSizes &sizes, const OnlineKernel &kernel,
                           const GPUTarget &target) {
  bool isPlain = !sizes.isMaskedByPosition && !sizes.isWindow &&
                 !sizes.hasEnd && !sizes.isGathered &&
                 !sizes.isBiasedByPosition && !sizes.hasFunction &&
                 sizes.maskBytes == 0 && sizes.storedBytes == 0 &&
                 sizes.elementBytes == 2 && sizes.getScoreBytes(1) == 2;
  bool isLimitedByProducts =
      2 * getWidth(sizes) >= 3 * kScoreCycles * target.asyncProducts;
  if (!isPlain || !isLimitedByProducts || sizes.columns > kMaxKeys ||
      countGroups(kernel.rows, target) != 2)
    return 0;
  OnlineKernel many = kernel;
  many.keys = kMaxKeys;
  auto mayGrow = [&] {
    OnlineKernel next = many;
    next.keys += kMultiple;
    return hasRoleRegisters(sizes, next.rows, next.keys, /*persist=*/false,
                            /*rotate=*/true, target) &&
           hasRoom(sizes, next, target);
  };
  while (mayGrow())
    many.keys += kMultiple;
  return many.keys > kMaxKeys ? many.keys : 0;
}

/// Bounds the tiles of `kernel` in a window. In a short one most of them are at
/// its ends, where half of the work is useless, so they have few keys. With few
/// columns, threads have few registers then, and few slots leave room for more
/// workgroups, which start and end while others compute: up to 1024 keys, that
/// gains more than copies further ahead (docs/Decisions/0172).
static void boundTilesOfWindow(const OnlineSizes &sizes, OnlineKernel &kernel) {
  bool hasFewColumns = sizes.columns <= kEnoughKeys;
  if (!sizes.window || (*sizes.window > kShortWindow && !hasFewColumns))
    return;
  kernel.keys = std::min(kernel.keys, kEnoughKeys);
  if (hasFewColumns)
    kernel.slots = 2;
}

/// Returns whether a persistent kernel may be rotated since its tiles begin on
/// diagonals.
static bool mayBeginOnDiagonals(const OnlineSizes &sizes,
                                const OnlineKernel &kernel,
                                const OnlineLimits &limits,
                                const GPUTarget &target) {
  return limits.rows == 0 && limits.keys == 0 &&
         beginsOnDiagonals(sizes, kernel, target) &&
         isAhead(sizes, kernel, target) &&
         hasRoleRegisters(sizes, kernel.rows, kernel.keys, /*persist=*/true,
                          /*rotate=*/true, target);
}

/// Returns whether rotated loops of two groups gain although threads take
/// longer than products: where weights are f8, threads add the sums of an
/// iteration, and 64 and 128 columns had 1.04 to 1.12 of the rate
/// (docs/Decisions/0175).
static bool overlapsWeights(const OnlineSizes &sizes) {
  return sizes.elementBytes == 1 && sizes.scoreBytes.value_or(1) == 1 &&
         sizes.maskBytes == 0 && !sizes.hasFunction;
}

namespace {
/// What a kernel is for: any number of keys, few, or many.
enum class Keys { Usual, Few, Many };
} // namespace

/// Returns the keys of an iteration of `kernel`, whose way and rows are known.
/// 0 if there is no such kernel.
static int64_t getKeys(const OnlineSizes &sizes, OnlineKernel kernel,
                       Keys number, const OnlineLimits &limits,
                       const GPUTarget &target) {
  if (limits.keys != 0)
    return number == Keys::Usual ? limits.keys : 0;
  kernel.keys = getAsyncKeys(sizes, kernel.rows, target).keys;
  if (kernel.way == ProductWay::Roles)
    kernel.keys = getRoleKeys(sizes, kernel, target);
  switch (number) {
  case Keys::Usual:
    return kernel.keys;
  case Keys::Few:
    return getFewerKeys(sizes, kernel, target);
  case Keys::Many:
    return getMoreKeys(sizes, kernel, target);
  }
  llvm_unreachable("unknown number of keys");
}

/// Windows from which on two groups rotate their loops, and from which on
/// their kernels are not persistent.
static constexpr int64_t kLongWindow = 1024, kLongestPersistent = 2048;

/// Returns whether `groups` groups rotate the loops of a window. There are
/// three of them, which begin and end. With two groups and 128 columns, long
/// windows gain (docs/Decisions/0172, 0180). Other masks beside a window were
/// not measured.
static bool rotatesWindow(const OnlineSizes &sizes, int64_t groups) {
  return sizes.window && *sizes.window >= kLongWindow && groups == 2 &&
         sizes.columns <= kMaxKeys && !sizes.hasEnd && !sizes.hasFunction &&
         !sizes.isGathered && !sizes.isBiasedByPosition &&
         sizes.maskBytes == 0 && sizes.elementBytes == 2 &&
         sizes.scoreBytes != 1;
}

/// Returns whether kernels of `groups` groups are persistent with a window: of
/// the rate without a loop over tiles, they have 1.08 to 1.14 for 1024 keys,
/// and 0.95 to 1.04 for 2048 (docs/Decisions/0180). Workgroups without roles
/// are faster for shorter windows, and with few columns. Tiles of chunks are
/// not dealt by their lengths, which costs 0.82 to 0.92 (docs/Decisions/0187).
static bool persistsWindow(const OnlineSizes &sizes, int64_t groups) {
  return rotatesWindow(sizes, groups) && !sizes.hasChunks &&
         *sizes.window < kLongestPersistent;
}

/// Returns whether tiles are slower in a loop over tiles: those below a
/// diagonal and before an end (docs/Decisions/0104), and those of most windows.
static bool isSlowInLoop(const OnlineSizes &sizes, int64_t groups) {
  return (sizes.isMaskedByPosition && sizes.hasEnd) ||
         (sizes.isWindow && !persistsWindow(sizes, groups));
}

/// Adds the last one of `candidates`, for keys of this `number`, with rows that
/// threads hold, if they may.
static void addHeldRows(const OnlineSizes &sizes, Keys number,
                        const GPUTarget &target,
                        SmallVector<OnlineKernel> &candidates) {
  if (number != Keys::Usual || candidates.empty() ||
      !mayHoldRows(sizes, candidates.back(), target))
    return;
  candidates.push_back(candidates.back());
  candidates.back().holdsRows = true;
}

/// Returns the kernels with asynchronous products that may be chosen.
static SmallVector<OnlineKernel> getCandidates(const OnlineSizes &sizes,
                                               const OnlineLimits &limits,
                                               const GPUTarget &target) {
  SmallVector<OnlineKernel> candidates;
  if (target.asyncRows == 0)
    return candidates;
  auto add = [&](ProductWay way, int64_t rows, Keys number = Keys::Usual) {
    // Instructions compute whole groups of rows.
    bool mayPersist = way == ProductWay::Roles && limits.ways.persistent;
    if ((!limits.ways.contains(way) && !mayPersist) ||
        (limits.rows != 0 && rows != limits.rows) ||
        getTileRows(rows, sizes.rows, target) % target.asyncRows != 0)
      return;
    OnlineKernel kernel;
    kernel.way = way;
    kernel.rows = rows;
    kernel.keys = getKeys(sizes, kernel, number, limits, target);
    if (kernel.keys == 0)
      return;
    kernel.threads = target.groupThreads;
    if (way == ProductWay::Roles)
      kernel.threads *= std::min<int64_t>(rows / target.asyncRows, 3);
    kernel.threads = std::max(kernel.threads, limits.threads);
    if (way == ProductWay::Async && limits.keys == 0)
      boundTilesOfWindow(sizes, kernel);
    int64_t groups = countGroups(rows, target);
    // A version whose mask is not copied is as persistent, but not rotated.
    bool copies = copiesMask(sizes, kernel, target);
    // Each of three groups has fewer registers.
    if (groups > 2 && limits.rows == 0 &&
        (kernel.keys < kMaxKeys || !isMaskFree(sizes, kernel, target)))
      return;
    auto hasRegisters = [&](bool persist, bool rotate, bool copied = false) {
      return hasRoleRegisters(sizes, rows, kernel.keys, persist, rotate, target,
                              copied);
    };
    auto mayRotateMasked = [&](bool persist) {
      return hasRegisters(persist, /*rotate=*/true) ||
             (copies && hasRegisters(persist, /*rotate=*/true, copies) &&
              hasRegisters(persist, /*rotate=*/false));
    };
    // A function in the loop of three groups would spill.
    bool isBound = isBoundByProducts(sizes, target, groups - 1);
    bool isRotatable = (!sizes.isWindow || rotatesWindow(sizes, groups)) &&
                       !(groups > 2 && sizes.hasFunction) &&
                       (isBound || (groups == 2 && overlapsWeights(sizes)) ||
                        (copies && groups == 2 && hidesLoads(sizes, target)));
    bool mayRotate =
        isRotatable &&
        (sizes.maskBytes == 0 || mayRotateMasked(/*persist=*/false));
    auto addOrders = [&](bool alsoRotated) {
      for (bool rotate : {false, true}) {
        kernel.rotate = rotate;
        kernel.copied =
            rotate && copies && !limits.rotate &&
            (!isBound || !hasRegisters(kernel.persist != 0, rotate));
        if (limits.rotate ? *limits.rotate == rotate : !rotate || alsoRotated)
          candidates.push_back(kernel);
      }
    };
    kernel.rotate = number == Keys::Many;
    if (kernel.rotate) {
      if (limits.ways.contains(way) && mayRotate && limits.rotate != false)
        candidates.push_back(kernel);
      return;
    }
    if (limits.ways.contains(way) && way != ProductWay::Roles)
      candidates.push_back(kernel);
    else if (limits.ways.contains(way) && number == Keys::Usual)
      addOrders(mayRotate);
    // Ways that are asked for are tried even if they spill.
    if (!mayPersist || (limits.ways.contains(way) &&
                        (isSlowInLoop(sizes, groups) ||
                         !hasRegisters(/*persist=*/true, /*rotate=*/false,
                                       copies && hasBooleans(sizes)) ||
                         !hasRoom(sizes, kernel, target))))
      return;
    kernel.persist = sizes.isMaskedByPosition ? 2 : 1;
    addOrders((isRotatable &&
               (sizes.isWindow || keepsRegisters(sizes, kernel, target) ||
                overlapsWeights(sizes))) ||
              (mayRotate && mayRotateMasked(/*persist=*/true)) ||
              mayBeginOnDiagonals(sizes, kernel, limits, target));
    addHeldRows(sizes, number, target, candidates);
  };
  int64_t rows = target.asyncRows;
  if (limits.rows != 0 && limits.rows % rows == 0) {
    if (limits.rows <= 2 * rows)
      add(ProductWay::Async, limits.rows);
    add(ProductWay::Roles, limits.rows);
    return candidates;
  }
  add(ProductWay::Async, rows);
  for (Keys number : {Keys::Usual, Keys::Few, Keys::Many})
    add(ProductWay::Roles, 2 * rows, number);
  // Three groups of gathered keys with a diagonal and an end were not measured.
  if (!(sizes.isGathered && sizes.isMaskedByPosition && sizes.hasEnd))
    add(ProductWay::Roles, 3 * rows);
  return candidates;
}

static std::string describe(const OnlineKernel &kernel) {
  return llvm::formatv("{0}, {1} rows x {2} keys{3}{4}{5}",
                       vector_ext::getWayName(kernel.way), kernel.rows,
                       kernel.keys, kernel.rotate ? ", rotated" : "",
                       kernel.persist != 0 ? ", persistent" : "",
                       kernel.holdsRows ? ", rows in registers" : "")
      .str();
}

/// Returns the kernel for launches with at most as many tiles as processors, if
/// workgroups of `persistent` start the first product of the next tile from a
/// bias of f16: threads load and convert it behind the last tile, too. Two
/// groups are then as fast as three. Where memory has room for the rows of two
/// tiles, as at D = 80 and 96, two groups gain nothing, and more than 128
/// columns were not measured (docs/Decisions/0195).
static std::optional<OnlineKernel>
getKernelForOneTile(const OnlineSizes &sizes, const OnlineKernel &persistent,
                    const OnlineLimits &limits, const GPUTarget &target) {
  int64_t groups = countGroups(persistent.rows, target);
  if (persistent.persist != 1 || !persistent.rotate || !sizes.isMaskAdded ||
      sizes.maskBytes != 2 || !copiesMask(sizes, persistent, target) ||
      !limits.ways.contains(persistent.way) || sizes.columns > kMaxKeys ||
      groups < 2 || (groups == 2 && isAhead(sizes, persistent, target)))
    return std::nullopt;
  OnlineKernel kernel = persistent;
  kernel.persist = 0;
  kernel.rows = 2 * target.asyncRows;
  kernel.threads = std::max(2 * target.groupThreads, limits.threads);
  if ((limits.rows != 0 && limits.rows != kernel.rows) ||
      !hasRoleRegisters(sizes, kernel.rows, kernel.keys, /*persist=*/false,
                        /*rotate=*/true, target, kernel.copied))
    return std::nullopt;
  return kernel;
}

OnlineKernel mlir::linalg_ext::chooseOnlineKernel(const OnlineSizes &sizes,
                                                  const OnlineKernel &sync,
                                                  const OnlineLimits &limits,
                                                  const GPUTarget &target) {
  // If there are fewer rows than an instruction has, most of it is idle.
  bool isFew = limits.ways.sync && sizes.rows && *sizes.rows < target.asyncRows;
  SmallVector<OnlineKernel> candidates;
  if (!isFew)
    candidates = getCandidates(sizes, limits, target);
  OnlineKernel best = sync;
  int64_t syncTime = estimateOnlineKernel(sizes, sync, target);
  int64_t least = limits.ways.sync ? static_cast<int64_t>(0.95 * syncTime)
                                   : std::numeric_limits<int64_t>::max();
  for (const OnlineKernel &kernel : candidates) {
    int64_t time = estimateOnlineKernel(sizes, kernel, target);
    if (time >= least)
      continue;
    least = time;
    best = kernel;
  }
  best.reason = describe(best);
  if (isFew)
    best.reason += llvm::formatv(": fewer rows than the {0} of an instruction",
                                 target.asyncRows);
  else if (best.way != ProductWay::Sync)
    best.reason += llvm::formatv(": {0:F2} of the time of {1}",
                                 double(least) / std::max<int64_t>(syncTime, 1),
                                 describe(sync));
  else if (!candidates.empty())
    best.reason += ": no other way is faster";
  if (!candidates.empty() && (!sizes.batches || !sizes.rows || !sizes.keys))
    best.reason += llvm::formatv(
        ", on average over lengths of {0} to {1} where sizes are not known",
        kAssumedLengths[0], kAssumedLengths[std::size(kAssumedLengths) - 1]);
  return best;
}

SmallVector<OnlineVersion> mlir::linalg_ext::chooseOnlineVersions(
    const OnlineSizes &sizes, const OnlineKernel &sync,
    const OnlineLimits &limits, const GPUTarget &target) {
  OnlineKernel one = chooseOnlineKernel(sizes, sync, limits, target);
  if (sizes.keys || sizes.window || one.way == ProductWay::Sync)
    return {{one, std::nullopt, {}}};
  SmallVector<OnlineKernel> candidates = getCandidates(sizes, limits, target);
  // Returns the sum of the logarithms of the times of `kernel` at the lengths
  // from `first` to `last`.
  auto sum = [&](const OnlineKernel &kernel, unsigned first, unsigned last) {
    double logs = 0;
    for (unsigned i = first; i < last; ++i)
      logs += std::log(static_cast<double>(estimateOnlineKernel(
          getAssumedSizes(sizes, kAssumedLengths[i]), kernel, target)));
    return logs;
  };
  auto choose = [&](unsigned first, unsigned last) {
    return *llvm::min_element(candidates, [&](const auto &a, const auto &b) {
      return sum(a, first, last) < sum(b, first, last);
    });
  };
  constexpr unsigned count = std::size(kAssumedLengths);
  double least = sum(one, 0, count) - kVersionGain;
  SmallVector<OnlineVersion> versions{{one, std::nullopt, {}}};
  for (unsigned cut = 1; cut < count; ++cut) {
    OnlineKernel few = choose(0, cut), many = choose(cut, count);
    double both = sum(few, 0, cut) + sum(many, cut, count);
    // Long rows take the most time, so a version for them alone may gain less.
    bool isForLongest =
        cut + 1 == count && versions.size() == 1 && isForManyKeys(many) &&
        sum(many, cut, count) < sum(one, cut, count) - kGainOfMany;
    bool isHeld = versions.size() == 1 && many.holdsRows && !one.holdsRows &&
                  sum(many, cut, count) <
                      sum(one, cut, count) - kGainOfHeldRows * (count - cut);
    if (both >= least && !isForLongest && !isHeld)
      continue;
    least = std::min(least, both);
    // The bound is halfway to the next length.
    int64_t most = kAssumedLengths[cut - 1] * 3 / 2;
    few.reason = llvm::formatv("{0}, up to {1} keys", describe(few), most);
    many.reason =
        llvm::formatv("{0}, more than {1} keys", describe(many), most);
    versions = {{few, most, getOnlineCost(sizes, few, target)},
                {many, std::nullopt, getOnlineCost(sizes, many, target)}};
  }
  // Where tiles with many rows are the fastest for all lengths, or begin early
  // from a bias, a launch of few tiles takes others.
  llvm::erase_if(candidates, [&](const OnlineKernel &kernel) {
    return countGroups(kernel.rows, target) > 2;
  });
  if (versions.size() > 1)
    return versions;
  std::optional<OnlineKernel> ofOneTile =
      getKernelForOneTile(sizes, one, limits, target);
  if (!ofOneTile && (countGroups(one.rows, target) <= 2 || candidates.empty() ||
                     (sizes.maskBytes != 0 && !hasBooleans(sizes))))
    return versions;
  OnlineKernel few = ofOneTile ? *ofOneTile : choose(0, 1);
  few.reason = describe(few) + ", for few tiles";
  one.reason = describe(one) + ", for many tiles";
  return {{few, /*most=*/0, getOnlineCost(sizes, few, target),
           /*isForOneTile=*/ofOneTile.has_value()},
          {one, std::nullopt, getOnlineCost(sizes, one, target)}};
}
