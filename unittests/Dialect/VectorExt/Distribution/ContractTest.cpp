//===- ContractTest.cpp - Distributed contractions, executed --------------===//
//
// Contractions by mma.sync, MFMA and wgmma, of several sizes, shared by subgroups in several
// ways, with operands in any order of dimensions, in registers or promoted; and
// contractions product by product, on random layouts.
//
//===----------------------------------------------------------------------===//

#include "DistributionTest.h"

#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include <map>

using namespace linalg_ext_test;
using mlir::layout::Layout;
using oracle::Index;
using oracle::Random;
using oracle::Shape;
using oracle::Tensor;
using Sizes = std::vector<int64_t>;

namespace {
class DistributedContractTest : public DistributionTest {
protected:
  /// A contraction by the instruction `name` of shape `atom`, for which
  /// `threads` are needed, shared by `split` times as many subgroups.
  std::string checkInstruction(Random &random, const std::string &name,
                               const std::string &type, Threads threads,
                               Sizes atom, Sizes split, bool mayPromoteRhs);
};

/// The dimensions of an operand, as letters of m, n and k.
struct Maps {
  std::string lhs, rhs, acc;
};
} // namespace

static std::string getList(const std::string &dims) {
  std::string text;
  for (char dim : dims)
    text += (text.empty() ? "" : ", ") + std::string(1, dim);
  return "(" + text + ")";
}

static std::string swapIf(bool condition, std::string dims) {
  if (condition)
    std::swap(dims[0], dims[1]);
  return dims;
}

/// The text of the contraction of %a and %b to %c, as %d.
static std::string getContract(const Maps &maps, const std::string &attributes,
                               const std::string &types) {
  std::string domain, iterators, text = "%d = vector.contract {indexing_maps = [";
  for (char dim : std::string("mnk"))
    if ((maps.lhs + maps.rhs).find(dim) != std::string::npos) {
      domain += dim;
      iterators += dim == 'k' ? "\"reduction\"" : "\"parallel\", ";
    }
  for (const std::string &dims : {maps.lhs, maps.rhs, maps.acc})
    text += (text.back() == '[' ? "affine_map<" : ", affine_map<") +
            getList(domain) + " -> " + getList(dims) + ">";
  return text + "], iterator_types = [" + iterators +
         "], kind = #vector.kind<add>" + attributes + "} %a, %b, %c : " +
         types + "\n";
}

std::string DistributedContractTest::checkInstruction(
    Random &random, const std::string &name, const std::string &type,
    Threads threads, Sizes atom, Sizes split, bool mayPromoteRhs) {
  // Subgroups that are too many hold copies.
  threads.subgroups *= split[0] * split[1] * random.pick<int64_t>({1, 1, 2});
  std::map<char, int64_t> sizes = {
      {'m', atom[0] * split[0] * random.integer(1, atom[0] > 16 ? 1 : 2)},
      {'n', atom[1] * split[1] *
                (atom[1] > 8 ? 1 : random.pick<int64_t>({1, 2, 3, 5}))},
      {'k', atom[2] * random.pick<int64_t>({1, 2, 3})}};
  Maps maps = {swapIf(random.chance(0.3), "mk"),
               swapIf(random.chance(0.5), "kn"),
               swapIf(random.chance(0.3), "mn")};
  auto getShape = [&](const std::string &dims) {
    return Sizes{sizes[dims[0]], sizes[dims[1]]};
  };
  Sizes lhs = getShape(maps.lhs), rhs = getShape(maps.rhs),
        acc = getShape(maps.acc);
  // Small integers, whose sums are exact in any order.
  Tensor a = getRandomValues(random, lhs, -4, 4);
  Tensor b = getRandomValues(random, rhs, -4, 4);
  Tensor c = getRandomValues(random, acc, -4, 4), d = c;
  Tensor product =
      oracle::contract(maps.lhs + "," + maps.rhs + "->" + maps.acc, a, b);
  for (int64_t j = 0; j < d.size(); ++j)
    d.data[j] += product.data[j];
  bool promoteLhs = random.chance(0.3), promoteRhs = mayPromoteRhs && random.chance(0.5);
  // Threads have the right operand in registers.
  bool hasRuns = name.compare(0, 5, "wgmma") != 0;
  std::string config =
      ", vector_ext.config = #vector_ext.contract_config<intrinsic = \"" +
      name + "\", subgroups = [" + std::to_string(split[0]) + ", " +
      std::to_string(split[1]) + "], promote = [" +
      (promoteLhs ? "true" : "false") + ", " +
      (promoteRhs ? "true" : "false") + "]" +
      (hasRuns ? random.pick<std::string>(
                     {"", ", runs = \"k\"", ", runs = \"n\""})
               : "") +
      ">";
  std::string body =
      read("a", "lhs", lhs, type) + read("b", "rhs", rhs, type) +
      read("c", "acc", acc, "f32") +
      getContract(maps, config,
                  vectorType(lhs, type) + ", " + vectorType(rhs, type) +
                      " into " + vectorType(acc, "f32")) +
      write("d", "out", acc, "f32");
  return check(threads,
               {{"lhs", memrefType(lhs, type), a},
                {"rhs", memrefType(rhs, type), b},
                {"acc", memrefType(acc, "f32"), c},
                {"out", memrefType(acc, "f32"), d, true}},
               body, /*matrixLoads=*/threads.lanes == 32 && random.chance(0.7));
}

TEST_F(DistributedContractTest, MmaSync) {
  Random random(20);
  for (int i = 0; i < 150; ++i) {
    std::string type = random.pick<std::string>({"f16", "bf16"});
    int64_t k = random.pick<int64_t>({16, 8});
    ASSERT_EQ(
        checkInstruction(
            random, "mma.sync.m16n8k" + std::to_string(k) + ".f32." + type,
            type, {32, 1}, {16, 8, k},
            random.pick<Sizes>({{1, 1}, {1, 2}, {2, 1}, {4, 1}, {2, 2}}), true),
        "")
        << "case " << i;
  }
}

TEST_F(DistributedContractTest, Mfma) {
  Random random(22);
  for (int i = 0; i < 40; ++i) {
    std::string type = random.pick<std::string>({"f16", "bf16"});
    bool isLarge = random.chance(0.5);
    ASSERT_EQ(checkInstruction(random,
                               (isLarge ? "mfma.m32n32k8.f32."
                                        : "mfma.m16n16k16.f32.") +
                                   type,
                               type, {64, 1},
                               isLarge ? Sizes{32, 32, 8} : Sizes{16, 16, 16},
                               random.pick<Sizes>({{1, 1}, {1, 2}, {2, 1}}),
                               true),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedContractTest, Wgmma) {
  Random random(23);
  for (int i = 0; i < 24; ++i) {
    std::string type = random.pick<std::string>({"f16", "bf16"});
    int64_t n = random.pick<int64_t>({8, 16, 24, 32, 64, 80});
    ASSERT_EQ(checkInstruction(
                  random, "wgmma.m64n" + std::to_string(n) + "k16.f32." + type,
                  type, {32, 4}, {64, n, 16},
                  random.pick<Sizes>({{1, 1}, {1, 1}, {2, 1}}), true),
              "")
        << "case " << i;
  }
}

TEST_F(DistributedContractTest, Products) {
  Random random(21);
  for (int i = 0; i < 250; ++i) {
    Threads threads = getRandomThreads(random);
    std::map<char, int64_t> sizes;
    for (char dim : {'m', 'n', 'k'})
      sizes[dim] = random.pick<int64_t>({1, 2, 3, 4, 8, 10, 16});
    Maps maps = {swapIf(random.chance(0.5), "mk"),
                 swapIf(random.chance(0.5), "kn"),
                 swapIf(random.chance(0.5), "mn")};
    // A matrix by a vector, and a vector by a matrix.
    int kind = random.integer(0, 3);
    if (kind == 0)
      maps.rhs = "k", maps.acc = "m";
    else if (kind == 1)
      maps.lhs = "k", maps.acc = "n";
    auto getShape = [&](const std::string &dims) {
      Sizes shape;
      for (char dim : dims)
        shape.push_back(sizes[dim]);
      return shape;
    };
    Sizes lhs = getShape(maps.lhs), rhs = getShape(maps.rhs),
          acc = getShape(maps.acc);
    std::string type = random.pick<std::string>({"f32", "f16", "i8", "i32"});
    std::string accType = type[0] == 'f' ? "f32" : "i32";
    Tensor a = getRandomValues(random, lhs, -4, 4);
    Tensor b = getRandomValues(random, rhs, -4, 4);
    Tensor c = getRandomValues(random, acc, -4, 4), d = c;
    Tensor product =
        oracle::contract(maps.lhs + "," + maps.rhs + "->" + maps.acc, a, b);
    for (int64_t j = 0; j < d.size(); ++j)
      d.data[j] += product.data[j];
    std::string contract =
        getContract(maps, "",
                    vectorType(lhs, type) + ", " + vectorType(rhs, type) +
                        " into " + vectorType(acc, accType));
    auto ask = [&](const std::string &result, const std::string &name,
                   const Sizes &shape, const std::string &element) {
      return toLayout(result, name, getRandomLayout(random, shape, threads, 32),
                      vectorType(shape, element));
    };
    std::string body =
        read("ra", "lhs", lhs, type) + ask("a", "ra", lhs, type) +
        read("rb", "rhs", rhs, type) + ask("b", "rb", rhs, type) +
        read("rc", "acc", acc, accType) + ask("c", "rc", acc, accType) +
        contract + ask("e", "d", acc, accType) + write("e", "out", acc, accType);
    ASSERT_EQ(check(threads,
                    {{"lhs", memrefType(lhs, type), a},
                     {"rhs", memrefType(rhs, type), b},
                     {"acc", memrefType(acc, accType), c},
                     {"out", memrefType(acc, accType), d, true}},
                    body),
              "")
        << "case " << i;
  }
}
