//===- CarryInBuffers.cpp - Tensors that loops carry ----------------------===//
//
// Bufferization takes only loops whose iterations hand on one buffer. If an
// iteration hands on another tensor than it was given, such as one that it
// creates, this file writes it to the tensor that it was given.
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

/// Whether `op` is a view of a tensor.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

/// The value that may be in the buffer of what `use` reads, without a write: a
/// view of it, or the result of a branch that hands it on. Null if there is
/// none.
static Value getAlias(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isView(user))
    return user->getResult(0);
  auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
  return branch && isa<scf::YieldOp>(user)
             ? branch.getResult(use.getOperandNumber())
             : Value();
}

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
    else if (isView(op))
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

/// Whether `op` comes before `writer`, around which are branches alone in the
/// body of the loop.
static bool isBefore(Operation *op, Operation *writer) {
  for (Block *block = writer->getBlock(); block;
       block = block->getParentOp()->getBlock())
    if (Operation *ancestor = block->findAncestorOpInBlock(*op))
      return ancestor->isBeforeInBlock(block->findAncestorOpInBlock(*writer));
  return false;
}

/// Whether an op reads `arg`, or what is in its buffer without a write, when or
/// after the op that has `written` writes to it.
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

/// Whether `value` is an argument of a function, or a view of one.
static bool isOfFunctionArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      return false;
    value = op->getOperand(0);
  }
  return isa<FunctionOpInterface>(
      cast<BlockArgument>(value).getOwner()->getParentOp());
}

/// The result of an scf.if, or of a loop, that `value` is; null if it is none.
static OpResult getResultOfRegions(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result && isa<scf::IfOp, scf::ForOp>(result.getOwner()) ? result
                                                                 : OpResult();
}

/// The operands that are in the buffer which `result`, of an scf.if or of an
/// scf.for, is in.
static SmallVector<OpOperand *> getSources(OpResult result) {
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return {&loop.getInitArgsMutable()[number]};
  auto branch = cast<scf::IfOp>(result.getOwner());
  return {&branch.thenYield()->getOpOperand(number),
          &branch.elseYield()->getOpOperand(number)};
}

/// Whether `value` is computed in the buffer of `arg`, in `body`, and nothing
/// reads there what has been overwritten. So are all of `seen`, if it is. An op
/// behind `value` has `written`, if there is one. A loop writes to what it
/// starts from.
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

/// Whether an op of `body` behind `op` reads `arg`, or what is in its buffer
/// without a write, except for results of `op`.
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

/// Whether no operand in front of `use` is the same value.
static bool isFirst(OpOperand &use) {
  return !llvm::is_contained(
      use.getOwner()->getOperands().take_front(use.getOperandNumber()),
      use.get());
}

/// Lets `use`, a tensor of `body`, be in the buffer of `arg`. An op may be able
/// to compute it there; otherwise it is copied.
static void writeTo(RewriterBase &rewriter, OpOperand &use, Value arg,
                    Block *body) {
  if (isIn(use.get(), arg, body))
    return;
  // Each branch writes to it, or what a loop begins with is there. The same
  // cannot be in two buffers: the second one gets a copy.
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
    // A loop that reads what it would overwrite starts with a copy.
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
  // What is read until then stays where it is: the tensor is computed
  // elsewhere, and copied. Bufferization would copy the argument, too.
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

/// Lets `yield` hand on its tensors in the buffers of `args`, which start as
/// `inits`.
static void writeToArguments(RewriterBase &rewriter, Operation *yield,
                             Block *body, ValueRange args,
                             MutableOperandRange inits) {
  auto isCarried = [&](unsigned number) {
    Type type = args[number].getType();
    return isa<RankedTensorType>(type) &&
           yield->getOperand(number).getType() == type &&
           inits[number].get().getType() == type;
  };
  // An argument that takes the place of another one is copied before anything
  // is written to it.
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
    // An argument that gets the same tensor gets it from there: it may be
    // computed in one buffer only.
    for (OpOperand &other : yield->getOpOperands().drop_front(i + 1))
      if (other.get() == handedOn)
        rewriter.modifyOpInPlace(yield,
                                 [&] { other.set(yield->getOperand(i)); });
    // The program writes nothing to what the caller passes.
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
