//===- StepsOfPositions.h - Positions that grow evenly ----------*- C++ -*-===//
//
// The differences of the positions of a tile from row to row, or from column to
// column. As elsewhere, index arithmetic is assumed not to overflow.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STEPSOFPOSITIONS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STEPSOFPOSITIONS_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::vector_ext {

/// Returns d if each element of `value`, a vector of integers, is the first one
/// along `dim` plus d times the coordinate along `dim`, and |d| is small.
std::optional<int64_t> getStep(Value value, int64_t dim);

/// Builds the first elements along `dim` of `value`, which has a step there: a
/// vector without this dimension, or a scalar.
Value buildFirst(OpBuilder &b, Value value, int64_t dim);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_STEPSOFPOSITIONS_H
