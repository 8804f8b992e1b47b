//===- TileToWorkgroups.cpp - Tiling of all other ops ---------------------===//
//
// Tiles the ops that tile-and-fuse has no root for (plain products, norms,
// reductions, elementwise ops), so that every op is part of a GPU kernel.
// Visits the ops from last to first. Each op that belongs to no workgroup yet
// becomes a root. The root is fused with producers that have no other user, or
// only users behind the root, and that are computed only once:
//   - elementwise ops and fills;
//   - one contraction, if the root is its epilogue, or several contractions
//     with a common operand (SwiGLU), which one loop computes;
//   - reductions of rows that fit into one tile.
// MergeRoots.cpp first merges elementwise roots that read the same tensor. The
// workgroups are tiles of the root's parallel dimensions. Within a workgroup, a
// loop reduces a contraction, or a row that is too long for one tile.
//
//===----------------------------------------------------------------------===//

#include "GatherOperands.h"
#include "MergeRoots.h"
#include "TileReductions.h"
#include "WorkgroupGroup.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CreatedOps.h"
#include "mlir-ext/Support/LaunchNumbers.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTILETOWORKGROUPSPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns whether `producer` of an operand of an op in `block` can be computed
/// in the workgroup of that op: it has no parallel dimension, no other user,
/// and starts from fills.
static bool goesAlong(LinalgOp producer, Block *block) {
  return producer && producer->getBlock() == block &&
         producer.hasPureTensorSemantics() && producer->hasOneUse() &&
         readsElements(producer) && producer.getNumParallelLoops() == 0 &&
         !isEmpty(producer) &&
         llvm::all_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return cast<ShapedType>(init.get().getType()).hasStaticShape() &&
                  (init.get().getDefiningOp<linalg::FillOp>() ||
                   !producer.payloadUsesValueFromOperand(&init));
         });
}

/// Puts `root`, which has no parallel dimension, into one workgroup, together
/// with the producers that only it needs.
static LogicalResult putIntoOneWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                         const TileToWorkgroupsOptions &options,
                                         Refusal &refusal) {
  Location loc = root.getLoc();
  // 1. The ops, users first. Each has one user, so the walk meets it once.
  SmallVector<LinalgOp> ops{root};
  for (unsigned i = 0; i < ops.size(); ++i)
    for (Value input : SmallVector<Value>(ops[i].getDpsInputs()))
      if (auto producer = input.getDefiningOp<LinalgOp>();
          goesAlong(producer, root->getBlock()))
        ops.push_back(producer);

  // 2. The workgroup.
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

  // 3. Copies in it, with fills that they start from.
  rewriter.setInsertionPointToStart(forall.getBody());
  IRMapping mapping;
  SmallVector<LinalgOp> copies;
  for (LinalgOp op : llvm::reverse(ops)) {
    SmallVector<Value> inits;
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      auto type = cast<RankedTensorType>(init.getType());
      Value &place = inits.emplace_back();
      if (op == root)
        place = forall.getRegionIterArgs()[number];
      else
        place = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
      if (auto fill = init.getDefiningOp<linalg::FillOp>())
        place = linalg::FillOp::create(rewriter, loc, fill.value(), place)
                    .getResult(0);
    }
    auto copy = cast<LinalgOp>(rewriter.clone(*op, mapping));
    rewriter.modifyOpInPlace(copy,
                             [&] { copy.getDpsInitsMutable().assign(inits); });
    copies.push_back(copy);
  }
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [result, arg, sizes] : llvm::zip_equal(
           copies.back()->getResults(), forall.getRegionIterArgs(), sizes)) {
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0)),
        strides(sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, arg, offsets,
                                          sizes, strides);
  }
  rewriter.replaceOp(root, forall.getResults());
  for (LinalgOp op : copies)
    if (op.getNumReductionLoops() > 0 &&
        failed(tileReduction(rewriter, op, options, refusal)))
      return failure();
  return success();
}

/// The size of `loop` of `op`, built in front of it.
static Value getLoopSize(RewriterBase &rewriter, LinalgOp op, unsigned loop) {
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  return getValueOrCreateConstantIndexOp(rewriter, op.getLoc(),
                                         domain[loop].size);
}

void mlir::linalg_ext::iterateIf(RewriterBase &rewriter, scf::ForallOp forall,
                                 Value condition) {
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();
  SmallVector<OpFoldResult> bounds = forall.getMixedUpperBound();
  Value bound = getValueOrCreateConstantIndexOp(rewriter, loc, bounds[0]);
  // One condition for all that is asked.
  if (auto select = bound.getDefiningOp<arith::SelectOp>();
      select && isZeroInteger(getAsOpFoldResult(select.getFalseValue()))) {
    condition = rewriter.createOrFold<arith::AndIOp>(loc, select.getCondition(),
                                                     condition);
    bound = select.getTrueValue();
  }
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

/// Builds, in front of the root, the size of the chunks that the sums of the
/// contraction of `group` are split into: there are as many chunks as it takes
/// for workgroups to use the whole rate of memory. Returns null if one chunk is
/// known to have all.
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

/// Builds, in front of the root, the number of tiles that `group` cuts it into.
static Value buildNumTiles(ImplicitLocOpBuilder &b, WorkgroupGroup &group) {
  SmallVector<Range> domain =
      cast<TilingInterface>(group.root.getOperation()).getIterationDomain(b);
  Value tiles = arith::ConstantIndexOp::create(b, 1);
  for (auto [range, tile] : llvm::zip_equal(domain, group.getTileSizes())) {
    if (tile == 0)
      continue;
    Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size);
    Value count = b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::AddIOp>(
            size, arith::ConstantIndexOp::create(b, tile - 1)),
        arith::ConstantIndexOp::create(b, tile));
    tiles = b.createOrFold<arith::MulIOp>(tiles, count);
  }
  return tiles;
}

/// Builds, in front of the root, how many elements the contraction of `group`
/// sums for each element of its result.
static Value buildDepth(RewriterBase &rewriter, WorkgroupGroup &group) {
  LinalgOp contraction = group.contractions.front();
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  SmallVector<Value> sizes;
  for (unsigned loop : sums)
    sizes.push_back(getLoopSize(rewriter, contraction, loop));
  rewriter.setInsertionPoint(group.root);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  Value depth = n.constant(1);
  for (Value size : sizes)
    depth = n.mul(depth, size);
  return depth;
}

/// Builds the time that the kernel of `group` is estimated to take.
static Value buildKernelTime(LaunchNumbers &n, WorkgroupGroup &group,
                             Value depth) {
  // This chooses the kernel.
  Value tiles = buildNumTiles(n.b, group);
  ProductTime time = getProductTime(*group.tile.kernel, group.options.target);
  Value most = n.ceilDiv(tiles, n.constant(group.options.target.processors));
  Value ofStep =
      n.max(n.constant(time.alone), n.mul(most, n.constant(time.beside)));
  return n.add(
      n.add(n.constant(time.fixed), n.mul(most, n.constant(time.ofTile))),
      n.div(n.mul(depth, ofStep), n.constant(time.steps)));
}

/// Builds, in front of the root, whether the kernel of `group` with `options`
/// is estimated to take at most the time of that with `others`.
static Value buildIsFaster(RewriterBase &rewriter, WorkgroupGroup &group,
                           const TileToWorkgroupsOptions &options,
                           const TileToWorkgroupsOptions &others) {
  Value depth = buildDepth(rewriter, group);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  SmallVector<Value> times;
  for (const TileToWorkgroupsOptions &version : {options, others}) {
    group.options = version;
    times.push_back(buildKernelTime(n, group, depth));
  }
  return arith::CmpIOp::create(n.b, arith::CmpIPredicate::ule, times[0],
                               times[1]);
}

/// Builds, in front of the root, whether the kernel of `group`, which reads
/// copies of `operands`, takes less time with them than synchronous products
/// with `sync`.
static Value buildPaysInFront(RewriterBase &rewriter, WorkgroupGroup &group,
                              ArrayRef<OpOperand *> operands,
                              const TileToWorkgroupsOptions &sync) {
  Value depth = buildDepth(rewriter, group);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  // 1. The kernel, and the copies.
  Value copying = buildKernelTime(n, group, depth);
  Value bytes = n.constant(0);
  for (OpOperand *operand : operands) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    Value all = n.constant(2 * type.getElementTypeBitWidth() / 8);
    for (OpFoldResult size :
         tensor::getMixedSizes(n.b, n.b.getLoc(), operand->get()))
      all =
          n.mul(all, getValueOrCreateConstantIndexOp(n.b, n.b.getLoc(), size));
    bytes = n.add(bytes, all);
  }
  copying = n.add(copying,
                  n.add(n.constant(sync.target.launchCycles * operands.size()),
                        n.div(bytes, n.constant(static_cast<int64_t>(
                                         kCopiedBytesPerCycle)))));
  // 2. Synchronous products.
  WorkgroupGroup others(group);
  others.options = sync;
  others.options.ways = {};
  ContractionTile tile = others.getSyncTile();
  int64_t cycles =
      kNotAligned * getProductTileCycles(tile.rows, tile.columns,
                                         /*products=*/1, sync.target);
  Value most =
      n.ceilDiv(buildNumTiles(n.b, others), n.constant(sync.target.processors));
  Value staying = n.div(n.mul(depth, n.mul(most, n.constant(cycles))),
                        n.constant(kStepsOfTime));
  return n.less(copying, staying);
}

/// Copies `operand` of a contraction to rows of a multiple of 128 bytes, a line
/// of the cache: others are read more slowly. Lets the contraction read the
/// copy. If `condition`, which may be null, is false, nothing is copied, and
/// the contraction must not run.
static linalg::CopyOp copyRows(RewriterBase &rewriter, OpOperand &operand,
                               Value condition = {}) {
  constexpr int64_t kRowBits = 8 * 128;
  Operation *contraction = operand.getOwner();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  Location loc = contraction->getLoc();
  Value value = operand.get();
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
      strides(rank, rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, loc, value);
  if (condition) {
    Value none = arith::ConstantIndexOp::create(rewriter, loc, 0);
    sizes.front() =
        arith::SelectOp::create(
            rewriter, loc, condition,
            getValueOrCreateConstantIndexOp(rewriter, loc, sizes.front()), none)
            .getResult();
    value = tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes,
                                           strides);
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> stored(sizes);
  AffineExpr size = getAffineSymbolExpr(0, rewriter.getContext());
  int64_t unit = kRowBits / type.getElementTypeBitWidth();
  stored.back() = affine::makeComposedFoldedAffineApply(
      rewriter, loc, size.ceilDiv(unit) * unit, {stored.back()});
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(stored, dynamic, shape);
  Value memory = bufferization::AllocTensorOp::create(
      rewriter, loc, type.clone(shape), dynamic);
  Value rows = tensor::ExtractSliceOp::create(rewriter, loc, type, memory,
                                              offsets, sizes, strides);
  auto copy = linalg::CopyOp::create(rewriter, loc, value, rows);
  rewriter.modifyOpInPlace(contraction,
                           [&] { operand.set(copy->getResult(0)); });
  return copy;
}

/// Builds a copy of `group`, in front of its root, whose contraction reads
/// `copies` of its operands of other rows. Builds these first, if there are none:
/// they are made if `condition` is true.
static WorkgroupGroup copyGroup(RewriterBase &rewriter, WorkgroupGroup &group,
                                Value condition,
                                SmallVector<linalg::CopyOp> &copies) {
  SmallVector<Operation *> ops;
  for (auto &[op, loops] : group.loops)
    ops.push_back(op);
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(group.root);
  IRMapping mapping;
  for (Operation *op : ops)
    rewriter.clone(*op, mapping);
  TileToWorkgroupsOptions options = group.options;
  options.copiesRows = false;
  bool areNew = copies.empty();
  for (auto [number, operand] :
       llvm::enumerate(group.getOperandsOfOtherRows())) {
    OpOperand &same = mapping.lookup(operand->getOwner())
                          ->getOpOperand(operand->getOperandNumber());
    if (areNew)
      copies.push_back(copyRows(rewriter, same, condition));
    else
      rewriter.modifyOpInPlace(same.getOwner(), [&, number = number] {
        same.set(copies[number]->getResult(0));
      });
    options.stored.push_back(copies[number]);
  }
  WorkgroupGroup copy(
      cast<LinalgOp>(mapping.lookup(group.root.getOperation())), options);
  copy.grow();
  return copy;
}

/// Merges loops in `block` that have the same bounds and steps and do not use
/// each other's results.
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

/// If a tensor that a workgroup of `forall` inserts starts from a
/// `tensor.empty`, lets it start from the slice that it is inserted into. This
/// happens if the workgroup uses a tile twice, once as a destination.
/// Upstream's elimination of empty tensors replaces only one use of a
/// `tensor.empty`, which is too few once loops take slices of it.
static void startFromDestinations(RewriterBase &rewriter,
                                  scf::ForallOp forall) {
  DominanceInfo dominance;
  for (Operation &op : forall.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    if (!insert)
      continue;
    Value start = insert.getSource();
    while (auto dps = start.getDefiningOp<DestinationStyleOpInterface>())
      start = dps.getTiedOpOperand(cast<OpResult>(start))->get();
    auto empty = start.getDefiningOp<tensor::EmptyOp>();
    if (!empty || empty->getBlock() != forall.getBody() ||
        !empty->hasOneUse() || empty.getType() != insert.getSourceType() ||
        !llvm::all_of(insert->getOperands().drop_front(), [&](Value operand) {
          return dominance.properlyDominates(operand, empty);
        }))
      continue;
    rewriter.setInsertionPoint(empty);
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        empty, insert.getSourceType(), insert.getDest(),
        insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
  }
}

/// Tiles `op`, which is the root of `group` or a copy of it, and the other ops
/// of the group into a loop over workgroups. Returns the loop.
static FailureOr<scf::ForallOp> tileGroup(RewriterBase &rewriter,
                                          WorkgroupGroup &group, LinalgOp op,
                                          Refusal &refusal) {
  // 1. The workgroups.
  auto scope = op->getParentOfType<ModuleOp>();
  bool isChosen = group.options.ways.anyAsync();
  if (scope) {
    group.number = vector_ext::getNextKernelNumber(scope);
    group.options.ways =
        vector_ext::getRemainingWays(group.options.ways, scope, group.number);
  }
  TileAndFuseOptions fuse;
  // The root itself still needs what a copy of it is fused with.
  fuse.yieldProducers = op == group.root && !group.yields.empty();
  TilingLevel &level = fuse.levels.emplace_back();
  level.kind = LoopKind::Forall;
  level.tileSizes = group.getTileSizes();
  std::optional<ProductKernel> kernel = group.tile.kernel;
  // A kernel that is refused in all ways keeps its number, and so do the
  // kernels after it.
  if (isChosen && !kernel && !group.contractions.empty()) {
    kernel.emplace();
    kernel->threads = group.options.threads;
    kernel->reason = "sync: all other ways were refused";
  }
  int64_t slots = kernel && scope
                      ? vector_ext::getMostSlots(scope, group.number,
                                                 kernel->way, kernel->persist)
                      : 0;
  TileToWorkgroupsOptions options = group.options;
  if (!group.contractions.empty())
    options.reduction = options.narrowReduction = group.tile.reduction;
  level.mapping = getWorkgroupMapping(
      rewriter.getContext(),
      llvm::count_if(level.tileSizes, [](int64_t size) { return size != 0; }));
  fuse.mayFuse = [&](const PlannedProducer &producer) {
    return group.contains(producer.op);
  };
  FailureOr<TileAndFuseResult> result =
      tileAndFuse(rewriter, op, fuse, refusal);
  if (failed(result))
    return failure();
  auto forall = cast<scf::ForallOp>(result->loops.front().getOperation());
  if (kernel) {
    vector_ext::setKernelMark(forall,
                              {group.number, kernel->way, kernel->threads,
                               /*rotate=*/false, slots, kernel->persist ? 1 : 0,
                               /*copied=*/false, kernel->isAlone});
    if (group.options.report)
      emitRemark(forall.getLoc())
          << "kernel " << group.number << ": " << kernel->reason;
  }
  startFromDestinations(rewriter, forall);

  // 2. Loops within them. Those of long rows from the last one on: what is
  // fused into a later loop may have no use then. Ops that read the same tile
  // have slices of their own, which the plan would not know to be the same.
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, forall);
  SmallVector<Operation *> tiled;
  for (auto op : forall.getBody()->getOps<LinalgOp>())
    if (group.isLong || op.getNumReductionLoops() > 0)
      tiled.push_back(op);
  if (group.isLong)
    std::reverse(tiled.begin(), tiled.end());
  PendingRoots pending(rewriter, tiled);
  while (Operation *next = pending.next())
    if (failed(tileReduction(rewriter, cast<LinalgOp>(next), options, refusal,
                             group.isLong, /*isOnePiece=*/group.shortRow > 0,
                             group.isLong ? OpFoldResult() : group.chunk,
                             /*isRow=*/group.contractions.empty(),
                             group.parts)))
      return failure();
  if (group.contractions.size() > 1)
    fuseSiblingLoops(rewriter, forall.getBody());
  return forall;
}

/// Tiles `group` once for each of `versions`, the last time the root itself. If
/// there are several loops, one of them has iterations at run time.
static LogicalResult tileVersions(RewriterBase &rewriter, WorkgroupGroup &group,
                                  const Versions &versions, Refusal &refusal) {
  LinalgOp root = group.root;
  Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  // A null condition is true.
  auto both = [&](Value lhs, Value rhs) -> Value {
    return lhs ? rewriter.createOrFold<arith::AndIOp>(loc, lhs, rhs) : rhs;
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     Value rhs) -> Value {
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
  };
  Value size;
  for (auto [tensor, dim] : versions.dims) {
    Value next = rewriter.createOrFold<tensor::DimOp>(loc, tensor, dim);
    size = size ? rewriter.createOrFold<arith::MaxUIOp>(loc, size, next) : next;
  }
  // For each version: whether it runs. This is asked before all loops: tiling
  // may replace sizes of tensors.
  SmallVector<Value> conditions;
  SmallVector<OpFoldResult> chunks(versions.versions.size());
  Value isOther;
  for (auto [index, version] :
       llvm::enumerate(ArrayRef(versions.versions).drop_back())) {
    if (!ShapedType::isDynamic(version.most)) {
      Value most = arith::ConstantIndexOp::create(rewriter, loc, version.most);
      conditions.push_back(
          both(isOther, compare(arith::CmpIPredicate::sle, size, most)));
      isOther = compare(arith::CmpIPredicate::sgt, size, most);
      continue;
    }
    Value isAligned;
    for (auto [tensor, elements] : version.alignedRows) {
      int64_t last = cast<RankedTensorType>(tensor.getType()).getRank() - 1;
      Value rest = rewriter.createOrFold<arith::RemUIOp>(
          loc, rewriter.createOrFold<tensor::DimOp>(loc, tensor, last),
          arith::ConstantIndexOp::create(rewriter, loc, elements));
      isAligned = both(
          isAligned, compare(arith::CmpIPredicate::eq, rest,
                             arith::ConstantIndexOp::create(rewriter, loc, 0)));
    }
    Value applies = isAligned;
    if (version.leastChunks > 0) {
      group.options = version.options;
      OpFoldResult chunk = getChunk(rewriter, group);
      chunks[index] = chunk;
      Value isSplit = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
      if (chunk) {
        SmallVector<unsigned> sums;
        group.contractions.front().getReductionDims(sums);
        Value sum =
            getLoopSize(rewriter, group.contractions.front(), sums.front());
        rewriter.setInsertionPoint(root);
        Value most = rewriter.createOrFold<arith::MulIOp>(
            loc, getValueOrCreateConstantIndexOp(rewriter, loc, chunk),
            arith::ConstantIndexOp::create(rewriter, loc,
                                           version.leastChunks - 1));
        isSplit = compare(arith::CmpIPredicate::ugt, sum, most);
      }
      applies = both(isAligned, isSplit);
    }
    if (version.options.copiesRows) {
      group.options = version.options;
      applies =
          buildPaysInFront(rewriter, group, group.getOperandsOfOtherRows(),
                           versions.versions.back().options);
    }
    if (version.isCompared)
      for (const Version &other :
           ArrayRef(versions.versions).drop_front(index + 1)) {
        applies = both(applies, buildIsFaster(rewriter, group, version.options,
                                              other.options));
        if (!other.isCompared)
          break;
      }
    conditions.push_back(both(isOther, applies));
    Value isTrue = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    isOther = both(isOther,
                   rewriter.createOrFold<arith::XOrIOp>(loc, applies, isTrue));
  }
  conditions.push_back(isOther);
  Value isCopied;
  SmallVector<linalg::CopyOp> copies;
  for (auto [version, condition] :
       llvm::zip_equal(versions.versions, conditions))
    if (version.options.copiesRows)
      isCopied = isCopied ? rewriter.createOrFold<arith::OrIOp>(loc, isCopied,
                                                                condition)
                          : condition;
  // Loops, and where they run.
  SmallVector<std::pair<scf::ForallOp, Value>> loops;
  auto addLoopOf = [&](WorkgroupGroup &group, LinalgOp op, Value condition) {
    FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, op, refusal);
    if (failed(forall))
      return failure();
    loops.emplace_back(*forall, condition);
    return success();
  };
  auto addLoop = [&](LinalgOp op, Value condition) {
    return addLoopOf(group, op, condition);
  };
  for (auto [index, version] : llvm::enumerate(versions.versions)) {
    bool isLast = index + 1 == versions.versions.size();
    Value condition = conditions[index];
    rewriter.setInsertionPoint(root);
    group.options = version.options;
    group.shortRow = version.shortRow;
    group.parts = version.parts;
    if (version.options.copiesRows) {
      WorkgroupGroup copy = copyGroup(rewriter, group, isCopied, copies);
      if (failed(addLoopOf(copy, copy.root, condition)))
        return failure();
      continue;
    }
    if (version.leastChunks > 0) {
      group.chunk = chunks[index];
      if (!group.chunk)
        continue;
    } else {
      group.chunk =
          version.splitsSums ? getChunk(rewriter, group) : OpFoldResult();
    }
    // If the number of chunks is not known, one chunk has a loop of its own:
    // nothing need be merged.
    if (auto chunk = dyn_cast_if_present<Value>(group.chunk);
        chunk && version.leastChunks == 0) {
      LinalgOp contraction = group.contractions.front();
      SmallVector<unsigned> sums;
      contraction.getReductionDims(sums);
      Value sum = getLoopSize(rewriter, contraction, sums.front());
      rewriter.setInsertionPoint(root);
      Value isSplit =
          both(condition, compare(arith::CmpIPredicate::sgt, sum, chunk));
      condition =
          both(condition, compare(arith::CmpIPredicate::sle, sum, chunk));
      if (failed(addLoop(cast<LinalgOp>(rewriter.clone(*root)), isSplit)))
        return failure();
      group.chunk = {};
    }
    rewriter.setInsertionPoint(root);
    if (failed(addLoop(isLast ? root : cast<LinalgOp>(rewriter.clone(*root)),
                       condition)))
      return failure();
  }
  if (loops.size() == 1)
    return success();
  // All but one have no iteration: their results are what they start from.
  for (auto [i, loop] : llvm::enumerate(loops)) {
    iterateIf(rewriter, loop.first, loop.second);
    if (i > 0)
      rewriter.modifyOpInPlace(loop.first, [&, i = i, loop = loop]() mutable {
        loop.first.getOutputsMutable().assign(loops[i - 1].first.getResults());
      });
  }
  return success();
}

/// Gives workgroups below `scope` fills of their own in place of fills in front
/// of them, with which CSE has merged theirs: those would be kernels.
static void fillInWorkgroups(RewriterBase &rewriter, Operation *scope) {
  SmallVector<linalg::FillOp> fills;
  scope->walk([&](linalg::FillOp fill) {
    if (!fill->getParentOfType<scf::ForallOp>() &&
        fill.hasPureTensorSemantics() &&
        fill.getDpsInits().front().getDefiningOp<tensor::EmptyOp>())
      fills.push_back(fill);
  });
  OpBuilder::InsertionGuard guard(rewriter);
  for (linalg::FillOp fill : fills)
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto forall = use.getOwner()->getParentOfType<scf::ForallOp>();
      if (!forall || isa<scf::ForallOp>(use.getOwner()))
        continue;
      rewriter.setInsertionPoint(
          forall.getBody()->findAncestorOpInBlock(*use.getOwner()));
      IRMapping mapping;
      rewriter.clone(*fill.getDpsInits().front().getDefiningOp(), mapping);
      Operation *own = rewriter.clone(*fill, mapping);
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(own->getResult(0)); });
    }
}

/// Lets ops compute again what they read of an op that computes one element
/// from others, such as a scale from a maximum. It would be a kernel of its
/// own, if several ops read it.
static void computeScalarsAgain(RewriterBase &rewriter, Operation *scope) {
  constexpr size_t kMostUsers = 4;
  SmallVector<LinalgOp> scalars;
  scope->walk([&](LinalgOp op) {
    if (op.getNumLoops() == 0 && op->getNumResults() == 1 &&
        op.hasPureTensorSemantics() && !isFill(op) &&
        !op->getParentOfType<scf::ForallOp>())
      scalars.push_back(op);
  });
  // What others are computed from comes last, with all of its users.
  for (LinalgOp op : llvm::reverse(scalars)) {
    SetVector<Operation *> users;
    bool isKept = false;
    for (Operation *user : op->getUsers()) {
      if (isa<LinalgOp>(user) && user->getBlock() == op->getBlock())
        users.insert(user);
      else
        isKept = true;
    }
    if (users.size() + isKept < 2 || users.size() > kMostUsers)
      continue;
    // The op itself is for one of them.
    for (Operation *user : ArrayRef(users.getArrayRef()).drop_back(!isKept)) {
      rewriter.setInsertionPoint(user);
      IRMapping mapping;
      for (Value init : op.getDpsInits())
        if (auto empty = init.getDefiningOp<tensor::EmptyOp>())
          rewriter.clone(*empty, mapping);
      Operation *own = rewriter.clone(*op, mapping);
      rewriter.modifyOpInPlace(user, [&] {
        user->replaceUsesOfWith(op->getResult(0), own->getResult(0));
      });
    }
  }
}

/// Lets workgroups reduce the rows of a large tensor that is reduced to one
/// element, such as its maximum, in front of a reduction of their results: one
/// workgroup would have to read all of it.
static void reduceRowsFirst(RewriterBase &rewriter, linalg::GenericOp op) {
  constexpr int64_t kLarge = 1 << 16, kLargeRows = 1 << 12;
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumLoops() < 2 || op.getNumReductionLoops() != op.getNumLoops() ||
      op.hasIndexSemantics())
    return;
  int64_t elements = 1;
  bool isDynamic = false;
  for (int64_t range : op.getStaticLoopRanges()) {
    isDynamic |= ShapedType::isDynamic(range);
    elements *= ShapedType::isDynamic(range) ? 1 : range;
  }
  if (elements < (isDynamic ? kLargeRows : kLarge) ||
      op.getStaticLoopRanges().front() == 1)
    return;
  // 1. What combines elements, and what changes none.
  SmallVector<Operation *, 4> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return;
  Operation *combiner = combiners.front();
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral || combiner->getNumOperands() != 2 ||
      combiner->getNumResults() != 1)
    return;
  // 2. The rows.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  Type element = getElementTypeOrSelf(op->getResult(0));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, {domain.front().size}, element);
  Value start = arith::ConstantOp::create(rewriter, loc, *neutral);
  Value starts =
      linalg::FillOp::create(rewriter, loc, start, empty).getResult(0);
  IRMapping mapping;
  auto rows = cast<linalg::GenericOp>(rewriter.clone(*op, mapping));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Element 0 along each dimension, if there are any.
  AffineMap place = maps.back();
  maps.back() =
      AffineMap::get(op.getNumLoops(), 0, rewriter.getAffineDimExpr(0));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.front() = utils::IteratorType::parallel;
  rewriter.modifyOpInPlace(rows, [&] {
    rows.getDpsInitsMutable().assign(starts);
    rows.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    rows.setIteratorTypesAttr(rewriter.getArrayAttr(llvm::map_to_vector(
        iterators, [&](utils::IteratorType iterator) -> Attribute {
          return linalg::IteratorTypeAttr::get(rewriter.getContext(), iterator);
        })));
    rows->getResult(0).setType(cast<RankedTensorType>(starts.getType()));
  });
  // 3. Their results.
  SmallVector<AffineMap> ofRows{
      rewriter.getMultiDimIdentityMap(1),
      AffineMap::get(1, 0, place.getResults(), rewriter.getContext())};
  auto all = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), rows->getResult(0), op.getDpsInits(),
      ofRows, utils::IteratorType::reduction,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Operation *copy = b.clone(*combiner);
        copy->setOperands({args[0], args[1]});
        linalg::YieldOp::create(b, loc, copy->getResult(0));
      });
  rewriter.replaceOp(op, all);
}

/// Converts operands of bytes of the contraction that is computed with `root`
/// in front of it, where asynchronous products read them then: ops that convert
/// them are stored, as `options` say then. Returns `root`, or what has replaced
/// it.
static LinalgOp convertInFront(RewriterBase &rewriter, LinalgOp root,
                               TileToWorkgroupsOptions &options) {
  options.stored.clear();
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return root;
  WorkgroupGroup group(root, options);
  group.grow();
  SmallVector<OpOperand *> operands = group.getOperandsToConvert();
  if (operands.empty())
    return root;
  LinalgOp contraction = group.contractions.front();
  SmallVector<unsigned> extended;
  bool hasBF16 = false;
  for (OpOperand *operand : contraction.getDpsInputOperands())
    hasBF16 |= getElementTypeOrSelf(operand->get()).isBF16();
  for (OpOperand *operand : operands) {
    if (isF8(getElementTypeOrSelf(operand->get())))
      extended.push_back(operand->getOperandNumber());
    else
      options.stored.push_back(operand->get().getDefiningOp());
  }
  Type element = hasBF16 ? Type(rewriter.getBF16Type()) : rewriter.getF16Type();
  // The instruction multiplies in f32.
  auto isExtended = [&](Operation *op) {
    auto extension = dyn_cast<arith::ExtFOp>(op);
    return extension && extension.getType().isF32();
  };
  auto mayBeWider = [&](unsigned number) {
    return llvm::all_of(contraction.getBlock()->getArgument(number).getUsers(),
                        [&](Operation *user) {
                          return isExtended(user) ||
                                 (isa<arith::ExtFOp>(user) &&
                                  user->getResult(0).getType() == element &&
                                  llvm::all_of(user->getUsers(), isExtended));
                        });
  };
  if (!llvm::all_of(extended, mayBeWider)) {
    options.stored.clear();
    return root;
  }
  if (extended.empty())
    return root;
  bool isRoot = contraction == root;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  auto generic = dyn_cast<linalg::GenericOp>(contraction.getOperation());
  if (!generic)
    generic = *linalg::generalizeNamedOp(rewriter, contraction);
  rewriter.setInsertionPoint(generic);
  Location loc = generic.getLoc();
  for (unsigned number : extended) {
    Value value = generic->getOperand(number);
    linalg::GenericOp wide = convertElements(rewriter, loc, value, element);
    BlockArgument argument = generic.getBody()->getArgument(number);
    rewriter.modifyOpInPlace(generic, [&] {
      generic->setOperand(number, wide.getResult(0));
      argument.setType(element);
    });
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (user->getResult(0).getType() == element)
        rewriter.replaceOp(user, argument);
    options.stored.push_back(wide);
  }
  return isRoot ? cast<LinalgOp>(generic.getOperation()) : root;
}

/// Transposes operands of 8 bits of the contraction that is computed with
/// `root`, where asynchronous products read them then. Returns `root`, or what
/// has replaced it.
static LinalgOp transposeBytes(RewriterBase &rewriter, LinalgOp root,
                               const TileToWorkgroupsOptions &options) {
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return root;
  WorkgroupGroup group(root, options);
  group.grow();
  SmallVector<OpOperand *> operands = group.getOperandsToTranspose();
  if (operands.empty())
    return root;
  SmallVector<unsigned> numbers = llvm::map_to_vector(
      operands, [](OpOperand *operand) { return operand->getOperandNumber(); });
  LinalgOp contraction = group.contractions.front();
  bool isRoot = contraction == root;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contraction);
  unsigned k = linalg::inferContractionDims(contraction)->k.front();
  auto generic = dyn_cast<linalg::GenericOp>(contraction.getOperation());
  if (!generic)
    generic = *linalg::generalizeNamedOp(rewriter, contraction);
  rewriter.setInsertionPoint(generic);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (unsigned number : numbers) {
    Value moved = moveToEnd(rewriter, generic.getLoc(),
                            generic->getOperand(number), maps[number], k);
    rewriter.modifyOpInPlace(generic,
                             [&] { generic->setOperand(number, moved); });
  }
  rewriter.modifyOpInPlace(generic, [&] {
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  return isRoot ? cast<LinalgOp>(generic.getOperation()) : root;
}

/// Copies operands of the contraction that is computed with `root` in front of
/// it, where asynchronous products read them then.
static void copyInFront(RewriterBase &rewriter, LinalgOp root,
                        TileToWorkgroupsOptions &options) {
  if (isEmpty(root) || !hasVectorElements(root) || !readsElements(root))
    return;
  WorkgroupGroup group(root, options);
  group.grow();
  for (OpOperand *operand : group.getOperandsToCopy())
    options.stored.push_back(copyRows(rewriter, *operand));
}

void TileToWorkgroupsOptions::setTile(int64_t givenRows, int64_t givenColumns,
                                      int64_t givenReduction) {
  auto choose = [](int64_t given, int64_t chosen) {
    return given == 0 ? chosen : given;
  };
  rows = choose(givenRows, kTile.rows);
  columns = choose(givenColumns, kTile.columns);
  narrowRows = choose(givenRows, kNarrowTile.rows);
  narrowColumns = choose(givenColumns, kNarrowTile.columns);
  useProcessors = givenRows == 0 && givenColumns == 0;
  reduction = narrowReduction = choose(givenReduction, kReduction);
  smallReduction = choose(givenReduction, kSmallReduction);
  asyncTile = {givenRows, givenColumns};
  asyncReduction = givenReduction;
}

LogicalResult
mlir::linalg_ext::tileToWorkgroup(RewriterBase &rewriter, LinalgOp root,
                                  const TileToWorkgroupsOptions &options,
                                  Refusal &refusal) {
  if (isEmpty(root))
    return refusal.set(RefusalKind::Other, root, "no iteration");
  if (!root.hasPureTensorSemantics())
    return refusal.set(RefusalKind::RootOnBuffers, root,
                       "expected tensors, got buffers");
  if (!hasVectorElements(root))
    return refusal.set(RefusalKind::Other, root,
                       "expected elements that vectors have, got complex "
                       "numbers; pass their parts as two tensors");
  if (!readsElements(root))
    return refusal.set(RefusalKind::Other, root,
                       "expected operands that are read at loops, got a sum of "
                       "loops, as of a convolution; write it as a product of "
                       "patches");
  OpBuilder::InsertionGuard guard(rewriter);
  CreatedOps created(rewriter);
  WorkgroupGroup group(root, options);
  group.grow();
  LogicalResult result =
      group.cut.none()
          ? putIntoOneWorkgroup(rewriter, root, options, refusal)
          : tileVersions(rewriter, group, getVersions(group), refusal);
  if (failed(result))
    created.eraseUnused();
  return result;
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
    options.setTile(rows, columns, reduction);
    options.target = *target;
    options.maxRow = maxRow;
    options.rowTile = rowTile;
    options.fuseLongRows = rowElements > 0;
    options.rowElements = rowElements;
    options.versionsByRowLength.assign(versionsByRowLength.begin(),
                                       versionsByRowLength.end());
    options.versionsByM.assign(versionsByM.begin(), versionsByM.end());
    std::string error;
    std::optional<vector_ext::ProductWays> parsed =
        vector_ext::ProductWays::parse(*ways, error);
    if (!parsed) {
      emitError(getOperation()->getLoc()) << "invalid option 'ways': " << error;
      return signalPassFailure();
    }
    options.ways = *parsed;
    options.asyncF8 = asyncF8;
    options.threads = threads;
    options.report = report;
    if (failed(checkOptions(options)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    fillInWorkgroups(rewriter, getOperation());
    // What is in workgroups already may reduce more than a tile.
    SmallVector<Operation *> large;
    getOperation()->walk([&](LinalgOp op) {
      if (op->getParentOfType<scf::ForallOp>() &&
          needsReductionLoop(op, options))
        large.push_back(op);
    });
    PendingRoots pending(rewriter, large);
    while (Operation *next = pending.next()) {
      auto op = cast<LinalgOp>(next);
      Location loc = op.getLoc();
      Refusal refusal;
      if (failed(tileReduction(rewriter, op, getOptionsForRows(op, options),
                               refusal)))
        return fail(loc, refusal);
    }

    SmallVector<linalg::GenericOp> whole;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!op->getParentOfType<scf::ForallOp>() &&
          op.getNumParallelLoops() == 0)
        whole.push_back(op);
    });
    for (linalg::GenericOp op : whole)
      reduceRowsFirst(rewriter, op);
    gatherOperands(rewriter, getOperation());
    computeScalarsAgain(rewriter, getOperation());
    mergeRoots(rewriter, getOperation(), options);
    llvm::SmallPtrSet<Operation *, 8> refused;
    while (LinalgOp root = findLast(refused)) {
      Refusal refusal;
      Location loc = root.getLoc();
      if (root.hasPureTensorSemantics())
        root = convertInFront(rewriter, transposeBytes(rewriter, root, options),
                              options);
      if (root.hasPureTensorSemantics())
        copyInFront(rewriter, root, options);
      Operation *op = root;
      if (succeeded(tileToWorkgroup(rewriter, root, options, refusal)))
        continue;
      if (!refusal.op)
        return fail(loc, refusal);
      emitRemark(loc) << "in no workgroup: " << refusal.text;
      refused.insert(op);
    }
  }

private:
  LogicalResult checkOptions(const TileToWorkgroupsOptions &options) {
    for (auto [name, sizes] :
         {std::pair("versions-by-row-length", &options.versionsByRowLength),
          std::pair("versions-by-m", &options.versionsByM)})
      if (!llvm::is_sorted(*sizes) ||
          llvm::any_of(*sizes, [](int64_t size) { return size < 1; }))
        return emitError(getOperation()->getLoc())
               << "expected '" << name << "' to be positive and ascending";
    for (auto [name, value, least] :
         {std::tuple("rows", rows.getValue(), 0),
          std::tuple("columns", columns.getValue(), 0),
          std::tuple("reduction", reduction.getValue(), 0),
          std::tuple("max-row", options.maxRow, 1),
          std::tuple("row-tile", options.rowTile, 1),
          std::tuple("threads", options.threads, 1)})
      if (value < least)
        return emitError(getOperation()->getLoc())
               << "expected '" << name << "' to be at least " << least
               << ", got " << value;
    return success();
  }

  /// Fails the pass after a refusal that has already changed the IR.
  void fail(Location loc, const Refusal &refusal) {
    emitError(loc) << "cannot be tiled to workgroups: " << refusal.text;
    signalPassFailure();
  }

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
