//===- UseArguments.cpp - Direct use of buffer arguments ------------------===//
//
// Frontends load a block by a copy to an allocation, and do not state that the
// destination of a store overlaps no input. On a GPU each such copy would be a
// kernel, and the result would need a temporary buffer. On a GPU, buffer
// arguments of a function do not overlap unless all of them are only read
// (linalg-ext-gpu-outline-kernels). The pass has three steps:
//
//   1. Read the argument instead of its copy, if nothing writes to either.
//   2. Mark a store of the result to a buffer argument as `restrict`, if
//      nothing else accesses this argument.
//   3. Give an op an empty destination in place of a tensor that it overwrites
//      and that something else uses. A workgroup would overwrite what others
//      read, so the tensor would be copied before.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUUSEARGUMENTSPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `isAccepted` is true of all uses of `buffer` and of views of
/// it, except for uses of the sizes.
static bool allAccesses(Value buffer,
                        llvm::function_ref<bool(OpOperand &)> isAccepted) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<memref::DimOp>(user))
      return true;
    if (auto view = dyn_cast<ViewLikeOpInterface>(user);
        view && user->getNumResults() == 1 && view.getViewSource() == buffer &&
        isMemoryEffectFree(user))
      return allAccesses(user->getResult(0), isAccepted);
    return isAccepted(use);
  });
}

/// Returns whether `use` only reads a buffer.
static bool isRead(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
    return !tensor.getWritable();
  if (auto copy = dyn_cast<memref::CopyOp>(user))
    return copy.getTarget() != use.get();
  return isa<memref::LoadOp>(user);
}

/// Replaces an allocation that `copy` fills by the source of the copy, if
/// nothing changes either of them.
static void readSource(RewriterBase &rewriter, memref::CopyOp copy) {
  auto alloc = copy.getTarget().getDefiningOp<memref::AllocOp>();
  Value source = copy.getSource(), buffer = getViewedBuffer(source);
  auto function = copy->getParentOfType<FunctionOpInterface>();
  if (!alloc || !isa<BlockArgument>(buffer) || !function ||
      buffer.getParentRegion() != &function.getFunctionBody() ||
      !allAccesses(buffer, isRead))
    return;
  Type type = memref::getTensorTypeFromMemRefType(source.getType());
  DominanceInfo dominance;
  bool isReplaceable = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    if (user == copy || isa<memref::DeallocOp>(user))
      return true;
    return isa<bufferization::ToTensorOp>(user) &&
           user->getResult(0).getType() == type &&
           dominance.properlyDominates(copy, user);
  });
  if (!isReplaceable)
    return;
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers())) {
    if (user == copy)
      continue;
    if (isa<memref::DeallocOp>(user)) {
      rewriter.eraseOp(user);
      continue;
    }
    rewriter.setInsertionPoint(user);
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        user, type, source, /*restrict=*/true, /*writable=*/false);
  }
  rewriter.eraseOp(copy);
  rewriter.eraseOp(alloc);
}

/// Returns whether `op` overwrites the tensor of `init` without reading it.
static bool overwrites(DestinationStyleOpInterface op, OpOperand &init) {
  if (isa<linalg::SoftmaxOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  return structured && !structured.payloadUsesValueFromOperand(&init);
}

/// Replaces the destinations that `op` overwrites by empty tensors, if
/// something else, or `op` itself, uses these tensors.
static void freeDestinations(RewriterBase &rewriter,
                             DestinationStyleOpInterface op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    // A tensor that a loop carries is updated in place.
    auto carried = dyn_cast<BlockArgument>(init.get());
    if (carried && !isa<FunctionOpInterface>(carried.getOwner()->getParentOp()))
      continue;
    if (!type || type.getEncoding() || init.get().hasOneUse() ||
        init.get().getDefiningOp<tensor::EmptyOp>() || !overwrites(op, init))
      continue;
    rewriter.setInsertionPoint(op);
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), init.get()),
        type.getElementType());
    rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
  }
}

namespace {
struct LinalgExtGPUUseArgumentsPass
    : public linalg_ext::impl::LinalgExtGPUUseArgumentsPassBase<
          LinalgExtGPUUseArgumentsPass> {
  using Base::Base;

  void runOnOperation() override {
    // A manifest has no name for results.
    func::FuncOp func = getOperation();
    for (ArrayRef<Type> types :
         {func.getArgumentTypes(), func.getResultTypes()})
      for (Type type : types)
        if (func.isPublic() && isa<ComplexType>(getElementTypeOrSelf(type))) {
          func.emitError("expected arguments and results of real numbers, got ")
              << type << "; pass real and imaginary parts as two tensors";
          return signalPassFailure();
        }
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    SmallVector<bufferization::MaterializeInDestinationOp> results;
    SmallVector<DestinationStyleOpInterface> writers;
    getOperation()->walk([&](Operation *op) {
      if (auto copy = dyn_cast<memref::CopyOp>(op))
        copies.push_back(copy);
      if (auto result = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
        results.push_back(result);
      if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
        writers.push_back(writer);
    });
    for (DestinationStyleOpInterface writer : writers)
      freeDestinations(rewriter, writer);
    for (memref::CopyOp copy : copies)
      readSource(rewriter, copy);
    // A buffer that only this op accesses overlaps no other.
    for (bufferization::MaterializeInDestinationOp op : results) {
      Value buffer = getViewedBuffer(op.getDest());
      if (isa<BaseMemRefType>(buffer.getType()) && isa<BlockArgument>(buffer) &&
          op.getWritable() && allAccesses(buffer, [&](OpOperand &use) {
            return use.getOwner() == op;
          }))
        rewriter.modifyOpInPlace(op, [&] { op.setRestrict(true); });
    }
  }
};
} // namespace
