//===- ElementBits.h - Bits of elements -------------------------*- C++ -*-===//
//
// How many bits elements of tensors, vectors and memory have.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_ELEMENTBITS_H
#define MLIR_EXT_SUPPORT_ELEMENTBITS_H

#include "mlir/IR/TypeUtilities.h"

namespace mlir::linalg_ext {

/// The number of bits of `type`, or of an element of it if it is shaped: an
/// integer, a float or an index, which has 64.
inline int64_t getElementBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// The same in memory, where a boolean has a byte.
inline int64_t getStoredBits(Type type) {
  int64_t bits = getElementBits(type);
  return bits == 1 ? 8 : bits;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_ELEMENTBITS_H
