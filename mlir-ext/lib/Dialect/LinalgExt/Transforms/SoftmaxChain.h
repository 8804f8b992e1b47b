//===- SoftmaxChain.h - Matches a softmax written as a chain ----*- C++ -*-===//
//
// The matcher of linalg-ext-raise for the chain
//
//   m = max_d x,  e = b^(k (x - m)),  l = sum_d e,  y = e / l      b = e or 2
//
// The division may also be in the exponent: y = e^(x - m - log l), with the
// terms in any order. The sum may have one more term, e^(k (sink - m)), and the
// maximum the sink. The matcher works on terms (ElementTerm.h).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H

#include "ElementTerm.h"

#include <optional>

namespace mlir::linalg_ext {

/// A value that is `kept` where `mask` equals `keepsIf`, and a constant
/// elsewhere.
struct Masked {
  Term mask, kept;
  bool keepsIf;
};

/// An additional element of each row, `scale` * `term`, which does not depend
/// on the reduced dimension. `max` is the value that is subtracted from `term`.
/// `isInMax` is set if `max` includes the sink.
struct Sink {
  Term term, max;
  double scale;
  bool isInMax = false;
};

/// A matched chain: `root` is the softmax of `scale` * `inputs` along `dim`.
struct SoftmaxChain {
  /// The elementwise op whose loops are the domain, and the value in its
  /// payload that is the softmax.
  linalg::LinalgOp anchor;
  Term root;
  /// Static sizes of the domain.
  SmallVector<int64_t> domain;
  int64_t dim;
  /// Equal terms for the input: the term whose maximum is taken, and the term
  /// from which the maximum is subtracted. Only one term if the chain is
  /// masked, or if the maximum was widened before it is subtracted.
  SmallVector<Term, 2> inputs;
  /// An op of the chain before which `inputs.front()` has been computed.
  Operation *firstUser;
  double scale;
  Reduction max, sum;
  /// Set if a mask selects the elements of the softmax. Masked elements count
  /// neither for the maximum nor for the sum, and are 0 in the result.
  std::optional<Masked> masked;
  /// An additional element that counts in the sum, and maybe in the maximum,
  /// but has no result.
  std::optional<Sink> sink;
  /// Whether `max` is also the maximum that the raised op computes, including
  /// NaN, and `sum` its sum.
  bool maxIsState, sumIsState = true;
};

/// Matches the chain that ends in `value`, which is in the payload of the
/// elementwise op `anchor`. `value` is a quotient, an exponential that equals
/// the quotient, or a quotient that is rounded to the type from which the input
/// was extended. If a chain looks like softmax but does not match, debug output
/// tells why.
std::optional<SoftmaxChain> matchSoftmaxChain(linalg::LinalgOp anchor,
                                              Value value);

/// Returns whether `condition` tells rows along `dim` whose `scores` are all
/// -inf from all other rows. `isNegated` is false if the condition holds for
/// these rows, and true if it holds for the others.
bool isTrueForEmptyRows(const Term &condition, ArrayRef<int64_t> domain,
                        const Term &scores, int64_t dim, bool &isNegated);

/// If `term` is x - max x along `dim`, maybe extended to another type, returns
/// x. `domain` has the static sizes of the domain.
std::optional<Term> matchShiftByMax(const Term &term, ArrayRef<int64_t> domain,
                                    int64_t dim);

/// A sum of e^(x - m), with m = max x.
struct ShiftedSum {
  /// The subtracted maximum, without guards against infinite maxima.
  Term max;
  /// Whether 0 is subtracted where the maximum is +-inf.
  bool guardsInfinity = false;
};

/// Matches `sum`, of elements of the domain of `scores` that are e^(x - m),
/// where x is `scores`. Whether `max` is their maximum is up to the caller.
std::optional<ShiftedSum> matchShiftedSum(const Reduction &sum,
                                          const Term &scores);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_SOFTMAXCHAIN_H
