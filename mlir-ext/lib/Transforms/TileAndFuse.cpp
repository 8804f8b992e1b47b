//===- TileAndFuse.cpp - Carrying out a FusionPlan
//-------------------------===//
//
// For each level of the plan:
//   1. tile the root with upstream's tileUsingSCF;
//   2. fuse the planned producers, yielding what the plan names;
//   3. after the last level that carries the state of an online producer,
//      repair the root's accumulator;
// and at the loop that first carries it, finish the accumulator.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Transforms/TileAndFuse.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Threading.h"

#include <deque>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Option syntax
//===----------------------------------------------------------------------===//

/// Consumes `(int, int, ...)` from the front of `text`.
static LogicalResult consumeInts(StringRef &text,
                                 SmallVectorImpl<int64_t> &values,
                                 std::string &error) {
  auto expected = [&](StringRef what) {
    error = ("expected " + what + ", got '" + text + "'").str();
    return failure();
  };
  text = text.ltrim();
  if (!text.consume_front("("))
    return expected("'('");
  do {
    text = text.ltrim();
    int64_t value;
    if (text.consumeInteger(10, value))
      return expected("an integer");
    values.push_back(value);
    text = text.ltrim();
  } while (text.consume_front(","));
  if (!text.consume_front(")"))
    return expected("',' or ')'");
  text = text.ltrim();
  return success();
}

LogicalResult mlir::linalg_ext::parseTilingLevels(
    StringRef text, std::vector<TilingLevel> &levels, std::string &error) {
  text = text.trim();
  while (!text.empty()) {
    TilingLevel level;
    if (text.consume_front("forall")) {
      level.kind = LoopKind::Forall;
    } else if (!text.consume_front("for")) {
      error = ("expected 'for' or 'forall', got '" + text + "'").str();
      return failure();
    }
    if (failed(consumeInts(text, level.tileSizes, error)))
      return failure();
    if (text.consume_front("interchange") &&
        failed(consumeInts(text, level.interchange, error)))
      return failure();
    levels.push_back(std::move(level));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Applying one plan
//===----------------------------------------------------------------------===//

namespace {
class Applier : public RewriterBase::ForwardingListener {
public:
  Applier(RewriterBase &rewriter, const FusionPlan &plan)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outerListener(rewriter.getListener()), plan(plan), root(plan.root) {
    rewriter.setListener(this);
    for (const PlannedLevel &level : plan.levels)
      for (const PlannedProducer &producer : level.producers)
        plannedOf[producer.op] = producer.op;
  }
  ~Applier() override { rewriter.setListener(outerListener); }

  /// What is remembered of an op ends with it: its address may be that of
  /// another one later.
  void notifyOperationErased(Operation *op) override {
    plannedOf.erase(op);
    copiedFrom.erase(op);
    copiedFrom.remove_if([&](auto &entry) { return entry.second == op; });
    orphans.remove(op);
    ForwardingListener::notifyOperationErased(op);
  }

  FailureOr<TileAndFuseResult> run();

private:
  LogicalResult applyLevel(unsigned index);
  void prepareAccumulator(const PlannedRepair &repair);
  LogicalResult makeOnline(const PlannedRepair &repair);
  LogicalResult tileRoot(const PlannedLevel &level, LoopLikeOpInterface &loop,
                         SmallVectorImpl<Operation *> &slices);
  LogicalResult fuseProducers(const PlannedLevel &level,
                              ArrayRef<Operation *> slices,
                              LoopLikeOpInterface &loop);
  LogicalResult fuseProducer(const PlannedProducer &producer, OpResult source,
                             tensor::ExtractSliceOp slice,
                             LoopLikeOpInterface &loop,
                             std::deque<tensor::ExtractSliceOp> &worklist);
  LogicalResult repairAccumulator(const PlannedRepair &repair);
  LogicalResult finishAccumulator(unsigned index, LoopLikeOpInterface loop);
  void eraseOrphans();

  /// The op of the plan that `op`, a tile or copy of it, stands for.
  Operation *getPlanned(Operation *op) const { return plannedOf.lookup(op); }
  /// The tile or copy of `planned` at the level reached.
  Operation *getCurrent(Operation *planned) const {
    auto it = current.find(planned);
    return it == current.end() ? planned : it->second;
  }
  void setCurrent(Operation *planned, Operation *op) {
    plannedOf[op] = planned;
    current[planned] = op;
  }

  RewriterBase &rewriter;
  OpBuilder::Listener *outerListener;
  const FusionPlan &plan;
  /// The root at the level reached.
  Operation *root;
  DenseMap<Operation *, Operation *> plannedOf, current;
  /// The op that a copy made to carry state was copied from.
  llvm::MapVector<Operation *, Operation *> copiedFrom;
  /// For an online producer, the numbers of the results of the loop at the
  /// level being applied that hold its state.
  DenseMap<Operation *, SmallVector<unsigned>> stateOfLoop;
  /// Ops that may have lost their last use.
  SetVector<Operation *> orphans;
  /// What replaces the results of the root of the plan.
  SmallVector<Value> replacements;
  SmallVector<LoopLikeOpInterface> loops;
};
} // namespace

/// The producer behind `slice`, looking through the iter_args of `loop`, and
/// whether it had to look through them.
static std::pair<OpResult, bool> getSlicedProducer(tensor::ExtractSliceOp slice,
                                                   LoopLikeOpInterface loop) {
  Value source = slice.getSource();
  auto arg = dyn_cast<BlockArgument>(source);
  if (!arg || arg.getOwner()->getParentOp() != loop.getOperation())
    return {dyn_cast<OpResult>(source), false};
  OpOperand *init = loop.getTiedLoopInit(arg);
  return {init ? dyn_cast<OpResult>(init->get()) : OpResult(), true};
}

/// Returns whether `slice` is the same in every iteration of `loop`: its
/// producer is then computed once, outside.
static bool isInvariant(tensor::ExtractSliceOp slice,
                        LoopLikeOpInterface loop) {
  return llvm::all_of(slice->getOperands().drop_front(), [&](Value operand) {
    if (auto dim = operand.getDefiningOp<tensor::DimOp>())
      operand = dim.getSource();
    return loop.isDefinedOutsideOfLoop(operand);
  });
}

/// Replaces the uses of `from` by ops at or after `first` in its block, or in
/// later blocks.
static void replaceUsesFrom(RewriterBase &rewriter, Operation *first,
                            Value from, Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    Operation *user = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !user || user == first || first->isBeforeInBlock(user);
  });
}

/// Returns whether `value` is filled with `neutral`.
static bool isFilledWith(Value value, TypedAttr neutral) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getDpsInputOperand(0)->get();
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  if (attr == neutral)
    return true;
  // +0 and -0 accumulate alike.
  auto lhs = dyn_cast<FloatAttr>(attr), rhs = dyn_cast<FloatAttr>(neutral);
  return lhs && rhs && lhs.getValue().isZero() && rhs.getValue().isZero();
}

/// The accumulator must start from the neutral element, or the first repair
/// would act on what it started from, and must be at least as wide as f32, the
/// narrowest type of a state. Otherwise the root is replaced by one that
/// accumulates into a neutral, wide tensor, combined with the original init
/// afterwards.
void Applier::prepareAccumulator(const PlannedRepair &repair) {
  unsigned number = repair.accumulator.resultNumber;
  Value init =
      cast<DestinationStyleOpInterface>(root).getDpsInitOperand(number)->get();
  auto type = cast<FloatType>(getElementTypeOrSelf(init));
  bool narrow = type.getWidth() < 32;
  if (!narrow && isFilledWith(init, repair.accumulator.neutral))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  Location loc = root->getLoc();
  TypedAttr neutral = repair.accumulator.neutral;
  if (narrow) {
    type = rewriter.getF32Type();
    neutral = rewriter.getFloatAttr(
        type, cast<FloatAttr>(neutral).getValueAsDouble());
  }
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), type);
  Value scalar = arith::ConstantOp::create(rewriter, loc, neutral);
  Value fill =
      linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
  auto repairable = cast<RepairableOpInterface>(root);
  Operation *wide = repairable.accumulateInto(rewriter, loc, fill);
  wide->setDiscardableAttrs(root->getDiscardableAttrDictionary());
  Value combined = repairable.combineAccumulators(rewriter, loc, init,
                                                  wide->getResult(number));
  if (root == plan.root)
    replacements = {combined};
  rewriter.replaceOp(root, combined);
  root = wide;
}

/// The root takes its stale operand from copies of the producer, which may be
/// cut, and of the ops in between; other users keep the originals.
LogicalResult Applier::makeOnline(const PlannedRepair &repair) {
  // 1. Enclosing levels may have made several tiles of one op: the ones meant
  // are those the root uses. Or they made none, where the plan could not
  // foresee that an op refuses a tile.
  SmallVector<std::pair<Operation *, Operation *>> copied; // planned, original
  OpOperand *operand = &root->getOpOperand(repair.operandNumber);
  for (auto [planned, operandNumber] : llvm::reverse(repair.path)) {
    Operation *original = operand->get().getDefiningOp();
    if (!original || getPlanned(original) != planned)
      return failure();
    copied.push_back({planned, original});
    operand = &original->getOpOperand(operandNumber);
  }
  Operation *producer = operand->get().getDefiningOp();
  if (!producer || getPlanned(producer) != repair.producer)
    return failure();
  copied.push_back({repair.producer, producer});

  // 2. Copy from the producer on.
  OpBuilder::InsertionGuard guard(rewriter);
  IRMapping mapping;
  for (auto [planned, original] : llvm::reverse(copied)) {
    rewriter.setInsertionPointAfter(original);
    Operation *copy = rewriter.clone(*original, mapping);
    if (planned == repair.producer)
      cast<OnlineReductionOpInterface>(copy).setOnline(true);
    setCurrent(planned, copy);
    copiedFrom[copy] = original;
    orphans.insert(original);
  }
  OpOperand &stale = root->getOpOperand(repair.operandNumber);
  rewriter.modifyOpInPlace(root,
                           [&] { stale.set(mapping.lookup(stale.get())); });
  return success();
}

/// A slice of an uninitialised tensor is an uninitialised tensor: the whole one
/// must not outlive fusion.
static void shrinkEmptyTensors(RewriterBase &rewriter, Operation *tiled,
                               SetVector<Operation *> &orphans) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (OpOperand &operand : tiled->getOpOperands()) {
    auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      continue;
    rewriter.setInsertionPoint(slice);
    Value empty = tensor::EmptyOp::create(
        rewriter, slice.getLoc(), slice.getMixedSizes(),
        slice.getType().getElementType(), slice.getType().getEncoding());
    rewriter.modifyOpInPlace(tiled, [&] { operand.set(empty); });
    orphans.insert(slice);
  }
}

LogicalResult Applier::tileRoot(const PlannedLevel &level,
                                LoopLikeOpInterface &loop,
                                SmallVectorImpl<Operation *> &slices) {
  scf::SCFTilingOptions options;
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : level.level.tileSizes)
    sizes.push_back(rewriter.getIndexAttr(size));
  options.setTileSizes(sizes);
  if (level.level.kind == LoopKind::Forall) {
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    options.setInterchange(level.level.interchange);
    options.setMapping(level.level.mapping);
  }
  FailureOr<scf::SCFTilingResult> tiling =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(root), options);
  if (failed(tiling) || tiling->loops.size() != 1)
    return failure();
  rewriter.replaceOp(root, tiling->replacements);
  root = tiling->tiledOps.back();
  shrinkEmptyTensors(rewriter, root, orphans);
  loop = tiling->loops.front();
  slices.assign(tiling->generatedSlices);
  return success();
}

/// A dimension that no loop cuts is whole, though its size may have been taken
/// from another operand of the consumer that only the consumer relates. Says so
/// in terms of `source`, the producer that is asked for the slice.
static tensor::ExtractSliceOp nameWholeSizes(RewriterBase &rewriter,
                                             tensor::ExtractSliceOp slice,
                                             OpResult source,
                                             LoopLikeOpInterface loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  auto type = cast<RankedTensorType>(source.getType());
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    auto size = dyn_cast<Value>(sizes[dim]);
    if (!size || !type.isDynamicDim(dim) || !isZeroInteger(offset))
      continue;
    if (auto dimOp = size.getDefiningOp<tensor::DimOp>())
      size = dimOp.getSource();
    if (loop.isDefinedOutsideOfLoop(size))
      sizes[dim] =
          linalg::createFoldedDimOp(rewriter, slice.getLoc(), source, dim);
  }
  if (sizes == slice.getMixedSizes())
    return slice;
  auto named = tensor::ExtractSliceOp::create(
      rewriter, slice.getLoc(), slice.getType(), slice.getSource(),
      slice.getMixedOffsets(), sizes, slice.getMixedStrides());
  rewriter.replaceAllUsesWith(slice.getResult(), named.getResult());
  return named;
}

LogicalResult
Applier::fuseProducer(const PlannedProducer &producer, OpResult source,
                      tensor::ExtractSliceOp slice, LoopLikeOpInterface &loop,
                      std::deque<tensor::ExtractSliceOp> &worklist) {
  Operation *untiled = source.getOwner();
  MutableArrayRef<LoopLikeOpInterface> nest(loop);
  orphans.insert(slice);
  slice = nameWholeSizes(rewriter, slice, source, loop);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      scf::tileAndFuseProducerOfSlice(rewriter, slice, nest);
  orphans.insert(slice);
  // A producer without state may stay where it is.
  if (!fused)
    return success(producer.yieldedResults.empty());
  Operation *tiled = fused->tiledOps.front();
  setCurrent(producer.op, tiled);
  shrinkEmptyTensors(rewriter, tiled, orphans);
  orphans.insert(untiled);

  // Slices of the state are no way to fuse what initialises it.
  llvm::SmallPtrSet<Operation *, 4> stateSlices;
  if (auto online = dyn_cast<OnlineReductionOpInterface>(tiled);
      online && !producer.yieldedResults.empty())
    for (unsigned number : online.getStateResults())
      stateSlices.insert(cast<DestinationStyleOpInterface>(tiled)
                             .getDpsInitOperand(number)
                             ->get()
                             .getDefiningOp());
  for (Operation *op : fused->generatedSlices) {
    auto next = dyn_cast<tensor::ExtractSliceOp>(op);
    if (next && !stateSlices.contains(op))
      worklist.push_back(next);
    else
      orphans.insert(op);
  }
  if (producer.yieldedResults.empty())
    return success();

  unsigned firstYielded = loop->getNumResults();
  if (failed(scf::yieldReplacementForFusedProducer(
          rewriter, slice, *fused, nest, producer.yieldedResults)))
    return failure();
  loop = nest.front();
  Operation *original = copiedFrom.lookup(untiled);
  SmallVector<unsigned> &state = stateOfLoop[producer.op];
  state.clear();
  for (auto [index, number] : llvm::enumerate(producer.yieldedResults)) {
    state.push_back(firstYielded + index);
    Value yielded = loop->getResult(firstYielded + index);
    replaceUsesFrom(rewriter, loop->getNextNode(), untiled->getResult(number),
                    yielded);
    if (original)
      replaceUsesFrom(rewriter, loop->getNextNode(),
                      original->getResult(number), yielded);
  }
  return success();
}

LogicalResult Applier::fuseProducers(const PlannedLevel &level,
                                     ArrayRef<Operation *> slices,
                                     LoopLikeOpInterface &loop) {
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  bool cutsReduction = llvm::any_of(level.dims.set_bits(), [&](unsigned dim) {
    return iterators[dim] == utils::IteratorType::reduction;
  });
  std::deque<tensor::ExtractSliceOp> worklist;
  for (Operation *op : slices)
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      worklist.push_back(slice);
  while (!worklist.empty()) {
    tensor::ExtractSliceOp slice = worklist.front();
    worklist.pop_front();
    auto [source, isInit] = getSlicedProducer(slice, loop);
    if (!source || (isInit && cutsReduction) || isInvariant(slice, loop))
      continue;
    const PlannedProducer *producer =
        level.lookup(getPlanned(source.getOwner()));
    if (!producer || !producer->fused)
      continue;
    if (failed(fuseProducer(*producer, source, slice, loop, worklist)))
      return failure();
  }
  return success();
}

/// rho(old state -> new state) applied to what the root has accumulated.
LogicalResult Applier::repairAccumulator(const PlannedRepair &repair) {
  auto online = cast<OnlineReductionOpInterface>(getCurrent(repair.producer));
  if (failed(online.setNormalization(repair.normalization)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  Location loc = root->getLoc();
  FailureOr<Value> rho = online.buildRepair(rewriter, loc);
  if (failed(rho))
    return failure();
  OpOperand *init = cast<DestinationStyleOpInterface>(root).getDpsInitOperand(
      repair.accumulator.resultNumber);
  Value repaired = cast<RepairableOpInterface>(root).applyRepair(
      rewriter, loc, repair.kind, init->get(), *rho,
      repair.accumulator.accDims);
  rewriter.modifyOpInPlace(root, [&] { init->set(repaired); });
  return success();
}

/// After `loop`, which first carries state: supplies delayed normalisations.
LogicalResult Applier::finishAccumulator(unsigned index,
                                         LoopLikeOpInterface loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *next = loop->getNextNode();
  rewriter.setInsertionPoint(next);
  Location loc = root->getLoc();
  Value accumulated, finished;
  for (const PlannedRepair &repair : plan.repairs) {
    if (repair.firstLevel != index)
      continue;
    unsigned number = repair.accumulator.resultNumber;
    if (!accumulated)
      accumulated = finished = loop->getResult(number);
    if (repair.normalization == NormalizationForm::Eager)
      continue;
    SmallVector<Value> state;
    for (unsigned result : stateOfLoop[repair.producer])
      state.push_back(loop->getResult(result));
    auto online = cast<OnlineReductionOpInterface>(getCurrent(repair.producer));
    FailureOr<Value> rho = online.buildFinalRepair(rewriter, loc, state);
    if (failed(rho))
      return failure();
    finished = cast<RepairableOpInterface>(root).applyRepair(
        rewriter, loc, repair.kind, finished, *rho, repair.accumulator.accDims);
  }
  if (finished == accumulated)
    return success();
  replaceUsesFrom(rewriter, next, accumulated, finished);
  for (Value &replacement : replacements)
    if (replacement == accumulated)
      replacement = finished;
  return success();
}

/// Erases what fusion left without uses, and what then loses its last use. A
/// `tensor.dim` of an untiled producer does not keep it alive.
void Applier::eraseOrphans() {
  while (!orphans.empty()) {
    Operation *op = orphans.pop_back_val();
    for (OpResult result : op->getResults())
      for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
        auto dim = dyn_cast<tensor::DimOp>(user);
        std::optional<int64_t> index =
            dim ? dim.getConstantIndex() : std::nullopt;
        if (!index)
          continue;
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(dim);
        FailureOr<OpFoldResult> size =
            reifyDimOfResult(rewriter, op, result.getResultNumber(), *index);
        if (failed(size))
          continue;
        rewriter.replaceOp(dim, getValueOrCreateConstantIndexOp(
                                    rewriter, dim.getLoc(), *size));
      }
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        orphans.insert(producer);
    rewriter.eraseOp(op);
  }
}

LogicalResult Applier::applyLevel(unsigned index) {
  const PlannedLevel &level = plan.levels[index];
  bool carriesFirst = false;
  for (const PlannedRepair &repair : plan.repairs)
    if (repair.firstLevel == index) {
      if (!carriesFirst)
        prepareAccumulator(repair);
      carriesFirst = true;
      if (failed(makeOnline(repair)))
        return failure();
    }

  // 1. Tile the root.
  LoopLikeOpInterface loop;
  SmallVector<Operation *> slices;
  stateOfLoop.clear();
  if (failed(tileRoot(level, loop, slices)))
    return failure();

  // 2. Fuse its producers.
  if (failed(fuseProducers(level, slices, loop)))
    return failure();
  if (index == 0 && replacements.empty())
    replacements = llvm::to_vector_of<Value>(
        loop->getResults().take_front(root->getNumResults()));
  loops.push_back(loop);

  // 3. Repair and finish the accumulator.
  for (const PlannedRepair &repair : plan.repairs)
    if (repair.lastLevel == index && failed(repairAccumulator(repair)))
      return failure();
  if (carriesFirst && failed(finishAccumulator(index, loop)))
    return failure();
  eraseOrphans();
  return success();
}

FailureOr<TileAndFuseResult> Applier::run() {
  for (unsigned index = 0; index < plan.levels.size(); ++index)
    if (failed(applyLevel(index)))
      return failure();
  // Everything in the loops is new; what is dead there was left by tiling.
  (void)runRegionDCE(rewriter, loops.front()->getRegions());
  return TileAndFuseResult{root, loops, replacements};
}

/// The plan for a copy of the IR it was made for.
static FusionPlan mapPlan(const FusionPlan &plan, const IRMapping &mapping) {
  FusionPlan mapped = plan;
  mapped.root = mapping.lookup(plan.root);
  for (PlannedLevel &level : mapped.levels)
    for (PlannedProducer &producer : level.producers)
      producer.op = mapping.lookup(producer.op);
  for (PlannedRepair &repair : mapped.repairs) {
    repair.producer = mapping.lookup(repair.producer);
    for (auto &[op, operandNumber] : repair.path)
      op = mapping.lookup(op);
  }
  return mapped;
}

/// Carries the plan out on a copy of the IR.
static LogicalResult rehearse(const FusionPlan &plan, std::string &reason) {
  Operation *scope =
      plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  if (!scope) {
    reason = "expected the root to lie in an op that is isolated from above";
    return failure();
  }
  IRMapping mapping;
  // What is inside the copy is verified, not the copy, which may need a parent.
  OwningOpRef<Operation *> copy = scope->clone(mapping);
  FusionPlan mapped = mapPlan(plan, mapping);
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(scope->getContext(), [&](Diagnostic &diag) {
    if (llvm::get_threadid() != thread)
      return failure();
    if (reason.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      reason = diag.str();
    return success();
  });
  IRRewriter rewriter(scope->getContext());
  if (succeeded(Applier(rewriter, mapped).run()) &&
      llvm::all_of(copy->getRegions(), [](Region &region) {
        return llvm::all_of(region.getOps(), [](Operation &op) {
          return succeeded(verify(&op, /*verifyRecursively=*/true));
        });
      }))
    return success();
  if (reason.empty())
    reason = "the levels cannot be tiled as planned";
  return failure();
}

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyFusionPlan(RewriterBase &rewriter,
                                  const FusionPlan &plan, std::string &reason) {
  reason.clear();
  if (failed(rehearse(plan, reason)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  return Applier(rewriter, plan).run();
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Collects the accumulations that `value` reaches through ops that hand its
/// repair on.
static void collectAccumulations(Value value, RepairKind kind,
                                 ArrayRef<int64_t> dims,
                                 SetVector<Operation *> &accumulations) {
  for (OpOperand &use : value.getUses()) {
    auto repairable = dyn_cast<RepairableOpInterface>(use.getOwner());
    if (!repairable || repairable->getNumResults() != 1)
      continue;
    std::string why;
    unsigned number = use.getOperandNumber();
    if (succeeded(repairable.getAccumulatorRepair(number, kind, dims, why))) {
      accumulations.insert(repairable);
      continue;
    }
    FailureOr<SmallVector<int64_t>> next =
        repairable.propagateRepair(number, kind, dims, why);
    if (succeeded(next))
      collectAccumulations(repairable->getResult(0), kind, *next,
                           accumulations);
  }
}

FailureOr<SmallVector<Operation *>>
mlir::linalg_ext::findFusionRoots(Operation *scope, StringRef rootAttrName) {
  SetVector<Operation *> roots;
  scope->walk([&](Operation *op) {
    if (!rootAttrName.empty() && op->hasAttr(rootAttrName))
      roots.insert(op);
  });
  if (!roots.empty())
    return llvm::to_vector(roots);

  WalkResult result = scope->walk([&](OnlineReductionOpInterface online) {
    SetVector<Operation *> candidates;
    if (online->getNumResults() == 0) // on buffers nothing is fused
      return WalkResult::advance();
    for (unsigned number : online.getPartialResults())
      collectAccumulations(online->getResult(number), online.getRepairKind(),
                           online.getRepairDims(number), candidates);
    if (candidates.size() > 1) {
      InFlightDiagnostic diag = online->emitError()
                                << "expected one accumulation to be the root "
                                   "of the fusion, got "
                                << candidates.size() << "; mark one with '"
                                << rootAttrName << "'";
      for (Operation *candidate : candidates)
        diag.attachNote(candidate->getLoc()) << "candidate";
      return WalkResult::interrupt();
    }
    roots.insert(candidates.begin(), candidates.end());
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return llvm::to_vector(roots);
}

LogicalResult
mlir::linalg_ext::tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                                   const TileAndFuseOptions &options) {
  FailureOr<SmallVector<Operation *>> roots =
      findFusionRoots(scope, options.rootAttrName);
  if (failed(roots))
    return failure();
  for (Operation *root : *roots) {
    std::string reason;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, reason);
    if (failed(plan) || failed(applyFusionPlan(rewriter, *plan, reason)))
      return root->emitError() << "cannot tile and fuse: " << reason;
  }
  return success();
}
