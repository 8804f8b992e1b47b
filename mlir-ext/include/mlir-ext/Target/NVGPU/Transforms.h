//===- Transforms.h - Transformations for NVIDIA GPUs -----------*- C++ -*-===//
//
// What the passes that each vendor implements (Pipelines/GPUTargetPasses.cpp) do
// for NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H
#define MLIR_EXT_TARGET_NVGPU_TRANSFORMS_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nvgpu_ext {

/// Lets the loops in `scope` issue asynchronous copies (`nvgpu`) some iterations
/// ahead, so that they run while threads compute. Loops that fit no scheme stay
/// as they are. Fails, with an error, if upstream's pipeliner refuses a loop.
LogicalResult pipelineCopies(Operation *scope);

/// Lets loops in `scope` load vectors of elements of 8 bits from global memory
/// early. It applies to loops that multiply and whose threads do not wait for
/// each other. Vectors that are converted after the first products of an
/// iteration are loaded at its start. Vectors that are converted before them
/// are loaded in the previous iteration. If the number of iterations is known,
/// two of them are merged, with separate registers. Leaves loops whose threads
/// would hold more than `maxBytes` bytes, and loops that write global memory.
void loadBytesAhead(Operation *scope, int64_t maxBytes);

/// Lets loops in `scope` read entries of page tables one iteration early. It
/// applies to loops of roles that wait for free slots, and to integers that are
/// read in branches. Leaves roles of single threads.
void lookUpAhead(Operation *scope);

/// Adds patterns that convert scalars and vectors of f8E4M3FN and f8E5M2 by
/// instructions of sm_89 and later, two elements at a time: `arith.extf` to any
/// wider type, and `arith.truncf` from f16, bf16 and f32. The instructions
/// convert numbers that are too large to the largest number. MLIR requires
/// infinity, or NaN for f8E4M3FN; so, unless the operand is clamped, an
/// addition corrects the result.
void populateConvertF8Patterns(RewritePatternSet &patterns);

/// Adds patterns that convert vectors of i8, signed or unsigned, to f16. They
/// move bytes, and subtract two elements at a time. The results are exact.
void populateConvertI8Patterns(RewritePatternSet &patterns);

/// Replaces functions of constants and of integers of 4 bits that are unpacked
/// from bytes, such as the selects that look up numbers of NF4, in the kernels
/// below `scope`. If a workgroup of `target` looks up many numbers, and has
/// room for 32 KiB of shared memory, it has the two numbers of each byte there.
/// Otherwise each lane of a subgroup holds one of the 16 results, and lanes
/// exchange them. That leaves blocks that the lanes of a subgroup may not
/// execute together. If the results are the numbers of f4E2M1FN, bits of the
/// integers become bits of f16 or bf16 instead.
void tabulateCodes(RewriterBase &rewriter, Operation *scope,
                   const linalg_ext::GPUTarget &target);

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
