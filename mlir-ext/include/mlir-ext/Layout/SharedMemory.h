//===- SharedMemory.h - Layouts of tiles in shared memory -------*- C++ -*-===//
//
// A `SharedLayout` maps each element of a tile to its address in shared memory
// (LDS):
//
//     coordinate in the tile  ->  byte offset.
//
// It is a row-major array whose dimensions are in a given order. The last
// dimension of this order is contiguous. A *row* is a run of that dimension,
// and its elements are the columns. Three features avoid bank conflicts when
// threads read a column:
//
//   padding    rows start further apart than they are long;
//   panels     the columns are cut into panels that follow each other in
//              memory, and each panel has all rows: TMA and wgmma use these;
//   swizzle    bits of the byte offset that come from the row are XORed into
//              bits that come from the column.
//
// For example, TMA with SWIZZLE_128B stores 64 rows of 128 f16 as two panels of
// 64 columns (128 bytes), and XORs bits 7..9 into bits 4..6:
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
// TMA and wgmma apply the XOR to addresses, so the base of the tile must be
// aligned to getAlignment(). The XOR is its own inverse and stays in an aligned
// block. So every layout is injective by construction.
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

/// XORs `bits` bits of a byte offset, from bit `base + shift` on, into the bits
/// from bit `base` on. This is Swizzle<bits, base, shift> of CuTe, applied to
/// bytes.
struct Swizzle {
  int64_t bits = 0;
  int64_t base = 0;
  int64_t shift = 0;

  bool isIdentity() const { return bits == 0; }
  int64_t apply(int64_t offset) const {
    int64_t mask = ((int64_t(1) << bits) - 1) << base;
    return offset ^ ((offset >> shift) & mask);
  }
  /// Returns the number of bytes after which the pattern repeats; 1 for the
  /// identity.
  int64_t getPeriod() const {
    return isIdentity() ? 1 : int64_t(1) << (bits + base + shift);
  }
  bool operator==(const Swizzle &other) const {
    return bits == other.bits && base == other.base && shift == other.shift;
  }
  bool operator!=(const Swizzle &other) const { return !(*this == other); }
};

/// A map coordinate -> byte offset; see the head of this file. It is immutable
/// and always valid.
class SharedLayout {
public:
  /// Makes a layout of elements of `bitWidth` bits. `order` lists the
  /// dimensions, slowest first. `panelColumns` is the number of columns of a
  /// panel; 0 stands for all columns. The last panel may be partly empty.
  /// `padding` is the number of unused bytes after each row. Fails, with
  /// `error` set, if
  ///   (S1) a size is not positive, or `order` is no permutation of the
  ///        dimensions;
  ///   (S2) `bitWidth` is not 8, 16, 32, 64 or 128;
  ///   (S3) `panelColumns` or `padding` is negative, or `padding` is no
  ///        multiple of the bytes of an element;
  ///   (S4) a parameter of the swizzle is negative, the swizzle spans more than
  ///        32 bits, it splits an element, or it is not its own inverse
  ///        (`shift` less than `bits`).
  static std::optional<SharedLayout>
  get(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order,
      int64_t bitWidth, int64_t panelColumns = 0, int64_t padding = 0,
      Swizzle swizzle = {}, std::string *error = nullptr);

  /// Makes panels of `panelBytes` = 32, 64 or 128 bytes for each row, with the
  /// swizzle of that name of TMA and wgmma. Fails for other sizes, and as `get`
  /// does.
  static std::optional<SharedLayout>
  getSwizzledPanels(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<unsigned> order, int64_t bitWidth,
                    int64_t panelBytes, std::string *error = nullptr);

  unsigned getRank() const { return shape.size(); }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// Returns the dimensions, slowest first.
  llvm::ArrayRef<unsigned> getOrder() const { return order; }
  int64_t getBitWidth() const { return bitWidth; }
  int64_t getElementBytes() const { return bitWidth / 8; }
  const Swizzle &getSwizzle() const { return swizzle; }
  int64_t getPadding() const { return padding; }

  /// Returns the size of the contiguous dimension (1 for rank 0), and the
  /// product of the sizes of all others.
  int64_t getNumColumns() const;
  int64_t getNumRows() const;
  int64_t getPanelColumns() const { return panelColumns; }
  int64_t getNumPanels() const;
  /// Return the distance of a row to the next, and of a panel to the next, in
  /// bytes.
  int64_t getRowStride() const { return rowStride; }
  int64_t getPanelStride() const { return panelStride; }

  /// Return the size of the tile and the required alignment of its base, in
  /// bytes.
  int64_t getSizeInBytes() const;
  int64_t getAlignment() const;

  /// Return the byte offset of an element, with the swizzle and without.
  /// `coordinate` must be in the shape.
  int64_t getByteOffset(llvm::ArrayRef<int64_t> coordinate) const {
    return swizzle.apply(getLinearByteOffset(coordinate));
  }
  int64_t getLinearByteOffset(llvm::ArrayRef<int64_t> coordinate) const;

  /// The same by row and column. The row counts all dimensions but the
  /// contiguous one, and the column is the contiguous one. Both functions are
  /// linear: getRow(a + b) = getRow(a) + getRow(b).
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

  /// The inverse: returns the element that starts at `offset`, if there is one.
  std::optional<llvm::SmallVector<int64_t>> getCoordinate(int64_t offset) const;

  bool operator==(const SharedLayout &other) const {
    return shape == other.shape && order == other.order &&
           bitWidth == other.bitWidth && panelColumns == other.panelColumns &&
           padding == other.padding && swizzle == other.swizzle;
  }
  bool operator!=(const SharedLayout &other) const { return !(*this == other); }

  /// Prints a description to read, such as `64x128 of 16 bits, order 0 1,
  /// panels of 64 columns, swizzle 3:4:3` (bits:base:shift).
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
