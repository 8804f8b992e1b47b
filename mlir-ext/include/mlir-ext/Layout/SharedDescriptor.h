//===- SharedDescriptor.h - What TMA and wgmma can address ------*- C++ -*-===//
//
// TMA writes a tile to shared memory as dense boxes, and wgmma reads its
// operands through 64-bit matrix descriptors. Both know a few arrangements of
// bytes only; whether a `SharedLayout` is one of them is decided here, with a
// reason if it is not.
//
// The arrangements of wgmma (PTX ISA, "Strides" and "Shared Memory Matrix
// Layout"; CuTe, mma_sm90_desc.hpp), as offsets before the swizzle, where T is
// the number of elements in 16 bytes, W the bytes of the swizzle (32, 64, 128),
// LBO and SBO the leading and the stride byte offset:
//
//   K-major, no swizzle   mn % 8 * 16 + mn / 8 * SBO + k / T * LBO + k % T
//   K-major, W            mn % 8 * W  + mn / 8 * SBO + k
//   MN-major, no swizzle  mn % T + mn / T * SBO + k % 8 * 16 + k / 8 * LBO
//   MN-major, W           mn % w + mn / w * LBO + k % 8 * W + k / 8 * SBO
//
// (the terms k, k % T, mn % T and mn % w in elements, w = W / 16 * T columns).
// The first two are SharedLayouts of panels of 16 bytes and W bytes along k,
// the others along mn.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H
#define MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H

#include "mlir-ext/Layout/SharedMemory.h"

#include "llvm/ADT/StringRef.h"

namespace mlir::layout {

/// The swizzles that TMA and wgmma know. The value of each is the one that a
/// wgmma descriptor has in its bits 62 and 63.
enum class SwizzleMode { None = 0, B128 = 1, B64 = 2, B32 = 3 };

llvm::StringRef stringifySwizzleMode(SwizzleMode mode);

/// The bytes of a row of a panel that a mode swizzles; 16 for None.
int64_t getSwizzleBytes(SwizzleMode mode);

/// The mode that swizzles as `swizzle` does, if there is one.
std::optional<SwizzleMode> getSwizzleMode(const Swizzle &swizzle);

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// One copy: the coordinate in the tile of the box's first element, and the
/// byte offset of the box in shared memory.
struct TmaBox {
  llvm::SmallVector<int64_t> coordinate;
  int64_t byteOffset = 0;
};

/// How TMA copies a tile. The tensor map has the dimensions of the tile, its
/// innermost is the last of the layout's order.
struct TmaCopy {
  SwizzleMode mode = SwizzleMode::None;
  /// The size of a box, by dimension of the tile. The last box of a row may
  /// reach beyond the tile, where the layout has room for it.
  llvm::SmallVector<int64_t> boxShape;
  llvm::SmallVector<TmaBox> boxes;
  /// The bytes that a barrier has to expect, for all boxes.
  int64_t numBytes = 0;
};

/// Finds the boxes that TMA copies a tile in. Fails, with `reason` set, if
///   (T1) the tile has no or more than 5 dimensions, or elements of 128 bits;
///   (T2) the swizzle is none of TMA's, or its panels are not as wide as it;
///   (T3) rows are padded;
///   (T4) a row of a box is no multiple of 16 bytes, or has more than 256
///        elements;
///   (T5) a box would start at no multiple of 128 bytes.
std::optional<TmaCopy> getTmaCopy(const SharedLayout &shared,
                                  std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// An operand of wgmma in shared memory: A as (m, k), or B as (n, k).
struct WgmmaOperand {
  SwizzleMode mode = SwizzleMode::None;
  /// Whether k is contiguous; else m (n) is, and the instruction transposes.
  bool isKMajor = true;
  /// In bytes.
  int64_t leadingByteOffset = 16;
  int64_t strideByteOffset = 16;
  /// How many elements of k an instruction takes.
  int64_t kSize = 0;

  /// The descriptor of the instruction whose first element is at `start`, where
  /// `start` is the address of the tile plus getLinearByteOffset of that
  /// element (not swizzled: the hardware swizzles the addresses that it
  /// computes).
  uint64_t getDescriptor(int64_t start) const;
};

/// Finds how wgmma reads a tile of which the dimension `mnDim` is m or n, and
/// `kDim` is k, in instructions of `mnSize` (64 for A, N for B); other
/// dimensions are batches, or stages of a pipeline. Fails, with `reason` set,
/// if
///   (W1) the dimensions are not two different ones of the tile, the
///   instruction
///        does not divide them, or `mnSize` is no multiple of 8;
///   (W2) the elements have neither 8, 16 nor 32 bits, or m (n) is contiguous
///   and
///        they have not 16;
///   (W3) neither k nor m (n) is contiguous;
///   (W4) the swizzle is none of wgmma's, or its panels are not as wide as it
///        (16 bytes for none);
///   (W5) rows are padded;
///   (W6) an offset does not fit its 14 bits;
///   (W7) elements are not where a descriptor would have them.
std::optional<WgmmaOperand> getWgmmaOperand(const SharedLayout &shared,
                                            unsigned mnDim, unsigned kDim,
                                            int64_t mnSize,
                                            std::string *reason = nullptr);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_SHAREDDESCRIPTOR_H
