//===- ProducerTiles.h - Tiles of producers ---------------------*- C++ -*-===//
//
// Helpers for fusing producers that upstream's tileAndFuseProducerOfSlice does
// not have.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H
#define MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns whether two lists of offsets or sizes are equal because the same
/// pure ops compute them.
bool isEquivalent(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs);

/// Returns the result that `slice` slices, looking through the iter_args of
/// `loop`, and whether it looked through one.
std::pair<OpResult, bool> getSlicedProducer(tensor::ExtractSliceOp slice,
                                            LoopLikeOpInterface loop);

/// Returns whether `slice` is the same in every iteration of `loop`. Its
/// producer is then computed once, outside the loop.
bool isInvariant(tensor::ExtractSliceOp slice, LoopLikeOpInterface loop);

/// Returns whether `slice` takes all of dimension `dim` of its source: it
/// starts at 0, and its size does not depend on `loop`.
bool isWholeIn(tensor::ExtractSliceOp slice, unsigned dim,
               LoopLikeOpInterface loop);

/// Rewrites the sizes of `slice` that no loop cuts as sizes of `source`, the
/// result whose tile is asked for. Returns the slice that replaces it.
tensor::ExtractSliceOp nameWholeSizes(RewriterBase &rewriter,
                                      tensor::ExtractSliceOp slice,
                                      OpResult source,
                                      LoopLikeOpInterface loop);

/// Tiles `producer` for `slice`, a slice of its result `resultNumber`, if the
/// indexing map of this result has constants, as that of a reduction that keeps
/// the reduced dimension. Replaces the slice by the tile. Returns std::nullopt
/// for all other maps, and if tiling fails.
std::optional<scf::SCFFuseProducerOfSliceResult>
tileKeptDims(RewriterBase &rewriter, Operation *producer, unsigned resultNumber,
             tensor::ExtractSliceOp slice);

/// Replaces operands of `tiled` that are slices of a tensor.empty by a
/// tensor.empty of the size of the slice. Otherwise the whole tensor would
/// outlive fusion. Adds the replaced slices to `orphans`.
void shrinkEmptyTensors(RewriterBase &rewriter, Operation *tiled,
                        SetVector<Operation *> &orphans);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_PRODUCERTILES_H
