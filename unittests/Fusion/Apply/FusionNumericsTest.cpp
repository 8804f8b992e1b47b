//===- FusionNumericsTest.cpp - The fused program is right ----------------===//
//
// Executed: fused attention against the oracle, within the error bound of
// Support/ErrorBound.h, for every arrangement, tile size, element type, mask
// and magnitude that fusion could get wrong.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

static const double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {
class FusionNumericsTest : public FusionTest {
protected:
  /// Levels that tile the keys, and the queries outside of them.
  static Levels rowsAndKeys(const AttentionGraph &graph, int64_t rows,
                            int64_t keys) {
    return {makeLevel(graph, {{'m', rows}}), makeLevel(graph, {{'n', keys}})};
  }

  static Tensor run(const AttentionSpec &spec,
                    const std::vector<Tensor> &inputs,
                    std::function<Levels(const AttentionGraph &)> makeLevels,
                    Form form) {
    AttentionGraph graph = build(spec);
    FusionOutcome outcome = expectRight(graph, makeLevels(graph), form, inputs);
    return outcome.isRight() ? outcome.execution.outputs[0]
                             : Tensor(spec.shape(spec.out), kNaN);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TEST_F(FusionNumericsTest, EveryTileOfTheKeys) {
  // 1, divisors, non-divisors, all, and more than all.
  for (int64_t tile : {1, 2, 3, 7, 10, 19, 20, 25})
    expectRight(makeBatched(), [&](const AttentionGraph &graph) -> Levels {
      return {makeLevel(graph, {{'n', tile}})};
    });
}

TEST_F(FusionNumericsTest, EveryTileOfTheQueries) {
  for (int64_t tile : {1, 2, 3, 7, 8, 9})
    expectRight(makeBatched(), [&](const AttentionGraph &graph) -> Levels {
      return rowsAndKeys(graph, tile, 6);
    });
}

TEST_F(FusionNumericsTest, TheResultDoesNotDependOnTheTiles) {
  // More than being within bounds: the same up to a few roundings.
  AttentionSpec spec = makeSingle();
  oracle::Random random(2);
  std::vector<Tensor> inputs = build(spec).randomInputs(random);
  for (Form form : {Form::Eager, Form::Delayed}) {
    auto runWith = [&](int64_t tile) {
      return run(
          spec, inputs,
          [&](const AttentionGraph &graph) -> Levels {
            return {makeLevel(graph, {{'n', tile}})};
          },
          form);
    };
    Tensor whole = runWith(20);
    for (int64_t tile : {1, 7}) {
      Tensor tiled = runWith(tile);
      for (int64_t i = 0; i < whole.size(); ++i)
        EXPECT_NEAR(tiled.data[i], whole.data[i], 2e-6);
    }
  }
}

TEST_F(FusionNumericsTest, TwoLevelsEqualOne) {
  AttentionSpec spec = makeSingle();
  oracle::Random random(3);
  std::vector<Tensor> inputs = build(spec).randomInputs(random);
  for (Form form : {Form::Eager, Form::Delayed}) {
    Tensor one = run(
        spec, inputs,
        [&](const AttentionGraph &graph) -> Levels {
          return {makeLevel(graph, {{'n', 5}})};
        },
        form);
    Tensor two = run(
        spec, inputs,
        [&](const AttentionGraph &graph) -> Levels {
          return {makeLevel(graph, {{'n', 10}}), makeLevel(graph, {{'n', 5}})};
        },
        form);
    // The same tiles in the same order: the same operations.
    EXPECT_EQ(one.data, two.data);
  }
  // Remainders of both levels.
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'n', 9}}), makeLevel(graph, {{'n', 4}})};
  });
}

TEST_F(FusionNumericsTest, EveryOrderOfTheLoops) {
  for (const char *order : {"bmn", "bnm", "mbn", "mnb", "nbm", "nmb"})
    expectRight(makeBatched(), [&](const AttentionGraph &graph) -> Levels {
      return {makeLevel(graph, {{'b', 1}, {'m', 3}, {'n', 6}}, LoopKind::For,
                        order)};
    });
}

TEST_F(FusionNumericsTest, TheDimensionOfTheValuesAroundAndInsideTheKeys) {
  for (const char *order : {"en", "ne", "men", "mne", "nem", "nme"})
    expectRight(makeSingle(), [&](const AttentionGraph &graph) -> Levels {
      std::map<char, int64_t> tiles = {{'e', 4}, {'n', 6}};
      if (std::string(order).size() == 3)
        tiles['m'] = 3;
      return {makeLevel(graph, tiles, LoopKind::For, order)};
    });
}

TEST_F(FusionNumericsTest, ForallAndThreeLevels) {
  expectRight(makeBatched("bh"), [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'b', 1}, {'h', 2}, {'m', 5}}, LoopKind::Forall),
            makeLevel(graph, {{'n', 6}})};
  });
  // Workgroup, key loop, subgroup.
  expectRight(makeBatched(), [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'b', 1}, {'m', 5}}, LoopKind::Forall),
            makeLevel(graph, {{'n', 6}}),
            makeLevel(graph, {{'m', 2}}, LoopKind::Forall)};
  });
  // Columns too: the softmax is computed again for each of their tiles.
  expectRight(makeBatched(), [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'m', 5}, {'e', 4}}, LoopKind::Forall),
            makeLevel(graph, {{'n', 6}})};
  });
}

TEST_F(FusionNumericsTest, ManyLevels) {
  // Many ops come and go while a plan with many levels is applied.
  expectRight(makeBatched("bh"), [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'n', 10}}), makeLevel(graph, {{'m', 4}}),
            makeLevel(graph, {{'b', 1}, {'h', 1}, {'m', 2}, {'n', 3}},
                      LoopKind::For, "nmhb"),
            makeLevel(graph, {{'n', 2}}), makeLevel(graph, {{'m', 1}})};
  });
}

//===----------------------------------------------------------------------===//
// Arrangements
//===----------------------------------------------------------------------===//

TEST_F(FusionNumericsTest, SoftmaxAlongEveryDimension) {
  for (const char *scores : {"bmn", "bnm", "nbm", "nmb"}) {
    AttentionSpec spec = makeBatched();
    spec.scores = scores;
    expectRight(spec, [](const AttentionGraph &graph) -> Levels {
      return rowsAndKeys(graph, 3, 6);
    });
  }
}

TEST_F(FusionNumericsTest, SoftmaxAsLeftAndAsRightOperand) {
  for (bool swapped : {false, true})
    for (ContractionForm form :
         {ContractionForm::Generic, ContractionForm::Contract,
          ContractionForm::BatchMatmul}) {
      AttentionSpec spec = makeBatched();
      spec.pvSwapped = swapped;
      spec.pvForm = spec.qkForm = form;
      spec.v = "ben";
      spec.out = "bem";
      expectRight(spec, [](const AttentionGraph &graph) -> Levels {
        return rowsAndKeys(graph, 3, 6);
      });
    }
}

TEST_F(FusionNumericsTest, NamedContractions) {
  for (AttentionSpec spec : {makeSingle(), makeBatched()}) {
    spec.qkForm = spec.pvForm = ContractionForm::Named;
    expectRight(spec, [](const AttentionGraph &graph) -> Levels {
      return rowsAndKeys(graph, 3, 6);
    });
  }
}

TEST_F(FusionNumericsTest, GroupedQueries) {
  AttentionSpec spec = makeSingle();
  spec.q = "bhgmd";
  spec.k = "bhnd";
  spec.v = "bhne";
  spec.scores = "bhgmn";
  spec.out = "bhgme";
  spec.qkForm = spec.pvForm = ContractionForm::BatchMatmul;
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return {makeLevel(graph, {{'b', 1}, {'h', 1}, {'g', 1}, {'m', 3}},
                      LoopKind::Forall),
            makeLevel(graph, {{'n', 6}})};
  });
}

TEST_F(FusionNumericsTest, SequenceBeforeHeads) {
  AttentionSpec spec = makeSingle();
  spec.q = "bmhd";
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.out = "bmhe";
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return rowsAndKeys(graph, 3, 6);
  });
}

TEST_F(FusionNumericsTest, OpsBetweenSoftmaxAndRoot) {
  AttentionSpec spec = makeBatched();
  spec.type = spec.probType = DType::F16;
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return rowsAndKeys(graph, 3, 6);
  });
  spec.probFactor = 1.25; // As dropout scales.
  spec.probDims = "nbm";
  expectRight(spec, [](const AttentionGraph &graph) -> Levels {
    return rowsAndKeys(graph, 3, 6);
  });
}

TEST_F(FusionNumericsTest, DynamicSizes) {
  for (const char *dynamic : {"n", "m", "bm", "mn", "bmnde"})
    for (bool swapped : {false, true}) {
      AttentionSpec spec = makeBatched();
      spec.dynamic = dynamic;
      spec.pvSwapped = swapped; // Where the size of the keys comes from.
      spec.mask = MaskForm::Causal;
      spec.returnState = true;
      expectRight(spec, [](const AttentionGraph &graph) -> Levels {
        return rowsAndKeys(graph, 3, 6);
      });
      expectRight(spec, [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'b', 1}, {'m', 3}}, LoopKind::Forall),
                makeLevel(graph, {{'n', 9}}), makeLevel(graph, {{'n', 4}})};
      });
    }
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

TEST_F(FusionNumericsTest, MasksOfEveryForm) {
  for (MaskForm mask :
       {MaskForm::Additive, MaskForm::Boolean, MaskForm::Causal})
    for (const char *dims : {"bmn", "mn", "n", "nm"}) {
      AttentionSpec spec = makeBatched();
      spec.mask = mask;
      spec.maskDims = dims;
      spec.scale = 0.5;
      for (double masked : {0.3, 0.9}) {
        InputRange range;
        range.masked = masked;
        expectRight(
            spec,
            [](const AttentionGraph &graph) -> Levels {
              return rowsAndKeys(graph, 3, 6);
            },
            range);
      }
    }
}

TEST_F(FusionNumericsTest, FullyMaskedTilesAndRows) {
  // Tiles of 5 keys: the first, the middle ones, the last, all of them.
  const std::pair<int64_t, int64_t> spans[] = {{0, 5},  {5, 15},  {15, 20},
                                               {0, 10}, {10, 20}, {0, 20}};
  for (MaskForm mask : {MaskForm::Additive, MaskForm::Boolean})
    for (auto [from, to] : spans)
      for (Form form : {Form::Eager, Form::Delayed}) {
        AttentionSpec spec = makeSingle();
        spec.mask = mask;
        spec.maskDims = "mn";
        AttentionGraph graph = build(spec);
        oracle::Random random(4);
        std::vector<Tensor> inputs = graph.randomInputs(random);
        Tensor keep = makeKeep(spec);
        for (int64_t m = 0; m < spec.size('m'); ++m)
          for (int64_t n = from; n < to; ++n)
            keep.at({m, n}) = m % 3 == 0 ? 0 : 1; // Rows 0, 3 and 6.
        inputs[spec.maskInput()] = makeMaskInput(spec, keep);
        FusionOutcome outcome =
            expectRight(graph, {makeLevel(graph, {{'n', 5}})}, form, inputs);
        if (!outcome.isRight())
          continue;
        for (int64_t m = 0; m < spec.size('m'); ++m)
          for (int64_t e = 0; e < spec.size('e'); ++e) {
            double value = outcome.execution.outputs[0].at({m, e});
            EXPECT_EQ(value == 0, m % 3 == 0 && from == 0 && to == 20);
          }
      }
}

//===----------------------------------------------------------------------===//
// Magnitudes and special values
//===----------------------------------------------------------------------===//

TEST_F(FusionNumericsTest, LargeScores) {
  for (double score : {30.0, 1e3, 1e4}) {
    InputRange range;
    range.score = score;
    for (DType type : {DType::F32, DType::F64}) {
      AttentionSpec spec = makeSingle();
      spec.type = spec.scoreType = spec.probType = spec.accType = spec.outType =
          type;
      expectRight(
          spec,
          [](const AttentionGraph &graph) -> Levels {
            return rowsAndKeys(graph, 3, 6);
          },
          range);
    }
  }
}

TEST_F(FusionNumericsTest, ScoresThatRiseAndFallByTenThousand) {
  // One key after the other: each tile outdoes, or vanishes against, the last.
  // A repair formed as a quotient of exponentials is NaN here.
  AttentionSpec spec = makeSingle();
  spec.scoresAreInput = true;
  for (double slope : {1e4, -1e4, 10.0, -10.0})
    for (Form form : {Form::Eager, Form::Delayed}) {
      AttentionGraph graph = build(spec);
      oracle::Random random(5);
      std::vector<Tensor> inputs = graph.randomInputs(random);
      oracle::forEachIndex(inputs[0].shape, [&](const oracle::Index &index) {
        inputs[0].at(index) = slope * (static_cast<double>(index[1]) - 10);
      });
      FusionOutcome outcome =
          expectRight(graph, {makeLevel(graph, {{'n', 3}})}, form, inputs);
      // The weight of the winning key is 1.
      if (std::fabs(slope) > 100 && outcome.isRight())
        for (int64_t e = 0; e < spec.size('e'); ++e)
          EXPECT_EQ(outcome.execution.outputs[0].at({0, e}),
                    inputs[1].at({slope > 0 ? 19 : 0, e}));
    }
}

TEST_F(FusionNumericsTest, NaNSpreadsOnlyWhereItMust) {
  // In a query, a key, a value; in the first, a middle and the last tile.
  for (int64_t input = 0; input < 3; ++input)
    for (int64_t row : {0, 9, 19})
      for (Form form : {Form::Eager, Form::Delayed}) {
        AttentionGraph graph = build(makeSingle());
        oracle::Random random(6);
        std::vector<Tensor> inputs = graph.randomInputs(random);
        inputs[input].at({input == 0 ? row % 8 : row, 2}) = kNaN;
        FusionOutcome outcome =
            expectRight(graph, {makeLevel(graph, {{'n', 5}})}, form, inputs);
        if (!outcome.isRight())
          continue;
        // Of a query its row; of a key everything; of a value its column.
        const Tensor &out = outcome.execution.outputs[0];
        oracle::forEachIndex(out.shape, [&](const oracle::Index &index) {
          bool must = input == 1 || (input == 0 && index[0] == row % 8) ||
                      (input == 2 && index[1] == 2);
          EXPECT_EQ(std::isnan(out.at(index)), must);
        });
      }
}

// Canonicalisation puts a tensor.cast between diag and the product where a tile
// is larger than its dimension; decomposition must look through it and not
// build the matrix, whose zeros would meet the NaN of another row.
TEST_F(FusionNumericsTest, NaNStaysInItsRowAfterCanonicalisation) {
  AttentionSpec spec = makeBatched();
  spec.sizes['b'] = 1;
  AttentionGraph graph = build(spec);
  oracle::Random random(10);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  inputs[0].at({0, 3, 0}) = kNaN;
  FusionOutcome outcome = fuseAndRun(
      graph,
      makeOptions({makeLevel(graph, {{'b', 2}}), makeLevel(graph, {{'n', 6}})}),
      inputs, *executor, /*cleanUp=*/true);
  EXPECT_TRUE(outcome.isRight()) << outcome.reason;
}

TEST_F(FusionNumericsTest, TheStateOfARowWithNaNIsNaN) {
  AttentionSpec spec = makeSingle();
  spec.returnState = true;
  for (Form form : {Form::Eager, Form::Delayed}) {
    AttentionGraph graph = build(spec);
    oracle::Random random(9);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    inputs[0].at({3, 0}) = kNaN;
    FusionOutcome outcome =
        expectRight(graph, {makeLevel(graph, {{'n', 6}})}, form, inputs);
    if (outcome.isRight())
      for (size_t state : {1, 2})
        for (int64_t m = 0; m < spec.size('m'); ++m)
          EXPECT_EQ(std::isnan(outcome.execution.outputs[state].at({m})),
                    m == 3);
  }
}

TEST_F(FusionNumericsTest, AMaskedNaNDoesNotSpread) {
  // select(keep, s, -inf) drops the NaN of a masked key.
  AttentionSpec spec = makeSingle();
  spec.mask = MaskForm::Boolean;
  spec.maskDims = "n";
  for (Form form : {Form::Eager, Form::Delayed}) {
    AttentionGraph graph = build(spec);
    oracle::Random random(7);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    Tensor keep = makeKeep(spec);
    for (int64_t n : {0, 9, 19}) {
      keep.at({n}) = 0;
      inputs[1].at({n, 1}) = kNaN;
    }
    inputs[spec.maskInput()] = keep;
    FusionOutcome outcome =
        expectRight(graph, {makeLevel(graph, {{'n', 5}})}, form, inputs);
    if (outcome.isRight())
      for (double value : outcome.execution.outputs[0].data)
        EXPECT_FALSE(std::isnan(value));
  }
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

// Each within the bound that ErrorBound.h derives for these formats; and the
// bound is no larger than `loosest` of the largest value.
TEST_F(FusionNumericsTest, ElementTypes) {
  struct Types {
    DType type, score, prob, acc, out;
    double loosest;
  };
  const Types all[] = {
      {DType::F64, DType::F64, DType::F64, DType::F64, DType::F64, 1e-12},
      {DType::F32, DType::F32, DType::F32, DType::F32, DType::F32, 1e-3},
      {DType::F16, DType::F32, DType::F32, DType::F32, DType::F32, 1e-3},
      {DType::F16, DType::F32, DType::F16, DType::F32, DType::F16, 1e-2},
      {DType::F16, DType::F16, DType::F16, DType::F32, DType::F16, 0.1},
      {DType::BF16, DType::F32, DType::F32, DType::F32, DType::BF16, 5e-2},
      {DType::BF16, DType::F32, DType::BF16, DType::F32, DType::BF16, 5e-2},
      {DType::BF16, DType::BF16, DType::BF16, DType::F32, DType::F32, 0.5},
      // The root accumulates in f16 and bf16: fused it must do better.
      {DType::F16, DType::F16, DType::F16, DType::F16, DType::F16, 0.2},
  };
  for (const Types &types : all)
    for (Form form : {Form::Eager, Form::Delayed})
      for (int64_t tile : {1, 6, 20}) {
        AttentionSpec spec = makeBatched();
        spec.type = types.type;
        spec.scoreType = types.score;
        spec.probType = types.prob;
        spec.accType = types.acc;
        spec.outType = types.out;
        AttentionGraph graph = build(spec);
        oracle::Random random(8);
        InputRange range;
        range.score = 1;
        FusionOutcome outcome =
            expectRight(graph, rowsAndKeys(graph, 3, tile), form,
                        graph.randomInputs(random, range));
        EXPECT_LT(outcome.looseness, types.loosest) << spec.describe();
      }
}
