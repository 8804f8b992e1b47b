//===- TileParts.cpp - Tiles that are parts of larger tiles ---------------===//
//
// The part of PlanApplier that handles tiles which are parts of larger tiles
// (TileRows.h). A slice that cuts a part out of a tile, or a cast of it, lies
// between an op of the plan and its users, but is not in the plan. It is
// copied, tiled and rebuilt together with the op.
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "ProducerTiles.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Remembers that `op` makes a part of a tile of `planned`.
void PlanApplier::addPart(Operation *op, Operation *planned) {
  parts.insert(op);
  plannedOf[op] = planned;
  orphans.insert(op);
}

/// The op that `value`, or what it is a part of, is a result of.
Operation *PlanApplier::lookThroughParts(Value value) const {
  Operation *op = value.getDefiningOp();
  while (op && parts.contains(op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

SmallVector<Operation *> PlanApplier::getParts(Operation *op) const {
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers())
    if (parts.contains(user) && user->getBlock() == op->getBlock())
      users.push_back(user);
  return users;
}

/// Copies the parts of `original` as parts of `copy`.
void PlanApplier::copyParts(Operation *original, Operation *copy,
                            IRMapping &mapping) {
  for (Operation *part : getParts(original)) {
    Operation *other = rewriter.clone(*part, mapping);
    addPart(other, getPlanned(copy));
    copyParts(part, other, mapping);
  }
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

/// Makes `slice`, of `part`, a part of a slice. Along dimensions of which it
/// has all of the part, the slice has all of the tile.
void PlanApplier::tilePart(Operation *part, tensor::ExtractSliceOp slice) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  Location loc = slice.getLoc();
  Value tile = part->getOperand(0);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  auto cut = dyn_cast<tensor::ExtractSliceOp>(part);
  if (!cut) { // a cast
    auto taken =
        tensor::ExtractSliceOp::create(rewriter, loc, slice.getType(), tile,
                                       offsets, sizes, slice.getMixedStrides());
    rewriter.replaceAllUsesWith(slice.getResult(), taken.getResult());
    orphans.insert(slice);
    return;
  }
  SmallVector<OpFoldResult> partOffsets(offsets.size(),
                                        rewriter.getIndexAttr(0)),
      partSizes = sizes;
  for (auto [dim, offset] : llvm::enumerate(cut.getMixedOffsets())) {
    if (isWholeIn(slice, dim, loop)) {
      partOffsets[dim] = offset;
      offsets[dim] = rewriter.getIndexAttr(0);
      sizes[dim] = tensor::getMixedSize(rewriter, loc, tile, dim);
      continue;
    }
    AffineExpr lhs = rewriter.getAffineSymbolExpr(0),
               rhs = rewriter.getAffineSymbolExpr(1);
    offsets[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, lhs + rhs, {offset, offsets[dim]});
  }
  SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
  auto taken = tensor::ExtractSliceOp::create(rewriter, loc, tile, offsets,
                                              sizes, strides);
  auto other = tensor::ExtractSliceOp::create(
      rewriter, loc, slice.getType(), taken, partOffsets, partSizes, strides);
  addPart(other, getPlanned(part));
  rewriter.replaceAllUsesWith(slice.getResult(), other.getResult());
  orphans.insert(slice);
}

/// Takes the parts of `untiled` into the loop, which then uses that itself.
void PlanApplier::tileParts(Operation *untiled) {
  for (Operation *part : getParts(untiled)) {
    tileParts(part);
    for (OpOperand *use : getUsesInLoop(part)) {
      Operation *user = use->getOwner();
      if (isa<tensor::DimOp>(user))
        continue;
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (slice && !parts.contains(slice) &&
          slice.getType().getRank() == slice.getSourceType().getRank()) {
        tilePart(part, slice);
        continue;
      }
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(
          loop.getLoopRegions().front()->front().findAncestorOpInBlock(*user));
      Operation *copy = rewriter.clone(*part);
      addPart(copy, getPlanned(part));
      rewriter.modifyOpInPlace(user, [&] { use->set(copy->getResult(0)); });
    }
    orphans.insert(part);
  }
}

//===----------------------------------------------------------------------===//
// Repairs
//===----------------------------------------------------------------------===//

/// `by` with the parts that make `value` of `source`; `value` if none do.
Value PlanApplier::replaceInParts(Value value, Value source, Value by) {
  if (value == source)
    return by;
  Operation *op = value.getDefiningOp();
  if (!op || !parts.contains(op))
    return value;
  Value replaced = replaceInParts(op->getOperand(0), source, by);
  if (replaced == op->getOperand(0))
    return value;
  Operation *copy = rewriter.clone(*op);
  copy->setOperand(0, replaced);
  addPart(copy, getPlanned(op));
  return copy->getResult(0);
}

/// The factor for the tiles at hand.
FailureOr<TileFactor>
PlanApplier::getTileFactor(const PlannedRepair &repair,
                           const PlannedFactor &factor) const {
  if (parts.empty())
    return TileFactor(factor);
  Operation *accumulator = getCurrent(repair.accumulator);
  auto follows = [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (parts.contains(op))
      return true;
    Operation *planned = op == root ? plan.root : getPlanned(op);
    if (!planned || (op != accumulator &&
                     (plan.lookupState(planned) || plan.isWhole(planned))))
      return false; // a source of its own
    return plan.isStateDependentOperand(planned, use.getOperandNumber());
  };
  return linalg_ext::getTileFactor(
      factor, accumulator, repair.resultNumber, getSource(factor), follows,
      [&](Operation *op) { return parts.contains(op); });
}

/// Finds the factors as the loops see them that carry the states, before these
/// are built.
LogicalResult PlanApplier::findFactors() {
  if (parts.empty())
    return success();
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors) {
      FailureOr<TileFactor> ofTile = getTileFactor(repair, factor);
      if (failed(ofTile))
        return refusal.set(
            RefusalKind::ReshapedTile, getCurrent(repair.accumulator),
            "which of the rows that it accumulates belong to which of the "
            "state is not known where tiles are parts of others");
      outerFactors.insert(
          {{repair.accumulator, factor.source, factor.resultNumber}, *ofTile});
    }
  return success();
}

TileFactor PlanApplier::getOuterFactor(const PlannedRepair &repair,
                                       const PlannedFactor &factor) const {
  auto it = outerFactors.find(
      {repair.accumulator, factor.source, factor.resultNumber});
  return it == outerFactors.end() ? TileFactor(factor) : it->second;
}
