//===- SharedAccess.cpp - Accesses to tiles in shared memory --------------===//
//
// Finds vector accesses and matrix accesses, counts their wavefronts, and
// chooses a layout in shared memory by trying all candidates.
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

using namespace mlir::layout;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

ByteOffsets::ByteOffsets(const Layout &layout, const SharedLayout &shared)
    : numLanes(layout.getNumLanes()), numRegisters(layout.getNumRegisters()),
      numSubgroups(layout.getNumSubgroups()) {
  assert(llvm::equal(layout.getShape(), shared.getShape()) &&
         "expected equal shapes");
  // Each digit belongs to one axis. So a coordinate is a sum of three parts:
  // one from the subgroup, one from the lane and one from the register.
  using Part = std::pair<int64_t, int64_t>;
  auto getParts = [&](Axis axis) {
    SmallVector<Part> parts;
    Owner owner;
    for (int64_t &index = owner.get(axis); index < layout.getExtent(axis);
         ++index) {
      SmallVector<int64_t> coordinate = layout.getCoordinate(owner);
      parts.emplace_back(shared.getRow(coordinate),
                         shared.getColumn(coordinate));
    }
    return parts;
  };
  SmallVector<Part> lanes = getParts(Axis::Lane);
  SmallVector<Part> registers = getParts(Axis::Register);
  offsets.reserve(numSubgroups * numLanes * numRegisters);
  for (const Part &subgroup : getParts(Axis::Subgroup))
    for (const Part &lane : lanes)
      for (const Part &reg : registers)
        offsets.push_back(
            shared.getByteOffset(subgroup.first + lane.first + reg.first,
                                 subgroup.second + lane.second + reg.second));
}

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
    // The distinct words that are accessed in each bank, and their number. A
    // phase accesses at most 32 words if accesses are aligned, and at most
    // twice as many if not.
    std::array<std::array<int64_t, 2 * kNumBanks>, kNumBanks> words;
    std::array<unsigned, kNumBanks> counts = {};
    unsigned most = 0;
    for (int64_t offset : offsets.take_front(lanes))
      for (int64_t word = offset / kBankBytes;
           word <= (offset + bytes - 1) / kBankBytes; ++word) {
        auto &bank = words[word % kNumBanks];
        unsigned &count = counts[word % kNumBanks];
        if (llvm::is_contained(ArrayRef(bank.data(), count), word))
          continue;
        bank[count++] = word;
        most = std::max(most, count);
      }
    wavefronts += most;
    offsets = offsets.drop_front(std::min<size_t>(lanes, offsets.size()));
  }
  return wavefronts;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Returns whether `registers` are at consecutive addresses in every thread,
/// and the first address is a multiple of their total size.
static bool isVector(ArrayRef<int64_t> registers, const ByteOffsets &offsets,
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

static SmallVector<VectorAccess> getVectorAccesses(const ByteOffsets &offsets,
                                                   int64_t elementBytes,
                                                   int64_t maxBytes) {
  // The registers that are not in an access yet, by their address in the first
  // thread. Registers that form a vector in every thread also form one in the
  // first thread, so candidates are found there.
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
  return ::getVectorAccesses(ByteOffsets(layout, shared),
                             shared.getElementBytes(),
                             llvm::bit_floor(static_cast<uint64_t>(maxBytes)));
}

namespace {
/// Counts wavefronts of a sequence of accesses. Successive accesses often have
/// the same pattern, which is counted only once.
class WavefrontCounter {
public:
  int64_t count(ArrayRef<int64_t> offsets, int64_t bytes) {
    if (bytes != lastBytes || !isShifted(offsets)) {
      wavefronts = getNumWavefronts(offsets, bytes);
      last.assign(offsets.begin(), offsets.end());
      lastBytes = bytes;
    }
    return wavefronts;
  }

private:
  /// Returns whether `offsets` are those of the last access, all shifted by the
  /// same number of words. The banks then change, but not the conflicts.
  bool isShifted(ArrayRef<int64_t> offsets) const {
    if (offsets.empty() || offsets.size() != last.size())
      return false;
    int64_t shift = offsets.front() - last.front();
    if (shift % kBankBytes != 0)
      return false;
    for (auto [offset, previous] : llvm::zip_equal(offsets, last))
      if (offset - previous != shift)
        return false;
    return true;
  }

  SmallVector<int64_t> last;
  int64_t lastBytes = 0, wavefronts = 0;
};
} // namespace

static AccessCost getCost(ArrayRef<VectorAccess> accesses,
                          const ByteOffsets &offsets) {
  AccessCost cost;
  WavefrontCounter counter;
  SmallVector<int64_t> starts(offsets.numLanes);
  for (const VectorAccess &access : accesses) {
    int64_t slowest = 0;
    for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
      for (int64_t lane = 0; lane < offsets.numLanes; ++lane)
        starts[lane] = offsets.get(subgroup, lane, access.registers.front());
      slowest = std::max(slowest, counter.count(starts, access.bytes));
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
  return ::getCost(accesses, ByteOffsets(layout, shared));
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

static constexpr int64_t kRowsPerMatrix = 8;
static constexpr int64_t kRowBytes = 16;
static constexpr int64_t kWordBytes = 4;

/// Returns the owner of the first element of row `row` of a matrix that fills
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

/// Returns whether one ldmatrix can fill `registers` from some eight rows.
static bool isMatrix(ArrayRef<int64_t> registers, bool isTransposed,
                     const ByteOffsets &offsets, int64_t elementBytes) {
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

/// Returns the registers that each word of ldmatrix fills. Returns std::nullopt
/// if ldmatrix does not fit.
static std::optional<SmallVector<SmallVector<int64_t, 2>>>
getMatrixRegisters(const ByteOffsets &offsets, bool isTransposed,
                   int64_t elementBytes) {
  SmallVector<SmallVector<int64_t, 2>> matrices;
  int64_t perWord = kWordBytes / elementBytes;
  // For plain matrices, the registers of a word must be neighbours in memory.
  // For transposed ones, any two registers that each hold a row can form a
  // word. Neighbouring registers are preferred, because they need no repacking.
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
getMatrixAccesses(const ByteOffsets &offsets, int64_t elementBytes,
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
  return ::getMatrixAccesses(ByteOffsets(layout, shared),
                             shared.getElementBytes(), reason);
}

static AccessCost getCost(ArrayRef<MatrixAccess> accesses,
                          const ByteOffsets &offsets) {
  AccessCost cost;
  WavefrontCounter counter;
  SmallVector<int64_t> rows;
  for (const MatrixAccess &access : accesses) {
    int64_t slowest = 0;
    int64_t numRows = access.getNumMatrices() * kRowsPerMatrix;
    for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
      rows.clear();
      for (int64_t lane = 0; lane < numRows; ++lane)
        rows.push_back(offsets.get(access.getRowOwner(subgroup, lane)));
      slowest = std::max(slowest, counter.count(rows, kRowBytes));
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
  return ::getCost(accesses, ByteOffsets(layout, shared));
}

//===----------------------------------------------------------------------===//
// Transposing loads
//===----------------------------------------------------------------------===//

static constexpr int64_t kLanesPerTranspose = 16;
static constexpr int64_t kChunkElements = 4;

Owner TransposeAccess::getChunkOwner(int64_t subgroup, int64_t lane) const {
  int64_t chunk = lane % kLanesPerTranspose;
  return {subgroup, lane - chunk + chunk % kChunkElements * kChunkElements,
          registers[chunk / kChunkElements]};
}

/// Returns whether one transposing load can fill the registers of `access`.
static bool isTranspose(const TransposeAccess &access,
                        const ByteOffsets &offsets, int64_t elementBytes) {
  for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < offsets.numLanes; ++lane) {
      // The elements of chunk `lane` go to four neighbouring lanes.
      Owner owner = access.getChunkOwner(subgroup, lane);
      int64_t start = offsets.get(owner);
      if (start % (kChunkElements * elementBytes) != 0)
        return false;
      for (int64_t i = 0; i < kChunkElements; ++i, ++owner.lane)
        if (offsets.get(owner) != start + i * elementBytes)
          return false;
    }
  return true;
}

static std::optional<SmallVector<TransposeAccess>>
getTransposeAccesses(const ByteOffsets &offsets, int64_t elementBytes,
                     std::string *reason) {
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  if (offsets.numLanes % kLanesPerTranspose != 0)
    return fail("expected subgroups of a multiple of 16 lanes, got " +
                Twine(offsets.numLanes));
  if (elementBytes != 2)
    return fail("expected elements of 16 bits, got " +
                Twine(elementBytes * 8));
  if (offsets.numRegisters % kChunkElements != 0)
    return fail("expected a multiple of 4 registers, got " +
                Twine(offsets.numRegisters));
  SmallVector<TransposeAccess> accesses;
  for (int64_t reg = 0; reg < offsets.numRegisters; reg += kChunkElements) {
    TransposeAccess access{{reg, reg + 1, reg + 2, reg + 3}};
    if (!isTranspose(access, offsets, elementBytes))
      return fail("lanes side by side do not have columns side by side");
    accesses.push_back(access);
  }
  return accesses;
}

std::optional<SmallVector<TransposeAccess>>
mlir::layout::getTransposeAccesses(const Layout &layout,
                                   const SharedLayout &shared,
                                   std::string *reason) {
  return ::getTransposeAccesses(ByteOffsets(layout, shared),
                                shared.getElementBytes(), reason);
}

static AccessCost getCost(ArrayRef<TransposeAccess> accesses,
                          const ByteOffsets &offsets) {
  constexpr int64_t kChunkBytes = 8;
  AccessCost cost;
  WavefrontCounter counter;
  SmallVector<int64_t> starts(offsets.numLanes);
  for (const TransposeAccess &access : accesses) {
    int64_t slowest = 0;
    for (int64_t subgroup = 0; subgroup < offsets.numSubgroups; ++subgroup) {
      for (int64_t lane = 0; lane < offsets.numLanes; ++lane)
        starts[lane] = offsets.get(access.getChunkOwner(subgroup, lane));
      slowest = std::max(slowest, counter.count(starts, kChunkBytes));
    }
    ++cost.numInstructions;
    cost.numWavefronts += slowest;
    cost.minWavefronts +=
        llvm::divideCeil(offsets.numLanes, getLanesPerPhase(kChunkBytes));
  }
  return cost;
}

AccessCost mlir::layout::getCost(ArrayRef<TransposeAccess> accesses,
                                 const Layout &layout,
                                 const SharedLayout &shared) {
  return ::getCost(accesses, ByteOffsets(layout, shared));
}

//===----------------------------------------------------------------------===//
// The choice of a layout in shared memory
//===----------------------------------------------------------------------===//

/// Appends the candidates for a tile whose dimensions are in `order`, simplest
/// first.
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
  // Whole rows with a swizzle. Units from 16 bytes down to one element are
  // moved by bits of the row number. If a row is shorter than all banks
  // together, several rows use the same bits.
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

/// Returns the lowest cost among vector accesses and, if they are allowed,
/// matrix accesses and transposing loads.
static AccessCost getBestCost(const Layout &layout, const SharedLayout &shared,
                              bool mayUseMatrices, bool mayTranspose,
                              bool &usesMatrices) {
  ByteOffsets offsets(layout, shared);
  AccessCost cost = getCost(
      getVectorAccesses(offsets, shared.getElementBytes(), /*maxBytes=*/16),
      offsets);
  usesMatrices = false;
  if (mayTranspose)
    if (auto transposes = getTransposeAccesses(
            offsets, shared.getElementBytes(), /*reason=*/nullptr))
      if (AccessCost other = getCost(*transposes, offsets);
          other.getTotal() < cost.getTotal())
        cost = other;
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
  // Try each dimension as the contiguous one, the last one first. The other
  // dimensions keep their order.
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
  if (options.laneCopyDim) {
    SmallVector<SharedLayout> copied;
    for (const SharedLayout &form : forms)
      if (getLaneCopy(form, *options.laneCopyDim, writer.getNumLanes(),
                      writer.getNumSubgroups()))
        copied.push_back(form);
    if (copied.empty()) {
      SharedLayoutOptions written = options;
      written.laneCopyDim.reset();
      return chooseSharedLayout(writer, reader, bitWidth, written);
    }
    forms = std::move(copied);
  }
  for (const SharedLayout &form : forms) {
    SharedLayoutChoice choice{form, {}, {}};
    if (!options.laneCopyDim)
      choice.write = getBestCost(writer, form, options.matrixStores,
                                 /*mayTranspose=*/false, choice.writesMatrices);
    if (best && choice.write.getTotal() > std::get<0>(getKey(*best)))
      continue;
    choice.read = getBestCost(reader, form, options.matrixLoads,
                              options.transposeLoads, choice.readsMatrices);
    if (!best || getKey(choice) < getKey(*best))
      best = std::move(choice);
  }
  return *best;
}

SharedLayoutChoice
SharedLayoutChoices::choose(const Layout &writer, const Layout &reader,
                            int64_t bitWidth,
                            const SharedLayoutOptions &options) {
  auto known = llvm::find_if(choices, [&](const Choice &choice) {
    return choice.bitWidth == bitWidth && choice.options == options &&
           choice.writer == writer && choice.reader == reader;
  });
  if (known == choices.end())
    known = choices.insert(
        choices.end(), {writer, reader, bitWidth, options,
                        chooseSharedLayout(writer, reader, bitWidth, options)});
  return known->choice;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Returns whether rows consist of whole chunks of `bytes` bytes, and each
/// chunk is contiguous and aligned in shared memory.
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

//===----------------------------------------------------------------------===//
// Copies in order of lanes
//===----------------------------------------------------------------------===//

std::optional<LaneCopy> mlir::layout::getLaneCopy(const SharedLayout &shared,
                                                  unsigned contiguousDim,
                                                  int64_t numLanes,
                                                  int64_t numSubgroups,
                                                  std::string *reason) {
  auto fail = [&](const Twine &message) {
    if (reason)
      *reason = message.str();
    return std::nullopt;
  };
  std::optional<AsyncCopy> chunks =
      getAsyncCopy(shared, contiguousDim, LaneCopy::kBytes, reason);
  if (!chunks)
    return std::nullopt;
  if (chunks->chunkBytes != LaneCopy::kBytes)
    return fail("expected chunks of 16 bytes, got " +
                Twine(chunks->chunkBytes));
  // The chunks of the lanes leave no gap.
  if (shared.getSizeInBytes() != chunks->numChunks * LaneCopy::kBytes)
    return fail("rows are padded");
  int64_t threads = numLanes * numSubgroups;
  if (chunks->numChunks % threads != 0)
    return fail("expected a multiple of " + Twine(threads) +
                " chunks of 16 bytes, got " + Twine(chunks->numChunks));
  return LaneCopy{numLanes, numSubgroups, chunks->numChunks / threads};
}
