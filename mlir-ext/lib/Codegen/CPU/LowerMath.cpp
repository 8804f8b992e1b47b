//===- LowerMath.cpp - Math functions on CPUs -----------------------------===//
//
// The pass linalg-ext-lower-math. Its steps are in ApproximateMath.cpp,
// CallLibm.cpp, TabulateFunctions.cpp and Codegen/Common/ExpandF8.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTLOWERMATHPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Replaces two extensions in a row by one, if each is exact. A float of 8 bits
/// is then not converted to one of 16 bits first.
struct ComposeExtensions : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto first = op.getIn().getDefiningOp<arith::ExtFOp>();
    if (!first || !isNarrowFloat(first.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "extends no float of few bits");
    auto getSemantics = [](Value value) -> const llvm::fltSemantics & {
      return cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics();
    };
    if (!APFloat::isRepresentableBy(getSemantics(first.getIn()),
                                    getSemantics(op.getIn())))
      return rewriter.notifyMatchFailure(op, "the type between lacks numbers");
    auto flags = [](arith::ExtFOp op) {
      return op.getFastmath().value_or(arith::FastMathFlags::none);
    };
    auto both = arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(),
                                      first.getIn());
    if (flags(op) != arith::FastMathFlags::none ||
        flags(first) != arith::FastMathFlags::none)
      both.setFastmath(flags(op) | flags(first));
    rewriter.replaceOp(op, both);
    return success();
  }
};

struct LinalgExtLowerMathPass
    : public linalg_ext::impl::LinalgExtLowerMathPassBase<
          LinalgExtLowerMathPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    FailureOr<CPUTarget> target = getCPUTarget(scope);
    if (failed(target))
      return signalPassFailure();
    const NamedStep known[] = {
        {"approximate",
         [&] { return approximateMath(scope, target->avx512 != 0); }},
        {"libm", [&] { return callLibm(scope); }},
        {"expand-f8",
         [&] {
           RewritePatternSet compose(scope->getContext());
           compose.add<ComposeExtensions>(scope->getContext());
           if (failed(applyPatternsGreedily(scope, std::move(compose),
                                            getStructuredRewriteConfig())))
             return failure();
           return expandF8(scope, {/*hasF16=*/target->convertsF16 != 0});
         }},
        {"tabulate", [&] {
           IRRewriter rewriter(scope->getContext());
           if (target->avx512)
             tabulateFunctions(rewriter, scope);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
