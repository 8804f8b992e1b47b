//===- TileReductions.h - Reductions inside a workgroup ---------*- C++ -*-===//
//
// The loops inside a workgroup of linalg-ext-tile-to-workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEREDUCTIONS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEREDUCTIONS_H

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Tiles `op` by the levels of `options` and fuses the producers that the
/// options accept. Ops that are not fused use the original producers, or, with
/// `options.yieldProducers`, what the loops yield. If `refusal` has no op
/// afterwards, the ops around `op` are gone, too.
FailureOr<TileAndFuseResult> tileAndFuse(RewriterBase &rewriter,
                                         linalg::LinalgOp op,
                                         TileAndFuseOptions options,
                                         Refusal &refusal);

/// Reduces `op`, in a workgroup, in a loop if it is long. With `isLong`, its
/// parallel loops may be long as well. With `isOnePiece`, one piece is known to
/// be all of the row, so there is no loop, but its size is bounded. If `chunk`
/// is not null, the sums of a contraction are split into chunks of this size.
/// With `isRow`, a contraction is reduced like a row. Other contractions are
/// divided into `parts` parts of the subgroups, each with tiles of its own.
/// Fails only if the ops around `op` have been replaced; see `tileAndFuse`.
LogicalResult tileReduction(RewriterBase &rewriter, linalg::LinalgOp op,
                            const TileToWorkgroupsOptions &options,
                            Refusal &refusal, bool isLong = false,
                            bool isOnePiece = false, OpFoldResult chunk = {},
                            bool isRow = false, int64_t parts = 1);

/// Returns whether `op`, in a workgroup, needs a loop over its reduction: its
/// size has no constant bound, or `op` is the only reader of more elements than
/// registers hold, or `op` is a contraction whose operands do not fit into
/// shared memory or whose code would be too long.
bool needsReductionLoop(linalg::LinalgOp op,
                        const TileToWorkgroupsOptions &options);

/// Returns `options` with a smaller `maxRow`, so that the pieces of all rows of
/// `op` in a workgroup have as many elements together as `maxRow` of `options`.
TileToWorkgroupsOptions getOptionsForRows(linalg::LinalgOp op,
                                          TileToWorkgroupsOptions options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEREDUCTIONS_H
