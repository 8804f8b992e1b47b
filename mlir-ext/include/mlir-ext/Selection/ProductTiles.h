//===- ProductTiles.h - Tiles of products on a GPU --------------*- C++ -*-===//
//
// Chooses the tile of a matrix product that one workgroup computes. The
// functions take and return numbers only, no IR.
// docs/Rationale/WorkgroupTiles.md describes the model, docs/Decisions/0031 has
// the measurements that it is fitted to.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_PRODUCTTILES_H
#define MLIR_EXT_SELECTION_PRODUCTTILES_H

#include "mlir-ext/Support/GPUTarget.h"

namespace mlir::linalg_ext {

/// Sizes of `products` matrix products that share their left operand. Each has
/// a result of `batch` x `rows` x `columns` elements.
struct ProductSizes {
  int64_t batch = 1, rows = 0, columns = 0;
  int64_t products = 1;
};

/// The tile of one workgroup: its rows, and its columns in each product.
struct ProductTile {
  int64_t rows = 0, columns = 0;
  /// True if each processor has at most one workgroup.
  bool isAlone = false;
};

/// Threads of a workgroup that computes a product.
constexpr int64_t kProductThreads = 128;

/// Estimates the cycles that a processor of `target` takes for 64 steps of the
/// reduction dimension of a tile with `rows` x `columns` elements in each of
/// `products` products. Elements have 16 bits, and workgroups have
/// `kProductThreads` threads. Returns 0 if the subgroups cannot share the tile.
/// Source of the formula: docs/Rationale/WorkgroupTiles.md.
int64_t getProductTileCycles(int64_t rows, int64_t columns, int64_t products,
                             const GPUTarget &target = {});

/// Chooses the tile with which the last processor finishes first. The time of a
/// processor is getProductTileCycles times the tiles of each processor of
/// `target`, rounded up. A tile has at most `largest.rows` rows and, in all
/// products together, at most `largest.columns` columns. Among equal times the
/// tile that gives the fewest workgroups wins. Returns a tile of 0 rows if none
/// is possible.
ProductTile chooseProductTile(const ProductSizes &sizes,
                              const ProductTile &largest,
                              const GPUTarget &target = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_PRODUCTTILES_H
