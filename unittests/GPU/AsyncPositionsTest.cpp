//===- AsyncPositionsTest.cpp - Masks and biases of positions -------------===//
//
// Attention on tiles in shared memory whose masks or biases follow from positions:
// slopes in memory, windows and chunks. Loops visit what a mask leaves, and end
// and begin where it hides a part of a tile.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include <cmath>
#include <limits>

using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using Order = mlir::linalg_ext::simt::Options::Order;

namespace {
class AsyncPositionsTest : public GPUTest {
protected:
  static GPUOptions makeOptions(int64_t rows, int64_t keys) {
    GPUOptions options;
    options.rows = rows;
    options.columns = options.reduction = 0;
    options.keys = keys;
    options.threads = 128;
    options.chip = "sm_90a";
    options.asyncProducts = "true";
    options.roles = "false";
    return options;
  }

  /// Checks a kernel without roles, with `slots` slots of each ring, of two
  /// heads of `rows` rows that each see their last `width` keys.
  static GPUOutcome checkWindow(int64_t width, int64_t rows, int64_t slots,
                                bool isSeeded);

  /// Both products are asynchronous, and no other instruction is there.
  static bool isAsynchronous(const GPUOutcome &outcome) {
    auto has = [&](const char *text) {
      return outcome.kernels.find(text) != std::string::npos;
    };
    return has("vector_ext.async_mma") && has("nvgpu.tma.async.load") &&
           !has("nvgpu.mma.sync");
  }
};
} // namespace

// Causal attention [H, M, D] in which each head has a slope in memory.
static const std::string kSlopes = R"(
func.func @main(%q: tensor<[H]x[M]x32xf16>, %k: tensor<[H]x[M]x32xf16>, %v: tensor<[H]x[M]x32xf16>, %slopes: tensor<[H]xf32>) -> tensor<[H]x[M]x32xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.2 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %h = tensor.dim %q, %c0 : tensor<[H]x[M]x32xf16>
  %m = tensor.dim %q, %c1 : tensor<[H]x[M]x32xf16>
  %e = tensor.empty(%h, %m, %m) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
)" + makeProduct("hmd,hnd->hmn", "%s", {"%q", "tensor<[H]x[M]x32xf16>"},
                  {"%k", "tensor<[H]x[M]x32xf16>"},
                  {"%f", "tensor<?x?x?xf32>"}) +
                                   R"(
  %biased = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h)>, affine_map<(h, m, n) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %slopes : tensor<?x?x?xf32>, tensor<[H]xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %slope: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %far = arith.subi %i, %j : index
    %far64 = arith.index_cast %far : index to i64
    %distance = arith.sitofp %far64 : i64 to f32
    %bias = arith.mulf %slope, %distance : f32
    %scaled = arith.mulf %x, %scale : f32
    %sum = arith.addf %bias, %scaled : f32
    %visible = arith.cmpi sle, %j, %i : index
    %r = arith.select %visible, %sum, %hidden : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%biased : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %eh = tensor.empty(%h, %m, %m) : tensor<?x?x?xf16>
  %ph = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<?x?x?xf32>) outs(%eh : tensor<?x?x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x?xf16>
  %eo = tensor.empty(%h, %m) : tensor<?x?x32xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
)" + makeProduct("hmn,hne->hme", "%o", {"%ph", "tensor<?x?x?xf16>"},
                  {"%v", "tensor<[H]x[M]x32xf16>"},
                  {"%fo", "tensor<?x?x32xf32>"}) +
                                   R"(
  %er = tensor.empty(%h, %m) : tensor<?x?x32xf16>
  %rounded = linalg.generic {indexing_maps = [affine_map<(h, m, e) -> (h, m, e)>, affine_map<(h, m, e) -> (h, m, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<?x?x32xf32>) outs(%er : tensor<?x?x32xf16>) {
  ^bb0(%x: f32, %o2: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x?x32xf16>
  %cast = tensor.cast %rounded : tensor<?x?x32xf16> to tensor<[H]x[M]x32xf16>
  return %cast : tensor<[H]x[M]x32xf16>
})";

/// Draws queries, keys and values of f16, 32 of them for each of `rows` rows of
/// each head, and adds `slopes`, one for each head.
static std::vector<oracle::Tensor> drawWithSlopes(int64_t rows,
                                                  std::vector<double> slopes) {
  auto heads = static_cast<int64_t>(slopes.size());
  Random random(rows);
  std::vector<oracle::Tensor> inputs;
  for (int i = 0; i < 3; ++i)
    inputs.push_back(
        oracle::random(random, {heads, rows, 32}, -1, 1, DType::F16));
  inputs.push_back(oracle::roundTo(oracle::Tensor({heads}, std::move(slopes)),
                                   DType::F32));
  return inputs;
}

/// The results for `inputs` in f64, and bounds of the errors: of scores, their
/// sums, weights and sums of values, in this order. Each row sees its last `width` keys.
static oracle::Bounded
attendWithSlopes(const std::vector<oracle::Tensor> &inputs,
                 int64_t width = std::numeric_limits<int64_t>::max(),
                 int64_t chunk = std::numeric_limits<int64_t>::max()) {
  const oracle::Tensor &q = inputs[0], &k = inputs[1], &v = inputs[2];
  oracle::Tensor out(q.shape, 0.0), error(q.shape, 0.0);
  for (int64_t h = 0; h < q.shape[0]; ++h)
    for (int64_t i = 0; i < q.shape[1]; ++i) {
      std::vector<double> weights;
      double most = -std::numeric_limits<double>::infinity(), sum = 0, far = 0;
      int64_t begin = std::max(i < width ? 0 : i - width + 1, i - i % chunk);
      for (int64_t j = begin; j <= i; ++j) {
        double score = 0, magnitude = 0;
        for (int64_t d = 0; d < 32; ++d) {
          double product = q.at({h, i, d}) * k.at({h, j, d}) * 0.2;
          score += product;
          magnitude += std::abs(product);
        }
        double slope = inputs[3].at({h});
        weights.push_back(score + slope * static_cast<double>(i - j));
        most = std::max(most, weights.back());
        // A tile has up to 192 rows and 128 keys.
        far = std::max(far, 40 * magnitude + std::abs(slope) * (3 * (i - j) + 320));
      }
      for (double &weight : weights)
        sum += weight = std::exp(weight - most);
      double ofScores = std::expm1(2 * std::ldexp(far, -23));
      for (int64_t e = 0; e < 32; ++e) {
        double magnitude = 0;
        for (int64_t j = begin; j <= i; ++j) {
          double weight = weights[j - begin] / sum;
          out.at({h, i, e}) += weight * v.at({h, j, e});
          magnitude += weight * std::abs(v.at({h, j, e}));
        }
        error.at({h, i, e}) = magnitude * (2 * ofScores + std::ldexp(1, -9)) +
                              std::ldexp(static_cast<double>(i + 2), -24);
      }
    }
  return {out, error};
}

// Each tile of a persistent kernel reads the slope of its head, and that of the
// next one before it ends.
TEST_F(AsyncPositionsTest, RolesWithSlopesInMemory) {
  for (int64_t rows : {60, 150, 200})
    for (int64_t groups : {0, 1, 3}) {
      // Each of three groups has fewer registers, and looks places up.
      bool persists = groups > 0;
      int64_t heads = 5;
      std::vector<oracle::Tensor> inputs =
          drawWithSlopes(rows, {-0.70710678, 0.01, 0, -3.3, 40});
      GPUOptions options =
          groups == 3 ? makeOptions(192, 128) : makeOptions(64, 32);
      options.roles = options.rotateLoops = "true";
      options.persistentKernels = persists ? "true" : "false";
      options.processors = groups == 3 ? 1 : 3;
      options.order = persists ? Order::Seeded : Order::CopiesFirst;
      GPUOutcome outcome =
          check(fill(kSlopes, "HM", {heads, rows}, /*isDynamic=*/true), options,
                inputs, {attendWithSlopes(inputs)});
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_NE(outcome.kernels.find("1065369472"), std::string::npos)
          << outcome.kernels;
      EXPECT_EQ(outcome.kernels.find("persist = ") != std::string::npos,
                persists);
      EXPECT_EQ(outcome.kernels.find("memref<64x2xi32") != std::string::npos,
                persists)
          << outcome.kernels;
    }
}

/// `text`, attention in which each row sees its last `width` keys.
static std::string makeWindowed(std::string text, int64_t width) {
  const std::string visible = "%visible = arith.cmpi sle, %j, %i : index";
  size_t at = text.find(visible);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, visible.size(),
                      "%past = arith.cmpi sle, %j, %i : index\n"
                      "    %width = arith.constant " +
                          std::to_string(width) +
                          " : index\n"
                          "    %near = arith.cmpi slt, %far, %width : index\n"
                          "    %visible = arith.andi %past, %near : i1");
}

GPUOutcome AsyncPositionsTest::checkWindow(int64_t width, int64_t rows,
                                           int64_t slots, bool isSeeded) {
  std::vector<oracle::Tensor> inputs = drawWithSlopes(rows, {-0.70710678, 0});
  GPUOptions options = makeOptions(64, 32);
  options.stages = slots;
  options.order = isSeeded     ? Order::Seeded
                  : slots == 2 ? Order::CopiesFirst
                               : Order::CopiesLast;
  std::string text = makeWindowed(
      fill(kSlopes, "HM", {2, rows}, /*isDynamic=*/true), width);
  GPUOutcome outcome =
      check(text, options, inputs, {attendWithSlopes(inputs, width)});
  EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
  return outcome;
}

// A window of up to three tiles of keys has one loop, whose masks hide keys at both ends.
// Tiles of keys and of values are copied in front of it and ahead in it.
TEST_F(AsyncPositionsTest, ShortWindows) {
  for (int64_t width : {1, 20, 33})
    for (int64_t rows : {30, 70, 165})
      for (int64_t slots : {2, 3}) {
        GPUOutcome outcome =
            checkWindow(width, rows, slots, /*isSeeded=*/rows == 70);
        // One copy of queries, and for each ring those in front of the loop and one in it.
        EXPECT_EQ(static_cast<int64_t>(
                      llvm::StringRef(outcome.kernels).count("nvgpu.tma.async.load")),
                  1 + 2 * slots)
            << width << " " << rows << "\n"
            << outcome.kernels;
      }
}

// A longer window has three loops without roles, too. Those at its ends have one mask each.
TEST_F(AsyncPositionsTest, WindowsOfThreeLoops) {
  for (int64_t width : {100, 210})
    for (int64_t rows : {40, 165, 250})
      for (int64_t slots : {1, 2}) {
        GPUOutcome outcome =
            checkWindow(width, rows, slots, /*isSeeded=*/rows == 165);
        EXPECT_GE(llvm::StringRef(outcome.kernels).count("scf.for"), 3u)
            << outcome.kernels;
      }
}

// A long window has three loops: tiles that it hides in part, whole ones, and those on the
// diagonal. The loops of two groups are rotated, and pass products on. If a kernel is
// persistent, the next tile begins in front of the end of another one.
TEST_F(AsyncPositionsTest, RotatedWindows) {
  for (const char *persist : {"false", "true"})
    for (int64_t width : {70, 150})
      for (int64_t rows : {60, 190, 300}) {
        std::vector<oracle::Tensor> inputs = drawWithSlopes(rows, {0, 0});
        GPUOptions options = makeOptions(128, 32);
        options.roles = options.rotateLoops = "true";
        options.persistentKernels = persist;
        options.order = rows == 190 ? Order::CopiesLast : Order::Seeded;
        std::string text = makeWindowed(
            fill(kSlopes, "HM", {2, rows}, /*isDynamic=*/true), width);
        // Without a bias.
        const std::string sum = "%sum = arith.addf %bias, %scaled : f32";
        size_t at = text.find(sum);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, sum.size(), "%sum = arith.mulf %x, %scale : f32");
        GPUOutcome outcome =
            check(text, options, inputs, {attendWithSlopes(inputs, width)});
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        // Groups of rotated loops take turns.
        EXPECT_NE(outcome.kernels.find("nvvm.barrier.arrive"), std::string::npos)
            << outcome.kernels;
      }
}

/// `text`, attention with slopes, without a bias, in which each row sees the
/// keys of its chunk of `chunk` positions that are not behind it.
static std::string makeChunked(std::string text, int64_t chunk) {
  auto replace = [&](const std::string &what, const std::string &with) {
    size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, what.size(), with);
  };
  replace("%visible = arith.cmpi sle, %j, %i : index",
          "%past = arith.cmpi sle, %j, %i : index\n"
          "    %chunk = arith.constant " +
              std::to_string(chunk) +
              " : index\n"
              "    %of_row = arith.floordivsi %i, %chunk : index\n"
              "    %of_key = arith.floordivsi %j, %chunk : index\n"
              "    %same = arith.cmpi eq, %of_row, %of_key : index\n"
              "    %visible = arith.andi %past, %same : i1");
  replace("%sum = arith.addf %bias, %scaled : f32",
          "%sum = arith.mulf %x, %scale : f32");
  return text;
}

// Rows see the keys of their chunk up to their own. If tiles divide chunks, these begin whole;
// otherwise a loop in front has masks, too.
TEST_F(AsyncPositionsTest, Chunks) {
  for (bool hasRoles : {false, true})
    for (const char *persist : {"false", "true"})
      for (int64_t chunk : {50, 128, 512})
        for (int64_t rows : {60, 300}) {
          if (!hasRoles && persist[0] == 't')
            continue;
          std::vector<oracle::Tensor> inputs = drawWithSlopes(rows, {0, 0});
          GPUOptions options = makeOptions(hasRoles ? 128 : 64, 32);
          if (hasRoles) {
            options.roles = options.rotateLoops = "true";
            options.persistentKernels = persist;
          }
          options.order = rows == 60 ? Order::CopiesLast : Order::Seeded;
          std::string text = makeChunked(
              fill(kSlopes, "HM", {2, rows}, /*isDynamic=*/true), chunk);
          GPUOutcome outcome = check(
              text, options, inputs,
              {attendWithSlopes(inputs, std::numeric_limits<int64_t>::max(),
                                chunk)});
          EXPECT_TRUE(isAsynchronous(outcome))
              << chunk << " " << rows << "\n"
              << outcome.remarks;
        }
}
