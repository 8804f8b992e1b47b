//===- NegativeStrides.h - Addresses that may go down -----------*- C++ -*-===//
//
// Upstream's lowering of memory accesses assumes that strides are positive.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H
#define MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H

#include "mlir/IR/Operation.h"

namespace mlir::linalg_ext {

/// Removes `nuw` from address arithmetic below `scope`, which is in the LLVM
/// dialect, where an index is multiplied by a negative constant and from there
/// on. The lowering of `memref.load` and `memref.store` (LLVM 22) adds this
/// flag, which says that unsigned numbers do not wrap around.
void allowNegativeStrides(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_NEGATIVESTRIDES_H
