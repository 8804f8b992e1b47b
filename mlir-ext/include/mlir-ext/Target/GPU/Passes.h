//===- Passes.h - Passes for all GPU vendors --------------------*- C++ -*-===//
//
// Declarations of the passes that do not depend on the GPU vendor. See
// Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PASSES_H
#define MLIR_EXT_TARGET_GPU_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Target/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Target/GPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_PASSES_H
