//===- ChipsTest.h - Tables of chips, judged --------------------*- C++ -*-===//
//
// Properties that every line of a table of chips has, of any vendor.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_TARGET_CHIPSTEST_H
#define LINALG_EXT_UNITTESTS_TARGET_CHIPSTEST_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

#include <string>

namespace linalg_ext_test {

/// A test of a table of chips. `registerIntrinsics` is that of the vendor.
class ChipsTestBase : public ::testing::Test {
protected:
  explicit ChipsTestBase(
      llvm::function_ref<void(mlir::DialectRegistry &)> registerIntrinsics) {
    mlir::DialectRegistry registry;
    registry.insert<mlir::vector_ext::VectorExtDialect, mlir::DLTIDialect>();
    registerIntrinsics(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Expects the largest workgroup to fit on a processor, and no larger one.
  static void expectWorkgroupsFit(const mlir::linalg_ext::GPUTarget &target) {
    EXPECT_GE(target.getWorkgroupsOfShared(target.sharedBytes), 1);
    EXPECT_EQ(target.getWorkgroupsOfShared(target.sharedBytes + 1), 0);
    EXPECT_GE(target.processorThreads, target.maxThreads);
    EXPECT_EQ(target.maxThreads % target.lanes, 0);
    // The largest workgroup has registers for its addresses at least.
    EXPECT_GE(target.getWorkgroupsOfRegisters(target.maxThreads, 64), 1);
    EXPECT_GT(target.getResultRegisters(), 0);
  }

  /// Expects what counts workgroups to follow the number of processors.
  static void
  expectCountsOfProcessors(const mlir::linalg_ext::GPUTarget &target) {
    EXPECT_EQ(target.memoryWorkgroups, 2 * target.processors);
    EXPECT_GT(target.prefetchRows, target.processors);
  }

  /// Expects instructions that are registered.
  void expectKnownIntrinsics(const mlir::linalg_ext::GPUTarget &target) {
    EXPECT_FALSE(target.intrinsics.empty());
    for (const std::string &name : target.intrinsics)
      EXPECT_TRUE(lookupIntrinsic(name)) << name;
  }

  const mlir::vector_ext::MmaIntrinsic *lookupIntrinsic(llvm::StringRef name) {
    return context.getLoadedDialect<mlir::vector_ext::VectorExtDialect>()
        ->lookupIntrinsic(name);
  }

  /// Expects IR to keep all numbers and names.
  void expectSameInIR(const mlir::linalg_ext::GPUTarget &target) {
    using namespace mlir;
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    linalg_ext::setGPUTarget(*module, target);
    FailureOr<linalg_ext::GPUTarget> read = linalg_ext::getGPUTarget(*module);
    ASSERT_TRUE(succeeded(read));
    for (const linalg_ext::GPUTargetKey &key : linalg_ext::getGPUTargetKeys())
      EXPECT_EQ((*read).*key.number, target.*key.number) << key.key.str();
    EXPECT_EQ(read->intrinsics, target.intrinsics);
  }

  /// Expects all of this of each chip of a table, and names that are distinct
  /// and found by `lookup`.
  template <typename Chip>
  void expectTable(llvm::ArrayRef<Chip> chips,
                   const Chip *(*lookup)(llvm::StringRef)) {
    llvm::StringSet<> names;
    for (const Chip &chip : chips) {
      SCOPED_TRACE(chip.name.str());
      EXPECT_TRUE(names.insert(chip.name).second);
      EXPECT_EQ(lookup(chip.name), &chip);
      expectWorkgroupsFit(chip.target);
      expectCountsOfProcessors(chip.target);
      expectKnownIntrinsics(chip.target);
      expectSameInIR(chip.target);
    }
  }

  mlir::MLIRContext context;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_TARGET_CHIPSTEST_H
