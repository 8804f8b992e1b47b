//===- RegisterWorkarounds.cpp - Spills of LLVM and ptxas -----------------===//
//
// The pass that runs the workarounds of RegisterWorkarounds.h, in order.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUREGISTERWORKAROUNDSPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtNVGPURegisterWorkaroundsPass
    : public linalg_ext::impl::LinalgExtNVGPURegisterWorkaroundsPassBase<
          LinalgExtNVGPURegisterWorkaroundsPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    FailureOr<GPUTarget> target = getGPUTarget(scope);
    if (failed(target))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    const NamedStep steps[] = {{"recompute-after-loops",
                                [&] {
                                  recomputeAfterLoops(rewriter, scope);
                                  return success();
                                }},
                               {"hide-induction-variables",
                                [&] {
                                  hideInductionVariables(rewriter, scope);
                                  return success();
                                }},
                               {"recompute-swizzles",
                                [&] {
                                  recomputeSwizzles(rewriter, scope);
                                  return success();
                                }},
                               {"order-updates",
                                [&] {
                                  orderUpdates(rewriter, scope);
                                  return success();
                                }},
                               {"pin-operands",
                                [&] {
                                  pinOperands(rewriter, scope);
                                  return success();
                                }},
                               {"keep-branches",
                                [&] {
                                  keepBranches(rewriter, scope);
                                  return success();
                                }},
                               {"predicate-loads",
                                [&] {
                                  predicateLoads(rewriter, scope);
                                  return success();
                                }},
                               {"fetch-lines",
                                [&] {
                                  fetchLines(scope);
                                  return success();
                                }},
                               {"free-slots",
                                [&] {
                                  freeSlotsEarly(rewriter, scope);
                                  return success();
                                }},
                               {"min-workgroups", [&] {
                                  setMinWorkgroups(scope, *target);
                                  return success();
                                }}};
    if (failed(runNamedSteps(scope, "workarounds", steps, *workarounds)))
      signalPassFailure();
  }
};
} // namespace
