//===- ReduceOps.h - Make a failing program small ---------------*- C++ -*-===//
//
// The pass reduce-ops, of linalg-ext-reduce only.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_REDUCE_REDUCEOPS_H
#define MLIR_EXT_TOOLS_LINALG_EXT_REDUCE_REDUCEOPS_H

namespace mlir::linalg_ext {

/// Registers the pass reduce-ops. Its options are those of upstream's
/// reduction-tree: `test`, the program that gets the name of a file and exits
/// with 1 if it is interesting, and `test-arg`.
void registerReduceOpsPass();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_REDUCE_REDUCEOPS_H
