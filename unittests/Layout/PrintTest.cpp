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
