//===- Transforms.h - Transformations for NVIDIA GPUs -----------*- C++ -*-===//
//
// What the passes that each vendor implements (Pipelines/GPUTargetPasses.cpp) do
// for NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nvgpu_ext {

/// Lets the loops in `scope` issue asynchronous copies (`nvgpu`) some iterations
/// ahead, so that they run while threads compute. Loops that fit no scheme stay
/// as they are. Fails, with an error, if upstream's pipeliner refuses a loop.
LogicalResult pipelineCopies(Operation *scope);

/// Lets the loops in `scope` that multiply, and whose threads do not wait for
/// each other, load vectors of elements of 8 bits from global memory early: at
/// the start of an iteration what they convert after its first products, and in
/// the previous iteration what they convert before. Two iterations of a known
/// number become one, with registers of their own. Leaves loops whose threads
/// would hold more than `maxBytes` bytes, and loops that write global memory.
void loadBytesAhead(Operation *scope, int64_t maxBytes);

/// Lets the loops of roles in `scope` that wait for free slots read entries of
/// page tables, which are integers that are read in branches, one iteration
/// early. Leaves roles of single threads.
void lookUpAhead(Operation *scope);

/// Adds patterns that convert scalars and vectors of f8E4M3FN and f8E5M2 by
/// instructions of sm_89 and later, two elements at a time: `arith.extf` to any
/// wider type, and `arith.truncf` from f16, bf16 and f32. The instructions make
/// the largest number of what is too large. Unless the operand is clamped, an
/// addition then makes it what MLIR has: infinity, or NaN in f8E4M3FN.
void populateConvertF8Patterns(RewritePatternSet &patterns);

/// Adds patterns that convert vectors of i8 to f16, signed or not, by moving
/// bytes and a subtraction for two elements at a time. The results are exact.
void populateConvertI8Patterns(RewritePatternSet &patterns);

/// Adds a pattern that looks up functions of integers of 4 bits, which are
/// unpacked from bytes, and of constants, as selects of NF4's numbers are: each
/// lane of a subgroup holds one of 16 results, and lanes exchange them. Blocks
/// that the lanes of a subgroup may not execute together stay as they are.
void populateTabulateInLanesPatterns(RewritePatternSet &patterns);

/// Lowers each `vector_ext.role` of the launches in `scope` to a branch of whole
/// warps, and its barriers to named ones. Fails, with an error, if a role is not
/// directly in a launch, does not consist of whole warpgroups, or has a
/// `gpu.barrier`.
LogicalResult lowerRoles(Operation *scope);

/// Converts the kernels of `module` to NVVM and LLVM, with indices of
/// `indexBitwidth` bits (32 or 64). Fails, with an error, if an op is left
/// unconverted, or if a kernel calls an external function.
LogicalResult convertToNVVM(gpu::GPUModuleOp module, unsigned indexBitwidth);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
