//===- Passes.h - Passes of the LinalgExt dialect ---------------*- C++ -*-===//
//
// See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Dialect/LinalgExt/Transforms/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_PASSES_H
