//===- Contractions.h - Contractions before distribution --------*- C++ -*-===//
//
// Rewrites of contractions before distribution, so that matrix instructions can
// compute them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Support/Refusal.h"

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

/// Lets the loop around `wide`, a result of widenContraction, carry all of its
/// equal rows, where it only sums them up: what elementwise ops make of a result
/// is yielded for what the next iteration adds to. The maximum of the rows is
/// then taken once, after the loop. Returns true if the loop has changed.
bool carryRows(RewriterBase &rewriter, vector::ContractionOp wide);

/// Removes `arith.extsi` and `arith.extui` ops from the operands of `contract`,
/// if both extend integers of 8 bits, and one of `names` multiplies these.
/// Records which operands are unsigned (`getUnsignedAttrName`). If `names` has
/// only signed ones, makes unsigned operands signed, and adds contractions that
/// make up for it. Returns true if it removed them.
bool foldIntegerExtensions(RewriterBase &rewriter,
                           vector::ContractionOp contract,
                           ArrayRef<StringRef> names);

/// Removes `arith.extf` ops from the operands of `contract`. Both must extend
/// from one type to the type in which `contract` sums. The result does not
/// change, because instructions extend their operands. Returns true if it
/// removed them.
bool foldExtensions(RewriterBase &rewriter, vector::ContractionOp contract);

/// Exchanges the operands of `contract`, whose rows become its columns. Returns
/// the new op.
vector::ContractionOp exchangeOperands(RewriterBase &rewriter,
                                       vector::ContractionOp contract);

/// Puts what `contract` sums along its dimension `k` into another order, in
/// both operands: one in which each thread of `left`, the layout of its left
/// operand, has consecutive elements. What are neighbours in registers are
/// `apart` elements apart. Requests registers in the order of these elements.
/// Fails, and changes nothing, if there is no such order.
LogicalResult readInRuns(RewriterBase &rewriter, vector::ContractionOp contract,
                         unsigned k, const layout::Layout &left, int64_t apart);

/// Lets `loop`, in a launch, execute `count` of its iterations at a time, and
/// read together what these read side by side in memory. Returns false, and
/// changes nothing, if there is nothing of that kind, if the loop may write, or
/// if the number of iterations is no known multiple.
bool mergeIterations(RewriterBase &rewriter, scf::ForOp loop, int64_t count);

/// Adds `vector_ext.to_layout` ops around every contraction in `scope` with a
/// `vector_ext.config`. They request the layouts of the instruction. An operand
/// to be promoted first gets a blocked layout. Fails, with an error at the
/// contraction, if a config does not fit. No `vector_ext.to_layout` is then
/// added, but extensions of operands may have been folded.
LogicalResult anchorContractions(RewriterBase &rewriter, Operation *scope,
                                 const Workgroup &workgroup);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_CONTRACTIONS_H
