//===- Transforms.h - Vectors and threads -----------------------*- C++ -*-===//
//
// C++ entry points of the passes and transform ops of this directory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H
#define MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::linalg_ext {

/// Transposes the loop-invariant operand of `op`, a contraction in a loop, so
/// that vector lanes lie along the rows of that operand. Inserts the transpose
/// before the loop. Swaps the dimensions of the result of `op`, and of
/// elementwise results that depend on it. Fails, with a reason in
/// `notifyMatchFailure`, if this is not possible, or if the operand has fewer
/// than `minLanes` rows. A dynamic number of rows is always enough.
LogicalResult transposeTiles(RewriterBase &rewriter, linalg::LinalgOp op,
                             int64_t minLanes);

/// Transposes the operand of `op`, a contraction, that is strided along the
/// last dimension of the result. Inserts the transpose before the outermost
/// loop in which this operand is invariant. If an elementwise op computes the
/// operand for `op` alone, such as weights that it dequantizes, that op writes
/// its result in the other order instead, if more than kFewRows rows use it.
/// `op` may have more than two operands, and multiply more than two elements,
/// if one of the operands lies along the last dimension of the result. The
/// elements of a group then count as rows.
/// Fails, with a reason in `notifyMatchFailure`, if there is no such operand,
/// if `op` extends its elements, or if fewer than `minRows` rows of the other
/// operand use it. A dynamic number of rows is always enough.
LogicalResult transposeStridedOperand(RewriterBase &rewriter,
                                      linalg::LinalgOp op, int64_t minRows);

/// Adds transposeTiles and transposeStridedOperand as patterns. `minRows` of
/// the latter is 2 * `minLanes`. The former has priority.
void populateTransposeTilesPatterns(RewritePatternSet &patterns,
                                    int64_t minLanes);

/// Converts the rows of `op` to f32 before it. `op` must be a contraction in
/// f32 of at most `mostRows` rows, whose elements are floats of less than 32
/// bits. It would otherwise extend them again for each of many columns. The
/// conversion is outside of the loops in which the rows are invariant. If no
/// other op reads the rows, the op that computes them returns f32 instead. With
/// `dotBF16`, products of two operands of bf16 are left alone. Fails, with a
/// reason in `notifyMatchFailure`, if there are no such rows.
LogicalResult widenRows(RewriterBase &rewriter, linalg::LinalgOp op,
                        int64_t mostRows, bool dotBF16);

/// Lets `op`, a sum of f32, compute in f32 what it dequantizes in f16 or bf16
/// from integers or floats of at most 8 bits. The roundings between are left
/// out. Fails, with a reason in `notifyMatchFailure`, if there is no such
/// value.
LogicalResult widenTerms(RewriterBase &rewriter, linalg::LinalgOp op);

/// Lets the elementwise op of which `op` merges the last two dimensions compute
/// the merged dimension. The last one is parts of the words that it unpacks, a
/// power of two of at most 32. Fails, with a reason in `notifyMatchFailure`, if
/// there is no such op, or if it reads both dimensions of an input in another
/// order.
LogicalResult mergeParts(RewriterBase &rewriter, tensor::CollapseShapeOp op);

/// Lets the elementwise op that dequantizes an operand of `op`, a contraction
/// in f32, to f16 or bf16 compute it in f32, as `widenTerms` does, and extends
/// the other operand in front of `op`. With `dotBF16`, operands of bf16 are
/// left alone if `op` has one sum. Fails, with a reason in
/// `notifyMatchFailure`, if there is no such operand.
LogicalResult widenDequantized(RewriterBase &rewriter, linalg::LinalgOp op,
                               bool dotBF16);

struct SplitOffsetsOptions {
  /// Whether unsigned integers of at most 4 bits are centered at 0.
  bool centers = false;
  /// Columns are tiled so that what a tile reads for its offsets has at most so
  /// many bytes.
  int64_t cacheBytes = 32 << 10;
};

/// Splits `op`, a sum of products of at most 8 rows with dequantized numbers,
/// if each group of these has something added to it or subtracted from it: zero
/// points. They multiply the sums of the rows over each group, which are
/// computed outside of the loops in which the rows are invariant. Fails, with a
/// reason in `notifyMatchFailure`, if there are no such numbers, if they are not
/// computed of integers of about 8 bits, if a group has fewer than 16, or if
/// there are fewer than 64 columns.
LogicalResult splitOffsets(RewriterBase &rewriter, linalg::LinalgOp op,
                           const SplitOffsetsOptions &options);

/// Lets `op`, a contraction, convert unpacked integers of at most 4 bits and
/// their zero points to f32 before it subtracts them. Fails if there are none,
/// or if a zero point may be too large.
LogicalResult subtractFloats(RewriterBase &rewriter, linalg::LinalgOp op);

/// Lets `op`, a contraction of at most `mostRows` rows that unpacks one or two
/// integers from each byte, read words of 4 bytes. The bytes of a word become a
/// reduction dimension, and the other operand is transposed to that order.
/// `lanes` words may be of several groups, if what differs from group to group
/// is a factor. Fails, with a reason in `notifyMatchFailure`, if `lanes` words
/// neither divide the contiguous bytes nor have several groups, or if there are
/// fewer than 64 columns.
LogicalResult readWords(RewriterBase &rewriter, linalg::LinalgOp op,
                        int64_t lanes, int64_t mostRows);

struct PackTilesOptions {
  /// The least number of rows of the other operand for which a tile is copied.
  /// A dynamic number is always enough.
  int64_t minRows = 32;
  /// A tile is copied only if it has at least `minBytes` bytes (the L1 cache
  /// does not hold it), and the whole tensor at least `minWholeBytes` bytes
  /// (the L2 cache does not hold it). Unknown numbers are always enough.
  int64_t minBytes = 0, minWholeBytes = 0;
};

/// Copies a tile of the operand of `op`, a contraction, whose last dimension is
/// that of the result. The tile must be a part of a tensor with longer rows,
/// and these rows must have a multiple of 512 bytes or an unknown length.
/// Fails, with a reason in `notifyMatchFailure`, if there is no such operand,
/// if `op` extends its elements, if an `scf.for` around `op` computes the other
/// operand (as in attention), or if `options` exclude the tile.
LogicalResult packTile(RewriterBase &rewriter, linalg::LinalgOp op,
                       const PackTilesOptions &options);

/// Adds packTile as a pattern.
void populatePackTilesPatterns(RewritePatternSet &patterns,
                               const PackTilesOptions &options);

/// Returns the largest number of rows of a contraction that is limited by
/// memory. Such a contraction reads its other operand once, in the order of
/// memory, for all rows together.
int64_t getMostFewRows(int64_t numRegisters);

/// Tiles `op`, a contraction of rows that `linalg_ext.paged_gather` gathers, by
/// pages. If the rows of a tile are one slice of the pool, the tile reads them
/// from there, without a copy. If pages have few rows, or an unknown number, a
/// tile has as many gathered rows as the L1 cache holds. If in addition at most
/// `fewRows` rows of the other operand use each row of a page, and all gathered
/// rows exist, `op` reads the rows in place, by a list of their positions.
/// Fails, with a reason in `notifyMatchFailure`, if `op` reads rows of several
/// sequences, if sizes are not known, or if tiles would have few rows.
LogicalResult tileToPages(RewriterBase &rewriter, linalg::LinalgOp op,
                          int64_t fewRows);

/// Replaces `gather` by loops that copy its rows one by one, each as one slice
/// of the pool. Returns the outermost loop. Fails, with a reason in
/// `notifyMatchFailure`, on buffers, or if the rows are empty or not contiguous
/// in the pool and in the result.
FailureOr<scf::ForOp> gatherByRows(RewriterBase &rewriter,
                                   PagedGatherOp gather);

/// Instructions that multiply integers of 8 bits, and add products of
/// neighbours to a sum of 32 bits: none, x86's `pmaddwd` (pairs, extended to 16
/// bits), x86's `vpdpbusd` (fours of unsigned and of signed bytes), AArch64's
/// `sdot` (fours of signed bytes).
enum class ByteProducts { None, Pairs, Fours, SignedFours };

struct VectorizeBuffersOptions {
  /// Width of a vector register in bits, and number of vector registers.
  int64_t vectorBits = 512;
  int64_t numRegisters = 32;
  /// Use the x86 instruction `vdpbf16ps` (AVX512-BF16). It multiplies pairs of
  /// bf16 and adds both products to an f32.
  bool dotBF16 = false;
  ByteProducts byteProducts = ByteProducts::None;
  /// The part of a vector, in bits, in which one instruction interleaves the
  /// lanes of two vectors: 128 (SSE to AVX-512, NEON), or the whole vector
  /// (SVE).
  int64_t shuffleBits = 128;
  /// Broadcast an f16 that all lanes share before it is extended to f32.
  bool broadcastF16 = false;
  /// The size of the first cache.
  int64_t cacheBytes = 48 << 10;
  /// An instruction looks up integers of 4 bits in a register.
  bool looksUp = false;
  /// Multiply integers of 4 and 8 bits by digits of a row (DigitProduct.h), or
  /// in parts of words (FourBitProduct.h). Both round the row in another way
  /// than the program.
  bool excessPrecision = true;
};

/// Replaces `op`, which must be on buffers, by loops over register tiles of
/// vectors. Fails, with a reason in `notifyMatchFailure`, if `op` cannot be
/// vectorised. The LLVM dialect must be loaded (for fences), and the x86vector
/// dialect for `dotBF16`.
LogicalResult vectorizeBuffers(RewriterBase &rewriter, linalg::LinalgOp op,
                               const VectorizeBuffersOptions &options);

/// Sizes of the pieces that a structured op is divided into for CPU threads.
struct TileToThreadsOptions {
  /// Iterations that a piece should have, because starting a piece costs about
  /// a microsecond. A piece of a contraction should have eight times as many.
  int64_t minWork = 16384;
  /// Size of a piece of a contraction: rows (dimensions of the left operand
  /// alone) and columns (dimensions of the right operand alone) of the result.
  int64_t rows = 128;
  int64_t columns = 128;
};

/// Replaces `op`, which must be on buffers, by an `scf.forall` over tiles of
/// its parallel dimensions. If a fill initialises the output of `op` alone,
/// each piece fills its part. The pieces depend on `op` and `options` only, not
/// on the machine. Fails, with the reason in `refusal` and the IR unchanged, on
/// tensors, or if `op` would be a single piece.
FailureOr<scf::ForallOp> tileToThreads(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const TileToThreadsOptions &options,
                                       Refusal &refusal);

/// Calls tileToThreads for each structured op and copy below `scope` that is in
/// no loop.
void tileAllToThreads(RewriterBase &rewriter, Operation *scope);

/// Replaces exp, tanh and erf of f32 by polynomials, and computes those of f16
/// and bf16 in f32. `avx512` allows instructions of x86's AVX-512F and
/// AVX-512DQ.
void populateApproximateMathPatterns(RewritePatternSet &patterns,
                                     bool avx512 = false);

/// Applies these patterns below `scope`, but not to ops on tensors. Fails if
/// they do not converge.
LogicalResult approximateMath(Operation *scope, bool avx512);

/// Converts math functions below `scope` that LLVM lacks, or computes badly, to
/// calls of libm and to arithmetic. Fails, with an error and the IR unchanged,
/// at a vector of more than 16384 elements.
LogicalResult callLibm(Operation *scope);

/// Replaces elementwise functions of vectors of 16 integers below 16, whose
/// other operands are the same in all lanes, by look-ups in a vector of their
/// 16 values, with instructions of AVX-512F. Leaves functions that take no more
/// instructions than a look-up. The LLVM dialect must be loaded.
void tabulateFunctions(RewriterBase &rewriter, Operation *scope);

/// Replaces bf16 by i16 in `scope`, a module of the LLVM dialect, unless an op
/// computes with bf16.
void storeBF16AsBits(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_TRANSFORMS_H
