//===- Transforms.h - Transformations of LinalgExt ops ----------*- C++ -*-===//
//
// The C++ entry points behind the dialect's passes and transform ops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Transforms/FusionCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::gpu {
class LaunchOp;
} // namespace mlir::gpu

namespace mlir::linalg_ext {

/// Lowers `op`, which must be on tensors, to linalg.generic ops. Returns one
/// value for each result of `op`. The ops read the incoming state before they
/// overwrite it, so that a loop that carries the state bufferizes in place. On
/// buffers the function fails, with a diagnostic.
FailureOr<SmallVector<Value>> decomposeSoftmax(OpBuilder &b, SoftmaxOp op);

/// Builds 1 / `value`, or 0 where `value` is 0, on scalars.
Value buildGuardedReciprocal(OpBuilder &b, Location loc, Value value);

/// Builds e^(`value` - `max`) on scalars. If `max` is -inf, it uses 0 in place
/// of `max`.
Value buildShiftedExp(OpBuilder &b, Location loc, Value value, Value max);

/// Builds `max` + ln(`sum`), the log of the sum of e^x, from the state of a
/// softmax. `max` and `sum` are tensors of the same shape; the result has the
/// type of `max`. It is -inf for a fully masked row (`max` is -inf, `sum` is
/// 0). Before a fusion, the function may be called in front of the root even if
/// loops will carry the state: fusion moves these ops behind the loops, where
/// they read the final state.
Value buildLogSumExp(OpBuilder &b, Location loc, Value max, Value sum);

/// Adds a result to `func` for each `linalg_ext.softmax` in its body: its
/// log-sum-exp (see buildLogSumExp), in program order. Updates all calls of
/// `func` in the module. Returns the log-sum-exps. Fails, with the reason in
/// `reason` and the IR unchanged, if `func` has no softmax or more than one
/// block, if a softmax is nested in another op (such as a loop that carries its
/// state), continues from a state or is on buffers, or if an op other than a
/// call refers to `func`.
FailureOr<SmallVector<Value>>
returnLogSumExp(RewriterBase &rewriter, func::FuncOp func, std::string &reason);

/// Rewrites products with `diag(v)` as a scaling by `v`, without materialising
/// the matrix. Elements off the diagonal contribute nothing to the result, even
/// where they meet a NaN or an infinity.
void populateFoldDiagPatterns(RewritePatternSet &patterns);

/// Rewrites LinalgExt ops as upstream ops: softmax and diag as linalg.generic,
/// batch_matmul as linalg.contract. Includes populateFoldDiagPatterns.
void populateDecomposePatterns(RewritePatternSet &patterns);

/// Gives each use of a `tensor.empty` below `scope` an op of its own. If
/// several iter_args of a loop start from the same `tensor.empty`, upstream's
/// one-shot bufferization assigns one buffer to them, even if the loop writes
/// and reads both. CSE merges the ops again.
void unshareEmptyTensors(RewriterBase &rewriter, Operation *scope);

/// Applies populateFoldDiagPatterns and then populateDecomposePatterns below
/// `scope`, which must be isolated from above. Then calls unshareEmptyTensors.
/// `listener` is notified of every change.
LogicalResult decomposeLinalgExtOps(Operation *scope,
                                    RewriterBase::Listener *listener = nullptr);

/// Replaces online reductions of upstream ops below `scope` by LinalgExt ops.
/// It recognises `linalg.softmax`, and chains of maximum, difference,
/// exponential, sum and quotient, however they are written. The description of
/// `linalg-ext-raise` says how results change. Returns the number of reductions
/// that were raised.
unsigned raiseOnlineReductions(RewriterBase &rewriter, Operation *scope);

/// Splits an op below `scope` into one op for each slice of its result, if its
/// only uses are disjoint slices in its own block. Splits the producers of such
/// an op likewise. Returns the number of ops that were split, without
/// `tensor.empty` ops and their fills.
unsigned sliceProducers(RewriterBase &rewriter, Operation *scope);

/// Does the same, but only for ops that `filter` accepts.
unsigned sliceProducers(RewriterBase &rewriter, Operation *scope,
                        function_ref<bool(Operation *)> filter);

/// Splits reductions over a concatenation below `scope` into reductions over
/// its parts, one after another. The description of `linalg-ext-reduce-parts`
/// says which reductions. Returns the number of reductions that were split.
unsigned reduceParts(RewriterBase &rewriter, Operation *scope);

/// Replaces slices of concatenations below `scope` by slices of their parts.
/// Splits the loops that take such slices where one part ends and the next
/// begins. Returns the number of slices that were replaced.
unsigned readParts(RewriterBase &rewriter, Operation *scope);

/// Rewrites the program below `scope` into the normal form that fusion expects.
/// The description of `linalg-ext-normalize` has its grammar. `listener` is
/// notified of every change. Fails if a pattern set does not converge.
LogicalResult normalizeProgram(Operation *scope,
                               RewriterBase::Listener *listener = nullptr);

/// Rewrites fills, splats and sizes into one form. The patterns canonicalise,
/// rewrite `tensor.dim` of results as sizes of operands, and rewrite a
/// `linalg.generic` of a constant as `linalg.fill`. Elementwise ops read a
/// splat as a scalar. Constants are rounded. Two sizes that a `cf.assert`
/// compares become one value.
void populateNormalizeSpellingPatterns(RewritePatternSet &patterns);

/// Removes the dimensions of size 1 that reductions keep ("keepdim") from the
/// reductions and from the ops that read their results.
void populateDropKeptDimsPatterns(RewritePatternSet &patterns);

/// Moves computation on a single operand out of the payload of a contraction,
/// into an op before the contraction. Does nothing if this needs a tensor that
/// is larger than all existing ones.
void populateExtractContractionOperandsPatterns(RewritePatternSet &patterns);

/// Returns true if `op` is a `tensor.expand_shape` or `tensor.collapse_shape`
/// that only adds or drops dimensions of size 1.
bool isUnitReshape(Operation *op);

/// Folds a `tensor.collapse_shape` before and a `tensor.expand_shape` after an
/// op into the op. The ops are contractions, reductions, elementwise ops and
/// softmax. They then have the dimensions that exist before the collapse and
/// after the expansion. Named linalg ops become linalg.generic.
void populateFoldReshapesPatterns(RewritePatternSet &patterns);

/// Returns options for the cost model of fusion that know the ops of LinalgExt.
FusionCostOptions getFusionCostOptions();

/// Folds transposes and broadcasts of operands into the indexing maps of
/// structured ops.
void populateFoldTransposePatterns(RewritePatternSet &patterns);

/// Folds a transpose into a contraction if the transpose is the only user of
/// its result: the contraction writes its result transposed.
void populateFoldTransposeIntoProducerPatterns(RewritePatternSet &patterns);

/// Rewrites tensor.concat and tensor.pad as insertions of slices into one
/// destination. An inserted tensor that no op computes for this purpose alone
/// is copied. Constants of equal elements become fills.
void populateWriteIntoDestinationsPatterns(RewritePatternSet &patterns);

/// Fuses elementwise ops into their only user if this computes nothing twice.
/// Named ops become linalg.generic.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Rewrites max(c * x) as c * max(x), and min likewise, for a positive constant
/// c. Applies if the product c * x has exactly one other user, an elementwise
/// op into which it can be fused.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

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

/// Rewrites a `tensor.empty` of dynamic size in a loop as a slice of a static
/// `tensor.empty` of at most `maxBytes` bytes. Applies if each dynamic size has
/// a constant upper bound.
void populateBoundTensorEmptyPatterns(RewritePatternSet &patterns,
                                      int64_t maxBytes);

/// Gives each op below `scope` that writes to an uninitialised or filled tensor
/// its own copy of the ops that create this tensor.
void privatizeDestinations(RewriterBase &rewriter, Operation *scope);

/// Changes the destination of an op whose result is used only by a
/// `tensor.collapse_shape`. If the destination is a `tensor.empty`, it becomes
/// a `tensor.expand_shape` of a `tensor.empty` of the final shape. The op then
/// computes in the buffer of the final result.
void reshapeDestinations(RewriterBase &rewriter, Operation *scope);

struct VectorizeBuffersOptions {
  /// Width of a vector register in bits, and number of vector registers.
  int64_t vectorBits = 512;
  int64_t numRegisters = 32;
  /// Use x86's `vdpbf16ps` (AVX512-BF16), which adds products of pairs of bf16
  /// to f32.
  bool dotBF16 = false;
  /// The part of a vector in which one instruction interleaves the lanes of two:
  /// 128 bits (SSE to AVX-512, NEON), or the whole vector (SVE).
  int64_t shuffleBits = 128;
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

/// Returns the mapping of a nest of `numLoops` loops to workgroups: one linear
/// number, in which the innermost loop varies fastest. Returns an empty mapping
/// if there are more loops than `#gpu.block<linear_dim_i>` attributes.
SmallVector<Attribute> getWorkgroupMapping(MLIRContext *context,
                                           unsigned numLoops);

/// Tile sizes of workgroups for ops that are not fused with an online
/// reduction.
struct TileToWorkgroupsOptions {
  /// Tile of a contraction: rows (dimensions of the left operand alone) and
  /// columns (dimensions of the right operand alone) of the result, and
  /// elements of the reduction in each iteration. Elementwise ops use rows and
  /// columns, too, and reductions use rows.
  int64_t rows = 64;
  int64_t columns = 64;
  int64_t reduction = 64;
  /// The same for contractions of elements of at most 16 bits, which run on
  /// tensor cores. If narrowRows or narrowColumns is 0, rows and columns apply
  /// to them. If narrowReduction is 0, reduction applies.
  int64_t narrowRows = 0;
  int64_t narrowColumns = 0;
  int64_t narrowReduction = 0;
  /// Number of processors of the device. Such contractions of static sizes have
  /// the tile, of at most narrowRows x narrowColumns, with which so many
  /// processors are done first (`chooseProductTile`). 0 takes narrowRows and
  /// narrowColumns as they are.
  int64_t processors = 132;
  /// Step of the reduction where that tile is smaller, or where processors have
  /// one workgroup each. 0 takes narrowReduction.
  int64_t smallReduction = 0;
  /// Longest row, in elements, that one tile reduces and uses again.
  int64_t maxRow = 1024;
  /// Elements of a longer row that one iteration reduces; at most `maxRow`.
  int64_t rowTile = 256;
  /// Reduce a longer row in the workgroup that reads it again. Each reduction,
  /// and the op that reads the row again, has a loop of its own, which
  /// recomputes elementwise ops.
  bool fuseLongRows = false;
  /// Most elements in the rows of one workgroup that reduces rows, but at least
  /// one row. 0 sets no bound.
  int64_t rowElements = 0;
  /// Lengths in ascending order. With `fuseLongRows`, rows of dynamic length
  /// get one more kernel for each length, for rows up to this length. It reads
  /// a row once, holds it as one tile, and has several rows in a workgroup. At
  /// run time only one of the kernels has workgroups.
  SmallVector<int64_t> shortRows;
  /// Numbers of rows in ascending order. Contractions of elements of at most 16
  /// bits that may have so few rows get one more kernel for each number. This
  /// kernel splits the sums into chunks.
  SmallVector<int64_t> fewRows;
  /// Fewest elements in a chunk of a split sum.
  int64_t minSplit = 512;
};

/// Tiles `root` into an `scf.forall` over workgroups. If `root` has no parallel
/// dimension, there is one workgroup. Fuses producers of `root` that have no
/// other user: elementwise ops, contractions of which `root` is an elementwise
/// epilogue, and reductions of rows that fit into a tile. Fails, with the
/// reason in `reason` and the IR unchanged, if this is not possible.
LogicalResult tileToWorkgroup(RewriterBase &rewriter, linalg::LinalgOp root,
                              const TileToWorkgroupsOptions &options,
                              std::string &reason);

struct ForallFissionResult {
  /// The loop over the iterations of both loops, and the outer loop after it.
  scf::ForallOp pairs, outer;
};

/// Splits the `scf.forall` around `inner` into two loops. `inner` must be an
/// `scf.forall` on tensors directly in the body of the outer one. The first
/// loop runs over the iterations of both, and stores the results of `inner` in
/// tensors with a slot for each iteration of the outer loop. The second loop is
/// the outer loop with the rest of its body, and reads the slots. Both compute
/// the ops that both need. Fails, with the reason in `reason` and the IR
/// unchanged, if the bounds of `inner` depend on the outer loop, if the outputs
/// of `inner` are not allocated in front of it or have no bounded size, or if
/// an op that `inner` depends on has side effects.
FailureOr<ForallFissionResult>
fissionForall(RewriterBase &rewriter, scf::ForallOp inner, std::string &reason);

/// Reverses each dimension of `forall` along which the total trip count of the
/// `scf.for` loops in its body grows, so that the longest iterations run first.
/// The step of the dimension must be constant. Returns whether a dimension was
/// reversed.
bool reverseToLongestFirst(RewriterBase &rewriter, scf::ForallOp forall);

/// Returns whether the loops in the body of `forall` have fewer iterations, all
/// together, along its last dimension, and as many along the others.
bool isLongestFirst(scf::ForallOp forall);

/// Replaces `forall`, which must be on buffers, by a `gpu.launch` with one
/// block for each iteration and `numThreads` threads in a block. The grid has
/// one dimension; its size is computed in front of the launch. Blocks follow
/// the order of the loops, and the last loop varies fastest. If `band` is more
/// than 1, and neighbours in each of the last two loops read the same data, the
/// blocks of `band` iterations of the second-to-last loop follow each other for
/// better cache reuse. If blocks become shorter along the last loop alone
/// (`isLongestFirst`), bands consist of iterations of all other loops together,
/// about as many as run at a time, so that short blocks run at the end. Fails,
/// with the reason in `reason` and the IR unchanged, on tensors.
FailureOr<gpu::LaunchOp>
mapForallToLaunch(RewriterBase &rewriter, scf::ForallOp forall,
                  int64_t numThreads, std::string &reason, int64_t band = 1);

/// Replaces `op`, which must be on buffers, by a `gpu.launch` with `numThreads`
/// threads in a block. Each thread computes one iteration of the parallel
/// dimensions with scalar code. Fails, with the reason in `reason`, on tensors,
/// or if the op has no scalar implementation.
FailureOr<gpu::LaunchOp> mapOpToLaunch(RewriterBase &rewriter,
                                       TilingInterface op, int64_t numThreads,
                                       std::string &reason);

struct VectorizeTilesOptions {
  /// Most elements of a vector.
  int64_t maxElements = 65536;
  /// Round vector sizes up to a multiple of this, in each dimension of more
  /// than one element. Masks exclude elements beyond the tile.
  int64_t multipleOf = 1;
  /// The same for workgroups without a contraction. Dimensions that are smaller
  /// than this become a power of two. 0 uses multipleOf.
  int64_t rowMultipleOf = 0;
};

/// Rewrites the tensors in the body of `forall` as vectors, which loops and
/// branches carry. Each vector is as large as its tile can become. Tensors from
/// outside are read, and results are written, with a mask if a tile may be
/// smaller than its vector. Returns the number of structured ops that have no
/// vector form. These keep the tensors that they need, and get a remark.
unsigned vectorizeTiles(RewriterBase &rewriter, scf::ForallOp forall,
                        const VectorizeTilesOptions &options);

/// Returns whether `loop` contracts elements of more than 16 bits, which are
/// not narrower ones converted.
bool multipliesWideElements(scf::ForOp loop);

struct TightenLoopBoundsOptions {
  /// Give iterations whose tile is fully visible a loop without masks.
  bool splitFullBlocks = true;
  /// Also split loops that multiply elements of more than 16 bits.
  bool splitWideProducts = true;
  /// Leave a smaller last tile to the loop with masks, even if no mask hides a
  /// part of it. All tiles of the other loop then have the same size.
  bool wholeTiles = false;
};

struct TightenedLoop {
  /// The loops that replace the loop, in order. Each starts from the results of
  /// the one before it. The last one is the original op.
  SmallVector<scf::ForOp> loops;
  /// Those of `loops` that evaluate no mask.
  SmallVector<scf::ForOp> full;
};

/// Tightens the bounds of `loop`, whose body consists of structured ops on
/// tensors, so that iterations without effect do not run. A mask is an affine
/// condition in a payload. An iteration has no effect if a mask has one value
/// on the whole tile and the body then yields its iter_args unchanged. The
/// function assumes that numbers that meet a masked one are finite. New bounds
/// are a multiple of the step away from the original lower bound. The loop may
/// then run zero times. Fails, with the reason in `reason` and the IR
/// unchanged, if there is no mask.
FailureOr<TightenedLoop>
tightenLoopBounds(RewriterBase &rewriter, scf::ForOp loop,
                  const TightenLoopBoundsOptions &options, std::string &reason);

/// Calls tightenLoopBounds for each loop below `scope`, outer loops first.
void tightenLoopBoundsBelow(RewriterBase &rewriter, Operation *scope,
                            const TightenLoopBoundsOptions &options);

/// Lowers each `memref.expand_shape` that splits a dimension into several
/// dynamic sizes to `memref.reinterpret_cast`. Upstream's
/// `expand-strided-metadata` (22.1.8) crashes on such ops.
void populateResolveExpandShapePatterns(RewritePatternSet &patterns);

/// Replaces exp, tanh and erf of f32 by polynomials, and computes those of f16
/// and bf16 in f32. `avx512` allows instructions of x86's AVX-512F and
/// AVX-512DQ.
void populateApproximateMathPatterns(RewritePatternSet &patterns,
                                     bool avx512 = false);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H
