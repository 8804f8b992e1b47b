//===- KeyChunksTest.cpp - Chunks of keys for workgroups ------------------===//

#include "mlir-ext/Selection/KeyChunks.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace mlir::linalg_ext;

static int64_t choose(int64_t keys, int64_t tiles, int64_t unit,
                      KeyReads reads = KeyReads::Tiles,
                      const GPUTarget &target = {}) {
  KnownNumbers numbers;
  return chooseKeyChunk(numbers, keys, tiles, unit, reads, target);
}

// The fastest of what was measured with 8 heads and 132 processors
// (docs/Decisions/0055).
TEST(KeyChunksTest, Measured) {
  EXPECT_EQ(choose(8192, 8, 64), 512);
  EXPECT_EQ(choose(8192, 32, 64), 1024);
  EXPECT_EQ(choose(8192, 128, 64), 4096);
  EXPECT_EQ(choose(8192, 512, 64), 1024);
  EXPECT_EQ(choose(2048, 128, 64), 1024);
  EXPECT_EQ(choose(32768, 32, 64), 4096);
}

// Few keys (docs/Decisions/0188).
TEST(KeyChunksTest, MeasuredFewKeys) {
  for (KeyReads reads : {KeyReads::Tiles, KeyReads::EvenTiles}) {
    for (int64_t keys : {300, 512, 1024, 2048})
      EXPECT_EQ(choose(keys, 8, 64, reads), 128);
    for (int64_t tiles : {8, 16})
      EXPECT_EQ(choose(4096, tiles, 64, reads), 256);
    for (int64_t tiles : {24, 32})
      EXPECT_EQ(choose(2048, tiles, 64, reads), 256);
    for (int64_t tiles : {48, 64})
      EXPECT_EQ(choose(1024, tiles, 64, reads), 256);
    EXPECT_EQ(choose(4096, 32, 64, reads), 512);
  }
  for (int64_t unit : {128, 256}) {
    EXPECT_EQ(choose(1024, 8, unit, KeyReads::Bytes), unit);
    EXPECT_EQ(choose(512, 32, unit, KeyReads::Bytes), unit);
    EXPECT_EQ(choose(2048, 32, unit, KeyReads::Bytes), 256);
  }
}

// Rows with equally many keys (docs/Decisions/0138).
TEST(KeyChunksTest, MeasuredEvenTiles) {
  KeyReads reads = KeyReads::EvenTiles;
  EXPECT_EQ(choose(8192, 8, 64, reads), 512);
  EXPECT_EQ(choose(8192, 128, 64, reads), 4096);
  EXPECT_EQ(choose(8192, 160, 64, reads), 4096);
  EXPECT_EQ(choose(8192, 192, 64, reads), 4096);
  for (int64_t tiles : {224, 256, 320, 384})
    EXPECT_EQ(choose(8192, tiles, 64, reads), 8192);
  EXPECT_EQ(choose(8192, 448, 64, reads), 2048);
  EXPECT_EQ(choose(8192, 512, 64, reads), 2752);
  EXPECT_EQ(choose(8192, 768, 64, reads), 4096);
  EXPECT_EQ(choose(2048, 256, 64, reads), 2048);
  EXPECT_EQ(choose(2048, 512, 64, reads), 1024);
  EXPECT_EQ(choose(32768, 256, 64, reads), 32768);
}

// Caches of 8 and 4 bits (docs/Decisions/0105, 0122, 0159,
// 0166). An iteration has twice as
// many keys of 4 bits.
TEST(KeyChunksTest, MeasuredBytes) {
  for (int64_t unit : {128, 256}) {
    KeyReads reads = KeyReads::Bytes;
    EXPECT_EQ(choose(8192, 8, unit, reads), 512);
    EXPECT_EQ(choose(8192, 32, unit, reads), 1024);
    EXPECT_EQ(choose(8192, 64, unit, reads), unit == 128 ? 1408 : 1536);
    EXPECT_EQ(choose(8192, 128, unit, reads), 2816);
    for (int64_t tiles : {192, 256})
      EXPECT_EQ(choose(8192, tiles, unit, reads), tiles == 192 ? 2048 : 2816);
    EXPECT_EQ(choose(8192, 512, unit, reads), 2816);
    EXPECT_EQ(choose(2048, 128, unit, reads), 1024);
    EXPECT_EQ(choose(2048, 512, unit, reads), 1024);
    EXPECT_EQ(choose(32768, 32, unit, reads), 2816);
  }
}

// A chunk has whole iterations and not too few keys, and chunks of few tiles
// are workgroups that run at the same time.
TEST(KeyChunksTest, Bounds) {
  std::mt19937 random(7);
  auto draw = [&](int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  };
  for (int i = 0; i < 20000; ++i) {
    GPUTarget target;
    target.processors = draw(1, 400);
    target.keyWorkgroups = target.processors * draw(1, 8);
    int64_t unit = int64_t(16) << draw(0, 4);
    int64_t keys = draw(0, 1 << draw(1, 20)), tiles = draw(0, 1 << draw(1, 12));
    KeyReads reads =
        std::array{KeyReads::Tiles, KeyReads::EvenTiles,
                   KeyReads::Bytes}[draw(0, 2)];
    int64_t chunk = choose(keys, tiles, unit, reads, target);
    SCOPED_TRACE(testing::Message() << keys << " keys, " << tiles << " tiles");
    EXPECT_EQ(chunk % unit, 0);
    EXPECT_GE(chunk, kLeastChunk);
    int64_t chunks = (keys + chunk - 1) / chunk;
    if (tiles <= target.processors)
      EXPECT_LE(tiles * chunks, reads == KeyReads::Bytes
                                    ? target.keyWorkgroups / 2 * 3 + 1
                                    : target.keyWorkgroups);
    else if (reads == KeyReads::EvenTiles)
      EXPECT_LE(tiles * chunks, target.keyWorkgroups / 2 * 3 / 2 * 7 + tiles);
    else
      EXPECT_LE(chunk,
                std::max(reads == KeyReads::Tiles ? kUsualChunk : kMostOfBytes,
                         unit));
  }
}
