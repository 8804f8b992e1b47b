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

/// Computes coordinates and addresses again after the loops of each kernel
/// below `scope`, and in loops around loops that carry at least `minCarried`
/// words of 32 bits.
void recomputeAfterLoops(RewriterBase &rewriter, Operation *scope,
                         int64_t minCarried);

/// Hides the induction variables of the loops below `scope` that copy
/// asynchronously and carry at least `minCarried` words of 32 bits.
void hideInductionVariables(RewriterBase &rewriter, Operation *scope,
                            int64_t minCarried);

/// Makes the factors of accumulators depend on the other carried values, in the
/// loops below `scope` that carry at least `minCarried` words of 32 bits. These
/// values must be sums of `minTerms` words unless the loop continues another.
void orderUpdates(RewriterBase &rewriter, Operation *scope, int64_t minCarried,
                  int64_t minTerms);

/// Returns whether `value` is loaded: perhaps as other elements, and also if
/// `pinOperands` has fixed it.
bool isLoaded(Value value);

/// Fixes the rounded values that loops below `scope` carry as operands of
/// asynchronous instructions, and what they have loaded for the next iteration.
void pinOperands(RewriterBase &rewriter, Operation *scope);

/// Keeps functions in both regions of each branch below `scope` that has some
/// in both.
void keepBranches(RewriterBase &rewriter, Operation *scope);

/// On a vector.maskedload: nobody writes to the memory while the kernel runs.
inline constexpr llvm::StringLiteral kInvariantAttr = "invariant";

/// Gives the loads of branches of each kernel below `scope` a predicate instead,
/// and moves them in front of the last barrier in front of them. The branches must
/// only load and compute, and a loop may have two loads in branches.
void predicateLoads(RewriterBase &rewriter, Operation *scope);

/// Tells how many workgroups of each kernel below `scope` fit on a processor
/// of `target`.
void setMinWorkgroups(Operation *scope, const GPUTarget &target);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_REGISTERWORKAROUNDS_H
