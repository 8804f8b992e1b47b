//===- HeldOperands.h - Operands that threads hold --------------*- C++ -*-===//
//
// Beside its mark (Kernels.h), a persistent kernel may have this attribute.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_HELDOPERANDS_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_HELDOPERANDS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include <string>

namespace mlir::vector_ext {

/// Returns the name of a discardable unit attribute of a kernel. Threads then
/// hold the left operand of the first products of a tile, and the loop over
/// tiles carries it. Otherwise instructions read it from shared memory in each
/// product.
inline std::string getHoldsLeftAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".holds_left").str();
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_HELDOPERANDS_H
