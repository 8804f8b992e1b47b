//===- TileOperands.h - Operands that are read as tiles ---------*- C++ -*-===//
//
// What can be seen of the operands of asynchronous products before tiling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_TILEOPERANDS_H
#define MLIR_EXT_SELECTION_TILEOPERANDS_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// The type of the elements of `value`, a tensor, or of what it only widens.
/// Null if it is no tensor.
Type getTileElementType(Value value);

/// Whether elements of `type` are floats of 8 bits that tensor cores of
/// NVIDIA's GPUs multiply: f8E4M3FN or f8E5M2.
bool isTileTypeOf8Bits(Type type);

/// Why asynchronous products cannot read tiles of `value`, a tensor in memory,
/// as far as its type says: elements are f16 or bf16, or, if `mayHave8Bits`,
/// f8E4M3FN, f8E5M2 or i8, and rows have a static multiple of 16 bytes. Empty
/// if they can. What only widens a tensor is looked through. With
/// `hasAlignedRows`, rows of dynamic length are a multiple of 16 bytes long.
std::string explainNoTiles(Value value, bool mayHave8Bits = false,
                           bool hasAlignedRows = false);

/// If the rows of `value`, a tensor in memory, have a dynamic length: the
/// tensor that `value` only widens, or itself, and how many of its elements
/// have 16 bytes. Unset if it has no such rows, or no asynchronous product
/// reads it.
std::optional<std::pair<Value, int64_t>> getDynamicRows(Value value,
                                                        bool mayHave8Bits);

/// The same of `value` as it is, if it is stored, maybe to the first elements
/// of longer rows: what widens it is no more looked through.
std::string explainNoStoredTiles(Value value, bool hasAlignedRows = false);

/// Whether the rows of `value`, as it is stored or narrowed, are whole lines of
/// the cache of `target`, or have a length that is not known.
bool mayHaveLines(Value value, const GPUTarget &target);

/// Why no tile of the rows that `gather` reads can be copied by threads of their own.
/// Empty if it can: it is a `paged_gather`, of pages or packed. Pages of a multiple of
/// 8 rows are copied as boxes, others by `cp.async`.
std::string explainNoParts(Operation *gather);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_TILEOPERANDS_H
