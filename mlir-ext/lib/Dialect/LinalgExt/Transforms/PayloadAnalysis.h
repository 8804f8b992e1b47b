//===- PayloadAnalysis.h - How payloads follow a state ----------*- C++ -*-===//
//
// The degrees of the scalars that the payload of a LinalgOp computes, given
// those of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

/// The number that `value` is, maybe after it was widened.
std::optional<double> getConstant(Value value);

/// Of a polynomial that is repaired: it takes as many derivatives.
constexpr int kMaxPolynomialDegree = 4;

/// How a scalar of the payload depends on the state: not at all, by a degree,
/// in any way at all (a zero, which scales to itself), or in some other way.
struct Degree {
  enum Form { Invariant, Any, StateDependent, Other } form = Invariant;
  RepairDegree repair;
  bool isRounded = false, isCompared = false, isSigned = false;
  /// Of an `Other`: the op that made it of a polynomial, if there is one.
  Operation *culprit = nullptr;
  /// Of an affine value: the iteration dimensions along which its constant term
  /// varies, or may.
  llvm::SmallBitVector constantDims = {};

  static Degree other() { return {Other, {}}; }
  static Degree polynomial(double degree) {
    if (degree > kMaxPolynomialDegree)
      return other();
    return stateDependent(RepairKind::Polynomial, degree);
  }
  static Degree stateDependent(RepairKind kind, double coefficient) {
    if (coefficient == 0.0)
      return {Invariant, {}};
    return {StateDependent, {kind, coefficient}};
  }
  static Degree affine(double coefficient, llvm::SmallBitVector constantDims) {
    Degree degree = stateDependent(RepairKind::Affine, coefficient);
    degree.constantDims = std::move(constantDims);
    return degree;
  }
  bool isInvariant() const { return form == Invariant || form == Any; }
  bool isScale() const {
    return form == StateDependent && repair.kind == RepairKind::Scale;
  }
  bool isAffine() const {
    return form == StateDependent && repair.kind == RepairKind::Affine;
  }
  /// It is scaled, or a part of it is.
  bool isMultiplied() const { return isScale() || isAffine(); }
  bool isAdd() const {
    return form == StateDependent && repair.kind == RepairKind::Add;
  }
  bool isPolynomial() const {
    return form == StateDependent && repair.kind == RepairKind::Polynomial;
  }
  /// What adds to the value is a polynomial in how far the state moved.
  bool isShift() const { return isAdd() || isPolynomial(); }
  /// The degree of that polynomial, 0 for a value that does not depend on the
  /// state.
  double getPolynomialDegree() const {
    return isPolynomial() ? repair.coefficient : isAdd() ? 1.0 : 0.0;
  }
  /// The exponent, 0 for a value that does not depend on the state.
  double getCoefficient() const {
    return form == StateDependent ? repair.coefficient : 0.0;
  }
  /// What to append to the reason why an `Other` is refused.
  std::string explain() const;
};

/// The payload of an op some of whose operands are state-dependent. Computes
/// the degrees of its values.
class PayloadAnalysis {
public:
  /// The op `skipped` is not looked into.
  PayloadAnalysis(linalg::LinalgOp op,
                  ArrayRef<StateDependentOperand> stateDependent,
                  Operation *skipped = nullptr);

  Degree get(Value value) const;

private:
  void addOperand(linalg::LinalgOp op, const StateDependentOperand &operand);
  Degree compute(Operation *op) const;
  Degree computeStateDependent(Operation *op) const;
  Degree addConstants(Value lhs, Value rhs) const;
  llvm::SmallBitVector getDims(Value value) const;
  bool isQuotient(Value value) const;

  unsigned numLoops;
  DenseMap<Value, Degree> degrees;
  /// The iteration dimensions along which values of the payload vary.
  DenseMap<Value, llvm::SmallBitVector> dims;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H
