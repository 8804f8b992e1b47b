//===- SiblingsTest.cpp - Several accumulations in one loop ---------------===//
//
// What accumulates the tiles of an online reduction beside the root is
// accumulated in its loops, with repairs of its own, or stays apart with a
// reason. Programs are written here by letters: b and m are kept, n is reduced
// online, d is reduced before it, e and f are columns of values.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

static constexpr double kInf = std::numeric_limits<double>::infinity();

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

namespace {
/// Writes a function `main` whose values are tensors named by letters.
class Program {
public:
  std::string type = "f64";
  std::map<char, int64_t> sizes = {{'b', 2}, {'m', 7}, {'n', 10},
                                   {'d', 4}, {'e', 5}, {'f', 3}};
  /// Letters whose sizes only the arguments know.
  std::string dynamic;

  void argument(const std::string &name, const std::string &letters) {
    letters_[name] = letters;
    arguments.push_back(name);
  }
  /// `name` = `init` + lhs * rhs, summed along what the result lacks. Without
  /// `init` from 0.
  void einsum(const std::string &name, const std::string &spec,
              const std::string &lhs, const std::string &rhs,
              const std::string &attrs = "", std::string init = "") {
    std::string out = spec.substr(spec.find('>') + 1);
    if (init.empty())
      init = fill(name, out, "0.0");
    generic(
        name, out, {lhs, rhs},
        "%mul = arith.mulf %a0, %a1 : T\n %r = arith.addf %c, %mul : T",
        spec.substr(0, spec.find(',')) + spec.substr(spec.find(',') + 1), attrs,
        init,
        {spec.substr(0, spec.find(',')),
         spec.substr(spec.find(',') + 1, spec.find('-') - spec.find(',') - 1)});
  }
  /// Accumulates `in` along what `out` lacks.
  void reduce(const std::string &name, const std::string &out,
              const std::string &in, const std::string &op = "addf",
              const std::string &neutral = "0.0") {
    generic(name, out, {in}, "%r = arith." + op + " %c, %a0 : T",
            letters_.at(in), "", fill(name, out, neutral));
  }
  /// Accumulates what `payload` makes of `ins` and %c along `others`.
  void accumulate(const std::string &name, const std::string &out,
                  std::vector<std::string> ins, const std::string &others,
                  const std::string &payload, const std::string &attrs) {
    generic(name, out, ins, payload, others, attrs, fill(name, out, "0.0"));
  }
  /// Computes `out` elementwise from `ins` (%a0, %a1 ...).
  void map(const std::string &name, const std::string &out,
           std::vector<std::string> ins, const std::string &payload) {
    generic(name, out, ins, payload, "", "", empty(name, out));
  }
  void softmax(const std::string &name, const std::string &in) {
    std::string letters = letters_.at(in), out = empty(name, letters);
    letters_[name] = letters;
    body += "  %" + name + " = linalg.softmax dimension(" +
            std::to_string(letters.find('n')) + ") ins(%" + in + " : " +
            typeOf(letters) + ") outs(%" + out + " : " + typeOf(letters) +
            ") -> " + typeOf(letters) + "\n";
  }
  /// Ops that are written out, and the letters of what they define.
  void raw(const std::string &text) { body += text; }
  void name(const std::string &name, const std::string &letters) {
    letters_[name] = letters;
  }

  std::string typeOf(const std::string &letters) const {
    std::string text = "tensor<";
    for (char c : letters)
      text +=
          (dynamic.find(c) == std::string::npos ? std::to_string(sizes.at(c))
                                                : "?") +
          std::string("x");
    return text + type + ">";
  }
  std::string finish(const std::vector<std::string> &results) const {
    std::string text = "func.func @main(", prologue, names, types;
    for (const std::string &name : arguments)
      text += (name == arguments.front() ? "%" : ", %") + name + ": " +
              typeOf(letters_.at(name));
    for (char c : dynamic)
      for (const std::string &name : arguments) {
        size_t at = letters_.at(name).find(c);
        if (at == std::string::npos)
          continue;
        prologue += std::string("  %i") + c + " = arith.constant " +
                    std::to_string(at) + " : index\n  %size_" + c +
                    " = tensor.dim %" + name + ", %i" + c + " : " +
                    typeOf(letters_.at(name)) + "\n";
        break;
      }
    for (const std::string &name : results) {
      names += (names.empty() ? "%" : ", %") + name;
      types += (types.empty() ? "" : ", ") + typeOf(letters_.at(name));
    }
    return text + ") -> (" + types + ") {\n" + prologue + body + "  return " +
           names + " : " + types + "\n}";
  }

private:
  std::string empty(const std::string &name, const std::string &letters) {
    body += "  %" + name + "_e = tensor.empty(";
    bool first = true;
    for (char c : letters)
      if (dynamic.find(c) != std::string::npos) {
        body += (first ? "%size_" : ", %size_") + std::string(1, c);
        first = false;
      }
    body += ") : " + typeOf(letters) + "\n";
    return name + "_e";
  }
  std::string fill(const std::string &name, const std::string &letters,
                   const std::string &value) {
    empty(name, letters);
    body += "  %" + name + "_c = arith.constant " + value + " : " + type +
            "\n  %" + name + "_0 = linalg.fill ins(%" + name + "_c : " + type +
            ") outs(%" + name + "_e : " + typeOf(letters) + ") -> " +
            typeOf(letters) + "\n";
    letters_[name + "_0"] = letters;
    return name + "_0";
  }
  /// The iteration domain has the letters of the result, then those of
  /// `others`, where what is no letter of a size does not count.
  void generic(const std::string &name, const std::string &out,
               const std::vector<std::string> &ins, std::string payload,
               const std::string &others, const std::string &attrs,
               const std::string &init,
               std::vector<std::string> inLetters = {}) {
    std::string domain = out;
    for (char c : others)
      if (sizes.count(c) && domain.find(c) == std::string::npos)
        domain += c;
    auto list = [](const std::string &letters) {
      std::string text;
      for (char c : letters)
        text += (text.empty() ? "" : ", ") + std::string(1, c);
      return text;
    };
    std::string maps, iterators, operands, types, args;
    for (size_t i = 0; i < ins.size(); ++i) {
      if (inLetters.size() <= i)
        inLetters.push_back(letters_.at(ins[i]));
      maps += "affine_map<(" + list(domain) + ") -> (" + list(inLetters[i]) +
              ")>, ";
      operands += (i ? ", %" : "%") + ins[i];
      types += (i ? ", " : "") + typeOf(letters_.at(ins[i]));
      args += "%a" + std::to_string(i) + ": " + type + ", ";
    }
    for (char c : domain)
      iterators +=
          (iterators.empty() ? "" : ", ") +
          std::string(out.find(c) == std::string::npos ? "\"reduction\""
                                                       : "\"parallel\"");
    for (size_t at; (at = payload.find(": T")) != std::string::npos;)
      payload.replace(at, 3, ": " + type);
    letters_[name] = out;
    body += "  %" + name + " = linalg.generic {indexing_maps = [" + maps +
            "affine_map<(" + list(domain) + ") -> (" + list(out) +
            ")>], iterator_types = [" + iterators + "]" + "} ins(" + operands +
            " : " + types + ") outs(%" + init + " : " + typeOf(out) + ")" +
            (attrs.empty() ? "" : " attrs = {" + attrs + "}") + " {\n  ^bb0(" +
            args + "%c: " + type + "):\n " + payload +
            "\n linalg.yield %r : " + type + "\n  } -> " + typeOf(out) + "\n";
  }

  std::string body;
  std::map<std::string, std::string> letters_;
  std::vector<std::string> arguments;
};

class SiblingsTest : public FusionTest {
protected:
  static constexpr const char *kRoot = "linalg_ext.root";

  /// The arguments of `makeProgram` and what is right, by name.
  struct Data {
    std::vector<Tensor> inputs;
    std::map<std::string, Tensor> want;
  };

  /// p = softmax(q k^T), of which "o" is the root.
  static Program makeProgram(const std::string &dynamic = "",
                             const std::string &type = "f64") {
    Program program;
    program.dynamic = dynamic;
    program.type = type;
    program.argument("q", "bmd");
    program.argument("k", "bnd");
    program.argument("v", "bne");
    program.argument("w", "bnf");
    program.einsum("x", "bmd,bnd->bmn", "q", "k");
    program.softmax("p", "x");
    return program;
  }
  static void addRoot(Program &program) {
    program.einsum("o", "bmn,bne->bme", "p", "v", kRoot);
  }
  static Data makeData(DType type = DType::F64, double range = 1.0,
                       uint64_t seed = 1) {
    Program sizes;
    oracle::Random random(seed);
    auto draw = [&](const std::string &letters) {
      oracle::Shape shape;
      for (char c : letters)
        shape.push_back(sizes.sizes.at(c));
      return oracle::random(random, shape, -range, range, type);
    };
    Data data;
    data.inputs = {draw("bmd"), draw("bnd"), draw("bne"), draw("bnf")};
    setWant(data);
    return data;
  }
  static void setWant(Data &data) {
    Tensor x = oracle::contract("bmd,bnd->bmn", data.inputs[0], data.inputs[1]);
    oracle::SoftmaxResult softmax = oracle::softmax(x, 2);
    Tensor p = softmax.result;
    data.want["x"] = x;
    data.want["p"] = p;
    data.want["m"] = softmax.max;
    data.want["l"] = softmax.sum;
    data.want["o"] = oracle::contract("bmn,bne->bme", p, data.inputs[2]);
    data.want["t"] = oracle::contract("bmn,bnf->bfm", p, data.inputs[3]);
    data.want["rows"] = oracle::reduceSum(p, 2);
    data.want["top"] = oracle::reduceMax(p, 2);
  }

  static OwningOpRef<ModuleOp> parse(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    EXPECT_TRUE(module) << text;
    return module;
  }
  static Levels parseLevels(const std::string &text) {
    Levels levels;
    std::string error;
    EXPECT_TRUE(succeeded(parseTilingLevels(text, levels, error))) << error;
    return levels;
  }
  static Operation *prepare(ModuleOp module, bool raises = true) {
    IRRewriter rewriter(context);
    if (raises)
      raiseOnlineReductions(rewriter, module);
    SmallVector<Operation *> roots = findFusionRoots(module, kRoot);
    EXPECT_TRUE(!roots.empty());
    return roots.front();
  }

  struct Expected {
    size_t siblings = 1, softmaxes = 1;
    double error = 1e-9;
    bool raises = true;
    std::optional<double> threshold = std::nullopt;
    bool fuseConsumers = false;
  };
  /// Fuses and runs, in both forms; the results are those of `data`.
  static void expectRight(const Program &program,
                          const std::vector<std::string> &results,
                          const std::string &levels, const Data &data,
                          const Expected &expected) {
    SCOPED_TRACE(levels);
    for (Form form : {Form::Eager, Form::Delayed}) {
      if (expected.threshold && form == Form::Eager)
        continue;
      OwningOpRef<ModuleOp> module = parse(program.finish(results));
      if (!module)
        return;
      Operation *root = prepare(*module, expected.raises);
      TileAndFuseOptions options = makeOptions(parseLevels(levels), form);
      options.rescaleThreshold = expected.threshold;
      options.fuseConsumers = expected.fuseConsumers;
      std::vector<Bounded> want;
      for (const std::string &name : results)
        want.push_back(
            Bounded(data.want.at(name),
                    Tensor(data.want.at(name).shape, expected.error)));
      Refusal refusal;
      FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
      ASSERT_TRUE(succeeded(plan)) << refusal.text;
      EXPECT_EQ(
          llvm::count_if(plan->siblings,
                         [](const PlannedSibling &s) { return s.isFused(); }),
          expected.siblings)
          << describe(*plan);
      FusionOutcome outcome = fuseAndRun(
          *module, root, options, data.inputs, [&] { return want; }, *executor);
      EXPECT_TRUE(outcome.isRight())
          << getName(outcome.stage) << ": " << outcome.reason << outcome.plan
          << outcome.fused;
      // Nothing is computed in front of the loops or again.
      std::string name = "linalg_ext.softmax ";
      size_t count = 0;
      for (size_t at = 0;
           (at = outcome.fused.find(name, at)) != std::string::npos; ++at)
        ++count;
      EXPECT_EQ(count, expected.softmaxes) << outcome.fused;
    }
  }
  static std::string describe(const FusionPlan &plan) {
    std::string text;
    llvm::raw_string_ostream os(text);
    plan.print(os);
    return text;
  }
  /// Why the sibling stays apart, of which there is one.
  static Refusal getRefusal(const Program &program,
                            const std::vector<std::string> &results,
                            const std::string &levels) {
    OwningOpRef<ModuleOp> module = parse(program.finish(results));
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(
        prepare(*module), makeOptions(parseLevels(levels)), refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    if (failed(plan))
      return {};
    plan = dryRunFusionPlan(*plan, refusal);
    EXPECT_TRUE(succeeded(plan)) << refusal.text;
    if (failed(plan))
      return {};
    for (const PlannedSibling &sibling : plan->siblings)
      if (!sibling.isFused())
        return sibling.refusal;
    return {};
  }
  static std::string getReason(const Program &program,
                               const std::vector<std::string> &results,
                               const std::string &levels) {
    return getRefusal(program, results, levels).text;
  }
};

const char *const kLevels[] = {
    "for(0, 0, 0, 4)",
    "forall(1, 3) for(0, 0, 0, 4)",
    "for(0, 3) for(0, 0, 0, 4)",
    "forall(1, 2) for(0, 0, 0, 6) for(0, 0, 0, 4)",
    "for(0, 0, 0, 3) for(0, 2)",
    "split(0, 0, 0, 4)",
    "forall(1, 3) split(0, 0, 0, 6) for(0, 0, 0, 4)",
};
} // namespace

//===----------------------------------------------------------------------===//
// In one loop
//===----------------------------------------------------------------------===//

TEST_F(SiblingsTest, TwoProducts) {
  for (const char *dynamic : {"", "n", "mn", "bmndef"}) {
    SCOPED_TRACE(dynamic);
    Program program = makeProgram(dynamic);
    addRoot(program);
    program.einsum("t", "bmn,bnf->bfm", "p", "w");
    for (const char *levels : kLevels)
      expectRight(program, {"o", "t"}, levels, makeData(), {});
  }
}

TEST_F(SiblingsTest, NoneIsMarked) {
  // The first that has the most loops is the root; the others are beside it.
  for (const char *dynamic : {"", "mn"}) {
    SCOPED_TRACE(dynamic);
    Program program = makeProgram(dynamic);
    program.reduce("rows", "bm", "p");
    program.einsum("o", "bmn,bne->bme", "p", "v");
    program.einsum("t", "bmn,bnf->bfm", "p", "w");
    OwningOpRef<ModuleOp> module = parse(program.finish({"rows", "o", "t"}));
    ASSERT_TRUE(module);
    IRRewriter rewriter(context);
    raiseOnlineReductions(rewriter, *module);
    SmallVector<Operation *> others;
    SmallVector<Operation *> roots = findFusionRoots(*module, kRoot, &others);
    ASSERT_EQ(roots.size(), 1u);
    ASSERT_EQ(others.size(), 2u);
    for (Operation *other : others)
      EXPECT_NE(other, roots.front());
    EXPECT_EQ(
        cast<TilingInterface>(roots.front()).getLoopIteratorTypes().size(), 4u);
    EXPECT_TRUE(roots.front()->isBeforeInBlock(others.back()));

    Expected expected;
    expected.siblings = 2;
    for (const char *levels : kLevels)
      expectRight(program, {"rows", "o", "t"}, levels, makeData(), expected);
  }
}

TEST_F(SiblingsTest, WhatOthersDependOnIsNoRoot) {
  // What the second product is of depends on the sum.
  Program program = makeProgram();
  program.reduce("rows", "bm", "p");
  program.map("scaled", "bmn", {"p", "rows"}, "%r = arith.mulf %a0, %a1 : T");
  program.einsum("o", "bmn,bne->bme", "scaled", "v");
  OwningOpRef<ModuleOp> module = parse(program.finish({"o"}));
  ASSERT_TRUE(module);
  IRRewriter rewriter(context);
  raiseOnlineReductions(rewriter, *module);
  SmallVector<Operation *> others;
  SmallVector<Operation *> roots = findFusionRoots(*module, kRoot, &others);
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_TRUE(others.empty());
  EXPECT_EQ(cast<TilingInterface>(roots.front()).getLoopIteratorTypes().size(),
            4u);
}

TEST_F(SiblingsTest, TheSiblingComesFirst) {
  Program program = makeProgram("mn");
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  program.map("u", "bfm", {"t"}, "%r = arith.addf %a0, %a0 : T");
  addRoot(program);
  Data data = makeData();
  data.want["u"] = oracle::map(data.want["t"], [](double x) { return 2 * x; });
  for (const char *levels : kLevels)
    expectRight(program, {"o", "t", "u"}, levels, data, {});
}

TEST_F(SiblingsTest, UsersBetweenAndBehind) {
  Program program = makeProgram("n");
  addRoot(program);
  program.map("twice", "bme", {"o"}, "%r = arith.addf %a0, %a0 : T");
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  program.map("u", "bfm", {"t"}, "%r = arith.addf %a0, %a0 : T");
  Data data = makeData();
  auto twice = [](double x) { return 2 * x; };
  data.want["twice"] = oracle::map(data.want["o"], twice);
  data.want["u"] = oracle::map(data.want["t"], twice);
  for (bool fuseConsumers : {false, true})
    for (const char *levels : kLevels) {
      Expected expected;
      expected.fuseConsumers = fuseConsumers;
      expectRight(program, {"twice", "u"}, levels, data, expected);
    }
}

TEST_F(SiblingsTest, RowsAndTheirLargest) {
  Program program = makeProgram("m");
  program.reduce("rows", "bm", "p");
  addRoot(program);
  program.reduce("top", "bm", "p", "maximumf", "0xFFF0000000000000");
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  Expected expected;
  expected.siblings = 3;
  for (const char *levels : kLevels)
    expectRight(program, {"rows", "o", "top", "t"}, levels, makeData(),
                expected);
}

/// Through an op of its own, and with values that are computed.
TEST_F(SiblingsTest, ProducersOfTheSibling) {
  Program program = makeProgram("n");
  addRoot(program);
  program.map(
      "h", "bmn", {"p"},
      "%half = arith.constant 0.5 : T\n %r = arith.mulf %a0, %half : T");
  program.map("w2", "bnf", {"w"}, "%r = arith.addf %a0, %a0 : T");
  program.einsum("t", "bmn,bnf->bfm", "h", "w2");
  for (const char *levels : kLevels)
    expectRight(program, {"o", "t"}, levels, makeData(), {});
}

/// The weights themselves are needed too: they are computed apart, whole.
TEST_F(SiblingsTest, WeightsThatAreReturned) {
  Program program = makeProgram();
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  Expected expected;
  expected.softmaxes = 2;
  expectRight(program, {"o", "t", "p"}, "for(0, 3) for(0, 0, 0, 4)", makeData(),
              expected);
}

/// What is accumulated on is not 0.
TEST_F(SiblingsTest, InitsThatAreGiven) {
  Program program = makeProgram("m");
  program.argument("i", "bfm");
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w", "", "i");
  Data data = makeData();
  oracle::Random random(3);
  data.inputs.push_back(
      oracle::random(random, data.want["t"].shape, -1, 1, DType::F64));
  for (int64_t i = 0; i < data.inputs.back().size(); ++i)
    data.want["t"].data[i] += data.inputs.back().data[i];
  for (const char *levels : kLevels)
    expectRight(program, {"o", "t"}, levels, data, {});
}

TEST_F(SiblingsTest, NarrowTypes) {
  for (const char *dynamic : {"", "mn"}) {
    Program program = makeProgram(dynamic, "f16");
    addRoot(program);
    program.einsum("t", "bmn,bnf->bfm", "p", "w");
    Expected expected;
    expected.error = 1e-2;
    for (const char *levels : kLevels)
      expectRight(program, {"o", "t"}, levels, makeData(DType::F16), expected);
  }
}

/// One row of each batch, and the first keys of all rows, are masked by -inf.
/// Maxima rise from tile to tile.
TEST_F(SiblingsTest, MaskedRows) {
  Program program;
  program.dynamic = "n";
  for (auto [name, letters] :
       {std::pair("x", "bmn"), std::pair("v", "bne"), std::pair("w", "bnf")})
    program.argument(name, letters);
  program.softmax("p", "x");
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  program.reduce("rows", "bm", "p");
  Data data = makeData();
  Tensor x = data.want["x"];
  oracle::forEachIndex(x.shape, [&](const oracle::Index &at) {
    x.at(at) += 40.0 * static_cast<double>(at[2]);
    if (at[1] == 3 || at[2] < 5)
      x.at(at) = -kInf;
  });
  Tensor p = oracle::softmax(x, 2).result;
  data.want["o"] = oracle::contract("bmn,bne->bme", p, data.inputs[2]);
  data.want["t"] = oracle::contract("bmn,bnf->bfm", p, data.inputs[3]);
  data.want["rows"] = oracle::reduceSum(p, 2);
  data.inputs = {x, data.inputs[2], data.inputs[3]};
  Expected expected;
  expected.siblings = 2;
  for (const char *levels : kLevels)
    expectRight(program, {"o", "t", "rows"}, levels, data, expected);
}

TEST_F(SiblingsTest, StatesThatAreHeld) {
  Program program = makeProgram("n");
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  program.reduce("top", "bm", "p", "maximumf", "0xFFF0000000000000");
  for (double threshold : {0.0, 2.0, 8.0}) {
    Expected expected;
    expected.siblings = 2;
    expected.threshold = threshold;
    expected.error = 1e-7;
    expectRight(program, {"o", "t", "top"}, "forall(1, 3) for(0, 0, 0, 4)",
                makeData(DType::F64, 3.0), expected);
  }
}

/// exp(x - max), its sum, and both products with it, written out: the sum is
/// not needed in the loops.
TEST_F(SiblingsTest, ChainOfUpstreamOps) {
  for (bool divides : {false, true}) {
    Program program = makeProgram("mn");
    program.reduce("m", "bm", "x", "maximumf", "0xFFF0000000000000");
    program.map("y", "bmn", {"x", "m"},
                "%sub = arith.subf %a0, %a1 : T\n %r = math.exp %sub : T");
    program.reduce("l", "bm", "y");
    std::string weights = "y";
    if (divides) {
      program.map("z", "bmn", {"y", "l"}, "%r = arith.divf %a0, %a1 : T");
      weights = "z";
    }
    program.einsum("raw", "bmn,bne->bme", weights, "v", kRoot);
    program.einsum("t", "bmn,bnf->bfm", weights, "w");
    if (!divides)
      program.map("o", "bme", {"raw", "l"}, "%r = arith.divf %a0, %a1 : T");
    Data data = makeData();
    data.want["raw"] = data.want["o"];
    if (!divides) {
      Tensor y = data.want["p"];
      oracle::forEachIndex(y.shape, [&](const oracle::Index &at) {
        y.at(at) *= data.want["l"].at({at[0], at[1]});
      });
      data.want["t"] = oracle::contract("bmn,bnf->bfm", y, data.inputs[3]);
    }
    for (bool fuseConsumers : {false, true})
      for (const char *levels : kLevels) {
        Expected expected;
        expected.siblings = divides ? 1 : 2;
        expected.softmaxes = 0;
        expected.raises = false;
        expected.fuseConsumers = fuseConsumers;
        expectRight(program,
                    divides ? std::vector<std::string>{"raw", "t"}
                            : std::vector<std::string>{"o", "t", "l"},
                    levels, data, expected);
      }
  }
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

/// Adds "columns", the sums of the weights over the rows.
static void makeColumns(Program &program) {
  program.reduce("columns", "bn", "p");
}

TEST_F(SiblingsTest, SumsOfColumnsStayApart) {
  Program program = makeProgram();
  addRoot(program);
  makeColumns(program);
  Data data = makeData();
  data.want["columns"] = oracle::reduceSum(data.want["p"], 1);
  Expected expected;
  expected.siblings = 0;
  expected.softmaxes = 2;
  for (const char *levels : kLevels)
    expectRight(program, {"o", "columns"}, levels, data, expected);
  // Loops over rows leave the weights, which are final.
  expected.softmaxes = 1;
  for (const char *levels : {"for(0, 2)", "forall(1, 2)"})
    expectRight(program, {"o", "columns"}, levels, data, expected);
  EXPECT_EQ(getRefusal(program, {"o", "columns"}, "for(0, 0, 0, 4)").kind,
            RefusalKind::OtherReduction);
  EXPECT_EQ(getReason(program, {"o", "columns"}, "for(0, 0, 0, 4)"),
            "it keeps dimension 1, which the loops cut as dimension 3 of the "
            "root, a reduction: no later tile would meet again what is to be "
            "repaired");
  EXPECT_EQ(getReason(program, {"o", "columns"}, "for(0, 2)"),
            "it reduces dimension 2, which the loops cut as dimension 1 of the "
            "root, a parallel one: each of their tiles has states of its own, "
            "and no loop adds up what they leave");
}

// The root needs the sum of columns: what that adds up are rows that move by
// different factors. The sum stays outside.
TEST_F(SiblingsTest, SumsOfColumnsThatTheRootNeeds) {
  for (const char *dynamic : {"", "mn", "bmnde"}) {
    Program program = makeProgram(dynamic);
    makeColumns(program);
    program.map("h", "bmn", {"p", "columns"}, "%r = arith.divf %a0, %a1 : T");
    program.einsum("t", "bmn,bne->bme", "h", "v", kRoot);
    Data data = makeData();
    Tensor columns = oracle::reduceSum(data.want["p"], 1), h = data.want["p"];
    oracle::forEachIndex(h.shape, [&](const oracle::Index &at) {
      h.at(at) = h.at(at) / columns.at({at[0], at[2]});
    });
    data.want["t"] = oracle::contract("bmn,bne->bme", h, data.inputs[2]);
    Expected expected;
    expected.siblings = 0;
    expected.softmaxes = 2;
    for (const char *levels :
         {"for(0, 2)", "forall(1, 2)", "for(0, 0, 0, 4)", "split(0, 0, 0, 4)",
          "for(1) for(0, 0, 0, 4)", "for(0, 0, 0, 6) for(0, 0, 0, 4)",
          "for(0, 3) for(0, 0, 0, 4)",
          "forall(1, 3) split(0, 0, 0, 6) for(0, 0, 0, 4)"})
      expectRight(program, {"t"}, levels, data, expected);
  }
}

// Only what needs the online reduction in another way keeps it in the loops.
TEST_F(SiblingsTest, SumsOfColumnsThatTheRootNeedsAlone) {
  Program program = makeProgram();
  makeColumns(program);
  program.einsum("t", "bn,bne->be", "columns", "v", kRoot);
  OwningOpRef<ModuleOp> module = parse(program.finish({"t"}));
  EXPECT_EQ(refuse(prepare(*module), parseLevels("for(0, 0, 4)")).text,
            "'linalg.generic' between 'linalg_ext.softmax' and the root does "
            "not commute with the repair: dimension 1 of the operand, along "
            "which the repair acts, is contracted");
}

//===----------------------------------------------------------------------===//
// Behind reshapes
//===----------------------------------------------------------------------===//

/// `weights` with b and m merged to r.
static void mergeRows(Program &program, const std::string &weights = "p") {
  auto isDynamic = [&](char letter) {
    return program.dynamic.find(letter) != std::string::npos;
  };
  program.sizes['r'] = program.sizes['b'] * program.sizes['m'];
  if (isDynamic('b') || isDynamic('m'))
    program.dynamic += 'r';
  program.raw("  %h = tensor.collapse_shape %" + weights + " [[0, 1], [2]] : " +
              program.typeOf("bmn") + " into " + program.typeOf("rn") + "\n");
  if (isDynamic('r'))
    program.raw("  %ir = arith.constant 0 : index\n  %size_r = tensor.dim %h, "
                "%ir : " +
                program.typeOf("rn") + "\n");
  program.name("h", "rn");
}

/// m of p split to u and z.
static void splitRows(Program &program) {
  program.sizes['u'] = 2;
  program.sizes['z'] = 3;
  program.raw(
      "  %h = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [" +
      std::to_string(program.sizes['b']) + ", 2, 3, " +
      std::to_string(program.sizes['n']) + "] : " + program.typeOf("bmn") +
      " into " + program.typeOf("buzn") + "\n");
  program.name("h", "buzn");
}

TEST_F(SiblingsTest, BehindAMergeOfRows) {
  Data data = makeData();
  Tensor p = data.want["p"];
  p.shape = {14, 10};
  oracle::Random random(3);
  Tensor u = oracle::random(random, {10, 5}, -1, 1, DType::F64);
  data.inputs.push_back(u);
  data.want["y"] = oracle::contract("rn,ne->re", p, u);
  auto make = [&](bool rootIsBehind, const char *dynamic) {
    Program program = makeProgram(dynamic);
    program.argument("u", "ne");
    program.einsum("o", "bmn,bne->bme", "p", "v", rootIsBehind ? "" : kRoot);
    mergeRows(program);
    program.einsum("y", "rn,ne->re", "h", "u", rootIsBehind ? kRoot : "");
    return program;
  };
  for (const char *dynamic : {"", "n", "m", "b", "bm", "bmnde"}) {
    SCOPED_TRACE(dynamic);
    for (const char *levels :
         {"for(0, 0, 0, 4)", "split(0, 0, 0, 4)", "for(1, 3) for(0, 0, 0, 4)",
          "forall(1, 3) for(0, 0, 0, 4)", "for(1) for(0, 0, 0, 4)",
          "forall(1, 4) split(0, 0, 0, 6) for(0, 0, 0, 4)",
          "forall(1, 4) for(0, 2) for(0, 0, 0, 4)",
          "for(0, 0, 0, 3) for(1) for(0, 2)", "for(1, 2)"})
      expectRight(make(false, dynamic), {"o", "y"}, levels, data, {});
    for (const char *levels :
         {"for(0, 0, 4)", "split(0, 0, 4)", "for(1) for(0, 0, 4)",
          "forall(1) split(0, 0, 6) for(0, 0, 4)"})
      expectRight(make(true, dynamic), {"o", "y"}, levels, data, {});
  }
  // 7 rows to a batch.
  for (const char *levels :
       {"for(7) for(0, 0, 4)", "forall(7) for(0, 0, 6) for(0, 0, 4)",
        "forall(7) for(1) for(0, 0, 4)"})
    for (const char *dynamic : {"", "b", "n"})
      expectRight(make(true, dynamic), {"o", "y"}, levels, data, {});
  // Not one tile of both: 3 rows of each batch, and 2 that may be of two.
  Expected apart;
  apart.siblings = 1; // what is known of tiles is found out by carrying it out
  apart.softmaxes = 2;
  for (const char *dynamic : {"", "bm"}) {
    for (bool rootIsBehind : {false, true}) {
      Program program = make(rootIsBehind, dynamic);
      const char *levels =
          rootIsBehind ? "for(2) for(0, 0, 4)" : "for(0, 3) for(0, 0, 0, 4)";
      if (!rootIsBehind)
        expectRight(program, {"o", "y"}, levels, data, apart);
      EXPECT_NE(getReason(program, {"o", "y"}, levels), "");
    }
  }
  EXPECT_EQ(getReason(make(false, ""), {"o", "y"}, "for(0, 3) for(0, 0, 0, 4)"),
            "a tile of what 'tensor.collapse_shape' reshapes is not known to "
            "be a tile of its result");
}

TEST_F(SiblingsTest, BehindASplitOfRows) {
  Program sizes;
  sizes.sizes['m'] = 6;
  oracle::Random random(5);
  Data data;
  for (const char *letters : {"bmn", "bne", "bnf"}) {
    oracle::Shape shape;
    for (const char *c = letters; *c; ++c)
      shape.push_back(sizes.sizes.at(*c));
    data.inputs.push_back(oracle::random(random, shape, -2, 2, DType::F64));
  }
  // The first keys, and a row of its own, hidden.
  Tensor &x = data.inputs.front();
  oracle::forEachIndex(x.shape, [&](const oracle::Index &at) {
    if (at[1] == 3 || (at[1] < 2 && at[2] < 5))
      x.at(at) = -kInf;
  });
  Tensor p = oracle::softmax(x, 2).result;
  data.want["o"] = oracle::contract("bmn,bne->bme", p, data.inputs[1]);
  data.want["rows"] = oracle::reduceSum(p, 2);
  Tensor h = p;
  h.shape = {2, 2, 3, 10};
  data.want["t"] = oracle::contract("buzn,bnf->buzf", h, data.inputs[2]);
  for (bool rootIsBehind : {false, true}) {
    Program program;
    program.sizes['m'] = 6;
    program.argument("x", "bmn");
    program.argument("v", "bne");
    program.argument("w", "bnf");
    program.softmax("p", "x");
    program.einsum("o", "bmn,bne->bme", "p", "v", rootIsBehind ? "" : kRoot);
    program.reduce("rows", "bm", "p");
    splitRows(program);
    program.einsum("t", "buzn,bnf->buzf", "h", "w", rootIsBehind ? kRoot : "");
    Expected expected;
    expected.siblings = 2;
    std::vector<const char *> levels = {
        "forall(1, 3) for(0, 0, 0, 4)", "for(1, 1) for(0, 0, 0, 4)",
        "forall(0, 1) split(0, 0, 0, 6) for(0, 0, 0, 4)"};
    if (rootIsBehind)
      levels = {"forall(1, 1) for(0, 0, 0, 0, 4)",
                "for(1, 1, 2) for(0, 0, 0, 0, 4)",
                "for(0, 1) for(0, 0, 0, 0, 4)",
                "forall(1, 1, 1) split(0, 0, 0, 0, 6) for(0, 0, 0, 0, 4)"};
    for (const char *text : levels)
      expectRight(program, {"o", "rows", "t"}, text, data, expected);
  }
}

/// In narrow types, with elementwise ops in between, written out, and with the
/// state asked for too.
TEST_F(SiblingsTest, BehindAReshapeAndOtherOps) {
  for (const char *dynamic : {"", "mn"}) {
    Program program = makeProgram(dynamic);
    program.reduce("m", "bm", "x", "maximumf", "0xFFF0000000000000");
    program.map("y", "bmn", {"x", "m"},
                "%sub = arith.subf %a0, %a1 : T\n %r = math.exp %sub : T");
    program.reduce("l", "bm", "y");
    program.map("z", "bmn", {"y", "l"}, "%r = arith.divf %a0, %a1 : T");
    program.einsum("o", "bmn,bne->bme", "z", "v", kRoot);
    mergeRows(program, "z");
    program.map("g", "rn", {"h"},
                "%three = arith.constant 3.0 : T\n "
                "%r = arith.mulf %a0, %three : T");
    program.argument("u", "ne");
    program.einsum("y2", "rn,ne->re", "g", "u");
    program.reduce("rows", "r", "g");
    Data data = makeData();
    Tensor p = data.want["p"];
    p.shape = {14, 10};
    for (double &value : p.data)
      value *= 3.0;
    oracle::Random random(3);
    data.inputs.push_back(oracle::random(random, {10, 5}, -1, 1, DType::F64));
    data.want["y2"] = oracle::contract("rn,ne->re", p, data.inputs.back());
    data.want["rows"] = oracle::reduceSum(p, 1);
    Expected expected;
    expected.siblings = 2;
    expected.softmaxes = 0;
    expected.raises = false;
    for (const char *levels :
         {"for(1, 3) for(0, 0, 0, 4)", "forall(1, 3) for(0, 0, 0, 4)",
          "forall(1, 4) split(0, 0, 0, 6) for(0, 0, 0, 4)"})
      expectRight(program, {"o", "y2", "rows", "l"}, levels, data, expected);
  }
  Program program = makeProgram("mn", "f16");
  addRoot(program);
  mergeRows(program);
  program.argument("u", "ne");
  program.einsum("y", "rn,ne->re", "h", "u");
  Data data = makeData(DType::F16);
  Tensor p = data.want["p"];
  p.shape = {14, 10};
  oracle::Random random(3);
  data.inputs.push_back(oracle::random(random, {10, 5}, -1, 1, DType::F16));
  data.want["y"] = oracle::contract("rn,ne->re", p, data.inputs.back());
  Expected expected;
  expected.error = 1e-2;
  expectRight(program, {"o", "y"}, "forall(1, 3) for(0, 0, 0, 4)", data,
              expected);
}

TEST_F(SiblingsTest, TilesOfAnotherDimensionOfTheRoot) {
  Program program = makeProgram();
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  Expected expected;
  expected.siblings = 0;
  expected.softmaxes = 2;
  const char *levels = "for(0, 0, 0, 4) for(0, 0, 2)";
  expectRight(program, {"o", "t"}, levels, makeData(), expected);
  EXPECT_EQ(getReason(program, {"o", "t"}, levels),
            "dimension 2 of the root, which the loops cut, is not known to be "
            "one of it");
}

TEST_F(SiblingsTest, SumOfWhatDoesNotCommute) {
  Program program = makeProgram();
  addRoot(program);
  program.map("h", "bmn", {"p"}, "%r = math.exp %a0 : T");
  program.einsum("t", "bmn,bnf->bfm", "h", "w");
  Data data = makeData();
  data.want["t"] = oracle::contract(
      "bmn,bnf->bfm",
      oracle::map(data.want["p"], [](double x) { return std::exp(x); }),
      data.inputs[3]);
  Expected expected;
  expected.siblings = 0;
  expected.softmaxes = 2;
  const char *levels = "for(0, 0, 0, 4)";
  expectRight(program, {"o", "t"}, levels, data, expected);
  EXPECT_NE(getReason(program, {"o", "t"}, levels)
                .find("does not commute with the repair"),
            std::string::npos);
}

/// A sibling that takes the keys in another order takes other tiles.
TEST_F(SiblingsTest, TilesThatAreElsewhere) {
  Program program = makeProgram();
  addRoot(program);
  program.raw(R"(
  %h_e = tensor.empty() : tensor<2x7x10xf64>
  %h = linalg.generic {
      indexing_maps = [affine_map<(b, m, n) -> (b, m, 9 - n)>,
                       affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<2x7x10xf64>) outs(%h_e : tensor<2x7x10xf64>) {
  ^bb0(%a: f64, %c: f64):
    linalg.yield %a : f64
  } -> tensor<2x7x10xf64>
)");
  program.name("h", "bmn");
  // The values are the root's too: where these are cut is known.
  program.einsum("u", "bmn,bne->bme", "h", "v");
  Data data = makeData();
  Tensor h = data.want["p"];
  oracle::forEachIndex(h.shape, [&](const oracle::Index &at) {
    h.at(at) = data.want["p"].at({at[0], at[1], 9 - at[2]});
  });
  data.want["u"] = oracle::contract("bmn,bne->bme", h, data.inputs[2]);
  Expected expected;
  expected.siblings = 0;
  expected.softmaxes = 2;
  const char *levels = "for(0, 0, 0, 4)";
  expectRight(program, {"o", "u"}, levels, data, expected);
  EXPECT_EQ(getReason(program, {"o", "u"}, levels),
            "the loops would no longer compute 'linalg_ext.softmax' tile by "
            "tile, once");
}

/// Of two that depend on one another one is a sibling.
TEST_F(SiblingsTest, OneNeedsAnother) {
  Program program = makeProgram();
  addRoot(program);
  program.reduce("top", "bm", "p", "maximumf", "0xFFF0000000000000");
  program.map("h", "bmn", {"p", "top"}, "%r = arith.mulf %a0, %a1 : T");
  program.einsum("t", "bmn,bnf->bfm", "h", "w");
  Data data = makeData();
  Tensor h = data.want["p"];
  oracle::forEachIndex(h.shape, [&](const oracle::Index &at) {
    h.at(at) *= data.want["top"].at({at[0], at[1]});
  });
  data.want["t"] = oracle::contract("bmn,bnf->bfm", h, data.inputs[3]);
  Expected expected;
  expected.softmaxes = 2;
  const char *levels = "for(0, 0, 0, 4)";
  expectRight(program, {"o", "top", "t"}, levels, data, expected);
  EXPECT_EQ(getReason(program, {"o", "top", "t"}, levels),
            "it needs 'linalg.generic', which waits for the loops");
}

TEST_F(SiblingsTest, NotAskedFor) {
  Program program = makeProgram();
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  OwningOpRef<ModuleOp> module = parse(program.finish({"o", "t"}));
  TileAndFuseOptions options = makeOptions(parseLevels("for(0, 0, 0, 4)"));
  options.fuseSiblings = false;
  Refusal refusal;
  FailureOr<FusionPlan> plan =
      planTileAndFuse(prepare(*module), options, refusal);
  ASSERT_TRUE(succeeded(plan)) << refusal.text;
  EXPECT_TRUE(plan->siblings.empty());
}

TEST_F(SiblingsTest, ThePlanNamesThem) {
  Program program = makeProgram();
  addRoot(program);
  program.einsum("t", "bmn,bnf->bfm", "p", "w");
  makeColumns(program);
  OwningOpRef<ModuleOp> module = parse(program.finish({"o", "t", "columns"}));
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(
      prepare(*module), makeOptions(parseLevels("for(0, 2, 0, 4)")), refusal);
  ASSERT_TRUE(succeeded(plan)) << refusal.text;
  std::string text = describe(*plan);
  for (const char *line :
       {"sibling 'linalg.generic', dims of the root [-, -, 1, 3]\n",
        "sibling 'linalg.generic' apart: ",
        "repair sibling 'linalg.generic': scale by the repair of "
        "'linalg_ext.softmax'#0 along dims [0, 2]"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}
