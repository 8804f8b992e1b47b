//===- ProductTilesTest.cpp - Which tiles products have on a GPU ----------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace mlir::linalg_ext;
using mlir::vector_ext::ProductWay;

namespace {

ProductTile choose(int64_t rows, int64_t columns, int64_t products = 1,
                   int64_t batch = 1) {
  return chooseProductTile({batch, rows, columns, products},
                           {/*rows=*/128, /*columns=*/128});
}

/// A chip of another vendor: subgroups of 64 lanes, whose instructions have 32
/// x 32 results.
GPUTarget getWideTarget() {
  GPUTarget target;
  target.lanes = 64;
  target.matrixRows = target.matrixColumns = 32;
  target.matrixLoads = 0;
  target.processors = 304;
  return target;
}

int64_t getNumTiles(int64_t rows, int64_t columns, const ProductTile &tile) {
  return (rows + tile.rows - 1) / tile.rows *
         ((columns + tile.columns - 1) / tile.columns);
}

// The fastest of those that were timed on an H200, or at most 3 % slower
// (docs/Decisions/0031).
TEST(ProductTilesTest, asTimed) {
  for (auto [rows, columns, tileRows, tileColumns] :
       std::initializer_list<std::array<int64_t, 4>>{
           {1024, 3072, 128, 96},  // gpt2, in front of gelu
           {1024, 768, 64, 96},    // gpt2, behind it
           {1024, 2048, 128, 128}, // llama, queries
           {1024, 512, 64, 64},    // llama, keys
           {197, 3072, 64, 96},    // ViT
           {2048, 2048, 128, 128}}) {
    ProductTile tile = choose(rows, columns);
    EXPECT_EQ(tile.rows, tileRows) << rows << " x " << columns;
    EXPECT_EQ(tile.columns, tileColumns) << rows << " x " << columns;
  }
}

TEST(ProductTilesTest, manyTilesAreLarge) {
  for (int64_t size : {4096, 8192, 1 << 20}) {
    ProductTile tile = choose(size, size);
    EXPECT_EQ(tile.rows, 128) << size;
    EXPECT_EQ(tile.columns, 128) << size;
    EXPECT_FALSE(tile.isAlone);
  }
}

TEST(ProductTilesTest, severalProductsShareColumns) {
  for (int64_t products : {2, 3, 4}) {
    ProductTile tile = choose(2048, 5632, products);
    EXPECT_EQ(tile.rows, 128);
    EXPECT_LE(tile.columns * products, 128);
    EXPECT_GE(tile.columns * products, 96);
  }
}

TEST(ProductTilesTest, batches) {
  // As 1024 rows, but each tile is of one batch.
  ProductTile tile = choose(8, 2304, 1, 128);
  EXPECT_EQ(tile.rows, 16);
}

TEST(ProductTilesTest, oneEachIfThatIsFirst) {
  ProductTile tile = choose(1024, 768);
  EXPECT_TRUE(tile.isAlone);
  EXPECT_LE(getNumTiles(1024, 768, tile), GPUTarget().processors);
  EXPECT_FALSE(choose(1024, 3072).isAlone);
}

TEST(ProductTilesTest, noLargerThanAsked) {
  GPUTarget one;
  one.processors = 1;
  ProductTile tile = chooseProductTile({1, 4096, 4096, 1}, {64, 32}, one);
  EXPECT_EQ(tile.rows, 64);
  EXPECT_EQ(tile.columns, 32);
  EXPECT_EQ(chooseProductTile({1, 4096, 4096, 1}, {16, 16}, one).rows, 0);
}

TEST(ProductTilesTest, subgroupsLoadWholeMatrices) {
  // 24 columns each are no 16.
  EXPECT_EQ(getProductTileCycles(64, 48, 1), 0);
  EXPECT_EQ(getProductTileCycles(48, 48, 1), 0);
  EXPECT_GT(getProductTileCycles(128, 48, 1), 0);
  // Of several products as many columns together.
  EXPECT_EQ(getProductTileCycles(128, 64, 2),
            getProductTileCycles(128, 128, 1));
}

// Slower products or a slower shared memory take no less time.
TEST(ProductTilesTest, cyclesGrowAsRatesFall) {
  for (int64_t rows : {64, 128})
    for (int64_t columns : {64, 96, 128}) {
      int64_t cycles = getProductTileCycles(rows, columns, 1);
      for (int64_t GPUTarget::*rate :
           {&GPUTarget::matrixProducts, &GPUTarget::sharedBytesPerCycle}) {
        GPUTarget slow;
        slow.*rate /= 2;
        EXPECT_GT(getProductTileCycles(rows, columns, 1, slow), cycles);
      }
      EXPECT_GE(getProductTileCycles(2 * rows, columns, 1), cycles);
      if (int64_t ofTwo = getProductTileCycles(rows, columns, 2))
        EXPECT_GE(ofTwo, cycles);
    }
}

// Two subgroups of 64 lanes share a tile of their instructions.
TEST(ProductTilesTest, wideSubgroups) {
  GPUTarget target = getWideTarget();
  for (int64_t rows : {17, 512, 4096})
    for (int64_t columns : {64, 768, 8192}) {
      ProductTile tile =
          chooseProductTile({1, rows, columns, 1}, {128, 128}, target);
      ASSERT_GT(tile.rows, 0);
      EXPECT_EQ(tile.rows % target.matrixRows, 0);
      EXPECT_EQ(tile.columns % target.matrixColumns, 0);
      EXPECT_GT(getProductTileCycles(tile.rows, tile.columns, 1, target), 0);
    }
}

// No tile that was not chosen is done earlier, and the last processor of more
// processors is done no later.
TEST(ProductTilesTest, noOtherTileIsFaster) {
  for (const GPUTarget &target : {GPUTarget(), getWideTarget()})
    for (int64_t rows : {100, 1024, 4000})
      for (int64_t columns : {256, 3072}) {
        auto getTime = [&](int64_t tileRows, int64_t tileColumns) {
          int64_t tiles = getNumTiles(rows, columns, {tileRows, tileColumns});
          return (tiles + target.processors - 1) / target.processors *
                 getProductTileCycles(tileRows, tileColumns, 1, target);
        };
        ProductTile tile =
            chooseProductTile({1, rows, columns, 1}, {128, 128}, target);
        for (int64_t otherRows : {16, 32, 64, 96, 128})
          for (int64_t otherColumns : {16, 32, 64, 96, 128})
            if (int64_t time = getTime(otherRows, otherColumns))
              EXPECT_LE(getTime(tile.rows, tile.columns), time);
      }
}

/// Microseconds of products of f16 (rows, columns, sum) on an H100
/// (docs/Decisions/0041): synchronous, and asynchronous with tiles of 64 x 64, 64
/// x 128, 128 x 64, 128 x 128 and 128 x 256.
struct Timed {
  int64_t rows, columns, depth;
  double sync, tile64x64, tile64x128, tile128x64, tile128x128, tile128x256;

  double get(const ProductKernel &kernel) const {
    if (kernel.way == ProductWay::Sync)
      return sync;
    if (kernel.rows == 64)
      return kernel.columns == 64 ? tile64x64 : tile64x128;
    return kernel.columns == 64    ? tile128x64
           : kernel.columns == 128 ? tile128x128
                                   : tile128x256;
  }
};

const Timed kTimed[] = {
    {1024, 2048, 2048, 21.93, 25.29, 14.88, 19.24, 17.43, 22.96},
    {1024, 2048, 5632, 55.9, 73.68, 40.15, 56.35, 49.56, 59.11},
    {1024, 2304, 768, 12.99, 14.81, 12.12, 11.68, 11.44, 11.85},
    {1024, 512, 2048, 10.54, 9.49, 11.24, 11.35, 16.43, 22.57},
    {1024, 5632, 2048, 63.61, 79.4, 50.88, 60.0, 45.44, 51.69},
    {1024, 768, 3072, 18.87, 16.65, 16.0, 16.03, 23.14, 31.85},
    {1024, 768, 768, 7.38, 6.46, 5.8, 5.87, 7.76, 10.6},
    {128, 4096, 4096, 17.81, 16.36, 20.26, 20.2, 31.23, 40.52},
    {197, 2304, 768, 5.45, 6.29, 5.65, 5.63, 7.7, 10.5},
    {197, 768, 3072, 10.55, 11.66, 14.99, 15.11, 22.3, 30.53},
    {197, 768, 768, 4.06, 4.71, 5.43, 5.43, 7.63, 10.32},
    {2048, 2048, 2048, 41.7, 56.35, 35.68, 42.19, 26.23, 26.35},
    {2048, 512, 512, 5.89, 6.51, 5.15, 5.12, 6.5, 8.78},
    {256, 4096, 4096, 25.84, 24.07, 22.1, 22.05, 34.29, 41.56},
    {3072, 3072, 3072, 152.13, 194.18, 127.68, 154.45, 113.48, 111.94},
    {4096, 4096, 4096, 342.86, 466.23, 288.42, 359.06, 212.77, 206.48},
    {512, 3072, 768, 9.32, 9.62, 7.35, 8.41, 8.86, 11.55},
    {512, 768, 3072, 13.11, 12.32, 15.3, 15.77, 23.15, 30.83},
    {512, 768, 768, 5.02, 5.12, 5.54, 5.56, 7.68, 10.52},
    {8192, 1024, 1024, 45.93, 63.35, 40.4, 44.46, 31.28, 31.36},
};

ProductLimits allow(bool sync, bool async, bool roles) {
  ProductLimits limits;
  limits.ways = {sync, async, roles};
  return limits;
}

ProductKernel getSync(const ProductSizes &sizes) {
  ProductTile tile = chooseProductTile(sizes, {128, 128});
  ProductKernel sync;
  sync.rows = tile.rows;
  sync.columns = tile.columns;
  sync.reduction = 32;
  sync.threads = kProductThreads;
  return sync;
}

ProductKernel chooseKernel(const ProductSizes &sizes, int64_t depth,
                           const ProductLimits &limits,
                           const GPUTarget &target = {}) {
  return chooseProductKernel(sizes, depth, sizes.products, getSync(sizes),
                             limits, target);
}

// What is chosen is at most 3 % slower than synchronous products, and on average
// than the fastest.
TEST(ProductTilesTest, kernelsAsTimed) {
  double excess = 0;
  int64_t number = 0;
  // Those that were timed have iterations of 64 elements.
  ProductLimits limits = allow(true, true, true);
  limits.reduction = 64;
  for (const Timed &timed : kTimed) {
    ProductKernel chosen =
        chooseKernel({1, timed.rows, timed.columns, 1}, timed.depth, limits);
    EXPECT_NE(chosen.way, ProductWay::Roles);
    double time = timed.get(chosen);
    EXPECT_LT(time, 1.03 * timed.sync) << timed.rows << " x " << timed.columns
                                       << " x " << timed.depth << ": "
                                       << chosen.reason;
    excess += std::log(
        time / std::min({timed.sync, timed.tile64x64, timed.tile64x128,
                         timed.tile128x64, timed.tile128x128,
                         timed.tile128x256}));
    ++number;
  }
  EXPECT_LT(excess / number, 0.03);
}

// Workgroups that are alone on a processor: what was fastest on an H200, and
// what it is worth there (docs/Decisions/0102).
TEST(ProductTilesTest, loneKernelsAsTimed) {
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  struct Product {
    int64_t rows, columns, depth, tile; // 0 if it is another kernel
  };
  for (auto [rows, columns, depth, tile] :
       {Product{128, 4096, 4096, 64}, Product{256, 4096, 4096, 128},
        Product{384, 2048, 5632, 128}, Product{512, 2048, 5632, 128},
        Product{1024, 1024, 1024, 128}, Product{2048, 2048, 2048, 0},
        Product{4096, 4096, 4096, 0}}) {
    ProductKernel chosen = chooseKernel({1, rows, columns, 1}, depth, limits);
    EXPECT_EQ(chosen.isAlone ? chosen.columns : 0, tile)
        << rows << " x " << columns << " x " << depth << ": " << chosen.reason;
    if (chosen.isAlone)
      EXPECT_EQ(chosen.rows, 64);
  }
  // A launch takes it where processors have one tile, and not where they have
  // two.
  std::optional<LaunchedKernels> kernels =
      chooseLaunchedKernels(std::nullopt, limits);
  ASSERT_TRUE(kernels);
  for (auto [rows, columns, depth, isLone] : {std::tuple{256, 4096, 4096, true},
                                              {384, 2048, 5632, true},
                                              {512, 2048, 5632, true},
                                              {128, 5632, 2048, true},
                                              {384, 4096, 4096, false},
                                              {512, 4096, 4096, false},
                                              {1024, 2048, 5632, false},
                                              {256, 5632, 2048, false}}) {
    auto getCycles = [&, rows = rows, columns = columns,
                      depth = depth](const ProductKernel &kernel) {
      int64_t most =
          (getNumTiles(rows, columns, {kernel.rows, kernel.columns}) + 131) /
          132;
      ProductTime time = getProductTime(kernel);
      return time.fixed + most * time.ofTile +
             depth * std::max(time.alone, most * time.beside) / time.steps;
    };
    int64_t least = getCycles(kernels->few);
    for (const ProductKernel &kernel : kernels->many)
      least = std::min(least, getCycles(kernel));
    EXPECT_EQ(getCycles(kernels->lone.front()) < least, isLone)
        << rows << " x " << columns << " x " << depth;
  }
}

/// TFLOP/s of bf16 on an H200 (docs/Decisions/0143): what was chosen before,
/// and lone workgroups with 64 rows and `columns`, of which each processor has
/// at most one.
struct WideProduct {
  int64_t rows, columns, depth, step, tile;
  double before, wide;
};

const WideProduct kWide[] = {
    {256, 5632, 2048, 16, 176, 492, 578},
    {256, 5632, 2048, 64, 192, 480, 587},
    {256, 6144, 2048, 16, 192, 546, 654},
    {320, 4096, 4096, 16, 192, 459, 618},
    {512, 2816, 2048, 16, 176, 498, 602},
    {256, 5120, 5120, 16, 160, 441, 612},
    {128, 11008, 4096, 16, 192, 295, 404},
    {128, 11008, 4096, 64, 192, 319, 410},
};

TEST(ProductTilesTest, wideTilesAsTimed) {
  for (const WideProduct &timed : kWide) {
    ASSERT_GT(timed.wide, timed.before);
    ProductLimits limits = allow(true, true, true);
    limits.ways.persistent = true;
    limits.columnStep = timed.step;
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    ProductKernel chosen = chooseKernel(sizes, timed.depth, limits);
    EXPECT_TRUE(chosen.isAlone) << chosen.reason;
    EXPECT_EQ(chosen.columns, timed.tile) << chosen.reason;
    EXPECT_EQ(chosen.rows, 64) << chosen.reason;
    // Elements of 8 bits, and sizes that do not need it, have none.
    limits.bits = 8;
    EXPECT_LE(chooseKernel(sizes, timed.depth, limits).columns, 256);
    EXPECT_NE(chooseKernel(sizes, timed.depth, limits).columns, timed.tile);
  }
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  limits.columnStep = 16;
  EXPECT_EQ(chooseKernel({1, 256, 4096, 1}, 4096, limits).columns, 128);
  // Launches do not choose among them.
  std::optional<LaunchedKernels> kernels =
      chooseLaunchedKernels(std::nullopt, limits);
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->lone.size(), 2u);
}

// Tiles of workgroups with roles that are alone on their processors, which were
// the fastest on an H200 or nearly (docs/Decisions/0189). Small tiles have long
// iterations, and large ones two groups of threads.
TEST(ProductTilesTest, loneKernelsWithRolesAsTimed) {
  struct Product {
    int64_t rows, columns, depth, bits;
    std::array<int64_t, 4> tile; // rows, columns, reduction, threads
    bool isExchanged;
  };
  for (const Product &timed :
       {Product{72, 4096, 4096, 0, {40, 64, 128, 128}, true},
        Product{128, 5120, 5120, 0, {64, 80, 128, 128}, false},
        Product{256, 1024, 1024, 16, {32, 64, 128, 128}, true},
        Product{256, 6144, 4096, 0, {64, 192, 64, 128}, false},
        Product{1000, 2304, 768, 0, {144, 128, 64, 256}, true},
        Product{256, 14336, 4096, 0, {128, 224, 64, 256}, false}}) {
    SCOPED_TRACE(std::to_string(timed.rows) + " x " +
                 std::to_string(timed.columns) + " x " +
                 std::to_string(timed.depth));
    ProductLimits limits = allow(true, true, true);
    limits.ways.persistent = true;
    limits.ways.exchange = mlir::vector_ext::OperandExchange::Auto;
    limits.mayExchange = true;
    limits.columnStep = 16;
    limits.epilogue.copiedBits = timed.bits;
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    auto choose = [&](const ProductSizes &ofSizes, const ProductLimits &those) {
      return chooseKernel(ofSizes, timed.depth, those);
    };
    ProductKernel chosen = choose(sizes, limits);
    EXPECT_TRUE(chosen.isAlone && chosen.way == ProductWay::Roles)
        << chosen.reason;
    std::array<int64_t, 4> tile{chosen.rows, chosen.columns, chosen.reduction,
                                chosen.threads};
    EXPECT_EQ(tile, timed.tile) << chosen.reason;
    EXPECT_EQ(chosen.isExchanged, timed.isExchanged) << chosen.reason;
    EXPECT_NE(chosen.reason.find(", alone"), std::string::npos);
    // Not where roles are not allowed, where rows cut lines, for operands of 8
    // bits, where processors would have two tiles, or where the user gives
    // the tile.
    auto hasRolesAndIsAlone = [](const ProductKernel &kernel) {
      return kernel.way == ProductWay::Roles && kernel.isAlone;
    };
    ProductLimits others = limits;
    others.ways.roles = false;
    EXPECT_FALSE(hasRolesAndIsAlone(choose(sizes, others)));
    ProductSizes split = sizes;
    split.hasLines = false;
    EXPECT_FALSE(hasRolesAndIsAlone(choose(split, limits)));
    others = limits;
    others.bits = 8;
    EXPECT_FALSE(hasRolesAndIsAlone(choose(sizes, others)));
    others = limits;
    others.rows = others.columns = 128;
    EXPECT_FALSE(hasRolesAndIsAlone(choose(sizes, others)));
    ProductSizes many = sizes;
    many.batch = 133;
    EXPECT_FALSE(hasRolesAndIsAlone(choose(many, limits)));
    others = limits;
    others.ways.exchange = mlir::vector_ext::OperandExchange::Never;
    EXPECT_FALSE(choose(sizes, others).isExchanged);
  }
}

// Two workgroups for each tile of few rows: most processors have one, and sums
// are long (docs/Decisions/0143).
TEST(ProductTilesTest, pairsAsTimed) {
  EXPECT_TRUE(isPairFastest(4096 / 64, 4096));
  EXPECT_TRUE(isPairFastest(4096 / 64, 14336));
  EXPECT_TRUE(isPairFastest(3072 / 64, 3072));
  EXPECT_FALSE(isPairFastest(2048 / 64, 5632));
  EXPECT_FALSE(isPairFastest(6144 / 64, 4096));
  EXPECT_FALSE(isPairFastest(4096 / 64, 2048));
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  std::optional<LaunchedKernels> kernels =
      chooseLaunchedKernels(std::nullopt, limits);
  ASSERT_TRUE(kernels && kernels->pair);
  EXPECT_EQ(kernels->pair->rows, 64);
  EXPECT_EQ(kernels->pair->columns, 64);
  EXPECT_TRUE(kernels->pair->isAlone);
  limits.bits = 8;
  EXPECT_FALSE(chooseLaunchedKernels(std::nullopt, limits)->pair);
}

// Rows of operands that are in two lines of the cache: a tile of 192 x 192 has
// four rounds of 4104 x 4104, and fewest bytes. With whole lines it is slower.
TEST(ProductTilesTest, rowsInTwoLines) {
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  ProductSizes sizes{1, 4104, 4104, 1};
  sizes.hasLines = false;
  ProductKernel chosen = chooseKernel(sizes, 4104, limits);
  EXPECT_EQ(chosen.rows, 192) << chosen.reason;
  EXPECT_EQ(chosen.columns, 192) << chosen.reason;
  EXPECT_TRUE(chosen.persist);
  sizes.rows = sizes.columns = 4096;
  EXPECT_EQ(chooseKernel({1, 4096, 4096, 1}, 4096, limits).groups, 2);
  limits.ways.groups = false;
  EXPECT_EQ(chooseKernel({1, 4096, 4096, 1}, 4096, limits).columns, 256);
}

/// A product with rows that are no whole lines of the cache, on an H200: whether
/// they are whole sectors, whether clusters were faster, and how often as fast
/// as what is chosen without them (docs/Decisions/0151).
struct ProductOfClusters {
  int64_t rows, columns, depth, columnStep;
  bool hasSectors;
  int64_t clusterColumns;
  double rate;
};

const ProductOfClusters kClusters[] = {
    {1000, 1000, 1000, 16, false, 128, 1.10},
    {1000, 1000, 1000, 64, false, 128, 1.16},
    {4104, 4104, 4104, 16, false, 176, 1.06},
    {4104, 4104, 4104, 64, false, 192, 1.05},
    {3000, 3000, 3000, 16, false, 0, 1.00},
    {2056, 2056, 2056, 16, false, 0, 0.99},
    {4096, 1000, 1000, 64, false, 0, 0.97},
    {500, 2000, 2000, 16, true, 0, 0.89},
    {2000, 2000, 2000, 16, true, 0, 0.89},
    {6000, 6000, 2000, 16, true, 0, 0.99},
    // Not timed.
    {250, 1000, 1000, 16, false, 0, 1},
    {960, 640, 1000, 16, false, 0, 1},
};

// Clusters where they were faster.
TEST(ProductTilesTest, clustersAsTimed) {
  for (const ProductOfClusters &timed : kClusters) {
    ProductLimits limits = allow(true, true, true);
    limits.ways.persistent = limits.ways.clusters = true;
    limits.columnStep = timed.columnStep;
    ProductSizes sizes{1, timed.rows, timed.columns, 1};
    sizes.hasLines = false;
    sizes.hasSectors = timed.hasSectors;
    ProductKernel chosen = chooseKernel(sizes, timed.depth, limits);
    EXPECT_EQ(chosen.cluster > 1 ? chosen.columns : 0, timed.clusterColumns)
        << timed.rows << " x " << timed.columns << " x " << timed.depth << ": "
        << chosen.reason;
    EXPECT_EQ(chosen.cluster > 1, timed.rate > 1.02) << chosen.reason;
  }
}

// Where nothing else is allowed, clusters are taken wherever they are whole, for
// one product of 16 bits of known sizes.
TEST(ProductTilesTest, clustersIfAskedFor) {
  ProductLimits limits = allow(false, false, false);
  limits.ways.clusters = true;
  auto choose = [&](int64_t rows, int64_t columns) {
    return chooseKernel({1, rows, columns, 1}, 512, limits).cluster;
  };
  EXPECT_EQ(choose(1024, 1024), 2);
  EXPECT_EQ(choose(64, 256), 2);
  EXPECT_EQ(choose(64, 128), 1);
  limits.bits = 8;
  EXPECT_EQ(choose(1024, 1024), 1);
  limits.bits = 16;
  EXPECT_EQ(chooseProductKernel(std::nullopt, 512, 1, ProductKernel(), limits)
                .cluster,
            1);
}

/// Rates of products of f16 on an H100, divided by cuBLAS's in the same run
/// (docs/Decisions/0046): what is chosen without persistent kernels, and
/// persistent ones of three tiles that all threads share.
struct PersistentProduct {
  int64_t rows, columns, depth;
  double other, by128, by192, by256;
};

const PersistentProduct kPersistent[] = {
    {2048, 2048, 2048, 0.99, 0.95, 0.70, 0.99},
    {2048, 5632, 2048, 0.97, 0.93, 1.01, 1.03},
    {3072, 3072, 3072, 0.75, 0.84, 0.99, 0.75},
    {4096, 1024, 4096, 0.99, 0.89, 0.69, 0.99},
    {4096, 4096, 4096, 0.97, 0.95, 0.87, 1.00},
    {8192, 8192, 8192, 1.01, 0.96, 1.03, 1.02},
};

// Nothing that was timed is more than 3 % faster than what is chosen.
TEST(ProductTilesTest, persistentKernelsAsTimed) {
  ProductLimits limits;
  limits.ways = {/*sync=*/true, /*async=*/true, /*roles=*/true,
                 /*persistent=*/true, /*groups=*/false};
  for (const PersistentProduct &timed : kPersistent) {
    ProductKernel sync;
    sync.rows = sync.columns = 128;
    sync.reduction = 32;
    sync.threads = 128;
    ProductKernel chosen =
        chooseProductKernel(ProductSizes{1, timed.rows, timed.columns, 1},
                            timed.depth, 1, sync, limits);
    double rate = timed.other;
    if (chosen.persist)
      rate = chosen.rows == 192      ? timed.by192
             : chosen.columns == 256 ? timed.by256
                                     : timed.by128;
    double best =
        std::max({timed.other, timed.by128, timed.by192, timed.by256});
    EXPECT_GE(rate, 0.97 * best) << timed.rows << " x " << timed.columns << " x "
                                 << timed.depth << ": " << chosen.reason;
  }
}

/// TFLOP/s of bf16 and f16 on an H200 (docs/Decisions/0124): what is chosen
/// where all threads share a tile, and two groups in turns, of 128 x 128 each.
struct ProductInTurns {
  int64_t rows, columns, depth;
  double shared, inTurns;
};

const ProductInTurns kInTurns[] = {
    {2048, 2048, 2048, 722, 735}, {4096, 4096, 1024, 710, 733},
    {8192, 2048, 1024, 644, 705}, {2048, 5632, 2048, 705, 717},
    {4096, 4096, 4096, 719, 740}, {1536, 1536, 1536, 504, 403},
    {3072, 3072, 3072, 719, 674}, {4096, 1024, 4096, 726, 737},
    {1024, 8192, 1024, 681, 716}, {2816, 4096, 2048, 667, 698},
    {2048, 2048, 8192, 755, 762}, {5120, 5120, 4096, 608, 670},
    {8192, 8192, 2048, 610, 689}, {8192, 8192, 4096, 634, 669},
    {8192, 4096, 8192, 667, 662}, {8192, 8192, 8192, 687, 655},
};

// The faster one is chosen, or one that is as fast within 2 %.
TEST(ProductTilesTest, groupsInTurnsAsTimed) {
  for (const ProductInTurns &timed : kInTurns) {
    ProductLimits limits;
    limits.ways = {/*sync=*/true, /*async=*/true, /*roles=*/true,
                   /*persistent=*/true};
    ProductKernel sync;
    sync.rows = sync.columns = 128;
    sync.reduction = 32;
    sync.threads = 128;
    ProductKernel chosen =
        chooseProductKernel(ProductSizes{1, timed.rows, timed.columns, 1},
                            timed.depth, 1, sync, limits);
    // Wide tiles were timed later (WideTilesTest.cpp).
    if (chosen.groups > 1 && chosen.columns > 128)
      continue;
    double rate = chosen.groups > 1 ? timed.inTurns : timed.shared;
    EXPECT_GE(rate, 0.98 * std::max(timed.shared, timed.inTurns))
        << timed.rows << " x " << timed.columns << " x " << timed.depth << ": "
        << chosen.reason;
    EXPECT_EQ(chosen.groups > 1,
              chosen.persist && chosen.rows == 128 && chosen.columns == 128);
    if (chosen.groups > 1)
      EXPECT_EQ(chosen.threads, 128);
  }
}

TEST(ProductTilesTest, kernelsOfAllowedWays) {
  ProductSizes sizes{1, 4096, 4096, 1};
  EXPECT_EQ(chooseKernel(sizes, 4096, allow(true, false, false)).way,
            ProductWay::Sync);
  EXPECT_EQ(chooseKernel(sizes, 4096, allow(false, true, true)).way,
            ProductWay::Async);
  ProductKernel roles = chooseKernel(sizes, 4096, allow(false, false, true));
  EXPECT_EQ(roles.way, ProductWay::Roles);
  EXPECT_EQ(roles.threads, 256);
  GPUTarget other;
  other.asyncRows = 0;
  EXPECT_EQ(chooseKernel(sizes, 4096, allow(false, true, true), other).way,
            ProductWay::Sync);
  // Of two products, columns of both together.
  sizes.products = 2;
  ProductKernel two = chooseKernel(sizes, 4096, allow(true, true, false));
  EXPECT_EQ(two.way, ProductWay::Async);
  EXPECT_LE(2 * two.columns, 256);
  two = chooseKernel(sizes, 4096, allow(true, true, true));
  EXPECT_EQ(two.way, ProductWay::Roles);
  EXPECT_EQ(two.columns, 128);
}

// Products of 8 bits take as long as those of 16 bits of half of the sum, and
// their sums are in twice the registers.
TEST(ProductTilesTest, kernelsOfShortSums) {
  for (int64_t size : {1024, 2048, 4096, 6144, 8192})
    for (bool persistent : {false, true}) {
      ProductSizes sizes{1, size, size, 1};
      ProductLimits limits = allow(true, true, persistent);
      limits.ways.persistent = persistent;
      // Workgroups with short sums are not alone on their processors.
      limits.reduction = 64;
      ProductKernel wide = chooseKernel(sizes, size, limits);
      limits.reduction = 0;
      limits.bits = 8;
      limits.hasShortSums = true;
      ProductKernel chosen = chooseKernel(sizes, size, limits);
      ASSERT_NE(chosen.way, ProductWay::Sync) << size;
      EXPECT_EQ(chosen.reduction, 128);
      EXPECT_LE(2 * chosen.rows * chosen.columns / chosen.threads, 200);
      EXPECT_LE(estimateProductKernel(sizes, size / 2, chosen),
                0.95 * estimateProductKernel(sizes, size, wide))
          << size << ": " << chosen.reason;
    }
}

// The order of what was timed on an H200 (docs/Decisions/0084).
TEST(ProductTilesTest, shortSumsAsTimed) {
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  limits.bits = 8;
  limits.hasShortSums = true;
  for (int64_t size : {4096, 8192}) {
    ProductSizes sizes{1, size, size, 1};
    auto estimate = [&](ProductWay way, int64_t rows, int64_t columns,
                        int64_t threads) {
      ProductKernel kernel;
      kernel.way = way;
      kernel.rows = rows;
      kernel.columns = columns;
      kernel.threads = threads;
      kernel.persist = way == ProductWay::Roles;
      kernel.hasShortSums = true;
      return estimateProductKernel(sizes, size / 2, kernel);
    };
    int64_t wide = estimate(ProductWay::Roles, 128, 192, 256);
    EXPECT_LT(wide, estimate(ProductWay::Roles, 128, 128, 256));
    EXPECT_LT(wide, estimate(ProductWay::Async, 64, 128, 128));
    if (size == 4096)
      EXPECT_LT(estimate(ProductWay::Async, 64, 128, 128),
                estimate(ProductWay::Async, 128, 128, 256));
    ProductKernel chosen = chooseKernel(sizes, size, limits);
    EXPECT_EQ(chosen.rows, 128);
    EXPECT_EQ(chosen.columns, 192);
    EXPECT_TRUE(chosen.persist);
    EXPECT_EQ(estimateProductKernel(sizes, size / 2, chosen), wide);
  }
  // Six rounds of 176 columns, or of 192; 23 or 21 (docs/Decisions/0160).
  limits.columnStep = 16;
  EXPECT_EQ(chooseKernel({1, 4096, 4096, 1}, 4096, limits).columns, 176);
  EXPECT_EQ(chooseKernel({1, 8192, 8192, 1}, 8192, limits).columns, 192);
  limits.columnStep = 64;
  ProductKernel sync;
  sync.rows = sync.columns = 128;
  ProductKernel unknown =
      chooseProductKernel(std::nullopt, std::nullopt, 1, sync, limits);
  EXPECT_EQ(unknown.columns, 192);
  EXPECT_TRUE(unknown.persist);
}

// What is read and computed behind a product decides, too: the tiles that were
// the fastest ones (docs/Decisions/0158, 0165). All sums are of operands with rows of
// whole lines but the last two.
TEST(ProductTilesTest, epiloguesAsTimed) {
  struct Timed {
    int64_t size, depth;
    ProductEpilogue epilogue;
    int64_t rows, columns;
  };
  for (const Timed &timed :
       {Timed{3072, 1024, {}, 128, 192}, Timed{3072, 1024, {16, 0, 2}, 128, 128},
        Timed{3072, 1024, {32, 0, 1}, 128, 128},
        Timed{3072, 1024, {0, 0, 12}, 128, 192},
        Timed{4104, 1032, {}, 192, 192}, Timed{4104, 1032, {16, 0, 2}, 192, 192},
        Timed{4104, 1032, {32, 0, 1}, 192, 128}}) {
    SCOPED_TRACE(timed.size);
    ProductLimits limits = allow(true, true, true);
    limits.ways.persistent = limits.ways.groups = true;
    limits.epilogue = timed.epilogue;
    ProductSizes sizes{1, timed.size, timed.size, 1};
    sizes.hasLines = sizes.hasSectors = timed.size % 64 == 0;
    ProductKernel chosen = chooseKernel(sizes, timed.depth, limits);
    EXPECT_TRUE(chosen.persist);
    EXPECT_EQ(chosen.rows, timed.rows);
    EXPECT_EQ(chosen.columns, timed.columns);
  }
  // No thread has registers for a tile of 32 bits beside 128 x 256 results, and
  // shared memory has no room: a launch does not choose such a kernel.
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  limits.epilogue.copiedBits = 32;
  for (const ProductKernel &kernel :
       chooseLaunchedKernels(std::nullopt, limits)->many)
    EXPECT_LT(kernel.rows * kernel.columns, 128 * 256);
}

TEST(ProductTilesTest, kernelsOfUnknownSizes) {
  ProductKernel sync;
  sync.rows = sync.columns = 128;
  sync.reduction = 32;
  sync.threads = kProductThreads;
  ProductKernel chosen = chooseProductKernel(
      std::nullopt, std::nullopt, 1, sync, allow(true, true, true));
  EXPECT_EQ(chosen.way, ProductWay::Async);
  EXPECT_EQ(chosen.rows, 128);
  EXPECT_EQ(chosen.columns, 128);
  EXPECT_EQ(chosen.reduction, 64);
  ProductLimits given = allow(true, true, true);
  given.rows = 32; // no group of rows
  EXPECT_EQ(chooseProductKernel(std::nullopt, std::nullopt, 1, sync, given).way,
            ProductWay::Sync);
}

TEST(ProductTilesTest, kernelsThatALaunchChoosesFrom) {
  ProductLimits limits = allow(true, true, true);
  limits.ways.persistent = true;
  std::optional<LaunchedKernels> kernels =
      chooseLaunchedKernels(std::nullopt, limits);
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->few.way, ProductWay::Async);
  EXPECT_EQ(kernels->few.rows, 64);
  EXPECT_EQ(kernels->few.columns, 128);
  EXPECT_FALSE(kernels->few.persist);
  EXPECT_FALSE(kernels->few.isAlone);
  ASSERT_EQ(kernels->lone.size(), 2u);
  ASSERT_EQ(kernels->split.size(), 2u);
  for (const ProductKernel &kernel : {kernels->lone[0], kernels->lone[1],
                                      kernels->split[0], kernels->split[1]}) {
    EXPECT_TRUE(kernel.isAlone);
    EXPECT_EQ(kernel.reduction, 128);
  }
  EXPECT_EQ(kernels->lone[0].rows, 64);
  EXPECT_EQ(kernels->lone[0].columns, 128);
  EXPECT_EQ(kernels->lone[1].rows, 64);
  EXPECT_EQ(kernels->lone[1].columns, 64);
  EXPECT_EQ(kernels->split[0].rows, 64);
  EXPECT_EQ(kernels->split[0].columns, 128);
  EXPECT_EQ(kernels->split[1].rows, 128);
  EXPECT_EQ(kernels->split[1].columns, 64);
  std::vector<std::pair<int64_t, int64_t>> tiles;
  for (const ProductKernel &kernel : kernels->many) {
    EXPECT_TRUE(kernel.persist);
    tiles.emplace_back(kernel.rows, kernel.columns);
  }
  EXPECT_EQ(tiles, (std::vector<std::pair<int64_t, int64_t>>{
                       {128, 256}, {192, 128}, {128, 128}}));
  // The estimate is that of known sizes: within 15 % where all processors have
  // tiles, and the operands fit into a cache.
  for (int64_t rows : {1536, 2048})
    for (const ProductKernel &kernel :
         {kernels->few, kernels->many[0], kernels->many[1]}) {
      int64_t tiles = getNumTiles(rows, 4096, {kernel.rows, kernel.columns});
      ProductTime time = getProductTime(kernel);
      int64_t most = (tiles + 131) / 132;
      double cycles =
          time.fixed + most * time.ofTile +
          4096.0 * std::max(time.alone, most * time.beside) / kStepsOfTime;
      double known = estimateProductKernel({1, rows, 4096, 1}, 4096, kernel);
      EXPECT_NEAR(cycles / known, 1, 0.15) << rows << " " << kernel.rows;
    }
  // Twice as many elements of 8 bits are summed in the same time. Results of
  // short sums take twice the registers.
  ProductLimits ofBytes = limits;
  ofBytes.bits = 8;
  auto integers = chooseLaunchedKernels(std::nullopt, ofBytes);
  ASSERT_TRUE(integers);
  EXPECT_EQ(integers->many[0].columns, 256);
  EXPECT_EQ(integers->many[0].reduction, 128);
  EXPECT_EQ(getProductTime(integers->many[0]).steps, 2 * kStepsOfTime);
  ofBytes.hasShortSums = true;
  auto floats = chooseLaunchedKernels(std::nullopt, ofBytes);
  ASSERT_TRUE(floats);
  EXPECT_EQ(floats->many[0].rows * floats->many[0].columns, 128 * 192);
  EXPECT_EQ(floats->many.size(), 1u);
  EXPECT_EQ(floats->few.rows, 64);
  EXPECT_EQ(floats->few.columns, 128);
  EXPECT_TRUE(floats->lone.empty() && floats->split.empty());
  ofBytes.columnStep = 16;
  auto widths = chooseLaunchedKernels(std::nullopt, ofBytes);
  ASSERT_TRUE(widths);
  ASSERT_EQ(widths->many.size(), 2u);
  EXPECT_EQ(widths->many[0].columns, 192);
  EXPECT_EQ(widths->many[1].columns, 176);
  // What was faster on an H200 (docs/Decisions/0097): rows, columns, and
  // whether that is the kernel for few tiles. Sums have 4096 elements.
  struct Timed {
    int64_t rows, columns;
    bool isFew;
  };
  for (auto [rows, columns, isFew] :
       {Timed{128, 4096, true}, Timed{256, 4096, true},
        Timed{2048, 4096, false}, Timed{4096, 4096, false},
        Timed{128, 14336, true}, Timed{512, 14336, false},
        Timed{4096, 14336, false}}) {
    auto getCycles = [rows = rows, columns = columns](
                         const ProductKernel &kernel) {
      int64_t most =
          (getNumTiles(rows, columns, {kernel.rows, kernel.columns}) + 131) /
          132;
      ProductTime time = getProductTime(kernel);
      return time.fixed + most * time.ofTile +
             4096 * std::max(time.alone, most * time.beside) / time.steps;
    };
    EXPECT_EQ(getCycles(floats->few) < getCycles(floats->many[0]), isFew)
        << rows << " " << columns;
  }
  // Neither where one of the two ways, or the tile, is given.
  ProductLimits given = limits;
  given.rows = 128;
  EXPECT_FALSE(chooseLaunchedKernels(std::nullopt, given));
  given = limits;
  given.ways.persistent = false;
  EXPECT_FALSE(chooseLaunchedKernels(std::nullopt, given));
  given = limits;
  given.ways.async = false;
  EXPECT_FALSE(chooseLaunchedKernels(std::nullopt, given));
}

} // namespace
