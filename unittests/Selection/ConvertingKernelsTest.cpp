//===- ConvertingKernelsTest.cpp - Kernels that convert their operands ----===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace mlir::linalg_ext;

namespace {

/// Microseconds on an H200 (docs/Decisions/0132) of 16 rows and weights of 4 or
/// 8 bits: without asynchronous products, and of tiles of so many columns whose
/// sums are whole, chunks of so many elements (0 if they are whole), or equal
/// shares.
struct ConvertedTimes {
  int64_t rows, columns, depth;
  bool isPacked;
  double sync;
  struct Kernel {
    int64_t columns, chunk;
    bool hasShares;
    double time;
  };
  std::vector<Kernel> kernels;
  /// How much longer than the fastest one the chosen one may take.
  double longer = 1.04;
};

// The fastest kernel is chosen, or one that takes at most 4 % longer, or 9 % in
// one case.
TEST(ConvertingKernelsTest, asTimed) {
  const ConvertedTimes all[] = {
      {16,
       28672,
       8192,
       true,
       68.9,
       {{256, 0, false, 50.2},
        {256, 7168, true, 49.3},
        {256, 7424, true, 49.8},
        {256, 6912, true, 56.1},
        {256, 7168, false, 55.7},
        {128, 0, false, 57.4}}},
      {10,
       28672,
       8192,
       true,
       59.5,
       {{256, 0, false, 51.8}, {256, 7168, true, 48.4}}},
      {8, 28672, 8192, true, 41.0, {{256, 7168, true, 43.2}}},
      {16,
       28672,
       4096,
       true,
       40,
       {{256, 0, false, 29.0}, {256, 3584, true, 30.9}}},
      {16,
       22016,
       4096,
       true,
       40,
       {{128, 0, false, 27.6},
        {256, 2816, true, 24.3},
        {256, 1536, false, 26.0}}},
      {16,
       14336,
       4096,
       true,
       20,
       {{128, 0, false, 18.8},
        {128, 2048, false, 17.6},
        {256, 2048, false, 16.8}}},
      {9,
       14336,
       4096,
       true,
       16.8,
       {{128, 0, false, 19.3}, {256, 2048, false, 18.3}},
       1.09},
      {8, 14336, 4096, true, 14.1, {{256, 2048, false, 17.0}}},
      {16,
       4096,
       14336,
       true,
       29.3,
       {{256, 1792, false, 17.0},
        {128, 3584, false, 19.8},
        {128, 1792, false, 19.2}}},
      {16,
       8192,
       8192,
       true,
       31.6,
       {{256, 2048, false, 19.5},
        {128, 4096, false, 22.1},
        {128, 2048, false, 20.5}}},
      {9, 8192, 8192, true, 25.3, {{256, 2048, false, 18.4}}},
      {8, 8192, 8192, true, 14.8, {{256, 2048, false, 17.3}}},
      {4, 8192, 8192, true, 12.2, {{256, 2048, false, 17.0}}},
      {16,
       11008,
       4096,
       true,
       18.1,
       {{256, 1536, false, 15.2}, {256, 2048, false, 16.4}}},
      {8, 11008, 4096, true, 13.2, {{256, 1536, false, 13.7}}},
      {16,
       10240,
       8192,
       true,
       31.4,
       {{256, 2816, false, 24.7}, {256, 4096, false, 27.7}}},
      {6, 10240, 8192, true, 18.3, {{256, 2816, false, 20.4}}},
      {16,
       4096,
       4096,
       true,
       9.6,
       {{256, 512, false, 9.0},
        {128, 1024, false, 9.5},
        {128, 2048, false, 11.6}}},
      {16, 6144, 4096, true, 17.0, {{256, 1024, false, 11.7}}},
      // docs/Decisions/0145, 0152.
      {4, 28672, 8192, true, 36.2, {{256, 7168, true, 42.0}}},
      {2, 28672, 8192, true, 35.6, {{256, 7168, true, 42.4}}},
      {4, 8192, 28672, true, 42.8, {{256, 7168, false, 42.2}}},
      {8, 4096, 14336, true, 14.3, {{256, 1792, false, 15.6}}},
      {4, 4096, 14336, true, 13.3, {{256, 1792, false, 15.6}}},
      {4, 10240, 8192, true, 17.7, {{256, 2816, false, 20.2}}},
      {4, 14336, 4096, true, 13.7, {{256, 2048, false, 16.0}}},
      {4, 11008, 4096, true, 12.2, {{256, 1536, false, 12.9}}},
      {8, 4096, 4096, true, 7.0, {{256, 512, false, 8.6}}},
      // docs/Decisions/0166.
      {8, 28672, 4096, true, 21.7, {{256, 0, false, 24.4}}},
      {8, 8192, 28672, true, 52.6, {{256, 7168, false, 42.6}}},
      {8, 22016, 4096, true, 22.2, {{256, 2816, true, 20.5}}},
      {8, 16384, 4096, true, 13.8, {{256, 2048, true, 16.2}}},
      {16, 8192, 28672, true, 90.3, {{256, 7168, false, 48.9}}},
      {16,
       8192,
       8192,
       false,
       35.5,
       {{128, 2048, false, 26.7}, {128, 4096, false, 34.7}}},
      {8, 8192, 8192, false, 26.9, {{128, 2048, false, 28.2}}},
      {16,
       4096,
       14336,
       false,
       33.3,
       {{128, 1792, false, 24.2}, {128, 3584, false, 31.0}}},
      {16, 14336, 4096, false, 27.2, {{128, 2048, false, 24.5}}},
      {16, 11008, 4096, false, 22.4, {{128, 1408, false, 19.4}}},
      {16,
       28672,
       8192,
       false,
       81.5,
       {{128, 0, false, 71.3}, {256, 7168, true, 76.8}}},
      {16,
       4096,
       4096,
       false,
       10.7,
       {{128, 1024, false, 10.7}, {128, 512, false, 10.5}}},
  };
  for (const ConvertedTimes &timed : all) {
    ConvertedProduct product;
    product.rows = 16;
    product.allRows = timed.rows;
    product.columns = timed.columns;
    product.depth = timed.depth;
    product.isPacked = timed.isPacked;
    std::optional<ProductKernel> chosen = chooseConvertingKernel(product);
    std::string text = std::to_string(timed.rows) + " x " +
                       std::to_string(timed.columns) + " x " +
                       std::to_string(timed.depth) + ": " +
                       (chosen ? chosen->reason : "sync");
    double time = chosen ? 0 : timed.sync, best = timed.sync;
    for (const ConvertedTimes::Kernel &kernel : timed.kernels) {
      best = std::min(best, kernel.time);
      if (chosen && kernel.columns == chosen->columns &&
          kernel.chunk == chosen->chunk &&
          kernel.hasShares == chosen->hasShares)
        time = kernel.time;
    }
    EXPECT_GT(time, 0) << "not timed: " << text;
    EXPECT_LE(time, timed.longer * best) << text;
    if (chosen) {
      EXPECT_EQ(chosen->threads, 2 * chosen->columns);
      EXPECT_EQ(chosen->persist, chosen->hasShares);
      EXPECT_EQ(chosen->reduction, 128);
    }
  }
}

// Workgroups of packed integers have 32 columns if each processor has about one,
// and subgroups have equal parts that are neither short nor long.
TEST(ConvertingKernelsTest, wideSumTiles) {
  EXPECT_TRUE(hasWideSumTiles(8192, 8192, 128));
  EXPECT_TRUE(hasWideSumTiles(5120, 5120, 128));
  EXPECT_TRUE(hasWideSumTiles(4096, 14336, 128));
  // 16 parts of 256 elements; of 28 tiles; 86 tiles for 14 parts.
  EXPECT_FALSE(hasWideSumTiles(4096, 4096, 128));
  EXPECT_FALSE(hasWideSumTiles(8192, 28672, 128));
  EXPECT_FALSE(hasWideSumTiles(4096, 11008, 128));
  // Half of the processors.
  EXPECT_FALSE(hasWideSumTiles(2048, 8192, 128));
  EXPECT_EQ(getPartsOfTiles(256), 8);
  EXPECT_EQ(getPartsOfTiles(128), 16);
  EXPECT_EQ(getPartsOfTiles(1), 16);
  EXPECT_EQ(getPartsOfTiles(0), 16);
  EXPECT_EQ(getPartsOfTiles(100000), 1);
}

// With equal shares, processors without a long part take no longer.
TEST(ConvertingKernelsTest, shares) {
  for (int64_t processors : {5, 100, 132})
    for (int64_t columns = 256; columns <= 256 * processors; columns += 256)
      for (int64_t depth : {1024, 4096, 14336}) {
        ConvertedProduct product;
        product.rows = 16;
        product.columns = columns;
        product.depth = depth;
        product.isPacked = true;
        GPUTarget target;
        target.processors = processors;
        std::optional<ProductKernel> chosen =
            chooseConvertingKernel(product, target);
        if (!chosen || chosen->chunk == 0)
          continue;
        int64_t tiles = (columns + chosen->columns - 1) / chosen->columns;
        EXPECT_GT(chosen->chunk, 0);
        EXPECT_LT(chosen->chunk, depth);
        EXPECT_EQ(chosen->chunk % 256, 0);
        if (!chosen->hasShares) {
          EXPECT_LE(tiles * ((depth + chosen->chunk - 1) / chosen->chunk),
                    256 / chosen->columns * processors);
          continue;
        }
        EXPECT_LT(tiles, processors);
        int64_t others = processors - tiles;
        // Rests take longer for their results.
        EXPECT_LE((tiles + others - 1) / others * (depth - chosen->chunk),
                  chosen->chunk);
      }
}

// 6 to 8 rows of f16 have synchronous products, whose threads load both operands,
// if each processor has more than one tile of 128 columns
// (docs/Decisions/0190).
TEST(ConvertingKernelsTest, loadedOperands) {
  auto isLoaded = [](int64_t rows, int64_t columns, int64_t depth,
                     llvm::function_ref<void(ConvertedProduct &)> change) {
    ConvertedProduct product;
    product.rows = rows <= 8 ? 8 : 16;
    product.allRows = rows;
    product.columns = columns;
    product.depth = depth;
    product.isPacked = product.isF16 = true;
    change(product);
    std::optional<ProductKernel> chosen = chooseConvertingKernel(product);
    if (!chosen || !chosen->isLoaded)
      return false;
    EXPECT_EQ(chosen->rows, 8);
    EXPECT_EQ(chosen->columns, 128);
    EXPECT_EQ(chosen->threads, 128);
    EXPECT_EQ(chosen->chunk, 0);
    EXPECT_FALSE(chosen->hasShares);
    return true;
  };
  auto same = [](ConvertedProduct &) {};
  for (int64_t rows : {6, 7, 8})
    for (auto [columns, depth] :
         {std::pair(28672, 8192), std::pair(28672, 4096),
          std::pair(28672, 14336), std::pair(57344, 8192),
          std::pair(32000, 4096), std::pair(22016, 4096)})
      EXPECT_TRUE(isLoaded(rows, columns, depth, same))
          << rows << " rows, " << columns << " x " << depth;
  // Other rows, one tile for a processor or less, parts of a tile, and half an
  // iteration.
  EXPECT_FALSE(isLoaded(8, 28670, 8192, same));
  EXPECT_FALSE(isLoaded(5, 28672, 8192, same));
  EXPECT_FALSE(isLoaded(9, 28672, 8192, same));
  EXPECT_FALSE(isLoaded(8, 16384, 4096, same));
  EXPECT_FALSE(isLoaded(8, 8192, 8192, same));
  EXPECT_FALSE(isLoaded(8, 28672, 8192 + 128, same));
  for (auto change : {+[](ConvertedProduct &p) { p.isF16 = false; },
                      +[](ConvertedProduct &p) { p.isPacked = false; },
                      +[](ConvertedProduct &p) { p.scaled = 64; },
                      +[](ConvertedProduct &p) { p.allRows.reset(); }})
    EXPECT_FALSE(isLoaded(8, 28672, 8192, change));
}

// Products of a batch have many tiles: their sums are whole.
TEST(ConvertingKernelsTest, batches) {
  ConvertedProduct product;
  product.rows = 16;
  product.columns = product.depth = 8192;
  for (bool isPacked : {false, true}) {
    product.isPacked = isPacked;
    product.products = 1;
    EXPECT_GT(chooseConvertingKernel(product)->chunk, 0);
    product.products = 8;
    EXPECT_EQ(chooseConvertingKernel(product)->chunk, 0);
  }
  product.products = 0;
  EXPECT_FALSE(chooseConvertingKernel(product));
  product.products = 1;
  product.depth = 0;
  EXPECT_FALSE(chooseConvertingKernel(product));
}

/// Microseconds of launches of more than 16 rows on an H200, with weights that
/// a launch in front stores or synchronous products, and converted by the
/// kernel with tiles of so many columns and chunks of so many elements
/// (docs/Decisions/0146).
struct ManyRowsTimes {
  int64_t rows, columns, depth;
  double others;
  int64_t tile, chunk;
  double time;
};

TEST(ConvertingKernelsTest, manyRows) {
  ManyRowsTimes all[] = {
      {64, 28672, 8192, 147.6, 256, 0, 72.8},
      {64, 14336, 4096, 67.9, 128, 0, 24.3},
      {64, 4096, 4096, 21.9, 128, 1024, 12.9},
      {64, 4096, 14336, 54.6, 128, 3584, 25.6},
      {64, 2048, 2048, 13.1, 128, 256, 9.5},
      {128, 28672, 8192, 301.3, 128, 0, 111.4},
      {128, 14336, 4096, 83.3, 128, 0, 31.8},
      {128, 4096, 4096, 29.0, 128, 1024, 17.6},
      {128, 4096, 14336, 95.7, 128, 3584, 34.5},
      {128, 2048, 2048, 12.1, 128, 256, 13.6},
      {256, 28672, 8192, 349.1, 128, 0, 217.4},
      {256, 4096, 4096, 30.1, 128, 2048, 23.3},
      {512, 28672, 8192, 498.0, 128, 0, 402.6},
      {512, 14336, 4096, 146.1, 128, 0, 121.4},
      {512, 4096, 4096, 39.3, 128, 0, 31.5},
      {512, 2048, 2048, 12.9, 128, 0, 16.1},
      {512, 1024, 4096, 16.5, 128, 0, 18.2},
      {512, 1024, 1024, 8.7, 128, 256, 11.8},
  };
  for (const ManyRowsTimes &timed : all) {
    ConvertedProduct product;
    product.rows = timed.rows;
    product.columns = timed.columns;
    product.depth = timed.depth;
    product.isPacked = true;
    std::optional<ProductKernel> chosen =
        chooseConvertingKernelOfManyRows(product);
    std::string text = std::to_string(timed.rows) + " x " +
                       std::to_string(timed.columns) + " x " +
                       std::to_string(timed.depth) + ": " +
                       (chosen ? chosen->reason : "stored");
    EXPECT_EQ(chosen.has_value(), timed.time < timed.others) << text;
    if (!chosen)
      continue;
    EXPECT_EQ(chosen->columns, timed.tile) << text;
    EXPECT_EQ(chosen->chunk, timed.chunk) << text;
    EXPECT_EQ(chosen->rows, std::min<int64_t>(timed.rows, 128));
    EXPECT_EQ(chosen->threads, 2 * chosen->columns);
  }
  // There are too few tiles for the processors, or nothing to convert.
  ConvertedProduct product;
  product.rows = 64;
  product.columns = 1024;
  product.depth = 1024;
  product.isPacked = true;
  EXPECT_FALSE(chooseConvertingKernelOfManyRows(product));
  product.columns = 28672;
  product.depth = 0;
  EXPECT_FALSE(chooseConvertingKernelOfManyRows(product));
}

// Smaller groups take longer: 4096 x 4096 with 9 rows, 8.2 us without
// asynchronous products, and 9.6 with them.
TEST(ConvertingKernelsTest, smallGroups) {
  ConvertedProduct product;
  product.rows = 16;
  product.columns = product.depth = 4096;
  product.isPacked = true;
  product.allRows = 9;
  EXPECT_TRUE(chooseConvertingKernel(product));
  product.scaled = 64;
  EXPECT_FALSE(chooseConvertingKernel(product));
  product.allRows = 16;
  EXPECT_TRUE(chooseConvertingKernel(product));
}

// Where they are not possible, no kernel has equal shares.
TEST(ConvertingKernelsTest, withoutShares) {
  ConvertedProduct product;
  product.rows = 16;
  product.columns = 22016;
  product.depth = 4096;
  product.isPacked = true;
  EXPECT_TRUE(chooseConvertingKernel(product)->hasShares);
  product.mayShare = false;
  EXPECT_FALSE(chooseConvertingKernel(product)->hasShares);
}

} // namespace
