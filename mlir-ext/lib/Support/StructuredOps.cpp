//===- StructuredOps.cpp - What structured ops compute --------------------===//
//
// See StructuredOps.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/StructuredOps.h"

using namespace mlir;
using linalg::LinalgOp;

bool mlir::linalg_ext::isFill(LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::none_of(op.getDpsInputs(), [](Value input) {
           return isa<ShapedType>(input.getType());
         });
}

bool mlir::linalg_ext::isFill(Operation *op) {
  auto linalgOp = dyn_cast_or_null<LinalgOp>(op);
  return linalgOp && isFill(linalgOp);
}

bool mlir::linalg_ext::isMatrixProduct(LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return false;
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  return !dims.m.empty() && !dims.n.empty();
}
