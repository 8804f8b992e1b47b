//===- PrepareLaunches.cpp - Launches on vectors before configs -----------===//
//
// The pass linalg-ext-gpu-prepare-launches. Its steps are in
// VersionLaunches.cpp, AssumeBranches.cpp, CoalesceLoops.cpp and
// PermuteSums.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUPREPARELAUNCHESPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most bytes that a thread loads or stores at a time.
static constexpr int64_t kAccessBytes = 16;

namespace {
struct LinalgExtGPUPrepareLaunchesPass
    : public linalg_ext::impl::LinalgExtGPUPrepareLaunchesPassBase<
          LinalgExtGPUPrepareLaunchesPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    if (maxBytes < 0 || maxBytes % kAccessBytes != 0) {
      emitError(scope->getLoc())
          << "expected 'max-bytes' to be a multiple of " << kAccessBytes
          << ", got " << Twine(maxBytes.getValue());
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"version-launches",
         [&] {
           SmallVector<gpu::LaunchOp> launches;
           scope->walk(
               [&](gpu::LaunchOp launch) { launches.push_back(launch); });
           for (gpu::LaunchOp launch : launches)
             (void)versionLaunch(rewriter, launch, kAccessBytes, maxBytes);
           return success();
         }},
        {"assume-branches",
         [&] {
           scope->walk(
               [&](gpu::LaunchOp launch) { assumeBranches(rewriter, launch); });
           return success();
         }},
        {"coalesce-loops",
         [&] { return coalesceContractionLoops(rewriter, scope); }},
        {"permute-sums", [&] {
           permuteSums(rewriter, scope);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
