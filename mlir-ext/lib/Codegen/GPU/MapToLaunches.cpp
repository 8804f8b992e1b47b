//===- MapToLaunches.cpp - Kernels of a program on buffers ----------------===//
//
// The pass linalg-ext-map-to-launches. Its steps are in MapForallToLaunch.cpp
// and LowerToScalarKernels.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTMAPTOLAUNCHESPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtMapToLaunchesPass
    : public linalg_ext::impl::LinalgExtMapToLaunchesPassBase<
          LinalgExtMapToLaunchesPass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *scope = getOperation();
    FailureOr<GPUTarget> target = getGPUTarget(scope);
    if (failed(target) || failed(checkOptions(*target)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"workgroups",
         [&] {
           mapForallsToLaunches(rewriter, scope, numThreads, band, *target);
           return success();
         }},
        {"scalars", [&] {
           return lowerToScalarKernels(rewriter, scope, numThreads,
                                       report != "none", requireFusion);
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }

private:
  LogicalResult checkOptions(const GPUTarget &target) {
    Location loc = getOperation()->getLoc();
    if (numThreads < 1 || numThreads > target.maxThreads)
      return emitError(loc)
             << "expected 'num-threads' to be between 1 and "
             << target.maxThreads << ", got " << Twine(numThreads.getValue());
    if (band < 1)
      return emitError(loc) << "expected 'band' to be positive, got "
                            << Twine(band.getValue());
    if (!llvm::is_contained({"none", "missed", "all"}, report))
      return emitError(loc)
             << "expected 'report' to be none, missed or all, got '" << report
             << "'";
    return success();
  }
};
} // namespace
