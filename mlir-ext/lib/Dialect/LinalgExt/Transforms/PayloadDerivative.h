//===- PayloadDerivative.h - Derivatives of payloads ------------*- C++ -*-===//
//
// Forward-mode differentiation of the payload of a LinalgOp in the measure of a
// state. The degrees of the payload say which of its values do not move and
// which move by a constant. The others are sums, products, quotients by what
// does not move, powers, choices and casts, whose derivatives are computed.
// The parts of an affine value are found in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADDERIVATIVE_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADDERIVATIVE_H

#include "PayloadAnalysis.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::linalg_ext {

/// The derivative of a scalar, or a part of it: `value` or, if that is null,
/// `constant`.
struct Derivative {
  double constant = 0.0;
  Value value;

  bool isZero() const { return !value && constant == 0.0; }
};

/// Differentiates the payload of `op`, or finds a part of what it computes.
/// What that takes is built in a block that belongs to no op and dies with this
/// object.
class PayloadDerivative {
public:
  PayloadDerivative(linalg::LinalgOp op, Operation *combiner,
                    ArrayRef<OperandTangent> operands);
  PayloadDerivative(linalg::LinalgOp op, Operation *combiner, AffinePart part,
                    ArrayRef<OperandPart> operands);

  Degree getDegree(Value value) const { return analysis.get(value); }
  /// The derivative of a value that does not move, a shift or a polynomial; or
  /// the part of one that does not move, scales or is affine.
  Derivative get(Value value);

  /// The argument of the block that stands for operand `i` of `operands`, null
  /// if its derivative or part is a constant.
  Value getArgument(size_t i) const { return arguments[i]; }
  Block &getBlock() { return block; }

  /// The derivative as a scalar of `type`.
  Value materialize(Derivative derivative, Type type);

private:
  void addArgument(BlockArgument of, const Tangent &tangent);
  Derivative compute(Operation *op);
  Derivative add(Derivative lhs, Derivative rhs, double sign);
  Derivative multiply(Derivative lhs, Value rhs);
  Derivative multiply(Derivative lhs, double rhs);
  Derivative power(Value base, int64_t exponent);

  PayloadAnalysis analysis;
  std::optional<AffinePart> part;
  Location loc;
  Block block;
  OpBuilder b;
  SmallVector<Value> arguments;
  DenseMap<Value, Derivative> derivatives;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADDERIVATIVE_H
