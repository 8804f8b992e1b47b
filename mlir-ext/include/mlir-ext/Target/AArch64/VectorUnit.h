//===- VectorUnit.h - Vector registers of AArch64 processors ----*- C++ -*-===//
//
// A table with one line for each family of processors, or for one processor. All
// have NEON, and they differ in their caches. Some have SVE registers of more
// than 128 bits. Processors with SVE of 128 bits are treated as NEON processors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
#define MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::linalg_ext {

/// Returns all units. The last one works for any AArch64 processor.
llvm::ArrayRef<VectorUnit> getAArch64VectorUnits();

/// Returns the unit of the processor with the LLVM name `cpu` (neoverse-n1,
/// apple-m1). `hasFeature` says which CPU features, with their LLVM names, the
/// processor has. Returns the last unit if the family is unknown.
const VectorUnit &
getAArch64VectorUnit(llvm::StringRef cpu,
                     llvm::function_ref<bool(llvm::StringRef)> hasFeature);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
