//===- UnfusedChains.h - What is stored though one loop would do -*- C++ -*-==//
//
// Finds tensors that are stored between a reduction and an accumulation that
// depends on it and runs along the same dimension: loops over tiles of that
// dimension would carry both and store nothing. No op is known by name.
//
//   %s = contraction -> [m, k]         stored
//   %r = reduction of %s along k       m elements
//   %p = elementwise in %s, %r
//   %o = accumulation of %p along k    fewer elements than %s
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H
#define MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::linalg_ext {

struct UnfusedChain {
  /// The tensor that is stored, the result of an op.
  Value stored;
  /// The dimension of it that is reduced.
  unsigned dim = 0;
  /// The first reduction along it, on which the accumulation depends.
  Operation *reduction = nullptr;
  /// The accumulations that depend on a reduction, and on which no other one
  /// depends; those with the most loops first, then in program order.
  SmallVector<Operation *> accumulations;
  /// What is stored has been summed up itself, as a product is: no operand of
  /// the chain is as large. Otherwise it is computed elementwise from something
  /// that is in memory anyway.
  bool isContracted = false;
  /// The chain has an online reduction, a maximum or a minimum; otherwise only
  /// sums, as norms have.
  bool isOnline = false;
};

/// Elements of `type`, those of a dimension of dynamic size being
/// `dynamicSize`.
uint64_t countElements(ShapedType type, int64_t dynamicSize = 1024);

/// Returns the chains of ops in `block`, in program order: one for each tensor
/// that is not itself computed, elementwise, from that of another chain. Not
/// among them are tensors of which all that is stored anyway, because somebody
/// else needs it, is as large; tensors that are no larger than what the
/// accumulations have as results, which loops would carry; and tensors that
/// hardly count beside the operands of the chain.
SmallVector<UnfusedChain> findUnfusedChains(Block &block);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_UNFUSEDCHAINS_H
