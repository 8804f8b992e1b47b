//===- CarriedWords.h - Registers of loop-carried values --------*- C++ -*-===//
//
// Estimates the registers of a thread that the iter_args of a loop occupy.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H
#define MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::linalg_ext {

/// Returns the size of a value of `type` in words of 32 bits. An index has 64
/// bits.
inline int64_t getWords(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(
      bits * (vector ? vector.getNumElements() : int64_t(1)), 32);
}

/// Returns the size of all iter_args of `loop` in words of 32 bits.
inline int64_t getCarriedWords(scf::ForOp loop) {
  int64_t words = 0;
  for (Type type : loop.getResultTypes())
    words += getWords(type);
  return words;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_NVGPU_CARRIEDWORDS_H
