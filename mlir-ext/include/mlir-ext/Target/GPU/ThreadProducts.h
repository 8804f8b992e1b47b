//===- ThreadProducts.h - Products of f32 by threads ------------*- C++ -*-===//
//
// Products that each thread computes with `fma`, for GPUs whose matrix
// instructions do not multiply f32.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_THREADPRODUCTS_H
#define MLIR_EXT_TARGET_GPU_THREADPRODUCTS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace mlir::linalg_ext {

/// Returns products of f32 that each thread computes with `fma`, in the form of
/// instructions of 32 lanes: `fma.m4n<N>k4.f32` for N = 8, 16, 32.
std::vector<vector_ext::MmaIntrinsic> getFmaIntrinsics();

/// Adds a pattern that lowers `vector_ext.mma` of these to `math.fma`.
void populateLowerThreadProductsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_THREADPRODUCTS_H
