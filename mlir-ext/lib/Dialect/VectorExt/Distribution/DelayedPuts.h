//===- DelayedPuts.h - Copies behind those of the next product --*- C++ -*-===//
//
// Private to RotateLoops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DELAYEDPUTS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DELAYEDPUTS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Lets the thread that copies put the tiles of `late` behind those of `early`
/// of the next iteration, and of the next tile, if each iteration of a loop in
/// its loop over tiles puts one of each. Returns false, and does nothing, if
/// other ops put them, or if a ring has fewer than two slots.
bool delayPuts(RewriterBase &b, Value early, Value late);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DELAYEDPUTS_H
