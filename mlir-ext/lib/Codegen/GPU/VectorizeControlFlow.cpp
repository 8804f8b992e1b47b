//===- VectorizeControlFlow.cpp - Loops and branches that carry tiles -----===//
//
// A loop or branch carries vectors instead of tensors. A loop over parts, which
// subgroups share, is computed at once, on vectors of all parts (BatchParts.cpp).
// Its results have a *slot* for each part, along their first dimension.
//
//===----------------------------------------------------------------------===//

#include "BatchParts.h"
#include "TileVectorizer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether all uses of `tensor`, of `shape`, in the op that has it as
/// an argument, use the whole tensor.
bool TileVectorizer::isUsedAsTile(Value tensor, const TileShape &shape) {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      return isWhole(slice.getMixedOffsets(), slice.getMixedSizes(), shape);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return use.get() == insert.getSource() ||
             isWhole(insert.getMixedOffsets(), insert.getMixedSizes(), shape);
    if (auto loop = dyn_cast<scf::ForOp>(user))
      return isUsedAsTile(loop.getTiedLoopRegionIterArg(&use), shape);
    return !isa<tensor::ExtractOp, tensor::InsertOp>(user);
  });
}

LogicalResult TileVectorizer::visitFor(scf::ForOp op) {
  // 1. Find the tensors that become vectors.
  SmallVector<std::optional<TileShape>> carried;
  for (auto [init, arg] :
       llvm::zip_equal(op.getInits(), op.getRegionIterArgs())) {
    carried.emplace_back();
    if (!isa<RankedTensorType>(arg.getType()))
      continue;
    FailureOr<TileShape> shape = getShape(init);
    if (failed(shape))
      continue;
    int64_t numElements = 1;
    for (int64_t bound : shape->bounds)
      numElements *= bound;
    if (numElements <= options.maxElements && isUsedAsTile(arg, *shape))
      carried.back() = *shape;
  }

  // Until the loop is replaced, its old body is used to find bounds. Record
  // there which sizes of carried tensors are known, because bounds of others
  // may depend on them.
  SmallVector<bool> keepsSizes;
  for (auto [result, init] : llvm::zip_equal(op.getResults(), op.getInits())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool keeps = true;
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        keeps &= ValueBoundsConstraintSet::areEqual({result, dim},
                                                    {init, dim}) == true;
    keepsSizes.push_back(keeps);
  }

  // 2. Build a loop that carries the vectors.
  SmallVector<Value> inits;
  for (auto [init, shape] : llvm::zip_equal(op.getInits(), carried))
    inits.push_back(shape          ? getWholeVector(init, *shape)
                    : isTile(init) ? materialize(init)
                                   : init);
  auto loop = scf::ForOp::create(rewriter, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> args{loop.getInductionVar()};
  for (auto [arg, vector, shape] : llvm::zip_equal(
           op.getRegionIterArgs(), loop.getRegionIterArgs(), carried)) {
    args.push_back(shape ? makePlaceholder(arg.getType(), vector, *shape)
                         : vector);
    if (slots.contains(arg))
      slots.insert(args.back());
  }
  if (!loop.getBody()->empty() &&
      loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    rewriter.eraseOp(loop.getBody()->getTerminator());
  SmallVector<Type> types(op.getBody()->getArgumentTypes());
  SmallVector<Location> locs(types.size(), op.getLoc());
  rewriter.mergeBlocks(op.getBody(), loop.getBody(), args);
  Block *stub = rewriter.createBlock(&op.getRegion(), {}, types, locs);
  SmallVector<Value> kept;
  for (auto [arg, keeps] :
       llvm::zip_equal(stub->getArguments().drop_front(), keepsSizes))
    kept.push_back(
        keeps ? Value(arg)
              : ub::PoisonOp::create(rewriter, op.getLoc(), arg.getType()));
  scf::YieldOp::create(rewriter, op.getLoc(), kept);
  visitBlock(*loop.getBody());

  // 3. Build its yield.
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> yielded;
  for (auto [value, shape] : llvm::zip_equal(yield.getOperands(), carried))
    yielded.push_back(shape           ? getWholeVector(value, *shape)
                      : isTile(value) ? materialize(value)
                                      : value);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> results;
  for (auto [old, vector, shape] :
       llvm::zip_equal(op.getResults(), loop.getResults(), carried)) {
    results.push_back(shape ? makePlaceholder(old.getType(), vector, *shape)
                            : vector);
    if (slots.contains(old))
      slots.insert(results.back());
  }
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult TileVectorizer::visitIf(scf::IfOp op) {
  for (Region &region : op->getRegions())
    if (!region.empty())
      visitBlock(region.front());
  if (op.getNumResults() == 0)
    return success();

  // The sizes must be defined before the branch, in at least one of its
  // regions.
  DominanceInfo dominance;
  scf::YieldOp yields[2] = {op.thenYield(), op.elseYield()};
  SmallVector<std::optional<TileShape>> shapes;
  for (OpResult result : op->getResults()) {
    shapes.emplace_back();
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    FailureOr<TileShape> both[2] = {
        getShape(yields[0].getOperand(result.getResultNumber())),
        getShape(yields[1].getOperand(result.getResultNumber()))};
    if (failed(both[0]) || failed(both[1]) ||
        both[0]->bounds != both[1]->bounds)
      continue;
    for (FailureOr<TileShape> &shape : both)
      if (llvm::all_of(shape->sizes, [&](OpFoldResult size) {
            auto value = dyn_cast<Value>(size);
            return !value || dominance.properlyDominates(value, op);
          }))
        shapes.back() = *shape;
  }
  SmallVector<Type> types;
  for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes))
    types.push_back(
        shape ? getTileValueType(shape->getVectorDims(), shape->bounds,
                                 getElementTypeOrSelf(result.getType()))
              : result.getType());
  for (scf::YieldOp yield : yields) {
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> yielded;
    for (auto [value, shape] : llvm::zip_equal(yield.getOperands(), shapes))
      yielded.push_back(shape           ? getWholeVector(value, *shape)
                        : isTile(value) ? materialize(value)
                                        : value);
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  }
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, op.getLoc(), types,
                                  op.getCondition(), /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getThenRegion());
  branch.getElseRegion().takeBody(op.getElseRegion());
  rewriter.setInsertionPointAfter(branch);
  SmallVector<Value> results;
  for (auto [old, vector, shape] :
       llvm::zip_equal(op.getResults(), branch.getResults(), shapes))
    results.push_back(shape ? makePlaceholder(old.getType(), vector, *shape)
                            : vector);
  rewriter.replaceOp(op, results);
  return success();
}

bool mlir::linalg_ext::isLoopOfParts(scf::ForallOp op) {
  std::optional<ArrayAttr> mapping = op.getMapping();
  if (op.getRank() != 1 || !op.isNormalized() ||
      !getConstantIntValues(op.getMixedUpperBound()) || !mapping ||
      mapping->size() != 1 || !isa<gpu::GPUWarpMappingAttr>((*mapping)[0]))
    return false;
  SmallPtrSet<Value, 4> written;
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insert || !insert.hasUnitStride() ||
        !written.insert(insert.getDest()).second)
      return false;
    SmallVector<OpFoldResult> offsets = insert.getMixedOffsets(),
                              sizes = insert.getMixedSizes();
    if (offsets.empty() ||
        offsets.front() != OpFoldResult(op.getInductionVar(0)) ||
        getConstantIntValue(sizes.front()) != 1 ||
        !llvm::all_of(ArrayRef(offsets).drop_front(), isZeroInteger))
      return false;
  }
  return written.size() == op.getOutputs().size();
}

/// Finds the tensors of slots that loops over parts in `forall` fill, and the
/// values of enclosing loops that carry them.
void TileVectorizer::findSlots(scf::ForallOp forall) {
  SetVector<Value> found;
  forall.getBody()->walk([&](scf::ForallOp parts) {
    if (!isLoopOfParts(parts))
      return;
    found.insert_range(parts.getResults());
    found.insert_range(parts.getRegionIterArgs());
    found.insert_range(parts.getOutputs());
  });
  for (unsigned i = 0; i < found.size(); ++i) {
    Value value = found[i];
    for (OpOperand &use : value.getUses()) {
      if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
        if (BlockArgument arg = loop.getTiedLoopRegionIterArg(&use))
          found.insert(arg);
      if (auto yield = dyn_cast<scf::YieldOp>(use.getOwner()))
        if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp()))
          found.insert(loop.getResult(use.getOperandNumber()));
    }
    auto arg = dyn_cast<BlockArgument>(value);
    auto loop = dyn_cast_if_present<scf::ForOp>(
        arg ? arg.getOwner()->getParentOp() : value.getDefiningOp());
    if (loop && arg) {
      found.insert(loop.getTiedLoopInit(arg)->get());
      found.insert(loop.getTiedLoopResult(arg));
    } else if (loop) {
      auto result = cast<OpResult>(value);
      found.insert(loop.getTiedLoopInit(result)->get());
      found.insert(loop.getTiedLoopRegionIterArg(result));
    }
    if (auto dps = value.getDefiningOp<DestinationStyleOpInterface>())
      found.insert(dps.getTiedOpOperand(cast<OpResult>(value))->get());
  }
  slots.insert(found.begin(), found.end());
}

/// Extracts the slot of one part from the source of `op`, a tile of slots of
/// `shape`.
LogicalResult TileVectorizer::extractSlot(tensor::ExtractSliceOp op,
                                          const TileShape &shape) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes();
  TileShape rest;
  rest.bounds.assign(shape.bounds.begin() + 1, shape.bounds.end());
  rest.sizes.assign(shape.sizes.begin() + 1, shape.sizes.end());
  if (getConstantIntValue(sizes.front()) != 1 || shape.bounds.front() == 1 ||
      !isWhole(ArrayRef(offsets).drop_front(), ArrayRef(sizes).drop_front(),
               rest))
    return failure();
  Value slot = vector::ExtractOp::create(
      rewriter, op.getLoc(), getWholeVector(op.getSource(), shape),
      ArrayRef<OpFoldResult>(offsets.front()));
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TileShape result;
  SmallVector<int64_t> dims;
  for (auto [dim, bound] : llvm::enumerate(shape.bounds)) {
    if (dropped.test(dim))
      continue;
    bool isSlot = dim == 0;
    if (!isSlot && bound != 1)
      dims.push_back(result.bounds.size());
    result.bounds.push_back(isSlot ? 1 : bound);
    result.sizes.push_back(isSlot ? rewriter.getIndexAttr(1)
                                  : shape.sizes[dim]);
  }
  setTile(op.getResult(), {slot, dims}, result);
  replaced.push_back(op);
  return success();
}

/// Computes the vectors of all parts of a loop over parts at once. Each part
/// fills a slot.
LogicalResult TileVectorizer::visitParts(scf::ForallOp op) {
  Location loc = op.getLoc();
  std::optional<SmallVector<int64_t>> parts =
      getConstantIntValues(op.getMixedUpperBound());
  if (!isLoopOfParts(op))
    return failure();
  SmallVector<TileShape> shapes;
  for (Value output : op.getOutputs()) {
    FailureOr<TileShape> shape = getShape(output);
    if (failed(shape) || !isTile(output))
      return failure();
    shapes.push_back(*shape);
  }

  // 1. Compute the values of one part.
  Value part = UnrealizedConversionCastOp::create(
                   rewriter, loc, rewriter.getIndexType(), ValueRange())
                   .getResult(0);
  SmallVector<Value> args{part};
  for (auto [output, shape] : llvm::zip_equal(op.getOutputs(), shapes)) {
    args.push_back(makePlaceholder(output.getType(),
                                   getWholeVector(output, shape), shape));
    slots.insert(args.back());
  }
  for (auto [arg, by] : llvm::zip_equal(op.getBody()->getArguments(), args))
    rewriter.replaceAllUsesExcept(arg, by, op.getTerminator());
  visitBlock(*op.getBody());
  scf::InParallelOp terminator = op.getTerminator();
  rewriter.setInsertionPoint(terminator);
  SmallVector<Value> ofPart(shapes.size());
  for (auto [number, shape] : llvm::enumerate(shapes))
    for (Operation &yielding : terminator.getYieldingOps()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(yielding);
      if (insert.getDest() != args[1 + number])
        continue;
      FailureOr<TileShape> of = getShape(insert.getSource());
      if (failed(of)) {
        op.emitError("expected parts to leave tiles of bounded sizes, got ")
            << insert.getSource().getType();
        hasError = true;
        return success();
      }
      ofPart[number] = getWholeVector(insert.getSource(), *of);
    }

  // 2. Compute the same for all parts.
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(op.getBody(), op, args);
  rewriter.setInsertionPoint(op);
  PartBatcher batcher(rewriter, part, parts->front());
  SmallVector<Value> results;
  for (auto [value, result, shape] :
       llvm::zip_equal(ofPart, op.getResults(), shapes)) {
    Refusal refusal;
    FailureOr<Value> ofAll = batcher.getOfAll(value, refusal);
    if (failed(ofAll)) {
      op.emitError() << "expected ops that can be computed for all "
                     << parts->front() << " parts at once: " << refusal.text;
      hasError = true;
      ofAll = getWholeVector(op.getOutputs()[result.getResultNumber()], shape);
    }
    results.push_back(makePlaceholder(result.getType(), *ofAll, shape));
    slots.insert(results.back());
  }
  rewriter.replaceOp(op, results);
  return success();
}
