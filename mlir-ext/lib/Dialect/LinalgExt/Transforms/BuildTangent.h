//===- BuildTangent.h - Derivatives of linalg ops ---------------*- C++ -*-===//
//
// RepairableOpInterface::buildTangent and buildAffinePart for LinalgOps and for
// reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H

#include "PayloadDerivative.h"

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// Builds the derivative of result 0 of `op`, elementwise if `combiner` is
/// null; otherwise `combiner` is the op of the payload that accumulates, by a
/// sum iff `isSum`. What is built is a linalg.generic that reads only what the
/// derivative needs:
///
///   d[m, k] = (x[m, k] - mu[m]) * g[k]              with mu' = 1
///     -> d'[k] = -g[k]                                  dims = [1]
///   y[m, n] = sum_k d[m, k] * w[k, n]
///     -> y'[n] = sum_k d'[k] * w[k, n]                  dims = [1]
///
/// All dimensions over which `op` reduces are kept. If nothing that is read
/// runs along one of them, an input that does is an operand for its shape
/// alone, which the payload does not read; the parallel dimensions that this
/// brings along are kept too:
///
///   v[m] = sum_k d[m, k] * d[m, k]                  with d' = -1
///     -> v'[m] = sum_k -2 * d[m, k]                     dims = [0]
///     -> v''[m] = sum_k 2, d being its operand          dims = [0]
///
FailureOr<std::optional<Tangent>>
buildLinalgTangent(linalg::LinalgOp op, Operation *combiner, bool isSum,
                   OpBuilder &b, Location loc,
                   ArrayRef<OperandTangent> operands, std::string &reason);

/// Builds a part of result 0 of `op`, elementwise or a sum, in the same way; of
/// the scaled part all dimensions are kept:
///
///   y[m, k] = x[m, k] / s[m] * g[k] + b[k]
///     -> scaled[m, k] = x[m, k] / s[m] * g[k]
///     -> constant[k] = b[k], an operand itself           dims = [1]
FailureOr<std::optional<Tangent>>
buildLinalgPart(linalg::LinalgOp op, Operation *combiner, AffinePart part,
                OpBuilder &b, Location loc, ArrayRef<OperandPart> operands,
                std::string &reason);

/// The same of a tensor.expand_shape or tensor.collapse_shape.
FailureOr<std::optional<Tangent>>
buildReshapeTangent(Operation *op, OpBuilder &b, Location loc,
                    ArrayRef<OperandTangent> operands, std::string &reason);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_BUILDTANGENT_H
