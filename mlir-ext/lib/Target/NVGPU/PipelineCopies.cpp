//===- PipelineCopies.cpp - Pipelining of asynchronous copies -------------===//
//
// Issues asynchronous copies some iterations before the iteration that uses
// them, with upstream's loop pipeliner. For each loop, the first of these that
// applies:
//
//   1. If a tile has n buffers in rotation, the loop gets n stages. Stage 0
//      copies, and the last one waits and computes.
//   2. If the loop copies several tiles, each into its own buffer, the next
//      copy into a buffer is issued when all threads have finished with the
//      tile in it.
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

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUPIPELINECOPIESPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the ops of the body that issue copies, and all ops that they need.
static llvm::SetVector<Operation *> getCopyingOps(scf::ForOp loop) {
  llvm::SetVector<Operation *> ops;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
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

/// The allocation that `memory` is a view of.
static Value getBuffer(Value memory) {
  return memref::skipViewLikeOps(cast<MemrefValue>(memory));
}

static bool isWorkgroupMemory(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// Returns how many buffers take turns in each allocation that `loop` copies
/// into (`vector_ext.buffers`): the smallest number, or 1 if an allocation has
/// no such attribute. With two or more, one barrier in each iteration is
/// enough.
static int64_t getNumBuffers(scf::ForOp loop) {
  int64_t result = 0;
  for (auto copy : loop.getBody()->getOps<nvgpu::DeviceAsyncCopyOp>()) {
    Operation *allocation = getBuffer(copy.getDst()).getDefiningOp();
    auto turns = allocation
                     ? allocation->getAttrOfType<IntegerAttr>(
                           vector_ext::VectorExtDialect::getBuffersAttrName())
                     : IntegerAttr();
    int64_t number = turns ? turns.getInt() : 1;
    result = result == 0 ? number : std::min(result, number);
  }
  return std::max<int64_t>(result, 1);
}

/// Calls `callback` for each static size of `view` that its source may not
/// have: with the number of the size, and with the dimension of the result. An
/// operand can replace such a size.
static void
forEachKnownSize(memref::SubViewOp view,
                 function_ref<void(unsigned size, unsigned dim)> callback) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  unsigned dim = 0;
  for (auto [i, size, available] : llvm::enumerate(
           view.getStaticSizes(), view.getSourceType().getShape())) {
    if (dropped.test(i))
      continue;
    if (!ShapedType::isDynamic(size) &&
        (ShapedType::isDynamic(available) || available < size))
      callback(i, dim);
    ++dim;
  }
}

/// Returns whether all users of `view` and of views of it accept memory of any
/// size.
static bool takesAnySize(Operation *view) {
  return llvm::all_of(view->getUsers(), [](Operation *user) {
    if (isa<memref::SubViewOp, memref::ExpandShapeOp>(user))
      return takesAnySize(user);
    return isa<nvgpu::DeviceAsyncCopyOp, memref::LoadOp, vector::LoadOp,
               vector::TransferReadOp>(user);
  });
}

/// Returns whether `view` can be made empty for iterations that its loop does
/// not have. Even if nothing is read, a view must be in the bounds of its
/// source, which may have no room for it.
static bool canBeEmpty(memref::SubViewOp view) {
  bool changes = false;
  forEachKnownSize(view, [&](unsigned, unsigned) { changes = true; });
  return !changes || takesAnySize(view);
}

/// Replaces static size number `size` of `view` by an operand, defined before
/// `loop`. Does the same for views of `view`.
static void makeOperand(RewriterBase &rewriter, scf::ForOp loop,
                        Operation *view, unsigned size, unsigned dim) {
  auto type = cast<MemRefType>(view->getResult(0).getType());
  if (type.isDynamicDim(dim))
    return;
  auto replaceSize = [&](SmallVector<OpFoldResult> sizes, auto setStatic,
                         auto getOperands) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(loop);
    sizes[size] =
        getValueOrCreateConstantIndexOp(rewriter, view->getLoc(), sizes[size]);
    SmallVector<int64_t> staticSizes;
    SmallVector<Value> operands;
    dispatchIndexOpFoldResults(sizes, operands, staticSizes);
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = ShapedType::kDynamic;
    rewriter.modifyOpInPlace(view, [&] {
      setStatic(staticSizes);
      getOperands().assign(operands);
      view->getResult(0).setType(MemRefType::Builder(type).setShape(shape));
    });
  };
  if (auto subview = dyn_cast<memref::SubViewOp>(view)) {
    replaceSize(
        subview.getMixedSizes(),
        [&](ArrayRef<int64_t> sizes) { subview.setStaticSizes(sizes); },
        [&] { return subview.getSizesMutable(); });
  } else {
    auto expand = cast<memref::ExpandShapeOp>(view);
    replaceSize(
        expand.getMixedOutputShape(),
        [&](ArrayRef<int64_t> sizes) { expand.setStaticOutputShape(sizes); },
        [&] { return expand.getOutputShapeMutable(); });
  }
  for (Operation *user : view->getUsers()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(user)) {
      forEachKnownSize(subview, [&](unsigned size, unsigned dim) {
        makeOperand(rewriter, loop, subview, size, dim);
      });
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(user)) {
      // Strides do not depend on the outermost size.
      unsigned outer = expand.getReassociationIndices()[dim].front();
      makeOperand(rewriter, loop, expand, outer, outer);
    }
  }
}

/// Returns whether `op` reads global memory, always or in a branch, and has no
/// other effect.
static bool readsGlobalMemory(Operation *op) {
  if (!isa<memref::LoadOp, scf::IfOp>(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect()) &&
                  effect.getValue() && !isWorkgroupMemory(effect.getValue());
         });
}

/// Returns whether something in `loop` may write global memory.
static bool mayWriteGlobalMemory(scf::ForOp loop) {
  auto visit = [](Operation *op) {
    // Ops on groups of copies, and barriers, do not say what they do.
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isa<gpu::BarrierOp, nvgpu::DeviceAsyncCreateGroupOp,
            nvgpu::DeviceAsyncWaitOp>(op))
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    bool isSafe =
        effects && llvm::all_of(*effects, [](const auto &effect) {
          return isa<MemoryEffects::Read>(effect.getEffect()) ||
                 (effect.getValue() && isWorkgroupMemory(effect.getValue()));
        });
    return isSafe ? WalkResult::advance() : WalkResult::interrupt();
  };
  return loop.getBody()->walk(visit).wasInterrupted();
}

/// Returns whether upstream's pipeliner can move `early` ahead by a stage, so
/// that a refusal changes nothing. `early` are the copies and the ops that they
/// need. These may read global memory that the loop does not write, have no
/// other effects, and need nothing that the loop computes.
static bool canPipeline(scf::ForOp loop,
                        const llvm::SetVector<Operation *> &early) {
  if (llvm::any_of(early, [](Operation *op) {
        auto view = dyn_cast<memref::SubViewOp>(op);
        return view && !canBeEmpty(view);
      }))
    return false;
  if (loop.getUnsignedCmp() ||
      llvm::any_of(loop.getYieldedValues(),
                   [](Value value) { return !value.getDefiningOp(); }))
    return false;
  bool mayRead = !mayWriteGlobalMemory(loop);
  return llvm::all_of(early, [&](Operation *op) {
    return (isPure(op) || (mayRead && readsGlobalMemory(op)) ||
            isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp>(
                op)) &&
           llvm::none_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(loop.getRegionIterArgs(), operand);
           });
  });
}

/// Makes `wait` wait until at most the last `numGroups` groups are not
/// complete. Groups of other iterations have no token here, so it counts them.
static void waitForAllBut(RewriterBase &rewriter, nvgpu::DeviceAsyncWaitOp wait,
                          Value token, int64_t numGroups) {
  rewriter.modifyOpInPlace(wait, [&] {
    wait->setOperand(0, token);
    wait.setNumGroups(numGroups);
  });
}

static Value createNoGroup(RewriterBase &rewriter, Location loc) {
  return nvgpu::DeviceAsyncCreateGroupOp::create(
      rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()),
      ValueRange());
}

/// Makes `numbers`, offsets or sizes of a view, 0 if `predicate` is false.
static void guardNumbers(RewriterBase &b, MutableOperandRange numbers,
                         Value predicate) {
  Operation *view = numbers.getOwner();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(view);
  for (OpOperand &number : numbers) {
    Value none = arith::ConstantIndexOp::create(b, view->getLoc(), 0);
    Value guarded = arith::SelectOp::create(b, view->getLoc(), predicate,
                                            number.get(), none);
    b.modifyOpInPlace(view, [&] { number.set(guarded); });
  }
}

/// Makes `load` one that reads only if `predicate` holds. Returns the op that
/// has its result.
static Operation *guardLoad(RewriterBase &b, memref::LoadOp load,
                            Value predicate) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(load);
  Location loc = load.getLoc();
  MemRefType type = load.getMemRefType();
  // An element that is there may be read as well.
  if (type.hasStaticShape() && type.getNumElements() > 0) {
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    for (OpOperand &index : load.getIndicesMutable()) {
      Value guarded =
          arith::SelectOp::create(b, loc, predicate, index.get(), first);
      b.modifyOpInPlace(load, [&] { index.set(guarded); });
    }
    return load;
  }
  auto branch = scf::IfOp::create(b, loc, load.getType(), predicate,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  Value none = ub::PoisonOp::create(b, loc, load.getType());
  scf::YieldOp::create(b, loc, none);
  b.setInsertionPointToStart(branch.thenBlock());
  Operation *moved = b.clone(*load);
  scf::YieldOp::create(b, loc, moved->getResults());
  b.replaceOp(load, branch);
  return branch;
}

/// Makes `branch` one that reads only if `predicate` holds.
static void guardBranch(RewriterBase &b, scf::IfOp branch, Value predicate) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch);
  Value both = arith::AndIOp::create(b, branch.getLoc(), branch.getCondition(),
                                     predicate);
  b.modifyOpInPlace(branch, [&] { branch.getConditionMutable().assign(both); });
}

/// Pipelines `loop` by `schedule`: ops and their stages. All copies are in it,
/// in stages before the last one. The loop is already prepared for this, so a
/// failure is an error.
static LogicalResult
pipeline(RewriterBase &rewriter, scf::ForOp loop,
         std::vector<std::pair<Operation *, unsigned>> schedule) {
  for (auto [op, stage] : schedule)
    if (auto view = dyn_cast<memref::SubViewOp>(op); view && stage == 0)
      forEachKnownSize(view, [&](unsigned size, unsigned dim) {
        makeOperand(rewriter, loop, view, size, dim);
      });
  scf::PipeliningOption options;
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &result) {
        result = std::move(schedule);
      };
  // If there is no next iteration, nothing is read: the view has no element. A
  // view whose source is long enough keeps its size and begins at 0.
  options.predicateFn = [](RewriterBase &b, Operation *op,
                           Value predicate) -> Operation * {
    if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      guardNumbers(b, view.getOffsetsMutable(), predicate);
      guardNumbers(b, view.getSizesMutable(), predicate);
    }
    if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
      guardNumbers(b, view.getOutputShapeMutable(), predicate);
    if (readsGlobalMemory(op)) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        return guardLoad(b, load, predicate);
      guardBranch(b, cast<scf::IfOp>(op), predicate);
    }
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
  Location at = loop.getLoc();
  FailureOr<scf::ForOp> pipelined =
      scf::pipelineForLoop(rewriter, loop, options);
  if (failed(pipelined))
    return emitError(at)
           << "expected a loop whose copies can be pipelined, got "
              "one that upstream's pipeliner refuses";
  // The last iterations issue copies that read nothing. They still write zeros,
  // so wait for them.
  rewriter.setInsertionPointAfter(*pipelined);
  Location loc = pipelined->getLoc();
  nvgpu::DeviceAsyncWaitOp::create(rewriter, loc, createNoGroup(rewriter, loc),
                                   rewriter.getI32IntegerAttr(0));
  return success();
}

/// Returns whether anything may use the allocation `buffer` before `point`.
static bool isUsedBefore(Value buffer, Operation *point) {
  SmallVector<Value> names{buffer};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(names, user->getResults());
        continue;
      }
      Operation *here = point->getBlock()->findAncestorOpInBlock(*user);
      if (!here || here->isBeforeInBlock(point) ||
          llvm::any_of(user->getResultTypes(),
                       [](Type type) { return isa<BaseMemRefType>(type); }))
        return true;
    }
  return false;
}

namespace {
/// The steps of a loop that only sums products. The products of a step need the
/// sums of the step before it.
struct ProductSteps {
  /// For each step, the reads of tiles that no step before it has, and the
  /// products.
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
  // A step has the reads that no step before it has.
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
  // Together with the ops that they need.
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

/// Returns the ops of `copying` that read global memory, and the ops that these
/// need.
static llvm::SetVector<Operation *>
getReads(scf::ForOp loop, const llvm::SetVector<Operation *> &copying) {
  llvm::SetVector<Operation *> reads;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  for (Operation *op : copying)
    if (!isPure(op) && readsGlobalMemory(op))
      (void)getBackwardSlice(op, &reads, options);
  return reads;
}

/// Gives other ops copies of their own of the ops that the reads of `copying`
/// need. Then no value but what is read is shared. Returns the reads and the
/// ops that they need, and adds the new ops to `copying`.
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

/// Pipelines `loop` if it copies into buffers that take turns. Returns whether
/// it does. There are as many stages as buffers, and one in front if copies
/// need what is read from global memory. The last stage waits and computes. If
/// the loop only sums products, in several steps, the operands of the first
/// step are read one stage before their use.
static FailureOr<bool> pipelineCopies(RewriterBase &rewriter, scf::ForOp loop) {
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
                  return copy && isUsedBefore(getBuffer(copy.getDst()), loop);
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
      Value buffer = getBuffer(copy.getDst());
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

/// Returns whether `loop` uses workgroup memory only to copy `tiles`, to read
/// each of them after its wait and before the wait of the next one, and to read
/// other memory.
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
      // Ops whose effects are not known.
      if (isa<gpu::BarrierOp, nvgpu::DeviceAsyncCopyOp,
              nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp,
              CallOpInterface>(op))
        return WalkResult::interrupt();
      for (Value operand : op->getOperands())
        if (isWorkgroupMemory(operand) &&
            (!hasSingleEffect<MemoryEffects::Read>(op, operand) ||
             (getBuffer(operand) != present &&
              buffers.contains(getBuffer(operand)))))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return false;
  }
  return true;
}

/// Pipelines `loop` if it copies several tiles, each into a buffer of its own.
/// When a tile has arrived, all threads are done with the tile before it, and
/// the next copies into the buffer of that tile are issued. For the last tile
/// these are the copies of the same iteration, for the others those of the next
/// one.
static FailureOr<bool> alternateCopies(RewriterBase &rewriter,
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
  // Barriers before copies are not needed any more.
  for (auto barrier :
       llvm::make_early_inc_range(loop.getBody()->getOps<gpu::BarrierOp>()))
    if (llvm::none_of(tiles, [&](const CopiedTile &tile) {
          return tile.arrived == barrier;
        }))
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
    // While threads wait for a tile, they read what the copies behind it need.
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

namespace {
struct LinalgExtNVGPUPipelineCopiesPass
    : public linalg_ext::impl::LinalgExtNVGPUPipelineCopiesPassBase<
          LinalgExtNVGPUPipelineCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      FailureOr<bool> isPipelined = pipelineCopies(rewriter, loop);
      if (succeeded(isPipelined) && !*isPipelined)
        isPipelined = alternateCopies(rewriter, loop);
      if (failed(isPipelined))
        return signalPassFailure();
    }
    SmallVector<nvgpu::DeviceAsyncWaitOp> waits;
    getOperation()->walk([&](nvgpu::DeviceAsyncWaitOp wait) {
      if (!isa<scf::ForOp>(wait->getParentOp()))
        waits.push_back(wait);
    });
    for (nvgpu::DeviceAsyncWaitOp wait : waits)
      sinkWait(rewriter, wait);
  }
};
} // namespace
