//===- SharedTile.h - A tile in shared memory -------------------*- C++ -*-===//
//
// Builds the stores and loads that bring a tile from the registers of one
// layout into those of another.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Layout/SharedAccess.h"

namespace mlir::vector_ext {

/// An address as a function of the thread: the sum, or the XOR, of a constant
/// and of digits of the indices of the lane and the subgroup, each times a
/// factor. Addresses under a swizzle are XORs, those of padded rows are sums.
class ThreadAddress {
public:
  using Table = llvm::function_ref<int64_t(int64_t subgroup, int64_t lane)>;

  /// Finds the function, checking it at every thread. Fails if there is none.
  static std::optional<ThreadAddress> find(Table table, int64_t numSubgroups,
                                           int64_t numLanes);

  /// True if `table` differs from this by a constant, which then is
  /// `constant`, in the way that addresses are combined here.
  bool differsByConstant(Table table, int64_t &constant) const;

  /// Builds the address at the start of the program.
  Value build(Distributor &distributor) const;
  /// Builds the address that differs from `address`, which `build` built, by
  /// `constant`.
  Value addConstant(ImplicitLocOpBuilder &builder, Value address,
                    int64_t constant) const;

private:
  struct Term {
    layout::Axis axis;
    int64_t stride, size, factor;
  };
  int64_t evaluate(int64_t subgroup, int64_t lane) const;

  bool isXor = false;
  int64_t constant = 0;
  /// All bits that the address has in some thread.
  int64_t bits = 0;
  int64_t numSubgroups = 1, numLanes = 1;
  SmallVector<Term> terms;
};

/// Stores a tile that threads hold in `from`, and loads it in `to`, with
/// barriers before and between. Elements have 8 to 64 bits. If the tile was
/// read from memory just before, by `read`, and the workgroup has asynchronous
/// copies, it is copied without going through registers, in a loop to one of
/// several buffers in turn. With `storeBefore`, an op around the insertion point
/// or before it, the tile is stored there, once for all that load it. Null if
/// addresses have no formula (then nothing is built).
Value exchangeInSharedMemory(ImplicitLocOpBuilder &builder,
                             Distributor &distributor, Value registers,
                             vector::TransferReadOp read,
                             const layout::Layout &from,
                             const layout::Layout &to,
                             Operation *storeBefore = nullptr);

/// Stores a tile that threads hold in `from` as `shared` has it, with barriers
/// before and after. Returns the buffer; null if addresses have no formula.
Value storeInSharedMemory(ImplicitLocOpBuilder &builder,
                          Distributor &distributor, Value registers,
                          const layout::Layout &from,
                          const layout::SharedLayout &shared);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDTILE_H
