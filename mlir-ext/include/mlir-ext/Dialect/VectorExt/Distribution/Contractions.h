//===- Contractions.h - Contractions before distribution --------*- C++ -*-===//
//
// Rewrites of contractions before distribution, so that matrix instructions can
// compute them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace mlir::vector_ext {

/// Replaces the vector-matrix product `contract` by a matrix product for which
/// there is an instruction: one of `names`, or any that has a lowering. The
/// rows (or columns) of the new operand are copies of the vector. A maximum
/// over the equal rows (or columns) of the product gives the result. Fails,
/// with the reason in `refusal`, if `contract` is no vector-matrix product or
/// no instruction fits.
FailureOr<vector::ContractionOp>
widenContraction(RewriterBase &rewriter, vector::ContractionOp contract,
                 linalg_ext::Refusal &refusal,
                 std::optional<ArrayRef<StringRef>> names = std::nullopt);

/// Lets the loop around `wide`, a result of widenContraction, carry all equal
/// rows of the product, if the loop only sums them. Elementwise ops on a result
/// are then applied to all rows. The maximum of the rows is taken once, after
/// the loop, instead of in each iteration. Returns true if the loop has
/// changed.
bool carryRows(RewriterBase &rewriter, vector::ContractionOp wide);

/// Removes `arith.extsi` and `arith.extui` ops from the operands of `contract`,
/// if both extend integers of 8 bits and one of the instructions `names`
/// multiplies these. Records which operands are unsigned
/// (`getUnsignedAttrName`). If all instructions are signed, converts unsigned
/// operands to signed ones, and adds contractions that correct the result.
/// Returns true if it removed the extensions.
bool foldIntegerExtensions(RewriterBase &rewriter,
                           vector::ContractionOp contract,
                           ArrayRef<StringRef> names);

/// Replaces `sum`, which sums bytes that a contraction multiplies as its right
/// operand, by another such contraction, whose left operand is ones. The sum may
/// be the same for all rows. Returns false, and changes nothing, if there is no
/// such contraction.
bool sumByContraction(RewriterBase &rewriter, vector::MultiDimReductionOp sum);

/// Removes `arith.extf` ops from the operands of `contract`. Both must extend
/// from one type to the type in which `contract` sums. The result does not
/// change, because instructions extend their operands. Returns true if it
/// removed them.
bool foldExtensions(RewriterBase &rewriter, vector::ContractionOp contract);

/// Exchanges the operands of `contract`, whose rows become its columns. Returns
/// the new op.
vector::ContractionOp exchangeOperands(RewriterBase &rewriter,
                                       vector::ContractionOp contract);

/// Rows of memory that a launch in front of `kernel` stores as `rows`, with the
/// elements of each block in another order. The last one is repeated up to a
/// multiple of `repeated` rows, unless that is 0.
struct StoredInOrder {
  gpu::LaunchOp kernel;
  Value memory, rows;
  int64_t repeated;
  ElementOrder order;
};
using StoredRows = llvm::SmallVector<StoredInOrder>;

/// Permutes the reduction dimension `k` of `contract`, in both operands, so
/// that each thread of `left`, the layout of the left operand, has runs of
/// consecutive elements. Neighbours in registers become `apart` elements apart.
/// Requests registers in the order of these elements. Fails, with the IR
/// unchanged, if there is no such order. If `stored` is not null, rows of the
/// right operand are read from it, and added to it where they are not yet. With
/// `mayRepeat`, rows behind the end may have any value.
LogicalResult readInRuns(RewriterBase &rewriter, vector::ContractionOp contract,
                         unsigned k, const layout::Layout &left, int64_t apart,
                         StoredRows *stored = nullptr, bool mayRepeat = false);

/// Reads tiles of `loop`, in a launch, that have all elements of the innermost
/// dimension of memory, as rows of a view with fewer dimensions. Groups of a
/// row then are one row.
void collapseRows(RewriterBase &rewriter, scf::ForOp loop);

/// Unrolls `loop`, in a launch, by `count`, and merges the reads of these
/// iterations that are side by side in memory. Returns false, with the IR
/// unchanged, if there are no such reads, if the loop may write, or if its trip
/// count is not known to be a multiple of `count`.
bool mergeIterations(RewriterBase &rewriter, scf::ForOp loop, int64_t count);

/// Unrolls `loop`, a loop of a copying role, in which nothing writes what it
/// reads, so that reads of a few adjacent bytes of each row, such as scales,
/// become reads of 16 bytes. Returns false, with the IR unchanged, if there are
/// no such reads, or if its trip count is not known to be a multiple of the
/// iterations that become one.
bool mergeShortReads(RewriterBase &rewriter, scf::ForOp loop,
                     const Workgroup &workgroup);

/// Adds `vector_ext.to_layout` ops around every contraction in `scope` with a
/// `vector_ext.config`. They request the layouts of the instruction. An operand
/// to be promoted first gets a blocked layout. Fails, with an error at the
/// contraction, if a config does not fit. No `vector_ext.to_layout` is then
/// added, but extensions of operands may have been folded.
LogicalResult anchorContractions(RewriterBase &rewriter, Operation *scope,
                                 const Workgroup &workgroup);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
