//===- Conversion.h - What it takes to change a layout ----------*- C++ -*-===//
//
// A value in one layout, wanted in another: which threads have to hear from
// which, and what that costs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_CONVERSION_H
#define MLIR_EXT_LAYOUT_CONVERSION_H

#include "mlir-ext/Layout/Layout.h"

namespace mlir::layout {

/// From the cheapest to the dearest.
enum class ConversionKind {
  /// The layouts are equal, or differ in nothing that a thread can see.
  Identity,
  /// Every thread has all elements it needs, in the same registers as every
  /// other thread: its registers get other numbers.
  Registers,
  /// Every thread finds its elements in its own subgroup, mostly in other lanes.
  Lanes,
  /// Elements move between subgroups.
  SharedMemory,
};

llvm::StringRef stringifyConversionKind(ConversionKind kind);

/// How to change a layout.
struct Conversion {
  ConversionKind kind = ConversionKind::SharedMemory;
  /// For each register of the target, the registers of the source that some
  /// thread takes it from. One each for Identity and Registers; for Lanes as
  /// many as shuffles are needed, after which a thread selects one. Empty for
  /// SharedMemory.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> sources;
  /// Lanes: some thread takes an element of another lane. If not, threads only
  /// select among their own registers.
  bool shuffles = false;

  /// The number of shuffles, if the kind is Lanes.
  int64_t getNumShuffles() const;
};

/// Finds the cheapest way from `from` to `to`. Requires equal shapes, and equal
/// numbers of lanes and subgroups.
Conversion classifyConversion(const Layout &from, const Layout &to);

/// Estimates the cost of a conversion of elements of `bitWidth` bits in issue
/// slots of a subgroup: a shuffle moves 32 bits a lane in two slots, and one
/// more selects where a register has several sources; shared memory takes a
/// write and a read of each register of 32 bits (four slots each, no bank
/// conflicts assumed) and two barriers of sixteen. A relabelling is free.
int64_t getConversionCost(const Conversion &conversion, const Layout &from,
                          const Layout &to, int64_t bitWidth);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_CONVERSION_H
