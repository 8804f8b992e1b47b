//===- TiledOps.h - What stands for the ops of a plan -----------*- C++ -*-===//
//
// Applying a plan replaces its ops by tiles and copies, level by level. This
// class knows which op stands for which op of the plan, what the loop of the
// current level yields, and what has lost its uses. Those who build the loops
// (PlanApplier.h), fuse producers (FuseProducers.h) and repair accumulators
// (ApplyRepairs.h) share it.
//
// A tile may be a part of a larger tile (TileRows.h). A slice that cuts the
// part out of the tile, or a cast of it, then lies between an op of the plan
// and its users, but is not in the plan. It is copied, tiled and rebuilt
// together with the op.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_TILEDOPS_H
#define MLIR_EXT_LIB_FUSION_APPLY_TILEDOPS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace mlir::linalg_ext {

class TiledOps : public RewriterBase::ForwardingListener {
public:
  TiledOps(RewriterBase &rewriter, const FusionPlan &plan, Refusal &refusal)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        plan(plan), root(plan.root), refusal(refusal),
        outerListener(rewriter.getListener()) {
    rewriter.setListener(this);
    for (const PlannedLevel &level : plan.levels)
      for (const PlannedProducer &producer : level.producers)
        plannedOf[producer.op] = producer.op;
  }
  ~TiledOps() override { rewriter.setListener(outerListener); }

  /// Forgets `op`, because another op may get its address later.
  void notifyOperationErased(Operation *op) override {
    plannedOf.erase(op);
    copiedFrom.erase(op);
    copiedFrom.remove_if([&](auto &entry) { return entry.second == op; });
    orphans.remove(op);
    stateSlices.erase(op);
    parts.erase(op);
    for (auto &[planned, ofOne] : others)
      llvm::erase(ofOne, op);
    ForwardingListener::notifyOperationErased(op);
  }

  //===--------------------------------------------------------------------===//
  // Ops of the plan
  //===--------------------------------------------------------------------===//

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
    if (planned == plan.root) {
      root = op;
      return;
    }
    plannedOf[op] = planned;
    current[planned] = op;
  }
  /// Remembers `op` as another tile of `planned` at the current level: one
  /// iteration takes several, of an op that carries no state.
  void addOther(Operation *planned, Operation *op) {
    others[planned].push_back(op);
  }
  /// Returns the other tiles of `planned`, and forgets them.
  SmallVector<Operation *> takeOthers(Operation *planned) {
    return std::exchange(others[planned], {});
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
  /// Returns the uses of results of `op`, or of whole slices of them, in the
  /// loop.
  SmallVector<OpOperand *> getUsesInLoop(Operation *op);

  //===--------------------------------------------------------------------===//
  // Parts of tiles
  //===--------------------------------------------------------------------===//

  bool hasParts() const { return !parts.empty(); }
  bool isPart(Operation *op) const { return parts.contains(op); }
  /// Records that `op` cuts a part out of a tile of `planned`, or casts it.
  void addPart(Operation *op, Operation *planned);
  /// Returns the op that computes `value`, looking through parts.
  Operation *lookThroughParts(Value value) const;
  /// Copies the parts of `original`, so that they become parts of `copy`.
  void copyParts(Operation *original, Operation *copy, IRMapping &mapping);
  /// Moves the parts of `untiled` into the loop, which then uses the whole
  /// tile.
  void tileParts(Operation *untiled);
  /// Rebuilds the parts between `source` and `value` on `by`, and returns the
  /// result. Returns `value` if there are no parts in between.
  Value replaceInParts(Value value, Value source, Value by);

  RewriterBase &rewriter;
  /// The ops of the plan are used as keys. They may be erased once there are
  /// tiles of them.
  const FusionPlan &plan;
  /// The root at the current level.
  Operation *root;
  /// The loop of the current level.
  LoopLikeOpInterface loop;
  /// For each state, the numbers of the results of the level that hold it.
  DenseMap<Operation *, SmallVector<unsigned>> stateOfLoop;
  /// For each copy that was made to carry state, its original.
  llvm::MapVector<Operation *, Operation *> copiedFrom;
  /// Slices of tensors that hold states.
  DenseSet<Operation *> stateSlices;
  /// Ops that may have lost their last use.
  SetVector<Operation *> orphans;
  /// Why applying the plan fails, if a step has a reason.
  Refusal &refusal;
  /// The last step, to describe a failure without a reason.
  std::string step;

private:
  SmallVector<Operation *> getParts(Operation *op) const;
  void tilePart(Operation *part, tensor::ExtractSliceOp slice);

  OpBuilder::Listener *outerListener;
  DenseMap<Operation *, Operation *> plannedOf, current;
  llvm::MapVector<Operation *, SmallVector<Operation *>> others;
  /// Ops that cut a tile out of a larger one or change its type.
  DenseSet<Operation *> parts;
};

/// Replaces `from` by `to` in `first` and all later ops of its block, and in
/// all other blocks.
void replaceUsesFrom(RewriterBase &rewriter, Operation *first, Value from,
                     Value to);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_TILEDOPS_H
