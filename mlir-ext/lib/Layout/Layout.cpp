//===- Layout.cpp - Which thread holds which element ----------------------===//
//
// Construction and inversion of layouts, and operations that make one layout
// from another. All of them work on the digits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::layout;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

StringRef mlir::layout::stringifyAxis(Axis axis) {
  switch (axis) {
  case Axis::Register:
    return "register";
  case Axis::Lane:
    return "lane";
  case Axis::Subgroup:
    return "subgroup";
  }
  llvm_unreachable("unknown axis");
}

std::optional<Axis> mlir::layout::symbolizeAxis(StringRef name) {
  for (Axis axis : {Axis::Register, Axis::Lane, Axis::Subgroup})
    if (name == stringifyAxis(axis))
      return axis;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Layout::Layout(int64_t numLanes, int64_t numSubgroups)
    : numLanes(numLanes), numSubgroups(numSubgroups) {}

/// Returns the digits of `axis` in all dimensions, sorted by stride.
static SmallVector<Digit> getSortedDigits(ArrayRef<DimDigits> dims, Axis axis) {
  SmallVector<Digit> digits;
  for (const DimDigits &dim : dims)
    for (const Digit &digit : dim)
      if (digit.axis == axis && digit.size > 1)
        digits.push_back(digit);
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    return a.stride < b.stride;
  });
  return digits;
}

static std::string describe(const Digit &digit) {
  return (stringifyAxis(digit.axis) + " " + llvm::Twine(digit.size) + ":" +
          llvm::Twine(digit.stride))
      .str();
}

std::optional<Layout> Layout::get(ArrayRef<DimDigits> dims, int64_t numLanes,
                                  int64_t numSubgroups, std::string *error) {
  auto fail = [&](const llvm::Twine &message) -> std::optional<Layout> {
    if (error)
      *error = message.str();
    return std::nullopt;
  };
  if (numLanes < 1 || numSubgroups < 1)
    return fail("expected at least one lane and one subgroup, got " +
                llvm::Twine(numLanes) + " and " + llvm::Twine(numSubgroups));
  for (const DimDigits &dim : dims)
    for (const Digit &digit : dim)
      if (digit.size < 1 || digit.stride < 1)
        return fail("expected a positive size and stride, got '" +
                    describe(digit) + "'");

  Layout result(numLanes, numSubgroups);
  int64_t numElements = 1;
  for (Axis axis : {Axis::Register, Axis::Lane, Axis::Subgroup}) {
    int64_t end = 1;
    for (const Digit &digit : getSortedDigits(dims, axis)) {
      if (digit.stride % end != 0)
        return fail("'" + describe(digit) + "' overlaps the faster digits of " +
                    "its axis, which end at " + llvm::Twine(end));
      if (axis == Axis::Register && digit.stride != end)
        return fail("'" + describe(digit) + "' leaves a gap: expected stride " +
                    llvm::Twine(end));
      if (llvm::MulOverflow(digit.stride, digit.size, end) ||
          llvm::MulOverflow(numElements, digit.size, numElements))
        return fail("'" + describe(digit) + "' overflows 64 bits");
    }
    if (axis == Axis::Register)
      result.numRegisters = end;
    else if (result.getExtent(axis) % end != 0)
      return fail("the digits of the " + stringifyAxis(axis) + "s end at " +
                  llvm::Twine(end) + ", which does not divide their number, " +
                  llvm::Twine(result.getExtent(axis)));
  }
  result.dims.assign(dims.begin(), dims.end());
  result.normalize();
  return result;
}

void Layout::normalize() {
  for (DimDigits &dim : dims) {
    DimDigits merged;
    for (const Digit &digit : dim) {
      if (digit.size == 1)
        continue;
      if (!merged.empty() && merged.back().axis == digit.axis &&
          merged.back().stride == digit.stride * digit.size) {
        merged.back() = {digit.axis, merged.back().size * digit.size,
                         digit.stride};
        continue;
      }
      merged.push_back(digit);
    }
    dim = std::move(merged);
  }
}

std::optional<Layout> Layout::parse(StringRef text, int64_t numLanes,
                                    int64_t numSubgroups, std::string *error) {
  auto fail = [&](const llvm::Twine &message) -> std::optional<Layout> {
    if (error)
      *error = message.str();
    return std::nullopt;
  };
  SmallVector<DimDigits> dims;
  text = text.trim();
  while (!text.empty()) {
    if (!dims.empty()) {
      if (!text.consume_front("x"))
        return fail("expected 'x' before '" + text + "'");
      text = text.ltrim();
    }
    if (!text.consume_front("["))
      return fail("expected '[' before '" + text + "'");
    size_t close = text.find(']');
    if (close == StringRef::npos)
      return fail("expected ']' after '" + text + "'");
    DimDigits digits;
    StringRef list = text.take_front(close).trim();
    while (!list.empty()) {
      auto [item, rest] = list.split(',');
      list = rest.ltrim();
      auto [name, numbers] = item.trim().split(' ');
      auto [size, stride] = numbers.trim().split(':');
      Digit digit;
      std::optional<Axis> axis = symbolizeAxis(name);
      if (!axis || size.trim().getAsInteger(10, digit.size) ||
          stride.trim().getAsInteger(10, digit.stride))
        return fail("expected '<register|lane|subgroup> size:stride', got '" +
                    item.trim() + "'");
      digit.axis = *axis;
      digits.push_back(digit);
    }
    dims.push_back(std::move(digits));
    text = text.drop_front(close + 1).ltrim();
  }
  return get(dims, numLanes, numSubgroups, error);
}

//===----------------------------------------------------------------------===//
// The map and its inverse
//===----------------------------------------------------------------------===//

int64_t Layout::getExtent(Axis axis) const {
  switch (axis) {
  case Axis::Register:
    return numRegisters;
  case Axis::Lane:
    return numLanes;
  case Axis::Subgroup:
    return numSubgroups;
  }
  llvm_unreachable("unknown axis");
}

int64_t Layout::getDimSize(unsigned dim) const {
  int64_t size = 1;
  for (const Digit &digit : dims[dim])
    size *= digit.size;
  return size;
}

SmallVector<int64_t> Layout::getShape() const {
  SmallVector<int64_t> shape;
  for (unsigned dim = 0; dim < getRank(); ++dim)
    shape.push_back(getDimSize(dim));
  return shape;
}

int64_t Layout::getNumElements() const {
  int64_t elements = 1;
  for (unsigned dim = 0; dim < getRank(); ++dim)
    elements *= getDimSize(dim);
  return elements;
}

int64_t Layout::getReplication() const {
  return numRegisters * numLanes * numSubgroups / getNumElements();
}

bool Layout::isDividedAmongSubgroups(unsigned dim) const {
  int64_t size = getDimSize(dim);
  if (size % numSubgroups != 0)
    return false;
  for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < numLanes; ++lane)
      for (int64_t reg = 0; reg < numRegisters; ++reg)
        if (getCoordinate({subgroup, lane, reg})[dim] / (size / numSubgroups) !=
            subgroup)
          return false;
  return true;
}

SmallVector<int64_t> Layout::getCoordinate(const Owner &owner) const {
  SmallVector<int64_t> coordinate;
  for (const DimDigits &dim : dims) {
    int64_t value = 0;
    for (const Digit &digit : dim)
      value = value * digit.size +
              owner.get(digit.axis) / digit.stride % digit.size;
    coordinate.push_back(value);
  }
  return coordinate;
}

Owner Layout::getOwner(ArrayRef<int64_t> coordinate, const Owner &near) const {
  Owner owner = near;
  owner.reg = 0;
  for (auto [dim, value] : llvm::zip_equal(dims, coordinate)) {
    int64_t rest = value;
    for (const Digit &digit : llvm::reverse(dim)) {
      int64_t &index = owner.get(digit.axis);
      index += (rest % digit.size - index / digit.stride % digit.size) *
               digit.stride;
      rest /= digit.size;
    }
  }
  return owner;
}

SmallVector<Owner> Layout::getAllOwners(ArrayRef<int64_t> coordinate) const {
  SmallVector<Owner> owners;
  for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      Owner thread{subgroup, lane, 0};
      Owner owner = getOwner(coordinate, thread);
      if (owner.subgroup == subgroup && owner.lane == lane)
        owners.push_back(owner);
    }
  return owners;
}

//===----------------------------------------------------------------------===//
// Layouts from layouts
//===----------------------------------------------------------------------===//

Layout Layout::permute(ArrayRef<unsigned> perm) const {
  Layout result = *this;
  for (auto [i, dim] : llvm::enumerate(perm))
    result.dims[i] = dims[dim];
  return result;
}

/// Returns what `stride`, a stride of registers, becomes once the digits `gone`
/// have been removed.
static int64_t compact(int64_t stride, ArrayRef<Digit> gone) {
  int64_t result = stride;
  for (const Digit &digit : gone)
    if (digit.stride < stride)
      result /= digit.size;
  return result;
}

/// Returns the register digits of the dimensions that `removed` marks.
static SmallVector<Digit> getRemovedRegisters(ArrayRef<DimDigits> dims,
                                              ArrayRef<bool> removed) {
  SmallVector<Digit> gone;
  for (auto [dim, isRemoved] : llvm::zip_equal(dims, removed))
    for (const Digit &digit : dim)
      if (isRemoved && digit.axis == Axis::Register)
        gone.push_back(digit);
  return gone;
}

Layout Layout::project(ArrayRef<bool> removed) const {
  SmallVector<Digit> gone = getRemovedRegisters(dims, removed);
  Layout result(numLanes, numSubgroups);
  result.numRegisters = numRegisters;
  for (const Digit &digit : gone)
    result.numRegisters /= digit.size;
  for (auto [dim, isRemoved] : llvm::zip_equal(dims, removed)) {
    if (isRemoved)
      continue;
    DimDigits digits = dim;
    for (Digit &digit : digits)
      if (digit.axis == Axis::Register)
        digit.stride = compact(digit.stride, gone);
    result.dims.push_back(std::move(digits));
  }
  result.normalize();
  return result;
}

int64_t Layout::getProjectedRegister(int64_t reg,
                                     ArrayRef<bool> removed) const {
  SmallVector<Digit> gone = getRemovedRegisters(dims, removed);
  int64_t result = 0;
  for (auto [dim, isRemoved] : llvm::zip_equal(dims, removed))
    for (const Digit &digit : dim)
      if (!isRemoved && digit.axis == Axis::Register)
        result += reg / digit.stride % digit.size * compact(digit.stride, gone);
  return result;
}

Layout Layout::broadcast(unsigned dim, int64_t size) const {
  Layout result = *this;
  DimDigits digits;
  digits.push_back({Axis::Register, size, numRegisters});
  result.dims.insert(result.dims.begin() + dim, std::move(digits));
  result.numRegisters *= size;
  result.normalize();
  return result;
}

std::optional<Layout> Layout::repeat(unsigned dim, Axis axis, int64_t count,
                                     std::optional<int64_t> stride) const {
  SmallVector<DimDigits> newDims = dims;
  int64_t slowest = 1;
  for (const Digit &digit : getSortedDigits(dims, axis))
    slowest = digit.stride * digit.size;
  Digit digit{axis, count, stride.value_or(slowest)};
  newDims[dim].insert(newDims[dim].begin(), digit);
  int64_t end = digit.stride * digit.size;
  int64_t lanes = axis == Axis::Lane ? std::max(numLanes, end) : numLanes;
  int64_t subgroups =
      axis == Axis::Subgroup ? std::max(numSubgroups, end) : numSubgroups;
  return get(newDims, lanes, subgroups);
}

std::optional<Layout> Layout::reshape(ArrayRef<int64_t> shape) const {
  if (llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return std::nullopt;
  // All digits of the linear index, fastest first. Digits of adjacent
  // dimensions that form one digit are merged, because the new shape may split
  // them elsewhere.
  SmallVector<Digit> digits;
  for (const DimDigits &dim : llvm::reverse(dims))
    for (const Digit &digit : llvm::reverse(dim)) {
      Digit *last = digits.empty() ? nullptr : &digits.back();
      if (last && last->axis == digit.axis &&
          digit.stride == last->stride * last->size)
        last->size *= digit.size;
      else
        digits.push_back(digit);
    }
  SmallVector<DimDigits> newDims(shape.size());
  auto *next = digits.begin();
  for (int64_t i = shape.size() - 1; i >= 0; --i) {
    int64_t rest = shape[i];
    DimDigits dim;
    while (rest > 1) {
      if (next == digits.end())
        return std::nullopt;
      if (rest % next->size == 0) {
        rest /= next->size;
        dim.insert(dim.begin(), *next++);
        continue;
      }
      if (next->size % rest != 0)
        return std::nullopt;
      // The faster part of the digit belongs to this dimension, the slower part
      // to the next one.
      dim.insert(dim.begin(), {next->axis, rest, next->stride});
      *next = {next->axis, next->size / rest, next->stride * rest};
      rest = 1;
    }
    newDims[i] = std::move(dim);
  }
  if (next != digits.end())
    return std::nullopt;
  return get(newDims, numLanes, numSubgroups);
}

Layout Layout::replicate(int64_t count) const {
  Layout result = *this;
  result.numSubgroups *= count;
  return result;
}

int64_t Layout::getContiguity(unsigned dim) const {
  int64_t contiguity = 1;
  for (const Digit &digit : llvm::reverse(dims[dim])) {
    if (digit.axis != Axis::Register || digit.stride != contiguity)
      break;
    int64_t power = digit.size & -digit.size;
    contiguity *= power;
    if (power != digit.size)
      break;
  }
  return contiguity;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Layout::print(llvm::raw_ostream &os) const {
  llvm::interleave(
      dims, os,
      [&](const DimDigits &dim) {
        os << "[";
        llvm::interleaveComma(
            dim, os, [&](const Digit &digit) { os << describe(digit); });
        os << "]";
      },
      " x ");
}

std::string Layout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

llvm::hash_code mlir::layout::hash_value(const Layout &layout) {
  llvm::hash_code hash = llvm::hash_combine(
      layout.numLanes, layout.numSubgroups, layout.getRank());
  for (const DimDigits &dim : layout.dims) {
    hash = llvm::hash_combine(hash, dim.size());
    for (const Digit &digit : dim)
      hash = llvm::hash_combine(hash, static_cast<int>(digit.axis), digit.size,
                                digit.stride);
  }
  return hash;
}
