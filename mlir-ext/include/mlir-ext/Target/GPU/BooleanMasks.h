//===- BooleanMasks.h - Masks of booleans in memory -------------*- C++ -*-===//
//
// Applies masks that a thread has loaded as bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_BOOLEANMASKS_H
#define MLIR_EXT_TARGET_GPU_BOOLEANMASKS_H

#include "mlir-ext/Target/GPU/LowerMath.h"

namespace mlir::linalg_ext {

/// Packs booleans of a thread, which are bytes that are 0 or 1, into words.
/// What selects among two vectors by them is skipped where all are true in all
/// threads of a subgroup, if `instructions` can tell. All threads must execute
/// that: its block has an asynchronous product, a wait for one, or a barrier.
void lowerBooleanMasks(RewriterBase &rewriter, Operation *scope,
                       const MathInstructions &instructions);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_BOOLEANMASKS_H
