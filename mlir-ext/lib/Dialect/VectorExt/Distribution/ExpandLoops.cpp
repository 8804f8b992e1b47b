//===- ExpandLoops.cpp - Loops of which products are ordered --------------===//
//
// See RotatedLoop.h. Finds what stage 1 of an iteration takes from stage 0, and
// builds loops that carry it.
//
// The expansion, for loops over i and j of which each may have no iteration:
//
//        if (there is an iteration)
//          carried = the first one is of i ? stage 0 of i : stage 0 of j
//          for i, without the first one:
//            carried = stage 0 of i, stage 1 of what is carried
//          for j, without the first one if that is here:
//            carried = stage 0 of j, stage 1 of what is carried
//          results = stage 1 of what is carried
//
// If it is known that the loop over i has an iteration if there is one at all,
// the first one is of i, and there is no choice.
//
//===----------------------------------------------------------------------===//

#include "RotatedLoop.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;

static unsigned getYieldStage(const RotatedLoop &loop,
                              const LoopSchedule &schedule, unsigned carried) {
  return schedule.stages[*loop.lookup(loop.op.getYieldedValues()[carried])];
}

/// Returns whether stage 1 must be given `value`: stage 0 computes it, or it
/// belongs to the iteration.
static bool isFromStage0(const RotatedLoop &loop, const LoopSchedule &schedule,
                         Value value) {
  if (value == loop.op.getInductionVar())
    return true;
  if (std::optional<unsigned> carried = loop.getCarried(value))
    return getYieldStage(loop, schedule, *carried) == 0;
  std::optional<unsigned> producer = loop.lookup(value);
  return producer && schedule.stages[*producer] == 0;
}

static SmallVector<Operation *> getStage1(const RotatedLoop &loop,
                                          const LoopSchedule &schedule) {
  SmallVector<Operation *> ops;
  for (auto [op, stage] : llvm::zip_equal(loop.ops, schedule.stages))
    if (stage == 1)
      ops.push_back(op);
  return ops;
}

CarriedState mlir::vector_ext::getCarriedState(RotatedLoop &loop,
                                               const LoopSchedule &schedule) {
  CarriedState state;
  llvm::SetVector<Value> values;
  llvm::DenseSet<unsigned> late;
  for (Operation *op : getStage1(loop, schedule))
    for (Value operand : getAllOperands(op)) {
      if (isFromStage0(loop, schedule, operand))
        values.insert(operand);
      else if (std::optional<unsigned> carried = loop.getCarried(operand))
        late.insert(*carried);
    }
  for (unsigned i = 0; i < loop.op.getNumRegionIterArgs(); ++i)
    if (getYieldStage(loop, schedule, i) == 0)
      state.early.push_back(i);
    else if (late.contains(i))
      state.late.push_back(i);
  state.values = values.takeVector();
  return state;
}

FailureOr<CarriedState> mlir::vector_ext::matchCarriedState(
    RotatedLoop &first, const LoopSchedule &ofFirst, const CarriedState &state,
    RotatedLoop &loop, const LoopSchedule &schedule) {
  IRMapping matched;
  auto isAlike = [&](Value a, Value b) {
    if (Value known = matched.lookupOrNull(a))
      return known == b;
    if (a.getType() != b.getType())
      return false;
    bool isFromStage0A = isFromStage0(first, ofFirst, a),
         isFromStage0B = isFromStage0(loop, schedule, b);
    if (isFromStage0A || isFromStage0B) {
      matched.map(a, b);
      return isFromStage0A && isFromStage0B;
    }
    std::optional<unsigned> carriedA = first.getCarried(a),
                            carriedB = loop.getCarried(b);
    if (carriedA || carriedB)
      return carriedA == carriedB;
    return a == b;
  };
  SmallVector<Operation *> opsOfFirst = getStage1(first, ofFirst),
                           ops = getStage1(loop, schedule);
  if (opsOfFirst.size() != ops.size())
    return failure();
  for (auto [a, b] : llvm::zip_equal(opsOfFirst, ops))
    if (!OperationEquivalence::isEquivalentTo(
            a, b, [&](Value x, Value y) { return success(isAlike(x, y)); },
            [&](Value x, Value y) { matched.map(x, y); },
            OperationEquivalence::Flags::IgnoreLocations))
      return failure();
  for (auto [i, yields] : llvm::enumerate(llvm::zip_equal(
           first.op.getYieldedValues(), loop.op.getYieldedValues()))) {
    auto [a, b] = yields;
    unsigned stage = getYieldStage(first, ofFirst, i);
    if (stage != getYieldStage(loop, schedule, i) ||
        (stage == 1 && matched.lookupOrNull(a) != b))
      return failure();
  }
  CarriedState result = state;
  for (Value &value : result.values)
    value = matched.lookup(value);
  return result;
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {
/// Builds the rotated form of a chain.
class Expander {
public:
  Expander(RewriterBase &b, MutableArrayRef<RotatedLoop> chain,
           ArrayRef<LoopSchedule> schedules, ArrayRef<CarriedState> states)
      : b(b), chain(chain), schedules(schedules), states(states),
        loc(chain.front().op.getLoc()) {}

  /// Replaces the loops.
  void run();

private:
  void addSteps(unsigned number, ArrayRef<unsigned> stages, IRMapping &stage0,
                IRMapping &stage1);
  SmallVector<Value> getState(unsigned number, const IRMapping &stage0,
                              const IRMapping &stage1);
  SmallVector<Value> buildFirst(unsigned number);
  SmallVector<Value> buildFirsts(unsigned number);
  SmallVector<Value> buildLoop(unsigned number, Value from,
                               ArrayRef<Value> state);
  SmallVector<Value> buildLast(ArrayRef<Value> state);
  SmallVector<Value> buildAll();
  Value buildHasIterations(unsigned number);
  Value buildHasAny();
  void releaseEarly(scf::IfOp branch);

  RewriterBase &b;
  MutableArrayRef<RotatedLoop> chain;
  ArrayRef<LoopSchedule> schedules;
  ArrayRef<CarriedState> states;
  Location loc;
  SmallVector<Value> hasIterations;
  /// The last of the loops that have been built.
  Operation *lastLoop = nullptr;
};
} // namespace

/// Marks `op`, a copy of op `number`, if it continues the sums of a product
/// that is not awaited.
static void markContinuing(const RotatedLoop &loop,
                           const LoopSchedule &schedule, unsigned number,
                           Operation *op) {
  for (const ScheduleOp::Operand &operand : loop.graph.ops[number].operands)
    if (operand.isContinued && operand.distance == 0 &&
        schedule.stages[operand.op] == schedule.stages[number])
      op->setDiscardableAttr(getContinuesAttrName(),
                             UnitAttr::get(op->getContext()));
}

/// Clones the ops of `stages` in the order of the schedule. The maps have the
/// values of the iterations in stages 0 and 1.
void Expander::addSteps(unsigned number, ArrayRef<unsigned> stages,
                        IRMapping &stage0, IRMapping &stage1) {
  RotatedLoop &loop = chain[number];
  const LoopSchedule &schedule = schedules[number];
  // Groups take turns only in iterations that issue all products.
  unsigned numOpen = schedule.takesTurns && stages.size() == 2
                         ? loop.graph.getProducts().size()
                         : 0;
  bool isTaken = false;
  for (const ScheduleStep &step : schedule.steps) {
    unsigned stage = schedule.stages[step.op];
    if (!llvm::is_contained(stages, stage))
      continue;
    IRMapping &values = stage == 0 ? stage0 : stage1;
    Operation *op = loop.ops[step.op];
    bool isIssue = numOpen > 0 && loop.graph.ops[step.op].isProduct;
    if (isIssue && !std::exchange(isTaken, true))
      TurnTakeOp::create(b, op->getLoc(), loop.graph.numParts);
    if (step.isAwait) {
      Value open = op->getResult(0);
      values.map(
          open,
          AwaitOp::create(b, op->getLoc(), values.lookup(open)).getResult(0));
    } else {
      markContinuing(loop, schedule, step.op, b.clone(*op, values));
    }
    if (isIssue && --numOpen == 0)
      TurnPassOp::create(b, op->getLoc(), loop.graph.numParts);
    // Stage 0 of the next iteration uses the values that stage 1 of this
    // iteration computes.
    if (stage == 1)
      for (auto [yielded, carried] : llvm::zip_equal(
               loop.op.getYieldedValues(), loop.op.getRegionIterArgs()))
        if (yielded.getDefiningOp() == op)
          stage0.map(carried, values.lookup(yielded));
  }
}

/// Returns the state after stage 0 of one iteration and stage 1 of the previous
/// one.
SmallVector<Value> Expander::getState(unsigned number, const IRMapping &stage0,
                                      const IRMapping &stage1) {
  const CarriedState &state = states[number];
  SmallVector<Value> yielded(chain[number].op.getYieldedValues());
  SmallVector<Value> values;
  for (unsigned i : state.early)
    values.push_back(stage0.lookupOrDefault(yielded[i]));
  for (unsigned i : state.late)
    values.push_back(stage1.lookupOrDefault(yielded[i]));
  for (Value value : state.values)
    values.push_back(stage0.lookupOrDefault(value));
  return values;
}

/// Builds stage 0 of the first iteration, which belongs to loop `number`.
SmallVector<Value> Expander::buildFirst(unsigned number) {
  RotatedLoop &loop = chain[number];
  IRMapping stage0, stage1;
  stage0.map(loop.op.getInductionVar(), loop.op.getLowerBound());
  stage0.map(loop.op.getRegionIterArgs(), chain.front().op.getInitArgs());
  addSteps(number, {0}, stage0, stage1);
  // No iteration is in stage 1 yet.
  for (auto [yielded, init] : llvm::zip_equal(loop.op.getYieldedValues(),
                                              chain.front().op.getInitArgs()))
    if (std::optional<unsigned> op = loop.lookup(yielded);
        schedules[number].stages[*op] == 1)
      stage1.map(yielded, init);
  return getState(number, stage0, stage1);
}

/// Builds stage 0 of the first iteration, which belongs to loop `number` or a
/// later one.
SmallVector<Value> Expander::buildFirsts(unsigned number) {
  if (number + 1 == chain.size() ||
      getConstantIntValue(hasIterations[number]).value_or(0) != 0)
    return buildFirst(number);
  SmallVector<Value> state;
  auto branch = scf::IfOp::create(
      b, loc, hasIterations[number],
      [&](OpBuilder &, Location) {
        OpBuilder::InsertionGuard guard(b);
        scf::YieldOp::create(b, loc, buildFirst(number));
      },
      [&](OpBuilder &, Location) {
        OpBuilder::InsertionGuard guard(b);
        scf::YieldOp::create(b, loc, buildFirsts(number + 1));
      });
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns `carried`, which is `value` as an earlier iteration of the loop
/// computed it. If `value` has a constant lower bound, keeps this bound, so
/// that a tile without an end needs no test.
static Value keepBound(RewriterBase &b, Value value, Value carried) {
  auto max = value.getDefiningOp<arith::MaxSIOp>();
  std::optional<int64_t> bound = max && max.getType().isIndex()
                                     ? getConstantIntValue(max.getRhs())
                                     : std::nullopt;
  if (!bound)
    return carried;
  Location loc = max.getLoc();
  return arith::MaxSIOp::create(b, loc, carried,
                                arith::ConstantIndexOp::create(b, loc, *bound));
}

/// Builds loop `number` from `from` on. Returns the state after it.
SmallVector<Value> Expander::buildLoop(unsigned number, Value from,
                                       ArrayRef<Value> state) {
  RotatedLoop &loop = chain[number];
  auto rotated = scf::ForOp::create(
      b, loop.op.getLoc(), from, loop.op.getUpperBound(), loop.op.getStep(),
      state, /*bodyBuilder=*/{}, loop.op.getUnsignedCmp());
  rotated->setDiscardableAttrs(loop.op->getDiscardableAttrDictionary());
  lastLoop = rotated;
  OpBuilder::InsertionGuard guard(b);
  if (rotated.getNumRegionIterArgs() == 0)
    b.eraseOp(rotated.getBody()->getTerminator());
  b.setInsertionPointToStart(rotated.getBody());
  IRMapping stage0, stage1;
  stage0.map(loop.op.getInductionVar(), rotated.getInductionVar());
  const CarriedState &carried = states[number];
  ArrayRef<BlockArgument> args = rotated.getRegionIterArgs();
  for (unsigned i : carried.early)
    stage0.map(loop.op.getRegionIterArg(i), args.consume_front());
  for (unsigned i : carried.late)
    stage1.map(loop.op.getRegionIterArg(i), args.consume_front());
  // An iteration of the first loop follows another one of it.
  for (Value value : carried.values) {
    Value ofEarlier = args.consume_front();
    stage1.map(value, number == 0 ? keepBound(b, value, ofEarlier) : ofEarlier);
  }
  addSteps(number, {0, 1}, stage0, stage1);
  scf::YieldOp::create(b, loc, getState(number, stage0, stage1));
  return llvm::to_vector_of<Value>(rotated.getResults());
}

/// Builds stage 1 of the last iteration. Returns the results of the chain.
SmallVector<Value> Expander::buildLast(ArrayRef<Value> state) {
  RotatedLoop &loop = chain.back();
  const CarriedState &carried = states.back();
  IRMapping stage0, stage1;
  SmallVector<Value> results(loop.op.getNumResults());
  for (unsigned i : carried.early)
    results[i] = state.consume_front();
  for (unsigned i : carried.late)
    stage1.map(loop.op.getRegionIterArg(i), state.consume_front());
  for (Value value : carried.values)
    stage1.map(value, state.consume_front());
  addSteps(chain.size() - 1, {1}, stage0, stage1);
  for (auto [result, yielded] :
       llvm::zip_equal(results, loop.op.getYieldedValues()))
    if (!result)
      result = stage1.lookup(yielded);
  return results;
}

Value Expander::buildHasIterations(unsigned number) {
  scf::ForOp loop = chain[number].op;
  return b.createOrFold<arith::CmpIOp>(
      loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                            : arith::CmpIPredicate::slt,
      loop.getLowerBound(), loop.getUpperBound());
}

using Comparison = ValueBoundsConstraintSet::ComparisonOperator;

/// Returns the variable of `value` if that is its sum with a positive number,
/// or null.
static Value getLessByConstant(Value value) {
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  AffineExpr expr = apply ? apply.getAffineMap().getResult(0) : AffineExpr();
  auto sum = dyn_cast_if_present<AffineBinaryOpExpr>(expr);
  auto more =
      sum ? dyn_cast<AffineConstantExpr>(sum.getRHS()) : AffineConstantExpr();
  bool isSum = more && sum.getKind() == AffineExprKind::Add &&
               more.getValue() > 0 && apply->getNumOperands() == 1 &&
               isa<AffineDimExpr, AffineSymbolExpr>(sum.getLHS());
  return isSum ? apply->getOperand(0) : Value();
}

/// Returns whether `a` compares to `b` as `comparison`, less or at most, says,
/// whatever the sizes are. Bounds of values know nothing of minima and maxima.
static bool compares(Value a, Comparison comparison, Value b,
                     unsigned depth = 6) {
  if (!a.getType().isIndex() || !b.getType().isIndex() || depth == 0)
    return false;
  auto isBelow = [&](Value lhs, Value rhs) {
    return compares(lhs, comparison, rhs, depth - 1);
  };
  if ((a == b && comparison == Comparison::LE) ||
      ValueBoundsConstraintSet::compare(a, comparison, b))
    return true;
  if (auto max = a.getDefiningOp<arith::MaxSIOp>())
    return isBelow(max.getLhs(), b) && isBelow(max.getRhs(), b);
  if (auto min = b.getDefiningOp<arith::MinSIOp>())
    return isBelow(a, min.getLhs()) && isBelow(a, min.getRhs());
  if (auto max = b.getDefiningOp<arith::MaxSIOp>())
    if (isBelow(a, max.getLhs()) || isBelow(a, max.getRhs()))
      return true;
  if (Value less = getLessByConstant(b);
      less && compares(a, Comparison::LE, less, depth - 1))
    return true;
  if (auto min = a.getDefiningOp<arith::MinSIOp>())
    return isBelow(min.getLhs(), b) || isBelow(min.getRhs(), b);
  // What is computed from a minimum may be less than that.
  auto apply = a.getDefiningOp<affine::AffineApplyOp>();
  return apply && llvm::any_of(apply->getOperands(), [&](Value operand) {
           return ValueBoundsConstraintSet::compare(a, comparison, operand) &&
                  compares(operand, Comparison::LE, b, depth - 1);
         });
}

static bool isLess(Value a, Value b) { return compares(a, Comparison::LT, b); }

static bool isAtMost(Value a, Value b) {
  return compares(a, Comparison::LE, b);
}

/// Returns whether `first` has an iteration if one of both loops has: `second`
/// goes on from `start` to where `first` began, which is max(p, start), and p
/// is less than the end of `first`.
static bool beginsIfAny(scf::ForOp first, scf::ForOp second) {
  auto max = first.getLowerBound().getDefiningOp<arith::MaxSIOp>();
  if (!max || second.getUpperBound() != max.getResult() ||
      first.getUnsignedCmp() || second.getUnsignedCmp())
    return false;
  for (auto [p, start] : {std::pair(max.getLhs(), max.getRhs()),
                          std::pair(max.getRhs(), max.getLhs())})
    if (isEqualConstantIntOrValue(start, second.getLowerBound()) &&
        isLess(p, first.getUpperBound()))
      return true;
  return false;
}

/// Builds whether `a` is less than `b`. What is known of minima and maxima is
/// left out.
static Value buildIsLess(RewriterBase &b, Location loc, Value lhs, Value rhs) {
  if (auto min = rhs.getDefiningOp<arith::MinSIOp>())
    return b.createOrFold<arith::AndIOp>(
        loc, buildIsLess(b, loc, lhs, min.getLhs()),
        buildIsLess(b, loc, lhs, min.getRhs()));
  if (isLess(lhs, rhs))
    return arith::ConstantIntOp::create(b, loc, 1, 1);
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, lhs,
                                       rhs);
}

/// Sets `hasIterations`, which holds inside of a branch on the value that is
/// returned: whether there is an iteration.
Value Expander::buildHasAny() {
  if (chain.size() == 2 && beginsIfAny(chain[0].op, chain[1].op)) {
    hasIterations = {arith::ConstantIntOp::create(b, loc, 1, 1),
                     buildHasIterations(1)};
    return buildIsLess(b, loc, chain[1].op.getLowerBound(),
                       chain[0].op.getUpperBound());
  }
  Value hasAny;
  for (unsigned i = 0; i < chain.size(); ++i) {
    hasIterations.push_back(buildHasIterations(i));
    hasAny =
        hasAny ? b.createOrFold<arith::OrIOp>(loc, hasAny, hasIterations.back())
               : hasIterations.back();
  }
  return hasAny;
}

/// Builds the whole chain, which has at least one iteration. Returns its
/// results.
SmallVector<Value> Expander::buildAll() {
  SmallVector<Value> state = buildFirsts(0);
  // This is whether the first iteration belongs to an earlier loop.
  Value isBehind;
  for (unsigned i = 0; i < chain.size(); ++i) {
    scf::ForOp loop = chain[i].op;
    Value second = b.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(),
                                                 loop.getStep());
    Value from = isBehind ? b.createOrFold<arith::SelectOp>(
                                loc, isBehind, loop.getLowerBound(), second)
                          : second;
    isBehind =
        isBehind ? b.createOrFold<arith::OrIOp>(loc, isBehind, hasIterations[i])
                 : hasIterations[i];
    // This loop may have no other iteration, whatever the sizes are.
    if (i + 1 < chain.size() && !loop.getUnsignedCmp() &&
        isAtMost(loop.getUpperBound(), from))
      continue;
    state = buildLoop(i, from, state);
  }
  return buildLast(state);
}

/// Returns whether nothing reads a tile of `release` after `loop` or after the
/// op `whole` around it. The ops that read it have been awaited in the loop or
/// before it.
static bool isLastRead(RingReleaseOp release, Operation *loop,
                       Operation *whole) {
  bool isFound = false;
  for (Operation *user : release.getRing().getUsers()) {
    auto get = dyn_cast<RingGetOp>(user);
    if (!get || get.getPosition() != release.getPosition())
      continue;
    Operation *around = release->getBlock()->findAncestorOpInBlock(*get);
    if (!around || !around->isBeforeInBlock(whole))
      return false;
    isFound = true;
    for (Operation *reader : get->getUsers()) {
      Operation *here = loop->getBlock()->findAncestorOpInBlock(*reader);
      if (here && (here == loop || here->isBeforeInBlock(loop)))
        continue;
      Operation *outside = release->getBlock()->findAncestorOpInBlock(*reader);
      if (here || !outside || !outside->isBeforeInBlock(whole))
        return false;
    }
  }
  return isFound;
}

/// Frees tiles that only stage 0 reads, such as the queries of attention,
/// before the last stage 1. The tiles of the next result may then arrive during
/// it. `branch` is around all loops, or null if there always is an iteration.
void Expander::releaseEarly(scf::IfOp branch) {
  Operation *whole = branch ? branch.getOperation() : lastLoop;
  SmallVector<RingReleaseOp> releases;
  for (Operation *op = whole->getNextNode(); op; op = op->getNextNode())
    if (auto release = dyn_cast<RingReleaseOp>(op))
      if (isLastRead(release, lastLoop, whole))
        releases.push_back(release);
  DominanceInfo dominance;
  for (RingReleaseOp release : releases) {
    if (!dominance.properlyDominates(release.getPosition(), whole))
      continue;
    b.moveOpAfter(release, lastLoop);
    if (!branch)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.elseYield());
    b.clone(*release);
  }
}

void Expander::run() {
  scf::ForOp first = chain.front().op, last = chain.back().op;
  // Later bounds do not depend on these loops.
  for (Operation *op = first->getNextNode(); op != last && first != last;) {
    Operation *next = op->getNextNode();
    if (llvm::none_of(chain, [&](RotatedLoop &loop) { return loop.op == op; }))
      b.moveOpBefore(op, first);
    op = next;
  }
  b.setInsertionPoint(first);
  Value hasAny = buildHasAny();
  SmallVector<Value> results;
  scf::IfOp branch;
  if (getConstantIntValue(hasAny).value_or(0) != 0) {
    results = buildAll();
  } else {
    branch = scf::IfOp::create(
        b, loc, hasAny,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, buildAll());
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, first.getInitArgs());
        });
    results = llvm::to_vector_of<Value>(branch.getResults());
  }
  b.replaceAllUsesWith(last.getResults(), results);
  for (RotatedLoop &loop : llvm::reverse(chain))
    b.eraseOp(loop.op);
  releaseEarly(branch);
}

void mlir::vector_ext::reorder(RewriterBase &b, RotatedLoop &loop,
                               const LoopSchedule &schedule) {
  Operation *terminator = loop.op.getBody()->getTerminator();
  for (const ScheduleStep &step : schedule.steps) {
    Operation *op = loop.ops[step.op];
    if (!step.isAwait) {
      b.moveOpBefore(op, terminator);
      b.modifyOpInPlace(op,
                        [&] { markContinuing(loop, schedule, step.op, op); });
      continue;
    }
    b.setInsertionPoint(terminator);
    auto await = AwaitOp::create(b, op->getLoc(), op->getResult(0));
    b.replaceAllUsesExcept(op->getResult(0), await.getResult(0), await);
  }
}

void mlir::vector_ext::expandChain(RewriterBase &b,
                                   MutableArrayRef<RotatedLoop> chain,
                                   ArrayRef<LoopSchedule> schedules,
                                   ArrayRef<CarriedState> states) {
  Expander(b, chain, schedules, states).run();
}
