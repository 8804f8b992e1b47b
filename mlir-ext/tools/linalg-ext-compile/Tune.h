//===- Tune.h - Options that are the fastest for a program ------*- C++ -*-===//
//
// linalg-ext-compile --tune.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TUNE_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TUNE_H

#include "KernelFiles.h"

#include <string>
#include <vector>

#include <functional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

struct TuneOptions {
  /// How to compile; `pipeline` has the options that all candidates have, and
  /// `output` is where the spec goes.
  KernelCompileOptions compile;
  /// Compiles a program with these options, to a file with the extension
  /// `extension`.
  std::function<LogicalResult(ModuleOp, const KernelCompileOptions &, Fail)>
      compileProgram;
  std::string extension;
  /// Where candidates go, to be timed elsewhere; empty times them here.
  std::string directory;
  /// The function to call; empty if there is only one.
  std::string entry;
  /// Its arguments, "16x1024x64,8".
  std::string sizes;
  /// Values of options to try in place of the model's, "name=value,...".
  std::vector<std::string> vary;
  /// The programs to time.
  unsigned keep = 8;
};

/// Finds the fastest of the candidates that the model ranks first, for an NVIDIA
/// or an AMD chip. Reports as `compileForNVIDIA` does.
LogicalResult tune(ModuleOp module, const TuneOptions &options, Fail fail);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TUNE_H
