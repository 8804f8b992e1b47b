//===- LazyRescalingTest.cpp - Lazily rescaled maxima ---------------------===//
//
// With a threshold, accumulators are rescaled only where a maximum grows far.
// The result must be what it is without, the branch must be taken where it has
// to be and nowhere else, and where the program would tell, nothing is rescaled
// lazily.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kThresholds[] = {0.0, 1.0, 8.0};
constexpr SoftmaxForm kForms[] = {SoftmaxForm::Ext, SoftmaxForm::Chain};

/// How the scores of a row go on along the keys.
using Course = double (*)(int64_t row, int64_t key);
constexpr Course kCourses[] = {
    // Maxima that do not move, rise slowly, faster in some rows than in others,
    [](int64_t, int64_t) { return 1.0; },
    [](int64_t, int64_t key) { return 0.3 * key; },
    [](int64_t row, int64_t key) { return (row - 2) * 0.7 * key; },
    // jump, there and back, and far.
    [](int64_t row, int64_t key) { return key == 9 + row ? 30.0 : 0.1 * key; },
    [](int64_t, int64_t key) { return key % 7 == 3 ? 6.0 * key : -3.0 * key; },
    [](int64_t, int64_t key) { return key < 10 ? -1e4 : 1e4 + key; },
};

class LazyRescalingTest : public FusionTest {
protected:
  static AttentionSpec make(SoftmaxForm form) {
    AttentionSpec spec = makeBatched();
    spec.softmaxForm = form;
    return spec;
  }
  /// The same, of scores that the test gives.
  static AttentionSpec makeOfScores(SoftmaxForm form) {
    AttentionSpec spec = make(form);
    spec.scoresAreInput = true;
    return spec;
  }
  static TileAndFuseOptions makeLazy(const Levels &levels, double threshold) {
    TileAndFuseOptions options = makeOptions(levels);
    options.rescaleThreshold = threshold;
    return options;
  }
  static std::vector<Levels> makeLevels(const AttentionGraph &graph) {
    auto keys = [&](int64_t size, LoopKind kind = LoopKind::For) {
      return makeLevel(graph, {{'n', size}}, kind);
    };
    return {{keys(1)},
            {keys(6)},
            {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall), keys(9),
             keys(4)},
            {keys(7, LoopKind::Split), keys(2)},
            {keys(5, LoopKind::Split)}};
  }
  static std::vector<Tensor> makeInputs(const AttentionGraph &graph,
                                        Course course) {
    oracle::Random random(3);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    DType type = graph.spec.scoreType;
    oracle::forEachIndex(inputs[0].shape, [&](const oracle::Index &at) {
      inputs[0].at(at) =
          oracle::roundTo(course(at[1], at[2]) + 0.01 * inputs[0].at(at), type);
    });
    return inputs;
  }

  static FusionOutcome run(const AttentionSpec &spec, size_t levels,
                           double threshold, const std::vector<Tensor> &inputs,
                           bool cleanUp = false) {
    // Of a tile together, and each element by itself.
    FusionOutcome outcome;
    for (bool elements : {true, false}) {
      AttentionGraph graph = build(spec);
      TileAndFuseOptions options =
          makeLazy(makeLevels(graph)[levels], threshold);
      options.rescaleElements = elements;
      outcome = fuseAndRun(graph, options, inputs, *executor, cleanUp, cleanUp);
      if (!outcome.isRight())
        break;
    }
    return outcome;
  }
  /// With all levels; what is rescaled lazily must be.
  static void expectHeldAndRight(const AttentionSpec &spec, double threshold,
                                 const std::vector<Tensor> &inputs) {
    size_t numLevels = makeLevels(build(spec)).size();
    for (size_t levels = 0; levels < numLevels; ++levels) {
      FusionOutcome outcome = run(spec, levels, threshold, inputs);
      EXPECT_TRUE(outcome.isRight())
          << spec.describe() << "\nlevels " << levels << ", threshold "
          << threshold << ": " << getName(outcome.stage) << ": "
          << outcome.reason << outcome.plan;
      EXPECT_NE(outcome.plan.find("rescaled lazily, when it moves"),
                std::string::npos)
          << outcome.plan;
      EXPECT_NE(outcome.plan.find("where it moved"), std::string::npos)
          << outcome.plan;
      // One chunk of one tile has nothing to rescale.
      EXPECT_EQ(outcome.fused.find("scf.if") != std::string::npos,
                levels + 1 != numLevels)
          << outcome.fused;
    }
  }
  /// Not rescaled lazily, for a reason that contains `reason`, and right.
  static void expectNotLazy(const AttentionSpec &spec, double threshold,
                            const std::string &reason) {
    AttentionGraph graph = build(spec);
    oracle::Random random(5);
    InputRange range;
    range.score = 8;
    FusionOutcome outcome =
        fuseAndRun(graph, makeLazy({makeLevel(graph, {{'n', 6}})}, threshold),
                   graph.randomInputs(random, range), *executor);
    EXPECT_TRUE(outcome.isRight())
        << spec.describe() << "\n"
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
    EXPECT_NE(outcome.plan.find("not rescaled lazily: "), std::string::npos)
        << outcome.plan;
    EXPECT_NE(outcome.plan.find(reason), std::string::npos) << outcome.plan;
    EXPECT_EQ(outcome.plan.find("rescaled lazily, when"), std::string::npos)
        << outcome.plan;
    EXPECT_EQ(outcome.fused.find("scf.if"), std::string::npos) << outcome.fused;
  }
};
} // namespace

TEST_F(LazyRescalingTest, EveryCourseOfTheMaxima) {
  for (SoftmaxForm form : kForms)
    for (Course course : kCourses)
      for (double threshold : kThresholds) {
        AttentionSpec spec = makeOfScores(form);
        expectHeldAndRight(spec, threshold, makeInputs(build(spec), course));
      }
}

// Columns in a forall: the weights are computed in it and, for the sum behind
// it, outside too, where the maximum is the true one.
TEST_F(LazyRescalingTest, WhatOuterLevelsDoNotYieldIsNotLazy) {
  AttentionSpec spec = makeOfScores(SoftmaxForm::Chain);
  spec.style.divideAfter = true;
  AttentionGraph graph = build(spec);
  Levels levels = {makeLevel(graph, {{'b', 1}, {'e', 2}}, LoopKind::Forall),
                   makeLevel(graph, {{'n', 4}})};
  FusionOutcome outcome = fuseAndRun(graph, makeLazy(levels, 8.0),
                                     makeInputs(graph, kCourses[1]), *executor);
  EXPECT_TRUE(outcome.isRight())
      << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
  EXPECT_NE(outcome.plan.find("yields, which the outer loops do not"),
            std::string::npos)
      << outcome.plan;
}

TEST_F(LazyRescalingTest, RandomScores) {
  for (SoftmaxForm form : kForms)
    for (double score : {2.0, 20.0, 1e3})
      for (double threshold : kThresholds) {
        AttentionGraph graph = build(make(form));
        oracle::Random random(11);
        InputRange range;
        range.score = score;
        expectHeldAndRight(graph.spec, threshold,
                           graph.randomInputs(random, range));
      }
}

TEST_F(LazyRescalingTest, TilesAndRowsOfWhichNothingIsVisible) {
  for (SoftmaxForm form : kForms)
    for (double threshold : kThresholds) {
      AttentionSpec spec = makeOfScores(form);
      std::vector<Tensor> inputs = makeInputs(build(spec), kCourses[1]);
      oracle::forEachIndex(inputs[0].shape, [&](const oracle::Index &at) {
        bool isFirst = at[2] < 3 * at[1];
        bool isRow = form == SoftmaxForm::Ext && at[0] == 1 && at[1] == 4;
        if (isFirst && at[2] < 19)
          inputs[0].at(at) = -kInf;
        if (isRow)
          inputs[0].at(at) = -kInf;
      });
      expectHeldAndRight(spec, threshold, inputs);
    }
}

TEST_F(LazyRescalingTest, RowsWithNaN) {
  for (SoftmaxForm form : kForms)
    for (int64_t key : {0, 8, 19}) {
      AttentionSpec spec = makeOfScores(form);
      std::vector<Tensor> inputs = makeInputs(build(spec), kCourses[1]);
      inputs[0].at({0, 3, key}) = kNaN;
      expectHeldAndRight(spec, 8.0, inputs);
    }
}

TEST_F(LazyRescalingTest, DynamicShapes) {
  for (SoftmaxForm form : kForms)
    for (int64_t keys : {1, 20}) {
      AttentionSpec spec = make(form);
      spec.dynamic = "bmnde";
      spec.sizes['n'] = keys;
      AttentionGraph graph = build(spec);
      oracle::Random random(13);
      InputRange range;
      range.score = 6;
      expectHeldAndRight(spec, 1.0, graph.randomInputs(random, range));
    }
}

TEST_F(LazyRescalingTest, CausalTilesAreStillLeftOut) {
  for (double threshold : kThresholds) {
    AttentionSpec spec = make(SoftmaxForm::Ext);
    spec.mask = MaskForm::Causal;
    spec.sizes['m'] = 20;
    AttentionGraph graph = build(spec);
    oracle::Random random(17);
    InputRange range;
    range.score = 6;
    Levels levels = {makeLevel(graph, {{'b', 1}, {'m', 5}}, LoopKind::Forall),
                     makeLevel(graph, {{'n', 4}})};
    FusionOutcome outcome = fuseAndRun(
        graph, makeLazy(levels, threshold), graph.randomInputs(random, range),
        *executor, /*cleanUp=*/true, /*tighten=*/true);
    EXPECT_TRUE(outcome.isRight()) << outcome.reason << outcome.plan;
    // The loop of the tiles that the mask does not touch, and the other one.
    unsigned numLoops = 0;
    graph.module->walk([&](scf::ForOp) { ++numLoops; });
    EXPECT_EQ(numLoops, 2u) << print(*graph.module);
  }
}

TEST_F(LazyRescalingTest, WaysToWriteTheChain) {
  auto set = [](ChainStyle style) {
    AttentionSpec spec = makeOfScores(SoftmaxForm::Chain);
    spec.style = style;
    return spec;
  };
  ChainStyle base2, reciprocal, keepDims, broadcast, named, divideAfter;
  base2.base2 = reciprocal.reciprocal = keepDims.keepDims = true;
  broadcast.broadcast = named.named = divideAfter.divideAfter = true;
  for (ChainStyle style :
       {base2, reciprocal, keepDims, broadcast, named, divideAfter})
    for (Course course : kCourses)
      expectHeldAndRight(set(style), 8.0,
                         makeInputs(build(set(style)), course));
}

TEST_F(LazyRescalingTest, PowersOfWeights) {
  // p p v grows by e^(2 t) if the max lags behind by t.
  for (SoftmaxForm form : kForms)
    for (RootForm root : {RootForm::Square, RootForm::Twice})
      for (Course course : kCourses) {
        AttentionSpec spec = makeOfScores(form);
        spec.rootForm = root;
        std::vector<Tensor> inputs = makeInputs(build(spec), course);
        expectHeldAndRight(spec, 8.0, inputs);
        EXPECT_NE(run(spec, 0, 8.0, inputs).plan.find("moves by more than 4"),
                  std::string::npos);
      }
}

TEST_F(LazyRescalingTest, AMinimum) {
  // softmax(-x) v, the division after the root.
  const char *text = R"(
    #full = affine_map<(m, n) -> (m, n)>
    #row = affine_map<(m, n) -> (m)>
    #p = affine_map<(m, e, n) -> (m, n)>
    #v = affine_map<(m, e, n) -> (n, e)>
    #o = affine_map<(m, e, n) -> (m, e)>
    func.func @main(%x: tensor<4x20xf32>, %v: tensor<20x3xf32>)
        -> tensor<4x3xf32> {
      %inf = arith.constant 0x7F800000 : f32
      %zero = arith.constant 0.0 : f32
      %rows = tensor.empty() : tensor<4xf32>
      %m0 = linalg.fill ins(%inf : f32) outs(%rows : tensor<4xf32>)
          -> tensor<4xf32>
      %m = linalg.generic {indexing_maps = [#full, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x20xf32>) outs(%m0 : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.minimumf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      %weights = tensor.empty() : tensor<4x20xf32>
      %p = linalg.generic {indexing_maps = [#full, #row, #full],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %m : tensor<4x20xf32>, tensor<4xf32>)
          outs(%weights : tensor<4x20xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.subf %b, %a : f32
        %s = math.exp %d : f32
        linalg.yield %s : f32
      } -> tensor<4x20xf32>
      %l0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>)
          -> tensor<4xf32>
      %l = linalg.generic {indexing_maps = [#full, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%p : tensor<4x20xf32>) outs(%l0 : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      %out = tensor.empty() : tensor<4x3xf32>
      %o0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4x3xf32>)
          -> tensor<4x3xf32>
      %o = linalg.generic {indexing_maps = [#p, #v, #o],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%p, %v : tensor<4x20xf32>, tensor<20x3xf32>)
          outs(%o0 : tensor<4x3xf32>) attrs = {linalg_ext.root} {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.mulf %a, %b : f32
        %s = arith.addf %c, %d : f32
        linalg.yield %s : f32
      } -> tensor<4x3xf32>
      %r = linalg.generic {indexing_maps = [#full, #row, #full],
          iterator_types = ["parallel", "parallel"]}
          ins(%o, %l : tensor<4x3xf32>, tensor<4xf32>)
          outs(%out : tensor<4x3xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %s = arith.divf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    })";
  for (Course course : kCourses)
    for (double threshold : kThresholds) {
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
      ASSERT_TRUE(module);
      Operation *root = nullptr;
      module->walk([&](Operation *op) {
        if (op->hasAttr("linalg_ext.root"))
          root = op;
      });
      Tensor x({4, 20}), negated({4, 20});
      oracle::forEachIndex(x.shape, [&](const oracle::Index &at) {
        negated.at(at) = oracle::roundTo(course(at[0], at[1]), DType::F32);
        x.at(at) = -negated.at(at);
      });
      oracle::Random random(19);
      Tensor v = oracle::random(random, {20, 3}, -1, 1, DType::F32);
      Levels levels;
      std::string error;
      ASSERT_TRUE(succeeded(parseTilingLevels("for(0, 0, 6)", levels, error)));
      TileAndFuseOptions options = makeLazy(levels, threshold);
      FusionOutcome outcome = fuseAndRun(
          *module, root, options, {x, v},
          [&]() -> std::vector<oracle::Bounded> {
            oracle::Bounded p =
                oracle::softmax(negated, 1, DType::F32, DType::F32,
                                4 + countHeldSteps(options));
            return {oracle::contract("mn,ne->me", p, v, DType::F32, 4)};
          },
          *executor);
      EXPECT_TRUE(outcome.isRight()) << outcome.reason << outcome.plan;
      EXPECT_NE(outcome.plan.find("rescaled lazily, when"), std::string::npos)
          << outcome.plan;
    }
}

TEST_F(LazyRescalingTest, NarrowWeights) {
  for (DType type : {DType::F16, DType::BF16})
    for (double threshold : {1.0, 11.0}) {
      AttentionSpec spec = makeOfScores(SoftmaxForm::Ext);
      spec.type = spec.probType = spec.outType = type;
      for (Course course : {kCourses[1], kCourses[3]})
        expectHeldAndRight(spec, threshold, makeInputs(build(spec), course));
      // Weights that are divided before they are rounded are scaled for the sum
      // in each tile.
      spec = make(SoftmaxForm::Chain);
      spec.type = spec.probType = spec.outType = type;
      expectNotLazy(spec, threshold, "no larger accumulator is scaled by it");
    }
}

TEST_F(LazyRescalingTest, WeightsThatWouldOverflowAreNotLazy) {
  for (SoftmaxForm form : kForms) {
    AttentionSpec spec = make(form);
    spec.type = spec.probType = spec.outType = DType::F16;
    expectNotLazy(spec, 12.0, "expected a rescale threshold of at most 11.09");
  }
  // A sum in f16 has no room at all.
  AttentionSpec spec = make(SoftmaxForm::Chain);
  spec.type = spec.scoreType = spec.probType = spec.outType = DType::F16;
  expectNotLazy(spec, 1.0, "computes in f16, got 1");
}

TEST_F(LazyRescalingTest, WhatTheProgramWouldTellIsNotLazy) {
  AttentionSpec spec = make(SoftmaxForm::Ext);
  spec.returnState = true;
  expectNotLazy(spec, 8.0, "'func.return' uses");
  spec = make(SoftmaxForm::Chain);
  spec.returnState = true;
  expectNotLazy(spec, 8.0, "'func.return' uses");
  spec = make(SoftmaxForm::Guarded);
  expectNotLazy(spec, 8.0, "does not follow a state that is rescaled lazily");
  spec = make(SoftmaxForm::Chain);
  spec.style.lse = true;
  expectNotLazy(spec, 8.0, "no larger accumulator");
  spec = make(SoftmaxForm::Ext);
  spec.rootForm = RootForm::Reduce;
  spec.v = "n";
  spec.out = "bm";
  expectNotLazy(spec, 8.0, "no larger accumulator");
}

TEST_F(LazyRescalingTest, AnInitInFrontOfTheDivision) {
  // (init + p v) / l, which the oracle does not know.
  AttentionSpec spec = make(SoftmaxForm::Chain);
  spec.style.divideAfter = spec.initIsInput = true;
  AttentionGraph graph = build(spec);
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(
      graph.root, makeLazy({makeLevel(graph, {{'n', 6}})}, 8.0), refusal);
  ASSERT_TRUE(succeeded(plan)) << refusal.text;
  ASSERT_EQ(plan->states.size(), 2u); // The sum is beside the root.
  EXPECT_FALSE(plan->states[0].rescaleThreshold);
  EXPECT_EQ(plan->states[0].notLazy.text,
            "'linalg.generic' accumulates on values "
            "that are not neutral");
}

TEST_F(LazyRescalingTest, WhatItCancelsInMayBeNeeded) {
  // Weights, and the log-sum-exp.
  for (Course course : kCourses) {
    AttentionSpec spec = makeOfScores(SoftmaxForm::Chain);
    spec.returnWeights = spec.returnScores = true;
    expectHeldAndRight(spec, 8.0, makeInputs(build(spec), course));
    for (SoftmaxForm form : kForms) {
      AttentionSpec spec = makeOfScores(form);
      spec.returnLogSumExp = true;
      expectHeldAndRight(spec, 8.0, makeInputs(build(spec), course));
    }
  }
}

TEST_F(LazyRescalingTest, AnInitThatIsAnInput) {
  for (SoftmaxForm form : kForms)
    for (Course course : kCourses) {
      AttentionSpec spec = makeOfScores(form);
      spec.initIsInput = true;
      expectHeldAndRight(spec, 8.0, makeInputs(build(spec), course));
    }
}

TEST_F(LazyRescalingTest, AThresholdOf0ChangesNoBit) {
  for (SoftmaxForm form : kForms)
    for (Course course : kCourses)
      for (size_t levels = 0; levels < 5; ++levels) {
        AttentionSpec spec = makeOfScores(form);
        std::vector<Tensor> inputs = makeInputs(build(spec), course);
        AttentionGraph graph = build(spec);
        FusionOutcome always = fuseAndRun(
            graph, makeOptions(makeLevels(graph)[levels]), inputs, *executor);
        FusionOutcome lazy = run(spec, levels, 0.0, inputs);
        ASSERT_TRUE(always.isRight() && lazy.isRight());
        EXPECT_EQ(always.execution.outputs[0].data,
                  lazy.execution.outputs[0].data);
      }
}

TEST_F(LazyRescalingTest, Options) {
  AttentionGraph graph = build(make(SoftmaxForm::Ext));
  Levels levels = {makeLevel(graph, {{'n', 4}})};
  auto refuse = [&](TileAndFuseOptions options) {
    Refusal refusal;
    EXPECT_TRUE(failed(planTileAndFuse(graph.root, options, refusal)));
    return refusal.text;
  };
  for (double threshold : {-1.0, 80.0, kInf, kNaN})
    EXPECT_NE(refuse(makeLazy(levels, threshold))
                  .find("expected a rescale threshold from 0 to 72"),
              std::string::npos);
  TileAndFuseOptions options = makeLazy(levels, 8.0);
  options.normalization = Form::Eager;
  TileAndFuseOptions elements = makeOptions(levels);
  elements.rescaleElements = true;
  EXPECT_EQ(refuse(elements),
            "expected a rescale threshold where elements are chosen that are "
            "rescaled, got none");
  EXPECT_NE(refuse(options).find("expected delayed normalisation"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// How often the accumulator is rescaled
//===----------------------------------------------------------------------===//

namespace {
class RescalingCountTest : public LazyRescalingTest {
protected:
  /// Fuses, counts in memory how often the branch is taken, and returns that.
  static double count(SoftmaxForm form, double threshold, Course course) {
    AttentionGraph graph = build(makeOfScores(form));
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(
        graph.root, makeLazy({makeLevel(graph, {{'n', 4}})}, threshold),
        refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    IRRewriter rewriter(context);
    EXPECT_TRUE(succeeded(applyFusionPlan(rewriter, *plan, refusal)))
        << refusal.text;
    EXPECT_TRUE(succeeded(decomposeLinalgExtOps(*graph.module)));

    // 1. A number in memory.
    ModuleOp module = *graph.module;
    Location loc = module.getLoc();
    rewriter.setInsertionPointToStart(module.getBody());
    auto type = MemRefType::get({1}, rewriter.getF32Type());
    auto number = RankedTensorType::get({1}, rewriter.getF32Type());
    memref::GlobalOp::create(rewriter, loc, "taken",
                             rewriter.getStringAttr("private"), type,
                             DenseElementsAttr::get(number, 0.0f),
                             /*constant=*/false, /*alignment=*/IntegerAttr());
    auto load = [&](Value &memory, Value &zero) -> Value {
      memory = memref::GetGlobalOp::create(rewriter, loc, type, "taken");
      zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      return memref::LoadOp::create(rewriter, loc, memory, zero);
    };

    // 2. It is incremented where the branch is taken,
    SmallVector<scf::IfOp> branches;
    module.walk([&](scf::IfOp branch) { branches.push_back(branch); });
    EXPECT_EQ(branches.size(), 1u);
    Value memory, zero;
    for (scf::IfOp branch : branches) {
      rewriter.setInsertionPointToStart(branch.thenBlock());
      Value one = arith::ConstantOp::create(rewriter, loc,
                                            rewriter.getF32FloatAttr(1.0f));
      Value before = load(memory, zero);
      Value after = arith::AddFOp::create(rewriter, loc, before, one);
      memref::StoreOp::create(rewriter, loc, after, memory, zero);
    }

    // 3. and returned.
    Operation *end = graph.func.getBody().front().getTerminator();
    rewriter.setInsertionPoint(end);
    Value taken = load(memory, zero);
    Value result = tensor::FromElementsOp::create(rewriter, loc, number, taken);
    end->insertOperands(end->getNumOperands(), result);
    SmallVector<Type> results(graph.func.getResultTypes());
    results.push_back(number);
    graph.func.setType(
        FunctionType::get(context, graph.func.getArgumentTypes(), results));
    EXPECT_TRUE(succeeded(verify(module)));
    Execution execution =
        executor->run(module, "main", makeInputs(graph, course));
    EXPECT_TRUE(execution.ok()) << execution.error;
    return execution.ok() ? execution.outputs.back().data[0] : -1.0;
  }
};
} // namespace

TEST_F(RescalingCountTest, OnceWhereTheMaximumStays) {
  Course constant = [](int64_t, int64_t) { return 1.0; };
  for (SoftmaxForm form : kForms)
    for (double threshold : {1.0, 8.0})
      EXPECT_EQ(count(form, threshold, constant), 1.0);
}

TEST_F(RescalingCountTest, AsOftenAsARowGrowsByTheThreshold) {
  // By 2.4 from one of the 5 tiles to the next, in one row of all.
  Course rise = [](int64_t row, int64_t key) {
    return row == 5 ? 0.6 * key : 0.0;
  };
  for (SoftmaxForm form : kForms) {
    EXPECT_EQ(count(form, 0.0, rise), 5.0);
    EXPECT_EQ(count(form, 1.0, rise), 5.0);
    EXPECT_EQ(count(form, 3.0, rise), 3.0); // tiles 0, 2, 4
    EXPECT_EQ(count(form, 8.0, rise), 2.0); // tiles 0 and 4
    EXPECT_EQ(count(form, 11.0, rise), 1.0);
  }
}

TEST_F(RescalingCountTest, RowsOfWhichNothingIsVisibleDoNotCount) {
  Course masked = [](int64_t row, int64_t) { return row == 2 ? -kInf : 1.0; };
  EXPECT_EQ(count(SoftmaxForm::Ext, 8.0, masked), 1.0);
}
