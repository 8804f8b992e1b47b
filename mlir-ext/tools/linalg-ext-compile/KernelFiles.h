//===- KernelFiles.h - Kernels of all vendors -------------------*- C++ -*-===//
//
// What compiling for an NVIDIA and for an AMD GPU have in common: options, the
// stages in front of the machine code, and the files.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_KERNELFILES_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_KERNELFILES_H

#include "Stage.h"
#include "Summary.h"
#include "View.h"

#include "mlir-ext/Support/EqualSizes.h"
#include "mlir-ext/Target/GPU/Manifest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Reports a message without a location to the user.
using Fail = llvm::function_ref<void(const llvm::Twine &)>;

struct KernelCompileOptions {
  /// The chip: "sm_90a", "gfx942".
  std::string chip;
  /// "-" is the standard output.
  std::string output;
  /// Empty: the output with the extension .json; none for the standard output.
  std::string manifest;
  /// Where the assembly of machine code goes, too; empty: nowhere.
  std::string assembly;
  /// Options of the pipeline, "name=value ...".
  std::string pipeline;
  /// How passes run.
  StageOptions stages;
  /// Whether to print registers, stack and spills of each kernel.
  bool printUsage = false;
  /// Whether to print what each function does, in a line.
  bool summarize = false;
  /// Where what is found out is collected; may be null.
  View *view = nullptr;
};

/// What the manifest says about a program.
struct KernelManifest {
  /// "nvidia", "amd" or "host", and the format of the image: "ptx", "cubin",
  /// "hsaco" or "shared".
  StringRef target, format;
  llvm::json::Array entries;
  ManifestConstants constants;
  /// What is known about the machine code of each kernel.
  llvm::json::Object kernels;
  /// What each function does, in a line.
  std::string summary;
};

/// Whether `module` has launches of code for threads, which is taken as it is.
/// Vectors of more elements than a thread has registers are of a workgroup.
bool hasThreadCode(ModuleOp module);

/// Which dimensions of arguments and results of a function have one size.
struct FunctionSizes {
  unsigned numArguments = 0, numResults = 0;
  SmallVector<EqualDims> dims;
};

/// Returns them for each public function of `module`, which is on tensors or
/// buffers, by its name. Passes may lose them.
llvm::StringMap<FunctionSizes> getFunctionSizes(ModuleOp module);

/// Adds a check to the `entries` of a manifest for each two dimensions of
/// arguments that must have one size, and for those of one size. Results are
/// among the arguments if all of them are behind the arguments.
void addSizeChecks(llvm::json::Array &entries,
                   const llvm::StringMap<FunctionSizes> &sizes);

/// Runs the stages of `pipeline`, the last one being `buildLast`, and reads the
/// manifest in between. Fails with a diagnostic.
template <typename PipelineT, typename BuildFn>
FailureOr<KernelManifest>
lowerKernels(ModuleOp module, const KernelCompileOptions &options,
             const PipelineT &pipeline, BuildFn buildLast) {
  auto run = [&](auto build) {
    return runStage(module, options.stages, build);
  };
  llvm::StringMap<FunctionSizes> sizes = getFunctionSizes(module);
  if (!hasThreadCode(module) && failed(run([&](OpPassManager &pm) {
        buildLinalgToLaunchesPipeline(pm, pipeline);
      })))
    return failure();
  llvm::StringMap<LaunchBytes> launchBytes;
  if (options.summarize || options.view)
    launchBytes = countLaunchBytes(module);
  if (failed(run(
          [&](OpPassManager &pm) { buildGPUKernelsPipeline(pm, pipeline); })))
    return failure();
  FailureOr<llvm::json::Array> entries = buildManifestEntries(module);
  FailureOr<ManifestConstants> constants = buildManifestConstants(module);
  if (failed(entries) || failed(constants) ||
      failed(run([&](OpPassManager &pm) {
        buildDeviceKernelsPipeline(pm, pipeline);
      })) ||
      failed(run([&](OpPassManager &pm) { buildLast(pm, pipeline); })))
    return failure();
  KernelManifest manifest;
  if (options.summarize || options.view) {
    SmallVector<FunctionSummary, 0> summaries =
        summarizeLaunches(*entries, launchBytes);
    llvm::raw_string_ostream summary(manifest.summary);
    if (options.summarize)
      printSummaries(summaries, summary);
    if (options.view)
      options.view->getData().functions.assign(summaries.begin(),
                                               summaries.end());
  }
  addSizeChecks(*entries, sizes);
  manifest.entries = std::move(*entries);
  manifest.constants = std::move(*constants);
  return manifest;
}

/// Returns the "entries" of the manifest of functions on buffers for a CPU: one
/// for each public function of `module` with a body, with its arguments and its
/// results. Fails, with an error at the function, like describeManifestValue.
FailureOr<llvm::json::Array> describeHostFunctions(ModuleOp module);

/// Returns the object of the only gpu.binary in `module`, and nothing if there
/// is none. Fails, with a message, if there are several.
FailureOr<std::optional<StringRef>> getOnlyObject(ModuleOp module, Fail fail);

/// Returns the name of the manifest of the program in the file `output`, if no
/// option names it. Empty if there is no file.
std::string getDefaultManifest(StringRef output);

/// Notes that the file `name` is an output, for removeOutputs.
void recordOutput(StringRef name);

/// Removes the outputs that were written: a compilation that fails has none.
void removeOutputs();

/// Writes the file `name`, which becomes an output. Fails with a message, and
/// then leaves no file.
LogicalResult writeFile(StringRef name,
                        llvm::function_ref<void(raw_ostream &)> write,
                        Fail fail);

/// Writes the manifest, and a file with the constants beside it. Fails with a
/// message.
LogicalResult writeManifest(KernelManifest manifest,
                            const KernelCompileOptions &options, Fail fail);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_KERNELFILES_H
