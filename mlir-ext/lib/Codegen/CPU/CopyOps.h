//===- CopyOps.h - Copies as structured ops ---------------------*- C++ -*-===//
//
// A copy between views would become a call to a runtime library. As a
// structured op it is cut and vectorized like others.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_COPYOPS_H
#define MLIR_EXT_LIB_CODEGEN_CPU_COPYOPS_H

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::linalg_ext {

/// Replaces each `memref.copy` between ranked buffers in `root` that `isWanted`
/// by a `linalg.generic`.
inline void replaceCopies(RewriterBase &rewriter, Operation *root,
                          function_ref<bool(memref::CopyOp)> isWanted) {
  SmallVector<memref::CopyOp> copies;
  root->walk([&](memref::CopyOp op) {
    if (isa<MemRefType>(op.getSource().getType()) &&
        isa<MemRefType>(op.getTarget().getType()) && isWanted(op))
      copies.push_back(op);
  });
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(copy);
  }
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_COPYOPS_H
