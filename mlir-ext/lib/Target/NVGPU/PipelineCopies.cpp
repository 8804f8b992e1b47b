//===- PipelineCopies.cpp - Pipelining of asynchronous copies -------------===//
//
// Issues asynchronous copies some iterations before the iteration that uses
// them, with upstream's loop pipeliner. For each loop, the first of these that
// applies:
//
//   1. A tile has several buffers in rotation (CopyInTurns.cpp).
//   2. Several tiles have a buffer each (AlternateCopies.cpp).
//
// The addresses of copies may be read from global memory, such as entries of a
// table of pages. If the loop does not write there, these reads are issued even
// earlier than the copies: in (1) by one more iteration, so that copies do not
// wait for them, and in (2) before the wait for the other tile.
//
// After that, a wait outside of loops moves after the copies into buffers that
// are not in use yet.
//
//===----------------------------------------------------------------------===//

#include "CopyPipelining.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::nvgpu_ext;

/// Moves `wait`, and the barrier after it, behind copies to buffers that were
/// not used before. Both groups of copies are then on their way together.
static void sinkWait(RewriterBase &rewriter, nvgpu::DeviceAsyncWaitOp wait) {
  auto barrier = dyn_cast_or_null<gpu::BarrierOp>(wait->getNextNode());
  if (!barrier || wait.getNumGroups().value_or(0) != 0)
    return;
  // Groups are counted up to the last one that copies something.
  int64_t groups = 0, passed = 0;
  Operation *last = nullptr;
  for (Operation *op = barrier->getNextNode(); op; op = op->getNextNode()) {
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
      Value buffer = getBuffer(copy.getDst());
      if (!buffer.getDefiningOp<memref::AllocOp>() ||
          isUsedBefore(buffer, wait))
        break;
    } else if (auto group = dyn_cast<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
      ++passed;
      if (!group.getInputTokens().empty()) {
        last = op;
        groups = passed;
      }
    } else if (!isPure(op) && !isa<gpu::BarrierOp>(op)) {
      break;
    }
  }
  if (!last)
    return;
  rewriter.moveOpAfter(barrier, last);
  rewriter.moveOpBefore(wait, barrier);
  rewriter.modifyOpInPlace(wait, [&] { wait.setNumGroups(groups); });
}

LogicalResult mlir::nvgpu_ext::pipelineCopies(Operation *scope) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(scope->getContext());
  for (scf::ForOp loop : loops) {
    FailureOr<bool> isPipelined = copyInTurns(rewriter, loop);
    if (succeeded(isPipelined) && !*isPipelined)
      isPipelined = alternateCopies(rewriter, loop);
    if (failed(isPipelined))
      return failure();
  }
  SmallVector<nvgpu::DeviceAsyncWaitOp> waits;
  scope->walk([&](nvgpu::DeviceAsyncWaitOp wait) {
    if (!isa<scf::ForOp>(wait->getParentOp()))
      waits.push_back(wait);
  });
  for (nvgpu::DeviceAsyncWaitOp wait : waits)
    sinkWait(rewriter, wait);
  return success();
}
