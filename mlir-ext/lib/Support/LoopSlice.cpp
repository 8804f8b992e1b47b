//===- LoopSlice.cpp - What an op of a loop needs -------------------------===//
//
// See LoopSlice.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
