//===- HopperTest.cpp - Kernels with roles and rings ----------------------===//
//
// Whole kernels of HopperKernels.h against the oracle, in every order of
// execution. Then each wait, arrival, expectation, release and fence is taken
// out in turn, and each parity, count and number of bytes is changed, which
// must be found.
//
//===----------------------------------------------------------------------===//

#include "HopperKernels.h"
#include "SIMTTest.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace linalg_ext_test;
using mlir::linalg_ext::simt::Options;
using oracle::DType;
using oracle::Shape;
using oracle::Tensor;

namespace {
const Options::Order orders[] = {Options::Order::CopiesFirst,
                                 Options::Order::CopiesLast,
                                 Options::Order::Seeded};

class HopperTest : public SIMTTest {
protected:
  Simulation runIn(Options::Order order, const std::string &text,
                   llvm::ArrayRef<Tensor> inputs) {
    SimulationOptions options;
    options.uninitialized = {static_cast<unsigned>(inputs.size()) - 1};
    options.interpreter.order = order;
    options.interpreter.seed = 7;
    options.interpreter.maxOps = 1000000;
    return run(text, inputs, options);
  }

  /// The largest difference. It is infinite if there is a NaN.
  static double getError(const Tensor &got, const Tensor &want) {
    double error = 0;
    for (int64_t i = 0; i < want.size(); ++i) {
      double difference = std::abs(got.data[i] - want.data[i]);
      if (std::isnan(difference))
        return std::numeric_limits<double>::infinity();
      error = std::max(error, difference);
    }
    return error;
  }

  /// Expects the last argument to become `want` in every order.
  void expectRight(const std::string &text, llvm::ArrayRef<Tensor> inputs,
                   const Tensor &want, double bound) {
    for (Options::Order order : orders) {
      Simulation result = runIn(order, text, inputs);
      ASSERT_TRUE(result.ok()) << result.error;
      EXPECT_LE(getError(result.arguments.back(), want), bound);
    }
  }

  /// Whether a run in some order fails or is wrong; `error` says how.
  bool isFound(const std::string &text, llvm::ArrayRef<Tensor> inputs,
               const Tensor &want, double bound, std::string &error) {
    for (Options::Order order : orders) {
      Simulation result = runIn(order, text, inputs);
      error = result.error;
      if (error.find("cannot be parsed") != std::string::npos)
        return false;
      if (!result.ok())
        return true;
      error = "wrong";
      if (!(getError(result.arguments.back(), want) <= bound))
        return true;
    }
    return false;
  }

  /// Returns what may take the place of a marked line: nothing, and the same
  /// with another number.
  static std::vector<std::string> getMutations(const std::string &line) {
    std::vector<std::string> mutations = {""};
    auto has = [&](const char *part) {
      return line.find(part) != std::string::npos;
    };
    // The operand behind the barrier becomes %changed, which is `op` of it.
    auto change = [&](const std::string &op) {
      size_t begin = line.find("], ") + 3,
             end = line.find_first_of(" ,", begin);
      std::string changed = line;
      changed.replace(begin, end - begin, "%changed");
      mutations.push_back("%changed = arith." + op.substr(0, op.find(' ')) +
                          " " + line.substr(begin, end - begin) + ", " +
                          op.substr(op.find(' ') + 1) + "\n" + changed);
    };
    if (has("try_wait.parity"))
      change("xori %flip : i1");
    if (has("expect_tx"))
      for (const char *op : {"addi", "subi"})
        change(op + std::string(" %sixteen : index"));
    if (has("nvgpu.mbarrier.init"))
      for (const char *op : {"addi", "subi"})
        change(op + std::string(" %unit : index"));
    for (std::string wait : {"wait.group.sync.aligned ", "bulk.wait_group "})
      if (size_t at = line.find(wait); at != std::string::npos) {
        mutations.push_back(line);
        mutations.back()[at + wait.size()] = '1';
      }
    return mutations;
  }

  /// Mutates each marked line in turn, and expects that to be found.
  void expectMutationsFound(const std::string &text,
                            llvm::ArrayRef<Tensor> inputs, const Tensor &want,
                            double bound) {
    size_t at = 0;
    std::vector<std::string> lines = getMarkedLines(text);
    ASSERT_FALSE(lines.empty());
    for (const std::string &line : lines) {
      at = text.find(line, at);
      ASSERT_NE(at, std::string::npos);
      for (const std::string &by : getMutations(line)) {
        std::string mutated = text, error;
        mutated.replace(at, line.size(), by);
        EXPECT_TRUE(isFound(mutated, inputs, want, bound, error))
            << line << "\n-> " << by << "\n"
            << error;
      }
      at += line.size();
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

namespace {
struct Product {
  Tensor a, b, c, want;
};
} // namespace

static Product makeProduct(const ProductKernel &kernel, int64_t m, int64_t n,
                           int64_t k, uint64_t seed) {
  oracle::Random random(seed);
  auto getType = [](const std::string &name) {
    return name == "bf16"       ? DType::BF16
           : name == "f8E4M3FN" ? DType::F8E4M3FN
           : name == "f8E5M2"   ? DType::F8E5M2
                                : DType::F16;
  };
  Product product;
  auto make = [&](int64_t size, bool isKMajor, const std::string &type) {
    return oracle::random(random, isKMajor ? Shape{size, k} : Shape{k, size},
                          -1, 1, getType(type));
  };
  product.a = make(m, !kernel.transposedA, kernel.type);
  product.b = make(n, kernel.transposed,
                   kernel.typeB.empty() ? kernel.type : kernel.typeB);
  product.c = Tensor(Shape{m, n});
  std::string dims = kernel.transposedA ? "km," : "mk,";
  product.want = oracle::contract(
      dims + (kernel.transposed ? "nk->mn" : "kn->mn"), product.a, product.b);
  return product;
}

TEST_F(HopperTest, Product) {
  for (int parts : {1, 2})
    for (int slots : {1, 2, 3})
      for (auto [m, n, k] : std::vector<std::array<int64_t, 3>>{
               {64 * parts, 64, 64}, {100, 72, 200}}) {
        ProductKernel kernel;
        kernel.parts = parts;
        kernel.slots = slots;
        Product p = makeProduct(kernel, m, n, k, 1);
        expectRight(kernel.build(), {p.a, p.b, p.c}, p.want, 1e-4);
      }
}

TEST_F(HopperTest, ProductInEveryArrangement) {
  for (int swizzle : {32, 64, 128})
    for (bool transposedA : {false, true})
      for (bool transposed : {false, true})
        for (const char *type : {"f16", "bf16", "f32"}) {
          // The hardware transposes no tf32.
          if ((transposedA || !transposed) && type == std::string("f32"))
            continue;
          ProductKernel kernel;
          kernel.parts = transposedA ? 2 : 1;
          kernel.swizzle = swizzle;
          kernel.transposedA = transposedA;
          kernel.transposed = transposed;
          kernel.type = type;
          Product p = makeProduct(kernel, 72, 64, 136, 2);
          expectRight(kernel.build(), {p.a, p.b, p.c}, p.want, 1e-4);
        }
}

TEST_F(HopperTest, ProductOfEightBits) {
  for (int swizzle : {32, 64, 128})
    for (const char *type : {"f8E4M3FN", "f8E5M2"})
      for (const char *typeB : {"f8E4M3FN", "f8E5M2"}) {
        ProductKernel kernel;
        kernel.parts = swizzle == 64 ? 2 : 1;
        kernel.swizzle = swizzle;
        kernel.type = type;
        kernel.typeB = typeB;
        Product p = makeProduct(kernel, 72, 64, 208, 2);
        expectRight(kernel.build(), {p.a, p.b, p.c}, p.want, 1e-4);
      }
}

// Loops are so long that a wrong count of arrivals shows.
TEST_F(HopperTest, ProductMutations) {
  ProductKernel kernel;
  Product p = makeProduct(kernel, 64, 64, 9 * 64, 3);
  expectMutationsFound(kernel.build(), {p.a, p.b, p.c}, p.want, 1e-4);
}

TEST_F(HopperTest, ProductMutationsOfTwoParts) {
  ProductKernel kernel;
  kernel.parts = 2;
  kernel.slots = 1;
  Product p = makeProduct(kernel, 128, 64, 5 * 64, 4);
  expectMutationsFound(kernel.build(), {p.a, p.b, p.c}, p.want, 1e-4);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
struct Attention {
  Tensor q, k, v, o, want;
};
} // namespace

static Attention makeAttention(int64_t m, int64_t n, uint64_t seed) {
  oracle::Random random(seed);
  Attention attention;
  attention.q = oracle::random(random, {m, 64}, -0.5, 0.5, DType::F16);
  attention.k = oracle::random(random, {n, 64}, -1, 1, DType::F16);
  attention.v = oracle::random(random, {n, 64}, -1, 1, DType::F16);
  attention.o = Tensor(Shape{m, 64});
  Tensor scores = oracle::contract("mk,nk->mn", attention.q, attention.k);
  attention.want = oracle::contract(
      "mn,nd->md", oracle::softmax(scores, 1).result, attention.v);
  return attention;
}

TEST_F(HopperTest, Attention) {
  for (int parts : {1, 2})
    for (auto [m, n] : std::vector<std::pair<int64_t, int64_t>>{
             {64, 64}, {100, 200}, {130, 17}}) {
      AttentionKernel kernel;
      kernel.parts = parts;
      kernel.turns = parts == 2;
      Attention a = makeAttention(m, n, 5);
      expectRight(kernel.build(), {a.q, a.k, a.v, a.o}, a.want, 2e-3);
    }
}

TEST_F(HopperTest, AttentionMutations) {
  AttentionKernel kernel;
  Attention a = makeAttention(64, 9 * 64, 6);
  expectMutationsFound(kernel.build(), {a.q, a.k, a.v, a.o}, a.want, 2e-3);
}

TEST_F(HopperTest, AttentionMutationsOfTurns) {
  AttentionKernel kernel;
  kernel.parts = 2;
  kernel.slots = 1;
  kernel.turns = true;
  Attention a = makeAttention(128, 192, 7);
  expectMutationsFound(kernel.build(), {a.q, a.k, a.v, a.o}, a.want, 2e-3);
}

/// Starts to wait for the products behind the release of what they read.
TEST_F(HopperTest, EarlyReleaseIsFound) {
  ProductKernel kernel;
  Product p = makeProduct(kernel, 64, 64, 320, 8);
  std::string text = kernel.build(), error;
  std::string wait = "nvvm.wgmma.wait.group.sync.aligned 0 // @wait-product\n";
  text.erase(text.find(wait), wait.size());
  text.insert(text.find("scf.yield", text.find("// @release0")), wait);
  EXPECT_TRUE(isFound(text, {p.a, p.b, p.c}, p.want, 1e-4, error));
  EXPECT_NE(error.find("data race: a copy writes what was read by the products "
                       "of warpgroup 0"),
            std::string::npos)
      << error;
}
