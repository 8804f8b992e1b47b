//===- SharedMemory.cpp - Layouts of tiles in shared memory ---------------===//
//
// Computes byte offsets in shared memory, and their inverse.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/SharedMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::layout;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

static bool isPermutation(ArrayRef<unsigned> order, size_t rank) {
  SmallVector<bool> seen(rank, false);
  for (unsigned dim : order) {
    if (dim >= rank || seen[dim])
      return false;
    seen[dim] = true;
  }
  return order.size() == rank;
}

static std::string describe(const Swizzle &swizzle) {
  return (Twine(swizzle.bits) + ":" + Twine(swizzle.base) + ":" +
          Twine(swizzle.shift))
      .str();
}

std::optional<SharedLayout>
SharedLayout::get(ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                  int64_t bitWidth, int64_t panelColumns, int64_t padding,
                  Swizzle swizzle, std::string *error) {
  auto fail = [&](const Twine &message) -> std::optional<SharedLayout> {
    if (error)
      *error = message.str();
    return std::nullopt;
  };
  for (int64_t size : shape)
    if (size < 1)
      return fail("expected positive sizes, got " + Twine(size));
  if (!isPermutation(order, shape.size()))
    return fail("expected the order to be a permutation of " +
                Twine(shape.size()) + " dimensions");
  if (bitWidth < 8 || bitWidth > 128 || !llvm::isPowerOf2_64(bitWidth))
    return fail("expected elements of 8, 16, 32, 64 or 128 bits, got " +
                Twine(bitWidth));
  int64_t bytes = bitWidth / 8;
  if (panelColumns < 0)
    return fail("expected panels of a positive number of columns, got " +
                Twine(panelColumns));
  if (padding < 0 || padding % bytes != 0)
    return fail("expected a padding of a multiple of " + Twine(bytes) +
                " bytes, got " + Twine(padding));
  if (swizzle.bits < 0 || swizzle.base < 0 || swizzle.shift < 0 ||
      swizzle.bits > 32 || swizzle.base > 32 || swizzle.shift > 32 ||
      swizzle.bits + swizzle.base + swizzle.shift > 32)
    return fail("expected a swizzle within 32 bits, got " + describe(swizzle));
  if (!swizzle.isIdentity() && (int64_t(1) << swizzle.base) < bytes)
    return fail("swizzle " + describe(swizzle) + " splits elements of " +
                Twine(bytes) + " bytes");
  if (swizzle.shift < swizzle.bits)
    return fail("expected a swizzle that shifts by at least its " +
                Twine(swizzle.bits) + " bits, got " + describe(swizzle));

  SharedLayout result;
  result.shape.assign(shape.begin(), shape.end());
  result.order.assign(order.begin(), order.end());
  result.bitWidth = bitWidth;
  int64_t columns = result.getNumColumns();
  result.panelColumns = panelColumns == 0 ? columns : panelColumns;
  result.padding = padding;
  result.swizzle = swizzle.isIdentity() ? Swizzle() : swizzle;
  result.rowStride = result.panelColumns * bytes + padding;
  result.panelStride = result.rowStride * result.getNumRows();
  return result;
}

std::optional<SharedLayout>
SharedLayout::getSwizzledPanels(ArrayRef<int64_t> shape,
                                ArrayRef<unsigned> order, int64_t bitWidth,
                                int64_t panelBytes, std::string *error) {
  if (panelBytes != 32 && panelBytes != 64 && panelBytes != 128) {
    if (error)
      *error = "expected panels of 32, 64 or 128 bytes, got " +
               std::to_string(panelBytes);
    return std::nullopt;
  }
  Swizzle swizzle{static_cast<int64_t>(llvm::Log2_64(panelBytes / 16)), 4, 3};
  int64_t panelColumns = bitWidth < 8 ? 0 : panelBytes / (bitWidth / 8);
  return get(shape, order, bitWidth, panelColumns, /*padding=*/0, swizzle,
             error);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t SharedLayout::getNumColumns() const {
  return shape.empty() ? 1 : shape[order.back()];
}

int64_t SharedLayout::getNumRows() const {
  int64_t rows = 1;
  for (unsigned dim : llvm::ArrayRef(order).drop_back(order.empty() ? 0 : 1))
    rows *= shape[dim];
  return rows;
}

int64_t SharedLayout::getNumPanels() const {
  return llvm::divideCeil(getNumColumns(), panelColumns);
}

int64_t SharedLayout::getSizeInBytes() const {
  // The XOR maps each block of this size to itself.
  int64_t block = int64_t(1) << (swizzle.bits + swizzle.base);
  return llvm::alignTo(getNumPanels() * getPanelStride(), block);
}

int64_t SharedLayout::getAlignment() const {
  return std::max<int64_t>({16, getElementBytes(), swizzle.getPeriod()});
}

//===----------------------------------------------------------------------===//
// The map and its inverse
//===----------------------------------------------------------------------===//

int64_t SharedLayout::getRow(ArrayRef<int64_t> coordinate) const {
  int64_t row = 0;
  for (unsigned dim : llvm::ArrayRef(order).drop_back(order.empty() ? 0 : 1))
    row = row * shape[dim] + coordinate[dim];
  return row;
}

int64_t SharedLayout::getLinearByteOffset(ArrayRef<int64_t> coordinate) const {
  return getLinearByteOffset(getRow(coordinate), getColumn(coordinate));
}

std::optional<SmallVector<int64_t>>
SharedLayout::getCoordinate(int64_t offset) const {
  if (offset < 0 || offset >= getSizeInBytes())
    return std::nullopt;
  int64_t linear = swizzle.apply(offset);
  int64_t panel = linear / getPanelStride();
  int64_t row = linear % getPanelStride() / getRowStride();
  int64_t byte = linear % getRowStride();
  int64_t column = panel * panelColumns + byte / getElementBytes();
  if (byte % getElementBytes() != 0 ||
      byte / getElementBytes() >= panelColumns || column >= getNumColumns())
    return std::nullopt;
  SmallVector<int64_t> coordinate(shape.size());
  if (order.empty())
    return coordinate;
  coordinate[order.back()] = column;
  for (unsigned dim : llvm::reverse(llvm::ArrayRef(order).drop_back())) {
    coordinate[dim] = row % shape[dim];
    row /= shape[dim];
  }
  return coordinate;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void SharedLayout::print(llvm::raw_ostream &os) const {
  llvm::interleave(shape, os, "x");
  os << " of " << bitWidth << " bits, order ";
  llvm::interleave(order, os, " ");
  if (panelColumns != getNumColumns())
    os << ", panels of " << panelColumns << " columns";
  if (padding)
    os << ", padding " << padding << " bytes";
  if (!swizzle.isIdentity())
    os << ", swizzle " << describe(swizzle);
}

std::string SharedLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
