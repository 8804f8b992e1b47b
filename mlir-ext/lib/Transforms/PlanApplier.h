//===- PlanApplier.h - Carrying out one FusionPlan --------------*- C++ -*-===//
//
// What the steps of carrying out a plan share: which op of the plan a tile
// stands for, the loop that was built last, and what it yields. Tiling and
// fusing is in TileAndFuse.cpp and TileParts.cpp, repairing in
// ApplyRepairs.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_PLANAPPLIER_H
#define MLIR_EXT_LIB_TRANSFORMS_PLANAPPLIER_H

#include "FuseConsumers.h"
#include "PolynomialRepair.h"
#include "SplitReduction.h"
#include "TileRows.h"

#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <tuple>

namespace mlir::linalg_ext {

/// Carries out one plan, once.
class PlanApplier : public RewriterBase::ForwardingListener {
public:
  PlanApplier(RewriterBase &rewriter, const CompletePlan &complete)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outerListener(rewriter.getListener()), plan(complete.plan),
        companions(complete.companions), root(plan.root) {
    rewriter.setListener(this);
    for (const PlannedLevel &level : plan.levels)
      for (const PlannedProducer &producer : level.producers)
        plannedOf[producer.op] = producer.op;
  }
  ~PlanApplier() override { rewriter.setListener(outerListener); }

  /// What is remembered of an op ends with it: its address may be that of
  /// another one later.
  void notifyOperationErased(Operation *op) override {
    plannedOf.erase(op);
    copiedFrom.erase(op);
    copiedFrom.remove_if([&](auto &entry) { return entry.second == op; });
    orphans.remove(op);
    stateSlices.erase(op);
    parts.erase(op);
    ForwardingListener::notifyOperationErased(op);
  }

  FailureOr<TileAndFuseResult> run();

  /// If it failed because of a consumer.
  std::optional<ConsumerRefusal> refusal;
  /// What it did last, for a failure that emits no error.
  std::string step;

private:
  LogicalResult applyLevel(unsigned index);
  void prepareAccumulator(const PlannedRepair &repair);
  LogicalResult copyStaleOps();
  LogicalResult tileRoot(const PlannedLevel &level);
  LogicalResult fuseProducers(unsigned index);
  LogicalResult fuseTiles(const PlannedProducer &producer, bool mustFuse);
  /// A tile of a producer, and what it computes of the slice that it was made
  /// for.
  struct FusedTile {
    Operation *op = nullptr;
    Value value;
  };
  FailureOr<FusedTile> fuseTile(const PlannedProducer &producer,
                                tensor::ExtractSliceOp slice,
                                unsigned resultNumber);
  void yieldResults(const PlannedProducer &producer, Operation *untiled,
                    unsigned firstYielded);
  void addPart(Operation *op, Operation *planned);
  Operation *lookThroughParts(Value value) const;
  SmallVector<Operation *> getParts(Operation *op) const;
  void copyParts(Operation *original, Operation *copy, IRMapping &mapping);
  void tileParts(Operation *untiled);
  void tilePart(Operation *part, tensor::ExtractSliceOp slice);
  FailureOr<TileFactor> getTileFactor(const PlannedRepair &repair,
                                      const PlannedFactor &factor) const;
  LogicalResult findFactors();
  TileFactor getOuterFactor(const PlannedRepair &repair,
                            const PlannedFactor &factor) const;
  Value replaceInParts(Value value, Value source, Value by);
  LogicalResult fuseAccumulation(const PlannedProducer &producer);
  void fuseWhole(const PlannedProducer &producer);
  SmallVector<OpOperand *> getUsesInLoop(Operation *op);
  Operation *getFirstInLoop(ArrayRef<OpOperand *> uses);
  void replaceUsesInLoop(ArrayRef<OpOperand *> uses, Operation *by);
  void findTiles(const PlannedLevel &level);
  LogicalResult fuseSibling(const PlannedProducer &producer);
  bool isFollowing(tensor::ExtractSliceOp slice) const;
  PlanAccess getAccess();
  LogicalResult splitLoop(unsigned index);
  FailureOr<LoopOfParts> mergeParts(unsigned index);
  LogicalResult repairAccumulators();
  void dropCompanions();
  void storeStates(const DenseMap<Value, Value> &oldStates);
  void ownInitialState(Value state);
  LogicalResult finishAccumulators();
  LogicalResult finishAccumulator(const PlannedRepair &repair,
                                  const DenseMap<Value, Value> &finalStates,
                                  DenseMap<Value, Value> &rebuilt);
  FailureOr<Value> repair(const PlannedRepair &repair,
                          const PlannedFactor &factor, Value accumulated,
                          ValueRange derivatives,
                          const DenseMap<Value, Value> &oldStates,
                          DenseMap<Value, Value> &rebuilt);
  void substituteSource(const PlannedFactor &factor, Value by);
  FailureOr<Value> rebuild(Value value, const DenseMap<Value, Value> &states,
                           DenseMap<Value, Value> &rebuilt, bool guards = true);
  std::optional<PlannedFactor> getStateGuard(Value value);
  void guardStates();
  void eraseOrphans();

  /// The op of the plan that `op`, a tile or copy of it, stands for.
  Operation *getPlanned(Operation *op) const { return plannedOf.lookup(op); }
  /// The tile or copy of `planned` at the level reached.
  Operation *getCurrent(Operation *planned) const {
    if (planned == plan.root)
      return root;
    auto it = current.find(planned);
    return it == current.end() ? planned : it->second;
  }
  void setCurrent(Operation *planned, Operation *op) {
    plannedOf[op] = planned;
    current[planned] = op;
  }
  SmallVector<Operation *> getCurrentSiblings() const {
    SmallVector<Operation *> siblings;
    for (const PlannedSibling &sibling : plan.siblings)
      if (sibling.isFused())
        siblings.push_back(getCurrent(sibling.op));
    return siblings;
  }
  Value getSource(const PlannedFactor &factor) const {
    return getCurrent(factor.source)->getResult(factor.resultNumber);
  }
  NormalizationForm getNormalization(Operation *producer) const {
    return llvm::find_if(plan.states,
                         [&](const PlannedState &state) {
                           return state.producer == producer;
                         })
        ->normalization;
  }
  bool isWhole(Operation *planned) const {
    const PlannedProducer *producer =
        plan.levels[plan.firstLevel].lookup(planned);
    return producer && producer->whole;
  }

  RewriterBase &rewriter;
  OpBuilder::Listener *outerListener;
  /// Its ops are names: they may be erased once there are tiles of them.
  const FusionPlan &plan;
  const Companions &companions;
  /// The root at the level reached.
  Operation *root;
  DenseMap<Operation *, Operation *> plannedOf, current;
  /// The op that a copy made to carry state was copied from.
  llvm::MapVector<Operation *, Operation *> copiedFrom;
  /// The loop of the level being applied, and the offset and size of its tile
  /// of each dimension of the root that it cuts, null if no operand tells.
  LoopLikeOpInterface loop;
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> tiles;
  /// Once it is tiled: the results of that level, and its last op. Those of the
  /// loop, unless the level is a split.
  SmallVector<Value> levelResults;
  Operation *levelEnd = nullptr;
  /// For a state, the numbers of the results of the level that hold it.
  DenseMap<Operation *, SmallVector<unsigned>> stateOfLoop;
  /// Values of which siblings take the tiles that the root takes.
  DenseSet<Value> sharedValues;
  /// Slices of the tensors that states are held in.
  DenseSet<Operation *> stateSlices;
  /// What cuts a tile out of one that covers it, or changes the type of one.
  DenseSet<Operation *> parts;
  /// The factors as the loops see them that carry the states, by accumulator
  /// and source.
  std::map<std::tuple<Operation *, Operation *, unsigned>, TileFactor>
      outerFactors;
  /// Ops that may have lost their last use.
  SetVector<Operation *> orphans;
  /// What replaces the results of the root of the plan.
  SmallVector<Value> replacements;
  SmallVector<LoopLikeOpInterface> loops;
};
/// Replaces the uses of `from` by ops at or after `first` in its block, or in
/// later blocks.
void replaceUsesFrom(RewriterBase &rewriter, Operation *first, Value from,
                     Value to);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_PLANAPPLIER_H
