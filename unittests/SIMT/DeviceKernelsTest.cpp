//===- DeviceKernelsTest.cpp - Kernels that are also run on a device ------===//
//
// The kernels of test/Integration/GPU, which bench/gpu runs on a GPU where
// there is one, interpreted on small sizes: what a device and the interpreter
// do is compared with the same references.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
class DeviceKernelsTest : public SIMTTest {
protected:
  /// Runs function `entry` of a file; the last argument is what it writes.
  Simulation runFile(const std::string &file, const char *entry,
                     std::vector<Tensor> inputs, const Shape &out) {
    Simulation result;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceFile<mlir::ModuleOp>(
            std::string(LINALG_EXT_GPU_KERNELS) + "/" + file + ".mlir",
            context);
    if (!module) {
      result.error = "cannot be parsed";
      return result;
    }
    SimulationOptions options;
    options.uninitialized = {static_cast<unsigned>(inputs.size())};
    inputs.push_back(Tensor(out));
    return simulate(*module, entry, inputs, options);
  }

  void expect(const Simulation &result, const Tensor &want, double tolerance) {
    ASSERT_TRUE(result.ok()) << result.error;
    const Tensor &got = result.arguments.back();
    ASSERT_EQ(got.shape, want.shape);
    for (int64_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(got.data[i], want.data[i], tolerance) << i;
  }

  oracle::Random random{13};
};
} // namespace

TEST_F(DeviceKernelsTest, VectorAdd) {
  for (int64_t n : {0, 1, 255, 256, 257, 1003}) {
    Tensor a = oracle::random(random, {n}, -1, 1, DType::F32);
    Tensor b = oracle::random(random, {n}, -1, 1, DType::F32);
    Tensor want(Shape{n});
    for (int64_t i = 0; i < n; ++i)
      want.data[i] = oracle::roundTo(a.data[i] + b.data[i], DType::F32);
    expect(runFile("vector-add", "vector_add", {a, b}, {n}), want, 0);
  }
}

TEST_F(DeviceKernelsTest, Transpose) {
  for (const Shape &shape :
       {Shape{1, 1}, Shape{32, 32}, Shape{65, 100}, Shape{200, 7}}) {
    Tensor x = oracle::random(random, shape, -1, 1, DType::F32);
    Shape turned = {shape[1], shape[0]};
    Tensor want = oracle::rearrange(x, "ab", "ba", turned);
    Simulation result = runFile("transpose", "transpose", {x}, turned);
    expect(result, want, 0);
    // The padding is there against bank conflicts.
    EXPECT_EQ(result.statistics["transpose"].bankConflicts(), 0);
  }
}

TEST_F(DeviceKernelsTest, LargeWorkgroupMemory) {
  Tensor x = oracle::random(random, {1, 160, 160}, -1, 1, DType::F32);
  Simulation result =
      runFile("large-workgroup", "transpose_160", {x}, {1, 160, 160});
  expect(result, oracle::rearrange(x, "nab", "nba", {1, 160, 160}), 0);
  EXPECT_EQ(result.statistics["transpose_160"].workgroupBytes, 161 * 160 * 4);
  // Reading columns of 160 floats: all lanes in the same bank.
  EXPECT_GT(result.statistics["transpose_160"].bankConflicts(), 0);
}

TEST_F(DeviceKernelsTest, TwoKernels) {
  Tensor x = oracle::random(random, {7, 300}, -1, 1, DType::F32);
  Tensor bias = oracle::random(random, {300}, -1, 1, DType::F32);
  Tensor want = x;
  for (int64_t i = 0; i < want.size(); ++i)
    want.data[i] = std::max(x.data[i] + bias.data[i % 300], 0.0);
  Simulation result = runFile("two-kernels", "bias_relu", {x, bias}, {7, 300});
  expect(result, want, 1e-6);
  EXPECT_EQ(result.statistics["bias_relu"].launches, 2);
}

TEST_F(DeviceKernelsTest, Softmax) {
  for (const Shape &shape : {Shape{1, 1}, Shape{5, 77}, Shape{13, 31}}) {
    Tensor x = oracle::random(random, shape, -3, 3, DType::F16);
    Tensor scaled = oracle::map(x, [](double value) { return 0.5 * value; });
    expect(runFile("softmax", "softmax", {x, Tensor(Shape{}, 0.5)}, shape),
           oracle::softmax(scaled, 1).result, 4e-6);
  }
}

TEST_F(DeviceKernelsTest, Products) {
  for (auto [file, entry, type] :
       {std::tuple("mma-f16", "mma_f16", DType::F16),
        std::tuple("mma-bf16", "mma_bf16", DType::BF16)})
    for (auto [m, n, k] :
         {std::tuple<int64_t, int64_t, int64_t>(16, 8, 16), {48, 40, 80}}) {
      Tensor a = oracle::random(random, {m, k}, -1, 1, type);
      Tensor b = oracle::random(random, {n, k}, -1, 1, type);
      expect(runFile(file, entry, {a, b}, {m, n}),
             oracle::contract("mk,nk->mn", a, b), 1e-5);
    }
}

TEST_F(DeviceKernelsTest, Shuffles) {
  for (auto [entry, type, columns] :
       {std::tuple("swap_f16", DType::F16, 1),
        std::tuple("swap_2xf16", DType::F16, 2),
        std::tuple("swap_3xbf16", DType::BF16, 3),
        std::tuple("swap_4xf32", DType::F32, 4),
        std::tuple("swap_f64", DType::F64, 1),
        std::tuple("swap_i8", DType::I8, 1),
        std::tuple("swap_i64", DType::I64, 1),
        std::tuple("swap_16xi8", DType::I8, 16)}) {
    Tensor x = oracle::random(random, {32, columns}, -100, 100, type);
    Tensor want(Shape{32, columns});
    for (int64_t row = 0; row < 32; ++row)
      for (int64_t column = 0; column < columns; ++column)
        want.at({row, column}) = x.at({row ^ 1, column});
    expect(runFile("shuffle", entry, {x}, {32, columns}), want, 0);
  }
}
