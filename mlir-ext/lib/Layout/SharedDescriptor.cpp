//===- SharedDescriptor.cpp - TMA boxes and wgmma descriptors -------------===//
//
// Derives the parameters of a descriptor from the offsets of a few elements.
// Then compares the address of every element of every instruction with the
// address that the hardware would read.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/SharedDescriptor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir::layout;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

StringRef mlir::layout::stringifySwizzleMode(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return "none";
  case SwizzleMode::B128:
    return "128 bytes";
  case SwizzleMode::B64:
    return "64 bytes";
  case SwizzleMode::B32:
    return "32 bytes";
  }
  llvm_unreachable("unknown mode");
}

int64_t mlir::layout::getSwizzleBytes(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return 16;
  case SwizzleMode::B128:
    return 128;
  case SwizzleMode::B64:
    return 64;
  case SwizzleMode::B32:
    return 32;
  }
  llvm_unreachable("unknown mode");
}

std::optional<SwizzleMode>
mlir::layout::getSwizzleMode(const Swizzle &swizzle) {
  if (swizzle.isIdentity())
    return SwizzleMode::None;
  if (swizzle == Swizzle{3, 4, 3})
    return SwizzleMode::B128;
  if (swizzle == Swizzle{2, 4, 3})
    return SwizzleMode::B64;
  if (swizzle == Swizzle{1, 4, 3})
    return SwizzleMode::B32;
  return std::nullopt;
}

/// Returns the swizzle mode if panels are as wide as the swizzle. Otherwise
/// sets `reason`.
static std::optional<SwizzleMode> getPanelMode(const SharedLayout &shared,
                                               std::string &reason) {
  std::optional<SwizzleMode> mode = getSwizzleMode(shared.getSwizzle());
  if (!mode) {
    reason = "the swizzle is none of 128, 64 and 32 bytes";
    return std::nullopt;
  }
  int64_t panelBytes = shared.getPanelColumns() * shared.getElementBytes();
  int64_t expected = getSwizzleBytes(*mode);
  if (*mode != SwizzleMode::None && panelBytes != expected) {
    reason = "a swizzle of " + std::to_string(expected) +
             " bytes expects panels of as many, got " +
             std::to_string(panelBytes);
    return std::nullopt;
  }
  return mode;
}

static std::string describePadding(const SharedLayout &shared) {
  return "rows are padded by " + std::to_string(shared.getPadding()) + " bytes";
}

/// Calls `callback` with every coordinate of a grid with the steps `step`,
/// until it returns false. Returns true if it never returned false.
static bool forEachStep(ArrayRef<int64_t> shape, ArrayRef<int64_t> step,
                        llvm::function_ref<bool(ArrayRef<int64_t>)> callback) {
  SmallVector<int64_t> at(shape.size(), 0);
  while (true) {
    if (!callback(at))
      return false;
    int64_t dim = shape.size() - 1;
    for (; dim >= 0; --dim) {
      at[dim] += step[dim];
      if (at[dim] < shape[dim])
        break;
      at[dim] = 0;
    }
    if (dim < 0)
      return true;
  }
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxBoxSize = 256;

/// Returns the shape of a box. A box has the columns of a panel, and as much of
/// the other dimensions, fastest first, as fits. The first dimension that does
/// not fit is cut into equal parts, if possible ones that start at even
/// indices. The slower dimensions are cut into slices of size 1.
static SmallVector<int64_t> getBoxShape(const SharedLayout &shared) {
  SmallVector<int64_t> box(shared.getRank(), 1);
  ArrayRef<unsigned> order = shared.getOrder();
  box[order.back()] = shared.getPanelColumns();
  int64_t bytes = shared.getRowStride();
  for (unsigned dim : llvm::reverse(order.drop_back())) {
    int64_t size = shared.getShape()[dim];
    int64_t best = size <= kMaxBoxSize ? size : 1;
    for (int64_t part = 2; part <= kMaxBoxSize && size > kMaxBoxSize; ++part)
      if (size % part == 0 &&
          (bytes * part % kBoxAlignment == 0 || bytes * best % kBoxAlignment))
        best = part;
    box[dim] = best;
    bytes *= best;
    if (best != size)
      break;
  }
  return box;
}

std::optional<TmaCopy> mlir::layout::getTmaCopy(const SharedLayout &shared,
                                                std::string *reason) {
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  if (shared.getRank() < 1 || shared.getRank() > 5)
    return fail("expected 1 to 5 dimensions, got " + Twine(shared.getRank()));
  if (shared.getBitWidth() > 64)
    return fail("expected elements of at most 64 bits, got " +
                Twine(shared.getBitWidth()));
  std::string modeReason;
  std::optional<SwizzleMode> mode = getPanelMode(shared, modeReason);
  if (!mode)
    return fail(modeReason);
  if (shared.getPadding() != 0)
    return fail(describePadding(shared) + ", and a box is dense");
  if (shared.getRowStride() % 16 != 0)
    return fail("expected rows of a multiple of 16 bytes, got " +
                Twine(shared.getRowStride()));
  if (shared.getPanelColumns() > kMaxBoxSize)
    return fail("expected rows of at most 256 elements, got " +
                Twine(shared.getPanelColumns()));

  TmaCopy copy;
  copy.mode = *mode;
  copy.boxShape = getBoxShape(shared);
  int64_t boxBytes = shared.getElementBytes();
  for (int64_t size : copy.boxShape)
    boxBytes *= size;
  int64_t misplaced = 0;
  bool isAligned =
      forEachStep(shared.getShape(), copy.boxShape, [&](ArrayRef<int64_t> at) {
        TmaBox box;
        box.coordinate.assign(at.begin(), at.end());
        box.byteOffset = misplaced = shared.getLinearByteOffset(at);
        copy.boxes.push_back(std::move(box));
        copy.numBytes += boxBytes;
        return misplaced % kBoxAlignment == 0;
      });
  if (!isAligned)
    return fail("expected boxes at multiples of 128 bytes, got one at " +
                Twine(misplaced));
  return copy;
}

std::optional<TmaCopy>
mlir::layout::getTmaCopyOfParts(const SharedLayout &shared, int64_t parts,
                                std::string *reason) {
  std::optional<TmaCopy> whole = getTmaCopy(shared, reason);
  if (!whole || parts == 1)
    return whole;
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  if (shared.getOrder().size() < 2 || shared.getOrder().front() != 0)
    return fail("expected parts along the slowest dimension");
  int64_t size = shared.getShape().front();
  if (parts < 1 || size % parts != 0)
    return fail("expected a number of parts that divides " + Twine(size) +
                ", got " + Twine(parts));
  SmallVector<int64_t> one(shared.getRank(), 0);
  one.front() = size / parts;
  // The distance between two parts in a panel, in bytes.
  int64_t bytes = shared.getRow(one) * shared.getRowStride();
  // The swizzle depends on the address only, so a box may start anywhere in the
  // period of the pattern.
  if (bytes % kBoxAlignment != 0)
    return fail("expected parts of a multiple of " + Twine(kBoxAlignment) +
                " bytes, got " + Twine(bytes));
  TmaCopy copy;
  copy.mode = whole->mode;
  copy.numBytes = whole->numBytes;
  copy.boxShape = whole->boxShape;
  int64_t &rows = copy.boxShape.front();
  rows = std::gcd(rows, one.front());
  for (const TmaBox &box : whole->boxes)
    for (int64_t at = 0; at < whole->boxShape.front(); at += rows) {
      TmaBox &cut = copy.boxes.emplace_back(box);
      cut.coordinate.front() += at;
      one.front() = at;
      cut.byteOffset += shared.getRow(one) * shared.getRowStride();
    }
  return copy;
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

uint64_t WgmmaOperand::getDescriptor(int64_t start) const {
  auto encode = [](int64_t bytes) {
    return (static_cast<uint64_t>(bytes) & 0x3FFFF) >> 4;
  };
  return encode(start) | encode(leadingByteOffset) << 16 |
         encode(strideByteOffset) << 32 | static_cast<uint64_t>(mode) << 62;
}

/// Returns the offset, before the swizzle, at which the hardware reads element
/// (mn, k) of an instruction; see the head of SharedDescriptor.h.
static int64_t getHardwareOffset(const WgmmaOperand &operand, int64_t mn,
                                 int64_t k, int64_t elementBytes) {
  int64_t width = getSwizzleBytes(operand.mode);
  int64_t columns = width / elementBytes;
  // The contiguous index and the other one.
  int64_t fast = operand.isKMajor ? k : mn, slow = operand.isKMajor ? mn : k;
  int64_t acrossFast = operand.leadingByteOffset;
  int64_t acrossSlow = operand.strideByteOffset;
  if (operand.mode == SwizzleMode::None && !operand.isKMajor)
    std::swap(acrossFast, acrossSlow);
  return fast % columns * elementBytes + fast / columns * acrossFast +
         slow % 8 * width + slow / 8 * acrossSlow;
}

/// Checks W1 to W5, and determines the swizzle mode and which dimension is
/// contiguous. Sets `reason` on failure.
static std::optional<WgmmaOperand> getMode(const SharedLayout &shared,
                                           unsigned mnDim, unsigned kDim,
                                           int64_t mnSize,
                                           std::string &reason) {
  auto fail = [&](const Twine &message) {
    reason = message.str();
    return std::nullopt;
  };
  ArrayRef<int64_t> shape = shared.getShape();
  if (mnDim == kDim || mnDim >= shape.size() || kDim >= shape.size())
    return fail("expected two different dimensions of " + Twine(shape.size()) +
                ", got " + Twine(mnDim) + " and " + Twine(kDim));
  int64_t bits = shared.getBitWidth();
  if (bits != 8 && bits != 16 && bits != 32)
    return fail("expected elements of 8, 16 or 32 bits, got " + Twine(bits));
  WgmmaOperand operand;
  operand.kSize = 256 / bits;
  if (mnSize < 8 || mnSize % 8 != 0)
    return fail("expected an instruction of a multiple of 8, got " +
                Twine(mnSize));
  if (shape[mnDim] % mnSize != 0 || shape[kDim] % operand.kSize != 0)
    return fail("instructions of " + Twine(mnSize) + "x" +
                Twine(operand.kSize) + " do not divide " + Twine(shape[mnDim]) +
                "x" + Twine(shape[kDim]));
  unsigned fastest = shared.getOrder().back();
  if (fastest != kDim && fastest != mnDim)
    return fail("dimension " + Twine(fastest) + " is contiguous, expected " +
                Twine(mnDim) + " or " + Twine(kDim));
  operand.isKMajor = fastest == kDim;
  if (!operand.isKMajor && bits != 16)
    return fail("expected k to be contiguous for elements of " + Twine(bits) +
                " bits");
  std::optional<SwizzleMode> mode = getPanelMode(shared, reason);
  if (!mode)
    return std::nullopt;
  int64_t panelBytes = shared.getPanelColumns() * shared.getElementBytes();
  if (*mode == SwizzleMode::None && panelBytes != 16)
    return fail("no swizzle expects panels of 16 bytes, got " +
                Twine(panelBytes));
  if (shared.getPadding() != 0)
    return fail(describePadding(shared));
  operand.mode = *mode;
  return operand;
}

/// Computes the two offsets of the descriptor from the layout. Leaves an offset
/// unchanged if the instruction does not use it.
static void setOffsets(WgmmaOperand &operand, const SharedLayout &shared,
                       unsigned mnDim, unsigned kDim, int64_t mnSize) {
  unsigned fastDim = operand.isKMajor ? kDim : mnDim;
  unsigned slowDim = operand.isKMajor ? mnDim : kDim;
  int64_t fastSize = operand.isKMajor ? operand.kSize : mnSize;
  int64_t slowSize = operand.isKMajor ? mnSize : operand.kSize;
  auto getOffset = [&](unsigned dim, int64_t index) {
    SmallVector<int64_t> at(shared.getRank(), 0);
    at[dim] = index;
    return shared.getLinearByteOffset(at);
  };
  int64_t *acrossFast = &operand.leadingByteOffset;
  int64_t *acrossSlow = &operand.strideByteOffset;
  if (operand.mode == SwizzleMode::None && !operand.isKMajor)
    std::swap(acrossFast, acrossSlow);
  if (fastSize > shared.getPanelColumns())
    *acrossFast = getOffset(fastDim, shared.getPanelColumns());
  if (slowSize > 8)
    *acrossSlow = getOffset(slowDim, 8);
}

std::optional<WgmmaOperand>
mlir::layout::getWgmmaOperand(const SharedLayout &shared, unsigned mnDim,
                              unsigned kDim, int64_t mnSize,
                              std::string *reason) {
  std::string text;
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  std::optional<WgmmaOperand> operand =
      getMode(shared, mnDim, kDim, mnSize, text);
  if (!operand)
    return fail(text);
  setOffsets(*operand, shared, mnDim, kDim, mnSize);
  for (int64_t offset : {operand->leadingByteOffset, operand->strideByteOffset})
    if (offset % 16 != 0 || offset >= int64_t(1) << 18)
      return fail("expected offsets of less than 262144 bytes, got " +
                  Twine(offset));

  int64_t elementBytes = shared.getElementBytes();
  SmallVector<int64_t> step(shared.getRank(), 1);
  step[mnDim] = mnSize;
  step[kDim] = operand->kSize;
  // Check that the elements of each instruction are where the hardware reads
  // them. A descriptor without a base offset requires that an instruction
  // starts in the first row of the swizzle's pattern. This check implies it:
  // consecutive rows of m (n), or of k, are adjacent, and an instruction has a
  // multiple of eight of them.
  forEachStep(shared.getShape(), step, [&](ArrayRef<int64_t> at) {
    int64_t start = shared.getLinearByteOffset(at);
    SmallVector<int64_t> element(at.begin(), at.end());
    for (int64_t mn = 0; mn < mnSize; ++mn)
      for (int64_t k = 0; k < operand->kSize; ++k) {
        element[mnDim] = at[mnDim] + mn;
        element[kDim] = at[kDim] + k;
        int64_t expected =
            start + getHardwareOffset(*operand, mn, k, elementBytes);
        if (shared.getLinearByteOffset(element) != expected) {
          text = "element (" + std::to_string(element[mnDim]) + ", " +
                 std::to_string(element[kDim]) + ") is not at byte " +
                 std::to_string(expected) + ", where a descriptor has it";
          return false;
        }
      }
    return true;
  });
  if (!text.empty())
    return fail(text);
  return operand;
}
