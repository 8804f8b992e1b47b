//===- ApproximateMath.cpp - Math functions as arithmetic
//------------------===//
//
// A call for each element would undo vectorisation. Upstream has polynomials
// for f32, in pattern sets but in no pass that an installed mlir-opt has.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTAPPROXIMATEMATHPASS
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

void mlir::linalg_ext::populateApproximateMathPatterns(
    RewritePatternSet &patterns) {
  // Measured against f64: exp is within 1 ulp where the result is at most 1, as
  // in softmax, and 4 ulp elsewhere (results below the smallest normal number
  // are 0); tanh and erf are within 5 ulp. Those of log are far off for
  // subnormal numbers.
  auto isApproximated = [](StringRef name) {
    return llvm::is_contained({math::ExpOp::getOperationName(),
                               math::TanhOp::getOperationName(),
                               math::ErfOp::getOperationName()},
                              name);
  };
  populateMathF32ExpansionPatterns(patterns, isApproximated);
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
}

namespace {
struct LinalgExtApproximateMathPass
    : public linalg_ext::impl::LinalgExtApproximateMathPassBase<
          LinalgExtApproximateMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateApproximateMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
