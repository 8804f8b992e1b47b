//===- IntegerRange.h - Ranges of integers of a payload ---------*- C++ -*-===//
//
// Private to Codegen/CPU. Finds out whether integers that a contraction unpacks
// may be converted to f32 before they are subtracted.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_INTEGERRANGE_H
#define MLIR_EXT_LIB_CODEGEN_CPU_INTEGERRANGE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// The least and the largest value of a signed integer.
struct SignedRange {
  int64_t least, most;
};

/// Returns the range of `value`, an integer in the payload of `op`;
/// std::nullopt if it has more than 32 bits.
std::optional<SignedRange> getSignedRange(linalg::LinalgOp op, Value value);

/// Returns whether `difference`, in the payload of `op`, does not wrap around,
/// and both of its operands are exact in f32.
bool isExactDifference(linalg::LinalgOp op, arith::SubIOp difference);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_INTEGERRANGE_H
