//===- Processor.cpp - Target processor of the CPU pipeline ---------------===//
//
// See Processor.h. LLVM provides the features of a processor. The tables in
// Target/ provide the vector unit that these features allow.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/Processor.h"
#include "mlir-ext/Target/AArch64/VectorUnit.h"
#include "mlir-ext/Target/X86/VectorUnit.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::Triple;

/// Returns the widest of x86's vector units whose features `hasFeature`
/// confirms.
static const VectorUnit &
getX86VectorUnit(llvm::function_ref<bool(StringRef)> hasFeature) {
  return *llvm::find_if(getX86VectorUnits(), [&](const VectorUnit &unit) {
    return llvm::all_of(unit.features, hasFeature);
  });
}

/// Returns LLVM's description of `cpu`, or nullptr if LLVM has no such name for
/// `arch`.
static std::unique_ptr<llvm::MCSubtargetInfo>
getSubtarget(Triple::ArchType arch, StringRef cpu) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargetMCs();
  });
  Triple triple(Triple::getArchTypeName(arch), "unknown", "linux", "gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  // Start from a description without a name, because LLVM warns about unknown
  // names.
  std::unique_ptr<llvm::MCSubtargetInfo> any(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!any || cpu.empty() || !any->isCPUStringValid(cpu))
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, ""));
}

static std::vector<std::string> getFeaturesOf(const VectorUnit &unit) {
  std::vector<std::string> features;
  for (StringRef feature : unit.features)
    features.push_back("+" + feature.str());
  return features;
}

static Processor getHost() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  Processor host;
  host.arch = Triple(llvm::sys::getDefaultTargetTriple()).getArch();
  host.cpu = llvm::sys::getHostCPUName().str();
  auto hasFeature = [&](StringRef feature) { return features.lookup(feature); };
  if (host.arch == Triple::aarch64)
    host.unit = getAArch64VectorUnit(host.cpu, hasFeature);
  else if (host.arch == Triple::x86_64)
    host.unit = getX86VectorUnit(hasFeature);
  else
    host.unit = *lookupX86VectorUnit("generic");
  // List all features: a virtual machine may hide some that its processor has.
  for (const auto &feature : features)
    host.features.push_back((feature.second ? "+" : "-") +
                            feature.first().str());
  llvm::sort(host.features);
  return host;
}

FailureOr<Processor> mlir::linalg_ext::lookupProcessor(StringRef name,
                                                       std::string &error) {
  if (name == "host")
    return getHost();
  if (name == "generic") {
    Processor any;
    any.unit = *lookupX86VectorUnit("generic");
    return any;
  }
  // For x86, a unit stands for the smallest processor that has it.
  if (const VectorUnit *unit = lookupX86VectorUnit(name)) {
    Processor least;
    least.unit = *unit;
    least.arch = Triple::x86_64;
    least.cpu = unit->avx512 ? "x86-64-v4" : "x86-64-v3";
    least.features = getFeaturesOf(*unit);
    return least;
  }
  for (Triple::ArchType arch : {Triple::x86_64, Triple::aarch64}) {
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget = getSubtarget(arch, name);
    if (!subtarget)
      continue;
    auto hasFeature = [&](StringRef feature) {
      return subtarget->checkFeatures(("+" + feature).str());
    };
    // 32-bit processors have names, too.
    if (arch == Triple::x86_64 && !hasFeature("64bit"))
      continue;
    Processor processor;
    processor.arch = arch;
    processor.cpu = name.str();
    processor.unit = arch == Triple::aarch64
                         ? getAArch64VectorUnit(name, hasFeature)
                         : getX86VectorUnit(hasFeature);
    processor.features = getFeaturesOf(processor.unit);
    return processor;
  }
  error = "expected generic, host, avx2, avx512, avx512vnni, avx512bf16 or an "
          "x86-64 or "
          "AArch64 processor that LLVM knows (x86-64-v3, neoverse-n1, ...), "
          "got '" +
          name.str() + "'";
  return failure();
}

CPUTarget mlir::linalg_ext::getCPUTargetOf(const Processor &processor,
                                           int64_t l1Bytes, int64_t l2Bytes) {
  const VectorUnit &unit = processor.unit;
  CPUTarget target;
  target.vectorBits = unit.bits;
  target.vectorRegisters = unit.registers;
  target.shuffleBits = unit.sve ? unit.bits : 128;
  target.convertsF16 = unit.f16;
  target.broadcastsF16 =
      unit.f16 && processor.arch == llvm::Triple::x86_64;
  target.avx512 = unit.avx512;
  target.dotBF16 = unit.dotBF16;
  target.byteDot = static_cast<int64_t>(unit.byteDot);
  target.sve = unit.sve;
  target.l1Bytes = l1Bytes > 0 ? l1Bytes : unit.l1Bytes;
  target.l2Bytes = l2Bytes > 0 ? l2Bytes : unit.l2Bytes;
  target.name = processor.cpu;
  target.features.assign(processor.features.begin(), processor.features.end());
  return target;
}
