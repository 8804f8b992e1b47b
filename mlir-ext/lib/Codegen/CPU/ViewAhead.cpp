//===- ViewAhead.cpp - What a later iteration reads -----------------------===//
//
// See ViewAhead.h. Clones what computes the view for another value of the
// induction variable.
//
//===----------------------------------------------------------------------===//

#include "ViewAhead.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Loops that are looked ahead in: each one is another test.
static constexpr size_t kMaxLoops = 3;

namespace {
/// A loop, and loops around it of which each executes the one before in each of
/// its iterations. The innermost one is the first.
struct LoopsAhead {
  SmallVector<scf::ForOp> nest;

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

/// Whether `op` may be executed for other iterations of `loops`: it is
/// speculatable, or each iteration executes it, and it reads at most.
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

static bool readsMemory(Operation *op) {
  return op->walk([](memref::LoadOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The ops in `loop` that compute `view`, in order.
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

/// The number of iterations of `loop`, if it is known.
static std::optional<int64_t> getTripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || (*upper - *lower) % *step != 0)
    return std::nullopt;
  return (*upper - *lower) / *step;
}

/// Adds the loops around the innermost one, if `iterations` iterations behind
/// its end are the first ones of its next run.
static void addOuterLoops(LoopsAhead &loops, int64_t iterations) {
  scf::ForOp loop = loops.nest.front();
  std::optional<int64_t> count = getTripCount(loop);
  if (!count || iterations > *count)
    return;
  while (loops.nest.size() < kMaxLoops) {
    auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
    auto isOutside = [&](Value bound) {
      return getConstantIntValue(bound) || outer.isDefinedOutsideOfLoop(bound);
    };
    if (!outer || !isOutside(loop.getLowerBound()) ||
        !isOutside(loop.getUpperBound()) || !isOutside(loop.getStep()))
      return;
    loops.nest.push_back(outer);
    loop = outer;
  }
}

/// The number of the current iteration of `loop` in its group.
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

/// Maps the induction variables of `loops` to those of `iterations` iterations
/// of the innermost loop later; to themselves if that is behind the end.
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
  scf::ForOp inner = loops.nest.front();
  Value iv = inner.getInductionVar();
  Value distance = arith::MulIOp::create(b, loc, inner.getStep(), iterations);
  Value later = add(iv, distance);
  // The iterations that follow: of a loop, or of the next run of all loops in
  // it, if the loop has another iteration.
  struct Later {
    Value iv, isThere, there, behind;
  };
  SmallVector<Later> ivs;
  if (loops.nest.size() == 1) {
    mapping.map(iv, select(isBelow(later, inner.getUpperBound()), later, iv));
    return;
  }
  Value size = arith::SubIOp::create(b, loc, inner.getUpperBound(),
                                     inner.getLowerBound());
  ivs.push_back({iv, isBelow(later, inner.getUpperBound()), later,
                 arith::SubIOp::create(b, loc, later, size)});
  for (scf::ForOp loop : llvm::drop_begin(loops.nest)) {
    Value next = add(loop.getInductionVar(), loop.getStep());
    ivs.push_back({loop.getInductionVar(), isBelow(next, loop.getUpperBound()),
                   next, loop.getLowerBound()});
  }
  for (auto [number, at] : llvm::enumerate(ivs)) {
    // Of the loops around this one, the first that has another iteration
    // decides: inside of it, this one begins again. If none has, nothing
    // follows.
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
    // Loops inside of this one that have another iteration leave it alone.
    for (const Later &inside : llvm::reverse(ArrayRef(ivs).take_front(number)))
      value = select(inside.isThere, at.iv, value);
    mapping.map(at.iv, value);
  }
}

ViewsAhead mlir::linalg_ext::buildViewsAhead(OpBuilder &b, Value view,
                                             int64_t iterations,
                                             int64_t group) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  for (; isa_and_present<scf::ForOp, scf::IfOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || !loop.getInductionVar().getType().isIndex())
      continue;
    SetVector<Operation *> slice = getSliceInLoop(view, loop);
    if (slice.empty())
      continue;
    if (llvm::none_of(slice, readsMemory))
      return {};
    // Groups of one run end with it.
    if (std::optional<int64_t> count = getTripCount(loop))
      group = std::gcd(group, *count);
    LoopsAhead loops = {{loop}};
    addOuterLoops(loops, group > 1 ? group : iterations);
    // What depends on the outer loop only is executed again, too.
    for (;;) {
      slice = getSliceInLoop(view, loops.getOutermost());
      if (llvm::all_of(slice, [&](Operation *op) {
            return canExecuteEarlier(op, loops);
          }))
        break;
      if (loops.nest.size() == 1)
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
    for (int64_t number = 0; number < group; ++number) {
      Value distance = getIndex(group > 1 ? group + number : iterations);
      if (ahead.number)
        distance = arith::SubIOp::create(b, loc, distance, ahead.number);
      IRMapping mapping;
      mapLater(b, loc, loops, distance, mapping);
      for (Operation *op : slice)
        b.clone(*op, mapping);
      ahead.views.push_back(mapping.lookup(view));
    }
    return ahead;
  }
  return {};
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
  // Stream s of a group: part s / group of view s mod group.
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
