//===- Passes.h - Passes of the VectorExt dialect ---------------*- C++ -*-===//
//
// See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::vector_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Dialect/VectorExt/Distribution/Passes.h.inc"

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES_H
