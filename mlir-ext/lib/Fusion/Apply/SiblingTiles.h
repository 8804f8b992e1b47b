//===- SiblingTiles.h - Finds the tile of a sibling -------------*- C++ -*-===//
//
// The tile of a sibling follows from the tile of the tensor that it and the
// root accumulate. The search goes backwards from the root, from operand to
// operand, as fusing producers does. From the shared tensor it goes forwards to
// the sibling, as fusing consumers does:
//
//   root [b, h, m, e]  <- p [b, h, m, n]  -> collapse_shape [b h, m, n]
//                                         -> sibling [b h, m, f]
//
// Each step is exact, or the sibling is refused. A tile that only covers the
// exact one is not used.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_SIBLINGTILES_H
#define MLIR_EXT_LIB_FUSION_APPLY_SIBLINGTILES_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

#include <string>

namespace mlir::linalg_ext {

/// A tile of the iteration domain of an op. Dimensions that are not `known` are
/// whole, as far as the operands of the op tell.
struct SiblingTile {
  SmallVector<OpFoldResult> offsets, sizes;
  llvm::SmallBitVector known;
  /// The values whose tiles, as the root uses them, determine this tile.
  SmallVector<Value> shared;
};

/// Finds the tile of `sibling`, an op before `loop`, that belongs to the tile
/// `root` in `loop`. Builds index computations at the insertion point, which
/// must be before `root`. On failure, `refusal` tells why.
FailureOr<SiblingTile> findSiblingTile(RewriterBase &rewriter, Operation *root,
                                       LoopLikeOpInterface loop,
                                       Operation *sibling, Refusal &refusal);

/// Moves the fused siblings that come after the root, and the ops that they
/// need, before the root.
void moveSiblingsBeforeRoot(RewriterBase &rewriter, const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_SIBLINGTILES_H
