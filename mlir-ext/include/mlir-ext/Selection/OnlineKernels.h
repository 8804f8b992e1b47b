//===- OnlineKernels.h - How a GPU reduces online ---------------*- C++ -*-===//
//
// Chooses how a kernel with two contractions and an online reduction between
// them, such as attention, computes the contractions, and chooses its tile. The
// functions take and return numbers only, no IR. docs/Decisions/0041 has the
// measurements that the model is fitted to.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_ONLINEKERNELS_H
#define MLIR_EXT_SELECTION_ONLINEKERNELS_H

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Sizes of attention: `batches` (heads times batches) with `rows` queries and
/// `keys` keys each, where they are known. A score is a sum over `depth`
/// elements, a result has `columns` columns. Operands have `elementBytes` bytes
/// an element.
struct OnlineSizes {
  std::optional<int64_t> batches, rows, keys;
  int64_t depth = 0, columns = 0, elementBytes = 2;
  /// Bytes of an element of queries and keys, if these are not `elementBytes`.
  std::optional<int64_t> scoreBytes;
  /// Bytes that a separate kernel reads and writes to convert operands before a
  /// kernel with asynchronous products. 0 if nothing is converted, or if the
  /// number is not known.
  int64_t storedBytes = 0;
  /// Whether a mask follows from the positions of rows and keys, so that a
  /// workgroup needs about half of the keys.
  bool isMaskedByPosition = false;
  /// Whether the mask has two bounds, as a sliding window has; and the keys of
  /// a row between the bounds, if known.
  bool isWindow = false;
  std::optional<int64_t> window;
  /// Whether such a window begins at a multiple of a number of keys, so that
  /// rows see more and more keys up to the next multiple.
  bool hasChunks = false;
  /// Whether keys after an end are masked, for example after the length of a
  /// sequence.
  bool hasEnd = false;
  /// Whether keys are looked up row by row, as in pages.
  bool isGathered = false;
  /// Whether a bias that is computed from positions is added to the scores
  /// (ALiBi).
  bool isBiasedByPosition = false;
  /// Whether instructions compute this bias in loops that are rotated, beside
  /// the products of scores (docs/Decisions/0164).
  bool isBiasOfProducts = false;
  /// Bytes of an element of a mask or a bias in memory. 0 if there is none.
  int64_t maskBytes = 0;
  /// Whether tiles of the mask or bias can be copied to shared memory, from
  /// where threads read them, if its rows are aligned.
  bool isMaskCopied = false;
  /// Whether the products of scores start from the bias, in the registers of
  /// their result.
  bool isMaskAdded = false;
  /// Whether scores pass through a function, such as the tanh of a soft cap.
  bool hasFunction = false;
  /// Whether groups of heads have keys in common, so that rows have several
  /// dimensions.
  bool hasGroups = false;

  /// Bytes of queries or keys with `count` elements, and of values with so
  /// many.
  int64_t getScoreBytes(int64_t count) const {
    return count * scoreBytes.value_or(elementBytes);
  }
  /// Bytes of a row of keys and of one of values.
  int64_t getKeyBytes() const {
    return getScoreBytes(depth) + columns * elementBytes;
  }
};

/// How a kernel multiplies, and the tile of a workgroup: `rows` x `keys` in
/// each iteration, by `threads` threads that compute.
struct OnlineKernel {
  vector_ext::ProductWay way = vector_ext::ProductWay::Sync;
  int64_t rows = 0, keys = 0, threads = 0;
  /// Whether the loop orders its products across iterations.
  bool rotate = false;
  /// The number of directions in which tiles are dealt to the workgroups of a
  /// persistent kernel: one, or two if a mask follows from positions, so that
  /// tiles get shorter along a row. 0 if each workgroup has one tile.
  int64_t persist = 0;
  /// Whether the loop is rotated only if tiles of the mask are copied to shared
  /// memory.
  bool copied = false;
  /// Whether threads hold the rows of a tile in registers.
  bool holdsRows = false;
  /// The most slots of a tile in shared memory. 0 sets no bound.
  int64_t slots = 0;
  /// Why this kernel was chosen, and which sizes were assumed.
  std::string reason;
};

/// The kernels that may be chosen.
struct OnlineLimits {
  vector_ext::ProductWays ways;
  /// Sizes of the tile that are given. 0 chooses.
  int64_t rows = 0, keys = 0;
  /// The least number of threads that compute.
  int64_t threads = 0;
  /// Whether loops order their products across iterations. Unset chooses.
  std::optional<bool> rotate;
};

/// Chooses the keys of an iteration of asynchronous products, at most 128, and
/// the number of workgroups on a processor. A thread has registers for scores,
/// for weights of half their width, for its part of the accumulator, and for
/// the `asyncOtherRegisters` of the target. Shared memory holds the rows and
/// tiles of keys and values: two of each if a workgroup has more than one group
/// of threads. With one group, three workgroups share a processor, or two if
/// three would leave room for fewer than 64 keys.
struct AsyncKeys {
  int64_t keys = 0, workgroups = 1;
};
AsyncKeys getAsyncKeys(const OnlineSizes &sizes, int64_t rows,
                       const GPUTarget &target = {});

/// Returns whether there are enough registers for a kernel with roles and tiles
/// of `rows` x `keys`, if it is persistent (`persist`), and if its loop is
/// rotated (`rotate`). The threads that compute have the registers that the
/// copying threads leave (Support/RoleRegisters.h). If the mask is copied to
/// shared memory (`copied`), they need no registers for its addresses.
bool hasRoleRegisters(const OnlineSizes &sizes, int64_t rows, int64_t keys,
                      bool persist, bool rotate, const GPUTarget &target = {},
                      bool copied = false);

/// Estimates the time of `kernel` in cycles of `target`. If sizes are not
/// known, this is the geometric mean over lengths of 512 to 16384 rows and
/// keys, with as many batches as have 16384 * 2048 elements of the result.
int64_t estimateOnlineKernel(const OnlineSizes &sizes,
                             const OnlineKernel &kernel,
                             const GPUTarget &target = {});

/// The parts of the estimate that do not depend on the launch: cycles of a
/// launch, of a tile without its iterations, and of an iteration.
struct OnlineCost {
  int64_t launch = 0, tile = 0, iteration = 0;
  /// The keys of an iteration, and the processors.
  int64_t keys = 1, processors = 1;
  /// Whether an iteration takes half as long again on a processor that has no
  /// other workgroup.
  bool isSlowAlone = false;
  /// Set if a mask follows from positions. A tile then needs half of the
  /// iterations, and this many eighths of an iteration in addition.
  std::optional<int64_t> eighths;
};

OnlineCost getOnlineCost(const OnlineSizes &sizes, const OnlineKernel &kernel,
                         const GPUTarget &target = {});

/// Estimates the cycles of a launch with `tiles` tiles and `keys` keys, like
/// `estimateOnlineKernel`. The estimate is at least the time of one tile with
/// all keys, which matters if there are few tiles. `Numbers` is as for
/// `chooseKeyChunk` (KeyChunks.h).
template <typename Numbers>
typename Numbers::Value
estimateOnlineLaunch(Numbers &n, typename Numbers::Value tiles,
                     typename Numbers::Value keys, const OnlineCost &cost) {
  using Value = typename Numbers::Value;
  auto times = [&](Value value, int64_t factor) {
    return n.mul(value, n.constant(factor));
  };
  Value one = n.constant(1);
  // The number of tiles of the processor with the most tiles.
  Value most = n.max(n.ceilDiv(tiles, n.constant(cost.processors)), one);
  Value iterations = n.ceilDiv(keys, n.constant(cost.keys));
  Value eighths = times(iterations, 8);
  if (cost.eighths)
    eighths =
        n.min(n.add(times(iterations, 4), n.constant(*cost.eighths)), eighths);
  auto getTime = [&](Value eighths) {
    Value cycles = n.div(times(eighths, cost.iteration), n.constant(8));
    if (cost.isSlowAlone) {
      Value isAlone = n.div(one, most);
      cycles =
          n.div(n.mul(cycles, n.add(isAlone, n.constant(2))), n.constant(2));
    }
    return n.add(cycles, n.constant(cost.tile));
  };
  Value all = n.mul(most, getTime(eighths));
  if (cost.eighths)
    all = n.max(all, getTime(times(iterations, 8)));
  return n.add(all, n.constant(cost.launch));
}

/// One version of a kernel: for at most `most` keys (0 if it is for few tiles
/// only), or for any number. If its tiles, or those of the other version, leave
/// processors idle, a launch may be faster with the other version.
struct OnlineVersion {
  OnlineKernel kernel;
  std::optional<int64_t> most;
  OnlineCost cost;
  /// Whether it is for launches with at most as many tiles as processors.
  bool isForOneTile = false;
};

/// Decides whether a launch uses the version for few keys. It has `fewTiles`
/// tiles of this version, or `manyTiles` of the other one. The launch uses the
/// version for its number of keys, unless the other one is estimated to take
/// less than 0.85 of the time, or `few` is for one tile of each workgroup. The
/// result has the type that `n.less(a, b)` returns; `n` also needs
/// `n.select(condition, a, b)`.
template <typename Numbers>
auto isForFewKeys(Numbers &n, typename Numbers::Value fewTiles,
                  typename Numbers::Value manyTiles,
                  typename Numbers::Value keys, const OnlineVersion &few,
                  const OnlineVersion &many) {
  using Value = typename Numbers::Value;
  if (few.isForOneTile)
    return n.less(fewTiles, n.constant(few.cost.processors + 1));
  Value timeOfFew = estimateOnlineLaunch(n, fewTiles, keys, few.cost),
        timeOfMany = estimateOnlineLaunch(n, manyTiles, keys, many.cost);
  auto isFew = n.less(keys, n.constant(*few.most + 1));
  Value part = n.constant(85), all = n.constant(100);
  return n.less(
      n.mul(timeOfFew, n.select(isFew, part, all)),
      n.add(n.mul(timeOfMany, n.select(isFew, all, part)), n.constant(1)));
}

/// Decides whether a launch uses a kernel that converts operands as it reads
/// them. `time` is its estimated time. The alternative is a kernel that reads
/// converted operands, with the estimated time `timeOfStored`, after another
/// kernel that converts and stores them. That one reads and writes `bytes`
/// bytes.
template <typename Numbers>
auto convertsAsItReads(Numbers &n, typename Numbers::Value time,
                       typename Numbers::Value timeOfStored,
                       typename Numbers::Value bytes, const GPUTarget &target) {
  typename Numbers::Value store =
      n.add(n.constant(target.launchCycles),
            n.div(bytes, n.constant(target.convertedBytesPerCycle)));
  return n.less(time, n.add(n.add(timeOfStored, store), n.constant(1)));
}

/// Chooses the kernel with the least estimated time. Kernels with asynchronous
/// products compete with `sync`, which is chosen unless one of them takes less
/// than 95 % of its time. A kernel without roles has 64 rows, one with roles
/// 128 or 192. If `limits` exclude synchronous products, the time of `sync`
/// does not count, but `sync` is returned if nothing else is possible.
OnlineKernel chooseOnlineKernel(const OnlineSizes &sizes,
                                const OnlineKernel &sync,
                                const OnlineLimits &limits,
                                const GPUTarget &target = {});

/// Chooses a kernel. If the number of keys is not known, may choose two: one
/// for few keys, then one for more. Chooses two if that is estimated to be at
/// least 1 % faster on average, or 1.5 % at the most keys, with more of them an
/// iteration. If a kernel for all has more than two groups of rows, or begins
/// tiles early from a bias, there is another one for few tiles. Both multiply
/// asynchronously.
SmallVector<OnlineVersion> chooseOnlineVersions(const OnlineSizes &sizes,
                                                const OnlineKernel &sync,
                                                const OnlineLimits &limits,
                                                const GPUTarget &target = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_ONLINEKERNELS_H
