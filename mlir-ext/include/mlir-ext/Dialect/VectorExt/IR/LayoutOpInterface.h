//===- LayoutOpInterface.h - Ops on vectors with layouts --------*- C++ -*-===//
//
// See LayoutOpInterface.td for the contract.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace mlir::vector_ext {

class Distributor;

/// The threads of a workgroup, and what they can do.
struct Workgroup {
  int64_t numLanes = 32;
  int64_t numSubgroups = 1;
  /// Subgroups can load matrices from shared memory (`vector_ext.load_matrix`).
  bool hasMatrixLoads = false;
  /// Threads can copy from global to shared memory without registers, as the
  /// target has registered it (`AsyncCopies`).
  bool hasAsyncCopies = false;
  /// The number of shared-memory buffers of each tile that a loop copies
  /// asynchronously. With several, iterations use them in rotation, so that
  /// copies for later iterations can be in flight.
  int64_t numBuffers = 1;
  /// Large results of instructions go through shared memory, so that threads
  /// write 16 bytes at a time.
  bool hasWideWrites = false;
  /// Threads can read global memory through descriptors of buffers, as the
  /// target has registered it (`BufferLoads`).
  bool hasBufferLoads = false;
  /// Subgroups can transpose elements of 16 bits on their way from shared
  /// memory, and copy tiles from buffers to shared memory without registers, as
  /// the target has registered it (`BufferLoads`).
  bool hasTransposeLoads = false;
  bool hasLaneCopies = false;
  /// Groups of subgroups that take turns at products (`turn.take`), if they do,
  /// and whether they do so for several tiles, one after the other.
  int64_t numTurns = 0;
  bool takesTurnsForTiles = false;
};

/// Returns true if an operand or a result of `op` is a vector.
bool hasVectors(Operation *op);

namespace detail {
/// The default implementations of the methods of `LayoutOpInterface`.
Value getDefaultDecidingValue(Operation *op);
std::optional<layout::Layout>
getDefaultResultLayout(Operation *op, OpResult result,
                       const layout::Layout &deciding);
} // namespace detail

} // namespace mlir::vector_ext

#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h.inc"

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE_H
