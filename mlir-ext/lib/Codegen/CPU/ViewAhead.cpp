//===- ViewAhead.cpp - What a later iteration reads -----------------------===//
//
// See ViewAhead.h. Clones what computes the view for another value of the
// induction variable.
//
//===----------------------------------------------------------------------===//

#include "ViewAhead.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most loops around a view in which later iterations are found. Each loop
/// is another test.
static constexpr size_t kMaxLoops = 3;

namespace {
/// A loop and the loops around it, the innermost one first. Each iteration of a
/// loop executes the loop inside it.
struct LoopsAhead {
  SmallVector<scf::ForOp> nest;
  /// The number of inner loops that keep their iteration: what follows is read
  /// by a later run of them.
  size_t numWhole = 0;

  ArrayRef<scf::ForOp> getMoving() {
    return ArrayRef<scf::ForOp>(nest).drop_front(numWhole);
  }
  scf::ForOp getOutermost() { return nest.back(); }
  bool hasBody(Block *block) {
    return llvm::any_of(
        nest, [&](scf::ForOp loop) { return loop.getBody() == block; });
  }
  bool carries(Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && hasBody(arg.getOwner()) &&
           llvm::none_of(nest, [&](scf::ForOp loop) {
             return arg == loop.getInductionVar();
           });
  }
};
} // namespace

/// Returns whether `op` may be executed for other iterations of `loops`. It
/// must be speculatable, or be executed by each iteration and have no effect
/// but reads.
static bool canExecuteEarlier(Operation *op, LoopsAhead &loops) {
  if (!loops.hasBody(op->getBlock()))
    return isPure(op) && op->getNumRegions() == 0;
  return !op->walk([&](Operation *nested) {
              bool isRead =
                  isa<memref::LoadOp, scf::IfOp, scf::YieldOp>(nested);
              bool isCarried =
                  llvm::any_of(nested->getOperands(), [&](Value operand) {
                    return loops.carries(operand);
                  });
              return (isRead || isMemoryEffectFree(nested)) && !isCarried
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Returns whether `op` reads memory, or is a view of rows that are looked up
/// in memory.
static bool readsMemory(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isa<memref::LoadOp, ViewRowsOp>(nested) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the ops in `loop` that compute `view`, in their order.
static SetVector<Operation *> getSliceInLoop(Value view, scf::ForOp loop) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return loop.getRegion().isAncestor(op->getParentRegion()) &&
           !isa<scf::ForOp>(op);
  };
  SetVector<Operation *> slice;
  if (failed(getBackwardSlice(view, &slice, options)))
    slice.clear();
  return slice;
}

/// Returns the number of iterations of `loop`, if it is known.
static std::optional<int64_t> getTripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || (*upper - *lower) % *step != 0)
    return std::nullopt;
  return (*upper - *lower) / *step;
}

/// Returns the most iterations of `loop`, if that is known. A loop over a tile
/// may have fewer at the border.
static std::optional<int64_t> getMaxTripCount(scf::ForOp loop) {
  if (std::optional<int64_t> count = getTripCount(loop))
    return count;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         step = getConstantIntValue(loop.getStep());
  FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, {loop.getUpperBound()},
      /*stopCondition=*/nullptr, kClosedUpperBound);
  if (!lower || !step || failed(upper))
    return std::nullopt;
  return llvm::divideCeil(*upper - *lower, *step);
}

/// Returns the loop whose iterations execute `loop`. Returns null if there is
/// none, or if the lower bound or the step of `loop` differs from run to run.
/// The upper bound may differ.
static scf::ForOp getLoopAround(scf::ForOp loop) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  auto isOutside = [&](Value bound) {
    return getConstantIntValue(bound) || outer.isDefinedOutsideOfLoop(bound);
  };
  if (!outer || !outer.getInductionVar().getType().isIndex() ||
      !isOutside(loop.getLowerBound()) || !isOutside(loop.getStep()))
    return {};
  return outer;
}

/// Moves on to loops further out while the innermost one has fewer than
/// `iterations` iterations. What such a loop reads that many iterations later,
/// it reads at the same place in a later run. Returns how many runs later that
/// is.
static int64_t moveToRuns(LoopsAhead &loops, int64_t iterations) {
  while (loops.nest.size() < kMaxLoops) {
    std::optional<int64_t> count = getMaxTripCount(loops.nest.back());
    scf::ForOp outer = getLoopAround(loops.nest.back());
    if (!count || *count <= 0 || iterations <= *count || !outer)
      break;
    iterations = llvm::divideCeil(iterations, *count);
    loops.nest.push_back(outer);
    ++loops.numWhole;
  }
  return iterations;
}

/// Adds the loops around the innermost loop that moves on, if the `iterations`
/// iterations behind its end are the first ones of its next run.
static void addOuterLoops(LoopsAhead &loops, int64_t iterations) {
  std::optional<int64_t> count = getMaxTripCount(loops.nest.back());
  if (!count || iterations > *count)
    return;
  while (loops.getMoving().size() < kMaxLoops) {
    scf::ForOp outer = getLoopAround(loops.nest.back());
    if (!outer)
      return;
    loops.nest.push_back(outer);
  }
}

/// Builds the number of the current iteration of `loop` in its group.
static Value buildNumberInGroup(OpBuilder &b, Location loc, scf::ForOp loop,
                                int64_t group) {
  auto getIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value done = loop.getInductionVar();
  if (!isConstantIntValue(loop.getLowerBound(), 0))
    done = arith::SubIOp::create(b, loc, done, loop.getLowerBound());
  Value count = arith::DivUIOp::create(b, loc, done, loop.getStep());
  return arith::RemUIOp::create(b, loc, count, getIndex(group));
}

/// Builds what a run of `loop` adds to the induction variable: a multiple of
/// the step.
static Value buildRunSize(OpBuilder &b, Location loc, scf::ForOp loop) {
  Value size =
      arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
  if (getTripCount(loop))
    return size;
  Value count = arith::CeilDivSIOp::create(b, loc, size, loop.getStep());
  return arith::MulIOp::create(b, loc, count, loop.getStep());
}

/// Maps the induction variables of `loops` to their values `iterations`
/// iterations later in the innermost loop that moves on. Maps them to
/// themselves if that is behind the end.
static void mapLater(OpBuilder &b, Location loc, LoopsAhead &loops,
                     Value iterations, IRMapping &mapping) {
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(b, loc, lhs, rhs);
  };
  auto isBelow = [&](Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lhs, rhs);
  };
  auto select = [&](Value condition, Value lhs, Value rhs) -> Value {
    return arith::SelectOp::create(b, loc, condition, lhs, rhs);
  };
  ArrayRef<scf::ForOp> moving = loops.getMoving();
  scf::ForOp inner = moving.front();
  Value iv = inner.getInductionVar();
  Value distance = arith::MulIOp::create(b, loc, inner.getStep(), iterations);
  Value later = add(iv, distance);
  // A later iteration of a loop. For an inner loop it is the first one of its
  // next run, if a loop around it has another iteration.
  struct Later {
    Value iv, isThere, there, behind;
  };
  SmallVector<Later> ivs;
  if (moving.size() == 1) {
    mapping.map(iv, select(isBelow(later, inner.getUpperBound()), later, iv));
    return;
  }
  ivs.push_back(
      {iv, isBelow(later, inner.getUpperBound()), later,
       arith::SubIOp::create(b, loc, later, buildRunSize(b, loc, inner))});
  for (scf::ForOp loop : moving.drop_front()) {
    Value next = add(loop.getInductionVar(), loop.getStep());
    ivs.push_back({loop.getInductionVar(), isBelow(next, loop.getUpperBound()),
                   next, loop.getLowerBound()});
  }
  for (auto [number, at] : llvm::enumerate(ivs)) {
    // The innermost loop around this one that has another iteration decides:
    // inside of it, this loop begins again. If none has one, nothing follows.
    Value begins = at.iv;
    if (number + 1 < ivs.size()) {
      Value hasNext;
      for (const Later &outer : llvm::drop_begin(ivs, number + 1))
        hasNext = hasNext ? arith::OrIOp::create(b, loc, hasNext, outer.isThere)
                                .getResult()
                          : outer.isThere;
      begins = select(hasNext, at.behind, at.iv);
    }
    Value value = select(at.isThere, at.there, begins);
    // If a loop inside of this one has another iteration, this one keeps its
    // iteration.
    for (const Later &inside : llvm::reverse(ArrayRef(ivs).take_front(number)))
      value = select(inside.isThere, at.iv, value);
    mapping.map(at.iv, value);
  }
}

/// Returns the loops whose upper bounds differ from run to run. A later run of
/// them may have fewer iterations.
static SmallVector<scf::ForOp> getLoopsOfOtherEnds(LoopsAhead &loops) {
  SmallVector<scf::ForOp> result;
  for (scf::ForOp loop : ArrayRef(loops.nest).drop_back())
    if (!getConstantIntValue(loop.getUpperBound()) &&
        !loops.getOutermost().isDefinedOutsideOfLoop(loop.getUpperBound()))
      result.push_back(loop);
  return result;
}

/// Maps the loops that move on to themselves again, unless all of `ends` have
/// the iterations that `mapping` names.
static void keepIfMissing(OpBuilder &b, Location loc, LoopsAhead &loops,
                          ArrayRef<scf::ForOp> ends, IRMapping &mapping) {
  Value exists;
  for (scf::ForOp loop : ends) {
    for (Operation *op :
         getSliceInLoop(loop.getUpperBound(), loops.getOutermost()))
      b.clone(*op, mapping);
    Value isThere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                              mapping.lookupOrDefault(loop.getInductionVar()),
                              mapping.lookupOrDefault(loop.getUpperBound()));
    exists = exists ? arith::AndIOp::create(b, loc, exists, isThere).getResult()
                    : isThere;
  }
  if (!exists)
    return;
  IRMapping later;
  for (scf::ForOp loop : loops.getMoving())
    later.map(loop.getInductionVar(),
              arith::SelectOp::create(b, loc, exists,
                                      mapping.lookup(loop.getInductionVar()),
                                      loop.getInductionVar())
                  .getResult());
  for (scf::ForOp loop : ArrayRef(loops.nest).take_front(loops.numWhole))
    later.map(loop.getInductionVar(),
              mapping.lookupOrDefault(loop.getInductionVar()));
  mapping = later;
}

/// Returns the innermost loop around the insertion point on which `view`
/// depends.
static scf::ForOp getLoopOfView(OpBuilder &b, Value view) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  for (; isa_and_present<scf::ForOp, scf::IfOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && loop.getInductionVar().getType().isIndex() &&
        !getSliceInLoop(view, loop).empty())
      return loop;
  }
  return {};
}

/// Builds the result of buildViewsAhead for a `view` that depends on `loop`.
static ViewsAhead buildViewsOf(OpBuilder &b, Value view, scf::ForOp loop,
                               int64_t iterations, int64_t group,
                               scf::ForOp earlier, Value number) {
  // A group must not go beyond the end of a run.
  if (std::optional<int64_t> count = getTripCount(loop))
    group = std::gcd(group, *count);
  LoopsAhead loops = {{loop}};
  if (earlier) {
    // A run that has ended is not looked ahead in.
    std::optional<int64_t> count = getMaxTripCount(loop);
    scf::ForOp outer = getLoopAround(loop);
    if (!count || *count <= 0 || !outer)
      return {};
    iterations = llvm::divideCeil(iterations, *count);
    loops.nest.push_back(outer);
    ++loops.numWhole;
  }
  if (group == 1)
    iterations = moveToRuns(loops, iterations);
  addOuterLoops(loops, group > 1 ? group : iterations);
  // Ops that depend only on the outer loop are executed again, too.
  SetVector<Operation *> slice;
  SmallVector<scf::ForOp> ends;
  for (;;) {
    slice = getSliceInLoop(view, loops.getOutermost());
    ends = getLoopsOfOtherEnds(loops);
    SetVector<Operation *> all = slice;
    for (scf::ForOp ended : ends)
      all.insert_range(
          getSliceInLoop(ended.getUpperBound(), loops.getOutermost()));
    if (llvm::all_of(
            all, [&](Operation *op) { return canExecuteEarlier(op, loops); }))
      break;
    if (loops.getMoving().size() == 1)
      return {};
    loops.nest.pop_back();
  }
  Location loc = view.getLoc();
  auto getIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  ViewsAhead ahead;
  if (group > 1)
    ahead.number = buildNumberInGroup(b, loc, loop, group);
  for (int64_t i = 0; i < group; ++i) {
    Value distance = getIndex(group > 1 ? group + i : iterations);
    if (ahead.number)
      distance = arith::SubIOp::create(b, loc, distance, ahead.number);
    IRMapping mapping;
    if (earlier)
      mapping.map(earlier.getInductionVar(), number);
    mapLater(b, loc, loops, distance, mapping);
    keepIfMissing(b, loc, loops, ends, mapping);
    for (Operation *op : slice)
      b.clone(*op, mapping);
    ahead.views.push_back(mapping.lookup(view));
  }
  return ahead;
}

ViewsAhead mlir::linalg_ext::buildViewsAhead(OpBuilder &b, Value view,
                                             int64_t iterations, int64_t group,
                                             scf::ForOp earlier, Value number) {
  scf::ForOp loop = earlier ? earlier : getLoopOfView(b, view);
  if (!loop || llvm::none_of(getSliceInLoop(view, loop), readsMemory))
    return {};
  return buildViewsOf(b, view, loop, iterations, group, earlier, number);
}

Value mlir::linalg_ext::buildNextView(OpBuilder &b, Value view) {
  scf::ForOp loop = getLoopOfView(b, view);
  if (!loop)
    return {};
  ViewsAhead next = buildViewsOf(b, view, loop, /*iterations=*/1, /*group=*/1,
                                 /*earlier=*/{}, /*number=*/{});
  return next ? next.views.front() : Value();
}

std::pair<Value, Value> mlir::linalg_ext::buildRowAhead(OpBuilder &b,
                                                        Location loc,
                                                        const ViewsAhead &ahead,
                                                        Value row,
                                                        int64_t size) {
  auto getIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(b, loc, lhs, rhs);
  };
  // Stream s of a group is part s / group of view s mod group.
  int64_t group = ahead.views.size(), streams = ahead.numStreams,
          parts = streams / group;
  Value stream = arith::RemUIOp::create(b, loc, row, getIndex(streams));
  Value at = arith::DivUIOp::create(b, loc, row, getIndex(streams));
  if (parts > 1) {
    Value part = arith::DivUIOp::create(b, loc, stream, getIndex(group));
    at = add(at, arith::MulIOp::create(b, loc, part, getIndex(size / parts)));
    stream = arith::RemUIOp::create(b, loc, stream, getIndex(group));
  }
  if (ahead.number)
    at = add(at, arith::MulIOp::create(b, loc, ahead.number,
                                       getIndex(size / streams)));
  Value view = ahead.views.back();
  for (int64_t i = group - 2; i >= 0; --i) {
    Value isThis = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         stream, getIndex(i));
    view = arith::SelectOp::create(b, loc, isThis, ahead.views[i], view);
  }
  return {view, at};
}

Value mlir::linalg_ext::selectView(OpBuilder &b, Location loc, Value condition,
                                   Value view, Value other) {
  if (view == other)
    return view;
  auto rows = view.getDefiningOp<ViewRowsOp>(),
       otherRows = other.getDefiningOp<ViewRowsOp>();
  if (!rows || !otherRows)
    return arith::SelectOp::create(b, loc, condition, view, other);
  return ViewRowsOp::create(
      b, loc,
      selectView(b, loc, condition, rows.getSource(), otherRows.getSource()),
      selectView(b, loc, condition, rows.getList(), otherRows.getList()),
      rows.getDims());
}
