//===- TileSource.h - Buffers that tiles are copied from --------*- C++ -*-===//
//
// What hardware that copies boxes needs to know about the buffer of a read: its
// dimensions, where each of them ends, and the coordinates of the tile.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_TILESOURCE_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_TILESOURCE_H

#include "GatheredRows.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::vector_ext {

/// The buffer of a read, in the form in which copies of boxes access it. They
/// fill elements after the end of a dimension with zeros.
class TileSource {
public:
  /// Finds the source of `read`, which is in `launch`, or the destination of a
  /// write. Builds no IR. Fails with a refusal if no copy of boxes with at most
  /// `maxRank` dimensions accesses the same elements. The buffer must be in
  /// global memory, exist before the launch, and be dense. The size of its rows
  /// must be a static multiple of 16 bytes, or a multiple that
  /// `vector_ext.assume` states. Its elements must be read once, and those that
  /// a mask hides must be after an end that is known before the launch.
  static FailureOr<TileSource> get(VectorTransferOpInterface read,
                                   gpu::LaunchOp launch, int64_t maxRank,
                                   linalg_ext::Refusal &refusal);

  /// Does the same for gathered rows, which are copied in parts.
  static FailureOr<TileSource> get(TransferGatherOp gather,
                                   gpu::LaunchOp launch, int64_t maxRank,
                                   linalg_ext::Refusal &refusal);

  /// Builds the view of the buffer that ends where the copies end.
  Value buildView(RewriterBase &b, Location loc);

  /// Returns the number of parts of the tile along its first dimension.
  int64_t getNumParts() const { return rows ? rows->getNumParts() : 1; }

  /// Returns the map from the view to the tile.
  AffineMap getMap() const;

  /// Builds, for each part, the coordinates in the view of its first element. If
  /// `copiers` threads share the parts, these are the parts of thread `copier`.
  SmallVector<SmallVector<Value>> buildCoordinates(RewriterBase &b, Location loc,
                                                   Value copier,
                                                   int64_t copiers) const;

  /// Builds the end of the elements that `op` accesses along dimension
  /// `tileDim` of its tile. It is known before `launch`. Returns null if the
  /// mask of `op` has another form, or hides nothing.
  static Value buildEnd(RewriterBase &b, Location loc,
                        VectorTransferOpInterface op, gpu::LaunchOp launch,
                        unsigned tileDim);

  /// Returns whether rows of the tile may become zero whatever is copied.
  bool hasEnd() const { return rows && rows->hasEnd(); }
  /// Builds the number of the row of the tile from which on they are zero.
  /// Returns null if there is none.
  Value buildEnd(RewriterBase &b, Location loc) const {
    return rows ? rows->buildEnd(b, loc) : Value();
  }

private:
  /// Returns the buffer that `base`, which `read` reads, is or is a view of.
  static FailureOr<Value> checkBuffer(Operation *read, Value base,
                                      gpu::LaunchOp launch,
                                      linalg_ext::Refusal &refusal);
  unsigned getRank() const { return map.getNumDims() - numMerged; }

  /// The end of a dimension, as a function of values from before the launch.
  struct End {
    AffineExpr expr;
    SmallVector<Value> operands;
  };

  Value buffer;
  /// The indices in the buffer of the first element of the tile, unless there
  /// are gathered rows.
  SmallVector<Value> indices;
  std::optional<GatheredRows> rows;
  /// Maps the buffer to the tile.
  AffineMap map;
  /// The dimensions that end before the buffer does.
  SmallVector<std::optional<End>> ends;
  /// The number of leading dimensions after the first one that are merged with
  /// it in the view.
  unsigned numMerged = 0;
  /// The sizes of these dimensions except the first; buildView sets them.
  SmallVector<OpFoldResult> mergedSizes;

  static FailureOr<std::optional<End>>
  getEnd(VectorTransferOpInterface read, gpu::LaunchOp launch, unsigned dim,
         int64_t size, Value count, linalg_ext::Refusal &refusal);
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_TILESOURCE_H
