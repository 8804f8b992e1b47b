//===- CheckOptions.cpp - Validation of pipeline options ------------------===//
//
// See CheckOptions.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/CheckOptions.h"
#include "FusionReport.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Plan/PlanLazyRescaling.h"

#include "llvm/ADT/StringExtras.h"

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

LogicalResult mlir::linalg_ext::checkBetween(StringRef name, int64_t value,
                                             int64_t least, int64_t most,
                                             std::string &error) {
  if (value <= most)
    return checkAtLeast(name, value, least, error);
  return refuseOption(
      name, "expected at most " + Twine(most) + ", got " + Twine(value), error);
}

LogicalResult mlir::linalg_ext::checkOneOf(StringRef name, StringRef value,
                                           ArrayRef<StringRef> expected,
                                           std::string &error) {
  if (llvm::is_contained(expected, value))
    return success();
  std::string names = llvm::join(expected.drop_back(), ", ");
  return refuseOption(name,
                      "expected " + names + " or " + expected.back() +
                          ", got '" + value + "'",
                      error);
}

LogicalResult
mlir::linalg_ext::checkFusionOptions(const FusionPipelineOptions &options,
                                     std::string &error) {
  std::string text;
  std::vector<TilingLevel> parsed;
  if (failed(parseTilingLevels(options.levels, parsed, text)))
    return refuseOption("levels", text, error);
  FailureOr<NormalizationForm> form =
      parseNormalizationForm(options.normalization, text);
  if (failed(form))
    return refuseOption("normalization", text, error);
  FailureOr<std::optional<double>> threshold =
      parseRescaleThreshold(options.rescaleThreshold, text);
  if (failed(threshold))
    return refuseOption("rescale-threshold", text, error);
  TileAndFuseOptions fusion;
  fusion.normalization = *form;
  fusion.rescaleThreshold = *threshold;
  Refusal refusal;
  if (failed(checkRescaleThreshold(fusion, refusal)))
    return refuseOption("rescale-threshold", refusal.text, error);
  return checkOneOf("report", options.report, FusionReport::getKinds(), error);
}
