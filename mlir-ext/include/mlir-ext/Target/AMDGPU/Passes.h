//===- Passes.h - Passes for AMD GPUs ---------------------------*- C++ -*-===//
//
// Declarations of the passes for AMD GPUs. See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_PASSES_H
#define MLIR_EXT_TARGET_AMDGPU_PASSES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Target/AMDGPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Target/AMDGPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AMDGPU_PASSES_H
