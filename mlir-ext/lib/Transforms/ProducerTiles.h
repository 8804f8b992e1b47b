//===- ProducerTiles.h - Tiles of producers ---------------------*- C++ -*-===//
//
// What upstream's tileAndFuseProducerOfSlice does not do.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_PRODUCERTILES_H
#define MLIR_EXT_LIB_TRANSFORMS_PRODUCERTILES_H

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Returns whether two lists of offsets or sizes are the same because the same
/// is computed.
bool isEquivalent(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs);

/// Builds the tile of `producer` that computes `slice`, a slice of its result
/// `resultNumber`, if the map of that has constants (a reduction that keeps the
/// dimension), and replaces the slice by it. Null otherwise.
std::optional<scf::SCFFuseProducerOfSliceResult>
tileKeptDims(RewriterBase &rewriter, Operation *producer, unsigned resultNumber,
             tensor::ExtractSliceOp slice);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_PRODUCERTILES_H
