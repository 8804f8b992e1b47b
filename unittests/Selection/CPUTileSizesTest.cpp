//===- CPUTileSizesTest.cpp - The cache model of tile sizes ---------------===//

#include "mlir-ext/Selection/CPUTileSizes.h"
#include "mlir-ext/Target/X86/VectorUnit.h"

#include "gtest/gtest.h"

using namespace mlir::linalg_ext;

namespace {

CPULoopShape makeShape(std::optional<int64_t> rows, std::optional<int64_t> keys,
                       std::optional<int64_t> depth, int64_t batches = 8) {
  CPULoopShape shape;
  shape.rows = rows;
  shape.keys = keys;
  shape.depth = shape.columns = depth;
  shape.batches = batches;
  return shape;
}

CPUTarget getCore(llvm::StringRef name) {
  const VectorUnit *unit = lookupX86VectorUnit(name);
  CPUTarget core;
  core.vectorBits = unit->bits;
  core.l1Bytes = unit->l1Bytes;
  core.l2Bytes = unit->l2Bytes;
  return core;
}

/// What an iteration of the inner loop touches.
int64_t getBytes(const CPUTiles &tiles, int64_t depth) {
  return 4 * tiles.rows * tiles.keys + 2 * tiles.keys * depth * 4 +
         2 * tiles.rows * depth * 4;
}

TEST(CPUTileSizesTest, longAttentionOnAVX512) {
  CPUTiles tiles = chooseCPUTiles(makeShape(1024, 1024, 64), getCore("avx512"));
  EXPECT_EQ(tiles.rows, 64);
  EXPECT_EQ(tiles.keys, 128);
  EXPECT_EQ(tiles.columns, 0);
  EXPECT_EQ(tiles.split, 0);
}

TEST(CPUTileSizesTest, narrowVectorsNeedFewerRows) {
  EXPECT_EQ(chooseCPUTiles(makeShape(1024, 1024, 64), getCore("avx2")).rows,
            32);
  EXPECT_EQ(chooseCPUTiles(makeShape(1024, 1024, 64), getCore("generic")).rows,
            16);
}

TEST(CPUTileSizesTest, scoresFitL1) {
  for (llvm::StringRef name : {"avx512", "avx2", "generic"}) {
    CPUTarget core = getCore(name);
    for (int64_t rows : {1, 2, 5, 16, 64, 1000})
      for (int64_t depth : {16, 64, 128, 256}) {
        CPUTiles tiles = chooseCPUTiles(makeShape(rows, 4096, depth), core);
        EXPECT_LE(4 * tiles.rows * tiles.keys, core.l1Bytes)
            << name.str() << " " << rows << " " << depth;
      }
  }
}

TEST(CPUTileSizesTest, tilesFitHalfOfL2OrAreTheSmallest) {
  for (llvm::StringRef name : {"avx512", "avx2", "generic"}) {
    CPUTarget core = getCore(name);
    for (int64_t depth : {16, 64, 80, 128, 256, 512}) {
      CPUTiles tiles = chooseCPUTiles(makeShape(4096, 4096, depth), core);
      int64_t leastRows = 2 * core.vectorBits / 32, leastKeys = 32;
      EXPECT_GE(tiles.rows, leastRows);
      EXPECT_GE(tiles.keys, leastKeys);
      if (tiles.rows > leastRows || tiles.keys > leastKeys)
        EXPECT_LE(getBytes(tiles, depth), core.l2Bytes / 2)
            << name.str() << " " << depth;
    }
  }
}

TEST(CPUTileSizesTest, smallCachesGetSmallTiles) {
  CPUTarget core;
  core.l1Bytes = 16 << 10;
  core.l2Bytes = 128 << 10;
  CPUTiles tiles = chooseCPUTiles(makeShape(4096, 4096, 128), core);
  EXPECT_LE(4 * tiles.rows * tiles.keys, core.l1Bytes);
  EXPECT_LT(tiles.keys, 128);
}

TEST(CPUTileSizesTest, fewRowsAreOneTileOfManyKeys) {
  CPUTiles tiles = chooseCPUTiles(makeShape(4, 8192, 128), getCore("avx512"));
  EXPECT_EQ(tiles.rows, 4);
  EXPECT_EQ(tiles.keys, 512);
}

TEST(CPUTileSizesTest, shortSequencesAreOneTile) {
  CPUTiles tiles = chooseCPUTiles(makeShape(77, 77, 64), getCore("avx512"));
  EXPECT_EQ(tiles.rows, 77);
  EXPECT_EQ(tiles.keys, 77);
}

TEST(CPUTileSizesTest, tilesOfOneSequenceAreEven) {
  // 160 = 80 + 80, not 64 + 64 + 32 rows and 128 + 32 keys.
  CPUTiles tiles = chooseCPUTiles(makeShape(160, 160, 64), getCore("avx512"));
  EXPECT_EQ(tiles.rows, 80);
  EXPECT_EQ(tiles.keys, 80);
  // 112 + 112 + 76.
  tiles = chooseCPUTiles(makeShape(300, 300, 64), getCore("avx512"));
  EXPECT_EQ(tiles.keys, 112);
}

TEST(CPUTileSizesTest, unknownSizesGetWholeTiles) {
  CPULoopShape shape;
  CPUTiles tiles = chooseCPUTiles(shape, getCore("avx512"));
  EXPECT_EQ(tiles.rows, 64);
  EXPECT_EQ(tiles.keys, 128);
  // An accumulator of unknown width must fit too.
  EXPECT_GT(tiles.columns, 0);
  EXPECT_LE(4 * tiles.rows * tiles.columns, 1 << 20);
}

TEST(CPUTileSizesTest, wideAccumulatorsAreCut) {
  CPULoopShape shape = makeShape(4096, 4096, 4096);
  shape.depth = 0;
  CPUTiles tiles = chooseCPUTiles(shape, getCore("avx512"));
  EXPECT_EQ(tiles.columns, 512);
  EXPECT_EQ(tiles.rows, 64);
  EXPECT_EQ(tiles.keys, 128);
  // One that fits is not.
  shape.columns = 512;
  EXPECT_EQ(chooseCPUTiles(shape, getCore("avx512")).columns, 0);
}

TEST(CPUTileSizesTest, emptyDimensionsHaveTiles) {
  CPUTileOptions options;
  options.split = 0;
  CPUTiles tiles =
      chooseCPUTiles(makeShape(0, 0, 0, 0), getCore("avx512"), options);
  EXPECT_GE(tiles.rows, 1);
  EXPECT_GE(tiles.keys, 1);
}

TEST(CPUTileSizesTest, givenSizesAreTaken) {
  CPUTileOptions options;
  options.rows = 24;
  options.keys = 40;
  options.split = 80;
  CPUTiles tiles =
      chooseCPUTiles(makeShape(1024, 1024, 256), getCore("generic"), options);
  EXPECT_EQ(tiles.rows, 24);
  EXPECT_EQ(tiles.keys, 40);
  EXPECT_EQ(tiles.split, 80);
}

TEST(CPUTileSizesTest, keysOfFewRowsAreSplit) {
  CPUTileOptions options;
  options.split = 0;
  // 128 pieces, or no less than 512 keys each.
  CPUTiles tiles =
      chooseCPUTiles(makeShape(4, 32768, 128), getCore("avx512"), options);
  EXPECT_EQ(tiles.split, 2048);
  tiles = chooseCPUTiles(makeShape(4, 2000, 128), getCore("avx512"), options);
  EXPECT_EQ(tiles.split, 512);
  EXPECT_LE(tiles.keys, tiles.split);
  // Enough batches, or enough rows, or too few keys.
  for (CPULoopShape shape :
       {makeShape(4, 32768, 128, 128), makeShape(512, 32768, 128),
        makeShape(4, 512, 128)})
    EXPECT_EQ(chooseCPUTiles(shape, getCore("avx512"), options).split, 0);
}

TEST(CPUTileSizesTest, nothingIsSplitUnlessAsked) {
  EXPECT_EQ(
      chooseCPUTiles(makeShape(1, 1 << 20, 128, 1), getCore("avx512")).split,
      0);
}

CPULoopShape makeRowShape(std::optional<int64_t> rows,
                          std::optional<int64_t> keys,
                          std::optional<int64_t> columns) {
  CPULoopShape shape = makeShape(rows, keys, /*depth=*/0);
  shape.columns = columns;
  return shape;
}

TEST(CPUTileSizesTest, normsStayInL2InFrontOfALargeMatrix) {
  for (llvm::StringRef name : {"avx512", "avx2", "generic"}) {
    CPUTarget core = getCore(name);
    CPURowTiles tiles = chooseCPURowTiles(makeRowShape(2048, 2048, 2048), core);
    EXPECT_TRUE(tiles.wholeRows);
    EXPECT_LE(4 * tiles.rows * 2048, core.l2Bytes) << name.str();
    EXPECT_LE(4 * tiles.keys * tiles.columns, core.l2Bytes / 4) << name.str();
  }
  CPURowTiles tiles =
      chooseCPURowTiles(makeRowShape(2048, 2048, 2048), getCore("avx512"));
  EXPECT_EQ(tiles.rows, 128);
  EXPECT_EQ(tiles.keys, 128);
  EXPECT_EQ(tiles.columns, 512);
}

TEST(CPUTileSizesTest, oneThreadHasLargeBlocksInFrontOfALargeMatrix) {
  CPUTileOptions alone;
  alone.shared = false;
  for (std::optional<int64_t> size :
       {std::optional<int64_t>(8192), std::optional<int64_t>(std::nullopt)}) {
    CPULoopShape shape = makeRowShape(std::nullopt, size, size);
    CPURowTiles shared = chooseCPURowTiles(shape, getCore("avx512"));
    CPURowTiles tiles = chooseCPURowTiles(shape, getCore("avx512"), alone);
    EXPECT_EQ(shared.rows, 32);
    EXPECT_EQ(tiles.rows, 256);
    EXPECT_EQ(tiles.keys, shared.keys);
    EXPECT_EQ(tiles.columns, shared.columns);
  }
  // Blocks of one size.
  EXPECT_EQ(
      chooseCPURowTiles(makeRowShape(300, 8192, 2048), getCore("avx512"), alone)
          .rows,
      150);
}

TEST(CPUTileSizesTest, aMatrixInL2IsNotCut) {
  CPURowTiles tiles =
      chooseCPURowTiles(makeRowShape(128, 512, 512), getCore("avx512"));
  EXPECT_TRUE(tiles.wholeRows);
  EXPECT_EQ(tiles.rows, 32);
  EXPECT_EQ(tiles.keys, 0);
  EXPECT_EQ(tiles.columns, 0);
}

TEST(CPUTileSizesTest, fewRowsStreamTheMatrix) {
  CPURowTiles tiles =
      chooseCPURowTiles(makeRowShape(4, 2048, 2048), getCore("avx512"));
  EXPECT_TRUE(tiles.wholeRows);
  EXPECT_EQ(tiles.rows, 4);
  EXPECT_EQ(tiles.keys, 0);
  EXPECT_EQ(tiles.columns, 0);
}

TEST(CPUTileSizesTest, noRowsAreATileOfOne) {
  for (int64_t keys : {0, 1, 100000})
    for (int64_t columns : {0, 1, 64})
      for (int64_t depth : {0, 5}) {
        CPULoopShape shape = makeRowShape(0, keys, columns);
        shape.depth = depth;
        EXPECT_EQ(chooseCPURowTiles(shape, getCore("generic")).rows, 1)
            << keys << " " << columns << " " << depth;
      }
}

TEST(CPUTileSizesTest, unknownMatricesAreCut) {
  CPURowTiles tiles =
      chooseCPURowTiles(makeRowShape(std::nullopt, std::nullopt, std::nullopt),
                        getCore("avx512"));
  EXPECT_TRUE(tiles.wholeRows);
  EXPECT_EQ(tiles.rows, 32);
  EXPECT_GT(tiles.columns, 0);
  EXPECT_GT(tiles.keys, 0);
}

TEST(CPUTileSizesTest, rowsAloneAreCutWhereNoneFits) {
  CPUTarget core = getCore("avx512");
  CPURowTiles tiles = chooseCPURowTiles(makeRowShape(2048, 32768, 1), core);
  EXPECT_TRUE(tiles.wholeRows);
  EXPECT_EQ(tiles.rows, 4);
  tiles = chooseCPURowTiles(makeRowShape(2048, 100000, 1), core);
  EXPECT_TRUE(tiles.wholeRows);
  EXPECT_EQ(tiles.rows, 1);
  tiles = chooseCPURowTiles(makeRowShape(2048, 1000000, 1), core);
  EXPECT_FALSE(tiles.wholeRows);
  EXPECT_LE(4 * tiles.rows * tiles.keys, core.l1Bytes);
}

TEST(CPUTileSizesTest, computedRowsAreWholeIfTheyAreFew) {
  CPULoopShape shape = makeRowShape(1024, 32768, 1);
  shape.depth = 512;
  EXPECT_FALSE(chooseCPURowTiles(shape, getCore("avx512")).wholeRows);
  shape.rows = 4;
  EXPECT_TRUE(chooseCPURowTiles(shape, getCore("avx512")).wholeRows);
  EXPECT_FALSE(chooseCPURowTiles(shape, getCore("generic")).wholeRows);
}

TEST(CPUTileSizesTest, productsAreCutForL2) {
  CPUTileOptions alone;
  alone.shared = false;
  for (llvm::StringRef name : {"avx512", "avx2", "generic"}) {
    CPUTarget core = getCore(name);
    for (int64_t depth : {256, 768, 2048, 3000, 11008}) {
      CPULoopShape shape = makeShape(1024, std::nullopt, depth);
      shape.columns = 4096;
      CPUTiles tiles = chooseCPUProductTiles(shape, core, alone);
      EXPECT_EQ(tiles.rows, 0);
      EXPECT_EQ(tiles.columns, core.vectorBits / 4);
      int64_t cut = tiles.keys == 0 ? depth : tiles.keys;
      EXPECT_LE(4 * tiles.columns * cut, core.l2Bytes / 4) << name.str();
      // Even parts: none is less than half as long as the others.
      if (tiles.keys != 0 && depth % tiles.keys != 0)
        EXPECT_GE(2 * (depth % tiles.keys), tiles.keys) << depth;
    }
  }
}

TEST(CPUTileSizesTest, columnsOfProductsAreEvenParts) {
  CPUTarget core = getCore("avx512");
  for (int64_t columns : {129, 150, 500, 530, 1000}) {
    CPULoopShape shape = makeShape(1024, std::nullopt, 4096);
    shape.columns = columns;
    CPUTiles tiles = chooseCPUProductTiles(shape, core);
    EXPECT_LE(tiles.columns, 128);
    EXPECT_EQ(tiles.columns % 32, 0) << "vectors of two strips";
    int64_t rest = columns % tiles.columns;
    if (rest != 0)
      EXPECT_GE(rest, tiles.columns / 8) << columns;
  }
}

TEST(CPUTileSizesTest, sumsOfProductsAreNotCutToNothing) {
  CPUTarget core = getCore("avx512");
  core.l2Bytes = 256;
  CPULoopShape shape = makeShape(1024, std::nullopt, 4096);
  shape.columns = 4096;
  EXPECT_GE(chooseCPUProductTiles(shape, core).keys, 32);
}

TEST(CPUTileSizesTest, threadsShareRowsOfProducts) {
  CPULoopShape shape = makeShape(1024, std::nullopt, 512);
  shape.columns = 640;
  EXPECT_EQ(chooseCPUProductTiles(shape, getCore("avx512")).rows, 256);
  shape.rows = 100;
  EXPECT_EQ(chooseCPUProductTiles(shape, getCore("avx512")).rows, 0);
  shape.rows = std::nullopt;
  EXPECT_EQ(chooseCPUProductTiles(shape, getCore("avx512")).rows, 256);
}

TEST(CPUTileSizesTest, smallProductsAreOneTile) {
  CPULoopShape shape = makeShape(64, std::nullopt, 64);
  shape.columns = 300;
  CPUTiles tiles = chooseCPUProductTiles(shape, getCore("avx512"));
  EXPECT_EQ(tiles.rows, 0);
  EXPECT_EQ(tiles.columns, 0);
  EXPECT_EQ(tiles.keys, 0);
  CPUTarget core = getCore("avx512");
  core.l2Bytes = 64 << 10;
  EXPECT_NE(chooseCPUProductTiles(shape, core).columns, 0);
}

TEST(CPUTileSizesTest, fewRowsStreamTheMatrixOfAProduct) {
  CPULoopShape shape = makeShape(8, std::nullopt, 4096);
  shape.columns = 4096;
  CPUTileOptions alone;
  alone.shared = false;
  CPUTiles tiles = chooseCPUProductTiles(shape, getCore("avx2"), alone);
  EXPECT_EQ(tiles.columns, 0);
  EXPECT_EQ(tiles.keys, 0);
  tiles = chooseCPUProductTiles(shape, getCore("avx2"));
  EXPECT_EQ(tiles.columns, 256);
  EXPECT_EQ(tiles.keys, 0);
}

TEST(CPUTileSizesTest, fewRowsStayInTheFirstCache) {
  CPUTarget core = getCore("avx512");
  for (int64_t rows = 1; rows < 12; ++rows) {
    CPULoopShape shape = makeShape(rows, std::nullopt, 4096);
    int64_t sums = chooseSumsOfFewRows(shape, core);
    if (rows < 5 || rows > 8) {
      EXPECT_EQ(sums, 0) << rows;
      continue;
    }
    EXPECT_LE(4 * rows * sums, core.l1Bytes) << rows;
    EXPECT_GT(8 * rows * sums, core.l1Bytes) << rows;
    // All sums of the rows are in the cache.
    shape.depth = sums;
    EXPECT_EQ(chooseSumsOfFewRows(shape, core), 0) << rows;
  }
  EXPECT_EQ(chooseSumsOfFewRows(makeShape(std::nullopt, 1, 4096), core), 0);
  EXPECT_EQ(chooseSumsOfFewRows(makeShape(8, 1, std::nullopt), core), 0);
}

} // namespace
