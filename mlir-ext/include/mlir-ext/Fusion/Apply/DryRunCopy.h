//===- DryRunCopy.h - A copy for trying a plan first ------------*- C++ -*-===//
//
// Upstream's tiling functions can fail after they have changed the IR. So a
// plan is applied to a copy of its ops before it is applied to the ops
// themselves.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H
#define MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::linalg_ext {

/// Copies into `block` the root of `plan`, its producers, its fused consumers
/// and siblings, and the constants, sizes and uninitialised tensors that they
/// use. All other values that these ops use become arguments of `block`.
/// `mapping` maps originals to copies.
void copyForDryRun(const FusionPlan &plan, Block &block, IRMapping &mapping);

/// Returns `plan` with its ops and values replaced by their copies in
/// `mapping`. Siblings that are not fused are left out, since they are not
/// copied.
FusionPlan mapPlan(const FusionPlan &plan, const IRMapping &mapping);

/// A copy of the ops of a plan, in a module of its own.
struct DryRun {
  OwningOpRef<ModuleOp> module;
  Block *block = nullptr;
  FusionPlan plan;
};

/// Makes the copy. The root must lie in an op that is isolated from above.
DryRun makeDryRun(const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_DRYRUNCOPY_H
