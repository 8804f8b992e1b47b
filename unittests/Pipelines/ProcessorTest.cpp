//===- ProcessorTest.cpp - Names of processors ----------------------------===//

#include "mlir-ext/Pipelines/Processor.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::Triple;

namespace {

Processor lookup(llvm::StringRef name) {
  std::string error;
  FailureOr<Processor> processor = lookupProcessor(name, error);
  EXPECT_TRUE(succeeded(processor)) << error;
  return succeeded(processor) ? *processor : Processor();
}

struct Known {
  const char *name;
  Triple::ArchType arch;
  const char *cpu, *unit;
};

// What each has is from its manufacturer's manual.
const Known known[] = {
    {"generic", Triple::UnknownArch, "", "generic"},
    {"avx2", Triple::x86_64, "x86-64-v3", "avx2"},
    {"avx512", Triple::x86_64, "x86-64-v4", "avx512"},
    {"avx512vnni", Triple::x86_64, "x86-64-v4", "avx512vnni"},
    {"avx512bf16", Triple::x86_64, "x86-64-v4", "avx512bf16"},
    {"x86-64", Triple::x86_64, "x86-64", "generic"},
    {"x86-64-v2", Triple::x86_64, "x86-64-v2", "generic"},
    {"x86-64-v3", Triple::x86_64, "x86-64-v3", "avx2"},
    {"x86-64-v4", Triple::x86_64, "x86-64-v4", "avx512"},
    {"nehalem", Triple::x86_64, "nehalem", "generic"},
    // AVX without AVX2.
    {"sandybridge", Triple::x86_64, "sandybridge", "generic"},
    {"haswell", Triple::x86_64, "haswell", "avx2"},
    {"skylake-avx512", Triple::x86_64, "skylake-avx512", "avx512"},
    {"icelake-server", Triple::x86_64, "icelake-server", "avx512vnni"},
    {"cooperlake", Triple::x86_64, "cooperlake", "avx512bf16"},
    {"sapphirerapids", Triple::x86_64, "sapphirerapids", "avx512bf16"},
    {"znver3", Triple::x86_64, "znver3", "avx2"},
    {"znver4", Triple::x86_64, "znver4", "avx512bf16"},
    {"neoverse-n1", Triple::aarch64, "neoverse-n1", "neoverse"},
    {"neoverse-v1", Triple::aarch64, "neoverse-v1", "neoverse-v1"},
    {"neoverse-v2", Triple::aarch64, "neoverse-v2", "neoverse"},
    {"a64fx", Triple::aarch64, "a64fx", "a64fx"},
    {"grace", Triple::aarch64, "grace", "grace"},
    {"cortex-a72", Triple::aarch64, "cortex-a72", "neon"},
    {"apple-m1", Triple::aarch64, "apple-m1", "apple"},
};

TEST(ProcessorTest, whatANameStandsFor) {
  for (const Known &expected : known) {
    SCOPED_TRACE(expected.name);
    Processor processor = lookup(expected.name);
    EXPECT_EQ(processor.arch, expected.arch);
    EXPECT_EQ(processor.cpu, expected.cpu);
    EXPECT_EQ(processor.unit.name, expected.unit);
  }
}

TEST(ProcessorTest, featuresOfTheUnit) {
  for (const Known &expected : known) {
    Processor processor = lookup(expected.name);
    ASSERT_EQ(processor.features.size(), processor.unit.features.size());
    for (auto [feature, name] :
         llvm::zip_equal(processor.features, processor.unit.features))
      EXPECT_EQ(feature, "+" + name.str()) << expected.name;
  }
}

TEST(ProcessorTest, descriptionsAreTheSameInIR) {
  MLIRContext context;
  context.loadDialect<DLTIDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  for (const Known &expected : known) {
    SCOPED_TRACE(expected.name);
    Processor processor = lookup(expected.name);
    CPUTarget target = getCPUTargetOf(processor, /*l1Bytes=*/0,
                                      /*l2Bytes=*/123 << 20);
    EXPECT_EQ(target.vectorBits, processor.unit.bits);
    EXPECT_EQ(target.l1Bytes, processor.unit.l1Bytes);
    EXPECT_EQ(target.l2Bytes, 123 << 20);
    // Replaces the one of the last processor.
    setCPUTarget(*module, target);
    FailureOr<CPUTarget> read = getCPUTarget(*module);
    ASSERT_TRUE(succeeded(read));
    for (const CPUTargetKey &key : getCPUTargetKeys())
      EXPECT_EQ((*read).*key.number, target.*key.number) << key.key.str();
    EXPECT_EQ(read->name, target.name);
    EXPECT_EQ(read->features, target.features);
  }
  removeCPUTarget(*module);
  EXPECT_FALSE((*module)->hasAttr(DLTIDialect::kTargetSystemDescAttrName));
}

TEST(ProcessorTest, thisMachine) {
  Processor host = lookup("host");
  EXPECT_NE(host.arch, Triple::UnknownArch);
  EXPECT_FALSE(host.cpu.empty());
  // It has what its unit takes.
  for (llvm::StringRef feature : host.unit.features)
    EXPECT_TRUE(llvm::is_contained(host.features, "+" + feature.str()))
        << feature.str();
}

TEST(ProcessorTest, unknownNames) {
  // Not one, none, one of 32 bits, of another architecture, LLVM's of none.
  for (llvm::StringRef name :
       {"avx1024", "", "pentium4", "i386", "cortex-m0", "pwr9", "native"}) {
    std::string error;
    EXPECT_TRUE(failed(lookupProcessor(name, error))) << name.str();
    EXPECT_NE(error.find("got '" + name.str() + "'"), std::string::npos)
        << error;
  }
}

} // namespace
