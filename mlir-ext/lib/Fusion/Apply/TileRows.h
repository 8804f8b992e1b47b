//===- TileRows.h - Rows of a state in a tile -------------------*- C++ -*-===//
//
// A tile of a reshape may be a part of a larger tile that covers it: 4 of 2 x 3
// merged rows are cut out of all 6. The state then has the rows of the larger
// tile, and the accumulator has those of the part. A repair goes the same way:
// it is reshaped like the larger tile, and the part is cut out of it.
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

#include <vector>

namespace mlir::linalg_ext {

/// A part of a tile.
struct TilePart {
  /// The tile, and the offsets and sizes of the part in the dimensions of the
  /// tile.
  Value tile;
  SmallVector<OpFoldResult> offsets, sizes;
  /// The rows after the part has been cut out. Dimension i of the state in
  /// these groups stands for dimension i of the repair at this point.
  RowGroups rows;
};

/// A factor for the tiles of the current level.
struct TileFactor : public PlannedFactor {
  TileFactor(const PlannedFactor &factor) : PlannedFactor(factor) {}

  /// The parts between the source and the accumulator, in this order.
  /// `value.rows` are the rows up to the first part. Mostly there are no parts.
  std::vector<TilePart> parts;
};

/// Returns the factor `planned` for result `resultNumber` of `accumulator`. The
/// accumulator must depend on `source` in its block through uses that `follows`
/// accepts. `isPart` accepts the ops that the plan does not have: slices that
/// cut a part out of a tile, and casts. Fails if it is not known which rows of
/// the state the accumulator has.
FailureOr<TileFactor> getTileFactor(const PlannedFactor &planned,
                                    Operation *accumulator,
                                    unsigned resultNumber, Value source,
                                    function_ref<bool(OpOperand &)> follows,
                                    function_ref<bool(Operation *)> isPart);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_TILEROWS_H
