//===- Rings.h - Rings of tiles, and roles ----------------------*- C++ -*-===//
//
// Cuts a program with rings into roles, and lowers rings to memory, barriers and
// copies.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Cuts the program of `launch`, if it has rings, into a role that copies, in
/// one thread, and a role that computes, in the threads that the launch had. The
/// launch gets a group of threads more. Returns the number of rings. Refuses,
/// with the IR unchanged, if the place of a tile follows from a vector or from
/// what the kernel writes, if the threads that compute are no groups, or if the
/// result of an instruction does not fit the registers with which threads start.
FailureOr<int64_t> assignRoles(RewriterBase &rewriter, gpu::LaunchOp launch,
                               linalg_ext::Refusal &refusal);

/// Replaces the rings of `launch` by shared memory, barriers, and copies as the
/// target has registered them (`TileCopies`), and returns how many there were.
/// `ring.get` becomes `shared_tile`. If the puts of a ring are in a role, slots
/// are freed by barriers of their own. Otherwise one of the threads that compute
/// starts the copies, and a barrier of all threads frees a slot. Refuses, with
/// the IR unchanged, if a ring is used in another way.
FailureOr<int64_t> lowerRings(RewriterBase &rewriter, gpu::LaunchOp launch,
                              linalg_ext::Refusal &refusal);

/// Returns true if `value` follows from the number of the iteration of `loop`
/// alone, or is a value of the iteration before that does.
bool followsFromIteration(Value value, scf::ForOp loop);

/// Returns true if something in `loop` may write to memory, other than puts to
/// rings.
bool mayWrite(scf::ForOp loop);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H
