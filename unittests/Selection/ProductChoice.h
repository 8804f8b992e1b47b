//===- ProductChoice.h - Kernels that tests let choose ----------*- C++ -*-===//

#ifndef LINALG_EXT_UNITTESTS_SELECTION_PRODUCTCHOICE_H
#define LINALG_EXT_UNITTESTS_SELECTION_PRODUCTCHOICE_H

#include "mlir-ext/Selection/ProductTiles.h"

/// All ways to multiply, without exchanged operands.
inline mlir::vector_ext::ProductWays getAllWays() {
  return {/*sync=*/true, /*async=*/true, /*roles=*/true, /*persistent=*/true};
}

/// Returns the kernel of one product that sums `depth` elements, where threads
/// that wait for their operands would have tiles of 128 x 128.
inline mlir::linalg_ext::ProductKernel
choose(const mlir::linalg_ext::ProductSizes &sizes, int64_t depth,
       const mlir::linalg_ext::ProductLimits &limits) {
  mlir::linalg_ext::ProductKernel sync;
  sync.rows = sync.columns = 128;
  return mlir::linalg_ext::chooseProductKernel(sizes, depth, 1, sync, limits);
}

#endif // LINALG_EXT_UNITTESTS_SELECTION_PRODUCTCHOICE_H
