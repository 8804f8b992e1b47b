//===- NestTiles.h - Tiles of the ops of a fusion plan ----------*- C++ -*-===//
//
// Computes the size of the tile of each op in one iteration of the loops of a
// plan, and which loops cut it. Builds no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_COST_NESTTILES_H
#define MLIR_EXT_LIB_FUSION_COST_NESTTILES_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// A dimension of a tile: its size in elements, and the dimensions of the root
/// that it depends on.
struct TileDim {
  int64_t size = 1;
  llvm::SmallBitVector rootDims;
};
using Tile = SmallVector<TileDim>;

/// The tiles of the iteration domains of the ops in the nest.
using Tiles = llvm::MapVector<Operation *, Tile>;

/// Return the number of elements of a tile, and the bytes of that many elements
/// of `type`. Both saturate.
uint64_t countElements(const Tile &tile);
uint64_t countBytes(const Tile &tile, Type type);

/// The tiles of a plan. The *nest* is the loops of all levels of the plan.
/// Level 0 is the outermost one. The loops above depth d are those of levels 0
/// to d - 1. A dynamic size counts as `dynamicSize`.
class NestTiles {
public:
  NestTiles(const FusionPlan &plan, int64_t dynamicSize)
      : plan(plan), dynamicSize(dynamicSize) {}

  /// Returns whether a size had to be assumed.
  bool assumesSizes() const { return assumed; }

  // Sizes.

  /// The whole iteration domain of `op`.
  Tile getWholeDomain(Operation *op);
  /// Return the tile that an op with the iterations `domain` reads of an
  /// operand, or computes of a result.
  Tile getOperandTile(OpOperand &operand, const Tile &domain);
  Tile getResultTile(OpResult result, const Tile &domain);
  /// The tiles in one iteration of the loops above `depth` in which the tile of
  /// the root has the sizes `rootSizes`. Several tiles of an op in one
  /// iteration count as one that is as large as the largest along each
  /// dimension.
  Tiles getTiles(unsigned depth, ArrayRef<int64_t> rootSizes);

  // Loops.

  /// Returns whether the tile that `use` reads at `level` is computed in the
  /// same loops. `tiles` has the tiles of the user.
  bool isInternal(OpOperand &use, unsigned level, const Tiles &tiles);
  /// Returns whether `op` is a consumer that is fused into the loops.
  bool isConsumer(Operation *op) const {
    return plan.lookupConsumer(op) != nullptr;
  }
  /// Returns whether the loops of the first level yield `value`, a result of a
  /// producer, for ops after the root.
  bool isLeft(Value value) const {
    auto result = dyn_cast<OpResult>(value);
    const PlannedProducer *producer =
        result ? plan.levels.front().lookup(result.getOwner()) : nullptr;
    return producer && producer->fused &&
           llvm::is_contained(producer->yieldedResults,
                              result.getResultNumber());
  }
  /// The number of levels in whose loops `op` lies.
  unsigned getDepth(Operation *op) const;
  /// Returns the innermost level above `depth` that cuts `tile`, or whose
  /// iterations do not share what they read. The iterations of a forall or of a
  /// split do not.
  std::optional<unsigned> getInnermostCut(unsigned depth, const Tile &tile,
                                          bool orForall) const;
  /// Returns whether a loop carries `result` without keeping one tile of it: no
  /// loop cuts the result, or the innermost loop that cuts it is the carrying
  /// loop or one inside of that.
  bool goesThroughMemory(OpResult result, const Tile &domain);

private:
  int64_t getSize(RankedTensorType type, unsigned dim);
  Tile getDomainTile(OpResult result, const Tile &tile);
  Tile reshapeTile(Operation *op, const Tile &source);
  Tile getConsumerDomain(Operation *op, const Tiles &tiles);
  bool isInNest(Operation *op, unsigned level) const;
  bool followsState(Operation *op, unsigned level) const;
  void cutAccumulation(Operation *op, ArrayRef<int64_t> rootSizes,
                       Tile &domain) const;
  bool cuts(unsigned level, const Tile &tile) const;
  bool cutsReduction(unsigned level, Operation *op, const Tile &domain) const;
  std::optional<unsigned> getFirstCarry(OpResult result,
                                        const Tile &domain) const;

  const FusionPlan &plan;
  int64_t dynamicSize;
  bool assumed = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_COST_NESTTILES_H
