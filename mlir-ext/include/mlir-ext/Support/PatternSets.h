//===- PatternSets.h - Sets of patterns by name -----------------*- C++ -*-===//
//
// For passes whose option `patterns` names the sets of patterns to apply.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_PATTERNSETS_H
#define MLIR_EXT_SUPPORT_PATTERNSETS_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::linalg_ext {

struct PatternSet {
  StringLiteral name;
  void (*populate)(RewritePatternSet &);
  /// The most iterations of the greedy driver; see GreedyRewriteConfig. If they
  /// do not suffice, the pass fails.
  int64_t maxIterations = 10;
  /// Applies the patterns to ops without regions only.
  bool onlyLeaves = false;
};

/// Applies the sets of `known` with these `names` below `scope`, one after the
/// other. Fails if a name is unknown, with an error at `scope` and the IR
/// unchanged. Also fails if a set does not converge.
LogicalResult applyPatternSets(Operation *scope, ArrayRef<PatternSet> known,
                               ArrayRef<std::string> names);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_PATTERNSETS_H
