//===- FewKeysLoops.h - Loops for few keys ----------------------*- C++ -*-===//
//
// A kernel can have two sets of loops: with the levels that were selected for
// its root, and with other ones (`FewKeys`) that are faster for few elements of
// the dimension that is reduced online, or for few rows, as they convert
// operands that the others need converted in front. The numbers are known at
// run time.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_FEWKEYSLOOPS_H
#define MLIR_EXT_LIB_PIPELINES_FEWKEYSLOOPS_H

#include "LaunchNumbers.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Selection/SelectLevels.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <utility>

namespace mlir::linalg_ext {

/// Loops of a copy of what a plan fuses, for few keys or few rows. They stand in front of
/// those of the plan, which start from their results. Only one of the two has
/// iterations: which one, a launch decides (`isForFewKeys`,
/// `convertsAsItReads`).
class FewKeysLoops {
public:
  FewKeysLoops(RewriterBase &rewriter, const FusionPlan &plan,
               const FewKeys &few)
      : rewriter(rewriter), plan(plan), few(few) {}

  /// Copies the ops, and fuses the copies. Returns false if that is not
  /// possible; nothing is copied then. Fails if the scope was restored from a
  /// copy.
  FailureOr<bool> build();
  /// Lets `loop`, of the plan, run for many keys, and that of the copies for
  /// few. Returns the latter, or null if the two have different results.
  Operation *connect(Operation *loop);

private:
  std::optional<std::pair<Value, int64_t>> findSize(Operation *op,
                                                    unsigned dim) const;
  bool collect();
  bool collectStored();
  bool fusesAll(const FusionPlan &other, const IRMapping &mapping) const;
  Value buildChoice(LaunchNumbers &n, Value tilesOfFew, Value tilesOfMany,
                    Value keys) const;
  void storeIf(Value condition);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  const FewKeys &few;
  /// What is copied, in program order, and what of it is used elsewhere.
  SmallVector<Operation *> ops;
  SmallVector<Value> results;
  Operation *loop = nullptr;
  /// These stand for the users of the results of the plan, and of the copies,
  /// and of what a launch decides.
  UnrealizedConversionCastOp users, usersOfCopies, userOfChoice;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_FEWKEYSLOOPS_H
