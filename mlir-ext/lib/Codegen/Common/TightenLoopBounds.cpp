//===- TightenLoopBounds.cpp - Loops without masked tiles -----------------===//
//
// A causal mask hides half of the tiles that a loop over keys visits. This pass
// removes such iterations from the loop bounds. It does not know about keys: a
// mask is any condition on coordinates in a payload. docs/Rationale/Masks.md
// explains why this is correct.
//
//   1. Find the masks: conditions such that the body yields its iter_args
//      unchanged if the condition has one value on the whole tile.
//   2. Compute the range of iterations that each mask leaves.
//   3. Set the bounds of the loop to this range.
//   4. Split off the iterations in which no mask hides a part of the tile, but
//      not from a short loop whose tiles are copied asynchronously. Their loop
//      does not evaluate the masks. A gather whose rows are all
//      below the length does not read the length.
//
// In a persistent kernel whose loops will be rotated, the tile on a diagonal
// comes first if there is only one, and there always is one: what is in front
// of the rotated loops then is the same code for all tiles, and no loop has
// masks. So the next tile can begin before the end of this one.
// Both are allowed: a reduction has no order, and an iteration in which all
// points are hidden has no effect.
//
//===----------------------------------------------------------------------===//

#include "AddedZeros.h"
#include "TripRange.h"
#include "UniformEvaluator.h"

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Utils/AffineCanonicalizationUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTIGHTENLOOPBOUNDSPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The threads of two groups that compute.
static constexpr int64_t kThreadsOfTwoGroups = 256;

/// A loop of an asynchronous kernel with at most so many iterations, as in a
/// window of 128 keys, is not split (docs/Decisions/0172).
static constexpr int64_t kFewIterations = 3;

//===----------------------------------------------------------------------===//
// Finding masks
//===----------------------------------------------------------------------===//

namespace {
/// A scalar in a payload. If it has the value `hiding` at all points of a tile,
/// the iteration has no effect.
struct Mask {
  Value scalar;
  bool hiding;
  /// The condition under which a point is not hidden.
  TileCondition visible;
  /// Whether the mask depends on an inner loop. The inner loop is split for the
  /// tiles that are partly masked, so splitting the outer loop gains nothing.
  bool isInInnerLoop;
};
} // namespace

/// Returns whether `op` computes an i1 from i1s.
static bool isLogic(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(op) &&
         op->getResult(0).getType().isInteger(1);
}

/// Returns the i1 values in the payloads in `loop` that ops use for more than
/// computing another i1.
static SmallVector<Value> findDecisions(scf::ForOp loop) {
  SmallVector<Value> decisions;
  loop.walk([&](linalg::LinalgOp op) {
    if (op->getNumRegions() != 1)
      return;
    for (Operation &scalar : *op.getBlock())
      for (Value result : scalar.getResults())
        if (result.getType().isInteger(1) &&
            llvm::any_of(result.getUsers(),
                         [](Operation *user) { return !isLogic(user); }))
          decisions.push_back(result);
    for (BlockArgument arg : op.getRegionInputArgs())
      if (arg.getType().isInteger(1) &&
          llvm::any_of(arg.getUsers(),
                       [](Operation *user) { return !isLogic(user); }))
        decisions.push_back(arg);
  });
  return decisions;
}

/// Returns whether `condition`, which applies in `region` in `loop`, depends on
/// the induction variable of a loop in between.
static bool dependsOnInnerLoop(scf::ForOp loop, Region *region,
                               const TileCondition &condition) {
  auto inner = region->getParentOfType<scf::ForOp>();
  for (; inner && inner != loop; inner = inner->getParentOfType<scf::ForOp>())
    if (condition.dependsOn(inner.getInductionVar()))
      return true;
  return false;
}

/// Appends `scalar` to `masks`. If the visible points are a conjunction,
/// appends each operand of it instead, since each one hides points on its own.
static void collectMasks(scf::ForOp loop, const TileConditionReader &reader,
                         Value scalar, bool hiding,
                         SmallVectorImpl<Mask> &masks) {
  Operation *op = scalar.getDefiningOp();
  if (op && ((isa<arith::AndIOp>(op) && !hiding) ||
             (isa<arith::OrIOp>(op) && hiding))) {
    collectMasks(loop, reader, op->getOperand(0), hiding, masks);
    collectMasks(loop, reader, op->getOperand(1), hiding, masks);
    return;
  }
  if (isa_and_nonnull<arith::XOrIOp>(op))
    for (unsigned side : {0, 1})
      if (matchPattern(op->getOperand(side), m_One()))
        return collectMasks(loop, reader, op->getOperand(1 - side), !hiding,
                            masks);
  TileCondition condition = reader.read(scalar);
  if (condition.isUnknown() || llvm::any_of(masks, [&](const Mask &mask) {
        return mask.scalar == scalar;
      }))
    return;
  bool isInInnerLoop =
      dependsOnInnerLoop(loop, scalar.getParentRegion(), condition);
  masks.push_back(
      {scalar, hiding, hiding ? condition.negate() : condition, isInInnerLoop});
}

static SmallVector<Mask> findMasks(scf::ForOp loop) {
  TileConditionReader reader(loop);
  SmallVector<Mask> masks;
  for (Value decision : findDecisions(loop)) {
    if (reader.read(decision).isUnknown())
      continue;
    for (bool hiding : {false, true})
      if (UniformEvaluator(decision, hiding).leavesUnchanged(loop)) {
        collectMasks(loop, reader, decision, hiding, masks);
        break;
      }
  }
  return masks;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Replaces the uses of `value` by a constant.
static void replaceByConstant(RewriterBase &rewriter, Value value,
                              TypedAttr constant) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(value.getParentBlock());
  Value replacement =
      arith::ConstantOp::create(rewriter, value.getLoc(), constant);
  rewriter.replaceAllUsesWith(value, replacement);
}

/// Replaces uniform inputs of elementwise ops in `loop` by constants and drops
/// these inputs. The ops that computed them become dead.
static void useUniformInputs(RewriterBase &rewriter, scf::ForOp loop) {
  UniformEvaluator evaluator;
  SmallVector<Operation *> changed;
  loop.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0)
      return;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      TypedAttr constant = evaluator.evaluate(operand->get()).constant;
      BlockArgument arg = op.getMatchingBlockArgument(operand);
      if (!constant || arg.use_empty())
        continue;
      replaceByConstant(rewriter, arg, constant);
      changed.push_back(op);
    }
  });
  RewritePatternSet patterns(loop.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  if (auto *listener =
          dyn_cast_if_present<RewriterBase::Listener>(rewriter.getListener()))
    config.setListener(listener);
  llvm::SetVector<Operation *> unique(changed.begin(), changed.end());
  (void)applyOpPatternsGreedily(unique.getArrayRef(), frozen, config);
}

/// Builds a copy of `loop` before it, from `lower` to `upper`. `loop` then
/// starts where the copy ends.
static scf::ForOp buildPart(RewriterBase &rewriter, scf::ForOp loop,
                            Value lower, Value upper, IRMapping &mapping) {
  rewriter.setInsertionPoint(loop);
  auto part = cast<scf::ForOp>(rewriter.clone(*loop, mapping));
  rewriter.modifyOpInPlace(part, [&] {
    part.setLowerBound(lower);
    part.setUpperBound(upper);
  });
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(upper);
    loop.getInitArgsMutable().assign(part.getResults());
  });
  return part;
}

/// Builds a copy of `loop` behind it, from `lower` to `upper`. `loop` then goes
/// from there to `end`.
static scf::ForOp buildPartBehind(RewriterBase &rewriter, scf::ForOp loop,
                                  Value lower, Value upper, Value end,
                                  IRMapping &mapping) {
  rewriter.setInsertionPointAfter(loop);
  auto part = cast<scf::ForOp>(rewriter.clone(*loop, mapping));
  rewriter.replaceAllUsesWith(loop.getResults(), part.getResults());
  rewriter.modifyOpInPlace(part, [&] {
    part.setLowerBound(lower);
    part.setUpperBound(upper);
    part.getInitArgsMutable().assign(loop.getResults());
  });
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(upper);
    loop.setUpperBound(end);
  });
  return part;
}

/// Returns how many tiles of `loop` may be partly visible, if they are to come
/// first: those of a persistent kernel whose loops will be rotated. Loops that
/// reduce online may have any order. Beside three groups, memory has room for
/// the rows of the next tile, so that a tile begins early even if two of its
/// tiles have masks.
static int64_t getMostMaskedFirst(scf::ForOp loop) {
  for (Operation *kernel = loop; kernel; kernel = kernel->getParentOp())
    if (std::optional<vector_ext::KernelMark> mark =
            vector_ext::getKernelMark(kernel)) {
      if (!mark->rotate || mark->persist == 0)
        return 0;
      return mark->threads > kThreadsOfTwoGroups ? 2 : 1;
    }
  return 0;
}

/// Returns whether the tiles of `loop` are copied asynchronously. Each loop
/// then begins with copies that nothing hides.
static bool copiesAhead(scf::ForOp loop) {
  for (Operation *kernel = loop; kernel; kernel = kernel->getParentOp())
    if (vector_ext::getKernelMark(kernel))
      return vector_ext::isMarkedAsync(kernel);
  return false;
}

namespace {
/// A range of iterations to execute.
struct Visit {
  /// The iterations in which some points are visible, and those in which all
  /// are.
  TripRange some, all;
  /// The masks that need not be evaluated if all points are visible, and the
  /// iterations in which each of them hides none.
  SmallVector<std::pair<Value, TripRange>> dispensable;
  /// The gathers that need no lengths if all points are visible.
  SmallVector<Value> whole;
  /// True if `all` is neither empty nor the same as `some`.
  bool isWorthSplitting = false;
  /// Whether a mask depends on several positions in the tile, as a diagonal
  /// does: where it ends, some tiles are partly visible, whatever the sizes.
  bool hasDiagonal = false;
};
} // namespace

/// Returns whether `condition` compares several positions in a tile.
static bool isDiagonal(const TileConditionReader &reader,
                       const TileCondition &condition) {
  int64_t positions = 0;
  condition.form.forEachValue([&](Value value) {
    positions +=
        value != reader.getInductionVar() && !reader.isHoistable(value);
  });
  return positions > 1 ||
         llvm::any_of(condition.operands, [&](const TileCondition &operand) {
           return isDiagonal(reader, operand);
         });
}

/// Restricts `visit` by `visible`, the condition of `mask`.
static void applyMask(TripRangeBuilder &builder,
                      const TileConditionReader &reader, const Mask &mask,
                      const TileCondition &visible, Visit &visit) {
  visit.some = builder.intersect(
      visit.some, builder.build(reader.project(visible, Quantifier::Some),
                                Quantifier::Some));
  TileCondition everywhere = reader.project(visible, Quantifier::All);
  if (mask.isInInnerLoop || everywhere.getConstant() == false)
    return;
  TripRange range = builder.build(everywhere, Quantifier::All);
  visit.dispensable.emplace_back(mask.scalar, range);
  visit.isWorthSplitting |= everywhere.dependsOn(reader.getInductionVar());
  visit.hasDiagonal |= isDiagonal(reader, visible);
  visit.all = builder.intersect(visit.all, range);
}

/// Returns the masks that hide no point in the iterations in front of those in
/// which all points are visible. These iterations end in front of
/// `visit.all.lower`.
static SmallVector<Value> findUselessBefore(const Visit &visit) {
  SmallVector<Value> useless;
  for (const auto &[mask, range] : visit.dispensable)
    if (!range.lower && range.upper &&
        isAtMostMore(*visit.all.lower, *range.upper, /*more=*/0))
      useless.push_back(mask);
  return useless;
}

/// Returns the masks that hide no point in the iterations from
/// `visit.all.lower` on, to which those belong that are behind the iterations
/// in which all points are visible.
static SmallVector<Value> findUselessBehind(const Visit &visit) {
  SmallVector<Value> useless;
  for (const auto &[mask, range] : visit.dispensable)
    if (range.lower && !range.upper)
      useless.push_back(mask);
  return useless;
}

/// Restricts the iterations of `visits` in which all points are visible to
/// those in which the gathers of `loop` read only rows below their length.
/// These gathers then need no lengths.
static void applyLengths(RewriterBase &rewriter, TripRangeBuilder &builder,
                         const TileConditionReader &reader, scf::ForOp loop,
                         MutableArrayRef<Visit> visits) {
  SmallVector<PagedGatherOp> gathers;
  loop.walk([&](PagedGatherOp gather) { gathers.push_back(gather); });
  for (PagedGatherOp gather : gathers) {
    // Only lengths end a sequence in a packed pool.
    Value lengths = gather.getLengths();
    if (!gather.isPaged() || !lengths || gather->getNumResults() != 1)
      continue;
    // Tiling has left slices of the list.
    while (auto slice = lengths.getDefiningOp<tensor::ExtractSliceOp>()) {
      if (slice.getType() != slice.getSourceType())
        break;
      lengths = slice.getSource();
    }
    if (!loop.isDefinedOutsideOfLoop(lengths))
      continue;
    auto type = cast<RankedTensorType>(lengths.getType());
    if (!type.hasStaticShape() || type.getNumElements() != 1)
      continue;
    Location loc = gather.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value length = rewriter.createOrFold<arith::IndexCastOp>(
        loc, rewriter.getIndexType(),
        tensor::ExtractOp::create(rewriter, loc, lengths,
                                  SmallVector<Value>(type.getRank(), zero)));
    TileCondition condition =
        reader.readEnd(gather.getOffset(), gather.getOutput(),
                       gather.getSequenceDim(), length);
    if (condition.isUnknown() ||
        dependsOnInnerLoop(loop, gather->getParentRegion(), condition))
      continue;
    TileCondition everywhere = reader.project(condition, Quantifier::All);
    if (everywhere.getConstant() == false)
      continue;
    TripRange range = builder.build(everywhere, Quantifier::All);
    for (Visit &visit : visits) {
      if (!visit.isWorthSplitting)
        continue;
      visit.all = builder.intersect(visit.all, range);
      visit.whole.push_back(gather->getResult(0));
    }
  }
}

/// Computes the ranges of iterations to execute, in order: one, or two with a
/// gap between them.
static SmallVector<Visit> computeVisits(TripRangeBuilder &builder,
                                        const TileConditionReader &reader,
                                        ArrayRef<Mask> masks) {
  SmallVector<Visit> visits(1);
  for (const Mask &mask : masks) {
    const std::vector<TileCondition> &parts = mask.visible.operands;
    if (visits.size() == 1 && parts.size() == 2 && !mask.isInInnerLoop &&
        mask.visible.kind == TileCondition::Kind::Or) {
      SmallVector<TripRange> ranges;
      for (const TileCondition &part : parts)
        ranges.push_back(builder.build(reader.project(part, Quantifier::Some),
                                       Quantifier::Some));
      for (unsigned first : {0, 1}) {
        std::optional<std::pair<TripRange, TripRange>> separate =
            builder.separate(ranges[first], ranges[1 - first]);
        if (!separate)
          continue;
        visits.push_back(visits.front());
        applyMask(builder, reader, mask, parts[first], visits[0]);
        applyMask(builder, reader, mask, parts[1 - first], visits[1]);
        visits[0].some = builder.intersect(visits[0].some, separate->first);
        visits[1].some = builder.intersect(visits[1].some, separate->second);
        break;
      }
      if (visits.size() == 2)
        continue;
    }
    for (Visit &visit : visits)
      applyMask(builder, reader, mask, mask.visible, visit);
  }
  return visits;
}

/// Returns the tile sizes in `loop` that are minima with the distance to `end`.
static SmallVector<Operation *> findTileSizes(scf::ForOp loop, Value end) {
  SmallVector<Operation *> sizes;
  loop.walk([&](affine::AffineMinOp op) {
    if (llvm::is_contained(op.getOperands(), loop.getInductionVar()) &&
        llvm::is_contained(op.getOperands(), end))
      sizes.push_back(op);
  });
  return sizes;
}

/// Returns the end of a range from `lower` to `upper` with at least one
/// iteration, if `end`, that of the loop, leaves one at all.
static OpFoldResult leaveOne(RewriterBase &rewriter, TripRangeBuilder &builder,
                             scf::ForOp loop, OpFoldResult lower,
                             OpFoldResult upper, Value end) {
  AffineExpr first, step;
  bindSymbols(rewriter.getContext(), first, step);
  OpFoldResult second = affine::makeComposedFoldedAffineApply(
      rewriter, loop.getLoc(), first + step,
      {lower, getAsOpFoldResult(loop.getStep())});
  return builder.min(builder.max(upper, second), getAsOpFoldResult(end));
}

/// Of the range from `lower` to `upper`, all tiles up to `lastFull` are fully
/// visible, and behind these, there is at most one if `isOne`. Returns both
/// ends such that there is at least one, if `end`, that of the loop, leaves one
/// at all, and exactly one if `isOne`.
static std::pair<OpFoldResult, OpFoldResult>
leaveMasked(RewriterBase &rewriter, TripRangeBuilder &builder, scf::ForOp loop,
            OpFoldResult lower, OpFoldResult lastFull, OpFoldResult upper,
            Value end, bool isOne) {
  AffineExpr first, behind, step;
  bindSymbols(rewriter.getContext(), first, behind, step);
  auto apply = [&](AffineExpr expr, OpFoldResult from) {
    return affine::makeComposedFoldedAffineApply(
        rewriter, loop.getLoc(), expr,
        {from, upper, getAsOpFoldResult(loop.getStep())});
  };
  upper = leaveOne(rewriter, builder, loop, lower, upper, end);
  OpFoldResult lastTile =
      apply(first + (behind - 1 - first).floorDiv(step) * step, lower);
  lastFull = builder.max(builder.min(lastFull, lastTile), lower);
  if (!isOne)
    return {lastFull, upper};
  return {lastFull,
          builder.min(apply(first + step, lastFull), getAsOpFoldResult(end))};
}

/// Returns where the tiles of `loop` from `start` on end that are whole in
/// front of `end`.
static OpFoldResult getEndOfWholeTiles(RewriterBase &rewriter, scf::ForOp loop,
                                       OpFoldResult start, Value end) {
  AffineExpr first, last, step;
  bindSymbols(rewriter.getContext(), first, last, step);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loop.getLoc(), first + (last - first).floorDiv(step) * step,
      {start, getAsOpFoldResult(end), getAsOpFoldResult(loop.getStep())});
}

/// Gives each of `masks` whose scalar is in `useless` the value with which it
/// hides nothing. `mapping` maps the payloads in which masks were found to
/// those in a loop, and `toCopy` these to a copy of it, or the same ones.
static void dropMasks(RewriterBase &rewriter, ArrayRef<Mask> masks,
                      ArrayRef<Value> useless, const IRMapping &mapping,
                      const IRMapping &toCopy) {
  for (const Mask &mask : masks)
    if (llvm::is_contained(useless, mask.scalar))
      replaceByConstant(
          rewriter,
          toCopy.lookupOrDefault(mapping.lookupOrDefault(mask.scalar)),
          rewriter.getBoolAttr(!mask.hiding));
}

/// Removes the lengths of `gathers`, whose rows are all below them. The
/// mappings are those of dropMasks.
static void dropLengths(RewriterBase &rewriter, ArrayRef<Value> gathers,
                        const IRMapping &mapping, const IRMapping &toCopy) {
  for (Value gathered : gathers) {
    auto gather = toCopy.lookupOrDefault(mapping.lookupOrDefault(gathered))
                      .getDefiningOp<PagedGatherOp>();
    rewriter.modifyOpInPlace(gather,
                             [&] { gather.getLengthsMutable().clear(); });
  }
}

/// Removes what does nothing in `loop` without some of its masks.
static void simplifyPart(RewriterBase &rewriter, scf::ForOp loop) {
  useUniformInputs(rewriter, loop);
  dropAddedZeros(rewriter, loop);
  (void)runRegionDCE(rewriter, loop->getRegions());
}

/// Restricts `loop` to `visit` and splits it. `mapping` maps the payloads in
/// which `masks` were found to those in `loop`.
static void visitOnly(RewriterBase &rewriter, TripRangeBuilder &builder,
                      scf::ForOp loop, const Visit &visit, ArrayRef<Mask> masks,
                      const IRMapping &mapping,
                      const TightenLoopBoundsOptions &options,
                      TightenedLoop &result) {
  rewriter.setInsertionPoint(loop);
  OpFoldResult lower = getAsOpFoldResult(loop.getLowerBound());
  OpFoldResult upper = getAsOpFoldResult(loop.getUpperBound());
  OpFoldResult start = lower;
  Value end = loop.getUpperBound();
  if (visit.some.lower)
    lower = builder.getBound(
        builder.max(*visit.some.lower, rewriter.getIndexAttr(0)));
  if (visit.some.upper)
    upper = builder.min(builder.getBound(*visit.some.upper), upper);
  if (visit.some.lower || visit.some.upper)
    rewriter.modifyOpInPlace(loop, [&] {
      loop.setLowerBound(builder.materialize(lower));
      loop.setUpperBound(builder.materialize(upper));
    });
  bool isShort =
      copiesAhead(loop) && visit.some.lower && visit.some.upper &&
      isAtMostMore(*visit.some.upper, *visit.some.lower, kFewIterations);
  if (!options.splitFullBlocks || !visit.isWorthSplitting || isShort ||
      (!options.splitWideProducts && multipliesWideElements(loop))) {
    result.loops.push_back(loop);
    return;
  }

  // The iterations in which all points are visible get a separate loop, in the
  // middle. `loop` becomes the last part, or the first one. There is none in
  // front of them if all points are visible from the first iteration on.
  bool startsWhole =
      visit.all.lower && visit.some.lower &&
      isAtMostMore(*visit.all.lower, *visit.some.lower, /*more=*/0);
  auto allLower = startsWhole ? std::nullopt : visit.all.lower;
  auto areMasked = [&](int64_t most) {
    return isAtMostMore(*visit.some.upper, *visit.all.upper, most);
  };
  int64_t mostFirst = getMostMaskedFirst(loop);
  bool isMaskedFirst = visit.hasDiagonal && visit.some.upper &&
                       visit.all.upper && !allLower && mostFirst > 0 &&
                       areMasked(mostFirst);
  OpFoldResult firstFull = lower, lastFull = upper;
  if (allLower)
    firstFull = builder.min(
        builder.max(builder.getBound(*allLower), lower), upper);
  if (visit.all.upper)
    lastFull = builder.max(
        builder.min(builder.getBound(*visit.all.upper), upper), firstFull);
  bool boundsTiles = options.wholeTiles && visit.all.upper &&
                     !findTileSizes(loop, end).empty();
  if (boundsTiles)
    lastFull = builder.max(
        builder.min(lastFull, getEndOfWholeTiles(rewriter, loop, start, end)),
        firstFull);
  if (isMaskedFirst)
    std::tie(lastFull, upper) = leaveMasked(rewriter, builder, loop, lower,
                                            lastFull, upper, end, areMasked(1));
  Value begin = builder.materialize(firstFull);
  Value gap = builder.materialize(lastFull);
  IRMapping toBefore, toFull;
  scf::ForOp before, full = loop;
  if (allLower) {
    before = buildPart(rewriter, loop, loop.getLowerBound(), begin, toBefore);
    result.loops.push_back(before);
  }
  if (isMaskedFirst) {
    result.loops.push_back(loop);
    full = buildPartBehind(rewriter, loop, begin, gap,
                           builder.materialize(upper), toFull);
  } else if (visit.all.upper) {
    full = buildPart(rewriter, loop, begin, gap, toFull);
  }
  result.loops.push_back(full);
  result.full.push_back(full);
  bool isBehind = visit.all.upper && !isMaskedFirst;
  if (isBehind)
    result.loops.push_back(loop);
  SmallVector<Value> inFull = llvm::map_to_vector(
      visit.dispensable, [](const auto &mask) { return mask.first; });
  dropMasks(rewriter, masks, inFull, mapping, toFull);
  SmallVector<Value> useless;
  if (before && !(useless = findUselessBefore(visit)).empty()) {
    dropMasks(rewriter, masks, useless, mapping, toBefore);
    simplifyPart(rewriter, before);
  }
  dropLengths(rewriter, visit.whole, mapping, toFull);
  if (boundsTiles)
    for (Operation *size : findTileSizes(full, end))
      (void)scf::rewritePeeledMinMaxOp(rewriter, size, full.getInductionVar(),
                                       end, full.getStep(),
                                       /*insideLoop=*/true);
  simplifyPart(rewriter, full);
  if (full != loop && ((before && isBehind) || startsWhole) &&
      !(useless = findUselessBehind(visit)).empty()) {
    dropMasks(rewriter, masks, useless, mapping, IRMapping());
    simplifyPart(rewriter, loop);
  }
}

FailureOr<TightenedLoop>
mlir::linalg_ext::tightenLoopBounds(RewriterBase &rewriter, scf::ForOp loop,
                                    const TightenLoopBoundsOptions &options,
                                    Refusal &refusal) {
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!loop.getInductionVar().getType().isIndex() || !step || *step <= 0)
    return refusal.set(RefusalKind::Other, loop,
                       "expected a loop over index with a constant step");
  if (!isMemoryEffectFree(loop))
    return refusal.set(RefusalKind::Other, loop,
                       "expected a loop without effects on memory");
  if (loop->getNumResults() == 0)
    return refusal.set(RefusalKind::Other, loop,
                       "expected a loop with results");
  SmallVector<Mask> masks = findMasks(loop);
  if (masks.empty())
    return refusal.set(RefusalKind::Other, loop,
                       "no affine condition makes an iteration do nothing");

  TileConditionReader reader(loop);
  rewriter.setInsertionPoint(loop);
  TripRangeBuilder builder(rewriter, loop);
  SmallVector<Visit> visits = computeVisits(builder, reader, masks);
  if (options.splitFullBlocks)
    applyLengths(rewriter, builder, reader, loop, visits);
  TightenedLoop result;
  if (visits.size() == 2) {
    IRMapping mapping;
    scf::ForOp first = buildPart(rewriter, loop, loop.getLowerBound(),
                                 loop.getUpperBound(), mapping);
    rewriter.modifyOpInPlace(
        loop, [&] { loop.setLowerBound(first.getLowerBound()); });
    visitOnly(rewriter, builder, first, visits[0], masks, mapping, options,
              result);
  }
  visitOnly(rewriter, builder, loop, visits.back(), masks, IRMapping(), options,
            result);
  return result;
}

void mlir::linalg_ext::tightenLoopBoundsBelow(
    RewriterBase &rewriter, Operation *scope,
    const TightenLoopBoundsOptions &options) {
  // Visit outer loops first, because the bounds of inner loops are then still
  // simple.
  SmallVector<scf::ForOp> loops;
  scope->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (loop == scope)
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (scf::ForOp loop : loops) {
    Refusal refusal;
    FailureOr<TightenedLoop> tightened =
        tightenLoopBounds(rewriter, loop, options, refusal);
    if (failed(tightened)) {
      tightenLoopBoundsBelow(rewriter, loop, options);
      continue;
    }
    for (scf::ForOp part : tightened->loops)
      tightenLoopBoundsBelow(rewriter, part, options);
  }
}

namespace {
struct LinalgExtTightenLoopBoundsPass
    : public linalg_ext::impl::LinalgExtTightenLoopBoundsPassBase<
          LinalgExtTightenLoopBoundsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (remainders)
      return peelRemainders(rewriter, getOperation(), splitWideProducts);
    TightenLoopBoundsOptions options;
    options.splitFullBlocks = splitFullBlocks;
    options.wholeTiles = wholeTiles;
    options.splitWideProducts = splitWideProducts;
    tightenLoopBoundsBelow(rewriter, getOperation(), options);
  }
};
} // namespace
