//===- Simulate.h - Runs host code and its kernels, interpreted -*- C++ -*-===//
//
// The counterpart of Execute.h for programs with GPU kernels, after
// bufferisation and distribution and before their conversion to a vendor's
// dialect: the SIMT interpreter of test/lib/SIMT runs them, and reports races,
// missing barriers and the like as errors.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H

#include "Oracle.h"

#include "SIMT/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

namespace linalg_ext_test {

struct SimulationOptions {
  mlir::linalg_ext::simt::Options interpreter;
  /// Arguments of which only the shape counts: memory that is not written yet.
  std::vector<unsigned> uninitialized;
};

/// What one run returned and did; `error` has the diagnostics and is empty on
/// success.
struct Simulation {
  std::string error;
  /// The results of the function.
  std::vector<oracle::Tensor> outputs;
  /// The arguments after the run; memrefs may have been written to. What was
  /// never written is NaN, or -1.
  std::vector<oracle::Tensor> arguments;
  /// By kernel: its symbol, or that of the function around a gpu.launch.
  llvm::StringMap<mlir::linalg_ext::simt::KernelStatistics> statistics;
  /// The bytes of the largest buffer that the program allocated.
  int64_t largestTemporary = 0;
  /// What the program printed.
  std::string printed;

  bool ok() const { return error.empty(); }
};

/// Runs function `name` of `module`, which is left as it is. Its arguments and
/// results are memrefs, static vectors and, as tensors of rank 0, scalars; the
/// values of `inputs` must be representable in their element types.
Simulation simulate(mlir::ModuleOp module, llvm::StringRef name,
                    llvm::ArrayRef<oracle::Tensor> inputs,
                    const SimulationOptions &options = {});

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_SIMULATE_H
