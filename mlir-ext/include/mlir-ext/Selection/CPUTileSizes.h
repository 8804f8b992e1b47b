//===- CPUTileSizes.h - Tile sizes from the caches of a CPU -----*- C++ -*-===//
//
// The cache model that docs/Rationale/CPU.md describes: a function of numbers
// alone, which knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_CPUTILESIZES_H
#define MLIR_EXT_SELECTION_CPUTILESIZES_H

#include <cstdint>
#include <optional>

namespace mlir::linalg_ext {

/// What of a core decides about tiles.
struct CPUCoreModel {
  /// Width of the vector registers.
  int64_t vectorBits = 512;
  /// Of one core.
  int64_t l1Bytes = 48 << 10;
  int64_t l2Bytes = 1 << 20;
};

/// Loops over rows (of queries) and, within, over keys, which are reduced
/// online: scores, and from them an accumulator with columns. Sizes that are
/// not known are unset.
struct CPULoopShape {
  /// Rows that share keys and values, and the number of such groups of rows.
  std::optional<int64_t> rows, batches;
  std::optional<int64_t> keys;
  /// Columns of the accumulator.
  std::optional<int64_t> columns;
  /// Of the sums that the scores are; 0 if they are not computed but read.
  std::optional<int64_t> depth;
  /// Of an element of K or V.
  int64_t elementBytes = 4;
};

/// The tiles of one iteration of each loop.
struct CPUTiles {
  int64_t rows = 0;
  int64_t keys = 0;
  /// Of the accumulator; 0: they are not cut.
  int64_t columns = 0;
  /// Of the keys, those that one iteration of the outer loops treats: several
  /// share a row then, and what they have accumulated is merged. 0: all.
  int64_t split = 0;
};

struct CPUTileOptions {
  /// Given instead of chosen, if positive.
  int64_t rows = 0, keys = 0;
  /// Given if positive; -1: all keys; 0 chooses.
  int64_t split = -1;
  /// Whether threads share rows: where a norm is in front of a large matrix,
  /// blocks of them are smaller then, for there to be enough.
  bool shared = true;
};

/// Chooses tiles for `shape`. They do not depend on how many threads there are.
CPUTiles chooseCPUTiles(const CPULoopShape &shape, const CPUCoreModel &core,
                        const CPUTileOptions &options = {});

/// The same where the reduction is none that is online, but rows are reduced
/// before something is computed from them: norms in front of a product with
/// `columns`, or the loss of rows, which has none. The reduction is not cut
/// online where rows stay in a cache from one pass to the next.
struct CPURowTiles : CPUTiles {
  /// `keys` and `columns` cut the product alone, behind the norm; 0: they do
  /// not.
  bool wholeRows = true;
};
CPURowTiles chooseCPURowTiles(const CPULoopShape &shape,
                              const CPUCoreModel &core,
                              const CPUTileOptions &options = {});

/// The same of a product alone, of `rows` x `depth` and `depth` x `columns`
/// elements: `keys` cut the depth. A size of 0 does not cut; where none does,
/// the product is one tile.
CPUTiles chooseCPUProductTiles(const CPULoopShape &shape,
                               const CPUCoreModel &core,
                               const CPUTileOptions &options = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_CPUTILESIZES_H
