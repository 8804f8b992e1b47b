//===- CopyPipelining.h - Asynchronous copies ahead of their use -*- C++ -*-===//
//
// Functions for both schemes of PipelineCopies.cpp: which copies a loop has,
// whether upstream's pipeliner can move them, and the call of the pipeliner.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_COPYPIPELINING_H
#define MLIR_EXT_LIB_TARGET_NVGPU_COPYPIPELINING_H

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#include <utility>
#include <vector>

namespace mlir::nvgpu_ext {

/// Returns the ops of the body that issue copies, and all ops that they need.
llvm::SetVector<Operation *> getCopyingOps(scf::ForOp loop);

/// Returns the number of buffers in rotation in each allocation that `loop`
/// copies into (`vector_ext.buffers`): the smallest number, or 1 if an allocation has
/// no such attribute. With two or more, one barrier in each iteration is
/// enough.
int64_t getNumBuffers(scf::ForOp loop);

/// Returns whether `op` reads global memory, always or in a branch, and has no
/// other effect.
bool readsGlobalMemory(Operation *op);

/// Returns whether upstream's pipeliner can move `early` ahead by a stage, so
/// that a refusal changes nothing. `early` are the copies and the ops that they
/// need. These may read global memory that the loop does not write, have no
/// other effects, and need nothing that the loop computes.
bool canPipeline(scf::ForOp loop, const llvm::SetVector<Operation *> &early);

/// Returns the ops of `copying` that read global memory, and the ops that these
/// need.
llvm::SetVector<Operation *>
getReads(scf::ForOp loop, const llvm::SetVector<Operation *> &copying);

/// Makes `wait` wait until at most the last `numGroups` groups are not
/// complete. Groups of other iterations have no token here, so it counts them.
void waitForAllBut(RewriterBase &rewriter, nvgpu::DeviceAsyncWaitOp wait,
                   Value token, int64_t numGroups);

/// Creates a group without copies.
Value createNoGroup(RewriterBase &rewriter, Location loc);

/// Pipelines `loop` by `schedule`, which lists ops and their stages. It has all
/// copies, in stages before the last one. The loop is already prepared, so a
/// failure is an error.
LogicalResult
pipeline(RewriterBase &rewriter, scf::ForOp loop,
         std::vector<std::pair<Operation *, unsigned>> schedule);

/// Returns whether anything may use the allocation `buffer` before `point`.
bool isUsedBefore(Value buffer, Operation *point);

/// Pipelines `loop` if it copies into buffers that take turns. Returns whether
/// it does. There are as many stages as buffers, and one more at the start if
/// copies need values read from global memory. The last stage waits and
/// computes. If the loop only sums products, in several steps, the operands of
/// the first step are read one stage before their use.
FailureOr<bool> copyInTurns(RewriterBase &rewriter, scf::ForOp loop);

/// Pipelines `loop` if it copies several tiles, each into a buffer of its own.
/// When a tile has arrived, all threads have finished with the tile before it,
/// and the next copies into that tile's buffer are issued. For the last tile,
/// these are the copies of the same iteration. For the other tiles, they are
/// those of the next iteration.
FailureOr<bool> alternateCopies(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_COPYPIPELINING_H
