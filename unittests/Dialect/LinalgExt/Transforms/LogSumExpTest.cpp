//===- LogSumExpTest.cpp - The log-sum-exp of fused attention -------------===//
//
// m + ln(l), built before the root from the state of a softmax, is computed
// from the state that the loops leave: right, and without a second product of
// queries and keys.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class LogSumExpTest : public FusionTest {
protected:
  /// Fuses in both forms with every kind of level of the keys; `first` keys are
  /// masked for all rows. With `append` it is the function that is made to
  /// return it, else the graph is built so.
  static void expectOnePass(SoftmaxForm form, bool raise, int64_t first,
                            bool append = false, DType type = DType::F32) {
    for (Form normalization : {Form::Eager, Form::Delayed})
      for (LoopKind kind : {LoopKind::For, LoopKind::Split}) {
        AttentionSpec spec = makeBatched();
        spec.softmaxForm = form;
        spec.qkForm = spec.pvForm = ContractionForm::Contract;
        spec.type = spec.scoreType = spec.probType = type;
        spec.returnLogSumExp = !append;
        spec.mask = MaskForm::Boolean;
        spec.maskDims = "n";
        AttentionGraph graph = build(spec);
        if (raise) {
          IRRewriter rewriter(context);
          ASSERT_EQ(raiseOnlineReductions(rewriter, *graph.module), 1u);
        }
        if (append) {
          IRRewriter rewriter(context);
          Refusal refusal;
          ASSERT_TRUE(succeeded(returnLogSumExp(rewriter, graph.func, refusal)))
              << refusal.text;
          graph.spec.returnLogSumExp = true;
        }
        oracle::Random random(1);
        InputRange range;
        range.score = type == DType::F32 ? 30 : 4;
        std::vector<Tensor> inputs = graph.randomInputs(random, range);
        Tensor keep = makeKeep(spec);
        for (int64_t n = 0; n < first; ++n)
          keep.data[n] = 0;
        inputs[spec.maskInput()] = makeMaskInput(spec, keep);
        FusionOutcome outcome = expectRight(
            graph,
            {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall),
             makeLevel(graph, {{'n', 7}}, kind), makeLevel(graph, {{'n', 3}})},
            normalization, inputs);
        EXPECT_EQ(StringRef(outcome.fused).count("linalg.contract"), 2u);
        EXPECT_EQ(StringRef(outcome.fused).count("linalg_ext.softmax"),
                  form == SoftmaxForm::Ext || raise ? 1u : 0u);
      }
  }
};
} // namespace

TEST_F(LogSumExpTest, OfTheOp) {
  for (int64_t first : {0, 5, 8, 20})
    expectOnePass(SoftmaxForm::Ext, /*raise=*/false, first);
}

TEST_F(LogSumExpTest, OfChains) {
  for (int64_t first : {0, 5, 8}) {
    expectOnePass(SoftmaxForm::Chain, /*raise=*/false, first);
    expectOnePass(SoftmaxForm::Guarded, /*raise=*/false, first);
  }
  expectOnePass(SoftmaxForm::Guarded, /*raise=*/false, 20);
}

TEST_F(LogSumExpTest, OfRaisedChains) {
  for (int64_t first : {0, 5, 8, 20})
    expectOnePass(SoftmaxForm::Chain, /*raise=*/true, first);
}

TEST_F(LogSumExpTest, AppendedToTheFunction) {
  for (int64_t first : {0, 8, 20}) {
    for (DType type : {DType::F32, DType::F16})
      expectOnePass(SoftmaxForm::Ext, /*raise=*/false, first, /*append=*/true,
                    type);
    expectOnePass(SoftmaxForm::Named, /*raise=*/true, first, /*append=*/true,
                  DType::BF16);
  }
}
