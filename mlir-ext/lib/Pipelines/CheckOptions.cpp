//===- CheckOptions.cpp - Options of pipelines that cannot be -------------===//
//
// See CheckOptions.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

using namespace mlir;
using namespace mlir::linalg_ext;

LogicalResult mlir::linalg_ext::refuseOption(StringRef name,
                                             const Twine &expected,
                                             std::string &error) {
  error = ("invalid option '" + name + "': " + expected).str();
  return failure();
}

LogicalResult mlir::linalg_ext::checkAtLeast(StringRef name, int64_t value,
                                             int64_t least,
                                             std::string &error) {
  if (value >= least)
    return success();
  return refuseOption(
      name, "expected at least " + Twine(least) + ", got " + Twine(value),
      error);
}

LogicalResult mlir::linalg_ext::checkFusionOptions(StringRef levels,
                                                   StringRef normalization,
                                                   StringRef rescaleThreshold,
                                                   std::string &error) {
  std::string text;
  std::vector<TilingLevel> parsed;
  if (failed(parseTilingLevels(levels, parsed, text)))
    return refuseOption("levels", text, error);
  if (failed(parseNormalizationForm(normalization, text)))
    return refuseOption("normalization", text, error);
  if (failed(parseRescaleThreshold(rescaleThreshold, text)))
    return refuseOption("rescale-threshold", text, error);
  return success();
}
