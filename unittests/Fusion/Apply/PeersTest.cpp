//===- PeersTest.cpp - Where others fail ----------------------------------===//
//
// Programs that other implementations of this kind of fusion compute wrongly,
// cannot take, or crash on, as far as no other test here has them already:
// docs/Peers.md says for each which test it is. All in f64, where a right
// result is one within 1e-9.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static const double kNaN = std::numeric_limits<double>::quiet_NaN();

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
class PeersTest : public FusionTest {
protected:
  static constexpr const char *kRootAttr = "linalg_ext.root";

  static OwningOpRef<ModuleOp> parse(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  static TilingLevel makeLevel(std::initializer_list<int64_t> tiles,
                               LoopKind kind = LoopKind::For) {
    TilingLevel level;
    level.kind = kind;
    level.tileSizes.assign(tiles);
    return level;
  }

  static std::vector<Bounded> within(const std::vector<Tensor> &values,
                                     double error = 1e-9) {
    std::vector<Bounded> bounded;
    for (const Tensor &value : values)
      bounded.push_back(Bounded(value, Tensor(value.shape, error)));
    return bounded;
  }

  /// Raises, fuses the root and runs, in both forms; with a repair, unless the
  /// levels do not cut the keys.
  static void expectRight(const std::string &text, const Levels &levels,
                          const std::vector<Tensor> &inputs,
                          const std::vector<Tensor> &want,
                          size_t numRepairs = 1, double error = 1e-9) {
    for (Form form : {Form::Eager, Form::Delayed}) {
      OwningOpRef<ModuleOp> module = parse(text);
      if (!module)
        return;
      IRRewriter rewriter(context);
      raiseOnlineReductions(rewriter, *module);
      SmallVector<Operation *> roots = findFusionRoots(*module, kRootAttr);
      ASSERT_EQ(roots.size(), 1u);
      Refusal refusal;
      FailureOr<FusionPlan> plan =
          planTileAndFuse(roots.front(), makeOptions(levels, form), refusal);
      ASSERT_TRUE(succeeded(plan)) << refusal.text;
      EXPECT_EQ(plan->repairs.size(), numRepairs);
      FusionOutcome outcome = fuseAndRun(
          *module, roots.front(), makeOptions(levels, form), inputs,
          [&] { return within(want, error); }, *executor);
      EXPECT_TRUE(outcome.isRight())
          << getName(outcome.stage) << ": " << outcome.reason << outcome.plan
          << outcome.fused;
    }
  }

  /// Runs a function that is only to be decomposed.
  static std::vector<Tensor> run(const std::string &text,
                                 const std::vector<Tensor> &inputs) {
    OwningOpRef<ModuleOp> module = parse(text);
    EXPECT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    Execution execution = executor->run(*module, "main", inputs);
    EXPECT_TRUE(execution.ok()) << execution.error;
    return execution.outputs;
  }

  static void expectWithin(const std::vector<Tensor> &got,
                           const std::vector<Tensor> &want) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) {
      oracle::Comparison c = oracle::compare(got[i], within(want)[i]);
      EXPECT_TRUE(c.ok) << "result " << i << ", " << c.message;
    }
  }

  static Tensor draw(oracle::Random &random, const oracle::Shape &shape) {
    return oracle::random(random, shape, -1, 1, DType::F64);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The online softmax and diag, on their own
//===----------------------------------------------------------------------===//

TEST_F(PeersTest, ScaleIsAQuotient) {
  // From the identity, from states far below and above the scores, from the
  // same maximum; the last row is masked.
  Tensor oldMax({6}, {-kInf, -1e4, 1e4, 0.5, 2.0, -kInf});
  Tensor oldSum({6}, {0.0, 3.0, 1.5, 2.0, 7.0, 0.0});
  oracle::Random random(1);
  Tensor x = oracle::random(random, {6, 4}, -3, 3, DType::F64);
  x.at({4, 1}) = 2.0; // As large as the old maximum.
  for (int64_t j = 0; j < 4; ++j)
    x.at({5, j}) = -kInf;
  for (bool delayed : {false, true}) {
    std::string text = R"(
      func.func @main(%x: tensor<6x4xf64>, %m: tensor<6xf64>, %l: tensor<6xf64>)
          -> (tensor<6x4xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) {
        %y = tensor.empty() : tensor<6x4xf64>
        %s = tensor.empty() : tensor<6xf64>
        %r:4 = linalg_ext.softmax dimension(1) online )" +
                       std::string(delayed ? "delayed" : "") + R"(
          ins(%x : tensor<6x4xf64>)
          outs(%y, %m, %l, %s
               : tensor<6x4xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>)
          -> tensor<6x4xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>
        return %r#0, %r#1, %r#2, %r#3
          : tensor<6x4xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>
      })";
    oracle::OnlineSoftmaxResult want =
        oracle::onlineSoftmax(x, 1, oldMax, oldSum, delayed);
    // An accumulator that is still empty is multiplied by 0.
    EXPECT_EQ(want.scale.at({0}), 0);
    EXPECT_EQ(want.scale.at({5}), 0);
    expectWithin(run(text, {x, oldMax, oldSum}),
                 {want.result, want.max, want.sum, want.scale});
  }
}

TEST_F(PeersTest, DiagHasALowering) {
  oracle::Random random(2);
  Tensor v = draw(random, {2, 3});
  Tensor matrix({2, 3, 3});
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t i = 0; i < 3; ++i)
      matrix.at({b, i, i}) = v.at({b, i});
  expectWithin(run(R"(
    func.func @main(%v: tensor<2x3xf64>) -> tensor<2x3x3xf64> {
      %e = tensor.empty() : tensor<2x3x3xf64>
      %d = linalg_ext.diag ins(%v : tensor<2x3xf64>)
                           outs(%e : tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
      return %d : tensor<2x3x3xf64>
    })",
                   {v}),
               {matrix});
}

TEST_F(PeersTest, ProductsWithDiagOnEitherSideKeepNaNInItsPlace) {
  oracle::Random random(3);
  Tensor v = draw(random, {2, 3}), a = draw(random, {2, 3, 3});
  a.at({1, 2, 0}) = kNaN;
  Tensor rows(a.shape), columns(a.shape);
  oracle::forEachIndex(a.shape, [&](const oracle::Index &at) {
    rows.at(at) = v.at({at[0], at[1]}) * a.at(at);
    columns.at(at) = a.at(at) * v.at({at[0], at[2]});
  });
  expectWithin(run(R"(
    func.func @main(%v: tensor<2x3xf64>, %a: tensor<2x3x3xf64>)
        -> (tensor<2x3x3xf64>, tensor<2x3x3xf64>) {
      %e = tensor.empty() : tensor<2x3x3xf64>
      %d = linalg_ext.diag ins(%v : tensor<2x3xf64>)
                           outs(%e : tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
      %zero = arith.constant 0.0 : f64
      %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x3x3xf64>)
        -> tensor<2x3x3xf64>
      %l = linalg_ext.batch_matmul
        ins(%d, %a : tensor<2x3x3xf64>, tensor<2x3x3xf64>)
        outs(%z : tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
      %r = linalg_ext.batch_matmul
        ins(%a, %d : tensor<2x3x3xf64>, tensor<2x3x3xf64>)
        outs(%z : tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
      return %l, %r : tensor<2x3x3xf64>, tensor<2x3x3xf64>
    })",
                   {v, a}),
               {rows, columns});
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

static const char *const kScoresWithInit = R"(
  #q = affine_map<(m, n, d) -> (m, d)>
  #k = affine_map<(m, n, d) -> (n, d)>
  #s = affine_map<(m, n, d) -> (m, n)>
  func.func @main(%q: tensor<?x4xf64>, %k: tensor<?x4xf64>, %v: tensor<?x5xf64>,
                  %bias: tensor<?x?xf64>) -> tensor<?x5xf64> {
    %c0 = arith.constant 0 : index
    %M = tensor.dim %q, %c0 : tensor<?x4xf64>
    %N = tensor.dim %k, %c0 : tensor<?x4xf64>
    %s = linalg.matmul indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x4xf64>, tensor<?x4xf64>)
      outs(%bias : tensor<?x?xf64>) -> tensor<?x?xf64>
    %pe = tensor.empty(%M, %N) : tensor<?x?xf64>
    %p = linalg.softmax dimension(1) ins(%s : tensor<?x?xf64>)
      outs(%pe : tensor<?x?xf64>) -> tensor<?x?xf64>
    %oe = tensor.empty(%M) : tensor<?x5xf64>
    %zero = arith.constant 0.0 : f64
    %z = linalg.fill ins(%zero : f64) outs(%oe : tensor<?x5xf64>)
      -> tensor<?x5xf64>
    %o = linalg.matmul ins(%p, %v : tensor<?x?xf64>, tensor<?x5xf64>)
      outs(%z : tensor<?x5xf64>) -> tensor<?x5xf64>
    return %o : tensor<?x5xf64>
  })";

TEST_F(PeersTest, RevisitedProducerDoesNotAccumulateTwice) {
  // The scores start from a tensor that is computed elsewhere. Where a loop
  // over the columns visits them again they must start from it again.
  oracle::Random random(4);
  Tensor q = draw(random, {6, 4}), k = draw(random, {10, 4}),
         v = draw(random, {10, 5}), bias = draw(random, {6, 10});
  Tensor scores = oracle::contract("md,nd->mn", q, k);
  for (int64_t i = 0; i < scores.size(); ++i)
    scores.data[i] += bias.data[i];
  Tensor want =
      oracle::contract("mn,ne->me", oracle::softmax(scores, 1).result, v);
  std::vector<Tensor> inputs = {q, k, v, bias};
  // Rows and columns, then keys; keys, then columns inside of them.
  expectRight(kScoresWithInit,
              {makeLevel({4, 2}, LoopKind::Forall), makeLevel({0, 0, 3})},
              inputs, {want});
  expectRight(kScoresWithInit,
              {makeLevel({4}), makeLevel({0, 0, 3}), makeLevel({0, 2})}, inputs,
              {want});
  // Columns around the keys leave the softmax outside of both, whole.
  expectRight(kScoresWithInit, {makeLevel({0, 2}), makeLevel({0, 0, 3})},
              inputs, {want}, /*numRepairs=*/0);
}

TEST_F(PeersTest, OffsetsThroughAffineApply) {
  // Inside of a loop that is there already, on slices of queries and of a
  // window of keys whose offsets it computes.
  const char *text = R"(
    #q = affine_map<(m, n, d) -> (m, d)>
    #k = affine_map<(m, n, d) -> (n, d)>
    #s = affine_map<(m, n, d) -> (m, n)>
    func.func @main(%q: tensor<6x4xf64>, %k: tensor<11x4xf64>,
                    %v: tensor<11x5xf64>) -> tensor<6x5xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f64
      %init = tensor.empty() : tensor<6x5xf64>
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %init)
          -> tensor<6x5xf64> {
        %row = affine.apply affine_map<(i) -> (i * 3)>(%i)
        %key = affine.apply affine_map<(i) -> (i * 4)>(%i)
        %qs = tensor.extract_slice %q[%row, 0] [3, 4] [1, 1]
          : tensor<6x4xf64> to tensor<3x4xf64>
        %ks = tensor.extract_slice %k[%key, 0] [7, 4] [1, 1]
          : tensor<11x4xf64> to tensor<7x4xf64>
        %vs = tensor.extract_slice %v[%key, 0] [7, 5] [1, 1]
          : tensor<11x5xf64> to tensor<7x5xf64>
        %se = tensor.empty() : tensor<3x7xf64>
        %s0 = linalg.fill ins(%zero : f64) outs(%se : tensor<3x7xf64>)
          -> tensor<3x7xf64>
        %s = linalg.matmul indexing_maps = [#q, #k, #s]
          ins(%qs, %ks : tensor<3x4xf64>, tensor<7x4xf64>)
          outs(%s0 : tensor<3x7xf64>) -> tensor<3x7xf64>
        %p = linalg.softmax dimension(1) ins(%s : tensor<3x7xf64>)
          outs(%se : tensor<3x7xf64>) -> tensor<3x7xf64>
        %oe = tensor.empty() : tensor<3x5xf64>
        %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<3x5xf64>)
          -> tensor<3x5xf64>
        %o = linalg.matmul ins(%p, %vs : tensor<3x7xf64>, tensor<7x5xf64>)
          outs(%o0 : tensor<3x5xf64>) -> tensor<3x5xf64>
        %next = tensor.insert_slice %o into %acc[%row, 0] [3, 5] [1, 1]
          : tensor<3x5xf64> into tensor<6x5xf64>
        scf.yield %next : tensor<6x5xf64>
      }
      return %r : tensor<6x5xf64>
    })";
  oracle::Random random(5);
  Tensor q = draw(random, {6, 4}), k = draw(random, {11, 4}),
         v = draw(random, {11, 5});
  Tensor scores = oracle::contract("md,nd->mn", q, k);
  oracle::forEachIndex(scores.shape, [&](const oracle::Index &at) {
    int64_t from = at[0] / 3 * 4;
    if (at[1] < from || at[1] >= from + 7)
      scores.at(at) = -kInf;
  });
  Tensor want =
      oracle::contract("mn,ne->me", oracle::softmax(scores, 1).result, v);
  for (int64_t tile : {1, 2, 3, 7})
    expectRight(text, {makeLevel({2}), makeLevel({0, 0, tile})}, {q, k, v},
                {want});
  expectRight(text,
              {makeLevel({2}), makeLevel({0, 0, 5}), makeLevel({0, 0, 2})},
              {q, k, v}, {want});
}

TEST_F(PeersTest, TileSizesOfRunTime) {
  // Rows and keys by sizes that come with the call, as those of two tensors.
  const char *text = R"(
    #v = affine_map<(m, e, n) -> (n, e)>
    #p = affine_map<(m, e, n) -> (m, n)>
    #o = affine_map<(m, e, n) -> (m, e)>
    func.func @main(%s: tensor<?x?xf64>, %v: tensor<?x5xf64>,
                    %rows: tensor<?xf64>, %keys: tensor<?xf64>)
        -> tensor<?x5xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %s, %c0 : tensor<?x?xf64>
      %n = tensor.dim %s, %c1 : tensor<?x?xf64>
      %t0 = tensor.dim %rows, %c0 : tensor<?xf64>
      %t1 = tensor.dim %keys, %c0 : tensor<?xf64>
      %zero = arith.constant 0.0 : f64
      %pe = tensor.empty(%m, %n) : tensor<?x?xf64>
      %p = linalg.softmax dimension(1) ins(%s : tensor<?x?xf64>)
        outs(%pe : tensor<?x?xf64>) -> tensor<?x?xf64>
      %oe = tensor.empty(%m) : tensor<?x5xf64>
      %of = linalg.fill ins(%zero : f64) outs(%oe : tensor<?x5xf64>)
        -> tensor<?x5xf64>
      %o = linalg.generic {indexing_maps = [#p, #v, #o],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%p, %v : tensor<?x?xf64>, tensor<?x5xf64>)
        outs(%of : tensor<?x5xf64>) attrs = {linalg_ext.root} {
      ^bb0(%a: f64, %b: f64, %c: f64):
        %1 = arith.mulf %a, %b : f64
        %2 = arith.addf %c, %1 : f64
        linalg.yield %2 : f64
      } -> tensor<?x5xf64>
      return %o : tensor<?x5xf64>
    }
  )";
  oracle::Random random(7);
  Tensor s = oracle::random(random, {6, 12}, -3, 3, DType::F64);
  Tensor v = oracle::random(random, {12, 5}, -1, 1, DType::F64);
  Tensor weights(s.shape);
  for (int64_t m = 0; m < 6; ++m) {
    double sum = 0;
    for (int64_t n = 0; n < 12; ++n)
      sum += std::exp(s.at({m, n}));
    for (int64_t n = 0; n < 12; ++n)
      weights.at({m, n}) = std::exp(s.at({m, n})) / sum;
  }
  Tensor want = oracle::contract("mn,ne->me", weights, v);
  for (LoopKind kind : {LoopKind::Forall, LoopKind::For}) {
    OwningOpRef<ModuleOp> module = parse(text);
    IRRewriter rewriter(context);
    raiseOnlineReductions(rewriter, *module);
    SmallVector<Operation *> roots = findFusionRoots(*module, kRootAttr);
    SmallVector<Value> sizes;
    for (auto dim : cast<func::FuncOp>(module->lookupSymbol("main"))
                        .getOps<tensor::DimOp>())
      if (cast<RankedTensorType>(dim.getSource().getType()).getRank() == 1)
        sizes.push_back(dim);
    ASSERT_EQ(sizes.size(), 2u);
    constexpr int64_t kDynamic = ShapedType::kDynamic;
    Levels levels = {makeLevel({kDynamic}, kind), makeLevel({0, 0, kDynamic})};
    // Too few values.
    EXPECT_EQ(refuse(roots.front(), levels).text,
              "expected a value for each of 1 dynamic tile sizes, got 0");
    levels[0].dynamicSizes = {sizes[0]};
    levels[1].dynamicSizes = {sizes[1]};
    Refusal refusal;
    FailureOr<FusionPlan> plan =
        planTileAndFuse(roots.front(), makeOptions(levels), refusal);
    ASSERT_TRUE(succeeded(plan)) << refusal.text;
    EXPECT_EQ(plan->repairs.size(), 1u);
    ASSERT_TRUE(succeeded(applyFusionPlan(rewriter, *plan, refusal)))
        << refusal.text;
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    for (auto [rows, keys] : std::vector<std::pair<int64_t, int64_t>>{
             {1, 1}, {4, 5}, {6, 12}, {7, 20}}) {
      Execution execution = executor->run(
          *module, "main", {s, v, Tensor({rows}), Tensor({keys})});
      ASSERT_TRUE(execution.ok()) << execution.error;
      expectWithin(execution.outputs, {want});
    }
  }
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

TEST_F(PeersTest, UnalignedReshapeSlice) {
  // Keys and values come in 3 blocks of 4: most tiles start or end in the
  // middle of one.
  const char *text = R"(
    #q = affine_map<(m, n, d) -> (m, d)>
    #k = affine_map<(m, n, d) -> (n, d)>
    #s = affine_map<(m, n, d) -> (m, n)>
    func.func @main(%q: tensor<6x2xf64>, %k3: tensor<3x4x2xf64>,
                    %v3: tensor<3x4x5xf64>) -> tensor<6x5xf64> {
      %k = tensor.collapse_shape %k3 [[0, 1], [2]]
        : tensor<3x4x2xf64> into tensor<12x2xf64>
      %v = tensor.collapse_shape %v3 [[0, 1], [2]]
        : tensor<3x4x5xf64> into tensor<12x5xf64>
      %zero = arith.constant 0.0 : f64
      %se = tensor.empty() : tensor<6x12xf64>
      %s0 = linalg.fill ins(%zero : f64) outs(%se : tensor<6x12xf64>)
        -> tensor<6x12xf64>
      %s = linalg.matmul indexing_maps = [#q, #k, #s]
        ins(%q, %k : tensor<6x2xf64>, tensor<12x2xf64>)
        outs(%s0 : tensor<6x12xf64>) -> tensor<6x12xf64>
      %p = linalg.softmax dimension(1) ins(%s : tensor<6x12xf64>)
        outs(%se : tensor<6x12xf64>) -> tensor<6x12xf64>
      %oe = tensor.empty() : tensor<6x5xf64>
      %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<6x5xf64>)
        -> tensor<6x5xf64>
      %o = linalg.matmul ins(%p, %v : tensor<6x12xf64>, tensor<12x5xf64>)
        outs(%o0 : tensor<6x5xf64>) -> tensor<6x5xf64>
      return %o : tensor<6x5xf64>
    })";
  oracle::Random random(6);
  Tensor q = draw(random, {6, 2}), k = draw(random, {3, 4, 2}),
         v = draw(random, {3, 4, 5});
  Tensor flatK({12, 2}, k.data), flatV({12, 5}, v.data);
  Tensor scores = oracle::contract("md,nd->mn", q, flatK);
  Tensor want =
      oracle::contract("mn,ne->me", oracle::softmax(scores, 1).result, flatV);
  for (int64_t tile : {1, 2, 3, 4, 5, 8, 9, 12})
    expectRight(text, {makeLevel({4}), makeLevel({0, 0, tile})}, {q, k, v},
                {want});
}

TEST_F(PeersTest, ExpandShapeOutputShapeIsTheTiles) {
  // Heads are split off by tensor.expand_shape; the tiles of heads and rows do
  // not divide.
  const char *text = R"(
    #q = affine_map<(h, m, n, d) -> (m, h, d)>
    #k = affine_map<(h, m, n, d) -> (n, h, d)>
    #s = affine_map<(h, m, n, d) -> (h, m, n)>
    #p = affine_map<(h, m, e, n) -> (h, m, n)>
    #v = affine_map<(h, m, e, n) -> (n, h, e)>
    #o = affine_map<(h, m, e, n) -> (h, m, e)>
    func.func @main(%q2: tensor<?x12xf64>, %k2: tensor<?x12xf64>,
                    %v2: tensor<?x15xf64>) -> tensor<3x?x5xf64> {
      %c0 = arith.constant 0 : index
      %M = tensor.dim %q2, %c0 : tensor<?x12xf64>
      %N = tensor.dim %k2, %c0 : tensor<?x12xf64>
      %q = tensor.expand_shape %q2 [[0], [1, 2]] output_shape [%M, 3, 4]
        : tensor<?x12xf64> into tensor<?x3x4xf64>
      %k = tensor.expand_shape %k2 [[0], [1, 2]] output_shape [%N, 3, 4]
        : tensor<?x12xf64> into tensor<?x3x4xf64>
      %v = tensor.expand_shape %v2 [[0], [1, 2]] output_shape [%N, 3, 5]
        : tensor<?x15xf64> into tensor<?x3x5xf64>
      %zero = arith.constant 0.0 : f64
      %se = tensor.empty(%M, %N) : tensor<3x?x?xf64>
      %s0 = linalg.fill ins(%zero : f64) outs(%se : tensor<3x?x?xf64>)
        -> tensor<3x?x?xf64>
      %s = linalg.contract indexing_maps = [#q, #k, #s]
        ins(%q, %k : tensor<?x3x4xf64>, tensor<?x3x4xf64>)
        outs(%s0 : tensor<3x?x?xf64>) -> tensor<3x?x?xf64>
      %p = linalg.softmax dimension(2) ins(%s : tensor<3x?x?xf64>)
        outs(%se : tensor<3x?x?xf64>) -> tensor<3x?x?xf64>
      %oe = tensor.empty(%M) : tensor<3x?x5xf64>
      %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<3x?x5xf64>)
        -> tensor<3x?x5xf64>
      %o = linalg.contract indexing_maps = [#p, #v, #o]
        ins(%p, %v : tensor<3x?x?xf64>, tensor<?x3x5xf64>)
        outs(%o0 : tensor<3x?x5xf64>) -> tensor<3x?x5xf64>
      return %o : tensor<3x?x5xf64>
    })";
  oracle::Random random(7);
  Tensor q = draw(random, {5, 12}), k = draw(random, {7, 12}),
         v = draw(random, {7, 15});
  Tensor scores = oracle::contract("mhd,nhd->hmn", Tensor({5, 3, 4}, q.data),
                                   Tensor({7, 3, 4}, k.data));
  Tensor want =
      oracle::contract("hmn,nhe->hme", oracle::softmax(scores, 2).result,
                       Tensor({7, 3, 5}, v.data));
  for (int64_t heads : {1, 2, 3})
    expectRight(
        text,
        {makeLevel({heads, 2}, LoopKind::Forall), makeLevel({0, 0, 0, 3})},
        {q, k, v}, {want});
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

static const char *const kTwoConsumers = R"(
  func.func @main(%s: tensor<6x10xf64>, %v: tensor<10x5xf64>,
                  %w: tensor<10x3xf64>) -> (tensor<6x5xf64>, tensor<6x3xf64>) {
    %zero = arith.constant 0.0 : f64
    %pe = tensor.empty() : tensor<6x10xf64>
    %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf64>)
      outs(%pe : tensor<6x10xf64>) -> tensor<6x10xf64>
    %ae = tensor.empty() : tensor<6x5xf64>
    %a0 = linalg.fill ins(%zero : f64) outs(%ae : tensor<6x5xf64>)
      -> tensor<6x5xf64>
    %a = linalg.matmul MARK ins(%p, %v : tensor<6x10xf64>, tensor<10x5xf64>)
      outs(%a0 : tensor<6x5xf64>) -> tensor<6x5xf64>
    %be = tensor.empty() : tensor<6x3xf64>
    %b0 = linalg.fill ins(%zero : f64) outs(%be : tensor<6x3xf64>)
      -> tensor<6x3xf64>
    %b = linalg.matmul ins(%p, %w : tensor<6x10xf64>, tensor<10x3xf64>)
      outs(%b0 : tensor<6x3xf64>) -> tensor<6x3xf64>
    return %a, %b : tensor<6x5xf64>, tensor<6x3xf64>
  })";

static std::string withMark(const std::string &mark) {
  std::string text = kTwoConsumers;
  return text.replace(text.find("MARK"), 4, mark);
}

TEST_F(PeersTest, OfTwoConsumersTheMarkedOneIsTheRoot) {
  oracle::Random random(8);
  Tensor s = draw(random, {6, 10}), v = draw(random, {10, 5}),
         w = draw(random, {10, 3});
  Tensor p = oracle::softmax(s, 1).result;
  expectRight(withMark("{linalg_ext.root}"),
              {makeLevel({4}), makeLevel({0, 0, 3})}, {s, v, w},
              {oracle::contract("mn,ne->me", p, v),
               oracle::contract("mn,ne->me", p, w)},
              /*numRepairs=*/2);
}

TEST_F(PeersTest, OfTwoConsumersOneIsTheRoot) {
  OwningOpRef<ModuleOp> module = parse(withMark(""));
  ASSERT_TRUE(module);
  IRRewriter rewriter(context);
  ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
  std::string diagnostic;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &d) {
    diagnostic += d.str();
    for (Diagnostic &note : d.getNotes())
      diagnostic += note.str();
    return success();
  });
  TileAndFuseOptions options = makeOptions({makeLevel({0, 0, 3})});
  options.rootAttrName = kRootAttr;
  EXPECT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
  EXPECT_TRUE(diagnostic.empty()) << diagnostic;
  // The other one is beside it.
  unsigned numLoops = 0, numMatmuls = 0;
  module->walk([&](scf::ForOp) { ++numLoops; });
  module->walk([&](linalg::MatmulOp op) {
    numMatmuls += op->getParentOfType<scf::ForOp>() != nullptr;
  });
  EXPECT_EQ(numLoops, 1u);
  EXPECT_EQ(numMatmuls, 2u) << print(*module);
}

/// In loops of their own, where that is asked for: the softmax is computed in
/// both.
TEST_F(PeersTest, OfTwoConsumersBothAreFused) {
  oracle::Random random(8);
  Tensor s = draw(random, {6, 10}), v = draw(random, {10, 5}),
         w = draw(random, {10, 3});
  Tensor p = oracle::softmax(s, 1).result;
  std::string text = withMark("{linalg_ext.root}");
  text.insert(text.rfind("linalg.matmul") + std::string("linalg.matmul").size(),
              " {linalg_ext.root}");
  for (Form form : {Form::Eager, Form::Delayed}) {
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    IRRewriter rewriter(context);
    ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
    SmallVector<Operation *> roots = findFusionRoots(*module, kRootAttr);
    ASSERT_EQ(roots.size(), 2u);
    for (Operation *root : roots) {
      Refusal refusal;
      TileAndFuseOptions options = makeOptions({makeLevel({0, 0, 3})}, form);
      options.fuseSiblings = false;
      FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
      ASSERT_TRUE(succeeded(plan)) << refusal.text;
      EXPECT_EQ(plan->repairs.size(), 1u);
      ASSERT_TRUE(succeeded(applyFusionPlan(rewriter, *plan, refusal)))
          << refusal.text;
    }
    // The weights are nowhere whole.
    unsigned numSoftmaxes = 0;
    module->walk([&](linalg_ext::SoftmaxOp op) {
      ++numSoftmaxes;
      EXPECT_TRUE(op->getParentOfType<scf::ForOp>());
    });
    EXPECT_EQ(numSoftmaxes, 2u);
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    Execution execution = executor->run(*module, "main", {s, v, w});
    ASSERT_TRUE(execution.ok()) << execution.error;
    expectWithin(execution.outputs, {oracle::contract("mn,ne->me", p, v),
                                     oracle::contract("mn,ne->me", p, w)});
  }
}

TEST_F(PeersTest, OfTwoConsumersBothAreInOneLoop) {
  oracle::Random random(8);
  Tensor s = draw(random, {6, 10}), v = draw(random, {10, 5}),
         w = draw(random, {10, 3});
  Tensor p = oracle::softmax(s, 1).result;
  std::string text = withMark("{linalg_ext.root}");
  text.insert(text.rfind("linalg.matmul") + std::string("linalg.matmul").size(),
              " {linalg_ext.root}");
  for (Form form : {Form::Eager, Form::Delayed}) {
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    IRRewriter rewriter(context);
    ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
    TileAndFuseOptions options = makeOptions({makeLevel({0, 0, 3})}, form);
    options.rootAttrName = kRootAttr;
    ASSERT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
    // The weights are computed once, and nowhere whole.
    unsigned numSoftmaxes = 0, numLoops = 0;
    module->walk([&](linalg_ext::SoftmaxOp op) {
      ++numSoftmaxes;
      EXPECT_TRUE(op->getParentOfType<scf::ForOp>());
    });
    module->walk([&](scf::ForOp) { ++numLoops; });
    EXPECT_EQ(numSoftmaxes, 1u);
    EXPECT_EQ(numLoops, 1u);
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    Execution execution = executor->run(*module, "main", {s, v, w});
    ASSERT_TRUE(execution.ok()) << execution.error;
    expectWithin(execution.outputs, {oracle::contract("mn,ne->me", p, v),
                                     oracle::contract("mn,ne->me", p, w)});
  }
}

// Softmax to contraction by way of other ops: what hands a scaling on is read
// from payloads.
static std::string makeChain(const std::string &payload) {
  return R"(
    #mn = affine_map<(m, n) -> (m, n)>
    #n = affine_map<(m, n) -> (n)>
    #p = affine_map<(e, m, n) -> (m, n)>
    #v = affine_map<(e, m, n) -> (n, e)>
    #o = affine_map<(e, m, n) -> (e, m)>
    func.func @main(%s: tensor<6x?xf64>, %v: tensor<?x5xf64>,
                    %w: tensor<?xf64>, %keep: tensor<6x?xi1>)
        -> tensor<5x6xf64> {
      %c0 = arith.constant 0 : index
      %N = tensor.dim %v, %c0 : tensor<?x5xf64>
      %zero = arith.constant 0.0 : f64
      %pe = tensor.empty(%N) : tensor<6x?xf64>
      %p = linalg.softmax dimension(1) ins(%s : tensor<6x?xf64>)
        outs(%pe : tensor<6x?xf64>) -> tensor<6x?xf64>
      %x = linalg.generic {indexing_maps = [#mn, #n, #mn, #mn],
                           iterator_types = ["parallel", "parallel"]}
          ins(%p, %w, %keep : tensor<6x?xf64>, tensor<?xf64>, tensor<6x?xi1>)
          outs(%pe : tensor<6x?xf64>) {
      ^bb0(%a: f64, %b: f64, %c: i1, %unused: f64):
        )" +
         payload +
         R"(
        linalg.yield %r : f64
      } -> tensor<6x?xf64>
      %te = tensor.empty(%N) : tensor<?x6xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(n, m) -> (m, n)>,
                                            affine_map<(n, m) -> (n, m)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<6x?xf64>) outs(%te : tensor<?x6xf32>) {
      ^bb0(%a: f64, %unused: f32):
        %b = arith.truncf %a : f64 to f32
        linalg.yield %b : f32
      } -> tensor<?x6xf32>
      %oe = tensor.empty() : tensor<5x6xf64>
      %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<5x6xf64>)
        -> tensor<5x6xf64>
      %o = linalg.generic {indexing_maps = [affine_map<(e, m, n) -> (n, m)>,
                                            #v, #o],
                           iterator_types = ["parallel", "parallel",
                                             "reduction"]}
          ins(%t, %v : tensor<?x6xf32>, tensor<?x5xf64>)
          outs(%o0 : tensor<5x6xf64>) {
      ^bb0(%a: f32, %b: f64, %c: f64):
        %d = arith.extf %a : f32 to f64
        %e = arith.mulf %d, %b : f64
        %f = arith.addf %c, %e : f64
        linalg.yield %f : f64
      } -> tensor<5x6xf64>
      return %o : tensor<5x6xf64>
    })";
}

namespace {
struct ChainLink {
  const char *payload; ///< of %a (the weight), %b and %c (i1); yields %r
  double (*meaning)(double a, double b, bool c);
};
} // namespace

/// Each link on its own, the scores rising from tile to tile.
template <typename Expect>
static void forEachLink(ArrayRef<ChainLink> links, Expect expect) {
  for (const ChainLink &link : links) {
    SCOPED_TRACE(link.payload);
    oracle::Random random(9);
    Tensor s = oracle::random(random, {6, 10}, -2, 2, DType::F64),
           v = oracle::random(random, {10, 5}, -1, 1, DType::F64),
           w = oracle::random(random, {10}, -1, 1, DType::F64);
    Tensor keep({6, 10});
    for (double &kept : keep.data)
      kept = random.chance(0.6);
    for (int64_t i = 0; i < s.size(); ++i)
      s.data[i] += 0.3 * static_cast<double>(i % 10);
    Tensor x = oracle::softmax(s, 1).result;
    oracle::forEachIndex(x.shape, [&](const oracle::Index &at) {
      x.at(at) = link.meaning(x.at(at), w.at({at[1]}), keep.at(at) != 0);
    });
    // Rounded to f32 on the way.
    expect(makeChain(link.payload), std::vector<Tensor>{s, v, w, keep},
           oracle::contract("mn,ne->em", x, v), 1e-5);
  }
}

TEST_F(PeersTest, ChainsByDegree) {
  const ChainLink links[] = {
      {"%r = arith.mulf %a, %b : f64",
       [](double a, double b, bool) { return a * b; }},
      {"%r = arith.negf %a : f64", [](double a, double, bool) { return -a; }},
      {"%r = arith.divf %a, %b : f64",
       [](double a, double b, bool) { return a / b; }},
      {"%r = arith.select %c, %a, %zero : f64",
       [](double a, double, bool c) { return c ? a : 0; }},
      {"%x = arith.mulf %a, %b : f64\n %r = arith.addf %x, %a : f64",
       [](double a, double b, bool) { return a * b + a; }},
      {"%x = arith.mulf %a, %b : f64\n %y = arith.subf %a, %x : f64\n"
       "%r = arith.select %c, %x, %y : f64",
       [](double a, double b, bool c) { return c ? a * b : a - a * b; }},
      {"%x = arith.truncf %a : f64 to f32\n %r = arith.extf %x : f32 to f64",
       [](double a, double, bool) { return a; }},
      {"%r = arith.mulf %a, %a : f64",
       [](double a, double, bool) { return a * a; }},
  };
  forEachLink(links, [](const std::string &text, std::vector<Tensor> inputs,
                        const Tensor &want, double error) {
    expectRight(text, {makeLevel({0, 4}), makeLevel({0, 0, 3})}, inputs, {want},
                /*numRepairs=*/1, error);
  });
}

TEST_F(PeersTest, ChainsThatNeedAPositiveScale) {
  const ChainLink links[] = {
      {"%x = arith.mulf %a, %b : f64\n %r = arith.maximumf %x, %zero : f64",
       [](double a, double b, bool) { return std::max(a * b, 0.0); }},
      {"%x = arith.mulf %a, %b : f64\n %r = math.absf %x : f64",
       [](double a, double b, bool) { return std::fabs(a * b); }},
      {"%x = arith.mulf %a, %b : f64\n %r = arith.minimumf %x, %a : f64",
       [](double a, double b, bool) { return std::min(a * b, a); }},
  };
  forEachLink(links, [](const std::string &text, std::vector<Tensor> inputs,
                        const Tensor &want, double error) {
    expectRight(text, {makeLevel({0, 4}), makeLevel({0, 0, 3})}, inputs, {want},
                /*numRepairs=*/1, error);
  });
}

TEST_F(PeersTest, ChainsWithoutADegreeAreRefused) {
  const std::pair<const char *, const char *> cases[] = {
      {"%r = arith.addf %a, %b : f64", "does not commute with the repair"},
      {"%r = math.exp %a : f64", "does not commute with the repair"},
      {"%r = arith.divf %b, %a : f64",
       "divides by what 'linalg_ext.softmax' yields"},
  };
  for (auto [payload, wanted] : cases) {
    OwningOpRef<ModuleOp> module = parse(makeChain(payload));
    ASSERT_TRUE(module);
    IRRewriter rewriter(context);
    ASSERT_EQ(raiseOnlineReductions(rewriter, *module), 1u);
    Operation *root = nullptr;
    module->walk([&](linalg::GenericOp op) { root = op; });
    std::string before = print(*module);
    std::string reason = refuse(root, {makeLevel({0, 0, 3})}).text;
    EXPECT_NE(reason.find(wanted), std::string::npos)
        << payload << ": " << reason;
    EXPECT_EQ(print(*module), before);
  }
}

//===----------------------------------------------------------------------===//
// Exactness
//===----------------------------------------------------------------------===//

TEST_F(PeersTest, NothingIsRoundedThatNeedNotBe) {
  // 8 keys of the same score, the others masked or so far below that their
  // weight is 0, values that are small integers: nothing on the way needs
  // rounding, whatever the tile. The maximum differs from row to row by up to
  // 2e4.
  AttentionSpec spec = makeSingle();
  spec.scoresAreInput = true;
  oracle::Random random(10);
  Tensor s(spec.shape("mn"), -kInf), v(spec.shape("ne"));
  for (int64_t m = 1; m < spec.size('m'); m += 2)
    for (int64_t n = 0; n < spec.size('n'); ++n)
      s.at({m, n}) = -2e4;
  for (int64_t m = 0; m < spec.size('m'); ++m)
    for (int64_t i = 0; i < 8; ++i)
      s.at({m, (m + 2 * i) % spec.size('n')}) = 1e4 - 2500.0 * m;
  for (double &value : v.data)
    value = static_cast<double>(random.integer(-8, 8));
  Tensor want = oracle::contract("mn,ne->me", oracle::softmax(s, 1).result, v);
  for (int64_t tile : {1, 3, 7, 20}) {
    AttentionGraph graph = build(spec);
    FusionOutcome outcome = FusionTest::expectRight(
        graph, {linalg_ext_test::makeLevel(graph, {{'n', tile}})},
        Form::Delayed, {s, v});
    if (outcome.isRight())
      EXPECT_EQ(outcome.execution.outputs[0].data, want.data);
  }
}

TEST_F(PeersTest, APlanSaysWhetherItRounds) {
  AttentionSpec spec = makeSingle();
  auto exactness = [&](const std::map<char, int64_t> &tiles) {
    AttentionGraph graph = build(spec);
    return plan(graph, {linalg_ext_test::makeLevel(graph, tiles)}).exactness;
  };
  EXPECT_EQ(exactness({{'m', 3}}), Exactness::Exact);
  EXPECT_EQ(exactness({{'n', 6}}), Exactness::Reassociated);
  spec.type = spec.probType = DType::F16;
  EXPECT_EQ(exactness({{'n', 6}}), Exactness::Rounding);
}
