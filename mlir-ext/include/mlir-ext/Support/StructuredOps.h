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

/// Whether `op` is a contraction, and each operand has a parallel loop that the
/// other lacks (m and n). So it uses elements of both operands more than once.
bool isMatrixProduct(linalg::LinalgOp op);

/// Whether `op` uses each element of one operand for at most `most` rows. `map`
/// is the indexing map of that operand; the rows are the iterations of the
/// parallel loops that the map lacks. `ranges` are the trip counts of the loops
/// of `op`; a dynamic one counts as more than `most`.
bool meetsFewRows(linalg::LinalgOp op, AffineMap map, ArrayRef<int64_t> ranges,
                  int64_t most);

/// A reduction whose partial results `combiner` combines in any order.
struct CombinedReduction {
  /// What each iteration contributes.
  Value term;
  Operation *combiner;
};

/// Returns how `op` reduces into its output `number`. Returns std::nullopt
/// unless a single op combines the partial results, with a
/// vector::CombiningKind that has a neutral element.
std::optional<CombinedReduction> getReduction(linalg::LinalgOp op,
                                              unsigned number);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_STRUCTUREDOPS_H
