//===- RehearsalCopy.h - A copy to carry a plan out on first ----*- C++ -*-===//
//
// Upstream's tiling functions can fail half way: a plan is carried out on a
// copy of its ops before it is on the ops themselves.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_REHEARSALCOPY_H
#define MLIR_EXT_LIB_TRANSFORMS_REHEARSALCOPY_H

#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::linalg_ext {

/// Copies the root, its producers and consumers, and the constants and
/// uninitialised tensors they are made from into `block`; all other values
/// become its arguments.
void copyForRehearsal(const FusionPlan &plan, Block &block, IRMapping &mapping);

/// The plan for the copy.
FusionPlan mapPlan(const FusionPlan &plan, const IRMapping &mapping);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_REHEARSALCOPY_H
