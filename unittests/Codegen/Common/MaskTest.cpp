//===- MaskTest.cpp - Masks: right, and not visited where hidden ----------===//
//
// Executed: attention under every kind of mask, fused, its loops tightened,
// against the oracle, whose masks are predicates in C++. The program counts the
// iterations that it runs; they must be as many as there are tiles in which the
// predicate holds somewhere, and those without a mask as many as there are
// tiles in which it holds everywhere.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

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

namespace {
using Predicate = std::function<bool(int64_t b, int64_t q, int64_t k)>;

/// How the condition of a mask meets the scores.
enum class MaskOp {
  Select,        ///< computed where it selects
  SwappedSelect, ///< negated, the arms the other way round
  BooleanTensor, ///< an i1 tensor that another op computes
  FloatTensor,   ///< a tensor of 0 and -inf that is added
};
const MaskOp kAllForms[] = {MaskOp::Select, MaskOp::SwappedSelect,
                            MaskOp::BooleanTensor, MaskOp::FloatTensor};

struct Mask {
  /// Parameters of the function, after q, k and v.
  std::string parameters;
  std::vector<Tensor> values;
  /// Statements in front of the op; %b, %q and %k are not there yet.
  std::string prologue;
  /// Statements that compute %visible, an i1, from the indices %b, %q and %k.
  std::string condition;
  /// The same. `known` is what of it is affine, if not all is.
  Predicate visible, known;
  /// Operands of the op in which the condition is, after the scores, if there
  /// are: " %x : type" lists, maps and block arguments.
  std::string operand, operandType, operandMap, argument;
};

struct Problem {
  int64_t batches = 2, queries = 13, keys = 21, dim = 4, columns = 3;
  std::vector<int64_t> rowTiles = {4}, keyTiles = {5};
  bool split = true;
  NormalizationForm normalization = NormalizationForm::Delayed;
  MaskOp form = MaskOp::Select;
  /// Statements that compute %score from %s (f32) and the indices, and what
  /// they mean: a function with slope at most 1.
  std::string scoring = "%score = arith.mulf %s, %half : f32\n";
  std::function<double(double, int64_t, int64_t)> meaning =
      [](double s, int64_t, int64_t) { return 0.5 * s; };
};

/// A tensor without dimensions.
Tensor scalar(int64_t value) {
  return Tensor(oracle::Shape{}, std::vector<double>{double(value)});
}
Tensor vectorOf(std::vector<double> values) {
  int64_t size = values.size();
  return Tensor({size}, std::move(values));
}

std::string getProgram(const Mask &mask, MaskOp form,
                       const std::string &scoring) {
  const std::string s3 = "tensor<?x?x?xf32>";
  std::string text = R"(
#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s4 = affine_map<(b, m, n, d) -> (b, m, n)>
#s = affine_map<(b, m, n) -> (b, m, n)>
#batch = affine_map<(b, m, n) -> (b)>
func.func @main(%Q: tensor<?x?x?xf32>, %K: tensor<?x?x?xf32>, %V: tensor<?x?x?xf32>)";
  text += mask.parameters + R"() -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %true = arith.constant true
  %lowest = arith.constant 0xFF800000 : f32
  %nb = tensor.dim %Q, %c0 : tensor<?x?x?xf32>
  %nq = tensor.dim %Q, %c1 : tensor<?x?x?xf32>
  %nk = tensor.dim %K, %c1 : tensor<?x?x?xf32>
  %ne = tensor.dim %V, %c2 : tensor<?x?x?xf32>
)" + mask.prologue +
          R"(
  %empty = tensor.empty(%nb, %nq, %nk) : tensor<?x?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %products = linalg.generic {indexing_maps = [#q, #k, #s4],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%Q, %K : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%zeros : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %0 = arith.mulf %a, %c : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
)";
  const std::string index = R"(
    %b = linalg.index 0 : index
    %q = linalg.index 1 : index
    %k = linalg.index 2 : index
)";
  auto comma = [](const std::string &text) {
    return text.empty() ? text : ", " + text;
  };
  auto generic = [&](const std::string &result, const std::string &in,
                     const std::string &inType, const std::string &inMap,
                     const std::string &inArgs, const std::string &out,
                     const std::string &outType, const std::string &body) {
    std::string type = "tensor<?x?x?x" + outType + ">";
    std::string ins = in.empty() ? "" : "ins(" + in + " : " + inType + ") ";
    text +=
        "  " + result + " = linalg.generic {indexing_maps = [" + inMap +
        (inMap.empty() ? "" : ", ") +
        "#s], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} " +
        ins + "outs(" + out + " : " + type + ") {\n  ^bb0(" + inArgs +
        (inArgs.empty() ? "" : ", ") + "%out: " + outType + "):" + index +
        body + "  } -> " + type + "\n";
  };
  const std::string extraType = mask.operandType;
  switch (form) {
  case MaskOp::Select:
    generic("%masked", "%products" + comma(mask.operand), s3 + comma(extraType),
            "#s" + comma(mask.operandMap), "%s: f32" + comma(mask.argument),
            "%empty", "f32",
            scoring + mask.condition +
                "%r = arith.select %visible, %score, %lowest : f32\n"
                "linalg.yield %r : f32\n");
    break;
  case MaskOp::SwappedSelect:
    generic("%masked", "%products" + comma(mask.operand), s3 + comma(extraType),
            "#s" + comma(mask.operandMap), "%s: f32" + comma(mask.argument),
            "%empty", "f32",
            scoring + mask.condition +
                "%hidden = arith.xori %visible, %true : i1\n"
                "%r = arith.select %hidden, %lowest, %score : f32\n"
                "linalg.yield %r : f32\n");
    break;
  case MaskOp::BooleanTensor:
    text += "  %mask_empty = tensor.empty(%nb, %nq, %nk) : tensor<?x?x?xi1>\n";
    generic("%mask", mask.operand, extraType, mask.operandMap, mask.argument,
            "%mask_empty", "i1",
            mask.condition + "linalg.yield %visible : i1\n");
    generic("%masked", "%products, %mask", s3 + ", tensor<?x?x?xi1>", "#s, #s",
            "%s: f32, %visible: i1", "%empty", "f32",
            scoring + "%r = arith.select %visible, %score, %lowest : f32\n"
                      "linalg.yield %r : f32\n");
    break;
  case MaskOp::FloatTensor:
    generic("%mask", mask.operand, extraType, mask.operandMap, mask.argument,
            "%empty", "f32",
            mask.condition +
                "%r = arith.select %visible, %zero, %lowest : f32\n"
                "linalg.yield %r : f32\n");
    generic("%masked", "%products, %mask", s3 + ", " + s3, "#s, #s",
            "%s: f32, %bias: f32", "%empty", "f32",
            scoring + "%r = arith.addf %score, %bias : f32\n"
                      "linalg.yield %r : f32\n");
    break;
  }
  text += R"(
  %weights = linalg.softmax dimension(2) ins(%masked : tensor<?x?x?xf32>) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %out_empty = tensor.empty(%nb, %nq, %ne) : tensor<?x?x?xf32>
  %out_zeros = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %result = linalg.batch_matmul ins(%weights, %V : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out_zeros : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %result : tensor<?x?x?xf32>
}
)";
  return text;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Counts, in `counters` (all, and those without a mask), the iterations of the
/// innermost loops in `block`; returns the counts at its end.
SmallVector<Value> countTrips(IRRewriter &rewriter, Block *block,
                              SmallVector<Value> counters) {
  SmallVector<scf::ForOp> loops(block->getOps<scf::ForOp>());
  for (scf::ForOp loop : loops) {
    auto counted = cast<scf::ForOp>(
        *cast<LoopLikeOpInterface>(*loop).replaceWithAdditionalYields(
            rewriter, counters, false,
            [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
              return SmallVector<Value>(args.begin(), args.end());
            }));
    Block *body = counted.getBody();
    unsigned first = counted->getNumResults() - 2;
    SmallVector<Value> inside(counted.getRegionIterArgs().drop_front(first));
    if (!body->getOps<scf::ForOp>().empty()) {
      inside = countTrips(rewriter, body, inside);
    } else {
      bool masked = false;
      // Integers that are compared with 0 are no mask of coordinates.
      counted.walk([&](arith::CmpIOp op) {
        masked |= op.getPredicate() != arith::CmpIPredicate::ne;
      });
      rewriter.setInsertionPoint(body->getTerminator());
      Value one = arith::ConstantIndexOp::create(rewriter, counted.getLoc(), 1);
      for (unsigned i = 0; i < (masked ? 1 : 2); ++i)
        inside[i] =
            arith::AddIOp::create(rewriter, counted.getLoc(), inside[i], one);
    }
    for (unsigned i : {0, 1})
      body->getTerminator()->setOperand(first + i, inside[i]);
    counters = SmallVector<Value>(counted->getResults().drop_front(first));
  }
  return counters;
}

/// Makes `func` return the counts, too, as a tensor of f32.
void countTrips(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  Location loc = func.getLoc();
  Block *body = &func.getBody().front();
  rewriter.setInsertionPointToStart(body);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  SmallVector<Value> counters = countTrips(rewriter, body, {zero, zero});
  rewriter.setInsertionPoint(body->getTerminator());
  Type i64 = rewriter.getI64Type(), f32 = rewriter.getF32Type();
  for (Value &counter : counters) {
    counter = arith::IndexCastOp::create(rewriter, loc, i64, counter);
    counter = arith::SIToFPOp::create(rewriter, loc, f32, counter);
  }
  Value counts = tensor::FromElementsOp::create(rewriter, loc, counters);
  body->getTerminator()->insertOperands(1, counts);
  func.setFunctionType(rewriter.getFunctionType(
      func.getArgumentTypes(), body->getTerminator()->getOperandTypes()));
}

/// Starts and sizes of the tiles that `sizes` cut a range into, level by level.
std::vector<std::pair<int64_t, int64_t>>
getTiles(int64_t size, const std::vector<int64_t> &sizes) {
  std::vector<std::pair<int64_t, int64_t>> tiles = {{0, size}};
  for (int64_t tile : sizes) {
    std::vector<std::pair<int64_t, int64_t>> smaller;
    for (auto [start, extent] : tiles)
      for (int64_t at = 0; at < extent; at += tile)
        smaller.emplace_back(start + at, std::min(tile, extent - at));
    tiles = smaller;
  }
  return tiles;
}

struct Counts {
  int64_t all = 0, full = 0;
};

/// Looks at every point of every tile.
Counts countTiles(const Problem &problem, const Predicate &visible) {
  Counts counts;
  for (int64_t b = 0; b < problem.batches; ++b)
    for (auto [q0, rows] : getTiles(problem.queries, problem.rowTiles)) {
      for (auto [k0, columns] : getTiles(problem.keys, problem.keyTiles)) {
        int64_t number = 0;
        for (int64_t q = q0; q < q0 + rows; ++q)
          for (int64_t k = k0; k < k0 + columns; ++k)
            number += visible(b, q, k);
        counts.all += number > 0;
        counts.full += number == rows * columns;
      }
    }
  return counts;
}

//===----------------------------------------------------------------------===//
// Fixture
//===----------------------------------------------------------------------===//

class MaskTest : public FusionTest {
protected:
  struct Outcome {
    bool ok = false;
    Tensor result;
    Counts counts;
  };

  static std::vector<Tensor> makeInputs(const Problem &p, const Mask &mask) {
    oracle::Random random(7);
    std::vector<Tensor> inputs = {
        oracle::random(random, {p.batches, p.queries, p.dim}, -2, 2,
                       DType::F32),
        oracle::random(random, {p.batches, p.keys, p.dim}, -2, 2, DType::F32),
        oracle::random(random, {p.batches, p.keys, p.columns}, -1, 1,
                       DType::F32)};
    inputs.insert(inputs.end(), mask.values.begin(), mask.values.end());
    return inputs;
  }

  /// Fuses, tightens, counts and runs.
  static Outcome run(const Problem &p, const Mask &mask,
                     const std::vector<Tensor> &inputs) {
    Outcome outcome;
    std::string program = getProgram(mask, p.form, p.scoring);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(program, context);
    if (!module) {
      ADD_FAILURE() << "cannot parse\n" << program;
      return outcome;
    }
    IRRewriter rewriter(context);
    raiseOnlineReductions(rewriter, *module);
    TileAndFuseOptions options;
    options.rootAttrName = "linalg_ext.root";
    options.normalization = p.normalization;
    auto addLevel = [&](ArrayRef<int64_t> sizes) {
      options.levels.emplace_back().tileSizes = llvm::to_vector(sizes);
    };
    addLevel({1, p.rowTiles[0]});
    for (int64_t tile : llvm::drop_begin(p.rowTiles))
      addLevel({0, tile});
    for (int64_t tile : p.keyTiles)
      addLevel({0, 0, 0, tile});
    EXPECT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
    TightenLoopBoundsOptions tighten;
    tighten.splitFullBlocks = p.split;
    tightenLoopBoundsBelow(rewriter, *module, tighten);
    EXPECT_TRUE(succeeded(verify(*module)));
    countTrips(module->lookupSymbol<func::FuncOp>("main"));
    EXPECT_TRUE(succeeded(verify(*module)));
    std::string fused = print(*module);
    EXPECT_TRUE(succeeded(decomposeLinalgExtOps(*module)));
    Execution execution = executor->run(*module, "main", inputs);
    if (!execution.ok()) {
      ADD_FAILURE() << execution.error << "\n" << fused;
      return outcome;
    }
    outcome.ok = true;
    outcome.result = execution.outputs[0];
    outcome.counts.all = execution.outputs[1].data[0];
    outcome.counts.full = execution.outputs[1].data[1];
    return outcome;
  }

  static Bounded evaluate(const Problem &p, const Mask &mask,
                          const std::vector<Tensor> &inputs) {
    int64_t steps = getTiles(p.keys, p.keyTiles).size();
    Bounded scores =
        oracle::contract("bmd,bnd->bmn", inputs[0], inputs[1], DType::F32);
    Tensor keep(scores.value.shape);
    const double u = oracle::getFormat(DType::F32).unitRoundoff;
    oracle::forEachIndex(keep.shape, [&](const oracle::Index &i) {
      keep.at(i) = mask.visible(i[0], i[1], i[2]);
      double value = p.meaning(scores.value.at(i), i[1], i[2]);
      // A few operations, none of which makes numbers larger than 64.
      scores.error.at(i) += 16 * u * 64;
      scores.value.at(i) = value;
    });
    scores = oracle::maskOut(scores, "bmn", keep, "bmn");
    Bounded weights = oracle::softmax(scores, 2, DType::F32, DType::F32, steps);
    return oracle::contract("bmn,bne->bme", weights, inputs[2], DType::F32,
                            steps);
  }

  /// Right, and no tile too many. `exactFull` is false where not all tiles that
  /// are wholly visible are found.
  static void expectRight(const Problem &p, const Mask &mask,
                          bool exactFull = true) {
    std::vector<Tensor> inputs = makeInputs(p, mask);
    Outcome outcome = run(p, mask, inputs);
    if (!outcome.ok)
      return;
    oracle::Comparison comparison =
        oracle::compare(outcome.result, evaluate(p, mask, inputs));
    EXPECT_TRUE(comparison.ok) << comparison.message;
    Counts want = countTiles(p, mask.known ? mask.known : mask.visible);
    EXPECT_EQ(outcome.counts.all, want.all);
    if (!p.split)
      EXPECT_EQ(outcome.counts.full, 0);
    else if (exactFull)
      EXPECT_EQ(outcome.counts.full, want.full);
    else
      EXPECT_LE(outcome.counts.full, want.full);
  }

  /// In every form, with tiles that divide and that do not, and single tiles.
  static void expectRightEverywhere(const Mask &mask, bool exactFull = true) {
    for (MaskOp form : kAllForms)
      for (auto [rows, keys] : std::vector<std::pair<int64_t, int64_t>>{
               {4, 5}, {13, 7}, {1, 3}, {5, 21}, {3, 1}}) {
        SCOPED_TRACE("form " + std::to_string(int(form)) + ", tiles of " +
                     std::to_string(rows) + " by " + std::to_string(keys));
        Problem problem;
        problem.form = form;
        problem.rowTiles = {rows};
        problem.keyTiles = {keys};
        expectRight(problem, mask, exactFull);
        if (::testing::Test::HasFailure())
          return;
      }
  }
};

/// Loads the scalar parameter %name as an index.
std::string load(const std::string &name) {
  return "  %" + name + "_i8 = tensor.extract %" + name +
         "_t[] : tensor<i8>\n" + "  %" + name + " = arith.index_cast %" + name +
         "_i8 : i8 to index\n";
}
std::string parameter(const std::string &name) {
  return ", %" + name + "_t: tensor<i8>";
}

Mask makeCausal() {
  Mask mask;
  mask.condition = "%visible = arith.cmpi sle, %k, %q : index\n";
  mask.visible = [](int64_t, int64_t q, int64_t k) { return k <= q; };
  return mask;
}

/// k <= q + offset: with a past, or with queries that see nothing.
Mask makeOffsetCausal(int64_t offset) {
  Mask mask;
  mask.parameters = parameter("offset");
  mask.values = {scalar(offset)};
  mask.prologue = load("offset");
  mask.condition = "%last = arith.addi %q, %offset : index\n"
                   "%visible = arith.cmpi sle, %k, %last : index\n";
  mask.visible = [=](int64_t, int64_t q, int64_t k) { return k <= q + offset; };
  return mask;
}

Mask makePrefixCausal(int64_t prefix) {
  Mask mask;
  mask.parameters = parameter("prefix");
  mask.values = {scalar(prefix)};
  mask.prologue = load("prefix");
  mask.condition = "%causal = arith.cmpi sle, %k, %q : index\n"
                   "%isPrefix = arith.cmpi slt, %k, %prefix : index\n"
                   "%visible = arith.ori %causal, %isPrefix : i1\n";
  mask.visible = [=](int64_t, int64_t q, int64_t k) {
    return k <= q || k < prefix;
  };
  return mask;
}

Mask makeWindow(int64_t width) {
  Mask mask;
  mask.parameters = parameter("width");
  mask.values = {scalar(width)};
  mask.prologue = load("width");
  mask.condition = "%causal = arith.cmpi sle, %k, %q : index\n"
                   "%before = arith.subi %q, %width : index\n"
                   "%near = arith.cmpi sgt, %k, %before : index\n"
                   "%visible = arith.andi %causal, %near : i1\n";
  mask.visible = [=](int64_t, int64_t q, int64_t k) {
    return k <= q && k > q - width;
  };
  return mask;
}
} // namespace

//===----------------------------------------------------------------------===//
// Kinds of masks
//===----------------------------------------------------------------------===//

TEST_F(MaskTest, Causal) { expectRightEverywhere(makeCausal()); }

TEST_F(MaskTest, CausalWithAPast) {
  for (int64_t offset : {3, 8, 25}) {
    SCOPED_TRACE(offset);
    expectRightEverywhere(makeOffsetCausal(offset));
  }
}

TEST_F(MaskTest, CausalWithRowsThatSeeNothing) {
  for (int64_t offset : {-1, -6, -13, -40}) {
    SCOPED_TRACE(offset);
    expectRightEverywhere(makeOffsetCausal(offset));
  }
}

TEST_F(MaskTest, PrefixCausal) {
  for (int64_t prefix : {0, 1, 9, 21, 30}) {
    SCOPED_TRACE(prefix);
    // A tile in which some keys are visible as a prefix and the others because
    // they are not later is not seen to be wholly visible.
    expectRightEverywhere(makePrefixCausal(prefix), /*exactFull=*/false);
  }
}

TEST_F(MaskTest, SlidingWindow) {
  for (int64_t width : {1, 4, 11, 40}) {
    SCOPED_TRACE(width);
    expectRightEverywhere(makeWindow(width));
  }
}

TEST_F(MaskTest, SlidingWindowByUnsignedComparison) {
  for (int64_t width : {1, 6, 30}) {
    SCOPED_TRACE(width);
    Mask mask = makeWindow(width);
    mask.condition = "%distance = arith.subi %q, %k : index\n"
                     "%visible = arith.cmpi ult, %distance, %width : index\n";
    expectRightEverywhere(mask);
  }
}

TEST_F(MaskTest, LengthLoadedInTheBody) {
  std::vector<std::pair<std::string, std::vector<double>>> cases = {
      {"i8", {21, 10}}, {"i32", {0, 5}}, {"i64", {1, 20}}};
  for (auto &[type, lengths] : cases) {
    SCOPED_TRACE(type);
    Mask mask;
    mask.parameters = ", %lengths: tensor<?x" + type + ">";
    mask.condition =
        "%given = tensor.extract %lengths[%b] : tensor<?x" + type +
        ">\n%length = arith.index_cast %given : " + type +
        " to index\n%visible = arith.cmpi slt, %k, %length : index\n";
    mask.values = {vectorOf(lengths)};
    mask.visible = [lengths = lengths](int64_t b, int64_t, int64_t k) {
      return k < lengths[b];
    };
    expectRightEverywhere(mask);
  }
}

TEST_F(MaskTest, LengthsAsAnOperand) {
  // In the integers that importers give them in, compared as i64 or, where
  // that is their type, as i32.
  for (std::string type : {"i8", "i32", "i64"}) {
    SCOPED_TRACE(type);
    std::string wide = type == "i32" ? "i32" : "i64";
    Mask mask;
    mask.parameters = ", %lengths: tensor<?x" + type + ">";
    mask.operand = "%lengths";
    mask.operandType = "tensor<?x" + type + ">";
    mask.operandMap = "#batch";
    mask.argument = "%given: " + type;
    mask.condition =
        (type == "i8" ? "%length = arith.extsi %given : i8 to i64\n" : "") +
        std::string("%kw = arith.index_cast %k : index to ") + wide +
        "\n%visible = arith.cmpi ult, %kw, " +
        (type == "i8" ? "%length" : "%given") + " : " + wide + "\n";
    std::vector<double> lengths = {17, 0};
    mask.values = {vectorOf(lengths)};
    mask.visible = [=](int64_t b, int64_t, int64_t k) {
      return k < lengths[b];
    };
    expectRightEverywhere(mask);
  }
}

TEST_F(MaskTest, ConjunctionWithAnIntegerMask) {
  // A padding mask of integers is none of coordinates; the causal one is used.
  for (std::string type : {"i8", "i32", "i64"}) {
    SCOPED_TRACE(type);
    Mask mask = makeCausal();
    oracle::Random random(3);
    Tensor keep({2, 13, 21});
    for (double &value : keep.data)
      value = random.chance(0.7);
    mask.parameters = ", %keep: tensor<?x?x?x" + type + ">";
    mask.values = {keep};
    mask.operand = "%keep";
    mask.operandType = "tensor<?x?x?x" + type + ">";
    mask.operandMap = "#s";
    mask.argument = "%given: " + type;
    mask.condition = "%none = arith.constant 0 : " + type +
                     "\n%kept = arith.cmpi ne, %given, %none : " + type +
                     "\n%causal = arith.cmpi sle, %k, %q : index\n"
                     "%visible = arith.andi %kept, %causal : i1\n";
    mask.known = mask.visible;
    mask.visible = [=](int64_t b, int64_t q, int64_t k) {
      return k <= q && keep.at({b, q, k}) != 0;
    };
    expectRightEverywhere(mask);
  }
}

TEST_F(MaskTest, RaggedQueriesAndKeysCausalFromTheEnd) {
  // Both lengths differ by batch, and the last queries are aligned with the
  // last keys: k < kl and q < ql and k <= q + kl - ql.
  Mask mask;
  mask.parameters = ", %ql_t: tensor<?xi8>, %kl_t: tensor<?xi8>";
  mask.condition = R"(
    %ql_8 = tensor.extract %ql_t[%b] : tensor<?xi8>
    %kl_8 = tensor.extract %kl_t[%b] : tensor<?xi8>
    %ql = arith.index_cast %ql_8 : i8 to index
    %kl = arith.index_cast %kl_8 : i8 to index
    %isKey = arith.cmpi slt, %k, %kl : index
    %isQuery = arith.cmpi sgt, %ql, %q : index
    %past = arith.subi %kl, %ql : index
    %last = arith.addi %q, %past : index
    %causal = arith.cmpi sge, %last, %k : index
    %both = arith.andi %isKey, %isQuery : i1
    %visible = arith.andi %both, %causal : i1
)";
  for (auto [ql, kl] :
       std::vector<std::pair<std::vector<double>, std::vector<double>>>{
           {{13, 5}, {21, 9}}, {{7, 0}, {7, 21}}, {{12, 13}, {3, 0}}}) {
    mask.values = {vectorOf(ql), vectorOf(kl)};
    mask.visible = [ql = ql, kl = kl](int64_t b, int64_t q, int64_t k) {
      return k < kl[b] && q < ql[b] && k <= q + kl[b] - ql[b];
    };
    expectRightEverywhere(mask);
  }
}

TEST_F(MaskTest, ConjunctionWithAnArbitraryMask) {
  // What is affine is used; the rest is still applied.
  Mask mask = makeCausal();
  oracle::Random random(3);
  Tensor keep({2, 13, 21});
  for (double &value : keep.data)
    value = random.chance(0.7);
  mask.parameters = ", %keep: tensor<?x?x?xi1>";
  mask.values = {keep};
  mask.operand = "%keep";
  mask.operandType = "tensor<?x?x?xi1>";
  mask.operandMap = "#s";
  mask.argument = "%kept: i1";
  mask.condition = "%causal = arith.cmpi sle, %k, %q : index\n"
                   "%visible = arith.andi %kept, %causal : i1\n";
  mask.known = mask.visible;
  mask.visible = [=](int64_t b, int64_t q, int64_t k) {
    return k <= q && keep.at({b, q, k}) != 0;
  };
  // The select on the arbitrary mask stays where the comparison is gone.
  expectRightEverywhere(mask);
}

TEST_F(MaskTest, WindowAndSink) {
  // The tiles between the sink and the window are not visited.
  Mask mask = makeWindow(4);
  mask.condition = "%before = arith.subi %q, %width : index\n"
                   "%near = arith.cmpi sgt, %k, %before : index\n"
                   "%causal = arith.cmpi sle, %k, %q : index\n"
                   "%window = arith.andi %causal, %near : i1\n"
                   "%isSink = arith.cmpi slt, %k, %c2 : index\n"
                   "%seen = arith.ori %window, %isSink : i1\n"
                   "%again = arith.cmpi sle, %k, %q : index\n"
                   "%visible = arith.andi %seen, %again : i1\n";
  mask.visible = [](int64_t, int64_t q, int64_t k) {
    return k <= q && (k > q - 4 || k < 2);
  };
  expectRightEverywhere(mask, /*exactFull=*/false);
}

TEST_F(MaskTest, NarrowIntegers) {
  Mask mask = makeOffsetCausal(2);
  mask.condition = "%k32 = arith.index_cast %k : index to i32\n"
                   "%q32 = arith.index_cast %q : index to i32\n"
                   "%o32 = arith.extsi %offset_i8 : i8 to i32\n"
                   "%last = arith.addi %o32, %q32 : i32\n"
                   "%later = arith.cmpi sgt, %k32, %last : i32\n"
                   "%visible = arith.xori %later, %true : i1\n";
  expectRightEverywhere(mask);
}

TEST_F(MaskTest, AlibiAndSoftcapUnderACausalMask) {
  Problem problem;
  problem.scoring = R"(
    %distance = arith.subi %k, %q : index
    %distance64 = arith.index_cast %distance : index to i64
    %far = arith.sitofp %distance64 : i64 to f32
    %alibi = arith.mulf %far, %half : f32
    %capped = math.tanh %s : f32
    %score = arith.addf %capped, %alibi : f32
)";
  problem.meaning = [](double s, int64_t q, int64_t k) {
    return std::tanh(s) + 0.5 * (k - q);
  };
  for (MaskOp form : kAllForms)
    for (NormalizationForm normalization :
         {NormalizationForm::Eager, NormalizationForm::Delayed}) {
      problem.form = form;
      problem.normalization = normalization;
      expectRight(problem, makeCausal());
      expectRight(problem, makeOffsetCausal(-4));
    }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST_F(MaskTest, EveryNumberOfLevels) {
  for (const Mask &mask : {makeOffsetCausal(3), makeWindow(5)})
    for (auto [rows, keys] :
         std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>>{
             {{4}, {10, 5}}, {{4}, {8, 3}}, {{6, 4}, {9, 4}}}) {
      Problem problem;
      problem.rowTiles = rows;
      problem.keyTiles = keys;
      SCOPED_TRACE(mask.condition + std::to_string(rows[0]) + " " +
                   std::to_string(keys[0]) + " " + std::to_string(keys[1]));
      // An outer tile that is wholly visible has no mask in its inner loop; of
      // the others the inner tiles are looked at again.
      expectRight(problem, mask);
    }
}

TEST_F(MaskTest, EagerAndUnsplit) {
  for (const Mask &mask : {makeOffsetCausal(-2), makeWindow(5)})
    for (NormalizationForm form :
         {NormalizationForm::Eager, NormalizationForm::Delayed})
      for (bool split : {false, true}) {
        Problem problem;
        problem.normalization = form;
        problem.split = split;
        expectRight(problem, mask);
      }
}

TEST_F(MaskTest, NothingIsReadInHiddenTiles) {
  // A tile that were visited would turn the result into NaN: 0 * NaN.
  Problem problem;
  problem.queries = 10;
  problem.rowTiles = {5};
  problem.keyTiles = {5};
  Mask mask = makeCausal();
  std::vector<Tensor> inputs = makeInputs(problem, mask);
  Bounded want = evaluate(problem, mask, inputs);
  for (int64_t input : {1, 2})
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t k = 10; k < 21; ++k)
        inputs[input].at({b, k, 0}) = std::numeric_limits<double>::quiet_NaN();
  Outcome outcome = run(problem, mask, inputs);
  ASSERT_TRUE(outcome.ok);
  EXPECT_TRUE(oracle::compare(outcome.result, want).ok);
}

TEST_F(MaskTest, FiniteMasksHideNothing) {
  // A row that is masked by a finite number has a softmax like any other.
  Problem problem;
  Mask mask = makeCausal();
  std::string program = getProgram(mask, MaskOp::Select, problem.scoring);
  size_t at = program.find("0xFF800000");
  program.replace(at, 10, "-1.0e+30");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, context);
  ASSERT_TRUE(module);
  IRRewriter rewriter(context);
  raiseOnlineReductions(rewriter, *module);
  TileAndFuseOptions options;
  options.rootAttrName = "linalg_ext.root";
  options.levels.resize(2);
  options.levels[0].tileSizes = {1, 4};
  options.levels[1].tileSizes = {0, 0, 0, 5};
  ASSERT_TRUE(succeeded(tileAndFuseRoots(rewriter, *module, options)));
  std::string before = print(*module);
  tightenLoopBoundsBelow(rewriter, *module, {});
  EXPECT_EQ(print(*module), before);
}
