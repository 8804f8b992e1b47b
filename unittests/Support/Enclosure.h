//===- Enclosure.h - Intervals that contain correct results -----*- C++ -*-===//
//
// Evaluates a function of upstream ops in f64, by the definition of each op.
// Also computes an interval for each number. The result of every correct
// lowering lies in its interval. The intervals depend on the program and its
// inputs only. No constant here was chosen by looking at the result of a
// lowering.
//
// Let u be the unit roundoff of the format. An op first combines the intervals
// of its operands exactly. It then widens the result by its error bound:
//
//   negation, max, min, abs, select,   0
//     clamps, copied signs, remainders,
//     conversion to a wider format
//   x y                                u |x y|
//   x + y, x - y                       3 u (|x| + |y|), because sums may be
//                                      reassociated and factors moved across
//                                      them
//   x / y, sqrt x, rsqrt x             4 u relative, for approximate
//                                      instructions
//   exp x                              u (8 + 2 |x|) relative, because x is
//                                      scaled by log2(e)
//   expm1 x                            the same, and 8 u absolute
//   sinh x, cosh x                     the same as exp x; sinh 8 u absolute
//   log x, log2 x, log10 x, log1p x    8 u relative and 8 u absolute
//   erf x, erfc x, the inverses of     8 u relative and 8 u absolute
//     sin, cos, sinh, cosh and tanh
//   tanh x, atan x, atan2, cbrt x      8 u relative
//   sin x, cos x                       u (8 + 2 |x|) absolute
//   tan x                              the same times 1 + tan(x)^2, and 8 u
//                                      relative
//   pow(x, y)                          u (16 + 8 |y log x|) relative
//   conversion to a narrower format,   u relative
//     constant of a format
//
// To this it adds the smallest normal number, for results that are flushed to
// zero (getUnderflow in ErrorBound.h).
//
// A sum x_1 + ... + x_n errs by at most gamma(n - 1) sum |x_i| in any order
// (Higham, chapter 4). An online reduction also multiplies its terms by at most
// one factor in each iteration, an exponential. All iterations but the last
// have at least 16 elements, and ErrorBound.h allows 22 u for each. Together
// this is less than (3 n + 64) u sum |x_i|. Each term x_i is widened by its
// part of it. For formats narrower than f32 the bound is (n + 2) u, because the
// state of an online reduction is at least f32. This holds for what is yielded
// as a sum. A sum that is clamped in each iteration, or that another function
// takes, is rounded there like any other: 3 u (|x| + |y|), where x is the state.
//
// A comparison of overlapping intervals is undecided. A select with an
// undecided condition may return either operand. An integer that depends on an
// inexact number may have any value. The product of 0 and infinity, and a
// quotient by an interval that contains 0, may be any number or NaN.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSURE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSURE_H

#include "Oracle.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// A number of a program and its interval. If all three are NaN, the number is
/// NaN. If the interval is unbounded on both sides, the number is unknown: any
/// number or NaN.
struct Enclosed {
  double value = 0, low = 0, high = 0;
  /// Of a complex number, whose real part this is; kept by the evaluator.
  const Enclosed *imaginary = nullptr;

  Enclosed() = default;
  /*implicit*/ Enclosed(double value) : value(value), low(value), high(value) {}
  Enclosed(double value, double low, double high);
  static Enclosed unknown(double value);

  bool isExact() const;
  bool isUnknown() const;
  bool isNaN() const;
};

/// The evaluation of one op on scalars. `accumulator` is the number of the
/// operand that is the accumulator of a reduction over `numTerms` elements, or
/// negative if there is none.
using EnclosedRule = std::function<Enclosed(llvm::ArrayRef<Enclosed> operands,
                                            int accumulator, int64_t numTerms)>;

/// Returns the rule of each result of an op of arith, math or complex. Empty if
/// there are none.
llvm::SmallVector<EnclosedRule, 1> getEnclosedRules(mlir::Operation *op);

/// Returns the part of one term in the error of a sum of `numTerms` terms in
/// the format `type`. The term is at most `magnitude` in absolute value.
double getTermError(mlir::Type type, int64_t numTerms, double magnitude);

/// Tensors of the numbers and of the bounds of their intervals.
struct EnclosedTensor {
  oracle::Tensor value, low, high;
};

/// The comparison of a result with its intervals.
struct EnclosureComparison {
  bool ok = true;
  /// The largest |got - value| / |bound - value| of all elements.
  double worstRatio = 0;
  /// The fraction of elements with an informative interval. An interval is
  /// informative if half of its width is at most a quarter of the largest
  /// absolute value of the tensor, or if it is a single number.
  double informative = 1;
  std::string message;
};
EnclosureComparison compare(const oracle::Tensor &got,
                            const EnclosedTensor &want);

struct Evaluation {
  std::string error;
  std::vector<EnclosedTensor> results;
  /// The arguments after the run. The function may have written to memrefs.
  std::vector<EnclosedTensor> arguments;

  bool ok() const { return error.empty(); }
};

/// Rewrites ops that `evaluate` does not support, with upstream passes: named
/// ops and elementwise ops on tensors become linalg.generic, aggregated ops are
/// decomposed. Fails if an op cannot be decomposed.
mlir::LogicalResult prepareForEvaluation(mlir::ModuleOp module);

/// Evaluates `function`. Its module must have gone through
/// prepareForEvaluation.
Evaluation evaluate(mlir::func::FuncOp function,
                    llvm::ArrayRef<oracle::Tensor> inputs);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSURE_H
