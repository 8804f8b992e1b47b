//===- Enclosure.h - What a program may return ------------------*- C++ -*-===//
//
// Evaluates a function of upstream's ops in f64, straight from the definition
// of each op, together with an interval that what a correct program returns
// lies in. The intervals come from the program and its inputs alone: nothing of
// them was chosen by looking at what a lowering returns.
//
// Every number x of a format with unit roundoff u is an interval. An op first
// combines intervals exactly, and then widens the result by what it may err:
//
//   negation, max, min, abs, select, conversions to wider formats   nothing
//   x y                            u |x y|
//   x + y, x - y                   3 u (|x| + |y|): sums may be reassociated
//   and
//                                  factors moved across them
//   x / y, sqrt, rsqrt             4 u relative: approximate instructions
//   exp x                          u (8 + 2 |x|) relative: x is scaled by
//   log2(e) log x                          8 u relative and absolute tanh x,
//   erf x                  8 u relative sin x, cos x                   u (8 + 2
//   |x|) absolute pow(x, y)                      u (16 + 8 |y log x|) relative
//   conversions to narrower formats, constants of a format: u relative
//
// and each by the smallest normal number for what is flushed to zero
// (ErrorBound.h). A sum over n elements, x_1 + ... + x_n, errs by at most
// gamma(n - 1) sum |x_i| in any order (Higham, chapter 4). Where a reduction is
// online its terms are, in addition, multiplied by at most one factor an
// iteration, which is an exponential: an iteration takes at least 16 elements
// but for the last, and ErrorBound.h allows 22 u for it. Together that is less
// than (3 n + 64) u sum |x_i|, which each term x_i gets its part of. Formats
// that are narrower than f32 are not multiplied so, as the state of an online
// reduction is at least f32: there it is (n + 2) u.
//
// A comparison of intervals that overlap is undecided; a select by it may be
// either. An undecided number that is not floating point is any number at all.
// What is 0 times infinity, or divided by an interval with 0 in it, is
// anything, NaN included.
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

namespace linalg_ext_test {

/// A number of a program, and where it may be. NaN, where all three are; NaN or
/// any number, where the interval is unbounded on both sides.
struct Enclosed {
  double value = 0, low = 0, high = 0;

  Enclosed() = default;
  /*implicit*/ Enclosed(double value) : value(value), low(value), high(value) {}
  Enclosed(double value, double low, double high);
  static Enclosed unknown(double value);

  bool isExact() const;
  bool isUnknown() const;
  bool isNaN() const;
};

/// What one op on scalars does. The flag of an operand says that it is the
/// accumulator of a reduction over `numTerms` elements (0: none is).
using EnclosedRule = std::function<Enclosed(llvm::ArrayRef<Enclosed> operands,
                                            int accumulator, int64_t numTerms)>;

/// The rule of an op of arith or math with one result; none for others.
std::optional<EnclosedRule> getEnclosedRule(mlir::Operation *op);

/// The part of a term of size at most `magnitude` in the error of a sum.
double getTermError(mlir::Type type, int64_t numTerms, double magnitude);

/// Tensors of the numbers and their intervals.
struct EnclosedTensor {
  oracle::Tensor value, low, high;
};

/// How far what a program returned is from where it may be.
struct EnclosureComparison {
  bool ok = true;
  /// The largest distance from the value, by that of the bound.
  double worstRatio = 0;
  /// Of the elements, the part that the interval says something of: it is
  /// narrower than a quarter of the largest value, or the value is exact.
  double informative = 1;
  std::string message;
};
EnclosureComparison compare(const oracle::Tensor &got,
                            const EnclosedTensor &want);

struct Evaluation {
  std::string error;
  std::vector<EnclosedTensor> results;
  /// Arguments that are memrefs, after the function; tensors as they were.
  std::vector<EnclosedTensor> arguments;

  bool ok() const { return error.empty(); }
};

/// Brings what `evaluate` takes no account of into a form that it does, by
/// upstream's own patterns: named ops become generics, aggregated ops their
/// parts, elementwise ops on tensors generics.
mlir::LogicalResult prepareForEvaluation(mlir::ModuleOp module);

/// Evaluates `function`, of a module that has been prepared.
Evaluation evaluate(mlir::func::FuncOp function,
                    llvm::ArrayRef<oracle::Tensor> inputs);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSURE_H
