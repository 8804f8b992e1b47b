//===- EnclosureRules.cpp - Ops on numbers that are intervals -------------===//
//
// See Enclosure.h.
//
//===----------------------------------------------------------------------===//

#include "Enclosure.h"
#include "ErrorBound.h"
#include "Execute.h"
#include "PromoteToF64.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <deque>
#include <limits>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Enclosed::Enclosed(double value, double low, double high)
    : value(value), low(low), high(high) {
  // inf - inf of bounds where the value is a number.
  if (std::isnan(low) || std::isnan(high)) {
    bool all = std::isnan(value) && std::isnan(low) && std::isnan(high);
    if (!all) {
      this->low = -kInf;
      this->high = kInf;
    }
  }
}

Enclosed Enclosed::unknown(double value) { return {value, -kInf, kInf}; }

bool Enclosed::isNaN() const { return std::isnan(low); }
bool Enclosed::isUnknown() const { return low == -kInf && high == kInf; }
bool Enclosed::isExact() const { return low == high && low == value; }

static double magnitude(const Enclosed &x) {
  return std::max(std::fabs(x.low), std::fabs(x.high));
}

/// Widens `x`, stored in `type`, by `error`. What may be larger than any number
/// of the format may be infinite.
static Enclosed widen(Enclosed x, DType type, double error) {
  if (x.isNaN() || x.isUnknown())
    return x;
  oracle::FloatFormat format = oracle::getFormat(type);
  auto push = [&](double &bound, double sign) {
    if (!std::isfinite(bound))
      return;
    bound += sign * error;
    if (bound > format.largest && sign > 0)
      bound = kInf;
    if (bound < -format.largest && sign < 0)
      bound = -kInf;
  };
  push(x.low, -1);
  push(x.high, 1);
  // An exact infinity stays one; what overflows exactly as well.
  if (x.low > format.largest)
    x.low = format.largest;
  if (x.high < -format.largest)
    x.high = -format.largest;
  return x;
}

/// One rounding, of `ulps` units relative to `size`.
static Enclosed round(const Enclosed &x, DType type, double ulps, double size) {
  if (std::isinf(x.value) && x.isExact())
    return x;
  // Zeros, and what the format has where the op is rounded correctly.
  if (x.isExact() && x.value == 0 && size == 0)
    return x;
  double u = oracle::getFormat(type).unitRoundoff;
  return widen(x, type, ulps * u * size + oracle::getUnderflow(type));
}

static bool isRepresentable(const Enclosed &x, DType type) {
  return x.isExact() && oracle::roundTo(x.value, type) == x.value;
}

double linalg_ext_test::getTermError(Type type, int64_t numTerms,
                                     double magnitude) {
  DType format;
  if (magnitude == 0 || !convertElementType(type, format))
    return 0;
  double n = static_cast<double>(numTerms);
  double u = oracle::getFormat(format).unitRoundoff;
  bool isWide = format == DType::F32 || format == DType::F64;
  double operations = isWide ? 3 * n + 64 : n + 2;
  return oracle::gamma(operations, u) * magnitude +
         oracle::getUnderflow(format);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// One function of one argument, which grows or falls everywhere.
struct Monotone {
  double (*function)(double);
  /// Relative and absolute, in u; `byArgument` in u |x|, relative.
  double relative, absolute = 0, byArgument = 0;
  /// The domain.
  double lowest = -kInf, highest = kInf;
};
} // namespace

static EnclosedRule makeMonotone(const Monotone &m, DType type) {
  return [m, type](ArrayRef<Enclosed> operands, int, int64_t) -> Enclosed {
    const Enclosed &x = operands[0];
    double value = m.function(x.value);
    if (x.isNaN())
      return kNaN;
    // Beyond the domain anything may be.
    if ((x.low < m.lowest || x.high > m.highest) && !x.isExact())
      return Enclosed::unknown(value);
    double a = m.function(x.low), b = m.function(x.high);
    Enclosed y(value, std::min(a, b), std::max(a, b));
    if (y.isNaN() || (y.isExact() && !std::isfinite(y.value)))
      return y;
    double u = oracle::getFormat(type).unitRoundoff;
    auto error = [&](double at, double result) {
      if (!std::isfinite(result))
        return 0.0;
      double argument = std::isfinite(at) ? std::fabs(at) : 0;
      return u * (std::fabs(result) * (m.relative + m.byArgument * argument) +
                  m.absolute);
    };
    double e = std::max(error(x.low, a), error(x.high, b));
    // exp(-inf) is 0 on every machine.
    if (y.isExact() && y.value == 0 && std::isinf(x.value))
      return y;
    return widen(y, type, e + oracle::getUnderflow(type));
  };
}

/// A function whose slope is at most 1.
static EnclosedRule makeWave(double (*function)(double), DType type) {
  return
      [function, type](ArrayRef<Enclosed> operands, int, int64_t) -> Enclosed {
        const Enclosed &x = operands[0];
        if (x.isNaN() || !std::isfinite(magnitude(x)))
          return Enclosed::unknown(function(x.value));
        double value = function(x.value);
        double spread = std::max(x.high - x.value, x.value - x.low);
        double u = oracle::getFormat(type).unitRoundoff;
        Enclosed y(value, std::max(value - spread, -1.0),
                   std::min(value + spread, 1.0));
        return widen(y, type, u * (8 + 2 * magnitude(x)));
      };
}

/// The hyperbolic cosine, which falls up to 0 and grows from there.
static EnclosedRule makeCosh(DType type) {
  return [rule = makeMonotone({std::cosh, 8, 0, 2}, type)](
             ArrayRef<Enclosed> operands, int accumulator,
             int64_t numTerms) -> Enclosed {
    const Enclosed &x = operands[0];
    Enclosed y = rule(operands, accumulator, numTerms);
    if (x.low < 0 && x.high > 0 && !y.isUnknown())
      y.low = std::min(y.low, 1.0);
    return y;
  };
}

/// The tangent, which grows between two poles.
static EnclosedRule makeTan(DType type) {
  return [type](ArrayRef<Enclosed> operands, int, int64_t) -> Enclosed {
    const Enclosed &x = operands[0];
    double value = std::tan(x.value);
    auto branch = [](double at) { return std::floor(at / M_PI + 0.5); };
    if (x.isNaN() || !std::isfinite(magnitude(x)) ||
        branch(x.low) != branch(x.high))
      return Enclosed::unknown(value);
    Enclosed y(value, std::tan(x.low), std::tan(x.high));
    double size = magnitude(y);
    // The slope is 1 + tan^2.
    return widen(y, type,
                 oracle::getFormat(type).unitRoundoff *
                     (8 * size + (8 + 2 * magnitude(x)) * (1 + size * size)));
  };
}

static double rsqrtOf(double x) { return 1 / std::sqrt(x); }
static double roundEven(double x) { return std::nearbyint(x); }

static std::optional<EnclosedRule> getFunctionRule(Operation *op, DType type) {
  static const llvm::StringMap<Monotone> functions = {
      {"math.exp", {std::exp, 8, 0, 2}},
      {"math.exp2", {std::exp2, 8, 0, 2}},
      {"math.expm1", {std::expm1, 8, 8, 2}},
      {"math.log", {std::log, 8, 8, 0, 0}},
      {"math.log2", {std::log2, 8, 8, 0, 0}},
      {"math.log10", {std::log10, 8, 8, 0, 0}},
      {"math.log1p", {std::log1p, 8, 8, 0, -1}},
      {"math.sqrt", {std::sqrt, 4, 0, 0, 0}},
      {"math.rsqrt", {rsqrtOf, 4, 0, 0, 0}},
      {"math.cbrt", {std::cbrt, 8}},
      {"math.tanh", {std::tanh, 8}},
      {"math.atan", {std::atan, 8}},
      {"math.acos", {std::acos, 8, 8, 0, -1, 1}},
      {"math.asin", {std::asin, 8, 8, 0, -1, 1}},
      {"math.acosh", {std::acosh, 8, 8, 0, 1}},
      {"math.asinh", {std::asinh, 8, 8}},
      {"math.atanh", {std::atanh, 8, 8, 0, -1, 1}},
      {"math.sinh", {std::sinh, 8, 8, 2}},
      {"math.erf", {std::erf, 8, 8}},
      {"math.erfc", {std::erfc, 8, 8}},
      {"math.ceil", {std::ceil, 0}},
      {"math.floor", {std::floor, 0}},
      {"math.round", {std::round, 0}},
      {"math.trunc", {std::trunc, 0}},
      {"math.roundeven", {roundEven, 0}},
  };
  StringRef name = op->getName().getStringRef();
  if (auto it = functions.find(name); it != functions.end())
    return makeMonotone(it->second, type);
  if (isa<math::SinOp>(op))
    return makeWave(std::sin, type);
  if (isa<math::CosOp>(op))
    return makeWave(std::cos, type);
  if (isa<math::CoshOp>(op))
    return makeCosh(type);
  if (isa<math::TanOp>(op))
    return makeTan(type);
  return std::nullopt;
}

/// x^y of a positive x, or of an exact whole y.
static Enclosed power(const Enclosed &x, const Enclosed &y, DType type) {
  double value = std::pow(x.value, y.value);
  if (x.isNaN() || y.isNaN() || x.isUnknown() || y.isUnknown())
    return Enclosed::unknown(value);
  bool isWhole = y.isExact() && y.value == std::floor(y.value);
  bool crossesZero = x.low <= 0 && x.high >= 0;
  if (!isWhole && (x.low < 0 || (crossesZero && !x.isExact())))
    return Enclosed::unknown(value);
  if (isWhole && y.value < 0 && crossesZero)
    return Enclosed::unknown(value);
  double low = kInf, high = -kInf, error = 0;
  double u = oracle::getFormat(type).unitRoundoff;
  for (double a : {x.low, x.high})
    for (double b : {y.low, y.high}) {
      double result = std::pow(a, b);
      low = std::min(low, result);
      high = std::max(high, result);
      double exponent = a != 0 ? std::fabs(b * std::log(std::fabs(a))) : 0;
      if (std::isfinite(result) && std::isfinite(exponent))
        error = std::max(error, u * (16 + 8 * exponent) * std::fabs(result));
    }
  if (isWhole && crossesZero)
    low = std::min(low, 0.0);
  Enclosed z(value, low, high);
  if (isRepresentable(z, type))
    return z;
  return widen(z, type, error + oracle::getUnderflow(type));
}

//===----------------------------------------------------------------------===//
// Floating-point arithmetic
//===----------------------------------------------------------------------===//

static Enclosed addRule(const Enclosed &x, const Enclosed &y, double sign,
                        DType type, Type mlirType, int accumulator,
                        int64_t numTerms) {
  Enclosed s =
      sign > 0 ? Enclosed(x.value + y.value, x.low + y.low, x.high + y.high)
               : Enclosed(x.value - y.value, x.low - y.high, x.high - y.low);
  if (s.isNaN() || s.isUnknown())
    return s;
  if (accumulator >= 0 && numTerms > 0) {
    const Enclosed &term = accumulator == 0 ? y : x;
    return std::isfinite(magnitude(term))
               ? widen(s, type,
                       getTermError(mlirType, numTerms, magnitude(term)))
               : s;
  }
  if (isRepresentable(s, type))
    return s;
  double size = magnitude(x) + magnitude(y);
  if (!std::isfinite(size))
    return s;
  return round(s, type, 3, size);
}

static Enclosed multiplyRule(const Enclosed &x, const Enclosed &y, DType type) {
  double value = x.value * y.value;
  if ((x.isNaN() && y.isExact()) || (y.isNaN() && x.isExact()))
    return kNaN;
  double low = kInf, high = -kInf;
  for (double a : {x.low, x.high})
    for (double b : {y.low, y.high}) {
      double product = a * b;
      if (std::isnan(product))
        return x.isExact() && y.isExact() ? Enclosed(kNaN)
                                          : Enclosed::unknown(value);
      low = std::min(low, product);
      high = std::max(high, product);
    }
  Enclosed p(value, low, high);
  if (isRepresentable(p, type))
    return p;
  double size = magnitude(p);
  return std::isfinite(size) ? round(p, type, 1, size) : p;
}

static Enclosed divideRule(const Enclosed &x, const Enclosed &y, DType type) {
  double value = x.value / y.value;
  if ((x.isNaN() && y.isExact()) || (y.isNaN() && x.isExact()))
    return kNaN;
  if (x.isExact() && y.isExact() && !std::isfinite(value))
    return value;
  if (x.isNaN() || y.isNaN() || (y.low <= 0 && y.high >= 0))
    return Enclosed::unknown(value);
  double low = kInf, high = -kInf;
  for (double a : {x.low, x.high})
    for (double b : {y.low, y.high}) {
      double quotient = a / b;
      if (std::isnan(quotient))
        return Enclosed::unknown(value);
      low = std::min(low, quotient);
      high = std::max(high, quotient);
    }
  Enclosed q(value, low, high);
  // By a power of two.
  int exponent;
  if (y.isExact() && std::fabs(std::frexp(y.value, &exponent)) == 0.5 &&
      isRepresentable(q, type) &&
      std::fabs(q.value) >= oracle::getFormat(type).smallestNormal)
    return q;
  double size = magnitude(q);
  return std::isfinite(size) ? round(q, type, 4, size) : q;
}

static Enclosed truncateRule(const Enclosed &x, DType type) {
  if (isRepresentable(x, type) || x.isNaN())
    return x;
  double size = magnitude(x);
  // NaN, where there is no infinity, or the largest number.
  bool hasInfinity = type >= DType::F16 || type == DType::F8E5M2;
  if (!hasInfinity && size > oracle::getFormat(type).largest)
    return Enclosed::unknown(oracle::roundTo(x.value, type));
  if (!std::isfinite(size))
    return widen(x, type, 0);
  // Rounding is monotonic: what is in the format's range stays there.
  double largest = oracle::getFormat(type).largest;
  Enclosed y = round(x, type, 1, size);
  if (x.high <= largest)
    y.high = std::min(y.high, largest);
  if (x.low >= -largest)
    y.low = std::max(y.low, -largest);
  return y;
}

/// The power of two that a scale of any float is rounded to.
static Enclosed roundScale(const Enclosed &x) {
  auto round = [](double scale) {
    return oracle::roundTo(scale, DType::F8E8M0FNU);
  };
  double value = round(x.value);
  if (x.isNaN() || x.isUnknown() || x.low < 0)
    return x.isNaN() ? Enclosed(kNaN) : Enclosed::unknown(value);
  return {value, round(x.low), round(x.high)};
}

static Enclosed extremum(const Enclosed &x, const Enclosed &y, bool isMax,
                         bool ignoresNaN) {
  auto pick = [&](double a, double b) {
    return isMax ? std::max(a, b) : std::min(a, b);
  };
  if (x.isNaN() || y.isNaN()) {
    if (!ignoresNaN)
      return kNaN;
    return x.isNaN() ? y : x;
  }
  double value = std::isnan(x.value) || std::isnan(y.value)
                     ? (ignoresNaN ? std::fmax(x.value, y.value) : kNaN)
                     : pick(x.value, y.value);
  if (x.isUnknown() || y.isUnknown())
    return Enclosed::unknown(value);
  return {value, pick(x.low, y.low), pick(x.high, y.high)};
}

static Enclosed hull(double value, const Enclosed &x, const Enclosed &y) {
  if (x.isNaN() || y.isNaN())
    return x.isNaN() && y.isNaN() ? Enclosed(kNaN) : Enclosed::unknown(value);
  return {value, std::min(x.low, y.low), std::max(x.high, y.high)};
}

/// A truth value that is not decided.
static Enclosed undecided(bool value) { return {value ? 1.0 : 0.0, 0.0, 1.0}; }

static Enclosed compareRule(arith::CmpFPredicate predicate, const Enclosed &x,
                            const Enclosed &y) {
  APFloat a(x.value), b(y.value);
  bool value = arith::applyCmpPredicate(predicate, a, b);
  if ((x.isExact() || x.isNaN()) && (y.isExact() || y.isNaN()))
    return value ? 1.0 : 0.0;
  if (x.isUnknown() || y.isUnknown() || x.isNaN() || y.isNaN())
    return undecided(value);
  // All relations that the intervals leave open.
  std::optional<bool> answer;
  auto consider = [&](double p, double q) {
    bool now = arith::applyCmpPredicate(predicate, APFloat(p), APFloat(q));
    if (answer && *answer != now)
      return false;
    answer = now;
    return true;
  };
  bool decided = true;
  if (x.low < y.high)
    decided &= consider(0, 1);
  if (x.high > y.low)
    decided &= consider(1, 0);
  if (x.low <= y.high && y.low <= x.high)
    decided &= consider(0, 0);
  return decided && answer ? Enclosed(*answer ? 1.0 : 0.0) : undecided(value);
}

/// The angle of (x, y). It jumps where y changes its sign left of 0.
static Enclosed getAngle(const Enclosed &y, const Enclosed &x, DType type) {
  double value = std::atan2(y.value, x.value);
  bool areExact = x.isExact() && y.isExact();
  if (x.isNaN() || y.isNaN() || x.isUnknown() || y.isUnknown() ||
      (!areExact && x.low <= 0 && y.low <= 0 && y.high >= 0))
    return x.isNaN() || y.isNaN() ? Enclosed(kNaN) : Enclosed::unknown(value);
  double low = kInf, high = -kInf;
  for (double a : {x.low, x.high})
    for (double b : {y.low, y.high}) {
      low = std::min(low, std::atan2(b, a));
      high = std::max(high, std::atan2(b, a));
    }
  Enclosed z(value, low, high);
  return round(z, type, 8, magnitude(z));
}

/// |x| with the sign of y.
static Enclosed copySign(const Enclosed &x, const Enclosed &y) {
  double value = std::copysign(x.value, y.value), size = magnitude(x);
  if (x.isNaN() || x.isUnknown() || y.isUnknown())
    return x.isNaN() ? Enclosed(kNaN) : Enclosed::unknown(value);
  if (!y.isExact() && !(y.low > 0) && !(y.high < 0))
    return {value, -size, size};
  if (x.isExact())
    return value;
  double least = x.low <= 0 && x.high >= 0
                     ? 0
                     : std::min(std::fabs(x.low), std::fabs(x.high));
  return std::signbit(y.value) ? Enclosed(value, -size, -least)
                               : Enclosed(value, least, size);
}

/// What an op asks about a number: whether it is finite, infinite, no number,
/// or at least the smallest normal number.
static std::optional<EnclosedRule> getClassRule(Operation *op) {
  DType type;
  if (!isa<math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(
          op) ||
      !convertElementType(getElementTypeOrSelf(op->getOperand(0)), type))
    return std::nullopt;
  double smallest = oracle::getFormat(type).smallestNormal;
  auto answer = [=](double number) {
    if (isa<math::IsFiniteOp>(op))
      return std::isfinite(number);
    if (isa<math::IsInfOp>(op))
      return std::isinf(number);
    if (isa<math::IsNaNOp>(op))
      return std::isnan(number);
    return std::isfinite(number) && std::fabs(number) >= smallest;
  };
  return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
    bool value = answer(x[0].value);
    bool isDecided = x[0].isExact() || x[0].isNaN();
    // Finite numbers, of which all are subnormal or none.
    if (!isDecided && std::isfinite(magnitude(x[0])))
      isDecided = answer(x[0].low) == value && answer(x[0].high) == value &&
                  (!value || !isa<math::IsNormalOp>(op) || x[0].low > 0 ||
                   x[0].high < 0);
    return isDecided ? Enclosed(value ? 1.0 : 0.0) : undecided(value);
  });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Numbers of integer type are doubles with the value of a signed integer, 0 or
/// 1 if they have one bit.
/// The largest number of 64 bits is 2^63 in a double.
static int64_t toInteger(double x) {
  return x < 0x1p63 ? static_cast<int64_t>(x)
                    : std::numeric_limits<int64_t>::max();
}

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static double wrap(int64_t x, unsigned width) {
  if (width == 1)
    return static_cast<double>(x & 1);
  return static_cast<double>(width >= 64 ? x : llvm::SignExtend64(x, width));
}

static uint64_t toUnsigned(double x, unsigned width) {
  uint64_t word = static_cast<uint64_t>(toInteger(x));
  return width >= 64 ? word : word & ((uint64_t(1) << width) - 1);
}

static EnclosedRule makeInteger(unsigned width,
                                std::function<int64_t(int64_t, int64_t)> f) {
  return [=](ArrayRef<Enclosed> operands, int, int64_t) -> Enclosed {
    bool exact = true;
    for (const Enclosed &x : operands)
      exact &= x.isExact();
    double value =
        wrap(f(toInteger(operands[0].value),
               operands.size() > 1 ? toInteger(operands[1].value) : 0),
             width);
    if (exact)
      return value;
    return width == 1 ? Enclosed(value, 0, 1) : Enclosed::unknown(value);
  };
}

/// And, or: of truth values, what one of them decides is decided.
static EnclosedRule makeLogic(unsigned width, bool isAnd) {
  EnclosedRule general = makeInteger(width, [isAnd](int64_t a, int64_t b) {
    return isAnd ? (a & b) : (a | b);
  });
  return [=](ArrayRef<Enclosed> operands, int accumulator, int64_t n) {
    for (const Enclosed &x : operands)
      if (width == 1 && x.isExact() && (x.value == 0) == isAnd)
        return Enclosed(isAnd ? 0.0 : 1.0);
    return general(operands, accumulator, n);
  };
}

static std::optional<EnclosedRule> getIntegerRule(Operation *op) {
  Type operandType =
      op->getNumOperands() ? getElementTypeOrSelf(op->getOperand(0)) : Type();
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    unsigned width = getWidth(operandType);
    arith::CmpIPredicate predicate = cmp.getPredicate();
    bool isUnsigned = predicate == arith::CmpIPredicate::ult ||
                      predicate == arith::CmpIPredicate::ule ||
                      predicate == arith::CmpIPredicate::ugt ||
                      predicate == arith::CmpIPredicate::uge;
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      auto toWord = [&](double value) {
        // One bit is sign-extended where the comparison is of signed numbers.
        int64_t number = toInteger(value);
        if (width == 1 && !isUnsigned)
          number = -number;
        return APInt(width, static_cast<uint64_t>(number), false, true);
      };
      bool value = arith::applyCmpPredicate(predicate, toWord(x[0].value),
                                            toWord(x[1].value));
      return x[0].isExact() && x[1].isExact() ? Enclosed(value ? 1.0 : 0.0)
                                              : undecided(value);
    });
  }
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (!type.isIntOrIndex())
    return std::nullopt;
  unsigned width = getWidth(type);
  StringRef name = op->getName().getStringRef();
  if (isa<arith::AndIOp>(op))
    return makeLogic(width, true);
  if (isa<arith::OrIOp>(op))
    return makeLogic(width, false);
  using Function = std::function<int64_t(int64_t, int64_t)>;
  static const llvm::StringMap<Function> functions = {
      {"arith.addi", [](int64_t a, int64_t b) { return a + b; }},
      {"arith.subi", [](int64_t a, int64_t b) { return a - b; }},
      {"arith.muli", [](int64_t a, int64_t b) { return a * b; }},
      {"arith.xori", [](int64_t a, int64_t b) { return a ^ b; }},
      {"arith.shli", [](int64_t a, int64_t b) { return a << b; }},
      {"arith.shrsi", [](int64_t a, int64_t b) { return a >> b; }},
      {"arith.divsi", [](int64_t a, int64_t b) { return b ? a / b : 0; }},
      {"arith.remsi", [](int64_t a, int64_t b) { return b ? a % b : 0; }},
      {"arith.floordivsi",
       [](int64_t a, int64_t b) {
         return b ? static_cast<int64_t>(std::floor(static_cast<double>(a) / b))
                  : 0;
       }},
      {"arith.ceildivsi",
       [](int64_t a, int64_t b) {
         if (!b)
           return int64_t(0);
         return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
       }},
      {"math.ipowi",
       [](int64_t a, int64_t b) {
         // Of numbers with a negative exponent, 1 and -1 alone have a power.
         if (b < 0)
           return a == 1 || (a == -1 && b % 2 == 0) ? int64_t(1)
                  : a == -1                         ? int64_t(-1)
                                                    : int64_t(0);
         uint64_t result = 1;
         for (uint64_t base = a; b > 0; b /= 2, base *= base)
           if (b % 2)
             result *= base;
         return static_cast<int64_t>(result);
       }},
      {"arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
      {"arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"math.absi", [](int64_t a, int64_t) { return std::abs(a); }},
      {"arith.extsi", [](int64_t a, int64_t) { return a; }},
      {"arith.trunci", [](int64_t a, int64_t) { return a; }},
      {"arith.index_cast", [](int64_t a, int64_t) { return a; }},
  };
  if (auto it = functions.find(name); it != functions.end()) {
    Function f = it->second;
    bool extendsBit = (isa<arith::ExtSIOp, arith::IndexCastOp>(op)) &&
                      getWidth(operandType) == 1;
    if (extendsBit)
      return makeInteger(width, [](int64_t a, int64_t) { return -a; });
    return makeInteger(width, f);
  }
  unsigned from = operandType ? getWidth(operandType) : 0;
  using Unsigned = std::function<uint64_t(uint64_t, uint64_t)>;
  static const llvm::StringMap<Unsigned> unsignedFunctions = {
      {"arith.extui", [](uint64_t a, uint64_t) { return a; }},
      {"arith.index_castui", [](uint64_t a, uint64_t) { return a; }},
      {"arith.divui", [](uint64_t a, uint64_t b) { return b ? a / b : 0; }},
      {"arith.remui", [](uint64_t a, uint64_t b) { return b ? a % b : 0; }},
      {"arith.ceildivui",
       [](uint64_t a, uint64_t b) { return b ? a / b + (a % b != 0) : 0; }},
      {"math.ctpop",
       [](uint64_t a, uint64_t) { return uint64_t(llvm::popcount(a)); }},
      {"arith.shrui",
       [](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; }},
      {"arith.maxui", [](uint64_t a, uint64_t b) { return std::max(a, b); }},
      {"arith.minui", [](uint64_t a, uint64_t b) { return std::min(a, b); }},
  };
  if (auto it = unsignedFunctions.find(name); it != unsignedFunctions.end()) {
    Unsigned f = it->second;
    return makeInteger(width, [=](int64_t a, int64_t b) {
      return static_cast<int64_t>(f(toUnsigned(static_cast<double>(a), from),
                                    toUnsigned(static_cast<double>(b), from)));
    });
  }
  if (isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op)) {
    bool isLeading = isa<math::CountLeadingZerosOp>(op);
    return makeInteger(width, [=](int64_t a, int64_t) -> int64_t {
      APInt word(width, toUnsigned(static_cast<double>(a), width));
      return isLeading ? word.countl_zero() : word.countr_zero();
    });
  }
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      // An unsigned integer is kept as a signed one of its bits.
      double value = std::trunc(x[0].value);
      if (std::fabs(value) < 0x1p62)
        value = wrap(static_cast<int64_t>(value), width);
      // The same whole number wherever it is.
      bool decided = std::trunc(x[0].low) == std::trunc(x[0].high);
      return decided ? Enclosed(value) : Enclosed::unknown(value);
    });
  return std::nullopt;
}

/// The bits of a number, and a number of bits: of one that is known, or, as
/// bits of positive floats grow with them, of an interval of those.
static std::optional<EnclosedRule> getBitcastRule(arith::BitcastOp op) {
  Type from = getElementTypeOrSelf(op.getIn());
  Type to = getElementTypeOrSelf(op.getOut());
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  unsigned width = getWidth(from);
  if (!fromFloat == !toFloat || width > 64)
    return std::nullopt;
  if (toFloat)
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      APFloat number(toFloat.getFloatSemantics(),
                     APInt(width, toUnsigned(x[0].value, width)));
      bool isInexact;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &isInexact);
      double value = number.convertToDouble();
      return x[0].isExact() ? Enclosed(value) : Enclosed::unknown(value);
    });
  auto getBits = [=](double value, APFloat::roundingMode mode) {
    APFloat number(value);
    bool isInexact;
    number.convert(fromFloat.getFloatSemantics(), mode, &isInexact);
    return wrap(static_cast<int64_t>(number.bitcastToAPInt().getZExtValue()),
                width);
  };
  return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
    double value = getBits(x[0].value, APFloat::rmNearestTiesToEven);
    if (x[0].isExact())
      return value;
    if (x[0].isNaN() || x[0].isUnknown() || !(x[0].low > 0))
      return Enclosed::unknown(value);
    return {value, getBits(x[0].low, APFloat::rmTowardNegative),
            getBits(x[0].high, APFloat::rmTowardPositive)};
  });
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

static Enclosed makeComplex(Enclosed re, Enclosed im) {
  // Programs of tests are small: nothing is freed.
  static std::deque<Enclosed> parts;
  re.imaginary = &parts.emplace_back(im);
  return re;
}

static Enclosed getReal(Enclosed x) {
  x.imaginary = nullptr;
  return x;
}

static std::optional<EnclosedRule> getComplexRule(Operation *op) {
  auto getPart = [](Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    return complex ? complex.getElementType() : type;
  };
  Type part = getPart(op->getResult(0).getType());
  DType type;
  if (!isa<FloatType>(part) || !convertElementType(part, type))
    return std::nullopt;
  if (auto constant = dyn_cast<complex::ConstantOp>(op)) {
    auto number = [&](unsigned i) {
      return Enclosed(
          cast<FloatAttr>(constant.getValue()[i]).getValueAsDouble());
    };
    Enclosed re = number(0), im = number(1);
    return EnclosedRule(
        [=](ArrayRef<Enclosed>, int, int64_t) { return makeComplex(re, im); });
  }
  if (isa<complex::CreateOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) {
      return makeComplex(x[0], x[1]);
    });
  if (isa<complex::ReOp>(op))
    return EnclosedRule(
        [](ArrayRef<Enclosed> x, int, int64_t) { return getReal(x[0]); });
  if (isa<complex::ImOp>(op))
    return EnclosedRule(
        [](ArrayRef<Enclosed> x, int, int64_t) { return *x[0].imaginary; });
  if (isa<complex::ConjOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) {
      const Enclosed &im = *x[0].imaginary;
      return makeComplex(x[0], Enclosed(-im.value, -im.high, -im.low));
    });
  if (isa<complex::AddOp, complex::SubOp>(op)) {
    double sign = isa<complex::AddOp>(op) ? 1 : -1;
    return EnclosedRule([=](ArrayRef<Enclosed> x, int accumulator, int64_t n) {
      return makeComplex(addRule(getReal(x[0]), getReal(x[1]), sign, type, part,
                                 accumulator, n),
                         addRule(*x[0].imaginary, *x[1].imaginary, sign, type,
                                 part, accumulator, n));
    });
  }
  if (isa<complex::MulOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) {
      Enclosed a = getReal(x[0]), b = *x[0].imaginary, c = getReal(x[1]),
               d = *x[1].imaginary;
      auto times = [&](const Enclosed &left, const Enclosed &right) {
        return multiplyRule(left, right, type);
      };
      return makeComplex(
          addRule(times(a, c), times(b, d), -1, type, part, -1, 0),
          addRule(times(a, d), times(b, c), 1, type, part, -1, 0));
    });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Returns the rule of an op with one result.
static std::optional<EnclosedRule> getRule(Operation *op) {
  if (isa_and_present<complex::ComplexDialect>(op->getDialect()))
    return getComplexRule(op);
  Type mlirType = getElementTypeOrSelf(op->getResult(0));
  if (auto cast = dyn_cast<arith::BitcastOp>(op))
    return getBitcastRule(cast);
  if (isa<arith::SelectOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      const Enclosed &chosen = x[0].value != 0 ? x[1] : x[2];
      return x[0].isExact() ? chosen : hull(chosen.value, x[1], x[2]);
    });
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = cmp.getPredicate();
    return EnclosedRule(
        [predicate](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
          return compareRule(predicate, x[0], x[1]);
        });
  }
  if (std::optional<EnclosedRule> rule = getClassRule(op))
    return rule;
  if (std::optional<EnclosedRule> rule = getIntegerRule(op))
    return rule;
  DType type;
  if (!isa<FloatType>(mlirType) || !convertElementType(mlirType, type))
    return std::nullopt;

  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    double sign = isa<arith::AddFOp>(op) ? 1 : -1;
    return EnclosedRule(
        [=](ArrayRef<Enclosed> x, int accumulator, int64_t n) -> Enclosed {
          return addRule(x[0], x[1], sign, type, mlirType, accumulator, n);
        });
  }
  if (isa<arith::MulFOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return multiplyRule(x[0], x[1], type);
    });
  if (isa<math::FmaOp>(op))
    return EnclosedRule(
        [=](ArrayRef<Enclosed> x, int accumulator, int64_t n) -> Enclosed {
          return addRule(multiplyRule(x[0], x[1], type), x[2], 1, type,
                         mlirType, accumulator == 2 ? 1 : -1, n);
        });
  if (isa<arith::DivFOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return divideRule(x[0], x[1], type);
    });
  if (isa<arith::NegFOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return {-x[0].value, -x[0].high, -x[0].low};
    });
  if (isa<math::AbsFOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      double a = std::fabs(x[0].low), b = std::fabs(x[0].high);
      bool crosses = x[0].low <= 0 && x[0].high >= 0;
      return {std::fabs(x[0].value), crosses ? 0 : std::min(a, b),
              std::max(a, b)};
    });
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
          arith::MinNumFOp>(op)) {
    bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
    bool ignores = isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return extremum(x[0], x[1], isMax, ignores);
    });
  }
  if (isa<arith::ExtFOp>(op))
    return EnclosedRule(
        [](ArrayRef<Enclosed> x, int, int64_t) { return x[0]; });
  if (isa<arith::TruncFOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return type == DType::F8E8M0FNU ? roundScale(x[0])
                                      : truncateRule(x[0], type);
    });
  // By a power of two: a product, or a quotient that is rounded.
  DType scaledType;
  bool isRounded = isComputedFromBits(op);
  if (isa<arith::ScalingExtFOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return multiplyRule(x[0], isRounded ? roundScale(x[1]) : x[1], type);
    });
  if (isa<arith::ScalingTruncFOp>(op) &&
      convertElementType(getElementTypeOrSelf(op->getOperand(0)), scaledType))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return truncateRule(
          divideRule(x[0], isRounded ? roundScale(x[1]) : x[1], scaledType),
          type);
    });
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    unsigned width = getWidth(getElementTypeOrSelf(op->getOperand(0)));
    bool isUnsigned = isa<arith::UIToFPOp>(op);
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      double value = isUnsigned
                         ? static_cast<double>(toUnsigned(x[0].value, width))
                     : width == 1 ? -x[0].value
                                  : x[0].value;
      if (!x[0].isExact())
        return width == 1
                   ? Enclosed(value, std::min(0.0, isUnsigned ? 1. : -1.),
                              isUnsigned ? 1 : 0)
                   : Enclosed::unknown(value);
      Enclosed y(value);
      return isRepresentable(y, type) ? y : round(y, type, 1, std::fabs(value));
    });
  }
  // The remainder of numbers is one of the format.
  if (isa<arith::RemFOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      double value = std::fmod(x[0].value, x[1].value);
      return x[0].isExact() && x[1].isExact() ? Enclosed(value)
                                              : Enclosed::unknown(value);
    });
  if (isa<math::CopySignOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return copySign(x[0], x[1]);
    });
  if (isa<math::Atan2Op>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return getAngle(x[0], x[1], type);
    });
  if (isa<math::ClampFOp>(op))
    return EnclosedRule([](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return extremum(extremum(x[0], x[1], true, false), x[2], false, false);
    });
  if (isa<math::PowFOp, math::FPowIOp>(op))
    return EnclosedRule([=](ArrayRef<Enclosed> x, int, int64_t) -> Enclosed {
      return power(x[0], x[1], type);
    });
  return getFunctionRule(op, type);
}

/// Returns the rules of an op with two results: of a sine and a cosine, or of
/// the low word of a sum or product and what it lacks.
static SmallVector<EnclosedRule, 1> getRulesOfTwo(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0));
  DType type;
  if (isa<math::SincosOp>(op) && convertElementType(element, type))
    return {makeWave(std::sin, type), makeWave(std::cos, type)};
  if (!isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp,
           arith::MulUIExtendedOp>(op) ||
      getWidth(element) > 64)
    return {};
  unsigned width = getWidth(element);
  bool isSum = isa<arith::AddUIExtendedOp>(op),
       isSigned = isa<arith::MulSIExtendedOp>(op);
  auto compute = [=](int64_t a, int64_t b) {
    auto extend = [&](int64_t number) {
      APInt word(width, toUnsigned(static_cast<double>(number), width));
      return isSigned ? word.sext(2 * width) : word.zext(2 * width);
    };
    return isSum ? extend(a) + extend(b) : extend(a) * extend(b);
  };
  auto getWord = [=](unsigned position) {
    return [=](int64_t a, int64_t b) {
      return static_cast<int64_t>(
          compute(a, b).extractBits(width, position).getZExtValue());
    };
  };
  return {makeInteger(width, getWord(0)),
          makeInteger(isSum ? 1 : width, getWord(width))};
}

SmallVector<EnclosedRule, 1> linalg_ext_test::getEnclosedRules(Operation *op) {
  if (op->getNumResults() == 2 && op->getNumOperands() > 0)
    return getRulesOfTwo(op);
  if (op->getNumResults() != 1)
    return {};
  std::optional<EnclosedRule> rule = getRule(op);
  return rule ? SmallVector<EnclosedRule, 1>{*rule}
              : SmallVector<EnclosedRule, 1>();
}
