//===- PatternSets.cpp - Sets of patterns by name -------------------------===//
//
// See PatternSets.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/PatternSets.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult mlir::linalg_ext::applyPatternSets(Operation *scope,
                                                 ArrayRef<PatternSet> known,
                                                 ArrayRef<std::string> names) {
  // Check all names before any pattern is applied, so that a wrong name leaves
  // the IR unchanged.
  SmallVector<StringRef> knownNames;
  for (const PatternSet &set : known)
    knownNames.push_back(set.name);
  if (failed(checkNames(scope, "patterns", knownNames, names)))
    return failure();
  for (StringRef name : names) {
    const PatternSet *set = llvm::find_if(
        known, [&](const PatternSet &set) { return set.name == name; });
    RewritePatternSet patterns(scope->getContext());
    set->populate(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    if (set->onlyLeaves) {
      applyPatternsToLeaves(scope, frozen);
      continue;
    }
    if (!hasRoots(scope, frozen))
      continue;
    GreedyRewriteConfig config = getStructuredRewriteConfig();
    config.setMaxIterations(set->maxIterations);
    if (failed(applyPatternsGreedily(scope, frozen, config)))
      return scope->emitError("the rewrites do not converge")
             << ": patterns '" << name << "', expected at most "
             << set->maxIterations << " iterations";
  }
  return success();
}
