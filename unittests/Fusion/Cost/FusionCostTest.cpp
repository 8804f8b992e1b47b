//===- FusionCostTest.cpp - Costs against closed forms --------------------===//
//
// Sizes and tiles are chosen so that no two terms of a sum are equal and no
// tile divides. Letters are those of Support/Graphs.h. All tensors are f32;
// `kB` are the bytes of an element.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Fusion/Cost/FusionCost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace mlir::linalg_ext {
static bool operator==(const Cost &lhs, const Cost &rhs) {
  return lhs.flops == rhs.flops && lhs.bytesRead == rhs.bytesRead &&
         lhs.bytesWritten == rhs.bytesWritten;
}
static void PrintTo(const Cost &cost, std::ostream *os) {
  *os << "{" << cost.flops << ", " << cost.bytesRead << ", "
      << cost.bytesWritten << "}";
}
} // namespace mlir::linalg_ext

namespace {
constexpr uint64_t kB = 4;
// Queries, keys, head dimensions of q and k, and of v.
constexpr uint64_t M = 8, N = 20, D = 5, E = 6;

class FusionCostTest : public FusionTest {
protected:
  /// 8 queries, 20 keys, head dimensions 5 and 6; of `makeSingle`.
  static FusionCost estimate(const AttentionGraph &graph, const Levels &levels,
                             Form form = Form::Delayed) {
    return estimateFusionCost(plan(graph, levels, form),
                              getFusionCostOptions());
  }

  static OpCost lookup(const FusionCost &cost, Operation *op) {
    for (const OpCost &entry : cost.ops)
      if (entry.op == op)
        return entry;
    ADD_FAILURE() << "the cost lacks an op";
    return {};
  }

  /// The ops of a softmax written as `SoftmaxForm::Chain`.
  struct ChainOps {
    Operation *max, *exp, *sum, *quotient;
  };
  static ChainOps findChain(const AttentionGraph &graph) {
    SmallVector<Operation *> ops;
    func::FuncOp(graph.func).walk([&](linalg::GenericOp op) {
      if (op != graph.firstContraction && op != graph.root)
        ops.push_back(op);
    });
    EXPECT_EQ(ops.size(), 4u);
    return {ops[0], ops[1], ops[2], ops[3]};
  }

  static OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, context);
  }
  template <typename OpTy>
  static OpTy find(ModuleOp module) {
    OpTy found;
    module.walk([&](OpTy op) { found = op; });
    return found;
  }
  static FusionCost estimate(Operation *root, StringRef levels,
                             bool fuseConsumers = false) {
    TileAndFuseOptions options;
    options.fuseConsumers = fuseConsumers;
    std::string error;
    EXPECT_TRUE(succeeded(parseTilingLevels(levels, options.levels, error)));
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    return estimateFusionCost(*plan, getFusionCostOptions());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Unfused
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, UnfusedOpsReadAndWriteWholeTensors) {
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  // The scores are added to what is in the init.
  EXPECT_EQ(lookup(cost, graph.firstContraction).before,
            (Cost{2 * M * N * D, kB * (M * D + N * D + M * N), kB * M * N}));
  // Of four results, two are state, which is read too.
  EXPECT_EQ(lookup(cost, graph.softmax).before,
            (Cost{5 * M * N, kB * (M * N + 2 * M), kB * (M * N + 3 * M)}));
  EXPECT_EQ(lookup(cost, graph.root).before,
            (Cost{2 * M * N * E, kB * (M * N + N * E + M * E), kB * M * E}));
  // Besides these there are the fills of the scores, the state and the output.
  uint64_t fills = kB * (M * N + 2 * M + M * E);
  EXPECT_EQ(cost.getBefore().bytesWritten,
            fills + kB * (2 * M * N + 3 * M + M * E));
  EXPECT_FALSE(cost.assumesSizes);
  EXPECT_TRUE(cost.uncounted.empty());
}

//===----------------------------------------------------------------------===//
// Fused attention
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, FlashAttentionMovesNeitherScoresNorWeights) {
  // Queries in tiles of 3, 3, 2; for each, keys in tiles of 8, 8, 4.
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})});
  // A tile of q stays for the loop over keys; k is read for each tile of q.
  EXPECT_EQ(lookup(cost, graph.firstContraction).after,
            (Cost{2 * M * N * D, kB * (M * D + 3 * N * D), 0}));
  // Not normalised: an operation less.
  EXPECT_EQ(lookup(cost, graph.softmax).after, (Cost{4 * M * N, 0, 0}));
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * 3 * N * E, kB * M * E}));
  // One product for each element of the accumulator in each of the three tiles
  // of keys, and one at the end.
  EXPECT_EQ(cost.repairs, (Cost{3 * M * E + M * E, 0, 0}));
  EXPECT_EQ(cost.getAfter(),
            (Cost{2 * M * N * (D + E) + 4 * M * N + 4 * M * E,
                  kB * (M * D + 3 * N * (D + E)), kB * M * E}));
}

TEST_F(FusionCostTest, EagerNormalisationIsInEveryTile) {
  AttentionGraph graph = build(makeSingle());
  FusionCost cost =
      estimate(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})}, Form::Eager);
  EXPECT_EQ(lookup(cost, graph.softmax).after.flops, 5 * M * N);
  EXPECT_EQ(cost.repairs.flops, 3 * M * E);
}

TEST_F(FusionCostTest, WhatNoLoopIndexesIsReadInEveryIteration) {
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  EXPECT_EQ(lookup(cost, graph.firstContraction).after,
            (Cost{2 * M * N * D, kB * (3 * M * D + N * D), 0}));
  // Neither state nor accumulator are cut: they go to memory and back.
  EXPECT_EQ(lookup(cost, graph.softmax).after,
            (Cost{4 * M * N, kB * 3 * 2 * M, kB * 3 * 2 * M}));
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * (N * E + 3 * M * E), kB * 3 * M * E}));
}

TEST_F(FusionCostTest, QueriesInsideOfKeysMoveTheAccumulatorForEachTileOfKeys) {
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(
      graph, {makeLevel(graph, {{'m', 3}, {'n', 8}}, LoopKind::For, "nme")});
  // Now the tile of k stays, and q is read for each.
  EXPECT_EQ(lookup(cost, graph.firstContraction).after.bytesRead,
            kB * (3 * M * D + N * D));
  EXPECT_EQ(lookup(cost, graph.softmax).after,
            (Cost{4 * M * N, kB * 3 * 2 * M, kB * 3 * 2 * M}));
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * (N * E + 3 * M * E), kB * 3 * M * E}));
}

TEST_F(FusionCostTest, TilesOfTilesCountTheirRemainders) {
  // Keys in tiles of 16 and 4, and those in tiles of 3: 6 + 2 of them.
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(
      graph, {makeLevel(graph, {{'n', 16}}), makeLevel(graph, {{'n', 3}})});
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * (N * E + 8 * M * E), kB * 8 * M * E}));
  EXPECT_EQ(cost.repairs.flops, 8 * M * E + M * E);
}

TEST_F(FusionCostTest,
       RecomputedProducersCountForEachTileThatDoesNotIndexThem) {
  // Columns in tiles of 4 and 2: the scores are computed twice.
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(
      graph, {makeLevel(graph, {{'m', 3}, {'e', 4}}, LoopKind::Forall)});
  // The workers share nothing: q is read twice, and k by each of 6.
  EXPECT_EQ(lookup(cost, graph.firstContraction).after,
            (Cost{2 * (2 * M * N * D), kB * (2 * M * D + 6 * N * D), 0}));
  EXPECT_EQ(lookup(cost, graph.softmax).after.flops, 2 * (5 * M * N));
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * 3 * N * E, kB * M * E}));
  EXPECT_EQ(cost.repairs, (Cost{}));
}

TEST_F(FusionCostTest, IterationsOfAForallShareNothing) {
  // As with queries inside of keys above, but for the tile of k.
  AttentionGraph graph = build(makeSingle());
  FusionCost cost =
      estimate(graph, {makeLevel(graph, {{'n', 8}}),
                       makeLevel(graph, {{'m', 3}}, LoopKind::Forall)});
  EXPECT_EQ(lookup(cost, graph.firstContraction).after.bytesRead,
            kB * (3 * M * D + 3 * N * D));
}

TEST_F(FusionCostTest, KeptProducersCostWhatTheyDid) {
  AttentionGraph graph = build(makeSingle());
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'e', 4}})});
  OpCost softmax = lookup(cost, graph.softmax);
  EXPECT_EQ(softmax.before, softmax.after);
  // The weights are read for both tiles of columns.
  EXPECT_EQ(lookup(cost, graph.root).after.bytesRead, kB * (2 * M * N + N * E));
}

//===----------------------------------------------------------------------===//
// Chains that are not raised
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, AChainMovesWhatTheRaisedOpMoves) {
  AttentionSpec spec = makeSingle();
  AttentionGraph raised = build(spec);
  spec.softmaxForm = SoftmaxForm::Chain;
  AttentionGraph chain = build(spec);
  spec.softmaxForm = SoftmaxForm::Guarded;
  AttentionGraph guarded = build(spec);
  std::vector<std::function<Levels(const AttentionGraph &)>> all = {
      [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'m', 3}, {'n', 8}})};
      },
      [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'n', 8}})};
      },
      [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'m', 3}, {'n', 8}}, LoopKind::For, "nme")};
      },
      [](const AttentionGraph &graph) -> Levels {
        return {makeLevel(graph, {{'m', 3}}, LoopKind::Forall),
                makeLevel(graph, {{'n', 16}}), makeLevel(graph, {{'n', 3}})};
      }};
  for (const auto &makeLevels : all)
    for (Form form : {Form::Eager, Form::Delayed}) {
      Cost expected = estimate(raised, makeLevels(raised), form).getAfter();
      for (const AttentionGraph *graph : {&chain, &guarded}) {
        Cost after = estimate(*graph, makeLevels(*graph), form).getAfter();
        EXPECT_EQ(after.bytesRead, expected.bytesRead)
            << graph->spec.describe();
        EXPECT_EQ(after.bytesWritten, expected.bytesWritten)
            << graph->spec.describe();
      }
    }
}

TEST_F(FusionCostTest, NoMatrixOfAChainIsMoved) {
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Chain;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})});
  EXPECT_EQ(lookup(cost, graph.firstContraction).after,
            (Cost{2 * M * N * D, kB * (M * D + 3 * N * D), 0}));
  EXPECT_EQ(lookup(cost, graph.root).after,
            (Cost{2 * M * N * E, kB * 3 * N * E, kB * M * E}));
  ChainOps chain = findChain(graph);
  for (Operation *op : {chain.max, chain.sum, chain.quotient})
    EXPECT_EQ(lookup(cost, op).after, (Cost{M * N, 0, 0}));
  EXPECT_EQ(lookup(cost, chain.exp).after, (Cost{2 * M * N, 0, 0}));
  // For each of the three tiles of keys: the sum and the root follow the
  // maximum. The root follows the sum at the end.
  EXPECT_EQ(cost.repairs, (Cost{3 * (M + M * E) + M * E, 0, 0}));
  // Or in every tile.
  cost = estimate(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})}, Form::Eager);
  EXPECT_EQ(cost.repairs, (Cost{3 * (M + M * E + M * E), 0, 0}));
}

TEST_F(FusionCostTest, StatesOfAChainThatNoLoopKeepsAreMovedInEveryIteration) {
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Chain;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  ChainOps chain = findChain(graph);
  for (Operation *op : {chain.max, chain.sum})
    EXPECT_EQ(lookup(cost, op).after, (Cost{M * N, kB * 3 * M, kB * 3 * M}));
}

TEST_F(FusionCostTest, WhatFollowsAStateIsComputedInEveryIteration) {
  OwningOpRef<ModuleOp> module = parse(R"(
    #x = affine_map<(m, n) -> (m, n)>
    #m = affine_map<(m, n) -> (m)>
    #r = affine_map<(m) -> (m)>
    func.func @f(%x: tensor<8x20xf32>, %y: tensor<8x20xf32>,
                 %v: tensor<20x6xf32>, %e: tensor<8xf32>, %z: tensor<8x6xf32>)
        -> tensor<8x6xf32> {
      %ninf = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %m0 = linalg.fill ins(%ninf : f32) outs(%e : tensor<8xf32>)
          -> tensor<8xf32>
      %m = linalg.generic {indexing_maps = [#x, #m],
                           iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<8x20xf32>) outs(%m0 : tensor<8xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %r = arith.maximumf %a, %acc : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      %twice = linalg.generic {indexing_maps = [#r, #r],
                               iterator_types = ["parallel"]}
          ins(%m : tensor<8xf32>) outs(%e : tensor<8xf32>) attrs = {whole} {
      ^bb0(%a: f32, %out: f32):
        %r = arith.addf %a, %a : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      %p = linalg.generic {indexing_maps = [#x, #m, #x],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x, %twice : tensor<8x20xf32>, tensor<8xf32>)
          outs(%y : tensor<8x20xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %d = arith.subf %a, %b : f32
        %r = math.exp %d : f32
        linalg.yield %r : f32
      } -> tensor<8x20xf32>
      %0 = linalg.fill ins(%zero : f32) outs(%z : tensor<8x6xf32>)
          -> tensor<8x6xf32>
      %1 = linalg.matmul ins(%p, %v : tensor<8x20xf32>, tensor<20x6xf32>)
          outs(%0 : tensor<8x6xf32>) -> tensor<8x6xf32>
      return %1 : tensor<8x6xf32>
    })");
  auto root = find<linalg::MatmulOp>(*module);
  Operation *whole = nullptr;
  module->walk([&](linalg::GenericOp op) {
    if (op->hasAttr("whole"))
      whole = op;
  });
  // In each of three iterations, and moves nothing, being made from what is
  // there.
  EXPECT_EQ(lookup(estimate(root, "for(0, 0, 8)"), whole).after,
            (Cost{3 * M, 0, 0}));
  // Tiles of rows are 3, 3 and 2.
  FusionCost cost = estimate(root, "for(3, 0, 8)");
  EXPECT_EQ(lookup(cost, whole).after, (Cost{3 * M, 0, 0}));
  EXPECT_EQ(cost.repairs, (Cost{3 * M * E, 0, 0}));
}

TEST_F(FusionCostTest, FinalStatesServeWhoeverNeedsTheWeights) {
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Chain;
  spec.returnWeights = true;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  ChainOps chain = findChain(graph);
  for (Operation *op : {chain.max, chain.sum})
    EXPECT_EQ(lookup(cost, op).after, (Cost{M * N, kB * 3 * M, kB * 3 * M}));
  EXPECT_EQ(lookup(cost, chain.exp).after.flops, 2 * (2 * M * N));
  EXPECT_EQ(lookup(cost, chain.quotient).after.flops, 2 * M * N);
}

//===----------------------------------------------------------------------===//
// What leaves the nest
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, YieldedResultsAreWrittenOnce) {
  AttentionSpec spec = makeSingle();
  spec.returnState = spec.returnScores = true;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'m', 3}})});
  EXPECT_EQ(lookup(cost, graph.softmax).after.bytesWritten, kB * 2 * M);
  EXPECT_EQ(lookup(cost, graph.firstContraction).after.bytesWritten,
            kB * M * N);
}

TEST_F(FusionCostTest, OpsThatAreAlsoNeededWholeCountTwice) {
  // Weights that have seen some keys only do not leave the loops.
  AttentionSpec spec = makeSingle();
  spec.returnWeights = true;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  OpCost softmax = lookup(cost, graph.softmax);
  EXPECT_EQ(
      softmax.after,
      (Cost{5 * M * N + 4 * M * N, softmax.before.bytesRead + kB * 3 * 2 * M,
            softmax.before.bytesWritten + kB * 3 * 2 * M}));
  OpCost scores = lookup(cost, graph.firstContraction);
  EXPECT_EQ(scores.after,
            (Cost{2 * (2 * M * N * D),
                  scores.before.bytesRead + kB * (3 * M * D + N * D),
                  scores.before.bytesWritten}));
}

TEST_F(FusionCostTest, WholeRowsThatALevelYieldsAreComputedInItsLoops) {
  AttentionSpec spec = makeSingle();
  spec.returnWeights = true;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})});
  EXPECT_EQ(lookup(cost, graph.softmax).after,
            (Cost{5 * M * N + 4 * M * N, 0, kB * M * N}));
  EXPECT_EQ(lookup(cost, graph.firstContraction).after,
            (Cost{2 * (2 * M * N * D), 2 * kB * (M * D + 3 * N * D), 0}));
}

TEST_F(FusionCostTest, WhatFollowsTheRootReadsItsTileWhereItIs) {
  OwningOpRef<ModuleOp> module = parse(R"(
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: tensor<10x8xf32>, %b: tensor<8x12xf32>,
                 %bias: tensor<12xf32>, %c: tensor<10x12xf32>,
                 %out: tensor<12x10xf16>) -> tensor<12x10xf16> {
      %e = tensor.empty() : tensor<10x12xf32>
      %0 = linalg.matmul ins(%a, %b : tensor<10x8xf32>, tensor<8x12xf32>)
          outs(%c : tensor<10x12xf32>) -> tensor<10x12xf32>
      %1 = linalg.generic {
          indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%0, %bias : tensor<10x12xf32>, tensor<12xf32>)
          outs(%e : tensor<10x12xf32>) attrs = {first} {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<10x12xf32>
      %2 = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (j, i)>, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%1 : tensor<10x12xf32>) outs(%out : tensor<12x10xf16>) {
      ^bb0(%x: f32, %z: f16):
        %t = arith.truncf %x : f32 to f16
        linalg.yield %t : f16
      } -> tensor<12x10xf16>
      return %2 : tensor<12x10xf16>
    })");
  auto root = find<linalg::MatmulOp>(*module);
  Operation *first = nullptr, *second = nullptr;
  module->walk([&](linalg::GenericOp op) {
    (op->hasAttr("first") ? first : second) = op;
  });
  // Rows in tiles of 4, 4, 2, columns in tiles of 5, 5, 2.
  FusionCost cost =
      estimate(root, "forall(4, 5) for(0, 0, 4)", /*fuseConsumers=*/true);
  EXPECT_EQ(
      lookup(cost, root).after,
      (Cost{2 * 10 * 12 * 8, kB * (3 * 10 * 8 + 3 * 8 * 12 + 10 * 12), 0}));
  EXPECT_EQ(lookup(cost, first).before,
            (Cost{10 * 12, kB * (10 * 12 + 12), kB * 10 * 12}));
  EXPECT_EQ(lookup(cost, first).after, (Cost{10 * 12, kB * 3 * 12, 0}));
  EXPECT_EQ(lookup(cost, second).after, (Cost{0, 0, 2 * 10 * 12}));
  // Unless they are asked for, they are none of the fusion's.
  EXPECT_EQ(estimate(root, "forall(4, 5)").ops.size(), 1u);
  // An accumulator that the loop over products does not keep is read back.
  cost = estimate(root, "forall(4) for(0, 5, 4) interchange(2, 1, 0)",
                  /*fuseConsumers=*/true);
  EXPECT_EQ(lookup(cost, root).after.bytesWritten, kB * 2 * 10 * 12);
  EXPECT_EQ(lookup(cost, first).after.bytesRead, kB * (10 * 12 + 3 * 12));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, DynamicSizesAreAssumed) {
  AttentionSpec spec = makeSingle();
  spec.sizes['m'] = spec.sizes['n'] = 37;
  AttentionGraph known = build(spec);
  spec.dynamic = "mn";
  AttentionGraph unknown = build(spec);
  auto levels = [](const AttentionGraph &graph) {
    return Levels{makeLevel(graph, {{'m', 3}, {'n', 8}})};
  };
  FusionCostOptions options = getFusionCostOptions();
  options.dynamicSize = 37;
  FusionCost assumed =
      estimateFusionCost(plan(unknown, levels(unknown)), options);
  FusionCost cost = estimate(known, levels(known));
  EXPECT_TRUE(assumed.assumesSizes);
  EXPECT_EQ(assumed.getBefore(), cost.getBefore());
  EXPECT_EQ(assumed.getAfter(), cost.getAfter());
}

TEST_F(FusionCostTest, SumsThatDoNotFitStayAtTheLargestValue) {
  AttentionSpec spec = makeSingle();
  spec.dynamic = "mnde";
  AttentionGraph graph = build(spec);
  FusionCostOptions options = getFusionCostOptions();
  options.dynamicSize = std::numeric_limits<int64_t>::max();
  FusionCost cost = estimateFusionCost(
      plan(graph, {makeLevel(graph, {{'m', 3}, {'n', 8}})}), options);
  EXPECT_EQ(cost.getAfter().flops, std::numeric_limits<uint64_t>::max());
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, MatmulInTiles) {
  // 7 x 11 of 13 products; rows in tiles of 4, 3, columns in tiles of 5, 5, 1.
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%a: tensor<7x13xf32>, %b: tensor<13x11xf32>,
                 %c: tensor<7x11xf32>) -> tensor<7x11xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<7x13xf32>, tensor<13x11xf32>)
          outs(%c : tensor<7x11xf32>) -> tensor<7x11xf32>
      return %0 : tensor<7x11xf32>
    })");
  auto root = find<linalg::MatmulOp>(*module);
  Cost whole = {2 * 7 * 11 * 13, kB * (7 * 13 + 13 * 11 + 7 * 11), kB * 7 * 11};
  FusionCost cost = estimate(root, "for(4, 5)");
  EXPECT_EQ(cost.getBefore(), whole);
  EXPECT_EQ(
      cost.getAfter(),
      (Cost{whole.flops, kB * (7 * 13 + 2 * 13 * 11 + 7 * 11), kB * 7 * 11}));
  // In a forall nobody shares the tile of %a.
  EXPECT_EQ(estimate(root, "forall(4, 5)").getAfter().bytesRead,
            kB * (3 * 7 * 13 + 2 * 13 * 11 + 7 * 11));
  // The reduction inside: the accumulator stays.
  EXPECT_EQ(estimate(root, "for(4, 5, 6)").getAfter(),
            (Cost{whole.flops, kB * (3 * 7 * 13 + 2 * 13 * 11 + 7 * 11),
                  kB * 7 * 11}));
}

TEST_F(FusionCostTest, OverlappingTilesAreReadWithTheirOverlap) {
  // Windows of 3; outputs in tiles of 4, 4, 2 need 6, 6, 4 inputs, each
  // computed there.
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<12xf32>, %e: tensor<12xf32>, %w: tensor<3xf32>,
                 %y: tensor<10xf32>) -> tensor<10xf32> {
      %0 = linalg.exp ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>)
          -> tensor<12xf32>
      %1 = linalg.conv_1d ins(%0, %w : tensor<12xf32>, tensor<3xf32>)
          outs(%y : tensor<10xf32>) -> tensor<10xf32>
      return %1 : tensor<10xf32>
    })");
  FusionCost cost = estimate(find<linalg::Conv1DOp>(*module), "for(4)");
  EXPECT_EQ(lookup(cost, find<linalg::ExpOp>(*module)).after,
            (Cost{16, kB * 16, 0}));
  EXPECT_EQ(lookup(cost, find<linalg::Conv1DOp>(*module)).after,
            (Cost{2 * 3 * 10, kB * (3 * 3 + 10), kB * 10}));
}

TEST_F(FusionCostTest, SeveralTilesCountAsTheLargest) {
  // For tiles of 4, 4, 2 one user takes as many elements, the other, with
  // windows of 3, takes 6, 6, 4.
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<12xf32>, %e: tensor<12xf32>, %w: tensor<3xf32>,
                 %z: tensor<10xf32>, %y: tensor<10xf32>) -> tensor<10xf32> {
      %0 = linalg.exp ins(%x : tensor<12xf32>) outs(%e : tensor<12xf32>)
          -> tensor<12xf32>
      %1 = linalg.conv_1d ins(%0, %w : tensor<12xf32>, tensor<3xf32>)
          outs(%z : tensor<10xf32>) -> tensor<10xf32>
      %2 = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i + 2)>, affine_map<(i) -> (i)>,
                           affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%0, %1 : tensor<12xf32>, tensor<10xf32>)
          outs(%y : tensor<10xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        linalg.yield %p : f32
      } -> tensor<10xf32>
      return %2 : tensor<10xf32>
    })");
  FusionCost cost = estimate(find<linalg::GenericOp>(*module), "for(4)");
  EXPECT_EQ(lookup(cost, find<linalg::ExpOp>(*module)).after.flops, 16u);
}

TEST_F(FusionCostTest, WholeOperandsAreReadInEveryIterationInsideOfAForallToo) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<7x11xf32>, %w: tensor<13xf32>,
                 %y: tensor<7x11xf32>) -> tensor<7x11xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(i, j, k) -> (i, j)>,
                           affine_map<(i, j, k) -> (k)>,
                           affine_map<(i, j, k) -> (i, j)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %w : tensor<7x11xf32>, tensor<13xf32>)
          outs(%y : tensor<7x11xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %p, %acc : f32
        linalg.yield %s : f32
      } -> tensor<7x11xf32>
      return %0 : tensor<7x11xf32>
    })");
  // 2 workers with 3 iterations each.
  FusionCost cost =
      estimate(find<linalg::GenericOp>(*module), "forall(4) for(0, 5)");
  EXPECT_EQ(cost.getAfter().bytesRead, kB * (2 * 7 * 11 + 6 * 13));
}

TEST_F(FusionCostTest, ViewsMoveNothing) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<7x2x3xf32>, %b: tensor<6x5xf32>,
                 %c: tensor<7x5xf32>) -> tensor<7x5xf32> {
      %0 = tensor.collapse_shape %x [[0], [1, 2]]
          : tensor<7x2x3xf32> into tensor<7x6xf32>
      %1 = linalg.matmul ins(%0, %b : tensor<7x6xf32>, tensor<6x5xf32>)
          outs(%c : tensor<7x5xf32>) -> tensor<7x5xf32>
      return %1 : tensor<7x5xf32>
    })");
  FusionCost cost = estimate(find<linalg::MatmulOp>(*module), "for(0, 2)");
  EXPECT_EQ(lookup(cost, find<tensor::CollapseShapeOp>(*module)).before,
            (Cost{}));
  Cost before = cost.getBefore();
  EXPECT_EQ(before.bytesRead, kB * (7 * 6 + 6 * 5 + 7 * 5));
  // Rows, which index it: what it views is read once, by whoever reads it.
  cost = estimate(find<linalg::MatmulOp>(*module), "for(4)");
  EXPECT_EQ(cost.getAfter().bytesRead, kB * (7 * 6 + 2 * 6 * 5 + 7 * 5));
}

//===----------------------------------------------------------------------===//
// Scalar operations
//===----------------------------------------------------------------------===//

TEST_F(FusionCostTest, ScalarOperationsAreThoseOfThePayload) {
  OwningOpRef<ModuleOp> module = parse(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant 2.0 : f32
      %0 = linalg.generic {indexing_maps = [#id, #id],
                           iterator_types = ["parallel"]}
          ins(%x : tensor<4xbf16>) outs(%y : tensor<4xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %i = linalg.index 0 : index
        %j = arith.addi %i, %i : index
        %w = arith.extf %in : bf16 to f32
        %k = arith.constant 3.0 : f32
        %e = math.exp %w : f32
        %m = math.fma %e, %k, %c : f32
        %p = arith.cmpf ogt, %m, %out : f32
        %s = arith.select %p, %m, %out : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_EQ(countScalarOps(find<linalg::GenericOp>(*module)), 3u);
}

TEST_F(FusionCostTest, OpsWhoseOperationsAreNotKnownAreNamed) {
  AttentionGraph graph = build(makeSingle());
  EXPECT_EQ(countScalarOps(graph.softmax), std::nullopt);
  FusionCost cost = estimateFusionCost(
      plan(graph, {makeLevel(graph, {{'n', 8}})}), FusionCostOptions());
  EXPECT_EQ(cost.uncounted, SmallVector<Operation *>({graph.softmax}));
  EXPECT_EQ(lookup(cost, graph.softmax).after.flops, 0u);
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

// x - mean(x) times v. The derivative in the mean is a sum of -v along the
// keys, beside which the loops count the keys of a row and scale the mean by
// that (three operations for each row and tile).
TEST_F(FusionCostTest, DerivativesCount) {
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Center;
  spec.scoresAreInput = true;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  const uint64_t tiles = 3;
  EXPECT_EQ(cost.derivatives.flops, 2 * N * E + M * N + 3 * M * tiles);
  // By Horner's rule, in each tile.
  EXPECT_EQ(cost.repairs.flops, 2 * M * E * tiles);
  // The mean is computed in each tile.
  EXPECT_EQ(cost.getAfter().flops, cost.getBefore().flops + M * (tiles - 1) +
                                       cost.derivatives.flops +
                                       cost.repairs.flops);
}

// (x - mean(x))^2 times v has a derivative as large as itself, which is
// repaired by the second one as the root is by both.
TEST_F(FusionCostTest, ADerivativeMayBeASecondContraction) {
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Center;
  spec.scoresAreInput = true;
  spec.rootForm = RootForm::Square;
  AttentionGraph graph = build(spec);
  FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
  const uint64_t tiles = 3;
  EXPECT_GT(cost.derivatives.flops, 2 * M * N * E);
  EXPECT_EQ(cost.repairs.flops, (4 + 2) * M * E * tiles);
}

// What the loops are made from is estimated, and nothing built, where there are
// no derivatives; and where there are, the program stays as it is.
TEST_F(FusionCostTest, EstimatingLeavesTheProgramAlone) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::LayerNorm}) {
    AttentionSpec spec = makeSingle();
    spec.softmaxForm = form;
    AttentionGraph graph = build(spec);
    std::string before = linalg_ext_test::print(*graph.module);
    FusionCost cost = estimate(graph, {makeLevel(graph, {{'n', 8}})});
    EXPECT_EQ(cost.derivatives.flops != 0, form == SoftmaxForm::LayerNorm);
    EXPECT_EQ(linalg_ext_test::print(*graph.module), before);
  }
}
