//===- ProducerTiles.h - Tiles of producers ---------------------*- C++ -*-===//
//
// What upstream's tileAndFuseProducerOfSlice does not do.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H
#define MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// Returns whether two lists of offsets or sizes are the same because the same
/// is computed.
bool isEquivalent(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs);

/// Returns the producer behind `slice`, looking through the iter_args of
/// `loop`, and whether it had to look through them.
std::pair<OpResult, bool> getSlicedProducer(tensor::ExtractSliceOp slice,
                                            LoopLikeOpInterface loop);

/// Returns whether `slice` is the same in every iteration of `loop`: its
/// producer is then computed once, outside.
bool isInvariant(tensor::ExtractSliceOp slice, LoopLikeOpInterface loop);

/// Returns whether `slice` has all of dimension `dim` of its source, as far as
/// `loop` cuts it.
bool isWholeIn(tensor::ExtractSliceOp slice, unsigned dim,
               LoopLikeOpInterface loop);

/// Says the sizes of `slice` that no loop cuts in terms of `source`, the
/// producer that is asked for it. Returns the slice in its place.
tensor::ExtractSliceOp nameWholeSizes(RewriterBase &rewriter,
                                      tensor::ExtractSliceOp slice,
                                      OpResult source,
                                      LoopLikeOpInterface loop);

/// Builds the tile of `producer` that computes `slice`, a slice of its result
/// `resultNumber`, if the map of that has constants (a reduction that keeps the
/// dimension), and replaces the slice by it. Null otherwise.
std::optional<scf::SCFFuseProducerOfSliceResult>
tileKeptDims(RewriterBase &rewriter, Operation *producer, unsigned resultNumber,
             tensor::ExtractSliceOp slice);

/// A slice of an uninitialised tensor is an uninitialised tensor: the whole one
/// must not outlive fusion. Slices that
/// this leaves without uses go to `orphans`.
void shrinkEmptyTensors(RewriterBase &rewriter, Operation *tiled,
                        SetVector<Operation *> &orphans);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H
