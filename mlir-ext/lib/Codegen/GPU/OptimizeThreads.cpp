//===- OptimizeThreads.cpp - Memory and registers of threads --------------===//
//
// The pass linalg-ext-gpu-optimize-threads. Its steps are in
// SplitWorkgroups.cpp, PrefetchRows.cpp, BranchOverUpdates.cpp, UnrollReads.cpp
// and SinkLoads.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUOPTIMIZETHREADSPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtGPUOptimizeThreadsPass
    : public linalg_ext::impl::LinalgExtGPUOptimizeThreadsPassBase<
          LinalgExtGPUOptimizeThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    if (failed(checkAtLeast(1, workgroupThreads, unrollFactor)) ||
        failed(checkAtLeast(0, prefetchElements, prefetchDistance)))
      return signalPassFailure();
    FailureOr<GPUTarget> target = getGPUTarget(scope);
    if (failed(target))
      return signalPassFailure();
    int64_t longRow = prefetchElements > 0 ? prefetchElements : target->longRow;
    int64_t distance =
        prefetchDistance > 0 ? prefetchDistance : target->prefetchRows;
    IRRewriter rewriter(&getContext());
    auto forEachLaunch = [&](auto apply) {
      scope->walk([&](gpu::LaunchOp launch) { apply(launch); });
      return success();
    };
    const NamedStep known[] = {
        {"split-workgroups",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             splitWorkgroups(rewriter, launch, workgroupThreads);
           });
         }},
        {"prefetch-rows",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             prefetchRows(rewriter, launch, longRow, distance,
                          target->prefetchBytes);
           });
         }},
        {"branch-over-updates",
         [&] {
           branchOverUpdates(rewriter, scope, minUpdateElements);
           return success();
         }},
        {"unroll-reads",
         [&] {
           unrollReads(scope, unrollFactor, unrollMaxOps);
           return success();
         }},
        {"sink-loads", [&] {
           sinkLoads(scope);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }

private:
  template <typename... Options>
  LogicalResult checkAtLeast(int64_t least, const Options &...options) {
    LogicalResult result = success();
    auto check = [&](const auto &option) {
      if (succeeded(result) && option.getValue() < least)
        result = emitError(getOperation()->getLoc())
                 << "expected '" << option.ArgStr << (least > 0 ? "' to be positive, got "
                              : "' not to be negative, got ")
                 << Twine(option.getValue());
    };
    (check(options), ...);
    return result;
  }
};
} // namespace
