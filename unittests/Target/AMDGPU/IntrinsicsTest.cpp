//===- IntrinsicsTest.cpp - Fragments of the registered instructions ------===//
//
// AMD's matrix instruction calculator and the ISA manuals of CDNA3 and CDNA4
// ("Matrix Arithmetic Instructions"), RDNA3 and RDNA4 ("WMMA").
//
//===----------------------------------------------------------------------===//

#include "Target/FragmentOracle.h"

#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"

using namespace linalg_ext_test;
using namespace mlir;
using namespace mlir::vector_ext;

namespace {
class AMDGPUIntrinsicsTest : public ::testing::Test {
protected:
  const MmaIntrinsic &get(const std::string &name) {
    VectorExtDialect *dialect =
        loadDialect(context, amdgpu_ext::registerIntrinsics);
    const MmaIntrinsic *intrinsic = dialect->lookupIntrinsic(name);
    EXPECT_TRUE(intrinsic) << name;
    static const MmaIntrinsic none = {};
    return intrinsic ? *intrinsic : none;
  }
  MLIRContext context;
};
} // namespace

static Place swap(Place place) { return {place.second, place.first}; }

using Formula = llvm::function_ref<Place(int64_t, int64_t)>;

/// Expects the fragments of `name` for f16 and bf16, and for those of the
/// transposed form that C is the other way round. B lies like A, with rows and
/// columns exchanged.
static void expectFragments(
    llvm::function_ref<const MmaIntrinsic &(const std::string &)> get,
    const std::string &name, const std::string &suffix, Place shape,
    int64_t elements, int64_t replication, Formula a, int64_t results,
    Formula c) {
  auto b = [&](int64_t lane, int64_t i) { return swap(a(lane, i)); };
  auto transposed = [&](int64_t lane, int64_t i) { return swap(c(lane, i)); };
  auto [m, k] = shape;
  for (std::string type : {"f16", "bf16"})
    for (bool isTransposed : {false, true}) {
      const MmaIntrinsic &intrinsic = get(name + ".f32." + type + suffix +
                                          (isTransposed ? ".transposed" : ""));
      expectFragment(intrinsic.lhs, {m, k}, elements, replication, a);
      expectFragment(intrinsic.rhs, {k, m}, elements, replication, b);
      if (isTransposed)
        expectFragment(intrinsic.acc, {m, m}, results, 1, transposed);
      else
        expectFragment(intrinsic.acc, {m, m}, results, 1, c);
    }
}

static Place getC16(int64_t lane, int64_t i) {
  return {4 * (lane / 16) + i, lane % 16};
}

static Place getC32(int64_t lane, int64_t i) {
  return {8 * (i / 4) + 4 * (lane / 32) + i % 4, lane % 32};
}

TEST_F(AMDGPUIntrinsicsTest, Mfma) {
  auto get = [&](const std::string &name) -> const MmaIntrinsic & {
    return this->get(name);
  };
  auto getA = [](int64_t m, int64_t elements) {
    return [=](int64_t lane, int64_t i) {
      return Place{lane % m, elements * (lane / m) + i};
    };
  };
  expectFragments(get, "mfma.m16n16k16", "", {16, 16}, 4, 1, getA(16, 4), 4,
                  getC16);
  expectFragments(get, "mfma.m32n32k8", "", {32, 8}, 4, 1, getA(32, 4), 16,
                  getC32);
  expectFragments(get, "mfma.m16n16k32", "", {16, 32}, 8, 1, getA(16, 8), 4,
                  getC16);
  expectFragments(get, "mfma.m32n32k16", "", {32, 16}, 8, 1, getA(32, 8), 16,
                  getC32);
}

/// The products of a sum are those of two instructions of half of the size, one
/// after the other.
TEST_F(AMDGPUIntrinsicsTest, InterleavedMfma) {
  auto get = [&](const std::string &name) -> const MmaIntrinsic & {
    return this->get(name);
  };
  auto getA = [](int64_t m) {
    return [=](int64_t lane, int64_t i) {
      return Place{lane % m, 256 / m * (i / 4) + 4 * (lane / m) + i % 4};
    };
  };
  expectFragments(get, "mfma.m16n16k32", ".interleaved", {16, 32}, 8, 1,
                  getA(16), 4, getC16);
  expectFragments(get, "mfma.m32n32k16", ".interleaved", {32, 16}, 8, 1,
                  getA(32), 16, getC32);
}

/// Instruction i of four multiplies columns i, 4 + i, 8 + i and 12 + i of A:
/// lane l has one element of A, in row l mod 16 and column l / 16.
TEST_F(AMDGPUIntrinsicsTest, MfmaF32) {
  for (bool isTransposed : {false, true}) {
    const MmaIntrinsic &intrinsic = get(std::string("mfma.m16n16k16.f32.f32") +
                                        (isTransposed ? ".transposed" : ""));
    auto a = [](int64_t lane, int64_t i) {
      return Place{lane % 16, 4 * (lane / 16) + i};
    };
    expectFragment(intrinsic.lhs, {16, 16}, 4, 1, a);
    expectFragment(intrinsic.rhs, {16, 16}, 4, 1,
                   [&](int64_t lane, int64_t i) { return swap(a(lane, i)); });
    expectFragment(intrinsic.acc, {16, 16}, 4, 1, [&](int64_t lane, int64_t i) {
      return isTransposed ? swap(getC16(lane, i)) : getC16(lane, i);
    });
  }
}

TEST_F(AMDGPUIntrinsicsTest, Wmma) {
  auto get = [&](const std::string &name) -> const MmaIntrinsic & {
    return this->get(name);
  };
  expectFragments(
      get, "wmma.m16n16k16", "", {16, 16}, 16, 2,
      [](int64_t lane, int64_t i) {
        return Place{lane % 16, i};
      },
      8,
      [](int64_t lane, int64_t i) {
        return Place{2 * i + lane / 16, lane % 16};
      });
  expectFragments(
      get, "wmma.gfx12.m16n16k16", "", {16, 16}, 8, 1,
      [](int64_t lane, int64_t i) {
        return Place{lane % 16, 8 * (lane / 16) + i};
      },
      8,
      [](int64_t lane, int64_t i) {
        return Place{8 * (lane / 16) + i, lane % 16};
      });
}

/// Integers of 8 bits: MFMA's are signed; a lane has 4, 8 or 16 of a row. Those
/// of WMMA have a flag for each operand.
TEST_F(AMDGPUIntrinsicsTest, I8) {
  Type i8 = IntegerType::get(&context, 8), i32 = IntegerType::get(&context, 32);
  auto expect = [&](const std::string &name, int64_t k, int64_t elements,
                    int64_t replication, Formula a, int64_t results, Formula c,
                    bool isLhsUnsigned, bool isRhsUnsigned) {
    for (bool isTransposed : {false, true}) {
      const MmaIntrinsic &intrinsic =
          get(name + (isTransposed ? ".transposed" : ""));
      EXPECT_EQ(intrinsic.lhsType(&context), i8);
      EXPECT_EQ(intrinsic.rhsType(&context), i8);
      EXPECT_EQ(intrinsic.accType(&context), i32);
      EXPECT_EQ(intrinsic.isLhsUnsigned, isLhsUnsigned);
      EXPECT_EQ(intrinsic.isRhsUnsigned, isRhsUnsigned);
      expectFragment(intrinsic.lhs, {16, k}, elements, replication, a);
      expectFragment(intrinsic.rhs, {k, 16}, elements, replication,
                     [&](int64_t lane, int64_t i) { return swap(a(lane, i)); });
      expectFragment(intrinsic.acc, {16, 16}, results, 1,
                     [&](int64_t lane, int64_t i) {
                       return isTransposed ? swap(c(lane, i)) : c(lane, i);
                     });
    }
  };
  for (int64_t elements : {4, 8, 16})
    expect(
        "mfma.m16n16k" + std::to_string(4 * elements) + ".i32.i8", 4 * elements,
        elements, 1,
        [=](int64_t lane, int64_t i) {
          return Place{lane % 16, elements * (lane / 16) + i};
        },
        4, getC16, false, false);
  for (std::string a : {"s8", "u8"})
    for (std::string b : {"s8", "u8"}) {
      expect(
          "wmma.m16n16k16.i32." + a + "." + b, 16, 16, 2,
          [](int64_t lane, int64_t i) {
            return Place{lane % 16, i};
          },
          8,
          [](int64_t lane, int64_t i) {
            return Place{2 * i + lane / 16, lane % 16};
          },
          a == "u8", b == "u8");
      expect(
          "wmma.gfx12.m16n16k16.i32." + a + "." + b, 16, 8, 1,
          [](int64_t lane, int64_t i) {
            return Place{lane % 16, 8 * (lane / 16) + i};
          },
          8,
          [](int64_t lane, int64_t i) {
            return Place{8 * (lane / 16) + i, lane % 16};
          },
          a == "u8", b == "u8");
    }
}

/// Except on gfx11, the results of transposed products, as many side by side as
/// a sum is long, are an operand of the next product as they are.
TEST_F(AMDGPUIntrinsicsTest, ResultsAreOperands) {
  for (const char *name :
       {"mfma.m16n16k16.f32.f16", "mfma.m32n32k8.f32.f16",
        "mfma.m16n16k16.f32.f32", "mfma.m16n16k32.f32.f16.interleaved",
        "mfma.m32n32k16.f32.f16.interleaved", "wmma.gfx12.m16n16k16.f32.f16"}) {
    const MmaIntrinsic &intrinsic = get(std::string(name) + ".transposed");
    int64_t operands = intrinsic.lhs.getNumRegisters(),
            results = intrinsic.acc.getNumRegisters();
    for (int64_t lane = 0; lane < intrinsic.lhs.getNumLanes(); ++lane)
      for (int64_t reg = 0; reg < std::max(operands, results); ++reg) {
        auto a = intrinsic.lhs.getCoordinate({0, lane, reg % operands});
        a[1] += reg / operands * intrinsic.k;
        auto c = intrinsic.acc.getCoordinate({0, lane, reg % results});
        c[1] += reg / results * intrinsic.n;
        ASSERT_EQ(a, c) << name << " lane " << lane << " register " << reg;
      }
  }
}

/// All instructions of the table of chips are registered and have a lowering.
TEST_F(AMDGPUIntrinsicsTest, Chips) {
  for (const linalg_ext::AMDChip &chip : linalg_ext::getAMDChips())
    for (const std::string &name : chip.target.intrinsics) {
      const MmaIntrinsic &intrinsic = get(name);
      if (intrinsic.isByThreads)
        continue;
      EXPECT_TRUE(amdgpu_ext::lookupMatrixInstruction(name)) << name;
      EXPECT_EQ(intrinsic.lhs.getNumLanes(), chip.target.lanes) << name;
    }
}
