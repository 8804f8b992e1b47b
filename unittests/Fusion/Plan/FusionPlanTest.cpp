//===- FusionPlanTest.cpp - What a plan says ------------------------------===//
//
// Planning reads the untiled IR, builds nothing, and names what will happen to
// every producer at every level and how the root's accumulator is repaired; or
// it refuses with a reason. Letters are those of Support/Graphs.h: `m` queries,
// `n` keys, `e` the dimension of the values, `b` batch.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class FusionPlanTest : public FusionTest {
protected:
  static const PlannedProducer &lookup(const FusionPlan &plan, unsigned level,
                                       Operation *op) {
    const PlannedProducer *producer = plan.levels[level].lookup(op);
    EXPECT_TRUE(producer);
    static PlannedProducer none;
    return producer ? *producer : none;
  }
  /// The dimensions of the accumulator that those of the state are.
  static SmallVector<int64_t> getDims(const PlannedFactor &factor) {
    SmallVector<int64_t> dims;
    for (const RowGroup &group : factor.value.rows) {
      EXPECT_TRUE(group.isPlain());
      dims.append(group.valueDims);
    }
    return dims;
  }
};
} // namespace

TEST_F(FusionPlanTest, PlanningBuildsNothing) {
  AttentionGraph graph = build(makeSingle());
  std::string before = print(*graph.module);
  plan(graph, {makeLevel(graph, {{'m', 4}, {'n', 8}})});
  EXPECT_EQ(print(*graph.module), before);
  refuse(graph.root, {makeLevel(graph, {{'n', 8}}, LoopKind::Forall)});
  EXPECT_EQ(print(*graph.module), before);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

TEST_F(FusionPlanTest, AForNestIsOneLevelForEachLoop) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(graph, {makeLevel(graph, {{'m', 4}, {'n', 8}})});
  ASSERT_EQ(p.levels.size(), 2u);
  EXPECT_EQ(p.levels[0].level.tileSizes, graph.tiles({{'m', 4}}));
  EXPECT_EQ(p.levels[1].level.tileSizes, graph.tiles({{'n', 8}}));
}

TEST_F(FusionPlanTest, InterchangeOrdersTheLevels) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(
      graph, {makeLevel(graph, {{'m', 4}, {'n', 8}}, LoopKind::For, "nem")});
  ASSERT_EQ(p.levels.size(), 2u);
  EXPECT_TRUE(p.levels[0].dims.test(graph.loop('n')));
  EXPECT_TRUE(p.levels[1].dims.test(graph.loop('m')));
}

TEST_F(FusionPlanTest, AForallIsOneLevel) {
  AttentionGraph graph = build(makeBatched());
  FusionPlan p =
      plan(graph, {makeLevel(graph, {{'b', 1}, {'m', 4}}, LoopKind::Forall),
                   makeLevel(graph, {{'n', 8}})});
  ASSERT_EQ(p.levels.size(), 2u);
  EXPECT_EQ(p.levels[0].level.kind, LoopKind::Forall);
  EXPECT_EQ(p.levels[0].dims.count(), 2u);
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

TEST_F(FusionPlanTest, ALevelOfRowsFusesEverythingAndRepairsNothing) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(graph, {makeLevel(graph, {{'m', 4}})});
  EXPECT_TRUE(p.repairs.empty());
  EXPECT_TRUE(lookup(p, 0, graph.softmax).fused);
  for (const PlannedProducer &producer : p.levels[0].producers) {
    EXPECT_TRUE(producer.fused);
    EXPECT_FALSE(producer.partial);
  }
}

TEST_F(FusionPlanTest, ALevelOfKeysCarriesTheState) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})});
  const PlannedProducer &softmax = lookup(p, 0, graph.softmax);
  EXPECT_TRUE(softmax.fused);
  EXPECT_TRUE(softmax.partial);
  EXPECT_FALSE(softmax.recomputed);
  // The max and the sum.
  EXPECT_EQ(softmax.yieldedResults, SmallVector<unsigned>({1, 2}));
  // The scores are computed tile by tile, in the same loop.
  EXPECT_TRUE(lookup(p, 0, graph.firstContraction).fused);
}

TEST_F(FusionPlanTest, InitsOfWhatIsCutStayOutside) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})});
  auto dpsRoot = cast<DestinationStyleOpInterface>(graph.root);
  Operation *rootInit = dpsRoot.getDpsInits()[0].getDefiningOp();
  EXPECT_FALSE(lookup(p, 0, rootInit).fused);
  EXPECT_EQ(lookup(p, 0, rootInit).refusal.kind, RefusalKind::Intended);
  for (unsigned state : {1, 2})
    EXPECT_FALSE(lookup(p, 0,
                        cast<DestinationStyleOpInterface>(graph.softmax)
                            .getDpsInits()[state]
                            .getDefiningOp())
                     .fused);
}

TEST_F(FusionPlanTest, TheOptionsMayKeepAProducerOutside) {
  AttentionGraph graph = build(makeSingle());
  TileAndFuseOptions options;
  options.levels = {makeLevel(graph, {{'m', 4}})};
  SmallVector<Operation *> asked;
  options.mayFuse = [&](const PlannedProducer &producer) {
    asked.push_back(producer.op);
    EXPECT_FALSE(producer.severalTiles);
    return producer.op != graph.firstContraction;
  };
  Refusal refusal;
  FailureOr<FusionPlan> p = planTileAndFuse(graph.root, options, refusal);
  ASSERT_TRUE(succeeded(p)) << refusal.text;
  const PlannedProducer &softmax = lookup(*p, 0, graph.softmax);
  EXPECT_TRUE(softmax.fused);
  // Rows of the softmax are rows of the root, and columns are whole.
  ASSERT_EQ(softmax.cutBy.size(), 2u);
  EXPECT_EQ(softmax.cutBy[0], p->levels[0].dims);
  EXPECT_TRUE(softmax.cutBy[1].none());
  const PlannedProducer &scores = lookup(*p, 0, graph.firstContraction);
  EXPECT_FALSE(scores.fused);
  EXPECT_EQ(scores.refusal.kind, RefusalKind::Intended);
  // Users come first, and nobody asks for what the scores alone need.
  EXPECT_LT(llvm::find(asked, graph.softmax),
            llvm::find(asked, graph.firstContraction));
  for (Value operand : graph.firstContraction->getOperands())
    EXPECT_FALSE(llvm::is_contained(asked, operand.getDefiningOp()));
}

TEST_F(FusionPlanTest, ColumnsOutsideOfKeysLeaveTheSoftmaxOutside) {
  // Whole rows are computed once, instead of once for each tile of columns.
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(
      graph, {makeLevel(graph, {{'e', 2}, {'n', 8}}, LoopKind::For, "en")});
  EXPECT_FALSE(lookup(p, 0, graph.softmax).fused);
  EXPECT_TRUE(p.repairs.empty());
}

TEST_F(FusionPlanTest, ColumnsInsideOfKeysDoNotVisitTheStateAgain) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p = plan(
      graph, {makeLevel(graph, {{'e', 2}, {'n', 8}}, LoopKind::For, "ne")});
  EXPECT_TRUE(lookup(p, 0, graph.softmax).fused);
  EXPECT_FALSE(lookup(p, 1, graph.softmax).fused);
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(p.lastLevel, 0u);
}

TEST_F(FusionPlanTest, AReductionWithoutMapsStaysOutside) {
  // What a level cuts of linalg.softmax is not known; it refuses tiles, too.
  AttentionSpec spec = makeSingle();
  spec.softmaxForm = SoftmaxForm::Named;
  for (char letter : {'m', 'n'}) {
    AttentionGraph graph = build(spec);
    FusionPlan p = plan(graph, {makeLevel(graph, {{letter, 3}})});
    const PlannedProducer &softmax = lookup(p, 0, graph.softmax);
    EXPECT_FALSE(softmax.fused);
    EXPECT_EQ(softmax.refusal.kind, RefusalKind::UnknownCut)
        << softmax.refusal.text;
    // Nor is what it reads fused, which only it uses.
    EXPECT_FALSE(p.levels[0].lookup(graph.firstContraction));
  }
}

TEST_F(FusionPlanTest, AForallOverRowsAndColumnsRecomputes) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p =
      plan(graph, {makeLevel(graph, {{'m', 4}, {'e', 2}}, LoopKind::Forall),
                   makeLevel(graph, {{'n', 8}})});
  EXPECT_TRUE(lookup(p, 0, graph.softmax).recomputed);
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(p.firstLevel, 1u);
}

//===----------------------------------------------------------------------===//
// Repairs
//===----------------------------------------------------------------------===//

TEST_F(FusionPlanTest, TheRepairScalesTheRowsOfTheAccumulator) {
  AttentionGraph graph = build(makeSingle());
  for (Form form : {Form::Eager, Form::Delayed}) {
    FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})}, form);
    ASSERT_EQ(p.repairs.size(), 1u);
    const PlannedRepair &repair = p.repairs[0];
    EXPECT_EQ(repair.accumulator, graph.root);
    EXPECT_EQ(repair.resultNumber, 0u);
    ASSERT_EQ(repair.factors.size(), 1u);
    EXPECT_EQ(repair.factors[0].source, graph.softmax);
    EXPECT_EQ(repair.factors[0].measure, Measure::Given);
    EXPECT_EQ(repair.factors[0].value.degree.kind, RepairKind::Scale);
    EXPECT_EQ(repair.factors[0].value.degree.coefficient, 1.0);
    EXPECT_EQ(getDims(repair.factors[0]), SmallVector<int64_t>({0}));
    ASSERT_EQ(p.states.size(), 1u);
    EXPECT_EQ(p.states[0].normalization, form);
  }
}

TEST_F(FusionPlanTest, TheRepairFollowsTheRowsWhereverTheyAre) {
  // The rows (b, m) of scores [n, b, m] are dims 2 and 0 of out [m, e, b],
  // which the softmax reaches as the right operand.
  AttentionSpec spec = makeBatched();
  spec.scores = "nbm";
  spec.out = "meb";
  spec.pvSwapped = true;
  AttentionGraph graph = build(spec);
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})});
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(getDims(p.repairs[0].factors[0]), SmallVector<int64_t>({2, 0}));
}

TEST_F(FusionPlanTest, TheStateIsCarriedFromTheFirstCutOfTheKeysInwards) {
  AttentionGraph graph = build(makeSingle());
  FusionPlan p =
      plan(graph, {makeLevel(graph, {{'m', 4}}), makeLevel(graph, {{'n', 8}}),
                   makeLevel(graph, {{'m', 2}, {'n', 4}})});
  ASSERT_EQ(p.levels.size(), 4u);
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(p.firstLevel, 1u);
  EXPECT_EQ(p.lastLevel, 3u);
}

TEST_F(FusionPlanTest, TheWayToTheRootIsPartOfTheRepair) {
  // A cast, a scaling and a transposition hand the repair on.
  AttentionSpec spec = makeSingle();
  spec.type = spec.probType = oracle::DType::F16;
  spec.probFactor = 0.5;
  spec.probDims = "nm";
  AttentionGraph graph = build(spec);
  FusionPlan p = plan(graph, {makeLevel(graph, {{'n', 8}})});
  ASSERT_EQ(p.repairs.size(), 1u);
  EXPECT_EQ(p.stateDependent.size(), 4u);
  EXPECT_EQ(p.exactness, Exactness::Rounding);
  EXPECT_EQ(getDims(p.repairs[0].factors[0]), SmallVector<int64_t>({0}));
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST_F(FusionPlanTest, LevelsThatMakeNoSense) {
  AttentionGraph graph = build(makeSingle());
  TilingLevel good = makeLevel(graph, {{'m', 4}});
  auto expectRefusal = [&](const Levels &levels, StringRef text,
                           RefusalKind kind = RefusalKind::Other) {
    Refusal refusal = refuse(graph.root, levels);
    EXPECT_EQ(refusal.kind, kind) << refusal.text;
    EXPECT_EQ(refusal.op, graph.root);
    EXPECT_TRUE(StringRef(refusal.text).contains(text)) << refusal.text;
  };
  expectRefusal({}, "at least one level", RefusalKind::NoLevels);
  TilingLevel level = good;
  level.tileSizes = {0, 0, 0};
  expectRefusal({level}, "at least one dimension", RefusalKind::NoLevels);
  level.tileSizes = {1, 1, 1, 1};
  expectRefusal({level}, "at most 3 tile sizes", RefusalKind::TooManyTileSizes);
  level.tileSizes = {-1};
  expectRefusal({level}, "not negative");
  level = good;
  level.interchange = {0, 0, 1};
  expectRefusal({level}, "permutation");
  level.interchange = {0, 1};
  expectRefusal({level}, "permutation");
  level = good;
  level.mapping = {UnitAttr::get(context)};
  expectRefusal({level}, "mapping");
  level.kind = LoopKind::Forall;
  level.mapping.push_back(UnitAttr::get(context));
  expectRefusal({level}, "mapping");
}

TEST_F(FusionPlanTest, AForallOverAReductionWouldRace) {
  AttentionGraph graph = build(makeSingle());
  Refusal refusal =
      refuse(graph.root, {makeLevel(graph, {{'n', 8}}, LoopKind::Forall)});
  EXPECT_EQ(refusal.kind, RefusalKind::Race) << refusal.text;
}

TEST_F(FusionPlanTest, ARowThatIsSummedUpCannotBeRepaired) {
  AttentionSpec spec = makeSingle();
  spec.out = "e";
  AttentionGraph graph = build(spec);
  Refusal refusal = refuse(graph.root, {makeLevel(graph, {{'n', 8}})});
  EXPECT_EQ(refusal.kind, RefusalKind::NotRepairable);
  EXPECT_EQ(refusal.op, graph.root);
  EXPECT_TRUE(StringRef(refusal.text).contains("contracted")) << refusal.text;
  // With the keys whole there is nothing to repair.
  plan(graph, {makeLevel(graph, {{'e', 2}})});
}

TEST_F(FusionPlanTest, TheRootMustBeLinearInTheWeights) {
  AttentionSpec spec = makeSingle();
  spec.rootForm = RootForm::Shifted;
  AttentionGraph graph = build(spec);
  EXPECT_EQ(refuse(graph.root, {makeLevel(graph, {{'n', 8}})}).kind,
            RefusalKind::NotRepairable);
  plan(graph, {makeLevel(graph, {{'m', 4}})});
}

TEST_F(FusionPlanTest, TheRootMayBeTheMaximumOfTheWeights) {
  AttentionSpec spec = makeSingle();
  spec.rootForm = RootForm::Max;
  AttentionGraph graph = build(spec);
  EXPECT_EQ(plan(graph, {makeLevel(graph, {{'n', 8}})}).repairs.size(), 1u);
}

TEST_F(FusionPlanTest, ASoftmaxIsNoRootAlongItsOwnDimension) {
  AttentionGraph graph = build(makeSingle());
  TilingLevel level;
  level.tileSizes = {0, 8};
  Refusal refusal = refuse(graph.softmax, {level});
  EXPECT_EQ(refusal.kind, RefusalKind::NotAccumulated) << refusal.text;
  level.tileSizes = {4, 0};
  Refusal unused;
  EXPECT_TRUE(
      succeeded(planTileAndFuse(graph.softmax, makeOptions({level}), unused)));
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

TEST_F(FusionPlanTest, TheRootIsTheContractionThatTheSoftmaxFeeds) {
  AttentionGraph graph = build(makeBatched());
  SmallVector<Operation *> roots =
      findFusionRoots(graph.func, "linalg_ext.root");
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots.front(), graph.root);
}

TEST_F(FusionPlanTest, AMarkedRootCounts) {
  AttentionGraph graph = build(makeBatched());
  graph.firstContraction->setDiscardableAttr("linalg_ext.root",
                                             UnitAttr::get(context));
  SmallVector<Operation *> roots =
      findFusionRoots(graph.func, "linalg_ext.root");
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots.front(), graph.firstContraction);
}

TEST_F(FusionPlanTest, APlanPrints) {
  AttentionSpec spec = makeSingle();
  spec.pvForm = ContractionForm::Named;
  AttentionGraph graph = build(spec);
  FusionPlan p = plan(graph, {makeLevel(graph, {{'m', 4}, {'n', 8}})});
  std::string text;
  llvm::raw_string_ostream os(text);
  p.print(os);
  for (const char *part :
       {"root 'linalg.matmul'", "level 0: for tiles [4, 0, 0]",
        "level 1: for tiles [0, 0, 8]",
        "fuse 'linalg_ext.softmax', partial, yields [1, 2]", "repair root",
        "delayed normalisation"})
    EXPECT_TRUE(StringRef(text).contains(part)) << text;
}
