//===- TopKTest.cpp - The best of a softmax, and where they are -----------===//
//
// Arg-max and top-k of softmax weights, as a mixture of experts routes tokens:
// an accumulation of several results, of which fusion repairs the values and
// leaves the positions alone. Executed; positions must be exactly those of the
// scores in order, values within the bounds of the softmax.
//
// Between scores that differ a little, or whose weights were rounded in tiles,
// fusion may decide otherwise than the unfused program. Scores here are equal
// or differ by at least 1/64, which no rounding of a weight in f32 hides.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "Extend.h"
#include "TestOps.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr int64_t kRows = 7, kExperts = 20;

namespace {
enum class Root { ArgMax, ArgMaxOfSelect, ArgMin, TopK };

/// A function of scores [rows, experts] to values and positions (as f64) of the
/// best, and for a top-k to their weights among each other.
struct Program {
  SoftmaxForm softmax = SoftmaxForm::Ext;
  Root root = Root::ArgMax;
  int64_t k = 1; ///< Of the top-k.
  bool narrowScores = false, isDynamic = true, initIsInput = false;

  bool isTopK() const { return root == Root::TopK; }
  std::string describe() const {
    return "softmax " + std::to_string(static_cast<int>(softmax)) + ", root " +
           std::to_string(static_cast<int>(root)) + ", k " + std::to_string(k) +
           (narrowScores ? ", f16" : "") + (isDynamic ? ", dynamic" : "");
  }
  std::string print() const;
};

/// The parts of a program. `print` replaces $D and $R, the shapes of scores and
/// of rows, and the other names.
constexpr const char *kHead = R"(
  #x = affine_map<(i, j) -> (i, j)>
  #r = affine_map<(i, j) -> (i)>
  #v = affine_map<(i) -> (i)>
  func.func @main(%input: tensor<$DxT>$INITS) -> ($RESULTS) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    %inf = arith.constant 0x7F800000 : f32
    %nobody = arith.constant -1 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    $SIZES
    %ey = tensor.empty($MN) : tensor<$Dxf32>
    %er = tensor.empty($M) : tensor<$Rxf32>
    %f0 = linalg.fill ins(%ninf : f32) outs(%er : tensor<$Rxf32>) -> tensor<$Rxf32>
    %g0 = linalg.fill ins(%inf : f32) outs(%er : tensor<$Rxf32>) -> tensor<$Rxf32>
    %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<$Rxf32>) -> tensor<$Rxf32>
)";

constexpr const char *kWiden = R"(
    %x = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
        ins(%input : tensor<$DxT>) outs(%ey : tensor<$Dxf32>) {
    ^bb0(%a: T, %b: f32):
      %w = arith.extf %a : T to f32
      linalg.yield %w : f32
    } -> tensor<$Dxf32>
)";

constexpr const char *kOp = R"(
    %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<$Dxf32>)
      outs(%ey, %f0, %l0, %er : tensor<$Dxf32>, tensor<$Rxf32>, tensor<$Rxf32>, tensor<$Rxf32>)
      -> tensor<$Dxf32>, tensor<$Rxf32>, tensor<$Rxf32>, tensor<$Rxf32>
)";

/// The unguarded chain; a guard takes %m for %max and %l for %sum.
constexpr const char *kChain = R"(
    %max = linalg.reduce {arith.maximumf} ins(%x : tensor<$Dxf32>)
      outs(%f0 : tensor<$Rxf32>) dimensions = [1]
    %m = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%max : tensor<$Rxf32>) outs(%er : tensor<$Rxf32>) {
    ^bb0(%a: f32, %b: f32):
      %none = arith.cmpf oeq, %a, %ninf : f32
      %g = arith.select %none, %zero, %a : f32
      linalg.yield $GUARDED_MAX : f32
    } -> tensor<$Rxf32>
    %e = linalg.generic {indexing_maps = [#x, #r, #x], iterator_types = ["parallel", "parallel"]}
        ins(%x, %m : tensor<$Dxf32>, tensor<$Rxf32>) outs(%ey : tensor<$Dxf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %d = arith.subf %a, %b : f32
      %exp = math.exp %d : f32
      linalg.yield %exp : f32
    } -> tensor<$Dxf32>
    %sum = linalg.reduce {arith.addf} ins(%e : tensor<$Dxf32>)
      outs(%l0 : tensor<$Rxf32>) dimensions = [1]
    %l = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%sum : tensor<$Rxf32>) outs(%er : tensor<$Rxf32>) {
    ^bb0(%a: f32, %b: f32):
      %none = arith.cmpf oeq, %a, %zero : f32
      %g = arith.select %none, %one, %a : f32
      linalg.yield $GUARDED_SUM : f32
    } -> tensor<$Rxf32>
    %p = linalg.generic {indexing_maps = [#x, #r, #x], iterator_types = ["parallel", "parallel"]}
        ins(%e, %l : tensor<$Dxf32>, tensor<$Rxf32>) outs(%ey : tensor<$Dxf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %q = arith.divf %a, %b : f32
      linalg.yield %q : f32
    } -> tensor<$Dxf32>
)";

constexpr const char *kArgMax = R"(
    %ei = tensor.empty($M) : tensor<$Rxi64>
    %i0 = linalg.fill ins(%nobody : i64) outs(%ei : tensor<$Rxi64>) -> tensor<$Rxi64>
    %best:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
        ins($P : tensor<$Dxf32>) outs($INIT, %i0 : tensor<$Rxf32>, tensor<$Rxi64>)
        attrs = {linalg_ext.root} {
    ^bb0(%in: f32, %v: f32, %i: i64):
      %j = linalg.index 1 : index
      %jc = arith.index_cast %j : index to i64
      %better = arith.cmpf $PREDICATE, %in, %v : f32
      %nv = $CHOICE : f32
      %ni = arith.select %better, %jc, %i : i64
      linalg.yield %nv, %ni : f32, i64
    } -> (tensor<$Rxf32>, tensor<$Rxi64>)
    %ed = tensor.empty($M) : tensor<$Rxf64>
    %at = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%best#1 : tensor<$Rxi64>) outs(%ed : tensor<$Rxf64>) {
    ^bb0(%a: i64, %b: f64):
      %d = arith.sitofp %a : i64 to f64
      linalg.yield %d : f64
    } -> tensor<$Rxf64>
    return %best#0, %at : tensor<$Rxf32>, tensor<$Rxf64>
  })";

constexpr const char *kTopK = R"(
    %ep = tensor.empty($N) : tensor<$Cxi64>
    %positions = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]}
        outs(%ep : tensor<$Cxi64>) {
    ^bb0(%a: i64):
      %j = linalg.index 0 : index
      %jc = arith.index_cast %j : index to i64
      linalg.yield %jc : i64
    } -> tensor<$Cxi64>
    %ev = tensor.empty($M) : tensor<$RxKxf32>
    %ei = tensor.empty($M) : tensor<$RxKxi64>
    %v0 = linalg.fill ins(%ninf : f32) outs(%ev : tensor<$RxKxf32>) -> tensor<$RxKxf32>
    %i0 = linalg.fill ins(%nobody : i64) outs(%ei : tensor<$RxKxi64>) -> tensor<$RxKxi64>
    %best:2 = extend.topk dimension(1) {linalg_ext.root}
      ins($P, %positions : tensor<$Dxf32>, tensor<$Cxi64>)
      outs($INIT, %i0 : tensor<$RxKxf32>, tensor<$RxKxi64>)
      -> tensor<$RxKxf32>, tensor<$RxKxi64>
    %ed = tensor.empty($M) : tensor<$RxKxf64>
    %at = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
        ins(%best#1 : tensor<$RxKxi64>) outs(%ed : tensor<$RxKxf64>) {
    ^bb0(%a: i64, %b: f64):
      %d = arith.sitofp %a : i64 to f64
      linalg.yield %d : f64
    } -> tensor<$RxKxf64>
    %total = linalg.reduce {arith.addf} ins(%best#0 : tensor<$RxKxf32>)
      outs(%l0 : tensor<$Rxf32>) dimensions = [1]
    %weights = linalg.generic {indexing_maps = [#x, #r, #x], iterator_types = ["parallel", "parallel"]}
        ins(%best#0, %total : tensor<$RxKxf32>, tensor<$Rxf32>) outs(%ev : tensor<$RxKxf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %w = arith.divf %a, %b : f32
      linalg.yield %w : f32
    } -> tensor<$RxKxf32>
    return %best#0, %at, %weights : tensor<$RxKxf32>, tensor<$RxKxf64>, tensor<$RxKxf32>
  })";
} // namespace

std::string Program::print() const {
  bool isGuarded = softmax == SoftmaxForm::Guarded;
  std::string text = kHead;
  text += narrowScores ? kWiden : "";
  text += softmax == SoftmaxForm::Ext ? kOp : kChain;
  text += isTopK() ? kTopK : kArgMax;
  if (!narrowScores)
    text = replaceAll(std::move(text), "%x", "%input");
  std::string init = isTopK() ? "%v0" : root == Root::ArgMin ? "%g0" : "%f0";
  std::string rows = isTopK() ? "$RxKx" : "$Rx";
  const std::pair<const char *, std::string> substitutions[] = {
      {"$GUARDED_MAX", isGuarded ? "%g" : "%a"},
      {"$GUARDED_SUM", isGuarded ? "%g" : "%a"},
      {"$PREDICATE", root == Root::ArgMin ? "olt" : "ogt"},
      {"$CHOICE", root == Root::ArgMax ? "arith.maximumf %in, %v"
                                       : "arith.select %better, %in, %v"},
      {"$P", softmax == SoftmaxForm::Ext ? "%p#0" : "%p"},
      {"$INITS", initIsInput ? ", %init: tensor<" + rows + "f32>" : ""},
      {"$INIT", initIsInput ? "%init" : init},
      {"$RESULTS", "tensor<" + rows + "f32>, tensor<" + rows + "f64>" +
                       (isTopK() ? ", tensor<" + rows + "f32>" : "")},
      {"$SIZES", isDynamic ? "%M = tensor.dim %input, %c0 : tensor<$DxT>\n"
                             "%N = tensor.dim %input, %c1 : tensor<$DxT>"
                           : ""},
      {"$MN", isDynamic ? "%M, %N" : ""},
      {"$M", isDynamic ? "%M" : ""},
      {"$N", isDynamic ? "%N" : ""},
      {"$D", isDynamic
                 ? "?x?"
                 : std::to_string(kRows) + "x" + std::to_string(kExperts)},
      {"$R", isDynamic ? "?" : std::to_string(kRows)},
      {"$C", isDynamic ? "?" : std::to_string(kExperts)},
      {"xKx", "x" + std::to_string(k) + "x"},
      {"xT>", narrowScores ? "xf16>" : "xf32>"},
      {": T", narrowScores ? ": f16" : ": f32"},
  };
  for (auto &[from, to] : substitutions)
    text = replaceAll(std::move(text), from, to);
  return text;
}

//===----------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------===//

/// Scores of 0, 1/64, ... in random order, so that those of one row differ.
static Tensor drawScores(oracle::Random &random, int64_t rows = kRows,
                         int64_t experts = kExperts) {
  Tensor scores({rows, experts});
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<double> row;
    for (int64_t j = 0; j < 8 * experts; ++j)
      row.push_back(static_cast<double>(j) / 64 - 1);
    for (int64_t j = 0; j < experts; ++j) {
      std::swap(row[j], row[random.integer(j, 8 * experts - 1)]);
      scores.at({i, j}) = row[j];
    }
  }
  return scores;
}

/// The experts of row `i`, best first: of equal ones the first.
static std::vector<int64_t> sortExperts(const Tensor &scores, int64_t i,
                                        bool smallestFirst) {
  std::vector<int64_t> order(scores.shape[1]);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    double lhs = scores.at({i, a}), rhs = scores.at({i, b});
    if (lhs == rhs)
      return a < b;
    return smallestFirst ? lhs < rhs : lhs > rhs;
  });
  return order;
}

/// What `program` returns. Where nothing is specified the error is negative: of
/// rows with a NaN, and of rows of nothing that no guard makes 0.
static std::vector<Bounded> evaluate(const Program &program,
                                     const Tensor &scores, int64_t steps,
                                     const Tensor *init = nullptr) {
  Bounded weights =
      oracle::softmax(Bounded(scores), 1, DType::F32, DType::F32, steps);
  int64_t rows = scores.shape[0];
  oracle::Shape shape =
      program.isTopK() ? oracle::Shape{rows, program.k} : oracle::Shape{rows};
  const Tensor zeros(shape, 0.0);
  Bounded values(zeros), positions(zeros), renormalised(zeros);
  double unit = oracle::getFormat(DType::F32).unitRoundoff;
  for (int64_t i = 0; i < rows; ++i) {
    bool isSpecified = true, isEmpty = true;
    for (int64_t j = 0; j < scores.shape[1]; ++j) {
      isSpecified &= !std::isnan(scores.at({i, j}));
      isEmpty &= scores.at({i, j}) == -kInf;
    }
    isSpecified &= !isEmpty || program.softmax != SoftmaxForm::Chain;
    std::vector<int64_t> order;
    if (isSpecified)
      order = sortExperts(scores, i, program.root == Root::ArgMin);
    double sum = 0, sumError = 0;
    for (int64_t k = 0; k < program.k; ++k) {
      int64_t out = i * program.k + k;
      if (!isSpecified) {
        for (Bounded *result : {&values, &positions, &renormalised})
          result->error.data[out] = -1;
        continue;
      }
      values.value.data[out] = weights.value.at({i, order[k]});
      values.error.data[out] = weights.error.at({i, order[k]});
      positions.value.data[out] = static_cast<double>(order[k]);
      if (init && init->data[out] >= values.value.data[out]) {
        values.value.data[out] = init->data[out];
        values.error.data[out] = 0;
        positions.value.data[out] = -1;
      }
      sum += values.value.data[out];
      sumError += values.error.data[out];
    }
    // (v + e) / (sum + sumError), and its roundings.
    for (int64_t out = i * program.k; isSpecified && out < (i + 1) * program.k;
         ++out) {
      double value = values.value.data[out] / sum;
      double error = values.error.data[out];
      renormalised.value.data[out] = value;
      renormalised.error.data[out] =
          isEmpty ? 0
                  : (error + value * sumError) / (sum - sumError) +
                        oracle::gamma(2.0 * program.k + 2, unit);
    }
  }
  if (program.isTopK())
    return {values, positions, renormalised};
  return {values, positions};
}

namespace {
class TopKTest : public ::testing::Test {
protected:
  using Form = NormalizationForm;

  static void SetUpTestSuite() {
    context = makeFusionContext([](DialectRegistry &registry) {
                mlir::linalg_ext::test::registerTestLib(registry);
              }).release();
    context->loadDialect<mlir::extend::ExtendDialect>();
    executor = new Executor(context);
  }
  static void TearDownTestSuite() {
    delete executor;
    delete context;
  }

  static std::vector<TilingLevel> parse(const std::string &levels) {
    std::vector<TilingLevel> parsed;
    std::string reason;
    EXPECT_TRUE(succeeded(parseTilingLevels(levels, parsed, reason))) << reason;
    return parsed;
  }

  /// Fuses in one pass over the scores and runs.
  static Execution run(const std::string &text, const std::string &levels,
                       Form form, ArrayRef<Tensor> inputs) {
    Execution failed;
    failed.error = "see above";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return failed;
    TileAndFuseOptions options;
    options.levels = parse(levels);
    options.normalization = form;
    options.rootAttrName = "linalg_ext.root";
    SmallVector<Operation *> roots =
        findFusionRoots(*module, options.rootAttrName);
    EXPECT_TRUE(roots.size() == 1);
    Refusal refusal;
    FailureOr<FusionPlan> plan =
        planTileAndFuse(roots.front(), options, refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    if (mlir::failed(plan))
      return failed;
    EXPECT_FALSE(plan->states.empty()) << print(*module);
    IRRewriter rewriter(context);
    bool isFused = succeeded(applyFusionPlan(rewriter, *plan, refusal));
    EXPECT_TRUE(isFused) << refusal.text;
    PassManager passes(context);
    bool isLowered = isFused && succeeded(verify(*module)) &&
                     succeeded(decomposeLinalgExtOps(*module)) &&
                     succeeded(parsePassPipeline("extend-lower", passes)) &&
                     succeeded(passes.run(*module));
    EXPECT_TRUE(isLowered) << print(*module);
    return isLowered ? executor->run(*module, "main", inputs) : failed;
  }

  static void expectRight(const Program &program, const std::string &levels,
                          ArrayRef<Tensor> inputs) {
    for (Form form : {Form::Eager, Form::Delayed}) {
      std::string what = program.describe() + ", " + levels +
                         (form == Form::Eager ? ", eager" : ", delayed");
      Execution result = run(program.print(), levels, form, inputs);
      ASSERT_TRUE(result.ok()) << what << ": " << result.error;
      int64_t steps = countSteps(inputs[0].shape[1], 1, parse(levels));
      std::vector<Bounded> want = evaluate(
          program, inputs[0], steps, inputs.size() > 1 ? &inputs[1] : nullptr);
      ASSERT_EQ(result.outputs.size(), want.size());
      for (size_t i = 0; i < want.size(); ++i) {
        oracle::Comparison c = oracle::compare(result.outputs[i], want[i]);
        EXPECT_TRUE(c.ok) << what << ", result " << i << ": " << c.message;
        EXPECT_LT(c.looseness, 1e-3);
      }
    }
  }
  static void expectRight(const Program &program, const std::string &levels) {
    oracle::Random random(1);
    expectRight(program, levels, drawScores(random));
  }

  static std::vector<Program> getPrograms() {
    std::vector<Program> programs;
    for (SoftmaxForm form :
         {SoftmaxForm::Ext, SoftmaxForm::Chain, SoftmaxForm::Guarded}) {
      for (Root root : {Root::ArgMax, Root::ArgMaxOfSelect, Root::ArgMin})
        programs.push_back({form, root});
      programs.push_back({form, Root::TopK, 4});
    }
    return programs;
  }

  static MLIRContext *context;
  static Executor *executor;
};
MLIRContext *TopKTest::context = nullptr;
Executor *TopKTest::executor = nullptr;
} // namespace

TEST_F(TopKTest, EveryTile) {
  for (const Program &program : getPrograms())
    for (int64_t tile : {1, 3, 7, 20, 25})
      expectRight(program, "for(0, " + std::to_string(tile) + ")");
}

TEST_F(TopKTest, Levels) {
  for (const Program &program : getPrograms())
    for (const char *levels : {"forall(2) for(0, 6)", "for(0, 9) for(0, 4)",
                               "for(3, 8) for(0, 3)", "for(0, 6) for(2, 0)"})
      expectRight(program, levels);
}

TEST_F(TopKTest, Split) {
  for (const Program &program : getPrograms())
    for (const char *levels :
         {"split(0, 1)", "split(0, 7)", "split(0, 25)",
          "forall(2) split(0, 6) for(0, 4)", "split(0, 9) for(2, 0) for(0, 2)"})
      expectRight(program, levels);
}

TEST_F(TopKTest, ShapesAndTypes) {
  for (Program program : getPrograms())
    for (bool isDynamic : {false, true})
      for (bool narrowScores : {false, true}) {
        program.isDynamic = isDynamic;
        program.narrowScores = narrowScores;
        expectRight(program, "forall(3) for(0, 6)");
      }
}

TEST_F(TopKTest, OneExpert) {
  oracle::Random random(1);
  for (Program program : getPrograms()) {
    program.k = 1;
    expectRight(program, "forall(3) for(0, 6)", drawScores(random, kRows, 1));
  }
}

/// Of equal scores the first one is the best, wherever the tiles are cut.
TEST_F(TopKTest, Ties) {
  oracle::Random random(1);
  Tensor scores({kRows, kExperts});
  for (int64_t i = 0; i < kRows; ++i)
    for (int64_t j = 0; j < kExperts; ++j)
      scores.at({i, j}) = static_cast<double>(random.integer(-2, 2)) / 4;
  for (int64_t j = 0; j < kExperts; ++j)
    scores.at({3, j}) = 0.3125;               // All of them,
  scores.at({4, 0}) = scores.at({4, 19}) = 3; // the first and the last.
  for (const char *levels :
       {"for(0, 1)", "for(0, 3)", "for(0, 9) for(0, 4)", "split(0, 3)"})
    for (bool narrowScores : {false, true})
      for (Program program : getPrograms()) {
        program.narrowScores = narrowScores;
        Tensor tied = scores;
        // Those below the maximum keep their weights as long as that does not
        // move.
        if (program.isTopK() || program.root == Root::ArgMin)
          for (int64_t i = 0; i < kRows; ++i)
            tied.at({i, 0}) = 4;
        // Nor are they merged.
        if (tied.at({0, 0}) == 4 && StringRef(levels).contains("split"))
          continue;
        expectRight(program, levels, tied);
      }
}

TEST_F(TopKTest, Masked) {
  oracle::Random random(1);
  for (Program program : getPrograms()) {
    if (program.root == Root::ArgMin)
      continue; // 0, which the masked ones share.
    for (const char *levels :
         {"for(0, 1)", "for(0, 4)", "for(0, 8) for(0, 3)", "split(0, 6)"}) {
      Tensor scores = drawScores(random);
      for (int64_t j = 0; j < kExperts; ++j) {
        if (j < 6)
          scores.at({1, j}) = -kInf; // At first,
        if (j >= 12)
          scores.at({2, j}) = -kInf; // at last,
        if (j != 11)
          scores.at({3, j}) = -kInf;                       // all but one,
        scores.at({4, j}) = -kInf;                         // throughout.
        scores.at({5, j}) = 20.0 * static_cast<double>(j); // Rising.
      }
      // Weights of 0 are not told apart.
      if (program.isTopK())
        for (int64_t j = 0; j < kExperts; ++j)
          scores.at({5, j}) = 2.0 * static_cast<double>(j);
      expectRight(program, levels, scores);
    }
  }
}

TEST_F(TopKTest, NaN) {
  // It takes the row, and no other; where the maximum propagates it, it shows.
  oracle::Random random(1);
  Tensor scores = drawScores(random);
  scores.at({2, 13}) = std::nan("");
  for (const Program &program : getPrograms()) {
    expectRight(program, "for(0, 6)", scores);
    if (program.root != Root::ArgMax)
      continue;
    Execution result = run(program.print(), "for(0, 6)", Form::Delayed, scores);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_TRUE(std::isnan(result.outputs[0].at({2})));
  }
}

/// What the root starts from takes part once, unrepaired, and as the first.
TEST_F(TopKTest, InitThatIsNotNeutral) {
  oracle::Random random(1);
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Chain})
    for (const char *levels : {"for(0, 6)", "split(0, 6)"}) {
      Program program{form, Root::ArgMax};
      program.initIsInput = true;
      Tensor init({kRows}, -1.0);
      init.at({2}) = 2;
      init.at({5}) = kInf;
      Tensor scores = drawScores(random);
      // A weight of 0 is no better than an init of 0.
      if (form == SoftmaxForm::Ext) {
        for (int64_t j = 0; j < kExperts; ++j)
          scores.at({4, j}) = -kInf;
        init.at({4}) = 0;
      }
      expectRight(program, levels, {scores, init});
      // A list of which nothing comes before what is chosen, or all.
      program = {form, Root::TopK, 4};
      program.initIsInput = true;
      Tensor lists({kRows, 4}, -1.0);
      for (int64_t k = 0; k < 4; ++k)
        lists.at({3, k}) = 2;
      expectRight(program, levels, {drawScores(random), lists});
    }
}

/// The softmax of torch-mlir: its max is the first result of an arg-max, whose
/// other result is the position of the largest score.
TEST_F(TopKTest, ArgMaxAsTheStateOfASoftmax) {
  Program program{SoftmaxForm::Chain, Root::ArgMax};
  std::string text = program.print();
  // 1. The maximum becomes an arg-max, and the root a sum.
  size_t from = text.find("%max = "), to = text.find("%m = ");
  text.replace(from, to - from, R"(
    %ei = tensor.empty(%M) : tensor<?xi64>
    %i0 = linalg.fill ins(%nobody : i64) outs(%ei : tensor<?xi64>) -> tensor<?xi64>
    %max, %at = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
        ins(%input : tensor<?x?xf32>) outs(%f0, %i0 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32, %v: f32, %i: i64):
      %j = linalg.index 1 : index
      %jc = arith.index_cast %j : index to i64
      %better = arith.cmpf ogt, %in, %v : f32
      %nv = arith.maximumf %in, %v : f32
      %ni = arith.select %better, %jc, %i : i64
      linalg.yield %nv, %ni : f32, i64
    } -> (tensor<?xf32>, tensor<?xi64>)
  )");
  from = text.find("%ei = tensor.empty", text.find("%p = "));
  text = text.substr(0, from) + R"(
    %w0 = tensor.empty(%M) : tensor<?x3xf32>
    %w1 = linalg.fill ins(%zero : f32) outs(%w0 : tensor<?x3xf32>) -> tensor<?x3xf32>
    %o = linalg.matmul {linalg_ext.root} ins(%p, %w : tensor<?x?xf32>, tensor<?x3xf32>)
      outs(%w1 : tensor<?x3xf32>) -> tensor<?x3xf32>
    %ed = tensor.empty(%M) : tensor<?xf64>
    %d = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
        ins(%at : tensor<?xi64>) outs(%ed : tensor<?xf64>) {
    ^bb0(%a: i64, %b: f64):
      %s = arith.sitofp %a : i64 to f64
      linalg.yield %s : f64
    } -> tensor<?xf64>
    return %o, %d : tensor<?x3xf32>, tensor<?xf64>
  })";
  text = replaceAll(std::move(text), "-> (tensor<?xf32>, tensor<?xf64>) {",
                    "-> (tensor<?x3xf32>, tensor<?xf64>) {");
  text = replaceAll(std::move(text), "%input: tensor<?x?xf32>)",
                    "%input: tensor<?x?xf32>, %w: tensor<?x3xf32>)");

  // 2. A guard of the maximum may go by the position.
  std::string guarded = text;
  guarded = replaceAll(std::move(guarded),
                       "%m = linalg.generic {indexing_maps = [#v, #v]",
                       "%m = linalg.generic {indexing_maps = [#v, #v, #v]");
  guarded =
      replaceAll(std::move(guarded),
                 "ins(%max : tensor<?xf32>) outs(%er : tensor<?xf32>) {\n"
                 "    ^bb0(%a: f32, %b: f32):\n"
                 "      %none = arith.cmpf oeq, %a, %ninf : f32",
                 "ins(%max, %at : tensor<?xf32>, tensor<?xi64>) outs(%er : "
                 "tensor<?xf32>) {\n"
                 "    ^bb0(%a: f32, %p0: i64, %b: f32):\n"
                 "      %none = arith.cmpi eq, %p0, %nobody : i64");
  size_t guard = guarded.find("linalg.yield %a", guarded.find("%m = "));
  guarded.replace(guard, 15, "linalg.yield %g");
  ASSERT_NE(guarded.find("arith.cmpi"), std::string::npos);

  // 3. Both are right.
  oracle::Random random(1);
  Tensor scores = drawScores(random);
  scores.at({2, 3}) = scores.at({2, 17}) = 4; // equal
  for (int64_t j = 0; j < 6; ++j)
    scores.at({1, j}) = -kInf;
  Tensor values = oracle::random(random, {kExperts, 3}, -1, 1, DType::F32);
  for (const char *levels :
       {"for(0, 0, 1)", "for(0, 0, 6)", "forall(2) for(0, 0, 9) for(0, 0, 4)",
        "split(0, 0, 6)"})
    for (auto [program, form] :
         {std::pair(text, Form::Eager), std::pair(text, Form::Delayed),
          std::pair(guarded, Form::Eager), std::pair(guarded, Form::Delayed)}) {
      Execution result = run(program, levels, form, {scores, values});
      ASSERT_TRUE(result.ok()) << result.error;
      int64_t steps = countSteps(kExperts, 2, parse(levels));
      Bounded want = oracle::contract(
          "ij,jn->in",
          oracle::softmax(Bounded(scores), 1, DType::F32, DType::F32, steps),
          values, DType::F32, steps);
      oracle::Comparison c = oracle::compare(result.outputs[0], want);
      EXPECT_TRUE(c.ok) << levels << ": " << c.message;
      for (int64_t i = 0; i < kRows; ++i)
        EXPECT_EQ(result.outputs[1].at({i}),
                  sortExperts(scores, i, /*smallestFirst=*/false).front())
            << levels << ", row " << i;
    }
}

/// A maximum alone scales too: max_j (weight_j v_j), of either sign.
TEST_F(TopKTest, MaxTimesProduct) {
  oracle::Random random(1);
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Chain}) {
    std::string text = Program{form, Root::ArgMax}.print();
    text = text.substr(0, text.find("%ei = tensor.empty")) + R"(
      %w0 = tensor.empty(%M) : tensor<?x3xf32>
      %w1 = linalg.fill ins(%ninf : f32) outs(%w0 : tensor<?x3xf32>) -> tensor<?x3xf32>
      %o = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
          ins($P, %w : tensor<?x?xf32>, tensor<?x3xf32>) outs(%w1 : tensor<?x3xf32>)
          attrs = {linalg_ext.root} {
      ^bb0(%p0: f32, %v: f32, %acc: f32):
        %t = arith.mulf %p0, %v : f32
        %s = arith.maximumf %acc, %t : f32
        linalg.yield %s : f32
      } -> tensor<?x3xf32>
      return %o : tensor<?x3xf32>
    })";
    text = "#a = affine_map<(i, n, j) -> (i, j)>\n"
           "#b = affine_map<(i, n, j) -> (j, n)>\n"
           "#c = affine_map<(i, n, j) -> (i, n)>\n" +
           text;
    text = replaceAll(std::move(text), "$P",
                      form == SoftmaxForm::Ext ? "%p#0" : "%p");
    text = replaceAll(std::move(text), "-> (tensor<?xf32>, tensor<?xf64>) {",
                      "-> (tensor<?x3xf32>) {");
    text = replaceAll(std::move(text), "%input: tensor<?x?xf32>)",
                      "%input: tensor<?x?xf32>, %w: tensor<?x3xf32>)");
    Tensor scores = drawScores(random);
    for (int64_t j = 0; j < 8; ++j)
      scores.at({1, j}) = -kInf;
    Tensor values = oracle::random(random, {kExperts, 3}, -1, 1, DType::F32);
    for (int64_t j = 0; j < kExperts; ++j)
      values.at({j, 2}) = -std::abs(values.at({j, 2}));
    for (const char *levels :
         {"for(0, 0, 1)", "for(0, 0, 6)", "forall(2) for(0, 0, 9) for(0, 2, 4)",
          "split(0, 0, 6)"})
      for (Form normalization : {Form::Eager, Form::Delayed}) {
        Execution result = run(text, levels, normalization, {scores, values});
        ASSERT_TRUE(result.ok()) << result.error;
        int64_t steps = countSteps(kExperts, 2, parse(levels));
        Bounded weights =
            oracle::softmax(Bounded(scores), 1, DType::F32, DType::F32, steps);
        Bounded want(Tensor({kRows, 3}, -kInf), Tensor({kRows, 3}));
        double rounding =
            oracle::gamma(static_cast<double>(steps) + 1,
                          oracle::getFormat(DType::F32).unitRoundoff);
        oracle::forEachIndex(want.value.shape, [&](const oracle::Index &at) {
          // The maximum errs by no more than what is the furthest from right.
          for (int64_t j = 0; j < kExperts; ++j) {
            double v = values.at({j, at[1]});
            double weight = weights.value.at({at[0], j});
            want.value.at(at) = std::max(want.value.at(at), weight * v);
            want.error.at(at) = std::max(
                want.error.at(at), std::abs(v) * (weights.error.at({at[0], j}) +
                                                  weight * rounding));
          }
        });
        oracle::Comparison c = oracle::compare(result.outputs[0], want);
        EXPECT_TRUE(c.ok) << levels << ": " << c.message;
        EXPECT_LT(c.looseness, 1e-3);
      }
  }
}

/// What is normalised in each tile would not tell equal scores from others.
TEST_F(TopKTest, WhatChoosesDoesSoBeforeNormalisation) {
  for (SoftmaxForm form : {SoftmaxForm::Ext, SoftmaxForm::Chain}) {
    Program program{form, Root::ArgMax};
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(program.print(), context);
    TileAndFuseOptions options;
    options.levels = parse("for(0, 6)");
    options.normalization = Form::Eager;
    Operation *root = findFusionRoots(*module, "linalg_ext.root").front();
    Refusal refusal;
    std::string text;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
    ASSERT_TRUE(succeeded(plan)) << refusal.text;
    llvm::raw_string_ostream os(text);
    plan->print(os);
    EXPECT_NE(text.find(form == SoftmaxForm::Ext ? "delayed normalisation"
                                                 : "after the loops"),
              std::string::npos)
        << text;
  }
}
