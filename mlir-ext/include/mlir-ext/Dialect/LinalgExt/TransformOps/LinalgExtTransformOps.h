//===- LinalgExtTransformOps.h - LinalgExt transform ops --------*- C++ -*-===//
//
// See LinalgExtTransformOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir {
class DialectRegistry;

namespace linalg_ext {
/// Adds the ops `transform.linalg_ext.*` to the transform dialect.
void registerTransformDialectExtension(DialectRegistry &registry);
} // namespace linalg_ext
} // namespace mlir

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.h.inc"

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMOPS_LINALGEXTTRANSFORMOPS_H
