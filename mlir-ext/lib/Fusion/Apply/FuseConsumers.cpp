//===- FuseConsumers.cpp - Fuses consumers of the root --------------------===//
//
// For each level and each consumer: move what the consumer needs before the
// loop, tile the consumer at the end of the loop body, and let the loop yield
// the tiles. Upstream's `replaceInsertSlicesWithTiledConsumer` does the tiling.
// Elementwise ops whose result only the consumer reads are computed in the loop
// as well. A consumer that reduces starts from a fill of its tile.
//
// Upstream's tileAndFuseConsumer (22.1.8) does not suffice. It takes only
// destination-style ops, moves the loop to its first user, which must be in the
// same block, and does not move operands. So it cannot fuse a tile in the body
// of a loop into an inner loop before it.
//
//===----------------------------------------------------------------------===//

#include "FuseConsumers.h"

#include "ProducerTiles.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Support/OutputShapes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

/// Returns the initial value of result `number` of `loop`.
static Value getLoopInit(LoopLikeOpInterface loop, unsigned number) {
  return loop.getInits()[number];
}

/// Moves `values`, and the ops that compute them, before `loop`, if they are
/// behind it in its block. Sizes of results of the loop are rewritten as sizes
/// of its inits.
static LogicalResult moveBefore(RewriterBase &rewriter, ArrayRef<Value> values,
                                LoopLikeOpInterface loop) {
  SmallVector<Value> worklist(values);
  SetVector<Operation *> ops;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
      continue;
    if (op == loop || !isMemoryEffectFree(op))
      return failure();
    if (!ops.insert(op))
      continue;
    auto dim = dyn_cast<tensor::DimOp>(op);
    auto result = dim ? dyn_cast<OpResult>(dim.getSource()) : OpResult();
    if (result && result.getOwner() == loop)
      rewriter.modifyOpInPlace(dim, [&] {
        dim.getSourceMutable().set(getLoopInit(loop, result.getResultNumber()));
      });
    forEachUsedValue(op, [&](Value value) { worklist.push_back(value); });
  }
  SmallVector<Operation *> order(ops.begin(), ops.end());
  llvm::sort(order, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : order)
    rewriter.moveOpBefore(op, loop);
  return success();
}

namespace {
/// A tile that a loop inserts in one of its results.
struct LeftTile {
  Value tile, init; ///< what the loop starts the result from
  SmallVector<OpFoldResult> offsets, sizes;
};

/// Fuses one consumer into one loop.
class ConsumerFuser {
public:
  ConsumerFuser(RewriterBase &rewriter, Operation *consumer,
                LoopLikeOpInterface &loop)
      : rewriter(rewriter), consumer(consumer), loop(loop) {}

  /// Replaces the consumer by results of the loop, which is itself replaced.
  /// Returns the tile of the consumer.
  FailureOr<Operation *> run(Refusal &refusal);

private:
  std::optional<LeftTile> getLeftTile(unsigned number) const;
  FailureOr<SmallVector<Value>> makeOutputs();
  bool isWhole(unsigned dim) const;
  FailureOr<TilingResult> tile();
  void unify(SmallVectorImpl<OpFoldResult> &values);
  void insertTiles(const TilingResult &tiling, ArrayRef<Value> outputs);
  void growLoop(ArrayRef<Value> outputs);
  void fuseOperands(Operation *tiled);

  RewriterBase &rewriter;
  Operation *consumer;
  LoopLikeOpInterface &loop;
  /// The numbers of the consumer's operands that the loop computes, and their
  /// tiles.
  SmallVector<unsigned> operands;
  SmallVector<LeftTile> left;
  /// The offsets and sizes of the tiles of the consumer's results.
  SmallVector<SmallVector<OpFoldResult>> resultOffsets, resultSizes;
  /// One value for each distinct offset or size; see `unify`.
  SmallVector<OpFoldResult> known;
  /// The slices that the tile writes to, if it writes to any, and the
  /// insertions of the tile.
  SmallVector<tensor::ExtractSliceOp> written;
  SmallVector<tensor::InsertSliceOp> inserted;
  /// Set if the loop cuts a dimension that the consumer reduces.
  bool cutsReduction = false;
};
} // namespace

std::optional<LeftTile> ConsumerFuser::getLeftTile(unsigned number) const {
  Value arg = loop.getRegionIterArgs()[number];
  auto make = [&](auto insert) -> std::optional<LeftTile> {
    if (!insert || insert.getDest() != arg ||
        insert.getSourceType().getRank() != insert.getDestType().getRank() ||
        !llvm::all_of(insert.getMixedStrides(), isOneInteger))
      return std::nullopt;
    return LeftTile{insert.getSource(), getLoopInit(loop, number),
                    insert.getMixedOffsets(), insert.getMixedSizes()};
  };
  if (auto forall = dyn_cast<scf::ForallOp>(loop.getOperation())) {
    SmallVector<Operation *> inserts =
        forall.getCombiningOps(cast<BlockArgument>(arg));
    if (inserts.size() != 1)
      return std::nullopt;
    return make(dyn_cast<tensor::ParallelInsertSliceOp>(inserts.front()));
  }
  return make(
      loop.getYieldedValues()[number].getDefiningOp<tensor::InsertSliceOp>());
}

/// Returns the op that fills the init that `consumer` reduces into. Null if
/// `consumer` does not reduce.
static linalg::FillOp getFill(Operation *consumer, Value init) {
  bool isParallel =
      llvm::all_of(cast<TilingInterface>(consumer).getLoopIteratorTypes(),
                   [](utils::IteratorType type) {
                     return type == utils::IteratorType::parallel;
                   });
  return isParallel ? linalg::FillOp() : init.getDefiningOp<linalg::FillOp>();
}

/// Returns the initial values in the loop for the results of the consumer. For
/// a reduction this is an unfilled tensor, because the fill is in the loop.
FailureOr<SmallVector<Value>> ConsumerFuser::makeOutputs() {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(consumer))
    return llvm::map_to_vector(dps.getDpsInits(), [&](Value init) {
      linalg::FillOp fill = getFill(consumer, init);
      return fill ? fill.getOutputs().front() : init;
    });
  IRMapping mapping;
  for (unsigned number : operands) {
    auto result = cast<OpResult>(consumer->getOperand(number));
    mapping.map(result, getLoopInit(loop, result.getResultNumber()));
  }
  rewriter.setInsertionPoint(loop);
  Operation *shaped = rewriter.clone(*consumer, mapping);
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyTypedResultShapes(rewriter, shaped, shapes)))
    return failure();
  SmallVector<Value> outputs;
  for (auto [shape, result] : llvm::zip_equal(shapes, shaped->getResults()))
    outputs.push_back(tensor::EmptyOp::create(
        rewriter, consumer->getLoc(), shape,
        cast<RankedTensorType>(result.getType()).getElementType()));
  if (isOpTriviallyDead(shaped))
    rewriter.eraseOp(shaped);
  return outputs;
}

/// Replaces each value by the first equivalent one, because ops compare offsets
/// and sizes by identity.
void ConsumerFuser::unify(SmallVectorImpl<OpFoldResult> &values) {
  for (OpFoldResult &value : values) {
    auto it = llvm::find_if(
        known, [&](OpFoldResult other) { return isEquivalent(value, other); });
    if (it == known.end())
      known.push_back(value);
    else
      value = *it;
  }
}

/// Returns whether the tiles in the loop are whole along loop `dim` of the
/// consumer, which must have indexing maps.
bool ConsumerFuser::isWhole(unsigned dim) const {
  for (auto [number, leaving] : llvm::zip_equal(operands, left)) {
    AffineMap map =
        cast<IndexingMapOpInterface>(consumer).getMatchingIndexingMap(
            &consumer->getOpOperand(number));
    for (auto [index, expr] : llvm::enumerate(map.getResults())) {
      if (expr != getAffineDimExpr(dim, map.getContext()))
        continue;
      using Variable = ValueBoundsConstraintSet::Variable;
      FailureOr<bool> isSize = ValueBoundsConstraintSet::areEqual(
          Variable(leaving.sizes[index]),
          Variable(leaving.init, static_cast<int64_t>(index)));
      return isZeroInteger(leaving.offsets[index]) && succeeded(isSize) &&
             *isSize;
    }
  }
  return false;
}

/// Tiles the consumer at the end of the body of the loop.
FailureOr<TilingResult> ConsumerFuser::tile() {
  Block &body = loop.getLoopRegions().front()->front();
  rewriter.setInsertionPoint(body.getTerminator());
  Operation *clone = rewriter.clone(*consumer);
  SmallVector<tensor::InsertSliceOp> inserts;
  SmallVector<OpOperand *> uses;
  SmallVector<SmallVector<OpFoldResult>> allOffsets, allSizes;
  rewriter.setInsertionPoint(clone);
  for (auto [number, leaving] : llvm::zip_equal(operands, left)) {
    unify(leaving.offsets);
    unify(leaving.sizes);
    inserts.push_back(tensor::InsertSliceOp::create(
        rewriter, consumer->getLoc(), leaving.tile, leaving.init,
        leaving.offsets, leaving.sizes,
        SmallVector<OpFoldResult>(leaving.sizes.size(),
                                  rewriter.getIndexAttr(1))));
    allOffsets.push_back(leaving.offsets);
    allSizes.push_back(leaving.sizes);
    uses.push_back(&clone->getOpOperand(number));
    clone->setOperand(number, inserts.back());
  }

  // 1. Build the tile, behind the computation of the offsets at which its
  //    results belong.
  auto tileable = cast<TilingInterface>(clone);
  SmallVector<OpFoldResult> offsets, sizes;
  if (failed(tileable.getIterationDomainTileFromOperandTiles(
          rewriter, operands, allOffsets, allSizes, offsets, sizes)))
    return failure();
  for (auto [dim, type] : llvm::enumerate(tileable.getLoopIteratorTypes()))
    if (type != utils::IteratorType::parallel && !isWhole(dim)) {
      cutsReduction = true;
      return failure();
    }
  resultOffsets.resize(clone->getNumResults());
  resultSizes.resize(clone->getNumResults());
  for (unsigned i = 0; i < clone->getNumResults(); ++i)
    if (failed(tileable.getResultTilePosition(
            rewriter, i, offsets, sizes, resultOffsets[i], resultSizes[i])))
      return failure();
  FailureOr<TilingResult> tiling =
      tensor::replaceInsertSlicesWithTiledConsumer(rewriter, inserts, uses);
  if (failed(tiling) || tiling->tiledOps.size() != 1)
    return failure();

  // 2. Let it read the tiles in the loop.
  Operation *tiled = tiling->tiledOps.front();
  for (auto [number, leaving] : llvm::zip_equal(operands, left)) {
    Value operand = tiled->getOperand(number), source = leaving.tile;
    if (operand.getType() != source.getType()) {
      rewriter.setInsertionPoint(tiled);
      source = tensor::CastOp::create(rewriter, tiled->getLoc(),
                                      operand.getType(), source);
    }
    unsigned operandNumber = number;
    rewriter.modifyOpInPlace(tiled,
                             [&] { tiled->setOperand(operandNumber, source); });
  }
  if (!clone->use_empty())
    return failure();
  rewriter.eraseOp(clone);

  // 3. Take the sizes of whole tensors from the initial values of the loop.
  for (auto [insert, leaving] : llvm::zip_equal(inserts, left)) {
    for (Operation *user : llvm::make_early_inc_range(insert->getUsers())) {
      Value init = leaving.init;
      if (auto dim = dyn_cast<tensor::DimOp>(user))
        rewriter.modifyOpInPlace(dim,
                                 [&] { dim.getSourceMutable().set(init); });
      else if (isOpTriviallyDead(user))
        rewriter.eraseOp(user);
    }
    if (!insert->use_empty())
      return failure();
    rewriter.eraseOp(insert);
  }
  return tiling;
}

/// Inserts the tiles into `outputs`, and makes them write to slices of these.
void ConsumerFuser::insertTiles(const TilingResult &tiling,
                                ArrayRef<Value> outputs) {
  Operation *tiled = tiling.tiledOps.front();
  Location loc = consumer->getLoc();
  auto dps = dyn_cast<DestinationStyleOpInterface>(tiled);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    SmallVector<OpFoldResult> strides(resultSizes[i].size(),
                                      rewriter.getIndexAttr(1));
    if (dps) {
      OpOperand *init = dps.getDpsInitOperand(i);
      rewriter.setInsertionPoint(tiled);
      written.push_back(tensor::ExtractSliceOp::create(
          rewriter, loc, cast<RankedTensorType>(init->get().getType()), output,
          resultOffsets[i], resultSizes[i], strides));
      Value start = written.back();
      if (linalg::FillOp fill = getFill(
              consumer,
              cast<DestinationStyleOpInterface>(consumer).getDpsInits()[i]))
        start = linalg::FillOp::create(rewriter, loc, fill.getInputs(), start)
                    .getResult(0);
      rewriter.modifyOpInPlace(tiled, [&] { init->set(start); });
    }
    rewriter.setInsertionPoint(tiled->getBlock()->getTerminator());
    inserted.push_back(tensor::InsertSliceOp::create(
        rewriter, loc, tiling.tiledValues[i], output, resultOffsets[i],
        resultSizes[i], strides));
  }
}

/// Adds `outputs` to the values that the loop carries, and yields the
/// insertions.
void ConsumerFuser::growLoop(ArrayRef<Value> outputs) {
  auto take = [&](ArrayRef<BlockArgument> args) {
    for (auto [slice, arg] : llvm::zip(written, args))
      slice.getSourceMutable().set(arg);
    for (auto [insert, arg] : llvm::zip_equal(inserted, args))
      insert.getDestMutable().set(arg);
  };
  auto forall = dyn_cast<scf::ForallOp>(loop.getOperation());
  if (!forall) {
    loop = *loop.replaceWithAdditionalYields(
        rewriter, outputs, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
          take(args);
          return llvm::to_vector_of<Value>(inserted);
        });
    return;
  }
  rewriter.setInsertionPoint(forall);
  auto allOutputs = llvm::to_vector_of<Value>(forall.getOutputs());
  llvm::append_range(allOutputs, outputs);
  auto grown = scf::ForallOp::create(
      rewriter, forall.getLoc(), forall.getMixedLowerBound(),
      forall.getMixedUpperBound(), forall.getMixedStep(), allOutputs,
      forall.getMapping(), [](OpBuilder &, Location, ValueRange) {});
  unsigned numArgs = forall.getBody()->getNumArguments();
  rewriter.mergeBlocks(forall.getBody(), grown.getBody(),
                       grown.getBody()->getArguments().take_front(numArgs));
  take(grown.getBody()->getArguments().drop_front(numArgs));
  rewriter.setInsertionPointToEnd(grown.getTerminator().getBody());
  for (tensor::InsertSliceOp insert : inserted) {
    tensor::ParallelInsertSliceOp::create(
        rewriter, insert.getLoc(), insert.getSource(), insert.getDest(),
        insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
    rewriter.eraseOp(insert);
  }
  rewriter.replaceOp(forall,
                     grown->getResults().take_front(forall->getNumResults()));
  loop = grown;
}

/// Returns whether each element of the only result of `op` is computed from one
/// element of each operand.
static bool isElementwise(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  return tileable && hasMaps(op) && op->getNumResults() == 1 &&
         isMemoryEffectFree(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics() &&
         llvm::all_of(tileable.getLoopIteratorTypes(),
                      [](utils::IteratorType type) {
                        return type == utils::IteratorType::parallel;
                      }) &&
         cast<IndexingMapOpInterface>(op)
             .getMatchingIndexingMap(
                 cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0))
             .isPermutation();
}

/// Computes tiles of elementwise ops before the loop, if only `tiled` reads
/// them, next to `tiled`. Does the same for the elementwise ops that only these
/// read.
void ConsumerFuser::fuseOperands(Operation *tiled) {
  SmallVector<Operation *> worklist{tiled};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!hasMaps(op))
      continue;
    for (OpOperand *input :
         cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
      // If several iterations read a tile, each of them would compute it.
      auto slice = input->get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || !slice->hasOneUse() ||
          !cast<IndexingMapOpInterface>(op)
               .getMatchingIndexingMap(input)
               .isPermutation())
        continue;
      auto source = dyn_cast<OpResult>(slice.getSource());
      if (!source || source.getOwner()->getBlock() != loop->getBlock() ||
          !isElementwise(source.getOwner()))
        continue;
      // Take its sizes from its destination.
      for (Operation *user : llvm::make_early_inc_range(source.getUsers()))
        if (auto dim = dyn_cast<tensor::DimOp>(user))
          rewriter.modifyOpInPlace(dim, [&] {
            dim.getSourceMutable().set(
                cast<DestinationStyleOpInterface>(source.getOwner())
                    .getDpsInits()
                    .front());
          });
      if (!source.hasOneUse())
        continue;
      rewriter.setInsertionPoint(slice);
      FailureOr<TilingResult> tiling =
          tensor::replaceExtractSliceWithTiledProducer(rewriter, slice, source);
      if (failed(tiling) || tiling->tiledOps.size() != 1 ||
          tiling->tiledValues.front().getType() != slice.getType())
        continue;
      rewriter.replaceOp(slice, tiling->tiledValues);
      rewriter.eraseOp(source.getOwner());
      worklist.push_back(tiling->tiledOps.front());
    }
  }
}

FailureOr<Operation *> ConsumerFuser::run(Refusal &refusal) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto refuse = [&](StringRef text) {
    return refusal.set(RefusalKind::Other, consumer, text);
  };
  // 1. Find the operands that the loop computes, and those that must be
  //    computed before it.
  SmallVector<Value> others;
  for (OpOperand &operand : consumer->getOpOperands()) {
    auto result = dyn_cast<OpResult>(operand.get());
    if (!result || result.getOwner() != loop) {
      others.push_back(operand.get());
      continue;
    }
    std::optional<LeftTile> leaving = getLeftTile(result.getResultNumber());
    if (!leaving)
      return refuse("the loops do not leave what it follows tile by tile");
    operands.push_back(operand.getOperandNumber());
    left.push_back(*leaving);
  }
  if (operands.empty())
    return refuse("the loops do not leave what it follows");
  forEachUsedValue(consumer, [&](Value value) {
    if (!llvm::is_contained(consumer->getOperands(), value))
      others.push_back(value);
  });
  if (failed(moveBefore(rewriter, others, loop)))
    return refuse("it needs what waits for the loops");

  // 2. Build the tile.
  FailureOr<SmallVector<Value>> outputs = makeOutputs();
  if (failed(outputs))
    return refuse("its size is not known in front of the loops");
  FailureOr<TilingResult> tiling = tile();
  if (cutsReduction)
    return refuse("it reduces a dimension that the loops cut");
  if (failed(tiling))
    return isRenaming(consumer)
               ? refusal.set(RefusalKind::ReshapedTile, consumer,
                             "a tile of what it reshapes is not known to be "
                             "one of its result")
               : refuse("tiles of what it follows belong to different tiles "
                        "of it");

  // 3. Let the loop yield it.
  insertTiles(*tiling, *outputs);
  growLoop(*outputs);
  rewriter.replaceOp(consumer,
                     loop->getResults().take_back(consumer->getNumResults()));
  fuseOperands(tiling->tiledOps.front());
  return tiling->tiledOps.front();
}

/// Removes results of an `scf.for` that have no users, if tiles are final in
/// it. Their tiles then write to slices of the initial tensor, which other
/// tiles leave unchanged. (Upstream's canonicalisation does this for
/// `scf.forall`.)
static void dropUnusedResults(RewriterBase &rewriter,
                              LoopLikeOpInterface loop) {
  auto forOp = dyn_cast<scf::ForOp>(loop.getOperation());
  if (!forOp)
    return;
  Operation *yield = forOp.getBody()->getTerminator();
  for (auto [number, result] : llvm::enumerate(forOp.getResults())) {
    Value arg = forOp.getRegionIterArg(number);
    auto insert =
        yield->getOperand(number).getDefiningOp<tensor::InsertSliceOp>();
    if (!result.use_empty() || !insert || insert.getDest() != arg ||
        !insert->hasOneUse())
      continue;
    unsigned operandNumber = number;
    rewriter.replaceAllUsesWith(arg, forOp.getInitArgs()[number]);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield->setOperand(operandNumber, arg); });
    rewriter.eraseOp(insert);
  }
}

LogicalResult
mlir::linalg_ext::fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                                MutableArrayRef<LoopLikeOpInterface> loops,
                                std::optional<RefusedConsumer> &refused) {
  // In inner levels, the consumers are the tiles of the outer level.
  SmallVector<Operation *> current;
  for (const PlannedConsumer &consumer : plan.consumers)
    current.push_back(consumer.op);
  for (auto [level, loop] : llvm::enumerate(loops))
    for (auto [index, consumer] : llvm::enumerate(plan.consumers)) {
      if (consumer.depth <= level)
        continue;
      Refusal refusal;
      FailureOr<Operation *> tile =
          ConsumerFuser(rewriter, current[index], loop).run(refusal);
      if (failed(tile)) {
        refused = RefusedConsumer{static_cast<unsigned>(index),
                                  static_cast<unsigned>(level), refusal};
        return failure();
      }
      current[index] = *tile;
    }
  unsigned depth = 0;
  for (const PlannedConsumer &consumer : plan.consumers)
    depth = std::max(depth, consumer.depth);
  for (LoopLikeOpInterface loop : loops.take_front(depth))
    dropUnusedResults(rewriter, loop);
  return success();
}
