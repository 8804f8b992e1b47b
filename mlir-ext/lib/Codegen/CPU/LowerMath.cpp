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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTLOWERMATHPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
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
