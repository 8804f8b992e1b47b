//===- Print.cpp - Prints layouts as tables and pictures ------------------===//
//
// Arranges the elements of a layout in rows and columns, for both output
// formats.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Print.h"
#include "mlir-ext/Layout/SharedAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::layout;
using llvm::SmallVector;

namespace {
/// Arranges the elements of a tile in rows and columns.
struct Grid {
  explicit Grid(const Layout &layout) : layout(layout) {
    numColumns =
        layout.getRank() == 0 ? 1 : layout.getDimSize(layout.getRank() - 1);
    numRows = layout.getNumElements() / numColumns;
  }

  SmallVector<int64_t> getCoordinate(int64_t row, int64_t column) const {
    SmallVector<int64_t> coordinate(layout.getRank());
    int64_t rest = row;
    for (int64_t dim = static_cast<int64_t>(layout.getRank()) - 2; dim >= 0;
         --dim) {
      coordinate[dim] = rest % layout.getDimSize(dim);
      rest /= layout.getDimSize(dim);
    }
    if (!coordinate.empty())
      coordinate.back() = column;
    return coordinate;
  }

  /// Returns the coordinate of a row without the column, such as `3` or `1,3`.
  std::string getRowLabel(int64_t row) const {
    SmallVector<int64_t> coordinate = getCoordinate(row, 0);
    if (coordinate.size() < 2)
      return "";
    coordinate.pop_back();
    std::string label;
    llvm::raw_string_ostream os(label);
    llvm::interleave(coordinate, os, ",");
    return label;
  }

  const Layout &layout;
  int64_t numRows, numColumns;
};
} // namespace

/// Returns a line that describes the layout.
static std::string getTitle(const Layout &layout) {
  std::string title;
  llvm::raw_string_ostream os(title);
  os << (layout.getRank() == 0 ? "scalar" : layout.str()) << ": ";
  llvm::interleave(layout.getShape(), os, "x");
  if (layout.getRank() != 0)
    os << ", ";
  os << "subgroups " << layout.getNumSubgroups() << ", lanes "
     << layout.getNumLanes() << ", registers " << layout.getNumRegisters();
  if (layout.getReplication() != 1)
    os << ", each element in " << layout.getReplication() << " threads";
  return title;
}

void mlir::layout::printOwnerTable(const Layout &layout,
                                   llvm::raw_ostream &os) {
  Grid grid(layout);
  int64_t more = layout.getReplication() - 1;
  SmallVector<std::string> labels, cells;
  size_t labelWidth = 0, cellWidth = 0;
  for (int64_t row = 0; row < grid.numRows; ++row) {
    labels.push_back(grid.getRowLabel(row));
    labelWidth = std::max(labelWidth, labels.back().size());
    for (int64_t column = 0; column < grid.numColumns; ++column) {
      Owner owner = layout.getOwner(grid.getCoordinate(row, column));
      std::string cell = llvm::formatv("s{0} l{1} r{2}", owner.subgroup,
                                       owner.lane, owner.reg);
      if (more > 0)
        cell += " +" + std::to_string(more);
      cellWidth = std::max(cellWidth, cell.size());
      cells.push_back(std::move(cell));
    }
  }
  // Pads each cell but the last one of a line, so that lines have no trailing
  // spaces.
  auto pad = [&](llvm::StringRef text, size_t width) {
    os << text;
    os.indent(width - text.size());
  };
  auto printRow = [&](llvm::StringRef label, auto getCell) {
    pad(label, labelWidth);
    for (int64_t column = 0; column < grid.numColumns; ++column) {
      std::string cell = getCell(column);
      os << (labelWidth || column ? "  " : "");
      pad(cell, column + 1 < grid.numColumns ? cellWidth : cell.size());
    }
    os << "\n";
  };
  os << getTitle(layout) << "\n";
  printRow("", [](int64_t column) { return std::to_string(column); });
  for (int64_t row = 0; row < grid.numRows; ++row)
    printRow(labels[row], [&](int64_t column) {
      return cells[row * grid.numColumns + column];
    });
}

namespace {
/// A cell of a picture.
struct Cell {
  /// The hue in degrees, and how pale the colour is, in percent of white.
  int64_t hue, light;
  std::string label, small;
};
} // namespace

/// Writes a picture of cells in rows and columns. A cell has `step` columns of
/// the tile.
static void printCells(llvm::raw_ostream &os, llvm::StringRef title,
                       int64_t numRows, int64_t numColumns, int64_t step,
                       llvm::function_ref<std::string(int64_t)> getRowLabel,
                       llvm::function_ref<Cell(int64_t, int64_t)> getCell) {
  constexpr int64_t kWidth = 44, kHeight = 30, kTop = 46;
  int64_t left = 14;
  for (int64_t row = 0; row < numRows; ++row)
    left = std::max<int64_t>(left, 14 + 7 * getRowLabel(row).size());
  int64_t width =
      std::max<int64_t>(left + numColumns * kWidth, left + 7 * title.size()) +
      14;
  int64_t height = kTop + numRows * kHeight + 14;

  os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                      "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                      "font-family=\"sans-serif\" text-anchor=\"middle\">\n",
                      width, height);
  os << "<style>.r{font-size:13px}.t{font-size:9px}.i{font-size:10px;"
        "fill:#555}"
        ".c{stroke:#666;stroke-width:.5}</style>\n";
  os << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  os << llvm::formatv("<text x=\"{0}\" y=\"18\" font-size=\"12\" "
                      "text-anchor=\"start\">{1}</text>\n",
                      left, title);
  for (int64_t column = 0; column < numColumns; ++column)
    os << llvm::formatv("<text class=\"i\" x=\"{0}\" y=\"{1}\">{2}</text>\n",
                        left + column * kWidth + kWidth / 2, kTop - 6,
                        column * step);
  for (int64_t row = 0; row < numRows; ++row) {
    int64_t y = kTop + row * kHeight;
    os << llvm::formatv("<text class=\"i\" x=\"{0}\" y=\"{1}\" "
                        "text-anchor=\"end\">{2}</text>\n",
                        left - 5, y + kHeight / 2 + 4, getRowLabel(row));
    for (int64_t column = 0; column < numColumns; ++column) {
      int64_t x = left + column * kWidth;
      Cell cell = getCell(row, column);
      os << llvm::formatv("<rect class=\"c\" x=\"{0}\" y=\"{1}\" "
                          "width=\"{2}\" height=\"{3}\" "
                          "fill=\"hsl({4},75%,{5}%)\"/>",
                          x, y, kWidth, kHeight, cell.hue, cell.light);
      os << llvm::formatv("<text class=\"r\" x=\"{0}\" y=\"{1}\">{2}</text>",
                          x + kWidth / 2, y + 14, cell.label);
      os << llvm::formatv("<text class=\"t\" x=\"{0}\" y=\"{1}\">{2}</text>\n",
                          x + kWidth / 2, y + 25, cell.small);
    }
  }
  os << "</svg>\n";
}

/// Returns how many of `count` rows or columns a picture shows.
static int64_t getShown(int64_t count, int64_t most) {
  return most > 0 ? std::min(count, most) : count;
}

/// Returns a text that says which part of a tile is shown, or nothing if all of
/// it is.
static std::string describeShown(int64_t rows, int64_t allRows, int64_t columns,
                                 int64_t allColumns) {
  std::string text;
  if (rows < allRows)
    text += llvm::formatv("; rows 0 to {0}", rows - 1).str();
  if (columns < allColumns)
    text += llvm::formatv("; columns 0 to {0}", columns - 1).str();
  return text;
}

void mlir::layout::printSVG(const Layout &layout, llvm::raw_ostream &os,
                            PictureSize size) {
  Grid grid(layout);
  int64_t rows = getShown(grid.numRows, size.rows),
          columns = getShown(grid.numColumns, size.columns);
  printCells(
      os,
      getTitle(layout) +
          describeShown(rows, grid.numRows, columns, grid.numColumns),
      rows, columns, /*step=*/1,
      [&](int64_t row) { return grid.getRowLabel(row); },
      [&](int64_t row, int64_t column) {
        Owner owner = layout.getOwner(grid.getCoordinate(row, column));
        // Pale enough for black letters.
        Cell cell{owner.lane * 360 / layout.getNumLanes(),
                  68 + 24 * owner.subgroup / layout.getNumSubgroups(),
                  "r" + std::to_string(owner.reg), ""};
        if (layout.getNumSubgroups() > 1)
          cell.small = "s" + std::to_string(owner.subgroup) + " ";
        cell.small += "l" + std::to_string(owner.lane);
        if (layout.getReplication() > 1)
          cell.small += " +" + std::to_string(layout.getReplication() - 1);
        return cell;
      });
}

void mlir::layout::printSVG(const SharedLayout &layout, llvm::raw_ostream &os,
                            PictureSize size) {
  // All elements of a word of 4 bytes have the same bank, because swizzles move
  // whole words or more.
  int64_t step = 1;
  bool isWhole =
      layout.getSwizzle().isIdentity() || layout.getSwizzle().base >= 2;
  if (isWhole &&
      layout.getNumColumns() * layout.getElementBytes() % kBankBytes == 0 &&
      layout.getRowStride() % kBankBytes == 0 &&
      layout.getPanelColumns() * layout.getElementBytes() % kBankBytes == 0)
    step = std::max<int64_t>(1, kBankBytes / layout.getElementBytes());
  int64_t rows = getShown(layout.getNumRows(), size.rows),
          cells = getShown(layout.getNumColumns() / step, size.columns);
  printCells(
      os,
      layout.str() + describeShown(rows, layout.getNumRows(), cells * step,
                                   layout.getNumColumns()),
      rows, cells, step, [](int64_t row) { return std::to_string(row); },
      [&](int64_t row, int64_t cell) {
        int64_t offset = layout.getByteOffset(row, cell * step),
                bank = offset / kBankBytes % kNumBanks;
        return Cell{bank * 360 / kNumBanks, 72, "b" + std::to_string(bank),
                    std::to_string(offset)};
      });
}
