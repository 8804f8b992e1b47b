//===- TileVersions.cpp - Loops of the versions of a group ----------------===//
//
// See TileVersions.h.
//
//===----------------------------------------------------------------------===//

#include "TileVersions.h"
#include "StoreOperands.h"
#include "TileReductions.h"

#include "mlir-ext/Dialect/VectorExt/IR/DealtTiles.h"
#include "mlir-ext/Fusion/Apply/PendingRoots.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Returns the initial tensor of `result`, of a loop or of a branch with loops.
static Value getStart(OpResult result) {
  while (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    result =
        cast<OpResult>(branch.thenYield().getOperand(result.getResultNumber()));
  return cast<scf::ForallOp>(result.getOwner()).getTiedOpOperand(result)->get();
}

/// Makes `result`, of a loop or of a branch with loops, start from `start`.
static void setStart(RewriterBase &rewriter, OpResult result, Value start) {
  auto branch = dyn_cast<scf::IfOp>(result.getOwner());
  if (!branch) {
    auto loop = cast<scf::ForallOp>(result.getOwner());
    rewriter.modifyOpInPlace(
        loop, [&] { loop.getTiedOpOperand(result)->set(start); });
    return;
  }
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
    OpOperand &yielded = yield->getOpOperand(result.getResultNumber());
    auto inner = dyn_cast<OpResult>(yielded.get());
    if (inner && branch->isProperAncestor(inner.getOwner()))
      setStart(rewriter, inner, start);
    else
      rewriter.modifyOpInPlace(yield, [&] { yielded.set(start); });
  }
}

scf::IfOp
mlir::linalg_ext::runIf(RewriterBase &rewriter, Value condition,
                        Operation *loop, Operation *otherwise,
                        ArrayRef<std::pair<OpResult, OpResult>> results) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(otherwise);
  SmallVector<Value> others, ofLoop;
  for (auto [other, result] : results) {
    others.push_back(other);
    ofLoop.push_back(result);
  }
  auto branch =
      scf::IfOp::create(rewriter, loop->getLoc(), TypeRange(others), condition,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [other, result, chosen] :
       llvm::zip_equal(others, ofLoop, branch.getResults())) {
    rewriter.replaceAllUsesWith(other, chosen);
    setStart(rewriter, cast<OpResult>(result), getStart(cast<OpResult>(other)));
  }
  for (auto [op, block, values] :
       {std::tuple(loop, branch.thenBlock(), ofLoop),
        std::tuple(otherwise, branch.elseBlock(), others)}) {
    rewriter.setInsertionPointToStart(block);
    auto yield = scf::YieldOp::create(rewriter, loop->getLoc(), values);
    rewriter.moveOpBefore(op, yield);
  }
  return branch;
}

/// Builds a copy of `group` before its root. Its contraction reads operands that
/// are stored before the kernel. These are `copies`, and are built first if the
/// list is empty.
static WorkgroupGroup copyGroup(RewriterBase &rewriter, WorkgroupGroup &group,
                                SmallVector<StoredOperand> &copies) {
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
  for (auto [number, operand] : llvm::enumerate(group.getOperandsInFront())) {
    OpOperand &same = mapping.lookup(operand->getOwner())
                          ->getOpOperand(operand->getOperandNumber());
    Operation *producer = operand->get().getDefiningOp();
    if (!areNew)
      readStored(rewriter, same, copies[number].value);
    else if (producer && group.contains(producer))
      copies.push_back(storeComputed(rewriter, same));
    else
      copies.push_back(copyRows(rewriter, same, options.target));
    options.stored.push_back(copies[number].value.getDefiningOp());
  }
  // Others have computed what was stored.
  for (Operation *op : llvm::reverse(ops))
    if (Operation *same = mapping.lookup(op);
        op != group.root && isOpTriviallyDead(same))
      rewriter.eraseOp(same);
  WorkgroupGroup copy(cast<LinalgOp>(mapping.lookup(group.root.getOperation())),
                      options);
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

/// Tiles `op`, the root of `group` or a copy of it, and the other ops of the
/// group into a loop over workgroups. Returns the loop.
static FailureOr<scf::ForallOp> tileGroup(RewriterBase &rewriter,
                                          WorkgroupGroup &group, LinalgOp op,
                                          Refusal &refusal) {
  // 1. The loop over workgroups.
  auto scope = op->getParentOfType<ModuleOp>();
  bool isMarked = group.options.ways.anyAsync() && !group.contractions.empty(),
       isSmall = false;
  if (scope) {
    group.number = vector_ext::getNextKernelNumber(scope);
    group.options.ways =
        vector_ext::getRemainingWays(group.options.ways, scope, group.number);
    isMarked |= vector_ext::marksAllKernels(scope);
    isSmall = vector_ext::needsSmallTiles(scope, group.number);
    if (isSmall)
      group.options.setSmallTile();
  }
  TileAndFuseOptions fuse;
  // The root itself still needs the producers that a copy of it was fused with.
  fuse.yieldProducers = op == group.root && !group.yields.empty();
  TilingLevel &level = fuse.levels.emplace_back();
  level.kind = LoopKind::Forall;
  level.tileSizes = group.getTileSizes();
  std::optional<ProductKernel> kernel = group.tile.kernel;
  // If a kernel is refused in all ways, it keeps its number, so that later
  // kernels keep theirs.
  if (isMarked && !kernel) {
    kernel.emplace();
    kernel->threads = group.options.threads;
    kernel->reason = isSmall ? "sync: small tiles, others were refused"
                             : "sync: all other ways were refused";
  }
  if (!kernel && group.options.threadsOfParts > 0) {
    kernel.emplace();
    kernel->threads = group.options.threadsOfParts;
    kernel->reason = "sync: few subgroups sum parts";
  }
  int64_t slots = kernel && scope
                      ? vector_ext::getMostSlots(scope, group.number,
                                                 kernel->way, kernel->persist)
                      : 0;
  TileToWorkgroupsOptions options = group.options;
  if (!group.contractions.empty())
    options.reduction = options.narrowReduction = group.tile.reduction;
  if (group.sumRows > 0)
    options.maxRow = group.sumRows;
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
    vector_ext::setKernelMark(
        forall, {group.number, kernel->way, kernel->threads,
                 /*rotate=*/false, slots,
                 kernel->hasShares ? vector_ext::kDealtInPairs
                 : kernel->persist ? 1
                                   : 0,
                 /*copied=*/false, kernel->isAlone, kernel->groups,
                 kernel->cluster, kernel->isExchanged ? kernel->rows : 0,
                 kernel->isLoaded});
    if (group.options.report)
      emitRemark(forall.getLoc())
          << "kernel " << group.number << ": " << kernel->reason;
  }
  startFromDestinations(rewriter, forall);

  // 2. The loops inside. Tile those of long rows from the last one on, because
  //    ops that are fused into a later loop may then have no other users. Ops
  //    that read the same tile have different slices, which the plan would not
  //    recognise as equal.
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

namespace {
/// A loop, and the condition under which it runs.
struct VersionLoop {
  scf::ForallOp loop;
  Value condition;
  bool readsCopies;
};

/// Tiles a group once for each of its versions.
class VersionTiler {
public:
  VersionTiler(RewriterBase &rewriter, WorkgroupGroup &group,
               ArrayRef<Version> versions, VersionConditions built,
               Refusal &refusal)
      : rewriter(rewriter), group(group), versions(versions),
        built(std::move(built)), refusal(refusal) {}

  LogicalResult run();

private:
  /// Tiles `op`, the root of `group` or a copy of it, into a loop that runs if
  /// `condition` is true.
  LogicalResult addLoop(WorkgroupGroup &group, LinalgOp op, Value condition,
                        bool readsCopies = false);
  /// Tiles the group for version number `index`.
  LogicalResult addVersion(size_t index);
  /// Moves `loops`, which read copies of operands, and the copies into a
  /// branch. It runs if the condition of one of the loops is true, and
  /// `otherwise` runs if not.
  scf::IfOp connectCopying(ArrayRef<VersionLoop> loops, Operation *otherwise);
  /// Moves the loops into the regions of nested branches.
  void connectLoops();

  RewriterBase &rewriter;
  WorkgroupGroup &group;
  ArrayRef<Version> versions;
  VersionConditions built;
  Refusal &refusal;
  SmallVector<StoredOperand> copies;
  SmallVector<VersionLoop> loops;
};
} // namespace

LogicalResult VersionTiler::addLoop(WorkgroupGroup &group, LinalgOp op,
                                    Value condition, bool readsCopies) {
  FailureOr<scf::ForallOp> forall = tileGroup(rewriter, group, op, refusal);
  if (failed(forall))
    return failure();
  loops.push_back({*forall, condition, readsCopies});
  return success();
}

LogicalResult VersionTiler::addVersion(size_t index) {
  LinalgOp root = group.root;
  const Version &version = versions[index];
  bool isLast = index + 1 == versions.size();
  Value condition = built.conditions[index];
  rewriter.setInsertionPoint(root);
  group.options = version.options;
  group.shortRow = version.shortRow;
  group.parts = version.parts;
  group.mostRows =
      ShapedType::isDynamic(version.most) || group.contractions.empty()
          ? 0
          : version.most;
  if (version.options.copiesRows) {
    WorkgroupGroup copy = copyGroup(rewriter, group, copies);
    return addLoop(copy, copy.root, condition, /*readsCopies=*/true);
  }
  if (version.leastChunks > 0) {
    group.chunk = built.chunks[index];
    if (!group.chunk)
      return success();
  } else if (version.splitsSums && version.chunk > 0) {
    group.chunk = rewriter.getIndexAttr(version.chunk);
  } else {
    group.chunk =
        version.splitsSums ? getChunk(rewriter, group) : OpFoldResult();
  }
  // If the number of chunks is not known, one chunk gets a separate loop,
  // because nothing need be merged.
  if (auto chunk = dyn_cast_if_present<Value>(group.chunk);
      chunk && version.leastChunks == 0) {
    Location loc = root.getLoc();
    Value sum = getSumSize(rewriter, group);
    auto build = [&](arith::CmpIPredicate predicate) -> Value {
      Value compared =
          arith::CmpIOp::create(rewriter, loc, predicate, sum, chunk);
      return condition ? rewriter.createOrFold<arith::AndIOp>(loc, condition,
                                                              compared)
                       : compared;
    };
    Value isSplit = build(arith::CmpIPredicate::sgt);
    condition = build(arith::CmpIPredicate::sle);
    if (failed(addLoop(group, cast<LinalgOp>(rewriter.clone(*root)), isSplit)))
      return failure();
    group.chunk = {};
  }
  rewriter.setInsertionPoint(root);
  return addLoop(group, isLast ? root : cast<LinalgOp>(rewriter.clone(*root)),
                 condition);
}

/// Moves `loop` into a branch that yields the initial values of the loop if
/// `condition` is false.
static scf::IfOp runOnlyIf(RewriterBase &rewriter, Value condition,
                           scf::ForallOp loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  auto branch =
      scf::IfOp::create(rewriter, loop.getLoc(), loop.getResultTypes(),
                        condition, /*addThenBlock=*/true,
                        /*addElseBlock=*/true);
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loop.getLoc(), loop.getOutputs());
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto yield = scf::YieldOp::create(rewriter, loop.getLoc(), loop.getResults());
  rewriter.moveOpBefore(loop, yield);
  return branch;
}

/// Builds a branch that runs `op`, a loop or a branch with loops, if
/// `condition` is true, and otherwise `otherwise`, which has the same results.
static scf::IfOp runEither(RewriterBase &rewriter, Value condition,
                           Operation *op, Operation *otherwise) {
  SmallVector<std::pair<OpResult, OpResult>> results;
  for (auto [other, result] :
       llvm::zip_equal(otherwise->getResults(), op->getResults()))
    results.emplace_back(other, result);
  return runIf(rewriter, condition, op, otherwise, results);
}

scf::IfOp VersionTiler::connectCopying(ArrayRef<VersionLoop> loops,
                                       Operation *otherwise) {
  // 1. Connect the loops.
  const VersionLoop &last = loops.back();
  Operation *inner = last.loop;
  Value isCopied = last.condition;
  if (loops.size() > 1)
    inner = runOnlyIf(rewriter, last.condition, last.loop);
  rewriter.setInsertionPoint(otherwise);
  for (const VersionLoop &loop : llvm::reverse(loops.drop_back())) {
    isCopied = rewriter.createOrFold<arith::OrIOp>(otherwise->getLoc(),
                                                   loop.condition, isCopied);
    inner = runEither(rewriter, loop.condition, loop.loop, inner);
  }

  // 2. Move the tensors of the copies, and the ops that read them.
  Block *block = inner->getBlock();
  ForwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == block && op != inner;
  };
  SetVector<Operation *> moved;
  for (const StoredOperand &copy : copies)
    getForwardSlice(copy.memory.getDefiningOp(), &moved, options);
  // What only they read.
  for (unsigned i = 0; i < moved.size(); ++i)
    for (Value operand : moved[i]->getOperands())
      if (auto producer = operand.getDefiningOp<LinalgOp>();
          producer && producer->getBlock() == block && producer != inner &&
          llvm::all_of(producer->getUsers(),
                       [&](Operation *user) { return moved.contains(user); }))
        moved.insert(producer);
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  scf::IfOp branch = runEither(rewriter, isCopied, inner, otherwise);
  for (Operation *op : ordered)
    rewriter.moveOpBefore(op, inner);
  return branch;
}

void VersionTiler::connectLoops() {
  VersionLoop general = loops.pop_back_val();
  Operation *last = general.loop;
  // The general loop runs if no other one does. Inside it, its own condition
  // says more about sizes than the negated conditions of the others.
  if (loops.size() > 1)
    last = runOnlyIf(rewriter, general.condition, general.loop);
  while (!loops.empty()) {
    // Loops that read copies are consecutive.
    auto isOther = [](const VersionLoop &loop) { return !loop.readsCopies; };
    size_t numCopying = std::distance(
        loops.rbegin(), llvm::find_if(llvm::reverse(loops), isOther));
    if (numCopying > 0) {
      last = connectCopying(ArrayRef(loops).take_back(numCopying), last);
      loops.pop_back_n(numCopying);
      continue;
    }
    VersionLoop loop = loops.pop_back_val();
    last = runEither(rewriter, loop.condition, loop.loop, last);
  }
}

LogicalResult VersionTiler::run() {
  for (size_t index : llvm::seq(versions.size()))
    if (failed(addVersion(index)))
      return failure();
  connectLoops();
  return success();
}

LogicalResult mlir::linalg_ext::tileVersions(RewriterBase &rewriter,
                                             WorkgroupGroup &group,
                                             const Versions &versions,
                                             Refusal &refusal) {
  return VersionTiler(rewriter, group, versions.versions,
                      buildConditions(rewriter, group, versions), refusal)
      .run();
}
