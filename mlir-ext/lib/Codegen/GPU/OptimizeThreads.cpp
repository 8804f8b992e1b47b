//===- OptimizeThreads.cpp - Memory and registers of threads --------------===//
//
// The pass linalg-ext-gpu-optimize-threads. Its steps are in
// SplitWorkgroups.cpp, PrefetchRows.cpp, BranchOverSigns.cpp,
// BranchOverUpdates.cpp, SpreadLoads.cpp, UnrollReads.cpp,
// AwaitBehindLoops.cpp, ComputeInParts.cpp, SinkLoads.cpp, StepDivisions.cpp
// and StepRounds.cpp.
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

/// The least number of elements of a vector for which a branch is worthwhile.
/// Fewer elements cost less than the branch.
static constexpr int64_t kMinUpdateElements = 16;
/// The number of iterations that are merged, so that their reads overlap.
static constexpr int64_t kUnrolled = 4;
/// The most ops of a body to unroll. The instructions of a larger body hide the
/// latency of its reads.
static constexpr int64_t kMaxUnrolledOps = 128;
/// The least number of elements of a vector that a thread computes in parts,
/// and the number of elements of a part: a few, whose functions do not wait for
/// each other.
static constexpr int64_t kMinWholeElements = 64, kPartElements = 8;
/// The least number of registers of a vector whose elements are summed in
/// parts: more than a thread of an NVIDIA GPU has. Vectors that it can hold
/// stay whole, since another order of their elements may spill.
static constexpr int64_t kMinSummedRegisters = 256;

namespace {
struct LinalgExtGPUOptimizeThreadsPass
    : public linalg_ext::impl::LinalgExtGPUOptimizeThreadsPassBase<
          LinalgExtGPUOptimizeThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    if (workgroupThreads < 1) {
      emitError(scope->getLoc())
          << "expected 'workgroup-threads' to be positive, got "
          << Twine(workgroupThreads.getValue());
      return signalPassFailure();
    }
    FailureOr<GPUTarget> target = getGPUTarget(scope);
    if (failed(target))
      return signalPassFailure();
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
             prefetchRows(rewriter, launch, target->longRow,
                          target->prefetchRows, target->prefetchBytes);
           });
         }},
        {"branch-over-signs",
         [&] {
           branchOverSigns(rewriter, scope, kMinUpdateElements);
           return success();
         }},
        {"branch-over-updates",
         [&] {
           branchOverUpdates(rewriter, scope, kMinUpdateElements);
           return success();
         }},
        {"spread-loads",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             spreadLoads(rewriter, launch, target->lanes);
           });
         }},
        {"unroll-reads",
         [&] {
           unrollReads(scope, kUnrolled, kMaxUnrolledOps);
           return success();
         }},
        {"await-behind-loops",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             awaitBehindLoops(rewriter, launch);
           });
         }},
        {"compute-in-parts",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             computeInParts(rewriter, launch, kMinWholeElements, kPartElements);
           });
         }},
        {"sum-in-parts",
         [&] {
           return forEachLaunch([&](gpu::LaunchOp launch) {
             sumInParts(rewriter, launch, kMinSummedRegisters, kPartElements);
           });
         }},
        {"sink-loads",
         [&] {
           sinkLoads(scope);
           return success();
         }},
        {"step-divisions", [&] {
           SmallVector<gpu::LaunchOp> launches;
           scope->walk(
               [&](gpu::LaunchOp launch) { launches.push_back(launch); });
           return success(llvm::all_of(launches, [&](gpu::LaunchOp launch) {
             stepRounds(rewriter, launch);
             return succeeded(stepDivisions(rewriter, launch));
           }));
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
