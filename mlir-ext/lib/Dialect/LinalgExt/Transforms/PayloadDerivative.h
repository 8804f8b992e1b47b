//===- PayloadDerivative.h - Derivatives of payloads ------------*- C++ -*-===//
//
// Differentiates the payload of a LinalgOp in forward mode, with respect to the
// measure of a state. The degrees of the payload tell which values do not
// change and which change by a constant. All others are sums, products,
// quotients with a divisor that does not change, powers, selects and casts, and
// are differentiated by a rule for each op. The parts of affine values are
// found in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADDERIVATIVE_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADDERIVATIVE_H

#include "PayloadAnalysis.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::linalg_ext {

/// The derivative, or a part, of a scalar. It is `value` or, if that is null,
/// `constant`.
struct Derivative {
  double constant = 0.0;
  Value value;

  bool isZero() const { return !value && constant == 0.0; }
};

/// Differentiates the payload of `op`, or finds a part of its values. New ops
/// are built in a block that belongs to no op and dies with this object.
class PayloadDerivative {
public:
  PayloadDerivative(linalg::LinalgOp op, Operation *combiner,
                    ArrayRef<OperandTangent> operands);
  PayloadDerivative(linalg::LinalgOp op, Operation *combiner, AffinePart part,
                    ArrayRef<OperandPart> operands);

  Degree getDegree(Value value) const { return analysis.get(value); }
  /// Returns the derivative of a value that does not change, that is shifted or
  /// that is a polynomial. If this object was made for a part, returns that
  /// part of a value that does not change, that scales or that is affine.
  Derivative get(Value value);

  /// Returns the argument of the block that stands for operand `i` of
  /// `operands`, or null if its derivative or part is a constant.
  Value getArgument(size_t i) const { return arguments[i]; }
  Block &getBlock() { return block; }

  /// Returns the derivative as a scalar of type `type`.
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
