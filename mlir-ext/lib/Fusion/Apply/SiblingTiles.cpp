//===- SiblingTiles.cpp - Finds the tile of a sibling ---------------------===//
//
// TileFinder follows the tiles of the root back to values that the sibling
// depends on, then forward through elementwise ops and reshapes. See
// SiblingTiles.h.
//
//===----------------------------------------------------------------------===//

#include "SiblingTiles.h"

#include "ProducerTiles.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/PlanSiblings.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct Tile {
  SmallVector<OpFoldResult> offsets, sizes;

  bool isEquivalentTo(const Tile &other) const {
    return isEquivalent(offsets, other.offsets) &&
           isEquivalent(sizes, other.sizes);
  }
};

class TileFinder {
public:
  TileFinder(RewriterBase &rewriter, LoopLikeOpInterface loop, Refusal &refusal)
      : rewriter(rewriter), loop(loop), refusal(refusal) {}

  LogicalResult followRoot(Operation *root, Operation *sibling);
  FailureOr<SiblingTile> getDomainTile(Operation *op);
  SmallVector<Value> getKnownValues() const {
    return llvm::to_vector(llvm::make_first_range(tiles));
  }

private:
  LogicalResult followBack(Value value, const Tile &tile);
  std::optional<Tile> getSourceTile(Operation *reshape, const Tile &tile);
  FailureOr<std::optional<Tile>> getTile(Value value);
  RewriterBase &rewriter;
  LoopLikeOpInterface loop;
  Refusal &refusal;
  /// The values that the sibling depends on.
  llvm::SetVector<Value> needed;
  /// For each of these values: its tile, or std::nullopt if it is not known.
  DenseMap<Value, std::optional<Tile>> tiles;
  /// For each elementwise value: the tiles with which the search has passed it.
  DenseMap<Value, SmallVector<Tile>> followed;
};
} // namespace

static bool isElementwise(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  return tileable && hasMaps(op) &&
         llvm::all_of(tileable.getLoopIteratorTypes(),
                      [](utils::IteratorType type) {
                        return type == utils::IteratorType::parallel;
                      });
}

/// Returns the tile of the source of `reshape` that corresponds to `tile` of
/// its result. Returns std::nullopt if there is none, or if it has more
/// elements.
std::optional<Tile> TileFinder::getSourceTile(Operation *reshape,
                                              const Tile &tile) {
  FailureOr<TilingResult> tiling =
      cast<TilingInterface>(reshape).getTiledImplementation(
          rewriter, tile.offsets, tile.sizes);
  if (failed(tiling))
    return std::nullopt;
  std::optional<Tile> source;
  Operation *tiled = tiling->tiledOps.front();
  Operation *last = tiling->tiledValues.front().getDefiningOp();
  auto slice = tiled->getOperand(0).getDefiningOp<tensor::ExtractSliceOp>();
  if (slice && (last == tiled || isa<tensor::CastOp>(last)))
    source = Tile{slice.getMixedOffsets(), slice.getMixedSizes()};
  // The tiled ops were built only to find the offsets and sizes, and are erased
  // again.
  SetVector<Operation *> built;
  built.insert_range(ArrayRef<Operation *>{last, tiled});
  if (slice)
    built.insert(slice);
  for (Operation *op : built)
    rewriter.eraseOp(op);
  return source;
}

/// Follows `value` back to values that the sibling needs. The root reads the
/// part `tile` of `value`.
LogicalResult TileFinder::followBack(Value value, const Tile &tile) {
  if (auto cast = value.getDefiningOp<tensor::CastOp>())
    return followBack(cast.getSource(), tile);
  if (needed.contains(value)) {
    auto [it, isNew] = tiles.try_emplace(value, tile);
    if (!isNew && !it->second->isEquivalentTo(tile))
      return refusal.set(RefusalKind::Other, value.getDefiningOp(),
                         "the root takes several tiles of what it accumulates");
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop->getBlock())
    return success();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    std::optional<Tile> source = getSourceTile(op, tile);
    return source ? followBack(op->getOperand(0), *source) : success();
  }
  if (!isElementwise(op))
    return success();
  auto maps = cast<IndexingMapOpInterface>(op);
  auto dps = cast<DestinationStyleOpInterface>(op);
  AffineMap resultMap = maps.getMatchingIndexingMap(
      dps.getDpsInitOperand(cast<OpResult>(value).getResultNumber()));
  if (!resultMap.isPermutation())
    return success();
  // The search may reach a value on several ways.
  SmallVector<Tile> &before = followed[value];
  if (llvm::any_of(before, [&](const Tile &other) {
        return other.isEquivalentTo(tile);
      }))
    return success();
  before.push_back(tile);
  for (OpOperand *input : dps.getDpsInputOperands()) {
    AffineMap map = maps.getMatchingIndexingMap(input);
    if (!isa<RankedTensorType>(input->get().getType()) ||
        !map.isProjectedPermutation())
      continue;
    Tile operand;
    for (AffineExpr expr : map.getResults()) {
      unsigned position = *resultMap.getResultPosition(expr);
      operand.offsets.push_back(tile.offsets[position]);
      operand.sizes.push_back(tile.sizes[position]);
    }
    if (failed(followBack(input->get(), operand)))
      return failure();
  }
  return success();
}

LogicalResult TileFinder::followRoot(Operation *root, Operation *sibling) {
  needed.insert_range(sibling->getOperands());
  for (unsigned i = 0; i < needed.size(); ++i)
    if (Operation *op = needed[i].getDefiningOp();
        op && op->getBlock() == loop->getBlock())
      needed.insert_range(op->getOperands());
  for (Value operand : root->getOperands()) {
    auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice ||
        slice.getType().getRank() != slice.getSourceType().getRank() ||
        !loop.isDefinedOutsideOfLoop(slice.getSource()))
      continue;
    if (failed(followBack(slice.getSource(),
                          {slice.getMixedOffsets(), slice.getMixedSizes()})))
      return failure();
  }
  return success();
}

/// Returns the tile of `value`, which the sibling needs, or std::nullopt if it
/// is not known.
FailureOr<std::optional<Tile>> TileFinder::getTile(Value value) {
  if (auto it = tiles.find(value); it != tiles.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  std::optional<Tile> tile;
  if (!op || op->getBlock() != loop->getBlock()) {
    // nothing
  } else if (isa<tensor::CastOp>(op)) {
    FailureOr<std::optional<Tile>> source = getTile(op->getOperand(0));
    if (failed(source))
      return failure();
    tile = *source;
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    FailureOr<std::optional<Tile>> source = getTile(op->getOperand(0));
    if (failed(source))
      return failure();
    if (*source) {
      Tile result;
      if (failed(
              cast<TilingInterface>(op).getIterationDomainTileFromOperandTiles(
                  rewriter, {0}, {(*source)->offsets}, {(*source)->sizes},
                  result.offsets, result.sizes)))
        return refusal.set(
            RefusalKind::ReshapedTile, op,
            "a tile of what " + nameOf(op) +
                " reshapes is not known to be a tile of its result");
      tile = result;
    }
  } else if (isElementwise(op)) {
    FailureOr<SiblingTile> domain = getDomainTile(op);
    if (failed(domain))
      return failure();
    AffineMap map = cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
        cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
            cast<OpResult>(value).getResultNumber()));
    if (domain->known.any() && map.isProjectedPermutation()) {
      tile.emplace();
      for (AffineExpr expr : map.getResults()) {
        unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        tile->offsets.push_back(domain->offsets[dim]);
        tile->sizes.push_back(domain->sizes[dim]);
      }
    }
  }
  tiles[value] = tile;
  return tile;
}

FailureOr<SiblingTile> TileFinder::getDomainTile(Operation *op) {
  SiblingTile tile;
  for (Range range : cast<TilingInterface>(op).getIterationDomain(rewriter)) {
    tile.offsets.push_back(range.offset);
    tile.sizes.push_back(range.size);
  }
  tile.known.resize(tile.offsets.size());
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(input);
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    FailureOr<std::optional<Tile>> operand = getTile(input->get());
    if (failed(operand))
      return failure();
    if (!*operand)
      continue;
    for (auto [expr, offset, size] : llvm::zip_equal(
             map.getResults(), (*operand)->offsets, (*operand)->sizes)) {
      auto dimExpr = dyn_cast<AffineDimExpr>(expr);
      if (!dimExpr)
        continue;
      unsigned dim = dimExpr.getPosition();
      if (tile.known.test(dim) && (!isEquivalent(tile.offsets[dim], offset) ||
                                   !isEquivalent(tile.sizes[dim], size)))
        return refusal.set(RefusalKind::Other, op,
                           "tiles of what " + nameOf(op) +
                               " reads are not known to belong together");
      tile.offsets[dim] = offset;
      tile.sizes[dim] = size;
      tile.known.set(dim);
    }
  }
  return tile;
}

FailureOr<SiblingTile>
mlir::linalg_ext::findSiblingTile(RewriterBase &rewriter, Operation *root,
                                  LoopLikeOpInterface loop, Operation *sibling,
                                  Refusal &refusal) {
  TileFinder finder(rewriter, loop, refusal);
  if (failed(finder.followRoot(root, sibling)))
    return failure();
  SmallVector<Value> shared = finder.getKnownValues();
  FailureOr<SiblingTile> tile = finder.getDomainTile(sibling);
  if (succeeded(tile))
    tile->shared = std::move(shared);
  return tile;
}

void mlir::linalg_ext::moveSiblingsBeforeRoot(RewriterBase &rewriter,
                                              const FusionPlan &plan) {
  llvm::SetVector<Operation *> ops;
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      for (Operation *needed : getNeededOps(sibling.op))
        if (plan.root->isBeforeInBlock(needed))
          ops.insert(needed);
  SmallVector<Operation *> inOrder = ops.takeVector();
  llvm::sort(inOrder, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : inOrder)
    rewriter.moveOpBefore(op, plan.root);
}
