//===- Oracle.cpp - Reference semantics in f64 ----------------------------===//
//
// See Oracle.h.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace oracle;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A judge that was asked nonsense must not answer, in any build type.
static void check(bool condition, const char *message) {
  if (condition)
    return;
  std::fprintf(stderr, "oracle: %s\n", message);
  std::abort();
}

//===----------------------------------------------------------------------===//
// Number formats
//===----------------------------------------------------------------------===//

const char *oracle::getName(DType type) {
  switch (type) {
  case DType::F4E2M1FN:
    return "f4E2M1FN";
  case DType::F8E4M3FN:
    return "f8E4M3FN";
  case DType::F8E5M2:
    return "f8E5M2";
  case DType::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case DType::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case DType::F8E8M0FNU:
    return "f8E8M0FNU";
  case DType::F16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::F64:
    return "f64";
  case DType::I1:
    return "i1";
  case DType::I8:
    return "i8";
  case DType::I32:
    return "i32";
  case DType::I64:
    return "i64";
  }
  return "?";
}

int64_t oracle::getByteWidth(DType type) {
  switch (type) {
  case DType::F16:
  case DType::BF16:
    return 2;
  case DType::F32:
  case DType::I32:
    return 4;
  case DType::F64:
  case DType::I64:
    return 8;
  default:
    return 1;
  }
}

bool oracle::isFloat(DType type) { return type <= DType::F64; }

FloatFormat::FloatFormat(int precision, int minExponent, int maxExponent,
                         double largest)
    : precision(precision), minExponent(minExponent), maxExponent(maxExponent),
      largest(largest != 0
                  ? largest
                  : std::ldexp(2 - std::ldexp(1.0, 1 - precision),
                               maxExponent)),
      smallestNormal(std::ldexp(1.0, minExponent)),
      smallestSubnormal(std::ldexp(1.0, minExponent - precision + 1)),
      unitRoundoff(std::ldexp(1.0, -precision)) {}

const FloatFormat &oracle::getFormat(DType type) {
  static const FloatFormat f16(11, -14, 15), bf16(8, -126, 127),
      f32(24, -126, 127), f64(53, -1022, 1023);
  // The largest significand of E4M3FN with the largest exponent is NaN.
  static const FloatFormat e4m3fn(4, -6, 8, 448), e5m2(3, -14, 15),
      e4m3fnuz(4, -7, 7), e5m2fnuz(3, -15, 15), e8m0(1, -127, 127),
      e2m1fn(2, 0, 2);
  switch (type) {
  case DType::F4E2M1FN:
    return e2m1fn;
  case DType::F8E4M3FN:
    return e4m3fn;
  case DType::F8E5M2:
    return e5m2;
  case DType::F8E4M3FNUZ:
    return e4m3fnuz;
  case DType::F8E5M2FNUZ:
    return e5m2fnuz;
  case DType::F8E8M0FNU:
    return e8m0;
  case DType::F16:
    return f16;
  case DType::BF16:
    return bf16;
  case DType::F32:
    return f32;
  default:
    return f64;
  }
}

DType oracle::getStateType(DType type) {
  return type == DType::F64 ? DType::F64 : DType::F32;
}

double oracle::roundTo(double value, DType type) {
  if (std::isnan(value) || type == DType::F64)
    return value;
  if (type == DType::I1)
    return value != 0 ? 1 : 0;
  if (!isFloat(type))
    return std::trunc(value);
  bool hasInfinity = type >= DType::F16 || type == DType::F8E5M2;
  bool hasNegativeZero =
      type != DType::F8E4M3FNUZ && type != DType::F8E5M2FNUZ;
  if (type == DType::F8E8M0FNU)
    value = std::max(std::fabs(value), std::ldexp(1.0, -127));
  if (type == DType::F4E2M1FN)
    value = std::clamp(value, -6.0, 6.0);
  if (std::isinf(value))
    return hasInfinity ? value : kNaN;
  if (value == 0)
    return hasNegativeZero ? value : 0;
  FloatFormat format = getFormat(type);
  // |value| lies in [2^exponent, 2^(exponent + 1)); the numbers of the format
  // there, or in the subnormal range, are the multiples of `quantum`. Dividing
  // by a power of two is exact, and nearbyint rounds to nearest even.
  int exponent = std::ilogb(value);
  double quantum = std::ldexp(1.0, std::max(exponent, format.minExponent) -
                                       format.precision + 1);
  double rounded = std::nearbyint(value / quantum) * quantum;
  if (std::fabs(rounded) > format.largest)
    return hasInfinity ? std::copysign(kInf, value) : kNaN;
  // A value that rounds to zero keeps its sign.
  if (rounded == 0 && !hasNegativeZero)
    return 0;
  return std::copysign(rounded, value);
}

/// The field widths of the two 16-bit formats.
static int getFractionBits(DType type) { return type == DType::F16 ? 10 : 7; }

uint16_t oracle::encode16(double value, DType type) {
  int fractionBits = getFractionBits(type);
  FloatFormat format = getFormat(type);
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t allOnes =
      static_cast<uint16_t>(0x7fff & ~((1u << fractionBits) - 1));
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | allOnes | (1u << (fractionBits - 1)));
  if (std::isinf(value))
    return sign | allOnes;
  double magnitude = std::fabs(value);
  if (magnitude < format.smallestNormal)
    return sign | static_cast<uint16_t>(magnitude / format.smallestSubnormal);
  int exponent = std::ilogb(magnitude);
  auto fraction = static_cast<uint16_t>(
      std::ldexp(magnitude, fractionBits - exponent) - (1 << fractionBits));
  auto biased = static_cast<uint16_t>(exponent - format.minExponent + 1);
  return sign | static_cast<uint16_t>(biased << fractionBits) | fraction;
}

double oracle::decode16(uint16_t bits, DType type) {
  int fractionBits = getFractionBits(type);
  FloatFormat format = getFormat(type);
  double sign = (bits & 0x8000) ? -1 : 1;
  int biased = (bits & 0x7fff) >> fractionBits;
  int fraction = bits & ((1 << fractionBits) - 1);
  int allOnes = 0x7fff >> fractionBits;
  if (biased == allOnes)
    return fraction ? kNaN : sign * kInf;
  if (biased == 0)
    return sign * fraction * format.smallestSubnormal;
  return sign * std::ldexp((1 << fractionBits) + fraction,
                           biased - 1 + format.minExponent - fractionBits);
}

double oracle::decode8(uint8_t bits, DType type) {
  check(type < DType::F16, "expected a type of 8 bits");
  if (type == DType::F8E8M0FNU)
    return bits == 0xff ? kNaN : std::ldexp(1.0, bits - 127);
  // The sign is the highest of 4 bits.
  if (type == DType::F4E2M1FN)
    bits = static_cast<uint8_t>((bits & 8) << 4 | (bits & 7));
  FloatFormat format = getFormat(type);
  int fractionBits = format.precision - 1;
  int biased = (bits & 0x7f) >> fractionBits;
  int fraction = bits & ((1 << fractionBits) - 1);
  double sign = bits & 0x80 ? -1 : 1;
  bool isUnsignedZero =
      type == DType::F8E4M3FNUZ || type == DType::F8E5M2FNUZ;
  if (isUnsignedZero && bits == 0x80)
    return kNaN;
  if (type == DType::F8E4M3FN && (bits & 0x7f) == 0x7f)
    return kNaN;
  if (type == DType::F8E5M2 && biased == 31)
    return fraction ? kNaN : sign * kInf;
  if (biased == 0)
    return sign * fraction * format.smallestSubnormal;
  return sign * std::ldexp((1 << fractionBits) + fraction,
                           biased - 1 + format.minExponent - fractionBits);
}

uint8_t oracle::encode8(double value, DType type) {
  static const auto tables = [] {
    std::vector<std::vector<double>> tables(static_cast<int>(DType::F16),
                                            std::vector<double>(256));
    for (size_t i = 0; i < tables.size(); ++i)
      for (int bits = 0; bits < 256; ++bits)
        tables[i][bits] =
            decode8(static_cast<uint8_t>(bits), static_cast<DType>(i));
    return tables;
  }();
  check(type < DType::F16, "expected a type of 8 bits");
  const std::vector<double> &values = tables[static_cast<int>(type)];
  for (int bits = 0; bits < 256; ++bits)
    if (std::isnan(value) ? std::isnan(values[bits])
                          : values[bits] == value &&
                                std::signbit(values[bits]) ==
                                    std::signbit(value))
      return static_cast<uint8_t>(bits);
  check(false, "expected a number of the type");
  return 0;
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

uint64_t Random::next() {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

double Random::uniform(double low, double high) {
  return low +
         (high - low) * std::ldexp(static_cast<double>(next() >> 11), -53);
}

int64_t Random::integer(int64_t low, int64_t high) {
  return low +
         static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
}

int64_t oracle::getEnvironmentNumber(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoll(text, nullptr, 10) : otherwise;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

int64_t oracle::getNumElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Tensor::Tensor(Shape shape, double fill)
    : shape(shape), data(getNumElements(shape), fill) {}

Tensor::Tensor(Shape shape, std::vector<double> data)
    : shape(std::move(shape)), data(std::move(data)) {
  check(getNumElements(this->shape) == size(),
        "the shape and the number of elements differ");
}

int64_t Tensor::offsetOf(const Index &index) const {
  check(index.size() == shape.size(), "the index has another rank");
  int64_t offset = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    check(0 <= index[i] && index[i] < shape[i], "index out of bounds");
    offset = offset * shape[i] + index[i];
  }
  return offset;
}

void oracle::forEachIndex(const Shape &shape,
                          const std::function<void(const Index &)> &body) {
  Index index(shape.size(), 0);
  for (int64_t count = getNumElements(shape); count > 0; --count) {
    body(index);
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i])
        break;
      index[i] = 0;
    }
  }
}

Tensor oracle::random(Random &random, const Shape &shape, double low,
                      double high, DType type) {
  Tensor x(shape);
  for (double &value : x.data)
    value = type == DType::I1 ? static_cast<double>(random.integer(0, 1))
                              : roundTo(random.uniform(low, high), type);
  return x;
}

Tensor oracle::map(const Tensor &x,
                   const std::function<double(double)> &function) {
  Tensor y(x.shape);
  for (int64_t i = 0; i < x.size(); ++i)
    y.data[i] = function(x.data[i]);
  return y;
}

Tensor oracle::roundTo(const Tensor &x, DType type) {
  return map(x, [=](double value) { return roundTo(value, type); });
}

/// For each letter of `loops`, how far the element of `x`, whose dimensions are
/// `dims`, moves in one iteration: 0 if `x` lacks the letter.
static std::vector<int64_t> getSteps(const Tensor &x, const std::string &dims,
                                     const std::string &loops,
                                     const Shape &sizes) {
  check(dims.size() == x.shape.size(), "the index has another rank");
  std::vector<int64_t> steps(loops.size(), 0);
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0; stride *= x.shape[i]) {
    size_t loop = loops.find(dims[i]);
    check(loop != std::string::npos, "a letter that no loop has");
    check(sizes[loop] <= x.shape[i], "index out of bounds");
    steps[loop] += stride;
  }
  return steps;
}

/// Runs the loops [`first`, `last`) of `sizes`, the last one fastest. Calls `body`
/// with the positions of N elements, which start at `positions` and move by
/// `steps`. Tests spend their time here, so nothing is allocated.
template <size_t N, typename BodyT>
static void forEachPosition(const Shape &sizes, size_t first, size_t last,
                            const std::array<std::vector<int64_t>, N> &steps,
                            std::array<int64_t, N> positions, BodyT body) {
  if (first == last)
    return body(positions);
  bool isInnermost = first + 1 == last;
  for (int64_t i = 0; i < sizes[first]; ++i) {
    if (isInnermost)
      body(positions);
    else
      forEachPosition<N, BodyT &>(sizes, first + 1, last, steps, positions, body);
    for (size_t n = 0; n < N; ++n)
      positions[n] += steps[n][first];
  }
}

Tensor oracle::rearrange(const Tensor &x, const std::string &xDims,
                         const std::string &outDims, const Shape &sizes) {
  Tensor out(sizes);
  std::array<std::vector<int64_t>, 2> steps = {
      getSteps(out, outDims, outDims, sizes),
      getSteps(x, xDims, outDims, sizes)};
  forEachPosition<2>(sizes, 0, sizes.size(), steps, {0, 0},
                     [&](const std::array<int64_t, 2> &at) {
                       out.data[at[0]] = x.data[at[1]];
                     });
  return out;
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

Einsum::Einsum(const std::string &text) {
  size_t comma = text.find(','), arrow = text.find("->");
  check(comma != std::string::npos && arrow != std::string::npos,
        "expected \"a,b->c\"");
  lhs = text.substr(0, comma);
  rhs = text.substr(comma + 1, arrow - comma - 1);
  out = text.substr(arrow + 2);
  for (char letter : lhs + rhs)
    if (out.find(letter) == std::string::npos &&
        reduced.find(letter) == std::string::npos)
      reduced += letter;
}

/// The sizes of the letters `dims`, looked up in tensors.
static Shape
getSizes(const std::string &dims,
         const std::vector<std::pair<std::string, const Tensor *>> &tensors) {
  Shape sizes;
  for (char letter : dims) {
    int64_t size = -1;
    for (const auto &[letters, tensor] : tensors)
      for (size_t i = 0; i < letters.size(); ++i)
        if (letters[i] == letter) {
          check(size == -1 || size == tensor->shape[i],
                "the sizes of a letter differ");
          size = tensor->shape[i];
        }
    check(size != -1, "a letter without a size");
    sizes.push_back(size);
  }
  return sizes;
}

Tensor oracle::contract(const std::string &einsum, const Tensor &lhs,
                        const Tensor &rhs) {
  Einsum e(einsum);
  Tensor out(getSizes(e.out, {{e.lhs, &lhs}, {e.rhs, &rhs}}));
  // Products are added in the order of `reduced`. Inside of that are the
  // elements of one row, so that no sum waits for the one before it.
  size_t numOuter = e.out.empty() ? 0 : e.out.size() - 1;
  std::string row = e.out.substr(numOuter);
  std::string loops = e.out.substr(0, numOuter) + e.reduced + row;
  Shape sizes = getSizes(loops, {{e.lhs, &lhs}, {e.rhs, &rhs}});
  std::array<std::vector<int64_t>, 3> steps = {
      getSteps(out, e.out, loops, sizes), getSteps(lhs, e.lhs, loops, sizes),
      getSteps(rhs, e.rhs, loops, sizes)};
  int64_t rowSize = row.empty() ? 1 : sizes.back();
  std::array<int64_t, 3> inRow = {};
  for (size_t n = 0; n < 3 && !row.empty(); ++n)
    inRow[n] = steps[n].back();
  forEachPosition<3>(sizes, 0, sizes.size() - row.size(), steps, {0, 0, 0},
                     [&](const std::array<int64_t, 3> &at) {
                       double *sum = out.data.data() + at[0];
                       const double *a = lhs.data.data() + at[1];
                       const double *b = rhs.data.data() + at[2];
                       for (int64_t i = 0; i < rowSize; ++i)
                         sum[i * inRow[0]] += a[i * inRow[1]] * b[i * inRow[2]];
                     });
  return out;
}

/// The distance of two elements of `x` that are next to each other along `dim`.
static int64_t getStride(const Tensor &x, int64_t dim) {
  return getNumElements(Shape(x.shape.begin() + dim + 1, x.shape.end()));
}

/// Calls `body` with each index of the other dims and the elements along `dim`.
static void
forEachRow(const Tensor &x, int64_t dim,
           const std::function<void(const Index &, const std::vector<double> &)>
               &body) {
  Shape others = x.shape;
  others.erase(others.begin() + dim);
  if (x.shape[dim] == 0)
    return forEachIndex(others, [&](const Index &index) { body(index, {}); });
  int64_t stride = getStride(x, dim);
  std::vector<double> row(x.shape[dim]);
  forEachIndex(others, [&](const Index &rowIndex) {
    Index index = rowIndex;
    index.insert(index.begin() + dim, 0);
    const double *first = &x.data[x.offsetOf(index)];
    for (int64_t i = 0; i < x.shape[dim]; ++i)
      row[i] = first[i * stride];
    body(rowIndex, row);
  });
}

static double maxOf(const std::vector<double> &row) {
  double max = -kInf;
  for (double value : row)
    max = std::isnan(value) || std::isnan(max) ? kNaN : std::max(max, value);
  return max;
}

Tensor oracle::reduceMax(const Tensor &x, int64_t dim) {
  Shape shape = x.shape;
  shape.erase(shape.begin() + dim);
  Tensor out(shape);
  forEachRow(x, dim, [&](const Index &index, const std::vector<double> &row) {
    out.at(index) = maxOf(row);
  });
  return out;
}

Tensor oracle::reduceSum(const Tensor &x, int64_t dim) {
  Shape shape = x.shape;
  shape.erase(shape.begin() + dim);
  Tensor out(shape);
  forEachRow(x, dim, [&](const Index &index, const std::vector<double> &row) {
    for (double value : row)
      out.at(index) += value;
  });
  return out;
}

SoftmaxResult oracle::softmax(const Tensor &x, int64_t dim) {
  Shape stateShape = x.shape;
  stateShape.erase(stateShape.begin() + dim);
  SoftmaxResult out{Tensor(x.shape), Tensor(stateShape), Tensor(stateShape)};
  forEachRow(x, dim, [&](const Index &index, const std::vector<double> &row) {
    double m = maxOf(row);
    bool fullyMasked = m == -kInf;
    double l = 0;
    for (double value : row)
      l += fullyMasked ? 0 : std::exp(value - m);
    out.max.at(index) = m;
    out.sum.at(index) = l;
    Index at = index;
    at.insert(at.begin() + dim, 0);
    for (size_t i = 0; i < row.size(); ++i) {
      at[dim] = static_cast<int64_t>(i);
      out.result.at(at) = fullyMasked ? 0 : std::exp(row[i] - m) / l;
    }
  });
  return out;
}

OnlineSoftmaxResult oracle::onlineSoftmax(const Tensor &x, int64_t dim,
                                          const Tensor &oldMax,
                                          const Tensor &oldSum, bool delayed) {
  OnlineSoftmaxResult out{Tensor(x.shape), oldMax, oldSum, oldMax};
  forEachRow(x, dim, [&](const Index &index, const std::vector<double> &row) {
    std::vector<double> withState = row;
    withState.push_back(oldMax.at(index));
    double max = maxOf(withState);
    double reference = max == -kInf ? 0 : max;
    double rho = std::exp(oldMax.at(index) - reference);
    double sum = oldSum.at(index) * rho;
    for (double value : row)
      sum += std::exp(value - reference);
    out.max.at(index) = max;
    out.sum.at(index) = sum;
    out.scale.at(index) =
        delayed ? rho : (sum == 0 ? 0 : oldSum.at(index) * rho / sum);
    Index at = index;
    at.insert(at.begin() + dim, 0);
    for (size_t i = 0; i < row.size(); ++i) {
      at[dim] = static_cast<int64_t>(i);
      double e = std::exp(row[i] - reference);
      out.result.at(at) = delayed ? e : (sum == 0 ? 0 : e / sum);
    }
  });
  return out;
}

Tensor oracle::logSumExp(const Tensor &x, int64_t dim) {
  SoftmaxResult state = softmax(x, dim);
  Tensor out = state.max;
  for (int64_t i = 0; i < out.size(); ++i)
    if (out.data[i] != -kInf)
      out.data[i] += std::log(state.sum.data[i]);
  return out;
}

Tensor oracle::logSoftmax(const Tensor &x, int64_t dim) {
  Tensor lse = logSumExp(x, dim);
  Tensor out(x.shape);
  forEachIndex(x.shape, [&](const Index &index) {
    Index row = index;
    row.erase(row.begin() + dim);
    out.at(index) = lse.at(row) == -kInf ? -kInf : x.at(index) - lse.at(row);
  });
  return out;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

Tensor oracle::attention(const Attention &spec, const Tensor &q,
                         const Tensor &k, const Tensor &v, const Tensor *mask) {
  // The letters that q and k share and the scores lack are the head dimension.
  std::string headDims;
  for (char letter : spec.q)
    if (spec.scores.find(letter) == std::string::npos)
      headDims += letter;

  std::string loops = spec.out + spec.keys + headDims;
  Shape sizes = getSizes(loops, {{spec.q, &q}, {spec.k, &k}, {spec.v, &v}});
  size_t outRank = spec.out.size(), rank = loops.size();
  int64_t numKeys = sizes[outRank];
  Shape outShape(sizes.begin(), sizes.begin() + outRank);

  Tensor out(outShape);
  bool isMasked = spec.maskKind != Attention::Mask::None;
  enum { Out, Q, K, V, Mask };
  std::array<std::vector<int64_t>, 5> steps = {
      getSteps(out, spec.out, loops, sizes), getSteps(q, spec.q, loops, sizes),
      getSteps(k, spec.k, loops, sizes), getSteps(v, spec.v, loops, sizes),
      isMasked ? getSteps(*mask, spec.maskDims, loops, sizes)
               : std::vector<int64_t>(rank, 0)};
  using Positions = std::array<int64_t, 5>;
  std::vector<double> scores(numKeys);
  forEachPosition<5>(sizes, 0, outRank, steps, {}, [&](const Positions &row) {
    int64_t key = 0;
    auto score = [&](const Positions &at) {
      scores[key] = 0;
      forEachPosition<5>(sizes, outRank + 1, rank, steps, at,
                         [&](const Positions &head) {
                           scores[key] += q.data[head[Q]] * k.data[head[K]];
                         });
      scores[key] *= spec.scale;
      if (spec.maskKind == Attention::Mask::Additive)
        scores[key] += mask->data[at[Mask]];
      if (spec.maskKind == Attention::Mask::Boolean && mask->data[at[Mask]] == 0)
        scores[key] = -kInf;
      ++key;
    };
    forEachPosition<5>(sizes, outRank, outRank + 1, steps, row, score);
    double m = maxOf(scores);
    if (m == -kInf)
      m = 0; // Fully masked: all weights are 0.
    double l = 0, sum = 0;
    for (key = 0; key < numKeys; ++key) {
      double weight = std::exp(scores[key] - m);
      l += weight;
      sum += weight * v.data[row[V] + key * steps[V][outRank]];
    }
    out.data[row[Out]] = l == 0 ? sum : sum / l;
  });
  return out;
}
