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
    return run("%x: memref<512xf32>, %out: memref<1024xf32>", body,
               {x, Tensor({2 * kElements})});
  }

  /// Lowers and runs the kernel `body` on `arguments`.
  Simulation run(const std::string &parameters, const std::string &body,
                 const std::vector<Tensor> &arguments) {
    Simulation result;
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kernel(parameters, body), context);
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
    hasIntegers = false;
    module->walk([&](arith::MaxSIOp) { hasIntegers = true; });
    SimulationOptions options;
    options.uninitialized = {static_cast<unsigned>(arguments.size() - 1)};
    return simulate(*module, "main", arguments, options);
  }

  /// Whether maxima of integers were compared.
  bool hasIntegers = false;

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

  /// A step of an online softmax of 16 rows of 32 scores: a thread has two rows
  /// of 8, four threads have the same rows, and `old` are the maxima before.
  /// Returns powers, and the new maximum and the factor of what was summed
  /// before, of each thread.
  Simulation runRows(const Tensor &x, const Tensor &old, double factor,
                     double cap) {
    std::string elements, maxima[2];
    for (int i = 0; i < kWidth; ++i) {
      std::string n = std::to_string(i);
      elements += "%e" + n + " = vector.extract %v[" + n +
                  "] : f32 from vector<16xf32>\n";
      if (i >= 2)
        elements += "%m" + n + " = arith.maximumf %" + (i < 4 ? "e" : "m") +
                    std::to_string(i - 2) + ", %e" + n + " : f32\n";
    }
    std::string shuffles;
    for (int row : {0, 1})
      for (int step : {0, 1}) {
        std::string from = step == 0 ? "%m" + std::to_string(14 + row)
                                     : "%q" + std::to_string(row) + "0";
        std::string to = std::to_string(row) + std::to_string(step);
        shuffles += "%s" + to + ", %valid" + to + " = gpu.shuffle xor " + from +
                    ", %d" + std::to_string(step) + ", %c32i : f32\n" + "%q" +
                    to + " = arith.maximumf " + from + ", %s" + to + " : f32\n";
      }
    std::string body = "%factor = arith.constant dense<" + number(factor) +
                       "> : vector<16xf32>\n%factor2 = arith.constant dense<" +
                       number(factor) + "> : vector<2xf32>\n" +
                       "%cap = arith.constant dense<" + number(cap) +
                       "> : vector<16xf32>\n%cap2 = arith.constant dense<" +
                       number(cap) + "> : vector<2xf32>\n" + R"(
      %none = arith.constant dense<0xFF800000> : vector<2xf32>
      %zero = arith.constant dense<0.0> : vector<2xf32>
      %d0 = arith.constant 1 : i32
      %d1 = arith.constant 2 : i32
      %c32i = arith.constant 32 : i32
      %c512 = arith.constant 512 : index
      %c576 = arith.constant 576 : index
      %at = arith.muli %tx, %c16 : index
      %row = arith.muli %tx, %c2 : index
      %v = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      %before = vector.load %old[%row] : memref<64xf32>, vector<2xf32>
      %scaled = arith.mulf %v, %factor : vector<16xf32>
      %t = math.tanh %scaled fastmath<afn> : vector<16xf32>
)" + elements + shuffles +
                       R"(
      %rows = vector.from_elements %q01, %q11 : vector<2xf32>
      %scaled2 = arith.mulf %rows, %factor2 : vector<2xf32>
      %bent = math.tanh %scaled2 fastmath<afn> : vector<2xf32>
      %capped = arith.mulf %bent, %cap2 : vector<2xf32>
      %now = arith.maximumf %before, %capped : vector<2xf32>
      %is_none = arith.cmpf oeq, %now, %none : vector<2xf32>
      %most = arith.select %is_none, %zero, %now : vector<2xi1>, vector<2xf32>
      %less = arith.subf %before, %most : vector<2xf32>
      %again = math.exp2 %less : vector<2xf32>
      %s = arith.mulf %t, %cap : vector<16xf32>
      %all = vector.shuffle %most, %most [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1] : vector<2xf32>, vector<2xf32>
      %exponent = arith.subf %s, %all : vector<16xf32>
      %p = math.exp2 %exponent : vector<16xf32>
      vector.store %p, %out[%at] : memref<640xf32>, vector<16xf32>
      %at_now = arith.addi %row, %c512 : index
      vector.store %now, %out[%at_now] : memref<640xf32>, vector<2xf32>
      %at_again = arith.addi %row, %c576 : index
      vector.store %again, %out[%at_again] : memref<640xf32>, vector<2xf32>)";
    return run(
        "%x: memref<512xf32>, %old: memref<64xf32>, %out: memref<640xf32>",
        body, {x, old, Tensor({kElements + 128})});
  }

  /// Compares a step with f64, within the error of tanh, and 2^-26 of each
  /// power.
  void expectRows(const Tensor &x, const Tensor &old, double factor, double cap,
                  bool ofIntegers) {
    SCOPED_TRACE(number(factor) + " " + number(cap));
    Simulation result = runRows(x, old, factor, cap);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_EQ(hasIntegers, ofIntegers);
    const std::vector<double> &got = result.arguments.back().data;
    double error = std::ldexp(cap, -20);
    for (int64_t thread = 0; thread < 32; ++thread)
      for (int64_t row : {0, 1}) {
        double most = -std::numeric_limits<double>::infinity();
        bool isNumber = true;
        for (int64_t i = 0; i < 32; ++i) {
          int64_t other = thread / 4 * 4 + i / 8;
          double score = x.data[other * kWidth + i % 8 * 2 + row];
          isNumber &= !std::isnan(score);
          most = std::max(most, cap * std::tanh(score * factor));
        }
        double before = old.data[2 * thread + row];
        double now = std::max(most, before);
        for (int64_t i = 0; i < 8 && !isNumber; ++i)
          if (std::isnan(x.data[thread * kWidth + 2 * i + row])) {
            EXPECT_TRUE(std::isnan(got[thread * kWidth + 2 * i + row]));
          }
        if (!isNumber)
          continue;
        ASSERT_NEAR(got[kElements + 2 * thread + row], now, error);
        ASSERT_NEAR(got[kElements + 64 + 2 * thread + row],
                    std::exp2(before - now), 2 * error);
        for (int64_t i = 0; i < 8; ++i) {
          int64_t at = thread * kWidth + 2 * i + row;
          double power = std::exp2(cap * std::tanh(x.data[at] * factor) - now);
          ASSERT_NEAR(got[at], power, 2 * error * power + std::ldexp(1, -26))
              << x.data[at];
        }
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

/// Rows of small and of large scores, with maxima that are negative before, in
/// the scores, or in both; caps with which powers of small scores are small,
/// and others.
TEST_F(SoftCapTest, Rows) {
  for (auto [cap, ofIntegers] :
       {std::pair(43.3, true), std::pair(72.1, true), std::pair(20.0, false)})
    for (double least : {-0.25, -0.7, -1.0, -40.0})
      for (double largest : {-0.2, 0.0, 0.3, 0.5, 1.0, 8.0})
        for (double before : {-4.0, 0.0, 5.0}) {
          double factor = 1.0 / 30;
          Tensor x = oracle::random(random, {kElements}, least / factor,
                                    std::max(largest, least / 2) / factor,
                                    oracle::DType::F32);
          Tensor old = oracle::random(random, {16}, before - 1, before + 1,
                                      oracle::DType::F32);
          if (before < 0)
            for (int64_t i = 0; i < 16; i += 3)
              old.data[i] = -std::numeric_limits<double>::infinity();
          Tensor ofThreads({64});
          for (int64_t i = 0; i < 64; ++i)
            ofThreads.data[i] = old.data[i / 8 * 2 + i % 2];
          expectRows(x, ofThreads, factor, cap, ofIntegers);
        }
}

/// One score that is infinite or no number, in rows of small ones.
TEST_F(SoftCapTest, InfinitiesAndNaNInRows) {
  double infinity = std::numeric_limits<double>::infinity();
  double none = std::numeric_limits<double>::quiet_NaN();
  for (double special : {infinity, -infinity, none, -none, -0.0})
    for (double largest : {-0.1, 0.2}) {
      Tensor x = oracle::random(random, {kElements}, -0.2, largest,
                                oracle::DType::F32);
      x.data[random.integer(0, kElements - 1)] = special;
      Tensor old({64});
      for (double &before : old.data)
        before = -infinity;
      expectRows(x, old, 1.0, 43.3, true);
      for (double &before : old.data)
        before = 1;
      expectRows(x, old, 1.0, 43.3, true);
    }
}
