//===- VectorUnit.h - Vector registers of AArch64 processors ----*- C++ -*-===//
//
// A line for each generation of processors: all have NEON, and differ in their
// caches. Those with SVE are taken as NEON.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
#define MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

namespace mlir::linalg_ext {

/// Every unit that is known. The last one suits any processor.
llvm::ArrayRef<VectorUnit> getAArch64VectorUnits();

/// The unit of the processor that LLVM calls `cpu`.
const VectorUnit &getAArch64VectorUnit(llvm::StringRef cpu);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_AARCH64_VECTORUNIT_H
