//===- OracleTest.cpp - The judge is judged -------------------------------===//
//
// The oracle against values worked out by hand, against other formulas for the
// same thing, and, for the number formats, against LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#include "Support/Oracle.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace oracle;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static const double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Number formats
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &getSemantics(DType type) {
  switch (type) {
  case DType::F16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static double roundByAPFloat(double value, DType type) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven, &lost);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  return number.convertToDouble();
}

static bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

TEST(NumberFormats, Constants) {
  EXPECT_EQ(getFormat(DType::F16).largest, 65504.0);
  EXPECT_EQ(getFormat(DType::F16).smallestNormal, std::ldexp(1.0, -14));
  EXPECT_EQ(getFormat(DType::F16).smallestSubnormal, std::ldexp(1.0, -24));
  EXPECT_EQ(getFormat(DType::F16).unitRoundoff, std::ldexp(1.0, -11));
  EXPECT_EQ(getFormat(DType::BF16).unitRoundoff, std::ldexp(1.0, -8));
  EXPECT_EQ(getFormat(DType::F32).largest, std::numeric_limits<float>::max());
  EXPECT_EQ(getFormat(DType::F32).smallestSubnormal,
            std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(getFormat(DType::F64).largest, std::numeric_limits<double>::max());
}

TEST(NumberFormats, EverySixteenBitPatternDecodesAsInAPFloat) {
  for (DType type : {DType::F16, DType::BF16})
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      double value = decode16(bits, type);
      llvm::APFloat number(getSemantics(type), llvm::APInt(16, bits));
      bool lost;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &lost);
      ASSERT_TRUE(isSame(value, number.convertToDouble())) << bits;
      ASSERT_TRUE(isSame(roundTo(value, type), value)) << bits;
      if (!std::isnan(value))
        ASSERT_EQ(encode16(value, type), bits);
    }
}

TEST(NumberFormats, MidpointsAndTheirNeighboursRoundAsInAPFloat) {
  for (DType type : {DType::F16, DType::BF16})
    for (unsigned bits = 0; bits < 0x7fff; ++bits) {
      double low = decode16(bits, type), high = decode16(bits + 1, type);
      if (!std::isfinite(low))
        break;
      // Beyond the largest number the next power of two plays the neighbour.
      if (std::isinf(high))
        high = std::ldexp(1.0, getFormat(type).maxExponent + 1);
      double middle = low + (high - low) / 2;
      for (double value :
           {middle, std::nextafter(middle, 0), std::nextafter(middle, kInf)})
        for (double sign : {1.0, -1.0})
          ASSERT_TRUE(isSame(roundTo(sign * value, type),
                             roundByAPFloat(sign * value, type)))
              << getName(type) << " " << value;
    }
}

TEST(NumberFormats, SinglePrecisionRoundsAsTheProcessorDoes) {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    double value = std::ldexp(random.uniform(-1, 1), random.integer(-160, 140));
    ASSERT_TRUE(isSame(roundTo(value, DType::F32),
                       static_cast<double>(static_cast<float>(value))));
  }
}

TEST(NumberFormats, SpecialValues) {
  for (DType type : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    EXPECT_TRUE(std::isnan(roundTo(kNaN, type)));
    EXPECT_EQ(roundTo(kInf, type), kInf);
    EXPECT_EQ(roundTo(-kInf, type), -kInf);
    EXPECT_TRUE(isSame(roundTo(-0.0, type), -0.0));
  }
  EXPECT_EQ(roundTo(65519.9, DType::F16), 65504.0);
  EXPECT_EQ(roundTo(65520.0, DType::F16), kInf);
  EXPECT_EQ(roundTo(std::ldexp(1.0, -25), DType::F16), 0.0); // A tie to even.
  EXPECT_EQ(roundTo(std::ldexp(3.0, -25), DType::F16), std::ldexp(1.0, -23));
  EXPECT_EQ(roundTo(0.3, DType::I1), 1.0);
  EXPECT_TRUE(std::isnan(decode16(encode16(kNaN, DType::F16), DType::F16)));
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

TEST(Contract, ProductOfTwoMatrices) {
  Tensor a({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor b({3, 2}, {7, 8, 9, 10, 11, 12});
  Tensor c = contract("mk,kn->mn", a, b);
  EXPECT_EQ(c.shape, Shape({2, 2}));
  EXPECT_EQ(c.data, std::vector<double>({58, 64, 139, 154}));
}

TEST(Contract, TransposedOperandsAndResult) {
  Tensor a({3, 2}, {1, 4, 2, 5, 3, 6});
  Tensor b({2, 3}, {7, 9, 11, 8, 10, 12});
  Tensor c = contract("km,nk->nm", a, b);
  EXPECT_EQ(c.data, std::vector<double>({58, 139, 64, 154}));
}

TEST(Contract, LettersOfOneOperandAreReducedOrBroadcast) {
  Tensor a({2, 2}, {1, 2, 3, 4});
  Tensor b({2}, {10, 100});
  EXPECT_EQ(contract("mk,n->mn", a, b).data,
            std::vector<double>({30, 300, 70, 700}));
  EXPECT_EQ(contract("mk,m->", a, b).data, std::vector<double>({730}));
}

TEST(Contract, EmptyDimensions) {
  EXPECT_EQ(contract("mk,kn->mn", Tensor({2, 0}), Tensor({0, 1})).data,
            std::vector<double>({0, 0}));
  EXPECT_EQ(contract("mk,kn->mn", Tensor({0, 2}), Tensor({2, 1})).size(), 0);
}

TEST(Contract, NaNAndInfinityAreIEEE) {
  Tensor c = contract("mk,kn->mn", Tensor({2, 2}, {0, 1, 2, 3}),
                      Tensor({2, 1}, {kNaN, 1}));
  EXPECT_TRUE(std::isnan(c.data[0])); // 0 * NaN
  EXPECT_TRUE(std::isnan(c.data[1]));
}

TEST(Reduce, MaxPropagatesNaN) {
  Tensor x({2, 3}, {1, kNaN, 3, -kInf, -5, -7});
  Tensor max = reduceMax(x, 1);
  EXPECT_TRUE(std::isnan(max.data[0]));
  EXPECT_EQ(max.data[1], -5);
  EXPECT_EQ(reduceSum(Tensor({2, 2}, {1, 2, 3, 4}), 0).data,
            std::vector<double>({4, 6}));
}

TEST(Rearrange, TransposesAndBroadcasts) {
  Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(rearrange(x, "ab", "ba", {3, 2}).data,
            std::vector<double>({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(rearrange(Tensor({2}, {1, 2}), "b", "ab", {2, 2}).data,
            std::vector<double>({1, 2, 1, 2}));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

TEST(Softmax, ByHand) {
  Tensor x({1, 3}, {std::log(1.0), std::log(2.0), std::log(3.0)});
  SoftmaxResult y = softmax(x, 1);
  EXPECT_NEAR(y.result.data[0], 1.0 / 6, 1e-15);
  EXPECT_NEAR(y.result.data[1], 2.0 / 6, 1e-15);
  EXPECT_NEAR(y.result.data[2], 3.0 / 6, 1e-15);
  EXPECT_EQ(y.max.data[0], std::log(3.0));
  EXPECT_NEAR(y.sum.data[0], 2.0, 1e-15);
}

TEST(Softmax, AlongEveryDim) {
  Random r(7);
  Tensor x = random(r, {2, 3, 4}, -3, 3, DType::F64);
  for (int64_t dim = 0; dim < 3; ++dim) {
    Tensor sums = reduceSum(softmax(x, dim).result, dim);
    for (double sum : sums.data)
      EXPECT_NEAR(sum, 1.0, 1e-14);
  }
}

TEST(Softmax, MaskedElementsAndRows) {
  Tensor x({3, 2}, {-kInf, 5, -kInf, -kInf, 1e4, -1e4});
  SoftmaxResult y = softmax(x, 1);
  EXPECT_EQ(y.result.data, std::vector<double>({0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(y.max.data, std::vector<double>({5, -kInf, 1e4}));
  EXPECT_EQ(y.sum.data, std::vector<double>({1, 0, 1}));
}

TEST(Softmax, NaNAndPlusInfinitySpoilTheirRowOnly) {
  Tensor x({3, 2}, {kNaN, 5, 1, 1, kInf, 0});
  Tensor y = softmax(x, 1).result;
  EXPECT_TRUE(std::isnan(y.data[0]) && std::isnan(y.data[1]));
  EXPECT_EQ(y.data[2], 0.5);
  EXPECT_TRUE(std::isnan(y.data[4]) && std::isnan(y.data[5]));
}

TEST(Softmax, LogSumExpByTheNaiveFormula) {
  Random r(3);
  Tensor x = random(r, {5, 7}, -4, 4, DType::F64);
  Tensor lse = logSumExp(x, 1);
  Tensor naive = map(reduceSum(map(x, [](double v) { return std::exp(v); }), 1),
                     [](double v) { return std::log(v); });
  Tensor logs = logSoftmax(x, 1), weights = softmax(x, 1).result;
  for (int64_t i = 0; i < lse.size(); ++i)
    EXPECT_NEAR(lse.data[i], naive.data[i], 1e-14);
  for (int64_t i = 0; i < logs.size(); ++i)
    EXPECT_NEAR(std::exp(logs.data[i]), weights.data[i], 1e-15);
  EXPECT_EQ(logSumExp(Tensor({1, 2}, {-kInf, -kInf}), 1).data[0], -kInf);
  EXPECT_EQ(logSoftmax(Tensor({1, 2}, {-kInf, -kInf}), 1).data[0], -kInf);
}

/// The columns [from, from + size) of a matrix.
static Tensor columns(const Tensor &x, int64_t from, int64_t size) {
  Tensor part({x.shape[0], size});
  forEachIndex(part.shape, [&](const Index &index) {
    part.at(index) = x.at({index[0], from + index[1]});
  });
  return part;
}

TEST(OnlineSoftmax, OneStepFromTheIdentityIsSoftmax) {
  Random r(4);
  Tensor x = random(r, {3, 5}, -4, 4, DType::F64);
  for (int64_t i = 0; i < 5; ++i)
    x.at({1, i}) = -kInf;
  Tensor max({3}, -kInf), sum({3}, 0.0);
  OnlineSoftmaxResult online = onlineSoftmax(x, 1, max, sum, false);
  SoftmaxResult plain = softmax(x, 1);
  EXPECT_EQ(online.max.data, plain.max.data);
  for (int64_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(online.result.data[i], plain.result.data[i], 1e-15);
  for (double scale : online.scale.data)
    EXPECT_EQ(scale, 0.0);
}

TEST(OnlineSoftmax, RepairedAccumulatorsAreAttention) {
  Random r(5);
  Tensor x = random(r, {4, 12}, -8, 8, DType::F64);
  Tensor v = random(r, {12, 3}, -1, 1, DType::F64);
  for (int64_t i = 0; i < 12; ++i) {
    x.at({1, i}) = -kInf; // A masked row,
    if (i < 4)
      x.at({2, i}) = -kInf; // a masked first tile
    if (i >= 8)
      x.at({3, i}) = -kInf; // and a masked last one.
  }
  Tensor want = contract("mn,ne->me", softmax(x, 1).result, v);
  for (int64_t tile : {1, 4, 5, 12})
    for (bool delayed : {false, true}) {
      Tensor max({4}, -kInf), sum({4}, 0.0), acc({4, 3}, 0.0);
      for (int64_t from = 0; from < 12; from += tile) {
        int64_t size = std::min(tile, 12 - from);
        OnlineSoftmaxResult step =
            onlineSoftmax(columns(x, from, size), 1, max, sum, delayed);
        Tensor part({size, 3});
        forEachIndex(part.shape, [&](const Index &index) {
          part.at(index) = v.at({from + index[0], index[1]});
        });
        Tensor product = contract("mn,ne->me", step.result, part);
        forEachIndex(acc.shape, [&](const Index &index) {
          acc.at(index) =
              step.scale.at({index[0]}) * acc.at(index) + product.at(index);
        });
        max = step.max;
        sum = step.sum;
      }
      forEachIndex(acc.shape, [&](const Index &index) {
        double l = sum.at({index[0]});
        double got = delayed && l != 0 ? acc.at(index) / l : acc.at(index);
        EXPECT_NEAR(got, want.at(index), 1e-14) << tile << delayed;
      });
    }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

TEST(AttentionOracle, ByHand) {
  Attention spec{"md", "nd", "ne", "mn", "me", 'n'};
  // Scores ln 1, ln 3: weights 1/4 and 3/4.
  Tensor q({1, 1}, 1.0), k({2, 1}, {0.0, std::log(3.0)});
  Tensor v({2, 2}, {4, 8, 12, 0});
  Tensor out = attention(spec, q, k, v);
  EXPECT_NEAR(out.data[0], 10.0, 1e-14);
  EXPECT_NEAR(out.data[1], 2.0, 1e-14);

  spec.maskKind = Attention::Mask::Boolean;
  spec.maskDims = "mn";
  Tensor keep({1, 2}, {1, 0});
  EXPECT_EQ(attention(spec, q, k, v, &keep).data, std::vector<double>({4, 8}));
  Tensor none({1, 2}, {0, 0});
  EXPECT_EQ(attention(spec, q, k, v, &none).data, std::vector<double>({0, 0}));

  spec.maskKind = Attention::Mask::Additive;
  Tensor bias({1, 2}, {std::log(3.0), 0.0}); // Both weights are 1/2.
  EXPECT_NEAR(attention(spec, q, k, v, &bias).data[0], 8.0, 1e-14);
  spec.maskKind = Attention::Mask::None;
  spec.scale = 0;
  EXPECT_NEAR(attention(spec, q, k, v).data[0], 8.0, 1e-14);
}

TEST(AttentionOracle, EqualsContractionsAroundSoftmaxInEveryArrangement) {
  struct Case {
    Attention spec;
    Shape q, k, v;
  };
  const Case cases[] = {
      {{"md", "nd", "ne", "mn", "me", 'n'}, {3, 4}, {5, 4}, {5, 2}},
      {{"dm", "dn", "en", "nm", "em", 'n'}, {4, 3}, {4, 5}, {2, 5}},
      {{"bmd", "bnd", "bne", "bmn", "bme", 'n'},
       {2, 3, 4},
       {2, 5, 4},
       {2, 5, 2}},
      {{"bhgmd", "bhnd", "bhne", "bhgmn", "bhgme", 'n'},
       {1, 2, 3, 3, 4},
       {1, 2, 5, 4},
       {1, 2, 5, 2}},
      {{"bmhd", "bnhd", "bnhe", "bhmn", "bmhe", 'n'},
       {2, 3, 2, 4},
       {2, 5, 2, 4},
       {2, 5, 2, 3}},
  };
  Random r(11);
  for (const Case &c : cases) {
    const Attention &s = c.spec;
    Tensor q = random(r, c.q, -1, 1, DType::F64),
           k = random(r, c.k, -1, 1, DType::F64),
           v = random(r, c.v, -1, 1, DType::F64);
    Tensor scores = contract(s.q + "," + s.k + "->" + s.scores, q, k);
    Tensor weights =
        softmax(scores, static_cast<int64_t>(s.scores.find('n'))).result;
    Tensor want = contract(s.scores + "," + s.v + "->" + s.out, weights, v);
    Tensor got = attention(s, q, k, v);
    ASSERT_EQ(got.shape, want.shape);
    for (int64_t i = 0; i < got.size(); ++i)
      EXPECT_NEAR(got.data[i], want.data[i], 1e-14);
  }
}

TEST(AttentionOracle, NaNSpreadsOnlyWhereItMust) {
  Attention spec{"md", "nd", "ne", "mn", "me", 'n'};
  Random r(12);
  Tensor q = random(r, {3, 4}, -1, 1, DType::F64),
         k = random(r, {5, 4}, -1, 1, DType::F64),
         v = random(r, {5, 2}, -1, 1, DType::F64);
  Tensor spoilt = q;
  spoilt.at({1, 2}) = kNaN; // A query: its row.
  Tensor out = attention(spec, spoilt, k, v);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t e = 0; e < 2; ++e)
      EXPECT_EQ(std::isnan(out.at({m, e})), m == 1);
  spoilt = v;
  spoilt.at({4, 1}) = kNaN; // A value: its column.
  out = attention(spec, q, k, spoilt);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t e = 0; e < 2; ++e)
      EXPECT_EQ(std::isnan(out.at({m, e})), e == 1);
}
