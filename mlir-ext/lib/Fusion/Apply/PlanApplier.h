//===- PlanApplier.h - Applies one FusionPlan -------------------*- C++ -*-===//
//
// The state that the steps of applying a plan share: which op of the plan each
// tile stands for, the loop that was built last, and the values that it yields.
// TileAndFuse.cpp and TileParts.cpp tile and fuse; ApplyRepairs.cpp repairs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H
#define MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H

#include "FuseConsumers.h"
#include "SplitReduction.h"
#include "TileRows.h"

#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <tuple>

namespace mlir::linalg_ext {

/// Applies one plan. Can run only once.
class PlanApplier : public RewriterBase::ForwardingListener {
public:
  PlanApplier(RewriterBase &rewriter, const CompletePlan &complete,
              Refusal &refusal)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outerListener(rewriter.getListener()), refusal(refusal),
        plan(complete.plan), auxiliaries(complete.auxiliaries),
        root(plan.root) {
    rewriter.setListener(this);
    for (const PlannedLevel &level : plan.levels)
      for (const PlannedProducer &producer : level.producers)
        plannedOf[producer.op] = producer.op;
  }
  ~PlanApplier() override { rewriter.setListener(outerListener); }

  /// Forgets `op`, because another op may get its address later.
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

  /// The consumer that made `run` fail, if one did.
  std::optional<RefusedConsumer> refusedConsumer;
  /// The last step, to describe a failure that nothing else says more of.
  std::string step;

private:
  LogicalResult applyLevel(unsigned index);
  void prepareAccumulator(const PlannedRepair &repair);
  LogicalResult copyStateDependentOps();
  LogicalResult tileRoot(const PlannedLevel &level);
  LogicalResult fuseProducers(unsigned index);
  LogicalResult fuseTiles(const PlannedProducer &producer, bool mustFuse);
  /// A tile of a producer, and the value that replaces the slice it was made
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
  void dropAuxiliaries();
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

  /// Returns the op of the plan that `op`, a tile or a copy, stands for.
  Operation *getPlanned(Operation *op) const { return plannedOf.lookup(op); }
  /// Returns the tile or copy of `planned` at the current level.
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

  RewriterBase &rewriter;
  OpBuilder::Listener *outerListener;
  /// Why `run` fails, as far as a step says so.
  Refusal &refusal;
  /// The ops of the plan are used as keys. They may be erased once there are
  /// tiles of them.
  const FusionPlan &plan;
  const AuxiliaryAccumulators &auxiliaries;
  /// The root at the current level.
  Operation *root;
  DenseMap<Operation *, Operation *> plannedOf, current;
  /// The original op of each copy that was made to carry state.
  llvm::MapVector<Operation *, Operation *> copiedFrom;
  /// The loop of the current level. `tiles` has, for each dimension of the root
  /// that the level cuts, the offset and the size of the tile; null if no
  /// operand of the root shows them.
  LoopLikeOpInterface loop;
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> tiles;
  /// The results of the current level once it is tiled, and its last op. These
  /// are the results of the loop, or of the merge if the level is a split.
  SmallVector<Value> levelResults;
  Operation *levelEnd = nullptr;
  /// For each state, the numbers of the results of the level that hold it.
  DenseMap<Operation *, SmallVector<unsigned>> stateOfLoop;
  /// Values whose tiles the root and siblings share.
  DenseSet<Value> sharedValues;
  /// Slices of tensors that hold states.
  DenseSet<Operation *> stateSlices;
  /// Ops that cut a tile out of a larger one or change its type.
  DenseSet<Operation *> parts;
  /// The factors for the loops that carry the states, by accumulator, source op
  /// and number of the source result.
  std::map<std::tuple<Operation *, Operation *, unsigned>, TileFactor>
      outerFactors;
  /// Ops that may have lost their last use.
  SetVector<Operation *> orphans;
  /// The values that replace the results of the root of the plan.
  SmallVector<Value> replacements;
  SmallVector<LoopLikeOpInterface> loops;
};
/// Replaces `from` by `to` in `first` and all later ops of its block, and in
/// all other blocks.
void replaceUsesFrom(RewriterBase &rewriter, Operation *first, Value from,
                     Value to);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H
