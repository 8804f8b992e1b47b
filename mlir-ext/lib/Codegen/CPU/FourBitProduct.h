//===- FourBitProduct.h - Rows times integers of 4 bits ---------*- C++ -*-===//
//
// Private to Codegen/CPU. Finds sums of products of a row with integers of 4
// bits that are read as words of eight, so that rotated words can be converted
// as they are (FourBitProduct.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_FOURBITPRODUCT_H
#define MLIR_EXT_LIB_CODEGEN_CPU_FOURBITPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// A sum of `row` times `number` times what neither the byte nor the part of it
/// changes. `number` is `scale` times an integer of 4 bits plus `offset`.
struct FourBitProduct {
  OpOperand *row = nullptr;
  Value number;
  /// Whether the payload extends the row.
  bool extendsRow = false;
  /// The factors of a term besides these.
  SmallVector<Value> others;
  double scale = 1, offset = 0;
  /// The dimensions of the four bytes of a word and of the two parts of a byte,
  /// and which of these the lowest bits are.
  unsigned byteDim = 0, partDim = 0;
  int64_t lowPart = 0;
};

/// Returns how `op` multiplies the bytes `bytes`, which are at `byteDim` of
/// their words, by `rows` rows. The loops `unrolled` are computed together.
/// Returns std::nullopt if it does anything else with them.
std::optional<FourBitProduct>
matchFourBitProduct(linalg::LinalgOp op, OpOperand &bytes, unsigned laneDim,
                    unsigned byteDim, ArrayRef<unsigned> unrolled,
                    int64_t rows);

/// Returns the operand of `op` that `factor` is, or the one that it extends to
/// f32; null if it is neither.
OpOperand *getOperandOfFactor(linalg::LinalgOp op, Value factor);

/// Returns the factors of each term that `op` adds to its only output. Returns
/// std::nullopt if it computes anything else, or if a product of some of them
/// has other uses.
std::optional<SmallVector<Value>> getFactorsOfSum(linalg::LinalgOp op);

/// Returns what the payload of `op` computes as `value`, if other values of it
/// are `known`, and, with `part`, the index along a dimension is a number.
/// Returns null if an op does not fold.
Attribute foldInPayload(linalg::LinalgOp op, Value value,
                        llvm::SmallDenseMap<Value, Attribute> known,
                        std::optional<std::pair<unsigned, int64_t>> part);

/// Returns the number that the payload of `op` computes as `value`, if the
/// argument `byte` is `code` and, with `part`, the index along a dimension is a
/// number. Returns std::nullopt if it reads anything else, or if an op does not
/// fold.
std::optional<double>
evaluateCode(linalg::LinalgOp op, Value value, BlockArgument byte, int64_t code,
             std::optional<std::pair<unsigned, int64_t>> part);

/// Returns the outermost loop around `op` in which `buffer`, which the function
/// allocates, is the same and only read, or `op`.
Operation *getPlaceOfCopy(Operation *op, Value buffer);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_FOURBITPRODUCT_H
