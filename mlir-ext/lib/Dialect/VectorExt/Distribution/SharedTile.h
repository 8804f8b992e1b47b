//===- SharedTile.h - Moves a tile through shared memory --------*- C++ -*-===//
//
// Builds the stores and loads that move a tile between the registers of two
// layouts through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Layout/SharedAccess.h"

#include <optional>

namespace mlir::vector_ext {

/// An address as a function of the thread. It is the sum or the XOR of a
/// constant and of digits of the lane and subgroup indices, each times a
/// factor. Swizzled addresses are XORs, and those of padded rows are sums. If the
/// number of subgroups is no power of two, such as 3 x 4, groups of them are
/// added in either case.
class ThreadAddress {
public:
  using Table = llvm::function_ref<int64_t(int64_t subgroup, int64_t lane)>;

  /// Finds the function for `table`, and checks it for every thread. Returns
  /// std::nullopt if there is none.
  static std::optional<ThreadAddress> find(Table table, int64_t numSubgroups,
                                           int64_t numLanes);

  /// Returns true if `table` differs from this address by a constant, and sets
  /// `constant`. The difference is an XOR or a sum, like the address.
  bool differsByConstant(Table table, int64_t &constant) const;

  /// Builds the address at the start of the program.
  Value build(Distributor &distributor) const;
  /// Builds the address that differs by `constant` from `address`, which
  /// `build` built.
  Value addConstant(ImplicitLocOpBuilder &builder, Value address,
                    int64_t constant) const;

private:
  struct Term {
    layout::Axis axis;
    int64_t stride, size, factor;
  };
  /// Returns the address without the value that is added for the group of
  /// `subgroup`.
  int64_t evaluate(int64_t subgroup, int64_t lane) const;
  /// Returns the value that is added for this group.
  int64_t getAdded(int64_t subgroup) const;

  bool isXor = false;
  int64_t constant = 0;
  /// All bits that are set in some thread's address, without the added value.
  int64_t bits = 0;
  /// The number of subgroups of a group, which is the largest power of two that
  /// divides their number, and the value that is added for each group.
  int64_t groupSize = 1, perGroup = 0;
  int64_t numSubgroups = 1, numLanes = 1;
  SmallVector<Term> terms;
};

/// Numbers that depend on the thread, such as the addresses of the accesses of
/// a tile. Numbers that differ by constants share a formula.
class ThreadNumbers {
public:
  using Table = ThreadAddress::Table;

  ThreadNumbers(Distributor &distributor) : distributor(&distributor) {}

  /// Finds the formula of a number. Returns false if there is none.
  bool add(Table table);
  /// Builds number `i`, in order of `add`.
  Value build(ImplicitLocOpBuilder &builder, unsigned i);

private:
  Distributor *distributor;
  SmallVector<ThreadAddress, 2> bases;
  SmallVector<Value> values;
  SmallVector<std::pair<unsigned, int64_t>> numbers;
};

/// Stores a tile that threads hold in layout `from`, and loads it in layout
/// `to`, with barriers before and between. Elements must have 8 to 64 bits. If
/// `read` has just read the tile from memory, and the target has asynchronous
/// copies, or copies in order of lanes, the tile is copied without registers; in
/// a loop, to one of several buffers in turn. If `storeBefore` is given, the tile is stored before this
/// op, which is at or before the insertion point or around it, once for all
/// loads. Returns null, and builds nothing, if addresses have no formula.
Value exchangeInSharedMemory(ImplicitLocOpBuilder &builder,
                             Distributor &distributor, Value registers,
                             Operation *read, const layout::Layout &from,
                             const layout::Layout &to,
                             Operation *storeBefore = nullptr);

/// Stores a tile that threads hold in layout `from` to a buffer with layout
/// `shared`, with barriers before and after. With `fence`, instructions of the
/// target may read it in place then. Returns the buffer, or null if addresses
/// have no formula.
Value storeInSharedMemory(ImplicitLocOpBuilder &builder,
                          Distributor &distributor, Value registers,
                          const layout::Layout &from,
                          const layout::SharedLayout &shared,
                          bool fence = false);

/// Distributes `op`, which goes through shared memory, as a tile that is stored
/// there once, if it is only the left operand of asynchronous instructions that
/// read it in place (`canStoreLeftOnce`). Returns false, and builds nothing, if
/// it is not, or if there is no such arrangement.
bool storeLeftOnce(ToLayoutOp op, Distributor &distributor);

/// Loads a tile that is in `memory` with layout `shared` into the registers of
/// layout `to`, without barriers. Returns null, and builds nothing, if addresses
/// have no formula.
Value loadTile(ImplicitLocOpBuilder &builder, Distributor &distributor,
               Value memory, const layout::SharedLayout &shared,
               const layout::Layout &to);

/// A word of 32 bits that a thread has loaded, and the registers of its
/// elements, low bits first.
struct MatrixWord {
  Value word;
  SmallVector<int64_t, 4> registers;
};

/// Loads a tile that is in `memory` with layout `shared` as words of matrices,
/// for the registers of layout `to`. Returns none, and builds nothing, if
/// matrices do not fit, or if addresses have no formula.
SmallVector<MatrixWord> loadMatrixWords(ImplicitLocOpBuilder &builder,
                                        Distributor &distributor, Value memory,
                                        const layout::SharedLayout &shared,
                                        const layout::Layout &to);

/// Stores a tile that threads hold in layout `from` to `memory`, with layout
/// `shared`, and then arrives at barrier `index` of `barriers`, without
/// barriers of threads. If `read` has just read the tile, and the target has
/// asynchronous copies that arrive, it is copied without registers. Otherwise a
/// fence is in front of the arrival, if instructions read the tile in place.
/// Returns false, and builds nothing, if addresses have no formula.
bool writeTile(ImplicitLocOpBuilder &builder, Distributor &distributor,
               Value registers, Operation *read, const layout::Layout &from,
               const layout::SharedLayout &shared, Value memory, Value barriers,
               Value index, bool isReadInPlace);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H
