//===- TileOperands.h - Operands that are read as tiles ---------*- C++ -*-===//
//
// What can be seen of the operands of asynchronous products before tiling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_TILEOPERANDS_H
#define MLIR_EXT_SELECTION_TILEOPERANDS_H

#include "mlir/IR/Value.h"

#include <string>

namespace mlir::linalg_ext {

/// Why asynchronous products cannot read tiles of `value`, a tensor in memory,
/// as far as its type says: elements are f16 or bf16, and rows have a static
/// multiple of 16 bytes. Empty if they can. What only widens a tensor to f32 is
/// looked through.
std::string explainNoTiles(Value value);

/// Why a tile of the rows that `gather` reads cannot be copied in parts, as far as
/// its types say: it is a `paged_gather` with pages of a static multiple of
/// 16 rows, or packed. Empty if it can. (Parts of 8 rows could be copied, but are
/// slower than copies by threads.)
std::string explainNoParts(Operation *gather);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_TILEOPERANDS_H
