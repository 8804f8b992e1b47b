//===- TileToWorkgroups.cpp - Tiling of all other ops ---------------------===//
//
// Tiles the ops that tile-and-fuse has no root for (plain products, norms,
// reductions, elementwise ops), so that every op is part of a GPU kernel.
// Visits the ops from last to first. Each op that belongs to no workgroup yet
// becomes a root. The root is fused with producers that have no other user and
// that are computed only once:
//   - elementwise ops and fills;
//   - one contraction, if the root is its epilogue, or several contractions
//     with a common operand (SwiGLU), which one loop computes;
//   - reductions of rows that fit into one tile.
// MergeRoots.cpp first merges elementwise roots that read the same tensor. The
// workgroups are tiles of the root's parallel dimensions. Within a workgroup, a
// loop reduces a contraction, or a row that is too long for one tile.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CreatedOps.h"
#include "MergeRoots.h"
#include "WorkgroupGroup.h"

#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTILETOWORKGROUPSPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// The most that each loop of `op` may run: as its type says, or as the sizes
/// of its operands, which are tiles, are bounded. Dynamic if that is unknown.
static SmallVector<int64_t> getLoopBounds(LinalgOp op) {
  SmallVector<int64_t> bounds = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands())
    for (auto [position, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || !ShapedType::isDynamic(bounds[dim.getPosition()]))
        continue;
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB,
          ValueBoundsConstraintSet::Variable(operand.get(), position),
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (succeeded(bound))
        bounds[dim.getPosition()] = *bound;
    }
  return bounds;
}

/// Replaces `loop` by its body, for the first iteration: the only one, or one
/// of an empty tile.
static void inlineOnlyIteration(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Value> arguments{loop.getLowerBound()};
  llvm::append_range(arguments, loop.getInitArgs());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
  rewriter.replaceOp(loop, yield.getOperands());
  rewriter.eraseOp(yield);
}

/// Sums `op`, a contraction in a workgroup, in chunks of `chunk` elements that
/// are merged.
static LogicalResult splitSum(RewriterBase &rewriter, LinalgOp op,
                              OpFoldResult chunk,
                              const TileToWorkgroupsOptions &options) {
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto getLevel = [&](LoopKind kind, OpFoldResult size) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(ranges.size(), 0);
    std::optional<int64_t> constant = getConstantIntValue(size);
    level.tileSizes[sums.front()] = constant.value_or(ShapedType::kDynamic);
    if (!constant)
      level.dynamicSizes.push_back(cast<Value>(size));
    return level;
  };
  int64_t reduction =
      options.narrowReduction > 0 ? options.narrowReduction : options.reduction;
  TileAndFuseOptions fuse;
  fuse.levels = {getLevel(LoopKind::Split, chunk),
                 getLevel(LoopKind::For, rewriter.getIndexAttr(reduction))};
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(op, fuse, refusal);
  if (succeeded(plan) && succeeded(applyFusionPlan(rewriter, *plan, refusal)))
    return success();
  op.emitRemark() << "not summed in chunks: " << refusal.text;
  return failure();
}

/// Reduces `op`, in a workgroup, in a loop if it is long; with `isLong` its
/// parallel loops may be long as well. There is no loop, but a bound, if a
/// piece is known to be all (`isOnePiece`). The sums of a contraction are
/// split into chunks of `chunk`, if there is one.
static LogicalResult tileReduction(RewriterBase &rewriter, LinalgOp op,
                                   const TileToWorkgroupsOptions &options,
                                   bool isLong = false, bool isOnePiece = false,
                                   OpFoldResult chunk = {}) {
  if (op.getNumLoops() == 0)
    return success();
  bool isProduct = isContraction(op);
  if (!isProduct && !isLong && reducesWholeRows(op, options.maxRow))
    return success();
  if (isProduct && chunk && succeeded(splitSum(rewriter, op, chunk, options)))
    return success();
  SmallVector<OpFoldResult> tiles(op.getNumLoops(), rewriter.getIndexAttr(0));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // What a loop around has cut is a tile as it is: cut again, it would have to
  // be kept in memory.
  SmallVector<int64_t> bounds = getLoopBounds(op);
  auto isReduced = [&](int64_t loop) {
    return (isLong || op.getIteratorTypesArray()[loop] ==
                          utils::IteratorType::reduction) &&
           ranges[loop] != 1;
  };
  auto isTile = [&](int64_t loop) {
    return ShapedType::isDynamic(ranges[loop]) &&
           !ShapedType::isDynamic(bounds[loop]);
  };
  int64_t reduction = isProduct && isNarrow(op) && options.narrowReduction > 0
                          ? options.narrowReduction
                          : options.reduction;
  bool isInnermost = true, isAny = false;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    isInnermost &= isLong || !(isReduced(loop) && isTile(loop));
  for (int64_t loop = op.getNumLoops() - 1; loop >= 0; --loop) {
    if (!isReduced(loop) || isTile(loop))
      continue;
    int64_t tile = !isInnermost ? 1
                   : isProduct  ? reduction
                                : std::min(options.rowTile, options.maxRow);
    isInnermost = false;
    if (!ShapedType::isDynamic(ranges[loop]) && ranges[loop] <= tile)
      continue;
    tiles[loop] = rewriter.getIndexAttr(tile);
    isAny = true;
  }
  if (!isAny)
    return success();
  scf::SCFTileAndFuseOptions fuse;
  fuse.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForOp)
      .setTileSizes(tiles);
  // What the loop accumulates on is computed in front of it.
  fuse.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        bool accumulates = isDestination && op.getNumReductionLoops() > 0;
        if (accumulates)
          return std::nullopt;
        auto linalgOp = dyn_cast<LinalgOp>(producer.getOwner());
        bool fuses = linalgOp
                         ? linalgOp.getNumReductionLoops() == 0
                         : isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                               producer.getOwner());
        if (!fuses)
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fuse);
  if (failed(result))
    return failure();
  SmallVector<Value> values;
  for (Value value : op->getResults())
    values.push_back(result->replacements[value]);
  rewriter.replaceOp(op, values);
  // Where other dimensions are cut, too, it is not the row that is a piece.
  if (isOnePiece && result->loops.size() == 1)
    if (auto loop = cast<scf::ForOp>(result->loops.front());
        getConstantIntValue(loop.getStep()) == options.rowTile)
      inlineOnlyIteration(rewriter, loop);
  return success();
}

/// Whether the size of what `op` reduces has no constant bound.
static bool reducesUnbounded(LinalgOp op) {
  return op.hasPureTensorSemantics() &&
         llvm::any_of(
             llvm::zip_equal(getLoopBounds(op), op.getIteratorTypesArray()),
             [](auto loop) {
               auto [bound, iterator] = loop;
               return ShapedType::isDynamic(bound) &&
                      iterator == utils::IteratorType::reduction;
             });
}

/// Whether `producer`, of an operand of an op in `block`, can be computed in
/// the workgroup of that op: it has no parallel dimension either, nobody else
/// needs it, and it starts from nothing but fills.
static bool goesAlong(LinalgOp producer, Block *block) {
  return producer && producer->getBlock() == block &&
         producer.hasPureTensorSemantics() && producer->hasOneUse() &&
         producer.getNumParallelLoops() == 0 && !isEmpty(producer) &&
         llvm::all_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return cast<ShapedType>(init.get().getType()).hasStaticShape() &&
                  (init.get().getDefiningOp<linalg::FillOp>() ||
                   !producer.payloadUsesValueFromOperand(&init));
         });
}

/// Copies `op`, which has no parallel dimension and writes to `outputs`, to
/// where `rewriter` is, with fills that it starts from and producers that go
/// along. Appends what is copied to `copies`.
static void copyWithProducers(RewriterBase &rewriter, LinalgOp op,
                              ValueRange outputs,
                              SmallVectorImpl<LinalgOp> &copies) {
  Location loc = op.getLoc();
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (!goesAlong(producer, op->getBlock()))
      continue;
    SmallVector<Value> places;
    for (Value init : producer.getDpsInits())
      places.push_back(tensor::EmptyOp::create(
          rewriter, loc, cast<ShapedType>(init.getType()).getShape(),
          getElementTypeOrSelf(init)));
    copyWithProducers(rewriter, producer, places, copies);
    unsigned number = cast<OpResult>(input->get()).getResultNumber();
    mapping.map(input->get(), copies.back()->getResult(number));
  }
  SmallVector<Value> inits;
  for (auto [init, output] : llvm::zip_equal(op.getDpsInits(), outputs)) {
    inits.push_back(output);
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      inits.back() = linalg::FillOp::create(rewriter, loc, fill.value(), output)
                         .getResult(0);
  }
  auto copy = cast<LinalgOp>(rewriter.clone(*op, mapping));
  rewriter.modifyOpInPlace(copy,
                           [&] { copy.getDpsInitsMutable().assign(inits); });
  copies.push_back(copy);
}

/// Puts `root`, which has no parallel dimension, into one workgroup, and what
/// is there for it only with it.
static void putIntoOneWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                const TileToWorkgroupsOptions &options) {
  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  SmallVector<Value> outputs;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value output : root.getDpsInits()) {
    sizes.push_back(tensor::getMixedSizes(rewriter, loc, output));
    auto fill = output.getDefiningOp<linalg::FillOp>();
    outputs.push_back(fill ? fill.getDpsInits().front() : output);
  }
  auto forall = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)}, outputs,
      rewriter.getArrayAttr(getWorkgroupMapping(rewriter.getContext(), 1)));
  rewriter.setInsertionPointToStart(forall.getBody());
  SmallVector<LinalgOp> copies;
  copyWithProducers(rewriter, root, forall.getRegionIterArgs(), copies);
  LinalgOp inner = copies.back();
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [result, arg, sizes] : llvm::zip_equal(
           inner->getResults(), forall.getRegionIterArgs(), sizes)) {
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
        strides(sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, arg, offsets,
                                          sizes, strides);
  }
  rewriter.replaceOp(root, forall.getResults());
  for (LinalgOp op : copies)
    if (op.getNumReductionLoops() > 0 &&
        failed(tileReduction(rewriter, op, options)))
      op.emitRemark() << "reduced at once: it cannot be tiled";
}

/// The size of `loop` of `op`, built in front of it.
static Value getLoopSize(RewriterBase &rewriter, LinalgOp op, unsigned loop) {
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  return getValueOrCreateConstantIndexOp(rewriter, op.getLoc(),
                                         domain[loop].size);
}

/// Lets `forall` have no iteration if `condition` is false.
/// `linalg-ext-map-forall-to-launch` makes a branch of this.
static void iterateIf(RewriterBase &rewriter, scf::ForallOp forall,
                      Value condition) {
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();
  SmallVector<OpFoldResult> bounds = forall.getMixedUpperBound();
  Value bound = getValueOrCreateConstantIndexOp(rewriter, loc, bounds[0]);
  Value none = arith::ConstantIndexOp::create(rewriter, loc, 0);
  bounds[0] = arith::SelectOp::create(rewriter, loc, condition, bound, none)
                  .getResult();
  SmallVector<Value> dynamicBounds;
  SmallVector<int64_t> staticBounds;
  dispatchIndexOpFoldResults(bounds, dynamicBounds, staticBounds);
  rewriter.modifyOpInPlace(forall, [&] {
    forall.getDynamicUpperBoundMutable().assign(dynamicBounds);
    forall.setStaticUpperBound(staticBounds);
  });
}

/// The chunks of the sums of the contraction of `group`, computed in front of
/// the root: as many as it takes for workgroups to use all of memory's rate;
/// null where one chunk is known to be all.
static OpFoldResult getChunk(RewriterBase &rewriter, WorkgroupGroup &group) {
  SmallVector<unsigned> sums;
  LinalgOp contraction = group.contractions.front();
  contraction.getReductionDims(sums);
  if (sums.size() != 1)
    return {};
  Value sum = getLoopSize(rewriter, contraction, sums.front());
  rewriter.setInsertionPoint(group.root);
  SmallVector<Range> domain = cast<TilingInterface>(group.root.getOperation())
                                  .getIterationDomain(rewriter);
  ImplicitLocOpBuilder b(group.root.getLoc(), rewriter);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto ceilDiv = [&](Value value, Value by) -> Value {
    Value less = b.createOrFold<arith::SubIOp>(by, constant(1));
    return b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::AddIOp>(value, less), by);
  };
  Value tiles = constant(1);
  for (auto [range, tile] : llvm::zip_equal(domain, group.getTileSizes()))
    if (tile != 0)
      tiles = b.createOrFold<arith::MulIOp>(
          tiles,
          ceilDiv(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size),
                  constant(tile)));
  Value wanted = b.createOrFold<arith::MaxUIOp>(
      b.createOrFold<arith::DivUIOp>(
          constant(group.options.target.memoryWorkgroups),
          b.createOrFold<arith::MaxUIOp>(tiles, constant(1))),
      constant(1));
  Value unit =
      constant(group.options.narrowReduction > 0 ? group.options.narrowReduction
                                                 : group.options.reduction);
  Value chunk =
      b.createOrFold<arith::MulIOp>(ceilDiv(ceilDiv(sum, wanted), unit), unit);
  chunk =
      b.createOrFold<arith::MaxUIOp>(chunk, constant(group.options.minSplit));
  std::optional<int64_t> known = getConstantIntValue(chunk),
                         all = getConstantIntValue(sum);
  if (all && *all <= known.value_or(group.options.minSplit))
    return {};
  return getAsOpFoldResult(chunk);
}

/// Makes one loop of neighbouring loops in `block` that run alike and of which
/// neither needs the other's result.
static void fuseSiblingLoops(RewriterBase &rewriter, Block *block) {
  auto first = block->getOps<scf::ForOp>();
  if (first.empty())
    return;
  scf::ForOp target = *first.begin();
  SmallVector<scf::ForOp> others(std::next(first.begin()), first.end());
  for (scf::ForOp source : others) {
    bool runsAlike =
        isEqualConstantIntOrValue(target.getLowerBound(),
                                  source.getLowerBound()) &&
        isEqualConstantIntOrValue(target.getUpperBound(),
                                  source.getUpperBound()) &&
        isEqualConstantIntOrValue(target.getStep(), source.getStep());
    if (!runsAlike ||
        failed(moveOperationDependencies(rewriter, source, target)))
      continue;
    rewriter.moveOpAfter(source, target);
    target = fuseIndependentSiblingForLoops(target, source, rewriter);
  }
}

/// Whether `op` accumulates a sum (`isSum`), or a maximum or minimum.
static bool accumulates(LinalgOp op, bool isSum) {
  auto repairable = dyn_cast<RepairableOpInterface>(op.getOperation());
  FailureOr<Accumulation> accumulation =
      repairable ? repairable.getAccumulation()
                 : FailureOr<Accumulation>(failure());
  return succeeded(accumulation) &&
         (accumulation->kind == AccumulationKind::Sum) == isSum;
}

/// Computes sums of long rows, in a workgroup, in one loop with the maxima that
/// their terms depend on, which are then read once: the sums are repaired as
/// the maxima grow.
static void fuseOnlineSums(RewriterBase &rewriter, Block *block,
                           const TileToWorkgroupsOptions &options) {
  // Each user has a copy of its own of what tiling fused.
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, block->getParentOp());
  SmallVector<LinalgOp> sums;
  for (auto op : block->getOps<LinalgOp>())
    if (op.getNumReductionLoops() == 1 && accumulates(op, /*isSum=*/true))
      sums.push_back(op);
  for (LinalgOp sum : sums) {
    SmallVector<unsigned> loops;
    sum.getReductionDims(loops);
    int64_t range = sum.getStaticLoopRanges()[loops.front()];
    int64_t tile = std::min(options.rowTile, options.maxRow);
    if (!ShapedType::isDynamic(range) && range <= tile)
      continue;
    TilingLevel level;
    level.tileSizes.assign(sum.getNumLoops(), 0);
    level.tileSizes[loops.front()] = tile;
    TileAndFuseOptions fuse;
    fuse.levels = {level};
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(sum, fuse, refusal);
    if (failed(plan))
      continue;
    bool isOnline = llvm::any_of(
        plan->levels.front().producers, [](const PlannedProducer &producer) {
          auto op = dyn_cast<LinalgOp>(producer.op);
          return producer.fused && op && accumulates(op, /*isSum=*/false);
        });
    if (isOnline)
      (void)applyFusionPlan(rewriter, *plan, refusal);
  }
}

/// Tiles `op`, the root of `group` or a copy of it, and what the group has with
/// it, into a loop over workgroups, which is returned. Fails if upstream does.
static FailureOr<scf::ForallOp> tileGroup(RewriterBase &rewriter,
                                          WorkgroupGroup &group, LinalgOp op) {
  TileToWorkgroupsOptions options = group.options;
  if (!group.contractions.empty())
    options.reduction = options.narrowReduction =
        group.getContractionTile().reduction;
  // 1. The workgroups.
  SmallVector<int64_t> sizes = group.getTileSizes();
  SmallVector<OpFoldResult> tiles =
      getAsIndexOpFoldResult(rewriter.getContext(), sizes);
  scf::SCFTileAndFuseOptions fuse;
  unsigned numLoops = llvm::count_if(sizes, [](int64_t s) { return s != 0; });
  fuse.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setTileSizes(tiles)
      .setMapping(getWorkgroupMapping(rewriter.getContext(), numLoops));
  fuse.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!group.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fuse);
  if (failed(result))
    return failure();
  auto forall = cast<scf::ForallOp>(result->loops.front());
  SmallVector<Value> values;
  for (Value value : op->getResults())
    values.push_back(result->replacements[value]);
  rewriter.replaceOp(op, values);
  for (Operation *producer : result->fusedProducers)
    if (isOpTriviallyDead(producer))
      rewriter.eraseOp(producer);

  // 2. Loops within them.
  if (!group.isLong) {
    // What is read twice, as the gate of x * sigmoid(x) is, was fused twice.
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, forall);
    SmallVector<LinalgOp> reductions;
    for (LinalgOp tiled : forall.getBody()->getOps<LinalgOp>())
      if (tiled.getNumReductionLoops() > 0)
        reductions.push_back(tiled);
    for (LinalgOp tiled : reductions)
      if (failed(tileReduction(rewriter, tiled, options, /*isLong=*/false,
                               /*isOnePiece=*/false, group.chunk)))
        tiled.emitRemark() << "reduced at once: it cannot be tiled";
    if (group.contractions.size() > 1)
      fuseSiblingLoops(rewriter, forall.getBody());
    return forall;
  }
  if (group.shortRow == 0)
    fuseOnlineSums(rewriter, forall.getBody(), options);
  // From the last one: what is fused into the loops behind may have no use
  // then.
  SmallVector<LinalgOp> ops(forall.getBody()->getOps<LinalgOp>());
  for (LinalgOp tiled : llvm::reverse(ops)) {
    // Nobody else asks for its sizes, or for parts that were tiled again.
    auto dps = cast<DestinationStyleOpInterface>(tiled.getOperation());
    for (OpResult value : tiled->getResults())
      for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
        if (auto dim = dyn_cast<tensor::DimOp>(user))
          rewriter.modifyOpInPlace(dim, [&] {
            dim.getSourceMutable().assign(dps.getTiedOpOperand(value)->get());
          });
        else if (isa<tensor::ExtractSliceOp>(user) && user->use_empty())
          rewriter.eraseOp(user);
      }
    if (isOpTriviallyDead(tiled))
      rewriter.eraseOp(tiled);
    else if (failed(tileReduction(rewriter, tiled, options, /*isLong=*/true,
                                  /*isOnePiece=*/group.shortRow > 0)))
      tiled.emitRemark() << "computed at once: it cannot be tiled";
  }
  return forall;
}

static LogicalResult tileToWorkgroupImpl(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         std::string &reason);

LogicalResult
mlir::linalg_ext::tileToWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                  const TileToWorkgroupsOptions &options,
                                  std::string &reason) {
  CreatedOps created(rewriter);
  LogicalResult result = tileToWorkgroupImpl(rewriter, root, options, reason);
  if (failed(result))
    created.eraseUnused();
  return result;
}

static LogicalResult tileToWorkgroupImpl(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         std::string &reason) {
  if (isEmpty(root)) {
    reason = "no iteration";
    return failure();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  if (!root.hasPureTensorSemantics()) {
    reason = "expected tensors, got buffers";
    return failure();
  }
  // 1. What is computed with it.
  WorkgroupGroup group(root, options);
  group.grow();
  if (group.cut.none()) {
    putIntoOneWorkgroup(rewriter, root, options);
    return success();
  }

  // 2. Sizes that are known when the kernel is launched.
  Versions versions = getVersions(group);
  if (!versions.versions.empty() && versions.dims.empty()) {
    group.options = versions.versions.front().options;
    group.shortRow = versions.versions.front().shortRow;
    if (versions.versions.front().splitsSums)
      group.chunk = getChunk(rewriter, group);
    versions.versions.clear();
  }
  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  // Null is true.
  auto both = [&](Value lhs, Value rhs) -> Value {
    return lhs ? rewriter.createOrFold<arith::AndIOp>(loc, lhs, rhs) : rhs;
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     Value rhs) -> Value {
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
  };
  // Loops, and where they run.
  SmallVector<std::pair<scf::ForallOp, Value>> loops;
  // Tiles a copy of the root, for where `condition` is true.
  auto addLoop = [&](Value condition) {
    rewriter.setInsertionPoint(root);
    auto copy = cast<LinalgOp>(rewriter.clone(*root));
    FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, copy);
    if (failed(forall)) {
      reason = "it cannot be tiled for some of its sizes";
      return failure();
    }
    loops.emplace_back(*forall, condition);
    return success();
  };
  // If it is not known whether there is more than one chunk, tiles a copy for
  // where there is: with one, nothing need be merged. Makes `condition` false
  // there.
  auto addLoopOfChunks = [&](Value &condition) -> LogicalResult {
    auto chunk = dyn_cast_if_present<Value>(group.chunk);
    if (!chunk)
      return success();
    SmallVector<unsigned> sums;
    LinalgOp contraction = group.contractions.front();
    contraction.getReductionDims(sums);
    Value sum = getLoopSize(rewriter, contraction, sums.front());
    rewriter.setInsertionPoint(root);
    if (failed(addLoop(
            both(condition, compare(arith::CmpIPredicate::sgt, sum, chunk)))))
      return failure();
    rewriter.setInsertionPoint(root);
    condition = both(condition, compare(arith::CmpIPredicate::sle, sum, chunk));
    group.chunk = {};
    return success();
  };
  Value size, isLarger;
  rewriter.setInsertionPoint(root);
  for (auto [tensor, dim] : versions.dims) {
    Value next = rewriter.createOrFold<tensor::DimOp>(loc, tensor, dim);
    size = size ? rewriter.createOrFold<arith::MaxUIOp>(loc, size, next) : next;
  }
  for (const Version &version : versions.versions) {
    rewriter.setInsertionPoint(root);
    Value most = arith::ConstantIndexOp::create(rewriter, loc, version.most);
    Value condition =
        both(isLarger, compare(arith::CmpIPredicate::sle, size, most));
    isLarger = compare(arith::CmpIPredicate::sgt, size, most);
    group.options = version.options;
    group.shortRow = version.shortRow;
    if (version.splitsSums)
      group.chunk = getChunk(rewriter, group);
    LogicalResult added = addLoopOfChunks(condition);
    if (succeeded(added))
      added = addLoop(condition);
    group.options = options;
    group.shortRow = 0;
    group.chunk = {};
    if (failed(added))
      return failure();
  }
  if (failed(addLoopOfChunks(isLarger)))
    return failure();

  // 3. The others, or all.
  FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, root);
  if (failed(forall)) {
    reason = "it cannot be tiled";
    return failure();
  }
  if (loops.empty())
    return success();
  // All but one have no iteration: their results are what they start from.
  loops.emplace_back(*forall, isLarger);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    iterateIf(rewriter, loop.first, loop.second);
    if (i > 0)
      rewriter.modifyOpInPlace(loop.first, [&, i = i, loop = loop]() mutable {
        loop.first.getOutputsMutable().assign(loops[i - 1].first.getResults());
      });
  }
  return success();
}

namespace {
struct LinalgExtTileToWorkgroupsPass
    : public linalg_ext::impl::LinalgExtTileToWorkgroupsPassBase<
          LinalgExtTileToWorkgroupsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // Chunks of sums are stored with an op of it.
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    FailureOr<GPUTarget> target = getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    TileToWorkgroupsOptions options;
    options.rows = rows;
    options.columns = columns;
    options.reduction = reduction;
    options.narrowRows = narrowRows;
    options.narrowColumns = narrowColumns;
    options.narrowReduction = narrowReduction;
    options.target = *target;
    options.useProcessors = useProcessors;
    options.smallReduction = smallReduction;
    options.maxRow = maxRow;
    options.rowTile = rowTile;
    options.fuseLongRows = fuseLongRows;
    options.rowElements = rowElements;
    options.versionsByRowLength.assign(versionsByRowLength.begin(),
                                       versionsByRowLength.end());
    options.versionsByM.assign(versionsByM.begin(), versionsByM.end());
    options.minSplit = minSplit;
    for (auto [name, sizes] :
         {std::pair("versions-by-row-length", &options.versionsByRowLength),
          std::pair("versions-by-m", &options.versionsByM)})
      if (!llvm::is_sorted(*sizes) ||
          llvm::any_of(*sizes, [](int64_t size) { return size < 1; })) {
        emitError(getOperation()->getLoc())
            << "expected '" << name << "' to be positive and ascending";
        return signalPassFailure();
      }
    if (options.minSplit < 1) {
      emitError(getOperation()->getLoc())
          << "expected 'min-split' to be positive, got " << options.minSplit;
      return signalPassFailure();
    }
    if (options.narrowRows < 0 || options.narrowColumns < 0 ||
        options.narrowReduction < 0 || options.smallReduction < 0) {
      emitError(getOperation()->getLoc())
          << "expected tile sizes of narrow elements not to be negative, got "
             "narrow-rows = "
          << options.narrowRows
          << ", narrow-columns = " << options.narrowColumns
          << ", narrow-reduction = " << options.narrowReduction
          << ", small-reduction = " << options.smallReduction;
      return signalPassFailure();
    }
    if (options.rows < 1 || options.columns < 1 || options.reduction < 1 ||
        options.maxRow < 1 || options.rowTile < 1) {
      emitError(getOperation()->getLoc())
          << "expected positive tile sizes, got rows = " << options.rows
          << ", columns = " << options.columns
          << ", reduction = " << options.reduction
          << ", max-row = " << options.maxRow
          << ", row-tile = " << options.rowTile;
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    // What is in workgroups already reduces nothing that has no bound.
    SmallVector<LinalgOp> unbounded;
    getOperation()->walk([&](LinalgOp op) {
      if (op->getParentOfType<scf::ForallOp>() && reducesUnbounded(op))
        unbounded.push_back(op);
    });
    for (LinalgOp op : unbounded)
      if (failed(tileReduction(rewriter, op, options)))
        op.emitRemark() << "reduced at once: it cannot be tiled";

    mergeRoots(rewriter, getOperation(), options);
    llvm::SmallPtrSet<Operation *, 8> refused;
    while (LinalgOp root = findLast(refused)) {
      std::string reason;
      Operation *op = root;
      if (failed(tileToWorkgroup(rewriter, root, options, reason))) {
        op->emitRemark() << "in no workgroup: " << reason;
        refused.insert(op);
      }
    }
  }

private:
  /// The last op in no workgroup that is used.
  LinalgOp findLast(const llvm::SmallPtrSetImpl<Operation *> &refused) {
    LinalgOp last;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::ForallOp>(op))
        return WalkResult::skip();
      if (auto linalgOp = dyn_cast<LinalgOp>(op);
          linalgOp && !refused.contains(op) && !isOpTriviallyDead(op) &&
          linalgOp.hasPureTensorSemantics())
        last = linalgOp;
      return WalkResult::advance();
    });
    return last;
  }
};
} // namespace
