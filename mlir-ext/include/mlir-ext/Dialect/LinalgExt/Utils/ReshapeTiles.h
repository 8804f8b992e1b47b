//===- ReshapeTiles.h - Tiles across a reshape ------------------*- C++ -*-===//
//
// A reassociation group relates one flat dimension of size N = n_0 ... n_k-1 to
// the dimensions n_0, ..., n_k-1 that it is split into. A rectangular tile of
// the split dimensions and a range of the flat dimension have the same elements
// if, for some `cut`,
//
//   the tile is   (1, ..., 1, t, n_cut+1, ..., n_k-1)
//                             ^ dimension `cut`
//   the range is  [offset, offset + t * P)     P = n_cut+1 * ... * n_k-1
//
// Dimensions of size 1 fit anywhere.
//
// From a tile to a range, the sizes tell whether this holds. From a range to a
// tile, it must be proved: P divides the offset and the size, and the range
// stays within one index of dimension cut - 1. The proof treats offsets and
// sizes as polynomials (IndexPolynomial.h).
//
// A range that is no tile is covered by a tile: the rows of size P that the
// range touches. A tile that is no range is covered by a larger tile that is a
// range. It is whole along all dimensions inside the first dimension in which
// the tile has more than one index. A cover may be larger only by a constant
// factor (isCoverAffordable).
//
// If this factor is not known at compile time, a range is covered by the
// smallest tile that covers it. Code at run time chooses the tile: a range
// within one row is covered by itself, and a range that crosses rows by all
// rows that it touches. In a loop over tiles, one tile for each boundary
// between rows crosses it. A tile smaller than a row touches two rows, and a
// larger tile touches at most one extra row on each side. So all tiles together
// compute at most three times as many elements as there are. Each further
// merged dimension adds at most twice as many again.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H
#define MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H

#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <string>

namespace mlir::linalg_ext {

/// How a tile of one group is related to a range.
struct ReshapeCut {
  /// The range is the whole flat dimension, and the tile is whole along all
  /// dimensions of the group.
  bool whole = false;
  /// One side covers the other. A tile that covers a range has all rows that
  /// the range touches. A range that covers a tile has all elements inside of
  /// dimension `dim`.
  bool covering = false;
  /// The tile that covers the range is chosen at run time. It is whole along
  /// the dimensions inside of `dim` only if the range does not stay within one
  /// index of the dimensions outside of them.
  bool smallest = false;
  /// The dimension of which the tile has a part, by its position in the group.
  unsigned dim = 0;
  /// For a range that is a tile: the offsets of the tile along the dimensions
  /// up to `dim`, and its size along `dim`. Null where no value for it exists
  /// yet.
  SmallVector<OpFoldResult> offsets;
  OpFoldResult size;
};

/// Relates a tile of the split dimensions to a range. The tile has sizes
/// `sizes`, and the dimensions have sizes `extents`. Fails, with `refusal`, if
/// the tile is no range or, with `allowCovering`, if no affordable range covers
/// it.
FailureOr<ReshapeCut> cutTile(IndexAnalysis &analysis,
                              ArrayRef<IndexPolynomial> extents,
                              ArrayRef<OpFoldResult> sizes, bool allowCovering,
                              Refusal &refusal);

/// Relates the range [offset, offset + size) to a tile of the split dimensions,
/// which have sizes `extents`. The range must lie within the flat dimension.
/// Fails, with `refusal`, if it is not known that the range is a tile or, with
/// `allowCovering`, that an affordable tile covers it.
FailureOr<ReshapeCut> cutRange(IndexAnalysis &analysis,
                               ArrayRef<IndexPolynomial> extents,
                               OpFoldResult offset, OpFoldResult size,
                               bool allowCovering, Refusal &refusal);

/// Returns why the TilingInterface of `op`, a `tensor.expand_shape` or
/// `tensor.collapse_shape`, refuses the tile of its result with `offsets` and
/// `sizes`. Returns an empty string if it accepts the tile. Creates no IR.
std::string explainReshapeTileRefusal(Operation *op,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes);

/// Returns the cut of each group of the reshape `op`. The tile is one of its
/// result or, if `ofSource` is true, of its source. Fails, with `refusal`, if a
/// group cannot be related. Only tiles of results may be covered.
FailureOr<SmallVector<ReshapeCut>> cutReshape(Operation *op, bool ofSource,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes,
                                              Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_UTILS_RESHAPETILES_H
