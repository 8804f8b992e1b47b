//===- VectorUnitTest.cpp - Tests of the data on vector units -------------===//

#include "mlir-ext/Target/AArch64/VectorUnit.h"

#include "gtest/gtest.h"

using namespace mlir::linalg_ext;
using llvm::StringRef;

static const VectorUnit &getUnit(StringRef cpu, bool sve = true) {
  return getAArch64VectorUnit(
      cpu, [=](StringRef feature) { return feature == "neon" || sve; });
}

TEST(AArch64VectorUnitTest, foundByFamily) {
  EXPECT_EQ(getUnit("neoverse-n1", false).name, "neoverse");
  EXPECT_EQ(getUnit("neoverse-v2").name, "neoverse");
  EXPECT_EQ(getUnit("apple-m1", false).name, "apple");
  EXPECT_EQ(getUnit("cortex-a72", false).name, "neon");
  EXPECT_EQ(getUnit("", false).name, "neon");
}

TEST(AArch64VectorUnitTest, widthOfSVE) {
  EXPECT_EQ(getUnit("neoverse-v1").bits, 256);
  EXPECT_EQ(getUnit("a64fx").bits, 512);
  for (StringRef cpu : {"neoverse-n2", "neoverse-v2", "neoverse-v3", "grace",
                        "cortex-x2", "fujitsu-monaka"})
    EXPECT_EQ(getUnit(cpu).bits, 128) << cpu.str();
}

TEST(AArch64VectorUnitTest, withoutSVE) {
  // A virtual machine may hide it.
  EXPECT_EQ(getUnit("neoverse-v1", false).name, "neoverse");
  EXPECT_EQ(getUnit("a64fx", false).name, "neon");
}

TEST(AArch64VectorUnitTest, allHaveNEON) {
  for (const VectorUnit &unit : getAArch64VectorUnits()) {
    EXPECT_EQ(unit.sve, unit.bits > 128) << unit.name.str();
    EXPECT_EQ(unit.sve, llvm::is_contained(unit.features, "sve"))
        << unit.name.str();
    EXPECT_TRUE(llvm::is_contained(unit.features, "neon")) << unit.name.str();
    EXPECT_EQ(unit.registers, 32) << unit.name.str();
    EXPECT_TRUE(unit.fma) << unit.name.str();
    EXPECT_FALSE(unit.avx512 || unit.dotBF16) << unit.name.str();
    EXPECT_GE(unit.l2Bytes, unit.l1Bytes) << unit.name.str();
  }
}
