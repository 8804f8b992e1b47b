//===- PipelineLoads.cpp - Loads of tiles beside products -----------------===//
//
// Loads of the tiles that a loop multiplies wait for memory. They go through
// descriptors of buffers, which read zeros beyond their bytes: a load for an
// iteration that does not exist needs no branch.
//
//   1. Tiles that are stored to workgroup memory after the first products of an
//      iteration are loaded at its start.
//   2. Tiles that are stored there before them are loaded in the previous
//      iteration, by upstream's loop pipeliner: after its stores, before its
//      products.
//
// In both cases registers hold a tile while the products run.
//
//   3. Tiles that are copied to LDS without registers, which only gfx950 can, are
//      copied in the previous iteration, to the other one of two buffers. The
//      copies are after the reads of LDS that precede the first product, since
//      LLVM lets a read wait for all copies before it.
//
// Each tile has a barrier before it is stored, and one before it is read. Where
// tiles take turns, as K and V of attention do, the barrier before a store is not
// needed: the tile was read before the barrier of the other one. Upstream's
// gpu-eliminate-barriers keeps some of these, since it does not stop at barriers
// before the loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/AMDGPU/Transforms.h"
#include "mlir-ext/Target/GPU/PipelineLoop.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool isBuffer(Value value) {
  auto type = cast<MemRefType>(value.getType());
  auto space =
      dyn_cast_or_null<amdgpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == amdgpu::AddressSpace::FatRawBuffer;
}

/// Returns whether `op` is one of the products of a contraction.
static bool isProduct(Operation *op) {
  return isa<amdgpu::MFMAOp, amdgpu::WMMAOp>(op);
}

static bool containsProduct(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isProduct(nested) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether neither `op` nor an op in it uses a value that `loop`
/// carries.
static bool isAlwaysThere(scf::ForOp loop, Operation *op) {
  auto usesCarried = [&](Operation *nested) {
    return llvm::any_of(nested->getOperands(),
                        [&](Value operand) {
                          return llvm::is_contained(loop.getRegionIterArgs(),
                                                    operand);
                        })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return !op->walk(usesCarried).wasInterrupted();
}

namespace {
/// A load in a loop, and the ops of the loop that it needs, including itself.
struct TileLoad {
  vector::LoadOp load;
  llvm::SetVector<Operation *> ops;
};

/// The loads in a loop that wait for memory.
struct TileLoads {
  /// The loads whose tiles are needed before the first product, and those whose
  /// tiles are needed after it.
  SmallVector<TileLoad> early, late;
  /// The op after which the loads of the next iteration may start.
  Operation *start = nullptr;
};
} // namespace

/// Describes `load`, a load in `loop`, if it can move to the head of the loop
/// or to the previous iteration.
static std::optional<TileLoad> getMovableLoad(scf::ForOp loop,
                                              vector::LoadOp load) {
  TileLoad result{load, {}};
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  if (failed(getBackwardSlice(load.getOperation(), &result.ops, options)))
    return std::nullopt;
  for (Operation *op : result.ops)
    if ((!isPure(op) && !onlyReadsGlobalMemory(op)) || !isAlwaysThere(loop, op))
      return std::nullopt;
  return result;
}

/// Returns the first op of the body of `loop` that stores the loaded value of
/// `load`. If there is none, returns the first op that multiplies it, or null.
static Operation *getFirstUse(scf::ForOp loop, vector::LoadOp load) {
  llvm::SetVector<Operation *> users;
  ForwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return loop->isProperAncestor(op) && !isProduct(op);
  };
  getForwardSlice(load.getOperation(), &users, options);
  Operation *first = nullptr;
  auto add = [&](Operation *op) {
    Operation *here = loop.getBody()->findAncestorOpInBlock(*op);
    if (here && (!first || here->isBeforeInBlock(first)))
      first = here;
  };
  for (Operation *user : users)
    if (isa<vector::StoreOp, memref::StoreOp>(user))
      add(user);
  if (first)
    return first;
  users.insert(load);
  for (Operation *user : users)
    for (Operation *next : user->getUsers())
      if (isProduct(next))
        add(next);
  return first;
}

static TileLoads getTileLoads(scf::ForOp loop) {
  TileLoads loads;
  Operation *firstProduct = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<gpu::BarrierOp>(op))
      loads.start = &op;
    if (containsProduct(&op)) {
      firstProduct = &op;
      break;
    }
  }
  if (!firstProduct || !loads.start || mayWriteGlobalMemory(loop))
    return {};
  for (auto load : loop.getBody()->getOps<vector::LoadOp>()) {
    if (!isBuffer(load.getBase()))
      continue;
    std::optional<TileLoad> movable = getMovableLoad(loop, load);
    Operation *use = movable ? getFirstUse(loop, load) : nullptr;
    if (!use)
      continue;
    if (!use->isBeforeInBlock(firstProduct)) {
      loads.late.push_back(std::move(*movable));
      continue;
    }
    // A use after the start would have to wait for the load.
    if (!use->isBeforeInBlock(loads.start))
      continue;
    loads.early.push_back(std::move(*movable));
  }
  return loads;
}

/// Returns how many bytes each thread loads by `loads`.
static int64_t getBytes(ArrayRef<TileLoad> loads) {
  int64_t bytes = 0;
  for (const TileLoad &each : loads) {
    vector::LoadOp load = each.load;
    VectorType type = load.getVectorType();
    bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return bytes;
}

/// Moves late loads, and the ops that they need, to the head of `loop`.
static void hoistLateLoads(RewriterBase &rewriter, scf::ForOp loop,
                           ArrayRef<TileLoad> late) {
  llvm::SmallPtrSet<Operation *, 32> moved;
  Operation *last = nullptr;
  for (const TileLoad &load : late)
    for (Operation *op : load.ops) {
      if (!moved.insert(op).second)
        continue;
      if (last)
        rewriter.moveOpAfter(op, last);
      else
        rewriter.moveOpBefore(op, loop.getBody(), loop.getBody()->begin());
      last = op;
    }
}

/// Makes `op` read nothing if `predicate` is false. `op` is one of the ops that
/// early loads need. Returns the op that has its results.
static Operation *guard(RewriterBase &b, Operation *op, Value predicate) {
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto cast = dyn_cast<amdgpu::FatRawBufferCastOp>(op)) {
    // The buffer gets 0 bytes.
    Value bytes = cast.getValidBytes();
    Value none =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(bytes.getType()));
    Value guarded =
        arith::SelectOp::create(b, loc, predicate, bytes, none);
    b.modifyOpInPlace(op, [&] { cast.getValidBytesMutable().assign(guarded); });
    return op;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    guardBranch(b, branch, predicate);
    return op;
  }
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    // Views that do not fold into the op that reads them must be inside the
    // branch, too.
    for (OpOperand &offset : view.getOffsetsMutable()) {
      Value first = arith::ConstantIndexOp::create(b, loc, 0);
      Value guarded =
          arith::SelectOp::create(b, loc, predicate, offset.get(), first);
      b.modifyOpInPlace(op, [&] { offset.set(guarded); });
    }
    return op;
  }
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load || isBuffer(load.getMemref()))
    return op;
  return guardLoad(b, load, predicate, b.getZeroAttr(load.getType()));
}

/// Returns whether `op` can be guarded. A branch without its own kind of
/// `else`, for example, would change its results.
static bool canGuard(Operation *op) {
  if (isPure(op)) {
    auto cast = dyn_cast<amdgpu::FatRawBufferCastOp>(op);
    return !cast || cast.getValidBytes();
  }
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return isBuffer(load.getBase());
  // A copy from beyond the end of its buffer copies zeros.
  if (auto copy = dyn_cast<amdgpu::GatherToLDSOp>(op))
    return isBuffer(copy.getSrc());
  return isa<memref::LoadOp, scf::IfOp>(op);
}

/// Returns whether upstream's pipeliner can move `early` ahead by a stage. If
/// it cannot, nothing is changed.
static bool canPipeline(scf::ForOp loop,
                        const llvm::SetVector<Operation *> &early) {
  return !loop.getUnsignedCmp() && llvm::all_of(early, canGuard) &&
         llvm::all_of(loop.getYieldedValues(),
                      [](Value value) { return value.getDefiningOp(); });
}

/// Separates the stages, so that they share only the ops `roots` of `early`:
/// other users of values in `early` get their own copies of these ops. Returns
/// `early` in the order of the block.
static SmallVector<Operation *>
separateStages(RewriterBase &rewriter, scf::ForOp loop,
               const llvm::SetVector<Operation *> &early,
               const llvm::SmallPtrSetImpl<Operation *> &roots) {
  IRMapping mapping;
  SmallVector<Operation *> ordered;
  for (Operation &op : *loop.getBody())
    if (early.contains(&op))
      ordered.push_back(&op);
  for (Operation *op : ordered) {
    if (roots.contains(op))
      continue;
    rewriter.setInsertionPoint(op);
    Operation *clone = rewriter.clone(*op, mapping);
    for (auto [result, other] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      rewriter.replaceUsesWithIf(result, other, [&](OpOperand &use) {
        Operation *user =
            loop.getBody()->findAncestorOpInBlock(*use.getOwner());
        return !early.contains(user) && user != clone;
      });
  }
  // Erase ops that have no users left.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (!early.contains(&op) && isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  return ordered;
}

/// Moves the loads of the early tiles of `loop` to the previous iteration.
static LogicalResult pipelineEarlyLoads(RewriterBase &rewriter, scf::ForOp loop,
                                        const TileLoads &loads) {
  llvm::SetVector<Operation *> early;
  for (const TileLoad &load : loads.early)
    early.insert_range(load.ops);
  if (!canPipeline(loop, early))
    return success();
  llvm::SmallPtrSet<Operation *, 32> tiles;
  for (const TileLoad &load : loads.early)
    tiles.insert(load.load);
  SmallVector<Operation *> ordered =
      separateStages(rewriter, loop, early, tiles);
  std::vector<std::pair<Operation *, unsigned>> schedule;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!early.contains(&op))
      schedule.emplace_back(&op, 1);
    if (&op == loads.start)
      for (Operation *load : ordered)
        schedule.emplace_back(load, 0);
  }
  rewriter.setInsertionPoint(loop);
  return pipelineLoop(rewriter, loop, std::move(schedule), guard, "loads");
}

/// Lets the tiles of `loop` reuse the workgroup memory of ops before the loop,
/// by a barrier in between.
static void separate(RewriterBase &rewriter, scf::ForOp loop) {
  bool isUsed = false;
  for (Operation *op = loop->getPrevNode(); op && !isUsed;
       op = op->getPrevNode()) {
    if (isa<gpu::BarrierOp>(op))
      return;
    WalkResult walk = op->walk([](Operation *nested) {
      return !isa<ViewLikeOpInterface>(nested) &&
                     llvm::any_of(nested->getOperands(), isWorkgroupMemory)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    isUsed = walk.wasInterrupted();
  }
  if (!isUsed)
    return;
  rewriter.setInsertionPoint(loop);
  gpu::BarrierOp::create(rewriter, loop.getLoc());
}

/// Returns how many buffers the copied tiles take turns in. If the copies
/// differ (`vector_ext.buffers`), this is the smallest number.
static int64_t getNumBuffers(ArrayRef<amdgpu::GatherToLDSOp> copies) {
  int64_t result = 0;
  for (amdgpu::GatherToLDSOp copy : copies) {
    Operation *allocation = getViewedBuffer(copy.getDst()).getDefiningOp();
    auto turns = allocation
                     ? allocation->getAttrOfType<IntegerAttr>(
                           vector_ext::VectorExtDialect::getBuffersAttrName())
                     : IntegerAttr();
    int64_t number = turns ? turns.getInt() : 1;
    result = result == 0 ? number : std::min(result, number);
  }
  return result;
}

/// Moves the copies of the tiles of `loop` to the previous iteration, if each
/// tile has two buffers. One wait and one barrier are then enough for all
/// tiles: once the tiles of an iteration have arrived for all threads, no
/// thread reads those of the previous iteration. Returns the new loop.
static FailureOr<scf::ForOp> pipelineCopies(RewriterBase &rewriter,
                                            scf::ForOp loop) {
  SmallVector<amdgpu::GatherToLDSOp> copies(
      loop.getBody()->getOps<amdgpu::GatherToLDSOp>());
  if (copies.empty() || getNumBuffers(copies) < 2 || mayWriteGlobalMemory(loop))
    return loop;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  llvm::SetVector<Operation *> needed;
  llvm::SmallPtrSet<Operation *, 16> copying;
  for (amdgpu::GatherToLDSOp copy : copies) {
    if (failed(getBackwardSlice(copy.getOperation(), &needed, options)))
      return loop;
    copying.insert(copy);
  }
  if (!llvm::all_of(needed, [&](Operation *op) {
        return (isPure(op) || onlyReadsGlobalMemory(op)) &&
               isAlwaysThere(loop, op);
      }))
    return loop;
  for (amdgpu::GatherToLDSOp copy : copies)
    needed.insert(copy);

  // There is one wait and one barrier, at the head of the loop.
  SmallVector<Operation *> waits;
  for (auto wait : loop.getBody()->getOps<amdgpu::MemoryCounterWaitOp>())
    waits.push_back(wait);
  for (Operation *wait : waits)
    if (!isa_and_nonnull<gpu::BarrierOp>(wait->getNextNode()))
      return loop;
  if (waits.empty() || !canPipeline(loop, needed))
    return loop;
  Operation *barrier = waits.front()->getNextNode();
  for (Operation *wait : ArrayRef(waits).drop_front()) {
    rewriter.eraseOp(wait->getNextNode());
    rewriter.eraseOp(wait);
  }
  rewriter.moveOpBefore(waits.front(), loop.getBody(),
                        loop.getBody()->begin());
  rewriter.moveOpAfter(barrier, waits.front());
  SmallVector<Operation *> ordered = separateStages(rewriter, loop, needed,
                                                    copying);

  // The copies start after the reads that precede the first product.
  Operation *start = loop.getBody()->getTerminator();
  for (Operation &op : loop.getBody()->without_terminator())
    if (containsProduct(&op)) {
      start = &op;
      break;
    }
  std::vector<std::pair<Operation *, unsigned>> schedule;
  for (Operation &op : *loop.getBody()) {
    if (&op == start)
      for (Operation *copy : ordered)
        schedule.emplace_back(copy, 0);
    if (!needed.contains(&op) && &op != loop.getBody()->getTerminator())
      schedule.emplace_back(&op, 1);
  }
  // Ops before the loop may have used the buffers, so there is a barrier. The
  // copies of the last iteration are for one that does not exist; they copy
  // zeros.
  rewriter.setInsertionPoint(loop);
  gpu::BarrierOp::create(rewriter, loop.getLoc());
  rewriter.setInsertionPointAfter(loop);
  rewriter.clone(*waits.front());
  rewriter.setInsertionPoint(loop);
  return pipelineLoop(rewriter, loop, std::move(schedule), guard, "copies");
}

namespace {
/// The memory that ops access: buffers in workgroup memory, and other memory.
struct Accesses {
  llvm::SmallPtrSet<Value, 8> read, written;
  bool writesOther = false, isKnown = true;

  void add(Operation *op);
  /// Adds the accesses of the ops from `op` on, up to a barrier or the end of
  /// the block. Returns whether there is a barrier.
  bool addUpToBarrier(Operation *op, bool isForward);
  /// Returns whether one side may write to memory that the other one accesses.
  bool conflictWith(const Accesses &other) const;
};
} // namespace

void Accesses::add(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects) {
    isKnown = false;
    return;
  }
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    Value value = effect.getValue();
    bool writes = !isa<MemoryEffects::Read>(effect.getEffect());
    if (!value || !isWorkgroupMemory(value)) {
      // Other memory needs no order if it is only read.
      writesOther |= writes;
      isKnown &= bool(value);
      continue;
    }
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      continue;
    Value buffer = getViewedBuffer(value);
    (writes ? written : read).insert(buffer);
  }
}

bool Accesses::addUpToBarrier(Operation *op, bool isForward) {
  for (; op; op = isForward ? op->getNextNode() : op->getPrevNode()) {
    if (isa<gpu::BarrierOp>(op))
      return true;
    add(op);
  }
  return false;
}

bool Accesses::conflictWith(const Accesses &other) const {
  auto writesOf = [](const Accesses &writer, const Accesses &accessor) {
    return llvm::any_of(writer.written, [&](Value buffer) {
      return accessor.read.contains(buffer) || accessor.written.contains(buffer);
    });
  };
  return !isKnown || !other.isKnown || writesOther || other.writesOther ||
         writesOf(*this, other) || writesOf(other, *this);
}

/// Erases barriers in the body of `loop` that do not separate accesses to the
/// same buffer in workgroup memory. The remaining barriers separate all other
/// accesses.
static void eraseBarriers(RewriterBase &rewriter, scf::ForOp loop) {
  // At the top level of a kernel all accesses before the loop are known.
  if (!isa<gpu::GPUFuncOp, gpu::LaunchOp>(loop->getParentOp()))
    return;
  Block *body = loop.getBody();
  for (gpu::BarrierOp barrier :
       llvm::make_early_inc_range(body->getOps<gpu::BarrierOp>())) {
    Accesses before, after;
    if (!before.addUpToBarrier(barrier->getPrevNode(), /*isForward=*/false)) {
      // These are the accesses of the previous iteration, and those before the
      // loop.
      before.addUpToBarrier(&body->back(), /*isForward=*/false);
      before.addUpToBarrier(loop->getPrevNode(), /*isForward=*/false);
    }
    if (!after.addUpToBarrier(barrier->getNextNode(), /*isForward=*/true)) {
      after.addUpToBarrier(&body->front(), /*isForward=*/true);
      after.addUpToBarrier(loop->getNextNode(), /*isForward=*/true);
    }
    if (!before.conflictWith(after))
      rewriter.eraseOp(barrier);
  }
}

LogicalResult mlir::amdgpu_ext::pipelineLoads(Operation *scope,
                                              int64_t maxBytes) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(scope->getContext());
  for (scf::ForOp loop : loops) {
    FailureOr<scf::ForOp> copied = pipelineCopies(rewriter, loop);
    if (failed(copied))
      return failure();
    loop = *copied;
    TileLoads loads = getTileLoads(loop);
    if (loads.start)
      separate(rewriter, loop);
    // Registers hold both kinds of tiles beside the first products.
    int64_t bytes = getBytes(loads.early);
    if (!loads.late.empty() && bytes + getBytes(loads.late) <= maxBytes)
      hoistLateLoads(rewriter, loop, loads.late);
    if (!loads.early.empty() && bytes <= maxBytes &&
        failed(pipelineEarlyLoads(rewriter, loop, loads)))
      return failure();
  }
  scope->walk([&](scf::ForOp loop) { eraseBarriers(rewriter, loop); });
  return success();
}
