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

/// How many elements of `vector`, of rank 1, are the same: all in a block of so
/// many, of which the first one begins at 0. Returns 0 if all are.
int64_t getNumRepeated(Value vector);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BUFFERLOADS_H
