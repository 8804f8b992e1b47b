//===- KernelFiles.cpp - Kernels of all vendors ---------------------------===//
//
// See KernelFiles.h.
//
//===----------------------------------------------------------------------===//

#include "KernelFiles.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;
namespace path = llvm::sys::path;

bool mlir::linalg_ext::hasThreadCode(ModuleOp module) {
  constexpr int64_t kMaxElements = 512; // GPUStages.cpp
  bool hasLaunches = false, hasTiles = false;
  module.walk([&](gpu::LaunchOp launch) {
    hasLaunches = true;
    launch.walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto vector = dyn_cast<VectorType>(type))
          hasTiles |= vector.getNumElements() > kMaxElements;
    });
  });
  return hasLaunches && !hasTiles;
}

FailureOr<std::optional<StringRef>>
mlir::linalg_ext::getOnlyObject(ModuleOp module, Fail fail) {
  std::optional<StringRef> only;
  unsigned count = 0;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (Attribute object : binary.getObjects()) {
      only = cast<gpu::ObjectAttr>(object).getObject().getValue();
      ++count;
    }
  if (count <= 1)
    return only;
  fail("expected launches of kernels in one module, got " + llvm::Twine(count) +
       " modules of kernels");
  return failure();
}

LogicalResult mlir::linalg_ext::writeFile(
    StringRef name, llvm::function_ref<void(raw_ostream &)> write, Fail fail) {
  std::string error;
  auto file = openOutputFile(name, &error);
  if (!file) {
    fail(error);
    return failure();
  }
  write(file->os());
  file->os().flush();
  if (file->os().has_error()) {
    fail("cannot write " + name + ": " + file->os().error().message());
    file->os().clear_error();
    return failure();
  }
  file->keep();
  recordOutput(name);
  return success();
}

/// The files that this process has written so far.
static std::vector<std::string> outputs;

void mlir::linalg_ext::recordOutput(StringRef name) {
  outputs.push_back(name.str());
}

void mlir::linalg_ext::removeOutputs() {
  // Not a terminal, nor /dev/null.
  for (const std::string &name : outputs)
    if (name != "-" && llvm::sys::fs::is_regular_file(name))
      (void)llvm::sys::fs::remove(name);
  outputs.clear();
}

FailureOr<json::Array>
mlir::linalg_ext::describeHostFunctions(ModuleOp module) {
  json::Array entries;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isExternal())
      continue;
    json::Array arguments, results;
    for (BlockArgument arg : func.getArguments()) {
      FailureOr<json::Object> argument =
          describeManifestValue(func, arg.getType());
      if (failed(argument))
        return failure();
      if (isa<MemRefType>(arg.getType()))
        (*argument)["access"] = describeManifestAccess(getBufferAccess(arg));
      arguments.push_back(std::move(*argument));
    }
    for (Type type : func.getResultTypes()) {
      FailureOr<json::Object> result = describeManifestValue(func, type);
      if (failed(result))
        return failure();
      results.push_back(std::move(*result));
    }
    entries.push_back(json::Object{{"name", func.getName()},
                                   {"arguments", std::move(arguments)},
                                   {"results", std::move(results)}});
  }
  return entries;
}

llvm::StringMap<FunctionSizes>
mlir::linalg_ext::getFunctionSizes(ModuleOp module) {
  llvm::StringMap<FunctionSizes> all;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      all[func.getName()] = {func.getNumArguments(), func.getNumResults(),
                             getEqualDims(func)};
  return all;
}

void mlir::linalg_ext::addSizeChecks(
    json::Array &entries, const llvm::StringMap<FunctionSizes> &sizes) {
  for (json::Value &value : entries) {
    json::Object &entry = *value.getAsObject();
    auto known = sizes.find(*entry.getString("name"));
    if (known == sizes.end())
      continue;
    const FunctionSizes &function = known->second;
    // Without results that are an argument, or that are returned.
    const json::Array &arguments = *entry.getArray("arguments");
    unsigned numArguments = function.numArguments;
    if (arguments.size() == numArguments + function.numResults)
      numArguments = arguments.size();
    json::Array checks;
    auto add = [&](ArgumentDim dim, json::Value expected,
                   const llvm::Twine &text) {
      checks.push_back(json::Object{
          {"condition",
           json::Object{
               {"eq", json::Array{json::Object{{"dim", json::Array{dim.argument,
                                                                   dim.dim}}},
                                  std::move(expected)}}}},
          {"message", llvm::formatv("expected dimension {0} of argument {1} "
                                    "to be {2}",
                                    dim.dim, dim.argument, text.str())
                          .str()}});
    };
    for (const EqualDims &equal : function.dims) {
      std::optional<ArgumentDim> first;
      for (ArgumentDim dim : equal.dims) {
        if (dim.argument >= numArguments)
          continue;
        if (equal.size)
          add(dim, *equal.size, llvm::Twine(*equal.size));
        else if (first)
          add(dim,
              json::Object{{"dim", json::Array{first->argument, first->dim}}},
              "as large as dimension " + llvm::Twine(first->dim) +
                  " of argument " + llvm::Twine(first->argument));
        else
          first = dim;
      }
    }
    if (checks.empty())
      continue;
    // In front of those of the program, which may rely on the sizes.
    if (json::Array *others = entry.getArray("checks"))
      for (json::Value &other : *others)
        checks.push_back(std::move(other));
    entry["checks"] = std::move(checks);
  }
}

/// Whether `value` has a box that is not the same for all launches.
static bool hasBoxOfLaunch(const json::Value &value) {
  if (const json::Array *array = value.getAsArray())
    return llvm::any_of(*array, hasBoxOfLaunch);
  const json::Object *object = value.getAsObject();
  if (!object)
    return false;
  if (const json::Array *box = object->getArray("box");
      box && llvm::any_of(*box, [](const json::Value &size) {
        return !size.getAsInteger();
      }))
    return true;
  return llvm::any_of(
      *object, [](const auto &field) { return hasBoxOfLaunch(field.second); });
}

/// The version of manifests that has what `entries` need: 2, with tensor maps
/// 3, with collective operations or the index of the process 4, with values
/// that have numbers 5, with loops or elements that launches depend on 6, and
/// with boxes whose sizes are expressions 7, with clusters 8.
static int64_t getVersion(const json::Array &entries) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(json::Array(entries));
  auto has = [&](StringRef key) {
    return text.find(("\"" + key + "\":").str()) != std::string::npos;
  };
  if (has("cluster"))
    return 8;
  if (llvm::any_of(entries, hasBoxOfLaunch))
    return 7;
  if (has("loop") || has("element"))
    return 6;
  if (has("values"))
    return 5;
  if (has("collective") || has("process_index"))
    return 4;
  return has("tensor_map") ? 3 : 2;
}

std::string mlir::linalg_ext::getDefaultManifest(StringRef output) {
  if (output == "-")
    return "";
  llvm::SmallString<128> name(output);
  path::replace_extension(name, "json");
  return name.str().str();
}

LogicalResult mlir::linalg_ext::writeManifest(
    KernelManifest manifest, const KernelCompileOptions &options, Fail fail) {
  llvm::SmallString<128> name(options.manifest);
  if (name.empty()) {
    if (options.output == "-" && !manifest.constants.data.empty()) {
      fail("the program has constants, for which a file is needed: -o or "
           "--manifest names one");
      return failure();
    }
    if (options.output == "-")
      return success();
    name = getDefaultManifest(options.output);
  }
  // Relative to the manifest, so that both can move together.
  json::Value image = nullptr;
  if (options.output != "-") {
    llvm::SmallString<128> absolute(options.output);
    (void)llvm::sys::fs::make_absolute(absolute);
    bool together =
        path::parent_path(name) == path::parent_path(options.output);
    image =
        together ? path::filename(options.output).str() : absolute.str().str();
  }
  json::Value constantsFile = nullptr;
  if (!manifest.constants.descriptions.empty()) {
    llvm::SmallString<128> file(name);
    path::replace_extension(file, "constants");
    if (failed(writeFile(
            file, [&](raw_ostream &os) { os << manifest.constants.data; },
            fail)))
      return failure();
    constantsFile = path::filename(file).str();
  }
  // Older launchers read manifests without what they do not know.
  json::Object object{{"version", getVersion(manifest.entries)},
                      {"target", manifest.target},
                      {"chip", options.chip},
                      {"format", manifest.format},
                      {"image", std::move(image)},
                      {"constants_image", std::move(constantsFile)},
                      {"constants", std::move(manifest.constants.descriptions)},
                      {"entries", std::move(manifest.entries)},
                      {"kernels", std::move(manifest.kernels)}};
  return writeFile(
      name,
      [&](raw_ostream &os) {
        os << llvm::formatv("{0:2}", json::Value(std::move(object))) << "\n";
      },
      fail);
}
