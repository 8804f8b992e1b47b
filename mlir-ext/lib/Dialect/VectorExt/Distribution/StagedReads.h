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

/// The most dimensions of a buffer that copies of boxes support.
constexpr int64_t kMaxCopiedRank = 5;

/// A tile that is copied to shared memory.
struct StagedRead {
  /// A vector.transfer_read or a transfer_gather.
  Operation *read;
  /// The source of the copy. Unset if threads copy the tile, because no copy of
  /// boxes can.
  std::optional<TileSource> from;
  layout::SharedLayout layout;
  /// The view that `from` builds before the launch.
  Value source = {};
  /// Whether threads load the tile into registers.
  bool isLoaded = false;
  /// Whether threads copy the tile together with other tiles of its loop:
  /// values that products of converted bytes need beside these.
  bool isBeside = false;
  /// The rows of a product, if this is its left operand.
  std::optional<unsigned> rows = {};
  /// The dimension of the tile behind whose end nothing needs to be copied.
  std::optional<unsigned> cut = {};

  /// The type as which instructions use the bits of the tile
  /// (`getFormatsAttrName`), if it is not the one that is read.
  VectorType usedAs = {};

  /// The tile in shared memory. Booleans are bytes there.
  VectorType getType() const {
    if (usedAs)
      return usedAs;
    auto type = cast<VectorType>(read->getResult(0).getType());
    return isOfBooleans()
               ? VectorType::get(type.getShape(),
                                 IntegerType::get(type.getContext(), 8))
               : type;
  }
  bool isOfBooleans() const {
    return getElementTypeOrSelf(read->getResult(0)).isInteger(1);
  }
};

using StagedReads = llvm::MapVector<Operation *, StagedRead>;

/// A tile that is stored through shared memory, by each subgroup its part.
struct StagedWrite {
  vector::TransferWriteOp write;
  TileSource to;
  layout::SharedLayout layout;
  /// Of what threads hold of it. Each subgroup has its part.
  layout::Layout ofThreads;
  int64_t parts;
};

/// Returns whether threads of a separate role copy tiles of `launch`.
bool hasRoles(gpu::LaunchOp launch);

/// Adds the operands of `contract` to `reads` if its instruction is
/// asynchronous. Fails, with the reason in `refusal`, if one of them cannot be
/// copied.
LogicalResult addOperands(vector::ContractionOp contract, gpu::LaunchOp launch,
                          StagedReads &reads, linalg_ext::Refusal &refusal);

/// Adds tiles to `reads` that threads of a kernel with roles read to registers
/// beside these operands.
void addLoaded(gpu::LaunchOp launch, StagedReads &reads);

/// Returns whether threads of `launch` read tiles from memory in its loops.
bool readsTiles(gpu::LaunchOp launch, const StagedReads &reads);

/// Returns the result of a persistent kernel, if its subgroups have parts of it
/// that boxes can copy. The copies go on during the next tile.
std::optional<StagedWrite> findStored(gpu::LaunchOp launch,
                                      const StagedReads &operands);

/// Lets copies of left operands end with the last row that exists, if there are
/// fewer rows than a tile has or their number is unknown, and boxes are whole
/// rows. Filling the other rows with zeros takes longer than copying rows
/// (docs/Decisions/0119).
void cutRows(gpu::LaunchOp launch, StagedReads &reads);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STAGEDREADS_H
