//===- Fusion.cpp - Fuse, run, compare ------------------------------------===//
//
// See Fusion.h.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Pipelines/Registration.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

std::unique_ptr<MLIRContext> linalg_ext_test::makeFusionContext(
    llvm::function_ref<void(DialectRegistry &)> extend) {
  std::unique_ptr<MLIRContext> context =
      makeContext([&](DialectRegistry &registry) {
        mlir::linalg_ext::registerAll(registry);
        if (extend)
          extend(registry);
      });
  context->loadDialect<LinalgExtDialect>();
  return context;
}

TilingLevel linalg_ext_test::makeLevel(const AttentionGraph &graph,
                                       const std::map<char, int64_t> &tiles,
                                       LoopKind kind,
                                       const std::string &order) {
  TilingLevel level;
  level.kind = kind;
  level.tileSizes = graph.tiles(tiles);
  if (!order.empty()) {
    for (char letter : order)
      level.interchange.push_back(graph.loop(letter));
    for (char letter : graph.rootLoops)
      if (order.find(letter) == std::string::npos)
        level.interchange.push_back(graph.loop(letter));
  }
  return level;
}

int64_t linalg_ext_test::countSteps(int64_t size, size_t loop,
                                    ArrayRef<TilingLevel> levels) {
  // The sizes of the tiles that the levels so far cut it into.
  std::vector<int64_t> sizes = {size};
  size_t numMerges = 0;
  for (const TilingLevel &level : levels) {
    int64_t tile = loop < level.tileSizes.size() ? level.tileSizes[loop] : 0;
    if (tile <= 0)
      continue;
    std::vector<int64_t> smaller;
    for (int64_t size : sizes)
      for (int64_t at = 0; at < size; at += tile)
        smaller.push_back(std::min(tile, size - at));
    sizes = smaller;
    if (level.kind == LoopKind::Split)
      numMerges += sizes.size();
  }
  return std::max<int64_t>(sizes.size() + numMerges, 1);
}

int64_t linalg_ext_test::countSteps(const AttentionGraph &graph,
                                    ArrayRef<TilingLevel> levels) {
  return countSteps(graph.spec.size(graph.spec.keys),
                    graph.loop(graph.spec.keys), levels);
}

int64_t linalg_ext_test::countHeldSteps(const TileAndFuseOptions &options) {
  double threshold = options.rescaleThreshold.value_or(0.0);
  return static_cast<int64_t>(std::ceil(4 * threshold / 22));
}

const char *linalg_ext_test::getName(FusionOutcome::Stage stage) {
  switch (stage) {
  case FusionOutcome::Stage::Refused:
    return "refused";
  case FusionOutcome::Stage::Failed:
    return "failed to apply";
  case FusionOutcome::Stage::Invalid:
    return "invalid IR";
  case FusionOutcome::Stage::NotRun:
    return "cannot run";
  case FusionOutcome::Stage::Wrong:
    return "wrong result";
  case FusionOutcome::Stage::Right:
    return "right";
  }
  return "?";
}

std::string linalg_ext_test::print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

FusionOutcome
linalg_ext_test::fuseAndRun(AttentionGraph &graph,
                            const TileAndFuseOptions &options,
                            const std::vector<oracle::Tensor> &inputs,
                            Executor &executor, bool cleanUp, bool tighten) {
  return fuseAndRun(
      *graph.module, graph.root, options, inputs,
      [&] {
        return graph.evaluate(inputs, countSteps(graph, options.levels) +
                                          countHeldSteps(options));
      },
      executor, cleanUp, tighten);
}

FusionOutcome linalg_ext_test::fuseAndRun(
    ModuleOp module, Operation *root, const TileAndFuseOptions &options,
    const std::vector<oracle::Tensor> &inputs,
    function_ref<std::vector<oracle::Bounded>()> evaluate, Executor &executor,
    bool cleanUp, bool tighten) {
  using Stage = FusionOutcome::Stage;
  FusionOutcome outcome;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        llvm::raw_string_ostream(outcome.reason) << diagnostic << "\n";
        return success();
      });
  auto stopAt = [&](Stage stage, const Twine &reason) {
    outcome.stage = stage;
    outcome.reason = (reason + "\n" + outcome.reason).str();
    return outcome;
  };

  // 1. Plan.
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  if (failed(plan))
    return stopAt(Stage::Refused, refusal.text);
  llvm::raw_string_ostream os(outcome.plan);
  plan->print(os);

  // 2. Apply.
  IRRewriter rewriter(module.getContext());
  FailureOr<TileAndFuseResult> result =
      applyFusionPlan(rewriter, *plan, refusal);
  if (failed(result))
    return stopAt(Stage::Failed, refusal.text);
  outcome.fused = print(module);
  if (failed(verify(module)))
    return stopAt(Stage::Invalid, "after tile-and-fuse");

  // 3. Decompose.
  if (tighten) {
    tightenLoopBoundsBelow(rewriter, module, {});
    if (failed(verify(module)))
      return stopAt(Stage::Invalid, "after tightening loop bounds");
  }
  if (cleanUp) {
    PassManager passes(module.getContext());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    if (failed(passes.run(module)))
      return stopAt(Stage::Invalid, "cannot be cleaned up");
  }
  if (failed(decomposeLinalgExtOps(module)))
    return stopAt(Stage::Invalid, "cannot be decomposed");
  if (failed(verify(module)))
    return stopAt(Stage::Invalid, "after decomposition");

  // 4. Run and compare.
  outcome.execution = executor.run(module, "main", inputs);
  if (!outcome.execution.ok())
    return stopAt(Stage::NotRun, outcome.execution.error);
  std::vector<oracle::Bounded> want = evaluate();
  if (want.empty() || want.size() != outcome.execution.outputs.size())
    return stopAt(Stage::Wrong, "expected " + Twine(want.size()) +
                                    " results, got " +
                                    Twine(outcome.execution.outputs.size()));
  outcome.stage = Stage::Right;
  for (size_t i = 0; i < want.size(); ++i) {
    oracle::Comparison c =
        oracle::compare(outcome.execution.outputs[i], want[i]);
    if (!c.ok)
      return stopAt(Stage::Wrong, "result " + Twine(i) + ", " + c.message);
    outcome.worstRatio = std::max(outcome.worstRatio, c.worstRatio);
    outcome.looseness = std::max(outcome.looseness, c.looseness);
  }
  return outcome;
}
