//===- PayloadAnalysis.h - Degrees of payload values ------------*- C++ -*-===//
//
// Computes how the scalars in the payload of a LinalgOp depend on a state
// (their degrees), from how its operands do.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns the value of a floating-point constant, looking through an
/// extension.
std::optional<double> getConstant(Value value);

/// The largest degree of a polynomial that is repaired. The repair needs one
/// derivative for each degree.
constexpr int kMaxPolynomialDegree = 4;

/// How a scalar of the payload depends on the state:
/// - Invariant: not at all;
/// - Any: it is 0, which any scaling leaves as it is;
/// - StateDependent: by the degree `repair`;
/// - Other: in some other way.
struct Degree {
  enum Form { Invariant, Any, StateDependent, Other } form = Invariant;
  RepairDegree repair;
  /// As in StateDependentValue (Repair.h).
  bool isRounded = false, isCompared = false, isSigned = false;
  /// For `Other`: the op that computed it from a polynomial, if there is one.
  Operation *culprit = nullptr;
  /// For an affine value: the iteration dimensions along which its constant
  /// term may vary.
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
  /// Returns whether the value, or a part of it, is scaled.
  bool isMultiplied() const { return isScale() || isAffine(); }
  bool isAdd() const {
    return form == StateDependent && repair.kind == RepairKind::Add;
  }
  bool isPolynomial() const {
    return form == StateDependent && repair.kind == RepairKind::Polynomial;
  }
  /// Returns whether the value changes by adding a polynomial in the change of
  /// the state.
  bool isShift() const { return isAdd() || isPolynomial(); }
  /// Returns the degree of that polynomial; 0 for a value that does not depend
  /// on the state.
  double getPolynomialDegree() const {
    return isPolynomial() ? repair.coefficient : isAdd() ? 1.0 : 0.0;
  }
  /// Returns the coefficient of the degree; 0 for a value that does not depend
  /// on the state.
  double getCoefficient() const {
    return form == StateDependent ? repair.coefficient : 0.0;
  }
  /// For `Other`: returns text to append to the reason of a refusal.
  std::string explain() const;
};

/// Computes the degrees of the values in the payload of an op, some of whose
/// operands are state-dependent.
class PayloadAnalysis {
public:
  /// Analyses the payload of `op`, except the op `skipped`.
  PayloadAnalysis(linalg::LinalgOp op,
                  ArrayRef<StateDependentOperand> stateDependent,
                  Operation *skipped = nullptr);

  Degree get(Value value) const;

private:
  void addOperand(linalg::LinalgOp op, const StateDependentOperand &operand);
  Degree compute(Operation *op) const;
  Degree computeStateDependent(Operation *op) const;
  Degree computeSum(Operation *op, double sign) const;
  Degree computeProduct(Operation *op, double sign) const;
  Degree computePower(Operation *op, double exponent) const;
  Degree computeSelect(arith::SelectOp select) const;
  Degree requirePositive(Operation *op, Degree degree) const;
  Degree addConstants(Value lhs, Value rhs) const;
  llvm::SmallBitVector getDims(Value value) const;
  bool isQuotient(Value value) const;

  unsigned numLoops;
  DenseMap<Value, Degree> degrees;
  /// For each value of the payload: the iteration dimensions along which it
  /// varies.
  DenseMap<Value, llvm::SmallBitVector> dims;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAYLOADANALYSIS_H
