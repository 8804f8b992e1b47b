//===- NumericsTest.cpp - Number formats of the interpreter ---------------===//
//
// Conversions against the oracle's, for every number of the 16-bit formats, the
// middles between them and what lies next to those.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Numerics.h"
#include "SIMT/Memory.h"
#include "Support/Oracle.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::linalg_ext::simt;
using oracle::DType;

static void expectDecodes(DType type, ScalarFormat::Kind kind) {
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    double want = oracle::decode16(static_cast<uint16_t>(bits), type);
    double got = decode(bits, kind);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << bits;
      EXPECT_TRUE(std::isnan(decode(encode(got, kind), kind)));
      continue;
    }
    ASSERT_EQ(got, want) << bits;
    ASSERT_EQ(std::signbit(got), std::signbit(want)) << bits;
    ASSERT_EQ(encode(want, kind), bits);
  }
}

TEST(NumericsTest, EveryNumberOf16Bits) {
  expectDecodes(DType::F16, ScalarFormat::F16);
  expectDecodes(DType::BF16, ScalarFormat::BF16);
}

static void expectRounds(DType type, ScalarFormat::Kind kind,
                         uint32_t infinity) {
  for (uint32_t bits = 0; bits < infinity; ++bits) {
    double low = decode(bits, kind);
    double high = bits + 1 == infinity ? 2 * low - decode(bits - 1, kind)
                                       : decode(bits + 1, kind);
    double middle = low + (high - low) / 2;
    for (double x : {middle, std::nextafter(middle, low),
                     std::nextafter(middle, high), low + (high - low) / 3})
      for (double value : {x, -x})
        ASSERT_EQ(decode(encode(value, kind), kind),
                  oracle::roundTo(value, type))
            << value;
  }
}

TEST(NumericsTest, RoundsToNearestEven) {
  expectRounds(DType::F16, ScalarFormat::F16, 0x7c00);
  expectRounds(DType::BF16, ScalarFormat::BF16, 0x7f80);
}

TEST(NumericsTest, FusedMultiplyAddRoundsOnce) {
  // A double cannot hold every a * b + c: it would round once, and the
  // conversion to f16 a second time, which may differ on a tie. The reference
  // computes exactly in 128 bits.
  oracle::Random random(7);
  for (int i = 0; i < 200000; ++i) {
    uint64_t x[3];
    for (uint64_t &word : x)
      word = static_cast<uint64_t>(random.integer(0, 0x7bff)) |
             (random.chance(0.5) ? 0x8000 : 0);
    // All are multiples of 2^-24, the product one of 2^-48.
    auto units = [](uint64_t word) {
      return static_cast<__int128>(
          std::ldexp(decode(word, ScalarFormat::F16), 24));
    };
    __int128 exact = units(x[0]) * units(x[1]) + (units(x[2]) << 24);
    // Truncated to 53 bits, with the rest as a sticky bit.
    __int128 magnitude = exact < 0 ? -exact : exact;
    int shift = 0;
    bool sticky = false;
    while (magnitude >> 50) {
      sticky |= magnitude & 1;
      magnitude >>= 1;
      ++shift;
    }
    double value = std::ldexp(
        static_cast<double>(magnitude * 4 + (sticky ? 1 : 0)), shift - 50);
    if (exact < 0)
      value = -value;
    double got = decode(fusedMultiplyAdd(x[0], x[1], x[2], ScalarFormat::F16),
                        ScalarFormat::F16);
    ASSERT_EQ(got, oracle::roundTo(value, DType::F16));
  }
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static Wavefronts wavefronts(int64_t lanes, int64_t stride, int64_t size) {
  std::vector<LaneAccess> accesses;
  for (int64_t lane = 0; lane < lanes; ++lane)
    accesses.push_back({static_cast<int32_t>(lane), lane * stride, size});
  return countWavefronts(accesses, 32);
}

TEST(BanksTest, ConflictsOfKnownPatterns) {
  struct {
    int64_t stride, size, actual, ideal;
  } cases[] = {
      {4, 4, 1, 1},     // a row of words
      {8, 4, 2, 1},     // every other bank
      {128, 4, 32, 1},  // one bank
      {132, 4, 1, 1},   // one bank, padded by a word
      {0, 4, 1, 1},     // broadcast
      {2, 2, 1, 1},     // two lanes a word
      {8, 8, 2, 2},     // a row of 8 bytes a lane
      {16, 16, 4, 4},   // a row of 16 bytes a lane
      {128, 16, 32, 4}, // the same columns of eight rows
      {144, 16, 4, 4},  // padded by 16 bytes
      {32, 32, 16, 8},  // 32 bytes a lane: two accesses of 16, stride 32
  };
  for (auto [stride, size, actual, ideal] : cases) {
    Wavefronts got = wavefronts(32, stride, size);
    EXPECT_EQ(got.actual, actual) << stride << " " << size;
    EXPECT_EQ(got.ideal, ideal) << stride << " " << size;
  }
}
