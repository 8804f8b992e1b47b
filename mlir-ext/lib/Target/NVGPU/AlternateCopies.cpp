//===- AlternateCopies.cpp - Tiles that take turns ------------------------===//
//
// If a loop copies several tiles, each into a buffer of its own, the next copy
// into a buffer is issued when all threads have finished with the tile in it.
//
//===----------------------------------------------------------------------===//

#include "CopyPipelining.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/GPU/PipelineLoop.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::nvgpu_ext;

namespace {
/// A tile that each iteration copies into the same buffer, then waits for, then
/// reads.
struct CopiedTile {
  Value buffer;
  /// The ops that issue its copies, and all ops that they need.
  llvm::SetVector<Operation *> copying;
  nvgpu::DeviceAsyncWaitOp wait;
  /// The barrier after the wait.
  gpu::BarrierOp arrived;
};
} // namespace

/// Returns the tiles that `loop` copies, in the order in which it waits for
/// them. Returns none unless each wait is for one group of copies to a buffer
/// of its own, and a barrier follows it.
static SmallVector<CopiedTile> getCopiedTiles(scf::ForOp loop) {
  SmallVector<CopiedTile> tiles;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  for (auto wait : loop.getBody()->getOps<nvgpu::DeviceAsyncWaitOp>()) {
    auto group = wait.getAsyncDependencies()
                     .getDefiningOp<nvgpu::DeviceAsyncCreateGroupOp>();
    auto arrived = dyn_cast_or_null<gpu::BarrierOp>(wait->getNextNode());
    if (!group || group->getBlock() != loop.getBody() || !arrived)
      return {};
    CopiedTile tile{{}, {}, wait, arrived};
    for (Value token : group.getInputTokens()) {
      auto copy = token.getDefiningOp<nvgpu::DeviceAsyncCopyOp>();
      if (!copy || copy->getBlock() != loop.getBody())
        return {};
      Value buffer = getViewedBuffer(copy.getDst());
      if (!buffer.getDefiningOp<memref::AllocOp>() ||
          (tile.buffer && tile.buffer != buffer))
        return {};
      tile.buffer = buffer;
    }
    if (!tile.buffer || llvm::any_of(tiles, [&](const CopiedTile &other) {
          return other.buffer == tile.buffer;
        }))
      return {};
    (void)getBackwardSlice(group.getOperation(), &tile.copying, options);
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

/// Returns whether `loop` copies `tiles`, reads each of them after its wait and
/// before the wait of the next one, and does not use them otherwise.
static bool readsInTurn(scf::ForOp loop, ArrayRef<CopiedTile> tiles) {
  llvm::SmallPtrSet<Operation *, 32> copying;
  llvm::SmallDenseSet<Value> buffers;
  for (const CopiedTile &tile : tiles) {
    copying.insert_range(tile.copying);
    buffers.insert(tile.buffer);
  }
  Value present;
  for (Operation &top : loop.getBody()->without_terminator()) {
    for (const CopiedTile &tile : tiles)
      if (&top == tile.wait)
        present = tile.buffer;
    if (copying.contains(&top) ||
        isa<gpu::BarrierOp, nvgpu::DeviceAsyncWaitOp>(top))
      continue;
    WalkResult walk = top.walk([&](Operation *op) {
      if (isPure(op) || isa<ViewLikeOpInterface>(op))
        return WalkResult::advance();
      // These are barriers in branches, and ops whose effects are unknown.
      if (isa<gpu::BarrierOp, nvgpu::DeviceAsyncCopyOp,
              nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp,
              CallOpInterface>(op))
        return WalkResult::interrupt();
      for (Value operand : op->getOperands())
        if (isWorkgroupMemory(operand) &&
            (buffers.contains(getViewedBuffer(operand))
                 ? !hasSingleEffect<MemoryEffects::Read>(op, operand) ||
                       getViewedBuffer(operand) != present
                 : !getViewedBuffer(operand).getDefiningOp<memref::AllocOp>()))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return false;
  }
  return true;
}

/// Returns the barrier before the copies of `tile`, if the barrier after them
/// orders everything that it orders: between the two, threads use workgroup
/// memory only to copy. Returns null otherwise.
static gpu::BarrierOp getBarrierBefore(const CopiedTile &tile) {
  for (Operation *op = tile.wait->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op))
      return barrier;
    if (!tile.copying.contains(op) && !isPure(op))
      return {};
  }
  return {};
}

FailureOr<bool> nvgpu_ext::alternateCopies(RewriterBase &rewriter,
                                       scf::ForOp loop) {
  SmallVector<CopiedTile> tiles = getCopiedTiles(loop);
  if (tiles.size() < 2 || getNumBuffers(loop) > 1 || !readsInTurn(loop, tiles))
    return false;
  llvm::SetVector<Operation *> early, copying;
  for (const CopiedTile &tile : ArrayRef(tiles).drop_back())
    early.insert_range(tile.copying);
  copying.insert_range(early);
  copying.insert_range(tiles.back().copying);
  if (!canPipeline(loop, copying))
    return false;
  for (Operation &op : *loop.getBody())
    if (isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp>(op) &&
        !copying.contains(&op))
      return false;

  // Barriers before copies are not needed any more.
  SmallVector<gpu::BarrierOp> before;
  for (const CopiedTile &tile : tiles)
    if (gpu::BarrierOp barrier = getBarrierBefore(tile))
      before.push_back(barrier);

  // Stages must not share values, except for iter_args: each tile gets its own
  // copying ops.
  IRMapping mapping;
  rewriter.setInsertionPointToStart(loop.getBody());
  llvm::SetVector<Operation *> cloned;
  for (CopiedTile &tile : MutableArrayRef(tiles).drop_back()) {
    llvm::SetVector<Operation *> own;
    for (Operation *op : tile.copying) {
      if (cloned.insert(op))
        (void)rewriter.clone(*op, mapping);
      own.insert(mapping.lookup(op));
    }
    tile.copying = std::move(own);
  }
  rewriter.setInsertionPoint(loop);
  // After this barrier, no thread reads the old contents of the buffers.
  gpu::BarrierOp::create(rewriter, loop.getLoc());
  Value token = createNoGroup(rewriter, loop.getLoc());
  for (CopiedTile &tile : tiles)
    waitForAllBut(rewriter, tile.wait, token, tiles.size() - 2);
  for (Operation *op : llvm::reverse(early))
    if (op->use_empty())
      rewriter.eraseOp(op);
  for (gpu::BarrierOp barrier : before)
    rewriter.eraseOp(barrier);

  std::vector<std::pair<Operation *, unsigned>> schedule;
  llvm::SmallPtrSet<Operation *, 32> scheduled, elsewhere;
  for (const CopiedTile &tile : ArrayRef(tiles).drop_back())
    elsewhere.insert_range(tile.copying);
  for (Operation *op : tiles.back().copying)
    if (!isPure(op))
      elsewhere.insert(op);
  auto add = [&](Operation *op, unsigned stage) {
    if (scheduled.insert(op).second)
      schedule.emplace_back(op, stage);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    // While threads wait for a tile, they read what the copies after the wait
    // need.
    for (auto [i, tile] : llvm::enumerate(tiles))
      if (tile.wait == &op)
        for (Operation *read :
             getReads(loop, (i == 0 ? tiles.back() : tiles[i - 1]).copying))
          add(read, i == 0 ? 1 : 0);
    if (!elsewhere.contains(&op))
      add(&op, 1);
    for (auto [i, tile] : llvm::enumerate(tiles)) {
      if (tile.arrived != &op)
        continue;
      for (Operation *copying : (i == 0 ? tiles.back() : tiles[i - 1]).copying)
        add(copying, i == 0 ? 1 : 0);
    }
  }
  if (failed(pipeline(rewriter, loop, std::move(schedule))))
    return failure();
  return true;
}
