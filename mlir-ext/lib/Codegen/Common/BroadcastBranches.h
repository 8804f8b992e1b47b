//===- BroadcastBranches.h - Branches without a branch ----------*- C++ -*-===//
//
// Patterns of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Adds two patterns for `scf.if`. One that broadcasts a tensor along a
/// dimension if its size is 1 there, and yields it otherwise, is replaced by
/// the tensor if the result is known to have its size. One whose branches
/// compute little for an element is replaced by a selection of elements.
void populateBroadcastBranchesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_BROADCASTBRANCHES_H
