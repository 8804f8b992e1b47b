//===- KeyChunksTest.cpp - Chunks of keys for workgroups ------------------===//

#include "mlir-ext/Selection/KeyChunks.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir::linalg_ext;

static int64_t choose(int64_t keys, int64_t tiles, int64_t unit,
                      const GPUTarget &target = {}) {
  KnownNumbers numbers;
  return chooseKeyChunk(numbers, keys, tiles, unit, target);
}

// The fastest of what was measured with 8 heads and 132 processors
// (docs/Decisions/0055).
TEST(KeyChunksTest, Measured) {
  EXPECT_EQ(choose(8192, 8, 64), 512);
  EXPECT_EQ(choose(8192, 32, 64), 1024);
  EXPECT_EQ(choose(8192, 128, 64), 4096);
  EXPECT_EQ(choose(8192, 512, 64), 1024);
  EXPECT_EQ(choose(2048, 8, 64), 256);
  EXPECT_EQ(choose(2048, 128, 64), 1024);
  EXPECT_EQ(choose(32768, 32, 64), 4096);
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
    int64_t chunk = choose(keys, tiles, unit, target);
    SCOPED_TRACE(testing::Message() << keys << " keys, " << tiles << " tiles");
    EXPECT_EQ(chunk % unit, 0);
    EXPECT_GE(chunk, kLeastChunk);
    int64_t chunks = (keys + chunk - 1) / chunk;
    if (tiles <= target.processors)
      EXPECT_LE(tiles * chunks, target.keyWorkgroups);
    else
      EXPECT_LE(chunk, std::max(kUsualChunk, unit));
  }
}
