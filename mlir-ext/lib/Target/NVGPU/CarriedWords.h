//===- CarriedWords.h - What a loop has in registers ------------*- C++ -*-===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H
#define MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::linalg_ext {

/// The words of 32 bits of a value of `type`; those of an index are two.
inline int64_t getWords(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(
      bits * (vector ? vector.getNumElements() : int64_t(1)), 32);
}

/// The words of 32 bits that `loop` carries.
inline int64_t getCarriedWords(scf::ForOp loop) {
  int64_t words = 0;
  for (Type type : loop.getResultTypes())
    words += getWords(type);
  return words;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H
