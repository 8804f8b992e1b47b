//===- ConcatOfBranches.h - Branches on the position as parts ---*- C++ -*-===//
//
// A pattern of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_CONCATOFBRANCHES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_CONCATOFBRANCHES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Returns whether the payload of `op`, which is elementwise, branches on a
/// position along a dimension of known size.
bool branchesOnPosition(linalg::GenericOp op);

/// Adds a pattern that rewrites an elementwise op whose payload branches on a
/// position as a concatenation of an op for each branch.
void populateConcatOfBranchesPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_CONCATOFBRANCHES_H
