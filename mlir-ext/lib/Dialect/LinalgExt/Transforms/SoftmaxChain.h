//===- SoftmaxChain.h - Softmax written as a chain of ops -------*- C++ -*-===//
//
// The matcher of linalg-ext-raise for
//
//   m = max_d x,  e = b^(k (x - m)),  l = sum_d e,  y = e / l
//
// where the quotient may be e^(x - m - log l), in any order of these,
//
// on the terms of ElementTerm.h.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H

#include "ElementTerm.h"

namespace mlir::linalg_ext {

/// A value that is `kept` where `mask` is `keepsIf`, and a constant elsewhere.
struct Masked {
  Term mask, kept;
  bool keepsIf;
};

/// What was matched: `root` is the softmax of `scale` * `inputs` along `dim`.
struct SoftmaxChain {
  /// The elementwise op whose loops are the domain, and the value in its
  /// payload that is the softmax.
  linalg::LinalgOp anchor;
  Term root;
  /// Static sizes of the domain.
  SmallVector<int64_t> domain;
  int64_t dim;
  /// Equal terms: what the maximum was taken of, and, where that is not of the
  /// same type, what it is subtracted from.
  SmallVector<Term, 2> inputs;
  /// The first op of the chain that all of `inputs.front()` is computed before.
  Operation *firstUser;
  double scale;
  Reduction max, sum;
  /// Set where a mask says what the softmax is taken of: what it hides is left
  /// out of the maximum and of the sum, and 0 in the result.
  std::optional<Masked> masked;
  /// Whether `max` is the maximum of the input as it will be raised, NaNs
  /// included.
  bool maxIsState;
};

/// Matches the chain that ends in `value`, in the payload of the elementwise op
/// `anchor`: in a quotient, the exponential that one is, or one rounded to the
/// type that the input was extended from. Says why not (debug output) from where it looks like
/// softmax.
std::optional<SoftmaxChain> matchSoftmaxChain(linalg::LinalgOp anchor,
                                              Value value);

/// Whether `condition` tells the rows along `dim` of which all `scores` are
/// -inf from others: it holds for those, or for the others with `isNegated`,
/// which is set.
bool isTrueForEmptyRows(const Term &condition, ArrayRef<int64_t> domain,
                        const Term &scores, int64_t dim, bool &isNegated);

/// What `term`, over a domain of sizes `domain`, is less its own maximum along
/// `dim`, in another type perhaps: x of x - max x.
std::optional<Term> matchShiftByMax(const Term &term, ArrayRef<int64_t> domain,
                                    int64_t dim);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H
