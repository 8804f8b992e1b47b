//===- MergeLoops.h - Loops over contiguous dimensions ----------*- C++ -*-===//
//
// Rewrites products, and ops around them, before workgroups tile them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_MERGELOOPS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_MERGELOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Merges two rows of loops of each product in `scope`, outside of workgroups,
/// that are contiguous in all that it and the ops around it read and write, if
/// tiles of the inner one do not divide it.
void mergeLoops(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_MERGELOOPS_H
