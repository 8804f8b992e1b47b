//===- PrepareDestinations.cpp - Tensors that ops write to ----------------===//
//
// The pass linalg-ext-prepare-destinations. Its steps are in
// WriteIntoDestinations.cpp, BoundTensorEmpty.cpp, PrivatizeDestinations.cpp,
// ComputeInBuffers.cpp and CarryInBuffers.cpp.
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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPREPAREDESTINATIONSPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most bytes of a static tensor that bound-empty creates for a dynamic
/// one. A cache of a core holds as much.
static constexpr int64_t kMaxBoundBytes = 1 << 20;

namespace {
struct LinalgExtPrepareDestinationsPass
    : public linalg_ext::impl::LinalgExtPrepareDestinationsPassBase<
          LinalgExtPrepareDestinationsPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<bufferization::BufferizationDialect>();
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    Operation *scope = getOperation();
    IRRewriter rewriter(&getContext());
    const NamedStep known[] = {
        {"write-unread",
         [&] { return writeIntoDestinations(scope, /*keepsParts=*/true); }},
        {"write-into", [&] { return writeIntoDestinations(scope); }},
        {"bound-empty", [&] { return boundTensorEmpty(scope, kMaxBoundBytes); }},
        {"privatize", [&] {
           privatizeDestinations(rewriter, scope);
           reshapeDestinations(rewriter, scope);
           overwriteBuffers(rewriter, scope);
           computeInBuffers(rewriter, scope);
           carryInBuffers(rewriter, scope);
           return success();
         }}};
    if (failed(runNamedSteps(scope, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
