//===- InlinePrivate.cpp - Calls of private functions ---------------------===//
//
// Nothing is fused across a call. Importers write parts of a model, such as a
// softmax, as private functions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/Inliner.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTINLINEPRIVATEPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// True if `call` is of a private function.
static bool callsPrivate(const Inliner::ResolvedCall &call) {
  Operation *callee = call.targetNode->getCallableRegion()->getParentOp();
  auto symbol = dyn_cast<SymbolOpInterface>(callee);
  return symbol && symbol.isPrivate();
}

namespace {
struct LinalgExtInlinePrivatePass
    : public linalg_ext::impl::LinalgExtInlinePrivatePassBase<
          LinalgExtInlinePrivatePass> {
  using Base::Base;

  void runOnOperation() override {
    // Nothing is folded before the normal form, which is where upstream's
    // faults are avoided.
    InlinerConfig config([](OpPassManager &) {}, /*maxInliningIterations=*/4);
    auto runPipelineHelper = [](Pass &pass, OpPassManager &pipeline,
                                Operation *op) {
      return static_cast<LinalgExtInlinePrivatePass &>(pass).runPipeline(
          pipeline, op);
    };
    Inliner inliner(getOperation(), getAnalysis<CallGraph>(), *this,
                    getAnalysisManager(), runPipelineHelper, config,
                    callsPrivate);
    if (failed(inliner.doInlining()))
      signalPassFailure();
  }
};
} // namespace
