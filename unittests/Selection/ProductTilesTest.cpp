//===- ProductTilesTest.cpp - Which tiles products have on a GPU ----------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <array>

using namespace mlir::linalg_ext;

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

} // namespace
