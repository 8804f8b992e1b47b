//===- ExchangedTilesTest.cpp - Rows that are columns of instructions -----===//

#include "ProductChoice.h"

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

using namespace mlir::linalg_ext;
using mlir::vector_ext::OperandExchange;
using mlir::vector_ext::ProductWay;

namespace {

/// All ways, with operands exchanged where that is faster, and large tiles of
/// multiples of `step` columns.
ProductLimits allowAll(int64_t step = 64) {
  ProductLimits limits;
  limits.columnStep = step;
  limits.ways = getAllWays();
  limits.ways.exchange = OperandExchange::Auto;
  limits.mayExchange = true;
  return limits;
}

// The rows of tiles whose operands are exchanged, where they were faster on an
// H200; 0 where others were (docs/Decisions/0173, 0189). `step` is 64 if the
// right operand is not contiguous along the sum. If all tiles are in one round,
// two groups of threads may share a tile.
TEST(ExchangedTilesTest, asTimed) {
  struct Timed {
    int64_t rows, columns, depth, step, exchanged;
    bool isAlone = false;
  };
  for (const Timed &timed :
       {Timed{300, 5120, 5120, 16, 104}, Timed{300, 5120, 5120, 64, 104},
        Timed{1000, 5632, 2048, 64, 168}, Timed{400, 5120, 5120, 16, 136, true},
        Timed{700, 5120, 5120, 16, 120}, Timed{1280, 5120, 5120, 16, 104},
        Timed{512, 13824, 5120, 16, 0}, Timed{512, 5120, 5120, 16, 0},
        Timed{256, 5632, 2048, 16, 0}, Timed{2048, 2048, 2048, 64, 0},
        Timed{4096, 4096, 4096, 64, 0}, Timed{13464, 104, 2048, 16, 0}}) {
    SCOPED_TRACE(std::to_string(timed.rows) + " x " +
                 std::to_string(timed.columns));
    ProductLimits limits = allowAll();
    limits.columnStep = timed.step;
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    ProductKernel chosen = choose(sizes, timed.depth, limits);
    EXPECT_EQ(chosen.isExchanged ? chosen.rows : 0, timed.exchanged)
        << chosen.reason;
    if (timed.exchanged == 0)
      continue;
    EXPECT_EQ(chosen.columns, 128);
    EXPECT_EQ(chosen.groups, timed.isAlone ? 1 : 2);
    EXPECT_EQ(chosen.isAlone, timed.isAlone);
    EXPECT_NE(chosen.reason.find("operands exchanged"), std::string::npos);
    // Not where rows cut lines, where operands cannot be exchanged, where
    // groups have no turns, or where the user says so, or gives the tile.
    ProductSizes split = sizes;
    split.hasLines = false;
    EXPECT_FALSE(choose(split, timed.depth, limits).isExchanged);
    ProductLimits others = limits;
    others.mayExchange = false;
    EXPECT_FALSE(choose(sizes, timed.depth, others).isExchanged);
    others = limits;
    others.ways.groups = false;
    EXPECT_EQ(choose(sizes, timed.depth, others).groups, 1);
    others = limits;
    others.ways.exchange = OperandExchange::Never;
    EXPECT_FALSE(choose(sizes, timed.depth, others).isExchanged);
    others = limits;
    others.rows = others.columns = 128;
    EXPECT_FALSE(choose(sizes, timed.depth, others).isExchanged);
  }
}

// If it is asked for, all asynchronous products have exchanged operands, in
// each way and with any multiple of 8 rows; others are synchronous.
TEST(ExchangedTilesTest, asAskedFor) {
  ProductLimits limits = allowAll();
  limits.ways = {/*sync=*/false, /*async=*/true};
  limits.ways.exchange = OperandExchange::Always;
  limits.rows = 40;
  limits.columns = 64;
  ProductKernel chosen = choose({1, 72, 184, 1}, 72, limits);
  EXPECT_TRUE(chosen.isExchanged);
  EXPECT_EQ(chosen.rows, 40);
  EXPECT_EQ(chosen.threads, 128);
  limits.columns = 192;
  EXPECT_EQ(choose({1, 72, 184, 1}, 72, limits).threads, 384);
  limits.rows = 44;
  EXPECT_FALSE(choose({1, 72, 184, 1}, 72, limits).isExchanged);
  limits.rows = 40;
  limits.columns = 96;
  EXPECT_FALSE(choose({1, 72, 184, 1}, 72, limits).isExchanged);
  limits.columns = 64;
  limits.mayExchange = false;
  EXPECT_EQ(choose({1, 72, 184, 1}, 72, limits).way,
            ProductWay::Sync);
}

// Beside a residual, threads in turns have registers for 144 rows, or for 96 if
// it has 32 bits and an activation follows.
TEST(ExchangedTilesTest, residuals) {
  ProductLimits limits = allowAll();
  limits.epilogue.instructions = 20;
  for (int64_t bits : {16, 32}) {
    limits.epilogue.copiedBits = bits;
    bool areSome = false;
    for (int64_t rows = 300; rows <= 2000; rows += 100) {
      ProductKernel chosen = choose({1, rows, 5632, 1}, 2048, limits);
      areSome |= chosen.isExchanged;
      EXPECT_TRUE(!chosen.isExchanged || chosen.rows <= (bits == 16 ? 144 : 96))
          << chosen.reason;
    }
    EXPECT_TRUE(areSome);
  }
}

/// The estimate of a launch of `kernel`, by the formula of ProductTime.
int64_t getLaunchCycles(const ProductKernel &kernel, int64_t rows,
                        int64_t columns, int64_t depth) {
  ProductTime time = getProductTime(kernel, /*target=*/{}, columns);
  int64_t tiles = ((rows + kernel.rows - 1) / kernel.rows) *
                  ((columns + kernel.columns - 1) / kernel.columns);
  int64_t most = (tiles + 131) / 132;
  return time.fixed + most * time.ofTile +
         depth *
             std::max({time.alone, most * time.beside,
                       tiles * time.copies / 132}) /
             time.steps;
}

/// Launches of products whose rows are not known, on an H200: the microseconds
/// of the kernels that launches had before, and with those that are taken
/// (docs/Decisions/0196).
struct TimedLaunch {
  int64_t step, rows, columns, depth, residual, instructions;
  double before, now;
};

const TimedLaunch kLaunches[] = {
    {16, 256, 6144, 4096, 0, 0, 25.1, 20.4},
    {16, 512, 6144, 4096, 0, 0, 51.3, 35.9},
    {16, 384, 4096, 14336, 16, 1, 84.4, 69.3},
    {16, 1000, 2560, 4096, 16, 1, 34.6, 29.6},
    {16, 128, 2560, 4096, 16, 1, 11.3, 8.9},
    {16, 256, 1024, 4096, 16, 2, 10.7, 8.0},
    {64, 256, 768, 3072, 16, 2, 7.7, 5.8},
    {64, 1000, 3072, 768, 0, 11, 12.9, 10.8},
};

// Launches of unknown rows choose from workgroups with roles that are alone, if
// columns and sums are known. What they choose is within 15 % of what known
// rows would have, by the estimates of known sizes.
TEST(ExchangedTilesTest, launches) {
  for (const TimedLaunch &timed : kLaunches) {
    ASSERT_GT(timed.before, 1.1 * timed.now);
    ProductLimits limits = allowAll(timed.step);
    limits.epilogue.copiedBits = timed.residual;
    limits.epilogue.instructions = timed.instructions;
    std::optional<LaunchedKernels> kernels =
        chooseLaunchedKernels(std::nullopt, limits, /*target=*/{},
                              timed.columns, timed.depth);
    ASSERT_TRUE(kernels);
    llvm::SmallVector<ProductKernel> all = {kernels->few};
    all.append(kernels->many.begin(), kernels->many.end());
    all.append(kernels->lone.begin(), kernels->lone.end());
    const ProductKernel *fastest = &all.front();
    for (const ProductKernel &kernel : all)
      if (getLaunchCycles(kernel, timed.rows, timed.columns, timed.depth) <
          getLaunchCycles(*fastest, timed.rows, timed.columns, timed.depth))
        fastest = &kernel;
    EXPECT_TRUE(fastest->isAlone && fastest->way == ProductWay::Roles)
        << timed.rows << " x " << timed.columns << ": " << fastest->reason;
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    ProductKernel known =
        choose({1, timed.rows, timed.columns, 1}, timed.depth, limits);
    EXPECT_LE(estimateProductKernel(sizes, timed.depth, *fastest),
              1.15 * estimateProductKernel(sizes, timed.depth, known))
        << fastest->reason << "; known: " << known.reason;
  }
}

// The formula of a launch is the estimate of known sizes, where workgroups are
// alone: with any number of tiles up to that of processors, and with columns that do not exist.
TEST(ExchangedTilesTest, launchesAreEstimatedAsKnownSizes) {
  ProductLimits limits = allowAll(16);
  limits.epilogue.instructions = 11;
  for (int64_t columns : {2304, 2560, 6144, 9728})
    for (int64_t depth : {768, 4096}) {
      std::optional<LaunchedKernels> kernels = chooseLaunchedKernels(
          std::nullopt, limits, /*target=*/{}, columns, depth);
      ASSERT_TRUE(kernels);
      int64_t numWithRoles = 0;
      for (const ProductKernel &kernel : kernels->lone) {
        numWithRoles += kernel.way == ProductWay::Roles;
        for (int64_t rows : {64, 200, 384, 512}) {
          ProductSizes sizes{1, rows, columns, 1};
          if (((rows + kernel.rows - 1) / kernel.rows) *
                  ((columns + kernel.columns - 1) / kernel.columns) >
              132)
            continue;
          double known = estimateProductKernel(sizes, depth, kernel);
          EXPECT_NEAR(getLaunchCycles(kernel, rows, columns, depth) / known, 1,
                      0.05)
              << rows << " x " << columns << " x " << depth << ": "
              << kernel.reason;
        }
      }
      EXPECT_GT(numWithRoles, 0);
    }
  // Nothing is known of columns or sums.
  for (auto [columns, depth] :
       {std::pair<std::optional<int64_t>, std::optional<int64_t>>(
            std::nullopt, 4096),
        {4096, std::nullopt}}) {
    std::optional<LaunchedKernels> kernels = chooseLaunchedKernels(
        std::nullopt, limits, /*target=*/{}, columns, depth);
    ASSERT_TRUE(kernels);
    for (const ProductKernel &kernel : kernels->many)
      EXPECT_FALSE(kernel.isExchanged) << kernel.reason;
    for (const ProductKernel &kernel : kernels->lone)
      EXPECT_EQ(kernel.way, ProductWay::Async) << kernel.reason;
  }
}

} // namespace
