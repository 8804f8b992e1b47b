//===- TimePrograms.h - Which of several programs is the fastest -*- C++ -*-==//
//
// Programs that compute the same are run on a GPU, compared and timed.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H

#include "GPUDriver.h"
#include "LaunchPlan.h"

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

/// What came of a program.
struct ProgramTime {
  /// Milliseconds of a call: the median of the rounds, and the extremes.
  double median = 0, least = 0, largest = 0;
  /// Why it was not timed; empty if it was.
  std::string failure;
  /// Whether that is because its results are not those of the first.
  bool isWrong = false;
};

/// Runs `programs`, calls of the same function with `values`, on random numbers
/// (integers as the values say, or 0), and times them in turn: in each of
/// several rounds each of them, after one round that is not counted. The
/// results of the first are what those of the others should be, but for 0.02 of
/// the largest. Fails if the first program does not run.
llvm::Expected<llvm::SmallVector<ProgramTime>>
timePrograms(GPUDriver &driver, llvm::ArrayRef<TimedProgram> programs,
             llvm::ArrayRef<ArgumentValue> values);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_TIMEPROGRAMS_H
