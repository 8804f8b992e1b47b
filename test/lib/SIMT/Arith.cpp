//===- Arith.cpp - arith, index and ub, element by element ----------------===//
//
// Elementwise ops on scalars and vectors. Floating-point ones compute in the
// format's own precision or one that rounds to the same (Numerics.h).
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult simt::getConstantWords(Attribute attribute, int64_t width,
                                     SmallVectorImpl<uint64_t> &words) {
  auto scalar = [](Attribute value) -> std::optional<uint64_t> {
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return integer.getValue().getZExtValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt().getZExtValue();
    return std::nullopt;
  };
  // A resource is the bytes of the elements.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    Type type = resource.getElementType();
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!type.isIntOrFloat() || !blob)
      return failure();
    size_t bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    ArrayRef<char> data = blob->getData();
    if (bytes > sizeof(uint64_t) || data.size() != bytes * width)
      return failure();
    words.assign(width, 0);
    for (auto [number, word] : llvm::enumerate(words))
      std::memcpy(&word, data.data() + number * bytes, bytes);
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  if (!elements) {
    std::optional<uint64_t> word = scalar(attribute);
    if (!word)
      return failure();
    words.assign(1, *word);
    return success();
  }
  if (elements.isSplat()) {
    std::optional<uint64_t> word = scalar(elements.getSplatValue<Attribute>());
    if (!word)
      return failure();
    words.assign(width, *word);
    return success();
  }
  words.clear();
  for (Attribute value : elements.getValues<Attribute>()) {
    std::optional<uint64_t> word = scalar(value);
    if (!word)
      return failure();
    words.push_back(*word);
  }
  return success();
}

template <typename OpT>
static LogicalResult runConstant(OpT op, Machine &machine) {
  SmallVector<uint64_t> words;
  if (!getElementFormat(op.getType()) ||
      failed(
          getConstantWords(op.getValueAttr(), getWidth(op.getType()), words)))
    return op.emitError() << "constants of type " << op.getType()
                          << " are not supported";
  machine.set(op, machine.constant(words));
  return success();
}

static LogicalResult runPoison(ub::PoisonOp op, Machine &machine) {
  std::optional<ElementFormat> format = getElementFormat(op.getType());
  uint64_t word = format ? format->scalar.mask() : ~0ull;
  machine.set(op, machine.constant(
                      SmallVector<uint64_t>(getWidth(op.getType()), word)));
  return success();
}

/// The operand. That the assumption is false is an error, though it makes only
/// the result poison.
static LogicalResult runAssume(vector_ext::AssumeOp op, Machine &machine) {
  const Register &value = machine.get(op.getValue());
  return machine.compute(
      op, op->getOperands(), value.width,
      [&](int thread, uint64_t *result) -> LogicalResult {
        int64_t number = result[0] = value.at(thread)[0];
        if ((op.getAtLeast() && number < int64_t(*op.getAtLeast())) ||
            (op.getAtMost() && number > int64_t(*op.getAtMost())) ||
            (op.getMultipleOf() && number % int64_t(*op.getMultipleOf()) != 0))
          return machine.error(op, thread)
                 << "the assumption is false: the index is " << number;
        return success();
      });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Divisions, which fail for a divisor of 0.
template <typename OpT, typename Divide>
static void addDivision(Handlers &handlers, Divide divide) {
  handlers.add(TypeID::get<OpT>(), [divide](Operation *op, Machine &machine) {
    std::optional<ScalarFormat> format = getOperandFormat(op);
    if (!format)
      return reportType(op);
    const Register &a = machine.get(op->getOperand(0));
    const Register &b = machine.get(op->getOperand(1));
    return machine.compute(
        op->getResult(0), op->getOperands(), a.width,
        [&](int thread, uint64_t *result) -> LogicalResult {
          for (int64_t i = 0; i < a.width; ++i) {
            uint64_t divisor = b.at(thread)[i];
            if (divisor == 0)
              return machine.error(op, thread) << "division by zero";
            result[i] =
                divide(a.at(thread)[i], divisor, format->bits) & format->mask();
          }
          return success();
        });
  });
}

/// The quotient towards zero; wraps for the one that does not fit.
static int64_t divideSigned(int64_t a, int64_t b) {
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}
static int64_t remainderSigned(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

template <typename... OpTs, typename F>
static void addSignedDivision(Handlers &handlers, F f) {
  auto divide = [f](uint64_t a, uint64_t b, unsigned bits) {
    return static_cast<uint64_t>(f(signExtend(a, bits), signExtend(b, bits)));
  };
  (addDivision<OpTs>(handlers, divide), ...);
}

template <typename... OpTs, typename F>
static void addUnsignedDivision(Handlers &handlers, F f) {
  auto divide = [f](uint64_t a, uint64_t b, unsigned) { return f(a, b); };
  (addDivision<OpTs>(handlers, divide), ...);
}

/// An op on two sign-extended integers.
template <typename... OpTs, typename F>
static void addSigned(Handlers &handlers, F f) {
  auto compute = [f](uint64_t a, uint64_t b, const ScalarFormat &format) {
    return static_cast<uint64_t>(
        f(signExtend(a, format.bits), signExtend(b, format.bits)));
  };
  (addBinary<OpTs>(handlers, compute), ...);
}

template <typename... OpTs, typename F>
static void addUnsigned(Handlers &handlers, F f) {
  auto compute = [f](uint64_t a, uint64_t b, const ScalarFormat &) {
    return f(a, b);
  };
  (addBinary<OpTs>(handlers, compute), ...);
}

/// An op that needs the format.
template <typename... OpTs, typename F>
static void addShift(Handlers &handlers, F f) {
  (addBinary<OpTs>(handlers, f), ...);
}

/// An op whose two results are both of f(a, b), which are APInts.
template <typename OpT, typename F>
static void addExtended(Handlers &handlers, F f) {
  handlers.add(TypeID::get<OpT>(), [f](Operation *op, Machine &machine) {
    std::optional<ScalarFormat> format = getOperandFormat(op);
    if (!format)
      return reportType(op);
    const Register &a = machine.get(op->getOperand(0));
    const Register &b = machine.get(op->getOperand(1));
    for (unsigned number : {0, 1})
      if (failed(machine.compute(
              op->getResult(number), op->getOperands(), a.width,
              [&](int thread, uint64_t *result) {
                for (int64_t i = 0; i < a.width; ++i) {
                  std::pair<APInt, APInt> both =
                      f(APInt(format->bits, a.at(thread)[i]),
                        APInt(format->bits, b.at(thread)[i]));
                  result[i] = (number ? both.second : both.first).getZExtValue();
                }
                return success();
              })))
        return failure();
    return success();
  });
}

static bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a,
                            uint64_t b, unsigned bits) {
  int64_t x = signExtend(a, bits), y = signExtend(b, bits);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

static LogicalResult runCmpI(arith::CmpIOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  arith::CmpIPredicate predicate = op.getPredicate();
  return mapElements(machine, op, [&](const uint64_t *x) {
    return compareIntegers(predicate, x[0], x[1], format->bits);
  });
}

/// The predicates of index.cmp have the names of arith.cmpi's.
static LogicalResult runIndexCmp(index::CmpOp op, Machine &machine) {
  std::optional<arith::CmpIPredicate> predicate =
      arith::symbolizeCmpIPredicate(index::stringifyEnum(op.getPred()));
  if (!predicate)
    return op.emitError() << "the predicate is not supported";
  return mapElements(machine, op, [&](const uint64_t *x) {
    return compareIntegers(*predicate, x[0], x[1], 64);
  });
}

static void populateIntegers(Handlers &handlers) {
  using U = uint64_t;
  using S = int64_t;
  addUnsigned<arith::AddIOp, index::AddOp>(handlers,
                                           [](U a, U b) { return a + b; });
  addUnsigned<arith::SubIOp, index::SubOp>(handlers,
                                           [](U a, U b) { return a - b; });
  addUnsigned<arith::MulIOp, index::MulOp>(handlers,
                                           [](U a, U b) { return a * b; });
  addUnsigned<arith::AndIOp, index::AndOp>(handlers,
                                           [](U a, U b) { return a & b; });
  addUnsigned<arith::OrIOp, index::OrOp>(handlers,
                                         [](U a, U b) { return a | b; });
  addUnsigned<arith::XOrIOp, index::XOrOp>(handlers,
                                           [](U a, U b) { return a ^ b; });
  addUnsigned<arith::MaxUIOp, index::MaxUOp>(
      handlers, [](U a, U b) { return std::max(a, b); });
  addUnsigned<arith::MinUIOp, index::MinUOp>(
      handlers, [](U a, U b) { return std::min(a, b); });
  addSigned<arith::MaxSIOp, index::MaxSOp>(
      handlers, [](S a, S b) { return std::max(a, b); });
  addSigned<arith::MinSIOp, index::MinSOp>(
      handlers, [](S a, S b) { return std::min(a, b); });
  // Shifting by the width or more is not specified.
  addShift<arith::ShLIOp, index::ShlOp>(
      handlers, [](U a, U b, const ScalarFormat &format) {
        return b < format.bits ? a << b : ~0ull;
      });
  addShift<arith::ShRUIOp, index::ShrUOp>(
      handlers, [](U a, U b, const ScalarFormat &format) {
        return b < format.bits ? a >> b : ~0ull;
      });
  addShift<arith::ShRSIOp, index::ShrSOp>(
      handlers, [](U a, U b, const ScalarFormat &format) {
        return b < format.bits ? static_cast<U>(signExtend(a, format.bits) >> b)
                               : ~0ull;
      });
  addUnsignedDivision<arith::DivUIOp, index::DivUOp>(
      handlers, [](U a, U b) { return a / b; });
  addUnsignedDivision<arith::RemUIOp, index::RemUOp>(
      handlers, [](U a, U b) { return a % b; });
  addUnsignedDivision<arith::CeilDivUIOp, index::CeilDivUOp>(
      handlers, [](U a, U b) { return a / b + (a % b != 0); });
  addSignedDivision<arith::DivSIOp, index::DivSOp>(handlers, divideSigned);
  addSignedDivision<arith::RemSIOp, index::RemSOp>(handlers, remainderSigned);
  addSignedDivision<arith::FloorDivSIOp, index::FloorDivSOp>(handlers, [](S a,
                                                                          S b) {
    S remainder = remainderSigned(a, b);
    return divideSigned(a, b) - (remainder != 0 && (remainder < 0) != (b < 0));
  });
  addSignedDivision<arith::CeilDivSIOp, index::CeilDivSOp>(handlers, [](S a,
                                                                        S b) {
    S remainder = remainderSigned(a, b);
    return divideSigned(a, b) + (remainder != 0 && (remainder < 0) == (b < 0));
  });
  addExtended<arith::AddUIExtendedOp>(handlers, [](APInt a, APInt b) {
    APInt sum = a + b;
    return std::pair(sum, APInt(1, sum.ult(a)));
  });
  addExtended<arith::MulSIExtendedOp>(handlers, [](APInt a, APInt b) {
    return std::pair(a * b, llvm::APIntOps::mulhs(a, b));
  });
  addExtended<arith::MulUIExtendedOp>(handlers, [](APInt a, APInt b) {
    return std::pair(a * b, llvm::APIntOps::mulhu(a, b));
  });
  handlers.add<arith::CmpIOp>(runCmpI);
  handlers.add<index::CmpOp>(runIndexCmp);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  case P::UNO:
    return unordered;
  }
  return false;
}

static LogicalResult runCmpF(arith::CmpFOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  arith::CmpFPredicate predicate = op.getPredicate();
  return mapElements(machine, op, [&](const uint64_t *x) {
    return compareFloats(predicate, decode(x[0], format->kind),
                         decode(x[1], format->kind));
  });
}

double simt::maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double simt::minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

static void populateFloats(Handlers &handlers) {
  addFloat<arith::AddFOp>(handlers, [](auto a, auto b) { return a + b; });
  addFloat<arith::SubFOp>(handlers, [](auto a, auto b) { return a - b; });
  addFloat<arith::MulFOp>(handlers, [](auto a, auto b) { return a * b; });
  addFloat<arith::DivFOp>(handlers, [](auto a, auto b) { return a / b; });
  addFloat<arith::RemFOp>(handlers,
                          [](auto a, auto b) { return std::fmod(a, b); });
  addFloat<arith::MaximumFOp>(
      handlers, [](auto a, auto b) -> decltype(a) { return maximum(a, b); });
  addFloat<arith::MinimumFOp>(
      handlers, [](auto a, auto b) -> decltype(a) { return minimum(a, b); });
  addFloat<arith::MaxNumFOp>(handlers, [](auto a, auto b) -> decltype(a) {
    return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
  });
  addFloat<arith::MinNumFOp>(handlers, [](auto a, auto b) -> decltype(a) {
    return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
  });
  // The sign of a NaN changes too.
  addUnary<arith::NegFOp>(handlers, [](uint64_t a, const ScalarFormat &format,
                                       const ScalarFormat &) {
    return a ^ (1ull << (format.bits - 1));
  });
  handlers.add<arith::CmpFOp>(runCmpF);
}

//===----------------------------------------------------------------------===//
// Casts and selection
//===----------------------------------------------------------------------===//

/// A number that does not fit is not specified.
static uint64_t floatToInteger(double value, const ScalarFormat &to,
                               bool isSigned) {
  double limit = std::ldexp(1.0, static_cast<int>(to.bits) - isSigned);
  double whole = std::trunc(value);
  if (!(whole < limit && whole >= (isSigned ? -limit : 0.0)))
    return ~0ull;
  return isSigned ? static_cast<uint64_t>(static_cast<int64_t>(whole))
                  : static_cast<uint64_t>(whole);
}

/// A number of at most 53 bits that rounds to a float of fewer bits as `whole`
/// does: its last bit says whether bits behind it were set.
static double roundToOdd(uint64_t whole) {
  int excess = std::max(64 - 53 - llvm::countl_zero(whole), 0);
  uint64_t rest = whole & ((uint64_t(1) << excess) - 1);
  uint64_t kept = (whole >> excess) | (rest != 0);
  return std::ldexp(static_cast<double>(kept), excess);
}

/// An integer of up to 64 bits, rounded once.
static uint64_t integerToFloat(uint64_t word, const ScalarFormat &from,
                               const ScalarFormat &to, bool isSigned) {
  int64_t value = isSigned ? signExtend(word, from.bits) : 0;
  if (to.kind == ScalarFormat::F32)
    return encode(isSigned ? static_cast<float>(value)
                           : static_cast<float>(word),
                  to.kind);
  if (to.kind == ScalarFormat::F64)
    return encode(isSigned ? static_cast<double>(value)
                           : static_cast<double>(word),
                  to.kind);
  if (value < 0)
    return encode(-roundToOdd(-static_cast<uint64_t>(value)), to.kind);
  return encode(roundToOdd(isSigned ? value : word), to.kind);
}

static void populateCasts(Handlers &handlers) {
  auto keep = [](uint64_t a, const ScalarFormat &, const ScalarFormat &) {
    return a;
  };
  auto extend = [](uint64_t a, const ScalarFormat &from, const ScalarFormat &) {
    return static_cast<uint64_t>(signExtend(a, from.bits));
  };
  auto convert = [](uint64_t a, const ScalarFormat &from,
                    const ScalarFormat &to) {
    return encode(decode(a, from.kind), to.kind);
  };
  addUnary<arith::ExtUIOp>(handlers, keep);
  addUnary<arith::TruncIOp>(handlers, keep);
  addUnary<arith::BitcastOp>(handlers, keep);
  addUnary<arith::IndexCastUIOp>(handlers, keep);
  addUnary<index::CastUOp>(handlers, keep);
  addUnary<index::CastSOp>(handlers, extend);
  addUnary<arith::ExtSIOp>(handlers, extend);
  addUnary<arith::IndexCastOp>(handlers, extend);
  addUnary<arith::ExtFOp>(handlers, convert);
  addUnary<arith::TruncFOp>(handlers, convert);
  addUnary<arith::FPToSIOp>(handlers, [](uint64_t a, const ScalarFormat &from,
                                         const ScalarFormat &to) {
    return floatToInteger(decode(a, from.kind), to, /*isSigned=*/true);
  });
  addUnary<arith::FPToUIOp>(handlers, [](uint64_t a, const ScalarFormat &from,
                                         const ScalarFormat &to) {
    return floatToInteger(decode(a, from.kind), to, /*isSigned=*/false);
  });
  addUnary<arith::SIToFPOp>(handlers, [](uint64_t a, const ScalarFormat &from,
                                         const ScalarFormat &to) {
    return integerToFloat(a, from, to, /*isSigned=*/true);
  });
  addUnary<arith::UIToFPOp>(handlers, [](uint64_t a, const ScalarFormat &from,
                                         const ScalarFormat &to) {
    return integerToFloat(a, from, to, /*isSigned=*/false);
  });
}

/// The condition may be one for all elements, and the values may be memrefs.
static LogicalResult runSelect(arith::SelectOp op, Machine &machine) {
  const Register &condition = machine.get(op.getCondition());
  const Register &yes = machine.get(op.getTrueValue());
  const Register &no = machine.get(op.getFalseValue());
  return machine.compute(
      op, op->getOperands(), yes.width, [&](int thread, uint64_t *result) {
        const uint64_t *c = condition.at(thread);
        for (int64_t i = 0; i < yes.width; ++i)
          result[i] = c[condition.width == 1 ? 0 : i] ? yes.at(thread)[i]
                                                      : no.at(thread)[i];
        return success();
      });
}

void simt::populateArith(Handlers &handlers) {
  handlers.add<arith::ConstantOp>(runConstant<arith::ConstantOp>);
  handlers.add<index::ConstantOp>(runConstant<index::ConstantOp>);
  handlers.add<index::BoolConstantOp>(runConstant<index::BoolConstantOp>);
  handlers.add<ub::PoisonOp>(runPoison);
  handlers.add<vector_ext::AssumeOp>(runAssume);
  handlers.add<arith::SelectOp>(runSelect);
  populateIntegers(handlers);
  populateFloats(handlers);
  populateCasts(handlers);
}
