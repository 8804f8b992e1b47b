//===- PolynomialFusionTest.cpp - Accumulators that are polynomials --------===//
//
// Accumulators that are polynomials of a mean, or linear in what follows it:
// one loop over the keys, whose result is compared with f64 or with the result of
// the program that is not fused.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

static constexpr double kUnit = 0x1p-24;
static constexpr int64_t kRows = 7, kKeys = 33;

namespace {
class PolynomialFusionTest : public FusionTest {
protected:
  static void expectAsUnfused(const char *text, ArrayRef<StringRef> levels,
                              size_t numStates);
};
} // namespace

// The loss of a classifier, sum_k [k = target] (logsumexp(x) - x_k): the root
// is linear in the logsumexp, its derivative counts the targets that were met.
static const char *const kCrossEntropy = R"(
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @main(%x: X, %target: T) -> R {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : X
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %re = EMPTY
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : R) -> R
  %zeros = linalg.fill ins(%zero : f32) outs(%re : R) -> R
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : X) outs(%lowests : R) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> R
  %sum = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %max : X, R) outs(%zeros : R) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> R
  %lse = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%sum, %max : R, R) outs(%re : R) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = math.log %a : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> R
  %loss = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %lse, %target : X, R, T) outs(%zeros : R) {
  ^bb0(%a: f32, %b: f32, %t: i8, %o: f32):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %t : i8 to index
    %3 = arith.cmpi eq, %1, %2 : index
    %4 = arith.subf %b, %a : f32
    %5 = arith.select %3, %4, %zero : f32
    %6 = arith.addf %o, %5 : f32
    linalg.yield %6 : f32
  } -> R
  return %loss : R
}
)";

TEST_F(PolynomialFusionTest, CrossEntropy) {
  Random random(3);
  Tensor x = oracle::random(random, {kRows, kKeys}, -30, 30, DType::F32);
  x.at({1, 4}) = -std::numeric_limits<double>::infinity();
  x.at({2, 0}) = 1e4;
  Tensor target({kRows}), loss({kRows}), error({kRows});
  for (int64_t m = 0; m < kRows; ++m) {
    target.data[m] = static_cast<double>(random.integer(5, kKeys - 1));
    double largest = *std::max_element(x.data.begin() + m * kKeys,
                                       x.data.begin() + (m + 1) * kKeys);
    double sum = 0;
    for (int64_t k = 0; k < kKeys; ++k)
      sum += std::exp(x.at({m, k}) - largest);
    double picked = x.at({m, static_cast<int64_t>(target.data[m])});
    loss.data[m] = std::log(sum) + largest - picked;
    error.data[m] =
        8 * kUnit * (kKeys + std::fabs(largest) + std::fabs(picked));
  }
  for (bool dynamic : {false, true})
    for (StringRef levels : {"for(0,1)", "for(0,5)", "forall(3) for(0,8)",
                             "for(0,16) for(0,3)", "split(0,9) for(0,4)"})
      for (Form form : {Form::Delayed, Form::Eager}) {
        SCOPED_TRACE(levels.str());
        std::string ir = kCrossEntropy;
        auto type = [&](const char *sizes, const char *element) {
          return std::string("tensor<") +
                 (dynamic ? (StringRef(sizes).count('x') == 2 ? "?x?x" : "?x")
                          : sizes) +
                 element + ">";
        };
        std::string row = type("7x", "f32"), rows = type("7x33x", "f32"),
                    targets = type("7x", "i8");
        for (const auto &[from, to] :
             std::vector<std::pair<std::string, std::string>>{
                 {"EMPTY", std::string(dynamic ? "tensor.empty(%m) : "
                                               : "tensor.empty() : ") +
                               row},
                 {": X", ": " + rows},
                 {": R", ": " + row},
                 {", R", ", " + row},
                 {"-> R", "-> " + row},
                 {": T", ": " + targets},
                 {", T", ", " + targets}})
          ir = replaceAll(ir, from, to);
        OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, context);
        ASSERT_TRUE(module) << ir;
        auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
        Operation *root = main.getBody()
                              .front()
                              .getTerminator()
                              ->getOperand(0)
                              .getDefiningOp();
        TileAndFuseOptions options;
        options.normalization = form;
        std::string message;
        ASSERT_TRUE(
            succeeded(parseTilingLevels(levels, options.levels, message)));
        Refusal refusal;
        FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
        ASSERT_TRUE(succeeded(plan)) << refusal.text;
        EXPECT_EQ(plan->states.size(), 2u);
        FusionOutcome outcome = fuseAndRun(
            *module, root, options, {x, target},
            [&] { return std::vector<Bounded>{Bounded(loss, error)}; },
            *executor);
        EXPECT_TRUE(outcome.isRight())
            << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
      }
}

/// Fused, a program computes what it computes unfused, by upstream's lowering.
void PolynomialFusionTest::expectAsUnfused(const char *text,
                                           ArrayRef<StringRef> levels,
                                           size_t numStates) {
  for (StringRef level : levels) {
    SCOPED_TRACE(level.str());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    ASSERT_TRUE(module);
    auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
    Random random(5);
    std::vector<Tensor> inputs;
    for (Type type : main.getArgumentTypes())
      inputs.push_back(oracle::random(
          random, oracle::Shape(cast<RankedTensorType>(type).getShape()), 0.5,
          2.5, DType::F32));
    Execution unfused = executor->run(*module, "main", inputs);
    ASSERT_TRUE(unfused.ok()) << unfused.error;
    const Tensor &want = unfused.outputs.front();
    double largest = 0;
    for (double value : want.data)
      largest = std::max(largest, std::fabs(value));
    Operation *root =
        main.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
    TileAndFuseOptions options;
    std::string message;
    ASSERT_TRUE(succeeded(parseTilingLevels(level, options.levels, message)));
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
    ASSERT_TRUE(succeeded(plan)) << refusal.text;
    EXPECT_EQ(plan->states.size(), numStates);
    FusionOutcome outcome = fuseAndRun(
        *module, root, options, inputs,
        [&] {
          return std::vector<Bounded>{
              Bounded(want, Tensor(want.shape, 2e-5 * largest))};
        },
        *executor);
    EXPECT_TRUE(outcome.isRight())
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
    // Nothing is reduced outside of the loops.
    for (auto op : main.getBody().front().getOps<linalg::LinalgOp>())
      EXPECT_EQ(op.getNumReductionLoops(), 0u) << outcome.fused;
  }
}

// Sum of z (x - mean)^2 with mean = sum of z x / sum of z: 0 / 0 before the
// first tile, and a mean of what was seen without being scaled.
TEST_F(PolynomialFusionTest, WeightedVariance) {
  expectAsUnfused(R"(
#ij = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#i = affine_map<(d0)->(d0)>
func.func @main(%x: tensor<7x33xf32>, %z: tensor<7x33xf32>) -> (tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<7xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %v3 = linalg.generic {indexing_maps=[#ij, #ij, #row], iterator_types=["parallel", "reduction"]} ins(%x, %z : tensor<7x33xf32>, tensor<7x33xf32>) outs(%f2 : tensor<7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %q = arith.mulf %a0, %a1 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e4 = tensor.empty() : tensor<7xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<7xf32>) -> tensor<7xf32>
  %v6 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%z : tensor<7x33xf32>) outs(%f5 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e7 = tensor.empty() : tensor<7xf32>
  %v8 = linalg.generic {indexing_maps=[#i, #i, #i], iterator_types=["parallel"]} ins(%v3, %v6 : tensor<7xf32>, tensor<7xf32>) outs(%e7 : tensor<7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %y = arith.divf %a0, %a1 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e9 = tensor.empty() : tensor<7xf32>
  %f10 = linalg.fill ins(%zero : f32) outs(%e9 : tensor<7xf32>) -> tensor<7xf32>
  %v11 = linalg.generic {indexing_maps=[#ij, #row, #ij, #row], iterator_types=["parallel", "reduction"]} ins(%x, %v8, %z : tensor<7x33xf32>, tensor<7xf32>, tensor<7x33xf32>) outs(%f10 : tensor<7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    %t0 = arith.subf %a0, %a1 : f32
    %t1 = arith.mulf %t0, %t0 : f32
    %q = arith.mulf %t1, %a2 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  return %v11 : tensor<7xf32>
}
)",
                  {"for(0,8)", "split(0,9)"}, 2);
}

// The root is linear in the mean, which an inner sum follows too: it may not be
// left out.
TEST_F(PolynomialFusionTest, MeanThatAnInnerSumFollows) {
  expectAsUnfused(R"(
#ij = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#i = affine_map<(d0)->(d0)>
#a3 = affine_map<(d0,d1,d2)->(d0,d1)>
#b3 = affine_map<(d0,d1,d2)->(d1,d2)>
#c3 = affine_map<(d0,d1,d2)->(d0,d2)>
#i3 = affine_map<(d0,d1,d2)->(d0)>
#j3 = affine_map<(d0,d1,d2)->(d1)>
func.func @main(%x: tensor<7x33xf32>, %b: tensor<33xf32>, %w: tensor<33x5xf32>) -> (tensor<7x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 33.0 : f32
  %e1 = tensor.empty() : tensor<7xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %v3 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%x : tensor<7x33xf32>) outs(%f2 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e4 = tensor.empty() : tensor<7xf32>
  %mu5 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v3 : tensor<7xf32>) outs(%e4 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e6 = tensor.empty() : tensor<7x33xf32>
  %v7 = linalg.generic {indexing_maps=[#ij, #row, #ij], iterator_types=["parallel", "parallel"]} ins(%x, %mu5 : tensor<7x33xf32>, tensor<7xf32>) outs(%e6 : tensor<7x33xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %s = arith.subf %a0, %a1 : f32
    %y = math.exp %s : f32
    linalg.yield %y : f32 } -> tensor<7x33xf32>
  %e8 = tensor.empty() : tensor<7xf32>
  %f9 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<7xf32>) -> tensor<7xf32>
  %v10 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%v7 : tensor<7x33xf32>) outs(%f9 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e11 = tensor.empty() : tensor<7x5xf32>
  %f12 = linalg.fill ins(%zero : f32) outs(%e11 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %v13 = linalg.generic {indexing_maps=[#a3, #i3, #i3, #j3, #b3, #c3], iterator_types=["parallel", "reduction", "parallel"]} ins(%x, %mu5, %v10, %b, %w : tensor<7x33xf32>, tensor<7xf32>, tensor<7xf32>, tensor<33xf32>, tensor<33x5xf32>) outs(%f12 : tensor<7x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %o: f32):
    %t1 = arith.mulf %a0, %a1 : f32
    %t2 = arith.mulf %t1, %a2 : f32
    %t3 = arith.addf %t2, %a3 : f32
    %q = arith.mulf %t3, %a4 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7x5xf32>
  return %v13 : tensor<7x5xf32>
}
)",
                  {"for(0,8,0)", "split(0,9)"}, 2);
}

// Rows of each head are divided by a sum of theirs and by one of all heads, and
// given a bias behind both, or between them, where the second sum divides the
// bias too.
TEST_F(PolynomialFusionTest, TwoQuotientsWithBias) {
  const std::string text = R"(
#ihj = affine_map<(d0,d1,d2)->(d0,d1,d2)>
#ih = affine_map<(d0,d1,d2)->(d0,d1)>
#i = affine_map<(d0,d1,d2)->(d0)>
#j = affine_map<(d0,d1,d2)->(d2)>
#y = affine_map<(d0,d1,d2,d3)->(d0,d1,d3)>
#w = affine_map<(d0,d1,d2,d3)->(d3,d2)>
#o = affine_map<(d0,d1,d2,d3)->(d0,d1,d2)>
func.func @main(%x: tensor<7x3x33xf32>, %b: tensor<33xf32>, %w: tensor<33x5xf32>) -> (tensor<7x3x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<7x3xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<7x3xf32>) -> tensor<7x3xf32>
  %s = linalg.generic {indexing_maps=[#ihj, #ih], iterator_types=["parallel", "parallel", "reduction"]} ins(%x : tensor<7x3x33xf32>) outs(%f0 : tensor<7x3xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7x3xf32>
  %e1 = tensor.empty() : tensor<7xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %t = linalg.generic {indexing_maps=[#ihj, #i], iterator_types=["parallel", "reduction", "reduction"]} ins(%x : tensor<7x3x33xf32>) outs(%f1 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %q = arith.mulf %a0, %a0 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e2 = tensor.empty() : tensor<7x3x33xf32>
  %y = linalg.generic {indexing_maps=[#ihj, #ih, #i, #j, #ihj], iterator_types=["parallel", "parallel", "parallel"]} ins(%x, %s, %t, %b : tensor<7x3x33xf32>, tensor<7x3xf32>, tensor<7xf32>, tensor<33xf32>) outs(%e2 : tensor<7x3x33xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    BODY
    linalg.yield %2 : f32 } -> tensor<7x3x33xf32>
  %e3 = tensor.empty() : tensor<7x3x5xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<7x3x5xf32>) -> tensor<7x3x5xf32>
  %r = linalg.generic {indexing_maps=[#y, #w, #o], iterator_types=["parallel", "parallel", "parallel", "reduction"]} ins(%y, %w : tensor<7x3x33xf32>, tensor<33x5xf32>) outs(%f3 : tensor<7x3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %q = arith.mulf %a0, %a1 : f32
    %y1 = arith.addf %o, %q : f32
    linalg.yield %y1 : f32 } -> tensor<7x3x5xf32>
  return %r : tensor<7x3x5xf32>
}
)";
  for (const char *body : {"%1 = arith.divf %0, %a2 : f32\n"
                           "%2 = arith.addf %a3, %1 : f32",
                           "%1 = arith.subf %a3, %0 : f32\n"
                           "%2 = arith.divf %1, %a2 : f32"}) {
    SCOPED_TRACE(body);
    expectAsUnfused(
        replaceAll(text, "BODY", body).c_str(),
        {"for(0,0,0,8)", "split(0,0,0,9)", "forall(3) for(0,0,0,5)"}, 2);
  }
}

// Derivatives of derivatives in three means.
TEST_F(PolynomialFusionTest, ProductOfCentred) {
  expectAsUnfused(R"(
#ij = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#i = affine_map<(d0)->(d0)>
func.func @main(%x: tensor<7x33xf32>, %z: tensor<7x33xf32>, %w: tensor<7x33xf32>) -> (tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 33.0 : f32
  %e1 = tensor.empty() : tensor<7xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %v3 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%x : tensor<7x33xf32>) outs(%f2 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e4 = tensor.empty() : tensor<7xf32>
  %mu5 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v3 : tensor<7xf32>) outs(%e4 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e6 = tensor.empty() : tensor<7xf32>
  %f7 = linalg.fill ins(%zero : f32) outs(%e6 : tensor<7xf32>) -> tensor<7xf32>
  %v8 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%z : tensor<7x33xf32>) outs(%f7 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e9 = tensor.empty() : tensor<7xf32>
  %mu10 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v8 : tensor<7xf32>) outs(%e9 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e11 = tensor.empty() : tensor<7xf32>
  %f12 = linalg.fill ins(%zero : f32) outs(%e11 : tensor<7xf32>) -> tensor<7xf32>
  %v13 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%w : tensor<7x33xf32>) outs(%f12 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e14 = tensor.empty() : tensor<7xf32>
  %mu15 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v13 : tensor<7xf32>) outs(%e14 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e16 = tensor.empty() : tensor<7xf32>
  %f17 = linalg.fill ins(%zero : f32) outs(%e16 : tensor<7xf32>) -> tensor<7xf32>
  %v18 = linalg.generic {indexing_maps=[#ij, #row, #ij, #row, #ij, #row, #row], iterator_types=["parallel", "reduction"]} ins(%x, %mu5, %z, %mu10, %w, %mu15 : tensor<7x33xf32>, tensor<7xf32>, tensor<7x33xf32>, tensor<7xf32>, tensor<7x33xf32>, tensor<7xf32>) outs(%f17 : tensor<7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %o: f32):
    %t1 = arith.subf %a0, %a1 : f32
    %t2 = arith.subf %a2, %a3 : f32
    %t3 = arith.subf %a4, %a5 : f32
    %t4 = arith.mulf %t1, %t2 : f32
    %q = arith.mulf %t3, %t4 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  return %v18 : tensor<7xf32>
}
)",
                  {"for(0,8)", "split(0,9)"}, 3);
}

// A variance whose terms are the squares of what is centred by another mean.
TEST_F(PolynomialFusionTest, VarianceOfSquares) {
  expectAsUnfused(R"(
#ij = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d0)>
#i = affine_map<(d0)->(d0)>
func.func @main(%x: tensor<7x33xf32>) -> (tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 33.0 : f32
  %e1 = tensor.empty() : tensor<7xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %v3 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%x : tensor<7x33xf32>) outs(%f2 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e4 = tensor.empty() : tensor<7xf32>
  %mu5 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v3 : tensor<7xf32>) outs(%e4 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e6 = tensor.empty() : tensor<7x33xf32>
  %v7 = linalg.generic {indexing_maps=[#ij, #row, #ij], iterator_types=["parallel", "parallel"]} ins(%x, %mu5 : tensor<7x33xf32>, tensor<7xf32>) outs(%e6 : tensor<7x33xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %s = arith.subf %a0, %a1 : f32
    %y = arith.mulf %s, %s : f32
    linalg.yield %y : f32 } -> tensor<7x33xf32>
  %e8 = tensor.empty() : tensor<7xf32>
  %f9 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<7xf32>) -> tensor<7xf32>
  %v10 = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["parallel", "reduction"]} ins(%v7 : tensor<7x33xf32>) outs(%f9 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e11 = tensor.empty() : tensor<7xf32>
  %mu12 = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%v10 : tensor<7xf32>) outs(%e11 : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %e13 = tensor.empty() : tensor<7xf32>
  %f14 = linalg.fill ins(%zero : f32) outs(%e13 : tensor<7xf32>) -> tensor<7xf32>
  %v15 = linalg.generic {indexing_maps=[#ij, #row, #row], iterator_types=["parallel", "reduction"]} ins(%v7, %mu12 : tensor<7x33xf32>, tensor<7xf32>) outs(%f14 : tensor<7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %t1 = arith.subf %a0, %a1 : f32
    %q = arith.mulf %t1, %t1 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  return %v15 : tensor<7xf32>
}
)",
                  {"for(0,8)", "forall(3) for(0,5)"}, 2);
}

// The sum of the squares of a norm with a bias follows mean and scale by polynomials of
// degree 2, and the scale follows the mean. (test/Fusion/norm-with-bias-squared.mlir has
// loops in which that cannot be repaired.)
TEST_F(PolynomialFusionTest, SquareOfNormWithBias) {
  const std::string norm = R"(
#ij = affine_map<(d0,d1)->(d0,d1)>
#row = affine_map<(d0,d1)->(d1)>
#key = affine_map<(d0,d1)->(d0)>
#i = affine_map<(d0)->(d0)>
#y4 = affine_map<(d0,d1,d2)->(d2,d0,d1)>
#v4 = affine_map<(d0,d1,d2)->(d2)>
#o4 = affine_map<(d0,d1,d2)->(d0,d1)>
#y2 = affine_map<(d0,d1)->(d1,d0)>
#v2 = affine_map<(d0,d1)->(d1)>
#o2 = affine_map<(d0,d1)->(d0)>
func.func @main(%x: tensor<33x7xf32>, %g: tensor<33xf32>, %b: tensor<33xf32>, %v: tensor<33xf32>) -> (RESULT) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 33.0 : f32
  %eps = arith.constant 1.0e-3 : f32
  %e = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %sum = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["reduction", "parallel"]} ins(%x : tensor<33x7xf32>) outs(%f : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.addf %o, %a0 : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %mean = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%sum : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = arith.divf %a0, %n : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %w = tensor.empty() : tensor<33x7xf32>
  %centred = linalg.generic {indexing_maps=[#ij, #row, #ij], iterator_types=["parallel", "parallel"]} ins(%x, %mean : tensor<33x7xf32>, tensor<7xf32>) outs(%w : tensor<33x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %y = arith.subf %a0, %a1 : f32
    linalg.yield %y : f32 } -> tensor<33x7xf32>
  %squares = linalg.generic {indexing_maps=[#ij, #row], iterator_types=["reduction", "parallel"]} ins(%centred : tensor<33x7xf32>) outs(%f : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %q = arith.mulf %a0, %a0 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %scale = linalg.generic {indexing_maps=[#i, #i], iterator_types=["parallel"]} ins(%squares : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %m = arith.divf %a0, %n : f32
    %p = arith.addf %m, %eps : f32
    %y = math.rsqrt %p : f32
    linalg.yield %y : f32 } -> tensor<7xf32>
  %norm = linalg.generic {indexing_maps=[#ij, #row, #key, #key, #ij], iterator_types=["parallel", "parallel"]} ins(%centred, %scale, %g, %b : tensor<33x7xf32>, tensor<7xf32>, tensor<33xf32>, tensor<33xf32>) outs(%w : tensor<33x7xf32>) {
  ^bb0(%a0: f32, %r: f32, %a1: f32, %a2: f32, %o: f32):
    %s = arith.mulf %a0, %r : f32
    %m = arith.mulf %s, %a1 : f32
    %y = arith.addf %m, %a2 : f32
    linalg.yield %y : f32 } -> tensor<33x7xf32>
)";
  const std::string body = R"( {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %q = arith.mulf %m, %a0 : f32
    %y = arith.addf %o, %q : f32
    linalg.yield %y : f32 } -> RESULT
  return %r : RESULT
}
)";
  const std::string plain =
      replaceAll(norm + R"(
  %r = linalg.generic {indexing_maps=[#y2, #v2, #o2], iterator_types=["parallel", "reduction"]} ins(%norm, %v : tensor<33x7xf32>, tensor<33xf32>) outs(%f : tensor<7xf32>))" +
                     body,
                 "RESULT", "tensor<7xf32>");
  expectAsUnfused(plain.c_str(),
                  {"for(0,8)", "split(0,9)", "forall(3) for(0,5)"}, 2);
  const std::string reshaped =
      replaceAll(norm + R"(
  %expanded = tensor.expand_shape %norm [[0], [1, 2]] output_shape [33, 1, 7] : tensor<33x7xf32> into tensor<33x1x7xf32>
  %e4 = tensor.empty() : tensor<1x7xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x7xf32>) -> tensor<1x7xf32>
  %r = linalg.generic {indexing_maps=[#y4, #v4, #o4], iterator_types=["parallel", "parallel", "reduction"]} ins(%expanded, %v : tensor<33x1x7xf32>, tensor<33xf32>) outs(%f4 : tensor<1x7xf32>))" +
                     body,
                 "RESULT", "tensor<1x7xf32>");
  expectAsUnfused(reshaped.c_str(), {"for(0,3) for(0,0,8)"}, 2);
}
