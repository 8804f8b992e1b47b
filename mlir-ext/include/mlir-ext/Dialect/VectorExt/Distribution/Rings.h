//===- Rings.h - Rings of tiles ---------------------------------*- C++ -*-===//
//
// Lowers the ops of rings to memory, barriers and copies.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::vector_ext {

/// Replaces the rings of `launch` by shared memory, barriers, and copies as the
/// target has registered them (`TileCopies`), and returns how many there were.
/// `ring.get` becomes `shared_tile`. If the puts of a ring are in a role, slots
/// are freed by barriers of their own. Otherwise one of the threads that compute
/// starts the copies, and a barrier of all threads frees a slot. Refuses, with
/// the IR unchanged, if a ring is used in another way.
FailureOr<int64_t> lowerRings(RewriterBase &rewriter, gpu::LaunchOp launch,
                              linalg_ext::Refusal &refusal);

/// Adds to `ops` what computes `value` in `loop`, operands first. Returns false
/// if that needs more than the number of the iteration.
bool addIterationOps(Value value, scf::ForOp loop,
                     llvm::SetVector<Operation *> &ops);

/// Returns true if something in `loop` may write to memory, other than puts to
/// rings.
bool mayWrite(scf::ForOp loop);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H
