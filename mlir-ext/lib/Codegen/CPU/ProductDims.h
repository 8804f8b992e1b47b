//===- ProductDims.h - Dimensions of products by their roles ----*- C++ -*-===//
//
// Private to Codegen/CPU. Used by TileProducts.cpp and SplitRows.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_PRODUCTDIMS_H
#define MLIR_EXT_LIB_CODEGEN_CPU_PRODUCTDIMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// The loops of a contraction by the roles they play. The last of the columns
/// is the last dimension of the result. Heads of a projection count as columns.
struct ProductDims {
  SmallVector<unsigned> batches, rows, columns, sums;
};

/// Returns the loops of `op`, or failure if it is not a contraction of two
/// tensors.
FailureOr<ProductDims> getProductDims(linalg::LinalgOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_PRODUCTDIMS_H
