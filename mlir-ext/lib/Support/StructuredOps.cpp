//===- StructuredOps.cpp - What structured ops compute --------------------===//
//
// See StructuredOps.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

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

bool mlir::linalg_ext::meetsFewRows(LinalgOp op, AffineMap map,
                                    ArrayRef<int64_t> ranges, int64_t most) {
  int64_t rows = 1;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (!linalg::isParallelIterator(iterator) || map.isFunctionOfDim(dim))
      continue;
    // Compare by division, so that the product does not overflow.
    if (ShapedType::isDynamic(ranges[dim]) ||
        (rows > 0 && ranges[dim] > most / rows))
      return false;
    rows *= ranges[dim];
  }
  return rows <= most;
}

std::optional<linalg_ext::CombinedReduction>
mlir::linalg_ext::getReduction(LinalgOp op, unsigned number) {
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), number, combiners);
  if (!term || combiners.size() != 1 ||
      !linalg::getCombinerOpKind(combiners.front()))
    return std::nullopt;
  // Other neutral elements depend on the bit width, which index does not have.
  if (term.getType().isIndex() &&
      !isa<arith::AddIOp, arith::MulIOp>(combiners.front()))
    return std::nullopt;
  if (!arith::getNeutralElement(combiners.front()))
    return std::nullopt;
  return CombinedReduction{term, combiners.front()};
}
