//===- StorePatches.h - Convolutions as products of matrices ----*- C++ -*-===//
//
// Private to TileToWorkgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_STOREPATCHES_H
#define MLIR_EXT_LIB_CODEGEN_GPU_STOREPATCHES_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

namespace mlir::linalg_ext {

/// If asynchronous products are estimated to be so much faster that this pays,
/// lets convolutions below `scope` multiply matrices of patches, which a kernel
/// in front stores. Adds the ops that gather them to `options`.
void storePatches(RewriterBase &rewriter, Operation *scope,
                  TileToWorkgroupsOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_STOREPATCHES_H
