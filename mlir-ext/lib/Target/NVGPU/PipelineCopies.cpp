//===- PipelineCopies.cpp - Copies of the next iteration ------------------===//
//
// The schedule for upstream's loop pipeliner: what copies is a stage ahead of
// what computes.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUPIPELINECOPIESPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The ops of the body that issue copies, and all that they need.
static llvm::SetVector<Operation *> getCopyingOps(scf::ForOp loop) {
  llvm::SetVector<Operation *> ops;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  for (Operation &op : *loop.getBody()) {
    if (!isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp>(op))
      continue;
    (void)getBackwardSlice(&op, &ops, options);
    ops.insert(&op);
  }
  return ops;
}

/// How many buffers take turns, if every one that the copies write is one of
/// several: where it starts follows the iteration, by the remainder of a
/// constant. Then a barrier an iteration is enough. Otherwise 1.
static int64_t getNumBuffers(scf::ForOp loop) {
  int64_t result = 0;
  for (auto copy : loop.getBody()->getOps<nvgpu::DeviceAsyncCopyOp>()) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    bool followsIteration = false;
    int64_t turns = 0;
    for (Value index : copy.getDstIndices()) {
      followsIteration |= index == loop.getInductionVar();
      if (Operation *op = index.getDefiningOp()) {
        options.filter = [&](Operation *op) {
          return loop->isProperAncestor(op);
        };
        (void)getBackwardSlice(op, &slice, options);
      }
    }
    for (Operation *op : slice) {
      followsIteration |=
          llvm::is_contained(op->getOperands(), loop.getInductionVar());
      std::optional<int64_t> divisor;
      if (isa<arith::RemUIOp>(op))
        divisor = getConstantIntValue(op->getOperand(1));
      if (divisor)
        turns = turns == 0 ? *divisor : std::min(turns, *divisor);
    }
    if (!followsIteration || turns == 0)
      return 1;
    result = result == 0 ? turns : std::min(result, turns);
  }
  return std::max<int64_t>(result, 1);
}

/// Pipelines `loop` if it copies. The stages: 0 copies, the last one, of as
/// many as there are buffers, waits and computes.
static LogicalResult pipelineCopies(RewriterBase &rewriter, scf::ForOp loop) {
  llvm::SetVector<Operation *> copying = getCopyingOps(loop);
  int64_t numBuffers = getNumBuffers(loop);
  if (copying.empty() || numBuffers < 2)
    return failure();
  unsigned last = numBuffers - 1;
  // Nothing that copying needs may have effects, or need what is computed.
  for (Operation *op : copying)
    if (!isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp>(op) &&
        !isPure(op))
      return failure();

  // What the pipeliner refuses is refused before anything is changed: values
  // that are handed on as they came, and copies that need what is computed.
  if (loop.getUnsignedCmp() ||
      llvm::any_of(loop.getYieldedValues(),
                   [](Value value) { return !value.getDefiningOp(); }))
    return failure();
  for (Operation *op : copying)
    for (Value operand : op->getOperands())
      if (llvm::is_contained(loop.getRegionIterArgs(), operand))
        return failure();

  // One wait for all, and one barrier behind it.
  SmallVector<Operation *> waits;
  for (auto wait : loop.getBody()->getOps<nvgpu::DeviceAsyncWaitOp>()) {
    auto barrier = dyn_cast_or_null<gpu::BarrierOp>(wait->getNextNode());
    if (!barrier)
      return failure();
    waits.push_back(wait);
  }
  if (waits.empty())
    return failure();
  for (Operation *wait : llvm::drop_begin(waits)) {
    rewriter.eraseOp(wait->getNextNode());
    rewriter.eraseOp(wait);
  }
  // The groups are those of iterations before, which have no token here: it
  // waits until none is left but those of later ones.
  int64_t groups = llvm::range_size(
      loop.getBody()->getOps<nvgpu::DeviceAsyncCreateGroupOp>());
  Operation *wait = waits.front(), *barrier = wait->getNextNode();
  rewriter.setInsertionPoint(loop);
  Value token = nvgpu::DeviceAsyncCreateGroupOp::create(
      rewriter, loop.getLoc(),
      nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()), ValueRange());
  rewriter.modifyOpInPlace(wait, [&] {
    wait->setOperand(0, token);
    cast<nvgpu::DeviceAsyncWaitOp>(wait).setNumGroups((last - 1) * groups);
  });

  scf::PipeliningOption options;
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.getScheduleFn =
      [&](scf::ForOp body,
          std::vector<std::pair<Operation *, unsigned>> &schedule) {
        schedule.emplace_back(wait, last);
        schedule.emplace_back(barrier, last);
        for (Operation &op : body.getBody()->without_terminator())
          if (copying.contains(&op))
            schedule.emplace_back(&op, 0);
        for (Operation &op : body.getBody()->without_terminator())
          if (!copying.contains(&op) && &op != wait && &op != barrier)
            schedule.emplace_back(&op, last);
      };
  // Where there is no next iteration nothing is read.
  options.predicateFn = [](RewriterBase &b, Operation *op,
                           Value predicate) -> Operation * {
    auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
    if (!copy)
      return op;
    OpBuilder::InsertionGuard guard(b);
    Location loc = op->getLoc();
    b.setInsertionPoint(op);
    Value elements = copy.getSrcElements();
    if (!elements)
      elements = arith::ConstantIndexOp::create(
          b, loc, copy.getDstElements().getSExtValue());
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    elements = arith::SelectOp::create(b, loc, predicate, elements, none);
    b.modifyOpInPlace(op,
                      [&] { copy.getSrcElementsMutable().assign(elements); });
    return op;
  };
  FailureOr<scf::ForOp> pipelined =
      scf::pipelineForLoop(rewriter, loop, options);
  if (failed(pipelined))
    return failure();
  // The copies of nothing that the last iteration issued still write zeros.
  rewriter.setInsertionPointAfter(*pipelined);
  token = nvgpu::DeviceAsyncCreateGroupOp::create(
      rewriter, pipelined->getLoc(), token.getType(), ValueRange());
  nvgpu::DeviceAsyncWaitOp::create(rewriter, pipelined->getLoc(), token,
                                   rewriter.getI32IntegerAttr(0));
  return success();
}

namespace {
struct LinalgExtNVGPUPipelineCopiesPass
    : public linalg_ext::impl::LinalgExtNVGPUPipelineCopiesPassBase<
          LinalgExtNVGPUPipelineCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      (void)pipelineCopies(rewriter, loop);
  }
};
} // namespace
