//===- TiedDestination.h - Where a value is computed ------------*- C++ -*-===//
//
// Finds the destination in which a value is computed.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_TIEDDESTINATION_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_TIEDDESTINATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::linalg_ext {

/// Returns the destination operand of the op that computes `value`, or null.
inline OpOperand *getTiedDestination(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return dps.getTiedOpOperand(result);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner()))
    return loop.getTiedLoopInit(result);
  return nullptr;
}

/// If each region of `branch` computes result `number` in place of one tensor
/// from before the branch, or yields that tensor, returns the tensor, and
/// appends its uses there to `starts`. Regions may have other such branches.
/// Returns null otherwise, and if no region computes anything.
Value getStartOfBranch(scf::IfOp branch, unsigned number,
                       SmallVectorImpl<OpOperand *> &starts);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_TIEDDESTINATION_H
