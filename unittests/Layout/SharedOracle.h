//===- SharedOracle.h - Shared memory, element by element -------*- C++ -*-===//
//
// The memory of a tile as an array that says which element each byte belongs
// to, filled by counting. Nothing of SharedLayout's arithmetic is called.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_LAYOUT_SHAREDORACLE_H
#define LINALG_EXT_UNITTESTS_LAYOUT_SHAREDORACLE_H

#include "LayoutOracle.h"
#include "mlir-ext/Layout/SharedMemory.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::layout {

inline std::ostream &operator<<(std::ostream &os, const SharedLayout &layout) {
  return os << layout.str();
}

} // namespace mlir::layout

namespace mlir::layout::test {

/// Flips bit `base + b` for each set bit `base + shift + b`.
inline int64_t swizzleBitByBit(int64_t offset, int64_t bits, int64_t base,
                               int64_t shift) {
  int64_t result = offset;
  for (int64_t b = 0; b < bits; ++b)
    if (offset >> (base + shift + b) & 1)
      result ^= int64_t(1) << (base + b);
  return result;
}

/// Everything that makes a SharedLayout.
struct SharedSpelling {
  Coordinate shape;
  std::vector<unsigned> order;
  int64_t bitWidth;
  int64_t panelColumns = 0;
  int64_t padding = 0;
  Swizzle swizzle = {};
};

/// The byte of each element of the tile.
using Memory = std::map<Coordinate, int64_t>;

/// All coordinates of `shape`, the last dimension fastest.
inline std::vector<Coordinate> getAllCoordinates(const Coordinate &shape) {
  std::vector<Coordinate> all(1);
  for (int64_t size : shape) {
    std::vector<Coordinate> next;
    for (const Coordinate &prefix : all)
      for (int64_t i = 0; i < size; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    all = std::move(next);
  }
  return all;
}

/// Writes panel after panel, in it row after row, in it column after column,
/// counting bytes.
inline Memory getMemory(const SharedSpelling &spelling) {
  int64_t bytes = spelling.bitWidth / 8;
  Coordinate rowShape;
  for (size_t i = 0; i + 1 < spelling.order.size(); ++i)
    rowShape.push_back(spelling.shape[spelling.order[i]]);
  int64_t columns =
      spelling.order.empty() ? 1 : spelling.shape[spelling.order.back()];
  int64_t panelColumns =
      spelling.panelColumns ? spelling.panelColumns : columns;
  Memory memory;
  int64_t position = 0;
  for (int64_t first = 0; first < columns; first += panelColumns)
    for (const Coordinate &row : getAllCoordinates(rowShape)) {
      for (int64_t column = first; column < first + panelColumns; ++column) {
        if (column < columns) {
          Coordinate at(spelling.shape.size());
          for (size_t i = 0; i < row.size(); ++i)
            at[spelling.order[i]] = row[i];
          if (!at.empty())
            at[spelling.order.back()] = column;
          memory[at] =
              swizzleBitByBit(position, spelling.swizzle.bits,
                              spelling.swizzle.base, spelling.swizzle.shift);
        }
        position += bytes;
      }
      position += spelling.padding;
    }
  return memory;
}

inline SharedLayout makeShared(const SharedSpelling &spelling) {
  std::string error;
  std::optional<SharedLayout> shared = SharedLayout::get(
      spelling.shape, spelling.order, spelling.bitWidth, spelling.panelColumns,
      spelling.padding, spelling.swizzle, &error);
  EXPECT_TRUE(shared) << error;
  return shared ? *shared : *SharedLayout::get({}, {}, 8);
}

/// What `shared` was made from.
inline SharedSpelling getSpelling(const SharedLayout &shared) {
  return {toVector(shared.getShape()),
          {shared.getOrder().begin(), shared.getOrder().end()},
          shared.getBitWidth(),
          shared.getPanelColumns(),
          shared.getPadding(),
          shared.getSwizzle()};
}

/// Random panels, padding and swizzles of a tile.
inline SharedSpelling getRandomShared(Random &random, const Coordinate &shape,
                                      int64_t bitWidth) {
  SharedSpelling spelling{shape, {}, bitWidth};
  for (unsigned i = 0; i < shape.size(); ++i)
    spelling.order.push_back(i);
  if (random() % 2)
    std::shuffle(spelling.order.begin(), spelling.order.end(), random);
  int64_t bytes = bitWidth / 8;
  if (random() % 2)
    spelling.panelColumns =
        std::max<int64_t>(pick(random, {16, 32, 64, 128}) / bytes, 1);
  if (random() % 3 == 0)
    spelling.padding = bytes * pick(random, {1, 2, 4, 8});
  if (random() % 2) {
    int64_t least = 0;
    while ((int64_t(1) << least) < bytes)
      ++least;
    int64_t bits = random() % 4;
    spelling.swizzle = {bits, std::max(pick(random, {2, 3, 4, 4, 4}), least),
                        bits + static_cast<int64_t>(random() % 3)};
  }
  return spelling;
}

} // namespace mlir::layout::test

#endif // LINALG_EXT_UNITTESTS_LAYOUT_SHAREDORACLE_H
