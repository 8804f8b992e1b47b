//===- StartNextTile.h - The first product of the next tile -----*- C++ -*-===//
//
// Private to RotateLoops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STARTNEXTTILE_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STARTNEXTTILE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Starts the first product of the next tile in front of the end of each tile
/// of `loop`, a loop over tiles whose products are rotated. Does nothing, and
/// returns false, if the first product does not follow from the number of the
/// tile, if whether a tile has products depends on it, or if the left operand
/// has one slot.
bool startNextTile(RewriterBase &rewriter, scf::ForOp loop);

/// Makes `loop`, over tiles of the role that computes, and that of the role
/// that copies take where tiles are from a table, if it takes long to compute.
/// Returns false if it does nothing.
bool tabulatePlaces(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STARTNEXTTILE_H
