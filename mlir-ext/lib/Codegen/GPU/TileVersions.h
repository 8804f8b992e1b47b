//===- TileVersions.h - Loops of the versions of a group --------*- C++ -*-===//
//
// Private to TileToWorkgroups. Tiles the ops of a group into loops over
// workgroups, one for each version.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEVERSIONS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEVERSIONS_H

#include "VersionConditions.h"

namespace mlir::linalg_ext {

/// Tiles `group` once for each of `versions`, the last time the root itself. If
/// there are several loops, they are the regions of nested branches.
LogicalResult tileVersions(RewriterBase &rewriter, WorkgroupGroup &group,
                           const Versions &versions, Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEVERSIONS_H
