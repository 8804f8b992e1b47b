//===- FloatContraction.h - Contractions that patterns split ----*- C++ -*-===//
//
// Helpers for patterns that compute the result of a contraction of floats from
// another contraction, which starts from zero.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_FLOATCONTRACTION_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_FLOATCONTRACTION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Returns the type of the result if `op` is a contraction of tensors to
/// floats. Otherwise fails, and notifies `rewriter`.
inline FailureOr<RankedTensorType>
matchFloatContraction(PatternRewriter &rewriter, linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !linalg::isaContractionOpInterface(op))
    return rewriter.notifyMatchFailure(op, "no contraction of tensors");
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  if (!isa<FloatType>(type.getElementType()))
    return rewriter.notifyMatchFailure(op, "not of floats");
  return type;
}

/// A contraction that starts from zero, and an uninitialised tensor with the
/// shape of its result.
struct ZeroContraction {
  Operation *op = nullptr;
  Value empty;
};

/// Clones `op`, a contraction of floats, with zeros as init.
inline ZeroContraction cloneOntoZero(OpBuilder &b, linalg::LinalgOp op) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits().front();
  Type element = getElementTypeOrSelf(init.getType());
  ZeroContraction zero;
  zero.empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, init), element);
  Value constant = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value zeros =
      linalg::FillOp::create(b, loc, constant, zero.empty).getResult(0);
  zero.op = b.clone(*op);
  cast<DestinationStyleOpInterface>(zero.op).setDpsInitOperand(0, zeros);
  return zero;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_FLOATCONTRACTION_H
