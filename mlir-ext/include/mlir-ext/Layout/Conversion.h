//===- Conversion.h - Changes of layout and their cost ----------*- C++ -*-===//
//
// Finds how to convert a value from one layout to another: which threads need
// data of other threads, and the cost.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_CONVERSION_H
#define MLIR_EXT_LAYOUT_CONVERSION_H

#include "mlir-ext/Layout/Layout.h"

#include <optional>

namespace mlir::layout {

/// The kinds of conversions, from the cheapest to the most expensive.
enum class ConversionKind {
  /// The layouts hold the same elements in the same registers of all threads.
  Identity,
  /// Every thread already holds all elements that it needs. The registers are
  /// renumbered in the same way in every thread.
  Registers,
  /// Every thread finds its elements in its own subgroup, mostly in other
  /// lanes. It may also hold them all, in registers that differ from thread to
  /// thread.
  Lanes,
  /// Elements move between subgroups.
  SharedMemory,
};

llvm::StringRef stringifyConversionKind(ConversionKind kind);

/// How to change a layout.
struct Conversion {
  ConversionKind kind = ConversionKind::SharedMemory;
  /// For each register of the target: the registers of the source from which
  /// some thread takes it. There is one for Identity and Registers. For Lanes
  /// there may be several: a thread fetches each of them, by a shuffle if
  /// `shuffles` is true, and selects one. Empty for SharedMemory.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> sources;
  /// For Lanes: some thread takes an element of another lane. If false, threads
  /// only select among their own registers.
  bool shuffles = false;

  /// Returns the number of shuffles; 0 unless the kind is Lanes.
  int64_t getNumShuffles() const;
};

/// Finds the cheapest conversion from `from` to `to`. Both must have the same
/// shape and the same numbers of lanes and subgroups.
Conversion classifyConversion(const Layout &from, const Layout &to);

/// Estimates the cost of converting elements of `bitWidth` bits, in issue slots
/// of a subgroup:
///
/// - Identity, Registers: 0;
/// - Lanes: two slots for each shuffle of 32 bits, and one slot for each select
///   between sources of a register;
/// - SharedMemory: four slots for each register of 32 bits that is written or
///   read, without bank conflicts, and sixteen for each of two barriers.
int64_t getConversionCost(const Conversion &conversion, const Layout &from,
                          const Layout &to, int64_t bitWidth);

/// Finds conversions after which each thread holds runs of `run` elements along
/// `dim`, a power of two, in registers that follow each other. For each of them,
/// a lane exchanges elements with one other lane: that whose number differs in
/// one bit. Returns the layouts behind each conversion, none if threads have such
/// runs already. Fails if a subgroup does not hold them, or if a thread does not
/// have enough registers along `dim` that it can give away in halves: 22 make
/// runs of twice the length, 24 of eight times.
std::optional<llvm::SmallVector<Layout>>
getWideningSteps(const Layout &from, unsigned dim, int64_t run);

/// Returns the layout in which lanes share what replicas of `layout` hold: of the
/// registers along a dimension, each replica in a subgroup holds some, so that none
/// or fewer lanes hold the same element. A conversion back takes one shuffle for
/// each register if nothing is left in registers.
Layout shareAmongReplicas(const Layout &layout);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_CONVERSION_H
