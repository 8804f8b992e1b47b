//===- ScalarOps.h - Counts scalar operations of a payload ------*- C++ -*-===//
//
// Counts the scalar operations of one iteration of a structured op. Cost models
// use the count.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_SCALAROPS_H
#define MLIR_EXT_FUSION_PLAN_SCALAROPS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns the number of scalar operations in one iteration of the payload of
/// `op`. It counts ops of arith and math with one result that is a float, a
/// complex number or an integer wider than one bit; `math.fma` counts as two.
/// It does not count casts, comparisons, selects, constants and index
/// computations. Ops of the tensor dialect have 0. Returns std::nullopt if `op`
/// has no payload or no indexing maps.
std::optional<uint64_t> countScalarOps(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_SCALAROPS_H
