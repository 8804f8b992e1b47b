//===- TimePrograms.h - Which of several programs is the fastest -*- C++ -*-==//
//
// Programs that compute the same are run on a GPU, compared and timed.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H

#include "mlir-ext/Runtime/Program.h"
#include "mlir-ext/Runtime/LaunchPlan.h"

#include <string>

namespace mlir::linalg_ext {

/// A call, and the code of its kernels.
struct TimedProgram {
  LaunchPlan plan;
  /// A cubin, PTX or a code object, with a zero after it.
  llvm::StringRef image;
  /// The elements of the manifest's constants.
  llvm::StringRef constants;
};

/// The result of timing a program.
struct ProgramTime {
  /// Milliseconds of a call: the median of the rounds, and the extremes.
  double median = 0, least = 0, largest = 0;
  /// Why it was not timed; empty if it was.
  std::string failure;
  /// Whether that is because its results are not those of the first.
  bool isWrong = false;
};

/// Runs `programs`, calls of the same function with `values`, on random floats
/// and on the given integers (0 by default). In each of several rounds, times
/// all of them; a first round does not count. The results of each program must
/// equal those of the first one, within 0.02 of the largest element. Fails if
/// the first program does not run.
llvm::Expected<llvm::SmallVector<ProgramTime>>
timePrograms(GPUDriver &driver, llvm::ArrayRef<TimedProgram> programs,
             llvm::ArrayRef<ArgumentValue> values);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H
