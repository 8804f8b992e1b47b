//===- RepairAnalysis.h - How accumulators follow states --------*- C++ -*-===//
//
// Given what a level fuses and which states it carries, finds how every
// accumulator that depends on them is repaired. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H
#define MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H

#include "LevelAnalysis.h"

namespace mlir::linalg_ext {

/// Terms of the Taylor series of `accumulator` in `source` that have been
/// built: its derivatives or, if `source` is to be left out in the loops, the
/// constant term.
struct BuiltTerms {
  Operation *accumulator = nullptr;
  Value source;
  SmallVector<PlannedTerm> derivatives;
  std::optional<PlannedTerm> constant;
};

/// What the untiled program computes for the sake of repairs. It is of no use
/// to the ops that take it as an operand, which they do not read: they take it
/// so that the loops carry it.
struct Companions {
  SmallVector<BuiltTerms> terms;
  /// The operands by which it is taken.
  llvm::DenseSet<std::pair<Operation *, unsigned>> operands;
  llvm::DenseSet<Operation *> ops;
};

/// Plans as planTileAndFuse does, but without siblings, for a root that has
/// `companions`: then states must be carried. They are not if `whyNot` says why
/// not.
FailureOr<FusionPlan> planWithCompanions(Operation *root,
                                         const TileAndFuseOptions &options,
                                         const Companions &companions,
                                         StringRef whyNot, std::string &reason);

/// Fills in the states, stale ops, repairs and exactness of `plan`, whose level
/// `index`, as analysed, is the first that carries states. On failure gives the
/// reason.
LogicalResult planRepairs(FusionPlan &plan, unsigned index,
                          LevelAnalysis &analysis,
                          const TileAndFuseOptions &options,
                          const Companions &companions, std::string &reason);

/// Returns whether `value` is filled with `neutral`.
bool isFilledWith(Value value, TypedAttr neutral);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_REPAIRANALYSIS_H
