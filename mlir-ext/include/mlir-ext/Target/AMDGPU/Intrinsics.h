//===- Intrinsics.h - Matrix cores of AMD GPUs ------------------*- C++ -*-===//
//
// Tables of the MFMA and WMMA instructions. They have no lowering yet.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
#define MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::amdgpu_ext {

/// Returns the dense MFMA instructions of CDNA3 with f32 accumulators, for
/// subgroups of 64 lanes: `mfma.m16n16k16.f32.f16`, `mfma.m32n32k8.f32.f16`,
/// and the same with bf16 (CDNA3 ISA, "Matrix Arithmetic Instructions"). In the
/// first one, C and B have the same layout. The result of a transposed product
/// can therefore be the B operand of the next product without data movement.
std::vector<vector_ext::MmaIntrinsic> getMfmaIntrinsics();

/// Returns the WMMA instructions of RDNA3 with f32 accumulators, for subgroups
/// of 32 lanes: `wmma.m16n16k16.f32.f16` and `...f32.bf16` (RDNA3 ISA, "WMMA").
/// Lanes 16 to 31 hold copies of A and B.
std::vector<vector_ext::MmaIntrinsic> getWmmaIntrinsics();

/// Registers these intrinsics with the dialect `vector_ext`.
void registerIntrinsics(DialectRegistry &registry);

} // namespace mlir::amdgpu_ext

#endif // MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
