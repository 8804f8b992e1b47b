//===- TileRows.h - Which rows of a state a tile has ------------*- C++ -*-===//
//
// A tile of a reshape may be part of a larger one that covers it: 4 of 2 x 3
// rows that are merged are cut out of 2 x 3. The state then has the rows of the
// larger tile, and the accumulator those of the part. A repair goes the same
// way: it takes the shape of the larger tile, as far as its rows go, and the
// part is cut out of it.
//
//   state [2, 3]  collapse_shape [6]  extract_slice [2] [4]  accumulator [4, e]
//   rho   [2, 3]             [6]                    [4]      along dimension 0
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_TILEROWS_H
#define MLIR_EXT_LIB_FUSION_APPLY_TILEROWS_H

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// Where a part is cut out of a tile.
struct TilePart {
  /// The tile, and what of it is taken, in its dimensions.
  Value tile;
  SmallVector<OpFoldResult> offsets, sizes;
  /// The rows that lead on: dimension i of the state stands for dimension i of
  /// the repair once that has been cut.
  RowGroups rows;
};

/// A factor as the tiles at hand have it.
struct TileFactor : public PlannedFactor {
  TileFactor(const PlannedFactor &factor) : PlannedFactor(factor) {}

  /// In the order in which they are met on the way from the source to the
  /// accumulator; `value.rows` are those up to the first part. Mostly there
  /// are none.
  std::vector<TilePart> parts;
};

/// The factor of `planned` for `accumulator`, result `resultNumber` of which
/// follows `source` in its block, through the uses that `follows` accepts.
/// `isPart` tells what cuts a tile out of another, or changes its type alone,
/// from what was planned. Fails where it is not known which rows the
/// accumulator has.
FailureOr<TileFactor> getTileFactor(const PlannedFactor &planned,
                                    Operation *accumulator,
                                    unsigned resultNumber, Value source,
                                    function_ref<bool(OpOperand &)> follows,
                                    function_ref<bool(Operation *)> isPart);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_TILEROWS_H
