//===- SliceOfGather.h - Some columns or heads of gathered rows -*- C++ -*-===//
//
// Keys and values may lie in one pool, in turn.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::linalg_ext {

/// Builds, in front of `slice`, a gather that computes it: of a pool that is the same
/// slice. `slice` is of the result of `gather`, and drops no dimension. Returns null, and
/// builds nothing, if it leaves out rows or sequences, or if their number is not known,
/// or if it has a stride s along a dimension of other than s times its size.
Value sliceOfGatheredRows(RewriterBase &rewriter, PagedGatherOp gather,
                          tensor::ExtractSliceOp slice);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEOFGATHER_H
