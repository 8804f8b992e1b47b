//===- ElementTerm.h - Tensor computations element by element ---*- C++ -*-===//
//
// Reads structured ops independently of the op names and of how a computation
// is divided into ops.
//
// A *term* is a scalar that depends on a point of an iteration domain D. It is
// one of
//
//   value of             index: D ->            the scalar
//   a ranked tensor      its dimensions         the element at that index
//   a linalg payload     the loops of its op    the value in that iteration
//   any other scalar     nothing                the value itself
//
// Terms unfold towards their definition, one step at a time. A payload argument
// unfolds to an element of the operand. An element of the result of an
// elementwise op unfolds to the value that the payload yields. An element of a
// reshape that only adds or drops dimensions of size 1 unfolds to an element of
// its source. Named ops, generics, linalg.map, linalg.elementwise, broadcasts,
// transposes and fills all unfold by the same rule, because all of them are
// LinalgOps. A term that does not unfold further is a scalar op, a constant, a
// reduction or a leaf.
//
// Example. With D = (d0, d1) and
//
//   %b = linalg.broadcast ins(%m : tensor<4xf32>) outs(.. : tensor<4x8xf32>)
//        dimensions = [1]
//   %s = linalg.sub ins(%x, %b : ..)
//
// %s[d0, d1] unfolds to the arith.subf in the payload of linalg.sub, whose
// operands unfold to %x[d0, d1] and, through the broadcast, to %m[d0].
//
// Dimensions of static size 1 are always indexed by 0, so that equal elements
// have equal indices.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_ELEMENTTERM_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_ELEMENTTERM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// A scalar that depends on a point of a domain; see the top of this file.
struct Term {
  Value value;
  /// A map from the domain to the dimensions of `value` (for a tensor), to the
  /// loops around it (for a payload), or to nothing.
  AffineMap index;

  bool isTensorElement() const {
    return isa<RankedTensorType>(value.getType());
  }
  Type getType() const { return getElementTypeOrSelf(value.getType()); }
  /// Returns the position in the tensor that dimension `dim` of the domain
  /// alone indexes; -1 if there is none.
  int64_t findDim(int64_t dim) const;

  friend bool operator==(const Term &lhs, const Term &rhs) {
    return lhs.value == rhs.value && lhs.index == rhs.index;
  }
};

/// Returns the term of `value`, which is visible in the payload of `op`, over
/// the loops of `op`.
Term getPayloadTerm(linalg::LinalgOp op, Value value);

/// Returns the term of the element of `tensor` at `index`.
Term getTensorTerm(Value tensor, AffineMap index);

/// Unfolds `term` by one step, if it unfolds.
std::optional<Term> unfoldOnce(const Term &term);

/// Unfolds a payload argument to the operand that it stands for. Returns other
/// terms unchanged.
Term unfoldArgument(const Term &term);

/// Unfolds `term` as far as possible.
Term unfold(Term term);

/// A pure scalar op without regions, and the terms of its operands.
/// `matchScalarOp` returns the op whose result `term` unfolds to.
struct ScalarOp {
  Operation *op;
  SmallVector<Term> operands;
};
std::optional<ScalarOp> matchScalarOp(const Term &term);

/// Returns the operands of that op if it is an `OpTy`.
template <typename OpTy>
std::optional<SmallVector<Term>> matchScalarOp(const Term &term) {
  std::optional<ScalarOp> scalar = matchScalarOp(term);
  if (!scalar || !isa<OpTy>(scalar->op))
    return std::nullopt;
  return scalar->operands;
}

/// Returns the value of a term that is the same floating-point constant
/// everywhere.
std::optional<APFloat> matchConstant(const Term &term);

/// Returns whether two terms over one domain are equal because they are
/// computed in the same way. May return false if the comparison takes too many
/// steps.
bool areSameTerms(const Term &lhs, const Term &rhs);

/// Returns whether dimension `dim` of the domain alone indexes a dimension of
/// some tensor that `term` reads. The size of `dim` is then the size of that
/// dimension, in every loop nest that computes this term.
bool readsAlong(const Term &term, int64_t dim);

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

enum class Combiner {
  Add,
  /// A maximum that propagates NaN.
  Maximum,
  /// A maximum that drops NaN.
  MaxNum,
  /// A maximum by a comparison and a select. The order of operands decides
  /// about NaN.
  MaxBySelect,
  /// A conjunction of i1. `Or` is a disjunction of i1.
  And,
  Or
};

inline bool isMax(Combiner combiner) {
  return combiner == Combiner::Maximum || combiner == Combiner::MaxNum ||
         combiner == Combiner::MaxBySelect;
}

/// A term that is the reduction of another term along one dimension of the
/// domain.
struct Reduction {
  OpResult result;
  /// A map from the domain to the dimensions of `result`.
  AffineMap index;
  Combiner combiner;
  /// The reduced dimension of the domain, and the term that is reduced along
  /// it.
  int64_t dim;
  Term element;
  /// The initial value of the reduction.
  Term init;
};

/// Matches a term that unfolds to a reduction. The term must depend on all
/// dimensions of the domain but one, not counting those of size 1. `domain` has
/// the static sizes of the domain.
std::optional<Reduction> matchReduction(const Term &term,
                                        ArrayRef<int64_t> domain);

//===----------------------------------------------------------------------===//
// Computing terms
//===----------------------------------------------------------------------===//

/// Computes terms in the payload of one elementwise linalg.generic. Add all
/// terms first, then build.
class TermBuilder {
public:
  explicit TermBuilder(ArrayRef<int64_t> domain) : domain(domain) {}

  /// Reads `to`, converted to the type of `from`, wherever `from` is needed.
  void replace(const Term &from, const Term &to) { replaced = {from, to}; }

  /// Registers `term` and the tensors that it reads. Fails if it contains a
  /// scalar that cannot be recomputed.
  LogicalResult add(const Term &term);

  /// Returns whether the sizes of the domain are static or known from the
  /// tensors that were registered.
  bool knowsSizes() const;

  /// Returns the sizes of the domain, which must be known.
  SmallVector<OpFoldResult> getSizes(OpBuilder &b, Location loc) const;

  /// Builds the op. `body` gets the values of the terms, in the order in which
  /// they were added, and returns the values to yield.
  linalg::GenericOp
  build(OpBuilder &b, Location loc, ValueRange inits,
        ArrayRef<AffineMap> initMaps,
        function_ref<SmallVector<Value>(OpBuilder &, Location, ArrayRef<Value>)>
            body);

private:
  LogicalResult collect(const Term &term);
  Value emit(OpBuilder &b, Location loc, const Term &term, ValueRange args);
  const Term *findExtent(int64_t dim) const;
  AffineMap getOperandMap(const Term &input) const;

  SmallVector<int64_t> domain;
  std::optional<std::pair<Term, Term>> replaced;
  SmallVector<Term> terms, inputs;
  DenseMap<std::pair<Value, AffineMap>, Value> emitted;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_ELEMENTTERM_H
