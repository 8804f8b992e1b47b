//===- FusionCost.h - The cost of a fusion plan -----------------*- C++ -*-===//
//
// Counts the arithmetic and the memory traffic of the ops of a FusionPlan,
// before and after it is applied. docs/Explain.md describes the model. It
// counts operations and bytes, and has no parameters of a machine.
//
// Before fusion, an op reads all its operands and writes all its results once.
// After fusion, values between ops of the nest cause no traffic. A tile from
// outside is read in every iteration of the loops down to the innermost loop
// that indexes it, or to the innermost forall or split inside of that. An
// operand that no loop indexes is read in every iteration. Tiles at the border
// are counted with their actual size.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_FUSIONCOST_H
#define MLIR_EXT_FUSION_COST_FUSIONCOST_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Fusion/Plan/ScalarOps.h"

#include <functional>
#include <optional>

namespace mlir::linalg_ext {

/// A cost. Sums saturate at the largest value.
struct Cost {
  /// The number of scalar operations; see `countScalarOps`.
  uint64_t flops = 0;
  /// The bytes of tensors that are read from and written to memory.
  uint64_t bytesRead = 0, bytesWritten = 0;

  Cost &operator+=(const Cost &other);
  Cost operator*(uint64_t times) const;
  uint64_t getBytes() const;
};

struct FusionCostOptions {
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = 1024;
  /// Returns the scalar operations of one iteration of an op without payload,
  /// whose results are normalised in the given form. Returns std::nullopt if
  /// the number is not known.
  std::function<std::optional<uint64_t>(Operation *, NormalizationForm)>
      countWithoutPayload;
};

struct OpCost {
  Operation *op = nullptr;
  Cost before, after;
};

struct FusionCost {
  /// The root, then the producers in the order of the plan, then the consumers.
  /// An unfused producer without TilingInterface is left out, because its cost
  /// does not change.
  SmallVector<OpCost> ops;
  /// The cost of all repairs of accumulators. Only the fused program has
  /// repairs. They move no bytes, because the accumulators are in the nest.
  Cost repairs;
  /// The cost of everything else that the loops compute for repairs:
  /// derivatives, the references and parts from which they are accumulated, and
  /// the constant term of an affine root. Only the fused program has it.
  Cost derivatives;
  /// Some size is dynamic, and `FusionCostOptions::dynamicSize` was used for
  /// it.
  bool assumesSizes = false;
  /// Ops whose scalar operations are not known. They count as 0.
  SmallVector<Operation *> uncounted;

  Cost getBefore() const;
  Cost getAfter() const;
};

/// Estimates the cost of `plan`, which must have been made for the current IR.
/// Leaves the IR as it is. Builds derivatives on a copy that is thrown away; if
/// they cannot be built, they cost nothing.
FusionCost estimateFusionCost(const FusionPlan &plan,
                              const FusionCostOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_FUSIONCOST_H
