//===- TiledOps.cpp - What stands for the ops of a plan -------------------===//
//
// See TiledOps.h. Most of this file is about slices of tiles.
//
//===----------------------------------------------------------------------===//

#include "TiledOps.h"
#include "ProducerTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::replaceUsesFrom(RewriterBase &rewriter, Operation *first,
                                       Value from, Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    Operation *user = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !user || user == first || first->isBeforeInBlock(user);
  });
}

SmallVector<OpOperand *> TiledOps::getUsesInLoop(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (loop->isProperAncestor(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

//===----------------------------------------------------------------------===//
// Parts of tiles
//===----------------------------------------------------------------------===//

void TiledOps::addPart(Operation *op, Operation *planned) {
  parts.insert(op);
  plannedOf[op] = planned;
  orphans.insert(op);
}

Operation *TiledOps::lookThroughParts(Value value) const {
  Operation *op = value.getDefiningOp();
  while (op && parts.contains(op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

SmallVector<Operation *> TiledOps::getParts(Operation *op) const {
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers())
    if (parts.contains(user) && user->getBlock() == op->getBlock())
      users.push_back(user);
  return users;
}

void TiledOps::copyParts(Operation *original, Operation *copy,
                         IRMapping &mapping) {
  for (Operation *part : getParts(original)) {
    Operation *other = rewriter.clone(*part, mapping);
    addPart(other, getPlanned(copy));
    copyParts(part, other, mapping);
  }
}

/// Swaps `slice` with `part`, its source: first slice the tile, then cut the
/// part out of the slice. If `slice` takes all of `part` along a dimension, the
/// new slice takes all of the tile there.
void TiledOps::tilePart(Operation *part, tensor::ExtractSliceOp slice) {
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

void TiledOps::tileParts(Operation *untiled) {
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

Value TiledOps::replaceInParts(Value value, Value source, Value by) {
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
