//===- CarryInBuffers.cpp - Tensors that loops carry ----------------------===//
//
// Bufferization only supports loops whose iterations pass on the same buffer.
// If an iteration yields another tensor than its argument, such as one that it
// creates, this file writes that tensor to the buffer of the argument.
//
//===----------------------------------------------------------------------===//

#include "TiedDestination.h"
#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `op` is a view of a tensor.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

/// Returns the value that may share the buffer of the operand `use` without a
/// write: a view of it, or the result of a branch that yields it. Null if there
/// is none.
static Value getAlias(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isView(user))
    return user->getResult(0);
  auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
  return branch && isa<scf::YieldOp>(user)
             ? branch.getResult(use.getOperandNumber())
             : Value();
}

/// If `value` is computed in a tensor that `body` creates, and so not in the
/// buffer of an iteration argument, returns the operand that is this tensor.
/// Null otherwise.
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
    else if (isView(op))
      operand = &op->getOpOperand(0);
    else
      return nullptr;
  }
  return nullptr;
}

/// Returns whether the op reads each element of `read` before it writes the
/// same element of `written`.
static bool overwrites(OpOperand &read, OpOperand &written) {
  auto op = dyn_cast<linalg::LinalgOp>(written.getOwner());
  return op && read.getOwner() == op && linalg::isElementwise(op) &&
         op.getMatchingIndexingMap(&read) ==
             op.getMatchingIndexingMap(&written);
}

/// Returns whether `op` comes before `writer`. `writer` may be in branches in
/// the body of the loop.
static bool isBefore(Operation *op, Operation *writer) {
  for (Block *block = writer->getBlock(); block;
       block = block->getParentOp()->getBlock())
    if (Operation *ancestor = block->findAncestorOpInBlock(*op))
      return ancestor->isBeforeInBlock(block->findAncestorOpInBlock(*writer));
  return false;
}

/// Returns whether an op reads `arg`, or a value that shares its buffer without
/// a write, at or after the op that writes `written`.
static bool isReadBehind(Value arg, OpOperand &written) {
  Operation *writer = written.getOwner();
  return llvm::any_of(arg.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (&use == &written || isa<tensor::DimOp>(user) ||
        insideMutuallyExclusiveRegions(user, writer))
      return false;
    if (!isView(user) && !overwrites(use, written) && !isBefore(user, writer))
      return true;
    Value alias = getAlias(use);
    return alias && isReadBehind(alias, written);
  });
}

/// Returns whether `value` is an argument of a function, or a view of one.
static bool isOfFunctionArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      return false;
    value = op->getOperand(0);
  }
  return isa<FunctionOpInterface>(
      cast<BlockArgument>(value).getOwner()->getParentOp());
}

/// Returns `value` if it is a result of an scf.if or of a loop, and null
/// otherwise.
static OpResult getResultOfRegions(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result && isa<scf::IfOp, scf::ForOp>(result.getOwner()) ? result
                                                                 : OpResult();
}

/// Returns the operands that share a buffer with `result`, a result of an
/// scf.if or scf.for.
static SmallVector<OpOperand *> getSources(OpResult result) {
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return {&loop.getInitArgsMutable()[number]};
  auto branch = cast<scf::IfOp>(result.getOwner());
  return {&branch.thenYield()->getOpOperand(number),
          &branch.elseYield()->getOpOperand(number)};
}

/// Returns whether `value` is computed in the buffer of `arg`, in `body`, and
/// nothing reads elements there that have been overwritten. Adds to `seen` the
/// values that it visits: if it returns true, these are in the buffer, too. If
/// `written` is not null, it is an operand that a later op writes. A loop
/// writes to its initial value.
static bool isIn(Value value, Value arg, Block *body,
                 llvm::SmallDenseSet<Value> &seen,
                 OpOperand *written = nullptr) {
  while (value != arg && seen.insert(value).second) {
    Operation *op = value.getDefiningOp();
    if (!op || !body->findAncestorOpInBlock(*op))
      return false;
    if (OpResult result = getResultOfRegions(value))
      return llvm::all_of(getSources(result), [&](OpOperand *source) {
        return isIn(source->get(), arg, body, seen,
                    isa<scf::ForOp>(op) ? source : written);
      });
    if (OpOperand *destination = getTiedDestination(value))
      written = destination;
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      written = &insert.getDestMutable();
    else if (!isView(op))
      return false;
    value = isView(op) ? op->getOperand(0) : written->get();
  }
  return value != arg || !written || !isReadBehind(arg, *written);
}

static bool isIn(Value value, Value arg, Block *body) {
  llvm::SmallDenseSet<Value> seen;
  return isIn(value, arg, body, seen);
}

/// Returns whether an op of `body` behind `op` reads `arg`, or a value that
/// shares its buffer without a write, except through results of `op`.
static bool isReadAfter(Value arg, Operation *op, Block *body) {
  Operation *last = body->findAncestorOpInBlock(*op);
  return llvm::any_of(arg.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      return false;
    if (!isView(user) &&
        last->isBeforeInBlock(body->findAncestorOpInBlock(*user)))
      return true;
    Value alias = getAlias(use);
    return alias && alias.getDefiningOp() != op && isReadAfter(alias, op, body);
  });
}

/// Returns whether no operand before `use` is the same value.
static bool isFirst(OpOperand &use) {
  return !llvm::is_contained(
      use.getOwner()->getOperands().take_front(use.getOperandNumber()),
      use.get());
}

/// Makes `use`, a tensor of `body`, be in the buffer of `arg`. If no op can
/// compute it there, it is copied.
static void writeTo(RewriterBase &rewriter, OpOperand &use, Value arg,
                    Block *body) {
  if (isIn(use.get(), arg, body))
    return;
  // Each branch, or the initial value of a loop, writes to the buffer. If the
  // same value occurs twice, the second one is copied.
  OpResult result = getResultOfRegions(use.get());
  if (result && body->findAncestorOpInBlock(*result.getOwner())) {
    SmallVector<OpOperand *> sources = getSources(result);
    bool isLoop = isa<scf::ForOp>(result.getOwner());
    bool isRead = isLoop ? isReadBehind(arg, *sources.front())
                         : isReadAfter(arg, result.getOwner(), body);
    if (isFirst(use) && !isRead) {
      for (OpOperand *source : sources)
        writeTo(rewriter, *source, arg, body);
      return;
    }
    // If a loop reads elements that it would overwrite, it starts from a copy.
    if (isLoop && isRead && sources.front()->get() == arg) {
      rewriter.setInsertionPoint(result.getOwner());
      Value copy = bufferization::AllocTensorOp::create(
          rewriter, use.getOwner()->getLoc(),
          cast<RankedTensorType>(arg.getType()),
          /*dynamicSizes=*/ValueRange(), /*copy=*/arg);
      rewriter.modifyOpInPlace(result.getOwner(),
                               [&] { sources.front()->set(copy); });
    }
  }
  // If `arg` is still read, the tensor is computed in another buffer and copied
  // at the end. Otherwise bufferization would copy the argument as well.
  OpOperand *created = findCreated(use, body);
  if (created && isReadBehind(arg, *created)) {
    auto empty = created->get().getDefiningOp<tensor::EmptyOp>();
    rewriter.setInsertionPoint(empty);
    Value alloc = bufferization::AllocTensorOp::create(
        rewriter, empty.getLoc(), empty.getType(), empty.getDynamicSizes());
    rewriter.modifyOpInPlace(created->getOwner(), [&] { created->set(alloc); });
  }
  rewriter.setInsertionPoint(use.getOwner());
  Value written =
      bufferization::MaterializeInDestinationOp::create(
          rewriter, use.getOwner()->getLoc(), arg.getType(), use.get(), arg)
          .getResult();
  rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(written); });
}

/// Makes `yield` pass on its tensors in the buffers of `args`, whose initial
/// values are `inits`.
static void writeToArguments(RewriterBase &rewriter, Operation *yield,
                             Block *body, ValueRange args,
                             MutableOperandRange inits) {
  auto isCarried = [&](unsigned number) {
    Type type = args[number].getType();
    return isa<RankedTensorType>(type) &&
           yield->getOperand(number).getType() == type &&
           inits[number].get().getType() == type;
  };
  // If an argument is yielded in place of another one, it is copied before
  // anything is written to it.
  for (unsigned i = 0; i < args.size(); ++i) {
    OpOperand &moved = yield->getOpOperand(i);
    if (moved.get() == args[i] || !isCarried(i) ||
        !llvm::is_contained(args, moved.get()))
      continue;
    rewriter.setInsertionPointToStart(body);
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, yield->getLoc(), cast<RankedTensorType>(args[i].getType()),
        /*dynamicSizes=*/ValueRange(), /*copy=*/moved.get());
    rewriter.modifyOpInPlace(yield, [&] { moved.set(copy); });
  }
  for (unsigned i = 0; i < args.size(); ++i) {
    OpOperand &init = inits[i];
    if (!isCarried(i) || isIn(yield->getOperand(i), args[i], body))
      continue;
    Value handedOn = yield->getOperand(i);
    writeTo(rewriter, yield->getOpOperand(i), args[i], body);
    // Other arguments that receive the same tensor receive it from this buffer,
    // since it can be computed in one buffer only.
    for (OpOperand &other : yield->getOpOperands().drop_front(i + 1))
      if (other.get() == handedOn)
        rewriter.modifyOpInPlace(yield,
                                 [&] { other.set(yield->getOperand(i)); });
    // The program must not write to buffers that the caller passes.
    if (!isOfFunctionArgument(init.get()))
      continue;
    rewriter.setInsertionPoint(init.getOwner());
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, init.getOwner()->getLoc(),
        cast<RankedTensorType>(init.get().getType()),
        /*dynamicSizes=*/ValueRange(), /*copy=*/init.get());
    rewriter.modifyOpInPlace(init.getOwner(), [&] { init.set(copy); });
  }
}

/// Makes the condition of `op` pass on all arguments, in their order, before
/// the numbers that it computes. The body then gets the buffers that the
/// condition got. Canonicalization may have dropped arguments that the body
/// does not use.
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
