//===- TileAndFuseRoots.cpp - Tile and fuse a whole program ---------------===//
//
// Finds the roots of a program, then plans and applies fusion for each of them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Plan/CheckDims.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                                   const TileAndFuseOptions &options) {
  if (failed(checkDims(scope)))
    return failure();
  SmallVector<Operation *> others;
  SmallVector<Operation *> roots =
      findFusionRoots(scope, options.rootAttrName, &others);
  if (roots.empty())
    emitNoRootRemark(scope);
  llvm::SmallPtrSet<Operation *, 4> isOther(others.begin(), others.end());
  llvm::append_range(roots, others);
  PendingRoots pending(rewriter, roots);
  while (Operation *root = pending.next()) {
    Refusal refusal;
    Location loc = root->getLoc();
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
    if (succeeded(plan))
      plan = dryRunFusionPlan(*plan, refusal);
    if (failed(plan))
      emitRefusalRemark(root, refusal);
    else if (succeeded(applyCheckedPlan(rewriter, *plan, refusal)))
      continue;
    // A refused root is an error. Another accumulation may be refused, because
    // the levels are meant for the root that the same reduction feeds.
    if (!isOther.contains(root))
      return emitError(loc) << "cannot tile and fuse: " << refusal.text;
    emitRemark(loc) << "not fused: " << refusal.text;
  }
  return success();
}
