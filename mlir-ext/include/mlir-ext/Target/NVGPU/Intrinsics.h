//===- Intrinsics.h - Tensor cores of NVIDIA GPUs ---------------*- C++ -*-===//
//
// The `mma.sync` and `wgmma` instructions as data, and what makes
// `vector_ext.mma` one.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_INTRINSICS_H
#define MLIR_EXT_TARGET_NVGPU_INTRINSICS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nvgpu_ext {

/// The dense `mma.sync` instructions, as the PTX ISA documents their fragments
/// ("Matrix Fragments for mma.m16n8k16 with floating point type"):
/// `mma.sync.m16n8k16.f32.f16`, `...f32.bf16`, `...f16.f16`, and
/// `mma.sync.m16n8k8` of the same types. Of f32 there are
/// `mma.sync.m16n8k8.f32.tf32`, and `...tf32x3`, three of these for nearly all
/// bits of f32.
std::vector<vector_ext::MmaIntrinsic> getMmaSyncIntrinsics();

/// The dense `wgmma` instructions with f32 accumulators, A in registers and B
/// in shared memory: `wgmma.m64n<N>k16.f32.f16` and `...f32.bf16`, for N = 8,
/// 16, ... 256 (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16").
/// They are of four subgroups. There is no lowering of them yet.
std::vector<vector_ext::MmaIntrinsic> getWgmmaIntrinsics();

/// Products of f32 by threads, as if they were instructions of a subgroup:
/// `fma.m4n<N>k4.f32` for N = 8, 16, 32.
std::vector<vector_ext::MmaIntrinsic> getFmaIntrinsics();

/// Makes them all known to the dialect `vector_ext`.
void registerIntrinsics(DialectRegistry &registry);

/// `vector_ext.mma` of `mma.sync` to `nvgpu.mma.sync`, of `fma` to `math.fma`,
/// `vector_ext.load_matrix` to `nvgpu.ldmatrix`.
void populateLowerMmaPatterns(RewritePatternSet &patterns);

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_TARGET_NVGPU_INTRINSICS_H
