//===- FuseFromStates.h - Fuse behind the final state -----------*- C++ -*-===//
//
// Some contractions keep the dimension that a softmax reduces, such as the
// gradient of the values of attention. They cannot be in the loops that reduce
// it. They can be in separate loops that compute the scores again, and compute
// the weights from the final state of the softmax (RecomputeWeights.h).
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

/// The functions that `fuseFromStates` takes from the code that fuses all
/// roots.
struct FusionSteps {
  /// Selects the levels of a root. Creates sizes that are known only at run
  /// time before it.
  SelectLevels selectLevels;
  /// Explains why a plan does not pay. The result is unset if it pays.
  function_ref<Refusal(const FusionPlan &plan)> judge;
  /// Records that `root` stays unfused.
  function_ref<void(Operation *root, const Refusal &why)> refuse;
  /// Applies a plan that a dry run has checked. If it fails, all ops are new.
  function_ref<LogicalResult(const FusionPlan &plan)> apply;
  /// The bytes of a core's L2 cache (0 if every plan pays), and the size that
  /// is assumed for dynamic dimensions.
  int64_t cacheBytes = 0, dynamicSize = 0;
};

/// Fuses contractions that keep the dimension that one of `softmaxes` reduces,
/// and that cannot be fused with its scores otherwise. As many as possible
/// share the same loops. If `onlyMarked`, takes only contractions with
/// `options.rootAttrName`. Fails if a plan fails after its dry run; then all
/// ops are new.
LogicalResult fuseFromStates(RewriterBase &rewriter,
                             ArrayRef<SoftmaxOp> softmaxes,
                             const TileAndFuseOptions &options, bool onlyMarked,
                             const FusionSteps &steps);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_FUSEFROMSTATES_H
