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

/// Rewrites `op` (on tensors) as linalg.generic ops with one value per result.
/// The incoming state is read before it is overwritten, so that a loop that
/// carries it bufferizes in place. Fails, with a diagnostic, on buffers.
FailureOr<SmallVector<Value>> decomposeSoftmax(OpBuilder &b, SoftmaxOp op);

/// Builds 1 / `value`, and 0 where `value` is 0, on scalars.
Value buildGuardedReciprocal(OpBuilder &b, Location loc, Value value);

/// Builds e^(`value` - `max`) on scalars, with `max` replaced by 0 where it is
/// -inf.
Value buildShiftedExp(OpBuilder &b, Location loc, Value value, Value max);

/// Builds log(sum of e^x), in natural log, from the state of a softmax: the
/// tensors `max` and `sum`, of the same shape, in the type of `max`. -inf for a
/// row of which nothing was visible (max -inf, sum 0). Where the state is
/// carried by a fusion it may be built before the root: the final state reaches
/// it.
Value buildLogSumExp(OpBuilder &b, Location loc, Value max, Value sum);

/// Appends to the results of `func` the log-sum-exp (see buildLogSumExp) of
/// each `linalg_ext.softmax` in its body, in program order, and updates its
/// calls in the module. Returns the values that are returned. Fails, with the
/// reason in `reason` and the IR as it was, without such an op, if one is not
/// in the body itself (loops that carry its state), goes on from a state or is
/// on buffers, and if something else than calls refers to the function.
FailureOr<SmallVector<Value>>
returnLogSumExp(RewriterBase &rewriter, func::FuncOp func, std::string &reason);

/// Computes products with `diag(v)` as a scaling by `v`, without materialising
/// the matrix: off-diagonal elements contribute nothing, whatever they meet.
void populateFoldDiagPatterns(RewritePatternSet &patterns);

/// Rewrites LinalgExt ops as upstream ops: softmax as linalg.generic ops,
/// products with diag as row scalings, other diag as linalg.generic, and
/// batch_matmul as linalg.contract.
void populateDecomposePatterns(RewritePatternSet &patterns);

/// Gives each use of a `tensor.empty` below `scope` one of its own. Upstream's
/// one-shot bufferization puts iter_args of a loop that start from one
/// `tensor.empty` into one buffer even where both are written and read; CSE
/// makes them share again.
void unshareEmptyTensors(RewriterBase &rewriter, Operation *scope);

/// Applies the two pattern sets above below `scope`, which is isolated from
/// above, products with diag first, and unshares empty tensors. `listener`
/// hears of every change.
LogicalResult decomposeLinalgExtOps(Operation *scope,
                                    RewriterBase::Listener *listener = nullptr);

/// Replaces online reductions written with upstream ops below `scope` by
/// LinalgExt ops: `linalg.softmax` and chains of max, subtract, exp, sum and
/// divide, in any spelling; the description of the pass has what changes in the
/// results. Returns how many it raised.
unsigned raiseOnlineReductions(RewriterBase &rewriter, Operation *scope);

/// Splits each op below `scope` of which only disjoint slices are used, in its
/// own block, into one op for each slice, and its producers likewise. Returns
/// how many it split; fills of and uninitialised tensors are not counted.
unsigned sliceProducers(RewriterBase &rewriter, Operation *scope);

/// The same for the ops that `filter` accepts.
unsigned sliceProducers(RewriterBase &rewriter, Operation *scope,
                        function_ref<bool(Operation *)> filter);

/// Makes reductions over a concatenation below `scope` reductions over its
/// parts, one after another; the description of the pass has which. Returns how
/// many it split.
unsigned reduceParts(RewriterBase &rewriter, Operation *scope);

/// Makes slices of concatenations below `scope` slices of their parts, and
/// splits the loops that take them where one part ends. Returns how many slices
/// it replaced.
unsigned readParts(RewriterBase &rewriter, Operation *scope);

/// Rewrites the program below `scope` into the normal form that fusion expects;
/// the description of the pass has its grammar. `listener` hears of every
/// change. Fails if a pattern set does not converge.
LogicalResult normalizeProgram(Operation *scope,
                               RewriterBase::Listener *listener = nullptr);

/// One spelling of fills, splats and sizes: canonicalisation, `tensor.dim` of
/// results as sizes of operands, `linalg.generic` of a constant as
/// `linalg.fill`, elementwise reads of a splat as its value, constants rounded,
/// and one value for sizes that `cf.assert` compares.
void populateNormalizeSpellingPatterns(RewritePatternSet &patterns);

/// Ops compute and read rows without the dimensions of size 1 that reductions
/// keep.
void populateDropKeptDimsPatterns(RewritePatternSet &patterns);

/// Computes the operands of a contraction in front of it where its payload does
/// so, unless that would take a tensor larger than those there are.
void populateExtractContractionOperandsPatterns(RewritePatternSet &patterns);

/// Returns whether `op` is a `tensor.expand_shape` or `tensor.collapse_shape`
/// that only adds or drops dimensions of size 1.
bool isUnitReshape(Operation *op);

/// Contractions, reductions, elementwise ops and softmax between a
/// `tensor.collapse_shape` and a `tensor.expand_shape` take the dimensions as
/// they were before and will be after; named ones become linalg.generic.
void populateFoldReshapesPatterns(RewritePatternSet &patterns);

/// Options of the cost of a fusion that know the ops of this project.
FusionCostOptions getFusionCostOptions();

/// Structured ops read operands that are only transposed or broadcast from
/// where they come from.
void populateFoldTransposePatterns(RewritePatternSet &patterns);

/// Contractions whose only user transposes their result write it transposed.
void populateFoldTransposeIntoProducerPatterns(RewritePatternSet &patterns);

/// tensor.concat and tensor.pad become slices of one destination each; what is
/// inserted and not computed for that copies, and constants of equal elements
/// fills.
void populateWriteIntoDestinationsPatterns(RewritePatternSet &patterns);

/// Fuses elementwise ops into their only user where nothing is then computed
/// more often; named ones become linalg.generic.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Reduces a tensor instead of its product with a positive constant to a
/// maximum or minimum, and multiplies that, where the product has one other
/// user, an elementwise op that it then fuses into.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// Swaps the dimensions of the result of `op`, a contraction in a loop, and of
/// what is computed from it element by element, so that its lanes (at least
/// `minLanes`, where their number is known) lie along an operand that can be
/// transposed in front of the loop. Fails, with a reason in
/// `notifyMatchFailure`, where that is not so.
LogicalResult transposeTiles(RewriterBase &rewriter, linalg::LinalgOp op,
                             int64_t minLanes);

/// Transposes the operand of `op`, a contraction, that is strided along the last
/// dimension of the result, in front of the outermost loop that leaves it alone.
/// Fails, with a reason in `notifyMatchFailure`, where there is none, its
/// elements are extended by `op`, or fewer than `minRows` rows of the other
/// operand meet it (a number that is not known is enough).
LogicalResult transposeStridedOperand(RewriterBase &rewriter,
                                      linalg::LinalgOp op, int64_t minRows);

/// Both: the second with 2 `minLanes` rows.
void populateTransposeTilesPatterns(RewritePatternSet &patterns,
                                    int64_t minLanes);

/// Rewrites `tensor.empty` inside a loop whose dynamic sizes have constant
/// upper bounds as a slice of a static one of at most `maxBytes` bytes.
void populateBoundTensorEmptyPatterns(RewritePatternSet &patterns,
                                      int64_t maxBytes);

/// Computes uninitialised tensors, and fills of them, once for each op below
/// `scope` that writes to them.
void privatizeDestinations(RewriterBase &rewriter, Operation *scope);

/// Where all that becomes of a tensor that is written to uninitialised space is
/// a `tensor.collapse_shape` of it, that space becomes a `tensor.expand_shape`
/// of a tensor of the final shape: the buffer then is the one of the result.
void reshapeDestinations(RewriterBase &rewriter, Operation *scope);

struct VectorizeBuffersOptions {
  /// Width and number of the vector registers.
  int64_t vectorBits = 512;
  int64_t numRegisters = 32;
  /// Whether there is x86's `vdpbf16ps`, which adds products of pairs of bf16
  /// to f32 (AVX512-BF16).
  bool dotBF16 = false;
};

/// Replaces `op`, on buffers, by loops over register tiles of vectors. Fails,
/// with a reason in `notifyMatchFailure`, where it cannot be vectorised. The
/// LLVM dialect must be loaded, for fences; for `dotBF16` x86vector, too.
LogicalResult vectorizeBuffers(RewriterBase &rewriter, linalg::LinalgOp op,
                               const VectorizeBuffersOptions &options);

/// Pieces of a structured op that threads share.
struct TileToThreadsOptions {
  /// Iterations that a piece has at least (eight times as many of a
  /// contraction), if the op has more: starting it costs about a microsecond.
  int64_t minWork = 16384;
  /// Of a contraction: rows (dimensions of the left operand alone) and columns
  /// (of the right one alone) of the result.
  int64_t rows = 128;
  int64_t columns = 128;
};

/// Replaces `op`, on buffers, by an `scf.forall` over pieces of it: tiles of
/// its parallel dimensions. A fill that only `op` sees goes with it. Which
/// pieces depends on `op` and `options`, not on the machine. Fails, with the
/// reason in `reason` and the IR as it was, on tensors, or if it would be one
/// piece.
FailureOr<scf::ForallOp> tileToThreads(RewriterBase &rewriter,
                                       linalg::LinalgOp op,
                                       const TileToThreadsOptions &options,
                                       std::string &reason);

/// The mapping of a loop nest over workgroups: the innermost loop is the
/// fastest of a linear number. Empty where there are more loops than names for
/// them.
SmallVector<Attribute> getWorkgroupMapping(MLIRContext *context,
                                           unsigned numLoops);

/// Tiles of the program of a workgroup, where no online reduction decides.
struct TileToWorkgroupsOptions {
  /// Of a contraction: rows (dimensions of the left operand alone) and columns
  /// (of the right one alone) of the result, and elements of the sums in each
  /// iteration of the loop over them. Elementwise ops have rows and columns
  /// too, and reductions rows.
  int64_t rows = 64;
  int64_t columns = 64;
  int64_t reduction = 64;
  /// The same for contractions of elements of at most 16 bits, which tensor
  /// cores take; 0 is as for others (of rows or columns: both).
  int64_t narrowRows = 0;
  int64_t narrowColumns = 0;
  int64_t narrowReduction = 0;
  /// Those of known sizes have tiles of at most so many rows and columns, such
  /// that so many processors are done first (`chooseProductTile`); with 0 they
  /// are as the others.
  int64_t processors = 132;
  /// Elements of their sums in each iteration where tiles are smaller, or
  /// processors have one workgroup each; 0 as of others.
  int64_t smallReduction = 0;
  /// A row is reduced, and used again, within one tile if it has at most this
  /// many elements.
  int64_t maxRow = 1024;
  /// Elements of a longer row that an iteration reduces; no more than `maxRow`.
  int64_t rowTile = 256;
  /// What reads a longer row again, after it was reduced, does so in the same
  /// workgroup: in loops of their own, which compute again what is elementwise.
  bool fuseLongRows = false;
  /// Elements of the rows of a workgroup that reduces them, at most, if that
  /// leaves it a row; 0 sets no bound.
  int64_t rowElements = 0;
  /// Rows of dynamic length that are read again have kernels for at most so
  /// many elements (ascending), which read them once and hold them, with
  /// several of them in a workgroup, beside the one for all others; only one of
  /// them has workgroups then.
  SmallVector<int64_t> shortRows;
  /// Contractions of elements of at most 16 bits have kernels for at most so
  /// many rows (ascending), if there may be as few, which split their sums.
  SmallVector<int64_t> fewRows;
  /// The least that a chunk of such a sum has.
  int64_t minSplit = 512;
};

/// Tiles `root` into an `scf.forall` over workgroups (of one, if it has no
/// parallel dimension), together with those of its producers that nobody else
/// uses: elementwise ops, a contraction that `root` follows elementwise,
/// reductions of rows that fit into a tile. Fails, with the reason in `reason`
/// and the IR as it was, if that is not possible.
LogicalResult tileToWorkgroup(RewriterBase &rewriter, linalg::LinalgOp root,
                              const TileToWorkgroupsOptions &options,
                              std::string &reason);

struct ForallFissionResult {
  /// The loop over the iterations of both, and the outer one behind it.
  scf::ForallOp pairs, outer;
};

/// Distributes the loop around `inner`, an `scf.forall` on tensors directly in
/// another one, over `inner` and what follows it: a loop over the iterations of
/// both, which leaves the results of `inner` in tensors with a slot for each
/// iteration of the outer one, and the outer one, which reads them there. What
/// both need is computed in both. Fails, with the reason in `reason` and the IR
/// as it was, if the bounds of `inner` depend on the outer loop, if its outputs
/// hold something before or have no bounded size, or if what it uses has
/// effects.
FailureOr<ForallFissionResult>
fissionForall(RewriterBase &rewriter, scf::ForallOp inner, std::string &reason);

/// Iterates those dimensions of `forall` backwards along which the iterations
/// of the loops in its body, all together, become more: what takes longest
/// comes first. Steps have to be constants. Returns whether there was one.
bool reverseToLongestFirst(RewriterBase &rewriter, scf::ForallOp forall);

/// Returns whether the iterations of the loops in the body of `forall`, all
/// together, become fewer along its last dimension, and depend on no other.
bool isLongestFirst(scf::ForallOp forall);

/// Makes `forall`, on buffers, a kernel: a `gpu.launch` with a grid of one
/// dimension, computed in front of it, and `numThreads` threads. Workgroups
/// follow each other in the order of the loops, the last one fastest; but if
/// neighbours in both of the last two loops read the same, those of `band`
/// iterations of the outer one are together, for what they read to be in the
/// cache; and if iterations become shorter along the last loop alone
/// (`isLongestFirst`), those of about as many iterations of the others as run
/// at a time, for the short ones to be the last. Fails, with the reason in
/// `reason` and the IR as it was, on tensors.
FailureOr<gpu::LaunchOp>
mapForallToLaunch(RewriterBase &rewriter, scf::ForallOp forall,
                  int64_t numThreads, std::string &reason, int64_t band = 1);

/// Makes `op`, on buffers, a kernel in which each of `numThreads` threads of a
/// block does one iteration of its parallel dimensions, scalar by scalar.
/// Fails, with the reason in `reason`, on tensors, or if the op does not say
/// what its scalars are.
FailureOr<gpu::LaunchOp> mapOpToLaunch(RewriterBase &rewriter,
                                       TilingInterface op, int64_t numThreads,
                                       std::string &reason);

struct VectorizeTilesOptions {
  /// Vectors with more elements are not built.
  int64_t maxElements = 65536;
  /// Vectors have a multiple of this many elements in each dimension that does
  /// not have one only; what is beyond a tile is masked.
  int64_t multipleOf = 1;
  /// The same where nothing is contracted, of longer dimensions; shorter ones
  /// have a power of two. 0 is as where something is.
  int64_t rowMultipleOf = 0;
};

/// Rewrites the tensors in the body of `forall` as vectors, each as large as
/// the tile is at most, which loops and branches carry; tensors defined outside
/// are read, and results written, under masks where a tile may be smaller.
/// Returns how many structured ops have no vector form: they stay, with a
/// remark, and with the tensors they need.
unsigned vectorizeTiles(RewriterBase &rewriter, scf::ForallOp forall,
                        const VectorizeTilesOptions &options);

/// Returns whether `loop` contracts elements of more than 16 bits, which are
/// not narrower ones converted.
bool multipliesWideElements(scf::ForOp loop);

struct TightenLoopBoundsOptions {
  /// Give the iterations that no mask touches a loop without masks.
  bool splitFullBlocks = true;
  /// Also of loops that multiply elements of more than 16 bits.
  bool splitWideProducts = true;
  /// Leave a last tile that is smaller than the others to the loop with masks,
  /// even if no mask touches it: the other has tiles of one size then.
  bool wholeTiles = false;
};

struct TightenedLoop {
  /// What the loop has become, in order: one loop, or several of which each
  /// takes over what the one before it carried. The last one is the original.
  SmallVector<scf::ForOp> loops;
  /// Those of them that evaluate no mask.
  SmallVector<scf::ForOp> full;
};

/// Bounds `loop`, whose body is structured ops on tensors, to the iterations
/// that do something. An iteration does nothing if an affine condition in a
/// payload, a mask, has one value all over its tile and the body then yields
/// what it was given; numbers that meet a masked one are taken to be finite.
/// Bounds stay multiples of the step from the original lower bound, and the
/// loop may run zero times. Fails, with the reason in `reason` and the IR as it
/// was, if there is no such mask.
FailureOr<TightenedLoop>
tightenLoopBounds(RewriterBase &rewriter, scf::ForOp loop,
                  const TightenLoopBoundsOptions &options, std::string &reason);

/// Does so for every loop below `scope`, outer ones first.
void tightenLoopBoundsBelow(RewriterBase &rewriter, Operation *scope,
                            const TightenLoopBoundsOptions &options);

/// Rewrites `memref.expand_shape` where it splits a dimension into several of
/// dynamic size, which `expand-strided-metadata` (22.1.8) crashes on.
void populateResolveExpandShapePatterns(RewritePatternSet &patterns);

/// Rewrites math functions on f32 (f16 and bf16 by way of f32) as arithmetic;
/// with instructions of x86's AVX-512F and AVX-512DQ if `avx512`.
void populateApproximateMathPatterns(RewritePatternSet &patterns,
                                     bool avx512 = false);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H
