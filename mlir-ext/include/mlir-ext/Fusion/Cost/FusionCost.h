//===- FusionCost.h - What a fusion plan costs ------------------*- C++ -*-===//
//
// Arithmetic and memory traffic of the ops of a FusionPlan, before and after it
// is applied. The model is described in docs/Explain.md; it counts, and knows
// no machine.
//
// Unfused, an op reads its operands and writes its results whole, once. Fused,
// what passes between ops of the nest is neither written nor read; a tile from
// outside is read once in every iteration of the loops down to the innermost
// one that indexes it, and an operand that no loop indexes in every iteration.
// Tiles at the border are counted with the size they have.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_FUSIONCOST_H
#define MLIR_EXT_FUSION_COST_FUSIONCOST_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Fusion/Plan/ScalarOps.h"

#include <functional>
#include <optional>

namespace mlir::linalg_ext {

/// Sums that do not fit stay at the largest value.
struct Cost {
  /// Scalar operations; see `countScalarOps`.
  uint64_t flops = 0;
  /// Bytes of tensors read from and written to memory.
  uint64_t bytesRead = 0, bytesWritten = 0;

  Cost &operator+=(const Cost &other);
  Cost operator*(uint64_t times) const;
  uint64_t getBytes() const;
};

struct FusionCostOptions {
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = 1024;
  /// Scalar operations for each iteration of an op without payload, whose
  /// results are normalised as given; none if it is not known.
  std::function<std::optional<uint64_t>(Operation *, NormalizationForm)>
      countWithoutPayload;
};

struct OpCost {
  Operation *op = nullptr;
  Cost before, after;
};

struct FusionCost {
  /// The root, then the producers in the order of the plan, without those that
  /// stay outside and do not implement TilingInterface: they stay as they are;
  /// then the consumers.
  SmallVector<OpCost> ops;
  /// Of all repairs of accumulators, which only the fused form has. The
  /// accumulators are in the nest: repairs move no bytes.
  Cost repairs;
  /// Of what the loops compute for repairs besides: derivatives, the references
  /// and the parts that they are accumulated from, and the part of the root
  /// that does not scale. Only the fused form has them.
  Cost derivatives;
  /// Some size is dynamic and was assumed.
  bool assumesSizes = false;
  /// Ops whose scalar operations are not known and count as 0.
  SmallVector<Operation *> uncounted;

  Cost getBefore() const;
  Cost getAfter() const;
};

/// Estimates `plan`, made for the IR as it is, which stays so. Derivatives are
/// built on a copy that is thrown away; where they cannot be, they count
/// nothing.
FusionCost estimateFusionCost(const FusionPlan &plan,
                              const FusionCostOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_FUSIONCOST_H
