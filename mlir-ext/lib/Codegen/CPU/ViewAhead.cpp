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

namespace {
/// A loop, and the loop around it that executes it in each of its iterations.
struct LoopPair {
  scf::ForOp inner, outer;

  scf::ForOp getOutermost() { return outer ? outer : inner; }
  bool hasBody(Block *block) {
    return block == inner.getBody() || (outer && block == outer.getBody());
  }
  bool carries(Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && hasBody(arg.getOwner()) && arg != inner.getInductionVar() &&
           (!outer || arg != outer.getInductionVar());
  }
};
} // namespace

/// Whether `op` may be executed for other iterations of `loops`: it is
/// speculatable, or each iteration executes it, and it reads at most.
static bool canExecuteEarlier(Operation *op, LoopPair &loops) {
  if (!loops.hasBody(op->getBlock()))
    return isPure(op) && op->getNumRegions() == 0;
  return !op->walk([&](Operation *nested) {
              bool isRead = isa<memref::LoadOp, scf::IfOp, scf::YieldOp>(nested);
              bool isCarried = llvm::any_of(
                  nested->getOperands(),
                  [&](Value operand) { return loops.carries(operand); });
              return (isRead || isMemoryEffectFree(nested)) && !isCarried
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            })
              .wasInterrupted();
}

static bool readsMemory(Operation *op) {
  return op
      ->walk([](memref::LoadOp) { return WalkResult::interrupt(); })
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

/// Adds the loop around `loops.inner`, if `iterations` iterations behind the end
/// of the inner loop are the first ones of its next run.
static void addOuterLoop(LoopPair &loops, int64_t iterations) {
  auto outer = dyn_cast<scf::ForOp>(loops.inner->getParentOp());
  std::optional<int64_t> count = getTripCount(loops.inner);
  if (outer && count && iterations <= *count)
    loops.outer = outer;
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
/// of the inner loop later; to themselves if that is behind the end.
static void mapLater(OpBuilder &b, Location loc, LoopPair &loops,
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
  scf::ForOp inner = loops.inner, outer = loops.outer;
  Value iv = inner.getInductionVar();
  Value distance =
      arith::MulIOp::create(b, loc, inner.getStep(), iterations);
  Value later = add(iv, distance);
  Value isInside = isBelow(later, inner.getUpperBound());
  if (!outer) {
    mapping.map(iv, select(isInside, later, iv));
    return;
  }
  Value outerIv = outer.getInductionVar();
  Value outerLater = add(outerIv, outer.getStep());
  Value hasNext = isBelow(outerLater, outer.getUpperBound());
  Value size = arith::SubIOp::create(b, loc, inner.getUpperBound(),
                                     inner.getLowerBound());
  Value wrapped = arith::SubIOp::create(b, loc, later, size);
  mapping.map(iv, select(isInside, later, select(hasNext, wrapped, iv)));
  mapping.map(outerIv, select(isInside, outerIv,
                              select(hasNext, outerLater, outerIv)));
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
    LoopPair loops = {loop, {}};
    addOuterLoop(loops, group > 1 ? group : iterations);
    // What depends on the outer loop only is executed again, too.
    for (;;) {
      slice = getSliceInLoop(view, loops.getOutermost());
      if (llvm::all_of(slice, [&](Operation *op) {
            return canExecuteEarlier(op, loops);
          }))
        break;
      if (!loops.outer)
        return {};
      loops.outer = {};
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

std::pair<Value, Value>
mlir::linalg_ext::buildRowAhead(OpBuilder &b, Location loc,
                                const ViewsAhead &ahead, Value row,
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
