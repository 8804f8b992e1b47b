//===- CheckManifest.cpp - The form of a manifest -------------------------===//
//
// Everything that LaunchPlan.cpp and Program.cpp read, as docs/Manifest.md
// describes it. Errors name the place in the manifest, as
// "entries[0].launches[1].grid[2]".
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir::linalg_ext;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// The newest version of manifests that is known.
static constexpr int64_t kVersion = 8;
/// The most workgroups of a cluster.
static constexpr int64_t kMostInCluster = 16;

namespace {
/// Checks one manifest, and keeps the first error.
class Checker {
public:
  Error run(const json::Value &manifest);

private:
  bool fail(const Twine &where, const Twine &expected) {
    if (error.empty())
      error = ("expected " + expected + " in '" + where + "'").str();
    return false;
  }
  /// These functions return the member `key` of `object` if it is of the right
  /// kind. Otherwise they record an error and return null.
  const json::Array *getArray(const json::Object &object, StringRef key,
                              const Twine &where,
                              std::optional<size_t> size = std::nullopt);
  std::optional<StringRef> getString(const json::Object &object, StringRef key,
                                     const Twine &where);
  const json::Object *getObject(const json::Value &value, const Twine &where);

  bool checkExpression(const json::Value *value, const Twine &where);
  bool checkExpressions(const json::Object &object, StringRef key,
                        const Twine &where,
                        std::optional<size_t> size = std::nullopt);
  bool checkIndex(const json::Value &value, size_t size, const Twine &where);
  bool checkArgument(const json::Value &value, const Twine &where);
  bool checkBuffer(const json::Object *buffer, const Twine &where);
  bool checkKernelArgument(const json::Value &value, const Twine &where);
  bool checkCluster(const json::Object &launch, const Twine &where);
  bool checkLaunch(const json::Value &value, const Twine &where);
  bool checkLaunches(const json::Array &launches, const Twine &where);
  bool checkLoop(const json::Object *loop, const Twine &where);
  bool checkCollective(const json::Object &object, const Twine &where);
  bool checkNumbers(const json::Object &object, StringRef key,
                    const Twine &where);
  bool checkEntry(const json::Value &value, const Twine &where);

  std::string error;
  llvm::StringSet<> constants;
  /// The rank of each argument of the current entry; -1 for scalars.
  std::vector<int64_t> ranks;
  size_t numTemporaries = 0;
  /// How many numbered values, and how many counters of loops, an expression
  /// may name.
  size_t numValues = 0, numCounters = 0;
};
} // namespace

const json::Array *Checker::getArray(const json::Object &object, StringRef key,
                                     const Twine &where,
                                     std::optional<size_t> size) {
  const json::Array *array = object.getArray(key);
  if (array && (!size || array->size() == *size))
    return array;
  fail(where + "." + key,
       size ? "an array of " + Twine(*size) + " elements" : Twine("an array"));
  return nullptr;
}

std::optional<StringRef> Checker::getString(const json::Object &object,
                                            StringRef key, const Twine &where) {
  std::optional<StringRef> text = object.getString(key);
  if (!text)
    fail(where + "." + key, "a string");
  return text;
}

const json::Object *Checker::getObject(const json::Value &value,
                                       const Twine &where) {
  const json::Object *object = value.getAsObject();
  if (!object)
    fail(where, "an object");
  return object;
}

bool Checker::checkIndex(const json::Value &value, size_t size,
                         const Twine &where) {
  std::optional<int64_t> index = value.getAsInteger();
  if (index && *index >= 0 && size_t(*index) < size)
    return true;
  return fail(where, "a number below " + Twine(size));
}

bool Checker::checkExpression(const json::Value *value, const Twine &where) {
  if (value && value->getAsNumber())
    return true;
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object || object->size() != 1)
    return fail(where, "a number or one operator");
  StringRef name = object->begin()->first;
  const json::Value &operand = object->begin()->second;
  if (name == "argument" || name == "offset" || name == "element") {
    if (!checkIndex(operand, ranks.size(), where + "." + name))
      return false;
    bool isBuffer = ranks[*operand.getAsInteger()] >= 0;
    return isBuffer == (name != "argument") ||
           fail(where + "." + name,
                name == "argument" ? "a scalar" : "a buffer");
  }
  if (name == "process_index")
    return checkNumbers(*object, name, where);
  if (name == "value")
    return checkIndex(operand, numValues, where + "." + name);
  if (name == "counter")
    return checkIndex(operand, numCounters, where + "." + name);
  const json::Array *operands = operand.getAsArray();
  if (!operands || operands->empty())
    return fail(where + "." + name, "an array of operands");
  if (name == "dim" || name == "stride") {
    if (operands->size() != 2)
      return fail(where + "." + name, "an array of 2 elements");
    if (!checkIndex((*operands)[0], ranks.size(), where + "." + name + "[0]"))
      return false;
    int64_t rank = std::max<int64_t>(ranks[*(*operands)[0].getAsInteger()], 0);
    return checkIndex((*operands)[1], rank, where + "." + name + "[1]");
  }
  size_t size = name == "select" ? 3
                : llvm::is_contained({"eq", "ne", "lt", "le"}, name)
                    ? 2
                    : operands->size();
  if (operands->size() != size)
    return fail(where + "." + name, "an array of " + Twine(size) + " elements");
  if (size == operands->size() && name != "select" &&
      !llvm::is_contained({"eq", "ne", "lt", "le", "add", "sub", "mul", "min",
                           "max", "ceildiv", "floordiv", "mod", "div", "rem"},
                          name))
    return fail(where, "a known operator, not '" + name + "',");
  for (auto [index, each] : llvm::enumerate(*operands))
    if (!checkExpression(&each, where + "." + name + "[" + Twine(index) + "]"))
      return false;
  return true;
}

bool Checker::checkExpressions(const json::Object &object, StringRef key,
                               const Twine &where, std::optional<size_t> size) {
  const json::Array *array = getArray(object, key, where, size);
  if (!array)
    return false;
  for (auto [index, each] : llvm::enumerate(*array))
    if (!checkExpression(&each, where + "." + key + "[" + Twine(index) + "]"))
      return false;
  return true;
}

bool Checker::checkArgument(const json::Value &value, const Twine &where) {
  const json::Object *object = getObject(value, where);
  if (!object || !getString(*object, "type", where))
    return false;
  ranks.push_back(-1);
  if (!object->get("shape"))
    return true;
  const json::Array *shape = getArray(*object, "shape", where);
  if (!shape)
    return false;
  ranks.back() = shape->size();
  // Sizes and strides are numbers, or null if they are dynamic.
  for (StringRef key : {"shape", "strides"}) {
    if (key == "strides" && !object->get(key))
      continue;
    const json::Array *array = getArray(*object, key, where, shape->size());
    if (!array)
      return false;
    for (auto [index, each] : llvm::enumerate(*array))
      if (each.kind() != json::Value::Null &&
          (!each.getAsInteger() || *each.getAsInteger() < 0))
        return fail(where + "." + key + "[" + Twine(index) + "]",
                    "null or a size");
  }
  return true;
}

bool Checker::checkBuffer(const json::Object *buffer, const Twine &where) {
  if (!buffer)
    return fail(where, "an object");
  if (buffer->get("offset") &&
      !checkExpression(buffer->get("offset"), where + ".offset"))
    return false;
  if (std::optional<StringRef> name = buffer->getString("constant"))
    return constants.contains(*name) ||
           fail(where + ".constant", "the name of a constant");
  if (const json::Value *number = buffer->get("temporary"))
    return checkIndex(*number, numTemporaries, where + ".temporary");
  const json::Value *number = buffer->get("argument");
  if (!number)
    return fail(where, "'argument', 'temporary' or 'constant'");
  return checkIndex(*number, ranks.size(), where + ".argument") &&
         (ranks[*number->getAsInteger()] >= 0 ||
          fail(where + ".argument", "a buffer"));
}

bool Checker::checkKernelArgument(const json::Value &value,
                                  const Twine &where) {
  const json::Object *object = getObject(value, where);
  if (!object)
    return false;
  if (object->get("buffer"))
    return checkBuffer(object->getObject("buffer"), where + ".buffer");
  if (!object->get("tensor_map"))
    return getString(*object, "type", where) &&
           checkExpression(object->get("value"), where + ".value");
  std::string inner = (where + ".tensor_map").str();
  const json::Object *map = object->getObject("tensor_map");
  if (!map)
    return fail(inner, "an object");
  if (!getString(*map, "type", inner))
    return false;
  if (!map->getInteger("swizzle"))
    return fail(inner + ".swizzle", "a number");
  if (!checkExpressions(*map, "sizes", inner))
    return false;
  size_t rank = map->getArray("sizes")->size();
  if (rank == 0)
    return fail(inner + ".sizes", "at least one size");
  return checkExpressions(*map, "strides", inner, rank - 1) &&
         checkExpressions(*map, "box", inner, rank) &&
         checkBuffer(map->getObject("buffer"), inner + ".buffer");
}

bool Checker::checkNumbers(const json::Object &object, StringRef key,
                           const Twine &where) {
  const json::Array *numbers = getArray(object, key, where);
  if (!numbers)
    return false;
  for (auto [index, each] : llvm::enumerate(*numbers))
    if (!each.getAsInteger())
      return fail(where + "." + key + "[" + Twine(index) + "]", "a number");
  return true;
}

bool Checker::checkCollective(const json::Object &object, const Twine &where) {
  if (!getString(object, "collective", where) ||
      !getString(object, "function", where))
    return false;
  const json::Array *arguments = getArray(object, "arguments", where);
  if (!arguments)
    return false;
  for (auto [index, each] : llvm::enumerate(*arguments)) {
    std::string inner = (where + ".arguments[" + Twine(index) + "]").str();
    const json::Object *argument = getObject(each, inner);
    if (!argument)
      return false;
    bool isRight =
        argument->get("numbers") ? checkNumbers(*argument, "numbers", inner)
        : argument->get("buffer")
            ? checkBuffer(argument->getObject("buffer"), inner + ".buffer") &&
                  getString(*argument, "type", inner) &&
                  checkExpressions(*argument, "shape", inner)
            : getString(*argument, "type", inner) &&
                  checkExpression(argument->get("value"), inner + ".value");
    if (!isRight)
      return false;
  }
  return true;
}

/// Counters are numbered in the order in which loops begin.
bool Checker::checkLoop(const json::Object *loop, const Twine &where) {
  if (!loop)
    return fail(where, "an object");
  const json::Array *counters = getArray(*loop, "counters", where),
                    *launches = getArray(*loop, "launches", where);
  if (!counters || !launches)
    return false;
  auto getPath = [&](size_t index, StringRef key) {
    return (where + ".counters[" + Twine(index) + "]." + key).str();
  };
  for (auto [index, each] : llvm::enumerate(*counters)) {
    const json::Object *counter =
        getObject(each, where + ".counters[" + Twine(index) + "]");
    if (!counter ||
        !checkExpression(counter->get("first"), getPath(index, "first")))
      return false;
    if (counter->getInteger("counter") != int64_t(numCounters + index))
      return fail(getPath(index, "counter"),
                  "the number " + Twine(numCounters + index));
  }
  numCounters += counters->size();
  if (!checkExpression(loop->get("while"), where + ".while") ||
      !checkLaunches(*launches, where + ".launches"))
    return false;
  for (auto [index, each] : llvm::enumerate(*counters))
    if (!checkExpression(each.getAsObject()->get("next"),
                         getPath(index, "next")))
      return false;
  return true;
}

bool Checker::checkLaunches(const json::Array &launches, const Twine &where) {
  for (auto [index, each] : llvm::enumerate(launches))
    if (!checkLaunch(each, where + "[" + Twine(index) + "]"))
      return false;
  return true;
}

/// Returns the number of counters of the loops in `launches`.
static size_t countCounters(const json::Array &launches) {
  size_t count = 0;
  for (const json::Value &launch : launches) {
    const json::Object *object = launch.getAsObject();
    const json::Object *loop = object ? object->getObject("loop") : nullptr;
    if (!loop)
      continue;
    if (const json::Array *counters = loop->getArray("counters"))
      count += counters->size();
    if (const json::Array *nested = loop->getArray("launches"))
      count += countCounters(*nested);
  }
  return count;
}

/// The workgroups of a cluster along x, y and z.
bool Checker::checkCluster(const json::Object &launch, const Twine &where) {
  const json::Array *sizes = getArray(launch, "cluster", where);
  if (!sizes)
    return false;
  bool areSizes = sizes->size() == 3 &&
                  llvm::all_of(*sizes, [](const json::Value &size) {
                    std::optional<int64_t> number = size.getAsInteger();
                    return number && *number >= 1 && *number <= kMostInCluster;
                  });
  return areSizes || fail(where + ".cluster",
                          "3 numbers of 1 to " + Twine(kMostInCluster));
}

bool Checker::checkLaunch(const json::Value &value, const Twine &where) {
  const json::Object *object = getObject(value, where);
  if (object && object->get("loop"))
    return checkLoop(object->getObject("loop"), where + ".loop");
  if (object && object->get("collective"))
    return checkCollective(*object, where);
  if (!object || !getString(*object, "kernel", where) ||
      !checkExpressions(*object, "grid", where, 3) ||
      !checkExpressions(*object, "block", where, 3) ||
      !checkExpression(object->get("shared_memory_bytes"),
                       where + ".shared_memory_bytes"))
    return false;
  if (object->get("waits") && !object->getBoolean("waits"))
    return fail(where + ".waits", "true or false");
  std::optional<int64_t> most = object->getInteger("workgroups_per_processor");
  if (object->get("workgroups_per_processor") && (!most || *most < 1))
    return fail(where + ".workgroups_per_processor", "a number of at least 1");
  if (object->get("cluster") && !checkCluster(*object, where))
    return false;
  const json::Array *arguments = getArray(*object, "arguments", where);
  if (!arguments)
    return false;
  for (auto [index, each] : llvm::enumerate(*arguments))
    if (!checkKernelArgument(each, where + ".arguments[" + Twine(index) + "]"))
      return false;
  return true;
}

bool Checker::checkEntry(const json::Value &value, const Twine &where) {
  const json::Object *object = getObject(value, where);
  if (!object || !getString(*object, "name", where))
    return false;
  const json::Array *arguments = getArray(*object, "arguments", where),
                    *temporaries = getArray(*object, "temporaries", where),
                    *launches = getArray(*object, "launches", where);
  if (!arguments || !temporaries || !launches)
    return false;
  ranks.clear();
  for (auto [index, each] : llvm::enumerate(*arguments))
    if (!checkArgument(each, where + ".arguments[" + Twine(index) + "]"))
      return false;
  // A value names earlier values, and counters of loops.
  numValues = 0;
  numCounters = countCounters(*launches);
  if (object->get("values")) {
    const json::Array *named = getArray(*object, "values", where);
    if (!named)
      return false;
    for (const json::Value &each : *named) {
      if (!checkExpression(&each, where + ".values[" + Twine(numValues) + "]"))
        return false;
      ++numValues;
    }
  }
  numTemporaries = temporaries->size();
  for (auto [index, each] : llvm::enumerate(*temporaries)) {
    std::string inner = (where + ".temporaries[" + Twine(index) + "]").str();
    const json::Object *temporary = getObject(each, inner);
    if (!temporary || !getString(*temporary, "type", inner) ||
        !checkExpressions(*temporary, "shape", inner))
      return false;
  }
  numCounters = 0;
  if (object->get("checks")) {
    const json::Array *checks = getArray(*object, "checks", where);
    if (!checks)
      return false;
    for (auto [index, each] : llvm::enumerate(*checks)) {
      std::string inner = (where + ".checks[" + Twine(index) + "]").str();
      const json::Object *check = getObject(each, inner);
      if (!check || !getString(*check, "message", inner) ||
          !checkExpression(check->get("condition"), inner + ".condition"))
        return false;
    }
  }
  return checkLaunches(*launches, where + ".launches");
}

Error Checker::run(const json::Value &manifest) {
  auto check = [&] {
    const json::Object *object = getObject(manifest, "manifest");
    if (!object)
      return false;
    std::optional<int64_t> version = object->getInteger("version");
    if (!version || *version < 2 || *version > kVersion)
      return fail("version", "2 to " + Twine(kVersion));
    std::optional<StringRef> target = getString(*object, "target", "manifest");
    if (!target || (*target != "nvidia" && *target != "amd"))
      return fail("target", "nvidia or amd");
    if (!getString(*object, "chip", "manifest") ||
        !getString(*object, "image", "manifest"))
      return false;
    if (const json::Value *all = object->get("constants")) {
      const json::Object *map = getObject(*all, "constants");
      if (!map)
        return false;
      for (const auto &[name, constant] : *map) {
        const json::Object *each = constant.getAsObject();
        if (!each || !each->getInteger("offset") ||
            *each->getInteger("offset") < 0)
          return fail("constants." + StringRef(name), "an offset");
        constants.insert(StringRef(name));
      }
    }
    const json::Array *entries = getArray(*object, "entries", "manifest");
    if (!entries)
      return false;
    for (auto [index, each] : llvm::enumerate(*entries))
      if (!checkEntry(each, "entries[" + Twine(index) + "]"))
        return false;
    return true;
  };
  if (check())
    return Error::success();
  return llvm::createStringError(error);
}

Error mlir::linalg_ext::checkManifest(const json::Value &manifest) {
  return Checker().run(manifest);
}
