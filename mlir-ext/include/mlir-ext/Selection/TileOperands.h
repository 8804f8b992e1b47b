//===- TileOperands.h - Operands that are read as tiles ---------*- C++ -*-===//
//
// Finds out before tiling whether asynchronous products can read an operand.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_TILEOPERANDS_H
#define MLIR_EXT_SELECTION_TILEOPERANDS_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns the element type of `value`, a tensor, looking through an
/// elementwise extension. Null if `value` is no tensor.
Type getTileElementType(Value value);

/// Returns whether `type` is a float of 8 bits that tensor cores of NVIDIA GPUs
/// multiply: f8E4M3FN or f8E5M2.
bool isTileTypeOf8Bits(Type type);

/// Returns why asynchronous products cannot read tiles of `value`, a tensor in
/// memory, judging by its type. They can, and the result is empty, if elements
/// are f16 or bf16 and rows have a static multiple of 16 bytes. With
/// `mayHave8Bits`, elements may also be f8E4M3FN, f8E5M2 or i8. With
/// `hasAlignedRows`, rows of dynamic length are assumed to have a multiple of
/// 16 bytes. Looks through an elementwise extension.
std::string explainNoTiles(Value value, bool mayHave8Bits = false,
                           bool hasAlignedRows = false);

/// For a tensor `value` in memory whose rows have a dynamic length: returns the
/// tensor that `value` extends, or `value` itself, and the number of its
/// elements in 16 bytes. Returns std::nullopt if the rows have a static length,
/// or if asynchronous products cannot read the elements.
std::optional<std::pair<Value, int64_t>> getDynamicRows(Value value,
                                                        bool mayHave8Bits);

/// Does the same for `value` itself if it is stored, possibly in the first
/// elements of longer rows. Does not look through an extension.
std::string explainNoStoredTiles(Value value, bool hasAlignedRows = false);

/// Returns whether the rows of `value`, as they are stored or narrowed, are
/// whole lines of the cache of `target`, or have an unknown length.
bool mayHaveLines(Value value, const GPUTarget &target);

/// Returns whether they have a multiple of 32 bytes, which a cache moves
/// together, or an unknown length.
bool mayHaveSectors(Value value);

/// Returns whether hardware may copy tiles of `value`, a tensor in memory that
/// threads read, such as a residual: elements have 16 or 32 bits, and rows a
/// multiple of 16 bytes, or an unknown length.
bool mayBeCopied(Value value);

/// Returns why separate threads cannot copy tiles of the rows that `gather`
/// reads. They can, and the result is empty, if it is a `paged_gather` of pages
/// or of packed rows. Pages of a multiple of 8 rows are copied as boxes, others
/// by `cp.async`.
std::string explainNoParts(Operation *gather);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_TILEOPERANDS_H
