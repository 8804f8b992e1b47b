//===- Conversion.cpp - Changes of layout and their cost ------------------===//
//
// Classifies a conversion by looking at every register of every thread. Tiles
// are small, and this covers all cases.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Conversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <numeric>

using namespace mlir::layout;
using llvm::SmallVector;
using llvm::StringRef;

StringRef mlir::layout::stringifyConversionKind(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Identity:
    return "identity";
  case ConversionKind::Registers:
    return "registers";
  case ConversionKind::Lanes:
    return "lanes";
  case ConversionKind::SharedMemory:
    return "shared memory";
  }
  llvm_unreachable("unknown kind");
}

int64_t Conversion::getNumShuffles() const {
  int64_t count = 0;
  if (kind == ConversionKind::Lanes && shuffles)
    for (const auto &registers : sources)
      count += registers.size();
  return count;
}

Conversion mlir::layout::classifyConversion(const Layout &from,
                                            const Layout &to) {
  assert(from.getShape() == to.getShape() && "expected equal shapes");
  assert(from.getNumLanes() == to.getNumLanes() &&
         from.getNumSubgroups() == to.getNumSubgroups() &&
         "expected equally many threads");
  Conversion result;
  result.kind = ConversionKind::Registers;
  result.sources.resize(to.getNumRegisters());
  for (int64_t subgroup = 0; subgroup < to.getNumSubgroups(); ++subgroup)
    for (int64_t lane = 0; lane < to.getNumLanes(); ++lane)
      for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
        Owner target{subgroup, lane, reg};
        Owner source = from.getOwner(to.getCoordinate(target), target);
        if (source.subgroup != subgroup)
          return {};
        if (source.lane != lane)
          result.kind = ConversionKind::Lanes;
        auto &registers = result.sources[reg];
        if (!llvm::is_contained(registers, source.reg))
          registers.push_back(source.reg);
      }
  if (result.kind == ConversionKind::Lanes) {
    result.shuffles = true;
    return result;
  }
  // If the number of the source register depends on the thread, the thread must
  // select among registers.
  bool isIdentity = from.getNumRegisters() == to.getNumRegisters();
  for (auto [reg, registers] : llvm::enumerate(result.sources)) {
    if (registers.size() != 1)
      result.kind = ConversionKind::Lanes;
    isIdentity &= registers.front() == static_cast<int64_t>(reg);
  }
  if (result.kind == ConversionKind::Registers && isIdentity)
    result.kind = ConversionKind::Identity;
  return result;
}

int64_t mlir::layout::getConversionCost(const Conversion &conversion,
                                        const Layout &from, const Layout &to,
                                        int64_t bitWidth) {
  switch (conversion.kind) {
  case ConversionKind::Identity:
  case ConversionKind::Registers:
    return 0;
  case ConversionKind::Lanes: {
    int64_t selects = 0;
    for (const auto &registers : conversion.sources)
      selects += registers.size() - 1;
    int64_t words = llvm::divideCeil(bitWidth, 32);
    return words * (2 * conversion.getNumShuffles() + selects);
  }
  case ConversionKind::SharedMemory: {
    int64_t bits = (from.getNumRegisters() + to.getNumRegisters()) * bitWidth;
    return 4 * llvm::divideCeil(bits, 32) + 2 * 16;
  }
  }
  llvm_unreachable("unknown kind");
}

/// Renumbers the registers of `dims`: the fastest `numBits` digits of dimension
/// `dim` become the first registers. The others follow in their order.
static void renumberRegisters(llvm::MutableArrayRef<DimDigits> dims,
                              unsigned dim, size_t numBits) {
  llvm::SmallVector<Digit *> run, others;
  for (auto [d, digits] : llvm::enumerate(dims))
    for (auto [i, digit] : llvm::enumerate(llvm::reverse(digits)))
      if (digit.axis == Axis::Register)
        (d == dim && i < numBits ? run : others).push_back(&digit);
  llvm::sort(others, [](const Digit *a, const Digit *b) {
    return a->stride < b->stride;
  });
  int64_t stride = 1;
  for (Digit *digit : llvm::concat<Digit *>(run, others)) {
    digit->stride = stride;
    stride *= digit->size;
  }
}

std::optional<llvm::SmallVector<Layout>>
mlir::layout::getWideningSteps(const Layout &from, unsigned dim, int64_t run) {
  if (!llvm::isPowerOf2_64(run))
    return std::nullopt;
  // Split each digit into its odd factor, which is slowest, and digits of size
  // two.
  llvm::SmallVector<DimDigits> dims;
  for (const DimDigits &digits : from.getDims()) {
    DimDigits &bits = dims.emplace_back();
    for (const Digit &digit : digits) {
      int64_t even = digit.size & -digit.size, odd = digit.size / even;
      if (odd > 1)
        bits.push_back({digit.axis, odd, digit.stride * even});
      for (int64_t size = even / 2; size > 0; size /= 2)
        bits.push_back({digit.axis, 2, digit.stride * size});
    }
  }
  DimDigits &bits = dims[dim];
  size_t numBits = llvm::Log2_64(run), numDigits = bits.size();
  if (numDigits < numBits)
    return std::nullopt;
  auto getBit = [&](size_t i) -> Digit & { return bits[numDigits - 1 - i]; };
  auto isRegister = [](const Digit &digit) {
    return digit.axis == Axis::Register && digit.size == 2;
  };
  llvm::SmallVector<Layout> steps;
  for (size_t i = 0; i < numBits; ++i) {
    if (isRegister(getBit(i)))
      continue;
    size_t other = numBits;
    while (other < numDigits && !isRegister(getBit(other)))
      ++other;
    if (getBit(i).axis != Axis::Lane || getBit(i).size != 2 ||
        other == numDigits)
      return std::nullopt;
    std::swap(getBit(i), getBit(other));
    steps.push_back(
        *Layout::get(dims, from.getNumLanes(), from.getNumSubgroups()));
  }
  renumberRegisters(dims, dim, numBits);
  Layout last = *Layout::get(dims, from.getNumLanes(), from.getNumSubgroups());
  if (!steps.empty())
    steps.back() = last;
  else if (last != from)
    steps.push_back(last);
  return steps;
}

Layout mlir::layout::shareAmongReplicas(const Layout &layout) {
  SmallVector<DimDigits> dims(layout.getDims());
  // Digits of the lane index that some dimension reads, and digits that none
  // reads.
  SmallVector<Digit> used, unread;
  for (const DimDigits &digits : dims)
    for (const Digit &digit : digits)
      if (digit.axis == Axis::Lane)
        used.push_back(digit);
  llvm::sort(
      used, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  int64_t end = 1;
  auto addUnread = [&](int64_t until) {
    if (until > end)
      unread.push_back({Axis::Lane, until / end, end});
  };
  for (const Digit &digit : used) {
    addUnread(digit.stride);
    end = digit.stride * digit.size;
  }
  addUnread(layout.getNumLanes());
  for (DimDigits &digits : dims) {
    DimDigits shared;
    for (Digit digit : llvm::reverse(digits)) {
      for (Digit &lanes : unread) {
        int64_t size =
            digit.axis == Axis::Register ? std::gcd(digit.size, lanes.size) : 1;
        if (size == 1)
          continue;
        shared.insert(shared.begin(), {Axis::Lane, size, lanes.stride});
        lanes.stride *= size;
        lanes.size /= size;
        digit.size /= size;
        digit.stride *= size;
      }
      shared.insert(shared.begin(), digit);
    }
    digits = std::move(shared);
  }
  // Renumber the remaining registers without gaps.
  SmallVector<Digit *> left;
  for (DimDigits &digits : dims)
    for (Digit &digit : digits)
      if (digit.axis == Axis::Register)
        left.push_back(&digit);
  llvm::sort(left, [](const Digit *a, const Digit *b) {
    return a->stride < b->stride;
  });
  int64_t registers = 1;
  for (Digit *digit : left) {
    digit->stride = registers;
    registers *= digit->size;
  }
  return *Layout::get(dims, layout.getNumLanes(), layout.getNumSubgroups());
}
