//===- ChipsTest.cpp - The table of chips ---------------------------------===//
//
// Properties that every chip has, and what becomes of its description in IR.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Chips.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "llvm/ADT/StringSet.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

class ChipsTest : public ::testing::Test {
protected:
  ChipsTest() {
    DialectRegistry registry;
    registry.insert<vector_ext::VectorExtDialect, DLTIDialect>();
    nvgpu_ext::registerIntrinsics(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  MLIRContext context;
};

TEST_F(ChipsTest, memoryOfAWorkgroupIsPartOfAProcessors) {
  for (const NVIDIAChip &chip : getNVIDIAChips()) {
    SCOPED_TRACE(chip.name.str());
    const GPUTarget &target = chip.target;
    EXPECT_EQ(target.getWorkgroupsOfShared(target.sharedBytes), 1);
    EXPECT_EQ(target.getWorkgroupsOfShared(target.sharedBytes + 1), 0);
    EXPECT_GE(target.processorThreads, target.maxThreads);
    EXPECT_EQ(target.maxThreads % target.lanes, 0);
    // The largest workgroup has registers for its addresses at least.
    EXPECT_GE(target.getWorkgroupsOfRegisters(target.maxThreads, 64), 1);
  }
}

TEST_F(ChipsTest, namesAndInstructionsAreKnown) {
  auto *dialect = context.getLoadedDialect<vector_ext::VectorExtDialect>();
  llvm::StringSet<> names;
  for (const NVIDIAChip &chip : getNVIDIAChips()) {
    SCOPED_TRACE(chip.name.str());
    EXPECT_TRUE(names.insert(chip.name).second);
    EXPECT_EQ(lookupNVIDIAChip(chip.name), &chip);
    EXPECT_FALSE(chip.target.intrinsics.empty());
    for (const std::string &name : chip.target.intrinsics) {
      const vector_ext::MmaIntrinsic *intrinsic =
          dialect->lookupIntrinsic(name);
      ASSERT_TRUE(intrinsic) << name;
      EXPECT_TRUE(intrinsic->hasLowering) << name;
    }
  }
  EXPECT_EQ(lookupNVIDIAChip("gfx942"), nullptr);
}

TEST_F(ChipsTest, descriptionsSurviveInIR) {
  for (const NVIDIAChip &chip : getNVIDIAChips()) {
    SCOPED_TRACE(chip.name.str());
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    setGPUTarget(*module, chip.target);
    FailureOr<GPUTarget> read = getGPUTarget(*module);
    ASSERT_TRUE(succeeded(read));
    for (const GPUTargetKey &key : getGPUTargetKeys())
      EXPECT_EQ((*read).*key.number, chip.target.*key.number) << key.key.str();
    EXPECT_EQ(read->intrinsics, chip.target.intrinsics);
  }
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
