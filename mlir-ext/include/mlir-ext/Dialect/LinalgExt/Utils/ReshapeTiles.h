//===- ReshapeTiles.h - Tiles across a reshape ------------------*- C++ -*-===//
//
// A reassociation group relates one flat dimension of size N = n_0 ... n_k-1 to
// the dimensions n_0, ..., n_k-1 that it is split into. One rectangular tile of
// the split dimensions is one range of the flat dimension, and the other way
// round, where for some `cut`
//
//   the tile is   (1, ..., 1, t, n_cut+1, ..., n_k-1)
//                             ^ dimension `cut`
//   the range is  [offset, offset + t * P)     P = n_cut+1 * ... * n_k-1
//
// Dimensions of size 1 fit anywhere.
//
// From the tile to the range that is read off the sizes. From the range to the
// tile it has to be proved (P divides the offset and the size, and the range
// does not leave one index of dimension cut - 1), for which offsets and sizes
// are taken as polynomials (IndexPolynomial.h).
//
// A range that is no tile is covered by one: the rows of size P that it
// touches. And a tile that is no range is covered by one, of the tile that is
// whole along the dimensions inside the first of which it has more than 1. What
// covers may be larger by a constant only (isCoverAffordable).
//
// Where no number says how much larger that is, a range is covered by the
// smallest tile that does: where it stays within one row, by the range itself,
// and where it crosses from one row to another, by the rows that it touches.
// Which of them it is, is found out where the tile is computed. Of the tiles of
// a loop, one for each boundary between rows crosses it. If it is smaller than
// a row it touches two, if not it touches at most one more on each side:
// together the tiles compute at most three times as many elements as there are,
// and two times as many again for each further dimension that is merged.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H
#define MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <string>

namespace mlir::linalg_ext {

/// How the tile of one group is cut.
struct ReshapeCut {
  /// The range is the whole dimension, and the tile whole along all of them.
  bool whole = false;
  /// The tile has more than the range, the rows that the range touches; or the
  /// range has more than the tile, all that is inside of dimension `dim`.
  bool covering = false;
  /// A tile that covers a range is whole along the dimensions inside of `dim`
  /// only if the range leaves one index of those outside of them.
  bool smallest = false;
  /// The dimension, by its position in the group, that the tile has a part of.
  unsigned dim = 0;
  /// Of a tile that a range is: its offsets along the dimensions up to `dim`,
  /// and its size along `dim`, where these are values already; else null.
  SmallVector<OpFoldResult> offsets;
  OpFoldResult size;
};

/// Relates a tile of `sizes` of the split dimensions, of sizes `extents`, to a
/// range. Fails, with the reason, where it is none, or with `allowCovering` is
/// covered by none that is affordable.
FailureOr<ReshapeCut> cutTile(IndexAnalysis &analysis,
                              ArrayRef<IndexPolynomial> extents,
                              ArrayRef<OpFoldResult> sizes, bool allowCovering,
                              std::string &reason);

/// Relates the range [offset, offset + size) to a tile of the split dimensions,
/// of sizes `extents`. Ranges start inside the dimension and end there. Fails,
/// with the reason, where it is not known to be one, or with `allowCovering` to
/// be covered by one that is affordable.
FailureOr<ReshapeCut> cutRange(IndexAnalysis &analysis,
                               ArrayRef<IndexPolynomial> extents,
                               OpFoldResult offset, OpFoldResult size,
                               bool allowCovering, std::string &reason);

/// Says why the tile at `offsets`, of `sizes`, of the result of `op`, a
/// `tensor.expand_shape` or `tensor.collapse_shape`, is refused by its
/// TilingInterface; empty if it is not. Creates no IR.
std::string explainReshapeTileRefusal(Operation *op,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes);

/// The cut of each group of `op`, a reshape as above, for a tile of its result
/// or, `ofSource`, of its source.
FailureOr<SmallVector<ReshapeCut>> cutReshape(Operation *op, bool ofSource,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes,
                                              std::string &reason);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H
