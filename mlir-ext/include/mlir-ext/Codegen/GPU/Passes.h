//===- Passes.h - From tiles to launches ------------------------*- C++ -*-===//
//
// Declarations of the passes that turn tiles into workgroups, vectors and
// launches. See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_GPU_PASSES_H
#define MLIR_EXT_CODEGEN_GPU_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Codegen/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Codegen/GPU/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_GPU_PASSES_H
