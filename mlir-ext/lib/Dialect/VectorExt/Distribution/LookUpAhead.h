//===- LookUpAhead.h - Look-ups of the next iteration -----------*- C++ -*-===//
//
// Threads that copy gathered rows look up where these lie before they need it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOKUPAHEAD_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOKUPAHEAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Moves gathers of integers, such as the entries of tables, and divisions by
/// numbers that are not known, one iteration of `loop` forward, if their places
/// follow from the number of the iteration: each iteration starts with the
/// look-ups of the next one. The last one repeats its own. Nobody may write to
/// memory in the loop.
void lookUpAhead(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOKUPAHEAD_H
