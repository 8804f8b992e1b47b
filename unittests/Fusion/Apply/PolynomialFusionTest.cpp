//===- PolynomialFusionTest.cpp - Variance, LayerNorm in one pass ---------===//
//
// Accumulators that are polynomials of a mean, or linear in what is made of a
// variance: one loop over the keys, whose result is compared with f64.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

static constexpr double kUnit = 0x1p-24;
static constexpr int64_t kRows = 7, kKeys = 33, kColumns = 5;

namespace {
/// How a LayerNorm is written, and what follows it.
struct Program {
  bool gamma = true, beta = true;
  /// Rows are multiplied by it; otherwise by 1 / sqrt(var + eps) as a division.
  bool rsqrt = true;
  /// The mean keeps the dimension that it reduces.
  bool keepDims = false;
  bool dynamic = false;
  /// Without it the rows are centred only.
  bool scaled = true;
  /// The variance alone, as the root.
  bool variance = false;
  /// The rows are centred before.
  bool centred = true;
  /// x and w are f16.
  bool half = false;
  /// What the matmul multiplies by w is rounded to f16.
  bool rounded = false;
  double epsilon = 1e-5;
};

class PolynomialFusionTest : public FusionTest {
protected:
  struct Inputs {
    Tensor x, gamma, beta, w;
  };

  static Inputs makeInputs(double mean, double spread = 1,
                           DType type = DType::F32) {
    Random random(1);
    return {oracle::random(random, {kRows, kKeys}, mean - spread, mean + spread,
                           type),
            oracle::random(random, {kKeys}, -1, 1, DType::F32),
            oracle::random(random, {kKeys}, -1, 1, DType::F32),
            oracle::random(random, {kKeys, kColumns}, -1, 1, type)};
  }

  /// The program, the root of which is its last op with tensors but the return.
  static std::string write(const Program &p);
  /// What it computes, and how far f32 may be from it if the mean is subtracted
  /// before squaring, whatever the mean is.
  static Bounded evaluate(const Program &p, const Inputs &inputs);
  static FusionOutcome run(const Program &p, StringRef levels, Form form,
                           const Inputs &inputs, size_t *numStates = nullptr,
                           std::string *text = nullptr);
  static void expectOnePass(const Program &p, const Inputs &inputs);
  static void expectOnePass(const Program &p, double mean = 0.5) {
    expectOnePass(p, makeInputs(mean, 1, p.half ? DType::F16 : DType::F32));
  }
  static void expectAsUnfused(const char *text, ArrayRef<StringRef> levels,
                              size_t numStates);
};
} // namespace

static std::string replaceAll(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string PolynomialFusionTest::write(const Program &p) {
  // Types: X rows by keys, R per row, K per key, W, O.
  std::string ir = R"(
#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> ROW>
#key = affine_map<(m, k) -> (k)>
#one = affine_map<ONE -> ONE>
func.func @main(%given: G, %gamma: K, %beta: K, %w: W) -> RESULT {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %given, %c0 : G
  %k = tensor.dim %given, %c1 : G
  %n = tensor.dim %w, %c1 : W
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant EPS : f32
  %size = arith.constant 33.0 : f32
  %one = arith.constant 1.0 : f32
  %xe = XEMPTY
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%given : G) outs(%xe : X) {
  ^bb0(%a: GELEMENT, %o: f32):
    WIDEN
    linalg.yield %1 : f32
  } -> X
  %re = REMPTY
  %init = linalg.fill ins(%zero : f32) outs(%re : R) -> R
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : X) outs(%init : R) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> R
  %mean = linalg.generic {indexing_maps = [#one, #one], iterator_types = ONES} ins(%sum : R) outs(%re : R) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %size : f32
    linalg.yield %1 : f32
  } -> R
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : X, R) outs(%xe : X) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    CENTRE
    linalg.yield %1 : f32
  } -> X
  %sq = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : X) outs(%xe : X) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  } -> X
  %var = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%sq : X) outs(%init : R) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> R
)";
  std::string y = "%d";
  if (!p.variance && p.scaled) {
    y = "%y0";
    ir += R"(
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ONES} ins(%var : R) outs(%re : R) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.divf %a, %size : f32
    %2 = arith.addf %1, %eps : f32
    %3 = math.MATH %2 : f32
    linalg.yield %3 : f32
  } -> R
  %y0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %r : X, R) outs(%xe : X) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.SCALE %a, %b : f32
    linalg.yield %1 : f32
  } -> X
)";
  }
  if (!p.variance) {
    auto affine = [&](const char *name, const char *op, const char *operand) {
      ir += std::string("  ") + name +
            " = linalg.generic {indexing_maps = [#id, #key, #id], "
            "iterator_types = [\"parallel\", \"parallel\"]} ins(" +
            y + ", " + operand + R"( : X, K) outs(%xe : X) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.)" +
            op + R"( %a, %b : f32
    linalg.yield %1 : f32
  } -> X
)";
      y = name;
    };
    if (p.gamma)
      affine("%y1", "mulf", "%gamma");
    if (p.beta)
      affine("%y2", "addf", "%beta");
    if (p.rounded) {
      ir += "  %ye = YEMPTY\n  %yr = linalg.generic {indexing_maps = [#id, "
            "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
            y + R"( : X) outs(%ye : Y) {
  ^bb0(%a: f32, %o: f16):
    %1 = arith.truncf %a : f32 to f16
    linalg.yield %1 : f16
  } -> Y
)";
      y = "%yr";
    }
    ir += R"(
  %oe = OEMPTY
  %of = linalg.fill ins(%zero : f32) outs(%oe : O) -> O
  %root = linalg.matmul ins()" +
          y + (p.rounded ? ", %w : Y, W)" : ", %w : X, W)") +
          R"( outs(%of : O) -> O
)";
  }
  ir += p.variance ? "  return %var : R\n}\n" : "  return %root : O\n}\n";

  auto type = [&](std::initializer_list<int64_t> sizes, bool unitAtEnd) {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += (p.dynamic ? "?" : std::to_string(size)) + "x";
    return text + (unitAtEnd ? "1xf32>" : "f32>");
  };
  auto narrow = [](const std::string &text, bool isNarrow) {
    return isNarrow ? replaceAll(text, "f32", "f16") : text;
  };
  std::string row = type({kRows}, p.keepDims);
  std::string rows = type({kRows, kKeys}, false);
  std::string weights = narrow(type({kKeys, kColumns}, false), p.half);
  auto empty = [&](const std::string &sizes, const std::string &of) {
    return "tensor.empty(" + (p.dynamic ? sizes : "") + ") : " + of;
  };
  std::vector<std::pair<std::string, std::string>> words = {
      {"RESULT", p.variance ? "R" : "O"},
      {"XEMPTY", empty("%m, %k", "X")},
      {"YEMPTY", empty("%m, %k", "Y")},
      {"GELEMENT", p.half ? "f16" : "f32"},
      {"WIDEN", p.half ? "%1 = arith.extf %a : f16 to f32"
                       : "%1 = arith.mulf %a, %one : f32"},
      {"CENTRE", p.centred ? "%1 = arith.subf %a, %b : f32"
                           : "%1 = arith.mulf %a, %one : f32"},
      {"REMPTY", empty("%m", "R")},
      {"OEMPTY", empty("%m, %n", "O")},
      {"ONES", p.keepDims ? "[\"parallel\", \"parallel\"]" : "[\"parallel\"]"},
      {"ROW", p.keepDims ? "(m, 0)" : "(m)"},
      {"ONE", p.keepDims ? "(m, u)" : "(m)"},
      {"EPS", llvm::formatv("{0:e6}", p.epsilon).str()},
      {"MATH", p.rsqrt ? "rsqrt" : "sqrt"},
      {"SCALE", p.rsqrt ? "mulf" : "divf"},
      {": X", ": " + rows},
      {"-> X", "-> " + rows},
      {": Y", ": " + narrow(rows, true)},
      {"-> Y", "-> " + narrow(rows, true)},
      {": G", ": " + narrow(rows, p.half)},
      {": R", ": " + row},
      {"-> R", "-> " + row},
      {", R)", ", " + row + ")"},
      {": K", ": " + type({kKeys}, false)},
      {", K)", ", " + type({kKeys}, false) + ")"},
      {": W", ": " + weights},
      {", W)", ", " + weights + ")"},
      {": O", ": " + type({kRows, kColumns}, false)},
      {"-> O", "-> " + type({kRows, kColumns}, false)},
  };
  for (const auto &[from, to] : words)
    ir = replaceAll(ir, from, to);
  return ir;
}

Bounded PolynomialFusionTest::evaluate(const Program &p, const Inputs &inputs) {
  Tensor value(p.variance ? oracle::Shape{kRows}
                          : oracle::Shape{kRows, kColumns});
  if (p.variance && p.keepDims)
    value.shape.push_back(1);
  Tensor error(value.shape);
  for (int64_t m = 0; m < kRows; ++m) {
    double mean = 0, largest = 0, var = 0;
    for (int64_t k = 0; k < kKeys; ++k) {
      mean += p.centred ? inputs.x.at({m, k}) / kKeys : 0;
      largest = std::max(largest, std::fabs(inputs.x.at({m, k})));
    }
    for (int64_t k = 0; k < kKeys; ++k)
      var += std::pow(inputs.x.at({m, k}) - mean, 2);
    // A sum of n terms is off by n units at most; means are subtracted once,
    // and once more by the repairs.
    double n = kKeys + 16, meanError = 2 * n * kUnit * largest;
    double varError = 4 * n * kUnit * var +
                      4 * std::sqrt(var * kKeys) * meanError +
                      4 * kKeys * meanError * meanError;
    if (p.variance) {
      value.data[m] = var;
      error.data[m] = varError;
      continue;
    }
    double r = p.scaled ? 1 / std::sqrt(var / kKeys + p.epsilon) : 1;
    double relative =
        p.scaled ? varError / std::max(var, kKeys * p.epsilon) + 8 * kUnit : 0;
    for (int64_t e = 0; e < kColumns; ++e) {
      double sum = 0, bound = 0;
      for (int64_t k = 0; k < kKeys; ++k) {
        double gamma = p.gamma ? inputs.gamma.data[k] : 1;
        double beta = p.beta ? inputs.beta.data[k] : 0;
        double y = (inputs.x.at({m, k}) - mean) * r * gamma;
        double w = inputs.w.at({k, e});
        sum += (y + beta) * w;
        // However small the rows are, the bias keeps its digits.
        bound += std::fabs(w) * (std::fabs(y) * (relative + 4 * n * kUnit) +
                                 2 * meanError * r * std::fabs(gamma) +
                                 4 * n * kUnit * std::fabs(beta));
        // The parts are rounded, rather than the whole.
        if (p.rounded)
          bound += std::fabs(w) * 0x1p-10 *
                   (std::fabs(y) + std::fabs(beta) + 0x1p-14 * (1 + r));
      }
      value.at({m, e}) = sum;
      error.at({m, e}) = std::isnan(sum) ? 0 : bound;
    }
  }
  return Bounded(value, error);
}

FusionOutcome PolynomialFusionTest::run(const Program &p, StringRef levels,
                                        Form form, const Inputs &inputs,
                                        size_t *numStates, std::string *text) {
  FusionOutcome outcome;
  std::string ir = write(p);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, context);
  EXPECT_TRUE(module) << ir;
  if (!module)
    return outcome;
  auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
  Operation *root =
      main.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  TileAndFuseOptions options;
  options.normalization = form;
  EXPECT_TRUE(
      succeeded(parseTilingLevels(levels, options.levels, outcome.reason)))
      << outcome.reason;
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  if (numStates)
    *numStates = succeeded(plan) ? plan->states.size() : 0;
  outcome = fuseAndRun(
      *module, root, options, {inputs.x, inputs.gamma, inputs.beta, inputs.w},
      [&] { return std::vector<Bounded>{evaluate(p, inputs)}; }, *executor);
  if (text) {
    llvm::raw_string_ostream os(*text);
    os << *module;
  }
  return outcome;
}

/// All states are carried by the loops over the keys, and the result is right.
void PolynomialFusionTest::expectOnePass(const Program &p,
                                         const Inputs &inputs) {
  std::vector<std::string> levels = {"for(0,0,1)",
                                     "for(0,0,5)",
                                     "for(0,0,33)",
                                     "for(0,0,40)",
                                     "forall(3) for(0,0,8)",
                                     "forall(2,3) for(0,0,8) for(0,0,3)",
                                     "for(4) for(0,0,16)",
                                     "split(0,0,9)",
                                     "split(0,0,12) for(0,0,5)"};
  for (std::string text : levels) {
    if (p.variance) {
      text = replaceAll(text, "0,0,", "0,");
      text = replaceAll(text, "2,3", "2");
    }
    for (Form form : {Form::Delayed, Form::Eager}) {
      SCOPED_TRACE(text + (form == Form::Eager ? ", eager" : ""));
      size_t numStates = 0;
      FusionOutcome outcome = run(p, text, form, inputs, &numStates);
      EXPECT_TRUE(outcome.isRight())
          << getName(outcome.stage) << ": " << outcome.reason << outcome.plan;
      EXPECT_EQ(numStates, p.variance || !p.scaled ? 1u : 2u) << outcome.plan;
      EXPECT_LE(outcome.worstRatio, 1.0);
    }
  }
}

TEST_F(PolynomialFusionTest, Variance) {
  Program p;
  p.variance = true;
  expectOnePass(p);
  p.keepDims = true;
  expectOnePass(p);
  p.dynamic = true;
  expectOnePass(p);
}

TEST_F(PolynomialFusionTest, LayerNormWithoutBias) {
  Program p;
  p.beta = false;
  expectOnePass(p);
  p.gamma = false;
  p.rsqrt = false;
  expectOnePass(p);
}

TEST_F(PolynomialFusionTest, LayerNorm) {
  Program p;
  expectOnePass(p);
  p.keepDims = true;
  expectOnePass(p);
  p.dynamic = true;
  expectOnePass(p);
}

// The quotient by the deviation, as ONNX writes it, with a bias behind it.
TEST_F(PolynomialFusionTest, LayerNormAsQuotient) {
  Program p;
  p.rsqrt = false;
  expectOnePass(p);
  p.keepDims = true;
  expectOnePass(p);
  p.dynamic = true;
  expectOnePass(p);
  p.gamma = false;
  expectOnePass(p);
}

// f16 in and out, f32 between: where the rows are not rounded, and where they
// are before they are multiplied.
TEST_F(PolynomialFusionTest, LayerNormOfHalves) {
  for (bool rsqrt : {false, true})
    for (bool rounded : {false, true}) {
      Program p;
      p.half = true;
      p.rsqrt = rsqrt;
      p.rounded = rounded;
      expectOnePass(p);
      p.dynamic = true;
      expectOnePass(p);
    }
}

// The variance is 0, but for what rounding the mean makes of it.
TEST_F(PolynomialFusionTest, ConstantRows) {
  for (bool rsqrt : {false, true})
    for (bool dynamic : {false, true}) {
      Program p;
      p.rsqrt = rsqrt;
      p.dynamic = dynamic;
      Inputs inputs = makeInputs(0.5);
      for (int64_t m = 0; m < kRows; ++m)
        for (int64_t k = 0; k < kKeys; ++k)
          inputs.x.at({m, k}) = m - 2.0;
      expectOnePass(p, inputs);
    }
}

// The bias is added after the rows have been scaled: sums in which it met rows
// of 1e-5 that are not would lose what the rows add to it.
TEST_F(PolynomialFusionTest, SmallRowsWithBias) {
  for (double spread : {1e-2, 1e-5, 1e-8})
    for (bool centred : {false, true})
      for (bool rsqrt : {false, true}) {
        Program p;
        p.epsilon = 1e-20;
        p.centred = centred;
        p.rsqrt = rsqrt;
        expectOnePass(p, makeInputs(0, spread));
      }
}

// A mean of a part of a row is not the part of the mean: were tiles to take the
// sum so far divided by the size of the row, all digits would be lost.
TEST_F(PolynomialFusionTest, LargeMeans) {
  for (double mean : {-1e3, 1e4}) {
    Program p;
    expectOnePass(p, mean);
    p.rsqrt = false;
    expectOnePass(p, mean);
    p.variance = true;
    expectOnePass(p, mean);
    p.variance = p.scaled = false;
    expectOnePass(p, mean);
  }
}

// What is subtracted from an infinite mean is no number, and nobody else's row
// is touched.
TEST_F(PolynomialFusionTest, RowsThatAreInfinite) {
  for (bool keepDims : {false, true})
    for (StringRef levels : {"for(0,0,8)", "split(0,0,12) for(0,0,5)"}) {
      Program p;
      p.keepDims = keepDims;
      Inputs inputs = makeInputs(0.5);
      inputs.x.at({0, 2}) = std::numeric_limits<double>::infinity();
      inputs.x.at({3, 30}) = -std::numeric_limits<double>::infinity();
      inputs.x.at({4, 9}) = std::numeric_limits<double>::quiet_NaN();
      FusionOutcome outcome = run(p, levels, Form::Delayed, inputs);
      EXPECT_TRUE(outcome.isRight()) << outcome.reason << outcome.plan;
    }
}

// The derivative of the rows in the mean is that of one row: no second
// contraction of the size of the first.
TEST_F(PolynomialFusionTest, DerivativesHaveNoMoreDimensionsThanTheyNeed) {
  for (bool rsqrt : {false, true})
    for (bool beta : {false, true}) {
      Program p;
      p.rsqrt = rsqrt;
      p.beta = beta;
      std::string text;
      FusionOutcome outcome =
          run(p, "for(0,0,8)", Form::Delayed, makeInputs(0.5), nullptr, &text);
      ASSERT_TRUE(outcome.isRight()) << outcome.reason;
      size_t contractions = 0;
      for (size_t at = 0; (at = text.find("[\"parallel\", \"parallel\", "
                                          "\"reduction\"]",
                                          at)) != std::string::npos;
           ++at)
        ++contractions;
      EXPECT_EQ(contractions, 1u) << text;
    }
}

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
