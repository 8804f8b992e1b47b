//===- DigitProduct.h - Rows times integers, digit by digit -----*- C++ -*-===//
//
// Private to Codegen/CPU. Finds sums of products of one row with integers of 4
// or 8 bits, so that instructions that multiply bytes compute them
// (DigitProduct.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_DIGITPRODUCT_H
#define MLIR_EXT_LIB_CODEGEN_CPU_DIGITPRODUCT_H

#include "FourBitProduct.h"
#include "GroupOffsets.h"

#include <optional>

namespace mlir::linalg_ext {

/// A sum of `row` times a number times `factors`. The number is `scale` times
/// the sum of an integer without sign and `offset`. With one row, lanes are
/// along the sum, and with several, words of it are transposed to lanes of
/// columns (RowsOfDigits.cpp).
struct DigitProduct {
  OpOperand *row = nullptr;
  SmallVector<Value> factors;
  double scale = 1;
  int64_t offset = 0;
  /// Where the integers of 4 bits are. Integers of 8 bits have none.
  std::optional<FourBitProduct> fourBits;
  /// Whether the highest bits of bytes are inverted: integers with a sign are
  /// 128 less than what that makes of them.
  bool invertsBytes = false;
  /// The loop around the lanes, if there is one.
  std::optional<unsigned> loopDim;
  /// The dimension of the rows, and how many there are, and with several rows
  /// that of the columns.
  std::optional<unsigned> rowDim, columnDim;
  int64_t rows = 1;
  /// How many iterations of the lane dimension a vector holds, and in how many
  /// vectors the row lies.
  int64_t width = 0, vectors = 0;
  /// How many lanes of 32 bits share a unit and the factors.
  int64_t unitLanes = 0;
  /// The zero points that an op adds in front of this one. The product adds
  /// them in its place.
  std::optional<GroupOffsets> offsets;

  /// The integers of a byte.
  int64_t getParts() const { return fourBits ? 2 : 1; }
  /// The units of a vector.
  int64_t getUnits() const { return 16 / unitLanes; }
};

/// A number that is `scale` times the sum of a byte without sign and `offset`.
/// The highest bit of the byte may be inverted.
struct LinearBytes {
  double scale = 1;
  int64_t offset = 0;
  bool isInverted = false;
};

/// Returns what `number`, of the payload, is of the byte `arg`, if it is linear
/// in it, and integers of at most 128 are.
std::optional<LinearBytes> findLinearBytes(linalg::LinalgOp op, Value number,
                                           BlockArgument arg);

/// Returns how `op`, which has few rows along `rowDim`, multiplies the bytes
/// `streamed`. Lanes are along `laneDim`, inside of `loops`. `fourBits` says
/// where integers of 4 bits are, and is std::nullopt for bytes. Returns
/// std::nullopt if the sum is not one of such products, or too long for
/// buffers.
std::optional<DigitProduct>
matchDigitProduct(linalg::LinalgOp op, OpOperand &streamed,
                  const std::optional<FourBitProduct> &fourBits,
                  unsigned laneDim, std::optional<unsigned> rowDim,
                  ArrayRef<unsigned> loops);

/// The columns that several rows multiply together: the lanes of a vector.
inline constexpr int64_t kColumnsOfRows = 16;

/// The bytes of a vector of integers that digits multiply.
inline constexpr int64_t kBytesOfDigits = 64;

/// Builds, in front of `op`, the same op with one dimension for the groups of
/// bytes that it sums and their elements, if these fill a part of a vector.
/// Returns null, with the IR unchanged, if there are none.
linalg::GenericOp mergeGroups(RewriterBase &rewriter, linalg::LinalgOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_DIGITPRODUCT_H
