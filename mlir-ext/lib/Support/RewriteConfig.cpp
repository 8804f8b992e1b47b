//===- RewriteConfig.cpp - How patterns are applied -----------------------===//
//
// See RewriteConfig.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool isRoot(Operation *op, const FrozenRewritePatternSet &patterns) {
  return !patterns.getMatchAnyOpNativePatterns().empty() ||
         patterns.getOpSpecificNativePatterns().contains(op->getName());
}

bool mlir::linalg_ext::hasRoots(Operation *scope,
                                const FrozenRewritePatternSet &patterns) {
  return scope
      ->walk([&](Operation *op) {
        return op != scope && isRoot(op, patterns) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Applies `patterns` to the ops below `scope` for which `isIncluded` is true,
/// from the first to the last, and to the ops that they create.
static LogicalResult applyTo(Operation *scope,
                             const FrozenRewritePatternSet &patterns,
                             llvm::function_ref<bool(Operation *)> isIncluded) {
  SmallVector<Operation *> ops;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != scope && isIncluded(op))
      ops.push_back(op);
  });
  // The driver takes ops from the end of the list.
  std::reverse(ops.begin(), ops.end());
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setScope(&scope->getRegion(0))
      .setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, patterns, config);
}

void mlir::linalg_ext::applyPatternsToLeaves(
    Operation *scope, const FrozenRewritePatternSet &patterns) {
  // There is no limit on the number of rewrites, so this always converges.
  (void)applyTo(scope, patterns, [](Operation *op) {
    return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::ConstantLike>();
  });
  // An op that folds in place may leave its old operands unused. Visit users
  // before the ops they use.
  scope->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
  });
}

LogicalResult mlir::linalg_ext::applyPatternsToRoots(
    Operation *scope, const FrozenRewritePatternSet &patterns) {
  return applyTo(scope, patterns,
                 [&](Operation *op) { return isRoot(op, patterns); });
}
