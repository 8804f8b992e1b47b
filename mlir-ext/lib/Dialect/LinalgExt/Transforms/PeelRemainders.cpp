//===- PeelRemainders.cpp - Loops of whole tiles --------------------------===//
//
// Upstream's peeling, for the loops in which it makes the sizes of tiles
// constants, and for no others.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPEELREMAINDERSPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;

/// True if the body has a size that is bounded by what is left of the loop.
static bool boundsTiles(scf::ForOp loop) {
  return loop
      .walk([&](affine::AffineMinOp op) {
        return llvm::is_contained(op.getOperands(), loop.getInductionVar()) &&
                       llvm::is_contained(op.getOperands(),
                                          loop.getUpperBound())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct LinalgExtPeelRemaindersPass
    : public linalg_ext::impl::LinalgExtPeelRemaindersPassBase<
          LinalgExtPeelRemaindersPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (boundsTiles(loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      scf::ForOp remainder;
      (void)scf::peelForLoopAndSimplifyBounds(rewriter, loop, remainder);
    }
  }
};
} // namespace
