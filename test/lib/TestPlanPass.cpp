//===- TestPlanPass.cpp - Prints fusion plans -----------------------------===//
//
// Plans and prints, without applying.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct TestPlanPass : public PassWrapper<TestPlanPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPlanPass)
  TestPlanPass() = default;
  TestPlanPass(const TestPlanPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-linalg-ext-plan"; }
  StringRef getDescription() const final {
    return "Print the fusion plan of every root";
  }

  void runOnOperation() override {
    TileAndFuseOptions options;
    std::string error;
    if (failed(parseTilingLevels(levels, options.levels, error))) {
      emitError(UnknownLoc::get(&getContext())) << error;
      return signalPassFailure();
    }
    options.rootAttrName = LinalgExtDialect::getRootAttrName();
    for (Operation *root :
         findFusionRoots(getOperation(), options.rootAttrName)) {
      Refusal refusal;
      FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
      if (failed(plan))
        llvm::outs() << "refused: " << refusal.text << "\n";
      else
        plan->print(llvm::outs());
    }
  }

  Option<std::string> levels{*this, "levels",
                             llvm::cl::desc("Loops, outermost first")};
};
} // namespace

namespace mlir::linalg_ext::test {
void registerTestPlanPass() { PassRegistration<TestPlanPass>(); }
} // namespace mlir::linalg_ext::test
