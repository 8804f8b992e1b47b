//===- BroadcastBranches.h - Branches without a branch ----------*- C++ -*-===//
//
// Patterns of the first step of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces an `scf.if` that repeats a tensor along a dimension if its size is
/// 1 there, and yields the tensor otherwise, by the tensor, if the result is
/// known to have the size of the tensor. Replaces one whose branches compute
/// little for an element by a choice of elements.
void populateBroadcastBranchesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H
