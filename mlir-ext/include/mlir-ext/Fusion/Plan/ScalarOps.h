//===- ScalarOps.h - Scalar operations of a payload -------------*- C++ -*-===//
//
// What an iteration of a structured op costs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_SCALAROPS_H
#define MLIR_EXT_FUSION_PLAN_SCALAROPS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns the number of scalar operations in the payload of `op`, those of
/// one iteration: ops of arith and math that compute floats or integers wider
/// than a bit, two for `math.fma`. Casts, comparisons, selections, constants
/// and computations of indices do not count; ops of tensor have none. None if
/// `op` has no payload.
std::optional<uint64_t> countScalarOps(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_SCALAROPS_H
