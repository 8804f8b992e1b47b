//===- PrivatizeDestinations.cpp - One destination for each op ------------===//
//
// CSE merges uninitialised tensors of one type, and fills of them with one
// value, even if several ops write to them. Two such ops conflict, and
// bufferization resolves the conflict with a copy, maybe in a loop. It is
// cheaper to create the tensor again than to copy it, so this file gives each
// op its own. If possible, an elementwise op overwrites an input that has no
// later use instead. A result that is then collapsed is computed in a tensor of
// the final shape. A call that takes a tensor as unranked, and may write to it,
// gets a copy.
//
//===----------------------------------------------------------------------===//

#include "TiedDestination.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether the workgroups of `loop` only write scalars, like a fill.
static bool isFill(scf::ForallOp loop) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  return loop.getOutputs().size() == 1 && llvm::none_of(used, [](Value value) {
           return isa<TensorType, BaseMemRefType>(value.getType());
         });
}

/// Returns the ops that create `value`, which `user` reads, if these are a
/// slice or a fill of an uninitialised tensor. The last op comes first. Returns
/// an empty list otherwise. A loop over workgroups does not repeat the fill of
/// another one.
static SmallVector<Operation *> getUninitialisedChain(Value value,
                                                      Operation *user) {
  bool isInWorkgroup = user->getParentOfType<scf::ForallOp>() != nullptr;
  SmallVector<Operation *> chain;
  while (Operation *op = value.getDefiningOp()) {
    chain.push_back(op);
    if (isa<tensor::EmptyOp>(op))
      return chain;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      value = slice.getSource();
    else if (auto fill = dyn_cast<linalg::FillOp>(op))
      value = fill.getDpsInits().front();
    else if (auto loop = dyn_cast<scf::ForallOp>(op);
             loop && !isInWorkgroup && isFill(loop))
      value = loop.getOutputs().front();
    else if (auto cast = dyn_cast<tensor::CastOp>(op))
      value = cast.getSource();
    else
      break;
  }
  return {};
}

/// Returns whether the owner of `operand` may write to the buffer of `operand`.
static bool isDestination(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.isDpsInit(&operand);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return llvm::is_contained(llvm::make_pointer_range(loop.getInitsMutable()),
                              &operand);
  return false;
}

/// Returns an input of an elementwise op that can be overwritten with the
/// result, instead of the uninitialised tensor in `destination`. The input must
/// have the same type, be read at the same coordinates, be computed by an op in
/// the same block, and have its last use here.
static Value getReusableInput(OpOperand &destination) {
  auto op = dyn_cast<linalg::LinalgOp>(destination.getOwner());
  if (!op || !op.isDpsInit(&destination) || !linalg::isElementwise(op) ||
      op.payloadUsesValueFromOperand(&destination))
    return nullptr;
  SmallVector<Operation *> chain = getUninitialisedChain(destination.get(), op);
  if (chain.empty() || llvm::any_of(chain, llvm::IsaPred<linalg::FillOp>))
    return nullptr;
  AffineMap map = op.getMatchingIndexingMap(&destination);
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    auto producer = value.getDefiningOp<linalg::LinalgOp>();
    if (!producer || producer->getBlock() != op->getBlock() ||
        value.getType() != destination.get().getType() ||
        op.getMatchingIndexingMap(input) != map ||
        llvm::is_contained(op.getDpsInits(), value))
      continue;
    bool last = llvm::all_of(value.getUsers(), [&](Operation *user) {
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      return ancestor == op.getOperation() ||
             (ancestor && ancestor->isBeforeInBlock(op));
    });
    if (last)
      return value;
  }
  return nullptr;
}

/// Returns the destination operand of the ops that compute the source of
/// `insert`, if this destination is the slice that `insert` writes to, so that
/// the source is computed in place. Returns null otherwise.
static OpOperand *getInsertedPart(tensor::InsertSliceOp insert) {
  Value value = insert.getSource();
  while (value.hasOneUse()) {
    OpOperand *destination = getTiedDestination(value);
    if (!destination)
      return nullptr;
    value = destination->get();
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    if (slice && slice.getSource() == insert.getDest() &&
        slice.getType() == insert.getSourceType() &&
        slice.getMixedOffsets() == insert.getMixedOffsets() &&
        slice.getMixedSizes() == insert.getMixedSizes() &&
        slice.getMixedStrides() == insert.getMixedStrides())
      return destination;
  }
  return nullptr;
}

/// Gives each insertion into an uninitialised tensor a tensor of its own, if
/// its source is computed in place. Nothing else may write to the tensor.
/// Returns the operands that are then private.
static llvm::SmallPtrSet<OpOperand *, 8>
privatizeInsertedParts(RewriterBase &rewriter, Operation *scope) {
  llvm::SmallPtrSet<OpOperand *, 8> done;
  SmallVector<tensor::InsertSliceOp> inserts;
  scope->walk([&](tensor::InsertSliceOp op) { inserts.push_back(op); });
  for (tensor::InsertSliceOp insert : inserts) {
    Value dest = insert.getDest();
    SmallVector<Operation *> chain = getUninitialisedChain(dest, insert);
    OpOperand *part = chain.empty() ? nullptr : getInsertedPart(insert);
    if (!part || part->getOwner()->getBlock() != insert->getBlock())
      continue;
    auto slice = part->get().getDefiningOp<tensor::ExtractSliceOp>();
    bool isShared = llvm::any_of(chain, [&](Operation *op) {
      return !llvm::hasNItems(op->getUses(), op->getResult(0) == dest ? 2 : 1);
    });
    if (isShared || !slice->hasOneUse()) {
      // The sizes are defined behind the slice, which may be further up.
      rewriter.setInsertionPoint(part->getOwner());
      IRMapping own;
      for (Operation *op : llvm::reverse(chain))
        rewriter.clone(*op, own);
      Operation *ownSlice = rewriter.clone(*slice, own);
      rewriter.modifyOpInPlace(part->getOwner(),
                               [&] { part->set(ownSlice->getResult(0)); });
      rewriter.modifyOpInPlace(
          insert, [&] { insert.getDestMutable().set(own.lookup(dest)); });
      if (slice->use_empty())
        rewriter.eraseOp(slice);
      for (Operation *op : chain)
        if (op->use_empty())
          rewriter.eraseOp(op);
    }
    done.insert(part);
    done.insert(&insert.getDestMutable());
  }
  return done;
}

/// If the only use of `result`, of a branch, is to write it to a part of a
/// tensor that exists before the branch, builds this part before the branch,
/// with the type of `result`, and returns it.
static Value getPartOfDestination(RewriterBase &rewriter, OpResult result) {
  if (!result.hasOneUse())
    return nullptr;
  OpOperand &use = *result.use_begin();
  auto insert = dyn_cast<SubsetInsertionOpInterface>(use.getOwner());
  if (!insert || &insert.getSourceOperand() != &use ||
      !isa<TensorType>(insert.getDestinationOperand().get().getType()))
    return nullptr;
  if (failed(moveValueDefinitions(
          rewriter, insert.getValuesNeededToBuildSubsetExtraction(),
          result.getOwner())))
    return nullptr;
  Value part = insert.buildSubsetExtraction(rewriter, result.getLoc());
  if (part.getType() == result.getType())
    return part;
  if (part.use_empty() && part.getDefiningOp())
    rewriter.eraseOp(part.getDefiningOp());
  return nullptr;
}

/// For each branch whose regions compute a result in place of one uninitialised
/// tensor: makes them start from the part that the result is written to, or
/// from a separate tensor. The start has only one use, a cast, because
/// upstream's eliminate-empty-tensors (22.1.8) replaces only one use.
/// Bufferization (22.1.8) does not recognise that the cast is such a part if
/// several regions start from it, and would copy. Adds the operands that are
/// then private to `done`.
static void
privatizeStartsOfBranches(RewriterBase &rewriter, Operation *scope,
                          llvm::SmallPtrSetImpl<OpOperand *> &done) {
  SmallVector<scf::IfOp> branches;
  scope->walk<WalkOrder::PreOrder>([&](scf::IfOp op) {
    if (op->getNumResults() > 0)
      branches.push_back(op);
  });
  for (scf::IfOp op : branches)
    for (OpResult result : op->getResults()) {
      SmallVector<OpOperand *> starts;
      Value start = getStartOfBranch(op, result.getResultNumber(), starts);
      SmallVector<Operation *> chain;
      // The starts of an inner branch are those of the outer one.
      if (start && isa<RankedTensorType>(start.getType()) &&
          !done.contains(starts.front()))
        chain = getUninitialisedChain(start, op);
      if (chain.empty())
        continue;
      // The result has the sizes of its start.
      rewriter.replaceUsesWithIf(result, start, [](OpOperand &use) {
        return isa<tensor::DimOp>(use.getOwner());
      });
      rewriter.setInsertionPoint(op);
      Value tensor;
      if (llvm::none_of(chain, llvm::IsaPred<linalg::FillOp, scf::ForallOp>))
        tensor = getPartOfDestination(rewriter, result);
      if (!tensor) {
        IRMapping own;
        for (Operation *each : llvm::reverse(chain))
          rewriter.clone(*each, own);
        tensor = tensor::CastOp::create(rewriter, op.getLoc(), start.getType(),
                                        own.lookup(start));
      }
      for (OpOperand *each : starts) {
        rewriter.modifyOpInPlace(each->getOwner(), [&] { each->set(tensor); });
        done.insert(each);
      }
      for (Operation *each : chain)
        if (each->use_empty())
          rewriter.eraseOp(each);
    }
}

/// Moves the op that computes a part of a tensor after the op that computes the
/// tensor, so that the part can be written in its place.
static void computePartsLate(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](tensor::InsertSliceOp insert) {
    Operation *source = insert.getSource().getDefiningOp();
    Operation *destination = insert.getDest().getDefiningOp();
    if (!source || !destination || source->getNumResults() != 1 ||
        !source->hasOneUse() || source->getBlock() != insert->getBlock() ||
        destination->getBlock() != insert->getBlock() ||
        !source->isBeforeInBlock(destination) || !isMemoryEffectFree(source))
      return;
    rewriter.moveOpBefore(source, insert);
  });
}

/// Gives each call a copy of a tensor that it takes as unranked, if other ops
/// read the tensor. The callee may write to its argument, and bufferization
/// cannot copy unranked tensors.
static void copyForCalls(RewriterBase &rewriter, Operation *scope) {
  SmallVector<OpOperand *> arguments;
  scope->walk([&](CallOpInterface call) {
    for (OpOperand &operand : call->getOpOperands())
      if (isa<UnrankedTensorType>(operand.get().getType()))
        arguments.push_back(&operand);
  });
  for (OpOperand *argument : arguments) {
    auto cast = argument->get().getDefiningOp<tensor::CastOp>();
    auto type = cast ? dyn_cast<RankedTensorType>(cast.getSource().getType())
                     : RankedTensorType();
    if (!type || (cast->hasOneUse() && cast.getSource().hasOneUse() &&
                  cast.getSource().getDefiningOp()))
      continue;
    rewriter.setInsertionPoint(argument->getOwner());
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, cast.getLoc(), type, /*dynamicSizes=*/ValueRange(),
        /*copy=*/cast.getSource());
    Value unranked =
        tensor::CastOp::create(rewriter, cast.getLoc(), cast.getType(), copy);
    rewriter.modifyOpInPlace(argument->getOwner(),
                             [&] { argument->set(unranked); });
    if (cast->use_empty())
      rewriter.eraseOp(cast);
  }
}

/// Erases deallocations of buffers that the program allocates in the same
/// block. Upstream's deallocation refuses programs that have deallocations, and
/// adds them itself.
static void dropDeallocations(RewriterBase &rewriter, Operation *scope) {
  SmallVector<memref::DeallocOp> deallocations;
  scope->walk([&](memref::DeallocOp op) {
    auto alloc = op.getMemref().getDefiningOp<memref::AllocOp>();
    if (alloc && alloc->getBlock() == op->getBlock())
      deallocations.push_back(op);
  });
  for (memref::DeallocOp op : deallocations)
    rewriter.eraseOp(op);
}

void mlir::linalg_ext::privatizeDestinations(RewriterBase &rewriter,
                                             Operation *scope) {
  dropDeallocations(rewriter, scope);
  computePartsLate(rewriter, scope);
  OpBuilder::InsertionGuard insertionGuard(rewriter);
  copyForCalls(rewriter, scope);
  llvm::SmallPtrSet<OpOperand *, 8> done =
      privatizeInsertedParts(rewriter, scope);
  privatizeStartsOfBranches(rewriter, scope, done);
  SmallVector<OpOperand *> destinations;
  scope->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          isDestination(operand) && !done.contains(&operand))
        destinations.push_back(&operand);
  });
  for (OpOperand *operand : destinations) {
    if (Value reusable = getReusableInput(*operand)) {
      rewriter.modifyOpInPlace(operand->getOwner(),
                               [&] { operand->set(reusable); });
      continue;
    }
    SmallVector<Operation *> chain =
        getUninitialisedChain(operand->get(), operand->getOwner());
    // A chain that only this op uses, in its own block, is private already. The
    // chain of a fill is visited with the destination of the fill.
    bool shared = llvm::any_of(chain, [&](Operation *op) {
      return !op->hasOneUse() ||
             op->getBlock() != operand->getOwner()->getBlock();
    });
    if (!shared || isa<linalg::FillOp>(operand->getOwner()))
      continue;
    rewriter.setInsertionPoint(operand->getOwner());
    IRMapping mapping;
    for (Operation *op : llvm::reverse(chain))
      rewriter.clone(*op, mapping);
    rewriter.modifyOpInPlace(operand->getOwner(), [&] {
      operand->set(mapping.lookup(operand->get()));
    });
    for (Operation *op : chain)
      if (op->use_empty())
        rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// Destinations of the shape of what becomes of them
//===----------------------------------------------------------------------===//

/// Returns the destination operand of `value` if the destination has no other
/// use, and null otherwise.
static OpOperand *getOnlyDestination(Value value) {
  OpOperand *destination = getTiedDestination(value);
  return destination && destination->get().hasOneUse() ? destination : nullptr;
}

void mlir::linalg_ext::reshapeDestinations(RewriterBase &rewriter,
                                           Operation *scope) {
  SmallVector<tensor::CollapseShapeOp> reshapes;
  scope->walk([&](tensor::CollapseShapeOp op) { reshapes.push_back(op); });
  OpBuilder::InsertionGuard guard(rewriter);
  for (tensor::CollapseShapeOp op : reshapes) {
    // 1. Find the uninitialised tensor that the op before the reshape writes
    //    to.
    Value value = op.getSrc();
    if (!value.hasOneUse())
      continue;
    OpOperand *destination = getOnlyDestination(value);
    while (destination &&
           !destination->get().getDefiningOp<tensor::EmptyOp>()) {
      if (destination->get().getType() != op.getSrcType())
        destination = nullptr;
      else
        destination = getOnlyDestination(destination->get());
    }
    if (!destination || destination->get().getType() != op.getSrcType())
      continue;
    // 2. Replace it by a reshape of a tensor with the final shape.
    auto empty = destination->get().getDefiningOp<tensor::EmptyOp>();
    rewriter.setInsertionPoint(empty);
    Location loc = empty.getLoc();
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes(), merged;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      AffineExpr product = rewriter.getAffineConstantExpr(1);
      SmallVector<OpFoldResult> factors;
      for (int64_t dim : group) {
        product = product * rewriter.getAffineSymbolExpr(factors.size());
        factors.push_back(sizes[dim]);
      }
      merged.push_back(affine::makeComposedFoldedAffineApply(rewriter, loc,
                                                             product, factors));
    }
    auto type = cast<RankedTensorType>(op.getType());
    Value final = tensor::EmptyOp::create(
        rewriter, loc, merged, type.getElementType(), type.getEncoding());
    if (final.getType() != type)
      final = tensor::CastOp::create(rewriter, loc, type, final);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        empty, empty.getType(), final, op.getReassociationIndices(), sizes);
  }
}
