//===- VectorUnit.h - Vector registers of AArch64 processors ----*- C++ -*-===//
//
// A table with one line for each family of processors. All have NEON, and they
// differ in their caches. Processors with SVE are treated as NEON processors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
#define MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

namespace mlir::linalg_ext {

/// Returns all units. The last one works for any AArch64 processor.
llvm::ArrayRef<VectorUnit> getAArch64VectorUnits();

/// Returns the unit of the processor with the LLVM name `cpu` (neoverse-n1,
/// apple-m1). Returns the last unit if the family is unknown.
const VectorUnit &getAArch64VectorUnit(llvm::StringRef cpu);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
