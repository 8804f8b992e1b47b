//===- LoopSlice.cpp - What an op of a loop needs -------------------------===//
//
// See LoopSlice.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

FailureOr<SmallVector<Operation *>>
mlir::linalg_ext::getNeededInIteration(scf::ForOp loop, Operation *op) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *other) {
    return loop->isProperAncestor(other);
  };
  llvm::SetVector<Operation *> slice;
  if (failed(getBackwardSlice(op, &slice, options)))
    return failure();
  for (Operation *needed : slice) {
    if (needed->getBlock() != loop.getBody() ||
        (needed != op && (!isPure(needed) || needed->getNumRegions() != 0)))
      return failure();
    if (llvm::any_of(needed->getOperands(), [&](Value operand) {
          return llvm::is_contained(loop.getRegionIterArgs(), operand);
        }))
      return failure();
  }
  return llvm::to_vector(slice);
}

FailureOr<SmallVector<Operation *>> mlir::linalg_ext::getNeededByBranch(
    scf::ForOp loop, scf::IfOp branch,
    llvm::function_ref<bool(Operation *)> isRead) {
  bool reads = false;
  WalkResult result = branch->walk([&](Operation *op) {
    if (isRead(op)) {
      reads = true;
      return WalkResult::advance();
    }
    return op == branch || isa<scf::YieldOp>(op) ||
                   (isPure(op) && op->getNumRegions() == 0)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (result.wasInterrupted() || !reads)
    return failure();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(branch->getRegions(), used);
  used.insert(branch.getCondition());
  llvm::SetVector<Operation *> needed;
  for (Value value : used) {
    if (llvm::is_contained(loop.getRegionIterArgs(), value))
      return failure();
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      continue;
    FailureOr<SmallVector<Operation *>> ofValue =
        getNeededInIteration(loop, op);
    if (failed(ofValue) || !isPure(op))
      return failure();
    needed.insert_range(*ofValue);
  }
  SmallVector<Operation *> ops = needed.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

Value mlir::linalg_ext::cloneForIteration(OpBuilder &b, scf::ForOp loop,
                                          Value value, IRMapping &mapping) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneForIteration(b, loop, operand, mapping));
  b.clone(*op, mapping);
  return mapping.lookup(value);
}
