//===- ScheduleForall.cpp - What iterations do, and when ------------------===//
//
// The pass linalg-ext-schedule-forall. Its steps are in FissionForall.cpp and
// OrderWorkgroupsByWork.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Support/NamedSteps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSCHEDULEFORALLPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtScheduleForallPass
    : public linalg_ext::impl::LinalgExtScheduleForallPassBase<
          LinalgExtScheduleForallPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    Operation *scope = getOperation();
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"fission",
         [&] {
           fissionForallsBelow(rewriter, scope);
           return success();
         }},
        {"order-by-work", [&] {
           SmallVector<scf::ForallOp> foralls;
           scope->walk([&](scf::ForallOp op) { foralls.push_back(op); });
           for (scf::ForallOp forall : foralls)
             (void)orderWorkgroupsByWork(rewriter, forall);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
