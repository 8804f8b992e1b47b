//===- GroupTiles.h - Groups of threads with tiles of their own -*- C++ -*-===//
//
// Private to AssignRoles.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GROUPTILES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GROUPTILES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Returns the loop over tiles of `launch`, whose program has no roles yet.
/// Refuses a program that does more than compute beside one such loop, a loop
/// that carries more than numbers which follow from those of the iteration, and
/// tiles with ends.
FailureOr<scf::ForOp> findTileLoop(gpu::LaunchOp launch,
                                   linalg_ext::Refusal &refusal);

/// Deals the iterations of `loop`, which `findTileLoop` has returned and which
/// is in `role` now, to the groups of `role`: group g of G takes g, G + g, and
/// so on. They take turns with their loops of asynchronous products.
void dealTilesToGroups(RewriterBase &rewriter, RoleOp role, scf::ForOp loop);

/// Leaves the products of loops of `role` open over iterations, as groups in
/// turns do: for a role that has no other threads to fill the queue.
void leaveProductsOpen(RewriterBase &rewriter, RoleOp role);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_GROUPTILES_H
