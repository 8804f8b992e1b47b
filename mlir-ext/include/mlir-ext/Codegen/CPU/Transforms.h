//===- Transforms.h - Vectors and threads -----------------------*- C++ -*-===//
//
// The C++ entry points behind the passes and transform ops of this directory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H
#define MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::linalg_ext {

/// Transposes the operand of `op`, a contraction in a loop, that the loop does
/// not change, so that vector lanes lie along the rows of that operand. The
/// transpose is in front of the loop. Swaps the dimensions of the result of
/// `op`, and of elementwise results that depend on it. If their number is
/// static, there must be at least `minLanes` rows. Fails otherwise, with a
/// reason in `notifyMatchFailure`.
LogicalResult transposeTiles(RewriterBase &rewriter, linalg::LinalgOp op,
                             int64_t minLanes);

/// Transposes the operand of `op`, a contraction, that is strided along the
/// last dimension of the result. The transpose is in front of the outermost
/// loop that does not change the operand. Fails, with a reason in
/// `notifyMatchFailure`, if there is no such operand, if `op` extends its
/// elements, or if fewer than `minRows` rows of the other operand use it. A
/// dynamic number of rows is always enough.
LogicalResult transposeStridedOperand(RewriterBase &rewriter,
                                      linalg::LinalgOp op, int64_t minRows);

/// Adds transposeTiles, and transposeStridedOperand with 2 `minLanes` rows, as
/// patterns. The first has priority.
void populateTransposeTilesPatterns(RewritePatternSet &patterns,
                                    int64_t minLanes);

struct VectorizeBuffersOptions {
  /// Width of a vector register in bits, and number of vector registers.
  int64_t vectorBits = 512;
  int64_t numRegisters = 32;
  /// Use x86's `vdpbf16ps` (AVX512-BF16), which adds products of pairs of bf16
  /// to f32.
  bool dotBF16 = false;
};

/// Replaces `op`, which must be on buffers, by loops over register tiles of
/// vectors. Fails, with a reason in `notifyMatchFailure`, if `op` cannot be
/// vectorised. The LLVM dialect must be loaded, for fences, and x86vector for
/// `dotBF16`.
LogicalResult vectorizeBuffers(RewriterBase &rewriter, linalg::LinalgOp op,
                               const VectorizeBuffersOptions &options);

/// Sizes of the pieces of a structured op that CPU threads share.
struct TileToThreadsOptions {
  /// Iterations that a piece should have, since starting a piece costs about a
  /// microsecond. A contraction has eight times as many.
  int64_t minWork = 16384;
  /// Size of a piece of a contraction: rows (dimensions of the left operand
  /// alone) and columns (dimensions of the right operand alone) of the result.
  int64_t rows = 128;
  int64_t columns = 128;
};

/// Replaces `op`, which must be on buffers, by an `scf.forall` over tiles of
/// its parallel dimensions. If a fill initialises the output of `op` alone,
/// each piece fills its part. The pieces depend on `op` and `options` only, not
/// on the machine. Fails, with the reason in `reason` and the IR unchanged, on
/// tensors, or if `op` would be a single piece.
FailureOr<scf::ForallOp> tileToThreads(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const TileToThreadsOptions &options,
                                       std::string &reason);

/// Replaces exp, tanh and erf of f32 by polynomials, and computes those of f16
/// and bf16 in f32. `avx512` allows instructions of x86's AVX-512F and
/// AVX-512DQ.
void populateApproximateMathPatterns(RewritePatternSet &patterns,
                                     bool avx512 = false);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H
