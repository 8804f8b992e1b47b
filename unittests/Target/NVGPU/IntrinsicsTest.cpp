//===- IntrinsicsTest.cpp - Fragments of the registered instructions ------===//
//
// PTX ISA, "Matrix Fragments for mma.m16n8k8", "... mma.m16n8k16" and "Register
// Fragments for wgmma.mma_async.m64nNk16": groupID is lane / 4,
// threadID_in_group is lane % 4.
//
//===----------------------------------------------------------------------===//

#include "Target/FragmentOracle.h"

#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace linalg_ext_test;
using namespace mlir;
using namespace mlir::vector_ext;

namespace {
class NVGPUIntrinsicsTest : public ::testing::Test {
protected:
  const MmaIntrinsic &get(const std::string &name) {
    VectorExtDialect *dialect =
        loadDialect(context, nvgpu_ext::registerIntrinsics);
    const MmaIntrinsic *intrinsic = dialect->lookupIntrinsic(name);
    EXPECT_TRUE(intrinsic) << name;
    static const MmaIntrinsic none = {};
    return intrinsic ? *intrinsic : none;
  }
  void expectTypes(const MmaIntrinsic &intrinsic, const std::string &type) {
    Type expected = type == "f16" ? Type(Float16Type::get(&context))
                                  : Type(BFloat16Type::get(&context));
    EXPECT_EQ(intrinsic.lhsType(&context), expected);
    EXPECT_EQ(intrinsic.rhsType(&context), expected);
    EXPECT_EQ(intrinsic.accType(&context), Float32Type::get(&context));
  }
  MLIRContext context;
};
} // namespace

static Place getAccumulator(int64_t lane, int64_t i) {
  return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1)};
}

TEST_F(NVGPUIntrinsicsTest, MmaSync) {
  for (std::string type : {"f16", "bf16"}) {
    const MmaIntrinsic &wide = get("mma.sync.m16n8k16.f32." + type);
    expectTypes(wide, type);
    expectFragment(wide.lhs, {16, 16}, 8, 1, [](int64_t lane, int64_t i) {
      bool isUpper = i < 2 || (4 <= i && i < 6);
      return Place{isUpper ? lane / 4 : lane / 4 + 8,
                   lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    });
    expectFragment(wide.rhs, {16, 8}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4};
    });
    expectFragment(wide.acc, {16, 8}, 4, 1, getAccumulator);
    const MmaIntrinsic &narrow = get("mma.sync.m16n8k8.f32." + type);
    expectTypes(narrow, type);
    expectFragment(narrow.lhs, {16, 8}, 4, 1, getAccumulator);
    expectFragment(narrow.rhs, {8, 8}, 2, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 * 2 + i, lane / 4};
    });
    expectFragment(narrow.acc, {16, 8}, 4, 1, getAccumulator);
  }
}

/// The transposed product: rows are the columns of the instruction.
TEST_F(NVGPUIntrinsicsTest, MmaSyncTransposed) {
  for (std::string type : {"f16", "bf16"}) {
    const MmaIntrinsic &intrinsic =
        get("mma.sync.m16n8k16.f32." + type + ".transposed");
    expectTypes(intrinsic, type);
    EXPECT_EQ(intrinsic.m, 8);
    EXPECT_EQ(intrinsic.n, 16);
    EXPECT_EQ(intrinsic.k, 16);
    expectFragment(intrinsic.lhs, {8, 16}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{lane / 4, lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8)};
    });
    expectFragment(intrinsic.rhs, {16, 16}, 8, 1, [](int64_t lane, int64_t i) {
      bool isUpper = i < 2 || (4 <= i && i < 6);
      return Place{lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8),
                   isUpper ? lane / 4 : lane / 4 + 8};
    });
    expectFragment(intrinsic.acc, {8, 16}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 * 2 + (i & 1), i < 2 ? lane / 4 : lane / 4 + 8};
    });
  }
}

/// "Matrix Fragments for mma.m16n8k32" with .e4m3 and .e5m2.
TEST_F(NVGPUIntrinsicsTest, MmaSyncF8) {
  for (std::string type : {"e4m3", "e5m2"}) {
    const MmaIntrinsic &intrinsic = get("mma.sync.m16n8k32.f32." + type);
    Type expected = type == "e4m3" ? Type(Float8E4M3FNType::get(&context))
                                   : Type(Float8E5M2Type::get(&context));
    EXPECT_EQ(intrinsic.lhsType(&context), expected);
    EXPECT_EQ(intrinsic.rhsType(&context), expected);
    EXPECT_EQ(intrinsic.accType(&context), Float32Type::get(&context));
    expectFragment(intrinsic.lhs, {16, 32}, 16, 1, [](int64_t lane, int64_t i) {
      bool isUpper = i < 4 || (8 <= i && i < 12);
      return Place{isUpper ? lane / 4 : lane / 4 + 8,
                   lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
    });
    expectFragment(intrinsic.rhs, {32, 8}, 8, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4};
    });
    expectFragment(intrinsic.acc, {16, 8}, 4, 1, getAccumulator);
  }
}

/// "Matrix Fragments for mma.m16n8k32" with integers: those of floats of 8
/// bits.
TEST_F(NVGPUIntrinsicsTest, MmaSyncI8) {
  Type i8 = IntegerType::get(&context, 8), i32 = IntegerType::get(&context, 32);
  for (std::string a : {"s8", "u8"})
    for (std::string b : {"s8", "u8"}) {
      const MmaIntrinsic &intrinsic =
          get("mma.sync.m16n8k32.s32." + a + "." + b);
      EXPECT_EQ(intrinsic.lhsType(&context), i8);
      EXPECT_EQ(intrinsic.rhsType(&context), i8);
      EXPECT_EQ(intrinsic.accType(&context), i32);
      EXPECT_EQ(intrinsic.isLhsUnsigned, a == "u8");
      EXPECT_EQ(intrinsic.isRhsUnsigned, b == "u8");
      expectFragment(intrinsic.lhs, {16, 32}, 16, 1,
                     [](int64_t lane, int64_t i) {
                       bool isUpper = i < 4 || (8 <= i && i < 12);
                       return Place{isUpper ? lane / 4 : lane / 4 + 8,
                                    lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
                     });
      expectFragment(intrinsic.rhs, {32, 8}, 8, 1, [](int64_t lane, int64_t i) {
        return Place{lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4};
      });
      expectFragment(intrinsic.acc, {16, 8}, 4, 1, getAccumulator);
    }
}

/// The same with exchanged operands: the first type of the name is that of the
/// instruction's first operand, the second one of the contraction.
TEST_F(NVGPUIntrinsicsTest, MmaSyncOfBytesTransposed) {
  auto expectFragments = [&](const MmaIntrinsic &intrinsic) {
    EXPECT_EQ(intrinsic.m, 8);
    EXPECT_EQ(intrinsic.n, 16);
    EXPECT_EQ(intrinsic.k, 32);
    expectFragment(intrinsic.lhs, {8, 32}, 8, 1, [](int64_t lane, int64_t i) {
      return Place{lane / 4, lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16)};
    });
    expectFragment(intrinsic.rhs, {32, 16}, 16, 1, [](int64_t lane, int64_t i) {
      bool isUpper = i < 4 || (8 <= i && i < 12);
      return Place{lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16),
                   isUpper ? lane / 4 : lane / 4 + 8};
    });
    expectFragment(intrinsic.acc, {8, 16}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 * 2 + (i & 1), i < 2 ? lane / 4 : lane / 4 + 8};
    });
  };
  for (std::string a : {"s8", "u8"})
    for (std::string b : {"s8", "u8"}) {
      const MmaIntrinsic &intrinsic =
          get("mma.sync.m16n8k32.s32." + a + "." + b + ".transposed");
      EXPECT_EQ(intrinsic.isLhsUnsigned, b == "u8");
      EXPECT_EQ(intrinsic.isRhsUnsigned, a == "u8");
      expectFragments(intrinsic);
    }
  for (std::string type : {"e4m3", "e5m2"}) {
    const MmaIntrinsic &intrinsic =
        get("mma.sync.m16n8k32.f32." + type + ".transposed");
    EXPECT_TRUE(intrinsic.hasShortSums);
    expectFragments(intrinsic);
  }
}

/// "Matrix Fragments for mma.m16n8k8" with .tf32: registers are 32 bits.
TEST_F(NVGPUIntrinsicsTest, MmaSyncTF32) {
  for (std::string suffix : {"tf32", "tf32x3"}) {
    const MmaIntrinsic &intrinsic = get("mma.sync.m16n8k8.f32." + suffix);
    EXPECT_EQ(intrinsic.lhsType(&context), Float32Type::get(&context));
    EXPECT_EQ(intrinsic.accType(&context), Float32Type::get(&context));
    EXPECT_TRUE(intrinsic.isApproximate);
    expectFragment(intrinsic.lhs, {16, 8}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{lane / 4 + (i % 2 ? 8 : 0), lane % 4 + (i < 2 ? 0 : 4)};
    });
    expectFragment(intrinsic.rhs, {8, 8}, 2, 1, [](int64_t lane, int64_t i) {
      return Place{lane % 4 + (i == 0 ? 0 : 4), lane / 4};
    });
    expectFragment(intrinsic.acc, {16, 8}, 4, 1, getAccumulator);
  }
}

/// Accumulators of f16 are where those of f32 are, two in a register.
TEST_F(NVGPUIntrinsicsTest, MmaSyncF16) {
  for (int64_t k : {8, 16}) {
    const MmaIntrinsic &intrinsic =
        get("mma.sync.m16n8k" + std::to_string(k) + ".f16.f16");
    EXPECT_EQ(intrinsic.accType(&context), Float16Type::get(&context));
    EXPECT_EQ(intrinsic.k, k);
    expectFragment(intrinsic.acc, {16, 8}, 4, 1, getAccumulator);
  }
}

/// 4 rows by 8 groups of columns; other lanes have the same operands.
TEST_F(NVGPUIntrinsicsTest, Fma) {
  for (int64_t width : {1, 2, 4}) {
    const MmaIntrinsic &intrinsic =
        get("fma.m4n" + std::to_string(8 * width) + "k4.f32");
    EXPECT_TRUE(intrinsic.isByThreads);
    expectFragment(intrinsic.lhs, {4, 4}, 4, 8, [](int64_t lane, int64_t i) {
      return Place{lane / 8, i};
    });
    expectFragment(intrinsic.rhs, {4, 8 * width}, 4 * width, 4,
                   [&](int64_t lane, int64_t i) {
                     return Place{i / width, lane % 8 * width + i % width};
                   });
    expectFragment(intrinsic.acc, {4, 8 * width}, width, 1,
                   [&](int64_t lane, int64_t i) {
                     return Place{lane / 8, lane % 8 * width + i};
                   });
  }
}

/// "Register Fragments for wgmma.mma_async.m64nNk32".
TEST_F(NVGPUIntrinsicsTest, WgmmaF8) {
  auto getType = [&](const std::string &name) {
    return name == "e4m3" ? Type(Float8E4M3FNType::get(&context))
                          : Type(Float8E5M2Type::get(&context));
  };
  for (std::string a : {"e4m3", "e5m2"})
    for (std::string b : {"e4m3", "e5m2"})
      for (int64_t n = 8; n <= 256; n += 8) {
        const MmaIntrinsic &intrinsic =
            get("wgmma.m64n" + std::to_string(n) + "k32.f32." + a + "." + b);
        EXPECT_EQ(intrinsic.lhsType(&context), getType(a));
        EXPECT_EQ(intrinsic.rhsType(&context), getType(b));
        EXPECT_EQ(intrinsic.accType(&context), Float32Type::get(&context));
        EXPECT_EQ(intrinsic.m, 64);
        EXPECT_EQ(intrinsic.n, n);
        EXPECT_EQ(intrinsic.k, 32);
        EXPECT_TRUE(intrinsic.rhsInSharedMemory);
        EXPECT_TRUE(intrinsic.isAsynchronous);
        expectFragment(
            intrinsic.lhs, {64, 32}, 16, 1, [](int64_t thread, int64_t i) {
              int64_t lane = thread % 32;
              return Place{thread / 32 * 16 + lane / 4 + 8 * (i / 4 % 2),
                           16 * (i / 8) + lane % 4 * 4 + i % 4};
            });
        expectFragment(
            intrinsic.acc, {64, n}, n / 2, 1, [](int64_t thread, int64_t i) {
              int64_t lane = thread % 32;
              return Place{thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2),
                           8 * (i / 4) + lane % 4 * 2 + i % 2};
            });
      }
}

TEST_F(NVGPUIntrinsicsTest, WgmmaI8) {
  VectorExtDialect *dialect =
      loadDialect(context, nvgpu_ext::registerIntrinsics);
  for (std::string a : {"s8", "u8"})
    for (std::string b : {"s8", "u8"})
      for (int64_t n = 8; n <= 256; n += 8) {
        std::string name =
            "wgmma.m64n" + std::to_string(n) + "k32.s32." + a + "." + b;
        // The table of shapes for .u8 and .s8: of 32 columns and more, only
        // multiples of 16. Two signs are of PTX 8.4.
        if ((n > 32 && n % 16 != 0) || a != b) {
          EXPECT_EQ(dialect->lookupIntrinsic(name), nullptr) << name;
          continue;
        }
        const MmaIntrinsic &intrinsic = get(name);
        EXPECT_EQ(intrinsic.lhsType(&context), IntegerType::get(&context, 8));
        EXPECT_EQ(intrinsic.accType(&context), IntegerType::get(&context, 32));
        EXPECT_EQ(intrinsic.isLhsUnsigned, a == "u8");
        EXPECT_EQ(intrinsic.isRhsUnsigned, b == "u8");
        EXPECT_EQ(intrinsic.m, 64);
        EXPECT_EQ(intrinsic.n, n);
        EXPECT_EQ(intrinsic.k, 32);
        EXPECT_TRUE(intrinsic.rhsInSharedMemory);
        EXPECT_TRUE(intrinsic.isAsynchronous);
        expectFragment(
            intrinsic.lhs, {64, 32}, 16, 1, [](int64_t thread, int64_t i) {
              int64_t lane = thread % 32;
              return Place{thread / 32 * 16 + lane / 4 + 8 * (i / 4 % 2),
                           16 * (i / 8) + lane % 4 * 4 + i % 4};
            });
        expectFragment(
            intrinsic.acc, {64, n}, n / 2, 1, [](int64_t thread, int64_t i) {
              int64_t lane = thread % 32;
              return Place{thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2),
                           8 * (i / 4) + lane % 4 * 2 + i % 2};
            });
      }
}

TEST_F(NVGPUIntrinsicsTest, Wgmma) {
  for (std::string type : {"f16", "bf16"})
    for (int64_t n = 8; n <= 256; n += 8) {
      const MmaIntrinsic &intrinsic =
          get("wgmma.m64n" + std::to_string(n) + "k16.f32." + type);
      expectTypes(intrinsic, type);
      EXPECT_EQ(intrinsic.m, 64);
      EXPECT_EQ(intrinsic.n, n);
      EXPECT_EQ(intrinsic.k, 16);
      EXPECT_TRUE(intrinsic.rhsInSharedMemory);
      auto formula = [](int64_t thread, int64_t i) {
        int64_t warp = thread / 32, lane = thread % 32;
        return Place{warp * 16 + lane / 4 + 8 * (i / 2 % 2),
                     8 * (i / 4) + lane % 4 * 2 + i % 2};
      };
      expectFragment(intrinsic.lhs, {64, 16}, 8, 1, formula);
      expectFragment(intrinsic.acc, {64, n}, n / 2, 1, formula);
    }
}
