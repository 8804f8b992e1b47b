//===- TileAndFuseTest.cpp - What the fused program looks like ------------===//
//
// The specification of applying a plan: which loops there are, what they carry,
// what lies in them, and what is left outside. Everything that is looked at
// here is also executed and compared with the oracle.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class TileAndFuseTest : public FusionTest {
protected:
  /// Applies the plan for `levels`, which must succeed, and only that.
  static TileAndFuseResult apply(AttentionGraph &graph, const Levels &levels,
                                 Form form = Form::Delayed) {
    FusionPlan p = plan(graph, levels, form);
    IRRewriter rewriter(context);
    Refusal refusal;
    FailureOr<TileAndFuseResult> result = applyFusionPlan(rewriter, p, refusal);
    EXPECT_TRUE(succeeded(result)) << refusal.text;
    EXPECT_TRUE(succeeded(verify(*graph.module)));
    return succeeded(result) ? *result : TileAndFuseResult();
  }

  /// Runs what `apply` has made of `graph`.
  static void expectRun(AttentionGraph &graph, const Levels &levels) {
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(graph.func)));
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    Execution result = executor->run(*graph.module, "main", inputs);
    ASSERT_TRUE(result.ok()) << result.error;
    std::vector<Bounded> want =
        graph.evaluate(inputs, countSteps(graph, levels));
    for (size_t i = 0; i < want.size(); ++i) {
      oracle::Comparison c = oracle::compare(result.outputs[i], want[i]);
      EXPECT_TRUE(c.ok) << c.message;
    }
  }

  /// The structured ops directly in the body of `loop`, without fills.
  static SmallVector<Operation *> getStructuredOps(LoopLikeOpInterface loop) {
    SmallVector<Operation *> ops;
    for (Operation &op : *loop.getLoopRegions().front()->begin())
      if (isa<linalg::LinalgOp, SoftmaxOp, DiagOp>(op) &&
          !isa<linalg::FillOp>(op))
        ops.push_back(&op);
    return ops;
  }

  /// Whether a result in `loop`, or an iter_arg, has a dim of size `size`.
  static bool hasSize(LoopLikeOpInterface loop, int64_t size) {
    bool found = false;
    auto check = [&](Type type) {
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        found |= llvm::is_contained(tensor.getShape(), size);
    };
    loop.walk([&](Operation *op) {
      // Slices of operands may be whole where nothing is computed.
      if (op != loop && !isa<tensor::ExtractSliceOp>(op))
        for (Type type : op->getResultTypes())
          check(type);
    });
    return found;
  }

  template <typename OpTy>
  static int64_t count(Operation *scope) {
    int64_t number = 0;
    scope->walk([&](OpTy) { ++number; });
    return number;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The key loop
//===----------------------------------------------------------------------===//

TEST_F(TileAndFuseTest, TheKeyLoopCarriesAccumulatorMaxAndSum) {
  AttentionGraph graph = build(makeSingle());
  Levels levels = {makeLevel(graph, {{'n', 5}})};
  TileAndFuseResult result = apply(graph, levels);
  ASSERT_EQ(result.loops.size(), 1u);
  auto loop = cast<scf::ForOp>(*result.loops[0]);
  ASSERT_EQ(loop.getInitArgs().size(), 3u);
  Type f32 = Float32Type::get(context);
  EXPECT_EQ(loop.getResultTypes()[0], RankedTensorType::get({8, 6}, f32));
  EXPECT_EQ(loop.getResultTypes()[1], RankedTensorType::get({8}, f32));
  EXPECT_EQ(loop.getResultTypes()[2], RankedTensorType::get({8}, f32));
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, TheStateStartsFromItsIdentityOutside) {
  AttentionGraph graph = build(makeSingle());
  TileAndFuseResult result = apply(graph, {makeLevel(graph, {{'n', 5}})});
  auto loop = cast<scf::ForOp>(*result.loops[0]);
  double expected[] = {0.0, -std::numeric_limits<double>::infinity(), 0.0};
  for (auto [init, value] : llvm::zip_equal(loop.getInitArgs(), expected)) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    ASSERT_TRUE(fill);
    auto constant = fill.getInputs()[0].getDefiningOp<arith::ConstantOp>();
    ASSERT_TRUE(constant);
    EXPECT_EQ(cast<FloatAttr>(constant.getValue()).getValueAsDouble(), value);
  }
}

TEST_F(TileAndFuseTest, EagerNormalisesInTheLoopDelayedAfterIt) {
  for (Form form : {Form::Eager, Form::Delayed}) {
    AttentionGraph graph = build(makeSingle());
    Levels levels = {makeLevel(graph, {{'n', 5}})};
    TileAndFuseResult result = apply(graph, levels, form);
    bool delayed = form == Form::Delayed;
    int64_t softmaxes = 0;
    graph.func.walk([&](SoftmaxOp op) {
      ++softmaxes;
      EXPECT_TRUE(op.getOnline());
      EXPECT_EQ(op.getDelayed(), delayed);
    });
    EXPECT_EQ(softmaxes, 1);
    // One repair in the loop, and where it is delayed one that finishes.
    EXPECT_EQ(count<DiagOp>(result.loops[0]), 1);
    EXPECT_EQ(count<DiagOp>(graph.func), delayed ? 2 : 1);
    expectRun(graph, levels);
  }
}

TEST_F(TileAndFuseTest, TwoLevelsOfKeysRepairOnce) {
  AttentionGraph graph = build(makeSingle());
  Levels levels = {makeLevel(graph, {{'n', 10}}), makeLevel(graph, {{'n', 3}})};
  TileAndFuseResult result = apply(graph, levels, Form::Eager);
  ASSERT_EQ(result.loops.size(), 2u);
  EXPECT_EQ(cast<scf::ForOp>(*result.loops[0]).getInitArgs().size(), 3u);
  EXPECT_EQ(cast<scf::ForOp>(*result.loops[1]).getInitArgs().size(), 3u);
  EXPECT_EQ(count<DiagOp>(graph.func), 1);
  EXPECT_EQ(count<DiagOp>(result.loops[1]), 1);
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, AForallCarriesNoState) {
  AttentionGraph graph = build(makeBatched());
  Levels levels = {makeLevel(graph, {{'b', 1}, {'m', 4}}, LoopKind::Forall),
                   makeLevel(graph, {{'n', 5}})};
  TileAndFuseResult result = apply(graph, levels);
  ASSERT_EQ(result.loops.size(), 2u);
  auto forall = cast<scf::ForallOp>(*result.loops[0]);
  EXPECT_EQ(forall.getOutputs().size(), 1u);
  EXPECT_EQ(forall.getRank(), 2);
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, TheMappingOfAForallIsKept) {
  AttentionGraph graph = build(makeBatched());
  TilingLevel level = makeLevel(graph, {{'b', 1}}, LoopKind::Forall);
  level.mapping = {StringAttr::get(context, "grid")};
  // Any attribute that says what device it is for; upstream verifies that it is
  // one, so the refusal of others is a failure that leaves the IR as it was.
  std::string before = print(*graph.module);
  FusionPlan p = plan(graph, {level});
  IRRewriter rewriter(context);
  Refusal refusal;
  EXPECT_TRUE(failed(applyFusionPlan(rewriter, p, refusal)));
  EXPECT_TRUE(refusal.isSet());
  EXPECT_EQ(refusal.op, graph.root); // and no op of the copy
  EXPECT_EQ(print(*graph.module), before);
}

//===----------------------------------------------------------------------===//
// The three examples of the design
//===----------------------------------------------------------------------===//

// Single attention, tiles [T0, 0, T2] with interchange [2, 1, 0], raised first:
// nothing in the loops has a full row of keys.
TEST_F(TileAndFuseTest, SingleAttentionWithTheKeysOutside) {
  for (SoftmaxForm softmax : {SoftmaxForm::Named, SoftmaxForm::Chain})
    for (Form form : {Form::Eager, Form::Delayed}) {
      AttentionSpec spec = makeSingle();
      spec.qkForm = spec.pvForm = ContractionForm::Named;
      spec.softmaxForm = softmax;
      AttentionGraph graph = build(spec);
      IRRewriter rewriter(context);
      ASSERT_EQ(raiseOnlineReductions(rewriter, graph.func), 1u);
      SmallVector<Operation *> roots =
          findFusionRoots(graph.func, "linalg_ext.root");
      ASSERT_EQ(roots.size(), 1u);
      graph.root = roots.front();

      TilingLevel level;
      level.tileSizes = {4, 0, 5};
      level.interchange = {2, 1, 0};
      TileAndFuseResult result = apply(graph, {level}, form);
      ASSERT_EQ(result.loops.size(), 2u);
      EXPECT_FALSE(hasSize(result.loops[0], spec.size('n')));
      EXPECT_EQ(count<SoftmaxOp>(graph.func), 1);
      EXPECT_EQ(count<SoftmaxOp>(result.loops[1]), 1);
      expectRun(graph, {level});
    }
}

// Multi-head attention, tiles [T0, 0, T2, 0, T4] with interchange
// [0, 1, 4, 3, 2]: the eager body is exactly QK matmul, softmax, Diag,
// P = Diag acc, PV matmul, and the inserts.
TEST_F(TileAndFuseTest, MultiHeadAttentionHasExactlyTheOpsOfTheAlgorithm) {
  AttentionSpec spec = makeBatched("bh");
  spec.k = "bhdn";
  spec.qkForm = spec.pvForm = ContractionForm::BatchMatmul;
  AttentionGraph graph = build(spec);
  ASSERT_EQ(graph.rootLoops, "bhmen");
  TilingLevel level;
  level.tileSizes = {1, 0, 4, 0, 5};
  level.interchange = {0, 1, 4, 3, 2};
  TileAndFuseResult result = apply(graph, {level}, Form::Eager);
  ASSERT_EQ(result.loops.size(), 3u);

  auto body = cast<scf::ForOp>(*result.loops[2]);
  SmallVector<Operation *> ops;
  SmallVector<tensor::InsertSliceOp> inserts;
  for (Operation &op : *body.getBody()) {
    if (isa<linalg::LinalgOp, SoftmaxOp, DiagOp>(op) &&
        !isa<linalg::FillOp>(op))
      ops.push_back(&op);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      inserts.push_back(insert);
  }
  ASSERT_EQ(ops.size(), 5u);
  auto qk = dyn_cast<BatchMatmulOp>(ops[0]);
  auto softmax = dyn_cast<SoftmaxOp>(ops[1]);
  auto diag = dyn_cast<DiagOp>(ops[2]);
  auto repair = dyn_cast<BatchMatmulOp>(ops[3]);
  auto pv = dyn_cast<BatchMatmulOp>(ops[4]);
  ASSERT_TRUE(qk && softmax && diag && repair && pv);
  EXPECT_EQ(softmax.getInput(), qk->getResult(0));
  EXPECT_EQ(diag.getInput(), softmax->getResult(3));
  EXPECT_EQ(repair.getInputs()[0], diag->getResult(0));
  EXPECT_EQ(pv.getInputs()[0], softmax->getResult(0));
  EXPECT_EQ(pv.getOutputs()[0], repair->getResult(0));
  ASSERT_EQ(inserts.size(), 3u);
  EXPECT_EQ(inserts[0].getSource(), pv->getResult(0));
  EXPECT_EQ(inserts[1].getSource(), softmax->getResult(1));
  EXPECT_EQ(inserts[2].getSource(), softmax->getResult(2));
  expectRun(graph, {level});
}

// Multi-head attention with its projections, split-head tiles [0, T1, 0, 0, 0]:
// fusion goes through the broadcast of the weights, the expand_shape of the
// heads and the transposition; no intermediate of all heads is left.
TEST_F(TileAndFuseTest, SplitHeadAttentionWithProjections) {
  std::string projections;
  llvm::raw_string_ostream os(projections);
  for (StringRef x : {"q", "k", "v"})
    os << "%" << x << "we = tensor.empty() : tensor<2x6x12xf32>\n%" << x
       << "wb = linalg.broadcast ins(%w" << x << " : tensor<6x12xf32>) outs(%"
       << x << "we : tensor<2x6x12xf32>) dimensions = [0]\n%" << x
       << "p = linalg.batch_matmul ins(%x, %" << x
       << "wb : tensor<2x5x6xf32>, tensor<2x6x12xf32>) outs(%pf : "
          "tensor<2x5x12xf32>) -> tensor<2x5x12xf32>\n%"
       << x << "h = tensor.expand_shape %" << x
       << "p [[0], [1], [2, 3]] output_shape [2, 5, 4, 3] : "
          "tensor<2x5x12xf32> into tensor<2x5x4x3xf32>\n%"
       << x << "te = tensor.empty() : tensor<2x4x5x3xf32>\n%" << x
       << " = linalg.transpose ins(%" << x << "h : tensor<2x5x4x3xf32>) outs(%"
       << x << "te : tensor<2x4x5x3xf32>) permutation = [0, 2, 1, 3]\n";
  std::string text = R"(
    #q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
    #k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
    #s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
    func.func @main(%x: tensor<2x5x6xf32>, %wq: tensor<6x12xf32>,
                    %wk: tensor<6x12xf32>, %wv: tensor<6x12xf32>)
        -> tensor<2x4x5x3xf32> {
      %zero = arith.constant 0.0 : f32
      %pe = tensor.empty() : tensor<2x5x12xf32>
      %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x5x12xf32>)
        -> tensor<2x5x12xf32>
      )" + projections +
                     R"(
      %se = tensor.empty() : tensor<2x4x5x5xf32>
      %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x5x5xf32>)
        -> tensor<2x4x5x5xf32>
      %s = linalg_ext.batch_matmul indexing_maps = [#q, #k, #s]
        ins(%q, %k : tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>)
        outs(%sf : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
      %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x5x5xf32>)
        outs(%se : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
      %oe = tensor.empty() : tensor<2x4x5x3xf32>
      %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x5x3xf32>)
        -> tensor<2x4x5x3xf32>
      %o = linalg_ext.batch_matmul
        ins(%p, %v : tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>)
        outs(%of : tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
      return %o : tensor<2x4x5x3xf32>
    })";
  for (int64_t tile : {1, 2, 3, 4}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module);
    IRRewriter rewriter(context);
    ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
    TilingLevel level;
    level.tileSizes = {0, tile, 0, 0, 0};
    TileAndFuseOptions options = makeOptions({level});
    options.rootAttrName = "linalg_ext.root";
    ASSERT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
    ASSERT_TRUE(succeeded(verify(*module)));
    // Nothing is computed outside of the loop, nor has any result in it the 12
    // columns of all heads.
    auto func = *module->getOps<func::FuncOp>().begin();
    for (Operation &op : func.front())
      EXPECT_FALSE((isa<linalg::LinalgOp, SoftmaxOp>(op))) << print(&op);
    func.walk([&](scf::ForOp loop) {
      if (tile < 4)
        EXPECT_FALSE(hasSize(loop, 12));
    });

    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    oracle::Random random(tile);
    std::vector<Tensor> inputs = {
        oracle::random(random, {2, 5, 6}, -1, 1, DType::F32)};
    for (int i = 0; i < 3; ++i)
      inputs.push_back(oracle::random(random, {6, 12}, -1, 1, DType::F32));
    Execution result = executor->run(*module, "main", inputs);
    ASSERT_TRUE(result.ok()) << result.error;
    // Column 3 h + d of a weight is (h, d).
    auto project = [&](int64_t i) {
      return oracle::contract("btc,chd->bhtd", inputs[0],
                              Tensor({6, 4, 3}, inputs[i].data), DType::F32);
    };
    Bounded scores =
        oracle::contract("bhmd,bhnd->bhmn", project(1), project(2), DType::F32);
    Bounded weights =
        oracle::softmax(scores, 3, DType::F32, DType::F32, /*steps=*/1);
    oracle::Comparison c = oracle::compare(
        result.outputs[0],
        oracle::contract("bhmn,bhnd->bhmd", weights, project(3), DType::F32));
    EXPECT_TRUE(c.ok) << c.message;
    EXPECT_LT(c.looseness, 0.01);
  }
}

//===----------------------------------------------------------------------===//
// What is needed outside of the loops
//===----------------------------------------------------------------------===//

TEST_F(TileAndFuseTest, AStateThatIsReturnedComesOutOfTheLoops) {
  AttentionSpec spec = makeBatched();
  spec.returnState = true;
  AttentionGraph graph = build(spec);
  Levels levels = {makeLevel(graph, {{'b', 1}, {'m', 3}}),
                   makeLevel(graph, {{'n', 6}})};
  apply(graph, levels);
  // One softmax, in the loops.
  EXPECT_EQ(count<SoftmaxOp>(graph.func), 1);
  auto terminator = cast<func::ReturnOp>(graph.func.front().getTerminator());
  for (Value result : terminator.getOperands())
    EXPECT_TRUE(isa<LoopLikeOpInterface>(result.getDefiningOp()));
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, WeightsThatAreReturnedAreNeverStateDependent) {
  // What the loops have of them is not final: the original stays.
  AttentionSpec spec = makeBatched();
  spec.returnWeights = true;
  AttentionGraph graph = build(spec);
  Levels levels = {makeLevel(graph, {{'n', 6}})};
  apply(graph, levels);
  EXPECT_EQ(count<SoftmaxOp>(graph.func), 2);
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, ScoresThatAreReturnedAreComputedOnce) {
  AttentionSpec spec = makeBatched();
  spec.returnScores = true;
  AttentionGraph graph = build(spec);
  Levels levels = {makeLevel(graph, {{'m', 3}, {'n', 6}})};
  apply(graph, levels);
  int64_t outside = 0;
  for (Operation &op : graph.func.front())
    outside += isa<linalg::GenericOp>(op);
  EXPECT_EQ(outside, 0);
  expectRun(graph, levels);
}

TEST_F(TileAndFuseTest, AnAccumulatorThatStartsFromSomethingIsSetAside) {
  for (Form form : {Form::Eager, Form::Delayed}) {
    AttentionSpec spec = makeBatched();
    spec.initIsInput = true;
    AttentionGraph graph = build(spec);
    Levels levels = {makeLevel(graph, {{'m', 3}, {'n', 6}})};
    apply(graph, levels, form);
    expectRun(graph, levels);
  }
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

TEST_F(TileAndFuseTest, RootsThatAreRefusedLeaveTheIRAsItWas) {
  AttentionSpec spec = makeSingle();
  spec.rootForm = RootForm::Shifted;
  AttentionGraph graph = build(spec);
  graph.root->setDiscardableAttr("linalg_ext.root", UnitAttr::get(context));
  std::string before = print(*graph.module), diagnostic;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &d) {
    diagnostic += d.str();
    return success();
  });
  IRRewriter rewriter(context);
  TileAndFuseOptions options = makeOptions({makeLevel(graph, {{'n', 5}})});
  options.rootAttrName = "linalg_ext.root";
  EXPECT_TRUE(failed(tileAndFuseRoots(rewriter, graph.func, options)));
  EXPECT_TRUE(StringRef(diagnostic).contains("cannot tile and fuse"))
      << diagnostic;
  EXPECT_EQ(print(*graph.module), before);
}
