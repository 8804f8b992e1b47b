//===- SplitReduction.cpp - Reductions in parallel chunks -----------------===//
//
// See SplitReduction.h for why this is correct.
//
// 1. Allocate a slot for each chunk.
// 2. Turn the loop into an scf.forall whose iterations start from the identity.
// 3. Insert the results of each iteration into its slot.
// 4. Merge the slots in an scf.for, with repairs (Merger).
//
//===----------------------------------------------------------------------===//

#include "SplitReduction.h"

#include "BuildRepair.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Utils/AffineCanonicalizationUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::linalg_ext;

SmallVector<CarriedValue> mlir::linalg_ext::getCarriedValues(
    const PlanAccess &access,
    const DenseMap<Operation *, SmallVector<unsigned>> &stateOfLoop) {
  SmallVector<CarriedValue> carried;
  auto getAccumulation = [&](Operation *planned) {
    auto repairable = cast<RepairableOpInterface>(access.getCurrent(planned));
    return *repairable.getAccumulation();
  };
  auto getIdentity = [&](Operation *planned, unsigned number) {
    Accumulation accumulation = getAccumulation(planned);
    for (const CarriedResult &result : accumulation.carried)
      if (result.number == number)
        return result.identity;
    return accumulation.neutral;
  };
  unsigned numResults = access.getCurrent(access.plan.root)->getNumResults();
  for (unsigned number = 0; number < numResults; ++number)
    carried.push_back({access.plan.root, number, number,
                       getIdentity(access.plan.root, number)});
  for (const PlannedState &state : access.plan.states) {
    auto it = stateOfLoop.find(state.producer);
    if (it == stateOfLoop.end())
      continue; // the loops inside carry it
    Operation *op = access.getCurrent(state.producer);
    auto online = dyn_cast<OnlineReductionOpInterface>(op);
    for (auto [number, loopResult] : llvm::zip(getStateResults(op), it->second))
      carried.push_back({state.producer, number, loopResult,
                         online ? online.getStateIdentity(number)
                                : getIdentity(state.producer, number)});
  }
  return carried;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

namespace {
/// Merges two sets of states, and the values that were accumulated with them.
class Merger {
public:
  Merger(OpBuilder &b, Location loc, const PlanAccess &access)
      : b(b), loc(loc), access(access) {
    for (Side &side : sides)
      stages.emplace_back(
          b, access.plan,
          [&](Operation *planned, unsigned number) {
            return side.values.lookup(
                access.getCurrent(planned)->getResult(number));
          },
          [&](const PlannedRepair &planned, const PlannedFactor &factor,
              Value accumulated) {
            return build(planned, factor, side, accumulated);
          },
          [&](const PlannedRepair &planned, const PlannedFactor &factor,
              const BuiltRepair &built, Value accumulated,
              ValueRange derivatives) {
            return apply(planned, factor, built, accumulated, derivatives);
          });
  }

  LogicalResult run(ArrayRef<CarriedValue> carried, ValueRange lhs,
                    ValueRange rhs);

  /// One of the two sets: maps results of current ops to their values in the
  /// set.
  struct Side {
    PlanAccess::Values values, rebuilt;

    SmallVector<Value> get(OnlineReductionOpInterface online) const {
      return llvm::map_to_vector(online.getStateResults(), [&](unsigned i) {
        return values.lookup(online->getResult(i));
      });
    }
  };
  Side merged;

private:
  LogicalResult combineStates(OnlineReductionOpInterface online);
  LogicalResult combineAccumulators(Operation *planned);
  FailureOr<BuiltRepair> build(const PlannedRepair &repair,
                               const PlannedFactor &factor, Side &side,
                               Value accumulated);
  Value apply(const PlannedRepair &repair, const PlannedFactor &factor,
              const BuiltRepair &built, Value accumulated,
              ValueRange derivatives);

  OpBuilder &b;
  Location loc;
  const PlanAccess &access;
  Side sides[2];
  SmallVector<RepairStages, 2> stages;
};
} // namespace

LogicalResult Merger::combineStates(OnlineReductionOpInterface online) {
  FailureOr<SmallVector<Value>> combined =
      online.buildCombine(b, loc, sides[0].get(online), sides[1].get(online));
  if (failed(combined))
    return failure();
  for (auto [number, value] : llvm::zip(online.getStateResults(), *combined))
    merged.values[online->getResult(number)] = value;
  return success();
}

/// Builds the repair of `accumulated` from the states of `side` to the merged
/// ones.
FailureOr<BuiltRepair> Merger::build(const PlannedRepair &repair,
                                     const PlannedFactor &planned, Side &side,
                                     Value accumulated) {
  FailureOr<TileFactor> factor = access.getFactor(repair, planned);
  if (failed(factor))
    return failure();
  Value source =
      access.getCurrent(factor->source)->getResult(factor->resultNumber);
  TileFactor ofSource = getFactorOfSource(*factor);
  if (factor->measure == Measure::Given) {
    auto online = cast<OnlineReductionOpInterface>(source.getDefiningOp());
    FailureOr<Value> rho =
        online.buildStateRepair(b, loc, side.get(online), merged.get(online));
    if (failed(rho))
      return failure();
    return buildGivenRepair(b, loc, ofSource, *rho, accumulated);
  }
  FailureOr<Value> before = access.rebuild(source, side.values, side.rebuilt);
  FailureOr<Value> after =
      access.rebuild(source, merged.values, merged.rebuilt);
  if (failed(before) || failed(after))
    return failure();
  return buildRepair(b, loc, ofSource, *before, *after, accumulated);
}

/// Applies `built`, the repair of `factor`, to `accumulated`.
Value Merger::apply(const PlannedRepair &repair, const PlannedFactor &factor,
                    const BuiltRepair &built, Value accumulated,
                    ValueRange derivatives) {
  RepairKind kind = factor.value.degree.kind;
  if (kind == RepairKind::Polynomial)
    return buildPolynomialRepair(b, loc, factor, accumulated, derivatives,
                                 built);
  auto op = cast<RepairableOpInterface>(access.getCurrent(repair.accumulator));
  return op.applyRepair(b, loc, kind, accumulated, built.rho, built.accDims);
}

LogicalResult Merger::combineAccumulators(Operation *planned) {
  auto op = cast<RepairableOpInterface>(access.getCurrent(planned));
  unsigned number = op.getAccumulation()->resultNumber;
  SmallVector<Value> values[2];
  for (unsigned i : {0, 1}) {
    for (Value result : op->getResults())
      values[i].push_back(sides[i].values.lookup(result));
    if (merged.values.empty())
      continue; // no state is merged
    FailureOr<Value> repaired = stages[i].get(planned, number);
    if (failed(repaired))
      return failure();
    values[i][number] = *repaired;
  }
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(),
                       op.combineAccumulators(b, loc, values[0], values[1])))
    merged.values[result] = value;
  return success();
}

LogicalResult Merger::run(ArrayRef<CarriedValue> carried, ValueRange lhs,
                          ValueRange rhs) {
  for (auto [value, l, r] : llvm::zip(carried, lhs, rhs)) {
    Value result =
        access.getCurrent(value.planned)->getResult(value.resultNumber);
    sides[0].values[result] = l;
    sides[1].values[result] = r;
  }
  for (const PlannedState &state : access.plan.states) {
    Operation *op = access.getCurrent(state.producer);
    if (!sides[0].values.contains(op->getResult(getStateResults(op).front())))
      continue; // the loops inside carry it
    auto online = dyn_cast<OnlineReductionOpInterface>(op);
    if (failed(online ? combineStates(online)
                      : combineAccumulators(state.producer)))
      return failure();
  }
  return combineAccumulators(access.plan.root);
}

FailureOr<SmallVector<Value>> mlir::linalg_ext::buildMerge(
    OpBuilder &b, Location loc, const PlanAccess &access,
    ArrayRef<CarriedValue> carried, ValueRange lhs, ValueRange rhs) {
  Merger merger(b, loc, access);
  if (failed(merger.run(carried, lhs, rhs)))
    return failure();
  return llvm::map_to_vector(carried, [&](const CarriedValue &value) {
    return merger.merged.values.lookup(
        access.getCurrent(value.planned)->getResult(value.resultNumber));
  });
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

namespace {
/// The position of slot `index` in a tensor of slots.
struct Slot {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  Slot(OpBuilder &b, OpFoldResult index, ArrayRef<OpFoldResult> valueSizes)
      : offsets(valueSizes.size() + 1, b.getIndexAttr(0)),
        strides(valueSizes.size() + 1, b.getIndexAttr(1)) {
    offsets.front() = index;
    sizes.push_back(b.getIndexAttr(1));
    llvm::append_range(sizes, valueSizes);
  }

  Value extract(OpBuilder &b, Location loc, Type type, Value slots) const {
    return tensor::ExtractSliceOp::create(b, loc, cast<RankedTensorType>(type),
                                          slots, offsets, sizes, strides);
  }
};
} // namespace

/// Fills `tensor` with the identity of `carried`: its value before anything is
/// accumulated.
static Value fillWithIdentity(OpBuilder &b, Location loc,
                              const CarriedValue &carried, Value tensor) {
  // The accumulator may be wider than the op says.
  TypedAttr identity = carried.identity;
  if (auto number = dyn_cast<FloatAttr>(identity))
    identity =
        b.getFloatAttr(getElementTypeOrSelf(tensor), number.getValueAsDouble());
  Value scalar = arith::ConstantOp::create(b, loc, identity);
  return linalg::FillOp::create(b, loc, scalar, tensor).getResult(0);
}

/// Replaces slices that take all of `value` by `value`. The loops cut no
/// dimension of the values that they carry.
static void replaceWholeSlices(RewriterBase &rewriter, Value value) {
  for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (slice && slice.getType() == value.getType())
      rewriter.replaceOp(slice, value);
  }
}

/// Returns whether `value` is computed in place of `before`: each op between
/// them overwrites the result of the one before it, which has no other
/// use.
static bool isWrittenOver(Value value, Value before) {
  while (value != before) {
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    if (!op)
      return false;
    value = op.getTiedOpOperand(cast<OpResult>(value))->get();
    if (!value.hasOneUse())
      return false;
  }
  return true;
}

namespace {
/// Splits a loop that accumulates into chunks, and merges their results.
class ReductionSplitter {
public:
  using Merge = function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs,
                                                           ValueRange rhs)>;
  ReductionSplitter(RewriterBase &rewriter, scf::ForOp loop,
                    ArrayRef<CarriedValue> carried)
      : rewriter(rewriter), loop(loop), loc(loop.getLoc()), carried(carried) {
    bindSymbols(rewriter.getContext(), lb, ub, size);
  }

  FailureOr<SplitLoop> run(ArrayRef<Attribute> mapping, Merge merge);

private:
  /// Builds a slot for each chunk.
  SmallVector<Value> buildSlots();
  /// Moves the body of the loop into a loop over chunks, which all start from
  /// the identity. Returns the values that the body yields.
  SmallVector<Value> buildChunks(ArrayRef<Value> outputs,
                                 ArrayRef<Attribute> mapping);
  /// Stores the results of a chunk in its slots and slices.
  LogicalResult leave(ArrayRef<Value> yielded);
  /// Builds the loop that merges the slots of the chunks.
  FailureOr<scf::ForOp> buildMerge(Merge merge);
  /// Stores `merged` at the end of the loop `merging`.
  void storeMerged(scf::ForOp merging, SmallVector<Value> &merged);

  RewriterBase &rewriter;
  scf::ForOp loop;
  Location loc;
  ArrayRef<CarriedValue> carried;
  AffineExpr lb, ub, size;
  OpFoldResult lower, upper, step, numChunks, chunk;
  /// For each carried value: its sizes, and the initial value of a chunk.
  SmallVector<SmallVector<OpFoldResult>> sizes;
  SmallVector<Value> identities;
  scf::ForallOp forall;
};
} // namespace

SmallVector<Value> ReductionSplitter::buildSlots() {
  SmallVector<Value> outputs = llvm::to_vector_of<Value>(loop.getInitArgs());
  for (const CarriedValue &value : carried) {
    Value &output = outputs[value.loopResult];
    sizes.push_back(tensor::getMixedSizes(rewriter, loc, output));
    SmallVector<OpFoldResult> slots{numChunks};
    llvm::append_range(slots, sizes.back());
    // Give each value a tensor of its own, because CSE may merge equal
    // uninitialised tensors.
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(slots, dynamicSizes, shape);
    output = bufferization::AllocTensorOp::create(
        rewriter, loc,
        RankedTensorType::get(shape, getElementTypeOrSelf(output)),
        dynamicSizes);
  }
  return outputs;
}

SmallVector<Value> ReductionSplitter::buildChunks(ArrayRef<Value> outputs,
                                                  ArrayRef<Attribute> mapping) {
  forall = scf::ForallOp::create(
      rewriter, loc, lower, upper, step, outputs,
      mapping.empty() ? std::nullopt
                      : std::optional(rewriter.getArrayAttr(mapping)));
  rewriter.setInsertionPointToStart(forall.getBody());
  Value iv = forall.getInductionVar(0);
  chunk = affine::makeComposedFoldedAffineApply(
      rewriter, loc, (ub - lb).floorDiv(size), {lower, iv, step});
  SmallVector<Value> args{iv};
  llvm::append_range(args, forall.getRegionIterArgs());
  for (auto [value, valueSizes] : llvm::zip(carried, sizes)) {
    Value &arg = args[1 + value.loopResult];
    Value slot =
        Slot(rewriter, chunk, valueSizes)
            .extract(rewriter, loc,
                     loop.getInitArgs()[value.loopResult].getType(), arg);
    arg = fillWithIdentity(rewriter, loc, value, slot);
    identities.push_back(arg);
  }
  rewriter.inlineBlockBefore(loop.getBody(), forall.getTerminator(), args);
  auto yield = cast<scf::YieldOp>(forall.getTerminator()->getPrevNode());
  SmallVector<Value> yielded = llvm::to_vector_of<Value>(yield.getOperands());
  rewriter.eraseOp(yield);
  return yielded;
}

LogicalResult ReductionSplitter::leave(ArrayRef<Value> yielded) {
  SmallVector<bool> isCarried(yielded.size());
  rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [value, valueSizes, identity] :
       llvm::zip(carried, sizes, identities)) {
    isCarried[value.loopResult] = true;
    Value result = yielded[value.loopResult];
    auto insert = result.getDefiningOp<tensor::InsertSliceOp>();
    if (insert && insert.getDest() == identity &&
        insert.getSourceType() == insert.getType()) {
      result = insert.getSource();
      if (insert->use_empty())
        rewriter.eraseOp(insert);
    }
    Slot slot(rewriter, chunk, valueSizes);
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, result, forall.getRegionIterArgs()[value.loopResult],
        slot.offsets, slot.sizes, slot.strides);
    replaceWholeSlices(rewriter, identity);
  }
  for (auto [index, value] : llvm::enumerate(yielded)) {
    if (isCarried[index])
      continue;
    auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
    Value arg = forall.getRegionIterArgs()[index];
    if (!insert || insert.getDest() != arg)
      return failure();
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, insert.getSource(), arg, insert.getMixedOffsets(),
        insert.getMixedSizes(), insert.getMixedStrides());
    if (insert->use_empty())
      rewriter.eraseOp(insert);
  }

  // Upstream (22.1.8) promotes a forall with one iteration, and assumes that
  // these insertions are in the order of its results.
  Block *leaving = forall.getTerminator().getBody();
  auto inserts =
      llvm::to_vector(leaving->getOps<tensor::ParallelInsertSliceOp>());
  llvm::sort(inserts, [](auto lhs, auto rhs) {
    return cast<BlockArgument>(lhs.getDest()).getArgNumber() <
           cast<BlockArgument>(rhs.getDest()).getArgNumber();
  });
  for (tensor::ParallelInsertSliceOp insert : inserts)
    rewriter.moveOpBefore(insert, leaving, leaving->end());
  return success();
}

void ReductionSplitter::storeMerged(scf::ForOp merging,
                                    SmallVector<Value> &merged) {
  // The merge reads old values after it has computed new ones. So the new
  // values are stored at the end, in tensors that nothing else reads.
  for (auto [index, value] : llvm::enumerate(merged)) {
    BlockArgument before = merging.getRegionIterArg(index);
    if (isWrittenOver(value, before))
      continue;
    value = bufferization::MaterializeInDestinationOp::create(rewriter, loc,
                                                              value, before)
                .getResult();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(merging);
    OpOperand &init = merging.getInitArgsMutable()[index];
    init.set(bufferization::AllocTensorOp::create(
        rewriter, loc, cast<RankedTensorType>(init.get().getType()),
        /*dynamicSizes=*/ValueRange(), /*copy=*/init.get()));
  }
}

FailureOr<scf::ForOp> ReductionSplitter::buildMerge(Merge merge) {
  rewriter.setInsertionPointAfter(forall);
  SmallVector<Value> inits;
  for (const CarriedValue &value : carried)
    inits.push_back(loop.getInitArgs()[value.loopResult]);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto merging = scf::ForOp::create(
      rewriter, loc, constant(0),
      getValueOrCreateConstantIndexOp(rewriter, loc, numChunks), constant(1),
      inits);
  rewriter.setInsertionPointToStart(merging.getBody());
  SmallVector<Value> slots;
  for (auto [value, valueSizes, init] : llvm::zip(carried, sizes, inits))
    slots.push_back(Slot(rewriter, merging.getInductionVar(), valueSizes)
                        .extract(rewriter, loc, init.getType(),
                                 forall.getResult(value.loopResult)));
  FailureOr<SmallVector<Value>> merged =
      merge(merging.getRegionIterArgs(), slots);
  if (failed(merged))
    return failure();
  storeMerged(merging, *merged);
  scf::YieldOp::create(rewriter, loc, *merged);
  return merging;
}

FailureOr<SplitLoop> ReductionSplitter::run(ArrayRef<Attribute> mapping,
                                            Merge merge) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  lower = getAsOpFoldResult(loop.getLowerBound());
  upper = getAsOpFoldResult(loop.getUpperBound());
  step = getAsOpFoldResult(loop.getStep());
  numChunks = affine::makeComposedFoldedAffineApply(
      rewriter, loc, (ub - lb).ceilDiv(size), {lower, upper, step});
  SmallVector<Value> outputs = buildSlots();
  SmallVector<Value> yielded = buildChunks(outputs, mapping);
  if (failed(leave(yielded)))
    return failure();
  FailureOr<scf::ForOp> merging = buildMerge(merge);
  if (failed(merging))
    return failure();
  SplitLoop split{forall, *merging,
                  llvm::to_vector_of<Value>(forall.getResults())};
  for (auto [index, value] : llvm::enumerate(carried))
    split.results[value.loopResult] = merging->getResult(index);
  rewriter.replaceOp(loop, split.results);
  return split;
}

FailureOr<SplitLoop> mlir::linalg_ext::splitReduction(
    RewriterBase &rewriter, scf::ForOp loop, ArrayRef<CarriedValue> carried,
    ArrayRef<Attribute> mapping,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge) {
  return ReductionSplitter(rewriter, loop, carried).run(mapping, merge);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

FailureOr<LoopOfParts> mlir::linalg_ext::mergeParts(
    RewriterBase &rewriter, scf::ForOp loop, int64_t parts,
    ArrayRef<CarriedValue> carried,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || carried.size() != loop.getNumResults())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  LoopOfParts result;
  result.parts = parts;
  llvm::append_range(result.carried, carried);

  // 1. Allocate a slot for each part.
  result.slots.resize(carried.size());
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (const CarriedValue &value : carried) {
    Value init = loop.getInitArgs()[value.loopResult];
    sizes.push_back(tensor::getMixedSizes(rewriter, loc, init));
    SmallVector<OpFoldResult> slots{rewriter.getIndexAttr(parts)};
    llvm::append_range(slots, sizes.back());
    Value empty = tensor::EmptyOp::create(rewriter, loc, slots,
                                          getElementTypeOrSelf(init));
    result.slots[value.loopResult] =
        fillWithIdentity(rewriter, loc, value, empty)
            .getDefiningOp<linalg::FillOp>();
  }

  // 2. Compute the iterations that all parts share.
  AffineExpr lower, upper;
  bindSymbols(rewriter.getContext(), lower, upper);
  int64_t all = parts * *step;
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      rewriter, loc, lower + (upper - lower).floorDiv(all) * all,
      {getAsOpFoldResult(loop.getLowerBound()),
       getAsOpFoldResult(loop.getUpperBound())});
  result.end = getValueOrCreateConstantIndexOp(rewriter, loc, end);

  // 3. Merge the slots one by one, starting from the initial values of the
  //    loop.
  Operation *before = loop->getPrevNode();
  SmallVector<Value> merged;
  for (const CarriedValue &value : carried)
    merged.push_back(loop.getInitArgs()[value.loopResult]);
  for (int64_t part = 0; part < parts; ++part) {
    SmallVector<Value> values;
    for (auto [value, valueSizes, init] : llvm::zip(carried, sizes, merged))
      values.push_back(
          Slot(rewriter, rewriter.getIndexAttr(part), valueSizes)
              .extract(rewriter, loc, init.getType(),
                       result.slots[value.loopResult].getResult(0)));
    FailureOr<SmallVector<Value>> next = merge(merged, values);
    if (failed(next))
      return failure();
    merged = *next;
  }
  result.firstOfMerge = before->getNextNode();
  rewriter.modifyOpInPlace(loop, [&] {
    for (auto [value, init] : llvm::zip(carried, merged))
      loop.getInitArgsMutable()[value.loopResult].set(init);
  });
  return result;
}

void mlir::linalg_ext::buildLoopOfParts(RewriterBase &rewriter, scf::ForOp loop,
                                        const LoopOfParts &parts,
                                        ArrayRef<Attribute> mapping) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = loop.getLoc();
  int64_t step = *getConstantIntValue(loop.getStep());
  rewriter.setInsertionPoint(parts.firstOfMerge);
  Value steps =
      arith::ConstantIndexOp::create(rewriter, loc, parts.parts * step);
  SmallVector<Value> inits;
  for (linalg::FillOp slots : parts.slots)
    inits.push_back(slots.getResult(0));
  auto all = scf::ForOp::create(rewriter, loc, loop.getLowerBound(), parts.end,
                                steps, inits);
  for (auto [slots, result] : llvm::zip_equal(inits, all.getResults()))
    rewriter.replaceUsesWithIf(slots, result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() == all->getBlock() &&
             all->isBeforeInBlock(use.getOwner());
    });

  // 1. Build an iteration of each part.
  rewriter.setInsertionPointToStart(all.getBody());
  auto forall = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>(rewriter.getIndexAttr(parts.parts)),
      all.getRegionIterArgs(),
      mapping.empty() ? std::nullopt
                      : std::optional(rewriter.getArrayAttr(mapping)));
  scf::YieldOp::create(rewriter, loc, forall.getResults());
  rewriter.setInsertionPointToStart(forall.getBody());
  AffineExpr first, part;
  bindDims(rewriter.getContext(), first, part);
  Value index = forall.getInductionVar(0);
  Value iv = affine::AffineApplyOp::create(
      rewriter, loc, AffineMap::get(2, 0, first + part * step),
      {all.getInductionVar(), index});
  IRMapping toPart;
  toPart.map(loop.getInductionVar(), iv);
  SmallVector<Slot> slots;
  for (const CarriedValue &value : parts.carried) {
    BlockArgument arg = loop.getRegionIterArg(value.loopResult);
    linalg::FillOp filled = parts.slots[value.loopResult];
    auto empty = filled.getDpsInits().front().getDefiningOp<tensor::EmptyOp>();
    slots.push_back(
        Slot(rewriter, index, ArrayRef(empty.getMixedSizes()).drop_front()));
    toPart.map(arg, slots.back().extract(
                        rewriter, loc, arg.getType(),
                        forall.getRegionIterArgs()[value.loopResult]));
  }
  SmallVector<affine::AffineMinOp> sizes;
  for (Operation &op : loop.getBody()->without_terminator())
    rewriter.clone(op, toPart)->walk([&](affine::AffineMinOp size) {
      sizes.push_back(size);
    });
  for (affine::AffineMinOp size : sizes)
    (void)scf::rewritePeeledMinMaxOp(rewriter, size, iv, loop.getUpperBound(),
                                     loop.getStep(), /*insideLoop=*/true);

  // 2. Store its results.
  rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [value, slot] : llvm::zip_equal(parts.carried, slots))
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc,
        toPart.lookupOrDefault(loop.getYieldedValues()[value.loopResult]),
        forall.getRegionIterArgs()[value.loopResult], slot.offsets, slot.sizes,
        slot.strides);
  rewriter.modifyOpInPlace(loop, [&] { loop.setLowerBound(parts.end); });
}
