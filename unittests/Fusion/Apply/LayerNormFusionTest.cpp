//===- LayerNormFusionTest.cpp - Variance, LayerNorm in one pass ----------===//
//
// A variance, and a product with rows that a LayerNorm scales, in one loop over
// the keys. The result is compared with f64.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

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

class LayerNormFusionTest : public FusionTest {
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
};
} // namespace

std::string LayerNormFusionTest::write(const Program &p) {
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

Bounded LayerNormFusionTest::evaluate(const Program &p, const Inputs &inputs) {
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

FusionOutcome LayerNormFusionTest::run(const Program &p, StringRef levels,
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
void LayerNormFusionTest::expectOnePass(const Program &p,
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

TEST_F(LayerNormFusionTest, Variance) {
  Program p;
  p.variance = true;
  expectOnePass(p);
  p.keepDims = true;
  expectOnePass(p);
  p.dynamic = true;
  expectOnePass(p);
}

TEST_F(LayerNormFusionTest, LayerNormWithoutBias) {
  Program p;
  p.beta = false;
  expectOnePass(p);
  p.gamma = false;
  p.rsqrt = false;
  expectOnePass(p);
}

TEST_F(LayerNormFusionTest, LayerNorm) {
  Program p;
  expectOnePass(p);
  p.keepDims = true;
  expectOnePass(p);
  p.dynamic = true;
  expectOnePass(p);
}

// The quotient by the deviation, as ONNX writes it, with a bias behind it.
TEST_F(LayerNormFusionTest, LayerNormAsQuotient) {
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
TEST_F(LayerNormFusionTest, LayerNormOfHalves) {
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
TEST_F(LayerNormFusionTest, ConstantRows) {
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
TEST_F(LayerNormFusionTest, SmallRowsWithBias) {
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
TEST_F(LayerNormFusionTest, LargeMeans) {
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
TEST_F(LayerNormFusionTest, RowsThatAreInfinite) {
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
TEST_F(LayerNormFusionTest, DerivativesHaveNoMoreDimensionsThanTheyNeed) {
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
