//===- ElementTerm.h - Tensor computations element by element ---*- C++ -*-===//
//
// A way to read structured ops that does not depend on how they are spelled.
//
// A *term* is a scalar that depends on a point of an iteration domain D. It is
// one of
//
//   value of             index: D ->            the scalar
//   a ranked tensor      its dimensions         the element at that index
//   a linalg payload     the loops of its op    the value in that iteration
//   any other scalar     nothing                the value itself
//
// Terms unfold towards their definition, one step at a time: a payload argument
// is an element of the operand, an element of an elementwise op's result is
// what its payload yields, and so on through reshapes that only add or drop
// dimensions of size 1. Named ops, generics, linalg.map, linalg.elementwise,
// broadcasts, transposes and fills all unfold by the same rule, because all of
// them are LinalgOps. What does not unfold further is a scalar op, a constant,
// a reduction, or a leaf.
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
  /// From the domain to the dimensions of `value` (tensor), the loops around it
  /// (payload), or nothing.
  AffineMap index;

  bool isTensorElement() const {
    return isa<RankedTensorType>(value.getType());
  }
  Type getType() const { return getElementTypeOrSelf(value.getType()); }
  /// Where in the tensor the domain's dimension `dim` stands alone; -1 if
  /// nowhere.
  int64_t findDim(int64_t dim) const;

  friend bool operator==(const Term &lhs, const Term &rhs) {
    return lhs.value == rhs.value && lhs.index == rhs.index;
  }
};

/// The term of `value`, visible in the payload of `op`, over the loops of `op`.
Term getPayloadTerm(linalg::LinalgOp op, Value value);

/// The term of an element of `tensor`.
Term getTensorTerm(Value tensor, AffineMap index);

/// What `term` is one step towards its definition, if it unfolds.
std::optional<Term> unfoldOnce(const Term &term);

/// Unfolds a payload argument to the operand it stands for; other terms are
/// returned as they are.
Term unfoldArgument(const Term &term);

/// Unfolds `term` as far as possible.
Term unfold(Term term);

/// The pure, regionless scalar op that `term` unfolds to the result of, with
/// the terms of its operands.
struct ScalarOp {
  Operation *op;
  SmallVector<Term> operands;
};
std::optional<ScalarOp> matchScalarOp(const Term &term);

/// As above, if the op is an `OpTy`; its operands.
template <typename OpTy>
std::optional<SmallVector<Term>> matchScalarOp(const Term &term) {
  std::optional<ScalarOp> scalar = matchScalarOp(term);
  if (!scalar || !isa<OpTy>(scalar->op))
    return std::nullopt;
  return scalar->operands;
}

/// The value of a term that is the same floating-point constant everywhere.
std::optional<APFloat> matchConstant(const Term &term);

/// Whether two terms over one domain are equal because they are computed alike.
/// False may also mean that it was not worth finding out.
bool areSameTerms(const Term &lhs, const Term &rhs);

/// Whether some tensor that `term` reads is indexed by the domain's dimension
/// `dim` alone. The extent of `dim` is then that of the tensor, in every loop
/// nest that computes this term.
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
  /// A maximum by comparison and selection; the order decides about NaN.
  MaxBySelect,
  /// Of i1.
  And,
  Or
};

inline bool isMax(Combiner combiner) {
  return combiner == Combiner::Maximum || combiner == Combiner::MaxNum ||
         combiner == Combiner::MaxBySelect;
}

/// A term that is the reduction of another along one dimension of the domain.
struct Reduction {
  OpResult result;
  /// From the domain to the dimensions of `result`.
  AffineMap index;
  Combiner combiner;
  /// The dimension of the domain, and what is reduced along it.
  int64_t dim;
  Term element;
  /// What the reduction starts from.
  Term init;
};

/// Matches a term that unfolds to a reduction and that depends on all
/// dimensions of the domain but one, besides those of size 1. `domain` holds
/// the static sizes of the domain.
std::optional<Reduction> matchReduction(const Term &term,
                                        ArrayRef<int64_t> domain);

//===----------------------------------------------------------------------===//
// Computing terms
//===----------------------------------------------------------------------===//

/// Rewrites terms as the payload of one elementwise linalg.generic. Usage: add
/// the terms, then build.
class TermBuilder {
public:
  explicit TermBuilder(ArrayRef<int64_t> domain) : domain(domain) {}

  /// Wherever `from` is needed, reads `to` instead (converted to its type).
  void replace(const Term &from, const Term &to) { replaced = {from, to}; }

  /// Registers `term` and the tensors it reads; fails if it contains a scalar
  /// that cannot be recomputed.
  LogicalResult add(const Term &term);

  /// Whether the domain is static or the tensors read so far tell its sizes.
  bool knowsSizes() const;

  /// The sizes of the domain; they must be known.
  SmallVector<OpFoldResult> getSizes(OpBuilder &b, Location loc) const;

  /// Builds the op. `body` maps the values of the terms, in the order in which
  /// they were added, to what is yielded.
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
