//===- RankConfigs.cpp - Ranking of pipeline options ----------------------===//
//
// See SelectConfig.h. Compiling up to the selection of configs takes
// milliseconds.
//
//   1. Try each option value alone, and drop those without an effect.
//   2. Try all combinations of the others, and estimate their launches.
//   3. Sort them by the estimates.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/SelectConfig.h"
#include "mlir-ext/Pipelines/ToNVVM.h"
#include "mlir-ext/Pipelines/ToROCDL.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include <tuple>

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The result of compiling with some options: the program as text, and the
/// estimate of the model.
struct Tried {
  std::string program;
  LaunchEstimate estimate;
};
} // namespace

/// Compiles `module` up to its configs. Fails, without a diagnostic, if the
/// pipeline fails.
template <typename PipelineT>
static FailureOr<Tried> tryOptions(ModuleOp module, const PipelineT &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  PassManager pm(module.getContext());
  buildLinalgToConfigsPipeline(pm, options);
  if (failed(pm.run(*copy)))
    return failure();
  Tried tried;
  llvm::raw_string_ostream(tried.program) << *copy;
  FailureOr<GPUTarget> target = getGPUTarget(*copy);
  if (failed(target))
    return failure();
  bool isFirst = true;
  copy->walk([&](gpu::LaunchOp launch) {
    LaunchEstimate estimate = estimateLaunch(launch, *target);
    LaunchEstimate &worst = tried.estimate;
    if (isFirst)
      worst = estimate;
    isFirst = false;
    worst.threads = std::max(worst.threads, estimate.threads);
    worst.registers = std::max(worst.registers, estimate.registers);
    worst.spills |= estimate.spills;
    worst.sharedBytes = std::max(worst.sharedBytes, estimate.sharedBytes);
    worst.workgroups = std::min(worst.workgroups, estimate.workgroups);
    worst.cycles = std::max(worst.cycles, estimate.cycles);
  });
  return tried;
}

template <typename PipelineT>
static FailureOr<SmallVector<RankedConfig>>
rankOptions(ModuleOp module, StringRef chip, StringRef base,
            ArrayRef<ConfigChoice> choices) {
  auto run = [&](StringRef text) -> FailureOr<Tried> {
    PipelineT options;
    if (failed(options.parseFromString(text)))
      return failure();
    options.chip = chip.str();
    return tryOptions(module, options);
  };
  auto append = [](StringRef text, const ConfigChoice &choice,
                   StringRef value) {
    return (text + (text.empty() ? "" : " ") + choice.option + "=" + value)
        .str();
  };
  PipelineT parsed;
  if (failed(parsed.parseFromString(base)))
    return failure();
  SmallVector<RankedConfig> ranked{{base.str(), {}}};
  FailureOr<Tried> chosen = run(base);
  // A program that falls back to other tiles has no choices.
  if (failed(chosen))
    return ranked;
  ranked.front().estimate = chosen->estimate;

  // 1. Find the options that make a difference by themselves.
  SmallVector<ConfigChoice> varied;
  for (const ConfigChoice &choice : choices) {
    ConfigChoice &kept = varied.emplace_back();
    kept.option = choice.option;
    for (const std::string &value : choice.values) {
      FailureOr<Tried> tried = run(append(base, choice, value));
      if (succeeded(tried) && tried->program != chosen->program)
        kept.values.push_back(value);
    }
    if (kept.values.empty())
      varied.pop_back();
  }

  // 2. Combine them, including the pipeline's own choices.
  SmallVector<std::string> combinations{base.str()};
  for (const ConfigChoice &choice : varied)
    for (size_t i = 0, e = combinations.size(); i < e; ++i)
      for (const std::string &value : choice.values)
        combinations.push_back(append(combinations[i], choice, value));
  llvm::StringSet<> programs;
  programs.insert(chosen->program);
  for (const std::string &text : ArrayRef(combinations).drop_front()) {
    FailureOr<Tried> tried = run(text);
    if (succeeded(tried) && tried->estimate.workgroups > 0 &&
        programs.insert(tried->program).second)
      ranked.push_back({text, tried->estimate});
  }
  // If estimates are equal, prefer fewer changes.
  auto getKey = [](const RankedConfig &config) {
    return std::tuple(config.estimate.spills, config.estimate.cycles,
                      llvm::count(config.options, '='));
  };
  std::stable_sort(ranked.begin() + 1, ranked.end(),
                   [&](const RankedConfig &a, const RankedConfig &b) {
                     return getKey(a) < getKey(b);
                   });
  return ranked;
}

FailureOr<SmallVector<RankedConfig>>
mlir::linalg_ext::rankConfigs(ModuleOp module, StringRef chip, StringRef base,
                              ArrayRef<ConfigChoice> choices) {
  return lookupAMDChip(chip)
             ? rankOptions<ToROCDLPipelineOptions>(module, chip, base, choices)
             : rankOptions<ToNVVMPipelineOptions>(module, chip, base, choices);
}
