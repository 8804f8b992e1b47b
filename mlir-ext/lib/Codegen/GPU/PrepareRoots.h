//===- PrepareRoots.h - Ops before their workgroups -------------*- C++ -*-===//
//
// Private to TileToWorkgroups. What changes ops before they become roots, so
// that fewer kernels, or kernels with more workgroups, compute them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Gives workgroups below `scope` fills of their own in place of fills in front
/// of them, with which CSE has merged theirs: those would be kernels.
void fillInWorkgroups(RewriterBase &rewriter, Operation *scope);

/// Lets ops compute again what they read of an op that computes one element
/// from others, such as a scale from a maximum. It would be a kernel of its
/// own, if several ops read it.
void computeScalarsAgain(RewriterBase &rewriter, Operation *scope);

/// Lets workgroups reduce the rows of large tensors in `scope` that are reduced
/// to one element, such as their maximum, in front of a reduction of their
/// results: one workgroup would have to read all of a tensor. The maximum and
/// the minimum of one tensor, and others of which it reads each element, are
/// one kernel, or one of rows and one of their results.
void reduceWholeTensors(RewriterBase &rewriter, Operation *scope);

/// Lets workgroups reduce chunks of the columns of `op`, if it reduces columns
/// of a large tensor, in front of a reduction of their results: there would be
/// few workgroups, which wait for memory.
void reduceColumnsInChunks(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_PREPAREROOTS_H
