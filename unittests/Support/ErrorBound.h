//===- ErrorBound.h - Error bounds of a correct program ---------*- C++ -*-===//
//
// A test evaluates its graph on `Bounded` tensors. A `Bounded` tensor has
// values and an error bound for each. The values are those of the oracle, in
// f64 without intermediate rounding. The bounds follow from standard forward
// error analysis (N. Higham, "Accuracy and Stability of Numerical Algorithms",
// 2nd ed., chapters 2-4), for the formats of the intermediate values in the
// program. No constant here was chosen by looking at the output of a program.
//
// Model: fl(a op b) = (a op b)(1 + e) + f. |e| <= u, the unit roundoff of the
// format. |f| <= `getUnderflow` of the format: the smallest normal number,
// which covers both gradual underflow and flushing to zero. For f16 it is the
// smallest subnormal number, because the underflow of f16 is always gradual,
// and small weights may lie below the smallest normal number. exp errs by at
// most `kExpUlps` units of u. gamma(n) = n u / (1 - n u) bounds the product of
// n factors (1 + e)^(+-1), and thus the relative error of n operations in any
// order. It therefore covers reassociation, tiling and split reductions.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H
#define LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H

#include "Oracle.h"

#include <functional>
#include <string>

namespace oracle {

/// Error bound of the exponential in units of u. libm is within 1 ulp = 2 u,
/// and polynomial expansions are within a few.
constexpr double kExpUlps = 8;

/// Error bound of the hyperbolic tangent in units of u.
constexpr double kTanhUlps = 8;

/// Returns n u / (1 - n u), or infinity if n u >= 1.
double gamma(double n, double unitRoundoff);

/// Returns the absolute error bound of a result in the subnormal range of
/// `type`.
double getUnderflow(DType type);

struct Bounded {
  Tensor value;
  Tensor error; ///< Absolute error bounds; same shape as `value`.

  Bounded() = default;
  Bounded(Tensor value, Tensor error)
      : value(std::move(value)), error(std::move(error)) {}
  /// Input data, which is exact.
  /*implicit*/ Bounded(const Tensor &value)
      : value(value), error(value.shape, 0.0) {}
};

/// Conversion to `type`: |e'| <= e + u (|x| + e). The error is infinite if the
/// value could overflow the format.
Bounded cast(const Bounded &x, DType type);

/// Sum of n products. The inputs are converted to `type` and accumulated in it:
///   sum(|a| e_b + |b| e_a + e_a e_b) + gamma(n + 1) sum (|a| + e_a)(|b| + e_b)
/// `repairs` is the number of times that the program rescales the accumulator.
/// Each rescaling adds a conversion of the factor to `type` and a product.
Bounded contract(const std::string &einsum, const Bounded &lhs,
                 const Bounded &rhs, DType type, int64_t repairs = 0);

/// x + init, where x is a sum of `numTerms` terms. The program may start the
/// sum from init or add init at the end. The bound covers both: init takes part
/// in all additions.
Bounded addInit(const Bounded &x, const Tensor &init, DType type,
                int64_t numTerms);

/// x c, x + y, select(keep, x, -inf) and a transposition, computed in `type`.
/// `y` is broadcast to the dimensions of x, which are named by letters.
Bounded multiply(const Bounded &x, double factor, DType type);
/// tanh x, computed in `type`. The slope is at most 1 and decreases away from
/// 0.
Bounded tanh(const Bounded &x, DType type);
Bounded add(const Bounded &x, const std::string &xDims, const Bounded &y,
            const std::string &yDims, DType type);
Bounded maskOut(const Bounded &x, const std::string &xDims, const Tensor &keep,
                const std::string &keepDims);
Bounded rearrange(const Bounded &x, const std::string &xDims,
                  const std::string &outDims, const Shape &sizes);
/// x y, computed in `type`. `y` is broadcast to the dimensions of x.
Bounded product(const Bounded &x, const std::string &xDims, const Bounded &y,
                const std::string &yDims, DType type);
/// f(x), computed in `type` to within `ulps` units of u. spread(x, e) must
/// bound |f(x') - f(x)| for |x' - x| <= e. It may be infinite.
Bounded apply(const Bounded &x, DType type, double ulps,
              const std::function<double(double)> &f,
              const std::function<double(double, double)> &spread);

/// How a program computes the exponentials of a softmax.
enum class ExpForm {
  OfDifference,  ///< e^(x - m)
  ScaledOperands ///< 2^(x c - m c), as kernels for GPUs do; see below.
};

/// Softmax along `dim`, computed in `state` and stored in `type`. The program
/// may compute it online in `steps` tiles (1: not tiled), with any form of the
/// repair.
///
/// Let x_j + e_j be the computed input, d_j = x_j - max x, and P_j the exact
/// weight. The weight in the program is P_j times the factor
///
///   e^(e_j + u d_j) (1 + theta) / sum_i P_i e^(e_i + u d_i) (1 + theta)
///
/// - The maximum is exact and cancels. Only the rounding of the differences
///   x_j - m remains, which is at most u |d_j| relative to the exponential.
///   Repairs do not add to it: all terms have the same sign, so the roundings
///   of x_j - m_t, m_t - m_(t+1), ... telescope to u |x_j - m_T|.
/// - theta is a gamma in u. It counts the exponential twice (for the numerator
///   and for the sum), the n additions of the sum, and 3 for division,
///   reciprocal and product. Each further tile adds 2 (kExpUlps + 3): the
///   exponential of the factor, its product with the old sum, the division, and
///   the product with the repaired value, for the numerator and for the sum.
/// - Jensen's inequality bounds the sum: with delta_i = e_i + u |d_i|, both
///   sum P_i e^(delta_i) and 1 / sum P_i e^(-delta_i) are at most S.
///
/// - With ScaledOperands, c is log2(e) (1 + e) with |e| <= u. That telescopes
///   as the roundings do: u |d_j| more. Each product may be rounded, or fused
///   with the difference: u (|x_j| + |m_t|) more for the maximum m_t
///   of the tile of x_j, and u (|m_t| + |m|) where states of splits are
///   combined. Repairs have a difference first. As x_j <= m_t <= m, the sum is
///   at most u (|d_j| + 4 max(|x_j|, |m|)). If |m| >= 2^27, c may be 1 instead,
///   whose products are exact: (1 - ln 2) |d_j| more.
///
/// The relative error is therefore at most exp(delta_j + log S + gamma) - 1.
/// The absolute error is at most that of a number between 0 and 1, plus n
/// underflows.
Bounded softmax(const Bounded &x, int64_t dim, DType state, DType type,
                int64_t steps, ExpForm form = ExpForm::OfDifference);

/// The running max and sum after the last tile, by the same analysis. The
/// factors that weights have in common cancel there, and are in the sum.
struct BoundedState {
  Bounded max, sum;
};
BoundedState softmaxState(const Bounded &x, int64_t dim, DType state,
                          int64_t steps, ExpForm form = ExpForm::OfDifference);

/// The verdict on one output.
struct Comparison {
  bool ok = true;
  /// The largest |got - want| / bound. A small ratio means that the bound is
  /// loose.
  double worstRatio = 0;
  /// The largest bound divided by the largest |want|. A large value means that
  /// the test would accept any result.
  double looseness = 0;
  /// On failure: the index, the expected value and the actual value.
  std::string message;
};

/// Compares a result with the oracle. Each element must be within its bound.
/// The result must be NaN or infinite where the oracle is, and nowhere else. A
/// negative error marks an unspecified element, and any value is accepted.
Comparison compare(const Tensor &got, const Bounded &want);

} // namespace oracle

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ERRORBOUND_H
