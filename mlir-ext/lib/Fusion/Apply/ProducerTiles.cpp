//===- ProducerTiles.cpp - Tiles of producers -----------------------------===//
//
// Compares slices, finds their producers, and tiles producers that upstream's
// driver does not tile. See ProducerTiles.h.
//
//===----------------------------------------------------------------------===//

#include "ProducerTiles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether two values are equal because equal pure ops compute them.
static bool isEquivalent(Value lhs, Value rhs, unsigned depth = 8) {
  if (lhs == rhs)
    return true;
  Operation *lhsOp = lhs.getDefiningOp(), *rhsOp = rhs.getDefiningOp();
  if (!lhsOp || !rhsOp || depth == 0 || !isMemoryEffectFree(lhsOp) ||
      cast<OpResult>(lhs).getResultNumber() !=
          cast<OpResult>(rhs).getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
      lhsOp, rhsOp,
      [&](Value l, Value r) { return success(isEquivalent(l, r, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool mlir::linalg_ext::isEquivalent(ArrayRef<OpFoldResult> lhs,
                                    ArrayRef<OpFoldResult> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
           auto [l, r] = pair;
           if (isEqualConstantIntOrValue(l, r))
             return true;
           auto left = dyn_cast<Value>(l), right = dyn_cast<Value>(r);
           return left && right && ::isEquivalent(left, right);
         });
}

/// Returns the producer of the source of `slice`, looking through the iter_args
/// of `loop`, and whether it looked through one.
std::pair<OpResult, bool>
mlir::linalg_ext::getSlicedProducer(tensor::ExtractSliceOp slice,
                                    LoopLikeOpInterface loop) {
  Value source = slice.getSource();
  auto arg = dyn_cast<BlockArgument>(source);
  if (!arg || arg.getOwner()->getParentOp() != loop.getOperation())
    return {dyn_cast<OpResult>(source), false};
  OpOperand *init = loop.getTiedLoopInit(arg);
  return {init ? dyn_cast<OpResult>(init->get()) : OpResult(), true};
}

/// Returns whether `slice` is the same in every iteration of `loop`. Its
/// producer is then computed once, outside of the loop.
bool mlir::linalg_ext::isInvariant(tensor::ExtractSliceOp slice,
                                   LoopLikeOpInterface loop) {
  return llvm::all_of(slice->getOperands().drop_front(), [&](Value operand) {
    if (auto dim = operand.getDefiningOp<tensor::DimOp>())
      operand = dim.getSource();
    return loop.isDefinedOutsideOfLoop(operand);
  });
}

/// Returns whether `size` is computed from values that are defined before
/// `loop`.
static bool isKnownBefore(Value size, LoopLikeOpInterface loop,
                          unsigned depth = 8) {
  if (loop.isDefinedOutsideOfLoop(size))
    return true;
  Operation *op = size.getDefiningOp();
  return op && depth > 0 && isMemoryEffectFree(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isKnownBefore(operand, loop, depth - 1);
         });
}

bool mlir::linalg_ext::isWholeIn(tensor::ExtractSliceOp slice, unsigned dim,
                                 LoopLikeOpInterface loop) {
  if (!isZeroInteger(slice.getMixedOffsets()[dim]))
    return false;
  OpFoldResult size = slice.getMixedSizes()[dim];
  if (auto value = dyn_cast<Value>(size))
    return isKnownBefore(value, loop);
  return getConstantIntValue(size) == slice.getSourceType().getDimSize(dim);
}

/// A dimension that no loop cuts is whole. But its size may have been taken
/// from another operand of the consumer, and only the consumer relates both.
/// Rewrites such sizes in terms of `source`, the producer whose tile is
/// requested.
tensor::ExtractSliceOp
mlir::linalg_ext::nameWholeSizes(RewriterBase &rewriter,
                                 tensor::ExtractSliceOp slice, OpResult source,
                                 LoopLikeOpInterface loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  auto type = cast<RankedTensorType>(source.getType());
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    auto size = dyn_cast<Value>(sizes[dim]);
    if (!size || !type.isDynamicDim(dim) || !isZeroInteger(offset))
      continue;
    if (isKnownBefore(size, loop))
      sizes[dim] =
          linalg::createFoldedDimOp(rewriter, slice.getLoc(), source, dim);
  }
  if (sizes == slice.getMixedSizes())
    return slice;
  auto named = tensor::ExtractSliceOp::create(
      rewriter, slice.getLoc(), slice.getType(), slice.getSource(),
      slice.getMixedOffsets(), sizes, slice.getMixedStrides());
  rewriter.replaceAllUsesWith(slice.getResult(), named.getResult());
  return named;
}

/// Tiles `producer` for `slice`, a slice of its result `resultNumber`, if the
/// indexing map of this result has constants, as in a reduction that keeps the
/// reduced dimension. Upstream's op does not know its iteration domain.
std::optional<scf::SCFFuseProducerOfSliceResult>
mlir::linalg_ext::tileKeptDims(RewriterBase &rewriter, Operation *producer,
                               unsigned resultNumber,
                               tensor::ExtractSliceOp slice) {
  auto maps = dyn_cast<IndexingMapOpInterface>(producer);
  auto dps = dyn_cast<DestinationStyleOpInterface>(producer);
  if (!maps || !dps || slice.getSource() != producer->getResult(resultNumber))
    return std::nullopt;
  AffineMap map =
      maps.getMatchingIndexingMap(dps.getDpsInitOperand(resultNumber));
  if (map.isProjectedPermutation() ||
      !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  auto tileable = cast<TilingInterface>(producer);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  SmallVector<OpFoldResult> offsets, sizes;
  for (Range range : tileable.getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  for (auto [expr, offset, size] : llvm::zip_equal(
           map.getResults(), slice.getMixedOffsets(), slice.getMixedSizes()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      offsets[dim.getPosition()] = offset;
      sizes[dim.getPosition()] = size;
    }
  FailureOr<TilingResult> tiling =
      tileable.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiling) || tiling->tiledOps.size() != 1)
    return std::nullopt;
  Value tile = tiling->tiledValues[resultNumber];
  if (tile.getType() != slice.getType())
    return std::nullopt;
  rewriter.replaceAllUsesWith(slice.getResult(), tile);
  return scf::SCFFuseProducerOfSliceResult{producer->getResult(resultNumber),
                                           tile, tiling->tiledOps,
                                           tiling->generatedSlices};
}

void mlir::linalg_ext::shrinkEmptyTensors(RewriterBase &rewriter,
                                          Operation *tiled,
                                          SetVector<Operation *> &orphans) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (OpOperand &operand : tiled->getOpOperands()) {
    auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      continue;
    rewriter.setInsertionPoint(slice);
    Value empty = tensor::EmptyOp::create(
        rewriter, slice.getLoc(), slice.getMixedSizes(),
        slice.getType().getElementType(), slice.getType().getEncoding());
    rewriter.modifyOpInPlace(tiled, [&] { operand.set(empty); });
    orphans.insert(slice);
  }
}
