//===- LayoutTest.cpp - The laws of layouts, at every coordinate ----------===//
//
// What makes a layout, its text, its map and the inverse of that, and the
// normal form, against tables filled by loops (LayoutOracle.h).
//
//===----------------------------------------------------------------------===//

#include "LayoutOracle.h"

#include <set>

using namespace mlir::layout;
using namespace mlir::layout::test;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The error of parsing `text`, or "" if there is none.
static std::string getError(StringRef text, int64_t lanes = 32,
                            int64_t subgroups = 4) {
  std::string error;
  std::optional<Layout> layout = Layout::parse(text, lanes, subgroups, &error);
  EXPECT_EQ(layout.has_value(), error.empty());
  return error;
}

TEST(LayoutTest, L1SizesAndStridesArePositive) {
  EXPECT_EQ(getError("[lane 0:1]"),
            "expected a positive size and stride, got 'lane 0:1'");
  EXPECT_EQ(getError("[lane 4:1] x [register 2:-1]"),
            "expected a positive size and stride, got 'register 2:-1'");
  EXPECT_EQ(getError("[subgroup 2:0]"),
            "expected a positive size and stride, got 'subgroup 2:0'");
  EXPECT_EQ(getError("[]", 0, 1),
            "expected at least one lane and one subgroup, got 0 and 1");
  EXPECT_EQ(getError("[]", 32, -2),
            "expected at least one lane and one subgroup, got 32 and -2");
}

TEST(LayoutTest, L1ProductsFit) {
  EXPECT_EQ(getError("[lane 4:4611686018427387904]"),
            "'lane 4:4611686018427387904' overflows 64 bits");
  EXPECT_EQ(getError("[register 4294967296:1, register 4294967296:4294967296]"),
            "'register 4294967296:4294967296' overflows 64 bits");
  EXPECT_EQ(getError("[lane 4294967296:1] x [subgroup 4294967296:1]",
                     int64_t(1) << 32, int64_t(1) << 32),
            "'subgroup 4294967296:1' overflows 64 bits");
}

TEST(LayoutTest, L2DigitsOfAnAxisDoNotOverlap) {
  EXPECT_EQ(
      getError("[lane 8:2] x [lane 4:1]"),
      "'lane 8:2' overlaps the faster digits of its axis, which end at 4");
  EXPECT_EQ(
      getError("[lane 4:1] x [lane 4:1]"),
      "'lane 4:1' overlaps the faster digits of its axis, which end at 4");
  EXPECT_EQ(
      getError("[lane 2:9, lane 6:1]", 36),
      "'lane 2:9' overlaps the faster digits of its axis, which end at 6");
  EXPECT_EQ(
      getError("[register 2:1, register 4:1]"),
      "'register 4:1' overlaps the faster digits of its axis, which end at 2");
  EXPECT_EQ(
      getError("[subgroup 2:1] x [subgroup 4:1]"),
      "'subgroup 4:1' overlaps the faster digits of its axis, which end at 2");
  // A gap is no overlap.
  EXPECT_EQ(getError("[lane 2:12, lane 6:1]", 48), "");
}

TEST(LayoutTest, L3DigitsDivideTheirAxis) {
  EXPECT_EQ(getError("[lane 8:8]"), "the digits of the lanes end at 64, which "
                                    "does not divide their number, 32");
  EXPECT_EQ(getError("[lane 3:1]"), "the digits of the lanes end at 3, which "
                                    "does not divide their number, 32");
  EXPECT_EQ(getError("[subgroup 8:1]"),
            "the digits of the subgroups end at 8, which does not divide their "
            "number, 4");
  EXPECT_EQ(getError("[lane 3:1]", 6), "");
}

TEST(LayoutTest, L4RegistersHaveNoGap) {
  EXPECT_EQ(getError("[register 2:2]"),
            "'register 2:2' leaves a gap: expected stride 1");
  EXPECT_EQ(getError("[register 5:4, register 2:1]"),
            "'register 5:4' leaves a gap: expected stride 2");
  EXPECT_EQ(getError("[register 5:2, register 2:1]"), "");
}

TEST(LayoutTest, DigitsOfSizeOneMeanNothing) {
  // Neither their stride nor their place.
  EXPECT_EQ(parseLayout("[lane 1:77, register 1:5] x [register 2:1]"),
            parseLayout("[] x [register 2:1]"));
}

TEST(LayoutTest, TextThatDoesNotParse) {
  EXPECT_EQ(getError("lane 4:1"), "expected '[' before 'lane 4:1'");
  EXPECT_EQ(getError("[lane 4:1"), "expected ']' after 'lane 4:1'");
  EXPECT_EQ(getError("[lane 4:1] [register 2:1]"),
            "expected 'x' before '[register 2:1]'");
  EXPECT_EQ(getError("[lane 4:1] x"), "expected '[' before ''");
  for (std::string item :
       {"lanes 4:1", "lane 4", "lane :1", "lane 4:1:1", "lane four:1", "lane"})
    EXPECT_EQ(getError("[" + item + "]"),
              "expected '<register|lane|subgroup> size:stride', got '" + item +
                  "'");
  EXPECT_EQ(getError("[lane 99999999999999999999:1]"),
            "expected '<register|lane|subgroup> size:stride', got 'lane "
            "99999999999999999999:1'");
}

TEST(LayoutTest, SpacesMeanNothing) {
  EXPECT_EQ(parseLayout("  [ register  2:2 ,lane 8 : 4 ]x[lane 4:1,register "
                        "2:1 ]  "),
            parseLayout("[register 2:2, lane 8:4] x [lane 4:1, register 2:1]"));
}

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

// The accumulator of mma.sync.m16n8 as the head of Layout.h shows it.
TEST(LayoutTest, WorkedExample) {
  Layout layout =
      parseLayout("[register 2:2, lane 8:4] x [lane 4:1, register 2:1]");
  EXPECT_EQ(layout.getShape(), (SmallVector<int64_t>{16, 8}));
  EXPECT_EQ(layout.getNumRegisters(), 4);
  EXPECT_EQ(layout.getNumElements(), 128);
  EXPECT_EQ(layout.getReplication(), 1);
  EXPECT_EQ(layout.str(),
            "[register 2:2, lane 8:4] x [lane 4:1, register 2:1]");
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 4; ++reg) {
      auto at = layout.getCoordinate({0, lane, reg});
      EXPECT_EQ(at[0], 8 * (reg / 2) + lane / 4);
      EXPECT_EQ(at[1], 2 * (lane % 4) + reg % 2);
    }
}

TEST(LayoutTest, EightyColumnsAreTenAtomsOfEight) {
  Layout layout =
      parseLayout("[register 2:2, lane 8:4] x [register 10:4, lane 4:1, "
                  "register 2:1]");
  EXPECT_EQ(layout.getShape(), (SmallVector<int64_t>{16, 80}));
  EXPECT_EQ(layout.getNumRegisters(), 40);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t atom = 0; atom < 10; ++atom)
      for (int64_t reg = 0; reg < 4; ++reg) {
        auto at = layout.getCoordinate({0, lane, atom * 4 + reg});
        EXPECT_EQ(at[0], 8 * (reg / 2) + lane / 4);
        EXPECT_EQ(at[1], 8 * atom + 2 * (lane % 4) + reg % 2);
      }
}

TEST(LayoutTest, AScalarIsInRegisterZeroOfEveryThread) {
  Layout layout(4, 2);
  EXPECT_EQ(layout.getRank(), 0u);
  EXPECT_EQ(layout.getNumRegisters(), 1);
  EXPECT_EQ(layout.getNumElements(), 1);
  EXPECT_EQ(layout.getReplication(), 8);
  EXPECT_EQ(layout.str(), "");
  EXPECT_EQ(parseLayout("", 4, 2), layout);
  EXPECT_TRUE(layout.getCoordinate({1, 3, 0}).empty());
  EXPECT_EQ(layout.getAllOwners({}).size(), 8u);
}

/// Checks everything that a layout says of its map against `table`.
static void checkMap(const Layout &layout, const Table &table) {
  ASSERT_EQ(layout.getNumRegisters(), table.numRegisters);
  ASSERT_EQ(layout.getNumLanes(), table.numLanes);
  ASSERT_EQ(layout.getNumSubgroups(), table.numSubgroups);
  ASSERT_TRUE(getTable(layout) == table) << layout;

  auto owners = table.invert();
  EXPECT_EQ(layout.getNumElements(), static_cast<int64_t>(owners.size()));
  EXPECT_EQ(layout.getReplication(),
            static_cast<int64_t>(owners.begin()->second.size()));
  // The largest coordinate is the corner: every coordinate in the shape is
  // held.
  Coordinate corner = owners.rbegin()->first;
  int64_t volume = 1;
  for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
    EXPECT_EQ(layout.getDimSize(dim), corner[dim] + 1);
    volume *= corner[dim] + 1;
  }
  EXPECT_EQ(volume, layout.getNumElements());

  for (const auto &[coordinate, expected] : owners) {
    std::vector<std::array<int64_t, 3>> all;
    for (const Owner &owner : layout.getAllOwners(coordinate))
      all.push_back({owner.subgroup, owner.lane, owner.reg});
    ASSERT_EQ(all, expected) << layout;
  }
}

TEST(LayoutTest, MapsAndTheirInverses) {
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    Spelling spelling = getRandomSpelling(random);
    checkMap(makeLayout(spelling), getTable(spelling));
  }
}

TEST(LayoutTest, TheOwnerNearAThread) {
  Random random(2);
  for (int i = 0; i < 150; ++i) {
    Spelling spelling = getRandomSpelling(random);
    Layout layout = makeLayout(spelling);
    auto owners = getTable(spelling).invert();
    for (int j = 0; j < 40; ++j) {
      auto it = std::next(owners.begin(), random() % owners.size());
      const Coordinate &coordinate = it->first;
      const auto &all = it->second;
      Owner near{static_cast<int64_t>(random() % spelling.numSubgroups),
                 static_cast<int64_t>(random() % spelling.numLanes),
                 static_cast<int64_t>(random() % spelling.numRegisters)};
      Owner owner = layout.getOwner(coordinate, near);
      auto isOwner = [&](int64_t s, int64_t l) {
        return llvm::is_contained(all,
                                  std::array<int64_t, 3>{s, l, all.front()[2]});
      };
      // It is an owner; the thread itself if that is one, else one of its
      // subgroup, else one of the same lane, where there are such.
      ASSERT_TRUE(isOwner(owner.subgroup, owner.lane));
      ASSERT_EQ(owner.reg, all.front()[2]);
      bool inSubgroup = false;
      for (int64_t l = 0; l < spelling.numLanes; ++l)
        inSubgroup |= isOwner(near.subgroup, l);
      EXPECT_EQ(owner.subgroup == near.subgroup, inSubgroup);
      bool inLane = false;
      for (int64_t s = 0; s < spelling.numSubgroups; ++s)
        inLane |= isOwner(s, near.lane);
      EXPECT_EQ(owner.lane == near.lane, inLane);
    }
  }
}

TEST(LayoutTest, DigitsNotReadAgreeWithNear) {
  // Lanes 4 and 8 of 32 are replicas: digits of stride 4 and 8 are not read.
  Layout layout = parseLayout("[lane 2:16, lane 4:1]");
  for (int64_t near = 0; near < 32; ++near)
    for (int64_t at = 0; at < 8; ++at)
      EXPECT_EQ(layout.getOwner({at}, {0, near, 0}).lane,
                at / 4 * 16 + near / 4 % 4 * 4 + at % 4);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(LayoutTest, PrintThenParse) {
  Random random(3);
  std::set<std::string> texts;
  for (int i = 0; i < 5000; ++i) {
    Layout layout = makeLayout(getRandomSpelling(random, 5));
    std::string text = layout.str();
    std::string error;
    std::optional<Layout> parsed = Layout::parse(
        text, layout.getNumLanes(), layout.getNumSubgroups(), &error);
    ASSERT_TRUE(parsed) << text << ": " << error;
    ASSERT_EQ(*parsed, layout) << text;
    ASSERT_EQ(parsed->getNumRegisters(), layout.getNumRegisters()) << text;
    ASSERT_EQ(parsed->str(), text);
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 3000u);
}

//===----------------------------------------------------------------------===//
// The normal form: layouts are equal if and only if their maps are
//===----------------------------------------------------------------------===//

/// The same map, spelled otherwise: digits split in two, digits of size one.
static Spelling respell(const Spelling &spelling, Random &random) {
  Spelling result = spelling;
  for (DimDigits &dim : result.dims) {
    DimDigits digits;
    for (const Digit &digit : dim) {
      if (random() % 4 == 0)
        digits.push_back({static_cast<Axis>(random() % 3), 1, 3});
      int64_t fast = 1;
      for (int64_t size = 2; size < digit.size; ++size)
        if (digit.size % size == 0 && random() % 2)
          fast = size;
      digits.push_back({digit.axis, digit.size / fast, digit.stride * fast});
      digits.push_back({digit.axis, fast, digit.stride});
    }
    dim = digits;
  }
  return result;
}

TEST(LayoutTest, EqualMapsAreEqualLayouts) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    Spelling spelling = getRandomSpelling(random);
    Spelling other = respell(spelling, random);
    ASSERT_EQ(makeLayout(spelling), makeLayout(other));
    ASSERT_EQ(makeLayout(spelling).str(), makeLayout(other).str());
  }
}

/// Calls `callback` with every way to write the digits of `axes` (factors of
/// the extents, all read or not) into `rank` dimensions.
static void
forEachSpelling(Spelling spelling, std::vector<Digit> digits,
                llvm::function_ref<void(const Spelling &)> callback) {
  if (digits.empty())
    return callback(spelling);
  // Any of the digits left goes to the back of any dimension.
  for (size_t i = 0; i < digits.size(); ++i) {
    std::vector<Digit> rest = digits;
    rest.erase(rest.begin() + i);
    for (size_t dim = 0; dim < spelling.dims.size(); ++dim) {
      Spelling next = spelling;
      next.dims[dim].push_back(digits[i]);
      forEachSpelling(next, rest, callback);
    }
  }
}

TEST(LayoutTest, LayoutsAreEqualIfAndOnlyIfTheirMapsAre) {
  // Every spelling of some small extents, among them six lanes in every split.
  std::vector<std::pair<std::vector<Digit>, std::array<int64_t, 2>>> cases;
  auto reg = [](int64_t size, int64_t stride) {
    return Digit{Axis::Register, size, stride};
  };
  auto lane = [](int64_t size, int64_t stride) {
    return Digit{Axis::Lane, size, stride};
  };
  cases.push_back({{lane(2, 1), lane(3, 2), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(3, 1), lane(2, 3), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(6, 1), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(2, 1), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(2, 3), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(3, 2), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(3, 1), reg(2, 1)}, {6, 2}});
  cases.push_back({{lane(3, 1), lane(2, 3)}, {6, 1}});
  cases.push_back({{lane(2, 1), lane(3, 2)}, {6, 1}});
  cases.push_back({{lane(6, 1)}, {6, 1}});
  cases.push_back({{reg(2, 1), reg(3, 2), lane(2, 1)}, {6, 6}});
  cases.push_back({{reg(3, 1), reg(2, 3), lane(2, 1)}, {6, 6}});
  cases.push_back({{reg(6, 1), lane(2, 1)}, {6, 6}});
  cases.push_back({{reg(6, 1), lane(2, 3)}, {6, 6}});
  std::map<std::pair<size_t, std::vector<Coordinate>>, Layout> byMap[7];
  std::map<std::string, std::vector<Coordinate>> byLayout[7];
  int64_t count = 0;
  for (size_t rank : {1, 2, 3})
    for (const auto &[digits, extents] : cases) {
      Spelling start;
      start.dims.resize(rank);
      start.numLanes = extents[0];
      start.numRegisters = extents[1];
      forEachSpelling(start, digits, [&](const Spelling &spelling) {
        ++count;
        Table table = getTable(spelling);
        Layout layout = makeLayout(spelling);
        auto [it, isNew] = byMap[spelling.numRegisters].try_emplace(
            {rank, table.coordinates}, layout);
        EXPECT_EQ(it->second, layout);
        auto [jt, isNewText] = byLayout[spelling.numRegisters].try_emplace(
            layout.str(), table.coordinates);
        EXPECT_EQ(jt->second, table.coordinates) << layout;
      });
    }
  EXPECT_GT(count, 500);
}
