//===- ChainFusionTest.cpp - Chains fuse without being recognised ---------===//
//
// The softmax written as max, exp(x - max), sum and division fuses through the
// same driver as the op: the max and the sum are states, everything between
// them and the root follows by degree. Executed against the oracle.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class ChainFusionTest : public FusionTest {
protected:
  static AttentionSpec makeChain(SoftmaxForm form = SoftmaxForm::Chain) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = form;
    return spec;
  }
  /// Fused with both states carried, and right.
  template <typename MakeLevels>
  static void expectFlash(const AttentionSpec &spec, MakeLevels makeLevels,
                          InputRange range = {}) {
    AttentionGraph graph = build(spec);
    FusionPlan p = plan(graph, makeLevels(graph));
    EXPECT_EQ(p.states.size(), 2u) << spec.describe();
    EXPECT_EQ(p.repairs.size(), 2u) << spec.describe();
    expectRight(spec, makeLevels, range);
  }
};
} // namespace

TEST_F(ChainFusionTest, EveryTileOfTheKeys) {
  for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded})
    for (int64_t tile : {1, 3, 7, 10, 20, 25})
      expectFlash(makeChain(form), [&](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'n', tile}})};
      });
}

TEST_F(ChainFusionTest, EveryOrderOfTheLoops) {
  for (const char *order : {"bmn", "bnm", "mbn", "mnb", "nbm", "nmb"})
    expectFlash(makeChain(), [&](const AttentionGraph &graph) -> Levels {
      return {makeLevel(graph, {{'b', 1}, {'m', 3}, {'n', 6}}, LoopKind::For,
                        order)};
    });
}

TEST_F(ChainFusionTest, ParallelRowsThenTwoLevelsOfKeys) {
  for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded})
    expectFlash(makeChain(form), [](const AttentionGraph &graph) -> Levels {
      return {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall),
              makeLevel(graph, {{'n', 9}}), makeLevel(graph, {{'n', 4}})};
    });
}

TEST_F(ChainFusionTest, DynamicShapes) {
  AttentionSpec spec = makeChain();
  spec.dynamic = "bmnde";
  expectFlash(spec, [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall),
            makeLevel(graph, {{'n', 7}})};
  });
}

// Along one key nothing is told apart from a dimension of size 1 that is merely
// kept: such a chain is not raised. It fuses as it is.
TEST_F(ChainFusionTest, OneKey) {
  for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded})
    for (bool ChainStyle::*style :
         {&ChainStyle::wide, &ChainStyle::keepDims, &ChainStyle::broadcast,
          &ChainStyle::named, &ChainStyle::reciprocal, &ChainStyle::lse})
      for (int64_t tile : {1, 4}) {
        AttentionSpec spec = makeChain(form);
        spec.style.*style = true;
        spec.sizes['n'] = 1;
        auto makeLevels = [&](const AttentionGraph &graph) -> Levels {
          return {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall),
                  makeLevel(graph, {{'n', tile}})};
        };
        expectFlash(spec, makeLevels);
        if (form != SoftmaxForm::Guarded)
          continue;
        // The key is masked in some rows, which are 0.
        spec.mask = MaskForm::Boolean;
        spec.maskDims = "mn";
        expectFlash(spec, makeLevels);
      }
}

// Any dimension may be of size 1, in the types or at run time, and any loop of
// one iteration.
TEST_F(ChainFusionTest, SizesOfOne) {
  for (SoftmaxForm form : {SoftmaxForm::Chain, SoftmaxForm::Guarded})
    for (const char *ones : {"m", "n", "mn", "bmnde"})
      for (bool isDynamic : {false, true}) {
        AttentionSpec spec = makeChain(form);
        for (const char *letter = ones; *letter; ++letter)
          spec.sizes[*letter] = 1;
        if (isDynamic)
          spec.dynamic = ones;
        if (form == SoftmaxForm::Guarded) {
          spec.mask = MaskForm::Boolean;
          spec.maskDims = "mn";
        }
        for (int64_t keys : {1, 4}) {
          expectFlash(spec, [&](const AttentionGraph &graph) -> Levels {
            return {makeLevel(graph, {{'n', keys}})};
          });
          expectFlash(spec, [&](const AttentionGraph &graph) -> Levels {
            return {makeLevel(graph, {{'b', 1}, {'m', 1}}, LoopKind::Forall),
                    makeLevel(graph, {{'n', keys}})};
          });
          expectFlash(spec, [&](const AttentionGraph &graph) -> Levels {
            return {
                makeLevel(graph, {{'m', 3}, {'n', keys}}, LoopKind::For, "nm")};
          });
          expectFlash(spec, [&](const AttentionGraph &graph) -> Levels {
            return {makeLevel(graph, {{'m', 1}}, LoopKind::Forall),
                    makeLevel(graph, {{'n', keys}}, LoopKind::Split)};
          });
        }
      }
}

// Scores so low that the sink overflows divide by infinity: the weights vanish,
// also where they are compared with 0 before they are summed.
TEST_F(ChainFusionTest, DivisorsThatOverflow) {
  for (const char *path : {"", "p", "r", "a", "ap"})
    for (bool reciprocal : {false, true})
      for (LoopKind kind : {LoopKind::For, LoopKind::Split}) {
        AttentionSpec spec = makeChain();
        spec.style.sink = true;
        spec.style.reciprocal = reciprocal;
        spec.path = path;
        expectFlash(spec,
                    [&](const AttentionGraph &graph) -> Levels {
                      return {makeLevel(graph, {{'b', 1}, {'m', 3}}),
                              makeLevel(graph, {{'n', 7}}, kind)};
                    },
                    {/*score=*/1e4});
      }
}

// The sink divides the weights of low scores to 1e-26, and the last keys, which
// have no values, raise the maximum by 50. Accumulators that followed the maximum
// alone would be 0 until they follow the divisor.
TEST_F(ChainFusionTest, NoStateAloneTakesAccumulatorsOutOfRange) {
  AttentionSpec spec = makeChain();
  spec.style.sink = true;
  AttentionGraph graph = build(spec);
  oracle::Random random(1);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  int64_t n = spec.sizes['n'], d = spec.sizes['d'], e = spec.sizes['e'];
  for (size_t i = 0; i < inputs[0].data.size(); ++i)
    inputs[0].data[i] = i % d == 0;
  for (size_t i = 0; i < inputs[1].data.size(); ++i) {
    int64_t key = i / d % n;
    inputs[1].data[i] = key < 14 ? -60.0 - key : -10.0;
  }
  for (size_t i = 0; i < inputs[2].data.size(); ++i)
    if (static_cast<int64_t>(i) / e % n >= 14)
      inputs[2].data[i] = 0;
  for (LoopKind kind : {LoopKind::For, LoopKind::Split})
    for (Form form : {Form::Eager, Form::Delayed}) {
      AttentionGraph fresh = build(spec);
      expectRight(fresh,
                  {makeLevel(fresh, {{'b', 1}, {'m', 3}}),
                   makeLevel(fresh, {{'n', 7}}, kind)},
                  form, inputs);
    }
}

TEST_F(ChainFusionTest, Masks) {
  // A window of rows is masked at first; the oracle gives 0 to rows that are
  // masked as a whole, which only the guarded chain does too.
  for (MaskForm mask :
       {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal}) {
    AttentionSpec spec = makeChain(SoftmaxForm::Guarded);
    spec.mask = mask;
    spec.maskDims = "mn";
    InputRange range;
    range.masked = 0.8;
    expectFlash(
        spec,
        [](const AttentionGraph &graph) -> Levels {
          return {makeLevel(graph, {{'m', 3}}), makeLevel(graph, {{'n', 2}})};
        },
        range);
  }
}

TEST_F(ChainFusionTest, TheFirstTilesMayBeMasked) {
  // (-inf) - (-inf) must not spread to the rest of the row.
  AttentionSpec spec = makeChain(SoftmaxForm::Chain);
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "n";
  for (int64_t first : {5, 12, 19}) {
    for (Form form : {Form::Eager, Form::Delayed}) {
      AttentionGraph graph = build(spec);
      oracle::Random random(7);
      std::vector<Tensor> inputs = graph.randomInputs(random);
      Tensor keep = makeKeep(spec);
      for (int64_t n = 0; n < first; ++n)
        keep.data[n] = 0;
      inputs[spec.maskInput()] = makeMaskInput(spec, keep);
      expectRight(graph, {makeLevel(graph, {{'n', 4}})}, form, inputs);
    }
  }
}

TEST_F(ChainFusionTest, MagnitudesThatAQuotientWouldNotSurvive) {
  for (double score : {1e2, 1e4}) {
    InputRange range;
    range.score = score;
    expectFlash(
        makeChain(),
        [](const AttentionGraph &graph) -> Levels {
          return {makeLevel(graph, {{'n', 3}})};
        },
        range);
  }
}

TEST_F(ChainFusionTest, NarrowTypes) {
  for (DType type : {DType::F16, DType::BF16}) {
    AttentionSpec spec = makeChain();
    spec.type = spec.probType = spec.outType = type;
    expectFlash(spec, [](const AttentionGraph &graph) -> Levels {
      return {makeLevel(graph, {{'m', 3}}), makeLevel(graph, {{'n', 6}})};
    });
  }
}

TEST_F(ChainFusionTest, WhoeverNeedsFinalValuesGetsThem) {
  AttentionSpec spec = makeChain();
  spec.returnWeights = spec.returnScores = true;
  expectFlash(spec, [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'n', 6}})};
  });
}

TEST_F(ChainFusionTest, WhatCannotBeRepairedStaysOutside) {
  AttentionSpec spec = makeChain();
  spec.rootForm = RootForm::Shifted;
  AttentionGraph graph = build(spec);
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})});
  EXPECT_TRUE(p.states.empty());
  std::string text;
  llvm::raw_string_ostream os(text);
  p.print(os);
  EXPECT_TRUE(StringRef(text).contains("does not commute")) << text;
}
