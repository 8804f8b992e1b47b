//===- UnfusedChains.h - Tensors that fusion need not store -----*- C++ -*-===//
//
// Finds tensors that are stored between a reduction and an accumulation, where
// the accumulation depends on the reduction and runs along the same dimension.
// Loops over tiles of that dimension could carry both and need not store the
// tensor. The analysis knows no op by name.
//
//   %s = contraction -> [m, k]         stored
//   %r = reduction of %s along k       m elements
//   %p = elementwise in %s, %r
//   %o = accumulation of %p along k    fewer elements than %s
//
// Without %r, %p is elementwise in %s alone, and %o is a contraction: attention
// whose weights are not normalised (sigmoid attention, retention).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H
#define MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::linalg_ext {

struct UnfusedChain {
  /// The stored tensor, which is the result of an op.
  Value stored;
  /// The dimension of the stored tensor that is reduced.
  unsigned dim = 0;
  /// The first reduction along this dimension on which an accumulation depends.
  /// Null if there is none: then the only accumulation is a contraction, and
  /// the stored tensor is contracted, too.
  Operation *reduction = nullptr;
  /// The last accumulations of the chain: they depend on a reduction, and no
  /// other accumulation of the chain depends on them. Those with the most loops
  /// come first, then program order decides.
  SmallVector<Operation *> accumulations;
  /// The stored tensor is the result of a reduction, such as a matrix product,
  /// so no operand of the chain is as large. If false, the tensor is computed
  /// elementwise from tensors that are in memory anyway.
  bool isContracted = false;
  /// The chain has an online reduction, a maximum or a minimum. If false, it
  /// has only sums, as norms do.
  bool isOnline = false;
  /// The only accumulation reduces a contraction, or a function of it.
  bool isReducedProduct = false;
};

/// Returns the number of elements of `type`. Counts `dynamicSize` for each
/// dynamic dimension.
uint64_t countElements(ShapedType type, int64_t dynamicSize = 1024);

/// Returns the number of bytes of a ranked tensor of integers or floats, with
/// 1024 for each dynamic dimension; 0 for other values.
uint64_t countBytes(Value value);

/// Returns the chains of ops in `block`, in program order. There is at most one
/// chain for a tensor and everything computed from it elementwise. Leaves out
///
/// - tensors that some op needs as a whole, since an equally large tensor is
///   stored anyway;
/// - tensors that are no larger than the results of the accumulations, which
///   loops would carry;
/// - tensors whose traffic (one write and one read) is less than a tenth of
///   that of the operands and results of the chain.
SmallVector<UnfusedChain> findUnfusedChains(Block &block);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H
