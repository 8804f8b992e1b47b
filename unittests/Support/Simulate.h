//===- Simulate.h - Runs GPU programs in the SIMT interpreter ---*- C++ -*-===//
//
// The counterpart of Execute.h for programs with GPU kernels. The programs are
// bufferised and distributed, but not converted to a vendor's dialect. The SIMT
// interpreter (test/lib/SIMT) runs host code and kernels, and reports errors
// such as races and missing barriers.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H

#include "Execute.h"
#include "Oracle.h"

#include "SIMT/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace linalg_ext_test {

struct SimulationOptions {
  mlir::linalg_ext::simt::Options interpreter;
  /// The numbers of the arguments whose memory is uninitialised. Only the
  /// shapes of these inputs matter.
  std::vector<unsigned> uninitialized;
  /// Arguments in the buffer of another one: its number, and that of the other.
  std::vector<std::pair<unsigned, unsigned>> sameBuffers;
  /// The layouts of arguments whose types leave strides or offsets open. Those
  /// behind the last one, and those without strides, are dense.
  std::vector<BufferLayout> layouts;
};

/// The results and the statistics of one run. `error` has the diagnostics, and
/// is empty on success.
struct Simulation {
  std::string error;
  /// The results of the function.
  std::vector<oracle::Tensor> outputs;
  /// The arguments after the run. The function may have written to memrefs.
  /// Uninitialised elements are NaN, or -1 for integers.
  std::vector<oracle::Tensor> arguments;
  /// Statistics by kernel. The key is the symbol of the kernel, or that of the
  /// function around a gpu.launch.
  llvm::StringMap<mlir::linalg_ext::simt::KernelStatistics> statistics;
  /// Bytes of the largest buffer that the program allocated.
  int64_t largestTemporary = 0;
  /// The text that the program printed.
  std::string printed;

  bool ok() const { return error.empty(); }
};

/// Runs function `name` of `module`. Leaves `module` unchanged. Arguments and
/// results may be memrefs, static vectors and scalars. A scalar is a tensor of
/// rank 0. The values of `inputs` must be representable in the element types.
Simulation simulate(mlir::ModuleOp module, llvm::StringRef name,
                    llvm::ArrayRef<oracle::Tensor> inputs,
                    const SimulationOptions &options = {});

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H
