//===- MemoryAccess.h - How tiles lie in memory -----------------*- C++ -*-===//
//
// The access to memory that a tile is, and its alignment.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H

#include "mlir-ext/Layout/Layout.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {

/// Registers of `layout` of a thread in and out of memory. `dims[i]` is the
/// dimension of `memref` that dimension i of the layout runs along, or -1 if it
/// is broadcast; `indices` is where the tile starts.
struct TileAccess {
  Value memref;
  SmallVector<Value> indices;
  SmallVector<int64_t> dims;
  layout::Layout layout;
  /// For each dimension of the layout the number of elements that exist; null
  /// if all do.
  SmallVector<Value> bounds;
  /// For each register whether it exists, a vector of i1; null if all do.
  Value mask;
};

/// What is known to divide the address of an access of `width` elements, in
/// bytes, if memory starts at a multiple of 16. At least the bytes of an
/// element.
int64_t getAccessAlignment(const TileAccess &access, int64_t width);

/// The bytes, at most 16, that what `read` reads in pieces of 16 bytes along
/// the last dimension of its memory is known to be aligned to.
int64_t getReadAlignment(vector::TransferReadOp read);

/// The largest number that is known to divide `index`; 0 for the constant 0.
int64_t getKnownDivisor(Value index);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H
