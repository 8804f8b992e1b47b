//===- AsyncProductsTest.cpp - Products of tiles in shared memory ---------===//
//
// Products whose operands are copied to shared memory as whole tiles, and read
// there by asynchronous instructions: every contiguous dimension, several tile
// sizes, epilogues, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class AsyncProductsTest : public GPUTest {
protected:
  /// Options for tiles of rows x columns x reduction.
  static GPUOptions makeOptions(int64_t rows, int64_t columns,
                                int64_t reduction, int64_t threads = 128) {
    GPUOptions options;
    options.rows = rows;
    options.columns = columns;
    options.reduction = reduction;
    options.threads = threads;
    options.chip = "sm_90a";
    options.asyncProducts = true;
    return options;
  }

  static bool isAsynchronous(const GPUOutcome &outcome) {
    return outcome.kernels.find("vector_ext.async_mma") != std::string::npos &&
           outcome.kernels.find("nvgpu.tma.async.load") != std::string::npos;
  }

  /// Contracts `lhs` and `rhs`, whose dimensions are named, to "mn".
  static GPUOutcome contract(const std::string &lhs, const std::string &rhs,
                             std::array<int64_t, 3> sizes, DType type,
                             const GPUOptions &options, bool narrows = false);
};
} // namespace

GPUOutcome AsyncProductsTest::contract(const std::string &lhs,
                                       const std::string &rhs,
                                       std::array<int64_t, 3> sizes, DType type,
                                       const GPUOptions &options,
                                       bool narrows) {
  auto [m, n, k] = sizes;
  auto getShape = [&, m = m, n = n, k = k](const std::string &dims) {
    oracle::Shape shape;
    for (char dim : dims)
      shape.push_back(dim == 'm' ? m : dim == 'n' ? n : k);
    return shape;
  };
  auto getType = [&](const std::string &dims, const std::string &element) {
    std::string text = "tensor<";
    for (int64_t size : getShape(dims))
      text += std::to_string(size) + "x";
    return text + element + ">";
  };
  auto getMap = [](const std::string &dims) {
    return std::string("affine_map<(m, n, k) -> (") + dims[0] + ", " + dims[1] +
           ")>";
  };
  std::string element = type == DType::F16 ? "f16" : "bf16";
  std::string a = getType(lhs, element), b = getType(rhs, element),
              c = getType("mn", "f32"),
              r = narrows ? getType("mn", element) : c;
  std::string text =
      "func.func @main(%a: " + a + ", %b: " + b + ") -> " + r +
      R"( {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : )" +
      c + R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : )" +
      c + ") -> " + c + R"(
  %p = linalg.generic {indexing_maps = [)" +
      getMap(lhs) + ", " + getMap(rhs) + ", " + getMap("mn") +
      R"(], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : )" +
      a + ", " + b + ") outs(%f : " + c + R"() {
  ^bb0(%x: )" +
      element + ", %y: " + element + R"(, %s: f32):
    %u = arith.extf %x : )" +
      element + R"( to f32
    %v = arith.extf %y : )" +
      element + R"( to f32
    %w = arith.mulf %u, %v : f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  } -> )" +
      c;
  if (narrows)
    text += R"(
  %g = tensor.empty() : )" +
            r + R"(
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : )" +
            c + ") outs(%g : " + r + R"() {
  ^bb0(%x: f32, %o: )" +
            element + R"():
    %t = arith.truncf %x : f32 to )" +
            element + R"(
    linalg.yield %t : )" +
            element + R"(
  } -> )" + r;
  text +=
      std::string("\n  return ") + (narrows ? "%q" : "%p") + " : " + r + "\n}";

  Random random(7);
  Tensor left = oracle::random(random, getShape(lhs), -1, 1, type),
         right = oracle::random(random, getShape(rhs), -1, 1, type);
  Bounded want =
      oracle::contract(lhs + "," + rhs + "->mn", left, right, DType::F32);
  if (narrows)
    want = oracle::apply(
        want, type, 0, [](double v) { return v; },
        [](double, double e) { return e; });
  return check(text, options, {left, right}, {want});
}

// Each dimension of an operand may be contiguous. Two workgroups along each
// dimension of the result, three iterations.
TEST_F(AsyncProductsTest, Majorness) {
  for (std::string lhs : {"mk", "km"})
    for (std::string rhs : {"kn", "nk"}) {
      SCOPED_TRACE(lhs + " " + rhs);
      GPUOutcome outcome = contract(lhs, rhs, {128, 128, 96}, DType::F16,
                                    makeOptions(64, 64, 32));
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    }
}

// Tiles with other swizzles, one and two groups of four subgroups, results of
// 16 bits.
TEST_F(AsyncProductsTest, Tiles) {
  for (auto [rows, columns, reduction, threads] :
       std::vector<std::array<int64_t, 4>>{{64, 64, 32, 128},
                                           {64, 128, 16, 128},
                                           {128, 32, 64, 256},
                                           {64, 256, 32, 128}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) +
                 " x " + std::to_string(reduction));
    GPUOutcome outcome =
        contract("mk", "kn", {2 * rows, columns, 2 * reduction}, DType::BF16,
                 makeOptions(rows, columns, reduction, threads),
                 /*narrows=*/true);
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
  }
}

// Tiles in one to four slots, loops with fewer and with more iterations than
// slots, and every order of copies and threads.
TEST_F(AsyncProductsTest, Slots) {
  using Order = mlir::linalg_ext::simt::Options::Order;
  for (int64_t slots : {1, 2, 3, 4})
    for (int64_t iterations : {1, 2, 3, 7})
      for (Order order :
           {Order::CopiesFirst, Order::CopiesLast, Order::Seeded}) {
        SCOPED_TRACE(std::to_string(slots) + " slots, " +
                     std::to_string(iterations) + " iterations, order " +
                     std::to_string(static_cast<int>(order)));
        GPUOptions options = makeOptions(64, 16, 16);
        options.stages = slots;
        options.order = order;
        GPUOutcome outcome = contract("mk", "nk", {64, 16, 16 * iterations},
                                      DType::F16, options);
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        // A and B for each iteration, and none beyond.
        EXPECT_EQ(outcome.total().boxCopies, 2 * iterations);
        if (iterations > 1 && slots > 1)
          EXPECT_NE(
              outcome.kernels.find("num_barriers = " + std::to_string(slots)),
              std::string::npos)
              << outcome.kernels;
      }
}

// What has borders, or rows of 100 bytes, is compiled in another way.
TEST_F(AsyncProductsTest, Refused) {
  for (std::array<int64_t, 3> sizes :
       {std::array<int64_t, 3>{100, 64, 64}, {64, 64, 50}}) {
    GPUOutcome outcome =
        contract("mk", "kn", sizes, DType::F16, makeOptions(64, 64, 32));
    EXPECT_FALSE(isAsynchronous(outcome));
    EXPECT_TRUE(outcome.fellBack());
  }
}
