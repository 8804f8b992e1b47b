//===- linalg-ext-compile.cpp - The compiler driver -----------------------===//
//
// Compiles functions on tensors to LLVM IR, an object file or a shared library
// for this machine, and writes a C header. Or compiles functions that launch
// kernels to PTX or a cubin for an NVIDIA GPU, or to a code object for an AMD
// GPU, and writes a manifest for launchers.
//
// Exit codes: 0 on success, 1 with a diagnostic.
//
//===----------------------------------------------------------------------===//

#include "AMD.h"
#include "CHeader.h"
#include "Diagnostics.h"
#include "KernelFiles.h"
#include "NVIDIA.h"
#include "PipelineOptions.h"
#include "Stage.h"
#include "Summary.h"
#include "Tune.h"
#include "View.h"

#include "mlir-ext/Pipelines/Processor.h"
#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Pipelines/Shard.h"
#include "mlir-ext/Pipelines/ToLLVM.h"
#include "mlir-ext/Support/Tool.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
enum class Emit {
  Default,
  MLIR,
  LLVM,
  Object,
  Shared,
  PTX,
  Cubin,
  ISA,
  CodeObject
};

cl::OptionCategory category("linalg-ext-compile options");

cl::opt<std::string> inputName(cl::Positional, cl::desc("<input.mlir>"),
                               cl::init("-"), cl::cat(category));
cl::opt<std::string> outputName("o", cl::desc("Output file"),
                                cl::value_desc("file"), cl::init("-"),
                                cl::cat(category));
cl::opt<Emit> emitKind(
    "emit", cl::desc("Output to produce:"),
    cl::values(
        clEnumValN(Emit::MLIR, "mlir",
                   "MLIR in the LLVM dialect, or NVVM or ROCDL for a chip"),
        clEnumValN(Emit::LLVM, "llvm",
                   "Optimised LLVM IR; not optimised for an AMD GPU"),
        clEnumValN(Emit::Object, "obj", "An object file"),
        clEnumValN(Emit::Shared, "shared", "A shared library"),
        clEnumValN(Emit::PTX, "ptx", "PTX, NVIDIA's assembly language"),
        clEnumValN(Emit::Cubin, "cubin",
                   "Machine code for an NVIDIA GPU (needs ptxas)"),
        clEnumValN(Emit::ISA, "isa", "AMD's assembly language"),
        clEnumValN(Emit::CodeObject, "hsaco",
                   "Machine code for an AMD GPU (needs ld.lld)")),
    cl::init(Emit::Default), cl::cat(category));
cl::opt<std::string>
    targetName("target",
               cl::desc("Target to compile for: host (the default; --emit then "
                        "defaults to obj), an NVIDIA chip (sm_80, sm_90a, ...; "
                        "--emit then defaults to cubin), or an AMD chip "
                        "(gfx942, ...; --emit then defaults to hsaco)"),
               cl::value_desc("name"), cl::init("host"), cl::cat(category));
cl::opt<std::string> manifestName(
    "manifest",
    cl::desc("File for the manifest, which says how to call the functions; "
             "for a chip, the default is the output file with the extension "
             ".json; for the host, none, and it takes --emit=shared"),
    cl::value_desc("file"), cl::cat(category));
cl::opt<std::string>
    ptxasName("ptxas",
              cl::desc("NVIDIA's assembler; the default is the first ptxas in "
                       "$CUDA_PATH/bin, PATH and /usr/local/cuda/bin"),
              cl::value_desc("file"), cl::cat(category));
cl::opt<std::string>
    lldName("lld",
            cl::desc("LLVM's linker, for AMD GPUs; the default is ld.lld in "
                     "$ROCM_PATH/llvm/bin, ld.lld-22 or ld.lld in PATH, or "
                     "ld.lld in /opt/rocm/llvm/bin or /usr/lib/llvm-22/bin"),
            cl::value_desc("file"), cl::cat(category));
cl::opt<bool> resourceUsage(
    "resource-usage",
    cl::desc("Print the registers, stack and spills of each kernel (cubin and "
             "hsaco only)"),
    cl::cat(category));
cl::opt<std::string> assemblyName(
    "assembly",
    cl::desc(
        "Also write the assembly of the machine code, PTX or AMD's, to this "
        "file (cubin and hsaco only)"),
    cl::value_desc("file"), cl::cat(category));
cl::opt<std::string> headerName("header",
                                cl::desc("Write a C header to this file"),
                                cl::value_desc("file"), cl::cat(category));
cl::opt<std::string>
    pipelineOptions("options",
                    cl::desc("Options of the pipeline, linalg-ext-to-llvm, "
                             "linalg-ext-to-nvvm or linalg-ext-to-rocdl, for "
                             "example 'fuse=false out-params=true'"),
                    cl::value_desc("name=value ..."), cl::cat(category));
cl::opt<std::string>
    specName("spec",
             cl::desc("Spec file that --tune has written: JSON with a "
                      "\"target\" and the \"options\" that are fastest on it; "
                      "--options are added, and override these"),
             cl::value_desc("file"), cl::cat(category));
cl::opt<std::string> tune(
    "tune",
    cl::desc(
        "Find the fastest options on the GPU of this machine, and write them "
        "to a spec file (-o); with emit:DIR, write the programs to DIR "
        "instead, so that bench/gpu/tune can time them on another machine"),
    cl::value_desc("emit:directory"), cl::ValueOptional, cl::cat(category));
cl::opt<std::string> tuneSizes(
    "tune-sizes",
    cl::desc("Arguments to time the function with, results last: a shape for "
             "each buffer (16x1024x64, 8x), with a value for the elements if "
             "they are integers (8x=512), or a number for each scalar; not "
             "needed if all shapes are static"),
    cl::value_desc("shape,..."), cl::cat(category));
cl::opt<std::string>
    tuneEntry("tune-entry", cl::desc("Function to tune, if there are several"),
              cl::value_desc("name"), cl::cat(category));
cl::opt<unsigned>
    tuneKeep("tune-keep",
             cl::desc("Number of programs to time: those that a model ranks "
                      "first, and the one that is chosen without tuning"),
             cl::value_desc("count"), cl::init(8), cl::cat(category));
cl::list<std::string> tuneVary(
    "tune-vary",
    cl::desc(
        "Option to vary, and its values; replaces the values that the tuner "
        "tries for an option, or adds an option; may be given several times"),
    cl::value_desc("name=value,..."), cl::cat(category));
cl::opt<std::string> cpuName(
    "mcpu",
    cl::desc(
        "Processor to compile for: native (the default, that of this machine), "
        "or a name that LLVM has for it: x86-64-v3, neoverse-n1, ..."),
    cl::value_desc("name"), cl::init("native"), cl::cat(category));
cl::opt<std::string> tripleName(
    "triple",
    cl::desc("Platform to compile for; the default is that of this machine, or "
             "Linux on the architecture of --mcpu if that is another one"),
    cl::value_desc("arch-vendor-system"), cl::cat(category));
cl::opt<std::string> sharding(
    "shard",
    cl::desc(
        "Compile the program of one of several processes: the grid and the "
        "axes along which each dimension of arguments and results is cut, "
        "such as '4: [], [[], [0]], [[], [0]] -> []' (docs/Sharding.md)"),
    cl::cat(category));
cl::opt<std::string> report(
    "report",
    cl::desc(
        "Remarks on fusion: missed (the default: tensors that stay in memory "
        "although one loop could compute and use them, kernels of scalar code, "
        "and a summary at the end), all (also what is fused) or none"),
    cl::value_desc("none|missed|all"), cl::init("missed"), cl::cat(category));
cl::opt<std::string> diagnostics(
    "diagnostics",
    cl::desc(
        "How to print errors, remarks and summaries: text (the default), or "
        "json, one object a line"),
    cl::value_desc("text|json"), cl::init("text"), cl::cat(category));
cl::opt<bool> requireFusion(
    "require-fusion",
    cl::desc("Make each missed fusion an error, and write nothing then"),
    cl::cat(category));
cl::opt<std::string> viewName(
    "view",
    cl::desc("Write an HTML page about the compilation to this file: loops, "
             "repairs, layouts, memory and costs (docs/View.md)"),
    cl::value_desc("file"), cl::cat(category));
cl::opt<bool> verifyEach(
    "verify-each",
    cl::desc("Verify the program after each pass, instead of after each part "
             "of the pipeline; this takes about as much time as all passes"),
#ifdef NDEBUG
    cl::init(false),
#else
    cl::init(true),
#endif
    cl::cat(category));
cl::opt<unsigned> optLevel("O", cl::desc("Optimisation level, 0 to 3"),
                           cl::Prefix, cl::init(3), cl::cat(category));
} // namespace

static int fail(const llvm::Twine &message) {
  linalg_ext::printError(message);
  return 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The processor that --mcpu names, and its platform.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const linalg_ext::Processor &processor,
                    std::string &error) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  if (!tripleName.empty())
    triple = llvm::Triple(llvm::Triple::normalize(tripleName));
  else if (processor.arch != llvm::Triple::UnknownArch &&
           processor.arch != triple.getArch())
    triple = llvm::Triple(llvm::Triple::getArchTypeName(processor.arch),
                          "unknown", "linux", "gnu");
  if (processor.arch != llvm::Triple::UnknownArch &&
      processor.arch != triple.getArch()) {
    error = "expected a processor of " + triple.getArchName().str() +
            " for --mcpu, got '" + cpuName + "'";
    return nullptr;
  }
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::CodeGenOptLevel level =
      *llvm::CodeGenOpt::getLevel(std::min<unsigned>(optLevel, 3));
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, processor.cpu, llvm::join(processor.features, ","),
      llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, level));
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  // As in clang, -O1 does not unroll loops. This takes more than half of LLVM's
  // time there: what makes code fast here is unrolled already.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = optLevel > 1;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::min<unsigned>(optLevel, 3)];
  if (level == llvm::OptimizationLevel::O0)
    builder.buildO0DefaultPipeline(level).run(module, mam);
  else
    builder.buildPerModuleDefaultPipeline(level).run(module, mam);
}

static bool emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return false;
  passes.run(module);
  return true;
}

/// Links `object` with the C compiler of `triple`, or with lld.
static int link(llvm::StringRef object, llvm::StringRef output,
                const llvm::Triple &triple, bool usesOpenMP) {
  llvm::SmallVector<std::string> names{"cc", "clang", "gcc", "clang-22"};
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  if (triple.getArch() != host.getArch() || triple.getOS() != host.getOS()) {
    // As Debian names its cross compilers.
    std::string prefix = (triple.getArchName() + "-" + triple.getOSName() +
                          "-" + triple.getEnvironmentName() + "-")
                             .str();
    names = {prefix + "gcc"};
  }
  llvm::append_range(names, llvm::ArrayRef{"ld.lld", "ld.lld-22"});
  for (const std::string &name : names) {
    llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
    if (!program)
      continue;
    llvm::SmallVector<llvm::StringRef> arguments{*program, "-shared", "-o",
                                                 output, object};
    // lld alone knows no directory of libraries: the program brings them.
    if (!llvm::StringRef(name).starts_with("ld")) {
      if (usesOpenMP)
        arguments.push_back("-lomp");
      arguments.push_back("-lm");
    }
    std::string error;
    int code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, {},
                                         0, 0, &error);
    if (code != 0)
      return fail("cannot link with " + *program +
                  (error.empty() ? "" : ": " + error) +
                  (usesOpenMP ? "; threads=openmp takes LLVM's OpenMP runtime "
                                "(Debian: libomp-22-dev)"
                              : ""));
    return 0;
  }
  return fail("--emit=shared links with a C compiler or lld, but none of " +
              llvm::join(names, ", ") + " is in PATH; --emit=obj does without");
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

/// What --view shows; null without it.
static linalg_ext::View *view = nullptr;

/// Makes the program of one process, if --shard or annotations ask for it.
static LogicalResult
cutAmongProcesses(ModuleOp module, const linalg_ext::StageOptions &stages) {
  if (sharding.empty() && module.getOps<shard::GridOp>().empty())
    return success();
  linalg_ext::ShardPipelineOptions options;
  options.sharding = sharding;
  return linalg_ext::runStage(module, stages, [&](OpPassManager &pm) {
    linalg_ext::buildShardPipeline(pm, options);
  });
}

/// What functions that do not know `fail` call.
static void printMessage(const llvm::Twine &message) { fail(message); }

static LogicalResult writeText(llvm::StringRef name, llvm::StringRef text) {
  return linalg_ext::writeFile(
      name, [&](llvm::raw_ostream &os) { os << text; }, printMessage);
}

static bool usesOpenMP(const linalg_ext::ToLLVMPipelineOptions &options) {
  return options.threads == linalg_ext::ThreadsKind::OpenMP;
}

/// Writes the C declarations of the functions of `module`, which have `sizes`.
static LogicalResult
writeHeader(ModuleOp module,
            const llvm::StringMap<linalg_ext::FunctionSizes> &sizes,
            const linalg_ext::ToLLVMPipelineOptions &options) {
  std::string header;
  llvm::raw_string_ostream os(header);
  return success(succeeded(linalg_ext::writeCHeader(
                     module, sizes,
                     inputName == "-" ? "standard input" : inputName.c_str(),
                     usesOpenMP(options), os)) &&
                 succeeded(writeText(headerName, header)));
}

/// The manifest of the functions of `module`, which have `sizes`.
static FailureOr<linalg_ext::KernelManifest>
describeForHost(ModuleOp module,
                const llvm::StringMap<linalg_ext::FunctionSizes> &sizes) {
  FailureOr<llvm::json::Array> entries =
      linalg_ext::describeHostFunctions(module);
  if (failed(entries))
    return failure();
  linalg_ext::addSizeChecks(*entries, sizes);
  linalg_ext::KernelManifest manifest;
  manifest.target = "host";
  manifest.format = "shared";
  manifest.entries = std::move(*entries);
  return manifest;
}

/// Translates `module` to LLVM IR for `machine`, and optimises it. Null, with
/// an error, if it cannot be translated.
static std::unique_ptr<llvm::Module>
translateForHost(ModuleOp module, llvm::LLVMContext &context,
                 llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context);
  if (!llvmModule) {
    module->emitError("cannot be translated to LLVM IR");
    return nullptr;
  }
  llvmModule->setDataLayout(machine.createDataLayout());
  llvmModule->setTargetTriple(machine.getTargetTriple());
  // With --options=cpu=generic only the vectors are for any.
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration() && !function.hasFnAttribute("target-cpu")) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    }
  // Only the C interface is exported: a function itself could clash with one of
  // a C library, also with one that LLVM calls for an instruction.
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration() &&
        !function.getName().starts_with("_mlir_ciface_")) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setName("linalg_ext." + function.getName());
    }
  optimise(*llvmModule, machine);
  return llvmModule;
}

/// Links `llvmModule` to a shared library, and writes its `manifest` if there
/// is to be one.
static int writeSharedLibrary(llvm::Module &llvmModule,
                              llvm::TargetMachine &machine,
                              const linalg_ext::ToLLVMPipelineOptions &options,
                              linalg_ext::KernelManifest manifest) {
  llvm::SmallString<128> object;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("linalg-ext-compile", "o", object))
    return fail("cannot create a temporary file: " + code.message());
  llvm::FileRemover remover(object);
  std::error_code code;
  llvm::raw_fd_ostream os(object, code);
  if (code)
    return fail("cannot write " + object.str() + ": " + code.message());
  if (!emitObject(llvmModule, machine, os))
    return fail("the target cannot emit object files");
  os.close();
  linalg_ext::recordOutput(outputName);
  if (link(object, outputName, machine.getTargetTriple(),
           usesOpenMP(options)) != 0)
    return 1;
  if (manifestName.empty())
    return 0;
  linalg_ext::KernelCompileOptions files;
  files.chip = machine.getTargetCPU().str();
  files.output = outputName;
  files.manifest = manifestName;
  return failed(
      linalg_ext::writeManifest(std::move(manifest), files, printMessage));
}

/// Compiles `module` for this machine.
static int compileForHost(OwningOpRef<ModuleOp> &module,
                          const linalg_ext::ToLLVMPipelineOptions &options,
                          const linalg_ext::StageOptions &stages,
                          llvm::TargetMachine &machine) {
  auto run = [&](auto build) {
    return linalg_ext::runStage(*module, stages,
                                [&](OpPassManager &pm) { build(pm, options); });
  };
  if (failed(cutAmongProcesses(*module, stages)))
    return 1;
  llvm::StringMap<linalg_ext::FunctionSizes> sizes =
      linalg_ext::getFunctionSizes(*module);
  if (failed(run(linalg_ext::buildToBuffersPipeline)))
    return 1;
  std::string summary;
  llvm::raw_string_ostream summaryStream(summary);
  SmallVector<linalg_ext::FunctionSummary, 0> summaries =
      linalg_ext::summarizeLoopNests(*module);
  if (report != "none")
    linalg_ext::printSummaries(summaries, summaryStream);
  if (view)
    view->getData().functions.assign(summaries.begin(), summaries.end());
  if (!headerName.empty() && failed(writeHeader(*module, sizes, options)))
    return 1;
  linalg_ext::KernelManifest manifest;
  if (!manifestName.empty()) {
    FailureOr<linalg_ext::KernelManifest> described =
        describeForHost(*module, sizes);
    if (failed(described))
      return 1;
    manifest = std::move(*described);
  }
  if (failed(run(linalg_ext::buildBuffersToLLVMPipeline)))
    return 1;
  linalg_ext::printSummary(summary);

  auto write = [](llvm::function_ref<void(llvm::raw_ostream &)> print) {
    return failed(linalg_ext::writeFile(outputName, print, printMessage));
  };
  if (emitKind == Emit::MLIR)
    return write([&](llvm::raw_ostream &os) { os << *module << "\n"; });

  TimingScope timeOfLLVM = stages.time("LLVM");
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      translateForHost(*module, llvmContext, machine);
  if (!llvmModule)
    return 1;
  if (emitKind == Emit::Shared)
    return writeSharedLibrary(*llvmModule, machine, options,
                              std::move(manifest));
  if (emitKind == Emit::LLVM)
    return write([&](llvm::raw_ostream &os) { os << *llvmModule; });
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (!emitObject(*llvmModule, machine, os))
    return fail("the target cannot emit object files");
  return write([&](llvm::raw_ostream &file) { file << os.str(); });
}

static constexpr llvm::StringRef kEmitPrefix = "emit:";

/// Whether --target names an AMD chip.
static bool isAMD() { return llvm::StringRef(targetName).starts_with("gfx"); }

static bool isTuning() { return tune.getNumOccurrences() > 0; }

/// Tunes `module` with programs that `compile` makes, in files with
/// `extension`.
template <typename OptionsT, typename CompileFn>
static int tuneWith(ModuleOp module, const OptionsT &options, CompileFn compile,
                    const char *extension) {
  linalg_ext::TuneOptions tuning;
  tuning.compile = options;
  tuning.compileProgram =
      [options, compile](ModuleOp module,
                         const linalg_ext::KernelCompileOptions &common,
                         linalg_ext::Fail fail) {
        OptionsT all = options;
        static_cast<linalg_ext::KernelCompileOptions &>(all) = common;
        return compile(module, all, fail);
      };
  tuning.extension = extension;
  tuning.directory = tune.empty() ? "" : tune.substr(kEmitPrefix.size());
  tuning.entry = tuneEntry;
  tuning.sizes = tuneSizes;
  tuning.vary.assign(tuneVary.begin(), tuneVary.end());
  tuning.keep = tuneKeep;
  return failed(linalg_ext::tune(
      module, tuning, [](const llvm::Twine &message) { fail(message); }));
}

/// Compiles `module` for the NVIDIA chip that --target names, or tunes it.
static int compileForNVIDIA(ModuleOp module,
                            const linalg_ext::StageOptions &stages) {
  if (failed(cutAmongProcesses(module, stages)))
    return 1;
  linalg_ext::NVIDIACompileOptions options;
  options.chip = targetName;
  options.emit = emitKind == Emit::MLIR  ? linalg_ext::NVIDIAOutput::MLIR
                 : emitKind == Emit::PTX ? linalg_ext::NVIDIAOutput::PTX
                                         : linalg_ext::NVIDIAOutput::Cubin;
  options.output = outputName;
  options.manifest = manifestName;
  options.ptxas = ptxasName;
  options.pipeline = pipelineOptions;
  options.printUsage = resourceUsage;
  options.assembly = assemblyName;
  options.stages = stages;
  options.summarize = report != "none" && !isTuning();
  options.view = view;
  auto report = [](const llvm::Twine &message) { fail(message); };
  if (!isTuning())
    return failed(linalg_ext::compileForNVIDIA(module, options, report));
  return tuneWith(module, options, linalg_ext::compileForNVIDIA,
                  emitKind == Emit::PTX ? ".ptx" : ".cubin");
}

/// Compiles `module` for the AMD chip that --target names, or tunes it.
static int compileForAMD(ModuleOp module,
                         const linalg_ext::StageOptions &stages) {
  linalg_ext::AMDCompileOptions options;
  options.chip = targetName;
  options.emit = emitKind == Emit::MLIR   ? linalg_ext::AMDOutput::MLIR
                 : emitKind == Emit::LLVM ? linalg_ext::AMDOutput::LLVM
                 : emitKind == Emit::ISA  ? linalg_ext::AMDOutput::ISA
                                          : linalg_ext::AMDOutput::CodeObject;
  options.output = outputName;
  options.manifest = manifestName;
  options.linker = lldName;
  options.pipeline = pipelineOptions;
  options.printUsage = resourceUsage;
  options.assembly = assemblyName;
  options.stages = stages;
  options.summarize = report != "none" && !isTuning();
  options.view = view;
  auto report = [](const llvm::Twine &message) { fail(message); };
  if (!isTuning())
    return failed(linalg_ext::compileForAMD(module, options, report));
  return tuneWith(module, options, linalg_ext::compileForAMD, ".hsaco");
}

/// Parses what `sources` has; diagnostics go through the context's handler.
static OwningOpRef<ModuleOp> parse(MLIRContext &context,
                                   llvm::SourceMgr &sources) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return nullptr;
  bool anyFunction =
      llvm::any_of(module->getOps<func::FuncOp>(), [](func::FuncOp f) {
        return f.isPublic() && !f.isExternal();
      });
  if (!anyFunction) {
    module->emitError("expected a public function with a body, found none");
    return nullptr;
  }
  return module;
}

/// The function that the spec file was made for; empty if it says none.
static std::string specEntry;

/// Puts what the file of --spec has in front of --options.
static int readSpec() {
  if (specName.empty())
    return 0;
  llvm::StringRef name = specName;
  auto buffer = llvm::MemoryBuffer::getFile(name);
  if (!buffer)
    return fail("cannot open '" + name + "': " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return fail("'" + name + "': " + llvm::toString(json.takeError()));
  const llvm::json::Object *spec = json->getAsObject();
  std::optional<llvm::StringRef> target, options;
  if (spec) {
    target = spec->getString("target");
    options = spec->getString("options");
  }
  if (!target || !options)
    return fail("'" + name +
                "': expected an object with the strings 'target' and "
                "'options'");
  if (*target != targetName)
    return fail("'" + name + "' is for --target=" + *target + ", got " +
                targetName);
  pipelineOptions =
      llvm::StringRef((*options + " " + pipelineOptions).str()).trim().str();
  specEntry = spec->getString("entry").value_or("").str();
  return 0;
}

/// --report, --require-fusion and --view, as options of the pipelines.
static void addReportOptions() {
  // A page has what is missed, whatever is printed.
  bool isView = !viewName.empty();
  std::string options =
      "report=" + (isView && report == "none" ? "missed" : report.getValue());
  if (requireFusion)
    options += " require-fusion=true";
  if (isView)
    options += " report-data=true";
  pipelineOptions =
      llvm::StringRef(options + " " + pipelineOptions).trim().str();
}

/// Whether `name` and `other` are the same file, in whatever way they name it.
/// What has no name, a terminal and devices are no files.
static bool isSameFile(llvm::StringRef name, llvm::StringRef other) {
  for (llvm::StringRef file : {name, other})
    if (file.empty() || file == "-" || file.starts_with("/dev/"))
      return false;
  auto getPath = [](llvm::StringRef file) {
    llvm::SmallString<128> path(file);
    (void)llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return path;
  };
  return llvm::sys::fs::equivalent(name, other) ||
         getPath(name) == getPath(other);
}

/// Fails if one file would overwrite another. What is tuned may replace the
/// spec file that it begins with.
static LogicalResult checkFiles() {
  std::string manifest = manifestName,
              spec = isTuning() ? std::string() : specName.getValue();
  bool hasManifest =
      llvm::is_contained({Emit::PTX, Emit::Cubin, Emit::ISA, Emit::CodeObject},
                         emitKind.getValue()) &&
      !isTuning();
  if (manifest.empty() && hasManifest)
    manifest = linalg_ext::getDefaultManifest(outputName);
  std::pair<llvm::StringRef, llvm::StringRef> files[] = {
      {"the input", inputName}, {"--spec", spec},
      {"-o", outputName},       {"--header", headerName},
      {"--manifest", manifest}, {"--assembly", assemblyName},
      {"--view", viewName}};
  for (auto [index, file] : llvm::enumerate(files))
    for (auto other : llvm::ArrayRef(files).take_front(index))
      if (isSameFile(file.second, other.second)) {
        fail("expected different files for " + other.first + " and " +
             file.first + ", got " + file.second + " for both");
        return failure();
      }
  return success();
}

/// Checks options against each other, and sets --emit if it is not given.
static int checkOptions() {
  if (!llvm::is_contained({"text", "json"}, diagnostics))
    return fail("expected --diagnostics to be text or json, got '" +
                diagnostics + "'");
  bool isJSON = diagnostics == "json";
  linalg_ext::setDiagnosticsAsJSON(isJSON);
  if (isJSON && isTuning())
    return fail("expected --diagnostics=text with --tune");
  if (isJSON && resourceUsage)
    return fail("expected --diagnostics=text with --resource-usage: the "
                "manifest has the same numbers");
  if (!llvm::is_contained({"none", "missed", "all"}, report))
    return fail("expected --report to be none, missed or all, got '" + report +
                "'");
  if (!viewName.empty() && isTuning())
    return fail("--view takes no --tune: it shows one program");
  if (optLevel > 3)
    return fail("expected an optimisation level from 0 to 3, got " +
                llvm::Twine(optLevel));
  bool host = targetName == "host";
  bool anyTuneOption =
      tuneSizes.getNumOccurrences() || tuneEntry.getNumOccurrences() ||
      tuneKeep.getNumOccurrences() || tuneVary.getNumOccurrences();
  if (anyTuneOption && !isTuning())
    return fail("--tune-sizes, --tune-entry, --tune-keep and --tune-vary take "
                "--tune");
  if (isAMD() && !sharding.empty())
    return fail("--shard takes --target=host or an NVIDIA chip: there is no "
                "library of collective operations for AMD GPUs");
  if (isTuning() && !sharding.empty())
    return fail("--tune takes no --shard: tune the program of one process");
  if (isTuning() && host)
    return fail("--tune takes a chip: --target=sm_80, ...");
  if (!tune.empty() && (!llvm::StringRef(tune).starts_with(kEmitPrefix) ||
                        tune.size() == kEmitPrefix.size()))
    return fail("expected --tune or --tune=emit:DIRECTORY, got --tune=" + tune);
  if (isTuning() && isAMD() && emitKind != Emit::Default &&
      emitKind != Emit::CodeObject)
    return fail("expected --emit to be hsaco with --tune");
  if (isTuning() && !isAMD() && emitKind == Emit::MLIR)
    return fail("expected --emit to be ptx or cubin with --tune");
  if (emitKind == Emit::Default)
    emitKind = host ? Emit::Object : isAMD() ? Emit::CodeObject : Emit::Cubin;
  bool forNVIDIA = emitKind == Emit::PTX || emitKind == Emit::Cubin;
  bool forAMD = emitKind == Emit::ISA || emitKind == Emit::CodeObject;
  if (host && !manifestName.empty() && emitKind != Emit::Shared)
    return fail("--manifest takes --emit=shared or a chip: --target=sm_80, "
                "...");
  if (host && forNVIDIA)
    return fail("--emit=ptx and --emit=cubin take a chip: --target=sm_80, ...");
  if (host && forAMD)
    return fail("--emit=isa and --emit=hsaco take a chip: --target=gfx942, "
                "...");
  if (isAMD() && !forAMD && emitKind != Emit::MLIR && emitKind != Emit::LLVM)
    return fail(
        "expected --emit to be mlir, llvm, isa or hsaco with --target=" +
        targetName);
  if (!host && !isAMD() && !forNVIDIA && emitKind != Emit::MLIR)
    return fail("expected --emit to be mlir, ptx or cubin with --target=" +
                targetName);
  if (!host && (cpuName.getNumOccurrences() || tripleName.getNumOccurrences()))
    return fail("--mcpu and --triple take --target=host, got --target=" +
                targetName);
  if (!assemblyName.empty() && emitKind != Emit::Cubin &&
      emitKind != Emit::CodeObject)
    return fail("--assembly takes --emit=cubin or --emit=hsaco");
  if (!assemblyName.empty() && isTuning())
    return fail("--assembly takes no --tune: it is of one program");
  if (failed(checkFiles()))
    return 1;
  if (!host && !headerName.empty())
    return fail("--header takes --target=host: a chip has a manifest");
  if (outputName == "-" &&
      (emitKind == Emit::Object || emitKind == Emit::Shared))
    return fail("--emit=obj and --emit=shared take an output file: -o FILE");
  if (outputName == "-" && emitKind == Emit::Cubin && !isTuning())
    return fail("--emit=cubin takes an output file: -o FILE");
  if (outputName == "-" && emitKind == Emit::CodeObject && !isTuning())
    return fail("--emit=hsaco takes an output file: -o FILE");
  return 0;
}

/// Compiles `module` for the processor that --mcpu names.
static int compileForProcessor(OwningOpRef<ModuleOp> &module,
                               const linalg_ext::StageOptions &stages) {
  std::string error;
  std::string cpu = cpuName;
  if (cpu == "native")
    cpu = "host";
  FailureOr<linalg_ext::Processor> processor =
      linalg_ext::lookupProcessor(cpu, error);
  if (failed(processor))
    return fail("invalid --mcpu: " + error);
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(*processor, error);
  if (!machine)
    return fail(error);
  linalg_ext::ToLLVMPipelineOptions options;
  options.cpu = cpu;
  // As the header says.
  options.dropAliasedResults = true;
  if (failed(linalg_ext::parsePipelineOptions(options, pipelineOptions, error)))
    return fail(error);
  if (failed(linalg_ext::checkOptions(options, error)))
    return fail(error);
  FailureOr<linalg_ext::Processor> vectors =
      linalg_ext::lookupProcessor(options.cpu, error);
  llvm::Triple::ArchType arch = machine->getTargetTriple().getArch();
  if (vectors->arch != llvm::Triple::UnknownArch && vectors->arch != arch)
    return fail("expected a processor of " +
                llvm::Triple::getArchTypeName(arch) +
                " for cpu in --options, got '" + options.cpu + "'");
  return compileForHost(module, options, stages, *machine);
}

/// Writes the page of --view.
static int writePage(const llvm::SourceMgr &sources, ModuleOp module) {
  linalg_ext::ViewData &data = view->getData();
  data.input = inputName == "-" ? "standard input"
                                : llvm::sys::path::filename(inputName).str();
  data.source =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer().str();
  data.target =
      targetName == "host" ? "host (" + cpuName + ")" : targetName.getValue();
  if (targetName != "host") {
    FailureOr<linalg_ext::GPUTarget> gpu = linalg_ext::getGPUTarget(module);
    if (failed(gpu))
      return 1;
    data.gpu = *gpu;
  }
  return failed(linalg_ext::writeFile(
      viewName, [&](llvm::raw_ostream &os) { linalg_ext::writeView(data, os); },
      printMessage));
}

/// What --help says first.
static constexpr const char *kOverview =
    "Compiles functions on tensors (linalg, linalg_ext) for a CPU (this\n"
    "machine by default), an NVIDIA GPU or an AMD GPU, or functions that\n"
    "launch kernels (gpu.launch) for such a GPU.\n\n"
    "  linalg-ext-compile attention.mlir --emit=obj -o attention.o "
    "--header=attention.h\n\n"
    "C code calls a public function f as _mlir_ciface_f; the header\n"
    "declares it. With --options=threads=openmp, the threads of LLVM's\n"
    "OpenMP runtime share its work. Link the runtime then (-lomp).\n\n"
    "  linalg-ext-compile kernels.mlir --target=sm_90a -o kernels.cubin\n\n"
    "This also writes kernels.json, the manifest. For each public\n"
    "function, it lists the kernels in order, with their grids and their\n"
    "arguments.\n\n"
    "  linalg-ext-compile attention.mlir --emit=shared -o libattention.so "
    "\\\n"
    "      --options=threads=openmp --require-fusion\n\n"
    "  linalg-ext-compile attention.mlir --target=sm_90a -o attention.cubin "
    "\\\n"
    "      --view=attention.html\n\n"
    "Exit status: 0; 1 with a diagnostic, in which case there is no "
    "output.\n";

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  linalg_ext::setVersionOfTool("linalg-ext-compile");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  if (checkOptions() != 0 || readSpec() != 0)
    return 1;
  std::string givenOptions = pipelineOptions;
  if (!isTuning())
    addReportOptions();

  std::string error;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  linalg_ext::registerAll(registry);
  MLIRContext context(registry);
  // Whoever compiles a program has its text, and no use for that of an op.
  context.printOpOnDiagnostic(false);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();
  linalg_ext::StageOptions stages;
  stages.verifyEach = verifyEach;
  stages.timing = &timing;

  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input)
    return fail(error);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  std::optional<linalg_ext::JSONDiagnosticHandler> asJSON;
  std::optional<SourceMgrDiagnosticHandler> asText;
  if (diagnostics == "json")
    asJSON.emplace(&context);
  else
    asText.emplace(sources, &context);
  // One op may become several, with the same to say of each.
  llvm::StringSet<> printed;
  ScopedDiagnosticHandler once(&context, [&](Diagnostic &diagnostic) {
    std::string text;
    llvm::raw_string_ostream(text)
        << diagnostic.getLocation() << ": " << diagnostic;
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark &&
                   !printed.insert(text).second);
  });
  std::optional<ScopedDiagnosticHandler> withoutRemarks;
  if (report == "none")
    withoutRemarks.emplace(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
    });
  std::optional<linalg_ext::View> viewOfAll;
  if (!viewName.empty()) {
    view = &viewOfAll.emplace(&context, /*printsRemarks=*/report != "none");
    view->getData().options = givenOptions;
    stages.afterPass = [](Pass *pass, Operation *op) {
      view->afterPass(pass, op);
    };
  }
  OwningOpRef<ModuleOp> module = parse(context, sources);
  if (!module)
    return 1;
  if (!specEntry.empty() && !module->lookupSymbol<func::FuncOp>(specEntry))
    return fail("'" + specName + "' is for the function '" + specEntry +
                "', which the program does not have");
  int status = targetName == "host" ? compileForProcessor(module, stages)
               : isAMD()            ? compileForAMD(*module, stages)
                                    : compileForNVIDIA(*module, stages);
  if (status == 0 && view)
    status = writePage(sources, *module);
  if (status != 0)
    linalg_ext::removeOutputs();
  return status;
}
