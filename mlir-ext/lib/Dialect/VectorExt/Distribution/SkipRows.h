//===- SkipRows.h - Tiles of groups without rows ----------------*- C++ -*-===//
//
// Groups of threads that compute nothing of a tile, since none of their rows
// exists.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SKIPROWS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SKIPROWS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Lets a group of threads that would store no row of a tile of `loop` only
/// wait for tiles in rings, free them, and take its turns. Returns whether it
/// does.
bool skipRows(RewriterBase &b, scf::ForOp loop);

/// Lets all groups of threads compute all tiles again, if there is a barrier of
/// the threads of `role` where some of them would not: the program means the
/// same.
void dropSkips(RewriterBase &b, RoleOp role);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SKIPROWS_H
