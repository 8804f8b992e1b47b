//===- SiblingTiles.h - Where the tile of a sibling is ----------*- C++ -*-===//
//
// The tile of a sibling follows from the tile of what it and the root
// accumulate. From the root that is found backwards, from operand to operand,
// as fusing would; from there to the sibling forwards, as a consumer's:
//
//   root [b, h, m, e]  <- p [b, h, m, n]  -> collapse_shape [b h, m, n]
//                                         -> sibling [b h, m, f]
//
// Both ways are exact or refused. What covers a tile is not taken for it.
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

/// A tile of the iteration domain of an op, of which dimensions that are not
/// `known` are whole as far as what it reads tells.
struct SiblingTile {
  SmallVector<OpFoldResult> offsets, sizes;
  llvm::SmallBitVector known;
  /// The values of which it belongs to the tiles that the root takes.
  SmallVector<Value> shared;
};

/// Finds the tile of `sibling`, an op in front of `loop`, that belongs to the
/// tile `root` in `loop`. Index computations are built at the insertion point,
/// which is in front of `root`. On failure gives the reason.
FailureOr<SiblingTile> findSiblingTile(RewriterBase &rewriter, Operation *root,
                                       LoopLikeOpInterface loop,
                                       Operation *sibling, std::string &reason);

/// Moves the siblings that come after the root, and what they need, in front of
/// it.
void moveSiblingsBeforeRoot(RewriterBase &rewriter, const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_SIBLINGTILES_H
