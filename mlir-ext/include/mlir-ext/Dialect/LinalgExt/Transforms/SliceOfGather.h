//===- SliceOfGather.h - Some columns or heads of gathered rows -*- C++ -*-===//
//
// A pool may have keys and values side by side. A slice of the gathered rows
// then takes the keys only. It is better gathered from a slice of the pool.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {

/// Builds, before `slice`, a gather that computes the result of `slice` from a
/// slice of the pool. `slice` must take a slice of the result of `gather`, and
/// drop no dimension. Returns null, and builds nothing, if the slice leaves out
/// rows or sequences, or may do so. Also returns null if a dimension has a
/// stride s and its size is not s times the size of the slice.
Value sliceOfGatheredRows(RewriterBase &rewriter, PagedGatherOp gather,
                          tensor::ExtractSliceOp slice);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H
