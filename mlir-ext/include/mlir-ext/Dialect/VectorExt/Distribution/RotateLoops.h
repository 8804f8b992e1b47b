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

/// Orders the asynchronous contractions of each loop in `scope`, and the ops
/// that depend on them, so that an iteration takes the least time
/// (`vector-ext-pipeline-products`). Loops that continue from the values of the
/// previous one are rotated together. Returns the number of loops that were
/// rewritten. `refusal` is why the last of the others was not. Fails, with an
/// error, if the description of the device is invalid.
FailureOr<int64_t> rotateLoops(RewriterBase &rewriter, Operation *scope,
                               const RotateOptions &options,
                               linalg_ext::Refusal &refusal);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_ROTATELOOPS_H
