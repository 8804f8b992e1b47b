//===- Threads.h - Loops that threads share ---------------------*- C++ -*-===//
//
// From scf.forall on buffers to OpenMP: what upstream's passes leave to do
// before convert-scf-to-openmp, and after it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_THREADS_H
#define MLIR_EXT_CODEGEN_CPU_THREADS_H

#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Makes every `scf.forall` in `scope` an `scf.parallel`, or loops (`scf.for`)
/// if it is in another loop that threads share. Fails, with an error at the
/// loop and the IR as it was, if one is on tensors.
LogicalResult mapForallToThreads(RewriterBase &rewriter, Operation *scope);

/// Finishes the loops of `parallel`, as `convert-scf-to-openmp` has made them:
///   - a buffer of known size that an iteration allocates and frees is one of
///     the thread instead, and there are no stack frames of iterations;
///   - iterations are handed out as `schedule` says, to loops that do not say;
///   - no thread waits at the end of the loop, where all of them end;
///   - one iteration or none starts no threads.
void finishParallelLoops(RewriterBase &rewriter, omp::ParallelOp parallel,
                         omp::ClauseScheduleKind schedule);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_THREADS_H
