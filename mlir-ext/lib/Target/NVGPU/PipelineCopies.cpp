//===- PipelineCopies.cpp - Pipelining of asynchronous copies -------------===//
//
// Issues asynchronous copies some iterations before the iteration that uses
// them, with upstream's loop pipeliner. For each loop, the first of these
// schemes that applies is used:
//
//   1. A tile has several buffers in rotation (CopyInTurns.cpp).
//   2. Several tiles have one buffer each (AlternateCopies.cpp).
//
// The addresses of copies may be read from global memory, for example from a
// table of pages. If the loop does not write there, these reads are issued even
// earlier than the copies. In (1) they are one more iteration ahead, so that
// copies do not wait for them. In (2) they are before the wait for the other
// tile.
//
// A loop that follows another one, such as the loop over the last tiles of a
// row, often has no iteration. Its first copies are then in a branch.
//
// After that, a wait outside of loops moves after the copies into buffers that
// are not in use yet.
//
//===----------------------------------------------------------------------===//

#include "CopyPipelining.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/GPU/PipelineLoop.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::nvgpu_ext;

/// Returns whether no op before `wait` in its kernel may write to global
/// memory. A barrier at `wait` is then not needed to order reads from there.
static bool isBeforeWrites(Operation *wait) {
  Operation *launch = wait->getParentOfType<gpu::LaunchOp>();
  if (!launch)
    return false;
  for (Operation *op = wait; op != launch; op = op->getParentOp()) {
    if (isa<LoopLikeOpInterface>(op))
      return false;
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      if (linalg_ext::mayWriteGlobalMemory(before))
        return false;
  }
  return true;
}

/// Puts `loop` into a branch that is taken only if it has an iteration.
static scf::IfOp guardLoop(RewriterBase &rewriter, scf::ForOp loop) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), any,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, loop.getInitArgs());
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  auto yield = scf::YieldOp::create(rewriter, loc, loop.getResults());
  rewriter.moveOpBefore(loop, yield);
  return branch;
}

/// Replaces `branch` by the loop `loop` inside of it.
static void removeGuard(RewriterBase &rewriter, scf::IfOp branch,
                        scf::ForOp loop) {
  rewriter.moveOpBefore(loop, branch);
  rewriter.replaceOp(branch, loop.getResults());
}

/// Moves `wait`, and the barrier after it, behind copies to buffers that were
/// not used before. Both groups of copies are then under way together.
static void sinkWait(RewriterBase &rewriter, nvgpu::DeviceAsyncWaitOp wait) {
  auto barrier = dyn_cast_or_null<gpu::BarrierOp>(wait->getNextNode());
  if (!barrier || wait.getNumGroups().value_or(0) != 0)
    return;
  // Count the groups up to the last one that copies something.
  int64_t groups = 0, passed = 0;
  bool mayRead = isBeforeWrites(wait);
  Operation *last = nullptr;
  for (Operation *op = barrier->getNextNode(); op; op = op->getNextNode()) {
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
      Value buffer = linalg_ext::getViewedBuffer(copy.getDst());
      if (!buffer.getDefiningOp<memref::AllocOp>() ||
          isUsedBefore(buffer, wait))
        break;
    } else if (auto group = dyn_cast<nvgpu::DeviceAsyncCreateGroupOp>(op)) {
      ++passed;
      if (!group.getInputTokens().empty()) {
        last = op;
        groups = passed;
      }
    } else if (!isPure(op) && !isa<gpu::BarrierOp>(op) &&
               !(mayRead && readsGlobalMemory(op))) {
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
  llvm::SmallPtrSet<Block *, 8> withCopies;
  for (scf::ForOp loop : loops) {
    Block *block = loop->getBlock();
    // A loop around this one must see all copies in order to pipeline its own.
    bool isGuarded = withCopies.contains(block) && !loop.getUnsignedCmp() &&
                     !loop->getParentOfType<LoopLikeOpInterface>();
    scf::IfOp branch = isGuarded ? guardLoop(rewriter, loop) : scf::IfOp();
    FailureOr<bool> isPipelined = copyInTurns(rewriter, loop);
    if (succeeded(isPipelined) && !*isPipelined)
      isPipelined = alternateCopies(rewriter, loop);
    if (failed(isPipelined))
      return failure();
    if (*isPipelined)
      withCopies.insert(block);
    else if (branch)
      removeGuard(rewriter, branch, loop);
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
