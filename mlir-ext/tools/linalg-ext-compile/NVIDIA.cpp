//===- NVIDIA.cpp - Kernels for NVIDIA GPUs -------------------------------===//
//
//   1. Run the pipeline up to kernels.
//   2. Read the manifest from the launches.
//   3. Run the rest of the pipeline, which generates PTX.
//   4. Run NVIDIA's assembler, if the output is a cubin. If a kernel spills, run it
//      again with fewer workgroups on a processor.
//
//===----------------------------------------------------------------------===//

#include "NVIDIA.h"
#include "Diagnostics.h"
#include "PipelineOptions.h"

#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Target/GPU/Manifest.h"
#include "mlir-ext/Target/NVGPU/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

/// Looks for ptxas: as the user says, else where CUDA_PATH says, in PATH, and
/// where CUDA installs itself.
static FailureOr<std::string> findPtxas(StringRef given, Fail fail) {
  if (!given.empty()) {
    if (llvm::sys::fs::can_execute(given))
      return given.str();
    fail("expected --ptxas to be a program, got '" + given + "'");
    return failure();
  }
  SmallVector<std::string> directories;
  if (std::optional<std::string> root =
          llvm::sys::Process::GetEnv("CUDA_PATH")) {
    llvm::SmallString<128> directory(*root);
    path::append(directory, "bin");
    directories.push_back(directory.str().str());
  }
  for (const std::string &directory : directories)
    if (auto program = llvm::sys::findProgramByName("ptxas", {directory}))
      return *program;
  if (auto program = llvm::sys::findProgramByName("ptxas"))
    return *program;
  if (auto program =
          llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}))
    return *program;
  fail("--emit=cubin takes ptxas, NVIDIA's assembler, which is not in "
       "$CUDA_PATH/bin, PATH or /usr/local/cuda/bin; --ptxas names it, and "
       "--emit=ptx does without");
  return failure();
}

/// What ptxas -v says of each kernel: {"k": {"registers": 32, ...}}.
static json::Object parseUsage(StringRef report) {
  llvm::Regex entry("Function properties for (.*)$"),
      memory("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, "
             "([0-9]+) bytes spill loads"),
      registers("Used ([0-9]+) registers");
  auto toInt = [](StringRef text) {
    int64_t value = 0;
    (void)text.getAsInteger(10, value);
    return value;
  };
  json::Object kernels;
  json::Object *kernel = nullptr;
  SmallVector<StringRef> lines, groups;
  report.split(lines, '\n');
  for (StringRef line : lines) {
    if (entry.match(line, &groups)) {
      json::Value &value =
          kernels.try_emplace(groups[1].trim().str(), json::Object())
              .first->second;
      kernel = value.getAsObject();
    } else if (kernel && memory.match(line, &groups)) {
      (*kernel)["stack_bytes"] = toInt(groups[1]);
      (*kernel)["spill_store_bytes"] = toInt(groups[2]);
      (*kernel)["spill_load_bytes"] = toInt(groups[3]);
    } else if (kernel && registers.match(line, &groups)) {
      (*kernel)["registers"] = toInt(groups[1]);
    }
  }
  return kernels;
}

static int64_t getUsed(const json::Value &kernel, StringRef key) {
  return kernel.getAsObject()->getInteger(key).value_or(0);
}

static bool spills(const json::Value &kernel) {
  return getUsed(kernel, "spill_store_bytes") > 0 ||
         getUsed(kernel, "spill_load_bytes") > 0;
}

namespace {
/// The directives of a kernel in PTX, in front of its body.
struct Directives {
  /// Their place in the text.
  size_t begin = 0, end = 0;
  /// Threads of a workgroup, and the number of workgroups that the assembler
  /// makes room for on a processor: 0 if it chooses.
  int64_t threads = 1, workgroups = 0;
  /// Whether subgroups multiply operands in registers.
  bool multiplies = false;
};
} // namespace

/// Finds the directives of kernel `name` in `ptx`. Unset if its roles share out
/// registers, or if its workgroups have no known size.
static std::optional<Directives> findDirectives(StringRef ptx, StringRef name) {
  Directives found;
  size_t entry = ptx.find((".entry " + name + "(").str());
  if (entry == StringRef::npos)
    return std::nullopt;
  found.begin = ptx.find(')', entry) + 1;
  found.end = ptx.find('{', found.begin);
  StringRef body = ptx.substr(found.end);
  body = body.take_front(body.find(".entry "));
  StringRef text = ptx.slice(found.begin, found.end);
  found.multiplies = body.contains("mma.sync");
  llvm::Regex threads("\\.maxntid ([0-9]+)(, ([0-9]+))?(, ([0-9]+))?"),
      workgroups("\\.minnctapersm ([0-9]+)");
  SmallVector<StringRef> groups;
  if (body.contains("setmaxnreg") || !threads.match(text, &groups))
    return std::nullopt;
  for (unsigned i : {1, 3, 5})
    if (int64_t size = 1; !groups[i].getAsInteger(10, size))
      found.threads *= size;
  if (workgroups.match(text, &groups))
    (void)groups[1].getAsInteger(10, found.workgroups);
  return found;
}

/// What a thread may spill rather than lose a quarter of the workgroups.
static constexpr int64_t kFewSpilledBytes = 8;

/// Lets the assembler make room for fewer workgroups of the kernels in `usage`
/// that spill: as many as their registers allow, which it may have chosen
/// itself, or one fewer. Few spilled bytes stay if these were many fewer than
/// the compiler has asked for: `asked`. Returns whether there are such.
static bool askForRegisters(std::string &ptx, const json::Object &usage,
                            const llvm::StringMap<int64_t> &asked,
                            const GPUTarget &target) {
  bool isChanged = false;
  for (const auto &[name, kernel] : usage) {
    std::optional<Directives> found;
    if (spills(kernel))
      found = findDirectives(ptx, name);
    if (!found)
      continue;
    int64_t registers =
        llvm::alignTo(std::max<int64_t>(getUsed(kernel, "registers"), 1),
                      target.registerStep);
    int64_t workgroups =
        std::min(target.processorThreads / found->threads,
                 target.processorRegisters / (registers * found->threads));
    if (found->workgroups > 0 && found->workgroups <= workgroups)
      workgroups = found->workgroups - 1;
    if (workgroups < 1)
      continue;
    // A register or two take less time. Kernels of rows were not timed
    // (docs/Decisions/0166).
    if (found->multiplies &&
        getUsed(kernel, "spill_store_bytes") <= kFewSpilledBytes &&
        getUsed(kernel, "spill_load_bytes") <= kFewSpilledBytes &&
        asked.lookup(name) == found->workgroups &&
        4 * workgroups <= 3 * found->workgroups)
      continue;
    std::string text = ptx.substr(found->begin, found->end - found->begin);
    text = llvm::Regex("\\.minnctapersm [0-9]+").sub("", text);
    ptx.replace(found->begin, found->end - found->begin,
                llvm::formatv("{0}\n.minnctapersm {1}\n",
                              StringRef(text).rtrim(), workgroups));
    isChanged = true;
  }
  return isChanged;
}

static void printUsage(const json::Object &kernels) {
  for (const auto &[name, value] : kernels) {
    const json::Object &kernel = *value.getAsObject();
    auto get = [&](StringRef key) {
      return kernel.getInteger(key).value_or(0);
    };
    llvm::errs() << name << ": " << get("registers") << " registers, "
                 << get("stack_bytes") << " bytes stack, "
                 << get("spill_store_bytes") << " bytes spill stores, "
                 << get("spill_load_bytes") << " bytes spill loads\n";
  }
}

/// Assembles `ptx` into `cubin` and reads the usage of each kernel off the
/// assembler's report.
static FailureOr<json::Object> assemble(StringRef ptx, StringRef cubin,
                                        const NVIDIACompileOptions &options,
                                        StringRef ptxas, Fail fail) {
  llvm::SmallString<128> input, log;
  for (auto &[file, suffix] : {std::pair(&input, "ptx"), {&log, "log"}})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "linalg-ext-compile", suffix, *file)) {
      fail("cannot create a temporary file: " + code.message());
      return failure();
    }
  llvm::FileRemover removeInput(input), removeLog(log);
  {
    std::error_code code;
    llvm::raw_fd_ostream os(input, code);
    if (code) {
      fail("cannot write " + input.str() + ": " + code.message());
      return failure();
    }
    os << ptx;
  }
  std::string arch = "-arch=" + options.chip, error;
  std::optional<StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  TimingScope timing = options.stages.time("ptxas");
  int status = llvm::sys::ExecuteAndWait(
      ptxas, {ptxas, arch, "-O3", "-v", input, "-o", cubin}, std::nullopt,
      redirects, 0, 0, &error);
  auto report = llvm::MemoryBuffer::getFile(log);
  StringRef text = report ? (*report)->getBuffer() : "";
  if (status != 0) {
    fail("ptxas failed" + (error.empty() ? "" : ": " + error) + "\n" + text);
    return failure();
  }
  // Warnings of ptxas that it waits for each wgmma in turn.
  llvm::Regex serialised("C75(08|1[0-5])");
  if (serialised.match(text)) {
    llvm::sys::fs::remove(cubin);
    fail("ptxas serialises the tensor core instructions or ignores a register "
         "count\n" +
         text);
    return failure();
  }
  return parseUsage(text);
}

/// The same. The assembler may limit registers for more workgroups on a
/// processor, and spill a few: then it has to make room for fewer. What still
/// spills has been given all registers that there are.
static FailureOr<json::Object>
assembleWithoutSpills(std::string &ptx, StringRef cubin,
                      const NVIDIACompileOptions &options, StringRef ptxas,
                      Fail fail) {
  constexpr int kMostRounds = 8;
  FailureOr<json::Object> usage = assemble(ptx, cubin, options, ptxas, fail);
  llvm::StringMap<int64_t> asked;
  if (succeeded(usage))
    for (const auto &[name, kernel] : *usage)
      if (std::optional<Directives> found = findDirectives(ptx, name))
        asked[name] = found->workgroups;
  const GPUTarget &target = lookupNVIDIAChip(options.chip)->target;
  for (int round = 0; round < kMostRounds && succeeded(usage) &&
                      askForRegisters(ptx, *usage, asked, target);
       ++round)
    usage = assemble(ptx, cubin, options, ptxas, fail);
  return usage;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The PTX of the only gpu.binary in `module`. Functions whose results have no
/// elements launch nothing: then it is PTX without a kernel.
static FailureOr<std::string> getPTX(ModuleOp module, StringRef chip,
                                     Fail fail) {
  FailureOr<std::optional<StringRef>> ptx = getOnlyObject(module, fail);
  if (failed(ptx))
    return failure();
  if (!*ptx) {
    // As in "+ptx86".
    StringRef version = lookupNVIDIAChip(chip)->ptx.drop_front(4);
    return llvm::formatv(".version {0}.{1}\n.target {2}\n.address_size 64\n",
                         version.drop_back(), version.take_back(), chip)
        .str();
  }
  return (*ptx)->rtrim('\0').str();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult mlir::linalg_ext::compileForNVIDIA(
    ModuleOp module, const NVIDIACompileOptions &options, Fail fail) {
  if (!lookupNVIDIAChip(options.chip)) {
    fail("unknown --target: " + explainUnknownNVIDIAChip(options.chip));
    return failure();
  }
  // Before the work, not after it.
  FailureOr<std::string> ptxas = std::string();
  if (options.emit == NVIDIAOutput::Cubin)
    ptxas = findPtxas(options.ptxas, fail);
  if (failed(ptxas))
    return failure();

  ToNVVMPipelineOptions pipeline;
  std::string error;
  if (failed(parsePipelineOptions(pipeline, options.pipeline, error)) ||
      failed(refuseGiven(pipeline.chip.hasValue(), "chip", "--target", error)) ||
      failed(refuseGiven(pipeline.format.hasValue(), "format", "--emit",
                         error))) {
    fail(error);
    return failure();
  }
  pipeline.chip = options.chip;
  pipeline.format = options.emit == NVIDIAOutput::MLIR ? "nvvm" : "isa";
  if (failed(checkOptions(pipeline, error))) {
    fail(error);
    return failure();
  }
  FailureOr<KernelManifest> manifest =
      lowerKernels(module, options, pipeline, buildDeviceKernelsToNVVMPipeline);
  if (failed(manifest))
    return failure();
  if (options.emit == NVIDIAOutput::MLIR) {
    printSummary(manifest->summary);
    return writeFile(
        options.output, [&](raw_ostream &os) { os << module << "\n"; }, fail);
  }

  FailureOr<std::string> ptx = getPTX(module, options.chip, fail);
  if (failed(ptx))
    return failure();
  manifest->target = "nvidia";
  manifest->format = options.emit == NVIDIAOutput::PTX ? "ptx" : "cubin";
  if (options.emit == NVIDIAOutput::PTX) {
    if (failed(writeFile(
            options.output, [&](raw_ostream &os) { os << *ptx; }, fail)))
      return failure();
  } else {
    auto writeAssembly = [&] {
      return options.assembly.empty()
                 ? success()
                 : writeFile(
                       options.assembly,
                       [&](raw_ostream &os) { os << *ptx; }, fail);
    };
    // Before the assembler, which may fail.
    if (failed(writeAssembly()))
      return failure();
    recordOutput(options.output);
    FailureOr<json::Object> usage =
        assembleWithoutSpills(*ptx, options.output, options, *ptxas, fail);
    if (failed(usage) || failed(writeAssembly()))
      return failure();
    manifest->kernels = std::move(*usage);
    if (options.view)
      options.view->getData().usage = manifest->kernels;
    if (options.printUsage)
      printUsage(manifest->kernels);
  }
  printSummary(manifest->summary);
  return writeManifest(std::move(*manifest), options, fail);
}
