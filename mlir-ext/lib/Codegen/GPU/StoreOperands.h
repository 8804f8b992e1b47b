//===- StoreOperands.h - Operands stored in front ---------------*- C++ -*-===//
//
// Private to TileToWorkgroups. Builds ops that convert, transpose or copy an
// operand of a contraction in a separate kernel before it, so that asynchronous
// products can read the operand. WorkgroupGroup decides for which operands this
// is faster.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Lets the contraction of `operand` read `value`, which has the type of the
/// operand, or a wider one if `mayBeWider` is true.
void readStored(RewriterBase &rewriter, OpOperand &operand, Value value);

/// Returns whether the payload of `contraction` only extends input `number` to
/// f32, possibly by way of `element`, so that the input may have the type
/// `element`.
bool mayBeWider(linalg::LinalgOp contraction, unsigned number, Type element);

/// An operand that a kernel before its user stores.
struct StoredOperand {
  /// What the contraction reads.
  Value value;
  /// The tensor that it is stored in.
  Value memory;
};

/// Copies `operand` of a contraction to rows that are whole lines of the cache,
/// because other rows are read more slowly. Extends elements of 8 bits to f16.
/// Lets the contraction read the copy.
StoredOperand copyRows(RewriterBase &rewriter, OpOperand &operand,
                       const GPUTarget &target);

/// Lets the op that computes `operand` of a contraction store it in memory of
/// its own. The operand has a static shape.
StoredOperand storeComputed(RewriterBase &rewriter, OpOperand &operand);

/// If asynchronous products can then read them, converts operands of 8 bits of
/// the contraction that is computed with `root` in a kernel before it. The ops
/// that convert are stored, and `options` then say so. Returns `root`, or the
/// op that replaces it.
linalg::LinalgOp convertInFront(RewriterBase &rewriter, linalg::LinalgOp root,
                                TileToWorkgroupsOptions &options);

/// If asynchronous products can then read them, transposes operands of 8 bits
/// of the contraction that is computed with `root`. Returns `root`, or the op
/// that replaces it.
linalg::LinalgOp transposeBytes(RewriterBase &rewriter, linalg::LinalgOp root,
                                const TileToWorkgroupsOptions &options);

/// If asynchronous products can then read them, copies operands of the
/// contraction that is computed with `root` in a kernel before it.
void copyInFront(RewriterBase &rewriter, linalg::LinalgOp root,
                 TileToWorkgroupsOptions &options);

/// Lets a kernel in front compute operands of the contractions that are
/// computed with `root`, if each workgroup would compute functions for them
/// again.
void storeFunctions(linalg::LinalgOp root, TileToWorkgroupsOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_STOREOPERANDS_H
