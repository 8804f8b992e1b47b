//===- LaunchPlan.cpp - Launches of a manifest, with all sizes known ------===//
//
// The manifest is this program's own: what is checked is what the user says of
// the arguments.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlan.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

using Number = std::variant<int64_t, double>;

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// What the user says
//===----------------------------------------------------------------------===//

static std::optional<Number> parseNumber(StringRef text) {
  int64_t integer;
  if (!text.getAsInteger(10, integer))
    return integer;
  double real;
  if (!text.getAsDouble(real))
    return real;
  return std::nullopt;
}

Expected<SmallVector<ArgumentValue>>
mlir::linalg_ext::parseArgumentValues(StringRef text) {
  SmallVector<ArgumentValue> values;
  if (text.empty())
    return values;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    auto fail = [&] {
      return makeError(
          "expected a shape (16x1024x64, 8x), a shape and the value "
          "of its elements (8x=3), or a number, got '" +
          item + "'");
    };
    ArgumentValue &argument = values.emplace_back();
    auto [shape, value] = item.split('=');
    argument.isBuffer = shape.contains('x');
    if (item.contains('=') || !argument.isBuffer) {
      std::optional<Number> number =
          parseNumber(argument.isBuffer ? value : item);
      if (!number)
        return fail();
      argument.value = *number;
      argument.hasValue = true;
    }
    if (!argument.isBuffer)
      continue;
    // "8x" and "x" end in one that separates nothing.
    SmallVector<StringRef> sizes;
    shape.split(sizes, 'x');
    if (sizes.back().empty())
      sizes.pop_back();
    if (sizes.size() == 1 && sizes[0].empty())
      sizes.clear();
    for (StringRef size : sizes) {
      int64_t number;
      if (size.getAsInteger(10, number) || number < 0)
        return fail();
      argument.shape.push_back(number);
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The bytes of an element; 0 if the type is not known.
static int64_t getNumBytes(StringRef type) {
  if (type == "bf16")
    return 2;
  if (type.starts_with("f8"))
    return 1;
  int64_t bits = 0;
  if ((type.starts_with("f") || type.starts_with("i")) &&
      !type.drop_front().getAsInteger(10, bits))
    return llvm::divideCeil(bits, 8);
  return 0;
}

/// The bits of a scalar of `type`.
static uint64_t getBits(StringRef type, Number number) {
  double real = std::holds_alternative<double>(number)
                    ? std::get<double>(number)
                    : double(std::get<int64_t>(number));
  const llvm::fltSemantics *semantics =
      type == "f16"    ? &llvm::APFloat::IEEEhalf()
      : type == "bf16" ? &llvm::APFloat::BFloat()
      : type == "f32"  ? &llvm::APFloat::IEEEsingle()
      : type == "f64"  ? &llvm::APFloat::IEEEdouble()
                       : nullptr;
  if (!semantics)
    return std::holds_alternative<double>(number)
               ? uint64_t(int64_t(real))
               : uint64_t(std::get<int64_t>(number));
  llvm::APFloat value(real);
  bool losesInfo;
  value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// The value of an expression of the manifest.
static Expected<Number> evaluate(const json::Value &expression,
                                 ArrayRef<ArgumentValue> values) {
  if (std::optional<int64_t> integer = expression.getAsInteger())
    return *integer;
  if (std::optional<double> real = expression.getAsNumber())
    return *real;
  const json::Object *object = expression.getAsObject();
  if (!object || object->size() != 1)
    return makeError("expected a number or one operator in the manifest");
  StringRef name = object->begin()->first;
  const json::Value &operand = object->begin()->second;
  if (name == "argument")
    return values[*operand.getAsInteger()].value;
  const json::Array &operands = *operand.getAsArray();
  if (name == "dim")
    return values[*operands[0].getAsInteger()]
        .shape[*operands[1].getAsInteger()];

  std::optional<int64_t> result;
  for (const json::Value &each : operands) {
    Expected<Number> number = evaluate(each, values);
    if (!number)
      return number;
    if (!std::holds_alternative<int64_t>(*number))
      return makeError("expected integers in '" + name + "'");
    int64_t value = std::get<int64_t>(*number);
    if (!result) {
      result = value;
      continue;
    }
    bool divides =
        llvm::is_contained({"ceildiv", "floordiv", "mod", "div", "rem"}, name);
    if (divides && value == 0)
      return makeError("'" + name + "' divides by 0");
    if (name == "add")
      *result += value;
    else if (name == "sub")
      *result -= value;
    else if (name == "mul")
      *result *= value;
    else if (name == "min")
      result = std::min(*result, value);
    else if (name == "max")
      result = std::max(*result, value);
    else if (name == "ceildiv")
      result = llvm::divideCeilSigned(*result, value);
    else if (name == "floordiv")
      result = llvm::divideFloorSigned(*result, value);
    else if (name == "mod")
      result = *result - value * llvm::divideFloorSigned(*result, value);
    else if (name == "div")
      *result /= value;
    else if (name == "rem")
      *result %= value;
    else
      return makeError("unknown operator '" + name + "' in the manifest");
  }
  return *result;
}

static Error evaluateTo(int64_t &result, const json::Value &expression,
                        ArrayRef<ArgumentValue> values) {
  Expected<Number> number = evaluate(expression, values);
  if (!number)
    return number.takeError();
  if (!std::holds_alternative<int64_t>(*number))
    return makeError("expected an integer in the manifest");
  result = std::get<int64_t>(*number);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// "?x64xf16", or "f32" of a scalar.
static std::string printArgument(const json::Object &argument) {
  std::string text;
  if (const json::Array *shape = argument.getArray("shape"))
    for (const json::Value &size : *shape)
      text += (size.getAsInteger() ? llvm::itostr(*size.getAsInteger()) : "?") +
              "x";
  return text + argument.getString("type")->str();
}

static Expected<PlannedBuffer> makeBuffer(StringRef type,
                                          ArrayRef<int64_t> shape) {
  PlannedBuffer buffer;
  buffer.type = type.str();
  buffer.numElements = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(buffer.numElements, size, buffer.numElements))
      return makeError("expected a buffer that memory can hold");
  int64_t each = getNumBytes(type);
  if (each == 0)
    return makeError(
        "expected elements of f16, bf16, f32, f64, f8 or integers, "
        "got " +
        type);
  if (llvm::MulOverflow(buffer.numElements, each, buffer.numBytes))
    return makeError("expected a buffer that memory can hold");
  return buffer;
}

/// Checks `values` against the arguments of the entry.
static Error addArguments(LaunchPlan &plan, StringRef entry,
                          const json::Array &arguments,
                          ArrayRef<ArgumentValue> values) {
  if (arguments.size() != values.size()) {
    std::string expected = llvm::join(
        llvm::map_range(arguments,
                        [](const json::Value &argument) {
                          return printArgument(*argument.getAsObject());
                        }),
        ", ");
    return makeError("expected the sizes of " + Twine(arguments.size()) +
                     " arguments of '" + entry + "', results behind them (" +
                     expected + "), got " + Twine(values.size()));
  }
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip_equal(arguments, values))) {
    const json::Object &argument = *std::get<0>(pair).getAsObject();
    const ArgumentValue &value = std::get<1>(pair);
    StringRef type = *argument.getString("type");
    const json::Array *shape = argument.getArray("shape");
    bool fits = bool(shape) == value.isBuffer;
    if (fits && shape) {
      fits = shape->size() == value.shape.size() &&
             llvm::all_of(llvm::zip_equal(*shape, value.shape), [](auto sizes) {
               auto [expected, actual] = sizes;
               return !expected.getAsInteger() ||
                      *expected.getAsInteger() == actual;
             });
    }
    if (!fits) {
      std::string actual = "a number";
      if (value.isBuffer) {
        actual.clear();
        for (int64_t size : value.shape)
          actual += llvm::itostr(size) + "x";
      }
      return makeError("expected " + printArgument(argument) +
                       " for argument " + Twine(index) + " of '" + entry +
                       "', got " + StringRef(actual).rtrim('x'));
    }
    if (!value.isBuffer) {
      plan.arguments.emplace_back().type = type.str();
      continue;
    }
    Expected<PlannedBuffer> buffer = makeBuffer(type, value.shape);
    if (!buffer)
      return buffer.takeError();
    StringRef access = argument.getString("access").value_or("");
    buffer->isRead = access.contains("read");
    buffer->isWritten = access.contains("write");
    plan.arguments.push_back(*buffer);
  }
  return Error::success();
}

static Error addLaunch(LaunchPlan &plan, const json::Object &launch,
                       ArrayRef<ArgumentValue> values) {
  PlannedLaunch planned;
  planned.kernel = launch.getString("kernel")->str();
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (Error error = evaluateTo(planned.grid[axis],
                                 (*launch.getArray("grid"))[axis], values))
      return error;
    if (Error error = evaluateTo(planned.block[axis],
                                 (*launch.getArray("block"))[axis], values))
      return error;
  }
  if (Error error = evaluateTo(planned.sharedBytes,
                               *launch.get("shared_memory_bytes"), values))
    return error;
  if (llvm::is_contained(planned.grid, 0))
    return Error::success();
  for (const json::Value &each : *launch.getArray("arguments")) {
    KernelArgument &argument = planned.arguments.emplace_back();
    const json::Object &object = *each.getAsObject();
    if (const json::Object *buffer = object.getObject("buffer")) {
      StringRef kind = buffer->begin()->first;
      argument.kind = kind == "temporary" ? KernelArgument::Temporary
                                          : KernelArgument::Argument;
      argument.index = *buffer->begin()->second.getAsInteger();
      continue;
    }
    Expected<Number> value = evaluate(*object.get("value"), values);
    if (!value)
      return value.takeError();
    argument.bits = getBits(*object.getString("type"), *value);
  }
  plan.launches.push_back(std::move(planned));
  return Error::success();
}

static const json::Object *findEntry(const json::Value &manifest,
                                     StringRef name) {
  for (const json::Value &entry : *manifest.getAsObject()->getArray("entries"))
    if (entry.getAsObject()->getString("name") == name)
      return entry.getAsObject();
  return nullptr;
}

std::optional<SmallVector<ArgumentValue>>
mlir::linalg_ext::getStaticArgumentValues(const json::Value &manifest,
                                          StringRef entry) {
  SmallVector<ArgumentValue> values;
  const json::Object *found = findEntry(manifest, entry);
  if (!found)
    return std::nullopt;
  for (const json::Value &argument : *found->getArray("arguments")) {
    const json::Array *shape = argument.getAsObject()->getArray("shape");
    if (!shape)
      return std::nullopt;
    ArgumentValue &value = values.emplace_back();
    value.isBuffer = true;
    for (const json::Value &size : *shape) {
      if (!size.getAsInteger())
        return std::nullopt;
      value.shape.push_back(*size.getAsInteger());
    }
  }
  return values;
}

Expected<LaunchPlan>
mlir::linalg_ext::makeLaunchPlan(const json::Value &manifest, StringRef entry,
                                 ArrayRef<ArgumentValue> values) {
  const json::Object *found = findEntry(manifest, entry);
  if (!found)
    return makeError("there is no function '" + entry + "'");
  const json::Object &object = *found;
  LaunchPlan plan;
  if (Error error =
          addArguments(plan, entry, *object.getArray("arguments"), values))
    return std::move(error);
  for (const json::Value &each : *object.getArray("temporaries")) {
    const json::Object &temporary = *each.getAsObject();
    SmallVector<int64_t> shape;
    for (const json::Value &size : *temporary.getArray("shape"))
      if (Error error = evaluateTo(shape.emplace_back(), size, values))
        return std::move(error);
    Expected<PlannedBuffer> buffer =
        makeBuffer(*temporary.getString("type"), shape);
    if (!buffer)
      return buffer.takeError();
    plan.temporaries.push_back(*buffer);
  }
  for (const json::Value &launch : *object.getArray("launches"))
    if (Error error = addLaunch(plan, *launch.getAsObject(), values))
      return std::move(error);
  return plan;
}
