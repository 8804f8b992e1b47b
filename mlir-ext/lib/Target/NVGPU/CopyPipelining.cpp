//===- CopyPipelining.cpp - Ops that move with a copy ---------------------===//
//
// A copy of a later iteration reads nothing if there is no such iteration: its
// views are made empty, and its addresses are not read from global memory.
//
//===----------------------------------------------------------------------===//

#include "CopyPipelining.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/GPU/PipelineLoop.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::nvgpu_ext;

llvm::SetVector<Operation *> nvgpu_ext::getCopyingOps(scf::ForOp loop) {
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

int64_t nvgpu_ext::getNumBuffers(scf::ForOp loop) {
  int64_t result = 0;
  for (auto copy : loop.getBody()->getOps<nvgpu::DeviceAsyncCopyOp>()) {
    Operation *allocation = getViewedBuffer(copy.getDst()).getDefiningOp();
    auto turns = allocation
                     ? allocation->getAttrOfType<IntegerAttr>(
                           vector_ext::VectorExtDialect::getBuffersAttrName())
                     : IntegerAttr();
    int64_t number = turns ? turns.getInt() : 1;
    result = result == 0 ? number : std::min(result, number);
  }
  return std::max<int64_t>(result, 1);
}

/// Calls `callback` for each static size of `view` that its source may lack,
/// with the position of the size and the dimension of the result. An operand
/// can replace such a size.
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
/// not have. Even if nothing is read, a view must be within the bounds of its
/// source, which may be too small.
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

bool nvgpu_ext::readsGlobalMemory(Operation *op) {
  return isa<memref::LoadOp, scf::IfOp>(op) && onlyReadsGlobalMemory(op);
}

bool nvgpu_ext::canPipeline(scf::ForOp loop,
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

void nvgpu_ext::waitForAllBut(RewriterBase &rewriter, nvgpu::DeviceAsyncWaitOp wait,
                          Value token, int64_t numGroups) {
  rewriter.modifyOpInPlace(wait, [&] {
    wait->setOperand(0, token);
    wait.setNumGroups(numGroups);
  });
}

Value nvgpu_ext::createNoGroup(RewriterBase &rewriter, Location loc) {
  return nvgpu::DeviceAsyncCreateGroupOp::create(
      rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()),
      ValueRange());
}

/// Makes `numbers`, the offsets or sizes of a view, 0 if `predicate` is false.
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

LogicalResult
nvgpu_ext::pipeline(RewriterBase &rewriter, scf::ForOp loop,
         std::vector<std::pair<Operation *, unsigned>> schedule) {
  for (auto [op, stage] : schedule)
    if (auto view = dyn_cast<memref::SubViewOp>(op); view && stage == 0)
      forEachKnownSize(view, [&](unsigned size, unsigned dim) {
        makeOperand(rewriter, loop, view, size, dim);
      });
  // If there is no next iteration, the view gets no element, so nothing is
  // read. If its source is large enough, the view keeps its size and begins at
  // 0.
  auto guard = [](RewriterBase &b, Operation *op,
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
  FailureOr<scf::ForOp> pipelined =
      pipelineLoop(rewriter, loop, std::move(schedule), guard, "copies");
  if (failed(pipelined))
    return failure();
  // The last iterations issue copies that read nothing. They still write zeros,
  // so wait for them.
  rewriter.setInsertionPointAfter(*pipelined);
  Location loc = pipelined->getLoc();
  nvgpu::DeviceAsyncWaitOp::create(rewriter, loc, createNoGroup(rewriter, loc),
                                   rewriter.getI32IntegerAttr(0));
  return success();
}

bool nvgpu_ext::isUsedBefore(Value buffer, Operation *point) {
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

llvm::SetVector<Operation *>
nvgpu_ext::getReads(scf::ForOp loop, const llvm::SetVector<Operation *> &copying) {
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
