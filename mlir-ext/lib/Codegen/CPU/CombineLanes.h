//===- CombineLanes.h - Lane reductions of several vectors ------*- C++ -*-===//
//
// Private to VectorizeBuffers. Reduces the lanes of several vectors at once,
// with fewer shuffles than one reduction for each vector.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H
#define MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext {

/// Reduces the lanes of each vector in `vectors` by `kind`. All vectors have
/// one type. The number of lanes is a power of two and at least the number of
/// vectors. Returns one vector with a result in each lane. `sources[lane]` is
/// the number of the vector that this result belongs to.
///
/// Shuffles interleave lanes in each part of `shuffleBits` bits. If a vector has
/// n parts, the results of vectors i and i + n are in adjacent lanes (i = 0 and
/// n = 4 with vectors of 512 bits and parts of 128).
///
/// Each round combines halves of two vectors into one vector. For 16 vectors of
/// 16 lanes this takes 30 shuffles and 15 combining ops. Separate reductions
/// take 64 of each.
Value combineLanes(OpBuilder &b, Location loc, vector::CombiningKind kind,
                   ArrayRef<Value> vectors, int64_t shuffleBits,
                   SmallVectorImpl<int64_t> &sources);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_COMBINELANES_H
