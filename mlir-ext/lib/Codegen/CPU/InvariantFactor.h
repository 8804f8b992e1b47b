//===- InvariantFactor.h - Factors of all terms of a sum --------*- C++ -*-===//
//
// Private to Codegen/CPU. Finds scales of groups, which may multiply a sum of
// products instead of each of them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_INVARIANTFACTOR_H
#define MLIR_EXT_LIB_CODEGEN_CPU_INVARIANTFACTOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Returns a factor of each term that `op` adds to its output `number`, which
/// does not change along the loops `dims` and reads an operand for which
/// `reads` is true; null if there is none. Terms are products of floats. No
/// other op of the payload uses the factor, so that 1 can take its place.
Value getInvariantFactor(linalg::LinalgOp op, unsigned number,
                         ArrayRef<unsigned> dims,
                         function_ref<bool(OpOperand &)> reads);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_INVARIANTFACTOR_H
