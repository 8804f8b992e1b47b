//===- VectorUnit.h - Vector registers of AArch64 processors ----*- C++ -*-===//
//
// A line for each family of processors, or for one of them: all have NEON, some
// SVE of more than 128 bits, and their caches differ. SVE of 128 bits is taken
// as NEON.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
#define MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// Every unit that is known. The last one suits any processor.
llvm::ArrayRef<VectorUnit> getAArch64VectorUnits();

/// The unit of the processor that LLVM calls `cpu`, which has what `hasFeature`
/// says of those that have names in LLVM.
const VectorUnit &
getAArch64VectorUnit(llvm::StringRef cpu,
                     llvm::function_ref<bool(llvm::StringRef)> hasFeature);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
