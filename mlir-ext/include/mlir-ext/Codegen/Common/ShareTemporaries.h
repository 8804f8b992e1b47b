//===- ShareTemporaries.h - Memory of temporary buffers ---------*- C++ -*-===//
//
// Places the temporary buffers of a function in one allocation, for CPUs and
// GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_SHARETEMPORARIES_H
#define MLIR_EXT_CODEGEN_COMMON_SHARETEMPORARIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::linalg_ext {

/// How an op uses a buffer, one of its operands.
enum class BufferUse {
  None,    ///< It does not access the buffer: it reads a size, for example.
  Access,  ///< It accesses the buffer while it runs, and not later.
  View,    ///< Its results that are no numbers are views of the buffer.
  Unknown, ///< It may keep the buffer, or an address of it.
};

/// Returns how the owner of `use` uses a buffer on the host. Calls, terminators
/// and ops whose memory effects are not declared are `Unknown`.
BufferUse getBufferUse(OpOperand &use);

struct ShareTemporariesOptions {
  /// Alignment of every buffer in bytes. Allocations with a larger alignment
  /// are not replaced.
  int64_t alignment = 64;
  /// How an op uses a buffer.
  BufferUse (*getUse)(OpOperand &use) = getBufferUse;
  /// Also replaces what `scf.for` and `scf.while` allocate in each iteration.
  bool inLoops = false;
};

/// Replaces the allocations in the body of `func` whose uses are all known by
/// views of one allocation. Two of them share memory if the last op that
/// accesses one comes before the first that accesses the other.
/// Returns the number of allocations that were replaced: 0, or at least 2.
unsigned shareTemporaries(func::FuncOp func,
                          const ShareTemporariesOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_SHARETEMPORARIES_H
