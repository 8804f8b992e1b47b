//===- VersionConditions.h - When versions of a group run -------*- C++ -*-===//
//
// Private to TileToWorkgroups. Builds, in front of the root, the conditions
// under which a launch runs each version of a group: sizes, alignment of rows,
// and estimates of time that are computed at run time, because sizes are not
// known before.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H

#include "WorkgroupVersions.h"

namespace mlir::linalg_ext {

/// Builds, in front of the root, the size of the chunks that the sums of the
/// contraction of `group` are split into: there are as many chunks as it takes
/// for workgroups to use the whole rate of memory. Returns null if one chunk is
/// known to have all.
OpFoldResult getChunk(RewriterBase &rewriter, WorkgroupGroup &group);

/// Builds, in front of the root, how many elements the contraction of `group`
/// sums along its first reduction loop.
Value getSumSize(RewriterBase &rewriter, WorkgroupGroup &group);

/// What is computed in front of all loops, since tiling may replace sizes of
/// tensors.
struct VersionConditions {
  /// For each version: whether it runs. Null is true.
  SmallVector<Value> conditions;
  /// For each version with `leastChunks`: the size of a chunk. Null if one
  /// chunk is known to have all.
  SmallVector<OpFoldResult> chunks;
};

/// Builds, in front of the root, when each of `versions` runs.
VersionConditions buildConditions(RewriterBase &rewriter, WorkgroupGroup &group,
                                  const Versions &versions);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_VERSIONCONDITIONS_H
