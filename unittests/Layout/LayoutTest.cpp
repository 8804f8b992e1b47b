//===- LayoutTest.cpp - The laws of layouts, at every coordinate ----------===//

#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Layout/Conversion.h"
#include "gtest/gtest.h"

using namespace mlir::layout;

static Layout parse(llvm::StringRef text, int64_t lanes = 32,
                    int64_t subgroups = 1) {
  std::string error;
  std::optional<Layout> layout = Layout::parse(text, lanes, subgroups, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(Layout());
}

// The accumulator of mma.sync.m16n8 as PTX documents it.
TEST(LayoutTest, AccumulatorOfMma) {
  Layout layout = parse("[register 2:2, lane 8:4] x [lane 4:1, register 2:1]");
  EXPECT_EQ(layout.getShape(), (llvm::SmallVector<int64_t>{16, 8}));
  EXPECT_EQ(layout.getNumRegisters(), 4);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 4; ++reg) {
      auto at = layout.getCoordinate({0, lane, reg});
      EXPECT_EQ(at[0], lane / 4 + (reg >= 2 ? 8 : 0));
      EXPECT_EQ(at[1], lane % 4 * 2 + reg % 2);
      EXPECT_TRUE(layout.getOwner(at) == (Owner{0, lane, reg}));
    }
}

// C of one matmul is A of the next: a relabelling of registers.
TEST(LayoutTest, AccumulatorToOperandIsARelabelling) {
  Layout c = parse("[register 2:2, lane 8:4] x [register 2:4, lane 4:1, "
                   "register 2:1]");
  Layout a = parse("[register 2:2, lane 8:4] x [register 2:4, lane 4:1, "
                   "register 2:1]");
  EXPECT_EQ(classifyConversion(c, a).kind, ConversionKind::Identity);
}
