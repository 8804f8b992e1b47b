//===- SinkLoads.cpp - Sinking of loads from shared memory ----------------===//
//
// Distribution loads a whole tile first and computes with it afterwards. The
// loads would occupy registers for the whole time. This step moves each load
// next to its first user. It also moves vector ops, shuffles, and pure ops at
// the top level of a kernel. A load does not move across an op that may write
// its buffer, nor across a barrier if the buffer is written in the same block,
// or is a ring, which other threads write as soon as a slot is free.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// If `op` only reads a buffer that the workgroup has allocated, returns the
/// allocation. Null otherwise.
static Value getLoadedBuffer(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  // Starts of asynchronous products stay in their place.
  if (isa<vector_ext::AsyncMmaOp>(op))
    return {};
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 || !effects ||
      !effects.onlyHasEffect<MemoryEffects::Read>())
    return {};
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
      continue;
    Value buffer = getViewedBuffer(operand);
    return buffer.getDefiningOp<memref::AllocOp>() ? buffer : Value();
  }
  return {};
}

/// Returns whether `op` has effects but no operand in memory: it is a barrier,
/// a wait or the like, which orders accesses of other ops.
static bool isSynchronization(Operation *op) {
  return op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(),
                       [](Type type) { return isa<BaseMemRefType>(type); });
}

/// Returns whether `op` may write `buffer`, an allocation of the workgroup.
static bool mayWrite(Operation *op, Value buffer) {
  if (isMemoryEffectFree(op))
    return false;
  if (isSynchronization(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects)
    return true;
  return llvm::any_of(
      *effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (!isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
          return false;
        if (!effect.getValue())
          return true;
        Value written = getViewedBuffer(effect.getValue());
        return written == buffer || !written.getDefiningOp<memref::AllocOp>();
      });
}

/// Returns whether a load of `buffer` must not move across `op`: `op` may write
/// the buffer, or it is a synchronization after which other threads may.
/// `isWritten` says whether the block writes a buffer.
static bool isFence(Operation *op, Value buffer,
                    llvm::function_ref<bool(Value)> isWritten) {
  return isSynchronization(op) ? isWritten(buffer) : mayWrite(op, buffer);
}

static void sinkLoadsOf(Block &block) {
  bool isOfKernel = isa<gpu::LaunchOp, gpu::GPUFuncOp>(block.getParentOp());
  llvm::DenseMap<Value, bool> written;
  auto isWritten = [&](Value buffer) {
    auto [it, isNew] = written.try_emplace(buffer, false);
    if (isNew)
      it->second =
          buffer.getDefiningOp()->hasAttr(vector_ext::getRingAttrName()) ||
          llvm::any_of(block,
                       [&](Operation &op) { return mayWrite(&op, buffer); });
    return it->second;
  };
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    Value buffer = getLoadedBuffer(&op);
    // Besides loads, sink ops that split loaded vectors; shuffles, which all
    // threads then execute at the new place; and pure ops that a kernel
    // computes before its loops and needs after them.
    if (!buffer && !isa<gpu::ShuffleOp>(op) &&
        !((isa_and_present<vector::VectorDialect>(op.getDialect()) ||
           isOfKernel) &&
          op.getNumRegions() == 0 && isPure(&op)))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
    if (!first)
      continue;
    Operation *point = op.getNextNode();
    while (point != first && !(buffer && isFence(point, buffer, isWritten)))
      point = point->getNextNode();
    // A move makes the block renumber its ops, so avoid needless moves.
    if (point != op.getNextNode())
      op.moveBefore(point);
  }
}

void mlir::linalg_ext::sinkLoads(Operation *scope) {
  scope->walk([](Block *block) { sinkLoadsOf(*block); });
}
