//===- StagedReads.h - Tiles that are copied to shared memory ---*- C++ -*-===//
//
// Private to StageTiles. Finds the reads of tiles that are copied to shared
// memory, and chooses the arrangement of each in it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STAGEDREADS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STAGEDREADS_H

#include "TileSource.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedMemory.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace mlir::vector_ext {

/// A tile that is copied to shared memory.
struct StagedRead {
  /// A vector.transfer_read or a transfer_gather.
  Operation *read;
  /// Unset if threads copy the tile, since no copy of boxes can.
  std::optional<TileSource> from;
  layout::SharedLayout layout;
  /// The view that `from` builds in front of the launch.
  Value source = {};
  /// Whether threads load the tile into registers.
  bool isLoaded = false;
  /// Whether threads copy the tile together with others of its loop: what
  /// products of converted bytes need beside these.
  bool isBeside = false;
  /// The rows of a product, if this is its left operand.
  std::optional<unsigned> rows = {};
  /// The dimension of the tile behind whose end nothing has to be copied.
  std::optional<unsigned> cut = {};

  VectorType getType() const {
    return cast<VectorType>(read->getResult(0).getType());
  }
};

using StagedReads = llvm::MapVector<Operation *, StagedRead>;

/// True if threads of a role of their own copy tiles of `launch`.
bool hasRoles(gpu::LaunchOp launch);

/// Adds the operands of `contract` to `reads`, if its instruction is
/// asynchronous. Fails, and says why, if one cannot be copied.
LogicalResult addOperands(vector::ContractionOp contract, gpu::LaunchOp launch,
                          StagedReads &reads, linalg_ext::Refusal &refusal);

/// Adds to `reads` what threads of a kernel with roles read to registers beside
/// them.
void addLoaded(gpu::LaunchOp launch, StagedReads &reads);

/// Whether threads of `launch` read tiles from memory in its loops.
bool readsTiles(gpu::LaunchOp launch, const StagedReads &reads);

/// Lets copies of left operands end with the rows that there are, if these are
/// fewer than the rows of a tile or not known, and boxes are whole rows:
/// filling the others with zeros takes longer than copying them
/// (docs/Decisions/0119).
void cutRows(gpu::LaunchOp launch, StagedReads &reads);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STAGEDREADS_H
