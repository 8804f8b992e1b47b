//===- ResolveExpandShape.h - Strides of expanded buffers -------*- C++ -*-===//

#ifndef MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H
#define MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces `op` by the same view as a memref.reinterpret_cast, in front of it.
void resolveExpandShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H
