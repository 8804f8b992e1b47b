//===- OtherLoops.h - Other loops of a root ---------------------*- C++ -*-===//
//
// A root can have several sets of loops: with the levels that were selected for
// it, with other ones (`FewKeys`) that are faster for few elements of the
// dimension that is reduced online, and with others (`ConvertingLevels`) that
// are faster for few rows, as they convert operands that the rest needs
// converted in front. The numbers are known at run time.
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

/// Loops of a copy of what a plan fuses. They and those of the plan are the
/// regions of a branch: which ones run, a launch decides (`isForFewKeys`,
/// `convertsAsItReads`).
class OtherLoops {
public:
  /// For few keys.
  OtherLoops(RewriterBase &rewriter, const FusionPlan &plan, const FewKeys &few)
      : rewriter(rewriter), plan(plan), few(few) {}
  /// For few rows. The others have loops for `few` keys, if that is set.
  OtherLoops(RewriterBase &rewriter, const FusionPlan &plan,
             const ConvertingLevels &converting,
             const std::optional<FewKeys> &few)
      : rewriter(rewriter), plan(plan), converting(converting), few(few) {}

  /// Copies the ops, and fuses the copies. Returns false if that is not
  /// possible; nothing is copied then. Fails if the scope was restored from a
  /// copy.
  FailureOr<bool> build();
  /// Lets `ofPlan`, the loop of the plan or a branch with it, run unless those
  /// of the copies do: both are then in a branch, which `ofPlan` becomes.
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
  /// What is copied, in program order, and what of it is used elsewhere.
  SmallVector<Operation *> ops;
  SmallVector<Value> results;
  Operation *loop = nullptr;
  /// These stand for the users of the results of the plan, and of the copies,
  /// and of what a launch decides.
  UnrealizedConversionCastOp users, usersOfCopies, userOfChoice;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_OTHERLOOPS_H
