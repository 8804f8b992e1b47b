//===- LevelAnalysis.h - What a level of tiling does to producers -*- C++ -*-=//
//
// Follows the dimensions that a level of tiling cuts from the root to its
// producers, and decides what happens to each. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H
#define MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::linalg_ext {

/// The name of `op` in quotes.
std::string nameOf(Operation *op);

/// Returns whether `op` has what following dimensions needs: an indexing map
/// for each operand and each result.
bool hasMaps(Operation *op);

/// Upstream's tiling of ops on tensors of size 0 crashes (22.1.8); there is
/// nothing to compute.
bool hasEmptyOperand(Operation *op);

/// The results in which `op`, an online reduction or an accumulation, holds its
/// state.
SmallVector<unsigned> getStateResults(Operation *op);

class LevelAnalysis {
public:
  struct Context {
    Operation *root = nullptr;
    /// The uses along which the enclosing level fused, null for no enclosing
    /// level.
    const llvm::DenseSet<OpOperand *> *scope = nullptr;
    /// That level, null for none.
    const PlannedLevel *enclosing = nullptr;
    /// The ops whose state an enclosing level carries.
    llvm::DenseSet<Operation *> carried;
    /// Whether accumulations may be cut, their state being carried.
    bool cutsAccumulations = true;
    /// If not, why not.
    std::string whyNot;
    /// Accumulations that are computed inside all loops, to be carried by those
    /// that cut them.
    const llvm::DenseSet<Operation *> *auxiliaries = nullptr;
    /// Accumulations beside the root, which are fused.
    ArrayRef<PlannedSibling> siblings;
    /// Accumulations in front of it that stay outside.
    SmallVector<const PlannedObstacle *> obstacles;
  };

  LevelAnalysis(const Context &context, PlannedLevel &level);

  /// Decides about all producers.
  void run();

  /// Once it has run without siblings: finds where the level cuts `sibling`,
  /// which reads what it fuses. Fails, with the reason, unless each loop of the
  /// level cuts one of its dimensions or, behind a reshape, part of one.
  LogicalResult alignSibling(PlannedSibling &sibling, std::string &reason);

  /// The dimensions of the root that cut a dimension of a fused producer.
  llvm::SmallBitVector getCuts(Operation *op, unsigned dim) const {
    return domains.find(op)->second[dim];
  }
  /// Those that cut anything of it, or of what it reads.
  llvm::SmallBitVector getCuts(Operation *op) const {
    return merge(domains.find(op)->second);
  }
  llvm::SmallBitVector getCuts(OpOperand &operand) {
    return merge(getOperand(operand.getOwner(), operand));
  }
  /// The uses by which a fused producer is reached.
  ArrayRef<OpOperand *> getEdges(Operation *op) { return edges[op]; }
  bool isEdge(OpOperand &use) {
    Operation *producer = use.get().getDefiningOp();
    return producer && llvm::is_contained(edges[producer], &use);
  }

private:
  /// For each dimension of a tensor or an iteration domain, the dimensions of
  /// the root whose tiling cuts it.
  using DimSets = SmallVector<llvm::SmallBitVector>;
  /// What it does to a value. Of one that is reindexed, reshapes say where its
  /// tiles are: `sets` is then an upper bound, but different tiles have nothing
  /// in common, and all of them are the whole.
  struct KnownSets {
    DimSets sets;
    bool reindexed = false;
  };

  PlannedProducer decide(Operation *op);
  PlannedProducer decideUncut(Operation *op, PlannedProducer producer,
                              ArrayRef<OpOperand *> uses);
  void fuse(Operation *op, const DimSets &domain, ArrayRef<OpOperand *> uses);
  void fuseSibling(const PlannedSibling &sibling);
  void dropIndependent();
  DimSets getDomain(Operation *op, unsigned resultNumber,
                    const DimSets &result);
  std::pair<DimSets, bool> getSource(Operation *op,
                                     const DimSets &result) const;
  DimSets getOperand(Operation *op, OpOperand &operand);
  std::optional<KnownSets> inferSets(Value value, unsigned depth);
  std::optional<KnownSets> inferThroughReshape(Operation *op,
                                               const KnownSets &source);
  SmallVector<std::pair<AffineMap, KnownSets>>
  getKnownOperands(Operation *op, bool &areProjected);
  std::optional<DimSets>
  mergeOperands(ArrayRef<std::pair<AffineMap, KnownSets>> operands,
                unsigned numDims);
  void recordRead(OpOperand &operand, const DimSets &domain);
  std::optional<DimSets> alignReduction(Operation *op);
  bool displaces(OpOperand &use);
  bool mayFollowRoot(Operation *user);
  bool isAuxiliary(Operation *op) const {
    return context.auxiliaries && context.auxiliaries->contains(op);
  }
  bool cutsReduction(Operation *op);
  SmallVector<unsigned> getNeededOutside(Operation *op);
  llvm::SmallBitVector merge(ArrayRef<llvm::SmallBitVector> sets) const;

  const Context &context;
  PlannedLevel &level;
  Operation *root;
  std::optional<llvm::DenseSet<Operation *>> mayFollow;
  const llvm::SmallBitVector &dims;
  /// Whether the loop of the level may carry the state of a producer.
  bool mayCarry = false;
  /// What the level does to the domain of the root and of each fused producer.
  llvm::MapVector<Operation *, DimSets> domains;
  /// What it does to the values that they read, where that is known exactly.
  DenseMap<Value, DimSets> reads;
  llvm::DenseSet<Value> readsDiffer;
  /// What it may do to other values that they read, of which each tile is read
  /// once.
  DenseMap<Value, DimSets> reindexedReads;
  /// Producers of fused ops about which nothing has been decided yet.
  llvm::DenseSet<Operation *> undecided;
  /// Producers that are not known to be computed exactly once as a whole by all
  /// tiles together: reached through an op without maps, whose cut dimensions
  /// are over-approximated, or through a map that skips elements.
  llvm::DenseSet<Operation *> approximate;
  /// Producers whose tiles are not where the loops are, being reached through a
  /// reshape that merges or splits what is cut.
  llvm::DenseSet<Operation *> reindexed;
  /// Siblings that the level displaces, and what they alone need.
  llvm::DenseSet<Operation *> followers;
  DenseMap<Operation *, SmallVector<OpOperand *>> edges;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H
