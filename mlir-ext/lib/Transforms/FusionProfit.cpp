//===- FusionProfit.cpp - Whether a fusion pays ---------------------------===//
//
// 1. A fused online reduction pays: what it saves are scores, which memory may
//    not have room for.
// 2. So does what adds next to nothing.
// 3. Else the operations that come on top take less time than the bytes that
//    are not moved any more.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Transforms/FusionProfit.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

FusionProfit mlir::linalg_ext::judgeFusion(const FusionPlan &plan,
                                           const FusionCost &cost,
                                           const FusionProfitOptions &options) {
  uint64_t flopsBefore = cost.getBefore().flops,
           flopsAfter = cost.getAfter().flops;
  FusionProfit profit;
  if (flopsAfter > flopsBefore)
    profit.addedFlops = flopsAfter - flopsBefore;
  // Tensors of an op that moves little are in a cache when the next one comes.
  uint64_t before = 0, after = cost.derivatives.getBytes();
  for (const OpCost &op : cost.ops)
    if (op.before.getBytes() > options.cacheBytes) {
      before = llvm::SaturatingAdd(before, op.before.getBytes());
      after = llvm::SaturatingAdd(after, op.after.getBytes());
    }
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
  profit.loss = llvm::formatv(
      "it does not pay: expected at most {0} FLOPs for each byte saved, or "
      "{1:P1} of those unfused, got {2} FLOPs on top of {3}, and {4} bytes "
      "saved that do not stay in a cache",
      options.flopsPerByte, options.tolerance, profit.addedFlops, flopsBefore,
      profit.savedBytes);
  return profit;
}
