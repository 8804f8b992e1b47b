//===- RegisterWorkarounds.h - Spills of LLVM and ptxas ---------*- C++ -*-===//
//
// The workarounds of linalg-ext-nvgpu-register-workarounds. Passes.td says what
// each one is for.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_REGISTERWORKAROUNDS_H
#define MLIR_EXT_LIB_TARGET_NVGPU_REGISTERWORKAROUNDS_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// A loop that carries at least this many words of 32 bits uses most registers
/// of a thread, so that some workarounds apply to it (docs/Decisions/0015).
inline constexpr int64_t kManyCarriedWords = 96;

/// Computes coordinates and addresses again after the loops of each kernel
/// below `scope`, and in loops around loops that carry at least
/// kManyCarriedWords.
void recomputeAfterLoops(RewriterBase &rewriter, Operation *scope);

/// Hides the induction variables of the loops below `scope` that copy
/// asynchronously and carry at least kManyCarriedWords.
void hideInductionVariables(RewriterBase &rewriter, Operation *scope);

/// Computes the addresses of matrices in swizzled tiles in the loops that load
/// them, in kernels below `scope` with many threads.
void recomputeSwizzles(RewriterBase &rewriter, Operation *scope);

/// Makes the factors of accumulators depend on the other carried values, in
/// loops below `scope` that carry at least kManyCarriedWords. These values must
/// be sums of many words unless the loop continues another one.
void orderUpdates(RewriterBase &rewriter, Operation *scope);

/// Returns whether `value` is the result of a load, looking through casts of
/// its elements and through what `pinOperands` inserts.
bool isLoaded(Value value);

/// Passes values that loops below `scope` carry through empty inline assembly:
/// rounded operands of asynchronous instructions, and vectors that are loaded
/// for the next iteration. LLVM then does not move the rounding or the load.
void pinOperands(RewriterBase &rewriter, Operation *scope);

/// Keeps functions in both regions of each branch below `scope` that has some
/// in both, unless the loop around it carries too many words.
void keepBranches(RewriterBase &rewriter, Operation *scope);

/// A unit attribute of a vector.maskedload: nothing writes to the memory while
/// the kernel runs.
inline constexpr llvm::StringLiteral kInvariantAttr = "invariant";

/// Returns whether nothing writes to `buffer` while its kernel runs.
bool isReadOnly(Value buffer);

/// Replaces branches that only load and compute by loads with a predicate, in
/// each kernel below `scope`, and moves these loads before the preceding
/// barrier. Leaves kernels unchanged that have a loop with more than two loads
/// in branches.
void predicateLoads(RewriterBase &rewriter, Operation *scope);

/// A unit attribute of a vector.load of 16 bytes: it fetches the run of 256
/// bytes around them, too, and nothing writes to the memory while the kernel
/// runs.
inline constexpr llvm::StringLiteral kFetchAttr = "fetch";

/// Marks loads of bytes by `kFetchAttr`, in kernels below `scope`, if a loop
/// that multiplies reads along rows of memory by them.
void fetchLines(Operation *scope);

/// Puts a fence behind arrivals below `scope` that free the last slot of a
/// product, if many functions follow.
void freeSlotsEarly(RewriterBase &rewriter, Operation *scope);

/// States how many workgroups of each kernel below `scope` fit on a processor
/// of `target`.
void setMinWorkgroups(Operation *scope, const GPUTarget &target);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_REGISTERWORKAROUNDS_H
