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

/// Returns the name of a discardable unit attribute of an allocation for the
/// slots of a ring. It says that all puts have been awaited when the role that
/// reads the ring executes its last op on it. This role may then reuse the
/// memory.
inline std::string getRingAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".ring_memory").str();
}

/// Returns the name of a discardable unit attribute of a gather that is copied
/// without registers. The threads may share the look-ups for its rows.
inline std::string getSharesLookupsAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".shares_lookups").str();
}

/// Returns the name of a discardable unit attribute of a branch in a role. Some
/// groups of threads, which have no rows of a tile, take its first region, and
/// the others its second one. Taken by all, the second one means the same.
inline std::string getSkipsRowsAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".skips_rows").str();
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_ROLES_H
