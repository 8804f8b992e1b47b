//===- CPUTileSizes.h - Tile sizes from the caches of a CPU -----*- C++ -*-===//
//
// Chooses tile sizes from the sizes of a loop nest and of the caches of a core.
// docs/Rationale/CPU.md describes the model. The functions take and return
// numbers only, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_CPUTILESIZES_H
#define MLIR_EXT_SELECTION_CPUTILESIZES_H

#include "mlir-ext/Support/CPUTarget.h"

#include <cstdint>
#include <optional>

namespace mlir::linalg_ext {

/// A product with at most this many rows reads K and V only once. They are
/// streamed from memory, so tiles need not fit a cache.
constexpr int64_t kFewRows = 8;
/// The same for products of bytes, of which an instruction sums four.
constexpr int64_t kFewRowsOfBytes = 16;

/// A loop nest as in attention: an outer loop over rows (queries), and an inner
/// loop over keys, which is an online reduction. The inner loop computes scores
/// (rows x keys), and from them it updates an accumulator (rows x columns). All
/// sizes are in elements. A dynamic size is unset.
struct CPULoopShape {
  /// Number of rows that share one K and one V, and number of such groups.
  std::optional<int64_t> rows, batches;
  std::optional<int64_t> keys;
  /// Columns of the accumulator.
  std::optional<int64_t> columns;
  /// Number of terms in the sum that computes one score. 0 if the scores are an
  /// input.
  std::optional<int64_t> depth;
  /// Bytes of an element of K or V.
  int64_t elementBytes = 4;
  /// The number of groups that read one tile of keys, one after the other,
  /// before the next tile is read. By default one.
  int64_t heads = 1;
  /// The most rows for which K or V is streamed from memory.
  int64_t fewRows = kFewRows;
};

/// Tile sizes in elements.
struct CPUTiles {
  int64_t rows = 0;
  int64_t keys = 0;
  /// Columns of the accumulator. 0 does not tile them.
  int64_t columns = 0;
  /// Number of keys in one iteration of the outer loops. If there are more,
  /// several iterations compute partial results of the same row, and a merge
  /// follows. 0 does not split the keys.
  int64_t split = 0;
};

struct CPUTileOptions {
  /// Tile sizes that replace the chosen ones, if positive.
  int64_t rows = 0, keys = 0;
  /// A positive value replaces the chosen split. -1 does not split the keys. 0
  /// chooses.
  int64_t split = -1;
  /// Whether several threads share the rows. If so, blocks of rows of a norm
  /// that feeds a large matrix product are smaller, so that each thread gets
  /// some.
  bool shared = true;
};

/// Chooses tile sizes for `shape`, in five steps that CPUTileSizes.cpp lists.
/// The sizes do not depend on the number of threads.
CPUTiles chooseCPUTiles(const CPULoopShape &shape, const CPUTarget &core,
                        const CPUTileOptions &options = {});

/// Tile sizes for a reduction of rows that is not online, and whose result is
/// used together with the same rows. Examples are a norm before a product with
/// a matrix of `columns` columns, and the loss of rows (`columns` is 1).
struct CPURowTiles : CPUTiles {
  /// True: each row is reduced as a whole, and `keys` and `columns` tile only
  /// the product after it (0 does not tile it). False: `keys` tiles the
  /// reduction, which becomes online.
  bool wholeRows = true;
};
/// Chooses CPURowTiles for `shape`. Rows are reduced as a whole if they stay in
/// a cache from one pass over them to the next.
CPURowTiles chooseCPURowTiles(const CPULoopShape &shape, const CPUTarget &core,
                              const CPUTileOptions &options = {});

/// Chooses tile sizes for a matrix product without a reduction around it, of
/// `rows` x `depth` times `depth` x `columns` elements. The field `keys` of the
/// result tiles the depth. A size of 0 does not tile. If all sizes are 0, the
/// product is one tile.
CPUTiles chooseCPUProductTiles(const CPULoopShape &shape, const CPUTarget &core,
                               const CPUTileOptions &options = {});

/// Returns how many elements of the reduction a tile of a product may have, for
/// 5 to kFewRows rows in f32, so that the rows stay in the L1 cache: each group
/// of a few columns reads them again. 0 means all elements. Returns 0 for fewer
/// rows, because reading the weights then takes most of the time, and a loop
/// over the reduction would read them in parts.
int64_t chooseSumsOfFewRows(const CPULoopShape &shape, const CPUTarget &core);

/// Returns the columns of a register tile of two vectors. If weights are
/// transposed tile by tile, a tile has this many columns. All rows use one tile
/// while the next one is prefetched, and both stay in the L2 cache.
int64_t getStripColumns(const CPUTarget &core);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_CPUTILESIZES_H
