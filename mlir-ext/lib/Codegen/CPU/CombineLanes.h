//===- CombineLanes.h - Lanes of several vectors, combined ------*- C++ -*-===//
//
// Private to VectorizeBuffers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H
#define MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {

/// Combines the lanes of each of `vectors`, of one type with a power of two of
/// lanes, no fewer than there are vectors. Returns a vector, and in `sources`
/// which of `vectors` each lane of it is the result of.
///
/// Vectors whose numbers differ in the bit that follows those of the 128 bits of
/// a vector (numbers 0 and 4, with vectors of 512 bits) lie side by side.
///
/// Half of two vectors is as much as one: with 16 vectors of 16 lanes this takes
/// 30 shuffles and 15 operations, where one by one they take 64 of each.
Value combineLanes(OpBuilder &b, Location loc, vector::CombiningKind kind,
                   ArrayRef<Value> vectors, SmallVectorImpl<int64_t> &sources);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H
