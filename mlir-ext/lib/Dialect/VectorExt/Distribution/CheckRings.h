//===- CheckRings.h - The uses of a ring ------------------------*- C++ -*-===//
//
// Private to LowerRings. Collects the uses of a ring, and refuses those that
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
  /// What fills slots: either, not both.
  SmallVector<RingPutOp> puts;
  SmallVector<RingWriteOp> writes;
  SmallVector<RingGetOp> gets;
  SmallVector<RingReleaseOp> releases;
  /// The roles of puts and of gets, if there are any.
  RoleOp writer, reader;
  SmallVector<Value> memories;
  /// `empty` is null if no slot is filled twice.
  Value full, empty;

  RingType getType() { return create.getRing().getType(); }
  int64_t getSlots() { return getType().getSlots(); }
  /// Barriers of `full`, which positions use in turn: as many as slots, or
  /// more.
  int64_t numFull = 1;
  int64_t getNumCopiers() {
    return puts.empty() ? 1 : puts.front().getNumCopiers();
  }
  /// Copiers whose copies one thread starts.
  int64_t copiersOfStarter = 1;
  /// Arrivals that fill a slot.
  int64_t getNumArrivals() {
    return writes.empty() ? getNumCopiers() / copiersOfStarter
                          : static_cast<int64_t>(getType().getTiles().size() *
                                                 writer.getThreads());
  }
  /// Whether a slot may be filled twice, and must be free before.
  bool isReused();
};

/// Returns the ring that `create` creates. Refuses, if it is used in a way that
/// cannot be lowered.
FailureOr<Ring> checkRing(RingCreateOp create, gpu::LaunchOp launch,
                          linalg_ext::Refusal &refusal);

/// The get of the tiles that `put` copies, if both are in one block.
RingGetOp findGet(Ring &ring, RingPutOp put);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_CHECKRINGS_H
