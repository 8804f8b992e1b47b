//===- FusionRemarks.cpp - Optimisation remarks of fusion -----------------===//
//
// Emits the remarks of plans and refusals. A plan has its reasons as text only.
// getObstacle is the one place that reads this text, to find the suggestion
// that goes with a reason.
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

namespace {
/// What keeps a producer outside, or a root from being fused.
enum class FusionObstacle {
  Other,
  // Of a producer.
  CarriedInit,
  ChainedContraction,
  Recomputation,
  NotTileable,
  PaddingInBody,
  NotIndexed,
  StatelessReduction,
  UnknownCut,
  InexactCut,
  // Of a root.
  RootWithoutMaps,
  RootOnBuffers,
  NoLevels,
  NoLevelsKnown,
  TileSizes,
  Race,
  StateDependentRoot,
  DoesNotPay,
  ParallelCut,
  CutAlready,
  // Of an accumulation that would be cut, or of the root above it.
  TooInexact,
  NotNeutral,
  PartOfStates,
  SeveralStates,
  NotRepairable,
  // Of a consumer.
  NotFinal,
  ReshapedTile,
  // Of an accumulation beside the root.
  OtherReduction,
};
} // namespace

/// The obstacle that `reason` tells of. Plans have reasons as text only: this
/// is the one place that reads it.
static FusionObstacle getObstacle(StringRef reason) {
  static constexpr std::pair<StringLiteral, FusionObstacle> parts[] = {
      {"it initialises a reduction", FusionObstacle::CarriedInit},
      {"only contractions need it", FusionObstacle::ChainedContraction},
      {"sooner computed once", FusionObstacle::Recomputation},
      {"it cannot be tiled", FusionObstacle::NotTileable},
      {"padding is computed in its body", FusionObstacle::PaddingInBody},
      {"no loop of the level indexes it", FusionObstacle::NotIndexed},
      {"a reduction of it that has no state",
       FusionObstacle::StatelessReduction},
      {"one of them reduces", FusionObstacle::UnknownCut},
      {"is not known exactly", FusionObstacle::InexactCut},
      {"expected an op with indexing maps", FusionObstacle::RootWithoutMaps},
      {"expected tensors, got buffers", FusionObstacle::RootOnBuffers},
      {"expected at least one level", FusionObstacle::NoLevels},
      {"only tile sizes of 0", FusionObstacle::NoLevels},
      {"no levels are known", FusionObstacle::NoLevelsKnown},
      {"tile sizes, one for each dimension", FusionObstacle::TileSizes},
      {"tiles would race", FusionObstacle::Race},
      {"earlier tiles would be out of date",
       FusionObstacle::StateDependentRoot},
      {"it does not pay", FusionObstacle::DoesNotPay},
      {"be cut by a reduction of the root", FusionObstacle::ParallelCut},
      {"is cut already", FusionObstacle::CutAlready},
      {"expected a fusion that is", FusionObstacle::TooInexact},
      {"not neutral", FusionObstacle::NotNeutral},
      {"all ops that follow a state", FusionObstacle::PartOfStates},
      {"expected all states to be carried", FusionObstacle::SeveralStates},
      {"divides by what", FusionObstacle::NotRepairable},
      {"supports no form of normalisation", FusionObstacle::NotRepairable},
      {"commute", FusionObstacle::NotRepairable},
      {"cannot be repaired", FusionObstacle::NotRepairable},
      {"expected a repairable result", FusionObstacle::NotRepairable},
      {"its tiles are not final", FusionObstacle::NotFinal},
      {"a tile of what it reshapes", FusionObstacle::ReshapedTile},
      {"to be a tile of its result", FusionObstacle::ReshapedTile},
      {"that one iteration takes", FusionObstacle::ReshapedTile},
      {", which the loops cut as dimension", FusionObstacle::OtherReduction},
  };
  for (auto [part, obstacle] : parts)
    if (reason.contains(part))
      return obstacle;
  return FusionObstacle::Other;
}

std::string mlir::linalg_ext::getFusionSuggestion(StringRef reason,
                                                  bool isRefusal,
                                                  bool isRaised) {
  auto raiseOr = [&](StringRef otherwise) {
    StringRef raise = "if it is part of a softmax, run linalg-ext-raise first; "
                      "otherwise ";
    return (isRaised ? otherwise : raise + otherwise).str();
  };
  switch (getObstacle(reason)) {
  case FusionObstacle::Other:
  case FusionObstacle::CarriedInit:
  case FusionObstacle::ChainedContraction:
  case FusionObstacle::Recomputation:
    return "";
  case FusionObstacle::NotTileable:
    return "write it as a linalg op on tensors";
  case FusionObstacle::PaddingInBody:
    return "pad with a value from outside of the body";
  case FusionObstacle::NotIndexed:
    return "tile a dimension of the root that indexes it in the first level";
  case FusionObstacle::StatelessReduction:
    return raiseOr("leave the dimension that it reduces whole");
  case FusionObstacle::UnknownCut:
    return raiseOr("write it as a linalg op with indexing maps");
  case FusionObstacle::InexactCut:
    return "write the reshape between it and the root as indexing maps";
  case FusionObstacle::RootWithoutMaps:
    return "mark a linalg op with linalg_ext.root, or run linalg-ext-raise "
           "first";
  case FusionObstacle::RootOnBuffers:
    return "fuse before bufferization";
  case FusionObstacle::NoLevels:
    return "give a level that tiles, such as for(64)";
  case FusionObstacle::NoLevelsKnown:
    return "give the loops with the option levels";
  case FusionObstacle::TileSizes:
    return "give one tile size for each iteration dimension of the root";
  case FusionObstacle::Race:
    return "tile the reduction with 'for' instead of 'forall', in a level of "
           "its own";
  case FusionObstacle::StateDependentRoot:
    return "tile other dimensions, or mark the op that accumulates its results "
           "with linalg_ext.root";
  case FusionObstacle::DoesNotPay:
    return "force it if it does on this machine";
  case FusionObstacle::ParallelCut:
    return "mark the op that accumulates its results with linalg_ext.root, or "
           "leave the dimension whole";
  case FusionObstacle::CutAlready:
    return "give all levels of the root at once";
  case FusionObstacle::TooInexact:
    return "accept it with the option exactness, or leave the dimension that "
           "is reduced whole";
  case FusionObstacle::NotNeutral:
    return "fill what it accumulates on with the neutral element, and combine "
           "the result with what was there afterwards";
  case FusionObstacle::PartOfStates:
    return "leave dimensions whole that only some of these ops have";
  case FusionObstacle::SeveralStates:
    return "tile only one of the dimensions that are reduced";
  case FusionObstacle::NotRepairable:
    return isRefusal ? std::string("leave the dimension that it reduces whole")
                     : raiseOr("leave the dimension that it reduces whole");
  case FusionObstacle::NotFinal:
    return "tile parallel dimensions in a level in front of it";
  case FusionObstacle::ReshapedTile:
    return "leave whole what lies inside of the dimension that is cut, of "
           "those "
           "that it merges or splits";
  case FusionObstacle::OtherReduction:
    return "mark it with linalg_ext.root too, for loops of its own, or leave "
           "the dimension whole";
  }
  llvm_unreachable("unknown obstacle");
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
                                   StringRef reason, bool isRefusal) {
  remark << remark::reason("{0}", reason);
  std::string suggestion = getFusionSuggestion(reason, isRefusal);
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
  for (const PlannedState &state : plan.states)
    if (factor.measure == Measure::Given && state.producer == factor.source)
      remark << remark::metric("Normalization",
                               stringify(state.normalization).str());
}

bool mlir::linalg_ext::mustStayOutside(const PlannedProducer &producer) {
  // Loops are what an earlier root became.
  if (isa<LoopLikeOpInterface>(producer.op))
    return true;
  FusionObstacle obstacle = getObstacle(producer.reason);
  return obstacle == FusionObstacle::CarriedInit ||
         obstacle == FusionObstacle::ChainedContraction ||
         obstacle == FusionObstacle::Recomputation;
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
      remark << remark::reason("{0}", producer.reason);
    else
      addReasonAndSuggestion(remark, producer.reason, /*isRefusal=*/false);
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
    addReasonAndSuggestion(remark, consumer.reason, /*isRefusal=*/false);
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
    addReasonAndSuggestion(remark, sibling.reason, /*isRefusal=*/false);
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
      // With loops for each of the root's it is as large.
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

void mlir::linalg_ext::emitRefusalRemark(Operation *root, StringRef reason) {
  auto remark = remark::missed(root->getLoc(), makeOptions("refused", root));
  if (!remark)
    return;
  remark << remark::metric("Op", root->getName().getStringRef().str());
  addReasonAndSuggestion(remark, reason, /*isRefusal=*/true);
}
