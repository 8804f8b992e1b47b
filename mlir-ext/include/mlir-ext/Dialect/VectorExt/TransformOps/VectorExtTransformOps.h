//===- VectorExtTransformOps.h - VectorExt transform ops --------*- C++ -*-===//
//
// See VectorExtTransformOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS_H
#define MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir {
class DialectRegistry;

namespace vector_ext {
/// Adds the ops `transform.vector_ext.*` to the transform dialect.
void registerTransformDialectExtension(DialectRegistry &registry);
} // namespace vector_ext
} // namespace mlir

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/VectorExt/TransformOps/VectorExtTransformOps.h.inc"

#endif // MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMOPS_VECTOREXTTRANSFORMOPS_H
