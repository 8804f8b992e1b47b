//===- EarlyReads.h - Reads to registers ahead of their use -----*- C++ -*-===//
//
// Private to StageTiles. Moves reads to registers earlier, so that the data
// arrives while the threads do other work.
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

/// Moves reads to registers in loops of `launch` before the first wait for a
/// tile. The data arrives while threads wait and multiply.
void readEarly(RewriterBase &b, gpu::LaunchOp launch);

/// Moves reads to registers after a loop of products before this loop, if
/// threads have registers for the data beside the sums. The data arrives during
/// the loop.
void readInFront(RewriterBase &b, gpu::LaunchOp launch, scf::ForOp loop,
                 const linalg_ext::GPUTarget &target);

/// Moves copies beside converted bytes to the start of their loop, so that they
/// form one group.
void moveBeside(RewriterBase &b, const StagedReads &reads);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_EARLYREADS_H
