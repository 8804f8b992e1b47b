//===- MergeRoots.h - Horizontal fusion of kernel roots ---------*- C++ -*-===//
//
// Private to TileToWorkgroups. Merges independent elementwise roots, before
// TileToWorkgroups creates a kernel for each root.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

namespace mlir::linalg_ext {

/// Merges elementwise ops in `scope` into one op with several results. Two ops
/// are merged if they have the same static loop ranges, belong to no workgroup
/// yet, do not depend on each other, and satisfy one of:
///   - both read only memory, and they read the same tensor in the same way;
///   - each is the epilogue of a contraction, both contractions have a common
///     operand (keys and values are projections of one input), and each has at
///     most as many workgroups as the device has processors.
void mergeRoots(RewriterBase &rewriter, Operation *scope,
                const TileToWorkgroupsOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H
