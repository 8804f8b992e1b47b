//===- RegressionTest.cpp - What repairs once got wrong -------------------===//
//
// One program for each mistake that tile-and-fuse made with states, ratios and
// reads, executed against its definition in f64.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
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

static constexpr double kInf = std::numeric_limits<double>::infinity();

namespace {
class RegressionTest : public FusionTest {
protected:
  /// Fuses the root of `text`, whose result must be `want`; expects as many
  /// states to be carried. Returns the plan as it prints.
  static std::string expectRight(const std::string &text, StringRef levels,
                                 Form form, size_t numStates,
                                 const std::vector<Tensor> &inputs,
                                 const Tensor &want, double error = 1e-9) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kMaps + text, context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return "";
    SmallVector<Operation *> roots =
        findFusionRoots(*module, "linalg_ext.root");
    EXPECT_TRUE(roots.size() == 1);
    TileAndFuseOptions options;
    options.normalization = form;
    std::string message;
    EXPECT_TRUE(succeeded(parseTilingLevels(levels, options.levels, message)));
    Refusal refusal;
    FailureOr<FusionPlan> plan =
        planTileAndFuse(roots.front(), options, refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    if (failed(plan))
      return "";
    FusionOutcome outcome = fuseAndRun(
        *module, roots.front(), options, inputs,
        [&]() -> std::vector<Bounded> {
          return {Bounded(want, Tensor(want.shape, error))};
        },
        *executor);
    EXPECT_EQ(plan->states.size(), numStates) << outcome.plan;
    EXPECT_TRUE(outcome.isRight())
        << getName(outcome.stage) << ": " << outcome.reason << outcome.plan
        << outcome.fused;
    return outcome.plan;
  }

  static Tensor draw(const oracle::Shape &shape, double low, double high,
                     DType type = DType::F64) {
    oracle::Random random(11);
    return oracle::random(random, shape, low, high, type);
  }

  static const char *const kMaps;
};
} // namespace

/// Loops are rows, keys and columns.
const char *const RegressionTest::kMaps = R"(
  #row = affine_map<(m, n) -> (m)>
  #id = affine_map<(m, n) -> (m, n)>
  #vec = affine_map<(m) -> (m)>
  #p = affine_map<(m, e, n) -> (m, n)>
  #v = affine_map<(m, e, n) -> (n, e)>
  #o = affine_map<(m, e, n) -> (m, e)>
)";

/// A reduction of `in`, of type `element`, to each row.
static std::string reduce(const std::string &out, const std::string &in,
                          const std::string &element, const std::string &init,
                          const std::string &body) {
  return "%" + out + "_e = tensor.empty() : tensor<3x" + element + ">\n%" +
         out + "_c = arith.constant " + init + " : " + element + "\n%" + out +
         "_i = linalg.fill ins(%" + out + "_c : " + element + ") outs(%" + out +
         "_e : tensor<3x" + element + ">) -> tensor<3x" + element + ">\n%" +
         out +
         " = linalg.generic {indexing_maps = [#id, #row], iterator_types = "
         "[\"parallel\", \"reduction\"]} ins(%" +
         in + " : tensor<3x8x" + element + ">) outs(%" + out +
         "_i : tensor<3x" + element + ">) {\n^bb0(%a: " + element +
         ", %acc: " + element + "):\n" + body + "linalg.yield %r : " + element +
         "\n} -> tensor<3x" + element + ">\n";
}
static std::string reduceMax(const std::string &out, const std::string &in,
                             const std::string &element,
                             const std::string &minusInf) {
  return reduce(out, in, element, minusInf,
                "%r = arith.maximumf %a, %acc : " + element + "\n");
}

/// An elementwise op on a tensor of the shape of the scores and one of rows.
static std::string combine(const std::string &out, const std::string &x,
                           const std::string &row, const std::string &from,
                           const std::string &to, const std::string &body) {
  return "%" + out + "_e = tensor.empty() : tensor<3x8x" + to + ">\n%" + out +
         " = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types "
         "= [\"parallel\", \"parallel\"]} ins(%" +
         x + ", %" + row + " : tensor<3x8x" + from + ">, tensor<3x" + from +
         ">) outs(%" + out + "_e : tensor<3x8x" + to +
         ">) {\n^bb0(%a: " + from + ", %b: " + from + ", %unused: " + to +
         "):\n" + body + "linalg.yield %r : " + to + "\n} -> tensor<3x8x" + to +
         ">\n";
}

/// The root: sum over the keys of %`weights` %v, in f64.
static std::string product(const std::string &weights,
                           const std::string &element) {
  std::string extend = element == "f64"
                           ? "%ab = arith.mulf %a, %b : f64\n"
                           : "%wide = arith.extf %a : " + element +
                                 " to f64\n%ab = arith.mulf %wide, %b : f64\n";
  return R"(
    %o_e = tensor.empty() : tensor<3x2xf64>
    %o_c = arith.constant 0.0 : f64
    %o_i = linalg.fill ins(%o_c : f64) outs(%o_e : tensor<3x2xf64>)
      -> tensor<3x2xf64>
    %o = linalg.generic {indexing_maps = [#p, #v, #o],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%)" +
         weights + ", %v : tensor<3x8x" + element +
         R"(>, tensor<8x2xf64>) outs(%o_i : tensor<3x2xf64>)
        attrs = {linalg_ext.root} {
    ^bb0(%a: )" +
         element + ", %b: f64, %acc: f64):\n" + extend +
         R"(
      %r = arith.addf %acc, %ab : f64
      linalg.yield %r : f64
    } -> tensor<3x2xf64>
    return %o : tensor<3x2xf64>
  })";
}

static const char *const kSignature = R"(
  func.func @main(%x: tensor<3x8xf64>, %v: tensor<8x2xf64>)
      -> tensor<3x2xf64> {
)";

/// sum over the keys of weight(m, n) v(n, e).
static Tensor sumProducts(const std::function<double(int64_t, int64_t)> &weight,
                          const Tensor &v) {
  Tensor out({3, 2});
  oracle::forEachIndex({3, 2, 8}, [&](const oracle::Index &at) {
    out.at({at[0], at[1]}) += weight(at[0], at[2]) * v.at({at[2], at[1]});
  });
  return out;
}

static double rowSum(const Tensor &x, int64_t m,
                     const std::function<double(double)> &f) {
  double sum = 0;
  for (int64_t n = 0; n < 8; ++n)
    sum += f(x.at({m, n}));
  return sum;
}
static double rowMax(const Tensor &x, int64_t m) {
  double max = -kInf;
  for (int64_t n = 0; n < 8; ++n)
    max = std::max(max, x.at({m, n}));
  return max;
}

//===----------------------------------------------------------------------===//
// Infinities
//===----------------------------------------------------------------------===//

// The sum of an f16 chain stays f16. From the maximum of nothing to -60 it is
// scaled by e^60, which is finite in f32 only: 0 inf is NaN.
TEST_F(RegressionTest, ScalingsAreFiniteInTheAccumulatorsType) {
  std::string text =
      R"(func.func @main(%x: tensor<3x8xf16>, %v: tensor<8x2xf64>)
          -> tensor<3x2xf64> {)" +
      reduceMax("m", "x", "f16", "0xFC00") +
      combine("e", "x", "m", "f16", "f16",
              "%d = arith.subf %a, %b : f16\n %r = math.exp %d : f16\n") +
      reduce("l", "e", "f16", "0.0", "%r = arith.addf %a, %acc : f16\n") +
      combine("w", "e", "l", "f16", "f16", "%r = arith.divf %a, %b : f16\n") +
      product("w", "f16");
  Tensor x({3, 8}, -60.0), v = draw({8, 2}, -1, 1);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t n = 0; n < 3; ++n)
      x.at({m, n}) = -kInf;
  Tensor want =
      sumProducts([&](int64_t, int64_t n) { return n < 3 ? 0.0 : 1 / 5.0; }, v);
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 0, 3)", form, 2, {x, v}, want, 1e-2);
}

// exp(max(x, -1) + m) is 0 for the maximum of nothing, from which no scaling
// leads to what it has to become.
TEST_F(RegressionTest, TermsThatGrowWithAMaximum) {
  std::string text = std::string(kSignature) +
                     reduceMax("m", "x", "f64", "0xFFF0000000000000") +
                     combine("w", "x", "m", "f64", "f64",
                             "%one = arith.constant -1.0 : f64\n"
                             "%y = arith.maximumf %a, %one : f64\n"
                             "%d = arith.addf %y, %b : f64\n"
                             "%r = math.exp %d : f64\n") +
                     product("w", "f64");
  Tensor x = draw({3, 8}, -2, 2), v = draw({8, 2}, -1, 1);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t n = 0; n < 3; ++n)
      x.at({m, n}) = -kInf;
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        return std::exp(std::max(x.at({m, n}), -1.0) + rowMax(x, m));
      },
      v);
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 0, 3)", form, 1, {x, v}, want);
}

// m + m m is NaN for the maximum of nothing, and so are tiles that take it.
TEST_F(RegressionTest, WhatIsComputedFromTheMaximumOfNothing) {
  std::string text =
      std::string(kSignature) +
      reduceMax("m", "x", "f64", "0xFFF0000000000000") + R"(
    %g_e = tensor.empty() : tensor<3xf64>
    %g = linalg.generic {indexing_maps = [#vec, #vec],
        iterator_types = ["parallel"]}
        ins(%m : tensor<3xf64>) outs(%g_e : tensor<3xf64>) {
    ^bb0(%a: f64, %unused: f64):
      %s = arith.mulf %a, %a : f64
      %r = arith.addf %a, %s : f64
      linalg.yield %r : f64
    } -> tensor<3xf64>
)" +
      combine("w", "x", "g", "f64", "f64",
              "%d = arith.subf %a, %b : f64\n %r = math.exp %d : f64\n") +
      product("w", "f64");
  Tensor x = draw({3, 8}, -1, 1), v = draw({8, 2}, -1, 1);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t n = 0; n < 3; ++n)
      x.at({m, n}) = -kInf;
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        double max = rowMax(x, m);
        return std::exp(x.at({m, n}) - max - max * max);
      },
      v);
  for (Form form : {Form::Eager, Form::Delayed})
    for (const char *levels : {"for(0, 0, 3)", "split(0, 0, 3) for(0, 0, 2)"})
      expectRight(text, levels, form, 1, {x, v}, want);
}

//===----------------------------------------------------------------------===//
// Ratios
//===----------------------------------------------------------------------===//

// max(x / l, 0) does not scale with l where l changes its sign.
TEST_F(RegressionTest, RatiosOfWhatMayBeNegative) {
  std::string text =
      std::string(kSignature) +
      reduce("l", "x", "f64", "0.0", "%r = arith.addf %a, %acc : f64\n") +
      combine("w", "x", "l", "f64", "f64",
              "%z = arith.constant 0.0 : f64\n%q = arith.divf %a, %b : f64\n"
              "%r = arith.maximumf %q, %z : f64\n") +
      product("w", "f64");
  Tensor x = draw({3, 8}, -1, 1), v = draw({8, 2}, -1, 1);
  x.at({0, 0}) = 5;   // Positive, then negative;
  x.at({0, 7}) = -20; // the others as they come.
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        double sum = rowSum(x, m, [](double a) { return a; });
        return std::max(x.at({m, n}) / sum, 0.0);
      },
      v);
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 0, 3)", form, 0, {x, v}, want);
}

// x / l where l comes by 0: left out in the loops, or not carried.
TEST_F(RegressionTest, RatiosThatComeByZero) {
  std::string text =
      std::string(kSignature) +
      reduce("l", "x", "f64", "0.0", "%r = arith.addf %a, %acc : f64\n") +
      combine("w", "x", "l", "f64", "f64", "%r = arith.divf %a, %b : f64\n") +
      product("w", "f64");
  Tensor x = draw({3, 8}, 0.5, 1), v = draw({8, 2}, -1, 1);
  for (int64_t m = 0; m < 3; ++m) {
    x.at({m, 0}) = 1;
    x.at({m, 1}) = -2;
    x.at({m, 2}) = 1;
  }
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        return x.at({m, n}) / rowSum(x, m, [](double a) { return a; });
      },
      v);
  expectRight(text, "for(0, 0, 3)", Form::Delayed, 1, {x, v}, want);
  std::string plan =
      expectRight(text, "for(0, 0, 3)", Form::Eager, 0, {x, v}, want);
  EXPECT_TRUE(StringRef(plan).contains("the ratio of what may be negative"))
      << plan;
}

// max over the keys of log(x / l): what is left out in the loops is added.
TEST_F(RegressionTest, RatiosThatAreLeftOutOfALogarithm) {
  std::string text =
      R"(
    func.func @main(%x: tensor<3x8xf64>) -> tensor<3xf64> {)" +
      reduce("l", "x", "f64", "0.0", "%r = arith.addf %a, %acc : f64\n") +
      combine("w", "x", "l", "f64", "f64",
              "%q = arith.divf %a, %b : f64\n"
              "%r = math.log %q : f64\n") +
      reduceMax("o", "w", "f64", "0xFFF0000000000000") +
      "return %o : tensor<3xf64> }";
  text.insert(text.rfind("{\n^bb0"), "attrs = {linalg_ext.root} ");
  // Sums are positive as far as the ops tell.
  size_t at = text.find("%r = arith.addf %a, %acc");
  text.replace(at, 24, "%abs = math.absf %a : f64\n%r = arith.addf %abs, %acc");
  Tensor x = draw({3, 8}, 0.1, 4), want(oracle::Shape{3});
  for (int64_t m = 0; m < 3; ++m)
    want.at({m}) =
        std::log(rowMax(x, m) / rowSum(x, m, [](double a) { return a; }));
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 3)", form, 1, {x}, want);
}

// x is infinite in f16, x / l is not: the division cannot wait for the end.
TEST_F(RegressionTest, RatiosInFrontOfANarrowing) {
  std::string text =
      std::string(kSignature) +
      reduce("l", "x", "f64", "0.0",
             "%abs = math.absf %a : f64\n%r = arith.addf %abs, %acc : f64\n") +
      combine("w", "x", "l", "f64", "f16",
              "%q = arith.divf %a, %b : f64\n"
              "%r = arith.truncf %q : f64 to f16\n") +
      product("w", "f16");
  Tensor x = draw({3, 8}, -1e6, 1e6), v = draw({8, 2}, -1, 1);
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        return x.at({m, n}) /
               rowSum(x, m, [](double a) { return std::fabs(a); });
      },
      v);
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 0, 3)", form, 1, {x, v}, want, 1e-2);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

static std::string softmaxWeights() {
  return reduceMax("m", "x", "f64", "0xFFF0000000000000") +
         combine("e", "x", "m", "f64", "f64",
                 "%d = arith.subf %a, %b : f64\n %r = math.exp %d : f64\n") +
         reduce("l", "e", "f64", "0.0", "%r = arith.addf %a, %acc : f64\n") +
         combine("w", "e", "l", "f64", "f64", "%r = arith.divf %a, %b : f64\n");
}

/// Of one row.
static std::vector<double> softmaxOf(const Tensor &x, int64_t m) {
  std::vector<double> weights;
  double max = rowMax(x, m),
         sum = rowSum(x, m, [&](double a) { return std::exp(a - max); });
  for (int64_t n = 0; n < 8; ++n)
    weights.push_back(std::exp(x.at({m, n}) - max) / sum);
  return weights;
}

// The root reads the weights tile by tile, and whole by another loop: those are
// final.
TEST_F(RegressionTest, WeightsThatAreReadTileByTileAndWhole) {
  std::string text = std::string(R"(
    #p2 = affine_map<(m, j, n) -> (m, n)>
    #w2 = affine_map<(m, j, n) -> (m, j)>
    #v2 = affine_map<(m, j, n) -> (n)>
    func.func @main(%x: tensor<3x8xf64>, %v: tensor<8xf64>)
        -> tensor<3x8xf64> {)") +
                     softmaxWeights() + R"(
    %o_c = arith.constant 0.0 : f64
    %o_i = linalg.fill ins(%o_c : f64) outs(%w_e : tensor<3x8xf64>)
      -> tensor<3x8xf64>
    %o = linalg.generic {indexing_maps = [#p2, #w2, #v2, #w2],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%w, %w, %v : tensor<3x8xf64>, tensor<3x8xf64>, tensor<8xf64>)
        outs(%o_i : tensor<3x8xf64>) attrs = {linalg_ext.root} {
    ^bb0(%a: f64, %b: f64, %c: f64, %acc: f64):
      %ab = arith.mulf %a, %b : f64
      %abc = arith.mulf %ab, %c : f64
      %r = arith.addf %acc, %abc : f64
      linalg.yield %r : f64
    } -> tensor<3x8xf64>
    return %o : tensor<3x8xf64>
  })";
  Tensor x = draw({3, 8}, -2, 2), v = draw({8}, -1, 1), want({3, 8});
  for (int64_t m = 0; m < 3; ++m) {
    std::vector<double> weights = softmaxOf(x, m);
    for (int64_t j = 0; j < 8; ++j)
      for (int64_t n = 0; n < 8; ++n)
        want.at({m, j}) += weights[n] * weights[j] * v.at({n});
  }
  for (Form form : {Form::Eager, Form::Delayed})
    expectRight(text, "for(0, 0, 3)", form, 2, {x, v}, want);
}

// A payload that captures the sum reads all of it, whatever its operand is.
TEST_F(RegressionTest, StatesThatAPayloadCaptures) {
  std::string text = std::string(kSignature) + softmaxWeights() +
                     combine("c", "e", "l", "f64", "f64",
                             "%row = linalg.index 0 : index\n"
                             "%sum = tensor.extract %l[%row] : tensor<3xf64>\n"
                             "%q = arith.divf %a, %b : f64\n"
                             "%r = arith.mulf %q, %sum : f64\n") +
                     product("c", "f64");
  Tensor x = draw({3, 8}, -2, 2), v = draw({8, 2}, -1, 1);
  Tensor want = sumProducts(
      [&](int64_t m, int64_t n) {
        return std::exp(x.at({m, n}) - rowMax(x, m));
      },
      v);
  for (Form form : {Form::Eager, Form::Delayed}) {
    std::string plan = expectRight(text, "for(0, 0, 3)", form, 0, {x, v}, want);
    EXPECT_TRUE(StringRef(plan).contains("captures")) << plan;
  }
}

// Tile a of the root is keys 2 a and 2 a + 1, which the maximum does not know.
TEST_F(RegressionTest, ReadsBehindAReshapeThatDisplacesTiles) {
  std::string text = R"(
    #pa = affine_map<(m, b, a) -> (m, a, b)>
    #va = affine_map<(m, b, a) -> (a, b)>
    #oa = affine_map<(m, b, a) -> (m, b)>
    func.func @main(%x: tensor<3x8xf64>, %v: tensor<4x2xf64>)
        -> tensor<3x2xf64> {
    )" + reduceMax("m", "x", "f64", "0xFFF0000000000000") +
                     combine("e", "x", "m", "f64", "f64",
                             "%d = arith.subf %a, %b : f64\n"
                             "%r = math.exp %d : f64\n") +
                     R"(
    %w = tensor.expand_shape %e [[0], [1, 2]] output_shape [3, 4, 2]
      : tensor<3x8xf64> into tensor<3x4x2xf64>
    %o_e = tensor.empty() : tensor<3x2xf64>
    %o_c = arith.constant 0.0 : f64
    %o_i = linalg.fill ins(%o_c : f64) outs(%o_e : tensor<3x2xf64>)
      -> tensor<3x2xf64>
    %o = linalg.generic {indexing_maps = [#pa, #va, #oa],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%w, %v : tensor<3x4x2xf64>, tensor<4x2xf64>)
        outs(%o_i : tensor<3x2xf64>) attrs = {linalg_ext.root} {
    ^bb0(%a: f64, %b: f64, %acc: f64):
      %ab = arith.mulf %a, %b : f64
      %r = arith.addf %acc, %ab : f64
      linalg.yield %r : f64
    } -> tensor<3x2xf64>
    return %o : tensor<3x2xf64>
  })";
  Tensor x = draw({3, 8}, -2, 2), v = draw({4, 2}, -1, 1), want({3, 2});
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t n = 0; n < 8; ++n)
      want.at({m, n % 2}) +=
          std::exp(x.at({m, n}) - rowMax(x, m)) * v.at({n / 2, n % 2});
  for (Form form : {Form::Eager, Form::Delayed})
    for (const char *levels : {"for(0, 0, 1)", "for(0, 0, 3)", "for(0, 1, 2)"})
      expectRight(text, levels, form, 0, {x, v}, want);
}
