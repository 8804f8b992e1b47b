//===- PrivatizeDestinations.cpp - One destination for each op ------------===//
//
// CSE merges uninitialised tensors of one type, and fills of them with one
// value, even if several ops write to them. Two such ops conflict, and
// bufferization resolves the conflict with a copy, maybe in a loop. It is
// cheaper to create the tensor again than to copy it, so this file gives each
// op its own. If possible, an elementwise op overwrites an input that has no
// later use instead.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Whether the workgroups of `loop` write scalars alone: a fill.
static bool isFill(scf::ForallOp loop) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  return loop.getOutputs().size() == 1 && llvm::none_of(used, [](Value value) {
           return isa<TensorType, BaseMemRefType>(value.getType());
         });
}

/// Returns the ops that compute `value` from nothing, last one first: a slice
/// of, or a fill of, an uninitialised tensor. Empty if it is something else.
static SmallVector<Operation *> getUninitialisedChain(Value value) {
  SmallVector<Operation *> chain;
  while (Operation *op = value.getDefiningOp()) {
    chain.push_back(op);
    if (isa<tensor::EmptyOp>(op))
      return chain;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      value = slice.getSource();
    else if (auto fill = dyn_cast<linalg::FillOp>(op))
      value = fill.getDpsInits().front();
    else if (auto loop = dyn_cast<scf::ForallOp>(op); loop && isFill(loop))
      value = loop.getOutputs().front();
    else if (auto cast = dyn_cast<tensor::CastOp>(op))
      value = cast.getSource();
    else
      break;
  }
  return {};
}

/// Returns whether the owner of `operand` may write to its buffer.
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
/// result instead of the uninitialised tensor in `destination`: of the same
/// type, read at the same coordinates, computed by an op of the same block and
/// used last here.
static Value getReusableInput(OpOperand &destination) {
  auto op = dyn_cast<linalg::LinalgOp>(destination.getOwner());
  if (!op || !op.isDpsInit(&destination) || !linalg::isElementwise(op) ||
      op.payloadUsesValueFromOperand(&destination))
    return nullptr;
  SmallVector<Operation *> chain = getUninitialisedChain(destination.get());
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

/// Returns the destination operand of the op that computes `value`, or null.
static OpOperand *getTiedDestination(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return dps.getTiedOpOperand(result);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner()))
    return loop.getTiedLoopInit(result);
  return nullptr;
}

/// Returns the destination operand of the ops that compute the source of
/// `insert`, if it is the slice that `insert` writes to. The source is then
/// computed in its place. Returns null otherwise.
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

/// Gives each insertion into an uninitialised tensor, whose source is computed
/// in its place, a tensor of its own. Nothing else may write to it. Returns the
/// operands that are private afterwards.
static llvm::SmallPtrSet<OpOperand *, 8>
privatizeInsertedParts(RewriterBase &rewriter, Operation *scope) {
  llvm::SmallPtrSet<OpOperand *, 8> done;
  SmallVector<tensor::InsertSliceOp> inserts;
  scope->walk([&](tensor::InsertSliceOp op) { inserts.push_back(op); });
  for (tensor::InsertSliceOp insert : inserts) {
    Value dest = insert.getDest();
    SmallVector<Operation *> chain = getUninitialisedChain(dest);
    OpOperand *part = chain.empty() ? nullptr : getInsertedPart(insert);
    if (!part || part->getOwner()->getBlock() != insert->getBlock())
      continue;
    auto slice = part->get().getDefiningOp<tensor::ExtractSliceOp>();
    bool isShared = llvm::any_of(chain, [&](Operation *op) {
      return !llvm::hasNItems(op->getUses(), op->getResult(0) == dest ? 2 : 1);
    });
    if (isShared || !slice->hasOneUse()) {
      // Behind the slice, which may be further up, its sizes are known.
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

void mlir::linalg_ext::privatizeDestinations(RewriterBase &rewriter,
                                             Operation *scope) {
  computePartsLate(rewriter, scope);
  OpBuilder::InsertionGuard insertionGuard(rewriter);
  llvm::SmallPtrSet<OpOperand *, 8> done =
      privatizeInsertedParts(rewriter, scope);
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
    SmallVector<Operation *> chain = getUninitialisedChain(operand->get());
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
/// use, else null.
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
    // 1. Find the uninitialised tensor that the op in front writes to.
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
    // 2. That is a part of a tensor of the final shape.
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
    Value final = tensor::EmptyOp::create(rewriter, loc, merged,
                                          op.getType().getElementType());
    if (final.getType() != op.getType())
      final = tensor::CastOp::create(rewriter, loc, op.getType(), final);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        empty, empty.getType(), final, op.getReassociationIndices(), sizes);
  }
}

//===----------------------------------------------------------------------===//
// Destinations that are buffers
//===----------------------------------------------------------------------===//

/// Lets ops compute a value in the buffer that it is materialized in, without a
/// copy, if nothing else accesses the buffer. (The old contents may be read
/// until then: bufferization sees to that.)
void mlir::linalg_ext::computeInBuffers(RewriterBase &rewriter,
                                        Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  DominanceInfo dominance;
  scope->walk([&](bufferization::MaterializeInDestinationOp op) {
    Value value = op.getSource(), buffer = op.getDest();
    bool isAccessed = llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      return user != op && !isa<memref::DimOp>(user);
    });
    if (!isa<BaseMemRefType>(buffer.getType()) || !op.getRestrict() ||
        !op.getWritable() || isAccessed)
      return;
    OpOperand *destination = getTiedDestination(value);
    while (destination && !destination->get().getDefiningOp<tensor::EmptyOp>())
      destination = getTiedDestination(destination->get());
    if (!destination || destination->get().getType() != value.getType())
      return;
    auto empty = destination->get().getDefiningOp<tensor::EmptyOp>();
    // In a branch, or in a loop, it may not be written at all.
    if (empty->getBlock() != op->getBlock() ||
        !dominance.properlyDominates(buffer, empty) ||
        memref::getTensorTypeFromMemRefType(buffer.getType()) !=
            value.getType())
      return;
    rewriter.setInsertionPoint(empty);
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        empty, value.getType(), buffer, /*restrict=*/true, /*writable=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Buffers that are overwritten
//===----------------------------------------------------------------------===//

/// Whether `op` reads of its operand only what `insert` writes, or what no
/// other iteration of the loop of `insert`, whose insertions are disjoint,
/// writes.
static bool readsInserted(Operation *op, tensor::ParallelInsertSliceOp insert) {
  auto loop = cast<scf::ForallOp>(insert->getParentOfType<scf::ForallOp>());
  // The step of the loop that the insertion starts at along `dim`, or 0.
  auto getStep = [&](unsigned dim) -> int64_t {
    auto offset = dyn_cast<Value>(insert.getMixedOffsets()[dim]);
    for (auto [iv, step] :
         llvm::zip_equal(loop.getInductionVars(), loop.getMixedStep()))
      if (offset == iv)
        return getConstantIntValue(step).value_or(0);
    return 0;
  };
  IndexAnalysis analysis;
  auto isWhole = [&](unsigned dim) {
    return isZeroInteger(insert.getMixedOffsets()[dim]) &&
           analysis.getSize(insert.getDest(), dim) ==
               analysis.get(insert.getMixedSizes()[dim]);
  };
  unsigned rank = insert.getDestType().getRank();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    for (unsigned dim = 0; dim < rank; ++dim)
      if (!isWhole(dim) &&
          (!isEqualConstantIntOrValue(slice.getMixedOffsets()[dim],
                                      insert.getMixedOffsets()[dim]) ||
           !isEqualConstantIntOrValue(slice.getMixedSizes()[dim],
                                      insert.getMixedSizes()[dim])))
        return false;
    return slice.hasUnitStride();
  }
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read)
    return false;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (isWhole(dim))
      continue;
    int64_t extent = 1;
    if (std::optional<unsigned> at = read.getPermutationMap().getResultPosition(
            getAffineDimExpr(dim, op->getContext())))
      extent = read.getVectorType().getDimSize(*at);
    if (!isEqualConstantIntOrValue(OpFoldResult(read.getIndices()[dim]),
                                   insert.getMixedOffsets()[dim]) ||
        extent > getStep(dim))
      return false;
  }
  return true;
}

/// Computes in the buffer that is read. A tensor of a buffer is read by tiles,
/// and what is computed from each is the same tile of what is written to the
/// buffer: a softmax in place. The loop over tiles then overwrites the tensor.
void mlir::linalg_ext::overwriteBuffers(RewriterBase &rewriter,
                                        Operation *scope) {
  scope->walk([&](bufferization::MaterializeInDestinationOp op) {
    Value buffer = op.getDest();
    if (!isa<BaseMemRefType>(buffer.getType()) || !op.getWritable())
      return;
    bufferization::ToTensorOp source;
    for (Operation *user : buffer.getUsers()) {
      if (user == op || isa<memref::DimOp>(user))
        continue;
      auto tensor = dyn_cast<bufferization::ToTensorOp>(user);
      if (!tensor || source || !tensor.getRestrict())
        return;
      source = tensor;
    }
    // A tensor that is taken after the write is of what has been written.
    if (!source || source.getType() != op.getSource().getType() ||
        (source->getBlock() == op->getBlock() && op->isBeforeInBlock(source)))
      return;
    // It is another tensor of the buffer, whatever it says.
    if (op.getRestrict())
      rewriter.modifyOpInPlace(op, [&] { op.setRestrict(false); });
    auto result = dyn_cast<OpResult>(op.getSource());
    auto loop =
        result ? dyn_cast<scf::ForallOp>(result.getOwner()) : scf::ForallOp();
    if (!loop || loop->getBlock() != source->getBlock() ||
        !source->isBeforeInBlock(loop))
      return;
    // 1. The tiles. A loop that computes one may read behind what it wrote.
    OpOperand *init = loop.getTiedOpOperand(result);
    BlockArgument out = loop.getTiedBlockArgument(init);
    SmallVector<Operation *> combining = loop.getCombiningOps(out);
    auto insert = combining.size() == 1
                      ? dyn_cast<tensor::ParallelInsertSliceOp>(combining[0])
                      : tensor::ParallelInsertSliceOp();
    if (!insert || !insert.hasUnitStride() || insert.getDroppedDims().any() ||
        (!init->get().getDefiningOp<tensor::EmptyOp>() &&
         init->get() != source.getResult()) ||
        isa_and_nonnull<LoopLikeOpInterface>(
            insert.getSource().getDefiningOp()))
      return;
    // 2. All that reads the tensor is in front of the loop, or a tile.
    SmallVector<OpOperand *> reads;
    for (OpOperand &use : source.getResult().getUses()) {
      Operation *user = use.getOwner();
      if (isa<tensor::DimOp>(user) || &use == init)
        continue;
      Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
      if (!here || (here != loop && !here->isBeforeInBlock(loop)) ||
          (here == loop && (user == loop || !readsInserted(user, insert))))
        return;
      if (here == loop)
        reads.push_back(&use);
    }
    rewriter.modifyOpInPlace(source, [&] { source.setWritable(true); });
    rewriter.modifyOpInPlace(loop, [&] { init->set(source.getResult()); });
    for (OpOperand *read : reads)
      rewriter.modifyOpInPlace(read->getOwner(), [&] { read->set(out); });
  });
}

//===----------------------------------------------------------------------===//
// Tensors that loops carry
//===----------------------------------------------------------------------===//

/// Returns whether `value` is computed in a tensor that `body` creates, so that
/// it is not in the buffer of an iteration argument.
static bool isCreatedIn(Value value, Block *body) {
  while (Operation *op = value.getDefiningOp()) {
    if (!body->findAncestorOpInBlock(*op))
      return false;
    if (isa<tensor::EmptyOp>(op))
      return true;
    if (OpOperand *destination = getTiedDestination(value))
      value = destination->get();
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp>(op))
      value = op->getOperand(0);
    else
      return false;
  }
  return false;
}

/// Whether `value` is an argument of a function, or a view of one.
static bool isOfFunctionArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return isa<FunctionOpInterface>(
      cast<BlockArgument>(value).getOwner()->getParentOp());
}

/// Writes the tensors that `yield` hands on, and that `body` creates, to
/// `args`, which start as `inits`.
static void writeToArguments(RewriterBase &rewriter, Operation *yield,
                             Block *body, ValueRange args,
                             MutableOperandRange inits) {
  // A write would come before the read of an argument that moves.
  for (auto [value, arg] : llvm::zip_equal(yield->getOperands(), args))
    if (isa<BlockArgument>(value) && value != arg)
      return;
  for (auto [i, arg] : llvm::enumerate(args)) {
    OpOperand &yielded = yield->getOpOperand(i), &init = inits[i];
    Value value = yielded.get(), start = init.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type != arg.getType() || type != start.getType() ||
        !isCreatedIn(value, body))
      continue;
    rewriter.setInsertionPoint(yield);
    Value written = bufferization::MaterializeInDestinationOp::create(
                        rewriter, yield->getLoc(), type, value, arg)
                        .getResult();
    rewriter.modifyOpInPlace(yield, [&] { yielded.set(written); });
    // The program writes nothing to what the caller passes.
    if (!isOfFunctionArgument(start))
      continue;
    rewriter.setInsertionPoint(init.getOwner());
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, init.getOwner()->getLoc(), type,
        /*dynamicSizes=*/ValueRange(),
        /*copy=*/start);
    rewriter.modifyOpInPlace(init.getOwner(), [&] { init.set(copy); });
  }
}

void mlir::linalg_ext::carryInBuffers(RewriterBase &rewriter,
                                      Operation *scope) {
  scope->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      writeToArguments(rewriter, loop.getBody()->getTerminator(),
                       loop.getBody(), loop.getRegionIterArgs(),
                       loop.getInitArgsMutable());
    // The condition hands on all arguments as they are.
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (loop &&
        llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
      writeToArguments(rewriter, loop.getYieldOp(), loop.getAfterBody(),
                       loop.getAfterArguments(), loop.getInitsMutable());
  });
}
