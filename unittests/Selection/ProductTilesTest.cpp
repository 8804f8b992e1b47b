//===- ProductTilesTest.cpp - Which tiles products have on a GPU ----------===//

#include "mlir-ext/Selection/ProductTiles.h"

#include "gtest/gtest.h"

#include <array>

using namespace mlir::linalg_ext;

namespace {

constexpr int64_t kProcessors = 132;

ProductTile choose(int64_t rows, int64_t columns, int64_t products = 1,
                   int64_t batch = 1) {
  return chooseProductTile({batch, rows, columns, products},
                           {/*rows=*/128, /*columns=*/128}, kProcessors);
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
  EXPECT_LE(getNumTiles(1024, 768, tile), kProcessors);
  EXPECT_FALSE(choose(1024, 3072).isAlone);
}

TEST(ProductTilesTest, noLargerThanAsked) {
  ProductTile tile = chooseProductTile({1, 4096, 4096, 1}, {64, 32}, 1);
  EXPECT_EQ(tile.rows, 64);
  EXPECT_EQ(tile.columns, 32);
  EXPECT_EQ(chooseProductTile({1, 4096, 4096, 1}, {16, 16}, 1).rows, 0);
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

} // namespace
