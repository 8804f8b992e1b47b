//===- VectorUnit.h - Vector registers of x86 processors --------*- C++ -*-===//
//
// A line for each generation of vector instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_X86_VECTORUNIT_H
#define MLIR_EXT_TARGET_X86_VECTORUNIT_H

#include "mlir-ext/Target/CPU/VectorUnit.h"

namespace mlir::linalg_ext {

/// Every unit that is known, widest first. The last one, "generic", takes no
/// feature; it suits any processor with vectors of 128 bits.
llvm::ArrayRef<VectorUnit> getX86VectorUnits();

/// The unit of that name, or nullptr.
const VectorUnit *lookupX86VectorUnit(llvm::StringRef name);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_X86_VECTORUNIT_H
