//===- Summary.h - What a compiled function does, in a line -----*- C++ -*-===//
//
// Kernels or loop nests, the largest temporary buffer, and the bytes that they
// move, each the buffers that it takes whole and once, against the least
// possible: the arguments and results of the function, once. (A temporary that
// one loop nest has for itself stays in a cache, and does not count as moved.)
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace mlir::linalg_ext {

/// Prints a line for each public function of `module`, which is on buffers:
/// loops and ops in no loop are what computes.
void summarizeLoopNests(ModuleOp module, raw_ostream &os);

/// What the launches of a function take.
struct LaunchBytes {
  /// The buffers of each launch in order, those for other sizes among them.
  SmallVector<uint64_t> launches;
  uint64_t largestTemporary = 0;
  bool assumesSizes = false;
};

/// For each function of `module` by name, as long as its temporaries have
/// buffers of their own.
llvm::StringMap<LaunchBytes> countLaunchBytes(ModuleOp module);

/// Prints a line for each of the `entries` of a manifest. Launches for other
/// sizes do not count.
void summarizeLaunches(const llvm::json::Array &entries,
                       const llvm::StringMap<LaunchBytes> &bytes,
                       raw_ostream &os);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_SUMMARY_H
