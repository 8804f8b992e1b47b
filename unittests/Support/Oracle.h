//===- Oracle.h - Reference semantics in f64 --------------------*- C++ -*-===//
//
// What the fused programs are compared with: plain C++ in f64 on dense
// tensors, written for readability. It includes no header of MLIR or of this
// project and shares no code with the lowerings it judges.
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

/// The element types the tests use. I1 is stored in one byte, like in a
/// bufferised program.
enum class DType { F16, BF16, F32, F64, I1, I8, I32, I64 };

const char *getName(DType type);
int64_t getByteWidth(DType type);
bool isFloat(DType type);

/// A binary floating-point format: numbers are +-significand * 2^e with
/// `precision` bits of significand, the hidden one included; normal numbers lie
/// in [2^minExponent, 2^(maxExponent + 1)).
struct FloatFormat {
  FloatFormat(int precision, int minExponent, int maxExponent);

  int precision;
  int minExponent;
  int maxExponent;
  double largest;
  double smallestNormal;
  double smallestSubnormal;
  /// u: half the distance from 1 to the next number, so that rounding a number
  /// of the normal range errs by at most u relatively.
  double unitRoundoff;
};

const FloatFormat &getFormat(DType type);

/// The wider of f32 and `type`: the type of a softmax's running state.
DType getStateType(DType type);

/// Rounds to the nearest number of `type`, ties to even; beyond the largest
/// number to infinity, below the smallest normal one to a subnormal. An integer
/// type truncates towards zero.
double roundTo(double value, DType type);

/// The bits of an f16 or bf16 number, which `value` must be, and back.
uint16_t encode16(double value, DType type);
double decode16(uint16_t bits, DType type);

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// SplitMix64: the same sequence with every standard library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next();
  /// Uniform in [low, high), both inclusive for integers.
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

/// The number that the environment variable `name` holds, for tests that draw
/// more cases, or others, when asked; `otherwise` if it is not set.
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

/// Calls `body` with every index of `shape`, the last dimension fastest.
void forEachIndex(const Shape &shape,
                  const std::function<void(const Index &)> &body);

/// Numbers of `type`, uniform in [low, high).
Tensor random(Random &random, const Shape &shape, double low, double high,
              DType type);

/// Applies `function` to every element.
Tensor map(const Tensor &x, const std::function<double(double)> &function);
Tensor roundTo(const Tensor &x, DType type);

/// Element i of `x` indexed by the letters `xDims` goes to the dims `outDims`:
/// a transposition, with a broadcast along letters only `outDims` has (their
/// sizes come from `sizes`, which is in the order of `outDims`).
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

/// The sum of products over the letters that the output lacks.
Tensor contract(const std::string &einsum, const Tensor &lhs,
                const Tensor &rhs);

/// The largest and the sum along `dim`, which the result lacks. NaN propagates.
Tensor reduceMax(const Tensor &x, int64_t dim);
Tensor reduceSum(const Tensor &x, int64_t dim);

struct SoftmaxResult {
  Tensor result; ///< The shape of the input.
  Tensor max;    ///< The state; the shape of the input without `dim`.
  Tensor sum;
};

/// exp(x - m) / l along `dim`, with m the maximum and l the sum of exp(x - m).
/// A row without a finite or NaN element (all -inf) is 0 and leaves the state
/// (-inf, 0). A row with a NaN or +inf is NaN throughout.
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

/// log(sum of exp(x)) along `dim`; -inf for an all -inf row.
Tensor logSumExp(const Tensor &x, int64_t dim);

/// x - logSumExp(x); -inf throughout an all -inf row.
Tensor logSoftmax(const Tensor &x, int64_t dim);

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Attention over any arrangement of dimensions. The letters of a tensor name
/// its dimensions; `scores` are the dimensions of the softmax, along letter
/// `keys`. Letters that k and v lack but q has are shared (grouped queries).
struct Attention {
  std::string q, k, v, scores, out;
  char keys;
  double scale = 1.0;
  /// Optional; `mask` has the letters `maskDims`, a subset of `scores`. An
  /// additive mask is added to the scaled scores, a boolean one keeps the
  /// scores where it is not 0 and puts -inf elsewhere.
  enum class Mask { None, Additive, Boolean } maskKind = Mask::None;
  std::string maskDims = "";
};

/// One output element at a time, straight from the definition.
Tensor attention(const Attention &spec, const Tensor &q, const Tensor &k,
                 const Tensor &v, const Tensor *mask = nullptr);

} // namespace oracle

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ORACLE_H
