//===- Roles.h - Barriers of a workgroup or of a role -----------*- C++ -*-===//
//
// Barriers for programs that may have roles, in place of `gpu.barrier`.
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

/// The discardable unit attribute of an allocation for the slots of a ring.
/// When the role that reads the ring executes its last op on it, all puts have
/// been waited for. This role may then reuse the memory.
inline std::string getRingAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".ring_memory").str();
}

/// The discardable unit attribute of a gather that is copied without registers.
/// Its threads may share what they look up for its rows.
inline std::string getSharesLookupsAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".shares_lookups").str();
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ROLES_H
