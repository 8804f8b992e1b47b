//===- Stage.cpp - A part of a pipeline -----------------------------------===//
//
// See Stage.h.
//
//===----------------------------------------------------------------------===//

#include "Stage.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult
mlir::linalg_ext::runStage(ModuleOp module, const StageOptions &options,
                           llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  if (failed(applyPassManagerCLOptions(pm)))
    return failure();
  TimingScope passes = options.time("Passes");
  pm.enableTiming(passes);
  pm.enableVerifier(options.verifyEach);
  build(pm);
  if (failed(pm.run(module)))
    return failure();
  return options.verifyEach ? success() : verify(module);
}
