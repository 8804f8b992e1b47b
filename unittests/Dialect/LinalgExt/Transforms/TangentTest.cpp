//===- TangentTest.cpp - Polynomials in a state and their derivatives -----===//
//
// The defining property of a polynomial repair, executed: with T_i what
// RepairableOpInterface::buildTangent makes of a program F, i times,
//
//   F(x, mu + dt) = sum_i dt^i / i! T_i(x, mu)      i from 0 to the degree,
//
// and no derivative is left behind the degree. Data are small multiples of 1/2,
// so that programs compute without rounding and both sides are equal.
//
//===----------------------------------------------------------------------===//

#include "Support/FusionTest.h"

#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <map>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;

MLIRContext *FusionTest::context = nullptr;
Executor *FusionTest::executor = nullptr;

static const std::map<char, int64_t> kSizes = {
    {'B', 2}, {'M', 3}, {'K', 5}, {'L', 6}, {'N', 4}};

/// Maps that many programs take.
static const char *const kMaps = R"(
  #mk = affine_map<(m, k) -> (m, k)>
  #m = affine_map<(m, k) -> (m)>
  #k = affine_map<(m, k) -> (k)>
  #m1 = affine_map<(m, k) -> (m, 0)>
)";

/// `text` with the letters of kSizes as the sizes of tensors.
static std::string withSizes(const std::string &text, bool dynamic) {
  std::string result;
  bool isType = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 7, "tensor<") == 0)
      isType = true;
    if (text[i] == '>')
      isType = false;
    auto it = kSizes.find(text[i]);
    if (!isType || it == kSizes.end())
      result += text[i];
    else
      result += dynamic ? "?" : std::to_string(it->second);
  }
  return result;
}

/// A generic on matrices: `outs` is the operand and its type, `maps` are those
/// of all operands.
static std::string generic(const std::string &maps,
                           const std::string &iterators, const std::string &ins,
                           const std::string &outs, const std::string &type,
                           const std::string &body) {
  return "linalg.generic {indexing_maps = [" + maps + "], iterator_types = [" +
         iterators + "]} ins(" + ins + ") outs(" + outs + " : " + type + ") {" +
         body + "} -> " + type + "\n";
}
static const char *const kParallel = R"("parallel", "parallel")";
static const char *const kRows = R"("parallel", "reduction")";

/// %d[m, k] = %x[m, k] - %mu[m], in place of %y.
static std::string centre() {
  return "%d = " + generic("#mk, #m, #mk", kParallel,
                           "%x, %mu : tensor<MxKxf32>, tensor<Mxf32>", "%y",
                           "tensor<MxKxf32>", R"(
                           ^bb0(%a: f32, %b: f32, %o: f32):
                             %s = arith.subf %a, %b : f32
                             linalg.yield %s : f32)");
}
/// %r[m] = sum of %`of`, on %acc.
static std::string sumOf(const std::string &of) {
  return R"(%zero = arith.constant 0.0 : f32
      %init = linalg.fill ins(%zero : f32) outs(%acc : tensor<Mxf32>)
        -> tensor<Mxf32>
      %r = linalg.reduce { arith.addf } ins(%)" +
         of + R"( : tensor<MxKxf32>) outs(%init : tensor<Mxf32>)
        dimensions = [1]
      )";
}
static std::string program(const std::string &arguments,
                           const std::string &body, const std::string &result) {
  return std::string(kMaps) + "func.func @main(" + arguments + ") -> " +
         result + " {\n" + body + "return %r : " + result + "\n}\n";
}
static const char *const kRowArguments =
    "%x: tensor<MxKxf32>, %mu: tensor<Mxf32>, %y: tensor<MxKxf32>, "
    "%acc: tensor<Mxf32>";

namespace {
/// A program and its derivatives in the measure of its argument `source`.
class Derivatives {
public:
  Derivatives(MLIRContext *context, const std::string &ir, unsigned source = 1)
      : module(parseSourceString<ModuleOp>(ir, context)) {
    if (!module) {
      ADD_FAILURE() << ir;
      return;
    }
    func = cast<func::FuncOp>(module->lookupSymbol("main"));
    mu = func.getArgument(source);
    follow();
  }

  Value getResult() { return getReturn()->getOperand(0); }
  func::ReturnOp getReturn() {
    return cast<func::ReturnOp>(func.getBody().front().getTerminator());
  }

  /// How the result depends on the source, if that is known.
  const StateDependentValue *getStateDependent() {
    auto it = stateDependent.find(getResult());
    return it == stateDependent.end() ? nullptr : &it->second;
  }
  Refusal refusal;

  /// Builds the derivatives of the result; fails with a `refusal`.
  LogicalResult build();

  /// Their dimensions, as "0 1", "" or "constant".
  std::vector<std::string> getDims() const {
    std::vector<std::string> all;
    for (const Tangent &tangent : tangents) {
      std::string text = tangent.constant ? "constant" : "";
      for (int64_t dim : tangent.dims)
        text += (text.empty() ? "" : " ") + std::to_string(dim);
      all.push_back(text);
    }
    return all;
  }
  /// The op that computes derivative `i`.
  linalg::LinalgOp getOp(size_t i) const {
    return tangents[i].value.getDefiningOp<linalg::LinalgOp>();
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
  Value mu;
  std::vector<Tangent> tangents;

private:
  void follow();
  FailureOr<std::optional<Tangent>> differentiate(Value value);

  DenseMap<Value, StateDependentValue> stateDependent;
  DenseMap<Value, std::optional<Tangent>> known;
};
} // namespace

/// Follows the source as the driver does.
void Derivatives::follow() {
  auto type = cast<RankedTensorType>(mu.getType());
  stateDependent[mu] = {{RepairKind::Add, 1.0}, makeRowGroups(type.getShape())};
  for (Operation &op : func.getBody().front()) {
    SmallVector<StateDependentOperand> operands;
    for (OpOperand &operand : op.getOpOperands())
      if (auto it = stateDependent.find(operand.get());
          it != stateDependent.end())
        operands.push_back({operand.getOperandNumber(), it->second});
    auto repairable = dyn_cast<RepairableOpInterface>(op);
    if (operands.empty() || !repairable)
      continue;
    Refusal elementwise, accumulation;
    FailureOr<StateDependentValue> value =
        repairable.propagateRepair(operands, elementwise);
    if (succeeded(value)) {
      stateDependent[op.getResult(0)] = *value;
      continue;
    }
    FailureOr<AccumulatorRepair> repair =
        repairable.getAccumulatorRepair(operands, accumulation);
    if (succeeded(repair)) {
      stateDependent[op.getResult(0)] = repair->value;
      continue;
    }
    refusal = isa<linalg::LinalgOp>(op) &&
                      !cast<linalg::LinalgOp>(op).isAllParallelLoops()
                  ? accumulation
                  : elementwise;
    return;
  }
}

FailureOr<std::optional<Tangent>> Derivatives::differentiate(Value value) {
  if (value == mu) {
    Type type = getElementTypeOrSelf(mu);
    return std::optional<Tangent>({FloatAttr::get(type, 1.0), {}, {}});
  }
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto op = value.getDefiningOp<RepairableOpInterface>();
  if (!op)
    return std::optional<Tangent>();
  SmallVector<OperandTangent> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<std::optional<Tangent>> tangent = differentiate(operand.get());
    if (failed(tangent))
      return failure();
    if (*tangent)
      operands.push_back({operand.getOperandNumber(), **tangent});
  }
  if (operands.empty())
    return std::optional<Tangent>();
  OpBuilder b(getReturn());
  FailureOr<std::optional<Tangent>> tangent =
      op.buildTangent(b, op.getLoc(), operands, refusal);
  if (succeeded(tangent))
    known[value] = *tangent;
  return tangent;
}

LogicalResult Derivatives::build() {
  Value value = getResult();
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(value.getType()).getRank();
       ++dim)
    dims.push_back(dim);
  while (value && tangents.size() < 8) {
    FailureOr<std::optional<Tangent>> next = differentiate(value);
    if (failed(next))
      return failure();
    if (!*next)
      break;
    // From the dimensions of the last derivative to those of the result.
    Tangent tangent = **next;
    SmallVector<int64_t> ofResult;
    for (int64_t dim : tangent.dims)
      ofResult.push_back(dims[dim]);
    dims = tangent.dims = ofResult;
    tangents.push_back(tangent);
    value = tangent.value;
  }
  SmallVector<Value> results(getReturn().getOperands());
  for (const Tangent &tangent : tangents)
    if (tangent.value)
      results.push_back(tangent.value);
  getReturn()->setOperands(results);
  func.setFunctionType(
      FunctionType::get(func.getContext(), func.getArgumentTypes(),
                        llvm::to_vector(ValueRange(results).getTypes())));
  return success();
}

namespace {
class TangentTest : public FusionTest {
protected:
  static Tensor draw(Random &random, const Shape &shape) {
    Tensor tensor(shape);
    for (double &value : tensor.data)
      value = static_cast<double>(random.integer(-6, 6)) / 2;
    return tensor;
  }

  /// Runs the program and its derivatives on random data of sizes kSizes, and
  /// once more where the source has moved.
  static void expectTaylor(Derivatives &program, unsigned source,
                           const std::vector<Shape> &shapes) {
    const StateDependentValue stateDependent = *program.getStateDependent();
    ASSERT_TRUE(succeeded(verify(*program.module)));
    ASSERT_TRUE(succeeded(decomposeLinalgExtOps(*program.module)));
    RewritePatternSet patterns(context);
    math::populateExpansionPatterns(patterns, {"fpowi"});
    ASSERT_TRUE(
        succeeded(applyPatternsGreedily(*program.module, std::move(patterns))));
    std::string error;
    std::unique_ptr<Kernel> kernel =
        executor->compile(*program.module, "main", error);
    ASSERT_TRUE(kernel) << error;
    Random random(1);
    std::vector<Tensor> inputs;
    for (const Shape &shape : shapes)
      inputs.push_back(draw(random, shape));
    Execution before = kernel->run(inputs);
    ASSERT_TRUE(before.ok()) << before.error;
    Tensor dt = draw(random, shapes[source]);
    for (int64_t i = 0; i < dt.size(); ++i)
      inputs[source].data[i] += dt.data[i];
    Execution after = kernel->run(inputs);
    ASSERT_TRUE(after.ok()) << after.error;

    const Tensor &want = after.outputs[0];
    int64_t numMoved = 0;
    oracle::forEachIndex(want.shape, [&](const Index &index) {
      Index row(dt.shape.size(), 0);
      for (const RowGroup &group : stateDependent.rows)
        row[group.stateDims.front()] = index[group.valueDims.front()];
      double got = before.outputs[0].at(index), power = 1;
      size_t output = 1;
      for (size_t i = 0; i < program.tangents.size(); ++i) {
        const Tangent &tangent = program.tangents[i];
        power *= dt.at(row) / static_cast<double>(i + 1);
        double value = 0;
        if (tangent.constant) {
          value = cast<FloatAttr>(tangent.constant).getValueAsDouble();
        } else {
          Index at;
          for (int64_t dim : tangent.dims)
            at.push_back(index[dim]);
          value = before.outputs[output++].at(at);
        }
        got += power * value;
      }
      EXPECT_NEAR(got, want.at(index), 1e-9);
      numMoved += want.at(index) != before.outputs[0].at(index);
    });
    EXPECT_GT(3 * numMoved, want.size());
  }

  /// The degree, the dimensions of the derivatives, and the numbers; `shapes`
  /// is of the arguments, in letters.
  static void expectPolynomial(const std::string &ir, double degree,
                               const std::vector<std::string> &dims,
                               const std::vector<std::string> &shapes,
                               unsigned source = 1) {
    std::vector<Shape> sizes;
    for (const std::string &letters : shapes) {
      sizes.push_back({});
      for (char letter : letters)
        sizes.back().push_back(letter == '1' ? 1 : kSizes.at(letter));
    }
    for (bool dynamic : {false, true}) {
      Derivatives program(context, withSizes(ir, dynamic), source);
      ASSERT_TRUE(program.module);
      const StateDependentValue *stateDependent = program.getStateDependent();
      ASSERT_TRUE(stateDependent) << program.refusal.text;
      EXPECT_EQ(stateDependent->degree.kind, RepairKind::Polynomial);
      EXPECT_EQ(stateDependent->degree.coefficient, degree);
      ASSERT_TRUE(succeeded(program.build())) << program.refusal.text;
      EXPECT_EQ(program.getDims(), dims);
      ASSERT_LE(program.tangents.size(), degree);
      expectTaylor(program, source, sizes);
    }
  }

  static std::string refusal(const std::string &ir) {
    Derivatives program(context, withSizes(ir, false));
    EXPECT_FALSE(program.module && program.getStateDependent());
    return program.refusal.text;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sums of powers
//===----------------------------------------------------------------------===//

TEST_F(TangentTest, SumOfDeviations) {
  // Every term moves by as much; the op is there for the number of terms.
  expectPolynomial(
      program(kRowArguments, centre() + sumOf("d"), "tensor<Mxf32>"), 1, {"0"},
      {"MK", "M", "MK", "M"});
}

TEST_F(TangentTest, ShapesAreTakenFromTheSmallestInput) {
  // sum_k (x - mu - w) moves by as much in every row, and w says so.
  std::string body = R"(
      %zero = arith.constant 0.0 : f32
      %init = linalg.fill ins(%zero : f32) outs(%acc : tensor<Mxf32>)
        -> tensor<Mxf32>
      %r = )" + generic("#mk, #m, #k, #m", kRows,
                        "%x, %mu, %w : tensor<MxKxf32>, tensor<Mxf32>, "
                        "tensor<Kxf32>",
                        "%init", "tensor<Mxf32>", R"(
                        ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
                          %s = arith.subf %a, %b : f32
                          %q = arith.subf %s, %c : f32
                          %t = arith.addf %q, %o : f32
                          linalg.yield %t : f32)");
  expectPolynomial(program(std::string(kRowArguments) + ", %w: tensor<Kxf32>",
                           body, "tensor<Mxf32>"),
                   1, {""}, {"MK", "M", "MK", "M", "K"});
}

TEST_F(TangentTest, Variance) {
  std::string square = "%q = linalg.square ins(%d : tensor<MxKxf32>) "
                       "outs(%y : tensor<MxKxf32>) -> tensor<MxKxf32>\n";
  expectPolynomial(
      program(kRowArguments, centre() + square + sumOf("q"), "tensor<Mxf32>"),
      2, {"0", "0"}, {"MK", "M", "MK", "M"});
}

TEST_F(TangentTest, VarianceInOneOp) {
  std::string body = R"(
      %zero = arith.constant 0.0 : f32
      %init = linalg.fill ins(%zero : f32) outs(%acc : tensor<Mxf32>)
        -> tensor<Mxf32>
      %r = )" + generic("#mk, #m, #m", kRows,
                        "%x, %mu : tensor<MxKxf32>, tensor<Mxf32>", "%init",
                        "tensor<Mxf32>", R"(
                        ^bb0(%a: f32, %b: f32, %o: f32):
                          %s = arith.subf %a, %b : f32
                          %q = arith.mulf %s, %s : f32
                          %t = arith.addf %q, %o : f32
                          linalg.yield %t : f32)");
  expectPolynomial(program(kRowArguments, body, "tensor<Mxf32>"), 2, {"0", "0"},
                   {"MK", "M", "MK", "M"});
}

TEST_F(TangentTest, Powers) {
  struct Power {
    const char *body;
    double exponent;
  };
  for (auto [body, exponent] : {
           Power{R"(%q = arith.mulf %a, %a : f32
                    %p = arith.mulf %q, %a : f32)",
                 3},
           Power{R"(%e = arith.constant 3.0 : f32
                    %p = math.powf %a, %e : f32)",
                 3},
           Power{R"(%e = arith.constant 4 : i32
                    %p = math.fpowi %a, %e : f32, i32)",
                 4},
           Power{R"(%e = arith.constant 2.0 : f32
                    %q = arith.mulf %a, %a : f32
                    %p = math.powf %q, %e : f32)",
                 4},
       }) {
    std::string power =
        "%q = " + generic("#mk, #mk", kParallel, "%d : tensor<MxKxf32>", "%y",
                          "tensor<MxKxf32>",
                          "^bb0(%a: f32, %o: f32):" + std::string(body) +
                              "\nlinalg.yield %p : f32");
    std::vector<std::string> dims(static_cast<size_t>(exponent), "0");
    expectPolynomial(
        program(kRowArguments, centre() + power + sumOf("q"), "tensor<Mxf32>"),
        exponent, dims, {"MK", "M", "MK", "M"});
  }
}

//===----------------------------------------------------------------------===//
// Into a matmul
//===----------------------------------------------------------------------===//

static std::string scaled(const std::string &mu = "tensor<Mxf32>",
                          const std::string &map = "#m") {
  return "%d = " +
         generic("#mk, " + map + ", #k, #mk", kParallel,
                 "%x, %mu, %g : tensor<MxKxf32>, " + mu + ", tensor<Kxf32>",
                 "%y", "tensor<MxKxf32>", R"(
                           ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
                             %s = arith.subf %a, %b : f32
                             %t = arith.mulf %s, %c : f32
                             linalg.yield %t : f32)");
}
static std::string layerNorm(const std::string &elementwise,
                             const std::string &matmul,
                             const std::string &mu = "tensor<Mxf32>") {
  return R"(
    #lhs = affine_map<(m, n, k) -> (m, k)>
    #rhs = affine_map<(m, n, k) -> (k, n)>
    #out = affine_map<(m, n, k) -> (m, n)>
  )" + program("%x: tensor<MxKxf32>, %mu: " + mu +
                   ", %y: tensor<MxKxf32>, %g: tensor<Kxf32>, "
                   "%w: tensor<KxNxf32>, %acc: tensor<MxNxf32>",
               elementwise + R"(
      %zero = arith.constant 0.0 : f32
      %init = linalg.fill ins(%zero : f32) outs(%acc : tensor<MxNxf32>)
        -> tensor<MxNxf32>
      %r = )" + matmul +
                   "\n",
               "tensor<MxNxf32>");
}
static const std::vector<std::string> kLayerNormShapes = {"MK", "M",  "MK",
                                                          "K",  "KN", "MN"};
static const char *const kOperands =
    " ins(%d, %w : tensor<MxKxf32>, tensor<KxNxf32>) outs(%init : "
    "tensor<MxNxf32>) -> tensor<MxNxf32>";

TEST_F(TangentTest, LayerNormIntoMatmuls) {
  std::string genericMatmul =
      generic("#lhs, #rhs, #out", R"("parallel", "parallel", "reduction")",
              "%d, %w : tensor<MxKxf32>, tensor<KxNxf32>", "%init",
              "tensor<MxNxf32>", R"(
              ^bb0(%a: f32, %b: f32, %o: f32):
                %p = arith.mulf %a, %b : f32
                %s = arith.addf %o, %p : f32
                linalg.yield %s : f32)");
  for (const std::string &matmul :
       {"linalg.matmul" + std::string(kOperands),
        "linalg.contract indexing_maps = [#lhs, #rhs, #out]" +
            std::string(kOperands),
        genericMatmul}) {
    std::string ir = layerNorm(scaled(), matmul);
    // No second matmul: the rows are all alike.
    expectPolynomial(ir, 1, {"1"}, kLayerNormShapes);
    Derivatives derivatives(context, withSizes(ir, false));
    ASSERT_TRUE(succeeded(derivatives.build()));
    EXPECT_EQ(derivatives.getOp(0).getNumLoops(), 2u);
    EXPECT_EQ(derivatives.getOp(0).getNumDpsInputs(), 2);
  }
}

TEST_F(TangentTest, LayerNormIntoBatchMatmuls) {
  // mu of every batch and row; gamma of every batch, so that one of the two
  // parallel dimensions stays.
  std::string maps = R"(
    #bmk = affine_map<(b, m, k) -> (b, m, k)>
    #bm = affine_map<(b, m, k) -> (b, m)>
    #bk = affine_map<(b, m, k) -> (b, k)>
  )";
  std::string centred =
      "%d = " + generic("#bmk, #bm, #bk, #bmk",
                        R"("parallel", "parallel", "parallel")",
                        "%x, %mu, %g : tensor<BxMxKxf32>, tensor<BxMxf32>, "
                        "tensor<BxKxf32>",
                        "%y", "tensor<BxMxKxf32>", R"(
              ^bb0(%a: f32, %b: f32, %v: f32, %o: f32):
                %s = arith.subf %a, %b : f32
                %t = arith.divf %s, %v : f32
                linalg.yield %t : f32)");
  std::string operands =
      " ins(%d, %w : tensor<BxMxKxf32>, tensor<BxKxNxf32>) outs(%init : "
      "tensor<BxMxNxf32>) -> tensor<BxMxNxf32>\n";
  for (const std::string &matmul : {"linalg.batch_matmul" + operands,
                                    "linalg_ext.batch_matmul" + operands}) {
    std::string ir = maps +
                     program("%x: tensor<BxMxKxf32>, %mu: tensor<BxMxf32>, "
                             "%y: tensor<BxMxKxf32>, %c: tensor<BxKxf32>, "
                             "%w: tensor<BxKxNxf32>, %acc: tensor<BxMxNxf32>",
                             // A divisor that is a power of 2.
                             R"(%g = linalg.generic {indexing_maps = [
                       affine_map<(b, k) -> (b, k)>],
                     iterator_types = ["parallel", "parallel"]}
                     outs(%c : tensor<BxKxf32>) {
                   ^bb0(%o: f32):
                     %k = linalg.index 1 : index
                     %one = arith.constant 1 : i32
                     %i = arith.index_cast %k : index to i32
                     %p = arith.shli %one, %i : i32
                     %f = arith.sitofp %p : i32 to f32
                     linalg.yield %f : f32
                   } -> tensor<BxKxf32>
                 )" + centred + R"(
                   %zero = arith.constant 0.0 : f32
                   %init = linalg.fill ins(%zero : f32)
                     outs(%acc : tensor<BxMxNxf32>) -> tensor<BxMxNxf32>
                   %r = )" + matmul,
                             "tensor<BxMxNxf32>");
    expectPolynomial(ir, 1, {"0 2"}, {"BMK", "BM", "BMK", "BK", "BKN", "BMN"});
  }
}

TEST_F(TangentTest, KeptDimensionOfSizeOne) {
  expectPolynomial(layerNorm(scaled("tensor<Mx1xf32>", "#m1"),
                             "linalg.matmul" + std::string(kOperands),
                             "tensor<Mx1xf32>"),
                   1, {"1"}, {"MK", "M1", "MK", "K", "KN", "MN"});
}

TEST_F(TangentTest, SquaresIntoAMatmul) {
  // Both derivatives are needed, the second of no row in particular.
  std::string square = "%q = linalg.square ins(%d : tensor<MxKxf32>) "
                       "outs(%y : tensor<MxKxf32>) -> tensor<MxKxf32>\n";
  std::string matmul = "linalg.matmul" + std::string(kOperands);
  matmul.replace(matmul.find("%d"), 2, "%q");
  expectPolynomial(layerNorm(scaled() + square, matmul), 2, {"0 1", "1"},
                   kLayerNormShapes);
}

TEST_F(TangentTest, NarrowInputsWideAccumulator) {
  // f32 statistics, f16 matmul operands, f32 accumulator.
  std::string narrow =
      "%d = " + generic("#mk, #m, #k, #mk", kParallel,
                        "%x, %mu, %g : tensor<MxKxf16>, tensor<Mxf32>, "
                        "tensor<Kxf16>",
                        "%y", "tensor<MxKxf16>", R"(
                        ^bb0(%a: f16, %b: f32, %c: f16, %o: f16):
                          %wide = arith.extf %a : f16 to f32
                          %s = arith.subf %wide, %b : f32
                          %scale = arith.extf %c : f16 to f32
                          %t = arith.mulf %s, %scale : f32
                          %n = arith.truncf %t : f32 to f16
                          linalg.yield %n : f16)");
  std::string ir =
      program("%x: tensor<MxKxf16>, %mu: tensor<Mxf32>, %y: tensor<MxKxf16>, "
              "%g: tensor<Kxf16>, %w: tensor<KxNxf16>, %acc: tensor<MxNxf32>",
              narrow + R"(
      %zero = arith.constant 0.0 : f32
      %init = linalg.fill ins(%zero : f32) outs(%acc : tensor<MxNxf32>)
        -> tensor<MxNxf32>
      %r = linalg.matmul
        ins(%d, %w : tensor<MxKxf16>, tensor<KxNxf16>)
        outs(%init : tensor<MxNxf32>) -> tensor<MxNxf32>
      )",
              "tensor<MxNxf32>");
  expectPolynomial(ir, 1, {"1"}, kLayerNormShapes);
  Derivatives derivatives(context, withSizes(ir, false));
  EXPECT_TRUE(derivatives.getStateDependent()->isRounded);
  ASSERT_TRUE(succeeded(derivatives.build()));
  Value operand = derivatives.getOp(0).getDpsInputs()[1];
  EXPECT_TRUE(getElementTypeOrSelf(operand).isF16());
  EXPECT_TRUE(getElementTypeOrSelf(derivatives.tangents[0].value).isF32());
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

TEST_F(TangentTest, WhatAPayloadMayDo) {
  struct Payload {
    const char *body; ///< of %a = x and %b = mu at a point, yields %t
    double degree;
    std::vector<std::string> dims;
  };
  for (const Payload &payload : std::vector<Payload>{
           // A choice that does not follow mu.
           {R"(%zero = arith.constant 0.0 : f32
               %c = arith.cmpf ogt, %a, %zero : f32
               %s = arith.subf %a, %b : f32
               %t = arith.select %c, %s, %zero : f32)",
            1,
            {"0 1"}},
           // Indices, renumbered: dimension 0 is dropped.
           {R"(%s = arith.subf %a, %b : f32
               %k = linalg.index 1 : index
               %i = arith.index_cast %k : index to i32
               %f = arith.sitofp %i : i32 to f32
               %t = arith.mulf %f, %s : f32)",
            1,
            {"1"}},
           // Negations, a constant factor, a polynomial and a shift.
           {R"(%two = arith.constant 2.0 : f32
               %s = arith.mulf %b, %two : f32
               %n = arith.negf %s : f32
               %p = arith.mulf %n, %a : f32
               %q = arith.negf %p : f32
               %r = arith.subf %b, %q : f32
               %t = arith.subf %a, %r : f32)",
            1,
            {"0 1"}},
           // What the result is written over is read.
           {R"(%s = arith.subf %a, %b : f32
               %t = arith.mulf %s, %out : f32)",
            1,
            {"0 1"}},
           // What is a constant after all is accepted as it is written.
           {R"(%s = arith.mulf %b, %a : f32
               %d = arith.subf %s, %s : f32
               %t = arith.addf %d, %b : f32)",
            1,
            {"0 1"}},
           // A divisor, and products of different factors.
           {R"(%two = arith.constant 2.0 : f32
               %e = arith.constant 2 : i32
               %o1 = arith.constant 1.0 : f32
               %abs = math.absf %a : f32
               %f = math.floor %abs : f32
               %i = arith.fptosi %f : f32 to i32
               %one = arith.constant 1 : i32
               %sh = arith.shli %one, %i : i32
               %div = arith.sitofp %sh : i32 to f32
               %u = arith.addf %a, %b : f32
               %v = arith.subf %o1, %b : f32
               %uv = arith.mulf %u, %v : f32
               %t = arith.divf %uv, %div : f32)",
            2,
            {"0 1", "0 1"}},
       }) {
    std::string body =
        "%r = " +
        generic("#mk, #m, #mk", kParallel,
                "%x, %mu : tensor<MxKxf32>, tensor<Mxf32>", "%y",
                "tensor<MxKxf32>",
                "^bb0(%a: f32, %b: f32, %out: f32):\n" +
                    std::string(payload.body) + "\nlinalg.yield %t : f32");
    SCOPED_TRACE(payload.body);
    expectPolynomial(program(kRowArguments, body, "tensor<MxKxf32>"),
                     payload.degree, payload.dims, {"MK", "M", "MK", "M"});
  }
}

TEST_F(TangentTest, ConstantsAndWhatCancels) {
  // x - 2 mu is a shift, its derivative a constant of its element type.
  auto yields = [](const std::string &payload) {
    return program(kRowArguments,
                   "%r = " + generic("#mk, #m, #mk", kParallel,
                                     "%x, %mu : tensor<MxKxf32>, "
                                     "tensor<Mxf32>",
                                     "%y", "tensor<MxKxf32>",
                                     "^bb0(%a: f32, %b: f32, %out: f32):\n" +
                                         payload + "\nlinalg.yield %t : f32"),
                   "tensor<MxKxf32>");
  };
  Derivatives shift(context, withSizes(yields(R"(
    %two = arith.addf %b, %b : f32
    %t = arith.subf %a, %two : f32)"),
                                       false));
  ASSERT_TRUE(succeeded(shift.build()));
  EXPECT_EQ(shift.getStateDependent()->degree.kind, RepairKind::Add);
  ASSERT_EQ(shift.tangents.size(), 1u);
  EXPECT_EQ(shift.tangents[0].constant,
            FloatAttr::get(Float32Type::get(context), -2.0));

  Derivatives nothing(context, withSizes(yields(R"(
    %s = arith.subf %a, %b : f32
    %u = arith.addf %a, %b : f32
    %t = arith.addf %s, %u : f32)"),
                                         false));
  ASSERT_TRUE(succeeded(nothing.build()));
  EXPECT_TRUE(nothing.tangents.empty());
  EXPECT_TRUE(nothing.getStateDependent()->degree.isInvariant());
}

TEST_F(TangentTest, ThroughReshapes) {
  std::string arguments = "%x: tensor<MxLxf32>, %mu: tensor<Mxf32>, "
                          "%y: tensor<MxLxf32>, %g: tensor<Lxf32>";
  auto make = [&](std::string elementwise, const std::string &reshapes,
                  const std::string &type) {
    llvm::replace(elementwise, 'K', 'L');
    return withSizes(program(arguments, elementwise + reshapes, type), false);
  };
  auto expect = [&](const std::string &ir, double degree,
                    const std::vector<std::string> &dims) {
    Derivatives program(context, ir);
    ASSERT_TRUE(program.module && program.getStateDependent())
        << program.refusal.text;
    EXPECT_EQ(program.getStateDependent()->degree.coefficient, degree);
    ASSERT_TRUE(succeeded(program.build())) << program.refusal.text;
    EXPECT_EQ(program.getDims(), dims);
    expectTaylor(program, 1, {{3, 6}, {3}, {3, 6}, {6}});
  };
  // -g runs along one dimension, which is left alone.
  std::string unit = "%r = tensor.expand_shape %d [[0], [1, 2]] output_shape "
                     "[3, 1, 6] : tensor<3x6xf32> into tensor<3x1x6xf32>\n";
  expect(make(scaled(), unit, "tensor<3x1x6xf32>"), 1, {"2"});

  // The derivative of a square runs along all dimensions and is reshaped too,
  // the second one is a constant.
  std::string square = centre();
  square.replace(0, 2, "%e");
  square += "%d = linalg.square ins(%e : tensor<MxKxf32>) "
            "outs(%y : tensor<MxKxf32>) -> tensor<MxKxf32>\n";
  std::string split = "%s = tensor.expand_shape %d [[0], [1, 2]] output_shape "
                      "[3, 2, 3] : tensor<3x6xf32> into tensor<3x2x3xf32>\n";
  std::string both = split + "%r = tensor.collapse_shape %s [[0], [1, 2]] : "
                             "tensor<3x2x3xf32> into tensor<3x6xf32>\n";
  expect(make(square, both, "tensor<3x6xf32>"), 2, {"0 1", "constant"});

  // So is one that lacks others, unless these are merged with what it has.
  expect(make(scaled(), both, "tensor<3x6xf32>"), 1, {"1"});
  Derivatives refused(context, make(scaled(),
                                    "%r = tensor.collapse_shape %d [[0, 1]] : "
                                    "tensor<3x6xf32> into tensor<18xf32>\n",
                                    "tensor<18xf32>"));
  EXPECT_TRUE(failed(refused.build()));
  EXPECT_EQ(refused.refusal.text,
            "a dimension along which the derivative varies is "
            "merged with one along which it does not");
}

//===----------------------------------------------------------------------===//
// What is none
//===----------------------------------------------------------------------===//

TEST_F(TangentTest, Refusals) {
  auto elementwise = [](const std::string &payload) {
    return program(kRowArguments,
                   centre() + "%r = " +
                       generic("#mk, #mk, #mk", kParallel,
                               "%d, %x : tensor<MxKxf32>, tensor<MxKxf32>",
                               "%y", "tensor<MxKxf32>",
                               "^bb0(%a: f32, %b: f32, %o: f32):\n" + payload +
                                   "\nlinalg.yield %t : f32"),
                   "tensor<MxKxf32>");
  };
  auto reduction = [](const std::string &combiner) {
    return program(kRowArguments,
                   centre() + "%r = " +
                       generic("#mk, #mk, #m", kRows,
                               "%d, %x : tensor<MxKxf32>, tensor<MxKxf32>",
                               "%acc", "tensor<Mxf32>",
                               "^bb0(%a: f32, %b: f32, %o: f32):\n"
                               "%p = arith.mulf %a, %b : f32\n"
                               "%t = arith." +
                                   combiner +
                                   " %o, %p : f32\nlinalg.yield %t : f32"),
                   "tensor<Mxf32>");
  };
  std::string notAPolynomial =
      "the result is not a multiple or a shift of what the repair makes of it; "
      "'";
  std::string ofDegree =
      "' makes no polynomial of degree 4 or less of a polynomial in the state";
  for (const char *op : {"math.exp", "math.sqrt", "math.absf", "math.log"})
    EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %b : f32\n%t = " +
                                  std::string(op) + " %p : f32")),
              notAPolynomial + op + ofDegree);
  for (const char *op : {"arith.maximumf", "arith.minnumf"})
    EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %b : f32\n%t = " +
                                  std::string(op) + " %p, %p : f32")),
              notAPolynomial + op + ofDegree);
  EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %a : f32\n"
                                "%t = arith.divf %b, %p : f32")),
            notAPolynomial + "arith.divf" + ofDegree);
  EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %a : f32\n"
                                "%c = arith.cmpf olt, %p, %p : f32\n"
                                "%t = arith.select %c, %a, %b : f32")),
            notAPolynomial + "arith.cmpf" + ofDegree);
  EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %a : f32\n"
                                "%q = arith.mulf %p, %a : f32\n"
                                "%t = arith.mulf %q, %p : f32")),
            notAPolynomial + "arith.mulf" + ofDegree);
  EXPECT_EQ(refusal(elementwise("%p = arith.mulf %a, %a : f32\n"
                                "%h = arith.constant 1.5 : f32\n"
                                "%t = math.powf %p, %h : f32")),
            notAPolynomial + "math.powf" + ofDegree);
  // A scaling and a polynomial.
  EXPECT_EQ(refusal(elementwise("%e = math.exp %a : f32\n"
                                "%p = arith.mulf %a, %b : f32\n"
                                "%t = arith.mulf %e, %p : f32")),
            notAPolynomial + "arith.mulf" + ofDegree);

  EXPECT_EQ(refusal(reduction("maximumf")),
            "expected the accumulation to be a sum for a repair that is a "
            "polynomial");
  // Contracting the rows of mu.
  EXPECT_EQ(
      refusal(R"(#out = affine_map<(m, k) -> (k)>
              )" +
              program("%x: tensor<MxKxf32>, %mu: tensor<Mxf32>, "
                      "%y: tensor<MxKxf32>, %acc: tensor<Kxf32>",
                      centre() + "%r = " +
                          generic("#mk, #out", R"("reduction", "parallel")",
                                  "%d : tensor<MxKxf32>", "%acc",
                                  "tensor<Kxf32>", R"(
                                  ^bb0(%a: f32, %o: f32):
                                    %s = arith.addf %o, %a : f32
                                    linalg.yield %s : f32)"),
                      "tensor<Kxf32>")),
      "dimension 0 of the operand, along which the repair acts, is contracted");
}

TEST_F(TangentTest, FailureLeavesNoIR) {
  // The payload needs a derivative of sqrt, after ones that are known.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      withSizes(program(kRowArguments,
                        "%r = " + generic("#mk, #m, #mk", kParallel,
                                          "%x, %mu : tensor<MxKxf32>, "
                                          "tensor<Mxf32>",
                                          "%y", "tensor<MxKxf32>", R"(
                                 ^bb0(%a: f32, %b: f32, %o: f32):
                                   %p = arith.mulf %a, %b : f32
                                   %q = math.sqrt %p : f32
                                   %t = arith.addf %q, %p : f32
                                   linalg.yield %t : f32)"),
                        "tensor<MxKxf32>"),
                false),
      context);
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  };
  std::string before = print();
  module->walk([&](linalg::GenericOp op) {
    OpBuilder b(op);
    Refusal refusal;
    OperandTangent mu{1, {FloatAttr::get(b.getF32Type(), 1.0), {}, {}}};
    EXPECT_TRUE(failed(cast<RepairableOpInterface>(op.getOperation())
                           .buildTangent(b, op.getLoc(), mu, refusal)));
    EXPECT_EQ(refusal.text,
              "expected a polynomial in the state; 'math.sqrt' makes no "
              "polynomial of degree 4 or less of a polynomial in the state");
  });
  EXPECT_EQ(print(), before);
}

//===----------------------------------------------------------------------===//
// The repair itself
//===----------------------------------------------------------------------===//

TEST_F(TangentTest, ARepairIsAddedToASum) {
  // By rows and by elements, on accumulators of sums of any kind.
  for (bool all : {false, true}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        withSizes("func.func @main(%d: tensor<MxKxf32>, %w: tensor<KxNxf32>, "
                  "%init: tensor<MxNxf32>, %rho: " +
                      std::string(all ? "tensor<MxNxf32>" : "tensor<Mxf32>") +
                      ") -> tensor<MxNxf32> {\n%r = linalg.matmul" + kOperands +
                      "\nreturn %r : tensor<MxNxf32>\n}",
                  true),
        context);
    module->walk([&](linalg::MatmulOp op) {
      OpBuilder b(op);
      auto func = op->getParentOfType<func::FuncOp>();
      SmallVector<int64_t> dims{0};
      if (all)
        dims.push_back(1);
      Value repaired =
          cast<RepairableOpInterface>(op.getOperation())
              .applyRepair(b, op.getLoc(), RepairKind::Add, func.getArgument(2),
                           func.getArgument(3), dims);
      op.getDpsInitsMutable()[0].set(repaired);
    });
    ASSERT_TRUE(succeeded(verify(*module)));
    Random random(1);
    Tensor d = draw(random, {3, 5}), w = draw(random, {5, 4}),
           init = draw(random, {3, 4}),
           rho = draw(random, all ? Shape{3, 4} : Shape{3});
    Execution result = executor->run(*module, "main", {d, w, init, rho});
    ASSERT_TRUE(result.ok()) << result.error;
    Tensor want = oracle::contract("mk,kn->mn", d, w);
    for (int64_t m = 0; m < 3; ++m)
      for (int64_t n = 0; n < 4; ++n)
        EXPECT_EQ(result.outputs[0].at({m, n}),
                  want.at({m, n}) + init.at({m, n}) +
                      (all ? rho.at({m, n}) : rho.at({m})));
  }
}
