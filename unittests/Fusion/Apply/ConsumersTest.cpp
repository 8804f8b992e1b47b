//===- ConsumersTest.cpp - What follows the root --------------------------===//
//
// Fuses what follows a root into its loops and runs it: elementwise ops,
// transposes and reshapes, on dynamic shapes and with tiles that do not divide
// them. All in f64, where a right result is one within 1e-9.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

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
class ConsumersTest : public FusionTest {
protected:
  static Levels parseLevels(StringRef text) {
    Levels levels;
    std::string error;
    EXPECT_TRUE(succeeded(parseTilingLevels(text, levels, error))) << error;
    return levels;
  }

  /// Fuses the marked root of `text` with `levels` and runs it. What follows
  /// the root is in as many levels as `depths` says, in program order.
  static void expectRight(const std::string &text, StringRef levels,
                          const std::vector<Tensor> &inputs,
                          const std::vector<Tensor> &want,
                          const std::vector<unsigned> &depths) {
    SCOPED_TRACE(levels.str());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module) << text;
    IRRewriter rewriter(context);
    raiseOnlineReductions(rewriter, *module);
    SmallVector<Operation *> roots =
        findFusionRoots(*module, "linalg_ext.root");
    ASSERT_EQ(roots.size(), 1u);
    TileAndFuseOptions options = makeOptions(parseLevels(levels));
    options.fuseConsumers = true;
    Refusal refusal;
    std::string printed;
    FailureOr<FusionPlan> plan =
        planTileAndFuse(roots.front(), options, refusal);
    ASSERT_TRUE(succeeded(plan)) << refusal.text;
    plan = dryRunFusionPlan(*plan, refusal);
    ASSERT_TRUE(succeeded(plan)) << refusal.text;
    llvm::raw_string_ostream os(printed);
    plan->print(os);
    std::vector<unsigned> got;
    for (const PlannedConsumer &consumer : plan->consumers)
      got.push_back(consumer.depth);
    EXPECT_EQ(got, depths) << printed;
    FusionOutcome outcome = fuseAndRun(
        *module, roots.front(), options, inputs,
        [&] {
          std::vector<Bounded> bounded;
          for (const Tensor &value : want)
            bounded.push_back(Bounded(value, Tensor(value.shape, 1e-9)));
          return bounded;
        },
        *executor);
    EXPECT_TRUE(outcome.isRight())
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan
        << outcome.fused;
  }
};
} // namespace

static Tensor draw(oracle::Random &random, const oracle::Shape &shape) {
  return oracle::random(random, shape, -1, 1, DType::F64);
}

/// The sum of `lhs` and `rhs`, or what else `f` makes of them.
static Tensor
combine(const Tensor &lhs, const Tensor &rhs,
        function_ref<double(double, double)> f = std::plus<double>()) {
  Tensor result = lhs;
  for (int64_t i = 0; i < lhs.size(); ++i)
    result.data[i] = f(lhs.data[i], rhs.data[i]);
  return result;
}

static Tensor square(const Tensor &x) {
  return oracle::map(x, [](double value) { return value * value; });
}

/// A function with a matmul, %o, of m x k by k x n; `rest` follows it.
static std::string makeMatmul(const std::string &results,
                              const std::string &rest) {
  return R"(
  #mn = affine_map<(m, n) -> (m, n)>
  #nm = affine_map<(m, n) -> (n, m)>
  #n = affine_map<(m, n) -> (n)>
  func.func @main(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>,
                  %bias: tensor<?xf64>, %x: tensor<?x?xf64>) -> )" +
         results + R"( {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f64
    %M = tensor.dim %a, %c0 : tensor<?x?xf64>
    %N = tensor.dim %b, %c1 : tensor<?x?xf64>
    %oe = tensor.empty(%M, %N) : tensor<?x?xf64>
    %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<?x?xf64>)
      -> tensor<?x?xf64>
    %o = linalg.matmul {linalg_ext.root}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%o0 : tensor<?x?xf64>) -> tensor<?x?xf64>
    // What sizes are written in terms of comes after the root.
    %Mo = tensor.dim %o, %c0 : tensor<?x?xf64>
    %No = tensor.dim %o, %c1 : tensor<?x?xf64>
    %e = tensor.empty(%Mo, %No) : tensor<?x?xf64>
    %et = tensor.empty(%No, %Mo) : tensor<?x?xf64>
)" + rest +
         "}";
}

namespace {
struct MatmulInputs {
  explicit MatmulInputs(int64_t m = 7, int64_t n = 9, int64_t k = 8) {
    oracle::Random random(1);
    a = draw(random, {m, k});
    b = draw(random, {k, n});
    bias = draw(random, {n});
    x = draw(random, {m, n});
    o = oracle::contract("mk,kn->mn", a, b);
    biased = combine(o, oracle::rearrange(bias, "n", "mn", {m, n}));
  }
  std::vector<Tensor> get() const { return {a, b, bias, x}; }

  Tensor a, b, bias, x;
  Tensor o, biased; ///< a b, and with the bias added
};
} // namespace

static Tensor transpose(const Tensor &x) {
  return oracle::rearrange(x, "mn", "nm", {x.shape[1], x.shape[0]});
}

static const char *const kAddBias = R"(
    %p = linalg.generic {indexing_maps = [#mn, #n, #mn],
                         iterator_types = ["parallel", "parallel"]}
        ins(%o, %bias : tensor<?x?xf64>, tensor<?xf64>)
        outs(%e : tensor<?x?xf64>) {
    ^bb0(%l: f64, %r: f64, %unused: f64):
      %s = arith.addf %l, %r : f64
      linalg.yield %s : f64
    } -> tensor<?x?xf64>)";

static const char *const kMatmulLevels[] = {
    "forall(3, 4) for(0, 0, 3)", "forall(3) for(0, 4) for(0, 0, 3)",
    "for(3, 4)", "for(3, 4) interchange(1, 0, 2) for(2) for(0, 0, 8)",
    "forall(7) for(0, 9, 5)"};
static const unsigned kMatmulDepths[] = {1, 2, 2, 3, 2};

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

TEST_F(ConsumersTest, ATransposeBetweenElementwiseOps) {
  MatmulInputs in;
  std::string text = makeMatmul("tensor<?x?xf64>", kAddBias + std::string(R"(
    %t = linalg.transpose ins(%p : tensor<?x?xf64>)
      outs(%et : tensor<?x?xf64>) permutation = [1, 0]
    %r = linalg.generic {indexing_maps = [#nm, #mn, #nm],
                         iterator_types = ["parallel", "parallel"]}
        ins(%t, %x : tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%et : tensor<?x?xf64>) {
    ^bb0(%l: f64, %r: f64, %unused: f64):
      %s = arith.mulf %l, %r : f64
      linalg.yield %s : f64
    } -> tensor<?x?xf64>
    return %r : tensor<?x?xf64>
)"));
  Tensor want = transpose(combine(in.biased, in.x, std::multiplies<double>()));
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {want}, {depth, depth, depth});
}

TEST_F(ConsumersTest, ATransposeAtTheRoot) {
  MatmulInputs in;
  std::string text = makeMatmul("tensor<?x?xf64>", R"(
    %t = linalg.transpose ins(%o : tensor<?x?xf64>)
      outs(%et : tensor<?x?xf64>) permutation = [1, 0]
    return %t : tensor<?x?xf64>
)");
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {transpose(in.o)}, {depth});
}

/// An op that reads the root straight and transposed has no tile that is one of
/// the root.
TEST_F(ConsumersTest, TilesThatBelongToDifferentTilesStay) {
  MatmulInputs in(8, 8);
  std::string text = makeMatmul("tensor<?x?xf64>", R"(
    %t = linalg.generic {indexing_maps = [#mn, #nm, #mn],
                         iterator_types = ["parallel", "parallel"]}
        ins(%o, %o : tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%e : tensor<?x?xf64>) {
    ^bb0(%l: f64, %r: f64, %unused: f64):
      %s = arith.addf %l, %r : f64
      linalg.yield %s : f64
    } -> tensor<?x?xf64>
    return %t : tensor<?x?xf64>
)");
  for (const char *levels : kMatmulLevels)
    expectRight(text, levels, in.get(), {combine(in.o, transpose(in.o))}, {0});
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

TEST_F(ConsumersTest, TilesOfALoopThatCutsAReductionAreNotFinal) {
  MatmulInputs in;
  std::string text = makeMatmul(
      "tensor<?x?xf64>", std::string(kAddBias) + "return %p : tensor<?x?xf64>");
  for (const char *levels :
       {"for(0, 0, 3)", "for(0, 0, 3) for(3, 4)", "split(0, 0, 3)"})
    expectRight(text, levels, in.get(), {in.biased}, {0});
  // In front of it they are.
  expectRight(text, "for(3) for(0, 0, 3) for(0, 4)", in.get(), {in.biased},
              {1});
}

TEST_F(ConsumersTest, WhatIsMergedIsFollowed) {
  MatmulInputs in;
  std::string text = makeMatmul(
      "tensor<?x?xf64>", std::string(kAddBias) + "return %p : tensor<?x?xf64>");
  expectRight(text, "forall(3, 4) split(0, 0, 3) for(0, 0, 2)", in.get(),
              {in.biased}, {1});
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// A binary op of equal shapes.
static std::string makeBinary(const std::string &result, const std::string &op,
                              const std::string &lhs, const std::string &rhs) {
  return "%" + result +
         R"( = linalg.generic {indexing_maps = [#mn, #mn, #mn],
                         iterator_types = ["parallel", "parallel"]}
        ins(%)" +
         lhs + ", %" + rhs + R"( : tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%e : tensor<?x?xf64>) {
    ^bb0(%l: f64, %r: f64, %unused: f64):
      %s = )" +
         op + R"( %l, %r : f64
      linalg.yield %s : f64
    } -> tensor<?x?xf64>
)";
}

TEST_F(ConsumersTest, ADiamond) {
  MatmulInputs in;
  std::string text =
      makeMatmul("(tensor<?x?xf64>, tensor<?x?xf64>)",
                 makeBinary("p", "arith.addf", "o", "x") +
                     makeBinary("q", "arith.mulf", "o", "o") +
                     makeBinary("r", "arith.subf", "q", "p") +
                     "return %o, %r : tensor<?x?xf64>, tensor<?x?xf64>");
  Tensor want =
      combine(square(in.o), combine(in.o, in.x), std::minus<double>());
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {in.o, want}, {depth, depth, depth});
}

TEST_F(ConsumersTest, AnOperandThatIsComputedAfterTheRoot) {
  MatmulInputs in(8, 8);
  std::string text = makeMatmul("tensor<?x?xf64>", makeBinary("p", "arith.addf",
                                                              "o", "x") +
                                                       R"(
    %g0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>)
      -> tensor<?x?xf64>
    %g = linalg.matmul ins(%x, %b : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%g0 : tensor<?x?xf64>) -> tensor<?x?xf64>
)" + makeBinary("r", "arith.mulf", "p", "g") + "return %r : tensor<?x?xf64>");
  Tensor want =
      combine(combine(in.o, in.x), oracle::contract("mk,kn->mn", in.x, in.b),
              std::multiplies<double>());
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {want}, {depth, depth});
}

TEST_F(ConsumersTest, AnOperandThatWaitsForTheRoot) {
  MatmulInputs in(8, 8);
  std::string text = makeMatmul("tensor<?x?xf64>", makeBinary("p", "arith.addf",
                                                              "o", "x") +
                                                       R"(
    %g0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>)
      -> tensor<?x?xf64>
    %g = linalg.matmul ins(%o, %b : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%g0 : tensor<?x?xf64>) -> tensor<?x?xf64>
)" + makeBinary("r", "arith.mulf", "p", "g") + "return %r : tensor<?x?xf64>");
  Tensor want =
      combine(combine(in.o, in.x), oracle::contract("mk,kn->mn", in.o, in.b),
              std::multiplies<double>());
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {want}, {depth, 0, 0});
}

/// Users in other blocks do not hinder.
TEST_F(ConsumersTest, AUserInARegion) {
  MatmulInputs in;
  std::string text =
      makeMatmul("(tensor<?x?xf64>, tensor<1xf64>)", std::string(kAddBias) + R"(
    %yes = arith.cmpi sge, %M, %c0 : index
    %v = scf.if %yes -> f64 {
      %l = tensor.extract %o[%c1, %c1] : tensor<?x?xf64>
      %r = tensor.extract %p[%c0, %c1] : tensor<?x?xf64>
      %s = arith.mulf %l, %r : f64
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    %vt = tensor.from_elements %v : tensor<1xf64>
    return %p, %vt : tensor<?x?xf64>, tensor<1xf64>
)");
  Tensor value({1}, in.o.at({1, 1}) * in.biased.at({0, 1}));
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {in.biased, value}, {depth});
}

/// A sum of rows follows the root into the loops in which tiles have whole rows.
TEST_F(ConsumersTest, WhatReducesJoinsWholeRows) {
  MatmulInputs in;
  std::string text = makeMatmul("(tensor<?x?xf64>, tensor<?xf64>)",
                                makeBinary("p", "arith.addf", "o", "x") + R"(
    %ve = tensor.empty(%Mo) : tensor<?xf64>
    %v0 = linalg.fill ins(%zero : f64) outs(%ve : tensor<?xf64>)
      -> tensor<?xf64>
    %v = linalg.reduce {arith.addf} ins(%p : tensor<?x?xf64>)
      outs(%v0 : tensor<?xf64>) dimensions = [1]
    return %p, %v : tensor<?x?xf64>, tensor<?xf64>
)");
  Tensor sum = combine(in.o, in.x);
  const unsigned wholeRows[] = {0, 1, 1, 0, 1};
  for (auto [levels, depth, whole] :
       llvm::zip_equal(kMatmulLevels, kMatmulDepths, wholeRows))
    expectRight(text, levels, in.get(), {sum, oracle::reduceSum(sum, 1)},
                {depth, whole});
}

/// What the loops leave of a producer for others is a tile too.
TEST_F(ConsumersTest, AnOperandThatTheLoopsYield) {
  MatmulInputs in(8, 8);
  std::string text = R"(
  #mn = affine_map<(m, n) -> (m, n)>
  func.func @main(%a: tensor<8x8xf64>, %b: tensor<8x8xf64>)
      -> tensor<8x8xf64> {
    %zero = arith.constant 0.0 : f64
    %e = tensor.empty() : tensor<8x8xf64>
    %s = linalg.mul ins(%a, %a : tensor<8x8xf64>, tensor<8x8xf64>)
      outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
    %o0 = linalg.fill ins(%zero : f64) outs(%e : tensor<8x8xf64>)
      -> tensor<8x8xf64>
    %o = linalg.matmul {linalg_ext.root}
      ins(%s, %b : tensor<8x8xf64>, tensor<8x8xf64>)
      outs(%o0 : tensor<8x8xf64>) -> tensor<8x8xf64>
    %r = linalg.sub ins(%o, %s : tensor<8x8xf64>, tensor<8x8xf64>)
      outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
    return %r : tensor<8x8xf64>
  })";
  Tensor s = square(in.a);
  Tensor want =
      combine(oracle::contract("mk,kn->mn", s, in.b), s, std::minus<double>());
  expectRight(text, "forall(3) for(0, 0, 3)", {in.a, in.b}, {want}, {1});
  expectRight(text, "for(3) for(0, 3) for(0, 0, 3)", {in.a, in.b}, {want}, {2});
}

TEST_F(ConsumersTest, TwoResultsThatDependOnWhereTheyAre) {
  MatmulInputs in;
  std::string text = makeMatmul("(tensor<?x?xf64>, tensor<?x?xf64>)", R"(
    %r:2 = linalg.generic {indexing_maps = [#mn, #nm, #mn],
                           iterator_types = ["parallel", "parallel"]}
        ins(%o : tensor<?x?xf64>)
        outs(%et, %e : tensor<?x?xf64>, tensor<?x?xf64>) {
    ^bb0(%l: f64, %u: f64, %w: f64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %ten = arith.constant 10 : index
      %k = arith.muli %i, %ten : index
      %ij = arith.addi %k, %j : index
      %n = arith.index_cast %ij : index to i64
      %f = arith.sitofp %n : i64 to f64
      %s = arith.addf %l, %f : f64
      linalg.yield %l, %s : f64, f64
    } -> (tensor<?x?xf64>, tensor<?x?xf64>)
    return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
)");
  Tensor placed = in.o;
  for (int64_t m = 0; m < 7; ++m)
    for (int64_t n = 0; n < 9; ++n)
      placed.at({m, n}) += static_cast<double>(10 * m + n);
  for (auto [levels, depth] : llvm::zip(kMatmulLevels, kMatmulDepths))
    expectRight(text, levels, in.get(), {transpose(in.o), placed}, {depth});
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

TEST_F(ConsumersTest, AnExpandedDimension) {
  // n = 3 x 4.
  MatmulInputs in(7, 12);
  std::string text = makeMatmul("tensor<?x?x4xf64>", kAddBias + std::string(R"(
    %c4 = arith.constant 4 : index
    %H = arith.divsi %No, %c4 : index
    %r = tensor.expand_shape %p [[0], [1, 2]] output_shape [%Mo, %H, 4]
      : tensor<?x?xf64> into tensor<?x?x4xf64>
    %qe = tensor.empty(%Mo, %H) : tensor<?x?x4xf64>
    %q = linalg.elementwise kind=#linalg.elementwise_kind<exp>
      ins(%r : tensor<?x?x4xf64>) outs(%qe : tensor<?x?x4xf64>)
      -> tensor<?x?x4xf64>
    return %q : tensor<?x?x4xf64>
)"));
  Tensor want = oracle::map(in.biased, [](double x) { return std::exp(x); });
  want.shape = {7, 3, 4};
  expectRight(text, "forall(3) for(0, 0, 3)", in.get(), {want}, {1, 1, 1});
  expectRight(text, "forall(3, 4) for(0, 0, 3)", in.get(), {want}, {1, 1, 1});
  expectRight(text, "for(3, 8) for(0, 0, 3)", in.get(), {want}, {2, 2, 2});
  // No tile of the result.
  expectRight(text, "forall(3, 6) for(0, 0, 3)", in.get(), {want}, {1, 0, 0});
}

/// Heads that are put side by side after attention: b h m e -> b m (h e), then
/// the rest of the layer. Sizes as `sizes` says, "?" or a number.
static std::string makeAttention(const std::map<char, std::string> &sizes) {
  std::string text = R"(
  #bhmn = affine_map<(b, h, m, e, n) -> (b, h, m, n)>
  #bhne = affine_map<(b, h, m, e, n) -> (b, h, n, e)>
  #bhme = affine_map<(b, h, m, e, n) -> (b, h, m, e)>
  #c = affine_map<(b, m, c) -> (c)>
  #bmc = affine_map<(b, m, c) -> (b, m, c)>
  func.func @main(%s: tensor<BxHxMxNxf64>, %v: tensor<BxHxNxExf64>,
                  %bias: tensor<Cxf64>, %x: tensor<BxMxCxf64>)
      -> tensor<BxMxCxf64> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f64
    %b = tensor.dim %s, %c0 : tensor<BxHxMxNxf64>
    %h = tensor.dim %s, %c1 : tensor<BxHxMxNxf64>
    %m = tensor.dim %s, %c2 : tensor<BxHxMxNxf64>
    %n = tensor.dim %s, %c3 : tensor<BxHxMxNxf64>
    %e = tensor.dim %v, %c3 : tensor<BxHxNxExf64>
    %pe0 = tensor.empty(%b, %h, %m, %n) : tensor<?x?x?x?xf64>
    %pe = tensor.cast %pe0 : tensor<?x?x?x?xf64> to tensor<BxHxMxNxf64>
    %p = linalg.softmax dimension(3) ins(%s : tensor<BxHxMxNxf64>)
      outs(%pe : tensor<BxHxMxNxf64>) -> tensor<BxHxMxNxf64>
    %oe0 = tensor.empty(%b, %h, %m, %e) : tensor<?x?x?x?xf64>
    %oe = tensor.cast %oe0 : tensor<?x?x?x?xf64> to tensor<BxHxMxExf64>
    %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<BxHxMxExf64>)
      -> tensor<BxHxMxExf64>
    %o = linalg.generic {indexing_maps = [#bhmn, #bhne, #bhme],
        iterator_types = ["parallel", "parallel", "parallel", "parallel",
                          "reduction"], linalg_ext.root}
        ins(%p, %v : tensor<BxHxMxNxf64>, tensor<BxHxNxExf64>)
        outs(%o0 : tensor<BxHxMxExf64>) {
    ^bb0(%l: f64, %r: f64, %acc: f64):
      %y = arith.mulf %l, %r : f64
      %z = arith.addf %acc, %y : f64
      linalg.yield %z : f64
    } -> tensor<BxHxMxExf64>
    %te0 = tensor.empty(%b, %m, %h, %e) : tensor<?x?x?x?xf64>
    %te = tensor.cast %te0 : tensor<?x?x?x?xf64> to tensor<BxMxHxExf64>
    %t = linalg.transpose ins(%o : tensor<BxHxMxExf64>)
      outs(%te : tensor<BxMxHxExf64>) permutation = [0, 2, 1, 3]
    %r = tensor.collapse_shape %t [[0], [1], [2, 3]]
      : tensor<BxMxHxExf64> into tensor<BxMxCxf64>
    %C = tensor.dim %r, %c2 : tensor<BxMxCxf64>
    %qe0 = tensor.empty(%b, %m, %C) : tensor<?x?x?xf64>
    %qe = tensor.cast %qe0 : tensor<?x?x?xf64> to tensor<BxMxCxf64>
    %q = linalg.generic {indexing_maps = [#bmc, #c, #bmc, #bmc],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%r, %bias, %x : tensor<BxMxCxf64>, tensor<Cxf64>,
                            tensor<BxMxCxf64>)
        outs(%qe : tensor<BxMxCxf64>) {
    ^bb0(%l: f64, %k: f64, %res: f64, %unused: f64):
      %y = arith.addf %l, %k : f64
      %z = arith.addf %y, %res : f64
      linalg.yield %z : f64
    } -> tensor<BxMxCxf64>
    %w = linalg.mul ins(%q, %q : tensor<BxMxCxf64>, tensor<BxMxCxf64>)
      outs(%qe : tensor<BxMxCxf64>) -> tensor<BxMxCxf64>
    return %w : tensor<BxMxCxf64>
  })";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    auto it = sizes.find(text[i]);
    bool inType = i > 0 && i + 1 < text.size() &&
                  (text[i - 1] == '<' || text[i - 1] == 'x') &&
                  text[i + 1] == 'x';
    if (it != sizes.end() && inType)
      result += it->second;
    else
      result += text[i];
  }
  return result;
}

TEST_F(ConsumersTest, HeadsSideBySide) {
  oracle::Random random(2);
  Tensor s = draw(random, {2, 3, 7, 10}), v = draw(random, {2, 3, 10, 4}),
         bias = draw(random, {12}), x = draw(random, {2, 7, 12});
  Tensor o =
      oracle::contract("bhmn,bhne->bmhe", oracle::softmax(s, 3).result, v);
  o.shape = {2, 7, 12};
  Tensor want = square(
      combine(combine(o, oracle::rearrange(bias, "c", "bmc", {2, 7, 12})), x));
  const std::map<char, std::string> shapes[] = {
      {{'B', "2"},
       {'H', "3"},
       {'M', "7"},
       {'N', "10"},
       {'E', "4"},
       {'C', "12"}},
      {{'B', "?"}, {'H', "3"}, {'M', "?"}, {'N', "?"}, {'E', "4"}, {'C', "12"}},
      {{'B', "?"}, {'H', "?"}, {'M', "?"}, {'N', "?"}, {'E', "?"}, {'C', "?"}},
  };
  for (const auto &sizes : shapes) {
    SCOPED_TRACE(sizes.at('B') + " " + sizes.at('H'));
    std::string text = makeAttention(sizes);
    auto expect = [&](StringRef levels, unsigned depth) {
      expectRight(text, levels, {s, v, bias, x}, {want},
                  {depth, depth, depth, depth});
    };
    expect("forall(1, 1) for(0, 0, 3) for(0, 0, 0, 0, 4)", 2);
    expect("forall(1, 2, 3) for(0, 0, 0, 0, 4)", 1);
    expect("forall(2, 3, 3) for(0, 0, 0, 0, 4)", 1);
    expect("for(1, 1, 3) for(0, 0, 0, 0, 4)", 3);
    expect("for(0, 0, 3) for(0, 0, 0, 0, 4)", 1);
    expect("forall(1, 1, 3) split(0, 0, 0, 0, 4)", 1);
    // A part of several heads is no tile of what they are side by side.
    expectRight(text, "forall(1, 2, 3, 2) for(0, 0, 0, 0, 4)", {s, v, bias, x},
                {want}, {1, 0, 0, 0});
  }
}
