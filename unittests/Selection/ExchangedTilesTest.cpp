//===- ExchangedTilesTest.cpp - Rows that are columns of instructions -----===//

#include "ProductChoice.h"

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <optional>
#include <string>

using namespace mlir::linalg_ext;
using mlir::vector_ext::OperandExchange;

namespace {

/// All ways, with operands exchanged where that is faster.
ProductLimits allowAll() {
  ProductLimits limits;
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
            mlir::vector_ext::ProductWay::Sync);
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

// Launches of unknown rows have no such kernels.
TEST(ExchangedTilesTest, launches) {
  ProductLimits limits = allowAll();
  for (std::optional<int64_t> columns : {std::optional<int64_t>(5120), {}}) {
    std::optional<LaunchedKernels> kernels = chooseLaunchedKernels(
        std::nullopt, limits, /*target=*/{}, columns, /*depth=*/5120);
    ASSERT_TRUE(kernels);
    EXPECT_FALSE(kernels->many.empty());
    for (const ProductKernel &kernel : kernels->many)
      EXPECT_FALSE(kernel.isExchanged) << kernel.reason;
    for (const ProductKernel &kernel : kernels->lone)
      EXPECT_FALSE(kernel.isExchanged) << kernel.reason;
  }
}

} // namespace
