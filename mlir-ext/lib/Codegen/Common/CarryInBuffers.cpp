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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the operand that is the tensor which `body` creates and in which
/// `value` is computed, so that it is not in the buffer of an iteration
/// argument; null if there is none.
static OpOperand *findCreated(OpOperand &use, Block *body) {
  OpOperand *operand = &use;
  while (Operation *op = operand->get().getDefiningOp()) {
    if (!body->findAncestorOpInBlock(*op))
      return nullptr;
    if (isa<tensor::EmptyOp>(op))
      return operand;
    if (OpOperand *destination = getTiedDestination(operand->get()))
      operand = destination;
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      operand = &insert.getDestMutable();
    else if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp>(op))
      operand = &op->getOpOperand(0);
    else
      return nullptr;
  }
  return nullptr;
}

/// Whether an op reads each element of `read` before it writes the same element
/// of `written`.
static bool overwrites(OpOperand &read, OpOperand &written) {
  auto op = dyn_cast<linalg::LinalgOp>(written.getOwner());
  return op && read.getOwner() == op && linalg::isElementwise(op) &&
         op.getMatchingIndexingMap(&read) ==
             op.getMatchingIndexingMap(&written);
}

/// Whether an op of `body` reads `arg` when or after the op that has `created`
/// writes to it.
static bool isReadBehind(Value arg, OpOperand &created, Block *body) {
  Operation *first = body->findAncestorOpInBlock(*created.getOwner());
  return llvm::any_of(arg.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return !isa<tensor::DimOp>(user) && !overwrites(use, created) &&
           !body->findAncestorOpInBlock(*user)->isBeforeInBlock(first);
  });
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
    if (!type || type != arg.getType() || type != start.getType())
      continue;
    OpOperand *created = findCreated(yielded, body);
    if (!created)
      continue;
    // What is read until then stays where it is: the tensor is computed
    // elsewhere, and copied. Bufferization would copy the argument, too.
    if (isReadBehind(arg, *created, body)) {
      auto empty = created->get().getDefiningOp<tensor::EmptyOp>();
      rewriter.setInsertionPoint(empty);
      Value alloc = bufferization::AllocTensorOp::create(
          rewriter, empty.getLoc(), empty.getType(), empty.getDynamicSizes());
      rewriter.modifyOpInPlace(created->getOwner(),
                               [&] { created->set(alloc); });
      value = yielded.get();
    }
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

/// Lets the condition of `op` hand on all arguments in their order, and then
/// the numbers that it computes, so that an iteration is given the buffers that
/// the condition was. Canonicalization has dropped those that the body does not
/// use.
static scf::WhileOp handOnAll(RewriterBase &rewriter, scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> values(op.getBeforeArguments());
  SmallVector<unsigned> numbers;
  for (Value value : condition.getArgs()) {
    auto *known = llvm::find(values, value);
    numbers.push_back(known - values.begin());
    if (known != values.end())
      continue;
    if (isa<TensorType>(value.getType()))
      return op;
    values.push_back(value);
  }
  if (llvm::equal(values, condition.getArgs()))
    return op;
  rewriter.setInsertionPoint(op);
  auto loop = scf::WhileOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(values)), op.getInits(),
      /*beforeBuilder=*/nullptr, /*afterBuilder=*/nullptr);
  auto select = [&](ValueRange from) {
    return llvm::map_to_vector(numbers,
                               [&](unsigned number) { return from[number]; });
  };
  rewriter.modifyOpInPlace(condition,
                           [&] { condition.getArgsMutable().assign(values); });
  rewriter.mergeBlocks(op.getBeforeBody(), loop.getBeforeBody(),
                       loop.getBeforeArguments());
  rewriter.mergeBlocks(op.getAfterBody(), loop.getAfterBody(),
                       select(loop.getAfterArguments()));
  rewriter.replaceOp(op, select(loop.getResults()));
  return loop;
}

void mlir::linalg_ext::carryInBuffers(RewriterBase &rewriter,
                                      Operation *scope) {
  SmallVector<scf::WhileOp> loops;
  scope->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      writeToArguments(rewriter, loop.getBody()->getTerminator(),
                       loop.getBody(), loop.getRegionIterArgs(),
                       loop.getInitArgsMutable());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      loops.push_back(loop);
  });
  for (scf::WhileOp each : loops) {
    scf::WhileOp loop = handOnAll(rewriter, each);
    ValueRange arguments = loop.getBeforeArguments();
    ValueRange handedOn = loop.getConditionOp().getArgs();
    if (handedOn.take_front(arguments.size()) == arguments)
      writeToArguments(rewriter, loop.getYieldOp(), loop.getAfterBody(),
                       loop.getAfterArguments().take_front(arguments.size()),
                       loop.getInitsMutable());
  }
}
