//===- OtherLoops.h - Other loops of a root ---------------------*- C++ -*-===//
//
// A root can have several sets of loops: those with the levels that were
// selected for it; others (`FewKeys`) that are faster if the dimension that is
// reduced online has few elements; and others (`ConvertingLevels`) that are
// faster for few rows, because they convert operands themselves that are
// otherwise converted before the loops. These sizes are known only at run time.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_OTHERLOOPS_H
#define MLIR_EXT_LIB_PIPELINES_OTHERLOOPS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Selection/SelectLevels.h"
#include "mlir-ext/Support/LaunchNumbers.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <utility>

namespace mlir::linalg_ext {

/// Loops of a copy of the ops that a plan fuses. These loops and those of the
/// plan become the regions of a branch. A launch decides which ones run
/// (`isForFewKeys`, `convertsAsItReads`).
class OtherLoops {
public:
  /// Builds loops for few keys.
  OtherLoops(RewriterBase &rewriter, const FusionPlan &plan, const FewKeys &few)
      : rewriter(rewriter), plan(plan), few(few) {}
  /// Builds loops for few rows. The others have loops for `few` keys, if that
  /// is set.
  OtherLoops(RewriterBase &rewriter, const FusionPlan &plan,
             const ConvertingLevels &converting,
             const std::optional<FewKeys> &few)
      : rewriter(rewriter), plan(plan), converting(converting), few(few) {}

  /// Copies the ops, and fuses the copies. If that is not possible, returns
  /// false and copies nothing. Fails if the scope was restored from a copy.
  FailureOr<bool> build();
  /// Makes `ofPlan`, the loop of the plan or a branch with it, run unless the
  /// loops of the copies do. Both are then in a branch, which `ofPlan` becomes.
  /// Returns the loop of the copies, or null if it has different results.
  Operation *connect(Operation *&ofPlan);

private:
  ArrayRef<Operation *> getStored() const;
  bool collect();
  bool collectStored();
  std::optional<std::pair<Value, int64_t>> findSize(Operation *op,
                                                    unsigned dim) const;
  FailureOr<Value> buildChoice();
  bool fusesAll(const FusionPlan &other, const IRMapping &mapping) const;
  void storeIf(Value condition);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  std::optional<ConvertingLevels> converting;
  std::optional<FewKeys> few;
  /// The copied ops in program order, and those of their results that are used
  /// elsewhere.
  SmallVector<Operation *> ops;
  SmallVector<Value> results;
  Operation *loop = nullptr;
  /// Placeholders for the users of the plan's results and of the copies'
  /// results, and for the user of the launch's choice.
  UnrealizedConversionCastOp users, usersOfCopies, userOfChoice;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_OTHERLOOPS_H
