//===- VectorUnit.cpp - Vector registers of AArch64 -----------------------===//
//
// The table of processor families. If several cores share an L2 cache, the
// table has the part of one core.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AArch64/VectorUnit.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::StringRef;

static const StringRef neonFeatures[] = {"neon"};

static const VectorUnit units[] = {
    {"neoverse", 128, 32, true, false, false, neonFeatures, 64 << 10, 1 << 20},
    {"apple", 128, 32, true, false, false, neonFeatures, 128 << 10, 3 << 20},
    {"neon", 128, 32, true, false, false, neonFeatures, 32 << 10, 512 << 10},
};

ArrayRef<VectorUnit> mlir::linalg_ext::getAArch64VectorUnits() { return units; }

const VectorUnit &mlir::linalg_ext::getAArch64VectorUnit(StringRef cpu) {
  // LLVM's names say the family first: neoverse-n1, apple-m1.
  const VectorUnit *unit = llvm::find_if(units, [&](const VectorUnit &unit) {
    return cpu.split('-').first == unit.name;
  });
  return unit == std::end(units) ? units[std::size(units) - 1] : *unit;
}
