//===- Elementwise.h - Handlers of elementwise ops --------------*- C++ -*-===//
//
// Turns a C++ function on words into the handler of an elementwise op.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_ELEMENTWISE_H
#define LINALG_EXT_TEST_LIB_SIMT_ELEMENTWISE_H

#include "SIMT/Machine.h"

#include "mlir/IR/TypeUtilities.h"

#include <array>
#include <optional>

namespace mlir::linalg_ext::simt {

/// Appends the words of a constant attribute to `words`. Repeats the word of a
/// splat `width` times.
LogicalResult getConstantWords(Attribute attribute, int64_t width,
                               SmallVectorImpl<uint64_t> &words);
/// Returns the results of `map`. Division by zero or a negative number is 0.
SmallVector<int64_t> evaluate(AffineMap map, ArrayRef<int64_t> operands);

/// Copies a memref for every active thread. Uninitialised bytes stay
/// uninitialised.
LogicalResult copyMemRef(Operation *op, Machine &machine, Value from, Value to);

/// Semantics of arith.maximumf and arith.minimumf: NaN propagates and -0 < +0.
double maximum(double a, double b);
double minimum(double a, double b);

/// Returns the values of integers, such as indices, in one thread.
inline SmallVector<int64_t> getValues(Machine &machine, ValueRange values,
                                      int thread) {
  return llvm::map_to_vector(
      values, [&](Value v) { return machine.get(v).signedAt(thread); });
}

inline std::optional<ScalarFormat> getFormat(Value value) {
  return getScalarFormat(getElementTypeOrSelf(value.getType()));
}
inline std::optional<ScalarFormat> getOperandFormat(Operation *op) {
  return getFormat(op->getOperand(0));
}
inline LogicalResult reportType(Operation *op) {
  return op->emitError() << "'" << op->getName() << "' of type "
                         << op->getOperand(0).getType()
                         << " is not supported by the SIMT interpreter";
}

/// Fails if the op, which only makes sense in a kernel, is elsewhere.
inline LogicalResult requireKernel(Operation *op, Machine &machine) {
  if (machine.isHost())
    return op->emitError() << "'" << op->getName()
                           << "' outside of a gpu.launch";
  return success();
}

/// Computes each result element as f(words of the operands' elements).
template <typename F>
LogicalResult mapElements(Machine &machine, Operation *op, F f) {
  SmallVector<const Register *, 4> registers;
  bool uniform = true;
  for (Value operand : op->getOperands()) {
    registers.push_back(&machine.get(operand));
    uniform &= registers.back()->uniform;
  }
  int64_t width = registers[0]->width;
  auto result = machine.make(width, uniform);
  // The number of operands is a constant in the inner loop.
  auto computeAll = [&](auto number) {
    constexpr size_t count = decltype(number)::value;
    auto computeOne = [&](int thread) {
      std::array<const uint64_t *, count> words;
      for (size_t n = 0; n < count; ++n)
        words[n] = registers[n]->at(thread);
      uint64_t *to = result->at(thread);
      for (int64_t i = 0; i < width; ++i) {
        std::array<uint64_t, count> x;
        for (size_t n = 0; n < count; ++n)
          x[n] = words[n][i];
        to[i] = f(static_cast<const uint64_t *>(x.data()));
      }
    };
    if (result->uniform)
      return computeOne(machine.active().front());
    for (int thread : machine.active())
      computeOne(thread);
  };
  switch (registers.size()) {
  case 1:
    computeAll(std::integral_constant<size_t, 1>());
    break;
  case 2:
    computeAll(std::integral_constant<size_t, 2>());
    break;
  case 3:
    computeAll(std::integral_constant<size_t, 3>());
    break;
  default:
    return op->emitError() << "expected 1 to 3 operands, got "
                           << registers.size();
  }
  machine.set(op->getResult(0), std::move(result));
  return success();
}

/// Adds a handler for OpT: result = f(a, b, format), truncated to the bits of
/// the format.
template <typename OpT, typename F>
void addBinary(Handlers &handlers, F f) {
  handlers.add(TypeID::get<OpT>(), [f](Operation *op, Machine &machine) {
    std::optional<ScalarFormat> format = getOperandFormat(op);
    if (!format)
      return reportType(op);
    uint64_t mask = format->mask();
    return mapElements(machine, op, [&](const uint64_t *x) {
      return f(x[0], x[1], *format) & mask;
    });
  });
}

/// Adds a handler for OpT: result = f(a, format of a, format of the result),
/// truncated to the bits of the latter.
template <typename OpT, typename F>
void addUnary(Handlers &handlers, F f) {
  handlers.add(TypeID::get<OpT>(), [f](Operation *op, Machine &machine) {
    std::optional<ScalarFormat> from = getOperandFormat(op);
    std::optional<ScalarFormat> to = getFormat(op->getResult(0));
    if (!from || !to)
      return reportType(op);
    uint64_t mask = to->mask();
    return mapElements(machine, op, [&](const uint64_t *x) {
      return f(x[0], *from, *to) & mask;
    });
  });
}

/// Adds a handler for a floating-point op with two operands. Computes in float,
/// or in double for f64.
template <typename OpT, typename F>
void addFloat(Handlers &handlers, F f) {
  addBinary<OpT>(
      handlers, [f](uint64_t a, uint64_t b, const ScalarFormat &format) {
        double x = decode(a, format.kind);
        double y = decode(b, format.kind);
        if (format.kind == ScalarFormat::F64)
          return encode(f(x, y), format.kind);
        float result = f(static_cast<float>(x), static_cast<float>(y));
        return encode(result, format.kind);
      });
}

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_ELEMENTWISE_H
