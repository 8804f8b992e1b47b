//===- RowsInPool.h - Where rows of a sequence lie --------------*- C++ -*-===//
//
// Private to TileToPages and GatherByRows. Looks up a tile of rows, before the
// rows are read as one slice of the pool.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_ROWSINPOOL_H
#define MLIR_EXT_LIB_CODEGEN_CPU_ROWSINPOOL_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

namespace mlir::linalg_ext {

/// Where a tile of rows is in the pool, and whether it is there as one slice.
struct RowsInPool {
  /// The page and the row in it of the first row. `page` is null if the pool is
  /// packed.
  Value page, row;
  /// An i1: whether all rows exist and are in one page.
  Value exist;
};

/// Builds code that locates the rows [iv, iv + size) of the result of `gather`,
/// of the sequence with index `sequence[i]` along its batch dimension i. The
/// rows exist only if there are `numRows` of them. Reads the table only where
/// an entry of the sequence is.
RowsInPool locateRows(OpBuilder &b, PagedGatherOp gather, ValueRange sequence,
                      Value iv, OpFoldResult size, int64_t numRows);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_ROWSINPOOL_H
