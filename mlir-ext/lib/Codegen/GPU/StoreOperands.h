//===- StoreOperands.h - Operands stored in front ---------------*- C++ -*-===//
//
// Private to TileToWorkgroups. Builds the ops that convert, transpose or copy
// an operand of a contraction, in a kernel in front, so that asynchronous
// products can read it. WorkgroupGroup says for which operands that takes less
// time.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Lets the contraction of `operand` read `value`, of the type of the operand
/// or of a wider one. A wider one may be read if `mayBeWider` says so.
void readStored(RewriterBase &rewriter, OpOperand &operand, Value value);

/// Whether the payload of `contraction` only extends input `number` to f32, if
/// need be by way of `element`, so that it may be read as `element`.
bool mayBeWider(linalg::LinalgOp contraction, unsigned number, Type element);

/// An operand that a kernel in front stores, and the tensor that it is stored
/// in.
struct StoredOperand {
  Value value, memory;
};

/// Copies `operand` of a contraction to rows of whole lines of the cache:
/// others are read more slowly. Elements of 8 bits are extended to f16. Lets
/// the contraction read the copy.
StoredOperand copyRows(RewriterBase &rewriter, OpOperand &operand,
                       const GPUTarget &target);

/// Lets the op that computes `operand` of a contraction, of a static shape,
/// store it in memory of its own.
StoredOperand storeComputed(RewriterBase &rewriter, OpOperand &operand);

/// Converts operands of bytes of the contraction that is computed with `root`
/// in front of it, where asynchronous products read them then: ops that convert
/// them are stored, as `options` say then. Returns `root`, or what has replaced
/// it.
linalg::LinalgOp convertInFront(RewriterBase &rewriter, linalg::LinalgOp root,
                                TileToWorkgroupsOptions &options);

/// Transposes operands of 8 bits of the contraction that is computed with
/// `root`, where asynchronous products read them then. Returns `root`, or what
/// has replaced it.
linalg::LinalgOp transposeBytes(RewriterBase &rewriter, linalg::LinalgOp root,
                                const TileToWorkgroupsOptions &options);

/// Copies operands of the contraction that is computed with `root` in front of
/// it, where asynchronous products read them then.
void copyInFront(RewriterBase &rewriter, linalg::LinalgOp root,
                 TileToWorkgroupsOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H
