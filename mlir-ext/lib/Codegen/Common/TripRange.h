//===- TripRange.h - Ranges of iterations of a loop -------------*- C++ -*-===//
//
// The last step of TileCondition.h: IR before a loop that computes in which of
// its iterations a condition holds.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_TRIPRANGE_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_TRIPRANGE_H

#include "TileCondition.h"

#include <optional>

namespace mlir::linalg_ext {

/// A half-open range [lower, upper) of iterations of a loop, counted from 0. An
/// absent bound stands for the loop's bound. Bounds may lie outside of those of
/// the loop. `upper` < `lower` is an empty range.
struct TripRange {
  std::optional<OpFoldResult> lower, upper;
};

/// Returns whether `upper` is at most `more` more than `lower`, two numbers of
/// iterations, because of what divides and bounds the values that they are
/// computed from.
bool isAtMostMore(OpFoldResult upper, OpFoldResult lower, int64_t more);

/// Builds IR before `loop` that computes ranges. The step of `loop` must be a
/// constant. The constructor reads the bounds of `loop`; later changes of them
/// have no effect.
class TripRangeBuilder {
public:
  TripRangeBuilder(OpBuilder &b, scf::ForOp loop);

  /// Computes the iterations in which `condition` holds. `condition` must be
  /// projected for `quantifier`. If they are not a range, returns the smallest
  /// range that contains them for `Some`, and a long range that they contain
  /// for `All`.
  TripRange build(const TileCondition &condition, Quantifier quantifier);
  TripRange intersect(const TripRange &lhs, const TripRange &rhs);
  /// Makes `first` and `second` disjoint and ordered. There may be a gap
  /// between them. Returns std::nullopt if one of them is known to be empty, or
  /// if it is not known that `first` starts or `second` ends with the loop.
  std::optional<std::pair<TripRange, TripRange>>
  separate(const TripRange &first, const TripRange &second);

  /// Returns the value of the induction variable in iteration `trip`.
  OpFoldResult getBound(OpFoldResult trip);
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs);
  Value materialize(OpFoldResult value);

private:
  TripRange buildForm(const LinearForm &form);
  /// Returns `form` without the induction variable, in new dimensions for
  /// `operands`.
  AffineExpr buildSymbols(const LinearForm &form,
                          SmallVector<OpFoldResult> &operands);
  TripRange unite(const TripRange &lhs, const TripRange &rhs,
                  Quantifier quantifier);
  OpFoldResult getNumTrips();
  Value lessThan(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult select(Value condition, OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands);

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  TileConditionReader reader;
  OpFoldResult lowerBound, upperBound;
  int64_t step;
  IRMapping hoisted;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_TRIPRANGE_H
