//===- EqualSizes.h - Sizes that must be equal ------------------*- C++ -*-===//
//
// A structured op takes the size of each of its loops from several operands. If
// one of these sizes is dynamic, upstream's verifier (22.1.8) compares none of
// the op. Sizes that differ are undefined behaviour at run time. Here they are
// compared, also through casts, reshapes and the ops in between; and callers
// learn which dimensions of arguments must agree.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_EQUALSIZES_H
#define MLIR_EXT_SUPPORT_EQUALSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::linalg_ext {

/// A dimension of an argument of a function. The results of the function are
/// numbered behind its arguments.
struct ArgumentDim {
  unsigned argument;
  int64_t dim;
};

/// Dimensions that have one size in each call, in the order of arguments.
struct EqualDims {
  /// The size, if it is known. Then `dims` has the dynamic ones alone.
  std::optional<int64_t> size;
  SmallVector<ArgumentDim> dims;
};

/// Returns which dimensions of the tensors or memrefs that `func` takes and
/// returns have one size, as far as the ops of its first block say so: these
/// always run. Each entry has something to compare: two dimensions, of which
/// one is dynamic at least, or a dynamic one of a known size.
SmallVector<EqualDims> getEqualDims(func::FuncOp func);

/// Emits an error at the first op, in the first block of a function in `scope`,
/// that takes the size of a loop from dimensions whose sizes are known to
/// differ, and fails.
LogicalResult checkEqualSizes(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_EQUALSIZES_H
