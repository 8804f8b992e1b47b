//===- TileCondition.h - When a condition holds in a tile -------*- C++ -*-===//
//
// A mask compares coordinates: `k <= q`, `k < length`, and what `and`, `or` and
// `not` make of such. In a loop over tiles the coordinates are affine in the
// induction variable and in the position in the tile, and the iterations in
// which such a condition holds somewhere in the tile, or everywhere, are a
// range. Here a condition is read (nothing is built), freed of the positions in
// the tile, and its range computed in front of the loop.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_TILECONDITION_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_TILECONDITION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <optional>
#include <vector>

namespace mlir::linalg_ext {

/// constant + sum of coefficient * value, over integers that do not overflow.
struct LinearForm {
  int64_t constant = 0;
  SmallVector<std::pair<Value, int64_t>> terms;

  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  explicit LinearForm(Value value) : terms({{value, 1}}) {}

  /// Adds factor * other.
  void add(const LinearForm &other, int64_t factor = 1);
  int64_t getCoefficient(Value value) const;
  bool isConstant() const { return terms.empty(); }
};

/// A condition on a point of a tile, in one iteration of a loop.
struct TileCondition {
  enum class Kind { Unknown, AtMostZero, And, Or } kind = Kind::Unknown;
  LinearForm form;                     ///< AtMostZero: form <= 0.
  std::vector<TileCondition> operands; ///< And, Or.

  static TileCondition atMostZero(LinearForm form);
  static TileCondition constant(bool value);
  /// Simplify constants; `kind` is And or Or.
  static TileCondition combine(Kind kind, ArrayRef<TileCondition> operands);
  TileCondition negate() const;

  bool isUnknown() const { return kind == Kind::Unknown; }
  std::optional<bool> getConstant() const;
  bool dependsOn(Value value) const;
};

/// Whether a condition is to hold for some or for all points of a tile.
enum class Quantifier { Some, All };

/// Reads conditions in the payloads of the structured ops in the body of
/// `loop`. Values that do not change in the loop and can be computed in front
/// of it are symbols. Comparisons of other things than affine functions are
/// unknown. Integers are assumed to be computed without overflow. Builds no IR.
class TileConditionReader {
public:
  explicit TileConditionReader(scf::ForOp loop) : loop(loop) {}

  Value getInductionVar() const { return loop.getInductionVar(); }

  /// Reads `value`, an i1 in the payload of a structured op.
  TileCondition read(Value value) const;

  /// Frees `condition` of everything but symbols and the induction variable of
  /// the loop, for the tile of one iteration. What is unknown holds for some
  /// points, and not for all: the result is never too narrow for `Some`, never
  /// too wide for `All`.
  TileCondition project(const TileCondition &condition,
                        Quantifier quantifier) const;

  /// Returns whether `value` is the same in every iteration and can be computed
  /// in front of the loop.
  bool isHoistable(Value value) const;
  /// Computes it there. `b` is in front of the loop; `done` keeps what was
  /// computed already.
  Value hoist(OpBuilder &b, Value value, IRMapping &done) const;

private:
  std::optional<LinearForm> readLinear(Value value) const;
  std::optional<LinearForm> readAffine(AffineExpr expr, unsigned numDims,
                                       ValueRange operands) const;
  TileCondition readCompare(arith::CmpIOp op) const;
  /// Linear forms of which the smallest is an upper bound of `value`.
  SmallVector<LinearForm> readUpperBounds(Value value) const;
  bool isInLoop(Value value) const;

  /// A value that a form can be freed of: it ranges from `lower` to the
  /// smallest of `uppers`, both included; nothing is known where they are
  /// absent.
  struct Range {
    std::optional<LinearForm> lower;
    SmallVector<LinearForm> uppers;
  };
  Range getRange(Value variable) const;
  TileCondition projectForm(const LinearForm &form,
                            Quantifier quantifier) const;

  mutable scf::ForOp loop;
};

/// Iterations of a loop, counted from 0: from `lower` to before `upper`. An
/// absent bound is the loop's own. Bounds may lie outside of the loop's, and an
/// empty range may have its bounds in any order.
struct TripRange {
  std::optional<OpFoldResult> lower, upper;
};

/// Computes ranges in front of `loop`, whose step must be a constant. The bounds
/// of the loop are those it has when this is made.
class TripRangeBuilder {
public:
  TripRangeBuilder(OpBuilder &b, scf::ForOp loop);

  /// Computes the iterations in which `condition`, which was projected for
  /// `quantifier`, holds. Of what is not a range: for `Some` the smallest range
  /// around it, for `All` the longest one in it that is found.
  TripRange build(const TileCondition &condition, Quantifier quantifier);
  TripRange intersect(const TripRange &lhs, const TripRange &rhs);
  /// Makes `first` and `second`, between which there may be a gap, disjoint and
  /// ordered. Fails where their bounds do not say which comes first, or that
  /// together they are one range.
  std::optional<std::pair<TripRange, TripRange>>
  separate(const TripRange &first, const TripRange &second);

  /// The bound of the loop that stands for trip `trip`.
  OpFoldResult getBound(OpFoldResult trip);
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs);
  Value materialize(OpFoldResult value);

private:
  TripRange buildForm(const LinearForm &form);
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

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_TILECONDITION_H
