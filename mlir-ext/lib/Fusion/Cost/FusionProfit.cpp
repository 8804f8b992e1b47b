//===- FusionProfit.cpp - Whether a fusion pays ---------------------------===//
//
// A plan pays if one of the following holds:
// 1. it fuses an online reduction. The scores that it does not store may not
//    fit into memory;
// 2. it adds almost no operations (FusionProfitOptions::tolerance);
// 3. the added operations take less time than the memory traffic that it saves.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Cost/FusionProfit.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the bytes that the model counts several times because several ops in
/// the outermost loops read the same tensor. An iteration reads them only once.
static uint64_t countSharedBytes(const FusionPlan &plan,
                                 const FusionProfitOptions &options) {
  auto isInNest = [&](Operation *op) {
    const PlannedProducer *producer = plan.levels.front().lookup(op);
    return op == plan.root || (producer && producer->fused);
  };
  SmallVector<Operation *> ops{plan.root};
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (producer.fused)
      ops.push_back(producer.op);
  llvm::DenseSet<Value> seen;
  uint64_t shared = 0;
  for (Operation *op : ops) {
    llvm::SmallDenseSet<Value> operands(op->operand_begin(), op->operand_end());
    for (Value operand : operands) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      Operation *source = operand.getDefiningOp();
      if (!type || (source && isInNest(source)) ||
          isa_and_nonnull<tensor::EmptyOp>(source) ||
          seen.insert(operand).second || !type.getElementType().isIntOrFloat())
        continue;
      uint64_t bytes =
          llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      for (int64_t size : type.getShape())
        bytes = llvm::SaturatingMultiply<uint64_t>(
            bytes, ShapedType::isDynamic(size) ? options.dynamicSize : size);
      shared = llvm::SaturatingAdd(shared, bytes);
    }
  }
  return shared;
}

FusionProfit mlir::linalg_ext::judgeFusion(const FusionPlan &plan,
                                           const FusionCost &cost,
                                           const FusionProfitOptions &options) {
  uint64_t flopsBefore = cost.getBefore().flops,
           flopsAfter = cost.getAfter().flops;
  FusionProfit profit;
  if (flopsAfter > flopsBefore)
    profit.addedFlops = flopsAfter - flopsBefore;
  // An op that moves few bytes leaves its tensors in a cache for the next op.
  // Derivatives are not counted, because they read tiles that the loops have
  // read.
  uint64_t before = 0, after = 0;
  for (const OpCost &op : cost.ops)
    if (op.before.getBytes() > options.cacheBytes) {
      before = llvm::SaturatingAdd(before, op.before.getBytes());
      after = llvm::SaturatingAdd(after, op.after.getBytes());
    }
  uint64_t shared = countSharedBytes(plan, options);
  after = after > shared ? after - shared : 0;
  if (before > after)
    profit.savedBytes = before - after;

  if (llvm::any_of(plan.states, [](const PlannedState &state) {
        return isa<OnlineReductionOpInterface>(state.producer);
      }))
    return profit;
  double added = profit.addedFlops;
  if (added <= options.tolerance * flopsBefore ||
      added <= options.flopsPerByte * profit.savedBytes)
    return profit;
  (void)profit.loss.set(
      RefusalKind::DoesNotPay, plan.root,
      llvm::formatv(
          "it does not pay: expected at most {0} FLOPs for each byte saved, or "
          "{1:P1} of those unfused, got {2} FLOPs on top of {3}, and {4} bytes "
          "saved that do not stay in a cache",
          options.flopsPerByte, options.tolerance, profit.addedFlops,
          flopsBefore, profit.savedBytes));
  return profit;
}
