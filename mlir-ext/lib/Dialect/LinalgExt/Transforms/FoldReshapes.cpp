//===- FoldReshapes.cpp - Reshapes out of the way of fusion ---------------===//
//
// Importers merge dimensions (batch and heads) to use a matrix multiplication
// of a fixed rank, and split them again behind it. What a repair acts on is
// then no dimension of the merged tensor any more. Contractions and elementwise
// ops take the dimensions as they were.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTFOLDRESHAPESPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether an operand of `op` has just been collapsed or its result is
/// about to be expanded.
static bool isBetweenReshapes(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(),
                      [](Value input) {
                        return input.getDefiningOp<tensor::CollapseShapeOp>() !=
                               nullptr;
                      }) ||
         llvm::any_of(op->getUsers(), llvm::IsaPred<tensor::ExpandShapeOp>);
}

namespace {
/// Upstream's expansion knows generic ops.
struct GeneralizeBetweenReshapes
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op) ||
        !op.hasPureTensorSemantics() || !isBetweenReshapes(op))
      return rewriter.notifyMatchFailure(op, "is not between reshapes");
    if (!linalg::isaContractionOpInterface(op) && !op.isAllParallelLoops())
      return rewriter.notifyMatchFailure(op, "is no contraction");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

void mlir::linalg_ext::populateFoldReshapesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<GeneralizeBetweenReshapes>(patterns.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [](OpOperand *) { return true; });
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       patterns.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     patterns.getContext());
  linalg::FillOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
}

namespace {
struct LinalgExtFoldReshapesPass
    : public linalg_ext::impl::LinalgExtFoldReshapesPassBase<
          LinalgExtFoldReshapesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFoldReshapesPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
