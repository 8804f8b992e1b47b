//===- BufferAccess.cpp - Reads and writes of a memref --------------------===//
//
// Collects the aliases of a memref (views, iter_args and results of loops,
// results of branches, arguments and results of calls), and then the memory
// effects of the ops that use them.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the argument of a function with a body that `use` is passed as by a
/// call; null if it is not an operand of such a call.
static BlockArgument getCalleeArgument(OpOperand &use) {
  auto call = dyn_cast<CallOpInterface>(use.getOwner());
  if (!call || !isa<SymbolRefAttr>(call.getCallableForCallee()))
    return {};
  auto callee =
      dyn_cast_if_present<FunctionOpInterface>(call.resolveCallable());
  OperandRange operands = call.getArgOperands();
  if (!callee || callee.isExternal() || operands.empty())
    return {};
  unsigned first = operands.getBeginOperandIndex();
  unsigned number = use.getOperandNumber();
  if (number < first || number - first >= callee.getNumArguments())
    return {};
  return callee.getArgument(number - first);
}

namespace {
/// The calls of a function that pass it the buffer, and the results that are
/// it.
struct CallsOfFunction {
  SmallVector<Operation *> calls;
  llvm::SmallSetVector<unsigned, 2> returned;
};
using CallMap = llvm::MapVector<Operation *, CallsOfFunction>;
} // namespace

/// Adds the values that alias the buffer behind `use` through the op that has
/// it; false if the op makes none.
static bool addAliases(OpOperand &use, llvm::SetVector<Value> &aliases,
                       CallMap &calls) {
  Operation *op = use.getOwner();
  auto addBuffers = [&](ValueRange values) {
    for (Value value : values)
      if (isa<BaseMemRefType>(value.getType()))
        aliases.insert(value);
  };
  if (isa<ViewLikeOpInterface>(op) &&
      !isa<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    addBuffers(op->getResults());
    return true;
  }
  if (BlockArgument argument = getCalleeArgument(use)) {
    aliases.insert(argument);
    CallsOfFunction &callee = calls[argument.getOwner()->getParentOp()];
    callee.calls.push_back(op);
    for (unsigned number : callee.returned)
      aliases.insert(op->getResult(number));
    return true;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
      aliases.insert(carried);
    if (OpResult result = loop.getTiedLoopResult(&use))
      aliases.insert(result);
    return true;
  }
  if (op->hasTrait<OpTrait::ReturnLike>()) {
    Operation *parent = op->getParentOp();
    addBuffers(parent->getResults());
    // The next iteration of a loop takes what this one yields.
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
      addBuffers(loop.getRegionIterArgs());
    if (isa<FunctionOpInterface>(parent)) {
      CallsOfFunction &function = calls[parent];
      function.returned.insert(use.getOperandNumber());
      for (Operation *call : function.calls)
        aliases.insert(call->getResult(use.getOperandNumber()));
    }
    return true;
  }
  return false;
}

/// Adds what the op that has `use` does to the buffer itself.
static void addEffects(OpOperand &use, BufferAccess &access) {
  Operation *op = use.getOwner();
  if (isa<memref::DimOp, memref::RankOp, memref::DeallocOp>(op))
    return;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    // Whether the old contents of a destination are read is not known.
    access.mayRead = true;
    access.mayWrite |= dps.isDpsInit(&use);
    return;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (effects)
    effects.getEffects(instances);
  // No effects of its own: it must hand the buffer on, in a form that is not
  // followed (an address, say).
  if (instances.empty()) {
    access = {true, true};
    return;
  }
  for (const MemoryEffects::EffectInstance &effect : instances) {
    if (effect.getValue() && effect.getValue() != use.get())
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      access.mayRead = true;
    else
      access.mayWrite = true;
  }
}

BufferAccess mlir::linalg_ext::getBufferAccess(Value buffer) {
  BufferAccess access;
  llvm::SetVector<Value> aliases;
  CallMap calls;
  aliases.insert(buffer);
  for (unsigned i = 0; i < aliases.size(); ++i)
    for (OpOperand &use : aliases[i].getUses())
      if (!addAliases(use, aliases, calls))
        addEffects(use, access);
  return access;
}

Value mlir::linalg_ext::getViewedBuffer(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  return view;
}

/// Whether `buffer` is an argument of a function, an allocation or a global:
/// what else there is may be any of them.
static bool isKnownBuffer(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    Block *block = argument.getOwner();
    return block->isEntryBlock() &&
           isa<FunctionOpInterface>(block->getParentOp());
  }
  return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
             gpu::AllocOp>(buffer.getDefiningOp());
}

bool mlir::linalg_ext::areOfDistinctBuffers(Value a, Value b) {
  a = getViewedBuffer(a);
  b = getViewedBuffer(b);
  if (!isKnownBuffer(a) || !isKnownBuffer(b))
    return false;
  auto global = a.getDefiningOp<memref::GetGlobalOp>(),
       other = b.getDefiningOp<memref::GetGlobalOp>();
  return global && other ? global.getName() != other.getName() : a != b;
}

bool mlir::linalg_ext::isOfMemory(Value number) {
  llvm::SetVector<Value> values;
  values.insert(number);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (isa_and_present<memref::LoadOp>(op))
      return true;
    if (!op || isa<BaseMemRefType>(values[i].getType()) || !isPure(op) ||
        op->getNumRegions() > 0)
      continue;
    values.insert_range(op->getOperands());
  }
  return false;
}
