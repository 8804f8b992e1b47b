//===- CoalesceLoops.cpp - One loop for nested reductions -----------------===//
//
// A sum over several dimensions (heads, and the elements of each head) is a
// nest of loops. Asynchronous copies are issued some iterations ahead in the
// innermost loop. Its pipeline would start again in each iteration of the outer
// loops. This step coalesces perfect nests with constant bounds into one loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the loop around `loop` if its body has only `loop`, and if both
/// loops carry the same values. Returns null otherwise.
static scf::ForOp getPerfectParent(scf::ForOp loop) {
  auto parent = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!parent || !llvm::hasNItems(*parent.getBody(), 2) ||
      !llvm::equal(parent.getRegionIterArgs(), loop.getInitArgs()) ||
      !llvm::equal(parent.getBody()->getTerminator()->getOperands(),
                   loop.getResults()))
    return {};
  return parent;
}

/// Returns whether `loop` has a constant number of iterations. The induction
/// variable of a coalesced loop is then a quotient or remainder by a constant.
static bool hasConstantBounds(scf::ForOp loop) {
  return llvm::all_of(ArrayRef<Value>{loop.getLowerBound(),
                                      loop.getUpperBound(), loop.getStep()},
                      [](Value bound) { return getConstantIntValue(bound); });
}

LogicalResult mlir::linalg_ext::coalesceContractionLoops(RewriterBase &rewriter,
                                                         Operation *scope) {
  SmallVector<scf::ForOp> innermost;
  scope->walk([&](gpu::LaunchOp launch) {
    launch.walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<vector::ContractionOp>().empty())
        innermost.push_back(loop);
    });
  });
  for (scf::ForOp loop : innermost) {
    SmallVector<scf::ForOp> nest{loop};
    while (hasConstantBounds(nest.front())) {
      scf::ForOp parent = getPerfectParent(nest.front());
      if (!parent)
        break;
      nest.insert(nest.begin(), parent);
    }
    if (nest.size() > 1 && failed(coalesceLoops(rewriter, nest)))
      return failure();
  }
  return success();
}
