//===- GatheredRows.h - Rows that are copied in parts -----------*- C++ -*-===//
//
// Hardware that copies boxes can copy gathered rows if they are contiguous in
// parts, such as those of the pages of a cache.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GATHEREDROWS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GATHEREDROWS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::vector_ext {

class FirstRowBuilder;

/// The rows of a gather, cut into equal parts. The rows of a part are contiguous
/// in one dimension of the memory.
class GatheredRows {
public:
  /// Finds the fewest such parts of `gather`. Builds no IR. Refuses if there are
  /// none of a multiple of 2 rows, or if the mask does more than to hide whole
  /// parts and rows from one on.
  static FailureOr<GatheredRows> get(TransferGatherOp gather,
                                     linalg_ext::Refusal &refusal);

  int64_t getNumParts() const { return numRows / partRows; }

  /// Returns the map from the dimensions of the memory to those of the tile.
  AffineMap getMap() const { return map; }

  /// Builds, for each part, the indices of its first element. They are outside of
  /// the memory if the part is hidden. If `copiers` threads share the parts, which
  /// that divides, these are the parts of thread `copier`; see `ring.put`.
  SmallVector<SmallVector<Value>> buildIndices(RewriterBase &b, Location loc,
                                               Value copier,
                                               int64_t copiers) const;

  bool hasEnd() const { return !ends.empty(); }
  /// Builds the number of the row from which on all are hidden, which may be
  /// anything beyond the tile; null if none is hidden unless its part is.
  Value buildEnd(RewriterBase &b, Location loc) const;

private:
  GatheredRows(TransferGatherOp gather) : gather(gather) {}

  LogicalResult addCondition(Value condition, linalg_ext::Refusal &refusal);
  bool findMap(linalg_ext::Refusal &refusal);
  bool isEndOfMemory(Operation *comparison);
  SmallVector<Value> buildIndicesOfPart(RewriterBase &b, Location loc,
                                        FirstRowBuilder &element) const;

  TransferGatherOp gather;
  AffineMap map;
  /// The dimension of the memory in which rows are contiguous.
  unsigned rowDim = 0;
  int64_t numRows = 0, partRows = 0;
  /// The conditions that hold for a row that is not hidden.
  llvm::SetVector<Value> visible;
  /// The conditions that hold for the first row of a part that exists: vectors
  /// of i1.
  SmallVector<Value> conditions;
  /// Masks of the first rows, each of which gives a number of rows.
  SmallVector<Operation *> ends;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GATHEREDROWS_H
