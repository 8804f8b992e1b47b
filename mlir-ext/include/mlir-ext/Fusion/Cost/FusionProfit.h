//===- FusionProfit.h - Whether a fusion pays -------------------*- C++ -*-===//
//
// The mechanism fuses what it is told to. Who chooses the levels asks here
// whether the plan is worth it. The rule is in docs/Rationale/Fusion.md.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_FUSIONPROFIT_H
#define MLIR_EXT_FUSION_COST_FUSIONPROFIT_H

#include "mlir-ext/Fusion/Cost/FusionCost.h"

#include <string>

namespace mlir::linalg_ext {

struct FusionProfitOptions {
  /// What the machine computes while it moves a byte to or from memory.
  double flopsPerByte = 8;
  /// An op that moves no more than this has what it reads in a cache: bytes of
  /// it are free.
  uint64_t cacheBytes = 1 << 20;
  /// The part of the operations unfused that may come on top in any case.
  double tolerance = 0.02;
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = FusionCostOptions().dynamicSize;
};

/// What a plan saves and what it adds.
struct FusionProfit {
  /// Operations that only the fused form has.
  uint64_t addedFlops = 0;
  /// Bytes that it moves less, of those that do not stay in a cache.
  uint64_t savedBytes = 0;
  /// Why it does not pay; empty if it does.
  std::string loss;

  bool isProfitable() const { return loss.empty(); }
};

/// Judges `plan`, whose estimate is `cost`.
FusionProfit judgeFusion(const FusionPlan &plan, const FusionCost &cost,
                         const FusionProfitOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_FUSIONPROFIT_H
