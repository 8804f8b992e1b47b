//===- IntrinsicsTest.cpp - Fragments of the registered instructions ------===//
//
// AMD's matrix instruction calculator and the ISA manuals of CDNA3 ("Matrix
// Arithmetic Instructions") and RDNA3 ("WMMA").
//
//===----------------------------------------------------------------------===//

#include "Target/FragmentOracle.h"

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

TEST_F(AMDGPUIntrinsicsTest, Mfma16x16x16) {
  for (std::string type : {"f16", "bf16"}) {
    const MmaIntrinsic &intrinsic = get("mfma.m16n16k16.f32." + type);
    auto a = [](int64_t lane, int64_t i) {
      return Place{lane % 16, 4 * (lane / 16) + i};
    };
    auto b = [&](int64_t lane, int64_t i) { return swap(a(lane, i)); };
    expectFragment(intrinsic.lhs, {16, 16}, 4, 1, a);
    expectFragment(intrinsic.rhs, {16, 16}, 4, 1, b);
    expectFragment(intrinsic.acc, {16, 16}, 4, 1, [](int64_t lane, int64_t i) {
      return Place{4 * (lane / 16) + i, lane % 16};
    });
  }
}

TEST_F(AMDGPUIntrinsicsTest, Mfma32x32x8) {
  for (std::string type : {"f16", "bf16"}) {
    const MmaIntrinsic &intrinsic = get("mfma.m32n32k8.f32." + type);
    auto a = [](int64_t lane, int64_t i) {
      return Place{lane % 32, 4 * (lane / 32) + i};
    };
    auto b = [&](int64_t lane, int64_t i) { return swap(a(lane, i)); };
    expectFragment(intrinsic.lhs, {32, 8}, 4, 1, a);
    expectFragment(intrinsic.rhs, {8, 32}, 4, 1, b);
    expectFragment(intrinsic.acc, {32, 32}, 16, 1, [](int64_t lane, int64_t i) {
      return Place{8 * (i / 4) + 4 * (lane / 32) + i % 4, lane % 32};
    });
  }
}

TEST_F(AMDGPUIntrinsicsTest, Wmma16x16x16) {
  for (std::string type : {"f16", "bf16"}) {
    const MmaIntrinsic &intrinsic = get("wmma.m16n16k16.f32." + type);
    auto a = [](int64_t lane, int64_t i) { return Place{lane % 16, i}; };
    auto b = [&](int64_t lane, int64_t i) { return swap(a(lane, i)); };
    expectFragment(intrinsic.lhs, {16, 16}, 16, 2, a);
    expectFragment(intrinsic.rhs, {16, 16}, 16, 2, b);
    expectFragment(intrinsic.acc, {16, 16}, 8, 1, [](int64_t lane, int64_t i) {
      return Place{2 * i + lane / 16, lane % 16};
    });
  }
}
