//===- KeySharing.h - Who reduces the keys of a row on a GPU ----*- C++ -*-===//
//
// Chooses the tile of a workgroup of attention with static sizes: its rows, the
// number of parts of its subgroups that share keys, and the keys of a
// workgroup. The functions take and return numbers only, no IR.
// docs/Decisions/0039 has the measurements that the model is fitted to.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_KEYSHARING_H
#define MLIR_EXT_SELECTION_KEYSHARING_H

#include "mlir-ext/Support/GPUTarget.h"

namespace mlir::linalg_ext {

/// Sizes of attention: `batches` (heads times batches) with `rows` queries and
/// `keys` keys each. A score is a sum over `depth` elements. A result has
/// `columns` columns. Elements of operands have `elementBytes` bytes.
struct KeySharingSizes {
  int64_t batches = 1, rows = 0, keys = 0, depth = 0, columns = 0;
  int64_t elementBytes = 2;
};

/// The tile of a workgroup. An iteration of each of the `parts` of its
/// subgroups has `keys` keys of its own. `split` is the number of keys of a
/// workgroup, 0 if it has all of a row.
struct KeySharing {
  int64_t rows = 128, keys = 64, parts = 1, split = 0;
};

/// Estimates the time of `sharing` in workgroups of `subgroups` subgroups, in
/// cycles of `target`.
int64_t estimateKeySharing(const KeySharingSizes &sizes,
                           const KeySharing &sharing, int64_t subgroups,
                           const GPUTarget &target = {});

/// Chooses the tile of least estimated time for workgroups of `subgroups`
/// subgroups:
///   - 128, 64, 32 or 16 rows for all subgroups together, or
///   - parts of the subgroups, each of which has a matrix of rows
///     (`matrixRows` of the target) for each of its subgroups;
///   - all keys of a row in a workgroup, or chunks of 512 or 1024 if there are
///     no more tiles of `matrixRows` rows than processors.
/// Returns `usual` unless another tile takes less than 95 % of its time.
KeySharing chooseKeySharing(const KeySharingSizes &sizes, int64_t subgroups,
                            const KeySharing &usual,
                            const GPUTarget &target = {});

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_KEYSHARING_H
