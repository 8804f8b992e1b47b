//===- ErrorBound.h - How far a program may be from the oracle --*- C++ -*-===//
//
// A tensor together with a bound on the distance of what a program computes
// from it. A test evaluates its graph on `Bounded` tensors: the values are the
// oracle's, in f64 and without intermediate rounding; the errors are what
// standard forward error analysis (N. Higham, "Accuracy and Stability of
// Numerical Algorithms", 2nd ed., chapters 2-4) allows for the formats in which
// the program keeps its intermediate values. No constant here was chosen by
// looking at a program's output.
//
// Model: fl(a op b) = (a op b)(1 + e) + f with |e| <= u, the unit roundoff of
// the format, and |f| <= `getUnderflow` of it: the smallest normal number,
// which covers gradual underflow and flushing to zero alike, except in f16,
// whose underflow is always gradual and would otherwise drown small weights.
// exp errs by at most `kExpUlps` units of u. gamma(n) = n u / (1 - n u) bounds
// the product of n factors (1 + e)^(+-1), and hence the relative error of n
// operations in any order: reassociation, tiling and split reductions are all
// covered.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H
#define LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H

#include "Oracle.h"

#include <string>

namespace oracle {

/// What the exponential of the program may err by, in units of u: libm's is
/// within 1 ulp = 2 u, polynomial expansions within a few.
constexpr double kExpUlps = 8;

/// The same of the hyperbolic tangent.
constexpr double kTanhUlps = 8;

/// n u / (1 - n u); infinite where the analysis says nothing.
double gamma(double n, double unitRoundoff);

/// What a result in the subnormal range of `type` may err by.
double getUnderflow(DType type);

struct Bounded {
  Tensor value;
  Tensor error; ///< Absolute, per element, of the shape of `value`.

  Bounded() = default;
  Bounded(Tensor value, Tensor error)
      : value(std::move(value)), error(std::move(error)) {}
  /// Input data: represented exactly.
  /*implicit*/ Bounded(const Tensor &value)
      : value(value), error(value.shape, 0.0) {}
};

/// Stores in `type`: |e'| <= e + u (|x| + e). Where the value could overflow
/// the format the error is infinite.
Bounded cast(const Bounded &x, DType type);

/// Sum of products, accumulated in `type` over n terms, the inputs having been
/// converted to it:
///   sum(|a| e_b + |b| e_a + e_a e_b) + gamma(n + 1) sum (|a| + e_a)(|b| + e_b)
/// `repairs` is the number of times the accumulator is rescaled on the way (one
/// conversion of the factor to `type` and one product each).
Bounded contract(const std::string &einsum, const Bounded &lhs,
                 const Bounded &rhs, DType type, int64_t repairs = 0);

/// x + init where x is a sum of `numTerms` terms that either started from init
/// or was added to it at the end: init takes part in all the additions.
Bounded addInit(const Bounded &x, const Tensor &init, DType type,
                int64_t numTerms);

/// x c, x + y and select(keep, x, -inf), computed in `type`; the letters of y
/// are broadcast to those of x.
Bounded multiply(const Bounded &x, double factor, DType type);
/// tanh x, computed in `type`: |tanh'| <= 1, and decreases away from 0.
Bounded tanh(const Bounded &x, DType type);
Bounded add(const Bounded &x, const std::string &xDims, const Bounded &y,
            const std::string &yDims, DType type);
Bounded maskOut(const Bounded &x, const std::string &xDims, const Tensor &keep,
                const std::string &keepDims);
Bounded rearrange(const Bounded &x, const std::string &xDims,
                  const std::string &outDims, const Shape &sizes);
/// x y, likewise.
Bounded product(const Bounded &x, const std::string &xDims, const Bounded &y,
                const std::string &yDims, DType type);
/// f(x), computed in `type` to within `ulps` units of u. spread(x, e) bounds
/// |f(x') - f(x)| for |x' - x| <= e; infinity says nothing.
Bounded apply(const Bounded &x, DType type, double ulps,
              const std::function<double(double)> &f,
              const std::function<double(double, double)> &spread);

/// Softmax along `dim`, computed in `state` and stored in `type`, online in
/// `steps` tiles (1: not tiled), in any form of the repair.
///
/// With x_j + e_j the computed input and d_j = x_j - max x, the program's
/// weight of j is P_j up to the factor
///
///   e^(e_j + u d_j) (1 + theta) / sum_i P_i e^(e_i + u d_i) (1 + theta)
///
/// - The maximum is exact and cancels: only the rounding of the differences
///   x_j - m remains, at most u |d_j| relative to the exponential. Repairs do
///   not add to it, because the roundings of x_j - m_t, m_t - m_(t+1), ...
///   telescope to u |x_j - m_T|, all terms having one sign.
/// - theta collects, as a gamma in u: the exponential twice (numerator and
/// sum),
///   the n additions of the sum, 3 for division, reciprocal and product, and
///   per further tile 2 (kExpUlps + 3): the factor's exponential, product with
///   the old sum, division and the product with what is repaired, for numerator
///   and sum.
/// - Jensen bounds the sum: both sum P_i e^(delta_i) and 1 / sum P_i
///   e^(-delta_i), with delta_i = e_i + u |d_i|, are at most S.
///
/// so that the relative error is at most exp(delta_j + log S + gamma) - 1, and
/// the absolute one at most that of a number between 0 and 1, plus n
/// underflows.
Bounded softmax(const Bounded &x, int64_t dim, DType state, DType type,
                int64_t steps);

/// The running state after the last tile, by the same analysis.
struct BoundedState {
  Bounded max, sum;
};
BoundedState softmaxState(const Bounded &x, int64_t dim, DType state,
                          int64_t steps);

/// The verdict on one output.
struct Comparison {
  bool ok = true;
  /// The largest |got - want| / bound; a small one says that the bound is
  /// loose.
  double worstRatio = 0;
  /// The largest bound relative to the largest |want|; a large one says that
  /// the test would accept anything.
  double looseness = 0;
  /// On failure: where, what was expected and what came.
  std::string message;
};

/// Each element within its bound; where the oracle is NaN or infinite the
/// program must be, too, and nowhere else. Where the
/// error is negative, nothing is specified: anything goes.
Comparison compare(const Tensor &got, const Bounded &want);

} // namespace oracle

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H
