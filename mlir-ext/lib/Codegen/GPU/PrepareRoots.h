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

/// Moves reshapes of what structured ops compute to their first users. A result
/// that only such a reshape and ops behind a root read, such as the scales of
/// quantized rows, is then computed with the root.
void sinkReshapes(RewriterBase &rewriter, Operation *scope);

/// Inserts reductions of rows, which several workgroups compute, before the ops
/// in `scope` that reduce a large tensor to one element, such as its maximum.
/// Otherwise one workgroup would have to read the whole tensor. Reductions that
/// read the same tensor by the same map are computed by one kernel, or by one
/// for the rows and one for their results.
void reduceWholeTensors(RewriterBase &rewriter, Operation *scope);

/// If `op` reduces the columns of a large tensor, inserts a reduction of chunks
/// of the columns before it, which more workgroups compute.
void reduceColumnsInChunks(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H
