//===- MergeRoots.h - Kernels side by side ----------------------*- C++ -*-===//
//
// What TileToWorkgroups does before it looks for the roots of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

namespace mlir::linalg_ext {

/// Makes one op of elementwise ops in `scope` that have the same loops, are in
/// no workgroup yet, do not need each other, and either read the same tensor
/// from memory, or go on from contractions that read one and have too few
/// workgroups for all processors (keys and values, of one input).
void mergeRoots(RewriterBase &rewriter, Operation *scope,
                const TileToWorkgroupsOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_MERGEROOTS_H
