//===- Layout.h - Which thread holds which element --------------*- C++ -*-===//
//
// A `Layout` tells which register of which thread holds each element of a tile.
// It maps
//
//     (subgroup, lane, register)  ->  coordinate in the tile.
//
// This library is pure arithmetic and does not depend on MLIR operations.
//
// Representation. A coordinate along one dimension is a number in a mixed
// radix, slowest digit first. Each digit is taken from the index of one of
// three axes: the register of a thread, the lane of a subgroup, or the
// subgroup. For example, the accumulator of an `mma.sync.m16n8` instruction
// (PTX ISA, "Matrix Fragments for mma.m16n8k16") holds
//
//     row    = 8 * (register / 2) + lane / 4
//     column = 2 * (lane % 4)     + register % 2
//
// and is written
//
//     [register 2:2, lane 8:4] x [lane 4:1, register 2:1]
//
// where `axis size:stride` is the digit (index / stride) % size of that axis.
// The place value of a digit is the product of the sizes of the faster digits
// of its dimension. So some thread holds each coordinate of the tile by
// construction, and the size of a dimension is the product of the sizes of its
// digits. Sizes need not be powers of two: eighty columns are ten tiles of
// eight, the size of an instruction.
//
//     lane        0     1     2     3     4    ...
//     row 0     r0 r1 r0 r1 r0 r1 r0 r1  (lanes 0..3)
//     row 1     r0 r1 r0 r1 r0 r1 r0 r1  (lanes 4..7)
//     ...
//     row 8     r2 r3 r2 r3 r2 r3 r2 r3  (lanes 0..3)
//
// Digits of one axis must not overlap. If no digit reads a part of the lane or
// subgroup index, the layout has *replication*: threads that differ only in
// this part hold the same elements. Registers are not replicated. Removing a
// dimension (`project`) gives the layout of the result of a reduction, in which
// every thread that reduced elements of a row holds the result of the row.
//
// The layout of a tile of several instructions or subgroups is that of one
// instruction (the atom) with slower digits added (`repeat`):
// "atom (x) repetition".
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_LAYOUT_H
#define MLIR_EXT_LAYOUT_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::layout {

/// The axis of an index: the registers of a thread, the lanes of a subgroup, or
/// the subgroups of a workgroup.
enum class Axis { Register, Lane, Subgroup };
constexpr unsigned kNumAxes = 3;

llvm::StringRef stringifyAxis(Axis axis);
std::optional<Axis> symbolizeAxis(llvm::StringRef name);

/// The digit (index / stride) % size of the index on `axis`.
struct Digit {
  Axis axis;
  int64_t size;
  int64_t stride;

  bool operator==(const Digit &other) const {
    return axis == other.axis && size == other.size && stride == other.stride;
  }
  bool operator!=(const Digit &other) const { return !(*this == other); }
};

/// The digits of one dimension, slowest first.
using DimDigits = llvm::SmallVector<Digit, 4>;

/// One register of one thread.
struct Owner {
  int64_t subgroup = 0;
  int64_t lane = 0;
  int64_t reg = 0;

  int64_t get(Axis axis) const {
    return axis == Axis::Register ? reg : axis == Axis::Lane ? lane : subgroup;
  }
  int64_t &get(Axis axis) {
    return axis == Axis::Register ? reg : axis == Axis::Lane ? lane : subgroup;
  }
  bool operator==(const Owner &other) const {
    return subgroup == other.subgroup && lane == other.lane && reg == other.reg;
  }
};

/// A map (subgroup, lane, register) -> coordinate; see the head of this file. A
/// layout is immutable, always valid and in normal form: it has no digits of
/// size one, and neighbouring digits that form one digit of their axis are
/// merged. So layouts are equal if and only if their maps are.
class Layout {
public:
  /// The layout of a scalar (rank 0), which register 0 of every thread holds.
  Layout(int64_t numLanes = 1, int64_t numSubgroups = 1);

  /// Makes a layout from the digits of each dimension. Fails, with `error` set,
  /// if
  ///   (L1) a size or a stride is not positive, or their products overflow;
  ///   (L2) two digits of an axis overlap: sorted by stride, each stride must
  ///        be a multiple of the stride times the size before it;
  ///   (L3) the digits of the lanes or subgroups exceed their number, or do not
  ///        divide it;
  ///   (L4) the registers have a gap: their digits, sorted, must be contiguous.
  static std::optional<Layout> get(llvm::ArrayRef<DimDigits> dims,
                                   int64_t numLanes, int64_t numSubgroups,
                                   std::string *error = nullptr);

  /// Parses the form that `print` writes, for example
  /// `[register 2:2, lane 8:4] x [lane 4:1, register 2:1]`; a dimension of
  /// size one is `[]`.
  static std::optional<Layout> parse(llvm::StringRef text, int64_t numLanes,
                                     int64_t numSubgroups,
                                     std::string *error = nullptr);

  unsigned getRank() const { return dims.size(); }
  llvm::ArrayRef<DimDigits> getDims() const { return dims; }
  llvm::ArrayRef<Digit> getDigits(unsigned dim) const { return dims[dim]; }
  int64_t getDimSize(unsigned dim) const;
  llvm::SmallVector<int64_t> getShape() const;
  int64_t getNumElements() const;

  int64_t getNumRegisters() const { return numRegisters; }
  int64_t getNumLanes() const { return numLanes; }
  int64_t getNumSubgroups() const { return numSubgroups; }
  int64_t getNumThreads() const { return numLanes * numSubgroups; }
  int64_t getExtent(Axis axis) const;

  /// Returns the number of threads that hold each element.
  int64_t getReplication() const;

  /// Returns whether each subgroup has the part with its number, of as many
  /// equal parts along `dim` as there are subgroups.
  bool isDividedAmongSubgroups(unsigned dim) const;

  /// Returns the coordinate that `owner` holds. Its indices must be in range.
  llvm::SmallVector<int64_t> getCoordinate(const Owner &owner) const;

  /// The inverse: returns an owner of `coordinate`. Among several, returns the
  /// one whose unread digits are those of `near`. So it returns `near` itself,
  /// except for the register, if that thread holds the element.
  Owner getOwner(llvm::ArrayRef<int64_t> coordinate,
                 const Owner &near = {}) const;

  /// Returns every owner of `coordinate`, ordered by subgroup and then by lane.
  llvm::SmallVector<Owner>
  getAllOwners(llvm::ArrayRef<int64_t> coordinate) const;

  /// Returns the layout with the dimensions `perm[0], perm[1], ...`. `perm`
  /// must be a permutation. Postcondition: result(owner)[i] =
  /// this(owner)[perm[i]].
  Layout permute(llvm::ArrayRef<unsigned> perm) const;

  /// Removes the dimensions that `removed` marks. Threads that differ only
  /// there become replicas. The remaining registers are renumbered in their
  /// order.
  Layout project(llvm::ArrayRef<bool> removed) const;

  /// Returns the register of project(removed) that holds the projection of the
  /// element in register `reg` of this layout.
  int64_t getProjectedRegister(int64_t reg, llvm::ArrayRef<bool> removed) const;

  /// Inserts a dimension of size `size` at position `dim`. Every thread holds
  /// all of it, and its digit is the slowest of the registers.
  Layout broadcast(unsigned dim, int64_t size) const;

  /// Repeats this layout `count` times along `dim`. The number of the copy is
  /// the slowest digit of that dimension. On its axis, the digit is
  ///
  /// - Register: the slowest of the registers;
  /// - Lane, Subgroup: a digit of stride `stride` or, by default, the slowest.
  ///   The extent of the axis grows if it must.
  ///
  /// Fails if the digit would overlap another one.
  std::optional<Layout> repeat(unsigned dim, Axis axis, int64_t count,
                               std::optional<int64_t> stride = {}) const;

  /// Returns the same map for another shape with the same number of elements,
  /// in row-major order. Fails if a digit would have to be split at a boundary
  /// that does not divide it.
  std::optional<Layout> reshape(llvm::ArrayRef<int64_t> shape) const;

  /// Multiplies the number of subgroups by `count`. Each of the `count` groups
  /// holds the whole tile.
  Layout replicate(int64_t count) const;

  /// Returns the largest power of two n such that each aligned run of n
  /// elements along `dim` is in n consecutive registers of one thread, aligned
  /// to n too. At least 1.
  int64_t getContiguity(unsigned dim) const;

  bool operator==(const Layout &other) const {
    return dims == other.dims && numLanes == other.numLanes &&
           numSubgroups == other.numSubgroups;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }

  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  friend llvm::hash_code hash_value(const Layout &layout);

private:
  void normalize();

  llvm::SmallVector<DimDigits> dims;
  int64_t numRegisters = 1;
  int64_t numLanes;
  int64_t numSubgroups;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const Layout &layout) {
  layout.print(os);
  return os;
}

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_LAYOUT_H
