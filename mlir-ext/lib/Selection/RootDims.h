//===- RootDims.h - Roles of the dimensions of a root -----------*- C++ -*-===//
//
// See RootDims.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SELECTION_ROOTDIMS_H
#define MLIR_EXT_LIB_SELECTION_ROOTDIMS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::linalg_ext {

/// The dimensions of a root, by the role that each of them has.
struct RootDims {
  /// The innermost reduction dimension, whose loop reduces online.
  unsigned keys = 0;
  /// The parallel dimensions of `online`, and the other reduction dimensions of
  /// the root.
  SmallVector<unsigned> rows, otherReductions;
  /// The dimensions in `rows` that other operands have as well.
  SmallVector<unsigned> batches;
  /// The parallel dimensions that `online` lacks.
  SmallVector<unsigned> columns;
  /// The sizes of all dimensions, which may be dynamic.
  SmallVector<int64_t> ranges;
  /// The operand that is computed from the nearest reduction, or from the given
  /// contraction.
  OpOperand *online = nullptr;

  /// Returns the number of rows of a batch. Unset if it is unknown.
  std::optional<int64_t> countRows() const;
  /// Returns the elements of the accumulator in a row. A dynamic dimension
  /// counts as 512.
  int64_t countColumns() const;
  /// Returns the bytes of an element of the operands of `root` other than
  /// `online`.
  int64_t getElementBytes(Operation *root) const;
};

/// Returns the roles of the dimensions of a root that reads what is computed
/// from `chained`, or, if that is null, from an online reduction. Fails if it
/// reads neither.
FailureOr<RootDims> getRootDims(Operation *root, Operation *chained);

/// Returns the roles of the dimensions of a root that reads a value computed
/// from reductions of rows that are not online, such as norms.
FailureOr<RootDims> getRowRootDims(Operation *root);

/// Returns the roles of the dimensions of a root that reduces the result of a
/// contraction, for example the nearest of some vectors or the sum of a
/// function of scores.
FailureOr<RootDims> getReducedProductDims(Operation *root);

/// Returns whether a root reduces what a contraction computes, with sums of
/// size `depth`, and has no columns of its own, such as the log-sum-exp of a
/// product. A tile of it then is a tile of that product.
bool isReducedProduct(const RootDims &dims, std::optional<int64_t> depth);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SELECTION_ROOTDIMS_H
