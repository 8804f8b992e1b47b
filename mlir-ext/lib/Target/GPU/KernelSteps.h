//===- KernelSteps.h - Steps of the passes on kernels -----------*- C++ -*-===//
//
// The steps that passes of this directory consist of, where they are in files
// of their own. The descriptions of the passes say what they do.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_KERNELSTEPS_H
#define MLIR_EXT_LIB_TARGET_GPU_KERNELSTEPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces each `scf.if` in `func` that launches kernels by launches of grids
/// that are empty unless the condition holds.
void flattenBranches(func::FuncOp func);

/// Passes buffers to the launched kernels of `module` as pointers and dynamic
/// sizes. Fails, with an error and the IR unchanged, if a launch names no
/// gpu.func, or passes a value that a kernel cannot be given.
LogicalResult lowerKernelArguments(ModuleOp module);

/// Makes the launches of identical kernels of `module` call one of them.
void mergeKernels(ModuleOp module);

/// Lets the kernels of `module` for sm_90 or later wait for earlier launches.
/// The wait precedes the first access to memory that other launches may access.
/// Fails, with an error, if the description of the GPU is not valid.
LogicalResult waitForLaunches(ModuleOp module);

/// Returns whether `kernel` waits in this way, so that a launcher may begin it
/// early.
bool waitsForLaunches(gpu::GPUFuncOp kernel);

/// Returns up to how many workgroups of `launch` on a processor a launcher
/// should see to it that no processor takes more of them than in an even
/// distribution. Returns 0 if it need not.
int64_t getEvenWorkgroups(gpu::LaunchFuncOp launch);

/// Fails, with an error, if the workgroup memory of a `gpu.launch` below
/// `scope` takes more than `maxBytes`.
LogicalResult checkWorkgroupMemory(Operation *scope, int64_t maxBytes);

/// Puts the static workgroup memory of each kernel below `scope` into one
/// dynamic block, whose size its launches pass. Fails, with an error and the IR
/// unchanged, if a block takes more than `maxBytes`.
LogicalResult poolWorkgroupMemory(Operation *scope, int64_t maxBytes);

/// Delinearizes the workgroup ids below `scope` in 32 bits.
void narrowBlockIds(RewriterBase &rewriter, Operation *scope);

/// Makes loops below `scope` count in 32 bits, if they are in kernels that take
/// tensor maps, and gives the indices that they carry 32 bits, where all values
/// fit. Fails if an analysis fails.
LogicalResult narrowLoops(RewriterBase &rewriter, Operation *scope);

/// In the kernels below `scope`, replaces conversions of sums of a scalar and a
/// constant to floats by sums of floats. Fails if an analysis fails.
LogicalResult addFloats(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_KERNELSTEPS_H
