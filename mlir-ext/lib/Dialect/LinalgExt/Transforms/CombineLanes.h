//===- CombineLanes.h - Lanes of several vectors, combined ------*- C++ -*-===//
//
// Private to VectorizeBuffers.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_COMBINELANES_H
#define LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_COMBINELANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {

/// Combines the lanes of each of `vectors`, of one type with a power of two of
/// lanes, no fewer than there are vectors. Returns a vector, and in `sources`
/// which of `vectors` each lane of it is the result of.
///
/// Shuffles interleave lanes in each part of `shuffleBits`. With P parts,
/// vectors whose numbers differ by P lie side by side (numbers 0 and 4, with
/// vectors of 512 bits and parts of 128).
///
/// Half of two vectors is as much as one: with 16 vectors of 16 lanes this
/// takes 30 shuffles and 15 operations, where one by one they take 64 of each.
Value combineLanes(OpBuilder &b, Location loc, vector::CombiningKind kind,
                   ArrayRef<Value> vectors, int64_t shuffleBits,
                   SmallVectorImpl<int64_t> &sources);

} // namespace mlir::linalg_ext

#endif // LINALG_EXT_DIALECT_LINALGEXT_TRANSFORMS_COMBINELANES_H
