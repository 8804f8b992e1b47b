//===- ErrorBoundTest.cpp - The error bounds hold, and bite ---------------===//
//
// Programs written here with a rounding after every operation stay within
// their bounds; the classical mistakes of fused attention do not.
//
//===----------------------------------------------------------------------===//

#include "Support/ErrorBound.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace oracle;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static const double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {
/// A program's choices.
struct Program {
  DType score, prob, acc;
  int64_t tile;
  bool delayed;
  // Mistakes.
  bool forgetRepair = false;
  bool refillSum = false;
};
} // namespace

/// Flash attention on matrices, every operation rounded to its format.
static Tensor run(const Program &p, const Tensor &q, const Tensor &k,
                  const Tensor &v) {
  int64_t numQueries = q.shape[0], numKeys = k.shape[0], depth = q.shape[1],
          width = v.shape[1];
  DType state = getStateType(p.score);
  auto rs = [&](double x) { return roundTo(x, state); };
  auto ra = [&](double x) { return roundTo(x, p.acc); };
  Tensor out({numQueries, width});
  for (int64_t m = 0; m < numQueries; ++m) {
    double max = -kInf, sum = 0;
    std::vector<double> acc(width, 0.0);
    for (int64_t from = 0; from < numKeys; from += p.tile) {
      int64_t to = std::min(from + p.tile, numKeys);
      std::vector<double> x;
      double newMax = max;
      for (int64_t n = from; n < to; ++n) {
        double s = 0;
        for (int64_t d = 0; d < depth; ++d)
          s = roundTo(s + roundTo(q.at({m, d}) * k.at({n, d}), p.score),
                      p.score);
        x.push_back(s);
        newMax = std::max(newMax, s);
      }
      double rho = max == -kInf ? 0 : rs(std::exp(rs(max - newMax)));
      double newSum = p.refillSum ? 0 : rs(sum * rho);
      for (double &s : x) {
        s = rs(std::exp(rs(s - newMax)));
        newSum = rs(newSum + s);
      }
      double scale = p.delayed ? rho : rs(rs(sum * rho) / newSum);
      if (p.forgetRepair)
        scale = 1;
      for (double &a : acc)
        a = ra(a * ra(scale));
      for (int64_t n = from; n < to; ++n) {
        double y = p.delayed ? x[n - from] : rs(x[n - from] / newSum);
        y = roundTo(roundTo(y, p.score), p.prob);
        for (int64_t e = 0; e < width; ++e)
          acc[e] = ra(acc[e] + ra(ra(y) * v.at({n, e})));
      }
      max = newMax;
      sum = newSum;
    }
    for (int64_t e = 0; e < width; ++e)
      out.at({m, e}) = p.delayed ? ra(acc[e] / ra(sum)) : acc[e];
  }
  return out;
}

static Bounded evaluate(const Program &p, const Tensor &q, const Tensor &k,
                        const Tensor &v) {
  int64_t steps = (k.shape[0] + p.tile - 1) / p.tile;
  Bounded weights =
      softmax(contract("md,nd->mn", Bounded(q), Bounded(k), p.score), 1,
              getStateType(p.score), p.score, steps);
  return contract("mn,ne->me", cast(cast(weights, p.prob), p.acc), v, p.acc,
                  steps + 1);
}

static const Program kPrograms[] = {
    {DType::F64, DType::F64, DType::F64, 7, false},
    {DType::F64, DType::F64, DType::F64, 7, true},
    {DType::F32, DType::F32, DType::F32, 64, false},
    {DType::F32, DType::F32, DType::F32, 7, false},
    {DType::F32, DType::F32, DType::F32, 1, true},
    {DType::F32, DType::F16, DType::F32, 7, true},
    {DType::F32, DType::BF16, DType::F32, 7, false},
    {DType::F16, DType::F16, DType::F32, 7, false},
    {DType::F16, DType::F16, DType::F32, 7, true},
    {DType::BF16, DType::BF16, DType::F32, 7, true},
    {DType::F16, DType::F16, DType::F16, 16, true},
};

static Tensor inputFor(Random &r, const Program &p, Shape shape, double range) {
  return random(r, shape, -range, range,
                p.prob == DType::F64 ? DType::F64 : p.prob);
}

TEST(ErrorBound, RoundedProgramsStayWithin) {
  Random r(1);
  for (const Program &p : kPrograms)
    for (double range : {0.3, 1.0, 2.0}) {
      Tensor q = inputFor(r, p, {8, 8}, range),
             k = inputFor(r, p, {40, 8}, range),
             v = inputFor(r, p, {40, 4}, 1.0);
      Comparison c = compare(run(p, q, k, v), evaluate(p, q, k, v));
      EXPECT_TRUE(c.ok) << getName(p.score) << " " << getName(p.prob) << " "
                        << p.tile << " range " << range << ": " << c.message;
      // Nor is the bound absurd: rounding errors, unlike their bounds, cancel.
      EXPECT_GT(c.worstRatio, 1e-4) << getName(p.score) << " " << p.tile;
    }
}

TEST(ErrorBound, LargeScores) {
  // |scores| up to 1e4: the rounding of the scores dominates.
  Random r(2);
  Program p{DType::F32, DType::F32, DType::F32, 7, true};
  Tensor q = inputFor(r, p, {8, 8}, 60), k = inputFor(r, p, {40, 8}, 60),
         v = inputFor(r, p, {40, 4}, 1.0);
  Bounded want = evaluate(p, q, k, v);
  Comparison c = compare(run(p, q, k, v), want);
  EXPECT_TRUE(c.ok) << c.message;
  EXPECT_LT(c.looseness, 0.05);
}

TEST(ErrorBound, BoundsAreUsefulForOrdinaryData) {
  Random r(3);
  auto looseness = [&](const Program &p) {
    Tensor q = inputFor(r, p, {8, 8}, 1), k = inputFor(r, p, {40, 8}, 1),
           v = inputFor(r, p, {40, 4}, 1.0);
    return compare(run(p, q, k, v), evaluate(p, q, k, v)).looseness;
  };
  EXPECT_LT(looseness({DType::F64, DType::F64, DType::F64, 7, true}), 1e-12);
  EXPECT_LT(looseness({DType::F32, DType::F32, DType::F32, 7, true}), 1e-3);
  EXPECT_LT(looseness({DType::F32, DType::F16, DType::F32, 7, true}), 1e-2);
  EXPECT_LT(looseness({DType::F32, DType::BF16, DType::F32, 7, true}), 5e-2);
  EXPECT_LT(looseness({DType::F16, DType::F16, DType::F32, 7, true}), 0.2);
}

TEST(ErrorBound, MistakesAreFound) {
  Random r(4);
  for (Program p : kPrograms) {
    if (p.tile >= 40 || p.acc == DType::F16)
      continue;
    Tensor q = inputFor(r, p, {8, 8}, 1), k = inputFor(r, p, {40, 8}, 1),
           v = inputFor(r, p, {40, 4}, 1.0);
    Bounded want = evaluate(p, q, k, v);
    p.forgetRepair = true;
    EXPECT_FALSE(compare(run(p, q, k, v), want).ok) << getName(p.score);
    p.forgetRepair = false;
    p.refillSum = true;
    EXPECT_FALSE(compare(run(p, q, k, v), want).ok) << getName(p.score);
  }
}

TEST(ErrorBound, MaskedScoresAreExact) {
  Tensor x({2, 3}, {-kInf, 1, 2, -kInf, -kInf, -kInf});
  Bounded y = softmax(Bounded(x), 1, DType::F32, DType::F32, 3);
  EXPECT_EQ(y.error.data[0], 0);
  EXPECT_GT(y.error.data[1], 0);
  for (int64_t i = 3; i < 6; ++i) {
    EXPECT_EQ(y.value.data[i], 0);
    EXPECT_EQ(y.error.data[i], 0);
  }
  Bounded scores(Tensor({1, 2}, {3, 4}), Tensor({1, 2}, {0.1, 0.1}));
  Bounded masked = maskOut(scores, "mn", Tensor({2}, {1, 0}), "n");
  EXPECT_EQ(masked.value.data, std::vector<double>({3, -kInf}));
  EXPECT_EQ(masked.error.data, std::vector<double>({0.1, 0}));
  masked = add(scores, "mn", Tensor({2}, {0, -kInf}), "n", DType::F32);
  EXPECT_EQ(masked.value.data[1], -kInf);
  EXPECT_EQ(masked.error.data[1], 0);
}

TEST(ErrorBound, TanhOfPerturbedNumbers) {
  Random r(11);
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::BF16})
    for (double range : {1e-3, 1.0, 30.0})
      for (double perturbation : {0.0, 1e-3, 0.5}) {
        Bounded x(random(r, {64}, -range, range, type),
                  Tensor(Shape{64}, perturbation));
        Bounded y = oracle::tanh(x, type);
        for (int64_t i = 0; i < 64; ++i)
          for (double error : {-perturbation, 0.0, perturbation}) {
            double computed = roundTo(std::tanh(x.value.data[i] + error), type);
            EXPECT_LE(std::fabs(computed - y.value.data[i]), y.error.data[i]);
          }
        // It saturates: what errs far from 0 hardly matters.
        if (perturbation == 0.5)
          EXPECT_LT(oracle::tanh(Bounded(Tensor(Shape{1}, 20.0),
                                         Tensor(Shape{1}, perturbation)),
                                 type)
                        .error.data[0],
                    0.1);
      }
}

TEST(ErrorBound, StateWithinItsBound) {
  Random r(5);
  Tensor x = random(r, {6, 30}, -5, 5, DType::F32);
  BoundedState state = softmaxState(Bounded(x), 1, DType::F32, 30);
  Tensor sum({6});
  for (int64_t m = 0; m < 6; ++m) {
    float max = -std::numeric_limits<float>::infinity(), l = 0;
    for (int64_t n = 0; n < 30; ++n) {
      float value = static_cast<float>(x.at({m, n}));
      float newMax = std::max(max, value);
      l = l * std::exp(max - newMax) + std::exp(value - newMax);
      max = newMax;
    }
    sum.at({m}) = l;
    EXPECT_EQ(state.max.value.at({m}), max);
  }
  Comparison c = compare(sum, state.sum);
  EXPECT_TRUE(c.ok) << c.message;
  EXPECT_GT(c.worstRatio, 1e-3);
}

// Exponentials as kernels for GPUs compute them, with one product fused, in
// tiles of 10, and with the states of two halves combined.
TEST(ErrorBound, ScaledOperandsWithinTheirBound) {
  const float c = 1.44269504f;
  auto exponential = [&](float x, float max, bool isFused) {
    volatile float shift = max * c, product = x * c;
    return std::exp2(isFused ? std::fma(x, c, -shift) : product - shift);
  };
  bool isLooseNeeded = false;
  for (double range : {1.0, 100.0, 7000.0, 1e6})
    for (bool isFused : {false, true}) {
      Random r(5);
      Tensor x = random(r, {40, 40}, -range, range, DType::F32);
      Bounded weights = softmax(Bounded(x), 1, DType::F32, DType::F32, 4,
                                ExpForm::ScaledOperands);
      BoundedState state =
          softmaxState(Bounded(x), 1, DType::F32, 4, ExpForm::ScaledOperands);
      Tensor sums({40}), got(x.shape);
      for (int64_t m = 0; m < 40; ++m) {
        float maxima[2], halves[2];
        std::vector<float> p(40);
        for (int64_t half = 0; half < 2; ++half) {
          float max = -std::numeric_limits<float>::infinity(), l = 0;
          for (int64_t tile = 20 * half; tile < 20 * half + 20; tile += 10) {
            float next = max;
            for (int64_t n = tile; n < tile + 10; ++n)
              next = std::max(next, static_cast<float>(x.at({m, n})));
            float factor = std::exp2((max - next) * c);
            l *= factor;
            for (int64_t n = 20 * half; n < tile; ++n)
              p[n] *= factor;
            for (int64_t n = tile; n < tile + 10; ++n)
              l += p[n] =
                  exponential(static_cast<float>(x.at({m, n})), next, isFused);
            max = next;
          }
          maxima[half] = max;
          halves[half] = l;
        }
        float max = std::max(maxima[0], maxima[1]), sum = 0;
        for (int64_t half = 0; half < 2; ++half) {
          float factor = exponential(maxima[half], max, isFused);
          sum += halves[half] * factor;
          for (int64_t n = 20 * half; n < 20 * half + 20; ++n)
            p[n] *= factor;
        }
        sums.at({m}) = sum;
        for (int64_t n = 0; n < 40; ++n)
          got.at({m, n}) = p[n] / sum;
      }
      Comparison c = compare(sums, state.sum);
      EXPECT_TRUE(c.ok) << range << " " << c.message;
      // The bound of larger ones is exponential.
      if (range <= 100)
        EXPECT_GT(c.worstRatio, 1e-3);
      c = compare(got, weights);
      EXPECT_TRUE(c.ok) << range << " " << c.message;
      isLooseNeeded |=
          !compare(sums, softmaxState(Bounded(x), 1, DType::F32, 4).sum).ok;
    }
  EXPECT_TRUE(isLooseNeeded);
}

TEST(Compare, NaNAndInfinityMustMatch) {
  auto verdict = [](double got, double want, double bound) {
    return compare(Tensor(Shape{1}, got),
                   Bounded(Tensor(Shape{1}, want), Tensor(Shape{1}, bound)))
        .ok;
  };
  EXPECT_TRUE(verdict(kNaN, kNaN, 0));
  EXPECT_FALSE(verdict(kNaN, 1, 1));
  EXPECT_FALSE(verdict(1, kNaN, 1));
  EXPECT_TRUE(verdict(kInf, kInf, 0));
  EXPECT_FALSE(verdict(kInf, 1, 1));
  EXPECT_FALSE(verdict(-kInf, kInf, 0));
  EXPECT_TRUE(verdict(1.5, 1, 0.5));
  EXPECT_FALSE(verdict(1.6, 1, 0.5));
  EXPECT_TRUE(verdict(kInf, 1, kInf)); // The format may overflow.
  EXPECT_FALSE(verdict(1, kNaN, kInf));
  EXPECT_FALSE(compare(Tensor(Shape{2}), Bounded(Tensor(Shape{3}))).ok);
}

TEST(ErrorBound, ProductsOfPerturbedNumbers) {
  Bounded x(Tensor({1, 2}, {3, -4}), Tensor({1, 2}, {0.5, 0.25}));
  Bounded y(Tensor({2}, {2, 0}), Tensor({2}, {0, 1}));
  Bounded z = product(x, "mn", y, "n", DType::F64);
  EXPECT_EQ(z.value.data, std::vector<double>({6, 0}));
  EXPECT_NEAR(z.error.data[0], 0.5 * 2, 1e-12);
  EXPECT_NEAR(z.error.data[1], 4 * 1 + 0.25 * 1, 1e-12);
}

TEST(ErrorBound, FunctionsOfPerturbedNumbers) {
  Bounded x(Tensor({3}, {4, 0, std::nan("")}), Tensor({3}, {1, 1, 0}));
  auto root = [](double value) { return std::sqrt(value); };
  auto spread = [](double value, double error) {
    return std::sqrt(value + error) - std::sqrt(std::max(value - error, 0.0));
  };
  Bounded y = apply(x, DType::F32, 0, root, spread);
  EXPECT_EQ(y.value.data[0], 2);
  EXPECT_NEAR(y.error.data[0], std::sqrt(5.0) - std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(y.error.data[1], 1, 1e-6);
  EXPECT_TRUE(std::isnan(y.value.data[2]));
  EXPECT_GT(apply(x, DType::F32, 1e6, root, spread).error.data[0],
            y.error.data[0] + 0.1);
}

TEST(ErrorBound, WhatIsNotSpecifiedMayBeAnything) {
  Bounded want(Tensor({2}, {0, 1}), Tensor({2}, {-1, 0.1}));
  for (double any : {0.0, 5.0, kInf, std::nan("")})
    EXPECT_TRUE(compare(Tensor({2}, {any, 1}), want).ok);
  EXPECT_FALSE(compare(Tensor({2}, {5, 2}), want).ok);
}
