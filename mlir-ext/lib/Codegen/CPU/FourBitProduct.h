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
  double scale = 1, offset = 0;
  /// The dimensions of the four bytes of a word and of the two parts of a byte,
  /// and which of these the lowest bits are.
  unsigned byteDim = 0, partDim = 0;
  int64_t lowPart = 0;
};

/// Returns how `op` multiplies the bytes `bytes`, which are at `byteDim` of
/// their words. The loops `unrolled` are computed together. Returns
/// std::nullopt if it does anything else with them.
std::optional<FourBitProduct> matchFourBitProduct(linalg::LinalgOp op,
                                                  OpOperand &bytes,
                                                  unsigned laneDim,
                                                  unsigned byteDim,
                                                  ArrayRef<unsigned> unrolled);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_FOURBITPRODUCT_H
