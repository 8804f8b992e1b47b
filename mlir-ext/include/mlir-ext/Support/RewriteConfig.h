//===- RewriteConfig.h - How patterns are applied ---------------*- C++ -*-===//
//
// How this project's passes apply patterns greedily.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_REWRITECONFIG_H
#define MLIR_EXT_SUPPORT_REWRITECONFIG_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {

/// The configuration for programs whose control flow is structured. By default
/// the driver also simplifies the blocks of all regions, once an iteration.
/// Regions of one block have nothing to simplify, and looking for it takes as
/// long as the patterns.
inline GreedyRewriteConfig getStructuredRewriteConfig() {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return config;
}

/// True if there is an op below `scope` that the root of one of `patterns` may
/// match. If there is none, applying them would only fold constants and erase
/// dead ops, and would visit all ops for that.
bool hasRoots(Operation *scope, const FrozenRewritePatternSet &patterns);

/// Applies `patterns` greedily to ops without regions below `scope`, folds
/// these, and erases those that are dead. The driver on a region visits the
/// parents of each op that changes, and asks of each whether it is dead, which
/// takes quadratic time if a parent is large.
void applyPatternsToLeaves(Operation *scope,
                           const FrozenRewritePatternSet &patterns);

/// Applies `patterns` greedily to the ops below `scope` that match the root of
/// one of them, and to the ops that they create. Folds no other ops.
LogicalResult applyPatternsToRoots(Operation *scope,
                                   const FrozenRewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_REWRITECONFIG_H
