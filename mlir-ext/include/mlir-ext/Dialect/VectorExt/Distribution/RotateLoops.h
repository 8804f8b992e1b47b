//===- RotateLoops.h - Order of asynchronous products -----------*- C++ -*-===//
//
// Decides when loops issue asynchronous products, and when they wait for them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_ROTATELOOPS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_ROTATELOOPS_H

#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

struct RotateOptions {
  /// The largest number of registers of a thread. 0 is what the device has for
  /// the threads of the contractions.
  int64_t registers = 0;
  /// Emit a remark at each loop with asynchronous products: its schedule, or
  /// why it has none.
  bool explainSchedule = false;
};

/// Orders the asynchronous contractions of each loop in `scope`, and what
/// depends on them, so that an iteration takes the least time
/// (`vector-ext-rotate-loops`). Loops that hand on what they carry are rotated
/// together. Returns how many loops it rewrote; others stay as they are, and
/// `refusal` says why the last one did. Fails, with an error, if the
/// description of the device is wrong.
FailureOr<int64_t> rotateLoops(RewriterBase &rewriter, Operation *scope,
                               const RotateOptions &options,
                               linalg_ext::Refusal &refusal);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_ROTATELOOPS_H
