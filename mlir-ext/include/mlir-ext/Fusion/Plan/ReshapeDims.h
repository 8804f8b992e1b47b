//===- ReshapeDims.h - Dimensions across reshapes and slices ----*- C++ -*-===//
//
// Maps tiles through a tensor.expand_shape, tensor.collapse_shape or
// tensor.extract_slice, from the result to the source and back. The mapping
// uses only types and tile sizes, because a plan is made before there are
// tiles.
//
//   expand_shape  [12, 7] -> [3, 4, 7], tiles (1, 2, whole) of the result:
//     source tiles (2, whole); dimension 0 is cut by 0 and 1; slices
//   collapse_shape [3, 4, 7] -> [12, 7], tiles (2, whole) of the result:
//     source tiles (1, 2, whole); dimensions 0 and 1 are cut by 0; slices
//   the same, tiles (6, whole):
//     source tiles (?, whole, whole); dimension 0 is cut by 0; some rows are
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

#include <string>

namespace mlir::linalg_ext {

/// Returns the largest number of rows that a range of `size` contiguous
/// elements can touch, if each row has `row` elements.
inline int64_t countTouchedRows(int64_t size, int64_t row) {
  return size == 0 ? 0 : (size + row - 2) / row + 1;
}

/// Returns whether computing `covering` elements is acceptable if only `wanted`
/// of them are needed. A range at least as long as a row touches rows with less
/// than three times as many elements, so it is always accepted.
inline bool isCoverAffordable(int64_t covering, int64_t wanted) {
  return covering <= 3 * wanted;
}

/// The relation of the tiles of one side of a reshape to the other side.
enum class ReshapedTiles {
  Slices,   ///< each tile is one slice, and different tiles are disjoint
  Covering, ///< each tile is part of one slice, and the slices overlap
  Unknown,  ///< neither is known, so tiling is refused
};

/// The tiles of one side of a reshape, given the tiles of the other side.
struct ReshapedDims {
  ReshapedTiles tiles = ReshapedTiles::Slices;
  /// For each dimension of this side, the dimensions of the other side whose
  /// tiling cuts it.
  SmallVector<llvm::SmallBitVector> cutBy;
  /// For each dimension, the tile size in elements. 0 if the dimension is whole
  /// or the size is not known.
  SmallVector<int64_t> tileSizes;
};

/// Returns whether `op` is an expand_shape, a collapse_shape or an
/// extract_slice of the tensor dialect.
bool isReshapeOrSlice(Operation *op);

/// Returns the tiles of the source of `op` that belong to tiles of its result.
/// `cut` has the dimensions of the result that are cut. `tileSizes` has one
/// entry for each dimension of the result. Only the entries of cut dimensions
/// count; 0, or an empty list, means that the size is not known. Tiles start at
/// multiples of a known size. `op` must satisfy `isReshapeOrSlice`.
ReshapedDims getSourceDims(Operation *op, const llvm::SmallBitVector &cut,
                           ArrayRef<int64_t> tileSizes = {});

/// Returns the tiles of the result of `op` that belong to tiles of its source.
/// The arguments describe the source.
ReshapedDims getResultDims(Operation *op, const llvm::SmallBitVector &cut,
                           ArrayRef<int64_t> tileSizes = {});

/// Explains why tiles of the result of the reshape `op` cannot be made of
/// slices of its source. `tileSizes` has the largest size of a tile along each
/// dimension, ShapedType::kDynamic if it is not known. Returns an empty string
/// if no obstacle is known.
std::string explainRefusedTiles(Operation *op, ArrayRef<int64_t> tileSizes);

/// Returns the dimensions of the result of `op` that are the dimensions
/// `operandDims` of its source, in the same order. Fails if `op` merges one of
/// them with, or splits it into, dimensions that are not of static size 1. Also
/// fails if a slice does not take the whole of one.
FailureOr<SmallVector<int64_t>>
mapDimsThroughReshape(Operation *op, ArrayRef<int64_t> operandDims);

/// Returns the dimensions of the result of the reshape `op` along which a
/// tensor may vary that varies along dimensions `operandDims` of its source.
/// The result is in ascending order.
SmallVector<int64_t> getVaryingDims(Operation *op,
                                    ArrayRef<int64_t> operandDims);

/// Maps `rows` from the source of the reshape `op` to its result. Fails, with
/// `refusal`, if the reshape changes the order of the rows.
LogicalResult mapRowsThroughReshape(Operation *op, RowGroups &rows,
                                    Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_RESHAPEDIMS_H
