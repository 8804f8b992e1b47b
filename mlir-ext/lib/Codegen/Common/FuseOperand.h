//===- FuseOperand.h - One elementwise op into another ----------*- C++ -*-===//
//
// Patterns that fuse elementwise ops choose what to fuse, and call this
// function to fuse it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_FUSEOPERAND_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_FUSEOPERAND_H

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::linalg_ext {

/// Fuses the op that computes `operand` into its owner `op`, and erases `op`.
/// `areElementwiseOpsFusable` must be true. Fails, with the IR unchanged, if
/// upstream cannot fuse them.
inline LogicalResult fuseOperand(PatternRewriter &rewriter, Operation *op,
                                 OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(fused))
    return rewriter.notifyMatchFailure(op, "upstream cannot fuse it");
  for (auto &[from, to] : fused->replacements)
    rewriter.replaceUsesWithIf(
        from, to, [&](OpOperand &use) { return use.getOwner() != producer; });
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_FUSEOPERAND_H
