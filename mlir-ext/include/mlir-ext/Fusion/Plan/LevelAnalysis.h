//===- LevelAnalysis.h - Analysis of one level of tiling --------*- C++ -*-===//
//
// Follows the dimensions that a level of tiling cuts from the root to its
// producers, and decides what happens to each producer. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H
#define MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <functional>
#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns the name of `op` in quotes.
std::string nameOf(Operation *op);

/// Returns whether dimensions can be followed through `op`: it must have an
/// indexing map for each operand and each result.
bool hasMaps(Operation *op);

/// Returns whether an operand of `op` has a dimension of size 0. Upstream's
/// tiling (22.1.8) crashes on these ops, and they have nothing to compute.
bool hasEmptyOperand(Operation *op);

/// Returns whether the types of the operands of `op` say different sizes of one
/// of its loops. Verifiers accept that if another size is dynamic, but a tile
/// may be no slice of each operand.
bool hasDifferentSizes(Operation *op);

/// Returns the numbers of the results in which `op`, an online reduction or an
/// accumulation, holds its state.
SmallVector<unsigned> getStateResults(Operation *op);

class LevelAnalysis {
public:
  struct Context {
    Operation *root = nullptr;
    /// The uses along which the enclosing level fused; null if there is none.
    const llvm::DenseSet<OpOperand *> *scope = nullptr;
    /// The enclosing level; null if there is none.
    const PlannedLevel *enclosing = nullptr;
    /// The ops whose state an enclosing level carries.
    llvm::DenseSet<Operation *> carried;
    /// Whether the level may cut accumulations and carry their state.
    bool cutsAccumulations = true;
    /// Why the level may not cut accumulations.
    Refusal whyNot;
    /// Auxiliary accumulators. All loops compute them, and loops that cut them
    /// carry them.
    const llvm::DenseSet<Operation *> *auxiliaries = nullptr;
    /// The fused siblings of the root.
    ArrayRef<PlannedSibling> siblings;
    /// See `TileAndFuseOptions`.
    std::function<bool(const PlannedProducer &)> mayFuse;
    bool yieldsProducers = true;
    /// The obstacles of this level: ops that stay outside of it.
    SmallVector<const PlannedObstacle *> obstacles;
  };

  LevelAnalysis(const Context &context, PlannedLevel &level);

  /// Decides about all producers.
  void run();

  /// Finds where the level cuts `sibling`. The analysis must have run without
  /// siblings. Fails, with `refusal`, unless each loop of the level cuts a
  /// dimension of the sibling or, after a reshape, a part of one.
  LogicalResult alignSibling(PlannedSibling &sibling, Refusal &refusal);

  /// Returns the dimensions of the root whose tiling cuts dimension `dim` of
  /// the fused producer `op`.
  llvm::SmallBitVector getCuts(Operation *op, unsigned dim) const {
    return domains.find(op)->second[dim];
  }
  /// Returns the dimensions of the root whose tiling cuts any dimension of
  /// `op`, or of `operand`.
  llvm::SmallBitVector getCuts(Operation *op) const {
    return merge(domains.find(op)->second);
  }
  llvm::SmallBitVector getCuts(OpOperand &operand) {
    return merge(getOperand(operand.getOwner(), operand));
  }
  /// Returns the uses through which the fused ops read the fused producer `op`.
  ArrayRef<OpOperand *> getEdges(Operation *op) { return edges[op]; }
  bool isEdge(OpOperand &use) {
    Operation *producer = use.get().getDefiningOp();
    return producer && llvm::is_contained(edges[producer], &use);
  }

private:
  /// For each dimension of a tensor or of an iteration domain: the dimensions
  /// of the root whose tiling cuts it.
  using DimSets = SmallVector<llvm::SmallBitVector>;
  /// How the level cuts a value. If the value is reindexed, reshapes determine
  /// where its tiles are. Then `sets` is an upper bound, but different tiles
  /// are disjoint and all tiles together are the whole value.
  struct KnownSets {
    DimSets sets;
    bool reindexed = false;
  };

  /// The uses of a producer by the ops that the level fuses.
  struct UsesOfLevel {
    /// How the uses cut the domain of the producer. `followed` has the cuts of
    /// the uses by reindexed siblings.
    DimSets domain, followed;
    /// The uses that cut the producer, the uses that need all of it, and the
    /// uses by reindexed siblings.
    SmallVector<OpOperand *> cut, uncut, following;
    /// All uses cut it in the same way; what they cut is known exactly; and all
    /// uses are inits of reductions that are cut.
    bool agree = true, isExact = true, onlyInits = true;
    bool inScope = false;
    /// Some use cuts the producer, but it cannot be tiled.
    bool needsTiles = false;
  };
  UsesOfLevel collectUses(Operation *op);
  Refusal findObstacle(Operation *op) const;
  PlannedProducer decide(Operation *op);
  PlannedProducer decideUncut(Operation *op, PlannedProducer producer,
                              ArrayRef<OpOperand *> uses);
  bool tryToFuse(PlannedProducer &producer, const DimSets &domain,
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
  bool reindexes(OpOperand &use);
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
  /// Whether the loop of the level may carry the state of a producer: it must
  /// be sequential or a split, and cut only reductions of the root.
  bool mayCarry = false;
  /// How the level cuts the iteration domains of the root and of each fused
  /// producer.
  llvm::MapVector<Operation *, DimSets> domains;
  /// How the level cuts the values that fused ops read, if this is known
  /// exactly. `readsDiffer` has the values that fused ops read in different
  /// tiles.
  DenseMap<Value, DimSets> reads;
  llvm::DenseSet<Value> readsDiffer;
  /// How the level may cut other values that fused ops read. Each tile of these
  /// is read once.
  DenseMap<Value, DimSets> reindexedReads;
  /// Producers of fused ops that have not been decided.
  llvm::DenseSet<Operation *> undecided;
  /// Producers for which it is not known that the tiles together compute each
  /// element exactly once. They are read through an op without indexing maps,
  /// whose cut dimensions are over-approximated, or through a map that skips
  /// elements.
  llvm::DenseSet<Operation *> approximate;
  /// Producers that are read through a reshape that merges or splits a cut
  /// dimension. Their tile offsets are not those of the loops.
  llvm::DenseSet<Operation *> reindexed;
  /// Reindexed siblings, and the producers that only they need.
  llvm::DenseSet<Operation *> followers;
  DenseMap<Operation *, SmallVector<OpOperand *>> edges;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_LEVELANALYSIS_H
