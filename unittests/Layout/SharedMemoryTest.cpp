//===- SharedMemoryTest.cpp - Bytes of tiles in shared memory -------------===//
//
// Every element's byte against one that is found by counting.
//
//===----------------------------------------------------------------------===//

#include "SharedOracle.h"

#include <set>

using namespace mlir::layout;
using namespace mlir::layout::test;

/// The error of making a layout, or "" if there is none.
static std::string getError(llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<unsigned> order, int64_t bitWidth,
                            int64_t panelColumns = 0, int64_t padding = 0,
                            Swizzle swizzle = {}) {
  std::string error;
  auto shared = SharedLayout::get(shape, order, bitWidth, panelColumns, padding,
                                  swizzle, &error);
  EXPECT_EQ(shared.has_value(), error.empty());
  return error;
}

TEST(SharedMemoryTest, S1ShapeAndOrder) {
  EXPECT_EQ(getError({8, 0}, {0, 1}, 16), "expected positive sizes, got 0");
  for (const std::vector<unsigned> &order :
       {std::vector<unsigned>{0, 0}, {0, 2}, {0}})
    EXPECT_EQ(getError({8, 8}, order, 16),
              "expected the order to be a permutation of 2 dimensions");
}

TEST(SharedMemoryTest, S2Widths) {
  for (int64_t bits : {8, 16, 32, 64, 128})
    EXPECT_EQ(getError({8, 8}, {0, 1}, bits), "");
  for (int64_t bits : {-16, 0, 4, 24, 256})
    EXPECT_EQ(getError({8, 8}, {0, 1}, bits),
              "expected elements of 8, 16, 32, 64 or 128 bits, got " +
                  std::to_string(bits));
}

TEST(SharedMemoryTest, S3PanelsAndPadding) {
  EXPECT_EQ(getError({8, 8}, {0, 1}, 16, -1),
            "expected panels of a positive number of columns, got -1");
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, 6),
            "expected a padding of a multiple of 4 bytes, got 6");
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, -4),
            "expected a padding of a multiple of 4 bytes, got -4");
}

TEST(SharedMemoryTest, S4Swizzles) {
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, 0, {1, 1, 3}),
            "swizzle 1:1:3 splits elements of 4 bytes");
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, 0, {3, 4, 2}),
            "expected a swizzle that shifts by at least its 3 bits, got 3:4:2");
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, 0, {3, 4, 40}),
            "expected a swizzle within 32 bits, got 3:4:40");
  EXPECT_EQ(getError({8, 8}, {0, 1}, 32, 0, 0, {-1, 4, 4}),
            "expected a swizzle within 32 bits, got -1:4:4");
  std::string error;
  EXPECT_FALSE(SharedLayout::getSwizzledPanels({8, 8}, {0, 1}, 16, 48, &error));
  EXPECT_EQ(error, "expected panels of 32, 64 or 128 bytes, got 48");
  EXPECT_FALSE(SharedLayout::getSwizzledPanels({8, 8}, {0, 1}, 4, 64, &error));
  EXPECT_EQ(error, "expected elements of 8, 16, 32, 64 or 128 bits, got 4");
}

// The example at the head of SharedMemory.h.
TEST(SharedMemoryTest, WorkedExample) {
  SharedLayout shared =
      *SharedLayout::getSwizzledPanels({64, 128}, {0, 1}, 16, 128);
  EXPECT_EQ(shared.str(), "64x128 of 16 bits, order 0 1, panels of 64 columns, "
                          "swizzle 3:4:3");
  EXPECT_EQ(shared.getSizeInBytes(), 64 * 128 * 2);
  EXPECT_EQ(shared.getAlignment(), 1024);
  int64_t picture[3][8] = {{0, 8, 16, 24, 32, 40, 48, 56},
                           {8, 0, 24, 16, 40, 32, 56, 48},
                           {16, 24, 0, 8, 48, 56, 32, 40}};
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t unit = 0; unit < 8; ++unit)
      EXPECT_EQ(*shared.getCoordinate(row * 128 + unit * 16),
                (llvm::SmallVector<int64_t>{row, picture[row][unit]}));
  EXPECT_EQ(shared.getByteOffset({0, 64}), 8192);
}

// The last row is moved beyond the end of what is written in order.
TEST(SharedMemoryTest, SizesCountWhatASwizzleMoves) {
  SharedLayout shared = *SharedLayout::get({9, 8}, {0, 1}, 16, 0, 0, {3, 4, 3});
  EXPECT_EQ(shared.getByteOffset({8, 0}), 144);
  EXPECT_EQ(shared.getSizeInBytes(), 256);
}

TEST(SharedMemoryTest, Scalars) {
  SharedLayout shared = *SharedLayout::get({}, {}, 32);
  EXPECT_EQ(shared.getByteOffset({}), 0);
  EXPECT_EQ(shared.getSizeInBytes(), 4);
  EXPECT_TRUE(shared.getCoordinate(0));
  EXPECT_FALSE(shared.getCoordinate(1));
  EXPECT_FALSE(shared.getCoordinate(4));
  EXPECT_FALSE(shared.getCoordinate(-4));
}

TEST(SharedMemoryTest, EveryByte) {
  Random random(31);
  for (int i = 0; i < 300; ++i) {
    Coordinate shape;
    for (int64_t rank = random() % 4; rank > 0; --rank)
      shape.push_back(pick(random, {1, 2, 3, 5, 8, 16, 20}));
    int64_t bitWidth = pick(random, {8, 16, 32, 64, 128});
    SharedSpelling spelling = getRandomShared(random, shape, bitWidth);
    SharedLayout shared = makeShared(spelling);
    Memory memory = getMemory(spelling);
    std::map<int64_t, Coordinate> atByte;
    for (const auto &[at, byte] : memory) {
      ASSERT_EQ(shared.getByteOffset(at), byte) << shared;
      // In the tile, aligned, and nobody else's.
      ASSERT_LE(byte + bitWidth / 8, shared.getSizeInBytes()) << shared;
      ASSERT_EQ(byte % (bitWidth / 8), 0);
      for (int64_t b = byte; b < byte + bitWidth / 8; ++b)
        ASSERT_TRUE(atByte.emplace(b, at).second) << shared;
    }
    for (int64_t byte = 0; byte < shared.getSizeInBytes(); ++byte) {
      auto at = shared.getCoordinate(byte);
      auto it = atByte.find(byte);
      bool starts = it != atByte.end() && memory.at(it->second) == byte;
      ASSERT_EQ(at.has_value(), starts) << shared << " byte " << byte;
      if (at)
        ASSERT_EQ(toVector(*at), it->second) << shared;
    }
    // The pattern is the same from every multiple of the alignment.
    int64_t base = shared.getAlignment() * (1 + random() % 3);
    const Swizzle &s = shared.getSwizzle();
    for (const auto &[at, byte] : memory)
      ASSERT_EQ(swizzleBitByBit(base + shared.getLinearByteOffset(at), s.bits,
                                s.base, s.shift),
                base + byte);
  }
}
