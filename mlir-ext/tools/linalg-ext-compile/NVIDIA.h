//===- NVIDIA.h - Kernels for NVIDIA GPUs -----------------------*- C++ -*-===//
//
// From functions that launch kernels to PTX or a cubin, and a manifest.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H

#include "KernelFiles.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

enum class NVIDIAOutput { MLIR, PTX, Cubin };

struct NVIDIACompileOptions : KernelCompileOptions {
  NVIDIAOutput emit = NVIDIAOutput::Cubin;
  /// ptxas; empty looks for it.
  std::string ptxas;
};

/// Compiles `module`. Reports to the user through diagnostics of the context,
/// or through `fail`, a message without a location.
LogicalResult compileForNVIDIA(ModuleOp module,
                               const NVIDIACompileOptions &options, Fail fail);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_NVIDIA_H
