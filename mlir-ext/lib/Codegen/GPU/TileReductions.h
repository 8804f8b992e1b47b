//===- TileReductions.h - Reductions inside a workgroup ---------*- C++ -*-===//
//
// The loops of a workgroup of linalg-ext-tile-to-workgroups.
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

/// Reduces `op`, in a workgroup, in a loop if it is long; with `isLong` its
/// parallel loops may be long as well. There is no loop, but a bound, if a
/// piece is known to be all (`isOnePiece`). The sums of a contraction are
/// split into chunks of `chunk`, if there is one. With `isRow`, a contraction
/// is reduced as rows are. Other contractions have `parts` parts of the
/// subgroups, each with tiles of its own. Fails only if the ops around `op` are
/// gone; see `tileAndFuse`.
LogicalResult tileReduction(RewriterBase &rewriter, linalg::LinalgOp op,
                            const TileToWorkgroupsOptions &options,
                            Refusal &refusal, bool isLong = false,
                            bool isOnePiece = false, OpFoldResult chunk = {},
                            bool isRow = false, int64_t parts = 1);

/// Whether `op`, in a workgroup, needs a loop over what it reduces: the size
/// has no constant bound, it alone reads more than registers hold, or `op` is a
/// contraction whose operands do not fit into shared memory or whose code would
/// be too long.
bool needsReductionLoop(linalg::LinalgOp op,
                        const TileToWorkgroupsOptions &options);

/// Returns `options` with such a `maxRow` that the pieces of all rows of `op`,
/// which are in a workgroup, have together as many elements as `maxRow` of
/// `options`.
TileToWorkgroupsOptions getOptionsForRows(linalg::LinalgOp op,
                                          TileToWorkgroupsOptions options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEREDUCTIONS_H
