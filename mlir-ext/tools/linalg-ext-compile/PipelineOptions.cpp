//===- PipelineOptions.cpp - Options of pipelines, as text ----------------===//
//
// See PipelineOptions.h.
//
//===----------------------------------------------------------------------===//

#include "PipelineOptions.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The option of `options` whose name is the nearest to `name`.
static std::string findNearest(const mlir::detail::PassOptions &options,
                               StringRef name) {
  // Their names are only known from what they print: {name=value ...}.
  std::string text;
  llvm::raw_string_ostream os(text);
  options.print(os);
  std::string nearest;
  unsigned least = ~0u;
  SmallVector<StringRef> words;
  StringRef(text).split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    StringRef other = word.ltrim('{').split('=').first;
    unsigned distance = name.edit_distance(other);
    if (!word.contains('=') || distance >= least)
      continue;
    least = distance;
    nearest = other.str();
  }
  // What has little in common is no suggestion.
  return least <= std::max<size_t>(2, name.size() / 2) ? nearest : "";
}

LogicalResult
mlir::linalg_ext::parsePipelineOptions(mlir::detail::PassOptions &options,
                                       StringRef text, std::string &error) {
  std::string said;
  llvm::raw_string_ostream os(said);
  if (succeeded(options.parseFromString(text, os)))
    return success();
  error = "invalid --options";
  StringRef reason = StringRef(said).trim();
  reason.consume_front("<Pass-Options-Parser>: ");
  if (!reason.empty())
    error += ": " + reason.str();
  StringRef name = reason;
  if (name.consume_front("no such option ")) {
    std::string nearest = findNearest(options, name.split('\n').first.trim());
    if (!nearest.empty())
      error += "; did you mean '" + nearest + "'?";
  }
  return failure();
}

LogicalResult mlir::linalg_ext::refuseGiven(bool isGiven, StringRef name,
                                            StringRef option,
                                            std::string &error) {
  if (isGiven)
    error = ("invalid --options: expected " + option + " instead of '" + name +
             "'")
                .str();
  return failure(isGiven);
}
