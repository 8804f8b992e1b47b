//===- GroupOffsets.h - Zero points beside products of digits ---*- C++ -*-===//
//
// Private to Codegen/CPU. Finds the op that adds zero points of groups in front
// of a product of digits, so that the product adds them (GroupOffsets.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_GROUPOFFSETS_H
#define MLIR_EXT_LIB_CODEGEN_CPU_GROUPOFFSETS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

struct DigitProduct;

/// A sum over groups in front of a product of digits, with the same
/// destination: of the sums of the row over each group, `numbers`, and the
/// factors of the product of digits.
struct GroupOffsets {
  linalg::LinalgOp op;
  OpOperand *sums = nullptr;
  /// Values of the payload of `op`.
  SmallVector<Value> numbers;
  unsigned groupDim = 0;
  /// For each other dimension of `op`, that of the product of digits.
  SmallVector<unsigned> dims;
};

/// Returns the sum in front of `op`, which `product` describes, that it can
/// add, or std::nullopt. A group is what shares a unit. Lanes are along
/// `laneDim`.
std::optional<GroupOffsets> findGroupOffsets(linalg::LinalgOp op,
                                             const DigitProduct &product,
                                             unsigned laneDim);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_GROUPOFFSETS_H
