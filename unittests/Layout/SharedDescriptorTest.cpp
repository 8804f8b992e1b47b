//===- SharedDescriptorTest.cpp - TMA and wgmma, simulated ----------------===//
//
// TMA as the CUDA programming guide describes its swizzles; wgmma by the
// canonical layouts of CuTe (mma_sm90_desc.hpp), written down as shapes and
// strides. (Descriptors of all modes and both majornesses, for f16 and n = 64,
// 80 and 192, were also tried on an H200 when this was written: 384 products of
// matrices, all right.)
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/SharedDescriptor.h"
#include "SharedOracle.h"

#include <set>

using namespace mlir::layout;
using namespace mlir::layout::test;

/// The address at which the hardware puts, or looks for, byte `address`: the
/// 16-byte units of a row of the swizzle are permuted by the number of the
/// 128-byte line. The tile starts at a multiple of 1024.
static int64_t swizzleUnits(int64_t address, SwizzleMode mode) {
  int64_t units = mode == SwizzleMode::B128  ? 8
                  : mode == SwizzleMode::B64 ? 4
                  : mode == SwizzleMode::B32 ? 2
                                             : 1;
  int64_t line = address / 128;
  int64_t unit = address / 16 % units;
  int64_t rest = address / 16 / units;
  return (rest * units + (unit ^ line % units)) * 16 + address % 16;
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// Copies every box densely into memory, swizzled, and expects each element of
/// the tile at its place, once.
static void simulate(const TmaCopy &copy, const SharedLayout &shared) {
  Memory memory = getMemory(getSpelling(shared));
  int64_t bytes = shared.getBitWidth() / 8, total = 0;
  Coordinate boxShape;
  for (unsigned dim : shared.getOrder()) {
    ASSERT_LE(copy.boxShape[dim], 256);
    boxShape.push_back(copy.boxShape[dim]);
  }
  ASSERT_EQ(boxShape.back() * bytes % 16, 0);
  std::set<Coordinate> covered;
  for (const TmaBox &box : copy.boxes) {
    ASSERT_EQ(box.byteOffset % 128, 0);
    int64_t address = box.byteOffset;
    for (const Coordinate &inBox : getAllCoordinates(boxShape)) {
      Coordinate at = toVector(box.coordinate);
      for (size_t i = 0; i < inBox.size(); ++i)
        at[shared.getOrder()[i]] += inBox[i];
      auto it = memory.find(at);
      if (it != memory.end()) {
        ASSERT_TRUE(covered.insert(at).second);
        ASSERT_EQ(it->second, swizzleUnits(address, copy.mode)) << shared;
      }
      address += bytes;
      total += bytes;
      ASSERT_LE(address, shared.getSizeInBytes());
    }
  }
  EXPECT_EQ(covered.size(), memory.size());
  EXPECT_EQ(total, copy.numBytes);
}

TEST(SharedDescriptorTest, BoxesOfTiles) {
  // 128 keys of 128 f16: two panels, a box each.
  SharedLayout shared =
      *SharedLayout::getSwizzledPanels({128, 128}, {0, 1}, 16, 128);
  TmaCopy copy = *getTmaCopy(shared);
  EXPECT_EQ(copy.mode, SwizzleMode::B128);
  EXPECT_EQ(copy.boxShape, (llvm::SmallVector<int64_t>{128, 64}));
  ASSERT_EQ(copy.boxes.size(), 2u);
  EXPECT_EQ(copy.boxes[1].byteOffset, 128 * 128);
  EXPECT_EQ(copy.boxes[1].coordinate, (llvm::SmallVector<int64_t>{0, 64}));
  EXPECT_EQ(copy.numBytes, 128 * 128 * 2);
  // More than 256 rows are cut, and so are two stages of them.
  copy = *getTmaCopy(
      *SharedLayout::getSwizzledPanels({2, 384, 64}, {0, 1, 2}, 16, 128));
  EXPECT_EQ(copy.boxShape, (llvm::SmallVector<int64_t>{1, 192, 64}));
  EXPECT_EQ(copy.boxes.size(), 4u);
  // Boxes of 150 rows of 32 bytes would start at odd places, those of 100 not.
  copy =
      *getTmaCopy(*SharedLayout::getSwizzledPanels({300, 16}, {0, 1}, 16, 32));
  EXPECT_EQ(copy.boxShape, (llvm::SmallVector<int64_t>{100, 16}));
}

TEST(SharedDescriptorTest, BoxesOfRandomTiles) {
  Random random(51);
  int successes = 0, failures = 0;
  for (int i = 0; i < 250; ++i) {
    Coordinate shape{pick(random, {1, 2}), pick(random, {8, 24, 64, 72, 264}),
                     pick(random, {16, 40, 64, 80})};
    int64_t bitWidth = pick(random, {8, 16, 32, 64, 128});
    std::vector<unsigned> order{0, 1, 2};
    if (random() % 3 == 0)
      std::shuffle(order.begin(), order.end(), random);
    SharedSpelling spelling{shape, order, bitWidth};
    if (random() % 4)
      if (auto panels = SharedLayout::getSwizzledPanels(
              shape, order, bitWidth, pick(random, {32, 64, 128})))
        spelling = getSpelling(*panels);
    if (random() % 8 == 0)
      spelling.padding = 16;
    SharedLayout shared = makeShared(spelling);
    std::string reason;
    std::optional<TmaCopy> copy = getTmaCopy(shared, &reason);
    ASSERT_EQ(copy.has_value(), reason.empty());
    (copy ? successes : failures) += 1;
    if (copy)
      simulate(*copy, shared);
    if (HasFailure())
      return;
  }
  EXPECT_GT(successes, 100);
  EXPECT_GT(failures, 50);
}

// Rows of several places: each part has boxes of its own, which cover the tile
// together as the boxes of one copy do.
TEST(SharedDescriptorTest, BoxesOfParts) {
  for (int64_t bytes : {32, 64, 128})
    for (int64_t columns : {64, 128})
      for (int64_t parts : {1, 2, 4, 8, 16, 32, 64, 128}) {
        if (128 / parts * bytes < 128)
          continue;
        SharedLayout shared =
            *SharedLayout::getSwizzledPanels({128, columns}, {0, 1}, 16, bytes);
        TmaCopy copy = *getTmaCopyOfParts(shared, parts);
        simulate(copy, shared);
        EXPECT_EQ(copy.boxShape.front(), 128 / parts);
        for (const TmaBox &box : copy.boxes)
          EXPECT_EQ(box.coordinate.front() % (128 / parts), 0);
      }
  // More rows than a box has.
  SharedLayout tall =
      *SharedLayout::getSwizzledPanels({384, 64}, {0, 1}, 16, 128);
  TmaCopy copy = *getTmaCopyOfParts(tall, 3);
  simulate(copy, tall);
  EXPECT_EQ(copy.boxShape.front(), 64);
  auto reason = [](const SharedLayout &shared, int64_t parts) {
    std::string reason;
    EXPECT_FALSE(getTmaCopyOfParts(shared, parts, &reason));
    return reason;
  };
  EXPECT_EQ(reason(tall, 5),
            "expected a number of parts that divides 384, got 5");
  EXPECT_EQ(reason(*SharedLayout::getSwizzledPanels({64, 32}, {0, 1}, 16, 64), 64),
            "expected parts of a multiple of 128 bytes, got 64");
  EXPECT_EQ(reason(*SharedLayout::getSwizzledPanels({64, 128}, {1, 0}, 16, 128),
                   2),
            "expected parts along the slowest dimension");
}

TEST(SharedDescriptorTest, TilesWithoutBoxes) {
  auto reason = [](std::optional<SharedLayout> shared) {
    std::string reason;
    EXPECT_FALSE(getTmaCopy(*shared, &reason));
    return reason;
  };
  EXPECT_EQ(reason(SharedLayout::get({}, {}, 16)),
            "expected 1 to 5 dimensions, got 0");
  EXPECT_EQ(
      reason(SharedLayout::get({1, 1, 1, 1, 1, 8}, {0, 1, 2, 3, 4, 5}, 16)),
      "expected 1 to 5 dimensions, got 6");
  EXPECT_EQ(reason(SharedLayout::get({8, 8}, {0, 1}, 128)),
            "expected elements of at most 64 bits, got 128");
  EXPECT_EQ(reason(SharedLayout::get({8, 128}, {0, 1}, 16, 0, 0, {3, 4, 4})),
            "the swizzle is none of 128, 64 and 32 bytes");
  EXPECT_EQ(reason(SharedLayout::get({8, 128}, {0, 1}, 16, 0, 0, {3, 4, 3})),
            "a swizzle of 128 bytes expects panels of as many, got 256");
  EXPECT_EQ(reason(SharedLayout::get({8, 64}, {0, 1}, 16, 0, 16)),
            "rows are padded by 16 bytes, and a box is dense");
  EXPECT_EQ(reason(SharedLayout::get({8, 12}, {0, 1}, 16)),
            "expected rows of a multiple of 16 bytes, got 24");
  EXPECT_EQ(reason(SharedLayout::get({8, 512}, {0, 1}, 16)),
            "expected rows of at most 256 elements, got 512");
  EXPECT_EQ(reason(SharedLayout::get({3, 16}, {0, 1}, 16, 8)),
            "expected boxes at multiples of 128 bytes, got one at 48");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

namespace {
/// Sizes and strides of one mode of a CuTe layout, fastest first.
using Mode = std::vector<std::pair<int64_t, int64_t>>;
} // namespace

static int64_t evaluate(const Mode &mode, int64_t index) {
  int64_t result = 0;
  for (size_t i = 0; i < mode.size(); ++i) {
    bool isLast = i + 1 == mode.size();
    result += (isLast ? index : index % mode[i].first) * mode[i].second;
    index /= mode[i].first;
  }
  return result;
}

/// CuTe's canonical layouts: the modes of (mn, k) in elements, where T elements
/// have 16 bytes.
static std::pair<Mode, Mode> getCanonical(SwizzleMode mode, bool isKMajor,
                                          int64_t t, int64_t lbo, int64_t sbo) {
  int64_t m = 32; // Any number of repetitions.
  if (isKMajor)
    switch (mode) {
    case SwizzleMode::None: // ((8,m),(T,2)):((1T,SBO),(1,LBO))
      return {{{8, t}, {m, sbo}}, {{t, 1}, {2, lbo}}};
    case SwizzleMode::B32: // ((8,m),(T,2)):((2T,SBO),(1,T))
      return {{{8, 2 * t}, {m, sbo}}, {{t, 1}, {2, t}}};
    case SwizzleMode::B64: // ((8,m),(T,2)):((4T,SBO),(1,T))
      return {{{8, 4 * t}, {m, sbo}}, {{t, 1}, {2, t}}};
    case SwizzleMode::B128: // ((8,m),(T,2)):((8T,SBO),(1,T))
      return {{{8, 8 * t}, {m, sbo}}, {{t, 1}, {2, t}}};
    }
  switch (mode) {
  case SwizzleMode::None: // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
    return {{{t, 1}, {1, t}, {m, sbo}}, {{8, t}, {2, lbo}}};
  case SwizzleMode::B32: // ((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))
    return {{{t, 1}, {2, t}, {m, lbo}}, {{8, 2 * t}, {2, sbo}}};
  case SwizzleMode::B64: // ((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))
    return {{{t, 1}, {4, t}, {m, lbo}}, {{8, 4 * t}, {2, sbo}}};
  case SwizzleMode::B128: // ((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))
    return {{{t, 1}, {8, t}, {m, lbo}}, {{8, 8 * t}, {2, sbo}}};
  }
  return {};
}

/// Expects every element of every instruction where the descriptor says.
static void simulate(const WgmmaOperand &operand, const SharedLayout &shared,
                     unsigned mnDim, unsigned kDim, int64_t mnSize) {
  Memory memory = getMemory(getSpelling(shared));
  int64_t bytes = shared.getBitWidth() / 8;
  ASSERT_EQ(operand.kSize * bytes, 32);
  const int64_t base = 3 * 1024; // Where the tile is.
  for (const auto &[at, byte] : memory) {
    Coordinate first = at;
    first[mnDim] = at[mnDim] / mnSize * mnSize;
    first[kDim] = at[kDim] / operand.kSize * operand.kSize;
    uint64_t descriptor =
        operand.getDescriptor(base + shared.getLinearByteOffset(first));
    // The fields of the descriptor, PTX ISA "Matrix Descriptor Format".
    int64_t start = (descriptor & 0x3FFF) << 4;
    int64_t lbo = (descriptor >> 16 & 0x3FFF) << 4;
    int64_t sbo = (descriptor >> 32 & 0x3FFF) << 4;
    ASSERT_EQ(descriptor >> 49 & 7, 0u); // Base offset.
    auto mode = static_cast<SwizzleMode>(descriptor >> 62);
    ASSERT_EQ(mode, operand.mode);
    auto [mnMode, kMode] = getCanonical(mode, operand.isKMajor, 16 / bytes,
                                        lbo / bytes, sbo / bytes);
    int64_t address =
        start + bytes * (evaluate(mnMode, at[mnDim] - first[mnDim]) +
                         evaluate(kMode, at[kDim] - first[kDim]));
    ASSERT_EQ(swizzleUnits(address, mode), base + byte) << shared;
  }
}

// K and V of the attention kernels: 128 keys of 128 f16.
TEST(SharedDescriptorTest, OperandsOfTwoPanels) {
  SharedLayout shared =
      *SharedLayout::getSwizzledPanels({128, 128}, {0, 1}, 16, 128);
  // K: n is the key, k the head dimension.
  WgmmaOperand keys = *getWgmmaOperand(shared, 0, 1, 128);
  EXPECT_TRUE(keys.isKMajor);
  EXPECT_EQ(keys.strideByteOffset, 1024);
  EXPECT_EQ(keys.getDescriptor(0),
            uint64_t(1) << 62 | uint64_t(64) << 32 | uint64_t(1) << 16);
  simulate(keys, shared, 0, 1, 128);
  // V: k is the key, n the head dimension.
  WgmmaOperand values = *getWgmmaOperand(shared, 1, 0, 128);
  EXPECT_FALSE(values.isKMajor);
  EXPECT_EQ(values.leadingByteOffset, 128 * 128);
  EXPECT_EQ(values.strideByteOffset, 1024);
  simulate(values, shared, 1, 0, 128);
  // Steps along k: 32 bytes in a panel, then the next panel; 16 rows.
  EXPECT_EQ(shared.getLinearByteOffset({0, 16}), 32);
  EXPECT_EQ(shared.getLinearByteOffset({0, 64}), 128 * 128);
  EXPECT_EQ(shared.getLinearByteOffset({16, 0}), 2048);
}

TEST(SharedDescriptorTest, EveryModeAndMajorness) {
  int successes = 0;
  for (int64_t bitWidth : {8, 16, 32})
    for (int64_t panelBytes : {16, 32, 64, 128})
      for (int64_t rows : {64, 80, 176})
        for (int64_t columns : {64, 80, 128})
          for (int64_t stages : {1, 2})
            for (bool isKMajor : {true, false}) {
              std::vector<unsigned> order{0, 1, 2};
              auto shared =
                  panelBytes == 16
                      ? SharedLayout::get({stages, rows, columns}, order,
                                          bitWidth, 128 / bitWidth)
                      : SharedLayout::getSwizzledPanels({stages, rows, columns},
                                                        order, bitWidth,
                                                        panelBytes);
              unsigned mnDim = isKMajor ? 1 : 2, kDim = isKMajor ? 2 : 1;
              int64_t mn = isKMajor ? rows : columns;
              std::string reason;
              auto operand = getWgmmaOperand(*shared, mnDim, kDim, mn, &reason);
              // k in steps of 32 bytes, and MN-major for 16 bits only.
              int64_t k = isKMajor ? columns : rows;
              bool fits =
                  k % (256 / bitWidth) == 0 && (isKMajor || bitWidth == 16);
              ASSERT_EQ(operand.has_value(), fits) << *shared << reason;
              if (!operand)
                continue;
              ++successes;
              simulate(*operand, *shared, mnDim, kDim, mn);
              // Smaller instructions too, where they divide.
              if (mn % 64 == 0)
                if (auto part = getWgmmaOperand(*shared, mnDim, kDim, 64))
                  simulate(*part, *shared, mnDim, kDim, 64);
              if (HasFailure())
                return;
            }
  EXPECT_GT(successes, 100);
}

TEST(SharedDescriptorTest, SmallInstructionsInAPanel) {
  // n = 16 of a panel of 64 columns: instructions start inside of it.
  SharedLayout shared =
      *SharedLayout::getSwizzledPanels({64, 128}, {0, 1}, 16, 128);
  auto operand = getWgmmaOperand(shared, 1, 0, 16);
  ASSERT_TRUE(operand);
  simulate(*operand, shared, 1, 0, 16);
}

TEST(SharedDescriptorTest, TilesWithoutDescriptors) {
  auto reason = [](std::optional<SharedLayout> shared, unsigned mnDim,
                   unsigned kDim, int64_t mnSize) {
    std::string reason;
    EXPECT_FALSE(getWgmmaOperand(*shared, mnDim, kDim, mnSize, &reason));
    return reason;
  };
  auto panels = SharedLayout::getSwizzledPanels({64, 64}, {0, 1}, 16, 128);
  EXPECT_EQ(reason(panels, 0, 0, 64),
            "expected two different dimensions of 2, got 0 and 0");
  EXPECT_EQ(reason(panels, 0, 2, 64),
            "expected two different dimensions of 2, got 0 and 2");
  EXPECT_EQ(reason(panels, 0, 1, 12),
            "expected an instruction of a multiple of 8, got 12");
  EXPECT_EQ(reason(panels, 0, 1, 48),
            "instructions of 48x16 do not divide 64x64");
  EXPECT_EQ(reason(SharedLayout::get({64, 24}, {0, 1}, 16), 0, 1, 64),
            "instructions of 64x16 do not divide 64x24");
  EXPECT_EQ(reason(SharedLayout::get({64, 64}, {0, 1}, 64), 0, 1, 64),
            "expected elements of 8, 16 or 32 bits, got 64");
  EXPECT_EQ(reason(SharedLayout::getSwizzledPanels({64, 64}, {0, 1}, 8, 64), 1,
                   0, 64),
            "expected k to be contiguous for elements of 8 bits");
  EXPECT_EQ(reason(SharedLayout::get({64, 64, 8}, {0, 1, 2}, 16), 0, 1, 64),
            "dimension 2 is contiguous, expected 0 or 1");
  EXPECT_EQ(reason(SharedLayout::get({64, 64}, {0, 1}, 16), 0, 1, 64),
            "no swizzle expects panels of 16 bytes, got 128");
  EXPECT_EQ(reason(SharedLayout::get({64, 64}, {0, 1}, 16, 0, 0, {2, 4, 4}), 0,
                   1, 64),
            "the swizzle is none of 128, 64 and 32 bytes");
  EXPECT_EQ(reason(SharedLayout::get({64, 128}, {0, 1}, 16, 0, 0, {3, 4, 3}), 0,
                   1, 64),
            "a swizzle of 128 bytes expects panels of as many, got 256");
  EXPECT_EQ(reason(SharedLayout::get({64, 64}, {0, 1}, 16, 64, 16, {3, 4, 3}),
                   0, 1, 64),
            "rows are padded by 16 bytes");
  // Panels of 2064 rows of 128 bytes are too far apart.
  EXPECT_EQ(
      reason(SharedLayout::getSwizzledPanels({2064, 128}, {0, 1}, 16, 128), 1,
             0, 128),
      "expected offsets of less than 262144 bytes, got 264192");
  // n = 48 starts the second instruction before the end of a panel, and goes
  // beyond it.
  EXPECT_EQ(reason(SharedLayout::getSwizzledPanels({64, 96}, {0, 1}, 16, 128),
                   1, 0, 48),
            "element (64, 0) is not at byte 128, where a descriptor has it");
  // Stages between the rows: eight rows of a pattern are not together.
  EXPECT_EQ(
      reason(SharedLayout::getSwizzledPanels({2, 64, 64}, {1, 0, 2}, 16, 128),
             1, 2, 64),
      "element (1, 0) is not at byte 128, where a descriptor has it");
}
