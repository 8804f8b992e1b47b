//===- ColumnDigits.h - Digits of rows for lanes of columns -----*- C++ -*-===//
//
// Private to Codegen/CPU. Finds sums of products of few rows with integers of 4
// or 8 bits that are stored row by row, so that instructions that multiply
// bytes compute them for the columns of a vector (ColumnDigits.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_COLUMNDIGITS_H
#define MLIR_EXT_LIB_CODEGEN_CPU_COLUMNDIGITS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// A sum of `row` times a number times `factors`. The number is `scale` times
/// the sum of an integer without sign and `offset`. Columns are lanes.
struct ColumnDigits {
  OpOperand *row = nullptr;
  /// They do not change along `streamDim` and `partDim`.
  SmallVector<Value> factors;
  double scale = 1;
  int64_t offset = 0;
  /// Whether the highest bits of bytes are inverted.
  bool invertsBytes = false;
  /// The dimension along which a column has its elements or words.
  unsigned streamDim = 0;
  /// Of words of 32 bits: the dimension of their eight integers, and where each
  /// of these is, counted from the lowest one. Bytes have none.
  std::optional<unsigned> partDim;
  SmallVector<int64_t> places;
  /// The iterations of `streamDim` that share a unit.
  int64_t block = 0;
  /// The rows, and their dimension if there are several.
  int64_t rows = 1;
  std::optional<unsigned> rowDim;

  /// The integers of an element of a column.
  int64_t getParts() const { return partDim ? places.size() : 1; }
  /// The iterations of `streamDim` whose integers four bytes have.
  int64_t getStep() const { return partDim ? 1 : 4; }
  /// The vectors of columns that are computed together. The sums of several
  /// rows of words fill the registers.
  int64_t getVectors() const;
};

/// The lanes of 32 bits, and the columns that are computed together: a line of
/// bytes.
inline constexpr int64_t kColumnLanes = 16, kColumnVectors = 4,
                         kDigitColumns = kColumnLanes * kColumnVectors;

inline int64_t ColumnDigits::getVectors() const {
  return partDim && rows > 1 ? 1 : kColumnVectors;
}

/// Returns how `op`, which has few rows along `rowDim`, multiplies the elements
/// of `streamed`, whose columns are lanes along `laneDim`. The loops over sums
/// are `loops`, the last of them along the columns, and `unrolled`. Returns
/// std::nullopt if the sum is not one of such products, or if digits would not
/// pay.
std::optional<ColumnDigits>
matchColumnDigits(linalg::LinalgOp op, OpOperand &streamed, unsigned laneDim,
                  std::optional<unsigned> rowDim, ArrayRef<unsigned> loops,
                  ArrayRef<unsigned> unrolled);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_COLUMNDIGITS_H
