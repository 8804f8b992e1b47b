//===- Stage.cpp - A part of a pipeline -----------------------------------===//
//
// See Stage.h.
//
//===----------------------------------------------------------------------===//

#include "Stage.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct AfterPass : public PassInstrumentation {
  explicit AfterPass(std::function<void(Pass *, Operation *)> call)
      : call(std::move(call)) {}
  void runAfterPass(Pass *pass, Operation *op) override { call(pass, op); }
  std::function<void(Pass *, Operation *)> call;
};
} // namespace

LogicalResult
mlir::linalg_ext::runStage(ModuleOp module, const StageOptions &options,
                           llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  if (failed(applyPassManagerCLOptions(pm)))
    return failure();
  TimingScope passes = options.time("Passes");
  pm.enableTiming(passes);
  pm.enableVerifier(options.verifyEach);
  if (options.afterPass)
    pm.addInstrumentation(std::make_unique<AfterPass>(options.afterPass));
  build(pm);
  if (failed(pm.run(module)))
    return failure();
  return options.verifyEach ? success() : verify(module);
}
