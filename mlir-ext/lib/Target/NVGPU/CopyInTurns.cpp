//===- CopyInTurns.cpp - Tiles with several buffers in rotation -----------===//
//
// If a tile has n buffers in rotation, its loop gets n stages: stage 0 copies,
// and the last one waits and computes. If the loop only sums products, in several
// steps, the operands of the first step are also read one stage ahead.
//
//===----------------------------------------------------------------------===//

#include "CopyPipelining.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/GPU/PipelineLoop.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::nvgpu_ext;

namespace {
/// The steps of a loop that only sums products. The products of a step need the
/// sums of the step before it.
struct ProductSteps {
  /// For each step, its products, and the reads of tiles that no earlier step
  /// has.
  SmallVector<SmallVector<Operation *>> reads, products;
};
} // namespace

/// Returns whether `op` reads workgroup memory and has no other effect on it.
static bool readsWorkgroupMemory(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isWorkgroupMemory(operand) &&
           hasSingleEffect<MemoryEffects::Read>(op, operand);
  });
}

/// Returns the steps of `loop`, whose copying ops are `copying`, if it only
/// sums products.
static std::optional<ProductSteps>
getProductSteps(scf::ForOp loop,
                const llvm::SetVector<Operation *> &copying) {
  ProductSteps steps;
  // The ops that compute sums, each with its step, and the ops that compute
  // operands.
  llvm::DenseMap<Operation *, unsigned> sums;
  llvm::SmallPtrSet<Operation *, 32> reads;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody() && !copying.contains(op);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (copying.contains(&op) ||
        isa<nvgpu::DeviceAsyncWaitOp, gpu::BarrierOp>(op))
      continue;
    auto product = dyn_cast<nvgpu::MmaSyncOp>(op);
    if (!product) {
      if (!isPure(&op) && !readsWorkgroupMemory(&op))
        return std::nullopt;
      for (Value operand : op.getOperands())
        if (auto it = sums.find(operand.getDefiningOp()); it != sums.end())
          sums[&op] = std::max(sums.lookup(&op), it->second);
      continue;
    }
    unsigned step = 0;
    if (Operation *sum = product.getMatrixC().getDefiningOp())
      if (auto it = sums.find(sum); it != sums.end())
        step = it->second + 1;
    sums[&op] = step;
    if (steps.products.size() <= step) {
      steps.products.resize(step + 1);
      steps.reads.resize(step + 1);
    }
    steps.products[step].push_back(&op);
    for (Value factor : {product.getMatrixA(), product.getMatrixB()}) {
      llvm::SetVector<Operation *> slice;
      if (failed(getBackwardSlice(factor, &slice, options)))
        return std::nullopt;
      for (Operation *needed : slice) {
        if (sums.contains(needed) ||
            llvm::any_of(needed->getOperands(), [&](Value operand) {
              return llvm::is_contained(loop.getRegionIterArgs(), operand);
            }))
          return std::nullopt;
        if (!isPure(needed))
          reads.insert(needed);
      }
    }
  }
  // Give each step the reads that no earlier step has.
  for (auto [products, own] : llvm::zip_equal(steps.products, steps.reads))
    for (Operation *product : products) {
      llvm::SetVector<Operation *> slice;
      for (Value factor : product->getOperands().take_front(2))
        (void)getBackwardSlice(factor, &slice, options);
      for (Operation *needed : slice)
        if (reads.erase(needed))
          own.push_back(needed);
    }
  return steps;
}

/// Returns a schedule in which the last step of an iteration reads the operands
/// of the first step of the next iteration. No product then waits for a read
/// after a barrier. `last` is the stage of the wait, `getCopyStage` returns the
/// stages of `copying`.
static std::vector<std::pair<Operation *, unsigned>>
scheduleSteps(scf::ForOp loop, const ProductSteps &steps,
              const llvm::SetVector<Operation *> &copying, Operation *wait,
              Operation *barrier, unsigned last,
              function_ref<unsigned(Operation *)> getCopyStage) {
  std::vector<std::pair<Operation *, unsigned>> schedule;
  llvm::SmallPtrSet<Operation *, 32> scheduled;
  llvm::SetVector<Operation *> early;
  auto getOptions = [&](auto isOther) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    options.filter = [&, isOther](Operation *op) {
      return op->getBlock() == loop.getBody() && !copying.contains(op) &&
             !isOther(op);
    };
    return options;
  };
  for (Operation *read : steps.reads.front())
    (void)getBackwardSlice(read, &early,
                           getOptions([](Operation *) { return false; }));
  auto add = [&](Operation *op, unsigned stage) {
    if (scheduled.insert(op).second)
      schedule.emplace_back(op, stage);
  };
  // Adds `ops` and the ops that they need.
  auto addAll = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops) {
      llvm::SetVector<Operation *> slice;
      (void)getBackwardSlice(op, &slice, getOptions([&](Operation *other) {
                               return early.contains(other) ||
                                      scheduled.contains(other);
                             }));
      for (Operation *needed : slice)
        add(needed, last + 1);
    }
  };
  for (auto [step, products] : llvm::enumerate(steps.products)) {
    if (step + 1 < steps.products.size()) {
      addAll(steps.reads[step + 1]);
      addAll(products);
      continue;
    }
    add(wait, last);
    add(barrier, last);
    for (Operation *op : early)
      add(op, last);
    for (Operation &op : loop.getBody()->without_terminator())
      if (copying.contains(&op))
        add(&op, getCopyStage(&op));
    addAll(products);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    add(&op, last + 1);
  return schedule;
}

/// Clones ops that the reads of `copying` need for their other users. The
/// stages then share no value except for what is read. Returns the reads and
/// the ops that they need, and adds the new ops to `copying`.
static llvm::SetVector<Operation *>
separateReads(RewriterBase &rewriter, scf::ForOp loop,
              llvm::SetVector<Operation *> &copying) {
  OpBuilder::InsertionGuard guard(rewriter);
  llvm::SetVector<Operation *> ahead = getReads(loop, copying);
  IRMapping mapping;
  llvm::SetVector<Operation *> clones;
  for (Operation *op : ahead) {
    if (!isPure(op))
      continue;
    rewriter.setInsertionPoint(op);
    clones.insert(rewriter.clone(*op, mapping));
  }
  for (Operation *op : ahead)
    for (OpResult result : op->getResults())
      if (Value clone = mapping.lookupOrNull(result))
        rewriter.replaceUsesWithIf(result, clone, [&](OpOperand &use) {
          Operation *user =
              loop.getBody()->findAncestorOpInBlock(*use.getOwner());
          return !ahead.contains(user) && !clones.contains(user);
        });
  for (Operation *op : llvm::reverse(clones)) {
    if (op->use_empty())
      rewriter.eraseOp(op);
    else
      copying.insert(op);
  }
  return ahead;
}

FailureOr<bool> nvgpu_ext::copyInTurns(RewriterBase &rewriter, scf::ForOp loop) {
  llvm::SetVector<Operation *> copying = getCopyingOps(loop);
  int64_t numBuffers = getNumBuffers(loop);
  if (copying.empty() || numBuffers < 2 || !canPipeline(loop, copying))
    return false;
  unsigned last = numBuffers - 1;

  // Keep one wait for all copies, and one barrier after it.
  SmallVector<nvgpu::DeviceAsyncWaitOp> waits;
  for (auto wait : loop.getBody()->getOps<nvgpu::DeviceAsyncWaitOp>()) {
    if (!isa_and_nonnull<gpu::BarrierOp>(wait->getNextNode()))
      return false;
    waits.push_back(wait);
  }
  if (waits.empty())
    return false;
  for (Operation *wait : llvm::drop_begin(waits)) {
    rewriter.eraseOp(wait->getNextNode());
    rewriter.eraseOp(wait);
  }
  int64_t groups = llvm::range_size(
      loop.getBody()->getOps<nvgpu::DeviceAsyncCreateGroupOp>());
  Operation *wait = waits.front(), *barrier = wait->getNextNode();
  rewriter.setInsertionPoint(loop);
  // Other threads may still read the buffers of the first copies: in the
  // previous iteration of a loop around this one, or before this loop.
  bool isRead = loop->getParentOfType<LoopLikeOpInterface>() ||
                llvm::any_of(copying, [&](Operation *op) {
                  auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
                  return copy &&
                         isUsedBefore(getViewedBuffer(copy.getDst()), loop);
                });
  if (isRead)
    gpu::BarrierOp::create(rewriter, loop.getLoc());
  waitForAllBut(rewriter, waits.front(), createNoGroup(rewriter, loop.getLoc()),
                (last - 1) * groups);

  llvm::SetVector<Operation *> ahead = separateReads(rewriter, loop, copying);
  unsigned first = ahead.empty() ? 0 : 1;
  last += first;
  auto getCopyStage = [&](Operation *op) {
    return ahead.contains(op) ? 0 : first;
  };
  std::optional<ProductSteps> steps = getProductSteps(loop, copying);
  if (steps && steps->products.size() > 1) {
    if (failed(pipeline(rewriter, loop,
                        scheduleSteps(loop, *steps, copying, wait, barrier,
                                      last, getCopyStage))))
      return failure();
    return true;
  }
  std::vector<std::pair<Operation *, unsigned>> schedule;
  schedule.emplace_back(wait, last);
  schedule.emplace_back(barrier, last);
  for (Operation &op : loop.getBody()->without_terminator())
    if (copying.contains(&op))
      schedule.emplace_back(&op, getCopyStage(&op));
  for (Operation &op : loop.getBody()->without_terminator())
    if (!copying.contains(&op) && &op != wait && &op != barrier)
      schedule.emplace_back(&op, last);
  if (failed(pipeline(rewriter, loop, std::move(schedule))))
    return failure();
  return true;
}
