//===- FusionProfit.h - Whether a fusion pays -------------------*- C++ -*-===//
//
// Decides whether a fusion pays. Tile-and-fuse applies the levels that its
// options give. A pass that chooses the levels itself calls `judgeFusion`
// first. docs/Rationale/Fusion.md has the rule.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_FUSIONPROFIT_H
#define MLIR_EXT_FUSION_COST_FUSIONPROFIT_H

#include "mlir-ext/Fusion/Cost/FusionCost.h"

#include <string>

namespace mlir::linalg_ext {

struct FusionProfitOptions {
  /// Scalar operations that the machine computes in the time of moving one byte
  /// to or from memory.
  double flopsPerByte = 8;
  /// If an op moves at most this many bytes, they are not counted, because its
  /// operands are assumed to be in a cache.
  uint64_t cacheBytes = 1 << 20;
  /// The added operations that are always accepted, as a fraction of the
  /// operations of the unfused program.
  double tolerance = 0.02;
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = FusionCostOptions().dynamicSize;
};

/// The operations that a plan adds and the bytes that it saves.
struct FusionProfit {
  /// The scalar operations that fusion adds.
  uint64_t addedFlops = 0;
  /// The bytes that fusion saves, without those that stay in a cache.
  uint64_t savedBytes = 0;
  /// Why the plan does not pay; not set if it does.
  Refusal loss;

  bool isProfitable() const { return !loss.isSet(); }
};

/// Decides whether `plan` pays. `cost` must be the estimate of `plan`.
FusionProfit judgeFusion(const FusionPlan &plan, const FusionCost &cost,
                         const FusionProfitOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_FUSIONPROFIT_H
