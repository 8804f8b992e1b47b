//===- EarlyReads.h - Reads to registers ahead of their use -----*- C++ -*-===//
//
// Private to StageTiles. Moves what threads read to registers to where it
// arrives while they do other work.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_EARLYREADS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_EARLYREADS_H

#include "StagedReads.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Moves what threads read to registers in loops of `launch` in front of the
/// first wait for a tile: it arrives while they wait, and multiply.
void readEarly(RewriterBase &b, gpu::LaunchOp launch);

/// Moves what threads read behind a loop of products in front of it, if they
/// have registers for it beside the sums: it arrives during the loop.
void readInFront(RewriterBase &b, gpu::LaunchOp launch, scf::ForOp loop,
                 const linalg_ext::GPUTarget &target);

/// Moves what is copied beside converted bytes to the start of its loop, so
/// that it is one group.
void moveBeside(RewriterBase &b, const StagedReads &reads);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_EARLYREADS_H
