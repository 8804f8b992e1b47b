//===- GraphsTest.cpp - The test graphs mean what they say ----------------===//
//
// Every graph that upstream can execute unfused agrees with the oracle: the
// graphs, the harness and the oracle are judged by each other, without any
// transformation of ours.
//
//===----------------------------------------------------------------------===//

#include "Support/Graphs.h"
#include "Support/Execute.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

namespace {
class GraphsTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = makeContext().release();
    context->loadDialect<mlir::linalg_ext::LinalgExtDialect>();
    executor = new Executor(context);
  }
  static void TearDownTestSuite() {
    delete executor;
    delete context;
  }

  /// Builds, runs and compares. With the softmax not tiled, in one step.
  void check(const AttentionSpec &spec, uint64_t seed = 1,
             InputRange range = {}) {
    AttentionGraph graph = buildAttention(context, spec);
    ASSERT_TRUE(succeeded(verify(*graph.module))) << spec.describe();
    oracle::Random random(seed);
    std::vector<Tensor> inputs = graph.randomInputs(random, range);
    Execution result = executor->run(*graph.module, "main", inputs);
    ASSERT_TRUE(result.ok()) << spec.describe() << ": " << result.error;
    std::vector<oracle::Bounded> want = graph.evaluate(inputs, 1);
    ASSERT_EQ(result.outputs.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison c = oracle::compare(result.outputs[i], want[i]);
      EXPECT_TRUE(c.ok) << spec.describe() << ": " << c.message;
      EXPECT_LT(c.looseness, 0.5) << spec.describe();
    }
  }

  static MLIRContext *context;
  static Executor *executor;
};
MLIRContext *GraphsTest::context = nullptr;
Executor *GraphsTest::executor = nullptr;
} // namespace

static AttentionSpec makeSpec() {
  AttentionSpec spec;
  spec.sizes = {{'b', 2}, {'h', 2}, {'g', 3}, {'m', 5},
                {'n', 7}, {'d', 4}, {'e', 3}};
  spec.softmaxForm = SoftmaxForm::Guarded;
  return spec;
}

static AttentionSpec makeBatched() {
  AttentionSpec spec = makeSpec();
  spec.q = "bmd";
  spec.k = "bnd";
  spec.v = "bne";
  spec.scores = "bmn";
  spec.out = "bme";
  return spec;
}

static AttentionSpec makeGrouped() {
  AttentionSpec spec = makeSpec();
  spec.q = "bhgmd";
  spec.k = "bhnd";
  spec.v = "bhne";
  spec.scores = "bhgmn";
  spec.out = "bhgme";
  return spec;
}

TEST_F(GraphsTest, Single) { check(makeSpec()); }

TEST_F(GraphsTest, Batched) { check(makeBatched()); }

TEST_F(GraphsTest, GroupedQueries) { check(makeGrouped()); }

TEST_F(GraphsTest, SequenceBeforeHeads) {
  AttentionSpec spec = makeSpec();
  spec.q = "bmhd";
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.out = "bmhe";
  check(spec);
}

TEST_F(GraphsTest, SoftmaxAlongAnyDim) {
  for (const char *scores : {"bmn", "bnm", "nbm", "nmb"}) {
    AttentionSpec spec = makeBatched();
    spec.scores = scores;
    check(spec);
  }
}

TEST_F(GraphsTest, SwappedOperands) {
  AttentionSpec spec = makeBatched();
  spec.qkSwapped = spec.pvSwapped = true;
  spec.v = "ben";
  spec.out = "bem";
  check(spec);
}

TEST_F(GraphsTest, ContractionForms) {
  for (ContractionForm qk : {ContractionForm::Named, ContractionForm::Contract,
                             ContractionForm::BatchMatmul})
    for (AttentionSpec spec : {makeSpec(), makeBatched()}) {
      spec.qkForm = spec.pvForm = qk;
      check(spec);
      spec.k = spec.k.size() == 2 ? "dn" : "bdn";
      check(spec);
    }
  AttentionSpec spec = makeGrouped();
  spec.qkForm = spec.pvForm = ContractionForm::BatchMatmul;
  check(spec);
  spec.qkForm = spec.pvForm = ContractionForm::Contract;
  check(spec);
}

TEST_F(GraphsTest, NamedFormsAreNamedOps) {
  AttentionSpec spec = makeSpec();
  spec.qkForm = spec.pvForm = ContractionForm::Named;
  AttentionGraph graph = buildAttention(context, spec);
  EXPECT_EQ(graph.root->getName().getStringRef(), "linalg.matmul");
  EXPECT_EQ(graph.firstContraction->getName().getStringRef(), "linalg.matmul");
  EXPECT_EQ(graph.rootLoops, "men");
  spec = makeBatched();
  spec.pvForm = ContractionForm::Named;
  EXPECT_EQ(buildAttention(context, spec).root->getName().getStringRef(),
            "linalg.batch_matmul");
}

TEST_F(GraphsTest, RootLoops) {
  AttentionSpec spec = makeBatched();
  spec.rootLoops = "nbem";
  AttentionGraph graph = buildAttention(context, spec);
  EXPECT_EQ(graph.tiles({{'n', 4}, {'m', 2}}),
            SmallVector<int64_t>({4, 0, 0, 2}));
  check(spec);
}

TEST_F(GraphsTest, Masks) {
  for (MaskForm mask :
       {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal})
    for (const char *dims : {"mn", "n", "bmn", "nm"}) {
      AttentionSpec spec = makeBatched();
      spec.mask = mask;
      spec.maskDims = dims;
      check(spec);
      InputRange range;
      range.masked = 0.9; // Some rows are masked throughout.
      check(spec, 2, range);
    }
}

TEST_F(GraphsTest, FullyMaskedRowsAreZero) {
  AttentionSpec spec = makeSpec();
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "mn";
  AttentionGraph graph = buildAttention(context, spec);
  oracle::Random random(3);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  Tensor keep = makeKeep(spec);
  for (int64_t n = 0; n < spec.size('n'); ++n)
    keep.at({2, n}) = 0;
  inputs[spec.maskInput()] = makeMaskInput(spec, keep);
  Execution result = executor->run(*graph.module, "main", inputs);
  ASSERT_TRUE(result.ok()) << result.error;
  for (int64_t e = 0; e < spec.size('e'); ++e) {
    EXPECT_EQ(result.outputs[0].at({2, e}), 0.0);
    EXPECT_NE(result.outputs[0].at({1, e}), 0.0);
  }
}

TEST_F(GraphsTest, Scale) {
  AttentionSpec spec = makeBatched();
  spec.scale = 0.5;
  check(spec);
}

TEST_F(GraphsTest, DynamicSizes) {
  for (const char *dynamic : {"n", "mn", "bmnde"}) {
    AttentionSpec spec = makeBatched();
    spec.dynamic = dynamic;
    spec.mask = MaskForm::Causal;
    check(spec);
  }
}

TEST_F(GraphsTest, ElementTypes) {
  struct Types {
    DType type, score, prob, acc, out;
  };
  const Types all[] = {
      {DType::F64, DType::F64, DType::F64, DType::F64, DType::F64},
      {DType::F16, DType::F32, DType::F32, DType::F32, DType::F32},
      {DType::F16, DType::F32, DType::F16, DType::F32, DType::F16},
      {DType::BF16, DType::F32, DType::BF16, DType::F32, DType::BF16},
      {DType::F16, DType::F16, DType::F16, DType::F32, DType::F16},
      {DType::BF16, DType::BF16, DType::BF16, DType::F32, DType::F32},
  };
  for (const Types &types : all) {
    AttentionSpec spec = makeBatched();
    spec.type = types.type;
    spec.scoreType = types.score;
    spec.probType = types.prob;
    spec.accType = types.acc;
    spec.outType = types.out;
    InputRange range;
    range.score = 1;
    check(spec, 1, range);
  }
}

TEST_F(GraphsTest, UpstreamSoftmax) {
  AttentionSpec spec = makeBatched();
  spec.softmaxForm = SoftmaxForm::Named;
  check(spec);
  spec.softmaxForm = SoftmaxForm::Chain;
  check(spec);
}

TEST_F(GraphsTest, OpsBetweenSoftmaxAndRoot) {
  AttentionSpec spec = makeBatched();
  spec.type = spec.probType = DType::F16;
  spec.probFactor = -1.3;
  spec.probDims = "nbm";
  check(spec);
}

TEST_F(GraphsTest, IntermediatesAsResultsAndAnInitAsInput) {
  AttentionSpec spec = makeBatched();
  spec.initIsInput = spec.returnScores = spec.returnWeights = true;
  spec.mask = MaskForm::Additive;
  spec.maskDims = "mn";
  check(spec);
}

TEST_F(GraphsTest, SumsOverDimsOfOneOperand) {
  AttentionSpec spec = makeBatched();
  spec.sizes['r'] = 2;
  spec.v = "bner";
  for (ContractionForm form :
       {ContractionForm::Contract, ContractionForm::BatchMatmul}) {
    spec.pvForm = form; // Not such an op: becomes a generic.
    check(spec);
  }
  spec.out = "me"; // The batch is summed up too.
  check(spec);
}

// Floats of 8 bits are no test of this: upstream lowers no conversion of them.
TEST_F(GraphsTest, StoredKeysAndValues) {
  for (bool packed : {false, true})
    for (DType type : {DType::F16, DType::F32}) {
      AttentionSpec spec = makeBatched();
      spec.type = type;
      spec.stored = DType::I8;
      spec.packed = packed; // Of the last dims of k and v, of even sizes.
      spec.sizes['e'] = 6;
      check(spec);
    }
}

TEST_F(GraphsTest, ReshapesOfTheWeights) {
  struct Case {
    std::vector<std::string> reshapes;
    const char *v, *out;
  };
  const Case cases[] = {
      {{"bm>x"}, "ne", "xe"},
      {{"m>yz"}, "bne", "byze"},
      {{"n>yz"}, "byze", "bme"},
      {{"bmn>mbn"}, "bne", "mbe"},
      {{"bm>x", "x>yz", "yzn>zyn"}, "zne", "zye"},
  };
  for (const Case &c : cases)
    for (const char *dynamic : {"", "bmn"}) {
      AttentionSpec spec = makeBatched();
      spec.sizes['m'] = 6;
      spec.sizes['n'] = 8;
      bool splitsBoth = c.reshapes.size() > 1;
      bool splitsKeys = c.reshapes.front() == "n>yz";
      spec.sizes['x'] = 12;
      spec.sizes['y'] = splitsBoth ? 4 : splitsKeys ? 2 : 3;
      spec.sizes['z'] = splitsBoth ? 3 : splitsKeys ? 4 : 2;
      spec.reshapes = c.reshapes;
      spec.v = c.v;
      spec.out = c.out;
      // One letter of a dim that is split has a known size.
      spec.dynamic = dynamic;
      if (*dynamic)
        spec.dynamic += "xy";
      spec.returnWeightSums = true;
      check(spec);
    }
}

TEST_F(GraphsTest, SumsAndLogSumExpAsResults) {
  for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded}) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = form;
    spec.returnWeightSums = spec.returnLogSumExp = true;
    check(spec);
  }
}

TEST_F(GraphsTest, ScoresAsInput) {
  AttentionSpec spec = makeBatched();
  spec.scoresAreInput = true;
  spec.scores = "nbm";
  check(spec);
}

TEST_F(GraphsTest, LargeScores) {
  InputRange range;
  range.score = 1e4;
  check(makeSpec(), 1, range);
}

TEST_F(GraphsTest, NaNSpreadsOnlyWhereItMust) {
  AttentionSpec spec = makeSpec();
  AttentionGraph graph = buildAttention(context, spec);
  for (int64_t input = 0; input < 3; ++input) {
    oracle::Random random(5);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    inputs[input].at({2, 1}) = std::numeric_limits<double>::quiet_NaN();
    Execution result = executor->run(*graph.module, "main", inputs);
    ASSERT_TRUE(result.ok()) << result.error;
    oracle::Comparison c =
        oracle::compare(result.outputs[0], graph.evaluate(inputs, 1)[0]);
    EXPECT_TRUE(c.ok) << c.message;
  }
}

TEST_F(GraphsTest, ExtSoftmaxVerifies) {
  for (DType type : {DType::F16, DType::F32, DType::F64})
    for (const char *dynamic : {"", "mn"}) {
      AttentionSpec spec = makeGrouped();
      spec.softmaxForm = SoftmaxForm::Ext;
      spec.type = spec.scoreType = spec.probType = type;
      spec.dynamic = dynamic;
      spec.returnState = true;
      AttentionGraph graph = buildAttention(context, spec);
      EXPECT_TRUE(succeeded(verify(*graph.module)));
      EXPECT_TRUE(isa<mlir::linalg_ext::SoftmaxOp>(graph.softmax));
    }
}

TEST_F(GraphsTest, TheOracleOfTheGraphIsTheOracleOfAttention) {
  AttentionSpec spec = makeGrouped();
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "bmn";
  spec.scale = 0.5;
  AttentionGraph graph = buildAttention(context, spec);
  oracle::Random random(6);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  oracle::Attention direct{spec.q,   spec.k,    spec.v, spec.scores,
                           spec.out, spec.keys, 0.5};
  direct.maskKind = oracle::Attention::Mask::Boolean;
  direct.maskDims = spec.maskDims;
  Tensor want =
      oracle::attention(direct, inputs[0], inputs[1], inputs[2], &inputs[3]);
  Tensor got = graph.evaluate(inputs, 1)[0].value;
  ASSERT_EQ(got.shape, want.shape);
  for (int64_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(got.data[i], want.data[i], 1e-14);
}

TEST_F(GraphsTest, AWrongResultIsFound) {
  // The same graph with one key's value changed by a hundredth.
  for (DType type : {DType::F16, DType::F32}) {
    AttentionSpec spec = makeBatched();
    spec.type = type;
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(9);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    std::vector<oracle::Bounded> want = graph.evaluate(inputs, 1);
    double &value = inputs[2].at({1, 3, 1});
    value = oracle::roundTo(value + 0.01, type);
    Execution result = executor->run(*graph.module, "main", inputs);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_FALSE(oracle::compare(result.outputs[0], want[0]).ok);
  }
}

TEST_F(GraphsTest, ACaseIsQuick) {
  // The property tester runs tens of thousands of cases.
  AttentionSpec spec = makeBatched();
  check(spec);
  auto start = std::chrono::steady_clock::now();
  const int count = 10;
  for (int i = 0; i < count; ++i)
    check(spec, i);
  double ms = std::chrono::duration<double, std::milli>(
                  std::chrono::steady_clock::now() - start)
                  .count() /
              count;
  RecordProperty("ms_per_case", std::to_string(ms));
  std::printf("    %.1f ms a case\n", ms);
  // Not an assertion on the machine's speed, but on its order of magnitude.
  EXPECT_LT(ms, 1000);
}

TEST_F(GraphsTest, StylesOfChains) {
  for (bool ChainStyle::*flag :
       {&ChainStyle::base2, &ChainStyle::reciprocal, &ChainStyle::keepDims,
        &ChainStyle::broadcast, &ChainStyle::named, &ChainStyle::wide,
        &ChainStyle::lse, &ChainStyle::noMax, &ChainStyle::sink,
        &ChainStyle::divideAfter})
    for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded})
      for (DType type : {DType::F32, DType::F16}) {
        AttentionSpec spec = makeBatched();
        spec.softmaxForm = form;
        spec.scoreType = spec.probType = type;
        spec.style.*flag = true;
        InputRange range;
        range.score = 1;
        check(spec, 7, range);
      }
}

TEST_F(GraphsTest, StepsOfThePath) {
  for (char step : std::string("fgnarpqscCdDmR+kKetx")) {
    AttentionSpec spec = makeBatched();
    spec.path = step;
    if (step == 'm')
      spec.sizes['j'] = 2;
    check(spec);
  }
}

TEST_F(GraphsTest, FormsOfTheRoot) {
  for (RootForm form :
       {RootForm::Max, RootForm::Square, RootForm::Twice, RootForm::Shifted,
        RootForm::Reduce, RootForm::LogSumExp}) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = SoftmaxForm::Chain;
    spec.rootForm = form;
    if (form >= RootForm::Reduce) {
      spec.v = "n";
      spec.out = "bm";
    }
    check(spec);
  }
}

TEST_F(GraphsTest, Norms) {
  for (SoftmaxForm form :
       {SoftmaxForm::Rms, SoftmaxForm::RmsInline, SoftmaxForm::L1,
        SoftmaxForm::MaxAbs, SoftmaxForm::Center, SoftmaxForm::LayerNorm,
        SoftmaxForm::LayerNormBias, SoftmaxForm::LayerNormQuotient}) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = form;
    check(spec);
    spec.scoresAreInput = true;
    check(spec);
  }
}

TEST_F(GraphsTest, WhatIsAroundTheScores) {
  for (MaskForm mask :
       {MaskForm::Window, MaskForm::Prefix, MaskForm::Lengths}) {
    AttentionSpec spec = makeBatched();
    spec.mask = mask;
    spec.maskDims = mask == MaskForm::Lengths ? "b" : "";
    check(spec);
  }
  AttentionSpec spec = makeBatched();
  spec.prologue = -1.5;
  spec.normalizeQK = spec.flat = spec.secondRoot = spec.returnState = true;
  spec.softcap = 2;
  spec.alibi = 0.5;
  check(spec);
}

TEST_F(GraphsTest, MaskedRowsOfAChainAreNotSpecified) {
  AttentionSpec spec = makeBatched();
  spec.softmaxForm = SoftmaxForm::Chain;
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "bm";
  AttentionGraph graph = buildAttention(context, spec);
  oracle::Random random(1);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  Tensor &mask = inputs[spec.maskInput()];
  mask.data.assign(mask.size(), 1);
  mask.data[0] = 0;
  oracle::Bounded want = graph.evaluate(inputs, 1)[0];
  for (double any : {0.0, 1.0, std::nan("")}) {
    Tensor got = want.value;
    got.data[0] = any;
    EXPECT_TRUE(oracle::compare(got, want).ok);
    got.data[spec.size('e')] = 100;
    EXPECT_FALSE(oracle::compare(got, want).ok);
  }
}
