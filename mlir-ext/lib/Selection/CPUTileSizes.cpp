//===- CPUTileSizes.cpp - Tile sizes from the caches of a CPU -------------===//
//
// Notation: R rows, C keys and D columns in a tile, e bytes in an element of K
// and V, W lanes of f32 in a vector. One iteration of the inner loop uses the
// scores (4 R C bytes), a tile of K and one of V (e C D bytes each), and the
// rows of the queries and of the accumulator (4 R D bytes each). Rows of K and
// of the queries have their own length, the depth.
//
// chooseCPUTiles:
//
//   1. R: each block of rows reads K and V once, from beyond the L2 cache, at 8
//      bytes a cycle. For one key, R rows need R D / W cycles of multiply-adds
//      (two a cycle) and 2 e D / 8 cycles of reads. With e = 4 and R = 4 W the
//      reads take a quarter of the time of the multiply-adds.
//   2. C: the scores take at most two thirds of the L1 cache, because five
//      passes use them. With few rows, K and V are streamed and need no cache.
//   3. D: the accumulator takes at most an eighth of the L2 cache. If it would
//      take more, the columns are tiled, and each part computes the scores.
//   4. All buffers together take at most half of the L2 cache. Otherwise R and
//      C shrink.
//   5. The parts of a static dimension have about equal size.
//   6. If several heads read a tile in turn, the TLB holds its pages of memory.
//
// chooseCPURowTiles, for rows of K elements before a product with a matrix of D
// columns:
//
//   1. Without a product, several passes use a block of rows: 4 rows, or as
//      many as half of the L2 cache holds. A longer row is reduced online, in
//      tiles of half of the L1 cache. Rows that are computed in the loop are
//      reduced online too, unless there are few.
//   2. A matrix that fits into the L2 cache is not tiled, and a block has 2 W
//      rows. A matrix that few rows stream is not tiled either. A larger matrix
//      is read from beyond the L2 cache by each block of rows: R rows need
//      R D K / W / 2 cycles of multiply-adds and e D K / 8 cycles of reads.
//      A block has as many rows as fit into the L2 cache, 2 W to 8 W.
//   3. A tile of this matrix has 128 rows, which is the number of pages that
//      the TLB holds, and takes a quarter of the L2 cache.
//
// chooseCPUProductTiles, for a right operand of K x D elements. If it is stored
// by columns, a copy of it in a separate buffer is stored by rows:
//
//   1. A tile has 8 W columns (four strips of register tiles of two vectors),
//      and as many rows of K as a quarter of the L2 cache holds. All rows of
//      the left operand then read a strip from the cache, and each sum is
//      stored once for many terms. The next tile is prefetched meanwhile.
//   2. If half of the L2 cache holds all operands, the product is one tile.
//   3. A single thread takes all rows, and transposes each element once.
//      Several threads take blocks of 256 rows. The product of a block takes 16
//      times as long as the transposition.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/CPUTileSizes.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::linalg_ext;

/// The most keys of few rows. More do not pay (docs/Decisions/0021).
static constexpr int64_t kMostKeys = 512;
/// With fewer keys, repairing the accumulator takes too much of the time.
static constexpr int64_t kLeastKeys = 32;
/// The number of pieces that many threads can share evenly, and the keys of a
/// piece from which on it is worth its merge.
static constexpr int64_t kPieces = 128;
static constexpr int64_t kLeastSplit = 512;
/// The keys of a tile that several heads read in turn. Each key and each value
/// lies in a different page of memory, and the TLB holds at least twice as many
/// pages.
static constexpr int64_t kKeysOfHeads = 256;
/// The size that is assumed for a dynamic dimension that has to fit into a
/// cache.
static constexpr int64_t kUnknown = 128;
/// The rows of the second operand in a tile of a product that follows rows.
static constexpr int64_t kPanelRows = 128;
/// The rows of a product that a thread computes at a time, if there are several
/// threads.
static constexpr int64_t kProductRows = 256;

/// Returns the largest power of two that is not larger than `value`.
static int64_t roundDown(int64_t value) {
  return llvm::bit_floor<uint64_t>(std::max<int64_t>(value, 1));
}

/// Cuts `size` into `parts` parts of about equal length, and returns this
/// length, a multiple of `granularity`.
static int64_t getEvenPart(int64_t size, int64_t parts, int64_t granularity) {
  int64_t part = llvm::alignTo(llvm::divideCeil(size, parts), granularity);
  return std::clamp<int64_t>(part, 1, std::max<int64_t>(size, 1));
}

static int64_t chooseSplit(const CPULoopShape &shape, const CPUTiles &tiles,
                           int64_t keysOfTile) {
  // If there are more rows than a block has, threads share the rows.
  if (!shape.rows || *shape.rows > tiles.rows)
    return 0;
  int64_t pieces = llvm::divideCeil(
      std::max<int64_t>(shape.batches.value_or(1), 1), shape.heads);
  if (shape.columns && tiles.columns)
    pieces *= llvm::divideCeil(*shape.columns, tiles.columns);
  if (pieces >= kPieces)
    return 0;
  // Several heads are more work, so fewer keys are enough.
  int64_t least = llvm::alignTo(kLeastSplit / shape.heads, keysOfTile);
  if (!shape.keys)
    return llvm::alignTo(4 * kLeastSplit / shape.heads, keysOfTile);
  int64_t chunks = llvm::divideCeil(kPieces, pieces);
  int64_t chunk = std::max<int64_t>(
      llvm::alignTo(llvm::divideCeil(std::max<int64_t>(*shape.keys, 1), chunks),
                    keysOfTile),
      least);
  return chunk >= *shape.keys ? 0 : chunk;
}

CPUTiles mlir::linalg_ext::chooseCPUTiles(const CPULoopShape &shape,
                                          const CPUTarget &core,
                                          const CPUTileOptions &options) {
  int64_t lanes = std::max<int64_t>(core.vectorBits / 32, 1);
  CPUTiles tiles;
  // 1. Choose the rows.
  tiles.rows = options.rows > 0 ? options.rows : 4 * lanes;
  if (shape.rows && options.rows > 0)
    tiles.rows = std::clamp<int64_t>(*shape.rows, 1, tiles.rows);
  else if (shape.rows)
    // Up to one and a half blocks are taken as one block.
    tiles.rows = getEvenPart(
        *shape.rows,
        std::max<int64_t>((*shape.rows + tiles.rows / 2 - 1) / tiles.rows, 1),
        lanes);
  bool isStream = shape.rows && *shape.rows <= kFewRows;

  // 2. Choose the keys.
  int64_t blockRows = std::min(tiles.rows, 4 * lanes);
  int64_t keys = roundDown(core.l1Bytes * 2 / 3 / (4 * blockRows));
  keys = std::clamp<int64_t>(keys, kLeastKeys,
                             shape.heads > 1 ? kKeysOfHeads : kMostKeys);

  // 3. Choose the columns.
  int64_t most =
      std::max(roundDown(core.l2Bytes / 8 / (4 * tiles.rows)), 4 * lanes);
  if (!shape.columns || *shape.columns > most)
    tiles.columns = most;
  int64_t width = std::min(shape.columns.value_or(kUnknown), most) +
                  shape.depth.value_or(kUnknown);

  // 4. Fit the buffers into the L2 cache. Operands that are streamed only pass
  //    through it.
  auto fits = [&] {
    int64_t matrices = isStream ? 0 : keys * width * shape.elementBytes;
    return 4 * tiles.rows * (keys + width) + matrices <= core.l2Bytes / 2;
  };
  while (!fits()) {
    bool canHalveRows = options.rows <= 0 && tiles.rows >= 4 * lanes;
    if (keys > kLeastKeys && (keys > 2 * tiles.rows || !canHalveRows))
      keys /= 2;
    else if (canHalveRows)
      tiles.rows = llvm::alignTo(tiles.rows / 2, lanes);
    else
      break;
  }

  // 5. Make the parts even.
  tiles.keys = options.keys > 0 ? options.keys : keys;
  if (options.keys <= 0 && shape.keys)
    tiles.keys = std::min(
        getEvenPart(*shape.keys,
                    std::max<int64_t>(llvm::divideCeil(*shape.keys, keys), 1),
                    lanes),
        keys);
  if (options.split > 0)
    tiles.split = options.split;
  else if (options.split == 0) {
    tiles.split =
        chooseSplit(shape, tiles, options.keys > 0 ? options.keys : keys);
    if (tiles.split && options.keys <= 0)
      tiles.keys = std::min(keys, tiles.split);
  }
  return tiles;
}

CPURowTiles mlir::linalg_ext::chooseCPURowTiles(const CPULoopShape &shape,
                                                const CPUTarget &core,
                                                const CPUTileOptions &options) {
  int64_t lanes = std::max<int64_t>(core.vectorBits / 32, 1);
  int64_t rowBytes = 4 * std::max<int64_t>(shape.keys.value_or(1), 1);
  CPURowTiles tiles;
  bool isComputed = !shape.depth || *shape.depth != 0;
  if (isComputed) {
    bool isFew = shape.rows && shape.keys && *shape.rows <= kFewRows &&
                 *shape.rows * rowBytes <= core.l2Bytes / 2;
    if (!isFew)
      return {chooseCPUTiles(shape, core, options), /*wholeRows=*/false};
    tiles.rows = *shape.rows;
  } else if (shape.columns == 1) {
    // 1. There are only rows.
    tiles.rows = std::clamp<int64_t>(core.l2Bytes / 2 / rowBytes, 1, 4);
    tiles.wholeRows = rowBytes <= core.l2Bytes / 2;
    if (!tiles.wholeRows)
      tiles.keys = options.keys > 0 ? options.keys : core.l1Bytes / 8;
  } else if (shape.rows && *shape.rows <= kFewRows) {
    // Few rows stream the matrix.
    tiles.rows = *shape.rows;
  } else if (shape.keys && shape.columns &&
             *shape.keys <= core.l2Bytes / shape.elementBytes /
                                std::max<int64_t>(*shape.columns, 1)) {
    // 2. The matrix is small.
    tiles.rows = 2 * lanes;
  } else {
    // 3. Each block of rows uses what it has read of the matrix several times.
    tiles.rows = !options.shared ? 16 * lanes
                 : shape.keys
                     ? std::clamp<int64_t>(roundDown(core.l2Bytes / rowBytes),
                                           2 * lanes, 8 * lanes)
                     : 2 * lanes;
    // Choose tiles of the matrix.
    tiles.keys = options.keys > 0 ? options.keys : kPanelRows;
    tiles.columns = std::max(
        roundDown(core.l2Bytes / 4 / (tiles.keys * shape.elementBytes)),
        2 * lanes);
  }
  if (options.rows > 0)
    tiles.rows = options.rows;
  tiles.rows = std::max<int64_t>(tiles.rows, 1);
  if (shape.rows)
    tiles.rows = getEvenPart(
        *shape.rows,
        std::max<int64_t>(llvm::divideCeil(*shape.rows, tiles.rows), 1), 1);
  return tiles;
}

int64_t mlir::linalg_ext::chooseSumsOfFewRows(const CPULoopShape &shape,
                                              const CPUTarget &core) {
  constexpr int64_t kLeastRows = 5;
  if (!shape.rows || *shape.rows < kLeastRows || *shape.rows > kFewRows ||
      !shape.depth)
    return 0;
  int64_t sums = roundDown(core.l1Bytes / (4 * *shape.rows));
  return sums < *shape.depth ? sums : 0;
}

int64_t mlir::linalg_ext::getStripColumns(const CPUTarget &core) {
  return 2 * std::max<int64_t>(core.vectorBits / 32, 1);
}

CPUTiles
mlir::linalg_ext::chooseCPUProductTiles(const CPULoopShape &shape,
                                        const CPUTarget &core,
                                        const CPUTileOptions &options) {
  int64_t lanes = std::max<int64_t>(core.vectorBits / 32, 1);
  bool isStream = shape.rows && *shape.rows <= shape.fewRows;
  CPUTiles tiles;
  if (isStream && !options.shared)
    return tiles;
  if (shape.rows && shape.columns && shape.depth) {
    double elements = double(*shape.rows) * double(*shape.columns) +
                      double(*shape.depth) * double(*shape.columns) +
                      double(*shape.rows) * double(*shape.depth);
    if (elements * double(shape.elementBytes) <= double(core.l2Bytes / 2))
      return tiles;
  }
  int64_t columns = (isStream ? 32 : 8) * lanes;
  if (!shape.columns)
    tiles.columns = columns;
  else if (*shape.columns > columns)
    tiles.columns = getEvenPart(
        *shape.columns, llvm::divideCeil(*shape.columns, columns), 2 * lanes);
  if (isStream)
    return tiles;
  int64_t depth = std::max(
      roundDown(core.l2Bytes / 4 / (columns * shape.elementBytes)), 2 * lanes);
  if (!shape.depth)
    tiles.keys = depth;
  else if (*shape.depth > depth)
    tiles.keys =
        getEvenPart(*shape.depth, llvm::divideCeil(*shape.depth, depth), lanes);
  if (options.shared && (!shape.rows || *shape.rows > kProductRows))
    tiles.rows = kProductRows;
  return tiles;
}
