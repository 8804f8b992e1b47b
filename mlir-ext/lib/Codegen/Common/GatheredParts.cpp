//===- GatheredParts.cpp - Parts of concatenations that are gathers -------===//
//
// If a part of a concatenation is a gather, a slice of this part is gathered
// where it is taken, and dequantized there. This costs no more than reading a
// stored result.
//
//===----------------------------------------------------------------------===//

#include "ReadParts.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-gathered-parts"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `op` is elementwise, and `isAllowed` is true for each op of
/// its payload.
static bool isElementwiseOf(Operation *op,
                            function_ref<bool(Operation &)> isAllowed) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.isAllParallelLoops() && generic->getNumResults() == 1 &&
         generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
             .isPermutation() &&
         llvm::all_of(generic.getBody()->without_terminator(),
                      [&](Operation &nested) {
                        return isMemoryEffectFree(&nested) &&
                               nested.getNumRegions() == 0 && isAllowed(nested);
                      });
}

/// Returns whether `op`, in a payload, takes only a few instructions.
static bool isCheap(Operation &op) {
  return !isa<math::MathDialect>(op.getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp>(op);
}

/// Returns whether `op` computes only integers, such as the starts of
/// sequences.
static bool computesIntegers(Operation *op) {
  return isElementwiseOf(op, [](Operation &nested) {
    return llvm::all_of(nested.getResultTypes(),
                        [](Type type) { return type.isIntOrIndex(); });
  });
}

/// Returns whether `op` extracts elements of a tensor, and does little
/// arithmetic with them.
static bool isGather(Operation *op) {
  if (isa_and_nonnull<PagedGatherOp>(op))
    return true;
  bool extracts = false;
  return isElementwiseOf(op,
                         [&](Operation &nested) {
                           extracts |= isa<tensor::ExtractOp>(nested);
                           return isCheap(nested);
                         }) &&
         extracts;
}

/// Returns whether `op` gathers elements, or does little arithmetic with
/// gathered elements, as a dequantization does. To repeat it costs no more than
/// to read its result.
static bool isGathered(Operation *op) {
  return isGather(op) ||
         (isElementwiseOf(op, isCheap) &&
          llvm::any_of(
              cast<linalg::GenericOp>(op).getDpsInputs(),
              [](Value input) { return isGather(input.getDefiningOp()); }));
}

/// The mark of gathered parts. An attribute, because copies of loops may have
/// copies of the gathers.
static constexpr llvm::StringLiteral kGatheredPart("__gathered_part__");

void mlir::linalg_ext::markGatheredParts(Operation *scope) {
  scope->walk([&](tensor::ExtractSliceOp slice) {
    std::optional<Concatenation> concatenation = getSliced(slice);
    if (!concatenation || !slice->getParentOfType<LoopLikeOpInterface>())
      return;
    for (Value part : concatenation->parts)
      if (isGathered(part.getDefiningOp()))
        part.getDefiningOp()->setAttr(kGatheredPart,
                                      UnitAttr::get(scope->getContext()));
  });
}

SetVector<Operation *> mlir::linalg_ext::takeGatheredParts(Operation *scope) {
  SetVector<Operation *> gathers;
  scope->walk([&](Operation *op) {
    if (op->removeAttr(kGatheredPart))
      gathers.insert(op);
  });
  return gathers;
}

/// Computes slices of `op` where they are taken, if nothing else reads it, and
/// all slices are in loops. Adds to `gathers` the ops of which the tiles then
/// take slices. Erases `op`, which `gathers` must not have.
static void computeSlices(RewriterBase &rewriter, Operation *op,
                          SetVector<Operation *> &gathers) {
  Value result = op->getResult(0);
  if (!isOnlySliced(result) ||
      llvm::any_of(result.getUsers(), [&](Operation *user) {
        auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
        return slice && (!slice.hasUnitStride() ||
                         slice->getParentRegion() == op->getParentRegion());
      }))
    return;
  LDBG() << "computed where it is read: " << *op;
  for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      continue;
    rewriter.setInsertionPoint(slice);
    FailureOr<TilingResult> tile = tensor::replaceExtractSliceWithTiledProducer(
        rewriter, slice, cast<OpResult>(result));
    if (failed(tile))
      return;
    Value value = tile->tiledValues.front();
    if (value.getType() != slice.getType())
      value = tensor::CastOp::create(rewriter, slice.getLoc(), slice.getType(),
                                     value);
    rewriter.replaceOp(slice, value);
  }
  foldSizes(rewriter, op);
  // The tiles take slices of these ops. (A gather reads all of its table.)
  if (auto gather = dyn_cast<PagedGatherOp>(op)) {
    for (Value value : {gather.getStarts(), gather.getLengths()})
      if (value && computesIntegers(value.getDefiningOp()))
        gathers.insert(value.getDefiningOp());
  } else {
    for (Value input : cast<linalg::GenericOp>(op).getDpsInputs())
      if (isGather(input.getDefiningOp()))
        gathers.insert(input.getDefiningOp());
  }
  if (op->use_empty())
    rewriter.eraseOp(op);
}

void mlir::linalg_ext::computeGatheredSlices(RewriterBase &rewriter,
                                             SetVector<Operation *> gathers) {
  while (!gathers.empty())
    computeSlices(rewriter, gathers.pop_back_val(), gathers);
}
