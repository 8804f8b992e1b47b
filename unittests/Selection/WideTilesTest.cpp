//===- WideTilesTest.cpp - Tiles of more than 128 columns -----------------===//

#include "ProductChoice.h"

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <optional>
#include <string>

using namespace mlir::linalg_ext;

namespace {

/// All ways, with large tiles of multiples of `step` columns.
ProductLimits allowAll(int64_t step, ProductEpilogue epilogue = {}) {
  ProductLimits limits;
  limits.ways = getAllWays();
  limits.columnStep = step;
  limits.epilogue = epilogue;
  return limits;
}

// Tiles of two groups of rows and more than 128 columns, where they were faster;
// those of 64 columns in a box if `step` is 64 (docs/Decisions/0165).
TEST(WideTilesTest, asTimed) {
  struct Timed {
    int64_t rows, columns, depth, step;
    ProductEpilogue epilogue;
    int64_t wide;
    bool inTurns;
  };
  for (const Timed &timed :
       {Timed{1000, 5120, 5120, 16, {}, 160, true},
        Timed{512, 5120, 5120, 16, {}, 160, false},
        Timed{512, 5120, 5120, 16, {16, 0, 2}, 160, false},
        Timed{1000, 5632, 2048, 16, {}, 176, true},
        Timed{1000, 3072, 4096, 64, {}, 192, false},
        Timed{1024, 2304, 4096, 16, {}, 144, false},
        Timed{512, 6144, 5120, 64, {}, 192, false},
        Timed{3072, 3072, 1024, 64, {0, 0, 12}, 192, true},
        Timed{3072, 3072, 3072, 64, {}, 192, true},
        Timed{6000, 1536, 768, 64, {}, 192, true},
        Timed{8192, 13824, 5120, 16, {0, 0, 12}, 192, true}}) {
    SCOPED_TRACE(std::to_string(timed.rows) + " x " +
                 std::to_string(timed.columns));
    ProductLimits limits = allowAll(timed.step, timed.epilogue);
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    ProductKernel chosen = choose(sizes, timed.depth, limits);
    EXPECT_EQ(chosen.rows, 128);
    EXPECT_EQ(chosen.columns, timed.wide);
    EXPECT_EQ(chosen.groups > 1, timed.inTurns);
    EXPECT_EQ(chosen.persist, timed.inTurns);
    // Not where tiles cut columns, unless workgroups with roles are alone, or
    // rows cut lines.
    ProductSizes cut = sizes, split = sizes;
    cut.columns += 8;
    split.hasLines = false;
    for (const ProductSizes &other : {cut, split}) {
      ProductKernel same = choose(other, timed.depth, limits);
      bool hasLoneRoles =
          other.hasLines && same.isAlone &&
          same.way == mlir::vector_ext::ProductWay::Roles;
      EXPECT_FALSE(same.rows == 128 && same.columns == timed.wide &&
                   !hasLoneRoles)
          << same.reason;
    }
  }
  // In turns, threads have no registers for a residual beside such tiles.
  for (int64_t size : {3072, 5120, 5632, 6144}) {
    ProductLimits limits = allowAll(16, {16, 0, 2});
    ProductKernel chosen = choose({1, 4096, size, 1}, 4096, limits);
    EXPECT_TRUE(chosen.rows != 128 || chosen.columns <= 144 ||
                chosen.columns == 256)
        << chosen.reason;
  }
}

// If columns and sums are known, launches of unknown rows have wide tiles.
TEST(WideTilesTest, launchesOfKnownColumns) {
  ProductLimits limits = allowAll(16);
  auto chooseLaunched = [&](std::optional<int64_t> columns,
                    std::optional<int64_t> depth) {
    return *chooseLaunchedKernels(std::nullopt, limits, /*target=*/{}, columns,
                                  depth);
  };
  LaunchedKernels kernels = chooseLaunched(5120, 5120);
  auto hasColumns = [](llvm::ArrayRef<ProductKernel> all,
                       int64_t columns) {
    return llvm::any_of(all, [&](const ProductKernel &kernel) {
      return !kernel.isExchanged && kernel.columns == columns;
    });
  };
  EXPECT_GT(kernels.lone.size(), 2u);
  EXPECT_LE(kernels.lone.size(), 6u);
  EXPECT_TRUE(hasColumns(kernels.lone, 160));
  for (const ProductKernel &kernel : kernels.lone)
    EXPECT_TRUE(kernel.isAlone) << kernel.reason;
  ASSERT_GE(kernels.many.size(), 4u);
  EXPECT_EQ(kernels.many[3].columns, 160);
  EXPECT_EQ(kernels.many[3].groups, 2);
  // Threads have no registers for a residual beside the latter.
  limits.epilogue.copiedBits = 16;
  EXPECT_FALSE(hasColumns(chooseLaunched(5120, 5120).many, 160));
  limits.epilogue.copiedBits = 0;
  // Nothing divides these columns, nothing is known, and lines are cut.
  for (int64_t columns : {144, 160, 176, 192})
    EXPECT_FALSE(hasColumns(chooseLaunched(4096, 4096).many, columns));
  EXPECT_EQ(chooseLaunched(std::nullopt, 5120).many.size(), 3u);
  EXPECT_EQ(chooseLaunched(5120, std::nullopt).lone.size(), 2u);
  EXPECT_EQ(chooseLaunched(5120, 5000).many.size(), 3u);
}

} // namespace
