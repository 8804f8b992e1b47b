//===- SoftCapTest.cpp - Soft caps as GPUs compute them -------------------===//
//
// cap * tanh(x * factor), lowered to polynomials and functions of a GPU in
// branches that a subgroup votes about (docs/Decisions/0131), and interpreted.
// The reference is tanh of f64.
//
//===----------------------------------------------------------------------===//

#include "SIMTTest.h"

#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <cstdio>
#include <limits>

using namespace linalg_ext_test;
using namespace mlir;
using oracle::Tensor;

namespace {
class SoftCapTest : public SIMTTest {
protected:
  /// The elements of a thread, and of the threads of a subgroup.
  static constexpr int64_t kWidth = 16, kElements = 32 * kWidth;

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9e", value);
    return text;
  }

  /// Runs a subgroup, and returns cap * tanh(x * factor), and 2 to its power
  /// behind it.
  Simulation runCap(const Tensor &x, double factor, double cap) {
    auto constant = [](const char *name, double value) {
      return "%" + std::string(name) + " = arith.constant dense<" +
             number(value) + "> : vector<16xf32>\n";
    };
    std::string body = constant("factor", factor) + constant("cap", cap) + R"(
      %c512 = arith.constant 512 : index
      %at = arith.muli %tx, %c16 : index
      %behind = arith.addi %at, %c512 : index
      %v = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      %scaled = arith.mulf %v, %factor : vector<16xf32>
      %t = math.tanh %scaled fastmath<afn> : vector<16xf32>
      %s = arith.mulf %t, %cap : vector<16xf32>
      %p = math.exp2 %s fastmath<afn> : vector<16xf32>
      vector.store %s, %out[%at] : memref<1024xf32>, vector<16xf32>
      vector.store %p, %out[%behind] : memref<1024xf32>, vector<16xf32>)";
    Simulation result;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        kernel("%x: memref<512xf32>, %out: memref<1024xf32>", body), context);
    if (!module) {
      result.error = "cannot be parsed";
      return result;
    }
    context->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    PassManager passes(context);
    passes.addPass(createGpuKernelOutliningPass());
    if (failed(passes.run(*module))) {
      result.error = "cannot be outlined";
      return result;
    }
    for (auto kernels : module->getOps<gpu::GPUModuleOp>())
      if (failed(linalg_ext::lowerMath(kernels,
                                       nvgpu_ext::getMathInstructions(),
                                       /*contract=*/true,
                                       /*exactDivision=*/false))) {
        result.error = "cannot be lowered";
        return result;
      }
    bool hasTanh = false;
    module->walk([&](math::TanhOp) { hasTanh = true; });
    EXPECT_FALSE(hasTanh) << "the interpreter would call std::tanh";
    SimulationOptions options;
    options.uninitialized = {1};
    return simulate(*module, "main", {x, Tensor({2 * kElements})}, options);
  }

  /// Compares a subgroup with tanh of f64. Errors are relative to the cap: the
  /// polynomials have 2^-21 of the result, the function less of 1.
  void expectCap(const Tensor &x, double factor, double cap) {
    SCOPED_TRACE(number(factor) + " " + number(cap));
    Simulation result = runCap(x, factor, cap);
    ASSERT_TRUE(result.ok()) << result.error;
    const std::vector<double> &got = result.arguments.back().data;
    for (int64_t i = 0; i < kElements; ++i) {
      double want = cap * std::tanh(x.data[i] * factor);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got[i])) << x.data[i];
        EXPECT_TRUE(std::isnan(got[i + kElements])) << x.data[i];
        continue;
      }
      double error = std::ldexp(std::abs(cap), -20);
      ASSERT_NEAR(got[i], want, error) << x.data[i];
      double power = std::exp2(want);
      ASSERT_NEAR(got[i + kElements], power,
                  power * (std::exp2(error) - 1 + std::ldexp(1, -20)) + 1e-37)
          << x.data[i];
    }
  }

  oracle::Random random{131};
};
} // namespace

/// Scores that are small in the whole subgroup, and that are not: each number
/// of terms, and functions. Factors whose powers join the coefficients, and
/// those whose powers f32 does not have.
TEST_F(SoftCapTest, EachBranch) {
  for (double cap : {1.0, 30.0, 50.0, -20.0})
    for (double factor : {1.0, 1.0 / 30, 1.0 / 1500, 3000.0, -0.125, 250.0})
      for (double largest :
           {0.01, 0.3, 0.32, 0.49, 0.51, 1.12, 1.13, 4.0, 20.0, 1000.0}) {
        double bound = largest / std::abs(factor);
        Tensor x = oracle::random(random, {kElements}, -bound, bound,
                                  oracle::DType::F32);
        // Of one lane alone.
        x.data[random.integer(0, kElements - 1)] =
            oracle::roundTo(bound, oracle::DType::F32);
        x.data[random.integer(0, kElements - 1)] = 0;
        expectCap(x, factor, cap);
      }
}

/// One score that is infinite or no number, in a subgroup of small ones.
TEST_F(SoftCapTest, InfinitiesAndNaN) {
  double infinity = std::numeric_limits<double>::infinity();
  for (double special :
       {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    Tensor x =
        oracle::random(random, {kElements}, -0.2, 0.2, oracle::DType::F32);
    x.data[random.integer(0, kElements - 1)] = special;
    expectCap(x, 1.0, 30.0);
  }
}
