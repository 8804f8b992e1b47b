//===- Threads.h - From scf.forall to OpenMP --------------------*- C++ -*-===//
//
// The steps from scf.forall on buffers to OpenMP that upstream lacks: one
// before convert-scf-to-openmp, and one after it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_THREADS_H
#define MLIR_EXT_CODEGEN_CPU_THREADS_H

#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Rewrites every `scf.forall` in `scope` as an `scf.parallel`. One inside of
/// another `scf.forall` or `scf.parallel` becomes `scf.for` loops instead.
/// Fails, with an error at the loop and the IR unchanged, if one has tensor
/// results.
LogicalResult mapForallToThreads(RewriterBase &rewriter, Operation *scope);

/// Improves the loops of `parallel`, which `convert-scf-to-openmp` has created:
///   - moves a buffer of static size that each iteration allocates and frees
///     out of the loop, so that each thread allocates it once. Inlines the
///     memref.alloca_scope of an iteration;
///   - gives loops without a schedule a dynamic one;
///   - sets `nowait` on a loop without reductions, if it is the only one;
///   - adds an `if` clause, so that a loop of at most one iteration starts no
///     threads.
void finishParallelLoops(RewriterBase &rewriter, omp::ParallelOp parallel);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_THREADS_H
