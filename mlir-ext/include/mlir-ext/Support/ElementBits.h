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

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_ELEMENTBITS_H
