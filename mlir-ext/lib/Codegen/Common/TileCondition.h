//===- TileCondition.h - Iterations in which a mask holds -------*- C++ -*-===//
//
// A mask is a condition on coordinates, such as `k <= q` or `k < length`, or
// such conditions combined by `and`, `or` and `not`. In a loop over tiles, the
// coordinates are affine in the induction variable and in the position in the
// tile. The iterations in which the mask holds for some point of the tile are a
// range, and so are those in which it holds for all points. Such a range is
// computed in three steps:
//   1. Read the condition from the payload (TileConditionReader::read).
//   2. Eliminate the positions in the tile (TileConditionReader::project).
//   3. Compute the range before the loop (TripRangeBuilder::build, in
//      TripRange.h).
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

struct RoundedQuotient;

/// A linear form: constant + sum of coefficient * value + sum of coefficient *
/// quotient. Assumes that the integers do not overflow.
struct LinearForm {
  int64_t constant = 0;
  SmallVector<std::pair<Value, int64_t>> terms;
  /// Quotients of other forms, such as the number of the chunk of a row.
  std::vector<RoundedQuotient> quotients;

  LinearForm() = default;
  explicit LinearForm(int64_t constant) : constant(constant) {}
  explicit LinearForm(Value value) : terms({{value, 1}}) {}
  /// Returns `dividend` / `divisor`, rounded down. `divisor` must be positive.
  static LinearForm divide(LinearForm dividend, int64_t divisor);

  /// Adds factor * other.
  void add(const LinearForm &other, int64_t factor = 1);
  /// Returns the coefficient of `value` outside of quotients.
  int64_t getCoefficient(Value value) const;
  bool isConstant() const { return terms.empty() && quotients.empty(); }
  bool dependsOn(Value value) const;
  /// Returns whether the form changes with `value` in one direction only: 1 if
  /// it does not decrease, -1 if it does not increase, 0 if it is independent.
  std::optional<int> getDirection(Value value) const;
  /// Calls `callback` for all values, also those in quotients.
  void forEachValue(function_ref<void(Value)> callback) const;
  /// Returns the form with `bound` instead of `value`.
  LinearForm replace(Value value, const LinearForm &bound) const;
};

/// coefficient * (dividend / divisor), rounded down.
struct RoundedQuotient {
  LinearForm dividend;
  int64_t divisor;
  int64_t coefficient;
};

/// A condition on a point of a tile, in one iteration of a loop.
struct TileCondition {
  enum class Kind { Unknown, AtMostZero, And, Or } kind = Kind::Unknown;
  LinearForm form;                     ///< AtMostZero: form <= 0.
  std::vector<TileCondition> operands; ///< And, Or.

  static TileCondition atMostZero(LinearForm form);
  static TileCondition constant(bool value);
  /// Returns the conjunction or disjunction (`kind` And or Or) of `operands`,
  /// and folds constant operands. Returns an unknown condition if it would be
  /// too large.
  static TileCondition combine(Kind kind, ArrayRef<TileCondition> operands);
  TileCondition negate() const;

  bool isUnknown() const { return kind == Kind::Unknown; }
  std::optional<bool> getConstant() const;
  bool dependsOn(Value value) const;
  /// Returns the number of linear forms, and of unknown parts.
  unsigned getNumForms() const;
};

/// Whether a condition must hold for some or for all points of a tile.
enum class Quantifier { Some, All };

/// Reads conditions from the payloads of the structured ops in the body of
/// `loop`. Loop-invariant values that can be computed before the loop are
/// symbols. A comparison of values that are not affine is unknown, and so is
/// one of values that may wrap around: in i32, coordinates of dynamic size and
/// symbols are taken to be less than 2^19. Builds no IR, except in `hoist`.
class TileConditionReader {
public:
  explicit TileConditionReader(scf::ForOp loop) : loop(loop) {}

  Value getInductionVar() const { return loop.getInductionVar(); }

  /// Reads `value`, an i1 in the payload of a structured op.
  TileCondition read(Value value) const {
    Conditions known;
    return read(value, known);
  }

  /// Reads the condition `offset` + the size of dimension `dim` of `tile` <=
  /// `length`: all rows that a loop gathers are below a length. `offset` may be
  /// null, for 0.
  TileCondition readEnd(Value offset, Value tile, int64_t dim,
                        Value length) const;

  /// Eliminates from `condition` all values but symbols and the induction
  /// variable of the loop. The result holds if `condition` holds for some (or
  /// all) points of the tile of an iteration. An unknown condition counts as
  /// true for `Some` and as false for `All`. The result is therefore never too
  /// strong for `Some` and never too weak for `All`.
  TileCondition project(const TileCondition &condition,
                        Quantifier quantifier) const;

  /// Returns whether `value` is loop-invariant and can be computed before the
  /// loop.
  bool isHoistable(Value value) const;
  /// Computes `value` before the loop, where `b` must be. `done` maps the
  /// values that are already hoisted.
  Value hoist(OpBuilder &b, Value value, IRMapping &done) const;

private:
  /// The forms of values that have been read.
  using Forms = DenseMap<Value, std::optional<LinearForm>>;

  std::optional<LinearForm> readLinear(Value value) const {
    Forms known;
    return readLinear(value, known);
  }
  std::optional<LinearForm> readLinear(Value value, Forms &known) const;
  std::optional<LinearForm> readArgument(BlockArgument arg, Forms &known) const;
  std::optional<LinearForm> readResult(Operation *op, Forms &known) const;
  std::optional<LinearForm> readAffine(AffineExpr expr, unsigned numDims,
                                       ValueRange operands, Forms &known) const;
  /// The conditions that have been read, by their values.
  using Conditions = DenseMap<Value, TileCondition>;
  TileCondition read(Value value, Conditions &known) const;
  TileCondition readNew(Value value, Conditions &known) const;
  TileCondition readCompare(arith::CmpIOp op) const;
  /// Returns linear forms whose minimum is an upper bound of `value`.
  SmallVector<LinearForm> readUpperBounds(Value value) const;
  bool isInLoop(Value value) const;

  /// The range of a value that can be eliminated: from `lower` to the minimum
  /// of `uppers`, both inclusive. An absent bound is unknown.
  struct Range {
    std::optional<LinearForm> lower;
    SmallVector<LinearForm> uppers;
  };
  Range getRange(Value variable) const;
  TileCondition projectForm(const LinearForm &form,
                            Quantifier quantifier) const;

  mutable scf::ForOp loop;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_TILECONDITION_H
