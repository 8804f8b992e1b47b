//===- LegalizeBuffers.cpp - Buffers that upstream can lower --------------===//
//
// The pass linalg-ext-legalize-buffers. Its steps are in CopiesToLinalg.cpp,
// ResolveExpandShape.cpp and ResolveViewRows.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTLEGALIZEBUFFERSPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtLegalizeBuffersPass
    : public linalg_ext::impl::LinalgExtLegalizeBuffersPassBase<
          LinalgExtLegalizeBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    auto apply = [&](void (*populate)(RewritePatternSet &)) {
      RewritePatternSet patterns(&getContext());
      populate(patterns);
      FrozenRewritePatternSet frozen(std::move(patterns));
      if (!hasRoots(scope, frozen))
        return success();
      return applyPatternsGreedily(scope, frozen, getStructuredRewriteConfig());
    };
    const NamedStep known[] = {
        {"copies-to-linalg",
         [&] {
           IRRewriter rewriter(&getContext());
           convertCopiesToLinalg(rewriter, scope);
           return success();
         }},
        {"resolve-view-rows",
         [&] {
           bool hasViews =
               scope->walk([](ViewRowsOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
           return hasViews ? apply(populateResolveViewRowsPatterns) : success();
         }},
        {"resolve-expand-shape",
         [&] { return apply(populateResolveExpandShapePatterns); }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
