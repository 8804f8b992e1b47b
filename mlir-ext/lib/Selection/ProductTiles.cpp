//===- ProductTiles.cpp - Tiles of products on a GPU ----------------------===//
//
// See ProductTiles.h. Tries all tiles of a fixed list of sizes, estimates the
// time of the processor with the most tiles for each, and takes the least.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

using namespace mlir::linalg_ext;

int64_t mlir::linalg_ext::getProductTileCycles(int64_t rows, int64_t columns,
                                               int64_t products,
                                               const GPUTarget &target) {
  // Of the ways to share a tile the one that loads least, as it is chosen
  // later. A matrix load has the columns of two instructions.
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
  // Shared memory is written by copies and read by loads, 2 bytes an element.
  constexpr int64_t kSteps = 64;
  int64_t multiplied = kSteps * rows * all / target.matrixProducts;
  int64_t moved =
      kSteps * 2 * (loads + rows + all) / target.sharedBytesPerCycle;
  // Each waits for the other a little.
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
