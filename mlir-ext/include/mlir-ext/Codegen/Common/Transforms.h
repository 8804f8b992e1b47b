//===- Transforms.h - Transformations for every target ----------*- C++ -*-===//
//
// C++ entry points of the passes and transform ops of this directory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_TRANSFORMS_H
#define MLIR_EXT_CODEGEN_COMMON_TRANSFORMS_H

#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Splits an op below `scope` that `filter` accepts into one op for each slice
/// of its result, if its only uses are disjoint slices in its own block. Splits
/// the producers of such an op likewise. Returns the number of ops that were
/// split, not counting `tensor.empty` ops and their fills.
unsigned sliceProducers(RewriterBase &rewriter, Operation *scope,
                        function_ref<bool(Operation *)> filter);

/// Splits each reduction over a concatenation below `scope` into a chain of
/// reductions over the parts of the concatenation. The description of
/// `linalg-ext-split-concatenations` lists the reductions that it supports.
/// Returns the number of reductions that were split.
unsigned reduceParts(RewriterBase &rewriter, Operation *scope);

/// Splits contractions below `scope` whose slices one elementwise op combines
/// into one contraction for each slice. Returns the number of ops that were
/// split.
unsigned splitGates(RewriterBase &rewriter, Operation *scope);

/// Replaces slices of concatenations below `scope` by slices of their parts.
/// Elementwise ops and reshapes of a concatenation are first computed part by
/// part if loops take slices of the result.
/// Splits a loop that takes such slices at the iteration where one part ends
/// and the next begins. Returns the number of slices that were replaced.
unsigned readParts(RewriterBase &rewriter, Operation *scope);

/// Lets elementwise ops below `scope` that read a concatenation compute some of
/// its parts themselves. This applies to parts that an elementwise op computes
/// for the concatenation alone. The reading op then reads the padded operands
/// of that op, and selects by the position. Returns the number of ops that
/// select.
unsigned selectParts(RewriterBase &rewriter, Operation *scope);

/// Returns whether `op` is a concatenation, or a padding of one dimension with
/// a constant, that loops over tiles of its users can read part by part. The
/// users must be structured ops, but not contractions, that do not reduce this
/// dimension.
bool isReadInParts(Operation *op);

/// Copies elementwise ops below `scope` whose result another elementwise op
/// reads by several indexing maps, as rows and as columns for example, so that
/// each use has an op of its own. Returns the number of copies.
unsigned computeForEachUse(RewriterBase &rewriter, Operation *scope);

/// Splits the tensors of complex numbers that the program below `scope` computes
/// into tensors of real and of imaginary parts, and computes with the parts.
LogicalResult splitComplex(Operation *scope,
                           RewriterBase::Listener *listener = nullptr);

/// Rewrites the program below `scope` into the normal form that fusion expects.
/// The description of `linalg-ext-normalize` defines its grammar. Notifies
/// `listener` of every change. Fails if a pattern set does not converge.
/// Tensors have no encodings (findEncodedTensor).
LogicalResult normalizeProgram(Operation *scope,
                               RewriterBase::Listener *listener = nullptr);

/// Returns an op below `scope` that computes with a tensor with an encoding;
/// null if there is none.
Operation *findEncodedTensor(Operation *scope);

/// Rewrites fills, splats and sizes into one form. The patterns canonicalise,
/// rewrite `tensor.dim` of results as sizes of operands, and rewrite a
/// `linalg.generic` of a constant as `linalg.fill`. Elementwise ops read a
/// splat as a scalar. An op with elementwise results and with reductions becomes
/// two ops. Constants are rounded. Two sizes that a `cf.assert` compares become
/// one value.
void populateNormalizeSpellingPatterns(RewritePatternSet &patterns);

/// Adds a pattern for elementwise ops that read reduced rows, or the result of
/// an elementwise op, behind a reshape that drops dimensions of size 1, and
/// have a loop of size 1 in its place.
void populateReadByUnitLoopsPatterns(RewritePatternSet &patterns);

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

/// Returns whether `value` is a row that an op reduced, not by a contraction, or is
/// computed elementwise from one and has no other dimensions.
bool isReducedRow(Value value);

/// Returns whether `op` is a contraction that `groups` would not split along
/// batches, or is elementwise and computes its result from one, at most `depth`
/// ops before it: a reshape would come between them, which one loop computes.
bool isOfUnsplitContraction(linalg::LinalgOp op,
                            ArrayRef<ReassociationIndices> groups,
                            unsigned depth = 8);

/// If `op` only moves the elements of its single input, as a transpose or
/// broadcast does, returns the map from the coordinates of its result to those
/// of its input.
std::optional<AffineMap> getMovement(linalg::LinalgOp op);

/// Folds a `tensor.collapse_shape` of an operand, and a `tensor.expand_shape`
/// of the result, into a contraction, reduction, elementwise op or softmax. The
/// op then has the dimensions before the collapse and after the expansion.
/// Named linalg ops become linalg.generic.
void populateFoldReshapesPatterns(RewritePatternSet &patterns);

/// Adds patterns that rewrite code which unpacks narrow integers from words as
/// one elementwise op. The position in a word is a dimension of this op. Its
/// payload shifts by a multiple of the index of that dimension, and masks. The
/// patterns match a concatenation whose parts are the same number of bits of
/// each word of one tensor, at offsets that form an arithmetic progression.
/// They also match shifts by a constant tensor of such offsets.
void populateUnpackElementsPatterns(RewritePatternSet &patterns);

/// Adds a pattern for elementwise ops that dequantize integers unpacked from
/// words, and read scales at positions: of the group of an element, or of merged
/// dimensions. A dimension becomes the groups and the elements of a group, and
/// the scales become an operand.
void populateSplitGroupsPatterns(RewritePatternSet &patterns);

/// Adds a pattern for contractions that read integers unpacked from words, with
/// the words and the positions in a word merged into one dimension. The
/// position becomes a dimension of the contraction. In the unpacked tensor,
/// this dimension is outside of the one that counts words. The other operand
/// and the result are transposed accordingly if they have the dimension.
void populateSplitWordsPatterns(RewritePatternSet &patterns);

/// Adds patterns for integers that are unpacked from words, where a word has
/// several columns of a contraction. The elementwise ops that unpack and scale
/// them compute on merged columns.
void populateMergeWordsPatterns(RewritePatternSet &patterns);

/// Adds a pattern for a payload that reads a constant of at most 16 numbers at
/// a position that depends on elements of tensors. The load becomes selects by
/// the bits of the position.
void populateSelectFromTablePatterns(RewritePatternSet &patterns);

/// Folds transposes and broadcasts of operands into the indexing maps of
/// structured ops.
void populateFoldTransposePatterns(RewritePatternSet &patterns);

/// Folds a transpose into a contraction if the transpose is the only user of
/// the contraction. The contraction then writes its result transposed.
void populateFoldTransposeIntoProducerPatterns(RewritePatternSet &patterns);

/// Rewrites tensor.concat and tensor.pad as insertions of slices into one
/// destination. Copies an inserted tensor unless an op computes it only for
/// this insertion. Constants of equal elements become fills.
void populateWriteIntoDestinationsPatterns(RewritePatternSet &patterns);

/// Applies these patterns below `scope`, except in `scf.forall` loops, and lets
/// both branches of an `scf.if` write to one tensor. With `keepsParts`, leaves
/// the ops for which `isReadInParts` is true. Fails if the patterns do not
/// converge.
LogicalResult writeIntoDestinations(Operation *scope, bool keepsParts = false);

/// Fuses an elementwise op into its only user if no element is then computed
/// twice. Named ops become linalg.generic.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Rewrites max(c * x) as c * max(x), and min likewise, for a positive constant
/// c. Applies if the product c * x has exactly one other user, an elementwise
/// op into which it can be fused.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// Rewrites a contraction of (a + b) as the sum of contractions of a and of b,
/// and likewise for a difference. Applies if a and b are computed from different
/// online reductions, so that each contraction can be fused with one of them. The
/// result is equal in exact arithmetic. If a and b cancel, its rounding errors are
/// those of the larger terms.
void populateSplitSumsPatterns(RewritePatternSet &patterns);

/// Rewrites a product of integers of 8 bits less zero points, (a - z) b, as the
/// product of the integers, less z times the sums of b. Sums of i32 wrap
/// around, so the result is the same. Does nothing if at most 8 rows meet the
/// operand whose sums would be computed.
void populateSplitZeroPointsPatterns(RewritePatternSet &patterns);
/// The same for any number of rows. Also makes unsigned factors signed, where
/// the sums of the other factor are computed in any case.
void populateSplitAllZeroPointsPatterns(RewritePatternSet &patterns);

/// Rewrites a contraction of (s a) and b, where s does not depend on a dimension
/// that is summed over, as s times the contraction of a and b. The factor s is
/// an operand of an elementwise op that only the contraction reads. The result is
/// equal in exact arithmetic.
void populateScaleAfterContractionPatterns(RewritePatternSet &patterns);

/// Rewrites a `tensor.empty` of dynamic size in a loop as a slice of a static
/// `tensor.empty` of at most `maxBytes` bytes. Applies if each dynamic size has
/// a constant upper bound.
void populateBoundTensorEmptyPatterns(RewritePatternSet &patterns,
                                      int64_t maxBytes);

/// Applies these patterns below `scope`, after upstream's that fold slices of
/// `tensor.empty`. Fails if they do not converge.
LogicalResult boundTensorEmpty(Operation *scope, int64_t maxBytes);

/// Gives each op below `scope` that writes to an uninitialised or filled tensor
/// its own copy of the ops that create this tensor. Gives calls copies of
/// unranked tensors that others read.
void privatizeDestinations(RewriterBase &rewriter, Operation *scope);

/// Lets loops below `scope` (`scf.for` and `scf.while`) yield only tensors that
/// are computed in the buffer of the iteration argument, because bufferization
/// requires this. Another tensor (a new one, another argument, or one from
/// outside the loop) is copied to that buffer. If a loop starts with an
/// argument of the function, the argument is copied before the loop. The
/// condition of an `scf.while` passes on all buffers, in their order.
void carryInBuffers(RewriterBase &rewriter, Operation *scope);

/// Changes the destination of an op whose result is used only by a
/// `tensor.collapse_shape`. If the destination is a `tensor.empty`, it becomes
/// a `tensor.expand_shape` of a `tensor.empty` of the final shape. The op then
/// computes in the buffer of the final result.
void reshapeDestinations(RewriterBase &rewriter, Operation *scope);

/// If a `bufferization.materialize_in_destination` below `scope` guarantees
/// that nothing else accesses its buffer, lets the op that computes the value
/// write to that buffer.
void computeInBuffers(RewriterBase &rewriter, Operation *scope);

/// If a `bufferization.materialize_in_destination` below `scope` writes to the
/// buffer that a `scf.forall` reads tile by tile, lets the loop overwrite each
/// tile.
void overwriteBuffers(RewriterBase &rewriter, Operation *scope);

/// Peels the last, partial iteration off each loop below `scope` whose tile is
/// bounded by what is left of its range. With `wideProducts`, also off loops
/// that multiply elements of more than 16 bits.
void peelRemainders(RewriterBase &rewriter, Operation *scope,
                    bool wideProducts);

struct ForallFissionResult {
  /// The loop over the iterations of both loops, and the outer loop after it.
  scf::ForallOp pairs, outer;
};

/// Splits the `scf.forall` around `inner` into two loops. `inner` must be an
/// `scf.forall` on tensors directly in the body of the outer one. The first
/// loop runs over the iterations of both, and stores the results of `inner` in
/// tensors with a slot for each iteration of the outer loop. The second loop is
/// the outer loop with the rest of its body, and reads the slots. Both compute
/// the ops that both need. Fails, with the reason in `refusal` and the IR
/// unchanged, if the bounds of `inner` depend on the outer loop, if the outputs
/// of `inner` are not allocated before it or have no bounded size, or if an op
/// that `inner` depends on has side effects.
FailureOr<ForallFissionResult>
fissionForall(RewriterBase &rewriter, scf::ForallOp inner, Refusal &refusal);

/// Calls fissionForall for each `scf.forall` below `scope` that is in another
/// one, unless it is mapped to something other than workgroups. Emits a remark
/// for each that is refused.
void fissionForallsBelow(RewriterBase &rewriter, Operation *scope);

/// Reverses each dimension of `forall` along which the total trip count of the
/// `scf.for` loops in its body grows, so that the longest iterations run first.
/// The step of the dimension must be constant. Returns whether a dimension was
/// reversed.
bool orderWorkgroupsByWork(RewriterBase &rewriter, scf::ForallOp forall);

/// Returns whether the total trip count of the loops in the body of `forall`
/// decreases along its last dimension, and is constant along the others.
bool isLongestFirst(scf::ForallOp forall);

/// Returns whether `loop` contracts elements of more than 16 bits. Elements
/// that are extended from at most 16 bits do not count.
bool multipliesWideElements(scf::ForOp loop);

struct TightenLoopBoundsOptions {
  /// Give iterations whose tile is fully visible a loop without masks.
  bool splitFullBlocks = true;
  /// Also split loops that multiply elements of more than 16 bits.
  bool splitWideProducts = true;
  /// Compute a smaller last tile in the loop with masks, even if no mask hides
  /// a part of it. All tiles of the loop without masks then have the same size.
  bool wholeTiles = false;
};

/// The result of tightenLoopBounds.
struct TightenedLoop {
  /// The loops that replace the loop, in order. Each starts from the results of
  /// the one before it. One of them is the original op.
  SmallVector<scf::ForOp> loops;
  /// Those of `loops` that evaluate no mask.
  SmallVector<scf::ForOp> full;
};

/// Tightens the bounds of `loop`, whose body consists of structured ops on
/// tensors, so that iterations without effect do not run. A mask is an affine
/// condition in a payload. An iteration has no effect if a mask has one value
/// on the whole tile and the body then yields its iter_args unchanged. The
/// function assumes that the other operands of an op with a masked operand are
/// finite, so that 0 * x is 0. The distance of a new bound from the original
/// lower bound is a multiple of the step. The new loop may run zero times.
/// Fails, with the reason in `refusal` and the IR unchanged, if there is no
/// mask.
FailureOr<TightenedLoop>
tightenLoopBounds(RewriterBase &rewriter, scf::ForOp loop,
                  const TightenLoopBoundsOptions &options, Refusal &refusal);

/// Calls tightenLoopBounds for each loop below `scope`, outer loops first.
void tightenLoopBoundsBelow(RewriterBase &rewriter, Operation *scope,
                            const TightenLoopBoundsOptions &options);

/// Lowers each `memref.expand_shape` that splits a dimension into several
/// dynamic sizes to `memref.reinterpret_cast`. Upstream's
/// `expand-strided-metadata` (22.1.8) crashes on such ops.
void populateResolveExpandShapePatterns(RewritePatternSet &patterns);

/// Replaces loads and prefetches of `linalg_ext.view_rows` by those of its list
/// and its source. Slices of a view become views.
void populateResolveViewRowsPatterns(RewritePatternSet &patterns);

/// Rewrites each `memref.copy` between ranked buffers below `scope` as a
/// `linalg.generic`, unless both buffers are contiguous: LLVM copies contiguous
/// memory well.
void convertCopiesToLinalg(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_TRANSFORMS_H
