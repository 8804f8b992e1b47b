//===- AMD.h - Kernels for AMD GPUs -----------------------------*- C++ -*-===//
//
// From functions that launch kernels to assembly or a code object, and a
// manifest.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_AMD_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_AMD_H

#include "KernelFiles.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

enum class AMDOutput { MLIR, LLVM, ISA, CodeObject };

struct AMDCompileOptions : KernelCompileOptions {
  AMDOutput emit = AMDOutput::CodeObject;
  /// ld.lld; empty looks for it.
  std::string linker;
};

/// Compiles `module`. Reports to the user through diagnostics of the context,
/// or through `fail`, a message without a location.
LogicalResult compileForAMD(ModuleOp module, const AMDCompileOptions &options,
                            Fail fail);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_AMD_H
