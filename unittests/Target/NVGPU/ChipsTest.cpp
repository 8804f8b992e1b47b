//===- ChipsTest.cpp - The table of chips ---------------------------------===//
//
// Properties that every chip has, and what becomes of its description in IR.
//
//===----------------------------------------------------------------------===//

#include "Target/ChipsTest.h"

#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

class ChipsTest : public linalg_ext_test::ChipsTestBase {
protected:
  ChipsTest() : ChipsTestBase(nvgpu_ext::registerIntrinsics) {}
};

TEST_F(ChipsTest, linesOfTheTable) {
  expectTable(getNVIDIAChips(), lookupNVIDIAChip);
  EXPECT_EQ(lookupNVIDIAChip("gfx942"), nullptr);
}

TEST_F(ChipsTest, instructionsHaveLowerings) {
  for (const NVIDIAChip &chip : getNVIDIAChips())
    for (const std::string &name : chip.target.intrinsics)
      EXPECT_TRUE(lookupIntrinsic(name)->hasLowering) << name;
}

TEST_F(ChipsTest, oneWorkgroupCanTakeTheSharedMemoryOfAProcessor) {
  for (const NVIDIAChip &chip : getNVIDIAChips())
    EXPECT_EQ(chip.target.getWorkgroupsOfShared(chip.target.sharedBytes), 1)
        << chip.name.str();
}

// Each number has a key of its own.
TEST_F(ChipsTest, keysAreDistinct) {
  llvm::StringSet<> keys;
  for (const GPUTargetKey &key : getGPUTargetKeys()) {
    EXPECT_TRUE(keys.insert(key.key).second) << key.key.str();
    GPUTarget target;
    target.*key.number += 1;
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    // What each workgroup takes must be there.
    target.processorSharedBytes += 2;
    setGPUTarget(*module, target);
    FailureOr<GPUTarget> read = getGPUTarget(*module);
    ASSERT_TRUE(succeeded(read)) << key.key.str();
    EXPECT_EQ((*read).*key.number, target.*key.number) << key.key.str();
  }
}

TEST_F(ChipsTest, noDescriptionIsTheDefault) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  FailureOr<GPUTarget> read = getGPUTarget(*module);
  ASSERT_TRUE(succeeded(read));
  for (const GPUTargetKey &key : getGPUTargetKeys())
    EXPECT_EQ((*read).*key.number, GPUTarget().*key.number) << key.key.str();
  EXPECT_TRUE(read->intrinsics.empty());
}

} // namespace
