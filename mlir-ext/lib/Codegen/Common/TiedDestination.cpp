//===- TiedDestination.cpp - Where a value is computed --------------------===//
//
// See TiedDestination.h.
//
//===----------------------------------------------------------------------===//

#include "TiedDestination.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Appends to `starts` the operands in `branch` through which `yielded` depends
/// on destinations from before `branch`. Sets `isComputed` if an op computes
/// the value.
static void collectStarts(OpOperand &yielded, scf::IfOp branch,
                          SmallVectorImpl<OpOperand *> &starts,
                          bool &isComputed) {
  OpOperand *start = &yielded;
  while (branch->isAncestor(start->get().getParentRegion()->getParentOp())) {
    if (auto inner = start->get().getDefiningOp<scf::IfOp>()) {
      unsigned number = cast<OpResult>(start->get()).getResultNumber();
      for (scf::YieldOp yield : {inner.thenYield(), inner.elseYield()})
        collectStarts(yield->getOpOperand(number), branch, starts, isComputed);
      return;
    }
    OpOperand *destination = getTiedDestination(start->get());
    if (!destination)
      break;
    start = destination;
    isComputed = true;
  }
  starts.push_back(start);
}

Value mlir::linalg_ext::getStartOfBranch(
    scf::IfOp branch, unsigned number, SmallVectorImpl<OpOperand *> &starts) {
  bool isComputed = false;
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
    collectStarts(yield->getOpOperand(number), branch, starts, isComputed);
  Value start = starts.front()->get();
  bool isOne = llvm::all_of(
      starts, [&](OpOperand *each) { return each->get() == start; });
  return isComputed && isOne &&
                 !branch->isAncestor(start.getParentRegion()->getParentOp())
             ? start
             : Value();
}
