//===- ErrorBound.cpp - How far a program may be from the oracle ----------===//
//
// See ErrorBound.h for the analysis.
//
//===----------------------------------------------------------------------===//

#include "ErrorBound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace oracle;

static constexpr double kInf = std::numeric_limits<double>::infinity();

double oracle::gamma(double n, double unitRoundoff) {
  double nu = n * unitRoundoff;
  return nu < 1 ? nu / (1 - nu) : kInf;
}

double oracle::getUnderflow(DType type) {
  FloatFormat format = getFormat(type);
  return type <= DType::F16 ? format.smallestSubnormal : format.smallestNormal;
}

/// The number of terms that one output element of a contraction sums.
static double getNumTerms(const Einsum &e, const Tensor &lhs,
                          const Tensor &rhs) {
  double n = 1;
  for (char letter : e.reduced) {
    size_t at = e.lhs.find(letter);
    n *=
        at != std::string::npos ? lhs.shape[at] : rhs.shape[e.rhs.find(letter)];
  }
  return n;
}

/// Adds one rounding to `type` to each element.
static void roundOnce(Bounded &x, DType type) {
  FloatFormat format = getFormat(type);
  for (int64_t i = 0; i < x.value.size(); ++i) {
    double magnitude = std::fabs(x.value.data[i]);
    double &error = x.error.data[i];
    if (!std::isfinite(magnitude))
      continue;
    // Exact zeros (a masked weight) stay exact.
    if (magnitude == 0 && error == 0)
      continue;
    error += format.unitRoundoff * (magnitude + error) + getUnderflow(type);
    if (!(magnitude + error <= format.largest))
      error = kInf;
  }
}

Bounded oracle::cast(const Bounded &x, DType type) {
  Bounded out = x;
  roundOnce(out, type);
  return out;
}

static double magnitudePlusError(const Bounded &x, int64_t i) {
  return std::fabs(x.value.data[i]) + x.error.data[i];
}

Bounded oracle::contract(const std::string &einsum, const Bounded &lhs,
                         const Bounded &rhs, DType type, int64_t repairs) {
  Einsum e(einsum);
  FloatFormat format = getFormat(type);
  double n = getNumTerms(e, lhs.value, rhs.value);
  Bounded out(contract(einsum, lhs.value, rhs.value), Tensor());
  Tensor absLhs = map(lhs.value, [](double v) { return std::fabs(v); });
  Tensor absRhs = map(rhs.value, [](double v) { return std::fabs(v); });
  Tensor grownLhs = absLhs, grownRhs = absRhs;
  for (int64_t i = 0; i < grownLhs.size(); ++i)
    grownLhs.data[i] = magnitudePlusError(lhs, i);
  for (int64_t i = 0; i < grownRhs.size(); ++i)
    grownRhs.data[i] = magnitudePlusError(rhs, i);
  // (|a| + e_a)(|b| + e_b) - |a| |b| = |a| e_b + e_a |b| + e_a e_b, as two sums
  // without cancellation.
  Tensor fromRhs = contract(einsum, absLhs, rhs.error);
  Tensor fromLhs = contract(einsum, lhs.error, grownRhs);
  Tensor grown = contract(einsum, grownLhs, grownRhs);
  out.error = Tensor(out.value.shape);
  double operations = n + 1 + 2.0 * repairs;
  double g = gamma(operations, format.unitRoundoff);
  for (int64_t i = 0; i < out.error.size(); ++i) {
    out.error.data[i] = fromRhs.data[i] + fromLhs.data[i] + g * grown.data[i] +
                        operations * getUnderflow(type);
    if (!(grown.data[i] <= format.largest))
      out.error.data[i] = kInf;
  }
  return out;
}

Bounded oracle::addInit(const Bounded &x, const Tensor &init, DType type,
                        int64_t numTerms) {
  Bounded out = x;
  double g =
      gamma(static_cast<double>(numTerms) + 1, getFormat(type).unitRoundoff);
  for (int64_t i = 0; i < x.value.size(); ++i) {
    out.value.data[i] += init.data[i];
    out.error.data[i] += g * std::fabs(init.data[i]);
  }
  roundOnce(out, type);
  return out;
}

Bounded oracle::multiply(const Bounded &x, double factor, DType type) {
  Bounded out = x;
  for (int64_t i = 0; i < x.value.size(); ++i) {
    out.value.data[i] *= factor;
    out.error.data[i] *= std::fabs(factor);
  }
  roundOnce(out, type);
  return out;
}

Bounded oracle::tanh(const Bounded &x, DType type) {
  double u = getFormat(type).unitRoundoff;
  Bounded out = x;
  for (int64_t i = 0; i < x.value.size(); ++i) {
    double value = x.value.data[i], error = x.error.data[i];
    double result = std::tanh(value);
    // The derivative, 1 - tanh^2, is largest nearest to 0.
    double nearest = std::tanh(std::max(std::fabs(value) - error, 0.0));
    out.value.data[i] = result;
    double propagated = error * (1 - nearest * nearest);
    out.error.data[i] = propagated +
                        kTanhUlps * u * (std::fabs(result) + propagated) +
                        getUnderflow(type);
    // 0 inf where the error is infinite and the slope 0.
    if (!(out.error.data[i] <= 2))
      out.error.data[i] = std::isnan(value) ? 0 : 2;
  }
  return out;
}

Bounded oracle::rearrange(const Bounded &x, const std::string &xDims,
                          const std::string &outDims, const Shape &sizes) {
  return Bounded(rearrange(x.value, xDims, outDims, sizes),
                 rearrange(x.error, xDims, outDims, sizes));
}

Bounded oracle::add(const Bounded &x, const std::string &xDims,
                    const Bounded &y, const std::string &yDims, DType type) {
  Bounded out = x;
  Bounded spread = rearrange(y, yDims, xDims, x.value.shape);
  for (int64_t i = 0; i < x.value.size(); ++i) {
    out.value.data[i] += spread.value.data[i];
    out.error.data[i] += spread.error.data[i];
  }
  roundOnce(out, type);
  // A masked score is -inf, whatever the error of the score.
  for (int64_t i = 0; i < x.value.size(); ++i)
    if (std::isinf(out.value.data[i]))
      out.error.data[i] = 0;
  return out;
}

Bounded oracle::product(const Bounded &x, const std::string &xDims,
                        const Bounded &y, const std::string &yDims,
                        DType type) {
  Bounded out = x;
  Bounded spread = rearrange(y, yDims, xDims, x.value.shape);
  for (int64_t i = 0; i < x.value.size(); ++i) {
    double a = x.value.data[i], b = spread.value.data[i];
    double ea = x.error.data[i], eb = spread.error.data[i];
    out.value.data[i] = a * b;
    out.error.data[i] = std::fabs(a) * eb + ea * std::fabs(b) + ea * eb;
  }
  roundOnce(out, type);
  return out;
}

Bounded oracle::apply(const Bounded &x, DType type, double ulps,
                      const std::function<double(double)> &f,
                      const std::function<double(double, double)> &spread) {
  Bounded out = x;
  double u = getFormat(type).unitRoundoff;
  for (int64_t i = 0; i < x.value.size(); ++i) {
    double value = f(x.value.data[i]);
    out.value.data[i] = value;
    if (!std::isfinite(value)) {
      out.error.data[i] = 0;
      continue;
    }
    double error = spread(x.value.data[i], x.error.data[i]);
    out.error.data[i] = error + ulps * u * (std::fabs(value) + error);
  }
  roundOnce(out, type);
  return out;
}

Bounded oracle::maskOut(const Bounded &x, const std::string &xDims,
                        const Tensor &keep, const std::string &keepDims) {
  Bounded out = x;
  Tensor spread = rearrange(keep, keepDims, xDims, x.value.shape);
  for (int64_t i = 0; i < x.value.size(); ++i)
    if (spread.data[i] == 0) {
      out.value.data[i] = -kInf;
      out.error.data[i] = 0;
    }
  return out;
}

/// What the rows of an online softmax have in common.
namespace {
struct RowAnalysis {
  Tensor delta;  ///< e_j + u |d_j| + ...; 0 for masked elements.
  Tensor logSum; ///< log S, without the dim.
  double theta;  ///< The gamma of the roundings.
};
} // namespace

/// By how much more the form may change the exponent of `value`.
static double getSpread(ExpForm form, double value, double max, double u) {
  if (form == ExpForm::OfDifference)
    return 0;
  double difference = std::fabs(value - max);
  double rounded =
      u * (difference + 4 * std::max(std::fabs(value), std::fabs(max)));
  constexpr double kHuge = 134217728; // 2^27
  return std::fabs(max) < kHuge
             ? rounded
             : std::max(rounded, (1 - std::log(2.0)) * difference);
}

static RowAnalysis analyzeRows(const Bounded &x, int64_t dim, DType state,
                               int64_t steps, const SoftmaxResult &exact,
                               ExpForm form) {
  double u = getFormat(state).unitRoundoff;
  RowAnalysis rows{Tensor(x.value.shape), Tensor(exact.max.shape), 0.0};
  Tensor upper(exact.max.shape), lower(exact.max.shape);
  forEachIndex(x.value.shape, [&](const Index &index) {
    Index row = index;
    row.erase(row.begin() + dim);
    double value = x.value.at(index), max = exact.max.at(row);
    if (value == -kInf || !std::isfinite(max))
      return;
    double delta = x.error.at(index) +
                   u * (std::fabs(value - max) + 2 * x.error.at(index)) +
                   getSpread(form, value, max, u);
    rows.delta.at(index) = delta;
    double weight = exact.result.at(index);
    // 0 * inf must not poison a row whose far elements do not matter.
    if (weight == 0)
      return;
    upper.at(row) += weight * std::exp(delta);
    lower.at(row) += weight * std::exp(-delta);
  });
  for (int64_t i = 0; i < rows.logSum.size(); ++i)
    if (upper.data[i] > 0)
      rows.logSum.data[i] =
          std::max(std::log(upper.data[i]), -std::log(lower.data[i]));
  double n = static_cast<double>(x.value.shape[dim]);
  rows.theta = gamma(n + 2 * kExpUlps + 3 +
                         2 * (kExpUlps + 3) * static_cast<double>(steps - 1),
                     u);
  return rows;
}

Bounded oracle::softmax(const Bounded &x, int64_t dim, DType state, DType type,
                        int64_t steps, ExpForm form) {
  SoftmaxResult exact = softmax(x.value, dim);
  RowAnalysis rows = analyzeRows(x, dim, state, steps, exact, form);
  double n = static_cast<double>(x.value.shape[dim]);
  double underflow = n * getUnderflow(state);
  Bounded out(exact.result, Tensor(x.value.shape));
  forEachIndex(x.value.shape, [&](const Index &index) {
    Index row = index;
    row.erase(row.begin() + dim);
    // Masked elements, and rows that are masked or NaN throughout.
    if (x.value.at(index) == -kInf || !std::isfinite(exact.max.at(row)))
      return;
    double p = exact.result.at(index);
    double exponent = rows.delta.at(index) + rows.logSum.at(row) + rows.theta;
    // p = 0 in f64 while the program may still be off by its large error.
    double logP = p > 0 ? std::log(p) : x.value.at(index) - exact.max.at(row);
    double largest = std::min(1.0, std::exp(logP + exponent));
    double error = std::max(largest - p, -p * std::expm1(-exponent));
    // Rounding carries even a weight of 1 a little beyond it.
    out.error.at(index) = error + p * rows.theta + underflow;
  });
  roundOnce(out, type);
  return out;
}

BoundedState oracle::softmaxState(const Bounded &x, int64_t dim, DType state,
                                  int64_t steps, ExpForm form) {
  SoftmaxResult exact = softmax(x.value, dim);
  RowAnalysis rows = analyzeRows(x, dim, state, steps, exact, form);
  BoundedState out{Bounded(exact.max), Bounded(exact.sum)};
  // |max(x + e) - max x| <= max |e|. The sum is relative to the program's own
  // maximum, hence off by another factor e^|m^ - m|.
  forEachIndex(x.value.shape, [&](const Index &index) {
    Index row = index;
    row.erase(row.begin() + dim);
    if (x.value.at(index) != -kInf)
      out.max.error.at(row) =
          std::max(out.max.error.at(row), x.error.at(index));
  });
  double n = static_cast<double>(x.value.shape[dim]);
  for (int64_t i = 0; i < exact.sum.size(); ++i)
    if (std::isfinite(exact.max.data[i]))
      out.sum.error.data[i] =
          exact.sum.data[i] * std::expm1(rows.logSum.data[i] +
                                         out.max.error.data[i] + rows.theta) +
          n * getUnderflow(state);
  return out;
}

Comparison oracle::compare(const Tensor &got, const Bounded &want) {
  Comparison result;
  std::ostringstream message;
  auto fail = [&](const Index &index, double g, double w, double bound) {
    if (!result.ok)
      return;
    result.ok = false;
    message << "element [";
    for (size_t i = 0; i < index.size(); ++i)
      message << (i ? ", " : "") << index[i];
    message.precision(17);
    message << "]: expected " << w << " +- " << bound << ", got " << g;
    result.message = message.str();
  };
  if (got.shape != want.value.shape) {
    result.ok = false;
    message << "expected shape";
    for (int64_t size : want.value.shape)
      message << " " << size;
    message << ", got";
    for (int64_t size : got.shape)
      message << " " << size;
    result.message = message.str();
    return result;
  }
  double largest = 0, largestBound = 0;
  forEachIndex(got.shape, [&](const Index &index) {
    double g = got.at(index), w = want.value.at(index),
           bound = want.error.at(index);
    if (bound < 0)
      return;
    if (std::isnan(w) || std::isinf(w)) {
      if (std::isnan(w) ? !std::isnan(g) : g != w)
        fail(index, g, w, bound);
      return;
    }
    if (!std::isfinite(bound)) { // The format may overflow here.
      result.looseness = kInf;
      return;
    }
    if (!std::isfinite(g)) {
      fail(index, g, w, bound);
      return;
    }
    double difference = std::fabs(g - w);
    // The f64 oracle itself errs by a few units of its own rounding.
    double allowed = bound + 64 * std::ldexp(1.0, -53) * std::fabs(w);
    largest = std::max(largest, std::fabs(w));
    largestBound = std::max(largestBound, allowed);
    if (difference > allowed)
      fail(index, g, w, allowed);
    if (difference > 0)
      result.worstRatio = std::max(result.worstRatio, difference / allowed);
  });
  if (largest > 0)
    result.looseness = std::max(result.looseness, largestBound / largest);
  return result;
}
