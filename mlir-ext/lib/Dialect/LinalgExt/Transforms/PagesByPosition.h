//===- PagesByPosition.h - Gathers of pages at a position -------*- C++ -*-===//
//
// Private to RaisePagedGather. Programs also divide the position in a sequence
// by the number of rows in a page:
//
//   pool[table[b, s / rows], s mod rows, ...]
//
// in the payload of a structured op, and select zero behind a length.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAGESBYPOSITION_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAGESBYPOSITION_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::linalg_ext {

/// A structured op that gathers rows of pages at positions.
struct PagesByPosition {
  Value pool, table;
  /// The lengths of the sequences. Null if all rows are gathered.
  Value lengths;
  /// For each dimension of the pool and of the table: the position at which it
  /// is read, if that is the same for all elements (a layer, for example). Null
  /// otherwise.
  SmallVector<Value> poolAt, tableAt;
  int64_t sequenceDim = 0;
  /// The attributes of `paged_gather`, without the dimensions that are read at
  /// a fixed position.
  SmallVector<int64_t> batchDims, poolDims;
};

/// Returns the description of `op` if it is such a gather. Builds no IR.
std::optional<PagesByPosition> matchPagesByPosition(linalg::LinalgOp op);

/// Builds the gather that `pages` describes before `op`.
PagedGatherOp buildPagesByPosition(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const PagesByPosition &pages);

/// Returns the integer from which `value` is cast with its sign.
Value skipIndexCasts(Value value);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAGESBYPOSITION_H
