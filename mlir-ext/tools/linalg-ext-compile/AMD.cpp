//===- AMD.cpp - Kernels for AMD GPUs -------------------------------------===//
//
//   1. Run the pipeline, which generates LLVM IR or assembly.
//   2. Assemble it with LLVM, and link the object with ld.lld, if the output is
//      a code object.
//   3. Read the registers of each kernel from the notes of the code object.
//
//===----------------------------------------------------------------------===//

#include "AMD.h"
#include "Diagnostics.h"
#include "PipelineOptions.h"

#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"

#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;
namespace path = llvm::sys::path;

static constexpr StringLiteral kTriple = "amdgcn-amd-amdhsa";

//===----------------------------------------------------------------------===//
// Code objects
//===----------------------------------------------------------------------===//

/// Looks for ld.lld: as the user says, else where ROCM_PATH says, in PATH, and
/// where ROCm and Debian install it.
static FailureOr<std::string> findLinker(StringRef given, Fail fail) {
  if (!given.empty()) {
    if (llvm::sys::fs::can_execute(given))
      return given.str();
    fail("expected --lld to be a program, got '" + given + "'");
    return failure();
  }
  if (std::optional<std::string> root =
          llvm::sys::Process::GetEnv("ROCM_PATH")) {
    llvm::SmallString<128> directory(*root);
    path::append(directory, "llvm", "bin");
    if (auto program =
            llvm::sys::findProgramByName("ld.lld", {directory.str()}))
      return *program;
  }
  // Older ones do not know the version of our code objects.
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (auto program = llvm::sys::findProgramByName(name))
      return *program;
  if (auto program = llvm::sys::findProgramByName(
          "ld.lld", {"/opt/rocm/llvm/bin", "/usr/lib/llvm-22/bin"}))
    return *program;
  fail("--emit=hsaco takes ld.lld, LLVM's linker, which is not in "
       "$ROCM_PATH/llvm/bin, PATH, /opt/rocm/llvm/bin or /usr/lib/llvm-22/bin; "
       "--lld names it, and --emit=isa does without");
  return failure();
}

/// Links `object` into the code object `output`.
static LogicalResult link(ArrayRef<char> object, StringRef output,
                          StringRef linker, const AMDCompileOptions &options,
                          Fail fail) {
  llvm::SmallString<128> input, log;
  for (auto &[file, suffix] : {std::pair(&input, "o"), {&log, "log"}})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "linalg-ext-compile", suffix, *file)) {
      fail("cannot create a temporary file: " + code.message());
      return failure();
    }
  llvm::FileRemover removeInput(input), removeLog(log);
  if (failed(writeFile(
          input,
          [&](raw_ostream &os) { os.write(object.data(), object.size()); },
          fail)))
    return failure();
  std::optional<StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  std::string error;
  TimingScope timing = options.stages.time("ld.lld");
  int status = llvm::sys::ExecuteAndWait(
      linker, {linker, "-shared", input, "-o", output}, std::nullopt, redirects,
      0, 0, &error);
  if (status == 0)
    return success();
  auto report = llvm::MemoryBuffer::getFile(log);
  fail("ld.lld failed" + (error.empty() ? "" : ": " + error) + "\n" +
       (report ? (*report)->getBuffer() : ""));
  return failure();
}

/// What the notes of the code object `name` say of each kernel: {"k":
/// {"vgprs": 32, ...}}.
static FailureOr<json::Object> readUsage(StringRef name, MLIRContext *context,
                                         Fail fail) {
  auto file = llvm::MemoryBuffer::getFile(name, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    fail("cannot read " + name + ": " + file.getError().message());
    return failure();
  }
  StringRef data = (*file)->getBuffer();
  Builder builder(context);
  auto notes = ROCDL::getAMDHSAKernelsELFMetadata(
      builder, ArrayRef(data.data(), data.size()));
  if (!notes) {
    fail("expected notes on kernels in the code object " + name +
         ", found none");
    return failure();
  }
  // The names in AMDGPU's "Code Object Metadata", and ours.
  constexpr std::pair<StringLiteral, StringLiteral> keys[] = {
      {"vgpr_count", "vgprs"},
      {"agpr_count", "agprs"},
      {"sgpr_count", "sgprs"},
      {"vgpr_spill_count", "vgpr_spills"},
      {"sgpr_spill_count", "sgpr_spills"},
      {"group_segment_fixed_size", "lds_bytes"},
      {"private_segment_fixed_size", "scratch_bytes"}};
  json::Object kernels;
  for (const auto &[kernel, attributes] : *notes) {
    json::Object usage;
    for (auto [from, to] : keys)
      // 2^32 - 1 stands for none: RDNA has no AGPRs.
      if (auto number = dyn_cast_or_null<IntegerAttr>(attributes.get(from));
          number && number.getInt() != std::numeric_limits<uint32_t>::max())
        usage[to] = number.getInt();
    kernels[kernel.getValue()] = std::move(usage);
  }
  return kernels;
}

static void printUsage(const json::Object &kernels) {
  for (const auto &[name, value] : kernels) {
    llvm::errs() << name << ":";
    const json::Object &kernel = *value.getAsObject();
    StringRef separator = " ";
    for (StringRef key : {"vgprs", "agprs", "sgprs", "vgpr_spills",
                          "sgpr_spills", "lds_bytes", "scratch_bytes"})
      if (std::optional<int64_t> number = kernel.getInteger(key)) {
        llvm::errs() << separator << *number << " " << key;
        separator = ", ";
      }
    llvm::errs() << "\n";
  }
}

/// Assembles and links `isa` into the output. Returns the usage of each kernel.
static FailureOr<json::Object> assemble(StringRef isa, ModuleOp module,
                                        const AMDCompileOptions &options,
                                        StringRef linker, Fail fail) {
  FailureOr<SmallVector<char, 0>> object =
      ROCDL::assembleIsa(isa, kTriple, options.chip, /*features=*/"",
                         [&] { return module.emitError(); });
  if (failed(object) ||
      failed(link(*object, options.output, linker, options, fail)))
    return failure();
  return readUsage(options.output, module.getContext(), fail);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Prints `bitcode`.
static LogicalResult printLLVM(StringRef bitcode, raw_ostream &os, Fail fail) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module) {
    fail("cannot read the LLVM IR of kernels: " +
         llvm::toString(module.takeError()));
    return failure();
  }
  os << **module;
  return success();
}

LogicalResult mlir::linalg_ext::compileForAMD(ModuleOp module,
                                              const AMDCompileOptions &options,
                                              Fail fail) {
  if (!lookupAMDChip(options.chip)) {
    fail("unknown --target: " + explainUnknownAMDChip(options.chip));
    return failure();
  }
  // Before the work, not after it.
  FailureOr<std::string> linker = std::string();
  if (options.emit == AMDOutput::CodeObject)
    linker = findLinker(options.linker, fail);
  if (failed(linker))
    return failure();

  ToROCDLPipelineOptions pipeline;
  std::string error;
  if (failed(parsePipelineOptions(pipeline, options.pipeline, error)) ||
      failed(refuseGiven(pipeline.chip.hasValue(), "chip", "--target", error)) ||
      failed(refuseGiven(pipeline.format.hasValue(), "format", "--emit",
                         error))) {
    fail(error);
    return failure();
  }
  pipeline.chip = options.chip;
  pipeline.format = options.emit == AMDOutput::MLIR   ? "rocdl"
                    : options.emit == AMDOutput::LLVM ? "llvm"
                                                      : "isa";
  if (failed(checkOptions(pipeline, error))) {
    fail(error);
    return failure();
  }
  FailureOr<KernelManifest> manifest = lowerKernels(
      module, options, pipeline, buildDeviceKernelsToROCDLPipeline);
  if (failed(manifest))
    return failure();
  printSummary(manifest->summary);
  if (options.emit == AMDOutput::MLIR)
    return writeFile(
        options.output, [&](raw_ostream &os) { os << module << "\n"; }, fail);

  FailureOr<std::optional<StringRef>> object = getOnlyObject(module, fail);
  if (failed(object))
    return failure();
  // Functions whose results have no elements launch nothing.
  StringRef text = object->value_or("");
  if (options.emit == AMDOutput::LLVM) {
    std::string ir;
    llvm::raw_string_ostream os(ir);
    if (!text.empty() && failed(printLLVM(text, os, fail)))
      return failure();
    return writeFile(
        options.output, [&](raw_ostream &os) { os << ir; }, fail);
  }
  manifest->target = "amd";
  manifest->format = options.emit == AMDOutput::ISA ? "isa" : "hsaco";
  text = text.rtrim('\0');
  if (options.emit == AMDOutput::ISA) {
    if (failed(writeFile(
            options.output, [&](raw_ostream &os) { os << text; }, fail)))
      return failure();
  } else {
    if (!options.assembly.empty() &&
        failed(writeFile(
            options.assembly, [&](raw_ostream &os) { os << text; }, fail)))
      return failure();
    recordOutput(options.output);
    FailureOr<json::Object> usage =
        assemble(text, module, options, *linker, fail);
    if (failed(usage))
      return failure();
    manifest->kernels = std::move(*usage);
    if (options.view)
      options.view->getData().usage = manifest->kernels;
    if (options.printUsage)
      printUsage(manifest->kernels);
  }
  return writeManifest(std::move(*manifest), options, fail);
}
