//===- LaunchThreads.h - Threads and buffers of a launch --------*- C++ -*-===//
//
// Private to SelectConfig. Chooses the threads of a launch by the registers
// that its contractions need, and the buffers of copied tiles by its shared
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_LAUNCHTHREADS_H
#define MLIR_EXT_LIB_PIPELINES_LAUNCHTHREADS_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {

/// Returns the contractions of the loop of `contract` if the loop computes
/// nothing else: each reads both operands in the loop, and adds to a value that
/// the loop carries. Returns an empty list otherwise.
SmallVector<vector::ContractionOp, 2>
getOnlyContractions(vector::ContractionOp contract);

/// Chooses the number of threads of `launch`, which has `threads` threads, and
/// sets it. Returns whether each iteration should load operands from outside of
/// the loop again.
bool setThreads(gpu::LaunchOp launch, int64_t &threads,
                const GPUTarget &target);

/// Returns the number of buffers, at most `maxBuffers`, for each tile that
/// `contracts`, which have configs, copy in loops. A loop that only multiplies
/// gets so many that a copy has arrived when the loop waits for it; other loops
/// get one or two. The buffers fit into shared memory, together with those of
/// the workgroups that run on the same processor. `isFull`: there may be enough
/// workgroups to keep all processors busy.
int64_t selectBuffers(ArrayRef<vector::ContractionOp> contracts,
                      int64_t threads, int64_t maxBuffers, bool isFull,
                      const GPUTarget &target);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_LAUNCHTHREADS_H
