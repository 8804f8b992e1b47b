//===- CheckRings.h - The uses of a ring ------------------------*- C++ -*-===//
//
// Private to LowerRings. Collects the uses of a ring, and rejects those that
// cannot be lowered.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CHECKRINGS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CHECKRINGS_H

#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::vector_ext {

/// A ring, its uses, and the memory and barriers that replace it.
struct Ring {
  RingCreateOp create;
  /// The ops that fill slots: either puts or writes, but not both.
  SmallVector<RingPutOp> puts;
  SmallVector<RingWriteOp> writes;
  SmallVector<RingGetOp> gets;
  SmallVector<RingReleaseOp> releases;
  /// The roles of puts and of gets, if there are any.
  RoleOp writer, reader;
  SmallVector<Value> memories;
  /// The types of the elements of each tile in memory: of the sources of puts,
  /// if there are any.
  SmallVector<Type> elements;
  /// `empty` is null if no slot is filled twice.
  Value full, empty;

  RingType getType() { return create.getRing().getType(); }
  int64_t getSlots() { return getType().getSlots(); }
  /// The number of barriers of `full`, which positions use in turn. It is at
  /// least the number of slots.
  int64_t numFull = 1;
  int64_t getNumCopiers() {
    return puts.empty() ? 1 : puts.front().getNumCopiers();
  }
  /// The number of copiers whose copies one thread starts.
  int64_t copiersOfStarter = 1;
  /// Returns the number of arrivals that fill a slot.
  int64_t getNumArrivals() {
    return writes.empty() ? getNumCopiers() / copiersOfStarter
                          : static_cast<int64_t>(getType().getTiles().size() *
                                                 writer.getThreads());
  }
  /// Returns whether a slot may be filled twice, so that it must be free
  /// before.
  bool isReused();
  /// Whether workgroups of a cluster share tiles.
  bool isShared = false;
};

/// Returns the ring that `create` creates. Fails with `refusal` if a use cannot
/// be lowered.
FailureOr<Ring> checkRing(RingCreateOp create, gpu::LaunchOp launch,
                          linalg_ext::Refusal &refusal);

/// Returns the get of the tiles that `put` copies, if both are in one block.
RingGetOp findGet(Ring &ring, RingPutOp put);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CHECKRINGS_H
