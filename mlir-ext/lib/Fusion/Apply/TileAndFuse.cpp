//===- TileAndFuse.cpp - Applies a FusionPlan -----------------------------===//
//
// Applies a plan (PlanApplier.h) to a copy, which is verified and discarded,
// and then to the program. Consumers and siblings that fail on the copy are
// dropped from the plan.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "PlanApplier.h"

#include "mlir-ext/Fusion/Apply/DryRunCopy.h"
#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"
#include "mlir-ext/Fusion/Plan/PlanSiblings.h"
#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Dry run
//===----------------------------------------------------------------------===//

/// Plans `plan` again with the derivatives that it lacks. Keeps the decisions
/// about consumers.
static FailureOr<CompletePlan>
completePlan(RewriterBase &rewriter, const FusionPlan &plan, Refusal &refusal) {
  FailureOr<CompletePlan> complete = buildDerivatives(rewriter, plan, refusal);
  if (succeeded(complete))
    complete->plan.consumers = plan.consumers;
  return complete;
}

/// Applies the plan to a copy.
static LogicalResult dryRun(const FusionPlan &plan,
                            std::optional<RefusedConsumer> &refusedConsumer,
                            Refusal &refusal) {
  Operation *scope =
      plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  if (!scope)
    return refusal.set(
        RefusalKind::Other, plan.root,
        "expected the root to lie in an op that is isolated from above");
  DryRun dryRun = makeDryRun(plan);
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(scope->getContext(), [&](Diagnostic &diag) {
    if (llvm::get_threadid() != thread)
      return failure();
    if (!refusal.isSet() && diag.getSeverity() == DiagnosticSeverity::Error)
      (void)refusal.set(RefusalKind::Other, plan.root, diag.str());
    return success();
  });
  IRRewriter rewriter(scope->getContext());
  FailureOr<CompletePlan> complete =
      completePlan(rewriter, dryRun.plan, refusal);
  // Verify the contents of the copy. The copy itself is not a complete
  // function.
  bool applied = false;
  std::string step = "building derivatives";
  if (succeeded(complete)) {
    PlanApplier applier(rewriter, *complete, refusal);
    applied = succeeded(applier.run());
    refusedConsumer = applier.refusedConsumer;
    step =
        applied ? "what the levels make is invalid" : applier.getStep().str();
  }
  if (applied && llvm::all_of(*dryRun.block, [](Operation &op) {
        return succeeded(verify(&op, /*verifyRecursively=*/true));
      }))
    return success();
  if (!refusal.isSet())
    return refusal.set(RefusalKind::Other, plan.root,
                       "the levels cannot be tiled as planned: " + step);
  refusal.op = plan.root; // and not an op of the copy
  return failure();
}

FailureOr<FusionPlan> mlir::linalg_ext::dryRunFusionPlan(const FusionPlan &plan,
                                                         Refusal &refusal) {
  FusionPlan accepted = plan;
  while (true) {
    refusal.clear();
    std::optional<RefusedConsumer> refusedConsumer;
    if (succeeded(dryRun(accepted, refusedConsumer, refusal)))
      return accepted;
    if (refusedConsumer) {
      restrictConsumers(accepted, *refusedConsumer);
      continue;
    }
    // 1. Leave out siblings, which may get loops of their own.
    if (std::vector<PlannedSibling> apart = leaveSiblings(accepted, refusal);
        !apart.empty()) {
      FailureOr<FusionPlan> fewer = planWithoutSiblings(plan, apart, refusal);
      if (failed(fewer))
        return failure();
      accepted = *fewer;
      continue;
    }
    // 2. Keep accumulations outside whose derivatives cannot be built.
    if (accepted.needsDerivatives) {
      Refusal whyNot = refusal;
      FailureOr<FusionPlan> uncut = planWithAuxiliaries(
          plan.root, plan.options, AuxiliaryAccumulators(), whyNot, refusal);
      if (failed(uncut))
        return failure();
      // The derivatives belong to an online reduction, which cannot stay
      // outside.
      if (uncut->needsDerivatives) {
        refusal = whyNot;
        return failure();
      }
      accepted = *uncut;
      continue;
    }
    // 3. Leave the consumers behind the loops.
    if (!leaveConsumers(accepted, refusal))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

namespace {
/// A copy of the op around a root, to restore if applying a plan fails.
class Backup {
public:
  explicit Backup(Operation *root)
      : scope(root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()),
        copy(scope->clone()) {}
  ~Backup() { copy->erase(); }
  /// Restores the op from the copy. The ops inside of it are then new.
  void restore(RewriterBase &rewriter) {
    for (auto [region, old] :
         llvm::zip_equal(copy->getRegions(), scope->getRegions())) {
      // Blocks are erased whose values other blocks use.
      for (Block &block : old)
        block.dropAllReferences();
      while (!old.empty())
        rewriter.eraseBlock(&old.back());
      old.takeBody(region);
    }
  }

private:
  Operation *scope, *copy;
};
} // namespace

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyCheckedPlan(RewriterBase &rewriter,
                                   const FusionPlan &plan, Refusal &refusal) {
  emitFusionRemarks(plan);
  OpBuilder::InsertionGuard guard(rewriter);
  Backup backup(plan.root);
  refusal.clear();
  FailureOr<TileAndFuseResult> result = failure();
  std::string step = "building derivatives";
  {
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(
        plan.root->getContext(), [&](Diagnostic &diag) {
          if (llvm::get_threadid() != thread ||
              diag.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (!refusal.isSet())
            (void)refusal.set(RefusalKind::Other, /*op=*/nullptr, diag.str());
          return success();
        });
    FailureOr<CompletePlan> complete = completePlan(rewriter, plan, refusal);
    if (succeeded(complete)) {
      emitDerivativeRemarks(complete->plan);
      PlanApplier applier(rewriter, *complete, refusal);
      result = applier.run();
      step = applier.getStep().str();
      if (applier.refusedConsumer && !refusal.isSet())
        (void)refusal.set(RefusalKind::Other, /*op=*/nullptr,
                          applier.refusedConsumer->refusal.text);
    }
  }
  if (succeeded(result))
    return result;
  if (!refusal.isSet())
    (void)refusal.set(RefusalKind::Other, /*op=*/nullptr, step);
  backup.restore(rewriter);
  // The ops of the plan no longer exist.
  return refusal.addContext(
      /*op=*/nullptr,
      "what a copy of the program took failed on the program itself: ");
}

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyFusionPlan(RewriterBase &rewriter,
                                  const FusionPlan &plan, Refusal &refusal) {
  FailureOr<FusionPlan> accepted = dryRunFusionPlan(plan, refusal);
  if (failed(accepted))
    return failure();
  return applyCheckedPlan(rewriter, *accepted, refusal);
}
