//===- AMDTest.cpp - Kernels for AMD GPUs ---------------------------------===//
//
// Attention, products and norms for each family of AMD GPUs, with subgroups of
// 64 and of 32 lanes.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "mlir/Parser/Parser.h"

#include <array>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
/// The parameter is the chip.
class AMDTest : public GPUTest,
                public ::testing::WithParamInterface<const char *> {
protected:
  static GPUOptions makeOptions() {
    GPUOptions options;
    options.rows = options.columns = options.keys = options.reduction = 0;
    options.chip = GetParam();
    return options;
  }

  /// Checks `spec`, and that it is one kernel on matrix cores.
  static void checkFused(const AttentionSpec &spec) {
    GPUOutcome outcome = check(spec, makeOptions());
    EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
    EXPECT_EQ(outcome.total().launches, 1) << outcome.remarks;
    EXPECT_GT(outcome.total().mmas, 0) << outcome.remarks;
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Chips, AMDTest,
                         ::testing::Values("gfx90a", "gfx942", "gfx950",
                                           "gfx1100", "gfx1200"),
                         [](const auto &info) { return info.param; });

TEST_P(AMDTest, Attention) {
  for (DType type : {DType::F16, DType::BF16})
    checkFused(makeSpec(64, 128, 64, type));
}

TEST_P(AMDTest, CausalAttentionOfAnyLength) {
  AttentionSpec spec = makeSpec(70, 130, 64, DType::F16);
  spec.mask = MaskForm::Causal;
  for (const char *dynamic : {"", "mn"}) {
    spec.dynamic = dynamic;
    checkFused(spec);
  }
}

/// Where results of all columns are too much for the registers of a subgroup, two
/// subgroups share rows.
TEST_P(AMDTest, WideHeads) {
  AttentionSpec spec = makeSpec(70, 45, 256, DType::F16);
  spec.mask = MaskForm::Causal;
  spec.dynamic = "mn";
  checkFused(spec);
}

/// Two heads of queries for each head of keys.
TEST_P(AMDTest, GroupedQueries) {
  AttentionSpec spec = addBatch(makeSpec(33, 65, 32), "hg", "h");
  spec.dynamic = "mn";
  checkFused(spec);
}

/// What only gfx950 has: tiles that are transposed where they are loaded from
/// LDS, and that are copied there without registers. With every length of keys,
/// copies are partly, or all, of what does not exist.
TEST_P(AMDTest, TransposingLoadsAndCopies) {
  if (llvm::StringRef(GetParam()) != "gfx950")
    GTEST_SKIP() << "has neither";
  for (auto [transposes, copies] :
       {std::pair(true, false), std::pair(false, true), std::pair(true, true)})
    for (auto [queries, keys, depth] : std::vector<std::array<int64_t, 3>>{
             {64, 128, 64}, {70, 130, 128}, {33, 65, 64}, {16, 1, 64}})
      for (DType type : {DType::F16, DType::BF16}) {
        GPUOptions options = makeOptions();
        options.transposeLoads = transposes;
        options.laneCopies = copies;
        options.keys = 64;
        AttentionSpec spec = makeSpec(queries, keys, depth, type);
        spec.mask = MaskForm::Causal;
        if (queries % 64)
          spec.dynamic = "mn";
        GPUOutcome outcome = check(spec, options);
        EXPECT_FALSE(outcome.fellBack() || outcome.isScalar())
            << outcome.remarks;
        // Without these loads, what is transposed on its way is not copied.
        if (copies && transposes)
          EXPECT_GT(outcome.total().asyncCopies, 0) << options.describe();
        if (!copies)
          EXPECT_EQ(outcome.total().asyncCopies, 0) << options.describe();
        EXPECT_EQ(llvm::StringRef(outcome.kernels)
                      .contains("amdgpu.transpose_load"),
                  transposes);
      }
}

TEST_P(AMDTest, AttentionInF32) {
  check(makeSpec(33, 65, 64, DType::F32), makeOptions());
}

TEST_P(AMDTest, Matmul) {
  const char *text = R"(
func.func @main(%a: tensor<[M]x[K]xTYPE>, %b: tensor<[K]x[N]xTYPE>) -> tensor<[M]x[N]xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<[M]x[K]xTYPE>
  %n = tensor.dim %b, %c1 : tensor<[K]x[N]xTYPE>
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e = tensor.cast %d : tensor<?x?xf32> to tensor<[M]x[N]xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  %r = linalg.matmul ins(%a, %b : tensor<[M]x[K]xTYPE>, tensor<[K]x[N]xTYPE>)
    outs(%f : tensor<[M]x[N]xf32>) -> tensor<[M]x[N]xf32>
  return %r : tensor<[M]x[N]xf32>
})";
  Random random(1);
  for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
           {64, 64, 32}, {33, 70, 40}, {33, 72, 40}, {128, 128, 64}})
    for (auto [type, name] :
         {std::pair(DType::F16, "f16"), std::pair(DType::BF16, "bf16"),
          std::pair(DType::F32, "f32")}) {
      // Sizes that tiles do not divide are dynamic.
      bool isDynamic = m % 16;
      std::string program = text;
      for (size_t at; (at = program.find("TYPE")) != std::string::npos;)
        program.replace(at, 4, name);
      Tensor a = oracle::random(random, {m, k}, -1, 1, type),
             b = oracle::random(random, {k, n}, -1, 1, type);
      Bounded want = oracle::contract("mk,kn->mn", a, b, DType::F32);
      SCOPED_TRACE(std::string(name) + (isDynamic ? " dynamic" : ""));
      for (bool copies : {false, true}) {
        GPUOptions options = makeOptions();
        options.transposeLoads = options.laneCopies = copies;
        if (copies && options.chip != "gfx950")
          continue;
        GPUOutcome outcome = check(fill(program, "MNK", {m, n, k}, isDynamic),
                                   options, {a, b}, {want});
        EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
        if (type != DType::F32)
          EXPECT_GT(outcome.total().mmas, 0) << outcome.remarks;
        // Rows of a dynamic length, too, if they are aligned.
        if (n % 8 == 0)
          EXPECT_GT(outcome.total().bufferLoads, 0) << outcome.kernels;
      }
    }
}
