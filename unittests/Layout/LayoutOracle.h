//===- LayoutOracle.h - What layouts mean, said once more -------*- C++ -*-===//
//
// The meaning of layouts for their tests: digits are read by counting, maps are
// tables filled by loops over every register of every thread, and nothing of
// Layout's own arithmetic is called. Also the random layouts that the laws are
// checked on.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_LAYOUT_LAYOUTORACLE_H
#define LINALG_EXT_UNITTESTS_LAYOUT_LAYOUTORACLE_H

#include "mlir-ext/Layout/Layout.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace mlir::layout {

/// For messages of tests, which are standard streams.
inline std::ostream &operator<<(std::ostream &os, const Layout &layout) {
  return os << layout.str();
}

} // namespace mlir::layout

namespace mlir::layout::test {

using Coordinate = std::vector<int64_t>;
using RawDims = std::vector<DimDigits>;
using Random = std::mt19937;

inline Coordinate toVector(llvm::ArrayRef<int64_t> coordinate) {
  return Coordinate(coordinate.begin(), coordinate.end());
}

/// A layout as somebody writes it, before any normal form.
struct Spelling {
  RawDims dims;
  int64_t numLanes = 1;
  int64_t numSubgroups = 1;
  int64_t numRegisters = 1;
};

/// The digit of `index`, by counting up from zero: every `stride` steps the
/// digit goes on, and returns to zero after `size`.
inline int64_t countDigit(int64_t index, int64_t size, int64_t stride) {
  int64_t digit = 0, step = 0;
  for (int64_t i = 0; i < index; ++i)
    if (++step == stride) {
      step = 0;
      if (++digit == size)
        digit = 0;
    }
  return digit;
}

/// A map as a table: the coordinate of each register of each thread.
struct Table {
  int64_t numSubgroups, numLanes, numRegisters;
  std::vector<Coordinate> coordinates;

  template <typename Function>
  Table(int64_t numSubgroups, int64_t numLanes, int64_t numRegisters,
        Function coordinateOf)
      : numSubgroups(numSubgroups), numLanes(numLanes),
        numRegisters(numRegisters) {
    for (int64_t s = 0; s < numSubgroups; ++s)
      for (int64_t l = 0; l < numLanes; ++l)
        for (int64_t r = 0; r < numRegisters; ++r)
          coordinates.push_back(coordinateOf(s, l, r));
  }

  const Coordinate &at(int64_t subgroup, int64_t lane, int64_t reg) const {
    return coordinates[(subgroup * numLanes + lane) * numRegisters + reg];
  }

  /// All owners of each coordinate, by subgroup, lane and register.
  std::map<Coordinate, std::vector<std::array<int64_t, 3>>> invert() const {
    std::map<Coordinate, std::vector<std::array<int64_t, 3>>> owners;
    for (int64_t s = 0; s < numSubgroups; ++s)
      for (int64_t l = 0; l < numLanes; ++l)
        for (int64_t r = 0; r < numRegisters; ++r)
          owners[at(s, l, r)].push_back({s, l, r});
    return owners;
  }

  bool operator==(const Table &other) const {
    return numSubgroups == other.numSubgroups && numLanes == other.numLanes &&
           numRegisters == other.numRegisters &&
           coordinates == other.coordinates;
  }
};

/// The table of a spelling, by its definition.
inline Table getTable(const Spelling &spelling) {
  // The digits are counted once for each index of an axis.
  auto count = [&](const Digit &digit) {
    int64_t extent = digit.axis == Axis::Register ? spelling.numRegisters
                     : digit.axis == Axis::Lane   ? spelling.numLanes
                                                  : spelling.numSubgroups;
    std::vector<int64_t> values;
    for (int64_t i = 0; i < extent; ++i)
      values.push_back(countDigit(i, digit.size, digit.stride));
    return values;
  };
  std::vector<std::vector<std::vector<int64_t>>> values;
  for (const DimDigits &dim : spelling.dims) {
    values.emplace_back();
    for (const Digit &digit : dim)
      values.back().push_back(count(digit));
  }
  return Table(spelling.numSubgroups, spelling.numLanes, spelling.numRegisters,
               [&](int64_t s, int64_t l, int64_t r) {
                 Coordinate coordinate;
                 for (size_t d = 0; d < spelling.dims.size(); ++d) {
                   int64_t sum = 0;
                   for (size_t i = 0; i < spelling.dims[d].size(); ++i) {
                     int64_t place = 1;
                     for (size_t j = i + 1; j < spelling.dims[d].size(); ++j)
                       place *= spelling.dims[d][j].size;
                     Axis axis = spelling.dims[d][i].axis;
                     int64_t index = axis == Axis::Register ? r
                                     : axis == Axis::Lane   ? l
                                                            : s;
                     sum += place * values[d][i][index];
                   }
                   coordinate.push_back(sum);
                 }
                 return coordinate;
               });
}

/// The table that a layout says it has.
inline Table getTable(const Layout &layout) {
  return Table(layout.getNumSubgroups(), layout.getNumLanes(),
               layout.getNumRegisters(), [&](int64_t s, int64_t l, int64_t r) {
                 return toVector(layout.getCoordinate({s, l, r}));
               });
}

inline int64_t pick(Random &random, llvm::ArrayRef<int64_t> of) {
  return of[random() % of.size()];
}

/// Splits `extent` into digits that are read, in all or in part.
inline void appendDigits(Random &random, Axis axis, int64_t extent,
                         bool mayReplicate, std::vector<Digit> &digits) {
  int64_t stride = 1;
  while (extent > 1) {
    std::vector<int64_t> sizes;
    for (int64_t size = 2; size <= extent; ++size)
      if (extent % size == 0 && (size <= 8 || size == extent))
        sizes.push_back(size);
    int64_t size = pick(random, sizes);
    if (!mayReplicate || random() % 5 != 0)
      digits.push_back({axis, size, stride});
    stride *= size;
    extent /= size;
  }
}

/// A random valid spelling: up to `maxRank` dimensions, some of size one; sizes
/// that are no powers of two; lanes and subgroups that no digit reads; digits
/// of size one anywhere.
inline Spelling getRandomSpelling(Random &random, unsigned maxRank = 4) {
  Spelling spelling;
  spelling.numLanes = pick(random, {1, 2, 4, 6, 8, 12, 32, 32, 32, 64});
  spelling.numSubgroups = pick(random, {1, 1, 2, 3, 4});
  spelling.numRegisters = pick(random, {1, 2, 3, 4, 6, 8, 10, 16, 20, 40});
  spelling.dims.resize(random() % (maxRank + 1));

  std::vector<Digit> digits;
  if (spelling.dims.empty())
    spelling.numRegisters = 1;
  else {
    appendDigits(random, Axis::Register, spelling.numRegisters, false, digits);
    appendDigits(random, Axis::Lane, spelling.numLanes, true, digits);
    appendDigits(random, Axis::Subgroup, spelling.numSubgroups, true, digits);
    for (int i = 0; i < 2; ++i)
      digits.push_back({static_cast<Axis>(random() % 3), 1,
                        static_cast<int64_t>(random() % 9 + 1)});
  }
  std::shuffle(digits.begin(), digits.end(), random);
  for (const Digit &digit : digits)
    spelling.dims[random() % spelling.dims.size()].push_back(digit);
  return spelling;
}

inline Layout makeLayout(const Spelling &spelling) {
  std::string error;
  std::optional<Layout> layout =
      Layout::get(llvm::ArrayRef<DimDigits>(spelling.dims), spelling.numLanes,
                  spelling.numSubgroups, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(Layout());
}

inline Layout parseLayout(llvm::StringRef text, int64_t lanes = 32,
                          int64_t subgroups = 1) {
  std::string error;
  std::optional<Layout> layout = Layout::parse(text, lanes, subgroups, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(Layout());
}

} // namespace mlir::layout::test

#endif // LINALG_EXT_UNITTESTS_LAYOUT_LAYOUTORACLE_H
