//===- ExecuteTest.cpp - The execution harness ----------------------------===//
//
// What a run returns, counts and refuses.
//
//===----------------------------------------------------------------------===//

#include "Support/Execute.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
class ExecuteTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { context = makeContext().release(); }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  Execution run(StringRef text, ArrayRef<Tensor> inputs,
                ExecutionOptions options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
    if (!module) {
      Execution result;
      result.error = "cannot be parsed";
      return result;
    }
    return Executor(context, options).run(*module, "main", inputs);
  }

  static MLIRContext *context;
};
MLIRContext *ExecuteTest::context = nullptr;
} // namespace

/// y = x + x on a vector of the given type.
static std::string makeDouble(StringRef shape, StringRef type) {
  std::string t = ("tensor<" + shape + "x" + type + ">").str();
  return "func.func @main(%x: " + t + ", %y: " + t + ") -> " + t + R"( {
    %r = linalg.add ins(%x, %x : )" +
         t + ", " + t + ") outs(%y : " + t + ") -> " + t +
         "\n return %r : " + t + "}";
}

TEST_F(ExecuteTest, EveryFloatType) {
  for (const char *type : {"f16", "bf16", "f32", "f64"})
    for (unsigned level : {0u, 1u, 2u}) {
      Tensor x({4}, {1.5, -0.25, std::ldexp(1.0, -14), 3});
      ExecutionOptions options;
      options.optLevel = level;
      options.verifyEach = true;
      Execution result =
          run(makeDouble("4", type), {x, Tensor(Shape{4})}, options);
      ASSERT_TRUE(result.ok()) << type << ": " << result.error;
      EXPECT_EQ(result.outputs[0].data,
                std::vector<double>({3, -0.5, std::ldexp(1.0, -13), 6}));
    }
}

TEST_F(ExecuteTest, SpecialValuesTravelUnchanged) {
  double inf = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char *type : {"f16", "bf16", "f32", "f64"}) {
    Execution result = run(makeDouble("3", type),
                           {Tensor({3}, {inf, -inf, nan}), Tensor(Shape{3})});
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.outputs[0].data[0], inf);
    EXPECT_EQ(result.outputs[0].data[1], -inf);
    EXPECT_TRUE(std::isnan(result.outputs[0].data[2]));
  }
}

TEST_F(ExecuteTest, SixteenBitConversionsRoundToNearestEven) {
  // A table of f32 numbers is truncated to each 16-bit type and back.
  oracle::Random r(1);
  Tensor x(Shape{512});
  for (double &value : x.data)
    value = oracle::roundTo(
        std::ldexp(r.uniform(-1, 1), static_cast<int>(r.integer(-30, 20))),
        DType::F32);
  for (DType type : {DType::F16, DType::BF16}) {
    std::string t = std::string("tensor<512x") + oracle::getName(type) + ">";
    Execution result = run("func.func @main(%x: tensor<512xf32>) -> " + t +
                               "{ %r = arith.truncf %x : tensor<512xf32> to " +
                               t + " return %r : " + t + " }",
                           x);
    // Elementwise arith on tensors is not lowered; as linalg it is.
    EXPECT_FALSE(result.ok());
    std::string generic = R"(
      #map = affine_map<(d0) -> (d0)>
      func.func @main(%x: tensor<512xf32>) -> )" +
                          t + R"( {
        %e = tensor.empty() : )" +
                          t + R"(
        %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%x : tensor<512xf32>) outs(%e : )" +
                          t + R"() {
        ^bb0(%a: f32, %b: )" +
                          oracle::getName(type) + R"():
          %c = arith.truncf %a : f32 to )" +
                          oracle::getName(type) + R"(
          linalg.yield %c : )" +
                          oracle::getName(type) + R"(
        } -> )" + t +
                          "\n return %r : " + t + "}";
    result = run(generic, x);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.outputs[0].data, oracle::roundTo(x, type).data);
  }
}

TEST_F(ExecuteTest, MathOnEveryFloatType) {
  for (DType type : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    std::string e = oracle::getName(type), t = "tensor<64x" + e + ">";
    std::string text = R"(
      #map = affine_map<(d0) -> (d0)>
      func.func @main(%x: )" +
                       t + ", %y: " + t + ") -> " + t + R"( {
        %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%x : )" + t +
                       ") outs(%y : " + t + R"() {
        ^bb0(%a: )" + e +
                       ", %b: " + e + R"():
          %c = math.exp %a : )" +
                       e + R"(
          %d = math.exp2 %a : )" +
                       e + R"(
          %f = arith.maximumf %c, %d : )" +
                       e + R"(
          linalg.yield %f : )" +
                       e + R"(
        } -> )" + t +
                       "\n return %r : " + t + "}";
    oracle::Random r(2);
    Tensor x = oracle::random(r, {64}, -4, 4, type);
    Execution result = run(text, {x, Tensor(Shape{64})});
    ASSERT_TRUE(result.ok()) << result.error;
    double u = oracle::getFormat(type).unitRoundoff;
    for (int64_t i = 0; i < 64; ++i) {
      double want = std::max(std::exp(x.data[i]), std::exp2(x.data[i]));
      EXPECT_NEAR(result.outputs[0].data[i], want, 3 * u * want);
    }
  }
}

TEST_F(ExecuteTest, DynamicShapesAndSeveralResults) {
  const char *text = R"(
    func.func @main(%a: tensor<?x3xf32>, %b: tensor<?xi1>)
        -> (tensor<3x?xf32>, tensor<?xi1>, tensor<f32>) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %a, %c0 : tensor<?x3xf32>
      %e = tensor.empty(%n) : tensor<3x?xf32>
      %t = linalg.transpose ins(%a : tensor<?x3xf32>)
        outs(%e : tensor<3x?xf32>) permutation = [1, 0]
      %s0 = tensor.empty() : tensor<f32>
      %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<f32>) -> tensor<f32>
      %s = linalg.reduce ins(%a : tensor<?x3xf32>) outs(%s1 : tensor<f32>)
        dimensions = [0, 1] (%x: f32, %y: f32) {
          %z = arith.addf %x, %y : f32
          linalg.yield %z : f32
        }
      return %t, %b, %s : tensor<3x?xf32>, tensor<?xi1>, tensor<f32>
    })";
  Execution result =
      run(text, {Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor({2}, {1, 0})});
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.outputs[0].shape, Shape({3, 2}));
  EXPECT_EQ(result.outputs[0].data, std::vector<double>({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(result.outputs[1].data, std::vector<double>({1, 0}));
  EXPECT_EQ(result.outputs[2].data, std::vector<double>({21}));
}

TEST_F(ExecuteTest, AllocationsAreCounted) {
  const char *text = R"(
    func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
      return %r : tensor<8x8xf32>
    })";
  Execution result = run(text, Tensor({8, 8}, 1.0));
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.outputs[0].data[63], 8.0);
  EXPECT_EQ(result.numAllocations, 1);
  EXPECT_EQ(result.allocatedBytes, 256);
}

TEST_F(ExecuteTest, ReadingWhatWasNeverWrittenSpoilsTheResult) {
  const char *text = R"(
    func.func @main(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
      %e = tensor.empty() : tensor<4x4xf16>
      %r = linalg.matmul ins(%a, %a : tensor<4x4xf16>, tensor<4x4xf16>)
        outs(%e : tensor<4x4xf16>) -> tensor<4x4xf16>
      return %r : tensor<4x4xf16>
    })";
  Execution result = run(text, Tensor({4, 4}, 1.0));
  ASSERT_TRUE(result.ok()) << result.error;
  for (double value : result.outputs[0].data)
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(ExecuteTest, WritingOutsideOfABufferIsAnError) {
  const char *text = R"(
    func.func @main(%a: tensor<4xf32>, %i: tensor<1xi8>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %x = tensor.extract %i[%c0] : tensor<1xi8>
      %at = arith.index_cast %x : i8 to index
      %r = tensor.insert %one into %a[%at] : tensor<4xf32>
      return %r : tensor<4xf32>
    })";
  EXPECT_TRUE(run(text, {Tensor(Shape{4}), Tensor(Shape{1}, 3.0)}).ok());
  for (double at : {4.0, -1.0})
    EXPECT_NE(run(text, {Tensor(Shape{4}), Tensor(Shape{1}, at)})
                  .error.find("outside of its buffers"),
              std::string::npos);
}

TEST_F(ExecuteTest, LoopsOnTensors) {
  // scf.for with iter_args and scf.forall with a remainder, which the driver
  // makes.
  const char *text = R"(
    #min = affine_map<(d0) -> (3, -d0 + 7)>
    func.func @main(%a: tensor<7xf32>) -> (tensor<7xf32>, tensor<f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<7xf32>
      %r = scf.forall (%i) = (0) to (7) step (3) shared_outs(%o = %e) -> tensor<7xf32> {
        %n = affine.min #min(%i)
        %x = tensor.extract_slice %a[%i] [%n] [1] : tensor<7xf32> to tensor<?xf32>
        %y = tensor.extract_slice %o[%i] [%n] [1] : tensor<7xf32> to tensor<?xf32>
        %z = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %z into %o[%i] [%n] [1] : tensor<?xf32> into tensor<7xf32>
        }
      }
      %s0 = tensor.empty() : tensor<f32>
      %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<f32>) -> tensor<f32>
      %s = scf.for %i = %c0 to %c7 step %c1 iter_args(%acc = %s1) -> tensor<f32> {
        %x = tensor.extract %r[%i] : tensor<7xf32>
        %old = tensor.extract %acc[] : tensor<f32>
        %new = arith.addf %old, %x : f32
        %t = tensor.insert %new into %acc[] : tensor<f32>
        scf.yield %t : tensor<f32>
      }
      return %r, %s : tensor<7xf32>, tensor<f32>
    })";
  Execution result = run(text, Tensor({7}, {1, 2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(result.outputs[0].data,
            std::vector<double>({2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(result.outputs[1].data[0], 56);
}

TEST_F(ExecuteTest, ErrorsAreText) {
  std::string twice = makeDouble("4", "f32");
  Tensor x(Shape{4});
  auto has = [&](const Execution &result, StringRef text) {
    return StringRef(result.error).contains(text);
  };
  EXPECT_TRUE(has(run(twice, {x}), "expected 2 inputs, got 1"));
  EXPECT_TRUE(has(run(twice, {x, Tensor(Shape{5})}),
                  "input 1: expected shape [4], got [5]"));
  EXPECT_TRUE(has(run(twice, {Tensor(Shape{4}, 0.1), x}),
                  "input 0 is not a tensor of f32"));
  EXPECT_TRUE(has(run("func.func @other() { return }", {}),
                  "no body of function 'main'"));
  EXPECT_TRUE(has(run("func.func @main(%i: index) { return }", {}),
                  "expected ranked tensors"));
  EXPECT_TRUE(has(run("func.func @main() { return }", {}),
                  "expected the function to return tensors"));
  Execution unknown = run(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = math.absf %x : tensor<4xf32>
      return %r : tensor<4xf32>
    })",
                          {x});
  EXPECT_TRUE(has(unknown, "lowering failed")) << unknown.error;
}

TEST_F(ExecuteTest, TheModuleIsLeftAsItIsAndKernelsRunAgain) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(makeDouble("?", "f32"), context);
  std::string before, after, error;
  llvm::raw_string_ostream(before) << *module;
  Executor executor(context);
  std::unique_ptr<Kernel> kernel = executor.compile(*module, "main", error);
  ASSERT_TRUE(kernel) << error;
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
  module = {};
  for (int64_t size : {0, 1, 5}) {
    Tensor x(Shape{size}, 2.0);
    Execution result = kernel->run({x, x});
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(result.outputs[0].data, Tensor(Shape{size}, 4.0).data);
  }
}
