//===- ViewPictures.cpp - Pictures of the page about a compilation --------===//
//
// See View.h.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

static constexpr int64_t kWidth = 860;

/// Begins a picture of the width of the page.
static void begin(raw_ostream &os, StringRef title, int64_t height) {
  os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                      "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                      "font-family=\"sans-serif\" font-size=\"12\">",
                      kWidth, height);
  os << "<title>";
  llvm::printHTMLEscaped(title, os);
  os << "</title>\n";
}

static void text(raw_ostream &os, double x, double y, const Twine &what,
                 StringRef anchor = "start", StringRef colour = "#333") {
  os << llvm::formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" text-anchor=\"{2}\" "
                      "fill=\"{3}\">",
                      x, y, anchor, colour);
  llvm::printHTMLEscaped(what.str(), os);
  os << "</text>\n";
}

static void rectangle(raw_ostream &os, double x, double y, double width,
                      double height, StringRef colour, const Twine &tip = "") {
  os << llvm::formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" "
                      "height=\"{3:F1}\" fill=\"{4}\" stroke=\"#667\" "
                      "stroke-width=\"0.6\">",
                      x, y, width, height, colour);
  std::string tipText = tip.str();
  if (!tipText.empty()) {
    os << "<title>";
    llvm::printHTMLEscaped(tipText, os);
    os << "</title>";
  }
  os << "</rect>\n";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The sizes of the tiles of a dimension: of each level that cuts it.
static SmallVector<std::pair<std::string, int64_t>>
getTiles(const json::Object &plan, size_t dim) {
  SmallVector<std::pair<std::string, int64_t>> tiles;
  if (const json::Array *levels = plan.getArray("levels"))
    for (const json::Value &value : *levels) {
      const json::Object &level = *value.getAsObject();
      const json::Array &sizes = *level.getArray("tile_sizes");
      int64_t size = dim < sizes.size() ? sizes[dim].getAsInteger().value_or(0)
                                        : int64_t(0);
      if (size != 0)
        tiles.push_back({level.getString("kind").value_or("").str(), size});
    }
  return tiles;
}

void mlir::linalg_ext::drawLoops(const json::Object &plan, raw_ostream &os) {
  constexpr int64_t kLeft = 150, kRow = 34, kHigh = 20;
  const json::Array *loops = plan.getArray("loops");
  if (!loops || loops->empty())
    return;
  double room = kWidth - kLeft - 230;
  begin(os, "The dimensions of the root, and how they are cut in tiles",
        kRow * loops->size() + 8);
  for (auto [number, value] : llvm::enumerate(*loops)) {
    const json::Object &loop = *value.getAsObject();
    int64_t size = loop.getInteger("size").value_or(-1);
    bool isReduced = loop.getString("kind") == "reduction";
    double y = 4 + kRow * number;
    text(os, kLeft - 8, y + 15,
         "d" + Twine(number) + (isReduced ? ", reduced" : ", parallel"), "end");
    // Bars of large dimensions are longer, but not in proportion.
    int64_t shown = size < 0 ? kAssumedSize : std::max<int64_t>(size, 1);
    double width =
        std::max(40.0, room * std::min(1.0, std::log2(1.0 + shown) / 13));
    StringRef colour = isReduced ? "#f3d9a4" : "#bcd6ef";
    SmallVector<std::pair<std::string, int64_t>> tiles = getTiles(plan, number);
    std::string what = size < 0 ? "any size" : std::to_string(size);
    if (tiles.empty()) {
      rectangle(os, kLeft, y, width, kHigh, colour, "whole in each iteration");
      text(os, kLeft + width + 8, y + 15, what + ", whole");
      continue;
    }
    // The smallest tiles are drawn, as far as there is room.
    int64_t least = INT64_MAX;
    for (const auto &[kind, tile] : tiles) {
      what +=
          ", " + kind + " tiles of " +
          (tile < 0 ? std::string("a size of run time") : std::to_string(tile));
      if (tile > 0)
        least = std::min(least, tile);
    }
    int64_t count = least == INT64_MAX
                        ? 1
                        : llvm::divideCeil(shown, std::max<int64_t>(1, least));
    if (size >= 0 && least != INT64_MAX && size % least != 0)
      what += ", the last one of " + std::to_string(size % least);
    if (count > 64) {
      rectangle(os, kLeft, y, width, kHigh, colour, what);
      for (int64_t i = 1; i < 64; ++i)
        os << llvm::formatv("<line x1=\"{0:F1}\" x2=\"{0:F1}\" y1=\"{1:F1}\" "
                            "y2=\"{2:F1}\" stroke=\"#889\" "
                            "stroke-width=\"0.4\"/>\n",
                            kLeft + width * i / 64, y, y + kHigh);
    } else {
      double step = width * std::min<double>(least, shown) / shown;
      for (int64_t i = 0; i < count; ++i) {
        double from = i * step, to = std::min(width, from + step);
        rectangle(os, kLeft + from, y, to - from, kHigh,
                  i == 0 ? (isReduced ? "#e7a93c" : "#5f9bd6") : colour,
                  llvm::formatv("elements {0} to {1}", i * least,
                                std::min(shown, (i + 1) * least) - 1)
                      .str());
      }
    }
    text(os, kLeft + width + 8, y + 15, what);
  }
  os << "</svg>\n";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void mlir::linalg_ext::drawMemory(const ViewedMemory &memory, raw_ostream &os) {
  constexpr int64_t kLeft = 96, kHigh = 240, kTop = 18;
  size_t steps = std::max<size_t>(memory.steps.size(), 1);
  // Those that have no offset lie on top of the others, in lanes of their own.
  int64_t top = memory.blockBytes;
  SmallVector<int64_t> offsets;
  for (const ViewedBuffer &buffer : memory.buffers) {
    offsets.push_back(buffer.offset ? *buffer.offset : top);
    if (!buffer.offset)
      top += buffer.bytes;
  }
  top = std::max<int64_t>(top, 1);
  double column = double(kWidth - kLeft - 10) / steps;
  auto getY = [&](double bytes) { return kTop + kHigh - bytes / top * kHigh; };
  begin(os, "Temporaries over time", kTop + kHigh + 34);
  for (int i = 0; i <= 4; ++i) {
    double bytes = double(top) * i / 4;
    os << llvm::formatv("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:F1}\" "
                        "y2=\"{2:F1}\" stroke=\"#dde\"/>\n",
                        kLeft, kWidth - 10, getY(bytes));
    text(os, kLeft - 6, getY(bytes) + 4, formatBytes(uint64_t(bytes)), "end",
         "#667");
  }
  static constexpr StringLiteral kColours[] = {"#8fbbe3", "#f0c987", "#a9d5a0",
                                               "#e3a6a6", "#c5b3e0", "#9fd6d2",
                                               "#e6c3da", "#cfcf8f"};
  for (auto [number, buffer] : llvm::enumerate(memory.buffers)) {
    double x = kLeft + column * buffer.first,
           width = column * (buffer.last - buffer.first + 1),
           y = getY(double(offsets[number] + buffer.bytes)),
           height = std::max(1.5, double(buffer.bytes) / top * kHigh);
    std::string tip =
        buffer.type + ", " + formatBytes(buffer.bytes) +
        (buffer.offset ? ", offset " + std::to_string(*buffer.offset) : "") +
        ", steps " + std::to_string(buffer.first + 1) + " to " +
        std::to_string(buffer.last + 1);
    rectangle(os, x, y, width, height, kColours[number % std::size(kColours)],
              tip);
    if (height > 13 && width > 7.0 * buffer.type.size())
      text(os, x + width / 2, y + height / 2 + 4, buffer.type, "middle");
  }
  // The numbers of steps, as far as there is room.
  size_t every = std::max<size_t>(1, size_t(std::ceil(22 / column)));
  for (size_t i = 0; i < memory.steps.size(); i += every)
    text(os, kLeft + column * (i + 0.5), kTop + kHigh + 14,
         std::to_string(i + 1), "middle", "#667");
  text(os, kLeft + column * steps / 2, kTop + kHigh + 30, "steps, in order",
       "middle", "#667");
  os << "</svg>\n";
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void mlir::linalg_ext::drawBars(ArrayRef<Bar> bars, raw_ostream &os) {
  constexpr int64_t kLeft = 190, kRow = 24;
  double most = 0;
  for (const Bar &bar : bars)
    most = std::max(most, bar.value);
  begin(os, "Costs", kRow * bars.size() + 6);
  for (auto [number, bar] : llvm::enumerate(bars)) {
    double y = 4 + kRow * number,
           width = most > 0 ? bar.value / most * (kWidth - kLeft - 190) : 0;
    text(os, kLeft - 8, y + 13, bar.label, "end");
    rectangle(os, kLeft, y, std::max(width, 1.0), 17, bar.colour, bar.text);
    text(os, kLeft + std::max(width, 1.0) + 8, y + 13, bar.text);
  }
  os << "</svg>\n";
}
