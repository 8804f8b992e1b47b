//===- BufferLoads.h - Tiles through descriptors of buffers -----*- C++ -*-===//
//
// Reads the registers of a tile through descriptors of buffers, as the target
// has registered them (`BufferLoads`).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BUFFERLOADS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BUFFERLOADS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedMemory.h"

#include <memory>
#include <optional>

namespace mlir::vector_ext {

/// Reads the registers of `access` through descriptors of buffers, without a
/// branch. Those that do not exist become 0. A bound of the rows is the end of
/// the buffer. `gather` is the op if it is one: each page that a subgroup reads
/// is a buffer. Returns null, and builds nothing, if
///   - the workgroup has no such loads, or the memory is not global;
///   - the tile, or a page, is not known to span less than 2^31 bytes, for a
///     stride is dynamic;
///   - the tile starts in front of the memory;
///   - lanes of a subgroup may read several pages with one instruction;
///   - accesses are aligned to less than 4 bytes and wider than that.
Value loadFromBuffers(ImplicitLocOpBuilder &builder, Distributor &distributor,
                      const TileAccess &access, TransferGatherOp gather = {});

/// Copies of a tile from buffers to shared memory in the order of lanes
/// (`layout::LaneCopy`). The buffers are those of `loadFromBuffers`.
class BufferCopy {
public:
  /// Returns the copies of what `read` reads, whose result has `layout`. Returns
  /// nothing if
  ///   - the workgroup has no such copies;
  ///   - `loadFromBuffers` could not read it, 16 bytes at a time;
  ///   - it has a mask or a lookup that a thread cannot compute for one element.
  /// Builds at most ops that are dead.
  static std::optional<BufferCopy> get(ImplicitLocOpBuilder &builder,
                                       Distributor &distributor,
                                       Operation *read,
                                       const layout::Layout &layout);

  /// Returns the dimension of the tile that is contiguous in global memory.
  unsigned getContiguousDim() const;

  /// Determines what each lane copies to a tile with layout `shared`. Returns
  /// false if no formulas describe this, or if lanes would read several pages.
  bool setDestination(const layout::SharedLayout &shared);

  /// Builds the copies to `target`, where the tile begins at element `start` (0
  /// if that is null), and a wait for them.
  void build(ImplicitLocOpBuilder &builder, Value target, Value start);

private:
  struct State;
  std::shared_ptr<State> state;
};

/// How many elements of `vector`, of rank 1, are the same, as far as the masks
/// `holds` hold: all in a block of so many, of which the first one begins at 0.
/// Returns 0 if all are.
int64_t getNumRepeated(Value vector, ArrayRef<Value> holds = {});

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BUFFERLOADS_H
