//===- SelectConfig.h - What the choices for a launch are made by -*- C++ -*-=//
//
// The model that linalg-ext-select-config chooses with, for those who try other
// choices: what it expects of a launch, and what may be asked for instead.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_SELECTCONFIG_H
#define MLIR_EXT_PIPELINES_SELECTCONFIG_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::linalg_ext {

/// Words of 32 bits that the results of contractions take of a thread at most,
/// of the 255 that an NVIDIA GPU gives one.
constexpr int64_t kMaxResultRegisters = 192;

/// What may multiply f32: "fma" (threads), "tf32" or "tf32x3" (tensor cores).
ArrayRef<StringRef> getF32ProductKinds();

/// What the model expects of a launch on vectors whose contractions have their
/// configs.
struct LaunchEstimate {
  /// Of a workgroup.
  int64_t threads = 0;
  /// Words of 32 bits that a thread holds in the loop that needs most.
  int64_t registers = 0;
  /// Whether that is more than `kMaxResultRegisters`.
  bool spills = false;
  /// Of a workgroup, with all buffers.
  int64_t sharedBytes = 0;
  /// Workgroups that a processor runs at a time; 0 if not even one fits.
  int64_t workgroups = 1;
  /// Cycles of a processor for 2^20 products in the loop that needs most: 0 if
  /// nothing is contracted in a loop.
  int64_t cycles = 0;
};

/// Of a processor whose workgroups have `maxSharedBytes` of shared memory; 0 is
/// no bound.
LaunchEstimate estimateLaunch(gpu::LaunchOp launch, int64_t maxSharedBytes);

/// An option of linalg-ext-to-nvvm, and values for it beside its own choice.
struct ConfigChoice {
  std::string option;
  SmallVector<std::string> values;
};

/// The options that decide what the selection has to choose from, with values
/// that its instructions and buffers can have.
SmallVector<ConfigChoice> getConfigChoices();

/// Options for the pipeline, and what the model expects of the launch of the
/// program that is the worst in each respect.
struct RankedConfig {
  /// "name=value ..."
  std::string options;
  LaunchEstimate estimate;
};

/// Compiles `module` for `chip` as far as the selection of configs with every
/// combination of `choices` on top of the options `base`, and returns `base`
/// and behind it those that fit, the best first: those that do not spill before
/// those that do, then by cycles, then those that change fewer options.
/// Combinations that make no difference are left out. Fails, with an error, if
/// `base` is no option string.
FailureOr<SmallVector<RankedConfig>>
rankConfigs(ModuleOp module, StringRef chip, StringRef base,
            ArrayRef<ConfigChoice> choices);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_SELECTCONFIG_H
