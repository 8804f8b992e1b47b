//===- RowPlaces.h - Gathered rows as one number ----------------*- C++ -*-===//
//
// A page and a row in it can be replaced by the number of the row among those
// of all pages, if the memory can be viewed this way. Rows of one page then
// differ by constants, the address of a row takes one product, and lanes that
// share look-ups exchange one number.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROWPLACES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROWPLACES_H

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::vector_ext {

/// The dimensions of a memory that become one: from that of the first looked-up
/// position to that of the last one.
class RowPlaces {
public:
  /// Returns none if `access` looks up fewer than two positions, if its tile
  /// runs along a dimension between them, or if the memory has gaps there.
  static std::optional<RowPlaces> get(const TileAccess &access);

  /// Builds the number of each row from the looked-up positions `positions`, in
  /// the order of their dimensions. All are vectors of one type, of integers or
  /// indices.
  Value build(ImplicitLocOpBuilder &b, ValueRange positions) const;

  /// Makes `access`, whose look-ups of all positions are in the same registers,
  /// look up the number of a row instead: `registers`.
  void apply(ImplicitLocOpBuilder &b, TileAccess &access,
             Value registers) const;

  /// Returns whether numbers of rows have 32 bits, and are not negative, where
  /// the mask of `gather` holds. If so, builds a test of sizes before the
  /// launch.
  bool makeNarrow(ImplicitLocOpBuilder &b, TransferGatherOp gather) const;

private:
  Value memory;
  int64_t first = 0, last = 0;
  /// The dimensions that are looked up.
  SmallVector<int64_t> dims;
  SmallVector<ReassociationIndices> groups;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROWPLACES_H
