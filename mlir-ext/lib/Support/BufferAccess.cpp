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
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
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

/// If `use` is an operand of a call, returns the argument of the callee that it
/// is passed to. Returns null if it is not, or if the callee has no body.
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
/// The calls that pass the buffer to a function, and the results of the
/// function that alias it.
struct CallsOfFunction {
  SmallVector<Operation *> calls;
  llvm::SmallSetVector<unsigned, 2> returned;
};
using CallMap = llvm::MapVector<Operation *, CallsOfFunction>;
} // namespace

/// Adds the values that alias the buffer of `use` because of the op that owns
/// `use`. Returns false if there are none.
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
    // A value that an iteration yields is the iteration argument of the next
    // one.
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

/// Adds the accesses of the owner of `use` to the buffer itself.
static void addEffects(OpOperand &use, BufferAccess &access) {
  Operation *op = use.getOwner();
  if (isa<memref::DimOp, memref::RankOp, memref::DeallocOp>(op))
    return;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    // The op may read the old contents of its destination.
    access.mayRead = true;
    access.mayWrite |= dps.isDpsInit(&use);
    return;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (effects)
    effects.getEffects(instances);
  // An op without declared effects may pass the buffer on in a form that this
  // analysis does not follow, such as an address.
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
  auto memory = dyn_cast<MemrefValue>(view);
  return memory ? Value(memref::skipViewLikeOps(memory)) : view;
}

/// Returns whether `buffer` is an argument of a function, an allocation or a
/// global. Any other value may alias one of these.
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
