//===- Oracle.h - Reference semantics in f64 --------------------*- C++ -*-===//
//
// The reference that tests compare fused programs with: plain C++ in f64 on
// dense tensors, written for readability. It includes no headers of MLIR or of
// this project, and shares no code with the lowerings under test.
//
// A tensor expression is written as in einsum, one letter a dimension:
//
//   Tensor s = contract("bmd,bnd->bmn", q, k);
//   Tensor p = softmax(s, /*dim=*/2).result;
//   Tensor o = contract("bmn,bne->bme", p, v);
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_ORACLE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_ORACLE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oracle {

//===----------------------------------------------------------------------===//
// Number formats
//===----------------------------------------------------------------------===//

/// The element types of the tests. An I1 takes one byte, as in a bufferised
/// program.
enum class DType {
  F4E2M1FN,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F16,
  BF16,
  F32,
  F64,
  I1,
  I8,
  I32,
  I64
};

const char *getName(DType type);
int64_t getByteWidth(DType type);
bool isFloat(DType type);

/// A binary floating-point format. Its numbers are +-significand * 2^e. The
/// significand has `precision` bits, including the hidden bit. Normal numbers
/// are in [2^minExponent, 2^(maxExponent + 1)).
struct FloatFormat {
  /// `largest` is 0 for a format that has all significands with `maxExponent`.
  FloatFormat(int precision, int minExponent, int maxExponent,
              double largest = 0);

  int precision;
  int minExponent;
  int maxExponent;
  double largest;
  double smallestNormal;
  double smallestSubnormal;
  /// u, half of the distance from 1 to the next number. Rounding a number in
  /// the normal range has a relative error of at most u.
  double unitRoundoff;
};

const FloatFormat &getFormat(DType type);

/// Returns the wider of f32 and `type`, which is the type of the running state
/// of a softmax.
DType getStateType(DType type);

/// Rounds to the nearest number of `type`, ties to even. A number beyond the
/// largest one becomes infinity, and one below the smallest normal number
/// becomes a subnormal. An integer type truncates towards zero. Of the types of
/// 8 bits only F8E5M2 has infinity: in others it is NaN. Those with UZ have no
/// -0. F4E2M1FN has neither infinity nor NaN: its largest number is taken.
/// F8E8M0FNU has powers of two: |value| is rounded, at least to 2^-127, and the
/// larger one is taken in the middle.
double roundTo(double value, DType type);

/// encode16 returns the bits of `value`, which must be an f16 or bf16 number.
/// decode16 is the inverse. encode8 and decode8 are the same for the types of 8
/// bits, and F4E2M1FN, which takes a byte.
uint16_t encode16(double value, DType type);
double decode16(uint16_t bits, DType type);
uint8_t encode8(double value, DType type);
double decode8(uint8_t bits, DType type);

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The SplitMix64 generator. Its sequence does not depend on the standard
/// library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next();
  /// Uniform in [low, high), or in [low, high] for integers.
  double uniform(double low, double high);
  int64_t integer(int64_t low, int64_t high);
  bool chance(double probability) { return uniform(0, 1) < probability; }
  template <typename T>
  const T &pick(const std::vector<T> &choices) {
    return choices[integer(0, static_cast<int64_t>(choices.size()) - 1)];
  }

private:
  uint64_t state;
};

/// Returns the number in the environment variable `name`, or `otherwise` if it
/// is not set. Such variables select the number and the seed of random cases.
int64_t getEnvironmentNumber(const char *name, int64_t otherwise);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

using Shape = std::vector<int64_t>;
using Index = std::vector<int64_t>;

/// A dense row-major tensor.
struct Tensor {
  Shape shape;
  std::vector<double> data;

  Tensor() = default;
  explicit Tensor(Shape shape, double fill = 0.0);
  Tensor(Shape shape, std::vector<double> data);

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t size() const { return static_cast<int64_t>(data.size()); }
  int64_t offsetOf(const Index &index) const;
  double &at(const Index &index) { return data[offsetOf(index)]; }
  double at(const Index &index) const { return data[offsetOf(index)]; }
};

int64_t getNumElements(const Shape &shape);

/// Calls `body` with every index of `shape`. The last dimension varies fastest.
void forEachIndex(const Shape &shape,
                  const std::function<void(const Index &)> &body);

/// Returns random numbers of `type`, uniform in [low, high).
Tensor random(Random &random, const Shape &shape, double low, double high,
              DType type);

/// Applies `function` to every element.
Tensor map(const Tensor &x, const std::function<double(double)> &function);
Tensor roundTo(const Tensor &x, DType type);

/// Transposes `x`, whose dimensions are the letters `xDims`, to the dimensions
/// `outDims`. Broadcasts along letters that only `outDims` has. `sizes` has the
/// sizes of `outDims`, in this order.
Tensor rearrange(const Tensor &x, const std::string &xDims,
                 const std::string &outDims, const Shape &sizes);

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

/// "bmd,bnd->bmn": the parts of a contraction.
struct Einsum {
  std::string lhs, rhs, out;
  /// Letters of the inputs that the output lacks, in order of appearance.
  std::string reduced;

  explicit Einsum(const std::string &text);
};

/// Returns the sum of products over the letters that the output lacks.
Tensor contract(const std::string &einsum, const Tensor &lhs,
                const Tensor &rhs);

/// The max and the sum along `dim`. The result lacks this dimension. NaN
/// propagates.
Tensor reduceMax(const Tensor &x, int64_t dim);
Tensor reduceSum(const Tensor &x, int64_t dim);

struct SoftmaxResult {
  Tensor result; ///< The shape of the input.
  Tensor max;    ///< Max and sum have the shape of the input without `dim`.
  Tensor sum;
};

/// exp(x - m) / l along `dim`, where m is the maximum and l the sum of
/// exp(x - m). For a row of all -inf the result is 0 and the state is
/// (-inf, 0). For a row with a NaN or +inf all results are NaN.
SoftmaxResult softmax(const Tensor &x, int64_t dim);

/// One step of the online softmax from the state (`oldMax`, `oldSum`):
///   m' = max(m, max x), l' = l e^(m - m') + sum e^(x - m'),
///   result = e^(x - m') / l', scale = l e^(m - m') / l'   (0 where l' = 0),
/// or, delayed, result = e^(x - m'), scale = e^(m - m'). In the exponents m' is
/// replaced by 0 where it is -inf.
struct OnlineSoftmaxResult {
  Tensor result, max, sum, scale;
};
OnlineSoftmaxResult onlineSoftmax(const Tensor &x, int64_t dim,
                                  const Tensor &oldMax, const Tensor &oldSum,
                                  bool delayed);

/// log(sum of exp(x)) along `dim`. -inf for a row of all -inf.
Tensor logSumExp(const Tensor &x, int64_t dim);

/// x - logSumExp(x). All results are -inf for a row of all -inf.
Tensor logSoftmax(const Tensor &x, int64_t dim);

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Attention with any order of dimensions. The letters of a tensor name its
/// dimensions. `scores` are the dimensions of the scores, and the softmax is
/// along the letter `keys`. k and v are broadcast along letters that only q has
/// (grouped queries).
struct Attention {
  std::string q, k, v, scores, out;
  char keys;
  double scale = 1.0;
  /// The kind of the optional mask. The mask has the dimensions `maskDims`, a
  /// subset of `scores`. An additive mask is added to the scaled scores. A
  /// boolean mask replaces the scores by -inf where it is 0.
  enum class Mask { None, Additive, Boolean } maskKind = Mask::None;
  std::string maskDims = "";
};

/// Computes one output element at a time, by the definition of attention.
Tensor attention(const Attention &spec, const Tensor &q, const Tensor &k,
                 const Tensor &v, const Tensor *mask = nullptr);

} // namespace oracle

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ORACLE_H
