//===- Intrinsics.h - Tensor cores of NVIDIA GPUs ---------------*- C++ -*-===//
//
// Tables of the `mma.sync` and `wgmma` instructions, and the lowering of
// `vector_ext.mma` to `mma.sync`.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_INTRINSICS_H
#define MLIR_EXT_TARGET_NVGPU_INTRINSICS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"

#include <string>
#include <vector>

namespace mlir::nvgpu_ext {

/// Returns the dense `mma.sync` instructions. The fragments are those of the
/// PTX ISA ("Matrix Fragments for mma.m16n8k16 with floating point type").
///   - 16-bit inputs: `mma.sync.m16n8k16.f32.f16`, `...f32.bf16`, `...f16.f16`,
///     and `mma.sync.m16n8k8` of the same types;
///   - `mma.sync.m16n8k16.f32.f16.transposed` and `...f32.bf16.transposed`: the
///     same instructions with exchanged operands, for results of 8 rows and 16
///     columns;
///   - f32 inputs: `mma.sync.m16n8k8.f32.tf32`, and `...tf32x3`, which uses
///     three of these instructions and keeps nearly all bits of f32.
std::vector<vector_ext::MmaIntrinsic> getMmaSyncIntrinsics();

/// Returns the dense `mma.sync` instructions with operands of 8 bits,
/// `mma.sync.m16n8k32.f32.e4m3` and `...f32.e5m2` (PTX ISA, "Matrix Fragments for
/// mma.m16n8k32"). Chips of sm_89 and sm_12x have them; for other chips ptxas
/// makes conversions and products of f16 of them.
/// With `.transposed`, operands are exchanged, as above; the types of such names
/// are those of the instruction's operands.
std::vector<vector_ext::MmaIntrinsic> getMmaSyncF8Intrinsics();

/// Returns the dense `wgmma` instructions with f32 accumulators, A in registers
/// and B in shared memory: `wgmma.m64n<N>k16.f32.f16` and `...f32.bf16`, for
/// N = 8, 16, ... 256 (PTX ISA, "Register Fragments for
/// wgmma.mma_async.m64nNk16"). Four subgroups execute one. They are lowered
/// only as `vector_ext.async_mma`, which may also read A from shared memory.
std::vector<vector_ext::MmaIntrinsic> getWgmmaIntrinsics();

/// Returns the same for operands of 8 bits in any combination,
/// `wgmma.m64n<N>k32.f32.e4m3.e4m3`, `...e4m3.e5m2` and so on ("Register
/// Fragments for wgmma.mma_async.m64nNk32"). k must be contiguous in operands
/// in shared memory.
std::vector<vector_ext::MmaIntrinsic> getWgmmaF8Intrinsics();

/// Returns the same for integers of 8 bits in any combination of signs,
/// `mma.sync.m16n8k32.s32.s8.s8`, `...s8.u8` and so on, whose sums wrap around;
/// and `wgmma.m64n<N>k32.s32.s8.s8` and `...u8.u8`, with N = 8, 16, 24 or a
/// multiple of 16. (Those of two signs need PTX 8.4.)
std::vector<vector_ext::MmaIntrinsic> getMmaSyncI8Intrinsics();
std::vector<vector_ext::MmaIntrinsic> getWgmmaI8Intrinsics();

/// Returns whether `op` is a lowered `mma.sync`: an op of the dialect `nvgpu`,
/// or, with operands of 8 bits, assembly.
bool isMmaSync(Operation *op);

/// Registers all of these intrinsics, and those of `getFmaIntrinsics`, with the
/// dialect `vector_ext`.
void registerIntrinsics(DialectRegistry &registry);

/// Adds patterns that lower `vector_ext.mma` of an `mma.sync` intrinsic to
/// `nvgpu.mma.sync`, and `vector_ext.load_matrix` to `nvgpu.ldmatrix`.
void populateLowerMmaPatterns(RewritePatternSet &patterns);

/// The instructions by which lowerMath computes functions.
const linalg_ext::MathInstructions &getMathInstructions();

} // namespace mlir::nvgpu_ext

#endif // MLIR_EXT_TARGET_NVGPU_INTRINSICS_H
