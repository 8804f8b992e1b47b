//===- IndexPolynomial.h - Index arithmetic as polynomials ------*- C++ -*-===//
//
// Represents offsets and sizes of tiles as polynomials with integer
// coefficients. Polynomials answer questions that ValueBoundsOpInterface cannot
// answer: whether an offset is a multiple of a product of (dynamic) sizes, and
// how far it is from the next multiple.
//
// A symbol of a polynomial is one of:
//   - a dynamic size;
//   - the iteration number of a loop: an induction variable is
//     lower bound + iteration * step;
//   - a value that the analysis does not look into.
// Two sizes are one symbol if ValueBoundsOpInterface proves them equal.
//
//   %o = affine.apply (d0 * s0 + d1)(%i, %j)[%n]    i = 4 I, j = 32 J
//   => 4 I n + 32 J
//
// The analysis assumes that index arithmetic does not overflow.
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

/// A polynomial with coefficients of type int64_t over numbered symbols.
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

  /// Returns the value if the polynomial has no symbols, std::nullopt
  /// otherwise.
  std::optional<int64_t> getConstant() const;
  /// Returns the coefficient of the term without symbols, 0 if there is none.
  int64_t getConstantTerm() const;

  /// Splits the terms into those that `divisor` divides and the rest. Returns
  /// the quotient of the former and the sum of the latter. If `divisor` is 0 or
  /// has more than one term, it divides no term.
  std::pair<IndexPolynomial, IndexPolynomial>
  divideTerms(const IndexPolynomial &divisor) const;
  /// Returns whether every term is divisible by `divisor`.
  bool isMultipleOf(const IndexPolynomial &divisor) const;

  /// Returns the greatest common divisor of `start` and of all coefficients. If
  /// `withConstant` is false, leaves out the constant term.
  int64_t getGCD(int64_t start = 0, bool withConstant = true) const;

  /// Returns the terms: a map from the sorted symbols of the term (empty for
  /// the constant term) to its coefficient. No coefficient is 0.
  const std::map<std::vector<unsigned>, int64_t> &getTerms() const {
    return terms;
  }

private:
  void addTerm(std::vector<unsigned> symbols, int64_t coefficient);

  std::map<std::vector<unsigned>, int64_t> terms;
};

/// Computes the polynomials of values. Creates no IR. The results are cached,
/// so the analysis is invalid once the IR that it has visited changes.
class IndexAnalysis {
public:
  /// Returns the polynomial of `value`, an index.
  IndexPolynomial get(OpFoldResult value);
  /// Returns the size of `tensor` along `dim`, in elements.
  IndexPolynomial getSize(Value tensor, int64_t dim);
  /// Uses `size` for the size of `tensor` along `dim` from now on. Has an
  /// effect only if this size is a single symbol so far.
  void setSize(Value tensor, int64_t dim, const IndexPolynomial &size);
  /// Returns polynomials whose minimum is `value`: several for an affine.min or
  /// a positive multiple of one, otherwise the polynomial of `value` alone.
  std::vector<IndexPolynomial> getMinimumOf(OpFoldResult value);

  /// Returns true if `polynomial` is provably >= 0, false if this is not known.
  bool isNonNegative(const IndexPolynomial &polynomial);

  /// Returns a constant or an already visited value that equals `polynomial`,
  /// or null if there is none. Uses `b` only to create attributes.
  OpFoldResult find(Builder &b, const IndexPolynomial &polynomial) const;

private:
  struct Symbol {
    Value value; ///< null if the symbol stands for no value in the IR
    std::optional<int64_t> dim;
    bool isIteration = false; ///< iteration number of the loop of `value`
    std::optional<bool> nonNegative;
    std::optional<IndexPolynomial> known; ///< its replacement, from setSize
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
