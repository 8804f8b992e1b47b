//===- SelectConfig.h - Cost model of GPU launches --------------*- C++ -*-===//
//
// The cost model of linalg-ext-select-config, for tools that try other options:
// an estimate for a launch, the options to try, and a ranking of combinations.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_SELECTCONFIG_H
#define MLIR_EXT_PIPELINES_SELECTCONFIG_H

#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

/// Returns the values of the option `f32-products`: "fma" (threads), "tf32" and
/// "tf32x3" (tensor cores).
ArrayRef<StringRef> getF32ProductKinds();

/// Returns the values of the option `f8-products`: "f8" (instructions of its
/// own), "f16" (those of f16, after an exact conversion) and "rounded" (as
/// "f8", and weights of a softmax are rounded to f8 for products with values of
/// f8).
ArrayRef<StringRef> getF8ProductKinds();

/// The model's estimate for a launch. The launch must be on vectors, with a
/// config on each contraction.
struct LaunchEstimate {
  /// Threads of a workgroup.
  int64_t threads = 0;
  /// 32-bit registers of a thread, in the loop that needs most.
  int64_t registers = 0;
  /// True if `registers` exceeds the target's `getResultRegisters()`.
  bool spills = false;
  /// Shared memory of a workgroup in bytes, with all buffers.
  int64_t sharedBytes = 0;
  /// Number of workgroups that a processor runs at a time. 0 if one workgroup
  /// needs more threads, registers or shared memory than there are.
  int64_t workgroups = 1;
  /// Cycles of a processor for 2^20 multiply-adds, in the loop that needs most.
  /// 0 if no loop has a contraction.
  int64_t cycles = 0;
};

/// Estimates `launch` on a processor of `target`.
LaunchEstimate estimateLaunch(gpu::LaunchOp launch, const GPUTarget &target);

/// An option of linalg-ext-to-nvvm, and the values to try instead of the
/// pipeline's choice.
struct ConfigChoice {
  std::string option;
  SmallVector<std::string> values;
};

/// Returns the options that affect the selection of configs (tile sizes,
/// stages), with the values to try.
SmallVector<ConfigChoice> getConfigChoices();

/// Options for the pipeline, and an estimate for the program: each field is the
/// worst one of all launches.
struct RankedConfig {
  /// "name=value ..."
  std::string options;
  LaunchEstimate estimate;
};

/// Ranks combinations of `choices`. Appends each combination to the options
/// `base`, and compiles `module` for `chip` up to the selection of configs.
/// Returns `base` first, and then the combinations that fit on a processor, the
/// best first: those that do not spill, then by fewer cycles, then by fewer
/// changed options. Omits combinations that give the same program as an earlier
/// one. Returns `base` alone if it cannot be compiled this way. Fails, with an
/// error, if `base` does not parse.
FailureOr<SmallVector<RankedConfig>>
rankConfigs(ModuleOp module, StringRef chip, StringRef base,
            ArrayRef<ConfigChoice> choices);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_SELECTCONFIG_H
