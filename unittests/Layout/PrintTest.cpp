//===- PrintTest.cpp - Pictures of layouts --------------------------------===//
//
// Every cell names a register that holds its element.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Layout/Print.h"
#include "LayoutOracle.h"

#include <sstream>

using namespace mlir::layout;
using namespace mlir::layout::test;

static std::string getTable(const Layout &layout, bool svg) {
  std::string text;
  llvm::raw_string_ostream os(text);
  svg ? printSVG(layout, os) : printOwnerTable(layout, os);
  return text;
}

TEST(PrintTest, TableOfAnAtom) {
  EXPECT_EQ(getTable(parseLayout("[register 2:1, lane 2:1] x [lane 2:2]", 4, 2),
                     false),
            "[register 2:1, lane 2:1] x [lane 2:2]: 4x2, subgroups 2, lanes 4, "
            "registers 2, each element in 2 threads\n"
            "   0            1\n"
            "0  s0 l0 r0 +1  s0 l2 r0 +1\n"
            "1  s0 l1 r0 +1  s0 l3 r0 +1\n"
            "2  s0 l0 r1 +1  s0 l2 r1 +1\n"
            "3  s0 l1 r1 +1  s0 l3 r1 +1\n");
}

TEST(PrintTest, TablesOfOtherRanks) {
  EXPECT_EQ(getTable(Layout(2, 1), false),
            "scalar: subgroups 1, lanes 2, registers 1, each element in 2 "
            "threads\n0\ns0 l0 r0 +1\n");
  EXPECT_EQ(getTable(parseLayout("[lane 2:1]", 2), false),
            "[lane 2:1]: 2, subgroups 1, lanes 2, registers 1\n"
            "0         1\n"
            "s0 l0 r0  s0 l1 r0\n");
  EXPECT_EQ(getTable(parseLayout("[lane 2:1] x [register 2:1] x []", 2), false),
            "[lane 2:1] x [register 2:1] x []: 2x2x1, subgroups 1, lanes 2, "
            "registers 2\n"
            "     0\n"
            "0,0  s0 l0 r0\n"
            "0,1  s0 l0 r1\n"
            "1,0  s0 l1 r0\n"
            "1,1  s0 l1 r1\n");
}

// The cells of table and picture, in the order of the elements.
TEST(PrintTest, EveryCell) {
  Random random(61);
  for (int i = 0; i < 60; ++i) {
    Spelling spelling = getRandomSpelling(random, 3);
    Layout layout = makeLayout(spelling);
    if (layout.getNumElements() > 512)
      continue;
    auto owners = getTable(spelling).invert();
    std::istringstream table(getTable(layout, false));
    std::string svg = getTable(layout, true);
    std::string line, word;
    std::getline(table, line); // The title,
    std::getline(table, line); // and the numbers of the columns.
    size_t at = 0;
    for (const auto &[coordinate, all] : owners) {
      auto [s, l, r] = all.front();
      while (table >> word && word[0] != 's')
        ;
      ASSERT_EQ(word, "s" + std::to_string(s));
      table >> word;
      ASSERT_EQ(word, "l" + std::to_string(l));
      table >> word;
      ASSERT_EQ(word, "r" + std::to_string(r));
      if (all.size() > 1) {
        table >> word;
        ASSERT_EQ(word, "+" + std::to_string(all.size() - 1));
      }
      at = svg.find(">r" + std::to_string(r) + "</text>", at);
      ASSERT_NE(at, std::string::npos) << layout;
      std::string thread = "l" + std::to_string(l);
      if (layout.getNumSubgroups() > 1)
        thread = "s" + std::to_string(s) + " " + thread;
      if (all.size() > 1)
        thread += " +" + std::to_string(all.size() - 1);
      at = svg.find("<text class=\"t\"", at);
      at = svg.find('>', at) + 1;
      ASSERT_EQ(svg.substr(at, thread.size() + 1), thread + "<");
    }
    ASSERT_EQ(svg.find("class=\"r\"", at), std::string::npos);
  }
}

// The first rows and columns, which have the labels of the whole picture.
TEST(PrintTest, PartOfAPicture) {
  Layout layout =
      parseLayout("[register 2:2, lane 8:4] x [lane 4:1, register 2:1]", 32);
  std::string text;
  llvm::raw_string_ostream os(text);
  printSVG(layout, os, {3, 2});
  EXPECT_EQ(llvm::StringRef(text).count("class=\"c\""), 6u);
  EXPECT_NE(text.find("; rows 0 to 2; columns 0 to 1<"), std::string::npos);
  std::string whole = getTable(layout, true);
  EXPECT_EQ(llvm::StringRef(whole).count("class=\"c\""), 128u);
  EXPECT_EQ(whole.find("; rows"), std::string::npos);
}

// Each cell has the bank and the offset of its elements, by the definition of
// banks: 32 of 4 bytes. All elements of a cell are in one word.
TEST(PrintTest, BanksOfEveryCell) {
  struct Case {
    llvm::SmallVector<int64_t> shape;
    int64_t bits, panel, padding;
    Swizzle swizzle;
    int64_t perCell;
  };
  const Case cases[] = {
      {{16, 64}, 16, 0, 0, {3, 4, 3}, 2}, {{8, 128}, 16, 64, 0, {3, 4, 3}, 2},
      {{4, 33}, 32, 0, 4, {}, 1},         {{4, 7}, 16, 0, 0, {}, 1},
      {{8, 32}, 8, 0, 0, {}, 4},          {{2, 3, 8}, 64, 0, 0, {}, 1},
      {{8, 64}, 8, 0, 0, {1, 0, 6}, 1}};
  for (const Case &c : cases) {
    llvm::SmallVector<unsigned> order;
    for (unsigned dim = 0; dim < c.shape.size(); ++dim)
      order.push_back(dim);
    std::string error;
    std::optional<SharedLayout> layout = SharedLayout::get(
        c.shape, order, c.bits, c.panel, c.padding, c.swizzle, &error);
    ASSERT_TRUE(layout) << error;
    std::string text;
    llvm::raw_string_ostream os(text);
    printSVG(*layout, os);
    size_t at = 0;
    int64_t cells = 0;
    for (int64_t row = 0; row < layout->getNumRows(); ++row)
      for (int64_t column = 0; column < layout->getNumColumns();
           column += c.perCell, ++cells) {
        int64_t offset = layout->getByteOffset(row, column);
        for (int64_t i = 1; i < c.perCell; ++i)
          EXPECT_EQ(layout->getByteOffset(row, column + i) / 4, offset / 4);
        std::string bank = ">b" + std::to_string(offset / 4 % 32) + "</text>";
        at = text.find("class=\"r\"", at);
        ASSERT_NE(at, std::string::npos);
        at = text.find('>', at);
        ASSERT_EQ(text.substr(at, bank.size()), bank);
        at = text.find("class=\"t\"", at);
        at = text.find('>', at);
        std::string label = ">" + std::to_string(offset) + "</text>";
        ASSERT_EQ(text.substr(at, label.size()), label);
      }
    EXPECT_EQ(llvm::StringRef(text).count("class=\"c\""), size_t(cells));
  }
}
