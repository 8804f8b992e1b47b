//===- Transforms.h - Transformations of LinalgExt ops ----------*- C++ -*-===//
//
// The C++ functions that the passes and transform ops of the dialect call.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Cost/FusionCost.h"
#include "mlir-ext/Support/Refusal.h"

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
/// 0). The ops may stand before the root of a later fusion, even if loops will
/// carry the state: fusion moves them after the loops, where they read the
/// final state.
Value buildLogSumExp(OpBuilder &b, Location loc, Value max, Value sum);

/// Adds a result to `func` for each `linalg_ext.softmax` in its body: its
/// log-sum-exp (see buildLogSumExp), in program order. Updates all calls of
/// `func` in the module. Returns the log-sum-exps. Fails, with the reason in
/// `refusal` and the IR unchanged, if `func` has no softmax or more than one
/// block, if a softmax is nested in another op (such as a loop that carries its
/// state), continues from a state or is on buffers, or if an op other than a
/// call refers to `func`.
FailureOr<SmallVector<Value>>
returnLogSumExp(RewriterBase &rewriter, func::FuncOp func, Refusal &refusal);

/// Calls returnLogSumExp for each function of `module` with a softmax. Fails,
/// with an error, if one is refused or there is none.
LogicalResult returnLogSumExps(RewriterBase &rewriter, Operation *module);

/// Rewrites products with `diag(v)` as a scaling by `v`, without materialising
/// the matrix. Elements off the diagonal contribute nothing to the result, even
/// where they meet a NaN or an infinity.
void populateFoldDiagPatterns(RewritePatternSet &patterns);

/// Rewrites `linalg_ext.paged_gather` on tensors as a `linalg.generic` that
/// reads the table and the pool element by element, in branches of `scf.if`, so
/// that only elements that exist are read. With `keepGathers`, only if no op
/// that reduces reads the result.
void populateDecomposePagedGatherPatterns(RewritePatternSet &patterns,
                                          bool keepGathers = false);

/// Rewrites `linalg_ext.store_rows` on tensors. If an `scf.forall` computes the
/// rows in tiles of one sequence each, and no other op reads them, the loop
/// inserts the stored rows of its tiles into the pool. Its inner loops run no
/// iteration for a tile without stored rows. With pages, such tiles must have
/// one row. Otherwise a new `scf.forall` stores one row in each iteration.
void populateDecomposeStoreRowsPatterns(RewritePatternSet &patterns);

/// Rewrites LinalgExt ops as upstream ops: softmax, diag and paged_gather as
/// linalg.generic, batch_matmul as linalg.contract, store_rows as scf.forall.
/// Includes populateFoldDiagPatterns, populateDecomposePagedGatherPatterns and
/// populateDecomposeStoreRowsPatterns.
void populateDecomposePatterns(RewritePatternSet &patterns,
                               bool keepGathers = false);

/// Gives each use of a `tensor.empty` below `scope` an op of its own. If
/// several iter_args of a loop start from the same `tensor.empty`, upstream's
/// one-shot bufferization assigns one buffer to them, even if the loop writes
/// and reads both. CSE merges the ops again.
void unshareEmptyTensors(RewriterBase &rewriter, Operation *scope);

/// Applies populateFoldDiagPatterns and then populateDecomposePatterns below
/// `scope`, which must be isolated from above. Then calls unshareEmptyTensors.
/// `listener` is notified of every change.
LogicalResult decomposeLinalgExtOps(Operation *scope,
                                    RewriterBase::Listener *listener = nullptr,
                                    bool keepGathers = false);

/// Replaces online reductions of upstream ops below `scope` by LinalgExt ops.
/// It recognises `linalg.softmax`, and chains of maximum, difference,
/// exponential, sum and quotient, however they are written. The description of
/// `linalg-ext-raise` says how results change. Returns the number of reductions
/// that were raised.
unsigned raiseOnlineReductions(RewriterBase &rewriter, Operation *scope);

/// Replaces structured ops below `scope` that gather rows of a tensor, and that
/// contractions read, by `linalg_ext.paged_gather`. Reshapes and transposes of
/// their results become part of that op if it can express them. Returns the
/// number of ops that were replaced.
unsigned raisePagedGathers(RewriterBase &rewriter, Operation *scope);

/// Returns options for the cost model of fusion that know the ops of LinalgExt.
FusionCostOptions getFusionCostOptions();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_TRANSFORMS_H
