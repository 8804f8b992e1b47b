//===- EqualSizes.h - Sizes that must be equal ------------------*- C++ -*-===//
//
// A structured op takes the size of each of its loops from several operands. If
// these sizes differ, the behaviour is undefined at run time. Upstream's
// verifier (22.1.8) compares them only if all sizes of the op are static. This
// file compares the static ones in any case, also through casts, reshapes and
// the ops in between. It also finds the dimensions of arguments that must
// agree, for callers to check.
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

/// Dimensions that have the same size in each call, in the order of arguments.
struct EqualDims {
  /// The size, if it is known. `dims` then has only the dynamic dimensions.
  std::optional<int64_t> size;
  SmallVector<ArgumentDim> dims;
};

/// Returns which dimensions of the tensors or memrefs that `func` takes and
/// returns must have the same size, as far as the ops of its entry block, which
/// always run, require it. Each entry has something to check at run time: two
/// dimensions, at least one of them dynamic, or one dynamic dimension whose
/// size is known.
SmallVector<EqualDims> getEqualDims(func::FuncOp func);

/// Fails, with an error at the first op in the entry block of a function in
/// `scope` that takes the size of one loop from dimensions of different known
/// sizes.
LogicalResult checkEqualSizes(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_EQUALSIZES_H
