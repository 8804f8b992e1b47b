//===- SharedMemory.h - Where the elements of a tile lie --------*- C++ -*-===//
//
// A `SharedLayout` says at which byte of shared memory (LDS) each element of a
// tile lies:
//
//     coordinate in the tile  ->  byte offset.
//
// It is a row-major array in an order of the dimensions that one chooses, of
// which the last is contiguous. A *row* is a run of that dimension, its
// elements are the columns. Three things may keep threads that read a column
// from meeting in one bank:
//
//   padding    rows start further apart than they are long;
//   panels     the columns are cut into panels, which lie one behind the other,
//              each with all rows: the arrays that TMA and wgmma know;
//   swizzle    bits of the byte offset that come from the row are XORed into
//              bits that come from the column.
//
// For example, 64 rows of 128 f16 as TMA's SWIZZLE_128B leaves them are two
// panels of 64 columns, 128 bytes, with XOR of bits 7..9 into bits 4..6:
//
//     linear = (column / 64) * 8192 + row * 128 + (column % 64) * 2
//     offset = linear ^ (((linear >> 3) & (7 << 4)))
//
//     byte       0    16    32    48    64    80    96   112
//     row 0    c 0   c 8   c16   c24   c32   c40   c48   c56
//     row 1    c 8   c 0   c24   c16   c40   c32   c56   c48
//     row 2    c16   c24   c 0   c 8   c48   c56   c32   c40
//     ...
//
// The XOR is one of addresses, so the base of the tile must be aligned to
// getAlignment(). It is its own inverse, and stays in an aligned block, so that
// every layout is injective by construction.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_SHAREDMEMORY_H
#define MLIR_EXT_LAYOUT_SHAREDMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::layout {

/// XOR of `bits` bits of a byte offset, from bit `base + shift` on, into those
/// from bit `base` on. (CuTe: Swizzle<bits, base, shift>, on bytes.)
struct Swizzle {
  int64_t bits = 0;
  int64_t base = 0;
  int64_t shift = 0;

  bool isIdentity() const { return bits == 0; }
  int64_t apply(int64_t offset) const {
    int64_t mask = ((int64_t(1) << bits) - 1) << base;
    return offset ^ ((offset >> shift) & mask);
  }
  /// The number of bytes after which the pattern repeats; 1 for the identity.
  int64_t getPeriod() const {
    return isIdentity() ? 1 : int64_t(1) << (bits + base + shift);
  }
  bool operator==(const Swizzle &other) const {
    return bits == other.bits && base == other.base && shift == other.shift;
  }
  bool operator!=(const Swizzle &other) const { return !(*this == other); }
};

/// A map coordinate -> byte offset; see the head of this file. Immutable, and
/// always valid.
class SharedLayout {
public:
  /// Makes a layout. `order` lists the dimensions, slowest first;
  /// `panelColumns` is the number of columns of a panel, 0 for all of them (the
  /// last panel may be filled in part); `padding` is in bytes a row. Fails,
  /// with `error` set, if
  ///   (S1) a size is not positive, or `order` is no permutation of the
  ///        dimensions;
  ///   (S2) `bitWidth` is not 8, 16, 32, 64 or 128;
  ///   (S3) `panelColumns` or `padding` is negative, or `padding` no multiple
  ///   of
  ///        the bytes of an element;
  ///   (S4) the swizzle is negative or larger than 32 bits, splits an element,
  ///        or is not its own inverse (`shift` less than `bits`).
  static std::optional<SharedLayout>
  get(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order,
      int64_t bitWidth, int64_t panelColumns = 0, int64_t padding = 0,
      Swizzle swizzle = {}, std::string *error = nullptr);

  /// Panels of 32, 64 or 128 bytes a row, with the swizzle that TMA and wgmma
  /// know under that name. Fails for other sizes, and as `get` does.
  static std::optional<SharedLayout>
  getSwizzledPanels(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<unsigned> order, int64_t bitWidth,
                    int64_t panelBytes, std::string *error = nullptr);

  unsigned getRank() const { return shape.size(); }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// The dimensions, slowest first.
  llvm::ArrayRef<unsigned> getOrder() const { return order; }
  int64_t getBitWidth() const { return bitWidth; }
  int64_t getElementBytes() const { return bitWidth / 8; }
  const Swizzle &getSwizzle() const { return swizzle; }
  int64_t getPadding() const { return padding; }

  /// The size of the contiguous dimension (1 for rank 0), and of all others.
  int64_t getNumColumns() const;
  int64_t getNumRows() const;
  int64_t getPanelColumns() const { return panelColumns; }
  int64_t getNumPanels() const;
  /// From a row to the next, and from a panel to the next, in bytes.
  int64_t getRowStride() const { return rowStride; }
  int64_t getPanelStride() const { return panelStride; }

  /// What the tile takes, in bytes, and how its base must be aligned.
  int64_t getSizeInBytes() const;
  int64_t getAlignment() const;

  /// The byte offset of an element, and what it is before the swizzle. Requires
  /// `coordinate` to be in the shape.
  int64_t getByteOffset(llvm::ArrayRef<int64_t> coordinate) const {
    return swizzle.apply(getLinearByteOffset(coordinate));
  }
  int64_t getLinearByteOffset(llvm::ArrayRef<int64_t> coordinate) const;

  /// The same by row and column: all dimensions but the contiguous one as one,
  /// and that one. Both are sums over the dimensions, so that the parts of a
  /// coordinate that is a sum can be added up.
  int64_t getRow(llvm::ArrayRef<int64_t> coordinate) const;
  int64_t getColumn(llvm::ArrayRef<int64_t> coordinate) const {
    return order.empty() ? 0 : coordinate[order.back()];
  }
  int64_t getByteOffset(int64_t row, int64_t column) const {
    return swizzle.apply(getLinearByteOffset(row, column));
  }
  int64_t getLinearByteOffset(int64_t row, int64_t column) const {
    int64_t panel = column / panelColumns;
    return panel * getPanelStride() + row * getRowStride() +
           (column - panel * panelColumns) * getElementBytes();
  }

  /// The inverse: the element that starts at `offset`, if one does.
  std::optional<llvm::SmallVector<int64_t>> getCoordinate(int64_t offset) const;

  bool operator==(const SharedLayout &other) const {
    return shape == other.shape && order == other.order &&
           bitWidth == other.bitWidth && panelColumns == other.panelColumns &&
           padding == other.padding && swizzle == other.swizzle;
  }
  bool operator!=(const SharedLayout &other) const { return !(*this == other); }

  /// For people, for example `64x128 of 16 bits, order 0 1, panels of 64
  /// columns, swizzle 3:4:3` (bits:base:shift).
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  SharedLayout() = default;

  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<unsigned> order;
  int64_t bitWidth = 8;
  int64_t panelColumns = 1;
  int64_t padding = 0;
  Swizzle swizzle;
  // What follows from these, for getByteOffset.
  int64_t rowStride = 1, panelStride = 1;
};

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_SHAREDMEMORY_H
