//===- ProductTiles.h - Tiles of products on a GPU --------------*- C++ -*-===//
//
// Which part of a product a workgroup has, by numbers alone: no IR is built.
// docs/Rationale/WorkgroupTiles.md has the model, docs/Decisions/0031 what it is
// made from.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_PRODUCTTILES_H
#define MLIR_EXT_SELECTION_PRODUCTTILES_H

#include <cstdint>

namespace mlir::linalg_ext {

/// Products of the same rows by several right operands: `rows` x `columns`
/// each, `batch` times.
struct ProductSizes {
  int64_t batch = 1, rows = 0, columns = 0;
  int64_t products = 1;
};

/// Rows, and columns of each product, of a workgroup.
struct ProductTile {
  int64_t rows = 0, columns = 0;
  /// Whether no processor has more than one workgroup.
  bool isAlone = false;
};

/// The time that a processor takes for 64 elements of the sums of a tile of
/// `products` products of 16 bits, in cycles, by workgroups of four subgroups;
/// 0 if they cannot share the tile.
int64_t getProductTileCycles(int64_t rows, int64_t columns, int64_t products);

/// Of the tiles of at most `largest` (all products' columns together) the one
/// with which the processor that has most is done first: a tile has its time
/// as often as there are tiles for each of `processors`, rounded up. Of equals
/// the one of which there are fewest.
ProductTile chooseProductTile(const ProductSizes &sizes,
                              const ProductTile &largest, int64_t processors);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_PRODUCTTILES_H
