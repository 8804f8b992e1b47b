//===- MathFunctions.h - Expansions of math functions -----------*- C++ -*-===//
//
// Expands math functions of f32 and f64 to arithmetic. Arguments are scalars or
// vectors. docs/Math.md lists the errors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_MATHFUNCTIONS_H
#define MLIR_EXT_LIB_TARGET_GPU_MATHFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::linalg_ext {

/// Functions of f32.
struct MathF32 {
  static Value sin(ImplicitLocOpBuilder &b, Value x);
  static Value cos(ImplicitLocOpBuilder &b, Value x);
  static Value tan(ImplicitLocOpBuilder &b, Value x);
  static Value exp(ImplicitLocOpBuilder &b, Value x);
  static Value expm1(ImplicitLocOpBuilder &b, Value x);
  static Value log(ImplicitLocOpBuilder &b, Value x);
  static Value log2(ImplicitLocOpBuilder &b, Value x);
  static Value log10(ImplicitLocOpBuilder &b, Value x);
  static Value log1p(ImplicitLocOpBuilder &b, Value x);
  static Value erf(ImplicitLocOpBuilder &b, Value x);
};

/// Functions of f64.
struct MathF64 {
  static Value exp(ImplicitLocOpBuilder &b, Value x);
  static Value exp2(ImplicitLocOpBuilder &b, Value x);
  static Value expm1(ImplicitLocOpBuilder &b, Value x);
  static Value log(ImplicitLocOpBuilder &b, Value x);
  static Value log2(ImplicitLocOpBuilder &b, Value x);
  static Value log10(ImplicitLocOpBuilder &b, Value x);
  static Value log1p(ImplicitLocOpBuilder &b, Value x);
  static Value sinh(ImplicitLocOpBuilder &b, Value x);
  static Value cosh(ImplicitLocOpBuilder &b, Value x);
  static Value tanh(ImplicitLocOpBuilder &b, Value x);
  static Value asinh(ImplicitLocOpBuilder &b, Value x);
  static Value acosh(ImplicitLocOpBuilder &b, Value x);
  static Value atanh(ImplicitLocOpBuilder &b, Value x);
  static Value cbrt(ImplicitLocOpBuilder &b, Value x);
  static Value rsqrt(ImplicitLocOpBuilder &b, Value x);
  /// The errors of these functions are small enough for results that are
  /// rounded to f32.
  static Value asin(ImplicitLocOpBuilder &b, Value x);
  static Value acos(ImplicitLocOpBuilder &b, Value x);
  static Value atan(ImplicitLocOpBuilder &b, Value x);
  static Value atan2(ImplicitLocOpBuilder &b, Value y, Value x);
  /// x to the power of y. Its error is small enough for a result that is
  /// rounded to f32.
  static Value pow(ImplicitLocOpBuilder &b, Value x, Value y);
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_MATHFUNCTIONS_H
