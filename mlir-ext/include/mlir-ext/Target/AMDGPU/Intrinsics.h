//===- Intrinsics.h - Matrix cores of AMD GPUs ------------------*- C++ -*-===//
//
// The MFMA and WMMA instructions as data.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
#define MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::amdgpu_ext {

/// The dense MFMA instructions of CDNA3 with f32 accumulators, of subgroups of
/// 64 lanes: `mfma.m16n16k16.f32.f16`, `mfma.m32n32k8.f32.f16`, and those of
/// bf16 (CDNA3 ISA, "Matrix Arithmetic Instructions"). A product computed
/// transposed leaves its result as the next product's B: the layouts of C and
/// of B of the first are the same.
std::vector<vector_ext::MmaIntrinsic> getMfmaIntrinsics();

/// The WMMA instructions of RDNA3 with f32 accumulators, of subgroups of 32
/// lanes: `wmma.m16n16k16.f32.f16` and `...f32.bf16` (RDNA3 ISA, "WMMA"). Lanes
/// 16 to 31 hold copies of A and B.
std::vector<vector_ext::MmaIntrinsic> getWmmaIntrinsics();

/// Makes them known to the dialect `vector_ext`.
void registerIntrinsics(DialectRegistry &registry);

} // namespace mlir::amdgpu_ext

#endif // MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
