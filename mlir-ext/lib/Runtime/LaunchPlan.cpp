//===- LaunchPlan.cpp - Evaluation of a manifest --------------------------===//
//
// See LaunchPlan.h. Evaluates the expressions of a manifest for given
// arguments. The manifest is one that checkManifest accepts, so only the
// arguments that the user gives are validated.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/LaunchPlan.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
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

/// Returns the bytes of an element, or 0 if the type is unknown.
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

/// Returns the format of `type`, or null if it is no float.
static const llvm::fltSemantics *getFormat(StringRef type) {
  using llvm::APFloat;
  return llvm::StringSwitch<const llvm::fltSemantics *>(type)
      .Case("f64", &APFloat::IEEEdouble())
      .Case("f32", &APFloat::IEEEsingle())
      .Case("f16", &APFloat::IEEEhalf())
      .Case("bf16", &APFloat::BFloat())
      .Case("f8E5M2", &APFloat::Float8E5M2())
      .Case("f8E5M2FNUZ", &APFloat::Float8E5M2FNUZ())
      .Case("f8E4M3", &APFloat::Float8E4M3())
      .Case("f8E4M3FN", &APFloat::Float8E4M3FN())
      .Case("f8E4M3FNUZ", &APFloat::Float8E4M3FNUZ())
      .Case("f8E4M3B11FNUZ", &APFloat::Float8E4M3B11FNUZ())
      .Case("f8E3M4", &APFloat::Float8E3M4())
      .Case("f8E8M0FNU", &APFloat::Float8E8M0FNU())
      .Default(nullptr);
}

/// Returns whether `number` is one of `type`. Integers have a sign or none.
static bool isNumberOf(StringRef type, Number number) {
  if (getFormat(type))
    return true;
  if (std::holds_alternative<double>(number))
    return false;
  unsigned bits = 64;
  if (!type.consume_front("i") || type.getAsInteger(10, bits) || bits >= 64)
    return true; // such as an index
  int64_t value = std::get<int64_t>(number);
  return llvm::isIntN(bits, value) ||
         (value >= 0 && llvm::isUIntN(bits, value));
}

/// Returns the bits of `number` as a scalar of `type`.
static uint64_t getBits(StringRef type, Number number) {
  double real = std::holds_alternative<double>(number)
                    ? std::get<double>(number)
                    : double(std::get<int64_t>(number));
  const llvm::fltSemantics *semantics = getFormat(type);
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

namespace {
/// The values to which expressions refer.
class Known {
public:
  explicit Known(ArrayRef<ArgumentValue> values) : arguments(values) {}

  /// Sets the numbered values, to which other expressions refer. A value may
  /// refer to earlier ones.
  void setNamed(const json::Array &all) {
    named = &all;
    forget();
  }
  /// Returns the value with this number. Evaluates it only now, because it may
  /// be invalid where it is not used.
  Expected<Number> getNamed(int64_t number) const;
  /// Computes how large temporary buffer `number` has to be for a launch, and
  /// makes the buffer of `plan` at least as large. The size may depend on the
  /// counters of the loops around the launch.
  Error growTemporary(LaunchPlan &plan, int64_t number) const;
  /// Sets the temporary buffers, of which growTemporary computes the sizes.
  void setTemporaries(const json::Array &all) {
    temporaries = &all;
    forget();
  }
  /// Sets counters of loops from number `first` on.
  void setCounters(size_t first, ArrayRef<int64_t> numbers) {
    if (counters.size() < first + numbers.size())
      counters.resize(first + numbers.size());
    llvm::copy(numbers, counters.begin() + first);
    forget();
  }

  SmallVector<ArgumentValue> arguments;
  SmallVector<int64_t> counters;
  /// The number of iterations of all loops so far.
  int64_t numIterations = 0;

private:
  void forget() {
    numbers.assign(named ? named->size() : 0, std::nullopt);
    hasGrown.assign(temporaries ? temporaries->size() : 0, false);
  }

  const json::Array *named = nullptr, *temporaries = nullptr;
  /// What has been computed for the present counters: the values with a
  /// number, and whether each temporary buffer has its size.
  mutable SmallVector<std::optional<Number>> numbers;
  mutable SmallVector<bool> hasGrown;
};
} // namespace

/// What the binary operator `name` makes of two integers. They, and it, have 64
/// bits.
static Expected<int64_t> combine(StringRef name, int64_t a, int64_t b) {
  bool divides =
      llvm::is_contained({"ceildiv", "floordiv", "mod", "div", "rem"}, name);
  if (divides && b == 0)
    return makeError("'" + name + "' divides by 0");
  int64_t result = 0;
  bool overflows = false;
  if (name == "add")
    overflows = llvm::AddOverflow(a, b, result);
  else if (name == "sub")
    overflows = llvm::SubOverflow(a, b, result);
  else if (name == "mul")
    overflows = llvm::MulOverflow(a, b, result);
  else if (name == "min")
    result = std::min(a, b);
  else if (name == "max")
    result = std::max(a, b);
  else if (!divides)
    return makeError("unknown operator '" + name + "' in the manifest");
  else if (b == -1) // Processors refuse to divide the least number by it.
    overflows = name != "mod" && name != "rem" &&
                llvm::SubOverflow(int64_t(0), a, result);
  else if (name == "ceildiv")
    result = llvm::divideCeilSigned(a, b);
  else if (name == "floordiv")
    result = llvm::divideFloorSigned(a, b);
  else if (name == "div")
    result = a / b;
  else
    result = a % b;
  if (name == "mod" && result != 0 && (result < 0) != (b < 0))
    result += b;
  if (overflows)
    return makeError("expected integers of 64 bits, got more from '" + name +
                     "'");
  return result;
}

/// Returns the value of an expression of the manifest.
static Expected<Number> evaluate(const json::Value &expression,
                                 const Known &known) {
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
    return known.arguments[*operand.getAsInteger()].value;
  if (name == "element") {
    const ArgumentValue &buffer = known.arguments[*operand.getAsInteger()];
    if (!buffer.hasValue)
      return makeError("expected the value of the element of argument " +
                       Twine(*operand.getAsInteger()) +
                       ", which launches depend on, got none");
    return buffer.value;
  }
  if (name == "counter") {
    size_t number = *operand.getAsInteger();
    if (number >= known.counters.size())
      return makeError("expected the counter of a loop that has begun in the "
                       "manifest");
    return known.counters[number];
  }
  if (name == "value")
    return known.getNamed(*operand.getAsInteger());
  // Buffers are allocated here, dense.
  if (name == "offset")
    return int64_t(0);
  if (name == "process_index")
    return makeError("expected the index of this process, got none");
  const json::Array &operands = *operand.getAsArray();
  if (name == "dim" || name == "stride") {
    const ArgumentValue &buffer = known.arguments[*operands[0].getAsInteger()];
    int64_t dim = *operands[1].getAsInteger();
    return name == "dim" ? buffer.shape[dim] : buffer.strides[dim];
  }
  if (name == "select") {
    Expected<Number> condition = evaluate(operands[0], known);
    if (!condition)
      return condition;
    bool isTrue = *condition != Number(int64_t(0));
    return evaluate(operands[isTrue ? 1 : 2], known);
  }
  if (llvm::is_contained({"eq", "ne", "lt", "le"}, name)) {
    Expected<Number> lhs = evaluate(operands[0], known);
    if (!lhs)
      return lhs;
    Expected<Number> rhs = evaluate(operands[1], known);
    if (!rhs)
      return rhs;
    // Two integers are compared as such: a double has not all of 64 bits.
    return std::visit(
        [&](auto a, auto b) {
          std::common_type_t<decltype(a), decltype(b)> x = a, y = b;
          return int64_t(name == "eq"   ? x == y
                         : name == "ne" ? x != y
                         : name == "lt" ? x < y
                                        : x <= y);
        },
        *lhs, *rhs);
  }

  std::optional<int64_t> result;
  for (const json::Value &each : operands) {
    Expected<Number> number = evaluate(each, known);
    if (!number)
      return number;
    if (!std::holds_alternative<int64_t>(*number))
      return makeError("expected integers in '" + name + "'");
    int64_t value = std::get<int64_t>(*number);
    if (!result) {
      result = value;
      continue;
    }
    Expected<int64_t> combined = combine(name, *result, value);
    if (!combined)
      return combined.takeError();
    result = *combined;
  }
  return *result;
}

Expected<Number> Known::getNamed(int64_t number) const {
  if (!numbers[number]) {
    Expected<Number> value = evaluate((*named)[number], *this);
    if (!value)
      return value;
    numbers[number] = *value;
  }
  return *numbers[number];
}

/// ", got 7 and 9" for a condition that compares sizes, and ", got 7" if the
/// second one is a number, which the message has; empty for other conditions.
static std::string describeFound(const json::Value &condition,
                                 const Known &known) {
  const json::Object *object = condition.getAsObject();
  const json::Array *sides = object ? object->getArray("eq") : nullptr;
  std::string text;
  for (const json::Value &side : sides ? *sides : json::Array()) {
    const json::Object *size = side.getAsObject();
    if (!size)
      break;
    if (!size->get("dim"))
      return "";
    Number number = llvm::cantFail(evaluate(side, known));
    text += (text.empty() ? ", got " : " and ") +
            llvm::itostr(std::get<int64_t>(number));
  }
  return text;
}

static Error evaluateTo(int64_t &result, const json::Value &expression,
                        const Known &known) {
  Expected<Number> number = evaluate(expression, known);
  if (!number)
    return number.takeError();
  if (!std::holds_alternative<int64_t>(*number))
    return makeError("expected an integer in the manifest");
  result = std::get<int64_t>(*number);
  return Error::success();
}

/// Evaluates an expression that is a size or a number of bytes.
static Error evaluateSize(int64_t &result, const json::Value &expression,
                          const Known &known, const Twine &what,
                          int64_t least = 0) {
  if (Error error = evaluateTo(result, expression, known))
    return error;
  if (result < least)
    return makeError("expected an integer of at least " + Twine(least) +
                     " for " + what + ", got " + Twine(result));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Returns "?x64xf16" for a buffer, or "f32" for a scalar.
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

/// The strides of a buffer of `shape`: those that `argument` has. The others
/// are as small as they can be, in row-major order around the dimensions whose
/// strides it has.
static SmallVector<int64_t> getStrides(const json::Object &argument,
                                       ArrayRef<int64_t> shape) {
  const json::Array *known = argument.getArray("strides");
  SmallVector<int64_t> strides(shape.size());
  auto isKnown = [&](size_t dim) {
    return known && (*known)[dim].getAsInteger().has_value();
  };
  int64_t extent = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (isKnown(dim)) {
      strides[dim] = *(*known)[dim].getAsInteger();
      extent = std::max(extent, strides[dim] * shape[dim]);
    }
  for (size_t dim = shape.size(); dim-- > 0;)
    if (!isKnown(dim)) {
      strides[dim] = extent;
      extent *= std::max<int64_t>(shape[dim], 1);
    }
  return strides;
}

/// Returns the number of elements from the start of the buffer to its last one.
static int64_t getExtent(const json::Object &argument,
                         const ArgumentValue &value) {
  int64_t extent = argument.getInteger("offset").value_or(0) + 1;
  for (auto [size, stride] : llvm::zip_equal(value.shape, value.strides)) {
    if (size == 0)
      return 0;
    extent += (size - 1) * stride;
  }
  return extent;
}

/// Checks `values` against the arguments of the entry, and gives them strides.
static Error addArguments(LaunchPlan &plan, StringRef entry,
                          const json::Array &arguments,
                          llvm::MutableArrayRef<ArgumentValue> values) {
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
    ArgumentValue &value = std::get<1>(pair);
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
      if (!isNumberOf(type, value.value)) {
        std::string actual = std::visit(
            [](auto number) { return llvm::formatv("{0}", number).str(); },
            value.value);
        return makeError("expected " + type + " for argument " + Twine(index) +
                         " of '" + entry + "', got " + actual);
      }
      plan.arguments.emplace_back().type = type.str();
      continue;
    }
    value.strides = getStrides(argument, value.shape);
    // With what lies between rows.
    Expected<PlannedBuffer> buffer =
        argument.get("strides") ? makeBuffer(type, {getExtent(argument, value)})
                                : makeBuffer(type, value.shape);
    if (!buffer)
      return buffer.takeError();
    StringRef access = argument.getString("access").value_or("");
    buffer->isRead = access.contains("read");
    buffer->isWritten = access.contains("write");
    plan.arguments.push_back(*buffer);
  }
  return Error::success();
}

/// Returns the temporary buffer that `temporary` describes.
static Expected<PlannedBuffer> makeTemporary(const json::Object &temporary,
                                             const Known &known) {
  SmallVector<int64_t> shape;
  for (const json::Value &size : *temporary.getArray("shape"))
    if (Error error = evaluateSize(shape.emplace_back(), size, known,
                                   "a size of a temporary buffer"))
      return std::move(error);
  return makeBuffer(*temporary.getString("type"), shape);
}

Error Known::growTemporary(LaunchPlan &plan, int64_t number) const {
  if (hasGrown[number])
    return Error::success();
  Expected<PlannedBuffer> needed =
      makeTemporary(*(*temporaries)[number].getAsObject(), *this);
  if (!needed)
    return needed.takeError();
  if (plan.temporaries[number].numBytes <= needed->numBytes)
    plan.temporaries[number] = *needed;
  hasGrown[number] = true;
  return Error::success();
}

/// Reads which buffer `argument` is, and where in it the argument starts. A
/// temporary buffer is as large as the largest that a launch needs.
static Error readBuffer(LaunchPlan &plan, KernelArgument &argument,
                        const json::Object &buffer, const Known &known,
                        const llvm::StringMap<unsigned> &constants) {
  if (std::optional<StringRef> name = buffer.getString("constant")) {
    argument.kind = KernelArgument::Constant;
    argument.index = constants.lookup(*name);
  } else if (auto number = buffer.getInteger("temporary")) {
    argument.kind = KernelArgument::Temporary;
    argument.index = *number;
    if (Error error = known.growTemporary(plan, *number))
      return error;
  } else {
    argument.kind = KernelArgument::Argument;
    argument.index = *buffer.getInteger("argument");
  }
  int64_t bytes = 0;
  if (const json::Value *offset = buffer.get("offset"))
    if (Error error =
            evaluateSize(bytes, *offset, known, "the offset of a buffer"))
      return error;
  argument.bits = bytes;
  return Error::success();
}

static Error readTensorMap(TensorMap &map, const json::Object &object,
                           const Known &known) {
  map.type = object.getString("type")->str();
  map.swizzle = *object.getInteger("swizzle");
  for (auto [name, numbers] : {std::pair("sizes", &map.sizes),
                               {"strides", &map.strides},
                               {"box", &map.box}})
    for (const json::Value &each : *object.getArray(name))
      if (Error error =
              evaluateSize(numbers->emplace_back(), each, known,
                           "each of the " + Twine(name) + " of a tensor map",
                           /*least=*/1))
        return error;
  return Error::success();
}

/// Adds a call of a function of the library of collective operations.
static Error addCollective(LaunchPlan &plan, const json::Object &launch,
                           const Known &known,
                           const llvm::StringMap<unsigned> &constants) {
  PlannedLaunch planned;
  planned.kernel = launch.getString("function")->str();
  planned.isCollective = true;
  planned.grid = planned.block = {1, 1, 1};
  for (const json::Value &each : *launch.getArray("arguments")) {
    KernelArgument &argument = planned.arguments.emplace_back();
    const json::Object &object = *each.getAsObject();
    if (const json::Array *numbers = object.getArray("numbers")) {
      argument.kind = KernelArgument::Numbers;
      for (const json::Value &number : *numbers)
        argument.numbers.push_back(*number.getAsInteger());
    } else if (const json::Object *buffer = object.getObject("buffer")) {
      if (Error error = readBuffer(plan, argument, *buffer, known, constants))
        return error;
      for (const json::Value &size : *object.getArray("shape"))
        if (Error error = evaluateSize(argument.numbers.emplace_back(), size,
                                       known, "a size of a buffer"))
          return error;
    } else {
      Expected<Number> value = evaluate(*object.get("value"), known);
      if (!value)
        return value.takeError();
      argument.bits = getBits(*object.getString("type"), *value);
    }
  }
  plan.launches.push_back(std::move(planned));
  return Error::success();
}

static Error addLaunches(LaunchPlan &plan, const json::Array &launches,
                         Known &known,
                         const llvm::StringMap<unsigned> &constants);

/// The most iterations of the loops of a plan, which is a list of launches.
static constexpr int64_t kMostIterations = 1 << 17;

/// Adds the launches of each iteration of a loop.
static Error addLoop(LaunchPlan &plan, const json::Object &loop, Known &known,
                     const llvm::StringMap<unsigned> &constants) {
  const json::Array &counters = *loop.getArray("counters");
  auto setCounters = [&](StringRef key) -> Error {
    SmallVector<int64_t> numbers;
    for (const json::Value &counter : counters)
      if (Error error = evaluateTo(numbers.emplace_back(),
                                   *counter.getAsObject()->get(key), known))
        return error;
    if (!counters.empty())
      known.setCounters(*counters[0].getAsObject()->getInteger("counter"),
                        numbers);
    return Error::success();
  };
  if (Error error = setCounters("first"))
    return error;
  while (true) {
    int64_t holds;
    if (Error error = evaluateTo(holds, *loop.get("while"), known))
      return error;
    if (holds == 0)
      return Error::success();
    if (++known.numIterations > kMostIterations)
      return makeError("expected at most " + Twine(kMostIterations) +
                       " iterations of loops around kernels, got more");
    if (Error error =
            addLaunches(plan, *loop.getArray("launches"), known, constants))
      return error;
    if (Error error = setCounters("next"))
      return error;
  }
}

static Error addLaunch(LaunchPlan &plan, const json::Object &launch,
                       Known &known,
                       const llvm::StringMap<unsigned> &constants) {
  if (launch.get("collective"))
    return addCollective(plan, launch, known, constants);
  if (const json::Object *loop = launch.getObject("loop"))
    return addLoop(plan, *loop, known, constants);
  PlannedLaunch planned;
  planned.kernel = launch.getString("kernel")->str();
  planned.waits = launch.getBoolean("waits").value_or(false);
  planned.workgroupsPerProcessor =
      launch.getInteger("workgroups_per_processor").value_or(0);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (Error error = evaluateTo(planned.grid[axis],
                                 (*launch.getArray("grid"))[axis], known))
      return error;
    if (Error error = evaluateTo(planned.block[axis],
                                 (*launch.getArray("block"))[axis], known))
      return error;
  }
  if (Error error = evaluateTo(planned.sharedBytes,
                               *launch.get("shared_memory_bytes"), known))
    return error;
  if (llvm::is_contained(planned.grid, 0))
    return Error::success();
  int64_t least =
      std::min({planned.sharedBytes, *llvm::min_element(planned.grid),
                *llvm::min_element(planned.block)});
  if (least < 0)
    return makeError("expected an integer of at least 0 for the sizes of the "
                     "launch of kernel '" +
                     planned.kernel + "', got " + Twine(least));
  if (const json::Array *cluster = launch.getArray("cluster"))
    for (unsigned axis = 0; axis < 3; ++axis) {
      int64_t size = *(*cluster)[axis].getAsInteger();
      if (planned.grid[axis] % size != 0)
        return makeError("kernel '" + planned.kernel +
                         "': expected a multiple of the " + Twine(size) +
                         " workgroups of a cluster, got " +
                         Twine(planned.grid[axis]));
      planned.cluster[axis] = size;
    }
  for (const json::Value &each : *launch.getArray("arguments")) {
    KernelArgument &argument = planned.arguments.emplace_back();
    const json::Object &object = *each.getAsObject();
    if (const json::Object *buffer = object.getObject("buffer")) {
      if (Error error = readBuffer(plan, argument, *buffer, known, constants))
        return error;
      continue;
    }
    if (const json::Object *map = object.getObject("tensor_map")) {
      if (Error error = readTensorMap(argument.map.emplace(), *map, known))
        return error;
      if (Error error = readBuffer(plan, argument, *map->getObject("buffer"),
                                   known, constants))
        return error;
      continue;
    }
    Expected<Number> value = evaluate(*object.get("value"), known);
    if (!value)
      return value.takeError();
    argument.bits = getBits(*object.getString("type"), *value);
  }
  plan.launches.push_back(std::move(planned));
  return Error::success();
}

static Error addLaunches(LaunchPlan &plan, const json::Array &launches,
                         Known &known,
                         const llvm::StringMap<unsigned> &constants) {
  for (const json::Value &launch : launches)
    if (Error error = addLaunch(plan, *launch.getAsObject(), known, constants))
      return error;
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

/// Calls `visit` with each expression {"process_index": grid} in `value`.
static void visitProcessIndices(json::Value &value,
                                llvm::function_ref<void(json::Value &)> visit) {
  if (json::Array *array = value.getAsArray()) {
    for (json::Value &each : *array)
      visitProcessIndices(each, visit);
  } else if (json::Object *object = value.getAsObject()) {
    if (object->getArray("process_index"))
      return visit(value);
    for (auto &member : *object)
      visitProcessIndices(member.second, visit);
  }
}

std::optional<SmallVector<int64_t>>
mlir::linalg_ext::getProcessGrid(const json::Value &manifest, StringRef entry) {
  std::optional<SmallVector<int64_t>> grid;
  if (const json::Object *found = findEntry(manifest, entry)) {
    json::Value copy(json::Object{*found});
    visitProcessIndices(copy, [&](json::Value &index) {
      grid.emplace();
      for (const json::Value &size :
           *index.getAsObject()->getArray("process_index"))
        grid->push_back(size.getAsInteger().value_or(0));
    });
  }
  return grid;
}

Expected<LaunchPlan>
mlir::linalg_ext::makeLaunchPlan(const json::Value &manifest, StringRef entry,
                                 ArrayRef<ArgumentValue> given,
                                 std::optional<int64_t> process) {
  Known known(given);
  const json::Object *found = findEntry(manifest, entry);
  if (!found)
    return makeError("there is no function '" + entry + "'");
  json::Value ofProcess(nullptr);
  if (process && getProcessGrid(manifest, entry)) {
    ofProcess = json::Object{*found};
    visitProcessIndices(ofProcess,
                        [&](json::Value &index) { index = *process; });
    found = ofProcess.getAsObject();
  }
  const json::Object &object = *found;
  LaunchPlan plan;
  if (Error error = addArguments(plan, entry, *object.getArray("arguments"),
                                 known.arguments))
    return std::move(error);
  if (const json::Array *named = object.getArray("values"))
    known.setNamed(*named);
  known.setTemporaries(*object.getArray("temporaries"));
  for (const json::Value &temporary : *object.getArray("temporaries"))
    plan.temporaries.emplace_back().type =
        temporary.getAsObject()->getString("type")->str();
  llvm::StringMap<unsigned> constants;
  if (const json::Object *all = manifest.getAsObject()->getObject("constants"))
    for (const auto &[name, constant] : *all) {
      constants[StringRef(name)] = plan.constants.size();
      plan.constants.push_back(*constant.getAsObject()->getInteger("offset"));
    }
  if (const json::Array *checks = object.getArray("checks"))
    for (const json::Value &check : *checks) {
      Expected<Number> holds =
          evaluate(*check.getAsObject()->get("condition"), known);
      if (!holds)
        return holds.takeError();
      if (getBits("i64", *holds) == 0)
        return createStringError(
            *check.getAsObject()->getString("message") +
            describeFound(*check.getAsObject()->get("condition"), known));
    }
  if (Error error =
          addLaunches(plan, *object.getArray("launches"), known, constants))
    return std::move(error);
  return plan;
}
