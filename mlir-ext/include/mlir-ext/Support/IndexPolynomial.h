//===- IndexPolynomial.h - Index arithmetic as polynomials ------*- C++ -*-===//
//
// Offsets and sizes of tiles as polynomials with integer coefficients, for
// questions that value bounds cannot answer: whether an offset is a multiple of
// a product of (dynamic) sizes, and how far it is from the next multiple.
//
// The symbols of a polynomial are dynamic sizes, iterations of loops (an
// induction variable is lower bound + iteration * step) and values of which
// nothing is known. Two sizes that value bounds prove equal are one symbol.
//
//   %o = affine.apply (d0 * s0 + d1)(%i, %j)[%n]    i = 4 I, j = 32 J
//   => 4 I n + 32 J
//
// Index arithmetic is taken not to overflow.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_INDEXPOLYNOMIAL_H
#define MLIR_EXT_SUPPORT_INDEXPOLYNOMIAL_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <optional>
#include <vector>

namespace mlir::linalg_ext {

class IndexPolynomial {
public:
  IndexPolynomial(int64_t constant = 0);
  static IndexPolynomial symbol(unsigned number);

  IndexPolynomial operator+(const IndexPolynomial &other) const;
  IndexPolynomial operator-(const IndexPolynomial &other) const;
  IndexPolynomial operator*(const IndexPolynomial &other) const;
  bool operator==(const IndexPolynomial &other) const {
    return terms == other.terms;
  }

  std::optional<int64_t> getConstant() const;
  int64_t getConstantTerm() const;

  /// The quotient of the terms that are divisible by `divisor`, and the sum of
  /// the others. A divisor that is no single term, or is 0, divides nothing.
  std::pair<IndexPolynomial, IndexPolynomial>
  divideTerms(const IndexPolynomial &divisor) const;
  /// Returns whether every term is divisible by `divisor`.
  bool isMultipleOf(const IndexPolynomial &divisor) const;

  /// The greatest common divisor of `start` and the coefficients; without
  /// `withConstant`, of those that have symbols.
  int64_t getGCD(int64_t start = 0, bool withConstant = true) const;

  /// The product of symbols of each term (empty for the constant) and its
  /// coefficient, which is not 0.
  const std::map<std::vector<unsigned>, int64_t> &getTerms() const {
    return terms;
  }

private:
  void addTerm(std::vector<unsigned> symbols, int64_t coefficient);

  std::map<std::vector<unsigned>, int64_t> terms;
};

/// Makes polynomials of values. Creates no IR; valid while the IR that it has
/// looked at stays as it is.
class IndexAnalysis {
public:
  IndexPolynomial get(OpFoldResult value);
  /// The size of `tensor` along `dim`.
  IndexPolynomial getSize(Value tensor, int64_t dim);
  /// Takes `size` for the size of `tensor` along `dim` from now on, where the
  /// IR says no more about that.
  void setSize(Value tensor, int64_t dim, const IndexPolynomial &size);
  /// Polynomials that `value` is the least of.
  std::vector<IndexPolynomial> getMinimumOf(OpFoldResult value);

  /// Returns false where it cannot be proved.
  bool isNonNegative(const IndexPolynomial &polynomial);

  /// A constant or a value met so far that is `polynomial`; null if there is
  /// none. `b` makes attributes only.
  OpFoldResult find(Builder &b, const IndexPolynomial &polynomial) const;

private:
  struct Symbol {
    Value value; ///< null for one that equals no other
    std::optional<int64_t> dim;
    bool isIteration = false; ///< the number of an iteration, not `value`
    std::optional<bool> nonNegative;
    std::optional<IndexPolynomial> known; ///< what it is in other terms
  };

  IndexPolynomial getValue(Value value);
  IndexPolynomial getInductionVariable(BlockArgument arg);
  IndexPolynomial getExpr(AffineExpr expr, unsigned numDims,
                          ValueRange operands);
  IndexPolynomial getSymbol(Value value, std::optional<int64_t> dim);
  IndexPolynomial makeSymbol(Symbol symbol);

  std::vector<Symbol> symbols;
  llvm::MapVector<Value, IndexPolynomial> cache;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_INDEXPOLYNOMIAL_H
