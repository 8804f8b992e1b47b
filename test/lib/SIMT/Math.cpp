//===- Math.cpp - math, element by element --------------------------------===//
//
// Functions are computed in double by the C library and rounded, which is at
// least as accurate as what a device computes.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// An op on a floating-point number through a function of doubles.
template <typename OpT>
static void addFunction(Handlers &handlers, double (*f)(double)) {
  addUnary<OpT>(handlers, [f](uint64_t a, const ScalarFormat &format,
                              const ScalarFormat &) {
    return encode(f(decode(a, format.kind)), format.kind);
  });
}

template <typename OpT>
static void addFunction2(Handlers &handlers, double (*f)(double, double)) {
  addBinary<OpT>(
      handlers, [f](uint64_t a, uint64_t b, const ScalarFormat &format) {
        return encode(f(decode(a, format.kind), decode(b, format.kind)),
                      format.kind);
      });
}

/// A predicate on a floating-point number.
template <typename OpT>
static void addTest(Handlers &handlers, bool (*f)(double)) {
  addUnary<OpT>(handlers, [f](uint64_t a, const ScalarFormat &format,
                              const ScalarFormat &) {
    return static_cast<uint64_t>(f(decode(a, format.kind)));
  });
}

static LogicalResult runFma(math::FmaOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  return mapElements(machine, op, [&](const uint64_t *x) {
    return fusedMultiplyAdd(x[0], x[1], x[2], format->kind);
  });
}

static LogicalResult runClamp(math::ClampFOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  return mapElements(machine, op, [&](const uint64_t *x) {
    double value = decode(x[0], format->kind);
    value = maximum(value, decode(x[1], format->kind));
    return encode(minimum(value, decode(x[2], format->kind)), format->kind);
  });
}

/// The power of a floating-point number and an integer.
static LogicalResult runFPowI(math::FPowIOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  std::optional<ScalarFormat> exponent = getFormat(op.getRhs());
  if (!format || !exponent)
    return reportType(op);
  return mapElements(machine, op, [&](const uint64_t *x) {
    return encode(
        std::pow(decode(x[0], format->kind),
                 static_cast<double>(signExtend(x[1], exponent->bits))),
        format->kind);
  });
}

/// Both results of a sincos.
static LogicalResult runSincos(math::SincosOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  const Register &x = machine.get(op.getOperand());
  auto compute = [&](OpResult result, double (*f)(double)) {
    return machine.compute(
        result, op->getOperands(), x.width, [&](int thread, uint64_t *words) {
          for (int64_t i = 0; i < x.width; ++i)
            words[i] =
                encode(f(decode(x.at(thread)[i], format->kind)), format->kind);
          return success();
        });
  };
  return success(succeeded(compute(op->getResult(0), std::sin)) &&
                 succeeded(compute(op->getResult(1), std::cos)));
}

/// x^n of integers. With a negative n, only 1 and -1 have a power other than 0.
static uint64_t powerOfIntegers(uint64_t a, uint64_t b,
                                const ScalarFormat &format) {
  int64_t x = signExtend(a, format.bits), n = signExtend(b, format.bits);
  if (n < 0)
    return x == 1 || x == -1 ? (n % 2 ? x : 1) : 0;
  uint64_t power = 1;
  for (uint64_t square = x; n; n /= 2, square *= square)
    power *= n % 2 ? square : 1;
  return power;
}

void simt::populateMath(Handlers &handlers) {
  addFunction<math::AcosOp>(handlers, std::acos);
  addFunction<math::AcoshOp>(handlers, std::acosh);
  addFunction<math::AsinOp>(handlers, std::asin);
  addFunction<math::AsinhOp>(handlers, std::asinh);
  addFunction<math::AtanOp>(handlers, std::atan);
  addFunction<math::AtanhOp>(handlers, std::atanh);
  addFunction<math::CbrtOp>(handlers, std::cbrt);
  addFunction<math::CeilOp>(handlers, std::ceil);
  addFunction<math::CosOp>(handlers, std::cos);
  addFunction<math::CoshOp>(handlers, std::cosh);
  addFunction<math::ErfOp>(handlers, std::erf);
  addFunction<math::ErfcOp>(handlers, std::erfc);
  addFunction<math::ExpOp>(handlers, std::exp);
  addFunction<math::Exp2Op>(handlers, std::exp2);
  addFunction<math::ExpM1Op>(handlers, std::expm1);
  addFunction<math::FloorOp>(handlers, std::floor);
  addFunction<math::LogOp>(handlers, std::log);
  addFunction<math::Log10Op>(handlers, std::log10);
  addFunction<math::Log1pOp>(handlers, std::log1p);
  addFunction<math::Log2Op>(handlers, std::log2);
  addFunction<math::RoundOp>(handlers, std::round);
  addFunction<math::RoundEvenOp>(handlers, std::nearbyint);
  addFunction<math::RsqrtOp>(handlers,
                             [](double x) { return 1.0 / std::sqrt(x); });
  addFunction<math::SinOp>(handlers, std::sin);
  addFunction<math::SinhOp>(handlers, std::sinh);
  addFunction<math::SqrtOp>(handlers, std::sqrt);
  addFunction<math::TanOp>(handlers, std::tan);
  addFunction<math::TanhOp>(handlers, std::tanh);
  addFunction<math::TruncOp>(handlers, std::trunc);
  addFunction2<math::Atan2Op>(handlers, std::atan2);
  addFunction2<math::PowFOp>(handlers, std::pow);
  addTest<math::IsFiniteOp>(handlers,
                            [](double x) { return std::isfinite(x); });
  addTest<math::IsInfOp>(handlers, [](double x) { return std::isinf(x); });
  addTest<math::IsNaNOp>(handlers, [](double x) { return std::isnan(x); });
  handlers.add<math::FmaOp>(runFma);
  handlers.add<math::ClampFOp>(runClamp);
  handlers.add<math::FPowIOp>(runFPowI);
  handlers.add<math::SincosOp>(runSincos);

  // On bits.
  addUnary<math::IsNormalOp>(
      handlers,
      [](uint64_t a, const ScalarFormat &format, const ScalarFormat &) {
        uint64_t infinity =
            encode(std::numeric_limits<double>::infinity(), format.kind);
        // The lowest bit of the exponent: it and all above it are infinity's.
        uint64_t least = infinity & (0 - infinity), exponent = a & infinity;
        return static_cast<uint64_t>(exponent >= least && exponent < infinity);
      });
  addUnary<math::AbsFOp>(handlers, [](uint64_t a, const ScalarFormat &format,
                                      const ScalarFormat &) {
    return a & ~(1ull << (format.bits - 1));
  });
  addBinary<math::CopySignOp>(
      handlers, [](uint64_t a, uint64_t b, const ScalarFormat &format) {
        uint64_t sign = 1ull << (format.bits - 1);
        return (a & ~sign) | (b & sign);
      });
  addUnary<math::AbsIOp>(handlers, [](uint64_t a, const ScalarFormat &format,
                                      const ScalarFormat &) {
    return signExtend(a, format.bits) < 0 ? 0 - a : a;
  });
  addBinary<math::IPowIOp>(handlers, powerOfIntegers);
  addUnary<math::CtPopOp>(
      handlers, [](uint64_t a, const ScalarFormat &, const ScalarFormat &) {
        return static_cast<uint64_t>(llvm::popcount(a));
      });
  addUnary<math::CountLeadingZerosOp>(
      handlers,
      [](uint64_t a, const ScalarFormat &format, const ScalarFormat &) {
        return static_cast<uint64_t>(llvm::countl_zero(a)) - (64 - format.bits);
      });
  addUnary<math::CountTrailingZerosOp>(
      handlers,
      [](uint64_t a, const ScalarFormat &format, const ScalarFormat &) {
        return std::min<uint64_t>(llvm::countr_zero(a), format.bits);
      });
}
