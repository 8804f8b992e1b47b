//===- ProductTiles.cpp - Tiles of products on a GPU ----------------------===//
//
// See ProductTiles.h. Tries all tiles of a fixed list of sizes, estimates the
// time of the processor with the most tiles for each, and takes the least.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "llvm/Support/MathExtras.h"

#include <initializer_list>
#include <utility>

using namespace mlir::linalg_ext;

int64_t mlir::linalg_ext::getProductTileCycles(int64_t rows, int64_t columns,
                                               int64_t products) {
  // Of the ways to share a tile the one that loads least, as it is chosen
  // later. Subgroups load 16 columns at a time.
  constexpr int64_t kRows = 16, kColumns = 8, kLoadedColumns = 16;
  int64_t all = products * columns, loads = 0, own = 0;
  for (auto [byRows, byColumns] :
       {std::pair<int64_t, int64_t>(4, 1), {2, 2}, {1, 4}}) {
    if (rows % (kRows * byRows) != 0 || columns % (kColumns * byColumns) != 0)
      continue;
    int64_t here = rows * byColumns + all * byRows;
    if (loads == 0 || here < loads) {
      loads = here;
      own = columns / byColumns;
    }
  }
  if (loads == 0 || own % kLoadedColumns != 0)
    return 0;
  // 1024 products of 16 bits a cycle; 128 bytes of shared memory, that are
  // copied there and loaded.
  int64_t multiplied = rows * all / 16, moved = loads + rows + all;
  // Each waits for the other a little (fitted to an H200).
  return (80 * multiplied + 57 * moved) / 100;
}

ProductTile mlir::linalg_ext::chooseProductTile(const ProductSizes &sizes,
                                                const ProductTile &largest,
                                                int64_t processors) {
  ProductTile best;
  std::pair<int64_t, int64_t> least;
  for (int64_t rows : {128, 96, 64, 48, 32, 16})
    for (int64_t columns : {128, 96, 64, 48, 32, 16}) {
      int64_t cycles = getProductTileCycles(rows, columns, sizes.products);
      if (cycles == 0 || rows > largest.rows ||
          columns * sizes.products > largest.columns)
        continue;
      int64_t tiles = sizes.batch * llvm::divideCeil(sizes.rows, rows) *
                      llvm::divideCeil(sizes.columns, columns);
      int64_t most = llvm::divideCeil(tiles, processors);
      std::pair<int64_t, int64_t> cost(most * cycles, tiles);
      if (best.rows > 0 && cost >= least)
        continue;
      least = cost;
      best = {rows, columns, most <= 1};
    }
  return best;
}
