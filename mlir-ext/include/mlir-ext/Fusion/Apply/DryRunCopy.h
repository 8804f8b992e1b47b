//===- DryRunCopy.h - A copy to carry a plan out on first -------*- C++ -*-===//
//
// Upstream's tiling functions can fail half way: a plan is carried out on a
// copy of its ops before it is on the ops themselves.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H
#define MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::linalg_ext {

/// Copies the root, its producers and consumers, and the constants and
/// uninitialised tensors they are made from into `block`; all other values
/// become its arguments.
void copyForDryRun(const FusionPlan &plan, Block &block, IRMapping &mapping);

/// The plan for the copy.
FusionPlan mapPlan(const FusionPlan &plan, const IRMapping &mapping);

/// A copy of what a plan is made for, in a module of its own.
struct DryRun {
  OwningOpRef<ModuleOp> module;
  Block *block = nullptr;
  FusionPlan plan;
};

/// Makes one. The root lies in an op that is isolated from above.
DryRun makeDryRun(const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H
