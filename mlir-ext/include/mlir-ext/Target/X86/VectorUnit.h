//===- VectorUnit.h - Vector registers of x86 processors --------*- C++ -*-===//
//
// A table with one line for each generation of vector instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_X86_VECTORUNIT_H
#define MLIR_EXT_TARGET_X86_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

namespace mlir::linalg_ext {

/// Returns all units, the widest first. The last one, "generic", needs no CPU
/// feature. It works for any processor with 128-bit vectors.
llvm::ArrayRef<VectorUnit> getX86VectorUnits();

/// Returns the unit with the name `name`, or nullptr.
const VectorUnit *lookupX86VectorUnit(llvm::StringRef name);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_X86_VECTORUNIT_H
