//===- RowPlaces.h - Gathered rows as one number ----------------*- C++ -*-===//
//
// A page, and a row in it, are the number of the row among those of all pages,
// if the memory can be seen so. Rows of one page are then constants apart, the
// address of a row takes one product, and lanes that share look-ups exchange
// one number.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROWPLACES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROWPLACES_H

#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace mlir::vector_ext {

/// The dimensions of a memory that become one: from that of the first position
/// that is looked up to that of the last.
class RowPlaces {
public:
  /// Returns nothing if `access` looks up less than two positions, if its tile
  /// runs along a dimension between them, or if the memory has gaps there.
  static std::optional<RowPlaces> get(const TileAccess &access);

  /// Builds the number of each row from the positions that are looked up,
  /// `positions`, in the order of their dimensions. All are vectors of one
  /// type, of integers or indices.
  Value build(ImplicitLocOpBuilder &b, ValueRange positions) const;

  /// Makes `access`, whose look-ups are of the same registers of all positions,
  /// look up the number of a row instead: `registers`.
  void apply(ImplicitLocOpBuilder &b, TileAccess &access,
             Value registers) const;

  /// Returns whether numbers of rows have 32 bits, and are not negative, where
  /// the mask of `gather` holds. Builds a test of sizes in front of the launch
  /// then.
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
