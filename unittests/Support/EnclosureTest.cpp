//===- EnclosureTest.cpp - What a program may return ----------------------===//
//
// The intervals hold what upstream's lowering of the program returns, in every
// format, and nothing that is far from it.
//
//===----------------------------------------------------------------------===//

#include "Support/Enclosure.h"
#include "Support/CheckProgram.h"
#include "Support/PromoteToF64.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();

namespace {
class EnclosureTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { context = makeContext().release(); }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, context);
  }
  Evaluation evaluate(StringRef text, ArrayRef<Tensor> inputs) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module || failed(prepareForEvaluation(*module))) {
      Evaluation evaluation;
      evaluation.error = "cannot be prepared";
      return evaluation;
    }
    return linalg_ext_test::evaluate(module->lookupSymbol<func::FuncOp>("main"),
                                     inputs);
  }

  static MLIRContext *context;
};
MLIRContext *EnclosureTest::context = nullptr;
} // namespace

/// Attention whose sums and softmax are of `sums`.
static std::string makeAttention(StringRef type, StringRef sums) {
  std::string text = R"(
    func.func @main(%q: tensor<2x5x8xT>, %k: tensor<2x8x7xT>,
                    %v: tensor<2x7x8xT>, %mask: tensor<2x5x7xS>)
        -> tensor<2x5x8xS> {
      %zero = arith.constant 0.0 : S
      %e = tensor.empty() : tensor<2x5x7xS>
      %f = linalg.fill ins(%zero : S) outs(%e : tensor<2x5x7xS>) -> tensor<2x5x7xS>
      %s = linalg.batch_matmul ins(%q, %k : tensor<2x5x8xT>, tensor<2x8x7xT>)
        outs(%f : tensor<2x5x7xS>) -> tensor<2x5x7xS>
      %m = linalg.add ins(%s, %mask : tensor<2x5x7xS>, tensor<2x5x7xS>)
        outs(%e : tensor<2x5x7xS>) -> tensor<2x5x7xS>
      %p = linalg.softmax dimension(2) ins(%m : tensor<2x5x7xS>)
        outs(%e : tensor<2x5x7xS>) -> tensor<2x5x7xS>
      %e2 = tensor.empty() : tensor<2x5x8xS>
      %f2 = linalg.fill ins(%zero : S) outs(%e2 : tensor<2x5x8xS>) -> tensor<2x5x8xS>
      %o = linalg.batch_matmul ins(%p, %v : tensor<2x5x7xS>, tensor<2x7x8xT>)
        outs(%f2 : tensor<2x5x8xS>) -> tensor<2x5x8xS>
      return %o : tensor<2x5x8xS>
    })";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    // The letters stand for types behind 'x' and in ': S'.
    bool isType = (text[i] == 'T' || text[i] == 'S') && i > 0 &&
                  (text[i - 1] == 'x' || text[i - 1] == ' ');
    result += isType ? (text[i] == 'T' ? type.str() : sums.str())
                     : std::string(1, text[i]);
  }
  return result;
}

TEST_F(EnclosureTest, HoldsWhatUpstreamReturns) {
  struct Format {
    const char *type, *sums;
    DType inputs, results;
    double range;
  };
  for (Format format : {Format{"f64", "f64", DType::F64, DType::F64, 1},
                        Format{"f32", "f32", DType::F32, DType::F32, 1},
                        Format{"f16", "f32", DType::F16, DType::F32, 1},
                        Format{"bf16", "f32", DType::BF16, DType::F32, 1},
                        Format{"f16", "f16", DType::F16, DType::F16, 0.5}}) {
    SCOPED_TRACE(std::string(format.type) + " " + format.sums);
    oracle::Random random(7);
    std::vector<Tensor> inputs;
    for (const oracle::Shape &shape :
         {oracle::Shape{2, 5, 8}, {2, 8, 7}, {2, 7, 8}})
      inputs.push_back(oracle::random(random, shape, -format.range,
                                      format.range, format.inputs));
    inputs.emplace_back(oracle::Shape{2, 5, 7});
    for (int64_t i = 0; i < inputs[3].size(); i += 3)
      inputs[3].data[i] = -kInf;
    std::string text = makeAttention(format.type, format.sums);
    Evaluation want = evaluate(text, inputs);
    ASSERT_TRUE(want.ok()) << want.error;
    OwningOpRef<ModuleOp> module = parse(text);
    Execution got = Executor(context).run(*module, "main", inputs);
    ASSERT_TRUE(got.ok()) << got.error;
    EnclosureComparison right = compare(got.outputs[0], want.results[0]);
    EXPECT_TRUE(right.ok) << right.message;
    EXPECT_EQ(right.informative, 1);
    EXPECT_LT(right.worstRatio, 1);
    if (format.results != DType::F64)
      EXPECT_GT(right.worstRatio, 0);
    // A program that drops one key of one row is outside.
    Tensor other = got.outputs[0];
    other.data[11] *= 1.5;
    EnclosureComparison wrong = compare(other, want.results[0]);
    EXPECT_FALSE(wrong.ok);
    EXPECT_NE(wrong.message.find("at [0, 1, 3]"), std::string::npos)
        << wrong.message;
  }
}

TEST_F(EnclosureTest, AgreesWithTheProgramInF64) {
  oracle::Random random(3);
  std::vector<Tensor> inputs;
  for (const oracle::Shape &shape :
       {oracle::Shape{2, 5, 8}, {2, 8, 7}, {2, 7, 8}})
    inputs.push_back(oracle::random(random, shape, -1, 1, DType::BF16));
  inputs.emplace_back(oracle::Shape{2, 5, 7});
  OwningOpRef<ModuleOp> module = parse(makeAttention("bf16", "f32"));
  Reference reference = computeReference(*module, "main", inputs);
  EXPECT_EQ(reference.error, "");
  EXPECT_TRUE(reference.isConfirmed);
}

// As canonicalization leaves it, where only one of both is cast.
TEST_F(EnclosureTest, SoftmaxIntoATensorOfAnotherType) {
  oracle::Random random(5);
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @main(%x: tensor<3x?xf32>, %y: tensor<?x6xf32>) -> tensor<?x6xf32> {
      %z = linalg.softmax dimension(1) ins(%x : tensor<3x?xf32>)
          outs(%y : tensor<?x6xf32>) -> tensor<?x6xf32>
      return %z : tensor<?x6xf32>
    })");
  ASSERT_TRUE(module);
  std::vector<Tensor> inputs = {
      oracle::random(random, {3, 6}, -1, 1, DType::F32),
      Tensor(oracle::Shape{3, 6})};
  Reference reference = computeReference(*module, "main", inputs);
  EXPECT_EQ(reference.error, "");
  EXPECT_TRUE(reference.isConfirmed);
}

/// A function of `arguments` values that are in tensors of one element.
static std::string makeScalar(StringRef type, StringRef body) {
  std::string t = ("tensor<1x" + type + ">").str();
  return "func.func @main(%x: " + t + ", %y: " + t + ") -> " + t +
         "{\n %e = tensor.empty() : " + t +
         R"(
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
        affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]} ins(%x, %y : )" +
         t + ", " + t + ") outs(%e : " + t + ") {\n ^bb0(%a: " + type.str() +
         ", %b: " + type.str() + ", %o: " + type.str() + "):\n" + body.str() +
         "\n linalg.yield %z : " + type.str() + "\n } -> " + t +
         "\n return %r : " + t + "\n}";
}

static Enclosed only(const Evaluation &evaluation) {
  const EnclosedTensor &result = evaluation.results.front();
  return {result.value.data[0], result.low.data[0], result.high.data[0]};
}

TEST_F(EnclosureTest, WhatIsExactStaysExact) {
  for (const char *op : {"arith.maximumf", "arith.minimumf", "arith.addf",
                         "arith.mulf", "arith.subf"}) {
    Evaluation e =
        evaluate(makeScalar("f16", "%z = " + std::string(op) + " %a, %b : f16"),
                 {Tensor({1}, 1.5), Tensor({1}, 0.25)});
    ASSERT_TRUE(e.ok()) << e.error;
    EXPECT_TRUE(only(e).isExact()) << op;
  }
  Evaluation e = evaluate(makeScalar("f32", "%z = math.exp %a : f32"),
                          {Tensor({1}, -kInf), Tensor({1}, 0.0)});
  EXPECT_TRUE(only(e).isExact());
  EXPECT_EQ(only(e).value, 0);
}

TEST_F(EnclosureTest, RoundingIsOfTheFormat) {
  double widths[2];
  for (int i : {0, 1}) {
    Evaluation e = evaluate(
        makeScalar(i ? "f32" : "bf16", i ? "%z = arith.divf %a, %b : f32"
                                         : "%z = arith.divf %a, %b : bf16"),
        {Tensor({1}, 1.0), Tensor({1}, 3.0)});
    ASSERT_TRUE(e.ok()) << e.error;
    Enclosed z = only(e);
    EXPECT_LT(z.low, 1.0 / 3);
    EXPECT_GT(z.high, 1.0 / 3);
    widths[i] = z.high - z.low;
  }
  EXPECT_NEAR(widths[0] / widths[1], 65536, 100);
}

/// Expects the interval to be as wide as Enclosure.h says: `error` to each
/// side, and what is flushed to zero.
static void expectWidth(const Enclosed &z, double value, double error,
                        const std::string &what) {
  EXPECT_NEAR(z.value, value, 1e-14 * std::fabs(value)) << what;
  double flushed = oracle::getFormat(DType::F32).smallestNormal;
  for (double side : {z.value - z.low, z.high - z.value}) {
    EXPECT_GE(side, 0.99 * error) << what;
    EXPECT_LE(side, 1.01 * error + 2 * flushed) << what;
  }
}

TEST_F(EnclosureTest, FunctionsAreAsWideAsDocumented) {
  struct Function {
    const char *name;
    double (*function)(double);
    /// In units of the last place: relative, relative for each unit of the
    /// argument, and absolute.
    double relative, byArgument = 0, absolute = 0;
  };
  const Function functions[] = {
      {"exp", std::exp, 8, 2},
      {"exp2", std::exp2, 8, 2},
      {"expm1", std::expm1, 8, 2, 8},
      {"log", std::log, 8, 0, 8},
      {"log2", std::log2, 8, 0, 8},
      {"log1p", std::log1p, 8, 0, 8},
      {"sqrt", std::sqrt, 4},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 4},
      {"cbrt", std::cbrt, 8},
      {"tanh", std::tanh, 8},
      {"atan", std::atan, 8},
      {"erf", std::erf, 8, 0, 8},
      {"erfc", std::erfc, 8, 0, 8},
      {"log10", std::log10, 8, 0, 8},
      {"sinh", std::sinh, 8, 2, 8},
      {"cosh", std::cosh, 8, 2},
      {"asinh", std::asinh, 8, 0, 8},
  };
  double u = std::ldexp(1.0, -24);
  auto run = [&](const std::string &op, double x, double y) {
    Evaluation e = evaluate(makeScalar("f32", "%z = " + op + " : f32"),
                            {Tensor({1}, x), Tensor({1}, y)});
    EXPECT_TRUE(e.ok()) << e.error;
    return only(e);
  };
  for (double x : {0.3125, 1.75, 5.0}) {
    for (const Function &f : functions) {
      double value = f.function(x);
      expectWidth(
          run(std::string("math.") + f.name + " %a", x, 0), value,
          u * (std::fabs(value) * (f.relative + f.byArgument * x) + f.absolute),
          f.name + (" of " + std::to_string(x)));
    }
    expectWidth(run("math.sin %a", x, 0), std::sin(x), u * (8 + 2 * x), "sin");
    expectWidth(run("math.cos %a", x, 0), std::cos(x), u * (8 + 2 * x), "cos");
    // None of the results is a number of f32.
    double y = 1.2345678;
    expectWidth(run("arith.mulf %a, %b", x, y), x * y, u * x * y, "mulf");
    expectWidth(run("arith.divf %a, %b", x, y), x / y, 4 * u * x / y, "divf");
    expectWidth(run("arith.addf %a, %b", x, y), x + y, 3 * u * (x + y), "addf");
    expectWidth(run("arith.subf %a, %b", x, y), x - y, 3 * u * (x + y), "subf");
    double power = std::pow(x, y);
    expectWidth(run("math.powf %a, %b", x, y), power,
                u * power * (16 + 8 * std::fabs(y * std::log(x))), "powf");
  }
}

TEST_F(EnclosureTest, OpsThatAreNotMonotone) {
  auto run = [&](const std::string &body, double x, double y) {
    Evaluation e =
        evaluate(makeScalar("f32", body), {Tensor({1}, x), Tensor({1}, y)});
    EXPECT_TRUE(e.ok()) << e.error;
    return only(e);
  };
  // A third is not exact: what is behind it is an interval.
  std::string third = "%three = arith.constant 3.0 : f32\n"
                      "%t = arith.divf %a, %three : f32\n";
  // From one branch of the tangent to another.
  EXPECT_TRUE(run(third + "%z = math.tan %t : f32", 3 * M_PI_2, 0).isUnknown());
  EXPECT_FALSE(run(third + "%z = math.tan %t : f32", 3 * 1.5, 0).isUnknown());
  // The angle jumps where y changes its sign left of 0, and is exact of exact
  // numbers there.
  std::string zero = third + "%d = arith.subf %t, %b : f32\n"
                             "%one = arith.constant -1.0 : f32\n";
  EXPECT_TRUE(
      run(zero + "%z = math.atan2 %d, %one : f32", 1, 1.0 / 3).isUnknown());
  EXPECT_FALSE(
      run(zero + "%z = math.atan2 %one, %d : f32", 1, 1.0 / 3).isUnknown());
  EXPECT_EQ(run("%z = math.atan2 %a, %b : f32", -0.0, -1).value, -M_PI);
  EXPECT_EQ(run("%z = math.copysign %a, %b : f32", 2, -0.0).value, -2);
  EXPECT_EQ(run("%z = math.copysign %a, %b : f32", -2, 1).low, 2);
  Enclosed either = run(zero + "%z = math.copysign %a, %d : f32", 1, 1.0 / 3);
  EXPECT_EQ(either.low, -1);
  EXPECT_EQ(either.high, 1);
  EXPECT_EQ(run("%z = arith.remf %a, %b : f32", -5.5, 2).value, -1.5);
  EXPECT_EQ(run("%two = arith.constant 2.0 : f32\n"
                "%z = math.clampf %a to [%b, %two] : f32",
                5, 1)
                .value,
            2);
  std::string toFloat = "\n%z = arith.uitofp %c : i1 to f32";
  EXPECT_EQ(run("%c = math.isnormal %a : f32" + toFloat, 1e-39, 0).value, 0);
  EXPECT_EQ(run("%c = math.isnormal %a : f32" + toFloat, 1e-37, 0).value, 1);
  EXPECT_EQ(run("%c = math.isinf %a : f32" + toFloat, -kInf, 0).value, 1);
  EXPECT_EQ(run("%c = math.isnan %a : f32" + toFloat, NAN, 0).value, 1);
  EXPECT_EQ(run("%c = math.isfinite %a : f32" + toFloat, kInf, 0).value, 0);
  // Two results.
  EXPECT_NEAR(run("%s, %c = math.sincos %a : f32\n"
                  "%z = arith.addf %s, %c : f32",
                  1, 0)
                  .value,
              std::sin(1) + std::cos(1), 1e-15);
}

TEST_F(EnclosureTest, OpsOnIntegers) {
  auto run = [&](const std::string &body, double x, double y) {
    Evaluation e =
        evaluate(makeScalar("i32", body), {Tensor({1}, x), Tensor({1}, y)});
    EXPECT_TRUE(e.ok()) << e.error;
    return only(e).value;
  };
  auto two = [&](const std::string &op, double x, double y) {
    return run("%z = " + op + " %a, %b : i32", x, y);
  };
  EXPECT_EQ(two("arith.ceildivsi", -7, 2), -3);
  EXPECT_EQ(two("arith.ceildivsi", 7, 2), 4);
  EXPECT_EQ(two("arith.ceildivsi", -7, -2), 4);
  EXPECT_EQ(two("arith.ceildivui", -1, 2), -2147483648.0);
  EXPECT_EQ(two("math.ipowi", -3, 3), -27);
  EXPECT_EQ(two("math.ipowi", 2, -1), 0);
  EXPECT_EQ(two("math.ipowi", -1, -3), -1);
  EXPECT_EQ(run("%z = math.ctlz %a : i32", 1, 0), 31);
  EXPECT_EQ(run("%z = math.cttz %a : i32", 0, 0), 32);
  EXPECT_EQ(run("%z = math.ctpop %a : i32", -1, 0), 32);
  EXPECT_EQ(run("%l, %z = arith.mulsi_extended %a, %b : i32", -1, 1), -1);
  EXPECT_EQ(run("%l, %z = arith.mului_extended %a, %b : i32", -1, 2), 1);
  EXPECT_EQ(run("%l, %c = arith.addui_extended %a, %b : i32, i1\n"
                "%z = arith.extui %c : i1 to i32",
                -1, 1),
            1);
}

TEST_F(EnclosureTest, SumsAreAsWideAsDocumented) {
  for (auto [type, format] :
       {std::pair("f32", DType::F32), std::pair("f16", DType::F16)}) {
    std::string t = std::string("tensor<40x") + type + ">",
                r = std::string("tensor<") + type + ">";
    std::string text =
        "func.func @main(%x: " + t + ") -> " + r +
        " {\n%zero = arith.constant "
        "0.0 : " +
        type + "\n%e = tensor.empty() : " + r +
        "\n%f = linalg.fill ins(%zero : " + type + ") outs(%e : " + r +
        ") -> " + r + "\n%s = linalg.reduce {arith.addf} ins(%x : " + t +
        ") outs(%f : " + r + ") dimensions = [0]\nreturn %s : " + r + "\n}";
    Evaluation e = evaluate(text, {Tensor({40}, 0.75)});
    ASSERT_TRUE(e.ok()) << e.error;
    double u = oracle::getFormat(format).unitRoundoff;
    double units = format == DType::F32 ? 3 * 40 + 64 : 40 + 2;
    Enclosed z = only(e);
    EXPECT_EQ(z.value, 30);
    EXPECT_NEAR(z.high - z.value, 30 * units * u, 0.05 * 30 * units * u);
    EXPECT_NEAR(z.value - z.low, 30 * units * u, 0.05 * 30 * units * u);
  }
}

/// The sum of two elements of bf16, of which `body` makes what is yielded.
static std::string makeShortSum(const std::string &body) {
  return "func.func @main(%x: tensor<2xbf16>) -> tensor<bf16> {\n"
         "%zero = arith.constant 0.0 : bf16\n"
         "%half = arith.constant 0.5 : bf16\n"
         "%e = tensor.empty() : tensor<bf16>\n"
         "%f = linalg.fill ins(%zero : bf16) outs(%e : tensor<bf16>) -> "
         "tensor<bf16>\n"
         "%r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, "
         "affine_map<(d) -> ()>], iterator_types = [\"reduction\"]} "
         "ins(%x : tensor<2xbf16>) outs(%f : tensor<bf16>) {\n"
         "^bb0(%a: bf16, %c: bf16):\n%s = arith.addf %c, %a : bf16\n" +
         body + "} -> tensor<bf16>\nreturn %r : tensor<bf16>\n}";
}

TEST_F(EnclosureTest, SumsThatAreClampedAreRounded) {
  Tensor x({2});
  x.data = {10, -1.0 / 4096};
  double u = oracle::getFormat(DType::BF16).unitRoundoff;
  // 1. Each sum is rounded to bf16: 0.5 - 1/4096 to 0.5. Half of 10 and the
  //    next term are large beside that.
  for (const char *clamp :
       {"%m = arith.minimumf %s, %half : bf16\nlinalg.yield %m : bf16\n",
        "%b = arith.cmpf olt, %s, %half : bf16\n%m = arith.select %b, %s, "
        "%half : bf16\nlinalg.yield %m : bf16\n"}) {
    Evaluation e = evaluate(makeShortSum(clamp), {x});
    ASSERT_TRUE(e.ok()) << e.error;
    Enclosed z = only(e);
    EXPECT_EQ(z.value, 0.5 - 1.0 / 4096);
    EXPECT_LE(z.low, z.value - 0.5 * u);
    EXPECT_GE(z.high, 0.5);
    EXPECT_LE(z.high - z.low, 8 * u);
  }
  // 2. A term that is left out, or summed where a condition of another number
  //    holds, is a term.
  for (const char *sum :
       {"linalg.yield %s : bf16\n",
        "%b = arith.cmpf olt, %a, %half : bf16\n%m = arith.select %b, %s, "
        "%c : bf16\nlinalg.yield %m : bf16\n"}) {
    x.data = {0.25, -1.0 / 4096};
    Evaluation e = evaluate(makeShortSum(sum), {x});
    ASSERT_TRUE(e.ok()) << e.error;
    Enclosed z = only(e);
    EXPECT_LE(z.high - z.low, 2.2 * (2 + 2) * u * (0.25 + 1.0 / 4096));
  }
}

TEST_F(EnclosureTest, NaNAndInfinity) {
  auto run = [&](const char *op, double x, double y) {
    Evaluation e =
        evaluate(makeScalar("f32", "%z = " + std::string(op) + " %a, %b : f32"),
                 {Tensor({1}, x), Tensor({1}, y)});
    EXPECT_TRUE(e.ok()) << e.error;
    return only(e);
  };
  EXPECT_TRUE(run("arith.subf", -kInf, -kInf).isNaN());
  EXPECT_TRUE(run("arith.mulf", 0, kInf).isNaN());
  EXPECT_TRUE(run("arith.divf", 0, 0).isNaN());
  EXPECT_TRUE(run("arith.maximumf", NAN, 1).isNaN());
  EXPECT_EQ(run("arith.maxnumf", NAN, 1).value, 1);
  EXPECT_EQ(run("arith.divf", 1, 0).value, kInf);
  EXPECT_TRUE(run("arith.addf", -kInf, 1).isExact());
  // Beyond the format.
  Enclosed large = run("arith.mulf", 3e38, 3);
  EXPECT_EQ(large.high, kInf);
}

TEST_F(EnclosureTest, ComparisonsOfIntervalsThatOverlap) {
  // a / 3 and b / 3 * 1 may round differently.
  std::string body = R"(
    %three = arith.constant 3.0 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %p = arith.divf %a, %three : f32
    %q = arith.divf %b, %three : f32
    %c = arith.cmpf ogt, %p, %q : f32
    %z = arith.select %c, %one, %two : f32)";
  auto run = [&](double x, double y) {
    Evaluation e =
        evaluate(makeScalar("f32", body), {Tensor({1}, x), Tensor({1}, y)});
    EXPECT_TRUE(e.ok()) << e.error;
    return only(e);
  };
  EXPECT_EQ(run(1, 1).low, 1);
  EXPECT_EQ(run(1, 1).high, 2);
  EXPECT_TRUE(run(2, 1).isExact());
  EXPECT_EQ(run(2, 1).value, 1);
  EXPECT_EQ(run(1, 2).value, 2);
}

TEST_F(EnclosureTest, WhatCannotBeEvaluatedIsAnError) {
  EXPECT_NE(evaluate(makeScalar("f32", "%z = ub.poison : f32"),
                     {Tensor({1}, 1.0), Tensor({1}, 1.0)})
                .error.find("'ub.poison' cannot be evaluated"),
            std::string::npos);
  const char *assertion = R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %ok = arith.cmpi eq, %n, %c4 : index
      cf.assert %ok, "four"
      return %x : tensor<?xf32>
    })";
  EXPECT_TRUE(evaluate(assertion, {Tensor({4}, 1.0)}).ok());
  EXPECT_NE(evaluate(assertion, {Tensor({5}, 1.0)}).error.find("four"),
            std::string::npos);
  const char *slice = R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<3xf32> {
      %y = tensor.extract_slice %x[2] [3] [1] : tensor<?xf32> to tensor<3xf32>
      return %y : tensor<3xf32>
    })";
  EXPECT_TRUE(evaluate(slice, {Tensor({5}, 1.0)}).ok());
  EXPECT_NE(evaluate(slice, {Tensor({4}, 1.0)}).error.find("within 4"),
            std::string::npos);
}

TEST_F(EnclosureTest, BuffersAreWrittenTo) {
  const char *text = R"(
    func.func @main(%x: memref<4xf32>, %y: memref<2xf32>) {
      %v = memref.reinterpret_cast %x to offset: [1], sizes: [2], strides: [2]
        : memref<4xf32> to memref<2xf32, strided<[2], offset: 1>>
      memref.copy %v, %y : memref<2xf32, strided<[2], offset: 1>> to memref<2xf32>
      %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
      %s = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
      bufferization.materialize_in_destination %s in writable %v
        : (tensor<2xf32>, memref<2xf32, strided<[2], offset: 1>>) -> ()
      return
    })";
  Evaluation e = evaluate(text, {Tensor({4}, {0, 1, 2, 3}), Tensor({2}, 0.0)});
  ASSERT_TRUE(e.ok()) << e.error;
  EXPECT_EQ(e.arguments[0].value.data, std::vector<double>({0, 0, 2, 1}));
  EXPECT_EQ(e.arguments[1].value.data, std::vector<double>({1, 3}));
}

TEST_F(EnclosureTest, PromotesEveryType) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @main(%x: tensor<2xf16>) -> tensor<2xf32> {
      %c = arith.constant dense<[0.1, 2.0]> : tensor<2xf16>
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
          affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x, %c : tensor<2xf16>, tensor<2xf16>) outs(%e : tensor<2xf32>) {
      ^bb0(%a: f16, %b: f16, %o: f32):
        %s = arith.addf %a, %b : f16
        %z = arith.extf %s : f16 to f32
        linalg.yield %z : f32
      } -> tensor<2xf32>
      return %r : tensor<2xf32>
    })");
  ASSERT_TRUE(module);
  OwningOpRef<ModuleOp> promoted = promoteToF64(*module);
  ASSERT_TRUE(promoted);
  Execution result =
      Executor(context).run(*promoted, "main", {Tensor({2}, {1e-6, 0.5})});
  ASSERT_TRUE(result.ok()) << result.error;
  // 0.1 is that of f16; the sum is not rounded.
  double tenth = oracle::roundTo(0.1, DType::F16);
  EXPECT_EQ(result.outputs[0].data[0], tenth + 1e-6);
  EXPECT_EQ(result.outputs[0].data[1], 2.5);
}

TEST_F(EnclosureTest, DrawsWhatIsAskedFor) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @main(%a: tensor<4x50xf16> {check.draw = "uniform 2 3"},
                    %b: tensor<?x50xf32> {check.draw = "mask 0.5 -10000"},
                    %c: tensor<4x50xi1> {check.draw = "keep 0.5"},
                    %d: tensor<7xi64> {check.draw = "count"},
                    %e: i32 {check.draw = "choose 5"}) { return })");
  ASSERT_TRUE(module);
  auto main = module->lookupSymbol<func::FuncOp>("main");
  auto inputs = drawInputs(main, {{}, {3, 50}}, 1);
  ASSERT_TRUE(succeeded(inputs));
  for (double x : (*inputs)[0].data)
    EXPECT_TRUE(2 <= x && x <= 3 && oracle::roundTo(x, DType::F16) == x);
  int64_t hidden = 0;
  for (int64_t i = 0; i < 150; ++i) {
    double x = (*inputs)[1].data[i];
    EXPECT_TRUE(x == 0 || x == -10000);
    hidden += x != 0;
    if (i % 50 == 0)
      EXPECT_EQ(x, 0);
  }
  EXPECT_TRUE(40 < hidden && hidden < 110);
  EXPECT_EQ((*inputs)[2].at({3, 0}), 1);
  EXPECT_EQ((*inputs)[3].data[6], 6);
  EXPECT_EQ((*inputs)[4].data[0], 5);
  // Without a shape, or with a word that is none.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(drawInputs(main, {}, 1)));
  main.setArgAttr(0, "check.draw", StringAttr::get(context, "normal 0 1"));
  EXPECT_TRUE(failed(drawInputs(main, {{}, {3, 50}}, 1)));
}
