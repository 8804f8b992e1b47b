//===- CompleteSharding.cpp - Beside upstream's passes of shard -----------===//
//
// The pass linalg-ext-complete-sharding. Its steps do what upstream's passes of
// the shard dialect need before them, between them and after them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"
#include "mlir-ext/Support/NamedSteps.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTCOMPLETESHARDINGPASS
#include "mlir-ext/Sharding/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Checks and prepares each function of `module` that has a body.
static LogicalResult verifyFunctions(ModuleOp module) {
  WalkResult result = module.walk([](FunctionOpInterface function) {
    if (function.isExternal())
      return WalkResult::skip();
    if (failed(verifySharding(function)))
      return WalkResult::interrupt();
    prepareShardedPayloads(function);
    return WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct LinalgExtCompleteShardingPass
    : public linalg_ext::impl::LinalgExtCompleteShardingPassBase<
          LinalgExtCompleteShardingPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (steps.empty()) {
      emitError(module.getLoc())
          << "expected 'steps' to have annotate, verify or lower, got none";
      return signalPassFailure();
    }
    const NamedStep known[] = {
        {"annotate",
         [&] {
           return sharding.empty() ? prepareForPropagation(module)
                                   : annotateSharding(module, sharding);
         }},
        {"verify", [&] { return verifyFunctions(module); }},
        {"lower", [&] { return lowerShardedProgram(module); }}};
    if (failed(runNamedSteps(module, "steps", known, *steps)))
      signalPassFailure();
  }
};
} // namespace
