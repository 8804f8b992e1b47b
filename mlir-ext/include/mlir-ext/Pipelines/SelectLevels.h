//===- SelectLevels.h - Tile sizes for a root -------------------*- C++ -*-===//
//
// Which loops a root is tiled with when the user does not say.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_SELECTLEVELS_H
#define MLIR_EXT_PIPELINES_SELECTLEVELS_H

#include "mlir-ext/Pipelines/CPUTileSizes.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

namespace mlir::linalg_ext {

/// Chooses the levels of `root`, an accumulation that reads the partial results
/// of an online reduction (or what is computed with the maximum that one is
/// made of), with the sizes of `chooseCPUTiles`:
///   - an outer `forall` over the parallel dimensions of the operand that the
///     online reduction feeds: 1 for those that other operands have too
///     (batches), `rows` for the innermost of the others (and, as far as it is
///     shorter than that, the next ones outside it); and over the columns of
///     the accumulator, if they are cut;
///   - a `split` of the innermost reduction dimension, if the sizes say so;
///   - an inner `for` over the innermost reduction dimension, by `keys`.
/// Of a `root` that reads what is computed from reductions of rows that are not
/// online (norms, the log-sum-exp in a loss), with those of
/// `chooseCPURowTiles`: the same, or an outer `forall` over rows that are
/// reduced whole and, if the product behind them is cut, a `for` over its
/// columns and one over its reduction, neither of which indexes what is reduced
/// before.
/// Fails if `root` has neither form.
FailureOr<std::vector<TilingLevel>>
selectCPULevels(Operation *root, const CPUCoreModel &core = {},
                const CPUTileOptions &options = {});

/// Sizes of the tiles of one workgroup of a GPU.
struct GPUTileSizes {
  /// 0 chooses 128, or 64 where the accumulator has more than 128 columns, or a
  /// number that is not known.
  int64_t rows = 64;
  /// 0 chooses 64, or 32 where it has more than 128.
  int64_t keys = 64;
  /// Of the keys, those that a workgroup treats: several share a row, and what
  /// they have accumulated is merged. -1: all. 0 chooses: all, unless there are
  /// at most `fewRows` rows in a batch. Then as many as leave `workgroups`, but
  /// no fewer than 4 tiles, or 1024 where their number is not known.
  int64_t split = -1;
  int64_t fewRows = 16;
  int64_t workgroups = 1024;
  /// Parts of the subgroups of a workgroup, each with `keys` of its own in an
  /// iteration, and states of its own, which are merged after the loop.
  int64_t keySubgroups = 1;
  /// Of the other parallel dimensions, those that are not known are cut by
  /// this, and those of more than `maxColumns` elements by that: what the
  /// workgroups of a row have in common each of them computes.
  int64_t columns = 64;
  int64_t maxColumns = 256;
};

/// Chooses the levels of `root`, of the same form, such that all of a tile are
/// matrices:
///   - an outer `forall` over workgroups (`#gpu.block<linear_dim_i>`), over the
///     parallel dimensions of the operand that the online reduction feeds:
///     `rows` for the innermost that has more than one element and is not a
///     dimension of other operands too (a batch), 1 for the others; and over
///     those of the other parallel dimensions that are not known or large;
///   - a `split` of the innermost reduction dimension, if the sizes say so;
///   - an inner `for` over the innermost reduction dimension, by `keys`, in
///     `keySubgroups` parts (`#gpu.warp<linear_dim_0>`) unless there are fewer
///     keys than all parts take at a time, and one over further ones, if there
///     are any, by 1.
/// Fails if `root` does not have this form.
FailureOr<std::vector<TilingLevel>>
selectGPULevels(Operation *root, const GPUTileSizes &given = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_SELECTLEVELS_H
