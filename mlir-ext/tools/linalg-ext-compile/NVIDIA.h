//===- NVIDIA.h - Kernels for NVIDIA GPUs -----------------------*- C++ -*-===//
//
// From functions that launch kernels to PTX or a cubin, and a manifest.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H
#define LINALG_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H

#include "Stage.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

enum class NVIDIAOutput { MLIR, PTX, Cubin };

struct NVIDIACompileOptions {
  /// The chip, "sm_90a".
  std::string chip;
  NVIDIAOutput emit = NVIDIAOutput::Cubin;
  /// "-" is the standard output.
  std::string output;
  /// Empty: the output with the extension .json; none for the standard output.
  std::string manifest;
  /// ptxas; empty looks for it.
  std::string ptxas;
  /// Options of the pipeline, "name=value ...".
  std::string pipeline;
  /// How passes run.
  StageOptions stages;
  /// Whether to print registers, stack and spills of each kernel.
  bool printUsage = false;
  /// Whether to print what each function does, in a line.
  bool summarize = false;
};

/// Compiles `module`. Reports to the user through diagnostics of the context,
/// or through `fail`, a message without a location.
LogicalResult
compileForNVIDIA(ModuleOp module, const NVIDIACompileOptions &options,
                 llvm::function_ref<void(const llvm::Twine &)> fail);

} // namespace mlir::linalg_ext

#endif // LINALG_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H
