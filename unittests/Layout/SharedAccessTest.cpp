//===- SharedAccessTest.cpp - Registers to shared memory and back ---------===//
//
// Vectors, ldmatrix and chunks are simulated byte by byte, as the PTX manual
// documents them, on memory whose elements are placed by counting.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/SharedAccess.h"
#include "SharedOracle.h"

#include <numeric>
#include <set>

using namespace mlir::layout;
using namespace mlir::layout::test;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The byte of every register of every thread.
static std::vector<std::vector<int64_t>> getBytes(const Layout &layout,
                                                  const SharedLayout &shared) {
  Memory memory = getMemory(getSpelling(shared));
  Table table = getTable(layout);
  std::vector<std::vector<int64_t>> bytes;
  for (int64_t s = 0; s < table.numSubgroups; ++s)
    for (int64_t l = 0; l < table.numLanes; ++l) {
      bytes.emplace_back();
      for (int64_t r = 0; r < table.numRegisters; ++r)
        bytes.back().push_back(memory.at(table.at(s, l, r)));
    }
  return bytes;
}

static const char *const kMmaA =
    "[register 2:2, lane 8:4] x [register 2:4, lane 4:1, register 2:1]";
static const char *const kMmaC =
    "[register 2:2, lane 8:4] x [lane 4:1, register 2:1]";

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

/// The wavefronts of one access, from a list of (bank, word) pairs.
static int64_t countWavefronts(const std::vector<int64_t> &offsets,
                               int64_t bytes) {
  size_t together = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  int64_t wavefronts = 0;
  for (size_t first = 0; first < offsets.size(); first += together) {
    std::set<std::pair<int64_t, int64_t>> pairs;
    for (size_t l = first; l < std::min(first + together, offsets.size()); ++l)
      for (int64_t b = 0; b < bytes; ++b)
        pairs.insert({(offsets[l] + b) % 128 / 4, (offsets[l] + b) / 4});
    std::map<int64_t, int64_t> perBank;
    int64_t most = 0;
    for (auto [bank, word] : pairs)
      most = std::max(most, ++perBank[bank]);
    wavefronts += most;
  }
  return wavefronts;
}

TEST(SharedAccessTest, KnownConflicts) {
  auto count = [](int64_t bytes, llvm::function_ref<int64_t(int64_t)> offset,
                  int64_t lanes = 32) {
    SmallVector<int64_t> offsets;
    for (int64_t lane = 0; lane < lanes; ++lane)
      offsets.push_back(offset(lane));
    return getNumWavefronts(offsets, bytes);
  };
  EXPECT_EQ(count(4, [](int64_t l) { return 4 * l; }), 1);
  EXPECT_EQ(count(4, [](int64_t l) { return 128 * l; }), 32);
  EXPECT_EQ(count(4, [](int64_t l) { return 132 * l; }), 1);
  EXPECT_EQ(count(4, [](int64_t l) { return 8 * l; }), 2);
  EXPECT_EQ(count(4, [](int64_t) { return 512; }), 1);     // Broadcast.
  EXPECT_EQ(count(2, [](int64_t l) { return 2 * l; }), 1); // Shared words.
  EXPECT_EQ(count(1, [](int64_t l) { return 36 * l; }), 1);
  EXPECT_EQ(count(8, [](int64_t l) { return 8 * l; }), 2);
  EXPECT_EQ(count(16, [](int64_t l) { return 16 * l; }), 4);
  EXPECT_EQ(count(16, [](int64_t l) { return 128 * l; }), 32);
  EXPECT_EQ(count(16, [](int64_t l) { return 144 * l; }), 4);
  EXPECT_EQ(count(
                4, [](int64_t l) { return 4 * l; }, 64),
            2);
  EXPECT_EQ(count(
                16, [](int64_t l) { return 16 * l; }, 8),
            1);
}

TEST(SharedAccessTest, RandomConflicts) {
  Random random(41);
  for (int i = 0; i < 2000; ++i) {
    int64_t bytes = pick(random, {1, 2, 4, 8, 16});
    std::vector<int64_t> offsets;
    for (int64_t l = 0; l < pick(random, {4, 8, 20, 32, 64}); ++l)
      offsets.push_back(random() % (i % 2 ? 64 : 1024) * bytes);
    ASSERT_EQ(getNumWavefronts(offsets, bytes),
              countWavefronts(offsets, bytes));
  }
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The registers in the aligned block of `width` bytes around register `reg`,
/// in the order of their bytes, if every thread has the whole block in the same
/// ones; else nothing.
static std::vector<int64_t>
getBlock(const std::vector<std::vector<int64_t>> &bytes, int64_t reg,
         int64_t width, int64_t elementBytes) {
  std::vector<int64_t> first;
  for (size_t t = 0; t < bytes.size(); ++t) {
    std::vector<int64_t> block;
    int64_t start = bytes[t][reg] / width * width;
    for (int64_t b = start; b < start + width; b += elementBytes) {
      auto it = std::find(bytes[t].begin(), bytes[t].end(), b);
      if (it == bytes[t].end())
        return {};
      block.push_back(it - bytes[t].begin());
    }
    if (t == 0)
      first = block;
    if (block != first)
      return {};
  }
  return first;
}

static void checkVectors(const Layout &layout, const SharedLayout &shared,
                         int64_t maxBytes) {
  auto bytes = getBytes(layout, shared);
  int64_t elementBytes = shared.getBitWidth() / 8;
  auto accesses = getVectorAccesses(layout, shared, maxBytes);
  std::set<int64_t> covered;
  AccessCost expected;
  for (const VectorAccess &access : accesses) {
    ASSERT_LE(access.bytes, std::max(maxBytes, elementBytes));
    for (int64_t reg : access.registers) {
      EXPECT_TRUE(covered.insert(reg).second);
      // As wide as any access of this register may be.
      int64_t width = elementBytes;
      for (int64_t w = elementBytes; w <= maxBytes; w *= 2)
        if (!getBlock(bytes, reg, w, elementBytes).empty())
          width = w;
      ASSERT_EQ(access.bytes, width) << layout << " in " << shared;
      ASSERT_EQ(getBlock(bytes, reg, width, elementBytes),
                std::vector<int64_t>(access.registers.begin(),
                                     access.registers.end()));
    }
    int64_t slowest = 0;
    int64_t lanes = layout.getNumLanes();
    for (int64_t s = 0; s < layout.getNumSubgroups(); ++s) {
      std::vector<int64_t> offsets;
      for (int64_t l = 0; l < lanes; ++l)
        offsets.push_back(bytes[s * lanes + l][access.registers.front()]);
      slowest = std::max(slowest, countWavefronts(offsets, access.bytes));
    }
    int64_t together = access.bytes == 16 ? 8 : access.bytes == 8 ? 16 : 32;
    expected.numWavefronts += slowest;
    expected.minWavefronts += (lanes + together - 1) / together;
  }
  ASSERT_EQ(static_cast<int64_t>(covered.size()), layout.getNumRegisters());
  AccessCost cost = getCost(accesses, layout, shared);
  EXPECT_EQ(cost.numInstructions, static_cast<int64_t>(accesses.size()));
  EXPECT_EQ(cost.numWavefronts, expected.numWavefronts);
  EXPECT_EQ(cost.minWavefronts, expected.minWavefronts);
}

TEST(SharedAccessTest, RandomVectors) {
  Random random(42);
  std::map<int64_t, int> widths;
  for (int i = 0; i < 300; ++i) {
    Layout layout = makeLayout(getRandomSpelling(random, 3));
    if (layout.getNumElements() > 4096)
      continue;
    SharedLayout shared =
        makeShared(getRandomShared(random, toVector(layout.getShape()),
                                   pick(random, {8, 16, 32, 64, 128})));
    checkVectors(layout, shared, pick(random, {4, 8, 16, 16}));
    if (HasFailure())
      return;
    for (const VectorAccess &access : getVectorAccesses(layout, shared))
      ++widths[access.bytes];
  }
  for (int64_t bytes : {1, 2, 4, 8, 16})
    EXPECT_GT(widths[bytes], 20) << bytes;
}

// Eight columns a lane: 16 bytes, whatever the swizzle of 16 bytes.
TEST(SharedAccessTest, VectorsUnderASwizzle) {
  Layout rows =
      parseLayout("[register 4:8, lane 4:8] x [lane 8:1, register 8:1]");
  SharedLayout shared =
      *SharedLayout::getSwizzledPanels({16, 64}, {0, 1}, 16, 128);
  auto accesses = getVectorAccesses(rows, shared);
  ASSERT_EQ(accesses.size(), 4u);
  EXPECT_EQ(accesses[1].bytes, 16);
  EXPECT_EQ(accesses[1].registers,
            (SmallVector<int64_t>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_TRUE(getCost(accesses, rows, shared).isConflictFree());
  // One of 4 bytes cuts them.
  SharedLayout fine = *SharedLayout::get({16, 64}, {0, 1}, 16, 0, 0, {3, 2, 5});
  EXPECT_EQ(getVectorAccesses(rows, fine).front().bytes, 4);
}

// Five columns are four and one where rows are aligned, and five ones where
// they are not.
TEST(SharedAccessTest, VectorsOfUnequalWidth) {
  Layout layout = parseLayout("[lane 32:1] x [register 5:1]");
  SharedLayout padded = *SharedLayout::get({32, 5}, {0, 1}, 32, 0, 12);
  auto accesses = getVectorAccesses(layout, padded);
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].registers, (SmallVector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(accesses[1].registers, (SmallVector<int64_t>{4}));
  EXPECT_EQ(
      getVectorAccesses(layout, *SharedLayout::get({32, 5}, {0, 1}, 32)).size(),
      5u);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Runs ldmatrix as PTX documents it, and expects every register of `layout` to
/// receive its element, once.
static void simulate(ArrayRef<MatrixAccess> accesses, const Layout &layout,
                     const SharedLayout &shared) {
  auto bytes = getBytes(layout, shared);
  Memory memory = getMemory(getSpelling(shared));
  int64_t elementBytes = shared.getBitWidth() / 8;
  std::set<int64_t> covered;
  int64_t wavefronts = 0, minWavefronts = 0;
  for (const MatrixAccess &access : accesses) {
    int64_t count = access.getNumMatrices();
    ASSERT_TRUE(count == 1 || count == 2 || count == 4);
    int64_t slowest = 0;
    for (int64_t s = 0; s < layout.getNumSubgroups(); ++s) {
      // Threads 0-7 have the addresses of the rows of the first matrix, 8-15 of
      // the second, ...
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < 32; ++lane) {
        Owner owner = access.getRowOwner(s, lane);
        EXPECT_EQ(owner.subgroup, s);
        addresses.push_back(memory.at(toVector(layout.getCoordinate(owner))));
        ASSERT_EQ(addresses.back() % 16, 0);
      }
      for (int64_t m = 0; m < count; ++m)
        for (int64_t lane = 0; lane < 32; ++lane) {
          SmallVector<int64_t> received;
          for (int64_t b = 0; b < 4; b += elementBytes)
            received.push_back(
                access.isTransposed
                    // Row 2 * (lane % 4) + {0, 1}, column lane / 4.
                    ? addresses[8 * m + 2 * (lane % 4) + b / 2] + lane / 4 * 2
                    : addresses[8 * m + lane / 4] + lane % 4 * 4 + b);
          ASSERT_EQ(received.size(), access.registers[m].size());
          for (size_t i = 0; i < received.size(); ++i) {
            covered.insert(access.registers[m][i]);
            ASSERT_EQ(received[i], bytes[s * 32 + lane][access.registers[m][i]])
                << layout << " in " << shared;
          }
        }
      addresses.resize(8 * count);
      slowest = std::max(slowest, countWavefronts(addresses, 16));
    }
    wavefronts += slowest;
    minWavefronts += count;
  }
  EXPECT_EQ(static_cast<int64_t>(covered.size()), layout.getNumRegisters());
  AccessCost cost = getCost(accesses, layout, shared);
  EXPECT_EQ(cost.numWavefronts, wavefronts);
  EXPECT_EQ(cost.minWavefronts, minWavefronts);
}

/// Whether some eight rows, anywhere in memory, fill the pair (r0, r1) of
/// 16-bit registers.
static bool canLoad(const std::vector<std::vector<int64_t>> &bytes, int64_t r0,
                    int64_t r1, bool isTransposed, int64_t size) {
  for (size_t first = 0; first < bytes.size(); first += 32)
    for (int64_t row = 0; row < 8; ++row) {
      bool found = false;
      for (int64_t address = 0; address < size && !found; address += 16) {
        bool fits = true;
        for (int64_t column = 0; column < 8; ++column) {
          int64_t lane =
              isTransposed ? 4 * column + row / 2 : 4 * row + column / 2;
          int64_t half = isTransposed ? row % 2 : column % 2;
          fits &= bytes[first + lane][half ? r1 : r0] == address + 2 * column;
        }
        found = fits;
      }
      if (!found)
        return false;
    }
  return true;
}

/// Whether the registers in `left` can be paired.
static bool canPair(const std::set<std::pair<int64_t, int64_t>> &pairs,
                    std::vector<int64_t> left) {
  if (left.empty())
    return true;
  int64_t r0 = left.front();
  for (size_t i = 1; i < left.size(); ++i)
    if (pairs.count({r0, left[i]}) || pairs.count({left[i], r0})) {
      std::vector<int64_t> rest(left.begin() + 1, left.end());
      rest.erase(rest.begin() + i - 1);
      if (canPair(pairs, rest))
        return true;
    }
  return false;
}

static bool canLoadAll(const Layout &layout, const SharedLayout &shared) {
  auto bytes = getBytes(layout, shared);
  std::vector<int64_t> all(layout.getNumRegisters());
  std::iota(all.begin(), all.end(), 0);
  for (bool isTransposed : {false, true}) {
    std::set<std::pair<int64_t, int64_t>> pairs;
    for (int64_t r0 : all)
      for (int64_t r1 : all)
        if (r0 != r1 &&
            canLoad(bytes, r0, r1, isTransposed, shared.getSizeInBytes()))
          pairs.insert({r0, r1});
    if (canPair(pairs, all))
      return true;
  }
  return false;
}

TEST(SharedAccessTest, MatricesOfRandomLayouts) {
  Random random(43);
  int fits = 0, transposed = 0, fails = 0;
  for (int i = 0; i < 400; ++i) {
    // An atom that ldmatrix knows, in part of the cases with its digits mixed,
    // repeated in some ways.
    Spelling spelling;
    spelling.numLanes = 32;
    Digit row{Axis::Lane, 8, 4}, word{Axis::Lane, 4, 1},
        half{Axis::Register, 2, 1};
    spelling.dims = {{row}, {word, half}};
    if (random() % 3 == 0)
      std::swap(spelling.dims[0], spelling.dims[1]);
    if (random() % 5 == 0)
      std::swap(spelling.dims[0][0], spelling.dims[1][0]);
    Layout layout = makeLayout(spelling);
    for (int j = 0; j < 2; ++j)
      if (auto next = layout.repeat(
              random() % 2, random() % 3 ? Axis::Register : Axis::Subgroup,
              pick(random, {1, 2, 3})))
        layout = *next;
    SharedLayout shared =
        makeShared(getRandomShared(random, toVector(layout.getShape()), 16));
    std::string reason;
    auto accesses = getMatrixAccesses(layout, shared, &reason);
    ASSERT_EQ(accesses.has_value(), reason.empty());
    ASSERT_EQ(accesses.has_value(), canLoadAll(layout, shared))
        << layout << " in " << shared;
    if (!accesses) {
      ++fails;
      continue;
    }
    ++fits;
    transposed += accesses->front().isTransposed;
    simulate(*accesses, layout, shared);
    if (HasFailure())
      return;
  }
  EXPECT_GT(fits, 80);
  EXPECT_GT(transposed, 20);
  EXPECT_GT(fails, 80);
}

/// Expects matrices of the given form, and no conflicts.
static void expectMatrices(const Layout &layout, const SharedLayout &shared,
                           size_t numInstructions, bool isTransposed) {
  std::string reason;
  auto accesses = getMatrixAccesses(layout, shared, &reason);
  ASSERT_TRUE(accesses) << reason;
  EXPECT_EQ(accesses->size(), numInstructions);
  EXPECT_EQ(accesses->front().isTransposed, isTransposed);
  EXPECT_TRUE(getCost(*accesses, layout, shared).isConflictFree());
  simulate(*accesses, layout, shared);
}

TEST(SharedAccessTest, MatricesOfMma) {
  // A, 64 x 64 for four subgroups: 16 rows, 4 atoms of 16 columns each.
  Layout a = *parseLayout(kMmaA)
                  .repeat(1, Axis::Register, 4)
                  ->repeat(0, Axis::Subgroup, 4);
  expectMatrices(a, *SharedLayout::getSwizzledPanels({64, 64}, {0, 1}, 16, 128),
                 4, false);
  // B of Q K^T: (k, n) of K stored as (n, k). Of P V: stored as (k, n).
  Layout b = *parseLayout("[register 2:2, lane 4:1, register 2:1] x [lane 8:4]")
                  .repeat(0, Axis::Register, 4)
                  ->repeat(1, Axis::Register, 8);
  expectMatrices(b, *SharedLayout::getSwizzledPanels({64, 64}, {1, 0}, 16, 128),
                 16, false);
  expectMatrices(b, *SharedLayout::getSwizzledPanels({64, 64}, {0, 1}, 16, 128),
                 16, true);
  // The first instruction of A: the order of a0a1, a2a3, a4a5, a6a7.
  auto accesses = *getMatrixAccesses(
      a, *SharedLayout::getSwizzledPanels({64, 64}, {0, 1}, 16, 128));
  EXPECT_EQ(accesses[0].registers[1], (SmallVector<int64_t, 2>{2, 3}));
  // Lane 9 supplies row 1 of the second matrix: row 9, column 0.
  EXPECT_EQ(a.getCoordinate(accesses[0].getRowOwner(0, 9)),
            (SmallVector<int64_t>{9, 0}));
  // Lane 17 row 1 of the third: row 1, column 8.
  EXPECT_EQ(a.getCoordinate(accesses[0].getRowOwner(0, 17)),
            (SmallVector<int64_t>{1, 8}));
}

TEST(SharedAccessTest, MatricesOfBytesAndWords) {
  Layout bytes = parseLayout(
      "[register 2:4, lane 8:4] x [register 2:8, lane 4:1, register 4:1]");
  expectMatrices(bytes,
                 *SharedLayout::getSwizzledPanels({16, 32}, {0, 1}, 8, 32), 1,
                 false);
  Layout words =
      parseLayout("[register 2:1, lane 8:4] x [register 2:2, lane 4:1]");
  expectMatrices(words,
                 *SharedLayout::getSwizzledPanels({16, 8}, {0, 1}, 32, 32), 1,
                 false);
}

TEST(SharedAccessTest, MatricesThatDoNotFit) {
  std::string reason;
  Layout wave = parseLayout("[lane 16:1] x [lane 4:16, register 4:1]", 64);
  EXPECT_FALSE(getMatrixAccesses(wave, *SharedLayout::get({16, 16}, {0, 1}, 16),
                                 &reason));
  EXPECT_EQ(reason, "expected subgroups of 32 lanes, got 64");
  Layout doubles = parseLayout("[lane 8:4] x [lane 4:1]");
  EXPECT_FALSE(getMatrixAccesses(
      doubles, *SharedLayout::get({8, 4}, {0, 1}, 64), &reason));
  EXPECT_EQ(reason, "expected elements of at most 32 bits, got 64");
  // Rows at multiples of 20 bytes.
  EXPECT_FALSE(getMatrixAccesses(parseLayout(kMmaC),
                                 *SharedLayout::get({16, 8}, {0, 1}, 16, 0, 4),
                                 &reason));
  EXPECT_EQ(reason, "the registers are not words of rows of 16 bytes in lanes "
                    "4 r to 4 r + 3, nor is their transpose");
  EXPECT_FALSE(getMatrixAccesses(
      parseLayout(kMmaC), *SharedLayout::get({16, 8}, {0, 1}, 32), &reason));
  EXPECT_EQ(reason, "the registers are not words of rows of 16 bytes in lanes "
                    "4 r to 4 r + 3");
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

// Coalesced rows in, operand of mma.sync out: panels with a swizzle, no
// padding.
TEST(SharedAccessTest, ChoiceForRowsToMma) {
  Layout rows = *parseLayout("[lane 4:8] x [lane 8:1, register 8:1]", 32, 4)
                     .repeat(0, Axis::Subgroup, 4)
                     ->repeat(0, Axis::Register, 4);
  Layout a = *parseLayout(kMmaA)
                  .repeat(1, Axis::Register, 4)
                  ->repeat(0, Axis::Subgroup, 4);
  SharedLayoutChoice choice = chooseSharedLayout(rows, a, 16);
  EXPECT_EQ(choice.layout.str(), "64x64 of 16 bits, order 0 1, swizzle 3:4:3");
  EXPECT_TRUE(choice.isConflictFree());
  EXPECT_TRUE(choice.readsMatrices);
  EXPECT_EQ(choice.read.numInstructions, 4);
  EXPECT_EQ(choice.write.numInstructions, 4);
}

// Rows of 80 f16, 160 bytes, are no power of two.
TEST(SharedAccessTest, ChoiceForEightyColumns) {
  Layout c = *parseLayout(kMmaC).repeat(1, Axis::Register, 10);
  Layout a = *parseLayout(kMmaA).repeat(1, Axis::Register, 5);
  for (bool matrices : {false, true}) {
    SharedLayoutChoice choice =
        chooseSharedLayout(c, a, 16, {matrices, matrices});
    EXPECT_TRUE(choice.isConflictFree()) << choice.layout;
    EXPECT_EQ(choice.readsMatrices, matrices);
    EXPECT_EQ(choice.writesMatrices, matrices);
  }
}

// A transposition: what is a row of the writer is a column of the reader.
TEST(SharedAccessTest, ChoiceForATransposition) {
  Layout rows = parseLayout("[register 32:1] x [lane 32:1]");
  Layout columns = parseLayout("[lane 32:1] x [register 32:1]");
  for (int64_t bits : {8, 16, 32, 64}) {
    SharedLayoutChoice choice = chooseSharedLayout(rows, columns, bits);
    EXPECT_TRUE(choice.isConflictFree()) << choice.layout;
  }
}

TEST(SharedAccessTest, ChoiceForWavesOf64) {
  Layout rows =
      parseLayout("[register 4:8, lane 8:8] x [lane 8:1, register 8:1]", 64);
  Layout a = *parseLayout("[lane 32:1] x [lane 2:32, register 4:1]", 64)
                  .repeat(1, Axis::Register, 8);
  SharedLayoutChoice choice = chooseSharedLayout(rows, a, 16);
  EXPECT_TRUE(choice.isConflictFree()) << choice.layout;
  EXPECT_FALSE(choice.readsMatrices);
}

TEST(SharedAccessTest, ChoiceForAScalar) {
  SharedLayoutChoice choice =
      chooseSharedLayout(Layout(32, 2), Layout(32, 2), 32);
  EXPECT_EQ(choice.layout.getSizeInBytes(), 4);
  EXPECT_TRUE(choice.isConflictFree());
}

// What is chosen costs what the parts say, and no plain layout is cheaper.
TEST(SharedAccessTest, ChoicesOfRandomLayouts) {
  Random random(44);
  int conflicts = 0;
  for (int i = 0; i < 60; ++i) {
    Spelling spelling = getRandomSpelling(random, 3);
    Layout writer = makeLayout(spelling);
    if (writer.getNumElements() > 1024)
      continue;
    for (DimDigits &dim : spelling.dims)
      std::shuffle(dim.begin(), dim.end(), random);
    Layout reader = makeLayout(spelling);
    SharedLayoutChoice choice = chooseSharedLayout(writer, reader, 32);
    auto check = [&](const Layout &layout, const AccessCost &cost,
                     bool isMatrix) {
      AccessCost expected =
          isMatrix ? getCost(*getMatrixAccesses(layout, choice.layout), layout,
                             choice.layout)
                   : getCost(getVectorAccesses(layout, choice.layout), layout,
                             choice.layout);
      EXPECT_EQ(cost.getTotal(), expected.getTotal());
    };
    check(writer, choice.write, choice.writesMatrices);
    check(reader, choice.read, choice.readsMatrices);
    SmallVector<unsigned> order(writer.getRank());
    std::iota(order.begin(), order.end(), 0);
    SharedLayout plain = *SharedLayout::get(writer.getShape(), order, 32);
    EXPECT_LE(
        choice.write.getTotal() + choice.read.getTotal(),
        getCost(getVectorAccesses(writer, plain), writer, plain).getTotal() +
            getCost(getVectorAccesses(reader, plain), reader, plain)
                .getTotal());
    conflicts += !choice.isConflictFree();
  }
  EXPECT_LT(conflicts, 20);
}

// What is remembered is what would be chosen, of whatever is asked in between.
TEST(SharedAccessTest, RememberedChoices) {
  Random random(45);
  SharedLayoutChoices choices;
  struct Question {
    Layout writer, reader;
    int64_t bitWidth;
    SharedLayoutOptions options;
  };
  std::vector<Question> questions;
  for (int i = 0; i < 10; ++i) {
    Spelling spelling = getRandomSpelling(random, 2);
    Layout writer = makeLayout(spelling);
    if (writer.getNumElements() > 1024)
      continue;
    for (DimDigits &dim : spelling.dims)
      std::shuffle(dim.begin(), dim.end(), random);
    Layout reader = makeLayout(spelling);
    for (int64_t bitWidth : {16, 32})
      for (bool matrixStores : {false, true})
        questions.push_back({writer, reader, bitWidth, {true, matrixStores}});
  }
  EXPECT_GT(questions.size(), 8u);
  for (int round = 0; round < 2; ++round)
    for (const Question &q : questions) {
      SharedLayoutChoice expected =
          chooseSharedLayout(q.writer, q.reader, q.bitWidth, q.options);
      SharedLayoutChoice choice =
          choices.choose(q.writer, q.reader, q.bitWidth, q.options);
      EXPECT_EQ(choice.layout.str(), expected.layout.str());
      EXPECT_EQ(choice.write.getTotal(), expected.write.getTotal());
      EXPECT_EQ(choice.read.getTotal(), expected.read.getTotal());
      EXPECT_EQ(choice.writesMatrices, expected.writesMatrices);
    }
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

TEST(SharedAccessTest, ChunksCoverTheTileOnce) {
  Random random(45);
  int successes = 0, failures = 0;
  for (int i = 0; i < 300; ++i) {
    Coordinate shape{pick(random, {1, 3, 8}), pick(random, {2, 5, 8}),
                     pick(random, {4, 8, 12, 20, 64})};
    int64_t bitWidth = pick(random, {8, 16, 32, 64, 128});
    int64_t bytes = bitWidth / 8;
    SharedSpelling spelling = getRandomShared(random, shape, bitWidth);
    SharedLayout shared = makeShared(spelling);
    Memory memory = getMemory(spelling);
    unsigned fastest = spelling.order.back();
    int64_t alignment = pick(random, {16, 16, 8, 4});
    std::string reason;
    std::optional<AsyncCopy> copy =
        getAsyncCopy(shared, fastest, alignment, &reason);
    ASSERT_EQ(copy.has_value(), reason.empty());

    // The widest chunk by trying: from every multiple of it along a row, its
    // elements lie together, aligned.
    int64_t widest = 0;
    for (int64_t width : {4, 8, 16}) {
      int64_t count = width / bytes;
      bool fits = count > 0 && alignment % width == 0 &&
                  shape[fastest] % std::max<int64_t>(count, 1) == 0;
      if (fits)
        for (const auto &[at, byte] : memory) {
          Coordinate start = at;
          start[fastest] = at[fastest] / count * count;
          int64_t first = memory.at(start);
          fits &= first % width == 0 &&
                  byte == first + (at[fastest] - start[fastest]) * bytes;
        }
      if (fits)
        widest = width;
    }
    ASSERT_EQ(copy ? copy->chunkBytes : 0, widest) << shared << alignment;
    if (!copy) {
      ++failures;
      continue;
    }
    ++successes;
    int64_t numThreads = pick(random, {7, 32, 128});
    std::set<Coordinate> covered;
    for (int64_t t = 0; t < numThreads; ++t)
      for (int64_t round = 0; round < copy->getChunksPerThread(numThreads);
           ++round) {
        std::optional<int64_t> chunk = copy->getChunk(t, round, numThreads);
        ASSERT_EQ(chunk.has_value(), t + round * numThreads < copy->numChunks);
        if (!chunk)
          continue;
        Coordinate at = toVector(getChunkCoordinate(*copy, shared, *chunk));
        int64_t first = memory.at(at);
        for (int64_t b = 0; b < copy->chunkBytes; b += bytes, ++at[fastest]) {
          ASSERT_EQ(memory.at(at), first + b);
          ASSERT_TRUE(covered.insert(at).second);
        }
        // The next thread's chunk is the next in the row.
        if (at[fastest] < shape[fastest] && *chunk + 1 < copy->numChunks)
          ASSERT_EQ(toVector(getChunkCoordinate(*copy, shared, *chunk + 1)),
                    at);
      }
    ASSERT_EQ(covered.size(), memory.size());
  }
  EXPECT_GT(successes, 50);
  EXPECT_GT(failures, 20);
}

TEST(SharedAccessTest, ChunksThatDoNotFit) {
  std::string reason;
  EXPECT_FALSE(
      getAsyncCopy(*SharedLayout::get({8, 64}, {1, 0}, 16), 1, 16, &reason));
  EXPECT_EQ(reason,
            "dimension 1 is contiguous in global memory, dimension 0 in "
            "shared memory");
  EXPECT_FALSE(
      getAsyncCopy(*SharedLayout::get({8, 63}, {0, 1}, 16), 1, 2, &reason));
  EXPECT_EQ(
      reason,
      "expected rows of aligned chunks of 4, 8 or 16 bytes; rows have 126 "
      "bytes, and start at multiples of 126 bytes in shared memory and of "
      "2 in global memory");
  EXPECT_FALSE(getAsyncCopy(*SharedLayout::get({}, {}, 16), 0, 16, &reason));
  EXPECT_EQ(reason, "expected at least one dimension");
}

//===----------------------------------------------------------------------===//
// Transposing loads and copies in order of lanes
//===----------------------------------------------------------------------===//

/// Executes ds_read_b64_tr_b16 as the CDNA4 manual documents it: of every 16
/// lanes, the address of lane l is that of four elements of row l / 4, and lane l
/// gets element l % 4 of the addresses of lanes l / 4, l / 4 + 4, and so on.
static void expectTransposes(const Layout &layout, const SharedLayout &shared) {
  std::string reason;
  auto accesses = getTransposeAccesses(layout, shared, &reason);
  ASSERT_TRUE(accesses) << layout << shared << reason;
  auto bytes = getBytes(layout, shared);
  std::set<int64_t> loaded;
  for (const TransposeAccess &access : *accesses) {
    for (int64_t reg : access.registers)
      ASSERT_TRUE(loaded.insert(reg).second);
    for (int64_t s = 0; s < layout.getNumSubgroups(); ++s) {
      std::vector<int64_t> addresses;
      for (int64_t l = 0; l < layout.getNumLanes(); ++l) {
        Owner owner = access.getChunkOwner(s, l);
        addresses.push_back(bytes[owner.subgroup * layout.getNumLanes() +
                                  owner.lane][owner.reg]);
        ASSERT_EQ(addresses.back() % 8, 0);
      }
      for (int64_t l = 0; l < layout.getNumLanes(); ++l)
        for (int64_t row = 0; row < 4; ++row)
          ASSERT_EQ(bytes[s * layout.getNumLanes() + l][access.registers[row]],
                    addresses[l / 16 * 16 + 4 * row + l % 16 / 4] + l % 4 * 2);
    }
  }
  ASSERT_EQ(static_cast<int64_t>(loaded.size()), layout.getNumRegisters());
}

// B of MFMA, and of the wide forms: plain rows, swizzles, padding.
TEST(SharedAccessTest, TransposesOfMfma) {
  for (const char *text :
       {"[lane 4:16, register 4:1] x [lane 16:1]",
        "[lane 4:16, register 8:1] x [lane 16:1]",
        "[register 2:4, lane 4:16, register 4:1] x [lane 16:1]"}) {
    Layout b = *Layout::parse(text, 64, 1)
                    ->repeat(0, Axis::Register, 2)
                    ->repeat(1, Axis::Subgroup, 4);
    SmallVector<int64_t> shape = b.getShape();
    expectTransposes(b, *SharedLayout::get(shape, {0, 1}, 16));
    expectTransposes(b,
                     *SharedLayout::getSwizzledPanels(shape, {0, 1}, 16, 128));
    expectTransposes(b, *SharedLayout::get(shape, {0, 1}, 16,
                                           /*panelColumns=*/0, /*padding=*/8));
    std::string reason;
    EXPECT_FALSE(getTransposeAccesses(
        b, *SharedLayout::get(shape, {1, 0}, 16), &reason));
    EXPECT_EQ(reason, "lanes side by side do not have columns side by side");
    EXPECT_FALSE(getTransposeAccesses(
        b, *SharedLayout::get(shape, {0, 1}, 32), &reason));
    EXPECT_EQ(reason, "expected elements of 16 bits, got 32");
    // Padding that leaves chunks unaligned.
    EXPECT_FALSE(getTransposeAccesses(
        b, *SharedLayout::get(shape, {0, 1}, 16, 0, /*padding=*/2), &reason));
  }
  std::string reason;
  EXPECT_FALSE(getTransposeAccesses(
      *Layout::parse("[register 2:1] x [lane 64:1]", 64, 1),
      *SharedLayout::get({2, 64}, {0, 1}, 16), &reason));
  EXPECT_EQ(reason, "expected a multiple of 4 registers, got 2");
  EXPECT_FALSE(getTransposeAccesses(
      *Layout::parse("[register 4:1] x [lane 8:1]", 8, 1),
      *SharedLayout::get({4, 8}, {0, 1}, 16), &reason));
  EXPECT_EQ(reason, "expected subgroups of a multiple of 16 lanes, got 8");
}

// A tile that lies in memory row by row is stored by rows, not by columns.
TEST(SharedAccessTest, ChoiceForTransposingLoads) {
  Layout reader = *Layout::parse("[lane 4:16, register 4:1] x [lane 16:1]", 64,
                                 1)
                       ->repeat(0, Axis::Register, 4)
                       ->repeat(1, Axis::Register, 4);
  Layout writer = *Layout::parse(
      "[register 8:8, lane 8:8] x [lane 8:1, register 8:1]", 64, 1);
  SharedLayoutOptions options;
  options.matrixLoads = false;
  SharedLayoutChoice without = chooseSharedLayout(writer, reader, 16, options);
  options.transposeLoads = true;
  SharedLayoutChoice with = chooseSharedLayout(writer, reader, 16, options);
  EXPECT_EQ(with.layout.getOrder().back(), 1u);
  EXPECT_LT(with.read.numInstructions + with.write.numInstructions,
            without.read.numInstructions + without.write.numInstructions);
  EXPECT_TRUE(getTransposeAccesses(reader, with.layout));
}

TEST(SharedAccessTest, CopiesOfLanesCoverTheTileOnce) {
  Random random(46);
  int successes = 0, failures = 0;
  for (int i = 0; i < 300; ++i) {
    Coordinate shape{pick(random, {8, 16, 32}), pick(random, {32, 64, 80, 128})};
    int64_t bitWidth = pick(random, {8, 16, 32});
    SharedSpelling spelling = getRandomShared(random, shape, bitWidth);
    SharedLayout shared = makeShared(spelling);
    Memory memory = getMemory(spelling);
    unsigned fastest = spelling.order.back();
    int64_t numLanes = pick(random, {32, 64}), numSubgroups = pick(random, {1, 2});
    std::string reason;
    std::optional<LaneCopy> copies =
        getLaneCopy(shared, fastest, numLanes, numSubgroups, &reason);
    ASSERT_EQ(copies.has_value(), reason.empty());
    if (!copies) {
      ++failures;
      continue;
    }
    ++successes;
    std::set<int64_t> filled;
    for (int64_t copy = 0; copy < copies->numCopies; ++copy)
      for (int64_t s = 0; s < numSubgroups; ++s)
        for (int64_t l = 0; l < numLanes; ++l) {
          // Lanes fill memory one behind the other.
          int64_t first = copies->getByteOffset(copy, s, l);
          ASSERT_EQ(first, copies->getByteOffset(copy, s, 0) + 16 * l);
          Coordinate at = toVector(*shared.getCoordinate(first));
          for (int64_t byte = 0; byte < 16; byte += bitWidth / 8, ++at[fastest]) {
            ASSERT_EQ(memory.at(at), first + byte);
            ASSERT_TRUE(filled.insert(first + byte).second);
          }
        }
    ASSERT_EQ(filled.size(), memory.size());
  }
  EXPECT_GT(successes, 30);
  EXPECT_GT(failures, 30);
}

TEST(SharedAccessTest, CopiesOfLanesThatDoNotFit) {
  std::string reason;
  EXPECT_FALSE(getLaneCopy(*SharedLayout::get({8, 64}, {0, 1}, 16, 0, 16), 1,
                           64, 1, &reason));
  EXPECT_EQ(reason, "rows are padded");
  EXPECT_FALSE(
      getLaneCopy(*SharedLayout::get({8, 64}, {0, 1}, 16), 1, 64, 2, &reason));
  EXPECT_EQ(reason, "expected a multiple of 128 chunks of 16 bytes, got 64");
  EXPECT_FALSE(
      getLaneCopy(*SharedLayout::get({8, 60}, {0, 1}, 16), 1, 64, 1, &reason));
  EXPECT_EQ(reason, "expected chunks of 16 bytes, got 8");
}
