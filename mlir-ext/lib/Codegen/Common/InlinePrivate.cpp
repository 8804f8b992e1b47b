//===- InlinePrivate.cpp - Calls of private functions ---------------------===//
//
// See InlinePrivate.h.
//
//===----------------------------------------------------------------------===//

#include "InlinePrivate.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `call` calls a private function.
static bool callsPrivate(const Inliner::ResolvedCall &call) {
  Operation *callee = call.targetNode->getCallableRegion()->getParentOp();
  auto symbol = dyn_cast<SymbolOpInterface>(callee);
  return symbol && symbol.isPrivate();
}

LogicalResult
mlir::linalg_ext::inlinePrivate(Operation *module, CallGraph &calls, Pass &pass,
                                AnalysisManager analyses,
                                Inliner::RunPipelineHelperTy runPipeline) {
  // Do not fold while inlining. The normal form avoids faults of upstream's
  // folders, and comes later.
  InlinerConfig config([](OpPassManager &) {}, /*maxInliningIterations=*/4);
  return Inliner(module, calls, pass, analyses, runPipeline, config,
                 callsPrivate)
      .doInlining();
}
