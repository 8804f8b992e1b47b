//===- AsyncEpiloguesTest.cpp - What is behind asynchronous products ------===//
//
// Biases, activations and residuals behind products of tiles in shared memory:
// what is copied with the tiles, and the last tile of rows.
//
//===----------------------------------------------------------------------===//

#include "AsyncKernelTest.h"
#include "Mutations.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class AsyncEpiloguesTest : public AsyncKernelTest {};
} // namespace

// A bias, an activation and a residual behind a product of batches.
TEST_F(AsyncEpiloguesTest, RolesWithEpilogue) {
  const std::string text =
      R"(
func.func @main(%a: tensor<2x128x80xf16>, %b: tensor<2x64x80xf16>,
                %bias: tensor<64xf32>, %r: tensor<2x128x64xf16>) -> tensor<2x128x64xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
)" +
      makeProduct("bmk,bnk->bmn", "%p", {"%a", "tensor<2x128x80xf16>"},
                  {"%b", "tensor<2x64x80xf16>"},
                  {"%f", "tensor<2x128x64xf32>"}) +
      R"(
  %h = tensor.empty() : tensor<2x128x64xf16>
  %q = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>,
      affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>,
      affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %bias, %r : tensor<2x128x64xf32>, tensor<64xf32>, tensor<2x128x64xf16>)
      outs(%h : tensor<2x128x64xf16>) {
  ^bb0(%x: f32, %c: f32, %y: f16, %o: f16):
    %s = arith.addf %x, %c : f32
    %t = arith.maximumf %s, %zero : f32
    %z = arith.extf %y : f16 to f32
    %u = arith.addf %t, %z : f32
    %v = arith.truncf %u : f32 to f16
    linalg.yield %v : f16
  } -> tensor<2x128x64xf16>
  return %q : tensor<2x128x64xf16>
})";
  Random random(11);
  auto draw = [&](oracle::Shape shape, DType type) {
    return oracle::random(random, shape, -1, 1, type);
  };
  Tensor a = draw({2, 128, 80}, DType::F16), b = draw({2, 64, 80}, DType::F16),
         bias = draw({64}, DType::F32), r = draw({2, 128, 64}, DType::F16);
  Bounded sum = oracle::add(oracle::contract("bmk,bnk->bmn", a, b, DType::F32),
                            "bmn", Bounded(bias), "n", DType::F32);
  Bounded active = oracle::apply(
      sum, DType::F32, 0, [](double v) { return v > 0 ? v : 0; },
      [](double, double e) { return e; });
  Bounded want = oracle::cast(
      oracle::add(active, "bmn", Bounded(r), "bmn", DType::F32), DType::F16);
  for (int64_t parts : {1, 2})
    for (bool isPersistent : {false, true}) {
      GPUOptions options = makeOptions(64 * parts, 32, 16);
      options.roles = "true";
      options.persistentKernels = isPersistent ? "true" : "false";
      options.processors = 3;
      GPUOutcome outcome = check(text, options, {a, b, bias, r}, {want});
      EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
      EXPECT_EQ(outcome.total().workgroups,
                isPersistent ? 3 : 2 * 2 * 128 / (64 * parts));
    }
}

// A bias and a residual behind products of batches whose workgroups have roles
// and are alone on their processors, as they are chosen. Rows, columns and sums
// are no whole tiles; results have 16 and 32 bits.
TEST_F(AsyncEpiloguesTest, LoneWorkgroupsWithRoles) {
  for (const std::string element : {"f16", "f32"}) {
    bool isWide = element == "f32";
    std::string r = "tensor<2x44x184x" + element + ">";
    std::string text =
        R"(
func.func @main(%a: tensor<2x44x1088xf16>, %b: tensor<2x184x1088xf16>,
                %bias: tensor<184xf32>, %r: )" +
        r + ") -> " + r + R"( {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x44x184xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x44x184xf32>) -> tensor<2x44x184xf32>
)" +
        makeProduct("bmk,bnk->bmn", "%p", {"%a", "tensor<2x44x1088xf16>"},
                    {"%b", "tensor<2x184x1088xf16>"},
                    {"%f", "tensor<2x44x184xf32>"}) +
        R"(
  %h = tensor.empty() : )" +
        r + R"(
  %q = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>,
      affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>,
      affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %bias, %r : tensor<2x44x184xf32>, tensor<184xf32>, )" +
        r + ") outs(%h : " + r + R"() {
  ^bb0(%x: f32, %c: f32, %y: )" +
        element + ", %o: " + element + R"():
    %s = arith.addf %x, %c : f32
)" + (isWide ? R"(    %v = arith.addf %s, %y : f32
)"
             : R"(    %z = arith.extf %y : f16 to f32
    %u = arith.addf %s, %z : f32
    %v = arith.truncf %u : f32 to f16
)") + "    linalg.yield %v : " +
        element + "\n  } -> " + r + "\n  return %q : " + r + "\n}";
    Random random(11);
    auto draw = [&](oracle::Shape shape, DType type) {
      return oracle::random(random, shape, -1, 1, type);
    };
    DType type = isWide ? DType::F32 : DType::F16;
    Tensor a = draw({2, 44, 1088}, DType::F16),
           b = draw({2, 184, 1088}, DType::F16), bias = draw({184}, DType::F32),
           other = draw({2, 44, 184}, type);
    Bounded sum = oracle::add(
        oracle::add(oracle::contract("bmk,bnk->bmn", a, b, DType::F32), "bmn",
                    Bounded(bias), "n", DType::F32),
        "bmn", Bounded(other), "bmn", DType::F32);
    Bounded want = isWide ? sum : oracle::cast(sum, DType::F16);
    GPUOptions options;
    options.rows = options.columns = options.reduction = 0;
    options.chip = "sm_90a";
    options.order = orders[isWide];
    GPUOutcome outcome = check(text, options, {a, b, bias, other}, {want});
    EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
  }
}

// A residual is copied behind the tiles of a product, and loaded from shared
// memory: borders, one tile more or less than others, and all orders.
TEST_F(AsyncEpiloguesTest, ResidualsAreCopied) {
  const int64_t m = 3 * 64 - 8, n = 2 * 64 - 8;
  auto makeText = [&](const std::string &element, const std::string &unknown,
                      int64_t k) {
    auto getType = [&](const char *dims, const std::string &element) {
      std::string text = "tensor<";
      for (const char *dim = dims; *dim; ++dim)
        text += (unknown.find(*dim) != std::string::npos
                     ? std::string("?")
                     : std::to_string(*dim == 'm'   ? m
                                      : *dim == 'n' ? n
                                                    : k)) +
                "x";
      return text + element + ">";
    };
    std::string a = getType("mk", "f16"), b = getType("nk", "f16"),
                c = getType("mn", "f32"), r = getType("mn", element);
    std::string sizes;
    std::string text = "func.func @main(%a: " + a + ", %b: " + b +
                       ", %r: " + r + ") -> " + r + R"( {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
)";
    for (auto [dim, operand, type] :
         {std::tuple('m', "%a", a), std::tuple('n', "%b", b)})
      if (unknown.find(dim) != std::string::npos) {
        std::string name = std::string("%") + dim;
        text +=
            "  " + name + " = tensor.dim " + operand + ", %c0 : " + type + "\n";
        sizes += (sizes.empty() ? "" : ", ") + name;
      }
    text += "  %e = tensor.empty(" + sizes + ") : " + c +
            "\n  %g = tensor.empty(" + sizes + ") : " + r + R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : )" +
            c + ") -> " + c + "\n" +
            makeProduct("mk,nk->mn", "%p", {"%a", a}, {"%b", b}, {"%f", c}) +
            R"(
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %r : )" +
            c + ", " + r + ") outs(%g : " + r + R"() {
  ^bb0(%x: f32, %y: )" +
            element + ", %o: " + element + "):\n";
    if (element == "f32")
      text += "    %v = arith.addf %x, %y : f32\n";
    else
      text += R"(    %z = arith.extf %y : f16 to f32
    %u = arith.addf %x, %z : f32
    %v = arith.truncf %u : f32 to f16
)";
    return text + "    linalg.yield %v : " + element + "\n  } -> " + r +
           "\n  return %q : " + r + "\n}";
  };
  for (bool isWide : {false, true}) {
    DType type = isWide ? DType::F32 : DType::F16;
    Random random(12);
    Tensor a = oracle::random(random, {m, 80}, -1, 1, DType::F16),
           b = oracle::random(random, {n, 80}, -1, 1, DType::F16),
           r = oracle::random(random, {m, n}, -1, 1, type);
    Bounded sum = oracle::add(oracle::contract("mk,nk->mn", a, b, DType::F32),
                              "mn", Bounded(r), "mn", DType::F32);
    Bounded want = isWide ? sum : oracle::cast(sum, DType::F16);
    for (const char *unknown : {"", "m"})
      for (int64_t processors : {1, 4}) {
        GPUOptions options = makeOptions(64, 64, 16);
        options.roles = options.persistentKernels = "true";
        options.stages = 2;
        options.processors = processors;
        options.order = orders[(processors + isWide) % 3];
        GPUOutcome outcome =
            check(makeText(isWide ? "f32" : "f16", unknown, 80), options,
                  {a, b, r}, {want});
        EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
        // A ring of its own, with one slot.
        int64_t slots = 2 * (64 + 64) * 16 * 2,
                slot = 64 * 64 * (isWide ? 4 : 2);
        EXPECT_GE(outcome.total().workgroupBytes, slots + slot);
        // Without roles, threads read it in front of the loop.
        options.roles = options.persistentKernels = "false";
        outcome = check(makeText(isWide ? "f32" : "f16", unknown, 80), options,
                        {a, b, r}, {want});
        EXPECT_TRUE(isAsynchronous(outcome) && !hasRoles(outcome))
            << outcome.remarks;
      }
  }
  // Nothing is summed: groups of threads get their residuals at the same time.
  for (auto order : orders) {
    Random random(13);
    std::vector<Tensor> inputs = {
        oracle::random(random, {m, 0}, -1, 1, DType::F16),
        oracle::random(random, {n, 0}, -1, 1, DType::F16),
        oracle::random(random, {m, n}, -1, 1, DType::F16)};
    GPUOptions options = makeOptions(64, 64, 16);
    options.roles = options.persistentKernels = "true";
    options.stages = 2;
    options.processors = 1;
    options.order = order;
    GPUOutcome outcome =
        check(makeText("f16", "k", 0), options, inputs, {Bounded(inputs[2])});
    EXPECT_TRUE(hasRoles(outcome) && takesTurns(outcome)) << outcome.remarks;
  }
  // A loop has no more iterations than slots: its copies do not keep that of
  // the next residual back.
  GPUOptions options = makeOptions(64, 64, 16);
  options.roles = options.persistentKernels = "true";
  options.stages = 2;
  // Three tiles each: with turns, one group has the last one without a tile.
  options.processors = 2;
  Random random(12);
  std::vector<Tensor> inputs = {
      oracle::random(random, {m, 32}, -1, 1, DType::F16),
      oracle::random(random, {n, 32}, -1, 1, DType::F16),
      oracle::random(random, {m, n}, -1, 1, DType::F16)};
  Bounded want =
      oracle::cast(oracle::add(oracle::contract("mk,nk->mn", inputs[0],
                                                inputs[1], DType::F32),
                               "mn", Bounded(inputs[2]), "mn", DType::F32),
                   DType::F16);
  GPUOutcome outcome = check(makeText("f16", "", 32), options, inputs, {want});
  ASSERT_TRUE(hasRoles(outcome)) << outcome.remarks;
  EXPECT_GE(checkMutations(*outcome.device, inputs, want.value, 0.05), 25);
}

// The last tile of rows begins earlier, although a residual is read at the same
// places: where the result is elsewhere. A launch may also put it in the memory
// of the residual, where workgroups must not read what others have stored.
TEST_F(AsyncEpiloguesTest, ResidualsOfLastTiles) {
  const int64_t m = 3 * 64 - 40, n = 2 * 64, k = 80;
  for (bool isKnown : {true, false}) {
    std::string rows = isKnown ? std::to_string(m) : "?";
    std::string text = R"(
func.func @main(%a: tensor<[M]x80xf16>, %b: tensor<128x80xf16>, %r: tensor<[M]x128xf32>) -> tensor<[M]x128xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<[M]x80xf16>
  %sizes = tensor.empty(%m) : tensor<?x128xf32>
  %e = tensor.cast %sizes : tensor<?x128xf32> to tensor<[M]x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<[M]x128xf32>) -> tensor<[M]x128xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<[M]x80xf16>, tensor<128x80xf16>) outs(%f : tensor<[M]x128xf32>) -> tensor<[M]x128xf32>
  %q = linalg.add ins(%p, %r : tensor<[M]x128xf32>, tensor<[M]x128xf32>) outs(%e : tensor<[M]x128xf32>) -> tensor<[M]x128xf32>
  return %q : tensor<[M]x128xf32>
})";
    for (size_t at; (at = text.find("[M]")) != std::string::npos;)
      text.replace(at, 3, rows);
    Random random(14);
    std::vector<Tensor> inputs = {
        oracle::random(random, {m, k}, -1, 1, DType::F16),
        oracle::random(random, {n, k}, -1, 1, DType::F16),
        oracle::random(random, {m, n}, -1, 1, DType::F32)};
    Bounded want = oracle::add(
        oracle::contract("mk,nk->mn", inputs[0], inputs[1], DType::F32), "mn",
        Bounded(inputs[2]), "mn", DType::F32);
    for (bool isInPlace : {false, true})
      for (bool roles : {false, true})
        for (auto order : orders) {
          GPUOptions options = makeOptions(64, 64, 16);
          options.roles = options.persistentKernels = roles ? "true" : "false";
          options.processors = 2;
          options.order = order;
          if (isInPlace)
            options.resultIn = 2;
          GPUOutcome outcome = check(text, options, inputs, {want});
          EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
          EXPECT_NE(outcome.kernels.find("extract_aligned_pointer"),
                    std::string::npos)
              << outcome.kernels;
        }
  }
}

// x / (1 + exp(-x)), of 64 elements of a thread: in parts, with and without
// roles. All is rounded to 16 bits, so that one instruction is exact enough for
// the power.
TEST_F(AsyncEpiloguesTest, Activation) {
  const std::string text =
      R"(
func.func @main(%a: tensor<120x80xf16>, %b: tensor<128x80xf16>,
                %bias: tensor<128xf32>) -> tensor<120x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<120x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<120x128xf32>) -> tensor<120x128xf32>
)" +
      makeProduct("mk,nk->mn", "%p", {"%a", "tensor<120x80xf16>"},
                  {"%b", "tensor<128x80xf16>"}, {"%f", "tensor<120x128xf32>"}) +
      R"(
  %h = tensor.empty() : tensor<120x128xbf16>
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<120x128xf32>, tensor<128xf32>)
      outs(%h : tensor<120x128xbf16>) {
  ^bb0(%x: f32, %c: f32, %o: bf16):
    %s = arith.addf %x, %c : f32
    %minus = arith.negf %s : f32
    %g = math.exp %minus : f32
    %d = arith.addf %g, %one : f32
    %t = arith.divf %s, %d : f32
    %v = arith.truncf %t : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<120x128xbf16>
  return %q : tensor<120x128xbf16>
})";
  Random random(11);
  Tensor a = oracle::random(random, {120, 80}, -1, 1, DType::F16),
         b = oracle::random(random, {128, 80}, -1, 1, DType::F16),
         bias = oracle::random(random, {128}, -100, 100, DType::F32);
  Bounded sum = oracle::add(oracle::contract("mk,nk->mn", a, b, DType::F32),
                            "mn", Bounded(bias), "n", DType::F32);
  // The derivative is at most 1.1.
  Bounded want = oracle::cast(
      oracle::apply(
          sum, DType::F32, 256, [](double v) { return v / (1 + std::exp(-v)); },
          [](double, double e) { return 1.1 * e; }),
      DType::BF16);
  for (bool roles : {false, true}) {
    GPUOptions options = makeOptions(64, 128, 16);
    options.roles = options.persistentKernels = roles ? "true" : "false";
    options.processors = 1;
    GPUOutcome outcome = check(text, options, {a, b, bias}, {want});
    EXPECT_EQ(hasRoles(outcome), roles) << outcome.remarks;
    EXPECT_NE(outcome.kernels.find("fastmath<afn>"), std::string::npos);
  }
}
