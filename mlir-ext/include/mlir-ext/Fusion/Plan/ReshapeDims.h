//===- ReshapeDims.h - Dimensions across reshapes and slices ----*- C++ -*-===//
//
// What tiling dimensions of the result of a tensor.expand_shape,
// tensor.collapse_shape or tensor.extract_slice means to its source, and the
// other way round, told from types and tile sizes alone: a plan is made before
// there are tiles.
//
//   expand_shape  [12, 7] -> [3, 4, 7], tiles (1, 2, whole) of the result:
//     source tiles (2, whole); dimension 0 is cut by 0 and 1; slices
//   collapse_shape [3, 4, 7] -> [12, 7], tiles (2, whole) of the result:
//     source tiles (1, 2, whole); dimensions 0 and 1 are cut by 0; slices
//   the same, tiles (6, whole):
//     source tiles (?, whole, whole); dimension 0 is cut by 0; rows are
//     computed in two tiles
//   expand_shape  [12, 7] -> [3, 4, 7], tiles (1, 3, whole) of the result are
//     slices, and so are tiles (2, 4, whole); tiles (2, 3, whole) are parts of
//     tiles (2, 4, whole)
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_RESHAPEDIMS_H
#define MLIR_EXT_FUSION_PLAN_RESHAPEDIMS_H

#include "mlir-ext/Interfaces/RepairRows.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

/// How many rows of `row` elements, one after another, a range of `size`
/// elements has elements of at most.
inline int64_t countTouchedRows(int64_t size, int64_t row) {
  return size == 0 ? 0 : (size + row - 2) / row + 1;
}

/// Returns whether `covering` elements may be computed for the sake of
/// `wanted`. (Rows that a range is as long as, with one more on each side, are
/// less than three times as many.)
inline bool isCoverAffordable(int64_t covering, int64_t wanted) {
  return covering <= 3 * wanted;
}

/// What tiles of one side of a reshape are on the other side.
enum class ReshapedTiles {
  Slices,   ///< each is one slice, and different tiles are disjoint slices
  Covering, ///< each is part of one slice; the slices overlap
  Unknown,  ///< it may be neither, and tiling is then refused
};

/// The tiles of one side, given those of the other.
struct ReshapedDims {
  ReshapedTiles tiles = ReshapedTiles::Slices;
  /// For each dimension of this side, the dimensions of the other whose tiling
  /// cuts it.
  SmallVector<llvm::SmallBitVector> cutBy;
  /// For each dimension, the size of the tiles; 0 where it is whole (not cut)
  /// or not known.
  SmallVector<int64_t> tileSizes;
};

/// Returns whether `op` is one that this file knows.
bool isReshapeOrSlice(Operation *op);

/// The tiles of the source of `op` that belong to tiles of its result, which
/// are cut along `cut`. Tiles start at multiples of their sizes,
/// `tileSizes[dim]`, where these are given and not 0; they are those of the cut
/// dimensions, other entries are ignored. `op` satisfies `isReshapeOrSlice`.
ReshapedDims getSourceDims(Operation *op, const llvm::SmallBitVector &cut,
                           ArrayRef<int64_t> tileSizes = {});

/// The tiles of the result of `op` that belong to tiles of its source, in the
/// same terms.
ReshapedDims getResultDims(Operation *op, const llvm::SmallBitVector &cut,
                           ArrayRef<int64_t> tileSizes = {});

/// Says why tiles of the result of `op`, a reshape, of at most `tileSizes`
/// elements along each dimension (ShapedType::kDynamic: not known), cannot be
/// made of slices of its source; empty if they can as far as is known.
std::string explainRefusedTiles(Operation *op, ArrayRef<int64_t> tileSizes);

/// Returns the dimensions of the result of `op` that are the dimensions
/// `operandDims` of its source, in this order. Fails where one of them is
/// merged with or split into others that are not of static size 1, or is not
/// whole in a slice: what varies along it cannot then be said by the dimension
/// alone.
FailureOr<SmallVector<int64_t>>
mapDimsThroughReshape(Operation *op, ArrayRef<int64_t> operandDims);

/// Returns the dimensions of the result of `op`, a reshape, along which a
/// tensor varies, or may, that varies along `operandDims` of its source, in
/// ascending order.
SmallVector<int64_t> getVaryingDims(Operation *op,
                                    ArrayRef<int64_t> operandDims);

/// Makes `rows`, which are those of the source of `op`, a reshape, those of its
/// result. Fails, with the reason, where the reshape changes their order.
LogicalResult mapRowsThroughReshape(Operation *op, RowGroups &rows,
                                    std::string &reason);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_RESHAPEDIMS_H
