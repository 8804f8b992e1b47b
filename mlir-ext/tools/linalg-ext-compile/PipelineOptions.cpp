//===- PipelineOptions.cpp - Options of pipelines, as text ----------------===//
//
// See PipelineOptions.h.
//
//===----------------------------------------------------------------------===//

#include "PipelineOptions.h"

#include "llvm/ADT/StringMap.h"
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

/// Splits "name=value ..." at blanks that are in no quotes and no braces.
static SmallVector<StringRef> splitOptions(StringRef text) {
  SmallVector<StringRef> words;
  size_t begin = 0;
  unsigned depth = 0;
  char quote = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ' ';
    if (quote != 0) {
      quote = c == quote ? 0 : quote;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && depth > 0) {
      --depth;
    } else if (c == ' ' && depth == 0) {
      if (at > begin)
        words.push_back(text.slice(begin, at));
      begin = at + 1;
    }
  }
  if (begin < text.size())
    words.push_back(text.substr(begin));
  return words;
}

/// Checks values of options that are numbers or true or false, as their
/// defaults tell: the errors of LLVM's parser go to the terminal at once, and
/// are about options of a command line.
static LogicalResult checkValues(const mlir::detail::PassOptions &options,
                                 StringRef text, std::string &error) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  options.print(os);
  StringRef inner = printed;
  inner.consume_front("{");
  inner.consume_back("}");
  llvm::StringMap<StringRef> defaults;
  for (StringRef word : splitOptions(inner)) {
    auto [name, value] = word.split('=');
    defaults[name] = value;
  }
  auto expect = [&](StringRef name, StringRef expected, StringRef value) {
    error = ("invalid option '" + name + "': expected " + expected + ", got '" +
             value + "'")
                .str();
    return failure();
  };
  for (StringRef word : splitOptions(text)) {
    auto [name, value] = word.split('=');
    auto known = defaults.find(name);
    if (known == defaults.end())
      continue;
    int64_t number;
    bool isNumber = !known->second.getAsInteger(10, number);
    if (isNumber && value.getAsInteger(0, number))
      return expect(name, "a whole number", value);
    if ((known->second == "true" || known->second == "false") &&
        !llvm::is_contained(
            {"", "true", "TRUE", "True", "1", "false", "FALSE", "False", "0"},
            value))
      return expect(name, "true or false", value);
  }
  return success();
}

LogicalResult
mlir::linalg_ext::parsePipelineOptions(mlir::detail::PassOptions &options,
                                       StringRef text, std::string &error) {
  if (failed(checkValues(options, text, error)))
    return failure();
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
