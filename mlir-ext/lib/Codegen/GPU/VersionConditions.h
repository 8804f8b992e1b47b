//===- VersionConditions.h - When versions of a group run -------*- C++ -*-===//
//
// Private to TileToWorkgroups. Builds, before the root, the conditions under
// which a launch runs each version of a group. They depend on sizes, on the
// alignment of rows, and on estimates of time, which are computed at run time
// because the sizes are not known earlier.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H

#include "WorkgroupVersions.h"

namespace mlir::linalg_ext {

/// Builds, before the root, the size of the chunks into which the sums of the
/// contraction of `group` are split. There are as many chunks as workgroups
/// need to read memory at its full rate. Returns null if there is known to be
/// only one chunk.
OpFoldResult getChunk(RewriterBase &rewriter, WorkgroupGroup &group);

/// Builds, before the root, the number of elements that the contraction of
/// `group` sums along its first reduction loop.
Value getSumSize(RewriterBase &rewriter, WorkgroupGroup &group);

/// Values that are computed before all loops, because tiling may replace sizes
/// of tensors.
struct VersionConditions {
  /// For each version, the condition under which it runs. Null means always.
  SmallVector<Value> conditions;
  /// For each version with `leastChunks`: the size of a chunk. Null if there is
  /// known to be only one chunk.
  SmallVector<OpFoldResult> chunks;
};

/// Builds, before the root, the conditions of `versions`.
VersionConditions buildConditions(RewriterBase &rewriter, WorkgroupGroup &group,
                                  const Versions &versions);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H
