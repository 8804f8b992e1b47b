//===- CheckOptions.h - Validation of pipeline options ----------*- C++ -*-===//
//
// Checks the options of a pipeline before it runs. A pass would report an
// invalid option too, but a pipeline that falls back to another one after a
// failure would hide this error.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_CHECKOPTIONS_H
#define MLIR_EXT_PIPELINES_CHECKOPTIONS_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

#include <string>

namespace mlir::linalg_ext {

/// Always fails. Sets `error` to a message with the option `name` and the text
/// `expected`.
LogicalResult refuseOption(StringRef name, const Twine &expected,
                           std::string &error);

/// Fails, with a message in `error`, if `value` is less than `least`.
LogicalResult checkAtLeast(StringRef name, int64_t value, int64_t least,
                           std::string &error);

/// Fails, with a message in `error`, if `value` is less than `least` or more
/// than `most`.
LogicalResult checkBetween(StringRef name, int64_t value, int64_t least,
                           int64_t most, std::string &error);

/// The largest size of a tile along a dimension: products of sizes, in bytes,
/// stay far from 2^63.
constexpr int64_t kMostTileSize = 1 << 24;

/// The most buffers of a tile.
constexpr int64_t kMostStages = 64;

/// Fails, with a message in `error`, if `value` is not in `expected`.
LogicalResult checkOneOf(StringRef name, StringRef value,
                         ArrayRef<StringRef> expected, std::string &error);

/// Fails, with a message in `error`, if the fusion passes cannot parse an
/// option.
LogicalResult checkFusionOptions(const FusionPipelineOptions &options,
                                 std::string &error);

/// Registers a pipeline. When it is built from text, a call of
/// `checkOptions(options, error)` validates the options.
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
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(Options());
      });
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_CHECKOPTIONS_H
