//===- VectorUnitTest.cpp - Tests of the data on vector units
//--------------===//

#include "mlir-ext/Target/X86/VectorUnit.h"

#include "gtest/gtest.h"

using namespace mlir::linalg_ext;

TEST(VectorUnitTest, WidestFirstAndTheLastOneTakesNothing) {
  auto units = getX86VectorUnits();
  ASSERT_FALSE(units.empty());
  for (size_t i = 1; i < units.size(); ++i)
    EXPECT_TRUE(units[i - 1].bits > units[i].bits ||
                (units[i - 1].bits == units[i].bits &&
                 units[i - 1].features.size() > units[i].features.size()))
        << units[i].name.str();
  EXPECT_TRUE(units.back().features.empty());
}

TEST(VectorUnitTest, FoundByName) {
  for (const VectorUnit &unit : getX86VectorUnits())
    EXPECT_EQ(lookupX86VectorUnit(unit.name), &unit);
  EXPECT_EQ(lookupX86VectorUnit("mmx"), nullptr);
}
