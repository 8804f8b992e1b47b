//===- ResolveExpandShape.h - Lowering of memref.expand_shape ---*- C++ -*-===//
//
// Lowers memref.expand_shape to memref.reinterpret_cast, which states the sizes
// and strides of the result.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H
#define MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Replaces `op` by a memref.reinterpret_cast with the same sizes, strides and
/// offset.
void resolveExpandShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_RESOLVEEXPANDSHAPE_H
