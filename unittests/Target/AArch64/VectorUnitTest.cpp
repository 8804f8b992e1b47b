//===- VectorUnitTest.cpp - Tests of the data on vector units -------------===//

#include "mlir-ext/Target/AArch64/VectorUnit.h"

#include "gtest/gtest.h"

using namespace mlir::linalg_ext;

TEST(AArch64VectorUnitTest, foundByFamily) {
  EXPECT_EQ(getAArch64VectorUnit("neoverse-n1").name, "neoverse");
  EXPECT_EQ(getAArch64VectorUnit("neoverse-v2").name, "neoverse");
  EXPECT_EQ(getAArch64VectorUnit("apple-m1").name, "apple");
  EXPECT_EQ(getAArch64VectorUnit("cortex-a72").name, "neon");
  EXPECT_EQ(getAArch64VectorUnit("").name, "neon");
}

TEST(AArch64VectorUnitTest, allAreNEON) {
  for (const VectorUnit &unit : getAArch64VectorUnits()) {
    EXPECT_EQ(unit.bits, 128) << unit.name.str();
    EXPECT_EQ(unit.registers, 32) << unit.name.str();
    EXPECT_TRUE(unit.fma) << unit.name.str();
    EXPECT_FALSE(unit.avx512 || unit.dotBF16) << unit.name.str();
    EXPECT_GE(unit.l2Bytes, unit.l1Bytes) << unit.name.str();
  }
}
