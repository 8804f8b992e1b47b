//===- SmallTiles.h - Sizes for kernels that are too large ------*- C++ -*-===//
//
// The sizes of tiles for programs, or for single kernels, that would need too
// many registers, too much memory of a workgroup or too much code otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_SMALLTILES_H
#define MLIR_EXT_SELECTION_SMALLTILES_H

#include <cstdint>

namespace mlir::linalg_ext {

struct SmallTiles {
  /// Of products, and of what is reduced online.
  static constexpr int64_t kRows = 16, kColumns = 16, kKeys = 16,
                           kReduction = 16;
  /// Of rows that are reduced: the longest in one tile, the elements of one
  /// iteration of longer ones, and the elements of all rows of a workgroup.
  static constexpr int64_t kMaxRow = 1024, kRowTile = 256, kRowElements = 1024;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_SMALLTILES_H
