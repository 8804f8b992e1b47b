//===- ReadParts.cpp - Slices of concatenations ---------------------------===//
//
// Tile-and-fuse leaves a concatenation outside of its loops, and the loops take
// slices of it. `readParts` replaces them by slices of the parts:
//   0. If loops take slices of the result of an elementwise op or a reshape of a
//      concatenation, compute this op part by part.
//   1. Fold a slice of a slice into one slice.
//   2. Replace a slice that provably lies in one part by a slice of this part.
//   3. Split loops whose slices cross a seam, so that most slices lie in one
//      part (SplitAtSeams.cpp).
//   4. Build each remaining slice from slices of the parts (AssembleParts.cpp).
//   5. If a part is a gather, gather each slice of it where the slice is taken
//      (GatheredParts.cpp).
//
//===----------------------------------------------------------------------===//

#include "ReadParts.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-read-parts"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::isOnlySliced(Value value) {
  return llvm::all_of(value.getUsers(),
                      llvm::IsaPred<tensor::ExtractSliceOp, tensor::DimOp>);
}

//===----------------------------------------------------------------------===//
// 0. Elementwise ops and reshapes of concatenations
//===----------------------------------------------------------------------===//

/// Returns whether a loop takes slices of `value`, or of slices of it, and
/// nothing else of it is used.
static bool isSlicedInLoops(Value value) {
  return isOnlySliced(value) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
           return slice &&
                  (user->getParentRegion() != value.getParentRegion() ||
                   isSlicedInLoops(slice.getResult()));
         });
}

/// Returns the dimension of the result of `op` that reads dimension `dim` of
/// `operand`, as a whole and one to one. `op` must compute slices of its result
/// from slices of its operands, and compute nothing twice.
static std::optional<unsigned> getResultDim(Operation *op, OpOperand &operand,
                                            int64_t dim) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    FailureOr<SmallVector<int64_t>> dims = mapDimsThroughReshape(op, {dim});
    return succeeded(dims) ? std::optional<unsigned>(dims->front())
                           : std::nullopt;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      !linalgOp.isAllParallelLoops() || op->getNumResults() != 1 ||
      !linalgOp.isDpsInput(&operand))
    return std::nullopt;
  AffineExpr loop = linalgOp.getMatchingIndexingMap(&operand).getResult(dim);
  return isa<AffineDimExpr>(loop)
             ? linalgOp.getIndexingMapMatchingResult(op->getResult(0))
                   .getResultPosition(loop)
             : std::nullopt;
}

/// Returns a concatenation that only `op` reads, which may be elementwise or a
/// reshape, and the dimension of the result along its parts.
static std::optional<std::pair<Concatenation, unsigned>>
getComputedParts(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Concatenation> parts = getConcatenation(operand.get());
    if (!parts || llvm::any_of(parts->parts, getFilling) ||
        llvm::any_of(operand.get().getUsers(), [&](Operation *user) {
          return user != op && !isa<tensor::DimOp>(user);
        }))
      continue;
    if (std::optional<unsigned> dim = getResultDim(op, operand, parts->dim))
      return std::pair(*parts, *dim);
  }
  return std::nullopt;
}

/// Computes `op` part by part of a concatenation that it reads, if loops take
/// slices of its result. The loops then take slices of the concatenation of the
/// results, which need not be stored.
static void computeParts(RewriterBase &rewriter, Operation *op) {
  auto found = getComputedParts(op);
  Value result = op->getResult(0);
  if (!found || !isSlicedInLoops(result))
    return;
  auto [parts, dim] = *found;
  Location loc = op->getLoc();
  rewriter.setInsertionPointAfter(op);
  SmallVector<OpFoldResult> seams = parts.getSeams(rewriter);
  SmallVector<OpFoldResult> offsets(
      cast<RankedTensorType>(result.getType()).getRank(),
      rewriter.getIndexAttr(0)),
      strides(offsets.size(), rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, loc, result);
  SmallVector<Value> slices;
  for (unsigned part = 0; part + 1 < seams.size(); ++part) {
    offsets[dim] = seams[part];
    sizes[dim] = subtract(rewriter, loc, seams[part + 1], seams[part]);
    slices.push_back(tensor::ExtractSliceOp::create(rewriter, loc, result,
                                                    offsets, sizes, strides));
  }
  auto whole = tensor::ConcatOp::create(rewriter, loc, dim, slices);
  if (whole.getType() == result.getType()) {
    rewriter.replaceUsesWithIf(result, whole, [&](OpOperand &use) {
      return isa<tensor::ExtractSliceOp>(use.getOwner()) &&
             !llvm::is_contained(slices, use.getOwner()->getResult(0));
    });
    auto isThis = [&](Operation *other) { return other == op; };
    if (sliceProducers(rewriter, op->getParentOp(), isThis) > 0)
      return;
  }
  LDBG() << "not computed part by part: " << *op;
  // The concatenation may be gone, if slices of it are slices of one part.
  for (Operation *user : llvm::make_early_inc_range(slices.front().getUsers()))
    if (isa<tensor::ConcatOp>(user))
      rewriter.replaceOp(user, result);
  for (Value slice : slices)
    if (slice.use_empty())
      rewriter.eraseOp(slice.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// 1. and 2. Slices
//===----------------------------------------------------------------------===//

/// Replaces a slice of slices by one slice of their source.
static tensor::ExtractSliceOp composeSlice(RewriterBase &rewriter,
                                           tensor::ExtractSliceOp slice) {
  while (auto source =
             slice.getSource().getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.hasUnitStride() || !source.hasUnitStride())
      break;
    rewriter.setInsertionPoint(slice);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    if (failed(affine::mergeOffsetsSizesAndStrides(
            rewriter, slice.getLoc(), source, slice, source.getDroppedDims(),
            offsets, sizes, strides)))
      break;
    auto composed = tensor::ExtractSliceOp::create(
        rewriter, slice.getLoc(), slice.getType(), source.getSource(), offsets,
        sizes, strides);
    rewriter.replaceOp(slice, composed);
    slice = composed;
  }
  return slice;
}

std::optional<Concatenation>
mlir::linalg_ext::getSliced(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (auto outer = source.getDefiningOp<tensor::ExtractSliceOp>())
    source = outer.getSource();
  std::optional<Concatenation> concatenation = getConcatenation(source);
  if (!concatenation || !isOnlySliced(concatenation->result))
    return std::nullopt;
  return concatenation;
}

SmallVector<tensor::ExtractSliceOp>
mlir::linalg_ext::findSlices(RewriterBase &rewriter, Operation *scope) {
  SmallVector<tensor::ExtractSliceOp> found, slices;
  scope->walk([&](tensor::ExtractSliceOp slice) {
    if (getSliced(slice))
      found.push_back(slice);
  });
  for (tensor::ExtractSliceOp slice : llvm::reverse(found)) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
      continue;
    }
    // Inner ones were composed before.
    slices.push_back(composeSlice(rewriter, slice));
  }
  return slices;
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

unsigned mlir::linalg_ext::readParts(RewriterBase &rewriter, Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  viewPaddingAsParts(rewriter, scope, [](tensor::PadOp op) {
    return isSlicedInLoops(op.getResult());
  });
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (getComputedParts(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    computeParts(rewriter, op);
  auto count = [&] {
    unsigned number = 0;
    scope->walk([&](tensor::ExtractSliceOp slice) {
      number += getSliced(slice).has_value();
    });
    return number;
  };
  unsigned numSlices = count();
  if (numSlices == 0) {
    restorePadding(rewriter, scope);
    return 0;
  }
  markGatheredParts(scope);
  splitLoopsAtSeams(rewriter, scope);
  for (tensor::ExtractSliceOp slice : findSlices(rewriter, scope)) {
    std::optional<Concatenation> concatenation =
        getConcatenation(slice.getSource());
    if (concatenation && slice.hasUnitStride() &&
        slice->getParentOfType<LoopLikeOpInterface>())
      rewriter.replaceOp(slice, assembleParts(rewriter, slice, *concatenation));
  }
  // Erase concatenations of which only sizes are used.
  SmallVector<Operation *> sources;
  scope->walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp>(op))
      sources.push_back(op);
  });
  for (Operation *op : llvm::reverse(sources)) {
    if (!llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::DimOp>))
      continue;
    foldSizes(rewriter, op);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }
  computeGatheredSlices(rewriter, takeGatheredParts(scope));
  (void)runRegionDCE(rewriter, scope->getRegions());
  restorePadding(rewriter, scope);
  return numSlices - count();
}
