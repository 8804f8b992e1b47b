//===- AsyncProductsTest.cpp - Products of tiles in shared memory ---------===//
//
// Products whose operands are copied to shared memory as whole tiles, and read
// there by asynchronous instructions: every contiguous dimension, several tile
// sizes, and what is refused. Epilogues are in AsyncEpiloguesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "AsyncKernelTest.h"
#include "Mutations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class AsyncProductsTest : public AsyncKernelTest {
protected:
  /// Whether the last tile of rows begins earlier: boxes are copied from the
  /// smaller one of two rows on.
  static bool beginsLastTileEarlier(const GPUOutcome &outcome) {
    mlir::OwningOpRef<mlir::ModuleOp> kernels =
        mlir::parseSourceString<mlir::ModuleOp>(outcome.kernels, context);
    EXPECT_TRUE(kernels);
    bool isMinimum = false;
    if (kernels)
      kernels->walk([&](mlir::nvgpu::TmaAsyncLoadOp load) {
        for (mlir::Value coordinate : load.getCoordinates())
          isMinimum |=
              coordinate.getDefiningOp<mlir::arith::MinSIOp>() != nullptr;
      });
    return isMinimum;
  }

  /// Contracts `lhs` and `rhs`, whose dimensions are named, to "mn". The types
  /// do not say how large those of `unknown` are.
  static GPUOutcome contract(const std::string &lhs, const std::string &rhs,
                             std::array<int64_t, 3> sizes, DType type,
                             const GPUOptions &options, bool narrows = false,
                             const std::string &unknown = "");
};
} // namespace

GPUOutcome AsyncProductsTest::contract(const std::string &lhs,
                                       const std::string &rhs,
                                       std::array<int64_t, 3> sizes, DType type,
                                       const GPUOptions &options, bool narrows,
                                       const std::string &unknown) {
  auto [m, n, k] = sizes;
  auto getShape = [&, m = m, n = n, k = k](const std::string &dims) {
    oracle::Shape shape;
    for (char dim : dims)
      shape.push_back(dim == 'm' ? m : dim == 'n' ? n : k);
    return shape;
  };
  auto getType = [&](const std::string &dims, const std::string &element) {
    std::string text = "tensor<";
    for (auto [dim, size] : llvm::zip_equal(dims, getShape(dims)))
      text += (unknown.find(dim) == std::string::npos ? std::to_string(size)
                                                      : "?") +
              "x";
    return text + element + ">";
  };
  std::string element = type == DType::F16        ? "f16"
                        : type == DType::F8E4M3FN ? "f8E4M3FN"
                        : type == DType::F8E5M2   ? "f8E5M2"
                                                  : "bf16";
  std::string a = getType(lhs, element), b = getType(rhs, element),
              c = getType("mn", "f32"),
              r = narrows ? getType("mn", element) : c;
  std::string sizesOfResult;
  std::string text = "func.func @main(%a: " + a + ", %b: " + b + ") -> " + r +
                     R"( {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
)";
  for (char dim : std::string("mn"))
    if (unknown.find(dim) != std::string::npos) {
      bool isLhs = dim == 'm';
      text += std::string("  %size_") + dim + " = tensor.dim " +
              (isLhs ? "%a, %c" : "%b, %c") +
              std::to_string((isLhs ? lhs : rhs).find(dim)) + " : " +
              (isLhs ? a : b) + "\n";
      sizesOfResult += (sizesOfResult.empty() ? "%size_" : ", %size_");
      sizesOfResult += dim;
    }
  text += "  %e = tensor.empty(" + sizesOfResult + ") : " + c + R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : )" +
          c + ") -> " + c + "\n" +
          makeProduct(lhs + "," + rhs + "->mn", "%p", {"%a", a}, {"%b", b},
                      {"%f", c});
  if (narrows)
    text += R"(
  %g = tensor.empty()" +
            sizesOfResult + ") : " + r + R"(
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

// Operands of 8 bits: each format and swizzle, with and without roles. Tiles
// divide nothing, and the last one has 16 or 48 elements of a sum.
TEST_F(AsyncProductsTest, EightBits) {
  for (DType type : {DType::F8E4M3FN, DType::F8E5M2})
    for (int64_t reduction : {32, 64, 128})
      for (bool roles : {false, true}) {
        SCOPED_TRACE(std::to_string(reduction) + (roles ? ", roles" : ""));
        GPUOptions options = makeOptions(roles ? 128 : 64, 64, reduction);
        options.roles = roles ? "true" : "false";
        GPUOutcome outcome =
            contract("mk", "nk", {140, 72, 2 * reduction + (roles ? 16 : 48)},
                     type, options);
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        EXPECT_EQ(hasRoles(outcome), roles);
        EXPECT_NE(outcome.kernels.find("k32.f32.e"), std::string::npos);
      }
}

// Tensor cores transpose no bytes: kernels in front transpose the operands.
TEST_F(AsyncProductsTest, EightBitsOfOtherDimensions) {
  for (auto [lhs, rhs] : std::vector<std::pair<std::string, std::string>>{
           {"mk", "kn"}, {"km", "nk"}}) {
    SCOPED_TRACE(lhs + " " + rhs);
    GPUOutcome outcome = contract(lhs, rhs, {64, 80, 96}, DType::F8E4M3FN,
                                  makeOptions(64, 64, 32));
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
        // The products of an iteration are open in the next one.
        EXPECT_EQ(outcome.kernels.find("vector_ext.await_earlier") !=
                      std::string::npos,
                  iterations > 1 && slots > 1);
        if (iterations > 1 && slots > 1)
          EXPECT_NE(
              outcome.kernels.find("num_barriers = " + std::to_string(slots)),
              std::string::npos)
              << outcome.kernels;
      }
}

// Tiles that do not divide the sizes: copies fill them with zeros.
TEST_F(AsyncProductsTest, Borders) {
  for (std::string lhs : {"mk", "km"})
    for (std::string rhs : {"kn", "nk"}) {
      SCOPED_TRACE(lhs + " " + rhs);
      GPUOutcome outcome = contract(lhs, rhs, {136, 72, 88}, DType::F16,
                                    makeOptions(64, 64, 32));
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    }
}

// Sizes that the types do not have: one kernel has asynchronous products, for
// rows of a multiple of 16 bytes, and another one takes the others. The
// launches choose.
TEST_F(AsyncProductsTest, UnknownSizes) {
  for (auto [lhs, rhs] : std::vector<std::pair<std::string, std::string>>{
           {"mk", "kn"}, {"km", "nk"}})
    for (std::array<int64_t, 3> sizes : {std::array<int64_t, 3>{136, 72, 88},
                                         {136, 72, 91},
                                         {131, 72, 88},
                                         {136, 77, 88}}) {
      SCOPED_TRACE(lhs + " " + rhs + " " + std::to_string(sizes[0]) + " " +
                   std::to_string(sizes[1]) + " " + std::to_string(sizes[2]));
      std::string rows = {lhs[1], rhs[1]};
      auto isRow = [&](char dim) {
        return rows.find(dim) != std::string::npos;
      };
      bool isAligned = (sizes[0] == 136 || !isRow('m')) &&
                       (sizes[1] == 72 || !isRow('n')) &&
                       (sizes[2] == 88 || !isRow('k'));
      GPUOutcome outcome =
          contract(lhs, rhs, sizes, DType::F16, makeOptions(64, 64, 32),
                   /*narrows=*/true, "mnk");
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_EQ(outcome.total().boxCopies > 0, isAligned);
    }
}

// The last tile of rows begins earlier, unless there are fewer rows than in
// one: some rows are computed twice. Tiles divide the columns.
TEST_F(AsyncProductsTest, LastTiles) {
  for (int64_t rows : {40, 65, 200})
    for (const char *unknown : {"", "m"})
      for (bool isPersistent : {false, true}) {
        if (rows < 64 && unknown[0] == 0)
          continue;
        SCOPED_TRACE(std::to_string(rows) + " " + unknown);
        GPUOptions options = makeOptions(64, 64, 32);
        options.roles = options.persistentKernels =
            isPersistent ? "true" : "false";
        options.processors = 3;
        GPUOutcome outcome =
            contract("mk", "kn", {rows, 128, 96}, DType::F16, options,
                     /*narrows=*/true, unknown);
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        EXPECT_TRUE(beginsLastTileEarlier(outcome)) << outcome.kernels;
      }
}

// Without tiles that are asked for, a launch takes a kernel for few tiles or
// one for many, whichever is estimated to be faster. On a device of two
// processors, one tile of 128 x 256 is worse than four of 64 x 128, and nine
// are better than 30: they are computed by two workgroups.
TEST_F(AsyncProductsTest, UnknownNumberOfTiles) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  options.processors = 2;
  for (const std::string unknown : {"m", "mnk"})
    // Rows of a few tiles have whole lines of the cache. If the columns are
    // known, a tile has all of them, so that there is one round.
    for (auto [rows, columns, depth, workgroups] :
         {std::array<int64_t, 4>{72, 192, 128, unknown == "m" ? 2 : 4},
          {370, 520, 136, 2}}) {
      SCOPED_TRACE(unknown + " " + std::to_string(rows));
      GPUOutcome outcome =
          contract("mk", "kn", {rows, columns, depth}, DType::F16, options,
                   /*narrows=*/true, unknown);
      EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_GT(outcome.total().boxCopies, 0);
      EXPECT_EQ(outcome.total().workgroups, workgroups);
    }
}

// A known number of rows that instructions have more of: tiles are filled up,
// and boxes have the rows that exist. Known sizes leave one kernel, or one that
// sums chunks and one that merges them. Fewer rows stay with `mma.sync`.
TEST_F(AsyncProductsTest, KnownFewRows) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  struct Product {
    std::array<int64_t, 3> sizes;
    const char *lhs, *rhs, *unknown;
    int64_t launches;
    std::string box;
  };
  for (auto [sizes, lhs, rhs, unknown, launches, box] :
       {Product{{17, 136, 2088}, "mk", "nk", "", 2, "box[%c17"},
        {{33, 136, 200}, "mk", "kn", "", 1, "box[%c33"},
        {{24, 48, 104}, "km", "nk", "", 1, ", %c24"},
        {{63, 72, 520}, "mk", "kn", "nk", 1, "box[%c63"},
        {{72, 136, 3720}, "mk", "kn", "", 2, "box[%c72"},
        {{16, 136, 2088}, "mk", "nk", "", 2, ""}}) {
    SCOPED_TRACE(std::to_string(sizes[0]) + " " + unknown);
    GPUOutcome outcome = contract(lhs, rhs, sizes, DType::F16, options,
                                  /*narrows=*/true, unknown);
    EXPECT_EQ(isAsynchronous(outcome), !box.empty()) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    EXPECT_EQ(outcome.total().boxCopies > 0, !box.empty());
    EXPECT_EQ(outcome.total().launches, launches);
    EXPECT_NE(outcome.kernels.find(box), std::string::npos) << outcome.kernels;
  }
}

// Few rows whose right operand is read as it is: the subgroups of a workgroup sum
// parts and load runs of 8 elements, an iteration early, so that there is one
// kernel. Rows and columns are no whole tiles; parts have one step, four, or
// more, and sums that are no whole steps have chunks. Of
// unknown numbers of rows, other kernels have more.
TEST_F(AsyncProductsTest, FewRowsInParts) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  struct Product {
    std::array<int64_t, 3> sizes;
    const char *rhs, *unknown;
    bool hasParts;
  };
  int64_t number = 0;
  for (auto [sizes, rhs, unknown, hasParts] :
       {Product{{1, 136, 2048}, "nk", "", true},
        {{1, 40, 2560}, "nk", "", true},
        {{1, 33, 4224}, "nk", "", true},
        {{1, 72, 1280}, "nk", "", true},
        {{5, 72, 1024}, "nk", "", true},
        {{16, 33, 512}, "nk", "", true},
        {{11, 56, 2048}, "nk", "", true},
        {{1, 40, 640}, "nk", "", true},
        {{3, 40, 640}, "kn", "", false},
        {{3, 40, 1280}, "nk", "", false},
        {{1, 72, 1280}, "kn", "", false},
        {{1, 24, 1288}, "nk", "", false},
        {{1, 72, 1024}, "nk", "m", true},
        {{7, 72, 1024}, "nk", "m", true},
        {{40, 72, 1024}, "nk", "m", false}}) {
    SCOPED_TRACE(std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) +
                 " x " + std::to_string(sizes[2]) + " " + rhs + " " + unknown);
    ++number;
    GPUOutcome outcome =
        contract("mk", rhs, sizes, number % 2 ? DType::F16 : DType::BF16,
                 options, /*narrows=*/number % 3 != 0, unknown);
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    if (!hasParts) {
      EXPECT_TRUE(outcome.total().launches > 1 ||
                  outcome.total().boxCopies > 0 || sizes[2] < 1024)
          << outcome.remarks;
      continue;
    }
    EXPECT_EQ(outcome.total().boxCopies, 0);
    EXPECT_EQ(outcome.total().launches, 1);
    if (*unknown == 0)
      EXPECT_EQ(outcome.total().workgroups, (sizes[1] + 15) / 16);
  }
}

// Few rows with long sums: workgroups with 64 x 128 or 128 x 64 sum chunks of
// at least 512 elements, and others merge them. The last chunk ends where the
// sum does, in the middle of a tile. Boxes have no rows that do not exist.
TEST_F(AsyncProductsTest, UnknownSizesWithChunks) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  for (auto [unknown, lhs, rhs, rows, depth, workgroups] :
       {std::tuple("m", "mk", "kn", 72, 3720, 3 * 8),
        {"mnk", "km", "nk", 40, 2088, 2 * 5},
        {"mnk", "mk", "nk", 17, 2088, 2 * 5}}) {
    SCOPED_TRACE(std::string(unknown) + " " + std::to_string(rows));
    GPUOutcome outcome = contract(lhs, rhs, {rows, 136, depth}, DType::F16,
                                  options, /*narrows=*/true, unknown);
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    EXPECT_GT(outcome.total().boxCopies, 0);
    // Tiles of chunks, and the kernel that merges.
    EXPECT_GT(outcome.total().workgroups, workgroups);
    EXPECT_EQ(outcome.total().launches, 2);
  }
}

// Up to 64 rows on a device of four processors, with two tiles of 64 columns:
// two workgroups sum a tile. The second chunk is shorter, and ends in the
// middle of an iteration. More rows have other kernels.
TEST_F(AsyncProductsTest, PairsOfChunks) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  options.processors = 4;
  struct Product {
    std::array<int64_t, 3> sizes;
    const char *rhs, *unknown;
    const char *parts;
  };
  for (auto [sizes, rhs, unknown, parts] :
       {Product{{40, 104, 3080}, "nk", "m", "2x2x64x64xf32"},
        {{17, 128, 3080}, "kn", "", "2x2x17x64xf32"},
        {{72, 128, 3080}, "nk", "m", "2x2x64x64xf32"}}) {
    SCOPED_TRACE(std::to_string(sizes[0]) + " " + unknown);
    GPUOutcome outcome = contract("mk", rhs, sizes, DType::F16, options,
                                  /*narrows=*/true, unknown);
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    EXPECT_GT(outcome.total().boxCopies, 0);
    // What two workgroups sum, of each of two tiles.
    EXPECT_NE(outcome.kernels.find(parts), std::string::npos);
    if (sizes[0] <= 64)
      EXPECT_EQ(outcome.total().launches, 2);
  }
}

// 17 to 64 rows have asynchronous products where what they read is aligned, and
// synchronous ones elsewhere. Fewer are always synchronous.
TEST_F(AsyncProductsTest, UnknownFewRows) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  for (auto [rows, columns, isAsync] :
       {std::tuple(40, 136, true), {40, 135, false}, {16, 136, false}}) {
    SCOPED_TRACE(std::to_string(rows) + " " + std::to_string(columns));
    GPUOutcome outcome =
        contract("mk", "kn", {rows, columns, 136}, DType::F16, options,
                 /*narrows=*/true, "mnk");
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    EXPECT_EQ(outcome.total().boxCopies > 0, isAsync);
    EXPECT_EQ(outcome.total().launches, 1);
  }
}

// A workgroup that is alone on its processor: long iterations in four slots.
// The last one has 64 elements of sums.
TEST_F(AsyncProductsTest, LoneWorkgroups) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  options.asyncProducts = "true";
  options.roles = options.persistentKernels = "false";
  GPUOutcome outcome = contract("mk", "kn", {72, 256, 5 * 128 + 64}, DType::F16,
                                options, /*narrows=*/true);
  EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
  // 128 elements of sums are eight instructions.
  size_t instructions = 0;
  for (size_t at = 0; (at = outcome.kernels.find("vector_ext.async_mma", at)) !=
                      std::string::npos;
       ++at)
    ++instructions;
  EXPECT_EQ(instructions, 8u) << outcome.kernels;
  EXPECT_NE(outcome.kernels.find("num_barriers = 4"), std::string::npos);
}

// Three groups of rows with 192 columns.
TEST_F(AsyncProductsTest, LargeTiles) {
  GPUOptions options = makeOptions(192, 192, 64);
  options.roles = options.persistentKernels = "true";
  options.processors = 2;
  GPUOutcome outcome = contract("mk", "kn", {200, 200, 72}, DType::BF16,
                                options, /*narrows=*/true);
  EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
  EXPECT_EQ(outcome.total().workgroups, 2);
}

// Rows that are no multiple of 16 bytes are copied to rows that are, in front.
// Nothing reads what these have behind their ends: it may be anything.
TEST_F(AsyncProductsTest, RowsAreCopied) {
  for (auto [lhs, rhs] : std::vector<std::pair<std::string, std::string>>{
           {"mk", "kn"}, {"mk", "nk"}, {"km", "kn"}, {"km", "nk"}})
    for (std::array<int64_t, 3> sizes :
         {std::array<int64_t, 3>{131, 77, 91}, {136, 72, 91}, {131, 72, 88}}) {
      SCOPED_TRACE(lhs + " " + rhs + " " + std::to_string(sizes[0]) + " " +
                   std::to_string(sizes[1]) + " " + std::to_string(sizes[2]));
      auto isCopied = [&](char dim) {
        return sizes[dim == 'm' ? 0 : dim == 'n' ? 1 : 2] % 8 != 0;
      };
      GPUOutcome outcome = contract(lhs, rhs, sizes, DType::BF16,
                                    makeOptions(64, 64, 32), /*narrows=*/true);
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_GT(outcome.total().boxCopies, 0);
      EXPECT_EQ(outcome.total().launches,
                1 + isCopied(lhs[1]) + isCopied(rhs[1]));
    }
}

// The same where types do not say how long rows are: a launch copies them where
// that is estimated to be faster.
TEST_F(AsyncProductsTest, UnknownRowsAreCopied) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  options.processors = 1;
  for (const std::string unknown : {"m", "mnk"}) {
    SCOPED_TRACE(unknown);
    GPUOutcome outcome = contract("mk", "kn", {130, 261, 141}, DType::F16,
                                  options, /*narrows=*/true, unknown);
    EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
    EXPECT_GT(outcome.total().boxCopies, 0);
    EXPECT_EQ(outcome.total().launches, 3);
  }
}

// Small ones are not worth it: one kernel reads them as they are.
TEST_F(AsyncProductsTest, FewRowsAreNotCopied) {
  GPUOptions options = makeOptions(64, 64, 32);
  options.asyncProducts = "auto";
  GPUOutcome outcome = contract("mk", "kn", {64, 64, 50}, DType::F16, options);
  EXPECT_FALSE(isAsynchronous(outcome));
  EXPECT_FALSE(outcome.fellBack());
  EXPECT_EQ(outcome.total().launches, 1);
}

// One product of two is refused, since it computes its right operand, and falls
// back alone.
TEST_F(AsyncProductsTest, OneFallsBack) {
  const char *text = R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>,
                %c: tensor<96x64xf16>) -> (tensor<64x64xf32>, tensor<96x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>)
      outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = tensor.empty() : tensor<64x64xf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<64x64xf16>) outs(%h : tensor<64x64xf16>) {
  ^bb0(%v: f16, %o: f16):
    %w = arith.addf %v, %v : f16
    linalg.yield %w : f16
  } -> tensor<64x64xf16>
  %e2 = tensor.empty() : tensor<96x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %y = linalg.matmul ins(%c, %d : tensor<96x64xf16>, tensor<64x64xf16>)
      outs(%f2 : tensor<96x64xf32>) -> tensor<96x64xf32>
  return %x, %y : tensor<64x64xf32>, tensor<96x64xf32>
})";
  Random random(5);
  auto draw = [&](oracle::Shape shape) {
    return oracle::random(random, shape, -1, 1, DType::F16);
  };
  Tensor a = draw({64, 64}), b = draw({64, 64}), c = draw({96, 64}), twice = b;
  for (double &value : twice.data)
    value *= 2;
  for (const char *roles : {"false", "true"}) {
    GPUOptions options = makeOptions(64, 64, 32);
    options.roles = roles;
    GPUOutcome outcome =
        check(text, options, {a, b, c},
              {oracle::contract("mk,kn->mn", a, b, DType::F32),
               oracle::contract("mk,kn->mn", c, twice, DType::F32)});
    EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
    EXPECT_NE(outcome.kernels.find("nvgpu.mma.sync"), std::string::npos);
    EXPECT_TRUE(outcome.fellBack());
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

// Tiles of 128 rows and more than 128 columns, of which there are fewer rounds: in
// turns, and one tile for each processor. Rows are no whole tiles.
TEST_F(AsyncProductsTest, WideTiles) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  for (auto [rhs, rows, columns, processors, instruction] :
       {std::tuple("kn", 200, 576, 3, "m64n192k16"),
        {"nk", 250, 528, 3, "m64n176k16"},
        {"nk", 200, 288, 4, "m64n144k16"}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    options.processors = processors;
    for (auto order : orders) {
      options.order = order;
      GPUOutcome outcome = contract("mk", rhs, {rows, columns, 128}, DType::F16,
                                    options, /*narrows=*/true);
      EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
      EXPECT_EQ(takesTurns(outcome), processors == 3) << outcome.remarks;
      EXPECT_NE(outcome.kernels.find(instruction), std::string::npos)
          << outcome.remarks;
    }
  }
}

// Columns of the product are rows of instructions: tiles have any multiple of 8
// rows. Borders along all dimensions, unknown rows, and all ways.
TEST_F(AsyncProductsTest, ExchangedOperands) {
  int64_t number = 0;
  for (std::string way : {"async", "roles", "turns"})
    for (std::string rhs : {"kn", "nk"})
      for (int64_t rows : {24, 40}) {
        SCOPED_TRACE(rhs + " " + way + " " + std::to_string(rows));
        GPUOptions options = makeOptions(rows, 64 + 64 * (number % 2), 16);
        options.exchangeOperands = "true";
        options.roles = way == "async" ? "false" : "true";
        options.persistentKernels = way == "turns" ? "true" : "false";
        options.processors = 2;
        options.order = orders[++number % 3];
        GPUOutcome outcome =
            contract("mk", rhs, {rows * 3 - 16, 64 * 3 - 8, 16 * 4 + 8},
                     number % 2 ? DType::BF16 : DType::F16, options,
                     /*narrows=*/number % 4 < 2, number % 3 == 0 ? "m" : "");
        EXPECT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
        EXPECT_EQ(hasRoles(outcome), way != "async") << outcome.remarks;
        EXPECT_EQ(takesTurns(outcome), way == "turns") << outcome.remarks;
        EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
        EXPECT_NE(outcome.kernels.find("m64n" + std::to_string(rows) + "k16"),
                  std::string::npos)
            << outcome.remarks;
      }
  // Columns that are known and few are filled up to rows of instructions.
  GPUOptions options = makeOptions(40, 128, 16);
  options.exchangeOperands = "true";
  for (int64_t columns : {8, 72, 104, 136}) {
    GPUOutcome outcome =
        contract("mk", "nk", {72, columns, 72}, DType::F16, options);
    EXPECT_TRUE(isAsynchronous(outcome)) << columns << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
  }
  // Boxes of a left operand that is contiguous along rows have 64 of them.
  options.columns = 64;
  EXPECT_FALSE(isAsynchronous(
      contract("km", "nk", {72, 184, 72}, DType::F16, options)));
}

// The same where the choice of tiles is free: rows are in one tile less, since
// tiles may have any multiple of 8 of them.
TEST_F(AsyncProductsTest, ExchangedOperandsOfDefaultTiles) {
  GPUOptions options;
  options.rows = options.columns = options.reduction = 0;
  options.chip = "sm_90a";
  for (auto [rhs, rows, columns, processors, instruction] :
       {std::tuple("kn", 204, 512, 2, "m64n104k16"),
        {"nk", 333, 512, 2, "m64n168k16"}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    options.processors = processors;
    for (auto order : orders) {
      options.order = order;
      GPUOutcome outcome =
          contract("mk", rhs, {rows, columns, 320}, DType::F16, options,
                   /*narrows=*/true);
      EXPECT_TRUE(takesTurns(outcome)) << outcome.remarks;
      EXPECT_NE(outcome.kernels.find(instruction), std::string::npos)
          << outcome.remarks;
    }
  }
}

// Workgroups with roles that are alone on their processors, as they are chosen:
// rows, columns and sums are no whole tiles or iterations, one and two groups of
// threads share a tile, and iterations have 64 to 256 elements.
TEST_F(AsyncProductsTest, LoneWorkgroupsWithRoles) {
  struct Product {
    const char *rhs;
    int64_t rows, columns, depth, processors;
    const char *exchange, *instruction;
  };
  int64_t number = 0;
  for (const Product &product :
       {Product{"nk", 44, 184, 1088, 132, "auto", "m64n16k16"},
        Product{"kn", 76, 192, 704, 6, "auto", "m64n40k16"},
        Product{"nk", 200, 248, 448, 4, "auto", "m64n104k16"},
        Product{"nk", 240, 320, 448, 4, "false", "m64n160k16"}}) {
    SCOPED_TRACE(std::string(product.rhs) + " " + std::to_string(product.rows) +
                 " x " + std::to_string(product.columns));
    GPUOptions options;
    options.rows = options.columns = options.reduction = 0;
    options.chip = "sm_90a";
    options.processors = product.processors;
    options.exchangeOperands = product.exchange;
    for (bool narrows : {false, true}) {
      options.order = orders[++number % 3];
      GPUOutcome outcome =
          contract("mk", product.rhs,
                   {product.rows, product.columns, product.depth},
                   number % 4 < 2 ? DType::BF16 : DType::F16, options, narrows);
      EXPECT_TRUE(hasRoles(outcome) && !takesTurns(outcome)) << outcome.remarks;
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_LE(outcome.total().workgroups, product.processors);
      EXPECT_NE(outcome.kernels.find(product.instruction), std::string::npos)
          << outcome.remarks;
    }
  }
}

// The same for launches of an unknown number of rows, which choose between these
// kernels and others by the formulas of estimates.
TEST_F(AsyncProductsTest, UnknownRowsWithRoles) {
  int64_t number = 0;
  for (const char *rhs : {"nk", "kn"})
    for (int64_t rows : {44, 76, 200, 330}) {
      SCOPED_TRACE(std::string(rhs) + " " + std::to_string(rows));
      GPUOptions options;
      options.rows = options.columns = options.reduction = 0;
      options.chip = "sm_90a";
      options.processors = 6;
      options.order = orders[++number % 3];
      GPUOutcome outcome =
          contract("mk", rhs, {rows, 384, 704},
                   number % 2 ? DType::BF16 : DType::F16, options,
                   /*narrows=*/number % 4 < 2, "m");
      EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
      EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
      EXPECT_GT(outcome.total().boxCopies, 0);
      EXPECT_EQ(outcome.total().launches, 1);
    }
}

// Each copy and each wait of kernels with exchanged operands is needed.
TEST_F(AsyncProductsTest, MutationsOfExchangedOperandsAreFound) {
  GPUOptions options = makeOptions(40, 64, 16);
  options.exchangeOperands = options.roles = options.persistentKernels = "true";
  options.processors = 2;
  options.stages = 2;
  Random random(7);
  std::vector<Tensor> inputs = {
      oracle::random(random, {72, 64}, -1, 1, DType::F16),
      oracle::random(random, {184, 64}, -1, 1, DType::F16)};
  Bounded want =
      oracle::contract("mk,nk->mn", inputs[0], inputs[1], DType::F32);
  std::string c = "tensor<72x184xf32>";
  GPUOutcome outcome =
      check("func.func @main(%a: tensor<72x64xf16>, %b: tensor<184x64xf16>) "
            "-> " +
                c + R"( {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : )" +
                c + R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : )" +
                c + ") -> " + c + "\n" +
                makeProduct("mk,nk->mn", "%p", {"%a", "tensor<72x64xf16>"},
                            {"%b", "tensor<184x64xf16>"}, {"%f", c}) +
                "\n  return %p : " + c + "\n}",
            options, inputs, {want});
  ASSERT_TRUE(takesTurns(outcome)) << outcome.remarks;
  EXPECT_GE(checkMutations(*outcome.device, inputs, want.value, 0.05), 20);
}

// One to four slots, loops with fewer and with more iterations than slots, one
// to three groups that compute.
TEST_F(AsyncProductsTest, RolesInEveryOrder) {
  for (int64_t parts : {1, 2, 3})
    for (int64_t slots : {1, 2, 4})
      for (int64_t iterations : {1, 2, 7})
        for (auto order : orders) {
          SCOPED_TRACE(std::to_string(parts) + " parts, " +
                       std::to_string(slots) + " slots, " +
                       std::to_string(iterations) + " iterations, order " +
                       std::to_string(static_cast<int>(order)));
          GPUOptions options = makeOptions(64 * parts, 16, 16);
          options.roles = "true";
          options.stages = slots;
          options.order = order;
          GPUOutcome outcome =
              contract("mk", "nk", {64 * parts, 16, 16 * iterations},
                       DType::F16, options, /*narrows=*/parts == 2);
          EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
          EXPECT_EQ(outcome.total().boxCopies, 2 * iterations);
        }
}

// The default tiles, each dimension contiguous, f16 and bf16, several
// workgroups. Results go through the memory of the ring.
TEST_F(AsyncProductsTest, RolesInDefaultTiles) {
  for (auto [lhs, rhs, columns] :
       std::vector<std::tuple<std::string, std::string, int64_t>>{
           {"mk", "kn", 256}, {"km", "nk", 128}}) {
    SCOPED_TRACE(lhs + " " + rhs);
    GPUOptions options = makeOptions(0, columns, 0);
    options.roles = "true";
    GPUOutcome outcome =
        contract(lhs, rhs, {128, 2 * columns, 192},
                 columns == 256 ? DType::BF16 : DType::F16, options,
                 /*narrows=*/true);
    EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
  }
}

// Two products with one left operand, in one epilogue: three tiles in a slot.
TEST_F(AsyncProductsTest, RolesWithTwoProducts) {
  const char *text = R"(
func.func @main(%a: tensor<128x96xf16>, %b: tensor<96x64xf16>, %c: tensor<96x64xf16>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<128x96xf16>, tensor<96x64xf16>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  %q = linalg.matmul ins(%a, %c : tensor<128x96xf16>, tensor<96x64xf16>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.maximumf %x, %zero : f32
    %t = arith.mulf %s, %y : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
})";
  Random random(12);
  auto draw = [&](oracle::Shape shape) {
    return oracle::random(random, shape, -1, 1, DType::F16);
  };
  Tensor a = draw({128, 96}), b = draw({96, 64}), c = draw({96, 64});
  Bounded gate = oracle::apply(
      oracle::contract("mk,kn->mn", a, b, DType::F32), DType::F32, 0,
      [](double v) { return v > 0 ? v : 0; },
      [](double, double e) { return e; });
  Bounded want = oracle::product(
      gate, "mn", oracle::contract("mk,kn->mn", a, c, DType::F32), "mn",
      DType::F32);
  for (const char *persistent : {"false", "true"}) {
    GPUOptions options = makeOptions(64, 64, 32);
    options.roles = "true";
    options.persistentKernels = persistent;
    options.processors = 1;
    GPUOutcome outcome = check(text, options, {a, b, c}, {want});
    EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
    EXPECT_EQ(outcome.deviceSimulation.statistics.size(), 1u);
  }
}

// Workgroups with several tiles, one tile more or less than others, borders,
// and one to four slots.
TEST_F(AsyncProductsTest, Persistent) {
  for (int64_t parts : {1, 2, 3})
    for (int64_t slots : {1, 3})
      for (int64_t processors : {1, 2, 5}) {
        SCOPED_TRACE(std::to_string(parts) + " parts, " +
                     std::to_string(slots) + " slots, " +
                     std::to_string(processors) + " processors");
        // Of 256 threads and more, all share a tile.
        GPUOptions options = makeOptions(64 * parts, 16, 16,
                                         std::max<int64_t>(128 * parts, 256));
        options.roles = options.persistentKernels = "true";
        options.stages = slots;
        options.processors = processors;
        options.order = orders[(parts + slots + processors) % 3];
        GPUOutcome outcome =
            contract("mk", "nk", {192 * parts, 16 * 3 - 8, 48},
                     processors == 1 ? DType::BF16 : DType::F16, options,
                     /*narrows=*/slots == 3);
        EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
        EXPECT_FALSE(takesTurns(outcome));
        EXPECT_EQ(outcome.total().workgroups, processors);
      }
}

// Groups of threads with tiles of their own. Processors have one tile, several,
// or none for the last group; loops have one iteration, as many as slots, or
// more.
TEST_F(AsyncProductsTest, PersistentInTurns) {
  int64_t number = 0;
  for (int64_t slots : {1, 2, 3})
    for (int64_t processors : {1, 2, 5})
      for (bool isUnknown : {false, true}) {
        int64_t rows = ++number % 2 ? 64 : 128,
                k = isUnknown ? number % 3 * 40 + 8 : slots * 16;
        SCOPED_TRACE(std::to_string(slots) + " slots, " +
                     std::to_string(processors) + " processors, " +
                     std::to_string(k) + (isUnknown ? ", unknown" : ""));
        GPUOptions options = makeOptions(rows, 16, 16);
        options.roles = options.persistentKernels = "true";
        options.stages = slots;
        options.processors = processors;
        options.order = orders[number % 3];
        GPUOutcome outcome =
            contract(number % 4 < 2 ? "mk" : "km", number % 5 < 2 ? "kn" : "nk",
                     {2 * rows + 8, 16 * 2 - 8, k},
                     number % 2 ? DType::BF16 : DType::F16, options,
                     /*narrows=*/number % 3 == 0, isUnknown ? "mnk" : "");
        EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
        // One iteration is no loop. With one slot, the next tile would wait for
        // the release.
        EXPECT_EQ(takesTurns(outcome), isUnknown || k > 16);
        EXPECT_EQ(outcome.kernels.find("vector_ext.await_earlier") !=
                      std::string::npos,
                  slots > 1);
      }
}

// Two workgroups of a cluster, whose tiles are below each other, share the tile
// of the right operand: one or several tiles of a workgroup, one more or less
// than slots, borders, and each order of dimensions.
TEST_F(AsyncProductsTest, Clusters) {
  int64_t number = 0;
  for (bool persists : {false, true})
    for (std::string lhs : {"mk", "km"})
      for (std::string rhs : {"kn", "nk"})
        for (int64_t slots : {1, 3}) {
          SCOPED_TRACE(lhs + " " + rhs + " " + std::to_string(slots) +
                       (persists ? " slots, persistent" : " slots"));
          GPUOptions options = makeOptions(64, 32, 16);
          options.roles = "auto";
          options.clusters = "true";
          options.stages = slots;
          options.processors = persists ? 4 : 0;
          options.order = orders[++number % 3];
          GPUOutcome outcome =
              contract(lhs, rhs, {64 * 4 - 8, 32 * 3 - 8, 16 * 4 + 8},
                       number % 2 ? DType::BF16 : DType::F16, options,
                       /*narrows=*/number % 4 < 2);
          EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
          EXPECT_TRUE(hasClusters(outcome)) << outcome.remarks;
          EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
          EXPECT_EQ(outcome.total().workgroups, persists ? 4 : 12);
        }
  // Tiles beside each other share the left operand, in bands of eight columns.
  // With an odd number of tiles along both, there are no clusters.
  for (auto [rows, columns] : {std::array<int64_t, 2>{1, 2}, {3, 10}, {3, 3}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    GPUOptions options = makeOptions(64, 32, 16);
    options.roles = "auto";
    options.clusters = "true";
    GPUOutcome outcome = contract("mk", "kn", {64 * rows, 32 * columns - 8, 48},
                                  DType::F16, options);
    EXPECT_EQ(hasClusters(outcome), columns % 2 == 0) << outcome.remarks;
    EXPECT_FALSE(outcome.fellBack()) << outcome.remarks;
  }
}

// An odd number of processors, of which one has no workgroup. A cluster does not
// fit one processor: the product takes another way.
TEST_F(AsyncProductsTest, ClustersOnAnOddNumberOfProcessors) {
  for (int64_t processors : {1, 3, 5, 13}) {
    SCOPED_TRACE(std::to_string(processors));
    GPUOptions options = makeOptions(64, 32, 16);
    options.roles = "auto";
    options.clusters = "true";
    options.processors = processors;
    options.order = orders[processors % 3];
    GPUOutcome outcome = contract("mk", "nk", {64 * 4 - 8, 32 * 3 - 8, 40},
                                  DType::F16, options, /*narrows=*/true);
    EXPECT_EQ(hasClusters(outcome), processors > 1) << outcome.remarks;
    EXPECT_EQ(outcome.fellBack(), processors == 1) << outcome.remarks;
    if (processors > 1)
      EXPECT_EQ(outcome.total().workgroups, processors - 1);
  }
}

// The tiles that clusters have by default: one of a workgroup that is alone on
// its processor, and one of three groups of threads.
TEST_F(AsyncProductsTest, ClustersOfDefaultTiles) {
  for (auto [rows, columns] :
       {std::array<int64_t, 2>{64, 128}, {192, 176}}) {
    SCOPED_TRACE(std::to_string(rows));
    GPUOptions options;
    options.rows = options.columns = options.reduction = 0;
    options.chip = "sm_90a";
    options.clusters = "true";
    options.processors = rows == 64 ? 0 : 2;
    GPUOutcome outcome =
        contract("mk", "nk", {2 * rows - 8, 2 * columns - 8, 200}, DType::F16,
                 options, /*narrows=*/true);
    EXPECT_TRUE(hasClusters(outcome)) << outcome.remarks;
    EXPECT_NE(outcome.kernels.find("wgmma.m64n" + std::to_string(columns)),
              std::string::npos);
  }
}

// Tiles that are large enough to be written in runs of 16 bytes (8 bytes of 176
// columns): halves after exchanges between lanes, words as they are, both
// without a tile in shared memory.
TEST_F(AsyncProductsTest, PersistentLargeResults) {
  for (int64_t columns : {128, 192, 176})
    for (bool narrows : {false, true}) {
      SCOPED_TRACE(std::to_string(columns) + (narrows ? ", narrowed" : ""));
      GPUOptions options = makeOptions(64, columns, 16);
      options.roles = options.persistentKernels = "true";
      options.stages = 2;
      options.processors = 1;
      GPUOutcome outcome = contract("mk", "nk", {2 * 64 - 8, columns, 48},
                                    DType::F16, options, narrows);
      EXPECT_TRUE(hasRoles(outcome)) << outcome.remarks;
      EXPECT_EQ(outcome.total().workgroups, 1);
      int64_t slots = 2 * (64 + columns) * 16 * 2;
      EXPECT_LT(outcome.total().workgroupBytes, slots + 64 * columns * 2);
    }
}

// Without roles, where loops carry open products.
TEST_F(AsyncProductsTest, MutationsOfCarriedProductsAreFound) {
  GPUOptions options = makeOptions(128, 64, 16, /*threads=*/256);
  options.stages = 3;
  GPUOutcome outcome = contract("mk", "kn", {128, 64, 7 * 16}, DType::F16,
                                options, /*narrows=*/true);
  ASSERT_TRUE(isAsynchronous(outcome)) << outcome.remarks;
  ASSERT_NE(outcome.kernels.find("vector_ext.await_earlier"),
            std::string::npos);
  // The same numbers as in `contract`.
  Random random(7);
  std::vector<Tensor> inputs = {
      oracle::random(random, {128, 7 * 16}, -1, 1, DType::F16),
      oracle::random(random, {7 * 16, 64}, -1, 1, DType::F16)};
  Tensor want = oracle::contract("mk,kn->mn", inputs[0], inputs[1]);
  EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.05), 15);
}

// All threads share tiles, or each of two groups has its own: of three, one
// group has the last turn without a tile.
TEST_F(AsyncProductsTest, MutationsOfPersistentKernelsAreFound) {
  for (bool inTurns : {false, true}) {
    GPUOptions options = makeOptions(128, 64, 16, inTurns ? 128 : 256);
    options.roles = options.persistentKernels = "true";
    options.stages = 2;
    options.processors = 1;
    GPUOutcome outcome = contract("mk", "kn", {384, 64, 3 * 16}, DType::F16,
                                  options, /*narrows=*/true);
    ASSERT_TRUE(hasRoles(outcome)) << outcome.remarks;
    ASSERT_EQ(takesTurns(outcome), inTurns);
    EXPECT_EQ(outcome.total().workgroups, 1);
    // The same numbers as in `contract`.
    Random random(7);
    std::vector<Tensor> inputs = {
        oracle::random(random, {384, 3 * 16}, -1, 1, DType::F16),
        oracle::random(random, {3 * 16, 64}, -1, 1, DType::F16)};
    Tensor want = oracle::contract("mk,kn->mn", inputs[0], inputs[1]);
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.05),
              inTurns ? 25 : 15);
  }
}

// Two workgroups with one tile each, and with three, in turns.
TEST_F(AsyncProductsTest, MutationsOfClustersAreFound) {
  for (bool persists : {false, true}) {
    GPUOptions options = makeOptions(64, 32, 16);
    options.roles = "auto";
    options.clusters = "true";
    options.stages = 2;
    options.processors = persists ? 2 : 0;
    int64_t columns = persists ? 96 : 32;
    GPUOutcome outcome = contract("mk", "kn", {128, columns, 5 * 16},
                                  DType::F16, options, /*narrows=*/true);
    ASSERT_TRUE(hasClusters(outcome)) << outcome.remarks;
    // The same numbers as in `contract`.
    Random random(7);
    std::vector<Tensor> inputs = {
        oracle::random(random, {128, 5 * 16}, -1, 1, DType::F16),
        oracle::random(random, {5 * 16, columns}, -1, 1, DType::F16)};
    Tensor want = oracle::contract("mk,kn->mn", inputs[0], inputs[1]);
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.05), 24);
  }
}

// Loops are so long that a wrong count shows.
TEST_F(AsyncProductsTest, MutationsOfRolesAreFound) {
  for (int64_t parts : {1, 2}) {
    GPUOptions options = makeOptions(64 * parts, 64, 16);
    options.roles = "true";
    options.stages = 2;
    GPUOutcome outcome = contract("mk", "kn", {64 * parts, 64, 7 * 16},
                                  DType::F16, options, /*narrows=*/true);
    ASSERT_TRUE(hasRoles(outcome)) << outcome.remarks;
    // The same numbers as in `contract`.
    Random random(7);
    std::vector<Tensor> inputs = {
        oracle::random(random, {64 * parts, 7 * 16}, -1, 1, DType::F16),
        oracle::random(random, {7 * 16, 64}, -1, 1, DType::F16)};
    Tensor want = oracle::contract("mk,kn->mn", inputs[0], inputs[1]);
    EXPECT_GE(checkMutations(*outcome.device, inputs, want, 0.05), 20);
  }
}
