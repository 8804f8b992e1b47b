//===- NegativeStrides.h - Addresses that may go down -----------*- C++ -*-===//
//
// Upstream's lowering of accesses to memory takes all strides as positive.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H
#define MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H

#include "mlir/IR/Operation.h"

namespace mlir::linalg_ext {

/// Lets addresses below `scope`, in the LLVM dialect, wrap as unsigned numbers
/// where an index is multiplied by a negative constant. The lowering of
/// `memref.load` and `memref.store` (LLVM 22) says that they do not.
void allowNegativeStrides(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H
