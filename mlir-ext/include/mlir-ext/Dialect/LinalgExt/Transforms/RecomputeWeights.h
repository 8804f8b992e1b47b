//===- RecomputeWeights.h - Weights from the final state --------*- C++ -*-===//
//
// The gradients of keys and values contract the weights of a softmax along its
// rows, and keep the dimension that it reduces. No loop over tiles of keys can
// repair such a result. But once the state of whole rows is known, each weight
// is an elementwise function of its score:
//
//   w[m, k] = e^(x[m, k] - max[m]) / sum[m]
//
// A loop over rows can therefore compute tiles of the scores, and of the
// weights, again. The state is reduced in loops of its own.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_RECOMPUTEWEIGHTS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_RECOMPUTEWEIGHTS_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// What `recomputeWeights` has changed.
struct RecomputedWeights {
  SoftmaxOp softmax;
  /// The contraction that computes the scores.
  Operation *scores = nullptr;
  /// The new ops, in program order.
  SmallVector<Operation *> built;
  /// The operands that read what is computed from the new weights, and what
  /// they read before.
  SmallVector<std::pair<OpOperand *, Value>> replaced;
  /// The softmax, and what is reduced from its weights in front of the
  /// contractions: whole rows of it are needed before the first tile.
  llvm::SetVector<Operation *> reductions;
};

/// Contractions of the weights of a softmax, or of what is computed from these
/// elementwise. Each list is in program order.
struct WeightContractions {
  /// Those that keep the dimension which the softmax reduces, and reduce
  /// another one.
  SmallVector<Operation *> keeping;
  /// Those that reduce that dimension, and need another reduction of the
  /// weights first: the gradient of queries needs a sum of each row.
  SmallVector<Operation *> second;
};

/// Returns the contractions for which `recomputeWeights` may be called. None if
/// the input of `softmax` is not computed from a contraction by elementwise
/// ops, if it goes on from a state, or if something else needs such a value in
/// memory.
WeightContractions findWeightContractions(SoftmaxOp softmax);

/// Computes the weights of `softmax` from its input and its final state, for
/// `contractions`: some of those that `findWeightContractions` returns. Clones
/// the elementwise ops and reshapes in between that have other users, once for
/// all contractions. All other users keep the result of `softmax`.
RecomputedWeights recomputeWeights(RewriterBase &rewriter, SoftmaxOp softmax,
                                   ArrayRef<Operation *> contractions);

/// Takes `weights` back. No other op may use the new ops.
void undoRecomputedWeights(RewriterBase &rewriter,
                           const RecomputedWeights &weights);

/// Computes weights that a contraction below `scope` reduces, and that something
/// else needs as a tensor, once more for the latter: from copies of the scores
/// and the final state. Applies if a row has more than `mostHeld` weights, or a
/// number that is not known, so that no kernel holds a row until its sum is
/// known. Returns how many softmaxes have such weights.
unsigned recomputeReturnedWeights(RewriterBase &rewriter, Operation *scope,
                                  int64_t mostHeld);

/// Erases `softmax` if nothing uses it. If only its state is used, replaces it
/// by a maximum and a sum, which can be the root of a fusion. Erases what is
/// computed elementwise from its result and not used.
void simplifySoftmaxOfState(RewriterBase &rewriter, SoftmaxOp softmax);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_RECOMPUTEWEIGHTS_H
