//===- Tune.cpp - Tuning of pipeline options ------------------------------===//
//
//   1. Rank combinations of options by the cost model
//      (mlir-ext/Pipelines/SelectConfig.h).
//   2. Compile the compiler's own choice, and then the best-ranked
//      combinations. Drop those that give the same program.
//   3. Time the programs here, or write them to a directory to be timed
//      elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Tune.h"
#include "Progress.h"
#include "TimePrograms.h"

#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Chips.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;
namespace path = llvm::sys::path;

namespace {
/// A program that was compiled.
struct Candidate {
  std::string options;
  LaunchEstimate estimate;
  /// In the directory, without the extension.
  std::string name;
  std::unique_ptr<llvm::MemoryBuffer> image;
  json::Value manifest = nullptr;
  /// The elements of its constants, if it has any.
  std::unique_ptr<llvm::MemoryBuffer> constants;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

/// Removes all public functions except the one to call and those that it calls.
static FailureOr<std::string> selectEntry(ModuleOp module, StringRef wanted,
                                          Fail fail) {
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      functions.push_back(func);
  std::string names = llvm::join(
      llvm::map_range(functions,
                      [](func::FuncOp func) { return func.getName(); }),
      ", ");
  if (wanted.empty() && functions.size() != 1) {
    fail("the program has " + llvm::Twine(functions.size()) +
         " functions; --tune-entry says which one to tune: " + names);
    return failure();
  }
  auto *found = llvm::find_if(functions, [&](func::FuncOp func) {
    return wanted.empty() || func.getName() == wanted;
  });
  if (found == functions.end()) {
    fail("expected --tune-entry to be one of " + names + ", got '" + wanted +
         "'");
    return failure();
  }
  for (func::FuncOp func : functions)
    if (func != *found)
      func.setPrivate();
  PassManager pm(module.getContext());
  pm.addPass(createSymbolDCEPass());
  if (failed(pm.run(module)))
    return failure();
  return found->getName().str();
}

/// The options that the model can vary, without those that `options` set, and
/// with those that the user varies.
static FailureOr<SmallVector<ConfigChoice>>
getChoices(const TuneOptions &options, Fail fail) {
  auto isGiven = [&](StringRef name) {
    StringRef text = options.compile.pipeline;
    for (size_t at = text.find((name + "=").str()); at != StringRef::npos;
         at = text.find((name + "=").str(), at + 1))
      if (at == 0 || text[at - 1] == ' ')
        return true;
    return false;
  };
  SmallVector<ConfigChoice> choices = getConfigChoices();
  llvm::erase_if(choices,
                 [&](const ConfigChoice &c) { return isGiven(c.option); });
  for (const std::string &given : options.vary) {
    StringRef text = given;
    StringRef name = text.split('=').first, list = text.split('=').second;
    SmallVector<StringRef> values;
    list.split(values, ',');
    if (name.empty() || list.empty()) {
      fail("expected --tune-vary=NAME=VALUE,..., got '" + text + "'");
      return failure();
    }
    llvm::erase_if(choices,
                   [&](const ConfigChoice &c) { return c.option == name; });
    ConfigChoice &choice = choices.emplace_back();
    choice.option = name.str();
    for (StringRef value : values)
      choice.values.push_back(value.str());
  }
  return choices;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Compiles `module` with `pipeline` to `base` with the extensions of the image
/// and the manifest, and reads them.
static LogicalResult compile(Candidate &candidate, ModuleOp module,
                             StringRef directory, const TuneOptions &options,
                             Fail fail) {
  llvm::SmallString<128> image(directory), manifest;
  path::append(image, candidate.name);
  manifest = image;
  image += options.extension;
  manifest += ".json";
  KernelCompileOptions compile = options.compile;
  compile.output = image.str().str();
  compile.manifest = manifest.str().str();
  compile.pipeline = candidate.options;
  OwningOpRef<ModuleOp> copy(module.clone());
  if (failed(options.compileProgram(*copy, compile, fail)))
    return failure();
  auto read = llvm::MemoryBuffer::getFile(image, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/true);
  auto text = llvm::MemoryBuffer::getFile(manifest);
  if (!read || !text) {
    fail("cannot read " + (read ? manifest : image));
    return failure();
  }
  llvm::Expected<json::Value> parsed = json::parse((*text)->getBuffer());
  if (!parsed) {
    fail(manifest + ": " + llvm::toString(parsed.takeError()));
    return failure();
  }
  if (auto name = parsed->getAsObject()->getString("constants_image")) {
    llvm::SmallString<128> file(directory);
    path::append(file, *name);
    auto constants = llvm::MemoryBuffer::getFile(file);
    if (!constants) {
      fail("cannot read " + file);
      return failure();
    }
    candidate.constants = std::move(*constants);
  }
  candidate.image = std::move(*read);
  candidate.manifest = std::move(*parsed);
  return success();
}

static void removeFiles(const Candidate &candidate, StringRef directory) {
  for (StringRef extension :
       {".cubin", ".ptx", ".hsaco", ".json", ".constants"}) {
    llvm::SmallString<128> file(directory);
    path::append(file, candidate.name + extension);
    llvm::sys::fs::remove(file);
  }
}

/// Adds the best combinations to `candidates`, which has the compiler's own
/// choice already.
static LogicalResult addOthers(SmallVector<Candidate> &candidates,
                               ModuleOp module, StringRef directory,
                               const TuneOptions &options, Fail fail) {
  FailureOr<SmallVector<ConfigChoice>> choices = getChoices(options, fail);
  if (failed(choices))
    return failure();
  FailureOr<SmallVector<RankedConfig>> ranked = rankConfigs(
      module, options.compile.chip, options.compile.pipeline, *choices);
  if (failed(ranked))
    return failure();
  candidates.front().estimate = ranked->front().estimate;
  Progress progress("compiling",
                    std::min<size_t>(options.keep, ranked->size()));
  for (const RankedConfig &config : ArrayRef(*ranked).drop_front()) {
    if (candidates.size() >= options.keep)
      break;
    Candidate candidate;
    candidate.options = config.options;
    candidate.estimate = config.estimate;
    candidate.name = "candidate-" + std::to_string(candidates.size());
    progress.begin(candidates.size() + 1, candidate.options);
    // Skip combinations that cannot be compiled.
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    bool isNew =
        succeeded(compile(candidate, module, directory, options,
                          [](const llvm::Twine &) {})) &&
        llvm::none_of(candidates, [&](const Candidate &other) {
          return other.image->getBuffer() == candidate.image->getBuffer();
        });
    if (isNew)
      candidates.push_back(std::move(candidate));
    else
      removeFiles(candidate, directory);
  }
  progress.clear();
  llvm::errs() << "linalg-ext-compile: " << candidates.size() << " programs of "
               << ranked->size() << " that fit\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static json::Object describe(const LaunchEstimate &estimate) {
  return json::Object{{"threads", estimate.threads},
                      {"registers", estimate.registers},
                      {"spills", estimate.spills},
                      {"shared_memory_bytes", estimate.sharedBytes},
                      {"workgroups", estimate.workgroups},
                      {"cycles", estimate.cycles}};
}

static json::Array listSizes(StringRef sizes) {
  json::Array list;
  SmallVector<StringRef> items;
  sizes.split(items, ',', -1, /*KeepEmpty=*/false);
  for (StringRef item : items)
    list.push_back(item);
  return list;
}

static LogicalResult writeJSON(StringRef name, json::Object object, Fail fail) {
  std::string error;
  auto file = openOutputFile(name, &error);
  if (!file) {
    fail(error);
    return failure();
  }
  file->os() << llvm::formatv("{0:2}", json::Value(std::move(object))) << "\n";
  file->keep();
  return success();
}

/// What bench/gpu/tune reads.
static LogicalResult writeCandidates(ArrayRef<Candidate> candidates,
                                     StringRef entry,
                                     const TuneOptions &options, Fail fail) {
  json::Array list;
  for (const Candidate &candidate : candidates)
    list.push_back(json::Object{{"options", candidate.options},
                                {"manifest", candidate.name + ".json"},
                                {"expected", describe(candidate.estimate)}});
  llvm::SmallString<128> name(options.directory);
  path::append(name, "candidates.json");
  return writeJSON(name,
                   json::Object{{"version", 1},
                                {"target", options.compile.chip},
                                {"entry", entry},
                                {"sizes", listSizes(options.sizes)},
                                {"candidates", std::move(list)}},
                   fail);
}

/// Prints the result of each candidate, and writes the spec of the fastest.
static LogicalResult writeSpec(ArrayRef<Candidate> candidates,
                               ArrayRef<ProgramTime> times, StringRef device,
                               StringRef entry, const TuneOptions &options,
                               Fail fail) {
  SmallVector<unsigned> order;
  json::Array list;
  bool anyWrong = false;
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    const ProgramTime &time = times[index];
    StringRef text =
        candidate.options.empty() ? "(none)" : StringRef(candidate.options);
    if (!time.failure.empty()) {
      llvm::errs() << llvm::formatv("{0,-60} {1}\n", text, time.failure);
      anyWrong |= time.isWrong;
      continue;
    }
    order.push_back(index);
  }
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return times[a].median < times[b].median;
  });
  for (unsigned index : order) {
    const ProgramTime &time = times[index];
    const std::string &text = candidates[index].options;
    llvm::errs() << llvm::formatv("{0,-60} {1,9:f4} ms ({2:f4} to {3:f4})\n",
                                  text.empty() ? "(none)" : text, time.median,
                                  time.least, time.largest);
    list.push_back(json::Object{{"options", text},
                                {"milliseconds", time.median},
                                {"least", time.least},
                                {"largest", time.largest}});
  }
  json::Object spec{{"target", options.compile.chip},
                    {"options", candidates[order.front()].options},
                    {"entry", entry},
                    {"sizes", listSizes(options.sizes)},
                    {"device", device},
                    {"milliseconds", times[order.front()].median},
                    {"candidates", std::move(list)}};
  if (failed(writeJSON(options.compile.output, std::move(spec), fail)))
    return failure();
  if (anyWrong) {
    fail("candidates differ from what the compiler chooses by itself: expected "
         "all to be right");
    return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// A device that can run the compiled programs.
static llvm::Expected<std::unique_ptr<GPUDriver>>
openDevice(const TuneOptions &options) {
  if (lookupAMDChip(options.compile.chip))
    // HIP refuses code for another chip.
    return GPUDriver::create(GPUDriver::Kind::HIP);
  llvm::Expected<std::unique_ptr<GPUDriver>> driver =
      GPUDriver::create(GPUDriver::Kind::CUDA);
  if (!driver)
    return driver;
  // "sm_90a" is for 9.0.
  int expected = 0, actual = (*driver)->getComputeCapability();
  StringRef chip = options.compile.chip;
  chip.consume_front("sm_");
  (void)chip.consumeInteger(10, expected);
  if (actual != expected)
    return llvm::createStringError(
        llvm::formatv("expected a GPU of compute capability {0}.{1} for "
                      "--target={2}, got {3} "
                      "of {4}.{5}",
                      expected / 10, expected % 10, options.compile.chip,
                      (*driver)->getDeviceName(), actual / 10, actual % 10));
  return driver;
}

LogicalResult mlir::linalg_ext::tune(ModuleOp module,
                                     const TuneOptions &options, Fail fail) {
  if (!lookupAMDChip(options.compile.chip) &&
      !lookupNVIDIAChip(options.compile.chip)) {
    fail("unknown --target: " + explainUnknownNVIDIAChip(options.compile.chip));
    return failure();
  }
  if (options.keep == 0) {
    fail("expected --tune-keep to be positive, got 0");
    return failure();
  }
  FailureOr<std::string> entry = selectEntry(module, options.entry, fail);
  if (failed(entry))
    return failure();
  llvm::Expected<SmallVector<ArgumentValue>> values =
      parseArgumentValues(options.sizes);
  if (!values) {
    fail("--tune-sizes: " + llvm::toString(values.takeError()));
    return failure();
  }

  // Before the work, not after it.
  std::unique_ptr<GPUDriver> driver;
  if (options.directory.empty()) {
    llvm::Expected<std::unique_ptr<GPUDriver>> created = openDevice(options);
    if (!created) {
      fail(llvm::toString(created.takeError()));
      return failure();
    }
    driver = std::move(*created);
  }
  llvm::SmallString<128> directory(options.directory);
  std::error_code code = driver ? llvm::sys::fs::createUniqueDirectory(
                                      "linalg-ext-compile", directory)
                                : llvm::sys::fs::create_directories(directory);
  if (code) {
    fail("cannot create the directory " + directory + ": " + code.message());
    return failure();
  }
  llvm::scope_exit cleanUp([&] {
    if (driver)
      llvm::sys::fs::remove_directories(directory);
  });

  SmallVector<Candidate> candidates(1);
  Candidate &chosen = candidates.front();
  chosen.options = options.compile.pipeline;
  chosen.name = "candidate-0";
  if (failed(compile(chosen, module, directory, options, fail)))
    return failure();
  if (options.sizes.empty())
    if (auto found = getStaticArgumentValues(chosen.manifest, *entry))
      *values = std::move(*found);
  auto makePlan = [&](const Candidate &candidate) -> FailureOr<LaunchPlan> {
    llvm::Expected<LaunchPlan> plan =
        makeLaunchPlan(candidate.manifest, *entry, *values);
    if (plan)
      return std::move(*plan);
    fail("--tune-sizes: " + llvm::toString(plan.takeError()));
    return failure();
  };
  // Sizes may be said where programs are timed.
  bool hasSizes = driver || !options.sizes.empty();
  if ((hasSizes && failed(makePlan(chosen))) ||
      failed(addOthers(candidates, module, directory, options, fail)))
    return failure();
  if (!driver)
    return writeCandidates(candidates, *entry, options, fail);

  std::vector<TimedProgram> programs;
  for (const Candidate &candidate : candidates) {
    FailureOr<LaunchPlan> plan = makePlan(candidate);
    if (failed(plan))
      return failure();
    programs.push_back(
        {std::move(*plan), candidate.image->getBuffer(),
         candidate.constants ? candidate.constants->getBuffer() : StringRef()});
  }
  llvm::Expected<SmallVector<ProgramTime>> times =
      timePrograms(*driver, programs, *values);
  if (!times) {
    fail(llvm::toString(times.takeError()));
    return failure();
  }
  return writeSpec(candidates, *times, driver->getDeviceName(), *entry, options,
                   fail);
}
