//===- SharedAccess.cpp - Registers to shared memory and back -------------===//
//
// Vectors, matrices, wavefronts, and the choice that follows from them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/SharedAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <cassert>
#include <map>
#include <tuple>
#include <vector>

using namespace mlir::layout;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

namespace {
/// The byte offset of every register of every thread.
class Offsets {
public:
  Offsets(const Layout &layout, const SharedLayout &shared)
      : numLanes(layout.getNumLanes()), numRegisters(layout.getNumRegisters()),
        numSubgroups(layout.getNumSubgroups()) {
    assert(llvm::equal(layout.getShape(), shared.getShape()) &&
           "expected equal shapes");
    offsets.reserve(numSubgroups * numLanes * numRegisters);
    for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
      for (int64_t lane = 0; lane < numLanes; ++lane)
        for (int64_t reg = 0; reg < numRegisters; ++reg)
          offsets.push_back(shared.getByteOffset(
              layout.getCoordinate({subgroup, lane, reg})));
  }

  int64_t get(int64_t subgroup, int64_t lane, int64_t reg) const {
    return offsets[(subgroup * numLanes + lane) * numRegisters + reg];
  }
  int64_t get(const Owner &owner) const {
    return get(owner.subgroup, owner.lane, owner.reg);
  }

  const int64_t numLanes, numRegisters, numSubgroups;

private:
  std::vector<int64_t> offsets;
};
} // namespace

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

int64_t mlir::layout::getLanesPerPhase(int64_t bytes) {
  return kNumBanks * kBankBytes / std::max(bytes, kBankBytes);
}

int64_t mlir::layout::getNumWavefronts(ArrayRef<int64_t> offsets,
                                       int64_t bytes) {
  int64_t wavefronts = 0;
  int64_t lanes = getLanesPerPhase(bytes);
  while (!offsets.empty()) {
    std::array<SmallVector<int64_t, 4>, kNumBanks> words;
    size_t most = 0;
    for (int64_t offset : offsets.take_front(lanes))
      for (int64_t word = offset / kBankBytes;
           word <= (offset + bytes - 1) / kBankBytes; ++word) {
        auto &bank = words[word % kNumBanks];
        if (!llvm::is_contained(bank, word))
          bank.push_back(word);
        most = std::max(most, bank.size());
      }
    wavefronts += most;
    offsets = offsets.drop_front(std::min<size_t>(lanes, offsets.size()));
  }
  return wavefronts;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether `registers` are at consecutive addresses in every thread, the first
/// a multiple of the bytes of all.
static bool isVector(ArrayRef<int64_t> registers, const Offsets &offsets,
                     int64_t elementBytes) {
  int64_t bytes = registers.size() * elementBytes;
  for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < offsets.numLanes; ++lane) {
      int64_t start = offsets.get(subgroup, lane, registers.front());
      if (start % bytes != 0)
        return false;
      for (auto [i, reg] : llvm::enumerate(registers))
        if (offsets.get(subgroup, lane, reg) !=
            start + static_cast<int64_t>(i) * elementBytes)
          return false;
    }
  return true;
}

static SmallVector<VectorAccess> getVectorAccesses(const Offsets &offsets,
                                                   int64_t elementBytes,
                                                   int64_t maxBytes) {
  // The registers that are left, by their address in the first thread: what is
  // a vector in every thread is one there.
  std::map<int64_t, int64_t> left;
  for (int64_t reg = 0; reg < offsets.numRegisters; ++reg)
    left[offsets.get(0, 0, reg)] = reg;
  SmallVector<VectorAccess> accesses;
  for (int64_t bytes = std::max(maxBytes, elementBytes); bytes >= elementBytes;
       bytes /= 2) {
    SmallVector<int64_t> starts;
    for (auto [offset, reg] : left)
      if (offset % bytes == 0)
        starts.push_back(offset);
    for (int64_t start : starts) {
      SmallVector<int64_t> registers;
      for (int64_t offset = start; offset < start + bytes;
           offset += elementBytes)
        if (auto it = left.find(offset); it != left.end())
          registers.push_back(it->second);
      if (static_cast<int64_t>(registers.size()) * elementBytes != bytes ||
          !isVector(registers, offsets, elementBytes))
        continue;
      for (int64_t offset = start; offset < start + bytes;
           offset += elementBytes)
        left.erase(offset);
      accesses.push_back({std::move(registers), bytes});
    }
  }
  llvm::sort(accesses, [](const VectorAccess &a, const VectorAccess &b) {
    return *llvm::min_element(a.registers) < *llvm::min_element(b.registers);
  });
  return accesses;
}

SmallVector<VectorAccess>
mlir::layout::getVectorAccesses(const Layout &layout,
                                const SharedLayout &shared, int64_t maxBytes) {
  return ::getVectorAccesses(Offsets(layout, shared), shared.getElementBytes(),
                             llvm::bit_floor(static_cast<uint64_t>(maxBytes)));
}

static AccessCost getCost(ArrayRef<VectorAccess> accesses,
                          const Offsets &offsets) {
  AccessCost cost;
  for (const VectorAccess &access : accesses) {
    int64_t slowest = 0;
    for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
      SmallVector<int64_t> starts;
      for (int64_t lane = 0; lane < offsets.numLanes; ++lane)
        starts.push_back(offsets.get(subgroup, lane, access.registers.front()));
      slowest = std::max(slowest, getNumWavefronts(starts, access.bytes));
    }
    ++cost.numInstructions;
    cost.numWavefronts += slowest;
    cost.minWavefronts +=
        llvm::divideCeil(offsets.numLanes, getLanesPerPhase(access.bytes));
  }
  return cost;
}

AccessCost mlir::layout::getCost(ArrayRef<VectorAccess> accesses,
                                 const Layout &layout,
                                 const SharedLayout &shared) {
  return ::getCost(accesses, Offsets(layout, shared));
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

static constexpr int64_t kRowsPerMatrix = 8;
static constexpr int64_t kRowBytes = 16;
static constexpr int64_t kWordBytes = 4;

/// The owner of the first element of row `row` of a matrix that fills
/// `registers`.
static Owner getFirstOwnerOfRow(ArrayRef<int64_t> registers, bool isTransposed,
                                int64_t subgroup, int64_t row) {
  if (isTransposed)
    return {subgroup, row / 2, registers[row % 2]};
  return {subgroup, row * 4, registers.front()};
}

Owner MatrixAccess::getRowOwner(int64_t subgroup, int64_t lane) const {
  int64_t matrix = lane / kRowsPerMatrix % getNumMatrices();
  return getFirstOwnerOfRow(registers[matrix], isTransposed, subgroup,
                            lane % kRowsPerMatrix);
}

/// Whether ldmatrix fills `registers` from some eight rows.
static bool isMatrix(ArrayRef<int64_t> registers, bool isTransposed,
                     const Offsets &offsets, int64_t elementBytes) {
  for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
    std::array<int64_t, kRowsPerMatrix> rows;
    for (int64_t row = 0; row < kRowsPerMatrix; ++row) {
      rows[row] = offsets.get(
          getFirstOwnerOfRow(registers, isTransposed, subgroup, row));
      if (rows[row] % kRowBytes != 0)
        return false;
    }
    for (int64_t lane = 0; lane < offsets.numLanes; ++lane)
      for (auto [i, reg] : llvm::enumerate(registers)) {
        int64_t index = i;
        int64_t row = isTransposed ? lane % 4 * 2 + index : lane / 4;
        int64_t byte = isTransposed
                           ? lane / 4 * elementBytes
                           : lane % 4 * kWordBytes + index * elementBytes;
        if (offsets.get(subgroup, lane, reg) != rows[row] + byte)
          return false;
      }
  }
  return true;
}

/// The registers in the words of ldmatrix, or nothing if it does not fit.
static std::optional<SmallVector<SmallVector<int64_t, 2>>>
getMatrixRegisters(const Offsets &offsets, bool isTransposed,
                   int64_t elementBytes) {
  SmallVector<SmallVector<int64_t, 2>> matrices;
  int64_t perWord = kWordBytes / elementBytes;
  // Words of a plain matrix are words in memory. Transposed, any two registers
  // that each hold a row make a word; neighbours spare a repacking.
  std::map<int64_t, int64_t> byOffset;
  for (int64_t reg = 0; reg < offsets.numRegisters; ++reg)
    byOffset[isTransposed ? reg * elementBytes : offsets.get(0, 0, reg)] = reg;
  for (auto it = byOffset.begin(); it != byOffset.end();) {
    SmallVector<int64_t, 2> registers;
    for (int64_t i = 0; i < perWord && it != byOffset.end(); ++i, ++it)
      registers.push_back(it->second);
    if (static_cast<int64_t>(registers.size()) != perWord ||
        !isMatrix(registers, isTransposed, offsets, elementBytes))
      return std::nullopt;
    matrices.push_back(std::move(registers));
  }
  llvm::sort(matrices);
  return matrices;
}

static std::optional<SmallVector<MatrixAccess>>
getMatrixAccesses(const Offsets &offsets, int64_t elementBytes,
                  std::string *reason) {
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  if (offsets.numLanes != 32)
    return fail("expected subgroups of 32 lanes, got " +
                Twine(offsets.numLanes));
  if (elementBytes > kWordBytes)
    return fail("expected elements of at most 32 bits, got " +
                Twine(elementBytes * 8));
  for (bool isTransposed : {false, true}) {
    if (isTransposed && elementBytes != 2)
      continue;
    auto matrices = getMatrixRegisters(offsets, isTransposed, elementBytes);
    if (!matrices)
      continue;
    SmallVector<MatrixAccess> accesses;
    auto left = llvm::ArrayRef(*matrices);
    for (size_t count : {4, 2, 1})
      while (left.size() >= count) {
        MatrixAccess access;
        access.isTransposed = isTransposed;
        access.registers.assign(left.begin(), left.begin() + count);
        accesses.push_back(std::move(access));
        left = left.drop_front(count);
      }
    return accesses;
  }
  return fail("the registers are not words of rows of 16 bytes in lanes 4 r to "
              "4 r + 3" +
              Twine(elementBytes == 2 ? ", nor is their transpose" : ""));
}

std::optional<SmallVector<MatrixAccess>> mlir::layout::getMatrixAccesses(
    const Layout &layout, const SharedLayout &shared, std::string *reason) {
  return ::getMatrixAccesses(Offsets(layout, shared), shared.getElementBytes(),
                             reason);
}

static AccessCost getCost(ArrayRef<MatrixAccess> accesses,
                          const Offsets &offsets) {
  AccessCost cost;
  for (const MatrixAccess &access : accesses) {
    int64_t slowest = 0;
    int64_t numRows = access.getNumMatrices() * kRowsPerMatrix;
    for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
      SmallVector<int64_t> rows;
      for (int64_t lane = 0; lane < numRows; ++lane)
        rows.push_back(offsets.get(access.getRowOwner(subgroup, lane)));
      slowest = std::max(slowest, getNumWavefronts(rows, kRowBytes));
    }
    ++cost.numInstructions;
    cost.numWavefronts += slowest;
    cost.minWavefronts += access.getNumMatrices();
  }
  return cost;
}

AccessCost mlir::layout::getCost(ArrayRef<MatrixAccess> accesses,
                                 const Layout &layout,
                                 const SharedLayout &shared) {
  return ::getCost(accesses, Offsets(layout, shared));
}

//===----------------------------------------------------------------------===//
// The choice of a layout in shared memory
//===----------------------------------------------------------------------===//

/// The forms of a tile whose dimensions are in `order`, simplest first.
static void appendForms(ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                        int64_t bitWidth, SmallVector<SharedLayout> &forms) {
  auto append = [&](std::optional<SharedLayout> form) {
    if (form)
      forms.push_back(std::move(*form));
  };
  std::optional<SharedLayout> plain = SharedLayout::get(shape, order, bitWidth);
  append(plain);
  if (!plain)
    return;
  int64_t rowBytes = plain->getRowStride();
  int64_t elementBytes = plain->getElementBytes();
  for (int64_t panelBytes : {128, 64, 32})
    if (rowBytes >= panelBytes)
      append(
          SharedLayout::getSwizzledPanels(shape, order, bitWidth, panelBytes));
  // Whole rows: units of 16 bytes down to an element, moved by the bits of the
  // row. Where a row is shorter than all banks, several rows move alike.
  int64_t rowBits = llvm::Log2_64(rowBytes);
  if (llvm::isPowerOf2_64(rowBytes))
    for (int64_t base = 4; (int64_t(1) << base) >= elementBytes; --base)
      for (int64_t bits = std::min<int64_t>(rowBits - base, 5); bits >= 1;
           --bits)
        for (int64_t from = rowBits; from <= std::max<int64_t>(rowBits, 7);
             ++from)
          append(SharedLayout::get(shape, order, bitWidth, /*panelColumns=*/0,
                                   /*padding=*/0, {bits, base, from - base}));
  for (int64_t padding = 16; padding >= elementBytes; padding /= 2)
    append(
        SharedLayout::get(shape, order, bitWidth, /*panelColumns=*/0, padding));
}

/// The cheaper of vectors and, if they may be used, matrices.
static AccessCost getBestCost(const Layout &layout, const SharedLayout &shared,
                              bool mayUseMatrices, bool &usesMatrices) {
  Offsets offsets(layout, shared);
  AccessCost cost = getCost(
      getVectorAccesses(offsets, shared.getElementBytes(), /*maxBytes=*/16),
      offsets);
  usesMatrices = false;
  if (!mayUseMatrices)
    return cost;
  auto matrices =
      getMatrixAccesses(offsets, shared.getElementBytes(), /*reason=*/nullptr);
  if (!matrices)
    return cost;
  AccessCost matrixCost = getCost(*matrices, offsets);
  usesMatrices = matrixCost.getTotal() < cost.getTotal();
  return usesMatrices ? matrixCost : cost;
}

SharedLayoutChoice
mlir::layout::chooseSharedLayout(const Layout &writer, const Layout &reader,
                                 int64_t bitWidth,
                                 const SharedLayoutOptions &options) {
  SmallVector<int64_t> shape = writer.getShape();
  assert(shape == reader.getShape() && "expected equal shapes");
  SmallVector<SharedLayout> forms;
  // Any dimension may be contiguous, the last one first; the others keep their
  // order.
  for (int64_t last = shape.size() - 1; last >= 0; --last) {
    SmallVector<unsigned> order;
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      if (dim != last)
        order.push_back(dim);
    order.push_back(last);
    appendForms(shape, order, bitWidth, forms);
  }
  if (shape.empty())
    appendForms(shape, {}, bitWidth, forms);
  assert(!forms.empty() && "expected a width that SharedLayout knows");

  std::optional<SharedLayoutChoice> best;
  auto getKey = [](const SharedLayoutChoice &choice) {
    return std::make_tuple(choice.write.getTotal() + choice.read.getTotal(),
                           choice.layout.getSizeInBytes());
  };
  for (const SharedLayout &form : forms) {
    SharedLayoutChoice choice{form, {}, {}};
    choice.write =
        getBestCost(writer, form, options.matrixStores, choice.writesMatrices);
    choice.read =
        getBestCost(reader, form, options.matrixLoads, choice.readsMatrices);
    if (!best || getKey(choice) < getKey(*best))
      best = std::move(choice);
  }
  return *best;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Whether rows are a whole number of chunks of `bytes` bytes, each of which is
/// in one piece in shared memory, and aligned.
static bool isChunked(const SharedLayout &shared, int64_t bytes) {
  int64_t elementBytes = shared.getElementBytes();
  if (bytes % elementBytes != 0 ||
      shared.getNumColumns() * elementBytes % bytes != 0)
    return false;
  AsyncCopy copy{bytes, shared.getNumRows() * shared.getNumColumns() *
                            elementBytes / bytes};
  for (int64_t chunk = 0; chunk < copy.numChunks; ++chunk) {
    SmallVector<int64_t> at = getChunkCoordinate(copy, shared, chunk);
    int64_t start = shared.getByteOffset(at);
    if (start % bytes != 0)
      return false;
    for (int64_t byte = 0; byte < bytes; byte += elementBytes) {
      if (shared.getByteOffset(at) != start + byte)
        return false;
      ++at[shared.getOrder().back()];
    }
  }
  return true;
}

std::optional<AsyncCopy> mlir::layout::getAsyncCopy(const SharedLayout &shared,
                                                    unsigned contiguousDim,
                                                    int64_t globalAlignment,
                                                    std::string *reason) {
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  if (shared.getRank() == 0)
    return fail("expected at least one dimension");
  if (shared.getOrder().back() != contiguousDim)
    return fail("dimension " + Twine(contiguousDim) +
                " is contiguous in global memory, dimension " +
                Twine(shared.getOrder().back()) + " in shared memory");
  for (int64_t bytes : {16, 8, 4})
    if (globalAlignment % bytes == 0 && isChunked(shared, bytes))
      return AsyncCopy{bytes, shared.getNumRows() * shared.getNumColumns() *
                                  shared.getElementBytes() / bytes};
  return fail(
      "expected rows of aligned chunks of 4, 8 or 16 bytes; rows have " +
      Twine(shared.getNumColumns() * shared.getElementBytes()) +
      " bytes, and start at multiples of " + Twine(shared.getRowStride()) +
      " bytes in shared memory and of " + Twine(globalAlignment) +
      " in global memory");
}

SmallVector<int64_t>
mlir::layout::getChunkCoordinate(const AsyncCopy &copy,
                                 const SharedLayout &shared, int64_t chunk) {
  int64_t element = chunk * copy.chunkBytes / shared.getElementBytes();
  SmallVector<int64_t> coordinate(shared.getRank());
  for (unsigned dim : llvm::reverse(shared.getOrder())) {
    coordinate[dim] = element % shared.getShape()[dim];
    element /= shared.getShape()[dim];
  }
  return coordinate;
}
