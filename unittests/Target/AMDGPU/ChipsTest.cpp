//===- ChipsTest.cpp - The table of chips ---------------------------------===//
//
// Properties that every chip has.
//
//===----------------------------------------------------------------------===//

#include "Target/ChipsTest.h"

#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Intrinsics.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

class ChipsTest : public linalg_ext_test::ChipsTestBase {
protected:
  ChipsTest() : ChipsTestBase(amdgpu_ext::registerIntrinsics) {}
};

TEST_F(ChipsTest, linesOfTheTable) {
  expectTable(getAMDChips(), lookupAMDChip);
  EXPECT_EQ(lookupAMDChip("sm_80"), nullptr);
}

} // namespace
