//===- Passes.h - Passes of the pipelines -----------------------*- C++ -*-===//
//
// Declarations of the passes that the pipelines add to the transformations. See
// Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_PASSES_H
#define MLIR_EXT_PIPELINES_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Pipelines/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_PASSES_H
