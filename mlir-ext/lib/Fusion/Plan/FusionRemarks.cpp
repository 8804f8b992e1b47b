//===- FusionRemarks.cpp - Optimisation remarks of fusion -----------------===//
//
// Emits the remarks of plans and refusals. A table has the suggestion for each
// kind of refusal.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/FusionRemarks.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Suggestions
//===----------------------------------------------------------------------===//

/// Returns what a user can do about a refusal of `kind`, or an empty string.
static StringRef getSuggestion(RefusalKind kind) {
  switch (kind) {
  case RefusalKind::Other:
  case RefusalKind::Intended:
    return "";
  case RefusalKind::NotTileable:
    return "write it as a linalg op on tensors";
  case RefusalKind::PaddingInBody:
    return "pad with a value from outside of the body";
  case RefusalKind::NotIndexed:
    return "tile a dimension of the root that indexes it in the first level";
  case RefusalKind::NotRepairable:
    return "leave the dimension that it reduces whole";
  case RefusalKind::UnknownCut:
    return "write it as a linalg op with indexing maps";
  case RefusalKind::InexactCut:
    return "write the reshape between it and the root as indexing maps";
  case RefusalKind::ReshapedTile:
    return "leave whole what lies inside of the dimension that is cut, of "
           "those that it merges or splits";
  case RefusalKind::OtherReduction:
    return "mark it with linalg_ext.root too, for loops of its own, or leave "
           "the dimension whole";
  case RefusalKind::NotFinal:
    return "tile parallel dimensions in a level in front of it";
  case RefusalKind::RootWithoutMaps:
    return "mark a linalg op with linalg_ext.root, or run linalg-ext-raise "
           "first";
  case RefusalKind::RootOnBuffers:
    return "fuse before bufferization";
  case RefusalKind::NoLevels:
    return "give a level that tiles, such as for(64)";
  case RefusalKind::UnknownLevels:
    return "give the loops with the option levels";
  case RefusalKind::TooManyTileSizes:
    return "give one tile size for each iteration dimension of the root";
  case RefusalKind::Race:
    return "tile the reduction with 'for' instead of 'forall', in a level of "
           "its own";
  case RefusalKind::NotAccumulated:
    return "mark the op that accumulates its results with linalg_ext.root, or "
           "leave the dimension whole";
  case RefusalKind::CutAlready:
    return "give all levels of the root at once";
  case RefusalKind::DoesNotPay:
    return "force it if it does on this machine";
  case RefusalKind::TooInexact:
    return "accept it with the option exactness, or leave the dimension that "
           "is reduced whole";
  case RefusalKind::NotNeutral:
    return "fill what it accumulates on with the neutral element, and combine "
           "the result with what was there afterwards";
  case RefusalKind::SeveralStates:
    return "tile only one of the dimensions that are reduced";
  case RefusalKind::SomeOfStates:
    return "leave dimensions whole that only some of these ops have";
  }
  llvm_unreachable("unknown kind of refusal");
}

std::string mlir::linalg_ext::getFusionSuggestion(RefusalKind kind,
                                                  bool mayRaise) {
  bool raisingMayHelp =
      kind == RefusalKind::NotRepairable || kind == RefusalKind::UnknownCut;
  StringRef raise = mayRaise && raisingMayHelp
                        ? "if it is part of a softmax, run linalg-ext-raise "
                          "first; otherwise "
                        : "";
  return (raise + getSuggestion(kind)).str();
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static remark::RemarkOpts makeOptions(StringRef name, Operation *root) {
  StringRef function;
  if (auto parent = root->getParentOfType<FunctionOpInterface>())
    function = parent.getName();
  return remark::RemarkOpts::name(name)
      .category(kFusionRemarkCategory)
      .function(function);
}

static void addReasonAndSuggestion(remark::detail::InFlightRemark &remark,
                                   const Refusal &refusal, bool mayRaise) {
  remark << remark::reason("{0}", refusal.text);
  std::string suggestion = getFusionSuggestion(refusal.kind, mayRaise);
  if (!suggestion.empty())
    remark << remark::suggest("{0}", suggestion);
}

static void emitFused(const FusionPlan &plan, Operation *op) {
  auto remark = remark::passed(op->getLoc(), makeOptions("fused", plan.root));
  if (!remark)
    return;
  unsigned depth = 0;
  bool recomputed = false, partial = false, whole = false;
  for (const PlannedLevel &level : plan.levels) {
    const PlannedProducer *producer = level.lookup(op);
    if (!producer || !producer->fused)
      break;
    ++depth;
    recomputed |= producer->recomputed;
    partial |= producer->partial;
    whole |= producer->whole;
  }
  const PlannedConsumer *consumer = plan.lookupConsumer(op);
  if (consumer)
    depth = consumer->depth;
  remark << remark::metric("Op", op->getName().getStringRef().str())
         << remark::metric("Levels", depth);
  if (consumer)
    remark << remark::metric("Follows", true);
  if (recomputed)
    remark << remark::metric("Recomputed", true);
  if (partial)
    remark << remark::metric("Partial", true);
  if (whole)
    remark << remark::metric("Whole", true);
  if (plan.lookupSibling(op))
    remark << remark::metric("Sibling", true);
}

static void emitRepaired(const FusionPlan &plan, const PlannedRepair &repair,
                         const PlannedFactor &factor) {
  auto remark = remark::passed(repair.accumulator->getLoc(),
                               makeOptions("repaired", plan.root));
  if (!remark)
    return;
  remark << remark::metric("Op",
                           repair.accumulator->getName().getStringRef().str())
         << remark::metric("After",
                           factor.source->getName().getStringRef().str())
         << remark::metric("Measure", stringify(factor.measure).str())
         << remark::metric("Kind", stringify(factor.value.degree.kind).str())
         << remark::metric("Exactness", stringify(plan.exactness).str());
  if (factor.deferred)
    remark << remark::metric("Deferred", true);
  if (factor.conditional)
    remark << remark::metric("Conditional", true);
  if (factor.measure == Measure::Given)
    remark << remark::metric(
        "Normalization",
        stringify(plan.lookupState(factor.source)->normalization).str());
}

bool mlir::linalg_ext::mustStayOutside(const PlannedProducer &producer) {
  // A loop is an earlier root that has been fused.
  return isa<LoopLikeOpInterface>(producer.op) ||
         producer.refusal.kind == RefusalKind::Intended;
}

void mlir::linalg_ext::emitFusionRemarks(const FusionPlan &plan) {
  if (!plan.root->getContext()->getRemarkEngine())
    return;
  for (const PlannedProducer &producer : plan.levels.front().producers) {
    if (producer.fused) {
      emitFused(plan, producer.op);
      continue;
    }
    bool mustStay = mustStayOutside(producer);
    Location loc = producer.op->getLoc();
    auto remark =
        mustStay ? remark::analysis(loc, makeOptions("outside", plan.root))
                 : remark::missed(loc, makeOptions("not-fused", plan.root));
    if (!remark)
      continue;
    remark << remark::metric("Op", producer.op->getName().getStringRef().str());
    if (mustStay)
      remark << remark::reason("{0}", producer.refusal.text);
    else
      addReasonAndSuggestion(remark, producer.refusal, /*mayRaise=*/true);
  }
  for (const PlannedConsumer &consumer : plan.consumers) {
    if (consumer.depth > 0) {
      emitFused(plan, consumer.op);
      continue;
    }
    auto remark = remark::missed(consumer.op->getLoc(),
                                 makeOptions("not-fused", plan.root));
    if (!remark)
      continue;
    remark << remark::metric("Op", consumer.op->getName().getStringRef().str())
           << remark::metric("Follows", true);
    addReasonAndSuggestion(remark, consumer.refusal, /*mayRaise=*/true);
  }
  for (const PlannedSibling &sibling : plan.siblings) {
    if (sibling.isFused())
      continue; // a producer
    auto remark = remark::missed(sibling.op->getLoc(),
                                 makeOptions("not-fused", plan.root));
    if (!remark)
      continue;
    remark << remark::metric("Op", sibling.op->getName().getStringRef().str())
           << remark::metric("Sibling", true);
    addReasonAndSuggestion(remark, sibling.refusal, /*mayRaise=*/true);
  }
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      emitRepaired(plan, repair, factor);
}

void mlir::linalg_ext::emitDerivativeRemarks(const FusionPlan &plan) {
  if (!plan.root->getContext()->getRemarkEngine())
    return;
  auto tileable = cast<TilingInterface>(plan.root);
  const PlannedRepair *ofRoot = plan.lookupRepair(plan.root);
  if (!ofRoot)
    return;
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (const PlannedFactor &factor : ofRoot->factors)
    for (const PlannedTerm &derivative : factor.derivatives) {
      // A derivative with as many loops as the root is as expensive as the
      // root.
      auto term = cast<TilingInterface>(derivative.op);
      if (term.getLoopIteratorTypes().size() !=
              tileable.getLoopIteratorTypes().size() ||
          !seen.insert(derivative.op).second)
        continue;
      auto remark = remark::analysis(plan.root->getLoc(),
                                     makeOptions("derivative", plan.root));
      if (!remark)
        continue;
      remark << remark::metric("Op", plan.root->getName().getStringRef().str())
             << remark::reason("{0}",
                               "its derivative in the result of " +
                                   nameOf(factor.source) +
                                   " is accumulated too, and takes as many "
                                   "operations as the root")
             << remark::suggest(
                    "{0}", "delayed normalisation leaves out of it what varies "
                           "along rows; or leave the dimension that is reduced "
                           "whole");
    }
}

void mlir::linalg_ext::emitRefusalRemark(Operation *root,
                                         const Refusal &refusal) {
  assert(refusal.isSet() && "failed without a refusal");
  auto remark = remark::missed(root->getLoc(), makeOptions("refused", root));
  if (!remark)
    return;
  remark << remark::metric("Op", root->getName().getStringRef().str());
  addReasonAndSuggestion(remark, refusal, /*mayRaise=*/false);
}

void mlir::linalg_ext::emitNoRootRemark(Operation *scope) {
  auto remark = remark::missed(scope->getLoc(), makeOptions("no-root", scope));
  if (remark)
    remark << remark::reason("{0}", kNoRootReason.str())
           << remark::suggest("{0}", kNoRootSuggestion.str());
}
