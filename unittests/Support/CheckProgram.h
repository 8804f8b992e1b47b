//===- CheckProgram.h - Check results and fusion of a program ---*- C++ -*-===//
//
// Compiles a function, in the form that an importer writes, with the CPU
// pipeline and with the GPU pipeline. Runs the results on the host and in the
// SIMT interpreter. Reports for each whether its results are right and whether
// the program is fused.
//
// A result is right if it lies in the interval that `evaluate` (Enclosure.h)
// computes. To confirm `evaluate` itself, its values are compared with those of
// a copy of the program in f64 (PromoteToF64.h). Only upstream passes compile
// this copy. A program is fused if no buffer exceeds a given size, if it
// launches at most a given number of kernels, if at most a given number of
// them have scalar code, and if the first of the pipelines for GPUs compiles
// it.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H
#define LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H

#include "Enclosure.h"
#include "Execute.h"

#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// The pipeline to compile with.
enum class CheckTarget { CPU, GPU };

/// The outcome of a check, from the best to the worst.
enum class CheckState {
  Fused,
  Unfused, ///< right results, but more memory or kernels than allowed, or not
           ///< by the first pipeline
  Wrong,   ///< a result outside of its interval
  Error,   ///< a compilation error or a run-time error
  Crash,   ///< the process of the check crashed
  Timeout,
};

const char *getName(CheckState state);
std::optional<CheckState> lookUpCheckState(llvm::StringRef name);

struct CheckOptions {
  /// Largest size of a temporary buffer in bytes. No bound if negative.
  int64_t maxBufferBytes = -1;
  /// Largest number of kernel launches. No bound if negative.
  int64_t maxKernels = -1;
  /// Largest number of kernels with scalar code.
  int64_t maxScalarKernels = 0;
  /// Part of the remark of a function that another pipeline than the first may
  /// compile. None may if it is empty.
  std::string mayFallBack;
  /// Options of the pipelines.
  std::string cpuOptions, gpuOptions = "chip=sm_90a";
  /// Whether to run kernels as a launcher gets them: in each, buffers that are
  /// never live together share workgroup memory.
  bool sharesMemory = false;
  /// The layouts of arguments whose types leave strides or offsets open.
  std::vector<BufferLayout> layouts;
  /// Run in a separate process, so that a crash or a timeout is an outcome. In
  /// the process of the caller, a check takes less time.
  bool isolate = true;
  /// Time limit of a check in a separate process, in seconds of CPU time.
  unsigned timeout = 120;
};

struct CheckOutcome {
  CheckState state = CheckState::Crash;
  /// One line with the reason of the state.
  std::string reason;
  /// The diagnostics of the pipeline.
  std::string remarks;
  /// The remark of a function that the first of the pipelines did not compile.
  /// Empty if there is none.
  std::string fallback;
  int64_t largestTemporary = 0, numKernels = 0, numScalarKernels = 0;
  double worstRatio = 0;
};

/// The expected results of a function, in f64.
struct Reference {
  /// Empty on success.
  std::string error;
  Evaluation evaluation;
  /// True if the values were compared with upstream's lowering of the program
  /// in f64. This is possible for functions on tensors only.
  bool isConfirmed = false;
  /// The smallest `EnclosureComparison::informative` of all results and
  /// arguments.
  double informative = 1;
};

/// Draws one set of inputs for `function`. The attribute `check.draw` of an
/// argument selects the distribution of its elements:
///   "uniform LOW HIGH"     uniform; integers include both bounds. The default
///                          is "uniform -1 1", or "uniform 0 1" for integers
///   "choose A B ..."       one of the numbers, with equal probability
///   "mask P", "mask P V"   V (default -inf) with probability P, else 0; the
///                          first element of a row is 0
///   "keep P"               1 with probability P, else 0; the first element of
///                          a row is 1
///   "count"                the index along the last dimension
/// `shapes` has one shape for each argument. Only those of arguments with
/// dynamic sizes are used. Fails, with an error at the function, if an element
/// type, a shape or an attribute is not supported.
mlir::FailureOr<std::vector<oracle::Tensor>>
drawInputs(mlir::func::FuncOp function,
           llvm::ArrayRef<std::vector<int64_t>> shapes, uint64_t seed);

/// Removes the `check.draw` attributes of all functions.
void removeDrawAttributes(mlir::ModuleOp module);

/// Computes the expected results of function `name`.
Reference computeReference(mlir::ModuleOp module, llvm::StringRef name,
                           llvm::ArrayRef<oracle::Tensor> inputs);

/// Ends this process by a signal after `seconds` of CPU time, or 20 times as
/// long on the clock. 0 takes the limit back.
void limitTime(unsigned seconds);

/// Returns true if `signal` is one that limitTime ends a process by.
bool isTimeLimit(int signal);

/// Compiles and runs function `name`. Verifies the program after each part of
/// the pipeline, as linalg-ext-compile does.
CheckOutcome checkProgram(mlir::ModuleOp module, llvm::StringRef name,
                          CheckTarget target, const CheckOptions &options,
                          llvm::ArrayRef<oracle::Tensor> inputs,
                          const Reference &reference);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H
