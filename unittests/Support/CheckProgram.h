//===- CheckProgram.h - Is a program right, and is it fused? ----*- C++ -*-===//
//
// Takes a function as an importer writes it through the CPU pipeline and
// through the GPU pipeline, runs what becomes of it on this machine and in the
// SIMT interpreter, and says of each whether it is right and whether it is
// fused.
//
// Right is what `evaluate` (Enclosure.h) encloses. Its values are compared with
// those of a copy of the program in f64 (PromoteToF64.h) that upstream's
// lowerings and no pass of ours compile. Fused is what allocates no buffer that
// is too large, and has no kernels that are too many, or scalar.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H
#define LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H

#include "Enclosure.h"
#include "Execute.h"

#include <optional>

namespace linalg_ext_test {

/// Where a program can be taken to.
enum class CheckTarget { CPU, GPU };

/// From good to bad.
enum class CheckState {
  Fused,
  Unfused, ///< right, with more memory or kernels than allowed
  Wrong,   ///< out of the bounds of its results
  Error,   ///< not compiled, or an error where it runs
  Crash,   ///< the process ended
  Timeout,
};

const char *getName(CheckState state);
std::optional<CheckState> lookUpCheckState(llvm::StringRef name);

struct CheckOptions {
  /// Of a temporary buffer; no bound if negative.
  int64_t maxBufferBytes = -1;
  /// Kernels that a run launches; no bound if negative.
  int64_t maxKernels = -1;
  /// Kernels that do a scalar a thread.
  int64_t maxScalarKernels = 0;
  /// Of the pipelines.
  std::string cpuOptions, gpuOptions = "chip=sm_90a";
  unsigned timeout = 120;
};

struct CheckOutcome {
  CheckState state = CheckState::Crash;
  /// One line: what is too large, too many, wrong, or failed, and where.
  std::string reason;
  /// What the pipeline said.
  std::string remarks;
  int64_t largestTemporary = 0, numKernels = 0, numScalarKernels = 0;
  double worstRatio = 0;
};

/// What the function returns, in f64.
struct Reference {
  /// Empty if the program can be judged.
  std::string error;
  Evaluation evaluation;
  /// Whether upstream's lowering of the program in f64 was compared, which
  /// takes functions on tensors.
  bool isConfirmed = false;
  /// The least part of a result's elements that the bound says something of.
  double informative = 1;
};

/// One set of inputs for `function`: the attribute `check.draw` of an argument
/// says how its elements are drawn.
///   "uniform LOW HIGH"    both inclusive for integers; the default, with -1
///   and
///                         1, or 0 and 1 for integers
///   "choose A B ..."      one of them, each as likely
///   "mask P" , "mask P V" V (-inf) with probability P, else 0; the first
///   element
///                         of a row is 0
///   "keep P"              1 with probability P, else 0; the first of a row is
///   1 "count"               the position along the last dimension
/// `shapes` has one of each argument, of which only those with dynamic sizes
/// are used. Fails, with an error at the function.
mlir::FailureOr<std::vector<oracle::Tensor>>
drawInputs(mlir::func::FuncOp function,
           llvm::ArrayRef<std::vector<int64_t>> shapes, uint64_t seed);

/// The inputs as they are drawn do not take part in the program.
void removeDrawAttributes(mlir::ModuleOp module);

Reference computeReference(mlir::ModuleOp module, llvm::StringRef name,
                           llvm::ArrayRef<oracle::Tensor> inputs);

/// Compiles and runs in a process of its own.
CheckOutcome checkProgram(mlir::ModuleOp module, llvm::StringRef name,
                          CheckTarget target, const CheckOptions &options,
                          llvm::ArrayRef<oracle::Tensor> inputs,
                          const Reference &reference);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_CHECKPROGRAM_H
