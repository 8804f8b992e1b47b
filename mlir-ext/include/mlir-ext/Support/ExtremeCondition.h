//===- ExtremeCondition.h - When a term replaces an extreme -----*- C++ -*-===//
//
// An arg-max takes a term, and its position, if a condition holds. Importers
// write the condition in several ways, and differ in what they do with NaN:
// torch-mlir compares once, TOSA's lowering keeps the first NaN, and JAX the
// last one. What counts is in which order of the two numbers a condition holds.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_EXTREMECONDITION_H
#define MLIR_EXT_SUPPORT_EXTREMECONDITION_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::linalg_ext {

/// Which NaN replaces an extreme: none, the first one, which then stays, or
/// each one.
enum class NaNTerms { None, First, Last };

/// A condition under which a term replaces the extreme: it is greater (or
/// less), or it is a NaN that counts. Equal terms never replace it, and no term
/// does once `stop` is not 0.
struct ExtremeCondition {
  bool isMax = true;
  /// Whether unsigned integers are compared.
  bool isUnsigned = false;
  NaNTerms nans = NaNTerms::None;
  Value term;
  /// A flag that the reduction carries, or null. It is compared with 0.
  BlockArgument stop;
  /// The comparisons that the condition consists of.
  SmallVector<Operation *, 2> comparisons;

  /// Whether the same holds of the same term.
  bool isEqual(const ExtremeCondition &other) const {
    return isMax == other.isMax && isUnsigned == other.isUnsigned &&
           nans == other.nans && term == other.term && stop == other.stop;
  }
};

/// Returns what `condition` says of a term and of the extreme `acc`. It is
/// computed from comparisons of these two, by and, or, exclusive or and
/// constants, and perhaps by `and` from a comparison of a flag with 0. Returns
/// std::nullopt if it is something else.
std::optional<ExtremeCondition> matchExtremeCondition(Value condition,
                                                      Value acc);

/// Builds `condition` for other values. `stop` is null if that of `condition`
/// is.
Value buildExtremeCondition(OpBuilder &b, Location loc,
                            const ExtremeCondition &condition, Value term,
                            Value acc, Value stop);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_EXTREMECONDITION_H
