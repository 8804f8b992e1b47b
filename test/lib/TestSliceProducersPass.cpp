//===- TestSliceProducersPass.cpp - sliceProducers by itself --------------===//
//
// The step reduce-parts of linalg-ext-split-concatenations slices some producers. This
// pass slices all.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct TestSliceProducersPass
    : public PassWrapper<TestSliceProducersPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSliceProducersPass)
  StringRef getArgument() const final {
    return "test-linalg-ext-slice-producers";
  }
  StringRef getDescription() const final {
    return "Split an op into one op per slice if only slices are used";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect>();
    registerAllExternalModels(registry);
  }
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    sliceProducers(rewriter, getOperation(), [](Operation *) { return true; });
  }
};
} // namespace

namespace mlir::linalg_ext::test {
void registerTestSliceProducersPass() {
  PassRegistration<TestSliceProducersPass>();
}
} // namespace mlir::linalg_ext::test
