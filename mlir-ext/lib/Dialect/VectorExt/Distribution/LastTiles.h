//===- LastTiles.h - The last tile of rows begins earlier -------*- C++ -*-===//
//
// See LastTiles.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LASTTILES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LASTTILES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Makes the last tile of rows of the result of `launch` begin earlier, if it
/// has fewer rows than a tile and all others are whole. Returns whether it may
/// do so.
bool beginLastTileEarlier(RewriterBase &b, gpu::LaunchOp launch);

/// Returns whether `launch` may write to the memory that `memory` is a view of.
bool mayWriteTo(gpu::LaunchOp launch, Value memory);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LASTTILES_H
