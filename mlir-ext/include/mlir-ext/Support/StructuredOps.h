//===- StructuredOps.h - What structured ops compute ------------*- C++ -*-===//
//
// Questions about a linalg op that several passes ask.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_STRUCTUREDOPS_H
#define MLIR_EXT_SUPPORT_STRUCTUREDOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// Whether `op` reads no tensor or memref and reduces nothing, as `linalg.fill`
/// does.
bool isFill(linalg::LinalgOp op);
/// The same of any op, which may be null.
bool isFill(Operation *op);

/// Whether `op` is a contraction with a loop of each operand that the other
/// operand lacks (m and n), so that it uses elements of both more than once.
bool isMatrixProduct(linalg::LinalgOp op);

/// Whether at most `most` rows meet each element of an operand of `op` with the
/// indexing map `map`: the iterations of the parallel loops that it lacks.
/// `ranges` are those of the loops; a dynamic one counts as more.
bool meetsFewRows(linalg::LinalgOp op, AffineMap map, ArrayRef<int64_t> ranges,
                  int64_t most);

/// A reduction whose partial results `combiner` combines in any order.
struct CombinedReduction {
  /// What each iteration contributes.
  Value term;
  Operation *combiner;
};

/// Returns how output `number` of `op` is reduced, if one op does that which is
/// a vector::CombiningKind and has a neutral element.
std::optional<CombinedReduction> getReduction(linalg::LinalgOp op,
                                              unsigned number);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_STRUCTUREDOPS_H
