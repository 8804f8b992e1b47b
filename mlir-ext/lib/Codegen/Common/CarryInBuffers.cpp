//===- CarryInBuffers.cpp - Tensors that loops carry ----------------------===//
//
// Bufferization takes only loops whose iterations hand on one buffer. If an
// iteration creates the tensor that it hands on, this file writes it to the
// tensor that the iteration was given.
//
//===----------------------------------------------------------------------===//

#include "TiedDestination.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `value` is computed in a tensor that `body` creates, so that
/// it is not in the buffer of an iteration argument.
static bool isCreatedIn(Value value, Block *body) {
  while (Operation *op = value.getDefiningOp()) {
    if (!body->findAncestorOpInBlock(*op))
      return false;
    if (isa<tensor::EmptyOp>(op))
      return true;
    if (OpOperand *destination = getTiedDestination(value))
      value = destination->get();
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp>(op))
      value = op->getOperand(0);
    else
      return false;
  }
  return false;
}

/// Whether `value` is an argument of a function, or a view of one.
static bool isOfFunctionArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return isa<FunctionOpInterface>(
      cast<BlockArgument>(value).getOwner()->getParentOp());
}

/// Writes the tensors that `yield` hands on, and that `body` creates, to
/// `args`, which start as `inits`.
static void writeToArguments(RewriterBase &rewriter, Operation *yield,
                             Block *body, ValueRange args,
                             MutableOperandRange inits) {
  // A write would come before the read of an argument that moves.
  for (auto [value, arg] : llvm::zip_equal(yield->getOperands(), args))
    if (isa<BlockArgument>(value) && value != arg)
      return;
  for (auto [i, arg] : llvm::enumerate(args)) {
    OpOperand &yielded = yield->getOpOperand(i), &init = inits[i];
    Value value = yielded.get(), start = init.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type != arg.getType() || type != start.getType() ||
        !isCreatedIn(value, body))
      continue;
    rewriter.setInsertionPoint(yield);
    Value written = bufferization::MaterializeInDestinationOp::create(
                        rewriter, yield->getLoc(), type, value, arg)
                        .getResult();
    rewriter.modifyOpInPlace(yield, [&] { yielded.set(written); });
    // The program writes nothing to what the caller passes.
    if (!isOfFunctionArgument(start))
      continue;
    rewriter.setInsertionPoint(init.getOwner());
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, init.getOwner()->getLoc(), type,
        /*dynamicSizes=*/ValueRange(),
        /*copy=*/start);
    rewriter.modifyOpInPlace(init.getOwner(), [&] { init.set(copy); });
  }
}

void mlir::linalg_ext::carryInBuffers(RewriterBase &rewriter,
                                      Operation *scope) {
  scope->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      writeToArguments(rewriter, loop.getBody()->getTerminator(),
                       loop.getBody(), loop.getRegionIterArgs(),
                       loop.getInitArgsMutable());
    // The condition hands on all arguments as they are.
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (loop &&
        llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
      writeToArguments(rewriter, loop.getYieldOp(), loop.getAfterBody(),
                       loop.getAfterArguments(), loop.getInitsMutable());
  });
}
