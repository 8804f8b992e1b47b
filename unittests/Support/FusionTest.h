//===- FusionTest.h - Fixture of the tests of tile-and-fuse -----*- C++ -*-===//
//
// A context for all tests of a suite, and the two questions that most of them
// ask: is the plan this, and is the result right?
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_FUSIONTEST_H
#define LINALG_EXT_UNITTESTS_SUPPORT_FUSIONTEST_H

#include "Support/Fusion.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace linalg_ext_test {

/// `text` with `to` in place of each `from`.
inline std::string replaceAll(std::string text, llvm::StringRef from,
                              llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
  return text;
}

class FusionTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = makeFusionContext().release();
    executor = new Executor(context);
  }
  static void TearDownTestSuite() {
    delete executor;
    delete context;
  }

  using Form = mlir::linalg_ext::NormalizationForm;
  using LoopKind = mlir::linalg_ext::LoopKind;
  using FusionPlan = mlir::linalg_ext::FusionPlan;
  using Levels = std::vector<mlir::linalg_ext::TilingLevel>;

  /// softmax(q k^T) v on matrices; sizes that differ from one another.
  static AttentionSpec makeSingle() {
    AttentionSpec spec;
    spec.sizes = {{'b', 2},  {'h', 3}, {'g', 2}, {'m', 8},
                  {'n', 20}, {'d', 5}, {'e', 6}};
    return spec;
  }
  static AttentionSpec makeBatched(const std::string &batch = "b") {
    AttentionSpec spec = makeSingle();
    spec.q = batch + "md";
    spec.k = batch + "nd";
    spec.v = batch + "ne";
    spec.scores = batch + "mn";
    spec.out = batch + "me";
    return spec;
  }

  static AttentionGraph build(const AttentionSpec &spec) {
    return buildAttention(context, spec);
  }

  static mlir::linalg_ext::TileAndFuseOptions
  makeOptions(const Levels &levels, Form form = Form::Delayed) {
    mlir::linalg_ext::TileAndFuseOptions options;
    options.levels = levels;
    options.normalization = form;
    return options;
  }

  /// The plan, which must exist.
  static FusionPlan plan(const AttentionGraph &graph, const Levels &levels,
                         Form form = Form::Delayed) {
    mlir::linalg_ext::Refusal refusal;
    mlir::FailureOr<FusionPlan> plan = mlir::linalg_ext::planTileAndFuse(
        graph.root, makeOptions(levels, form), refusal);
    EXPECT_TRUE(mlir::succeeded(plan)) << refusal.text;
    return mlir::succeeded(plan) ? *plan : FusionPlan();
  }

  /// Why there is no plan.
  static mlir::linalg_ext::Refusal refuse(mlir::Operation *root,
                                          const Levels &levels) {
    mlir::linalg_ext::Refusal refusal;
    EXPECT_TRUE(mlir::failed(
        mlir::linalg_ext::planTileAndFuse(root, makeOptions(levels), refusal)));
    EXPECT_TRUE(refusal.isSet());
    return refusal;
  }

  /// Fuses and runs on `inputs`, or random ones; the result must be right.
  static FusionOutcome expectRight(AttentionGraph &graph, const Levels &levels,
                                   Form form,
                                   std::vector<oracle::Tensor> inputs = {}) {
    if (inputs.empty()) {
      oracle::Random random(1);
      inputs = graph.randomInputs(random);
    }
    FusionOutcome outcome =
        fuseAndRun(graph, makeOptions(levels, form), inputs, *executor);
    EXPECT_TRUE(outcome.isRight())
        << graph.spec.describe() << "\n"
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
    return outcome;
  }
  /// The same, in both forms and from the spec.
  template <typename MakeLevels>
  static void expectRight(const AttentionSpec &spec, MakeLevels makeLevels,
                          InputRange range = {}) {
    for (Form form : {Form::Eager, Form::Delayed}) {
      AttentionGraph graph = build(spec);
      oracle::Random random(1);
      expectRight(graph, makeLevels(graph), form,
                  graph.randomInputs(random, range));
    }
  }

  static mlir::MLIRContext *context;
  static Executor *executor;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_FUSIONTEST_H
