//===- ConversionTest.cpp - What it takes to change a layout --------------===//
//
// The kind, the sources and the cost of conversions against a search through
// all registers of all threads.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Conversion.h"
#include "LayoutOracle.h"

#include <set>

using namespace mlir::layout;
using namespace mlir::layout::test;

namespace {
struct Expected {
  ConversionKind kind;
  std::vector<std::set<int64_t>> sources;
  bool shuffles = false;
};
} // namespace

/// Looks for each element that a thread of `to` wants in the same thread, then
/// in its subgroup.
static Expected search(const Table &from, const Table &to) {
  auto owners = from.invert();
  Expected result{ConversionKind::Identity, {}, false};
  result.sources.resize(to.numRegisters);
  bool inThread = true, inSubgroup = true;
  for (int64_t s = 0; s < to.numSubgroups; ++s)
    for (int64_t l = 0; l < to.numLanes; ++l)
      for (int64_t r = 0; r < to.numRegisters; ++r) {
        bool thread = false, subgroup = false;
        for (const auto &[s2, l2, r2] : owners.at(to.at(s, l, r))) {
          subgroup |= s2 == s;
          thread |= s2 == s && l2 == l;
          result.sources[r].insert(r2);
        }
        inThread &= thread;
        inSubgroup &= subgroup;
      }
  bool isUniform = true, isSame = from.numRegisters == to.numRegisters;
  for (int64_t r = 0; r < to.numRegisters; ++r) {
    isUniform &= result.sources[r].size() == 1;
    isSame &= *result.sources[r].begin() == r;
  }
  if (!inSubgroup)
    return {ConversionKind::SharedMemory, {}, false};
  result.shuffles = !inThread;
  if (!inThread || !isUniform)
    result.kind = ConversionKind::Lanes;
  else
    result.kind = isSame ? ConversionKind::Identity : ConversionKind::Registers;
  return result;
}

/// The cost as the comment of getConversionCost words it.
static int64_t getExpectedCost(const Expected &expected, const Table &from,
                               const Table &to, int64_t bitWidth) {
  int64_t cost = 0;
  int64_t words = bitWidth > 32 ? bitWidth / 32 : 1;
  if (expected.kind == ConversionKind::Lanes)
    for (const auto &registers : expected.sources) {
      for (size_t i = 0; i < registers.size(); ++i)
        cost += expected.shuffles ? 2 * words : 0;
      cost += (registers.size() - 1) * words;
    }
  if (expected.kind == ConversionKind::SharedMemory) {
    int64_t bits = bitWidth * (from.numRegisters + to.numRegisters);
    for (; bits > 0; bits -= 32)
      cost += 4;
    cost += 32;
  }
  return cost;
}

static void check(const Layout &from, const Layout &to) {
  Table fromTable = getTable(from), toTable = getTable(to);
  Expected expected = search(fromTable, toTable);
  Conversion conversion = classifyConversion(from, to);
  ASSERT_EQ(conversion.kind, expected.kind) << from << " to " << to;
  ASSERT_EQ(conversion.sources.size(), expected.sources.size());
  int64_t shuffles = 0;
  for (size_t r = 0; r < expected.sources.size(); ++r) {
    std::set<int64_t> sources(conversion.sources[r].begin(),
                              conversion.sources[r].end());
    ASSERT_EQ(sources, expected.sources[r]) << from << " to " << to;
    ASSERT_EQ(sources.size(), conversion.sources[r].size());
    if (expected.kind == ConversionKind::Lanes && expected.shuffles)
      shuffles += sources.size();
  }
  ASSERT_EQ(conversion.getNumShuffles(), shuffles);
  for (int64_t bitWidth : {8, 16, 32, 64})
    ASSERT_EQ(getConversionCost(conversion, from, to, bitWidth),
              getExpectedCost(expected, fromTable, toTable, bitWidth))
        << from << " to " << to;
}

/// Deals the digits of `spelling` out again, so that the shape stays: digits of
/// equal size change places. Threads that no digit reads may be read instead.
static Spelling deal(const Spelling &spelling, Random &random, bool anyAxis) {
  Spelling result = spelling;
  std::vector<Digit *> digits;
  for (DimDigits &dim : result.dims)
    for (Digit &digit : dim)
      digits.push_back(&digit);
  for (int i = 0; i < 4 && digits.size() > 1; ++i) {
    Digit &a = *digits[random() % digits.size()];
    Digit &b = *digits[random() % digits.size()];
    if (a.size == b.size && (anyAxis || a.axis == b.axis))
      std::swap(a, b);
  }
  return result;
}

TEST(ConversionTest, RandomPairs) {
  Random random(21);
  std::map<ConversionKind, int> kinds;
  for (int i = 0; i < 3000; ++i) {
    Spelling from = getRandomSpelling(random, 3);
    if (from.dims.empty())
      continue;
    Spelling to = deal(from, random, i % 2);
    Layout fromLayout = makeLayout(from), toLayout = makeLayout(to);
    check(fromLayout, toLayout);
    if (HasFatalFailure())
      return;
    ++kinds[classifyConversion(fromLayout, toLayout).kind];
  }
  EXPECT_GT(kinds[ConversionKind::Identity], 50);
  EXPECT_GT(kinds[ConversionKind::Registers], 50);
  EXPECT_GT(kinds[ConversionKind::Lanes], 50);
  EXPECT_GT(kinds[ConversionKind::SharedMemory], 50);
}

// The target's threads hold more than they have to, or the source's do.
TEST(ConversionTest, Replication) {
  Layout spread = parseLayout("[lane 32:1]");
  Layout whole = parseLayout("[register 32:1]");
  Layout halves = parseLayout("[register 2:1, lane 16:1]");
  for (const Layout &from : {spread, whole, halves})
    for (const Layout &to : {spread, whole, halves})
      check(from, to);
  EXPECT_EQ(classifyConversion(spread, whole).kind, ConversionKind::Lanes);
  EXPECT_EQ(classifyConversion(spread, whole).getNumShuffles(), 32);
  // Every thread has what it needs, but which register that is depends on the
  // thread.
  EXPECT_EQ(classifyConversion(whole, spread).kind, ConversionKind::Lanes);
  // Of two subgroups that both hold all, each serves itself.
  check(parseLayout("[lane 32:1]", 32, 2), parseLayout("[lane 32:1]", 32, 2));
  check(parseLayout("[lane 32:1]", 32, 2),
        parseLayout("[subgroup 2:1, lane 16:1]", 32, 2));
  check(parseLayout("[subgroup 2:1, lane 16:1]", 32, 2),
        parseLayout("[lane 32:1]", 32, 2));
}

// C of one matmul is A of the next.
TEST(ConversionTest, AccumulatorToOperand) {
  // mma.sync: registers 4..7 of two atoms of C are a4..a7 of one of A.
  Layout c = parseLayout("[register 2:2, lane 8:4] x [register 8:4, lane 4:1, "
                         "register 2:1]");
  Layout a = *parseLayout("[register 2:2, lane 8:4] x [register 2:4, lane 4:1, "
                          "register 2:1]")
                  .repeat(1, Axis::Register, 4);
  EXPECT_EQ(classifyConversion(c, a).kind, ConversionKind::Identity);

  // Two tiles of rows: C of an atom of rows at a time, A of an atom of columns.
  Layout rows = *c.repeat(0, Axis::Register, 2);
  Layout columns =
      *parseLayout("[register 2:2, lane 8:4] x [register 2:4, lane 4:1, "
                   "register 2:1]")
           .repeat(0, Axis::Register, 2)
           ->repeat(1, Axis::Register, 4);
  EXPECT_EQ(classifyConversion(rows, columns).kind, ConversionKind::Registers);
  EXPECT_EQ(
      getConversionCost(classifyConversion(rows, columns), rows, columns, 32),
      0);
  check(rows, columns);

  // MFMA 16x16x16: C transposed is B, and so the computation of S^T = K Q^T
  // leaves B of O^T = V^T P^T.
  Layout mfmaC = parseLayout("[lane 4:16, register 4:1] x [lane 16:1]", 64);
  Layout mfmaB = parseLayout("[lane 4:16, register 4:1] x [lane 16:1]", 64);
  EXPECT_EQ(classifyConversion(mfmaC, mfmaB).kind, ConversionKind::Identity);
  Layout mfmaA = parseLayout("[lane 16:1] x [lane 4:16, register 4:1]", 64);
  EXPECT_EQ(classifyConversion(mfmaC, mfmaA).kind, ConversionKind::Lanes);
  check(mfmaC, mfmaA);
}

/// Checks that each step of widening `from` keeps elements in their subgroups,
/// that a lane takes elements of one other lane at most, and that threads then
/// have runs of `run` elements along `dim` in registers that follow each other.
static void checkWidening(const Layout &from, unsigned dim, int64_t run,
                          size_t numSteps) {
  std::optional<llvm::SmallVector<Layout>> steps = getWideningSteps(from, dim, run);
  ASSERT_TRUE(steps.has_value());
  EXPECT_EQ(steps->size(), numSteps);
  const Layout *before = &from;
  for (const Layout &step : *steps) {
    EXPECT_EQ(step.getShape(), from.getShape());
    EXPECT_EQ(step.getNumRegisters(), from.getNumRegisters());
    for (int64_t subgroup = 0; subgroup < step.getNumSubgroups(); ++subgroup)
      for (int64_t lane = 0; lane < step.getNumLanes(); ++lane) {
        int64_t other = lane;
        for (int64_t reg = 0; reg < step.getNumRegisters(); ++reg) {
          Owner target{subgroup, lane, reg};
          Owner source = before->getOwner(step.getCoordinate(target), target);
          EXPECT_EQ(source.subgroup, subgroup);
          if (source.lane == lane)
            continue;
          EXPECT_TRUE(other == lane || other == source.lane);
          other = source.lane;
          EXPECT_TRUE(llvm::isPowerOf2_64(other ^ lane));
        }
      }
    before = &step;
  }
  for (int64_t lane = 0; lane < before->getNumLanes(); ++lane)
    for (int64_t reg = 0; reg < before->getNumRegisters(); ++reg) {
      llvm::SmallVector<int64_t> first =
          before->getCoordinate({0, lane, reg / run * run});
      first[dim] += reg % run;
      EXPECT_EQ(before->getCoordinate({0, lane, reg}), first);
    }
}

TEST(ConversionTest, Widening) {
  // The result of wgmma.m64n32k16: quads of lanes have rows of eight columns.
  Layout wgmma = parseLayout("[subgroup 4:1, register 2:2, lane 8:4] x "
                             "[register 4:4, lane 4:1, register 2:1]",
                             32, 4);
  checkWidening(wgmma, 1, 2, 0);
  checkWidening(wgmma, 1, 4, 1);
  checkWidening(wgmma, 1, 8, 2);
  // 192 columns, and 176: only half of 22 registers can be given away.
  auto wide = [](llvm::StringRef registers) {
    return parseLayout(("[subgroup 4:1, register 2:2, lane 8:4] x [register " +
                        registers + ":4, lane 4:1, register 2:1]")
                           .str(),
                       32, 4);
  };
  checkWidening(wide("24"), 1, 8, 2);
  checkWidening(wide("22"), 1, 4, 1);
  EXPECT_FALSE(getWideningSteps(wide("22"), 1, 8));
  EXPECT_FALSE(getWideningSteps(wide("3"), 1, 4));
  // Three lanes cannot exchange with one other lane each.
  EXPECT_FALSE(getWideningSteps(
      parseLayout("[lane 8:3] x [register 4:2, lane 3:1, register 2:1]", 24), 1,
      4));
  // As many registers as the subgroup has, and no more.
  EXPECT_FALSE(getWideningSteps(wgmma, 1, 16));
  EXPECT_FALSE(getWideningSteps(wgmma, 1, 6));
  EXPECT_FALSE(getWideningSteps(wgmma, 0, 128));
  // Along rows, registers are renumbered.
  checkWidening(parseLayout("[lane 32:1, register 2:4] x [register 4:1]"), 0, 2,
                1);
  // Columns of other subgroups.
  EXPECT_FALSE(getWideningSteps(
      parseLayout("[lane 32:1] x [register 4:2, subgroup 4:1, register 2:1]",
                  32, 4),
      1, 4));
}

TEST(ConversionTest, NamesOfKinds) {
  EXPECT_EQ(stringifyConversionKind(ConversionKind::Identity), "identity");
  EXPECT_EQ(stringifyConversionKind(ConversionKind::Registers), "registers");
  EXPECT_EQ(stringifyConversionKind(ConversionKind::Lanes), "lanes");
  EXPECT_EQ(stringifyConversionKind(ConversionKind::SharedMemory),
            "shared memory");
}

/// Checks that lanes share the elements that replicas of `layout` hold: that each
/// subgroup holds the same ones before and after, each thread `registers`, and
/// `replication` threads each.
static void checkSharing(const Layout &layout, int64_t registers,
                         int64_t replication) {
  Layout shared = shareAmongReplicas(layout);
  EXPECT_EQ(shared.getShape(), layout.getShape());
  EXPECT_EQ(shared.getNumRegisters(), registers) << shared.str();
  EXPECT_EQ(shared.getReplication(), replication) << shared.str();
  EXPECT_NE(classifyConversion(shared, layout).kind, ConversionKind::SharedMemory);
  EXPECT_NE(classifyConversion(layout, shared).kind, ConversionKind::SharedMemory);
  check(shared, layout);
}

TEST(ConversionTest, Sharing) {
  // Rows of 256 bytes: sixteen lanes have each, sixteen rows a lane.
  Layout rows = parseLayout("[register 16:1, subgroup 4:1, lane 2:16]", 32, 4);
  checkSharing(rows, 1, 1);
  EXPECT_EQ(shareAmongReplicas(rows),
            parseLayout("[lane 16:1, subgroup 4:1, lane 2:16]", 32, 4));
  // More registers than replicas, and fewer.
  checkSharing(parseLayout("[register 32:1, lane 8:4]", 32), 8, 1);
  checkSharing(parseLayout("[register 2:1, lane 2:16]", 32), 1, 8);
  // Replicas in two parts of the lane, and digits of two dimensions.
  checkSharing(parseLayout("[register 8:1, lane 4:4]", 32), 1, 1);
  checkSharing(parseLayout("[register 4:1, lane 8:4] x [register 2:4]", 32), 2, 1);
  // Nothing to share: no replicas, no registers, or no common divisor.
  for (const char *text : {"[register 4:1, lane 32:1]", "[lane 4:8]"}) {
    Layout same = parseLayout(text, 32);
    EXPECT_EQ(shareAmongReplicas(same), same) << text;
  }
  Layout odd = parseLayout("[register 5:1, lane 8:1]", 32);
  EXPECT_EQ(shareAmongReplicas(odd), odd);
}
