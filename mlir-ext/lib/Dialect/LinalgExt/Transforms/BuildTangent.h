//===- BuildTangent.h - Derivatives of linalg ops ---------------*- C++ -*-===//
//
// Implements RepairableOpInterface::buildTangent and buildAffinePart for
// LinalgOps and for reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H

#include "PayloadDerivative.h"

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// Builds the derivative of result 0 of `op`. If `combiner` is null, `op` is
/// elementwise. Otherwise `combiner` is the op in the payload that accumulates,
/// and `isSum` tells whether it computes a sum. The derivative is a
/// linalg.generic that reads only the operands that it needs:
///
///   d[m, k] = (x[m, k] - mu[m]) * g[k]              with mu' = 1
///     -> d'[k] = -g[k]                                  dims = [1]
///   y[m, n] = sum_k d[m, k] * w[k, n]
///     -> y'[n] = sum_k d'[k] * w[k, n]                  dims = [1]
///
/// The generic keeps all dimensions over which `op` reduces. If none of its
/// operands runs along one of them, it takes an input of `op` that does, only
/// for its shape; the payload does not read this operand. The generic then also
/// keeps the parallel dimensions of this operand:
///
///   v[m] = sum_k d[m, k] * d[m, k]                  with d' = -1
///     -> v'[m] = sum_k -2 * d[m, k]                     dims = [0]
///     -> v''[m] = sum_k 2, d being its operand          dims = [0]
///
FailureOr<std::optional<Tangent>>
buildLinalgTangent(linalg::LinalgOp op, Operation *combiner, bool isSum,
                   OpBuilder &b, Location loc,
                   ArrayRef<OperandTangent> operands, Refusal &refusal);

/// Builds a part of result 0 of `op`, which is elementwise or a sum, in the
/// same way. The scaled part keeps all dimensions:
///
///     y[m, k] = x[m, k] / s[m] * g[k] + b[k]
///     -> scaled[m, k] = x[m, k] / s[m] * g[k]
///     -> constant[k] = b[k], an operand itself           dims = [1]
FailureOr<std::optional<Tangent>>
buildLinalgPart(linalg::LinalgOp op, Operation *combiner, AffinePart part,
                OpBuilder &b, Location loc, ArrayRef<OperandPart> operands,
                Refusal &refusal);

/// Builds the derivative or part of the result of a tensor.expand_shape or
/// tensor.collapse_shape. Fails, with `refusal`, if a merged dimension has
/// dimensions along which the derivative varies and others along which it does
/// not.
FailureOr<std::optional<Tangent>>
buildReshapeTangent(Operation *op, OpBuilder &b, Location loc,
                    ArrayRef<OperandTangent> operands, Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H
