//===- VectorUnit.cpp - Vector registers of AArch64 -----------------------===//
//
// The table of processors. If several cores share an L2 cache, the table has the
// part of one core. LLVM knows which processors have SVE, but not the width of
// its registers. The manufacturers give it:
//
// - Arm Neoverse V1 Core Technical Reference Manual, 101427: a vector length of
//   256 bits. Those of N2 (102099) and V2 (102375) say 128 bits, like all other
//   Arm cores with SVE2.
// - Fujitsu, A64FX Microarchitecture Manual: 512 bits; 12 cores share 8 MiB.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AArch64/VectorUnit.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::StringRef;

static const StringRef neonFeatures[] = {"neon"};
static const StringRef dotFeatures[] = {"neon", "dotprod"};
static const StringRef sveFeatures[] = {"neon", "sve"};

// The line of a processor comes before the line of its family.
static const VectorUnit units[] = {
    {"neoverse-v1", 256, 32, true, true, false, false, ByteDot::None, true,
     sveFeatures, 64 << 10, 1 << 20},
    {"a64fx", 512, 32, true, true, false, false, ByteDot::None, true,
     sveFeatures, 64 << 10, 512 << 10},
    {"neoverse", 128, 32, true, true, false, false, ByteDot::SignedFours, false,
     dotFeatures, 64 << 10, 1 << 20},
    // Grace has Neoverse V2 cores.
    {"grace", 128, 32, true, true, false, false, ByteDot::SignedFours, false,
     dotFeatures, 64 << 10, 1 << 20},
    {"apple", 128, 32, true, true, false, false, ByteDot::None, false,
     neonFeatures, 128 << 10, 3 << 20},
    {"neon", 128, 32, true, true, false, false, ByteDot::None, false,
     neonFeatures, 32 << 10, 512 << 10},
};

ArrayRef<VectorUnit> mlir::linalg_ext::getAArch64VectorUnits() { return units; }

const VectorUnit &mlir::linalg_ext::getAArch64VectorUnit(
    StringRef cpu, llvm::function_ref<bool(StringRef)> hasFeature) {
  // LLVM's names begin with the family, as in neoverse-n1 and apple-m1.
  const VectorUnit *unit = llvm::find_if(units, [&](const VectorUnit &unit) {
    return (cpu == unit.name || cpu.split('-').first == unit.name) &&
           (!unit.sve || hasFeature("sve"));
  });
  return unit == std::end(units) ? units[std::size(units) - 1] : *unit;
}
