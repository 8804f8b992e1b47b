//===- Roles.h - Barriers of a workgroup or of a role -----------*- C++ -*-===//
//
// What passes that may see roles use instead of `gpu.barrier`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_ROLES_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_ROLES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include <string>

namespace mlir::vector_ext {

/// Builds a barrier of the threads that run the program at the insertion point:
/// those of the role around it, or all of the workgroup.
Operation *createBarrier(OpBuilder &builder, Location loc);

/// Returns true if `op` is a barrier of a workgroup or of a role.
bool isBarrier(Operation *op);

/// The discardable attribute (unit) of an allocation that has the slots of a
/// ring. All that is put into a ring has been waited for when the last op of the
/// role that reads it is reached: this role may then use the memory again.
inline std::string getRingAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".ring_memory").str();
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ROLES_H
