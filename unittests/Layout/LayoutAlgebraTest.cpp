//===- LayoutAlgebraTest.cpp - Layouts from layouts -----------------------===//
//
// Each operation's postcondition at every register of every thread of random
// layouts.
//
//===----------------------------------------------------------------------===//

#include "LayoutOracle.h"

#include <numeric>

using namespace mlir::layout;
using namespace mlir::layout::test;
using llvm::SmallVector;

/// Calls `check` with random layouts and their tables.
static void forRandomLayouts(
    unsigned seed, int count,
    llvm::function_ref<void(const Layout &, const Table &, Random &)> check) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    Spelling spelling = getRandomSpelling(random);
    check(makeLayout(spelling), getTable(spelling), random);
    if (testing::Test::HasFailure())
      return;
  }
}

/// Expects `layout` to have the map that `coordinateOf` computes.
template <typename Function>
static void expectMap(const Layout &layout, int64_t numSubgroups,
                      int64_t numLanes, int64_t numRegisters,
                      Function coordinateOf) {
  ASSERT_EQ(layout.getNumSubgroups(), numSubgroups);
  ASSERT_EQ(layout.getNumLanes(), numLanes);
  ASSERT_EQ(layout.getNumRegisters(), numRegisters) << layout;
  Table expected(numSubgroups, numLanes, numRegisters, coordinateOf);
  EXPECT_TRUE(getTable(layout) == expected) << layout;
}

static int64_t linearize(const Coordinate &coordinate,
                         llvm::ArrayRef<int64_t> shape) {
  int64_t linear = 0;
  for (size_t i = 0; i < coordinate.size(); ++i) {
    int64_t volume = 1;
    for (size_t j = i + 1; j < shape.size(); ++j)
      volume *= shape[j];
    linear += coordinate[i] * volume;
  }
  return linear;
}

TEST(LayoutAlgebraTest, Permute) {
  forRandomLayouts(
      11, 300, [](const Layout &layout, const Table &table, Random &random) {
        SmallVector<unsigned> perm(layout.getRank());
        std::iota(perm.begin(), perm.end(), 0);
        std::shuffle(perm.begin(), perm.end(), random);
        expectMap(layout.permute(perm), table.numSubgroups, table.numLanes,
                  table.numRegisters, [&](int64_t s, int64_t l, int64_t r) {
                    Coordinate result;
                    for (unsigned dim : perm)
                      result.push_back(table.at(s, l, r)[dim]);
                    return result;
                  });
      });
}

TEST(LayoutAlgebraTest, Project) {
  forRandomLayouts(
      12, 300, [](const Layout &layout, const Table &table, Random &random) {
        SmallVector<bool> removed;
        for (unsigned i = 0; i < layout.getRank(); ++i)
          removed.push_back(random() % 2);
        auto project = [&](const Coordinate &coordinate) {
          Coordinate result;
          for (size_t i = 0; i < coordinate.size(); ++i)
            if (!removed[i])
              result.push_back(coordinate[i]);
          return result;
        };
        // The registers that hold something new, in their order.
        std::vector<Coordinate> seen;
        std::vector<int64_t> kept, keptOf;
        for (int64_t r = 0; r < table.numRegisters; ++r) {
          Coordinate at = project(table.at(0, 0, r));
          auto it = std::find(seen.begin(), seen.end(), at);
          keptOf.push_back(it - seen.begin());
          if (it != seen.end())
            continue;
          seen.push_back(at);
          kept.push_back(r);
        }
        Layout projected = layout.project(removed);
        expectMap(projected, table.numSubgroups, table.numLanes, kept.size(),
                  [&](int64_t s, int64_t l, int64_t r) {
                    return project(table.at(s, l, kept[r]));
                  });
        for (int64_t r = 0; r < table.numRegisters; ++r)
          EXPECT_EQ(layout.getProjectedRegister(r, removed), keptOf[r])
              << layout;
      });
}

TEST(LayoutAlgebraTest, RowStatisticsOfAnAccumulator) {
  // One register for each of the two rows of a thread, in its four lanes.
  Layout rows =
      parseLayout("[register 2:2, lane 8:4] x [register 10:4, lane 4:1, "
                  "register 2:1]")
          .project({false, true});
  EXPECT_EQ(rows.str(), "[register 2:1, lane 8:4]");
  EXPECT_EQ(rows.getReplication(), 4);
}

TEST(LayoutAlgebraTest, Broadcast) {
  forRandomLayouts(
      13, 300, [](const Layout &layout, const Table &table, Random &random) {
        unsigned dim = random() % (layout.getRank() + 1);
        int64_t size = pick(random, {1, 2, 3, 5, 8});
        expectMap(layout.broadcast(dim, size), table.numSubgroups,
                  table.numLanes, table.numRegisters * size,
                  [&](int64_t s, int64_t l, int64_t r) {
                    Coordinate result = table.at(s, l, r % table.numRegisters);
                    result.insert(result.begin() + dim, r / table.numRegisters);
                    return result;
                  });
        SmallVector<bool> removed(layout.getRank() + 1, false);
        removed[dim] = true;
        EXPECT_EQ(layout.broadcast(dim, size).project(removed), layout);
      });
}

TEST(LayoutAlgebraTest, RepeatOverRegisters) {
  forRandomLayouts(
      14, 300, [](const Layout &layout, const Table &table, Random &random) {
        if (layout.getRank() == 0)
          return;
        unsigned dim = random() % layout.getRank();
        int64_t size = layout.getDimSize(dim);
        int64_t count = pick(random, {1, 2, 3, 10});
        std::optional<Layout> result =
            layout.repeat(dim, Axis::Register, count);
        ASSERT_TRUE(result);
        expectMap(*result, table.numSubgroups, table.numLanes,
                  table.numRegisters * count,
                  [&](int64_t s, int64_t l, int64_t r) {
                    Coordinate at = table.at(s, l, r % table.numRegisters);
                    at[dim] += r / table.numRegisters * size;
                    return at;
                  });
      });
}

TEST(LayoutAlgebraTest, RepeatOverThreads) {
  int64_t successes = 0, failures = 0;
  forRandomLayouts(
      15, 600, [&](const Layout &layout, const Table &table, Random &random) {
        if (layout.getRank() == 0)
          return;
        bool isLane = random() % 2;
        unsigned dim = random() % layout.getRank();
        int64_t size = layout.getDimSize(dim);
        int64_t count = pick(random, {2, 3, 4});
        std::optional<int64_t> stride;
        if (random() % 2)
          stride = pick(random, {1, 2, 4, 8, 32});

        // The digits of the axis that are read, by marking the strides at which
        // a step changes something; the end of the slowest is the default
        // stride.
        int64_t extent = isLane ? table.numLanes : table.numSubgroups;
        SmallVector<Digit> digits;
        for (const DimDigits &d : layout.getDims())
          for (const Digit &digit : d)
            if (digit.axis == (isLane ? Axis::Lane : Axis::Subgroup))
              digits.push_back(digit);
        int64_t end = 1;
        for (const Digit &digit : digits)
          end = std::max(end, digit.stride * digit.size);
        int64_t newStride = stride.value_or(end);
        int64_t newEnd = newStride * count;
        // Disjoint from each digit there is, and nested with it.
        bool fits = true;
        for (const Digit &digit : digits) {
          int64_t itsEnd = digit.stride * digit.size;
          fits &= newStride >= itsEnd ? newStride % itsEnd == 0
                                      : digit.stride % newEnd == 0;
        }
        int64_t newExtent = std::max(extent, newEnd);
        fits &= newExtent % std::max(end, newEnd) == 0;

        std::optional<Layout> result = layout.repeat(
            dim, isLane ? Axis::Lane : Axis::Subgroup, count, stride);
        ASSERT_EQ(result.has_value(), fits)
            << layout << " repeat " << count << ":" << newStride;
        (fits ? successes : failures) += 1;
        if (!fits)
          return;
        expectMap(*result, isLane ? table.numSubgroups : newExtent,
                  isLane ? newExtent : table.numLanes, table.numRegisters,
                  [&](int64_t s, int64_t l, int64_t r) {
                    int64_t copy = (isLane ? l : s) / newStride % count;
                    Coordinate at =
                        table.at(s % table.numSubgroups, l % table.numLanes, r);
                    at[dim] += copy * size;
                    return at;
                  });
      });
  EXPECT_GT(successes, 100);
  EXPECT_GT(failures, 100);
}

TEST(LayoutAlgebraTest, RepeatWhereAStrideIsTaken) {
  Layout layout = parseLayout("[lane 8:4] x [lane 4:1]");
  EXPECT_FALSE(layout.repeat(0, Axis::Lane, 2, 4));
  EXPECT_FALSE(layout.repeat(0, Axis::Lane, 2, 16));
  std::optional<Layout> wider = layout.repeat(0, Axis::Lane, 2);
  ASSERT_TRUE(wider);
  EXPECT_EQ(wider->getNumLanes(), 64);
  EXPECT_EQ(*wider, parseLayout("[lane 16:4] x [lane 4:1]", 64));
}

/// A random shape of as many elements as `volume`.
static SmallVector<int64_t> getRandomShape(Random &random, int64_t volume) {
  SmallVector<int64_t> shape;
  for (int i = 0; i < 3; ++i) {
    std::vector<int64_t> divisors;
    for (int64_t size = 1; size <= volume; ++size)
      if (volume % size == 0)
        divisors.push_back(size);
    shape.push_back(pick(random, divisors));
    volume /= shape.back();
  }
  shape.push_back(volume);
  std::shuffle(shape.begin(), shape.end(), random);
  return shape;
}

/// Whether boundaries of `shape` cut no digit where they do not divide it. The
/// boundaries are the volumes of the innermost dimensions. Neighbours that are
/// one digit count as one, of whatever dimensions.
static bool mayReshape(const Layout &layout, llvm::ArrayRef<int64_t> shape) {
  SmallVector<Digit> digits; // Slowest first.
  for (const DimDigits &dim : layout.getDims())
    for (const Digit &digit : dim) {
      if (!digits.empty() && digits.back().axis == digit.axis &&
          digits.back().stride == digit.stride * digit.size)
        digits.back() = {digit.axis, digits.back().size * digit.size,
                         digit.stride};
      else
        digits.push_back(digit);
    }
  int64_t cut = 1;
  for (int64_t size : llvm::reverse(shape)) {
    cut *= size;
    int64_t place = 1;
    for (const Digit &digit : llvm::reverse(digits)) {
      int64_t next = place * digit.size;
      if (place < cut && cut < next && (cut % place != 0 || next % cut != 0))
        return false;
      place = next;
    }
  }
  return true;
}

TEST(LayoutAlgebraTest, Reshape) {
  int64_t successes = 0, failures = 0;
  forRandomLayouts(
      16, 600, [&](const Layout &layout, const Table &table, Random &random) {
        SmallVector<int64_t> shape =
            getRandomShape(random, layout.getNumElements());
        std::optional<Layout> result = layout.reshape(shape);
        EXPECT_EQ(result.has_value(), mayReshape(layout, shape)) << layout;
        (result ? successes : failures) += 1;
        if (result) {
          EXPECT_EQ(result->getShape(), shape);
          expectMap(*result, table.numSubgroups, table.numLanes,
                    table.numRegisters, [&](int64_t s, int64_t l, int64_t r) {
                      int64_t linear =
                          linearize(table.at(s, l, r), layout.getShape());
                      Coordinate at(shape.size());
                      for (size_t i = shape.size(); i-- > 0;) {
                        at[i] = linear % shape[i];
                        linear /= shape[i];
                      }
                      return at;
                    });
        }
        // To one dimension and back, always.
        std::optional<Layout> flat = layout.reshape({layout.getNumElements()});
        ASSERT_TRUE(flat);
        std::optional<Layout> back = flat->reshape(layout.getShape());
        ASSERT_TRUE(back);
        EXPECT_EQ(*back, layout);
        // Dimensions of size one come and go.
        SmallVector<int64_t> padded = layout.getShape();
        padded.insert(padded.begin() + random() % (padded.size() + 1), 1);
        EXPECT_TRUE(layout.reshape(padded));
      });
  EXPECT_GT(successes, 100);
  EXPECT_GT(failures, 50);
}

TEST(LayoutAlgebraTest, ReshapeThatDoesNotFit) {
  Layout layout = parseLayout("[lane 32:1] x [register 6:1]");
  EXPECT_FALSE(layout.reshape({48, 4}));    // 4 does not divide 6.
  EXPECT_TRUE(layout.reshape({64, 3}));     // 3 does.
  EXPECT_FALSE(layout.reshape({32, 7}));    // Not as many elements:
  EXPECT_FALSE(layout.reshape({32, 3}));    // too few,
  EXPECT_FALSE(layout.reshape({64, 6}));    // too many,
  EXPECT_FALSE(layout.reshape({0, 32, 6})); // none,
  EXPECT_FALSE(layout.reshape({-32, -6}));  // and no shape.
  EXPECT_FALSE(layout.reshape({}));
  EXPECT_TRUE(Layout(32, 2).reshape({}));
  EXPECT_TRUE(Layout(32, 2).reshape({1, 1}));
}

TEST(LayoutAlgebraTest, Replicate) {
  forRandomLayouts(
      17, 200, [](const Layout &layout, const Table &table, Random &random) {
        int64_t count = random() % 3 + 1;
        expectMap(layout.replicate(count), table.numSubgroups * count,
                  table.numLanes, table.numRegisters,
                  [&](int64_t s, int64_t l, int64_t r) {
                    return table.at(s % table.numSubgroups, l, r);
                  });
      });
}

/// Whether aligned runs of `size` elements along `dim` are aligned runs of
/// registers of one thread.
static bool isContiguous(const Table &table, unsigned dim, int64_t dimSize,
                         int64_t size) {
  if (dimSize % size != 0)
    return false;
  auto owners = table.invert();
  for (const auto &[coordinate, all] : owners) {
    Coordinate start = coordinate;
    start[dim] = coordinate[dim] / size * size;
    const auto &starts = owners.at(start);
    for (size_t i = 0; i < all.size(); ++i)
      if (starts.size() != all.size() || starts[i][0] != all[i][0] ||
          starts[i][1] != all[i][1] || starts[i][2] % size != 0 ||
          all[i][2] != starts[i][2] + coordinate[dim] - start[dim])
        return false;
  }
  return true;
}

TEST(LayoutAlgebraTest, Contiguity) {
  std::map<int64_t, int64_t> seen;
  forRandomLayouts(
      18, 400, [&](const Layout &layout, const Table &table, Random &) {
        for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
          int64_t expected = 1;
          while (isContiguous(table, dim, layout.getDimSize(dim), expected * 2))
            expected *= 2;
          EXPECT_EQ(layout.getContiguity(dim), expected)
              << layout << " " << dim;
          ++seen[expected];
        }
      });
  EXPECT_GT(seen[2], 10);
  EXPECT_GT(seen[4], 5);
}
