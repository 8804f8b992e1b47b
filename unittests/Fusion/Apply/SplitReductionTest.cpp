//===- SplitReductionTest.cpp - Keys in parallel chunks -------------------===//
//
// A 'split' level computes chunks of the keys independently and merges them. It
// must give what the loop gives, whatever a chunk has seen.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class SplitReductionTest : public FusionTest {
protected:
  static TilingLevel split(const AttentionGraph &graph, int64_t size) {
    return makeLevel(graph, {{graph.spec.keys, size}}, LoopKind::Split);
  }
  static AttentionSpec make(SoftmaxForm form) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = form;
    return spec;
  }
  /// Runs in both forms with keys masked for all rows from `first` to `last`.
  static void expectRightMasked(SoftmaxForm form, int64_t first, int64_t last) {
    AttentionSpec spec = make(form);
    spec.mask = MaskForm::Boolean;
    spec.maskDims = "n";
    for (Form normalization : {Form::Eager, Form::Delayed}) {
      AttentionGraph graph = build(spec);
      oracle::Random random(7);
      std::vector<Tensor> inputs = graph.randomInputs(random);
      Tensor keep = makeKeep(spec);
      for (int64_t n = first; n < last; ++n)
        keep.data[n] = 0;
      inputs[spec.maskInput()] = makeMaskInput(spec, keep);
      expectRight(graph, {split(graph, 6), makeLevel(graph, {{'n', 2}})},
                  normalization, inputs);
    }
  }
};
constexpr SoftmaxForm kForms[] = {SoftmaxForm::Ext, SoftmaxForm::Chain,
                                  SoftmaxForm::Guarded};
} // namespace

TEST_F(SplitReductionTest, EveryChunk) {
  for (SoftmaxForm form : kForms)
    for (int64_t chunk : {1, 3, 7, 10, 19, 20, 25}) {
      expectRight(make(form), [&](const AttentionGraph &graph) -> Levels {
        return {split(graph, chunk)};
      });
      expectRight(make(form), [&](const AttentionGraph &graph) -> Levels {
        return {split(graph, chunk), makeLevel(graph, {{'n', 3}})};
      });
    }
}

TEST_F(SplitReductionTest, StatesAreMergedFromWhatTheLoopWouldStartFrom) {
  // 3 chunks of the states and of the accumulator.
  AttentionGraph graph = build(make(SoftmaxForm::Ext));
  FusionOutcome outcome = expectRight(graph, {split(graph, 7)}, Form::Delayed);
  EXPECT_TRUE(StringRef(outcome.fused).contains("tensor<3x2x8x6xf32>"));
  EXPECT_TRUE(StringRef(outcome.fused).contains("tensor<3x2x8xf32>"));
}

TEST_F(SplitReductionTest, ParallelLevelsAround) {
  for (SoftmaxForm form : kForms)
    for (LoopKind kind : {LoopKind::For, LoopKind::Forall})
      expectRight(make(form), [&](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'b', 1}, {'m', 3}}, kind), split(graph, 9),
                makeLevel(graph, {{'n', 4}})};
      });
}

TEST_F(SplitReductionTest, ParallelLevelsInside) {
  for (SoftmaxForm form : kForms)
    expectRight(make(form), [&](const AttentionGraph &graph) -> Levels {
      return {split(graph, 9), makeLevel(graph, {{'b', 1}, {'m', 3}}),
              makeLevel(graph, {{'n', 4}})};
    });
}

TEST_F(SplitReductionTest, DynamicShapes) {
  for (SoftmaxForm form : kForms)
    for (int64_t keys : {1, 20}) {
      AttentionSpec spec = make(form);
      spec.dynamic = "bmnde";
      spec.sizes['n'] = keys;
      expectRight(spec, [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'m', 3}}, LoopKind::Forall), split(graph, 6),
                makeLevel(graph, {{'n', 4}})};
      });
    }
}

TEST_F(SplitReductionTest, MaskedChunks) {
  for (SoftmaxForm form : kForms) {
    expectRightMasked(form, 0, 6);   // The first chunk,
    expectRightMasked(form, 0, 13);  // the first two and a tile,
    expectRightMasked(form, 6, 12);  // one in between,
    expectRightMasked(form, 12, 20); // the last ones.
  }
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Guarded})
    expectRightMasked(form, 0, 20); // All rows as a whole.
}

TEST_F(SplitReductionTest, MasksOfEveryKind) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Guarded})
    for (MaskForm mask :
         {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal}) {
      AttentionSpec spec = make(form);
      spec.mask = mask;
      spec.maskDims = "mn";
      InputRange range;
      range.masked = 0.8;
      expectRight(
          spec,
          [](const AttentionGraph &graph) -> Levels {
            return {split(graph, 5), makeLevel(graph, {{'n', 2}})};
          },
          range);
    }
}

TEST_F(SplitReductionTest, Magnitudes) {
  for (SoftmaxForm form : kForms)
    for (double score : {1e2, 1e4}) {
      InputRange range;
      range.score = score;
      expectRight(
          make(form),
          [](const AttentionGraph &graph) -> Levels {
            return {split(graph, 5), makeLevel(graph, {{'n', 3}})};
          },
          range);
    }
}

TEST_F(SplitReductionTest, NarrowTypes) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Chain})
    for (DType type : {DType::F16, DType::BF16}) {
      AttentionSpec spec = make(form);
      spec.type = spec.probType = spec.outType = type;
      expectRight(spec, [](const AttentionGraph &graph) -> Levels {
        return {split(graph, 7), makeLevel(graph, {{'n', 3}})};
      });
    }
}

TEST_F(SplitReductionTest, WhatIsNeededOutside) {
  // The scores are slices of every chunk, the state is merged, the init is
  // added once.
  AttentionSpec spec = make(SoftmaxForm::Ext);
  spec.returnScores = spec.returnState = spec.initIsInput = true;
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return {split(graph, 7), makeLevel(graph, {{'n', 3}})};
  });
  spec = make(SoftmaxForm::Chain);
  spec.returnScores = spec.returnWeights = spec.initIsInput = true;
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return {split(graph, 7), makeLevel(graph, {{'n', 3}})};
  });
}

TEST_F(SplitReductionTest, RootsWithoutState) {
  // What a matmul sums, and its init, which is not neutral.
  for (const char *combiner : {"addf", "maximumf"})
    for (int64_t chunk : {1, 4, 9, 16}) {
      std::string text = R"(
        #a = affine_map<(m, n, k) -> (m, k)>
        #b = affine_map<(m, n, k) -> (k, n)>
        #c = affine_map<(m, n, k) -> (m, n)>
        func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>,
                        %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
          %d = linalg.generic {indexing_maps = [#a, #b, #c],
              iterator_types = ["parallel", "parallel", "reduction"]}
              ins(%a, %b : tensor<?x?xf32>, tensor<?x4xf32>)
              outs(%c : tensor<?x4xf32>) attrs = {linalg_ext.root} {
          ^bb0(%x: f32, %y: f32, %z: f32):
            %p = arith.mulf %x, %y : f32
            %s = arith.COMBINER %z, %p : f32
            linalg.yield %s : f32
          } -> tensor<?x4xf32>
          return %d : tensor<?x4xf32>
        })";
      text.replace(text.find("COMBINER"), 8, combiner);
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
      ASSERT_TRUE(module);
      TileAndFuseOptions options;
      std::string reason;
      ASSERT_TRUE(succeeded(parseTilingLevels(
          "forall(2) split(0, 0, " + std::to_string(chunk) + ") for(0, 2, 3)",
          options.levels, reason)));
      options.rootAttrName = "linalg_ext.root";
      IRRewriter rewriter(context);
      ASSERT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
      ASSERT_TRUE(succeeded(verify(*module)));

      oracle::Random random(1);
      auto draw = [&](const oracle::Shape &shape) {
        return oracle::random(random, shape, -2, 2, DType::F32);
      };
      std::vector<Tensor> inputs = {draw({5, 9}), draw({9, 4}), draw({5, 4})};
      Execution result = executor->run(*module, "main", inputs);
      ASSERT_TRUE(result.ok()) << result.error;
      Bounded want = oracle::addInit(
          oracle::contract("mk,kn->mn", inputs[0], inputs[1], DType::F32, 9),
          inputs[2], DType::F32, 18);
      if (StringRef(combiner) == "maximumf")
        oracle::forEachIndex({5, 4}, [&](const oracle::Index &at) {
          double value = inputs[2].at(at);
          for (int64_t k = 0; k < 9; ++k)
            value = std::max(value, inputs[0].at({at[0], k}) *
                                        inputs[1].at({k, at[1]}));
          want.value.at(at) = value;
        });
      oracle::Comparison c = oracle::compare(result.outputs[0], want);
      EXPECT_TRUE(c.ok) << combiner << " " << chunk << ": " << c.message;
    }
}

TEST_F(SplitReductionTest, Refusals) {
  AttentionGraph graph = build(make(SoftmaxForm::Ext));
  EXPECT_NE(
      refuse(graph.root, {makeLevel(graph, {{'m', 4}}, LoopKind::Split)})
          .text.find("expected 'split' to tile reduction dimensions only"),
      std::string::npos);
  EXPECT_NE(refuse(graph.root, {makeLevel(graph, {{'n', 8}}), split(graph, 4)})
                .text.find("the first level that tiles dimension"),
            std::string::npos);
}
