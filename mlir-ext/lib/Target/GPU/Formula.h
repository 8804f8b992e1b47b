//===- Formula.h - Operators that build arithmetic IR -----------*- C++ -*-===//
//
// Overloads C++ operators for a `Term`, a scalar or vector value, such that an
// expression of terms builds the arith and math ops of a formula.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_FORMULA_H
#define MLIR_EXT_LIB_TARGET_GPU_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace mlir::linalg_ext::formula {

using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// A value in a formula. `real` and `integer` create constants of its type.
struct Term {
  ImplicitLocOpBuilder *b;
  Value value;

  operator Value() const { return value; }
  Type getType() const { return value.getType(); }
  Term with(Value other) const { return {b, other}; }
  /// Returns the type of this term with the element type `element`.
  Type getTypeOf(Type element) const {
    if (auto vector = dyn_cast<VectorType>(getType()))
      return vector.clone(element);
    return element;
  }
  bool isFloat() const {
    return isa<FloatType>(getElementTypeOrSelf(getType()));
  }
  Term real(double number) const {
    FloatAttr attr = b->getFloatAttr(getElementTypeOrSelf(getType()), number);
    return with(createScalarOrSplatConstant(*b, b->getLoc(), getType(),
                                            attr.getValue()));
  }
  Term integer(int64_t number) const {
    unsigned bits = getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
    APInt bitsOfNumber(bits, number, /*isSigned=*/true, /*implicitTrunc=*/true);
    return with(
        createScalarOrSplatConstant(*b, b->getLoc(), getType(), bitsOfNumber));
  }
  Term bits() const {
    unsigned width = getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
    return with(arith::BitcastOp::create(
        *b, getTypeOf(b->getIntegerType(width)), value));
  }
  /// Bitcasts an integer of 32 or 64 bits to f32 or f64.
  Term asReal() const {
    bool isWide = getElementTypeOrSelf(getType()).isInteger(64);
    return with(arith::BitcastOp::create(
        *b, getTypeOf(isWide ? Type(b->getF64Type()) : b->getF32Type()),
        value));
  }
  Term toReal(Type element) const {
    return with(arith::SIToFPOp::create(*b, getTypeOf(element), value));
  }
};

inline Term operator+(Term x, Term y) {
  return x.with(x.isFloat() ? arith::AddFOp::create(*x.b, x, y).getResult()
                            : arith::AddIOp::create(*x.b, x, y).getResult());
}
inline Term operator-(Term x, Term y) {
  return x.with(x.isFloat() ? arith::SubFOp::create(*x.b, x, y).getResult()
                            : arith::SubIOp::create(*x.b, x, y).getResult());
}
inline Term operator*(Term x, Term y) {
  return x.with(x.isFloat() ? arith::MulFOp::create(*x.b, x, y).getResult()
                            : arith::MulIOp::create(*x.b, x, y).getResult());
}
inline Term operator/(Term x, Term y) {
  return x.with(arith::DivFOp::create(*x.b, x, y));
}
inline Term operator+(Term x, double y) { return x + x.real(y); }
inline Term operator-(Term x, double y) { return x - x.real(y); }
inline Term operator*(Term x, double y) { return x * x.real(y); }
inline Term operator-(Term x) { return x.with(arith::NegFOp::create(*x.b, x)); }
inline Term operator<<(Term x, int64_t by) {
  return x.with(arith::ShLIOp::create(*x.b, x, x.integer(by)));
}
/// Arithmetic (signed) shift to the right.
inline Term operator>>(Term x, int64_t by) {
  return x.with(arith::ShRSIOp::create(*x.b, x, x.integer(by)));
}
inline Term operator&(Term x, int64_t mask) {
  return x.with(arith::AndIOp::create(*x.b, x, x.integer(mask)));
}
inline Term fma(Term x, Term y, Term z) {
  return x.with(math::FmaOp::create(*x.b, x, y, z));
}
inline Term fma(Term x, double y, Term z) { return fma(x, x.real(y), z); }
inline Term fma(Term x, Term y, double z) { return fma(x, y, x.real(z)); }
inline Term abs(Term x) { return x.with(math::AbsFOp::create(*x.b, x)); }
inline Term copysign(Term x, Term sign) {
  return x.with(math::CopySignOp::create(*x.b, x, sign));
}
inline Term sqrt(Term x) { return x.with(math::SqrtOp::create(*x.b, x)); }
inline Term truncate(Term x) { return x.with(math::TruncOp::create(*x.b, x)); }
inline Term compare(CmpFPredicate predicate, Term x, Term y) {
  return x.with(arith::CmpFOp::create(*x.b, predicate, x, y));
}
inline Term compare(CmpFPredicate predicate, Term x, double y) {
  return compare(predicate, x, x.real(y));
}
inline Term isNotZero(Term x) {
  return x.with(
      arith::CmpIOp::create(*x.b, CmpIPredicate::ne, x, x.integer(0)));
}
inline Term operator&&(Term x, Term y) {
  return x.with(arith::AndIOp::create(*x.b, x, y));
}
inline Term select(Term condition, Term x, Term y) {
  return x.with(arith::SelectOp::create(*x.b, condition, x, y));
}
inline Term select(Term condition, double x, Term y) {
  return select(condition, y.real(x), y);
}
/// Returns min(max(x, low), high). Propagates NaN.
inline Term clamp(Term x, double low, double high) {
  x = x.with(arith::MaximumFOp::create(*x.b, x, x.real(low)));
  return x.with(arith::MinimumFOp::create(*x.b, x, x.real(high)));
}
/// Returns the sum of coefficients[i] x^(n - i), where n is the degree.
inline Term polynomial(Term x, ArrayRef<double> coefficients) {
  Term sum = x.real(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, coefficient);
  return sum;
}

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Corrects `result`, a logarithm of `x`, for special values of `x`: infinity
/// and NaN give `x`, 0 gives -infinity, and a negative `x` gives NaN.
inline Term fixLogarithm(Term x, Term result) {
  result = select(compare(CmpFPredicate::ULT, x, kInfinity), result, x);
  result = select(compare(CmpFPredicate::OEQ, x, 0), -kInfinity, result);
  result = select(compare(CmpFPredicate::OLT, x, 0), kNaN, result);
  return select(compare(CmpFPredicate::UNO, x, x), x, result);
}

} // namespace mlir::linalg_ext::formula

#endif // MLIR_EXT_LIB_TARGET_GPU_FORMULA_H
