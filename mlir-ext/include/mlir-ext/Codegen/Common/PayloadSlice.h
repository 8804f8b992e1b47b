//===- PayloadSlice.h - What computes a value of a payload ------*- C++ -*-===//

#ifndef MLIR_EXT_CODEGEN_COMMON_PAYLOADSLICE_H
#define MLIR_EXT_CODEGEN_COMMON_PAYLOADSLICE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// Returns the values that `value` is computed from in the payload of `op`,
/// `value` first: results of ops, also in branches, block arguments, and what
/// the payload uses from outside.
llvm::SetVector<Value> getPayloadSlice(linalg::LinalgOp op, Value value);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_PAYLOADSLICE_H
