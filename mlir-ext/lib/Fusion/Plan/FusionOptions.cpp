//===- FusionOptions.cpp - Parses the options of tile-and-fuse ------------===//
//
// Parses options as passes and transform ops take them: levels, such as
// `forall(1, 64) for(0, 0, 0, 128) interchange(...)`, names and the rescale
// threshold.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Consumes `(int, int, ...)` from the front of `text`.
static LogicalResult consumeInts(StringRef &text,
                                 SmallVectorImpl<int64_t> &values,
                                 std::string &error) {
  auto expected = [&](StringRef what) {
    error = ("expected " + what + ", got '" + text + "'").str();
    return failure();
  };
  text = text.ltrim();
  if (!text.consume_front("("))
    return expected("'('");
  do {
    text = text.ltrim();
    int64_t value;
    if (text.consumeInteger(10, value))
      return expected("an integer");
    values.push_back(value);
    text = text.ltrim();
  } while (text.consume_front(","));
  if (!text.consume_front(")"))
    return expected("',' or ')'");
  text = text.ltrim();
  return success();
}

LogicalResult mlir::linalg_ext::parseTilingLevels(
    StringRef text, std::vector<TilingLevel> &levels, std::string &error) {
  text = text.trim();
  while (!text.empty()) {
    TilingLevel level;
    StringRef kind = text.take_while(llvm::isAlpha);
    if (kind == "forall") {
      level.kind = LoopKind::Forall;
    } else if (kind == "split") {
      level.kind = LoopKind::Split;
    } else if (kind != "for") {
      error = ("expected 'for', 'forall' or 'split'" +
               Twine(levels.empty() ? ""
                                    : ", or 'interchange' or 'parts' of the "
                                      "level in front") +
               ", got '" + text + "'")
                  .str();
      return failure();
    }
    text = text.drop_front(kind.size());
    if (failed(consumeInts(text, level.tileSizes, error)))
      return failure();
    if (text.consume_front("interchange") &&
        failed(consumeInts(text, level.interchange, error)))
      return failure();
    if (text.consume_front("parts")) {
      SmallVector<int64_t> parts;
      if (failed(consumeInts(text, parts, error)))
        return failure();
      if (parts.size() != 1 || parts.front() < 1 || parts.front() > 32) {
        error = "expected one number of parts from 1 to 32, got ";
        error += parts.size() == 1 ? std::to_string(parts.front())
                                   : std::to_string(parts.size()) + " numbers";
        return failure();
      }
      level.parts = parts.front();
    }
    levels.push_back(std::move(level));
  }
  return success();
}

FailureOr<NormalizationForm>
mlir::linalg_ext::parseNormalizationForm(StringRef text, std::string &error) {
  for (NormalizationForm form :
       {NormalizationForm::Eager, NormalizationForm::Delayed})
    if (text == stringify(form))
      return form;
  error = ("expected 'eager' or 'delayed', got '" + text + "'").str();
  return failure();
}

FailureOr<Exactness> mlir::linalg_ext::parseExactness(StringRef text,
                                                      std::string &error) {
  for (Exactness exactness :
       {Exactness::Exact, Exactness::Reassociated, Exactness::Rounding})
    if (text == stringify(exactness))
      return exactness;
  error = ("expected 'exact', 'reassociated' or 'rounding', got '" + text + "'")
              .str();
  return failure();
}

FailureOr<Recompute> mlir::linalg_ext::parseRecompute(StringRef text,
                                                      std::string &error) {
  for (Recompute recompute :
       {Recompute::All, Recompute::Cheap, Recompute::None})
    if (text == stringify(recompute))
      return recompute;
  error = ("expected 'all', 'cheap' or 'none', got '" + text + "'").str();
  return failure();
}

FailureOr<std::optional<double>>
mlir::linalg_ext::parseRescaleThreshold(StringRef text, std::string &error) {
  if (text.empty())
    return std::optional<double>();
  double threshold;
  if (text.getAsDouble(threshold)) {
    error = ("expected a number, got '" + text + "'").str();
    return failure();
  }
  return std::optional<double>(threshold);
}
