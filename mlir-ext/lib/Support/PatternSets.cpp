//===- PatternSets.cpp - Sets of patterns by name -------------------------===//
//
// See PatternSets.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/PatternSets.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::applyPatternSets(Operation *scope, ArrayRef<PatternSet> known,
                                   ArrayRef<std::string> names) {
  // All names first: a wrong one leaves the IR as it is.
  SmallVector<const PatternSet *> sets;
  for (StringRef name : names) {
    const PatternSet *set = llvm::find_if(
        known, [&](const PatternSet &set) { return set.name == name; });
    if (set == known.end()) {
      InFlightDiagnostic error = emitError(scope->getLoc())
                                 << "invalid option 'patterns': expected ";
      llvm::interleave(
          known, [&](const PatternSet &set) { error << set.name; },
          [&] { error << ", "; });
      return error << ", got '" << name << "'";
    }
    sets.push_back(set);
  }
  for (const PatternSet *set : sets) {
    RewritePatternSet patterns(scope->getContext());
    set->populate(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(set->maxIterations);
    if (failed(applyPatternsGreedily(scope, std::move(patterns), config)))
      return failure();
  }
  return success();
}
