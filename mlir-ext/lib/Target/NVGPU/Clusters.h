//===- Clusters.h - Ops on clusters to NVVM ---------------------*- C++ -*-===//
//
// Private to the conversion to NVVM.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_CLUSTERS_H
#define MLIR_EXT_LIB_TARGET_NVGPU_CLUSTERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::nvgpu_ext {

/// Replaces the ops of `module` on clusters by those of NVVM and assembly.
/// Fails, with an error, if the chip has no clusters.
LogicalResult lowerClusters(gpu::GPUModuleOp module);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_CLUSTERS_H
