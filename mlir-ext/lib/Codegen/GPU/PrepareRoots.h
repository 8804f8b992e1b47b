//===- PrepareRoots.h - Ops before their workgroups -------------*- C++ -*-===//
//
// Private to TileToWorkgroups. Changes ops before they become roots, so that
// there are fewer kernels, or kernels with more workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Gives workgroups below `scope` fills of their own. CSE may have merged them
/// with a fill before the workgroups, which would be another kernel.
void fillInWorkgroups(RewriterBase &rewriter, Operation *scope);

/// If an op computes a single element from other elements, such as a scale from
/// a maximum, copies it for each op that reads it. With several readers, it
/// would be a separate kernel.
void computeScalarsAgain(RewriterBase &rewriter, Operation *scope);

/// If `op` reduces a large tensor to one element, such as its maximum, inserts
/// a reduction of the rows before it, which several workgroups compute.
/// Otherwise one workgroup would have to read the whole tensor.
void reduceRowsFirst(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H
