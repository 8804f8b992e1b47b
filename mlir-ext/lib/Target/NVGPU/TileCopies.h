//===- TileCopies.h - Copies of tiles by TMA --------------------*- C++ -*-===//
//
// How NVIDIA GPUs from sm_90 on copy whole tiles to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_TILECOPIES_H
#define MLIR_EXT_LIB_TARGET_NVGPU_TILECOPIES_H

#include "mlir-ext/Dialect/VectorExt/IR/AsyncCopies.h"

namespace mlir::nvgpu_ext {

/// Returns the copies of tiles by the tensor memory accelerator. They need
/// sm_90.
vector_ext::TileCopies getTileCopies();

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_TILECOPIES_H
