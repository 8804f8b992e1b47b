//===- Divisor.h - Numbers that divide an index -----------------*- C++ -*-===//
//
// What tiles and accesses are whole multiples of.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_DIVISOR_H
#define MLIR_EXT_CODEGEN_COMMON_DIVISOR_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::linalg_ext {

/// A number that is known to divide `value`: at least 1, and 0 divides 0 only.
int64_t getDivisor(OpFoldResult value, unsigned depth = 6);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_DIVISOR_H
