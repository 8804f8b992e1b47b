//===- Passes.h - Passes for NVIDIA GPUs ------------------------*- C++ -*-===//
//
// Declarations of the passes for NVIDIA GPUs. See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_PASSES_H
#define MLIR_EXT_TARGET_NVGPU_PASSES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Target/NVGPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Target/NVGPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_NVGPU_PASSES_H
