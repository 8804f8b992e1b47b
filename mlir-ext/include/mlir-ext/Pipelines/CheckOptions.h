//===- CheckOptions.h - Options of pipelines that cannot be -----*- C++ -*-===//
//
// Passes refuse what they cannot do, but a pipeline may fall back on another
// one then, and what was asked for would be lost without a word: options are
// checked before anything runs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_CHECKOPTIONS_H
#define MLIR_EXT_PIPELINES_CHECKOPTIONS_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace mlir::linalg_ext {

/// Fails, with `name` and what is wrong with it, in `error`.
LogicalResult refuseOption(StringRef name, const Twine &expected,
                           std::string &error);

/// Refuses a `value` less than `least`.
LogicalResult checkAtLeast(StringRef name, int64_t value, int64_t least,
                           std::string &error);

/// Refuses a `value` that is none of `expected`.
LogicalResult checkOneOf(StringRef name, StringRef value,
                         ArrayRef<StringRef> expected, std::string &error);

/// Refuses what the passes that fuse cannot parse.
LogicalResult checkFusionOptions(const FusionPipelineOptions &options,
                                 std::string &error);

/// Registers a pipeline whose options are checked, by `checkOptions(options,
/// error)`, when it is built from text.
template <typename Options>
void registerCheckedPipeline(StringRef name, StringRef description,
                             void (*build)(OpPassManager &, const Options &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> errorHandler) {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        std::string error;
        if (failed(checkOptions(options, error)))
          return errorHandler(error);
        build(pm, options);
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> handle) {
        handle(Options());
      });
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_CHECKOPTIONS_H
