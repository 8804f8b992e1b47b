//===- FragmentTest.cpp - Fragments as vendors document them --------------===//
//
// Layouts express the operands of matrix instructions. Each is compared, at
// every register of every lane, with the formula of the vendor's manual, and
// those of mma.sync with upstream's maps too.
//
// PTX ISA, "Matrix Fragments for mma..." and "Register Fragments for
// wgmma.mma_async"; AMD matrix instruction calculator and the CDNA3 and RDNA3
// ISA manuals, "MFMA" and "WMMA".
//
//===----------------------------------------------------------------------===//

#include "LayoutOracle.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/NVGPU/Utils/MMAUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace mlir::layout;
using namespace mlir::layout::test;

/// Expects (thread, register) -> coordinate to be `formula`, where `thread`
/// counts the lanes of all subgroups.
static void
expectFragment(const Layout &layout, Coordinate shape, int64_t numRegisters,
               int64_t replication,
               llvm::function_ref<Coordinate(int64_t, int64_t)> formula) {
  EXPECT_EQ(toVector(layout.getShape()), shape);
  ASSERT_EQ(layout.getNumRegisters(), numRegisters);
  EXPECT_EQ(layout.getReplication(), replication);
  for (int64_t s = 0; s < layout.getNumSubgroups(); ++s)
    for (int64_t l = 0; l < layout.getNumLanes(); ++l)
      for (int64_t r = 0; r < numRegisters; ++r)
        ASSERT_EQ(toVector(layout.getCoordinate({s, l, r})),
                  formula(s * layout.getNumLanes() + l, r))
            << layout << " subgroup " << s << " lane " << l << " register "
            << r;
}

//===----------------------------------------------------------------------===//
// NVIDIA
//===----------------------------------------------------------------------===//

static const char *const kMmaA =
    "[register 2:2, lane 8:4] x [register 2:4, lane 4:1, register 2:1]";
static const char *const kMmaB =
    "[register 2:2, lane 4:1, register 2:1] x [lane 8:4]";
static const char *const kMmaC =
    "[register 2:2, lane 8:4] x [lane 4:1, register 2:1]";

// groupID = %laneid >> 2, threadID_in_group = %laneid % 4.

TEST(FragmentTest, MmaM16N8K16) {
  expectFragment(parseLayout(kMmaA), {16, 16}, 8, 1, [](int64_t t, int64_t i) {
    int64_t groupID = t >> 2, inGroup = t % 4;
    int64_t row = (i < 2 || (4 <= i && i < 6)) ? groupID : groupID + 8;
    int64_t col = inGroup * 2 + (i & 1) + (i < 4 ? 0 : 8);
    return Coordinate{row, col};
  });
  expectFragment(parseLayout(kMmaB), {16, 8}, 4, 1, [](int64_t t, int64_t i) {
    int64_t row = (t % 4) * 2 + (i & 1) + (i < 2 ? 0 : 8);
    return Coordinate{row, t >> 2};
  });
  expectFragment(parseLayout(kMmaC), {16, 8}, 4, 1, [](int64_t t, int64_t i) {
    int64_t row = i < 2 ? t >> 2 : (t >> 2) + 8;
    return Coordinate{row, (t % 4) * 2 + (i & 1)};
  });
}

TEST(FragmentTest, MmaM16N8K8) {
  // f16 and bf16.
  expectFragment(parseLayout(kMmaC), {16, 8}, 4, 1, [](int64_t t, int64_t i) {
    int64_t row = i < 2 ? t >> 2 : (t >> 2) + 8;
    return Coordinate{row, (t % 4) * 2 + (i & 1)};
  });
  expectFragment(parseLayout("[lane 4:1, register 2:1] x [lane 8:4]"), {8, 8},
                 2, 1, [](int64_t t, int64_t i) {
                   return Coordinate{(t % 4) * 2 + i, t >> 2};
                 });
  // tf32.
  expectFragment(parseLayout("[register 2:1, lane 8:4] x [register 2:2, lane "
                             "4:1]"),
                 {16, 8}, 4, 1, [](int64_t t, int64_t i) {
                   int64_t row = i == 0 || i == 2 ? t >> 2 : (t >> 2) + 8;
                   int64_t col = i == 0 || i == 1 ? t % 4 : t % 4 + 4;
                   return Coordinate{row, col};
                 });
  expectFragment(parseLayout("[register 2:1, lane 4:1] x [lane 8:4]"), {8, 8},
                 2, 1, [](int64_t t, int64_t i) {
                   return Coordinate{i == 0 ? t % 4 : t % 4 + 4, t >> 2};
                 });
}

TEST(FragmentTest, MmaM16N8K32OfBytes) {
  expectFragment(
      parseLayout(
          "[register 2:4, lane 8:4] x [register 2:8, lane 4:1, register "
          "4:1]"),
      {16, 32}, 16, 1, [](int64_t t, int64_t i) {
        int64_t row = i < 4 || (8 <= i && i < 12) ? t >> 2 : (t >> 2) + 8;
        int64_t col = (t % 4) * 4 + (i & 3) + (i < 8 ? 0 : 16);
        return Coordinate{row, col};
      });
  expectFragment(parseLayout("[register 2:4, lane 4:1, register 4:1] x [lane "
                             "8:4]"),
                 {32, 8}, 8, 1, [](int64_t t, int64_t i) {
                   int64_t row = (t % 4) * 4 + (i & 3) + (i < 4 ? 0 : 16);
                   return Coordinate{row, t >> 2};
                 });
}

TEST(FragmentTest, MmaM8N8K4OfDoubles) {
  expectFragment(parseLayout("[lane 8:4] x [lane 4:1]"), {8, 4}, 1, 1,
                 [](int64_t t, int64_t) {
                   return Coordinate{t >> 2, t % 4};
                 });
  expectFragment(parseLayout("[lane 8:4] x [lane 4:1, register 2:1]"), {8, 8},
                 2, 1, [](int64_t t, int64_t i) {
                   return Coordinate{t >> 2, (t % 4) * 2 + (i & 1)};
                 });
}

TEST(FragmentTest, Wgmma) {
  // D: four warps of sixteen rows, N / 8 of the atom C. N = 80 and 192 are no
  // powers of two.
  for (int64_t n : {8, 64, 80, 176, 192, 256}) {
    Layout d = parseLayout(kMmaC);
    d = *d.repeat(1, Axis::Register, n / 8)->repeat(0, Axis::Subgroup, 4);
    expectFragment(d, {64, n}, n / 2, 1, [](int64_t t, int64_t i) {
      int64_t warp = t / 32, lane = t % 32;
      int64_t row = warp * 16 + lane / 4 + 8 * ((i / 2) % 2);
      int64_t col = 8 * (i / 4) + lane % 4 * 2 + i % 2;
      return Coordinate{row, col};
    });
  }
  // A in registers: 64 x 16.
  Layout a = *parseLayout(kMmaA).repeat(0, Axis::Subgroup, 4);
  expectFragment(a, {64, 16}, 8, 1, [](int64_t t, int64_t i) {
    int64_t warp = t / 32, lane = t % 32;
    int64_t row = warp * 16 + lane / 4 + 8 * ((i / 2) % 2);
    int64_t col = 8 * (i / 4) + lane % 4 * 2 + i % 2;
    return Coordinate{row, col};
  });
}

TEST(FragmentTest, Ldmatrix) {
  // Each lane has two neighbours of a row of eight: lane 4 * row + column / 2.
  expectFragment(parseLayout("[lane 8:4] x [lane 4:1, register 2:1]"), {8, 8},
                 2, 1, [](int64_t t, int64_t i) {
                   return Coordinate{t / 4, 2 * (t % 4) + i};
                 });
  // .trans: two neighbours of a column.
  expectFragment(parseLayout("[lane 4:1, register 2:1] x [lane 8:4]"), {8, 8},
                 2, 1, [](int64_t t, int64_t i) {
                   return Coordinate{2 * (t % 4) + i, t / 4};
                 });
}

namespace {
class UpstreamFragmentTest : public testing::Test {
protected:
  UpstreamFragmentTest() : builder(&context) {
    context.loadDialect<nvgpu::NVGPUDialect>();
  }

  /// Expects `layout` to be upstream's map of (lane, value) for an operand of
  /// shape `shape`. Upstream's B is transposed (n x k).
  void expectUpstream(const Layout &layout, ArrayRef<int64_t> shape, Type type,
                      nvgpu::MatMulOperandRole role) {
    nvgpu::WarpMatrixInfo info{VectorType::get(shape, type), role};
    FailureOr<AffineMap> map = nvgpu::getLaneIdAndValueIdToOperandCoord(
        builder, builder.getUnknownLoc(), info);
    ASSERT_TRUE(succeeded(map));
    expectFragment(layout, toVector(shape), shape[0] * shape[1] / 32, 1,
                   [&](int64_t lane, int64_t value) {
                     return toVector(map->compose({lane, value}));
                   });
  }

  MLIRContext context;
  OpBuilder builder;
};
} // namespace

TEST_F(UpstreamFragmentTest, MmaSync) {
  using Role = nvgpu::MatMulOperandRole;
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  Type f64 = builder.getF64Type(), i8 = builder.getI8Type();
  expectUpstream(parseLayout(kMmaA), {16, 16}, f16, Role::A);
  expectUpstream(parseLayout(kMmaB).permute({1, 0}), {8, 16}, f16, Role::B);
  expectUpstream(parseLayout(kMmaC), {16, 8}, f16, Role::C);
  expectUpstream(parseLayout(kMmaC), {16, 8}, f32, Role::C);
  expectUpstream(parseLayout(kMmaC), {16, 8}, f16, Role::A);
  expectUpstream(parseLayout("[lane 8:4] x [lane 4:1, register 2:1]"), {8, 8},
                 f16, Role::B);
  // tf32 m16n8k8.
  expectUpstream(
      parseLayout("[register 2:1, lane 8:4] x [register 2:2, lane 4:1]"),
      {16, 8}, f32, Role::A);
  expectUpstream(parseLayout("[lane 8:4] x [register 2:1, lane 4:1]"), {8, 8},
                 f32, Role::B);
  // i8 m16n8k32.
  expectUpstream(parseLayout("[register 2:4, lane 8:4] x [register 2:8, lane "
                             "4:1, register 4:1]"),
                 {16, 32}, i8, Role::A);
  expectUpstream(
      parseLayout("[lane 8:4] x [register 2:4, lane 4:1, register 4:1]"),
      {8, 32}, i8, Role::B);
  expectUpstream(parseLayout("[lane 8:4] x [lane 4:1, register 2:1]"), {8, 8},
                 f64, Role::C);
}

//===----------------------------------------------------------------------===//
// AMD
//===----------------------------------------------------------------------===//

TEST(FragmentTest, Mfma16x16x16) {
  // A: row = lane % 16, k = 4 * (lane / 16) + i; B the same with columns.
  expectFragment(parseLayout("[lane 16:1] x [lane 4:16, register 4:1]", 64),
                 {16, 16}, 4, 1, [](int64_t t, int64_t i) {
                   return Coordinate{t % 16, 4 * (t / 16) + i};
                 });
  expectFragment(parseLayout("[lane 4:16, register 4:1] x [lane 16:1]", 64),
                 {16, 16}, 4, 1, [](int64_t t, int64_t i) {
                   return Coordinate{4 * (t / 16) + i, t % 16};
                 });
}

TEST(FragmentTest, Mfma32x32x8) {
  expectFragment(parseLayout("[lane 32:1] x [lane 2:32, register 4:1]", 64),
                 {32, 8}, 4, 1, [](int64_t t, int64_t i) {
                   return Coordinate{t % 32, 4 * (t / 32) + i};
                 });
  expectFragment(parseLayout("[lane 2:32, register 4:1] x [lane 32:1]", 64),
                 {8, 32}, 4, 1, [](int64_t t, int64_t i) {
                   return Coordinate{4 * (t / 32) + i, t % 32};
                 });
  // C and D: blocks of four rows, by turns of the two halves of the lanes.
  expectFragment(
      parseLayout("[register 4:4, lane 2:32, register 4:1] x [lane 32:1]", 64),
      {32, 32}, 16, 1, [](int64_t t, int64_t i) {
        return Coordinate{8 * (i / 4) + 4 * (t / 32) + i % 4, t % 32};
      });
}

TEST(FragmentTest, Wmma16x16x16OfRDNA3) {
  // A and B: a row, or a column, whole in a lane, and again in lane + 16.
  expectFragment(parseLayout("[lane 16:1] x [register 16:1]"), {16, 16}, 16, 2,
                 [](int64_t t, int64_t i) {
                   return Coordinate{t % 16, i};
                 });
  expectFragment(parseLayout("[register 16:1] x [lane 16:1]"), {16, 16}, 16, 2,
                 [](int64_t t, int64_t i) {
                   return Coordinate{i, t % 16};
                 });
  // C and D: even rows in the lower half of the lanes, odd rows in the upper.
  expectFragment(parseLayout("[register 8:1, lane 2:16] x [lane 16:1]"),
                 {16, 16}, 8, 1, [](int64_t t, int64_t i) {
                   return Coordinate{2 * i + t / 16, t % 16};
                 });
}
