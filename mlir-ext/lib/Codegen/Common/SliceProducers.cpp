//===- SliceProducers.cpp - One producer for each slice -------------------===//
//
// Importers compute packed projections as one product and then slice it: q, k
// and v of attention are disjoint slices. Fusion stops at a slice, because the
// tiling driver must not treat slices as producers. It takes slices of
// everything, and would fuse the slice of an accumulator into the loop that
// accumulates.
//
// `sliceProducers` therefore splits the producer before fusion, into one op for
// each slice, if no element is then computed twice. For a concatenation, slices
// of it become slices of its parts.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CreatedOps.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-slice-producers"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether two of `slices`, of one tensor, may overlap.
static bool mayOverlap(MutableArrayRef<tensor::ExtractSliceOp> slices) {
  for (size_t i = 0; i < slices.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      FailureOr<bool> overlapping =
          ValueBoundsConstraintSet::areOverlappingSlices(
              slices[i].getContext(), HyperrectangularSlice(slices[i]),
              HyperrectangularSlice(slices[j]));
      if (failed(overlapping) || *overlapping)
        return true;
    }
  return false;
}

/// Returns the first of `slices`, of one tensor, that has the same elements as
/// `slice`. Null if there is none.
static tensor::ExtractSliceOp findSame(ArrayRef<tensor::ExtractSliceOp> slices,
                                       tensor::ExtractSliceOp slice) {
  for (tensor::ExtractSliceOp other : slices)
    if (other.isSameAs(slice, isEqualConstantIntOrValue))
      return other;
  return {};
}

/// Returns whether dimension `dim` of the result of `op` is the dimension of a
/// concatenation that `op` reads. Elementwise ops and reshapes may be in
/// between, if only `op` uses them.
static bool readsPartsAlong(Operation *op, int64_t dim) {
  if (!computesSlices(op))
    return false;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        (dps && dps.isDpsInit(&operand)))
      continue;
    FailureOr<int64_t> source = getSourceDim(op, operand, dim);
    if (failed(source) || *source == -1)
      continue;
    if (std::optional<Concatenation> parts = getConcatenation(operand.get())) {
      if (parts->dim == *source)
        return true;
      continue;
    }
    Operation *producer = operand.get().getDefiningOp();
    if (producer && operand.get().hasOneUse() &&
        readsPartsAlong(producer, *source))
      return true;
  }
  return false;
}

/// Returns whether `op` reads a concatenation along a dimension that one of
/// `slices` cuts.
static bool readsPartsOf(Operation *op,
                         ArrayRef<tensor::ExtractSliceOp> slices) {
  for (tensor::ExtractSliceOp slice : slices)
    for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim)
      if (readsPartsAlong(op, dim) && !takesWhole(slice, dim))
        return true;
  return false;
}

/// Returns whether tiles of the result of `op` are tiles of its domain.
/// (Upstream emits an error where they are not.)
static bool hasTilesOfResult(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return true;
  auto mapOp = dyn_cast<IndexingMapOpInterface>(op);
  auto dpsOp = dyn_cast<DestinationStyleOpInterface>(op);
  return mapOp && dpsOp &&
         mapOp.getMatchingIndexingMap(dpsOp.getDpsInitOperand(0))
             .isProjectedPermutation();
}

/// Returns whether a tensor that `op` reads or computes has no elements,
/// according to its type. Upstream (22.1.8) refuses tiles of size zero, and
/// crashes.
static bool isEmpty(Operation *op) {
  auto hasNone = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 0);
  };
  return llvm::any_of(op->getOperandTypes(), hasNone) ||
         llvm::any_of(op->getResultTypes(), hasNone);
}

/// Returns whether `slice` takes whole rows of `op`, its source, if `op`
/// reduces online.
static bool takesWholeRows(Operation *op, tensor::ExtractSliceOp slice) {
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  if (!online)
    return true;
  AffineMap map = cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0));
  for (unsigned loop : online.getOnlineDims())
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
      if (map.getResult(dim).isFunctionOfDim(loop) && !takesWhole(slice, dim))
        return false;
  return true;
}

/// Returns whether `slice` is a part of a concatenation along a dimension that
/// it does not cut.
static bool isPutTogether(tensor::ExtractSliceOp slice) {
  return !slice.getDroppedDims().any() &&
         llvm::any_of(slice->getUsers(), [&](Operation *user) {
           auto concat = dyn_cast<tensor::ConcatOp>(user);
           return concat && takesWhole(slice, concat.getDim());
         });
}

/// Returns the slices into which `op` may be split. Fails if `op` has other
/// uses, if it cannot be split, or if slices overlap in part, so that elements
/// would be computed twice. Slices of fills may overlap, since fills cost
/// nothing.
static FailureOr<SmallVector<tensor::ExtractSliceOp>>
getSlicesToCompute(RewriterBase &rewriter, Operation *op) {
  bool isUninitialised = isa<tensor::EmptyOp>(op);
  bool isFree = isUninitialised || isa<linalg::FillOp>(op);
  if (op->getNumResults() == 0 || !isMemoryEffectFree(op) ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      !llvm::all_of(llvm::drop_begin(op->getResults()),
                    [](Value result) { return result.use_empty(); }))
    return failure();
  if (!isUninitialised &&
      (!isa<TilingInterface>(op) || !hasTilesOfResult(op) || isEmpty(op)))
    return failure();
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : op->getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (slice && slice->getBlock() == op->getBlock() &&
        slice.getSource() == op->getResult(0) && slice.hasUnitStride() &&
        !isWholeSlice(slice) && takesWholeRows(op, slice)) {
      slices.push_back(slice);
      continue;
    }
    if (!isFree)
      return rewriter.notifyMatchFailure(
          op, "expected all uses to be parts of it, got another");
  }
  if (slices.empty())
    return failure();
  if (isFree)
    return slices;
  // Equal slices are computed once. That needs an additional op, which pays if
  // the op then reads no concatenation.
  SmallVector<tensor::ExtractSliceOp> different;
  for (tensor::ExtractSliceOp slice : slices)
    if (!findSame(different, slice))
      different.push_back(slice);
  if (different.size() < slices.size() && !readsPartsOf(op, different))
    return rewriter.notifyMatchFailure(op, "expected different slices");
  if (mayOverlap(different))
    return rewriter.notifyMatchFailure(op, "expected disjoint slices");
  // If a slice is a part of a concatenation, it is stored: as one tensor rather
  // than several, unless `op` then reads no concatenation.
  if (different.size() > 1 && llvm::any_of(different, isPutTogether) &&
      !readsPartsOf(op, different))
    return rewriter.notifyMatchFailure(op, "a slice is put together again");
  return slices;
}

/// If `value` is a slice from which a reshape drops dimensions of size 1,
/// returns a slice without them. Otherwise returns `value`. With unknown
/// strides, the reshape would become a copy.
static Value takeWithoutUnitDims(RewriterBase &rewriter, Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  auto slice = collapse
                   ? collapse.getSrc().getDefiningOp<tensor::ExtractSliceOp>()
                   : tensor::ExtractSliceOp();
  if (!slice || slice.getDroppedDims().any() ||
      isRankReducedType(slice.getType(), collapse.getResultType()) !=
          SliceVerificationResult::Success)
    return value;
  for (const ReassociationIndices &group : collapse.getReassociationIndices())
    if (llvm::count_if(group, [&](int64_t dim) {
          return slice.getType().getDimSize(dim) != 1;
        }) > 1)
      return value;
  auto taken = tensor::ExtractSliceOp::create(
      rewriter, slice.getLoc(), collapse.getResultType(), slice.getSource(),
      slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides());
  for (Operation *op : {collapse.getOperation(), slice.getOperation()})
    if (op->use_empty())
      rewriter.eraseOp(op);
  return taken;
}

/// Computes the elements of `op` that `slice` takes. Returns null if they are
/// not a tile of `op`.
static Value computeSlice(RewriterBase &rewriter, Operation *op,
                          tensor::ExtractSliceOp slice) {
  rewriter.setInsertionPoint(slice);
  Location loc = slice.getLoc();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  if (isa<tensor::EmptyOp>(op) || llvm::any_of(sizes, isZeroInteger)) {
    SmallVector<OpFoldResult> kept;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped.test(dim))
        kept.push_back(size);
    return tensor::EmptyOp::create(rewriter, loc, kept,
                                   slice.getType().getElementType(),
                                   slice.getType().getEncoding());
  }
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(op).generateResultTileValue(
          rewriter, 0, slice.getMixedOffsets(), sizes);
  if (failed(tiled))
    return nullptr;
  for (Operation *generated : tiled->generatedSlices) {
    auto operand = dyn_cast<tensor::ExtractSliceOp>(generated);
    if (operand && operand.getType() == operand.getSourceType() &&
        isWholeSlice(operand))
      rewriter.replaceOp(operand, operand.getSource());
  }
  Value value = takeWithoutUnitDims(rewriter, tiled->tiledValues.front());
  return dropped.any()
             ? tensor::dropGivenUnitDims(rewriter, loc, value, dropped)
                   .getResult()
             : value;
}

/// Splits `op` into one op for each slice of it. Returns whether it was split.
static bool splitProducer(RewriterBase &rewriter, Operation *op) {
  FailureOr<SmallVector<tensor::ExtractSliceOp>> slices =
      getSlicesToCompute(rewriter, op);
  if (failed(slices))
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> computed;
  {
    CreatedOps created(rewriter);
    // Slices that come first in the block are computed for equal ones behind
    // them.
    llvm::sort(*slices, [](Operation *lhs, Operation *rhs) {
      return lhs->isBeforeInBlock(rhs);
    });
    for (auto [number, slice] : llvm::enumerate(*slices)) {
      tensor::ExtractSliceOp same =
          findSame(ArrayRef(*slices).take_front(number), slice);
      Value value = same && same.getType() == slice.getType()
                        ? computed[llvm::find(*slices, same) - slices->begin()]
                        : computeSlice(rewriter, op, slice);
      if (!value || value.getType() != slice.getType()) {
        LDBG() << "not a tile of " << op->getName() << ": " << slice;
        created.eraseUnused();
        return false;
      }
      computed.push_back(value);
    }
  }
  for (auto [slice, value] : llvm::zip_equal(*slices, computed))
    rewriter.replaceOp(slice, value);
  // `tensor.dim` ops of the result must not keep it alive.
  foldSizes(rewriter, op);
  if (isOpTriviallyDead(op))
    rewriter.eraseOp(op);
  return true;
}

/// Takes slices of `op`, a concatenation, from its parts, without computing
/// anything.
static void sliceParts(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      if (Value value = resolveSlice(rewriter, slice))
        rewriter.replaceOp(slice, value);
  if (llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::DimOp>))
    foldSizes(rewriter, op);
  if (op->use_empty())
    rewriter.eraseOp(op);
}

unsigned
mlir::linalg_ext::sliceProducers(RewriterBase &rewriter, Operation *scope,
                                 function_ref<bool(Operation *)> filter) {
  SmallVector<Block *> blocks;
  scope->walk([&](Block *block) { blocks.push_back(block); });
  unsigned numSplit = 0;
  for (Block *block : blocks) {
    // Visit users first: when they are split, they slice their producers.
    Operation *op = block->empty() ? nullptr : &block->back();
    while (op) {
      Operation *previous = op->getPrevNode();
      if (isa<tensor::ConcatOp, tensor::InsertSliceOp>(op))
        sliceParts(rewriter, op);
      else if (isa<tensor::EmptyOp, linalg::FillOp>(op))
        (void)splitProducer(rewriter, op);
      else if (filter(op))
        numSplit += splitProducer(rewriter, op);
      op = previous;
    }
  }
  return numSplit;
}
