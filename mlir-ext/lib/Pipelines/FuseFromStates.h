//===- FuseFromStates.h - Fuse behind the final state -----------*- C++ -*-===//
//
// A contraction that keeps the dimension a softmax reduces, such as the
// gradient of the values of attention, cannot be in the loops that reduce it.
// It can be in loops of its own that compute the scores again, and the weights
// from the final state of the softmax (RecomputeWeights.h).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_FUSEFROMSTATES_H
#define MLIR_EXT_LIB_PIPELINES_FUSEFROMSTATES_H

#include "FuseRoots.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// What `fuseFromStates` asks of the one that fuses all roots.
struct FusionSteps {
  /// Selects the levels of a root, and creates sizes that are known at run time
  /// in front of it.
  SelectLevels selectLevels;
  /// Says why a plan does not pay; not set if it does.
  function_ref<Refusal(const FusionPlan &plan)> judge;
  /// Takes down that `root` stays unfused.
  function_ref<void(Operation *root, const Refusal &why)> refuse;
  /// Applies a plan that a dry run has checked. After a failure all ops are
  /// new.
  function_ref<LogicalResult(const FusionPlan &plan)> apply;
  /// The bytes of a core's L2 cache, and the size that is taken for one that is
  /// not known; 0 if every plan pays.
  int64_t cacheBytes = 0, dynamicSize = 0;
};

/// Fuses contractions that keep what one of `softmaxes` reduces, and could
/// otherwise not be fused with its scores. As many as work out are in the same
/// loops. Takes only those that have `options.rootAttrName` if `onlyMarked`.
/// Fails, with ops that are all new, if a plan failed after its dry run.
LogicalResult fuseFromStates(RewriterBase &rewriter,
                             ArrayRef<SoftmaxOp> softmaxes,
                             const TileAndFuseOptions &options, bool onlyMarked,
                             const FusionSteps &steps);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_FUSEFROMSTATES_H
