//===- Rings.h - Rings of tiles, and roles ----------------------*- C++ -*-===//
//
// Splits a program with rings into roles, and lowers rings to memory, barriers
// and copies.
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

/// The most workgroups of a cluster: all devices that have clusters run as many.
constexpr int64_t kMostShared = 8;

/// Makes `cluster` consecutive workgroups of `launch` a cluster, and lets them
/// share the tiles of puts that are the same in all of them. Returns the number
/// of these tiles. Refuses, with the IR unchanged, if there are none, if the
/// number of workgroups is not known or no multiple of `cluster`, or if the
/// grid has several dimensions.
FailureOr<int64_t> shareTiles(RewriterBase &rewriter, gpu::LaunchOp launch,
                              int64_t cluster, linalg_ext::Refusal &refusal);

/// If `launch` has rings, replaces it by a persistent kernel: at most as many
/// workgroups as the target has processors, and in them a loop over tiles. Of W
/// workgroups, each computes every W-th tile. With two `directions`, for tiles
/// that get shorter along a row, tiles are dealt in pairs of a long and a short
/// one, or back and forth; with 3, as parts of sums (IR/DealtTiles.h).
/// Positions in rings continue from tile to tile. Returns 1, or 0 if there is
/// no ring. Refuses, with the IR unchanged, if the grid has several dimensions
/// or no known pairs, if there are roles or barriers, or if a branch or nested
/// loop copies.
FailureOr<int64_t> persistWorkgroups(RewriterBase &rewriter,
                                     gpu::LaunchOp launch, int64_t directions,
                                     linalg_ext::Refusal &refusal);

/// If `launch` has rings, splits its program into two roles: one thread copies,
/// and the original threads compute. The launch gets one more group of threads
/// (`groupThreads` of the target). If `groups` is more than 1, a persistent
/// kernel gets that many times the original threads. Each of these groups
/// computes every `groups`-th tile, and the groups take turns with their
/// products. Returns the number of rings. Refuses, with the IR unchanged, if
/// the position of a tile depends on a vector or on memory that the kernel
/// writes, if the computing threads are no whole groups, if the result of an
/// instruction needs more registers than threads have at the start, or if there
/// are several groups but no loop over tiles that can be dealt to them.
FailureOr<int64_t> assignRoles(RewriterBase &rewriter, gpu::LaunchOp launch,
                               int64_t groups, linalg_ext::Refusal &refusal);

/// Replaces the rings of `launch` by shared memory, barriers, and the copies
/// that the target has registered (`TileCopies`). Returns the number of rings.
/// `ring.get` becomes `shared_tile`. If the puts of a ring are in a role, each
/// slot has a barrier that frees it. Otherwise one of the computing threads
/// starts the copies, and a barrier of all threads frees a slot. Refuses, with
/// the IR unchanged, if a ring is used in another way.
FailureOr<int64_t> lowerRings(RewriterBase &rewriter, gpu::LaunchOp launch,
                              linalg_ext::Refusal &refusal);

/// Builds the number of the copying thread or group that a thread belongs to.
/// `copiers` of these share the copies in `role`. All threads of `role` execute
/// the op; consecutive threads have the same number.
Value buildCopier(RewriterBase &rewriter, Location loc, RoleOp role,
                  int64_t copiers);

/// Builds the number of iterations of `loop` at the insertion point.
Value buildNumIterations(RewriterBase &rewriter, Location loc, scf::ForOp loop);

/// Returns true if `value` depends only on the number of the iteration of
/// `loop`, or is such a value of the previous iteration. If `mayRead`, it may also
/// depend on memory, to which nothing in the loop may write.
bool followsFromIteration(Value value, scf::ForOp loop, bool mayRead = false);

/// Returns true if an op in `loop` other than a put may write to memory.
bool mayWrite(scf::ForOp loop);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_RINGS_H
