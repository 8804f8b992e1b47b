//===- SharedDescriptor.h - TMA boxes and wgmma descriptors -----*- C++ -*-===//
//
// TMA writes a tile to shared memory as dense boxes. wgmma reads its operands
// through 64-bit matrix descriptors. Both support only a few arrangements of
// bytes. This file decides whether a `SharedLayout` is one of them, and gives a
// reason if it is not. A reason is a text in all of this library: a `Refusal`
// names an op, and layouts know none.
//
// The table has the arrangements of wgmma (PTX ISA, "Strides" and "Shared
// Memory Matrix Layout"; CuTe, mma_sm90_desc.hpp), as offsets before the
// swizzle. T is the number of elements in 16 bytes, W the width of the swizzle
// in bytes (32, 64, 128), LBO and SBO the leading and the stride byte offset:
//
//   K-major, no swizzle   mn % 8 * 16 + mn / 8 * SBO + k / T * LBO + k % T
//   K-major, W            mn % 8 * W  + mn / 8 * SBO + k
//   MN-major, no swizzle  mn % T + mn / T * SBO + k % 8 * 16 + k / 8 * LBO
//   MN-major, W           mn % w + mn / w * LBO + k % 8 * W + k / 8 * SBO
//
// The terms k, k % T, mn % T and mn % w count elements, and w = W / 16 * T
// columns. The first two arrangements are SharedLayouts with panels of 16 bytes
// and W bytes along k, the other two along mn.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H
#define MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H

#include "mlir-ext/Layout/SharedMemory.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::layout {

/// The swizzles that TMA and wgmma support. The values are those of bits 62 and
/// 63 of a wgmma descriptor.
enum class SwizzleMode { None = 0, B128 = 1, B64 = 2, B32 = 3 };

llvm::StringRef stringifySwizzleMode(SwizzleMode mode);

/// Returns the bytes of a row of a panel in this mode; 16 for None.
int64_t getSwizzleBytes(SwizzleMode mode);

/// Returns the mode with the pattern of `swizzle`, if there is one.
std::optional<SwizzleMode> getSwizzleMode(const Swizzle &swizzle);

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// Boxes start at multiples of so many bytes in shared memory.
constexpr int64_t kBoxAlignment = 128;

/// One copy: the coordinate of the first element of the box in the tile, and
/// the byte offset of the box in shared memory.
struct TmaBox {
  llvm::SmallVector<int64_t> coordinate;
  int64_t byteOffset = 0;
};

/// How TMA copies a tile. The tensor map has the dimensions of the tile; the
/// innermost is the last dimension in the order of the layout.
struct TmaCopy {
  SwizzleMode mode = SwizzleMode::None;
  /// The size of a box along each dimension of the tile, in elements. The last
  /// box of a row may reach beyond the tile, where the layout has room for it.
  llvm::SmallVector<int64_t> boxShape;
  llvm::SmallVector<TmaBox> boxes;
  /// The bytes of all boxes, which a barrier must wait for.
  int64_t numBytes = 0;
};

/// Finds the boxes with which TMA copies a tile. Fails, with `reason` set, if
///   (T1) the tile has 0 or more than 5 dimensions, or elements of 128 bits;
///   (T2) the swizzle is not one of TMA's, or the panels do not have its width;
///   (T3) rows are padded;
///   (T4) a row of a box is not a multiple of 16 bytes, or has more than 256
///        elements;
///   (T5) a box does not start at a multiple of 128 bytes.
std::optional<TmaCopy> getTmaCopy(const SharedLayout &shared,
                                  std::string *reason = nullptr);

/// Finds the boxes with which TMA copies a tile whose rows come from `parts`
/// places: equal parts along the first dimension, of which each has boxes of its
/// own. Fails, with `reason` set, if `getTmaCopy` does, or
///   (T6) the first dimension is not the slowest one, or `parts` does not divide
///        it;
///   (T7) a part does not start where the pattern of the swizzle does.
std::optional<TmaCopy> getTmaCopyOfParts(const SharedLayout &shared,
                                         int64_t parts,
                                         std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// An operand of wgmma in shared memory: A as (m, k), or B as (n, k).
struct WgmmaOperand {
  SwizzleMode mode = SwizzleMode::None;
  /// Whether k is contiguous. Otherwise m (n) is contiguous, and the
  /// instruction transposes.
  bool isKMajor = true;
  /// The offsets of the descriptor, in bytes.
  int64_t leadingByteOffset = 16;
  int64_t strideByteOffset = 16;
  /// The number of elements along k that one instruction takes.
  int64_t kSize = 0;

  /// Returns the descriptor of the instruction whose first element is at
  /// address `start`. `start` is the address of the tile plus
  /// getLinearByteOffset of that element. It is not swizzled, because the
  /// hardware swizzles the addresses that it computes.
  uint64_t getDescriptor(int64_t start) const;
};

/// Finds how wgmma reads a tile. Dimension `mnDim` of the tile is m (for A) or
/// n (for B), and `kDim` is k. `mnSize` is the size of the instruction along
/// `mnDim`: 64 for A, N for B. All other dimensions are batches or pipeline
/// stages. Fails, with `reason` set, if
///   (W1) `mnDim` and `kDim` are not two different dimensions of the tile, the
///        instruction does not divide them, or `mnSize` is not a multiple of 8;
///   (W2) the elements do not have 8, 16 or 32 bits, or m (n) is contiguous and
///        they do not have 16 bits;
///   (W3) neither k nor m (n) is contiguous;
///   (W4) the swizzle is not one of wgmma's, or the panels do not have its
///        width (16 bytes if there is no swizzle);
///   (W5) rows are padded;
///   (W6) an offset does not fit its 14 bits;
///   (W7) elements are not at the addresses that the hardware would read.
std::optional<WgmmaOperand> getWgmmaOperand(const SharedLayout &shared,
                                            unsigned mnDim, unsigned kDim,
                                            int64_t mnSize,
                                            std::string *reason = nullptr);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H
