//===- Summary.h - What a compiled function does, in a line -----*- C++ -*-===//
//
// The number of kernels or loop nests, the largest temporary buffer, the bytes
// that are moved, and their ratio to the least possible. Each kernel or loop
// nest moves each of its buffers whole and once. (A temporary that only one
// loop nest uses stays in a cache, and does not count as moved.) The least
// possible is to move the results of the function once, and of each argument
// what is read or written of it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H

#include "mlir-ext/Runtime/LaunchPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::linalg_ext {

/// Assumed for sizes that are not known.
constexpr int64_t kAssumedSize = 1024;

/// What a function does.
struct FunctionSummary {
  std::string function;
  /// "kernel" or "loop nest", and how many there are.
  StringRef part;
  uint64_t parts = 0;
  /// Kernels that each iteration of a loop launches.
  uint64_t partsInLoops = 0;
  uint64_t largestTemporary = 0;
  /// In bytes; 0 if it is not known.
  uint64_t moved = 0, least = 0;
  bool assumesSizes = false;
  /// The sizes that are assumed fit no call: only `parts` is known.
  bool isOfOtherSizes = false;
  /// Kernels only: the launches, with the sizes that are assumed.
  SmallVector<PlannedLaunch> launches;
};

/// Summarizes each public function of `module`, which is on buffers. Counts
/// loops, and computing ops outside of loops.
SmallVector<FunctionSummary, 0> summarizeLoopNests(ModuleOp module);

/// Prints a line for each function.
void printSummaries(ArrayRef<FunctionSummary> summaries, raw_ostream &os);

/// Returns "12.0 MiB".
std::string formatBytes(uint64_t bytes);

/// The bytes that the launches of a function access.
struct LaunchBytes {
  struct Launch {
    /// Of each argument, by its number, and of each temporary.
    llvm::SmallDenseMap<unsigned, uint64_t> arguments;
    SmallVector<uint64_t> temporaries;
  };
  /// The buffers of each launch in order, including launches for other sizes.
  SmallVector<Launch> launches;
  uint64_t largestTemporary = 0;
  bool assumesSizes = false;
};

/// Returns the bytes for each function of `module`, by name. Each temporary
/// must still have a buffer of its own.
llvm::StringMap<LaunchBytes> countLaunchBytes(ModuleOp module);

/// Summarizes each of the `entries` of a manifest. Launches for other sizes do
/// not count.
SmallVector<FunctionSummary, 0>
summarizeLaunches(const llvm::json::Array &entries,
                  const llvm::StringMap<LaunchBytes> &bytes);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H
