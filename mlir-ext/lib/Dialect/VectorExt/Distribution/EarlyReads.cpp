//===- EarlyReads.cpp - Reads to registers ahead of their use -------------===//
//
// See EarlyReads.h.
//
//===----------------------------------------------------------------------===//

#include "EarlyReads.h"
#include "LastTiles.h"
#include "TileSource.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Adds the ops in the body of `loop` that `op` depends on to `ops`. Returns
/// false if `op` depends on anything but the iteration's number and values from
/// outside, or if an op does more than compute and read.
static bool collectBefore(Operation *op, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  if (ops.contains(op))
    return true;
  if (op->getNumRegions() != 0 ||
      (!isPure(op) && !hasSingleEffect<MemoryEffects::Read>(op)))
    return false;
  for (Value operand : op->getOperands()) {
    if (operand.getParentBlock() != loop.getBody() ||
        operand == loop.getInductionVar())
      continue;
    Operation *before = operand.getDefiningOp();
    if (!before || isa<vector::ContractionOp, RingGetOp>(before) ||
        !collectBefore(before, loop, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

void mlir::vector_ext::readEarly(RewriterBase &b, gpu::LaunchOp launch) {
  launch.walk([&](scf::ForOp loop) {
    auto gets = loop.getBody()->getOps<RingGetOp>();
    if (gets.empty() || mayWrite(loop))
      return;
    Operation *first = *gets.begin();
    for (auto read : llvm::make_early_inc_range(
             loop.getBody()->getOps<vector::TransferReadOp>())) {
      llvm::SetVector<Operation *> ops;
      if (!first->isBeforeInBlock(read) || !collectBefore(read, loop, ops))
        continue;
      for (Operation *op : ops)
        if (first->isBeforeInBlock(op))
          b.moveOpBefore(op, first);
    }
  });
}

/// Adds the ops between `loop` and `op`, which is after it, that `op` depends
/// on to `ops`. Returns false if `op` depends on the loop, or if an op does
/// more than compute and read.
static bool collectBehind(Operation *op, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  if (ops.contains(op))
    return true;
  if (op == loop || op->getNumRegions() != 0 ||
      (!isPure(op) && !hasSingleEffect<MemoryEffects::Read>(op)))
    return false;
  for (Value operand : op->getOperands()) {
    Operation *before = operand.getDefiningOp();
    if (before && before->getBlock() == loop->getBlock() &&
        !before->isBeforeInBlock(loop) && !collectBehind(before, loop, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

void mlir::vector_ext::readInFront(RewriterBase &b, gpu::LaunchOp launch,
                                   scf::ForOp loop,
                                   const linalg_ext::GPUTarget &target) {
  std::optional<int64_t> threads =
      getConstantIntValue(launch.getBlockSizeOperandValues().x);
  auto getWords = [](VectorType type) {
    return llvm::divideCeil(
        type.getNumElements() * type.getElementTypeBitWidth(), 32);
  };
  int64_t left = 0;
  for (auto contract : loop.getBody()->getOps<vector::ContractionOp>())
    if (getAsyncIntrinsic(contract))
      left -= getWords(cast<VectorType>(contract.getResultType()));
  if (!threads || left == 0 || mayWrite(loop))
    return;
  left += (target.threadRegisters - target.asyncOtherRegisters) * *threads;
  SmallVector<vector::TransferReadOp> reads;
  for (Operation *op = loop->getNextNode();
       op && (isMemoryEffectFree(op) || isa<vector::TransferReadOp>(op));
       op = op->getNextNode())
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      reads.push_back(read);
  for (vector::TransferReadOp read : reads) {
    VectorType type = read.getVectorType();
    // A thread has at most a quarter of the elements of a row.
    int64_t words = getWords(type) * (type.getRank() < 2 ? *threads / 4 : 1);
    // Elements of other rows are loaded one by one, each to a register.
    if (type.getRank() >= 2 && !read.getPermutationMap().isMinorIdentity())
      words = type.getNumElements();
    llvm::SetVector<Operation *> ops;
    if (words > left || mayWriteTo(launch, read.getBase()) ||
        !collectBehind(read, loop, ops))
      continue;
    left -= words;
    for (Operation *op : ops)
      b.moveOpBefore(op, loop);
  }
}

void mlir::vector_ext::moveBeside(RewriterBase &b, const StagedReads &reads) {
  for (auto &[op, staged] : reads) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    llvm::SetVector<Operation *> ops;
    if (!staged.isBeside || !loop || mayWrite(loop) ||
        !collectBefore(op, loop, ops))
      continue;
    for (Operation *before : llvm::reverse(ops))
      b.moveOpBefore(before, loop.getBody(), loop.getBody()->begin());
  }
}
