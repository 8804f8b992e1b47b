//===- FormatsTest.cpp - Products of two formats of 8 bits ----------------===//
//
// wgmma multiplies f8E4M3FN and f8E5M2 in any combination. Each is compared
// with sums in f64, for random numbers and for all codes.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class FormatsTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t rows, int64_t columns,
                                int64_t reduction, bool roles) {
    GPUOptions options;
    options.rows = rows;
    options.columns = columns;
    options.reduction = reduction;
    options.threads = 128;
    options.chip = "sm_90a";
    options.asyncProducts = "true";
    options.roles = roles ? "true" : "false";
    return options;
  }

  /// Contracts "mk" of `type` and "nk" of `other`.
  static GPUOutcome contract(DType type, DType other, const Tensor &left,
                             const Tensor &right, const Bounded &want,
                             const GPUOptions &options);

  static bool multiplies(const GPUOutcome &outcome, DType type, DType other) {
    auto getName = [](DType format) {
      return format == DType::F8E4M3FN ? ".e4m3" : ".e5m2";
    };
    return outcome.kernels.find(std::string("k32.f32") + getName(type) +
                                getName(other)) != std::string::npos;
  }
};
} // namespace

static std::string getElement(DType type) {
  return type == DType::F8E4M3FN ? "f8E4M3FN" : "f8E5M2";
}

GPUOutcome FormatsTest::contract(DType type, DType other, const Tensor &left,
                                 const Tensor &right, const Bounded &want,
                                 const GPUOptions &options) {
  auto getType = [](const Tensor &tensor, const std::string &element) {
    return "tensor<" + std::to_string(tensor.shape[0]) + "x" +
           std::to_string(tensor.shape[1]) + "x" + element + ">";
  };
  std::string a = getType(left, getElement(type)),
              b = getType(right, getElement(other)),
              c = getType(want.value, "f32");
  return check(
      "func.func @main(%a: " + a + ", %b: " + b + ") -> " + c + R"( {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : )" +
          c + R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : )" +
          c + ") -> " + c + "\n" +
          makeProduct("mk,nk->mn", "%p", {"%a", a}, {"%b", b}, {"%f", c}) +
          "\n  return %p : " + c + "\n}",
      options, {left, right}, {want});
}

// Operands of two formats, in any order, are multiplied as they are.
TEST_F(FormatsTest, TwoFormats) {
  for (auto [type, other] : {std::pair(DType::F8E4M3FN, DType::F8E5M2),
                             std::pair(DType::F8E5M2, DType::F8E4M3FN)})
    for (bool roles : {false, true}) {
      SCOPED_TRACE(getElement(type) + (roles ? ", roles" : ""));
      GPUOptions options = makeOptions(roles ? 128 : 64, 64, 128, roles);
      Random random(7);
      Tensor left = oracle::random(random, {140, 304}, -1, 1, type),
             right = oracle::random(random, {72, 304}, -1, 1, other);
      GPUOutcome outcome = contract(
          type, other, left, right,
          oracle::contract("mk,nk->mn", left, right, DType::F32), options);
      EXPECT_TRUE(multiplies(outcome, type, other)) << outcome.remarks;
      EXPECT_EQ(outcome.kernels.find("nvvm.setmaxregister") !=
                    std::string::npos,
                roles);
    }
}

// All codes of both operands, NaN and infinity, too: the products of each pair.
// All other elements are zeros, so that sums are exact.
TEST_F(FormatsTest, AllCodesOfEightBits) {
  constexpr int64_t kCodes = 256, kSum = 32;
  auto getCodes = [](DType type) {
    Tensor tensor({kCodes, kSum});
    for (int64_t code = 0; code < kCodes; ++code)
      tensor.at({code, code % kSum}) = oracle::decode8(code, type);
    return tensor;
  };
  for (DType type : {DType::F8E4M3FN, DType::F8E5M2})
    for (DType other : {DType::F8E4M3FN, DType::F8E5M2}) {
      SCOPED_TRACE(getElement(type) + " " + getElement(other));
      Tensor left = getCodes(type), right = getCodes(other);
      Tensor want({kCodes, kCodes});
      for (int64_t m = 0; m < kCodes; ++m)
        for (int64_t n = 0; n < kCodes; ++n)
          for (int64_t k = 0; k < kSum; ++k)
            want.at({m, n}) += left.at({m, k}) * right.at({n, k});
      GPUOutcome outcome = contract(type, other, left, right, Bounded(want),
                                    makeOptions(64, 64, 32, /*roles=*/false));
      EXPECT_TRUE(multiplies(outcome, type, other)) << outcome.remarks;
    }
}
