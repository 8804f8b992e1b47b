//===- LowerMath.h - Math ops without a library -----------------*- C++ -*-===//
//
// Lowers math ops in kernels to the instructions of a GPU and to arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_LOWERMATH_H
#define MLIR_EXT_TARGET_GPU_LOWERMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::linalg_ext {

/// The LLVM intrinsics by which a GPU computes functions of f32. Each takes and
/// returns f32. Results within a few ulp are precise enough.
struct MathInstructions {
  /// 2^x. Subnormal results may be 0.
  StringRef exp2;
  /// The logarithm to base 2, also of subnormal numbers.
  StringRef log2;
  StringRef rsqrt, sqrt, reciprocal;
  /// The quotient of two operands.
  StringRef divide;
  /// Whether `rsqrt` takes subnormal numbers as 0.
  bool rsqrtFlushes = false;
  /// Builds whether a condition is true in all threads of a subgroup, all of
  /// which execute it. Null if the target has no instruction for that.
  Value (*all)(OpBuilder &, Location, Value) = nullptr;
  /// Whether there is an instruction for the maximum of three integers of 32
  /// bits, but none for three floats.
  bool hasMaxOfThreeIntegers = false;
};

/// Lowers the math ops and divisions of `module` to `instructions`, arithmetic,
/// and math ops that LLVM expands without a library. With `contract`, products
/// and sums of floats may become fused multiply-adds. With `exactDivision`,
/// divisions stay as they are. Fails, with an error, at a math op on f64 that
/// has no lowering.
LogicalResult lowerMath(gpu::GPUModuleOp module,
                        const MathInstructions &instructions, bool contract,
                        bool exactDivision);

/// Returns whether threads have registers for branches that compute the same
/// functions in different ways around `op`: the loop around it carries few
/// words in vectors.
bool hasRegistersForBranches(Operation *op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_LOWERMATH_H
