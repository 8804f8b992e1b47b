//===- Intrinsics.h - Matrix cores of AMD GPUs ------------------*- C++ -*-===//
//
// Tables of the MFMA and WMMA instructions, and the lowering of
// `vector_ext.mma` to them.
//
// Each instruction has a *transposed* form, whose name ends in ".transposed".
// It computes D = A * B as D^T = B^T * A^T, by the same instruction with its
// operands swapped. The fragments of A and B stay the same, and those of C and
// D are transposed. Except on gfx11, they are then fragments of A, so that the
// result of one product is an operand of the next one as it is.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
#define MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H

#include "mlir-ext/Dialect/VectorExt/IR/MmaIntrinsic.h"
#include "mlir-ext/Target/GPU/LowerMath.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <vector>

namespace mlir::amdgpu_ext {

/// Returns the dense MFMA instructions of CDNA with f32 accumulators, for
/// subgroups of 64 lanes (CDNA3 and CDNA4 ISA, "Matrix Arithmetic
/// Instructions"). `<type>` is f16 or bf16:
///   - `mfma.m16n16k16.f32.<type>` and `mfma.m32n32k8.f32.<type>`;
///   - of gfx950, `mfma.m16n16k32.f32.<type>` and `mfma.m32n32k16.f32.<type>`;
///   - the last two with `.interleaved`: the same instructions. The products of
///     a sum are numbered differently, in both operands. Two transposed results
///     side by side are then a fragment of A;
///   - `mfma.m16n16k16.f32.f32`: four instructions of k = 4;
///   - of signed integers of 8 bits, with i32 accumulators:
///     `mfma.m16n16k16.i32.i8`, of gfx942 `mfma.m16n16k32.i32.i8`, and of
///     gfx950 `mfma.m16n16k64.i32.i8`.
std::vector<vector_ext::MmaIntrinsic> getMfmaIntrinsics();

/// Returns the WMMA instructions of RDNA with f32 accumulators, for subgroups
/// of 32 lanes (RDNA3 and RDNA4 ISA, "WMMA"). `<type>` is f16 or bf16:
///   - of gfx11, `wmma.m16n16k16.f32.<type>`. Lanes 16 to 31 hold copies of A
///     and B;
///   - of gfx12, `wmma.gfx12.m16n16k16.f32.<type>`;
///   - of integers of 8 bits, with i32 accumulators, the same with
///     `i32.<signs>`: `s8.s8`, `s8.u8`, `u8.s8` and `u8.u8`.
std::vector<vector_ext::MmaIntrinsic> getWmmaIntrinsics();

/// The op that an intrinsic becomes.
struct MatrixInstruction {
  /// `amdgpu.wmma`; otherwise `amdgpu.mfma`.
  bool isWmma;
  /// The shape of one op. An intrinsic with a larger `k` becomes several ops.
  int64_t m, n, k;
  /// The operands are swapped.
  bool isTransposed;
};

/// Returns the op that the intrinsic `name` becomes, or std::nullopt if `name`
/// is not an intrinsic of AMD.
std::optional<MatrixInstruction> lookupMatrixInstruction(StringRef name);

/// Registers these intrinsics and those of `getFmaIntrinsics` with the dialect
/// `vector_ext`. Also registers loads through descriptors of buffers
/// (`amdgpu.fat_raw_buffer_cast`), and for gfx950 transposing loads
/// (`amdgpu.transpose_load`) and copies to LDS (`amdgpu.gather_to_lds`).
void registerIntrinsics(DialectRegistry &registry);

/// Adds patterns that lower `vector_ext.mma` of these intrinsics to `amdgpu.mfma`
/// and `amdgpu.wmma`.
void populateLowerMmaPatterns(RewritePatternSet &patterns);

/// The instructions by which lowerMath computes functions.
const linalg_ext::MathInstructions &getMathInstructions();

} // namespace mlir::amdgpu_ext

#endif // MLIR_EXT_TARGET_AMDGPU_INTRINSICS_H
