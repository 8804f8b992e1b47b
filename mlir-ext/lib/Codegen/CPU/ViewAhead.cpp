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

/// Adds the loop around `loops.inner`, if `iterations` iterations behind the end
/// of the inner loop are the first ones of its next run.
static void addOuterLoop(LoopPair &loops, int64_t iterations) {
  auto outer = dyn_cast<scf::ForOp>(loops.inner->getParentOp());
  std::optional<int64_t> lower = getConstantIntValue(loops.inner.getLowerBound()),
                         upper = getConstantIntValue(loops.inner.getUpperBound()),
                         step = getConstantIntValue(loops.inner.getStep());
  if (outer && lower && upper && step && (*upper - *lower) % *step == 0 &&
      iterations * *step <= *upper - *lower)
    loops.outer = outer;
}

/// Maps the induction variables of `loops` to those of `iterations` iterations
/// of the inner loop later; to themselves if that is behind the end.
static void mapLater(OpBuilder &b, Location loc, LoopPair &loops,
                     int64_t iterations, IRMapping &mapping) {
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
  Value distance = arith::MulIOp::create(
      b, loc, inner.getStep(),
      arith::ConstantOp::create(b, loc,
                                b.getIntegerAttr(iv.getType(), iterations)));
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

Value mlir::linalg_ext::buildViewAhead(OpBuilder &b, Value view,
                                       int64_t iterations) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  for (; isa_and_present<scf::ForOp, scf::IfOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      continue;
    SetVector<Operation *> slice = getSliceInLoop(view, loop);
    if (slice.empty())
      continue;
    if (llvm::none_of(slice, readsMemory))
      return {};
    LoopPair loops = {loop, {}};
    addOuterLoop(loops, iterations);
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
    IRMapping mapping;
    mapLater(b, view.getLoc(), loops, iterations, mapping);
    for (Operation *op : slice)
      b.clone(*op, mapping);
    return mapping.lookup(view);
  }
  return {};
}
