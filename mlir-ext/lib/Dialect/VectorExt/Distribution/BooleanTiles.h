//===- BooleanTiles.h - Tiles of booleans in shared memory ------*- C++ -*-===//
//
// Loads tiles of booleans from shared memory into bits of words.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BOOLEANTILES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BOOLEANTILES_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Layout/SharedAccess.h"

namespace mlir::vector_ext {

/// Returns whether the bytes of `tile` are booleans, 0 or 1: all uses turn
/// them into booleans without losing a bit.
bool isOfBooleans(Value tile);

/// Loads a tile of booleans that is in `memory` with layout `shared` into the
/// registers of layout `to`, as bytes, each of which is a bit of a word.
/// Returns null, and builds nothing, if `load_matrix` does not fit.
Value loadBooleans(ImplicitLocOpBuilder &builder, Distributor &distributor,
                   Value memory, const layout::SharedLayout &shared,
                   const layout::Layout &to);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_BOOLEANTILES_H
