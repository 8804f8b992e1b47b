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
  /// Null if all rows count.
  Value lengths;
  /// Of each dimension of the pool and of the table: where it is read, if that
  /// is the same for all elements, such as a layer; null otherwise.
  SmallVector<Value> poolAt, tableAt;
  int64_t sequenceDim = 0;
  /// As in `paged_gather`, without the dimensions that are read at one place.
  SmallVector<int64_t> batchDims, poolDims;
};

/// Finds out whether `op` is such an op. Builds no IR.
std::optional<PagesByPosition> matchPagesByPosition(linalg::LinalgOp op);

/// Builds the gather in front of `op`, from which `pages` is.
PagedGatherOp buildPagesByPosition(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const PagesByPosition &pages);

/// What `value`, an integer, is cast from with its sign.
Value skipIndexCasts(Value value);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_PAGESBYPOSITION_H
