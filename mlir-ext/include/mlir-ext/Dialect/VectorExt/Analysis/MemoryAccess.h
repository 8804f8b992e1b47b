//===- MemoryAccess.h - How tiles lie in memory -----------------*- C++ -*-===//
//
// Describes the access to memory of a tile, and its alignment.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H

#include "mlir-ext/Layout/Layout.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace mlir::vector_ext {

/// Values for the registers of a tile: register r gets element `source[r]` of
/// the vector `registers`.
struct RegisterLookup {
  Value registers;
  SmallVector<int64_t> source;
};

/// An access of the registers of a thread to memory. Dimension i of `layout`
/// runs along dimension dims[i] of `memref`, or is broadcast if dims[i] is -1.
/// The tile starts at `indices`.
struct TileAccess {
  Value memref;
  SmallVector<Value> indices;
  SmallVector<int64_t> dims;
  layout::Layout layout;
  /// For each dimension of the layout: the number of elements that exist. Null
  /// if all do.
  SmallVector<Value> bounds;
  /// For each dimension of the layout, or none: the last index along the
  /// dimension of the memory. Registers behind it take what is there. Null if
  /// all are in front of it.
  SmallVector<Value> lasts;
  /// For each dimension of the layout, or none: the first element that exists.
  /// Null if that is the first one.
  SmallVector<Value> starts;
  /// For each register, a bit: whether its element exists. If unset, all
  /// elements exist.
  std::optional<RegisterLookup> mask;
  /// For dimensions of the memory: an offset for each register, which is added
  /// to its index. `first` is the dimension of the memory.
  SmallVector<std::pair<int64_t, RegisterLookup>> lookups;
  /// The dimensions of the layout along which the mask or an index of `lookups`
  /// varies.
  llvm::SmallDenseSet<unsigned> varyingDims;
};

/// Returns a power of two, at most 16, that is known to divide the byte address
/// of an access of `width` elements, if memory starts at a multiple of 16. At
/// least the bytes of an element.
int64_t getAccessAlignment(const TileAccess &access, int64_t width);

/// Returns the known alignment, at most 16 bytes, of the accesses of `read`, if
/// it reads 16 bytes at a time along the last dimension of its memory.
int64_t getReadAlignment(vector::TransferReadOp read);

/// Returns the largest number that is known to divide `index`: from constants,
/// `vector_ext.assume`, arithmetic and loops. Returns 0 for the constant 0.
int64_t getKnownDivisor(Value index);

/// Returns the largest known lower bound of `index`: from constants,
/// `vector_ext.assume` and ops that implement ValueBoundsOpInterface.
std::optional<int64_t> getKnownMinimum(Value index);

/// Returns the smallest known upper bound of `index`: from constants,
/// `vector_ext.assume`, products of such bounds, and ops that implement
/// ValueBoundsOpInterface.
std::optional<int64_t> getKnownMaximum(Value index);

/// Returns the smallest known upper bound of the stride of dimension `dim` of
/// `memref`, in elements. Returns std::nullopt if the stride may be negative.
std::optional<int64_t> getKnownMaximumStride(Value memref, int64_t dim);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_MEMORYACCESS_H
